"""Is Cirulla luck? What a hand's margin comes from in Cirulla, Cirullone and Scopone scientifico, side by side.

The question: how much of the difference between two sides' points in a hand is the deal, and how much the play? And
after how many games is the better of two players ahead with 95% certainty? Cirulla is called a kind of anti-Scopone
(000): noisy and unpredictable where Scopone is calculation. This measures it.

How: every deal is played again and again by every line-up of the policies, with fresh dice (see
``cirulla_sim.contest.luck``). Then whole games are played, either side dealing first.

    python analyses/luck_and_skill.py -o results
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import click
import polars as pl

from cirulla_sim import __version__
from cirulla_sim.contest.luck import PARTS, games_until_ahead, replayed, shares, total_variance
from cirulla_sim.figures import draw, save
from cirulla_sim.kept.estimates import Estimate, Z, proportion
from cirulla_sim.kept.tables import SCHEMA, estimate_row, render, write
from cirulla_sim.play.engines import carry_out
from cirulla_sim.play.experiment import Games
from cirulla_sim.rulebook.model import Rules
from cirulla_sim.rulebook.presets import build
from cirulla_sim.whole_games.quantities import played

PRESETS = ("cirulla", "cirullone", "scopone-scientifico")
COLUMNS = {"rules": pl.String, "policy": pl.String} | SCHEMA


def hand_rows(
    rules: Rules, line_ups: list[tuple[str, ...]], deals: int, replays: int, seed: int, threads: int | None
) -> Iterator[dict[str, Any]]:
    """What the margin of a hand comes from."""
    margins = replayed(rules, line_ups, deals, replays, seed, threads)
    found = shares(margins)
    for part in (*PARTS, "play") if len(line_ups) > 1 else ("deal", "dice"):
        yield estimate_row(f"variance_{part}", "hand", "dealer", "share", found[part])
    yield estimate_row("margin_variance", "hand", "dealer", "mean", total_variance(margins))


def game_rows(
    rules: Rules, pair: tuple[str, str], games: int, seed: int, threads: int | None
) -> Iterator[dict[str, Any]]:
    """How often the better of two policies wins a game, and how soon it is ahead; first deal by lot."""
    tables = [
        played(carry_out(Games(rules, line_up, games, seed + number), threads=threads))
        for number, line_up in enumerate((pair, pair[::-1]))
    ]
    first = [_find(tables[0], "wins_game", "others"), _find(tables[1], "wins_game", "dealer")]  # of the first policy
    second = [_find(tables[0], "wins_game", "dealer"), _find(tables[1], "wins_game", "others")]
    share = max(_mean(first).value, _mean(second).value)
    better = proportion(round(2 * games * share), 2 * games)
    length = _mean([_find(table, "hands", "all") for table in tables])
    ahead = games_until_ahead(better)
    yield estimate_row("wins_game", "game", "better", "probability", better)
    yield estimate_row("hands", "game", "all", "mean", length)
    for quantity, scale in (("games_until_ahead", 1.0), ("hands_until_ahead", length.value)):
        numbers = [scale * number for number in (ahead.games, ahead.low, ahead.high)]
        row = estimate_row(
            quantity, "game", "better", "mean", Estimate(numbers[0], 0.0, numbers[1], numbers[2], 2 * games)
        )
        yield row | {"std_error": None}  # skewed: the interval tells


def _find(table: pl.DataFrame, quantity: str, side: str) -> dict[str, Any]:
    return table.filter(pl.col("value").is_null(), quantity=quantity, side=side).row(0, named=True)


def _mean(rows: list[dict[str, Any]]) -> Estimate:
    """The mean of two independent estimates of as many trials."""
    value = sum(row["estimate"] for row in rows) / 2
    error = sum(row["std_error"] ** 2 for row in rows) ** 0.5 / 2
    return Estimate(value, error, value - Z * error, value + Z * error, sum(row["n"] for row in rows))


@click.command()
@click.option("--policies", default="random,greedy,careful", show_default=True, help="The policies that meet.")
@click.option("--deals", default=50_000, show_default=True, help="Deals.")
@click.option("--replays", default=4, show_default=True, help="Times a line-up plays a deal, each with fresh dice.")
@click.option("--games", default=100_000, show_default=True, help="Games of each pair, for either side dealing first.")
@click.option("--seed", default=1, show_default=True)
@click.option("--threads", type=int)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
def main(policies: str, deals: int, replays: int, games: int, seed: int, threads: int | None, folder: Path) -> None:
    """Write luck_and_skill.parquet and luck_and_skill.png to a folder and print the table."""
    names = policies.split(",")
    everyone = " or ".join(names) + ", each side"
    rows: list[dict[str, Any]] = []
    for preset in PRESETS:
        rules = build(preset)
        studies = [(name, [(name,)]) for name in names] + [(everyone, [*product(names, repeat=rules.sides)])]
        for policy, line_ups in studies:
            found = hand_rows(rules, line_ups, deals, replays, seed, threads)
            rows += [{"rules": preset, "policy": policy} | row for row in found]
        for pair in combinations(names, 2):
            found = game_rows(rules, pair, games, seed, threads)
            rows += [{"rules": preset, "policy": " and ".join(pair)} | row for row in found]
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    words = ["python", "analyses/luck_and_skill.py", "--policies", policies, "--deals", str(deals), "--replays",
             str(replays), "--games", str(games), "--seed", str(seed)]  # fmt: skip
    made = {"version": __version__, "command": shlex.join(words), "schema": "luck/1", "seed": seed, "deals": deals,
            "games": games, "policies": names, "stopped": "hands"}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write(frame, folder / "luck_and_skill.parquet", made)
    save(draw(frame, made), folder / "luck_and_skill.png")
    click.echo(render(frame, "table"))
    click.echo(f"Written: {folder / 'luck_and_skill.parquet'} and .png", err=True)


if __name__ == "__main__":
    main(prog_name=Path(sys.argv[0]).name)
