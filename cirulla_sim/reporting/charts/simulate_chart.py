"""Figures of the files of ``simulate``: points by category, who wins, bonuses, scores, the primiera."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..text.findings import dealing_side, line_up_of, margin_of, source, stated, won
from ..text.labels import NAMES, Metadata, fields_of, lower, side_names
from ..text.sentences import title
from .figure_parts import Family, Plot, command_of, mark_of, method, row_of
from .keys import marker_of
from .look import Look
from .rows import BarPart, ChartRow, Group, RowChart, chance, chances
from .sheet import Graphic, grid_of_numbers

SIDES = ("dealer", "others")

_TABLE = ("misdeal", "table_15", "table_30", "table_low", "table_wins", "misdeals_in_a_row")
_KNOCKS = ("knock", "hand_low", "hand_low_no_ace", "hand_triple")
_RULE_OF = {"knock": "hand_low", "hand_low": "hand_low", "hand_low_no_ace": "hand_low", "hand_triple": "hand_triple"}
_OUTCOMES = ("won", "tied", "lost")
_SHOWN_TAIL = 0.001


# ------------------------------------------------------------------------------------------------ points


def points(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Mean points by category, most first, a mark for the dealer's side and one for the others."""
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), kind="mean", per="hand")
    order = (
        every.filter((pl.col("side") == "all") & (pl.col("estimate") != 0))
        .sort("estimate", descending=True, maintain_order=True)
        .to_dicts()
    )
    if not order:
        return None
    rows = []
    for whole in order:
        sides = [row_of(every, whole["quantity"], side=side) for side in SIDES]
        marks = [mark_of(row, (look.points(row["estimate"]),), look, series=n) for n, row in enumerate(sides) if row]
        rows.append(ChartRow(look.say(NAMES[whole["quantity"]]), tuple(marks), key=whole["quantity"]))
    finding = source(order, row_of(frame, "points", side="all", kind="mean"))
    names = side_names(metadata, look)
    body = RowChart((Group("", tuple(rows)),), series=tuple(names[side] for side in SIDES), from_zero=True)
    return Graphic(
        title(finding, look.language),
        look.say("Mean points a hand, by category and side."),
        body,
        method(metadata, look),
        command_of(metadata),
    )


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
    body = RowChart((Group("", (row,)),), parts=(names["dealer"], look.say("tied"), names["others"]))
    return Graphic(
        title(finding, look.language),
        look.say("Hands won and tied."),
        body,
        method(metadata, look),
        command_of(metadata),
    )


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
    parts = [
        BarPart(row["ci_low"], row["estimate"], row["ci_high"], look.numerals(f"{100 * row['estimate']:.1f}%"))
        for row in (won, ties, other)
    ]
    return ChartRow(label, parts=tuple(parts), key=label)


# ------------------------------------------------------------------------------------------------ bonuses


def bonuses(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Chances of bonuses under what one trial is."""
    cards = fields_of(metadata).deal_plan
    holdings = look.say(f"Of all holdings of {_number(cards[0])} cards")
    groups = [
        Group(look.say("Of all tables dealt"), _chances(frame, metadata, _TABLE, "table", look)),
        Group(look.say("Of all hands, on the table"), _chances(frame, metadata, _TABLE, "hand", look)),
        Group(holdings, _chances(frame, metadata, _KNOCKS, "holding", look)),
        Group(look.say("Of all hands, somebody at least once"), _chances(frame, metadata, _KNOCKS, "hand", look)),
    ]
    groups = [group for group in groups if group.rows]
    if not groups:
        return None
    knock = row_of(frame, "knock", per="holding", kind="probability")
    body = chances(groups, look)
    return Graphic(
        title(stated("knock", "", {"size": knock}), look.language) if knock else look.say("How often bonuses come"),
        look.say("Chance, and odds."),
        body,
        method(metadata, look),
        command_of(metadata),
    )


def _chances(
    frame: pl.DataFrame, metadata: Metadata, names: Sequence[str], per: str, look: Look
) -> tuple[ChartRow, ...]:  # fmt: skip
    rules = fields_of(metadata)
    rows = [row_of(frame, name, per=per, kind="probability") for name in names]
    return tuple(
        chance(look.say(NAMES[row["quantity"]]), row, look)
        for row in rows
        if row is not None and (row["estimate"] > 0 or getattr(rules, _RULE_OF.get(row["quantity"], ""), 1) != 0)
    )


def _number(cards: int) -> str:
    return {3: "three", 6: "six", 9: "nine", 10: "ten"}.get(cards, str(cards))


# ------------------------------------------------------------------------------------------------ scores


def scores(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The distribution of the points a side makes in a hand."""
    rows = {
        side: frame.filter((pl.col("quantity") == "points_distribution") & (pl.col("side") == side)).sort("value")
        for side in SIDES
    }
    if any(part.is_empty() for part in rows.values()):
        return None
    means = {side: row["estimate"] for side in SIDES if (row := row_of(frame, "points", side=side, kind="mean"))}
    last = max(_last_shown(part) for part in rows.values())
    shown = look.say("Share of hands by score; means dotted.")
    if any(float(part["value"].max()) > last for part in rows.values()):  # type: ignore[arg-type]
        tail = look.percent(_SHOWN_TAIL)
        shown += " " + look.say("Above {n} points: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)
    finding, names = margin_of(frame, metadata) or stated("scores"), side_names(metadata, look)
    series = [
        names[side] + (f", {look.say('mean {n}', n=look.points(means[side]))}" if side in means else "")
        for side in SIDES
    ]
    body = Plot(2.4, partial(_draw_scores, rows=rows, means=means, last=last), tuple(series))
    return Graphic(
        title(finding, look.language),
        shown,
        body,
        method(metadata, look, look.say("Bands: 95% intervals."), whiskers=False),
        command_of(metadata),
    )


def _last_shown(rows: pl.DataFrame) -> float:
    """The highest score to show: above it there are fewer than one hand in a thousand."""
    tail = rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)
    return float(tail["value"].max())  # type: ignore[arg-type]


def _draw_scores(
    axes: Axes, look: Look, rows: dict[str, pl.DataFrame], means: dict[str, float], last: float
) -> None:  # fmt: skip
    first = min(0.0, *(float(part["value"].min()) for part in rows.values()))  # type: ignore[arg-type]
    axes.set_xlim(first - 0.4, last + 0.6)
    axes.set_ylim(0, 1.04 * max(float(part["ci_high"].max()) for part in rows.values()))  # type: ignore[arg-type]
    grid_of_numbers(axes, look, "share", 5)
    axes.xaxis.set_major_locator(MaxNLocator(6 if look.narrow else 10, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}".replace("-", "−")))
    axes.set_xlabel(look.say("points in a hand"))
    for series, side in enumerate(SIDES):
        part, (colour, marker) = rows[side], marker_of(series, look)
        axes.fill_between(
            part["value"].to_numpy(), part["ci_low"].to_numpy(), part["ci_high"].to_numpy(),
            color=colour, alpha=0.22, linewidth=0, gid=f"scores-{side}-band",
        )  # fmt: skip
        axes.plot(
            part["value"].to_list(), part["estimate"].to_list(), linestyle=("-", (0, (4, 1.5)))[series],
            linewidth=1.2 * look.scale, marker=marker, markersize=2.8 * look.scale, color=colour,
            gid=f"scores-{side}-dots",
        )  # fmt: skip
        if side in means:
            axes.axvline(means[side], color=colour, linewidth=0.9, linestyle=(0, (2, 2)), gid=f"scores-{side}-mean")


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
        each = [_primiera_row(f"{heading}, {lower(names[side])}", f"{sevens:.0f} {side}", of_side, look)
                for side, of_side in bars]  # fmt: skip
        groups.append(Group("", tuple(each)))
    groups = [group for group in groups if group.rows]
    if not groups:
        return None
    two = row_of(split, "primiera_won", side="dealer", value=2.0)
    body = RowChart(tuple(groups), parts=tuple(map(look.say, _OUTCOMES)))
    return Graphic(
        title(stated("primiera", "", {"size": two}), look.language)
        if two
        else look.say("Primiera by sevens in the pile"),
        look.say("What so many sevens in the pile brought."),
        body,
        method(metadata, look),
        command_of(metadata),
    )


def _primiera_row(label: str, key: str, rows: Sequence[dict[str, Any]], look: Look) -> ChartRow:
    parts = [
        BarPart(row["ci_low"], row["estimate"], row["ci_high"], look.numerals(f"{100 * row['estimate']:.0f}%"))
        for row in rows
    ]
    return ChartRow(label, parts=tuple(parts), key=key)


FAMILY = Family(
    {"points": points, "wins": wins, "bonuses": bonuses, "scores": scores, "primiera": primiera},
    "a file of simulate",
)
