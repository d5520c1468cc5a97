"""Exact answers under many ways of dealing, against counts of every holding that there is."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

import pytest

import cirulla_sim as cs
from cirulla_sim.ruleset.rules_model import Rules

PLANS = [(4, (4, 5)), (4, (2, 7)), (4, (1, 8)), (4, (5, 4)), (4, (6, 3)), (4, (9,)), (3, (3, 4, 5)), (2, (4, 4, 4, 6)),
         (2, (2, 2, 2, 3, 9)), (2, (3,) * 6)]  # fmt: skip
"""Players, and the cards that each is dealt, stage by stage: ten plans, with holdings of one card to nine."""


class Held(NamedTuple):
    """Some cards: how many of each rank, the matta apart, and whether the matta is one of them."""

    ranks: tuple[int, ...]
    matta: bool

    @property
    def low(self) -> bool:
        """Whether three of the cards total nine or less, the matta as an ace."""
        lowest = sorted([rank for rank, count in enumerate(self.ranks, 1) for _ in range(count)] + [1] * self.matta)
        return sum(lowest[:3]) <= 9

    @property
    def equal(self) -> bool:
        """Whether three are of one rank, the matta of any."""
        return max(self.ranks) + self.matta >= 3


def every_holding(size: int) -> Iterator[tuple[Held, int]]:
    """The holdings of so many cards, by their ranks, and how many there are of each; the matta is the 7 of hearts."""
    most = [4] * 6 + [3] + [4] * 3
    for matta in (0, 1):
        for ranks in _counts(most, size - matta):
            yield Held(ranks, bool(matta)), prod(map(comb, most, ranks))


def _counts(most: list[int], size: int) -> Iterator[tuple[int, ...]]:
    if not most:
        yield from [()] if size == 0 else []
        return
    for count in range(min(most[0], size) + 1):
        for rest in _counts(most[1:], size - count):
            yield count, *rest


HELD: dict[str, Callable[[Held], bool]] = {
    "low({})": lambda held: held.low,
    "triple({})": lambda held: held.equal,
    "bonus({})": lambda held: held.low or held.equal,
    "barsegon({}) or barsega({})": lambda held: held.low or held.equal,
    "sevens({}) >= 2": lambda held: held.ranks[6] + held.matta >= 2,
    "most_equal({}) = 3": lambda held: max(*held.ranks[:6], held.ranks[6] + held.matta, *held.ranks[7:]) == 3,
    "aces({}) > kings({})": lambda held: held.ranks[0] > held.ranks[9],
    "total({}) <= 20": lambda held: sum(r * n for r, n in enumerate(held.ranks, 1)) + 7 * held.matta <= 20,
    "matta({}) and not aces({})": lambda held: held.matta and not held.ranks[0],
}  # fmt: skip
"""Questions about the cards that somebody holds, and how each is answered for one holding."""


@pytest.mark.parametrize(("players", "plan"), PLANS)
def test_a_holding_is_counted_as_every_holding_there_is(players: int, plan: tuple[int, ...]) -> None:
    rules = Rules(players=players, partnership=False, deal_plan=plan)
    for stage in sorted({0, len(plan) - 1}):
        size = plan[stage]
        # Later stages are dealt only once a table stays, with one ace at most.
        every = [(held, ways * (_tables(size, held.ranks[0]) if stage else 1)) for held, ways in every_holding(size)]
        for question, of in HELD.items():
            if size < 3 and question.split("(")[0] in ("low", "triple", "bonus", "barsegon"):
                continue
            asked = question.replace("{}", f"me, stage {stage + 1}")
            right = Fraction(sum(ways for held, ways in every if of(held)), sum(ways for _, ways in every))
            assert cs.odds(asked, rules=rules, hands=1000).fraction == right, (plan, asked)


def _tables(size: int, aces: int) -> int:
    """The tables that are no misdeal beside a holding of so many cards and aces."""
    others = 36 - size + aces
    return comb(others, 4) + (4 - aces) * comb(others, 3)


@pytest.mark.parametrize(("players", "plan"), [case for case in PLANS if case[1][0] <= 4])
def test_texts_of_a_holding_are_of_as_many_cards(players: int, plan: tuple[int, ...]) -> None:
    rules, size = Rules(players=players, partnership=False, deal_plan=plan), plan[0]
    named = " ".join(f"{rank}h" for rank in "A234"[:size])
    for question, ways in (
        (f"suits = '{'hdcs'[:size]}'", 10**size), (f"ranks = '{'A234'[:size]}'", 4**size),
        (f"ranks = '{'K' * size}'", comb(4, size)), (f"cards = '{named}'", 1),
    ):  # fmt: skip
        assert cs.odds(question, rules=rules, hands=1000).fraction == Fraction(ways, comb(40, size))


@pytest.mark.parametrize(("players", "plan"), PLANS)
def test_places_side_by_side_are_counted_as_every_way_four_cards_may_lie(players: int, plan: tuple[int, ...]) -> None:
    rules = Rules(players=players, partnership=False, deal_plan=plan, misdeal_count=0)
    place = [-1] * 4 + [seat for size in plan for seat, _ in product(range(players), range(size))]
    first = 4 + players * plan[0]
    others = " and ".join(f"sevens(first) > sevens({name})" for name in (*("second", "third")[: players - 2], "dealer"))
    tallies = dict.fromkeys(
        ("sevens(somebody) >= 2", "sevens(together) = 2", "sevens(table) > sevens(first)", others), 0
    )
    for lie in combinations(range(40), 4):
        held = [sum(place[at] == seat for at in lie if 4 <= at < first) for seat in range(players)]
        on_table = sum(at < 4 for at in lie)
        holds = max(held) >= 2, sum(held) == 2, on_table > held[0], held[0] > max(held[1:])
        for question, is_so in zip(tallies, holds, strict=True):
            tallies[question] += is_so
    for question, number in tallies.items():
        assert cs.odds(question, rules=rules, hands=1000).fraction == Fraction(number, comb(40, 4))
