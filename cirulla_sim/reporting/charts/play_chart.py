"""Figures of the hands and games that were played: by one line-up, by several side by side, or in several files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

import polars as pl

from ...core.locale import Language
from ..text.findings import Noun, compared, dealing_side, levels, line_up_of, margin_of, source, stated, won
from ..text.labels import Metadata, capital, fields_of, how_much, lower, quantity_name, side_names
from ..text.sentences import players_name, title
from .figure_parts import (
    NONE,
    Family,
    Make,
    Naming,
    Row,
    bar,
    category_name,
    chance_words,
    chances,
    drawn,
    grouped,
    row_chart,
    row_of,
    same_for_all,
)
from .plots import TAIL, Curve, distribution, without_tail
from .rows import ChartRow, Group, RowChart
from .sheet import Graphic

SIDES = ("dealer", "others")


# ------------------------------------------------------------------------------------------------ who wins


def _wins(unit: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A bar of the hands or games that the dealer's side wins, that are tied, and that others win."""
    row = _outcomes("", unit, frame, locale)
    if row is None:
        return None
    names, about = side_names(metadata, locale), {"side": dealing_side(metadata)} if unit == "hand" else {}
    dealer, ties = row_of(frame, f"wins_{unit}", side="dealer"), row_of(frame, f"ties_{unit}")
    sizes = {name: size for name, size in (("size", dealer), ("won", dealer), ("tied", ties)) if size}
    finding = won(f"wins_{unit}", sizes, line_up_of(metadata), **about)
    tied, shown, much = {
        "hand": ("tied", "Hands won and tied.", None),
        "game": ("drawn", "Games won and drawn.", _games(metadata, locale)),
    }[unit]
    body = _bars([("", row)], (names["dealer"], locale.say(tied), names["others"]))
    return drawn(finding, locale.say(shown), body, metadata, locale, much=much)


def _outcomes(label: str, unit: str, frame: pl.DataFrame, locale: Language) -> ChartRow | None:
    """A bar of trials won by the dealer's side, tied, and won by others; None where the table does not say.

    A table without a row of ties is of a game that goes on until somebody is ahead.
    """
    won = row_of(frame, f"wins_{unit}", side="dealer")
    if won is None:
        return None
    ties, other = row_of(frame, f"ties_{unit}") or NONE, row_of(frame, f"wins_{unit}", side="others")
    rest = 1 - won["estimate"] - ties["estimate"]
    if other is None or abs(other["estimate"] - rest) > 1e-9:  # of several others the table has the mean
        other = dict.fromkeys(NONE, rest)
    return bar(label, (won, ties, other), locale, places=1)


def _bars(rows: Sequence[tuple[str, ChartRow]], parts: tuple[str, ...]) -> RowChart:
    """Bars of outcomes under their headings; without the part of ties where there are none."""
    if not any(row.marks[1].high for _, row in rows):
        rows, parts = [(heading, _untied(row)) for heading, row in rows], parts[::2]
    return RowChart(grouped(rows), series=parts, stacked=True)


def _untied(row: ChartRow) -> ChartRow:
    return replace(row, marks=tuple(mark._replace(series=part) for part, mark in enumerate(row.marks[::2])))


# ------------------------------------------------------------------------------------------------ hands


def _by_category(rows: Iterable[Row], locale: Language, series: Naming) -> RowChart:
    """A row a category of points, in the order of the rows."""
    return row_chart(
        rows, locale, lambda row: category_name(row["quantity"], locale), key=itemgetter("quantity"), series=series,
        texts=lambda row: (locale.points(row["estimate"]),), from_zero=True,
    )  # fmt: skip


def _points(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Mean points by category, most first, a mark for the dealer's side and one for the others."""
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), kind="mean", per="hand")
    order = every.filter((pl.col("side") == "all") & (pl.col("estimate") != 0))
    order = order.sort("estimate", descending=True, maintain_order=True)
    if order.is_empty():
        return None
    names = side_names(metadata, locale)
    each = (every.filter(quantity=quantity, side=side).to_dicts() for quantity in order["quantity"] for side in SIDES)
    body = _by_category(chain.from_iterable(each), locale, lambda row: names[row["side"]])
    finding = source(order.to_dicts(), row_of(frame, "points", side="all", kind="mean"))
    return drawn(finding, locale.say("Mean points a hand, by category and side."), body, metadata, locale)


_TABLE = ("misdeal", "table_15", "table_30", "table_low", "table_wins", "misdeals_in_a_row")
_HANDS = ("knock", "hand_low", "hand_low_no_ace", "hand_triple")
_RULE_OF = {"knock": "hand_low", "hand_low": "hand_low", "hand_low_no_ace": "hand_low", "hand_triple": "hand_triple"}
"""The field of the rules that is 0 where a bonus cannot be seen."""

_CARDS = {3: "three", 6: "six", 9: "nine", 10: "ten"}


def _bonuses(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Chances of bonuses under what one trial is: of what was seen, or may be seen under the rules."""
    rules = fields_of(metadata)
    cards = _CARDS.get(rules.deal_plan[0], str(rules.deal_plan[0]))
    groups = {
        "Of all tables dealt": (_TABLE, "table"),
        "Of all hands, on the table": (_TABLE, "hand"),
        f"Of all holdings of {cards} cards": (_HANDS, "holding"),
        "Of all hands, somebody at least once": (_HANDS, "hand"),
    }
    rows = [
        {**row, "heading": locale.say(heading)}
        for heading, (names, per) in groups.items()
        for name in names
        if (row := row_of(frame, name, per=per, kind="probability")) is not None
        and (row["estimate"] > 0 or getattr(rules, _RULE_OF.get(name, ""), 1) != 0)
    ]
    if not rows:
        return None
    body = chances(rows, locale, lambda row: quantity_name(row["quantity"], locale), key=itemgetter("quantity"),
                   heading=itemgetter("heading"))  # fmt: skip
    knock = row_of(frame, "knock", per="holding", kind="probability")
    headline = stated("knock", "", {"size": knock}) if knock else locale.say("How often bonuses come")
    return drawn(headline, chance_words(rows, locale), body, metadata, locale)


def _scores(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """The distribution of the points a side makes in a hand."""
    every = {side: frame.filter(quantity="points_distribution", side=side).sort("value") for side in SIDES}
    if any(part.is_empty() for part in every.values()):
        return None
    last = max(float(without_tail(part)["value"][-1]) for part in every.values())
    shown = [locale.say("Share of hands by score; means dotted.")]
    if any(part["value"][-1] > last for part in every.values()):
        tail = locale.percent(TAIL)
        shown += [locale.say("Above {n} points: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)]
    names, curves, series = side_names(metadata, locale), [], []
    for side, part in every.items():
        mean = row_of(frame, "points", side=side, kind="mean")
        words = [locale.say("mean {n}", n=locale.points(mean["estimate"]))] if mean else []
        series.append(", ".join([names[side], *words]))
        curves.append(Curve(part.filter(pl.col("value") <= last), side, mean["estimate"] if mean else None))
    body = distribution(curves, locale.say("points of a side in a hand"), series=series)
    finding = margin_of(frame, metadata) or stated("scores")
    bands = locale.say("Bands: 95% intervals.")
    return drawn(finding, " ".join(shown), body, metadata, locale, bands, whiskers=False)


_RESULTS = ("won", "tied", "lost")


def _primiera(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    split = frame.filter(pl.col("quantity").is_in([f"primiera_{r}" for r in _RESULTS]) & pl.col("value").is_not_null())
    names = {side: lower(name.partition(" (")[0]) for side, name in side_names(metadata, locale).items()}
    groups = []
    for sevens in sorted(split["value"].unique().to_list(), reverse=True):
        heading = locale.say("{n} seven" if sevens == 1 else "{n} sevens", n=int(sevens))
        bars = []
        for side in SIDES:
            every = (row_of(split, f"primiera_{result}", side=side, value=sevens) for result in _RESULTS)
            if len(rows := [row for row in every if row is not None]) == len(_RESULTS):
                bars.append(bar(f"{heading}, {names[side]}", rows, locale, key=f"{sevens:.0f} {side}"))
        groups += [Group("", tuple(bars))] if bars else []
    if not groups:
        return None
    two, results = row_of(split, "primiera_won", side="dealer", value=2.0), tuple(map(locale.say, _RESULTS))
    headline = stated("primiera", "", {"size": two}) if two else locale.say("Primiera by sevens in the pile")
    body = RowChart(tuple(groups), series=results, heads=results, stacked=True)
    return drawn(headline, locale.say("What so many sevens in the pile brought."), body, metadata, locale)


SIMULATE = Family(
    {"points": _points, "wins": partial(_wins, "hand"), "bonuses": _bonuses, "scores": _scores, "primiera": _primiera},
    "a file of simulate",
)

# ------------------------------------------------------------------------------------------------ games

_PANELS = {
    "hands": ("How many hands a game has", "hands in a game"),
    "winning_margin": ("By how much it is won", "points ahead at the end"),
    "lead_changes": ("How often the lead changes", "lead changes in a game"),
    "comeback": ("What winners have come back from", "the most points the winner was behind"),
}


def _distribution(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """How often each number of something comes in a game."""
    every = frame.filter(pl.col("quantity") == f"{name}_distribution")
    every = every.filter(pl.col("value") > 0) if name == "comeback" else every
    rows = without_tail(every)
    if rows.is_empty():
        return None
    heading, label = map(locale.say, _PANELS[name])
    mean = row_of(frame, name, kind="probability" if name == "comeback" else "mean", side="all")
    finding = heading if mean is None else stated("game", name, {"size": mean})
    shown = f"{locale.say('Share of games')}: {label}."
    if rows.height < every.height:
        last, tail = f"{rows['value'][-1]:.0f}", locale.percent(TAIL)
        shown += " " + locale.say("Above {n}: under {p} in all, not shown.", n=last, p=tail)
    return drawn(finding, shown, distribution([Curve(rows)], label), metadata, locale, much=_games(metadata, locale))


def _games(metadata: Metadata, locale: Language) -> str:
    """What a game is, and how many were played."""
    rules = fields_of(metadata)
    to = locale.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = locale.say("games of {n} hands", n=rules.hands_per_game)
    return f"{capital(to)}: {how_much(metadata, locale)}"


_DISTRIBUTIONS: dict[str, Make] = {name: partial(_distribution, name) for name in _PANELS}
GAMES = Family({"wins": partial(_wins, "game"), **_DISTRIBUTIONS}, "a file of games")

# ------------------------------------------------------------------------------------------------ line-ups, files

ASPECTS = {
    "margin": ("margin", "How many points a hand the dealer’s side makes more than the others."),
    "points": ("points", "Points a hand, all sides together."),
    "hands": ("hands", "Hands in a game, on average."),
    "leads": ("lead_changes", "Lead changes in a game, on average."),
}
"""What is drawn of a file that has it, by the name of its figure, and what is shown."""


def _sections(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """The tables of several files, by the heading that each has; one table of one file."""
    if "heading" not in frame.columns:
        return [("", frame)]
    return [(str(heading), part) for (heading,), part in frame.group_by("heading", maintain_order=True)]


def _label(row: Row, locale: Language) -> str:
    """What a row is called: its line-up, or its ``label`` where there is one."""
    return str(row.get("label") or players_name(row["policy"], locale))


def _side_by_side(
    quantity: str, shown: str, body: RowChart, frame: pl.DataFrame, metadata: Metadata, locale: Language
) -> Graphic:
    """A chart titled by the line-up or file of which a quantity is the largest or the smallest."""
    named = {}
    for heading, part in _sections(frame):
        for row in levels(part, quantity):
            place = row.get("place") or f"between:{row['policy']}"
            named[Noun("place", place if not heading else f"of:{heading}, {_label(row, locale)}")] = row
    headline = title(compared(quantity, named), locale) if named else ""
    much = str(metadata.get("made") or same_for_all(metadata, locale))
    return drawn(headline, locale.say(shown), body, metadata, locale, much=much)


def _levels(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A row for each line-up."""
    quantity, shown = ASPECTS[name]
    rows = [{**row, "heading": heading} for heading, part in _sections(frame) for row in levels(part, quantity)]
    if not rows:
        return None
    body = row_chart(
        rows, locale, partial(_label, locale=locale), key=itemgetter("policy"), heading=itemgetter("heading"),
        reference=(0.0, locale.say("as the others")) if quantity == "margin" else None,
    )  # fmt: skip
    return _side_by_side(quantity, shown, body, frame, metadata, locale)


def _each_wins(unit: str, shown: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A bar for each line-up: what the dealer's side wins, what is tied, what others win."""
    rows = []
    for heading, part in _sections(frame):
        for table in part.filter(pl.col("kind") != "difference").partition_by("policy", maintain_order=True):
            row = _outcomes(_label(table.row(0, named=True), locale), unit, table, locale)
            rows += [(heading, row)] if row else []
    if not rows:
        return None
    body = _bars(rows, tuple(map(locale.say, ("Dealer", "tied", "Others"))))
    return _side_by_side(f"wins_{unit}", shown, body, frame, metadata, locale)


def _categories(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    names = frame["quantity"].unique(maintain_order=True).to_list()
    every: list[list[dict[str, Any]]] = [levels(frame, name) for name in names if name.startswith("points_")]
    every = [rows for rows in every if any(row["estimate"] for row in rows)]
    if not every or len(_sections(frame)) > 1:
        return None
    every.sort(key=lambda rows: -rows[0]["estimate"])
    body = _by_category(chain.from_iterable(every), locale, partial(_label, locale=locale))
    shown = "Mean points a hand by category, all sides together."
    return _side_by_side("points", shown, body, frame, metadata, locale)


LINE_UPS = Family(
    {
        "margin": partial(_levels, "margin"),
        "wins": partial(_each_wins, "hand", "Hands won and tied."),
        "games": partial(_each_wins, "game", "Games won and drawn."),
        "points": partial(_levels, "points"),
        "categories": _categories,
        "hands": partial(_levels, "hands"),
        "leads": partial(_levels, "leads"),
    },
    "a file of line-ups side by side",
)
