"""Result tables: one row a quantity, written whole or not at all, with how they were made."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs

from ..core.errors import InputError
from ..core.numerals import UNKNOWN
from ..stats.estimates import Estimate
from .atomic_files import whole_file
from .request import Request

SCHEMA = {
    "quantity": pl.String,  # a name of the vocabulary
    "per": pl.String,  # one trial: holding, table, stage, hand, side, play, game
    "side": pl.String,  # all, dealer, others
    "kind": pl.String,  # probability, mean, difference, interaction, share, ratio, maximum, part
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
"""What stands behind the kind of a file in its ``schema``: the format of its metadata."""

MOST_ROWS = 10**7
"""Rows of the longest table there is, the chances from every score; longer ones, perhaps of nothing, are not read."""

_DIGEST, _UNSEALED = "cirulla_sim_digest", "0" * 32
_SEAL = re.compile(rb"cirulla_sim_digest.{1,4}?([0-9a-f]{32})", re.DOTALL)
"""The name of a file's digest among its texts, and the digest, as they lie in a parquet file."""


def empty_row() -> dict[str, Any]:
    """A row of nulls."""
    return dict.fromkeys(SCHEMA)


def estimate_row(
    quantity: str, per: str, side: str, kind: str, estimate: Estimate, value: float | None = None
) -> dict[str, Any]:
    """The row of an estimate; ``value`` is that of a distribution's row."""
    return empty_row() | {
        "quantity": quantity,
        "per": per,
        "side": side,
        "kind": kind,
        "value": None if value is None else f"{value:g}",
        "estimate": estimate.value,
        "std_error": estimate.std_error,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "n": estimate.n,
    }


def table(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """The table of some rows, with the columns of the contract."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def write_part(
    frame: pl.DataFrame, part: Path, metadata: dict[str, Any], kept: Mapping[str, str] | None = None
) -> None:
    """Write a result table with its metadata to the part of a ``whole_file``; same content, same bytes.

    ``kept`` are more texts, by name, for ``read_kept``. A digest of the file tells later whether it is as written.
    """
    kept = {METADATA: json.dumps(metadata, separators=(",", ":"))} | dict(kept or {}) | {_DIGEST: _UNSEALED}
    made = BytesIO()  # written to the disk by Python, which says plainly what the disk says
    frame.write_parquet(made, metadata=kept)
    part.write_bytes(_sealed(made.getvalue()))


def _sealed(file: bytes) -> bytes:
    """A file that holds a digest of itself, made as if that were zeros."""
    found = _SEAL.search(file)
    assert found is not None
    digest = blake2b(file, digest_size=len(_UNSEALED) // 2).hexdigest()
    return file[: found.start(1)] + digest.encode() + file[found.end(1) :]


def _is_whole(file: bytes, seal: re.Match[bytes]) -> bool:
    """Whether a file is as it was written: its digest is that of the file with zeros in its place."""
    return _sealed(file[: seal.start(1)] + _UNSEALED.encode() + file[seal.end(1) :]) == file


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

    Raises ``InputError`` if there is no such file, it is not one of ours, or it is not as it was written.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file (valid: a parquet file written by cirulla-sim)")
    file = path.read_bytes()
    found = _SEAL.search(file)
    if found is not None and not _is_whole(file, found):
        raise InputError(f"{path}: is damaged, not as it was written (make it again by the command that made it)")
    try:
        if found is None and not (file.endswith(_END) and _can_be_read(path)):  # ours are known to be whole
            raise ValueError("no table, or damaged")
        frame = pl.read_parquet(path)
        made = json.loads(pl.read_parquet_metadata(path)[METADATA])
        if not isinstance(made["schema"], str):  # what every file of ours says
            raise TypeError("a name")
    except (KeyError, TypeError, ValueError, RecursionError, OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: is not a result file of cirulla-sim (valid: a parquet file written by it)") from None
    _check_metadata(path, made)
    return frame, made


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


def read_kept(path: Path) -> dict[str, str]:
    """The texts kept in a result file, by name; not its digest, which is of the whole file."""
    return {name: text for name, text in pl.read_parquet_metadata(path).items() if name != _DIGEST}


def render(frame: pl.DataFrame, form: str) -> str:
    """A table as text: ``table`` for a reader, or json, csv, markdown, latex, html.

    >>> print(render(pl.DataFrame({"quantity": ["knock"], "estimate": [0.5]}), "csv"))
    quantity,estimate
    knock,0.5
    """
    if form == "json":
        finite = pl.when(cs.float().is_finite()).then(cs.float())  # JSON has no infinity
        frame = frame.with_columns(finite) if any(kind.is_float() for kind in frame.dtypes) else frame
        return json.dumps(frame.to_dicts(), indent=None, separators=(", ", ": "), ensure_ascii=False)
    if form == "csv":
        return frame.write_csv().rstrip("\n")
    if form == "table":
        return _aligned(frame)
    printed = frame.to_pandas().astype(object)
    printed = printed.where(printed.notna(), "").replace([math.inf, -math.inf], UNKNOWN)
    if form == "markdown":
        return printed.to_markdown(index=False)
    text = printed.to_latex(index=False, escape=True) if form == "latex" else printed.to_html(index=False)
    return text.rstrip("\n")


def headlines(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table that are no part of a distribution; of a table of distributions alone, all."""
    alone = frame.filter(pl.col("value").is_null())
    return alone if alone.height else frame


def legible(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells as text, nulls blank, columns of nulls left out; no more decimals than the standard error allows."""
    shown = [name for name in frame.columns if frame[name].null_count() < frame.height]
    rows = [
        [_short(row[name], _decimals(row) if name in _ESTIMATES else None) for name in shown]
        for row in frame.to_dicts()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(shown, pl.String), orient="row")


def _aligned(frame: pl.DataFrame) -> str:
    """The legible cells in aligned columns."""
    shown = legible(frame)
    columns = [[name, *shown[name]] for name in shown.columns] if shown.height else []
    widths = [max(len(cell) for cell in column) for column in columns]
    numeric = [frame[name].dtype.is_numeric() for name in shown.columns]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numeric, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


_ESTIMATES = ("estimate", "std_error", "ci_low", "ci_high")


def _decimals(row: dict[str, Any]) -> int | None:
    """How many decimals show two figures of a row's standard error; of half the interval where the error is 0.

    What is no estimate and has no error, as the largest number seen, is whole; None where the error is not known.
    """
    if row.get("std_error") is None:
        return 0
    if not math.isfinite(row["std_error"]):
        return None
    error = row["std_error"] or (row["ci_high"] - row["ci_low"]) / 2
    return min(12, max(0, 1 - math.floor(math.log10(error)))) if 0 < error < math.inf else 6


def _short(value: Any, decimals: int | None = None) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        if not math.isfinite(value):
            return UNKNOWN
        return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
    if isinstance(value, int):
        return f"{value:_}"
    return str(value)
