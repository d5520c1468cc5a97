"""What comparing hands and comparing games share: rule sets on the same deals, and the rows of their table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import polars as pl

from ..errors import InputError
from ..kept import SCHEMA as COLUMNS
from ..kept import (
    Difference,
    Estimate,
    empty_row,
    holm,
)
from ..play import Experiment, playable
from ..rulebook import Rules, house_fields, house_names

TABLE = {"rules": pl.String, **COLUMNS, "gain": pl.Float64, "p_holm": pl.Float64}
"""Columns of the table: what the rules are called; the contract's; of differences, how many times wider the interval of
unpaired runs would be, and the chance of seeing such a difference if there were none, corrected by Holm's method for
all differences in the table."""


class Quantity(NamedTuple):
    """A number that every hand has, as the result table names it."""

    name: str
    per: str
    side: str
    kind: str


@dataclass(frozen=True)
class Comparison:
    """Rule sets compared with the first of them, how they are played, on how many hands, with which seed.

    ``rules`` maps what they are called to the rules. All play the hands 0 to ``hands - 1``; ``unpaired``, the first
    plays those and the others the next ``hands``, so that nothing is shared.

    Raises ``InputError`` if there is nothing to compare, if rules cannot be played or not by these policies, and if the
    number of seats differs and ``unpaired`` is not asked for.
    """

    rules: Mapping[str, Rules]
    policies: tuple[str, ...] = ("random",)
    hands: int = 1_000_000
    seed: int = 1
    unpaired: bool = False

    def __post_init__(self) -> None:
        if len(self.rules) < 2:
            raise InputError("there is nothing to compare with (valid: at least one rule set more)")
        base, *others = self.rules
        seats = self.rules[base].players
        for name in others:
            if self.rules[name].players != seats and not self.unpaired:
                raise InputError(
                    f"{name!r} has {self.rules[name].players} seats and {base!r} {seats}, so their deals cannot be "
                    "shared (valid: the same --players, or --unpaired)"
                )
        for name, rules in self.rules.items():
            try:
                playable(Experiment(rules, self.policies, self.hands, self.seed))
            except InputError as error:
                raise InputError(str(error) if name == base else f"{name}: {error}") from None

    @property
    def experiments(self) -> dict[str, Experiment]:
        """What is played under each rule set."""
        return {name: Experiment(rules, self.policies, self.hands, self.seed) for name, rules in self.rules.items()}


def house_rule(base: Rules, name: str) -> Rules:
    """A house rule on top of some rules; raises ``InputError`` for an unknown name."""
    return replace(base, **house_fields([name]))


def all_house_rules(base: Rules, policies: tuple[str, ...] = ("random",)) -> tuple[dict[str, Rules], dict[str, str]]:
    """Every house rule of the catalogue that these policies can play, on top of some rules, and why not the others.

    Raises ``InputError`` if the rules themselves cannot be played.
    """
    playable(Experiment(base, policies))
    variants, left_out = {}, {}
    for name in house_names():
        variant = house_rule(base, name)
        if variant == base:
            left_out[name] = "the rules have it already"
            continue
        try:
            playable(Experiment(variant, policies))
        except InputError as error:
            left_out[name] = str(error).partition(" (valid")[0]
            continue
        variants[name] = variant
    return variants, left_out


def holm_corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their plain chances in ``p_holm`` replaced by those corrected for all of these rows."""
    tested = [row for row in rows if row["p_holm"] is not None]
    for row, p in zip(tested, holm([row["p_holm"] for row in tested]), strict=True):
        row["p_holm"] = p
    return rows


def difference_row(rules: str, quantity: Quantity, difference: Difference, unpaired: bool) -> dict[str, Any]:
    """The row of how much more of a quantity a rule set has than the first; the chance is not corrected yet."""
    row = level_row(rules, quantity._replace(kind="difference"), difference.estimate)
    return row | {"gain": None if unpaired else difference.gain, "p_holm": difference.p}


def level_row(rules: str, quantity: Quantity, estimate: Estimate) -> dict[str, Any]:
    """The row of a quantity under a rule set."""
    return (
        {"rules": rules}
        | empty_row()
        | {
            "quantity": quantity.name,
            "per": quantity.per,
            "side": quantity.side,
            "kind": quantity.kind,
            "estimate": estimate.value,
            "std_error": estimate.std_error,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "n": estimate.n,
        }
        | {"gain": None, "p_holm": None}
    )
