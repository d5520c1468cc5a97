"""How often 95% intervals hold the truth: small runs of the public functions, against one long run of each.

python scripts/interval_coverage.py [CASE...] [--runs 200] [--markdown docs/explanation/intervals.md]

Prints a line for each case and kind of number. With --markdown the table of a page has the lowest and the highest of
the kinds of each case. A coverage of 95% in 200 runs has a standard error of 1.5% for one number; lines count all
numbers of a kind, which rise and fall together.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

import cirulla_sim as cs

NAMES = ("policy", "opponent", "rules", "play", "quantity", "per", "side", "kind", "value", "by")
"""Columns that say what a row is of."""

LEAST_SEEN = 0.2
"""The share of the runs that show a row, at least: of rarer ones the runs that show it are not typical."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """Runs of a public function: its arguments, what counts its trials, and how many the long run has."""

    verb: str
    arguments: Mapping[str, Any]
    unit: str = "hands"
    sizes: Sequence[int] = (5, 20, 200, 2000)
    truth: int = 1_000_000
    named: Callable[[int], Mapping[str, Any]] = field(default=lambda n: {})
    """Further arguments that depend on the number of trials."""
    kinds: Callable[[Row], str | None] = field(default=lambda row: row["kind"])
    """What kind of number a row is, None for none of interest."""

    def rows(self, n: int, seed: int) -> dict[tuple[Any, ...], Row]:
        """The rows of a run by what they are of."""
        given = {"policy": "greedy", "players": 2, "progress": False, "threads": 1} | dict(self.arguments)
        if self.arguments.get("policy") == ():
            del given["policy"]
        result = getattr(cs, self.verb)(**given | {self.unit: n, "seed": seed} | dict(self.named(n)))
        rows = result.frame.to_dicts()
        return {
            tuple(row.get(name) for name in NAMES): row
            for row in rows
            if row["ci_low"] is not None and row.get("exact") is None
        }


def of_details(row: Row) -> str | None:
    """Means by how they are bounded: points and numbers of things from 0 on, margins both ways."""
    if row["kind"] == "mean":
        return "mean, of both signs" if row["quantity"] in ("margin", "match_points") else "mean, from 0 on"
    return row["kind"] if row["value"] is None else f"{row['kind']} of a value"


def of_differences(row: Row) -> str | None:
    return "difference" if row["kind"] == "difference" else None


QUESTIONS = [
    "points(dealer_side) >= 9", "mean(points(dealer_side))", "ratio(points(dealer_side), points(together))",
    "sd(margin(dealer_side))", "correlation(points(dealer_side), sweeps(dealer_side))",
    "histogram(sweeps(dealer_side))",
]  # fmt: skip

TURN = "table: Ad 5c 7h Kd; me: 7d 2s Jh; i am: first"

CASES = {
    "simulate": Case("simulate", {}, kinds=of_details),
    "simulate, 3 players": Case("simulate", {"players": 3}, kinds=of_details),
    "simulate, line-ups": Case(
        "simulate", {"policy": ["greedy", "random"]}, kinds=of_differences, truth=400_000
    ),
    "simulate, control hands": Case(
        "simulate", {"policy": ["greedy", "random"]}, sizes=(200, 2000), truth=400_000,
        named=lambda n: {"control_hands": 10 * n}, kinds=of_details,
    ),
    "compare": Case("compare", {"house": "no-matta"}, kinds=of_differences),
    "compare, 3 players": Case("compare", {"house": "no-matta", "players": 3}, kinds=of_differences),
    "compare, stratified": Case(
        "compare", {"house": ["table-nine", "three-equal-misdeal"]}, sizes=(5, 20, 50, 200), kinds=of_differences
    ),
    "compare, stratified, random": Case(
        "compare", {"house": "three-equal-misdeal", "policy": "random"}, sizes=(5, 20, 50, 200), kinds=of_differences
    ),
    "games": Case("games", {}, "games", (2, 3, 5, 10, 20, 200), 100_000, kinds=of_details),
    "games, 3 players": Case("games", {"players": 3}, "games", (2, 5, 20, 200), 100_000, kinds=of_details),
    "games, tournament rules": Case(
        "games", {"rules": "cirulla-tournament", "players": 4}, "games", (2, 5, 20, 200), 50_000, kinds=of_details
    ),
    "games from a score": Case("games", {"at": "score: 44-30; i am: dealer"}, sizes=(20, 200, 2000), truth=400_000),
    "odds": Case("odds", {"question": QUESTIONS}, truth=400_000, kinds=of_details),
    "odds, quantiles": Case("odds", {"question": "quantiles(points(dealer_side))"}, sizes=(20, 200, 2000)),
    "odds, given": Case(
        "odds", {"question": ["wins(dealer_side)", "mean(points(dealer_side))"], "given": "grande(somebody)"},
        sizes=(20, 200, 2000), kinds=of_details,
    ),
    "odds, by": Case(
        "odds", {"question": "mean(points(dealer_side))", "by": "captured(dealer_side, settebello)"}, truth=400_000,
        kinds=of_details,
    ),
    "advise": Case(
        "advise", {"at": TURN, "policy": ()}, "samples", (20, 200, 2000), 100_000, kinds=lambda row: row["quantity"]
    ),
    "tournament": Case(
        "tournament", {"policy": ["random", "greedy", "careful"]}, sizes=(20, 40, 100, 500), truth=40_000,
        kinds=lambda row: row["quantity"],
    ),
    "tournament, 3 players": Case(
        "tournament", {"policy": ["random", "greedy"], "players": 3}, sizes=(20, 40, 100, 500), truth=40_000,
        kinds=lambda row: row["quantity"],
    ),
}  # fmt: skip


def coverage(case: Case, n: int, truths: Mapping[tuple[Any, ...], Row], runs: int) -> dict[str, tuple[int, int, int]]:
    """How many intervals of each kind were shown, how many held the truth, and of how many numbers."""
    shown: dict[tuple[Any, ...], list[bool]] = defaultdict(list)
    for seed in range(2, 2 + runs):
        for key, row in case.rows(n, seed).items():
            if key in truths:
                shown[key].append(row["ci_low"] <= truths[key]["estimate"] <= row["ci_high"])
    counts: dict[str, tuple[int, int, int]] = {}
    for key, held in shown.items():
        if (kind := case.kinds(truths[key])) is not None and len(held) >= LEAST_SEEN * runs:
            all_shown, all_held, numbers = counts.get(kind, (0, 0, 0))
            counts[kind] = all_shown + len(held), all_held + sum(held), numbers + 1
    return counts


def measured(name: str, runs: int) -> dict[str, dict[int, float]]:
    """The coverage of each kind of number of a case in percent, rounded down, by number of trials."""
    case = CASES[name]
    truths, found = case.rows(case.truth, 1), defaultdict[str, dict[int, float]](dict)
    for n in case.sizes:
        for kind, (shown, held, _) in coverage(case, n, truths, runs if n <= 500 else runs // 2).items():
            found[kind.replace("_", " ")][n] = math.floor(1000 * held / shown) / 10
    return found


def summary(name: str, found: Mapping[str, Mapping[int, float]]) -> str:
    """The row of a case: by number of trials the lowest and the highest coverage of its kinds of numbers."""
    sizes = dict.fromkeys(n for by_size in found.values() for n in by_size)
    cells = {n: [by_size[n] for by_size in found.values() if n in by_size] for n in sizes}
    parts = (f"{n:,}: {'–'.join(dict.fromkeys(map(str, (min(cell), max(cell)))))}%" for n, cell in cells.items())
    return f"| {name} | {len(found)} | {' · '.join(parts)} |"


@click.command()
@click.argument("cases", nargs=-1)
@click.option("--runs", default=200, help="Runs of each size; half as many of more than 500 trials.")
@click.option("--markdown", type=click.Path(path_type=Path), help="A page whose table is replaced.")
def main(cases: Sequence[str], runs: int, markdown: Path | None) -> None:
    """Measure the coverage of some cases, of all by default."""
    lines = ["| numbers | kinds | coverage by number of trials |", "|---|---|---|"]
    for name in cases or CASES:
        found = measured(name, runs)
        lines.append(summary(name, found))
        for kind, by_size in found.items():
            click.echo(f"{name}, {kind}: " + " · ".join(f"{n:,}: {held}%" for n, held in by_size.items()))
    if markdown is not None:
        text = markdown.read_text("utf-8")
        marked = re.compile(r"(<!-- scripts/interval_coverage.py -->\n).*?(<!-- -->)", re.S)
        markdown.write_text(marked.sub(lambda found: found[1] + "\n".join(lines) + "\n" + found[2], text), "utf-8")


if __name__ == "__main__":
    main()
