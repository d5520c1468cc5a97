"""Trials played without a request: what they add up to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cirulla_sim.engine.engines import Engine, Folded, Run, fold
from cirulla_sim.engine.trials import Trials

THREADS = Engine()


def play_trials(
    trials: Trials, engine: Engine = THREADS, resume: Run | None = None, keep: Callable[[Any], None] | None = None,
    on_growth: Callable[[Folded[Any]], None] | None = None,
) -> Run:  # fmt: skip
    """The run of all trials, after those of ``resume``; ``keep`` and ``on_growth`` are those of ``fold``."""
    trials.check()
    start: Folded[Any] = Folded(np.zeros(trials.tally_size(), np.int64), 0, "interrupted")
    if resume is not None:
        start = Folded(resume.tally, resume.done, resume.stopped, resume.gaps)
    end = fold(partial(trials.play, rows=keep is not None), start, trials, engine, keep=keep, on_growth=on_growth)
    return Run(trials, end.tally, end.done, end.stopped, end.gaps)
