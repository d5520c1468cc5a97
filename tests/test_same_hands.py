"""The hands that every policy plays are those of earlier builds, to the card.

Files of ``core.version.SAME_HANDS`` are resumed and merged, so a change of any hand is a change of that promise: it
empties that list, and only then are these digests made anew.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.ruleset.presets import build

HANDS = {
    ("cirulla", 4, "random", 2000): "6e8397ce9a58e4e3",
    ("cirulla", 2, "greedy", 2000): "9c4797ff08065f48",
    ("cirulla", 3, "careful", 500): "3ba054923004bdba",
    ("cirulla", 4, "search:8", 1000): "a9d085a25c9389fb",
    ("cirulla", 2, "search:16:greedy", 100): "ee8a8e0562d30a8d",
    ("cirulla", 2, "open", 50): "02a9ec4a18b53832",
    ("cirullone", 4, "search:4", 40): "26144e521abed8dc",
    ("cirullone-6-3", 4, "careful", 200): "1e5d59173ebbff43",
    ("scopa", 2, "search:8", 100): "4f8b5cf85bf6227c",
    ("scopone-scientifico", 4, "careful", 300): "5292801ff099fbc1",
}
"""Digests of rows of hands, by preset, players, policy and number of hands."""

GAMES = {
    ("cirulla", 2, "careful+game", 100): "a63be0075852e79f",
    ("cirulla", 4, "search:4+game", 20): "de99ca6552211a3a",
    ("cirulla", 2, "search:4+game", 30): "1173326b276a69b7",
}
"""The same of whole games, of policies that aim at winning them."""


def digest(rows: np.ndarray) -> str:
    return sha256(np.ascontiguousarray(rows.astype("<i8")).tobytes()).hexdigest()[:16]


@pytest.mark.parametrize(("preset", "players", "policy", "number"), HANDS)
def test_hands_are_the_same(preset: str, players: int, policy: str, number: int) -> None:
    _, rows = Experiment(build(preset, players=players), (policy,), number, 1).play(0, number, rows=True)
    assert digest(rows) == HANDS[preset, players, policy, number]


@pytest.mark.parametrize(("preset", "players", "policy", "number"), GAMES)
def test_games_are_the_same(preset: str, players: int, policy: str, number: int) -> None:
    games = Games(build(preset, players=players), (policy,), number, 1)
    ours, theirs = np.ogrid[: games.rules.target + 64, : games.rules.target + 64]
    chances = np.broadcast_to((ours + 1) / (ours + theirs + 2), (37, *np.broadcast_shapes(ours.shape, theirs.shape)))
    _, rows = replace(games, win=chances.astype(np.float32)).play(0, number, rows=True)
    assert digest(rows) == GAMES[preset, players, policy, number]
