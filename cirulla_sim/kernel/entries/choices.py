"""What a seat chooses: the policies, what each of them may choose, and the solution of a position.

Policies and what asks them are called by address.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import choose_sets, knock_points
from ..game.flat import flat_type
from ..game.hand import OPPONENT_WORK, ask_signature
from ..game.inlined import greedy_play
from ..game.plays import list_plays, played_card, rules_now, side_of, word_of
from ..jit import entry, inline
from ..players.ask import ask_policy, fill_view, mind_type, policy_signature, workspace_at
from ..players.boards import NEVER
from ..players.careful import best_knock, careful_play, value_knocks
from ..players.knock import has_sets_left, keeping, list_knocks, may_knock, promised_behind, show_set, take_back
from ..players.opponent_query import SHOWN, greedy_before, model_before, prepare_queries, work_at
from ..players.opponents import comparison, update_styles
from ..players.search import search_knock, search_play
from ..players.solver import INFINITE, best_play, find_play, search_frames, set_position, solve_within
from ..players.view import roll_dice, view_table, view_type
from ..players.wary import wary_play
from ..players.worth import BY_NOTHING, aims_at_game

numbers_type = types.uint64[::1]


@entry(policy_signature)
def random(r, view, plays, m):
    """What ``random`` plays where it is called, to play on from a position: a card evenly, then a play of it."""
    cards = ONE
    for i in range(1, plays.size):
        cards += np.uint64(played_card(plays[i]) != played_card(plays[i - 1]))
    chosen, first = roll_dice(view, cards), ZERO
    while chosen:
        first += ONE
        chosen -= np.uint64(played_card(plays[first]) != played_card(plays[first - ONE]))
    last = first
    while last + ONE < plays.size and played_card(plays[last + ONE]) == played_card(plays[first]):
        last += ONE
    return first + roll_dice(view, last - first + ONE)


@entry(policy_signature)
def greedy(r, view, plays, m):
    """What ``greedy`` plays there."""
    last = view.plays_left == ONE
    choice = greedy_play(r, view_table(r, view), view.allowed, view.pile[view.side], last)
    return find_play(plays, word_of(r, choice, last))


@entry(policy_signature)
def wary_policy(r, view, choices, m):
    """The place of the choice that ``wary`` makes: of a play, or of the sets to show.

    It shows those worth most points with what can be shown behind them, at once, with the matta as low as it can be.
    """
    if not m.to_show:
        return wary_play(r, view, choices)
    best, chosen = ZERO, ZERO
    for i in range(choices.size):
        total = knock_points(choices[i]) + promised_behind(r, view, choices[i], m.sets)
        if total > best:
            best, chosen = total, np.uint64(i)
    return chosen


@entry(policy_signature)
def careful_policy(r, view, choices, m):
    """The place of the choice that ``careful`` makes: of a set to show, or of a play."""
    if not m.to_show:
        return careful_play(r, m, view, choices)
    value_knocks(r, m, view, choices)
    return best_knock(m, np.uint64(choices.size))


@entry(policy_signature)
def open_policy(r, view, choices, m):
    """The place of the choice that ``open`` makes: a policy with perfect information, an upper bound, no fair opponent.

    Of plays, and of sets of holdings of three, the stage is solved; larger holdings are shown as by ``careful``.
    """
    if not m.to_show:
        if choices.size == 1:
            return ZERO
        if has_sets_left(r, view):  # the solver ignores them: leave out cards that would lose one
            view.first[view.seat] = keeping(r, view, m.sets)
        solve_within(r, m, view, view.hidden)
        return find_play(choices, best_play(m))
    value_knocks(r, m, view, choices)
    matta_value, solved = view.matta_value, r.plan[view.stage] <= np.uint64(3)
    for i in range(choices.size if solved else 0):
        k = np.uint64(i)
        if m.shows[k] != NEVER:
            show_set(r, view, choices[i])
            paid = np.float32(r.pays) * np.float32(knock_points(choices[i]))
            earned = np.float32(0) if aims_at_game(r, m, view) else paid
            m.shows[k] = solve_within(r, m, view, view.hidden) + earned
            take_back(view, choices[i], matta_value)
    return best_knock(m, np.uint64(choices.size))


@entry(policy_signature)
def search_policy(r, view, choices, m):
    """The place of the choice that ``search`` makes: of a set to show, or of a play."""
    return search_knock(r, m, view, choices) if m.to_show else search_play(r, m, view, choices)


@entry(ask_signature)
def ask(r, w, policy, table, at):
    """The play, as a word, that the policy at an address chooses, see ``ask_policy``."""
    return ask_policy(r, w, workspace_at(w.workspace), policy, table, at)


@entry(ask_signature)
def observe(r, w, unused, table, end):
    """Infer the styles of all sides by the plays of a stage, whose last was before the moment ``end``; returns 0.

    Everybody has seen then what each seat held at each of its plays. A seat's last card is left out: it seldom has a
    choice.
    """
    workspace, address = workspace_at(w.workspace), ZERO
    view, m = workspace.information, workspace.mind
    for side in range(r.sides):
        model = w.options[side, OPPONENT_WORK]
        if address == ZERO and model and not work_at(model).certain:
            address = model
    if address == ZERO:
        return ZERO
    u = work_at(address)
    fill_view(r, w, view, table, end, False)
    prepare_queries(r, m, view, u)
    m.holdings[:] = ZERO
    for i in range(m.query.since, view.history_size - r.players):
        number = np.uint64(i)
        seat = number % r.players
        model = model_before(r, m, view, u, seat, number) & SHOWN
        greedy = greedy_before(r, m, view, seat, number) & SHOWN
        update_styles(w.styles[side_of(r, seat)], comparison(view.history[number] & SHOWN, model, greedy))
    return ZERO


@entry(types.uint64(flat_type, view_type[::1], types.uint64, numbers_type, numbers_type))
def list_shows(r, views, shown, scratch, knocks):
    """Write the sets that the seat of a view may show now, one of them, to ``knocks``; returns how many.

    ``shown`` is the mask of its cards shown already. ``knocks`` is uint64[MOST_KNOCKS], ``scratch`` uint64[CANDIDATES].
    """
    view = views[0]
    if (r.shown_at_deal and view.turn == ZERO) or not may_knock(r, view, r.plan[view.stage], shown):
        return ZERO
    size = list_knocks(r, view.holding & ~shown, knocks, scratch) - ONE
    for i in range(size):
        knocks[i] = knocks[i + 1]  # the first is none
    return size


@inline
def list_of_view(r, view, plays):
    """Write the legal plays of a view to ``plays``; returns how many."""
    now = rules_now(r, r.plays - view.plays_left)
    return list_plays(now, view_table(r, view), view.allowed, view.plays_left == ONE, plays)


@entry(types.uint64(flat_type, view_type[::1], numbers_type))
def list_legal(r, views, plays):
    """Write the legal plays of a view to ``plays``, uint64[n]; returns how many."""
    return list_of_view(r, views[0], plays)


@entry(types.void(flat_type, types.Array(types.uint64, 1, readonly=True), types.uint64[:, ::1], numbers_type))
def choose_all(r, holdings, knocks, candidates):
    """Choose the sets of each holding, a mask: into ``knocks``, uint64[3, n] of zeros, see ``bonuses.knock_word``.

    ``candidates`` is a scratch uint64[250].
    """
    for i in range(holdings.shape[0]):
        choose_sets(r, holdings[i], ZERO, np.uint64(i), knocks, candidates)


@entry(
    types.uint64(
        flat_type,
        mind_type,
        view_type,
        numbers_type,
        types.uint64,
        types.uint64,
        types.uint64[:, ::1],
        numbers_type,
        types.float32[:, ::1],
    )
)
def solve_plays(r, m, view, holdings, depth, declarer, declared, plays, values):
    """Write every legal play of a position to ``plays`` and, by side, what each leads to into ``values``.

    ``holdings`` is uint64[4], masks by seat. ``declarer`` is that of another seat, which shows it with the matta when
    it is to play, for one of the values and points in the rows of ``declared``; 0 for none. Returns how many plays
    there are.
    """
    count = list_of_view(r, view, plays)
    for i in range(min(count, np.uint64(values.shape[0]))):
        set_position(r, m, view, holdings)
        if m.solver.aimed:
            m.solver.aimed = BY_NOTHING  # the values are results, not only compared
        m.solver.declarer, m.solver.options = declarer, np.uint64(declared.shape[0])
        for k in range(declared.shape[0]):
            m.solver.values[k], m.solver.earned[k] = declared[k, 0], np.float32(declared[k, 1])
        search_frames(r, m, depth, -INFINITE, INFINITE, plays[i])
        for side in range(4):
            values[i, np.uint64(side)] = m.solver.frames[0].best[np.uint64(side)]
    return count
