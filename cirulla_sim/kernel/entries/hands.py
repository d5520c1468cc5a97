"""The playing of hands, of their rest, and of whole games."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import four_equal, is_misdeal, table_bonus
from ..game.constrained_deal import lay_cards
from ..game.flat import flat_type, game_type
from ..game.hand import (
    clear_hand,
    deal_table,
    play_dealt,
    play_hand,
    play_signature,
    play_stages,
    work_type,
)
from ..game.hand_notes import digest, notes_type, write_notes, write_row
from ..game.lockstep import (
    AT_ONCE,
    deal_to_the_end,
    fits_lockstep,
    lockstep_type,
    play_alone,
    play_in_lockstep,
    shuffle_decks,
)
from ..game.scoring import SIDES
from ..game.streams import DEAL_LANE, Batch, batch_type, below, mix, shuffle, start
from ..game.tallies import fold_deal, fold_scores, tally_type
from ..game.whole_game import (
    DEALS,
    HANDS,
    HANDS_AT,
    MOST_HANDS,
    OF_CATEGORIES,
    ROW,
    WINNERS,
    copy_row,
    fold_game,
    fold_match,
    gametally_type,
    gamework_type,
    largest_of_sides,
    play_game,
)
from ..jit import entry

numbers_type = types.uint64[::1]
rows_type = types.int16[:, ::1]


@entry(play_signature)
def play_on(r, policies, w, table, at, dealt):
    """Play a hand to its end from a moment on, see ``play_stages``."""
    play_stages(r, policies, w, table, at, dealt)
    return ZERO


@entry(types.void(flat_type, numbers_type, batch_type, work_type, lockstep_type, tally_type, rows_type, numbers_type))
def run_hands(r, policies, batch, w, b, tally, rows, digests):
    """Play hands and add them to a tally.

    ``policies`` is uint64[4], by side. ``rows`` is int16[hands, ROW_HEAD + sides * columns] to keep a row a
    hand, or has no rows; ``digests`` is uint64[hands] to keep a hash of each hand, or has none. With either, and of a
    single hand, what the last one left in ``w`` stays there.
    """
    together = batch.hands > ONE and rows.shape[0] + digests.size == 0 and fits_lockstep(r, policies, w)
    for start_of_batch in range(ZERO, batch.hands, np.uint64(AT_ONCE)):
        hands = min(np.uint64(AT_ONCE), batch.hands - start_of_batch)
        now = Batch(batch.seed, batch.first + start_of_batch, hands)
        shuffle_decks(now, b)
        for i in range(hands):
            if together:
                deal_to_the_end(r, now, i, b, w)
            else:
                play_alone(r, policies, now, i, b, w)
                if rows.shape[0]:
                    write_row(r, w, rows[start_of_batch + i])
                if digests.size:
                    digests[start_of_batch + i] = digest(r, w)
            fold_deal(r, w, b.bonuses[i], tally)
        if together:
            play_in_lockstep(r, policies, now, b, w)
        fold_scores(r, b, hands, tally)


@entry(types.void(flat_type, numbers_type, batch_type, work_type, notes_type))
def run_notes(r, policies, batch, w, notes):
    """Play hands and write them to the rows of some notes, see ``write_notes``.

    ``policies`` is uint64[4], by side.
    """
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        write_notes(r, w, i, notes)


MISDEAL, WON = np.uint64(1 << 62), np.uint64(1 << 63)
"""What ``treat_tables`` writes instead of a bonus, whose word is smaller."""


@entry(types.void(flat_type, numbers_type, numbers_type))
def treat_tables(r, tables, words):
    """Write to ``words`` what the rules do with each first table, a mask: ``WON``, ``MISDEAL`` or its bonus's word."""
    for i in range(tables.size):
        if r.table_four_equal_wins and four_equal(r, tables[i]):
            words[i] = WON
        elif is_misdeal(r, tables[i]):
            words[i] = MISDEAL
        else:
            words[i] = table_bonus(r, tables[i])


@entry(types.void(flat_type, numbers_type, batch_type, numbers_type, work_type, rows_type, numbers_type))
def run_rare(r, policies, batch, tables, w, rows, digests):
    """Play hands, of those that begin with one of the ``tables``, masks.

    Each table is as likely, and all orders of the other cards. ``rows`` and ``digests`` are as in ``run_hands``. The
    streams are others than those of the hands of the seed, so that the two are independent.
    """
    for i in range(batch.hands):
        start(w.states, mix(batch.seed), batch.first + i)
        clear_hand(batch.first + i, w)
        chosen = tables[below(w.states, DEAL_LANE, np.uint64(tables.size))]
        shuffle(w.states, w.deck, w.swaps)
        lay_cards(w.deck, ZERO, chosen)
        play_dealt(r, policies, deal_table(r, w, True), w)
        write_row(r, w, rows[i])
        digests[i] = digest(r, w)


@entry(
    types.uint64(
        flat_type, game_type, types.uint64, numbers_type, work_type, gamework_type, gametally_type, types.int32[:, ::1]
    )
)
def run_numbered_games(r, g, seed, numbers, w, gw, tally, rows):
    """Play games (matches, if they are of several games) of some numbers and add them to a tally.

    ``gw`` has the policies and the score to start from. ``rows`` is int32[games,
    len(ROW) + sides + sides * len(OF_CATEGORIES) + 2], the last two the mask of the match's winners and the number of
    its games; or has no rows.
    Returns 0, or 1 plus the number of the first game that did not end in ``MOST_HANDS`` hands; then the tally is void.
    """
    for side in range(SIDES):
        copy_row(gw.options, side, w.options, side)
    dealer = w.dealer
    w.goes_on = True
    for i in range(numbers.size):
        w.dealer = dealer
        index = numbers[i] << HANDS_AT
        gw.wins[:] = 0
        gw.styles[:] = ZERO
        gw.game[DEALS] = 0
        hands, number = ZERO, 0
        # While the others can still reach as many wins; a game that may be drawn is a match of its own
        while 2 * largest_of_sides(r, gw.wins) <= np.int64(g.best_of) and not (g.draws and number):
            if not play_game(r, g, seed, index + hands, MOST_HANDS - hands, w, gw):
                return numbers[i] + ONE
            hands += np.uint64(gw.game[HANDS])
            number += 1
            for side in range(r.sides):
                gw.wins[side] += np.int64(np.uint64(gw.game[WINNERS]) >> np.uint64(side) & ONE)
            if number == 1:
                fold_game(r, gw, tally)
                if rows.shape[0]:
                    for column in range(len(ROW)):
                        rows[i, column] = gw.game[column]
                    at = np.uint64(len(ROW)) + r.sides
                    for side in range(r.sides):
                        rows[i, np.uint64(len(ROW)) + np.uint64(side)] = gw.points[side]
                        for column in range(len(OF_CATEGORIES)):
                            rows[i, at] = gw.categories[side, column]
                            at += ONE
        fold_match(r, gw, number, hands, tally)
        if rows.shape[0]:
            winners = ZERO
            for side in range(r.sides):
                if gw.wins[side] > 0 and gw.wins[side] == largest_of_sides(r, gw.wins):
                    winners |= ONE << np.uint64(side)
            rows[i, rows.shape[1] - 2] = winners
            rows[i, rows.shape[1] - 1] = number
    return ZERO
