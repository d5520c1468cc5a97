"""``Game``: the referee, plain Python from the rules alone, follows it choice by choice."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from referee import hand_bonuses, legal_choices, replay
from referee.game import play_game
from referee.hand import Hand

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


class Follower:
    """A hand as the referee has it: what may be chosen at each turn by the rules, and what a choice leaves."""

    def __init__(self, rules: dict[str, Any], record: dict[str, Any]) -> None:
        self.rules, self.hand = rules, Hand(rules, record["table"])
        if record["table_bonus"]:
            self.hand.take_table_bonus(record["table_bonus"]["points"])
        self.stage, self.turn, self.times_offered, self.shows = -1, 0, 0, 0

    def offers(self, record: dict[str, Any]) -> list[Offer]:
        """What the player to choose may choose; choices that are the only one are made, without a question."""
        while True:
            offers = self._next(record)
            if len(offers) != 1:
                return offers
            self.choose(offers[0])

    def _next(self, record: dict[str, Any]) -> list[Offer]:
        players, plan = self.rules["players"], self.rules["deal_plan"]
        if self.stage < 0 or self.turn == players * plan[self.stage]:
            if self.stage + 1 == len(plan):
                return []
            self.stage, self.turn, self.times_offered = self.stage + 1, 0, 0
            self.hand.start_stage(record["stages"][self.stage]["hands"])
            self.shows = players if self.rules["knock_timing"] != "turn" else 0
            self.hand.start_round()
        if self.shows:
            sets = self._sets(players - self.shows)
            if sets:
                return sets
            self.shows, self.times_offered = self.shows - 1, 0
            return self._next(record)
        seat = self.turn % players
        sets = [] if self.rules["knock_timing"] != "turn" and self.turn < players else self._sets(seat)
        return sets or [
            (card, taken)
            for card in self.hand.playable(seat)
            for taken in legal_choices(self.rules, self.hand.table, self.hand.value(card))
        ]

    def _sets(self, seat: int) -> list[Offer]:
        """The sets that a seat may show now, and showing nothing; none if there is nothing to show."""
        hand, rounds = self.hand, 1 if self.rules["bonus_cards_first"] else len(self.hand.dealt[seat]) // 3
        if self.times_offered >= rounds or len(hand.dealt[seat]) < 3:
            return []
        if not hand.may_knock(seat) and not (self.times_offered and not self.rules["bonus_cards_first"]):
            return []
        free = sorted(hand.holdings[seat] - hand.shown[seat])
        sets = [
            (frozenset(three), matta, points)
            for three in combinations(free, 3)
            for points, matta in hand_bonuses(self.rules, list(three))
        ]
        nothing = [] if self.rules["show_bonus"] == "at_once" else [(frozenset(), None, 0)]
        return nothing + sets if sets else []

    def choose(self, offer: Offer) -> None:
        players, plan = self.rules["players"], self.rules["deal_plan"]
        if len(offer) == 3:
            seat = players - self.shows if self.shows else self.turn % players
            shown, matta, points = offer
            self.times_offered = self.times_offered + 1 if shown else 99
            if shown:
                self.hand.knock(seat, sorted(shown), points, matta)
            return
        last = self.stage + 1 == len(plan) and self.turn + 1 == players * plan[self.stage]
        self.hand.play(self.turn % players, offer[0], offer[1], last)
        self.turn, self.times_offered = self.turn + 1, 0
        if self.turn % players == 0 and self.turn < players * plan[self.stage]:
            self.hand.start_round()


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
    follower: Follower | None = None
    while not game.over and (not hands or "target" in fields or "hands_per_game" in fields):
        assert game.record is not None
        if follower is None:
            follower = Follower(plain, game.record)
        choices = game.choices()
        offers = follower.offers(game.record)
        assert {offer_of(choice) for choice in choices} == set(offers)
        assert len(offers) == len(choices)
        seat = game.setup.calls(game.table.passed)[game.table.decision.seat]
        assert game.to_play == game.setup.people(game.table.passed)[seat]
        choice = rng.choice(choices)
        assert game.situation().parse(str(game.situation())) == game.situation()
        given: Any = rng.choice([choice, choice.number, choice.text])
        before, text = game.copy(), str(game)
        assert game.play(given) == choice
        follower.choose(offer_of(choice))
        if rng.random() < 0.1:
            after = str(game)
            game.undo()
            assert (game, str(game)) == (before, text)
            game.play(choice)
            assert str(game) == after
        if len(game.records()) > hands:
            record = game.records()[hands]
            assert follower.offers(record) == []
            assert (follower.hand.finish()[0], follower.hand.scope) == (record["points"], record["scope"])
            replay(record, plain, always_knock=False)
            hands, follower = len(game.records()), None
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
