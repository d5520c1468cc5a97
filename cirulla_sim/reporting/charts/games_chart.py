"""The figures of the files of ``games``: who wins, how long whole games are and how they go."""

from __future__ import annotations

from functools import partial

import polars as pl

from ..text.findings import line_up_of, stated, won
from ..text.labels import Metadata, capital, fields_of, how_much, side_names
from ..text.sentences import title
from .figure_parts import Family, Make, drawn, method, row_of
from .look import Look
from .plots import TAIL, Curve, distribution, without_tail
from .rows import Group
from .sheet import Graphic
from .simulate_chart import outcome_row, outcomes

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
    body = outcomes([Group("", (row,))], (names["dealer"], "drawn", names["others"]), look)
    return drawn(
        title(finding, look.language), look.say("Games won and drawn."), body, _method(metadata, look), metadata, look
    )


def _distribution(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How often each number of something comes in a game."""
    every = frame.filter(pl.col("quantity") == f"{name}_distribution")
    rows, last = without_tail(every.filter(pl.col("value") > 0) if name == "comeback" else every)
    if rows.is_empty():
        return None
    heading, label = _PANELS[name]
    mean = row_of(frame, name, kind="probability" if name == "comeback" else "mean", side="all")
    finding = look.say(heading) if mean is None else stated("game", name, {"size": mean})
    shown = [f"{look.say('Share of games')}: {look.say(label)}."]
    if last is not None:
        shown += [look.say("Above {n}: under {p} in all, not shown.", n=f"{last:.0f}", p=look.percent(TAIL))]
    body = distribution([Curve(rows)], look.say(label))
    return drawn(finding, " ".join(shown), body, _method(metadata, look), metadata, look)


def _method(metadata: Metadata, look: Look) -> str:
    rules = fields_of(metadata)
    to = look.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = look.say("games of {n} hands", n=rules.hands_per_game)
    return method(metadata, look, much=f"{capital(to)}: {how_much(metadata, look)}")


_FIGURES: dict[str, Make] = {"wins": _wins, **{name: partial(_distribution, name) for name in _PANELS}}

FAMILY = Family(_FIGURES, "a file of games")
