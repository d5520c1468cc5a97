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
from .perspective import Places, perspective

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


def _won(sides: Places, rows: Rows) -> Any:
    return rows["winners"] & sum(1 << side for side in sides) > 0


def _points(sides: Places, rows: Rows) -> Any:
    return np.sum([rows[f"side{side}_points"] for side in sides], axis=0)


def _margin(number: int, own: int, rows: Rows) -> Any:
    others = [rows[f"side{side}_points"] for side in range(number) if side != own]
    return rows[f"side{own}_points"] - np.max(others, axis=0)


def _ended(number: int, rows: Rows) -> Any:
    return rows["ended"] == number


@cache
def _words(rules: Rules, me: int) -> dict[str, _Word]:
    of_whom = perspective(rules, me)
    less = "the others' at the end, less the most of them" if rules.sides > 2 else "the others' at the end"
    words = {
        "hands": _Word("how many hands it takes, from the score on", itemgetter("hands")),
        "lead_changes": _Word("how often the lead changes", itemgetter("lead_changes")),
        "comeback": _Word("the most that the winner was behind", itemgetter("comeback")),
        "drawn": _Word("whether nobody wins", lambda rows: rows["winners"] == 0),
    }
    for who, own in (("", of_whom.own), ("_us", of_whom.own), ("_dealer", rules.dealer_side)):
        whose = "the first dealer's side" if who == "_dealer" else "our side"
        words[f"margin{who}"] = _Word(f"points of {whose} less {less}", partial(_margin, rules.sides, own))
    for who, (of, sides) in of_whom.sides.items():
        words[f"won{who}"] = _Word(f"whether the game is won{_as_dealt(of, 'by')}", partial(_won, sides))
        words[f"points{who}"] = _Word(f"points{_as_dealt(of)} at the end", partial(_points, sides))
    return words | {
        name: _Word(sentence, partial(_ended, number)) for number, (name, sentence) in enumerate(_ENDS.items())
    }


def _as_dealt(of: str, by: str = "of") -> str:
    """Who is meant, where players have their names in the first hand."""
    return of.replace(" of ", f" {by} ", 1).replace("the dealer", "the first dealer")


@dataclass(frozen=True)
class PlayedGame(OfPlay):
    """A game as some policies play it, perhaps from a score on, ``points`` by side; ``score`` is the same, ours first.

    ``me`` is the seat of the person asking in the first hand.

    Raises ``InputError`` for an unknown policy and a score that no game goes on from.
    """

    policies: tuple[str, ...]
    points: tuple[int, ...] = ()
    constraints: DealConstraints | None = None
    me: int = 0
    score: tuple[int, ...] = ()

    per = "game"
    called = "a game"
    unit = "games"
    usual = 20_000
    chunk = 1 << 12

    @property
    def trial(self) -> str:
        return f"a game from {'-'.join(map(str, self.score))}, ours first" if self.score else "a game"

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: word.sentence for name, word in _words(rules, self.me).items()}

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        games = _games(rules, self.policies, seed, self.points, self.constraints)
        numbers = games.play(first, hands, rows=True)[1].astype(np.int64)
        rows = dict(zip(game_row_names(rules), numbers.T, strict=True))
        return pl.DataFrame({name: _words(rules, self.me)[name].read(rows) for name in names})


@lru_cache(16)
def _games(
    rules: Rules, policies: tuple[str, ...], seed: int, points: tuple[int, ...], constraints: DealConstraints | None
) -> Games:
    """The games that some policies play, built and checked once."""
    games = Games(rules, policies, 1, seed, points, constraints=constraints)
    games.check()
    return games


def by_side(score: Sequence[int], rules: Rules, own: int) -> tuple[int, ...]:
    """A score that is given from our side on, in the order of the sides' numbers; raises ``InputError``."""
    if score and len(score) != rules.sides:
        text = "-".join(map(str, score))
        raise InputError(f"--at: score: {text!r} names {len(score)} sides (valid: each of {rules.sides}, ours first)")
    return tuple(score[(side - own) % rules.sides] for side in range(rules.sides)) if score else ()
