"""Is it worth playing to the score?

Run: games from several scores in which one side maximises its probability of winning the game and the other maximises
points, and the same games, deal by deal, with both maximising points (a paired comparison).
Tables: probabilities and gains with 95% intervals (parquet), and a summary (markdown).

    python analyses/aim.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import study
from numpy.typing import NDArray

import cirulla_sim as cs
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.engines import carry_out
from cirulla_sim.engine.trials import Games
from cirulla_sim.experiments.expectancy import aimed
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.estimates import Estimate, mean
from cirulla_sim.storage.tables import SCHEMA, estimate_row


@dataclass(frozen=True)
class Setup:
    """Who plays, and the number of games from each score."""

    players: int
    policy: str
    games: int


SETUPS = (Setup(2, "careful", 60_000), Setup(4, "careful", 60_000), Setup(2, "search:4", 4_000))
SCORES = ((0, 0), (40, 40), (45, 30), (30, 45), (48, 48))
SEED = 51
QUESTION = {"en": "Is it worth playing to the score?", "it": "Conviene giocare guardando il punteggio?"}
FILES = (("aim.parquet", "aim"),)
FILE = "aim.parquet"


def wins(rules: Rules, policies: tuple[str, str], games: int, score: tuple[int, int], side: int) -> NDArray[np.int64]:
    """int64[games]: 1 for each game from a score that a side wins, else 0."""
    rows: list[NDArray[Any]] = []
    carry_out(aimed(Games(rules, policies, games, SEED, score)), keep=rows.append)
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


def rows(setup: Setup) -> Iterator[dict[str, Any]]:
    """The rows of the table for one setup."""
    for us, them in SCORES:
        level, gain = chance_and_gain(setup, us, them)
        keys = {"players": setup.players, "policy": setup.policy, "score": f"{us}-{them}"}
        yield keys | estimate_row("wins_game", "game", "us", "probability", level)
        yield keys | estimate_row("wins_game", "game", "us", "difference", gain)
        print(f"{keys}: {percent_text(gain)}", file=sys.stderr)


def percent_text(gain: Estimate) -> str:
    """A gain ± half its interval, in percent."""
    return f"{100 * gain.value:+.2f} ± {50 * (gain.high - gain.low):.2f}"


def section(result: cs.Result, number: int) -> str:
    """The section of one setup."""
    setup, games = SETUPS[number], result.metadata["games"][number]
    frame = result.frame.filter(players=setup.players, policy=setup.policy)
    lines = ["| score | chance, for points | gain by aiming at the game |", "|---|---|---|"]
    for us, them in SCORES:
        level, gain = frame.filter(score=f"{us}-{them}").sort("kind", descending=True).iter_rows(named=True)
        half = 50 * (gain["ci_high"] - gain["ci_low"])
        gain_text = f"{100 * gain['estimate']:+.2f} ± {half:.2f}"
        lines.append(f"| {us}-{them} | {100 * level['estimate']:.1f}% | {gain_text} |")
    title = f"## `{setup.policy}`, {setup.players} players"
    return "\n\n".join([title, f"{games:,} deals, each with either side dealing first.", "\n".join(lines)])


def answer(folder: Path, lang: str = "en") -> str:
    """The answer from the gains and their intervals."""
    gains = cs.read(folder / FILE).frame.filter(kind="difference")
    gained, lost = gains.filter(pl.col("ci_low") > 0), gains.filter(pl.col("ci_high") < 0)
    highest = max(gains.filter(policy="careful")["ci_high"])
    widest = max((gains["ci_high"] - gains["ci_low"]) / 2)
    return study.localized(
        lang,
        f"Hardly. Of {gains.height} gains, from five scores each, {gained.height} are above 0 with 95% confidence each "
        f"and {lost.height} below. For careful players no interval reaches {100 * highest + 0.01:.2f} games in a "
        f"hundred; the widest, of search, is ± {100 * widest:.2f}. The likely reason: hands are played out, and the "
        "higher score wins, so the best margin is mostly the best chance too.",
        f"Quasi niente. Di {gains.height} guadagni, da cinque punteggi ciascuno, {gained.height} sono sopra lo 0 "
        f"ognuno con il 95% di fiducia e {lost.height} sotto. Per giocatori accorti nessun intervallo arriva a "
        f"{100 * highest + 0.01:.2f} partite su cento; il più largo, della ricerca, è di ± {100 * widest:.2f}. La "
        "ragione probabile: le smazzate si giocano fino in fondo e vince il punteggio più alto, così lo scarto "
        "migliore è quasi sempre anche la probabilità migliore.",
    )


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all games; write the table."""
    setups = [replace(setup, games=sized(setup.games)) for setup in SETUPS]
    arguments = {"studied": [asdict(setup) for setup in setups], "scores": SCORES, "seed": SEED}
    trials = [
        aimed(Games(build(players=setup.players), (setup.policy, f"{setup.policy}+game"), 8, SEED)) for setup in setups
    ]

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        schema = {"players": pl.Int64, "policy": pl.String, "score": pl.String} | SCHEMA
        metadata = {
            "command": "python analyses/aim.py",
            **study.base_metadata(cs.rules(), [setup.policy for setup in setups], SEED),
            "games": [setup.games for setup in setups],
            "stopped": "games",
            "schema": "aim/2",
        }
        return pl.DataFrame([row for setup in setups for row in rows(setup)], schema=schema, orient="row"), metadata

    study.store(folder / FILE, arguments, trials, table)


def page(folder: Path) -> str:
    """The page, from the file."""
    result = cs.read(folder / FILE)
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/aim.py`. From each score, ours first, to 51, the same games were played twice: "
            "both sides playing for points, and we for the game, as with `cirulla-sim games --policy "
            "'us=careful+game, them=careful'`. Gains are in games of a hundred, ± half a 95% interval.",
            *(section(result, number) for number in range(len(SETUPS))),
        ]
    )


if __name__ == "__main__":
    study.carry_out("aim")
