"""Is it worth playing to the score?

Run: games from several scores in which one side maximises its probability of winning the game and the other maximises
points, and the same games, deal by deal, with both maximising points (a paired comparison).
Tables: probabilities and differences with 95% intervals (parquet). Figures: the differences by score.

    python analyses/aim.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray
from study_views import views

import cirulla_sim as cs
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.engines import Folded, fold
from cirulla_sim.engine.trials import Games
from cirulla_sim.experiments.win_chance import with_aim
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant, find_signs
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.decisions import with_holm
from cirulla_sim.stats.estimates import Estimate, mean
from cirulla_sim.storage.tables import SCHEMA, estimate_row


@dataclass(frozen=True)
class Setup:
    """Who plays, and the number of games from each score."""

    players: int
    policy: str
    games: int


SETUPS = (
    Setup(2, "careful", 60_000),
    Setup(4, "careful", 60_000),
    Setup(2, "search", 2_000),
    Setup(4, "search", 2_000),
)
SCORES = ((0, 0), (40, 40), (45, 30), (30, 45), (48, 48))
SEED = 51
QUESTION = {"en": "Is it worth playing to the score?", "it": "Conviene giocare guardando il punteggio?"}
FILES = (("aim.parquet", "aim"),)
FILE, CHART = "aim.parquet", "aim.png"
VIEW = views.AIM
METHOD = """The table shows, from each score to 51, ours first, how many percentage points more of the games a side
wins if it plays for the game and not for points; the others play for points. The same games were played both ways,
with either side dealing first: 60,000 deals of `careful`, which thinks of the next player, and 2,000 of `search`,
which plays the unseen cards out sixteen times. The first column is the chance of winning of two careful players who
play for points. Significance is corrected for all differences of the table (Holm)."""


def wins(rules: Rules, policies: tuple[str, str], games: int, score: tuple[int, int], side: int) -> NDArray[np.int64]:
    """int64[games]: 1 for each game from a score that a side wins, else 0."""
    rows: list[NDArray[Any]] = []
    played = with_aim(Games(rules, policies, games, SEED, score))
    fold(partial(played.play, rows=True), Folded(0, 0, ""), played, keep=rows.append)
    return np.concatenate(rows)[:, game_row_names(rules).index("winners")].astype(np.int64) >> side & 1


def chance_and_gain(setup: Setup, us: int, them: int) -> tuple[Estimate, Estimate]:
    """Our probability of winning from a score if both play for points, and our gain from playing for the game.

    Each deal is played twice, with either side dealing first; the pair of games is one trial.
    """
    rules, name = build(players=setup.players), setup.policy
    chance, gain = np.zeros(setup.games, np.int64), np.zeros(setup.games, np.int64)
    for side in range(2):
        score, policies = ((us, them), (f"{name}+game", name)) if side == 0 else ((them, us), (name, f"{name}+game"))
        before = wins(rules, (name, name), setup.games, score, side)
        chance += before
        gain += wins(rules, policies, setup.games, score, side) - before
    level = mean(int(chance.sum()), int((chance**2).sum()), setup.games, 0.5)
    return level, mean(int(gain.sum()), int((gain**2).sum()), setup.games, 0.5)


def rows(setups: list[Setup]) -> Iterator[dict[str, Any]]:
    """The rows of the table; the p-values of the differences are corrected for their number (Holm)."""
    gains = []
    for setup, (us, them) in product(setups, SCORES):
        level, gain = chance_and_gain(setup, us, them)
        keys = {"players": setup.players, "policy": setup.policy, "score": f"{us}-{them}"}
        yield keys | estimate_row("wins_game", "game", "us", "probability", level)
        gains.append(keys | estimate_row("wins_game", "game", "us", "difference", gain))
        print(f"{keys}: {gain.value:+.4f}", file=sys.stderr)
    yield from map(dict, with_holm(gains))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write the table."""
    setups = [replace(setup, games=sized(setup.games)) for setup in SETUPS]
    arguments = {"studied": [asdict(setup) for setup in setups], "scores": SCORES, "seed": SEED}
    trials = [
        with_aim(Games(build(players=setup.players), (setup.policy, f"{setup.policy}+game"), 8, SEED))
        for setup in setups
    ]

    def create() -> tuple[pl.DataFrame, dict[str, Any]]:
        schema = {"players": pl.Int64, "policy": pl.String, "score": pl.String, **SCHEMA, "p_holm": pl.Float64}
        metadata = {
            "command": "python analyses/aim.py",
            **study.base_metadata(cs.rules(), [setup.policy for setup in setups], SEED),
            "games": [setup.games for setup in setups],
            "stopped": "games",
        }
        return pl.DataFrame(list(rows(setups)), schema=schema, orient="row"), metadata

    study.store(folder / FILE, arguments, trials, create, VIEW)


def row_at(folder: Path, setup: Setup, us: int, them: int, kind: str = "difference") -> study.Row:
    """The difference that playing for the game makes from a score, or the probability of winning."""
    keys = {"players": setup.players, "policy": setup.policy, "score": f"{us}-{them}", "kind": kind}
    return study.row_of(cs.read(folder / FILE), **keys)


def findings(folder: Path) -> list[Finding]:
    """In how many cases playing for the game wins more games, in how many fewer; what it does from 0-0."""
    gains = [row_at(folder, setup, *score) for setup, score in product(SETUPS, SCORES)]
    return [
        count_significant("aim-wins", gains, ("more",)),
        count_significant("aim-loses", gains, ("less",)),
        *(_from_the_start(folder, n) for n in (2, 4)),
    ]


def _from_the_start(folder: Path, players: int) -> Finding:
    rows = {setup.policy: row_at(folder, setup, *SCORES[0]) for setup in SETUPS if setup.players == players}
    return find_signs("aimed", rows, players=Noun("count", str(players)), score="0–0")


def table(folder: Path) -> str:
    """The chance of winning and what playing for the game adds, by score, in percentage points."""
    lines = []
    for us, them in SCORES:
        level = number(row_at(folder, SETUPS[0], us, them, "probability"), study.ENGLISH)
        gains = [row_at(folder, setup, us, them) for setup in SETUPS]
        points = [{**study.scaled(row, 100), "quantity": "percentage points"} for row in gains]
        lines.append([f"{us}-{them}", level, *map(study.cell, points)])
    heads = [f"percentage points: `{setup.policy}`, {setup.players} players" for setup in SETUPS]
    return study.table(["score", "chance of winning", *heads], lines)


def sources(folder: Path) -> list[str]:
    """The file."""
    return [FILE]


if __name__ == "__main__":
    study.carry_out("aim")
