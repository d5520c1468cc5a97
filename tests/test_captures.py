"""Captures of the kernel against the referee's search over all subsets, and against exact counts."""

from __future__ import annotations

import random
from dataclasses import asdict
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from late import late
from numba import types
from referee import is_scopa, legal_captures

from cirulla_sim.core import cards
from cirulla_sim.kernel.game import captures as kernel
from cirulla_sim.kernel.game.bits import ONE, ZERO
from cirulla_sim.kernel.game.flat import flat_type, flatten
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

MATTA = 6

rows_type = kernel.rows_type
flat = cache(flatten)
ROWS, GOT, SCOPE = kernel.new_rows(), np.zeros(20_000, np.uint64), np.zeros(20_000, np.uint8)


@late(
    types.uint64(flat_type, types.uint64, types.uint64, types.uint64, rows_type, types.uint64[::1], types.uint8[::1]),
    _nrt=False,
    error_model="numpy",
)
def captures_of(r, on_table, matta_value, value, rows, got, scope):
    """Write all captures of a card of this value, and whether each scores a scopa; return their number."""
    table = kernel.lay(ZERO, ONE, matta_value, rows)
    for card in range(40):
        if (on_table >> np.uint64(card)) & ONE:
            table = kernel.land(table, np.uint64(card), kernel.value_of(r, table, np.uint64(card)))
    if kernel.is_large(table):
        kernel.fill_rows(r, table)
    by_value, by_fifteen, sweep = kernel.choices(r, table, value)
    total = by_value + by_fifteen + sweep
    for k in range(min(total, np.uint64(got.size))):
        got[k] = kernel.capture(r, table, value, by_value, by_fifteen, np.uint64(k))
        scope[k] = kernel.is_scopa(r, table, value, got[k], False)
    return total


@late(
    types.UniTuple(types.uint64, 2)(flat_type, types.uint64, types.uint64, types.uint64, rows_type),
    _nrt=False,
    error_model="numpy",
)
def product_after(r, on_table, taken, matta_value, rows):
    """The product of a table after some cards were taken, and of a new table with the remaining cards."""
    table, anew = kernel.lay(ZERO, ONE, matta_value, rows), kernel.lay(ZERO, ONE, matta_value, rows)
    for i in range(40):
        card = np.uint64(i)
        if (on_table >> card) & ONE:
            table = kernel.land(table, card, kernel.value_of(r, table, card))
            if not (taken >> card) & ONE:
                anew = kernel.land(anew, card, kernel.value_of(r, anew, card))
    return kernel.remove(r, table, taken).product, anew.product


def kernel_captures(rules: Rules, table: list[int], matta_value: int, value: int) -> dict[frozenset[str], bool]:
    """The kernel's captures as sets of card texts, each with whether it scores a scopa, without duplicates."""
    bits, as_value = np.uint64(cards.mask(table)), np.uint64(matta_value)
    total = captures_of(flat(rules), bits, as_value, np.uint64(value), ROWS, GOT, SCOPE)
    result = {frozenset(cards.texts(int(GOT[k]))): bool(SCOPE[k]) for k in range(total)}
    assert len(result) == total
    return result


def referee_captures(rules: Rules, table: list[int], matta_value: int, value: int) -> dict[frozenset[str], bool]:
    data = asdict(rules)
    on_table = {cards.text(c): matta_value if c == MATTA else cards.VALUES[c] for c in table}
    return {got: is_scopa(data, on_table, value, got, False) for got in legal_captures(data, on_table, value)}


RULE_SETS = {
    "cirulla": build("cirulla"),
    "must sweep, ace only": build("cirulla-online"),
    "scopa": build("scopa"),
    "scopa d'assi": build("scopa-assi"),
    "quindici": build("scopa-quindici"),
    "sums only": build("cirulla", changes={"capture_by": "sum"}),
    "sums and fifteens, blocked ace": build(
        "cirulla", changes={"capture_by": "sum,fifteen", "ace_blocked": "ace_only"}
    ),
    "equals only": build("cirulla", changes={"capture_by": "equal"}),
    "equal first with fifteens": build("cirulla", changes={"equal_first": "true", "ace_sweep_scopa": "false"}),
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_table_of_up_to_four_ranks_agrees_with_all_subsets(name: str) -> None:
    """All 1,001 multisets of up to four ranks on the table, with every value of the card played."""
    rules = RULE_SETS[name]
    for size in range(5):
        for ranks in combinations_with_replacement(range(10), size):
            table = [10 * ranks[:i].count(rank) + rank for i, rank in enumerate(ranks)]
            for value in range(1, 11):
                assert kernel_captures(rules, table, 7, value) == referee_captures(rules, table, 7, value), (
                    table,
                    value,
                )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sets(st.integers(0, 39), max_size=13),
    st.integers(1, 10),
    st.integers(1, 10),
    st.sampled_from(sorted(RULE_SETS)),
)
def test_random_tables_with_any_value_of_the_matta_agree_with_all_subsets(
    table: set[int], matta_value: int, value: int, name: str
) -> None:
    rules = RULE_SETS[name]
    on_table = sorted(table)
    matta_value = matta_value if rules.matta else 7
    assert kernel_captures(rules, on_table, matta_value, value) == referee_captures(rules, on_table, matta_value, value)


def test_the_largest_tables_are_counted_exactly() -> None:
    """Subsets of the pack with a given total are counted by the coefficients of the product of (1 + x ** v) ** 4."""
    counts = [1] + [0] * 15
    for value in cards.VALUES:
        for total in range(15, value - 1, -1):
            counts[total] += counts[total - value]
    assert len(kernel_captures(RULE_SETS["quindici"], list(range(40)), 7, 5)) == counts[10]
    assert counts[15] < 2**16  # a row's numbers fit


def test_no_small_table_overflows_a_digit() -> None:
    """Tables of six cards, at most five of one value (four and the matta), have at most 15 subsets of one total."""
    most = 0
    for values in combinations_with_replacement(range(1, 11), int(kernel.SMALL)):
        if max(values.count(v) for v in values) <= 5:
            counts = [1] + [0] * 15
            for value in values:
                for total in range(15, value - 1, -1):
                    counts[total] += counts[total - value]
            most = max(most, *counts)
    assert most == 15


def test_taking_cards_divides_the_product() -> None:
    """Also for large tables, in which the digits have overflowed."""
    rng = random.Random(5)
    for _ in range(200):
        table = rng.sample(range(40), rng.randint(2, 36))
        taken = rng.sample(table, rng.randint(1, len(table) - 1))
        left, anew = product_after(
            flat(build("cirulla")),
            np.uint64(cards.mask(table)),
            np.uint64(cards.mask(taken)),
            np.uint64(rng.randint(1, 10)),
            kernel.new_rows(),
        )
        assert left == anew
