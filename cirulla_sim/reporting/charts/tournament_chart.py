"""The figures of the files of ``tournament``: a matrix of margins, and the ranking beside it."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from textwrap import wrap
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..text.cells import is_significant, marked, minus
from ..text.labels import Metadata, fields_of, player, rules_title, version
from ..text.tournament_layout import best_words, gaps_of, letters_of, strongest_first
from .chart_rows import Column, beside, draw_estimates, grid_of_numbers, name_rows, pitch
from .figure_parts import Family, head
from .look import Look
from .page_layout import Head, Panel, text_width

_CELL, _PITCH = 0.52, 0.32
"""Inches from row to row of the matrix and of the ranking."""

_LONG = 14
"""Characters of a line of a policy's name."""

FULL = 0.5
"""Points of a margin that has the full colour, where none is larger: tiny effects stay pale."""

Row = dict[str, Any]


def _matrix(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """Every policy over every other in points a hand, strongest first."""
    names = [row["policy"] for row in _ranked(frame)]
    cells = {(row["policy"], row["opponent"]): row for row in _rows(frame, "margin")}
    games = {(row["policy"], row["opponent"]): row for row in _rows(frame, "wins_game")}
    if not names or not games:
        return None
    remark = look.say("The row’s policy over the column’s, with its interval and its chance of winning a game.")
    colour = look.say(
        "The colour goes with the square root of the margin; none, and parentheses, if it is not significant (Holm, 5%)."
    )
    draw = partial(_draw_matrix, names=names, cells=cells, games=games, look=look)
    tall = (_CELL * len(names) + 0.5) * look.scale
    return Panel(look.say("Points a hand over the opponent"), f"{remark} {colour}", tall, draw)


def _ranking(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """Each policy's strength with its interval, the policies that are not distinguishable, and the gap to the next."""
    strengths = _ranked(frame)
    if not strengths or not _rows(frame, "wins_game"):
        return None
    costs = {row["policy"]: row["estimate"] for row in _rows(frame, "cost")}
    gaps = gaps_of(frame)
    following = dict(pairwise(strongest_first(frame)))
    ahead = {first: marked(gaps[first, second], look.language) for first, second in following.items()}
    letters = letters_of(frame)
    remarks = [
        look.say("Points a hand, the mean of all being 0."),
        look.say("Players with a letter in common are not distinguishable."),
        look.say("At the right: the letters, how far each is ahead of the next, and microseconds a hand and side."
                 if costs else "At the right: the letters, and how far each is ahead of the next."),
        look.say("All gaps hold at once (Tukey–Kramer, 95%)."),
    ]  # fmt: skip
    draw = partial(_draw_ranking, rows=strengths, letters=letters, ahead=ahead, costs=costs, look=look)
    tall = pitch(look, _PITCH) * len(strengths) + 0.6 * look.scale
    return Panel(look.say("Strength"), " ".join(remarks), tall, draw)


def _rows(frame: pl.DataFrame, quantity: str) -> list[Row]:
    return frame.filter((pl.col("quantity") == quantity) & (pl.col("side") == "all")).to_dicts()


def _ranked(frame: pl.DataFrame) -> list[Row]:
    """The strengths, the strongest first."""
    return sorted(_rows(frame, "strength"), key=lambda row: -float(row["estimate"]))


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    deals, rules = look.numerals(f"{metadata.get('hands') or 0:,}"), fields_of(metadata)
    much = look.say("{n} deals a pairing", n=deals)
    if metadata.get("test"):
        delta = look.numerals(f"{metadata['test']['delta']:g}")
        much = look.say("Until decided to {delta} points a hand, at most {n} deals a pairing", delta=delta, n=deals)
    seats = look.say("each played with sides exchanged" if rules.sides == 2 else
                     "each policy alone against the other in every place")  # fmt: skip
    parts = [much, seats, look.say("seed {seed}", seed=metadata.get("seed")), *version(metadata)]
    intervals = look.say("Whiskers and ± are 95% intervals.")
    rules_words = rules_title(metadata, look)
    return head(metadata, look, best_words(frame, look.language), f"{', '.join(parts)}.", intervals, what=rules_words)


def _share(share: float, look: Look) -> str:
    """A share in whole percent, with no more certainty than there is.

    >>> [_share(share, Look()) for share in (1.0, 0.9996, 0.5, 0.001)]
    ['all', '>99%', '50%', '<1%']
    """
    if 0 < share < 0.01 or 0.99 < share < 1:
        return "<1%" if share < 0.5 else ">99%"
    if share in (0, 1):
        return look.say("all" if share else "none")
    return f"{100 * share:.0f}%"


def _label(name: str, look: Look) -> str:
    """What a player is called, in lines that are not too long.

    >>> _label("search:64", Look()), _label("analyses/beginners.py:takes_most_cards", Look())
    ('search:64', 'takes most\\ncards')
    """
    return "\n".join(wrap(player(name, look), _LONG, break_long_words=False))


def _points(row: Row, look: Look) -> tuple[str, str]:
    """An estimate and its half interval, with the decimals that two figures of the standard error need."""
    error = row["std_error"]
    places = max(1, min(3, 1 - math.floor(math.log10(error)))) if error > 0 else 2
    estimate = minus(look.numerals(f"{row['estimate']:+.{places}f}"))
    return _in_parentheses(estimate, row), look.numerals(f"±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}")


# ------------------------------------------------------------------------------------------------ the matrix


Pairs = dict[tuple[str, str], Row]
"""Rows by player and opponent."""


def _draw_matrix(axes: Axes, names: list[str], cells: Pairs, games: Pairs, look: Look) -> None:
    count, colours, sizes = len(names), look.colours, look.type
    most = max(FULL, *(abs(row["estimate"]) for row in cells.values()))
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_ylim(count - 0.5, -0.5)
    axes.spines["bottom"].set_visible(False)
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    labels = [_label(name, look) for name in names]
    widest = max(_wide(figure, label, sizes.text) for label in labels)
    room = (axes.get_window_extent().width / figure.dpi - widest - 0.1) / count
    written = _written(figure, cells, games, room, look)
    heads, turned = labels, False
    if widest > 0.9 * room:
        turned = room > 0.55 * look.scale
        if not turned:  # numbers at the head, and beside the names
            heads = [str(number) for number in range(1, count + 1)]
            labels = [f"{number} {label}" for number, label in zip(heads, labels, strict=True)]
    axes.set_yticks(range(count), labels)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0, labelcolor=colours.ink, labelsize=sizes.text)
    axes.set_xticks(range(count), heads)
    if turned:
        for label in axes.get_xticklabels():
            label.set(rotation=35, ha="left", rotation_mode="anchor")
    for (player_of_row, opponent), row in cells.items():
        x, y = names.index(opponent), names.index(player_of_row)
        colour = _colour(row, most, look)
        patch = Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=colours.paper, linewidth=1.2)
        patch.set_gid(f"margin-{player_of_row}-{opponent}")
        axes.add_patch(patch)
        for text, size, down in written[player_of_row, opponent]:
            axes.text(x, y + down, text, ha="center", va="center_baseline", fontsize=size, color=colours.on(colour))
    for place in range(count):
        axes.text(place, place, "·", ha="center", va="center", fontsize=sizes.text, color=colours.muted)


Lines = list[tuple[str, float, float]]
"""The lines of a cell: text, size, and how far below the middle."""


def _written(figure: Figure, cells: Pairs, games: Pairs, room: float, look: Look) -> dict[tuple[str, str], Lines]:
    """What stands in the cells; where there is little room the estimates alone, to a tenth of a point if need be."""
    written = {pair: _cell(row, games.get(pair), look) for pair, row in cells.items()}
    if all(_wide(figure, text, size) <= 0.94 * room for lines in written.values() for text, size, _ in lines):
        return written
    size = look.type.footer

    def fits(places: int) -> bool:
        return all(_wide(figure, _brief(row, places, look), size) < 0.9 * room for row in cells.values())

    places = next(filter(fits, (2, 1)), 0)
    return {pair: [(_brief(row, places, look), size, 0.0)] for pair, row in cells.items()}


def _wide(figure: Figure, text: str, size: float) -> float:
    return max(text_width(figure, line, size) for line in text.split("\n"))


def _cell(row: Row, game: Row | None, look: Look) -> Lines:
    estimate, half = _points(row, look)
    won = look.say("{share} won", share=_share(game["estimate"], look)) if game else ""
    return [(estimate, look.type.text, -0.27), (half, look.type.footer, 0.02), (won, look.type.footer, 0.28)]


def _brief(row: Row, places: int, look: Look) -> str:
    return _in_parentheses(minus(look.numerals(f"{row['estimate']:+.{places}f}")), row)


def _in_parentheses(estimate: str, row: Row) -> str:
    """A margin, marked as in tables if it is not significant; other estimates as they are."""
    return estimate if row["kind"] != "difference" or is_significant(row) else f"({estimate})"


def _colour(row: Row, most: float, look: Look) -> tuple[float, ...]:
    if not is_significant(row):
        return to_rgb(look.colours.paper)
    strength = math.copysign(math.sqrt(abs(row["estimate"]) / most), row["estimate"])
    return tuple(look.colours.margin_map(0.5 + 0.5 * strength)[:3])


# ------------------------------------------------------------------------------------------------ the ranking


def _draw_ranking(
    axes: Axes, rows: list[Row], letters: dict[str, str], ahead: dict[str, str], costs: dict[str, float], look: Look
) -> None:
    ys, colours = range(len(rows)), look.colours
    axes.set_ylim(len(rows) - 0.4, -0.75 if look.stacked else -0.6)
    low, high = min(row["ci_low"] for row in rows), max(row["ci_high"] for row in rows)
    edge = 0.06 * (high - low) or 0.1
    axes.set_xlim(low - edge, high + edge)
    grid_of_numbers(axes, "x", look, most=5)
    axes.set_xlabel(look.say("points a hand"))
    axes.axvline(0, color=colours.muted, linewidth=0.8 * look.scale)
    axes.hlines(ys, low - edge, high + edge, color=colours.hair, linewidth=0.5, zorder=0.5)
    draw_estimates(axes, ys, [(row["ci_low"], row["estimate"], row["ci_high"]) for row in rows], "strength", look)
    names = [row["policy"] for row in rows]
    labels = [player(name, look) if look.stacked else _label(name, look) for name in names]
    name_rows(axes, ys, labels, look)
    ink = [colours.ink] * len(rows)
    columns = [
        Column([" ".join(_points(row, look)) for row in rows], ink),
        Column([letters[name] for name in names], ink),
        Column([ahead.get(name, "") for name in names], ink),
    ]
    columns += [Column([_cost(costs.get(name), look) for name in names], ink)] if costs else []
    beside(axes, ys, columns, look)


def _cost(cost: float | None, look: Look) -> str:
    """Microseconds."""
    if cost is None:
        return ""
    return look.numerals(f"{cost:,.0f}" if cost >= 10 else f"{cost:.2g}") + " µs"


FIGURES = Family("tournament", {"matrix": _matrix, "strength": _ranking}, _head, "a whole file of tournament").figures(
    7.2
)
