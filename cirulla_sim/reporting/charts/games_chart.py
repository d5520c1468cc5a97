"""The figures of the files of ``games``: who wins, how long whole games are and how they go."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..text.findings import line_up_of, stated, won
from ..text.labels import Metadata, capital, fields_of, how_much, side_names
from ..text.sentences import title
from .figure_parts import Family, Make, Plot, command_of, method, row_of
from .keys import marker_of
from .look import Look
from .rows import Group, RowChart
from .sheet import Graphic, grid_of_numbers, text_width
from .simulate_chart import outcome_row

_SHOWN_TAIL = 0.001

_PANELS = {
    "hands": ("How many hands a game has", "hands in a game"),
    "winning_margin": ("By how much it is won", "points ahead at the end"),
    "lead_changes": ("How often the lead changes", "lead changes in a game"),
    "comeback": (
        "What winners have come back from", "the most points the winner was behind",
    ),
}  # fmt: skip


def _wins(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """A bar of the games won by who deals first, drawn, and won by others."""
    names = side_names(metadata, look)
    dealer = row_of(frame, "wins_game", side="dealer")
    row = outcome_row("", frame, ("wins_game", "ties_game"), look)
    if row is None or dealer is None:
        return None
    finding = won("wins_game", {"size": dealer}, line_up_of(metadata))
    body = RowChart((Group("", (row,)),), parts=(names["dealer"], look.say("drawn"), names["others"]))
    return Graphic(
        title(finding, look.language),
        look.say("Games won and drawn."),
        body,
        _method(metadata, look),
        command_of(metadata),
    )


def _distribution(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How often each number of something comes in a game."""
    rows = frame.filter(pl.col("quantity") == f"{name}_distribution").sort("value")
    rows = rows.filter(pl.col("value") > 0) if name == "comeback" else rows
    if rows.is_empty():
        return None
    heading, label = _PANELS[name]
    mean = row_of(frame, name, kind="probability" if name == "comeback" else "mean", side="all")
    said = look.say(heading) if mean is None else title(stated("game", name, {"size": mean}), look.language)
    shown = [f"{look.say('Share of games')}: {look.say(label)}."]
    last = float(_shown(rows)["value"].max())  # type: ignore[arg-type]
    if float(rows["value"].max()) > last:  # type: ignore[arg-type]
        tail = look.percent(_SHOWN_TAIL)
        shown += [look.say("Above {n}: under {p} in all, not shown.", n=f"{last:.0f}", p=tail)]
    body = Plot(1.9, partial(_draw, rows=rows, label=look.say(label)))
    return Graphic(said, " ".join(shown), body, _method(metadata, look), command_of(metadata))


def _method(metadata: Metadata, look: Look) -> str:
    rules = fields_of(metadata)
    to = look.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = look.say("games of {n} hands", n=rules.hands_per_game)
    return method(metadata, look, much=f"{capital(to)}: {how_much(metadata, look)}")


def _shown(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)


def _draw(axes: Axes, look: Look, rows: pl.DataFrame, label: str) -> None:
    shown, (colour, _) = _shown(rows), marker_of(0, look)
    values, shares = shown["value"].to_list(), shown["estimate"].to_list()
    axes.bar(values, shares, width=0.84, color=colour, gid="part-0")
    for ink, width in ((look.colours.paper, 2.2), (look.colours.muted, 0.9)):
        axes.vlines(values, shown["ci_low"].to_list(), shown["ci_high"].to_list(), color=ink,
                    linewidth=width * look.scale, gid="whisker")  # fmt: skip
    axes.set_ylim(0, 1.12 * float(shown["ci_high"].max()))  # type: ignore[arg-type]
    axes.set_xlim(min(values) - 0.6, max(values) + 0.6)
    grid_of_numbers(axes, look, "share", 4)
    axes.xaxis.set_major_locator(MaxNLocator(6 if look.narrow else 12, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}"))
    axes.set_xlabel(label)
    texts = [look.percent(share) for share in shares]
    bar = 0.8 * axes.get_window_extent().width / look.dots / (max(values) - min(values) + 1.2)
    if max(text_width(text, look.type.footer) for text in texts) < 0.9 * bar:  # else they would run together
        for value, text, high in zip(values, texts, shown["ci_high"], strict=True):
            axes.annotate(
                text, (value, high), xytext=(0, 2), textcoords="offset points", ha="center", va="bottom",
                fontsize=look.type.footer, color=look.colours.muted, gid="number",
            )  # fmt: skip


_FIGURES: dict[str, Make] = {"wins": _wins, **{name: partial(_distribution, name) for name in _PANELS}}

FAMILY = Family(_FIGURES, "a file of games")
