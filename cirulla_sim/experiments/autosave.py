"""Runs that keep themselves: their file is saved every so often and on any way out, and gone on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar

from ..core.arguments import positive, several
from ..core.errors import InputError
from ..engine.engines import ending_raises
from ..storage.atomic_files import sole_writer, whole_file

T = TypeVar("T")
G = TypeVar("G")
"""What is saved as it grows."""

EVERY = 60.0
"""Seconds between two times that a run is saved, unless told."""

MOST = 100
"""How much longer a run goes on than its last save took, at least: saving takes 1% of the time at most."""


@dataclass(frozen=True)
class Saving:
    """Where a run is kept: its file, None for nowhere; how many seconds pass between two saves, at least; and whether
    a file that is there already is replaced (``force``), or gone on from.

    ``resume`` are files to resume: one, or several that hold parts of one request; ``flag`` is what named them.
    """

    output: Path | None = None
    resume: tuple[Path, ...] = ()
    every: float = EVERY
    force: bool = False
    flag: str = "--resume"

    def earlier(self, read: Callable[[Sequence[Path], str], T]) -> T | None:
        """What ``read`` makes of the files to go on from, and of the argument that names them; None for none.

        Raises ``InputError`` as ``read`` does; of a file of ``output`` it says how to replace it.
        """
        if self.resume:
            return read(self.resume, self.flag)
        if self.output is None or self.force or not os.path.isfile(self.output):
            return None
        try:
            return read((self.output,), "-o")
        except InputError as error:
            said = str(error).rpartition(" (")[0]
            flag = "" if said.startswith("-") else "-o "
            raise InputError(f"{flag}{said} (give --force to replace it, or name another file)") from None

    @contextmanager
    def open(self, write: Callable[[G, Path], None]) -> Iterator[Keeper[G]]:
        """Yields what keeps a run as it grows, which ``write`` writes to the part of a file that it is given.

        Whatever ends the block early, signals too, what the run has grown to is written first. Nobody else writes it
        meanwhile. Raises ``InputError`` if the file cannot be written.
        """
        keeper = Keeper(self.output, write, self.every)
        with ending_raises(), nullcontext() if self.output is None else sole_writer(self.output):
            try:
                yield keeper
            except BaseException:
                keeper.save()
                raise


class Keeper(Generic[G]):
    """Keeps a run in a file, or nowhere, as it grows."""

    def __init__(self, output: Path | None, write: Callable[[G, Path], None], every: float) -> None:
        self._output, self._write, self._every = output, write, every
        self._latest: G | None = None
        """What is not saved yet."""
        self._last, self._took = monotonic(), 0.0

    def on_growth(self, run: G) -> None:
        """The run has grown to this; a disk that is full for a while does not end it."""
        self._latest = run
        if monotonic() - self._last >= max(self._every, MOST * self._took):
            try:
                self.save()
            except (OSError, InputError):
                self._last = monotonic()

    def save(self) -> None:
        """Save what there is, if it is not saved."""
        if self._output is None or self._latest is None:
            return
        began = monotonic()
        with whole_file(self._output) as part:
            self._write(self._latest, part)
        self._latest, self._last = None, monotonic()
        self._took = self._last - began

    def end(self, write: Callable[[Path], None]) -> None:
        """Write what the run has come to; nothing more is saved."""
        if self._output is not None:
            with whole_file(self._output) as part:
                write(part)
        self._latest = None


def saving(output: Path | None, resume: Any, save_every: Any, force: bool) -> Saving:
    """Where a run is to be kept, of arguments as typed; ``resume`` is a file, several or None.

    Raises ``InputError`` for seconds that are none.
    """
    files = () if resume is None else tuple(Path(file) for file in several(resume))
    return Saving(output, files, positive("--save-every", save_every), force)


NOWHERE = Saving()
"""A run that is not kept."""
