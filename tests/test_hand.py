"""The state of a hand, played forward: the referee, plain Python from the rules alone, plays each hand beside it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

import pytest
from referee.bonuses import hand_bonuses
from referee.captures import ITSELF, legal_choices
from referee.hand import Hand
from referee.selfplay import deal, take_table_bonus
from rule_values import odd_rules

from cirulla_sim.core.cards import mask, members, parse, text, texts
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import MOST_SHOWS, HandState, first_table
from cirulla_sim.situation.plays import TurnChoice, captured, card_of, cards_shown, is_sweep, knock_of, points_shown

Set = tuple[frozenset[str], int | None, int]
"""A set as the referee has it: its cards, what the matta is, its points."""

GAMES = [
    *((preset, players, {}) for preset in preset_names() for players in catalogue()["preset"][preset]["seats"]),
    ("cirulla", 4, {"knock_timing": "deal"}),
    ("cirullone-9", 4, {"bonus_cards_first": False}),
    ("cirullone-9", 4, {"knock_timing": "deal", "show_bonus": "at_once"}),
    ("cirulla", 3, {"matta_on_table": "keeps"}),
]


def cards_of(held: list[str] | set[str] | frozenset[str]) -> int:
    return mask(map(parse, held))


def shows_of(hand: Hand, seat: int, at_deal: bool = False) -> list[tuple[Set, ...]]:
    """All that a seat may show at its turn, or when a stage has been dealt."""
    rules, size, is_large = hand.rules, len(hand.dealt[seat]), len(hand.dealt[seat]) > 3
    waits = rules["knock_timing"] != "turn" and not at_deal and hand.holdings[seat] == hand.dealt[seat]
    if waits or not hand.may_knock(seat) or size < 3 or (not is_large and hand.shown[seat]):
        return [()]
    free = sorted(hand.holdings[seat] - hand.shown[seat])
    sets = [
        (frozenset(three), matta, points)
        for three in combinations(free, 3)
        for points, matta in hand_bonuses(rules, list(three))
    ]
    most = 1 if rules["bonus_cards_first"] else max(1, len(hand.holdings[seat]) // 3)
    several = [
        some
        for number in range(1, most + 1)
        for some in combinations(sets, number)
        if len(frozenset().union(*(one[0] for one in some))) == 3 * number
    ]
    if rules["show_bonus"] != "at_once" or not sets:
        return [(), *several]
    shown = {some: frozenset().union(*(held for held, _, _ in some)) for some in several}
    return [some for some in several if len(some) == most or all(held & shown[some] for held, _, _ in sets)]


def choices_of(hand: Hand, seat: int) -> Iterator[tuple[frozenset[Set], str, frozenset[str]]]:
    """Every choice of a turn: the sets shown, the card and what it takes."""
    for some in shows_of(hand, seat):
        after = deepcopy(hand)
        for held, matta, points in some:
            after.knock(seat, sorted(held), points, matta)
        for card in after.playable(seat):
            for got in legal_choices(hand.rules_now, after.table, after.value(card)):
                yield frozenset(some), card, frozenset({card}) if got == ITSELF else got


def sets_in(show: tuple[int, ...]) -> frozenset[Set]:
    """Sets as the referee has them."""
    return frozenset(
        (frozenset(texts(cards_shown((word,)))), (knock_of((word,)) or {})["matta_as"], points_shown((word,)))
        for word in show
    )


def named(choice: TurnChoice) -> tuple[frozenset[Set], str, frozenset[str]]:
    return sets_in(choice.show), text(card_of(choice.play)), frozenset(texts(captured(choice.play)))


def knock(hand: Hand, seat: int, show: tuple[int, ...]) -> None:
    if knocked := knock_of(show):
        hand.knock(seat, knocked["cards"], knocked["points"], knocked["matta_as"])


def check(hand: Hand, state: HandState) -> None:
    """Both are in the same state."""
    assert set(texts(state.table)) == set(hand.table)
    assert [set(texts(held)) for held in state.known] == hand.holdings
    assert [set(texts(pile)) for pile in state.piles] == hand.piles
    earned = zip(hand.sweep_points, hand.table_bonus_points, hand.hand_bonus_points, strict=True)
    assert list(state.points) == list(map(sum, earned))


def play_beside(rules: Rules, rng: random.Random) -> int:
    """Play a hand at random and compare every state; returns how many choices were compared."""
    data, compared = asdict(rules), 0
    _, table, stages = deal(data, rng)
    kind, word = first_table(rules, cards_of(table)) if table else ("played", 0)
    if not stages or kind == "won":
        return 0
    hand, state = Hand(data, table), HandState.begin(rules, cards_of(table), points_shown((word,)) if word else None)
    assert (take_table_bonus(hand, table) is None) == (not word)
    for number, holdings in enumerate(stages):
        hand.start_stage(holdings)
        hand.start_round()
        state = state.deal(tuple(map(cards_of, holdings)))
        for seat in range(rules.players) if rules.knock_timing != "turn" else ():
            alone = HandState.at_turn(replace(rules, knock_timing="turn"), number, 0, state.known[seat])
            shows = shows_of(hand, seat, at_deal=True)
            if len(shows) <= MOST_SHOWS:
                assert set(map(sets_in, alone.legal_shows)) == set(map(frozenset, shows))
            show = rng.choice(alone.legal_shows)
            state = state.show(show, seat)
            knock(hand, seat, show)
        while any(state.held):
            seat = state.to_play
            if not seat and state.made:
                hand.start_round()
            check(hand, state)
            seen, expected = state.seen_by(), set(choices_of(hand, seat))
            choices = seen.legal()
            if len(seen.legal_shows) <= MOST_SHOWS:
                assert set(map(named, choices)) == expected
                compared += len(choices)
            assert choices == state.legal()
            choice = rng.choice(choices)
            card, got = text(card_of(choice.play)), frozenset(texts(captured(choice.play)))
            knock(hand, seat, choice.show)
            swept = hand.play(seat, card, ITSELF if got == {card} else got, state.plays_left == 1)
            assert swept == is_sweep(choice.play)
            assert state.seen_by(0).play(choice) == state.play(choice).seen_by(0)
            state = state.play(choice)
            assert state.score() is None or not state.plays_left
    check(hand, state)
    earned = {"scope": hand.sweep_points, "table_bonus": hand.table_bonus_points, "hand_bonus": hand.hand_bonus_points}
    score, total = state.score(earned), state.score()
    points, cappotto = hand.finish()
    assert score is not None
    assert total is not None
    assert list(score.points) == points
    assert [side["total"] for side in total.points] == [side["total"] for side in points]
    assert [set(texts(pile)) for pile in score.piles] == hand.piles
    assert score.cappotto == cappotto
    return compared


@pytest.mark.parametrize(("preset", "players", "changes"), GAMES)
def test_the_referee_plays_each_hand_beside(preset: str, players: int, changes: dict[str, Any]) -> None:
    rules, rng = build(preset, players=players, changes=changes), random.Random(f"{preset} {players} {changes}")
    assert sum(play_beside(rules, rng) for _ in range(2)) > 60


def test_the_referee_plays_beside_under_rules_drawn_at_random() -> None:
    rng = random.Random(63)
    assert sum(play_beside(odd_rules(rng), rng) for _ in range(16)) > 500


def test_a_seat_sees_its_cards_and_those_shown() -> None:
    rules, rng = build("cirulla"), random.Random(1)
    pack = rng.sample(range(40), 16)
    holdings = tuple(mask(pack[first : first + 3]) for first in (4, 7, 10, 13))
    state = HandState.begin(rules, mask(pack[:4])).deal(holdings)
    for seat in range(4):
        assert state.seen_by(seat).known == tuple(held if other == seat else 0 for other, held in enumerate(holdings))
        assert len(members(state.seen_by(seat).unseen)) == 33
