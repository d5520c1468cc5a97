"""Decisions besides the card: which sets to show and when, the matta's value, whether to decline a capture."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numba import njit
from referee import legal_choices, replay
from referee.bonuses import best_sets, hand_bonuses
from referee.cards import own_value
from referee.hand import plays_of
from test_policies import margin

from cirulla_sim.core.cards import PACK, mask, parse, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import policies, policy_names
from cirulla_sim.engine.chunks import deal_hands, play_rows, row_names, same_hands
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel.entries.states_entry import flat_rules
from cirulla_sim.kernel.game.hand import CANDIDATES
from cirulla_sim.kernel.players.knock import MOST_KNOCKS, list_knocks, promised
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

LARGE = ("cirullone", "cirullone-6-3", "cirullone-rivarolo")


@njit(_nrt=False, error_model="numpy")
def listed(r: Any, cards: Any, knocks: Any, scratch: Any) -> Any:
    return list_knocks(r, cards, knocks, scratch), promised(r, cards, scratch)


@pytest.mark.parametrize("house", [None, "matta-ace", "no-triple-bonus", "sum-both-bonuses", "queen-matta"])
def test_the_choices_are_those_that_the_rules_give(house: str | None) -> None:
    """All sets with all values of the matta that the referee allows, or no set; and the most points they can earn."""
    rules = build("cirullone", houses=[house] if house else [])
    rng, data, flat = random.Random(81), asdict(rules), flat_rules(rules)
    knocks, scratch = np.zeros(MOST_KNOCKS, np.uint64), np.zeros(CANDIDATES, np.uint64)
    matta = rules.matta or ""
    for size in (*(3, 3, 3, 4, 6) * 4, 9):
        held = [*rng.sample([card for card in PACK if card != matta], size - 1), matta]
        count, promise = listed(flat, np.uint64(mask(map(parse, held))), knocks, scratch)
        result = sorted(
            (tuple(sorted(texts(int(word) >> 8 & (1 << 40) - 1))), int(word) >> 48, int(word) & 15 or None)
            for word in knocks[1:count]
        )
        truth = sorted(
            (three, points, value)
            for three in combinations(sorted(held), 3)
            for points, value in hand_bonuses(data, list(three))
        )
        assert knocks[0] == 0
        assert result == truth
        assert promise == best_sets(data, held)[0]


@pytest.mark.parametrize("timing", ["turn", "deal"])
@pytest.mark.parametrize(
    ("preset", "players"), [("cirulla", 2), ("cirulla-parlett", 4), *((name, 4) for name in LARGE)]
)
def test_greedy_plays_the_same_with_its_own_choices_forced(preset: str, players: int, timing: str) -> None:
    """Deciding at one's turn gives the same choices as the kernel's shortcut, which decides at the deal."""
    rules = build(preset, players=players, changes={"knock_timing": timing})
    plain, forced = (
        play_rows(Experiment(rules, (name,), 10**6, 82), 0, 400) for name in ("greedy", "greedy+prompt+matta-low")
    )
    assert (plain[0] == forced[0]).all()
    assert (plain[1] == forced[1]).all()


def knocks_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [play["knock"] for stage in record["stages"] for play in stage["plays"] if play["knock"]]


@pytest.mark.parametrize("base", ["random", "greedy", "careful"])
@pytest.mark.parametrize("preset", ["cirulla", "cirulla-parlett", *LARGE])
def test_forced_choices_are_legal_and_forced(preset: str, base: str) -> None:
    rules = build(preset, players=4)
    data = asdict(rules)
    values: dict[str, list[int]] = {"matta-low": [], "matta-high": []}
    for force in policy_names.FORCES:
        for index in range(15):
            record = hand_record(Experiment(rules, (f"{base}+{force}",), 10**6, 83), index, preset)
            if force == "trail" and rules.capture_optional:  # tables too large for the referee
                assert not any(play["captured"] for stage in record["stages"] for play in stage["plays"])
                continue
            replay(record, data, always_knock=False)
            for knock in knocks_of(record):
                assert force != "silent" or rules.show_bonus == "at_once"  # where sets must be shown, nobody is silent
                if force in values and knock["matta_as"]:
                    values[force].append(knock["matta_as"])
            if force == "capture":
                assert captures_left(record, data) == 0
            if force == "prompt" or rules.show_bonus == "at_once":
                assert missed_knocks(record, data) == 0
    if base == "greedy" and preset == "cirulla":
        assert sum(values["matta-low"]) < sum(values["matta-high"])


def captures_left(record: dict[str, Any], data: dict[str, Any]) -> int:
    """How often a card that could capture was trailed."""
    left = 0
    for hand, play in plays_of(record, data):
        left += not play["captured"] and legal_choices(data, hand.table, play["as"]) != {frozenset()}
    return left


def missed_knocks(record: dict[str, Any], data: dict[str, Any]) -> int:
    """How often a seat could have shown a set and did not."""
    return sum(
        any(hand_bonuses(data, list(three)) for three in combinations(hand.holdings[play["seat"]], 3))
        for hand, play in plays_of(record, data)
        if not play["knock"] and hand.may_knock(play["seat"])
    )


def test_three_cards_worth_showing_are_shown_and_late_sets_are_not_lost() -> None:
    """``careful`` shows every set in holdings of three, and earns nearly the maximum from larger holdings."""
    for preset, least in (("cirulla", 1.0), ("cirullone-9", 0.97)):
        rules = build(preset, players=4)
        earned, most, late = 0, 0, 0
        knocks, scratch, flat = np.zeros(MOST_KNOCKS, np.uint64), np.zeros(CANDIDATES, np.uint64), flat_rules(rules)
        for index in range(150):
            record = hand_record(Experiment(rules, ("careful",), 10**6, 84), index, preset)
            earned += sum(knock["points"] for knock in knocks_of(record))
            for stage in record["stages"]:
                most += sum(listed(flat, np.uint64(mask(map(parse, h))), knocks, scratch)[1] for h in stage["hands"])
            late += sum(bool(play["knock"]) for stage in record["stages"] for play in stage["plays"][4:])
        assert least * most <= earned <= most
        assert (late > 20) == (preset == "cirullone-9")


def lows_shown(record: dict[str, Any], rules: Rules) -> list[tuple[int, int]]:
    """By side, the low sets shown and those without an ace, with the matta at its declared value."""
    counts = [[0, 0] for _ in range(rules.sides)]
    for play in (play for stage in record["stages"] for play in stage["plays"] if play["knock"]):
        knock = play["knock"]
        for start in range(0, len(knock["cards"]), 3):
            three = knock["cards"][start : start + 3]
            values = [knock["matta_as"] if card == rules.matta else own_value(card) for card in three]
            low = len(set(values)) > 1 and sum(values) <= 9
            counts[rules.side(play["seat"])][0] += low
            counts[rules.side(play["seat"])][1] += low and 1 not in values
    return [(low, no_ace) for low, no_ace in counts]


@pytest.mark.parametrize("policy", ["greedy", "greedy+matta-high", "careful"])
@pytest.mark.parametrize(("preset", "players"), [("cirulla", 2), ("cirullone", 4), ("cirullone-rivarolo", 4)])
def test_a_set_without_an_ace_has_no_matta_declared_an_ace(preset: str, players: int, policy: str) -> None:
    """The boña di misci of 001, also if the matta's value is a choice: the same count as in records."""
    rules, hands = build(preset, players=players), 400
    experiment = Experiment(rules, (policy,), 10**6, 86)
    rows, names = play_rows(experiment, 0, hands)[0], row_names(rules)
    wild = 0
    for index in range(hands):
        record = hand_record(experiment, index, preset)
        replay(record, asdict(rules), always_knock=False)
        for side, (low, no_ace) in enumerate(lows_shown(record, rules)):
            assert rows[index, names.index(f"side{side}_low")] == low
            assert rows[index, names.index(f"side{side}_low_no_ace")] == no_ace
        wild += sum((knock["matta_as"] or 1) > 1 and knock["points"] == 3 for knock in knocks_of(record))
    assert (wild > 0) == (policy != "greedy")


@pytest.mark.parametrize(
    ("preset", "players", "better", "worse", "hands", "least"),
    [
        ("cirullone-9", 4, "careful", "careful+prompt", 700, 1.0),  # shown cards must be played first, so waiting pays
        ("cirulla", 2, "careful+matta-low", "careful+matta-high", 12_000, 0.08),
        ("cirulla", 2, "careful", "careful+silent", 2000, 1.8),
    ],
)
def test_what_a_choice_is_worth(preset: str, players: int, better: str, worse: str, hands: int, least: float) -> None:
    """The margin on the same deals is at least this, less three standard errors, and significantly above 0."""
    mean, error = margin(better, worse, build(preset, players=players), hands)
    assert mean > least - 3 * error
    assert mean > 3 * error


def test_deals_do_not_depend_on_policies_played_before() -> None:
    rules = build("cirullone")
    before = deal_hands(rules, 85, 0, 50, stages=1)
    hand_record(Experiment(rules, ("careful",), 10, 85), 0)
    after = deal_hands(rules, 85, 0, 50, stages=1)
    assert before.knocks.any()
    assert all((earlier == later).all() for earlier, later in zip(before, after, strict=True))


def test_rules_that_matter_only_to_policies_with_choices() -> None:
    """Greedy declares the matta an ace anyway, so the rule changes nothing for it; ``careful`` may choose otherwise."""
    base, ace = build(players=2), build(players=2, houses=["matta-ace"])
    assert same_hands(Experiment(base, ("greedy",)), ace)
    assert not same_hands(Experiment(base, ("careful",)), ace)
    assert not same_hands(Experiment(base, ("greedy+matta-high",)), ace)
    must = build(players=2, changes={"show_bonus": "at_once"})
    assert same_hands(Experiment(base, ("greedy",)), must)
    assert not same_hands(Experiment(base, ("careful",)), must)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("careful+slient", "unknown suffix 'slient' (valid: game)"),
        ("careful+", "unknown suffix ''"),
        ("greedy+silent+silent", "named twice"),
        ("greedy+silent+prompt", "exclude each other"),
        ("search:x+silent", "is no number of samples"),
        ("gredy+silent", "unknown policy 'gredy"),
    ],
)
def test_invalid_choices_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        policies.ready(name)
    assert message in str(raised.value)
