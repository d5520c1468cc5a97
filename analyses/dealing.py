"""Is it good to deal? What the dealer's side makes more than the others, by strength of play and number of players.

Run: greedy, careful and search, each line-up on the same deals as careful, with 2, 3 and 4 players of Cirulla.
Tables: every quantity of every line-up and the paired differences (parquet). Figure: the margin by strength. Answer: a
table and a sentence a number of players (markdown).

    python analyses/dealing.py [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import cirulla_sim as cs

PLAYERS = (2, 3, 4)
QUICK, SLOW = ("careful", "greedy", "random"), ("careful", "search")
QUICK_HANDS, SLOW_HANDS = 400_000, 100_000
SEED = 2031
FOLDER = Path(__file__).parent.parent / "results"

Row = dict[str, Any]


def margins(result: cs.Result) -> dict[str, Row]:
    """The dealer's margin a hand of every line-up."""
    rows = result.frame.filter(quantity="margin", side="dealer", kind="mean")
    return {row["policy"]: row for row in rows.to_dicts()}


def study(players: int, folder: Path) -> str:
    """Play both sets of line-ups, write their files, and return the part of the report."""
    results = {}
    for name, line_ups, hands in (("quick", QUICK, QUICK_HANDS), ("slow", SLOW, SLOW_HANDS)):
        file = folder / f"dealing_{players}_{name}.parquet"
        results[name] = cs.simulate(players=players, policy=line_ups, hands=hands, seed=SEED, output=file)
        if results[name].exit_code:
            sys.exit(results[name].exit_code)
    cs.plot(folder / f"dealing_{players}_slow.parquet", output=folder / f"dealing_{players}.png")
    found = margins(results["quick"]) | {"search": margins(results["slow"])["search"]}
    lines = ["| players of the hand | margin of the dealer's side | hands |", "|---|---|---|"]
    for policy in ("random", "greedy", "careful", "search"):
        lines.append(f"| `{policy}` | {spread(found[policy])} | {found[policy]['n']:,} |")
    [apart] = results["slow"].frame.filter(quantity="margin", kind="difference").to_dicts()
    parts = [
        f"## {players} players",
        verdict(found["search"]),
        "\n".join(lines),
        f"On the same deals dealing is worth {spread(apart)} points more to `search` than to `careful`.",
        f"![What dealing is worth, {players} players](dealing_{players}.png)",
        "The files by the command line:",
        "\n".join(["```", *(f"{one.command} -o ..." for one in results.values()), "```"]),
    ]
    return "\n\n".join(parts)


def verdict(row: Row) -> str:
    """The answer for the strongest, in a sentence."""
    if row["ci_low"] > 0:
        said = "Between players who look ahead it is good to deal"
    elif row["ci_high"] < 0:
        said = "Between players who look ahead it is better not to deal"
    else:
        said = "Between players who look ahead it is not told whether dealing is good or bad"
    return f"{said}: {spread(row)} points a hand."


def spread(row: Row) -> str:
    """An estimate and half its interval."""
    return f"{row['estimate']:+.3f} ± {(row['ci_high'] - row['ci_low']) / 2:.3f}"


def main(folder: Path = FOLDER) -> None:
    """Write all tables, figures and the report."""
    parts = [
        "# Is it good to deal?",
        "Made by `python analyses/dealing.py`. The margin is the points of the dealer's side a hand, less those of the "
        "others (their mean), in Cirulla as most people play it; ± are 95% intervals. The answer turns with who plays: "
        "`random` plays anything, `greedy` takes what it can, `careful` thinks of the next player, and `search` plays "
        "the unseen cards out. Better players yet may give another answer.",
        *(study(players, folder) for players in PLAYERS),
    ]
    (folder / "dealing.md").write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
