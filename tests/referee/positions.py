"""Random positions near the end of a hand, as the seat to play knows them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

from .advice import NO_CARDS, Known
from .bonuses import hand_bonuses
from .hand import Hand
from .selfplay import deal, play_at_random, play_stage, take_table_bonus


def random_position(rules: dict[str, Any], rng: random.Random, most_deals: int) -> Known:
    """A position of the last stage with at most three cards a seat, reached by random play from a random deal.

    In half of the deals a seat, often the one to play, gets sets worth a bonus, in half of these with the matta.
    Sometimes a captured card is forgotten, or its pile. So many hidden cards are known that at most ``most_deals`` ways
    remain in which they can lie.
    """
    table: list[str] = []
    while len(table) != rules["table_cards"] or not table:  # a lost misdeal has no table
        _, table, holdings = deal(rules, rng)
        if not rules["table_cards"]:
            break
    size, players = rules["deal_plan"][-1], rules["players"]
    first = max(0, size - 3) * players
    stop = rng.choice([first + rng.randrange(players), rng.randrange(first, size * players)])
    if rng.random() < 0.5:
        holdings = with_sets(rules, rng, holdings, rng.choice([stop % players, rng.randrange(players)]))
    hand = Hand(rules, table)
    take_table_bonus(hand, table)
    for number in range(len(rules["deal_plan"]) - 1):
        play_stage(hand, holdings, number, rng)
    hand.start_stage(holdings[-1])
    showing = set()
    for number in range(stop):
        if number % players == 0:
            hand.start_round()
        if play_at_random(hand, number % players, False, rng)["knock"]:
            showing.add(number % players)
    if stop % players == 0:
        hand.start_round()
    return reveal(forget(known_of(hand, *divmod(stop, players), showing), rng), hand, rng, most_deals)


def with_sets(
    rules: dict[str, Any], rng: random.Random, holdings: list[list[list[str]]], seat: int
) -> list[list[list[str]]]:
    """The deal after exchanging cards so that the last holding of a seat is made of sets worth a bonus, if any are."""
    free = sorted(card for stage in holdings for cards in stage for card in cards)
    for first in range(0, rules["deal_plan"][-1] - 2, 3):
        sets = [three for three in combinations(free, 3) if hand_bonuses(rules, list(three))]
        if rng.random() < 0.5:
            sets = [three for three in sets if rules["matta"] in three] or sets
        for place, card in enumerate(rng.choice(sets) if sets else (), first):
            exchanged = {card: holdings[-1][seat][place], holdings[-1][seat][place]: card}
            holdings = [[[exchanged.get(held, held) for held in cards] for cards in stage] for stage in holdings]
            free.remove(card)
    return holdings


def known_of(hand: Hand, turn: int, seat: int, showing: set[int]) -> Known:
    """What the seat to play knows of a hand: its own cards, those shown, and who would have shown a set and did not.

    ``showing`` are the seats that have shown a set in this stage.
    """
    rules, matta = hand.rules, hand.rules["matta"]
    holdings = [frozenset(shown) for shown in hand.shown]
    holdings[seat] = frozenset(hand.holdings[seat])
    declared = hand.declared.get(matta) if matta and any(matta in cards for cards in hand.shown) else None
    scores = zip(hand.sweep_points, hand.table_bonus_points, hand.hand_bonus_points, strict=True)
    silent = [
        silence(hand, other, other in showing) if turn or other < seat else None for other in range(len(holdings))
    ]
    silent[seat] = None
    return Known(
        rules, seat, turn, dict(hand.table), tuple(len(cards) for cards in hand.holdings), tuple(holdings),
        tuple(frozenset(cards) for cards in hand.shown), tuple(silent), tuple(frozenset(pile) for pile in hand.piles),
        tuple(map(sum, scores)), hand.last_capture_by, declared,
    )  # fmt: skip


def silence(hand: Hand, seat: int, has_shown: bool) -> frozenset[str] | None:
    """The cards that a seat has played since it could have shown a set and did not; None if it has shown one.

    In larger holdings they are not remembered; where all sets are shown at the first turn, the cards left are none.
    """
    if len(hand.dealt[seat]) == 3:
        return None if has_shown else frozenset(hand.dealt[seat] - hand.holdings[seat])
    return None if has_shown and hand.rules["bonus_cards_first"] else NO_CARDS


def forget(known: Known, rng: random.Random) -> Known:
    """The same if the seat now and then does not remember a captured card, its pile, or who captured last."""
    piles = [set(pile) for pile in known.piles]
    remembered = set().union(*(played for played in known.silent if played))
    captured = sorted(set().union(*piles) - remembered)
    rng.shuffle(captured)
    unowned, forgotten = captured[: rng.choice([0, 0, 0, 1])], captured[1:][: rng.choice([0, 0, 0, 1])]
    left = [frozenset(pile - set(unowned) - set(forgotten)) for pile in piles]
    last_capture = known.last_capture if rng.random() < 0.8 else None
    return replace(
        known, piles=tuple(left), unowned=frozenset(unowned), forgotten=len(forgotten), last_capture=last_capture
    )


def reveal(known: Known, hand: Hand, rng: random.Random, most_deals: int) -> Known:
    """The same after showing the seat hidden cards, until at most ``most_deals`` ways are left in which cards lie."""
    holdings = [set(cards) for cards in known.holdings]
    while number_of_ways(known) > most_deals:
        hidden = [set(hand.holdings[seat]) - cards for seat, cards in enumerate(holdings)]
        seat = max(range(len(hidden)), key=lambda seat: (len(hidden[seat]), rng.random()))
        if not hidden[seat]:
            return known
        holdings[seat].add(rng.choice(sorted(hidden[seat])))
        known = replace(known, holdings=tuple(frozenset(cards) for cards in holdings))
    return known


def number_of_ways(known: Known) -> int:
    """An upper bound of the positions that the seat may be in."""
    cards, ways = len(known.unseen), len(known.piles) ** (len(known.unowned) + known.forgotten)
    for number, seen in zip(known.held, known.holdings, strict=True):
        ways *= comb(cards, number - len(seen))
        cards -= number - len(seen)
    return ways * (known.rules["players"] if known.last_capture is None else 1)
