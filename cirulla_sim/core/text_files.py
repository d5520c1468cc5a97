"""Text files that a user names."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from .errors import InputError

MOST_BYTES = 1 << 26
"""The largest text file that is read: some 10,000 hand records."""


def read_text(path: Path, encoding: str = "utf-8", most: int = MOST_BYTES) -> str:
    """The text of a file; raises ``InputError`` for one that is too large, ``OSError`` and ``UnicodeDecodeError``."""
    if "\0" in str(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)  # of a pipe too
    if len(content) > most:
        raise InputError("{path}: has more than {most:_} bytes (valid: a smaller file)", path, most)
    return content.decode(encoding)
