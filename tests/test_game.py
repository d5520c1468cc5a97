"""A hand and a game played forward: the referee, plain Python from the rules alone, plays beside, choice by choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from copy import deepcopy
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from referee.bonuses import hand_bonuses
from referee.captures import ITSELF, legal_choices
from referee.game import play_game
from referee.hand import Hand
from referee.replay import replay
from referee.selfplay import deal, take_table_bonus
from rule_values import odd_rules

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.core.cards import mask, members, parse, text, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import MOST_SHOWS, HandState, first_table
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.plays import (
    TurnChoice,
    captured,
    card_of,
    cards_shown,
    is_scopa_play,
    knock_of,
    points_shown,
)
from cirulla_sim.situation.positions import after_choice, choices_with, likely_seat, read_position, situation_of

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
            choices = seen.legal
            if len(seen.legal_shows) <= MOST_SHOWS:
                assert set(map(named, choices)) == expected
                compared += len(choices)
            assert choices == state.legal
            choice = rng.choice(choices)
            card, got = text(card_of(choice.play)), frozenset(texts(captured(choice.play)))
            knock(hand, seat, choice.show)
            swept = hand.play(seat, card, ITSELF if got == {card} else got, state.plays_left == 1)
            assert swept == is_scopa_play(choice.play)
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


Offer = tuple[Any, ...]
"""A play as its card and what it takes; a set as its cards, what the matta is and its points."""

PRESETS = [
    *((preset, catalogue()["preset"][preset]["seats"][-1], {}) for preset in preset_names()),
    ("cirulla", 2, {}),
    ("cirulla", 3, {}),
    ("cirulla", 4, {"knock_timing": "deal"}),
    ("cirullone-9", 4, {"bonus_cards_first": False}),
    ("cirullone-9", 4, {"knock_timing": "deal", "show_bonus": "at_once"}),
    ("cirulla", 2, {"misdeal_dealer": "next", "target": 16}),
    ("cirulla", 3, {"hands_per_game": 2}),
]


Deciding = Generator[list[Offer], Offer, Offer]
"""Yields what may be chosen, is sent the choice, and returns it in the end."""


def chosen(offers: list[Offer]) -> Deciding:
    """The choice made; one that is the only one is made without a question."""
    return offers[0] if len(offers) == 1 else (yield offers)


def show(hand: Hand, seat: int, shows: list[tuple[Set, ...]]) -> Generator[list[Offer], Offer, None]:
    """Ask for the sets that a seat shows, one by one, until it shows no more or may not."""
    some: set[Set] = set()
    while sets := {one for show in shows if some < {*show} for one in show} - some:
        nothing: list[Offer] = [(frozenset(), None, 0)] if some in map(set, shows) else []
        held, matta, points = one = yield from chosen([*nothing, *sets])
        if not held:
            return
        some.add(one)
        hand.knock(seat, sorted(held), points, matta)


def follow(hand: Hand, record: Callable[[], dict[str, Any]]) -> Generator[list[Offer], Offer, None]:
    """Play a hand as the referee has it: yields what the rules let a player choose, and is sent the choice."""
    rules, players = hand.rules, hand.rules["players"]
    for stage, size in enumerate(rules["deal_plan"]):
        hand.start_stage(record()["stages"][stage]["hands"])
        for seat in range(players) if rules["knock_timing"] != "turn" else ():
            yield from show(hand, seat, shows_of(hand, seat, at_deal=True))
        for turn in range(players * size):
            seat = turn % players
            if seat == 0:
                hand.start_round()
            yield from show(hand, seat, shows_of(hand, seat))
            plays: list[Offer] = [
                (card, taken)
                for card in hand.playable(seat)
                for taken in legal_choices(hand.rules_now, hand.table, hand.value(card))
            ]
            card, taken = yield from chosen(plays)
            hand.play(seat, card, taken, stage + 1 == len(rules["deal_plan"]) and turn + 1 == players * size)


def offer_of(choice: cs.Choice) -> Offer:
    if choice.is_play:
        return choice.card, frozenset(choice.takes)
    return frozenset(choice.shows), choice.matta_as, choice.points


@pytest.mark.parametrize(("preset", "players", "fields"), PRESETS)
def test_the_referee_follows_a_game_choice_by_choice(
    preset: str, players: int, fields: dict[str, Any], tmp_path: Path
) -> None:
    rules = cs.rules(preset, players=players, rule=fields)
    plain, rng = asdict(rules.fields), random.Random(f"{preset} {players}")
    game, hands = cs.Game(rules, seed=rng.randrange(10**6)), 0
    offers: list[Offer] = []

    def record() -> dict[str, Any]:
        """The hand that the referee is in."""
        return [*game.records(), game.record][hands]

    while not game.over and (not hands or "target" in fields or "hands_per_game" in fields):
        if not offers:
            hand = Hand(plain, record()["table"])
            if record()["table_bonus"]:
                hand.take_table_bonus(record()["table_bonus"]["points"])
            follower = follow(hand, record)
            offers = next(follower)
        choices = game.choices()
        assert {offer_of(choice) for choice in choices} == set(offers)
        assert len(offers) == len(choices)
        seat = game.setup.calls(game.table.passed)[game.table.decision.seat]
        assert game.to_play == game.setup.people(game.table.passed)[seat]
        choice = rng.choice(choices)
        assert game.situation().parse(str(game.situation())) == game.situation()
        given: Any = rng.choice([choice, choice.number, choice.text])
        before, text = game.copy(), str(game)
        assert game.play(given) == choice
        try:
            offers = follower.send(offer_of(choice))
        except StopIteration:
            offers = []
        if rng.random() < 0.1:
            after = str(game)
            game.undo()
            assert (game, str(game)) == (before, text)
            game.play(choice)
            assert str(game) == after
        if len(game.records()) > hands:
            assert not offers
            assert (hand.finish()[0], hand.scope) == (record()["points"], record()["scope"])
            replay(record(), plain, always_knock=False)
            hands = len(game.records())
    if game.over:
        end = play_game(plain, lambda number, dealer: game.records()[number], players - 1)
        assert end["hands"] == hands
        assert list(game.score().values()) == end["points"]
        names = list(game.score())
        assert {names[side] for side in end["winners"]} == set(game.outcome.winners)
    assert cs.Game.from_records(game.records()).records() == game.records()
    saved = cs.Game.from_records(game.save(tmp_path / "game.jsonl"))
    assert (saved, str(saved)) == (game, str(game))


def test_every_player_sees_only_what_they_may() -> None:
    """The cards of a player who is not to play: their own, and not those of others."""
    game = cs.Game(players=3, seed=5)
    record = game.record
    for seat, who in enumerate(("me", "next", "previous")):
        text = str(game.situation(who))
        assert all(card in text for card in record["stages"][0]["hands"][seat])
        others = [card for s, held in enumerate(record["stages"][0]["hands"]) if s != seat for card in held]
        assert not any(card in text.split() for card in others)
    against = cs.Game(players=3, policy="careful", seed=5)
    with pytest.raises(cs.InputError, match="whose cards you do not see"):
        against.situation("next")
    assert [bool(held) for held in against.record["stages"][0]["hands"]] == [True, False, False]


def test_a_line_up_says_who_plays() -> None:
    assert cs.Game(players=4, policy="them=greedy").setup.callers == {0, 2}
    assert cs.Game(players=4, policy="greedy", me="second").setup.callers == {1}
    assert cs.Game(players=2, policy="us=greedy").setup.callers == {1}
    assert cs.Game(players=3, policy="dealer=greedy").setup.callers == {0, 1}
    assert cs.Game(players=3).setup.callers == {0, 1, 2}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Game(sed=1), "did you mean 'seed'"),
        (lambda: cs.Game().undo(), "no choice has been made"),
        (lambda: cs.Game().play(None), "is no choice"),
        (lambda: cs.Game.from_records([]), "no hand"),
        (lambda: cs.Game.from_records([{"hand": 0}]), "valid: "),
        (lambda: cs.Game.from_records([cs.hand(seed=1).record | {"seed": 2}]), "hand 0|choices"),
    ],
)
def test_invalid_arguments_are_refused(make: Any, message: str) -> None:
    with pytest.raises(cs.InputError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


def test_what_is_known_in_a_hand_that_began_in_the_middle_can_be_read_again() -> None:
    """Of the plays of the stage those before its beginning are not known, so none are named."""
    game = cs.Game(players=2, policy="careful", seed=8, at="i am: first; table: 4c; me: 5d 6d; to play: next; stage: 4")
    assert cs.Situation.parse(str(game.situation())).plays == ()
    again = cs.Game(players=2, policy="careful", seed=8, at=str(game.situation()))
    assert again.situation() == game.situation()


@pytest.mark.parametrize(("preset", "players", "seed"), [
    ("cirulla", 2, 1), ("cirulla", 3, 2), ("cirulla", 4, 3), ("cirulla-online", 2, 16), ("scopa", 2, 1),
    ("scopone", 4, 1), ("cirullone", 4, 3),
])  # fmt: skip
def test_a_hand_is_followed_to_its_end(preset: str, players: int, seed: int) -> None:
    """As seen from every seat: sets shown, captures, the matta's value (which is its own again in hand 16), stages."""
    hand = list(turns(cs.hand(preset, players=players, policy="random", seed=seed).record))
    for me in range(players):
        s: Situation | None = None
        for number, turn in enumerate(hand):
            known = situation_of(turn.hand.seen_by(me))
            if s is None:
                s = known
            elif turn.hand.stage > hand[number - 1].hand.stage:
                assert s.of("me") is None, "what is dealt next is not known"
                s = replace(s, places=known.places)
            assert str(s) == str(known)
            now = likely_seat(read_position(turn.hand.rules, s))
            shown = 0 if turn.hand.to_play == me else cards_shown(turn.choice.show)
            assert turn.choice in choices_with(now, card_of(turn.play), shown)
            s = after_choice(s, now, turn.choice)
        assert s is None, "the hand is over"


def test_what_is_known_of_others_stays_known_until_they_play() -> None:
    s = Situation.parse("i am: first; me: 7h; table: 3c 5c; to play: next; partner: no aces; next: Kd; gone: 2c 2d 3d")
    rules = build()
    now = likely_seat(read_position(rules, s))
    for card in ("7h", "3c", "2c"):
        with pytest.raises(InputError, match="next cannot play"):
            choices_with(now, parse(card))
    after = after_choice(s, now, choices_with(now, parse("Kd"))[0])
    assert after is not None
    assert [name for (name, _), _ in after.places] == ["me", "partner", "table"]
    assert (after.gone, after.to_play) == (s.gone, "partner")
