"""The table of a tournament: margins, hands and games won of each pairing, and the ranking."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from ..stats.estimates import Estimate, Z, proportion, stretched, student
from ..stats.sequential import at_any_stop
from ..storage.tables import SCHEMA, estimate_row
from .duplicate import (
    LESS_UNIT,
    Whole,
    alone,
    dealer_advantages,
    games_won,
    hands_won,
    less_luck,
    margins,
    mean_of,
)
from .ranking import rank, resampled
from .tournament_plan import Pair, Plan, Played

Row = dict[str, Any]


def table(plan: Plan, played: Played, games: bool = True, costs: Mapping[str, float] | None = None) -> pl.DataFrame:
    """The rows of all pairings, the ranking, and ``costs`` if they are given; to count ``games`` takes long."""
    rows = [*_pairing_rows(plan, played, games), *_ranking_rows(plan, played), *_cost_rows(plan, costs or {})]
    return pl.DataFrame(rows, schema={"policy": pl.String, "opponent": pl.String, **SCHEMA}, orient="row")


def _row(
    policy: str | None, opponent: str | None, quantity: str, kind: str, estimate: Estimate, side: str = "all",
    per: str = "hand",
) -> Row:  # fmt: skip
    return {"policy": policy, "opponent": opponent} | estimate_row(quantity, per, side, kind, estimate)


def _pairing_rows(plan: Plan, played: Played, games: bool) -> Iterator[Row]:
    for policy, opponent in ((a, b) for a in plan.policies for b in plan.policies if a != b):
        second = (policy, opponent) not in played.scores
        pair = (opponent, policy) if second else (policy, opponent)
        scores, wider, sign = played.scores[pair], _wider(played, pair), -1 if second else 1

        def points(numbers: Whole, unit: float, wider: float = wider) -> Estimate:
            return stretched(mean_of(numbers, unit), wider)

        for side, dealer in (("all", None), ("dealer", True), ("others", False)):
            numbers, unit = margins(scores, None if dealer is None else dealer != second)
            yield _row(policy, opponent, "margin", "difference", points(sign * numbers, unit), side)
        if (less := less_luck(scores)) is not None:
            numbers, unit = margins(less)
            adjusted = points(sign * numbers, unit / LESS_UNIT)
            yield _row(policy, opponent, "margin_less_luck", "difference", adjusted)
        won = alone(scores, second)
        yield _row(policy, opponent, "wins_hand", "share", stretched(hands_won(won), wider, 0, 1))
        if games:
            chance = stretched(games_won(won, plan.rules), wider, 0, 1)
            yield _row(policy, opponent, "wins_game", "probability", chance, per="game")
        if not second:
            advantage = points(*dealer_advantages(scores))
            yield _row(policy, opponent, "dealer_advantage", "difference", advantage, "dealer")


def _wider(played: Played, pair: Pair) -> float:
    """How many times wider than usual the intervals of a pairing are: where the test ended it they hold at any stop."""
    return at_any_stop(len(played.scores[pair])) / Z if played.verdicts.get(pair) else 1.0


def _ranking_rows(plan: Plan, played: Played) -> Iterator[Row]:
    """Strengths, strongest first; how often each stays ahead of the next when resampled; how often the order holds."""
    ranking = rank(plan.policies, played)
    draws, order = resampled(ranking), ranking.order
    half = student(played.least - 1) * max(_wider(played, pair) for pair in played.scores)
    for place in order:
        value, error = float(ranking.strengths[place]), math.sqrt(max(0.0, ranking.covariance[place, place]))
        strength = Estimate(value, error, value - half * error, value + half * error, played.done)
        yield _row(plan.policies[place], None, "strength", "mean", strength)
    ahead = {(place, following): draws[:, place] > draws[:, following] for place, following in pairwise(order)}
    for (place, following), holds in ahead.items():
        share = proportion(int(holds.sum()), len(draws))
        yield _row(plan.policies[place], plan.policies[following], "stays_ahead", "share", share, per="resample")
    holds = np.logical_and.reduce(list(ahead.values()))
    yield _row(None, None, "order_holds", "share", proportion(int(holds.sum()), len(draws)), per="resample")


def microseconds(plan: Plan, costs: Mapping[str, float]) -> dict[str, float]:
    """Costs a hand and side, from seconds a hand."""
    return {policy: 1e6 * seconds / plan.rules.sides for policy, seconds in costs.items()}


def _cost_rows(plan: Plan, costs: Mapping[str, float]) -> Iterator[Row]:
    for policy, cost in microseconds(plan, costs).items():
        row = _row(policy, None, "cost", "mean", Estimate(cost, 0, cost, cost, 1))
        yield row | dict.fromkeys(("std_error", "ci_low", "ci_high", "n"))
