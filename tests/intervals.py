"""Checks of the intervals of a few hundred small runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

RUNS = 300


def check_intervals(rows: Iterable[dict[str, Any]], truth: float, what: object, least: float = 0.906) -> None:
    """Check that 95% of the intervals cover the truth, and that estimates vary as their standard errors state.

    In 300 runs a coverage of 95% has a standard error of 1.26% and the ratio of standard deviations one of 4.1%; 3.5 of
    them are allowed. Standard errors a fifth too small or a quarter too large are detected in 95 of 100 cases. With a
    lower ``least``, for events that some runs do not see, only coverage is checked.
    """
    rows = list(rows)
    covered = np.mean([row["ci_low"] <= truth <= row["ci_high"] for row in rows])
    assert least <= covered, (what, covered)
    if least >= 0.9:
        stated = np.sqrt(np.mean([row["std_error"] ** 2 for row in rows]))
        ratio = np.std([row["estimate"] for row in rows], ddof=1) / stated
        assert covered <= 0.99, (what, covered)
        assert 0.856 <= ratio <= 1.144, (what, ratio)
