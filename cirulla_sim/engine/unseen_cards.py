"""The cards that a player does not see: dealt at random, and the hand played on with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..situation.hand import HandState
from .chunks import deal_hands, new_notes, playing
from .trials import Experiment

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes


def play_rest(now: HandState, experiment: Experiment, first: int, hands: int, wanted: Collection[str]) -> Notes:
    """The notes ``wanted`` of a hand played on ``hands`` times, on the deals of an experiment from number ``first`` on.

    Deals are as likely as the plays of the stage make them. Plays made already are 0 in the notes, and sweeps and
    bonuses so far are points for sweeps.
    """
    from ..kernel.entries.values import run_rest

    notes, plays = new_notes(hands, wanted), np.uint64(now.number_of_plays)
    with playing(experiment, first, hands, in_turn=True) as (flat, codes, streams, work):
        run_rest(flat, codes, streams, memory_of(now), plays, work, notes)
    return notes


def deal_unseen(now: HandState, seed: int, first: int, deals: int) -> NDArray[np.uint8]:
    """The unseen cards dealt so often, from deal number ``first`` of a seed on: uint8[deals, cards].

    First come the hidden cards of the next player, then of the one after, and so on; then the stock. They fulfil the
    constraints, if there are any; all such deals are equally likely.
    """
    decks = deal_hands(now.rules, seed, first, deals, again=False, constraints=now.constraints).decks
    if now.constraints is None:
        unseen = np.array([now.unseen >> card & 1 for card in range(40)], np.bool_)
        return decks[unseen[decks]].reshape(deals, -1)  # the unseen cards of a shuffled pack are shuffled too
    starts = np.cumsum([0, *now.constraints.sizes])  # of the places: cards seen, holdings by seat, forgotten, stock
    players, me = now.rules.players, now.seat
    order = [*(1 + (me + k) % players for k in range(1, players)), players + 2, players + 1]
    return np.concatenate([decks[:, starts[place] : starts[place + 1]] for place in order], axis=1)


def memory_of(now: HandState, reads: bool = True) -> Any:
    """What the kernel deals the unseen cards of a hand by; if it ``reads``, as likely as the plays of the stage say."""
    from ..kernel.players.opponents import READING
    from ..kernel.players.unseen_deal import STREAMS, Memory

    view = now.view.copy()
    view["history_size"] *= reads
    masks = (np.uint64(number) for number in (now.unowned, now.forgotten, now.shown))
    return Memory(view, np.zeros(1, READING), np.zeros(STREAMS, np.uint64), *masks)
