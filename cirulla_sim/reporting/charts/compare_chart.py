"""Figures of the files of ``compare``: what each rule set changes, the biggest change first.

Changes are drawn on a linear axis with a zero line. ``--axis log`` draws sizes instead, up and down by the marker,
for those who want to see changes of every power of ten.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes

from ..text.claims import greatest_change
from ..text.comparison_findings import effects_of
from ..text.labels import Metadata, how_much, lower, name_of, side_names
from ..text.quantity_names import NAMES
from .chart_rows import Column, beside, name_rows, pitch
from .dots import Chance, draw_chances, height
from .effects_chart import ASPECTS, WAYS, Aspect, Change, frame_of, key_of_ways, shown_of, without_change
from .figure_parts import Family, MakePanel, head
from .look import Look
from .page_layout import Head, Panel

MOST = 18
"""Rows of the figure of points by category."""

LEAST = 0.005
"""Share of the largest change below which one cannot be told from none on a linear axis of them."""


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    tested = frame.filter(pl.col("p_holm").is_not_null()).height
    return compared(_title(frame, metadata, look), tested, frame, metadata, look)


def compared(title: str, tested: int, frame: pl.DataFrame, metadata: Metadata, look: Look, *sentences: str) -> Head:
    """The head of a comparison of rules, in which some differences were tested."""
    base = "Each rule set on the same deals, less {base}."
    if "changed" not in frame["quantity"]:
        base = "Each rule set on hands of its own, less {base}."
    return head(
        metadata, look, title,
        *(sentences or (f"{how_much(metadata, look)}.",)),
        look.say(base, base=look.say(name_of(frame["rules"][0]))),
        look.say("Sizes are on a logarithmic scale.") if look.axis == "log" else "",
        look.say("Whiskers are 95% intervals."),
        look.say("Hollow marks and parentheses: not significant; {n} differences were tested (Holm, 5%).",
                 n=look.numerals(f"{tested:,}")),
    )  # fmt: skip


def _title(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """The largest significant change of what matters most, or that there is none."""
    claim = None
    for quantity, side, what in effects_of(metadata, look.language):
        rows = frame.filter(quantity=quantity, side=side, kind="difference")
        named = {look.say(name_of(row["rules"])): row for row in rows.iter_rows(named=True)}
        if named:
            claim = greatest_change(named, what, look.language)
            if claim.verdict in ("alone", "tied", "more", "less"):
                break
    return "" if claim is None else claim.title


# ------------------------------------------------------------------------------------------------ panels


def _changes(aspect: Aspect, frame: pl.DataFrame, look: Look) -> list[Change]:
    rows = frame.filter(quantity=aspect.quantity, per=aspect.per, side=aspect.side, kind="difference")
    return [Change(look.say(name_of(row["rules"])), row, aspect.scale) for row in rows.iter_rows(named=True)]


def _effects(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    aspect = ASPECTS[name]
    names = {side: lower(name) for side, name in side_names(metadata, look).items()}
    heading, remark = look.say(aspect.heading, **names), look.say(aspect.remark, **names)
    return _panel(heading, remark, _changes(aspect, frame, look), aspect.quantity, look)


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference", per="hand")
    changes = [
        Change(f"{look.say(name_of(row['rules']))}: {lower(look.say(NAMES[row['quantity']]))}", row)
        for row in rows.iter_rows(named=True)
        if row["quantity"] in NAMES
    ]
    changes = sorted((change for change in changes if change.significant), key=lambda change: -change.size)
    remark = look.say("Change of the mean points a hand by category, all sides together.")
    shown = [change for change in changes[:MOST] if change.size >= LEAST * changes[0].size or look.axis == "log"]
    if len(shown) < len(changes):
        remark += " " + look.say("The {most} biggest of {n}.", most=len(shown), n=len(changes))
    return _panel(look.say("Through which points"), remark, shown, "categories", look)


def _changed(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    rows = frame.filter(quantity="changed").sort("estimate", descending=True, maintain_order=True)
    chances = [
        Chance(look.say(name_of(row["rules"])), row["estimate"], row["ci_low"], row["ci_high"])
        for row in rows.iter_rows(named=True)
        if row["estimate"] > 0
    ]
    if not chances:
        return None
    groups = [(look.say("Of all hands"), chances)]
    return Panel(
        look.say("Hands that go another way at all"), look.say("In a card, a capture, a knock or a point."),
        height(groups, look), partial(draw_chances, groups=groups, gid="changed", look=look),
    )  # fmt: skip


def _panel(heading: str, remark: str, changes: Sequence[Change], gid: str, look: Look) -> Panel | None:
    seen = shown_of(changes, look)
    if not seen:
        return None
    text = " ".join(part for part in (remark, without_change(changes, seen, look)) if part)
    tall = pitch(look) * len(seen) + 0.5 * look.scale
    return Panel(heading, text, tall, partial(_draw, changes=seen, gid=gid, look=look))


def _draw(axes: Axes, changes: Sequence[Change], gid: str, look: Look) -> None:
    """Changes, the numbers at the right."""
    ys = list(range(len(changes)))
    colours = dict(zip(WAYS, (look.colours.dealer, look.colours.others), strict=True))
    axes.set_ylim(len(changes) - 0.4, -0.7 if look.stacked else -0.6)
    low, high = frame_of(axes, changes, look)
    axes.hlines(ys, low, high, color=look.colours.hair, linewidth=0.5, zorder=0.5)
    for way, sure in itertools.product(WAYS, (True, False)):
        mine = [(y, change) for y, change in enumerate(changes) if (change.way, change.significant) == (way, sure)]
        if not mine:
            continue
        name = f"{gid}-{way}-{'sure' if sure else 'unsure'}"
        ends = [change.whisker(look) for _, change in mine]
        axes.hlines(
            [y for y, _ in mine], [max(low, left) for left, _ in ends], [min(high, right) for _, right in ends],
            color=colours[way], linewidth=1.4 * look.scale, gid=f"{name}-whiskers",
        )  # fmt: skip
        axes.plot(
            [change.at(look) for _, change in mine], [y for y, _ in mine], linestyle="none", marker=WAYS[way],
            markersize=5.0 * look.scale, color=colours[way],
            markerfacecolor=colours[way] if sure else look.colours.paper, clip_on=False, zorder=3, gid=name,
        )  # fmt: skip
    name_rows(axes, ys, [change.label for change in changes], look)
    inks = [colours[change.way] if change.significant else look.colours.muted for change in changes]
    beside(axes, ys, [Column([change.words(look) for change in changes], inks)], look)
    if look.axis == "log":
        key_of_ways(axes, look)


_PANELS: dict[str, MakePanel] = {
    "points": partial(_effects, "points"),
    "categories": _categories,
    **{name: partial(_effects, name) for name in ASPECTS if name != "points"},
    "changed": _changed,
}

FIGURES = Family("overview", _PANELS, _head, "a file with a change, as of compare --games").figures(11.0)
