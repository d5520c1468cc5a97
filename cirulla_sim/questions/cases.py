"""What a subject of questions is: cases that can be counted or dealt, with their features as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.pace import CHUNK
from ..engine.trials import Experiment
from ..exact.families import index_of
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints

Sets = NDArray[np.uint8]
Indices = NDArray[np.int64]

MOST_CASES = 5_000_000
"""More cases than this are left to simulation."""


@dataclass(frozen=True)
class Cases:
    """All cases: a row of features for each, and how many equally likely deals it stands for, ``weights[which]``."""

    frame: pl.DataFrame
    which: NDArray[np.int64]
    weights: tuple[int, ...]


def possible(frame: pl.DataFrame, which: NDArray[np.int64], weights: Sequence[int]) -> Cases:
    """The cases that stand for any deal at all."""
    happens = np.array([weight > 0 for weight in weights])[which]
    return Cases(frame.filter(happens), which[happens], tuple(weights))


class Trial(Protocol):
    """What is counted or simulated, again and again.

    ``trial`` is what one is, to readers (``three cards held``), ``unit`` what is simulated, in the plural, ``usual``
    how many by default, ``chunk`` how many at a time at most. ``policies`` are who plays, by side, where cards are
    played, and there may be ``constraints`` on every deal.
    """

    @property
    def trial(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def usual(self) -> int: ...
    @property
    def chunk(self) -> int: ...
    @property
    def policies(self) -> tuple[str, ...]: ...
    @property
    def constraints(self) -> DealConstraints | None: ...


class Subject(Trial, Protocol):
    """What expressions are about; ``per`` is what one is in a result table, ``called`` in an error: ``a holding``."""

    @property
    def per(self) -> str: ...
    @property
    def called(self) -> str: ...

    def is_slow(self, rules: Rules, names: Sequence[str]) -> bool:
        """Whether counting these features takes ten seconds or more."""

    def features(self, rules: Rules) -> dict[str, str]:
        """The vocabulary: name -> sentence."""

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        """Every case with the features named, or None where they are too many to count."""

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        """The features named of deals ``first`` to ``first + hands - 1`` of a seed, those decided at once left out."""


class OfDeals:
    """A subject of which deals are simulated; counting is quick."""

    unit = "deals"
    usual = 1_000_000
    chunk = CHUNK
    policies: tuple[str, ...] = ()
    constraints: DealConstraints | None = None

    def is_slow(self, rules: Rules, names: Sequence[str]) -> bool:
        return False


class OfPlay:
    """A subject that is played out, and of which nothing is counted."""

    constraints: DealConstraints | None = None

    def is_slow(self, rules: Rules, names: Sequence[str]) -> bool:
        return False

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        return None


@dataclass(frozen=True)
class Dealing(OfDeals):
    """Deals without features."""

    trial: str


@lru_cache(16)
def experiment(rules: Rules, policies: tuple[str, ...], seed: int, constraints: DealConstraints | None) -> Experiment:
    """The hands that some policies play, built once; raises ``InputError`` for policies that cannot play."""
    return Experiment(rules, policies, 1, seed, constraints=constraints)


def equal_once(weights: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Equal weights once."""
    values, which = np.unique(weights, return_inverse=True)
    return which, tuple(values.tolist())


def first_card(rules: Rules, seat: int) -> int:
    """Where in a deal order the first holding of a seat begins."""
    return rules.table_cards + seat * rules.deal_plan[0]


def indices_of(sets: Sets) -> Indices:
    """The places of sets of cards, in any order, among all sets of their size."""
    return index_of(np.sort(sets, axis=1))
