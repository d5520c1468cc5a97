"""The entry point for the course of a hand: the points that each side can expect before every play."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO
from ..game.bonuses import points_of, shown_in
from ..game.flat import flat_type
from ..game.hand import PLAYS, TABLE_KIND, TABLE_POINTS, WON_AT_DEAL, cards_in, play_hand, work_type
from ..game.moment import Moment, side_of
from ..game.plays import captured, card_of, is_sweep
from ..game.scoring import COLUMN
from ..game.streams import batch_type
from ..jit import entry, inline
from ..players.workspace import mind_type
from ..players.worth import side_worth

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]


@inline
def shown_now(r, w, at, card, gone):
    """The points of the sets that a seat shows at its turn, before it plays a card.

    All at its first turn, or each with the first of its cards if these are played first; ``gone`` were played.
    """
    points = ZERO
    for k in range(r.plan[at.stage] // _THREE):
        knock = w.knocks[at.slot + np.uint64(k), at.seat]
        cards = shown_in(knock)
        if (cards >> card & ONE and not cards & gone) if r.shown_first else at.turn == ZERO:
            points += points_of(knock)
    return points


@inline
def note_course(r, m, w, course):
    """Write what the two sides of the hand in ``w`` can expect, by the number of plays left. Overwrites piles."""
    plays = np.uint64(PLAYS) - r.table_cards
    pile, points = w.pile, w.value
    pile[:], points[:] = ZERO, ZERO
    if w.deal[TABLE_KIND]:
        pile[ONE], points[ONE] = cards_in(w.deck, ZERO, r.table_cards), w.deal[TABLE_POINTS]
    played, slot, gone = ZERO, ZERO, ZERO
    for stage in range(r.stages):
        size = r.plan[stage]
        for turn in range(size):
            for place in range(r.players):
                seat = np.uint64(place)
                side = side_of(r, seat)
                play = w.history[played]
                at = Moment(np.uint64(stage), slot, played, np.uint64(turn), seat)
                points[side] += shown_now(r, w, at, card_of(play), gone)
                gone |= ONE << card_of(play)
                for k in range(TWO):
                    mine = np.uint64(k)
                    worth = side_worth(r, m, pile[mine], pile[ONE - mine])
                    course[plays - played, mine] = worth + np.float32(points[mine])
                if captured(play):
                    pile[side] |= captured(play) | ONE << card_of(play)
                points[side] += is_sweep(play)
                played += ONE
        slot += size // _THREE
    for side in range(2):
        course[ZERO, np.uint64(side)] = np.float32(w.score[side, _TOTAL])


@entry(types.uint64(flat_type, types.uint64[::1], batch_type, mind_type, work_type, types.float32[:, :, ::1]))
def run_courses(r, policies, batch, m, w, courses):
    """Play hands of two sides; returns how many were played, not won at the deal.

    ``policies`` is uint64[4], by side, ``m`` a mind with tables. Of each hand played a row of ``courses``,
    float32[hands, plays + 1, 2], has by the number of plays left what each side can expect: sweeps, bonuses
    shown, and what its pile is worth then (see ``worth.py``); with none left its points.
    """
    count = ZERO
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        if not w.deal[WON_AT_DEAL]:
            note_course(r, m, w, courses[count])
            count += ONE
    return count
