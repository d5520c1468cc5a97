"""The figure of the study of reading: estimated chances, and how often they came true."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts.figure_parts import head
from cirulla_sim.reporting.charts.line_up_chart import key, marker_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.page_layout import Panel, page
from cirulla_sim.reporting.text.labels import Metadata, how_much
from cirulla_sim.reporting.text.quantity_names import QUANTITIES

from .study_text import DEALING


def reliability(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """How often an event came true, by its estimated chance, a panel for each event."""
    tenths = frame.filter(kind="share")
    events = tenths["event"].unique(maintain_order=True).to_list() if tenths.height else []
    if not events:
        raise InputError("figure 'reliability' has nothing to show (valid: a file of the study of reading)")
    side = min(2.9 * look.scale, (look.across - 0.6) / look.columns)
    panels = [
        Panel(
            look.say(QUANTITIES[event]), _means(frame.filter(event=event), look), side,
            partial(_draw, rows=tenths.filter(event=event), look=look),
        )
        for event in events
    ]  # fmt: skip
    intervals = look.say("Whiskers are 95% intervals.")
    return page(head(metadata, look, _title(frame, look), f"{how_much(metadata, look)}.", intervals), panels, look)


def _chances(frame: pl.DataFrame, way: str) -> tuple[float, float]:
    row = frame.filter(kind="probability", dealing=way).row(0, named=True)
    return row["told"], row["estimate"]


def _title(frame: pl.DataFrame, look: Look) -> str:
    here = frame.filter(event="can_sweep")
    if here.filter(kind="probability").is_empty():
        return look.say("Chances as estimated, and as they came true")
    (even, true), (read, _) = (_chances(here, way) for way in DEALING)
    return look.say(
        "The next player can sweep in {true} of the cases: {read} as the plays tell, {even} if all deals were "
        "equally likely",
        true=look.percent(true), read=look.percent(read), even=look.percent(even),
    )  # fmt: skip


def _means(frame: pl.DataFrame, look: Look) -> str:
    if frame.filter(kind="probability").is_empty():
        return ""
    (even, true), (read, _) = (_chances(frame, way) for way in DEALING)
    return look.say(
        "Estimated {even} or {read}, true in {true}.",
        even=look.percent(even), read=look.percent(read), true=look.percent(true),
    )  # fmt: skip


def _draw(axes: Axes, rows: pl.DataFrame, look: Look) -> None:
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.plot([0, 1], [0, 1], color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    for number, (way, words) in enumerate(DEALING.items()):
        part, (colour, marker) = rows.filter(dealing=way), marker_of(number, look)
        axes.vlines(part["told"].to_list(), part["ci_low"].to_list(), part["ci_high"].to_list(), color=colour,
                    linewidth=1.2 * look.scale)  # fmt: skip
        axes.plot(part["told"].to_list(), part["estimate"].to_list(), marker=marker, markersize=4 * look.scale,
                  color=colour, linestyle="none", label=look.say(words), zorder=3, gid=f"reading-{way}")  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(0.25))
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f}%"))
    axes.grid(axis="both")
    axes.set_xlabel(look.say("estimated chance"))
    axes.set_ylabel(look.say("came true"))
    key(axes, [look.say(words) for words in DEALING.values()], look)


FIGURES = {"reliability": (reliability, 9.6)}
