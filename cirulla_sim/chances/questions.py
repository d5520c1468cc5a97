"""Questions about dealt cards as expressions: "low and has_matta", of a holding, a table, a deal.

An expression is SQL over the features of a subject, parsed by polars; nothing a user writes is run as Python. The same
question can be counted over all cases, for a fraction, and put to deals of the kernel, for an estimate.

>>> from cirulla_sim.rulebook import build
>>> exact(build("cirulla"), Question("low and has_matta"))["exact"].item()
'53/2470'
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError, unknown
from ..kept import empty_row, estimates, table
from ..play import in_chunks
from ..rulebook import Rules
from .cases import Cases, Subject
from .expressions import Mask, groups_of, numbers_of, parse, place_of, truth_of
from .subjects import SUBJECTS

_CALLED = {"holding": "a holding", "table": "a table", "first-deal": "a first deal", "deal": "a deal", "piles": "piles"}


@dataclass(frozen=True)
class Question:
    """What is asked, each part an expression over the features of a subject.

    ``text`` is what must be true; ``given`` restricts to the cases where it is true. ``mean`` asks for the mean of an
    expression instead, in the cases where the text, if any, is true too. ``by`` splits the answer by the values of an
    expression: for a chance the chance of it and this value together, for a mean the mean at this value.
    """

    text: str | None = None
    of: str = "holding"
    given: str | None = None
    by: str | None = None
    mean: str | None = None

    @property
    def expressions(self) -> list[str]:
        """The parts that are asked for."""
        return [part for part in (self.text, self.given, self.by, self.mean) if part is not None]

    @property
    def words(self) -> str:
        """The question on one line."""
        parts = (
            f"mean of {self.mean}" if self.mean else None,
            self.text,
            f"given {self.given}" if self.given else None,
        )
        return " ".join(part for part in parts if part) or f"by {self.by}"


@dataclass(frozen=True)
class _Sums:
    """Whole-number sums over cases: of the weights, of a number, and of its square."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(self.count + other.count, self.total + other.total, self.squares + other.squares)


_Counts = dict[str | None, _Sums]  # by value of the group, "" for all; under None the cases that are given


# ------------------------------------------------------------------------------------------------ answers


def exact(rules: Rules, question: Question, subject: Subject | None = None) -> pl.DataFrame | None:
    """The exact answer as a result table (see ``tables``); None where there are too many cases to count.

    Raises ``InputError`` that quotes the expression, for unknown names, syntax, types, and a condition never true.
    """
    subject = subject or SUBJECTS[question.of]
    cases = subject.cases(rules, _names(rules, question, subject))
    if cases is None:
        return None
    counts = _counted(question, cases.frame, lambda mask, numbers: _weighed(cases, mask, numbers))
    return table(_row(question, subject, value, *answer) for value, answer in _answers(question, counts))


def simulated(
    rules: Rules,
    question: Question,
    hands: int,
    seed: int = 1,
    threads: int | None = None,
    subject: Subject | None = None,
) -> pl.DataFrame:
    """The answer as found in ``hands`` deals of a seed, with its 95% interval; the same for any number of threads.

    Raises ``InputError`` as ``exact`` does.
    """
    return simulated_together(rules, [question], hands, seed, threads, subject)[0]


def simulated_together(
    rules: Rules,
    questions: Sequence[Question],
    hands: int,
    seed: int = 1,
    threads: int | None = None,
    subject: Subject | None = None,
) -> list[pl.DataFrame]:
    """The answers to several questions of one subject, each as ``simulated`` gives it, from the same deals."""
    subject = subject or SUBJECTS[questions[0].of]
    names = tuple(dict.fromkeys(name for question in questions for name in _names(rules, question, subject)))

    def part(first: int, number: int) -> list[_Counts]:
        frame = subject.sample(rules, names, seed, first, number)
        return [_counted(question, frame, _plainly) for question in questions]

    found: list[_Counts] = [{None: _Sums()} for _ in questions]
    for parts in in_chunks(part, hands, threads):
        for sums, counts in zip(found, parts, strict=True):
            for value, more in counts.items():
                sums[value] = sums.get(value, _Sums()) + more
    tables = []
    for question, sums in zip(questions, found, strict=True):
        ordered = {value: sums[value] for value in sorted(sums, key=_order)}
        answers = _answers(question, ordered, f"{hands:_}")
        tables.append(table(_row(question, subject, value, *answer) for value, answer in answers))
    return tables


def checked(exactly: pl.DataFrame, estimated: pl.DataFrame) -> pl.DataFrame:
    """Both answers side by side: the exact table, and in four more columns what was simulated.

    ``simulated`` with its interval ``simulated_low``, ``simulated_high`` and trials ``simulated_n``; ``difference`` is
    how far it is from the exact answer, in standard errors (those of the exact chance for chances). A value that never
    came up is found 0 times.
    """
    found = {row["value"]: row for row in estimated.to_dicts()}
    trials = max(estimated["n"].to_list(), default=0)
    rows = []
    for row in exactly.to_dicts():
        other = found.get(row["value"])
        p, chance = row["estimate"], row["kind"] == "probability"
        n = other["n"] if other else trials
        value = other["estimate"] if other else 0.0 if chance else None
        error = math.sqrt(p * (1 - p) / n) if chance and n else other["std_error"] if other else None
        difference = None
        if value is not None and error is not None:
            difference = (value - p) / error if error else 0.0 if abs(value - p) < 1e-12 else math.inf
        low, high = (
            (other["ci_low"], other["ci_high"]) if other else estimates.wilson(0, trials) if chance else (None,) * 2
        )
        rows.append(
            {
                "simulated": value,
                "simulated_low": low,
                "simulated_high": high,
                "simulated_n": n,
                "difference": difference,
            }
        )
    schema = dict.fromkeys(("simulated", "simulated_low", "simulated_high"), pl.Float64)
    return pl.concat(
        [exactly, pl.DataFrame(rows, schema={**schema, "simulated_n": pl.Int64, "difference": pl.Float64})],
        how="horizontal",
    )


def describe(rules: Rules, subject: Subject) -> list[tuple[str, str]]:
    """The features of a subject, each with a sentence; those there is one of for every card or seat only once."""
    found = subject.features(rules)
    listed: dict[str, str] = {}
    for name in found:
        family = re.sub(r"^seat\d_", "seat0_", re.sub(r"has_[2-7AJQK][hdcs]$", "has_7d", name))
        if family not in listed:
            more = [] if family == name and not name.endswith("has_7d") else ["each card likewise"]
            more += ["each seat likewise"] if family.startswith("seat0_") else []
            listed[family] = found[family] + (f" ({', '.join(more)})" if more else "")
    return list(listed.items())


# ------------------------------------------------------------------------------------------------ counting


def _counted(
    question: Question, frame: pl.DataFrame, add_up: Callable[[Mask, NDArray[np.int64] | None], _Sums]
) -> _Counts:
    """The sums for each value of ``by`` that a given case has, with ``add_up`` to add up the cases of a mask."""
    every = np.ones(frame.height, np.bool_)
    case = truth_of(frame, question.given) if question.given is not None else every
    told = case & truth_of(frame, question.text) if question.text is not None else case
    numbers = numbers_of(frame, question.mean) if question.mean is not None else None
    counts: _Counts = {None: add_up(case, None)}
    if question.by is None:
        return counts | {"": add_up(told, numbers)}
    values, group = groups_of(frame, question.by)
    for number in np.unique(group[case]):
        counts[values[number]] = add_up(told & (group == number), numbers)
    return dict(sorted(counts.items(), key=lambda item: _order(item[0])))


def _weighed(cases: Cases, mask: Mask, numbers: NDArray[np.int64] | None) -> _Sums:
    """Sums over the deals that the cases stand for."""
    size = len(cases.weights)
    count = np.bincount(cases.which[mask], minlength=size)
    total = np.zeros(size, np.int64)
    if numbers is not None:  # sums far below 2 ** 53: doubles are exact
        total = np.bincount(cases.which[mask], weights=numbers[mask], minlength=size).astype(np.int64)
    weigh = [(weight, int(n), int(t)) for weight, n, t in zip(cases.weights, count, total, strict=True) if n]
    return _Sums(sum(w * n for w, n, _ in weigh), sum(w * t for w, _, t in weigh))


def _plainly(mask: Mask, numbers: NDArray[np.int64] | None) -> _Sums:
    """Sums over deals dealt."""
    if numbers is None:
        return _Sums(int(mask.sum()))
    held = numbers[mask]
    return _Sums(len(held), int(held.sum()), int((held * held).sum()))


def _answers(
    question: Question, counts: _Counts, hands: str | None = None
) -> Iterator[tuple[str | None, tuple[Fraction, estimates.Estimate | None]]]:
    """The answers by value of ``by``: exact ones, or estimates from a number of hands."""
    cases = counts[None]
    where = f" in {hands} deals" if hands else f" of {_CALLED[question.of]}"
    if not cases.count:
        if question.given is None:
            raise InputError(f"no hand is played under these rules{where if hands else ''}")
        raise InputError(f"--given {question.given!r} is never true{where}: nothing can be asked given that")
    none = True
    for value, sums in counts.items():
        if value is None:
            continue
        estimate = None
        if question.mean is None:
            answer = Fraction(sums.count, cases.count)
            estimate = estimates.proportion(sums.count, cases.count) if hands else None
        else:
            if not sums.count:
                continue
            answer = Fraction(sums.total, sums.count)
            estimate = estimates.mean(sums.total, sums.squares, sums.count) if hands else None
        none = False
        yield value or None, (answer, estimate)
    if none:
        raise InputError(f"{question.text!r} is never true{where} here: there is no mean of nothing")


def _order(value: str | None) -> tuple[int, float, str]:
    """Values in order: numbers as numbers, texts as texts."""
    if value is None:
        return -1, 0, ""
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0, value


def _row(
    question: Question, subject: Subject, value: str | None, answer: Fraction, estimate: estimates.Estimate | None
) -> dict[str, Any]:
    p = float(answer)
    numbers: dict[str, Any] = {"std_error": 0.0, "ci_low": p, "ci_high": p, "exact": str(answer)}
    if estimate is not None:
        p = estimate.value
        numbers = {
            "std_error": estimate.std_error,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "n": estimate.n,
        }
    kind = "mean" if question.mean is not None else "probability"
    named = {"quantity": question.words, "per": subject.per, "side": "all", "kind": kind, "value": value, "estimate": p}
    return empty_row() | named | numbers


# ------------------------------------------------------------------------------------------------ expressions


def _names(rules: Rules, question: Question, subject: Subject) -> tuple[str, ...]:
    """The features that a question speaks of; raises ``InputError`` that points at a name that is none."""
    known = subject.features(rules)
    names: dict[str, None] = {}
    for text in question.expressions:
        for name in parse(text).meta.root_names():
            if name not in known:
                place = f"{text!r}, {place_of(text, name)}: "
                raise unknown(f"feature of {_CALLED[question.of]}", name, known, where=place)
            names[name] = None
    return tuple(names) or (next(iter(known)),)  # cases are counted even if nothing is asked of them
