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


def for_print(frame: pl.DataFrame, made: Metadata, into: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for readers, of texts: a line for what a number is of, columns for what is to be compared.

    Distributions are left out unless the ``whole`` frame is asked for or there is nothing else; of comparisons and maps
    of scores there are the rows that a reader needs. Headings are in the language too.
    """
    schema = str(made.get("schema", "")).partition("/")[0]
    cells = _LAYOUTS.get(schema, _by_side)
    if not whole and cells in (_by_side, _by_line_up):
        frame = headlines(frame)
    return _pivoted((({into.say(head): cell for head, cell in about.items()}, into.say(head), cell)
                     for about, head, cell in cells(frame, made, into)))  # fmt: skip


def printed(frame: pl.DataFrame, caption: str, form: str, into: Language) -> str:
    """A table of texts in a format, with its caption; where the format has none it is a column."""
    if form == "csv":
        frame = frame.with_columns(pl.lit(caption).alias(into.say("Of what")))
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


def caption(made: Metadata, into: Language) -> str:
    """What a table is of and for whom it holds, in a line."""
    schema = str(made["schema"])
    about = [into.told(str(made.get("trial") or ""))]
    if made.get("preset") and made.get("rules"):
        alone = "line-ups" not in schema and not schema.startswith(("tournament", "aim"))
        about += [rules_title(made, into), play_words(made, into) if alone else ""]
    about += [how_much({**made, "games": None} if isinstance(made.get("games"), list) else made, into)]
    capital = [part if part.startswith("cirulla-sim") else part[:1].upper() + part[1:] for part in about if part]
    said = ". ".join(capital) + "."
    return said + (changed_words(made, into) if made.get("rules") else "")


def _per(row: Row, into: Language) -> str:
    return into.say(PER.get(str(row["per"]), str(row["per"])))


def _value(row: Row, into: Language) -> dict[str, str]:
    value, head = row["value"], row.get("by") or "Value"
    return {} if value is None else {head: into.numerals(str(value)) if _is_number(value) else into.say(str(value))}


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True


# ------------------------------------------------------------------------------------------------ by kind of file


def _about(row: Row, into: Language) -> dict[str, str]:
    told = {"What": what(row, into), "Per": _per(row, into)}
    return {**told, "As": into.say(KINDS.get(str(row["kind"]), str(row["kind"]))), **_value(row, into)}


def _by_side(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Quantities below one another, sides beside one another."""
    names = {"all": into.say("All"), **side_names({**made, "policies": []}, into)}
    first = list(frame["side"].unique(maintain_order=True))
    for name in (names[side] for side in names if side in first):  # columns in this order whatever comes first
        yield {}, name, ""
    for row in frame.iter_rows(named=True):
        yield _about(row, into), names.get(row["side"], row["side"]), number(row, into)


def _by_line_up(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Line-ups beside one another; differences are from the first."""
    names = {"all": into.say("All"), **side_names({**made, "policies": []}, into)}
    for row in frame.iter_rows(named=True):
        rules = {"Rules": into.say(name_of(row["rules"]))} if "rules" in row else {}
        about = {**rules, "Side": names.get(row["side"], row["side"]), **_about(row, into)}
        yield about, line_up(row["policy"], into), number(row, into)


def _aspects(frame: pl.DataFrame) -> Iterator[Row]:
    """The rows that a comparison of rules is told by: levels of the first rules, differences of the others."""
    base = frame["rules"][0]
    for quantity, side in _ASPECTS:
        for row in frame.filter(quantity=quantity, side=side).iter_rows(named=True):
            told = row["kind"] in DIFFERENCES or quantity == "changed"
            if row["value"] is None and told != (row["rules"] == base):
                yield row


def _by_rules(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Rules below one another, what they change beside one another."""
    rows = list(_aspects(frame))
    order = frame["rules"].unique(maintain_order=True).to_list()
    for row in sorted(rows, key=lambda row: order.index(row["rules"])):
        yield {"Rules": into.say(name_of(row["rules"]))}, what(row, into), number(row, into)


def _rules_by_line_up(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    return _by_line_up(pl.DataFrame(list(_aspects(frame)), schema=frame.schema), made, into)


def _questions(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Answers with odds and fractions; what was simulated beside what was counted."""
    for row in frame.iter_rows(named=True):
        own = {"Rules": into.say(name_of(row["rules"]))} if "rules" in row else {}
        own |= {"Players": str(row["players"] or "")} if "players" in row else {}
        about = {
            **own,
            "What": what(row, into),
            **_value(row, into),
            "Per": into.say(PER.get(str(row["per"]), str(row["per"]))),
        }
        heading = {"mean": "Mean", "quantile": "Number"}.get(row["kind"], "Chance")
        yield about, heading, number(row, into)
        if row["kind"] in ("probability", "share"):
            yield about, "Odds", odds(row, into)
        if fraction(row):
            yield about, "Exactly", fraction(row)
        if row.get("simulated") is not None:
            told = {"estimate": row["simulated"], "ci_low": row["simulated_low"], "ci_high": row["simulated_high"]}
            yield about, "Simulated", number({**row, **told, "exact": None}, into)


def _by_score(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Our score down, theirs across, at round scores."""
    every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
    rows = frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)
    for row in rows.iter_rows(named=True):
        dealer = into.say("We deal" if row["dealer"] == "us" else "They deal")
        yield {"Dealer": dealer, "our score": str(row["us"])}, str(row["them"]), number(row, into)


def _tournament(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Strength, then points over each other policy."""
    strength = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    order = strength["policy"].to_list() or frame["policy"].unique(maintain_order=True).to_list()
    overs = {
        (row["policy"], row["opponent"]): row
        for row in frame.filter(quantity="margin", side="all").iter_rows(named=True)
    }
    ahead = {row["policy"]: row for row in frame.filter(quantity="stays_ahead").iter_rows(named=True)}
    for row in strength.iter_rows(named=True):
        about = {"Player": line_up(row["policy"], into)}
        yield about, "Strength", number(row, into)
        if row["policy"] in ahead:
            yield about, "Stays ahead of the next", into.percent(ahead[row["policy"]]["estimate"])
    for one in order:
        for other in order:
            heading = into.say("over {player}", player=line_up(other, into))
            found = overs.get((one, other))
            yield {"Player": line_up(one, into)}, heading, number(found, into) if found else "·"


def _luck(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        about = {"Rules": into.say(name_of(row["rules"])), "Players": together(row["policy"], into)}
        yield about, what(row, into), number(row, into)


def _aim(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    for row in frame.filter(quantity="wins_game", kind="difference").iter_rows(named=True):
        about = {"Players": str(row["players"]), "Player": line_up(row["policy"], into)}
        yield about, row["score"], number(row, into)


def _curve(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        about = {"Players": str(row["players"]), "Player": line_up(row["policy"], into)}
        yield about, "Milliseconds a play", into.numerals(f"{row['took']:.3g}")
        yield about, "Points a hand over careful", number(row, into)


def _reading(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """What is told of below one another; the chances told beside the truth, then their errors."""
    for row in frame.filter(pl.col("value").is_null()).iter_rows(named=True):
        about = {"What": into.say(QUANTITIES[row["event"]])}
        way = into.say(DEALING[row["dealing"]])
        if row["kind"] == "probability":
            yield about, into.say("Told: {way}", way=way), into.percent(row["told"])
            yield about, "True", number(row, into)
        elif row["kind"] == "mean":
            yield about, into.say("Squared error: {way}", way=way), number(row, into)
        else:
            yield about, "Difference", number(row, into)


def _chance(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        dealer = into.say("We deal" if row["dealer"] == "us" else "They deal")
        about = {"Score, ours first": row["score"], "Dealer": dealer, "How": into.say(row["method"])}
        yield about, "Games won", number(row, into)


def _advice(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """Plays below one another, what they bring beside one another; the reasons are told in English only."""
    for row in frame.iter_rows(named=True):
        about = {"Play": play(row["play"], into)}
        yield about, what(row, into), number(row, into)
        if into.english and row.get("reason"):
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
