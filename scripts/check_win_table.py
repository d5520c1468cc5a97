"""Check the win table (a Markov chain of scores) against simulated games from 50 scores.

python scripts/check_win_table.py [preset] [policy] [games a score]
"""

from __future__ import annotations

import sys

import numpy as np

from cirulla_sim.experiments.expectancy import measure
from cirulla_sim.experiments.playing_on import played_out
from cirulla_sim.experiments.win_chance_setup import Setting
from cirulla_sim.ruleset.presets import build

SCORES = 50


def main(preset: str = "cirulla", policy: str = "greedy", games: str = "200000") -> None:
    """Print a line for each score, then how many differences are within one, two and three standard errors."""
    setting = Setting(build(preset), preset, tuple(policy.split(",")), hands=4_000_000, seed=11)
    win_table = measure(setting.rules, setting.policies, setting.hands, setting.seed)
    rng = np.random.default_rng(7)
    differences = []
    for number in range(SCORES):
        us, them = (int(x) for x in rng.integers(0, setting.rules.target, 2))
        dealer = int(rng.integers(2))
        chain = win_table.chance(us, them, dealer)
        own = Setting(setting.rules, preset, setting.policies, seed=100 + number)  # independent games for each score
        played = played_out(own, (us, them), dealer, int(games))
        error = float(np.hypot(chain.std_error, played.std_error))
        differences.append((chain.value - played.value) / error)
        who = "us" if dealer == 0 else "them"
        both = f"chain {chain.value:.5f}  played {played.value:.5f}"
        print(f"{us:3}-{them:<3} {who:4}  {both}  {differences[-1]:+.2f} standard errors")
    sizes = np.abs(differences)
    print(f"within 1, 2, 3 standard errors: {(sizes < 1).sum()}, {(sizes < 2).sum()}, {(sizes < 3).sum()} of {SCORES}; "
          f"the largest {sizes.max():.2f}, root mean square {np.sqrt((sizes**2).mean()):.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
