"""Signals that end a program: Ctrl-C, Ctrl-Break on Windows, SIGTERM and a closed terminal.

They all mean the same: stop soon, save what is done, exit with 130. A signal that is ignored already, as ``nohup`` and
the jobs of a script in the background have it, stays ignored. Only the main thread of a program gets signals.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
ENDING = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Signals that end a program; Windows has SIGBREAK instead of SIGHUP, also for a console that is closed."""

EXIT_CODE = 130


def _heard() -> list[signal.Signals]:
    """Those that are not ignored, if this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    return [number for number in ENDING if signal.getsignal(number) not in (signal.SIG_IGN, None)]


@contextmanager
def handle_signals(handler: Handler) -> Iterator[None]:
    """Calls a handler for every signal that ends a program."""
    before = {number: signal.getsignal(number) for number in _heard()}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, handled_before in before.items():
            signal.signal(number, handled_before)


raise_on_signals = partial(handle_signals, signal.default_int_handler)
"""Signals raise ``KeyboardInterrupt`` in the block."""


def exit_at_once() -> None:
    """Let signals end the program from now on, without a word: for its start, when there is nothing to save."""
    for number in _heard():
        signal.signal(number, lambda *_: os._exit(EXIT_CODE))


def exit_now() -> None:
    """End an interrupted program at once: threads that compile or play would otherwise run into its taking down."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or there is none
            stream.flush()
    os._exit(EXIT_CODE)


@contextmanager
def note_signals() -> Iterator[Callable[[], bool]]:
    """Yields a function that tells whether a signal came; the first one raises nothing in the block.

    A second one raises ``KeyboardInterrupt``. So does the end of the block if a signal came and the function did not
    tell: none is lost. In other threads than the main one the function is never true.
    """
    came = reported = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    def tell() -> bool:
        nonlocal reported
        reported = reported or came
        return came

    with handle_signals(note):
        yield tell
    if came and not reported:
        raise KeyboardInterrupt
