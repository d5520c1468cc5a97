"""The figures of line-ups side by side: how an answer depends on who plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ..text.cells import is_share, minus, number
from ..text.labels import Metadata, capital, how_much, line_up, line_up_names, line_ups_of
from ..text.quantity_names import NAMES
from .chart_rows import MARKERS, Column, beside, draw_mark, grid_of_numbers, legend, name_rows, pitch
from .figure_parts import Family, MakePanel, head
from .look import Look
from .page_layout import Head, Panel


class Aspect(NamedTuple):
    """A quantity by which line-ups differ: where it stands in the table, and its words."""

    quantity: str
    per: str
    side: str
    heading: str
    remark: str = ""


ASPECTS = {
    "margin": Aspect("margin", "hand", "dealer", "What dealing is worth", "Points a hand, less the others’."),
    "wins": Aspect("wins_hand", "side", "dealer", "Hands won by the dealer’s side"),
    "points": Aspect("points", "hand", "all", "Points a hand, all sides together"),
    "games": Aspect("wins_game", "game", "dealer", "Games won by the side that deals first"),
    "hands": Aspect("hands", "game", "all", "Hands in a game"),
    "leads": Aspect("lead_changes", "game", "all", "Lead changes in a game"),
}
"""What is drawn of a file that has it, by the name of its figure."""

MOST_IN_TITLE = 3
"""Line-ups whose numbers stand in a title."""


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    aspect = ASPECTS[name]
    rows = _levels(frame, aspect)
    if not rows:
        return None
    tall = pitch(look, 0.24) * len(rows) + 0.35 * look.scale
    return Panel(look.say(aspect.heading), look.say(aspect.remark), tall, partial(_draw_rows, rows=rows, look=look))


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    rows = {name: _levels(frame, Aspect(name, "hand", "all", "")) for name in NAMES if name.startswith("points_")}
    rows = {name: levels for name, levels in rows.items() if levels}
    if not rows:
        return None
    tall = pitch(look, 0.3) * len(rows) + 0.7 * look.scale
    draw = partial(_draw_categories, rows=rows, look=look)
    remark = look.say("Mean points a hand, all sides together.")
    return Panel(look.say("Where the points come from"), remark, tall, draw)


def title(name: str, frame: pl.DataFrame, look: Look) -> str:
    """The first numbers of a figure; of many rows the least and the most. Empty for the categories."""
    aspects = [ASPECTS[name]] if name in ASPECTS else [] if name == "categories" else list(ASPECTS.values())
    rows, aspect = next(((rows, aspect) for aspect in aspects if (rows := _levels(frame, aspect))), ([], None))
    if aspect is None:
        return ""
    if len(rows) > MOST_IN_TITLE:
        rows = sorted(rows, key=lambda row: float(row["estimate"]))
        rows = [rows[0], rows[-1]]
    sign, unit = "+" if aspect.quantity == "margin" else "", "%" if is_share(rows[0]) else ""
    scale = 100 if unit else 1
    each = (f"{_label(row, look)} {_signed(scale * row['estimate'], sign, look)}{unit}" for row in rows)
    return f"{look.say(aspect.heading)}: {'; '.join(each)}"


def _signed(number: float, sign: str, look: Look) -> str:
    return minus(look.numerals(f"{number:{sign}.2f}"))


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    hands = metadata.get("hands") or 0
    shared = min(metadata.get("shared") or hands, hands)
    same = look.say("{much}, the same for all.", much=how_much({**metadata, "hands": shared}, look))
    if shared < hands:
        same += " " + look.say(
            "{policy} played {n} hands in all.",
            policy=line_up(str(line_ups_of(metadata)[0]), look),
            n=look.numerals(f"{hands:,}"),
        )
    players = capital(look.say("{line_ups} side by side", line_ups=line_up_names(metadata, look)))
    intervals = look.say("Whiskers are 95% intervals.")
    return head(metadata, look, title(name, frame, look) or players, same, intervals)


_ROWS: dict[str, MakePanel] = {name: partial(_panel, name) for name in ASPECTS}
FAMILY = Family("strength", {"categories": _categories, **_ROWS}, _head, "a file of line-ups side by side", _ROWS)
FIGURES = FAMILY.figures(7.2)


def _levels(frame: pl.DataFrame, aspect: Aspect) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up."""
    levels = frame.filter(pl.col("kind") != "difference", pl.col("value").is_null())
    rows = levels.filter(quantity=aspect.quantity, per=aspect.per, side=aspect.side)
    return rows.unique("policy", keep="first", maintain_order=True).to_dicts()


def _label(row: Mapping[str, Any], look: Look) -> str:
    """What a row is called: its line-up, or its ``label`` where there is one."""
    return str(row.get("label") or line_up(row["policy"], look))


def _draw_rows(axes: Axes, rows: Sequence[dict[str, Any]], look: Look) -> None:
    share, margin = is_share(rows[0]), rows[0]["quantity"] == "margin"
    texts = []
    for y, row in enumerate(rows):
        low, estimate, high = ((100 if share else 1) * row[name] for name in ("ci_low", "estimate", "ci_high"))
        draw_mark(axes, y, (low, estimate, high), y, look)
        texts.append(("+" if margin and estimate > 0 else "") + number(row, look.language))
    _frame(axes, [_label(row, look) for row in rows], "%" if share else "", look)
    if margin:  # a difference is read from where there is none
        axes.axvline(0, color=look.colours.muted, linewidth=0.8 * look.scale, zorder=0.6)
        axes.set_xlim(min(axes.get_xlim()[0], -0.05), max(axes.get_xlim()[1], 0.05))
    beside(axes, range(len(rows)), [Column(texts, [look.colours.ink] * len(rows))], look)


def _draw_categories(axes: Axes, rows: Mapping[str, Sequence[dict[str, Any]]], look: Look) -> None:
    spread = 0.25 if look.stacked else 0.5
    line_ups = max(rows.values(), key=len)
    for y, levels in enumerate(rows.values()):
        for place, row in enumerate(levels):
            at = y + spread * (place - (len(line_ups) - 1) / 2) / len(line_ups)
            draw_mark(axes, at, (row["ci_low"], row["estimate"], row["ci_high"]), place, look)
    _frame(axes, [look.say(NAMES[name]) for name in rows], "", look, 0.12 if look.stacked else 0.0)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]) if axes.get_xlim()[0] < -0.5 else 0.0)
    key(axes, [_label(row, look) for row in line_ups], look)


def _frame(axes: Axes, labels: Sequence[str], unit: str, look: Look, up: float = 0.0) -> None:
    axes.set_ylim(len(labels) - 0.4, -0.75 if look.stacked else -0.6)
    grid_of_numbers(axes, "x", look, unit)
    name_rows(axes, [y - up for y in range(len(labels))], labels, look)


def key(axes: Axes, names: Sequence[str], look: Look) -> None:
    """Which line-up has which colour and marker, above the axes."""
    handles = []
    for place in range(len(names)):
        colour, marker = marker_of(place, look)
        handles.append(Line2D([], [], linestyle="none", marker=marker, markersize=4.5 * look.scale, color=colour))
    legend(axes, handles, names, look, handletextpad=0.1, columnspacing=1.0)


def marker_of(number: int, look: Look) -> tuple[str, str]:
    """Colour and marker of a line-up, by its number."""
    colours = look.colours.line_ups
    return colours[number % len(colours)], MARKERS[number % len(MARKERS)]
