"""Captures of the kernel against the referee's search over all subsets, and against exact counts."""

from __future__ import annotations

import random
from dataclasses import asdict
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from late import late
from referee.captures import ITSELF, TRAIL, is_scopa, legal_captures

from cirulla_sim.core import cards
from cirulla_sim.kernel import types
from cirulla_sim.kernel.entries.rules import fill, flat_rules
from cirulla_sim.kernel.game import bits
from cirulla_sim.kernel.game.bits import ONE, popcount
from cirulla_sim.kernel.game.captures import MOST_CHOICES, RULES, TABLES, by_rank, by_suit, make_table
from cirulla_sim.kernel.game.flat import flat_type, flatten
from cirulla_sim.kernel.game.plays import MOST_PLAYS, list_plays
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

MATTA = 6

PLAYS = np.zeros(MOST_PLAYS, np.uint64)


@late(
    types.uint64(flat_type, types.uint64, types.uint64, types.uint64, types.uint64[::1]),
    _nrt=False,
    error_model="numpy",
)
def choices_of(r, on_table, matta_value, card, plays):
    """Write every choice of a card as a word, looked up or by the general method; return their number."""
    table = make_table(r, on_table, matta_value)
    return list_plays(r, table, ONE << card, False, plays)


@late(types.uint64(flat_type, types.uint64, types.uint64, types.uint64), _nrt=False, error_model="numpy")
def masks_agree(r, cards, matta_value, got):
    """Whether a mask of cards by rank and back is the same, and so is any part of it."""
    ranked = by_rank(r, cards, matta_value)
    whole = by_suit(r, ranked) == cards and popcount(ranked) == popcount(cards)
    return np.uint64(whole and by_suit(r, by_rank(r, got, matta_value) & ranked) == got)


def kernel_captures(rules: Rules, table: list[int], matta_value: int, value: int) -> dict[frozenset[str], bool]:
    """The kernel's captures as sets of card texts, each with whether it scores a scopa, without duplicates.

    Leaving the card is among them, as the empty set, exactly where the referee allows it.
    """
    spade = np.uint64(30 + value - 1)  # where it lies does not matter, but the matta is a heart
    total = choices_of(flat_rules(rules), np.uint64(cards.mask(table)), np.uint64(matta_value), spade, PLAYS)
    result = {frozenset(cards.texts(int(play) & (1 << 40) - 1)): bool(int(play) >> 50 & 1) for play in PLAYS[:total]}
    assert len(result) == total
    left = result.pop(TRAIL, None) is not None
    assert left == (not result or rules.capture_optional)
    return result


@cache
def plain(rules: Rules) -> dict:
    return asdict(rules)


def referee_captures(rules: Rules, table: list[int], matta_value: int, value: int) -> dict[frozenset[str], bool]:
    data = plain(rules)
    on_table = {cards.text(c): matta_value if c == MATTA else cards.VALUES[c] for c in table}
    found = {got: is_scopa(data, on_table, value, got, False) for got in legal_captures(data, on_table, value)}
    itself = frozenset([cards.text(30 + value - 1)])
    return {itself if got == ITSELF else got: scopa for got, scopa in found.items()}


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
    "optional capture": build("cirulla", houses=("optional-capture",)),
    "fewest first": build("cirulla", changes={"fewest_first": "true"}),
    "sums of the fewest": build("cirulla", changes={"fewest_first": "true", "capture_by": "sum"}),
    "two cards at most": build("cirulla", changes={"capture_most": 2}),
    "ace over aces": build("cirulla", changes={"ace_blocked": "nothing"}),
    "ace must take all, over aces": build("cirulla", changes={"ace_blocked": "nothing", "ace_choice": "sweep"}),
    "ace takes itself": build("scopa-assi", changes={"ace_takes_itself": "true", "capture_optional": "true"}),
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
                found = kernel_captures(rules, table, 7, value)
                assert found == referee_captures(rules, table, 7, value), (table, value)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sets(st.integers(0, 39), max_size=13) | st.sets(st.integers(0, 39), min_size=5, max_size=6),
    st.integers(1, 10),
    st.integers(1, 10),
)
@pytest.mark.parametrize("name", RULE_SETS)
def test_random_tables_with_any_value_of_the_matta_agree_with_all_subsets(
    name: str, table: set[int], matta_value: int, value: int
) -> None:
    """Also of five and six cards, the largest that are looked up."""
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


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sets(st.integers(0, 39)), st.integers(1, 10), st.integers(0, 2**40 - 1))
def test_cards_by_rank_and_back(some: set[int], matta_value: int, part: int) -> None:
    held = cards.mask(some)
    for rules in (RULE_SETS["cirulla"], RULE_SETS["scopa"]):
        assert masks_agree(flat_rules(rules), np.uint64(held), np.uint64(matta_value), np.uint64(held & part))


def test_machines_without_the_instructions_get_the_same() -> None:
    """The plain functions for ``pdep`` and ``pext``, by their definition."""
    rng = random.Random(4)
    for _ in range(300):
        word, mask = rng.getrandbits(50), rng.getrandbits(50)
        places = [i for i in range(50) if mask >> i & 1]
        spread = sum((word >> k & 1) << place for k, place in enumerate(places))
        gathered = sum((word >> place & 1) << k for k, place in enumerate(places))
        with np.errstate(over="ignore"):
            assert int(bits.spread.__wrapped__(np.uint64(word), np.uint64(mask))) == spread
            assert int(bits.gather.__wrapped__(np.uint64(word), np.uint64(mask))) == gathered
        assert instructions(np.uint64(word), np.uint64(mask)) == (spread, gathered)


@late(types.Tuple((types.uint64,) * 2, tuple)(types.uint64, types.uint64), _nrt=False, error_model="numpy")
def instructions(word, mask):
    """What the processor's instructions give, or what stands for them."""
    return bits.pdep(word, mask), bits.pext(word, mask)


@pytest.mark.slow
def test_the_tables_have_room_for_the_choices_of_any_rules() -> None:
    """Counted for every combination of the rules of capture that allow more, in tables with room to spare."""
    flat = flatten(build("cirulla"))
    roomy = np.zeros(2, np.dtype((np.record, TABLES)))
    most = 0
    more = [name for name in RULES if name not in ("equal_first", "fewest_first", "capture_most", "ace_sweep_scopa")]
    for values in product((False, True), repeat=len(more)):
        for name, value in zip(more, values, strict=True):
            flat[name] = value
        most = max(most, int(fill(flat[0], roomy[0])))
    assert most == MOST_CHOICES
