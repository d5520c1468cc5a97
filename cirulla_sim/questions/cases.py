"""Sample spaces of questions: cases that can be counted or dealt, with their terms as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from .terms import Term


@dataclass(frozen=True)
class Cases:
    """All cases: a row of terms for each, and how many equally likely deals it stands for, ``weights[which]``."""

    frame: pl.DataFrame
    which: NDArray[np.int64]
    weights: tuple[int, ...]


class Sample(NamedTuple):
    """Some trials: a row of terms for each, and its number, int64[n]."""

    frame: pl.DataFrame
    numbers: NDArray[np.int64]


def possible(frame: pl.DataFrame, which: NDArray[np.int64], weights: Sequence[int]) -> Cases:
    """The cases that stand for any deal at all."""
    happens = np.array([weight > 0 for weight in weights])[which]
    return Cases(frame.filter(happens), which[happens], tuple(weights))


def equal_once(frame: pl.DataFrame, weights: NDArray[np.int64]) -> Cases:
    """Cases with weights, equal weights once."""
    values, which = np.unique(weights, return_inverse=True)
    return Cases(frame, which, tuple(values.tolist()))


class Trial(Protocol):
    """What is counted or simulated, again and again.

    ``trial`` is what one is, to readers (``three cards held``), ``unit`` what is simulated, in the plural, ``usual``
    how many by default, ``chunk`` how many at a time at most; ``per`` is what one is in a result table. ``seatings``
    are the policies that play together, by side, and there may be ``constraints`` on every deal.
    """

    @property
    def trial(self) -> str: ...
    @property
    def per(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def usual(self) -> int: ...
    @property
    def chunk(self) -> int: ...
    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def constraints(self) -> DealConstraints | None: ...


class Space(Trial, Protocol):
    """A sample space under some rules, for terms that it knows."""

    def is_slow(self, terms: Sequence[Term]) -> bool:
        """Whether counting these terms takes ten seconds or more."""

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        """Every case with the terms, or None where they are too many to count."""

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        """The terms of trials ``first`` to ``first + number - 1`` of a seed, those decided at once left out."""

    def remarks(self, terms: Sequence[Term]) -> Sequence[str]:
        """What a reader should know besides the answer."""


class _Simple:
    """A space that is counted quickly and needs no remarks."""

    def is_slow(self, terms: Sequence[Term]) -> bool:
        return False

    def remarks(self, terms: Sequence[Term]) -> Sequence[str]:
        return ()


class OfDeals(_Simple):
    """A space of which deals are simulated."""

    unit = "deals"
    usual = 1_000_000
    chunk = 1 << 16
    seatings: tuple[tuple[str, ...], ...] = ()
    constraints: DealConstraints | None = None


class OfPlay(_Simple):
    """A space that is played out by ``policies``, and of which nothing is counted."""

    policies: tuple[str, ...]
    constraints: DealConstraints | None = None

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        return (self.policies,)

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        return None


@dataclass(frozen=True)
class Dealing(OfDeals):
    """Deals without terms."""

    trial: str
    per: str = "deal"


@lru_cache(16)
def experiment(rules: Rules, policies: tuple[str, ...], seed: int, constraints: DealConstraints | None) -> Experiment:
    """The hands that some policies play, built once; raises ``InputError`` for policies that cannot play."""
    return Experiment(rules, policies, 1, seed, constraints=constraints)
