"""What stands in a cell of a table for readers: numbers, what they are of, plays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ...core.cards import in_language
from ...core.locale import Language
from ...core.numerals import column_places, effect, fixed, level
from ...stats.decisions import LEVEL, p_value
from .labels import QUANTITIES, UNITS, WORDS

Row = Mapping[str, Any]


@dataclass(frozen=True)
class NumberCell:
    """The numbers of a cell by ``NUMBERS``, for spreadsheets; ``""`` is the number itself.

    Readers see its ``text``, or the number of its ``row`` with the decimals of its column.
    """

    text: str
    numbers: Mapping[str, float | None]
    unit: str = ""
    row: Row | None = None
    marks: bool = True
    """Whether parentheses mark what is not significant."""


NUMBERS = ("", "95% from", "95% to", "of", "adjusted p")
"""What the numbers of a cell may be, in the order of their columns."""

Cells = tuple[dict[str, str], str, str | NumberCell]
"""What a line is about, by heading; the heading of a cell of it; the cell."""

LONG_NUMBER = 12
"""Digits of a number that a reader is shown whole."""

UNEVEN = 0.6
"""An interval is printed by its ends if the nearer end is closer to the estimate than this share of its half-width, or
if ± would suggest negative values of what has none."""

DIFFERENCES = ("difference", "probability difference", "interaction")

SIGNED = ("margin", "margin_less_luck", "strength")
"""Quantities that are differences themselves, and so have a sign."""


def number(row: Row, locale: Language, places: int | None = None) -> str:
    """A number with half its interval, in percent where it is a share; what was never or always seen with its bound.

    It has so many decimals as its own interval asks for, or ``places``, as other numbers beside it.

    >>> from cirulla_sim.core.locale import language
    >>> row = {"quantity": "games_until_ahead", "kind": "mean", "estimate": 41, "ci_low": 35, "ci_high": 49}
    >>> number(row | {"std_error": None}, language("en"))
    '41 (35–49)'
    """
    share = is_share(row)
    scale, unit = (100.0, "%") if share else (1.0, "")
    value, low, high = float(row["estimate"]), row["ci_low"], row["ci_high"]
    exact = row.get("exact") is not None
    if row["kind"] in DIFFERENCES and (value or not exact):
        text = f"{scale * value:+.6g}" if exact else effect(row, scale, places=places)
        points = f" {locale.say('pp')}" if share and text != "0" else ""
        return locale.say("no difference") if text[0].isalpha() else numeral(text, locale) + points
    if exact:
        unit = f" {locale.say('pp')}" if share and row["kind"] in DIFFERENCES else unit
        return numeral(fixed(scale * value, places) + unit, locale)
    if (extreme := WORDS["extremes"].get(row["kind"])) and row["n"] is not None:
        return locale.say(extreme, n=numeral(level(row), locale), all=locale.numerals(f"{row['n']:,}"))
    if row.get("quantity") == "points_settebello" and row.get("side") == "all" and value == 1 and low is not None:
        return locale.say("{n}, always", n=1)  # somebody takes it in every hand
    if low is None or high is None or low == high:
        return share_text(value, locale, places) if share else numeral(level(row, places=places), locale)
    if row["kind"] == "quantile" and high == math.inf:
        return numeral(locale.say("{value} (at least {low})", value=f"{value:g}", low=f"{low:g}"), locale)
    if row["kind"] == "quantile" or row.get("std_error", 0) is None:  # an interval that is uneven by its nature
        return numeral(f"{value:g} ({low:g}–{high:g})", locale)
    if value == 0 <= low and math.isfinite(high):
        most = locale.percent(_up(high)) if share else locale.numerals(f"{_up(high):.12f}".rstrip("0"))
        return locale.say("none seen (at most {p})", p=most)
    if share and value == 1:
        bound = math.floor(1000 * low) / 1000 if low < 0.99 else 1 - _up(1 - low)
        return locale.say("all seen (at least {p})", p=locale.percent(bound))
    half = (high - low) / 2
    if share and half > min(value, 1 - value):  # ± would go beyond what there is
        ends = "–".join(share_text(end, locale, places).removesuffix("%") for end in (low, high))
        return f"{share_text(value, locale, places)} ({ends}%)"
    uneven = min(value - low, high - value) < UNEVEN * half or value - half < 0 <= low
    if row["kind"] == "mean" and uneven and half < math.inf:
        own = level(row, places=places).partition(" ")[0]
        ends = "–".join(fixed(end, len(own.partition(".")[2])) for end in (low, high))
        return numeral(f"{own} ({ends})", locale)
    return numeral(level(row, scale, unit, places), locale)


def share_text(p: float, locale: Language, places: int | None = None) -> str:
    """A share with so many decimals, or as many as it asks for by itself."""
    return locale.percent(p) if places is None else locale.numerals(f"{fixed(100 * p, places)}%")


def is_significant(row: Row) -> bool:
    """Whether a difference is significant after the correction for all of its table; one without a test is certain."""
    p = p_value(row)
    if p is None:
        return bool(row["estimate"]) and row["std_error"] is not None and math.isfinite(row["std_error"])
    return p <= LEVEL


def marked(row: Row, locale: Language, places: int | None = None) -> str:
    """A number, in parentheses if it was tested and is not significant; ``none seen`` says so itself."""
    text = number(row, locale, places)
    return text if p_value(row) is None or is_significant(row) or text[0].isalpha() else f"({text})"


def in_columns(every: Iterable[Cells], locale: Language) -> Iterator[tuple[dict[str, str], str, str]]:
    """Cells as texts: numbers below one heading that have one unit have as many decimals; differences have theirs.

    >>> from cirulla_sim.core.locale import language
    >>> named = ("quantity", "kind", "estimate", "ci_low", "ci_high")
    >>> shares = (("wins_game", "share", 0.165, 0.164, 0.166), ("wins_game", "share", 0.4, 0.39, 0.41))
    >>> rows = [dict(zip(named, share, strict=True)) for share in shares]
    >>> cells = [({}, "All", number_cell(row)) for row in rows]
    >>> [text for _, _, text in in_columns(cells, language("en"))]
    ['16.5 ± 0.1%', '40.0 ± 1.0%']
    """
    cells, columns = list(every), dict[tuple[str, str, bool], list[Row]]()
    for _, heading, cell in cells:
        if isinstance(cell, NumberCell) and cell.row is not None:
            columns.setdefault((heading, *_alike(cell.row)), []).append(cell.row)
    places = {key: column_places(rows, 100 if key[1] == "share" else 1) for key, rows in columns.items()}
    for about, heading, cell in cells:
        if isinstance(cell, str) or cell.row is None:
            yield about, heading, cell if isinstance(cell, str) else cell.text
        else:
            own = cell.row["kind"] in (*WORDS["extremes"], "quantile")  # their decimals are their own
            digits = None if own else places[heading, *_alike(cell.row)]
            yield about, heading, (marked if cell.marks else number)(cell.row, locale, digits)


def _alike(row: Row) -> tuple[str, bool]:
    """The unit of a number, and whether it is a difference: numbers that are alike have as many decimals."""
    quantity = str(row["quantity"])
    unit = UNITS.get(quantity, quantity if quantity in QUANTITIES else "")
    unit = "share" if is_share(row) else "point" if quantity.startswith("points_") else unit
    return unit, row["kind"] in DIFFERENCES


def number_cell(row: Row, marks: bool = True) -> NumberCell:
    """A number with the ends of its interval and, where it was tested, its adjusted p.

    >>> row = {"quantity": "knock", "kind": "probability", "estimate": 0.25, "ci_low": 0.2, "ci_high": 0.3, "n": 300}
    >>> cell = number_cell(row)
    >>> cell.unit, dict(cell.numbers)
    ('%', {'': 25.0, '95% from': 20.0, '95% to': 30.0})
    """
    share = is_share(row)
    change = row["kind"] in DIFFERENCES
    scale, unit = (100.0, "pp" if change else "%") if share else (1.0, "difference" if change else "")
    low, high = row["ci_low"], row["ci_high"]
    numbers: dict[str, float | None] = {"": scale * row["estimate"]}
    if row["kind"] in WORDS["extremes"] and row["n"] is not None:
        numbers["of"] = row["n"]
    elif row.get("exact") is None and None not in (low, high) and low != high:
        numbers |= {"95% from": scale * low, "95% to": scale * high}
    p = p_value(row)
    return NumberCell("", numbers | ({} if p is None else {"adjusted p": p}), unit, row, marks)


def first_row(frame: pl.DataFrame, quantity: str, **where: Any) -> Row | None:
    """The first row of a quantity that is no part of a distribution, or None."""
    rows = frame.filter(pl.col("value").is_null(), quantity=quantity, **where)
    return rows.row(0, named=True) if rows.height else None


def is_share(row: Row) -> bool:
    """Whether a number is shown in percent."""
    if row["kind"] not in DIFFERENCES:
        return row["kind"] in ("probability", "share")
    of_games = row["quantity"] == "behind" and row["per"] == "game"
    return of_games or row["kind"] == "probability difference" or UNITS.get(row["quantity"]) == "share"


def negate(row: Row) -> Row:
    """A difference with its sign turned."""
    return {**row, "estimate": -row["estimate"], "ci_low": -row["ci_high"], "ci_high": -row["ci_low"]}


def numeral(text: str, locale: Language) -> str:
    """A number as a language writes it, with a minus sign for its hyphen."""
    return locale.numerals(text).replace("-", "−")


def _up(p: float) -> float:
    """A bound with two figures, not below it."""
    step = 10.0 ** (math.floor(math.log10(p)) - 1) if p > 0 else 1.0
    return round(math.ceil(p / step - 1e-9) * step, 12)


def value_text(text: str, locale: Language) -> str:
    """A value of a distribution, or a difference of two."""
    each = (numeral(part, locale) if _NUMBER.fullmatch(part) else locale.say(part) for part in text.split(" − "))
    return " − ".join(each)


_NUMBER = re.compile(r"-?[\d.]+(e[+-]\d+)?")


_PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['advice'], key=len, reverse=True))})\b")


def reason_text(text: str, locale: Language) -> str:
    """Why a choice is good, as advice says it in its file: each of its phrases in a language.

    >>> from cirulla_sim.core.locale import language
    >>> reason_text("into the pile: 2 diamonds, 1 other card; leaves 12, swept by 3 or 4", language("it"))
    'nel mazzetto: 2 denari, 1 altra carta; lascia 12, fa scopa chi ha 3 o 4'
    """
    return in_language(_PHRASE.sub(lambda phrase: locale.say(phrase[0]), text), locale.name)
