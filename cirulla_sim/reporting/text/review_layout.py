"""Hands reviewed by the coach, for readers: a table, and sentences."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ...core.locale import Language
from .cells import Cells, Row, minus, number_cell, play, what
from .labels import Metadata, capital, lower, player, rules_of, rules_sentence, side_names

MOST_SIDES = 3
"""Sides beside which sentences name players, too."""


def review(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line a side or seat of every hand and stage, parts of the margin beside one another; plays that lose for sure.

    All in whole hundredths, so that they are seen to add up.
    """
    several = frame["hand"].n_unique() > 1
    for row in frame.iter_rows(named=True):
        nothing = row["kind"] == "part" and row["stage"] is not None and not row["estimate"]
        if nothing or (row["play"] is not None and row["remark"] is None):
            continue
        hand = "" if row["hand"] is None else str(row["hand"])
        about = {**({"Hand": hand or locale.say("all hands")} if several else {}), 
                 "Who": _who(row, metadata, locale), "When": _when(row, locale)}  # fmt: skip
        yield about, what(row, locale), number_cell(row, locale, hundredths)
        if row["remark"] and row["play"] is not None:
            yield about, "Better", play(row["remark"], locale)
        elif row["remark"]:
            yield about, "Loses as much as", grade(row["remark"], locale)


def hundredths(row: Row, locale: Language) -> str:
    """A number of a review with half its interval where it has one; parts of a margin are signed."""
    half = 0.0 if row["ci_low"] is None else (row["ci_high"] - row["ci_low"]) / 2
    text = f"{row['estimate']:{'+' if row['kind'] == 'part' else ''}.2f}" + (f" ± {half:.2f}" if half else "")
    return minus(locale.numerals(text))


def _who(row: Row, metadata: Metadata, locale: Language) -> str:
    """Who a number of a review is of: a side, or a seat."""
    if row["kind"] == "part" and "others" in (row["side"], *sides_of_pairs(metadata)):
        return lower(side_names(metadata, locale, policies=False)[row["side"]])
    return locale.say(row["side"])


def sides_of_pairs(metadata: Metadata) -> tuple[str, ...]:
    """The sides where two play together."""
    rules = rules_of(metadata)
    return ("others", "dealer") if rules is not None and rules.fields.partnership else ()


def grade(text: str, locale: Language) -> str:
    """Whose losses are as large: a player, or from one to another."""
    least, to, most = text.partition(" to ")
    name = player(least, locale)
    return locale.say("{one} to {other}", one=name, other=player(most, locale)) if to else name


def _when(row: Row, locale: Language) -> str:
    if row["play"] is not None:
        return locale.say("play {n}", n=row["play"])
    if row["stage"] is None:
        return locale.say("in all")
    return locale.say("stage {n}", n=row["stage"]) if row["stage"] else locale.say("the table")


def review_findings(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    """What the margin of every side is made of, in the last hand or in all, and what the players lost."""
    hand = frame["hand"][-1]
    rows = frame.filter(pl.col("hand").eq_missing(hand), pl.col("stage").is_null(), pl.col("play").is_null())
    sides = rows.filter(quantity="margin").to_dicts()
    for of_side in sides:
        side = of_side["side"]
        parts = {row["quantity"]: hundredths(row, locale) for row in rows.filter(side=side).iter_rows(named=True)}
        yield locale.say(
            "{side}: a margin of {margin} points: {dealt} start and luck, {own} own errors, {others} others’ errors, "
            "{lay} how the cards lay.",
            side=capital(_who(of_side, metadata, locale)), margin=parts["margin"], dealt=parts["dealt"],
            own=parts["own_errors"], others=parts["others_errors"], lay=parts["cards_lay"],
        )  # fmt: skip
    rates = [
        f"{_who(row, metadata, locale)} {hundredths(row, locale)} ({grade(row['remark'], locale)})"
        for row in rows.filter(quantity="lost_a_choice").iter_rows(named=True)
    ]
    if rates and len(sides) <= MOST_SIDES:
        yield locale.say("Points lost a choice, and who loses as much: {rates}.", rates=", ".join(rates))


def review_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    """For whom a review holds."""
    yield locale.say("It holds under these rules, {rules}.", rules=rules_sentence(metadata, locale))
    yield locale.say("It does not show what the plays are worth against players who do not go on as careful.")
