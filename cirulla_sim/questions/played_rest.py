"""Questions about what remains of a hand: played on from what one player knows in the middle of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ..engine.rest_of_hand import play_rest
from ..ruleset.rules_model import Rules
from ..situation.information_set import InformationSet
from ..situation.people import seen_from
from . import midhand_questions as midhand
from .cases import OfPlay, experiment
from .compound import pieces
from .happened import Happened, Word, vocabulary_of_rest
from .question import named
from .vocabulary import is_expression


@dataclass(frozen=True, eq=False)
class PlayedRest(OfPlay):
    """What remains of a hand as a player knows it, as some policies play it on.

    Raises ``InputError`` for an unknown policy.
    """

    now: InformationSet
    policies: tuple[str, ...]

    constraints = None  # of every deal
    per = "position"
    called = "the rest of a hand"
    unit = "hands"
    usual = 20_000
    chunk = 1 << 10

    @property
    def trial(self) -> str:
        to_play = seen_from(self.now.rules, self.now.field("seat"))[self.now.to_play]
        besides = "" if self.now.constraints is None else f"; {self.now.constraints}"
        return f"this hand played on ({to_play} to play{besides})"

    @cached_property
    def _words(self) -> dict[str, Word]:
        return vocabulary_of_rest(self.now.rules, self.now.field("seat"), self.now.field("stage"))

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: word.sentence for name, word in self._words.items()}

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        words = {name: self._words[name] for name in names}
        wanted = {part for word in words.values() for part in word.needs}
        notes = play_rest(self.now, experiment(rules, self.policies, seed, self.now.constraints), first, hands, wanted)
        happened = Happened(rules, notes)
        return pl.DataFrame({name: word.read(happened) for name, word in words.items()})


def words_of_rest(rules: Rules) -> dict[str, str]:
    """The words for what remains of a hand, each with a sentence."""
    return {name: word.sentence for name, word in vocabulary_of_rest(rules, 0, 0).items()}


def is_about_the_rest(rules: Rules, texts: Sequence[str], parts: bool) -> bool:
    """Whether questions about a position are about what remains of the hand, and not about the next plays.

    ``parts``: there are other expressions too, which the next plays do not have.
    """
    if any(midhand.is_question(piece) for text in texts for piece in pieces(text)):
        return False
    words = vocabulary_of_rest(rules, 0, 0)
    return parts or (bool(texts) and all(is_expression(named(text)[1], words) for text in texts))
