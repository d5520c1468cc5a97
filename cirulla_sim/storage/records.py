"""A row a hand: written in parts during a run, each a readable parquet file, and merged at its end.

The parts lie in a folder beside the file, each of about a row group of hands. Before each checkpoint the rows that wait
in memory become a part, so that the rows of all hands of a checkpoint exist. Rows beyond it, of a run that was killed,
are dropped and their hands played again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from .atomic_files import replace, sole_writer, whole_file
from .request import Request
from .tables import METADATA, parsed_metadata

ROW_GROUP = 1 << 16
"""Hands in a row group of a file of records, whatever the chunks."""

MOST_WAITING = 1 << 20
"""Hands whose rows wait in memory while the disk is full."""

FEW = 10
"""Parts that are merged when a run is interrupted; more take too long."""

Rows = NDArray[np.int16]


@contextmanager
def _writing(path: Path, names: list[str], first: int, metadata: Mapping[str, Any]) -> Iterator[Callable[[Rows], None]]:
    """Yields a function that takes the rows of the next hands, for a file that appears whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("hand", pa.int64()), *((name, pa.int16()) for name in names)])
    at, waiting = first, [np.zeros((0, len(names)), np.int16)]

    def group(rows: Rows) -> None:
        nonlocal at
        columns = dict(zip(schema.names, (np.arange(at, at + len(rows)), *rows.T), strict=True))
        file.write_table(pl.DataFrame(columns).to_arrow().cast(schema))  # pyarrow's own way would import pandas
        at += len(rows)

    def take(rows: Rows) -> None:
        waiting.append(rows)
        if sum(map(len, waiting)) >= ROW_GROUP:
            several = np.concatenate(waiting)
            full = len(several) - len(several) % ROW_GROUP
            for start in range(0, full, ROW_GROUP):
                group(several[start : start + ROW_GROUP])
            waiting[:] = [several[full:]]

    pool = pa.system_memory_pool()  # pyarrow's own gives back little of what a row group took
    with whole_file(path) as part, part.open("wb") as handle:  # Python's file, whose errors are plain
        file = pq.ParquetWriter(handle, schema, compression="zstd", memory_pool=pool)
        try:
            yield take
            if len(rest := np.concatenate(waiting)):
                group(rest)
            file.add_key_value_metadata({METADATA: json.dumps(metadata, separators=(",", ":"))})
            file.close()
        finally:
            file.is_open = False  # else it would be closed again when it is collected, with a traceback


def _is_of_disk(error: Exception) -> bool:
    """Whether reading failed by the disk, and not by what is read."""
    return isinstance(error, OSError) and error.errno is not None


@contextmanager
def _reading(part: Path) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yields a file of rows, opened, and its metadata; it is closed at the end, as Windows replaces no open file.

    Raises ``InputError`` if it is none.
    """
    import pyarrow.parquet as pq

    with part.open("rb") as handle:
        try:
            parquet = pq.ParquetFile(handle)
            metadata = parsed_metadata((parquet.metadata.metadata or {})[METADATA.encode()].decode())
        except (KeyError, ValueError, OSError) as error:
            if _is_of_disk(error):
                raise
            raise InputError("--records {part!r} holds no records (give --force to begin again)", part) from None
        yield parquet, metadata


def _groups(part: Path, names: list[str], first: int) -> Iterator[Rows]:
    """The rows of a file of hands from number ``first`` on, a row group at a time.

    Raises ``InputError`` for rows that no run writes.
    """
    with _reading(part) as (parquet, _):
        try:
            for batch in parquet.iter_batches(ROW_GROUP, columns=["hand", *names]):
                hands, *rows = (batch.column(name).to_numpy() for name in ("hand", *names))  # refuses nulls
                if not np.array_equal(hands, np.arange(first, first + len(hands))):
                    raise ValueError("other hands")
                first += len(hands)
                yield np.stack(rows, axis=1)
        except (ValueError, OSError) as error:
            if _is_of_disk(error):
                raise
            raise InputError("--records {part!r} is damaged (give --force to begin again)", part) from None


class Records:
    """The rows of a run, written as it goes on; ``metadata`` is that of the complete file."""

    def __init__(self, path: Path, names: list[str], metadata: Mapping[str, Any], first: int) -> None:
        self.path, self.folder = path, path.with_name(f"{path.name}.parts")
        self._names, self._about, self._first, self._at = names, metadata, first, first
        self._waiting: list[Rows] = []
        self.fresh = True
        """Whether none of its parts is written yet."""

    def begin(self, force: bool) -> None:
        """Start without rows; raises ``InputError`` where there are some already, unless ``force`` replaces them.

        A single part of this run is replaced: it is of a run that was killed before its first checkpoint.
        """
        left = self.parts()
        if not force and self.folder.exists() and len(left) < 2 and all(self._size(part) for part in left):
            rmtree(self.folder)
        for there in (self.path, self.folder):
            if there.exists() and not force:
                raise InputError(
                    "--records {there!r} is there already (give --force to replace it, or name another file)", there
                )
        rmtree(self.folder, ignore_errors=True)

    def resume(self, done: int) -> None:
        """Continue after the first ``done`` hands; raises ``InputError`` if their rows are not there."""
        if self.path.is_file():
            self._size(self.path)  # a file of something else stays where it is
            self.folder.mkdir(exist_ok=True)
            replace(self.path, self._place(self._first))
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
                "--records {path!r}: the rows of hands {first:_} to {last:_} are not there (give --force to "
                "begin again)",
                self.path, self._at, self._first + done - 1,
            )  # fmt: skip

    def parts(self) -> list[Path]:
        """The files of the parts, in order."""
        return sorted(part for part in self.folder.glob("*.parquet") if re.fullmatch("[0-9]{13}", part.stem))

    @property
    def is_written(self) -> bool:
        """Whether the rows of all hands so far are on the disk."""
        return not self._waiting

    def keep(self, rows: Rows) -> None:
        """Take the rows of the next hands; a disk that is full for a while does not end the run."""
        self._waiting.append(rows)
        if (many := sum(map(len, self._waiting))) >= ROW_GROUP:
            try:
                self.end_part()
            except OSError:
                if many >= MOST_WAITING:
                    raise

    def end_part(self, complete: bool = False) -> None:
        """Write the rows that wait as a part; where that fails, or a signal interrupts it, they wait still."""
        if not self._waiting:
            return
        self.folder.mkdir(exist_ok=True)
        rows = np.concatenate(self._waiting)
        about = self._about if complete else self._interrupted
        with _writing(self._place(self._at), self._names, self._at, about) as take:
            take(rows)
        self._at, self._waiting, self.fresh = self._at + len(rows), [], False

    @property
    def _interrupted(self) -> dict[str, Any]:
        return {**self._about, "stopped": "interrupted"}

    def finish(self, complete: bool) -> Path:
        """Merge the parts of a ``complete`` run, and a few parts of another; returns where the rows are."""
        parts = self.parts()
        if complete or len(parts) <= FEW:
            about = self._about if complete else self._interrupted
            if len(parts) == 1 and self._metadata(parts[0]) == json.loads(json.dumps(about)):
                replace(parts[0], self.path)
            elif parts:
                with _writing(self.path, self._names, self._first, about) as take:
                    for part in parts:
                        for rows in _groups(part, self._names, int(part.stem)):
                            take(rows)
            rmtree(self.folder, ignore_errors=True)
        return self.folder if self.folder.exists() else self.path

    def leave(self) -> None:
        """Drop the rows that wait; the parts stay, to resume the run."""
        self._waiting = []
        if not self.parts():
            rmtree(self.folder, ignore_errors=True)

    def _place(self, start: int) -> Path:
        return self.folder / f"{start:013}.parquet"

    def _size(self, part: Path) -> int:
        """How many rows a part has; raises ``InputError`` for one that is not of this run."""
        import pyarrow as pa

        columns = [("hand", pa.int64()), *((name, pa.int16()) for name in self._names)]
        with _reading(part) as (parquet, metadata):
            same = _same_for_all_lengths(metadata) == _same_for_all_lengths(self._about)
            if not same or [(column.name, column.type) for column in parquet.schema_arrow] != columns:
                raise InputError("--records {part!r} is of another run (give --force to begin again)", part)
            return int(parquet.metadata.num_rows)

    def _metadata(self, part: Path) -> dict[str, Any]:
        with _reading(part) as (_, metadata):
            return metadata

    def _cut(self, part: Path, rows: int) -> None:
        """Shorten a part to its first rows."""
        with _writing(part, self._names, int(part.stem), self._interrupted) as take:
            for group in _groups(part, self._names, int(part.stem)):
                take(group[: max(0, rows)])
                rows -= len(group)


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
    path: Path, names: list[str], metadata: Callable[[], Mapping[str, Any]], first: int, done: int | None, force: bool
) -> Iterator[Records]:
    """Writes the rows of a run from hand ``first`` on, resumed after ``done`` hands, or new where that is None.

    ``metadata`` makes the metadata of the file. The parts of a run that fails stay, to resume it.

    Raises ``InputError`` for a file that cannot be written, that exists already, unless ``force`` replaces it, or that
    has not the rows of the hands already played.
    """
    with sole_writer(path):  # a file that cannot be written is refused before anything is played
        records = Records(path, names, metadata(), first)
        if done is None:
            records.begin(force)
        else:
            records.resume(done)
        try:
            yield records
        except BaseException:
            records.leave()
            raise
