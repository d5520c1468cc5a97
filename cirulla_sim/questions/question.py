"""A question as a value: its parts as a user wrote them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Question:
    """A question; each part is an expression over the features of a subject.

    ``text`` is what must be true; ``given`` restricts to the cases where it is true. ``mean``, ``quantiles`` and
    ``histogram`` are those of a number instead, in the cases where the text, if any, is true too. ``by`` splits
    the answer by the values of an expression: the chance, the mean or the quantiles among the cases with this value;
    with nothing else the chance of each value. ``name`` is shown instead of the text; a number
    may have one in front, see ``named``.
    """

    text: str | None = None
    of: str = "holding"
    given: str | None = None
    by: str | None = None
    mean: str | None = None
    quantiles: str | None = None
    histogram: str | None = None
    name: str | None = None

    @cached_property
    def number(self) -> tuple[str, str] | None:
        """``mean``, ``quantiles`` or ``histogram``, and the number."""
        numbers = {"mean": self.mean, "quantiles": self.quantiles, "histogram": self.histogram}
        return next(((name, text) for name, text in numbers.items() if text is not None), None)

    @property
    def kind(self) -> str:
        """What kind of number the answer is."""
        return {"mean": "mean", "quantiles": "quantile"}.get(self.number[0] if self.number else "", "probability")

    @property
    def split_by(self) -> str | None:
        """The expression whose values the rows of the answer are about."""
        return self.by if self.by is not None else self.histogram

    @cached_property
    def words(self) -> str:
        """The question on one line."""
        number = None
        if self.number is not None:
            name, expression = named(self.number[1])
            number = f"{'mean of ' if self.number[0] == 'mean' else ''}{name or expression}"
        parts = (number, self._condition, f"given {self.given}" if self.given else None)
        return " ".join(part for part in parts if part) or f"by {self.by}"

    @property
    def _condition(self) -> str | None:
        if self.number is None or self.text is None:
            return self.name or self.text
        return f"if {self.text}" if self.name is None else f"({self.name})"


_NAMED = re.compile(r"\s*([^:'\"<>=()]{1,80}?)\s*:\s*(\S.*)", re.DOTALL)


def named(text: str) -> tuple[str | None, str]:
    """The name and the expression of a question: ``"a seven: sevens >= 1"``; most have no name.

    >>> named("a seven: sevens >= 1"), named("sevens >= 1")
    (('a seven', 'sevens >= 1'), (None, 'sevens >= 1'))
    """
    match = _NAMED.fullmatch(text)
    return (match[1], match[2]) if match else (None, text)
