"""The margin of search by time per play: results/curve.parquet, results/curve.md and results/curve.png.

python scripts/time_curve.py [--quick]

For each target time per play, finds the N with which a play of ``search:N`` takes that long on this machine (processor
time of one thread, median of several rounds). Then search:N plays careful on the same deals with sides exchanged, as in
a tournament; margins are luck-adjusted. Takes 12 minutes on one core. ``--quick`` plays a few deals of all but the
longest time, into out/results.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
import numpy as np
import polars as pl

import cirulla_sim as cs
from cirulla_sim.engine.chunks import playable
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.duplicate import LESS_UNIT, arrangements, less_luck, margins, mean_of
from cirulla_sim.experiments.duplicate import play as play_deals
from cirulla_sim.experiments.tournament_pairings import seconds_a_hand
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.tables import SCHEMA, estimate_row, write

ROOT = Path(__file__).parent.parent
FOLDER, QUICK_FOLDER = ROOT / "results", ROOT / "out" / "results"
COMMAND = "python scripts/time_curve.py"
OPPONENT = "careful"
PLAYERS = (2, 4)
SEED = 505
ROUNDS, LONG = 5, 0.25
"""Rounds of a measurement, and the total seconds after which no further round is needed."""

FIRST, STEPS, NEAR = 16, 8, 0.05
"""The first size tried, the most sizes tried, and the relative tolerance around the target time."""


class Point(NamedTuple):
    """A target time per play, in milliseconds, and the deals to play: fewer for slow plays."""

    target: float
    deals: int


POINTS = (
    Point(0.01, 1000), Point(0.03, 1000), Point(0.1, 1000), Point(0.3, 1000), Point(1.0, 700), Point(3.0, 400),
    Point(10.0, 200), Point(30.0, 100),
)  # fmt: skip
QUICK_DIVISOR, MIN_DEALS = 50, 4
PART = 5
"""Deals in a thread's task."""

COLUMNS = {"players": pl.Int64, "policy": pl.String, "asked": pl.Float64, "took": pl.Float64, "size": pl.Int64}
"""The columns before the usual ones: target and measured milliseconds per play, and the samples of search."""


def milliseconds(rules: Rules, size: int) -> float:
    """Processor time per play in a hand of search players, forced plays included.

    The median of several rounds, of fewer if a hand takes long.
    """
    plays, rounds = rules.players * sum(rules.deal_plan), [seconds_a_hand(rules, f"search:{size}")]
    while len(rounds) < ROUNDS and sum(rounds) < LONG:
        rounds.append(seconds_a_hand(rules, f"search:{size}"))
    return median(rounds) * 1e3 / plays


def size_for(cost: Callable[[int], float], target: float, first: int) -> tuple[int, float]:
    """The size whose cost is nearest to the target among those tried, and its cost.

    >>> size_for(lambda size: 0.05 + 0.01 * size, 3.0, 16)
    (295, 3.0)
    >>> size_for(lambda size: 0.5 * size, 0.1, 16)
    (1, 0.5)
    """
    tried: dict[int, float] = {}
    size = first
    while size not in tried and len(tried) < STEPS:
        tried[size] = cost(size)
        if abs(tried[size] - target) <= NEAR * target:
            break
        size = max(1, round(size * target / tried[size]))
    return min(tried.items(), key=lambda pair: abs(pair[1] - target))


def margin_row(rules: Rules, policy: str, deals: int, threads: int) -> dict[str, Any]:
    """The luck-adjusted margin of a policy over careful: a row of a result table."""
    seats = [Experiment(rules, names, deals, SEED) for names in arrangements(2, policy, OPPONENT)]
    for experiment in seats:
        playable(experiment)

    def part(first: int) -> Any:
        each = [play_deals(experiment, first, min(PART, deals - first), luck=True) for experiment in seats]
        return np.stack(each, axis=1)

    with ThreadPoolExecutor(threads) as pool:
        scores = np.concatenate(list(pool.map(part, range(0, deals, PART))))
    less = less_luck(scores)
    assert less is not None
    numbers, unit = margins(less)
    return estimate_row("margin", "hand", "all", "difference", mean_of(numbers, unit / LESS_UNIT))


def rows(points: tuple[Point, ...], threads: int) -> Iterator[dict[str, Any]]:
    """A row for each number of players and target time."""
    for players in PLAYERS:
        rules, size = build(players=players), FIRST
        for target, deals in points:
            size, took = size_for(partial(milliseconds, rules), target, size)
            policy = f"search:{size}"
            click.echo(f"{players} players: {target:g} ms a play is {policy} ({took:.3g} ms)", err=True)
            about = {"players": players, "policy": policy, "asked": target, "took": took, "size": size}
            yield about | margin_row(rules, policy, deals, threads)


def margin_text(row: Mapping[str, Any]) -> str:
    """A margin ± half its interval."""
    return f"{row['estimate']:+.2f} ± {(row['ci_high'] - row['ci_low']) / 2:.2f}"


def sentence(frame: pl.DataFrame, players: int) -> str:
    """The effect of more time: from the first point to the last, and in the last step."""
    here = frame.filter(players=players).sort("asked").to_dicts()
    first, before, last = here[0], here[-2], here[-1]
    return (
        f"With {players} players search:{first['size']}, {first['took']:.2g} ms a play, makes {margin_text(first)} "
        f"points a hand over careful, search:{last['size']}, {last['took']:.2g} ms, {margin_text(last)}; the last "
        f"step, from {before['took']:.2g} ms on, changes it by {last['estimate'] - before['estimate']:+.2f}."
    )


def page(frame: pl.DataFrame, metadata: Mapping[str, Any]) -> str:
    """The page, from the table and its metadata alone."""
    blocks = ["# What more time brings to search"]
    blocks += [textwrap.fill(" ".join(sentence(frame, players) for players in PLAYERS), 120)]
    about = (
        "Times are processor time a play of one thread of one machine, plays without a choice among them, everybody "
        "searching; another machine takes another N for them. What search:N makes over careful is the same on every "
        f"machine, byte for byte: seed {metadata['seed']}, sides exchanged, margins less luck, ± 95% intervals over "
        "deals."
    )
    blocks += [textwrap.fill(about, 120), "![curve](curve.png)"]
    for players in PLAYERS:
        head = ["ms asked", "policy", "ms measured", "points a hand over careful", "deals"]
        lines = [head, ["---:", "---", "---:", "---:", "---:"]]
        lines += [
            [f"{row['asked']:g}", row["policy"], f"{row['took']:.3g}", margin_text(row), f"{row['n']:,}"]
            for row in frame.filter(players=players).sort("asked").to_dicts()
        ]
        blocks += [f"## {players} players", "\n".join(f"| {' | '.join(line)} |" for line in lines)]
    blocks.append(f"Written by `{metadata['command']}`.")
    return "\n\n".join(blocks) + "\n"


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="A few deals of all but the longest time, into out/results.")
@click.option("--threads", default=1, show_default=True, help="Threads that play; times are measured on one.")
def main(quick: bool, threads: int) -> None:
    """Measure, play, and write the table, the page and the chart."""
    folder = QUICK_FOLDER if quick else FOLDER
    points = tuple(Point(p.target, max(p.deals // QUICK_DIVISOR, MIN_DEALS)) for p in POINTS[:-1]) if quick else POINTS
    frame = pl.DataFrame(list(rows(points, threads)), schema={**COLUMNS, **SCHEMA}, orient="row")
    command = " ".join([COMMAND, *(word for word in sys.argv[1:] if word == "--quick")])
    metadata = {"schema": "curve/2", "version": cs.__version__, "command": command, "preset": "cirulla", "seed": SEED}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "curve.parquet"
    write(frame, file, metadata)
    file.with_suffix(".md").write_text(page(frame, metadata), "utf-8")
    cs.plot(file, output=file.with_suffix(".png"))


if __name__ == "__main__":
    main()
