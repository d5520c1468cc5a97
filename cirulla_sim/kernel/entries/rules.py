"""Rules with their tables of captures, cards that capture, ways to deal, and the chances to win from all scores."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...ruleset.rules_model import Rules
from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import CARDS
from ..game.captures import RULES, fill_states, make_table, tables_type
from ..game.flat import flat_type, flatten
from ..game.plays import captured_cards, list_plays, played_card, sweep_bit
from ..jit import entry

numbers_type = types.uint64[::1]


@entry(types.uint64(flat_type, tables_type))
def fill(r, tables):
    """Compute the tables from the rules of capture; returns the number of choices."""
    return fill_states(r, tables)


_COMPUTED: dict[tuple[int, ...], Any] = {}
"""The tables by the rules that they depend on; compiled code has their addresses."""


def _address_of_tables(flat: Any) -> int:
    """The address of the tables for some flat rules; valid as long as the process."""
    key = tuple(int(flat[name]) for name in RULES)
    if key not in _COMPUTED:
        tables = tables_type.zeros()
        fill(flat, tables[0])
        _COMPUTED.setdefault(key, tables)  # another thread may have been first
    return int(_COMPUTED[key].ctypes.data)


_EARLY: dict[Rules, Any] = {}
"""The rules before an ace may sweep; compiled code has their addresses."""


@cache
def flat_rules(rules: Rules) -> Any:
    """The flat form of rules as compiled code takes it, computed once: a record that cannot be written to."""
    flat = flatten(rules)
    flat["states"] = _address_of_tables(flat[0])
    if flat["ace_from"]:
        early = _EARLY[rules] = flat.copy()
        early["ace_sweep"] = early["ace_takes_itself"] = False
        early["states"] = _address_of_tables(early[0])
        for each in (early, flat):
            each["early"], each["late"] = early.ctypes.data, flat.ctypes.data
    flat.flags.writeable = False
    return flat[0]


@entry(types.Tuple((types.uint64,) * 2, tuple)(flat_type, types.uint64, types.uint64, types.uint64, numbers_type))
def find_takers(r, cards, matta_value, target, plays):
    """Two masks: the cards with a capture that takes all of ``target``, and those that score a scopa with one.

    ``cards`` is the table and ``target`` any part of it; with an empty target any capture will do. The matta has the
    value ``matta_value`` on the table and in a holding, no play is the last of the hand, and ``plays`` is scratch.
    """
    takers, scorers = ZERO, ZERO
    for i in range(list_plays(r, make_table(r, cards, matta_value), CARDS, False, plays)):
        play = plays[i]
        if captured_cards(play) and captured_cards(play) & target == target:
            takers |= ONE << played_card(play)
            scorers |= sweep_bit(play) << played_card(play)
    return takers, scorers


TOO_MANY = np.uint64(0x8888_8888_888)
"""A rank that is short of this bit of its four has no more cards than the pack has, see ``deal_next``."""


class Dealt(NamedTuple):
    """Cards dealt, by their ranks."""

    words: np.ndarray  # uint64[n]: the ranks, four bits each
    places: np.ndarray  # uint64[n]
    ways: np.ndarray  # uint64[n, marks]: in how many ways they can be dealt


class Holdings(NamedTuple):
    """Holdings to deal, by their ranks."""

    words: np.ndarray  # uint64[m]: the ranks, four bits each
    places: np.ndarray  # uint64[m]
    times: np.ndarray  # uint64[m]: the number of orders of each
    kinds: np.ndarray  # uint64[m]


@entry(
    types.void(
        types.Tuple((numbers_type, numbers_type, types.uint64[:, ::1]), Dealt),
        types.Tuple((numbers_type,) * 4, Holdings),
        types.uint64[:, ::1],
        types.uint64,
        types.uint32[::1],
        types.uint64[:, ::1],
    )
)
def deal_next(before, holdings, adds, spare, place, out):
    """Deal one holding after some cards, in every way, and add up the ways by the ranks dealt and by mark.

    ``adds`` uint64[marks, kinds] is the mark after a holding of a kind, by the mark before it. ``spare`` added to ranks
    sets a bit of ``TOO_MANY`` if a rank has more cards than the pack. The ways are added to the row of ``out`` whose
    number is in ``place``, at the sum of both places.
    """
    dealt, dealt_at, ways = before.words, before.places, before.ways
    held, held_at, times, mark = holdings.words, holdings.places, holdings.times, holdings.kinds
    marks = ways.shape[1]
    apart = False  # whether a kind makes marks that are neighbours neighbours no more
    for old in range(1, marks):
        for kind in range(adds.shape[1]):
            apart |= adds[old, kind] != adds[old - 1, kind] + ONE
    for i in range(dealt.shape[0]):
        first, last = marks, 0  # most ranks have few marks
        for old in range(marks):
            if ways[i, old]:
                first, last = min(first, old), old + 1
        for j in range(held.shape[0]):
            if (dealt[i] + held[j] + spare) & TOO_MANY:
                continue
            row = out[place[dealt_at[i] + held_at[j]]]
            if apart:
                for old in range(first, last):
                    row[adds[old, mark[j]]] += ways[i, old] * times[j]
            else:
                at = adds[0, mark[j]]
                for old in range(first, last):
                    row[at + np.uint64(old)] += ways[i, old] * times[j]


@entry(types.void(types.float64[:, :, :, ::1], types.float64[::1], types.int64, types.float64[:, :, ::1]))
def solve_scores(hand, outright, target, table):
    """Fill the chances to win at scores below the target, from the highest down.

    Index 0 of the first axis is our deal, 1 theirs. ``hand`` is float64[2, 2, X, X]: the chance of a hand by who deals,
    whether the deal passes to the other side (0) or not (1), our points and theirs. ``outright`` is float64[2]: the
    chance that it wins us the game at once. ``table`` is float64[2, S, S] with S at least target + X - 1, by who deals,
    our score and theirs, with the entries filled in which a side has reached the target.

    A hand without points leads from the score back to itself, so both entries of a score are solved for together.
    """
    reach = hand.shape[2]
    first, last = 2, 0  # of the ways in which the deal passes, those with a chance above 0
    for stays in range(2):
        for x in range(reach):
            for y in range(reach):
                if hand[0, stays, x, y] > 0.0 or hand[1, stays, x, y] > 0.0:
                    first, last = min(first, stays), stays + 1
    for us in range(target - 1, -1, -1):
        for them in range(target - 1, -1, -1):
            constant_0, constant_1 = outright[0], outright[1]
            for stays in range(first, last):
                total_0, total_1 = 0.0, 0.0
                for x in range(reach):
                    for y in range(reach):
                        ours, theirs = hand[0, stays, x, y], hand[1, stays, x, y]
                        if x + y > 0 and (ours > 0.0 or theirs > 0.0):  # few hands bring few of these
                            total_0 += ours * table[1 - stays, us + x, them + y]
                            total_1 += theirs * table[stays, us + x, them + y]
                constant_0 += total_0
                constant_1 += total_1
            # chance_0 = constant_0 + stay_0 * chance_0 + cross_0 * chance_1, and the other way round
            stay_0, cross_0 = 1.0 - hand[0, 1, 0, 0], hand[0, 0, 0, 0]
            stay_1, cross_1 = 1.0 - hand[1, 1, 0, 0], hand[1, 0, 0, 0]
            both = stay_0 * stay_1 - cross_0 * cross_1
            table[0, us, them] = (constant_0 * stay_1 + cross_0 * constant_1) / both
            table[1, us, them] = (constant_1 * stay_0 + cross_1 * constant_0) / both
