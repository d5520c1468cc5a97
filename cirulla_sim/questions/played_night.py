"""Questions about a night of matches: who wins it, how close it is, how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ..experiments.night_quantities import night_columns, nights_of
from ..ruleset.rules_model import Rules
from ..situation.night import Night
from .cases import OfPlay, Sample
from .terms import Term


@dataclass(frozen=True)
class PlayedNight(OfPlay):
    """A night of matches; ``policies`` has one for each pair, the best pair first."""

    rules: Rules
    night: Night
    policies: tuple[str, ...]

    per = "night"
    unit = "nights"
    usual = 20_000
    chunk = 256

    @property
    def trial(self) -> str:
        return f"a night, {self.night}"

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        return tuple((name,) for name in dict.fromkeys(self.policies))

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        wanted = {term.key: (term.name, term.who[0] if term.who else None) for term in terms}
        columns = night_columns(
            self.rules, self.night, self.policies, seed, first, number, list(dict.fromkeys(wanted.values()))
        )
        frame = pl.DataFrame({key: columns[name] for key, name in wanted.items()})
        return Sample(frame, np.arange(first, first + number))

    def remarks(self, terms: Sequence[Term]) -> tuple[str, ...]:
        """How the night is read where the source says nothing."""
        return nights_of(self.rules, self.night, self.policies, 1).remarks()
