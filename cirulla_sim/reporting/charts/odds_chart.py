"""Figures of chances: of the first deal, and of answers to questions."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import polars as pl

from ...core.locale import Language
from ...core.numerals import column_places
from ..kinds import View
from ..text import labels
from ..text.answers import TOO_FEW, answers_of, has_few, row_name
from ..text.cells import Row, number
from ..text.facts import Source
from ..text.readings import readings
from .chart_rows import chance_words, chances, interval, row_chart
from .graphic import Body, Graphic, graphic_of_view
from .plots import Curve, distribution

FIGURES = tomllib.loads(files(__package__).joinpath("figures.toml").read_text("utf-8"))
"""What chances are of, by what one trial is."""

MOST_ROWS, FEWEST_BARS = 8, 2
"""Exact values of a distribution that have a row each, with their numbers, and estimated ones; more are drawn along an
axis."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""


def odds(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Of chances and numbers in one table the chances are drawn, which have the same axis. Where exact answers were
    checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    frame, metadata, locale = source
    answers, read = answers_of(*source), readings(metadata, locale)
    first_deal = {*frame["quantity"]} <= {*labels.WORDS["names"]}
    every = [row for answer in answers for row in answer.levels]
    shown = [row for row in every if row["kind"] == "probability"] or every
    if not shown:
        return None
    wording = answers[0].wording
    alone = len(answers) == 1 and wording is not None and not first_deal
    split = "" if wording is None or "by" not in frame.columns else labels.capital(wording.split)
    named = [
        {**row, "label": (label := row_name(row, answers, locale)), "key": label if split else row["quantity"],
         "heading": locale.say(FIGURES["first_deal"].get(row["per"], row["per"])) if first_deal else split}
        for row in shown
    ]  # fmt: skip
    meaning = "" if first_deal else answers[0].common or (read[0].removesuffix(".") if alone and read else "")
    usual = chance_words(shown, locale) if shown[0]["kind"] == "probability" else locale.say("Mean values.")
    words = [meaning or usual.removesuffix(".")]
    whole = sum(row["value"] is None and row.get("by") is not None for row in every)
    if (left_out := len(every) - len(shown) - whole) and not first_deal:
        words += [locale.say("{n} {n:answer|answers} in the table {n:is|are} no chance", n=left_out)]
    if few := sum(map(has_few, rows)):
        words += [locale.say("{n} {n:value|values} with fewer than {least} cases: in the table", n=few, least=TOO_FEW)]
    notes = [] if first_deal else [labels.highest(metadata, locale), " ".join(read[len(answers) :])]
    exact, sentences = not frame["exact"].null_count(), ". ".join(words)
    return graphic_of_view(
        view, source, _body(named, split, alone, locale, whole=not split and not first_deal),
        notes=[*_exactness(source), *notes] if exact else notes,
        shown=sentences if sentences.endswith("…") else f"{sentences}.", whiskers=not exact,
    )  # fmt: skip


def _exactness(source: Source) -> list[str]:
    """That answers were counted, and how far a simulation is from them if there was one."""
    frame, metadata, locale = source
    if "simulated" not in frame.columns:
        counted = locale.say("Counted over every case, with no sampling error.")
        return [counted, *(f"{made}." for made in labels.version(metadata))]
    much = labels.how_much(metadata, locale)
    checked = locale.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)
    largest = frame["difference"].abs().max()
    if not isinstance(largest, float):
        return [checked]
    return [checked, locale.say("The largest difference is {n} standard errors.", n=locale.numerals(f"{largest:.2f}"))]


def _body(rows: Sequence[dict[str, Any]], split: str, alone: bool, locale: Language, whole: bool) -> Body:
    """Answers that are all chances, or all numbers."""
    means = rows[0]["kind"] != "probability"
    numbers = pl.Series([row["value"] for row in rows], dtype=pl.String).cast(pl.Float64, strict=False)
    exact = all(row["exact"] is not None for row in rows)
    if alone and not numbers.null_count() and len(rows) > (MOST_ROWS if exact else FEWEST_BARS):
        ends = pl.DataFrame(list(map(interval, rows)), schema=("ci_low", "estimate", "ci_high"), orient="row")
        return distribution([Curve(ends.with_columns(value=numbers))], split, locale, "" if means else "share")
    if len(rows) > MOST_TEXTS:
        rows = sorted(rows, key=lambda row: -row["estimate"])
    if not means:
        return chances(rows, locale, whole=whole)
    places = column_places(rows)
    for row in rows:
        row["texts"] = (number(row, locale, None if row["kind"] == "quantile" else places),)
    return row_chart(rows, locale, from_zero=True, whole=whole)
