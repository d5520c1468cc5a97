"""Who meets whom in a round of a night: Swiss, all play all, knock-out; for many nights at once.

Everywhere ``E`` is a number of nights, ``n`` of pairs, ``T`` of tables in a round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

_MOST_STEPS = 1_000
"""Steps of a search for a round without a rematch, after which there is none but in contrived cases."""


def swiss_round(order: Numbers, met: NDArray[np.bool_], byes: Numbers) -> Numbers:
    """The tables of a Swiss round, int64[E, T, 2].

    ``order`` is int64[E, n], the pairs from the first to the last by standing; ``met`` bool[E, n, n] says who has met
    whom, ``byes`` int64[E, n] how many byes each pair has had.

    From the top, each pair meets the highest pair below it that is free and that it has not met; where this leaves
    somebody only rematches, the lowest tables are changed until it does not. Where no round without rematches is found,
    a pair with only rematches left meets the highest free pair. With an odd number of pairs, the lowest of those with
    the fewest byes has one.

    >>> met = np.zeros((1, 4, 4), bool)
    >>> met[0, [3, 1, 0, 2], [1, 3, 2, 0]] = True
    >>> swiss_round(np.array([[3, 1, 0, 2]]), met, np.zeros((1, 4), int)).tolist()
    [[[3, 0], [1, 2]]]
    """
    if order.shape[1] % 2:
        order = _without_bye(order, byes)
    nights, tables = len(order), order.shape[1] // 2
    each = np.arange(nights)
    may_not = met[each[:, None, None], order[:, :, None], order[:, None, :]]  # by standing
    free = np.ones(order.shape, bool)
    paired = np.zeros((nights, tables, 2), np.int64)
    stuck = np.zeros(nights, bool)
    for table in range(tables):
        upper = free.argmax(axis=1)
        free[each, upper] = False
        new = free & ~may_not[each, upper]
        only_rematches = ~new.any(axis=1)
        stuck |= only_rematches
        lower = np.where(only_rematches[:, None], free, new).argmax(axis=1)
        free[each, lower] = False
        paired[:, table, 0], paired[:, table, 1] = upper, lower
    for night in np.flatnonzero(stuck):
        if (found := _without_rematch(may_not[night])) is not None:
            paired[night] = found
    return np.asarray(order[each[:, None, None], paired])


def _without_bye(order: Numbers, byes: Numbers) -> Numbers:
    """The order without the lowest pair of those that have had the fewest byes."""
    had = np.take_along_axis(byes, order, axis=1)
    fewest = had == had.min(axis=1, keepdims=True)
    out = order.shape[1] - 1 - fewest[:, ::-1].argmax(axis=1)
    stays = np.arange(order.shape[1]) != out[:, None]
    return np.asarray(order[stays].reshape(len(order), -1))


def _without_rematch(may_not: NDArray[np.bool_]) -> list[tuple[int, int]] | None:
    """The first pairing from the top without a forbidden match; None if none is found."""
    number = len(may_not)
    allowed = [sum(1 << other for other in range(number) if not row[other]) for row in may_not]
    steps = 0

    def search(free: int) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not free:
            return []
        upper = (free & -free).bit_length() - 1
        free &= free - 1
        others = free & allowed[upper]
        while others and steps < _MOST_STEPS:
            steps += 1
            lower = others & -others
            if (rest := search(free ^ lower)) is not None:
                return [(upper, lower.bit_length() - 1), *rest]
            others ^= lower
        return None

    if not all(row & ~(1 << at) for at, row in enumerate(allowed)):
        return None  # somebody has met everybody
    return search((1 << number) - 1)


def all_rounds(pairs: int) -> Numbers:
    """The rounds in which everybody meets everybody once, int64[rounds, T, 2], by the circle method.

    With an odd number of pairs each has one bye.

    >>> all_rounds(4).tolist()
    [[[0, 3], [1, 2]], [[1, 3], [2, 0]], [[2, 3], [0, 1]]]
    >>> all_rounds(3).tolist()
    [[[1, 2]], [[2, 0]], [[0, 1]]]
    """
    circle = pairs - 1 + pairs % 2
    rounds, across = np.arange(circle)[:, None], np.arange(1, (circle + 1) // 2)
    tables = np.stack([(rounds + across) % circle, (rounds - across) % circle], axis=-1)
    if pairs % 2:
        return tables
    fixed = np.stack([np.arange(circle), np.full(circle, circle)], axis=-1)
    return np.concatenate([fixed[:, None], tables], axis=1)


def knock_out_round(left: Numbers) -> tuple[Numbers, Numbers]:
    """The pairs with a bye, int64[E, byes], and the tables of a knock-out round, int64[E, T, 2].

    ``left`` is int64[E, pairs that are left], in the order of the draw: the first meets the last, the second the last
    but one. In the first round those at the beginning have byes, as many as are missing to a power of two.

    >>> knock_out_round(np.array([[4, 0, 1, 3, 2]]))
    (array([[4, 0, 1]]), array([[[3, 2]]]))
    """
    number = left.shape[1]
    places = 1 << (number - 1).bit_length()
    byes = places - number
    return left[:, :byes], np.stack([left[:, byes : places // 2], left[:, places // 2 :][:, ::-1]], axis=-1)
