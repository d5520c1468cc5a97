"""The text of a question read as a small tree of words, numbers, texts and a few operations: nothing else is reached.

Python's own grammar (``ast``) finds the structure. It never sees what a user wrote: every word, number and text stands
in for itself as a numbered name, so that nothing of it can be meant otherwise.

>>> read("low and total > 3").words()
['low', 'total']
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError

MOST_CHARACTERS = 4000
DEEPEST = 100
LARGEST_NUMBER = 10**9
"""Limits of an expression."""

FUNCTIONS = {
    "abs": (1, 1), "sqrt": (1, 1), "floor": (1, 1), "ceil": (1, 1), "round": (1, 1), "length": (1, 1),
    "least": (2, 9), "greatest": (2, 9), "min": (2, 9), "max": (2, 9),
}  # fmt: skip
"""What can be called, with the fewest and the most arguments."""

AS = "(valid: as low and sevens >= 1)"


@dataclass(frozen=True)
class Node:
    """A part of an expression: what it does, its parts, and where it stands.

    ``name`` is ``word``, ``number``, ``text`` or ``truth`` for a leaf, with its ``value``; else an operator or a
    function, with its ``parts``. That of ``compare`` are compared one with the next by the signs in ``value``.
    ``some`` marks a word for a number that alone means one or more.
    """

    name: str
    value: Any = None
    parts: tuple[Node, ...] = ()
    at: int = 0
    some: bool = False

    def words(self) -> list[str]:
        """The words it speaks of, each once, in order."""
        return list(dict.fromkeys(leaf.value for leaf in self.leaves() if leaf.name == "word"))

    def leaves(self) -> Iterator[Node]:
        """Its leaves, from left to right."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


@dataclass(frozen=True)
class _Token:
    kind: str  # "text", "number", "word", "operator"; or "other": nothing that can be read
    text: str
    start: int
    end: int


_SUITS = "hdcsHDCS♥♡♦♢♣♧♠♤"
_TOKEN = re.compile(
    rf"""(?P<text>'(?:[^']|'')*'|"[^"]*")
    |(?P<card>(?:[1-9AJQKajqk]|10)[{_SUITS}]\ufe0f?(?:_\w+)?(?!\w))
    |(?P<number>\d+(?:_\d+)*(?:\.\d+)?(?!\w))
    |(?P<of>[^\W_]+\s+(?:of|di)\s+[^\W\d_]+)
    |(?P<word>[^\W\d]\w*)
    |(?P<operator><=|>=|<>|!=|==|//|[-+*/%(),<>=≤≥≠×])
    |(?P<other>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_SPELT = {"=": "==", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!=", "×": "*"}
_KEYWORDS = {
    "and": "and", "e": "and", "or": "or", "o": "or", "oppure": "or", "not": "not", "non": "not", "in": "in",
    "between": "between", "tra": "between", "fra": "between",
}  # fmt: skip
_CONSTANTS = {"true": True, "false": False}


def read(text: str) -> Node:
    """The tree of an expression; raises ``InputError``, one line, up to where it can be read."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"{quoted(text)} has {len(text):_} characters (valid: an expression of {MOST_CHARACTERS:_} at most)"
        )
    tokens = list(_tokens(text))
    if not tokens:
        raise InputError(f"{text!r} is not an expression: it is empty {AS}")
    _check_depth(text, tokens)
    try:
        return _tree(text, tokens)
    except _Unreadable:
        pass
    start = tokens[_readable(text, tokens)].start
    left = quoted(text[start:])
    raise InputError(f"{quoted(text)} is not an expression: character {start + 1}, {left} cannot be read {AS}")


def quoted(text: str) -> str:
    """A text as errors quote it: its beginning, if it is long.

    >>> quoted("low"), len(quoted("low or " * 100))
    ("'low'", 65)
    """
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


class _Unreadable(Exception):
    """The tokens are no expression."""


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        yield _Token("word" if kind in ("card", "of") else kind, match[0], match.start(), match.end())


def _check_depth(text: str, tokens: list[_Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if depth > DEEPEST:
            raise _too_deep(text)


def _too_deep(text: str) -> InputError:
    return InputError(f"{quoted(text)} is nested too deeply (valid: {DEEPEST} parts within each other at most)")


def _readable(text: str, tokens: list[_Token]) -> int:
    """How many tokens from the first on are an expression, of those that it is worth trying."""
    for end in range(len(tokens) - 1, max(0, len(tokens) - 200), -1):
        try:
            _tree(text, tokens[:end])
        except (_Unreadable, InputError):
            continue
        return end
    return 0


def _tree(text: str, tokens: list[_Token]) -> Node:
    structure = _structure(text, tokens)
    try:
        body = ast.parse(structure, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _Unreadable from None
    return _Reader(text, tokens).node(body, 0)


def _structure(text: str, tokens: list[_Token]) -> str:
    """Python's text of the same structure: ``x3`` stands for the fourth token, ``in between(a, b)`` for a range."""
    written: list[str] = []
    depth = 0
    ranges: list[tuple[int, bool]] = []  # how deep each "between" stands, and whether its second end is being written

    def close() -> None:
        while ranges and ranges[-1] == (depth, True):
            ranges.pop()
            written.append(")")

    for number, token in enumerate(tokens):
        keyword = _KEYWORDS.get(token.text.lower()) if token.kind == "word" else None
        if token.kind == "other":
            raise _Unreadable
        if keyword == "and" and ranges and ranges[-1] == (depth, False):
            ranges[-1] = depth, True
            written.append(",")
        elif keyword:
            close()
            ranges += [(depth, False)] if keyword == "between" else []
            written.append("in between(" if keyword == "between" else keyword)
        elif token.kind == "operator":
            if token.text in _CLOSING:
                close()
            if token.text == "(" and number and tokens[number - 1].kind == "word":
                _check_function(text, tokens[number - 1], token)
            depth += (token.text == "(") - (token.text == ")")
            written.append(_SPELT.get(token.text, token.text))
        else:
            written.append(f"x{number}")
    close()
    if ranges:
        raise _Unreadable
    return " ".join(written)


_CLOSING = {")", ",", "<", ">", "=", "==", "<=", ">=", "<>", "!=", "≤", "≥", "≠"}
"""Operators at which the second end of a "between" ends."""


def _check_function(text: str, word: _Token, bracket: _Token) -> None:
    """Raise ``InputError`` for a bracket that stands at a word which is no function."""
    if word.text.lower() in _KEYWORDS or word.text.lower() in FUNCTIONS:
        return
    if word.end < bracket.start:
        raise _Unreadable
    raise InputError(
        f"{quoted(text)}, character {word.start + 1}: unknown function {word.text!r} (valid: {', '.join(FUNCTIONS)})"
    )


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.And: "and", ast.Or: "or", ast.Not: "not", ast.USub: "minus",
}  # fmt: skip
_ORDERS: dict[type[ast.AST], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class _Reader:
    """Turns Python's tree into ours: everything that is not named here is refused."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text, self._tokens = text, tokens

    def node(self, tree: ast.expr, depth: int) -> Node:
        if depth > DEEPEST:
            raise _too_deep(self._text)
        below = depth + 1
        match tree:
            case ast.Name():
                return self._leaf(tree)
            case ast.BoolOp(op=op, values=values):
                return self._node(_OPERATORS[type(op)], *(self.node(value, below) for value in values))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.node(operand, below)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return self._node(_OPERATORS[type(op)], self.node(operand, below))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self._node(_OPERATORS[type(op)], self.node(left, below), self.node(right, below))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(op, self.node(left, below), right, below)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _ORDERS for op in ops):
                parts = [self.node(part, below) for part in (left, *others)]
                return self._node("compare", *parts, value=tuple(_ORDERS[type(op)] for op in ops))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if re.fullmatch(r"x\d+", name):
                return self._called(self._tokens[int(name[1:])], [self.node(arg, below) for arg in args])
        raise _Unreadable

    def _compared(self, op: ast.cmpop, left: Node, right: ast.expr, depth: int) -> Node:
        match op, right:
            case ((ast.Eq() | ast.NotEq() | ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()), _):
                sign = {ast.Eq: "=", ast.NotEq: "<>"}.get(type(op)) or _ORDERS[type(op)]
                return self._node("compare", left, self.node(right, depth), value=(sign,))
            case ((ast.In() | ast.NotIn()), ast.Call(func=ast.Name(id="between"), args=[low, high])):
                tree = self._node("compare", self.node(low, depth), left, self.node(high, depth), value=("<=", "<="))
            case ((ast.In() | ast.NotIn()), ast.Tuple(elts=several)) if several:
                tree = self._node("in", left, *(self.node(item, depth) for item in several))
            case ((ast.In() | ast.NotIn()), _):
                tree = self._node("in", left, self.node(right, depth))
            case _:
                raise _Unreadable
        return self._node("not", tree) if isinstance(op, ast.NotIn) else tree

    def _node(self, name: str, *parts: Node, value: Any = None) -> Node:
        return Node(name, value, parts, min(part.at for part in parts))

    def _called(self, token: _Token, parts: list[Node]) -> Node:
        name = token.text.lower()
        if token.kind != "word" or name not in FUNCTIONS:
            raise _Unreadable
        fewest, most = FUNCTIONS[name]
        if not fewest <= len(parts) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise InputError(
                f"{quoted(self._text)}, character {token.start + 1}: {name} of {len(parts)} parts (valid: of {wanted})"
            )
        return Node({"min": "least", "max": "greatest"}.get(name, name), None, tuple(parts), token.start)

    def _leaf(self, tree: ast.Name) -> Node:
        if not re.fullmatch(r"x\d+", tree.id):
            raise _Unreadable
        token = self._tokens[int(tree.id[1:])]
        if token.kind == "text":
            return Node("text", token.text[1:-1].replace("''", "'"), (), token.start)
        if token.kind == "number":
            number = token.text.replace("_", "")
            value = float(number) if "." in number else int(number[:30])
            if value > LARGEST_NUMBER:
                raise InputError(
                    f"{quoted(self._text)}, character {token.start + 1}: {token.text} is too large "
                    f"(valid: numbers up to {LARGEST_NUMBER:_})"
                )
            return Node("number", value, (), token.start)
        if token.text.lower() in _CONSTANTS:
            return Node("truth", _CONSTANTS[token.text.lower()], (), token.start)
        return Node("word", token.text, (), token.start)
