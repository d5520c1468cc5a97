"""The text of a question read as a small tree of words with their arguments, numbers, texts and operations.

Nothing is evaluated as Python: the parser below knows the operations that it names, and no others. What the words mean
is not its business (see ``binding``).

>>> read("sweeps(us, stage 2) > 3").parts[0]
Node(name='word', value='sweeps', parts=(), at=0, arguments=('us', 'stage 2'))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError
from ..core.messages import Message

MOST_CHARACTERS = 4000
DEEPEST = 40
LARGEST_NUMBER = 10**9
LONGEST_SUM = 100
"""Limits of an expression."""

FUNCTIONS = {
    "abs": (1, 1), "sqrt": (1, 1), "floor": (1, 1), "ceil": (1, 1), "round": (1, 1), "length": (1, 1),
    "least": (2, 9), "greatest": (2, 9), "min": (1, 9), "max": (1, 9), "chance": (1, 1), "mean": (1, 1),
    "quantiles": (1, 1), "histogram": (1, 1), "ratio": (2, 2),
}  # fmt: skip
"""Functions of numbers, with the fewest and the most arguments."""

AGGREGATES = ("chance", "mean", "max", "min", "quantiles", "histogram", "ratio")
"""The aggregates of a value over all trials; ``max`` and ``min`` of several values are functions of numbers."""

_ITALIAN = {
    "probabilità": "chance", "probabilita": "chance", "media": "mean", "massimo": "max", "minimo": "min",
    "quantili": "quantiles", "istogramma": "histogram", "distribuzione": "histogram", "rapporto": "ratio",
    "radice": "sqrt", "lunghezza": "length", "assoluto": "abs",
}  # fmt: skip

AS = Message("(valid: as barsega and sevens >= 1)")


@dataclass(frozen=True)
class Node:
    """A part of an expression: what it does, its parts, and where it stands.

    ``name`` is ``word``, ``number``, ``text`` or ``truth`` for a leaf, with its ``value``; else an operator or a
    function, with its ``parts``. Those of ``compare`` are compared one with the next by the signs in ``value``; those
    of ``in`` are a value, then what it may be. A word has ``arguments``, as they were written.
    """

    name: str
    value: Any = None
    parts: tuple[Node, ...] = ()
    at: int = 0
    arguments: tuple[str, ...] = ()

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
    |(?P<card>(?:[1-9AJQKajqk]|10)[{_SUITS}]\ufe0f?(?!\w))
    |(?P<number>\d+(?:_\d+)*(?:\.\d+)?(?!\w))
    |(?P<of>[^\W_]+\s+(?:of|di)\s+[^\W\d_]+)
    |(?P<word>[^\W\d]\w*)
    |(?P<operator>\.\.|<=|>=|<>|!=|==|//|[-+*/%(),<>=≤≥≠×])
    |(?P<other>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_SIGNS = {sign: sign for sign in ("=", "<>", "<", "<=", ">", ">=")} | {
    "==": "=", "!=": "<>", "≠": "<>", "≤": "<=", "≥": ">=",
}  # fmt: skip
_SUMS = {"+": "+", "-": "-"}
_PRODUCTS = {"*": "*", "×": "*", "/": "/", "//": "//", "%": "%"}
KEYWORDS = {
    "and": "and", "e": "and", "or": "or", "o": "or", "oppure": "or", "not": "not", "non": "not", "in": "in",
    "between": "between", "tra": "between", "fra": "between",
}  # fmt: skip
_GIVEN = ("given", "if", "dato", "se")
_CONSTANTS = {"true": True, "false": False, "vero": True, "falso": False}


def read(text: str, conditional: bool = False) -> Node:
    """The tree of an expression; raises ``InputError``, one line, up to where it can be read.

    What is asked may be ``conditional``, as ``wins(us) given barsega``: a node ``given`` of a value and a condition.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            "{text!r} has {length:_} characters (valid: an expression of {most:_} at most)",
            text, len(text), MOST_CHARACTERS,
        )  # fmt: skip
    parser = _Parser(text)
    if not parser.tokens:
        raise InputError("{text!r} is not an expression: it is empty {valid}", text, AS)
    tree = parser.disjunction(0)
    if conditional and parser.here is not None and parser.here.text.lower() in _GIVEN:
        begins = parser.here.end
        parser.place += 1
        tree = Node("given", text[begins:].strip(), (tree, parser.disjunction(0)), tree.at)
    if parser.here is not None:
        raise parser.unreadable()
    return tree


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        yield _Token("word" if kind in ("card", "of") else kind, match[0], match.start(), match.end())


class _Parser:
    """Reads an expression from left to right, the loosest operations first."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.place = text, list(_tokens(text)), 0

    @property
    def here(self) -> _Token | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    @property
    def _keyword(self) -> str | None:
        token = self.here
        return KEYWORDS.get(token.text.lower()) if token is not None and token.kind == "word" else None

    @property
    def _operator(self) -> str | None:
        token = self.here
        return token.text if token is not None and token.kind == "operator" else None

    def _take(self, operator: str) -> bool:
        if self._operator != operator:
            return False
        self.place += 1
        return True

    def unreadable(self, at: int | None = None) -> InputError:
        """The error for what stands here, or at a character."""
        start = at if at is not None else self.here.start if self.here else len(self.text)
        rest = (
            Message("{rest!r} cannot be read", self.text[start:])
            if start < len(self.text)
            else Message("something is missing")
        )
        return InputError(
            "{text!r} is not an expression: character {character}, {rest} {valid}", self.text, start + 1, rest, AS
        )

    def too_deep(self) -> InputError:
        """The error for too many parts within each other, or in a row."""
        return InputError(
            "{text!r} is nested too deeply (valid: {deepest} parts within each other at most, and sums of {longest})",
            self.text, DEEPEST, LONGEST_SUM,
        )  # fmt: skip

    def _error(self, token: _Token, template: str, *values: object) -> InputError:
        reason = Message(template, *values)
        return InputError("{text!r}, character {character}: {reason}", self.text, token.start + 1, reason)

    # -------------------------------------------------------------------------------- truths

    def disjunction(self, depth: int) -> Node:
        """An expression, ``depth`` brackets deep."""
        if depth > DEEPEST:
            raise self.too_deep()
        return self._joined("or", lambda: self._joined("and", lambda: self._negation(depth)))

    def _joined(self, name: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        while self._keyword == name:
            self.place += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else Node(name, None, tuple(parts), parts[0].at)

    def _negation(self, depth: int) -> Node:
        start = self.place
        while self._keyword == "not":
            self.place += 1
        denied = self.place - start
        if denied > DEEPEST:
            raise self.too_deep()
        tree = self._comparison(depth)
        for _ in range(denied):
            tree = Node("not", None, (tree,), self.tokens[start].start)
        return tree

    def _comparison(self, depth: int) -> Node:
        parts, signs = [self._sum(depth)], []
        while (sign := _SIGNS.get(self._operator or "")) is not None:
            self.place += 1
            signs.append(sign)
            parts.append(self._sum(depth))
        if signs:
            return Node("compare", tuple(signs), tuple(parts), parts[0].at)
        place, denied = self.place, self._keyword == "not"
        self.place += denied
        if self._keyword not in ("in", "between"):
            self.place = place
            return parts[0]
        word = self._keyword
        self.place += 1
        if self._keyword == "between":  # "in between"
            word = self._keyword
            self.place += 1
        among = self._ends(depth) if word == "between" else self._among(depth)
        tree = Node("in", None, (parts[0], *among), parts[0].at)
        return Node("not", None, (tree,), tree.at) if denied else tree

    def _ends(self, depth: int) -> list[Node]:
        low = self._sum(depth)
        if self._keyword != "and":
            raise self.unreadable()
        self.place += 1
        return [Node("range", None, (low, self._sum(depth)), low.at)]

    def _among(self, depth: int) -> list[Node]:
        start = self.place
        if self._take("("):
            several = [self._span(depth)]
            while self._take(","):
                several.append(self._span(depth))
            if self._take(")") and (len(several) > 1 or several[0].name == "range"):
                return several
            self.place = start
        return [self._span(depth)]

    def _span(self, depth: int) -> Node:
        low = self._sum(depth)
        return Node("range", None, (low, self._sum(depth)), low.at) if self._take("..") else low

    # -------------------------------------------------------------------------------- numbers

    def _sum(self, depth: int) -> Node:
        return self._operation(_SUMS, lambda: self._operation(_PRODUCTS, lambda: self._sign(depth)))

    def _operation(self, operators: dict[str, str], part: Callable[[], Node]) -> Node:
        tree, number = part(), 0
        while (name := operators.get(self._operator or "")) is not None:
            self.place += 1
            number += 1
            if number > LONGEST_SUM:
                raise self.too_deep()
            tree = Node(name, None, (tree, part()), tree.at)
        return tree

    def _sign(self, depth: int) -> Node:
        signs, token = 0, self.here
        while self._operator in _SUMS:
            signs += self._operator == "-"
            self.place += 1
        tree = self._atom(depth)
        return Node("minus", None, (tree,), token.start) if signs % 2 and token else tree

    def _atom(self, depth: int) -> Node:
        token = self.here
        if token is None or token.kind == "other" or self._keyword:
            raise self.unreadable()
        self.place += 1
        if token.text == "(":
            tree = self.disjunction(depth + 1)
            if not self._take(")"):
                raise self.unreadable()
            return tree
        if token.kind == "operator":
            raise self.unreadable(token.start)
        if token.kind == "text":
            return Node("text", token.text[1:-1].replace("''", "'"), (), token.start)
        if token.kind == "number":
            return self._number(token)
        if token.text.lower() in _CONSTANTS:
            return Node("truth", _CONSTANTS[token.text.lower()], (), token.start)
        if self._operator != "(" or (self.here and self.here.start > token.end):
            return Node("word", token.text, (), token.start)
        self.place += 1
        name = _ITALIAN.get(token.text.lower(), token.text.lower())
        return self._function(token, name, depth) if name in FUNCTIONS else self._word(token)

    def _number(self, token: _Token) -> Node:
        number = token.text.replace("_", "")
        value = float(number) if "." in number else int(number[:30])
        if value > LARGEST_NUMBER:
            raise self._error(
                token, "{number} is too large (valid: numbers up to {largest:_})", token.text[:30], LARGEST_NUMBER
            )
        return Node("number", value, (), token.start)

    def _function(self, token: _Token, name: str, depth: int) -> Node:
        parts = [self.disjunction(depth + 1)]
        while self._take(","):
            parts.append(self.disjunction(depth + 1))
        if not self._take(")"):
            raise self.unreadable()
        fewest, most = FUNCTIONS[name]
        if not fewest <= len(parts) <= most:
            wanted = fewest if fewest == most else Message("{low} to {high}", fewest, most)
            raise self._error(token, "{name} of {number} parts (valid: of {wanted})", name, len(parts), wanted)
        if len(parts) > 1:
            name = {"min": "least", "max": "greatest"}.get(name, name)
        return Node(name, None, tuple(parts), token.start)

    def _word(self, token: _Token) -> Node:
        """A word and its arguments, which are texts between commas."""
        arguments, begins, opened = [], self.tokens[self.place - 1].end, self.place - 1
        while (here := self.here) is not None and here.text != "(":
            self.place += 1
            if here.text in (",", ")"):
                arguments.append(" ".join(self.text[begins : here.start].split()))
                begins = here.end
            if here.text == ")":
                written = tuple(arguments) if arguments != [""] else ()
                return Node("word", token.text, (), token.start, written)
        raise self.unreadable(None if self.here else self.tokens[opened].start)
