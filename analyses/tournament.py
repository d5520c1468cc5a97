"""How much is it worth to think? Every policy against every other, in four games, on the same deals.

    python analyses/tournament.py [FOLDER] [--deals PERCENT]

writes a table and a figure for each game, and what they say to README.md, in FOLDER (default: results/tournament).
Quick policies meet over many deals, the whole ladder, with those that think long, over fewer: what a policy costs
decides how much can be known of it. ``--deals 1`` plays a hundredth of the deals, for a trial.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click
import polars as pl

from cirulla_sim import figures
from cirulla_sim.rules import build
from cirulla_sim.tables import read
from cirulla_sim.tournament import MIN_HANDS, Plan, Result, as_text, carry_out_plan


@dataclass(frozen=True)
class Ladder:
    """Policies that meet, and over how many deals a pairing."""

    name: str
    policies: tuple[str, ...]
    deals: int


LADDERS = (
    Ladder("quick", ("random", "greedy", "careful"), 1_000_000),
    Ladder("whole", ("random", "greedy", "careful", "search:64", "open"), 20_000),
)
GAMES = (("cirulla", 2), ("cirulla", 4), ("cirullone", 4), ("scopone-scientifico", 4))
SEED = 2018


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("results/tournament"))
@click.option("--deals", "percent", type=click.FloatRange(0, 100, min_open=True), default=100.0, metavar="PERCENT")
def main(folder: Path, percent: float) -> None:
    """Play the tournaments, write tables and figures, then the answer."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [tournament(folder, *game, ladder, percent) for game in GAMES for ladder in LADDERS]
    (folder / "README.md").write_text("\n".join([HEAD, *parts]), encoding="utf-8")


def tournament(folder: Path, preset: str, players: int, ladder: Ladder, percent: float) -> str:
    """Play one tournament, write its table and figures, and return what it says."""
    deals = max(MIN_HANDS, int(ladder.deals * percent / 100))
    plan = Plan(build(preset, players=players), ladder.policies, deals, SEED, preset)
    path = folder / f"{preset}-{players}-{ladder.name}.parquet"
    result = carry_out_plan(plan, output=path, progress=sys.stderr)
    for remark in result.remarks:
        click.echo(f"{preset}, {players} players, {ladder.name}: {remark}", err=True)
    if result.exit_code:
        sys.exit(result.exit_code)
    frame, made = read(path)
    for suffix in (".png", ".svg"):
        figures.save(figures.draw(frame, made, "tournament"), path.with_suffix(suffix))
    return section(plan, result, path)


HEAD = """# Policies against each other

How many points a hand is it worth to think, and how far? Every policy met every other on the same deals with sides
exchanged, so that luck falls on both alike; ± are 95% intervals over deals. Policies are told in the order of their
strength. Made by `python analyses/tournament.py`; each table also by the command above it.
"""


def section(plan: Plan, result: Result, path: Path) -> str:
    """What a tournament says, in Markdown."""
    command = f"{result.metadata['command']} -o {path.name}"
    lines = [f"## {path.stem}", "", f"`{command}`", "", f"![{path.stem}]({path.stem}.png)", ""]
    lines += ["```", as_text(result), "```", "", *answers(result.frame), ""]
    return "\n".join(lines)


def answers(frame: pl.DataFrame) -> list[str]:
    """Each step of the ladder in a sentence, and what dealing is worth."""
    steps = frame.filter(pl.col("quantity") == "stays_ahead").select("policy", "opponent").rows()
    wide = frame.filter(pl.col("side") == "all")
    lines = []
    for better, worse in steps:
        over = wide.filter(pl.col("policy") == better, pl.col("opponent") == worse)
        points, games = (over.row(by_predicate=pl.col("quantity") == q, named=True) for q in ("margin", "wins_game"))
        told = "beats" if points["ci_low"] > 0 else "is not told apart from"
        lines.append(f"- `{better}` {told} `{worse}`: {spread(points)} points a hand, {percents(games)} of the games.")
    dealing = frame.filter(pl.col("quantity") == "dealer_advantage").rows(named=True)
    told = ", ".join(f"{row['policy']} and {row['opponent']} {spread(row)}" for row in dealing)
    return [*lines, f"- The dealer's side makes more than the others, in points a hand: {told}."]


def spread(row: dict[str, float]) -> str:
    """An estimate and half its interval."""
    return f"{row['estimate']:+.3f} ± {(row['ci_high'] - row['ci_low']) / 2:.3f}"


def percents(row: dict[str, float]) -> str:
    """A chance and half its interval, in percent."""
    return f"{100 * row['estimate']:.1f}% ± {50 * (row['ci_high'] - row['ci_low']):.1f}"


if __name__ == "__main__":
    main()
