"""The program's advice in random positions, compared with what the referee computes exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from referee import advice as referee
from referee.advice import Choice, Known, Result
from referee.best_play import best_margins
from referee.players import POLICIES
from referee.positions import random_position

from cirulla_sim.advice.judge import Problem, own_margins, solve_turn
from cirulla_sim.core import cards
from cirulla_sim.kernel.entries.values import ENDS, FIRST_END
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import NOBODY, HandState
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import order_of_play, seen_from
from cirulla_sim.situation.plays import TurnChoice, captured, card_of, cards_shown, matta_shown
from cirulla_sim.situation.positions import read_position

GAMES = [(name, players) for name in preset_names() for players in catalogue()["preset"][name]["seats"]]
MOST_DEALS = 48
FEW_PLAYS = 5
"""Half of the positions with at most so many plays left are played on at random: it branches at every play."""
FEW_OPEN = 8
"""Positions with all cards known are solved with so many plays left."""

KINDS = {"cards": 0, "diamonds": 1, "settebello": 2, "primiera": 3, "grande": 4}
"""Places in the points of a side."""


@dataclass(frozen=True)
class Difference:
    """A number of the program and the referee's: ``z`` is their difference in standard errors, 0 where both are sure.

    It is infinite if the program had an outcome that cannot be, or if they differ without chance.
    """

    position: int
    what: str
    z: float
    is_sure: bool


# ---------------------------------------------------------------- what the program says


def text_of(rules: Rules, known: Known) -> str:
    """A position as a text of ``--at``, which does not say who has shown no set, nor who captured last."""
    people, order = seen_from(rules, known.seat), order_of_play(rules)
    sides = people if rules.sides > 2 else tuple("us" if side == known.side else "them" for side in range(2))
    matta = {rules.matta} & {card for cards in (known.table, *known.shown) for card in cards}
    clauses = {
        "table": f" {listed(known.table)}", "to play": "me", "i am": order[known.seat], "stage": len(rules.deal_plan),
        **{people[seat]: listed(cards - known.shown[seat]) for seat, cards in enumerate(known.holdings)},
        "me": listed(known.holdings[known.seat]),
        **{f"shown {people[seat]}": listed(cards) for seat, cards in enumerate(known.shown)},
        **{f"captured {sides[side]}": listed(cards) for side, cards in enumerate(known.piles)},
        "gone": listed(known.unowned),
        "matta": known.table.get(rules.matta) or known.matta_as or "" if matta else "",
        "points": "-".join(str(known.points[(known.side + k) % rules.sides]) for k in range(rules.sides)),
    }  # fmt: skip
    return "; ".join(f"{key}: {value}" for key, value in clauses.items() if value)


def listed(texts: Iterable[str]) -> str:
    return " ".join(sorted(texts))


def mask(texts: Iterable[str]) -> int:
    return cards.mask([cards.parse(text) for text in texts])


def information(rules: Rules, known: Known) -> HandState:
    """What a seat knows, for the program: what a text says, and who has shown no set, and who captured last."""
    [now] = read_position(rules, Situation.parse(text_of(rules, known))).seats
    now = replace(now, last_capture=NOBODY if known.last_capture is None else known.last_capture)
    view, silent = now.view.copy(), zip(known.silent, known.shown, strict=True)
    view[0]["declined"][: rules.players] = [int(played is not None and not shown) for played, shown in silent]
    view[0]["played"][: rules.players] = [mask(played or ()) for played in known.silent]
    vars(now)["view"] = view
    return now


def rollouts(now: HandState, policy: str, samples: int, seed: int) -> dict[Choice, NDArray[Any]]:
    judged = Problem((now,), LineUp.parse(policy), seed)
    points = judged.play(0, samples)
    return {as_referee(choice): points[:, place] for place, choice in enumerate(judged.choices)}


def as_referee(choice: TurnChoice) -> Choice:
    show, play = choice
    taken = frozenset(cards.texts(captured(play)))
    return Choice(
        frozenset(cards.texts(cards_shown(show))), matta_shown(show) or None, cards.text(card_of(play)), taken
    )


# ---------------------------------------------------------------- comparing


def standard_errors(exact: dict[float, float], mean: float, samples: int) -> tuple[float, bool]:
    """How far the mean of a sample is from that of a distribution, and whether that has a single value.

    ``exact`` has the chances of values. This is the signed root of twice the log likelihood ratio of the mean, which is
    normal far into the tails, where a plain difference in standard errors is not if a rare value is a large one.
    """
    values, chances = np.array(list(exact)), np.array(list(exact.values()))
    if len(exact) == 1:
        return (0.0 if abs(mean - values[0]) < 1e-9 else math.inf), True
    expected = float(values @ chances)
    centred, aim = values - expected, mean - expected
    low, high = centred.min(), centred.max()
    if not low - 1e-9 <= aim <= high + 1e-9:
        return math.inf, False
    if min(aim - low, high - aim) < 1e-9:  # all samples have the lowest or the highest value
        at_bound = chances[np.argmin(abs(centred - aim))]
        return math.copysign(math.sqrt(-2 * samples * math.log(at_bound)), aim), False
    tilt = 0.0
    for _ in range(60):  # Newton's method for the tilt under which the mean is that of the sample
        weights = chances * np.exp(tilt * centred - (tilt * centred).max())
        weights /= weights.sum()
        tilted = float(weights @ centred)
        step = (aim - tilted) / float(weights @ (centred - tilted) ** 2)
        tilt += max(-1.0, min(1.0, step))
        if abs(step) < 1e-10:
            break
    rate = tilt * aim - math.log(float(chances @ np.exp(tilt * centred)))
    return math.copysign(math.sqrt(2 * samples * max(rate, 0.0)), aim), False


def spread(exact: dict[Result, float], number: Callable[[Result], float]) -> dict[float, float]:
    found: dict[float, float] = {}
    for result, chance in exact.items():
        value = float(number(result))
        found[value] = found.get(value, 0.0) + chance
    return found


def margins_of(exact: dict[Result, float], side: int) -> dict[float, float]:
    return spread(exact, lambda result: referee.margin(referee.totals(result), side))


def position_number(number: int, seed: int) -> tuple[Rules, Known, str]:
    """A random position: its rules, what the seat to play knows, and the policy by which all play on."""
    rng = random.Random(f"{seed}, {number}")
    name, players = GAMES[number % len(GAMES)]
    rules = build(name, players, changes={"show_bonus": "at_once"} if rng.random() < 0.2 else None)
    known = random_position(asdict(rules), rng, MOST_DEALS)
    return rules, known, "random" if known.plays_left <= FEW_PLAYS and rng.random() < 0.5 else "greedy"


def differences(number: int, samples: int, seed: int) -> Iterator[Difference]:
    rules, known, policy = position_number(number, seed)
    now, side = information(rules, known), known.side
    exact = referee.results(known, POLICIES[policy])
    wrong = exact.keys() ^ set(map(as_referee, now.legal))
    if wrong:
        yield Difference(number, f"choices {sorted(wrong)}", math.inf, True)
        return
    for choice, sample in rollouts(now, policy, samples, number).items():
        results, points = exact[choice], sample[:, : rules.sides]
        possible = {referee.totals(result) for result in results}
        if not set(map(tuple, points.tolist())) <= possible:
            yield Difference(number, f"{choice}: points that cannot be", math.inf, True)
        margin = referee.margin(points.mean(axis=0), side)
        yield Difference(number, f"{choice}: margin", *standard_errors(margins_of(results, side), margin, samples))
        for place, name in enumerate(ENDS):
            share = float((sample[:, FIRST_END + place] == side + 1).mean())
            chances = spread(results, lambda result, kind=KINDS[name]: float(result[side][kind] > 0))
            yield Difference(number, f"{choice}: {name}", *standard_errors(chances, share, samples))
    if rules.sides == 2 and known.plays_left <= FEW_OPEN and len(referee.positions(known)) == 1:
        yield from differences_of_best_play(number, known, now)


def differences_of_best_play(number: int, known: Known, now: HandState) -> Iterator[Difference]:
    """What is compared where all cards are known, and everybody plays the best."""
    [position] = referee.positions(known)
    holdings = tuple(map(mask, position.holdings))
    exact, solution = best_margins(known), solve_turn(replace(now, known=holdings, constraints=None), holdings)
    for choice, margin in zip(solution.choices, own_margins(now, solution.points[None])[0], strict=True):
        difference = abs(margin - exact[as_referee(choice)])
        yield Difference(number, f"{now.in_words(choice)}: solved", 0.0 if difference < 1e-4 else math.inf, True)
