"""Hands gone through with the coach, for readers: a table, and sentences."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from .cells import Cells, Row, play, what
from .labels import Metadata, player
from .locale import Language

MOST_SIDES = 3
"""Sides beside which sentences tell players, too."""


def cells_of_review(frame: pl.DataFrame, made: Metadata, into: Language) -> Iterator[Cells]:
    """A line a side or seat of every hand and stage, parts of the margin beside one another; plays that lose for sure.

    All in whole hundredths, so that they are seen to add up.
    """
    several = frame["hand"].n_unique() > 1
    for row in frame.iter_rows(named=True):
        nothing = row["kind"] == "part" and row["stage"] is not None and not row["estimate"]
        if nothing or (row["play"] is not None and row["remark"] is None):
            continue
        hand = "" if row["hand"] is None else str(row["hand"])
        about = {**({"Hand": hand or into.say("all hands")} if several else {}), "Who": reviewed(row["side"], into),
                 "When": _when(row, into)}  # fmt: skip
        yield about, what(row, into), hundredths(row, into)
        if row["remark"] and row["play"] is not None:
            yield about, "Better", play(row["remark"], into)
        elif row["remark"]:
            yield about, "Loses as much as", grade(row["remark"], into)


def hundredths(row: Row, into: Language) -> str:
    """A number of a review with half its interval where it has one; parts of a margin are signed."""
    half = 0.0 if row["ci_low"] is None else (row["ci_high"] - row["ci_low"]) / 2
    text = f"{row['estimate']:{'+' if row['kind'] == 'part' else ''}.2f}" + (f" ± {half:.2f}" if half else "")
    return into.numerals(text).replace("-", "−")


def reviewed(side: str, into: Language) -> str:
    """Who a number of a review is of: ``side0``, ``seat1`` as words."""
    return into.say("side {n}" if side.startswith("side") else "seat {n}", n=side[4:])


def grade(text: str, into: Language) -> str:
    """Whose losses are as large: a player, or from one to another."""
    one, to, other = text.partition(" to ")
    said = player(one, into)
    return into.say("{one} to {other}", one=said, other=player(other, into)) if to else said


def _when(row: Row, into: Language) -> str:
    if row["play"] is not None:
        return into.say("play {n}", n=row["play"])
    if row["stage"] is None:
        return into.say("in all")
    return into.say("stage {n}", n=row["stage"]) if row["stage"] else into.say("the table")


def review_in_words(frame: pl.DataFrame, rules: str, into: Language) -> Iterator[str]:
    """What the margin of every side is made of, in the last hand or in all, and what the players lost."""
    hand = frame["hand"][-1]
    rows = frame.filter(pl.col("hand").eq_missing(hand), pl.col("stage").is_null(), pl.col("play").is_null())
    sides = rows.filter(quantity="margin")["side"]
    for side in sides:
        parts = {row["quantity"]: hundredths(row, into) for row in rows.filter(side=side).iter_rows(named=True)}
        yield into.say(
            "{side}: a margin of {margin} points: {dealt} start and luck, {own} own errors, {others} others’ errors, "
            "{lay} how the cards lay.",
            side=_capital(reviewed(side, into)), margin=parts["margin"], dealt=parts["dealt"], own=parts["own_errors"],
            others=parts["others_errors"], lay=parts["cards_lay"],
        )  # fmt: skip
    rates = [
        f"{reviewed(row['side'], into)} {hundredths(row, into)} ({grade(row['remark'], into)})"
        for row in rows.filter(quantity="lost_a_choice").iter_rows(named=True)
    ]
    if rates and len(sides) <= MOST_SIDES:
        yield into.say("Points lost a choice, and who loses as much: {rates}.", rates=", ".join(rates))
    yield into.say("It holds under these rules, {rules}.", rules=rules)
    yield into.say("It does not show what the plays are worth against players who do not go on as careful.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
