"""Hands without their luck: what the sides gain by play, and what each deal of a stage was worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from . import policies
from .chunks import Seated, Seating, check_answers, prepared, row_names

PLAYOUTS, AGAIN = 32, 3
"""Playouts that a hand is valued by wherever it stands, and how often its last stage is played."""


def play_less_luck(experiment: Seated, first: int, hands: int) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Play hands ``first`` to ``first + hands - 1``; returns the row of each, and the points of each side less luck.

    These, int64[hands, sides], are in points times ``PLAYOUTS * AGAIN`` and have the same mean as the points, of the
    differences between hands whose first deals are the same; see ``kernel.entries.luck``.
    """
    from ..kernel.entries.luck_entry import Effort, Hands, run_luck
    from ..kernel.game.streams import batch
    from ..kernel.players.hand_state import new_standings

    rules, names = experiment.rules, experiment.side_policies
    rows = np.zeros((hands, len(row_names(rules))), np.int16)
    less = np.zeros((hands, rules.sides), np.int64)
    _, others, ahead = prepared(Seating(rules, tuple(map(policies.stand_in, names))), name="ahead")
    _, _, asker = prepared(experiment, name="queries")
    flat, codes, work = prepared(experiment)
    quick = sum(policies.is_quick(name) << side for side, name in enumerate(names))
    effort = Effort(
        others, np.uint64(quick), any(policies.ready(name).sees for name in names),
        np.uint64(_stream(experiment.seed)), np.uint64(PLAYOUTS), np.uint64(AGAIN),
    )  # fmt: skip
    played = Hands(codes, work, asker, ahead, new_standings())
    run_luck(flat, batch(experiment.seed, first, hands), played, effort, rows, less)
    check_answers(experiment, work)
    return rows, less


def _stream(seed: int) -> int:
    """The seed of what is dealt to value hands, another than theirs."""
    return (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) % 2**64


class PastHand(NamedTuple):
    """A hand that was played, as far as it matters to what it was worth."""

    deck: NDArray[np.uint8]  # [40]: the deal order, the table first, then stage by stage and seat by seat
    plays: NDArray[np.uint64]  # in order, see kernel.game.plays.play_word
    knocks: NDArray[np.uint64]  # [6, 4]: by slot and seat, see kernel.game.bonuses.knock_word; 0 for none
    table_points: int  # that the dealer captured the table for, or 0


class Worths(NamedTuple):
    """What a hand was expected to bring, by side: the points of playouts before and after each stage was dealt.

    Arrays are int16[stages, 2, samples, sides]; before a stage its holdings are dealt anew.
    """

    points: NDArray[np.int16]  # at the end of the hand
    knocks: NDArray[np.int16]  # the most that the sets dealt in the stage are worth


def stage_worths(rules: Rules, hand: PastHand, samples: int, seed: int) -> Worths:
    """Play on from where a hand stood before and after each stage was dealt, everybody by ``USUAL``."""
    from ..kernel.entries import balance_entry
    from ..kernel.game import hand as places
    from ..kernel.players.hand_state import new_standings

    seated = Seating(rules, (policies.USUAL,) * rules.sides)
    _, codes, ahead = prepared(seated, name="ahead")
    flat, _, work = prepared(seated)
    work.deck[:], work.deal[:], work.history[:], work.knocks[:] = hand.deck, 0, 0, hand.knocks
    work.history[: len(hand.plays)] = hand.plays
    work.deal[int(places.TABLE_KIND)], work.deal[int(places.TABLE_POINTS)] = hand.table_points > 0, hand.table_points
    worths = Worths(*(np.zeros((len(rules.deal_plan), 2, samples, 4), np.int16) for _ in range(2)))
    balance_entry.run_balance(
        flat, codes, np.uint64(_stream(seed)), work, ahead, new_standings(), balance_entry.Worths(*worths)
    )
    return Worths(*(array[..., : rules.sides] for array in worths))
