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
from ..storage.atomic_files import sole_writer

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
    def open(self, write: Callable[[G], None], at_once: bool = False) -> Iterator[Autosave[G]]:
        """Yields what saves a run as it goes on, by ``write``; ``at_once`` saves what grows first.

        Where an exception or a signal ends the block, the run so far is written first. The file is locked meanwhile.
        Raises ``InputError`` if it cannot be written.
        """
        autosave = Autosave(write, self.every, at_once)
        with raised(), nullcontext() if self.output is None else sole_writer(self.output):
            try:
                yield autosave
            except BaseException:
                with noted():  # one more signal does not end the saving
                    autosave.save()
                raise


class Autosave(Generic[G]):
    """Saves a run as it goes on, at intervals of ``every`` seconds at least."""

    def __init__(self, write: Callable[[G], None], every: float, at_once: bool) -> None:
        self._write, self._every = write, every
        self._due = 0.0 if at_once else monotonic() + every
        self._is_first = True
        self._latest: G | None = None
        """What is not saved yet."""

    def on_growth(self, run: G) -> None:
        """Take the run so far, and save it if it is time; a disk that is full for a while does not end the run."""
        self._latest = run
        if monotonic() >= self._due:
            try:
                self.save()
            except (OSError, InputError):
                self._due = monotonic() + self._every

    def save(self) -> None:
        """Save what there is, if it is not saved."""
        if self._latest is None:
            return
        began = monotonic()
        self._write(self._latest)
        self.end()
        now = monotonic()
        took = 0.0 if self._is_first else now - began  # the first time takes longer, as modules are imported
        self._due, self._is_first = now + max(self._every, MOST * took), False

    def end(self) -> None:
        """Save nothing more of the run so far."""
        self._latest = None


NOWHERE = Saving()
"""A run that is not saved."""
