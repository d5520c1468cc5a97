"""What is the matta worth, and to whom?

Run: Cirulla without the wild seven of hearts, and with the queen of hearts wild instead, against the usual rules, on
the same deals, between greedy, careful and search players; whole games without it.
Tables: every quantity of the comparisons (parquet); the value of holding it is computed exactly. Figures: the
differences by category. Answer: a few sentences and tables (markdown). As a notebook: analyses/matta.ipynb.

    python analyses/matta.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect

PLAYERS = (2, 4)
LINE_UPS = ("greedy", "careful", "search")
HANDS, GAMES = 30_000, 100_000
RULES = ("no-matta", "queen-matta")
PARTS = {
    ("points", "all"): "points of all sides",
    ("points_hand_bonus", "all"): "of these, bonuses held",
    ("points_table_bonus", "dealer"): "of these, bonuses for the table",
    ("points_hand_bonus", "dealer"): "bonuses held by the dealer's side",
    ("points_hand_bonus", "others"): "bonuses held by the others, a side",
    ("margin", "dealer"): "dealer's margin",
}
HELD = {
    "three cards with the matta": "matta",
    "three cards without it": "not matta",
}
SEED = 7
QUESTION = {"en": "What is the matta worth, and to whom?", "it": "Quanto vale la matta, e a chi?"}
FILES = (("matta_4.parquet", "overview"), ("matta_2.parquet", "overview"))


def file_of(players: int) -> str:
    """The file of hands."""
    return f"matta_{players}.parquet"


def games_file(players: int) -> str:
    """The file of whole games."""
    return f"matta_games_{players}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write tables and figures."""
    for players in PLAYERS:
        options = {"players": players, "seed": SEED}
        file = folder / file_of(players)
        study.run(cs.compare, house=RULES, policy=LINE_UPS, hands=sized(HANDS), output=file, **options)
        cs.plot(file, output=file.with_suffix(".png"))
        file = folder / games_file(players)
        games = sized(GAMES)
        study.run(cs.compare, house="no-matta", policy="careful", hands=games, games=games, output=file, **options)


def held() -> str:
    """The exact bonuses of three cards with and without the matta."""
    rows = []
    for label, given in HELD.items():
        chance = cs.odds("bonus", given=given).frame.row(0, named=True)
        mean = cs.odds("mean(bonus_points)", given=given).frame.row(0, named=True)
        rows.append([label, f"{100 * chance['estimate']:.1f}% ({chance['exact']})", f"{mean['estimate']:.3f}"])
    return study.table(["", "earn a bonus", "points on average"], rows)


def changes(result: cs.Result, rules: str) -> str:
    """The effect of a rule on each quantity, by policy."""
    rows = []
    for (quantity, side), label in PARTS.items():
        options = {"rules": rules, "quantity": quantity, "side": side, "kind": "difference"}
        rows.append([label, *(effect(study.row_of(result, policy=policy, **options)) for policy in LINE_UPS)])
    wins = {"rules": rules, "quantity": "wins_hand", "side": "dealer", "kind": "difference"}
    won = (effect(study.row_of(result, policy=policy, **wins), 100) for policy in LINE_UPS)
    rows.append(["hands the dealer's side wins, of 100", *won])
    return study.table(["points a hand", *(f"`{policy}`" for policy in LINE_UPS)], rows)


def games(folder: Path, players: int) -> str:
    """The effect on whole games."""
    result = cs.read(folder / games_file(players))
    length = {kind: result.frame.filter(pl.col("kind") == kind, quantity="hands").row(0, named=True)
              for kind in ("mean", "difference")}  # fmt: skip
    won = study.row_of(result, quantity="wins_game", side="dealer", kind="difference")
    return (
        f"A game of `careful` players takes {length['mean']['estimate']:.2f} hands; without the matta "
        f"{effect(length['difference'])}. Games won by who deals first: {effect(won, 100)} of a hundred."
    )


def section(folder: Path, players: int) -> str:
    """The section of one number of players."""
    result = cs.read(folder / file_of(players))
    return study.joined(
        [
            f"## {players} players",
            "Without the matta (`no-matta`):",
            changes(result, "no-matta"),
            games(folder, players),
            "With the queen of hearts wild instead (`queen-matta`):",
            changes(result, "queen-matta"),
            f"![What changes without the matta, {players} players](matta_{players}.png)",
            f"{result.metadata['hands']:,} hands each, the same deals for all; games are "
            f"{cs.read(folder / games_file(players)).metadata['hands']:,}.",
            study.commands((result, file_of(players)), (cs.read(folder / games_file(players)), games_file(players))),
        ]
    ).rstrip()


def answer(folder: Path, lang: str = "en") -> str:
    """The value of the matta to three cards, its effect on a hand of four players, and on the length of a game."""
    with_it, without = (cs.odds("mean(bonus_points)", given=given).frame["estimate"].item() for given in HELD.values())
    result = cs.read(folder / file_of(4))
    options = {"rules": "no-matta", "policy": "search", "kind": "difference"}
    points, margin = (
        effect(study.row_of(result, quantity=quantity, side=side, **options))
        for quantity, side in (("points", "all"), ("margin", "dealer"))
    )
    games = cs.read(folder / games_file(4)).frame.filter(quantity="hands")
    length, longer = (games.filter(kind=kind).row(0, named=True) for kind in ("mean", "difference"))
    return study.localized(
        lang,
        f"Three cards with the matta bring {with_it:.2f} points of bonus on average, three without it {without:.2f}. "
        f"Without a matta the points of a hand of four who look ahead (search) change by {points}, and the margin of "
        f"the dealer's side by {margin}: bonuses for the table are the dealer's alone. The length of a game between "
        f"careful players, {length['estimate']:.2f} hands, changes by {effect(longer)}.",
        f"Tre carte con la matta portano in media {with_it:.2f} punti di accuso, tre senza {without:.2f}. Se non c'è "
        f"matta, i punti di una smazzata di quattro giocatori che guardano avanti (ricerca) cambiano di {points}, e lo "
        f"scarto di chi dà le carte di {margin}: gli accusi in tavola sono solo suoi. La durata di una partita tra "
        f"giocatori accorti, {length['estimate']:.2f} smazzate, cambia di {effect(longer)}.",
    )


def page(folder: Path) -> str:
    """The page, from the files; exact values are computed again."""
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/matta.py`. The seven of hearts is wild for the bonuses of Cirulla. Who is dealt "
            "it has this, whoever plays (counted, not simulated):",
            held(),
            "What a hand is without it: both sides lose the bonuses they would have held, about the same; the dealer "
            "alone loses bonuses for the table, so its margin falls. ± are 95% intervals.",
            *(section(folder, players) for players in PLAYERS),
        ]
    )


if __name__ == "__main__":
    study.carry_out("matta")
