"""A hand followed play by play: from what is written of a position, always the position that its player knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.advice.following import after_choice, choices_with, seated
from cirulla_sim.core.cards import parse
from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.plays import card_of, cards_shown
from cirulla_sim.situation.positions import read_position, situation_of


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
            now = seated(read_position(turn.hand.rules, s))
            shown = 0 if turn.hand.to_play == me else cards_shown(turn.choice.show)
            assert turn.choice in choices_with(now, card_of(turn.play), shown)
            s = after_choice(s, now, turn.choice)
        assert s is None, "the hand is over"


def test_what_is_known_of_others_stays_known_until_they_play() -> None:
    s = Situation.parse("i am: first; me: 7h; table: 3c 5c; to play: next; partner: no aces; next: Kd; gone: 2c 2d 3d")
    rules = build()
    now = seated(read_position(rules, s))
    for card in ("7h", "3c", "2c"):
        with pytest.raises(InputError, match="next cannot play"):
            choices_with(now, parse(card))
    after = after_choice(s, now, choices_with(now, parse("Kd"))[0])
    assert after is not None
    assert [name for (name, _), _ in after.places] == ["me", "partner", "table"]
    assert (after.gone, after.to_play) == (s.gone, "partner")
