"""The figures of comparisons played by several line-ups: what each rule changes for each of them, in colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes

from ..text.labels import Metadata, how_much, line_up, line_up_names, lower, name_of, side_names
from .chart_rows import Column, beside, draw_mark, name_rows
from .compare_chart import compared
from .effects_chart import ASPECTS, WAYS, Change, frame_of, shown_of
from .figure_parts import Family
from .line_up_chart import key, marker_of
from .look import Look
from .page_layout import Head, Panel

PITCH, BETWEEN = 0.165, 0.12
"""Inches from line-up to line-up, and more from rule set to rule set."""

Changes = Sequence[tuple[str, Sequence[Change]]]
"""Rule sets as words, and what each changes for each line-up."""


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    tested = frame.filter(pl.col("p_holm").is_not_null()).height
    title = look.say("What rules change for {line_ups}", line_ups=line_up_names(metadata, look))
    log = look.say("Triangles point up for more and down for less.") if look.axis == "log" else ""
    much = look.say("{much}, the same for all.", much=how_much(metadata, look))
    return compared(title, tested, frame, metadata, look, much, log)


def _panel(figure: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    aspect = ASPECTS[figure]
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    rows = frame.filter(quantity=aspect.quantity, per=aspect.per, side=aspect.side, kind="difference").to_dicts()
    cells = {(row["rules"], row["policy"]): Change("", row, aspect.scale) for row in rows}
    names_of = dict.fromkeys(row["rules"] for row in rows)
    changes = [(look.say(name_of(rules)), [cells[rules, name] for name in line_ups]) for rules in names_of]
    changes.sort(key=lambda change: -max(effect.size for effect in change[1]))
    shown = [change for change in changes if shown_of(change[1], look)]
    if not shown:
        return None
    still = ", ".join(label for label, seen in changes if not shown_of(seen, look))
    none = " " + look.say("No change seen: {rules}.", rules=still) if still else ""
    names = {side: lower(text) for side, text in side_names(metadata, look, policies=False).items()}
    above = 1 if look.stacked else 0
    height = (len(shown) * (PITCH * (len(line_ups) + above) + BETWEEN) + 0.55) * look.scale
    draw = partial(_draw, changes=shown, line_ups=line_ups, gid=figure, look=look)
    return Panel(look.say(aspect.heading, **names), look.say(aspect.remark) + none, height, draw)


def _draw(axes: Axes, changes: Changes, line_ups: Sequence[str], gid: str, look: Look) -> None:
    every = [change for _, seen in changes for change in seen]
    each = 1 / (len(line_ups) + (1 if look.stacked else 0) + BETWEEN / PITCH)
    down = each / 2 if look.stacked else 0.0
    axes.set_ylim(len(changes) - 0.5, -0.5)
    low, high = frame_of(axes, every, look)
    lines = [y + 0.5 for y in range(len(changes) - 1)]
    axes.hlines(lines, low, high, color=look.colours.hair, linewidth=0.5, zorder=0.5)
    tops = [y + down - each * (len(line_ups) / 2 - 0.2) if look.stacked else y for y in range(len(changes))]
    name_rows(axes, tops, [label for label, _ in changes], look)
    ys, texts, inks = [], [], []
    for y, (_, seen) in enumerate(changes):
        for number, change in enumerate(seen):
            at = y + down + each * (number - (len(line_ups) - 1) / 2)
            low_end, high_end = change.whisker(look)
            interval = (max(low, low_end), change.at(look), min(high, high_end))
            marker = WAYS[change.way] if look.axis == "log" else None
            colour = marker_of(number, look)[0]
            if change.size or look.axis != "log":
                mark = draw_mark(axes, at, interval, number, look, marker, hollow=not change.significant)
                mark.set_gid(f"{gid}-{line_ups[number]}")
            ys.append(at)
            texts.append(change.words(look))
            inks.append(colour if change.significant else look.colours.muted)
    beside(axes, ys, [Column(texts, inks, size=look.type.small)], look)
    key(axes, [line_up(name, look) for name in line_ups], look)


FIGURES = Family(
    "overview", {name: partial(_panel, name) for name in ASPECTS}, _head, "a file with a change in it"
).figures(11.0)
