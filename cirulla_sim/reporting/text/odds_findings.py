"""temporary"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ...core.locale import Language
from . import cells, labels
from .cells import Row
from .findings import Finding, signed, stated, text
from .labels import Metadata

MOST_ANSWERS = 3
"""Answers of a question that are described."""


def _answers(frame: pl.DataFrame, metadata: Metadata) -> list[Row]:
    """The answers that are described: the first of each question, or several of one question."""
    rows: list[Row] = list(frame.iter_rows(named=True))
    if set(frame["quantity"]) <= set(labels.NAMES):
        named = ("hand_low", "hand_triple", "table_15", "misdeal")
        chances = [row for row in rows if row["kind"] == "probability"]
        return ([row for name in named for row in chances if row["quantity"] == name] or chances or rows)[:MOST_ANSWERS]
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["quantity"].rpartition(" quantile of ")[2], []).append(row)
    each = [_leading_first(answers, metadata) for answers in of.values()]
    return [lead for lead, *_ in each][:MOST_ANSWERS] if len(each) > 1 else each[0][:MOST_ANSWERS]


def _leading_first(rows: list[Row], metadata: Metadata) -> list[Row]:
    """The answers to a question: a difference between groups or the mean of a distribution first.

    Those chosen as the highest stay in their order, as exact ones do; of others the most frequent values come first,
    since one that is high among many is high by chance too.
    """
    if rows[0]["kind"] == "quantile" and len(rows) > MOST_ANSWERS:
        return [rows[0], rows[len(rows) // 2], rows[-1]]
    if not rows[0].get("by"):
        return rows
    leading = [row for row in rows if row["share"] is None]
    values = [row for row in rows if row["share"] is not None]
    ends = [row["estimate"] for row in values if row["exact"] is not None]
    in_order = "chosen" in metadata or (len(ends) == len(values) and ends == sorted(ends, reverse=True))
    return leading + (values if in_order else sorted(values, key=lambda row: -row["share"]))


def _odds(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    for row in _answers(frame, metadata):
        if row["kind"] in cells.DIFFERENCES:
            [(by, values)] = cells.value(row, locale).items()
            one, other = map(text, values.split(" − "))
            asked = text(cells.question(row, metadata, locale))
            yield signed("between", row, question=asked, by=text(by), one=one, other=other)
            continue
        exact = row["exact"] or ""
        chance = "exact" if 0 < len(exact) <= 2 * cells.LONG_NUMBER else "chance"
        direction = chance if row["kind"] == "probability" else "number"
        question = text(_question(row, metadata, locale))
        yield stated("answer", direction, {"size": row}, question=question, fraction=text(exact))


def _question(row: Row, metadata: Metadata, locale: Language) -> str:
    """The question of an answer, with the value that it is about."""
    question, by = cells.question(row, metadata, locale), row.get("by")
    if row["value"] is None:
        return locale.say("{question}, on average", question=question) if by else question
    [value] = cells.value(row, locale).values()
    words = f"{by} = {value}" if by else value
    return words if cells.is_of_values(row["quantity"], by) else f"{question}, {words}"


def found(rows, source):  # type: ignore[no-untyped-def]
    return list(_odds(source.frame, source.metadata, source.locale))
