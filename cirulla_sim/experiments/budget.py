"""What policies cost, and sizes that make them cost the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from ..core.errors import InputError
from ..engine.chunks import play_chunk
from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules

SIZED = ("search",)
"""Policies that think longer the larger the number after their name, as ``search:64``."""

_MEASURED_SECONDS = 0.1
_LARGEST = 1 << 16


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


def within_budget(rules: Rules, policies: Sequence[str], budget: float) -> tuple[str, ...]:
    """Policies with sizes chosen for a cost in microseconds a play, where they have one and name none.

    Raises ``InputError`` if there are no such policies, or the smallest size costs more.
    """
    if not any(name in SIZED for name in policies):
        named = ", ".join(policies)
        raise InputError(f"--budget '{budget:g}': none of {named} has a size (valid: with {', '.join(SIZED)})")
    plays = rules.players * sum(rules.deal_plan)

    def cost(name: str, size: int) -> float:
        return seconds_a_hand(rules, f"{name}:{size}") * 1e6 / plays

    def fitted(name: str) -> str:
        return f"{name}:{largest_size(partial(cost, name), budget, name)}" if name in SIZED else name

    return tuple(map(fitted, policies))


def largest_size(cost: Callable[[int], float], budget: float, name: str) -> int:
    """The largest power of two whose cost is within the budget, where larger sizes cost more.

    >>> largest_size(lambda size: 3.0 + 2 * size, 20, "search")
    8

    Raises ``InputError`` that names the policy if 1 costs more.
    """
    if (least := cost(1)) > budget:
        raise InputError(f"--budget '{budget:g}' is too small for {name}:1 (valid: {least:.1f} microseconds or more)")
    size = 1
    while size < _LARGEST and cost(2 * size) <= budget:
        size *= 2
    return size
