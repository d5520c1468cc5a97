"""Questions about dealt cards as expressions: "low and has_matta", of a holding, a table, a deal.

An expression is read by ``grammar`` into words, numbers and operators, nothing else, over the features of a subject.
The same question can be counted over all cases, for a fraction, and put to deals of the kernel, for an estimate.

>>> from cirulla_sim.ruleset.presets import build
>>> exact(build("cirulla"), Question("low and has_matta"))["exact"].item()
'53/2470'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from ..ruleset.rules_model import Rules
from ..situation.people import PLAYERS
from .answers import answered
from .cases import Subject
from .counting import Counted, Parsed, Together, counted, plainly, weighing
from .expressions import Expression
from .grammar import read
from .inquiry import State
from .inquiry import simulated as simulated_questions
from .perspective import is_relative, names_seats
from .question import Question, named
from .subjects import SUBJECTS
from .vocabulary import meant


@dataclass(frozen=True, eq=False)
class BoundQuestions:
    """Some questions of one subject, each read once, under some rules.

    Raises ``InputError`` that quotes the expression, for unknown names, syntax, types, and a condition never true.
    """

    rules: Rules
    questions: tuple[Question, ...]
    subject: Subject
    notes: tuple[str, ...] = ()
    from_any_seat = False

    @cached_property
    def is_relative(self) -> bool:
        """Whether a word depends on who asks."""
        return any(is_relative(name) for part in self.parsed for tree in part.parts for name in tree.tree.words())

    @cached_property
    def names_seats(self) -> bool:
        """Whether a word names players by where they sit."""
        return any(names_seats(name) for part in self.parsed for tree in part.parts for name in tree.tree.words())

    @cached_property
    def parsed(self) -> tuple[Parsed, ...]:
        """The expressions of each question."""
        return tuple(parsed(self.rules, question, self.subject) for question in self.questions)

    def _names(self, which: Sequence[int]) -> tuple[str, ...]:
        """The features in some questions; one feature where there are none, so that there are cases."""
        trees = [part.tree for number in which for part in self.parsed[number].parts]
        names = dict.fromkeys(name for tree in trees for name in tree.words())
        return tuple(names) or (next(iter(self.subject.features(self.rules))),)

    @property
    def is_slow(self) -> bool:
        return any(self.subject.is_slow(self.rules, self._names([number])) for number in range(len(self.questions)))

    def exact(self) -> list[pl.DataFrame | None]:
        return [self._exact(number) for number in range(len(self.questions))]

    def count(self, number: int) -> tuple[Counted, int] | None:
        """The cases of a question added up, and how many deals all cases stand for; None for too many to count."""
        cases = self.subject.cases(self.rules, self._names([number]))
        if cases is None:
            return None
        every = np.bincount(cases.which, minlength=len(cases.weights)).tolist()
        total = sum(n * weight for n, weight in zip(every, cases.weights, strict=True))
        return counted(self.parsed[number], cases.frame, weighing(cases)), total

    def _exact(self, number: int) -> pl.DataFrame | None:
        sums = self.count(number)
        return None if sums is None else answered(self.questions[number], self.subject, sums[0], None)

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        frame = self.subject.sample(self.rules, self._names(which), seed, first, number)
        return Together(tuple(counted(self.parsed[question], frame, plainly) for question in which)), None

    def estimates(self, which: Sequence[int], state: State) -> list[pl.DataFrame]:
        each = zip(which, state.tally.each, strict=True)
        return [answered(self.questions[number], self.subject, sums, state.done) for number, sums in each]


def parsed(rules: Rules, question: Question, subject: Subject) -> Parsed:
    """The expressions of a question in the words of a subject; raises ``InputError`` that quotes an unknown word."""
    features = subject.features(rules)

    def expression(text: str | None) -> Expression | None:
        return None if text is None else Expression(text, meant(text, read(text), features, subject.called))

    number = None if question.number is None else named(question.number[1])[1]
    text, given, by, of_number = (expression(part) for part in (question.text, question.given, question.by, number))
    return Parsed(text, given, by, of_number, distribution=question.number is not None and question.mean is None)


def exact(rules: Rules, question: Question, subject: Subject | None = None) -> pl.DataFrame | None:
    """The exact answer as a result table (see ``answers``); None where there are too many cases to count."""
    return BoundQuestions(rules, (question,), subject or SUBJECTS[question.of]).exact()[0]


def simulated(
    rules: Rules, question: Question, number: int, seed: int = 1, threads: int | None = None,
    subject: Subject | None = None,
) -> pl.DataFrame:  # fmt: skip
    """The estimate from ``number`` deals of a seed, with its 95% interval; the same for any number of threads."""
    questions = BoundQuestions(rules, (question,), subject or SUBJECTS[question.of])
    return simulated_questions(questions, number, seed, threads)


_WHO = "|".join(PLAYERS)
_FAMILY = re.compile(rf"((?:{_WHO})_)?(.+?)(_(?:{_WHO}|dealer_alone|us|them|others))?(_stage\d)?")
_CARD = re.compile(r"has_[2-7AJQK][hdcs]$")


def describe(features: Mapping[str, str]) -> list[tuple[str, str]]:
    """The features of a subject, each with a sentence; those for several players, stages or cards only once."""
    listed: dict[tuple[bool, str], tuple[str, dict[str, None]]] = {}
    for name in features:
        match = _FAMILY.fullmatch(name)
        assert match
        card, kind = _CARD.search(match[2]) is not None, _CARD.sub("has_7d", match[2])
        key, shown = (bool(match[1]), kind), name.replace(match[2], kind)
        first, others = listed.setdefault(key, (shown if shown in features else name, {}))
        also = [f"{match[1]}..."] if match[1] and not first.startswith(match[1]) else []
        also += [part for part in match.groups()[2:] if part and not first.endswith(part)]
        also += ["each card"] if card else []
        others |= dict.fromkeys(also)
    return [(name, features[name] + (f" (also {' '.join(also)})" if also else "")) for name, also in listed.values()]
