"""Figures of chances: of the first deal, and of answers to questions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

import polars as pl

from ...core.locale import Language
from ..text.answers import TOO_FEW, answers_of, findings_of, has_few, row_name
from ..text.cells import number, numeral
from ..text.findings import Finding
from ..text.labels import NAMES, Metadata, capital, highest, how_much, quantity_name, version
from ..text.readings import readings
from .figure_parts import TABLES, Graphic, Naming, Row, chance_words, chances, drawn, interval, row_chart
from .plots import Curve, Plot, distribution
from .rows import RowChart

MOST_ROWS, FEWEST_BARS = 8, 2
"""Exact values of a distribution that have a row each, with their numbers, and estimated ones; more are drawn along an
axis."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""


def odds(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Where exact answers were checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    return (_first_deal if set(frame["quantity"]) <= set(NAMES) else _answers)(frame, metadata, locale)


def _first_deal(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """Chances of the first deal, by what is dealt."""
    rows = frame.filter(kind="probability").to_dicts()
    if not rows:
        return None
    body = chances(
        rows, locale, lambda row: quantity_name(row["quantity"], locale), key=itemgetter("quantity"),
        heading=lambda row: locale.say(TABLES["first_deal"].get(row["per"], row["per"])),
    )  # fmt: skip
    found = next(findings_of(frame, metadata, locale, brief=True), "")
    return _counted(found, chance_words(rows, locale), body, frame, metadata, locale)


def _answers(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """The answers; of chances and numbers in one table the chances, which have the same axis."""
    answers = answers_of(frame, metadata, locale)
    every = [row for answer in answers for row in answer.levels]
    of_chances = [row for row in every if row["kind"] == "probability"]
    rows = of_chances or every
    if not rows:
        return None
    alone = answers[0].wording if len(answers) == 1 else None
    split = "" if answers[0].wording is None or "by" not in frame.columns else capital(answers[0].wording.split)
    read = readings(metadata, locale)
    meaning = answers[0].common or (read[0].removesuffix(".") if alone and read else "")
    heading = [meaning or chance_words(rows, locale).removesuffix(".")]
    if left_out := len(every) - len(rows) - sum(row["value"] is None and row.get("by") is not None for row in every):
        heading += [locale.say("{n} {n:answer|answers} in the table {n:is|are} no chance", n=left_out)]
    if few := sum(map(has_few, frame.iter_rows(named=True))):
        heading += [
            locale.say("{n} {n:value|values} with fewer than {least} cases: in the table", n=few, least=TOO_FEW)
        ]
    found = next(findings_of(frame, metadata, locale, brief=True), "")
    titles = metadata.get("title")
    titled = titles.get(locale.name) if isinstance(titles, Mapping) else None  # of a study
    body = _body(rows, split, lambda row: row_name(row, answers, locale), alone is not None, locale)
    context = " ".join(read[len(answers) :])
    shown = ". ".join(heading)
    return _counted(titled or found, shown if shown.endswith("…") else f"{shown}.", body, frame, metadata, locale,
                    highest(metadata, locale), context)  # fmt: skip


def _body(rows: list[Row], split: str, label: Naming, alone: bool, locale: Language) -> RowChart | Plot:
    """Answers that are all chances, or all numbers."""
    means = rows[0]["kind"] != "probability"
    numbers = pl.Series([row["value"] for row in rows], dtype=pl.String).cast(pl.Float64, strict=False)
    exact = all(row["exact"] is not None for row in rows)
    if alone and not numbers.null_count() and len(rows) > (MOST_ROWS if exact else FEWEST_BARS):
        ends = {
            name: [interval(row)[end] for row in rows] for end, name in enumerate(("ci_low", "estimate", "ci_high"))
        }
        return distribution([Curve(pl.DataFrame({"value": numbers, **ends}))], split, unit="" if means else "share")
    if len(rows) > MOST_TEXTS:
        rows = sorted(rows, key=lambda row: -row["estimate"])
    how: dict[str, Any] = {"key": itemgetter("quantity") if split == "" else label, "heading": lambda row: split}
    if not means:
        return replace(chances(rows, locale, label, **how), whole=split == "")
    halves = [(high - low) / 2 for low, _, high in map(interval, rows)]
    places = max(0, -math.floor(math.log10(max(halves)))) if 0 < max(halves) < math.inf else None

    def texts(row: Row) -> tuple[str]:
        low, estimate, high = interval(row)
        if row["kind"] == "quantile":
            return (number(row, locale),)
        if places is None or high == low:
            return (numeral(f"{estimate:.4g}", locale),)
        return (numeral(f"{estimate:,.{places}f} ± {(high - low) / 2:.{places}f}", locale),)

    return row_chart(rows, locale, label, texts=texts, from_zero=True, whole=split == "", **how)


def _counted(
    found: Finding | str, shown: str, body: RowChart | Plot, frame: pl.DataFrame, metadata: Metadata, locale: Language,
    *notes: str,
) -> Graphic:  # fmt: skip
    """A chart of answers that says whether they are exact, simulated or both."""
    if frame["exact"].null_count():
        return drawn(found, shown, body, metadata, locale, *notes)
    how = [locale.say("Counted over every case, with no sampling error."), *(f"{made}." for made in version(metadata))]
    if "simulated" in frame.columns:
        much = how_much(metadata, locale)
        how = [locale.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)]
        if isinstance(apart := frame["difference"].abs().max(), float):
            n = locale.numerals(f"{apart:.2f}")
            how += [locale.say("The largest difference is {n} standard errors.", n=n)]
    return drawn(found, shown, body, metadata, locale, *how, *notes, whiskers=False, much="")
