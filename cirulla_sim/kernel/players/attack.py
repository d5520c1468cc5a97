"""``attack``: what plays best against one opponent whose policy is known, found by asking it.

It thinks as ``search`` does, but what ``search`` takes the others for it asks the opponent itself. A deal of the unseen
cards is believed if the opponents, asked again at each of their plays of the stage with what they would have held and
saw then, make the plays that they made. And it is played on by the opponent's policy, each seat asked with what it
sees; the own side is taken to go on so, too. They are asked in a hand of their own (``VIEW.asks``), whose room is not
that of whoever is thinking here.
"""

from __future__ import annotations

import numpy as np

from ..calls import record_at
from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.bonuses import bonus_of, knock_word
from ..game.captures import land, lay, remove, with_matta_as
from ..game.flat import WORD
from ..game.hand import HAND, KNOCKS, LAST_CAPTURE, NOBODY, PLAYS, SIDES, call_ask, work_type
from ..game.plays import captured, card_of, declared_in, is_sweep, value_in
from ..game.scoring import COLUMN
from ..jit import large, small
from .ahead import reply_value
from .careful import careful_knock
from .knock import may_show_later
from .reading import table_before
from .search import ENDING, deal_unseen, is_drawn, keeps_silent, lay_out, look_ahead, searching, take
from .solver import lead, plays_in_stage, set_position, side_of, value_leaf
from .view import roll, table_of, unseen

F = np.float32

TRIES = 40
"""How often a holding is dealt again that its seat would not have played so from; then the best of them is taken."""

PAST = np.dtype(
    [
        ("table", WORD),  # of captures.Table, like the next
        ("product", WORD),
        ("last_capture", WORD),  # NOBODY where none is known
        ("pile", WORD, SIDES),  # mask, by side
    ],
    align=True,
)
"""What lay open before a play."""

ATTACK = np.dtype([("past", PAST, PLAYS + 1), ("since", WORD)], align=True)
"""The scratch of this file: what lay open before each play of the stage from number ``since`` on, and now, last."""

work_at = record_at(work_type)

_THREE = np.uint64(3)
_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]
_DICE = np.uint64(1 << 32)
_MIXED = np.uint64(0x9E3779B97F4A7C15)


# ------------------------------------------------------------------------------------------------ what was


@small
def look_back(r, m, view):
    """Write what lay open before each play of the stage, as far back as the plays are known.

    The matta counts what it counts now.
    """
    a, t = m.attack, table_of(view, m.rows)
    now = a.past[view.told]
    now.table, now.product, now.last_capture = t.cards, t.product, view.last_capture
    for i in range(SIDES):
        now.pile[i] = view.pile[i]
    a.since = view.told
    while a.since and view.made[a.since - ONE]:
        later = a.past[a.since]
        a.since -= ONE
        play, p = view.made[a.since], a.past[a.since]
        t = table_before(r, t, play)
        p.table, p.product, p.last_capture = t.cards, t.product, later.last_capture
        for i in range(SIDES):
            p.pile[i] = later.pile[i]
        if captured(play):
            p.pile[side_of(r, a.since % r.players)] &= ~(captured(play) | ONE << card_of(play))
            p.last_capture = NOBODY
            for earlier in range(a.since):
                if captured(view.made[np.uint64(earlier)]):
                    p.last_capture = np.uint64(earlier) % r.players


@small
def shown_before(r, view, dealt, seat, number):
    """The mask of what a seat has shown of the cards dealt to it before play ``number`` of the stage.

    Holdings of three that earn something were shown at the seat's turn. Of larger ones as much is known as is now.
    """
    if not r.knocks or r.plan[view.stage] < _THREE:
        return ZERO
    if r.plan[view.stage] > _THREE:
        if may_show_later(r, r.plan[view.stage]):
            return view.first[seat]
        return view.shown[seat] if seat != view.seat else ZERO
    had_its_turn = r.shown_at_deal or number > seat or (number == seat and seat == view.seat)
    return dealt if had_its_turn and popcount(dealt) == _THREE and bonus_of(r, dealt) else ZERO


@small
def stand(r, m, view, u, number):
    """Put ``u`` where the hand stood before play ``number`` of the stage, if the cards lie as in ``m.holdings``."""
    p = m.attack.past[number]
    u.deal[HAND], u.deal[LAST_CAPTURE] = ZERO, p.last_capture
    u.score[:] = 0
    u.knocks[:] = ZERO
    for i in range(SIDES):
        u.pile[i], u.game[i], u.score[i, _SCOPE] = p.pile[i], view.score[i], view.points[i]
    for i in range(r.players):
        seat = np.uint64(i)
        u.held[seat] = m.holdings[seat]
        u.dealt[seat] = m.holdings[seat] | view.played[seat]
        shown = shown_before(r, view, u.dealt[seat], seat, number)
        u.knocks[ZERO, seat] = knock_word(shown, ONE) if shown else ZERO
    first = plays_before(r, view)
    for i in range(view.told):
        k = np.uint64(i)
        u.made[first + k] = view.made[k]
        if k >= number:
            u.held[k % r.players] |= ONE << card_of(view.made[k])


@small
def plays_before(r, view):
    """The number of plays of the hand before the stage."""
    return np.uint64(PLAYS) - r.table_cards - view.plays_left - view.told


@small
def asked_for(r, view, u, table, seat, turn, played):
    """The play, as a word, of a seat whose turn it is in ``u``."""
    u.states[seat + ONE] = roll(view, _DICE) * _MIXED
    return call_ask(
        u.asker, r, u, u.told[side_of(r, seat), KNOCKS], table.cards, table.product, table.matta_value, seat,
        view.stage, turn, ZERO, played,
    )  # fmt: skip


@large
def agreeing(r, m, view, u, seat):
    """How many plays of the stage a seat would have made as it did from its holding in ``m.holdings``, up to the first
    that it would not, the last first; and how many there are."""
    would, made = ZERO, ZERO
    for back in range(view.told - m.attack.since):
        number = view.told - ONE - np.uint64(back)
        if number % r.players != seat:
            continue
        made += ONE
        if would + ONE < made:
            continue
        stand(r, m, view, u, number)
        p, play = m.attack.past[number], view.made[number]
        table = lay(p.table, p.product, view.matta_value, u.rows)
        word = asked_for(r, view, u, table, seat, number // r.players, plays_before(r, view) + number)
        would += np.uint64(card_of(word) == card_of(play) and captured(word) == captured(play))
    return would, made


@small
def set_aside(m, left, held):
    """Put some of the first ``left`` unseen cards, a mask, behind the others of them."""
    cards, last = m.search.cards, left
    for back in range(left):
        i = left - ONE - np.uint64(back)
        card = cards[i]
        if held >> card & ONE:
            last -= ONE
            cards[i], cards[last] = cards[last], card


@small
def deal_believed(r, m, view, u):
    """Deal the unseen cards into ``m.holdings`` as they may lie, if the opponents would have played as they did.

    What is not asked of the opponents (plays from large holdings, and those of a partner) is read, as by ``search``.
    """
    left = lay_out(m, unseen(view))
    for i in range(r.players):
        seat = np.uint64(i)
        if seat == view.seat:
            continue
        known = view.shown[seat]
        lacking = view.held[seat] - popcount(known)
        asks = side_of(r, seat) != view.side and r.plan[view.stage] <= _THREE
        best, most = ZERO, ZERO
        for _ in range(TRIES):
            hidden = take(m, view, left, lacking)
            m.holdings[seat] = known | hidden
            if not lacking:
                break
            if not keeps_silent(r, view, seat, m.holdings[seat]):
                continue
            if not asks:
                if is_drawn(m, view, seat, hidden):
                    break
                continue
            would, made = agreeing(r, m, view, u, seat)
            if would >= most:
                best, most = hidden, would
            if would == made:
                break
        if best:
            set_aside(m, left, best)
            m.holdings[seat] = known | best
        left -= lacking


# ------------------------------------------------------------------------------------------------ what comes


@large
def play_ahead(r, m, view, u, play, depth):
    """Make ``depth`` plays of the stage in ``u``, ``play`` the first, each seat asked for its own.

    Returns the table then, who is to play, and the plays left.
    """
    stand(r, m, view, u, view.told)
    t = lay(view.table, view.table_product, view.matta_value, u.rows)
    seat, turn, left = view.seat, view.turn, view.plays_left
    played = plays_before(r, view) + view.told
    for ply in range(depth):
        if ply:
            lies = (t.cards >> r.matta) & ONE
            if seat == ZERO and r.matta_reverts and lies and t.matta_value != r.matta_value:
                t = with_matta_as(r, t, r.matta_value)
            play = asked_for(r, view, u, t, seat, turn, played)
            if declared_in(play):
                t = with_matta_as(r, t, declared_in(play))
        card, got, side = card_of(play), captured(play), side_of(r, seat)
        u.held[seat] ^= ONE << card
        if got:
            u.score[side, _SCOPE] += is_sweep(play)
            u.pile[side] |= got | ONE << card
            u.deal[LAST_CAPTURE] = seat
            t = remove(r, t, got)
        else:
            t = land(t, card, value_in(play))
        u.made[played] = play
        played += ONE
        left -= ONE
        seat += ONE
        if seat == r.players:
            seat, turn = ZERO, turn + ONE
    return t, seat, left


@small
def play_on(r, m, view, u, play, depth):
    """The lead of the view's side after ``depth`` plays, by what piles and table are worth to whoever thinks here."""
    t, seat, left = play_ahead(r, m, view, u, play, depth)
    set_position(r, m, view, m.holdings)
    f = m.solver.frames[ZERO]
    for i in range(SIDES):
        made = u.score[i, _SCOPE] + u.score[i, _TABLE_BONUS] + u.score[i, _HAND_BONUS]
        f.pile[i], f.points[i], f.held[i] = u.pile[i], F(made) - F(view.points[i]), u.held[i]
    if left:
        held = popcount(u.held[seat])
        coming = r.plan[view.stage + ONE] if view.stock else ZERO
        f.points[side_of(r, seat)] += reply_value(r, m, t, held if held else coming, ZERO)
    f.table, f.product, f.matta_value, f.seat, f.left = t.cards, t.product, t.matta_value, seat, left
    f.last_capture = u.deal[LAST_CAPTURE]
    value_leaf(r, m, f)
    return lead(r, f.best, view.side)


@small
def play_believed(r, m, view, plays, samples, sums):
    """Add to ``sums`` what each play is worth in some deals, as ``search.play_samples`` does.

    Stages that are not too long are played out: what is asked is no guess that gets worse the farther it goes.
    """
    u, here = work_at(view.asks), plays_in_stage(view)
    depth = here if here <= ENDING else look_ahead(view)
    look_back(r, m, view)
    deal_unseen(r, m, view, unseen(view), m.holdings, ZERO)  # so that all hold as many as they do
    for _ in range(samples):
        deal_believed(r, m, view, u)
        for i in range(plays.size):
            if plays[i]:
                value = play_on(r, m, view, u, plays[i], depth)
                at = TWO * np.uint64(i)
                sums[at] += value
                sums[at + ONE] += value * value
                m.search.playouts += ONE


attack_play, best_show = searching(play_believed)


@small
def attack_knock(r, m, view, knocks):
    """The place of the choice to show that is worth most; at the deal, before anybody plays, as by ``careful``."""
    if r.shown_at_deal:
        return careful_knock(r, m, view, knocks)
    return best_show(r, m, view, knocks)
