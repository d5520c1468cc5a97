"""The figures of comparisons played by several line-ups: what each rule changes for each of them, in colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...core.errors import InputError
from ..text.labels import Metadata, changed_words, how_much, line_up, lower, name_of, rules_title, side_names
from .chart_rows import Column, beside, name_rows
from .effects_chart import ASPECTS, WAYS, Change, frame_of, shown_of
from .line_up_chart import key, marker_of
from .look import Look
from .page_layout import Head, Panel, page

PITCH, BETWEEN = 0.165, 0.12
"""Inches from line-up to line-up, and more from rule set to rule set."""

Changes = Sequence[tuple[str, Sequence[Change]]]
"""Rule sets as words, and what each changes for each line-up."""


def overview(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """What matters most, by line-up."""
    return _figure(list(ASPECTS), frame, metadata, look)


def _alone(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    return _figure([name], frame, metadata, look)


FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {
    "overview": (overview, 11.0),
    **{name: (partial(_alone, name), 7.2) for name in ASPECTS},
}


def _figure(names: Sequence[str], frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    panels = [panel for name in names if (panel := _panel(name, frame, metadata, look)) is not None]
    if not panels:
        figure = names[0] if len(names) == 1 else "overview"
        raise InputError(f"figure {figure!r} has nothing to show (valid: a file with a change in it)")
    return page(_head(frame, metadata, look), panels, look)


def _head(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    count = frame.filter(pl.col("p_holm").is_not_null(), kind="difference").height // frame["policy"].n_unique()
    shared = "on hands of its own" if "changed" not in frame["quantity"] else "on the same deals"
    played = ", ".join(line_up(policies, look) for policies in metadata.get("policies", []))
    about = [
        f"{rules_title(metadata, look)}.",
        look.say("{much}, the same for all.", much=how_much(metadata, look)),
        look.say(f"Each rule set {shared}, less {{base}}.", base=look.say(name_of(frame["rules"][0]))),
        look.say("Sizes are on a logarithmic scale.") if look.axis == "log" else "",
        look.say("Triangles point up for more and down for less.") if look.axis == "log" else "",
        look.say("Whiskers are 95% intervals."),
        look.say("A filled mark is a change that is there even though {n} differences were looked at (Holm, 5%).",
                 n=look.numerals(f"{count:,}")),
    ]  # fmt: skip
    return Head(
        title=look.say("What rules change for {line_ups}", line_ups=played),
        subtitle=" ".join(part for part in about if part) + changed_words(metadata, look),
        command=metadata.get("command", ""),
    )


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    aspect = ASPECTS[name]
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    rows = frame.filter(quantity=aspect.quantity, per=aspect.per, side=aspect.side, kind="difference").to_dicts()
    cells = {(row["rules"], row["policy"]): Change("", row, aspect.scale, aspect.unit) for row in rows}
    names_of = dict.fromkeys(row["rules"] for row in rows)
    changes = [(look.say(name_of(rules)), [cells[rules, one] for one in line_ups]) for rules in names_of]
    changes.sort(key=lambda change: -max(one.size for one in change[1]))
    shown = [change for change in changes if shown_of(change[1], look)]
    if not shown:
        return None
    still = ", ".join(label for label, seen in changes if not shown_of(seen, look))
    none = " " + look.say("No change seen: {rules}.", rules=still) if still else ""
    names = {side: lower(said) for side, said in side_names(metadata, look, policies=False).items()}
    above = 1 if look.stacked else 0
    height = (len(shown) * (PITCH * (len(line_ups) + above) + BETWEEN) + 0.55) * look.scale
    draw = partial(_draw, changes=shown, line_ups=line_ups, gid=name, look=look)
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
            colour, marker = marker_of(number, look)
            if look.axis == "log":
                marker = WAYS[change.way]
            if change.size or look.axis != "log":
                left, right = change.whisker(look)
                axes.hlines(at, max(low, left), min(high, right), color=colour, linewidth=1.2 * look.scale)
                axes.plot(
                    [change.at(look)], [at], linestyle="none", marker=marker, markersize=4.5 * look.scale,
                    color=colour, markerfacecolor=colour if change.sure else look.colours.paper, clip_on=False,
                    zorder=3, gid=f"{gid}-{line_ups[number]}",
                )  # fmt: skip
            ys.append(at)
            texts.append(change.words(look))
            inks.append(colour if change.sure else look.colours.muted)
    beside(axes, ys, [Column(texts, inks, size=look.type.small)], look)
    key(axes, [line_up(one, look) for one in line_ups], look)
