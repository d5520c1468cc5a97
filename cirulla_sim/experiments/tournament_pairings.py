"""Every policy against every other on the same deals with sides exchanged: playing all pairings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ..core.signals import noted
from ..engine.chunks import play_chunk
from ..engine.engines import executor, in_order
from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules
from ..stats.sequential import Sequential, looks
from .duplicate import Scores, arrangements, margins, pairings, play, width
from .runner import Execution
from .tournament_plan import Pair, Plan, Played

PART_SECONDS = 0.05
"""How long a part of the work should take: so soon is Ctrl-C noticed."""

LONGER = 8
"""How many times as long a hand takes with luck-adjusted margins, more or less."""

FEWEST = 2
"""Deals of every pairing that a table requires."""

_MEASURED_SECONDS = 0.1


def seconds_a_hand(rules: Rules, policy: str) -> float:
    """Processor time of a hand in which every side plays a policy: measured, so never twice the same."""
    experiment, hands = Experiment(rules, (policy,)), 1
    play_chunk(experiment, 0, 1)
    while True:
        start = time.thread_time()
        play_chunk(experiment, 0, hands)
        spent = time.thread_time() - start
        if spent >= _MEASURED_SECONDS:
            return spent / hands
        hands *= 2 if spent > _MEASURED_SECONDS / 8 else 8


def play_all(
    plan: Plan,
    costs: Mapping[str, float],
    execution: Execution,
    earlier: Mapping[Pair, Scores] | None = None,
    on_growth: Callable[[Played], None] = lambda played: None,
) -> Played:
    """Play all pairings on the same deals; the same scores for any engine and number of threads.

    ``costs``, seconds a hand by policy, only set how much a thread gets at once. ``earlier`` are the scores of the
    first deals of each pairing: those are not played again, and a test looks at them as if they just had been. Ctrl-C
    ends it: the deals that all pairings have played stay, and all ``earlier`` ones.

    Raises ``KeyboardInterrupt`` if a pairing then has fewer than two.
    """
    pairs = _Pairings(plan, earlier or {})
    far = 40 if execution.engine.startswith("dask") else 1  # times as much where each part takes a message
    seconds = max(costs.values()) * (LONGER if plan.luck else 1)
    size = max(1, min(far << 14, int(far * PART_SECONDS / seconds)))
    ready, at = partial(play, plan.experiment(plan.policies[:1]), 0, 1, plan.luck), 0
    with (
        noted() as interrupted,
        executor(execution.engine, execution.threads, ready, interrupted) as (pool, most),
        execution.progress_bar(*pairs.progress, "hands") as bar,
    ):
        for until in (plan.hands,) if plan.test is None else looks(plan.hands):
            parts, ended = list(pairs.parts(at, until, size)), 0
            for ended, scores in enumerate(in_order(map(pairs.work, parts), pool, most, interrupted), 1):
                part = parts[ended - 1]
                pairs.scores[part.pair][part.first : part.end, part.arrangement] = scores
                bar(part.end - part.first)
                if ended < len(parts) and (state := pairs.up_to(parts[ended].start)).least >= FEWEST:
                    on_growth(state)
            if ended < len(parts):
                if (state := pairs.up_to(parts[ended].start)).least < FEWEST:
                    raise KeyboardInterrupt
                return state
            if plan.test is not None:
                bar(pairs.look(plan.test, at, until))
            at = until
            if not pairs.live:
                break
    return replace(pairs.up_to(at), stopped="hands" if pairs.live else "decided")


class _Part(NamedTuple):
    """A part of the work: deals ``first`` to ``end - 1`` in one arrangement of a pairing.

    Before it, all pairings have played the deals up to ``start``.
    """

    pair: Pair
    arrangement: int
    start: int
    first: int
    end: int


class _Pairings:
    """All pairings as they are played."""

    def __init__(self, plan: Plan, earlier: Mapping[Pair, Scores]) -> None:
        self.plan = plan
        self.live = pairings(plan.policies)
        self.scores: dict[Pair, Scores] = {}
        self._seats = {pair: arrangements(plan.rules.sides, *pair) for pair in self.live}
        self._earlier = {pair: len(earlier.get(pair, ())) for pair in self.live}
        self._decided_at: dict[Pair, int] = {}
        self._verdicts: dict[Pair, str | None] = dict.fromkeys(self.live)
        self._sums = dict.fromkeys(self.live, (0, 0))
        for pair, seats in self._seats.items():
            shape = (plan.hands, len(seats), width(plan.rules.sides, plan.luck))
            self.scores[pair] = np.zeros(shape, plan.score_type)
            self.scores[pair][: self._earlier[pair]] = earlier.get(pair, 0)

    @property
    def progress(self) -> tuple[int, int]:
        """How many hands there are to play, and how many are there already."""
        return (
            sum(len(seats) * self.plan.hands for seats in self._seats.values()),
            sum(len(seats) * self._earlier[pair] for pair, seats in self._seats.items()),
        )

    def parts(self, at: int, until: int, size: int) -> Iterator[_Part]:
        """The parts of deals ``at`` to ``until - 1`` that are still to be played."""
        for start in range(at, until, size):
            end = min(start + size, until)
            for pair in self.live:
                if self._earlier[pair] < end:
                    for arrangement in range(len(self._seats[pair])):
                        yield _Part(pair, arrangement, start, max(start, self._earlier[pair]), end)

    def work(self, part: _Part) -> Callable[[], Scores]:
        """What plays a part."""
        experiment = self.plan.experiment(self._seats[part.pair][part.arrangement])
        return partial(play, experiment, self.plan.first + part.first, part.end - part.first, self.plan.luck)

    def up_to(self, deal: int) -> Played:
        """The deals before one that all pairings have played, and the earlier ones."""
        scores = {
            pair: own[: self._decided_at.get(pair, max(deal, self._earlier[pair]))] for pair, own in self.scores.items()
        }
        return Played(scores, dict(self._verdicts), "interrupted")

    def look(self, test: Sequential, at: int, until: int) -> int:
        """Test each pairing with the deals from ``at`` to ``until`` added; how many hands need not be played now."""
        spared = 0
        for pair in tuple(self.live):
            numbers, unit = margins(self.scores[pair][at:until])
            total, squares = self._sums[pair]
            total, squares = total + int(numbers.sum()), squares + int(numbers @ numbers)
            self._sums[pair] = total, squares
            self._verdicts[pair] = test.verdict(until, total * unit / until, squares * unit**2 / until)
            if self._verdicts[pair] is not None:
                self.live.remove(pair)
                self._decided_at[pair] = until
                spared += (self.plan.hands - max(until, self._earlier[pair])) * len(self._seats[pair])
        return spared
