"""How far from the best is search? What more information would be worth to it, and what more samples.

Run: tournaments on the same deals with sides exchanged, between search that sees the cards of the next player, of its
partner or of everybody, and between search with more samples of the unseen cards. The gain from hidden cards is a lower
bound of what better inference could gain; a small gain from more samples shows that their number is not the limit.
Tables: margins, probabilities of winning, strengths, with 95% intervals (parquet). Figures: the matrix and the ranking.
Answer: the value of each kind of information, and of more samples.

    python analyses/best.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import study

import cirulla_sim as cs


@dataclass(frozen=True)
class Ladder:
    """A tournament: its policies, players and deals."""

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
        options = {"players": ladder.players, "hands": sized(ladder.deals, study.MIN_DEALS), "seed": SEED}
        study.run(cs.tournament, "cirulla", policy=ladder.policies, output=file, **options)
        cs.plot(file, output=file.with_suffix(".png"))


def over(folder: Path, file: str, better: str, worse: str) -> Mapping[str, float]:
    """The margin of one policy over another."""
    return study.row_of(cs.read(folder / file), quantity="margin", side="all", policy=better, opponent=worse)


def answer(folder: Path, lang: str = "en") -> str:
    """The value of information, mostly with four players, and of more samples, with two and four."""
    four = "best_seeing_4.parquet"
    following, partner, everyone = (
        study.signed(over(folder, four, f"search+sees-{who}", "search"), 2) for who in ("next", "partner", "all")
    )
    seen = study.signed(over(folder, "best_seeing_2.parquet", "search+sees-all", "search"), 2)
    solved = study.signed(over(folder, four, "open", "search"), 2)
    first, last = (
        [study.signed(over(folder, f"best_thinking_{n}.parquet", better, worse), 2) for n in (2, 4)]
        for better, worse in (("search:16", "careful"), ("search:256", "search:16"))
    )
    return study.localized(
        lang,
        "Far in what it knows, less in how it thinks. With four players seeing the next player's cards would be worth "
        f"{following} points a hand to search, its partner's {partner}, everybody's {everyone}, and {solved} if it "
        f"solved the stage by them; with two players the other's cards are worth {seen}. Dealing the unseen cards "
        f"sixteen times makes {first[0]} over careful with two players and {first[1]} with four, dealing them 256 "
        f"times another {last[0]} and {last[1]}.",
        "Molto per quello che sa, meno per come pensa. In quattro vedere le carte di chi segue varrebbe per la ricerca "
        f"{following} punti a smazzata, quelle del compagno {partner}, quelle di tutti {everyone}, e {solved} se con "
        f"quelle risolvesse la mano; in due le carte dell'altro valgono {seen}. Distribuire sedici volte le carte "
        f"coperte fa {first[0]} sull'accorto in due e {first[1]} in quattro, distribuirle 256 volte altri {last[0]} e "
        f"{last[1]}.",
    )


def section(folder: Path, ladder: Ladder) -> str:
    """The section of one tournament."""
    result, stem = cs.read(folder / ladder.file), ladder.file.removesuffix(".parquet")
    return study.joined(
        [
            f"## {ladder.heading}, {ladder.players} players",
            f"{result.metadata['hands']:,} deals a pairing, seed {SEED}.",
            f"```\n{result.text(all=True)}\n```",
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
