"""Numbers as readers see them, in English digits; ``core.locale`` writes them as another language does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.messages import Message

UNKNOWN = "-"
"""An error that a single hand does not tell, and the end of an interval that is not known."""


def format_percent(p: float) -> str:
    """A proportion in percent with three figures, more where it is nearly 1, two where it is tiny.

    >>> [format_percent(p) for p in (0, 1.234e-9, 0.00951, 0.0643, 0.105973, 0.5, 0.994673, 0.99998, 1)]
    ['0%', '0.00000012%', '0.951%', '6.43%', '10.6%', '50%', '99.47%', '99.998%', '100%']
    """
    if p in (0, 1):
        return f"{100 * p:.0f}%"
    scale = min(p, 10 * (1 - p))
    places = max(0, 2 - (p < 1e-6) - math.floor(math.log10(100 * scale)))
    text = f"{100 * p:.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def one_in(p: float | Fraction) -> Message:
    """A probability as odds with three figures: ``1 in 14.3``; ``never`` and ``always`` at the ends.

    Raises ``ValueError`` for a number that is no probability.

    >>> one_in(Fraction(47, 4940)), one_in(0.5), one_in(1 / 9880), one_in(0), one_in(Fraction(2469, 2470))
    ('1 in 105', '1 in 2', '1 in 9,880', 'never', '2,469 in 2,470')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is not a probability (valid: 0 to 1)")
    if p in (0, 1):
        return Message("always") if p else Message("never")
    trials = float(f"{1 / float(p):.3g}")
    if trials == 1:
        return _most(p)
    return Message("1 in {trials:,.0f}", trials) if trials >= 100 else Message("1 in {trials:g}", trials)


def odds_words(p: float, exact: bool = False) -> Message:
    """A probability as odds; an estimate is never ``always`` or ``never``.

    >>> odds_words(0.0643), odds_words(0.9), odds_words(0), odds_words(1), odds_words(1, exact=True)
    ('1 in 15.6', '9 in 10', 'none seen', 'all seen', 'always')
    """
    if p in (0, 1) and not exact:
        return Message("all seen") if p else Message("none seen")
    return _most(p) if 0.75 <= p < 1 else one_in(p)


def _most(p: float | Fraction) -> Message:
    """A large probability as odds: so many in one more.

    >>> _most(0.9), _most(19 / 22), _most(1 - 1 / 613_000)
    ('9 in 10', 'about 6 in 7', '612,999 in 613,000')
    """
    every = 1 / (1 - float(p))
    trials = round(float(f"{every:.3g}"))
    near = abs(every - trials) < 0.01 * every
    return Message("{n:,} in {all:,}" if near else "about {n:,} in {all:,}", trials - 1, trials)


def points(mean: float) -> str:
    """A mean of points: two decimals, two figures below a tenth.

    >>> points(4.110563), points(0.0468), points(0)
    ('4.11', '0.047', '0')
    """
    return f"{mean:.2g}" if abs(mean) < 0.095 else f"{mean:.2f}"


def effect(row: Mapping[str, Any], scale: float = 1, unit: str = "", places: int | None = None) -> str:
    """A difference with half its interval, as ``+0.03 ± 0.01``; ``0`` where there can be none, ``none seen``.

    ``places`` are the decimals, those of its own interval if None.

    >>> effect({"estimate": 0.178, "std_error": 0.08, "ci_low": 0.015, "ci_high": 0.341})
    '+0.18 ± 0.16'
    """
    half = half_width(row, scale)
    if row["estimate"] == row["std_error"] == 0 < half:
        return "none seen"
    if not 0 < half < math.inf:
        return f"{scale * row['estimate']:+.3g}{unit}{' ± ?' if half else ''}" if row["estimate"] else "0"
    text = level(row, scale, unit, places)
    return text if text[0] == "-" or not float(text.split(" ")[0]) else f"+{text}"


def level(row: Mapping[str, Any], scale: float = 1, unit: str = "", places: int | None = None) -> str:
    """An estimate with half its interval, as ``19.034 ± 0.011``; ``places`` as in ``effect``.

    >>> level({"estimate": 0.4496, "ci_low": 0.4487, "ci_high": 0.4506})
    '0.4496 ± 0.0010'
    """
    value, half = scale * row["estimate"], half_width(row, scale)
    if not 0 < half < math.inf:
        return fixed(value, places) + unit + (" ± ?" if half else "")
    places = _places(row, scale) if places is None else places
    return f"{fixed(value, places)} ± {fixed(max(half, 10.0**-places), places)}{unit}"


def fixed(value: float, places: int | None) -> str:
    """A number with so many decimals, without a sign where it is 0; with six figures if ``places`` is None."""
    return f"{value:.6g}" if places is None else f"{round(value, places) + 0.0:.{places}f}"


def column_places(rows: Sequence[Mapping[str, Any]], scale: float = 1) -> int:
    """The decimals that the numbers of a column have in common.

    They are those of the widest interval, unless it is four times as wide as the median one; one more where an
    estimate that is clearly not 0 would become 0. Without intervals the largest number has six figures, and the
    smallest three.

    >>> narrow = {"estimate": 0.0174, "ci_low": 0.0170, "ci_high": 0.0178}
    >>> column_places([narrow, {"estimate": -1.533, "ci_low": -1.6, "ci_high": -1.466}]), column_places([narrow])
    (2, 4)
    >>> column_places([{"estimate": p, "ci_low": p, "ci_high": p} for p in (0.0953441, 0.253711, 0.5)], 100)
    4
    """
    clear = (row for row in rows if row["ci_low"] is None or row["ci_low"] > 0 or row["ci_high"] < 0)
    sizes = [scale * abs(row["estimate"]) for row in clear if row["estimate"]] or [1.0]
    if wide := [row for row in rows if 0 < half_width(row) < math.inf]:
        halves = sorted(half_width(row, scale) for row in wide)
        places = _decimals(max(half for half in halves if half <= 4 * halves[len(halves) // 2]))
        return max(places, min(places + 1, -_power(min(sizes))))
    written = max(len(f"{float(f'{size:.6g}'):.9f}".rstrip("0").partition(".")[2]) for size in sizes)
    return min(written, max(0, 5 - _power(max(sizes)), 2 - _power(min(sizes))))


TWO_FIGURES = 3.55
"""An error whose figures are below is written with two of them, others with one, as physicists do: the last figure of
an estimate is worth between a thirtieth and a third of its error."""


def half_width(row: Mapping[str, Any], scale: float = 1) -> float:
    """Half the interval of an estimate, 0 where it has none."""
    return 0.0 if row["ci_low"] is None else float(scale * (row["ci_high"] - row["ci_low"]) / 2)


def _power(number: float) -> int:
    """The power of ten of the first figure of a number."""
    return math.floor(math.log10(number * 1.0000001))


def _decimals(half: float) -> int:
    """The decimals of half an interval."""
    return min(9, max(0, -_power(half) + (half < TWO_FIGURES * 10.0 ** _power(half))))


def _places(row: Mapping[str, Any], scale: float = 1) -> int:
    """Decimals of an estimate and of half its interval: one rule for levels and differences.

    There are more where with fewer an interval that leaves out 0 would seem to hold it.

    >>> _places({"estimate": 1.5, "ci_low": 0.4, "ci_high": 2.6})
    1
    >>> _places({"estimate": 0.094, "ci_low": 0.002, "ci_high": 0.186})
    3
    """
    value, half = scale * abs(row["estimate"]), half_width(row, scale)
    places = _decimals(half)
    leaves_out = row["ci_low"] > 0 or row["ci_high"] < 0
    while leaves_out and half < value and places < 9 and round(value, places) <= round(half, places):
        places += 1
    return places
