"""The weights of ``careful``, and of the quick likeness of it that ``search`` looks ahead with: numbers fitted to play.

They are chosen by a script, ``scripts/fit_careful.py``, in play against themselves on hands apart from those by which
they are judged. They need not be optimal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.cards import parse
from ...ruleset.rules_model import Rules
from ..game.hand import SEATS

OF_RANKS = ("double", "fresh", "last", "odd", "safe")
"""The weights of the memory of ranks."""

GROUPS = {"ace": (0,), "two, three": (1, 2), "four to six": (3, 4, 5), "seven": (6,), "figure": (7, 8, 9)}
"""The ranks from 0 of which it is worth as much to keep one; the matta is a sixth group."""


class Weights(NamedTuple):
    """The weights of a kind of game. Those that are kept by rank are by ``GROUPS`` and for the matta."""

    reply: float  # of what the next player is expected to gain
    own_next: float  # of what the player after that gains then, if it is the seat itself,
    own_likely: float  # behind replies of more than this chance
    other_next: float  # the same of any other: a partner, or below 0 an opponent
    other_likely: float
    contends: float  # points behind the best play within which that is looked at; below 0 never
    leave: float  # of a card's worth, lost by leaving it on the table
    empty: float  # what it is worth to leave an empty table
    keep_single: tuple[float, ...]  # what it is worth to have a card still, with one card held then
    keep_several: tuple[float, ...]  # and with more
    # Memory of ranks, where holdings are of more than three cards; see ``careful.worth_by_rank``
    double: float = 0  # what it is worth to leave a card while another of its rank stays in the holding
    fresh: float = 0  # or one of a rank of which nothing else has been seen
    last: float = 0  # or, for the dealer's side, the last of a rank
    odd: float = 0  # a rank of which an odd number is out, for the side without the dealer
    safe: float = 0  # a table that no unseen card sweeps


NUMBERS = tuple(name for name in Weights._fields if not name.startswith("keep"))

WEIGHTS = np.dtype(
    [
        *((name, np.float32) for name in NUMBERS),
        ("remembers", np.bool_),  # whether any of ``OF_RANKS`` is not 0
        ("keep", np.float32, (2, 48)),  # ``keep_single`` and ``keep_several`` by card
    ],
    align=True,
)
"""The same as the kernel has them."""


class GameKind(NamedTuple):
    """A kind of game: games of one kind are played by the same weights."""

    aces: bool  # whether an ace takes all
    large: bool  # whether holdings are of more than three cards
    players: int
    sides: int


FITTED = {
    GameKind(aces=True, large=False, players=2, sides=2): Weights(
        reply=0.9, own_next=1.15, own_likely=0.05, other_next=0, other_likely=0.2, contends=1.2,
        leave=0.5, empty=0,
        keep_single=(0.4, -0.1, -0.1, 0, 0, 0), keep_several=(0.8, -0.2, -0.1, 0, 0, 0.2),
    ),
    GameKind(aces=True, large=False, players=3, sides=3): Weights(
        reply=1, own_next=1, own_likely=0.05, other_next=-0.5, other_likely=0.15, contends=-1,
        leave=0.5, empty=0.05,
        keep_single=(0.8, -0.15, -0.05, 0, 0, 0), keep_several=(1, -0.2, -0.2, -0.2, -0.1, 0.2),
    ),
    GameKind(aces=True, large=False, players=4, sides=2): Weights(
        reply=1.15, own_next=1, own_likely=0.05, other_next=0.4, other_likely=0.15, contends=0.15,
        leave=0.7, empty=-0.35,
        keep_single=(1.4, -0.25, -0.1, -0.05, 0, 0), keep_several=(1.6, -0.3, -0.25, -0.1, -0.1, 0.3),
    ),
    GameKind(aces=True, large=False, players=4, sides=4): Weights(
        reply=0.9, own_next=1, own_likely=0.05, other_next=0.2, other_likely=0.2, contends=-1,
        leave=0.7, empty=0,
        keep_single=(0.7, -0.1, -0.1, 0.2, -0.1, 0), keep_several=(0.8, -0.2, -0.1, 0, -0.05, 0.3),
    ),
    GameKind(aces=True, large=True, players=4, sides=2): Weights(
        reply=0.8, own_next=1, own_likely=0.05, other_next=0.4, other_likely=0.2, contends=0.2,
        leave=0.7, empty=-0.4,
        keep_single=(0.6, -0.1, -0.1, 0, 0, 0), keep_several=(1.4, -0.1, -0.1, -0.2, -0.1, 0.5),
        double=0.3,
    ),
    GameKind(aces=False, large=False, players=2, sides=2): Weights(
        reply=0.8, own_next=1, own_likely=0.03, other_next=0, other_likely=0.2, contends=0.6,
        leave=0.1, empty=0,
        keep_single=(-0.2, -0.1, 0, 0.2, 0, 0), keep_several=(-0.1, 0, 0, 0, 0.1, 0),
    ),
    GameKind(aces=False, large=False, players=3, sides=3): Weights(
        reply=1, own_next=1, own_likely=0.05, other_next=0, other_likely=0.2, contends=-1,
        leave=0.5, empty=0,
        keep_single=(-0.05, 0, 0.1, 0.2, 0.2, 0), keep_several=(-0.2, -0.2, 0, 0, 0.05, 0),
    ),
    GameKind(aces=False, large=False, players=4, sides=2): Weights(
        reply=1.2, own_next=1, own_likely=0.05, other_next=0.2, other_likely=0.2, contends=0.2,
        leave=0.5, empty=0,
        keep_single=(-0.2, -0.2, 0, 0.1, 0.2, 0), keep_several=(-0.2, -0.2, 0, 0, 0.05, 0),
    ),
    GameKind(aces=False, large=False, players=4, sides=4): Weights(
        reply=1.05, own_next=1, own_likely=0.05, other_next=0, other_likely=0.5, contends=-1,
        leave=0.5, empty=0,
        keep_single=(0, 0, 0.1, 0.2, 0.2, 0), keep_several=(0, -0.1, 0, 0, 0, 0),
    ),
    GameKind(aces=False, large=True, players=4, sides=2): Weights(
        reply=1.25, own_next=1, own_likely=0.05, other_next=0.4, other_likely=0.25, contends=0.6,
        leave=0.5, empty=0.2,
        keep_single=(-0.35, -0.2, 0, 0.2, 0.1, 0), keep_several=(-0.2, -0.15, -0.05, 0, 0.05, 0),
        double=0.3, fresh=-0.3, last=0.2, odd=0.2, safe=0.4,
    ),
}  # fmt: skip
"""By kind of game; ``scripts/fit_careful.py`` prints them so."""


def nearest_kind(kind: GameKind) -> GameKind:
    """The kind that was fitted and is most like another.

    >>> nearest_kind(GameKind(True, True, 2, 2)).aces
    True
    """
    return min(FITTED, key=lambda fitted: tuple(mine != other for mine, other in zip(fitted, kind, strict=True)))


def weights_record(weights: Weights, rules: Rules) -> np.ndarray:
    """An array of one ``WEIGHTS``."""
    record = np.zeros(1, WEIGHTS)
    for name in NUMBERS:
        record[name] = getattr(weights, name)
    record["remembers"] = any(getattr(weights, name) for name in OF_RANKS)
    for which, by_group in enumerate((weights.keep_single, weights.keep_several)):
        for ranks, worth in zip(GROUPS.values(), by_group, strict=False):
            for rank in ranks:
                record["keep"][0, which, rank:40:10] = worth
        if rules.matta is not None:
            record["keep"][0, which, parse(rules.matta)] = by_group[-1]
    return record


def build_weights(rules: Rules) -> np.ndarray:
    """[4] of ``WEIGHTS``, by side: the same for all; only where weights are fitted do sides have others."""
    kind = GameKind(rules.ace_sweep, max(rules.deal_plan) > 3, rules.players, rules.sides)
    record: np.ndarray = np.repeat(weights_record(FITTED[nearest_kind(kind)], rules), SEATS)
    return record
