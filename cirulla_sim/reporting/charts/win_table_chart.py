"""The figure of the tables of ``games --win-table``: the chance to win from every score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...core.errors import InputError
from ..text.labels import Metadata, changed_words, how_much, play_words, player, rules_title
from .dots import Chance, draw_chances, height
from .look import Look
from .page_layout import Head, Panel, page

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

_WORDS = {"us": "We deal", "them": "They deal"}


def chances(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Two maps of the chance to win by our score and theirs, for either side dealing, with contour lines."""
    side = (look.across - 0.6) / look.columns
    panels = [
        Panel(
            look.say(words), _level(frame, dealer, look), min(3.9 * look.scale, side),
            partial(_draw, frame=frame.filter(pl.col("dealer") == dealer), look=look),
        )
        for dealer, words in _WORDS.items()
        if not frame.filter(pl.col("dealer") == dealer).is_empty()
    ]  # fmt: skip
    if not panels:
        raise InputError("figure 'chances' has nothing to show (valid: a file of games --win-table)")
    policies = metadata.get("policies", [])
    played = play_words({**metadata, "policies": policies[:1]}, look)
    if len(set(policies)) > 1:
        one, other = (player(name, look) for name in policies[:2])
        played = look.say("{one} against {other}", one=one, other=other)
    widest = float((frame["ci_high"] - frame["ci_low"]).max()) / 2  # type: ignore[arg-type]
    subtitle = look.say(
        "From every score, ours across and theirs up; 95% intervals are ±{half} percentage points or less.",
        half=look.numerals(f"{100 * widest:.2g}"),
    )
    head = Head(
        title=f"{rules_title(metadata, look)}, {played}: {_found(frame, look)}",
        subtitle=f"{subtitle} {how_much(metadata, look)}.{changed_words(metadata, look)}",
        command=metadata.get("command", ""),
    )
    return page(head, panels, look)


def chance(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """The chance to win from one score, by each way it was found."""
    rows = list(frame.filter(kind="probability").iter_rows(named=True))
    if not rows:
        raise InputError("figure 'chance' has nothing to show (valid: a file of games --from)")
    found = [
        Chance(look.say(row["method"]), row["estimate"], row["ci_low"], row["ci_high"], row["exact"]) for row in rows
    ]
    groups = [(look.say("Of games"), found)]
    first = rows[0]
    sentence = "From {score}, dealing, we win {p} of the games" if first["dealer"] == "us" else (
        "From {score}, with the others to deal, we win {p} of the games")  # fmt: skip
    head = Head(
        title=look.say(sentence, score=first["score"].replace("-", "–"), p=look.percent(first["estimate"])),
        subtitle=f"{rules_title(metadata, look)}, {play_words(metadata, look)}. {how_much(metadata, look)}. "
        f"{look.say('Whiskers are 95% intervals.')}{changed_words(metadata, look)}",
        command=metadata.get("command", ""),
    )
    draw = partial(draw_chances, groups=groups, gid="chance", look=look)
    return page(head, [Panel(look.say("How likely it is"), "", height(groups, look), draw)], look)


FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {"chances": (chances, 9.6)}
CHANCE: dict[str, tuple[Callable[..., Figure], float]] = {"chance": (chance, 7.2)}


def _found(frame: pl.DataFrame, look: Look) -> str:
    start = frame.filter(us=0, them=0, dealer="us")
    if start.is_empty():
        return look.say("the chance to win the game")
    p = look.numerals(f"{100 * start['estimate'][0]:.1f}%")
    return look.say("from 0–0 who deals wins {p} of games", p=p)


def _level(frame: pl.DataFrame, dealer: str, look: Look) -> str:
    row = frame.filter((pl.col("dealer") == dealer) & (pl.col("us") == 0) & (pl.col("them") == 0))
    if row.is_empty():
        return ""
    p = look.numerals(f"{100 * row['estimate'][0]:.1f}%")
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
        told = [level for level in LEVELS[::every] if level != 0.5]  # the thick line: a label of it meets the corner
        axes.clabel(drawn, told, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.type.footer, inline_spacing=2)
    axes.set_xlabel(look.say("our score"))
    axes.set_ylabel(look.say("their score"))
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=colours.muted)
