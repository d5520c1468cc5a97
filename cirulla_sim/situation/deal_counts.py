"""The number of deals that fulfil constraints, and the choices that make such a deal.

Cards that no condition distinguishes are a class, places that none distinguishes a region. A deal is then the number of
cards of each class in each region, and the number of ways to deal them so. Classes are dealt one after another; what
matters of those before is the room that each region has left, and how many cards each condition has counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import comb, factorial, prod
from threading import Lock
from typing import Any

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


class Ways:
    """The ways to deal under constraints; ``apart`` are places that are regions of their own, the first ones."""

    def __init__(self, constraints: DealConstraints, apart: Sequence[int] = ()) -> None:
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
        self._looked_at = 0
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
            if self._looked_at > MOST_CHOICES:
                raise InputError(
                    f"--deal {self.constraints.text!r} tells too much apart to be counted (valid: less of it)"
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


MOST_STORED = 64

_recent: dict[DealConstraints, NDArray[Any]] = {}
_lock = Lock()


def dealt_by(constraints: DealConstraints) -> NDArray[Any]:
    """The constraints for the kernel, an array of one ``constrained_deal.CONSTRAINTS``; the kernel has its address.

    The most recent are stored, half a megabyte each, since every chunk of a run needs them.

    Raises ``InputError`` where no deal fits, and where there are too many cases.
    """
    with _lock:
        record_array = _recent.pop(constraints, None)
        _recent[constraints] = _record_of(constraints) if record_array is None else record_array
        if len(_recent) > MOST_STORED:
            del _recent[next(iter(_recent))]
        return _recent[constraints]


def _record_of(constraints: DealConstraints) -> NDArray[Any]:
    from ..kernel.game.constrained_deal import CONSTRAINTS, EDGES, REGIONS

    ways = Ways(constraints)
    if not ways.fitting():
        raise InputError(f"--deal {constraints.text!r} fits no deal (valid: cards that can lie so together)")
    nodes, edges = _graph(ways)
    if len(edges) > EDGES or len(ways.regions) > REGIONS:
        raise InputError(f"--deal {constraints.text!r} tells too much apart to be dealt (valid: less of it)")
    record_array = np.zeros(1, np.dtype((np.record, CONSTRAINTS)))
    record = record_array[0]
    record.classes, record.regions = len(ways.kinds), len(ways.regions)
    record.class_of[:] = ways.kind_of
    starts = np.cumsum([0, *constraints.sizes])
    places = [[p for at in region for p in range(starts[at], starts[at + 1])] for region in ways.regions]
    record.places[:] = [place for region in places for place in region]
    record.first[: len(places) + 1] = np.cumsum([0, *map(len, places)])
    for number, (split, last, after) in enumerate(edges):
        record.takes[number, : len(split)] = split
        record.last[number] = last
        record.after[number] = nodes.get(after, 0)
    return record_array


def _graph(ways: Ways) -> tuple[dict[Node, int], list[tuple[Split, int, Node]]]:
    """The first choice of each class to be dealt, and all choices: cards by region, the last random number that makes
    the choice, and the class to be dealt after it."""
    from ..kernel.game.constrained_deal import ALL_BITS

    nodes: dict[Node, int] = {ways.root: 0}
    edges: list[tuple[Split, int, Node]] = []
    for node in (todo := [ways.root]):
        options = [(split, times * ways.after(after), after) for split, times, after in ways.choices(node)]
        options = [option for option in options if option[1]]
        nodes[node] = len(edges)
        total, before = sum(weight for _, weight, _ in options), 0
        for split, weight, after in options:
            before += weight
            edges.append((split, int(ALL_BITS) if before == total else (before << 64) // total - 1, after))
            if after[0] < len(ways.kinds) and after not in nodes:
                nodes[after] = -1
                todo.append(after)
    return nodes, edges
