"""Check the win table (a Markov chain of scores) against simulated games from 50 scores.

python scripts/check_win_table.py [preset] [policy] [games a score]
"""

from __future__ import annotations

import sys

import numpy as np

import cirulla_sim as cs

SCORES = 50


def main(preset: str = "cirulla", policy: str = "greedy", games: str = "200000") -> None:
    """Print a line for each score, then how many differences are within one, two and three standard errors."""
    rules = cs.rules(preset)
    table = cs.games(rules, policy=policy, win_table=True, hands=4_000_000, seed=11).frame
    rng = np.random.default_rng(7)
    differences = []
    for number in range(SCORES):
        us, them = (int(x) for x in rng.integers(0, rules.fields.target, 2))
        dealer, me = (("us", "dealer"), ("them", "first"))[int(rng.integers(2))]
        chain = table.filter(us=us, them=them, dealer=dealer).row(0, named=True)
        played = cs.games(  # independent games for each score
            rules, policy=policy, at=f"score: {us}-{them}", me=me, hands=2000, check=games, seed=100 + number
        ).frame.row(1, named=True)
        error = float(np.hypot(chain["std_error"], played["std_error"]))
        differences.append((chain["estimate"] - played["estimate"]) / error)
        both = f"chain {chain['estimate']:.5f}  played {played['estimate']:.5f}"
        print(f"{us:3}-{them:<3} {dealer:4}  {both}  {differences[-1]:+.2f} standard errors")
    sizes = np.abs(differences)
    print(f"within 1, 2, 3 standard errors: {(sizes < 1).sum()}, {(sizes < 2).sum()}, {(sizes < 3).sum()} of {SCORES}; "
          f"the largest {sizes.max():.2f}, root mean square {np.sqrt((sizes**2).mean()):.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
