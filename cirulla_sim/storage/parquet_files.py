"""The one way in which parquet files are opened: result tables and hand records, with or without a digest.

By pyarrow, which refuses damaged files; polars may end the process. Nothing is decoded before it is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from ..core.errors import InputError

METADATA = "cirulla_sim"
"""The name of the metadata of cirulla-sim among the texts of a file."""

MOST_COLUMNS = 500
"""The most columns of a file that is read; for rows see ``result_schema``."""


def opened(file: IO[bytes]) -> tuple[Any, dict[str, str]]:
    """A parquet file, its columns not read yet, and its texts by name.

    Raises ``ValueError`` or ``OSError`` for other bytes, and for columns of types that no file of cirulla-sim has.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    dictionary = [name for name in pq.read_schema(file).names if "." not in name]
    file.seek(0)
    parquet = pq.ParquetFile(file, read_dictionary=dictionary)
    about = parquet.metadata
    if about.num_columns > MOST_COLUMNS:
        raise ValueError("too many columns")
    for column in parquet.schema_arrow:
        dtype = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if not any(is_type(dtype) for is_type in _types()):
            raise ValueError(f"a column of {dtype}")
    return parquet, {name.decode(): text.decode() for name, text in (about.metadata or {}).items()}


def _types() -> tuple[Callable[[Any], bool], ...]:
    """Types of the columns of tables."""
    from pyarrow import types

    return (
        types.is_large_string, types.is_string, types.is_string_view, types.is_floating, types.is_integer,
        types.is_boolean, types.is_null,
    )  # fmt: skip


def decoded(parquet: Any) -> Any:
    """The table of an opened file; raises ``InputError`` for bytes that are no table, and for texts that are no UTF-8.

    Polars would end the process with either.
    """
    try:
        table = parquet.read().combine_chunks()
        table.validate(full=True)
    except (ValueError, OSError):
        raise InputError("its table is damaged") from None
    return table
