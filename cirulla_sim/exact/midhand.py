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
>>> at_least_one(unseen=35, good=11, held=3)
Fraction(411, 595)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.cards import members, parse
from ..ruleset.rules_model import Rules
from ..situation.constraints import Condition
from ..situation.information_set import NextPlayers, declared_values
from . import first_deal as deal
from .families import index_of
from .features import has_matta, masks_of

Sets = NDArray[np.uint8]
Counts = NDArray[np.int64]

MOST_HOLDINGS = 200_000
"""Ways to hold cards of each class that one player's holding is counted for."""

MOST_CASES = 5_000_000
"""More cases than this are too many to count."""


class HiddenCards(NamedTuple):
    """All cases of the hidden cards of some players.

    ``holdings`` has a holding for each way of having cards of each class, uint8[n, size], by player; ``rows`` tells
    which of them a player has in each case, and ``weights`` in how many ways they are dealt so: int64 or larger.
    """

    holdings: dict[int, Sets]
    rows: dict[int, Counts]
    weights: NDArray[Any]


_COMB = np.array([[comb(n, k) for k in range(41)] for n in range(41)], np.int64)


def hidden_cards(
    classes: Sequence[Sequence[int]], sizes: Mapping[int, int], conditions: Sequence[tuple[tuple[int, ...], Condition]]
) -> HiddenCards | None:
    """The cases of hidden cards, so many for each player as ``sizes`` says, out of classes of cards; None for too many.

    ``conditions`` are about the cards that some players hold together; they do not tell cards of a class apart.

    >>> cases = hidden_cards([[6, 16], [0, 1, 2]], {0: 2}, [])
    >>> cases.holdings[0].tolist(), cases.weights.tolist()
    ([[6, 16], [6, 0], [0, 1]], [1, 6, 3])
    """
    available = np.array([len(cards) for cards in classes], np.int64)
    used = np.zeros((1, len(classes)), np.int64)
    weights: NDArray[Any] = np.ones(1, _kind_of(int(available.sum()), sizes.values()))
    rows, counts = dict[int, Counts](), dict[int, Counts]()
    for player, size in sizes.items():
        own = _compositions(available, size)
        if own is None or len(own) * len(used) > MOST_CASES:
            return None
        left, right = (grid.ravel() for grid in np.meshgrid(np.arange(len(used)), np.arange(len(own)), indexing="ij"))
        fits = (used[left] + own[right] <= available).all(axis=1)
        left, right = left[fits], right[fits]
        weights = weights[left] * _COMB[available - used[left], own[right]].prod(axis=1)
        used = used[left] + own[right]
        rows = {other: which[left] for other, which in rows.items()} | {player: right}
        counts[player] = own
    good = np.ones(len(used), np.bool_)
    for players, condition in conditions:
        wanted = np.array([condition.cards >> cards[0] & 1 for cards in classes], np.int64)
        held = sum(((counts[player] @ wanted)[rows[player]] for player in players), np.zeros(len(used), np.int64))
        good &= (held >= condition.low) & (held <= condition.high)
    holdings = {player: _representatives(classes, counts[player], size) for player, size in sizes.items()}
    return HiddenCards(holdings, {player: which[good] for player, which in rows.items()}, weights[good])


def _kind_of(left: int, sizes: Iterable[int]) -> type:
    """The kind of number that the ways to deal so many of the cards left fit: int64, or Python's own of any size."""
    ways = 1
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return np.int64 if ways < 2**63 else object


def _compositions(available: Counts, size: int) -> Counts | None:
    """Every way to hold ``size`` cards by how many of each class: int64[n, classes]; None for too many."""
    rows = np.zeros((1, 0), np.int64)
    for place, most in enumerate(available.tolist()):
        rest, parts = int(available[place + 1 :].sum()), []
        for count in range(min(most, size) + 1):
            total = rows.sum(axis=1) + count
            fits = (total <= size) & (total + rest >= size)
            parts.append(np.column_stack((rows[fits], np.full(int(fits.sum()), count, np.int64))))
        rows = np.concatenate(parts)
        if len(rows) > MOST_HOLDINGS:
            return None
    return rows


def _representatives(classes: Sequence[Sequence[int]], counts: Counts, size: int) -> Sets:
    """A holding for each row of how many cards of each class it has: uint8[n, size]."""
    rows = [[card for some, n in zip(classes, row, strict=True) for card in some[:n]] for row in counts.tolist()]
    return np.array(rows, np.uint8).reshape(len(rows), size)


Patterns = NDArray[np.int8]
"""int8[n, 11]: how many cards of each rank, aces first, the matta left out and counted in the last column."""

RANK_COUNT = 10
MATTA = 10  # its column in a pattern


def takers(rules: Rules, table: int, target: int, matta_value: int) -> tuple[int, int]:
    """The cards that can take all of ``target`` from the table in one capture, and those that score a scopa with it.

    All four are 40-bit masks. ``target`` is part of the table; with 0 any capture will do. ``matta_value`` is what the
    matta counts at present, its own value unless it was declared otherwise; without a matta it says nothing. The play
    is taken not to be the last of the hand.
    """
    from ..kernel.entries.rules import find_takers, flat_rules
    from ..kernel.game.plays import MOST_PLAYS

    # What players know of each other's cards changes no capture, and the kernel refuses what it cannot play out.
    simpler = replace(rules, knock_timing="turn", open_partners=False, open_last_stage=False)
    numbers = map(np.uint64, (table, matta_value, target))
    able, scoring = find_takers(flat_rules(simpler), *numbers, np.zeros(MOST_PLAYS, np.uint64))
    return int(able), int(scoring)


def at_least_one(unseen: int, good: int, held: int) -> Fraction:
    """Chance that ``held`` cards, any of ``unseen``, have one of ``good`` among them; three numbers of cards."""
    return 1 - Fraction(comb(unseen - good, held), comb(unseen, held))


def some_can(
    unseen: int, good: int, holdings: Sequence[int], matta: int = 0, lacking: Sequence[Fraction] = ()
) -> Fraction:
    """Chance that at least one of several players holds a good card, or the matta in a holding that makes it one.

    ``unseen`` and ``good`` are 40-bit masks, ``holdings`` the number of hidden cards of each player. ``matta`` is the
    mask of the matta if it is unseen and not itself good, and ``lacking`` the chance for each player that it is no use
    to it, in a holding with no good card. One holding at most has the matta: the ways in which nobody can are those
    without it, and those where one player has it and lacks what it needs.
    """
    cards, held = unseen.bit_count(), sum(holdings)
    good &= unseen
    if not matta:
        return at_least_one(cards, good.bit_count(), held)
    bad = (unseen & ~good & ~matta).bit_count()
    nobody = Fraction(comb(bad, held), comb(cards, held))
    for own, lacks in zip(holdings, lacking, strict=True):
        if own:
            nobody += Fraction(own, cards) * Fraction(comb(bad, held - 1), comb(cards - 1, held - 1)) * lacks
    return 1 - nobody


def useless(rules: Rules, bad: int, size: int, values: set[int]) -> Fraction:
    """Chance that ``size`` cards out of ``bad`` ones, a 40-bit mask, make no bonus in which the matta is of ``values``.

    The size does not count the matta, which is held beside them, and is not among ``bad``.
    """
    useful = deal.declarable(rules)[:, [value - 1 for value in sorted(values)]].any(axis=1)
    beside = pattern(rules, deal.holdings()[useful])
    beside[:, MATTA] = 0
    return 1 - holds_one_of(rules, bad, size, beside)


def holds_one_of(rules: Rules, cards: int, size: int, needed: Patterns) -> Fraction:
    """Chance that ``size`` cards out of some, a 40-bit mask, include one of the patterns ``needed``.

    Counted by how many cards of each rank there are: which suits they have changes nothing, but for the matta.
    """
    left = pattern(rules, np.array([members(cards)], np.uint8))[0]
    drawn = _compositions(left.astype(np.int64), size)
    assert drawn is not None  # a pack has fewer patterns
    matches = np.zeros(len(drawn), np.bool_)
    for row in np.unique(needed, axis=0):
        matches |= (drawn >= row).all(axis=1)
    ways = sum(prod(map(comb, left.tolist(), row)) for row in drawn[matches].tolist())
    return Fraction(ways, comb(cards.bit_count(), size))


def pattern(rules: Rules, sets: deal.Cards) -> Patterns:
    """How many cards of each rank each set has, and whether it has the matta."""
    matta = np.zeros(sets.shape, np.bool_) if rules.matta is None else sets == parse(rules.matta)
    kinds = np.where(matta, MATTA, sets % RANK_COUNT)
    return np.asarray((kinds[:, :, None] == np.arange(RANK_COUNT + 1)).sum(axis=1), np.int8)


# ------------------------------------------------------------------------------------------------ the next player


def may_knock(after: NextPlayers, player: int) -> bool:
    """Whether a following player who has shown nothing may still knock when its turn comes.

    At the first turn of a stage, so with a whole holding; in big holdings with ``bonus_cards_first`` at any later one.
    Where knocks are shown at the deal there are none later.
    """
    rules, held = after.rules, after.held[player]
    if rules.knock_timing == "deal" or after.shown[player] or held < 3:
        return False
    return held in rules.deal_plan or (rules.big_holdings and rules.bonus_cards_first)


def can_take(after: NextPlayers, good: int, player: int | None, known: int, hidden: deal.Cards) -> NDArray[np.bool_]:
    """Where a player who holds some ``hidden`` cards, uint8[n, size], can make a capture with a ``good`` card now.

    ``good`` and ``known``, the cards of the player that are seen, are masks. ``player`` is the number of a following
    player, None for the person asking. The matta is good where a knock may declare it as a value that is. From a big
    holding the cards shown must be played before the others (000, 001, 003: ``bonus_cards_first``).
    """
    rules, shown = after.rules, bool(known & good)
    yes = np.full(len(hidden), shown)
    if shown or (player is not None and known and rules.big_holdings and rules.bonus_cards_first):
        return yes
    masks = masks_of(hidden)
    yes = np.asarray(masks & np.uint64(good) != 0)
    values = set() if player is None or not may_knock(after, player) else declared_values(after, good)
    if values:
        useful = np.asarray(deal.declarable(rules)[:, [value - 1 for value in sorted(values)]].any(axis=1))
        for three in combinations(range(hidden.shape[1]), deal.HOLDING_SIZE):
            declared = useful[index_of(np.sort(hidden[:, three], axis=1))]
            yes |= declared & has_matta(rules, masks)
    return yes


def sweepers(after: NextPlayers) -> int:
    """The cards, a 40-bit mask, any of which takes the whole table and scores a sweep."""
    return takers(after.rules, after.table, after.table, after.matta_value)[1]


def chance_to_score(after: NextPlayers) -> Fraction:
    """The chance that the next player can take the whole table and score a sweep.

    From a big holding the cards shown must be played before the others (000, 001, 003: ``bonus_cards_first``).
    """
    rules, unseen, hidden, shown = after.rules, after.unseen, after.hidden[0], after.shown[0]
    good = sweepers(after)
    if shown & good:
        return Fraction(1)
    if shown and rules.big_holdings and rules.bonus_cards_first:
        return Fraction(0)
    values = declared_values(after, good)
    if not values:
        return some_can(unseen, good, [hidden])
    matta = 1 << parse(rules.matta or "")
    bad = unseen & ~good & ~matta
    tries = may_knock(after, 0) and 0 < hidden <= bad.bit_count() + 1
    lacking = useless(rules, bad, hidden - 1, values) if tries else Fraction(1)
    return some_can(unseen, good, [hidden], matta, [lacking])
