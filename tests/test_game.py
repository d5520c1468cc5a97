"""``Game``: the referee, plain Python from the rules alone, follows it choice by choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from referee.captures import legal_choices
from referee.game import play_game
from referee.hand import Hand
from referee.replay import replay
from test_hand import Set, shows_of

import cirulla_sim as cs
from cirulla_sim.ruleset.catalogue import catalogue, preset_names

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
