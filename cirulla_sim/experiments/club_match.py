"""A match of a night that people play: its result as it is typed in, and what it is worth.

Source 002, by its headings:

- "Tabella dei Victory Points": victory points by the difference of points, which are the match points.
- "Conclusione per Cappotto": the most victory points, and the least match points that earn them.
- "Parità": a drawn match of a knock-out has up to three hands more; who won these is typed in besides the points.
- "Calcolo dei VP e MP in caso di Timeout o abbandono": who leaves gets no victory points, the others at least 14; match
  points are the least that earn as many. No victory points at all are read as the last line of the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.errors import InputError, quoted
from .night_standings import match_victory_points

MOST_POINTS = 500
"""Points of a pair in a match at most."""

AFTER_LEAVING = 14
"""The victory points that the others get at least where a pair leaves a match (002)."""

CAPPOTTO, TIE_BREAK, LEFT = DECIDED = ("cappotto", "tie-break", "left")
"""How a match may be decided besides the points: a cappotto made, a tie-break won, a pair that left."""


class Match(NamedTuple):
    """A table of a round, and its result as it was typed in.

    The first of the ``pairs``, which are numbers from 0, deals first; ``points`` are theirs in this order. ``decided``
    is one of ``DECIDED``, of the pair ``by``.
    """

    pairs: tuple[int, int]
    points: tuple[int, int] | None = None
    decided: str | None = None
    by: int | None = None

    def __str__(self) -> str:
        """As ``read_match`` reads it, with pairs numbered from 1."""
        points = "" if self.points is None else f"{self.points[0]}-{self.points[1]}"
        return " ".join(filter(None, (f"{self.pairs[0] + 1}-{self.pairs[1] + 1}", points, self.decision)))

    @property
    def decision(self) -> str:
        """How it was decided besides the points, as text: ``cappotto 3``, mostly empty."""
        return "" if self.by is None else f"{self.decided} {self.by + 1}"

    @property
    def played(self) -> bool:
        """Whether there is a result."""
        return self.points is not None or self.decided is not None


class Score(NamedTuple):
    """What a result is worth to both pairs, and which of them won: 0, 1, or None where it is drawn."""

    match_points: tuple[int, int]
    victory_points: tuple[int, int]
    winner: int | None


# ------------------------------------------------------------------------------------------------ what it is worth


def score(match: Match, scale: Sequence[int]) -> Score:
    """What a result is worth by the victory points for 0, 1, 2, ... match points.

    >>> from cirulla_sim.experiments.night_standings import victory_scale
    >>> score(Match((0, 1), (30, 18)), victory_scale(4).tolist())
    Score(match_points=(12, -12), victory_points=(14, 6), winner=0)
    >>> score(Match((0, 1), (30, 18), "left", 0), victory_scale(4).tolist())
    Score(match_points=(-27, 10), victory_points=(0, 14), winner=1)
    """
    most = len(scale) - 1
    first, second = match.points or (0, 0)
    by = None if match.by is None else match.pairs.index(match.by)
    if match.decided == LEFT and by is not None:
        ahead = (second - first) * (1 if by == 0 else -1)
        others = max(AFTER_LEAVING, scale[min(max(ahead, 0), most)])
        points, victory = (-most, scale.index(others)), (0, others)
        return Score(points if by == 0 else points[::-1], victory if by == 0 else victory[::-1], 1 - by)
    margin = first - second
    if match.decided == CAPPOTTO:
        margin = most if by == 0 else -most
    mine, theirs = match_victory_points(np.array(scale), np.array(margin)).tolist()
    winner = by if match.decided is not None else None if margin == 0 else int(margin < 0)
    return Score((margin, -margin), (mine, theirs), winner)


# ------------------------------------------------------------------------------------------------ text

_MATCH = re.compile(
    r"(\d{1,2})-(\d{1,2})(?:\s+(\d{1,3})\s*[-–]\s*(\d{1,3}))?(?:,?\s*(cappotto|tie-break|left)\s+(\d{1,2}))?",
    re.IGNORECASE | re.ASCII,
)
VALID_RESULT = "28-15, cappotto 3, 20-20 tie-break 3, 12-9 left 3"


def read_match(text: str, number: int, pairs: int) -> Match:
    """A table of a round from its text; raises ``InputError`` that names the round.

    >>> read_match("1-4 28-15", 1, 8), str(read_match("3-2 cappotto 2", 1, 8))
    (Match(pairs=(0, 3), points=(28, 15), decided=None, by=None), '3-2 cappotto 2')
    """
    match = _MATCH.fullmatch(" ".join(text.split()))
    if match is None:
        raise invalid_round(number, f"{quoted(text)} is not valid (valid: as {VALID_RESULT})")
    own = (int(match[1]) - 1, int(match[2]) - 1)
    if not all(0 <= pair < pairs for pair in own) or own[0] == own[1]:
        raise invalid_round(number, f"{quoted(text)} is no table (valid: two of the pairs 1 to {pairs})")
    points = None if match[3] is None else (int(match[3]), int(match[4]))
    if points is not None and max(points) > MOST_POINTS:
        raise invalid_round(number, f"{quoted(text)} is not valid (valid: points up to {MOST_POINTS})")
    by = None if match[6] is None else int(match[6]) - 1
    if by is not None and by not in own:
        raise invalid_round(
            number, f"{quoted(text)}: pair {by + 1} is not at the table (valid: {match[1]} or {match[2]})"
        )
    return Match(own, points, None if match[5] is None else match[5].lower(), by)


def invalid_round(number: int, reason: str) -> InputError:
    """The error of a round, by its number from 1."""
    return InputError(f"--played: round {number}: {reason}")
