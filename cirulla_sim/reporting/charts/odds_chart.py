"""The figure of the files of ``odds``: chances of the first deal, and the answers to a question."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ...core.numerals import digits
from ..text.cells import is_of_values, minus
from ..text.findings import Finding, Noun, ranked, split, stated, text
from ..text.labels import KINDS, NAMES, Metadata, capital, how_much, trial_words, version
from ..text.layouts import highest
from ..text.readings import readings
from ..text.sentences import title
from .figure_parts import Family, Plot, command_of, method
from .keys import marker_of
from .look import Look
from .rows import ChartRow, Group, Mark, RowChart, chance, chances, interval
from .sheet import Graphic, grid_of_numbers

MOST_ROWS = 8
"""Values of a distribution that have a row each, with their numbers; more are drawn along an axis."""

MOST_ANSWERS = 2
"""Answers that stand in a title."""

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
_MEANS = {
    "holding": "On average a holding earns {n} points (= {exact}).",
    "table": "On average a table earns {n} points (= {exact}).",
    "hand": "On average a table earns the dealer {n} points (= {exact}).",
}
# ------------------------------------------------------------------------------------------------ the first deal


def _first_deal(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    trials = frame["per"].unique(maintain_order=True).to_list()
    groups = [(look.say(_HEADINGS.get(per, per)), rows) for per in trials if (rows := _chances(frame, per, look))]
    if not groups:
        return None
    row = frame.filter(kind="probability").row(0, named=True)
    said = title(stated("answer", "brief", {"size": row}, question=Noun("said", NAMES[row["quantity"]])), look.language)
    exact = look.say("Counted over every possible deal, with no sampling error.")
    about = method(metadata, look, exact, *_version(metadata), _means(frame, look), whiskers=False, much="")
    return Graphic(said, look.say("Chance, and odds."), chances(groups, look), about, command_of(metadata))


def _chances(frame: pl.DataFrame, per: str, look: Look) -> list[ChartRow]:
    rows = frame.filter((pl.col("per") == per) & (pl.col("kind") == "probability")).iter_rows(named=True)
    return [chance(look.say(NAMES[row["quantity"]]), row, look) for row in rows]


def _means(frame: pl.DataFrame, look: Look) -> str:
    rows = frame.filter((pl.col("kind") == "mean") & pl.col("quantity").str.starts_with("points_"))
    return " ".join(
        look.say(_MEANS[row["per"]], n=look.points(row["estimate"]), exact=row["exact"])
        for row in rows.iter_rows(named=True)
        if row["per"] in _MEANS
    )


def _version(metadata: Metadata) -> list[str]:
    return [f"{text}." for text in version(metadata)]


# ------------------------------------------------------------------------------------------------ a question


def _answers(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """The answers; of chances and numbers in one table the chances, which have the same axis."""
    frame = _levels(frame)
    questions, by = frame["quantity"].unique(maintain_order=True).to_list(), _by(frame)
    of_chances = frame.filter(pl.col("kind") == "probability")
    shown = of_chances if of_chances.height else frame
    if shown.is_empty():
        return None
    read = readings(metadata, look.language)
    heading = " ".join(read).removesuffix(".") if len(questions) == 1 and read else _of(metadata, look, by)
    if shown.height < frame.height:
        heading += ". " + look.say("{n} answers that are no chances are in the table", n=frame.height - shown.height)
    said = _title(frame, metadata, _question(questions, metadata, look), by, look)
    about = method(metadata, look, *_about(frame, metadata, look), *highest(metadata, look.language).split("\n"),
                   whiskers=False, much="")  # fmt: skip
    body = _body(shown, by, len(questions) > 1, look)
    return Graphic(said, f"{heading}.", body, about, command_of(metadata))


def _levels(frame: pl.DataFrame) -> pl.DataFrame:
    """The answers without differences between groups, and without the mean of a distribution that is drawn."""
    if "share" not in frame.columns:
        return frame
    levels = frame.filter(pl.col("by").is_null() | pl.col("share").is_not_null())
    numbers = levels["value"].cast(pl.Float64, strict=False)
    return levels.with_columns(numbers) if numbers.null_count() == levels["value"].null_count() else levels


def _body(frame: pl.DataFrame, by: str | None, several: bool, look: Look) -> RowChart | Plot:
    """Answers that are all chances, or all numbers."""
    mean = frame["kind"][0] != "probability"
    answers = frame.to_dicts()
    labels = [_label(row, by, several, look) for row in answers]
    numeric = frame["value"].dtype.is_numeric() and frame["value"].null_count() == 0 and not several
    if numeric and len(answers) > MOST_ROWS:
        marks = [Mark(*interval(row), ()) for row in answers]
        return Plot(2.4, partial(_draw_values, values=frame["value"].to_list(), marks=marks, mean=mean, by=by))
    if mean:
        bars = [_mean(label, row, look) for label, row in zip(labels, answers, strict=True)]
        return RowChart((Group("", tuple(bars)),), from_zero=True)
    rows = [chance(label, row, look, key=label) for label, row in zip(labels, answers, strict=True)]
    if len(rows) > MOST_TEXTS:
        rows = sorted(rows, key=lambda row: -row.marks[0].estimate)
    return chances([("", rows)], look)


def _mean(label: str, row: dict[str, Any], look: Look) -> ChartRow:
    """A mean with two figures of its error, or four where it has none."""
    low, estimate, high = interval(row)
    text = digits(estimate, (high - low) / 4) if high > low else f"{estimate:.4g}"
    return ChartRow(label, (Mark(low, estimate, high, (minus(look.numerals(text)),)),), key=label)


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
    quantiles = {question.partition(" quantile of ")[2] for question in bare}
    if len(quantiles) == 1 and "" not in quantiles:
        return look.say("quantiles of {number}", number=quantiles.pop())
    if len(bare) > 1:
        return look.say("{n} questions", n=len(bare))
    return bare[0]


def _title(frame: pl.DataFrame, metadata: Metadata, question: str, by: str | None, look: Look) -> str:
    """The question, and the answer where there is one: the median among quantiles."""
    if metadata.get("title"):  # of a study
        return look.say(str(metadata["title"]))
    rows = frame.to_dicts()
    several = frame["quantity"].n_unique() > 1
    if by:
        rows = [row for row in rows if row["quantity"] == rows[0]["quantity"]]
        named = {text(_label(row, by, False, look)): row for row in rows}
        asked = rows[0]["quantity"] if several else question
        return title(split(named, asked, by, is_of_values(asked, by)), look.language)
    medians = [row for row in rows if row["quantity"].startswith("50% quantile of ")]
    if len(medians) == 1:
        return title(stated("answer", "half", {"size": medians[0]}, question=text(question)), look.language)
    chances = [row for row in rows if row["kind"] == "probability"]
    if len(rows) > MOST_ANSWERS:
        named = {text(str(row["quantity"])): row for row in chances or rows}
        return title(ranked("first", named, place="value"), look.language) if several else question
    return "; ".join(title(_answer(row["quantity"] if several else question, row), look.language) for row in rows)


def _answer(question: str, row: dict[str, Any]) -> Finding:
    direction = "brief" if row["kind"] == "probability" else "number"
    return stated("answer", direction, {"size": row}, question=text(question))


def _by(frame: pl.DataFrame) -> str | None:
    """What the answer is split by."""
    return frame["by"][0] if "by" in frame.columns else None


def _label(row: dict[str, Any], by: str | None, several: bool, look: Look) -> str:
    """What an answer is called."""
    value = row["value"]
    if several:
        question = row["quantity"]
        share, quantile, _ = question.partition(" quantile of ")
        label = look.numerals(share) if quantile else question
        if value is not None:
            label += f", {look.numerals(f'{value:g}') if isinstance(value, float) else look.say(value)}"
    elif value is None:
        label = look.say({"mean": "on average", "probability": "yes"}.get(row["kind"], KINDS.get(row["kind"], "")))
    elif isinstance(value, float):
        label = look.numerals(f"{value:.15g}")
    else:
        label = look.say(_PLAYERS.get(value, value)) if by is None else look.say(value)
    return label


def _about(frame: pl.DataFrame, metadata: Metadata, look: Look) -> list[str]:
    """Whether the numbers are exact, simulated or both."""
    much = how_much(metadata, look)
    if frame["exact"].null_count():
        return [f"{much}.", look.say("Whiskers: 95% intervals.")]
    if "simulated" not in frame.columns:
        return [look.say("Counted over every case, with no sampling error."), *_version(metadata)]
    sentences = [look.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)]
    if isinstance(apart := frame["difference"].abs().max(), float):
        n = look.numerals(f"{apart:.2f}")
        sentences += [look.say("The largest difference is {n} standard errors.", n=n)]
    return sentences


def _draw_values(
    axes: Axes, look: Look, values: Sequence[float], marks: Sequence[Mark], mean: bool, by: str | None
) -> None:
    """Answers along the axis of their values, as dots on stems, with whiskers."""
    colour, _ = marker_of(0, look)
    gap = min((after - before for before, after in itertools.pairwise(values)), default=1.0)
    ends = [number for mark in marks for number in (mark.estimate, mark.low, mark.high)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    axes.set_xlim(min(values) - 0.6 * gap, max(values) + 0.6 * gap)
    axes.set_ylim(low * 1.06, high * 1.06 or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(6 if look.narrow else 10, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}".replace("-", "−")))
    grid_of_numbers(axes, look, "" if mean else "share", 5)
    axes.set_xlabel(by or "")
    estimates = [mark.estimate for mark in marks]
    axes.vlines(values, 0, estimates, color=look.colours.muted, linewidth=1.0 * look.scale, zorder=1, gid="stem")
    axes.vlines(values, [mark.low for mark in marks], [mark.high for mark in marks], color=colour,
                linewidth=1.4 * look.scale, gid="whisker")  # fmt: skip
    axes.plot(values, estimates, linestyle="none", marker="o", markersize=3.6 * look.scale, color=colour,
              clip_on=False, gid="mark", zorder=3)  # fmt: skip


def _odds(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Where exact answers were checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    return (_first_deal if set(frame["quantity"]) <= set(NAMES) else _answers)(frame, metadata, look)


FAMILY = Family({"odds": _odds}, "a file of rules with bonuses or misdeals")
