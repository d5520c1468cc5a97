"""The figures of line-ups side by side: how an answer turns with who plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ...core.errors import InputError
from ..text.labels import NAMES, Metadata, changed_words, how_much, line_up, rules_title
from .chart_rows import Column, beside, grid_of_numbers, legend, name_rows, pitch
from .look import Look
from .page_layout import Head, Panel, page

ASPECTS = {
    "margin": ("margin", "hand", "dealer", "What dealing is worth", "Points a hand, less the others’.", 1.0, ""),
    "wins": ("wins_hand", "side", "dealer", "Hands won by the dealer’s side", "", 100.0, "%"),
    "points": ("points", "hand", "all", "Points a hand, all sides together", "", 1.0, ""),
    "games": ("wins_game", "game", "dealer", "Games won by the side that deals first", "", 100.0, "%"),
    "hands": ("hands", "game", "all", "Hands in a game", "", 1.0, ""),
    "leads": ("lead_changes", "game", "all", "Lead changes in a game", "", 1.0, ""),
}
"""What is drawn of a file that has it: quantity, trial, side, heading, remark, scale and unit."""

MOST_IN_TITLE = 3
"""Line-ups whose numbers a title tells."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def draw(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """A figure of line-ups, a row or a mark each, with 95% intervals."""
    shown = panels(name, frame, look)
    if not shown:
        raise InputError(f"figure {name!r} has nothing to show (valid: a file of line-ups side by side)")
    return page(_head(name, frame, metadata, look), shown, look)


def panels(name: str, frame: pl.DataFrame, look: Look) -> list[Panel]:
    """What there is of a figure in a table with a column ``policy``, which says what each row is called."""
    if name == "categories":
        return _categories(frame, look)
    shown = []
    for quantity, per, side, heading, remark, scale, unit in _aspects(name):
        if rows := _levels(frame, quantity, per, side):
            tall = pitch(look, 0.24) * len(rows) + 0.35 * look.scale
            shown.append(Panel(look.say(heading), look.say(remark), tall,
                               partial(_draw_rows, rows=rows, scale=scale, unit=unit, look=look)))  # fmt: skip
    return shown


def _aspects(name: str) -> list[tuple[str, str, str, str, str, float, str]]:
    return [ASPECTS[name]] if name in ASPECTS else list(ASPECTS.values())


def _categories(frame: pl.DataFrame, look: Look) -> list[Panel]:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    names = [name for name in NAMES if name.startswith("points_") and _levels(frame, name, "hand", "all")]
    if not names:
        return []
    tall = pitch(look, 0.3) * len(names) + 0.7 * look.scale
    heading, remark = "Where the points come from", "Mean points a hand, all sides together."
    draw = partial(_draw_categories, frame=frame, names=names, look=look)
    return [Panel(look.say(heading), look.say(remark), tall, draw)]


FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {
    name: (partial(draw, name), 7.2) for name in ("strength", "categories", *ASPECTS)
}


def found(name: str, frame: pl.DataFrame, look: Look) -> str:
    """The first thing that a figure shows, with its numbers; of many rows the least and the most. Empty for none."""
    for quantity, per, side, heading, _, scale, unit in _aspects(name):
        rows = [] if name == "categories" else _levels(frame, quantity, per, side)
        if not rows:
            continue
        if len(rows) > MOST_IN_TITLE:
            rows = sorted(rows, key=lambda row: float(row["estimate"]))
            rows = [rows[0], rows[-1]]
        sign = "+" if quantity == "margin" else ""
        told = [
            f"{line_up(row['policy'], look)} " + look.numerals(f"{scale * row['estimate']:{sign}.2f}{unit}")
            for row in rows
        ]
        return f"{look.say(heading)}: {'; '.join(told)}".replace(" -", " −")
    return ""


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    line_ups = [line_up(policies, look) for policies in metadata.get("policies", [])]
    hands = metadata.get("hands") or 0
    shared = min(metadata.get("shared") or hands, hands)
    same = look.say("{much}, the same for all.", much=how_much({**metadata, "hands": shared}, look))
    if shared < hands:
        same += " " + look.say("{policy} played {n} hands in all.", policy=line_ups[0], n=look.numerals(f"{hands:,}"))
    played = ", ".join(line_ups)
    return Head(
        title=found(name, frame, look) or look.say("{line_ups} side by side", line_ups=played[:1].upper() + played[1:]),
        subtitle=f"{rules_title(metadata, look)}. {same} {look.say('Whiskers are 95% intervals.')}"
        f"{changed_words(metadata, look)}",
        command=metadata.get("command", ""),
    )


def _levels(frame: pl.DataFrame, quantity: str, per: str, side: str) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up."""
    levels = frame.filter(pl.col("kind") != "difference", pl.col("value").is_null())
    rows = levels.filter(quantity=quantity, per=per, side=side)
    return rows.unique("policy", keep="first", maintain_order=True).to_dicts()


def _draw_rows(axes: Axes, rows: Sequence[dict[str, Any]], scale: float, unit: str, look: Look) -> None:
    texts = []
    for y, row in enumerate(rows):
        low, value, high = (scale * row[name] for name in ("ci_low", "estimate", "ci_high"))
        colour, marker = marker_of(y, look)
        axes.hlines(y, low, high, color=colour, linewidth=1.4 * look.scale)
        axes.plot([value], [y], marker=marker, markersize=4.5 * look.scale, color=colour, linestyle="none",
                  clip_on=False, zorder=3)  # fmt: skip
        sign = "+" if row["quantity"] == "margin" else ""
        texts.append(look.numerals(f"{value:{sign}.2f} ± {(high - low) / 2:.2f}{unit}").replace("-", "−"))
    _frame(axes, [line_up(row["policy"], look) for row in rows], unit, look)
    if rows[0]["quantity"] == "margin":  # a difference is read from where there is none
        axes.axvline(0, color=look.colours.muted, linewidth=0.8 * look.scale, zorder=0.6)
        axes.set_xlim(min(axes.get_xlim()[0], -0.05), max(axes.get_xlim()[1], 0.05))
    beside(axes, range(len(rows)), [Column(texts, [look.colours.ink] * len(rows))], look)


def _draw_categories(axes: Axes, frame: pl.DataFrame, names: Sequence[str], look: Look) -> None:
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    spread = 0.25 if look.stacked else 0.5
    for y, name in enumerate(names):
        for number, row in enumerate(_levels(frame, name, "hand", "all")):
            at = y + spread * (number - (len(line_ups) - 1) / 2) / len(line_ups)
            colour, marker = marker_of(number, look)
            axes.hlines(at, row["ci_low"], row["ci_high"], color=colour, linewidth=1.2 * look.scale)
            axes.plot([row["estimate"]], [at], marker=marker, markersize=4 * look.scale, color=colour,
                      linestyle="none", zorder=3)  # fmt: skip
    _frame(axes, [look.say(NAMES[name]) for name in names], "", look, 0.12 if look.stacked else 0.0)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]) if axes.get_xlim()[0] < -0.5 else 0.0)
    key(axes, [line_up(one, look) for one in line_ups], look)


def _frame(axes: Axes, labels: Sequence[str], unit: str, look: Look, up: float = 0.0) -> None:
    axes.set_ylim(len(labels) - 0.4, -0.75 if look.stacked else -0.6)
    grid_of_numbers(axes, "x", look, unit)
    name_rows(axes, [y - up for y in range(len(labels))], labels, look)


def key(axes: Axes, names: Sequence[str], look: Look) -> None:
    """Which line-up has which colour and marker, above the axes."""
    handles = []
    for number in range(len(names)):
        colour, marker = marker_of(number, look)
        handles.append(Line2D([], [], linestyle="none", marker=marker, markersize=4.5 * look.scale, color=colour))
    legend(axes, handles, names, look, handletextpad=0.1, columnspacing=1.0)


def marker_of(number: int, look: Look) -> tuple[str, str]:
    """Colour and marker of a line-up, by its number."""
    colours = look.colours.line_ups
    return colours[number % len(colours)], _MARKERS[number % len(_MARKERS)]
