"""The number of deals that fulfil constraints, and constraints ready to be dealt by the kernel.

To count, cards that no condition distinguishes are a class, places that none distinguishes a region. A deal is then the
number of cards of each class in each region, and the number of ways to deal them so. Classes are dealt one after
another; what matters of those before is the room that each region has left, and how many cards each condition has
counted.

To deal, conditions on cards are met by ``Ways`` as far as they can be counted, the rarest first. Conditions on holdings
are checked, or holdings of three cards are drawn from the sets that they may be and the other conditions checked. Of
two ways the one that throws away fewer deals is taken, as measured with fixed random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import comb, factorial, prod
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .constraints import Condition, DealConstraints, HoldingCondition

PACK = 40
MOST_CHOICES = 100_000
"""Choices that are looked at, at most: some seconds."""

Split = tuple[int, ...]
"""How many of a class lie in each region."""
Step = tuple[int, Split, Split]
"""A class to be dealt next, the room left in each region, and the cards that each condition counted."""


class TooMuchToCountError(InputError):
    """Constraints that distinguish too many cases to be counted; they can still be sampled."""


class Ways:
    """The ways to deal under the conditions on cards.

    Raises ``TooMuchToCountError`` while counting, after ``most`` choices.
    """

    def __init__(self, constraints: DealConstraints, most: int = MOST_CHOICES) -> None:
        self.constraints, self.conditions = constraints, constraints.conditions
        places = range(len(constraints.sizes))
        self.regions = tuple(_alike(places, lambda at: tuple(one.places >> at & 1 for one in self.conditions)))
        self.room = tuple(sum(constraints.sizes[at] for at in region) for region in self.regions)
        kinds = _alike(range(PACK), lambda card: tuple(condition.cards >> card & 1 for condition in self.conditions))
        self.kinds = tuple(sorted(kinds, key=lambda kind: (len(kind), kind)))
        self._regions_of = [
            [r for r, region in enumerate(self.regions) if condition.places >> region[0] & 1]
            for condition in self.conditions
        ]
        self._ways_after: dict[Step, int] = {}
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

    def fitting(self) -> int:
        """The number of those that fulfil all conditions."""
        if any(not condition.cards and condition.low for condition in self.conditions):
            return 0
        return self.after(self.root)

    def after(self, node: Step) -> int:
        """The number of ways to deal the classes from a node on."""
        kind = node[0]
        if kind == len(self.kinds):
            return 1
        if (ways := self._ways_after.get(node)) is None:
            ways = self._ways_after[node] = sum(times * self.after(after) for _, times, after in self.choices(node))
        return ways

    def choices(self, node: Step) -> Iterator[tuple[Split, int, Step]]:
        """How the class of a node may lie, in how many ways each, and the node that follows."""
        kind, room, progress = node
        for split in _splits(len(self.kinds[kind]), room):
            self._looked_at += 1
            if self._looked_at > self._most:
                raise TooMuchToCountError(
                    "--at {text!r} distinguishes too many cases to be counted (valid: less of it)",
                    self.constraints.text,
                )
            reached = self._reached(kind, split, progress)
            if reached is not None:
                left = tuple(have - taken for have, taken in zip(room, split, strict=True))
                # Whether a condition that goes on after the class needs more cards than its places have room for.
                is_blocked = any(
                    condition.low - reached[i] > sum(left[r] for r in self._regions_of[i])
                    for i, condition in enumerate(self.conditions)
                    if self._last[i] > kind
                )
                if not is_blocked:
                    times = factorial(sum(split)) // prod(map(factorial, split))
                    yield split, times, (kind + 1, left, reached)

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

    @property
    def root(self) -> Step:
        """Before the first class."""
        return 0, self.room, (0,) * len(self.conditions)


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


def _splits(size: int, room: Split) -> Iterator[Split]:
    """Every way to part ``size`` cards among regions with so much room."""
    if not room:
        if not size:
            yield ()
        return
    if size > sum(room):
        return
    for taken in range(min(size, room[0]) + 1):
        for rest in _splits(size - taken, room[1:]):
            yield taken, *rest


MOST_STORED = 64
TRIALS = (1 << 14, 1 << 18, 1 << 22)
"""Deals proposed to measure how many fit: more where few do."""

ENOUGH, FEWEST = 1_000, 4
"""The number of fitting deals that ends the trials, and the smallest with which constraints are not refused."""


class Sampler(NamedTuple):
    """Constraints for the kernel, which has the address of ``record``: an array of ``CONSTRAINTS``, one a seat.

    ``proposed`` is the chance that a shuffled pack is among the deals proposed, ``share`` how many of these fit.
    """

    record: NDArray[Any]
    proposed: float
    share: float

    @property
    def chance(self) -> float:
        """The chance that a shuffled pack fits, an estimate where some proposals do not."""
        return self.proposed * self.share


_recent: dict[DealConstraints, Sampler] = {}
_lock = RLock()  # constraints of any seat need those of each


def sampler_of(constraints: DealConstraints) -> Sampler:
    """The constraints for the kernel.

    The most recent are stored, about a megabyte each at most, since every chunk of a run needs them.

    Raises ``InputError`` where no deal fits, or fewer than about one in a million that can be proposed.
    """
    with _lock:
        sampler = _recent.pop(constraints, None)
        if sampler is None and constraints.any_of:
            each = [sampler_of(one) for one in constraints.any_of]
            sampler = each[0]._replace(record=np.concatenate([one.record for one in each]))
        elif sampler is None:
            sampler = _with_testers(constraints, _fastest(constraints))
        _recent[constraints] = sampler
        if len(_recent) > MOST_STORED:
            del _recent[next(iter(_recent))]
        return _recent[constraints]


def _with_testers(constraints: DealConstraints, sampler: Sampler) -> Sampler:
    """The same where one at least of other constraints must be met besides; raises ``InputError`` as above."""
    if not constraints.some_of:
        return sampler
    testers = [_checking(one, one.conditions, one.holdings) for one in constraints.some_of]
    record = np.concatenate([sampler.record, *testers])
    for trials in TRIALS:
        fitting = _fitting(record, trials, len(testers))
        if fitting >= ENOUGH:
            break
    if fitting < FEWEST:
        raise _too_rare(constraints, trials)
    return Sampler(record, sampler.proposed, fitting / trials)


def _too_rare(constraints: DealConstraints, trials: int) -> InputError:
    return InputError(
        "--at {text!r} fits hardly any deal, none of {trials:_} tried (valid: less of it)", constraints.text, trials
    )


def _fastest(constraints: DealConstraints) -> Sampler:
    ways, edges = _counted(constraints)
    rest = [condition for condition in constraints.conditions if condition not in ways.conditions]
    record = _checking(constraints, rest, constraints.holdings)
    _write_choices(record[0], ways, edges)
    samplers = [Sampler(record, ways.fitting() / ways.all, 1.0)]
    if not rest and not constraints.holdings:
        return samplers[0]
    samplers += _from_lists(constraints)
    for trials in TRIALS:
        fitting = [_fitting(sampler.record, trials) for sampler in samplers]
        if max(fitting) >= ENOUGH:
            break
    best = fitting.index(max(fitting))
    if fitting[best] < FEWEST:
        raise _too_rare(constraints, trials)
    return samplers[best]._replace(share=fitting[best] / trials)


def _fitting(record: NDArray[Any], trials: int, testers: int = 0) -> int:
    from ..kernel.entries.deals import count_fitting
    from ..kernel.game.hand import work_type

    [work] = work_type.zeros()
    work.constraints, work.testers = record.ctypes.data, testers
    return int(count_fitting(np.uint64(1), np.uint64(trials), work))


# ------------------------------------------------------------------------------------------------ conditions on cards

Edges = list[tuple[Split, int, int]]
"""Cards by region, the last random number that makes the choice, and the first choice of the class that follows."""

QUICK, MOST_FAILED = 30_000, 4
"""Where all conditions together cannot be counted they are added one by one: choices looked at each time at most, and
how many conditions may fail to be added."""


def _counted(constraints: DealConstraints) -> tuple[Ways, Edges]:
    """The ways to deal under as many of the conditions on cards as can be counted.

    Raises ``InputError`` where no deal fits.
    """
    try:
        return _graph(constraints)
    except TooMuchToCountError:
        graph = _graph(replace(constraints, conditions=()))
    failed = 0
    for condition in sorted(constraints.conditions, key=lambda each: _chance(constraints, each)):
        try:
            graph = _graph(replace(constraints, conditions=(*graph[0].conditions, condition)), QUICK)
        except TooMuchToCountError:
            failed += 1
        if failed > MOST_FAILED:
            break
    return graph


def _chance(constraints: DealConstraints, condition: Condition) -> float:
    """The chance of one condition alone."""
    try:
        ways = Ways(replace(constraints, conditions=(condition,)), most=QUICK)
        return ways.fitting() / ways.all
    except TooMuchToCountError:
        return 1.0


def _graph(constraints: DealConstraints, most: int = MOST_CHOICES) -> tuple[Ways, Edges]:
    """All choices, those of the first class first, and those of a class together, weighted by what follows.

    Raises ``TooMuchToCountError`` for more than the kernel has room for, and ``InputError`` where no deal fits.
    """
    from ..kernel.game.constrained_deal import ALL_BITS, EDGES, REGIONS

    ways = Ways(constraints, most=most)
    if not ways.fitting():
        raise InputError("--at {text!r} fits no deal (valid: cards that can lie so together)", constraints.text)
    nodes: dict[Step, int] = {ways.root: 0}
    edges: list[tuple[Split, int, Step]] = []
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
        if len(edges) > EDGES or len(ways.regions) > REGIONS:
            raise TooMuchToCountError(
                "--at {text!r} distinguishes too many cases (valid: less of it)", constraints.text
            )
    return ways, [(split, last, nodes.get(after, 0)) for split, last, after in edges]


def _write_choices(record: Any, ways: Ways, edges: Edges) -> None:
    """Write the choices to a record of ``CONSTRAINTS``."""
    sizes = ways.constraints.sizes
    record.classes, record.regions = len(ways.kinds), len(ways.regions)
    record.class_of[:] = ways.kind_of
    starts = np.cumsum([0, *sizes])
    places = [[p for at in region for p in range(starts[at], starts[at + 1])] for region in ways.regions]
    record.places[:] = [place for region in places for place in region]
    record.first[: len(places) + 1] = np.cumsum([0, *map(len, places)])
    for number, (split, last, after) in enumerate(edges):
        record.takes[number, : len(split)] = split
        record.last[number] = last
        record.after[number] = after


# ------------------------------------------------------------------------------------------------ what is checked


def _checking(
    constraints: DealConstraints, conditions: Sequence[Condition], holdings: Sequence[HoldingCondition]
) -> NDArray[Any]:
    """An array of one ``CONSTRAINTS`` that checks some of the conditions, and deals anything."""
    from ..kernel.game.constrained_deal import CHECKS, CONSTRAINTS, TESTS

    if len(conditions) > CHECKS or len(holdings) > TESTS:
        raise InputError("--at {text!r} has too many conditions (valid: less of it)", constraints.text)
    array = np.zeros(1, np.dtype((np.record, CONSTRAINTS)))
    record = array[0]
    record.checks, record.tests = len(conditions), len(holdings)
    if conditions or holdings:
        record.sizes_known = len(constraints.sizes)
        record.sizes[: len(constraints.sizes)] = constraints.sizes
    for number, condition in enumerate(conditions):
        record.check_places[number], record.check_cards[number] = condition.places, condition.cards
        record.check_low[number], record.check_high[number] = condition.low, condition.high
    for number, holding in enumerate(holdings):
        record.test_place[number], record.test_beside[number] = holding.place, holding.beside
        record.test_some[number], record.test_sets[number] = holding.some, np.frombuffer(holding.sets, np.bool_)
    return array


def _from_lists(constraints: DealConstraints) -> list[Sampler]:
    """The sampler that draws all holdings of three cards with conditions from lists of what they may be, if any."""
    from ..kernel.game.constrained_deal import DRAWN

    allowed = three_allowed(constraints)
    if not 0 < len(allowed) <= DRAWN:
        return []
    tested = [holding for holding in constraints.holdings if holding.place not in allowed]
    array = _checking(constraints, [c for c in constraints.conditions if _places(c) not in allowed], tested)
    record, starts = array[0], np.cumsum([0, *constraints.sizes])
    record.drawn = len(allowed)
    masks = _masks()
    for number, (place, sets) in enumerate(allowed.items()):
        record.drawn_first[number], record.drawn_size[number] = starts[place], sets.sum()
        record.drawn_sets[number, : sets.sum()] = masks[sets]
    packs = prod(comb(PACK - 3 * number, 3) for number in range(len(allowed)))
    return [Sampler(array, prod(int(sets.sum()) for sets in allowed.values()) / packs, 1.0)]


def _places(condition: Condition) -> int:
    """The place of a condition on one place; -1 for others."""
    return condition.places.bit_length() - 1 if condition.places.bit_count() == 1 else -1


def _masks() -> NDArray[np.uint64]:
    """The sets of three cards as masks, in ascending order: uint64[9880]."""
    return np.array([1 << a | 1 << b | 1 << c for a, b, c in combinations(range(PACK), 3)], np.uint64)


def three_allowed(constraints: DealConstraints) -> dict[int, NDArray[np.bool_]]:
    """The places of three cards with a condition on the holding, and the sets that all conditions on it alone allow.

    bool[9880], in the order of ``exact.sums.index_of``.

    Raises ``InputError`` where one allows none.
    """
    allowed: dict[int, NDArray[np.bool_]] = {}
    for holding in constraints.holdings:
        if constraints.sizes[holding.place] == 3 and not holding.beside:
            fits = np.frombuffer(holding.sets, np.bool_) == holding.some
            allowed[holding.place] = allowed.get(holding.place, True) & fits
    for condition in constraints.conditions:
        if (place := _places(condition)) in allowed:
            number = np.bitwise_count(_masks() & np.uint64(condition.cards))
            allowed[place] = allowed[place] & (number >= condition.low) & (number <= condition.high)
    if not all(sets.any() for sets in allowed.values()):
        raise InputError("--at {text!r} fits no deal (valid: cards that can lie so together)", constraints.text)
    return allowed
