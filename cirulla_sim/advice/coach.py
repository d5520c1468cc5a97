"""The coach: every turn of a hand record, sets shown and play, against the best one, by what its seat knew.

A choice is judged on deals of the cards that its seat did not see (see ``judge``). The best one is chosen in one
half of the deals and measured in the other, and the other way round: measured where it was chosen it would seem better
than it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.hand_record import HandRecord
from ..experiments.runner import ON_THREADS, Execution
from ..situation.plays import TurnChoice, choice_record
from ..situation.positions import situation_of
from ..stats.estimates import Estimate, student
from .decision_points import turns
from .judge import Problem, column_means, estimate

SAMPLES = 1000
"""The default number of samples a play."""

RATES = {"search:64": 0.03, "careful": 0.07, "greedy": 0.31, "random": 0.86}
"""Points of the margin that each policy loses a choice, as the coach judges it: the mean of two and of four players,
measured on 40 hands of each with 300 samples a play."""


def coach_record(
    record: HandRecord, samples: int = SAMPLES, seed: int = 1, execution: Execution = ON_THREADS
) -> HandRecord:  # fmt: skip
    """The record with ``coach``: what each turn lost against the best, in points of the margin at the end of the hand.

    ``samples`` deals are played out a play, everybody playing on as ``careful``; where all is known the loss is exact.
    ``coach`` has ``samples``, ``plays`` (in order: ``play`` from 1, ``stage`` from 1, ``seat``, ``choices``, ``loss``,
    ``ci_low``, ``ci_high``, ``clear`` and ``best``: the better choice, ``card``, ``captured`` and where a set could be
    shown ``knock``, as in plays, or null, and ``situation``: what its player knew, as ``--at`` reads it) and ``seats``
    (``seat``, ``plays``, ``loss``, ``ci_low``, ``ci_high``, ``choices``, the number of plays that were choices,
    ``rate``, the loss a choice, and ``grade``, see ``RATES``; null of fewer than two). A loss is ``clear`` if it is
    above 0 at a level that keeps the chance of any wrong call in the hand below 5%.
    """
    judged: list[dict[str, Any]] = []
    z = NormalDist().inv_cdf(1 - 0.05 / (40 - 40 % record["players"]))  # as many calls as a hand has plays
    for turn in turns(record):
        now = turn.hand.seen_by()
        problem = Problem((now,), seed=(seed * 1_000_003 + turn.number) % 2**64, chosen=turn.choice)
        loss, best = judge_choice(problem, turn.choice, samples, execution)
        number = len(now.legal)
        judged.append(
            {"play": turn.number, "stage": turn.hand.stage + 1, "seat": now.seat, "choices": number}
            | _numbers(loss)
            | {"clear": loss.value > z * loss.std_error + 1e-9}
            | {
                "best": None if best == turn.choice else choice_record(best, bool(now.sets)),
                "situation": str(situation_of(now)),
            }
        )
    seats = [_of_seat(seat, judged, samples) for seat in range(record["players"])] if judged else []
    return record | {"coach": {"samples": samples, "plays": judged, "seats": seats}}


def judge_choice(
    problem: Problem, chosen: TurnChoice, samples: int, execution: Execution = ON_THREADS
) -> tuple[Estimate, TurnChoice]:
    """What a choice loses against the best of a problem, and which that is."""
    if len(problem.now.legal) == 1:
        return Estimate(0.0, 0.0, 0.0, 0.0, 0), chosen
    advice = problem.judge(samples, execution=execution)
    if advice.stopped == "interrupted":
        raise KeyboardInterrupt
    margin, choices = advice.margins, advice.choices
    best, played = int(np.argmax(column_means(margin))), choices.index(chosen)
    if advice.solution is None:
        return estimate(losses(margin, played)), choices[best]
    loss = margin[:, best] - margin[:, played]
    return estimate(loss), chosen if loss[0] == 0 else choices[best]


def losses(margin: NDArray[np.float64], played: int) -> NDArray[np.float64]:
    """float64[samples]: the best column less the one played, the best being that of the other half of the samples."""
    half = len(margin) // 2
    parts = [(margin[:half], margin[half:]), (margin[half:], margin[:half])]
    return np.concatenate([part[:, np.argmax(column_means(other))] - part[:, played] for part, other in parts])


def _numbers(loss: Estimate) -> dict[str, float]:
    return {"loss": round(loss.value, 6), "ci_low": round(loss.low, 6), "ci_high": round(loss.high, 6)}


def _of_seat(seat: int, judged: Sequence[Mapping[str, Any]], samples: int) -> dict[str, Any]:
    """What a seat lost in some judged plays together, and on average a choice: see ``coach_record``."""
    mine = [play for play in judged if play["seat"] == seat]
    total = math.fsum(play["loss"] for play in mine)
    half = math.hypot(*((play["ci_high"] - play["ci_low"]) / 2 for play in mine))
    loss = Estimate(total, half / student(samples - 1), total - half, total + half, samples)
    mean = rate([({"plays": mine}, seat)])
    choices = sum(play["choices"] > 1 for play in mine)
    graded = {"rate": None, "grade": None} if mean is None else {"rate": _numbers(mean), "grade": grade(mean)}
    return {"seat": seat, "plays": len(mine), **_numbers(loss), "choices": choices, **graded}


def rate(played: Sequence[tuple[Mapping[str, Any], int]]) -> Estimate | None:
    """What a player lost a choice over some hands, each with what the coach says of it and the player's seat.

    The interval is that of the mean over such choices: plays that were forced do not count. None of fewer than two.
    """
    plays = [play for coach, seat in played for play in coach["plays"] if play["seat"] == seat]
    lost = [play["loss"] for play in plays if play["choices"] > 1]
    return estimate(np.array(lost)) if len(lost) > 1 else None


def grade(interval: Estimate) -> str:
    """Whose rates an interval is nearest to: one policy's, or of the best and of the worst.

    >>> grade(Estimate(0.0, 0.01, -0.02, 0.02, 50)), grade(Estimate(0.5, 0.2, 0.1, 0.9, 50))
    ('search:64', 'careful to random')
    """
    ends = [min(RATES, key=lambda policy: abs(RATES[policy] - end)) for end in (interval.low, interval.high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)
