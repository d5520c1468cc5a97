"""What the explanation of random rules says of random situations is what the rules pay.

The explanation is read as a player would, sentence by sentence, with nothing known of the rules but these sentences;
the referee counts what the rules pay, and what the sentences say.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from referee import bonuses, scoring
from rule_values import odd_rules

from cirulla_sim.core.cards import PACK, RANKS, SUITS
from cirulla_sim.ruleset.how_to_play import how_to_play
from cirulla_sim.ruleset.rules_model import Rules

RULE_SETS, SITUATIONS = 60, 10
PLURALS = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
SIGNS = {"exactly": "=", "less than": "<", "or less": "<=", "more than": ">", "or more": ">="}
KINDS = {"each of": "each", "all of": "all", "the most of": "most"}

Piles = list[list[str]]


def read(rules: Rules) -> dict[str, Any]:
    """The fields of the rules by which hands are paid, as the sentences of the explanation say them."""
    sentences = [str(sentence) for part in how_to_play(rules).values() for sentence in part]

    def find(pattern: str) -> list[tuple[str, ...]]:
        """What stands in the places of a sentence, wherever one begins so."""
        return [match.groups() for sentence in sentences if (match := re.match(pattern, sentence))]

    def number(pattern: str) -> int:
        """The number in the only sentence that begins so, 0 where there is none."""
        return next((int(found[-1]) for found in find(pattern)), 0)

    def points(pattern: str) -> int:
        return number(pattern + r".*points: (\d+)")

    ways = {
        "Primiera in its simple form: most sevens": "sevens",
        "Primiera by ranks: most sevens; in a tie most sixes, then aces, then fives": "sevens_then_sixes",
    }
    courts = {"In the primiera a king counts 10, a knight or queen 9, a jack 8": "figures",
              "In the primiera court cards count nothing": "no_court_cards"}  # fmt: skip
    both = find(r"Three equal cards that total (\d+) or less[:,] (?:points: )?(.+)\.")
    how = {"the better bonus only": "best", "both bonuses together": "sum"}
    limits = [*find(r"Barsega, three cards that total (\d+) or less"), *both]
    misdeals = find(r"(\d) or more (\w+) among the cards on the table: misdeal")
    wins = find("Cappotto: the side that takes all ten diamonds wins the game")
    worth = number(r"All ten diamonds are worth, in place of settebello, piccola and grande, points: (\d+)")
    fields = {
        "players": rules.players, "partnership": rules.partnership,
        "matta": next((card(symbol) for (symbol,) in find(r"The matta, wild in bonuses only, is (.+)\.")), None),
        "cards_point": points("Most cards,"), "diamonds_point": points("Most diamonds,"),
        "settebello_point": points("Settebello, the seven of diamonds,"), "primiera_point": points("The primiera,"),
        "primiera": next((way for words, way in ways.items() if find(words)), "full"),
        "primiera_values": next((way for words, way in courts.items() if find(words)), "usual"),
        "primiera_lacking": "loses_to_whole" if find("A side that lacks a suit loses the primiera") else "cannot_win",
        "grande": points("La grande, jack, queen and king of diamonds,"),
        "grande_extended": bool(find("La grande earns one point more with the seven of diamonds, and another")),
        "piccola_max": number(r"La piccola, .*: a point a card, at least 3 cards and at most (\d+)\."),
        "all_diamonds": "wins" if wins else worth or "none",
        "shutout": number(r"A hand that a side wins by (\d+) points or more to nothing wins the game"),
        "misdeal_count": int(misdeals[0][0]) if misdeals else 0,
        "misdeal_rank": RANKS[PLURALS.index(misdeals[0][1])] if misdeals else "A",
        "misdeal_three_equal": bool(find("Three table cards of one rank, the fourth not the matta: misdeal")),
        "table_four_equal_wins": bool(find("Four equal table cards, or three equal and the matta: the dealer's side")),
        "lowest_wins": bool(find("The fewest points win")),
        "show_bonus": "at_once" if find("A player who may show a bonus must show one") else "may_wait",
        "matta_low": "ace" if find("In a low holding it is always an ace") else "choose",
        "hand_low_most": int(limits[0][0]) if limits else 0,
        "hand_low": points("Barsega, three cards that total"), "hand_triple": points("Barsegon, three equal cards,"),
        "hand_both": how.get(both[0][1]) or int(both[0][1]) if both else "best",
    }  # fmt: skip
    tables = find(r"The four table cards total (.+): the dealer captures them, points: (\d+)")
    for name, (total, paid) in zip(
        ("table_15", "table_30", "table_low"), [*tables, *[("exactly 0", "0")] * 3], strict=False
    ):
        sign = next(sign for words, sign in SIGNS.items() if words in total)
        fields |= {name: int(paid), f"{name}_total": f"{sign} {re.findall('[0-9]+', total)[0]}"}
    sweeps = points("Whoever captures all the cards of the table makes a scopa,")
    fields["scoring"] = [f"sweeps: each sweep = {sweeps}"]
    for name, kind, symbols, tied, paid in find(
        r"(.+): (each of|all of|the most of) ([^,]+), (also in a tie, )?points: (\d+)"
    ):
        named = " ".join(map(card, symbols.split()))
        fields["scoring"].append(f"{name}: {KINDS[kind]}{' or tied' if tied else ''} {named} = {paid}")
    for name, symbol, paid in find(r"(.+): (\S\S) and the next cards of its suit .* points each: (\d+)"):
        fields["scoring"].append(f"{name}: run {card(symbol)} = {paid}")
    return fields


def card(symbol: str) -> str:
    return symbol[0] + SUITS["♥♦♣♠".index(symbol[1])]


def situations(rng: random.Random, sides: int) -> Iterator[tuple[Piles, list[str], list[str]]]:
    """Piles of all the cards, often with many diamonds together; four table cards and three held, often alike."""
    for _ in range(SITUATIONS):
        piles: Piles = [[] for _ in range(sides)]
        lucky = rng.randrange(sides) if rng.random() < 0.5 else None
        for card in PACK:
            mine = lucky is not None and card[1] == "d" and rng.random() < 0.97
            piles[lucky if mine and lucky is not None else rng.randrange(sides)].append(card)
        two = rng.sample(RANKS, 2)
        few = [card for card in PACK if card[0] in two] + ["7h", "Ah"]
        table, held = (rng.sample(sorted({*(few if rng.random() < 0.5 else PACK)}), n) for n in (4, 3))
        yield piles, table, held


def paid(fields: dict[str, Any], piles: Piles, sweeps: list[int], table: list[str], held: list[str]) -> dict[str, Any]:
    """What rules pay for piles and sweeps, a table and three cards held, and what becomes of the table."""
    nothing, swept = [0] * len(piles), [number * scoring.sweep_point(fields) for number in sweeps]
    points, outright = scoring.score(fields, piles, swept, nothing, nothing)
    bonus, claims = bonuses.table_bonus(fields, table), bonuses.hand_bonuses(fields, held)
    return {
        "totals": [side["total"] for side in points], "outright": outright, "table": bonus and bonus["points"],
        "status": bonuses.table_status(fields, table), "held": max((points for points, _ in claims), default=0),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(RULE_SETS))
def test_the_explanation_pays_what_the_rules_pay(seed: int) -> None:
    rng = random.Random(seed)
    rules = odd_rules(rng)
    fields, said = asdict(rules), read(rules)
    for piles, table, held in situations(rng, rules.sides):
        sweeps = [rng.randint(0, 4) for _ in piles]
        assert paid(said, piles, sweeps, table, held) == paid(fields, piles, sweeps, table, held)
