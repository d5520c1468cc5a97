"""Two piles of given sizes, any cards as likely as any others: primiera, melds and the rest, as exact weights.

The cards of a hand end up in piles by play, not by chance; this is the part of it that chance alone would bring, given
how many cards each side takes.

>>> from math import comb
>>> from cirulla_sim.ruleset.presets import build
>>> frame, weights = pile_cases(build("cirulla"), (22, 18), [("cappotto", 0), ("primiera", 1)])
>>> frame.columns, sum(weights) == comb(40, 22)
(['cappotto_0', 'primiera_1'], True)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..ruleset.rules_model import Rules
from .features import COUNTED, WHOLE_FIRST, pile_feature
from .sums import ALL, EVERY_SUIT, Column, Masks, Placed, count_sums, merged

SideFeature = tuple[str, int]  # a feature, or ``wins:`` or ``ties:`` and a contest, and the side that has the pile


def compared(rules: Rules, category: str) -> str | None:
    """The feature that decides a contest; None where nobody wins it under these rules."""
    if category == "primiera":
        full = "primiera" if rules.primiera_lacking == "cannot_win" else WHOLE_FIRST
        return {"full": full, "sevens": f"{COUNTED}{EVERY_SUIT << 6}", "none": None}[rules.primiera]
    return f"{COUNTED}{ALL if category == 'cards' else 1023 << 10}"


def of_piles(rules: Rules, name: str, piles: Sequence[Masks]) -> Column:
    """A feature of the first of some piles, masks of shape [n], or a contest with the others: bool[n] or int64[n].

    A contest is ``wins:`` or ``ties:`` and a category.
    """
    kind, _, category = name.partition(":")
    if kind not in ("wins", "ties"):
        return pile_feature(name).column(rules, piles[0])
    if (feature := compared(rules, category)) is None:
        return np.zeros(len(piles[0]), np.bool_)
    return contest([of_piles(rules, feature, [pile]) for pile in piles], kind == "ties")


def contest(values: Sequence[Column], ties: bool) -> Column:
    """Whether the first of some numbers is above all others; with ``ties``, whether none is above all others.

    Numbers of 0 win nothing, and are no tie.
    """
    top = np.max(values, axis=0)
    leaders = np.sum([value == top for value in values], axis=0)
    return np.asarray((leaders > 1 if ties else (leaders == 1) & (values[0] == top)) & (top > 0))


def pile_cases(rules: Rules, sizes: tuple[int, ...], names: Sequence[SideFeature]) -> tuple[pl.DataFrame, list[int]]:
    """All cases of some features, where side 0 has ``sizes[0]`` cards and side 1 ``sizes[1]`` of the rest.

    One column a name, ``feature_side``, in the order of ``names``; equal cases are merged. The weights are the numbers
    of pairs of piles: together the multinomial coefficient of 40 over the sizes and what is left.

    Raises ``ValueError`` for sizes below 0 or more than 40 cards together, ``KeyError`` for a name that is none,
    ``TooManyCasesError`` where there are more cases than memory should hold.
    """
    if min(sizes) < 0 or sum(sizes) > 40:
        raise ValueError(f"piles of {sizes[0]} and {sizes[1]} cards are not in a pack of 40")
    sums = {f"{name}_{side}": Placed(pile_feature(name).sum(rules), (side,)) for name, side in _parts(rules, names)}
    frame, weights = count_sums(ALL, sizes, sums)

    def column(name: str, side: int) -> Column:
        kind, _, category = name.partition(":")
        if kind in ("wins", "ties"):
            feature = compared(rules, category)
            if feature is None:
                return np.zeros(len(weights), np.bool_)
            return contest([column(feature, side), column(feature, 1 - side)], kind == "ties")
        if name == _ALL_CARDS:
            return np.full(len(weights), sizes[side])
        return pile_feature(name).meaning(frame[f"{name}_{side}"].to_numpy())

    return merged({f"{name}_{side}": column(name, side) for name, side in names}, weights)


_ALL_CARDS = f"{COUNTED}{ALL}"


def _parts(rules: Rules, names: Sequence[SideFeature]) -> list[SideFeature]:
    """The features to count, of which side: those named and those that the comparisons named need."""
    parts: dict[SideFeature, None] = {}
    for name, side in names:
        kind, _, category = name.partition(":")
        if kind not in ("wins", "ties"):
            parts[name, side] = None
        elif feature := compared(rules, category):
            parts |= {(feature, 0): None, (feature, 1): None}
    return [part for part in parts if part[0] != _ALL_CARDS]
