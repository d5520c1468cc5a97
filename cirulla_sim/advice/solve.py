"""Turns with all cards known: the best line, solved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..experiments.expectancy import aiming_at_the_end
from ..situation.information_set import (
    NOBODY,
    Choice,
    InformationSet,
    card_of,
    cards_shown,
    make_view,
    matta_mask,
    matta_shown,
    points_shown,
)
from .decision_points import Moment
from .rollouts import Win, margins

SOLVED = 12
"""Plays left from which on a turn with all cards known is solved."""

AHEAD = 12
"""Plays that the solver looks ahead where the stage goes on for longer than ``DEEPEST``."""
DEEPEST = 20


@dataclass(frozen=True)
class Solution:
    """What each choice leads to with all cards known, and the line of best play for what is aimed at.

    ``points`` is float64[choices, 4], by side, everybody playing for points; ``wins``, float64[choices], is the chance
    to win the game, both playing for that, where a score was given and the hand is played to its end. ``ahead`` plays
    were looked ahead; unless the hand is ``settled`` then, the points are what the piles are expected to be worth (see
    ``kernel.worth``). ``shows`` tells whether sets shown later are solved too (``all``), counted only at their most
    (``most``), or none are left (empty).
    """

    choices: tuple[Choice, ...]
    points: NDArray[np.float64]
    wins: NDArray[np.float64] | None
    line: tuple[tuple[int, str], ...]
    """Seat and choice, in words, of each turn; empty where it depends on who has captured last, which is not known."""
    ahead: int
    settled: bool
    shows: str


class Later(NamedTuple):
    """Sets that others may still show: points by side, and a holding with the matta that is shown for one of several.

    ``declarer`` is the mask of these three cards, 0 for none; ``declared`` rows of value and points. ``solved`` tells
    whether this is all that there is to choose.
    """

    points: tuple[int, ...]
    declarer: int
    declared: tuple[tuple[int, int], ...]
    solved: bool


# ------------------------------------------------------------------------------------------------ all cards known


def solvable(now: InformationSet) -> tuple[int, ...] | None:
    """All holdings of a turn that can be solved to the end of the hand, None where it cannot.

    It cannot where anybody may choose when to show a set, or which, at a later turn.
    """
    holdings = now.all_holdings() if now.field("plays_left") <= SOLVED else None
    solved = holdings is not None and not _own_later(now, 0) and later(now, holdings).solved
    return holdings if solved else None


def _of_last_capture(now: InformationSet) -> list[InformationSet]:
    """The same for every side that may have captured last: those with a pile, where it is not known."""
    if now.field("last_capture") != NOBODY or not any(now.by_seat("pile")):
        return [now]
    seats = {now.rules.side(seat): seat for seat in range(now.rules.players)}
    cases = []
    for side, pile in enumerate(now.by_seat("pile")):
        if pile:
            view = now.view.copy()
            view["last_capture"] = seats[side]
            cases.append(replace(now, view=view))
    return cases


def _is_large(now: InformationSet) -> bool:
    """Whether sets of the stage can be shown at any turn."""
    return now.rules.bonus_cards_first and now.rules.deal_plan[now.field("stage")] > 3


def _own_later(now: InformationSet, gone: int) -> int:
    """The most points of sets that the seat itself may show later, when some cards, a mask, have been shown or played.

    Of three cards left a set is shown now or never.
    """
    holding = now.field("holding")
    may_wait = _is_large(now) and holding.bit_count() > 3
    return _most_points(now, holding & ~gone & ~now.by_seat("first")[now.field("seat")]) if may_wait else 0


def later(now: InformationSet, holdings: tuple[int, ...]) -> Later:
    """What others may still show, with all holdings known."""
    rules, points, declarer, solved = now.rules, [0] * now.rules.sides, 0, True
    declared: tuple[tuple[int, int], ...] = ()
    for seat in range(rules.players):
        turn = now.field("turn") + (seat < now.field("seat"))
        may_show = _is_large(now) or (turn == 0 and rules.knock_timing == "turn")
        rest = holdings[seat] & ~now.by_seat("first")[seat]
        most = _most_points(now, rest) if may_show and seat != now.field("seat") else 0
        if most and rest == holdings[seat] and rest.bit_count() == 3 and rest & matta_mask(rules):
            declarer, declared = rest, _declared(now, seat, turn, rest)
        else:
            solved = solved and (not most or holdings[seat].bit_count() == 3)
            points[rules.side(seat)] += most
    return Later(tuple(points), declarer, declared, solved)


def _declared(now: InformationSet, seat: int, turn: int, cards_held: int) -> tuple[tuple[int, int], ...]:
    """The values that a seat may declare the matta of three cards as, each with the points that the set earns."""
    rules = now.rules
    view = make_view(rules, {
        "seat": seat, "stage": now.field("stage"), "turn": turn, "holding": cards_held, "held": (0,) * rules.players,
    })  # fmt: skip
    shows = InformationSet(rules, view).shows
    own = cards.VALUES[cards.parse(rules.matta or "")]
    return tuple((matta_shown(show) or own, points_shown(show)) for show in shows)


def _most_points(now: InformationSet, holding: int) -> int:
    """The most points that sets of three cards of a holding earn together."""
    from ..kernel.entries.choices import choose_all
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.hand import CANDIDATES

    if holding.bit_count() < 3 or not now.rules.hand_bonuses:
        return 0
    knocks = np.zeros((3, 1), np.uint64)
    choose_all(flat_rules(now.rules), np.array([holding], np.uint64), knocks, np.zeros(CANDIDATES, np.uint64))
    return points_shown(tuple(int(word) for word in knocks.ravel()))


def solve(
    now: InformationSet,
    holdings: tuple[int, ...],
    score: tuple[int, ...] | None = None,
    table: Win | None = None,
    aim: str = "game",
) -> Solution:
    """Every choice with all holdings known, masks by seat, everybody playing their best to the end of the stage.

    With more than two sides each maximises its points less the mean of the others'. ``score`` is that of the game, ours
    first, and ``table`` the chances to win from every score; the line is played for the ``aim``. Where it is not
    known who has captured last, every side with a pile is equally likely to get the last table.
    """
    cases = [_solve(case, holdings, score, table, aim) for case in _of_last_capture(now)]
    points = np.array([case.points for case in cases])
    wins = np.array([case.wins for case in cases if case.wins is not None])
    if (points == points[0]).all() and (not len(wins) or (wins == wins[0]).all()):
        return cases[0]
    return replace(cases[0], points=points.mean(axis=0), wins=wins.mean(axis=0) if len(wins) else None, line=())


def _solve(
    now: InformationSet, holdings: tuple[int, ...], score: tuple[int, ...] | None, table: Win | None, aim: str
) -> Solution:
    """The same where it is known who has captured last, or nobody has."""
    left = sum(held.bit_count() for held in holdings)
    ahead = left if left <= DEEPEST else AHEAD
    settled = ahead == now.field("plays_left")
    game = None
    if score is not None and table is not None and settled:
        game = (score if now.side == 0 else score[::-1], aiming_at_the_end(now.rules, table))
    points = _values(now, holdings, ahead)
    wins = None if game is None else _values(now, holdings, ahead, game)
    line, values = [], points if wins is None or aim != "game" else wins
    game = game if aim == "game" else None
    here, moment = now, Moment.of_open_cards(now, holdings)
    while True:
        choice = here.choices()[int(margins(here, values[None])[0].argmax())]
        line.append((moment.seat, here.in_words(choice)))
        if len(line) == ahead:
            break
        moment = moment.after(choice)
        here = moment.information()
        values = _values(here, moment.holdings, ahead - len(line), game)
    others = later(now, holdings)
    shows = "all" if any(others.points) or others.declarer else ""
    shows = "most" if _own_later(now, 0) or not others.solved else shows
    won = None if wins is None else wins[:, now.side]
    return Solution(now.choices(), points, won, tuple(line), ahead, settled, shows)


def _values(
    now: InformationSet,
    holdings: tuple[int, ...],
    ahead: int,
    game: tuple[tuple[int, ...], NDArray[np.float32]] | None = None,
) -> NDArray[np.float64]:
    """float64[choices, 4]: by side, the points so far, those made from here on and those of the piles that follow.

    With ``game``, its score by side and the chances to win as ``policies.Workspace`` has them, it is chances.
    """
    from ..engine.policies import Workspace
    from ..kernel.entries.choices import solve_plays
    from ..kernel.entries.rules import flat_rules

    flat, given, others = flat_rules(now.rules), np.zeros(4, np.uint64), later(now, holdings)
    given[: len(holdings)] = holdings
    declared = np.array(others.declared, np.uint64).reshape(-1, 2)
    workspace = Workspace()
    workspace.prepare(now.rules, None if game is None else game[1])
    results = []
    for show, plays in groupby(now.choices(), lambda choice: choice.show):
        here = now.after_show(show)
        own = [_own_later(now, cards_shown(show) | 1 << card_of(choice.play)) for choice in plays]
        values = np.zeros((len(own), 4), np.float32)
        for earned in set(own):
            view, listed, solved = here.view.copy(), np.zeros(len(own), np.uint64), np.zeros_like(values)
            view[0]["points"][: now.rules.sides] += np.array(others.points, np.uint64)
            view[0]["points"][now.side] += earned
            if game is not None:
                view[0]["score"][:2], view[0]["aims_at_game"] = game[0], 1
            mind, depth, declarer = workspace.mind, np.uint64(ahead), np.uint64(others.declarer)
            solve_plays(flat, mind, view[0], given, depth, declarer, declared, listed, solved)
            solved += 0 if game is not None else view[0]["points"].astype(np.float32)
            values[np.array(own) == earned] = solved[np.array(own) == earned]
        results.append(values)
    return np.concatenate(results).astype(np.float64)
