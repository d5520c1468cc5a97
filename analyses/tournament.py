"""How much is it worth to think? Every policy against every other, in four games.

Run: tournaments on the same deals with sides exchanged.
Tables: margins, probabilities of winning a hand and a game, strengths, the dealer's advantage, all with 95% intervals
(parquet), and a summary (markdown). Figures: the matrix and the ranking. Answer: a sentence for each pair of
neighbouring policies.

    python analyses/tournament.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.cells import is_significant
from cirulla_sim.reporting.text.labels import fields_of, rules_title
from cirulla_sim.reporting.text.locale import language
from cirulla_sim.reporting.text.tournament_layout import gaps_of, strongest_first, tournament_findings


@dataclass(frozen=True)
class Game:
    """A game, its policies, and the deals: fewer for slow games."""

    preset: str
    players: int
    policies: tuple[str, ...]
    deals: int

    @property
    def file(self) -> str:
        return f"tournament_{self.preset}_{self.players}.parquet"


LADDER = ("random", "greedy", "careful", "search", "open")
GAMES = (
    Game("cirulla", 2, LADDER, 6_000),
    Game("cirulla", 4, LADDER, 6_000),
    Game("cirullone", 4, LADDER, 2_000),
    Game("scopone-scientifico", 4, LADDER, 2_000),
)
SEED = 2018
QUESTION = {"en": "How much is it worth to think?", "it": "Quanto vale pensare?"}
FILES = (("tournament_cirulla_4.parquet", "strength"), ("tournament_cirulla_4.parquet", "matrix"))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all tournaments; write tables and figures."""
    for game in GAMES:
        deals = sized(game.deals, study.MIN_DEALS)
        if game.deals / 2 <= deals < game.deals:
            continue  # the minimum is nearly the full size: skipped in a quick run
        file = folder / game.file
        options = {"players": game.players, "hands": deals, "seed": SEED}
        study.run(cs.tournament, game.preset, policy=game.policies, output=file, **options)
        cs.plot(file, output=file.with_suffix(".png"))


def section(result: cs.Result, file: str) -> str:
    """The section of one tournament."""
    metadata, stem = result.metadata, file.removesuffix(".parquet")
    parts = [
        f"## {rules_title(metadata)}: {len(metadata['policies'])} policies",
        f"{metadata['hands']:,} deals a pairing, seed {metadata['seed']}. {study.reading(fields_of(metadata))}".strip(),
        *answers(result.frame),
        f"```\n{result.text(all=True)}\n```",
        f"![{stem}]({stem}.png)",
        "The same file by the command line:",
        f"```\n{result.command} -o {file}\n```",
    ]
    return "\n\n".join(parts)


def answers(frame: pl.DataFrame) -> list[str]:
    """What the gaps show, a line for each pair of neighbours in the ranking, and one on the dealer's advantage."""
    order, gaps = strongest_first(frame), gaps_of(frame)
    both = frame.filter(pl.col("side") == "all")
    lines = []
    for better, worse in pairwise(order):
        over = both.filter(pl.col("policy") == better, pl.col("opponent") == worse)
        points, games = (over.row(by_predicate=pl.col("quantity") == q, named=True) for q in ("margin", "wins_game"))
        gap = gaps[better, worse]
        verdict = "stronger than" if is_significant(gap) else "not distinguishable from"
        lines.append(
            f"- `{better}` is {verdict} `{worse}`: strength {study.signed(gap)}; against each other "
            f"{study.signed(points)} points a hand, {study.percent(games)} of the games."
        )
    findings = " ".join(filter(None, tournament_findings(frame, {}, language("en"))))
    dealing = frame.filter(pl.col("quantity") == "dealer_advantage").rows(named=True)
    advantages = ", ".join(f"`{row['policy']}` and `{row['opponent']}` {study.signed(row)}" for row in dealing)
    return [
        findings,
        "\n".join(lines),
        f"The dealer's side makes more than the others, in points a hand, between {advantages}.",
    ]


def answer(folder: Path, lang: str = "en") -> str:
    """The margins between neighbouring policies with four players in Cirulla, and the last in Scopone scientifico."""

    def step(preset: str, better: str, worse: str) -> tuple[str, str]:
        result = cs.read(folder / f"tournament_{preset}_4.parquet")
        over = {"policy": better, "opponent": worse, "side": "all"}
        margin, wins = (study.row_of(result, quantity=quantity, **over) for quantity in ("margin", "wins_game"))
        return study.signed(margin, 2), study.percent(wins, 0)

    random, greedy, careful, seen = (step("cirulla", better, worse) for worse, better in pairwise(LADDER))
    cirulla = study.localized(
        lang,
        "In Cirulla with four players the first thought is worth most. Taking what can be taken (greedy) makes "
        f"{random[0]} points a hand over laying cards at random and wins {random[1]} of the games; thinking of the "
        f"next player too (careful) {greedy[0]} over that and {greedy[1]}; playing the unseen cards out (search) "
        f"another {careful[0]} and {careful[1]}. Seeing all cards would be worth {seen[0]} more.",
        "Nella Cirulla in quattro vale più di tutto il primo pensiero. Prendere quello che si può (ingordo) fa "
        f"{random[0]} punti a smazzata su chi gioca a caso e vince il {random[1]} delle partite; pensare anche a chi "
        f"viene dopo (accorto) {greedy[0]} su quello e il {greedy[1]}; provare le carte coperte fino alla fine "
        f"(ricerca) altri {careful[0]} e il {careful[1]}. Vedere tutte le carte varrebbe {seen[0]} in più.",
    )
    if not (folder / GAMES[-1].file).exists():  # a quick run
        return cirulla
    points, wins = step(GAMES[-1].preset, "search", "careful")
    scopone = study.localized(
        lang,
        f"In Scopone scientifico search makes {points} over careful and wins {wins} of the games.",
        f"Nello Scopone scientifico la ricerca fa {points} sull'accorto e vince il {wins} delle partite.",
    )
    return f"{cirulla} {scopone}"


def page(folder: Path) -> str:
    """The page, from the files."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/tournament.py`. How many points a hand is it worth to think, and how far? Every "
            "policy met every other on the same deals with sides exchanged, so that luck falls on both alike; ± are "
            "95% intervals over deals; those of the gaps in strength hold all at once (Tukey-Kramer). Policies stand "
            "strongest first.",
            *(section(cs.read(folder / game.file), game.file) for game in GAMES if (folder / game.file).exists()),
        ]
    )


if __name__ == "__main__":
    study.carry_out("tournament")
