"""House rules to choose from: what each rule, and each pair that was played, changes in the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import polars as pl

from ...core.locale import Language
from ...ruleset.catalogue import catalogue
from ..result import Result
from ..text.cells import Row, is_significant, marked
from ..text.labels import line_up, name_of, rules_of

QUANTITIES = {
    "points": ("points", "all", 1.0, "points of a hand, all sides together"),
    "margin": ("margin", "dealer", 1.0, "the margin of the dealer’s side, in points a hand"),
    "wins": ("wins_hand", "dealer", 100.0, "hands that the dealer’s side wins, in percentage points"),
}
"""What can be looked at: quantity, side, the factor it is shown with, and words."""

SCHEMAS = ("compare/2", "compare-line-ups/2")
FIRST = "careful"
"""The players that the chooser begins with."""


class Played(NamedTuple):
    """Rules that some players played: the change of each quantity, and the hands."""

    rows: Mapping[str, Row]
    hands: int


class Choices(NamedTuple):
    """All changes by number of players, policy and rules; two rules together are ``a+b``."""

    played: Mapping[int, Mapping[str, Mapping[str, Played]]]

    @property
    def rules(self) -> list[str]:
        """House rules, sorted by the change of points for the first players, the largest first."""
        sizes: dict[str, float] = {}
        for by_policy in self.played.values():
            for rules, played in by_policy.get(FIRST, next(iter(by_policy.values()))).items():
                if "+" not in rules and "points" in played.rows:
                    sizes[rules] = max(sizes.get(rules, 0.0), abs(played.rows["points"]["estimate"]))
        return sorted(sizes, key=lambda rules: -sizes[rules])

    @property
    def pairs(self) -> list[str]:
        """The pairs that were played."""
        every = (rules for by_policy in self.played.values() for each in by_policy.values() for rules in each)
        return list(dict.fromkeys(rules for rules in every if rules.count("+") == 1))

    def cell(self, players: int, rules: str, locale: Language, policy: str = FIRST) -> str:
        """The change of the points of a hand as a text; empty where nobody played so."""
        played = self.played.get(players, {}).get(policy, {}).get(rules)
        return marked(played.rows["points"], locale) if played and "points" in played.rows else ""

    def data(self, locale: Language) -> dict[str, Any]:
        """What the page's script shows: cells ``[estimate, low, high, significant]``, names and explanations."""
        policies = dict.fromkeys(policy for by_policy in self.played.values() for policy in by_policy)
        return {
            "players": {
                players: {
                    policy: {rules: _cells(played) for rules, played in by_rules.items()}
                    for policy, by_rules in by_policy.items()
                }
                for players, by_policy in self.played.items()
            },
            "rules": {rule: [locale.say(name_of(rule)), explained(rule, locale)] for rule in self.rules},
            "policies": {policy: line_up(policy, locale) for policy in policies},
            "quantities": {name: locale.say(words) for name, (_, _, _, words) in QUANTITIES.items()},
        }


def explained(rule: str, locale: Language) -> str:
    """A house rule in a sentence."""
    return f"{locale.translate(catalogue()['house'][rule]['title'])}."


def choices(results: Iterable[Result]) -> Choices | None:
    """The changes of all comparisons of house rules; None if there is none.

    Of two files with the same rules, players and policy one with pairs counts, so that a pair stands beside its rules
    on the same deals; else that of more hands.
    """
    compared = [result for result in results if _is_of_houses(result)]
    houses = catalogue()["house"]
    played: dict[int, dict[str, dict[str, Played]]] = {}
    for result in sorted(compared, key=lambda result: (_has_pairs(result), result.metadata["hands"])):
        for policy, rules, one in _changes(result):
            if all(name in houses for name in rules.split("+")):
                played.setdefault(int(result.metadata["players"]), {}).setdefault(policy, {})[rules] = one
    ordered = {
        players: {policy: by_policy[policy] for policy in sorted(by_policy, key=lambda name: name != FIRST)}
        for players, by_policy in sorted(played.items())
    }
    return Choices(ordered) if ordered else None


def _is_of_houses(result: Result) -> bool:
    base = rules_of(result.metadata)
    return result.metadata.get("schema") in SCHEMAS and base is not None and base.preset == "cirulla"


def _has_pairs(result: Result) -> bool:
    return bool(result.frame["rules"].str.contains("+", literal=True).any())


def _changes(result: Result) -> Iterator[tuple[str, str, Played]]:
    frame, hands = result.frame.filter(pl.col("value").is_null(), kind="difference"), int(result.metadata["hands"])
    if "policy" not in frame.columns:
        frame = frame.with_columns(policy=pl.lit(result.metadata["policies"][0]))
    for (policy, rules), rows in frame.group_by("policy", "rules", maintain_order=True):
        found = {
            name: rows.filter(quantity=quantity, side=side, per=per).to_dicts()
            for name, (quantity, side, _, _) in QUANTITIES.items()
            for per in ["side" if quantity == "wins_hand" else "hand"]
        }
        yield str(policy), str(rules), Played({name: each[0] for name, each in found.items() if each}, hands)


def _cells(played: Played) -> dict[str, Any]:
    cells: dict[str, Any] = {
        name: [*(round(QUANTITIES[name][2] * row[end], 5) for end in ("estimate", "ci_low", "ci_high")),
               is_significant(row)]
        for name, row in played.rows.items()
    }  # fmt: skip
    return {**cells, "hands": played.hands}
