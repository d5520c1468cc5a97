"""A row a hand: written in parts during a run, each a readable parquet file, and merged at its end.

The parts lie in a folder beside the file. Before each checkpoint the current part is ended, so that the rows of all
hands of a checkpoint exist. Rows beyond it, of a run that was killed, are dropped and their hands played again.
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
from .request import Request
from .tables import METADATA

ROW_GROUP = 1 << 16
"""Hands in a row group of a file of records, whatever the chunks."""

Rows = NDArray[np.int16]


class _Dropped(Exception):
    """The file is not wanted any more."""


class _Writer:
    """Streams the rows of hands from number ``first`` on to a file that appears whole or not at all."""

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

    def finish(self, metadata: Mapping[str, Any]) -> None:
        with self._open:
            if len(self._waiting):
                self._write(len(self._waiting))
            self._file.add_key_value_metadata({METADATA: json.dumps(metadata, separators=(",", ":"))})

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
    """The rows of a run, written as it goes on; ``metadata`` is that of the complete file."""

    def __init__(self, path: Path, names: list[str], metadata: Mapping[str, Any], first: int) -> None:
        self.path, self.folder = path, path.with_name(f"{path.name}.parts")
        self._names, self._about, self._first, self._at = names, metadata, first, first
        self._part: _Writer | None = None
        self._failed: BaseException | None = None

    def begin(self, force: bool, keep: bool) -> None:
        """Start without rows; raises ``InputError`` where there are some already, unless ``force`` replaces them.

        With ``keep`` a single part of this run is replaced: it is of a run that was killed before its first checkpoint.
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

    def resume(self, done: int) -> None:
        """Continue after the first ``done`` hands; raises ``InputError`` if their rows are not there."""
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
        """Write the rows of the next hands."""
        if self._part is None:
            self.folder.mkdir(exist_ok=True)
            self._part = _Writer(self._place(self._at), self._names, self._at)
        self._part.keep(rows)

    def end_part(self, complete: bool = False) -> None:
        """Put the current part on the disk.

        Where that fails, or a signal interrupts it, its rows are lost: the error is raised again at every later
        checkpoint, so that no run is saved whose rows are not there.
        """
        if self._failed is not None:
            raise self._failed
        if self._part is not None:
            part, self._part = self._part, None
            try:
                part.finish(self._about if complete else self._interrupted)
            except BaseException as error:
                self._failed = error
                raise
            self._at = part.end

    @property
    def _interrupted(self) -> dict[str, Any]:
        return {**self._about, "stopped": "interrupted"}

    def finish(self, complete: bool) -> Path:
        """Merge the parts of a ``complete`` run, and a single part of another; returns where the rows are."""
        parts = self.parts()
        if complete:
            self._merge(parts)
        elif len(parts) == 1:
            os.replace(parts[0], self.path)
            rmtree(self.folder)
        return self.folder if self.folder.exists() else self.path

    def _merge(self, parts: list[Path]) -> None:
        if len(parts) == 1 and self._metadata(parts[0]) == json.loads(json.dumps(self._about)):
            os.replace(parts[0], self.path)
        else:
            whole = _Writer(self.path, self._names, self._first)
            for part in parts:
                for rows in _groups(part, self._names):
                    whole.keep(rows)
            whole.finish(self._about)
        rmtree(self.folder)

    def leave(self, keep: bool) -> None:
        """Drop the current part, and unless parts are to ``keep`` all of them."""
        if self._part is not None:
            self._part.drop()
        if not keep or not self.parts():
            rmtree(self.folder, ignore_errors=True)

    def _place(self, start: int) -> Path:
        return self.folder / f"{start:013}.parquet"

    def _size(self, part: Path) -> int:
        """How many rows a part has; raises ``InputError`` for one that is not of this run."""
        import pyarrow.parquet as pq

        if _same_for_all_lengths(self._metadata(part)) != _same_for_all_lengths(self._about):
            raise InputError(f"--records {str(part)!r} is of another run (give --force to begin again)")
        return int(pq.read_metadata(part).num_rows)

    def _metadata(self, part: Path) -> dict[str, Any]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            metadata: dict[str, Any] = json.loads(pq.read_metadata(part).metadata[METADATA.encode()])
        except (KeyError, TypeError, ValueError, RecursionError, pa.ArrowException):
            metadata = {}
        return metadata

    def _cut(self, part: Path, rows: int) -> None:
        """Shorten a part to its first rows."""
        first = _Writer(part, self._names, int(part.stem))
        for group in _groups(part, self._names):
            first.keep(group[: max(0, rows)])
            rows -= len(group)
        first.finish(self._interrupted)


def _same_for_all_lengths(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of rows without what depends on how many hands there are."""
    same: dict[str, Any] = json.loads(json.dumps(dict(metadata)))
    for name in ("stopped", "command"):
        same.pop(name, None)
    try:
        same["request"] = Request.from_json(same.get("request")).identity()
    except InputError:
        same["request"] = None
    return same


@contextmanager
def recorded(
    path: Path, names: list[str], metadata: Callable[[], Mapping[str, Any]], first: int, done: int | None, force: bool,
    keep: bool,
) -> Iterator[Records]:  # fmt: skip
    """Writes the rows of a run from hand ``first`` on, resumed after ``done`` hands, or new where that is None.

    ``metadata`` makes the metadata of the file. With ``keep`` the ended parts of a run that fails stay, to resume it.

    Raises ``InputError`` for a file that cannot be written, that exists already, unless ``force`` replaces it, or that
    has not the rows of the hands already played.
    """
    with sole_writer(path):  # a file that cannot be written is refused before anything is played
        records = Records(path, names, metadata(), first)
        if done is None:
            records.begin(force, keep)
        else:
            records.resume(done)
        try:
            yield records
        except BaseException:
            records.leave(keep)
            raise
