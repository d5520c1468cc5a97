"""Runs that keep themselves: their file is saved every so often and on any way out, and gone on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from ..arguments import positive, several
from ..errors import InputError
from ..kept import sole_writer, whole_file

T = TypeVar("T")


class Growing(Protocol):
    """What is saved as it grows."""

    @property
    def done(self) -> int:
        """How much there is by now."""


G = TypeVar("G", bound=Growing)

EVERY = 60.0
"""Seconds between two times that a run is saved, unless told."""


@dataclass(frozen=True)
class Saving:
    """Where a run is kept: its file, None for nowhere; how many seconds pass between two saves, at least; and whether
    a file that is there already is replaced (``force``), or gone on from.

    ``resume`` are files to go on from: one, or several that hold parts of one question.
    """

    output: Path | None = None
    resume: tuple[Path, ...] = ()
    every: float = EVERY
    force: bool = False

    def earlier(self, read: Callable[[Sequence[Path], str], T]) -> T | None:
        """What ``read`` makes of the files to go on from, and of the argument that names them; None for none.

        Raises ``InputError`` as ``read`` does; of a file of ``output`` it says how to replace it.
        """
        if self.resume:
            return read(self.resume, "--resume")
        if self.output is None or self.force or not os.path.isfile(self.output):
            return None
        try:
            return read((self.output,), "-o")
        except InputError as error:
            said = str(error).rpartition(" (")[0]
            flag = "" if said.startswith("-") else "-o "
            raise InputError(f"{flag}{said} (give --force to replace it, or name another file)") from None

    @contextmanager
    def kept(self, write: Callable[[G, Path], None]) -> Iterator[Callable[[G], None]]:
        """Yields what is to hear of a run as it grows, which ``write`` writes to the part of a file that it is given.

        Whatever ends the block early, what the run has grown to is written first. Nobody else writes it meanwhile.

        Raises ``InputError`` if the file cannot be written.
        """
        if self.output is None:
            yield lambda run: None
            return
        latest: G | None = None
        saved, last = 0, monotonic()

        def save(run: G) -> None:
            nonlocal saved, last
            assert self.output is not None
            with whole_file(self.output) as part:
                write(run, part)
            saved, last = run.done, monotonic()

        def grown(run: G) -> None:
            nonlocal latest
            latest = run
            if monotonic() - last >= self.every:
                save(run)

        with sole_writer(self.output):
            try:
                yield grown
            except BaseException:
                if latest is not None and latest.done > saved:
                    save(latest)
                raise


def saving(output: Path | None, resume: Any, save_every: Any, force: bool) -> Saving:
    """Where a run is to be kept, of arguments as typed; ``resume`` is a file, several or None.

    Raises ``InputError`` for seconds that are none.
    """
    files = () if resume is None else tuple(Path(file) for file in several(resume))
    return Saving(output, files, positive("--save-every", save_every), force)


NOWHERE = Saving()
"""A run that is not kept."""
