"""The figures of the study of reading: estimated chances, and how often they came true."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MultipleLocator

from cirulla_sim.reporting.charts.figure_parts import Family, Plot, command_of, method
from cirulla_sim.reporting.charts.keys import marker_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.sheet import Graphic
from cirulla_sim.reporting.text.findings import stated
from cirulla_sim.reporting.text.labels import Metadata
from cirulla_sim.reporting.text.sentences import title

from .study_text import DEALING, predicted

EVENTS = ("can_sweep", "can_capture", "has_seven", "has_ace")
"""The events that have a figure each."""


def reliability(event: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How often an event came true, by its estimated chance."""
    here = frame.filter(event=event)
    tenths = here.filter(kind="share")
    if tenths.is_empty():
        return None
    shown = look.say("Across: the estimated chance; up: how often it came true. On the line both are equal.")
    body = Plot(2.9, partial(_draw, rows=tenths), tuple(map(look.say, DEALING.values())))
    return Graphic(_title(event, here, look), shown, body, method(metadata, look), command_of(metadata))


def _title(event: str, frame: pl.DataFrame, look: Look) -> str:
    if frame.filter(kind="probability").is_empty():
        return title(stated("study", "unread"), look.language)
    return title(predicted(event, {row["dealing"]: row for row in frame.filter(kind="probability").to_dicts()}),
                 look.language)  # fmt: skip


def _draw(axes: Axes, look: Look, rows: pl.DataFrame) -> None:
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.plot([0, 1], [0, 1], color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    for number, way in enumerate(DEALING):
        part, (colour, marker) = rows.filter(dealing=way), marker_of(number, look)
        axes.vlines(part["told"].to_list(), part["ci_low"].to_list(), part["ci_high"].to_list(), color=colour,
                    linewidth=1.2 * look.scale, gid="whisker")  # fmt: skip
        axes.plot(part["told"].to_list(), part["estimate"].to_list(), marker=marker, markersize=4 * look.scale,
                  color=colour, linestyle="none", zorder=3, gid=f"reading-{way}")  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(0.25))
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f}%"))
    axes.grid(axis="both")
    axes.set_xlabel(look.say("estimated chance"))
    axes.set_ylabel(look.say("came true"))


FAMILY = Family({event: partial(reliability, event) for event in EVENTS}, "a file of the study of reading")
