"""Figures of the files of ``compare``: what each rule set changes, the biggest change first.

Changes are drawn on a linear axis with a zero line. ``--axis log`` draws sizes instead, up and down told by the marker,
for those who want to see changes of every power of ten.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...core.errors import InputError
from ..text.labels import NAMES, Metadata, changed_words, how_much, lower, name_of, play_words, rules_title, side_names
from .chart_rows import Column, beside, name_rows, pitch
from .dots import Chance, draw_chances, height
from .effects_chart import ASPECTS, WAYS, Aspect, Change, frame_of, key_of_ways, plain_zero, shown_of
from .look import Look
from .page_layout import Head, Panel, page

MOST = 18
"""Rows of the figure of points by category."""

LEAST = 0.005
"""Share of the largest change below which one cannot be told from none on a linear axis of them."""


def overview(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """All effects on one page."""
    panels = [panel for make in _PANELS.values() if (panel := make(frame, metadata, look)) is not None]
    if not panels:
        raise InputError(
            "figure 'overview' has nothing to show: these rules change no hand "
            "(valid: a file with a change, as of compare --games)"
        )
    return page(_head(frame, metadata, look), panels, look)


def _alone(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    panel = _PANELS[name](frame, metadata, look)
    if panel is None:
        there = [other for other, make in _PANELS.items() if make(frame, metadata, look) is not None]
        valid = ", ".join(["overview", *there]) if there else "a file with a change, as of compare --games"
        raise InputError(f"figure {name!r} has nothing to show (valid: {valid})")
    return page(_head(frame, metadata, look), [panel], look)


def _head(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    base, *others = frame["rules"].unique(maintain_order=True).to_list()
    count = frame.filter(pl.col("p_holm").is_not_null()).height
    shared = "on hands of its own" if "changed" not in frame["quantity"] else "on the same deals"
    about = [
        f"{rules_title(metadata, look)}, {play_words(metadata, look)}.",
        f"{how_much(metadata, look)}.",
        look.say(f"Each rule set {shared}, less {{base}}.", base=look.say(name_of(base))),
        look.say("Sizes are on a logarithmic scale.") if look.axis == "log" else "",
        look.say("Whiskers are 95% intervals."),
        look.say("A filled mark is a change that is there even though {n} differences were looked at (Holm, 5%).",
                 n=look.numerals(f"{count:,}")),
    ]  # fmt: skip
    return Head(
        title=found(frame, others, metadata, look),
        subtitle=" ".join(part for part in about if part) + changed_words(metadata, look),
        command=metadata.get("command", ""),
    )


def found(frame: pl.DataFrame, others: Sequence[str], metadata: Metadata, look: Look) -> str:
    """What a comparison shows first: the largest change of what matters most among those that were seen."""
    sides = {side: lower(said) for side, said in side_names(metadata, look, policies=False).items()}
    for name in ("points", "margin", "wins", "games", "hands", "leads", "spread"):
        changes = [change for change in _changes(ASPECTS[name], frame, look) if change.sure]
        if not changes:
            continue
        most = max(changes, key=lambda change: change.size)
        said = look.say(ASPECTS[name].more if most.way == "more" else ASPECTS[name].less,
                        n=look.numerals(f"{most.size:.2g}"), **sides)  # fmt: skip
        if len(others) == 1:
            return f"{most.label}: {said}"
        return look.say("{rule} changes most: {finding}", rule=most.label, finding=said)
    names = ", ".join(look.say(name_of(rules)) for rules in others[:3])
    return look.say("No change seen: {rules}", rules=names if len(others) <= 3 else f"{names}…")


# ------------------------------------------------------------------------------------------------ panels


def _changes(aspect: Aspect, frame: pl.DataFrame, look: Look) -> list[Change]:
    rows = frame.filter(quantity=aspect.quantity, per=aspect.per, side=aspect.side, kind="difference")
    return [
        Change(look.say(name_of(row["rules"])), row, aspect.scale, aspect.unit) for row in rows.iter_rows(named=True)
    ]


def _effects(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    aspect = ASPECTS[name]
    names = {side: lower(said) for side, said in side_names(metadata, look).items()}
    heading, remark = look.say(aspect.heading, **names), look.say(aspect.remark, **names)
    return _panel(heading, remark, _changes(aspect, frame, look), aspect.quantity, look)


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference", per="hand")
    changes = [
        Change(f"{look.say(name_of(row['rules']))}: {lower(look.say(NAMES[row['quantity']]))}", row)
        for row in rows.iter_rows(named=True)
        if row["quantity"] in NAMES
    ]
    changes = sorted((change for change in changes if change.sure), key=lambda change: -change.size)
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
    said = " ".join(part for part in (remark, plain_zero(changes, seen, look)) if part)
    tall = pitch(look) * len(seen) + 0.5 * look.scale
    return Panel(heading, said, tall, partial(_draw, changes=seen, gid=gid, look=look))


def _draw(axes: Axes, changes: Sequence[Change], gid: str, look: Look) -> None:
    """Changes, the numbers at the right."""
    ys = list(range(len(changes)))
    colours = dict(zip(WAYS, (look.colours.dealer, look.colours.others), strict=True))
    axes.set_ylim(len(changes) - 0.4, -0.7 if look.stacked else -0.6)
    low, high = frame_of(axes, changes, look)
    axes.hlines(ys, low, high, color=look.colours.hair, linewidth=0.5, zorder=0.5)
    for way, sure in itertools.product(WAYS, (True, False)):
        mine = [(y, change) for y, change in enumerate(changes) if (change.way, change.sure) == (way, sure)]
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
    words = Column([change.words(look) for change in changes],
                   [colours[change.way] if change.sure else look.colours.muted for change in changes])  # fmt: skip
    beside(axes, ys, [words], look)
    if look.axis == "log":
        key_of_ways(axes, look)


_PANELS: dict[str, Callable[[pl.DataFrame, Metadata, Look], Panel | None]] = {
    "points": partial(_effects, "points"),
    "categories": _categories,
    **{name: partial(_effects, name) for name in ASPECTS if name != "points"},
    "changed": _changed,
}

FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {
    "overview": (overview, 11.0),
    **{name: (partial(_alone, name), 7.2) for name in _PANELS},
}
