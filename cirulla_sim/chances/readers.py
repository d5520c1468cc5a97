"""Answers as a player reads them."""

from __future__ import annotations

from typing import Any

import polars as pl

from ..kept import decimal, digits, interval, one_in

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


def for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """The odds as a player reads them: what happens, out of what, fraction, decimal and "1 in n"."""
    rows = [
        {
            "quantity": row["quantity"],
            "what": MEANING[row["quantity"]],
            "per": _TRIAL[row["per"]],
            "exact": row["exact"],
            "decimal": f"{row['estimate']:.6f}",
            "odds": one_in(row["estimate"]) if row["kind"] == "probability" else "on average",
        }
        for row in frame.to_dicts()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("quantity", "what", "per", "exact", "decimal", "odds"), pl.String))


def answers_for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """The answer to a question as a player reads it: the value of each group, fraction, decimal, "1 in n".

    A simulated answer shows its 95% interval instead of the fraction; one that was checked shows both.
    """
    rows = []
    for row in frame.to_dicts():
        exact = row["exact"] is not None
        estimate = decimal(row["estimate"]) if exact else digits(row["estimate"], row["std_error"])
        shown = {"question": row["quantity"], "per": row["per"], "value": row["value"]}
        shown |= {"exact": row["exact"], "decimal": estimate}
        if not exact:
            shown["95% interval"] = interval(row["ci_low"], row["ci_high"])
            shown["deals"] = f"{row['n']:_}"
        shown["odds"] = one_in(row["estimate"]) if row["kind"] == "probability" else "on average"
        if "simulated" in row:
            shown |= check_for_readers(row)
        rows.append(shown)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    answers = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))
    return answers.select(name for name in columns if name in _ALWAYS or answers[name].null_count() < answers.height)


_ALWAYS = ("question", "per", "exact", "decimal", "odds")


def check_for_readers(row: dict[str, Any]) -> dict[str, str]:
    """What was simulated beside an exact answer, a row of ``questions.checked``, as a player reads it."""
    if row["simulated"] is None:
        return {"simulated": "never seen", "95% interval": "", "difference": ""}
    low, high = row["simulated_low"], row["simulated_high"]
    return {
        "simulated": digits(row["simulated"], (high - low) / 4),
        "95% interval": interval(low, high),
        "difference": f"{row['difference']:+.2f} standard errors",
    }
