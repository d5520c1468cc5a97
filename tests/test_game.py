"""``Game``: the referee, plain Python from the rules alone, follows it choice by choice."""

from __future__ import annotations

import random
from dataclasses import asdict
from typing import Any

import pytest
from referee import replay

import cirulla_sim as cs
from cirulla_sim.ruleset.catalogue import preset_names

PRESETS = [(preset, players) for preset in preset_names() for players in (2, 3, 4)]


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_games(preset: str, players: int) -> None:
    try:
        rules = cs.rules(preset, players=players)
    except cs.InputError:
        pytest.skip("not for so many")
    rng = random.Random(f"{preset} {players}")
    game = cs.Game(rules, seed=rng.randrange(10**6))
    for _ in range(60):
        if game.over:
            break
        choices = game.choices()
        choice = rng.choice(choices)
        before, text = game.copy(), str(game)
        for who in game.setup.people(game.table.passed):
            assert type(game.situation(who)).parse(str(game.situation(who))) == game.situation(who)
        given: Any = rng.choice([choice, choice.number, choice.text])
        assert game.play(given) == choice
        if rng.random() < 0.2:
            after = str(game)
            game.undo()
            assert (game, str(game)) == (before, text)
            game.play(choice)
            assert str(game) == after
    for record in game.records():
        replay(record, asdict(rules.fields), always_knock=False)
