"""Numbers as readers are shown them, in English digits; a ``Language`` turns them into its own."""

from __future__ import annotations

import math

from ...core.numerals import one_in


def percent(p: float) -> str:
    """A proportion in percent with three figures, more where all but a few are, two where few are seen.

    >>> [percent(p) for p in (0, 1.234e-9, 0.00951, 0.0643, 0.105973, 0.5, 0.994673, 0.99998, 1)]
    ['0%', '1.2e-07%', '0.951%', '6.43%', '10.6%', '50%', '99.47%', '99.998%', '100%']
    """
    if p in (0, 1):
        return f"{100 * p:.0f}%"
    if p < 1e-6:
        return f"{100 * p:.1e}%"
    scale = min(p, 10 * (1 - p))
    places = max(0, 2 - math.floor(math.log10(100 * scale)))
    text = f"{100 * p:.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def odds_words(p: float, exact: bool = False) -> str:
    """A probability as odds; one that was counted in a sample is never said to be certain.

    >>> odds_words(0.0643), odds_words(0.9), odds_words(0), odds_words(1), odds_words(1, exact=True)
    ('1 in 15.6', 'all but 1 in 10', 'none seen', 'all seen', 'always')
    """
    if p in (0, 1) and not exact:
        return "all seen" if p else "none seen"
    return f"all but {one_in(round(1 - p, 12))}" if 0.75 <= p < 1 else one_in(p)


def points(mean: float) -> str:
    """A mean of points: two decimals, two figures below a tenth.

    >>> points(4.110563), points(0.0468), points(0)
    ('4.11', '0.047', '0')
    """
    return f"{mean:.2g}" if abs(mean) < 0.095 else f"{mean:.2f}"
