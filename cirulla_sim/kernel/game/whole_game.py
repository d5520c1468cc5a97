"""Whole games and matches.

The sides of a game keep their numbers from the first hand to the last; the first dealer's is the last. In each hand
the dealer sits last, so a hand's side ``j`` is the game's side ``j + d`` modulo the sides, where ``d`` is how often the
deal has passed on.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..jit import inline
from .bits import ONE, ZERO
from .flat import WORD
from .hand import (
    LAST_CAPTURE,
    MISDEALT,
    NOBODY,
    OPTIONS,
    STYLES,
    WON_AT_DEAL,
    WON_BY_DEALER,
    WON_BY_OTHERS,
    deal_hand,
    play_dealt,
)
from .plays import side_of
from .scoring import CATEGORIES, COLUMN, FURTHER, SIDES, USUAL, wins_outright

HANDS_AT = np.uint64(16)
"""Hand ``h`` of game (or match) ``g`` is hand ``g << 16 | h`` of the seed."""
MOST_HANDS = np.uint64(1 << 12)
"""More hands than a game (or match) takes that its rules and players can end."""

BINS = 1024
"""Of the distributions; the last counts that and more."""

# How a game ended.
BY_SCORE, BY_CAPPOTTO, AT_DEAL, BY_LAST_CAPTURE = range(4)

# Places in GAMEWORK.game, and of the columns of a row, which go on with the points of each side. Misdeals are the most
# before one table.
HANDS, ENDED, WINNERS, LEADS, COMEBACK, MARGIN, MISDEALS, DEALS = range(8)
ROW = ("hands", "ended", "winners", "lead_changes", "comeback", "margin", "misdeals")
OF_CATEGORIES = (*CATEGORIES[:-1], *FURTHER)
"""The categories whose points are added up over the hands of a game, without the total."""

# Places in GAMETALLY.sums: d of the first dealer's side, o the sum of the others, and their squares and products.
GAMES, SUM_H, SUM_HH, SUM_D, SUM_O, SUM_DD, SUM_OO, SUM_DO = range(8)
WON_D, WON_O, WON_OO, MATCHES_D, MATCH_HANDS, MATCH_HANDS_SQUARED = range(8, 14)

_TIES = 4  # the game's own end and three more hands
_TOTAL = COLUMN["total"]
_LEAST = np.int64(-(1 << 40))
"""Less than any score."""


GAMEWORK = np.dtype(
    [
        ("start", np.int64, SIDES),  # score that each game starts from, by side of the game
        ("seated", WORD, SIDES),  # policies, by side of the game
        ("points", np.int64, SIDES),  # score so far, by side of the game
        ("categories", np.int64, (SIDES, len(OF_CATEGORIES))),  # points of its hands so far, by side of the game
        ("behind", np.int64, SIDES),  # the most each side has been behind the best other one
        ("wins", np.int64, SIDES),  # games of the match won
        ("policies", WORD, SIDES),  # by side of the hand
        ("options", WORD, (SIDES, OPTIONS)),  # of Work.options, by side of the game
        ("styles", WORD, (SIDES, STYLES)),  # of Work.styles, by side of the game; 0 before the first hand
        ("game", np.int64, 8),  # what came of it, see the places above; WINNERS is a mask of sides
    ],
    align=True,
)
"""The game being played; each thread has its own, beside its ``Work``."""

gamework_type = types.Record(GAMEWORK)

GAMETALLY = np.dtype(
    [
        ("sums", np.int64, 14),  # numbers of games and sums over them; see the places above
        ("hands", np.int64, BINS),  # games by number of hands
        ("ended", np.int64, (4, 2)),  # by how they ended and whether the first dealer's side won (1) or not (0)
        ("margin", np.int64, (2, BINS)),  # not won outright, by who won and margin of the winner; 0 of a draw
        ("leads", np.int64, BINS),  # by number of lead changes
        ("comeback", np.int64, BINS),  # by the most that the winner was behind
        ("match", np.int64, 4),  # matches by number of games
    ],
    align=True,
)
"""Numbers of games, as those of hands (``tallies.TALLY``); of a match the first game counts, and its own places."""

SIZE = GAMETALLY.itemsize // 8
gametally_type = types.Record(GAMETALLY)
views = gametally_type.over
"""The parts of a tally of games, as views of its flat int64[SIZE] array."""


@inline
def side_of_game(r, side, deals):
    """The game's side that sits as a hand's side after a number of passes of the deal less than the sides."""
    side += deals
    return side - r.sides if side >= r.sides else side


@inline
def copy_row(rows, side, others, there):
    """Copy the row of a side from a row of another array."""
    for i in range(rows.shape[1]):
        rows[side, i] = others[there, i]


@inline
def play_next_hand(r, g, seed, index, deals, w, gw):
    """Play a hand of a game; returns the passes of the deal for this hand: a misdeal may add to them."""
    cards = deal_hand(r, seed, index, w)
    w.dealer = ZERO  # the constraints are those of the first hand
    if g.deal_passes and w.deal[MISDEALT]:
        passed = w.deal[MISDEALT]
        if w.deal[WON_AT_DEAL] == WON_BY_OTHERS:
            passed -= ONE  # who dealt the last of them has lost by it
        deals = (deals + passed) % r.sides
    for side in range(r.sides):
        of_game = side_of_game(r, np.uint64(side), deals)
        gw.policies[side] = gw.seated[of_game]
        copy_row(w.options, side, gw.options, of_game)
        copy_row(w.styles, side, gw.styles, of_game)
        w.game[side] = np.uint64(gw.points[of_game])
    play_dealt(r, gw.policies[:], cards, w)
    for side in range(r.sides):
        copy_row(gw.styles, side_of_game(r, np.uint64(side), deals), w.styles, side)
    return deals


@inline
def winners_at_once(r, deals, w):
    """The mask of the game's sides that the hand in ``w`` makes win at once, and how the game ended."""
    dealer = r.sides - ONE
    if w.deal[WON_AT_DEAL] == WON_BY_DEALER:
        return ONE << side_of_game(r, dealer, deals), AT_DEAL
    if w.deal[WON_AT_DEAL] == WON_BY_OTHERS:
        return (ONE << r.sides) - ONE ^ ONE << side_of_game(r, dealer, deals), AT_DEAL
    winners = ZERO
    for side in range(r.sides):
        if wins_outright(r, w.score, side):
            winners |= ONE << side_of_game(r, np.uint64(side), deals)
    return winners, BY_CAPPOTTO


@inline
def standing(r, points):
    """The leader, or ``NOBODY`` in a tie; the best score, and the next best, as what they pay."""
    best, next_best, leader = _LEAST, _LEAST, NOBODY
    for side in range(r.sides):
        mine = np.int64(r.pays) * points[side]
        if mine > best:
            best, next_best, leader = mine, best, np.uint64(side)
        elif mine > next_best:
            next_best = mine
    return leader if best > next_best else NOBODY, best, next_best


@inline
def largest_of_sides(r, points):
    """The most points that a side has, or games won, at least 0."""
    most = np.int64(0)
    for side in range(r.sides):
        most = max(most, points[side])
    return most


@inline
def note_behind(r, gw, best, next_best):
    """Keep the most that each side has been behind."""
    for side in range(r.sides):
        mine = np.int64(r.pays) * gw.points[side]
        gap = (next_best if mine == best else best) - mine
        if gap > gw.behind[side]:
            gw.behind[side] = gap


@inline
def play_game(r, g, seed, index, most, w, gw):
    """Play a game from the score ``gw.start``; returns whether it ended within ``most`` hands.

    Its first hand is number ``index`` of the seed, after as many passes of the deal as ``gw.game`` has. The game's end
    is written to ``gw.game``; a drawn one ends by the score and has no winners.
    """
    for side in range(r.sides):
        gw.points[side] = gw.start[side]
    gw.behind[:] = 0
    gw.categories[:, :] = 0
    game, usual = gw.game, np.uint64(len(CATEGORIES) - 1)
    deals = np.uint64(game[DEALS])
    game[:] = 0
    ahead, best, next_best = standing(r, gw.points)
    note_behind(r, gw, best, next_best)
    ties = 0
    winners, ended, drawn = ZERO, BY_SCORE, False
    played = ZERO
    while played < most:
        at = play_next_hand(r, g, seed, index + played, deals, w, gw)
        deals = side_of_game(r, ONE, at)
        played += ONE
        game[MISDEALS] = max(game[MISDEALS], np.int64(w.deal[MISDEALT]))
        for side in range(r.sides):
            of_game = side_of_game(r, np.uint64(side), at)
            gw.points[of_game] += w.score[side, _TOTAL]
            for column in range(usual):
                gw.categories[of_game, column] += w.score[side, column]
            for own in range(r.further):
                gw.categories[of_game, usual + own] += w.score[side, np.uint64(USUAL) + own]
        winners, ended = winners_at_once(r, at, w)
        if winners:
            break
        leader, best, next_best = standing(r, gw.points)
        if leader != NOBODY:
            game[LEADS] += ahead != NOBODY and ahead != leader
            ahead = leader
        if played >= g.hands if g.hands else largest_of_sides(r, gw.points) >= np.int64(g.target):
            ended = BY_SCORE
            if leader != NOBODY:
                winners = ONE << leader
                break
            if g.draws:
                drawn = True
                break
            ties += 1
            last = w.deal[LAST_CAPTURE]
            if g.knockout and ties >= _TIES and last != NOBODY:
                loser = side_of_game(r, side_of(r, last), at)
                winners, ended = (ONE << r.sides) - ONE ^ ONE << loser, BY_LAST_CAPTURE
                break
        note_behind(r, gw, best, next_best)
    for side in range(r.sides):
        if winners >> np.uint64(side) & ONE and gw.behind[side] > game[COMEBACK]:
            game[COMEBACK] = gw.behind[side]
    game[HANDS] = played
    game[ENDED] = ended
    game[WINNERS] = winners
    game[MARGIN] = best - next_best if ended == BY_SCORE else 0
    game[DEALS] = deals
    return drawn or winners != ZERO


@inline
def place(number):
    """The bin of a number in a distribution."""
    return np.uint64(min(number, BINS - 1))


@inline
def fold_game(r, gw, tally):
    """Add the game in ``gw``, the first of its match, to a tally."""
    game, sums = gw.game, tally.sums
    dealer = r.sides - ONE
    x, y = gw.points[dealer], np.int64(0)
    won = np.int64(np.uint64(game[WINNERS]) >> dealer & ONE)
    others = np.int64(0)
    for side in range(dealer):
        y += gw.points[side]
        others += np.int64(np.uint64(game[WINNERS]) >> np.uint64(side) & ONE)
    sums[GAMES] += 1
    sums[SUM_H] += game[HANDS]
    sums[SUM_HH] += game[HANDS] * game[HANDS]
    sums[SUM_D] += x
    sums[SUM_O] += y
    sums[SUM_DD] += x * x
    sums[SUM_OO] += y * y
    sums[SUM_DO] += x * y
    sums[WON_D] += won
    sums[WON_O] += others
    sums[WON_OO] += others * others
    tally.hands[place(game[HANDS])] += 1
    tally.ended[np.uint64(game[ENDED]), np.uint64(won)] += 1
    if game[ENDED] == BY_SCORE or game[ENDED] == BY_LAST_CAPTURE:
        tally.margin[np.uint64(won), place(game[MARGIN])] += 1
    tally.leads[place(game[LEADS])] += 1
    tally.comeback[place(game[COMEBACK])] += 1


@inline
def fold_match(r, gw, games, hands, tally):
    """Add a match to a tally."""
    tally.sums[MATCHES_D] += 2 * gw.wins[r.sides - ONE] > games
    tally.sums[MATCH_HANDS] += np.int64(hands)
    tally.sums[MATCH_HANDS_SQUARED] += np.int64(hands * hands)
    tally.match[np.uint64(games)] += 1
