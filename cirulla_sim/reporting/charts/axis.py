"""Axes of numbers: their ends, and round marks along them, as many as fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from .look import Look
from .sheet import text_width

_STEPS = (1, 2, 2.5, 5, 10)
_APART = 0.09
"""Inches between the texts of two marks."""


class Scale(NamedTuple):
    """An axis from ``low`` to ``high`` with marks and their texts."""

    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    log: bool

    def part(self, value: float) -> float:
        """Where a value is, 0 at the low end and 1 at the high end, or the end that it is beyond."""
        value = min(self.high, max(self.low, value))
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def set_on(self, axes: Axes) -> None:
        """Give axes this axis across, with light lines."""
        if self.log:
            axes.set_xscale("log", nonpositive="clip")
        axes.set_xlim(self.low, self.high)
        axes.xaxis.set_major_locator(FixedLocator(self.ticks))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(self.ticks, self.texts)
        axes.grid(axis="x")


def scale_of(
    low: float, high: float, wide: float, look: Look, unit: str = "", log: bool = False, whole: bool = False
) -> Scale:  # fmt: skip
    """An axis between two ends that is ``wide`` inches long, with as many marks as fit; of ``whole`` numbers or any."""
    write, bare = written(look, unit), Scale(low, high, (), (), log)

    def fits(marks: Sequence[float]) -> bool:
        places = [wide * bare.part(mark) for mark in marks]
        halves = [text_width(write(mark), look.type.small) / 2 for mark in marks]
        return all(
            right - left >= one + other + _APART
            for (left, right), (one, other) in zip(pairwise(places), pairwise(halves), strict=True)
        )

    ticks = next(marks for marks in _candidates(low, high, log, whole) if marks and fits(marks))
    return bare._replace(ticks=ticks, texts=tuple(map(write, ticks)))


def _candidates(low: float, high: float, log: bool, whole: bool) -> Iterator[tuple[float, ...]]:
    """Sets of marks between two ends, the densest first."""
    sets: list[tuple[float, ...]] = []
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        every = [(1, (1, 2, 5)), (1, (1, 3)), *((skip, (1,)) for skip in (1, 2, 3, 5, 9))]
        sets = [tuple(float(f"{step}e{power}") for power in powers[::skip] for step in steps) for skip, steps in every]
    elif whole:  # every number where there is room
        sets = [tuple(range(step * math.ceil(low / step), math.floor(high) + 1, step))
                for step in (m * 10**e for e in range(6) for m in (1, 2, 5))]  # fmt: skip
    else:
        sets = [tuple(MaxNLocator(most, steps=_STEPS).tick_values(low, high)) for most in (6, 5, 4, 3, 2, 1)]
    edge = 1e-9 * (high - low)
    inner = [tuple(float(f"{mark:.10g}") for mark in marks if low - edge <= mark <= high + edge) for marks in sets]
    yield from inner
    yield from ((marks[0], marks[-1]) for marks in inner if len(marks) > 1)
    yield from (marks[:1] for marks in inner)
    yield (low,)


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
