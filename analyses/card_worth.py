"""What is each card worth? The margin of a side whose pile has the card, less that of a side whose pile lacks it.

Run: hands of Cirulla between careful players; for each card, whether the dealer's side captured it, and the margin.
Tables: the difference in margin by card, largest first (parquet). Figure: the same. Answer: tables (markdown).

    python analyses/card_worth.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import study

import cirulla_sim as cs
from cirulla_sim.core.cards import symbol, texts
from cirulla_sim.core.numerals import effect
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.stats.estimates import Estimate, Z
from cirulla_sim.storage.tables import SCHEMA, estimate_row

CARDS = texts((1 << 40) - 1)
POLICY, PLAYERS = "careful", 4
HANDS = 200_000
SEED = 40
FILE = "card_worth.parquet"
SHOWN = 10
QUESTION = {"en": "What is each card worth?", "it": "Quanto vale ogni carta?"}
TITLE = "How many points further ahead a side is with each card than without"
"""The title of the chart; its translation is in ``words/it.toml``."""
FILES = ((FILE, "odds"),)
SUITS = {"en": dict(zip("hdcs", ("hearts", "diamonds", "clubs", "spades"), strict=True)),
         "it": dict(zip("hdcs", ("cuori", "quadri", "fiori", "picche"), strict=True))}  # fmt: skip
RANKS = {
    "en": dict(zip("A234567JQK", ("ace", *map(str, range(2, 8)), "jack", "queen", "king"), strict=True)),
    "it": dict(zip("A234567JQK", ("asso", *map(str, range(2, 8)), "fante", "donna", "re"), strict=True)),
}


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Simulate for every card; write the table and the figure."""
    options = {"policy": POLICY, "players": PLAYERS, "hands": sized(HANDS), "seed": SEED}
    trials = [Experiment(cs.rules(players=PLAYERS).fields, (POLICY,), seed=SEED)]

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        with_card = [f"captured(dealer, {card.lower()})" for card in CARDS]
        conditions = [*with_card, *(f"not {has}" for has in with_card)]
        result = cs.odds([f"mean(margin(dealer)) given {one}" for one in conditions], progress=False, **options)
        means = result.frame.to_dicts()
        rows = [
            estimate_row(symbol(number), "hand", "dealer", "mean", difference(*means[number :: len(CARDS)]))
            for number in range(len(CARDS))
        ]
        frame = pl.DataFrame(rows, schema=SCHEMA, orient="row").sort("estimate", descending=True, maintain_order=True)
        return frame, {**result.metadata, "command": "python analyses/card_worth.py", "title": TITLE}

    study.store(folder / FILE, options, trials, table)
    cs.plot(folder / FILE, output=(folder / FILE).with_suffix(".png"))


def difference(with_card: study.Row, without_card: study.Row) -> Estimate:
    """The difference in margin with a card and without it; the two groups of hands are independent."""
    error = (with_card["std_error"] ** 2 + without_card["std_error"] ** 2) ** 0.5
    value = with_card["estimate"] - without_card["estimate"]
    return Estimate(value, error, value - Z * error, value + Z * error, with_card["n"] + without_card["n"])


def worths(folder: Path) -> dict[str, study.Row]:
    """The row of each card, largest difference first."""
    cards = {symbol(number): card for number, card in enumerate(CARDS)}
    return {cards[row["quantity"]]: row for row in cs.read(folder / FILE).frame.to_dicts()}


def card_name(card: str, lang: str) -> str:
    """The name of a card.

    >>> card_name("7d", "en"), card_name("Kh", "it")
    ('7 of diamonds', 're di cuori')
    """
    rank, suit = card[0].upper(), card[1].lower()
    return f"{RANKS[lang][rank]} {'of' if lang == 'en' else 'di'} {SUITS[lang][suit]}"


def answer(folder: Path, lang: str = "en") -> str:
    """The cards worth most, the suits, and the cards worth least."""
    rows = worths(folder)
    cards = list(rows)
    first = study.listed([f"{card_name(card, lang)} ({effect(rows[card])})" for card in cards[:4]], lang)
    last = f"{card_name(cards[-1], lang)} ({effect(rows[cards[-1]])})"
    diamonds, rest = (
        fmean(row["estimate"] for card, row in rows.items() if (card[1] == "d") is is_diamond)
        for is_diamond in (True, False)
    )
    return study.localized(
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
    result, rows = cs.read(folder / FILE), worths(folder)
    cells = [[card_name(card, "en"), effect(row)] for card, row in rows.items()]
    ranks = [[RANKS["en"][rank], *(effect(rows[f"{rank}{suit}"]) for suit in SUITS["en"])] for rank in RANKS["en"]]
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            f"Made by `python analyses/card_worth.py`. {result.metadata['hands']:,} hands of `{POLICY}`, two against "
            f"two, seed {SEED}, asked for each card: what is the margin of the dealer's side when the card is in its "
            "pile, and when it is in the other; ± are 95% intervals. It is what goes with having the card, not what it "
            "brings by itself.",
            study.table(["", *SUITS["en"].values()], ranks),
            f"The {SHOWN} that go with most, and the {SHOWN} that go with least:",
            study.table(["card", "points a hand"], [*cells[:SHOWN], ["...", "..."], *cells[-SHOWN:]]),
            f"![What goes with each card]({FILE.replace('parquet', 'png')})",
            "One card: `cirulla-sim odds 'mean(margin(dealer))' --by 'captured(dealer, 7d)' "
            f"--policy {POLICY} --players {PLAYERS} --hands {result.metadata['hands']} --seed {SEED}`.",
        ]
    )


if __name__ == "__main__":
    study.carry_out("card_worth")
