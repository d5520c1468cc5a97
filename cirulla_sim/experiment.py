"""An experiment as a frozen value, its hands or games in chunks, and what a chunk of them adds to the tally.

Hands are numbered, and games; each is a pure function of (rules, policies, seed, number). A tally is a flat int64
array: tallies of disjoint sets of hands add up, in any order, to the tally of all of them (see ``kernel.tallies`` and
``kernel.games`` for its parts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from threading import local
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, unknown
from .rules import Rules

POLICIES = ("random", "greedy")
"""The names of the policies, in the order of the kernel's numbers for them."""

CHUNK = 1 << 16
"""Hands in a chunk, unless a caller says otherwise: some tens of milliseconds of play."""

CHECKPOINT = 1 << 18
"""Hands between two looks at the precision; chunks never straddle one, so any chunk size stops at the same hand."""

MAX_HANDS = 10**12


class Trials(Protocol):
    """What an engine carries out: numbered trials, each a pure function of its number, whose tallies add up."""

    @property
    def rules(self) -> Rules: ...

    @property
    def policies(self) -> tuple[str, ...]: ...

    @property
    def side_policies(self) -> tuple[str, ...]: ...

    @property
    def seed(self) -> int: ...

    @property
    def unit(self) -> str:
        """What one trial is, in the plural: ``hands``."""

    @property
    def number(self) -> int:
        """How many there are to play."""

    @property
    def chunk(self) -> int:
        """How many go into a chunk unless a caller says otherwise."""

    def of_number(self, number: int) -> Trials:
        """The same, but so many of them."""

    def check(self) -> None:
        """Raise ``InputError`` if the kernel cannot play the rules."""

    def tally_size(self) -> int:
        """The length of the flat tally."""

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play so many from number ``first`` on; returns their tally and, if asked for, a row for each."""


def check_play(rules: Rules, policies: tuple[str, ...], seed: int) -> None:
    """Raise ``InputError`` unless there is a known policy for all or one a side, and for a seed out of range."""
    for name in policies:
        if name not in POLICIES:
            raise unknown("policy", name, POLICIES)
    if len(policies) not in (1, rules.sides):
        raise InputError(
            f"policy {','.join(policies)!r} names {len(policies)} policies: "
            f"give one for all or one for each of the {rules.sides} sides"
        )
    if not 0 <= seed < 2**64:
        raise InputError(f"seed '{seed}' is not valid (valid: 0 to 2**64 - 1)")


def by_side(rules: Rules, policies: tuple[str, ...]) -> tuple[str, ...]:
    """The policy of each side."""
    return policies * rules.sides if len(policies) == 1 else policies


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

    unit: ClassVar[str] = "hands"
    chunk: ClassVar[int] = CHUNK

    def __post_init__(self) -> None:
        check_play(self.rules, self.policies, self.seed)
        if not 1 <= self.hands <= MAX_HANDS:
            raise InputError(f"hands '{self.hands}' is not valid (valid: 1 to {MAX_HANDS:_})")

    @property
    def number(self) -> int:
        return self.hands

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policy of each side."""
        return by_side(self.rules, self.policies)

    def of_number(self, number: int) -> Experiment:
        return replace(self, hands=number)

    def check(self) -> None:
        playable(self)

    def tally_size(self) -> int:
        from .kernel.tallies import SIZE

        return SIZE

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        return play_chunk(self, first, number, rows)


@dataclass(frozen=True)
class Games:
    """Whole games put to simulation: rules, a policy for each side, how many games (or matches), and the seed.

    ``policies`` names one policy for all sides or one a side, the first dealer's side last; so does ``points``, the
    score that every game begins with, empty for none.

    Raises ``InputError`` for unknown policies, numbers out of range and a score at which the game is over.
    """

    rules: Rules
    policies: tuple[str, ...] = ("random",)
    games: int = 100_000
    seed: int = 1
    points: tuple[int, ...] = ()

    unit: ClassVar[str] = "games"
    chunk: ClassVar[int] = CHUNK >> 3

    def __post_init__(self) -> None:
        check_play(self.rules, self.policies, self.seed)
        if not 1 <= self.games <= MAX_HANDS:
            raise InputError(f"games '{self.games}' is not valid (valid: 1 to {MAX_HANDS:_})")
        if self.points:
            check_score(self.rules, self.points)

    @property
    def number(self) -> int:
        return self.games

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policy of each side, the first dealer's last."""
        return by_side(self.rules, self.policies)

    def of_number(self, number: int) -> Games:
        return replace(self, games=number)

    def check(self) -> None:
        from .kernel.flat import flatten_game

        _flat(self.rules)
        flatten_game(self.rules)

    def tally_size(self) -> int:
        from .kernel.games import SIZE

        return SIZE

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Play games ``first`` to ``first + number - 1``; the rows have the columns named by ``game_row_names``.

        Raises ``InputError`` where a game does not end.
        """
        from .kernel.flat import flatten_game
        from .kernel.games import MOST_HANDS, run_games, views

        kept = np.zeros((number if rows else 0, len(game_row_names(self.rules))), np.int32)
        tally = np.zeros(self.tally_size(), np.int64)
        points = np.zeros(4, np.int64)
        points[: len(self.points)] = self.points
        endless = run_games(
            _flat(self.rules), flatten_game(self.rules), _codes(self), points, np.uint64(self.seed), np.uint64(first),
            np.uint64(number), _work(), _gamework(), views(tally), kept,
        )  # fmt: skip
        if endless:
            raise InputError(
                f"target '{self.rules.target}': game {endless - 1} of seed {self.seed} has not ended after "
                f"{int(MOST_HANDS):_} hands (valid: a game that these rules and policies can end)"
            )
        return tally, kept


def check_score(rules: Rules, points: tuple[int, ...]) -> None:
    """Raise ``InputError`` for a score that a game to a target does not go on from."""
    text = "-".join(str(x) for x in points)
    if rules.hands_per_game is not None:
        raise InputError(
            f"score '{text}' cannot be begun with: the game has hands_per_game {rules.hands_per_game}, not a target"
        )
    if len(points) != rules.sides:
        raise InputError(
            f"score '{text}' names {len(points)} sides (valid: a score for each of the {rules.sides} sides)"
        )
    if max(points) >= rules.target or min(points) < 0:
        raise InputError(
            f"score '{text}' is no score of a game to {rules.target} that goes on (valid: from 0 to {rules.target - 1})"
        )


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


def _gamework() -> Any:
    """This thread's room to play games in."""
    if not hasattr(_of_thread, "gamework"):
        from .kernel.games import new_gamework

        _of_thread.gamework = new_gamework()
    return _of_thread.gamework


@cache
def _flat(rules: Rules) -> Any:
    from .kernel.flat import flatten

    return flatten(rules)


def playable(experiment: Experiment) -> None:
    """Raise ``InputError`` if the kernel cannot play the rules."""
    _flat(experiment.rules)


def _codes(experiment: Experiment | Games) -> NDArray[np.uint64]:
    codes = np.zeros(4, np.uint64)
    codes[: experiment.rules.sides] = [POLICIES.index(name) for name in experiment.side_policies]
    return codes


def row_names(rules: Rules) -> list[str]:
    """The names of the columns of ``play_chunk``'s rows."""
    from .kernel.scoring import COLUMNS

    sides = [f"side{side}_" for side in range(rules.sides)]
    return ["misdeals", "table_bonus_kind", "won_at_deal", *(side + name for side in sides for name in COLUMNS)]


def game_row_names(rules: Rules) -> list[str]:
    """The names of the columns of the rows of ``Games.play``; ``winners`` is a mask of sides."""
    from .kernel.games import ROW

    return [*ROW, *(f"side{side}_points" for side in range(rules.sides))]


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
    run_hands(
        _flat(experiment.rules), _codes(experiment), np.uint64(experiment.seed), np.uint64(first), np.uint64(hands),
        _work(), views(tally), kept,
    )  # fmt: skip
    return tally, kept


def replay_chunk(experiment: Experiment, dice: int, first: int, hands: int) -> NDArray[np.int32]:
    """Play the deals of hands ``first`` to ``first + hands - 1`` with the dice that the seats have under seed ``dice``.

    Returns for each the points of the dealer's side times the number of other sides, less the points of those: the
    margin, where there are two sides. With ``dice`` the experiment's own seed the hands are the same as ever.
    """
    from .kernel.replays import run_replays

    margins = np.zeros(hands, np.int32)
    run_replays(
        _flat(experiment.rules), _codes(experiment), np.uint64(experiment.seed), np.uint64(dice), np.uint64(first),
        np.uint64(hands), _work(), margins,
    )  # fmt: skip
    return margins


def play_one(experiment: Experiment, index: int) -> Any:
    """Play one hand; returns the kernel's ``Work`` with all that happened, valid until this thread's next hand."""
    play_chunk(experiment, index, 1)
    return _work()
