"""Is it good to deal? The margin of the dealer's side by strength of play, game and number of players.

Run: random, greedy, careful and search, each line-up on the same deals, in Cirulla with 2, 3 and 4 players and
in three related games; and whole games of Cirulla between careful and search players.
Tables: every quantity of every line-up and the paired differences (parquet). Figures: the margin by strength.

    python analyses/dealing.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import Finding, Noun, find_signs
from cirulla_sim.reporting.text.headlines import compare_places
from cirulla_sim.stats.decisions import with_holm

LINE_UPS = ("careful", "random", "greedy", "search")
LADDER = ("random", "greedy", "careful", "search")


@dataclass(frozen=True)
class Setup:
    """A game, its players and the hands of each line-up.

    The many hands of careful players are a control variate of the others.
    """

    preset: str
    players: int
    hands: int

    @property
    def file(self) -> str:
        return f"dealing_{self.preset}_{self.players}.parquet"

    @property
    def title(self) -> str:
        return f"{self.preset.replace('-', ' ').capitalize()}, {self.players} players"


SETUPS = (
    Setup("cirulla", 2, 100_000),
    Setup("cirulla", 3, 50_000),
    Setup("cirulla", 4, 200_000),
    Setup("scopa", 2, 50_000),
    Setup("cirullone", 4, 10_000),
    Setup("scopone-scientifico", 4, 10_000),
)
CONTROL = 10
"""Hands of careful players for each hand of the others."""

QUESTION = {"en": "Is it good to deal?", "it": "Conviene dare le carte?"}
FILES = (("dealing_cirulla_4.parquet", "margin"), ("dealing_cirulla_2.parquet", "margin"))
CHART = "dealing_cirulla_4.png"
GAMES_FILE = "dealing_games_4.parquet"
GAMES = 8_000
SEED = 2031
METHOD = """The table shows the points of the dealer's side a hand minus those of the other side (with three players
the mean of the others), whoever plays: `random` lays any card, `greedy` takes what it can, `careful` thinks of the next
player, `search` plays the unseen cards out sixteen times. All play the same deals: in Cirulla 200,000 with four
players, 100,000 with two and 50,000 with three; 50,000 in Scopa, 10,000 in the others. Careful players play ten times
as many, which serve as a control variate. Beginners play like `random` or `greedy`.
Significance is corrected for all margins of the table (Holm). Cirullone: bonuses are shown at once (source 001)."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands and games; write the tables."""
    for setup in SETUPS:
        file, hands = folder / setup.file, sized(setup.hands)
        options = {"players": setup.players, "hands": hands, "control_hands": CONTROL * hands, "seed": SEED}
        study.run(cs.simulate, setup.preset, policy=LINE_UPS, output=file, **options)
    line_ups, games = ("careful", "search"), sized(GAMES)
    study.run(cs.games, players=4, policy=line_ups, games=games, seed=SEED, output=folder / GAMES_FILE)


def margins(folder: Path) -> dict[tuple[Setup, str], study.Row]:
    """The margin of the dealer's side by setup and policy, corrected for their number."""
    keys = [(setup, policy) for setup in SETUPS for policy in LADDER]
    rows = [
        study.row_of(cs.read(folder / setup.file), policy=policy, quantity="margin", side="dealer", kind="mean")
        for setup, policy in keys
    ]
    return dict(zip(keys, with_holm(rows), strict=True))


def findings(folder: Path) -> list[Finding]:
    """What dealing is worth to careful and to search players, and in whole games."""
    rows, (two, three, four, *_) = margins(folder), SETUPS
    games = cs.read(folder / GAMES_FILE)
    won = {Noun("place", f"between:{policy}"): study.row_of(games, policy=policy, quantity="wins_game", side="dealer",
           kind="probability") for policy in ("careful", "search")}  # fmt: skip
    return [
        *(
            find_signs("dealing_at", {policy: rows[setup, policy] for policy in ("careful", "search")},
                  place=Noun("place", f"players:{setup.players}")) for setup in (four, two, three)
        ),
        compare_places("wins_game", won),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """The margins by game and strength."""
    rows = margins(folder)
    lines = [[setup.title, *(study.cell(rows[setup, policy]) for policy in LADDER)] for setup in SETUPS]
    return study.table(["points a hand for dealing", *(f"`{policy}`" for policy in LADDER)], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [*(setup.file for setup in SETUPS), GAMES_FILE]


if __name__ == "__main__":
    study.carry_out("dealing")
