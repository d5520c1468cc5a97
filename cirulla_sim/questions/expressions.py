"""Expressions evaluated on the features of all cases: truths, numbers and groups.

What has no exact answer is refused in one line: a division by zero, a number too large to be exact, a root of what
is negative, texts that are put in order, a set of cards that cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from .grammar import Node, quoted
from .vocabulary import in_order

LARGEST = 10**6
"""The largest number that there can be a mean of: sums and sums of squares of all cases stay exact."""

EXACT = 2**53
"""Whole numbers up to here are exact as decimals too."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Expression:
    """An expression as it was written, and its tree in the words of a vocabulary."""

    text: str
    tree: Node


@dataclass(frozen=True)
class _Value:
    """What a part is worth in each case: an array of one kind (texts a series), or one for all of them."""

    kind: str  # truth, number, text
    data: Any
    words: str = ""  # the feature that it is, if it is one
    some: bool = False  # whether alone it means one or more


_NAMES = {"truth": "what is true or false", "number": "a number", "text": "a text"}


class _Evaluation:
    """Works out the parts of an expression in the cases of a frame."""

    def __init__(self, expression: Expression, frame: pl.DataFrame) -> None:
        self.expression, self.frame = expression, frame

    def fail(self, node: Node, reason: str) -> NoReturn:
        raise InputError(f"{quoted(self.expression.text)}, character {node.at + 1}: {reason}") from None

    def of(self, node: Node) -> _Value:
        match node.name:
            case "word":
                return _column(self.frame[node.value], node)
            case "number" | "truth" | "text":
                return _Value(node.name, node.value)
        parts = [self.of(part) for part in node.parts]
        if node.name in TRUTHS:
            return _Value("truth", TRUTHS[node.name](*(self._truth(node, part) for part in parts)))
        if node.name in ("compare", "in"):
            return self._compared(node, parts)
        if node.name == "length":
            if parts[0].kind != "text":
                self.fail(node, f"length of {_NAMES[parts[0].kind]} (valid: of a text, as length(ranks))")
            lengths = pl.Series([parts[0].data], dtype=pl.String) if isinstance(parts[0].data, str) else parts[0].data
            return _Value("number", lengths.str.len_chars().cast(pl.Int64).to_numpy())
        return self._number(node, [self._as_number(node, part) for part in parts])

    def _truth(self, node: Node, part: _Value) -> Any:
        if part.kind == "number" and part.some:
            return part.data > 0
        if part.kind != "truth":
            self.fail(node, f"{_NAMES['truth']} and {_NAMES[part.kind]} cannot be put together so {_SO}")
        return part.data

    def _as_number(self, node: Node, part: _Value) -> Any:
        """A number as it is; true counts 1."""
        if part.kind == "text":
            self.fail(node, f"a text and a number cannot be put together so {_SO}")
        return np.asarray(part.data).astype(np.int64) if part.kind == "truth" else part.data

    # ------------------------------------------------------------------------------------ comparisons

    def _compared(self, node: Node, parts: Sequence[_Value]) -> _Value:
        if node.name == "in":
            truths = (self._pair(node, parts[0], "=", other) for other in parts[1:])
            return _Value("truth", reduce(np.logical_or, truths))
        pairs = zip(parts, node.value, parts[1:], strict=False)
        return _Value("truth", reduce(np.logical_and, (self._pair(node, *pair) for pair in pairs)))

    def _pair(self, node: Node, left: _Value, sign: str, right: _Value) -> Any:
        kinds = {left.kind, right.kind}
        if len(kinds) > 1:
            if "truth" in kinds:
                other = left.kind if right.kind == "truth" else right.kind
                self.fail(node, f"compares what is true or false with {_NAMES[other]} (valid: low, or total > 3)")
            self.fail(node, f"a text and a number cannot be put together so {_SO}")
        if left.kind == "number":
            return _ordered(left.data, sign, right.data)
        if sign not in ("=", "<>"):
            self.fail(node, f"{_NAMES[left.kind]} has no order (valid: = or <>)")
        if left.kind == "text":
            left, right = self._set(node, left, right), self._set(node, right, left)
        equal = np.asarray(left.data == right.data)
        return equal if sign == "=" else ~equal

    def _set(self, node: Node, written: _Value, feature: _Value) -> _Value:
        """A text as it is; beside a feature that is a set of cards the same set as the feature writes it."""
        kind = feature.words.rpartition("_")[2]
        if not isinstance(written.data, str) or kind not in ("cards", "ranks", "suits") or not len(feature.data):
            return written
        first = feature.data[0]
        size = len(first.split()) if kind == "cards" else len(first)
        try:
            return _Value("text", in_order(kind, written.data, size))
        except InputError as error:
            reason = str(error)
        self.fail(node, f"{quoted(written.data)} {reason} (valid: {size} {kind}, as {first!r})")

    # ------------------------------------------------------------------------------------ numbers

    def _number(self, node: Node, parts: Sequence[Any]) -> _Value:
        with np.errstate(all="ignore"):
            self._check(node, parts)
            value = _NUMBERS[node.name](*parts)
            if np.asarray(value).dtype.kind == "f" and not np.all(np.isfinite(value)):
                self.fail(node, "gives numbers that are too large")
        return _Value("number", value)

    def _check(self, node: Node, parts: Sequence[Any]) -> None:
        """Raise ``InputError`` for what has no answer, or none that is exact."""
        if node.name in ("/", "//", "%") and np.any(np.asarray(parts[1]) == 0):
            self.fail(node, f"divides by zero (valid: by what is never 0, as {node.name} 3; or --given it is not)")
        if node.name == "sqrt" and np.any(np.asarray(parts[0]) < 0):
            self.fail(node, "the square root of a negative number (valid: of 0 or more)")
        most = [float(np.max(np.abs(np.asarray(part, np.float64)), initial=0.0)) for part in parts]
        reached = most[0] * most[1] if node.name == "*" else sum(most)
        if reached > EXACT:
            self.fail(node, f"gives numbers that are too large to be exact (valid: up to {EXACT:_})")


_SO = "(valid: ranks = 'A7K', total > 3, low and not triple)"


def _rounded(of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: of(np.asarray(x, np.float64)).astype(np.int64)


TRUTHS: dict[str, Callable[..., Any]] = {
    "not": np.logical_not,
    "and": lambda *parts: reduce(np.logical_and, parts),
    "or": lambda *parts: reduce(np.logical_or, parts),
}
"""What puts truths together, one or arrays of them."""

_NUMBERS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
    "minus": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "floor": _rounded(np.floor),
    "ceil": _rounded(np.ceil),
    "round": _rounded(np.round),
    "least": lambda *parts: np.minimum.reduce(np.broadcast_arrays(*parts)),
    "greatest": lambda *parts: np.maximum.reduce(np.broadcast_arrays(*parts)),
}


def _ordered(left: Any, sign: str, right: Any) -> Any:
    """A comparison of numbers; decimals that differ by rounding alone are equal."""
    left, right = np.asarray(left), np.asarray(right)
    if "f" in (left.dtype.kind, right.dtype.kind):
        equal = np.abs(left - right) <= 1e-9 * np.maximum(1.0, np.maximum(np.abs(left), np.abs(right)))
    else:
        equal = left == right
    less = (left < right) & ~equal
    return {"=": equal, "<>": ~equal, "<": less, "<=": less | equal, ">": ~(less | equal), ">=": ~less}[sign]


def _column(series: pl.Series, node: Node) -> _Value:
    if series.dtype == pl.String:
        return _Value("text", series, node.value)
    if series.dtype == pl.Boolean:
        return _Value("truth", series.to_numpy(), node.value)
    return _Value("number", series.cast(pl.Int64).to_numpy(), node.value, node.some)


# ------------------------------------------------------------------------------------------------ answers


def _value_of(frame: pl.DataFrame, expression: Expression) -> _Value:
    value = _Evaluation(expression, frame).of(expression.tree)
    if value.kind == "text":
        spread = pl.Series([value.data] * frame.height) if isinstance(value.data, str) else value.data
        return _Value("text", spread, value.words)
    return _Value(value.kind, np.broadcast_to(np.asarray(value.data), frame.height), value.words, value.some)


def truth_of(frame: pl.DataFrame, expression: Expression) -> Mask:
    """What is true of each case: bool[n]; raises ``InputError`` for what is not true or false."""
    value, text = _value_of(frame, expression), quoted(expression.text)
    if value.some:
        return np.asarray(value.data > 0)
    if value.kind != "truth":
        raise InputError(
            f"{text} is not true or false but {_NAMES[value.kind]} (valid: a comparison, as {text.strip(chr(39))} > 3)"
        )
    return np.asarray(value.data)


def numbers_of(frame: pl.DataFrame, expression: Expression) -> NDArray[np.int64]:
    """A whole number of each case, true as 1: int64[n].

    Raises ``InputError`` for other things and for numbers above ``LARGEST``.
    """
    value, text = _value_of(frame, expression), quoted(expression.text)
    if value.kind == "text" or value.data.dtype.kind == "f":
        reason = "a text" if value.kind == "text" else "one with decimals"
        raise InputError(f"{text} is not a whole number but {reason} (valid: as total or bonus_points)")
    numbers = value.data.astype(np.int64)
    if len(numbers) and max(-int(numbers.min()), int(numbers.max())) > LARGEST:
        raise InputError(f"{text} is too large to be added up (valid: numbers up to {LARGEST:_})")
    return np.asarray(numbers)


def groups_of(frame: pl.DataFrame, expression: Expression) -> tuple[list[str], NDArray[np.int64]]:
    """The values of an expression as text, and which of them each case has."""
    value, text = _value_of(frame, expression), quoted(expression.text)
    if value.kind == "text":
        column = value.data
    elif value.data.dtype.kind == "f":
        raise InputError(f"{text} is a number with decimals (valid: a whole number or a text, as total or ranks)")
    else:
        column = pl.Series(value.data)
    values = column.unique(maintain_order=True)
    group = column.replace_strict(values, pl.Series(np.arange(len(values))), return_dtype=pl.Int64)
    return values.cast(pl.String).to_list(), group.to_numpy().astype(np.int64)  # of no cases it would be of objects
