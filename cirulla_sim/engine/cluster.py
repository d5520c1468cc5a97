"""Chunks played by the workers of a dask cluster, of this machine or of many."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any

from ..core.errors import InputError
from ..core.messages import Message
from ..core.version import VERSION
from .thread_pool import DaemonThreads, Pool, result_of

SECONDS = 4.0
"""Seconds that a chunk should take on a cluster: submitting one takes a few milliseconds."""

PATIENCE, CLOSING = 20, 2
"""Seconds that a scheduler may take to answer, and to close the connection."""

EVERY, SILENCE = 10.0, 60.0
"""Seconds between questions to the scheduler which workers it has, and after how many without any the run ends."""

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Settings that make workers of this machine profile themselves less, which takes 3% of a core each."""

FAN = 16
"""Chunks whose tallies a worker of a large cluster adds up before it sends the sum."""

RESUMABLE = Message("(what is done is in the file of -o, if any: the same command resumes it)")

Task = Callable[[], Any]
Timed = tuple[int, tuple[Any, list[Any]], float]
"""What ``engines`` makes of a chunk: its number of trials, their tally and rows, and the seconds that they took."""


def build_text() -> str:
    """What must be the same on all machines: the version and a digest of the kernel's source."""
    from ..kernel.jit import DIGEST

    return f"{VERSION} ({DIGEST})"


@contextmanager
def cluster(
    address: str, processes: int | None, ready: Task | None, stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Pool, int]]:
    """Yields an executor on the workers of a scheduler, and how many chunks to submit at a time.

    Without an ``address`` that of the environment (DASK_SCHEDULER_ADDRESS) is used, or else ``processes`` workers of
    this machine. A worker of every machine calls ``ready`` first, so that each machine compiles once.

    Raises ``InputError`` if no scheduler answers, it has no workers or they are of another build, ``OSError`` if the
    cluster is lost, and ``KeyboardInterrupt`` if ``stop`` is true before the workers are ready.
    """
    try:
        from dask import config
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise InputError("engine 'dask' needs the extra 'cluster': install cirulla-sim[cluster]") from None
    for name in ("distributed", "distributed.client", "distributed.core", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are raised in a line, below
    address = address or os.environ.get("DASK_SCHEDULER_ADDRESS", "")
    named = Message("scheduler {address!r}", address) if address else Message("the cluster")
    local = {"n_workers": processes, "threads_per_worker": 1, "dashboard_address": None}
    try:
        with config.set(QUIET):
            client: Any = Client(address, timeout=PATIENCE) if address else Client(**local)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:  # RuntimeError: not encrypted
        raise InputError(
            "--scheduler {address!r}: no scheduler answers there: {reason} (valid: an address as "
            "tcp://HOST:8786, as `dask scheduler` says it)",
            address, str(error).splitlines()[0],
        ) from None  # fmt: skip
    try:
        with DaemonThreads(1) as asking:  # a scheduler or worker that is silent never answers
            answers: Future[Any] = asking.submit(  # type: ignore[no-untyped-call]
                lambda: (client.scheduler_info(n_workers=-1)["workers"], client.run(_build_there, on_error="return"))
            )
            known, builds = result_of(answers, stop=stop, seconds=SILENCE)
        _check(known, builds, named)
        cores = max(1, sum(about["nthreads"] for about in known.values()))
        workers = Workers(client, named, lot_of(cores))
        if ready is not None:
            machines = {about["host"]: worker for worker, about in known.items()}
            submit = partial(workers.submit, ready, allow_other_workers=True)  # if the one named is lost
            for called in [submit(workers=[worker]) for worker in machines.values()]:
                result_of(called, workers.check, stop)
        yield workers, 2 * cores
    except KilledWorker:
        raise OSError(
            Message("{named}: the same hands were lost with several workers {resumable}", named, RESUMABLE)
        ) from None
    except (CancelledError, CommClosedError):
        raise OSError(Message("{named} is lost {resumable}", named, RESUMABLE)) from None
    finally:
        with suppress(Exception):  # it may be gone
            client.close(timeout=CLOSING if address else PATIENCE)  # workers of this machine are ended too


def lot_of(cores: int) -> int:
    """How many chunks are added up on workers, as a tree: few enough that each core has several such lots.

    >>> [lot_of(cores) for cores in (2, 63, 64, 1000, 10_000)]
    [1, 1, 16, 16, 256]
    """
    many = 1
    while 4 * FAN * many <= cores:
        many *= FAN
    return many


@dataclass(frozen=True)
class Branch:
    """Consecutive chunks, to be played and added up by any workers."""

    parts: Sequence[Callable[[], Timed]]


def join_chunks(*parts: Timed) -> Timed:
    """Consecutive chunks as one."""
    sizes, results, seconds = zip(*parts, strict=True)
    (tally, _), *others = results
    rows = [row for _, several in results for row in several]
    return sum(sizes), (sum((other for other, _ in others), tally), rows), sum(seconds)


def branches(parts: Iterable[Callable[[], Timed]], lot: int) -> Iterator[Branch]:
    """Chunks, so many to a branch."""
    todo = iter(parts)
    while several := tuple(islice(todo, lot)):
        yield Branch(several)


class Workers(Pool):
    """The workers of a cluster."""

    def __init__(self, client: Any, named: str, lot: int = 1) -> None:
        self._client, self._named, self._given, self.lot = client, named, client.get_executor(pure=False), lot
        self._staffed = monotonic()
        """When the scheduler last answered that it has workers."""
        self._ask()

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.check()
        if isinstance(function, Branch):
            level = [self._client.submit(part, pure=False) for part in function.parts]
            while len(level) > FAN:
                lots = [level[start : start + FAN] for start in range(0, len(level), FAN)]
                level = [self._client.submit(join_chunks, *lot, pure=False) for lot in lots]
            return self._given.submit(join_chunks, *level)
        return self._given.submit(function, *args, **kwargs)

    def check(self) -> None:
        """Raise ``CancelledError`` if the scheduler is gone or silent, and ``OSError`` if it has no workers for long.

        A connection that is cut without a word, or a scheduler that hangs, looks like one that waits.
        """
        if self._client.status != "running":  # it looks for a scheduler that was restarted
            raise CancelledError
        now = monotonic()
        if not self._answer.done():
            if now - self._staffed > SILENCE:
                raise CancelledError
        elif now - self._checked_at > EVERY:
            if self._answer.exception() is None and self._answer.result():
                self._staffed = now
            elif now - self._staffed > SILENCE:
                raise OSError(Message("{named} has lost all workers {resumable}", self._named, RESUMABLE))
            self._ask()

    def _ask(self) -> None:
        import asyncio  # late: it is slow to import, and most runs have no cluster

        loop: asyncio.AbstractEventLoop = self._client.loop.asyncio_loop
        self._answer = asyncio.run_coroutine_threadsafe(self._client.scheduler.ncores(), loop)
        self._checked_at = monotonic()


def _check(known: Mapping[str, Any], builds: Mapping[str, Any], named: str) -> None:
    """Raise ``InputError`` unless there are workers, all with this build; those that die meanwhile do not count."""
    if not known:
        raise InputError("--scheduler: {named} has no workers (start some: dask worker ADDRESS)", named)
    here = build_text()
    for worker, there in builds.items():
        if there != here and not isinstance(there, OSError):
            raise InputError(
                "--scheduler: {named}: worker {worker} has {there}, here is {here} (install the same)",
                named, worker, there, here,
            )  # fmt: skip


def _build_there() -> str:
    """The build of a worker, which meanwhile imports what chunks need: all workers of a machine at once."""
    from . import chunks  # noqa: F401

    return build_text()
