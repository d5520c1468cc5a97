"""How far from the best is search? What more information would be worth to it, and what more samples.

Run: tournaments on the same deals with sides exchanged, between search that sees the cards of the next player, of its
partner or of everybody, and between search with more samples of the unseen cards. The gain from hidden cards is a lower
bound of what better inference could gain.
Tables: margins, probabilities of winning, strengths and the gaps between them, with 95% intervals (parquet). Figures:
the pairs and the ranking.

    python analyses/best.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_sign, join_findings, who


@dataclass(frozen=True)
class Ladder:
    """A tournament: what its policies differ in, its players, policies and deals."""

    name: str
    players: int
    policies: tuple[str, ...]
    deals: int

    @property
    def file(self) -> str:
        return f"best_{self.name}_{self.players}.parquet"


SEERS = {
    name: f"analyses/forced.py:thinking_ahead_seeing_{seen}"
    for name, seen in {"partner": "the_partner", "next": "the_next_player", "all": "all_cards"}.items()
}
SEEING = ("search", *SEERS.values(), "open")
THINKING = ("careful", "search:1", "search:4", "search:16", "search:64", "search:256")
LADDERS = (
    Ladder("seeing", 2, ("search", SEERS["all"], "open"), 4_000),
    Ladder("seeing", 4, SEEING, 2_000),
    Ladder("thinking", 2, THINKING, 2_000),
    Ladder("thinking", 4, THINKING, 2_000),
)
STEPS = {
    "seeing": [(policy, "search") for policy in SEEING[1:]],
    "thinking": [*((policy, opponent) for opponent, policy in pairwise(THINKING)), ("search:256", "search:16")],
}
"""Who is compared with whom in the table."""

SEED = 404
QUESTION = {"en": "How far from the best is search?", "it": "Quanto manca a chi calcola per giocare alla perfezione?"}
FILES = (("best_seeing_4.parquet", "strength"), ("best_thinking_2.parquet", "pairs"))
CHART = "best_seeing_4.png"
METHOD = """Margins in points a hand of one way of playing Cirulla over another, on the same deals with sides
exchanged: 2,000 deals a pairing, 4,000 for seeing more with two players. `thinking_ahead_seeing_the_next_player` of
[analyses/forced.py](../analyses/forced.py) is search that is shown the next player's cards, and so on; `open` sees all
and solves the stage. `search:16`, the usual search, plays the unseen cards out sixteen times before each play. Search
assumes that the others play on like `careful`: its margin over `careful` is a lower bound of how far `careful` can be
exploited. Significance is corrected for all pairings of a tournament (Holm)."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write the tables."""
    for ladder in LADDERS:
        file = folder / ladder.file
        options = {"players": ladder.players, "hands": sized(ladder.deals, study.MIN_DEALS), "seed": SEED}
        study.run(cs.tournament, "cirulla", policy=ladder.policies, output=file, **options)


def over(folder: Path, ladder: Ladder, policy: str, opponent: str) -> study.Row:
    """The margin of one policy over another."""
    result = cs.read(folder / ladder.file)
    return study.row_of(result, quantity="margin", side="all", policy=policy, opponent=opponent)


def findings(folder: Path) -> list[Finding]:
    """The value of information with four players, and of more samples with two and four."""
    _, seeing, *thinking = LADDERS
    return [
        join_findings(*(
            find_sign("seeing", over(folder, seeing, policy, "search"), place=Noun("where", "four"),
                   one=Noun("seer", name), other=Noun("seer", "search")) for name, policy in reversed(SEERS.items())
        )),
        *(
            find_sign("advantage_at", over(folder, ladder, "search:256", "search:16"), place=Noun("where", name),
                   one=who("search:256"), other=who("search:16"))
            for ladder, name in zip(thinking, ("two", "four"), strict=True)
        ),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """Each margin, with two and with four players."""
    lines = []
    for name, steps in STEPS.items():
        ladders = [ladder for ladder in LADDERS if ladder.name == name]
        for step in steps:
            cells = [
                study.cell(over(folder, ladder, *step)) if set(step) <= set(ladder.policies) else ""
                for ladder in ladders
            ]
            lines.append([*(f"`{policy.rpartition('/')[2]}`" for policy in step), *cells])
    return study.table(["points a hand of", "over", "2 players", "4 players"], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [ladder.file for ladder in LADDERS]


if __name__ == "__main__":
    study.carry_out("best")
