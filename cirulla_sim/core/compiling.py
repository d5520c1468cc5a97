"""Says that something is compiled, which happens once on a machine: a first call may take a while for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

from .console import is_watched

TEXT = (
    "Compiling what this takes (once, 10 to 30 seconds; 'cirulla-sim warmup' compiles everything ahead of time) ..."
)  # fmt: skip

under_way = Event()
"""Set while something is compiled."""

_begun = Event()
_message: Callable[[str], str] = str


def announce_in(message: Callable[[str], str]) -> None:
    """Announce compiling in the words that ``message`` gives for a text."""
    global _message
    _message = message


@contextmanager
def announced() -> Iterator[None]:
    """While something is compiled: on a terminal or in a notebook the first time is announced."""
    if not _begun.is_set() and is_watched():
        print(_message(TEXT), file=sys.stderr, flush=True)
    _begun.set()
    under_way.set()
    try:
        yield
    finally:
        under_way.clear()
