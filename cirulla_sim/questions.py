"""Questions about dealt cards as expressions: "low and has_matta", of a holding, a table, a deal.

An expression is SQL over the features of a subject, parsed by polars; nothing a user writes is run as Python. The same
question can be counted over all cases, for a fraction, and put to deals of the kernel, for an estimate.

>>> from cirulla_sim.rules import build
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
import polars.selectors as cs
from numpy.typing import NDArray

from . import estimates
from .engines import in_chunks
from .errors import InputError, unknown
from .rules import Rules
from .subjects import SUBJECTS, Cases, Subject
from .tables import empty_row, table

LARGEST = 10**6
"""The largest number that there can be a mean of: sums and sums of squares of all cases stay exact."""

Mask = NDArray[np.bool_]

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
    case = _truth(frame, question.given) if question.given is not None else every
    told = case & _truth(frame, question.text) if question.text is not None else case
    numbers = _numbers(frame, question.mean) if question.mean is not None else None
    counts: _Counts = {None: add_up(case, None)}
    if question.by is None:
        return counts | {"": add_up(told, numbers)}
    values, group = _groups(frame, question.by)
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
        for name in _parsed(text).meta.root_names():
            if name not in known:
                place = f"{text!r}, {_place(text, name)}: "
                raise unknown(f"feature of {_CALLED[question.of]}", name, known, where=place)
            names[name] = None
    return tuple(names) or (next(iter(known)),)  # cases are counted even if nothing is asked of them


def _place(text: str, word: str) -> str:
    """Where a word stands in an expression, for a reader."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    return f"character {found.start() + 1 if found else 1}"


def _parsed(text: str) -> pl.Expr:
    try:
        parsed = pl.sql_expr(text)
    except pl.exceptions.PolarsError:
        raise InputError(_not_an_expression(text)) from None
    if not parsed.meta.eq(parsed.meta.undo_aliases()):  # SQL would read "low triple" as low, named triple
        raise InputError(_not_an_expression(text))
    return parsed


def _not_an_expression(text: str) -> str:
    """Says up to where a text can be read."""
    words = list(re.finditer(r"'[^']*'|\"[^\"]*\"|[\w.]+|[<>=!]+|\S", text))
    read = 0
    for number in range(1, len(words)):
        try:
            parsed = pl.sql_expr(text[: words[number - 1].end()])
        except pl.exceptions.PolarsError:
            continue
        if parsed.meta.eq(parsed.meta.undo_aliases()):
            read = number
    if not words:
        return f"{text!r} is not an expression: it is empty (valid: as low and sevens >= 1)"
    rest = text[words[read].start() :]
    return (
        f"{text!r} is not an expression: character {words[read].start() + 1}, {rest!r} cannot be read "
        f"(valid: as low and sevens >= 1)"
    )


def _column(frame: pl.DataFrame, text: str) -> pl.Series:
    parsed = _parsed(text)
    frame = frame.with_columns(cs.integer().cast(pl.Int64))  # small whole numbers would run over
    some = sorted({0, frame.height // 3, frame.height * 2 // 3, frame.height - 1} & set(range(frame.height)))
    _check_kinds(frame[some], parsed, text)
    try:
        series = frame.select(parsed.alias("answer")).to_series()
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{text!r} cannot be worked out: {_first_line(error)}") from None
    return pl.repeat(series[0], frame.height, dtype=series.dtype, eager=True) if len(series) == 1 else series


def _check_kinds(frame: pl.DataFrame, part: pl.Expr, text: str) -> pl.DataType:
    """The type of a part of an expression; raises ``InputError`` where polars would answer what nobody asked.

    SQL compares true and false with numbers and texts, spreads one number over all cases and counts their rows; these
    are slips here. ``frame`` is a few cases: what is said of each must be the same when it is alone.
    """
    inputs = part.meta.pop()
    kinds = [_check_kinds(frame, one, text) for one in reversed(inputs)]
    names = part.meta.root_names()
    where = _place(text, names[0]) if names else "character 1"
    try:
        answer = frame.select(part.alias("answer")).to_series()
    except pl.exceptions.PolarsError:
        if not kinds:
            raise InputError(f"{text!r}, {where}: cannot be worked out (valid: as low and sevens >= 1)") from None
        said = " and ".join(_kind(kind) for kind in kinds)
        raise InputError(
            f"{text!r}, {where}: {said} cannot be put together so (valid: ranks = 'A7K', total > 3, low and not triple)"
        ) from None
    alone = [frame[row].select(part.alias("answer")).to_series() for row in range(frame.height if names else 1)]
    if not answer.equals(pl.concat(alone), null_equal=True):
        raise InputError(
            f"{text!r}, {where}: says one thing of all cases (valid: what can be true or not of each, as low)"
        )
    truths = [kind for kind in kinds if kind == pl.Boolean]
    others = [kind for kind in kinds if kind.is_numeric() or kind == pl.String]
    if len(kinds) == 2 and len(truths) == 1 and others:
        raise InputError(
            f"{text!r}, {where}: compares what is true or false with {_kind(others[0])} (valid: low, or total > 3)"
        )
    return answer.dtype


def _truth(frame: pl.DataFrame, text: str) -> Mask:
    series = _column(frame, text)
    if series.dtype != pl.Boolean:
        raise InputError(
            f"{text!r} is not true or false but {_kind(series.dtype)} (valid: a comparison, as {text} > 3)"
        )
    return series.fill_null(False).to_numpy()


def _numbers(frame: pl.DataFrame, text: str) -> NDArray[np.int64]:
    series = _column(frame, text)
    if series.dtype == pl.Boolean:
        series = series.cast(pl.Int64)
    if not series.dtype.is_integer():
        raise InputError(f"{text!r} is not a whole number but {_kind(series.dtype)} (valid: as total or bonus_points)")
    numbers = series.to_numpy().astype(np.int64)
    if len(numbers) and max(-int(numbers.min()), int(numbers.max())) > LARGEST:
        raise InputError(f"{text!r} is too large to be added up (valid: numbers up to {LARGEST:_})")
    return numbers


def _groups(frame: pl.DataFrame, text: str) -> tuple[list[str], NDArray[np.int64]]:
    """The values of an expression as text, and which of them each case has."""
    series = _column(frame, text)
    if not (series.dtype.is_integer() or series.dtype in (pl.Boolean, pl.String)):
        raise InputError(f"{text!r} is {_kind(series.dtype)} (valid: a whole number or a text, as total or ranks)")
    values, group = np.unique(series.cast(pl.String).fill_null("null").to_numpy(), return_inverse=True)
    return [str(value) for value in values], group


def _kind(kind: pl.DataType) -> str:
    return "a text" if kind == pl.String else "what is true or false" if kind == pl.Boolean else "a number"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
