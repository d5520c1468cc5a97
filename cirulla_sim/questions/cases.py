"""Sample spaces of questions: cases that can be counted or simulated, with their terms as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.trials import Experiment
from ..exact.features import HOLDINGS, PATTERN, TEXTS, cards_named, columns
from ..exact.first_deal import HOLDING_SIZE
from ..exact.sums import ALL, index_of, masks_of
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from .vocabulary import STOCK, TABLE, Term


@dataclass(frozen=True)
class Cases:
    """Cases with a row of terms for each: all that there are, or simulated ``trials`` by their numbers.

    A case stands for ``weights[which]`` equally likely deals, a trial for one.
    """

    frame: pl.DataFrame
    which: NDArray[np.int64]
    weights: tuple[int, ...]
    trials: NDArray[np.int64] | None = None

    @property
    def total(self) -> int:
        """How many deals they all stand for."""
        numbers = np.bincount(self.which, minlength=len(self.weights)).tolist()
        return sum(number * weight for number, weight in zip(numbers, self.weights, strict=True))

    def filter(self, kept: NDArray[np.bool_]) -> Cases:
        """Those that are kept."""
        trials = None if self.trials is None else self.trials[kept]
        return Cases(self.frame.filter(kept), self.which[kept], self.weights, trials)

    def halves(self) -> tuple[Cases, Cases]:
        """The simulated trials with an even number, and those with an odd one."""
        assert self.trials is not None
        even = self.trials % 2 == 0
        return self.filter(even), self.filter(~even)

    @classmethod
    def possible(cls, frame: pl.DataFrame, which: NDArray[np.int64], weights: Sequence[int]) -> Cases:
        """The cases that stand for any deal at all."""
        happens = np.array([weight > 0 for weight in weights])
        return cls(frame, which, tuple(weights)).filter(happens[which])

    @classmethod
    def weighted(cls, frame: pl.DataFrame, weights: Sequence[int]) -> Cases:
        """Cases with a weight for each."""
        number_of = {weight: number for number, weight in enumerate(dict.fromkeys(weights))}
        return cls(frame, np.array([number_of[weight] for weight in weights], np.int64), tuple(number_of))

    @classmethod
    def simulated(cls, columns: Mapping[str, Any], first: int, number: int) -> Cases:
        """Trials from number ``first`` on."""
        return cls(pl.DataFrame(columns), np.zeros(number, np.int64), (1,), np.arange(first, first + number))


# ------------------------------------------------------------------------------------------------ terms about cards


CardPlace = tuple[int, int]
"""A stage and a seat, from 0, or ``TABLE``, or ``STOCK`` for what is dealt after that stage."""

ON_THE_TABLE: CardPlace = (0, TABLE)


def card_place_of(term: Term) -> CardPlace | None:
    """Whose cards a term is about; None for terms about no one holding."""
    if term.function.who != "holder":
        return None
    return term.stages[0] if term.stages else 0, term.who[0]


def feature_name(term: Term) -> str:
    """What a term about cards held, shown or captured is called in ``exact.features``."""
    if term.detail.startswith(HOLDINGS):
        return term.detail
    name = term.function.feature or term.name
    return name.format(cards=term.cards or ALL, detail=term.detail, kind=term.detail or "bonus").strip()


def size_of(rules: Rules, place: CardPlace) -> int:
    """How many cards lie in a place."""
    if place[1] == STOCK:
        return rules.players * sum(rules.deal_plan[place[0] + 1 :])
    return rules.table_cards if place == ON_THE_TABLE else rules.deal_plan[place[0]]


def feature_values(rules: Rules, name: str, sets: NDArray[np.uint8], on_table: bool = False) -> Any:
    """A feature of some sets of cards, uint8[n, size]: an array, or a series of texts."""
    if on_table or sets.shape[1] == HOLDING_SIZE:
        of = "table" if on_table else "holding"
        return columns(of, rules, (name,))[name][index_of(np.sort(sets, axis=1))]
    if name in TEXTS:
        return pl.Series(TEXTS[name](np.sort(sets, axis=1)))
    return (cards_named(name) or PATTERN[name]).column(rules, masks_of(sets))


# ------------------------------------------------------------------------------------------------ sample spaces


class TrialKind(NamedTuple):
    """What is counted or simulated again and again, to readers (``three cards held``) and in result tables.

    ``unit`` is what is simulated, in the plural, ``usual`` how many by default, ``chunk`` how many at a time at most.
    """

    text: str
    per: str
    unit: str = "deals"
    usual: int = 1_000_000
    chunk: int = 1 << 16


SEVERAL = " / "
"""Stands between the texts of several trials."""


class Space:
    """A sample space under some rules, for terms that it knows.

    ``policies`` play it out, by side, and there may be ``constraints`` on every deal.
    """

    rules: Rules
    policies: tuple[str, ...] = ()
    constraints: DealConstraints | None = None

    @property
    def trial(self) -> TrialKind:
        """What is counted or simulated again and again."""
        raise NotImplementedError

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """The policies that play together, by side."""
        return (self.policies,) if self.policies else ()

    def example(self, term: Term) -> Any:
        """A value that a term may have, of the type of its values; raises ``InputError`` where it has no meaning."""
        if term.function.gives != "text":
            return False if term.function.gives == "truth" else 0
        place = card_place_of(term) or ON_THE_TABLE
        first = np.arange(size_of(self.rules, place), dtype=np.uint8)[None]
        return feature_values(self.rules, feature_name(term), first, place == ON_THE_TABLE)[0]

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        """Every case with the terms, or None where they are too many to count."""
        return None

    def mean_cases(self, term: Term) -> Cases | None:
        """Cases in which a term has the mean that it has in all; None where they are too many to count."""
        return self.cases((term,))

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        """The terms of trials ``first`` to ``first + number - 1`` of a seed, those decided at once left out."""
        raise NotImplementedError

    def remarks(self, terms: Sequence[Term]) -> Sequence[str]:
        """What a reader should know besides the answer."""
        return ()


@lru_cache(16)
def experiment(rules: Rules, policies: tuple[str, ...], seed: int, constraints: DealConstraints | None) -> Experiment:
    """The hands that some policies play, built once; raises ``InputError`` for policies that cannot play."""
    return Experiment(rules, policies, 1, seed, constraints=constraints)
