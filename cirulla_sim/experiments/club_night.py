"""A night that people play: who meets whom, results as they are typed in, standings; and its forecast.

Draws, victory points and places are those of simulated nights: of one seed, both draw the same tables as long as the
results are the same (night number 0). What a result is worth: ``club_match``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..core.arguments import SEED, choice, count
from ..core.errors import InputError, quoted
from ..situation.night import (
    FORMATS,
    KNOCK_OUT,
    MOST_HANDS,
    MOST_MINUTES,
    MOST_PAIRS,
    MOST_ROUNDS,
    SWISS,
    Night,
    rounds_needed,
)
from ..situation.notation import Situation
from .club_match import TIE_BREAK, Match, Score, invalid_round, read_match, score
from .night_draws import draw_dealers, draw_lots
from .night_standings import Standings, victory_scale

LONGEST_NAME = 40

FILE = "cirulla-night/1"
"""What a file calls its format."""

LONGEST_FILE = 100_000

STRENGTHS = ("random", "greedy", "careful", "search:16")
"""The policies that pairs may be taken for, weakest first; no names of files."""


class Standing(NamedTuple):
    """A line of the standings: the place, the pair from 0, its matches and what they brought."""

    place: int
    pair: int
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    victory_points: int
    match_points: int


Round = tuple[Match, ...]


@dataclass(frozen=True)
class ClubNight:
    """A night with names: the pairs in the order listed, the seed of its draws, and the rounds drawn so far.

    Raises ``InputError`` for names and rounds that cannot be.

    >>> night = ClubNight.of(["Anna and Bruno", "Carla and Dino", "Elsa and Furio"], "all play all", hands=4)
    >>> night = night.drawn().with_result(1, 1, "28-15")
    >>> str(night.rounds[0][0]), [(line.place, night.names[line.pair]) for line in night.standings()][0]
    ('2-3 28-15', (1, 'Carla and Dino'))
    """

    night: Night
    names: tuple[str, ...]
    seed: int = 1
    rounds: tuple[Round, ...] = field(default=())

    def __post_init__(self) -> None:
        if len(self.names) != len(self.night.pairs):
            raise ValueError(f"{len(self.names)} names for {len(self.night.pairs)} pairs")
        if len(self.rounds) > self.night.rounds:
            raise invalid_round(len(self.rounds), f"there are {self.night.rounds} rounds")
        _ = self._standings  # checks the rounds

    @classmethod
    def of(
        cls,
        pairs: str | Sequence[str],
        format: str,
        *,
        hands: int | str,
        rounds: int | str | None = None,
        minutes: str | float | None = None,
        seed: int | str = 1,
        played: Sequence[str] = (),
    ) -> ClubNight:
        """The night of pairs by name, a line each, with a strength behind ``=`` where it is not the usual one.

        ``played`` are the rounds drawn so far as ``round_text`` writes them. Raises ``InputError`` that begins with the
        name of the argument: ``--pairs``, ``--rounds`` and so on.
        """
        lines = pairs.split("\n") if isinstance(pairs, str) else pairs
        named = [_named(line) for line in lines if line.strip()]
        names = tuple(name for name, _ in named)
        if not 2 <= len(names) <= MOST_PAIRS:
            raise InputError(f"--pairs: {len(names)} names are not valid (valid: 2 to {MOST_PAIRS}, a line each)")
        for place, name in enumerate(names):
            if name.casefold() in [other.casefold() for other in names[:place]]:
                raise InputError(f"--pairs {quoted(name)} is named twice (valid: each pair by a name of its own)")
        kind = choice("--format", "format of a night", format, FORMATS)
        needed = rounds_needed(len(names), kind)
        number = needed or count("--rounds", "" if rounds is None else rounds, 1, MOST_ROUNDS)
        night = Night(tuple(policy for _, policy in named), kind, number, count("--hands", hands, 1, MOST_HANDS))
        if minutes not in (None, ""):
            night = replace(night, minutes=_minutes(str(minutes)))
        if len(played) > number:
            raise invalid_round(len(played), f"there are {number} rounds")
        read = tuple(_read_round(text, at, len(names)) for at, text in enumerate(played, 1))
        return cls(night, names, count("--seed", seed, 0, SEED), read)

    @classmethod
    def from_text(cls, text: str) -> ClubNight:
        """The night of a file's text, which may come from anybody; raises ``InputError`` for anything but a night."""
        if len(text) > LONGEST_FILE:
            raise InputError(f"--file of {len(text):_} characters is too long (valid: {LONGEST_FILE:_})")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("--file: no file of a night (valid: one that this page saved)") from None
        kinds = {"pairs": list, "format": str, "rounds": int, "hands": int, "minutes": str, "seed": int, "played": list}
        given: dict[str, Any] = {name: data.get(name) for name in kinds} if isinstance(data, dict) else {}
        if not given or data.get("file") != FILE or set(data) - set(kinds) - {"file"}:
            raise InputError("--file: no file of a night (valid: one that this page saved)")
        for name, kind in kinds.items():
            value: Any = given[name]
            if type(value) is not kind or (kind is list and not all(isinstance(part, str) for part in given[name])):
                raise InputError(f"--file: {name} {quoted(value)} is not valid (valid: as this page saves it)")
        return cls.of(**given)

    def to_text(self) -> str:
        """The night as the text of a file, which ``from_text`` reads."""
        return json.dumps({"file": FILE, **self.arguments()}, ensure_ascii=False, indent=1) + "\n"

    def arguments(self) -> dict[str, Any]:
        """What ``of`` makes this night from."""
        night, named = self.night, zip(self.names, self.night.pairs, strict=True)
        return {
            "pairs": [f"{name} = {policy}" if policy else name for name, policy in named],
            "format": night.format, "rounds": night.rounds, "hands": night.hands,
            "minutes": "" if night.minutes is None else f"{float(night.minutes):g}", "seed": self.seed,
            "played": [round_text(matches) for matches in self.rounds],
        }  # fmt: skip

    # -------------------------------------------------------------------------------------------- rounds

    @property
    def complete(self) -> bool:
        """Whether every match that is drawn has a result."""
        return all(match.played for match in chain.from_iterable(self.rounds))

    @property
    def over(self) -> bool:
        """Whether all rounds are played."""
        return self.complete and len(self.rounds) == self.night.rounds

    def drawn(self) -> ClubNight:
        """The night with the next round drawn; raises ``InputError`` if results are missing or no round is left."""
        number = len(self.rounds) + 1
        if not self.complete:
            raise invalid_round(number, f"round {len(self.rounds)} has no result at some table (type it in first)")
        if number > self.night.rounds:
            raise invalid_round(number, f"there are {self.night.rounds} rounds")
        standings = self._standings
        tables = standings.next_round(number - 1)
        dealing, _ = draw_dealers(self.seed, np.zeros(1, np.int64), tables, standings.met)
        matches = tuple(Match((first, second)) for first, second in dealing[0].tolist())
        return replace(self, rounds=(*self.rounds, matches))

    def undrawn(self) -> ClubNight:
        """The night without its last round."""
        return replace(self, rounds=self.rounds[:-1])

    def with_result(self, number: int, table: int, result: str) -> ClubNight:
        """The night with the result of a table of a round, both from 1: ``28-15``, ``cappotto 3``, or nothing."""
        matches = list(self.rounds[number - 1])
        first, second = matches[table - 1].pairs
        matches[table - 1] = read_match(f"{first + 1}-{second + 1} {result}", number, len(self.names))
        return replace(self, rounds=(*self.rounds[: number - 1], tuple(matches), *self.rounds[number:]))

    def byes(self, number: int) -> tuple[int, ...]:
        """The pairs that have a bye in a round from 1."""
        if self._knock_out and number > 1:
            return ()
        seated = {pair for match in self.rounds[number - 1] for pair in match.pairs}
        return tuple(pair for pair in range(len(self.names)) if pair not in seated)

    def score(self, match: Match) -> Score:
        """What a result is worth."""
        return score(match, self._scale)

    def standings(self) -> tuple[Standing, ...]:
        """The standings by the results so far, the first first; byes count when a round is drawn.

        Pairs that are level share a place, in the order in which they are listed.
        """
        standings = self._standings
        columns = (standings.place, standings.byes, standings.victory_points, standings.match_points)
        places, byes, victory, points = (column[0].tolist() for column in columns)
        results = [[0, 0, 0] for _ in self.names]  # won, drawn, lost
        for match in chain.from_iterable(self.rounds):
            for own, pair in enumerate(match.pairs if match.played else ()):
                winner = self.score(match).winner
                results[pair][1 if winner is None else 0 if winner == own else 2] += 1
        lines = [
            Standing(places[pair], pair, won + drawn + lost, won, drawn, lost, byes[pair], victory[pair], points[pair])
            for pair, (won, drawn, lost) in enumerate(results)
        ]
        return tuple(sorted(lines))

    @cached_property
    def _scale(self) -> list[int]:
        scale: list[int] = victory_scale(self.night.hands).tolist()
        return scale

    @property
    def _knock_out(self) -> bool:
        return self.night.format == KNOCK_OUT

    @cached_property
    def _standings(self) -> Standings:
        """The standings after all results; raises ``InputError`` for a round that was not drawn from those before."""
        standings = Standings(self.night, draw_lots(self.seed, 0, 1, len(self.names)))
        for number, matches in enumerate(self.rounds, 1):
            self._check(number, standings)
            scored = [(match, self.score(match)) for match in matches if match.played]
            if scored:
                standings.enter(
                    np.array([[match.pairs for match, _ in scored]]),
                    np.array([[score.match_points for _, score in scored]]),
                    np.array([[score.victory_points for _, score in scored]]),
                )
            if len(scored) == len(matches) or not self._knock_out:
                winners = [match.pairs[score.winner or 0] for match, score in scored]
                standings.close(np.array([[match.pairs for match in matches]]), np.array([winners]))
        return standings

    def _check(self, number: int, before: Standings) -> None:
        """Raise ``InputError`` for a round that was not drawn from the standings before it, and for its results."""
        matches = self.rounds[number - 1]
        seated = [pair for match in matches for pair in match.pairs]
        if len(set(seated)) < len(seated):
            raise invalid_round(number, "a pair is at two tables")
        if number < len(self.rounds) and not all(match.played for match in matches):
            raise invalid_round(number, "a result is missing (type it in, or undo the rounds drawn after it)")
        if self.night.format == SWISS:
            if len(matches) != len(self.names) // 2:
                raise invalid_round(number, f"{len(matches)} tables are not valid (valid: {len(self.names) // 2})")
        elif {frozenset(match.pairs) for match in matches} != {
            frozenset(pairs) for pairs in before.next_round(number - 1)[0].tolist()
        }:
            raise invalid_round(number, "its tables are not those drawn (undo the rounds drawn before a change)")
        for match in matches:
            if match.played and self._knock_out and self.score(match).winner is None:
                raise invalid_round(number, f"{quoted(match)} is drawn (add who won the tie-break: 'tie-break PAIR')")
            if match.decided == TIE_BREAK and not (self._knock_out and match.points and len(set(match.points)) == 1):
                raise invalid_round(number, f"{quoted(match)}: a tie-break is of a drawn match of a knock-out")


# ------------------------------------------------------------------------------------------------ text

_MINUTES = re.compile(r"\d{1,3}(?:[.,]\d{1,3})?")


def round_text(matches: Round) -> str:
    """A round as text, pairs numbered from 1, the one first that deals first: ``1-4 28-15; 3-2 cappotto 3; 5-6``."""
    return "; ".join(map(str, matches))


def _read_round(text: str, number: int, pairs: int) -> Round:
    """A round from its text."""
    return tuple(read_match(part.strip(), number, pairs) for part in text.split(";"))


def _named(line: str) -> tuple[str, str | None]:
    """The name of a pair, and its strength if a line has one behind ``=``."""
    name, equals, policy = (part.strip() for part in line.partition("="))
    name = " ".join(name.split())
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(f"--pairs {quoted(line)} is not valid (valid: a name of up to {LONGEST_NAME} characters)")
    if equals:
        choice("--pairs", "strength", policy, STRENGTHS)
    return name, policy or None


def _minutes(text: str) -> Fraction:
    """The minutes that a hand takes."""
    digits = text.strip().replace(",", ".")
    if not _MINUTES.fullmatch(digits) or not 0 < Fraction(digits) <= MOST_MINUTES:
        raise InputError(f"--minutes {quoted(text)} is not valid (valid: up to {MOST_MINUTES}, as 4.5)")
    return Fraction(digits)


# ------------------------------------------------------------------------------------------------ the forecast


def forecast_questions(night: Night) -> tuple[str, ...]:
    """What ``odds`` is asked about a night before it begins, at ``at_text(night)``.

    Of pairs with one policy the first stands for all: draws and cards treat them alike.
    """
    firsts = [place for place, policy in enumerate(night.pairs) if policy not in night.pairs[:place]]
    wins = [f"wins_night(pair {place + 1})" for place in firsts]
    lead = [] if night.format == KNOCK_OUT else ["ties_night", "mean(lead_night)"]
    minutes = [] if night.minutes is None else ["mean(minutes)", "max(minutes)"]
    return (*wins, *lead, "mean(hands_played)", *minutes)


def at_text(night: Night) -> str:
    """A night as the situation that ``--at`` takes."""
    return str(Situation(night=night))
