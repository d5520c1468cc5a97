"""Engines: chunks of trials played serially, on threads or on a cluster, and added up in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic, perf_counter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.signals import note_signals
from ..stats.sequential import looks
from .chunks import CHUNK
from .thread_pool import TICK, DaemonThreads, Pool
from .trials import Numbered, Trials

SECONDS = 0.5
"""Seconds that a chunk should take: the delay of Ctrl-C, and of threads that wait for the last chunk."""

FIRST, FASTER = 1, 8
"""Hands in the first chunks, before their time is measured, and how much larger the next chunk may be."""

FINEST = 32
"""The smallest of the last chunks is this fraction of the usual size: submitting one takes time too."""


class Pace:
    """The size of the next chunk: the hands that take ``seconds`` at the speed so far, ``most`` at most.

    ``under_way`` chunks are played at a time, and towards the end they share the remaining hands.
    """

    def __init__(self, most: int = CHUNK, under_way: int = 1, seconds: float = SECONDS) -> None:
        self._most, self._under_way, self._seconds = most, under_way, seconds
        self._size = float(min(most, FIRST))

    def size(self, left: int) -> int:
        """The size of the next chunk when ``left`` hands are left."""
        whole = min(int(self._size), self._most)
        return max(1, min(whole, left // self._under_way), min(whole // FINEST, left))

    def measured(self, hands: int, seconds: float) -> None:
        """Take note that ``hands`` hands took ``seconds``."""
        self._size = min(FASTER * max(self._size, 1.0), self._most, hands * self._seconds / max(seconds, 1e-9))


class Even(Pace):
    """Chunks of one size."""

    def size(self, left: int) -> int:
        return self._most


def chunks(first: int, hands: int, pace: Pace, ends: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """Cut the hands ``first`` to ``hands - 1`` into chunks (first hand, number of hands).

    No chunk has hands before and after one of the ``ends``, which rise.

    >>> list(chunks(0, 5, Even(2), [3]))
    [(0, 2), (2, 1), (3, 2)]
    """
    for end in (*ends, hands):
        while first < min(end, hands):
            until = min(first + pace.size(hands - first), hands, end)
            yield first, until - first
            first = until


TallyArray = NDArray[np.int64]
T = TypeVar("T")
A = TypeVar("A", bound=Any)
"""What adds up."""


@contextmanager
def executor(
    engine: str, threads: int | None, ready: Callable[[], Any] | None = None, stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Pool, int]]:
    """Yields an executor for an engine, and how many chunks to submit at a time.

    The engine is ``threads``, ``serial``, ``dask`` or ``dask@ADDRESS``, of a scheduler; for ``ready`` and ``stop`` see
    ``cluster``.
    """
    kind, _, address = engine.partition("@")
    if kind == "dask":
        from .cluster import cluster

        with cluster(address, threads, ready, stop) as workers:
            yield workers
        return
    count = 1 if kind == "serial" else threads or os.cpu_count() or 1
    with DaemonThreads(count) as pool:
        yield pool, 1 if kind == "serial" else 2 * count


PATIENCE = 0.5
"""Seconds to wait for parts under way when the run is to stop: about as long as one takes."""


def run_in_order(
    parts: Iterable[Callable[[], T]], pool: Pool, most: int, stop: Callable[[], bool] = lambda: False
) -> Generator[T, None, None]:
    """The results of parts of work in their order, with up to ``most`` of them under way at a time.

    When ``stop`` is true no part is begun any more; results that come within ``PATIENCE`` are still given. Closed
    before its end, or where a part fails, it waits for the parts under way: a program must not end while compiled
    code runs.
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
    except (GeneratorExit, Exception):
        cancel()
        while wait(under_way, TICK).not_done and not stop():
            pool.check()
        raise
    finally:
        cancel()


Timed = tuple[int, tuple[A, list[Any]], float]
"""A number of trials, their tally and rows, and the seconds that they took."""


def _timed(play: Callable[[int, int], tuple[A, Any]], most: int, first: int, number: int) -> Timed[A]:
    """What is made of some trials, played in chunks of so many at most: the sum of their tallies, the rows of each."""
    began = perf_counter()
    tally, row = play(first, min(most, number))
    rows = [row]
    for start in range(first + most, first + number, most):
        other, row = play(start, min(most, first + number - start))
        tally = tally + other
        rows.append(row)
    return number, (tally, rows), perf_counter() - began


WITH_ROWS = 4
"""How much smaller chunks are at most where a row of each trial is needed: some of them wait in memory."""

BUNDLE, FEW = 1 << 10, 1 << 2
"""Chunks that a worker of a cluster plays at a time, at most, and where a row of each trial is sent."""


@dataclass(frozen=True)
class Engine:
    """Where chunks are played, which changes nothing in what they add up to.

    ``name`` is ``threads``, ``serial``, ``dask`` or ``dask@ADDRESS``. Chunks are of ``chunk`` trials, or where that is
    None of about half a second.
    """

    name: str = "threads"
    threads: int | None = None
    chunk: int | None = None


@dataclass(frozen=True)
class Folded(Generic[A]):
    """What many chunks add up to: the tally of the first ``done`` trials, and why it ended."""

    tally: A
    done: int
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()
    """Ranges of trials that are missing between them, each from a number to the one after its last."""


@dataclass(frozen=True)
class Run:
    """The tally of the first ``done`` hands or games of an experiment, and why there are no more.

    ``stopped`` is the experiment's unit, ``hands`` or ``games`` (all were played), ``precision`` or ``interrupted``.
    The ``gaps`` are those of ``Folded``.
    """

    experiment: Trials
    tally: TallyArray
    done: int
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()


State = TypeVar("State", Folded[Any], Run)


def _results(
    play: Callable[[int, int], tuple[A, Any]],
    trials: Numbered,
    done: int,
    engine: Engine,
    stops: Sequence[int],
    rows: bool,
    interrupted: Callable[[], bool],
    stopped: Callable[[], bool],
) -> Generator[tuple[int, tuple[A, list[Any]]], None, None]:
    """What ``play`` makes of every chunk of trials, after those ``done``, in their order: its size and result.

    Chunk sizes follow the time that chunks take; they change nothing in what is added up. No chunk has trials before
    and after a number of them at which the run may stop. With ``rows`` each chunk comes by itself.
    """
    end, most = trials.first + trials.number, max(1, trials.chunk // WITH_ROWS) if rows else trials.chunk
    far = engine.name.startswith("dask") and not stops and engine.chunk is None
    with executor(engine.name, engine.threads, partial(play, trials.first, 1), interrupted) as (pool, under_way):
        if far:  # several chunks at a time, since each takes a message
            from .cluster import SECONDS as FAR_SECONDS
            from .cluster import branches

            pace = Pace((FEW if rows else BUNDLE) * most, under_way, FAR_SECONDS)
        else:
            pace = Pace(most, under_way) if engine.chunk is None else Even(engine.chunk)
            most = max(most, engine.chunk or 0)
        cuts = chunks(trials.first + done, end, pace, [trials.first + number for number in stops])
        parts: Iterable[Any] = (partial(_timed, play, most, *cut) for cut in cuts)
        if far and not rows and pool.lot > 1:
            parts, under_way = branches(parts, pool.lot), -(-under_way // pool.lot)
        with closing(run_in_order(parts, pool, under_way, lambda: interrupted() or stopped())) as results:
            for size, result, seconds in results:
                pace.measured(size, seconds)
                yield size, result


def fold(
    play: Callable[[int, int], tuple[A, Any]],
    start: State,
    trials: Numbered,
    engine: Engine = Engine(),
    *,
    required: Callable[[State], float] | None = None,
    keep: Callable[[Any], None] | None = None,
    on_growth: Callable[[State], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> State:
    """Play trials, after those of ``start``, and add up what ``play`` makes of them.

    ``play`` gets the first trial of a chunk and how many. It returns its tally, of any kind that adds up, each time to
    a new value, and whatever ``keep`` is to get, which is called for each chunk in order. ``on_growth`` is called
    with all that is done after each chunk. ``required`` tells after some trials how many are required at least; the
    run ends where these are no more. It is called at the numbers of trials that ``looks`` gives, except before the
    number that it named last, so that a run stops after the same trials whatever its chunks and whether it was
    resumed. Where ``start`` has gaps, or is enough, nothing is played. Ctrl-C ends the run with the chunks that end
    soon, and raises ``KeyboardInterrupt`` where these were the last. ``stopped``, asked after each chunk, ends it
    in the same way and raises nothing. Where chunks are played in other processes ``play`` is pickled.
    """
    if start.gaps:
        return start

    stops = () if required is None else tuple(looks(trials.number))
    least = 0.0

    def is_enough(state: State) -> bool:
        nonlocal least
        if required is not None and state.done in stops and state.done >= min(least, trials.number):
            least = required(replace(state, stopped="precision"))
            return least <= state.done
        return False

    state = start
    if is_enough(state):
        return replace(state, stopped="precision")
    rows = keep is not None
    with (
        note_signals() as interrupted,
        closing(_results(play, trials, start.done, engine, stops, rows, interrupted, stopped)) as results,
    ):
        for size, (tally, parts) in results:
            if keep is not None:
                for part in parts:
                    keep(part)
            # a new array: whoever was given the old one may keep it
            state = replace(state, tally=state.tally + tally, done=state.done + size, stopped="interrupted")
            if on_growth is not None:
                on_growth(state)
            if is_enough(state):
                return replace(state, stopped="precision")
        if state.done == trials.number and interrupted():  # as the last trials ended: what comes next is not begun
            raise KeyboardInterrupt
    return replace(state, stopped=trials.unit if state.done == trials.number else "interrupted")
