"""Threads that a program does not wait for when it ends: whatever is being played, it hears who asks it to end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

TICK = 0.1
"""Seconds between two looks whether anybody asks to end."""


class Pool(Executor):
    """What parts of work are given to."""

    lot = 1
    """How many chunks are best added up before anybody hears of them."""

    def check(self) -> None:
        """Raise ``CancelledError`` if what was given will never be done."""


class Threads(Pool):
    """Threads for what they are given, in its order; unlike the library's, nobody waits for them when all ends.

    So a program can end though a policy does not.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._given: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=self._work, daemon=True).start()

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[Any] = Future()
        self._given.put((future, partial(function, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for _ in range(self._count):
            self._given.put(None)

    def _work(self) -> None:
        while given := self._given.get():
            future, part = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(part())
                except BaseException as fault:
                    future.set_exception(fault)
            del given, future, part  # what they hold is not kept until the next comes


def heard(part: Callable[[], T]) -> T:
    """What a part of work gives, done in a thread of its own, so that Ctrl-C ends it in the midst of compiled code."""
    with Threads(1) as pool:
        future: Future[T] = pool.submit(part)  # type: ignore[no-untyped-call]
        while not wait([future], TICK).done:
            pass
        return future.result()
