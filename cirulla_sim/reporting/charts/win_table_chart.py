"""The figure of the tables of ``games --win-table``: the chance to win from every score."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..text.labels import Metadata, how_much, policy_note
from .dots import Chance, draw_chances, height
from .figure_parts import Family, head, row_of, subject
from .look import Look
from .page_layout import Head, Panel

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

_WORDS = {"us": "We deal", "them": "They deal"}


def _map(dealer: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """The chance to win by our score and theirs, with contour lines."""
    rows = frame.filter(dealer=dealer)
    if rows.is_empty():
        return None
    side = min(3.9 * look.scale, (look.across - 0.6) / look.columns)
    return Panel(look.say(_WORDS[dealer]), _level(rows, look), side, partial(_draw, frame=rows, look=look))


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    widest = float((frame["ci_high"] - frame["ci_low"]).max()) / 2  # type: ignore[arg-type]
    intervals = look.say(
        "From every score, ours across and theirs up; 95% intervals are ±{half} percentage points or less.",
        half=look.numerals(f"{100 * widest:.2g}"),
    )
    title = f"{subject(metadata, look)}: {_title(frame, metadata, look)}"
    return head(metadata, look, title, intervals, f"{how_much(metadata, look)}.", what="")


def _title(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """The chance at the start, of whoever deals where all play alike, otherwise of us."""
    row = row_of(frame, "wins_game", us=0, them=0, dealer="us")
    if row is None:
        return look.say("the chance to win the game")
    alike = not policy_note(metadata, "us", look)
    sentence = "from 0–0 who deals wins {p} of games" if alike else "from 0–0, dealing, we win {p} of games"
    return look.say(sentence, p=look.numerals(f"{100 * row['estimate']:.1f}%"))


def _chances(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """The chance to win from one score, by each way it was calculated."""
    rows = frame.filter(kind="probability").iter_rows(named=True)
    chances = [
        Chance(look.say(row["method"]), row["estimate"], row["ci_low"], row["ci_high"], row["exact"]) for row in rows
    ]
    if not chances:
        return None
    groups = [(look.say("Of games"), chances)]
    draw = partial(draw_chances, groups=groups, gid="chance", look=look)
    return Panel(look.say("How likely it is"), "", height(groups, look), draw)


_FROM_SCORE = {
    "us": "From {score}, dealing, we{policy} win {p} of the games",
    "them": "From {score}, with the others to deal, we{policy} win {p} of the games",
    "any": "From {score}, whoever deals, we{policy} win {p} of the games",
}


def _head_of_chance(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    row = frame.filter(kind="probability").row(0, named=True)
    sentence = _FROM_SCORE.get(row["dealer"], _FROM_SCORE["them"])
    title = look.say(sentence, score=row["score"].replace("-", "–"), policy=policy_note(metadata, "us", look),
                     p=look.percent(row["estimate"]))  # fmt: skip
    return head(metadata, look, title, f"{how_much(metadata, look)}.", look.say("Whiskers are 95% intervals."))


_MAPS = {dealer: partial(_map, dealer) for dealer in _WORDS}
FIGURES = Family("chances", {}, _head, "a file of games --win-table", _MAPS).figures(9.6)
CHANCE = Family("chance", {"chance": _chances}, _head_of_chance, "a file of games from a score").figures(7.2)


def _level(rows: pl.DataFrame, look: Look) -> str:
    row = row_of(rows, "wins_game", us=0, them=0)
    if row is None:
        return ""
    p = look.numerals(f"{100 * row['estimate']:.1f}%")
    return look.say("At 0–0 we win {p} of games; thick line: even.", p=p)


def _draw(axes: Axes, frame: pl.DataFrame, look: Look) -> None:
    colours = look.colours
    size = int(frame["us"].max()) + 1  # type: ignore[arg-type]
    grid: np.ndarray[Any, Any] = np.full((size, size), np.nan)
    grid[frame["them"].to_numpy(), frame["us"].to_numpy()] = frame["estimate"].to_numpy()
    axes.imshow(grid, origin="lower", cmap=colours.chance_map, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
    if size > 2:
        lines = [colours.on(colours.chance_map(level)[:3]) for level in LEVELS]
        widths = [(1.6 if level == 0.5 else 0.5) * look.scale for level in LEVELS]
        drawn = axes.contour(grid, levels=LEVELS, colors=lines, linewidths=widths)
        every = 2 if look.stacked else 1
        labelled = [
            level for level in LEVELS[::every] if level != 0.5
        ]  # the thick line: a label of it meets the corner
        axes.clabel(
            drawn, labelled, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.type.footer, inline_spacing=2
        )
    axes.set_xlabel(look.say("our score"))
    axes.set_ylabel(look.say("their score"))
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=colours.muted)
