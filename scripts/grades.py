"""What each policy loses a play, as the coach judges it: the basis of ``RATES`` in ``cirulla_sim.advice.coach``.

Run as ``python scripts/grades.py [HANDS] [SAMPLES]``. It prints what each policy loses a play that is a choice, in
points of the margin.
"""

from __future__ import annotations

import sys

import numpy as np

from cirulla_sim.advice.coach import coached
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.presets import build

POLICIES = ("careful", "greedy", "random", "search:64")


def main(hands: int, samples: int) -> None:
    """Judge a number of hands of each policy, with two and with four players."""
    for policy in POLICIES:
        rates = []
        for players in (2, 4):
            lost, choices = [], 0
            for number in range(hands):
                record = coached(hand_record(Experiment(build(players=players), (policy,), hands), number), samples)
                plays = [play for play in record["coach"]["plays"] if play["choices"] > 1]
                choices += len(plays)
                lost.append(sum(play["loss"] for play in plays))
            rates.append(sum(lost) / choices)
            half = 2 * np.std(lost) * hands**0.5 / choices
            print(f"{policy}, {players} players: {rates[-1]:.3f} ±{half:.3f} a choice")
        print(f"{policy}: {np.mean(rates):.3f}", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("20", "100")[len(sys.argv) - 1 :])))
