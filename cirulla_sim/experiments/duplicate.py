"""Duplicate hands: two policies on the same deals with sides exchanged, and what the scores show.

Of two sides each policy takes the one and then the other. Of more sides, each alone, each policy in turn is alone
against the other in every place. Either way the deals' luck falls on both alike, and the unit of the statistics is the
deal: the mean over all its arrangements.

Scores of a pairing are int16[deals, arrangements, sides + 2]: the points of each side, the dealer's last; the sides
that won the game outright, as bits; the tables dealt again.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import play_chunk, row_names
from ..engine.trials import Experiment, game_after
from ..ruleset.rules_model import Rules
from ..situation.hand import won_outright
from ..stats.estimates import Estimate, mean, share_interval
from .tally import ONE, Tally, WholeNumbers

Scores = NDArray[np.int16]

BLOCK, BLOCKS, GAP = 64, 256, 16
"""Whole games are counted in blocks: the fewest deals of a block, and the most blocks. The last deals of a block
begin no game, so that those going on into the next block share few deals with its own."""

LONGEST = 10_000
"""Hands after which a game without an end is given up: only rules that give no points have such games."""

_SHARES = math.lcm(2, 3)
"""Parts a won game is cut in, since misdeals can win it for up to three sides at once."""

_SHARE_OF = np.array([_SHARES // max(1, winners.bit_count()) for winners in range(1 << 4)])
"""The parts each winner has, by the winners as bits."""


def pairings(policies: tuple[str, ...]) -> list[tuple[str, str]]:
    """Every policy against every later one.

    >>> pairings(("a", "b", "c"))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return list(combinations(policies, 2))


def arrangements(sides: int, policy: str, opponent: str) -> list[tuple[str, ...]]:
    """Who plays each side, the dealer's last, in each arrangement of a deal.

    >>> arrangements(2, "a", "b")
    [('a', 'b'), ('b', 'a')]
    >>> ["".join(seats) for seats in arrangements(3, "a", "b")]
    ['abb', 'bab', 'bba', 'baa', 'aba', 'aab']
    """
    alone = [(policy, opponent)] if sides == 2 else [(policy, opponent), (opponent, policy)]
    return [tuple(lone if side == at else rest for side in range(sides)) for lone, rest in alone for at in range(sides)]


def play_deals(experiment: Experiment, first: int, hands: int) -> Scores:
    """The scores of some deals in one arrangement, int16[hands, sides + 2]."""
    rules, rows = experiment.rules, play_chunk(experiment, first, hands, rows=True)[1]
    column = {name: rows[:, number] for number, name in enumerate(row_names(rules))}
    dealer, everybody = 1 << rules.dealer_side, (1 << rules.sides) - 1
    outright = np.array([0, dealer, everybody - dealer], np.int16)[column["won_at_deal"]]
    totals, cappotti = (
        np.array([column[f"side{side}_{name}"] for side in range(rules.sides)]) for name in ("total", "cappotto")
    )
    outright = outright | (1 << np.arange(rules.sides)) @ won_outright(rules, totals, cappotti)
    return np.column_stack([*(rules.pays * totals), outright, column["misdeals"]])


# ------------------------------------------------------------------------------------------------ margins


def margins(scores: Scores, dealer: bool | None = None) -> tuple[WholeNumbers, float]:
    """The first policy's points less the second's on each deal, as whole numbers, and their unit in points.

    The mean of its sides less the mean of the others', averaged over the arrangements: all of them, or those in which
    it has the dealer's side (``dealer``), or has it not.
    """
    sides = scores.shape[2] - 2
    seats = np.array([[name == "a" for name in row] for row in arrangements(sides, "a", "b")])
    weights = np.where(
        seats, (sides - 1) // seats.sum(1, keepdims=True), -((sides - 1) // (~seats).sum(1, keepdims=True))
    )
    if dealer is not None:
        weights = weights * (seats[:, -1:] == dealer)
    counted = len(seats) if dealer is None else len(seats) // 2
    return _weighed(scores, weights), 1 / ((sides - 1) * counted)


def dealer_advantages(scores: Scores) -> tuple[WholeNumbers, float]:
    """The dealer's side's points less the mean of the others' on each deal, and their unit in points."""
    sides = scores.shape[2] - 2
    weights = np.full((scores.shape[1], sides), -1)
    weights[:, -1] = sides - 1
    return _weighed(scores, weights), 1 / ((sides - 1) * scores.shape[1])


def _weighed(scores: Scores, weights: NDArray[Any]) -> WholeNumbers:
    total = np.zeros(len(scores), np.int64)
    for arrangement, row in enumerate(weights.tolist()):
        for side, weight in enumerate(row):
            total += weight * scores[:, arrangement, side].astype(np.int64)
    return total


def mean_of(numbers: WholeNumbers, unit: float) -> Estimate:
    """The mean over deals, with Student's interval: sides exchanged, numbers are about as far above it as below."""
    tally, x = Tally.of(numbers=numbers), {"numbers": 1}
    plain = mean(tally.sum(x), tally.product(x, x), tally.trials, unit)
    return plain if plain.std_error else tally.mean(x, -math.inf, scale=unit)


# ------------------------------------------------------------------------------------------------ hands and games won


def alone(scores: Scores, second: bool = False) -> Scores:
    """The arrangements in which the first policy (or the second) is alone, by the side it has."""
    sides = scores.shape[2] - 2
    return scores[:, ::-1] if second and sides == 2 else scores[:, sides * second :][:, :sides]


def hands_won(own: Scores) -> Estimate:
    """The share of hands in which the one that is alone has more points than any other side.

    ``own`` is int16[deals, sides, sides + 2], by its side, as from ``alone``.
    """
    sides = own.shape[1]
    wins = np.zeros(len(own), np.int64)
    for side in range(sides):
        rest = [other for other in range(sides) if other != side]
        wins += own[:, side, side] > own[:, side, rest].max(axis=1)
    return Tally.of(wins=wins).ratio({"wins": 1}, {ONE: sides})


def games_won(own: Scores, rules: Rules) -> Estimate:
    """The chance that the one that is alone wins a game, from games of hands that follow one another.

    The deal passes on from hand to hand, so each hand of a game is taken from the arrangement of the place that has
    come to the one that is alone; it begins in every place. Games are counted by blocks of deals: one after the other
    from the first deal of the block on. The last that begins in it is counted wherever it ends, so that short games are
    not counted more often than they come. The standard error is taken between blocks. ``n`` is the number of games.
    Ties after the last hand are played on, or where the rules let them stand won by nobody. Each game of a match counts
    for itself.
    """
    games, wins = _games_by_block(own, rules)
    share, number = Tally.of(wins=wins, games=games).ratio({"wins": 1}, {"games": _SHARES}), int(games.sum())
    if number and not 0 < share.std_error < math.inf:
        low, high = share_interval(share.value, number if len(games) > 1 else number / own.shape[1])
        return replace(share, low=low, high=high, n=number)
    return replace(share, n=number)


def _games_by_block(own: Scores, rules: Rules) -> tuple[WholeNumbers, WholeNumbers]:
    """Games begun in each block of deals, and parts of games won in them."""
    deals, sides = len(own), own.shape[1]
    size = max(BLOCK, -(-deals // BLOCKS))
    starts = np.arange(0, deals, size)
    at = np.repeat(starts[:, None], sides, axis=1)  # the next deal of each block's games, by the place first held
    stop = np.minimum(starts + size, deals)[:, None] - GAP
    place = np.repeat(np.arange(sides)[None], len(starts), axis=0)
    points = np.zeros((*at.shape, sides), np.int64)  # by seat from the one that is alone on
    played, games, wins = np.zeros_like(at), np.zeros_like(at), np.zeros_like(at)
    active = np.ones(at.shape, bool)
    for _ in range(LONGEST):
        deal = at % deals
        if rules.misdeal_dealer == "next":
            place = (place - own[deal, place, sides + 1]) % sides
        for seat in range(sides):
            points[..., seat] += own[deal, place, (place + seat) % sides]
        at, played = at + 1, played + 1
        ends, leader = game_after(rules, rules.pays * points, played)
        ends = ends & ((leader >= 0) | rules.drawn_games)
        outright = own[deal, place, sides]
        share = np.where(leader == 0, _SHARES, 0)
        share = np.where(outright > 0, (outright >> place & 1) * _SHARE_OF[outright], share)
        ends = (ends | (outright > 0)) & active
        games += ends
        wins += np.where(ends, share, 0)
        points[ends], played[ends] = 0, 0
        active &= ~(ends & (at >= stop))
        if not active.any():
            break
        place = (place - 1) % sides
    return games.sum(axis=1), wins.sum(axis=1)
