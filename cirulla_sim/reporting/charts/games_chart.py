"""The figure of the files of ``games``: how long whole games are and how they go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ...core.errors import InputError
from ..text.labels import Metadata, changed_words, how_much, play_words, rules_title
from .chart_rows import grid_of_numbers
from .look import Look
from .page_layout import Head, Panel, page, text_width

_SHOWN_TAIL = 0.001

_PANELS = {
    "hands": ("How many hands a game has", "hands in a game"),
    "winning_margin": ("By how much it is won", "points ahead at the end"),
    "lead_changes": ("How often the lead changes", "lead changes in a game"),
    "comeback": ("What winners have come back from", "the most points the winner was behind"),
}


def course(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Hands a game, margins, lead changes and comebacks: how often each number comes."""
    return _course(list(_PANELS), frame, metadata, look)


def _course(names: Sequence[str], frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    panels = [
        Panel(
            look.say(heading), _remark(frame, name, rows, look), 1.9 * look.scale,
            partial(_draw, rows=rows, label=look.say(label), look=look),
        )
        for name, (heading, label) in _PANELS.items()
        if name in names and not (rows := _distribution(frame, name)).is_empty()
    ]  # fmt: skip
    if not panels:
        raise InputError(f"figure {names[0]!r} has nothing to show (valid: a file of games)")
    to = look.say("games to {target}", target=metadata.get("rules", {}).get("target", 51))
    if hands := metadata.get("rules", {}).get("hands_per_game"):
        to = look.say("games of {n} hands", n=hands)
    what = f"{rules_title(metadata, look)}, {play_words(metadata, look)}: {to}"
    about = f"{how_much(metadata, look)}. {look.say('Whiskers are 95% intervals.')}{changed_words(metadata, look)}"
    found = _wins(frame, look)
    head = Head(found or what, f"{what}. {about}" if found else about, metadata.get("command", ""))
    return page(head, panels, look)


FIGURES: dict[str, tuple[Callable[..., Figure], float]] = {
    "course": (course, 10.0),
    **{name: (partial(_course, [name]), 6.0) for name in _PANELS},
}


def _wins(frame: pl.DataFrame, look: Look) -> str:
    """What a file of games says first: how often it is won by the side that deals first."""
    rows = frame.filter((pl.col("quantity") == "wins_game") & (pl.col("side") == "dealer"))
    if rows.is_empty():
        return ""
    row = rows.row(0, named=True)
    half = 100 * (row["ci_high"] - row["ci_low"]) / 2
    ties = frame.filter(pl.col("quantity") == "ties_game")["estimate"]
    told = {
        "p": look.numerals(f"{100 * row['estimate']:.1f}%"),
        "half": look.numerals(f"{half:.1f}"),
    }
    if ties.len():
        drawn = look.numerals(f"{100 * ties[0]:.1f}%")
        return look.say("Who deals first wins {p} (±{half}) of games; {drawn} are drawn", drawn=drawn, **told)
    return look.say("Who deals first wins {p} (±{half}) of games", **told)


def _distribution(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows to draw; of comebacks only those there were."""
    rows = frame.filter(pl.col("quantity") == f"{name}_distribution").sort("value")
    return rows.filter(pl.col("value") > 0) if name == "comeback" else rows


def _remark(frame: pl.DataFrame, name: str, rows: pl.DataFrame, look: Look) -> str:
    def of(kind: str) -> float | None:
        rows = frame.filter((pl.col("quantity") == name) & (pl.col("kind") == kind) & (pl.col("side") == "all"))
        return float(rows["estimate"][0]) if rows.height else None

    told = []
    if (mean := of("mean")) is not None:
        told += [look.say("{n} on average", n=look.numerals(f"{mean:.2f}"))]
    if (most := of("maximum")) is not None:
        never = look.percent(1 - (of("probability") or 0))
        told += [
            look.say("{n} at most in this run", n=f"{most:.0f}"),
            look.say("never behind in {p} of games", p=never),
        ]
    said = ", ".join(told) + "." if told else ""
    last = float(_shown(rows)["value"].max())  # type: ignore[arg-type]
    if float(rows["value"].max()) > last:  # type: ignore[arg-type]
        said += " " + look.say("Above {n}: under {p} in all, not shown.", n=f"{last:.0f}", p=look.percent(_SHOWN_TAIL))
    return said.strip()


def _shown(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)


def _draw(axes: Axes, rows: pl.DataFrame, label: str, look: Look) -> None:
    shown, colours = _shown(rows), look.colours
    values, shares = shown["value"].to_list(), shown["estimate"].to_list()
    axes.bar(values, [100 * share for share in shares], width=0.84, color=colours.dealer)
    axes.vlines(values, 100 * shown["ci_low"], 100 * shown["ci_high"], color=colours.muted, linewidth=0.9 * look.scale)
    axes.set_ylim(0, 112 * float(shown["ci_high"].max()))  # type: ignore[arg-type]
    axes.set_xlim(min(values) - 0.6, max(values) + 0.6)
    grid_of_numbers(axes, "y", look, "%", 4)
    axes.xaxis.set_major_locator(MaxNLocator(7 if look.stacked else 12, integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel(label)
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    told = [look.percent(share) for share in shares]
    bar = axes.get_window_extent().width / figure.dpi / (max(values) - min(values) + 1.2)
    if max(text_width(figure, text, look.type.footer) for text in told) < 0.9 * bar:  # else they would run together
        for value, text, high in zip(values, told, shown["ci_high"], strict=True):
            axes.annotate(
                text, (value, 100 * high), xytext=(0, 2), textcoords="offset points", ha="center",
                va="bottom", fontsize=look.type.footer, color=colours.muted,
            )  # fmt: skip
