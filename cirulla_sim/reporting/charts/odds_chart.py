"""The figure of the files of ``odds``: chances of the first deal, and the answers to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

import polars as pl

from ...core.numerals import digits
from ..text.cells import is_of_values, minus
from ..text.findings import Finding, ranked, split, stated, text
from ..text.labels import KINDS, NAMES, Metadata, capital, how_much, quantity_name, trial_words, version
from ..text.layouts import highest
from ..text.readings import Asked, questions_read, told_apart
from ..text.sentences import title
from .figure_parts import Family, Row, chance_words, chances, drawn, interval, method, row_chart
from .look import Look
from .plots import Curve, Plot, distribution
from .rows import RowChart
from .sheet import Graphic

MOST_ROWS = 8
"""Values of a distribution that have a row each, with their numbers; more are drawn along an axis."""

MOST_ANSWERS = 2
"""Answers that stand in a title."""

LONGEST_READING = 150
"""Characters of a question's meaning in a title, two lines to five; of a longer one the title has the expression."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""

_HEADINGS = {
    "holding": "Three cards dealt to a player",
    "table": "Four cards dealt to the table, misdeals included",
    "hand": "The table that is played, misdeals dealt again",
}
_PLAYERS = {
    "next": "Next player", "partner": "Partner", "opposite": "Player opposite", "previous": "Previous player",
    "me": "You", "them": "Either opponent", "others": "Anybody else",
}  # fmt: skip


def _first_deal(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Chances of the first deal, by what is dealt."""
    rows = frame.filter(kind="probability")
    if rows.is_empty():
        return None
    body = chances(
        rows.to_dicts(), look, lambda row: quantity_name(row["quantity"], look), key=itemgetter("quantity"),
        heading=lambda row: look.say(_HEADINGS.get(row["per"], row["per"])),
    )  # fmt: skip
    row = rows.row(0, named=True)
    headline = stated("answer", "brief", {"size": row}, question=text(quantity_name(row["quantity"], look)))
    about = method(metadata, look, *_about(frame, metadata, look), whiskers=False, much="")
    return drawn(headline, chance_words(rows.to_dicts(), look), body, about, metadata, look)


def _answers(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The answers; of chances and numbers in one table the chances, which have the same axis."""
    frame = _levels(frame)
    questions, by = frame["quantity"].unique(maintain_order=True).to_list(), _by(frame)
    of_chances = frame.filter(pl.col("kind") == "probability")
    shown = of_chances if of_chances.height else frame
    if shown.is_empty():
        return None
    alone = len({_numbered(question) for question in questions}) == 1
    read, split_by, context = questions_read(metadata, look.language)
    if len(read) != len(questions) and not alone:
        read = []
    meaning = read[0].removesuffix(".") if alone and read and len(read[0]) <= LONGEST_READING else ""
    whole = Asked(meaning) if alone else told_apart(read, look.language)
    headline = _title(frame, metadata, meaning or _question(questions, metadata, look), by, look, whole)
    if not read:
        heading, context = _of(metadata, look, by), ""
    elif alone and not (meaning and headline.startswith(meaning)):
        heading = " ".join(filter(None, [*read, split_by])).removesuffix(".")
    elif split_by or whole.after or of_chances.height:
        heading = (split_by or whole.after or chance_words(shown.to_dicts(), look)).removesuffix(".")
    else:
        heading, context = context.removesuffix("."), ""
    if shown.height < frame.height:
        heading += ". " + look.say("{n} answers that are no chances are in the table", n=frame.height - shown.height)
    about = method(metadata, look, *_about(frame, metadata, look), *highest(metadata, look.language).split("\n"),
                   context, whiskers=False, much="")  # fmt: skip
    called = dict(zip(questions, whole.labels, strict=True)) if whole.labels else {}
    body = _body(shown, by, len(questions) > 1, look, called)
    return drawn(headline, f"{heading}.", body, about, metadata, look)


def _levels(frame: pl.DataFrame) -> pl.DataFrame:
    """The answers without differences between groups, and without the mean of a distribution that is drawn."""
    if "share" not in frame.columns:
        return frame
    levels = frame.filter(pl.col("by").is_null() | pl.col("share").is_not_null())
    numbers = levels["value"].cast(pl.Float64, strict=False)
    return levels.with_columns(numbers) if numbers.null_count() == levels["value"].null_count() else levels


def _body(frame: pl.DataFrame, by: str | None, several: bool, look: Look, called: Mapping[str, str]) -> RowChart | Plot:
    """Answers that are all chances, or all numbers."""
    mean = frame["kind"][0] != "probability"
    answers = frame.to_dicts()
    alone = len({_numbered(row["quantity"]) for row in answers}) == 1
    numeric = frame["value"].dtype.is_numeric() and frame["value"].null_count() == 0 and not several
    if numeric and len(answers) > MOST_ROWS:
        ends = {name: [interval(row)[end] for row in answers] for name, end in (("ci_low", 0), ("ci_high", 2))}
        curve = Curve(frame.with_columns(pl.Series(name, values) for name, values in ends.items()))
        return distribution([curve], "", unit="" if mean else "share", height=2.4)

    def label(row: Row) -> str:
        return _label(row, by, several, look, alone, called)

    def key(row: Row) -> str:
        return _label(row, by, several, look, alone)

    if mean:
        return row_chart(answers, look, label, key=key, texts=lambda row: _mean(row, look), from_zero=True)
    if len(answers) > MOST_TEXTS:
        answers.sort(key=lambda row: -row["estimate"])
    return chances(answers, look, label, key=key)


def _mean(row: Row, look: Look) -> tuple[str]:
    """A mean with two figures of its error, or four where it has none."""
    low, estimate, high = interval(row)
    written = digits(estimate, (high - low) / 4) if high > low else f"{estimate:.4g}"
    return (minus(look.numerals(written)),)


def _of(metadata: Metadata, look: Look, by: str | None) -> str:
    """What one trial is, what is given of it and what it is split by."""
    given = metadata.get("request", {}).get("question", {}).get("given")
    words = [capital(trial_words(str(metadata.get("trial") or ""), look.language))]
    words += [look.say("given: {condition}", condition=given)] if given else []
    return ", ".join([*words, *([look.say("by {feature}", feature=by)] if by else [])])


def _question(questions: Sequence[str], metadata: Metadata, look: Look) -> str:
    """The question on one line, without what is given."""
    given = metadata.get("request", {}).get("question", {}).get("given")
    bare = [question.replace(f" given {given}", "") if given else question for question in questions]
    if len(bare) > 1 and len({_numbered(question) for question in bare}) == 1:
        return look.say("quantiles of {number}", number=_numbered(bare[0]))
    if len(bare) > 1:
        return look.say("{n} questions", n=len(bare))
    return bare[0]


def _numbered(question: str) -> str:
    """The number that a question asks for: of a quantile that of which it is one."""
    return question.rpartition(" quantile of ")[2]


def _title(frame: pl.DataFrame, metadata: Metadata, question: str, by: str | None, look: Look, told: Asked) -> str:
    """The question, and the answer where there is one: the median among quantiles.

    Where the question stands as its meaning, or questions as what all have in common, that is the title.
    """
    if metadata.get("title"):  # of a study
        return look.say(str(metadata["title"]))
    rows = frame.to_dicts()
    several = frame["quantity"].n_unique() > 1
    if by:
        rows = [row for row in rows if row["quantity"] == rows[0]["quantity"]]
        named = {text(_label(row, by, False, look)): row for row in rows}
        of_values = is_of_values(rows[0]["quantity"], by)
        if told.common and not of_values:
            return told.common
        return title(split(named, rows[0]["quantity"] if several else question, by, of_values), look.language)
    medians = [row for row in rows if row["quantity"].startswith("50% quantile of ")]
    if len(medians) == 1:
        if any(row["kind"] == "mean" for row in rows):  # how many trials something takes
            return title(stated("answer", "until", {"size": medians[0]}), look.language)
        return title(stated("answer", "half", {"size": medians[0]}, question=text(question)), look.language)
    chances = [row for row in rows if row["kind"] == "probability"]
    if len(rows) > MOST_ANSWERS:
        numbers = [row for row in rows if " quantile of " not in row["quantity"]]
        if told.common and several:
            return f"{told.common} …"
        called = dict(zip(frame["quantity"].unique(maintain_order=True), told.labels, strict=False))
        named = {text(called.get(row["quantity"], str(row["quantity"]))): row for row in chances or numbers or rows}
        kind = "oftenest" if chances and called else "first"
        return title(ranked(kind, named, place="value"), look.language) if several else question
    if told.common and several:
        return f"{told.common} …"
    return "; ".join(title(_answer(row["quantity"] if several else question, row), look.language) for row in rows)


def _answer(question: str, row: Row) -> Finding:
    direction = "brief" if row["kind"] == "probability" else "number"
    return stated("answer", direction, {"size": row}, question=text(question))


def _by(frame: pl.DataFrame) -> str | None:
    """What the answer is split by."""
    return frame["by"][0] if "by" in frame.columns else None


def _label(
    row: Row, by: str | None, several: bool, look: Look, alone: bool = False, called: Mapping[str, str] | None = None
) -> str:
    """What an answer is ``called``; ``alone`` if all are answers to one question: quantiles, perhaps after the mean."""
    value = row["value"]
    if several:
        share, quantile, _ = row["quantity"].partition(" quantile of ") if alone else (row["quantity"], "", "")
        share = (called or {}).get(share, share)
        label = look.numerals(share) if quantile else look.say("on average") if alone else share
        if value is not None:
            label += f", {look.numerals(f'{value:g}') if isinstance(value, float) else look.say(value)}"
    elif value is None:
        label = look.say({"mean": "on average", "probability": "yes"}.get(row["kind"], KINDS.get(row["kind"], "")))
    elif isinstance(value, float):
        label = look.numerals(f"{value:.15g}")
    else:
        label = look.say(_PLAYERS.get(str(value), str(value)) if by is None else str(value))
    return label


def _about(frame: pl.DataFrame, metadata: Metadata, look: Look) -> list[str]:
    """Whether the numbers are exact, simulated or both."""
    much = how_much(metadata, look)
    if frame["exact"].null_count():
        return [f"{much}.", look.say("Whiskers: 95% intervals.")]
    if "simulated" not in frame.columns:
        return [
            look.say("Counted over every case, with no sampling error."),
            *(f"{text}." for text in version(metadata)),
        ]
    sentences = [look.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)]
    if isinstance(apart := frame["difference"].abs().max(), float):
        n = look.numerals(f"{apart:.2f}")
        sentences += [look.say("The largest difference is {n} standard errors.", n=n)]
    return sentences


def _odds(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Where exact answers were checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    return (_first_deal if set(frame["quantity"]) <= set(NAMES) else _answers)(frame, metadata, look)


FAMILY = Family({"odds": _odds}, "a file of rules with bonuses or misdeals")
