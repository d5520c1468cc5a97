"""The table of a tournament: margins, hands and games won of each pairing, and the ranking."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..stats.decisions import holm
from ..stats.estimates import Estimate, Z, stretched, student, two_sided
from ..stats.sequential import at_any_stop
from ..stats.studentized_range import tukey_p, tukey_quantile
from ..storage.tables import SCHEMA, estimate_row
from .duplicate import (
    LESS_UNIT,
    alone,
    dealer_advantages,
    games_won,
    hands_won,
    less_luck,
    margins,
    mean_of,
)
from .tally import Whole
from .tournament_plan import Pair, Plan, Played


@dataclass(frozen=True)
class Ranking:
    """One strength for each policy, in points a hand, mean zero; ``covariance`` is that of the strengths."""

    strengths: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def order(self) -> list[int]:
        """The policies' places in the list, strongest first."""
        return [int(place) for place in np.argsort(-self.strengths, kind="stable")]


def rank(policies: Sequence[str], played: Played) -> Ranking:
    """The strengths that fit all margins best, by least squares: each policy's mean margin over all, itself included.

    Pairings share their deals, so their margins are correlated; the covariance of two is taken over the deals that both
    have. A pairing counts as much as any other, however many deals it has.
    """
    pairs = list(played.scores)
    measured = [margins(scores) for scores in played.scores.values()]
    count = np.array([len(numbers) for numbers, _ in measured])
    means = np.array([int(numbers.sum()) / len(numbers) * unit for numbers, unit in measured])
    covariance = np.array([[_covariance(x, y) * unit**2 for y, _ in measured] for x, unit in measured])
    covariance /= np.maximum(count[:, None], count[None, :])
    design = np.zeros((len(policies), len(pairs)))
    for number, (policy, opponent) in enumerate(pairs):
        design[policies.index(policy), number], design[policies.index(opponent), number] = 1, -1
    design /= len(policies)
    return Ranking(design @ means, design @ covariance @ design.T)


def _covariance(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    """The covariance of two numbers of a deal over the deals that have both, from whole sums."""
    n = min(len(x), len(y))
    x, y = x[:n], y[:n]
    return (n * int(x @ y) - int(x.sum()) * int(y.sum())) / (n * (n - 1))


class Gap(NamedTuple):
    """How much stronger one policy is than another, by their places in the list of policies.

    The intervals of all gaps hold at once, 95% of the time; ``p`` is at most 5% where the interval leaves out 0.
    """

    stronger: int
    weaker: int
    estimate: Estimate
    p: float


def gaps(ranking: Ranking, deals: int, wider: float = 1.0) -> Iterator[Gap]:
    """The gaps between all strengths, from the strongest policy on, by the method of Tukey and Kramer.

    The standard errors are from ``deals`` deals or more; intervals are ``wider`` times as wide.
    """
    count = len(ranking.strengths)
    reach = wider * tukey_quantile(count, deals - 1)
    for one, other in combinations(ranking.order, 2):
        value = float(ranking.strengths[one] - ranking.strengths[other])
        contrast = np.zeros(count)
        contrast[one], contrast[other] = 1, -1
        error = math.sqrt(max(0.0, float(contrast @ ranking.covariance @ contrast)))
        errors_apart = value / error if error else math.inf if value else 0.0
        estimate = Estimate(value, error, value - reach * error, value + reach * error, deals)
        yield Gap(one, other, estimate, tukey_p(errors_apart / wider, count, deals - 1))


Row = dict[str, Any]

COLUMNS = {"policy": pl.String, "opponent": pl.String, **SCHEMA, "p_holm": pl.Float64, "p_tukey": pl.Float64}
"""The columns of a tournament. ``p_holm`` is the p-value of a margin over all hands, corrected for all pairings;
``p_tukey`` that of a gap between two strengths, which is at most 5% where its simultaneous interval leaves out 0."""


def table(plan: Plan, played: Played, games: bool = True) -> pl.DataFrame:
    """The rows of all pairings, and the ranking; to count ``games`` takes long."""
    rows = [*_corrected(_pairing_rows(plan, played, games)), *_ranking_rows(plan, played)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _row(
    policy: str | None, opponent: str | None, quantity: str, kind: str, estimate: Estimate, side: str = "all",
    per: str = "hand",
) -> Row:  # fmt: skip
    named = {"policy": policy, "opponent": opponent, "p_holm": None, "p_tukey": None}
    return named | estimate_row(quantity, per, side, kind, estimate)


def _pairing_rows(plan: Plan, played: Played, games: bool) -> Iterator[Row]:
    for policy, opponent in ((a, b) for a in plan.policies for b in plan.policies if a != b):
        second = (policy, opponent) not in played.scores
        pair = (opponent, policy) if second else (policy, opponent)
        scores, wider, sign = played.scores[pair], _wider(played, pair), -1 if second else 1

        def points(numbers: Whole, unit: float, wider: float = wider) -> Estimate:
            return stretched(mean_of(numbers, unit), wider)

        for side, dealer in (("all", None), ("dealer", True), ("others", False)):
            numbers, unit = margins(scores, None if dealer is None else dealer != second)
            margin = points(sign * numbers, unit)
            p = None if side != "all" else _p(margin, wider)
            yield _row(policy, opponent, "margin", "difference", margin, side) | {"p_holm": p}
        if (less := less_luck(scores)) is not None:
            numbers, unit = margins(less)
            adjusted = points(sign * numbers, unit / LESS_UNIT)
            p = _p(adjusted, wider)
            yield _row(policy, opponent, "margin_less_luck", "difference", adjusted) | {"p_holm": p}
        won = alone(scores, second)
        yield _row(policy, opponent, "wins_hand", "share", stretched(hands_won(won), wider, 0, 1))
        if games:
            chance = stretched(games_won(won, plan.rules), wider, 0, 1)
            yield _row(policy, opponent, "wins_game", "probability", chance, per="game")
        if not second:
            advantage = points(*dealer_advantages(scores))
            yield _row(policy, opponent, "dealer_advantage", "difference", advantage, "dealer")


def _p(margin: Estimate, wider: float) -> float | None:
    """The p-value of a margin whose interval is ``wider`` times as wide as Student's."""
    return two_sided(margin.value, wider * margin.std_error, margin.n - 1) if margin.std_error or margin.value else 1.0


def _corrected(rows: Iterable[Row]) -> list[Row]:
    """Rows with their p-values corrected by Holm; the two rows of a pairing are one test."""
    rows = list(rows)

    def test(row: Row) -> tuple[frozenset[str], str]:
        return frozenset((row["policy"], row["opponent"])), row["quantity"]

    plain = {test(row): row["p_holm"] for row in rows if row["p_holm"] is not None}
    corrected = dict(zip(plain, holm(list(plain.values())), strict=True))
    return [row | {"p_holm": corrected[test(row)]} if row["p_holm"] is not None else row for row in rows]


def _wider(played: Played, pair: Pair) -> float:
    """How many times wider than usual the intervals of a pairing are: where the test ended it they hold at any stop."""
    return at_any_stop(len(played.scores[pair])) / Z if played.verdicts.get(pair) else 1.0


def _ranking_rows(plan: Plan, played: Played) -> Iterator[Row]:
    """Strengths, strongest first, and the gaps between all of them with simultaneous intervals."""
    ranking, names = rank(plan.policies, played), plan.policies
    wider = max(_wider(played, pair) for pair in played.scores)
    half = student(played.least - 1) * wider
    for place in ranking.order:
        value, error = float(ranking.strengths[place]), math.sqrt(max(0.0, ranking.covariance[place, place]))
        strength = Estimate(value, error, value - half * error, value + half * error, played.done)
        yield _row(names[place], None, "strength", "mean", strength)
    for gap in gaps(ranking, played.least, wider):
        row = _row(names[gap.stronger], names[gap.weaker], "strength_gap", "difference", gap.estimate)
        yield row | {"p_tukey": gap.p}
