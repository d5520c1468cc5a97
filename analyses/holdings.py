"""What are my first three cards worth?

Run: hands of Cirulla between careful players, and fewer between search players. For every kind of first holding and
every rank, the mean margin of the holder's side, by seat.
Tables: every mean with its interval (parquet). Figures: the starting-hand charts of the dealer and of the first player.
Answer: a few sentences and the chart as a table (markdown).

    python analyses/holdings.py [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import study

import cirulla_sim as cs

QUESTION = {"en": "What are my first three cards worth?", "it": "Quanto valgono le mie prime tre carte?"}
FILES = (("holdings_4_first_careful.parquet", "odds"), ("holdings_4_dealer_careful.parquet", "odds"))
PLAYERS = (2, 4)
LINE_UPS = {"careful": 200_000, "search:16": 20_000}
SEED = 1

KINDS = {
    "barsegon, three equal": "barsegon",
    "barsega with the matta": "barsega and matta",
    "barsega without the matta": "barsega and not matta",
    "matta and settebello": "not bonus and matta and settebello",
    "matta": "not bonus and matta and not settebello",
    "settebello": "not bonus and settebello and not matta",
    "another seven": "not bonus and sevens and not matta and not settebello",
    "an ace or two, no seven": "not bonus and sevens = 0 and aces",
    "no figure": "not bonus and aces + sevens + figures = 0",
    "one figure": "not bonus and aces + sevens = 0 and figures = 1",
    "two or three figures": "not bonus and aces + sevens = 0 and figures >= 2",
}
"""Every holding is of exactly one kind. ``figures`` is short for ``FIGURES``."""

FIGURES = "(jacks + queens + kings)"
ITALIAN = {
    "matta and settebello": "matta e settebello",
    "matta": "la matta",
    "settebello": "il settebello",
    "another seven": "un altro sette",
    "an ace or two, no seven": "un asso o due, senza sette",
    "no figure": "nessuna figura",
    "one figure": "una figura",
    "two or three figures": "due o tre figure",
    "ace": "l’asso", "two": "il due", "three": "il tre", "four": "il quattro", "five": "il cinque", "six": "il sei",
    "seven": "il sette", "jack": "il fante", "queen": "la donna", "king": "il re",
}  # fmt: skip

RANKS = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king")
ANY = "any three cards"


def conditions() -> dict[str, str]:
    """The conditions on a holding, by name."""
    questions = {ANY: "total > 0", **KINDS}
    questions |= {f"{rank} held": f"{rank}{'es' if rank == 'six' else 's'}" for rank in RANKS}
    return {name: condition.replace("figures", FIGURES) for name, condition in questions.items()}


def places(players: int) -> dict[str, str]:
    """What each seat is called in a table, by its name."""
    if players == 2:
        return {"first": "first", "dealer": "dealer"}
    return {"first": "first", "second": "dealer's partner", "third": "first's partner", "dealer": "dealer"}


ENDS = ("first", "dealer")
"""The seats with a chart."""


def file_of(players: int, seat: str, policy: str) -> str:
    """The file of one seat and policy."""
    return f"holdings_{players}_{seat}_{policy.partition(':')[0]}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all hands; write tables and figures."""
    questions = [f"{name}: mean(margin(us)) given {condition}" for name, condition in conditions().items()]
    for players in PLAYERS:
        for seat in places(players):
            for policy, hands in LINE_UPS.items():
                file = folder / file_of(players, seat, policy)
                options = {"players": players, "me": seat, "policy": policy, "hands": sized(hands), "seed": SEED}
                study.run(cs.odds, questions, output=file, **options)
            if seat in ENDS:
                chart = folder / file_of(players, seat, "careful")
                cs.plot(chart, output=chart.with_suffix(".png"))


def worth(folder: Path, players: int, policy: str) -> dict[str, dict[str, study.Row]]:
    """The row of each condition, by seat."""
    worths = {}
    for seat in places(players):
        rows = cs.read(folder / file_of(players, seat, policy)).frame.iter_rows(named=True)
        worths[seat] = dict(zip(conditions(), rows, strict=True))
    return worths


def shares() -> dict[str, Fraction]:
    """The exact probability of each kind."""
    return {name: Fraction(cs.odds(questions).frame["exact"].item()) for name, questions in conditions().items()}


def chart(folder: Path, players: int) -> str:
    """The starting-hand chart: a row for each kind, a column for each seat, with careful and with search players."""
    careful, search = (worth(folder, players, policy) for policy in LINE_UPS)
    seat_names, dealt = places(players), shares()
    head = ["first three cards", "dealt", *seat_names.values(), "first, `search:16`", "dealer, `search:16`"]
    rows = [
        [
            name, f"{100 * float(dealt[name]):.1f}%",
            *(study.signed(careful[seat][name], 2) for seat in seat_names),
            *(study.signed(search[seat][name], 2) for seat in ENDS),
        ]
        for name in conditions()
    ]  # fmt: skip
    return study.table(head, rows)


def answer(folder: Path, lang: str = "en", players: int = 4) -> str:
    """The main points of the chart."""
    careful = worth(folder, players, "careful")
    first, dealer = (careful[seat] for seat in ENDS)

    def excess(rows: dict[str, study.Row], name: str) -> float:
        return float(rows[name]["estimate"] - rows[ANY]["estimate"])

    plain = [name for name in KINDS if not name.startswith("bars")]
    best, worst = (of(plain, key=lambda name: excess(first, name)) for of in (max, min))
    ranks = sorted((f"{rank} held" for rank in RANKS), key=lambda name: -excess(first, name))
    good, next_best, bad = (ranks[place].split()[0] for place in (0, 1, -1))
    triple, low = "barsegon, three equal", "barsega without the matta"
    numbers = [
        f"{number:+.{places}f}"
        for number, places in (
            (first[ANY]["estimate"], 2), (dealer[ANY]["estimate"], 2),
            (excess(first, triple), 1), (excess(first, low), 1), (excess(dealer, triple), 1), (excess(dealer, low), 1),
            (excess(first, best), 2), (excess(first, worst), 2),
        )
    ]  # fmt: skip
    return study.localized(
        lang,
        f"Between careful players who plays first ends {numbers[0]} points ahead on average, the dealer {numbers[1]}. "
        f"Compared with that a barsegon and a barsega without the matta are worth {numbers[2]} and {numbers[3]} to "
        f"the first, {numbers[4]} and {numbers[5]} to the dealer. Of holdings without a bonus the best to play first "
        f"with is {best} ({numbers[6]}), the worst {worst} ({numbers[7]}). Of single ranks, bonuses and all, {good} "
        f"and {next_best} are the best when one plays first, {bad} is the worst.",
        f"Tra giocatori accorti chi gioca per primo finisce in media a {numbers[0]} punti, il mazziere a {numbers[1]}. "
        f"Rispetto a questo un barsegon e una barsega senza la matta valgono {numbers[2]} e {numbers[3]} per il primo, "
        f"{numbers[4]} e {numbers[5]} per il mazziere. Tra le mani senza accuso la migliore per cominciare è "
        f"{ITALIAN[best]} ({numbers[6]}), la peggiore {ITALIAN[worst]} ({numbers[7]}). Tra le carte, accusi compresi, "
        f"{ITALIAN[good]} e {ITALIAN[next_best]} sono le migliori per chi comincia, {ITALIAN[bad]} la peggiore.",
    )


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    results = [(cs.read(folder / file), file) for seat in places(players) for policy in LINE_UPS
               if (file := file_of(players, seat, policy))]  # fmt: skip
    pictures = [file_of(players, seat, "careful").replace(".parquet", ".png") for seat in ENDS]
    return study.joined(
        [
            f"## {players} players",
            answer(folder, "en", players),
            chart(folder, players),
            f"![What the first player's cards are worth, {players} players]({pictures[0]})",
            f"![What the dealer's cards are worth, {players} players]({pictures[1]})",
            f"{results[0][0].metadata['hands']:,} hands of `careful`, {results[1][0].metadata['hands']:,} of "
            "`search:16`; the first of the files below are made so, the others likewise.",
            study.commands(results[0]),
        ]
    ).rstrip()


def page(folder: Path) -> str:
    """The page, from the files; exact values are computed again."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/holdings.py`. Points ahead at the end of the hand, on average, of the side that "
            "holds these cards at first, with 95% intervals. Every holding is of one of the first kinds; *no figure*, "
            "*one figure* and *two or three* have no ace and no seven. Rows of a rank are of all holdings with such a "
            "card, bonuses too; the matta is a seven.",
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("holdings")
