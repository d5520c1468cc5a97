"""Figures of the hands and games that were played: by one line-up, by several side by side, or in several files."""

from __future__ import annotations

from collections.abc import Sequence
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
    TABLES,
    Family,
    Graphic,
    Row,
    bar,
    category_name,
    chance_words,
    chances,
    drawn,
    row_chart,
    row_of,
    same_for_all,
)
from .plots import Curve, distribution
from .rows import RowChart

SIDES = ("dealer", "others")

SIDE_BY_SIDE = ("heading", "policy")
"""Columns of tables of line-ups, which have a heading each if they are of several files."""


def _label(row: Row, locale: Language) -> str:
    """What a row is called: its line-up, or its ``label`` where there is one."""
    return str(row.get("label") or players_name(row["policy"], locale)) if "policy" in row else ""


def _heading(row: Row) -> str:
    return str(row.get("heading") or "")


def _line_ups(frame: pl.DataFrame, quantity: str) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up of each file."""
    files = frame.partition_by("heading", maintain_order=True) if "heading" in frame.columns else [frame]
    return [row for file in files for row in levels(file, quantity)]


def _side_by_side(
    quantity: str, shown: str, body: RowChart, frame: pl.DataFrame, metadata: Metadata, locale: Language
) -> Graphic:
    """A chart titled by the line-up or file of which a quantity is the largest or the smallest."""
    named = {}
    for row in _line_ups(frame, quantity):
        place = row.get("place") or f"between:{row['policy']}"
        named[Noun("place", f"of:{heading}, {_label(row, locale)}" if (heading := _heading(row)) else place)] = row
    headline = title(compared(quantity, named), locale) if named else ""
    much = str(metadata.get("made") or same_for_all(metadata, locale))
    return drawn(headline, locale.say(shown), body, metadata, locale, much=much)


# ------------------------------------------------------------------------------------------------ who wins


def _wins(unit: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A bar for each line-up: the hands or games that the dealer's side wins, that are tied, and that others win."""
    columns = [name for name in SIDE_BY_SIDE if name in frame.columns]
    own = frame.filter(pl.col("kind") != "difference")
    tables = own.partition_by(columns, maintain_order=True) if columns else [own]
    bars = [(table.row(0, named=True), rows) for table in tables if (rows := _outcomes(unit, table))]
    if not bars:
        return None
    tied, shown = TABLES["outcome"][unit].values()
    together = {"dealer": "Dealer", "others": "Others"}
    names = together if columns or fields_of(metadata).sides > 2 else side_names(metadata, locale)
    parts = [locale.say(name) for name in (names["dealer"], tied, names["others"])]
    if not any(ties["ci_high"] for _, (_, ties, _) in bars):
        bars, parts = [(row, rows[::2]) for row, rows in bars], parts[::2]
    drawn_bars = (bar(_label(row, locale), rows, locale, places=1, heading=_heading(row)) for row, rows in bars)
    body = RowChart(tuple(drawn_bars), series=tuple(parts), stacked=True)
    if columns:
        return _side_by_side(f"wins_{unit}", shown, body, frame, metadata, locale)
    [(_, rows)], ties = bars, row_of(frame, f"ties_{unit}")
    sizes = {"size": rows[0], "won": rows[0], **({"tied": ties} if ties else {})}
    about = {"side": dealing_side(metadata)} if unit == "hand" else {}
    finding = won(f"wins_{unit}", sizes, line_up_of(metadata), **about)
    much = _games(metadata, locale) if unit == "game" else None
    return drawn(finding, locale.say(shown), body, metadata, locale, much=much)


def _outcomes(unit: str, frame: pl.DataFrame) -> Sequence[Row]:
    """The shares of trials won by the dealer's side, tied, and won by others; none where the table does not say.

    A table without a row of ties is of a game that goes on until somebody is ahead.
    """
    won = row_of(frame, f"wins_{unit}", side="dealer")
    if won is None:
        return ()
    ties, other = row_of(frame, f"ties_{unit}") or NONE, row_of(frame, f"wins_{unit}", side="others")
    rest = 1 - won["estimate"] - ties["estimate"]
    if other is None or abs(other["estimate"] - rest) > 1e-9:  # of several others the table has the mean
        other = dict.fromkeys(NONE, rest)
    return won, ties, other


# ------------------------------------------------------------------------------------------------ hands


def _points(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Mean points by category, most first: a mark for the dealer's side and one for the others, or one a line-up."""
    line_ups = "policy" in frame.columns
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), kind="mean", per="hand")
    order = every.filter((pl.col("side") == "all") & (pl.col("estimate") != 0))
    order = order.sort("estimate", descending=True, maintain_order=True)
    if order.is_empty() or "heading" in frame.columns:
        return None
    names, sides = side_names(metadata, locale) if not line_ups else {}, ("all",) if line_ups else SIDES
    each = (every.filter(quantity=quantity, side=side).to_dicts()
            for quantity in order["quantity"].unique(maintain_order=True) for side in sides)  # fmt: skip
    body = row_chart(
        chain.from_iterable(each), locale, lambda row: category_name(row["quantity"], locale),
        key=itemgetter("quantity"), series=lambda row: _label(row, locale) if line_ups else names[row["side"]],
        texts=lambda row: (locale.points(row["estimate"]),), from_zero=True,
    )  # fmt: skip
    if line_ups:
        shown = "Mean points a hand by category, all sides together."
        return _side_by_side("points", shown, body, frame, metadata, locale)
    finding = source(order.to_dicts(), row_of(frame, "points", side="all", kind="mean"))
    return drawn(finding, locale.say("Mean points a hand, by category and side."), body, metadata, locale)


def _bonuses(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Chances of bonuses that were seen, under what one trial is."""
    cards = fields_of(metadata).deal_plan[0]
    rows = [
        {**row, "heading": locale.say(group["heading"], n=cards)}
        for group in TABLES["bonus"]
        for name in group["names"]
        if (row := row_of(frame, name, per=group["per"], kind="probability")) is not None and row["estimate"] > 0
    ]
    if not rows:
        return None
    body = chances(rows, locale, lambda row: quantity_name(row["quantity"], locale), key=itemgetter("quantity"),
                   heading=itemgetter("heading"))  # fmt: skip
    knock = row_of(frame, "knock", per="holding", kind="probability")
    headline = stated("knock", "", {"size": knock}) if knock else locale.say("How often bonuses come")
    return drawn(headline, chance_words(rows, locale), body, metadata, locale)


_RESULTS = ("won", "tied", "lost")


def _primiera(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    split = frame.filter(pl.col("quantity").is_in([f"primiera_{r}" for r in _RESULTS]) & pl.col("value").is_not_null())
    names = {side: lower(name.partition(" (")[0]) for side, name in side_names(metadata, locale).items()}
    bars = []
    rows = split.filter(pl.col("side").is_in(SIDES)).sort("value", descending=True, maintain_order=True)
    for (sevens, side), part in rows.group_by("value", "side", maintain_order=True):
        results = {row["quantity"].removeprefix("primiera_"): row for row in part.to_dicts()}
        if len(results) == len(_RESULTS):
            label = locale.say("{n} seven" if sevens == 1 else "{n} sevens", n=int(sevens))
            shares = [results[result] for result in _RESULTS]
            bars.append(bar(f"{label}, {names[side]}", shares, locale, key=f"{sevens:.0f} {side}"))
    if not bars:
        return None
    two, heads = row_of(split, "primiera_won", side="dealer", value=2.0), tuple(map(locale.say, _RESULTS))
    headline = stated("primiera", "", {"size": two}) if two else locale.say("Primiera by sevens in the pile")
    body = RowChart(tuple(bars), series=heads, heads=heads, stacked=True)
    return drawn(headline, locale.say("What so many sevens in the pile brought."), body, metadata, locale)


# ------------------------------------------------------------------------------------------------ distributions

TAIL = 0.001
"""The share of what lies beyond the last value that is shown."""


def _without_tail(tables: Sequence[pl.DataFrame], locale: Language) -> tuple[list[pl.DataFrame], str]:
    """Distributions in order up to the last value that is worth showing, and what is said of the others."""
    rows = [table.sort("value") for table in tables]
    seen = [table.filter(table["estimate"].cum_sum(reverse=True) > TAIL)["value"] for table in rows]
    last = max((values[-1] for values in seen if len(values)), default=0.0)
    shown = [table.filter(pl.col("value") <= last) for table in rows]
    if sum(table.height for table in shown) == sum(table.height for table in rows):
        return shown, ""
    tail = locale.say("Above {n}: under {p} in all, not shown.", n=f"{last:.0f}", p=locale.percent(TAIL))
    return shown, f" {tail}"


def _scores(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """The distribution of the points a side makes in a hand."""
    tables = [frame.filter(quantity="points_distribution", side=side) for side in SIDES]
    if any(table.is_empty() for table in tables):
        return None
    tables, tail = _without_tail(tables, locale)
    names, curves, series = side_names(metadata, locale), [], []
    for side, table in zip(SIDES, tables, strict=True):
        mean = row_of(frame, "points", side=side, kind="mean")
        words = [locale.say("mean {n}", n=locale.points(mean["estimate"]))] if mean else []
        series.append(", ".join([names[side], *words]))
        curves.append(Curve(table, side, mean["estimate"] if mean else None))
    body = distribution(curves, locale.say("points of a side in a hand"), series=series)
    shown = locale.say("Share of hands by score; means dotted.") + tail
    bands = locale.say("Bands: 95% intervals.")
    return drawn(margin_of(frame, metadata) or stated("scores"), shown, body, metadata, locale, bands)


def _distribution(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """How often each number of something comes in a game."""
    every = frame.filter(pl.col("quantity") == f"{name}_distribution")
    [rows], tail = _without_tail([every.filter(pl.col("value") > 0) if name == "comeback" else every], locale)
    if rows.is_empty():
        return None
    heading, label = map(locale.say, TABLES["distribution"][name].values())
    mean = row_of(frame, name, kind="probability" if name == "comeback" else "mean", side="all")
    finding = heading if mean is None else stated("game", name, {"size": mean})
    shown = f"{locale.say('Share of games')}: {label}.{tail}"
    return drawn(finding, shown, distribution([Curve(rows)], label), metadata, locale, much=_games(metadata, locale))


def _games(metadata: Metadata, locale: Language) -> str:
    """What a game is, and how many were played."""
    rules = fields_of(metadata)
    to = locale.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = locale.say("games of {n} hands", n=rules.hands_per_game)
    return f"{capital(to)}: {how_much(metadata, locale)}"


# ------------------------------------------------------------------------------------------------ line-ups, files


def _levels(name: str, frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """A row for each line-up."""
    quantity, shown = TABLES["level"][name].values()
    rows = _line_ups(frame, quantity)
    if not rows:
        return None
    body = row_chart(
        rows, locale, partial(_label, locale=locale), key=itemgetter("policy"), heading=_heading,
        reference=(0.0, locale.say("as the others")) if quantity == "margin" else None,
    )  # fmt: skip
    return _side_by_side(quantity, shown, body, frame, metadata, locale)


_HAND_WINS, _GAME_WINS = partial(_wins, "hand"), partial(_wins, "game")
SIMULATE = Family(
    {"points": _points, "wins": _HAND_WINS, "bonuses": _bonuses, "scores": _scores, "primiera": _primiera},
    "a file of simulate",
)
GAMES = Family(
    {"wins": _GAME_WINS, **{name: partial(_distribution, name) for name in TABLES["distribution"]}}, "a file of games"
)
LINE_UPS = Family(
    {
        "margin": partial(_levels, "margin"),
        "wins": _HAND_WINS,
        "games": _GAME_WINS,
        "points": partial(_levels, "points"),
        "categories": _points,
        "hands": partial(_levels, "hands"),
        "leads": partial(_levels, "leads"),
    },
    "a file of line-ups side by side",
)
