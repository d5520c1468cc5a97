"""Carrying experiments out: chunks played serially, on threads or on a cluster, and folded in order of their hands."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic, perf_counter
from types import FrameType
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .cluster import SECONDS as FAR_SECONDS
from .cluster import branches, bundled, cluster
from .pace import CHECKPOINT, CHUNK, Even, Pace, chunks
from .thread_pool import TICK, Pool, Threads
from .trials import Trials

Tally = NDArray[np.int64]
T = TypeVar("T")
A = TypeVar("A", bound=Any)
"""What adds up."""


@dataclass(frozen=True)
class Run:
    """An experiment carried out: the tally of the first ``done`` of its hands or games, and why it ended.

    ``stopped`` is the experiment's unit, ``hands`` or ``games`` (all were played), ``precision`` or ``interrupted``.
    """

    experiment: Trials
    tally: Tally
    done: int
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()
    """Trials among those that were not played, each from one number to another, of files put together."""


@contextmanager
def executor(engine: str, threads: int | None, ready: Callable[[], Any] | None = None) -> Iterator[tuple[Pool, int]]:
    """An executor for an engine, and how many chunks to keep under way in it.

    The engine is ``threads``, ``serial``, ``dask`` or ``dask@ADDRESS``, of a scheduler; ``ready`` see ``cluster``.
    """
    kind, _, address = engine.partition("@")
    if kind == "dask":
        with cluster(address, threads, ready) as found:
            yield found
        return
    count = 1 if kind == "serial" else threads or os.cpu_count() or 1
    with Threads(count) as pool:
        yield pool, 1 if kind == "serial" else 2 * count


_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What asks a program to end; there is no SIGHUP everywhere."""


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Gives what asks the program to end to a handler."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, handled in before.items():
            signal.signal(number, handled)


def ending_raises() -> AbstractContextManager[None]:
    """Lets SIGTERM and a closed terminal raise ``KeyboardInterrupt`` as Ctrl-C does, in the first thread."""
    first = threading.current_thread() is threading.main_thread()
    return _handling(signal.default_int_handler) if first else nullcontext()


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Lets Ctrl-C, SIGTERM and a closed terminal only be noted, so that nothing is half done; yields whether one came.

    A second one ends the program as usual. In other threads than the first, which get no signals, nothing comes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        for again in _ENDING:
            signal.signal(again, signal.default_int_handler)

    with _handling(note):
        yield lambda: came


PATIENCE = 1.0
"""Seconds that parts under way may take to end when asked to stop."""


def in_order(
    parts: Iterable[Callable[[], T]], pool: Pool, most: int, stop: Callable[[], bool] = lambda: False
) -> Generator[T, None, None]:
    """What each of some parts of work gives, in their order, with up to ``most`` of them under way at a time.

    When ``stop`` says so, no more are begun; those under way that end within ``PATIENCE`` are given still.
    """
    todo = iter(parts)
    under_way: deque[Future[T]] = deque()
    until: float | None = None

    def cancel() -> None:
        for waiting in under_way:
            waiting.cancel()

    try:
        while True:
            while until is None and len(under_way) < most and (part := next(todo, None)):
                under_way.append(pool.submit(part))
            if not under_way:
                return
            while not wait(list(under_way)[:1], TICK if until is None else max(0.0, until - monotonic())).done:
                if until is not None:
                    return
                pool.check()
                if stop():
                    until = monotonic() + PATIENCE
                    cancel()
            if until is None and stop():
                until = monotonic() + PATIENCE
                cancel()
            first = under_way.popleft()
            if first.cancelled():
                if until is None:
                    raise CancelledError
                return
            yield first.result()
    finally:
        cancel()


def _timed(play: Callable[[int, int], T], first: int, number: int) -> tuple[int, T, float]:
    began = perf_counter()
    result = play(first, number)
    return number, result, perf_counter() - began


def played(
    play: Callable[[int, int], T],
    first: int,
    number: int,
    pace: Pace,
    pool: Pool,
    most: int,
    stop: Callable[[], bool] = lambda: False,
    cut: int = CHECKPOINT,
    together: bool = False,
) -> Generator[tuple[int, T], None, None]:
    """What ``play`` makes of every chunk of trials ``first`` to ``number - 1``, in their order, with its size.

    Sizes follow the time that chunks take; they change nothing in what is added up. No chunk has trials before and
    after a multiple of ``cut``. With ``together`` the pool may add up what several of them come to.
    """
    parts: Iterable[Any] = (partial(_timed, play, *part) for part in chunks(first, number, pace, cut))
    if together and pool.lot > 1:
        parts, most = branches(parts, pool.lot), -(-most // pool.lot)
    results = in_order(parts, pool, most, stop)
    with closing(results):
        for size, result, seconds in results:
            pace.heard(size, seconds)
            yield size, result


def _alone(play: Callable[[int, int], tuple[A, Any]], first: int, number: int) -> tuple[A, list[Any]]:
    tally, kept = play(first, number)
    return tally, [kept]


WITH_ROWS = 4
"""How much smaller chunks are at most where a row of each trial is kept: some of them wait for their turn in memory."""

BUNDLE, FEW = 1 << 10, 1 << 2
"""Chunks that a worker of a cluster plays at a time, at most, and where a row of each trial is sent."""


@dataclass(frozen=True)
class Folded(Generic[A]):
    """What many chunks add up to: the tally of the first ``done`` trials, and why it ended; ``gaps`` see ``Run``."""

    tally: A
    done: int
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()


def fold(
    play: Callable[[int, int], tuple[A, Any]],
    start: Folded[A],
    number: int,
    *,
    first: int = 0,
    unit: str = "hands",
    engine: str = "threads",
    threads: int | None = None,
    chunk: int | None = None,
    most: int = CHUNK,
    enough: Callable[[Folded[A]], bool] | None = None,
    keep: Callable[[Any], None] | None = None,
    progress: Callable[[int], None] | None = None,
    on_growth: Callable[[Folded[A]], None] | None = None,
) -> Folded[A]:
    """Play ``number`` trials from ``first`` on, after those of ``start``, and add up what ``play`` makes of them.

    ``play`` gets the first trial of a chunk and how many. It returns its tally, of any kind that adds up, each time to
    a new value, and whatever ``keep`` is to get, which hears of the chunks in order. Chunks are of ``chunk`` trials, or
    where that is None of about half a second and ``most`` trials. ``unit`` is what ends a fold that was played out.
    Where ``start`` has gaps, or ends at a checkpoint and is enough, nothing is played. The rest is as in ``carry_out``.
    Where chunks are played in other processes ``play`` is pickled.
    """
    if start.gaps:
        return start
    tally, done, stopped = start.tally, start.done, unit

    def is_enough() -> bool:
        at_checkpoint = done > 0 and ((first + done) % CHECKPOINT == 0 or done == number)
        return enough is not None and at_checkpoint and enough(Folded(tally, done, "precision"))

    if is_enough():
        return replace(start, stopped="precision")
    far = engine.startswith("dask") and enough is None and chunk is None
    ready = partial(play, first, 1)
    with interruptible() as interrupted, executor(engine, threads, ready) as (pool, under_way):
        if far:  # more than a chunk at a time, since each takes a message
            pace, cut = Pace((BUNDLE if keep is None else FEW) * most, under_way, FAR_SECONDS), first + number
        else:
            pace, cut = Pace(most, under_way) if chunk is None else Even(chunk), CHECKPOINT
        several = partial(bundled, play, most) if far else partial(_alone, play)
        together = far and keep is None
        results = played(several, first + done, first + number, pace, pool, under_way, interrupted, cut, together)
        for more, (added, kept) in results:
            if keep is not None:
                for part in kept:
                    keep(part)
            tally, done = tally + added, done + more  # a new array: who heard of the old one may keep it
            if on_growth is not None:
                on_growth(Folded(tally, done, "interrupted"))
            if progress is not None:
                progress(more)
            if is_enough():
                stopped = "precision"
                break
        else:
            stopped = unit if done == number else "interrupted"
        results.close()
    return Folded(tally, done, stopped)


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
    on_growth: Callable[[Run], None] | None = None,
) -> Run:
    """Play an experiment's hands or games and return the run.

    The tally is the same for any engine, number of threads and chunk size. ``enough`` is asked at every checkpoint, in
    order, whether the precision is reached. ``keep_rows`` gets each chunk's rows in that order. ``progress`` hears how
    many a chunk added, ``on_growth`` of the run so far. ``resume`` is an earlier run of the same experiment, perhaps of
    fewer, to go on from. Ctrl-C ends the run with the chunks that end soon: those done are those from the first on,
    without a gap.

    Raises ``InputError`` if the rules cannot be played, or ``resume`` is another experiment's.
    """
    experiment.check()
    if resume is not None and resume.experiment.of_number(experiment.number) != experiment:
        raise InputError("the run to resume is of another experiment: rules, policies and seed must be the same")
    start = resume or Run(experiment, np.zeros(experiment.tally_size(), np.int64), 0, "interrupted")

    def run_of(folded: Folded[Tally]) -> Run:
        return Run(experiment, folded.tally, folded.done, folded.stopped, folded.gaps)

    return run_of(
        fold(
            partial(experiment.play, rows=keep_rows is not None),
            Folded(start.tally, start.done, start.stopped, start.gaps),
            experiment.number,
            first=experiment.first,
            unit=experiment.unit,
            engine=engine,
            threads=threads,
            chunk=chunk,
            most=experiment.chunk if keep_rows is None else max(1, experiment.chunk // WITH_ROWS),
            enough=None if enough is None else lambda folded: enough(run_of(folded)),
            keep=keep_rows,
            progress=progress,
            on_growth=None if on_growth is None else lambda folded: on_growth(run_of(folded)),
        )
    )
