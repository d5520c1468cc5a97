"""Nights of matches, each a pure function of rules, night, policies, seed and number, and their formats compared.

A match is one game of the engine, of the night's hands, the sides dealing in turn. Of source 002 are the victory
points, the maximum of them for a cappotto and the tie-breaks of a knock-out. Readings where it says nothing:

- Victory points of more than six hands are read from the column for six hands, the last of the table.
- A match that the rules decide at a deal (misdeals in a row, four equal table cards) is scored as a cappotto.
- A bye is worth the 10 victory points of a drawn match, and no match points.
- Pairs are placed by victory points, then by match points; in a knock-out by the round in which they lose.
- Lots are drawn for the first round of a Swiss, for pairs that are level when a round is paired, for the places in a
  knock-out, and for who deals first in a match.

Many nights are played at once: everywhere ``E`` is a number of nights, ``n`` of pairs, ``T`` of tables in a round. Two
pairs that meet in a night get the same cards in every format, so nights are paired by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..engine import policies as engine_policies
from ..engine.chunks import game_row_names
from ..engine.engines import Run
from ..engine.trials import Games, check_play
from ..ruleset.catalogue import ALL_POINTS, NO_GAME_POINTS, catalogue, victory_points
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, SWISS, Night
from ..stats.estimates import no_difference
from .compared_hands import LABEL
from .comparison import Comparison, TrialMeasures, comparison_of
from .tally import Quantity, difference_row, level_row, table_schema

Values = NDArray[np.int64]

_MOST_STEPS = 1_000
"""Steps of a search for a round without a rematch, after which there is none but in contrived cases."""


def swiss_round(order: Values, met: NDArray[np.bool_], byes: Values) -> Values:
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


def _without_bye(order: Values, byes: Values) -> Values:
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


def all_rounds(pairs: int) -> Values:
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


def knock_out_round(left: Values) -> tuple[Values, Values]:
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


# ------------------------------------------------------------------------------------------------ standings


class Standings:
    """The standings of ``E`` nights between rounds; ``lots`` are uint64[E, n]."""

    def __init__(self, night: Night, lots: NDArray[np.uint64]) -> None:
        number, pairs = lots.shape
        self.night, self.lots = night, lots
        self.victory_points, self.match_points, self.byes = np.zeros((3, number, pairs), np.int64)
        self.met = np.zeros((number, pairs, pairs), np.int64)  # how often
        self._each = np.arange(number)[:, None]
        self._left = lots.argsort(axis=1)  # in a knock-out, in the order of the draw
        self._out = np.ones((number, pairs), np.int64)  # the places of those that have lost in a knock-out

    def next_round(self, played: int) -> Values:
        """The tables of the next round after so many, int64[E, T, 2]; who is at none of them has a bye."""
        if self.night.format == KNOCK_OUT:
            return knock_out_round(self._left)[1]
        if self.night.format == ALL_PLAY_ALL:
            return np.repeat(all_rounds(self.lots.shape[1])[None, played], len(self.lots), axis=0)
        order = np.lexsort((self.lots, -self.match_points, -self.victory_points), axis=1)
        return swiss_round(order, self.met > 0, self.byes)

    def end_round(self, tables: Values, won: Values, points: Values, victory: Values) -> None:
        """Add the results of all tables of a round, and its byes.

        ``tables`` are int64[E, T, 2]; ``won`` and ``points`` those of the first of two pairs, int64[E, T]; ``victory``
        the victory points of both. A bye is worth those of a drawn match, except in a knock-out.
        """
        for own, sign in ((0, 1), (1, -1)):
            pair = tables[..., own]
            self.victory_points[self._each, pair] += victory[..., own]
            self.match_points[self._each, pair] += sign * points
            self.met[self._each, pair, tables[..., 1 - own]] += 1
        if self.night.format == KNOCK_OUT:
            byes = self._left[:, : self._left.shape[1] - 2 * tables.shape[1]]
            winners = np.where(won > 0, tables[..., 0], tables[..., 1])
            self._left = np.concatenate([byes, winners], axis=1)
            self._out[self._each, tables.sum(axis=2) - winners] = self._left.shape[1] + 1
            return
        bye = np.ones(self.byes.shape, np.int64)
        bye[self._each, tables.reshape(len(bye), -1)] = 0
        self.byes += bye
        self.victory_points += NO_GAME_POINTS * bye

    @property
    def place(self) -> Values:
        """The place of each pair from 1, int64[E, n]; pairs that are level share the highest."""
        if self.night.format == KNOCK_OUT:
            return self._out
        key = (self.victory_points << 32) + self.match_points
        return np.asarray(1 + (key[:, None, :] > key[:, :, None]).sum(axis=2))


def victory_scale(hands: int) -> Values:
    """The victory points of the winner by match points, int64[match points], in a match of some hands (002).

    More match points than the last earn as many. More hands than six are read from the column for six.

    >>> victory_scale(1).tolist()
    [10, 11, 12, 13, 14, 15, 15, 16, 16, 17]
    >>> len(victory_scale(6)) == len(victory_scale(24)), int(victory_scale(8)[-1])
    (True, 20)
    """
    data = catalogue()["victory_points"]
    lowest: Sequence[int] = data["lowest"][data["hands"].index(min(hands, max(data["hands"])))]
    return np.array([victory_points(lowest, points) for points in range(lowest[-1] + 1)])


def match_victory_points(scale: Values, points: Values) -> Values:
    """The victory points of both pairs, int64[..., 2], by the match points of the first, int64[...], on a scale.

    >>> match_victory_points(victory_scale(4), np.array([0, -12, 40])).tolist()
    [[10, 10], [6, 14], [20, 0]]
    """
    earned = scale[np.minimum(abs(points), len(scale) - 1)]
    mine = np.where(points >= 0, earned, ALL_POINTS - earned)
    return np.stack([mine, ALL_POINTS - mine], axis=-1)


@dataclass(frozen=True)
class Nights:
    """Numbered nights to play: the rules, the night, the policy of each pair in the order listed, and the seed.

    The row of a night has the functions ``wanted``. Raises ``InputError`` for rules of more than two sides, unknown
    policies and those that aim at the game, and numbers out of range.
    """

    rules: Rules
    night: Night
    policies: tuple[str, ...]
    seed: int = 1
    number: int = 1
    first: int = 0
    wanted: tuple[NightQuantity, ...] = ()

    unit: ClassVar[str] = "hands"
    """As in the metadata of every run of hands, and as the options --hands and --first-hand are called."""
    chunk: ClassVar[int] = 256
    constraints: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.first + self.number > MOST_NIGHTS:
            raise InputError(
                "--hands {nights!r}: nights have numbers below {most:_} (valid: up to {room:_} from number "
                "{first:_} on)",
                self.number, MOST_NIGHTS, max(0, MOST_NIGHTS - self.first), self.first,
            )  # fmt: skip
        if self.rules.sides != 2:
            raise InputError(
                "--at: night: a match is between two sides, and there are {sides} (valid: players 2, or players "
                "4 in partnership)",
                self.rules.sides,
            )
        if len(self.policies) != len(self.night.pairs):
            raise ValueError(f"{len(self.policies)} policies for {len(self.night.pairs)} pairs")
        if self.rules.lowest_wins:
            raise InputError(
                "--at: night: its victory points are for most points, and the fewest win (valid: lowest_wins=false)"
            )
        check_play(self.rules, (engine_policies.USUAL,), self.seed)
        for name in dict.fromkeys(self.policies):
            try:
                engine_policies.check_policy(name)
            except InputError as error:
                raise InputError("--at: night: {error}", error) from None
            if engine_policies.parse_policy(name).aims:
                raise InputError(
                    "--at: night: policy {name!r} maximises the chance to win the game, and a match is played for "
                    "its margin (valid: {plain_name})",
                    name, engine_policies.parse_policy(name).bare,
                )  # fmt: skip

    @property
    def tables(self) -> int:
        """The most tables of a round: of a knock-out with byes, of the first or of the second."""
        pairs, places = len(self.policies), 1 << self.night.rounds
        return max(pairs - places // 2, places // 4) if self.night.format == KNOCK_OUT else pairs // 2

    def remarks(self) -> Iterator[str]:
        """Sentences on how the night was read where its source says nothing."""
        night, pairs, knock_out = self.night, len(self.policies), self.night.format == KNOCK_OUT
        if len(set(night.pairs)) > 1:
            yield Message("{pairs} pairs play in all.", pairs)
        most = max(catalogue()["victory_points"]["hands"])
        if night.hands > most and not knock_out:
            yield Message(
                "Victory points of {hands} hands a round are those of {most} hands, with which their table ends.",
                night.hands, most,
            )  # fmt: skip
        if pairs % 2 and not knock_out:
            yield Message("A bye is worth {points} victory points, as a drawn match.", NO_GAME_POINTS)
        if knock_out and pairs < 1 << night.rounds:
            yield Message("{pairs} pairs, by lot, have a bye in the first round.", (1 << night.rounds) - pairs)
        if night.format == SWISS and night.rounds >= pairs - 1 + pairs % 2:
            yield Message("So many rounds of a Swiss may need rematches.")

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policies, each once."""
        return tuple(dict.fromkeys(self.policies))

    def check(self) -> None:
        """Whether they can be played was checked when they were built."""

    def tally_size(self) -> int:
        return 0

    def play(self, first: int, number: int, rows: bool = False) -> tuple[Values, NDArray[Any]]:
        """Play nights ``first`` to ``first + number - 1``; the rows are whole numbers, [wanted, nights]."""
        columns = self.columns(first, number, [function for _, function, _ in self.wanted])
        numbers = [columns[name] if least is None else columns[name] >= least for _, name, least in self.wanted]
        return np.zeros(0, np.int64), np.array(numbers, np.float64)

    def columns(self, first: int, number: int, wanted: Sequence[Wanted]) -> dict[Wanted, NightColumn]:
        """What some functions give in nights ``first`` to ``first + number - 1``: bool or int64, [nights] each.

        The best pair is listed first. Raises ``InputError`` for an unknown function, a pair that is not there, and
        minutes where those of a hand are not given.
        """
        for name, pair in wanted:
            check_function(self.night, name, pair)
        played = self.played(first, number)
        return {
            (name, pair): OF_NIGHT[name](self.night, played) if pair is None else OF_PAIR[name](played, pair)
            for name, pair in wanted
        }

    def played(self, first: int, number: int) -> PlayedNights:
        """Play nights ``first`` to ``first + number - 1``; raises ``InputError`` for numbers out of range."""
        if not 0 <= first <= first + number <= MOST_NIGHTS:
            raise InputError("nights {nights!r} are not valid (valid: up to {most:_})", first + number, MOST_NIGHTS)
        nights, pair = np.arange(first, first + number)[:, None], np.arange(len(self.policies))
        # The lots of the pairs, under the numbers of matches of a pair with itself
        lots = _draws(self.seed, match_number(nights, pair, pair, np.zeros(1, np.int64)))
        standings = Standings(self.night, lots)
        won, points, hands, misdeals = np.zeros((4, number, self.night.rounds, self.tables), np.int64)
        matches = np.full((*won.shape, 2), -1)
        played = PlayedNights(
            matches, won, points, np.zeros_like(matches), hands, misdeals, np.zeros(won.shape, bool), standings.place,
            standings.victory_points, standings.match_points,
        )  # fmt: skip
        for at in range(self.night.rounds):
            tables = standings.next_round(at)
            pairs, games = draw_dealers(self.seed, np.arange(first, first + number), tables, standings.met)
            here = (slice(None), at, slice(tables.shape[1]))
            played.matches[here] = pairs
            self._fill(played, here, self._rows(pairs, games))
            standings.end_round(pairs, played.won[here], played.match_points[here], played.victory_points[here])
        return played._replace(place=standings.place)

    def _rows(self, pairs: Values, numbers: NDArray[np.uint64]) -> dict[str, Values]:
        """The columns of the games of some numbers, int64[E, T] by name; the first of two pairs deals first."""
        hands, knock_out, called = self.night.hands, self.night.format == KNOCK_OUT, self.side_policies
        rules = replace(self.rules, hands_per_game=hands, hands_tie="draw", knockout_tiebreak=knock_out, best_of=1)
        names = game_row_names(rules)
        rows = np.zeros((*numbers.shape, len(names)), np.int64)
        policies = np.array([called.index(name) for name in self.policies])[pairs]
        for dealer, other in np.unique(policies.reshape(-1, 2), axis=0).tolist():
            these = (policies == (dealer, other)).all(axis=2)
            games = checked_games(rules, (called[other], called[dealer]), self.seed)
            rows[these] = games.play_numbers(numbers[these], rows=True)[1]
        return {name: rows[..., column] for column, name in enumerate(names)}

    def _fill(self, played: PlayedNights, here: tuple[slice, int, slice], rows: dict[str, Values]) -> None:
        """Write down the results of the matches of a round, of which ``rows`` are the columns."""
        from ..kernel.game.whole_game import AT_DEAL, BY_CAPPOTTO

        scale = victory_scale(self.night.hands)
        first_dealer, other = rows["winners"] >> 1 & 1, rows["winners"] & 1
        won = first_dealer - other
        outright = (rows["ended"] == BY_CAPPOTTO) | (rows["ended"] == AT_DEAL)
        points = np.where(outright, won * (len(scale) - 1), rows["side1_points"] - rows["side0_points"])
        played.won[here], played.match_points[here] = won, points
        played.victory_points[here] = match_victory_points(scale, points)
        played.hands[here], played.misdeals[here] = rows["hands"], rows["misdeals"]
        played.cappotto[here] = rows["ended"] == BY_CAPPOTTO


class PlayedNights(NamedTuple):
    """What happened in ``E`` nights of ``R`` rounds at up to ``T`` tables between ``n`` pairs.

    In ``matches`` the pair that deals first is named first; ``won`` and ``match_points`` are its own. Where a round has
    fewer than ``T`` tables, pairs are -1 and everything else is 0.
    """

    matches: Values  # [E, R, T, 2]: pairs from 0
    won: Values  # [E, R, T]: 1 won, 0 drawn, -1 lost
    match_points: Values  # [E, R, T]
    victory_points: Values  # [E, R, T, 2]: of both
    hands: Values  # [E, R, T]
    misdeals: Values  # [E, R, T]: the most in a row, before one table
    cappotto: NDArray[np.bool_]  # [E, R, T]: whether a cappotto ended it
    place: Values  # [E, n]: from 1; pairs that are level share the highest
    total_victory_points: Values  # [E, n]: with those of byes
    total_match_points: Values  # [E, n]


@lru_cache(512)
def checked_games(
    rules: Rules, policies: tuple[str, ...], seed: int, points: tuple[int, ...] = (),
    constraints: DealConstraints | None = None,
) -> Games:  # fmt: skip
    """The games that some policies play, built and checked once; of a match who deals first is the last."""
    games = Games(rules, policies, 1, seed, points, constraints=constraints)
    games.check()
    return games


# -------------------------------------------------------------------------------- lots, first dealers, numbers of games

_PAIR_BITS = 6  # of the number of a pair
_NIGHT_BITS = 31

MOST_NIGHTS = 1 << _NIGHT_BITS
"""Nights have numbers below this."""


def match_number(night: Values, upper: Values, lower: Values, meeting: Values) -> NDArray[np.uint64]:
    """The number of the game that two pairs play in a night; ``meeting`` counts their earlier ones.

    It does not depend on format and round, so two formats give two pairs the same cards: common random numbers.

    >>> [int(number) for number in match_number(np.array([0, 1]), np.array([0, 2]), np.array([1, 5]), np.array([0, 0]))]
    [1, 4229]
    """
    pairs = upper << _PAIR_BITS | lower
    return (meeting << _NIGHT_BITS + 2 * _PAIR_BITS | night << 2 * _PAIR_BITS | pairs).astype(np.uint64)


def draw_dealers(
    seed: int, nights: Values, tables: Values, met: Values
) -> tuple[Values, NDArray[np.uint64]]:  # fmt: skip
    """The tables, int64[E, T, 2], with the pair first that deals first, and the numbers of their games, uint64[E, T].

    ``nights`` are the numbers of the nights, int64[E], and ``met`` says how often each pair has met each before,
    int64[E, n, n].
    """
    upper, lower = tables.min(axis=2), tables.max(axis=2)
    each = np.arange(len(nights))[:, None]
    numbers = match_number(nights[:, None], upper, lower, met[each, upper, lower])
    upper_deals = _draws(seed, numbers) >> np.uint64(63) == 0
    return np.stack([np.where(upper_deals, upper, lower), np.where(upper_deals, lower, upper)], axis=-1), numbers


_STEP, _MIX_1, _MIX_2 = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)
_LOTS = np.uint64(0x5851F42D4C957F2D)
"""What sets the lots of a night apart from the deals of a hand of the same seed and number."""


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64, see ``kernel.game.streams``."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return np.asarray(z ^ (z >> np.uint64(31)))


def _draws(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A random number, of 64 bits, for each of some numbers."""
    return _mixed(_mixed(np.array([seed], np.uint64) + _LOTS) + (numbers + np.uint64(1)) * _STEP)


# ------------------------------------------------------------------------------------------ what happened, as columns

NightColumn = NDArray[Any]
Wanted = tuple[str, int | None]
"""A function by its name and the number of a pair from 0; None for a function of the whole night."""


def _matches(played: PlayedNights, pair: int, won: int) -> NightColumn:
    """Which matches ended so for a pair: 1 won, -1 lost; bool[E, R, T]."""
    first, second = played.matches[..., 0] == pair, played.matches[..., 1] == pair
    return np.asarray((first & (played.won == won)) | (second & (played.won == -won)))


def _rematches(played: PlayedNights) -> NightColumn:
    pairs = played.place.shape[1]
    tables = played.matches.reshape(len(played.place), -1, 2)
    met = np.where(tables[..., 0] < 0, -1, tables.min(axis=2) * pairs + tables.max(axis=2))
    met.sort(axis=1)
    return np.asarray(((met[:, 1:] == met[:, :-1]) & (met[:, 1:] >= 0)).sum(axis=1))


def _minutes(night: Night, played: PlayedNights) -> NightColumn:
    if night.minutes is None:
        raise InputError("--at: night: minutes requires the minutes that a hand takes (add: 5 minutes a hand)")
    longest = played.hands.max(axis=2).sum(axis=1)
    return np.asarray(-(-longest * night.minutes.numerator // night.minutes.denominator))


OF_PAIR: dict[str, Callable[[PlayedNights, int], NightColumn]] = {
    "wins_night": lambda played, pair: (played.place[:, pair] == 1) & ((played.place == 1).sum(axis=1) == 1),
    "place": lambda played, pair: played.place[:, pair],
    "victory_points": lambda played, pair: played.total_victory_points[:, pair],
    "match_points": lambda played, pair: played.total_match_points[:, pair],
    "matches_won": lambda played, pair: _matches(played, pair, 1).sum(axis=(1, 2)),
    "undefeated": lambda played, pair: _matches(played, pair, -1).sum(axis=(1, 2)) == 0,
}
"""Functions about a pair, by name."""

OF_NIGHT: dict[str, Callable[[Night, PlayedNights], NightColumn]] = {
    "ties_night": lambda night, played: (played.place == 1).sum(axis=1) > 1,
    "lead_night": lambda night, played: np.diff(np.sort(played.total_victory_points)[:, -2:])[:, 0],
    "hands_played": lambda night, played: played.hands.sum(axis=(1, 2)),
    "minutes": _minutes,
    "misdeal_run": lambda night, played: played.misdeals.max(axis=(1, 2)),
    "cappotti": lambda night, played: played.cappotto.sum(axis=(1, 2)),
    "tie_breaks": lambda night, played: (played.hands > night.hands).sum(axis=(1, 2)),
    "rematches": lambda night, played: _rematches(played),
}
"""Functions about the whole night, by name."""

_BY_VICTORY_POINTS = ("victory_points", "lead_night")


def check_function(night: Night, name: str, pair: int | None) -> None:
    """Raise ``InputError`` unless there is such a function of such a night, and such a pair."""
    if name not in (*OF_PAIR, *OF_NIGHT):
        raise unknown("function of a night", name, (*OF_PAIR, *OF_NIGHT))
    if name in OF_PAIR and (pair is None or not 0 <= pair < len(night.pairs)):
        given = Message("no pair") if pair is None else Message("pair {pair!r}", pair + 1)
        raise InputError("{name}: {given} is not valid (valid: pair 1 to pair {pairs})", name, given, len(night.pairs))
    if night.format == KNOCK_OUT and name in _BY_VICTORY_POINTS:
        raise InputError("{name}: a knock-out is not decided by victory points (valid: place, matches_won)", name)
    if name in OF_NIGHT and pair is not None:
        raise InputError("{name}: it is about no pair (valid: {name})", name)


nights_of = lru_cache(16)(Nights)
"""The nights that some policies play, built and checked once."""

LONG_RUN = 3
"""Misdeals in a row that are talked about."""


class NightQuantity(NamedTuple):
    """A quantity by which nights are compared: how the table names it, and the function that gives it.

    Where it is a chance and the function gives a number, the chance is that of ``least`` or more.
    """

    quantity: Quantity
    function: Wanted
    least: int | None = None


_BEST = "pair 1"
QUANTITIES = (
    NightQuantity(Quantity("wins_night", "night", _BEST, "probability"), ("wins_night", 0)),
    NightQuantity(Quantity("ties_night", "night", "all", "probability"), ("ties_night", None)),
    NightQuantity(Quantity("undefeated", "night", _BEST, "probability"), ("undefeated", 0)),
    NightQuantity(Quantity("misdeal_run_3", "night", "all", "probability"), ("misdeal_run", None), LONG_RUN),
    NightQuantity(Quantity("hands_played", "night", "all", "mean"), ("hands_played", None)),
    NightQuantity(Quantity("minutes", "night", "all", "mean"), ("minutes", None)),
    NightQuantity(Quantity("cappotti", "night", "all", "mean"), ("cappotti", None)),
)
"""All of them, in the order of the table; the best pair is listed first."""


def compare_formats(
    rules: Rules, formats: Mapping[str, Night], policies: tuple[str, ...], number: int, seed: int, first: int = 0
) -> Comparison:
    """Formats of a night, by name, compared with the first of them: all of the same pairs, with a policy for each.

    By the quantities that make sense in every format: there are no ties in a knock-out.
    """
    nights = formats.values()
    absent = {
        "ties_night": any(night.format == KNOCK_OUT for night in nights),
        "minutes": any(night.minutes is None for night in nights),
        "cappotti": rules.all_diamonds != "wins" and not rules.shutout,
    }
    wanted = tuple(compared for compared in QUANTITIES if not absent.get(compared.quantity.name))
    arms = {name: Nights(rules, night, policies, seed, number, first, wanted) for name, night in formats.items()}
    return Comparison(arms, TrialMeasures(tuple(compared.quantity for compared in wanted), Nights.chunk))


def format_remarks(comparison: Comparison) -> Iterator[str]:
    """How nights are read where the source says nothing, and what is left out."""
    arms = [arm for arm in comparison.arms.values() if isinstance(arm, Nights)]
    yield from dict.fromkeys(remark for arm in arms for remark in arm.remarks())
    if len({arm.night.minutes is None for arm in arms}) > 1:
        yield "Minutes are left out: not every format says how many a hand takes (add: 5 minutes a hand)."


def nights_table(run: Run) -> pl.DataFrame:
    """The table of a run: the levels of each format, then its paired differences from the first, not corrected yet.

    Formats that differ in their minutes alone play the same matches: everything else differs by exactly 0.
    """
    comparison, rows = comparison_of(run), []
    nights = {name: arm.night for name, arm in comparison.arms.items() if isinstance(arm, Nights)}
    usual = next(iter(nights.values()))
    for place, part in enumerate(comparison.parts(run)):
        label = {LABEL: part.name}
        for quantity in part.measures.quantities:
            rows.append(level_row(label, quantity, part.level(quantity)))
            if not place:
                continue
            same = quantity.name != "minutes" and replace(nights[part.name], minutes=usual.minutes) == usual
            difference = no_difference(run.done) if same else part.difference(quantity)
            rows.append(difference_row(label, quantity, difference) | {"exact": "0" if same else None})
    return pl.DataFrame(rows, schema=table_schema(LABEL), orient="row")
