"""The order of the players of a tournament, the matches between them, and groups that are not distinguishable."""

from __future__ import annotations

from string import ascii_lowercase

import polars as pl

from ...experiments.tally import MEASURES, is_main
from . import cells
from .cells import Row


def strongest_first(frame: pl.DataFrame) -> list[str]:
    """The policies of a tournament in the order of their strengths."""
    ranked = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    return [str(policy) for policy in ranked["policy"]]


def matches_of(frame: pl.DataFrame, quantity: str = "margin") -> dict[tuple[str, str], Row]:
    """The rows of the margins of each player over each other, by both, or of another quantity of two players."""
    rows = frame.filter(quantity=quantity, side="all").iter_rows(named=True)
    return {(row["policy"], row["opponent"]): row for row in rows}


def level_groups(frame: pl.DataFrame) -> list[list[str]]:
    """The largest groups of policies of which no two differ significantly in strength, strongest first.

    A policy may be in several. They follow from the significant pairs by inserting and absorbing (Piepho, "An algorithm
    for a letter-based representation of all-pairwise comparisons", 2004).
    """
    order = strongest_first(frame)
    groups = [set(order)]
    for pair, row in matches_of(frame, "strength_gap").items():
        if cells.is_significant(row):
            split = [group - {policy} for group in groups if group.issuperset(pair) for policy in pair]
            groups = [group for group in groups if not group.issuperset(pair)]
            for part in split:
                if not any(part <= group for group in groups):
                    groups = [group for group in groups if not group <= part] + [part]
    return sorted((sorted(group, key=order.index) for group in groups), key=lambda group: [*map(order.index, group)])


def letters_of(frame: pl.DataFrame) -> dict[str, str]:
    """A letter for each of ``level_groups`` that a policy is in: those with a common letter are not distinguishable."""
    letters = dict.fromkeys(strongest_first(frame), "")
    for place, group in enumerate(level_groups(frame)):
        for policy in group:
            letters[policy] += ascii_lowercase[place % 26] * (1 + place // 26)
    return letters


def rules_by_change(frame: pl.DataFrame) -> list[str]:
    """The rules of a comparison: the first, then those that change most, by one of the ``MEASURES`` after the other."""
    base, *others = frame["rules"].unique(maintain_order=True).to_list()
    sizes: dict[tuple[str, str], float] = {}
    for row in frame.filter(pl.col("value").is_null(), kind="difference").iter_rows(named=True):
        key = row["rules"], row["quantity"]
        if is_main(row):
            sizes[key] = max(sizes.get(key, 0.0), abs(row["estimate"]))
    return [base, *sorted(others, key=lambda name: [-sizes.get((name, one.quantity), 0.0) for one in MEASURES])]
