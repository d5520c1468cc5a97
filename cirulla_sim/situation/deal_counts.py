"""The number of deals that fulfil constraints, and the choices that make such a deal.

Cards that no condition distinguishes are a class, places that none distinguishes a region. A deal is then the number of
cards of each class in each region, and the number of ways to deal them so. Classes are dealt one after another; what
matters of those before is the room that each region has left, and how many cards each condition has counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .constraints import DealConstraints

PACK = 40
MOST_CHOICES = 100_000
"""Choices that are looked at, at most: some seconds."""

Split = tuple[int, ...]
"""How many of a class lie in each region."""
Node = tuple[int, Split, Split, tuple[Split, ...]]
"""A class to be dealt next, the room left in each region, the cards that each condition counted, and what is given."""


class TooMuchToCountError(InputError):
    """Constraints that distinguish too many cases to be counted; they can still be sampled."""


class Ways:
    """The ways to deal under the conditions on cards; ``apart`` are places that are regions of their own, first ones.

    Raises ``TooMuchToCountError`` while counting, after ``most`` choices.
    """

    def __init__(self, constraints: DealConstraints, apart: Sequence[int] = (), most: int = MOST_CHOICES) -> None:
        self.constraints, self.conditions = constraints, constraints.conditions
        others = (at for at in range(len(constraints.sizes)) if at not in apart)
        self.regions = (
            *((at,) for at in apart),
            *_alike(others, lambda at: tuple(condition.places >> at & 1 for condition in self.conditions)),
        )
        self.room = tuple(sum(constraints.sizes[at] for at in region) for region in self.regions)
        kinds = _alike(range(PACK), lambda card: tuple(condition.cards >> card & 1 for condition in self.conditions))
        self.kinds = tuple(sorted(kinds, key=lambda kind: (len(kind), kind)))
        self._regions_of = [
            [r for r, region in enumerate(self.regions) if condition.places >> region[0] & 1]
            for condition in self.conditions
        ]
        self._ways_after: dict[Node, int] = {}
        self._looked_at, self._most = 0, most
        self._of_kind = [
            [i for i, condition in enumerate(self.conditions) if condition.cards >> kind[0] & 1] for kind in self.kinds
        ]
        self._last = [
            max((kind for kind, of in enumerate(self._of_kind) if i in of), default=-1)
            for i in range(len(self.conditions))
        ]

    @cached_property
    def kind_of(self) -> NDArray[np.uint8]:
        """The class of each card: uint8[40]."""
        kinds = np.zeros(PACK, np.uint8)
        for number, kind in enumerate(self.kinds):
            kinds[list(kind)] = number
        return kinds

    @property
    def all(self) -> int:
        """The number of ways to deal the pack to the regions, without constraints."""
        return factorial(PACK) // prod(factorial(size) for size in self.room)

    def fitting(self, given: tuple[Split, ...] = ()) -> int:
        """The number of those that fulfil all conditions.

        ``given`` is how many cards of each class lie in the regions that are ``apart``.
        """
        if any(not condition.cards and condition.low for condition in self.conditions):
            return 0
        return self.after((0, self.room, (0,) * len(self.conditions), given))

    def after(self, node: Node) -> int:
        """The number of ways to deal the classes from a node on."""
        kind = node[0]
        if kind == len(self.kinds):
            return 1
        if (ways := self._ways_after.get(node)) is None:
            ways = self._ways_after[node] = sum(times * self.after(after) for _, times, after in self.choices(node))
        return ways

    def choices(self, node: Node) -> Iterator[tuple[Split, int, Node]]:
        """How the class of a node may lie, in how many ways each, and the node that follows."""
        kind, room, progress, given = node
        for split in _splits(len(self.kinds[kind]), room, given[0] if given else ()):
            self._looked_at += 1
            if self._looked_at > self._most:
                raise TooMuchToCountError(
                    "--at {text!r} distinguishes too many cases to be counted (valid: less of it)",
                    self.constraints.text,
                )
            reached = self._reached(kind, split, progress)
            if reached is not None:
                left = tuple(have - taken for have, taken in zip(room, split, strict=True))
                if not self._blocked(kind, left, reached):
                    yield split, _multinomial(split), (kind + 1, left, reached, given[1:])

    def _blocked(self, kind: int, room: Split, progress: Split) -> bool:
        """Whether a condition that goes on after a class needs more cards than its places have room for."""
        return any(
            condition.low - progress[i] > sum(room[r] for r in self._regions_of[i])
            for i, condition in enumerate(self.conditions)
            if self._last[i] > kind
        )

    def _reached(self, kind: int, split: Split, progress: Split) -> Split | None:
        """How far each condition is after a class; None where one is broken. What is done with counts as 0."""
        reached = list(progress)
        for i in self._of_kind[kind]:
            condition = self.conditions[i]
            number = progress[i] + sum(split[r] for r in self._regions_of[i])
            if number > condition.high:
                return None
            if self._last[i] == kind:
                if number < condition.low:
                    return None
                number = 0
            elif condition.high >= PACK:
                number = min(number, condition.low)
            reached[i] = number
        return tuple(reached)

    def compositions(self, sets: NDArray[np.uint8]) -> tuple[list[Split], NDArray[np.int64]]:
        """How many cards of each class sets have: the distinct rows, and which of them each of uint8[n, size] has."""
        counts = np.zeros((len(sets), len(self.kinds)), np.int64)
        for column in self.kind_of[sets].T:
            counts[np.arange(len(sets)), column] += 1
        rows, which = np.unique(counts, axis=0, return_inverse=True)
        return [tuple(row) for row in rows.tolist()], which.reshape(-1)

    def completed(self, *compositions: Split) -> int:
        """The number of deals that fit in which the places ``apart`` have given sets of cards, of such compositions."""
        given = tuple(zip(*compositions, strict=True))
        left, sets = list(map(len, self.kinds)), 1
        for composition in compositions:
            for kind, taken in enumerate(composition):
                sets *= comb(left[kind], taken)
                left[kind] -= taken
        return self.fitting(given) // sets if sets else 0

    @property
    def root(self) -> Node:
        """Before the first class."""
        return 0, self.room, (0,) * len(self.conditions), ()


def may_fit(constraints: DealConstraints) -> bool:
    """Whether any deal meets the conditions on cards; true where that is too much to count."""
    try:
        return Ways(constraints).fitting() > 0
    except TooMuchToCountError:
        return True


def _alike(items: Iterable[int], key: Callable[[int], tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The items that have the same key, together, in the order of the first of each."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return map(tuple, groups.values())


def _splits(size: int, room: Split, given: Split) -> Iterator[Split]:
    """Every way to part ``size`` cards among regions with so much room, of which the first take what is given."""
    if not room:
        if not size:
            yield ()
        return
    if size > sum(room):
        return
    takes = (given[0],) if given else range(min(size, room[0]) + 1)
    for taken in takes:
        if taken <= min(size, room[0]):
            for rest in _splits(size - taken, room[1:], given[1:]):
                yield taken, *rest


def _multinomial(split: Split) -> int:
    ways, before = 1, 0
    for taken in split:
        before += taken
        ways *= comb(before, taken)
    return ways
