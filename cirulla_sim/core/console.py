"""The terminal: how wide it is, encodings, a notice while code is compiled."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

PLAIN = {
    "±": "+/-", "−": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "·": "-", "×": "x",
    "≥": ">=", "≤": "<=", "→": "->", "µ": "u", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
    "♥": "h", "♦": "d", "♣": "c", "♠": "s", "█": "#", "▏": "#",
}  # fmt: skip
"""What stands for a character where the console's encoding has none for it."""

HANDLER = "cirulla_sim.plain"


def to_ascii(text: str) -> str:
    """A text in ASCII: signs in words of their own, letters without accents, ``?`` for anything else.

    >>> to_ascii("7♥: −1.5 ± 0.1, Boña è più")
    '7h: -1.5 +/- 0.1, Bona e piu'
    """
    known = "".join(PLAIN.get(letter, letter) for letter in text)
    split = unicodedata.normalize("NFKD", known)
    without_accents = "".join(letter for letter in split if not unicodedata.combining(letter))
    return without_accents.encode("ascii", "replace").decode("ascii")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_ascii(error.object[error.start : error.end]), error.end


def make_printable() -> None:
    """Let the standard streams replace what their encoding lacks, unless ``PYTHONIOENCODING`` says what to do then.

    A stream that is no terminal is written in UTF-8, with one character at the end of a line, so that the same command
    gives the same bytes everywhere; only ``PYTHONIOENCODING`` names another encoding.
    """
    codecs.register_error(HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        errors = HANDLER if stream.errors in ("strict", "surrogateescape", "backslashreplace") else stream.errors
        encoding = stream.encoding if stream.isatty() or os.environ.get("PYTHONIOENCODING") else "utf-8"
        reconfigure(encoding=encoding, errors=errors, newline=None if stream.isatty() else "\n")


def is_watched() -> bool:
    """Whether somebody sees messages as they come: on a terminal or in a notebook."""
    return in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this: it shows what is printed though it is no terminal."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None


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
def announce_compiling() -> Iterator[None]:
    """While something is compiled: on a terminal or in a notebook the first time is announced."""
    if not _begun.is_set() and is_watched():
        print(_message(TEXT), file=sys.stderr, flush=True)
    _begun.set()
    under_way.set()
    try:
        yield
    finally:
        under_way.clear()
