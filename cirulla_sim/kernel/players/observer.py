"""Inferring the styles of play after a stage, when everybody has seen what each seat held at each of its plays."""

from __future__ import annotations

import numpy as np

from ..game.bits import ZERO
from ..game.hand import OPPONENT_WORK
from ..game.plays import side_of
from ..jit import noinline
from .ask import fill_view
from .opponent_query import SHOWN, greedy_before, model_before, prepare_queries, work_at
from .opponents import comparison, update_styles


@noinline
def observe(r, w, workspace, t, end):
    """Update the styles of all sides by the plays of a stage; ``end`` is the moment after the last of them.

    A seat's last card is left out: it seldom has a choice.
    """
    view, m, address = workspace.information, workspace.mind, ZERO
    for side in range(r.sides):
        model = w.options[side, OPPONENT_WORK]
        if address == ZERO and model and not work_at(model).certain:
            address = model
    if address == ZERO:
        return
    u = work_at(address)
    fill_view(r, w, view, t, end, False)
    prepare_queries(r, m, view, u)
    m.holdings[:] = ZERO
    for i in range(m.query.since, view.history_size - r.players):
        number = np.uint64(i)
        seat = number % r.players
        model = model_before(r, m, view, u, seat, number) & SHOWN
        greedy = greedy_before(r, m, view, seat, number) & SHOWN
        update_styles(w.styles[side_of(r, seat)], comparison(view.history[number] & SHOWN, model, greedy))
