"""Axes of numbers: their ends, and round marks along them, as many as fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .look import Look
from .measure import text_width

_STEPS = (1, 2, 2.5, 5, 10)
_APART = 0.09
"""Inches between the texts of two marks."""


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high`` with marks, and perhaps a line of reference."""

    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    log: bool
    reference: float | None
    look: Look

    def part(self, value: float) -> float:
        """Where a value is, 0 at the low end and 1 at the high end."""
        if self.log:
            return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)

    def within(self, value: float) -> float:
        """A value, or the end that it is beyond."""
        return min(self.high, max(self.low, value))

    def set_on(self, axes: Axes) -> None:
        """Give axes this axis across."""
        if self.log:
            axes.set_xscale("log", nonpositive="clip")
        axes.set_xlim(self.low, self.high)
        axes.xaxis.set_major_locator(FixedLocator(self.ticks))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(self.ticks, self.texts)
        axes.grid(axis="x")
        if self.reference is not None:
            axes.axvline(
                self.reference, color=self.look.colours.muted, linewidth=0.9 * self.look.scale, zorder=0.6,
                gid="reference-line",
            )  # fmt: skip


def scale_of(
    intervals: Sequence[tuple[float, float, float]], wide: float, look: Look, *, unit: str = "", log: bool = False,
    from_zero: bool = False, reference: float | None = None, whole: bool = False,
) -> Scale:  # fmt: skip
    """The axis of some intervals (low, estimate, high) that is ``wide`` inches long; from 0 to 1 if ``whole``."""
    if whole:
        low, high, unit = 0.0, 1.0, "share"
    elif log:
        low, high = _log_ends(intervals)
    else:
        low, high = _ends(intervals, from_zero, reference)
    write = _written(look, unit)

    def room(marks: Sequence[float]) -> bool:
        texts = [write(mark) for mark in marks]
        places = [wide * _part(mark, low, high, log) for mark in marks]
        halves = [text_width(text, look.type.small) / 2 for text in texts]
        return all(
            right - left >= one + other + _APART
            for left, right, one, other in zip(places, places[1:], halves, halves[1:], strict=False)
        )

    ticks = next((marks for marks in _candidates(low, high, log) if marks and room(marks)), (low,) if log else (0.0,))
    ticks = tuple(mark for mark in ticks if low <= mark <= high)
    return Scale(low, high, ticks, tuple(map(write, ticks)), log, reference, look)


def _part(value: float, low: float, high: float, log: bool) -> float:
    return (math.log(value / low) / math.log(high / low)) if log else (value - low) / (high - low)


def _candidates(low: float, high: float, log: bool) -> list[tuple[float, ...]]:
    """Sets of marks between two ends, the densest first."""
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        every = [
            [float(f"{step}e{power}") for power in powers[::skip] for step in steps]
            for skip, steps in ((1, (1, 2, 5)), (1, (1, 3)), (1, (1,)), (2, (1,)), (3, (1,)), (5, (1,)), (9, (1,)))
        ]
        return [tuple(mark for mark in marks if low * 0.999 <= mark <= high * 1.001) for marks in every]
    sets = [MaxNLocator(most, steps=_STEPS).tick_values(low, high) for most in (6, 5, 4, 3, 2, 1)]
    edge = 1e-9 * (high - low)
    inner = [tuple(float(f"{mark:.10g}") for mark in marks if low - edge <= mark <= high + edge) for marks in sets]
    return [*inner, *((marks[0], marks[-1]) for marks in inner if len(marks) > 1), *((marks[:1]) for marks in inner)]


def _ends(
    intervals: Sequence[tuple[float, float, float]], from_zero: bool, reference: float | None
) -> tuple[float, float]:  # fmt: skip
    """Ends with all estimates and whiskers between them; what was never seen does not make the axis longer.

    What was not seen at all may have an interval that would hide the rest: it is cut at the ends.
    """
    seen = [interval for interval in intervals if interval[1]] or list(intervals)
    ends = [end for interval in seen for end in interval if math.isfinite(end)]
    ends += [0.0] if from_zero else []
    ends += [] if reference is None else [reference]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    edge = 0.05 * (high - low) or abs(high) or 1.0
    left = low if from_zero and low == 0 else low - edge
    return left, high + edge


def _log_ends(intervals: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Ends 1, 2 or 5 times a power of ten with all marks between them; whiskers from 0 begin at the left end."""
    seen = [interval for interval in intervals if interval[1] > 0]
    least = min((min(at, low) if low > 0 else at for low, at, _ in seen), default=0.1)
    most = max((high for *_, high in seen), default=1.0)
    ends = [m * 10.0**e for e in range(-40, 9) for m in (1, 2, 5)]
    return max(m for m in ends if m < least * 0.95), min(m for m in ends if m > most * 1.05)


def _written(look: Look, unit: str) -> Callable[[float], str]:
    factor, sign = (100, "%") if unit == "share" else (1, unit)
    return lambda x: look.numerals(f"{factor * x:,.10g}").replace("-", "−") + sign


def grid_of_numbers(axes: Axes, look: Look, unit: str = "", most: int = 6) -> None:
    """Round marks along the vertical axis with light lines, so many that they fit, written in the figure's language.

    The unit ``share`` shows shares of 1 in percent.
    """
    axes.yaxis.set_major_locator(MaxNLocator(min(most, 4) if look.narrow else most, steps=list(_STEPS)))
    write = _written(look, unit)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda x, _: write(x)))
    axes.grid(axis="y")
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)
