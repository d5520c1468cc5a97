"""What players may hold in mid-hand: chances of hidden cards, counted as fractions.

Whoever does not know where some cards are, and takes no hint from how others have played, finds every way of dealing
them equally likely. So each holding is any set of the unseen cards, and so are several holdings together, or the
holding that a player will be dealt next.

>>> from cirulla_sim.core.cards import mask, parse_many, texts
>>> from cirulla_sim.ruleset.presets import build
>>> table = mask(parse_many("3c 5d"))
>>> sweepers, _ = takers(build("cirulla"), table, target=table, matta_value=7)  # eight by the sum, seven by fifteen
>>> [card for card in texts(sweepers) if card.endswith("h")]
['Ah', '7h', 'Jh']
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, compress
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from ..situation.hand import HandState, declared_values, matta_mask
from . import first_deal as deal
from .sums import Cards, Placed, classes_of, count_sums, index_of, make_up, masks_of, sets_of


def takers(rules: Rules, table: int, target: int, matta_value: int) -> tuple[int, int]:
    """The cards that can take all of ``target`` from the table in one capture, and those that score a scopa with it.

    All four are 40-bit masks. ``target`` is part of the table; with 0 any capture will do. ``matta_value`` is what the
    matta counts at present, its own value unless it was declared otherwise; without a matta it says nothing. The play
    is taken not to be the last of the hand; the rules are those of its time, see ``Rules.at_play``.
    """
    from ..kernel.entries.rules import find_takers, flat_rules
    from ..kernel.game.plays import MOST_PLAYS

    # What players know of each other's cards changes no capture, and the kernel refuses what it cannot play out.
    simpler = replace(rules, knock_timing="turn", open_partners=False, open_last_stage=False)
    numbers = map(np.uint64, (table, matta_value, target))
    able, scoring = find_takers(flat_rules(simpler), *numbers, np.zeros(MOST_PLAYS, np.uint64))
    return int(able), int(scoring)


# ------------------------------------------------------------------------------------------------ the next player


def could_knock(after: HandState, seat: int) -> bool:
    """Whether a player other than the one who knows this, who has shown nothing, may still knock when its turn comes.

    At the first turn of a stage, so with a whole holding; in big holdings with ``bonus_cards_first`` at any later one.
    Where knocks are shown at the deal there are none later.
    """
    rules, held = after.rules, after.held[seat]
    if seat == after.seat or rules.knock_timing == "deal" or after.known[seat] or held < 3:
        return False
    return held in rules.deal_plan or (rules.big_holdings and rules.bonus_cards_first)


def can_take(after: HandState, good: int, seat: int, hidden: Cards) -> NDArray[np.bool_]:
    """Where a player who holds some ``hidden`` cards, uint8[n, size], can make a capture with a ``good`` card now.

    ``good`` is a mask. The matta is good where a knock may declare it as a value that is. From a big holding the cards
    shown must be played before the others (000, 001, 003: ``bonus_cards_first``).
    """
    rules, known = after.rules, after.known[seat]
    yes = np.full(len(hidden), bool(known & good))
    if known & good or (seat != after.seat and known and rules.big_holdings and rules.bonus_cards_first):
        return yes
    yes = np.asarray(masks_of(hidden) & np.uint64(good) != 0)
    values = declared_values(after, good) if could_knock(after, seat) else set()
    if values:
        useful = np.asarray(deal.declarable(rules)[:, [value - 1 for value in sorted(values)]].any(axis=1))
        for three in combinations(range(hidden.shape[1]), deal.HOLDING_SIZE):
            yes |= useful[index_of(np.sort(hidden[:, three], axis=1))]
    return yes


def sweepers(after: HandState) -> int:
    """The cards, a 40-bit mask, any of which takes the whole table and scores a sweep."""
    return takers(after.rules, after.table, after.table, after.matta_value)[1]


def chance_to_score(after: HandState) -> Fraction:
    """The chance that the next player can take the whole table and score a sweep."""
    rules, seat, good = after.rules, (after.seat + 1) % after.rules.players, sweepers(after)
    size = after.hidden(seat)
    if not declared_values(after, good) and not after.known[seat]:
        return 1 - Fraction(comb((after.unseen & ~good).bit_count(), size), comb(after.unseen.bit_count(), size))
    matta = matta_mask(rules)
    classes = classes_of(after.unseen, (), lambda card: (card % 10, matta >> card & 1, good >> card & 1))
    alike = {"make-up": Placed(make_up(classes, size), (0,))}
    frame, ways = count_sums(after.unseen, [size], alike, held=[0])
    can = can_take(after, good, seat, sets_of(frame["held 0"].to_numpy(), size))
    return Fraction(sum(compress(ways, can)), sum(ways))
