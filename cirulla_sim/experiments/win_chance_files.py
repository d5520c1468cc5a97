"""What hands and games played for chances to win have come to, kept in a file and gone on from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import InputError
from ..engine.engines import Folded
from ..engine.trials import Experiment, Games
from ..storage.checkpoints import TALLY, pack, read_packed
from .expectancy import Brought, can_be
from .merge import folded_in

WON = "cirulla_sim_won"

MOST_KEPT = 1 << 22
"""Kinds of hands that a file may hold to go on from: those of some millions of hands are tens of thousands."""

Wanted = Callable[[], Mapping[str, Any]]
"""Makes the metadata of which some must be those of the files."""


def hands_kept(found: Folded[Brought]) -> dict[str, str]:
    """What a file keeps of hands beside the table."""
    return {TALLY: pack(np.array(sorted(found.tally.items()), np.int64), "<i8")}


def hands_in(
    dealt: Sequence[Experiment], wanted: Wanted, verb: str, paths: Sequence[Path], flag: str
) -> Folded[Brought]:
    """What the hands of files bring, those of ``either_deals`` or fewer.

    Raises ``InputError`` that names what differs.
    """

    def brought_in(path: Path, done: int) -> Brought:
        rows = read_packed(path, TALLY, "<i8", (-1, 2), verb, flag, MOST_KEPT)
        found: Brought = Counter(dict(rows.tolist()))
        if not can_be(dealt[0].rules, len(dealt), Folded(found, done, "hands")):
            raise _damaged(path, flag)
        return found

    return folded_in(dealt[0], wanted, verb, paths, flag, brought_in)


def won_kept(found: Folded[int]) -> dict[str, str]:
    """What a file keeps of games beside the table."""
    return {WON: pack(np.array([found.tally]), "<i8")}


def won_in(games: Games, wanted: Wanted, verb: str, paths: Sequence[Path], flag: str) -> Folded[int]:
    """How many games of files are won, of as many as are asked for or fewer.

    Raises ``InputError`` that names what differs.
    """
    return folded_in(games, wanted, verb, paths, flag, lambda path, done: won_of(path, done, verb, flag))


def won_of(path: Path, done: int, verb: str, flag: str) -> int:
    """How many are won of the games that a file holds; raises ``InputError`` where it does not say."""
    won = int(read_packed(path, WON, "<i8", (1,), verb, flag)[0])
    if not (isinstance(done, int) and 0 <= won <= done):
        raise _damaged(path, flag)
    return won


def _damaged(path: Path, flag: str) -> InputError:
    return InputError(f"{flag} {path}: what it holds to go on from is damaged (valid: a file as it was written)")
