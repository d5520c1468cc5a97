"""Can this game still be won? The probability from every score, and how often a side comes back.

Run: the probability of winning a game of Cirulla from every score, solved from the points of simulated hands of careful
and of search players; and whole games of both, for how far behind the winners had been.
Tables: the win tables and the games (parquet). Figures: the maps of the probabilities.

    python analyses/comebacks.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, join_findings, state
from cirulla_sim.stats.estimates import Estimate, proportion

PLAYERS = (4, 2)
HANDS = {"careful": 1_000_000, "search": 100_000}
"""Simulated hands of a win table, by policy."""

GAMES = {"careful": 200_000, "search": 10_000}
THEIRS, BEHIND = (20, 30, 40, 45), (10, 20, 30)
SEED = 7
QUESTION = {"en": "Can this game still be won?", "it": "Questa partita si può ancora vincere?"}
FILES = (("comebacks_4_search.parquet", "we-deal"), ("comebacks_games_4_search.parquet", "comeback"))
CHART = "comebacks_4_search.png"
METHOD = """The table shows how often the side that is behind wins a game of Cirulla to 51 from a score, when the other
side deals next. It is solved from the points of 1,000,000 hands of `careful` players and 100,000 of `search` players,
who play the unseen cards out sixteen times; four players are two pairs. The last column comes from whole games, 200,000
of `careful` players and 10,000 of `search` players: in how many of them the winner had been so far behind at the end of
a hand. All numbers are levels; none is a test of a difference. Any score:
`cirulla-sim games --at 'score: 25-40; i am: first'`."""


def map_file(players: int, policy: str) -> str:
    """The file of a win table."""
    return f"comebacks_{players}_{policy}.parquet"


def games_file(players: int, policy: str) -> str:
    """The file of whole games."""
    return f"comebacks_games_{players}_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Simulate hands and games; write the tables."""
    for players in PLAYERS:
        for policy in HANDS:
            file = folder / map_file(players, policy)
            question = {"players": players, "policy": policy, "seed": SEED}
            study.run(cs.games, win_table=True, hands=sized(HANDS[policy]), output=file, **question)
            file = folder / games_file(players, policy)
            study.run(cs.games, games=sized(GAMES[policy]), output=file, **question)


def comebacks(folder: Path, policy: str, **values: str) -> study.Row:
    """A row on comebacks in whole games of four."""
    return study.row_of(cs.read(folder / games_file(4, policy)), quantity="comeback", **values)


def findings(folder: Path) -> list[Finding]:
    """One score as an example, how often the winner had been behind, and the largest deficit made up."""
    behind = study.row_of(cs.read(folder / map_file(4, "careful")), us=30, them=40, dealer="them")
    most = comebacks(folder, "careful", kind="maximum")
    return [
        state("study", "behind", {"size": behind}),
        join_findings(*(state("study", "comeback", {"size": comebacks(folder, p, kind="probability")}) for p in GAMES)),
        state("study", "deficit", {"size": most}, n=Noun("number", str(most["n"]))),
    ]


def table(folder: Path) -> str:
    """The probability of winning by deficit and score, and the share of games that were won from so far behind."""
    lines = []
    for players in PLAYERS:
        for policy in HANDS:
            result, games = cs.read(folder / map_file(players, policy)), cs.read(folder / games_file(players, policy))
            for behind in BEHIND:
                chances = [
                    number(study.row_of(result, us=theirs - behind, them=theirs, dealer="them"), study.ENGLISH)
                    if theirs >= behind else ""
                    for theirs in THEIRS
                ]  # fmt: skip
                lines.append([f"{players}, `{policy}`", str(behind), *chances, share(won_from(games, behind))])
    head = ["players", "behind by", *(f"they have {theirs}" for theirs in THEIRS), "games won from there or further"]
    return study.table(head, lines)


def won_from(games: cs.Result, behind: int) -> Estimate:
    """The share of games whose winner had been so many points behind, or further, at the end of a hand."""
    rows = games.frame.filter(pl.col("value").cast(int, strict=False) >= behind, quantity="comeback_distribution")
    played = study.row_of(games, quantity="comeback", kind="probability")["n"]
    return proportion(round(played * rows["estimate"].sum()), played)


def share(estimate: Estimate) -> str:
    """A share with its interval."""
    low, high = estimate.low, estimate.high
    row = {"kind": "share", "estimate": estimate.value, "ci_low": low, "ci_high": high, "exact": None}
    return number(row, study.ENGLISH)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file(players, policy) for players in PLAYERS for policy in HANDS for file in (map_file, games_file)]


if __name__ == "__main__":
    study.carry_out("comebacks")
