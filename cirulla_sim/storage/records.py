"""A row a hand: an Arrow stream beside the file while a run goes on, one parquet file at its end.

Rows are appended to the stream before each checkpoint, so that the rows of all its hands exist. Rows beyond it, of a
run that was killed, are cut off and their hands played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .atomic_files import sibling_path, sole_writer, unwritable, whole_file
from .request import Request
from .tables import METADATA, parse_metadata

if TYPE_CHECKING:
    import pyarrow as pa

ROW_GROUP = 1 << 16
"""Hands in a row group of a file of records, whatever the chunks."""

MOST_WAITING = 1 << 20
"""Hands whose rows wait in memory while the disk is full."""

END = 8
"""Bytes that end an Arrow stream; they are left out, so that more may follow."""

RecordRows = NDArray[np.int16]


def stream_of(path: Path) -> Path:
    """The file of the rows of a run that is not complete."""
    return sibling_path(path, ".partial")


class Records:
    """The rows of a run from hand ``first`` on, written as it goes on; ``metadata`` is that of the complete file."""

    def __init__(self, path: Path, names: list[str], metadata: Mapping[str, Any], first: int) -> None:
        import pyarrow as pa

        self.path, self.stream = path, stream_of(path)
        self._metadata, self._first = metadata, first
        about = {METADATA: json.dumps({**metadata, "stopped": "interrupted"})}
        self._schema = pa.schema([("hand", pa.int64()), *((name, pa.int16()) for name in names)], about)
        self._saved = 0
        """The number of hands whose rows are on the disk."""
        self._bytes = 0
        """The bytes of the stream that hold them; 0 if the complete file of a shorter run does."""
        self._waiting: list[RecordRows] = []
        self.has_checkpoint = False

    def begin(self, force: bool) -> None:
        """Start without rows; raises ``InputError`` where there are some already, unless ``force`` replaces them."""
        for there in (self.path, self.stream):
            if there.exists() and not force:
                raise InputError(
                    "--records {there!r} is there already (give --force to replace it, or name another file)", there
                )
        self.stream.unlink(missing_ok=True)

    def resume(self, done: int) -> None:
        """Continue after the first ``done`` hands; raises ``InputError`` if their rows are not there."""
        self.has_checkpoint = True
        for file in filter(Path.is_file, (self.stream, self.path)):
            with self._opened(file) as (handle, tables):
                while self._saved < done and (rows := next(tables, None)) is not None:
                    self._saved += len(rows)
                self._bytes = handle.tell() if file == self.stream else 0
            if self._saved == done:
                return
            self._saved = 0
        raise InputError(
            "--records {path!r}: the rows of hands {first:_} to {last:_} are not there (give --force to begin again)",
            self.path, self._first, self._first + done - 1,
        )  # fmt: skip

    def keep(self, rows: RecordRows) -> None:
        """Take the rows of the next hands; a disk that is full for a while does not end the run."""
        self._waiting.append(rows)
        if (many := sum(map(len, self._waiting))) >= ROW_GROUP:
            try:
                self.save()
            except (OSError, InputError):
                if many >= MOST_WAITING:
                    raise

    def save(self) -> None:
        """Append the rows that wait; where that fails, or a signal interrupts it, they wait still."""
        import pyarrow as pa

        if not self._waiting:
            return
        columns = np.concatenate([rows.T for rows in self._waiting], axis=1)
        hands = np.arange(columns.shape[1]) + self._first + self._saved
        rows = pa.Table.from_arrays([pa.array(column) for column in (hands, *columns)], schema=self._schema)
        try:
            with self.stream.open("r+b" if self._bytes else "wb") as handle:
                handle.seek(self._bytes)
                handle.truncate()
                for table in chain(() if self._bytes else self._in_groups(self.path), [rows]):
                    head = len(self._encoded(table.slice(0, 0))) if handle.tell() else 0
                    handle.write(self._encoded(table)[head:])
                handle.flush()
                os.fsync(handle.fileno())
                size = handle.tell()
        except OSError as error:
            raise unwritable(self.stream, error) from None
        self._saved, self._bytes, self._waiting = self._saved + len(rows), size, []

    def _encoded(self, rows: pa.Table) -> bytes:
        """Rows as a stream, without its end, so that more may follow."""
        import pyarrow as pa

        sink, options = pa.BufferOutputStream(), pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(sink, self._schema, options=options) as stream:
            stream.write_table(rows)
        return bytes(sink.getvalue())[:-END]

    def finish(self) -> None:
        """Write all rows of a complete run as one file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._bytes:
            return
        # Quicker than dictionaries, and no larger
        encoding = dict.fromkeys(self._schema.names, "DELTA_BINARY_PACKED")
        options: dict[str, Any] = {"compression": "zstd", "use_dictionary": False, "write_statistics": ["hand"]}
        options["column_encoding"] = encoding
        options["memory_pool"] = pa.system_memory_pool()  # pyarrow's own gives back little of what a row group took
        with whole_file(self.path) as part, part.open("wb") as handle:  # Python's file, whose errors are plain
            file = pq.ParquetWriter(handle, self._schema.remove_metadata(), **options)
            try:
                for group in self._in_groups(self.stream):
                    file.write_table(group, row_group_size=ROW_GROUP)
                file.add_key_value_metadata({METADATA: json.dumps(self._metadata, separators=(",", ":"))})
                file.close()
            finally:
                file.is_open = False  # else it would be closed again when it is collected, with a traceback
        self.stream.unlink()

    def _in_groups(self, file: Path) -> Iterator[pa.Table]:
        """The rows on the disk in row groups, each in one piece, so that the bytes of a file are those of any run."""
        import pyarrow as pa

        rows, left = self._schema.empty_table(), self._saved
        if not left:
            return
        with self._opened(file) as (_, tables):
            while left > 0:
                if (table := next(tables, None)) is None:
                    raise ValueError("too few rows")
                rows, left = pa.concat_tables([rows, table.cast(self._schema)]), left - len(table)
                while len(rows) >= ROW_GROUP or (left <= 0 and len(rows)):
                    yield rows.slice(0, ROW_GROUP).combine_chunks()
                    rows = rows.slice(ROW_GROUP)

    @contextmanager
    def _opened(self, file: Path) -> Iterator[tuple[BinaryIO, Iterator[pa.Table]]]:
        """Yields an open file of rows and its tables; it is closed at the end, as Windows replaces no open file.

        Raises ``InputError`` where it, or what is read of it in the block, is not of this run.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        with file.open("rb") as handle:
            try:
                source: Any = pa.ipc.open_stream(handle) if file == self.stream else pq.ParquetFile(handle)
                if file == self.stream:
                    schema, about, batches = source.schema, source.schema.metadata, source
                else:
                    schema, about = source.schema_arrow, source.metadata.metadata
                    batches = source.iter_batches(ROW_GROUP, use_threads=False)
                metadata = parse_metadata((about or {})[METADATA.encode()].decode())
                if not schema.equals(self._schema) or _identity(metadata) != _identity(self._metadata):
                    raise InputError("--records {part!r} is of another run (give --force to begin again)", file)
                yield handle, (pa.Table.from_batches([batch]) for batch in batches)
            except InputError:
                raise
            except (KeyError, ValueError, OSError) as error:
                if isinstance(error, OSError) and error.errno is not None:  # of the disk, and not of what is read
                    raise
                raise InputError("--records {part!r} is damaged (give --force to begin again)", file) from None


def _identity(metadata: Mapping[str, Any]) -> tuple[Any, ...]:
    """What is the same in the metadata of rows however many there are."""
    request = Request.from_json(json.loads(json.dumps(metadata.get("request"))))
    return (request.identity(), request.effort.first, *map(metadata.get, ("schema", "fingerprint")))


@contextmanager
def write_records(
    path: Path, names: list[str], metadata: Callable[[], Mapping[str, Any]], first: int, done: int | None, force: bool
) -> Iterator[Records]:
    """Writes the rows of a run from hand ``first`` on, resumed after ``done`` hands, or new where that is None.

    ``metadata`` makes the metadata of the file. The rows of a run that fails stay, if there is a checkpoint to resume
    it from.

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
            if not records.has_checkpoint:
                records.stream.unlink(missing_ok=True)
            raise
