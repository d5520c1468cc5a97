"""The expressions that questions are made of: read, checked, and worked out on the features of all cases."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import polars.selectors as cs
from numpy.typing import NDArray

from ..errors import InputError

LARGEST = 10**6
"""The largest number that there can be a mean of: sums and sums of squares of all cases stay exact."""

Mask = NDArray[np.bool_]


def place_of(text: str, word: str) -> str:
    """Where a word stands in an expression, for a reader."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    return f"character {found.start() + 1 if found else 1}"


def parse(text: str) -> pl.Expr:
    try:
        parsed = pl.sql_expr(text)
    except pl.exceptions.PolarsError:
        raise InputError(_not_an_expression(text)) from None
    if not parsed.meta.eq(parsed.meta.undo_aliases()):  # SQL would read "low triple" as low, named triple
        raise InputError(_not_an_expression(text))
    return parsed


def _not_an_expression(text: str) -> str:
    """Says up to where a text can be read."""
    words = list(re.finditer(r"'[^']*'|\"[^\"]*\"|[\w.]+|[<>=!]+|\S", text))
    read = 0
    for number in range(1, len(words)):
        try:
            parsed = pl.sql_expr(text[: words[number - 1].end()])
        except pl.exceptions.PolarsError:
            continue
        if parsed.meta.eq(parsed.meta.undo_aliases()):
            read = number
    if not words:
        return f"{text!r} is not an expression: it is empty (valid: as low and sevens >= 1)"
    rest = text[words[read].start() :]
    return (
        f"{text!r} is not an expression: character {words[read].start() + 1}, {rest!r} cannot be read "
        f"(valid: as low and sevens >= 1)"
    )


def _column(frame: pl.DataFrame, text: str) -> pl.Series:
    parsed = parse(text)
    frame = frame.with_columns(cs.integer().cast(pl.Int64))  # small whole numbers would run over
    some = sorted({0, frame.height // 3, frame.height * 2 // 3, frame.height - 1} & set(range(frame.height)))
    _check_kinds(frame[some], parsed, text)
    try:
        series = frame.select(parsed.alias("answer")).to_series()
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{text!r} cannot be worked out: {_first_line(error)}") from None
    return pl.repeat(series[0], frame.height, dtype=series.dtype, eager=True) if len(series) == 1 else series


def _check_kinds(frame: pl.DataFrame, part: pl.Expr, text: str) -> pl.DataType:
    """The type of a part of an expression; raises ``InputError`` where polars would answer what nobody asked.

    SQL compares true and false with numbers and texts, spreads one number over all cases and counts their rows; these
    are slips here. ``frame`` is a few cases: what is said of each must be the same when it is alone.
    """
    inputs = part.meta.pop()
    kinds = [_check_kinds(frame, one, text) for one in reversed(inputs)]
    names = part.meta.root_names()
    where = place_of(text, names[0]) if names else "character 1"
    try:
        answer = frame.select(part.alias("answer")).to_series()
    except pl.exceptions.PolarsError:
        if not kinds:
            raise InputError(f"{text!r}, {where}: cannot be worked out (valid: as low and sevens >= 1)") from None
        said = " and ".join(_kind(kind) for kind in kinds)
        raise InputError(
            f"{text!r}, {where}: {said} cannot be put together so (valid: ranks = 'A7K', total > 3, low and not triple)"
        ) from None
    alone = [frame[row].select(part.alias("answer")).to_series() for row in range(frame.height if names else 1)]
    if not answer.equals(pl.concat(alone), null_equal=True):
        raise InputError(
            f"{text!r}, {where}: says one thing of all cases (valid: what can be true or not of each, as low)"
        )
    truths = [kind for kind in kinds if kind == pl.Boolean]
    others = [kind for kind in kinds if kind.is_numeric() or kind == pl.String]
    if len(kinds) == 2 and len(truths) == 1 and others:
        raise InputError(
            f"{text!r}, {where}: compares what is true or false with {_kind(others[0])} (valid: low, or total > 3)"
        )
    return answer.dtype


def truth_of(frame: pl.DataFrame, text: str) -> Mask:
    series = _column(frame, text)
    if series.dtype != pl.Boolean:
        raise InputError(
            f"{text!r} is not true or false but {_kind(series.dtype)} (valid: a comparison, as {text} > 3)"
        )
    return series.fill_null(False).to_numpy()


def numbers_of(frame: pl.DataFrame, text: str) -> NDArray[np.int64]:
    series = _column(frame, text)
    if series.dtype == pl.Boolean:
        series = series.cast(pl.Int64)
    if not series.dtype.is_integer():
        raise InputError(f"{text!r} is not a whole number but {_kind(series.dtype)} (valid: as total or bonus_points)")
    numbers = series.to_numpy().astype(np.int64)
    if len(numbers) and max(-int(numbers.min()), int(numbers.max())) > LARGEST:
        raise InputError(f"{text!r} is too large to be added up (valid: numbers up to {LARGEST:_})")
    return numbers


def groups_of(frame: pl.DataFrame, text: str) -> tuple[list[str], NDArray[np.int64]]:
    """The values of an expression as text, and which of them each case has."""
    series = _column(frame, text)
    if not (series.dtype.is_integer() or series.dtype in (pl.Boolean, pl.String)):
        raise InputError(f"{text!r} is {_kind(series.dtype)} (valid: a whole number or a text, as total or ranks)")
    values, group = np.unique(series.cast(pl.String).fill_null("null").to_numpy(), return_inverse=True)
    return [str(value) for value in values], group


def _kind(kind: pl.DataType) -> str:
    return "a text" if kind == pl.String else "what is true or false" if kind == pl.Boolean else "a number"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
