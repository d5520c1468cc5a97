"""Is it worth playing to the score?

Run: games from several scores, in which one side maximises its chance of winning the game and the other its points, and
the same games, deal by deal, with both maximising points. What aiming gains is told by the games that go another way.
Tables: chances and gains with 95% intervals (parquet), and the same in a few words (markdown). Answer: in the table.

    python analyses/aim.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
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
class Played:
    """Who plays, and how many games from every score."""

    players: int
    policy: str
    games: int


STUDIED = (Played(2, "careful", 60_000), Played(4, "careful", 60_000), Played(2, "search:4", 4_000))
SCORES = ((0, 0), (40, 40), (45, 30), (30, 45), (48, 48))
SEED = 51
QUESTION = {"en": "Is it worth playing to the score?", "it": "Conviene giocare guardando il punteggio?"}
FILES = (("aim.parquet", "aim"),)
FILE = "aim.parquet"


def won(rules: Rules, policies: tuple[str, str], games: int, score: tuple[int, int], side: int) -> NDArray[np.int64]:
    """1 for every game from a score, by side, that a side wins, else 0."""
    rows: list[NDArray[Any]] = []
    carry_out(aimed(Games(rules, policies, games, SEED, score)), keep_rows=rows.append)
    return np.concatenate(rows)[:, game_row_names(rules).index("winners")].astype(np.int64) >> side & 1


def gained(played: Played, us: int, them: int) -> tuple[Estimate, Estimate]:
    """Our chance of winning from a score, both playing for points, and what we gain by aiming at the game.

    Every deal is played with either side dealing first; a trial is the two games of a deal.
    """
    rules, name = build(players=played.players), played.policy
    chance, gain = np.zeros(played.games, np.int64), np.zeros(played.games, np.int64)
    for side in range(2):
        score, policies = ((us, them), (f"{name}+game", name)) if side == 0 else ((them, us), (name, f"{name}+game"))
        before = won(rules, (name, name), played.games, score, side)
        chance += before
        gain += won(rules, policies, played.games, score, side) - before
    level = mean(int(chance.sum()), int((chance**2).sum()), played.games, 0.5)
    return level, mean(int(gain.sum()), int((gain**2).sum()), played.games, 0.5)


def rows(played: Played) -> Iterator[dict[str, Any]]:
    """The rows of a policy's part of the table."""
    for us, them in SCORES:
        level, gain = gained(played, us, them)
        named = {"players": played.players, "policy": played.policy, "score": f"{us}-{them}"}
        yield named | estimate_row("wins_game", "game", "us", "probability", level)
        yield named | estimate_row("wins_game", "game", "us", "difference", gain)
        print(f"{named}: {percents(gain)}", file=sys.stderr)


def percents(found: Estimate) -> str:
    """A gain with half its interval, in percent."""
    return f"{100 * found.value:+.2f} ± {50 * (found.high - found.low):.2f}"


def section(found: cs.Result, number: int) -> str:
    """A policy's part of the report."""
    played, games = STUDIED[number], found.metadata["games"][number]
    mine = found.frame.filter(players=played.players, policy=played.policy)
    lines = ["| score | chance, for points | gain by aiming at the game |", "|---|---|---|"]
    for us, them in SCORES:
        level, gain = mine.filter(score=f"{us}-{them}").sort("kind", descending=True).iter_rows(named=True)
        half = 50 * (gain["ci_high"] - gain["ci_low"])
        told = f"{100 * gain['estimate']:+.2f} ± {half:.2f}"
        lines.append(f"| {us}-{them} | {100 * level['estimate']:.1f}% | {told} |")
    title = f"## `{played.policy}`, {played.players} players"
    return "\n\n".join([title, f"{games:,} deals, each with either side dealing first.", "\n".join(lines)])


def answer(folder: Path, lang: str = "en") -> str:
    """What the gains say."""
    gains = cs.read(folder / FILE).frame.filter(kind="difference")
    sure, lost = gains.filter(pl.col("ci_low") > 0), gains.filter(pl.col("ci_high") < 0)
    most = max(gains.filter(policy="careful")["ci_high"])
    widest = max((gains["ci_high"] - gains["ci_low"]) / 2)
    return study.said(
        lang,
        f"Hardly. Of {gains.height} gains, from five scores each, {sure.height} are above 0 with 95% confidence each "
        f"and {lost.height} below. For careful players no interval reaches {100 * most + 0.01:.2f} games in a "
        f"hundred; the widest, of search, is ± {100 * widest:.2f}. The likely reason: hands are played out, and the "
        "higher score wins, so the best margin is mostly the best chance too.",
        f"Quasi niente. Di {gains.height} guadagni, da cinque punteggi ciascuno, {sure.height} sono sopra lo 0 ognuno "
        f"con il 95% di fiducia e {lost.height} sotto. Per giocatori accorti nessun intervallo arriva a "
        f"{100 * most + 0.01:.2f} partite su cento; il più largo, della ricerca, è di ± {100 * widest:.2f}. La "
        "ragione probabile: le smazzate si giocano fino in fondo e vince il punteggio più alto, così lo scarto "
        "migliore è quasi sempre anche la probabilità migliore.",
    )


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the table."""
    studied = [replace(played, games=sized(played.games)) for played in STUDIED]
    asked = {"studied": [asdict(played) for played in studied], "scores": SCORES, "seed": SEED}
    trials = [
        aimed(Games(build(players=some.players), (some.policy, f"{some.policy}+game"), 8, SEED)) for some in studied
    ]

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        schema = {"players": pl.Int64, "policy": pl.String, "score": pl.String} | SCHEMA
        made = {
            "command": "python analyses/aim.py",
            **study.about(cs.rules(), [played.policy for played in studied], SEED),
            "games": [played.games for played in studied],
            "stopped": "games",
            "schema": "aim/2",
        }
        return pl.DataFrame([row for played in studied for row in rows(played)], schema=schema, orient="row"), made

    study.kept(folder / FILE, asked, trials, table)


def page(folder: Path) -> str:
    """The page, from the file."""
    found = cs.read(folder / FILE)
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/aim.py`. From each score, ours first, to 51, the same games were played twice: "
            "both sides playing for points, and we for the game, as with `cirulla-sim games --policy "
            "'us=careful+game, them=careful'`. Gains are in games of a hundred, ± half a 95% interval.",
            *(section(found, number) for number in range(len(STUDIED))),
        ]
    )


if __name__ == "__main__":
    study.carry_out("aim")
