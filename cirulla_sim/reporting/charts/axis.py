"""Axes of numbers: their ends, and round marks along them, as many as fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from .look import Look
from .sheet import text_width

_APART = 0.09
"""Inches between the texts of two marks."""

_LINEAR = [MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]) for most in (6, 5, 4, 3, 2, 1)]
_WHOLE = [MaxNLocator(most, steps=[1, 2, 5, 10], integer=True) for most in (50, 25, 20, 12, 10, 8, 6, 5, 4, 3, 2, 1)]
_LOG = [LogLocator(subs=subs, numticks=most) for subs, most in (
    ((1, 2, 5), 99), ((1, 3), 99), ((1,), 99), ((1,), 5), ((1,), 3), ((1,), 2),
)]  # fmt: skip
"""Marks, the densest first."""


def set_across(
    axes: Axes, low: float, high: float, wide: float, look: Look, unit: str = "", *, log: bool = False,
    whole: bool = False,
) -> None:  # fmt: skip
    """Give axes that are ``wide`` inches across an axis with as many marks as fit, of ``whole`` numbers or any."""
    write = written(look, unit)
    axes.set_xscale("log" if log else "linear")
    axes.set_xlim(low, high)
    place = axes.xaxis.get_transform().transform
    start, end = place([low, high])
    for locator in _LOG if log else _WHOLE if whole else _LINEAR:
        ticks = [float(f"{tick:.10g}") for tick in locator.tick_values(low, high)]
        ticks = [tick for tick in ticks if low <= tick <= high]
        texts = [write(tick) for tick in ticks]
        places = [wide * (at - start) / (end - start) for at in place(ticks)]
        halves = [text_width(text, look.type.small) / 2 for text in texts]
        around = zip(pairwise(places), pairwise(halves), strict=True)
        if ticks and all(right - left >= one + other + _APART for (left, right), (one, other) in around):
            break
    else:
        ticks, texts = ticks[:1], texts[:1]
    axes.set_xticks(ticks, texts)
    axes.xaxis.set_minor_locator(NullLocator())


def ends_of(
    intervals: Sequence[tuple[float, float, float]], from_zero: bool = False, reference: Sequence[float] = ()
) -> tuple[float, float]:
    """Ends with all intervals (low, estimate, high) between them; what was never seen does not make the axis longer.

    What was not seen at all may have an interval that would hide the rest: it is cut at the ends.
    """
    seen = [interval for interval in intervals if interval[1]] or list(intervals)
    ends = [end for interval in seen for end in interval if math.isfinite(end)] + [0.0] * from_zero + [*reference]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    edge = 0.05 * (high - low) or abs(high) or 1.0
    return low if from_zero and low == 0 else low - edge, high + edge


def log_ends(intervals: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Ends 1, 2 or 5 times a power of ten with all marks between them; whiskers from 0 begin at the left end."""
    seen = [interval for interval in intervals if interval[1] > 0]
    least = min((min(at, low) if low > 0 else at for low, at, _ in seen), default=0.1)
    most = max((high for *_, high in seen if math.isfinite(high)), default=1.0)
    ends = [m * 10.0**e for e in range(-40, 13) for m in (1, 2, 5)]
    return max(m for m in ends if m < least * 0.95), min(m for m in ends if m > most * 1.05)


def written(look: Look, unit: str) -> Callable[[float], str]:
    """How the numbers of an axis are written; the unit ``share`` shows shares of 1 in percent."""
    factor, sign = (100, "%") if unit == "share" else (1, unit)
    return lambda x: look.language.numerals(f"{factor * x:,.10g}").replace("-", "−") + sign
