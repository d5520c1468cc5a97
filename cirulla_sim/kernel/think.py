"""The entry point that adds samples to what is thought of a position's plays, in increments."""

from __future__ import annotations

import numpy as np
from numba import types

from .bits import ONE, TWO, ZERO, popcount
from .captures import fill_rows, is_large, land, remove
from .flat import flat_type
from .jit import entry, small
from .search import HOLDINGS, add_samples, deal_unseen
from .solver import plays_in_stage
from .view import captured, card_of, is_sweep, list_plays, mind_type, table_of, unseen, value_in, view_type


@small
def can_sweep(r, m, t, held, last_card, plays):
    """Whether any of some cards sweeps a table."""
    if is_large(t):
        fill_rows(r, t)
    for i in range(list_plays(r, t, held, last_card, plays)):  # noqa: SIM110  compiled code has no any()
        if is_sweep(plays[i]):
            return True
    return False


@entry(types.uint64(flat_type, mind_type, view_type, types.uint64[::1]))
def list_view(r, m, view, plays):
    """Write the legal plays of a view to ``plays``; returns how many."""
    t = table_of(view, m.rows)
    if is_large(t):
        fill_rows(r, t)
    return list_plays(r, t, view.allowed, view.plays_left == ONE, plays)


@entry(types.void(flat_type, mind_type, view_type, types.uint64[::1], types.uint64, types.float32[::1]))
def think_more(r, m, view, plays, samples, sums):
    """Add to ``sums``, two reals a play, what each play is worth in so many deals: sums and sums of squares."""
    add_samples(r, m, view, plays, samples, sums)


@entry(types.void(flat_type, mind_type, view_type, types.uint64[::1], types.uint64, types.uint64[::1]))
def count_sweeps(r, m, view, plays, samples, counts):
    """Count for each play in how many of some deals the next player of the stage could sweep the table it leaves."""
    cards = unseen(view)
    holdings = m.words[HOLDINGS : HOLDINGS + np.uint64(4)]
    following = view.seat + ONE if view.seat + ONE < r.players else ZERO
    if view.plays_left == ONE:
        return
    coming = r.plan[view.stage + ONE] if plays_in_stage(view) == ONE else ZERO
    for _ in range(samples):
        deal_unseen(r, m, view, cards, holdings, coming)
        held = m.words[HOLDINGS + np.uint64(4)] if coming else holdings[following]
        for i in range(plays.size):
            t = table_of(view, m.rows)
            if captured(plays[i]):
                t = remove(r, t, captured(plays[i]))
            else:
                t = land(t, card_of(plays[i]), value_in(plays[i]))
            if popcount(t.cards) and can_sweep(r, m, t, held, view.plays_left == TWO, m.plays):
                counts[i] += ONE
