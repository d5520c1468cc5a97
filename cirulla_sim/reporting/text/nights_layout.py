"""Formats of a night compared, for readers: a table, and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from ...core.locale import Language
from ...engine.policies import USUAL
from ...situation.night import Night, is_night
from ...situation.notation import Situation
from .cells import Cells, Row, is_significant, marked_cell, number, what, without_sign
from .labels import PLAY, Metadata, line_ups_of, player, rules_sentence


def formats(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line for each quantity and format: its number, and how much more that is than in the first format."""
    names = format_names(metadata, locale)
    for quantity in frame["quantity"].unique(maintain_order=True):
        for row in frame.filter(quantity=quantity).iter_rows(named=True):
            about = {"What": label(row, metadata, locale), "Format": names.get(row["rules"], row["rules"])}
            yield about, "Difference" if row["kind"] == "difference" else "In the format", marked_cell(row, locale)


def compared_nights_of(metadata: Metadata) -> list[Night]:
    """The nights that a comparison is of, every pair with its policy; none for another result."""
    request = metadata.get("request", {})
    at = request.get("situation", {}).get("at")
    if request.get("verb") != "compare" or not is_night(at):
        return []
    line_ups = line_ups_of(metadata)
    usual = line_ups[0].names[0] if line_ups else USUAL
    read = (Situation.parse(text).night for text in (at, *request["question"].get("against", ())))
    return [replace(night, pairs=night.policies(usual)) for night in read if night is not None]


def format_names(metadata: Metadata, locale: Language) -> dict[str, str]:
    """The formats as the table names them, and what readers call them: without minutes that are the same in all."""
    nights = compared_nights_of(metadata)
    alike = len({night.minutes for night in nights}) == 1
    shown = (replace(night, minutes=None) if alike else night for night in nights)
    return {one.format_text(): short.format_text(locale.name) for one, short in zip(nights, shown, strict=True)}


def pairs_words(metadata: Metadata, locale: Language) -> str:
    """The pairs of the nights that a comparison is of, empty for another result."""
    return next((night.pairs_text(locale.name) for night in compared_nights_of(metadata)), "")


def label(row: Row, metadata: Metadata, locale: Language) -> str:
    """What a number is of, with the pair and its policy where it is about one."""
    if row["side"] == "all":
        return what(row, locale)
    return f"{what(row, locale)}, {_pair_one(metadata, locale)}"


def _pair_one(metadata: Metadata, locale: Language) -> str:
    policies = [player(night.pairs[0] or USUAL, locale, PLAY) for night in compared_nights_of(metadata)]
    return locale.say("pair 1 ({policy})", policy=policies[0]) if policies else locale.say("pair 1")


# ------------------------------------------------------------------------------------------------ sentences


def format_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    """How often the best pair wins in each format, the largest difference of that, and how long a night is."""
    names = format_names(metadata, locale)

    def each(quantity: str) -> str:
        rows = frame.filter(pl.col("kind") != "difference", quantity=quantity).iter_rows(named=True)
        return "; ".join(f"{names.get(row['rules'], row['rules'])} {number(row, locale)}" for row in rows)

    if wins := each("wins_night"):
        pair = _pair_one(metadata, locale)
        yield locale.say("Nights won by {pair}: {each}.", pair=pair, each=wins)
    yield _largest(frame, names, locale)
    if minutes := each("minutes"):
        yield locale.say("Minutes that a night takes: {each}.", each=minutes)
    elif hands := each("hands_played"):
        yield locale.say("Hands in a night: {each}.", each=hands)


def _largest(frame: pl.DataFrame, names: dict[str, str], locale: Language) -> str:
    """The largest difference in how often the best pair wins, and whether it is significant."""
    rows = frame.filter(quantity="wins_night", kind="difference").sort(
        pl.col("estimate").abs(), descending=True, maintain_order=True
    )
    if rows.is_empty():
        return ""
    row, base = rows.row(0, named=True), frame["rules"][0]
    formats = {"format": names.get(row["rules"], row["rules"]), "base": names.get(base, base)}
    if not is_significant(row):
        return locale.say("How often pair 1 wins does not differ significantly from {base} (Holm, 5%).",
                          base=formats["base"])  # fmt: skip
    sentence = "In {format} pair 1 wins {n} of the nights more than in {base}." if row["estimate"] > 0 else (
        "In {format} pair 1 wins {n} of the nights less than in {base}.")  # fmt: skip
    return locale.say(sentence, n=without_sign(row, locale), **formats)


def pairs_limits(metadata: Metadata, locale: Language) -> Iterator[str]:
    """For whom a comparison of formats holds, and what it does not show."""
    yield locale.say("It holds under these rules, {rules}, and for these pairs: {pairs}.",
                     rules=rules_sentence(metadata, locale), pairs=pairs_words(metadata, locale))  # fmt: skip
    cards = locale.say("Two pairs that meet get the same cards in every format.")
    yield f"{cards} {locale.say('It does not show how other pairs would do.')}"
