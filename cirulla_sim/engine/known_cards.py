"""Deals with known cards: what the kernel needs to draw the last deal and the misdeals before it."""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.cards import RANKS
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.deal_sampler import FEWEST, TRIALS, sampler_of
from .first_tables import PACK, TABLE, first_tables, table_treatments
from .policies import kernel_address


def deal_around(work: Any, constraints: DealConstraints, rules: Rules) -> None:
    """Let the kernel deal around the known cards in ``work``; raises ``InputError`` if no deal has them."""
    records = sampler_of(constraints).record
    _in_use.arrays = records, redeals_of(rules)  # the kernel has their addresses alone
    work.dealer, work.alternatives = kernel_address("deal"), max(len(constraints.any_of), 1)
    work.testers = len(records) // int(work.alternatives) - 1
    work.constraints, work.redeals = records.ctypes.data, redeals_of(rules).ctypes.data


_in_use = local()


@cache
def redeals_of(rules: Rules) -> NDArray[Any]:
    """The misdeals of rules, an array of one ``kernel.entries.deals.REDEALS``, of which the kernel has the address.

    Raises ``InputError`` for rules under which burying the table may never end.
    """
    from ..kernel.entries.deals import REDEALS
    from ..kernel.entries.hands import MISDEAL
    from ..kernel.entries.rules import flat_rules

    array = np.zeros(1, np.dtype((np.record, REDEALS)))
    if not rules.table_cards:
        return array
    flat, record, (sets, masks) = flat_rules(rules), array[0], first_tables()
    misdeals = masks[table_treatments(rules) == MISDEAL]
    record.misdeals = len(misdeals)
    record.tables[: len(misdeals)] = misdeals
    record.most, record.sets = len(misdeals), len(masks)
    if flat.bury_table and len(misdeals):
        stock = PACK - TABLE - rules.players * rules.deal_plan[0]
        record.most, record.sets = most_misdeals(rules, stock, sets, masks), comb(stock, TABLE)
        if record.most == record.sets:
            raise InputError(
                "--at: under these rules misdeals may be buried for ever (valid: rules that deal everything again)"
            )
    return array


def most_misdeals(rules: Rules, stock: int, sets: NDArray[np.uint64], masks: NDArray[np.uint64]) -> int:
    """No stock of so many cards has more tables that are misdeals.

    Three equal count as a misdeal here whatever the fourth is, and winning tables too. Then ranks other than that of
    misdeals are alike, and most sets of three are equal where as many cards as possible are of as few ranks.
    """
    ranks, own = np.sort(sets % np.uint64(10), axis=1), RANKS.index(rules.misdeal_rank)
    misdeal = (ranks == own).sum(axis=1) >= (rules.misdeal_count or PACK)
    if rules.misdeal_three_equal:
        misdeal |= (ranks[:, 0] == ranks[:, 2]) | (ranks[:, 1] == ranks[:, 3])
    tables, most = masks[misdeal], 0
    of_rank = [[rank + 10 * suit for suit in range(4)] for rank in range(10)]
    others = [card for rank in range(10) if rank != own for card in of_rank[rank]]
    for number in range(5):
        cards = [*of_rank[own][:number], *others[: stock - number]]
        outside = ~np.uint64(sum(1 << card for card in cards))
        most = max(most, int((tables & outside == 0).sum()))
    return most


@lru_cache(64)
def check_process(constraints: DealConstraints, rules: Rules, possible: bool = True) -> None:
    """Raise ``InputError`` if hands can hardly ever be dealt so and played; if that is not ``possible``, untried."""
    from ..kernel.entries.deals import count_played
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.hand import work_type

    [work], record, redeals = work_type.zeros(), sampler_of(constraints).record, redeals_of(rules)
    work.constraints, work.redeals, work.testers = record.ctypes.data, redeals.ctypes.data, len(constraints.some_of)
    for trials in (TRIALS[0], TRIALS[-1]) if possible else ():
        if count_played(flat_rules(rules), np.uint64(1), np.uint64(trials), work) >= FEWEST:
            return
    raise InputError(
        "--at {text!r}: every such table is a misdeal or wins at once (valid: a table that is played)", constraints.text
    )
