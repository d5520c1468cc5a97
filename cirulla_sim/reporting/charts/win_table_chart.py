"""The figure of the tables of ``games --win-table``: the chance to win from every score."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..text.findings import from_score, line_up_of, opposed, stated
from ..text.labels import Metadata
from ..text.sentences import title
from .figure_parts import Family, Make, chances, drawn, method, row_of
from .look import Look
from .plots import Plot
from .sheet import Graphic

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

_WORDS = {"us": "We deal", "them": "They deal"}


def _map(dealer: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The chance to win by our score and theirs, with contour lines."""
    rows = frame.filter(dealer=dealer)
    if rows.is_empty():
        return None
    widest = float((rows["ci_high"] - rows["ci_low"]).max()) / 2  # type: ignore[arg-type]
    intervals = look.say("95% intervals are ±{half} percentage points or less.",
                         half=look.numerals(f"{100 * widest:.2g}"))  # fmt: skip
    shown = look.say("{who}: the chance that we win, from every score; thick line: even.", who=look.say(_WORDS[dealer]))
    about = method(metadata, look, intervals, whiskers=False)
    return drawn(
        _title(dealer, frame, metadata, look), shown, Plot(3.9, partial(_draw, frame=rows)), about, metadata, look
    )


def _title(dealer: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """The chance at the start, of whoever deals where all play alike, otherwise of us."""
    row, line_up = row_of(frame, "wins_game", us=0, them=0, dealer=dealer), line_up_of(metadata)
    start = stated("win", "unknown") if row is None else stated("win", f"start-{dealer}", {"size": row})
    return title(from_score(row, "0–0", line_up) if row and opposed(line_up) else start, look.language)


def _chances(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The chance to win from one score, by each way it was calculated."""
    rows = frame.filter(kind="probability").to_dicts()
    if not rows:
        return None
    finding = from_score(rows[0], rows[0]["score"], line_up_of(metadata))
    body = chances(rows, look, lambda row: look.say(row["method"]), key=itemgetter("method"))
    return drawn(finding, look.say("Of games."), body, method(metadata, look), metadata, look)


_FIGURES: dict[str, Make] = {"we-deal": partial(_map, "us"), "they-deal": partial(_map, "them")}
FAMILY = Family(_FIGURES, "a file of games --win-table")
CHANCE = Family({"chance": _chances}, "a file of games from a score")


def _draw(axes: Axes, look: Look, frame: pl.DataFrame) -> None:
    colours = look.colours
    size = int(frame["us"].max()) + 1  # type: ignore[arg-type]
    grid: np.ndarray[Any, Any] = np.full((size, size), np.nan)
    grid[frame["them"].to_numpy(), frame["us"].to_numpy()] = frame["estimate"].to_numpy()
    axes.imshow(grid, origin="lower", cmap=colours.chances, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
    if size > 2:
        lines = [colours.on(colours.chances(level)[:3]) for level in LEVELS]
        widths = [(1.6 if level == 0.5 else 0.5) * look.scale for level in LEVELS]
        drawn = axes.contour(grid, levels=LEVELS, colors=lines, linewidths=widths)
        every = 2 if look.narrow else 1
        labelled = [
            level for level in LEVELS[::every] if level != 0.5
        ]  # the thick line: a label of it meets the corner
        axes.clabel(
            drawn, labelled, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.type.footer, inline_spacing=2
        )
    axes.set_xlabel(look.say("our score"))
    axes.set_ylabel(look.say("their score"))
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=colours.muted)
