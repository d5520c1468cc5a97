"""What is each card worth? The margin of a side whose pile has the card, less that of a side whose pile lacks it.

Run: hands of Cirulla between careful and between search players; for each card, whether the dealer's side captured it,
and the margin.
Tables: the difference in margin by card, largest first (parquet). Figures: the same.

    python analyses/card_worth.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import study
from study_views import views
from study_views.study_text import cards_of, rank_each

import cirulla_sim as cs
from cirulla_sim.core.cards import card_symbol, texts
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.reporting.text.findings import Finding, Noun, count_significant
from cirulla_sim.stats.decisions import with_holm
from cirulla_sim.stats.estimates import Estimate, Z
from cirulla_sim.storage.tables import SCHEMA, estimate_row

CARDS = texts((1 << 40) - 1)
PLAYERS = 4
POLICIES = ("careful", "search")
HANDS = 100_000
SEED = 40
VIEW = views.CARD_WORTH
QUESTION = {"en": "What is each card worth?", "it": "Quanto vale ogni carta?"}
FILES = (("card_worth_search.parquet", "worth"), ("card_worth_careful.parquet", "worth"))
CHART = "card_worth_search.png"
SUITS = dict(zip("hdcs", ("hearts", "diamonds", "clubs", "spades"), strict=True))
RANKS = dict(zip("A234567JQK", ("ace", *map(str, range(2, 8)), "jack", "queen", "king"), strict=True))
METHOD = """The table shows the mean margin of the dealer's side, in points a hand, when the card is in its pile, minus
that when the card is in the pile of the other side. Four players are two pairs; 100,000 hands are played by `careful`
players and 100,000 by `search` players. The difference is what goes with having the card, not what the card brings by
itself: a side that captures many cards has each of them. The two groups of hands are independent. Significance is
corrected for all 80 differences (Holm); what is distinguishable from the first card, for all pairs of cards. The 7 of
hearts is the matta, the 7 of diamonds the settebello."""


def file_of(policy: str) -> str:
    """The file of a policy."""
    return f"card_worth_{policy}.parquet"


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Simulate for every card; write the tables."""
    for policy in POLICIES:
        options = {"policy": policy, "players": PLAYERS, "hands": sized(HANDS), "seed": SEED}
        trials = [Experiment(cs.rules(players=PLAYERS).fields, (policy,), seed=SEED)]

        def table(options: dict[str, Any] = options, policy: str = policy) -> tuple[pl.DataFrame, dict[str, Any]]:
            with_card = [f"captured(dealer_side, {card.lower()})" for card in CARDS]
            conditions = [*with_card, *(f"not {has}" for has in with_card)]
            questions = [f"mean(margin(dealer_side)) given {one}" for one in conditions]
            result = cs.odds(questions, progress=False, **options)
            means = result.frame.to_dicts()
            rows = [
                estimate_row(card_symbol(number), "hand", "dealer", "mean", difference(*means[number :: len(CARDS)]))
                for number in range(len(CARDS))
            ]
            frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
            ordered = frame.sort("estimate", descending=True, maintain_order=True)
            metadata = {
                "command": "python analyses/card_worth.py",
                **study.base_metadata(cs.rules(players=PLAYERS), [policy], SEED),
                "hands": options["hands"],
                "stopped": "hands",
            }
            return ordered, metadata

        study.store(folder / file_of(policy), options, trials, table, VIEW)


def difference(with_card: study.Row, without_card: study.Row) -> Estimate:
    """The difference in margin with a card and without it; the two groups of hands are independent."""
    error = (with_card["std_error"] ** 2 + without_card["std_error"] ** 2) ** 0.5
    value = with_card["estimate"] - without_card["estimate"]
    return Estimate(value, error, value - Z * error, value + Z * error, with_card["n"] + without_card["n"])


def worths(folder: Path) -> dict[str, dict[str, study.Row]]:
    """The row of each card by policy, corrected for their number."""
    read = {policy: cards_of(cs.read(folder / file_of(policy)).frame) for policy in POLICIES}
    rows = {(policy, card): row for policy, cards in read.items() for card, row in cards.items()}
    by_key = dict(zip(rows, with_holm(rows.values()), strict=True))
    return {policy: {card: by_key[policy, card] for card in CARDS} for policy in POLICIES}


def findings(folder: Path) -> list[Finding]:
    """How many cards go with a larger margin, and which go with the largest and the smallest."""
    rows = worths(folder)
    every = [row for policy in POLICIES for row in rows[policy].values()]
    named = {policy: {Noun("card", card): row for card, row in rows[policy].items()} for policy in POLICIES}
    return [
        count_significant("cards-help", every, ("more",)),
        rank_each("card-best", named),
        rank_each("card-worst", named, least=True),
    ]


def table(folder: Path) -> str:
    """The differences by rank and suit."""
    rows = worths(folder)
    columns = [(suit, policy) for suit in SUITS for policy in POLICIES]
    head = ["points a hand", *(f"{SUITS[suit]}, `{policy}`" for suit, policy in columns)]
    lines = [
        [name, *(study.cell(rows[policy][f"{rank}{suit}"]) for suit, policy in columns)] for rank, name in RANKS.items()
    ]
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [file_of(policy) for policy in POLICIES]


if __name__ == "__main__":
    study.carry_out("card_worth")
