"""The hands that every policy plays are those of earlier builds, to the card.

Files of ``core.version.SAME_HANDS`` are resumed and merged, so a change of any hand is a change of that promise.
``data/same_hands.json`` has of each case the digest of the plays and of each column of numbers.

    python tests/test_same_hands.py

writes the file anew: for a new column, and where a hand was to change, after ``SAME_HANDS`` was emptied.
"""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cirulla_sim.engine.chunks import game_row_names, play_notes, score_names
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.kernel.game.hand import MISDEALT, TABLE_KIND, WON_AT_DEAL
from cirulla_sim.ruleset.presets import build

FILE = Path(__file__).parent / "data" / "same_hands.json"

HANDS = [
    ("cirulla", 4, "random", 2000),
    ("cirulla", 2, "greedy", 2000),
    ("cirulla", 3, "careful", 500),
    ("cirulla", 4, "search:8", 1000),
    ("cirulla", 2, "search:16:greedy", 100),
    ("cirulla", 2, "open", 50),
    ("cirullone", 4, "search:4", 40),
    ("cirullone-6-3", 4, "careful", 200),
    ("scopa", 2, "search:8", 100),
    ("scopone-scientifico", 4, "careful", 300),
]
"""Preset, players, policy and number of hands."""

GAMES = [
    ("cirulla", 2, "careful+game", 100),
    ("cirulla", 4, "search:4+game", 20),
    ("cirulla", 2, "search:4+game", 30),
]
"""The same of whole games, of policies that aim at winning them."""

Case = tuple[str, int, str, int]
Numbers = dict[str, NDArray[Any]]
"""By name, an array with a row a hand."""


def hands(preset: str, players: int, policy: str, number: int) -> Numbers:
    rules = build(preset, players=players)
    notes = play_notes(Experiment(rules, (policy,), number, 1), 0, number, ("decks", "knocks", "plays", "scores"))
    plays = np.concatenate([notes.decks, notes.knocks.reshape(number, -1), notes.plays], axis=1)
    deal = {"misdeals": MISDEALT, "table_bonus_kind": TABLE_KIND, "won_at_deal": WON_AT_DEAL}
    columns = {name: notes.scores[:, : rules.sides, at] for at, name in enumerate(score_names(rules))}
    return {"plays": plays} | {name: notes.deals[:, int(place)] for name, place in deal.items()} | columns


def games(preset: str, players: int, policy: str, number: int) -> Numbers:
    games = Games(build(preset, players=players), (policy,), number, 1)
    ours, theirs = np.ogrid[: games.rules.target + 64, : games.rules.target + 64]
    chances = np.broadcast_to((ours + 1) / (ours + theirs + 2), (37, *np.broadcast_shapes(ours.shape, theirs.shape)))
    _, rows = replace(games, win=chances.astype(np.float32)).play(0, number, rows=True)
    return dict(zip(game_row_names(games.rules), rows.T, strict=True))


def hexadecimal(numbers: NDArray[Any]) -> str:
    return blake2b(np.ascontiguousarray(numbers.astype("<i8")).tobytes(), digest_size=8).hexdigest()


def digests(numbers: Numbers) -> dict[str, str]:
    """The digest of each column."""
    return {name: hexadecimal(column) for name, column in numbers.items()}


def name_of(case: Case) -> str:
    return " ".join(map(str, case))


@pytest.mark.parametrize("case", [*HANDS, *GAMES], ids=name_of)
def test_hands_are_the_same(case: Case) -> None:
    """Of the columns that are kept: another one is not compared."""
    now = digests(hands(*case) if case in HANDS else games(*case))
    kept = json.loads(FILE.read_text())[name_of(case)]
    changed = [name for name, digest in kept.items() if now.get(name) != digest]
    assert not changed, (
        "If no hand was to change, this is a fault. If one was, empty SAME_HANDS in cirulla_sim/core/version.py, run "
        "python tests/test_same_hands.py and say so in CHANGELOG.md."
    )


if __name__ == "__main__":
    cases = {name_of(case): play(*case) for play, some in ((hands, HANDS), (games, GAMES)) for case in some}
    text = json.dumps({name: digests(numbers) for name, numbers in cases.items()}, indent=1)
    FILE.write_text(text + "\n", "utf-8")
