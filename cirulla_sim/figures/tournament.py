"""The figure of the files of ``tournament``: a matrix of margins, and the ranking beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from ..errors import InputError
from . import style
from .page import TWO_COLUMNS, Head, Panel, page, text_width
from .words import Metadata, changed_words, player, rules_title

WIDTH = 7.2

_BEHIND_TO_AHEAD = LinearSegmentedColormap.from_list("margin", [style.OTHERS, style.PAPER, style.DEALER])
"""Orange, white, blue: told apart by every kind of colour-blind reader."""

_CELL, _PITCH = 0.52, 0.32
"""Inches from row to row of the matrix and of the ranking."""

_COLUMN = 50.0
"""Typographic points between the columns of numbers beside the ranking."""

_LONG = 14
"""Characters of a line of a policy's name."""

Row = dict[str, Any]


def tournament(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Every policy over every other in points a hand, strongest first, and each one's strength with its interval."""
    strengths = _rows(frame, "strength")
    if not strengths or not _rows(frame, "wins_game"):
        raise InputError("figure 'tournament' has nothing to show (valid: a whole file of tournament)")
    names = [row["policy"] for row in strengths]
    cells = {(row["policy"], row["opponent"]): row for row in _rows(frame, "margin")}
    games = {(row["policy"], row["opponent"]): row for row in _rows(frame, "wins_game")}
    stays = {row["policy"]: row["estimate"] for row in _rows(frame, "stays_ahead")}
    costs = {row["policy"]: row["estimate"] for row in _rows(frame, "cost")}
    holds = _rows(frame, "order_holds")[0]["estimate"]
    cost_words = ", and microseconds a hand and side" if costs else ""
    high = _CELL * len(names) + 0.5
    panels = [
        Panel(
            "Points a hand over the opponent",
            "The row’s policy over the column’s, with its interval and its chance of winning a game. The colour goes "
            "with the square root of the margin; white where the interval holds 0.",
            high,
            partial(_draw_matrix, names=names, cells=cells, games=games),
        ),
        Panel(
            "Strength",
            f"Points a hand, the mean of all being 0. The whole order holds in {_share(holds)} of the resamples; "
            f"at the right, how often each stays ahead of the next{cost_words}.",
            high if width >= TWO_COLUMNS else _PITCH * len(names) + 0.6,
            partial(_draw_ranking, rows=strengths, stays=stays, costs=costs),
        ),
    ]
    return page(_head(metadata), panels, width)


FIGURES: dict[str, Callable[..., Figure]] = {"tournament": tournament}


def _rows(frame: pl.DataFrame, quantity: str) -> list[Row]:
    return frame.filter((pl.col("quantity") == quantity) & (pl.col("side") == "all")).to_dicts()


def _head(metadata: Metadata) -> Head:
    deals, seed, most = metadata.get("hands") or 0, metadata.get("seed"), ""
    if metadata.get("test"):
        most = f"until decided to {metadata['test']['delta']:g} points a hand, at most "
    two = metadata.get("players") == 2 or metadata.get("rules", {}).get("partnership", True)
    exchanged = "each played with sides exchanged" if two else "each policy alone against the other in every place"
    parts = [f"{most}{deals:,} deals a pairing", exchanged, f"seed {seed}"]
    parts += [f"cirulla-sim {metadata['version']}"] if "version" in metadata else []
    told = ", ".join(parts)
    return Head(
        title=f"{rules_title(metadata)}: {len(metadata.get('policies', []))} policies against each other",
        subtitle=f"{told[0].upper()}{told[1:]}. Whiskers and ± are 95% intervals.{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )


def _share(share: float) -> str:
    """A share in whole percent, with no more certainty than there is.

    >>> _share(1.0), _share(0.9996), _share(0.5), _share(0.001)
    ('all', '>99%', '50%', '<1%')
    """
    if 0 < share < 0.01 or 0.99 < share < 1:
        return "<1%" if share < 0.5 else ">99%"
    if share in (0, 1):
        return "all" if share else "none"
    return f"{100 * share:.0f}%"


def _label(name: str) -> str:
    """What a player is called, in lines that are not too long.

    >>> _label("search:64"), _label("analyses/beginners.py:takes_most_cards")
    ('search:64', 'takes most\\ncards')
    """
    return "\n".join(wrap(player(name), _LONG, break_long_words=False))


def _points(row: Row) -> tuple[str, str]:
    """An estimate and its half interval, with the decimals that two figures of the standard error need."""
    error = row["std_error"]
    places = max(1, min(3, 1 - math.floor(math.log10(error)))) if error > 0 else 2
    return f"{row['estimate']:+.{places}f}".replace("-", "−"), f"±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}"


# ------------------------------------------------------------------------------------------------ the matrix


def _draw_matrix(
    axes: Axes, names: list[str], cells: dict[tuple[str, str], Row], games: dict[tuple[str, str], Row]
) -> None:
    count = len(names)
    most = max(abs(row["estimate"]) for row in cells.values()) or 1.0
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_ylim(count - 0.5, -0.5)
    axes.spines["bottom"].set_visible(False)
    axes.set_yticks(range(count), [_label(name) for name in names])
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0, labelcolor=style.INK, labelsize=style.TEXT)
    axes.set_xticks(range(count), [_label(name) for name in names])
    figure = axes.get_figure(root=True)
    assert figure is not None
    room = 0.62 * axes.get_window_extent().width / figure.dpi / count
    if max(text_width(figure, line, style.TEXT) for name in names for line in _label(name).split("\n")) > room:
        for label in axes.get_xticklabels():
            label.set(rotation=35, ha="left", rotation_mode="anchor")
    for (one, other), row in cells.items():
        x, y = names.index(other), names.index(one)
        colour = _colour(row, most)
        patch = Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=style.PAPER, linewidth=1.2)
        patch.set_gid(f"margin-{one}-{other}")
        axes.add_patch(patch)
        ink = style.PAPER if _luminance(colour) < _HALFWAY else style.INK
        estimate, half = _points(row)
        chance = f"{_share(games[one, other]['estimate'])} won" if (one, other) in games else ""
        for text, down, size in ((estimate, -0.27, style.TEXT), (half, 0.02, style.SMALL - 1),
                                 (chance, 0.28, style.SMALL - 1)):  # fmt: skip
            axes.text(x, y + down, text, ha="center", va="center_baseline", fontsize=size, color=ink)
    for place in range(count):
        axes.text(place, place, "·", ha="center", va="center", fontsize=style.TEXT, color=style.MUTED)


def _colour(row: Row, most: float) -> tuple[float, ...]:
    if row["ci_low"] <= 0 <= row["ci_high"]:
        return to_rgb(style.PAPER)
    strength = math.copysign(math.sqrt(abs(row["estimate"]) / most), row["estimate"])
    return tuple(_BEHIND_TO_AHEAD(0.5 + 0.5 * strength)[:3])


def _luminance(colour: tuple[float, ...]) -> float:
    """How light a colour is to the eye, 0 to 1 (WCAG's relative luminance, with its exponent rounded)."""
    red, green, blue = colour
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)


_HALFWAY = math.sqrt((_luminance(to_rgb(style.INK)) + 0.05) * 1.05) - 0.05
"""The luminance on which ink and paper are read equally well."""


# ------------------------------------------------------------------------------------------------ the ranking


def _draw_ranking(axes: Axes, rows: list[Row], stays: dict[str, float], costs: dict[str, float]) -> None:
    ys = range(len(rows))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(list(ys), [_label(row["policy"]) for row in rows])
    low, high = min(row["ci_low"] for row in rows), max(row["ci_high"] for row in rows)
    edge = 0.06 * (high - low) or 0.1
    axes.set_xlim(low - edge, high + edge)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.grid(axis="x")
    axes.set_xlabel("points a hand")
    axes.axvline(0, color=style.MUTED, linewidth=0.8)
    axes.hlines(ys, low - edge, high + edge, color=style.HAIR, linewidth=0.5, zorder=0.5)
    lows, highs = [row["ci_low"] for row in rows], [row["ci_high"] for row in rows]
    axes.hlines(ys, lows, highs, color=style.DEALER, linewidth=1.4, gid="strength-whiskers")
    axes.plot(
        [row["estimate"] for row in rows], list(ys), linestyle="none", marker="o", markersize=4.5, color=style.DEALER,
        clip_on=False, zorder=3, gid="strength-dots",
    )  # fmt: skip
    for y, row in zip(ys, rows, strict=True):
        name = row["policy"]
        columns = [" ".join(_points(row)), _share(stays[name]) if name in stays else ""]
        columns += [f"{costs[name]:.0f} µs" if costs[name] >= 10 else f"{costs[name]:.2g} µs"] if name in costs else []
        right = 22.0
        for text in columns:
            right += _COLUMN
            axes.annotate(
                text, (1, y), xycoords=("axes fraction", "data"), xytext=(right, 0), textcoords="offset points",
                ha="right", va="center_baseline", fontsize=style.TEXT, color=style.INK,
            )  # fmt: skip
