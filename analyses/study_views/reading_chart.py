"""The figure of a file of the study of reading: chances as told, and how often they came true."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

from ...core.errors import InputError
from ..text.labels import Metadata, how_much, play_words, rules_title
from ..text.quantity_names import DEALING, QUANTITIES
from .line_up_chart import key, marker_of
from .look import Look
from .page_layout import Head, Panel, page


def reliability(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """How often what was told came true, by the chance told, a panel for each thing that was told of."""
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
    head = Head(
        title=_title(frame, look),
        subtitle=f"{rules_title(metadata, look)}, {play_words(metadata, look)}. {how_much(metadata, look)}. "
        f"{look.say('Whiskers are 95% intervals.')}",
        command=metadata.get("command", ""),
    )
    return page(head, panels, look)


def _told(frame: pl.DataFrame, way: str) -> tuple[float, float]:
    row = frame.filter(kind="probability", dealing=way).row(0, named=True)
    return row["told"], row["estimate"]


def _title(frame: pl.DataFrame, look: Look) -> str:
    here = frame.filter(event="can_sweep")
    if here.filter(kind="probability").is_empty():
        return look.say("Chances as told, and as they came true")
    (even, true), (read, _) = (_told(here, way) for way in DEALING)
    return look.say(
        "The next player can sweep in {true} of the cases: {read} as the plays tell, {even} if all deals were "
        "equally likely",
        true=look.percent(true), read=look.percent(read), even=look.percent(even),
    )  # fmt: skip


def _means(frame: pl.DataFrame, look: Look) -> str:
    if frame.filter(kind="probability").is_empty():
        return ""
    (even, true), (read, _) = (_told(frame, way) for way in DEALING)
    return look.say(
        "Told {even} or {read}, true in {true}.",
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
    axes.set_xlabel(look.say("chance told"))
    axes.set_ylabel(look.say("came true"))
    key(axes, [look.say(words) for words in DEALING.values()], look)


FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {"reliability": (reliability, 9.6)}
