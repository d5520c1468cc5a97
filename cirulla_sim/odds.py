"""How likely is what the first deal brings: exact odds as a result table, and as words."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import polars as pl

from . import __version__
from .exact.first_deal import first_deal_odds
from .questions import Question
from .rules import Rules, command_words
from .tables import UNKNOWN, empty_row, table

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
    """The answer to a question as a player reads it: the value of each group, fraction, decimal, "1 in n".

    A simulated answer shows its 95% interval instead of the fraction; one that was checked shows both.
    """
    rows = []
    for row in frame.to_dicts():
        exact = row["exact"] is not None
        estimate = decimal(row["estimate"]) if exact else _digits(row["estimate"], row["std_error"])
        shown = {"question": row["quantity"], "per": row["per"], "value": row["value"]}
        shown |= {"exact": row["exact"], "decimal": estimate}
        if not exact:
            shown["95% interval"] = _interval(row["estimate"], row["ci_low"], row["ci_high"])
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
        "simulated": _digits(row["simulated"], (high - low) / 4),
        "95% interval": _interval(row["simulated"], low, high),
        "difference": f"{row['difference']:+.2f} standard errors",
    }


def _digits(number: float, error: float | None) -> str:
    """A number with two figures of its error."""
    if not error or not math.isfinite(error):
        return f"{number:.6f}"
    return f"{number:.{min(9, max(0, 1 - math.floor(math.log10(error))))}f}"


def decimal(number: float) -> str:
    """A number: six decimals, or three figures of what is less than that."""
    return f"{number:.6f}" if abs(number) >= 1e-4 or not number else f"{number:.3g}"


def _interval(number: float, low: float, high: float) -> str:
    error = (high - low) / 4
    if not math.isfinite(error):
        return UNKNOWN
    return f"{_digits(low, error)} to {_digits(high, error)}"


def question_words(question: Question, more: Sequence[str] = ()) -> list[str]:
    """The words of a command that ask a question."""
    asked = {"given": question.given, "by": question.by, "mean": question.mean}
    options = [word for name, text in asked.items() if text is not None for word in (f"--{name}", text)]
    return [*([question.text] if question.text is not None else []), "--of", question.of, *options, *more]


def metadata(
    rules: Rules, preset: str, question: Sequence[str] = (), hands: int | None = None, seed: int | None = None
) -> dict[str, Any]:
    """How the odds were made: the contract's object for the file; ``hands`` and ``seed`` of what was simulated."""
    return {
        "version": __version__,
        "command": shlex.join(["cirulla-sim", "odds", *question, *command_words(rules, preset)]),
        "preset": preset,
        "rules": asdict(rules),
        "policies": [],
        "players": rules.players,
        "seed": seed,
        "hands": hands,
        "stopped": "hands" if hands else None,
        "schema": SCHEMA,
    }


def one_in(p: float | Fraction) -> str:
    """A probability as odds with three figures: ``1 in 14.3``; ``never`` and ``always`` at the ends.

    Raises ``ValueError`` for a number that is no probability.

    >>> one_in(Fraction(47, 4940)), one_in(0.5), one_in(1 / 9880), one_in(0), one_in(Fraction(2469, 2470))
    ('1 in 105', '1 in 2', '1 in 9,880', 'never', 'all but 1 in 2,470')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is not a probability (valid: 0 to 1)")
    if p in (0, 1):
        return "always" if p else "never"
    trials = float(f"{1 / float(p):.3g}")
    if trials == 1:
        return f"all but {one_in(1 - p)}"
    return f"1 in {trials:,.0f}" if trials >= 100 else f"1 in {trials:g}"
