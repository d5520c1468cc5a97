"""Complete lines of play from small positions: kernel and referee both reproduce the counts of the data file."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from referee import lines_of_play

from cirulla_sim.core.cards import mask, parse
from cirulla_sim.kernel.entries.rules import flat_rules
from cirulla_sim.kernel.game.bits import ONE, ZERO
from cirulla_sim.kernel.game.captures import table_of
from cirulla_sim.kernel.game.plays import captured, card_of, list_plays
from cirulla_sim.ruleset.presets import build

POSITIONS = tomllib.loads((Path(__file__).parent / "data" / "lines_of_play.toml").read_text("utf-8"))["position"]


@njit(_nrt=False, error_model="numpy")  # compiled at the first call, so that only one worker does
def lines(r, held, seat, on_table, plays):
    """Number of ways to play out the cards held, ``seat`` to play; ``plays`` has a row for each play that is left."""
    if held[seat] == ZERO:
        return ONE
    count = ZERO
    table = table_of(r, on_table, r.matta_value)
    for i in range(list_plays(r, table, held[seat], False, plays[0])):
        play = plays[0, i]
        own, got = ONE << card_of(play), captured(play)
        held[seat] ^= own
        left = on_table ^ got if got else on_table | own
        count += lines(r, held, (seat + ONE) % np.uint64(held.size), left, plays[1:])
        held[seat] ^= own
    return count


@pytest.mark.parametrize("position", POSITIONS, ids=[position["name"] for position in POSITIONS])
def test_lines_of_play(position: dict[str, Any]) -> None:
    rules = build(position["preset"], players=position["players"])
    holdings, table = [text.split() for text in position["holdings"]], position["table"].split()
    assert lines_of_play(asdict(rules), holdings, table) == position["lines"]
    held = np.array([mask(parse(card) for card in holding) for holding in holdings], np.uint64)
    on_table = np.uint64(mask(parse(card) for card in table))
    plays = np.zeros((sum(map(len, holdings)), 64), np.uint64)
    assert lines(flat_rules(rules), held, ZERO, on_table, plays) == position["lines"]
