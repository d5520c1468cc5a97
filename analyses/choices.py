"""What are the decisions beyond the card worth: which sets to show and when, what the matta is, leaving a card?

Run: careful against itself with one choice forced on it, on the same deals with sides exchanged.
Tables: margins and chances of winning with 95% intervals (parquet), and the same in a few words (markdown). Figures:
the matrix and the ranking of each game. Answer: what each choice costs, in a sentence.

    python analyses/choices.py [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import cirulla_sim as cs
from cirulla_sim.figures import rules_title
from cirulla_sim.play import FORCES, split


@dataclass(frozen=True)
class Game:
    """A game, and the choices to force in it."""

    preset: str
    players: int
    forces: tuple[str, ...]
    houses: tuple[str, ...] = ()


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
FOLDER = Path(__file__).parent.parent / "results"


def study(game: Game, folder: Path, deals: int = DEALS) -> str:
    """Play one tournament, write its files, and return the part of the report."""
    rules = cs.rules(game.preset, players=game.players, house=game.houses)
    names = (POLICY, *(f"{POLICY}+{force}" for force in game.forces))
    file = folder / f"{'_'.join(['choices', game.preset, str(game.players), *game.houses])}.parquet"
    result = cs.tournament(rules, policy=names, hands=deals, seed=SEED, output=file)
    if result.exit_code:
        sys.exit(result.exit_code)
    cs.plot(file, output=file.with_suffix(".png"))
    lines = []
    for name in names[1:]:
        rows = result.frame.filter(policy=POLICY, opponent=name, side="all")
        points, games = (rows.filter(quantity=q).row(0, named=True) for q in ("margin", "wins_game"))
        either = (points["ci_high"] - points["ci_low"]) / 2, 50 * (games["ci_high"] - games["ci_low"])
        lines.append(
            f"- Against one that {FORCES[split(name)[1][0]]}, `{POLICY}` makes {points['estimate']:+.3f} ± "
            f"{either[0]:.3f} points a hand, and wins {100 * games['estimate']:.1f}% ± {either[1]:.1f} of the games."
        )
    parts = [
        f"## {', '.join([rules_title(result.made), *(house.replace('-', ' ') for house in game.houses)])}",
        "\n".join(lines),
        f"![{file.stem}]({file.stem}.png)",
        f"```\n{result.command} -o {file.name}\n```",
    ]
    return "\n\n".join(parts)


def main(folder: Path = FOLDER, deals: int = DEALS) -> None:
    """Play all games; write tables, figures and the report."""
    parts = [
        "# Decisions beyond the card",
        "Made by `python analyses/choices.py`. A player who may show a set, or declare the matta, or leave a card that "
        f"captures, has a choice. Here `{POLICY}`, which decides freely, meets itself with one choice forced on it, on "
        f"{deals:,} deals a pairing with sides exchanged (seed {SEED}); ± are 95% intervals.",
        *(study(game, folder, deals) for game in GAMES),
    ]
    (folder / "choices.md").write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
