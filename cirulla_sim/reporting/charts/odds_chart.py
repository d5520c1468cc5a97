"""The figure of the files of ``odds``: chances of the first deal, and the answers to a question."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ...core.errors import InputError
from ...core.numerals import digits, level
from ..text.cells import is_of_values
from ..text.labels import Metadata, capital, how_much, lower, rules_title, trial_words, version
from ..text.layouts import highest
from ..text.quantity_names import NAMES
from .chart_rows import Column, beside, draw_estimates, grid_of_numbers, name_rows, pitch
from .dots import Chance, draw_chances, height
from .figure_parts import Draw, head
from .look import Look
from .page_layout import Panel, page

MOST_ROWS = 16
"""Values of a distribution that have a row each, with their numbers; more are drawn along an axis."""

LONGEST_LABEL = 44
"""Characters of a question beside its answer, of several."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""

_EMPTY = "figure 'odds' has nothing to show (valid: a file of rules with bonuses or misdeals)"
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
_MOST = {
    "holding": "{name}: {odds} of three cards dealt",
    "table": "{name}: {odds} of tables dealt",
    "hand": "{name}: {odds} of hands",
}


# ------------------------------------------------------------------------------------------------ the first deal


def _first_deal(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    trials = frame["per"].unique(maintain_order=True).to_list()
    groups = [(look.say(_HEADINGS.get(per, per)), rows) for per in trials if (rows := _chances(frame, per, look))]
    if not groups:
        raise InputError(_EMPTY)
    row = frame.filter(kind="probability").row(0, named=True)
    title = look.say(_MOST.get(row["per"], "{name}: {odds}"), name=look.say(NAMES[row["quantity"]]),
                     odds=look.odds(row["estimate"], exact=True))  # fmt: skip
    what = f"{rules_title(metadata, look)}: {look.say('exact odds of the first deal')}"
    exact = look.say("Counted over every possible deal, with no sampling error.")
    panel = _rows(look.say("How likely is what the first deal brings"), _means(frame, look), groups, look)
    return page(head(metadata, look, title, exact, *_version(metadata), what=what), [panel], look)


def _chances(frame: pl.DataFrame, per: str, look: Look) -> list[Chance]:
    rows = frame.filter((pl.col("per") == per) & (pl.col("kind") == "probability")).iter_rows(named=True)
    return [
        Chance(look.say(NAMES[row["quantity"]]), row["estimate"], row["ci_low"], row["ci_high"], row["exact"])
        for row in rows
    ]


def _means(frame: pl.DataFrame, look: Look) -> str:
    rows = frame.filter((pl.col("kind") == "mean") & pl.col("quantity").str.starts_with("points_"))
    return " ".join(
        look.say(_MEANS[row["per"]], n=look.points(row["estimate"]), exact=row["exact"])
        for row in rows.iter_rows(named=True)
        if row["per"] in _MEANS
    )


def _version(metadata: Metadata) -> list[str]:
    return [f"{text}." for text in version(metadata)]


def _rows(heading: str, remark: str, groups: Sequence[tuple[str, Sequence[Chance]]], look: Look) -> Panel:
    draw = partial(draw_chances, groups=groups, gid="odds", look=look)
    return Panel(heading, remark, height(groups, look), draw)


# ------------------------------------------------------------------------------------------------ a question


def _answers(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    questions, by = frame["quantity"].unique(maintain_order=True).to_list(), _by(frame)
    parts = [frame.filter(pl.col("kind") == "probability"), frame.filter(pl.col("kind") != "probability")]
    heading = _of(metadata, look)
    heading += f", {look.say('by {feature}', feature=by)}" if by else ""
    most = highest(metadata, look.language)
    panels = [_panel(part, "" if number else heading, by, len(questions) > 1, look)
              for number, part in enumerate(part for part in parts if part.height)]  # fmt: skip
    title = _title(frame, metadata, _question(questions, metadata, look), by, look)
    return page(head(metadata, look, title, *_about(frame, metadata, look), most), panels, look)


def _panel(frame: pl.DataFrame, heading: str, by: str | None, several: bool, look: Look) -> Panel:
    """Answers that are all chances, or all numbers."""
    mean = frame["kind"][0] != "probability"
    numeric = frame["value"].dtype.is_numeric() and frame["value"].null_count() == 0 and not several
    answers = [_answer(row, by, several, look) for row in frame.iter_rows(named=True)]
    remark = ""
    if numeric and (mean or len(answers) > MOST_ROWS):
        values = frame["value"].to_list()
        draw = partial(_draw_values, values=values, answers=answers, mean=mean, by=by, look=look)
        return Panel(heading, "", 2.6 * look.scale, draw)
    if len(answers) > MOST_TEXTS:
        counted = look.numerals(f"{len(answers):,}")
        remark = look.say("The {most} largest of {n} values.", most=MOST_TEXTS, n=counted)
        answers = sorted(answers, key=lambda chance: -chance.estimate)[:MOST_TEXTS]
    if mean:
        tall = pitch(look) * len(answers) + 0.4 * look.scale
        return Panel(heading, remark, tall, partial(_draw_means, answers=answers, look=look))
    return _rows(heading, remark, [(look.say("Chance"), answers)], look)


def _of(metadata: Metadata, look: Look) -> str:
    """What one trial is, and what is given of it."""
    given = metadata.get("request", {}).get("question", {}).get("given")
    trial = str(metadata.get("trial") or "")
    words = capital(trial_words(trial, look.language))
    if not given:
        return words
    return f"{words}, {look.say('given: {condition}', condition=given)}"


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
    if by and is_of_values(question, by):
        return look.say("How likely is each value of {feature}", feature=by)
    if by:
        return f"{question}, {look.say('by {feature}', feature=by)}"
    median = frame.filter(pl.col("quantity").str.starts_with("50% quantile of "))
    if median.height == 1:
        return look.say(
            "{question}: half are {n} or less", question=question, n=look.numerals(f"{median['estimate'][0]:g}")
        )
    if frame.height > 1:
        return question
    row = frame.row(0, named=True)
    if row["kind"] == "probability":
        return f"{question}: {lower(look.odds(row['estimate'], row['exact'] is not None))}"
    return f"{question}: {look.numerals(level(row))}"


def _by(frame: pl.DataFrame) -> str | None:
    """What the answer is split by."""
    return frame["by"][0] if "by" in frame.columns else None


def _answer(row: dict[str, Any], by: str | None, several: bool, look: Look) -> Chance:
    value = row["value"]
    if several:
        question = row["quantity"]
        share, quantile, _ = question.partition(" quantile of ")
        label = look.numerals(share) if quantile else question
        label = label if len(label) <= LONGEST_LABEL else f"{label[:LONGEST_LABEL]}…"
        if value is not None:
            label += f", {look.numerals(f'{value:g}') if isinstance(value, float) else look.say(value)}"
    elif value is None:
        label = look.say("on average" if row["kind"] == "mean" else "yes")
    elif isinstance(value, float):
        label = look.numerals(f"{value:.15g}")
    else:
        label = look.say(_PLAYERS.get(value, value)) if by is None else look.say(value)
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return Chance(label, row["estimate"], low, high, row["exact"])


def _about(frame: pl.DataFrame, metadata: Metadata, look: Look) -> list[str]:
    """Whether the numbers are exact, simulated or both."""
    much = how_much(metadata, look)
    if frame["exact"].null_count():
        return [look.say("Estimates with 95% intervals."), f"{much}."]
    if "simulated" not in frame.columns:
        return [look.say("Counted over every case, with no sampling error."), *_version(metadata)]
    sentences = [look.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)]
    if isinstance(apart := frame["difference"].abs().max(), float):
        n = look.numerals(f"{apart:.2f}")
        sentences += [look.say("The largest difference is {n} standard errors.", n=n)]
    return sentences


def _draw_values(
    axes: Axes, values: Sequence[float], answers: Sequence[Chance], mean: bool, by: str | None, look: Look
) -> None:
    """Answers along the axis of their values, as dots on stems, with whiskers."""
    colours = look.colours
    gap = min((after - before for before, after in itertools.pairwise(values)), default=1.0)
    ends = [number for answer in answers for number in (answer.estimate, answer.low, answer.high)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    axes.set_xlim(min(values) - 0.6 * gap, max(values) + 0.6 * gap)
    axes.set_ylim(low * 1.06, high * 1.06 or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(6 if look.stacked else 10, integer=True, steps=[1, 2, 5, 10]))
    grid_of_numbers(axes, "y", look, most=5)
    if not mean:
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: look.numerals(f"{100 * y:.10g}%")))
    axes.set_xlabel(by or "")
    estimates = [answer.estimate for answer in answers]
    axes.vlines(values, 0, estimates, color=colours.ramp[1], linewidth=1.2 * look.scale, zorder=1)
    axes.vlines(values, [a.low for a in answers], [a.high for a in answers], color=colours.dealer,
                linewidth=1.4 * look.scale, gid="odds-whiskers")  # fmt: skip
    axes.plot(
        values, estimates, linestyle="none", marker="o", markersize=3.6 * look.scale, color=colours.dealer,
        clip_on=False, gid="odds-dots", zorder=3,
    )  # fmt: skip


def _mean_words(answer: Chance) -> str:
    """A mean with two figures of its error, or four where it has none."""
    error = (answer.high - answer.low) / 4
    return digits(answer.estimate, error) if error else f"{answer.estimate:.4g}"


def _draw_means(axes: Axes, answers: Sequence[Chance], look: Look) -> None:
    """Means, a row each, with their numbers at the right."""
    colours = look.colours
    ends = [number for answer in answers for number in (answer.estimate, answer.low, answer.high)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    ys = list(range(len(answers)))
    axes.set_xlim(low * 1.06, high * 1.06 or 1.0)
    axes.set_ylim(len(answers) - 0.4, -0.7 if look.stacked else -0.6)
    grid_of_numbers(axes, "x", look, most=5)
    draw_estimates(axes, ys, [(answer.low, answer.estimate, answer.high) for answer in answers], "odds", look)
    name_rows(axes, ys, [answer.label for answer in answers], look)
    texts = [look.numerals(_mean_words(answer)) for answer in answers]
    beside(axes, ys, [Column(texts, [colours.ink] * len(texts))], look)


def _odds(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Where exact answers were checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    if frame.is_empty():
        raise InputError(_EMPTY)
    return (_first_deal if set(frame["quantity"]) <= set(NAMES) else _answers)(frame, metadata, look)


FIGURES: dict[str, tuple[Draw, float]] = {"odds": (_odds, 7.2)}
