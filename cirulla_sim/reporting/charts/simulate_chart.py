"""Figures of the files of ``simulate``: points by category, who wins, bonuses, scores, the primiera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import polars as pl

from ..text.findings import dealing_side, line_up_of, margin_of, source, stated, won
from ..text.labels import Metadata, fields_of, lower, quantity_name, side_names
from ..text.sentences import title
from .figure_parts import Family, bar, category_name, chance_words, chances, drawn, method, row_chart, row_of
from .look import Look
from .plots import TAIL, Curve, distribution, without_tail
from .rows import ChartRow, Group, RowChart
from .sheet import Graphic

SIDES = ("dealer", "others")

_TABLE = ("misdeal", "table_15", "table_30", "table_low", "table_wins", "misdeals_in_a_row")
_KNOCKS = ("knock", "hand_low", "hand_low_no_ace", "hand_triple")
_RULE_OF = {"knock": "hand_low", "hand_low": "hand_low", "hand_low_no_ace": "hand_low", "hand_triple": "hand_triple"}
_OUTCOMES = ("won", "tied", "lost")


# ------------------------------------------------------------------------------------------------ points


def points(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Mean points by category, most first, a mark for the dealer's side and one for the others."""
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), kind="mean", per="hand")
    order = every.filter((pl.col("side") == "all") & (pl.col("estimate") != 0))
    order = order.sort("estimate", descending=True, maintain_order=True)
    if order.is_empty():
        return None
    place = {name: number for number, name in enumerate(order["quantity"])}
    rows = every.filter(pl.col("side").is_in(SIDES) & pl.col("quantity").is_in(order["quantity"].implode())).to_dicts()
    names, finding = (
        side_names(metadata, look),
        source(order.to_dicts(), row_of(frame, "points", side="all", kind="mean")),
    )
    body = row_chart(
        sorted(rows, key=lambda row: (place[row["quantity"]], SIDES.index(row["side"]))), look,
        lambda row: category_name(row["quantity"], look), key=itemgetter("quantity"),
        series=lambda row: names[row["side"]], texts=lambda row: (look.points(row["estimate"]),), from_zero=True,
    )  # fmt: skip
    shown = look.say("Mean points a hand, by category and side.")
    return drawn(finding, shown, body, method(metadata, look), metadata, look)


# ------------------------------------------------------------------------------------------------ who wins


def wins(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """A bar of the hands that the dealer's side wins, that are tied, and that others win."""
    row = outcome_row("", frame, ("wins_hand", "ties_hand"), look)
    if row is None:
        return None
    sides = {side: row_of(frame, "wins_hand", side=side) for side in SIDES}
    ties = row_of(frame, "ties_hand")
    assert ties is not None
    assert sides["dealer"] is not None
    names = side_names(metadata, look)
    sizes = {"won": sides["dealer"], "tied": ties}
    finding = won("wins_hand", sizes, line_up_of(metadata), side=dealing_side(metadata))
    body = outcomes([Group("", (row,))], (names["dealer"], "tied", names["others"]), look)
    return drawn(finding, look.say("Hands won and tied."), body, method(metadata, look), metadata, look)


NONE = {"ci_low": 0.0, "estimate": 0.0, "ci_high": 0.0}


def outcome_row(label: str, frame: pl.DataFrame, quantities: tuple[str, str], look: Look) -> ChartRow | None:
    """A bar of trials won by the dealer's side, tied, and won by others; None where the table does not say.

    A table without a row of ties is of a game that goes on until somebody is ahead.
    """
    won = row_of(frame, quantities[0], side="dealer")
    if won is None:
        return None
    ties, other = row_of(frame, quantities[1]) or NONE, row_of(frame, quantities[0], side="others")
    rest = 1 - won["estimate"] - ties["estimate"]
    if other is None or abs(other["estimate"] - rest) > 1e-9:  # of several others the table has the mean
        other = {"ci_low": rest, "estimate": rest, "ci_high": rest}
    return bar(label, label, (won, ties, other), look, places=1)


def outcomes(groups: Sequence[Group], parts: Sequence[str], look: Look) -> RowChart:
    """Bars of outcomes; without the part of ties where there are none."""
    names = tuple(map(look.say, parts))
    if any(row.parts[1].high for group in groups for row in group.rows):
        return RowChart(tuple(groups), parts=names)
    untied = (Group(head, tuple(replace(row, parts=row.parts[::2]) for row in rows)) for head, rows in groups)
    return RowChart(tuple(untied), parts=names[::2])


# ------------------------------------------------------------------------------------------------ bonuses


def bonuses(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Chances of bonuses under what one trial is."""
    cards = fields_of(metadata).deal_plan
    groups = {
        look.say("Of all tables dealt"): (_TABLE, "table"),
        look.say("Of all hands, on the table"): (_TABLE, "hand"),
        look.say(f"Of all holdings of {_number(cards[0])} cards"): (_KNOCKS, "holding"),
        look.say("Of all hands, somebody at least once"): (_KNOCKS, "hand"),
    }
    rows = [{**row, "heading": heading} for heading, (names, per) in groups.items()
            for row in _possible(frame, metadata, names, per)]  # fmt: skip
    if not rows:
        return None
    body = chances(rows, look, lambda row: quantity_name(row["quantity"], look), key=itemgetter("quantity"),
                   heading=itemgetter("heading"))  # fmt: skip
    knock = row_of(frame, "knock", per="holding", kind="probability")
    headline = stated("knock", "", {"size": knock}) if knock else look.say("How often bonuses come")
    return drawn(headline, chance_words(rows, look), body, method(metadata, look), metadata, look)


def _possible(frame: pl.DataFrame, metadata: Metadata, names: Sequence[str], per: str) -> list[dict[str, Any]]:
    """The chances of what was seen, or may be seen under the rules."""
    rules = fields_of(metadata)
    rows = [row_of(frame, name, per=per, kind="probability") for name in names]
    return [row for row in rows if row is not None
            and (row["estimate"] > 0 or getattr(rules, _RULE_OF.get(row["quantity"], ""), 1) != 0)]  # fmt: skip


def _number(cards: int) -> str:
    return {3: "three", 6: "six", 9: "nine", 10: "ten"}.get(cards, str(cards))


# ------------------------------------------------------------------------------------------------ scores


def scores(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The distribution of the points a side makes in a hand."""
    every = {side: frame.filter(quantity="points_distribution", side=side) for side in SIDES}
    if any(part.is_empty() for part in every.values()):
        return None
    means = {side: row["estimate"] for side in SIDES if (row := row_of(frame, "points", side=side, kind="mean"))}
    last = max(float(without_tail(part)[0]["value"][-1]) for part in every.values())
    shown = look.say("Share of hands by score; means dotted.")
    if any(float(part["value"].max()) > last for part in every.values()):  # type: ignore[arg-type]
        tail = look.percent(TAIL)
        shown += " " + look.say("Above {n} points: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)
    finding, names = margin_of(frame, metadata) or stated("scores"), side_names(metadata, look)
    series = [
        names[side] + (f", {look.say('mean {n}', n=look.points(means[side]))}" if side in means else "")
        for side in SIDES
    ]
    curves = [
        Curve(part.sort("value").filter(pl.col("value") <= last), side, means.get(side)) for side, part in every.items()
    ]
    body = distribution(curves, look.say("points of a side in a hand"), series=series, height=2.4)
    about = method(metadata, look, look.say("Bands: 95% intervals."), whiskers=False)
    return drawn(finding, shown, body, about, metadata, look)


# ------------------------------------------------------------------------------------------------ primiera


def primiera(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    split = frame.filter(pl.col("quantity").is_in([f"primiera_{o}" for o in _OUTCOMES]) & pl.col("value").is_not_null())

    def outcomes(sevens: float, side: str) -> list[dict[str, Any]]:
        rows = [row_of(split, f"primiera_{outcome}", side=side, value=sevens) for outcome in _OUTCOMES]
        return [row for row in rows if row is not None]

    names = {side: name.partition(" (")[0] for side, name in side_names(metadata, look).items()}
    groups = []
    for sevens in sorted(split["value"].unique().to_list(), reverse=True):
        bars = [(side, rows) for side in SIDES if len(rows := outcomes(sevens, side)) == len(_OUTCOMES)]
        heading = look.say("{n} seven" if sevens == 1 else "{n} sevens", n=int(sevens))
        each = [bar(f"{heading}, {lower(names[side])}", f"{sevens:.0f} {side}", rows, look) for side, rows in bars]
        groups.append(Group("", tuple(each)))
    groups = [group for group in groups if group.rows]
    if not groups:
        return None
    two = row_of(split, "primiera_won", side="dealer", value=2.0)
    headline = title(stated("primiera", "", {"size": two}), look.language) if two else ""
    outcomes_named = tuple(map(look.say, _OUTCOMES))
    body = RowChart(tuple(groups), parts=outcomes_named, heads=outcomes_named)
    headline = headline or look.say("Primiera by sevens in the pile")
    shown = look.say("What so many sevens in the pile brought.")
    return drawn(headline, shown, body, method(metadata, look), metadata, look)


FAMILY = Family(
    {"points": points, "wins": wins, "bonuses": bonuses, "scores": scores, "primiera": primiera},
    "a file of simulate",
)
