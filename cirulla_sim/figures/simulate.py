"""Figures of the files of ``simulate``: each takes the table and its metadata and gives a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import ScaledTranslation

from ..errors import InputError
from . import style
from .dots import Chance, draw_chances, height
from .page import Head, Panel, page, text_width
from .words import NAMES, Metadata, changed_words, how_much, percent, play_words, rules_title, side_names
from .words import points as points_words

SIDES = ("dealer", "others")

SINGLE = 7.2
OVERVIEW = 11.0
"""Inches across, unless asked otherwise."""

_TABLE = ("misdeal", "table_15", "table_30", "table_low", "table_wins", "misdeals_in_a_row")
_KNOCKS = ("knock", "hand_low", "hand_low_no_ace", "hand_triple")
_RULE_OF = {"knock": "hand_low", "hand_low": "hand_low", "hand_low_no_ace": "hand_low", "hand_triple": "hand_triple"}
_OUTCOMES = ("won", "tied", "lost")
_COLUMNS = {"dealer": 30.0, "others": 66.0}
"""Where the columns of mean points end, in typographic points right of the axes."""

_SHOWN_TAIL = 0.001
_CURVES = 0.82
"""Part of the height for the curves of scores; above it is who is who."""


# ------------------------------------------------------------------------------------------------ figures


def overview(frame: pl.DataFrame, metadata: Metadata, width: float = OVERVIEW) -> Figure:
    """All there is to see of a run on one page; panels whose rules are off are left out."""
    panels = [
        bonuses_panel(frame, metadata, brief=True) if _has_bonuses(frame, metadata) else None,
        points_panel(frame, metadata),
        scores_panel(frame, metadata),
        primiera_panel(frame, metadata),
    ]
    return page(_head(metadata), [panel for panel in panels if panel is not None], width)


def bonuses(frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    """How often bonuses and misdeals come, with intervals, percentages and odds."""
    return _alone("bonuses", frame, metadata, width)


def points(frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    """Mean points a hand by category: the dealer's side against the others."""
    return _alone("points", frame, metadata, width)


def scores(frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    """How scores of a hand are distributed, with their means."""
    return _alone("scores", frame, metadata, width)


def primiera(frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    """Shares of primiere won, tied and lost by the number of sevens in the pile."""
    return _alone("primiera", frame, metadata, width)


FIGURES: dict[str, Callable[..., Figure]] = {
    "overview": overview,
    "bonuses": bonuses,
    "points": points,
    "scores": scores,
    "primiera": primiera,
}


def _alone(name: str, frame: pl.DataFrame, metadata: Metadata, width: float) -> Figure:
    makers = {"bonuses": bonuses_panel, "points": points_panel, "scores": scores_panel, "primiera": primiera_panel}
    panel = makers[name](frame, metadata)
    if panel is None:
        there = ["overview", *(kind for kind, make in makers.items() if make(frame, metadata) is not None)]
        raise InputError(f"figure {name!r} has nothing to show under these rules (valid: {', '.join(there)})")
    return page(_head(metadata), [panel], width)


def _head(metadata: Metadata) -> Head:
    played = play_words(metadata)
    return Head(
        title=rules_title(metadata) + (f", {played}" if played else ""),
        subtitle=f"{how_much(metadata)}. Whiskers and bands are 95% intervals.{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )


# ------------------------------------------------------------------------------------------------ bonuses


def bonuses_panel(frame: pl.DataFrame, metadata: Metadata, brief: bool = False) -> Panel | None:
    """Chances of bonuses under what one trial is; ``brief`` leaves out those per hand that holdings show too."""
    cards = metadata.get("rules", {}).get("deal_plan", [3])
    groups = [
        ("Of all tables dealt", _chances(frame, metadata, _TABLE, "table")),
        ("Of all hands, on the table", _chances(frame, metadata, _TABLE, "hand")),
        (f"Of all holdings of {_number(cards[0])} cards", _chances(frame, metadata, _KNOCKS, "holding")),
        ("Of all hands, somebody at least once", _chances(frame, metadata, _KNOCKS, "hand")),
    ]
    if brief and groups[2][1]:
        del groups[3]
    groups = [(heading, chances) for heading, chances in groups if chances]
    if not groups:
        return None
    knocks = _row(frame, "knock", per="hand", kind="mean")
    remark = f"Knocks a hand, all players together: {points_words(knocks['estimate'])} on average." if knocks else ""
    return Panel("How often bonuses come", remark, height(groups), lambda axes: draw_chances(axes, groups, "bonuses"))


def _has_bonuses(frame: pl.DataFrame, metadata: Metadata) -> bool:
    return any(_chances(frame, metadata, names, "hand") for names in (_TABLE, _KNOCKS))


def _chances(frame: pl.DataFrame, metadata: Metadata, names: Sequence[str], per: str) -> list[Chance]:
    rules = metadata.get("rules", {})
    rows = [_row(frame, name, per=per, kind="probability") for name in names]
    return [
        Chance(NAMES[row["quantity"]], row["estimate"], row["ci_low"], row["ci_high"])
        for row in rows
        if row is not None and (row["estimate"] > 0 or rules.get(_RULE_OF.get(row["quantity"], ""), 1) != 0)
    ]


def _number(cards: int) -> str:
    return {3: "three", 6: "six", 9: "nine", 10: "ten"}.get(cards, str(cards))


# ------------------------------------------------------------------------------------------------ points


def points_panel(frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
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
    rows = {side: [_row(every, name, side=side) for name in order] for side in SIDES}
    whole = {side: _row(frame, "points", side=side, kind="mean") for side in SIDES}
    names = side_names(metadata)
    totals = ", ".join(f"{names[side].lower()} {points_words(row['estimate'])}"
                       for side in SIDES if (row := whole[side]))  # fmt: skip
    draw = partial(_draw_points, order=order, rows=rows, names=names)
    return Panel("Where the points come from", f"Mean points a hand. In all, {totals}.", 0.27 * len(order) + 0.55, draw)


def _draw_points(axes: Axes, order: list[str], rows: dict[str, list[Any]], names: dict[str, str]) -> None:
    apart = {"dealer": -0.17, "others": 0.17}
    axes.set_ylim(len(order) - 0.45, -0.55)
    axes.set_yticks(range(len(order)), [NAMES.get(name, name) for name in order])
    axes.grid(axis="x")
    most = max(row["ci_high"] for side in SIDES for row in rows[side])
    least = min(0.0, *(row["ci_low"] for side in SIDES for row in rows[side]))
    axes.set_xlim(least * 1.05, most * 1.05)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.hlines(range(len(order)), least, most * 1.05, color=style.HAIR, linewidth=0.5, zorder=0.5)
    for side in SIDES:
        ys = [i + apart[side] for i in range(len(order))]
        colour = style.COLOURS[side]
        lows, highs = [row["ci_low"] for row in rows[side]], [row["ci_high"] for row in rows[side]]
        axes.hlines(ys, lows, highs, color=colour, linewidth=1.4, gid=f"points-{side}-whiskers")
        axes.plot(
            [row["estimate"] for row in rows[side]], ys, linestyle="none", marker=style.MARKERS[side], markersize=4.2,
            color=colour, clip_on=False, gid=f"points-{side}-dots", zorder=3,
        )  # fmt: skip
        for i, row in enumerate(rows[side]):
            axes.annotate(
                points_words(row["estimate"]), (1, i), xycoords=("axes fraction", "data"), xytext=(_COLUMNS[side], 0),
                textcoords="offset points", ha="right", va="center_baseline", fontsize=style.TEXT, color=colour,
            )  # fmt: skip
    _key(axes, names)


def _key(axes: Axes, names: dict[str, str]) -> None:
    """Who is which mark, above the axes."""
    marks = [
        axes.plot([], [], linestyle="none", marker=style.MARKERS[side], markersize=4.2, color=style.COLOURS[side])[0]
        for side in SIDES
    ]
    end = ScaledTranslation(_COLUMNS["others"] / 72, 0, axes.get_figure(root=True).dpi_scale_trans)  # type: ignore[union-attr]
    legend = axes.legend(
        marks, [names[side] for side in SIDES], loc="lower right", bbox_to_anchor=(1, 1),
        bbox_transform=axes.transAxes + end, ncols=2, borderpad=0, borderaxespad=0.4,
        handletextpad=0.1, columnspacing=1.0,
    )  # fmt: skip
    for text, side in zip(legend.get_texts(), SIDES, strict=True):
        text.set_color(style.COLOURS[side])


# ------------------------------------------------------------------------------------------------ scores


def scores_panel(frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    """The distribution of the points a side makes in a hand."""
    rows = {
        side: frame.filter((pl.col("quantity") == "points_distribution") & (pl.col("side") == side)).sort("value")
        for side in SIDES
    }
    if any(part.is_empty() for part in rows.values()):
        return None
    means = {side: row["estimate"] for side in SIDES if (row := _row(frame, "points", side=side, kind="mean"))}
    last = max(_last_shown(part) for part in rows.values())
    remark = "Share of hands by score; means dotted."
    if any(float(part["value"].max()) > last for part in rows.values()):  # type: ignore[arg-type]
        remark += f" Above {last:.0f} points: under 0.1%, not shown."
    draw = partial(_draw_scores, rows=rows, means=means, last=last, names=side_names(metadata))
    return Panel("How many points a hand brings", remark, 2.6, draw)


def _last_shown(rows: pl.DataFrame) -> float:
    """The highest score to show: above it there are fewer than one hand in a thousand."""
    tail = rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)
    return float(tail["value"].max())  # type: ignore[arg-type]


def _draw_scores(
    axes: Axes, rows: dict[str, pl.DataFrame], means: dict[str, float], last: float, names: dict[str, str]
) -> None:
    most = max(float(part["ci_high"].max()) for part in rows.values())  # type: ignore[arg-type]
    first = min(0.0, *(float(part["value"].min()) for part in rows.values()))  # type: ignore[arg-type]
    axes.set_xlim(first - 0.4, last + 0.6)
    axes.set_ylim(0, most / _CURVES)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.10g}%"))
    axes.tick_params(axis="y", labelsize=style.SMALL, labelcolor=style.MUTED)
    axes.grid(axis="y")
    axes.set_xlabel("points in a hand")
    for number, side in enumerate(SIDES):
        part, colour = rows[side], style.COLOURS[side]
        axes.fill_between(
            part["value"].to_numpy(), part["ci_low"].to_numpy(), part["ci_high"].to_numpy(),
            color=colour, alpha=0.22, linewidth=0, gid=f"scores-{side}-band",
        )  # fmt: skip
        axes.plot(
            part["value"].to_list(), part["estimate"].to_list(), linestyle=style.LINES[side], linewidth=1.2,
            marker=style.MARKERS[side], markersize=2.8, color=colour, gid=f"scores-{side}-dots",
        )  # fmt: skip
        told = names[side]
        if side in means:
            axes.axvline(
                means[side], ymax=_CURVES, color=colour, linewidth=0.9, linestyle=(0, (2, 2)), gid=f"scores-{side}-mean"
            )
            told += f", mean {points_words(means[side])}"
        axes.annotate(
            told, (1, 1), xycoords="axes fraction", xytext=(-2, -4 - 14 * number), textcoords="offset points",
            ha="right", va="top", fontsize=style.TEXT, color=colour,
            bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip


# ------------------------------------------------------------------------------------------------ primiera


def primiera_panel(frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    split = frame.filter(pl.col("quantity").is_in([f"primiera_{o}" for o in _OUTCOMES]) & pl.col("value").is_not_null())

    def outcomes(sevens: float, side: str) -> dict[str, Any]:
        rows = {outcome: _row(split, f"primiera_{outcome}", side=side, value=sevens) for outcome in _OUTCOMES}
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
    draw = partial(_draw_primiera, bars=bars, names=side_names(metadata))
    remark = "What so many sevens brought; at the right, how many piles there were."
    return Panel("Primiera by sevens in the pile", remark, 0.2 * len(bars) + 0.1 * groups + 0.6, draw)


def _draw_primiera(axes: Axes, bars: list[tuple[int, str, dict[str, Any]]], names: dict[str, str]) -> None:
    ys = _bar_places([sevens for sevens, _, _ in bars])
    starts = [0.0] * len(bars)
    for outcome, colour in zip(_OUTCOMES, style.RAMP, strict=True):
        shares = [bar[2][outcome]["estimate"] for bar in bars]
        drawn = axes.barh(ys, shares, left=starts, height=0.84, color=colour, edgecolor=style.PAPER, linewidth=0.6)
        for patch in drawn:
            patch.set_gid(f"primiera-{outcome}")
        for y, start, share in zip(ys, starts, shares, strict=True):
            if share >= 0.1:
                axes.text(
                    start + share / 2, y, f"{100 * share:.0f}%" if share < 0.995 or share == 1 else percent(share),
                    ha="center", va="center_baseline", fontsize=style.SMALL,
                    color=style.PAPER if outcome == "won" else style.INK,
                )  # fmt: skip
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    won = [bar[2]["won"] for bar in bars]
    axes.hlines(
        [y + 0.36 for y in ys], [row["ci_low"] for row in won], [row["ci_high"] for row in won],
        color=style.OTHERS, linewidth=1.0, gid="primiera-whiskers",
    )  # fmt: skip
    axes.set_xlim(0, 1)
    axes.set_ylim(max(ys) + 0.6, min(ys) - 0.6)
    axes.set_yticks(ys, [names[side] for _, side, _ in bars])
    axes.tick_params(axis="y", labelsize=style.SMALL)
    for label, (_, side, _) in zip(axes.get_yticklabels(), bars, strict=True):
        label.set_color(style.COLOURS[side])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f}%"))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    for y, (_, _, row) in zip(ys, bars, strict=True):
        axes.annotate(
            f"{row['won']['n']:,}", (1, y), xycoords=("axes fraction", "data"), xytext=(5, 0),
            textcoords="offset points", ha="left", va="center_baseline", fontsize=style.SMALL, color=style.MUTED,
        )  # fmt: skip
    _count_sevens(axes, ys, bars)
    axes.legend(
        handles=[Patch(facecolor=colour, edgecolor=style.MUTED, linewidth=0.4, label=outcome)
                 for outcome, colour in zip(_OUTCOMES, style.RAMP, strict=True)],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.1, handlelength=1.0, handleheight=0.9,
        handletextpad=0.4, columnspacing=1.2,
    )  # fmt: skip


def _count_sevens(axes: Axes, ys: list[float], bars: list[tuple[int, str, dict[str, Any]]]) -> None:
    """The number of sevens once for each group of bars, left of the names."""
    figure = axes.get_figure(root=True)
    widest = 72 * max(text_width(figure, label.get_text(), style.SMALL) for label in axes.get_yticklabels())  # type: ignore[arg-type]
    for sevens in dict.fromkeys(bar[0] for bar in bars):
        places = [y for y, bar in zip(ys, bars, strict=True) if bar[0] == sevens]
        axes.annotate(
            f"{sevens} {'seven' if sevens == 1 else 'sevens'}", (0, sum(places) / len(places)),
            xycoords=("axes fraction", "data"), xytext=(-18 - widest, 0),
            textcoords="offset points", ha="right", va="center_baseline", fontsize=style.TEXT,
        )  # fmt: skip


def _bar_places(sevens: list[int]) -> list[float]:
    """Bars one below the other, with a gap after each number of sevens."""
    places, at = [], 0.0
    for number, held in enumerate(sevens):
        if number:
            at += 1.0 if held == sevens[number - 1] else 1.5
        places.append(at)
    return places


# ------------------------------------------------------------------------------------------------ rows


def _row(frame: pl.DataFrame, quantity: str, value: float | None = None, **columns: str) -> dict[str, Any] | None:
    """The one row of a quantity, or None."""
    found = frame.filter(
        (pl.col("quantity") == quantity) & pl.col("value").eq_missing(pl.lit(value, pl.Float64)),
        *(pl.col(name) == wanted for name, wanted in columns.items()),
    )
    return found.row(0, named=True) if found.height else None
