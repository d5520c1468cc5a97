"""How much is it worth to think? Every policy against every other, in four games.

Run: tournaments on the same deals with sides exchanged.
Tables: margins, chances of winning a hand and a game, strengths, what dealing is worth, all with 95% intervals
(parquet), and the same in a few words (markdown). Figures: the matrix and the ranking. Answer: each step of the ladder
in a sentence.

    python analyses/tournament.py [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import cirulla_sim as cs
from cirulla_sim.figures import rules_title


@dataclass(frozen=True)
class Game:
    """A game, who meets in it and over how many deals: the fewer, the longer a hand takes to think about."""

    preset: str
    players: int
    policies: tuple[str, ...]
    deals: int


LADDER = ("random", "greedy", "careful", "search", "open")
GAMES = (
    Game("cirulla", 2, LADDER, 6_000),
    Game("cirulla", 4, LADDER, 6_000),
    Game("cirullone", 4, LADDER, 2_000),
    Game("scopone-scientifico", 4, LADDER, 2_000),
)
SEED = 2018
FOLDER = Path(__file__).parent.parent / "results"


def study(game: Game, folder: Path) -> str:
    """Play one tournament, write its files, and return the part of the report."""
    file = folder / f"tournament_{game.preset}_{game.players}.parquet"
    result = cs.tournament(
        game.preset, players=game.players, policy=game.policies, hands=game.deals, seed=SEED, output=file
    )
    print(f"{file.stem}: {result.remarks[0]}", file=sys.stderr)
    if result.exit_code:
        sys.exit(result.exit_code)
    cs.plot(file, output=file.with_suffix(".png"))
    return section(result, file.name)


def section(result: cs.Result, file: str) -> str:
    """What a tournament says, in Markdown."""
    made, stem = result.made, file.removesuffix(".parquet")
    parts = [
        f"## {rules_title(made)}: {len(made['policies'])} policies",
        f"{made['hands']:,} deals a pairing, seed {made['seed']}.",
        *answers(result.frame),
        f"```\n{result.shown}\n```",
        f"![{stem}]({stem}.png)",
        "The same file by the command line:",
        f"```\n{result.command} -o {file}\n```",
    ]
    return "\n\n".join(parts)


def answers(frame: pl.DataFrame) -> list[str]:
    """Each step of the ladder in a sentence, and what dealing is worth."""
    steps = frame.filter(pl.col("quantity") == "stays_ahead").select("policy", "opponent").rows()
    both = frame.filter(pl.col("side") == "all")
    lines = []
    for better, worse in steps:
        over = both.filter(pl.col("policy") == better, pl.col("opponent") == worse)
        points, games = (over.row(by_predicate=pl.col("quantity") == q, named=True) for q in ("margin", "wins_game"))
        told = "beats" if points["ci_low"] > 0 else "is not told apart from"
        lines.append(f"- `{better}` {told} `{worse}`: {spread(points)} points a hand, {percents(games)} of the games.")
    dealing = frame.filter(pl.col("quantity") == "dealer_advantage").rows(named=True)
    told = ", ".join(f"`{row['policy']}` and `{row['opponent']}` {spread(row)}" for row in dealing)
    return ["\n".join(lines), f"The dealer's side makes more than the others, in points a hand, between {told}."]


def spread(row: dict[str, float]) -> str:
    """An estimate and half its interval."""
    return f"{row['estimate']:+.3f} ± {(row['ci_high'] - row['ci_low']) / 2:.3f}"


def percents(row: dict[str, float]) -> str:
    """A chance and half its interval, in percent."""
    return f"{100 * row['estimate']:.1f}% ± {50 * (row['ci_high'] - row['ci_low']):.1f}"


def main(folder: Path = FOLDER) -> None:
    """Play all tournaments; write tables, figures and the report."""
    parts = [
        "# Policies against each other",
        "Made by `python analyses/tournament.py`. How many points a hand is it worth to think, and how far? Every "
        "policy met every other on the same deals with sides exchanged, so that luck falls on both alike; ± are 95% "
        "intervals over deals, and policies are told strongest first.",
        *(study(game, folder) for game in GAMES),
    ]
    (folder / "tournament.md").write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
