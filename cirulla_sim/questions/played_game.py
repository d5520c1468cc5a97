"""Questions about a whole game: how long it is, who wins and how, from the beginning or from a score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..engine.chunks import game_row_names
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from .cases import OfPlay

Rows = dict[str, Any]
"""The columns of some games by name (see ``play.game_row_names``), int64 each."""


@dataclass(frozen=True)
class _Word:
    sentence: str
    read: Callable[[Rows], Any]


_ENDS = {
    "by_score": "whether it ends by the score",
    "by_cappotto": "whether a cappotto ends it",
    "at_deal": "whether it is won at a deal",
    "by_last_capture": "whether a tie is broken by the last capture",
}
"""How a game may end, in the kernel's order."""


def _won(side: int, rows: Rows) -> Any:
    return rows["winners"] >> side & 1 == 1


def _ended(number: int, rows: Rows) -> Any:
    return rows["ended"] == number


@cache
def _words(rules: Rules) -> dict[str, _Word]:
    dealer = rules.dealer_side
    points = [f"side{side}_points" for side in range(rules.sides)]
    own, others = points[dealer], points[:dealer]
    less = "the others' at the end, less the most of them" if rules.sides > 2 else "the others' at the end"
    words = {
        "hands": _Word("how many hands it takes, from --from on", itemgetter("hands")),
        "lead_changes": _Word("how often the lead changes", itemgetter("lead_changes")),
        "comeback": _Word("the most that the winner was behind", itemgetter("comeback")),
        "margin": _Word(
            f"points of the first dealer's side less {less}",
            lambda rows: rows[own] - np.max([rows[name] for name in others], axis=0),
        ),
        "won_dealer": _Word("whether the first dealer's side wins", partial(_won, dealer)),
        "won_others": _Word("whether the others win", lambda rows: rows["winners"] & (1 << dealer) - 1 > 0),
        "drawn": _Word("whether nobody wins", lambda rows: rows["winners"] == 0),
        "points_dealer": _Word("points of the first dealer's side at the end", itemgetter(own)),
        "points_others": _Word("points of the others", lambda rows: np.sum([rows[name] for name in others], axis=0)),
    }
    words |= {name: _Word(sentence, partial(_ended, number)) for number, (name, sentence) in enumerate(_ENDS.items())}
    for side, column in enumerate(points if rules.sides > 2 else ()):
        words[f"points_seat{side}"] = _Word(f"points of seat {side}", itemgetter(column))
        words[f"won_seat{side}"] = _Word(f"whether seat {side} wins", partial(_won, side))
    return words


@dataclass(frozen=True)
class PlayedGame(OfPlay):
    """A game as some policies play it, perhaps from a score on: by side, the first dealer's last.

    Raises ``InputError`` for an unknown policy and a score that no game goes on from.
    """

    policies: tuple[str, ...]
    points: tuple[int, ...] = ()
    constraints: DealConstraints | None = None

    per = "game"
    called = "a game"
    unit = "games"
    usual = 20_000
    chunk = 1 << 12

    @property
    def trial(self) -> str:
        score = f" from {'-'.join(map(str, self.points[::-1]))}" if self.points else ""
        return f"a game{score} (us, the first dealer's side)"

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: word.sentence for name, word in _words(rules).items()}

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        games = _games(rules, self.policies, seed, self.points, self.constraints)
        numbers = games.play(first, hands, rows=True)[1].astype(np.int64)
        rows = dict(zip(game_row_names(rules), numbers.T, strict=True))
        return pl.DataFrame({name: _words(rules)[name].read(rows) for name in names})


@lru_cache(16)
def _games(
    rules: Rules, policies: tuple[str, ...], seed: int, points: tuple[int, ...], constraints: DealConstraints | None
) -> Games:
    """The games that some policies play, built and checked once."""
    games = Games(rules, policies, 1, seed, points, constraints=constraints)
    games.check()
    return games


def score_of(text: str, rules: Rules) -> tuple[int, ...]:
    """A score as ``38-41``, ours first, by side: the first dealer's, which is ours, last.

    Raises ``InputError`` for a text that is none.
    """
    parts = text.strip().split("-")
    if len(parts) != rules.sides or not all(part.strip().isdecimal() and len(part) < 7 for part in parts):
        raise InputError(f"--from {text!r} is no score (valid: {rules.sides} numbers, ours first, as 38-41)")
    return tuple(int(part) for part in reversed(parts))
