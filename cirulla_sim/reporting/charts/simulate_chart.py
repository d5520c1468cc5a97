"""Figures of the files of ``simulate``: bonuses, points by category, scores, the primiera."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import ScaledTranslation

from ..text.descriptions import margin_claim
from ..text.labels import Metadata, fields_of, how_much, lower, side_names
from ..text.quantity_names import NAMES
from . import style
from .chart_rows import Column, beside, grid_of_numbers, name_rows, pitch
from .dots import Chance, draw_chances, height
from .figure_parts import Family, MakePanel, head, row_of
from .look import Look
from .page_layout import Head, Panel, text_width

SIDES = ("dealer", "others")

Bar = tuple[int, str, dict[str, Any]]
"""Sevens in a pile, whose pile it is, and the rows of the outcomes."""

_TABLE = ("misdeal", "table_15", "table_30", "table_low", "table_wins", "misdeals_in_a_row")
_KNOCKS = ("knock", "hand_low", "hand_low_no_ace", "hand_triple")
_RULE_OF = {"knock": "hand_low", "hand_low": "hand_low", "hand_low_no_ace": "hand_low", "hand_triple": "hand_triple"}
_OUTCOMES = ("won", "tied", "lost")
_SHOWN_TAIL = 0.001
_CURVES = 0.82
"""Part of the height for the curves of scores; above it is who is who."""


# ------------------------------------------------------------------------------------------------ titles


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    titles = {"bonuses": _knock, "points": _most_points, "primiera": _sevens}
    title = titles.get(name, _margin)(frame, metadata, look)
    intervals = look.say("Whiskers and bands are 95% intervals.")
    return head(metadata, look, title, f"{how_much(metadata, look)}.", intervals)


def _margin(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """Whether the dealer's side makes more points."""
    claim = margin_claim(frame, metadata, look.language)
    return "" if claim is None else claim.title


def _most_points(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """Where most points come from."""
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), kind="mean", side="all", per="hand")
    if rows.is_empty():
        return ""
    row = rows.sort("estimate", descending=True, maintain_order=True).row(0, named=True)
    name = look.say(NAMES.get(row["quantity"], row["quantity"]))
    return look.say("{name}: most of the points, {n} a hand", name=name, n=look.points(row["estimate"]))


def _knock(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """How often a holding has a bonus."""
    row = row_of(frame, "knock", per="holding", kind="probability")
    return look.say("A bonus is in {odds} holdings", odds=look.odds(row["estimate"])) if row else ""


def _sevens(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """How often two sevens win the primiera."""
    row = row_of(frame, "primiera_won", side="dealer", value=2.0)
    return look.say("Two sevens win the primiera in {p} of piles", p=f"{100 * row['estimate']:.0f}%") if row else ""


# ------------------------------------------------------------------------------------------------ bonuses


def bonuses_panel(frame: pl.DataFrame, metadata: Metadata, look: Look, brief: bool = False) -> Panel | None:
    """Chances of bonuses under what one trial is; ``brief`` leaves out those per hand that holdings show too."""
    cards = fields_of(metadata).deal_plan
    groups = [
        (look.say("Of all tables dealt"), _chances(frame, metadata, _TABLE, "table", look)),
        (look.say("Of all hands, on the table"), _chances(frame, metadata, _TABLE, "hand", look)),
        (
            look.say(f"Of all holdings of {_number(cards[0])} cards"),
            _chances(frame, metadata, _KNOCKS, "holding", look),
        ),
        (look.say("Of all hands, somebody at least once"), _chances(frame, metadata, _KNOCKS, "hand", look)),
    ]
    if brief and groups[2][1]:
        del groups[3]
    groups = [(heading, chances) for heading, chances in groups if chances]
    if not groups:
        return None
    knocks = row_of(frame, "knock", per="hand", kind="mean")
    remark = ""
    if knocks:
        n = look.points(knocks["estimate"])
        remark = look.say("Knocks a hand, all players together: {n} on average.", n=n)
    draw = partial(draw_chances, groups=groups, gid="bonuses", look=look)
    return Panel(look.say("How often bonuses come"), remark, height(groups, look), draw)


def _chances(frame: pl.DataFrame, metadata: Metadata, names: Sequence[str], per: str, look: Look) -> list[Chance]:
    rules = fields_of(metadata)
    rows = [row_of(frame, name, per=per, kind="probability") for name in names]
    return [
        Chance(look.say(NAMES[row["quantity"]]), row["estimate"], row["ci_low"], row["ci_high"])
        for row in rows
        if row is not None and (row["estimate"] > 0 or getattr(rules, _RULE_OF.get(row["quantity"], ""), 1) != 0)
    ]


def _number(cards: int) -> str:
    return {3: "three", 6: "six", 9: "nine", 10: "ten"}.get(cards, str(cards))


# ------------------------------------------------------------------------------------------------ points


def points_panel(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """Mean points by category, most first, a dot for the dealer's side and one for the others."""
    every = frame.filter(
        pl.col("quantity").str.starts_with("points_") & (pl.col("kind") == "mean") & (pl.col("per") == "hand")
    )
    order = (
        every.filter((pl.col("side") == "all") & (pl.col("estimate") != 0))
        .sort("estimate", descending=True, maintain_order=True)["quantity"]
        .to_list()
    )
    if not order:
        return None
    rows = {side: [row_of(every, name, side=side) for name in order] for side in SIDES}
    whole = {side: row_of(frame, "points", side=side, kind="mean") for side in SIDES}
    names = side_names(metadata, look)
    totals = ", ".join(f"{lower(names[side])} {look.points(row['estimate'])}" for side in SIDES if (row := whole[side]))
    remark = look.say("Mean points a hand. In all, {totals}.", totals=totals)
    draw = partial(_draw_points, order=order, rows=rows, names=names, look=look)
    tall = pitch(look, 0.27) * len(order) + 0.55 * look.scale
    return Panel(look.say("Where the points come from"), remark, tall, draw)


def _draw_points(axes: Axes, order: list[str], rows: dict[str, list[Any]], names: dict[str, str], look: Look) -> None:
    apart = 0.11 if look.stacked else 0.17
    places = {"dealer": -apart, "others": apart}
    axes.set_ylim(len(order) - 0.45, -0.75 if look.stacked else -0.55)
    most = max(row["ci_high"] for side in SIDES for row in rows[side])
    least = min(0.0, *(row["ci_low"] for side in SIDES for row in rows[side]))
    axes.set_xlim(least * 1.05, most * 1.05)
    grid_of_numbers(axes, "x", look)
    axes.hlines(range(len(order)), least, most * 1.05, color=look.colours.hair, linewidth=0.5, zorder=0.5)
    columns = []
    for side in SIDES:
        ys = [i + places[side] for i in range(len(order))]
        colour = look.colours.sides[side]
        lows, highs = [row["ci_low"] for row in rows[side]], [row["ci_high"] for row in rows[side]]
        axes.hlines(ys, lows, highs, color=colour, linewidth=1.4 * look.scale, gid=f"points-{side}-whiskers")
        axes.plot(
            [row["estimate"] for row in rows[side]], ys, linestyle="none", marker=style.MARKERS[side],
            markersize=4.2 * look.scale, color=colour, clip_on=False, gid=f"points-{side}-dots", zorder=3,
        )  # fmt: skip
        columns.append(Column([look.points(row["estimate"]) for row in rows[side]], [colour] * len(order)))
    tops = [i - (apart if look.stacked else 0) for i in range(len(order))]
    name_rows(axes, tops, [look.say(NAMES.get(name, name)) for name in order], look)
    _key(axes, names, beside(axes, range(len(order)), columns, look)[-1], look)


def _key(axes: Axes, names: dict[str, str], right: float, look: Look) -> None:
    """Who is which mark, above the axes."""
    marks = [
        axes.plot([], [], linestyle="none", marker=style.MARKERS[side], markersize=4.2 * look.scale,
                  color=look.colours.sides[side])[0]
        for side in SIDES
    ]  # fmt: skip
    end = ScaledTranslation(right / 72, 0, axes.get_figure(root=True).dpi_scale_trans)  # type: ignore[union-attr]
    long = sum(len(names[side]) for side in SIDES) > 40
    legend = axes.legend(
        marks, [names[side] for side in SIDES], loc="lower right", bbox_to_anchor=(1, 1),
        bbox_transform=axes.transAxes + end, ncols=1 if look.stacked and long else 2, borderpad=0, borderaxespad=0.4,
        handletextpad=0.1, columnspacing=1.0,
    )  # fmt: skip
    for text, side in zip(legend.get_texts(), SIDES, strict=True):
        text.set_color(look.colours.sides[side])


# ------------------------------------------------------------------------------------------------ scores


def scores_panel(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """The distribution of the points a side makes in a hand."""
    rows = {
        side: frame.filter((pl.col("quantity") == "points_distribution") & (pl.col("side") == side)).sort("value")
        for side in SIDES
    }
    if any(part.is_empty() for part in rows.values()):
        return None
    means = {side: row["estimate"] for side in SIDES if (row := row_of(frame, "points", side=side, kind="mean"))}
    last = max(_last_shown(part) for part in rows.values())
    remark = look.say("Share of hands by score; means dotted.")
    if any(float(part["value"].max()) > last for part in rows.values()):  # type: ignore[arg-type]
        tail = look.percent(_SHOWN_TAIL)
        remark += " " + look.say("Above {n} points: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)
    draw = partial(_draw_scores, rows=rows, means=means, last=last, names=side_names(metadata, look), look=look)
    return Panel(look.say("How many points a hand brings"), remark, 2.6 * look.scale, draw)


def _last_shown(rows: pl.DataFrame) -> float:
    """The highest score to show: above it there are fewer than one hand in a thousand."""
    tail = rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)
    return float(tail["value"].max())  # type: ignore[arg-type]


def _draw_scores(
    axes: Axes, rows: dict[str, pl.DataFrame], means: dict[str, float], last: float, names: dict[str, str], look: Look
) -> None:
    most = max(float(part["ci_high"].max()) for part in rows.values())  # type: ignore[arg-type]
    first = min(0.0, *(float(part["value"].min()) for part in rows.values()))  # type: ignore[arg-type]
    axes.set_xlim(first - 0.4, last + 0.6)
    axes.set_ylim(0, most / _CURVES)
    grid_of_numbers(axes, "y", look, most=5)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: look.numerals(f"{100 * y:.10g}%")))
    axes.xaxis.set_major_locator(MaxNLocator(7 if look.stacked else 10, integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel(look.say("points in a hand"))
    for number, side in enumerate(SIDES):
        part, colour = rows[side], look.colours.sides[side]
        axes.fill_between(
            part["value"].to_numpy(), part["ci_low"].to_numpy(), part["ci_high"].to_numpy(),
            color=colour, alpha=0.22, linewidth=0, gid=f"scores-{side}-band",
        )  # fmt: skip
        axes.plot(
            part["value"].to_list(), part["estimate"].to_list(), linestyle=style.LINES[side],
            linewidth=1.2 * look.scale, marker=style.MARKERS[side], markersize=2.8 * look.scale, color=colour,
            gid=f"scores-{side}-dots",
        )  # fmt: skip
        label = names[side]
        if side in means:
            axes.axvline(
                means[side], ymax=_CURVES, color=colour, linewidth=0.9, linestyle=(0, (2, 2)), gid=f"scores-{side}-mean"
            )
            label += f", {look.say('mean {n}', n=look.points(means[side]))}"
        axes.annotate(
            label, (1, 1), xycoords="axes fraction", textcoords="offset points",
            xytext=(-2, -4 - 14 * look.scale * number), ha="right", va="top", fontsize=look.type.text, color=colour,
            bbox={"facecolor": look.colours.paper, "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip


# ------------------------------------------------------------------------------------------------ primiera


def primiera_panel(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    split = frame.filter(pl.col("quantity").is_in([f"primiera_{o}" for o in _OUTCOMES]) & pl.col("value").is_not_null())

    def outcomes(sevens: float, side: str) -> dict[str, Any]:
        rows = {outcome: row_of(split, f"primiera_{outcome}", side=side, value=sevens) for outcome in _OUTCOMES}
        return {outcome: row for outcome, row in rows.items() if row is not None}

    bars = [
        (int(sevens), side, outcomes(sevens, side))
        for sevens in sorted(split["value"].unique().to_list(), reverse=True)
        for side in SIDES
    ]
    bars = [bar for bar in bars if len(bar[2]) == len(_OUTCOMES)]
    if not bars:
        return None
    groups = len({sevens for sevens, _, _ in bars})
    names = {side: name.partition(" (")[0] for side, name in side_names(metadata, look).items()}
    draw = partial(_draw_primiera, bars=bars, names=names, look=look)
    remark = look.say("What so many sevens brought; at the right, how many piles there were.")
    tall = (0.2 * len(bars) + 0.1 * groups + 0.6) * look.scale
    return Panel(look.say("Primiera by sevens in the pile"), remark, tall, draw)


def _draw_primiera(axes: Axes, bars: list[Bar], names: dict[str, str], look: Look) -> None:
    colours = look.colours
    ys = _bar_places([sevens for sevens, _, _ in bars])
    _draw_shares(axes, bars, ys, look)
    won = [bar[2]["won"] for bar in bars]
    low = [y + 0.36 for y in ys]
    ends = [row["ci_low"] for row in won], [row["ci_high"] for row in won]
    # Ink on paper's rim, read on every part of a bar and in the colour of neither side.
    axes.hlines(low, *ends, color=colours.paper, linewidth=2.4 * look.scale)
    axes.hlines(low, *ends, color=colours.ink, linewidth=1.1 * look.scale, gid="primiera-whiskers")
    axes.set_xlim(0, 1)
    axes.set_ylim(max(ys) + 0.6, min(ys) - 0.6)
    short = [look.say("dealer" if side == "dealer" else "others") for _, side, _ in bars]
    axes.set_yticks(ys, short if look.stacked else [names[side] for _, side, _ in bars])
    axes.tick_params(axis="y", labelsize=look.type.small)
    for label, (_, side, _) in zip(axes.get_yticklabels(), bars, strict=True):
        label.set_color(colours.sides[side])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f}%"))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    counts = [look.numerals(f"{row['won']['n']:,}") for _, _, row in bars]
    beside(axes, ys, [Column(counts, [colours.muted] * len(bars), size=look.type.small)], look)
    _count_sevens(axes, ys, bars, look)
    axes.legend(
        handles=[Patch(facecolor=colour, edgecolor=colours.muted, linewidth=0.4, label=look.say(outcome))
                 for outcome, colour in zip(_OUTCOMES, colours.ramp, strict=True)],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.1, handlelength=1.0, handleheight=0.9,
        handletextpad=0.4, columnspacing=1.2,
    )  # fmt: skip


def _draw_shares(axes: Axes, bars: list[Bar], ys: list[float], look: Look) -> None:
    """The parts of the bars, with their shares where there is room."""
    colours = look.colours
    starts = [0.0] * len(bars)
    for outcome, colour in zip(_OUTCOMES, colours.ramp, strict=True):
        shares = [bar[2][outcome]["estimate"] for bar in bars]
        drawn = axes.barh(ys, shares, left=starts, height=0.84, color=colour, edgecolor=colours.paper, linewidth=0.6)
        for patch in drawn:
            patch.set_gid(f"primiera-{outcome}")
        for y, start, share in zip(ys, starts, shares, strict=True):
            if share >= (0.2 if look.stacked else 0.1):
                axes.text(
                    start + share / 2, y, f"{100 * share:.0f}%" if share < 0.995 or share == 1 else look.percent(share),
                    ha="center", va="center_baseline", fontsize=look.type.small, color=colours.on(colour),
                )  # fmt: skip
        starts = [start + share for start, share in zip(starts, shares, strict=True)]


def _count_sevens(axes: Axes, ys: list[float], bars: list[Bar], look: Look) -> None:
    """The number of sevens once for each group of bars, left of the names."""
    figure = axes.get_figure(root=True)
    names = [label.get_text() for label in axes.get_yticklabels()]
    widest = 72 * max(text_width(figure, name, look.type.small) for name in names)  # type: ignore[arg-type]
    for sevens in dict.fromkeys(bar[0] for bar in bars):
        places = [y for y, bar in zip(ys, bars, strict=True) if bar[0] == sevens]
        axes.annotate(
            str(sevens) if look.stacked else look.say("{n} seven" if sevens == 1 else "{n} sevens", n=sevens),
            (0, sum(places) / len(places)), xycoords=("axes fraction", "data"), xytext=(-16 - widest, 0),
            textcoords="offset points", ha="right", va="center_baseline", fontsize=look.type.text,
        )  # fmt: skip


def _bar_places(sevens: list[int]) -> list[float]:
    """Bars one below the other, with a gap after each number of sevens."""
    places, at = [], 0.0
    for number, count in enumerate(sevens):
        if number:
            at += 1.0 if count == sevens[number - 1] else 1.5
        places.append(at)
    return places


# ------------------------------------------------------------------------------------------------ figures


def _brief_bonuses(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """The bonuses among other panels, where the rules have any but misdeals."""
    present = any(_chances(frame, metadata, names, "hand", look) for names in (_TABLE, _KNOCKS))
    return bonuses_panel(frame, metadata, look, brief=True) if present else None


_PANELS: dict[str, MakePanel] = {
    "bonuses": bonuses_panel,
    "points": points_panel,
    "scores": scores_panel,
    "primiera": primiera_panel,
}

FIGURES = Family("overview", _PANELS, _head, "a file of simulate", _PANELS | {"bonuses": _brief_bonuses}).figures(11.0)
