"""Figures of chances: of the first deal, and of answers to questions."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

import polars as pl

from ...core.locale import Language
from ...core.numerals import digits
from ..text.cells import is_of_values, minus
from ..text.findings import Finding, ranked, split, stated, text
from ..text.labels import KINDS, NAMES, Metadata, capital, highest, how_much, quantity_name, trial_words, version
from ..text.readings import QuestionLabels, label_questions, questions_read
from ..text.sentences import title
from .figure_parts import TABLES, Graphic, Row, chance_words, chances, drawn, interval, row_chart
from .plots import Curve, Plot, distribution
from .rows import RowChart

MOST_ROWS = 8
"""Values of a distribution that have a row each, with their numbers; more are drawn along an axis."""

MOST_ANSWERS = 2
"""Answers that stand in a title."""

LONGEST_READING = 150
"""Characters of a question's meaning in a title, two lines to five; of a longer one the title has the expression."""

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
    question = text(quantity_name(rows[0]["quantity"], locale))
    headline = stated("answer", "brief", {"size": rows[0]}, question=question)
    return _counted(headline, chance_words(rows, locale), body, frame, metadata, locale)


def _answers(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    """The answers; of chances and numbers in one table the chances, which have the same axis."""
    frame = _levels(frame)
    questions = frame["quantity"].unique(maintain_order=True).to_list()
    by = frame["by"][0] if "by" in frame.columns else None
    of_chances = frame.filter(pl.col("kind") == "probability")
    shown = of_chances if of_chances.height else frame
    if shown.is_empty():
        return None
    alone = len({_numbered(question) for question in questions}) == 1
    read, split_by, context = questions_read(metadata, locale)
    if len(read) != len(questions) and not alone:
        read = []
    read = [sentence.replace(locale.say(", in quantiles"), "") for sentence in read]  # as the rows are
    meaning = read[0].removesuffix(".") if alone and read and len(read[0]) <= LONGEST_READING else ""
    whole = QuestionLabels(meaning) if alone else label_questions(metadata, read, questions, locale)
    headline = _title(frame, metadata, meaning or _numbered(questions[0]), by, locale, whole)
    in_title = bool(meaning) and headline.startswith(meaning)
    readings = [*(read if alone and not in_title else ()), split_by or whole.after]
    heading = " ".join(filter(None, readings)) or (chance_words(shown.to_dicts(), locale) if of_chances.height else "")
    if not heading:
        heading, context = context or capital(trial_words(str(metadata.get("trial") or ""), locale)), ""
    heading = heading.removesuffix(".")
    if shown.height < frame.height:
        heading += ". " + locale.say("{n} answers that are no chances are in the table", n=frame.height - shown.height)
    called = dict(zip(questions, whole.labels, strict=True)) if whole.labels else {}
    body = _body(shown, by, len(questions) > 1, locale, called)
    return _counted(headline, f"{heading}.", body, frame, metadata, locale, highest(metadata, locale), context)


def _levels(frame: pl.DataFrame) -> pl.DataFrame:
    """The answers without differences between groups, and without the mean of a distribution that is drawn."""
    if "share" not in frame.columns:
        return frame
    levels = frame.filter(pl.col("by").is_null() | pl.col("share").is_not_null())
    numbers = levels["value"].cast(pl.Float64, strict=False)
    return levels.with_columns(numbers) if numbers.null_count() == levels["value"].null_count() else levels


def _body(
    frame: pl.DataFrame, by: str | None, several: bool, locale: Language, called: Mapping[str, str]
) -> RowChart | Plot:
    """Answers that are all chances, or all numbers."""
    mean = frame["kind"][0] != "probability"
    answers = frame.to_dicts()
    alone = len({_numbered(row["quantity"]) for row in answers}) == 1
    numeric = frame["value"].dtype.is_numeric() and frame["value"].null_count() == 0 and not several
    if numeric and len(answers) > MOST_ROWS:
        ends = {name: [interval(row)[end] for row in answers] for name, end in (("ci_low", 0), ("ci_high", 2))}
        curve = Curve(frame.with_columns(pl.Series(name, values) for name, values in ends.items()))
        return distribution([curve], "", unit="" if mean else "share")

    def label(row: Row) -> str:
        return _label(row, by, several, locale, alone, called)

    def key(row: Row) -> str:
        return _label(row, by, several, locale, alone)

    if mean:
        return row_chart(answers, locale, label, key=key, texts=lambda row: _mean(row, locale), from_zero=True)
    if len(answers) > MOST_TEXTS:
        answers.sort(key=lambda row: -row["estimate"])
    return chances(answers, locale, label, key=key)


def _mean(row: Row, locale: Language) -> tuple[str]:
    """A mean with two figures of its error, or four where it has none."""
    low, estimate, high = interval(row)
    written = digits(estimate, (high - low) / 4) if high > low else f"{estimate:.4g}"
    return (minus(locale.numerals(written)),)


def _numbered(question: str) -> str:
    """The number that a question asks for: of a quantile that of which it is one."""
    return question.rpartition(" quantile of ")[2]


def _title(
    frame: pl.DataFrame, metadata: Metadata, question: str, by: str | None, locale: Language, wording: QuestionLabels
) -> str:
    """The question, and the answer where there is one: the median among quantiles.

    Where the question stands as its meaning, or questions as what all have in common, that is the title.
    """
    if isinstance(titles := metadata.get("title"), Mapping) and locale.name in titles:  # of a study
        return str(titles[locale.name])
    rows = frame.to_dicts()
    several = frame["quantity"].n_unique() > 1
    if by:
        rows = [row for row in rows if row["quantity"] == rows[0]["quantity"]]
        named = {text(_label(row, by, False, locale)): row for row in rows}
        of_values = is_of_values(rows[0]["quantity"], by)
        if wording.common and not of_values:
            return wording.common
        return title(split(named, rows[0]["quantity"] if several else question, by, of_values), locale)
    medians = [row for row in rows if row["quantity"].startswith("50% quantile of ")]
    if len(medians) == 1:
        if any(row["kind"] == "mean" for row in rows):  # how many trials something takes
            return title(stated("answer", "until", {"size": medians[0]}), locale)
        return title(stated("answer", "half", {"size": medians[0]}, question=text(question)), locale)
    if wording.common and several:
        return wording.common
    if len(rows) > MOST_ANSWERS and not several:
        return question
    chances = [row for row in rows if row["kind"] == "probability"]
    compared = chances or [row for row in rows if " quantile of " not in row["quantity"]] or rows
    if len(rows) > MOST_ANSWERS and len({row["kind"] for row in compared}) == 1:
        labels = dict(zip(frame["quantity"].unique(maintain_order=True), wording.labels, strict=False))
        named = {text(labels.get(row["quantity"], str(row["quantity"]))): row for row in compared}
        return title(ranked("oftenest" if chances and labels else "first", named, place="value"), locale)
    answers = [title(_answer(row["quantity"] if several else question, row), locale) for row in rows[:MOST_ANSWERS]]
    return "; ".join(answers) + (" …" if len(rows) > MOST_ANSWERS else "")


def _answer(question: str, row: Row) -> Finding:
    direction = "brief" if row["kind"] == "probability" else "number"
    return stated("answer", direction, {"size": row}, question=text(question))


def _label(
    row: Row, by: str | None, several: bool, locale: Language, alone: bool = False,
    called: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """What an answer is ``called``; ``alone`` if all are answers to one question: quantiles, perhaps after the mean."""
    value = row["value"]
    if several:
        share, quantile, _ = row["quantity"].partition(" quantile of ") if alone else (row["quantity"], "", "")
        share = (called or {}).get(share, share)
        label = locale.numerals(share) if quantile else locale.say("on average") if alone else share
        if value is not None:
            label += f", {locale.numerals(f'{value:g}') if isinstance(value, float) else locale.say(value)}"
    elif value is None:
        label = locale.say({"mean": "on average", "probability": "yes"}.get(row["kind"], KINDS.get(row["kind"], "")))
    elif isinstance(value, float):
        label = locale.numerals(f"{value:.15g}")
    elif value in TABLES["truth"]:
        label = locale.say(TABLES["truth"][value])
    else:
        label = locale.say(TABLES["player"].get(str(value), str(value)) if by is None else str(value))
    return label


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
