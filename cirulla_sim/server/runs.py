"""Requests carried out in threads while their pages watch: bounded in number and time, stopped when nobody watches."""

from __future__ import annotations

import logging
import os
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from ..core.errors import InputError
from ..experiments.progress import Watch

if TYPE_CHECKING:
    from ..reporting.result import Result
    from ..storage.tables import ResultTable

MOST_SECONDS = 120.0
"""How long a run may simulate."""

SILENCE = 10.0
"""Seconds after which a run ends that no page has asked about."""

SIMULATING, UNDER_WAY, MOST_RUNS = 2, 32, 100
"""Runs that simulate at a time, that are under way, and that are kept to be looked at."""

THREADS = max(1, (os.cpu_count() or 2) - 1)
"""Threads of a run: a processor is left for answers."""

DRAFTS, RARER = 1.0, 5
"""Seconds between two tables of a run under way, and how many times as long as it takes to make one, at least."""

Work = Callable[[Watch], "Result"]

log = logging.getLogger(__name__)


class Run(Watch):
    """A request under way in a thread of its own, and later its result or what was wrong with it.

    ``result`` is complete once ``ended`` is set, and covers the trials so far before; ``number`` trials are simulated,
    of which ``done`` are done; it is 0 where nothing is.
    """

    def __init__(self, tab: str, work: Work, slots: BoundedSemaphore) -> None:
        self.id = secrets.token_urlsafe(9)
        self.tab = tab
        self.number, self.done, self.unit = 0, 0, "hands"
        self.result: Result | None = None
        self.error = ""
        self.ended, self.begun, self._news = Event(), Event(), Event()
        self._work, self._slots, self._holds_slot = work, slots, False
        self._stop = Event()
        self._heard = monotonic()
        self._started = float("inf")
        self._next_draft = self._heard + DRAFTS / 2

    def heard(self) -> None:
        """A page still watches."""
        self._heard = monotonic()

    def stop(self) -> None:
        """End soon, with the trials so far."""
        self._stop.set()

    @property
    def is_waiting(self) -> bool:
        """Whether it is to simulate as soon as other runs have ended."""
        return self.begun.is_set() and not self._holds_slot and not self.ended.is_set()

    @property
    def is_whole(self) -> bool:
        """Whether it has the result that was asked for."""
        return self.ended.is_set() and self.result is not None and self.result.exit_code != 130

    @property
    def seconds_left(self) -> float | None:
        """Seconds until it ends at its present pace, the bound of time included; None before anything is done."""
        passed = monotonic() - self._started
        if passed <= 0 or not self.done:
            return None
        return max(0.0, min((self.number - self.done) * passed / self.done, MOST_SECONDS - passed))

    def wait(self, seconds: float) -> None:
        """Wait until it has ended or simulates, so long at most."""
        self._news.wait(seconds)

    def carry_out(self) -> None:
        """Carry out the request, in this thread."""
        try:
            self.result = self._work(self)
        except InputError as error:
            self.error = error.message
        except KeyboardInterrupt:
            self.error = "stopped before the first answer (ask again)"
        except Exception:
            log.exception("a run of %s failed", self.tab)
            self.error = "this went wrong, and not because of what you asked (the terminal says more)"
        finally:
            if self._holds_slot:
                self._slots.release()
            self.ended.set()
            self._news.set()

    # -------------------------------------------------------------------------------- as the runner sees it

    def begin(self, number: int, done: int, unit: str) -> None:
        self.number, self.done, self.unit = number, done, unit
        self.begun.set()
        self._news.set()
        while not self._holds_slot:
            if self.stopped():
                raise KeyboardInterrupt
            self._holds_slot = self._slots.acquire(timeout=0.1)
            self._started = monotonic()

    def played(self, done: int) -> None:
        self.done = done

    def draft(self, result: Callable[[], ResultTable]) -> None:
        from ..reporting.result import Result  # here since it imports polars, and the page is to open at once

        if (began := monotonic()) > self._next_draft:
            self.result = Result.of(result())
            self._next_draft = monotonic() + max(DRAFTS, RARER * (monotonic() - began))

    def stopped(self) -> bool:
        now = monotonic()
        return self._stop.is_set() or now - self._heard > SILENCE or now - self._started > MOST_SECONDS


class Runs:
    """The runs of a server, the latest ``MOST_RUNS`` of them."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[Hashable, Run] = OrderedDict()
        self._slots, self._lock = BoundedSemaphore(SIMULATING), Lock()

    def start(self, tab: str, key: Hashable, work: Work) -> Run:
        """The run of a request; one that is under way or whole is not begun again.

        ``key`` says all that the result depends on. Raises ``InputError`` if too many are under way.
        """
        with self._lock:
            run = self._by_key.get((tab, key))
            if run is not None and (run.is_whole or not (run.ended.is_set() or run.stopped())):
                self._by_key.move_to_end((tab, key))
                run.heard()
                return run
            live = sum(not run.ended.is_set() for run in self._by_key.values())
            if live >= UNDER_WAY:
                raise InputError("{live} questions are under way (valid: wait, or stop one)", live)
            run = self._by_key[tab, key] = Run(tab, work, self._slots)
            self._by_key.move_to_end((tab, key))
            for old in [key for key, run in self._by_key.items() if run.ended.is_set()][
                : len(self._by_key) - MOST_RUNS
            ]:
                del self._by_key[old]
        Thread(target=run.carry_out, daemon=True, name=f"{tab} {run.id}").start()
        return run

    def get(self, id: str) -> Run | None:
        """A run by its id."""
        with self._lock:
            return next((run for run in self._by_key.values() if run.id == id), None)
