"""What stands in a cell of a table for readers: numbers, what they are of, plays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...core.numerals import effect, level
from .labels import NAMES, lower
from .locale import Language
from .quantity_names import IN_PERCENT, QUANTITIES

Row = Mapping[str, Any]
Cells = tuple[dict[str, str], str, str]
"""What a line is about, by heading; the heading of a number of it; the number."""

LONGEST_FRACTION = 24
"""Characters of a fraction that a reader is shown."""

DIFFERENCES = ("difference", "interaction")


def number(row: Row, locale: Language) -> str:
    """A number with half its interval, in percent where it is a share; what was never or always seen with its bound."""
    kind, value = str(row["kind"]), float(row["estimate"])
    exact = row.get("exact") is not None
    share = kind in ("probability", "share") or (kind in DIFFERENCES and row["quantity"] in IN_PERCENT)
    scale, unit = (100.0, "%") if share else (1.0, "")
    if exact:
        return locale.percent(value) if share else locale.numerals(f"{value:.6g}")
    if kind in DIFFERENCES:
        text = effect(row, scale, unit)
        return locale.say(text) if text[0].isalpha() else locale.numerals(text).replace("-", "−")
    low, high = row["ci_low"], row["ci_high"]
    if low is None or high is None or low == high:
        return locale.percent(value) if share else locale.numerals(level(row)).replace("-", "−")
    if kind == "quantile":
        return locale.numerals(f"{value:g} ({low:g}–{high:g})")
    if value == 0 <= low and math.isfinite(high):
        most = locale.percent(_up(high)) if share else locale.numerals(f"{_up(high):.2g}")
        return locale.say("none seen (at most {p})", p=most)
    if share and value == 1:
        return locale.say("all seen (at least {p})", p=locale.percent(_down(low)))
    half = (high - low) / 2
    if share and half > min(value, 1 - value):  # ± would go beyond what there is
        ends = "–".join(locale.percent(end).removesuffix("%") for end in (low, high))
        return f"{locale.percent(value)} ({ends}%)"
    return locale.numerals(level(row, scale, unit)).replace("-", "−")


def _up(p: float) -> float:
    """A bound with two figures, not below it."""
    step = 10.0 ** (math.floor(math.log10(p)) - 1) if p > 0 else 1.0
    return round(math.ceil(p / step - 1e-9) * step, 12)


def _down(p: float) -> float:
    """A bound with three figures, or two of what it leaves out, not above it."""
    return math.floor(1000 * p) / 1000 if p < 0.99 else 1 - _up(1 - p)


def odds(row: Row, locale: Language) -> str:
    """A chance as odds."""
    return locale.odds(row["estimate"], row.get("exact") is not None) if row["kind"] in ("probability", "share") else ""


def fraction(row: Row) -> str:
    exact = row.get("exact") or ""
    return exact if len(exact) <= LONGEST_FRACTION else ""


def what(row: Row, locale: Language) -> str:
    """What a row is about: a quantity, or a question as it was asked."""
    share, quantile, of = str(row["quantity"]).partition(" quantile of ")
    if quantile:
        return locale.say("{share} quantile of {number}", share=share, number=of)
    number = str(row["quantity"]).removeprefix("mean of ")
    if number != row["quantity"]:
        return locale.say("mean of {number}", number=number)
    point = NAMES.get(str(row["quantity"]).replace("makes_", "points_")) if number.startswith("makes_") else None
    if point:  # of a play that is judged
        return locale.say("We make: {point}", point=lower(locale.say(point)))
    return locale.say(QUANTITIES.get(str(row["quantity"]), str(row["quantity"])))


def play(text: str, locale: Language) -> str:
    """A play as advice names it: what takes what, or a card that is left."""
    card, takes, taken = text.partition(" takes ")
    if takes:
        return locale.say("{card} takes {taken}", card=card, taken=taken)
    return locale.say("leave {card}", card=text.removeprefix("leave "))
