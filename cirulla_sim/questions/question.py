"""A question as a value: the aggregate of which expression, in which cases, split by what."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..core.errors import InputError
from .expression_bounds import ANY, Bounds, bounds_of
from .grammar import AGGREGATES, KEYWORDS, Node, read
from .meaning import Expression, Speaker, bound
from .terms import Term
from .vocabulary import in_a_sentence

KINDS = {
    "chance": "probability", "histogram": "probability", "quantiles": "quantile", "max": "maximum", "min": "minimum",
}  # fmt: skip
"""The kind of number of an aggregate in result tables, where it is not called as the aggregate itself."""


@dataclass(frozen=True)
class Question:
    """An aggregate of one expression (a ``ratio`` of two), in the cases in which all of ``given`` are true.

    ``by`` splits the answer by the values of an expression. Without any ``parts`` it is the chance of each value.
    """

    text: str
    aggregate: str
    parts: tuple[Expression, ...]
    given: tuple[Expression, ...] = ()
    by: Expression | None = None
    words: str = ""
    """The question on one line, by its name if it has one."""
    bounds: Bounds = ANY
    """The least and the most that the first of ``parts`` can be."""

    @property
    def kind(self) -> str:
        """What kind of number the answer is."""
        return KINDS.get(self.aggregate, self.aggregate)

    @property
    def is_count(self) -> bool:
        """Whether the chance is that of a number of plays or cards alone, which means at least one."""
        leaves = [leaf for part in self.parts for leaf in part.tree.leaves()]
        alone = all(part.tree.name in ("term", "any of", "most of", "each of") for part in self.parts)
        return self.aggregate == "chance" and alone and all(
            leaf.value.function.gives == "count" and leaf.value.function.group in ("play", "pile") for leaf in leaves
        ) and bool(leaves)  # fmt: skip

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions in it."""
        return *self.parts, *self.given, *(() if self.by is None else (self.by,))

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms in it, each once."""
        return tuple(dict.fromkeys(term for part in self.expressions for term in part.terms))


_NAME = re.compile(r"[^:'\"<>=()]{1,80}")


def named(text: str) -> tuple[str | None, str]:
    """The name and the expression of a question: ``"a seven: sevens >= 1"``; most have no name.

    >>> named("a seven: sevens >= 1"), named("sevens >= 1")
    (('a seven', 'sevens >= 1'), (None, 'sevens >= 1'))
    """
    name, _, question = map(str.strip, text.partition(":"))
    return (name, question) if question and _NAME.fullmatch(name) else (None, text)


def read_question(written: str, speaker: Speaker) -> Question:
    """Parse a question: ``wins(us)``, ``mean(points(us)) given barsega``, ``a name: sevens >= 1``.

    Raises ``InputError`` quoting the words it cannot read.
    """
    name, text = named(written)
    tree = _tree_of(text)
    value, given = (tree.parts[0], tree.parts[1:]) if tree.name == "given" else (tree, ())
    aggregate, parts = (value.name, value.parts) if value.name in AGGREGATES else ("chance", (value,))

    def expression(node: Node) -> Expression:
        return bound(text, node, speaker)

    values = tuple(map(expression, parts))
    return Question(
        text,
        aggregate,
        values,
        tuple(replace(expression(node), alone=tree.value) for node in given),
        words=name or " ".join(text.split()),
        bounds=bounds_of(values[0].tree, speaker.rules) if aggregate == "mean" else ANY,
    )


_SENTENCE = re.compile(r"\w[\w’']* [\w\s’',.?!]{2,200}")
"""Words without a sign of a comparison or a call."""


def _tree_of(text: str) -> Node:
    """The tree of a question; the error for a plain sentence suggests an expression."""
    try:
        return read(text, conditional=True)
    except InputError:
        is_sentence = _SENTENCE.fullmatch(text) and text.split()[-1].lower() not in KEYWORDS
        if not is_sentence or not (meant := in_a_sentence(text)):
            raise
        raise InputError(
            "{text!r} is not an expression: did you mean {meant!r}? (see odds --list)", text, meant
        ) from None


def read_questions(texts: tuple[str, ...], given: str | None, by: str | None, speaker: Speaker) -> tuple[Question, ...]:
    """Questions about the same cases; raises ``InputError`` as ``read_question`` does."""
    conditions = () if given is None else (bound(given, read(given), speaker),)
    split = None if by is None else bound(by, read(by), speaker)
    questions = [read_question(text, speaker) for text in texts] or [Question("", "chance", (), words=f"by {by}")]
    return tuple(
        replace(
            question, given=(*question.given, *conditions), by=split,
            words=question.words + (f" given {given}" if given else ""),
        )
        for question in questions
    )  # fmt: skip
