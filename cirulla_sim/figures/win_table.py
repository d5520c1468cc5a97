"""The figure of the tables of ``games --win-table``: the chance to win from every score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ..errors import InputError
from . import style
from .page import Head, Panel, page
from .words import Metadata, changed_words, how_much, play_words, rules_title

WIDTH = 9.6

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

_COLOURS = LinearSegmentedColormap.from_list("chances", [style.OTHERS, style.PAPER, style.DEALER])
_WORDS = {"us": "We deal", "them": "They deal"}


def chances(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Two maps of the chance to win by our score and theirs, for either side dealing, with contour lines."""
    panels = [
        Panel(words, _level(frame, dealer), 3.9, partial(_draw, frame=frame.filter(pl.col("dealer") == dealer)))
        for dealer, words in _WORDS.items()
        if not frame.filter(pl.col("dealer") == dealer).is_empty()
    ]
    if not panels:
        raise InputError("figure 'chances' has nothing to show (valid: a file of games --win-table)")
    played = play_words({**metadata, "policies": metadata.get("policies", [])[:1]})
    if len(set(metadata.get("policies", []))) > 1:
        played = "{} against {}".format(*metadata["policies"])
    widest = float((frame["ci_high"] - frame["ci_low"]).max()) / 2  # type: ignore[arg-type]
    head = Head(
        title=f"{rules_title(metadata)}, {played}: the chance to win the game",
        subtitle=f"From every score, ours across and theirs up; 95% intervals are ±{100 * widest:.2g} percentage "
        f"points or less. {how_much(metadata)}.{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )
    return page(head, panels, width)


FIGURES: dict[str, Callable[..., Figure]] = {"chances": chances}


def _level(frame: pl.DataFrame, dealer: str) -> str:
    row = frame.filter((pl.col("dealer") == dealer) & (pl.col("us") == 0) & (pl.col("them") == 0))
    return f"At 0–0 we win {100 * row['estimate'][0]:.1f}% of games; thick line: even." if row.height else ""


def _draw(axes: Axes, frame: pl.DataFrame) -> None:
    size = int(frame["us"].max()) + 1  # type: ignore[arg-type]
    grid: np.ndarray[Any, Any] = np.full((size, size), np.nan)
    grid[frame["them"].to_numpy(), frame["us"].to_numpy()] = frame["estimate"].to_numpy()
    axes.imshow(grid, origin="lower", cmap=_COLOURS, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
    if size > 2:
        pale = [style.PAPER if abs(level - 0.5) > 0.25 else style.INK for level in LEVELS]
        widths = [1.3 if level == 0.5 else 0.5 for level in LEVELS]
        drawn = axes.contour(grid, levels=LEVELS, colors=pale, linewidths=widths)
        told = [level for level in drawn.levels if level != 0.5]  # the thick line; a label of it meets the corner
        axes.clabel(drawn, told, fmt=lambda level: f"{100 * level:.0f}%", fontsize=style.FOOTER, inline_spacing=2)
    axes.set_xlabel("our score")
    axes.set_ylabel("their score")
    axes.tick_params(axis="y", labelsize=style.SMALL, labelcolor=style.MUTED)
