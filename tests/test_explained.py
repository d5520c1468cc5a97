"""What the explanation of random rules says of random situations is what the referee pays.

The explanation is read as a player would: sentence by sentence, with nothing known of the rules but these sentences.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
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
DIAMONDS = [card for card in PACK if card[1] == "d"]

Piles = list[list[str]]


def value(card: str) -> int:
    return RANKS.index(card[0]) + 1


class Told:
    """Sentences of an explanation, and what they pay."""

    def __init__(self, rules: Rules) -> None:
        self.sentences = [str(sentence) for part in how_to_play(rules).values() for sentence in part]

    def find(self, pattern: str) -> list[tuple[str, ...]]:
        """What stands in the places of a sentence, wherever one begins so."""
        return [match.groups() for sentence in self.sentences if (match := re.match(pattern, sentence))]

    def points(self, pattern: str) -> int:
        """The points in the only sentence that begins so, 0 where there is none."""
        (points,) = self.find(pattern + r".*points: (\d+)") or [("0",)]
        return int(points[-1])

    @property
    def matta(self) -> str | None:
        for (symbol,) in self.find(r"The matta, wild in bonuses only, is (.+)\."):
            return symbol[0] + SUITS["♥♦♣♠".index(symbol[1])]
        return None

    # -------------------------------------------------------------------------------- the score

    def score(self, piles: Piles, sweeps: Sequence[int]) -> list[int]:
        """The points of each side."""
        totals = [swept * self.points("Whoever captures all the cards of the table makes a scopa,") for swept in sweeps]
        for words, counted in (("Most cards,", PACK), ("Most diamonds,", DIAMONDS)):
            add(totals, most(counts(piles, counted)), self.points(words))
        add(totals, most(self.primes(piles)), self.points("The primiera,"))
        for side, pile in enumerate(piles):
            totals[side] += self.diamonds(pile)
        for name, how, symbols in self.find(r"(.+): (each of|all of|the most of) ([^,]+),"):
            cards = [symbol[0] + SUITS["♥♦♣♠".index(symbol[1])] for symbol in symbols.split()]
            points, numbers = self.points(re.escape(f"{name}: {how} {symbols}")), counts(piles, cards)
            if how == "the most of":
                tied = bool(self.find(re.escape(f"{name}: {how} {symbols}") + ", also in a tie"))
                best = max(numbers)
                numbers = [int(number == best > 0) for number in numbers] if tied else most(numbers)
            if how == "all of":
                numbers = [int(number == len(cards)) for number in numbers]
            add(totals, numbers, points)
        for name, symbol, points in self.find(r"(.+): (\S\S) and the next cards of its suit .* points each: (\d+)"):
            first = symbol[0] + SUITS["♥♦♣♠".index(symbol[1])]
            assert name
            add(totals, [run(pile, first) for pile in piles], int(points))
        return totals

    def diamonds(self, pile: list[str]) -> int:
        """What settebello, la grande, la piccola or all ten diamonds bring."""
        replaced = self.find(r"All ten diamonds are worth, in place of settebello, piccola and grande, points: (\d+)")
        if replaced and {*DIAMONDS} <= {*pile}:
            return int(replaced[0][0])
        total = self.points("Settebello, the seven of diamonds,") * ("7d" in pile)
        if {"Jd", "Qd", "Kd"} <= {*pile}:
            more = ("7d" in pile) * (1 + ("6d" in pile)) if self.find("La grande earns one point more") else 0
            total += self.points("La grande, jack, queen and king of diamonds,") + more
        for (longest,) in self.find(r"La piccola, .*: a point a card, at least 3 cards and at most (\d+)\."):
            total += min(run(pile, "Ad"), int(longest))
        return total

    def primes(self, piles: Piles) -> Sequence[Any]:
        """What decides the primiera, of each side."""
        if self.find("Primiera in its simple form: most sevens"):
            return counts(piles, [card for card in PACK if card[0] == "7"])
        if self.find("Primiera by ranks: most sevens; in a tie most sixes, then aces, then fives"):
            return [tuple(sum(card[0] == rank for card in pile) for rank in "76A5") for pile in piles]
        courts = (10, 10, 10)
        if self.find("In the primiera a king counts 10, a knight or queen 9, a jack 8"):
            courts = (8, 9, 10)
        if self.find("In the primiera court cards count nothing"):
            courts = (0, 0, 0)
        values = dict(zip(RANKS, (16, 12, 13, 14, 15, 18, 21, *courts), strict=True))
        best = [{suit: max(values[card[0]] for card in pile if card[1] == suit) for suit in {c[1] for c in pile}}
                for pile in piles]  # fmt: skip
        whole = [sum(one.values()) if len(one) == 4 else 0 for one in best]
        loses = self.find("A side that lacks a suit loses the primiera to one that has all, and may win it")
        return [sum(one.values()) for one in best] if loses and not any(whole) else whole

    # -------------------------------------------------------------------------------- bonuses

    def valued(self, cards: Sequence[str]) -> Iterator[tuple[list[int], int | None]]:
        """The values of some cards, with each that the matta may take."""
        others = [value(card) for card in cards if card != self.matta]
        yield from [(others, None)] if self.matta not in cards else [([*others, wild], wild) for wild in range(1, 11)]

    def table(self, cards: Sequence[str]) -> int:
        """What the dealer gets for four table cards."""
        best = 0
        for total, points in self.find(r"The four table cards total (.+): the dealer captures them, points: (\d+)"):
            if any(meets(total, sum(values)) for values, _ in self.valued(cards)):
                best = max(best, int(points))
        return best

    def held(self, cards: Sequence[str]) -> int:
        """What three cards are shown for."""
        if self.find("The fewest points win") and not self.find("A player who may show a bonus must show one"):
            return 0
        barsega = self.find(r"Barsega, three cards that total (\d+) or less, points: (\d+)")
        barsegon, best = self.points("Barsegon, three equal cards,"), 0
        both = self.find(r"Three equal cards that total (\d+) or less[:,] (.+)\.")
        for values, wild in self.valued(cards):
            limit, low = map(int, barsega[0]) if barsega else (0, 0)
            as_ace = wild in (None, 1) or not self.find("In a low holding it is always an ace")
            is_low, triple = sum(values) <= limit and as_ace, len({*values}) == 1
            points = max(low * is_low, barsegon * triple)
            if both and triple and as_ace and sum(values) <= int(both[0][0]):
                how = both[0][1]
                alone = {"the better bonus only": points, "both bonuses together": low + barsegon}
                points = alone[how] if how in alone else int(how.removeprefix("points: "))
            best = max(best, points)
        return best

    def status(self, cards: Sequence[str]) -> str:
        """Whether four table cards are dealt again, win the game or are played."""
        ranks = [card[0] for card in cards]
        if self.find("Four equal table cards, or three equal and the matta: the dealer's side wins the game") and (
            len({card[0] for card in cards if card != self.matta}) == 1
        ):
            return "win"
        if self.find("Three table cards of one rank, the fourth not the matta: misdeal") and any(
            len({card[0] for card in cards if card != fourth}) == 1 and fourth != self.matta for fourth in cards
        ):
            return "misdeal"
        for number, plural in self.find(r"(\d) or more (\w+) among the cards on the table: misdeal"):
            if ranks.count(RANKS[PLURALS.index(plural)]) >= int(number):
                return "misdeal"
        return "play"


def counts(piles: Piles, cards: Sequence[str]) -> list[int]:
    return [len({*pile} & {*cards}) for pile in piles]


def most(numbers: Sequence[Any]) -> list[int]:
    """1 for the side that has more than every other, of what is not nothing."""
    best = max(numbers)
    alone = list(numbers).count(best) == 1 and best != 0
    return [int(alone and number == best) for number in numbers]


def run(pile: list[str], first: str) -> int:
    """The cards in a row from a card on, if there are three or more."""
    length = 0
    for rank in RANKS[RANKS.index(first[0]) :]:
        if rank + first[1] not in pile:
            break
        length += 1
    return length if length >= 3 else 0


def add(totals: list[int], numbers: Sequence[int], points: int) -> None:
    for side, number in enumerate(numbers):
        totals[side] += points * number


def meets(words: str, total: int) -> bool:
    """Whether a total is as the words say: ``exactly 15``, ``9 or less``, ``more than 30``."""
    number = int(re.findall(r"\d+", words)[0])
    is_so: dict[str, Callable[[], bool]] = {
        "exactly": lambda: total == number, "or less": lambda: total <= number, "or more": lambda: total >= number,
        "less than": lambda: total < number, "more than": lambda: total > number,
    }  # fmt: skip
    (test,) = (test for sign, test in is_so.items() if sign in words)
    return test()


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


@pytest.mark.parametrize("seed", range(RULE_SETS))
def test_the_explanation_pays_what_the_referee_pays(seed: int) -> None:
    rng = random.Random(seed)
    rules = odd_rules(rng)
    fields, told = asdict(rules), Told(rules)
    for piles, table, held in situations(rng, rules.sides):
        sweeps = [rng.randint(0, 4) for _ in piles]
        swept = [number * scoring.sweep_point(fields) for number in sweeps]
        nothing = [0] * rules.sides
        points, outright = scoring.score(fields, piles, swept, nothing, nothing)
        totals = told.score(piles, sweeps)
        assert totals == [side["total"] for side in points]
        winning = [side for side, pile in enumerate(piles) if {*DIAMONDS} <= {*pile}]
        by_diamonds = told.find("Cappotto: the side that takes all ten diamonds wins the game") and winning
        to_nothing = [
            side for (least,) in told.find(r"A hand that a side wins by (\d+) points or more to nothing wins the game")
            for side, total in enumerate(totals) if total == sum(totals) >= int(least)
        ]  # fmt: skip
        assert outright in ([*by_diamonds, *to_nothing] or [None])
        paid = bonuses.table_bonus(fields, table)
        assert told.table(table) == (paid["points"] if paid else 0)
        assert told.status(table) == bonuses.table_status(fields, table)
        claims = bonuses.hand_bonuses(fields, held)
        assert told.held(held) == max((points for points, _ in claims), default=0)
