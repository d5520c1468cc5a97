"""What is seeing one's partner's cards worth?

Run: Cirulla for two against two in which partners see each other's cards, against the usual rules, on the same deals,
between careful players and between search players. The rule applies to both sides.
Tables: every quantity of the comparisons (parquet). Figures: the differences.

    python analyses/partners.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_signs, join_findings, rule, state

RULES = "open-partners"
HANDS = {"careful": 1_000_000, "search": 100_000}
"""Hands, by policy."""

SEED = 22
QUESTION = {
    "en": "What is seeing one's partner's cards worth?",
    "it": "Quanto vale vedere le carte del compagno?",
}
FILES = (("partners_search.parquet", "points"), ("partners_careful.parquet", "points"))
CHART = "partners_search.png"
METHOD = """The house rule `open-partners`, by which partners see each other's cards, against the usual rules on the
same deals, two against two: 1,000,000 hands of `careful`, which thinks of the next player, and 100,000 of `search`,
which plays the unseen cards out sixteen times. Both sides see their partners' cards. Significance is corrected for all
quantities of a comparison (Holm)."""
PARTS = {
    ("margin", "dealer", "difference"): "margin of the dealer's side",
    ("points", "dealer", "difference"): "points of the dealer's side",
    ("points", "others", "difference"): "points of the other side",
    ("points", "all", "difference"): "points of both sides",
    ("sweeps", "all", "difference"): "sweeps",
    ("points_primiera", "all", "difference"): "points for the primiera",
    ("points_grande", "all", "difference"): "points for la grande",
    ("points_piccola", "all", "difference"): "points for la piccola",
    ("wins_hand", "dealer", "difference"): "hands that the dealer's side wins",
    ("winner_changed", "all", "share"): "hands with another winner",
    ("margin_moved", "dealer", "mean"): "mean absolute change of the margin",
}


def file_of(policy: str) -> str:
    """The file of one policy."""
    return f"partners_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the tables."""
    for policy, hands in HANDS.items():
        file = folder / file_of(policy)
        study.run(cs.compare, house=RULES, players=4, policy=policy, hands=sized(hands), seed=SEED, output=file)


def change(folder: Path, policy: str, quantity: str, side: str, kind: str = "difference") -> study.Row:
    """A difference made by seeing the partner's cards."""
    return study.row_of(cs.read(folder / file_of(policy)), rules=RULES, quantity=quantity, side=side, kind=kind)


def findings(folder: Path) -> list[Finding]:
    """The change in the dealer's margin, in hands won and in points, and how many hands have another winner."""
    about = {"rule": rule(RULES), "side": Noun("side", "pair")}
    winners = {policy: change(folder, policy, "winner_changed", "all", "share") for policy in HANDS}
    return [
        *(
            find_signs(f"effect.{quantity}", {name: change(folder, name, quantity, side) for name in HANDS}, **about)
            for quantity, side in (("margin", "dealer"), ("wins_hand", "dealer"), ("points", "all"))
        ),
        join_findings(*(
            state("changed", "winner_changed", {"size": row}, rule=rule(RULES), between=Noun("between", policy))
            for policy, row in winners.items()
        )),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """What changes, by policy."""
    lines = [[words, *(study.cell(change(folder, policy, *key)) for policy in HANDS)] for key, words in PARTS.items()]
    return study.table(["what changes, points a hand", *(f"`{policy}`" for policy in HANDS)], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file_of(policy) for policy in HANDS]


if __name__ == "__main__":
    study.carry_out("partners")
