"""How much of the variance of a hand's margin comes from the deal and from play; games until the better one is ahead.

Each deal is played by every line-up of policies, several times over with fresh dice. So the margin is
``mean + deal + line-up + (deal and line-up together) + dice``, an analysis of variance with deals as a random factor
and line-ups, all equally likely, as a fixed one; what each part adds to the variance is estimated without bias
(Searle, Casella and McCulloch, "Variance Components", 1992, chapters 3 and 4; a line-up alone is their one-way case).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import playing
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel import types
from cirulla_sim.kernel.game.flat import flat_type
from cirulla_sim.kernel.game.hand import deal_hand, play_dealt, work_type
from cirulla_sim.kernel.game.scoring import COLUMN
from cirulla_sim.kernel.game.streams import batch_type, start
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.estimates import Estimate, student

Margins = NDArray[np.float64]

PARTS = ("deal", "skill", "response", "dice")
"""The parts of the variance: the deal; who plays; how a deal suits who plays; the dice of policies that use them."""

GROUPS = 50
"""Groups of deals for the jackknife."""

LARGEST = 10**9
"""The largest number of games that is looked for; beyond it the answer is infinite."""


@cache
def _compiled() -> Any:
    """Deals played with the dice of another seed, and the total of each side written: int64[deals, 4]."""
    total = COLUMN["total"]
    kinds = (flat_type, types.uint64[::1], batch_type, types.uint64, work_type, types.int64[:, ::1])

    @njit(types.void(*kinds).numba, nogil=True, error_model="numpy", _nrt=False)
    def run(r, policies, deals, dice, w, totals):  # type: ignore[no-untyped-def]
        for i in range(deals.hands):
            cards = deal_hand(r, deals.seed, deals.first + i, w)
            start(w.states, dice, deals.first + i)
            play_dealt(r, policies, cards, w)
            for side in range(r.sides):
                totals[i, side] = w.score[side, total]

    return run


def margins_with_dice(experiment: Experiment, dice: int, first: int, deals: int) -> Margins:
    """float64[deals]: margins of the dealer's side in some hands, with the dice that seats have under seed ``dice``.

    With the experiment's own seed as ``dice`` the hands are the usual ones.
    """
    totals, sides = np.zeros((deals, 4), np.int64), experiment.rules.sides
    with playing(experiment, first, deals) as (flat, codes, streams, work):
        _compiled()(flat, codes, streams, np.uint64(dice), work, totals)
    others = totals[:, : sides - 1]
    return np.asarray(((sides - 1) * totals[:, sides - 1] - others.sum(axis=1)) / (sides - 1))


def replayed(
    rules: Rules,
    line_ups: Sequence[tuple[str, ...]],
    deals: int,
    replays: int,
    seed: int = 1,
    threads: int | None = None,
) -> Margins:
    """float64[deals, line-ups, replays]: margins of the dealer's side; every replay of a deal has dice of its own.

    A line-up is one policy for all sides or one a side, the dealer's last; the margin is over the mean of the others.
    Raises ``InputError`` as ``Experiment`` does.
    """
    jobs = [(Experiment(rules, line_up, deals, seed), number) for number, line_up in enumerate(line_ups)]
    margins = np.empty((deals, len(line_ups), replays))

    def play(job: tuple[tuple[Experiment, int], int]) -> None:
        (experiment, number), replay = job
        dice = (seed + 1 + number * replays + replay) % 2**64
        margins[:, number, replay] = margins_with_dice(experiment, dice, 0, deals)

    for experiment, _ in jobs:
        experiment.check()
    _compiled()  # before threads ask for it
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, product(jobs, range(replays))))
    return margins


def variances(margins: Margins) -> NDArray[np.float64]:
    """float64[4]: the variance that each of ``PARTS`` adds, without bias, from float64[deals, line-ups, replays].

    With one line-up skill and response are 0. An estimate may be below 0 where the truth is near it.
    """
    deals, line_ups, replays = margins.shape
    dice = float(margins.var(axis=2, ddof=1).mean()) if replays > 1 else 0.0
    cells = margins.mean(axis=2)
    by_deal, by_line_up = cells.mean(axis=1), cells.mean(axis=0)
    deal = float(by_deal.var(ddof=1)) - dice / (replays * line_ups)
    apart = (cells - by_deal[:, None]).var(axis=0, ddof=1).mean()  # response, and the dice left in it
    response = float(apart) - dice / replays * (1 - 1 / line_ups)
    skill = float(by_line_up.var()) - float(apart) / deals
    return np.array([deal, skill, response, dice])


def shares(margins: Margins) -> dict[str, Estimate]:
    """The share of the variance that is each of ``PARTS``, and ``play``, all but the deal.

    Standard errors by the jackknife over groups of deals (Efron, "The Jackknife, the Bootstrap and Other Resampling
    Plans", 1982).
    """

    def parts(some: Margins) -> NDArray[np.float64]:
        components = variances(some)
        return np.asarray(np.append(components, components[1:].sum()) / components.sum())

    return dict(zip((*PARTS, "play"), jackknife(parts, margins), strict=True))


def jackknife(statistic: Callable[[Margins], NDArray[np.float64]], margins: Margins) -> list[Estimate]:
    """A statistic of the margins with intervals, by leaving out one group of deals after the other."""
    deals = len(margins)
    groups = min(GROUPS, deals)
    group = np.arange(deals) * groups // deals
    without = np.array([statistic(margins[group != number]) for number in range(groups)])
    values = statistic(margins)
    errors = np.sqrt((groups - 1) * without.var(axis=0))
    half = student(groups - 1) * errors
    return [Estimate(float(v), float(e), float(v - h), float(v + h), deals)
            for v, e, h in zip(values, errors, half, strict=True)]  # fmt: skip


def total_variance(margins: Margins) -> Estimate:
    """The variance of a hand's margin, all parts together."""
    return jackknife(lambda some: np.array([variances(some).sum()]), margins)[0]


# ------------------------------------------------------------------------------------------------ how soon ahead


@dataclass(frozen=True)
class Ahead:
    """A number of games with its interval; ``inf`` where the chance may be a half or less, or beyond ``LARGEST``."""

    games: float
    low: float
    high: float


def games_until_ahead(better: Estimate, certainty: float = 0.95) -> Ahead:
    """The least odd number of games after which a player, who wins each with this probability, is ahead with certainty.

    Raises ``InputError`` for a ``certainty`` that is not above 0.5 and below 1.

    >>> games_until_ahead(Estimate(0.6, 0.0, 0.6, 0.6, 1)).games
    67
    """
    if not 0.5 < certainty < 1:
        raise InputError(f"certainty '{certainty:g}' is not valid (valid: above 0.5 and below 1)")
    return Ahead(*(_games(chance, certainty) for chance in (better.value, better.high, better.low)))


def _games(chance: float, certainty: float) -> float:
    """The least odd number of games, by bisection: the probability to be ahead rises with odd numbers of games."""
    if chance <= 0.5 or chance_ahead(LARGEST + 1, chance) < certainty:
        return math.inf
    low, high = 0, 1
    while chance_ahead(2 * high - 1, chance) < certainty:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance_ahead(2 * middle - 1, chance) >= certainty else (middle, high)
    return 2 * high - 1


def chance_ahead(games: int, chance: float) -> float:
    """The probability of winning more than half of an odd number of games, each with this chance.

    >>> round(chance_ahead(3, 0.5), 3), round(chance_ahead(3, 0.6), 3)
    (0.5, 0.648)
    """
    if chance >= 1:
        return 1.0
    mean, spread = games * chance, math.sqrt(games * chance * (1 - chance))
    if games > 100_000:  # the normal approximation is off by a few in ten thousand
        return 0.5 * math.erfc((games / 2 - mean) / spread / math.sqrt(2))
    first = max(games // 2 + 1, math.floor(mean - 40 * spread))
    most = np.arange(first, games + 1)
    logs = [math.lgamma(games + 1) - math.lgamma(k + 1) - math.lgamma(games - k + 1) for k in most.tolist()]
    terms = np.exp(np.array(logs) + most * math.log(chance) + (games - most) * math.log1p(-chance))
    return float(min(1.0, terms.sum()))
