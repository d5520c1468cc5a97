"""Expressions evaluated on the terms of all cases: truths, numbers and groups; and the bounds of their values.

What has no exact answer is refused in one line: a division by zero, a number too large to be exact, a root of what
is negative, texts that are put in order, a set of cards that cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import PACK, RANKS, SUITS, parse
from ..core.errors import InputError
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from .parser import Node, error_at
from .question import Expression
from .vocabulary import ANY, Bounds, Term

LARGEST = 10**6
"""The largest number that there can be a mean of: sums and sums of squares of all cases stay exact."""

EXACT = 2**53
"""Whole numbers up to here are exact as decimals too."""

MOST_DECIMALS = 1000
"""The most values with decimals that an answer is split by."""

UNIT = 6
"""Numbers are added up in sixths, so that halves and thirds (a mean of two or three players) stay exact."""

Mask = NDArray[np.bool_]


# ------------------------------------------------------------------------------------------------ operations


class _Operation(NamedTuple):
    """An operation on numbers: of numbers or arrays of them, and of the bounds of its parts."""

    of: Callable[..., Any]
    bounds: Callable[..., Bounds] = lambda *_: ANY


def _of_several(of: Callable[[Any, Any], Any], ends: Callable[[Any], float]) -> _Operation:
    """An operation on any number of numbers, and how the ends of its bounds follow from theirs."""
    return _Operation(lambda *parts: reduce(of, parts), lambda *parts: tuple(map(ends, zip(*parts, strict=True))))


_SUM, _LEAST, _GREATEST = _of_several(np.add, sum), _of_several(np.minimum, min), _of_several(np.maximum, max)
_OPERATIONS = {
    "+": _SUM,
    "together": _SUM,
    "-": _Operation(np.subtract, lambda a, b: (a[0] - b[1], a[1] - b[0])),
    "*": _Operation(
        np.multiply, lambda a, b: (min(ends := [x * y if x and y else 0.0 for x in a for y in b]), max(ends))
    ),
    "/": _Operation(np.true_divide),
    "//": _Operation(np.floor_divide),
    "%": _Operation(np.mod),
    "minus": _Operation(np.negative, lambda a: (-a[1], -a[0])),
    "abs": _Operation(np.abs, lambda a: (max(a[0], -a[1], 0.0), max(-a[0], a[1]))),
    "sqrt": _Operation(np.sqrt),
    "floor": _Operation(lambda x: np.floor(x).astype(np.int64)),
    "ceil": _Operation(lambda x: np.ceil(x).astype(np.int64)),
    "round": _Operation(lambda x: np.round(x).astype(np.int64)),
    "least": _LEAST,
    "greatest": _GREATEST,
    "most": _GREATEST,
    "fewest": _LEAST,
}
_ALL, _ANY_OF = _of_several(np.logical_and, min), _of_several(np.logical_or, max)


def _denied(bounds: Bounds) -> Bounds:
    return 1 - bounds[1], 1 - bounds[0]


_CONNECTIVES = {
    "not": _Operation(np.logical_not, _denied),
    "and": _ALL,
    "everybody": _ALL,
    "or": _ANY_OF,
    "somebody": _ANY_OF,
    "nobody": _Operation(lambda *parts: ~_ANY_OF.of(*parts), lambda *parts: _denied(_ANY_OF.bounds(*parts))),
}


def tree_bounds(node: Node, rules: Rules) -> Bounds:
    """The bounds of a tree of terms, by interval arithmetic; infinite where they are not simple.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from .question import Speaker, bind_words
    >>> from .parser import parse_expression
    >>> rules = build("cirulla")
    >>> difference = parse_expression("sevens(me) - 2 * aces(next)")
    >>> tree_bounds(bind_words("x", difference, Speaker(rules)).tree, rules)
    (-8.0, 4.0)
    """
    match node.name:
        case "term":
            term: Term = node.value
            return term.bounds(rules)
        case "number" | "truth":
            return float(node.value), float(node.value)
    if node.name == "in":
        return tree_bounds(_in_comparisons(node), rules)
    parts = [tree_bounds(part, rules) for part in node.parts]
    if node.name == "compare":
        pairs = zip(parts, node.value, parts[1:], strict=False)
        return _ALL.bounds(*(_bounds_of_comparison(*pair) for pair in pairs))
    if node.name == "range":
        return parts[0][0], parts[1][1]
    if node.name in _CONNECTIVES:
        return _CONNECTIVES[node.name].bounds(*((float(low > 0), float(high > 0)) for low, high in parts))
    return _OPERATIONS[node.name].bounds(*parts) if node.name in _OPERATIONS else ANY


def decide_truth(node: Node, rules: Rules) -> bool | None:
    """What is true, or false, whatever its terms are within their bounds; None where that may be either."""
    low, high = tree_bounds(Node("and", None, (node,)), rules)
    return bool(low) if low == high else None


def _in_comparisons(node: Node) -> Node:
    """Whether a value is one of several or in a range, as comparisons with each."""
    value, *several = node.parts
    each = (
        Node("compare", ("<=", "<="), (one.parts[0], value, one.parts[1]), node.at)
        if one.name == "range"
        else Node("compare", ("=",), (value, one), node.at)
        for one in several
    )
    return Node("or", None, tuple(each), node.at)


def _bounds_of_comparison(left: Bounds, sign: str, right: Bounds) -> Bounds:
    """The bounds of a comparison of two numbers, 1 if it is true whatever they are and 0 if it never is."""
    if sign in (">", ">="):
        return _bounds_of_comparison(right, sign.replace(">", "<"), left)
    if sign == "<>":
        return _denied(_bounds_of_comparison(left, "=", right))
    if sign == "=":
        return 0.0, float(left[0] <= right[1] and right[0] <= left[1])
    of = np.less if sign == "<" else np.less_equal
    return float(of(left[1], right[0])), float(of(left[0], right[1]))


# ------------------------------------------------------------------------------------------------ evaluation


@dataclass(frozen=True)
class _Value:
    """What a part is worth in each case: an array of one kind (texts a series), or one for all of them."""

    kind: str  # truth, number, text
    data: Any
    text_of: str = ""  # what it is a text of: cards, ranks, suits
    alone: Any = None  # of a count: what it means where it stands as a truth


_NAMES = {
    "truth": Message("what is true or false"), "number": Message("a number"), "text": Message("a text")
}  # fmt: skip


class _Evaluation:
    """Works out the parts of an expression in the cases of a frame."""

    def __init__(self, expression: Expression, frame: Frame) -> None:
        self.expression, self.frame = expression, frame

    def fail(self, node: Node, template: str, *values: object) -> NoReturn:
        raise error_at(self.expression.text, node.at, template, *values) from None

    def _fail_together(self, node: Node, one: str, other: str) -> NoReturn:
        valid = Message("(valid: ranks = 'A7K', total > 3, low and not triple)")
        self.fail(node, "{kind} and {other} cannot be put together so {valid}", _NAMES[one], _NAMES[other], valid)

    def of(self, node: Node) -> _Value:
        match node.name:
            case "term":
                return _column(self.frame[node.value.key], node.value)
            case "number" | "truth" | "text":
                return _Value(node.name, node.value)
            case "in":
                return self.of(_in_comparisons(node))
        parts = [self.of(part) for part in node.parts]
        if node.name in _CONNECTIVES:
            return _Value("truth", _CONNECTIVES[node.name].of(*(self._truth(node, part) for part in parts)))
        if node.name == "compare":
            pairs = zip(parts, node.value, parts[1:], strict=False)
            return _Value("truth", reduce(np.logical_and, (self._pair(node, *pair) for pair in pairs)))
        if node.name == "together" and parts[0].alone is not None:
            number = _OPERATIONS[node.name].of(*(part.data for part in parts))
            return _Value("number", number, alone=_ANY_OF.of(*(part.alone for part in parts)))
        if node.name == "length":
            if parts[0].kind != "text":
                self.fail(node, "length of {kind} (valid: of a text, as length(ranks))", _NAMES[parts[0].kind])
            lengths = pl.Series([parts[0].data], dtype=pl.String) if isinstance(parts[0].data, str) else parts[0].data
            return _Value("number", lengths.str.len_chars().cast(pl.Int64).to_numpy())
        if any(part.kind == "text" for part in parts):
            self._fail_together(node, "text", "number")
        numbers = [np.asarray(part.data).astype(np.int64) if part.kind == "truth" else part.data for part in parts]
        with np.errstate(all="ignore"):
            self._check(node, numbers)
            value = _OPERATIONS[node.name].of(*numbers)
            if np.asarray(value).dtype.kind == "f" and not np.all(np.isfinite(value)):
                self.fail(node, "gives numbers that are too large")
        return _Value("number", value)

    def _truth(self, node: Node, part: _Value) -> Any:
        if part.alone is not None:
            return part.alone
        if part.kind != "truth":
            self._fail_together(node, "truth", part.kind)
        return part.data

    # ------------------------------------------------------------------------------------ comparisons

    def _pair(self, node: Node, left: _Value, sign: str, right: _Value) -> Any:
        kinds = {left.kind, right.kind}
        if len(kinds) > 1:
            if "truth" in kinds:
                other = left.kind if right.kind == "truth" else right.kind
                self.fail(node, "compares what is true or false with {other} (valid: low, or total > 3)", _NAMES[other])
            self._fail_together(node, "text", "number")
        if left.kind == "number":
            return _ordered(left.data, sign, right.data)
        if sign not in ("=", "<>"):
            self.fail(node, "{kind} has no order (valid: = or <>)", _NAMES[left.kind])
        if left.kind == "text":
            left, right = self._set(node, left, right), self._set(node, right, left)
        equal = np.asarray(left.data == right.data)
        return equal if sign == "=" else ~equal

    def _set(self, node: Node, written: _Value, feature: _Value) -> _Value:
        """A text as it is; beside a feature that is a set of cards the same set as the feature writes it."""
        kind = feature.text_of
        if not isinstance(written.data, str) or not kind or not len(feature.data):
            return written
        first = feature.data[0]
        size = len(first.split()) if kind == "cards" else len(first)
        try:
            return _Value("text", canonical_set(kind, written.data, size))
        except InputError as error:
            reason = error.message
        self.fail(
            node,
            "{data!r} {reason} (valid: {size} {kind}, as {first!r})",
            written.data, reason, size, Message(kind), first,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------ numbers

    def _check(self, node: Node, parts: Sequence[Any]) -> None:
        """Raise ``InputError`` if there is no answer, or no exact one."""
        if node.name in ("/", "//", "%") and np.any(np.asarray(parts[1]) == 0):
            self.fail(
                node, "divides by zero (valid: by what is never 0, as {name} 3; or given that it is not)", node.name
            )
        if node.name == "sqrt" and np.any(np.asarray(parts[0]) < 0):
            self.fail(node, "the square root of a negative number (valid: of 0 or more)")
        most = [float(np.max(np.abs(np.asarray(part, np.float64)), initial=0.0)) for part in parts]
        reached = most[0] * most[1] if node.name == "*" else sum(most)
        if reached > EXACT:
            self.fail(node, "gives numbers that are too large to be exact (valid: up to {exact:_})", EXACT)


def _ordered(left: Any, sign: str, right: Any) -> Any:
    """A comparison of numbers; decimals that differ by rounding alone are equal."""
    left, right = np.asarray(left), np.asarray(right)
    if "f" in (left.dtype.kind, right.dtype.kind):
        equal = np.abs(left - right) <= 1e-9 * np.maximum(1.0, np.maximum(np.abs(left), np.abs(right)))
    else:
        equal = left == right
    less = (left < right) & ~equal
    return {"=": equal, "<>": ~equal, "<": less, "<=": less | equal, ">": ~(less | equal), ">=": ~less}[sign]


def _column(series: pl.Series, term: Term) -> _Value:
    if series.dtype == pl.String:
        return _Value("text", series, term.name)
    if series.dtype == pl.Boolean:
        return _Value("truth", series.to_numpy())
    numbers = series.to_numpy() if series.dtype.is_float() else series.cast(pl.Int64).to_numpy()
    return _Value("number", numbers, alone=numbers > 0 if term.function.gives == "count" else None)


# ------------------------------------------------------------------------------------------------ answers


class Examples(dict[str, pl.Series]):
    """No cases: columns without rows. Only texts have an example, since sets of cards are compared with its size."""

    height = 0


Frame = pl.DataFrame | Examples


def _value_of(frame: Frame, expression: Expression) -> _Value:
    value = _Evaluation(expression, frame).of(expression.tree)
    if value.kind == "text":
        spread = pl.Series([value.data] * frame.height) if isinstance(value.data, str) else value.data
        return _Value("text", spread, value.text_of)
    data, alone = (
        None if part is None else np.broadcast_to(np.asarray(part), frame.height) for part in (value.data, value.alone)
    )
    return _Value(value.kind, data, alone=alone)


def truth_of(frame: Frame, expression: Expression) -> Mask:
    """Whether it is true of each case: bool[n]; raises ``InputError`` if it is neither true nor false."""
    value, text = _value_of(frame, expression), expression.alone or expression.text
    if value.alone is not None:
        return np.asarray(value.alone)
    if value.kind != "truth":
        plain = " ".join(text.split())
        valid = (
            Message("mean({text}), or a comparison, as {text} > 3", plain)
            if value.kind == "number"
            else f"{plain} = 'A7K'"
        )
        raise InputError("{text!r} is not true or false but {kind} (valid: {valid})", text, _NAMES[value.kind], valid)
    return np.asarray(value.data)


def numbers_of(frame: Frame, expression: Expression) -> NDArray[np.int64]:
    """A number of each case in sixths, true as 1: int64[n].

    Raises ``InputError`` for other things, for numbers that are no halves or thirds, and for those above ``LARGEST``.
    """
    value, text = _value_of(frame, expression), expression.text
    if value.kind == "text":
        raise InputError("{text!r} is not a number but a text (valid: as total or bonus_points)", text)
    if value.data.dtype.kind == "f":
        numbers = np.round(value.data * UNIT)
        if not np.allclose(numbers, value.data * UNIT, rtol=0, atol=1e-6):
            raise InputError(
                "{text!r} is not a whole number, a half or a third (valid: round(...), or ratio(a, b))", text
            )
        numbers = numbers.astype(np.int64)
    else:
        numbers = value.data.astype(np.int64) * UNIT
    if len(numbers) and max(-int(numbers.min()), int(numbers.max())) > LARGEST * UNIT:
        raise InputError("{text!r} is too large to be added up (valid: numbers up to {largest:_})", text, LARGEST)
    return np.asarray(numbers)


def group_values(frame: Frame, expression: Expression) -> tuple[list[str], NDArray[np.int64]]:
    """The values of an expression as text, and which of them each case has; raises ``InputError`` for decimals."""
    value, text = _value_of(frame, expression), expression.text
    if value.kind == "text":
        column = value.data
    elif value.data.dtype.kind == "f" and not np.array_equal(value.data, np.round(value.data)):
        column = pl.Series(np.round(value.data, 6))
        if len(column.unique()) > MOST_DECIMALS:
            raise InputError("{text!r} has too many values with decimals (valid: round({text}))", text)
    else:
        column = pl.Series(value.data.astype(np.int64) if value.data.dtype.kind == "f" else value.data)
    values = column.unique(maintain_order=True)
    group = column.replace_strict(values, pl.Series(np.arange(len(values))), return_dtype=pl.Int64)
    return values.cast(pl.String).to_list(), group.to_numpy().astype(np.int64)  # of no cases it would be of objects


# ------------------------------------------------------------------------------------------------ sets of cards


def canonical_set(kind: str, written: str, size: int) -> str:
    """A set of ``size`` cards, ranks or suits as the vocabulary writes it, whatever the order and the letters.

    ``kind`` is ``cards``, ``ranks`` or ``suits``. Raises ``InputError`` for a set that cannot be.

    >>> canonical_set("cards", "10d 7♥ 2h", 3), canonical_set("ranks", "K7A", 3), canonical_set("suits", "♦h♦", 3)
    ('2h 7h Kd', 'A7K', 'hdd')
    """
    if kind == "cards":
        items = [parse(part) for part in re.split(r"[\s,]+(?!(?:of|di)\s)(?<!\sof\s)(?<!\sdi\s)", written.strip())]
        if len(set(items)) < len(items):
            raise InputError("names a card twice")
    else:
        letters = _RANK_LETTERS if kind == "ranks" else _SUIT_LETTERS
        read = re.findall(r"10|[^\s,\ufe0f]", written)
        if other := [letter for letter in read if letter.lower() not in letters]:
            raise InputError("names {letter!r}, which is none of {valid}", other[0], " ".join(letters))
        items = [letters[letter.lower()] for letter in read]
    if len(items) != size:
        raise InputError("is a set of {number}", len(items))
    if kind == "ranks" and max(map(items.count, items)) > 4:
        raise InputError("has five of a rank")
    items.sort()
    return " ".join(PACK[card] for card in items) if kind == "cards" else "".join(_LETTERS[kind][i] for i in items)


_LETTERS = {"ranks": RANKS, "suits": SUITS}
_RANK_LETTERS = {letter: i for i, letter in enumerate(RANKS.lower())} | {"1": 0, "8": 7, "9": 8, "10": 9}
_SUIT_LETTERS = {letter: i for i, letters in enumerate(("h♥♡", "d♦♢", "c♣♧", "s♠♤")) for letter in letters}
