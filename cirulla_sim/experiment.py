"""An experiment as a frozen value, its hands in chunks, and what a chunk of them adds to the tally.

Hands are numbered; each is a pure function of (rules, policies, seed, number). A tally is a flat int64 array: tallies
of disjoint sets of hands add up, in any order, to the tally of all of them (see ``kernel.tallies`` for its parts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import policies
from .cards import texts
from .errors import InputError
from .rules import Rules

CHUNK = 1 << 16
"""Hands in a chunk, unless a caller says otherwise: some tens of milliseconds of play."""

CHECKPOINT = 1 << 18
"""Hands between two looks at the precision; chunks never straddle one, so any chunk size stops at the same hand."""

MAX_HANDS = 10**12


@dataclass(frozen=True)
class Experiment:
    """A question put to simulation: rules, a policy for each side, how many hands, and the seed.

    ``policies`` names one policy for all sides or one a side, the dealer's side last.

    Raises ``InputError`` for unknown policies and for numbers out of range.
    """

    rules: Rules
    policies: tuple[str, ...] = ("random",)
    hands: int = 1_000_000
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.policies:
            policies.check(name)
        if len(self.policies) not in (1, self.rules.sides):
            raise InputError(
                f"policy {','.join(self.policies)!r} names {len(self.policies)} policies: "
                f"give one for all or one for each of the {self.rules.sides} sides"
            )
        if not 1 <= self.hands <= MAX_HANDS:
            raise InputError(f"hands '{self.hands}' is not valid (valid: 1 to {MAX_HANDS:_})")
        if not 0 <= self.seed < 2**64:
            raise InputError(f"seed '{self.seed}' is not valid (valid: 0 to 2**64 - 1)")

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policy of each side."""
        return self.policies * self.rules.sides if len(self.policies) == 1 else self.policies


def chunks(first: int, hands: int, size: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Cut the hands ``first`` to ``hands - 1`` into chunks (first hand, number of hands) that end at every checkpoint.

    >>> list(chunks(0, 5, size=2))
    [(0, 2), (2, 2), (4, 1)]
    """
    while first < hands:
        until = min(first + size, hands, (first // CHECKPOINT + 1) * CHECKPOINT)
        yield first, until - first
        first = until


_of_thread = local()


def _work() -> Any:
    """This thread's room to play hands in."""
    if not hasattr(_of_thread, "work"):
        from .kernel.hand import new_work

        _of_thread.work = new_work()
    return _of_thread.work


@cache
def flat_rules(rules: Rules) -> Any:
    """The flat form of rules, made once."""
    from .kernel.flat import flatten

    return flatten(rules)


def playable(experiment: Experiment) -> None:
    """Compile what the experiment needs.

    Raises ``InputError`` if a policy of one's own cannot be found or compiled.
    """
    flat_rules(experiment.rules)
    for name in experiment.policies:
        policies.ready(name)


def prepared(experiment: Experiment, win: NDArray[np.float64] | None = None) -> tuple[Any, NDArray[np.uint64], Any]:
    """What the kernel needs to play: flat rules, the codes of the policies by side, and this thread's ``Work``.

    With ``win``, see ``policies.mind``, policies aim at the game; its score before the hand is ``work.game``, by side.
    """
    flat, work = flat_rules(experiment.rules), _work()
    codes = np.zeros(4, np.uint64)
    called = False
    for side, name in enumerate(experiment.side_policies):
        policy = policies.ready(name)
        codes[side] = policy.code
        work.told[side] = policy.samples, policy.sees_all
        called = called or name not in policies.INLINED
    if called:
        work = work._replace(mind=policies.mind(experiment.rules, work.mind, win))
        work.asker[0] = policies.asker()
    work.fault[:] = 0
    work.game[:] = 0
    return flat, codes, work


def check_answers(experiment: Experiment, work: Any) -> None:
    """Raise ``InputError`` that names the policy, the hand and the position if a policy chose no legal play."""
    from .kernel import ask

    if not work.fault[ask.FAULT]:
        return
    seat = int(work.fault[ask.FAULT_SEAT])
    name = experiment.side_policies[experiment.rules.side(seat)]
    raise InputError(
        f"policy {name!r} answered '{np.int64(work.fault[ask.FAULT_ANSWER])}' where it had "
        f"{work.fault[ask.FAULT_PLAYS]} plays (valid: 0 to {work.fault[ask.FAULT_PLAYS] - 1}) in hand "
        f"{work.fault[ask.FAULT_HAND]} of seed {experiment.seed}, play {work.fault[ask.FAULT_PLAYED]}: seat {seat} "
        f"holding {' '.join(texts(int(work.fault[ask.FAULT_HOLDING])))}, table "
        f"{' '.join(texts(int(work.fault[ask.FAULT_TABLE]))) or 'empty'}"
    )


def row_names(rules: Rules) -> list[str]:
    """The names of the columns of ``play_chunk``'s rows."""
    from .kernel.scoring import COLUMNS

    sides = [f"side{side}_" for side in range(rules.sides)]
    return ["misdeals", "table_bonus_kind", "won_at_deal", *(side + name for side in sides for name in COLUMNS)]


def play_chunk(
    experiment: Experiment, first: int, hands: int, rows: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Play hands ``first`` to ``first + hands - 1``; returns their tally and, if asked for, an int16 row for each hand.

    The rows have the columns named by ``row_names``; without them the array has no rows.
    """
    from .kernel.run import run_hands
    from .kernel.tallies import SIZE, views

    kept = np.zeros((hands if rows else 0, len(row_names(experiment.rules))), np.int16)
    tally = np.zeros(SIZE, np.int64)
    flat, codes, work = prepared(experiment)
    run_hands(flat, codes, np.uint64(experiment.seed), np.uint64(first), np.uint64(hands), work, views(tally), kept)
    check_answers(experiment, work)
    return tally, kept


def play_one(experiment: Experiment, index: int) -> Any:
    """Play one hand; returns the kernel's ``Work`` with all that happened, valid until this thread's next hand."""
    play_chunk(experiment, index, 1)
    return _work()
