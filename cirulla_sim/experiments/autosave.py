"""Checkpoints of runs: written at intervals and on any way out, and resumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Generic, TypeVar

from ..core.errors import InputError
from ..core.signals import noted, raised
from ..storage.atomic_files import sole_writer, whole_file

T = TypeVar("T")
G = TypeVar("G")
"""What is saved as it grows."""

EVERY = 60.0
"""Usual seconds between checkpoints."""

MOST = 100
"""The least time between checkpoints, as a multiple of the time that one takes: they take 1% of the time at most."""


@dataclass(frozen=True)
class Saving:
    """Where a run is saved: its file or None, the least seconds between checkpoints, and whether an existing file is
    replaced (``force``) or resumed.

    ``resume`` are files to resume, several if they hold parts of one request; ``flag`` is the argument that names them,
    and ``output_flag`` the one of the output.
    """

    output: Path | None = None
    resume: tuple[Path, ...] = ()
    every: float = EVERY
    force: bool = False
    flag: str = "--resume"
    output_flag: str = "-o"

    def earlier(self, read: Callable[[Sequence[Path], str], T]) -> T | None:
        """What ``read`` returns for the files to resume and the argument that names them; None without files.

        Raises ``InputError`` as ``read`` does; for the output file it suggests ``--force``.
        """
        if self.resume:
            return read(self.resume, self.flag)
        if self.output is None or self.force or not os.path.isfile(self.output):
            return None
        try:
            return read((self.output,), self.output_flag)
        except InputError as error:
            fault = error.message.fault
            flag = "" if fault.startswith("-") else f"{self.output_flag} "
            raise InputError("{flag}{fault} (give --force to replace it, or name another file)", flag, fault) from None

    @contextmanager
    def open(self, write: Callable[[G, Path], None]) -> Iterator[Keeper[G]]:
        """Yields the checkpoints of a run, which ``write`` writes to the file that it is given.

        Where an exception or a signal ends the block, the run so far is written first. The file is locked meanwhile.
        Raises ``InputError`` if it cannot be written.
        """
        keeper = Keeper(self.output, write, self.every)
        with raised(), nullcontext() if self.output is None else sole_writer(self.output):
            try:
                yield keeper
            except BaseException:
                with noted():  # one more signal does not end the saving
                    keeper.save()
                raise


class Keeper(Generic[G]):
    """Saves a run in a file, or nowhere, as it goes on."""

    def __init__(self, output: Path | None, write: Callable[[G, Path], None], every: float) -> None:
        self._output, self._write, self._every = output, write, every
        self._latest: G | None = None
        """What is not saved yet."""
        self._last = monotonic()
        self._took: float | None = None
        """Seconds that saving took, 0 for the first time, which takes longer as modules are imported."""
        self.wanted = False
        """Whether the next growth is saved, whenever the last was."""

    def on_growth(self, run: G) -> None:
        """Take the run so far, and save it if it is time; a disk that is full for a while does not end the run."""
        self._latest = run
        if self.wanted or monotonic() - self._last >= max(self._every, MOST * (self._took or 0)):
            self.wanted = False
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
        self._took = 0.0 if self._took is None else self._last - began

    def end(self, write: Callable[[Path], None]) -> None:
        """Write the result of the run; nothing is saved after it."""
        if self._output is not None:
            with whole_file(self._output) as part:
                write(part)
        self._latest = None


NOWHERE = Saving()
"""A run that is not saved."""
