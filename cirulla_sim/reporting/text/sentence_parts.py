"""What sentences on results are made of: rows, numbers without their sign, the rules, how much was played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from .cells import number
from .labels import Metadata, changed_words, how_much, play_words, rules_title
from .locale import Language

Row = Mapping[str, Any]
Sentences = Iterator[str]


def first_row(frame: pl.DataFrame, quantity: str, **where: Any) -> Row | None:
    """The first row of a quantity that is no part of a distribution, or None."""
    found = frame.filter(pl.col("value").is_null(), quantity=quantity, **where)
    return found.row(0, named=True) if found.height else None


def is_sure(row: Row) -> bool:
    """Whether a number is told from 0."""
    return row["std_error"] is not None and row["std_error"] < float("inf") and not row["ci_low"] <= 0 <= row["ci_high"]


def without_sign(row: Row, locale: Language) -> str:
    """A difference with its interval, without its sign."""
    if row["estimate"] >= 0:
        return number(row, locale).removeprefix("+")
    turned = {"estimate": -row["estimate"], "ci_low": -row["ci_high"], "ci_high": -row["ci_low"]}
    return number({**row, **turned}, locale).removeprefix("+")


def rules_said(metadata: Metadata, locale: Language) -> str:
    """The rules in a sentence, with what was changed in them."""
    changed = changed_words(metadata, locale).strip().rstrip(".")
    return f"{rules_title(metadata, locale)} ({changed})" if changed else rules_title(metadata, locale)


def sampled(metadata: Metadata, locale: Language) -> str:
    """How much was played, and what ± means."""
    return locale.say("What stands after ± is half a 95% interval, from {much}.", much=how_much(metadata, locale))


def holds(metadata: Metadata, locale: Language) -> str:
    players = play_words(metadata, locale)
    return locale.say("It holds under these rules, {rules}, and for these players: {players}.",
                    rules=rules_said(metadata, locale), players=players)  # fmt: skip
