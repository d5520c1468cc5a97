"""Carrying experiments out: chunks played serially, on threads or on a cluster, and folded in order of their hands."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .experiment import CHECKPOINT, Trials, chunks

Tally = NDArray[np.int64]


@dataclass(frozen=True)
class Run:
    """An experiment carried out: the tally of its first ``done`` hands or games, and why it ended.

    ``stopped`` is the experiment's unit, ``hands`` or ``games`` (all were played), ``precision`` or ``interrupted``.
    """

    experiment: Trials
    tally: Tally
    done: int
    stopped: str


class _Now(Executor):
    """An executor that does what it is given at once, in this thread."""

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future = Future()  # type: ignore[type-arg]
        future.set_result(function(*args, **kwargs))
        return future


@contextmanager
def executor(engine: str, threads: int | None) -> Iterator[tuple[Executor, int]]:
    """An executor for an engine, and how many chunks to keep under way in it."""
    if engine == "serial":
        yield _Now(), 1
        return
    if engine == "dask":
        try:
            from distributed import Client
        except ImportError:
            raise InputError("engine 'dask' needs the extra 'cluster': install cirulla-sim[cluster]") from None
        # A scheduler named in the environment (DASK_SCHEDULER_ADDRESS) is used; else processes on this machine.
        local = {} if os.environ.get("DASK_SCHEDULER_ADDRESS") else {"n_workers": threads, "threads_per_worker": 1}
        with Client(**local) as client:  # type: ignore[no-untyped-call]
            yield client.get_executor(pure=False), 2 * max(1, sum(client.ncores().values()))
        return
    count = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(count) as pool:
        yield pool, 2 * count


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Lets Ctrl-C and SIGTERM only be noted, so that nothing is ever half done; yields whether one has come.

    A second one ends the program as usual. In other threads than the first, which get no signals, nothing comes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    came = False
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    try:
        for number in before:
            signal.signal(number, note)
        yield lambda: came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def carry_out(
    experiment: Trials,
    *,
    engine: str = "threads",
    threads: int | None = None,
    chunk: int | None = None,
    enough: Callable[[Run], bool] | None = None,
    keep_rows: Callable[[NDArray[Any]], None] | None = None,
    progress: Callable[[int], None] | None = None,
    resume: Run | None = None,
) -> Run:
    """Play an experiment's hands or games and return the run.

    The tally is the same for any engine, number of threads and chunk size. ``enough`` is asked at every checkpoint, in
    order, whether the precision is reached. ``keep_rows`` gets each chunk's rows in that order. ``progress`` hears how
    many a chunk added. ``resume`` is an earlier run of the same experiment, perhaps of fewer, to go on from. Ctrl-C
    ends the run after the chunk being folded: those done are those from the first on, without a gap.

    Raises ``InputError`` if the rules cannot be played, or ``resume`` is another experiment's.
    """
    experiment.check()
    if resume is not None and resume.experiment.of_number(experiment.number) != experiment:
        raise InputError("the run to resume is of another experiment: rules, policies and seed must be the same")
    start = resume or Run(experiment, np.zeros(experiment.tally_size(), np.int64), 0, "interrupted")
    if start.stopped == "precision" and enough is not None and enough(start):
        return replace(start, experiment=experiment)
    tally, done, stopped = start.tally.copy(), start.done, experiment.unit
    todo = chunks(done, experiment.number, chunk or experiment.chunk)
    under_way: deque[tuple[int, Future]] = deque()  # type: ignore[type-arg]
    with interruptible() as interrupted, executor(engine, threads) as (pool, most):
        while True:
            while len(under_way) < most and (next_chunk := next(todo, None)):
                first, number = next_chunk
                under_way.append((number, pool.submit(experiment.play, first, number, keep_rows is not None)))
            if not under_way:
                break
            number, part = under_way.popleft()
            result = part.result()
            if interrupted():
                stopped = "interrupted"
                break
            added, rows = result
            if keep_rows is not None:
                keep_rows(rows)
            tally += added
            done += number
            if progress is not None:
                progress(number)
            at_checkpoint = done % CHECKPOINT == 0 or done == experiment.number
            if enough is not None and at_checkpoint and enough(Run(experiment, tally, done, "precision")):
                stopped = "precision"
                break
        for _, part in under_way:
            part.cancel()
    return Run(experiment, tally, done, stopped)
