"""How far a long run is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def progress_bar(number: int, done: int, stream: TextIO | None, unit: str = "hands") -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on a terminal; nothing elsewhere."""
    from tqdm import tqdm

    quiet = stream is None or not stream.isatty()
    with tqdm(
        total=number, initial=done, unit=f" {unit}", unit_scale=True, file=stream, disable=quiet, leave=False
    ) as bar:
        yield lambda more: bar.update(more) and None
