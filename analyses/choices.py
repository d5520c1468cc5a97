"""What are the decisions beyond the card worth: which sets to show and when, what the matta is, leaving a card?

Run: careful against itself with one choice forced on it, on the same deals with sides exchanged.
Tables: margins and chances of winning with 95% intervals (parquet), and the same in a few words (markdown). Figures:
the matrix and the ranking of each game. Answer: what each choice costs, in a sentence.

    python analyses/choices.py [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs
from cirulla_sim.figures import rules_title
from cirulla_sim.play import FORCES


@dataclass(frozen=True)
class Game:
    """A game, and the choices to force in it."""

    preset: str
    players: int
    forces: tuple[str, ...]
    houses: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{'_'.join(['choices', self.preset, str(self.players), *self.houses])}.parquet"


GAMES = (
    Game("cirulla", 2, ("matta-low", "matta-high", "silent")),
    Game("cirulla", 4, ("matta-low", "matta-high", "silent")),
    Game("cirulla", 4, ("capture",), ("optional-capture",)),
    Game("cirullone", 4, ("prompt", "silent")),
    Game("cirullone-6-3", 4, ("prompt", "silent")),
)
POLICY = "careful"
DEALS = 20_000
SEED = 2018


def play(folder: Path) -> None:
    """Play all games; write tables and figures."""
    for game in GAMES:
        names = (POLICY, *(f"{POLICY}+{force}" for force in game.forces))
        rules = cs.rules(game.preset, players=game.players, house=game.houses)
        file = folder / game.file
        study.played(cs.tournament, rules, policy=names, hands=DEALS, seed=SEED, output=file)
        cs.plot(file, output=file.with_suffix(".png"))


def section(folder: Path, game: Game) -> str:
    """What a tournament says."""
    found = cs.read(folder / game.file)
    lines = []
    for force in game.forces:
        pairing = {"policy": POLICY, "opponent": f"{POLICY}+{force}", "side": "all"}
        points, games = (study.one(found, quantity=quantity, **pairing) for quantity in ("margin", "wins_game"))
        lines.append(
            f"- Against one that {FORCES[force]}, `{POLICY}` makes {study.spread(points)} points a hand, and wins "
            f"{study.percents(games)} of the games."
        )
    stem = game.file.removesuffix(".parquet")
    parts = [
        f"## {', '.join([rules_title(found.made), *(house.replace('-', ' ') for house in game.houses)])}",
        "\n".join(lines),
        f"![{stem}]({stem}.png)",
        study.commands((found, game.file)),
    ]
    return study.joined(parts).rstrip()


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            "# Decisions beyond the card",
            "Made by `python analyses/choices.py`. A player who may show a set, or declare the matta, or leave a card "
            f"that captures, has a choice. Here `{POLICY}`, which decides freely, meets itself with one choice forced "
            f"on it, on {DEALS:,} deals a pairing with sides exchanged (seed {SEED}); ± are 95% intervals.",
            *(section(folder, game) for game in GAMES),
        ]
    )


if __name__ == "__main__":
    study.carry_out("choices", play, page)
