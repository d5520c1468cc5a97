"""What a hand's margin is made of: where it started, luck, errors, and how the cards lay.

Wherever a hand stood it was worth what it is expected to bring, with all cards known that are dealt, the others dealt
anew, and everybody playing on as ``careful``. Dealing the table and each stage changes that by luck, of knocks and of
cards. Plays change it, too: by what they lose against the best that their seats could have known, which are the errors,
and for the rest by how the cards lay that they did not see. Numbers are whole hundredths and add up to the margin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..engine.chunks import play_chunk, row_names
from ..engine.hand_record import Record, word_of
from ..engine.luck_adjustment import PastHand, stage_worths
from ..engine.policies import USUAL
from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules
from ..stats.estimates import Estimate
from .decision_points import Turn
from .rollouts import estimate, margins_of

PARTS = ("start", "cards", "knocks", "own_errors", "others_errors", "cards_lay")
"""What a margin is the sum of: what sitting there is worth; the luck of cards and of knocks dealt, against the mean;
what your own side lost; what the others did, each other side's share of it; all else that plays changed."""

STARTS, SEED = 20_000, 0x5EA7
"""Hands by which the start is valued, and their seed."""

TIMES, MOST = 4, 1 << 16
"""Playouts wherever a stage was dealt, for each sample of a play, and the most: they cost less than a play's."""

Margins = NDArray[np.float64]


@cache
def _starts(rules: Rules) -> Margins:
    """float64[STARTS, sides]: the margins of hands in which everybody plays as ``USUAL``."""
    _, rows = play_chunk(Experiment(rules, (USUAL,), STARTS, SEED), 0, STARTS, rows=True)
    names = row_names(rules)
    return margins_of(rows[:, [names.index(f"side{side}_total") for side in range(rules.sides)]])


@cache
def start_worths(rules: Rules) -> tuple[Estimate, ...]:
    """The mean margin of each side over all hands, everybody playing as ``USUAL``."""
    return tuple(estimate(_starts(rules)[:, side]) for side in range(rules.sides))


def past_hand(rules: Rules, record: Record, played: Sequence[Turn]) -> PastHand:
    """The hand of a record as the kernel replays it."""
    stages = record["stages"]
    dealt = (record["table"], *(held for stage in stages for held in stage["hands"]))
    deck = [card for held in dealt for card in held]
    knocks, slot = np.zeros((6, 4), np.uint64), 0
    for stage, size in zip(stages, rules.deal_plan, strict=True):
        shown = [0] * rules.players
        for play in stage["plays"]:
            if knock := play["knock"]:
                knocks[slot + shown[play["seat"]], play["seat"]] = word_of(knock)
                shown[play["seat"]] += 1
        slot += size // 3
    bonus = record["table_bonus"]
    return PastHand(
        np.array([cards.parse(card) for card in deck], np.uint8),
        np.array([turn.play for turn in played], np.uint64), knocks, bonus["points"] if bonus else 0,
    )  # fmt: skip


def balances(
    rules: Rules, record: Record, played: Sequence[Turn], judged: Sequence[Mapping[str, Any]], samples: int, seed: int
) -> list[Record]:
    """The balance of each side of a hand whose plays were ``judged`` (see ``coach``), by the ``played`` turns of it.

    Each has ``side``, ``margin``, ``PARTS`` as sums with ``luck_error``, half the width of the 95% interval of start,
    cards and knocks together, and ``events``: the table and the stages, by ``stage`` from 0, each with the parts that
    it has but the start.
    """
    if not played:
        return []
    worths = stage_worths(rules, past_hand(rules, record, played), min(TIMES * samples, MOST), seed)
    points, knocks = margins_of(worths.points), margins_of(worths.knocks)
    totals = margins_of(np.array([[side["total"] for side in record["points"]]]))[0]
    return [
        _of_side(rules, side, float(totals[side]), points[..., side], knocks[..., side], judged)
        for side in range(rules.sides)
    ]


def _of_side(
    rules: Rules, side: int, margin: float, points: Margins, knocks: Margins, judged: Sequence[Mapping[str, Any]]
) -> Record:
    """The balance of a side; ``points`` and ``knocks`` are its margins, float64[stages, 2, samples]."""
    start, means = start_worths(rules)[side], points.mean(axis=2)
    stands = [round(100 * value) for value in (start.value, *means.ravel().tolist(), margin)]
    events = [_event(0, cards=stands[1] - stands[0])]
    for stage in range(len(points)):
        dealt = round(100 * float((knocks[stage, 1] - knocks[stage, 0]).mean()))
        before, after, end = stands[2 * stage + 1 : 2 * stage + 4]
        own, others = _errors(rules, side, stage + 1, judged)
        events.append(
            _event(
                stage + 1, cards=after - before - dealt, knocks=dealt, own_errors=-own, others_errors=others,
                cards_lay=end - after + own - others,
            )
        )  # fmt: skip
    sums = {part: sum(round(100 * event[part]) for event in events) for part in PARTS[1:]}
    errors = [start, *(estimate(points[stage, which]) for stage in range(len(points)) for which in range(2))]
    error = float(np.sqrt(sum(half(each) ** 2 for each in errors)))
    parts = {"start": stands[0]} | sums
    return {
        "side": side, "margin": stands[-1] / 100, **{part: parts[part] / 100 for part in PARTS},
        "luck_error": round(error, 2), "events": events,
    }  # fmt: skip


def total_balance(rules: Rules, balances: Sequence[Record], sat: Sequence[int]) -> Record:
    """Balances of several hands as one, without events; ``sat`` are the sides that they are of.

    What sitting somewhere is worth comes from the same sample in every hand: for somebody who sits everywhere equally
    often nothing is left of it, nor of its error.
    """
    starts = start_worths(rules)
    total = {part: sum(round(100 * hand[part]) for hand in balances) / 100 for part in ("margin", *PARTS)}
    start = half(estimate(_starts(rules) @ np.bincount(sat, minlength=rules.sides)))
    dealt = [hand["luck_error"] ** 2 - half(starts[side]) ** 2 for hand, side in zip(balances, sat, strict=True)]
    error = float(np.sqrt(start**2 + max(0.0, sum(dealt))))
    return total | {"luck_error": round(error, 2)}


def half(interval: Estimate) -> float:
    """Half the width of an interval."""
    return (interval.high - interval.low) / 2


def _event(stage: int, **parts: int) -> dict[str, Any]:
    return {"stage": stage, **{part: parts.get(part, 0) / 100 for part in PARTS[1:]}}


def _errors(rules: Rules, side: int, stage: int, judged: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Hundredths that a side lost in a stage, and its share of what the others did."""
    lost = [(rules.side(play["seat"]) == side, play["loss"]) for play in judged if play["stage"] == stage]
    own = sum(loss for mine, loss in lost if mine)
    others = sum(loss for mine, loss in lost if not mine) / (rules.sides - 1)
    return round(100 * own), round(100 * others)
