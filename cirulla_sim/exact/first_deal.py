"""The first deal, counted: all 9,880 holdings of three cards and all 91,390 tables of four, under any ``Rules``.

Every function that takes ``rules`` answers for the rows of ``holdings()`` or ``tables()`` in their order, so a question
is a sum over a mask.

>>> from cirulla_sim.ruleset.presets import build
>>> kind, points = holding_bonuses(build("cirulla"))
>>> int((kind == HandBonus.TRIPLE).sum()), int(points.sum())
(94, 3766)
>>> int(misdeals(build("cirulla")).sum())
3925
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.cards import RANKS, VALUES, parse
from ..kernel.game import prices
from ..ruleset.rules_model import Rules
from .sums import PACK_SIZE, Cards, combinations, counts_of, masks_of, rank_classes

PointCounts = NDArray[np.int16]
Mask = NDArray[np.bool_]

HOLDING_SIZE = 3
TABLE_SIZE = 4
SUIT_COUNT = 4


class HandBonus(IntEnum):
    """What three cards in a holding are claimed as; where two claims earn the same, the higher number is made.

    ``LOW_NO_ACE`` is a low claim with neither an ace nor the matta in it, which is then taken to be an ace.
    """

    NONE = prices.NONE
    LOW = prices.LOW
    LOW_NO_ACE = prices.LOW_NO_ACE
    TRIPLE = prices.TRIPLE


class TableBonus(IntEnum):
    """What the dealer's four table cards are claimed as; where two claims earn the same, the lower number is made."""

    NONE = prices.NONE
    FIFTEEN = prices.FIFTEEN
    THIRTY = prices.THIRTY
    LOW = prices.LOW_TABLE


class Odds(NamedTuple):
    """One exact quantity, in the vocabulary of the result tables: ``kind`` is ``probability`` or ``mean``."""

    quantity: str
    per: str
    kind: str
    exact: Fraction


# ------------------------------------------------------------------------------------------------ cards


def holdings() -> Cards:
    """Every holding of three cards: uint8[9880, 3] of card indices, rows ascending."""
    return combinations(HOLDING_SIZE)


def tables() -> Cards:
    """Every table of four cards: uint8[91390, 4] of card indices, rows ascending."""
    return combinations(TABLE_SIZE)


def _matta(rules: Rules) -> int:
    """The index of the matta; where no card is wild that of none."""
    return PACK_SIZE if rules.matta is None else parse(rules.matta)


# ------------------------------------------------------------------------------------------------ holdings


def holding_bonuses(rules: Rules) -> tuple[Cards, PointCounts]:
    """The claim of each holding: its ``HandBonus``, uint8[9880], and its points, int16[9880] (000, Hand bonuses)."""
    return _kind_and_points(prices.bonuses_of_sets(rules)[0], _numbers(rules))


def declarable(rules: Rules) -> Mask:
    """What the matta may be declared as in each holding's bonus: bool[9880, 10], the values 1 to 10 (000, Bonuses).

    All that earn most, of which the player chooses; none in a holding without the matta or a bonus.
    """
    claims = np.array(prices.bonuses_of_sets(rules)[1], np.uint64).reshape(prices.SETS, 10)[_numbers(rules)]
    return np.asarray(claims & np.uint64(15) != 0)


def _numbers(rules: Rules) -> NDArray[np.int64]:
    """The number of each holding in ``kernel.game.prices``: int64[9880]."""
    return np.asarray(np.array(prices.card_digits(rules), np.int64)[holdings()] @ np.array([121, 11, 1]))


def _kind_and_points(words: list[int], numbers: NDArray[np.int64]) -> tuple[Cards, PointCounts]:
    """The kinds and points of the bonuses with these numbers."""
    found = np.array(words, np.uint64)[numbers]
    kinds = found >> np.uint64(prices.KIND_AT) & np.uint64(15)
    return kinds.astype(np.uint8), (found >> np.uint64(prices.POINTS_AT)).astype(np.int16)


# ------------------------------------------------------------------------------------------------ tables


def table_bonuses(rules: Rules) -> tuple[Cards, PointCounts]:
    """The dealer's claim on each table: its ``TableBonus``, uint8[91390], and its points, int16[91390] (000).

    The best of those that fit; 15 before 30 before low where they earn the same. Nothing is earned on an empty table.
    """
    with_matta = (tables() == _matta(rules)).any(axis=1)
    totals = np.array(VALUES, np.int64)[tables()].sum(axis=1)
    return _kind_and_points(prices.table_words(rules), totals + prices.WITH_MATTA * with_matta)


def wins(rules: Rules) -> Mask:
    """Tables that win the dealer's side the game: bool[91390] (000, Giardini Luzzati, ``table_four_equal_wins``).

    Four equal cards, or three equal and the matta.
    """
    sets = tables()
    if not (rules.table_cards and rules.table_four_equal_wins):
        return np.zeros(len(sets), np.bool_)
    counts = counts_of(rank_classes(rules.matta), masks_of(sets))
    return np.asarray(counts[:, :10].max(axis=1) + counts[:, 10] == TABLE_SIZE)


def rank_count(rules: Rules) -> Cards:
    """How many cards of ``misdeal_rank`` each table has, the matta its own card: uint8[91390]."""
    return np.asarray((tables() % 10 == RANKS.index(rules.misdeal_rank)).sum(axis=1), np.uint8)


@lru_cache(64)
def misdeals(rules: Rules) -> Mask:
    """Tables that are dealt again: bool[91390], read-only; a table that wins is none (it is looked at first).

    At least ``misdeal_count`` cards of ``misdeal_rank`` (000; kings in Scopa, 003), and under ``misdeal_three_equal``
    three cards of one rank, the matta one of them only as its own card, unless the fourth is the matta (000, Giardini
    Luzzati).
    """
    sets = tables()
    again = np.zeros(len(sets), np.bool_)
    if rules.table_cards and rules.misdeal_count:
        again |= rank_count(rules) >= rules.misdeal_count
    if rules.table_cards and rules.misdeal_three_equal:
        for fourth in range(TABLE_SIZE):
            three = np.delete(sets, fourth, axis=1) % 10
            again |= (three == three[:, :1]).all(axis=1) & (sets[:, fourth] != _matta(rules))
    again &= ~wins(rules)
    again.setflags(write=False)
    return again


# ------------------------------------------------------------------------------------------------ the table played


def buries(rules: Rules) -> bool:
    """Whether a misdealt table is buried in the stock and replaced from it (004), the cards held staying as they are.

    The next table is then four other cards, drawn from the stock before the burial, so the table that is played is not
    quite a table that happens to be no misdeal. With a stock of four cards or fewer everything is dealt again: two
    tables could change places for ever.
    """
    stock = PACK_SIZE - rules.table_cards - rules.players * rules.deal_plan[0]
    return rules.misdeal_redeal == "table" and stock > rules.table_cards


def burials(rules: Rules) -> tuple[list[Fraction], Fraction]:
    """Deals with buried tables: share of the played tables by ``rank_count``, and chance of ``misdeals_lose`` in a row.

    A Markov chain on how many cards of the rank lie on the table, one for each number of them held by the players; all
    tables with equally many are equally likely. Valid where the count alone makes a misdeal, and nothing wins.
    """
    held, few = rules.players * rules.deal_plan[0], rules.misdeal_count
    played, lost = [Fraction(0)] * few, Fraction(0)
    hits, stock = range(TABLE_SIZE + 1), PACK_SIZE - TABLE_SIZE - held
    for ranked in range(SUIT_COUNT + 1):
        left = SUIT_COUNT - ranked
        weight = _drawn(SUIT_COUNT, PACK_SIZE, held, ranked)
        row = [weight * _drawn(left, stock + TABLE_SIZE, TABLE_SIZE, k) for k in hits]
        step = {k: [_drawn(left - k, stock, TABLE_SIZE, j) for j in hits] for k in range(few, left + 1)}
        if rules.misdeals_lose:
            for _ in range(rules.misdeals_lose - 1):
                again = {k: row[k] for k in step}
                row = [row[j] * (j < few) + sum(again[k] * step[k][j] for k in step) for j in hits]
            lost += sum(row[few:])
        else:
            row = _absorbed(row, step)
        played = [share + extra for share, extra in zip(played, row, strict=False)]
    return [share / sum(played) for share in played], lost


def _drawn(good: int, pack: int, drawn: int, hits: int) -> Fraction:
    """Chance of ``hits`` good cards among ``drawn`` of a pack that has ``good`` of them."""
    if hits > drawn:
        return Fraction(0)
    return Fraction(comb(good, hits) * comb(pack - good, drawn - hits), comb(pack, drawn))


def _absorbed(row: list[Fraction], step: dict[int, list[Fraction]]) -> list[Fraction]:
    """Where a chain that starts as ``row`` ends, its passing states those of ``step``, taken out one after another."""
    for state in sorted(step):
        out = step[state]
        leaves = 1 - out[state]
        for line in (row, *(step[other] for other in step if other > state)):
            through, line[state] = line[state] / leaves, Fraction(0)
            for j in range(len(line)):
                line[j] += through * out[j] * (j != state)
    return row


def played_tables(rules: Rules) -> list[tuple[Fraction, Mask]]:
    """The table that is played, no misdeal and no win: classes of equally likely tables, each with its share.

    One class where everything is dealt again, one for each ``rank_count`` where tables are buried. Empty where no table
    is laid, and where tables are buried that more than a count makes misdeals or wins: that is left to simulation.
    """
    misdealt, won = misdeals(rules), wins(rules)
    played = ~misdealt & ~won
    if not (rules.table_cards and played.any()):
        return []
    if not (buries(rules) and misdealt.any()):
        return [(Fraction(1), played)]
    if rules.misdeal_three_equal or rules.table_four_equal_wins:
        return []
    shares, _ = burials(rules)
    count = rank_count(rules)
    return [(share, np.asarray(count == k, np.bool_)) for k, share in enumerate(shares)]


def misdeals_in_a_row(rules: Rules) -> Fraction | None:
    """Chance that a hand begins with ``misdeals_lose`` misdeals; ``None`` with the rule off or left to simulation."""
    misdealt = misdeals(rules)
    if not (rules.misdeals_lose and misdealt.any()):
        return None
    if not buries(rules):
        return _mean(misdealt) ** rules.misdeals_lose
    if rules.misdeal_three_equal or rules.table_four_equal_wins:
        return None
    return burials(rules)[1]


# ------------------------------------------------------------------------------------------------ odds


def _mean(counts: Mask | PointCounts) -> Fraction:
    """The mean of a whole-number array as a fraction."""
    return Fraction(int(counts.sum()), len(counts))


def first_deal_odds(rules: Rules) -> list[Odds]:
    """Everything the first deal settles, as fractions, in the order of the result tables.

    ``per`` is ``holding`` (three cards of the full pack), ``table`` (four cards of the full pack) or ``hand`` (the
    table that is played). A quantity that no deal brings about, its rule being off, is left out; so are those per
    ``hand`` that ``played_tables`` leaves to simulation.
    """
    (held, hand_points), (laid, table_points) = holding_bonuses(rules), table_bonuses(rules)
    classes = played_tables(rules)
    of_table = {"table_15": TableBonus.FIFTEEN, "table_30": TableBonus.THIRTY, "table_low": TableBonus.LOW}

    def played(counts: Mask | PointCounts) -> Fraction:
        return sum((share * _mean(counts[rows]) for share, rows in classes), Fraction(0))

    every = [
        Odds("hand_low", "holding", "probability", _mean(np.isin(held, (HandBonus.LOW, HandBonus.LOW_NO_ACE)))),
        Odds("hand_low_no_ace", "holding", "probability", _mean(held == HandBonus.LOW_NO_ACE)),
        Odds("hand_triple", "holding", "probability", _mean(held == HandBonus.TRIPLE)),
        Odds("knock", "holding", "probability", _mean(held != HandBonus.NONE)),
        Odds("points_hand_bonus", "holding", "mean", _mean(hand_points)),
        Odds("misdeal", "table", "probability", _mean(misdeals(rules))),
        Odds("table_wins", "table", "probability", _mean(wins(rules))),
        *(Odds(name, "table", "probability", _mean(laid == bonus)) for name, bonus in of_table.items()),
        Odds("misdeals_in_a_row", "hand", "probability", misdeals_in_a_row(rules) or Fraction(0)),
        *(Odds(name, "hand", "probability", played(laid == bonus)) for name, bonus in of_table.items()),
        Odds("points_table_bonus", "hand", "mean", played(table_points)),
    ]
    return [odds for odds in every if odds.exact]
