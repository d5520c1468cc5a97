"""Hidden cards of several players, counted by classes of cards that nothing tells apart.

A question that only asks for sevens and for cards that sweep tells apart four classes of the unseen cards at most. So
instead of holdings it is enough to count how many cards of each class every player holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..situation.constraints import Condition

Sets = NDArray[np.uint8]
Counts = NDArray[np.int64]

MOST_HOLDINGS = 200_000
"""Ways to hold cards of each class that one player's holding is counted for."""

MOST_CASES = 5_000_000
"""More cases than this are too many to count."""


class HiddenCards(NamedTuple):
    """All cases of the hidden cards of some players.

    ``holdings`` has a holding for each way of having cards of each class, uint8[n, size], by player; ``rows`` tells
    which of them a player has in each case, and ``weights`` in how many ways they are dealt so: int64 or larger.
    """

    holdings: dict[int, Sets]
    rows: dict[int, Counts]
    weights: NDArray[Any]


_COMB = np.array([[comb(n, k) for k in range(41)] for n in range(41)], np.int64)


def hidden_cards(
    classes: Sequence[Sequence[int]], sizes: Mapping[int, int], conditions: Sequence[tuple[tuple[int, ...], Condition]]
) -> HiddenCards | None:
    """The cases of hidden cards, so many for each player as ``sizes`` says, out of classes of cards; None for too many.

    ``conditions`` are about the cards that some players hold together; they do not tell cards of a class apart.

    >>> cases = hidden_cards([[6, 16], [0, 1, 2]], {0: 2}, [])
    >>> cases.holdings[0].tolist(), cases.weights.tolist()
    ([[6, 16], [6, 0], [0, 1]], [1, 6, 3])
    """
    available = np.array([len(cards) for cards in classes], np.int64)
    used = np.zeros((1, len(classes)), np.int64)
    weights: NDArray[Any] = np.ones(1, _kind_of(int(available.sum()), sizes.values()))
    rows, counts = dict[int, Counts](), dict[int, Counts]()
    for player, size in sizes.items():
        own = _compositions(available, size)
        if own is None or len(own) * len(used) > MOST_CASES:
            return None
        left, right = (grid.ravel() for grid in np.meshgrid(np.arange(len(used)), np.arange(len(own)), indexing="ij"))
        fits = (used[left] + own[right] <= available).all(axis=1)
        left, right = left[fits], right[fits]
        weights = weights[left] * _COMB[available - used[left], own[right]].prod(axis=1)
        used = used[left] + own[right]
        rows = {other: which[left] for other, which in rows.items()} | {player: right}
        counts[player] = own
    good = np.ones(len(used), np.bool_)
    for players, condition in conditions:
        wanted = np.array([condition.cards >> cards[0] & 1 for cards in classes], np.int64)
        held = sum(((counts[player] @ wanted)[rows[player]] for player in players), np.zeros(len(used), np.int64))
        good &= (held >= condition.low) & (held <= condition.high)
    holdings = {player: _representatives(classes, counts[player], size) for player, size in sizes.items()}
    return HiddenCards(holdings, {player: which[good] for player, which in rows.items()}, weights[good])


def _kind_of(left: int, sizes: Iterable[int]) -> type:
    """The kind of number that the ways to deal so many of the cards left fit: int64, or Python's own of any size."""
    ways = 1
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return np.int64 if ways < 2**63 else object


def _compositions(available: Counts, size: int) -> Counts | None:
    """Every way to hold ``size`` cards by how many of each class: int64[n, classes]; None for too many."""
    rows = np.zeros((1, 0), np.int64)
    for place, most in enumerate(available.tolist()):
        rest, parts = int(available[place + 1 :].sum()), []
        for count in range(min(most, size) + 1):
            total = rows.sum(axis=1) + count
            fits = (total <= size) & (total + rest >= size)
            parts.append(np.column_stack((rows[fits], np.full(int(fits.sum()), count, np.int64))))
        rows = np.concatenate(parts)
        if len(rows) > MOST_HOLDINGS:
            return None
    return rows


def _representatives(classes: Sequence[Sequence[int]], counts: Counts, size: int) -> Sets:
    """A holding for each row of how many cards of each class it has: uint8[n, size]."""
    rows = [[card for some, n in zip(classes, row, strict=True) for card in some[:n]] for row in counts.tolist()]
    return np.array(rows, np.uint8).reshape(len(rows), size)
