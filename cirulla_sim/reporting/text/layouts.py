"""Result tables as readers want them: words for names, sensible digits, ± for intervals, "1 in n" for chances."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import polars as pl

from ...storage.tables import headlines, render
from .cells import DIFFERENCES, Cells, Row, fraction, number, odds, play, what
from .labels import Metadata, changed_words, how_much, line_up, name_of, play_words, rules_title, side_names, together
from .locale import Language
from .quantity_names import DEALING, KINDS, PER, QUANTITIES
from .review_words import cells_of_review

_ASPECTS = (
    ("points", "all"), ("margin", "dealer"), ("wins_hand", "dealer"), ("margin_spread", "dealer"),
    ("wins_game", "dealer"), ("hands", "all"), ("lead_changes", "all"), ("changed", "all"),
)  # fmt: skip
"""What a comparison of rules is told by: quantities and sides."""


def for_print(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for readers, of texts: a line for what a number is of, columns for what is to be compared.

    Distributions are left out unless the ``whole`` frame is asked for or there is nothing else; of comparisons and maps
    of scores there are the rows that a reader needs. Headings are in the language too.
    """
    schema = str(metadata.get("schema", "")).partition("/")[0]
    cells = _LAYOUTS.get(schema, _by_side)
    if not whole and cells in (_by_side, _by_line_up):
        frame = headlines(frame)
    return _pivoted((({locale.say(head): cell for head, cell in about.items()}, locale.say(head), cell)
                     for about, head, cell in cells(frame, metadata, locale)))  # fmt: skip


def printed(frame: pl.DataFrame, caption: str, form: str, locale: Language) -> str:
    """A table of texts in a format, with its caption; where the format has none it is a column."""
    if form == "csv":
        frame = frame.with_columns(pl.lit(caption).alias(locale.say("Of what")))
    if form in ("csv", "table"):
        return render(frame, form) + (f"\n{caption}" if form == "table" and caption else "")
    shown = frame.to_pandas()
    if form == "markdown":
        return f"{shown.to_markdown(index=False, disable_numparse=True)}\n\n{caption}"
    escape = "latex" if form == "latex" else "html"
    styled = shown.style.hide(axis="index").format(escape=escape).format_index(escape=escape, axis=1)
    if form == "latex":
        return styled.set_caption(_latex(caption)).to_latex(hrules=True).rstrip("\n")
    return styled.set_caption(html.escape(caption)).to_html(exclude_styles=True).rstrip("\n")


def _latex(text: str) -> str:
    return re.sub(r"[&%$#_{}]", lambda found: f"\\{found[0]}", text)


def caption(metadata: Metadata, locale: Language) -> str:
    """What a table is of and for whom it holds, in a line."""
    about = [locale.told(str(metadata.get("trial") or "")), rules_title(metadata, locale), play_words(metadata, locale)]
    about += [how_much({**metadata, "games": None} if isinstance(metadata.get("games"), list) else metadata, locale)]
    capital = [part if part.startswith("cirulla-sim") else part[:1].upper() + part[1:] for part in about if part]
    return ". ".join(capital) + "." + changed_words(metadata, locale)


def _per(row: Row, locale: Language) -> str:
    return locale.say(PER.get(str(row["per"]), str(row["per"])))


def _value(row: Row, locale: Language) -> dict[str, str]:
    value, head = row["value"], row.get("by") or "Value"
    return {} if value is None else {head: locale.numerals(str(value)) if _is_number(value) else locale.say(str(value))}


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True


# ------------------------------------------------------------------------------------------------ by kind of file


def _about(row: Row, locale: Language) -> dict[str, str]:
    told = {"What": what(row, locale), "Per": _per(row, locale)}
    return {**told, "As": locale.say(KINDS.get(str(row["kind"]), str(row["kind"]))), **_value(row, locale)}


def _by_side(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Quantities below one another, sides beside one another."""
    names = {"all": locale.say("All"), **side_names(metadata, locale, policies=False)}
    first = list(frame["side"].unique(maintain_order=True))
    for name in (names[side] for side in names if side in first):  # columns in this order whatever comes first
        yield {}, name, ""
    for row in frame.iter_rows(named=True):
        yield _about(row, locale), names.get(row["side"], row["side"]), number(row, locale)


def _by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Line-ups beside one another; differences are from the first."""
    names = {"all": locale.say("All"), **side_names(metadata, locale, policies=False)}
    for row in frame.iter_rows(named=True):
        rules = {"Rules": locale.say(name_of(row["rules"]))} if "rules" in row else {}
        about = {**rules, "Side": names.get(row["side"], row["side"]), **_about(row, locale)}
        yield about, line_up(row["policy"], locale), number(row, locale)


def _aspects(frame: pl.DataFrame) -> Iterator[Row]:
    """The rows that a comparison of rules is told by: levels of the first rules, differences of the others."""
    base = frame["rules"][0]
    for quantity, side in _ASPECTS:
        for row in frame.filter(quantity=quantity, side=side).iter_rows(named=True):
            told = row["kind"] in DIFFERENCES or quantity == "changed"
            if row["value"] is None and told != (row["rules"] == base):
                yield row


def _by_rules(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Rules below one another, what they change beside one another."""
    rows = list(_aspects(frame))
    order = frame["rules"].unique(maintain_order=True).to_list()
    for row in sorted(rows, key=lambda row: order.index(row["rules"])):
        yield {"Rules": locale.say(name_of(row["rules"]))}, what(row, locale), number(row, locale)


def _rules_by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    return _by_line_up(pl.DataFrame(list(_aspects(frame)), schema=frame.schema), metadata, locale)


def _questions(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Answers with odds and fractions; what was simulated beside what was counted."""
    for row in frame.iter_rows(named=True):
        own = {"Rules": locale.say(name_of(row["rules"]))} if "rules" in row else {}
        own |= {"Players": str(row["players"] or "")} if "players" in row else {}
        about = {
            **own,
            "What": what(row, locale),
            **_value(row, locale),
            "Per": locale.say(PER.get(str(row["per"]), str(row["per"]))),
        }
        heading = {"mean": "Mean", "quantile": "Number"}.get(row["kind"], "Chance")
        yield about, heading, number(row, locale)
        if row["kind"] in ("probability", "share"):
            yield about, "Odds", odds(row, locale)
        if fraction(row):
            yield about, "Exactly", fraction(row)
        if row.get("simulated") is not None:
            told = {"estimate": row["simulated"], "ci_low": row["simulated_low"], "ci_high": row["simulated_high"]}
            yield about, "Simulated", number({**row, **told, "exact": None}, locale)


def _by_score(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Our score down, theirs across, at round scores."""
    every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
    rows = frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)
    for row in rows.iter_rows(named=True):
        dealer = locale.say("We deal" if row["dealer"] == "us" else "They deal")
        yield {"Dealer": dealer, "our score": str(row["us"])}, str(row["them"]), number(row, locale)


def _tournament(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Strength, then points over each other policy."""
    strength = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    order = strength["policy"].to_list() or frame["policy"].unique(maintain_order=True).to_list()
    overs = {
        (row["policy"], row["opponent"]): row
        for row in frame.filter(quantity="margin", side="all").iter_rows(named=True)
    }
    ahead = {row["policy"]: row for row in frame.filter(quantity="stays_ahead").iter_rows(named=True)}
    for row in strength.iter_rows(named=True):
        about = {"Player": line_up(row["policy"], locale)}
        yield about, "Strength", number(row, locale)
        if row["policy"] in ahead:
            yield about, "Stays ahead of the next", locale.percent(ahead[row["policy"]]["estimate"])
    for one in order:
        for other in order:
            heading = locale.say("over {player}", player=line_up(other, locale))
            found = overs.get((one, other))
            yield {"Player": line_up(one, locale)}, heading, number(found, locale) if found else "·"


def _luck(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        about = {"Rules": locale.say(name_of(row["rules"])), "Players": together(row["policy"], locale)}
        yield about, what(row, locale), number(row, locale)


def _aim(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.filter(quantity="wins_game", kind="difference").iter_rows(named=True):
        about = {"Players": str(row["players"]), "Player": line_up(row["policy"], locale)}
        yield about, row["score"], number(row, locale)


def _curve(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        about = {"Players": str(row["players"]), "Player": line_up(row["policy"], locale)}
        yield about, "Milliseconds a play", locale.numerals(f"{row['took']:.3g}")
        yield about, "Points a hand over careful", number(row, locale)


def _reading(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """What is told of below one another; the chances told beside the truth, then their errors."""
    for row in frame.filter(pl.col("value").is_null()).iter_rows(named=True):
        about = {"What": locale.say(QUANTITIES[row["event"]])}
        way = locale.say(DEALING[row["dealing"]])
        if row["kind"] == "probability":
            yield about, locale.say("Told: {way}", way=way), locale.percent(row["told"])
            yield about, "True", number(row, locale)
        elif row["kind"] == "mean":
            yield about, locale.say("Squared error: {way}", way=way), number(row, locale)
        else:
            yield about, "Difference", number(row, locale)


def _chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        dealer = locale.say("We deal" if row["dealer"] == "us" else "They deal")
        about = {"Score, ours first": row["score"], "Dealer": dealer, "How": locale.say(row["method"])}
        yield about, "Games won", number(row, locale)


def _advice(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Plays below one another, what they bring beside one another; the reasons are told in English only."""
    for row in frame.iter_rows(named=True):
        about = {"Play": play(row["play"], locale)}
        yield about, what(row, locale), number(row, locale)
        if locale.english and row.get("reason"):
            yield about, "Why", row["reason"]


_LAYOUTS: Mapping[str, Callable[[pl.DataFrame, Metadata, Language], Iterator[Cells]]] = {
    "simulate-line-ups": _by_line_up,
    "games-line-ups": _by_line_up,
    "compare": _by_rules,
    "compare-line-ups": _rules_by_line_up,
    "odds": _questions,
    "known-answers": _questions,
    "win-table": _by_score,
    "tournament": _tournament,
    "luck": _luck,
    "aim": _aim,
    "reading": _reading,
    "curve": _curve,
    "win-chance": _chance,
    "advise": _advice,
    "review": cells_of_review,
}


def _pivoted(cells: Iterable[Cells]) -> pl.DataFrame:
    """Lines of what is about the same thing, a column for each heading, in the order they come."""
    lines: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    about_names: dict[str, None] = {}
    names: dict[str, None] = {}
    for about, heading, cell in cells:
        names[heading] = None
        if about:
            lines.setdefault(tuple(about.items()), dict(about))[heading] = cell
            about_names |= dict.fromkeys(about)
    order = [*about_names, *(name for name in names if name not in about_names)]
    rows = [[line.get(name, "") for name in order] for line in lines.values()]
    return pl.DataFrame(rows, schema=dict.fromkeys(order, pl.String), orient="row")
