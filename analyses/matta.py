"""What is the matta worth, and to whom?

Run: Cirulla without the wild seven of hearts, and with the queen of hearts wild instead, against the usual rules, on
the same deals, between careful and between search players, two and four; whole games of four without it.
Tables: every quantity of the comparisons (parquet); the value of holding it is computed exactly. Figures: the
differences by category. As a notebook: analyses/matta.ipynb.

    python analyses/matta.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_signs, join_findings, rule, state

PLAYERS = (4, 2)
POLICIES = ("careful", "search")
HANDS = 50_000
GAMES = {"careful": 100_000, "search": 4_000}
RULES = {"no-matta": "without it", "queen-matta": "queen wild"}
PARTS = {
    ("points", "all"): "points of all sides",
    ("points_hand_bonus", "dealer"): "bonuses held, dealer's side",
    ("points_hand_bonus", "others"): "bonuses held, another side",
    ("points_table_bonus", "dealer"): "bonuses for the table",
    ("margin", "dealer"): "dealer's margin",
    ("winner_changed", "all"): "hands with another winner",
}
SEED = 7
QUESTION = {"en": "What is the matta worth, and to whom?", "it": "Quanto vale la matta, e a chi?"}
FILES = (("matta_4.parquet", "points"), ("matta_2.parquet", "points"))
CHART = "matta_4.png"
METHOD = """The seven of hearts is wild for the bonuses of Cirulla. What three cards bring with it and without it is
counted exactly and holds whoever plays. For the rest Cirulla is played with the matta, without it and with the queen
of hearts wild instead, on the same deals: 50,000 hands each of careful and of search players, two and four. The
table shows the differences in points a hand. Whole games of four, with the matta and without: 100,000 of careful,
4,000 of search players. Significance is corrected for all differences of a file (Holm)."""


def file_of(players: int) -> str:
    """The file of hands."""
    return f"matta_{players}.parquet"


def games_file(policy: str) -> str:
    """The file of whole games of four."""
    return f"matta_games_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the tables."""
    for players in PLAYERS:
        file, options = folder / file_of(players), {"players": players, "seed": SEED}
        study.run(cs.compare, house=tuple(RULES), policy=POLICIES, hands=sized(HANDS), output=file, **options)
    for policy, number in GAMES.items():
        games, options = sized(number), {"house": "no-matta", "players": 4, "policy": policy, "seed": SEED}
        study.run(cs.compare, hands=games, games=games, output=folder / games_file(policy), **options)


def change(folder: Path, players: int, policy: str, rules: str, quantity: str, side: str) -> study.Row:
    """What a rule changes in a quantity of hands."""
    kind = "share" if quantity == "winner_changed" else "difference"
    options = {"policy": policy, "rules": rules, "quantity": quantity, "side": side, "kind": kind}
    return study.row_of(cs.read(folder / file_of(players)), **options)


def findings(folder: Path) -> list[Finding]:
    """What the matta brings when it is dealt, what a hand and a game of four are without it, and another matta."""
    with_it, without = (
        {**cs.odds("mean(bonus_points)", given=given).frame.row(0, named=True), "quantity": "points"}
        for given in ("matta", "not matta")
    )
    effects = {
        part[0]: {policy: change(folder, 4, policy, "no-matta", *part) for policy in POLICIES}
        for part in (("points", "all"), ("margin", "dealer"))
    }
    effects["hands"] = {
        policy: study.row_of(cs.read(folder / games_file(policy)), quantity="hands", kind="difference")
        for policy in POLICIES
    }
    winners = {policy: change(folder, 4, policy, "queen-matta", "winner_changed", "all") for policy in POLICIES}
    return [
        state("study", "bonus", {"with_it": with_it, "without": without}),
        *(
            find_signs(f"effect.{quantity}", rows, rule=rule("no-matta"), side=Noun("side", "pair"))
            for quantity, rows in effects.items()
        ),
        join_findings(*(
            state("changed", "winner_changed", {"size": row}, rule=rule("queen-matta"),
                   between=Noun("between", policy)) for policy, row in winners.items()
        )),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """What each rule changes, by players."""
    columns = [(players, policy) for players in PLAYERS for policy in POLICIES]
    lines = [
        [f"{title}: {label}", *(study.cell(change(folder, *column, rules, *part)) for column in columns)]
        for rules, title in RULES.items()
        for part, label in PARTS.items()
    ]
    return study.table(["points a hand", *(f"{players} `{policy}`" for players, policy in columns)], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [*map(file_of, PLAYERS), *map(games_file, GAMES)]


if __name__ == "__main__":
    study.carry_out("matta")
