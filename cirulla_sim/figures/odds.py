"""The figure of the files of ``odds``: chances of the first deal, and the answers to a question."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..errors import InputError
from ..kept import digits
from . import style
from .dots import PITCH, Chance, draw_chances, height
from .page import Head, Panel, page
from .words import NAMES, Metadata, changed_words, how_much, points, rules_title

WIDTH, NARROW = 7.2, 6.2

MOST_ROWS = 16
"""Values of a distribution that have a row each, with their numbers; more are drawn along an axis."""

LONGEST_LABEL = 44
"""Characters of a question beside its answer, of several."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""

_HEADINGS = {
    "holding": "Three cards dealt to a player",
    "table": "Four cards dealt to the table, misdeals included",
    "hand": "The table that is played, misdeals dealt again",
}
_TRIALS = {
    "holding": "Cards dealt to a player",
    "table": "Cards dealt to the table, misdeals included",
    "first-deal": "A first deal, misdeals included",
    "hand": "A hand that is played",
    "piles": "The piles at the end of a hand",
    "position": "Every way of dealing the cards not seen",
}
_PLAYERS = {
    "next": "Next player", "second": "Second player", "third": "Third player", "you": "You",
    "opponents": "Either opponent", "any": "Anybody",
}  # fmt: skip
_MEANS = {"holding": "a holding earns", "table": "a table earns", "hand": "a table earns the dealer"}


def odds(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Where exact answers were checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    if frame.is_empty():
        raise InputError("figure 'odds' has nothing to show (valid: a file of rules with bonuses or misdeals)")
    first_deal = set(frame["quantity"]) <= set(NAMES)
    return (_first_deal if first_deal else _answers)(frame, metadata, width)


FIGURES: dict[str, Callable[..., Figure]] = {"odds": odds}


# ------------------------------------------------------------------------------------------------ the first deal


def _first_deal(frame: pl.DataFrame, metadata: Metadata, width: float) -> Figure:
    dealt = frame["per"].unique(maintain_order=True).to_list()
    groups = [(_HEADINGS.get(per, f"Per {per}"), chances) for per in dealt if (chances := _chances(frame, per))]
    if not groups:
        raise InputError("figure 'odds' has nothing to show (valid: a file of rules with bonuses or misdeals)")
    head = Head(
        title=f"{rules_title(metadata)}: exact odds of the first deal",
        subtitle=f"Counted over every possible deal, with no sampling error.{_version(metadata)}"
        f"{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )
    return page(head, [_rows("How likely is what the first deal brings", _means(frame), groups, width)], width)


def _chances(frame: pl.DataFrame, per: str) -> list[Chance]:
    rows = frame.filter((pl.col("per") == per) & (pl.col("kind") == "probability"))
    return [
        Chance(NAMES.get(name := row["quantity"], name), row["estimate"], row["ci_low"], row["ci_high"], row["exact"])
        for row in rows.iter_rows(named=True)
    ]


def _means(frame: pl.DataFrame) -> str:
    rows = frame.filter((pl.col("kind") == "mean") & pl.col("quantity").str.starts_with("points_"))
    told = [f"{_MEANS.get(row['per'], row['per'])} {points(row['estimate'])} points (= {row['exact']})"
            for row in rows.iter_rows(named=True)]  # fmt: skip
    return f"On average {', '.join(told)}." if told else ""


def _version(metadata: Metadata) -> str:
    return f" cirulla-sim {metadata['version']}." if "version" in metadata else ""


def _rows(heading: str, remark: str, groups: Sequence[tuple[str, Sequence[Chance]]], width: float) -> Panel:
    stacked = width < NARROW
    return Panel(heading, remark, height(groups, stacked), lambda axes: draw_chances(axes, groups, "odds", stacked))


# ------------------------------------------------------------------------------------------------ a question


def _answers(frame: pl.DataFrame, metadata: Metadata, width: float) -> Figure:
    per, mean = frame["per"][0], frame["kind"][0] != "probability"
    by, several = _by(frame), frame["quantity"].n_unique() > 1
    numeric = frame["value"].dtype.is_numeric() and frame["value"].null_count() == 0 and not several
    asked, frame = _shared(frame)
    answers = [_answer(row, by, several) for row in frame.iter_rows(named=True)]
    trial = metadata.get("trial") or _TRIALS.get(per, per)
    heading = f"{trial[:1].upper()}{trial[1:]}{f', by {by}' if by else ''}"
    remark = ""
    if numeric and (mean or len(answers) > MOST_ROWS):
        values = frame["value"].to_list()
        panel = Panel(heading, "", 2.6, partial(_draw_values, values=values, answers=answers, mean=mean, by=by))
    else:
        if len(answers) > MOST_TEXTS:
            remark = f"The {MOST_TEXTS} largest of {len(answers):,} values."
            answers = sorted(answers, key=lambda chance: -chance.estimate)[:MOST_TEXTS]
        if mean:
            panel = Panel(heading, remark, PITCH * len(answers) + 0.4, partial(_draw_means, answers=answers))
        else:
            panel = _rows(heading, remark, [("Chance", answers)], width)
    asked = asked or _asked(frame["quantity"].unique(maintain_order=True).to_list())
    title = asked if not by or asked in (by, f"by {by}") else f"{asked}, by {by}"
    head = Head(f"{rules_title(metadata)}: {title}", _subtitle(frame, metadata), metadata.get("command", ""))
    return page(head, [panel], width)


def _shared(frame: pl.DataFrame) -> tuple[str | None, pl.DataFrame]:
    """The number that all of several named questions ask the mean of, and the frame with their names alone."""
    found = [re.fullmatch(r"(mean of [^()]+) \((.+)\)", quantity) for quantity in frame["quantity"]]
    if len(found) < 2 or any(match is None for match in found) or len({match[1] for match in found if match}) > 1:
        return None, frame
    names = pl.Series("quantity", [match[2] for match in found if match])
    return next(match[1] for match in found if match), frame.with_columns(names)


def _asked(questions: Sequence[str]) -> str:
    """What was asked, on one line."""
    quantiles = {question.partition(" quantile of ")[2] for question in questions}
    if len(quantiles) == 1 and "" not in quantiles:
        return f"quantiles of {quantiles.pop()}"
    return questions[0] if len(questions) == 1 else f"{len(questions)} questions"


def _by(frame: pl.DataFrame) -> str | None:
    """What the answer is split by."""
    return frame["by"][0] if "by" in frame.columns else None


def _answer(row: dict[str, Any], by: str | None, several: bool) -> Chance:
    value = row["value"]
    if several:
        quantity = row["quantity"] if len(row["quantity"]) <= LONGEST_LABEL else f"{row['quantity'][:LONGEST_LABEL]}…"
        label = f"{quantity}, {value:g}" if isinstance(value, float) else quantity
        label = f"{quantity}, {value}" if isinstance(value, str) else label
    elif value is None:
        label = "on average" if row["kind"] == "mean" else "yes"
    elif isinstance(value, float):
        label = f"{value:.15g}"
    else:
        label = _PLAYERS.get(value, value) if by is None else value
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    return Chance(label, row["estimate"], low, high, row["exact"])


def _subtitle(frame: pl.DataFrame, metadata: Metadata) -> str:
    """Whether the numbers are exact, simulated or both."""
    if frame["exact"].null_count():
        told = f"Estimates with 95% intervals. {how_much(metadata)}."
    elif "simulated" in frame.columns:
        apart = frame["difference"].abs().max()
        most = f" The largest difference is {apart:.2f} standard errors." if isinstance(apart, float) else ""
        told = f"Dots: exact. Whiskers: 95% intervals of a simulation, {how_much(metadata)}.{most}"
    else:
        told = f"Counted over every case, with no sampling error.{_version(metadata)}"
    return told + changed_words(metadata)


def _draw_values(axes: Axes, values: Sequence[float], answers: Sequence[Chance], mean: bool, by: str | None) -> None:
    """Answers along the axis of their values, as dots on stems, with whiskers."""
    gap = min((after - before for before, after in itertools.pairwise(values)), default=1.0)
    ends = [number for answer in answers for number in (answer.estimate, answer.low, answer.high)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    axes.set_xlim(min(values) - 0.6 * gap, max(values) + 0.6 * gap)
    axes.set_ylim(low * 1.06, high * 1.06 or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    if not mean:
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.10g}%"))
    axes.tick_params(axis="y", labelsize=style.SMALL, labelcolor=style.MUTED)
    axes.grid(axis="y")
    axes.set_xlabel(by or "")
    estimates = [answer.estimate for answer in answers]
    axes.vlines(values, 0, estimates, color=style.RAMP[1], linewidth=1.2, zorder=1)
    whiskers = axes.vlines(values, [a.low for a in answers], [a.high for a in answers], color=style.DEALER)
    whiskers.set(linewidth=1.4, gid="odds-whiskers")
    axes.plot(
        values, estimates, linestyle="none", marker="o", markersize=3.6, color=style.DEALER, clip_on=False,
        gid="odds-dots", zorder=3,
    )  # fmt: skip


def _mean_words(answer: Chance) -> str:
    """A mean with two figures of its error, or four where it has none."""
    error = (answer.high - answer.low) / 4
    return digits(answer.estimate, error) if error else f"{answer.estimate:.4g}"


def _draw_means(axes: Axes, answers: Sequence[Chance]) -> None:
    """Means, a row each, with their numbers at the right."""
    ends = [number for answer in answers for number in (answer.estimate, answer.low, answer.high)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    ys = list(range(len(answers)))
    axes.set_xlim(low * 1.06, high * 1.06 or 1.0)
    axes.set_ylim(len(answers) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.grid(axis="x")
    whiskers = axes.hlines(ys, [a.low for a in answers], [a.high for a in answers], color=style.DEALER, linewidth=1.4)
    whiskers.set_gid("odds-whiskers")
    axes.plot(
        [a.estimate for a in answers], ys, linestyle="none", marker="o", markersize=4.5, color=style.DEALER,
        clip_on=False, gid="odds-dots", zorder=3,
    )  # fmt: skip
    axes.set_yticks(ys, [answer.label for answer in answers])
    for y, answer in zip(ys, answers, strict=True):
        axes.annotate(
            _mean_words(answer), (1, y), xycoords=("axes fraction", "data"), xytext=(46, 0),
            textcoords="offset points", ha="right", va="center_baseline", fontsize=style.TEXT,
        )  # fmt: skip
