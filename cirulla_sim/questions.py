"""Questions about dealt cards as expressions, answered exactly: "low and has_matta", of a holding or a table.

An expression is SQL over the features of ``exact.features``, parsed by polars; nothing a user writes is run as Python.

>>> from cirulla_sim.rules import build
>>> ask(build("cirulla"), "low and has_matta", of="holding")["exact"].item()
'53/2470'
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from .errors import InputError, unknown
from .exact.features import VOCABULARY, columns
from .rules import Rules
from .tables import empty_row, table


def ask(
    rules: Rules,
    question: str | None,
    of: str = "holding",
    given: str | None = None,
    by: str | None = None,
    mean: str | None = None,
) -> pl.DataFrame:
    """The exact answer as a result table (see ``tables``), counted over every holding of three cards or table of four.

    ``question`` is what must be true; ``given`` restricts to the cases where it is true. ``mean`` asks for the mean of
    an expression instead, in the cases where the question, if any, is true too. ``by`` splits the answer by the values
    of an expression: for a question the chance of it and this value together, for a mean the mean at this value.

    Raises ``InputError`` that quotes the expression, for unknown names, syntax, types, and a condition never true.
    """
    expressions = [text for text in (question, given, by, mean) if text is not None]
    names = tuple(dict.fromkeys(name for text in expressions for name in _names(text, of)))
    frame = columns(of, rules, names or ("total",))
    size = frame.height
    case = _truth(frame, given) if given is not None else np.ones(size, np.bool_)
    if not case.any():
        raise InputError(f"{given!r} is never true of a {of}: nothing can be asked given that")
    told = _truth(frame, question) if question is not None else np.ones(size, np.bool_)
    asked = " ".join(
        word for word in (f"mean of {mean}" if mean else None, question, f"given {given}" if given else None) if word
    )
    groups: list[tuple[float | None, np.ndarray]] = [(None, np.ones(size, np.bool_))]
    if by is not None:
        key = _numbers(frame, by)
        groups = [(float(value), key == value) for value in np.unique(key[case])]
    rows = []
    for value, group in groups:
        if mean is not None:
            inside = case & told & group
            if not inside.any():
                continue
            numbers = _numbers(frame, mean)[inside]
            answer = Fraction(int(numbers.sum()), len(numbers))
        else:
            answer = Fraction(int((case & told & group).sum()), int(case.sum()))
        rows.append(_row(asked or f"by {by}", of, "mean" if mean is not None else "probability", value, answer))
    if not rows:
        raise InputError(f"{question!r} is never true of a {of} here: there is no mean of nothing")
    return table(rows)


def describe(of: str) -> list[tuple[str, str]]:
    """The features of a holding or a table, each with a sentence."""
    return [(name, sentence) for name, (sentence, _) in VOCABULARY[of].items()]


def _row(quantity: str, per: str, kind: str, value: float | None, answer: Fraction) -> dict[str, Any]:
    p = float(answer)
    text = None if value is None else f"{value:g}"
    numbers = {"value": text, "estimate": p, "std_error": 0.0, "ci_low": p, "ci_high": p, "exact": str(answer)}
    return empty_row() | {"quantity": quantity, "per": per, "side": "all", "kind": kind} | numbers


def _parsed(text: str) -> pl.Expr:
    try:
        return pl.sql_expr(text)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{text!r} is not an expression: {_first_line(error)} (valid: as low and sevens >= 1)"
        ) from None


def _names(text: str, of: str) -> Iterable[str]:
    """The features an expression speaks of; raises ``InputError`` that points at a name that is none."""
    names = _parsed(text).meta.root_names()
    for name in names:
        if name not in VOCABULARY[of]:
            where = f"{text!r}, character {text.find(name) + 1}: "
            raise unknown(f"feature of a {of}", name, VOCABULARY[of], where=where)
    return names


def _column(frame: pl.DataFrame, text: str) -> pl.Series:
    try:
        series = frame.select(_parsed(text).alias("answer")).to_series()
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{text!r} cannot be worked out: {_first_line(error)}") from None
    if len(series) != frame.height:
        raise InputError(f"{text!r} says one thing of all cases (valid: what can be true or not of each, as low)")
    return series


def _truth(frame: pl.DataFrame, text: str) -> np.ndarray:
    series = _column(frame, text)
    if series.dtype != pl.Boolean:
        raise InputError(f"{text!r} is not true or false but {_kind(series)} (valid: a comparison, as {text} > 3)")
    return series.fill_null(False).to_numpy()


def _numbers(frame: pl.DataFrame, text: str) -> np.ndarray:
    series = _column(frame, text)
    if series.dtype == pl.Boolean:
        series = series.cast(pl.Int64)
    if not series.dtype.is_integer():
        raise InputError(f"{text!r} is not a whole number but {_kind(series)} (valid: as total or bonus_points)")
    return series.to_numpy().astype(np.int64)


def _kind(series: pl.Series) -> str:
    return "a text" if series.dtype == pl.String else "a number"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
