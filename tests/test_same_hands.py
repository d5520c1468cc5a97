"""The hands that every policy plays are those of earlier builds, to the card.

Files of ``core.version.SAME_HANDS`` are resumed and merged, so a change of any hand is a change of that promise.
``data/same_hands.json`` has of each case a byte a hand, by its plays and by its numbers, and the digest of the plays
and of every column by its name. A column that is not there is not compared, so that a new one changes nothing.

    python tests/test_same_hands.py

writes the file anew: for a new column, and where a hand was to change, after ``SAME_HANDS`` was emptied.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
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


def hexadecimal(numbers: NDArray[Any], size: int) -> str:
    return blake2b(np.ascontiguousarray(numbers.astype("<i8")).tobytes(), digest_size=size).hexdigest()


def bytes_of(numbers: Numbers, names: Iterable[str]) -> str:
    """A byte a hand, as two hexadecimal digits, of some columns."""
    table = np.concatenate([numbers[name].reshape(len(numbers[name]), -1).astype("<i8") for name in names], axis=1)
    return "".join(hexadecimal(row, 1) for row in table)


def digests(numbers: Numbers, columns: Iterable[str]) -> dict[str, Any]:
    """What is kept of a case: a byte a hand of the plays and of all columns, and the digest of each."""
    names = [name for name in columns if name in numbers]
    by_hand = {"numbers": bytes_of(numbers, [name for name in names if name != "plays"])}
    by_hand |= {"plays": bytes_of(numbers, ["plays"])} if "plays" in names else {}
    return {"columns": {name: hexadecimal(numbers[name], 8) for name in names}, "hands": by_hand}


def name_of(case: Case) -> str:
    return " ".join(map(str, case))


def changes(case: Case, kept: dict[str, Any], numbers: Numbers) -> str:
    """What differs from what is kept of a case, and what to do; nothing where nothing differs."""
    now = digests(numbers, kept["columns"])
    columns = [name for name, digest in kept["columns"].items() if now["columns"].get(name) != digest]
    if not columns:
        return ""
    pairs = [(kept["hands"][part], now["hands"][part]) for part in kept["hands"]]
    first = [at // 2 for one, other in pairs for at in range(0, len(one), 2) if one[at : at + 2] != other[at : at + 2]]
    return (
        f"{name_of(case)}: first in hand {min(first, default='?')}, and in {', '.join(columns)}. If no hand was to "
        "change, this is a fault. If one was, empty SAME_HANDS in cirulla_sim/core/version.py, run "
        "python tests/test_same_hands.py and say so in CHANGELOG.md."
    )


@pytest.mark.parametrize("case", [*HANDS, *GAMES], ids=name_of)
def test_hands_are_the_same(case: Case) -> None:
    numbers = hands(*case) if case in HANDS else games(*case)
    assert not (message := changes(case, json.loads(FILE.read_text())[name_of(case)], numbers)), message


if __name__ == "__main__":
    cases = {name_of(case): play(*case) for play, some in ((hands, HANDS), (games, GAMES)) for case in some}
    text = json.dumps({name: digests(numbers, numbers) for name, numbers in cases.items()}, indent=1)
    FILE.write_text(text + "\n", "utf-8")
