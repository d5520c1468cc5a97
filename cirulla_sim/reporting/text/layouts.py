"""Result tables as readers want them: words for names, sensible digits, ± for intervals, "1 in n" for chances.

A layout turns the rows of a kind of file into cells; cells about the same thing form a line. The terminal shows the
lines that readers want most, other formats all but distributions, and a whole table all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import polars as pl

from ...core.locale import Language
from ...storage.tables import headlines
from .cells import (
    DIFFERENCES,
    Cells,
    NumberCell,
    Row,
    fraction,
    is_significant,
    kind,
    marked_cell,
    minus,
    number_cell,
    odds_cell,
    per,
    play,
    question,
    reason,
    seen,
    value,
    what,
)
from .labels import (
    Metadata,
    capital,
    changed_words,
    how_much,
    line_up,
    lower,
    name_of,
    play_words,
    rules_title,
    side_names,
    trial_words,
)
from .quantity_names import NAMES

Layout = Callable[[pl.DataFrame, Metadata, Language], Iterator[Cells]]


def elsewhere(module: str, name: str) -> Callable[..., Any]:
    """A function of another module here, which is imported when it is called: most results are of no such kind."""

    def call(*given: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*given)

    return call


BAR = 40
"""Characters of the longest bar of a histogram."""


@dataclass(frozen=True)
class Brief:
    """What the terminal shows of a kind of file: the rows that readers want most, and at most so many lines."""

    rows: pl.Expr | bool = True
    lines: int = 12


def readers_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for readers, of texts, its headings too: a line for what a number is of, columns to compare.

    Distributions are left out unless the ``whole`` table is wanted or there is nothing else.
    """
    cells = cells_of(frame, metadata, locale, whole)
    return pivoted((about, head, cell if isinstance(cell, str) else cell.text) for about, head, cell in cells)


def cells_of(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool) -> Iterator[Cells]:
    """The cells of a table with headings in a language."""
    schema = schema_of(metadata)
    layout = LAYOUTS.get(schema, _by_side)
    if not whole:
        frame = headlines(frame) if layout in (_by_side, _by_line_up) else frame
        frame = _LESS[schema](frame) if schema in _LESS and frame.height else frame
    for about, heading, cell in layout(frame, metadata, locale) if frame.height else ():
        yield {locale.say(head): text for head, text in about.items()}, locale.say(heading), cell


def brief_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> tuple[pl.DataFrame, int]:
    """The lines of ``readers_table`` for the terminal, and how many lines there are besides."""
    ends = metadata.get("request", {}).get("question", {}).get("ends")
    brief = _ENDS if ends else BRIEF.get(schema_of(metadata), Brief())
    every = [about for about, _, _ in cells_of(frame, metadata, locale, False) if about]
    rows = frame.filter(brief.rows)
    shown = readers_table(rows if rows.height else frame, metadata, locale).head(brief.lines)
    first = list(dict.fromkeys(head for about in every for head in about))[:1] or shown.columns[:1]
    shown = shown.select(name for name in shown.columns if name in first or (shown[name] != "").any())
    return shown, len({tuple(about.items()) for about in every}) - shown.height


def schema_of(metadata: Metadata) -> str:
    """The kind of a file, without its format."""
    return str(metadata.get("schema") or "").partition("/")[0]


def caption(metadata: Metadata, locale: Language) -> str:
    """What a table is about and for which players, in a line."""
    trial = trial_words(metadata.get("trial"), locale)
    of_nights = schema_of(metadata) == "compare-nights"
    players = elsewhere("nights_layout", "pairs_words")(metadata, locale) if of_nights else play_words(metadata, locale)
    parts = [trial, rules_title(metadata, locale), players, how_much(metadata, locale)]
    shown = (part if part.startswith("cirulla-sim") else capital(part) for part in parts if part)
    return " ".join(filter(None, (". ".join(shown) + "." + changed_words(metadata, locale), highest(metadata, locale))))


def highest(metadata: Metadata, locale: Language) -> str:
    """Of how many values those with the highest answers are shown; empty where all are."""
    top, every = metadata.get("request", {}).get("question", {}).get("top"), metadata.get("values") or 0
    if not top or top >= every:
        return ""
    return locale.say("The {top} highest of {n} values.", top=top, n=locale.numerals(f"{every:,}"))


def pivoted(cells: Iterable[tuple[dict[str, str], str, str]]) -> pl.DataFrame:
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


# ------------------------------------------------------------------------------------------------ hands and games


def _about(row: Row, locale: Language) -> dict[str, str]:
    return {"What": what(row, locale), "Per": per(row, locale), "As": kind(row, locale), **value(row, locale)}


def _by_side(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Quantities below one another, sides beside one another."""
    names = {"all": locale.say("All"), **side_names(metadata, locale)}
    present = set(frame["side"])
    for name in (names[side] for side in names if side in present):  # columns in this order whatever comes first
        yield {}, name, ""
    for row in frame.iter_rows(named=True):
        yield _about(row, locale), names.get(row["side"], row["side"]), number_cell(row, locale)


def _by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Line-ups beside one another, then how much more there is for each than for the first."""
    names = {"all": locale.say("All"), **side_names(metadata, locale, policies=False)}
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    headings = {name: line_up(name, locale) for name in line_ups}
    for name in line_ups:
        yield {}, headings[name], ""
    more = "interaction" if "interaction" in frame["kind"] else "difference" if "rules" not in frame.columns else ""
    levels: dict[tuple[object, ...], dict[str, str]] = {}
    for row in frame.iter_rows(named=True):
        key = (row.get("rules"), row["quantity"], row["per"], row["side"], row["value"])
        rules = {"Rules": locale.say(name_of(row["rules"]))} if "rules" in row else {}
        about = {**rules, "Side": names.get(row["side"], row["side"]), **_about(row, locale)}
        if row["kind"] == more and key in levels:
            yield levels[key], f"{headings[row['policy']]} − {headings[line_ups[0]]}", marked_cell(row, locale)
        else:
            if row["kind"] in ("mean", "difference") or key not in levels:
                levels[key] = about
            yield about, headings[row["policy"]], marked_cell(row, locale)


# ------------------------------------------------------------------------------------------------ rules compared

_ASPECTS = (
    ("points", "all"), ("margin", "dealer"), ("wins_hand", "dealer"), ("margin_spread", "dealer"),
    ("wins_game", "dealer"), ("hands", "all"), ("lead_changes", "all"), ("changed", "all"),
    ("winner_changed", "all"), ("game_winner_changed", "all"),
)  # fmt: skip
"""Quantities and sides by which readers compare rules."""

_ONE_BY_ONE = ("changed", "winner_changed", "game_winner_changed")
"""Those that are changes themselves, not differences of levels."""


def _aspects(frame: pl.DataFrame) -> Iterator[Row]:
    """The rows by which readers compare rules: levels of the first rules, differences of the others."""
    base = frame["rules"][0]
    for quantity, side in _ASPECTS:
        for row in frame.filter(quantity=quantity, side=side).iter_rows(named=True):
            change = row["kind"] in DIFFERENCES or quantity in _ONE_BY_ONE
            if row["value"] is None and change != (row["rules"] == base):
                yield row


def _biggest_first(frame: pl.DataFrame) -> list[str]:
    """The rules: the first, then those that change the points of a hand most, then the margin."""
    base, *others = frame["rules"].unique(maintain_order=True).to_list()
    changes = frame.filter(kind="difference")

    def size(rules: str, quantity: str, side: str) -> float:
        of = changes.filter(rules=rules, quantity=quantity, side=side)["estimate"].abs()
        return float(of.max() or 0.0)  # type: ignore[arg-type]

    order = sorted(others, key=lambda name: (-size(name, "points", "all"), -size(name, "margin", "dealer")))
    return [base, *order]


def _mostly(frame: pl.DataFrame, rules: str, locale: Language) -> str:
    """The category through which most points come or go, where that is significant."""
    points = pl.col("quantity").str.starts_with("points_")
    rows = frame.filter(points, rules=rules, side="all", kind="difference")
    if rows.is_empty():
        return ""
    row = rows.sort(pl.col("estimate").abs(), descending=True, maintain_order=True).row(0, named=True)
    if not is_significant(row):
        return ""
    change = minus(locale.numerals(f"{row['estimate']:+.2g}"))
    return f"{lower(locale.say(NAMES[row['quantity']]))} {change}"


def _by_rules(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Rules below one another, the biggest change first; what they change beside one another."""
    order = _biggest_first(frame)
    rows = sorted(_aspects(frame), key=lambda row: order.index(row["rules"]))
    for row in rows:
        yield {"Rules": locale.say(name_of(row["rules"]))}, what(row, locale), marked_cell(row, locale)
    if not rows:  # of other quantities alone, every row
        names = {"all": locale.say("All"), **side_names(metadata, locale)}
        for row in frame.iter_rows(named=True):
            about = {"Rules": locale.say(name_of(row["rules"])), "Side": names.get(row["side"], row["side"])}
            yield about | _about(row, locale), "Number", marked_cell(row, locale)
        return
    for rules in order[1:]:
        yield {"Rules": locale.say(name_of(rules))}, "Mostly", _mostly(frame, rules, locale)


def _rules_by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    order = _biggest_first(frame)
    rows = sorted(_aspects(frame), key=lambda row: order.index(row["rules"]))
    rows.sort(key=lambda row: [quantity for quantity, _ in _ASPECTS].index(row["quantity"]))
    shown = pl.DataFrame(rows, schema=frame.schema) if rows else frame  # of other quantities alone, every row
    yield from _by_line_up(shown, metadata, locale)


# ------------------------------------------------------------------------------------------------ chances


def questions(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Answers with odds and fractions; the simulated beside the exact."""
    headings = {"mean": "Mean", "quantile": "Number", "maximum": "Number", "minimum": "Number", "ratio": "Ratio"}
    split = "share" in frame.columns and (frame["share"] != frame["estimate"]).any()
    distribution = "share" in frame.columns and not split and (frame["kind"] == "probability").all()
    largest = float(frame["estimate"].max() or 1) if frame.height else 1.0  # type: ignore[arg-type]
    for row in frame.iter_rows(named=True):
        own = {"Rules": locale.say(name_of(row["rules"]))} if "rules" in row else {}
        own |= {"Players": str(row["players"] or "")} if "players" in row else {}
        about = {**own, "What": question(row, metadata, locale), **value(row, locale), "Per": per(row, locale)}
        yield about, headings.get(row["kind"], "Chance"), number_cell(row, locale)
        if row["kind"] in ("probability", "share"):
            yield about, "Odds", odds_cell(row, locale)
        if row["exact"] is not None:
            yield about, "Exactly", fraction(row["exact"])
        elif row["n"] is not None:
            yield about, "Seen", seen(row, locale)
        if split:
            yield about, "Of all", NumberCell(locale.percent(row["share"]), {"": 100 * row["share"]}, "%")
        if row.get("simulated") is not None:
            simulated = {"estimate": row["simulated"], "ci_low": row["simulated_low"], "ci_high": row["simulated_high"]}
            yield about, "Simulated", number_cell({**row, **simulated, "exact": None}, locale)
            yield about, "Standard errors apart", minus(locale.numerals(f"{row['difference']:+.2f}"))
        if row.get("hand") is not None:
            yield about, "First in", locale.numerals(str(row["hand"]))
        if distribution:
            yield about, "", "█" * round(BAR * row["estimate"] / largest)


def _by_score(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Our score down, theirs across."""
    for row in frame.iter_rows(named=True):
        yield {"Dealer": _dealing(row, locale), "our score": str(row["us"])}, str(row["them"]), number_cell(row, locale)


def _round_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of scores that are multiples of ten; of short games all."""
    every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
    return frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)


def _dealing(row: Row, locale: Language) -> str:
    return locale.say(_DEALING[row["dealer"]])


_DEALING = {
    "us": "We deal", "them": "They deal", "any": "Any player deals, all equally likely",
    "next": "The next player deals", "opposite": "The player opposite deals", "previous": "The previous player deals",
}  # fmt: skip


def _chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        dealer = _dealing(row, locale)
        about = {"Score, ours first": row["score"], "Dealer": dealer, "How": locale.say(row["method"])}
        yield about, "Games won", number_cell(row, locale)


# ------------------------------------------------------------------------------------------------ advice

_ADVICE = {
    "margin": "Margin",
    "wins_game": "Wins the game",
    "behind": "Behind",
    "sweep_next": "Sweep next",
    "sweep_next_read": "As the plays tell",
}
"""The columns of advice."""


def _advice(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Plays below one another, the best first, what they bring beside one another, and why."""
    best = frame["play"][0] if frame.height else ""
    for row in frame.iter_rows(named=True):
        about = {"Play": play(row["play"], locale)}
        heading = _ADVICE.get(row["quantity"]) or what(row, locale)
        first = row["quantity"] == "behind" and row["play"] == best
        yield about, heading, "" if first else marked_cell(row, locale)
    for row in frame.unique("play", maintain_order=True).iter_rows(named=True):
        if row.get("reason"):
            yield {"Play": play(row["play"], locale)}, "Why", reason(row["reason"], locale)


# ------------------------------------------------------------------------------------------------ by kind of file

LAYOUTS: dict[str, Layout] = {
    "simulate-line-ups": _by_line_up,
    "games-line-ups": _by_line_up,
    "compare": _by_rules,
    "compare-line-ups": _rules_by_line_up,
    "compare-nights": elsewhere("nights_layout", "formats"),
    "odds": questions,
    "win-table": _by_score,
    "win-chance": _chance,
    "tournament": elsewhere("tournament_layout", "tournament"),
    "advise": _advice,
}
"""How the kinds of files are laid out; of others sides stand beside one another. Studies add theirs."""

_LESS: Mapping[str, Callable[[pl.DataFrame], pl.DataFrame]] = {"win-table": _round_scores}
"""What is left out unless the whole table is wanted."""

_QUANTITY, _SIDE, _PER, _KIND = (pl.col(name) for name in ("quantity", "side", "per", "kind"))
_POINTS = (_QUANTITY == "points") | _QUANTITY.str.starts_with("points_") & (_QUANTITY != "points_distribution")
_HAND = (
    _POINTS | _QUANTITY.is_in(["margin", "wins_hand", "sweeps"])
    | (_QUANTITY == "knock") & (_PER == "hand") & (_KIND == "mean")
)  # fmt: skip
_GAME = _QUANTITY.is_in(["wins_game", "ties_game", "hands", "lead_changes", "comeback", "winning_margin", "margin"])
_ONCE = (_SIDE == "all") | (_SIDE == "dealer") & _QUANTITY.is_in(["margin", "wins_hand", "wins_game"])
"""Of line-ups beside one another a quantity is shown of one side."""

_MAKES = _QUANTITY.str.starts_with("makes_")
_ENDS = Brief(_MAKES | (_QUANTITY == "margin"), 40)
"""What the terminal shows of advice where the end of the hand is asked for."""

BRIEF: dict[str, Brief] = {
    "simulate": Brief(_HAND, 14),
    "simulate-line-ups": Brief(_HAND & _ONCE, 14),
    "games": Brief(_GAME),
    "games-line-ups": Brief(_GAME & _ONCE),
    "compare": Brief(~_QUANTITY.is_in(["margin_spread", "lead_changes"])),
    "compare-line-ups": Brief(~_QUANTITY.is_in(["margin_spread", "lead_changes"]), 24),
    "compare-nights": Brief(lines=40),
    "odds": Brief(lines=200),
    "known-answers": Brief(lines=200),
    "tournament": Brief(lines=60),
    "advise": Brief(~_MAKES, 40),
}
"""What the terminal shows of the kinds of files; of others the first lines."""
