"""Questions bound to rules, a seat and a situation: counted where they can be, else evaluated on simulated trials.

>>> from cirulla_sim.ruleset.presets import build
>>> rules = build("cirulla")
>>> BoundQuestions((questions_at(Place(rules, 0, ()), ["barsega and matta"]),)).exact()[0]["exact"].item()
'47/2470'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import lcm
from operator import add
from typing import NamedTuple

import numpy as np
import polars as pl

from ..core.messages import Message
from ..engine.engines import Folded
from ..engine.trials import shares
from ..situation.people import order_of_play
from .answers import answered
from .cases import Space, Trial
from .counting import Counted, Together, counted, plainly, weighing
from .dealt import MOST_MISDEALS
from .grammar import Node
from .question import Question, read_questions
from .spaces import Place, space_of
from .terms import Term

State = Folded[Together]


class QuestionsAtSeat(NamedTuple):
    """Some questions as they are asked from one seat, and the space in which all their words have a meaning."""

    questions: tuple[Question, ...]
    space: Space
    seat_name: str = ""

    @property
    def people(self) -> frozenset[str]:
        """The names of the people that the questions speak of."""
        return frozenset().union(*(part.people for one in self.questions for part in one.expressions))

    def add_up(self, number: int) -> tuple[Counted, int] | None:
        """The cases of a question added up, and how many deals all cases stand for; None for too many to count."""
        question = self.questions[number]
        if not question.terms or not _tells_few_misdeals_apart(question):
            return None
        cases = self.space.cases(question.terms)
        if cases is None:
            return None
        every = np.bincount(cases.which, minlength=len(cases.weights)).tolist()
        total = sum(n * weight for n, weight in zip(every, cases.weights, strict=True))
        return counted(question, cases.frame, weighing(cases)), total


@dataclass(frozen=True, eq=False)
class BoundQuestions:
    """The same questions from each seat where the person asking may sit, all as likely."""

    seats: tuple[QuestionsAtSeat, ...]
    notes: tuple[str, ...] = ()

    @property
    def from_any_seat(self) -> bool:
        return len(self.seats) > 1

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, as asked from the first seat."""
        return self.seats[0].questions

    @property
    def space(self) -> Space:
        return self.seats[0].space

    @property
    def is_slow(self) -> bool:
        return any(seat.space.is_slow(question.terms) for seat in self.seats for question in seat.questions)

    def remarks(self) -> Iterator[str]:
        """What a reader should know besides the answer, for each seat if that matters."""
        assumed = sorted(set().union(*(part.assumed for one in self.questions for part in one.expressions)))
        if assumed:
            yield Message("Where nobody is named it is your side: {assumed}; or somebody, everybody, nobody.", assumed)
        counts = [one.words for one in self.questions if one.is_count]
        if counts:
            yield Message(
                "A count alone means at least one: {counts} (mean(...), histogram(...) give the number).", counts
            )
        each = [tuple(seat.space.remarks(terms_of(seat.questions))) for seat in self.seats]
        if len(set(each)) == 1:
            yield from each[0]
            return
        for seat, lines in zip(self.seats, each, strict=True):
            yield from (Message("If you are {seat}: {line!l}", Message(seat.seat_name), line) for line in lines)

    def exact(self) -> list[pl.DataFrame | None]:
        """The exact answer to each question, None where there are too many cases to count."""
        return [self._exact(number) for number in range(len(self.questions))]

    def _exact(self, number: int) -> pl.DataFrame | None:
        counts = []
        for seat in self.seats:
            if (counted := seat.add_up(number)) is None:
                return None
            counts.append(counted)
        every = lcm(*(total for _, total in counts))
        together = reduce(add, (counted.times(every // total) for counted, total in counts))
        return answered(self.questions[number], self.space, together, None)

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        """What trials from number ``first`` of a seed on come to, for the questions of these numbers."""
        tally = Together((Counted(),) * len(which))
        for seat, (begins, trials) in zip(self.seats, shares(first, number, len(self.seats)), strict=True):
            if trials:
                questions = [seat.questions[place] for place in which]
                frame, numbers = seat.space.sample(terms_of(questions), seed, begins, trials)
                tally += Together(tuple(counted(question, frame, plainly, numbers) for question in questions))
        return tally, None

    def estimates(self, which: Sequence[int], state: State, any_stop: bool = False) -> list[pl.DataFrame]:
        """The answers to the questions of these numbers from simulated trials, with intervals for ``any_stop``."""
        each = zip(which, state.tally.each, strict=True)
        return [answered(self.questions[number], self.space, sums, state.done, any_stop) for number, sums in each]


@dataclass(frozen=True)
class CountedTable:
    """Answers that are always counted."""

    frame: pl.DataFrame
    space: Trial
    notes: tuple[str, ...] = ()
    is_slow = False
    from_any_seat = False

    def exact(self) -> list[pl.DataFrame | None]:
        return [self.frame]


def terms_of(questions: Sequence[Question]) -> tuple[Term, ...]:
    """The terms of some questions, each once."""
    return tuple(dict.fromkeys(term for question in questions for term in question.terms))


def _tells_few_misdeals_apart(question: Question) -> bool:
    """Whether a question compares the number of misdeals with small numbers alone: more are counted together."""

    def few(node: Node, compared: bool) -> bool:
        if node.name == "term":
            return node.value.name != "misdeals" or compared
        if node.name in ("compare", "in"):
            numbers = [leaf.value for leaf in node.leaves() if leaf.name == "number"]
            plain = all(part.name in ("term", "number", "range") for part in node.parts)
            return all(few(part, plain and max(numbers, default=0) < MOST_MISDEALS) for part in node.parts)
        return all(few(part, node.name in ("and", "or", "not")) for part in node.parts)

    truths = (*question.given, *(question.parts if question.aggregate == "chance" else ()))
    return all(few(part.tree, part in truths) for part in question.expressions)


def questions_at(
    place: Place, texts: Sequence[str], given: str | None = None, by: str | None = None
) -> QuestionsAtSeat:
    """Parse questions and bind them to a place; raises ``InputError`` quoting the words it cannot read."""
    questions = read_questions(tuple(texts), given, by, place.speaker)
    return QuestionsAtSeat(questions, space_of(terms_of(questions), place), order_of_play(place.rules)[place.me])
