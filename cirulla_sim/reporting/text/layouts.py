"""Result tables as readers want them: words for names, sensible digits, ± for intervals, "1 in n" for chances.

A layout turns the rows of a kind of file into cells; cells about the same thing form a line. The terminal shows the
lines that readers want most, other formats all but distributions, and a whole table all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from string import ascii_lowercase
from typing import NamedTuple

import polars as pl

from ...core.locale import Language
from ...engine.policies import USUAL
from ...situation.night import Night
from ...situation.notation import Situation
from ...situation.plays import read_choice, words_of
from ...storage.tables import headlines
from . import cells, labels, studies
from .cells import Cells, NumberCell, Row
from .labels import Metadata

BAR = 40
"""Characters of the longest bar of a histogram."""


class Layout(NamedTuple):
    """How a kind of file is laid out: its cells, the rows and at most so many lines that the terminal shows of it, and
    what is left unless the whole table is wanted.
    """

    cells: Callable[[pl.DataFrame, Metadata, Language], Iterator[Cells]]
    rows: pl.Expr | bool = True
    lines: int = 12
    less: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame


def readers_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for readers, of texts, its headings too: a line for what a number is of, columns to compare.

    Distributions are left out unless the ``whole`` table is wanted or there is nothing else.
    """
    every = cells_of(frame, metadata, locale, whole)
    return pivoted((about, head, cell if isinstance(cell, str) else cell.text) for about, head, cell in every)


def cells_of(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool) -> Iterator[Cells]:
    """The cells of a table with headings in a language."""
    if frame.is_empty():
        return
    layout = LAYOUTS.get(schema_of(metadata), OTHERS)
    shown = labels.titled(frame if whole else layout.less(frame), metadata)
    for about, heading, cell in layout.cells(shown, metadata, locale):
        yield {locale.say(head): text for head, text in about.items()}, locale.say(heading), cell


def brief_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> tuple[pl.DataFrame, int]:
    """The lines of ``readers_table`` for the terminal, and how many lines there are besides."""
    ends = metadata.get("request", {}).get("question", {}).get("ends")
    layout = LAYOUTS.get(schema_of(metadata), OTHERS)
    every = [about for about, _, _ in cells_of(frame, metadata, locale, False) if about]
    rows = frame.filter(_ENDS if ends else layout.rows)
    shown = readers_table(rows if rows.height else frame, metadata, locale).head(layout.lines)
    first = list(dict.fromkeys(head for about in every for head in about))[:1] or shown.columns[:1]
    shown = shown.select(name for name in shown.columns if name in first or (shown[name] != "").any())
    return shown, len({tuple(about.items()) for about in every}) - shown.height


def schema_of(metadata: Metadata) -> str:
    """The kind of a file, without its format."""
    return str(metadata.get("schema") or "").partition("/")[0]


def caption(metadata: Metadata, locale: Language, trial: bool = True) -> str:
    """What a table is about and for which players, in a line; without what one ``trial`` is if a reading says it."""
    one = labels.trial_words(metadata.get("trial") or "", locale) if trial else ""
    players = pairs_words(metadata, locale) or labels.play_words(metadata, locale)
    parts = [one, labels.rules_title(metadata, locale), players, labels.how_much(metadata, locale)]
    shown = (part if part.startswith("cirulla-sim") else labels.capital(part) for part in parts if part)
    return " ".join(
        filter(None, (". ".join(shown) + "." + labels.changed_words(metadata, locale), highest(metadata, locale)))
    )


def highest(metadata: Metadata, locale: Language) -> str:
    """Of how many values those with the highest answers are shown; empty where all are."""
    top, every = metadata.get("request", {}).get("question", {}).get("top"), metadata.get("values") or 0
    if not top or top >= every:
        return ""
    sentence = "The {top} highest of {n} values." if metadata.get("chosen") != "half" else (
        "The {top} of {n} values that were highest in one half of the trials, in that order; the numbers are from the "
        "other half, which had no part in the choice.")  # fmt: skip
    return locale.say(sentence, top=top, n=locale.numerals(f"{every:,}"))


def pivoted(every: Iterable[tuple[dict[str, str], str, str]]) -> pl.DataFrame:
    """Lines of what is about the same thing, a column for each heading, in the order they come."""
    lines: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    about_names: dict[str, None] = {}
    names: dict[str, None] = {}
    for about, heading, cell in every:
        names[heading] = None
        if about:
            lines.setdefault(tuple(about.items()), dict(about))[heading] = cell
            about_names |= dict.fromkeys(about)
    order = [*about_names, *(name for name in names if name not in about_names)]
    rows = [[line.get(name, "") for name in order] for line in lines.values()]
    return pl.DataFrame(rows, schema=dict.fromkeys(order, pl.String), orient="row")


# ------------------------------------------------------------------------------------------------ hands and games


def _about(row: Row, locale: Language, names: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a row is of, by heading: its rules if it has any, its side where ``names`` has what sides are called."""
    side = {"Side": names.get(row["side"], row["side"])} if names else {}
    what = {
        "What": cells.what(row, locale),
        "Per": _word("trials", row["per"], locale),
        "As": _word("kinds", row["kind"], locale),
    }
    return {**_rules(row, locale), **side, **what, **cells.value(row, locale)}


def _word(of: str, name: str, locale: Language) -> str:
    return locale.say(labels.WORDS[of].get(name, name))


def _rules(row: Row, locale: Language) -> dict[str, str]:
    return {"Rules": locale.say(labels.name_of(row["rules"]))} if "rules" in row else {}


def _by_side(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Quantities below one another, sides beside one another."""
    names = labels.side_names(metadata, locale)
    present = set(frame["side"])
    for name in (names[side] for side in names if side in present):  # columns in this order whatever comes first
        yield {}, name, ""
    for row in frame.iter_rows(named=True):
        yield _about(row, locale), names.get(row["side"], row["side"]), cells.number_cell(row, locale)


def _by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Line-ups beside one another, then how much more there is for each than for the first."""
    names = labels.side_names(metadata, locale, policies=False)
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    headings = {name: labels.line_up(name, locale) for name in line_ups}
    for name in line_ups:
        yield {}, headings[name], ""
    more = "interaction" if "interaction" in frame["kind"] else "difference" if "rules" not in frame.columns else ""
    levels: dict[tuple[object, ...], dict[str, str]] = {}
    for row in frame.iter_rows(named=True):
        key = (row.get("rules"), row["quantity"], row["per"], row["side"], row["value"])
        about = _about(row, locale, names)
        if row["kind"] == more and key in levels:
            yield levels[key], f"{headings[row['policy']]} − {headings[line_ups[0]]}", cells.number_cell(row, locale)
        else:
            if row["kind"] in ("mean", "difference") or key not in levels:
                levels[key] = about
            yield about, headings[row["policy"]], cells.number_cell(row, locale)


# ------------------------------------------------------------------------------------------------ rules compared

_ASPECTS = (
    ("points", "all"), ("margin", "dealer"), ("wins_hand", "dealer"), ("margin_spread", "dealer"),
    ("wins_game", "dealer"), ("hands", "all"), ("lead_changes", "all"), ("changed", "all"),
    ("winner_changed", "all"), ("game_winner_changed", "all"),
)  # fmt: skip
"""Quantities and sides by which readers compare rules."""

_ONE_BY_ONE = ("changed", "winner_changed", "game_winner_changed")
"""Those that are changes themselves, not differences of levels."""


def _aspects(frame: pl.DataFrame, order: Sequence[str]) -> Iterator[Row]:
    """The rows by which readers compare rules: levels of the first rules, differences of the others."""
    for quantity, side in _ASPECTS:
        rows = frame.filter(pl.col("value").is_null(), quantity=quantity, side=side).to_dicts()
        for row in sorted(rows, key=lambda row: order.index(row["rules"])):
            change = row["kind"] in cells.DIFFERENCES or quantity in _ONE_BY_ONE
            if change != (row["rules"] == order[0]):
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
    row = max(rows.to_dicts(), key=lambda row: abs(row["estimate"]), default=None)
    if row is None or not cells.is_significant(row):
        return ""
    change = cells.minus(locale.numerals(f"{row['estimate']:+.2g}"))
    return f"{labels.lower(labels.quantity_name(row['quantity'], locale))} {change}"


def _by_rules(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Rules below one another, the biggest change first; what they change beside one another."""
    order = _biggest_first(frame)
    rows, dealer = list(_aspects(frame, order)), labels.side_names(metadata, locale, policies=False)["dealer"]
    for row in rows:
        what = cells.what(row, locale)
        heading = f"{what}, {labels.lower(dealer)}" if row["side"] == "dealer" else what
        yield _rules(row, locale), heading, cells.number_cell(row, locale)
    for rules in order[1:] if rows else ():
        yield _rules({"rules": rules}, locale), "Mostly", _mostly(frame, rules, locale)
    if not rows:  # of other quantities alone
        yield from _by_side(frame, metadata, locale)


def _rules_by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    rows = list(_aspects(frame, _biggest_first(frame)))
    shown = pl.DataFrame(rows, schema=frame.schema) if rows else frame  # of other quantities alone, every row
    yield from _by_line_up(shown, metadata, locale)


# ------------------------------------------------------------------------------------------------ chances


def _questions(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Answers with odds and fractions; the simulated beside the exact."""
    headings = {"mean": "Mean", "quantile": "Number", "maximum": "Number", "minimum": "Number", "ratio": "Ratio",
                "standard deviation": "Standard deviation", "correlation": "Correlation"}  # fmt: skip
    values = frame.filter(pl.col("value").is_not_null()) if "share" in frame.columns else frame.clear()
    split = values.height > 0 and (values["share"] != values["estimate"]).any()
    distribution = values.height > 0 and not split and (values["kind"] == "probability").all()
    largest = max([0.0, *values["estimate"]]) or 1.0
    levels: dict[str, str] = {}
    if distribution and "mean" in frame["kind"]:
        yield {}, "Mean", ""  # not to the right of the bars
    for row in frame.iter_rows(named=True):
        about = {"What": cells.question(row, metadata, locale), **cells.value(row, locale)}
        about["Per"] = _word("trials", row["per"], locale)
        levels.setdefault(row["quantity"], headings.get(row["kind"], "Chance"))
        heading = levels[row["quantity"]] if row["kind"] in cells.DIFFERENCES else headings.get(row["kind"], "Chance")
        yield about, heading, cells.number_cell(row, locale)
        if row["kind"] in ("probability", "share"):
            yield about, "Odds", cells.odds_cell(row, locale)
        if row["exact"] is not None:
            yield about, "Exactly", cells.fraction(row["exact"])
        elif row["n"] is not None:
            yield about, "Seen", cells.seen_text(row, locale)
        if split and row["share"] is not None:
            yield about, "Of all", NumberCell(locale.percent(row["share"]), {"": 100 * row["share"]}, "%")
        if row.get("simulated") is not None:
            simulated = {"estimate": row["simulated"], "ci_low": row["simulated_low"], "ci_high": row["simulated_high"]}
            yield about, "Simulated", cells.number_cell({**row, **simulated, "exact": None}, locale)
            yield about, "Standard errors apart", cells.minus(locale.numerals(f"{row['difference']:+.2f}"))
        if row.get("hand") is not None:
            yield about, "First in", locale.numerals(str(row["hand"]))
        if distribution and row["value"] is not None:
            yield about, "", "█" * round(BAR * row["estimate"] / largest)


def _by_score(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Our score down, theirs across."""
    for row in frame.iter_rows(named=True):
        yield (
            {"Dealer": locale.say(labels.WORDS["dealing"][row["dealer"]]), "our score": str(row["us"])},
            str(row["them"]),
            cells.number_cell(row, locale),
        )


def _round_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of scores that are multiples of ten; of short games all."""
    every = 1 if int(frame["us"].max()) <= 11 else 10  # type: ignore[arg-type]
    return frame.filter(pl.col("us") % every == 0, pl.col("them") % every == 0)


def _chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        dealer = locale.say(labels.WORDS["dealing"][row["dealer"]])
        about = {"Score, ours first": row["score"], "Dealer": dealer, "How": locale.say(row["method"])}
        yield about, "Games won", cells.number_cell(row, locale)


# ------------------------------------------------------------------------------------------------ advice


def _advice(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Plays below one another, the best first, what they bring beside one another, and why."""
    best = frame["play"][0] if frame.height else ""
    for row in frame.iter_rows(named=True):
        about = _play(row, locale)
        heading = labels.WORDS["headings"].get(row["quantity"]) or cells.what(row, locale)
        first = row["quantity"] == "behind" and row["play"] == best
        yield about, heading, "" if first else cells.number_cell(row, locale)
    for row in frame.unique("play", maintain_order=True).iter_rows(named=True):
        if row.get("reason"):
            yield (
                {"Play": locale.translate(words_of(read_choice(row["play"])))},
                "Why",
                cells.reason_text(row["reason"], locale),
            )


def _play(row: Row, locale: Language) -> dict[str, str]:
    return {"Play": locale.translate(words_of(read_choice(row["play"])))}


def _by_format(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line for each quantity and format: its number, and how much more that is than in the first format."""
    names = format_names(metadata, locale)
    order = frame["quantity"].unique(maintain_order=True).to_list()
    for row in sorted(frame.iter_rows(named=True), key=lambda row: order.index(row["quantity"])):
        about = {"What": label(row, metadata, locale), "Format": names.get(row["rules"], row["rules"])}
        heading = "Difference" if row["kind"] == "difference" else "In the format"
        yield about, heading, cells.number_cell(row, locale)


def compared_nights_of(metadata: Metadata) -> list[Night]:
    """The nights that a comparison is of, every pair with its policy; none for another result."""
    if schema_of(metadata) != "compare-nights":
        return []
    request, line_ups = metadata["request"], labels.line_ups_of(metadata)
    usual = line_ups[0].names[0] if line_ups else USUAL
    texts = (request["situation"]["at"], *request["question"]["against"])
    nights = (Situation.parse(text).night for text in texts)
    return [replace(night, pairs=night.policies(usual)) for night in nights if night is not None]


def format_names(metadata: Metadata, locale: Language) -> dict[str, str]:
    """The formats as the table names them, and what readers call them: without minutes that are the same in all."""
    nights = compared_nights_of(metadata)
    alike = len({night.minutes for night in nights}) == 1
    shown = (replace(night, minutes=None) if alike else night for night in nights)
    return {one.format_text(): short.format_text(locale.name) for one, short in zip(nights, shown, strict=True)}


def pairs_words(metadata: Metadata, locale: Language) -> str:
    """The pairs of the nights that a comparison is of, empty for another result."""
    nights = compared_nights_of(metadata)
    groups = [(policy, len(list(same))) for policy, same in groupby(nights[0].pairs if nights else ())]
    return ", ".join(
        locale.say("{n} pairs ({policy})" if n > 1 else "1 pair ({policy})", n=n,
                   policy=labels.player(policy or USUAL, locale, labels.PLAY)) for policy, n in groups
    )  # fmt: skip


def label(row: Row, metadata: Metadata, locale: Language) -> str:
    """What a number is of, with the pair and its policy where it is about one."""
    if row["side"] == "all":
        return cells.what(row, locale)
    return f"{cells.what(row, locale)}, {pair_one(metadata, locale)}"


def pair_one(metadata: Metadata, locale: Language) -> str:
    """What the first pair is called, with its policy."""
    policies = [labels.player(night.pairs[0] or USUAL, locale, labels.PLAY) for night in compared_nights_of(metadata)]
    return locale.say("pair 1 ({policy})", policy=policies[0]) if policies else locale.say("pair 1")


def strongest_first(frame: pl.DataFrame) -> list[str]:
    """The policies of a tournament in the order of their strengths."""
    ranked = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    return [str(policy) for policy in ranked["policy"]]


def gaps_of(frame: pl.DataFrame) -> dict[tuple[str, str], Row]:
    """The rows of the gaps in strength, by the stronger policy and the weaker."""
    rows = frame.filter(quantity="strength_gap").iter_rows(named=True)
    return {(row["policy"], row["opponent"]): row for row in rows}


def groups_of(frame: pl.DataFrame) -> list[list[str]]:
    """The largest groups of policies of which no two differ significantly in strength, strongest first.

    A policy may be in several. They follow from the significant pairs by inserting and absorbing (Piepho, "An algorithm
    for a letter-based representation of all-pairwise comparisons", 2004).
    """
    order = strongest_first(frame)
    groups = [set(order)]
    for pair, row in gaps_of(frame).items():
        if cells.is_significant(row):
            split = [group - {policy} for group in groups if group.issuperset(pair) for policy in pair]
            groups = [group for group in groups if not group.issuperset(pair)]
            for part in split:
                if not any(part <= group for group in groups):
                    groups = [group for group in groups if not group <= part] + [part]
    return sorted((sorted(group, key=order.index) for group in groups), key=lambda group: [*map(order.index, group)])


def letters_of(frame: pl.DataFrame) -> dict[str, str]:
    """A letter for each of ``groups_of`` that a policy is in: policies with a common letter are not distinguishable."""
    letters = dict.fromkeys(strongest_first(frame), "")
    for place, group in enumerate(groups_of(frame)):
        for policy in group:
            letters[policy] += ascii_lowercase[place % 26] * (1 + place // 26)
    return letters


def _by_player(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Strength, group and the gap to the next; points and games of each over each other; the verdicts of a test."""
    order = strongest_first(frame) or frame["policy"].drop_nulls().unique(maintain_order=True).to_list()
    names = {name: labels.line_up(name, locale) for name in order}
    gaps, letters = gaps_of(frame), letters_of(frame)
    over = {name: locale.say("over {player}", player=names[name]) for name in order}
    for row in frame.filter(quantity="strength").iter_rows(named=True):
        own = row["policy"]
        about = {"What": locale.say("Strength"), "Player": names[own]}
        yield about, "Points a hand", cells.number_cell(row, locale)
        if gaps:
            following = gaps.get((own, order[order.index(own) + 1])) if own != order[-1] else None
            yield about, "Ahead of the next", "" if following is None else cells.number_cell(following, locale)
            yield about, "Group", letters[own]
    for quantity, heading in labels.WORDS["matrices"].items():
        rows = frame.filter(quantity=quantity, side="all").iter_rows(named=True)
        numbers = {(row["policy"], row["opponent"]): cells.number_cell(row, locale) for row in rows}
        for own in order if numbers else ():
            for opponent in order:
                about = {"What": locale.say(heading), "Player": names[own]}
                yield about, over[opponent], numbers.get((own, opponent), "·")
    for row in metadata.get("verdicts", ()):
        about = {"What": locale.say("Test"), "Player": names[row["policy"]]}
        verdict = locale.say(row["verdict"] or "not decided")
        hands = locale.numerals(f"{row['hands']:,}")
        yield about, over[row["opponent"]], locale.say("{verdict} after {n} deals", verdict=verdict, n=hands)


# ------------------------------------------------------------------------------------------------ by kind of file

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
_ENDS = _MAKES | (_QUANTITY == "margin")
"""What the terminal shows of advice where the end of the hand is asked for."""
_LEVELS = ~_QUANTITY.is_in(["margin_spread", "lead_changes"])

LAYOUTS: dict[str, Layout] = {
    "simulate": Layout(_by_side, _HAND, 14, headlines),
    "simulate-line-ups": Layout(_by_line_up, _HAND & _ONCE, 14, headlines),
    "games": Layout(_by_side, _GAME, less=headlines),
    "games-line-ups": Layout(_by_line_up, _GAME & _ONCE, less=headlines),
    "compare": Layout(_by_rules, _LEVELS),
    "compare-line-ups": Layout(_rules_by_line_up, _LEVELS, 24),
    "compare-nights": Layout(_by_format, lines=40),
    "odds": Layout(_questions, lines=200),
    "win-table": Layout(_by_score, less=_round_scores),
    "win-chance": Layout(_chance),
    "tournament": Layout(_by_player, lines=60),
    "advise": Layout(_advice, ~_MAKES, 40),
    "study": Layout(studies.table),
}
OTHERS = Layout(_by_side, less=headlines)
"""Of other kinds sides stand beside one another."""
