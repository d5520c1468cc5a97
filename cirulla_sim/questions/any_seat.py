"""Questions whose answer depends on where the person asking sits, which may be any of some seats, each as likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import lcm
from operator import add

import polars as pl

from ..engine.trials import shares
from .answers import answered
from .binding import BoundQuestions
from .cases import Subject
from .counting import Counted, Together
from .inquiry import State


@dataclass(frozen=True, eq=False)
class AnySeat:
    """The same questions asked from several seats."""

    parts: tuple[BoundQuestions, ...]
    notes: tuple[str, ...] = ()

    @property
    def from_any_seat(self) -> bool:
        return len(self.parts) > 1

    @property
    def subject(self) -> Subject:
        return self.parts[0].subject

    @property
    def is_slow(self) -> bool:
        return any(part.is_slow for part in self.parts)

    def exact(self) -> list[pl.DataFrame | None]:
        return [self._exact(number) for number in range(len(self.parts[0].questions))]

    def _exact(self, number: int) -> pl.DataFrame | None:
        counts = []
        for part in self.parts:
            counted = part.count(number)
            if counted is None:
                return None
            counts.append(counted)
        every = lcm(*(total for _, total in counts))
        together = reduce(add, (counted.times(every // total) for counted, total in counts))
        return answered(self.parts[0].questions[number], self.subject, together, None)

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        tally = Together((Counted(),) * len(which))
        for part, (begins, trials) in zip(self.parts, shares(first, number, len(self.parts)), strict=True):
            if trials:
                tally += part.play(which, seed, begins, trials)[0]
        return tally, None

    def estimates(self, which: Sequence[int], state: State) -> list[pl.DataFrame]:
        return self.parts[0].estimates(which, state)
