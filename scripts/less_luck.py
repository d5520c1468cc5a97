"""How much narrower a margin less luck is than the margin as played, and what it costs.

Run as ``python scripts/less_luck.py PLAYERS POLICY,POLICY DEALS``, for two sides. It prints both margins with standard
errors, the ratio of their variances over the same deals, the time a deal takes (one core), and the ratio at equal time.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import duplicate
from cirulla_sim.experiments.duplicate import LESS_UNIT, arrangements, less_luck, margins, mean_of
from cirulla_sim.ruleset.presets import build


def main(players: int, policies: str, deals: int) -> None:
    """Play the deals on both sides with luck adjustment, and once more without it to measure the time."""
    rules = build(players=players)
    seats = [Experiment(rules, names, deals) for names in arrangements(2, *policies.split(","))]
    spent = []
    for luck in (False, True):
        for experiment in seats:
            duplicate.play(experiment, 0, 1, luck)  # compiled now
        start = time.thread_time()
        scores = np.stack([duplicate.play(experiment, 0, deals, luck) for experiment in seats], axis=1)
        spent.append((time.thread_time() - start) / deals)
    less = less_luck(scores)
    assert less is not None
    plain = mean_of(*margins(scores))
    numbers, unit = margins(less)
    less_lucky = mean_of(numbers, unit / LESS_UNIT)
    ratio = (plain.std_error / less_lucky.std_error) ** 2
    print(
        f"{players} players, {policies}, {deals} deals: {plain.value:+.3f} ±{plain.std_error:.3f} as played", end=", "
    )
    print(f"{less_lucky.value:+.3f} ±{less_lucky.std_error:.3f} less luck; variances {ratio:.1f} to 1", end=", ")
    print(f"{1e3 * spent[0]:.2f} and {1e3 * spent[1]:.2f} ms a deal: {ratio * spent[0] / spent[1]:.2f} at equal time")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
