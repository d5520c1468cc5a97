"""What a policy may use beside the view: tables, and the scratch of each module of the players, declared there."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.flat import WORD, flat_type
from ..game.hand import CANDIDATES, SEATS
from ..game.plays import MOST_PLAYS
from .knock import MOST_KNOCKS
from .lookahead import AHEAD
from .opponent_query import QUERY
from .opponents import READING
from .reply import REPLIES
from .search import SEARCH
from .solver import SOLVER
from .unseen_deal import DEALS
from .view import view_type
from .weights import WEIGHTS

MIND = np.dtype(
    [
        ("tables", WORD),  # address of those of the rules, see worth.py
        ("weights", WEIGHTS, SEATS),  # by side
        ("win", WORD),  # address of float32[plays + 1, S, S]: side 0's chance to win the game by plays left and points
        ("win_size", WORD),  # its S, or 0 without one
        ("to_show", np.bool_),  # whether the choices are of sets to show, and not of plays
        # From here on scratch: its content before a call must not change the play.
        ("plays", WORD, 2 * MOST_PLAYS),  # of the positions ahead
        ("holdings", WORD, SEATS),  # all holdings, as they are seen or sampled
        ("sets", WORD, CANDIDATES),  # scratch of bonuses.find_candidates
        ("shows", np.float32, MOST_KNOCKS),  # what each choice to show is worth
        ("replies", REPLIES),
        ("solver", SOLVER),
        ("reading", READING),
        ("ahead", AHEAD),
        ("query", QUERY),
        ("deals", DEALS),
        ("search", SEARCH),
    ],
    align=True,
)
"""What a policy may use beside the view."""

mind_type = types.Record(MIND)

policy_signature = types.uint64(flat_type, view_type, types.uint64[::1], mind_type)
"""Of every policy that is called: rules, view, legal plays, mind; it returns the place of a play among the plays."""
