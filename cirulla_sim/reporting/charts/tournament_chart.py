"""The figures of the files of ``tournament``: a matrix of margins, and the ranking beside it."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from ..text.cells import is_significant, marked, minus
from ..text.findings import counted, strongest
from ..text.labels import Metadata, fields_of, player, version
from ..text.layouts import gaps_of, letters_of, strongest_first
from ..text.sentences import title
from .figure_parts import Family, Plot, command_of, mark_of, method
from .look import Look
from .rows import ChartRow as ChartRow
from .rows import Group, RowChart
from .sheet import Graphic, line_height, text_width, wrapped

_CELL = 0.52
"""Inches from row to row of the matrix."""

_LONG = 1.0
"""Inches of a line of a policy's name."""

FULL = 0.5
"""Points of a margin that has the full colour, where none is larger: tiny effects stay pale."""

Row = dict[str, Any]


def _matrix(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Every policy over every other in points a hand, strongest first."""
    names = [row["policy"] for row in _ranked(frame)]
    cells = {(row["policy"], row["opponent"]): row for row in _rows(frame, "margin")}
    games = {(row["policy"], row["opponent"]): row for row in _rows(frame, "wins_game")}
    if not names or not games:
        return None
    shown = look.say("Points a hand of the row’s policy over the column’s, with the interval and the games won.")
    pairs = [row for (one, other), row in cells.items() if names.index(one) < names.index(other)]
    finding = counted("pairings", pairs)
    shades = look.say("Triangles point up for ahead and down for behind; none, and parentheses, if not significant "
                      "(Holm, 5%). Shades go with the square root of the margin.")  # fmt: skip
    body = Plot(_CELL * len(names) + 0.5, partial(_draw_matrix, names=names, cells=cells, games=games))
    return Graphic(title(finding, look.language), shown, body, _method(metadata, look, shades), command_of(metadata))


def _ranking(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Each policy's strength with its interval, the policies that are not distinguishable, and the gap to the next."""
    strengths = _ranked(frame)
    if not strengths or not _rows(frame, "wins_game"):
        return None
    gaps = gaps_of(frame)
    following = dict(pairwise(strongest_first(frame)))
    ahead = {first: marked(gaps[first, second], look.language) for first, second in following.items()}
    letters = letters_of(frame)
    rows = []
    for row in strengths:
        name = row["policy"]
        estimate, half = _points(row, look)
        texts = (f"{estimate} {half}", letters[name], ahead.get(name, ""))
        rows.append(ChartRow(player(name, look), (mark_of(row, texts, look, sign="+"),), key=name))
    heads = ("", look.say("group"), look.say("ahead of the next"))
    groups = look.say("Players of one group are not distinguishable; all gaps hold at once (Tukey–Kramer, 95%).")
    body = RowChart((Group("", tuple(rows)),), heads=heads, optional=1, reference=(0.0, look.say("mean of all")))
    return Graphic(
        title(strongest(strongest_first(frame), gaps), look.language),
        look.say("Strength in points a hand, the mean of all being 0."),
        body,
        _method(metadata, look, groups),
        command_of(metadata),
    )


def _rows(frame: pl.DataFrame, quantity: str) -> list[Row]:
    return frame.filter((pl.col("quantity") == quantity) & (pl.col("side") == "all")).to_dicts()


def _ranked(frame: pl.DataFrame) -> list[Row]:
    """The strengths, the strongest first."""
    return sorted(_rows(frame, "strength"), key=lambda row: -float(row["estimate"]))


def _method(metadata: Metadata, look: Look, *sentences: str) -> str:
    deals, rules = look.numerals(f"{metadata.get('hands') or 0:,}"), fields_of(metadata)
    much = look.say("{n} deals a pairing", n=deals)
    if metadata.get("test"):
        delta = look.numerals(f"{metadata['test']['delta']:g}")
        much = look.say("Until decided to {delta} points a hand, at most {n} deals a pairing", delta=delta, n=deals)
    seats = look.say("each played with sides exchanged" if rules.sides == 2 else
                     "each policy alone against the other in every place")  # fmt: skip
    parts = [much, seats, look.say("seed {seed}", seed=metadata.get("seed")), *version(metadata)]
    return method(metadata, look, *sentences, much=", ".join(parts))


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


def _label(name: str, lines: int, look: Look) -> str:
    """What a player is called, in lines that are not too long."""
    return "\n".join(wrapped(name, _LONG * look.scale, look.type.small, most=lines))


def _points(row: Row, look: Look) -> tuple[str, str]:
    """An estimate and its half interval, with the decimals that two figures of the standard error need."""
    error = row["std_error"]
    places = max(1, min(3, 1 - math.floor(math.log10(error)))) if error > 0 else 2
    estimate = minus(look.numerals(f"{row['estimate']:+.{places}f}"))
    return _in_parentheses(estimate, row), look.numerals(f"±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}")


# ------------------------------------------------------------------------------------------------ the matrix


Pairs = dict[tuple[str, str], Row]
"""Rows by player and opponent."""


def _draw_matrix(axes: Axes, look: Look, names: list[str], cells: Pairs, games: Pairs) -> None:
    count, colours, sizes = len(names), look.colours, look.type
    most = max(FULL, *(abs(row["estimate"]) for row in cells.values()))
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_ylim(count - 0.5, -0.5)
    axes.spines["bottom"].set_visible(False)
    box = axes.get_window_extent()
    high = (box.height / look.dots - line_height(sizes.text)) / count
    lines = max(1, int(high / line_height(sizes.small)))
    labels = [_label(f"{place} {player(name, look)}", lines, look) for place, name in enumerate(names, 1)]
    widest = max(text_width(line, sizes.small) for label in labels for line in label.split("\n"))
    room = (box.width / look.dots - widest - 0.1) / count
    written = _written(cells, games, room, high, look)
    axes.set_yticks(range(count), labels)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0, labelcolor=colours.ink, labelsize=sizes.small)
    axes.tick_params(axis="y", labelsize=sizes.small)
    axes.set_xticks(range(count), [str(place) for place in range(1, count + 1)])
    for (player_of_row, opponent), row in cells.items():
        x, y = names.index(opponent), names.index(player_of_row)
        colour = _colour(row, most, look)
        patch = Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=colours.paper, linewidth=1.2)
        patch.set_gid(f"margin-{player_of_row}-{opponent}")
        axes.add_patch(patch)
        ink = colours.on(colour)
        if is_significant(row):
            axes.plot([x - 0.4], [y - 0.38], marker="^" if row["estimate"] > 0 else "v", markersize=3.2 * look.scale,
                      color=ink, linestyle="none", gid="sign")  # fmt: skip
        for text, size, down in written[player_of_row, opponent]:
            axes.text(x, y + down, text, ha="center", va="center_baseline", fontsize=size, color=ink, gid="number")
    for place in range(count):
        axes.text(place, place, "·", ha="center", va="center", fontsize=sizes.text, color=colours.muted)


Lines = list[tuple[str, float, float]]
"""The lines of a cell: text, size, and how far below the middle."""


def _written(cells: Pairs, games: Pairs, room: float, high: float, look: Look) -> dict[tuple[str, str], Lines]:
    """What stands in the cells; where there is little room the estimates alone, to a tenth of a point if need be."""
    written = {pair: _cell(row, games.get(pair), look) for pair, row in cells.items()}
    tall = high >= 3.1 * line_height(look.type.footer)
    if tall and all(text_width(text, size) <= 0.94 * room for lines in written.values() for text, size, _ in lines):
        return written
    size = look.type.footer

    def fits(places: int) -> bool:
        return all(text_width(_brief(row, places, look), size) < 0.9 * room for row in cells.values())

    places = next(filter(fits, (2, 1)), 0)
    return {pair: [(_brief(row, places, look), size, 0.0)] for pair, row in cells.items()}


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


FAMILY = Family({"strength": _ranking, "matrix": _matrix}, "a whole file of tournament")
