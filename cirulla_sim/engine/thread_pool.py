"""Threads that a program does not wait for at its end, so that signals work whatever is being played."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, wait
from functools import partial
from queue import SimpleQueue
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")

TICK = 0.1
"""Seconds between checks for an interruption."""


class Pool(Executor):
    """An executor of parts of work."""

    lot = 1
    """How many chunks are best added up before they are reported."""

    def check(self) -> None:
        """Raise ``CancelledError`` if the submitted work will never be done."""


class DaemonThreads(Pool):
    """Daemon threads that work in the order of submission: a program can end though a policy does not."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._submitted: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=self._work, daemon=True).start()

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[Any] = Future()
        self._submitted.put((future, partial(function, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for _ in range(self._count):
            self._submitted.put(None)

    def _work(self) -> None:
        while item := self._submitted.get():
            future, part = item
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(part())
                except BaseException as fault:
                    future.set_exception(fault)
            del item, future, part  # so that their memory is free before the next one comes


def result_of(
    future: Future[T],
    check: Callable[[], None] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
    seconds: float = math.inf,
) -> T:
    """The result of a part of work, waited for so that Ctrl-C is noticed, with ``check`` called meanwhile.

    Raises ``KeyboardInterrupt`` when ``stop`` is true, and ``CancelledError`` after so many seconds.
    """
    until = monotonic() + seconds
    while not wait([future], TICK).done:
        check()
        if stop():
            raise KeyboardInterrupt
        if monotonic() > until:
            raise CancelledError
    return future.result()


def interruptible_call(part: Callable[[], T]) -> T:
    """The result of a part of work, done in a thread of its own, so that Ctrl-C ends it even in compiled code."""
    with DaemonThreads(1) as pool:
        future: Future[T] = pool.submit(part)  # type: ignore[no-untyped-call]
        return result_of(future)
