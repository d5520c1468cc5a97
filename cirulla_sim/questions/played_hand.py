"""Questions about a hand played, from the deal to the score; those about the deal alone are counted where possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import polars as pl

from ..engine.chunks import play_notes, shows_the_best
from ..exact import first_deal as cards
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from .cases import Cases, experiment
from .happened import Happened, Word, vocabulary
from .whole_deal import DEALT, FIRST_DEAL, played


@cache
def words_of(rules: Rules, me: int) -> dict[str, Word]:
    """The vocabulary of hands under some rules as a seat asks, built once."""
    return vocabulary(rules, me)


@dataclass(frozen=True)
class PlayedHand:
    """A hand as some policies play it; hands decided at the deal are left out.

    Raises ``InputError`` for an unknown policy.
    """

    policies: tuple[str, ...]
    constraints: DealConstraints | None = None
    me: int = 0

    per = "hand"
    called = "a hand"
    trial = "a hand played (none decided at the deal)"
    unit = "hands"
    usual = 100_000
    chunk = 1 << 14

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: word.sentence for name, word in words_of(rules, self.me).items()}

    def is_slow(self, rules: Rules, names: Sequence[str]) -> bool:
        return set(names) <= set(replace(DEALT, me=self.me).features(rules)) and replace(
            DEALT, constraints=self.constraints, me=self.me
        ).is_slow(rules, names)

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        """What is dealt alone, counted: the table and first holdings; knocks where nobody decides about them."""
        dealt, first = (replace(subject, constraints=self.constraints, me=self.me) for subject in (DEALT, FIRST_DEAL))
        if set(names) <= set(dealt.features(rules)):
            knocks = any(not name.startswith("table_") for name in names)
            if not knocks or shows_the_best(experiment(rules, self.policies, 1, self.constraints)):
                return dealt.cases(rules, names)
            return None
        if not set(names) <= set(first.features(rules)) or not all(first.is_of_cards(rules, name) for name in names):
            return None
        if cards.buries(rules) and cards.misdeals(rules).any():
            return None
        return played(first, rules, names)

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        words = {name: words_of(rules, self.me)[name] for name in names}
        wanted = {part for word in words.values() for part in word.needs}
        notes = play_notes(experiment(rules, self.policies, seed, self.constraints), first, hands, wanted)
        happened = Happened(rules, notes)
        return pl.DataFrame({name: word.read(happened) for name, word in words.items()}).filter(notes.played)
