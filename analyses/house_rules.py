"""What does each house rule of Cirulla change in a hand, for two and for four players?

Run: every house rule of the catalogue against the rules without it, on the same deals with the same dice, greedy play.
Tables: every quantity with its 95% interval, the gain in precision by pairing, Holm-corrected chances (parquet), and
the same in a few words (markdown). Figures: all effects, the biggest first. Answer: the table in words.

    python analyses/house_rules.py [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

import cirulla_sim as cs
from cirulla_sim.kept import render

PLAYERS = (2, 4)
HANDS = 2_000_000
POLICY = "greedy"
SEED = 1
FOLDER = Path(__file__).parent.parent / "results"


def study(players: int, folder: Path, hands: int = HANDS) -> str:
    """Carry out the comparison for a number of players, write its files, and return the part of the report."""
    file = folder / f"house_rules_{players}.parquet"
    result = cs.compare(players=players, all_houses=True, policy=POLICY, hands=hands, seed=SEED, output=file)
    if result.exit_code:
        raise KeyboardInterrupt
    for suffix in (".png", ".svg"):
        cs.plot(file, output=file.with_suffix(suffix))
    parts = [
        f"## {players} players",
        f"{hands:,} hands of {POLICY} play under each rule set, seed {SEED}. The first line is Cirulla as most people "
        "play it; the others are differences from it, with half their 95% intervals.",
        render(result.shown, "markdown"),
        f"![What house rules change, {players} players](house_rules_{players}.png)",
        _still(result.frame),
        *(f"{remark}." for remark in result.remarks if remark.startswith("Left out")),
        "The same file by the command line:",
        f"```\n{result.command} -o house_rules_{players}.parquet\n```",
    ]
    return "\n\n".join(part for part in parts if part)


def _still(frame: pl.DataFrame) -> str:
    """Which rules no hand felt, told from those that no hand can feel."""
    differences = frame.filter(kind="difference")
    never = differences.filter(pl.col("exact") == "0")["rules"].unique(maintain_order=True).to_list()
    unseen = frame.filter(quantity="changed", estimate=0.0)["rules"].to_list()
    said = [f"`{name}`" for name in unseen if name not in never]
    named = ", ".join(f"`{name}`" for name in never)
    ends = (
        f"No hand can go otherwise under {named}: they change when a game ends, or a choice that {POLICY} play makes "
        "so anyway (the matta is an ace in a low holding)."
        if never
        else ""
    )
    same = f"changed no hand: what they allow, {POLICY} play never uses, and what they demand, it does anyway."
    return f"{ends} {', '.join(said)} {same}" if said else ends


def main(folder: Path = FOLDER, hands: int = HANDS) -> None:
    """Write all tables, figures and the report."""
    parts = [
        "# What house rules change in a hand of Cirulla",
        "Made by `python analyses/house_rules.py`. Points are those of all sides together; the margin is the points of "
        "the dealer's side less those of the others (their mean); `hands changed` is the share of hands that went "
        "another way in a card, a capture, a knock or a point; `mostly` is the category that gained or lost most. A "
        "hand that a rule ends at the deal counts without points. Every quantity, by side and by category, is in the "
        "parquet files.",
        *(study(players, folder, hands) for players in PLAYERS),
    ]
    (folder / "house_rules.md").write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
