"""A row a hand: written in parts while a run goes on, each a readable parquet file, and as one file at its end.

The parts lie in a folder beside the file. The rows that wait in memory become a part before each checkpoint, so that
the rows of all its hands exist. Rows beyond it, of a run that was killed, are dropped and their hands played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .atomic_files import sole_writer, whole_file
from .request import Request
from .tables import METADATA, parsed_metadata

if TYPE_CHECKING:
    import pyarrow as pa

ROW_GROUP = 1 << 16
"""Hands in a row group of a file of records, whatever the chunks."""

MOST_WAITING = 1 << 20
"""Hands whose rows wait in memory while the disk is full."""

RecordRows = NDArray[np.int16]


def parts_of(path: Path) -> Path:
    """The folder of the rows of a run that is not complete."""
    return path.with_name(f"{path.name}.parts")


class Records:
    """The rows of a run from hand ``first`` on, written as it goes on; ``metadata`` is that of the complete file."""

    def __init__(self, path: Path, names: list[str], metadata: Mapping[str, Any], first: int) -> None:
        import pyarrow as pa

        self.path, self.folder = path, parts_of(path)
        self._schema = pa.schema([("hand", pa.int64()), *((name, pa.int16()) for name in names)])
        self._metadata, self._first = metadata, first
        self._files: list[tuple[int, Path]] = []
        """The files of the rows on the disk, and the first hand of each."""
        self._end = first
        """The number after that of the last hand in them."""
        self._waiting: list[RecordRows] = []
        self.has_checkpoint = False

    def begin(self, force: bool) -> None:
        """Start without rows; raises ``InputError`` where there are some already, unless ``force`` replaces them."""
        for there in (self.path, self.folder):
            if there.exists() and not force:
                raise InputError(
                    "--records {there!r} is there already (give --force to replace it, or name another file)", there
                )
        rmtree(self.folder, ignore_errors=True)

    def resume(self, done: int) -> None:
        """Continue after the first ``done`` hands; raises ``InputError`` if their rows are not there."""
        self.has_checkpoint = True
        end = self._first + done
        parts = {int(part.stem): part for part in self.folder.glob("[0-9]" * 13 + ".parquet")}
        if self.path.is_file():
            parts.setdefault(self._first, self.path)
        for start, part in sorted(parts.items()):
            after = start + self._number_in(part)
            if start == self._end and after <= end:
                self._files.append((start, part))
                self._end = after
            elif part != self.path and (start >= end or after <= self._end):
                part.unlink()
        if self._end != end:
            raise InputError(
                "--records {path!r}: the rows of hands {first:_} to {last:_} are not there (give --force to "
                "begin again)",
                self.path, self._end, end - 1,
            )  # fmt: skip

    def keep(self, rows: RecordRows) -> None:
        """Take the rows of the next hands; a disk that is full for a while does not end the run."""
        self._waiting.append(rows)
        if (many := sum(map(len, self._waiting))) >= ROW_GROUP:
            try:
                self.save()
            except OSError:
                if many >= MOST_WAITING:
                    raise

    def save(self) -> None:
        """Write the rows that wait as a part; where that fails, or a signal interrupts it, they wait still."""
        if self._waiting:
            self.folder.mkdir(exist_ok=True)
            rows, part = self._table(), self.folder / f"{self._end:013}.parquet"
            self._write(part, [rows], {**self._metadata, "stopped": "interrupted"}, "none")  # read once
            self._files.append((self._end, part))
            self._end, self._waiting = self._end + len(rows), []

    def _table(self) -> pa.Table:
        """The rows that wait, by column."""
        import pyarrow as pa

        many = sum(map(len, self._waiting))
        columns = np.empty((len(self._schema) - 1, many), np.int16)
        np.concatenate([rows.T for rows in self._waiting], axis=1, out=columns)
        hands = np.arange(self._end, self._end + many)
        return pa.Table.from_arrays([pa.array(column) for column in (hands, *columns)], schema=self._schema)

    def finish(self) -> None:
        """Write all rows of a complete run as one file."""
        if self._files != [(self._first, self.path)]:
            self._write(self.path, _in_groups(self._tables()), self._metadata, "zstd")
        rmtree(self.folder, ignore_errors=True)

    def leave(self) -> None:
        """Drop the rows that wait; the parts stay where there is a checkpoint to resume the run from."""
        self._waiting = []
        if not self.has_checkpoint:
            rmtree(self.folder, ignore_errors=True)

    def _write(self, path: Path, groups: Iterable[pa.Table], metadata: Mapping[str, Any], compression: str) -> None:
        """Write row groups, whole or not at all."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        # Quicker than dictionaries, and no larger
        encoding = dict.fromkeys(self._schema.names, "DELTA_BINARY_PACKED")
        options: dict[str, Any] = {"compression": compression, "use_dictionary": False, "write_statistics": ["hand"]}
        options["column_encoding"] = encoding
        pool = pa.system_memory_pool()  # pyarrow's own gives back little of what a row group took
        with whole_file(path) as part, part.open("wb") as handle:  # Python's file, whose errors are plain
            file = pq.ParquetWriter(handle, self._schema, memory_pool=pool, **options)
            try:
                for group in groups:
                    file.write_table(group, row_group_size=ROW_GROUP)
                file.add_key_value_metadata({METADATA: json.dumps(metadata, separators=(",", ":"))})
                file.close()
            finally:
                file.is_open = False  # else it would be closed again when it is collected, with a traceback

    def _number_in(self, part: Path) -> int:
        """How many rows a file has; raises ``InputError`` for one that is not of this run."""
        with _opened(part) as (parquet, metadata):
            columns = [(column.name, column.type) for column in parquet.schema_arrow]
            same = _without_length(metadata) == _without_length(self._metadata)
            if not same or columns != [(column.name, column.type) for column in self._schema]:
                raise InputError("--records {part!r} is of another run (give --force to begin again)", part)
            return int(parquet.metadata.num_rows)

    def _tables(self) -> Iterator[pa.Table]:
        """The rows of all files, a row group at a time; raises ``InputError`` for rows that no run writes."""
        for first, part in self._files:
            with _opened(part) as (parquet, _):
                for number in range(parquet.num_row_groups):
                    rows = parquet.read_row_group(number, use_threads=False)
                    hands = np.arange(first, first + len(rows))
                    if any(column.null_count for column in rows.columns) or not np.array_equal(rows["hand"], hands):
                        raise ValueError("other hands")
                    first += len(rows)
                    yield rows


def _in_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The rows of tables in row groups, each in one piece, so that the bytes of a file are the same for any parts."""
    import pyarrow as pa

    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= ROW_GROUP:
            rows = pa.concat_tables(waiting)
            yield rows.slice(0, ROW_GROUP).combine_chunks()
            waiting = [rows.slice(ROW_GROUP)]
    if any(map(len, waiting)):
        yield pa.concat_tables(waiting).combine_chunks()


@contextmanager
def _opened(file: Path) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yields a file of rows, opened, and its metadata; it is closed at the end, as Windows replaces no open file.

    Raises ``InputError`` where it, or what is read of it in the block, is none that a run writes.
    """
    import pyarrow.parquet as pq

    with file.open("rb") as handle:
        try:
            parquet = pq.ParquetFile(handle)
            yield parquet, parsed_metadata((parquet.metadata.metadata or {})[METADATA.encode()].decode())
        except InputError:
            raise
        except (KeyError, ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the disk, and not of what is read
                raise
            raise InputError("--records {part!r} is damaged (give --force to begin again)", file) from None


def _without_length(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of rows without what depends on how many hands there are."""
    same: dict[str, Any] = json.loads(json.dumps(dict(metadata)))
    for name in ("stopped", "command"):
        same.pop(name, None)
    try:
        return same | {"request": Request.from_json(same.get("request")).identity()}
    except InputError:
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
