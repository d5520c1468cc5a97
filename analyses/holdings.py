"""What are my first three cards worth?

Run: hands of Cirulla between careful and between search players. For every kind of first holding and every rank, the
mean margin of the holder's side, for the first of four players, the dealer of four and the first of two.
Tables: every mean with its interval (parquet). Figures: the starting-hand charts of the first and of the dealer.

    python analyses/holdings.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import study
from study_views.study_text import rank_each

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_signs
from cirulla_sim.stats.decisions import with_holm

QUESTION = {"en": "What are my first three cards worth?", "it": "Quanto valgono le mie prime tre carte?"}
SEATS = ((4, "first"), (4, "dealer"), (2, "first"))
"""Numbers of players, and who holds the cards."""

HANDS = {"careful": 1_000_000, "search": 100_000}
SEED = 1
FILES = (("holdings_4_first_search.parquet", "odds"), ("holdings_4_first_careful.parquet", "odds"))
CHART = "holdings_4_first_search.png"
LOOK = {"title": "Points more than the others with these three cards, first of 4 players", "all": True}

ANY = {"any three cards": "total > 0"}
BONUSES = {
    "barsegon": "barsegon",
    "barsega with the matta": "barsega and matta",
    "barsega without the matta": "barsega and not matta",
}
PLAIN = {
    "matta and settebello": "matta and settebello",
    "matta": "matta and not settebello",
    "settebello": "settebello and not matta",
    "another seven": "sevens and not matta and not settebello",
    "an ace or two, no seven": "sevens = 0 and aces",
    "no figure": "aces + sevens + figures = 0",
    "one figure": "aces + sevens = 0 and figures = 1",
    "two or three figures": "aces + sevens = 0 and figures >= 2",
}
"""Holdings without a bonus. Every holding is of exactly one kind of these or of the bonuses."""

RANKS = {
    rank: f"{rank}{'es' if rank == 'six' else 's'}"
    for rank in ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king")
}
CONDITIONS = {
    **ANY,
    **BONUSES,
    **{name: f"not bonus and {condition}".replace("figures", "(jacks + queens + kings)")
       for name, condition in PLAIN.items()},
    **{f"{rank} held": condition for rank, condition in RANKS.items()},
}  # fmt: skip
"""The conditions on a holding by name."""

METHOD = """The table shows the points a hand of the side that holds these cards at first minus those of the other side.
Four players are two pairs; the first plays before all others, the dealer after them. One million hands of each column
are played by `careful` players, 100,000 by `search` players, who play the unseen cards out sixteen times. How often a
holding is dealt is exact. Each holding is of one kind, from barsegon (three equal cards) to figures; the kinds with no
bonus say so, and those of figures have no ace and no seven. The rows of a rank count all holdings with such a card,
those with a bonus too; the matta is a seven. Significance against a margin of 0 is corrected for all numbers of the
table (Holm); what is distinguishable from the first of a group, for all pairs of the group. The command is that of the
chart's file."""


def file_of(players: int, seat: str, policy: str) -> str:
    """The file of a number of players, a seat and a policy."""
    return f"holdings_{players}_{seat}_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write the tables."""
    questions = [f"{name}: mean(margin(us)) given {condition}" for name, condition in CONDITIONS.items()]
    for players, seat in SEATS:
        for policy, hands in HANDS.items():
            file = folder / file_of(players, seat, policy)
            options = {"players": players, "me": seat, "policy": policy, "hands": sized(hands), "seed": SEED}
            study.run(cs.odds, questions, output=file, **options)


def worths(folder: Path) -> dict[tuple[int, str, str, str], study.Row]:
    """The margin of each holding by number of players, seat, policy and name, corrected for their number."""
    keys, rows = [], []
    for players, seat in SEATS:
        for policy in HANDS:
            keys += [(players, seat, policy, name) for name in CONDITIONS]
            frame = cs.read(folder / file_of(players, seat, policy)).frame
            rows += [{**row, "quantity": "margin"} for row in frame.iter_rows(named=True)]
    return dict(zip(keys, with_holm(rows), strict=True))


def findings(folder: Path) -> list[Finding]:
    """What a bonus is worth to who plays first of four, and which holdings and ranks come first and last."""
    rows = worths(folder)

    def best(kind: str, names: Iterable[str], least: bool = False) -> Finding:
        groups = {
            policy: {Noun("holding", name.removesuffix(" held")): rows[4, "first", policy, name] for name in names}
            for policy in HANDS
        }
        return rank_each(kind, groups, least)

    ranks = [f"{rank} held" for rank in RANKS]
    return [
        *(
            find_signs(
                "holding", {policy: rows[4, "first", policy, name] for policy in HANDS}, what=Noun("holding", name)
            )
            for name in ("barsegon", "barsega without the matta")
        ),
        best("holding-plain", PLAIN),
        best("holding-best", ranks),
        best("holding-worst", ranks, least=True),
    ]


def table(folder: Path) -> str:
    """The starting-hand chart."""
    rows = worths(folder)
    columns = [(*seat, policy) for seat in SEATS for policy in HANDS]
    head = ["first three cards", "dealt", *(f"{seat} of {players}, `{policy}`" for players, seat, policy in columns)]
    lines = [
        [
            f"{name}, no bonus" if name in PLAIN else name,
            f"{100 * float(dealt(condition)):.1f}%",
            *(study.cell(rows[*column, name]) for column in columns),
        ]
        for name, condition in CONDITIONS.items()
    ]
    return study.table(head, lines)


def dealt(condition: str) -> Fraction:
    """The exact probability of a holding."""
    return Fraction(cs.odds(condition).frame["exact"].item())


def sources(folder: Path) -> list[str]:
    """The file of the chart; the others have the same questions."""
    return [FILES[0][0]]


if __name__ == "__main__":
    study.carry_out("holdings")
