"""How much is it worth to think? Every policy against every other, in four games.

Run: tournaments on the same deals with sides exchanged.
Tables: margins, probabilities of winning a hand and a game, strengths and the gaps between them, the dealer's
advantage, all with 95% intervals (parquet). Figures: the pairs and the ranking.

    python analyses/tournament.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant, find_sign, who


@dataclass(frozen=True)
class Game:
    """A game, its policies, and the deals: fewer for slow games."""

    preset: str
    players: int
    policies: tuple[str, ...]
    deals: int

    @property
    def file(self) -> str:
        return f"tournament_{self.preset}_{self.players}.parquet"

    @property
    def title(self) -> str:
        return f"{study.rule_name(self.preset)}, {self.players} players"


LADDER = ("random", "greedy", "careful", "search", "open")
GAMES = (
    Game("cirulla", 2, LADDER, 6_000),
    Game("cirulla", 4, LADDER, 6_000),
    Game("cirullone", 4, LADDER, 2_000),
    Game("scopone-scientifico", 4, LADDER, 2_000),
)
CLAIMED = (
    (GAMES[1], "careful", "greedy", "cirulla-4"),
    (GAMES[1], "search", "careful", ""),
    (GAMES[1], "open", "search", ""),
    (GAMES[3], "search", "careful", "scopone"),
)
"""The steps of thinking that the answer is about; where, if that has not been said."""

SEED = 2018
QUESTION = {"en": "How much is it worth to think?", "it": "Quanto vale pensare?"}
FILES = (("tournament_cirulla_4.parquet", "strength"), ("tournament_cirulla_4.parquet", "pairs"))
CHART = "tournament_cirulla_4.png"
METHOD = """Every policy met every other on the same deals with sides exchanged, so that luck falls on both alike:
6,000 deals a pairing in Cirulla, 2,000 in Cirullone and Scopone scientifico. `random` lays any card, `greedy` takes
what it can, `careful` thinks of the next player, `search` plays the unseen cards out sixteen times, and `open` sees
all cards and solves each stage. Beginners play like `random` or `greedy`. The significance of margins is corrected
for all pairings of a game (Holm); gaps in strength have intervals that hold together (Tukey and Kramer). Cirullone:
bonuses are shown at once (source 001)."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write the tables."""
    for game in GAMES:
        deals = sized(game.deals, study.MIN_DEALS)
        if game.deals / 2 <= deals < game.deals:
            continue  # the minimum is nearly the full size: skipped in a quick run
        file = folder / game.file
        options = {"players": game.players, "hands": deals, "seed": SEED}
        study.run(cs.tournament, game.preset, policy=game.policies, output=file, **options)


def present(folder: Path) -> list[Game]:
    """The games that were played: a quick run leaves some out."""
    return [game for game in GAMES if (folder / game.file).exists()]


def over(folder: Path, game: Game, policy: str, opponent: str, quantity: str = "margin") -> study.Row:
    """The margin of one policy over another, or another quantity of the pairing."""
    result = cs.read(folder / game.file)
    return study.row_of(result, quantity=quantity, side="all", policy=policy, opponent=opponent)


def findings(folder: Path) -> list[Finding]:
    """What each step of thinking is worth with four players, and how many policies differ."""
    games = present(folder)
    frames = [cs.read(folder / game.file).frame for game in games]
    gaps = [row for frame in frames for row in frame.filter(quantity="strength_gap").iter_rows(named=True)]
    return [
        *(
            find_sign("advantage_at" if where else "advantage", over(folder, game, policy, opponent), one=who(policy),
                   other=who(opponent), place=Noun("where", where))
            for game, policy, opponent, where in CLAIMED if game in games
        ),
        count_significant("gaps", gaps),
    ]  # fmt: skip


def table(folder: Path) -> str:
    """Each step of thinking, in points a hand and games won, by game."""
    steps = [(policy, opponent) for opponent, policy in pairwise(LADDER)]
    lines = []
    for game in present(folder):
        points, wins = ([over(folder, game, *step, quantity) for step in steps] for quantity in ("margin", "wins_game"))
        lines.append([f"{game.title}: points a hand", *map(study.cell, points)])
        lines.append([f"{game.title}: games won", *(number(row, study.ENGLISH) for row in wins)])
    return study.table(["", *(f"`{policy}` over `{opponent}`" for policy, opponent in steps)], lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [game.file for game in present(folder)]


if __name__ == "__main__":
    study.carry_out("tournament")
