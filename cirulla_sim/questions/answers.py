"""Answers: cases added up by value, then fractions or estimates with their intervals, one row a value."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..exact.first_deal import Odds
from ..stats import estimates
from ..stats.distributions import MISSED, least_for_quantile, quantile_ranks
from ..stats.estimates import Z, longest_run, trials_until_positive, waiting_time
from ..stats.sequential import at_any_stop, missed_by, widen_for_any_stop
from ..storage.tables import SCHEMA, empty_row, estimate_of, make_frame
from .cases import Cases, Space
from .expressions import UNIT, Examples, group_values, numbers_of, tree_bounds, truth_of
from .question import Expression, Question
from .vocabulary import ANY, Bounds


class Counted(dict[tuple[str, str], tuple[int, int]]):
    """How often each value of a question came, by the value that splits the answer and by that of its parts.

    Values that split are texts, ``""`` where nothing is split; a truth is 1 or 0, numbers are in units of one
    ``UNIT``-th, two of them with a blank between them. Each has the number of cases and that of the first trial.
    """

    def __add__(self, other: Counted) -> Counted:
        """These cases and others."""
        every = Counted(self)
        for key, (n, first) in other.items():
            own, earlier = every.get(key, (0, first))
            every[key] = own + n, min(earlier, first)
        return every

    @property
    def total(self) -> int:
        """How many cases there are."""
        return sum(n for n, _ in self.values())

    def times(self, factor: int) -> Counted:
        """Every case so many times."""
        return Counted({key: (n * factor, first) for key, (n, first) in self.items()})

    def by_value(self) -> dict[str, dict[str, tuple[int, int]]]:
        """The same by the value that splits the answer, then by that of the parts."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for (value, number), n in self.items():
            found.setdefault(value, {})[number] = n
        return found


@dataclass(frozen=True)
class Together:
    """The sums of several questions over the same cases.

    Where the highest values are chosen, every other trial is in ``choosing`` and not in ``each``: the estimates are
    from trials that had no part in the choice.
    """

    each: tuple[Counted, ...]
    choosing: tuple[Counted, ...] = ()

    def __add__(self, other: Together) -> Together:
        return Together(tuple(map(add, self.each, other.each)), tuple(map(add, self.choosing, other.choosing)))

    @property
    def whole(self) -> Together:
        """The sums over all cases, those by which values are chosen too."""
        return Together(tuple(map(add, self.each, self.choosing))) if self.choosing else self


def check_question(question: Question, space: Space) -> None:
    """Raise ``InputError`` for a question that has no meaning whatever is dealt and played; nothing is."""
    examples = Examples()
    for term in question.terms:
        example = pl.Series([space.example(term)])
        examples[term.key] = example if example.dtype == pl.String else example.clear()
    for condition in question.given:
        truth_of(examples, condition)
    if question.by is not None:
        group_values(examples, question.by)
    for part in question.parts:
        _OF[question.asks.of](examples, part)


_OF: dict[str, Callable[[Any, Expression], Any]] = {"truth": truth_of, "number": numbers_of, "value": group_values}
"""How a part of an aggregate is evaluated, by what it is."""


def count_cases(question: Question, cases: Cases) -> Counted:
    """The sums of a question over some cases; raises ``InputError`` as expressions do.

    What is not given is left out before anything else is worked out.
    """
    for condition in question.given:
        cases = cases.filter(truth_of(cases.frame, condition))
    values, code = [""], np.zeros(len(cases.which), np.int64)
    if question.by is not None:
        values, code = group_values(cases.frame, question.by)
    numbers, which = [""], np.zeros(len(code), np.int64)
    if question.asks.of == "value" and question.parts:
        numbers, which = group_values(cases.frame, question.parts[0])
    elif question.parts:
        parts = [np.asarray(_OF[question.asks.of](cases.frame, part), np.int64) for part in question.parts]
        each, which = np.unique(parts[0] if len(parts) == 1 else np.stack(parts), axis=-1, return_inverse=True)
        numbers, which = [" ".join(map(str, np.atleast_1d(column))) for column in each.T.tolist()], which.ravel()
    keys, at, counts = np.unique(
        (code * len(numbers) + which) * len(cases.weights) + cases.which, return_index=True, return_counts=True
    )
    found = Counted()
    first = at if cases.trials is None else cases.trials[at]
    for key, n, trial in zip(keys.tolist(), counts.tolist(), first.tolist(), strict=True):
        place, weight = divmod(key, len(cases.weights))
        value, number = divmod(place, len(numbers))
        own, earlier = found.get((values[value], numbers[number]), (0, trial))
        found[values[value], numbers[number]] = own + n * cases.weights[weight], min(earlier, trial)
    return found


# ------------------------------------------------------------------------------------------------ answers


QUANTILES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))

BY = {"by": pl.String, "share": pl.Float64, "share_exact": pl.String}
"""Columns after those of ``tables.SCHEMA`` where an answer is split: the expression that it is split by; how often, of
all that is given, this value comes; the same as a fraction."""

HAND = {"hand": pl.Int64}
"""The number of the first trial in which an extreme was seen, for ``show --hand``."""

Answer = dict[str, Any]


def answer_table(
    question: Question, space: Space, counted: Counted, trials: int | None, any_stop: bool = False
) -> pl.DataFrame:
    """The rows of an answer (see ``tables.SCHEMA``, ``BY`` and ``HAND``): exact, or estimated from ``trials``.

    Estimates have intervals for a fixed number of trials, or with ``any_stop`` some that hold at any stop.
    Raises ``InputError`` where nothing is given, or there is a mean of nothing.
    """
    where = Message(" in {trials:_} {unit}", trials, Message(space.trial.unit)) if trials else ""
    if not counted.total:
        if not question.given:
            raise InputError("no hand is played under these rules{where}", where)
        texts = " and ".join(part.alone or part.text for part in question.given)
        raise InputError("{texts!r} is never true{where}: nothing can be asked given that", texts, where)
    rows = list(_rows(question, counted, bool(trials), any_stop))
    if not rows:
        least = least_for_quantile(0.5, missed_share(trials or 0, any_stop))
        raise InputError(
            "{text!r}: the median requires {least} {unit} (valid: --hands {least} or more)",
            question.text, least, Message(space.trial.unit),
        )  # fmt: skip
    named = empty_row() | {"per": space.trial.per, "side": "all"}
    schema = SCHEMA | (BY if question.by is not None or question.asks.of == "value" else {})
    schema |= HAND if question.asks.extreme and not question.trials else {}
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


def exact_table(every: Iterable[Odds]) -> pl.DataFrame:
    """Exact chances and means, one row each (see ``tables``)."""
    return make_frame(
        empty_row()
        | {"quantity": odds.quantity, "per": odds.per, "side": "all", "kind": odds.kind}
        | exact_cells(odds.exact)
        for odds in every
    )


def missed_share(n: int, any_stop: bool) -> float:
    """How often an interval of ``n`` trials may leave out the truth."""
    return missed_by(max(n, 1)) if any_stop else MISSED


def _held(question: Question, answer: Answer) -> Answer:
    """An answer with an interval that holds at any stop; those of quantiles do."""
    if answer.get("kind") == "quantile" or (estimate := estimate_of(answer)) is None:
        return answer
    ends = {
        "mean": _bounds(question), "probability": (0, 1), "standard deviation": (0, math.inf), "correlation": (-1, 1),
    }.get(answer.get("kind", "probability"), ANY)  # fmt: skip
    return answer | _estimated(widen_for_any_stop(estimate, *ends))


def _bounds(question: Question) -> Bounds:
    """The least and the most that the number of a mean can be."""
    return tree_bounds(question.parts[0].tree, question.rules) if question.aggregate == "mean" else ANY


class _Group(NamedTuple):
    """The cases of a question with one value of what it is split by; ``every`` is how many there are in all."""

    question: Question
    value: str
    every: int
    spread: dict[str, tuple[int, int]]
    estimated: bool
    any_stop: bool

    @property
    def cases(self) -> int:
        """How many there are."""
        return sum(n for n, _ in self.spread.values())

    @property
    def numbers(self) -> list[tuple[Any, int]]:
        """Each number and how often it comes, the least first."""
        return sorted((Fraction(number) if "/" in number else int(number), n) for number, (n, _) in self.spread.items())

    @property
    def pairs(self) -> list[tuple[int, int, int]]:
        """Each pair of numbers and how often it comes."""
        return [(*map(int, numbers.split()), n) for numbers, (n, _) in self.spread.items()]  # type: ignore[misc]

    # -------------------------------------------------------------------------------- the rows of aggregates

    def chance(self) -> Iterator[Answer]:
        yield chance_cells(self.spread.get("1", (0, 0))[0], self.cases, self.estimated)

    def quantiles(self) -> Iterator[Answer]:
        """A row for each quantile that this number of trials can estimate; its interval by the order of the trials.

        A quantile is the lowest number that so large a share of the cases do not exceed.
        """
        numbers, n = self.numbers, self.cases
        shares = QUANTILES if self.question.aggregate == "quantiles" else (Fraction(1, 2),)
        reached = [*accumulate(count for _, count in numbers)]

        def at(rank: float | Fraction) -> float:
            return numbers[min(bisect_left(reached, rank), len(numbers) - 1)][0] / UNIT  # type: ignore[no-any-return]

        for share in shares:
            named = {"quantity": f"{float(share):.0%} quantile of {_inside(self.question)}"} if len(shares) > 1 else {}
            if not self.estimated:
                yield named | exact_cells(Fraction(at(n * share)))
            elif (ranks := quantile_ranks(n, float(share), missed_share(n, self.any_stop))) is not None:
                low, high = map(at, ranks)
                error = (high - low) / 2 / (at_any_stop(n) if self.any_stop else Z)
                yield named | {"estimate": at(n * share), "std_error": error, "ci_low": low, "ci_high": high, "n": n}

    def each_value(self) -> Iterator[Answer]:
        """A row for each value, and the mean of values that are numbers."""
        question, estimated = self.question, self.estimated
        by = {"by": _inside(question)} if question.by is None else {}
        for number, (n, _) in sorted(self.spread.items(), key=lambda one: value_order(one[0])):
            shown = {"value": number if by else f"{self.value}: {number}"}
            yield shown | by | chance_cells(n, self.cases, estimated, seen=True) | _share(n, self.every, estimated)
        if by and all(map(is_number, self.spread)):
            numbers = {str(round(UNIT * float(value))): n for value, n in self.spread.items()}
            of_numbers = self._replace(question=replace(question, aggregate="mean"), spread=numbers)
            for cells in of_numbers.mean():
                yield {"kind": of_numbers.question.kind} | by | cells

    def mean(self) -> Iterator[Answer]:
        total, squares = (sum(n * number**power for number, n in self.numbers) for power in (1, 2))
        if not self.estimated:
            yield exact_cells(Fraction(total, UNIT * self.cases))
            return
        low, high = (UNIT * end for end in _bounds(self.question))
        yield _estimated(estimates.bounded_mean(total, squares, self.cases, low, high, 1 / UNIT))

    def ratio(self) -> Iterator[Answer]:
        """The mean of one number over that of another; its error by the delta method."""
        n, pairs, powers = self.cases, self.pairs, ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
        x, y, xx, xy, yy = (sum(count * a**i * b**j for a, b, count in pairs) for i, j in powers)
        if not y:
            divisor = self.question.parts[1].text
            raise InputError("{question!r} divides by zero: the second number is 0 on average", divisor)
        yield _estimated(estimates.ratio(x, y, xx, xy, yy, n)) if self.estimated else exact_cells(Fraction(x, y))

    def deviation(self) -> Iterator[Answer]:
        numbers, question, n = self.numbers, self.question, self.cases
        powers = [sum(count * number**power for number, count in numbers) for power in (1, 2, 3, 4)]
        if not self.estimated:
            yield _root_cells(Fraction(powers[1], n) / UNIT**2 - (Fraction(powers[0], n) / UNIT) ** 2)
            return
        low, high = tree_bounds(question.parts[0].tree, question.rules)
        seen = [abs(number) / UNIT for number, _ in numbers]
        largest = high - low if math.isfinite(high - low) else 2 * max(seen)
        yield _estimated(estimates.deviation(powers, n, 1 / UNIT, largest))

    def correlation(self) -> Iterator[Answer]:
        pairs, n = self.pairs, self.cases
        (x, y), (xx, yy, xy) = (
            [Fraction(sum(pair[i] * pair[2] for pair in pairs), n) for i in (0, 1)],
            [Fraction(sum(pair[i] * pair[j] * pair[2] for pair in pairs), n) for i, j in ((0, 0), (1, 1), (0, 1))],
        )
        for part, variance in zip(self.question.parts, (xx - x * x, yy - y * y), strict=True):
            if not variance:
                raise InputError("{question!r} is always the same: it has no correlation", part.text)
        if self.estimated:
            yield _estimated(estimates.correlation(pairs))
            return
        together = xy - x * y
        yield _root_cells(together**2 / ((xx - x * x) * (yy - y * y)), together < 0)

    def extreme(self) -> Iterator[Answer]:
        """The most or least that was seen, which no interval says anything about; or, of all cases, that there is."""
        number = self.numbers[-1 if self.question.aggregate == "max" else 0][0]
        if not self.estimated:
            yield exact_cells(Fraction(number, UNIT))
            return
        ends = {"std_error": None, "ci_low": None, "ci_high": None}
        yield ends | {"estimate": number / UNIT, "n": self.cases, "hand": self.spread[str(number)][1]}

    def one_after_the_other(self) -> Iterator[Answer]:
        """The rows of how long it takes until what has a chance comes, or of how long its longest run is."""
        question, chance = self.question, next(self.chance())
        chance = _held(question, chance) if self.any_stop else chance
        if chance["estimate"] == 0:
            n = chance.get("n")
            never = Message("came in none of {n:_} trials", n) if n else Message("never comes")
            raise InputError("{text!r} {never}: no number of trials is enough (valid: a chance)", question.text, never)
        if question.asks.trials:
            yield _turned(chance, partial(longest_run, trials=question.trials))
            return
        yield _turned(chance, lambda p: 1 / p if p else math.inf)
        for share in QUANTILES:
            named = {"quantity": f"{float(share):.0%} quantile of {question.words}", "kind": "quantile"}
            yield named | _turned(chance, partial(waiting_time, share=share))

    def enough(self) -> Iterator[Answer]:
        """The trials after which a sum is above 0 nine times in ten, as sums of many are distributed: normally."""
        n = self.cases
        exact, squares = (Fraction(sum(count * number**power for number, count in self.numbers), n) for power in (1, 2))
        mean, deviation = float(exact), math.sqrt(squares - exact**2)
        half = (at_any_stop(n) if self.any_stop else Z) * deviation / math.sqrt(n) if self.estimated else 0.0
        low, value, high = (trials_until_positive(one, deviation) for one in (mean + half, mean, mean - half))
        if value == math.inf:
            raise InputError(
                "{text!r}: the mean is not above 0: no number of trials is enough (valid: what gains on average)",
                self.question.text,
            )
        yield _uneven(low, value, high) | {"n": n if self.estimated else None}

    def extreme_of_trials(self) -> Iterator[Answer]:
        """The mean of the largest, or least, number of several trials."""
        sign, trials = 1 if self.question.aggregate == "max" else -1, self.question.trials
        values, counts = zip(*sorted((sign * number, n) for number, n in self.numbers), strict=True)
        if self.estimated:
            yield _estimated(estimates.largest_of(values, counts, trials, sign / UNIT))
            return
        every, reached, mean = sum(counts), 0, Fraction(values[-1])
        for value, above, n in zip(values, values[1:], counts, strict=False):
            reached += n
            mean -= (above - value) * Fraction(reached, every) ** trials
        yield exact_cells(sign * mean / UNIT)


def _rows(question: Question, counted: Counted, estimated: bool, any_stop: bool) -> Iterator[Answer]:
    groups, every = counted.by_value(), counted.total
    for value in sorted(groups, key=value_order):
        group = _Group(question, value, every, groups[value], estimated, any_stop)
        cells: Answer = {"quantity": question.words, "kind": question.kind, "value": value or None}
        if question.by is not None:
            cells |= {"by": question.by.text} | _share(group.cases, every, estimated)
        answer = getattr(group, f"{question.asks.rows}{'_of_trials' * question.is_extreme_of_trials}")
        for row in answer() if question.parts else [chance_cells(group.cases, every, estimated)]:
            yield cells | row


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
    return _estimated(estimates.listed_share(share) if seen else share)


def _root_cells(square: Fraction, negative: bool = False) -> Answer:
    """The cells of an exact number from its square: a fraction where it is one, else a root."""
    above, below = math.isqrt(square.numerator), math.isqrt(square.denominator)
    sign = -1 if negative else 1
    if above**2 == square.numerator and below**2 == square.denominator:
        return exact_cells(sign * Fraction(above, below))
    x = sign * math.sqrt(square)
    return {"estimate": x, "std_error": 0.0, "ci_low": x, "ci_high": x, "exact": f"{'-' * negative}sqrt({square})"}


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


def values_in(answers: pl.DataFrame) -> int:
    """How many values answers are split by, at most."""
    if "share" not in answers.columns:
        return 0
    values = answers.filter(pl.col("share").is_not_null())
    return max(alike["value"].n_unique() for alike in values.partition_by("by"))


def sort_answers(answers: pl.DataFrame) -> pl.DataFrame:
    """Answers split by a text with the highest of the first question first; numbers stay in their order."""
    if "share" not in answers.columns:
        return answers
    in_order = []
    for alike in answers.partition_by("by", maintain_order=True):
        split = pl.col("share").is_not_null()
        if alike["by"][0] is not None and not all(map(is_number, alike.filter(split)["value"])):
            differences = alike.filter(~split)["value"].to_list()
            alike = select_values(alike, [*highest_values(alike), *dict.fromkeys(differences)])
        in_order.append(alike)
    return pl.concat(in_order)


def is_number(value: str) -> bool:
    """Whether a value by which an answer is split is a number."""
    return value_order(value)[0] == 0


def highest_values(answers: pl.DataFrame) -> list[str]:
    """The values by which answers are split: by the lower ends of the first question's intervals, the highest first.

    What was seen often is so put before what was seen once. Extremes, which have no interval, are as high as they are.
    """
    answers = answers.filter(pl.col("share").is_not_null())  # no differences between the values
    first = answers.filter(pl.col("quantity") == answers["quantity"][0])
    height = pl.coalesce("ci_low", "estimate")
    in_order = first.sort(height, descending=True, maintain_order=True)["value"]
    return [str(value) for value in pl.concat([in_order, answers["value"]]).unique(maintain_order=True)]


def select_values(answers: pl.DataFrame, values: Sequence[str]) -> pl.DataFrame:
    """The answers for some of the values by which they are split, question by question, in the order of the values."""
    in_order = {"quantity": answers["quantity"].unique(maintain_order=True), "value": values}
    chosen = answers.filter(pl.col("value").is_in(list(values)))
    return chosen.sort(*(pl.col(name).cast(pl.Enum(each)) for name, each in in_order.items()), maintain_order=True)


def value_order(value: str | None) -> tuple[int, float, str]:
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


def compare_answers(exactly: pl.DataFrame, simulated: pl.DataFrame, any_stop: bool = False) -> pl.DataFrame:
    """Both answers side by side: the exact table and the columns of ``CHECK``.

    A value of a distribution that never came up was seen 0 times; a chance among the cases with it has no estimate.
    """
    rows = {(row["quantity"], row["value"]): row for row in simulated.to_dicts()}
    split = "share" in exactly.columns and exactly["share"].to_list() != exactly["estimate"].to_list()
    trials = 0 if split else max(simulated["n"].to_list(), default=0)
    never: Answer = {"estimate": None, "std_error": None, "ci_low": None, "ci_high": None, "n": trials}
    unseen, checks = never, []
    if trials:
        estimate = estimates.proportion(0, trials)
        unseen = _estimated(widen_for_any_stop(estimate, 0, 1) if any_stop else estimate)
    for row in exactly.to_dicts():
        other = unseen if row["kind"] == "probability" else never
        checks.append(_check(row, rows.get((row["quantity"], row["value"]), other)))
    return pl.concat([exactly, pl.DataFrame(checks, schema=CHECK, orient="row")], how="horizontal")


def _check(row: Answer, other: Answer) -> Answer:
    """The cells of ``CHECK`` for an exact answer and an estimate of it."""
    p, value, n = row["estimate"], other["estimate"], other["n"]
    error = math.sqrt(p * (1 - p) / n) if row["kind"] == "probability" and n else other["std_error"]
    difference = None
    if value is not None and error is not None:
        difference = (value - p) / error if error else 0.0 if abs(value - p) < 1e-12 else math.inf
    return dict(zip(CHECK, (value, other["ci_low"], other["ci_high"], n, difference), strict=True))
