"""Result tables: one row a quantity, written whole or not at all, with metadata."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..stats.estimates import Estimate
from .atomic_files import whole_file
from .request import Request

SCHEMA = {
    "quantity": pl.String,  # a name of the vocabulary
    "per": pl.String,  # one trial: holding, table, stage, hand, side, play, game
    "side": pl.String,  # all, dealer, others
    "kind": pl.String,  # probability, mean, difference, interaction, share, ratio, quantile, maximum, minimum, part
    "value": pl.String,  # of a distribution's row: a score, a length, a number of sevens; else null
    "estimate": pl.Float64,
    "std_error": pl.Float64,
    "ci_low": pl.Float64,  # 95%
    "ci_high": pl.Float64,
    "n": pl.Int64,  # trials; null for exact rows
    "exact": pl.String,  # fraction; else null
}
METADATA = "cirulla_sim"

FORMAT = "2"
"""The format of metadata: in ``schema`` it follows the kind of a file."""

MOST_ROWS = 10**7
"""The most rows that are read: more than those of the longest table, the chances from every score."""

_DIGEST, _UNSEALED = "cirulla_sim_digest", "0" * 32
_SEAL = re.compile(rb"cirulla_sim_digest.{1,4}?([0-9a-f]{32})", re.DOTALL)
"""A digest and its name, as they are in the bytes of a parquet file."""


def empty_row() -> dict[str, Any]:
    """A row of nulls."""
    return dict.fromkeys(SCHEMA)


def estimate_row(
    quantity: str, per: str, side: str, kind: str, estimate: Estimate, value: float | None = None
) -> dict[str, Any]:
    """The row of an estimate; ``value`` is that of a distribution's row."""
    named = {"quantity": quantity, "per": per, "side": side, "kind": kind}
    shown = {"value": None if value is None else f"{value:g}", "estimate": estimate.value}
    interval = {"std_error": estimate.std_error, "ci_low": estimate.low, "ci_high": estimate.high, "n": estimate.n}
    return empty_row() | named | shown | interval


def estimate_of(row: Mapping[str, Any]) -> Estimate | None:
    """The estimate of a row; None for one without an interval, and for an exact one."""
    if row["n"] is None or row["ci_low"] is None:
        return None
    return Estimate(row["estimate"], row["std_error"], row["ci_low"], row["ci_high"], row["n"])


def table(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """The table of some rows, with the columns of the contract."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def write_part(
    frame: pl.DataFrame, part: Path, metadata: dict[str, Any], stored: Mapping[str, str] | None = None
) -> None:
    """Write a result table with its metadata to the part of a ``whole_file``; same content, same bytes.

    ``stored`` are other texts by name, for ``read_stored``. A digest of the file tells later whether it is as written.
    """
    texts = {METADATA: json.dumps(metadata, separators=(",", ":"))} | dict(stored or {}) | {_DIGEST: _UNSEALED}
    buffer = BytesIO()  # written to the disk by Python, whose errors are plain
    frame.write_parquet(buffer, metadata=texts)
    part.write_bytes(_sealed(buffer.getvalue()))


def _sealed(file: bytes) -> bytes:
    """A file with a digest of itself, computed with zeros in its place."""
    seal = _SEAL.search(file)
    assert seal is not None
    digest = blake2b(file, digest_size=len(_UNSEALED) // 2).hexdigest()
    return file[: seal.start(1)] + digest.encode() + file[seal.end(1) :]


_END = b"PAR1"
"""The last bytes of every parquet file."""
_READING = f"""
import sys, polars
path = sys.argv[1]
assert polars.scan_parquet(path).select(polars.len()).collect().item() <= {MOST_ROWS}
polars.read_parquet(path)
"""


def _can_be_read(path: Path) -> bool:
    """Whether polars can read a file at all, tried in another process: damaged bytes may end it.

    With ``-P`` that process imports nothing from the current folder.
    """
    return subprocess.run([sys.executable, "-P", "-c", _READING, str(path)], capture_output=True).returncode == 0


def write(frame: pl.DataFrame, path: Path, metadata: dict[str, Any]) -> None:
    """Write a result table to parquet with its metadata, whole or not at all."""
    with whole_file(path) as part:
        write_part(frame, part, metadata)


def read(path: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A result table and its metadata.

    Raises ``InputError`` if there is no such file, cirulla-sim did not write it, or it is not as it was written.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file (valid: a parquet file written by cirulla-sim)")
    file = path.read_bytes()
    seal = _SEAL.search(file)
    if seal is not None and _sealed(file[: seal.start(1)] + _UNSEALED.encode() + file[seal.end(1) :]) != file:
        raise InputError(f"{path}: is damaged, not as it was written (make it again by the command that made it)")
    try:
        if seal is None and not (file.endswith(_END) and _can_be_read(path)):  # a sealed file is whole
            raise ValueError("no table, or damaged")
        frame = pl.read_parquet(path)
        metadata = json.loads(pl.read_parquet_metadata(path)[METADATA])
        if not isinstance(metadata["schema"], str):
            raise TypeError("schema")
    except (KeyError, TypeError, ValueError, RecursionError, OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: is not a result file of cirulla-sim (valid: a parquet file written by it)") from None
    _check_metadata(path, metadata)
    return frame, metadata


def _check_metadata(path: Path, metadata: dict[str, Any]) -> None:
    """Raise ``InputError`` for metadata of another version of the format, and for a request that cannot be."""
    if metadata["schema"].rpartition("/")[2] != FORMAT:
        version = str(metadata.get("version", "0.1"))[:20]
        raise InputError(
            f"{path}: was written by cirulla-sim {version!r}, in a format that this version does not read "
            "(make it again, or use that version)"
        )
    if "request" in metadata:
        try:
            Request.from_json(metadata["request"])
        except InputError as error:
            raise InputError(f"{path}: {error} (valid: a file as it was written)") from None


def read_stored(path: Path) -> dict[str, str]:
    """The texts stored in a result file, by name, without its digest."""
    return {name: text for name, text in pl.read_parquet_metadata(path).items() if name != _DIGEST}


def headlines(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table that are no part of a distribution; of a table of distributions alone, all."""
    alone = frame.filter(pl.col("value").is_null())
    return alone if alone.height else frame
