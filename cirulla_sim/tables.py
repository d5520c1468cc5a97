"""Result tables: one row a quantity, written whole or not at all, with how they were made."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from .errors import InputError

SCHEMA = {
    "quantity": pl.String,  # a name of the vocabulary
    "per": pl.String,  # one trial: holding, table, stage, hand, side, play, game
    "side": pl.String,  # all, dealer, others
    "kind": pl.String,  # probability, mean, difference, share, ratio
    "value": pl.Float64,  # of a distribution's row; else null
    "estimate": pl.Float64,
    "std_error": pl.Float64,
    "ci_low": pl.Float64,  # 95%
    "ci_high": pl.Float64,
    "n": pl.Int64,  # trials; null for exact rows
    "exact": pl.String,  # fraction; else null
}
METADATA = "cirulla_sim"
TALLY = "cirulla_sim_tally"
FORMATS = ("table", "json", "csv", "markdown", "latex", "html")


def empty_row() -> dict[str, Any]:
    """A row of nulls."""
    return dict.fromkeys(SCHEMA)


def table(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """The table of some rows, with the columns of the contract."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file to write beside ``path`` that takes its place when all went well, and vanishes when anything went wrong.

    Raises ``InputError`` before anything is done if the folder is missing or cannot be written.
    """
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{path}: the folder {str(folder)!r} does not exist (make it, or name a folder that does)")
    if path.is_dir():
        raise InputError(f"{path}: is a folder (name a file in it)")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=folder)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror} (name a folder you may write to)") from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_part(frame: pl.DataFrame, part: Path, metadata: dict[str, Any], tally: str | None = None) -> None:
    """Write a result table with its metadata to the open part of a ``whole_file``; the same bytes for the same content."""
    kept = {METADATA: json.dumps(metadata, separators=(",", ":"))}
    if tally is not None:
        kept[TALLY] = tally
    try:
        frame.write_parquet(part, metadata=kept)
    except pl.exceptions.PolarsError as error:  # what the disk says comes wrapped
        raise OSError(str(error)) from None


def write(frame: pl.DataFrame, path: Path, metadata: dict[str, Any]) -> None:
    """Write a result table to parquet with its metadata, whole or not at all."""
    with whole_file(path) as part:
        write_part(frame, part, metadata)


def read(path: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A result table and its metadata.

    Raises ``InputError`` if there is no such file or it is not one of ours.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file (valid: a parquet file written by cirulla-sim)")
    try:
        metadata = pl.read_parquet_metadata(path)
        frame = pl.read_parquet(path)
        made = json.loads(metadata[METADATA])
    except (KeyError, ValueError, OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: is not a result file of cirulla-sim (valid: a parquet file written by it)") from None
    return frame, made


def read_tally(path: Path) -> str:
    """The tally kept in a file of ``simulate``, as text.

    Raises ``InputError`` if the file has none.
    """
    read(path)
    metadata = pl.read_parquet_metadata(path)
    if TALLY not in metadata:
        raise InputError(f"{path}: holds no tally to go on from (valid: a file written by cirulla-sim simulate)")
    return metadata[TALLY]


def render(frame: pl.DataFrame, form: str) -> str:
    """A table as text: ``table`` for a reader, or json, csv, markdown, latex, html.

    >>> print(render(table([empty_row() | {"quantity": "knock", "estimate": 0.5}]).select("quantity", "estimate"), "csv"))
    quantity,estimate
    knock,0.5
    """
    if form == "json":
        return json.dumps(frame.to_dicts(), indent=None, separators=(", ", ": "), ensure_ascii=False)
    if form == "csv":
        return frame.write_csv().rstrip("\n")
    if form == "table":
        return _for_readers(frame)
    printed = frame.to_pandas()
    if form == "markdown":
        return printed.to_markdown(index=False)
    return (printed.to_latex(index=False, escape=True) if form == "latex" else printed.to_html(index=False)).rstrip("\n")


def _for_readers(frame: pl.DataFrame) -> str:
    """Aligned columns, short numbers, nulls blank; columns of nulls are left out."""
    shown = [name for name in frame.columns if frame[name].null_count() < frame.height]
    columns = [[name, *(_short(value) for value in frame[name])] for name in shown]
    widths = [max(len(cell) for cell in column) for column in columns]
    numeric = [frame[name].dtype.is_numeric() for name in shown]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numeric, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _short(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if value == int(value) and abs(value) < 1e6 else f"{value:.6g}" if abs(value) < 10 else f"{value:.4f}"
    if isinstance(value, int):
        return f"{value:_}"
    return str(value)
