"""A row a hand, kept in parts while a run grows, each a parquet file to be read as it is, and put together at its end.

The parts lie in a folder beside the file. Each time the run is saved the part in hand is ended first, so what a saved
run has played is there; what is there beyond it, of a run that was killed, is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from .atomic_files import sole_writer, whole_file
from .tables import METADATA

ROW_GROUP = 1 << 16
"""Hands in a row group of a file of records, whatever the chunks."""

Rows = NDArray[np.int16]


class _Dropped(Exception):
    """What is being written is not wanted any more."""


class _Writer:
    """Streams the rows of hands from number ``first`` on to a file, whole or not at all."""

    def __init__(self, path: Path, names: list[str], first: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._open = ExitStack()
        self._schema = pa.schema([("hand", pa.int64()), *((name, pa.int16()) for name in names)])
        part = self._open.enter_context(whole_file(path))
        pool = pa.system_memory_pool()  # pyarrow's own gives back little of what a row group took
        self._file = self._open.enter_context(
            pq.ParquetWriter(part, self._schema, compression="zstd", memory_pool=pool)
        )
        self._waiting: Rows = np.zeros((0, len(names)), np.int16)
        self.end = first

    def keep(self, rows: Rows) -> None:
        self._waiting = np.concatenate((self._waiting, rows)) if len(self._waiting) else rows
        while len(self._waiting) >= ROW_GROUP:
            self._write(ROW_GROUP)

    def _write(self, many: int) -> None:
        numbers, columns = np.arange(self.end, self.end + many), self._waiting[:many].T
        table = pl.DataFrame(dict(zip(self._schema.names, (numbers, *columns), strict=True)))
        self._file.write_table(table.to_arrow().cast(self._schema))  # pyarrow's own way would import pandas
        self._waiting, self.end = self._waiting[many:], self.end + many

    def finish(self, made: Mapping[str, Any]) -> None:
        with self._open:
            if len(self._waiting):
                self._write(len(self._waiting))
            self._file.add_key_value_metadata({METADATA: json.dumps(made, separators=(",", ":"))})

    def drop(self) -> None:
        """Leave nothing."""
        with suppress(_Dropped), self._open:
            raise _Dropped


def _groups(part: Path, names: list[str]) -> Iterator[Rows]:
    """The rows of a file, a row group at a time."""
    import pyarrow.parquet as pq

    rows = pl.scan_parquet(part, glob=False).select(names)
    for start in range(0, pq.read_metadata(part).num_rows, ROW_GROUP):
        yield rows.slice(start, ROW_GROUP).collect().to_numpy()


class Records:
    """The rows of a run, ``made`` as its metadata says, as they grow."""

    def __init__(self, path: Path, names: list[str], made: Mapping[str, Any], first: int) -> None:
        self.path, self.folder = path, path.with_name(f"{path.name}.parts")
        self._names, self._made, self._first, self._at = names, made, first, first
        self._part: _Writer | None = None
        self._failed: BaseException | None = None

    def begin(self, force: bool, keep: bool) -> None:
        """Nothing is there yet; raises ``InputError`` if something is, unless it is to be replaced.

        With ``keep`` a single part of this run is what is left of one that was killed before it was saved at all.
        """
        left = self.parts()
        if keep and not force and self.folder.exists() and len(left) < 2 and all(self._size(part) for part in left):
            rmtree(self.folder)
        for there in (self.path, self.folder):
            if there.exists() and not force:
                raise InputError(
                    f"--records {str(there)!r} is there already (give --force to replace it, or name another file)"
                )
        rmtree(self.folder, ignore_errors=True)

    def go_on(self, done: int) -> None:
        """The rows of the first ``done`` hands are there; raises ``InputError`` if they are not."""
        if self.path.is_file():
            self.folder.mkdir(exist_ok=True)
            os.replace(self.path, self._place(self._first))
        for part in self.parts():
            start, end = int(part.stem), int(part.stem) + self._size(part)
            if start != self._at or start >= self._first + done:
                part.unlink()
            elif end > self._first + done:
                self._cut(part, self._first + done - start)
                self._at = self._first + done
            else:
                self._at = end
        if self._at != self._first + done:
            raise InputError(
                f"--records {str(self.path)!r}: the rows of hands {self._at:_} to {self._first + done - 1:_} are not "
                "there (give --force to begin again)"
            )

    def parts(self) -> list[Path]:
        """The files of the parts, in order."""
        return sorted(self.folder.glob("[0-9]*.parquet"))

    def keep(self, rows: Rows) -> None:
        """Take the rows of the next hands."""
        if self._part is None:
            self.folder.mkdir(exist_ok=True)
            self._part = _Writer(self._place(self._at), self._names, self._at)
        self._part.keep(rows)

    def end_part(self, complete: bool = False) -> None:
        """Put what there is on the disk.

        What breaks off here, a signal as well, takes these rows with it: it is raised again whenever the run is to be
        saved after it, so that no run is saved whose rows are not there.
        """
        if self._failed is not None:
            raise self._failed
        if self._part is not None:
            part, self._part = self._part, None
            try:
                part.finish(self._made if complete else self._interrupted)
            except BaseException as error:
                self._failed = error
                raise
            self._at = part.end

    @property
    def _interrupted(self) -> dict[str, Any]:
        return {**self._made, "stopped": "interrupted"}

    def finish(self, complete: bool) -> Path:
        """Put the parts together; of an interrupted run they stay, unless there is but one. Says where the rows are."""
        parts = self.parts()
        if complete:
            self._put_together(parts)
        elif len(parts) == 1:
            os.replace(parts[0], self.path)
            rmtree(self.folder)
        return self.folder if self.folder.exists() else self.path

    def _put_together(self, parts: list[Path]) -> None:
        if len(parts) == 1 and self._metadata(parts[0]) == json.loads(json.dumps(self._made)):
            os.replace(parts[0], self.path)
        else:
            whole = _Writer(self.path, self._names, self._first)
            for part in parts:
                for rows in _groups(part, self._names):
                    whole.keep(rows)
            whole.finish(self._made)
        rmtree(self.folder)

    def leave(self, keep: bool) -> None:
        """What is not ended is dropped, and what is if nothing goes on with it."""
        if self._part is not None:
            self._part.drop()
        if not keep or not self.parts():
            rmtree(self.folder, ignore_errors=True)

    def _place(self, start: int) -> Path:
        return self.folder / f"{start:013}.parquet"

    def _size(self, part: Path) -> int:
        """How many rows a part has; raises ``InputError`` for one that is not of this run."""
        import pyarrow.parquet as pq

        made = self._metadata(part)
        made.pop("stopped", None)
        here = json.loads(json.dumps(self._made))
        if {**made, "command": ""} != {**here, "command": ""}:
            raise InputError(f"--records {str(part)!r} is of another run (give --force to begin again)")
        return int(pq.read_metadata(part).num_rows)

    def _metadata(self, part: Path) -> dict[str, Any]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            found: dict[str, Any] = json.loads(pq.read_metadata(part).metadata[METADATA.encode()])
        except (KeyError, TypeError, ValueError, pa.ArrowException):
            found = {}
        return found

    def _cut(self, part: Path, rows: int) -> None:
        """Leave of a part its first rows."""
        first = _Writer(part, self._names, int(part.stem))
        for group in _groups(part, self._names):
            first.keep(group[: max(0, rows)])
            rows -= len(group)
        first.finish(self._interrupted)


@contextmanager
def recorded(
    path: Path, names: list[str], made: Callable[[], Mapping[str, Any]], first: int, done: int | None, force: bool,
    keep: bool,
) -> Iterator[Records]:  # fmt: skip
    """Takes the rows of a run from hand ``first`` on, which goes on after ``done`` hands, or None if it begins.

    ``made`` makes what the file's metadata will say. With ``keep`` what a run that fails has ended stays to go on from.

    Raises ``InputError`` for a file that cannot be written, that is there already and not to be replaced (``force``),
    or that has not the rows of the hands already played.
    """
    with sole_writer(path):  # a file that cannot be is told before anything is played
        found = Records(path, names, made(), first)
        if done is None:
            found.begin(force, keep)
        else:
            found.go_on(done)
        try:
            yield found
        except BaseException:
            found.leave(keep)
            raise
