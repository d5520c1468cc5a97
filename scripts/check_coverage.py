"""How often the intervals of small runs cover the truth: results/coverage.parquet and results/coverage.md.

python scripts/check_coverage.py [--quick] [--threads N]

A thousand runs of a hundred and of a thousand hands, greedy players, for each of some thirty quantities of simulate,
compare, games and tournament with two, three and four players. The truth is the exact mean where there is one, else
what a million hands of another seed show. Quick, it makes a tenth of the runs and prints the table, and writes nothing.
The same command writes the same bytes, whatever the threads. The test suite makes a few hundred runs of some of these.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import polars as pl

from cirulla_sim import __version__
from cirulla_sim.cli.build import options
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.engines import Engine, Folded, Run, carry_out, fold
from cirulla_sim.engine.trials import Experiment, Games, Numbers
from cirulla_sim.exact.expected_bonuses import dealt_points
from cirulla_sim.exact.first_deal import first_deal_odds
from cirulla_sim.experiments import duplicate
from cirulla_sim.experiments.expectancy import WE, measure
from cirulla_sim.experiments.game_quantities import played
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.experiments.paired_effects import compared
from cirulla_sim.experiments.paired_hands import play_pairs
from cirulla_sim.experiments.rule_sets import Comparison, house_rule
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.estimates import Estimate
from cirulla_sim.storage.tables import write
from cirulla_sim.verbs.options import THREADS_OPTION

ROOT = Path(__file__).parent.parent
TABLE, PAGE = (ROOT / "results" / f"coverage.{end}" for end in ("parquet", "md"))
COMMAND = "python scripts/check_coverage.py"

POLICY, SEED, OTHER_SEED = "greedy", 1, 2
RUNS, QUICK_RUNS = 1000, 100
SIZES = (100, 1000)
GAME_HANDS = 300
TRUTH = 1_000_000
LOW, HIGH = 0.93, 0.97

Key = tuple[str, ...]
Rows = dict[Key, dict[str, Any]]


class Quantity(NamedTuple):
    """A quantity: the key of its row in a table, and its label for readers."""

    key: Key
    label: str


SIMULATED = (
    Quantity(("misdeal", "all", "probability", ""), "misdeal, of a table"),
    Quantity(("table_15", "dealer", "probability", ""), "fifteen on the table"),
    Quantity(("points_table_bonus", "dealer", "mean", ""), "points for the table"),
    Quantity(("points_hand_bonus", "all", "mean", ""), "points for bonuses held"),
    Quantity(("hand_triple", "all", "mean", "3"), "three equal in the last stage, a hand"),
    Quantity(("points", "all", "mean", ""), "points of all sides"),
    Quantity(("margin", "dealer", "mean", ""), "dealer's margin"),
    Quantity(("wins_hand", "dealer", "share", ""), "hands the dealer wins"),
    Quantity(("wins_hand", "others", "share", ""), "hands the others win"),
    Quantity(("sweeps", "all", "mean", ""), "sweeps"),
    Quantity(("points_grande", "dealer", "mean", ""), "points for la grande, dealer"),
    Quantity(("piccola", "others", "probability", ""), "la piccola, others"),
    Quantity(("primiera_won", "others", "share", "2"), "primiera won with two sevens, others"),
    Quantity(("points_distribution", "others", "share", "5"), "five points in a hand, others"),
    Quantity(("knock of a holding", "all", "probability", ""), "bonuses held, of a holding"),
    Quantity(("hand_low of a holding", "all", "probability", ""), "9 or less, of a holding"),
)
"""By quantity, side, kind and value."""

ALONE = (
    Quantity(("points_distribution", "others", "share", "1"), "each alone: one point in a hand, others"),
    Quantity(("points_distribution", "others", "share", "5"), "each alone: five points in a hand, others"),
    Quantity(("wins_hand", "others", "share", ""), "each alone: hands the others win"),
    Quantity(("margin", "dealer", "mean", ""), "each alone: dealer's margin"),
)
"""The same for four players without partners, whose sides depend on each other."""

AT_THE_DEAL = (
    Quantity(("points", "all", "mean", ""), "hands won at the deal: points of all sides"),
    Quantity(("wins_hand", "dealer", "share", ""), "hands won at the deal: hands the dealer wins"),
)
"""The same where hands can be won at the deal, so that control variates have other means."""

COMPARED = (
    Quantity(("no-matta", "points", "all"), "no-matta: points"),
    Quantity(("no-matta", "wins_hand", "dealer"), "no-matta: hands the dealer wins"),
    Quantity(("piccola-seven", "points", "all"), "piccola-seven: points"),
    Quantity(("table-nine", "margin", "dealer"), "table-nine: dealer's margin"),
    Quantity(("four-equal-wins", "points", "all"), "four-equal-wins: points"),
)
"""Differences, by house rule, quantity and side."""

CHANCE = Quantity(("38", "41"), "chance to win from 38-41, dealing")

GAMES = (
    Quantity(("wins_game", "dealer"), "games the first dealer wins"),
    Quantity(("hands", "all"), "hands of a game"),
    Quantity(("margin", "dealer"), "first dealer's margin in a game"),
    Quantity(("winning_margin", "all"), "winning margin in a game"),
)
"""Whole games, by quantity and side."""

MATCHES = (
    Quantity(("margin",), "greedy against random: margin"),
    Quantity(("wins_hand",), "greedy against random: hands won"),
    Quantity(("wins_game",), "greedy against random: games won"),
)
"""Tournaments of two policies on duplicate deals."""

SCHEMA = {
    "said": pl.String, "verb": pl.String, "players": pl.Int64, "hands": pl.Int64, "runs": pl.Int64, "truth": pl.Float64,
    "exact": pl.Boolean, "held": pl.Float64, "half_width": pl.Float64, "nothing": pl.Float64,
}  # fmt: skip
"""Share of runs whose interval covers the truth, mean half-width, share of runs in which nothing was seen."""


# ------------------------------------------------------------------------------------------------ small runs


def of_run(experiment: Experiment, first: int, hands: int) -> Rows:
    """The table of ``simulate`` for some hands."""
    return table_of(Run(experiment, play_chunk(experiment, first, hands)[0], hands, "hands"))


def table_of(run: Run) -> Rows:
    """The table of ``simulate`` by key, those of a hand before those of a side."""
    rows = {}
    for row in reversed(simulated(run).to_dicts()):
        name = row["quantity"] + (" of a holding" if row["per"] == "holding" else "")
        rows[name, row["side"], row["kind"], row["value"] or ""] = row
    return rows


def of_games(experiment: Games, first: int, games: int) -> Rows:
    """The table of ``games`` by quantity and side."""
    rows = played(Run(experiment, experiment.play(first, games)[0], games, "games")).filter(pl.col("value").is_null())
    return {(row["quantity"], row["side"]): row for row in reversed(rows.to_dicts())}


def of_matches(rules: Rules, seed: int, first: int, deals: int) -> Rows:
    """The margins and chances of a tournament between greedy and random."""
    seats = duplicate.arrangements(rules.sides, POLICY, "random")
    parts = [duplicate.play(Experiment(rules, names, first + deals, seed), first, deals) for names in seats]
    scores = np.stack(parts, axis=1)
    own = duplicate.alone(scores)
    estimates = {
        "margin": duplicate.mean_of(*duplicate.margins(scores)),
        "wins_hand": duplicate.hands_won(own),
        "wins_game": duplicate.games_won(own, rules),
    }
    return {(name,): interval(estimate) for name, estimate in estimates.items()}


def interval(estimate: Estimate) -> dict[str, Any]:
    """The columns of an estimate."""
    return {
        "estimate": estimate.value, "std_error": estimate.std_error, "ci_low": estimate.low, "ci_high": estimate.high,
    }  # fmt: skip


def of_pairs(comparison: Comparison, first: int, hands: int) -> Rows:
    """The differences of ``compare`` for some hands."""
    return differences(comparison, Folded(play_pairs(comparison, first, hands)[0], hands, "hands"))


def differences(comparison: Comparison, folded: Folded) -> Rows:
    """The differences of ``compare`` by key."""
    rows = compared(comparison, folded).filter(kind="difference").to_dicts()
    return {(row["rules"], row["quantity"], row["side"]): row for row in rows}


def row(
    quantity: Quantity, verb: str, players: int, hands: int, rows: list[dict[str, Any]], truth: float, exact: bool
) -> Any:
    """A row of the table."""
    ends = np.array([(interval["ci_low"], interval["ci_high"]) for interval in rows])
    return {
        "said": quantity.label, "verb": verb, "players": players, "hands": hands, "runs": len(rows), "truth": truth,
        "exact": exact, "held": float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()),
        "half_width": float((ends[:, 1] - ends[:, 0]).mean() / 2),
        "nothing": float(np.mean([interval["std_error"] == 0 for interval in rows])),
    }  # fmt: skip


def small_runs(
    quantities: tuple[Quantity, ...], verb: str, players: int, runs: int, play: Callable[[int, int], Rows],
    truths: Callable[[Quantity], tuple[float, bool]], sizes: tuple[int, ...] = SIZES,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The rows of some quantities, from runs on disjoint hands."""
    for hands in sizes:
        tables = [play(run * hands, hands) for run in range(runs)]
        for quantity in quantities:
            if quantity.key in tables[0]:
                yield row(quantity, verb, players, hands, [rows[quantity.key] for rows in tables], *truths(quantity))


# ------------------------------------------------------------------------------------------------ truths


def exact_means(rules: Rules) -> dict[str, float]:
    """Exact means, by quantity; greedy players show all they hold."""
    odds = {entry.quantity: float(entry.exact) for entry in first_deal_odds(rules) if entry.per in ("table", "hand")}
    points = dealt_points(rules)
    assert points is not None
    held = points["hand_bonus_dealer"] + points["hand_bonus_others"]
    return {name: odds[name] for name in ("misdeal", "table_15")} | {
        "points_hand_bonus": float(held),
        "points_table_bonus": float(points["table_bonus"]),
    }


def lines(players: int, runs: int, truth: int, threads: int | None) -> Iterator[dict[str, Any]]:
    """All rows for a number of players."""
    rules = build(players=players)
    exact = exact_means(rules)
    truth_rows = table_of(carry_out(Experiment(rules, (POLICY,), truth, OTHER_SEED), Engine(threads=threads)))
    experiment = Experiment(rules, (POLICY,), runs * max(SIZES), SEED)
    yield from small_runs(
        SIMULATED, "simulate", players, runs, partial(of_run, experiment),
        lambda quantity: (exact.get(quantity.key[0], truth_rows[quantity.key]["estimate"]), quantity.key[0] in exact),
    )  # fmt: skip
    other = build(players=players, changes={"partnership": False}) if players == 4 else None
    for quantities, changed in ((AT_THE_DEAL, house_rule(rules, "four-equal-wins")), (ALONE, other)):
        if changed is not None:
            shown = table_of(carry_out(Experiment(changed, (POLICY,), truth, OTHER_SEED), Engine(threads=threads)))
            yield from small_runs(
                quantities, "simulate", players, runs,
                partial(of_run, Experiment(changed, (POLICY,), runs * max(SIZES), SEED)),
                lambda quantity, shown=shown: (shown[quantity.key]["estimate"], False),
            )  # fmt: skip
    sets = {"cirulla": rules} | {quantity.key[0]: house_rule(rules, quantity.key[0]) for quantity in COMPARED}
    truth_comparison = Comparison(sets, LineUp.parse(POLICY), truth, OTHER_SEED)
    start = Folded(np.zeros(truth_comparison.tally_size(), np.int64), 0, "interrupted")
    truth_differences = differences(
        truth_comparison,
        fold(partial(play_pairs, truth_comparison), start, Numbers(truth, chunk=1 << 13), Engine(threads=threads)),
    )
    pairs = Comparison(sets, LineUp.parse(POLICY), runs * max(SIZES), SEED)
    yield from small_runs(
        COMPARED,
        "compare",
        players,
        runs,
        partial(of_pairs, pairs),
        lambda quantity: (truth_differences[quantity.key]["estimate"], False),
    )
    if rules.sides == 2:
        us, them = (int(points) for points in CHANCE.key)
        chance = measure(rules, (POLICY,), truth, OTHER_SEED, threads=threads).chance(us, them, WE).value
        intervals = []
        for run in range(runs):
            chance_of_run = measure(rules, (POLICY,), GAME_HANDS, OTHER_SEED + 1 + run, engine="serial").chance(
                us, them, WE
            )
            intervals.append(interval(chance_of_run))
        yield row(CHANCE, "games", players, GAME_HANDS, intervals, chance, False)
    games = truth // 10
    whole = of_games(Games(rules, (POLICY,), games, OTHER_SEED), 0, games)
    yield from small_runs(
        GAMES, "games", players, runs, partial(of_games, Games(rules, (POLICY,), runs * GAME_HANDS, SEED)),
        lambda quantity: (whole[quantity.key]["estimate"], False), (GAME_HANDS,),
    )  # fmt: skip
    if players < 4:
        won = of_matches(rules, OTHER_SEED, 0, truth)
        yield from small_runs(
            MATCHES, "tournament", players, runs, partial(of_matches, rules, SEED),
            lambda quantity: (won[quantity.key]["estimate"], False), (max(SIZES),),
        )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the page


def page(frame: pl.DataFrame) -> str:
    """The page, from the table alone."""
    runs = frame["runs"].max()
    columns = frame.select("players", "hands").unique().sort("players", "hands").rows()
    cells = {(cell["said"], cell["players"], cell["hands"]): cell for cell in frame.to_dicts()}
    head = ["", *(f"{players} players, {hands}" for players, hands in columns)]
    rows = [
        [label, *(percent(cells.get((label, players, hands))) for players, hands in columns)]
        for label in frame["said"].unique(maintain_order=True)
    ]
    outside = frame.filter((pl.col("held") < LOW) | (pl.col("held") > HIGH))
    few = outside.filter(pl.col("nothing") > 0.01)
    intro = (
        f"{runs:,} small runs of greedy players for each quantity, of the hands (or games, or deals) that the column "
        "says, and how many of 100 of them have a 95% interval that holds the truth. The truth is exact for misdeals, "
        "the table and bonuses "
        f"held; else it is that of {TRUTH:,} hands of another seed."
    )
    summary = (
        f"Of {frame.height} cells {frame.height - outside.height} are from {100 * LOW:.0f} to {100 * HIGH:.0f}. The "
        f"{outside.height} others, in italics, are from {100 * outside['held'].min():.1f} to "
        f"{100 * outside['held'].max():.1f}. In {few.height} of these some runs saw nothing at all of what is asked "
        "(marked with a star): an interval of what is so rare holds the truth in nearly all runs, or it would have no "
        f"width in many. A thousand runs by themselves scatter by {100 * math.sqrt(0.95 * 0.05 / 1000):.1f}."
    )
    origin = f"Written by `{COMMAND}`; truths and half-widths are in `results/coverage.parquet`."
    table = [head, ["---", *("---:" for _ in columns)], *rows]
    parts = (
        "# How often intervals hold the truth",
        textwrap.fill(intro, 120),
        "\n".join(f"| {' | '.join(line)} |" for line in table),
        textwrap.fill(summary, 120),
        textwrap.fill(origin, 120),
    )
    return "\n\n".join(parts) + "\n"


def percent(cell: dict[str, Any] | None) -> str:
    """Coverage in percent: in italics outside the limits, with a star where some runs saw nothing."""
    if cell is None:
        return ""
    text = f"{100 * cell['held']:.1f}" + ("\\*" if cell["nothing"] > 0.01 else "")
    return text if LOW <= cell["held"] <= HIGH else f"*{text}*"


@click.command()
@click.option("--quick", is_flag=True, help="A tenth of the runs, printed and not written.")
@options(THREADS_OPTION)
def main(quick: bool, threads: int | None) -> None:
    """Simulate, and write the table and the page."""
    runs, truth = (QUICK_RUNS, TRUTH // 10) if quick else (RUNS, TRUTH)
    frame = pl.DataFrame(
        [line for players in (2, 3, 4) for line in lines(players, runs, truth, threads)], schema=SCHEMA, orient="row"
    )
    if quick:
        print(page(frame))
        print(f"{math.fsum(frame['held']) / frame.height:.3f} on the whole")
        return
    metadata = {"version": __version__, "command": COMMAND, "policies": [POLICY], "seed": SEED, "schema": "coverage/2"}
    write(frame, TABLE, metadata)
    PAGE.write_text(page(pl.read_parquet(TABLE)), "utf-8")


if __name__ == "__main__":
    main()
