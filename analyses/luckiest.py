"""The luckiest hand ever: the most points of a side in a hundred million hands, shown card by card.

Run: hands of Cirulla with four greedy players, and the points of each side. Careful players would take ten times as
long, and in hands that lucky skill matters little.
Tables: the distribution of a side's points, and the largest hands by number (parquet). Figures: the points of a hand.
Answer: the hand, play by play (markdown).

    python analyses/luckiest.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray

import cirulla_sim as cs
from cirulla_sim.engine.chunks import row_names
from cirulla_sim.engine.engines import carry_out
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.stats.estimates import proportion
from cirulla_sim.storage.tables import SCHEMA, empty_row, estimate_row

HANDS = 100_000_000
POLICY, PLAYERS = "greedy", 4
LARGEST = 10
MOST = 256
"""More points than any hand reaches."""

TAIL = (20, 30, 40, 50, 60)
SEED = 100
FILE = "luckiest.parquet"
QUESTION = {"en": "What is the luckiest hand ever?", "it": "Qual è la smazzata più fortunata di sempre?"}
FILES = ((FILE, "scores"),)


class Largest:
    """Collects rows of hands in order: counts points by side and keeps the hands with the most points."""

    def __init__(self, names: list[str]) -> None:
        self.columns = [names.index(f"side{side}_total") for side in range(2)]
        self.counts = np.zeros((2, MOST), np.int64)
        self.best: list[tuple[int, int, int]] = []  # points, hand, side
        self.done = 0

    def __call__(self, rows: NDArray[Any]) -> None:
        points = rows[:, self.columns]
        least = self.best[-1][0] if self.best else 0
        for side in range(2):
            self.counts[side] += np.bincount(points[:, side], minlength=MOST)
            for row in np.flatnonzero(points[:, side] >= least):
                self.best.append((int(points[row, side]), self.done + int(row), side))
        self.best = sorted(self.best, key=lambda hand: (-hand[0], hand[1]))[:LARGEST]
        self.done += len(rows)


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write the table and the figure."""
    experiment = Experiment(cs.rules(players=PLAYERS).fields, (POLICY,), sized(HANDS), SEED)

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        tally = Largest(row_names(experiment.rules))
        carry_out(experiment, keep=tally)
        rows = [
            estimate_row("points_distribution", "hand", name, "share", proportion(int(count), tally.done), points)
            for name, counts in zip(("dealer", "others"), tally.counts, strict=True)
            for points, count in enumerate(counts) if count
        ]  # fmt: skip
        rows += [
            empty_row() | {"quantity": "largest", "per": "hand", "side": ("dealer", "others")[side], "kind": "maximum",
                           "value": float(hand), "estimate": float(points), "n": tally.done}
            for points, hand, side in tally.best
        ]  # fmt: skip
        metadata = {
            **study.base_metadata(cs.rules(players=PLAYERS), [POLICY], SEED), "command": "python analyses/luckiest.py",
            "hands": tally.done, "stopped": "hands", "schema": "simulate/2",
        }  # fmt: skip
        return pl.DataFrame(rows, schema=SCHEMA, orient="row"), metadata

    study.store(folder / FILE, {"hands": sized(HANDS), "seed": SEED}, [experiment], table)
    cs.plot(folder / FILE, figure="scores", output=(folder / FILE).with_suffix(".png"))


def largest(folder: Path) -> list[study.Row]:
    """The largest hands, the first seen first among equals."""
    return cs.read(folder / FILE).frame.filter(quantity="largest").to_dicts()


def hand_of(row: study.Row) -> cs.Hand:
    """A hand of the table, replayed."""
    return cs.hand(number=int(row["value"]), policy=POLICY, players=PLAYERS, seed=SEED)


def at_least(folder: Path, points: int) -> tuple[float, int]:
    """The share of sides, over all hands, with at least these points, and their number."""
    result = cs.read(folder / FILE)
    rows = result.frame.filter(pl.col("quantity") == "points_distribution", pl.col("value").cast(float) >= points)
    seen = sum(round(row["estimate"] * row["n"]) for row in rows.to_dicts())
    return seen / (2 * result.metadata["hands"]), seen


def once_in(chance: float) -> str:
    """The number of hands per occurrence, to three digits.

    >>> once_in(1 / 60_606), once_in(0.0)
    ('60,600', '∞')
    """
    return f"{float(f'{1 / chance:.3g}'):,.0f}" if chance else "∞"


def answer(folder: Path, lang: str = "en") -> str:
    """The most points, the side that made them, and how rare high scores are."""
    first, hands = largest(folder)[0], cs.read(folder / FILE).metadata["hands"]
    points, number = int(first["estimate"]), int(first["value"])
    hands_for = [f"{once_in(at_least(folder, tail)[0])}" for tail in TAIL[:3]]
    who, chi = {
        "dealer": ("the dealer's side", "della parte di chi dà le carte"),
        "others": ("the other side", "dell'altra parte"),
    }[first["side"]]
    return study.localized(
        lang,
        f"In {hands:,} hands of four greedy players the most points that a side made are {points}: hand {number:,} of "
        f"seed {SEED}, by {who}. A side makes {TAIL[0]} points or more once in {hands_for[0]} hands, {TAIL[1]} or more "
        f"once in {hands_for[1]}, {TAIL[2]} or more once in {hands_for[2]}.",
        f"In {hands:,} smazzate di quattro giocatori ingordi i punti più alti di una parte sono {points}: la smazzata "
        f"{number:,} del seme {SEED}, {chi}. Una parte fa {TAIL[0]} punti o più una volta ogni {hands_for[0]} "
        f"smazzate, {TAIL[1]} o più ogni {hands_for[1]}, {TAIL[2]} o più ogni {hands_for[2]}.",
    )


def page(folder: Path) -> str:
    """The page, from the file; the hand itself is replayed by its number."""
    result, rows = cs.read(folder / FILE), largest(folder)
    tails = [(points, *at_least(folder, points)) for points in TAIL]
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            f"Made by `python analyses/luckiest.py`. {result.metadata['hands']:,} hands of `{POLICY}`, two against "
            f"two, seed {SEED}.",
            "## How often a side makes many points",
            study.table(
                ["points or more", "seen", "once in so many hands of a side"],
                [[str(points), f"{seen:,}", once_in(chance)] for points, chance, seen in tails],
            ),
            f"![The points of a hand]({FILE.replace('parquet', 'png')})",
            f"## The {len(rows)} largest of {2 * result.metadata['hands']:,} scores, two a hand",
            study.table(
                ["points", "side", "hand"],
                [[f"{row['estimate']:.0f}", row["side"], f"{int(row['value'])}"] for row in rows],
            ),
            "## The first of them, card by card",
            f"```\n{hand_of(rows[0])}\n```",
            "```\ncirulla-sim show --rules cirulla --players "
            f"{PLAYERS} --policy {POLICY} --seed {SEED} --hand {int(rows[0]['value'])}\n```",
        ]
    )


if __name__ == "__main__":
    study.carry_out("luckiest")
