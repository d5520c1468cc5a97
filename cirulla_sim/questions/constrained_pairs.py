"""One or two sets of cards in deals under constraints: counted, each weighed by the deals that complete it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..exact.constrained import CardGroups, fitting_by_group
from ..situation.constraints import DealConstraints
from .cases import Cases, possible


class CardSet(NamedTuple):
    """The table or a holding: the distinct rows of its features, which of them each set of ``size`` cards has."""

    frame: pl.DataFrame
    group: NDArray[np.int64]
    size: int


def card_set(frame: pl.DataFrame, size: int) -> CardSet:
    """The distinct rows of the features of every set of ``size`` cards."""
    rows = frame.unique(maintain_order=True).with_row_index("group")
    joined = frame.join(rows, on=frame.columns, how="left", nulls_equal=True, maintain_order="left")
    return CardSet(rows.drop("group"), joined["group"].to_numpy().astype(np.int64), size)


def constrained_pairs(constraints: DealConstraints, places: Sequence[int], sets: Sequence[CardSet]) -> Cases | None:
    """The cases of one or two sets of cards, each weighed by the deals that complete it under constraints."""
    groups = [
        CardGroups(place, each.size, each.group, each.frame.height) for place, each in zip(places, sets, strict=True)
    ]
    weights = fitting_by_group(constraints, groups)
    if weights is None:
        return None
    frame = sets[0].frame if len(sets) == 1 else crossed(sets[0].frame, sets[1].frame)
    return possible(frame, np.arange(len(weights)), weights)


def crossed(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """Every row of one frame beside every row of another."""
    return first.join(second, how="cross")
