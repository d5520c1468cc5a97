"""What is each card worth? The margin of a side whose pile has the card, less that of a side whose pile has it not.

Run: hands of Cirulla between careful players, asked of each card: is it in the pile of the dealer's side, and what is
that side's margin; and how often each card is in the pile of the side that wins.
Tables: the margin with and without each card, and what the card makes of it (parquet). Figures: where the cards of the
winners are. Answer: a table of cards, the dearest first (markdown).

    python analyses/card_worth.py [--quick] [FOLDER]

writes into ``results``, or into the folder named; the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.cards import texts
from cirulla_sim.kept.estimates import Estimate, Z
from cirulla_sim.kept.numerals import effect
from cirulla_sim.kept.tables import SCHEMA, estimate_row
from cirulla_sim.play import Experiment

CARDS = texts((1 << 40) - 1)
POLICY, PLAYERS = "careful", 4
HANDS, WON_HANDS = 200_000, 1_000_000
SEED = 40
FILE, WON_FILE = "card_worth.parquet", "card_worth_won.parquet"
SHOWN = 10
QUESTION = {"en": "What is each card worth?", "it": "Quanto vale ogni carta?"}
FILES = ((WON_FILE, "odds"),)
SUITS = {"en": dict(zip("hdcs", ("hearts", "diamonds", "clubs", "spades"), strict=True)),
         "it": dict(zip("hdcs", ("cuori", "quadri", "fiori", "picche"), strict=True))}  # fmt: skip
RANKS = {
    "en": dict(zip("A234567JQK", ("ace", *map(str, range(2, 8)), "jack", "queen", "king"), strict=True)),
    "it": dict(zip("A234567JQK", ("asso", *map(str, range(2, 8)), "fante", "donna", "re"), strict=True)),
}


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Ask of every card; write the tables and the figure."""
    asked = {"of": "hand", "policy": POLICY, "players": PLAYERS, "seed": SEED}
    trials = [Experiment(cs.rules(players=PLAYERS).fields, (POLICY,), seed=SEED)]
    words = [f"has_{card.lower()}_dealer" for card in CARDS]

    def margins() -> tuple[pl.DataFrame, dict[str, Any]]:
        rows = []
        for card, word in zip(CARDS, words, strict=True):
            found = cs.odds(mean="margin", by=word, hands=sized(HANDS), **asked)
            rows += rows_of(card, study.one(found, value="true"), study.one(found, value="false"))
        return pl.DataFrame(rows, schema={"card": pl.String} | SCHEMA, orient="row"), {**found.made, "schema": "card/1"}

    def won() -> tuple[pl.DataFrame, dict[str, Any]]:
        found = cs.odds(words, given="won_dealer", hands=sized(WON_HANDS), **asked)
        return found.frame, dict(found.made)

    study.kept(folder / FILE, {"margins": asked, "hands": sized(HANDS)}, trials, margins)
    study.kept(folder / WON_FILE, {"won": asked, "hands": sized(WON_HANDS)}, trials, won)
    cs.plot(folder / WON_FILE, output=(folder / WON_FILE).with_suffix(".png"))


def rows_of(card: str, held: study.Row, lacked: study.Row) -> list[dict[str, Any]]:
    """The margin with a card, without it, and the difference, of hands that are not the same."""
    error = (held["std_error"] ** 2 + lacked["std_error"] ** 2) ** 0.5
    value, hands = held["estimate"] - lacked["estimate"], held["n"] + lacked["n"]
    apart = Estimate(value, error, value - Z * error, value + Z * error, hands)
    told = [
        estimate_row("margin", "hand", "dealer", "mean",
                     Estimate(*(row[name] for name in ("estimate", "std_error", "ci_low", "ci_high", "n"))), has)
        for has, row in ((1, held), (0, lacked))
    ]  # fmt: skip
    return [{"card": card} | row for row in (*told, estimate_row("margin", "hand", "dealer", "difference", apart))]


def worths(folder: Path) -> list[study.Row]:
    """What every card makes of the margin, the most first."""
    return cs.read(folder / FILE).frame.filter(kind="difference").sort("estimate", descending=True).to_dicts()


def said_card(card: str, lang: str) -> str:
    """A card in words.

    >>> said_card("7d", "en"), said_card("Kh", "it")
    ('7 of diamonds', 're di cuori')
    """
    rank, suit = card[0].upper(), card[1].lower()
    return f"{RANKS[lang][rank]} {'of' if lang == 'en' else 'di'} {SUITS[lang][suit]}"


def answer(folder: Path, lang: str = "en") -> str:
    """The cards worth most, the suits, and the cards worth least."""
    rows = worths(folder)
    first = study.listed([f"{said_card(row['card'], lang)} ({effect(row)})" for row in rows[:4]], lang)
    last = f"{said_card(rows[-1]['card'], lang)} ({effect(rows[-1])})"
    diamonds, rest = (
        sum(row["estimate"] for row in rows if (row["card"][1] == "d") is is_diamond) / (10 if is_diamond else 30)
        for is_diamond in (True, False)
    )
    return study.said(
        lang,
        "A pair of careful players whose pile has a card makes more points over the other pair than one whose pile "
        f"has it not. Most of all with these: {first}. A diamond is worth {diamonds:.2f} on average, another card "
        f"{rest:.2f}; least is the {last}. Part of that is not the card's: who takes much takes every card more often.",
        f"Una coppia di giocatori accorti che ha preso una carta fa più punti dell'altra coppia di una che non l'ha "
        f"presa. Più di tutte con queste: {first}. Una carta di quadri vale in media {diamonds:.2f}, un'altra "
        f"{rest:.2f}; meno di tutte il {last}. Una parte non è della carta: chi prende molto prende più spesso ogni "
        "carta.",
    )


def page(folder: Path) -> str:
    """The page, from the files."""
    found, won = cs.read(folder / FILE), cs.read(folder / WON_FILE)
    rows = [[said_card(row["card"], "en"), effect(row)] for row in worths(folder)]
    by_card = {row["card"]: row for row in worths(folder)}
    ranks = [
        [RANKS["en"][card[0].upper()], *(effect(by_card[f"{card[0]}{suit}"]) for suit in "hdcs")]
        for card in CARDS if card[1] == "h"
    ]  # fmt: skip
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            f"Made by `python analyses/card_worth.py`. {found.made['hands']:,} hands of `{POLICY}`, two against two, "
            f"seed {SEED}, asked for each card: what is the margin of the dealer's side when the card is in its pile, "
            "and when it is in the other; ± are 95% intervals. It is what goes with having the card, not what it "
            "brings by itself.",
            study.table(["", *SUITS["en"].values()], ranks),
            f"The {SHOWN} that go with most, and the {SHOWN} that go with least:",
            study.table(["card", "points a hand"], [*rows[:SHOWN], ["...", "..."], *rows[-SHOWN:]]),
            "How often each card is in the winners' pile, where the dealer's side wins:",
            f"![Where the cards of the winners are]({WON_FILE.replace('parquet', 'png')})",
            study.commands((won, WON_FILE)),
            "One card's margin: `" + found.command + "`.",
        ]
    )


if __name__ == "__main__":
    study.carry_out("card_worth")
