"""The luckiest hand ever: the most points of a side in a hundred million hands, shown card by card.

Run: hands of Cirulla with four greedy players, and the points of each side. Careful players would take ten times as
long, and in hands that lucky skill matters little.
Tables: the distributions of a side's points and of those of the side with more, and the largest hands by number
(parquet). Figures: the points of a hand. The page has the largest hand card by card.

    python analyses/luckiest.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray

import cirulla_sim as cs
from cirulla_sim.engine.chunks import row_names
from cirulla_sim.engine.engines import Folded, fold
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, state
from cirulla_sim.stats.estimates import proportion, stretch
from cirulla_sim.storage.tables import SCHEMA, empty_row, estimate_row

HANDS = 100_000_000
POLICY, PLAYERS = "greedy", 4
LARGEST = 10
MOST = 256
"""More points than any hand reaches."""

TAIL = (20, 30, 40, 50)
SEED = 100
FILE = "luckiest.parquet"
CHART = "luckiest.png"
LOOK = {"figure": "scores"}
QUESTION = {"en": "What is the luckiest hand ever?", "it": "Qual è la smazzata più fortunata di sempre?"}
FILES = ((FILE, "scores"),)
METHOD = """100,000,000 hands of Cirulla, two against two, all four players of the policy `greedy`: it takes what it can
and stands for beginners. For one side, two sides of a hand are two trials; by hands, a hand counts once, whichever side
makes the points. An interval for one side takes both sides of a hand as one trial. The largest hand is a selected
maximum of all these hands. Nothing is compared, so nothing is corrected."""


SIDES = ("others", "dealer")
"""By number: the first of four players is of side 0, the dealer of side 1."""

DISTRIBUTIONS = (*(("points_distribution", side) for side in SIDES), ("most_points_distribution", "all"))
"""Quantities and sides; the last is of the side with more points in a hand."""


class Largest:
    """Collects rows of hands in order: counts the points of each side and of the side with more, keeps the largest."""

    def __init__(self, names: list[str]) -> None:
        self.columns = [names.index(f"side{side}_total") for side in range(2)]
        self.counts = np.zeros((3, MOST), np.int64)
        self.best: list[tuple[int, int, int]] = []  # points, hand, side
        self.done = 0

    def __call__(self, rows: NDArray[Any]) -> None:
        points = rows[:, self.columns]
        least = self.best[-1][0] if self.best else 0
        for side in range(2):
            self.counts[side] += np.bincount(points[:, side], minlength=MOST)
            for row in np.flatnonzero(points[:, side] >= least):
                self.best.append((int(points[row, side]), self.done + int(row), side))
        self.counts[2] += np.bincount(points.max(axis=1), minlength=MOST)
        self.best = sorted(self.best, key=lambda hand: (-hand[0], hand[1]))[:LARGEST]
        self.done += len(rows)


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write the table."""
    experiment = Experiment(cs.rules(players=PLAYERS).fields, (POLICY,), sized(HANDS), SEED)

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        tally = Largest(row_names(experiment.rules))
        fold(partial(experiment.play, rows=True), Folded(0, 0, ""), experiment, keep=tally)
        rows = [
            estimate_row(quantity, "hand", side, "share", proportion(int(count), tally.done), points)
            for (quantity, side), counts in zip(DISTRIBUTIONS, tally.counts, strict=True)
            for points, count in enumerate(counts) if count
        ]  # fmt: skip
        rows += [
            empty_row() | {"quantity": "largest", "per": "hand", "side": SIDES[side], "kind": "maximum",
                           "value": float(hand), "estimate": float(points), "n": tally.done}
            for points, hand, side in tally.best
        ]  # fmt: skip
        metadata = {
            **study.base_metadata(cs.rules(players=PLAYERS), [POLICY], SEED), "command": "python analyses/luckiest.py",
            "hands": tally.done, "stopped": "hands", "schema": "simulate/2",
        }  # fmt: skip
        return pl.DataFrame(rows, schema=SCHEMA, orient="row"), metadata

    arguments = {"hands": sized(HANDS), "seed": SEED, "distributions": DISTRIBUTIONS}
    study.store(folder / FILE, arguments, [experiment], table)


def largest(folder: Path) -> list[study.Row]:
    """The largest hands, the first seen first among equals."""
    return cs.read(folder / FILE).frame.filter(quantity="largest").to_dicts()


def hand_of(row: study.Row) -> cs.Hand:
    """A hand of the table, replayed."""
    return cs.hand(number=int(row["value"]), policy=POLICY, players=PLAYERS, seed=SEED)


def at_least(folder: Path, points: int, by_side: bool) -> study.Row:
    """How often a side makes at least these points: of hands, or ``by_side`` of the sides of hands."""
    result = cs.read(folder / FILE)
    quantity, sides = ("points_distribution", 2) if by_side else ("most_points_distribution", 1)
    rows = result.frame.filter(pl.col("quantity") == quantity, pl.col("value").cast(float) >= points).to_dicts()
    hands = result.metadata["hands"]
    found = proportion(sum(round(row["estimate"] * hands) for row in rows), sides * hands)
    return estimate_row(quantity, "side" if by_side else "hand", "all", "probability", stretch(found, sides**0.5))


def findings(folder: Path) -> list[Finding]:
    """The most points of a side, and how rare high scores are."""
    most = largest(folder)[0]
    twenty, thirty, forty = (at_least(folder, points, by_side=False) for points in TAIL[:3])
    return [
        state("study", "most", {"size": most}, n=Noun("number", str(most["n"]))),
        state("study", "twenty", {"size": twenty}),
        state("study", "thirty", {"size": thirty, "other": forty}),
    ]


def table(folder: Path) -> str:
    """How often many points come, by hands and for one side."""
    lines = []
    for points in TAIL:
        rows = [at_least(folder, points, by_side) for by_side in (False, True)]
        each = ((number(row, study.ENGLISH), study.ENGLISH.odds(row["estimate"])) for row in rows)
        lines.append([str(points), *(text for texts in each for text in texts)])
    return study.table(["points, at least", "of all hands", "", "of the hands of a given side", ""], lines)


def extra(folder: Path) -> str:
    """The largest hand, card by card."""
    row = largest(folder)[0]
    side = {"dealer": "the dealer’s side", "others": "the other side"}[row["side"]]
    return (
        f"Hand {int(row['value']):,}, in which {side} makes {row['estimate']:.0f} points:\n\n```\n{hand_of(row)}\n```"
    )


def sources(folder: Path) -> list[str]:
    """The file."""
    return [FILE]


if __name__ == "__main__":
    study.carry_out("luckiest")
