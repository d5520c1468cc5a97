"""How likely is what the first deal brings: exact odds as a result table, and as words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from ..core.version import VERSION
from ..exact.constrained import deal_metadata
from ..exact.first_deal import first_deal_odds
from ..ruleset.presets import command_words
from ..ruleset.rules_model import Rules
from ..situation.constraints import Known
from ..storage.tables import empty_row, table
from .question import Question

SCHEMA = "odds/2"

FIRST_DEAL = "the first deal"
"""What is told to have been asked of where nothing is asked: the trial in the metadata."""


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


def question_words(question: Question, more: Sequence[str] = (), others: Sequence[str] = ()) -> list[str]:
    """The words of a command that ask a question, and ``others`` of the same subject beside it."""
    asked = {"given": question.given, "by": question.by} | dict([question.number] if question.number else [])
    options = [word for name, text in asked.items() if text is not None for word in (f"--{name}", text)]
    texts = [] if question.asked is None else [question.asked, *others]
    return [*texts, "--of", question.of, *options, *more]


def metadata(
    rules: Rules,
    preset: str,
    question: Sequence[str] = (),
    hands: int | None = None,
    seed: int | None = None,
    policies: Sequence[str] = (),
    stopped: str = "hands",
    known: Known | None = None,
) -> dict[str, Any]:
    """How the odds were made: the contract's object for the file; ``hands`` and ``seed`` of what was simulated."""
    return {
        "version": VERSION,
        "command": shlex.join(["cirulla-sim", "odds", *question, *command_words(rules, preset)]),
        "preset": preset,
        "rules": asdict(rules),
        "policies": list(policies),
        "players": rules.players,
        "seed": seed,
        "hands": hands,
        "stopped": stopped if hands else None,
        "schema": SCHEMA,
        **deal_metadata(known, rules),
    }
