"""The text of a question read as a small tree of words with their arguments, numbers, texts and operations.

Nothing is evaluated as Python: the parser below knows the operations that it names, and no others. What the words mean
is not its business (see ``question``).

>>> parse_expression("sweeps(us, stage 2) > 3").parts[0]
Node(name='word', value='sweeps', parts=(), at=0, arguments=('us', 'stage 2'))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ..core.errors import InputError
from ..core.messages import Message
from .vocabulary import WORDS, aggregates, by_word

MOST_CHARACTERS = 4000
DEEPEST = 40
LARGEST_NUMBER = 10**9
LONGEST_SUM = 100
"""Limits of an expression."""

_OF_NUMBERS = {name: (fewest, most) for name, (fewest, most) in WORDS["functions_of_numbers"].items()}
"""Functions of numbers, with the fewest and the most arguments; of one number ``max`` and ``min`` are aggregates."""

FUNCTIONS = {name: (one.parts, one.parts) for name, one in aggregates().items()} | _OF_NUMBERS

_ITALIAN = {word: name for name, one in aggregates().items() for word in one.italian}
ITALIAN_FUNCTIONS = _ITALIAN | by_word("italian_functions_of_numbers")
"""The Italian names of functions of numbers and of aggregates, the usual one first."""

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

    def with_leaves(self, of: Callable[[Node], Node]) -> Node:
        """The same tree of other leaves."""
        return replace(self, parts=tuple(part.with_leaves(of) for part in self.parts)) if self.parts else of(self)


class _Token(NamedTuple):
    kind: str  # "text", "number", "word", "other" (unreadable), "end", or the sign or keyword itself
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
    |(?P<sign>\.\.|<=|>=|<>|!=|==|//|[-+*/%(),<>=≤≥≠×])
    |(?P<other>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_SAME_SIGN = {"==": "=", "!=": "<>", "≠": "<>", "≤": "<=", "≥": ">=", "×": "*"}
_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
_OPERATIONS = (("+", "-"), ("*", "/", "//", "%"))
"""Signs of operations on numbers, the loosest first."""

KEYWORDS = by_word("keywords")
GIVEN = ("given", "if", "dato", "se")
_CONSTANTS = {"true": True, "false": False, "vero": True, "falso": False}


_OR, _AFTER = ("|".join(word for word, kind in KEYWORDS.items() if kind in kinds) for kinds in (("or",), ("or", "and")))
_SEVERAL_NUMBERS = re.compile(
    rf"\s*(\d+)\s*(?:-\s*\d+|((?:(?:{_OR})\s+\d+\s*)+))\s*(?:$|\)|(?:{_AFTER}|{'|'.join(GIVEN)})\b)", re.IGNORECASE
)
"""Several numbers and what may follow them: ``2-3`` or ``2 or 3 or 4``."""


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind, written = match.lastgroup or "other", match[0]
        if kind == "sign":
            kind = _SAME_SIGN.get(written, written)
        elif kind in ("card", "of", "word"):
            kind = KEYWORDS.get(written.lower(), "word")
        yield _Token(kind, written, match.start(), match.end())
    yield _Token("end", "", len(text), len(text))


def error_at(text: str, at: int, template: str, *values: object) -> InputError:
    """The error for a part of an expression that begins at a character, from 0."""
    return InputError("{text!r}, character {character}: {reason}", text, at + 1, Message(template, *values))


def parse_expression(text: str, conditional: bool = False) -> Node:
    """The tree of an expression; raises ``InputError``, one line, up to where it can be read.

    What is asked may be ``conditional``, as ``wins(us) given barsega``: a node ``given`` of a value and a condition.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            "{text!r} has {length:_} characters (valid: an expression of {most:_} at most)",
            text, len(text), MOST_CHARACTERS,
        )  # fmt: skip
    parser = _Parser(text)
    if parser.here.kind == "end":
        raise InputError("{text!r} is not an expression: it is empty {valid}", text, AS)
    tree = parser.expression()
    if conditional and parser.here.text.lower() in GIVEN:
        given = parser.here
        parser.place += 1
        texts = text[: given.start].strip(), text[given.end :].strip()
        tree = Node("given", texts, (tree, parser.expression()), tree.at)
    if parser.here.kind != "end":
        raise parser.unreadable()
    return tree


class _Parser:
    """Reads an expression from left to right: a method for each level of precedence, the loosest first."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.place, self.depth = text, list(_tokens(text)), 0, 0

    @property
    def here(self) -> _Token:
        """The token that is read next."""
        return self.tokens[self.place]

    def take(self, *kinds: str) -> _Token | None:
        """The next token if it is of one of some kinds; then the one after it is next."""
        token = self.tokens[self.place]
        if token.kind not in kinds:
            return None
        self.place += 1
        return token

    def _close(self, opening: _Token) -> None:
        """Read the bracket that closes one, which ends where a keyword or the text does if it is lacking."""
        if self.take(")") is None:
            if self.here.kind == "end":
                raise error_at(self.text, opening.start, "this bracket is not closed (valid: as many ) as ( )")
            raise self.unreadable()

    def unreadable(self) -> InputError:
        """The error for the next token."""
        start = self.here.start
        rest = (
            Message("{rest!r} cannot be read", self.text[start:])
            if start < len(self.text)
            else Message("something is missing")
        )
        return InputError(
            "{text!r} is not an expression: character {character}, {rest} {valid}", self.text, start + 1, rest, AS
        )

    def _too_deep(self) -> InputError:
        return InputError(
            "{text!r} is nested too deeply (valid: {deepest} parts within each other at most, and sums of {longest})",
            self.text, DEEPEST, LONGEST_SUM,
        )  # fmt: skip

    # -------------------------------------------------------------------------------- truths

    def expression(self) -> Node:
        """A whole expression, or one in brackets."""
        if self.depth > DEEPEST:
            raise self._too_deep()
        self.depth += 1
        tree = self._joined("or", partial(self._joined, "and", self._negation))
        self.depth -= 1
        return tree

    def _joined(self, name: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        while self.take(name):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Node(name, None, tuple(parts), parts[0].at)

    def _negation(self) -> Node:
        start, place = self.here.start, self.place
        while self.take("not"):
            pass
        denied = self.place - place
        if denied > DEEPEST:
            raise self._too_deep()
        tree = self._comparison()
        for _ in range(denied):
            tree = Node("not", None, (tree,), start)
        return tree

    def _comparison(self) -> Node:
        parts, signs = [self._sum()], []
        while sign := self.take(*_COMPARISONS):
            signs.append(sign.kind)
            self._check_one_number(parts[-1], sign)
            parts.append(self._sum())
        if signs:
            return Node("compare", tuple(signs), tuple(parts), parts[0].at)
        place, denied = self.place, self.take("not")
        word = self.take("in", "between")
        if word is None:
            self.place = place
            return parts[0]
        if self.take("between") or word.kind == "between":  # "in between", too
            parts.append(self._range(self._sum(), "and"))
        else:
            parts += self._among()
        tree = Node("in", None, tuple(parts), parts[0].at)
        return Node("not", None, (tree,), tree.at) if denied else tree

    def _check_one_number(self, subject: Node, sign: _Token) -> None:
        """Raise ``InputError`` for several numbers after a sign, as ``= 2-3`` and ``= 2 or 3``."""
        found = _SEVERAL_NUMBERS.match(self.text, sign.end)
        numbers = [*map(int, re.findall(r"\d+", found[0]))] if found else []
        if found and (found[2] or numbers[0] < numbers[1]):
            several = ", " if found[2] or numbers[1] == numbers[0] + 1 else ".."
            valid = f"{self.text[subject.at : sign.start].strip()} in ({several.join(map(str, numbers))})"
            raise error_at(self.text, found.start(1), "several numbers after a sign (valid: {valid})", valid)

    def _among(self) -> list[Node]:
        """What a value may be: several values or ranges in brackets, or one."""
        place = self.place
        if self.take("("):
            several = [self._span()]
            while self.take(","):
                several.append(self._span())
            if self.take(")") and (len(several) > 1 or several[0].name == "range"):
                return several
            self.place = place
        return [self._span()]

    def _span(self) -> Node:
        low = self._sum()
        return self._range(low, "..") if self.here.kind == ".." else low

    def _range(self, low: Node, sign: str) -> Node:
        if self.take(sign) is None:
            raise self.unreadable()
        return Node("range", None, (low, self._sum()), low.at)

    # -------------------------------------------------------------------------------- numbers

    def _sum(self, level: int = 0) -> Node:
        if level == len(_OPERATIONS):
            start, is_negative = self.here.start, False
            while sign := self.take("+", "-"):
                is_negative ^= sign.kind == "-"
            tree = self._atom()
            return Node("minus", None, (tree,), start) if is_negative else tree
        tree, number = self._sum(level + 1), 0
        while sign := self.take(*_OPERATIONS[level]):
            number += 1
            if number > LONGEST_SUM:
                raise self._too_deep()
            if sign.kind == "%" and self.here.kind in ("end", ")", "and", "or"):
                raise error_at(
                    self.text,
                    sign.start,
                    "% is the remainder of a division, and no chance is compared: the answer is one (leave it out)",
                )
            tree = Node(sign.kind, None, (tree, self._sum(level + 1)), tree.at)
        return tree

    def _atom(self) -> Node:
        token = self.take("(", "text", "number", "word")
        if token is None:
            raise self.unreadable()
        if token.kind == "(":
            tree = self.expression()
            self._close(token)
            return tree
        if token.kind == "text":
            return Node("text", token.text[1:-1].replace("''", "'"), (), token.start)
        if token.kind == "number":
            return self._number(token)
        word = token.text.lower()
        if word in _CONSTANTS:
            return Node("truth", _CONSTANTS[word], (), token.start)
        if self.here.start > token.end or not self.take("("):
            return Node("word", token.text, (), token.start)
        name = ITALIAN_FUNCTIONS.get(word, word)
        return self._function(token, name) if name in FUNCTIONS else self._call(token)

    def _number(self, token: _Token) -> Node:
        number = token.text.replace("_", "")
        value = float(number) if "." in number else int(number[:30])
        if value > LARGEST_NUMBER:
            raise error_at(
                self.text, token.start, "{number} is too large (valid: numbers up to {largest:_})",
                token.text[:30], LARGEST_NUMBER,
            )  # fmt: skip
        return Node("number", value, (), token.start)

    def _function(self, token: _Token, name: str) -> Node:
        opening = self.tokens[self.place - 1]
        parts = [self.expression()]
        while self.take(","):
            parts.append(self.expression())
        self._close(opening)
        fewest, most = FUNCTIONS[name]
        if not fewest <= len(parts) <= most:
            wanted = fewest if fewest == most else Message("{low} to {high}", fewest, most)
            raise error_at(
                self.text, token.start, "{name} of {number} parts (valid: of {wanted})", name, len(parts), wanted
            )
        if len(parts) > 1:
            name = {"min": "least", "max": "greatest"}.get(name, name)
        return Node(name, None, tuple(parts), token.start)

    def _call(self, token: _Token) -> Node:
        """A word and its arguments, which are texts between commas."""
        opening = self.tokens[self.place - 1]
        arguments, begins = [], opening.end
        while self.here.kind not in ("(", "end"):
            here = self.here
            self.place += 1
            if here.kind in (",", ")"):
                arguments.append(" ".join(self.text[begins : here.start].split()))
                begins = here.end
            if here.kind == ")":
                return Node("word", token.text, (), token.start, tuple(arguments) if arguments != [""] else ())
        if self.text.count("(") <= self.text.count(")"):
            raise self.unreadable()
        inside = re.split(rf"\s(?:{'|'.join((*KEYWORDS, *GIVEN))})\s", self.text[opening.end : self.here.start])[0]
        raise error_at(
            self.text,
            opening.start,
            "this bracket is not closed (valid: {name}({inside}) ...)",
            token.text,
            inside.strip(),
        )
