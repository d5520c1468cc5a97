"""The subjects of questions: a holding, a table, a first deal, a whole deal, the piles.

A subject has one vocabulary of features and two ways to its cases: counted, all of them with whole-number weights, or
dealt by the kernel. Every feature is one function of the cards, whichever way they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..engine.chunks import deal_hands
from ..engine.policies import USUAL
from ..exact import first_deal as cards
from ..exact.constrained import sets_in
from ..exact.features import HOLDING, TABLE, columns
from ..exact.patterns import PATTERN, holding_cases, masks_of
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints, holding_place
from .cases import Cases, OfDeals, Subject, equal_once, first_card, indices_of, possible
from .constrained_pairs import card_set, constrained_pairs
from .played_game import PlayedGame
from .played_hand import PlayedHand
from .played_piles import RandomPiles
from .whole_deal import DEALT, FIRST_DEAL, MOST_TABLES

# ------------------------------------------------------------------------------------------------ a set of cards


@dataclass(frozen=True)
class SetOfCards(OfDeals):
    """Three cards held, or four of a table: any of the pack; under constraints my first, or the table."""

    per: str
    size: int
    trial: str
    constraints: DealConstraints | None = None
    me: int = 0

    @property
    def called(self) -> str:
        return f"a {self.per}"

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: sentence for name, (sentence, _) in self._vocabulary.items()}

    @property
    def _vocabulary(self) -> dict[str, Any]:
        return HOLDING if self.per == "holding" else TABLE

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        frame = columns(self.per, rules, tuple(names))
        if self.constraints is None:
            return Cases(frame, np.zeros(frame.height, np.int64), (1,))
        place = self._place(rules)
        if (counted := sets_in(self.constraints, place, self.size)) is not None:
            return possible(frame, *counted)
        own = card_set(frame, self.size)
        return constrained_pairs(self.constraints, [place], [own]) if own.frame.height <= MOST_TABLES else None

    def _place(self, rules: Rules) -> int:
        return holding_place(rules, 0, self.me) if self.per == "holding" else 0

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        at = first_card(rules, self.me) if self.constraints is not None and self.per == "holding" else 0
        decks = deal_hands(rules, seed, first, hands, again=False, constraints=self.constraints).decks
        dealt = decks[:, at : at + self.size]
        return columns(self.per, rules, tuple(names))[indices_of(dealt)]


# ------------------------------------------------------------------------------------------------ larger holdings


@dataclass(frozen=True)
class LargeHolding(OfDeals):
    """So many cards held, any of the pack; under constraints my first ones."""

    size: int
    constraints: DealConstraints | None = None
    me: int = 0
    per = "holding"
    called = "a holding"

    @property
    def trial(self) -> str:
        return f"{self.size} cards held"

    def features(self, rules: Rules) -> dict[str, str]:
        return {name: feature.sentence for name, feature in PATTERN.items()}

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        if self.constraints is not None:
            return None
        try:
            frame, weights = holding_cases(rules, self.size, names)
        except InputError:  # too many patterns
            return None
        return Cases(frame, *equal_once(weights))

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        at = 0 if self.constraints is None else first_card(rules, self.me)
        held = masks_of(
            deal_hands(rules, seed, first, hands, again=False, constraints=self.constraints).decks[
                :, at : at + self.size
            ]
        )
        return pl.DataFrame({name: PATTERN[name].column(rules, held) for name in names})


# ------------------------------------------------------------------------------------------------ by name


SUBJECTS: dict[str, Subject] = {
    "holding": SetOfCards("holding", cards.HOLDING_SIZE, "three cards held"),
    "table": SetOfCards("table", cards.TABLE_SIZE, "the table dealt, misdeals too"),
    "first-deal": FIRST_DEAL,
    "deal": DEALT,
    "piles": RandomPiles(),
    "hand": PlayedHand((USUAL,)),
    "game": PlayedGame((USUAL,)),
}
"""What ``--of`` names."""
