"""How likely is what the first deal brings: exact odds as a result table, and as words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import polars as pl

from . import __version__
from .exact.first_deal import first_deal_odds
from .rules import Rules, command_words
from .tables import empty_row, table

SCHEMA = "odds/1"

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


def first_deal(rules: Rules) -> pl.DataFrame:
    """The exact odds of the first deal, one row a quantity (see ``tables``): fractions, decimals, no error."""
    rows = []
    for odds in first_deal_odds(rules):
        p = float(odds.exact)
        exact = {"estimate": p, "std_error": 0.0, "ci_low": p, "ci_high": p, "exact": str(odds.exact)}
        rows.append(
            empty_row() | {"quantity": odds.quantity, "per": odds.per, "side": "all", "kind": odds.kind} | exact
        )
    return table(rows)


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
    """The answer to a question as a player reads it: the value of each group, fraction, decimal, "1 in n"."""
    rows = [
        {
            "question": row["quantity"],
            "per": row["per"],
            "value": row["value"],
            "exact": row["exact"],
            "decimal": f"{row['estimate']:.6f}",
            "odds": one_in(row["estimate"]) if row["kind"] == "probability" else "on average",
        }
        for row in frame.to_dicts()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("question", "per", "value", "exact", "decimal", "odds"), pl.String))


def question_words(question: str | None, of: str, asked: dict[str, str | None]) -> list[str]:
    """The words of a command that ask a question; none for the odds of the first deal."""
    options = [word for name, text in asked.items() if text is not None for word in (f"--{name}", text)]
    if question is None and not options:
        return []
    return [*([question] if question is not None else []), "--of", of, *options]


def metadata(rules: Rules, preset: str, question: Sequence[str] = ()) -> dict[str, Any]:
    """How the odds were made: the contract's object for the file."""
    return {
        "version": __version__,
        "command": shlex.join(["cirulla-sim", "odds", *question, *command_words(rules, preset)]),
        "preset": preset,
        "rules": asdict(rules),
        "policies": [],
        "players": rules.players,
        "seed": None,
        "hands": None,
        "stopped": None,
        "schema": SCHEMA,
    }


def one_in(p: float | Fraction) -> str:
    """A probability as odds with three figures: ``1 in 14.3``; ``never`` and ``always`` at the ends.

    Raises ``ValueError`` for a number that is no probability.

    >>> one_in(Fraction(47, 4940)), one_in(0.5), one_in(1 / 9880), one_in(0)
    ('1 in 105', '1 in 2', '1 in 9,880', 'never')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is not a probability (valid: 0 to 1)")
    if p in (0, 1):
        return "always" if p else "never"
    trials = float(f"{1 / float(p):.3g}")
    return f"1 in {trials:,.0f}" if trials >= 100 else f"1 in {trials:g}"
