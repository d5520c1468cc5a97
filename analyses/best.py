"""How far from the best is search? What seeing more cards would be worth to it, and what thinking longer.

Run: tournaments on the same deals with sides exchanged, of search that is shown the cards of the next player, of its
partner or of all, and of search that deals the unseen cards more often. What its opponent does not know and it does is
a lower mark of what there is to be gained by better reading; that more deals gain little says that thought is not what
is missing.
Tables: margins, chances of winning, strengths, with 95% intervals (parquet). Figures: the matrix and the ranking.
Answer: the value of each kind of knowledge, and of more thought.

    python analyses/best.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs


@dataclass(frozen=True)
class Ladder:
    """Who meets, and over how many deals."""

    file: str
    heading: str
    players: int
    policies: tuple[str, ...]
    deals: int


SEEING = ("search", "search+sees-next", "search+sees-partner", "search+sees-all", "open")
THINKING = ("careful", "search:1", "search:4", "search:16", "search:64", "search:256")
LADDERS = (
    Ladder("best_seeing_2.parquet", "Seeing more", 2, ("search", "search+sees-all", "open"), 4_000),
    Ladder("best_seeing_4.parquet", "Seeing more", 4, SEEING, 2_000),
    Ladder("best_thinking_2.parquet", "Thinking longer", 2, THINKING, 2_000),
    Ladder("best_thinking_4.parquet", "Thinking longer", 4, THINKING, 2_000),
)
SEED = 404
QUESTION = {"en": "How far from the best is search?", "it": "Quanto manca alla ricerca per giocare alla perfezione?"}
FILES = (("best_seeing_4.parquet", "strength"), ("best_thinking_2.parquet", "matrix"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for ladder in LADDERS:
        file = folder / ladder.file
        asked = {"players": ladder.players, "hands": sized(ladder.deals, study.DEALS), "seed": SEED}
        study.played(cs.tournament, "cirulla", policy=ladder.policies, output=file, **asked)
        cs.plot(file, output=file.with_suffix(".png"))


def over(folder: Path, file: str, better: str, worse: str) -> Mapping[str, float]:
    """The margin of one policy over another."""
    return study.one(cs.read(folder / file), quantity="margin", side="all", policy=better, opponent=worse)


def answer(folder: Path, lang: str = "en") -> str:
    """What knowledge is worth, with four players, and what thought, with two and four."""
    four = "best_seeing_4.parquet"
    after, partner, every = (
        study.spread(over(folder, four, f"search+sees-{who}", "search"), 2) for who in ("next", "partner", "all")
    )
    seen = study.spread(over(folder, "best_seeing_2.parquet", "search+sees-all", "search"), 2)
    solved = study.spread(over(folder, four, "open", "search"), 2)
    first, last = (
        [study.spread(over(folder, f"best_thinking_{n}.parquet", one, other), 2) for n in (2, 4)]
        for one, other in (("search:16", "careful"), ("search:256", "search:16"))
    )
    return study.said(
        lang,
        "Far in what it knows, less in how it thinks. With four players seeing the next player's cards would be worth "
        f"{after} points a hand to search, its partner's {partner}, everybody's {every}, and {solved} if it solved the "
        f"stage by them; with two players the other's cards are worth {seen}. Dealing the unseen cards sixteen times "
        f"makes {first[0]} over careful with two players and {first[1]} with four, dealing them 256 times another "
        f"{last[0]} and {last[1]}.",
        "Molto per quello che sa, meno per come pensa. In quattro vedere le carte di chi segue varrebbe per la ricerca "
        f"{after} punti a smazzata, quelle del compagno {partner}, quelle di tutti {every}, e {solved} se con quelle "
        f"risolvesse la mano; in due le carte dell'altro valgono {seen}. Distribuire sedici volte le carte coperte fa "
        f"{first[0]} sull'accorto in due e {first[1]} in quattro, distribuirle 256 volte altri {last[0]} e {last[1]}.",
    )


def section(folder: Path, ladder: Ladder) -> str:
    """A tournament's part of the page."""
    result, stem = cs.read(folder / ladder.file), ladder.file.removesuffix(".parquet")
    return study.joined(
        [
            f"## {ladder.heading}, {ladder.players} players",
            f"{result.metadata['hands']:,} deals a pairing, seed {SEED}.",
            f"```\n{result.shown}\n```",
            f"![{stem}]({stem}.png)",
            study.commands((result, ladder.file)),
        ]
    ).rstrip()


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/best.py`. `search+sees-next` is search that is shown the next player's cards, "
            "and so on; `open` sees all and solves the stage. `search:16` deals the unseen cards sixteen times before "
            "each play, and takes a third of the time of `search:64` or so (`cirulla-sim bench`). Every policy met "
            "every other on the same deals with sides exchanged; ± are 95% intervals over deals. Search takes the "
            "others to play on as `careful`: its margin over `careful` is a lower bound of what `careful` gives away "
            "to who knows how it plays.",
            *(section(folder, ladder) for ladder in LADDERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("best")
