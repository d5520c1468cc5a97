"""Experiments as frozen values: numbered hands or games, and the tally of a chunk of them.

Each hand or game is a pure function of (rules, policies, seed, number). A tally is a flat int64 array: the tallies of
disjoint sets of hands add up, in any order, to the tally of all of them (for its parts see ``kernel.game.tallies`` and
``kernel.game.whole_game``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from . import policies
from .chunks import CHUNK, Seated, check_playable, game_row_names, gamework, play_chunk, playing, try_policy
from .policies import Styles, is_own, policy_source
from .user_policies import is_plain

if TYPE_CHECKING:
    from ..situation.constraints import DealConstraints

MAX_HANDS = 10**12
APART = MAX_HANDS // 4

AIMS = ("points", "game")
"""What policies with lookahead can maximise."""


class Numbered(Protocol):
    """Numbered trials."""

    @property
    def unit(self) -> str:
        """What one trial is, in the plural: ``hands``."""

    @property
    def first(self) -> int:
        """The number of the first."""

    @property
    def number(self) -> int:
        """How many there are to play."""

    @property
    def chunk(self) -> int:
        """How many are in a chunk at most."""


@dataclass(frozen=True)
class TrialRange:
    """The numbers of trials that are nothing else."""

    number: int
    first: int = 0
    unit: str = "hands"
    chunk: int = CHUNK


class Trials(Numbered, Seated, Protocol):
    """What an engine plays: numbered trials, each a pure function of its number, whose tallies add up."""

    def check(self) -> None:
        """Raise ``InputError`` if the kernel cannot play the rules."""

    def tally_size(self) -> int:
        """The length of the flat tally."""

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play ``number`` trials from ``first`` on; returns their tally and, with ``rows``, a row for each."""


def allot(first: int, number: int, parts: int) -> Iterator[tuple[int, int]]:
    """How trials from number ``first`` on are shared out among parts in turn: the first of each, and how many.

    Every part has trials of its own, ``APART`` numbers from those of the part before.

    >>> [(begins % APART, share) for begins, share in allot(5, 4, 3)]
    [(2, 1), (2, 1), (1, 2)]
    """
    for part in range(parts):
        begins, ends = (-((part - n) // parts) for n in (first, first + number))
        yield part * APART + begins, ends - begins


def _by_side(rules: Rules, names: tuple[str, ...]) -> tuple[str, ...]:
    """The policy of each side."""
    return names * rules.sides if len(names) == 1 else names


def check_number(unit: str, number: int, first: int) -> None:
    """Raise ``InputError`` for a number of hands or games, or a first one, that is out of range."""
    if not 1 <= number <= MAX_HANDS:
        raise InputError("{unit} {number!r} is not valid (valid: 1 to {most:_})", Message(unit), number, MAX_HANDS)
    if not 0 <= first <= MAX_HANDS - number:
        raise InputError(
            "first {first!r} is not valid (valid: 0 to {last:_}, for {number:_} {unit})",
            first, MAX_HANDS - number, number, Message(unit),
        )  # fmt: skip


def check_play(rules: Rules, names: tuple[str, ...], seed: int) -> None:
    """Raise ``InputError`` unless there is a valid policy for all or for each side, and for a seed out of range."""
    for name in names:
        policies.check_policy(name)
    if len(names) not in (1, rules.sides):
        raise InputError(
            "policy {policies!r} names {number} policies: give one for all or one for each of the {sides} sides",
            ",".join(names), len(names), rules.sides,
        )  # fmt: skip
    if not 0 <= seed < 2**64:
        raise InputError("seed {seed!r} is not valid (valid: 0 to 2**64 - 1)", seed)


@dataclass(frozen=True)
class Experiment:
    """Numbered hands to play: the rules, a policy for each side, how many hands, and the seed.

    ``policies`` names a policy for all sides or for each, the dealer's side last; ``first`` is the number of the first
    hand. Only deals that fulfil the ``constraints`` are played, each equally likely, whose first table stays.
    ``styles`` are what policies have inferred in earlier hands of a game about each side, see ``person.styles_after``;
    None for a hand by itself.

    Raises ``InputError`` for unknown policies and for numbers out of range.
    """

    rules: Rules
    policies: tuple[str, ...] = (policies.USUAL,)
    hands: int = 1_000_000
    seed: int = 1
    first: int = 0
    constraints: DealConstraints | None = None
    styles: Styles | None = None

    unit: ClassVar[str] = "hands"
    chunk: ClassVar[int] = CHUNK

    def __post_init__(self) -> None:
        check_play(self.rules, self.policies, self.seed)
        for name in self.policies:
            if policies.parse_policy(name).aims:
                raise InputError(
                    "policy {name!r} maximises the chance to win the game, and a hand by itself has no score (valid: "
                    "{plain_name}, or the verb games)",
                    name, policies.parse_policy(name).bare,
                )  # fmt: skip
        check_number(self.unit, self.hands, self.first)

    @property
    def number(self) -> int:
        return self.hands

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policy of each side."""
        return _by_side(self.rules, self.policies)

    def check(self) -> None:
        check_playable(self)

    def tally_size(self) -> int:
        from ..kernel.game.tallies import SIZE

        return SIZE

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        return play_chunk(self, first, number, rows)


@dataclass(frozen=True)
class Games:
    """Numbered games to play: the rules, a policy for each side, how many games (or matches), and the seed.

    ``policies`` names a policy for all sides or for each, the first dealer's side last; so does ``points``, the score
    that every game begins with, empty for none. ``aim`` is what policies with lookahead maximise: ``points`` or the
    chance of winning the ``game``; ``win`` are the chances that they use, float32[plays + 1, S, S], which depend on the
    rules alone (see ``expectancy.aimed``). The first hand fulfils the ``constraints``, and its first table stays.

    Raises ``InputError`` for unknown policies, numbers out of range and a score at which the game is over.
    """

    rules: Rules
    policies: tuple[str, ...] = (policies.USUAL,)
    games: int = 100_000
    seed: int = 1
    points: tuple[int, ...] = ()
    aim: str = "points"
    win: NDArray[np.float32] | None = field(default=None, repr=False, compare=False)
    first: int = 0
    constraints: DealConstraints | None = None

    unit: ClassVar[str] = "games"
    chunk: ClassVar[int] = CHUNK >> 3

    def __post_init__(self) -> None:
        check_play(self.rules, self.policies, self.seed)
        check_number(self.unit, self.games, self.first)
        if self.points:
            check_score(self.rules, self.points)
        if self.aim not in AIMS:
            raise unknown("aim", self.aim, AIMS)

    @property
    def number(self) -> int:
        return self.games

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policy of each side, the first dealer's last; with ``aim`` at the game those that can aim do."""
        names = _by_side(self.rules, self.policies)
        if self.aim == "points":
            return names
        can = [name.kind in policies.AIMING and not name.aims for name in map(policies.parse_policy, names)]
        return tuple(f"{name}+{policies.AIM}" if one else name for name, one in zip(names, can, strict=True))

    def check(self) -> None:
        from ..kernel.game.flat import flatten_game

        check_playable(self)
        flatten_game(self.rules)
        if self.win is None and any(policies.parse_policy(name).aims for name in self.side_policies):
            raise InputError(
                "policies {policies!r} aim at the game by chances that are not given", ",".join(self.side_policies)
            )

    def tally_size(self) -> int:
        from ..kernel.game.whole_game import SIZE

        return SIZE

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Play games ``first`` to ``first + number - 1``; the rows have the columns named by ``game_row_names``.

        Raises ``InputError`` where a game does not end.
        """
        return self.play_numbers(np.arange(first, first + number, dtype=np.uint64), rows)

    def play_numbers(
        self, numbers: NDArray[np.uint64], rows: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Play the games of some numbers, each below 2**48, in any order; the same as ``play``."""
        from ..kernel.entries.hands import run_numbered_games
        from ..kernel.game.flat import flatten_game
        from ..kernel.game.whole_game import MOST_HANDS, views

        row_table = np.zeros((len(numbers) if rows else 0, len(game_row_names(self.rules))), np.int32)
        tally = np.zeros(self.tally_size(), np.int64)
        games = gamework()
        with playing(self, 0, len(numbers), self.win) as (flat, codes, _, work):
            games.seated[:], games.start[:] = codes, 0
            games.start[: len(self.points)] = self.points
            endless = run_numbered_games(
                flat, flatten_game(self.rules), np.uint64(self.seed), numbers, work, games, views(tally), row_table
            )
        if endless:
            raise InputError(
                "target {target!r}: game {game} of seed {seed} has not ended after {hands:_} hands (valid: a "
                "game that these rules and policies can end)",
                self.rules.target, endless - 1, self.seed, int(MOST_HANDS),
            )  # fmt: skip
        return tally, row_table


def check_score(rules: Rules, points: tuple[int, ...]) -> None:
    """Raise ``InputError`` for a score that is not one of an unfinished game."""
    text = "-".join(str(x) for x in points)
    if len(points) != rules.sides:
        raise InputError(
            "score {text!r} names {scores} sides (valid: a score for each of the {sides} sides)",
            text, len(points), rules.sides,
        )  # fmt: skip
    if rules.hands_per_game is None and (max(points) >= rules.target or min(points) < 0):
        raise InputError(
            "score {text!r} is not a score of an unfinished game to {target} (valid: from 0 to {highest})",
            text, rules.target, rules.target - 1,
        )  # fmt: skip


def game_after(rules: Rules, points: NDArray[Any], hands: Any) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Whether games end after a number of hands, and the side that leads each, -1 where there is none.

    ``points`` are those of the sides, int[..., sides]. Where nobody leads a game goes on, unless it may be drawn.

    >>> from cirulla_sim.ruleset.presets import build
    >>> due, leader = game_after(build(), np.array([[51, 40], [52, 52], [50, 49]]), 9)
    >>> due.tolist(), leader.tolist()
    ([True, True, False], [0, -1, 0])
    """
    best = points.min(axis=-1) if rules.lowest_wins else points.max(axis=-1)
    leads = points == best[..., None]
    due = hands >= rules.hands_per_game if rules.hands_per_game else points.max(axis=-1) >= rules.target
    return np.asarray(due), np.where(leads.sum(axis=-1) == 1, leads.argmax(axis=-1), -1)


FIRST = 8
"""Trials in the digest: enough to notice another policy, rule or version, few enough to cost nothing."""


def fingerprint(*trials: Trials) -> str:
    """Sixteen hexadecimal digits of the tallies of the first trials, and of the sources of the user's own policies.

    The same on every machine. Two ways of playing that differ only in later trials have the same. A policy in plain
    Python, which may be slow, plays no more than the hand of its test.
    """
    digest = blake2b(digest_size=8)
    for several in trials:
        names = several.side_policies
        hands = {name: try_policy(several.rules, name).tally for name in names if is_own(name)}
        slow = [name for name in hands if is_plain(name)]
        if slow:
            several = _without(several, slow)
        for tally in (several.play(0, FIRST)[0], *(hands[name] for name in slow)):
            digest.update(tally.astype("<i8").tobytes())
        for name in names:
            digest.update(policy_source(name))
    return digest.hexdigest()


def _without(trials: Any, slow: Collection[str]) -> Any:
    """The same with random play in place of some policies, in each arm of a comparison."""
    if hasattr(trials, "arms"):
        return replace(trials, arms={name: _without(arm, slow) for name, arm in trials.arms.items()})
    return replace(trials, policies=tuple("random" if name in slow else name for name in trials.policies))


def policy_sources(names: Iterable[str]) -> dict[str, str]:
    """The digest of the source of each of the user's own policies among some names.

    A policy named by its file is not imported for it.
    """
    return {name: blake2b(policy_source(name), digest_size=16).hexdigest() for name in names if is_own(name)}
