"""Complete lines of play from small positions: kernel and referee both reproduce the counts of the data file."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit, types
from referee import lines_of_play

from cirulla_sim.core.cards import mask, parse
from cirulla_sim.kernel.game import captures as kernel
from cirulla_sim.kernel.game.bits import ONE, ZERO, lowest
from cirulla_sim.kernel.game.flat import flat_type, flatten
from cirulla_sim.ruleset.presets import build

POSITIONS = tomllib.loads((Path(__file__).parent / "data" / "lines_of_play.toml").read_text())["position"]

word = types.uint64


@njit(
    word(flat_type, types.uint64[::1], word, word, word, word, kernel.rows_type),
    _nrt=False,
    error_model="numpy",
)
def lines(r, held, seat, on_table, product, matta_value, rows):
    """Number of ways to play out the cards held, ``seat`` to play, on the table with these cards and this product."""
    if held[seat] == ZERO:
        return ONE
    count = ZERO
    rest = held[seat]
    after = (seat + ONE) % np.uint64(held.size)
    while rest:
        card = lowest(rest)
        own = ONE << card
        rest ^= own
        table = kernel.lay(on_table, product, matta_value, rows)
        value = kernel.value_of(r, table, card)
        if kernel.is_large(table):
            kernel.fill_rows(r, table)
        by_value, by_fifteen, sweep = kernel.choices(r, table, value)
        captures = by_value + by_fifteen + sweep
        held[seat] ^= own
        for k in range(captures):
            if kernel.is_large(table):
                kernel.fill_rows(r, table)  # deeper plays have used the rows
            got = kernel.capture(r, table, value, by_value, by_fifteen, np.uint64(k))
            left = kernel.remove(r, table, got)
            count += lines(r, held, after, left.cards, left.product, matta_value, rows)
        if captures == ZERO or r.capture_optional:
            left = kernel.land(table, card, value)
            count += lines(r, held, after, left.cards, left.product, matta_value, rows)
        held[seat] ^= own
    return count


@njit(word(flat_type, word, kernel.rows_type), _nrt=False, error_model="numpy")
def product_of(r, on_table, rows):
    table = kernel.lay(ZERO, ONE, r.matta_value, rows)
    while on_table:
        card = lowest(on_table)
        on_table &= on_table - ONE
        table = kernel.land(table, card, kernel.value_of(r, table, card))
    return table.product


@pytest.mark.parametrize("position", POSITIONS, ids=[position["name"] for position in POSITIONS])
def test_lines_of_play(position: dict[str, Any]) -> None:
    rules = build(position["preset"], players=position["players"])
    holdings, table = [text.split() for text in position["holdings"]], position["table"].split()
    assert lines_of_play(asdict(rules), holdings, table) == position["lines"]
    flat, rows = flatten(rules), kernel.new_rows()
    held = np.array([mask(parse(card) for card in holding) for holding in holdings], np.uint64)
    on_table = np.uint64(mask(parse(card) for card in table))
    product = product_of(flat, on_table, rows)
    assert lines(flat, held, ZERO, on_table, product, flat.matta_value, rows) == position["lines"]
