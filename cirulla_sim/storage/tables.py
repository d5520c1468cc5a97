"""Result files: tables of one row a quantity with their metadata, written whole or not at all, checked when read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..stats.estimates import Estimate
from .atomic_files import whole_file
from .request import Request

FORMAT = "2"
"""The format of metadata: in ``schema`` it follows the kind of a file."""

METADATA = "cirulla_sim"
"""The name of the metadata among the texts of a parquet file."""

MOST_BYTES, MOST_METADATA = 1 << 30, 1 << 20
"""The largest file that is read, and the most characters of its metadata."""

LARGEST, MOST_QUANTITIES = 10**15, 1000
"""The largest estimate and number of trials of a file, and the most quantities."""
MOST_ROWS, MOST_SCORES, LEAST_A_ROW, MOST_COLUMNS = 1 << 16, 1 << 21, 2, 64
"""The most rows of a table; of one of chances from every score, if each row has so many bytes; the most columns."""

MOST_TEXT, TEXT_A_ROW = 1 << 22, 128
"""The most bytes of text in a table, and as many more for each row: a small file can stand for any amount."""

_DIGEST, _UNSEALED = "cirulla_sim_digest", "0" * 32
_SEAL = re.compile(rb"cirulla_sim_digest.{1,4}?([0-9a-f]{32})", re.DOTALL)
"""A digest and its name, as they are in the bytes of a parquet file."""

SCHEMA = {
    "quantity": pl.String,  # a name of the vocabulary
    "per": pl.String,  # one trial: holding, table, stage, hand, side, play, game
    "side": pl.String,  # all, dealer, others
    "kind": pl.String,  # one of KINDS
    "value": pl.String,  # of a distribution's row: a score, a length, a number of sevens; else null
    "estimate": pl.Float64,
    "std_error": pl.Float64,
    "ci_low": pl.Float64,  # 95%
    "ci_high": pl.Float64,
    "n": pl.Int64,  # trials; null for exact rows
    "exact": pl.String,  # fraction; else null
}
KINDS = (
    "probability", "share", "mean", "ratio", "difference", "probability difference", "interaction", "maximum",
    "minimum", "quantile", "standard deviation", "correlation",
)  # fmt: skip

_TYPES = (
    SCHEMA
    | dict.fromkeys(("policy", "opponent", "rules", "play", "reason", "by", "share_exact"), pl.String)
    | dict.fromkeys(("score", "dealer", "method"), pl.String)
    | dict.fromkeys(("gain", "p_holm", "p_tukey", "share", "difference", "of_one"), pl.Float64)
    | dict.fromkeys(("simulated", "simulated_low", "simulated_high"), pl.Float64)
    | dict.fromkeys(("simulated_n", "hand", "us", "them"), pl.Int64)
)
"""The types of all columns."""


class FileKind(NamedTuple):
    """A kind of file: the verb that writes it, and its columns besides ``SCHEMA``, some of which may be left out."""

    verb: str
    columns: str = ""
    optional: str = ""


VERB_KINDS = {
    "simulate": FileKind("simulate"),
    "simulate-line-ups": FileKind("simulate", "policy gain p_holm"),
    "games": FileKind("games"),
    "games-line-ups": FileKind("games", "policy gain p_holm"),
    "win-table": FileKind("games", "us them dealer"),
    "win-chance": FileKind("games", "score dealer method"),
    "compare": FileKind("compare", "rules gain p_holm"),
    "compare-line-ups": FileKind("compare", "policy rules gain p_holm"),
    "compare-nights": FileKind("compare", "rules gain p_holm"),
    "odds": FileKind(
        "odds", "", "by share share_exact simulated simulated_low simulated_high difference simulated_n hand of_one"
    ),
    "tournament": FileKind("tournament", "policy opponent p_holm p_tukey"),
    "advise": FileKind("advise", "play p_holm", "reason"),
}
"""Kinds of files of the verbs; any other is a study's, with columns of its own."""


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
    if row["n"] is None or row["ci_low"] is None or row["std_error"] is None:
        return None
    return Estimate(row["estimate"], row["std_error"], row["ci_low"], row["ci_high"], row["n"])


def make_frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """The table of some rows, with the columns of the contract."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def write_table(
    frame: pl.DataFrame, path: Path, metadata: Mapping[str, Any], stored: Mapping[str, str] | None = None
) -> None:
    """Write a result table to parquet with its metadata, whole or not at all; same content, same bytes.

    ``stored`` are other texts by name. A digest of the file tells later whether it is as written.
    """
    texts = {METADATA: json.dumps(metadata, separators=(",", ":"))} | dict(stored or {}) | {_DIGEST: _UNSEALED}
    buffer = BytesIO()  # written to the disk by Python, whose errors are plain
    frame.write_parquet(buffer, metadata=texts)
    with whole_file(path) as part:
        part.write_bytes(_sealed(buffer.getvalue()))


def _sealed(file: bytes) -> bytes:
    """A file with a digest of itself, computed with zeros in its place."""
    seal = _SEAL.search(file)
    assert seal is not None
    digest = blake2b(file, digest_size=len(_UNSEALED) // 2).hexdigest()
    return file[: seal.start(1)] + digest.encode() + file[seal.end(1) :]


@dataclass(frozen=True, repr=False)
class ResultTable:
    """A table of one row a quantity, and how it came about.

    ``metadata`` is what its file says of it: the request, version, command, policies, seed, hands, how it ended.
    ``remarks`` are what a reader should know besides, and ``method`` says how it was made.
    """

    frame: pl.DataFrame
    metadata: Mapping[str, Any]
    remarks: tuple[str, ...] = ()
    exit_code: int = 0
    """0, or 3 where a precision was not reached, 130 where it was interrupted."""
    stored: Mapping[str, str] = field(default_factory=dict)
    """What its file stores beside the table to be resumed from, by name."""
    only: tuple[str, ...] = ()
    """The quantities to be shown, none for all."""
    method: tuple[str, ...] = ()


Contents = tuple[pl.DataFrame, dict[str, Any], dict[str, str]]
"""What a file holds: its table, its metadata, and the texts to resume from by name."""


def read_table(path: Path) -> Contents:
    """All that a result file holds.

    Reading imports nothing, opens no other file and runs nothing, whatever the file names. Raises ``InputError`` if
    there is no such file, cirulla-sim did not write it, or it is damaged.
    """
    if not path.is_file():
        raise InputError("{path}: there is no such file (valid: a parquet file written by cirulla-sim)", path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError("it is larger than any")
        return _contents(path.read_bytes())
    except InputError as error:
        raise InputError("{path}: no result of cirulla-sim ({error})", path, error) from None
    except OSError as error:
        raise InputError(
            "{path}: cannot be read: {reason} (valid: a file that you may read)", path, Message(str(error.strerror))
        ) from None


def _contents(file: bytes) -> Contents:
    """What a file holds; raises ``InputError`` that says what is wrong with it."""
    seal = _SEAL.search(file)
    if seal is None:
        raise InputError("it has no digest, as a file of records or of another program")
    if _sealed(file[: seal.start(1)] + _UNSEALED.encode() + file[seal.end(1) :]) != file:
        raise InputError("it is damaged: its digest is of other bytes")
    try:
        texts = pl.read_parquet_metadata(BytesIO(file))
        metadata = parse_metadata(texts.pop(METADATA))
    except (KeyError, ValueError, pl.exceptions.PolarsError):
        raise InputError("it has no metadata of a result") from None
    if metadata["schema"].rpartition("/")[2] != FORMAT:
        version = metadata.get("version", "0.1")
        raise InputError(
            "it was written by cirulla-sim {version!r}, in a format that this version does not read", version
        )
    try:
        frame = _frame(file, metadata)
    except pl.exceptions.PolarsError:
        raise InputError("its table cannot be read") from None
    stored = {name: text for name, text in texts.items() if name.startswith(METADATA) and name != _DIGEST}
    return frame, metadata, stored


def parse_metadata(text: str) -> dict[str, Any]:
    """The metadata of a file; raises ``ValueError`` for anything else."""
    try:
        metadata = json.loads(text) if len(text) <= MOST_METADATA else None
    except RecursionError:
        metadata = None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("schema"), str):
        raise ValueError("no metadata of cirulla-sim")
    return metadata


def _frame(file: bytes, metadata: Mapping[str, Any]) -> pl.DataFrame:
    """The table of a file, read a column at a time; raises ``InputError`` for one that is larger than any result."""
    columns = pl.read_parquet_schema(BytesIO(file))
    _check(columns, metadata)
    rows = pl.scan_parquet(BytesIO(file)).select(pl.len()).collect().item()
    most = max(MOST_ROWS, min(MOST_SCORES, len(file) // LEAST_A_ROW))
    if rows > most:
        raise InputError("its table has {rows:_} rows, and at most {most:_} are possible", rows, most)
    table, text = list[pl.Series](), 0
    for name, dtype in columns.items():
        table.append(pl.read_parquet(BytesIO(file), columns=[name])[name])
        text += int(table[-1].str.len_bytes().sum()) if dtype == pl.String else 0
        if text > MOST_TEXT + TEXT_A_ROW * rows:
            raise InputError("its table has more text than any")
    frame = pl.DataFrame(table)
    cells = (column.drop_nulls() for column in table if column.dtype == pl.String)
    for words in chain(_texts_in(metadata), *cells):
        if found := _CONTROL.search(words):
            raise InputError("it has a control character, {character}", ascii(found[0]))
    if set(SCHEMA) <= set(columns):
        _check_rows(frame)
    return frame


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What would command a terminal, or turn the direction of a text: no result has it."""


def _texts_in(metadata: Mapping[str, Any]) -> Iterator[str]:
    """The texts in metadata, names too."""
    rest: list[object] = [metadata]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            rest += [*value, *value.values()]
        elif isinstance(value, list):
            rest += value


_WRONG = {
    "a number that is none": pl.col("estimate", "std_error", "ci_low", "ci_high").is_nan(),
    "a negative error": pl.col("std_error") < 0,
    "a number beyond all results": pl.col("estimate").abs() > LARGEST,
    "a number of trials that no run has": ~pl.col("n").is_between(0, LARGEST),
    "an interval upside down": pl.col("ci_low") > pl.col("ci_high"),
    "a kind that no result has": ~pl.col("kind").is_in(KINDS),
}
"""What no row has."""


def _check_rows(frame: pl.DataFrame) -> None:
    """Raise ``InputError`` for rows that no run writes: they would be shown as if they were true."""
    for fault, wrong in _WRONG.items():
        if frame.select(pl.any_horizontal(wrong.fill_null(False)).any()).item():
            raise InputError("its table has {fault}", Message(fault))
    if frame.is_duplicated().any():
        raise InputError("its table has a row twice")
    if (several := frame["quantity"].n_unique()) > MOST_QUANTITIES:
        raise InputError("its table has {several:_} quantities (valid: at most {most:_})", several, MOST_QUANTITIES)
    for text, estimate in frame.select("exact", "estimate").drop_nulls("exact").iter_rows():
        exact, number = _EXACT.fullmatch(text), Fraction(estimate)
        number *= abs(number) if exact and exact["root"] else 1  # the squares are compared, with their signs
        nearly = max(Fraction(1), abs(number)) / 10**9
        if exact is None or abs(Fraction(exact["minus"] + exact["of"]) - number) > nearly:
            raise InputError("its table has {exact!r} beside {estimate:g}", text, estimate)


_EXACT = re.compile(r"(?P<minus>-?)(?P<root>sqrt\()?(?P<of>\d{1,4000}(/[1-9]\d{0,3999})?)(?(root)\))")
"""An exact value as results have it: a fraction, or its square root (see ``stats.estimates.LONGEST``)."""


def _check(columns: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for other columns than such a file has, and a request that does not make it.

    A table without rows may have no columns, a study's may have more columns, or none of ``SCHEMA``.
    """
    name = metadata["schema"].partition("/")[0]
    kind = VERB_KINDS.get(name)
    if kind is not None and "request" in metadata:
        request = Request.from_json(metadata["request"])
        if request.verb not in (kind.verb, "study"):
            raise InputError("its request is of {verb!r}, and its table of {schema!r}", request.verb, name)
        for key, value in (("seed", request.effort.seed), ("policies", list(map(str, request.line_ups)))):
            if value and metadata.get(key, value) != value:
                raise InputError("its {key} and its request do not agree", key)
    for column, dtype in columns.items():
        if len(columns) > MOST_COLUMNS or not (dtype.is_numeric() or dtype in (pl.String, pl.Boolean)):
            raise InputError("its table has a column {name!r}, which no such file has", column)
    if not columns or (kind is None and not set(SCHEMA) <= set(columns)):
        return
    needed, optional = [*SCHEMA], list[str]()
    if kind is not None:
        needed, optional = [*needed, *kind.columns.split()], kind.optional.split()
        for column in columns:
            if column not in (*needed, *optional):
                raise InputError("its table has a column {name!r}, which no such file has", column)
    for column in (*needed, *(column for column in optional if column in columns)):
        if columns.get(column) != _TYPES[column]:
            raise InputError("its table has no column {name!r} of the type {type}", column, _TYPES[column])


def headlines(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table that are no part of a distribution; of a table of distributions alone, all."""
    alone = frame.filter(pl.col("value").is_null())
    return alone if alone.height else frame
