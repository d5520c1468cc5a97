"""Runs that keep themselves: their file is saved every so often and on any way out, and gone on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from ..arguments import path as as_path
from ..arguments import positive
from ..errors import InputError
from ..kept import TALLY, check_same, read_packed, sole_writer, whole_file
from ..play import Run, Trials

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

    ``resume`` is a file to go on from.
    """

    output: Path | None = None
    resume: Path | None = None
    every: float = EVERY
    force: bool = False

    def earlier(self, read: Callable[[Path, str], T]) -> T | None:
        """What ``read`` makes of the file to go on from, and of the argument that names it; None where there is none.

        Raises ``InputError`` as ``read`` does; of a file of ``output`` it says how to replace it.
        """
        if self.resume is not None:
            return read(self.resume, "--resume")
        if self.output is None or self.force or not os.path.isfile(self.output):
            return None
        try:
            return read(self.output, "-o")
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
    """Where a run is to be kept, of arguments as typed.

    Raises ``InputError`` for seconds that are none.
    """
    return Saving(output, as_path(resume), positive("--save-every", save_every), force)


NOWHERE = Saving()
"""A run that is not kept."""


def run_of(experiment: Trials, wanted: Callable[[], Mapping[str, Any]], verb: str, path: Path, flag: str) -> Run:
    """The run kept in a file that ``flag`` names, if it is of an experiment whose metadata ``wanted`` makes.

    Raises ``InputError`` that names what differs.
    """
    unit = experiment.unit
    made = check_same(path, wanted(), unit, experiment.number, verb, flag)
    tally = read_packed(path, TALLY, "<i8", (experiment.tally_size(),), verb, flag)
    return Run(experiment.of_number(made[unit]), tally, made[unit], made["stopped"])
