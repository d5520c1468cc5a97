"""Two, three or four players? How hands and games of Cirulla differ by the number of players.

Run: hands and whole games with 2, 3 and 4 players, between careful players and between those who look ahead.
Tables: every quantity of hands and games (parquet). Figures: points by category.

    python analyses/players.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, state, who
from cirulla_sim.stats.decisions import with_holm

PLAYERS = {2: "two", 3: "three", 4: "four"}
"""Numbers of players, and their names as places of a sentence."""

POLICIES = ("careful", "search")
HANDS, GAMES = 50_000, 3_000
CONTROL = 10
"""Hands of careful players for each hand of search players."""

SEED = 234
QUESTION = {"en": "Two, three or four players?", "it": "In due, in tre o in quattro?"}
FILES = (("players_2.parquet", "categories"), ("players_4.parquet", "categories"))
CHART = "players_4.png"
LOOK = {"figure": "categories"}
METHOD = """Two play against each other, three each alone, four two against two; a game goes to 51. 50,000 hands of
search players and 500,000 of careful players, which serve as a control variate; 3,000 games of each. The margin is
the points of the dealer's side minus those of the other side, with three players the mean of the others. Knocks are
bonuses shown. Significance of the margins is corrected for their number (Holm)."""
PARTS = {
    ("points", "all", "mean"): "points of all sides",
    ("sweeps", "all", "mean"): "sweeps",
    ("knock", "all", "mean"): "knocks",
    ("margin", "dealer", "mean"): "dealer's margin",
    ("wins_hand", "dealer", "share"): "hands the dealer's side wins",
}
OF_GAMES = {
    ("hands", "all", "mean"): "hands a game",
    ("wins_game", "dealer", "probability"): "games the first dealer's side wins",
}


def hands_file(players: int) -> str:
    """The file of hands."""
    return f"players_{players}.parquet"


def games_file(players: int) -> str:
    """The file of whole games."""
    return f"players_games_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the tables."""
    for players in PLAYERS:
        options = {"players": players, "policy": POLICIES, "seed": SEED}
        hands = sized(HANDS)
        file = folder / hands_file(players)
        study.run(cs.simulate, hands=hands, control_hands=CONTROL * hands, output=file, **options)
        study.run(cs.games, games=sized(GAMES), output=folder / games_file(players), **options)


def value(folder: Path, players: int, policy: str, quantity: str, side: str, kind: str) -> study.Row:
    """A quantity of a hand, or of a game."""
    in_games = (quantity, side, kind) in OF_GAMES
    result = cs.read(folder / (games_file(players) if in_games else hands_file(players)))
    per = {} if in_games else {"per": "side" if kind == "share" else "hand"}
    return study.row_of(result, policy=policy, quantity=quantity, side=side, kind=kind, **per)


def findings(folder: Path) -> list[Finding]:
    """Points and sweeps of a hand of search players, and how long games are."""

    def of(policy: str, quantity: str) -> dict[str, study.Row]:
        return {name: value(folder, players, policy, quantity, "all", "mean") for players, name in PLAYERS.items()}

    return [
        *(state("study", quantity, of("search", quantity)) for quantity in ("points", "sweeps")),
        *(state("study", "length", of(policy, "hands"), who=who(policy)) for policy in POLICIES),
    ]


def table(folder: Path) -> str:
    """Hands and games by number of players; the margins are corrected for their number."""
    columns = [(players, policy) for players in PLAYERS for policy in POLICIES]
    lines = []
    for quantity, label in (PARTS | OF_GAMES).items():
        rows = [value(folder, *column, *quantity) for column in columns]
        lines.append([label, *map(study.cell, with_holm(rows) if quantity[0] == "margin" else rows)])
    return study.table(["a hand", *(f"{players} `{policy}`" for players, policy in columns)], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file(players) for players in PLAYERS for file in (hands_file, games_file)]


if __name__ == "__main__":
    study.carry_out("players")
