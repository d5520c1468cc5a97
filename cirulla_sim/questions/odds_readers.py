"""Answers as a player reads them: percent and "1 in n" first, then the fraction, and below what was asked of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from ..core.numerals import digits, interval, one_in, percent
from ..reporting.result import beside

MEANING = {
    "hand_low": "barsega: three cards held total 9 or less",
    "hand_low_no_ace": "boña di misci: a barsega without an ace",
    "hand_triple": "barsegon: three equal cards held",
    "knock": "any bonus for three cards held",
    "points_hand_bonus": "points for three cards held",
    "misdeal": "a table dealt is a misdeal",
    "misdeals_in_a_row": "so many misdeals in a row that the dealer loses",
    "table_wins": "four equal cards on the table win the game",
    "table_15": "the table totals 15",
    "table_30": "the table totals 30",
    "table_low": "the table totals 9 or less",
    "points_table_bonus": "points for the table, to the dealer",
}
_TRIAL = {"holding": "three cards held", "table": "table dealt, misdeals too", "hand": "table played"}

LONG = 12
"""Digits of a number that the screen shows whole."""

BAR = 40
"""Characters of the longest bar."""

WIDE = 80
"""Characters of a question that the screen shows."""

ROWS = 200
"""Rows of an answer that the screen shows; the file has all."""


def for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """The odds as a player reads them: what happens, out of what, percent, "1 in n" and fraction."""
    rows = [
        {
            "quantity": row["quantity"],
            "what": MEANING[row["quantity"]],
            "per": _TRIAL[row["per"]],
            "answer": _number(row),
            "odds": one_in(row["estimate"]) if row["kind"] == "probability" else "on average",
            "exact": fraction(row["exact"]),
        }
        for row in frame.to_dicts()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("quantity", "what", "per", "answer", "odds", "exact"), pl.String))


def caption(made: Mapping[str, Any]) -> str:
    """The line below an answer: what it is of, and for whom it holds."""
    said = beside(made)
    so = f" with {made['deal']!r}" if made.get("deal") else ""
    of = f"Of {said['trial']}{so}; " if said.get("trial") else ""
    players = f"{said['players']} players" + (f" ({said['policy']})" if said["policy"] else "")
    how = f"{made['hands']:,} of seed {made['seed']}" if made["hands"] else "counted"
    return f"{of}{said['rules']}, {players}, {how}."


def answers_for_readers(frame: pl.DataFrame, bars: bool = False) -> pl.DataFrame:
    """The answers to questions as a player reads them, a row a value: percent, "1 in n", fraction or interval.

    Where an answer is split the column of values is called by what it is split by, and ``joint`` says how often a row
    comes about among all, ``bars`` draw them. One that was checked shows what was simulated too.
    """
    rows = frame.head(ROWS).to_dicts()
    names = {"probability": "chance", "mean": "mean", "quantile": "value"}
    kinds = {row["kind"] for row in rows}
    answer = names[kinds.pop()] if len(kinds) == 1 else "answer"
    by = (frame["by"][0] if "by" in frame.columns else None) or "value"
    split = any(row.get("joint") not in (None, row["estimate"]) for row in rows)
    largest = max((row["estimate"] for row in rows), default=0)
    shown = []
    for row in rows:
        cells = {"question": _short(row["quantity"]), by: row["value"], answer: _number(row)}
        if row["exact"] is None:
            cells["95% interval"] = _interval(row)
        if row["kind"] == "probability":
            cells["odds"] = one_in(row["estimate"]) if row["exact"] is not None else _odds(row)
        cells |= {"exact": fraction(row["exact"])} if row["exact"] is not None else {"seen": _seen(row)}
        if split:
            cells["joint"] = percent(row["joint"])
        if "simulated" in row:
            cells |= check_for_readers(row)
        if bars:
            cells[""] = "█" * round(BAR * row["estimate"] / largest)
        shown.append(cells)
    columns = list(dict.fromkeys(name for cells in shown for name in cells))
    answers = pl.DataFrame(shown, schema=dict.fromkeys(columns, pl.String))
    return answers.select(name for name in columns if name != by or answers[name].null_count() < answers.height)


def _short(question: str) -> str:
    return question if len(question) <= WIDE else f"{question[:WIDE]}..."


def fraction(exact: str) -> str:
    """A fraction that fits a screen: of long numbers the first and the last digits.

    >>> fraction("259/2470"), fraction("1998313159267630436169321/10157720756002705197812500")
    ('259/2470', '19983…69321/10157…12500')
    """
    return re.sub(rf"(\d{{5}})\d{{{LONG - 9},}}(\d{{5}})", r"\1…\2", exact)


def _number(row: dict[str, Any]) -> str:
    """The estimate, with two figures of its error."""
    error = None if row["exact"] is not None else row["std_error"] or (row["ci_high"] - row["ci_low"]) / 4
    if row["kind"] == "probability":
        return percent(row["estimate"], error)
    if row["kind"] == "quantile":
        return f"{row['estimate']:g}"
    return f"{row['estimate']:.6g}" if error is None else digits(row["estimate"], error)


def _interval(row: dict[str, Any]) -> str:
    low, high = row["ci_low"], row["ci_high"]
    if row["kind"] == "quantile":
        return f"{low:g} to {high:g}"
    return interval(low, high) if row["kind"] == "mean" else f"{interval(100 * low, 100 * high)}%"


def _odds(row: dict[str, Any]) -> str:
    """Odds of an estimate, which is never sure."""
    if row["estimate"] in (0, 1):
        return f"{'none' if row['estimate'] == 0 else 'all'} seen"
    return one_in(row["estimate"])


def _seen(row: dict[str, Any]) -> str:
    """What was seen, out of how many."""
    if row["kind"] != "probability":
        return f"{row['n']:,}"
    return f"{round((row.get('of_one') or row['estimate']) * row['n']):,} of {row['n']:,}"


def check_for_readers(row: dict[str, Any]) -> dict[str, str]:
    """What was simulated beside an exact answer, a row of ``questions.checked``, as a player reads it."""
    if row["simulated"] is None:
        return {"simulated": "none seen", "95% interval": "", "difference": ""}
    low, high, error = row["simulated_low"], row["simulated_high"], (row["simulated_high"] - row["simulated_low"]) / 4
    chance = row["kind"] == "probability"
    return {
        "simulated": percent(row["simulated"], error) if chance else digits(row["simulated"], error),
        "95% interval": f"{interval(100 * low, 100 * high)}%" if chance else interval(low, high),
        "difference": f"{row['difference']:+.2f} standard errors",
    }
