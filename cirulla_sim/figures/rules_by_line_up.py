"""The figures of comparisons played by several line-ups: what each rule changes for each of them, in colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from ..errors import InputError
from . import style
from .compare import ASPECTS, MARKERS, Change, SizeMarks, limits, name_of
from .line_ups import look
from .page import Head, Panel, page, text_width
from .words import Metadata, changed_words, how_much, rules_title, side_names

SINGLE, OVERVIEW = 7.2, 11.0
"""Inches across, unless asked otherwise."""

PITCH, BETWEEN = 0.165, 0.09
"""Inches from line-up to line-up, and more from rule set to rule set."""

Changes = Sequence[tuple[str, Sequence[Change]]]
"""Rule sets as words, and what each changes for each line-up."""


def overview(frame: pl.DataFrame, metadata: Metadata, width: float = OVERVIEW) -> Figure:
    """What matters most, by line-up."""
    return _figure(list(ASPECTS), frame, metadata, width)


def _alone(name: str, frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    return _figure([name], frame, metadata, width)


FIGURES: dict[str, Callable[..., Figure]] = {"overview": overview} | {name: partial(_alone, name) for name in ASPECTS}


def _figure(names: Sequence[str], frame: pl.DataFrame, metadata: Metadata, width: float) -> Figure:
    panels = [panel for name in names if (panel := _panel(name, frame, metadata)) is not None]
    if not panels:
        raise InputError(f"figure {names[0]!r} has nothing to show (valid: a file with a change in it)")
    return page(_head(frame, metadata), panels, width)


def _head(frame: pl.DataFrame, metadata: Metadata) -> Head:
    count = frame.filter(pl.col("p_holm").is_not_null(), kind="difference").height
    shared = "on hands of its own" if "changed" not in frame["quantity"] else "on the same deals"
    return Head(
        title=f"{rules_title(metadata)}: what rules change for {', '.join(metadata.get('policies', []))}",
        subtitle=f"{how_much(metadata)}, the same for all. Each rule set {shared}, less {name_of(frame['rules'][0])}. "
        "Sizes are on a logarithmic scale, triangles point up for more and down for less, whiskers are 95% intervals; "
        "a filled mark is a change that is there even though "
        f"{count // frame['policy'].n_unique():,} differences were looked at of each line-up (Holm, 5%)."
        f"{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    aspect = ASPECTS[name]
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    rows = frame.filter(quantity=aspect.quantity, side=aspect.side, kind="difference").to_dicts()
    cells = {(row["rules"], row["policy"]): Change("", row, aspect.scale, aspect.unit) for row in rows}
    names_of = dict.fromkeys(row["rules"] for row in rows)
    changes = [(name_of(rules), [cells[rules, line_up] for line_up in line_ups]) for rules in names_of]
    changes.sort(key=lambda change: -_biggest(change[1]))
    shown = [change for change in changes if _biggest(change[1])]
    if not shown:
        return None
    still = [label for label, seen in changes if not _biggest(seen)]
    none = f" No change seen: {', '.join(still)}." if still else ""
    names = {side: said.lower() for side, said in side_names({**metadata, "policies": []}).items()}
    height = len(shown) * (PITCH * len(line_ups) + BETWEEN) + 0.5
    draw = partial(_draw, changes=shown, line_ups=line_ups, gid=name)
    return Panel(aspect.heading.format(**names), aspect.remark.format(**names) + none, height, draw)


def _biggest(seen: Sequence[Change]) -> float:
    return max(change.size for change in seen)


def _draw(axes: Axes, changes: Changes, line_ups: Sequence[str], gid: str) -> None:
    every = [change for _, seen in changes for change in seen]
    low, high = limits([change for change in every if change.size])
    each = 1 / (len(line_ups) + BETWEEN / PITCH)
    unit = every[0].unit
    axes.set_xscale("log", nonpositive="clip")
    axes.set_xlim(low, high)
    axes.set_ylim(len(changes) - 0.5, -0.5)
    axes.xaxis.set_major_locator(SizeMarks())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.10g}{unit}"))
    axes.grid(axis="x")
    axes.hlines([y + 0.5 for y in range(len(changes) - 1)], low, high, color=style.HAIR, linewidth=0.5, zorder=0.5)
    axes.set_yticks(range(len(changes)), [label for label, _ in changes])
    figure = axes.get_figure(root=True)
    widest = 72 * max(text_width(figure, change.words, style.SMALL) for change in every)  # type: ignore[arg-type]
    for y, (_, seen) in enumerate(changes):
        for number, change in enumerate(seen):
            at, colour = y + each * (number - (len(line_ups) - 1) / 2), look(number)[0]
            if change.size:
                axes.hlines(at, max(low, change.whisker[0]), change.whisker[1], color=colour, linewidth=1.2)
                axes.plot(
                    [change.size], [at], linestyle="none", marker=MARKERS[change.way], markersize=4.5, color=colour,
                    markerfacecolor=colour if change.sure else style.PAPER, clip_on=False, zorder=3,
                    gid=f"{gid}-{line_ups[number]}",
                )  # fmt: skip
            axes.annotate(
                change.words, (1, at), xycoords=("axes fraction", "data"), xytext=(8 + widest, 0),
                textcoords="offset points", ha="right", va="center_baseline", fontsize=style.SMALL,
                color=colour if change.sure else style.MUTED,
            )  # fmt: skip
    axes.legend(
        handles=[
            Line2D([], [], linestyle="none", marker="s", markersize=4.5, color=look(number)[0], label=line_up)
            for number, line_up in enumerate(line_ups)
        ],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=len(line_ups), borderpad=0, borderaxespad=0.3,
        handletextpad=0.1, columnspacing=1.0,
    )  # fmt: skip
