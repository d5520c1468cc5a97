"""The figure of what more time brings to search: margins over an opponent by the time that a play takes."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cirulla_sim.reporting.charts.axis import grid_of_numbers
from cirulla_sim.reporting.charts.figure_parts import Family, command, method
from cirulla_sim.reporting.charts.keys import marker_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.plots import Plot
from cirulla_sim.reporting.charts.sheet import Graphic
from cirulla_sim.reporting.text.labels import Metadata, how_much, rules_name


def curve(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """What search makes over careful by the milliseconds a play takes, a line for each number of players."""
    rows = frame.filter(quantity="margin", kind="difference")
    if rows.is_empty() or "took" not in rows.columns:
        return None
    many = rows["players"].unique(maintain_order=True).to_list()
    shown = look.say("Points a hand over careful, by the processor time of a play on one machine; logarithmic scale.")
    body = Plot(3.0, partial(_draw, rows=rows.sort("players", "took")),
                tuple(look.say("{n} players", n=players) for players in many))  # fmt: skip
    about = method(metadata, look, much=f"{look.say(rules_name(metadata))}, {how_much(metadata, look)}")
    return Graphic(_title(rows, look), shown, body, about, command(metadata))


def _title(rows: pl.DataFrame, look: Look) -> str:
    """From the least time to the most, with each number of players."""
    parts = []
    for players in rows["players"].unique(maintain_order=True).to_list():
        here = rows.filter(players=players).sort("took")
        parts += [
            look.say(
                "with {n} players {low} to {high}", n=players,
                low=_points(here["estimate"][0], look), high=_points(here["estimate"][-1], look),
            )
        ]  # fmt: skip
    return look.say("What more time brings to search: {each}", each="; ".join(parts))


def _points(value: float, look: Look) -> str:
    return look.numerals(f"{value:+.1f}").replace("-", "−")


def _draw(axes: Axes, look: Look, rows: pl.DataFrame) -> None:
    many = rows["players"].unique(maintain_order=True).to_list()
    for number, players in enumerate(many):
        here, (colour, marker) = rows.filter(players=players), marker_of(number, look)
        took = here["took"].to_list()
        axes.vlines(took, here["ci_low"].to_list(), here["ci_high"].to_list(), color=colour,
                    linewidth=1.2 * look.scale, gid="whisker")  # fmt: skip
        axes.plot(took, here["estimate"].to_list(), marker=marker, markersize=4.5 * look.scale, color=colour,
                  linewidth=1.0 * look.scale, zorder=3, gid=f"curve-{players}")  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(sorted(set(rows["asked"].to_list()))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: look.numerals(f"{x:,.10g}")))
    axes.grid(axis="x")
    grid_of_numbers(axes, "y", look)
    axes.axhline(0, color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    axes.set_xlabel(look.say("milliseconds a play"))


FAMILY = Family({"curve": curve}, "a file of margins by the time a play takes")
