"""Answers: cases added up by value, then fractions or estimates with their intervals, one row a value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from operator import add
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..exact.first_deal import first_deal_odds
from ..ruleset.rules_model import Rules
from ..stats import estimates
from ..stats.distributions import MISSED, least_for_quantile, quantile_ranks
from ..stats.estimates import Z, longest_run, trials_until_positive, waiting_time
from ..stats.sequential import at_any_stop, held, missed_by
from ..storage.tables import SCHEMA, empty_row, estimate_of, table
from .cases import Cases, Space
from .expressions import UNIT, Examples, bounds_of, groups_of, numbers_of, truth_of
from .question import Expression, Question
from .vocabulary import ANY, Bounds

Codes = NDArray[np.int64]


class Sums(NamedTuple):
    """Whole-number sums over cases: of the weights, of a number and its square, of another, and of their product.

    Numbers are in units of one ``UNIT``-th.
    """

    cases: int = 0
    total: int = 0
    squares: int = 0
    other: int = 0
    other_squares: int = 0
    product: int = 0


Extreme = tuple[int, int]
"""A number, and the lowest number of a trial that has it."""


@dataclass(frozen=True)
class Counted:
    """The cases of a question added up; values of ``by`` are texts, ``""`` where nothing is split."""

    given: dict[str, int] = field(default_factory=dict)
    """Cases that are given, by value."""
    matching: dict[str, Sums] = field(default_factory=dict)
    """Those in which it is true, or all of them with the sums of a number, by value."""
    spread: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same by value and by the value of the expression, for distributions."""
    extremes: dict[str, tuple[Extreme, Extreme]] = field(default_factory=dict)
    """The least and the greatest number, by value."""

    def __add__(self, other: Counted) -> Counted:
        """These cases and others."""
        return Counted(
            _merged(add, self.given, other.given),
            _merged(lambda some, others: Sums(*map(add, some, others)), self.matching, other.matching),
            _merged(add, self.spread, other.spread),
            _merged(
                lambda some, others: (
                    min(some[0], others[0]),
                    max(some[1], others[1], key=lambda one: (one[0], -one[1])),
                ),
                self.extremes,
                other.extremes,
            ),
        )

    def times(self, factor: int) -> Counted:
        """Every case so many times."""
        return Counted(
            {value: n * factor for value, n in self.given.items()},
            {value: Sums(*(number * factor for number in sums)) for value, sums in self.matching.items()},
            {place: n * factor for place, n in self.spread.items()},
            self.extremes,
        )

    def plus(self, other: Counted, factor: int) -> Counted:
        """The sums of a number, and so many times those of another in the same cases."""
        sums = {value: Sums(one.cases, factor * one.total) for value, one in other.matching.items()}
        for value, one in self.matching.items():
            sums[value] = Sums(one.cases, one.total + sums[value].total)
        return Counted(other.given, sums)

    def as_rows(self) -> list[list[list[Any]]]:
        """The same as lists of texts and whole numbers, for files; see ``from_rows``."""
        return [
            [[*item] for item in sorted(self.given.items())],
            [[value, *sums] for value, sums in sorted(self.matching.items())],
            [[*place, n] for place, n in sorted(self.spread.items())],
            [[value, *low, *high] for value, (low, high) in sorted(self.extremes.items())],
        ]

    @classmethod
    def from_rows(cls, rows: list[list[list[Any]]]) -> Counted:
        """The inverse of ``as_rows``; raises ``ValueError`` or ``TypeError`` for anything else."""
        given, matching, spread, extremes = rows
        return cls(
            {str(value): int(n) for value, n in given},
            {str(value): Sums(*map(int, sums)) for value, *sums in matching},
            {(str(value), str(number)): int(n) for value, number, n in spread},
            {str(value): ((int(a), int(b)), (int(c), int(d))) for value, a, b, c, d in extremes},
        )


def _merged(together: Callable[[Any, Any], Any], some: Mapping[Any, Any], others: Mapping[Any, Any]) -> dict[Any, Any]:
    """Both mappings in one, values of the same key put together."""
    return {**some, **{key: together(some[key], value) if key in some else value for key, value in others.items()}}


@dataclass(frozen=True)
class Together:
    """The sums of several questions over the same cases.

    Where the highest values are chosen, every other trial is in ``choosing`` and not in ``each``: the estimates are
    from trials that had no part in the choice.
    """

    each: tuple[Counted, ...]
    choosing: tuple[Counted, ...] = ()

    def __add__(self, other: Together) -> Together:
        return Together(_added(self.each, other.each), _added(self.choosing, other.choosing))

    @property
    def whole(self) -> Together:
        """The sums over all cases, those by which values are chosen too."""
        return Together(_added(self.each, self.choosing)) if self.choosing else self


def _added(some: Sequence[Counted], others: Sequence[Counted]) -> tuple[Counted, ...]:
    return tuple(a + b for a, b in zip(some, others, strict=True))


def check(question: Question, space: Space) -> None:
    """Raise ``InputError`` for a question that has no meaning whatever is dealt and played; nothing is."""
    examples = Examples()
    for term in question.terms:
        example = pl.Series([space.example(term)])
        examples[term.key] = example if example.dtype == pl.String else example.clear()
    for condition in question.given:
        truth_of(examples, condition)
    if question.by is not None:
        groups_of(examples, question.by)
    for part in question.parts:
        _OF[question.asks.of](examples, part)


_OF: dict[str, Callable[[Any, Expression], Any]] = {"truth": truth_of, "number": numbers_of, "value": groups_of}
"""How a part of an aggregate is evaluated, by what it is."""


def counted(question: Question, cases: Cases) -> Counted:
    """The sums of a question over some cases; raises ``InputError`` as expressions do.

    What is not given is left out before anything else is worked out.
    """
    for condition in question.given:
        cases = cases.filter(truth_of(cases.frame, condition))
    values, code = [""], np.zeros(len(cases.which), np.int64)
    if question.by is not None:
        values, code = groups_of(cases.frame, question.by)
    given = _sums(cases, code, len(values))
    of_given = {value: sums.cases for value, sums in zip(values, given, strict=True) if sums.cases}
    spread: dict[tuple[str, str], int] = {}
    extremes: dict[str, tuple[Extreme, Extreme]] = {}
    matching = given
    if not question.parts:
        return Counted(of_given)
    if question.is_of_truth:
        true = truth_of(cases.frame, question.parts[0])
        matching = _sums(cases.filter(true), code[true], len(values))
    elif question.asks.sums == "spread" or question.is_extreme_of_trials:
        spread = _spread(question, cases, values, code)
    elif question.asks.sums == "extremes":
        extremes = _extremes(numbers_of(cases.frame, question.parts[0]), values, code, cases.trials)
    else:
        matching = _sums(cases, code, len(values), *(numbers_of(cases.frame, part) for part in question.parts))
    by_value = {value: sums for value, sums in zip(values, matching, strict=True) if value in of_given}
    return Counted(of_given, by_value, spread, extremes)


def _sums(cases: Cases, code: Codes, size: int, *numbers: Codes) -> list[Sums]:
    """The sums of the cases with each code below ``size``; of squares and products for trials, estimates need them."""
    keys, place = np.arange(size), code
    if cases.trials is None:
        keys, place = np.unique(code * len(cases.weights) + cases.which, return_inverse=True)
    products = dict(zip(("total", "other"), numbers, strict=False))
    if cases.trials is not None:
        squares = zip(("squares", "other_squares"), numbers, strict=False)
        products |= {name: number * number for name, number in squares}
        products |= {"product": numbers[0] * numbers[1]} if len(numbers) > 1 else {}
    added = {"cases": np.bincount(place, minlength=len(keys))}
    for name, column in products.items():
        added[name] = np.zeros(len(keys), np.int64)
        np.add.at(added[name], place, column)
    sums = [dict.fromkeys(added, 0) for _ in range(size)]
    for key, *parts in zip(keys.tolist(), *(column.tolist() for column in added.values()), strict=True):
        one, weight = divmod(key, len(cases.weights))
        for name, part in zip(added, parts, strict=True):
            sums[one][name] += cases.weights[weight] * part
    return [Sums(**one) for one in sums]


def _spread(question: Question, cases: Cases, values: Sequence[str], code: Codes) -> dict[tuple[str, str], int]:
    """How often each value of the expression comes up, by the value that splits the answer."""
    if question.asks.of == "value":
        several, which = groups_of(cases.frame, question.parts[0])
    else:
        numbers = np.stack([numbers_of(cases.frame, part) for part in question.parts])
        each, which = np.unique(numbers, axis=1, return_inverse=True)
        several, which = [" ".join(map(str, column)) for column in each.T.tolist()], which.ravel()
    sums = _sums(cases, code * len(several) + which, len(values) * len(several))
    return {place: one.cases for place, one in zip(product(values, several), sums, strict=True) if one.cases}


def _extremes(
    numbers: Codes, values: Sequence[str], code: Codes, trials: Codes | None
) -> dict[str, tuple[Extreme, Extreme]]:
    """The least and the greatest number by value, each with its first trial."""
    found = {}
    for place, value in enumerate(values):
        here = np.flatnonzero(code == place)
        if len(here):
            ends = (here[numbers[here].argmin()], here[numbers[here].argmax()])
            low, high = ((int(numbers[at]), int(at if trials is None else trials[at])) for at in ends)
            found[value] = low, high
    return found


# ------------------------------------------------------------------------------------------------ answers


QUANTILES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))

BY = {"by": pl.String, "share": pl.Float64, "share_exact": pl.String}
"""Columns after those of ``tables.SCHEMA`` where an answer is split: the expression that it is split by; how often, of
all that is given, this value comes; the same as a fraction."""

HAND = {"hand": pl.Int64}
"""The number of the first trial in which an extreme was seen, for ``show --hand``."""

Answer = dict[str, Any]


def answered(
    question: Question, space: Space, counted: Counted, trials: int | None, any_stop: bool = False
) -> pl.DataFrame:
    """The rows of an answer (see ``tables.SCHEMA``, ``BY`` and ``HAND``): exact, or estimated from ``trials``.

    Estimates have intervals for a fixed number of trials, or with ``any_stop`` some that hold at any stop.
    Raises ``InputError`` where nothing is given, or there is a mean of nothing.
    """
    where = Message(" in {trials:_} {unit}", trials, Message(space.trial.unit)) if trials else ""
    if not any(counted.given.values()):
        if not question.given:
            raise InputError("no hand is played under these rules{where}", where)
        texts = " and ".join(part.alone or part.text for part in question.given)
        raise InputError("{texts!r} is never true{where}: nothing can be asked given that", texts, where)
    rows = list(_rows(question, counted, bool(trials), any_stop))
    if not rows:
        least = least_for_quantile(0.5, missed(trials or 0, any_stop))
        raise InputError(
            "{text!r}: the median requires {least} {unit} (valid: --hands {least} or more)",
            question.text, least, Message(space.trial.unit),
        )  # fmt: skip
    named = empty_row() | {"per": space.trial.per, "side": "all"}
    schema = SCHEMA | (BY if question.by is not None or question.asks.of == "value" else {})
    schema |= HAND if question.asks.sums == "extremes" and not question.trials else {}
    whole = [named | row for row in rows]
    if any_stop and not question.asks.own_interval:
        whole = [_held(question, row) for row in whole]
    if question.by is not None:
        whole += _between_groups(question, whole)
    return pl.DataFrame(whole, schema=schema, orient="row")


_DIFFERENCES = {"probability": "probability difference", "mean": "difference", "ratio": "difference"}
"""The kind of the difference of two answers, by the kind of these."""


def _between_groups(question: Question, rows: Sequence[Answer]) -> Iterator[Answer]:
    """The row of how much more there is in the second of two groups than in the first; no other number of groups."""
    if not question.parts or question.asks.of == "value" or len(rows) != 2 or rows[0]["kind"] not in _DIFFERENCES:
        return
    first, second = rows
    cells = first | {"kind": _DIFFERENCES[first["kind"]], "value": f"{second['value']} − {first['value']}"}
    one, other = estimate_of(second), estimate_of(first)
    if one is None or other is None:
        numbers = exact_cells(Fraction(second["exact"]) - Fraction(first["exact"]))
    else:
        numbers = _estimated(estimates.difference_of(one, other))
    yield cells | numbers | {"share": None, "share_exact": None}


def exactly(words: str, per: str, chance: Fraction) -> pl.DataFrame:
    """The answer to a question of which nothing but the exact chance is known."""
    named = {"per": per, "side": "all", "quantity": words, "kind": "probability"}
    return pl.DataFrame([empty_row() | named | exact_cells(chance)], schema=SCHEMA, orient="row")


def first_deal(rules: Rules) -> pl.DataFrame:
    """The exact odds of the first deal, one row a quantity (see ``tables``)."""
    return table(
        empty_row()
        | {"quantity": odds.quantity, "per": odds.per, "side": "all", "kind": odds.kind}
        | exact_cells(odds.exact)
        for odds in first_deal_odds(rules)
    )


def missed(n: int, any_stop: bool) -> float:
    """How often an interval of ``n`` trials may leave out the truth."""
    return missed_by(max(n, 1)) if any_stop else MISSED


def _held(question: Question, answer: Answer) -> Answer:
    """An answer with an interval that holds at any stop; those of quantiles do."""
    if answer.get("kind") == "quantile" or (estimate := estimate_of(answer)) is None:
        return answer
    ends = {
        "mean": _bounds(question), "probability": (0, 1), "standard deviation": (0, math.inf), "correlation": (-1, 1),
    }.get(answer.get("kind", "probability"), ANY)  # fmt: skip
    return answer | _estimated(held(estimate, *ends))


def _bounds(question: Question) -> Bounds:
    """The least and the most that the number of a mean can be."""
    return bounds_of(question.parts[0].tree, question.rules) if question.aggregate == "mean" else ANY


class _Group(NamedTuple):
    """The cases of a question with one value of what it is split by; ``every`` is how many there are in all."""

    question: Question
    value: str
    every: int
    cases: int
    sums: Sums
    spread: list[tuple[str, int]]
    extremes: tuple[Extreme, Extreme] | None
    estimated: bool
    any_stop: bool

    @property
    def numbers(self) -> list[tuple[int, int]]:
        """Each number and how often it comes, the least first."""
        return sorted((int(number), n) for number, n in self.spread)


def _rows(question: Question, counted: Counted, estimated: bool, any_stop: bool) -> Iterator[Answer]:
    every = sum(counted.given.values())
    for value in sorted(counted.given, key=order):
        cases = counted.given[value]
        cells: Answer = {"quantity": question.words, "kind": question.kind, "value": value or None}
        if question.by is not None:
            cells |= {"by": question.by.text} | _share(cases, every, estimated)
        if not question.parts:
            yield cells | chance_cells(cases, every, estimated)
            continue
        spread = [(number, n) for (group, number), n in counted.spread.items() if group == value]
        group = _Group(question, value, every, cases, counted.matching.get(value, Sums()), spread,
                       counted.extremes.get(value), estimated, any_stop)  # fmt: skip
        answer = _of_trials if question.is_extreme_of_trials else _ANSWERS[question.aggregate]
        for row in answer(group):
            yield cells | row


def _chance(of: _Group) -> Iterator[Answer]:
    yield chance_cells(of.sums.cases, of.cases, of.estimated)


def _quantiles(of: _Group, shares: Sequence[Fraction]) -> Iterator[Answer]:
    """A row for each quantile of which so many trials can say something."""
    for share in shares:
        if not of.estimated or quantile_ranks(of.cases, float(share), missed(of.cases, of.any_stop)) is not None:
            named = {"quantity": f"{float(share):.0%} quantile of {_inside(of.question)}"} if len(shares) > 1 else {}
            yield named | _quantile(of.numbers, share, of.estimated, of.any_stop)


def _each_value(of: _Group) -> Iterator[Answer]:
    """A row for each value, and the mean of values that are numbers."""
    question, estimated = of.question, of.estimated
    by = {"by": _inside(question)} if question.by is None else {}
    for number, n in sorted(of.spread, key=lambda one: order(one[0])):
        shown = {"value": number if by else f"{of.value}: {number}"}
        yield shown | by | chance_cells(n, of.cases, estimated, seen=True) | _share(n, of.every, estimated)
    if by and all(is_number(value) for value, _ in of.spread):
        numbers = [(round(UNIT * float(value)), n) for value, n in of.spread]
        sums = Sums(*(sum(n * number**power for number, n in numbers) for power in (0, 1, 2)))
        mean = of._replace(question=replace(question, aggregate="mean"), sums=sums)
        for cells in _mean(mean):
            yield {"kind": mean.question.kind} | by | cells


def _inside(question: Question) -> str:
    """What stands in the brackets of an aggregate and what is given, by its name if the question has one."""
    return re.sub(r"^\w+\((.*?)\)( given .*)?$", r"\1\2", question.words)


def _share(n: int, every: int, estimated: bool) -> Answer:
    """The cells of how often, of all that is given, a value comes."""
    return {"share": n / every, "share_exact": None if estimated else str(Fraction(n, every))}


def exact_cells(answer: Fraction) -> Answer:
    """The cells of an exact answer."""
    x = float(answer)
    return {"estimate": x, "std_error": 0.0, "ci_low": x, "ci_high": x, "exact": str(answer)}


def _estimated(estimate: estimates.Estimate) -> Answer:
    return {
        "estimate": estimate.value, "std_error": estimate.std_error, "ci_low": estimate.low, "ci_high": estimate.high,
        "n": estimate.n,
    }  # fmt: skip


def chance_cells(count: int, cases: int, estimated: bool, seen: bool = False) -> Answer:
    """The cells of a chance: exact, or an estimate with its interval; of a value that is listed because it was seen."""
    if not estimated:
        return exact_cells(Fraction(count, cases))
    share = estimates.proportion(count, cases)
    return _estimated(estimates.seen(share) if seen else share)


def _mean(of: _Group) -> Iterator[Answer]:
    sums = of.sums
    if not of.estimated:
        yield exact_cells(Fraction(sums.total, UNIT * sums.cases))
        return
    low, high = (UNIT * end for end in _bounds(of.question))
    yield _estimated(estimates.bounded_mean(sums.total, sums.squares, sums.cases, low, high, 1 / UNIT))


def _ratio(of: _Group) -> Iterator[Answer]:
    """The mean of one number over that of another; its error by the delta method."""
    sums = of.sums
    if not sums.other:
        raise InputError("{question!r} divides by zero: the second number is 0 on average", of.question.parts[1].text)
    if not of.estimated:
        yield exact_cells(Fraction(sums.total, sums.other))
        return
    yield _estimated(
        estimates.ratio(sums.total, sums.other, sums.squares, sums.product, sums.other_squares, sums.cases)
    )


def _deviation(of: _Group) -> Iterator[Answer]:
    numbers, question = of.numbers, of.question
    n = sum(count for _, count in numbers)
    powers = [sum(count * number**power for number, count in numbers) for power in (1, 2, 3, 4)]
    if not of.estimated:
        yield _root_cells(Fraction(powers[1], n) / UNIT**2 - (Fraction(powers[0], n) / UNIT) ** 2)
        return
    low, high = bounds_of(question.parts[0].tree, question.rules)
    seen = [abs(number) / UNIT for number, _ in numbers]
    largest = high - low if math.isfinite(high - low) else 2 * max(seen)
    yield _estimated(estimates.deviation(powers, n, 1 / UNIT, largest))


def _correlation(of: _Group) -> Iterator[Answer]:
    pairs: list[Any] = [(*map(int, numbers.split()), n) for numbers, n in of.spread]
    n = sum(count for *_, count in pairs)
    (x, y), (xx, yy, xy) = (
        [Fraction(sum(pair[i] * count for *pair, count in pairs), n) for i in (0, 1)],
        [Fraction(sum(pair[i] * pair[j] * count for *pair, count in pairs), n) for i, j in ((0, 0), (1, 1), (0, 1))],
    )
    for part, variance in zip(of.question.parts, (xx - x * x, yy - y * y), strict=True):
        if not variance:
            raise InputError("{question!r} is always the same: it has no correlation", part.text)
    if of.estimated:
        yield _estimated(estimates.correlation(pairs))
        return
    together = xy - x * y
    yield _root_cells(together**2 / ((xx - x * x) * (yy - y * y)), together < 0)


def _root_cells(square: Fraction, negative: bool = False) -> Answer:
    """The cells of an exact number from its square: a fraction where it is one, else a root."""
    above, below = math.isqrt(square.numerator), math.isqrt(square.denominator)
    sign = -1 if negative else 1
    if above**2 == square.numerator and below**2 == square.denominator:
        return exact_cells(sign * Fraction(above, below))
    x = sign * math.sqrt(square)
    return {"estimate": x, "std_error": 0.0, "ci_low": x, "ci_high": x, "exact": f"{'-' * negative}sqrt({square})"}


def _extreme(of: _Group) -> Iterator[Answer]:
    """The most or least that was seen, which no interval says anything about; or, of all cases, that there is."""
    assert of.extremes is not None
    number, trial = of.extremes[of.question.aggregate == "max"]
    if not of.estimated:
        yield exact_cells(Fraction(number, UNIT))
        return
    ends = {"std_error": None, "ci_low": None, "ci_high": None}
    yield ends | {"estimate": number / UNIT, "n": of.cases, "hand": trial}


def _one_after_the_other(of: _Group) -> Iterator[Answer]:
    """The rows of how long it takes until what has a chance comes, or of how long its longest run is."""
    question, chance = of.question, chance_cells(of.sums.cases, of.cases, of.estimated)
    chance = _held(question, chance) if of.any_stop else chance
    if chance["estimate"] == 0:
        never = Message("never comes") if chance.get("exact") else Message("came in none of {n:_} trials", chance["n"])
        raise InputError("{text!r} {never}: no number of trials is enough (valid: a chance)", question.text, never)
    if question.asks.trials:
        yield _turned(chance, partial(longest_run, trials=question.trials))
        return
    yield _turned(chance, lambda p: 1 / p if p else math.inf)
    for share in QUANTILES:
        named = {"quantity": f"{float(share):.0%} quantile of {question.words}", "kind": "quantile"}
        yield named | _turned(chance, partial(waiting_time, share=share))


def _turned(chance: Answer, number: Callable[[Any], Any]) -> Answer:
    """The cells of a number that falls or rises with a chance, from those of the chance."""
    if chance.get("exact") is not None:
        exact = number(Fraction(chance["exact"]))
        return exact_cells(exact) if not isinstance(exact, float) else _uneven(exact, exact, exact)
    low, high = sorted(number(chance[end]) for end in ("ci_low", "ci_high"))
    return _uneven(low, number(chance["estimate"]), high) | {"n": chance["n"]}


def _uneven(low: float, value: float, high: float) -> Answer:
    error = (high - low) / 2 / Z if math.isfinite(high) else None
    return {"estimate": value, "std_error": error, "ci_low": low, "ci_high": high}


def _enough(of: _Group) -> Iterator[Answer]:
    """The trials after which a sum is above 0 nine times in ten, as sums of many are distributed: normally."""
    n = sum(count for _, count in of.numbers)
    exact, squares = (Fraction(sum(count * number**power for number, count in of.numbers), n) for power in (1, 2))
    mean, deviation = float(exact), math.sqrt(squares - exact**2)
    half = (at_any_stop(n) if of.any_stop else Z) * deviation / math.sqrt(n) if of.estimated else 0.0
    low, value, high = (trials_until_positive(one, deviation) for one in (mean + half, mean, mean - half))
    if value == math.inf:
        raise InputError(
            "{text!r}: the mean is not above 0: no number of trials is enough (valid: what gains on average)",
            of.question.text,
        )
    yield _uneven(low, value, high) | {"n": n if of.estimated else None}


def _of_trials(of: _Group) -> Iterator[Answer]:
    """The mean of the largest, or least, number of several trials."""
    sign, trials = 1 if of.question.aggregate == "max" else -1, of.question.trials
    values, counts = zip(*sorted((sign * number, n) for number, n in of.numbers), strict=True)
    if of.estimated:
        yield _estimated(estimates.largest_of(values, counts, trials, sign / UNIT))
        return
    every, reached, mean = sum(counts), 0, Fraction(values[-1])
    for value, above, n in zip(values, values[1:], counts, strict=False):
        reached += n
        mean -= (above - value) * Fraction(reached, every) ** trials
    yield exact_cells(sign * mean / UNIT)


def _quantile(spread: list[tuple[int, int]], share: Fraction, estimated: bool, any_stop: bool) -> Answer:
    """The lowest number that so large a share of the cases do not exceed; its interval by the order of the cases."""
    n = sum(count for _, count in spread)

    def at(rank: float | Fraction) -> float:
        reached = 0
        for number, count in spread:
            reached += count
            if reached >= rank:
                return number / UNIT
        return spread[-1][0] / UNIT

    value = at(n * share)
    if not estimated:
        return exact_cells(Fraction(value))
    ranks = quantile_ranks(n, float(share), missed(n, any_stop))
    assert ranks is not None
    low, high = map(at, ranks)
    error = (high - low) / 2 / (at_any_stop(n) if any_stop else Z)
    return {"estimate": value, "std_error": error, "ci_low": low, "ci_high": high, "n": n}


_ANSWERS: dict[str, Callable[[_Group], Iterator[Answer]]] = {
    "chance": _chance, "mean": _mean, "ratio": _ratio, "quantiles": partial(_quantiles, shares=QUANTILES),
    "median": partial(_quantiles, shares=QUANTILES[2:3]), "histogram": _each_value, "max": _extreme, "min": _extreme,
    "sd": _deviation, "correlation": _correlation, "until": _one_after_the_other, "run": _one_after_the_other,
    "enough": _enough,
}  # fmt: skip
"""The rows of each aggregate for a group of cases."""


def values_in(answers: pl.DataFrame) -> int:
    """How many values answers are split by, at most."""
    if "share" not in answers.columns:
        return 0
    values = answers.filter(pl.col("share").is_not_null())
    return max(alike["value"].n_unique() for alike in values.partition_by("by"))


def ranked(answers: pl.DataFrame) -> pl.DataFrame:
    """Answers split by a text with the highest of the first question first; numbers stay in their order."""
    if "share" not in answers.columns:
        return answers
    in_order = []
    for alike in answers.partition_by("by", maintain_order=True):
        split = pl.col("share").is_not_null()
        if alike["by"][0] is not None and not all(map(is_number, alike.filter(split)["value"])):
            differences = alike.filter(~split)["value"].to_list()
            alike = of_values(alike, [*highest_values(alike), *dict.fromkeys(differences)])
        in_order.append(alike)
    return pl.concat(in_order)


def is_number(value: str) -> bool:
    """Whether a value by which an answer is split is a number."""
    return order(value)[0] == 0


def highest_values(answers: pl.DataFrame) -> list[str]:
    """The values by which answers are split: by the lower ends of the first question's intervals, the highest first.

    What was seen often is so put before what was seen once. Extremes, which have no interval, are as high as they are.
    """
    answers = answers.filter(pl.col("share").is_not_null())  # no differences between the values
    first = answers.filter(pl.col("quantity") == answers["quantity"][0])
    height = pl.coalesce("ci_low", "estimate")
    in_order = first.sort(height, descending=True, maintain_order=True)["value"]
    return [str(value) for value in pl.concat([in_order, answers["value"]]).unique(maintain_order=True)]


def of_values(answers: pl.DataFrame, values: Sequence[str]) -> pl.DataFrame:
    """The answers for some of the values by which they are split, question by question, in the order of the values."""
    in_order = {"quantity": answers["quantity"].unique(maintain_order=True), "value": values}
    chosen = answers.filter(pl.col("value").is_in(list(values)))
    return chosen.sort(*(pl.col(name).cast(pl.Enum(each)) for name, each in in_order.items()), maintain_order=True)


def order(value: str | None) -> tuple[int, float, str]:
    """Values in order: numbers as numbers, texts as texts."""
    try:
        return 0, float(value or ""), value or ""
    except ValueError:
        return 1, 0, value or ""


CHECK = {
    "simulated": pl.Float64, "simulated_low": pl.Float64, "simulated_high": pl.Float64, "simulated_n": pl.Int64,
    "difference": pl.Float64,
}  # fmt: skip
"""Columns of a check: what was simulated, its interval and trials, and how far it is from the exact answer, in standard
errors (those of the exact chance for chances)."""


def checked(exactly: pl.DataFrame, simulated: pl.DataFrame, any_stop: bool = False) -> pl.DataFrame:
    """Both answers side by side: the exact table and the columns of ``CHECK``.

    A value of a distribution that never came up was seen 0 times; a chance among the cases with it has no estimate.
    """
    rows = {(row["quantity"], row["value"]): row for row in simulated.to_dicts()}
    split = "share" in exactly.columns and exactly["share"].to_list() != exactly["estimate"].to_list()
    trials = 0 if split else max(simulated["n"].to_list(), default=0)
    checks = [
        _check(row, rows.get((row["quantity"], row["value"])) or _unseen(row, trials, any_stop))
        for row in exactly.to_dicts()
    ]
    return pl.concat([exactly, pl.DataFrame(checks, schema=CHECK, orient="row")], how="horizontal")


def _unseen(row: Answer, trials: int, any_stop: bool) -> Answer:
    """The estimate of a chance that came up in none of the trials; nothing for means and quantiles."""
    if row["kind"] != "probability" or not trials:
        return dict.fromkeys(("estimate", "std_error", "ci_low", "ci_high"), None) | {"n": trials}
    estimate = estimates.proportion(0, trials)
    return _estimated(held(estimate, 0, 1) if any_stop else estimate)


def _check(row: Answer, other: Answer) -> Answer:
    """The cells of ``CHECK`` for an exact answer and an estimate of it."""
    p, value, n = row["estimate"], other["estimate"], other["n"]
    error = math.sqrt(p * (1 - p) / n) if row["kind"] == "probability" and n else other["std_error"]
    difference = None
    if value is not None and error is not None:
        difference = (value - p) / error if error else 0.0 if abs(value - p) < 1e-12 else math.inf
    return dict(zip(CHECK, (value, other["ci_low"], other["ci_high"], n, difference), strict=True))
