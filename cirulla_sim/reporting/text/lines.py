"""How the rows of a table become lines and columns for readers: a function for each shape of a table.

Each gives cells: what the line is about, by heading, the heading of the column, and the text. Cells about the same
thing form a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import polars as pl

from ...core.locale import Language
from . import cells, labels, rankings, studies
from .answers import answer_labels, answers_of
from .cells import Cells, NumberCell, Row
from .labels import Metadata
from .plays import choice_text

EXPRESSION = "Expression"
"""The heading of what was typed, which stands in tables for spreadsheets alone."""

_LONG_FRACTION = re.compile(rf"(\d{{5}})\d{{{cells.LONG_NUMBER - 9},}}(\d{{5}})")
"""Long numbers of a fraction, of which the first and the last digits are shown."""

BAR = 40
"""Characters of the longest bar of a histogram."""

Lines = Callable[[pl.DataFrame, Metadata, Language], Iterator[Cells]]

# ------------------------------------------------------------------------------------------------ hands and games


def _about(row: Row, locale: Language, names: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a row is of, by heading: its rules if it has any, its side where ``names`` has what sides are called."""
    rules = {"Rules": locale.say(labels.rules_words(row["rules"]))} if "rules" in row else {}
    side = {"Side": names.get(row["side"], row["side"])} if names else {}
    per = str(labels.WORDS["trials"].get(row["per"], row["per"]))
    units = {"Per": locale.say(per), "As": locale.say(str(labels.WORDS["kinds"].get(row["kind"], row["kind"])))}
    value = {} if row["value"] is None else {row.get("by") or "Value": cells.value_text(row["value"], locale)}
    name = f"{row['quantity']}_{row['kind']}"  # of a number that is a chance, too
    name = labels.quantity_name(name if name in labels.QUANTITIES else row["quantity"], locale)
    return {**rules, **side, "What": name, **units, **value}


def by_side(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Quantities below one another, sides beside one another."""
    names = labels.side_names(metadata, locale)
    present = set(frame["side"])
    for name in (names[side] for side in names if side in present):  # columns in this order whatever comes first
        yield {}, name, ""
    for row in frame.iter_rows(named=True):
        yield _about(row, locale), names.get(row["side"], row["side"]), cells.number_cell(row)


def by_line_up(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Line-ups beside one another, then how much more there is for each than for the first."""
    names = labels.side_names(metadata, locale, policies=False)
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    headings = {name: labels.line_up(name, locale) for name in line_ups}
    for name in line_ups:
        yield {}, headings[name], ""
    more = "interaction" if "interaction" in frame["kind"] else "difference" if "rules" not in frame.columns else ""
    levels: dict[tuple[object, ...], dict[str, str]] = {}
    for row in frame.iter_rows(named=True):
        key = (row.get("rules"), row["quantity"], row["per"], row["side"], row["value"])
        about = _about(row, locale, names)
        if row["kind"] == more and key in levels:
            yield levels[key], f"{headings[row['policy']]} − {headings[line_ups[0]]}", cells.number_cell(row)
        else:
            if row["kind"] in ("mean", "difference") or key not in levels:
                levels[key] = about
            yield about, headings[row["policy"]], cells.number_cell(row)


# ------------------------------------------------------------------------------------------------ rules compared


def by_rules(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Rules below one another, the biggest change first; what they change beside one another."""
    if "rules" not in frame.columns or frame.filter(pl.col("rules") == pl.col("rules").first()).is_empty():
        yield from by_side(frame, metadata, locale)
        return
    order, dealer = rankings.rules_by_change(frame), labels.side_names(metadata, locale, policies=False)["dealer"]
    for row in sorted(frame.iter_rows(named=True), key=lambda row: order.index(row["rules"])):
        about = _about(row, locale)
        heading = f"{about['What']}, {labels.lower(dealer)}" if row["side"] == "dealer" else about["What"]
        yield {"Rules": about["Rules"]}, heading, cells.number_cell(row)


# ------------------------------------------------------------------------------------------------ chances


def questions(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Answers with odds and fractions; the simulated beside the exact."""
    values = frame.filter(pl.col("value").is_not_null()) if "share" in frame.columns else frame.clear()
    split = values.height > 0 and (values["share"] != values["estimate"]).any()
    distribution = values.height > 0 and not split and (values["kind"] == "probability").all()
    largest = max([0.0, *values["estimate"]]) or 1.0
    answers, levels = answers_of(frame, metadata, locale), dict[str, str]()
    if distribution and "mean" in frame["kind"]:
        yield {}, "Mean", ""  # not to the right of the bars
    for row in frame.iter_rows(named=True):
        about = {EXPRESSION: row["quantity"], **answer_labels(row, answers, locale)}
        about["Per"] = locale.say(labels.WORDS["trials"].get(row["per"], row["per"]))
        first = levels.setdefault(row["quantity"], labels.WORDS["answers"].get(row["kind"], "Chance"))
        yield about, labels.WORDS["answers"].get(row["kind"], first), cells.number_cell(row)
        if row["kind"] in ("probability", "share"):
            odds = locale.odds(row["estimate"], row["exact"] is not None)
            yield about, "Odds", NumberCell(odds, {"": 1 / row["estimate"] if row["estimate"] else None}, "1 in n")
        if row["exact"] is not None:
            yield about, "Exactly", _LONG_FRACTION.sub(r"\1…\2", row["exact"])
        elif row["n"] is not None:
            trials, seen = locale.numerals(f"{row['n']:,}"), {}
            if row["kind"] == "probability":
                seen = {"": round((row.get("of_one") or row["estimate"]) * row["n"])}
                trials = locale.say("{n} of {all}", n=locale.numerals(f"{seen['']:,}"), all=trials)
            yield about, "Seen", NumberCell(trials, {**seen, "of": row["n"]})
        if split and row["share"] is not None:
            yield about, "Of all", NumberCell(locale.percent(row["share"]), {"": 100 * row["share"]}, "%")
        if row.get("simulated") is not None:
            simulated = {"estimate": row["simulated"], "ci_low": row["simulated_low"], "ci_high": row["simulated_high"]}
            yield about, "Simulated", cells.number_cell({**row, **simulated, "exact": None})
            yield about, "Standard errors apart", cells.numeral(f"{row['difference']:+.2f}", locale)
        if row.get("hand") is not None:
            yield about, "First hand", locale.numerals(str(row["hand"]))
        if distribution and row["value"] is not None:
            yield about, "", "█" * round(BAR * row["estimate"] / largest)


def by_score(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Our score down, theirs across."""
    for row in frame.iter_rows(named=True):
        about = {"Dealer": locale.say(labels.WORDS["dealing"][row["dealer"]]), "our score": str(row["us"])}
        yield about, str(row["them"]), cells.number_cell(row)


def chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    for row in frame.iter_rows(named=True):
        dealer = locale.say(labels.WORDS["dealing"][row["dealer"]])
        about = {"Score, ours first": row["score"], "Dealer": dealer, "How": locale.say(row["method"])}
        yield about, "Games won", cells.number_cell(row)


# ------------------------------------------------------------------------------------------------ advice, nights


def advice(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Plays below one another, the best first, what they bring beside one another, and why."""
    best = frame["play"][0] if frame.height else ""
    for row in frame.iter_rows(named=True):
        about = {"Play": choice_text(row["play"], locale)}
        heading = labels.WORDS["headings"].get(row["quantity"]) or labels.quantity_name(row["quantity"], locale)
        first = row["quantity"] == "behind" and row["play"] == best
        yield about, heading, "" if first else cells.number_cell(row)
    for row in frame.unique("play", maintain_order=True).iter_rows(named=True):
        if row.get("reason"):
            yield {"Play": choice_text(row["play"], locale)}, "Why", cells.reason_text(row["reason"], locale)


def by_format(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line for each quantity and format: its number, and how much more that is than in the first format."""
    names = labels.format_names(metadata, locale)
    order = frame["quantity"].unique(maintain_order=True).to_list()
    for row in sorted(frame.iter_rows(named=True), key=lambda row: order.index(row["quantity"])):
        about = {"What": labels.night_label(row, metadata, locale), "Format": names.get(row["rules"], row["rules"])}
        heading = "Difference" if row["kind"] == "difference" else "In the format"
        yield about, heading, cells.number_cell(row)


def by_player(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """Strength, group and the match with the next; points and games of each over each other; the verdicts of a test."""
    order = rankings.strongest_first(frame) or frame["policy"].drop_nulls().unique(maintain_order=True).to_list()
    names = {name: labels.line_up(name, locale) for name in order}
    matches, letters = rankings.matches_of(frame), rankings.letters_of(frame)
    over = {name: locale.say("over {player}", player=names[name]) for name in order}
    for row in frame.filter(quantity="strength").iter_rows(named=True):
        own = row["policy"]
        about = {"What": locale.say("Strength"), "Player": names[own]}
        yield about, "Points a hand", cells.number_cell(row)
        if matches:
            match = matches.get((own, order[order.index(own) + 1])) if own != order[-1] else None
            yield about, "Over the next", "" if match is None else cells.number_cell(match)
            yield about, "Group", letters[own]
    for quantity, heading in labels.WORDS["matrices"].items():
        rows = rankings.matches_of(frame, quantity)
        for own, opponent in product(order, order) if rows else ():
            cell = cells.number_cell(rows[own, opponent]) if (own, opponent) in rows else "·"
            yield {"What": locale.say(heading), "Player": names[own]}, over[opponent], cell
    for row in metadata.get("verdicts", ()):
        about = {"What": locale.say("Test"), "Player": names[row["policy"]]}
        verdict = locale.say(row["verdict"] or "not decided")
        hands = locale.numerals(f"{row['hands']:,}")
        yield about, over[row["opponent"]], locale.say("{verdict} after {n} deals", verdict=verdict, n=hands)


study = studies.study_table
