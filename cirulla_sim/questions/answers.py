"""Answers from cases added up: fractions or estimates with their intervals, one row a value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..exact.first_deal import first_deal_odds
from ..ruleset.rules_model import Rules
from ..stats import estimates
from ..stats.distributions import MISSED, least_for_quantile, quantile_ranks
from ..stats.estimates import Z
from ..stats.sequential import at_any_stop, held, missed_by
from ..storage.tables import SCHEMA, empty_row, estimate_of, table
from .cases import Space
from .counting import Counted, Sums
from .expression_bounds import ANY
from .expressions import UNIT
from .question import Question

QUANTILES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))

FIRST_DEAL = "the first deal"
"""What one trial is, in the metadata, where there is no question."""

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
    where = Message(" in {trials:_} {unit}", trials, Message(space.unit)) if trials else ""
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
            question.text, least, Message(space.unit),
        )  # fmt: skip
    named = empty_row() | {"per": space.per, "side": "all"}
    schema = SCHEMA | (BY if question.by is not None or question.aggregate == "histogram" else {})
    schema |= HAND if question.aggregate in ("max", "min") else {}
    whole = [named | row for row in rows]
    if any_stop:
        whole = [_held(question, row) for row in whole]
    return pl.DataFrame(whole, schema=schema, orient="row")


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
    if answer["kind"] == "quantile" or (estimate := estimate_of(answer)) is None:
        return answer
    low, high = question.bounds if answer["kind"] == "mean" else (0, 1) if answer["kind"] == "probability" else ANY
    return answer | _estimated(held(estimate, low, high))


def _rows(question: Question, counted: Counted, estimated: bool, any_stop: bool) -> Iterator[Answer]:
    every = sum(counted.given.values())
    for value in sorted(counted.given, key=order):
        cases, sums = counted.given[value], counted.matching.get(value, Sums())
        cells: Answer = {"quantity": question.words, "kind": question.kind, "value": value or None}
        if question.by is not None:
            cells |= {"by": question.by.text} | _share(cases, every, estimated)
        spread = [(number, n) for (group, number), n in counted.spread.items() if group == value]
        if not question.parts:
            yield cells | chance_cells(cases, every, estimated)
        elif question.aggregate == "chance":
            yield cells | chance_cells(sums.count, cases, estimated)
        elif question.aggregate == "mean":
            yield cells | _mean(question, sums, estimated)
        elif question.aggregate == "ratio":
            yield cells | _ratio(question, sums, estimated)
        elif question.aggregate in ("max", "min"):
            extreme, trial = counted.extremes[value][question.aggregate == "max"]
            yield cells | _extreme(extreme, trial, cases, estimated)
        elif question.aggregate == "quantiles":
            numbers = sorted((int(number), n) for number, n in spread)
            for share in QUANTILES:
                if estimated and quantile_ranks(cases, float(share), missed(cases, any_stop)) is None:
                    continue
                quantity = {"quantity": f"{float(share):.0%} quantile of {_inside(question)}"}
                yield cells | quantity | _quantile(numbers, share, estimated, any_stop)
        else:
            for number, n in sorted(spread, key=lambda one: order(one[0])):
                shown = {"value": number, "by": _inside(question)} if question.by is None else {
                    "value": f"{value}: {number}"
                }  # fmt: skip
                yield cells | shown | seen_cells(n, cases, estimated) | _share(n, every, estimated)


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


def chance_cells(count: int, cases: int, estimated: bool) -> Answer:
    """The cells of a chance: exact, or an estimate with its interval."""
    return _estimated(estimates.proportion(count, cases)) if estimated else exact_cells(Fraction(count, cases))


def seen_cells(count: int, cases: int, estimated: bool) -> Answer:
    """The same for a value that is listed because it was seen."""
    return (
        _estimated(estimates.seen(estimates.proportion(count, cases)))
        if estimated
        else chance_cells(count, cases, False)
    )


def _mean(question: Question, sums: Sums, estimated: bool) -> Answer:
    if not estimated:
        return exact_cells(Fraction(sums.total, UNIT * sums.count))
    low, high = (UNIT * end for end in question.bounds)
    return _estimated(estimates.bounded_mean(sums.total, sums.squares, sums.count, low, high, 1 / UNIT))


def _ratio(question: Question, sums: Sums, estimated: bool) -> Answer:
    """The mean of one number over that of another; its error by the delta method."""
    if not sums.other:
        raise InputError("{question!r} divides by zero: the second number is 0 on average", question.parts[1].text)
    if not estimated:
        return exact_cells(Fraction(sums.total, sums.other))
    return _estimated(
        estimates.ratio(sums.total, sums.other, sums.squares, sums.product, sums.other_squares, sums.count)
    )


def _extreme(number: int, trial: int, cases: int, estimated: bool) -> Answer:
    """The most or least that was seen, which no interval says anything about; or, of all cases, that there is."""
    if not estimated:
        return exact_cells(Fraction(number, UNIT))
    ends = {"std_error": None, "ci_low": None, "ci_high": None}
    return ends | {"estimate": number / UNIT, "n": cases, "hand": trial}


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


def values_in(answers: pl.DataFrame) -> int:
    """How many values answers are split by, at most."""
    if "share" not in answers.columns:
        return 0
    return max(alike["value"].n_unique() for alike in answers.partition_by("by"))


def ranked(answers: pl.DataFrame, top: int | None) -> pl.DataFrame:
    """Answers split by a text with the highest of the first question first; with ``top``, of any the highest.

    Values that are numbers stay in their order otherwise, and so do answers that are not split.
    """
    if "share" not in answers.columns:
        return answers
    return pl.concat(
        alike if alike["by"][0] is None else _ranked(alike, top)
        for alike in answers.partition_by("by", maintain_order=True)
    )


def _ranked(answers: pl.DataFrame, top: int | None) -> pl.DataFrame:
    """Answers that are split by the same expression: by the lower ends of their intervals, which are sure."""
    first = answers.filter(pl.col("quantity") == answers["quantity"][0])
    numbers = all(order(value)[0] == 0 for value in first["value"].to_list())
    if numbers and top is None:
        return answers
    by_answer = first.sort("ci_low", descending=True, nulls_last=True, maintain_order=True)["value"].unique(
        maintain_order=True
    )
    values = by_answer.head(top or len(by_answer)).to_list()
    if top is None:
        values += answers.filter(~pl.col("value").is_in(values))["value"].unique(maintain_order=True).to_list()
    quantities = answers["quantity"].unique(maintain_order=True).to_list()
    chosen = answers.filter(pl.col("value").is_in(values))
    places = chosen["value"].replace_strict(values, range(len(values)), return_dtype=pl.Int64)
    questions = chosen["quantity"].replace_strict(quantities, range(len(quantities)), return_dtype=pl.Int64)
    return (
        chosen.with_columns(place=places, question=questions)
        .sort("question", "place", maintain_order=True)
        .drop("place", "question")
    )


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
