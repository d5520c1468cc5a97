"""Answers from cases added up: fractions or estimates with their intervals, one row a value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..exact.first_deal import first_deal_odds
from ..ruleset.rules_model import Rules
from ..stats import estimates
from ..stats.estimates import Z
from ..storage.tables import SCHEMA, empty_row, table
from .cases import Subject
from .counting import Counted, Sums
from .question import Question

QUANTILES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))

FIRST_DEAL = "the first deal"
"""What one trial is, in the metadata, where there is no question."""

BY = {"by": pl.String, "joint": pl.Float64, "joint_exact": pl.String}
"""Columns after those of ``tables.SCHEMA`` where an answer is split: the expression that it is split by; how often, of
all that is given, this value comes together with what the row is about; the same as a fraction."""

Answer = dict[str, Any]


def answered(question: Question, subject: Subject, counted: Counted, hands: int | None) -> pl.DataFrame:
    """The rows of an answer (see ``tables.SCHEMA`` and ``BY``): exact, or estimated from ``hands`` trials.

    Raises ``InputError`` where nothing is given, or there is a mean of nothing.
    """
    where = f" in {hands:_} {subject.unit}" if hands else f" of {subject.called}"
    if not any(counted.given.values()):
        if question.given is None:
            raise InputError(f"no hand is played under these rules{where if hands else ''}")
        raise InputError(f"--given {question.given!r} is never true{where}: nothing can be asked given that")
    rows = list(_rows(question, counted, bool(hands)))
    if not rows:
        raise InputError(f"{question.text!r} is never true{where} here: there is no {question.kind} of nothing")
    named = empty_row() | {"per": subject.per, "side": "all"}
    schema = SCHEMA | (BY if question.split_by is not None else {})
    return pl.DataFrame([named | row for row in rows], schema=schema, orient="row")


def exactly(question: Question, subject: Subject, chance: Fraction) -> pl.DataFrame:
    """The answer to a question of which nothing but the exact chance is known."""
    named = {"per": subject.per, "side": "all", "quantity": question.words, "kind": question.kind}
    return pl.DataFrame([empty_row() | named | exact_cells(chance)], schema=SCHEMA, orient="row")


def first_deal(rules: Rules) -> pl.DataFrame:
    """The exact odds of the first deal, one row a quantity (see ``tables``)."""
    return table(
        empty_row()
        | {"quantity": odds.quantity, "per": odds.per, "side": "all", "kind": odds.kind}
        | exact_cells(odds.exact)
        for odds in first_deal_odds(rules)
    )


def _rows(question: Question, counted: Counted, estimated: bool) -> Iterator[Answer]:
    every = sum(counted.given.values())
    for value in sorted(counted.given, key=order):
        cases, sums = counted.given[value], counted.matching.get(value, Sums())
        cells: Answer = {"quantity": question.words, "kind": question.kind, "value": value or None}
        if question.by is not None:
            cells |= {"by": question.by} | _joint(sums.count, every, estimated)
        if question.mean is not None:
            if sums.count:
                yield cells | _mean(sums, estimated)
        elif question.quantiles is not None:
            spread = [(number, n) for (group, number), n in sorted(counted.spread.items()) if group == value]
            for share in QUANTILES if spread else ():
                quantity = {"quantity": f"{float(share):.0%} quantile of {question.words}"}
                yield cells | quantity | _quantile(spread, share, estimated)
        elif question.histogram is not None:
            for (_, number), n in sorted(counted.spread.items()):
                cells |= {"value": str(number), "by": question.histogram}
                yield cells | chance_cells(n, sums.count, estimated) | _joint(n, every, estimated)
        else:
            of = (cases, every) if question.text is None else (sums.count, cases)
            yield cells | chance_cells(*of, estimated)


def _joint(n: int, every: int, estimated: bool) -> Answer:
    """The cells of how often, of all that is given, a value comes up together with what the row is about."""
    return {"joint": n / every, "joint_exact": None if estimated else str(Fraction(n, every))}


def exact_cells(answer: Fraction) -> Answer:
    """The cells of an exact answer."""
    x = float(answer)
    return {"estimate": x, "std_error": 0.0, "ci_low": x, "ci_high": x, "exact": str(answer)}


def _estimated(estimate: estimates.Estimate) -> Answer:
    return {
        "estimate": estimate.value, "std_error": estimate.std_error, "ci_low": estimate.low, "ci_high": estimate.high,
        "n": estimate.n,
    }  # fmt: skip


def chance_cells(count: int, cases: int, estimated: bool) -> Answer:
    """The cells of a chance: exact, or an estimate with its interval."""
    return _estimated(estimates.proportion(count, cases)) if estimated else exact_cells(Fraction(count, cases))


def _mean(sums: Sums, estimated: bool) -> Answer:
    if estimated:
        return _estimated(estimates.mean(sums.total, sums.squares, sums.count))
    return exact_cells(Fraction(sums.total, sums.count))


def _quantile(spread: list[tuple[int, int]], share: Fraction, estimated: bool) -> Answer:
    """The lowest number that so large a share of the cases do not exceed; its interval by the order of the cases."""
    n = sum(count for _, count in spread)

    def at(rank: float | Fraction) -> int:
        reached = 0
        for number, count in spread:
            reached += count
            if reached >= rank:
                return number
        return spread[-1][0]

    value = at(n * share)
    if not estimated:
        return exact_cells(Fraction(value))
    half = Z * math.sqrt(n * share * (1 - share))
    low, high = (at(n * float(share) + side * half) for side in (-1, 1))
    return {"estimate": value, "std_error": (high - low) / 2 / Z, "ci_low": low, "ci_high": high, "n": n}


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


def checked(exactly: pl.DataFrame, simulated: pl.DataFrame) -> pl.DataFrame:
    """Both answers side by side: the exact table and the columns of ``CHECK``.

    A value of a distribution that never came up was seen 0 times; a chance among the cases with it has no estimate.
    """
    rows = {(row["quantity"], row["value"]): row for row in simulated.to_dicts()}
    split = "joint" in exactly.columns and exactly["joint"].to_list() != exactly["estimate"].to_list()
    trials = 0 if split else max(simulated["n"].to_list(), default=0)
    checks = [
        _check(row, rows.get((row["quantity"], row["value"])) or _unseen(row, trials)) for row in exactly.to_dicts()
    ]
    return pl.concat([exactly, pl.DataFrame(checks, schema=CHECK, orient="row")], how="horizontal")


def _unseen(row: Answer, trials: int) -> Answer:
    """The estimate of a chance that came up in none of the trials; nothing for means and quantiles."""
    if row["kind"] != "probability" or not trials:
        return dict.fromkeys(("estimate", "std_error", "ci_low", "ci_high"), None) | {"n": trials}
    return chance_cells(0, trials, True)


def _check(row: Answer, other: Answer) -> Answer:
    """The cells of ``CHECK`` for an exact answer and an estimate of it."""
    p, value, n = row["estimate"], other["estimate"], other["n"]
    error = math.sqrt(p * (1 - p) / n) if row["kind"] == "probability" and n else other["std_error"]
    difference = None
    if value is not None and error is not None:
        difference = (value - p) / error if error else 0.0 if abs(value - p) < 1e-12 else math.inf
    return dict(zip(CHECK, (value, other["ci_low"], other["ci_high"], n, difference), strict=True))
