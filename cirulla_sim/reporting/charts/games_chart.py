"""The figure of the files of ``games``: how long whole games are and how they go."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..text.labels import Metadata, fields_of, how_much, policy_note
from .chart_rows import grid_of_numbers
from .figure_parts import Family, head, row_of, subject
from .look import Look
from .page_layout import Head, Panel, text_width

_SHOWN_TAIL = 0.001

_PANELS = {
    "hands": ("How many hands a game has", "hands in a game"),
    "winning_margin": ("By how much it is won", "points ahead at the end"),
    "lead_changes": ("How often the lead changes", "lead changes in a game"),
    "comeback": ("What winners have come back from", "the most points the winner was behind"),
}


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    """How often each number of something comes in a game."""
    rows, (heading, label) = _distribution(frame, name), _PANELS[name]
    if rows.is_empty():
        return None
    draw = partial(_draw, rows=rows, label=look.say(label), look=look)
    return Panel(look.say(heading), _remark(frame, name, rows, look), 1.9 * look.scale, draw)


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    rules = fields_of(metadata)
    to = look.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = look.say("games of {n} hands", n=rules.hands_per_game)
    intervals = look.say("Whiskers are 95% intervals.")
    what = f"{subject(metadata, look)}: {to}"
    return head(metadata, look, _wins(frame, metadata, look), f"{how_much(metadata, look)}.", intervals, what=what)


FIGURES = Family("course", {name: partial(_panel, name) for name in _PANELS}, _head, "a file of games").figures(
    10.0, 6.0
)


def _wins(frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """How often the side that deals first wins."""
    row, ties = row_of(frame, "wins_game", side="dealer"), row_of(frame, "ties_game")
    if row is None:
        return ""
    values = {
        "policy": policy_note(metadata, "dealer", look),
        "p": look.numerals(f"{100 * row['estimate']:.1f}%"),
        "half": look.numerals(f"{50 * (row['ci_high'] - row['ci_low']):.1f}"),
    }
    if ties is None:
        return look.say("Who deals first{policy} wins {p} (±{half}) of games", **values)
    drawn = look.numerals(f"{100 * ties['estimate']:.1f}%")
    return look.say("Who deals first{policy} wins {p} (±{half}) of games; {drawn} are drawn", drawn=drawn, **values)


def _distribution(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows to draw; of comebacks only those there were."""
    rows = frame.filter(pl.col("quantity") == f"{name}_distribution").sort("value")
    return rows.filter(pl.col("value") > 0) if name == "comeback" else rows


def _remark(frame: pl.DataFrame, name: str, rows: pl.DataFrame, look: Look) -> str:
    """The mean, the most seen, and what is not drawn."""
    mean, most, chance = (row_of(frame, name, kind=kind, side="all") for kind in ("mean", "maximum", "probability"))
    parts = []
    if mean is not None:
        parts += [look.say("{n} on average", n=look.numerals(f"{mean['estimate']:.2f}"))]
    if most is not None:
        never = look.percent(1 - (chance["estimate"] if chance else 0))
        parts += [
            look.say("{n} at most in {all} games", n=f"{most['estimate']:.0f}", all=look.numerals(f"{most['n']:,}")),
            look.say("never behind in {p} of games", p=never),
        ]
    sentences = [", ".join(parts) + "."] if parts else []
    last = float(_shown(rows)["value"].max())  # type: ignore[arg-type]
    if float(rows["value"].max()) > last:  # type: ignore[arg-type]
        tail = look.percent(_SHOWN_TAIL)
        sentences += [look.say("Above {n}: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)]
    return " ".join(sentences)


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
    texts = [look.percent(share) for share in shares]
    bar = axes.get_window_extent().width / figure.dpi / (max(values) - min(values) + 1.2)
    if max(text_width(figure, text, look.type.footer) for text in texts) < 0.9 * bar:  # else they would run together
        for value, text, high in zip(values, texts, shown["ci_high"], strict=True):
            axes.annotate(
                text, (value, 100 * high), xytext=(0, 2), textcoords="offset points", ha="center",
                va="bottom", fontsize=look.type.footer, color=colours.muted,
            )  # fmt: skip
