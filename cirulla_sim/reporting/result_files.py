"""Results read from their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..core.arguments import path_of, public, words
from ..core.errors import LONGEST_QUOTE, InputError, unknown
from ..storage.result_schema import SCHEMA
from ..storage.tables import read as read_table
from .result import Result


@public
def read(path: str | Path, *, only: str | Sequence[str] | None = None) -> Result:
    """A result from its file, to be shown, drawn and combined with others.

    ``only`` names the quantities to show. Raises ``InputError`` if there is no such file, it is not one of ours, or has
    no such quantity.
    """
    file = path_of("path", path)
    frame, metadata, stored = read_table(file)
    if frame.width and not set(SCHEMA) <= set(frame.columns):
        raise InputError("{file}: holds no quantities (valid: a result file, which has a row a quantity)", file)
    names = words("--only", only)
    present = frame["quantity"].unique(maintain_order=True).to_list() if names else []
    for name in names:
        if name not in present:
            raise unknown("quantity", name, present, where="--only: ")
    return Result(frame, metadata, stored=stored, only=names)


@contextmanager
def showing(named: str) -> Iterator[None]:
    """Raises ``InputError`` in place of any other error: what is read may still lack rows that are to be shown."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as fault:
        kind, text = type(fault).__name__, " ".join(str(fault).split())[:LONGEST_QUOTE]
        raise InputError(
            "{named}: its table cannot be shown: {kind}, {text} (valid: a table as it was written)", named, kind, text
        ) from None
