"""Can this game still be won? The probability from every score, and how often a side comes back.

Run: the probability of winning a game of Cirulla from every score, solved from the points of simulated hands of careful
and of search players; and whole games of both, for how far behind the winners had been.
Tables: the win tables and the games (parquet). Figure: the map of the probabilities. Answer: a table of deficits.

    python analyses/comebacks.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.stats.estimates import proportion

PLAYERS = (2, 4)
HANDS = {"careful": 1_000_000, "search": 40_000}
"""Simulated hands of a win table, by policy."""

GAMES = {"careful": 200_000, "search": 6_000}
THEIRS, BEHIND = (20, 30, 40, 45), (5, 10, 15, 20, 30)
DEFICITS = (1, 10, 20, 30)
SEED = 7
QUESTION = {"en": "Can this game still be won?", "it": "Questa partita si può ancora vincere?"}
FILES = (("comebacks_4_careful.parquet", "chances"), ("comebacks_games_4_careful.parquet", "comeback"))


def map_file(players: int, policy: str) -> str:
    """The file of a win table."""
    return f"comebacks_{players}_{policy}.parquet"


def games_file(players: int, policy: str) -> str:
    """The file of whole games."""
    return f"comebacks_games_{players}_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Simulate hands and games; write tables and figures."""
    for players in PLAYERS:
        for policy in HANDS:
            file = folder / map_file(players, policy)
            question = {"players": players, "policy": policy, "seed": SEED}
            study.run(cs.games, win_table=True, hands=sized(HANDS[policy]), output=file, **question)
            file = folder / games_file(players, policy)
            study.run(cs.games, games=sized(GAMES[policy]), output=file, **question)
        file = folder / map_file(players, "careful")
        cs.plot(file, output=file.with_suffix(".png"))


def chances(folder: Path, players: int) -> str:
    """The probability of winning by deficit when the other side deals next, for careful and search."""
    results = {policy: cs.read(folder / map_file(players, policy)) for policy in HANDS}
    rows = []
    for behind in BEHIND:
        cells = []
        for theirs in THEIRS:
            score = {"us": theirs - behind, "them": theirs, "dealer": "them"}
            values = [study.percent(study.row_of(result, **score)) for result in results.values() if theirs >= behind]
            cells.append(" · ".join(dict.fromkeys(values)))
        rows.append([str(behind), *cells])
    return study.table(["behind by", *(f"they have {theirs}" for theirs in THEIRS)], rows)


def turned(folder: Path, players: int) -> str:
    """How often the winner of a game had been behind, by deficit."""
    rows = []
    for policy in GAMES:
        result = cs.read(folder / games_file(players, policy))
        games = study.row_of(result, quantity="comeback", kind="probability")["n"]
        behind = result.frame.filter(quantity="comeback_distribution").select(pl.col("value").cast(int), "estimate")
        shares = (behind.filter(pl.col("value") >= least)["estimate"].sum() for least in DEFICITS)
        estimates = (proportion(round(games * share), games) for share in shares)
        cells = [f"{100 * share.value:.1f}% ± {50 * (share.high - share.low):.1f}" for share in estimates]
        rows.append([f"`{policy}`", *cells, f"{games:,}"])
    head = ["who plays", "behind at all", *(f"by {least} or more" for least in DEFICITS[1:]), "games"]
    return study.table(head, rows)


def answer(folder: Path, lang: str = "en") -> str:
    """One score as an example, and how often a side comes back."""
    score = {"us": 30, "them": 40, "dealer": "them"}
    careful, search = (
        study.percent(study.row_of(cs.read(folder / map_file(4, policy)), **score), 2)
        for policy in ("careful", "search")
    )
    games = cs.read(folder / games_file(4, "careful"))
    behind = study.percent(study.row_of(games, quantity="comeback", kind="probability"))
    most = study.row_of(games, quantity="comeback", kind="maximum")
    return study.localized(
        lang,
        f"Mostly yes. A side that is behind 30-40, with the others to deal, still wins {careful} of the games between "
        f"four careful players and {search} between four who look ahead (search). In {behind} of all games of careful "
        f"players the winner had been behind at the end of some hand; of {most['n']:,} games the one turned most had a "
        f"winner who had been {most['estimate']:.0f} points behind.",
        "Quasi sempre sì. Una parte che è sotto per 30 a 40, quando danno le carte gli altri, vince ancora il "
        f"{careful} delle partite tra quattro giocatori accorti e il {search} tra quattro che guardano avanti "
        f"(ricerca). Nel {behind} delle partite tra giocatori accorti chi ha vinto era stato sotto alla fine di "
        f"qualche smazzata; su {most['n']:,} partite la rimonta più grande è stata di {most['estimate']:.0f} punti.",
    )


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    sources = [(cs.read(folder / file(players, policy)), file(players, policy))
            for policy in HANDS for file in (map_file, games_file)]  # fmt: skip
    return study.joined(
        [
            f"## {players} players",
            chances(folder, players),
            "How far behind, at the end of a hand, those had been who won the game:",
            turned(folder, players),
            f"![The chance to win from every score, {players} players](comebacks_{players}_careful.png)",
            study.commands(*sources),
        ]
    ).rstrip()


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/comebacks.py`. The chance to win a game of Cirulla to 51 by the side that is "
            "behind, when the others deal next: between `careful` players · between `search` players; ± are 95% "
            "intervals. Hands that bring many points make games last five or six hands, so that few are lost early. "
            "Any score: `cirulla-sim games --at 'score: 25-40; i am: first'`.",
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("comebacks")
