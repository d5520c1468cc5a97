"""Questions about the two piles at the end of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine.chunks import deal_hands, play_notes
from ..exact.patterns import masks_of
from ..exact.piles import CONTESTS, PILE, of_piles, pile_cases
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from .cases import Cases, OfDeals, equal_once, experiment


@dataclass(frozen=True)
class _Piles(OfDeals):
    """Two piles: your own, and the other's with ``other_`` before each name."""

    per = "piles"
    called = "piles"

    def features(self, rules: Rules) -> dict[str, str]:
        sentences = {name: feature.sentence for name, feature in (PILE | CONTESTS).items()}
        return sentences | {f"other_{name}": f"of the other pile: {sentence}" for name, sentence in sentences.items()}

    def _columns(
        self, rules: Rules, names: Sequence[str], own: NDArray[np.uint64], other: NDArray[np.uint64]
    ) -> pl.DataFrame:
        def column(name: str) -> Any:
            if name.startswith("other_"):
                return of_piles(rules, name.removeprefix("other_"), other, own)
            return of_piles(rules, name, own, other)

        return pl.DataFrame({name: column(name) for name in names})


@dataclass(frozen=True)
class RandomPiles(_Piles):
    """Piles of given sizes, any cards of the pack as likely as any others."""

    sizes: tuple[int, int] = (20, 20)

    @property
    def trial(self) -> str:
        return "piles of {} cards and {}, any cards as likely as any others".format(*self.sizes)

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        parts = [(name.removeprefix("other_"), int(name.startswith("other_"))) for name in names]
        try:
            frame, weights = pile_cases(rules, self.sizes, parts)
        except InputError:  # too much at once
            return None
        return Cases(frame.rename(dict(zip(frame.columns, names, strict=True))), *equal_once(weights))

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        decks = deal_hands(rules, seed, first, hands, again=False).decks
        a, b = self.sizes
        return self._columns(rules, names, masks_of(decks[:, :a]), masks_of(decks[:, a : a + b]))


@dataclass(frozen=True)
class PlayedPiles(_Piles):
    """The piles at the end of a hand, as they are played: your own and the other side's.

    Raises ``InputError`` for an unknown policy, and where there are more than two sides.
    """

    policies: tuple[str, ...]
    constraints: DealConstraints | None = None
    me: int = 0
    unit = "hands"
    trial = "our pile at the end of a hand played, and the other side's"

    def cases(self, rules: Rules, names: Sequence[str]) -> None:
        return None

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        if rules.sides != 2:
            raise InputError(f"--of piles: {rules.sides} sides are too many, two piles are compared (valid: two)")
        notes = play_notes(experiment(rules, self.policies, seed, self.constraints), first, hands, ("piles",))
        own = rules.side(self.me)
        return self._columns(rules, names, notes.piles[:, own], notes.piles[:, 1 - own]).filter(notes.played)
