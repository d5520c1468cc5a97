"""The turn: which sets may and must be shown, what the matta becomes, and the play; with all their points.

The choices are those of the referee's rules; a hand played on from a choice ends as in its record; where a set must be
shown nobody waits, whatever policy decides, and others know what a seat cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from referee.bonuses import hand_bonuses
from referee.captures import legal_choices
from referee.hand import plays_of
from referee.replay import RefereeError, replay
from referee.scoring import score

from cirulla_sim.advice import judge
from cirulla_sim.advice.coach import coach_record
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.advice.judge import Problem
from cirulla_sim.core.cards import mask, parse, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import policies
from cirulla_sim.engine.chunks import play_batch, play_rows, playing, prepare_play
from cirulla_sim.engine.hand_in_play import play_rest
from cirulla_sim.engine.hand_record import HandRecord, hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel.game.scoring import COLUMN
from cirulla_sim.kernel.players import knock
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import HandState
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import seen_from
from cirulla_sim.situation.positions import constrained

SEED = 17
FORCED = f"{Path(__file__).parents[1]}/analyses/forced.py:careful_"
SILENT = f"{FORCED}never_showing_a_set"
LARGE = ("cirullone", "cirullone-6-3", "cirullone-rivarolo")
MUST = {"show_bonus": "at_once"}


def records(rules: Rules, policy: str, hands: int, preset: str = "cirulla", seed: int = 91) -> Iterator[HandRecord]:
    for index in range(hands):
        yield hand_record(Experiment(rules, (policy,), 10**6, seed), index, preset)


def knocks_of(record: HandRecord) -> list[dict[str, Any]]:
    return [play["knock"] for stage in record["stages"] for play in stage["plays"] if play["knock"]]


# ------------------------------------------------------------------------------------------------ the points

LINE_UPS = [("careful", "greedy"), ("greedy", "careful"), ("careful", SILENT)]


@pytest.mark.parametrize(
    ("preset", "players", "changes"),
    [
        ("cirulla", 2, {}), ("cirulla", 4, {"open_partners": True}), ("cirulla", 4, {"matta_on_table": "reverts"}),
        ("cirulla", 2, {"knock_timing": "deal"}), ("cirulla", 3, {"open_last_stage": True}), ("cirulla-dossena", 4, {}),
        ("cirullone", 4, {}), ("cirullone-9", 4, {}), ("cirullone-9", 4, {"knock_timing": "deal"}),
        ("cirullone-9", 4, {"open_partners": True}), ("cirullone-rivarolo", 4, {}),
    ],
)  # fmt: skip
def test_a_hand_played_on_ends_as_in_its_record(preset: str, players: int, changes: dict[str, Any]) -> None:
    """With the unseen cards as they were, the choice of the record leads to its score: no set counts twice or never."""
    rules, compared = build(preset, players=players, changes=changes), 0
    for index in range(3):
        policies = (*LINE_UPS[index % 3], "careful")[: rules.sides]
        if "knock_timing" in changes and rules.big_holdings:  # greedy shows its second set at the beginning of a round
            policies = tuple(name.replace("greedy", "careful") for name in policies)
        record = hand_record(Experiment(rules, policies, 1, SEED), index, preset)
        totals = [points["total"] for points in record["points"]]
        last = [turn for turn in turns(record) if turn.hand.stage + 1 == len(rules.deal_plan)]
        for turn in last[:: 1 if preset == "cirulla" else 4]:
            now = fully_known(turn.hand)
            deals = Problem((now,), LineUp.of_sides(policies, rules), chosen=turn.choice)
            points = deals.play(0, 1)[0, deals.choices.index(turn.choice), : rules.sides]
            assert points.tolist() == totals, (index, turn.number)
            experiment = Experiment(rules, policies, 1, constraints=now.constraints)
            scores = play_rest(now, experiment, 0, 1, ("scores",)).scores
            assert scores[0, : rules.sides, COLUMN["total"]].tolist() == totals, (index, turn.number)
            compared += 1
    assert compared


def fully_known(moment: HandState) -> HandState:
    """What the seat to play knows, and where the hidden cards are besides."""
    now, seat = moment.seen_by(), moment.to_play
    hidden = {
        name: texts(moment.known[other] & now.unseen)
        for other, name in enumerate(seen_from(moment.rules, seat))
        if other != seat
    }
    text = "; ".join(f"{name}: {' '.join(cards)}" for name, cards in hidden.items() if cards)
    return constrained(now, Situation.parse(text)) if text else now


# ------------------------------------------------------------------------------------------------ advice


def test_the_solver_lets_others_show_their_sets() -> None:
    """The last stage of two: the points of the other's set, and the matta as it is best for its holder, by trying."""
    rules = build("cirulla", players=2)
    rng, declared = np.random.default_rng(5), 0
    for number in range(4):
        deck = rng.permutation([card for card in range(40) if card != parse("7h")]).tolist()
        small = sorted(deck[:12], key=lambda card: card % 10)
        mine, theirs = mask([*small[:1], *deck[12:14]]), mask([*small[1:3], parse("7h")])
        rest = [card for card in range(40) if not (mine | theirs) >> card & 1]
        table, piles = mask(rest[:4]), (mask(rest[4:20]), mask(rest[20:]))
        moment = HandState(rules, 5, (3, 3), (mine, theirs), table, piles, (0, 0), 0, 7, ((), ()))
        now = moment.seen_by()
        assert judge.Problem((now,)).holdings == moment.known
        solution = judge.solve_turn(now, moment.known)
        truth = {choice: minimax(moment.play(choice)) for choice in now.legal}
        margins = judge.own_margins(now, solution.points[None])[0]
        assert dict(zip(solution.choices, margins, strict=True)) == pytest.approx(truth, abs=1e-4), number
        declared += solution.shows == "all"
    assert declared > 2


def minimax(moment: HandState) -> float:
    """The margin of the first of two if both play perfectly with all cards known."""
    if not any(moment.known):
        piles = list(moment.piles)
        piles[moment.rules.side(moment.last_capture)] |= moment.table
        none = [0, 0]  # what was earned in play is in the moment
        of_piles, _ = score(asdict(moment.rules), [texts(pile) for pile in piles], none, none, none)
        points = [own + of_pile["total"] for own, of_pile in zip(moment.points, of_piles, strict=True)]
        return float(points[0] - points[1])
    results = [minimax(moment.play(choice)) for choice in moment.legal]
    return max(results) if moment.seat == 0 else min(results)


def test_the_coach_judges_what_was_shown() -> None:
    """Whoever keeps a set of three cards back loses its points, and is warned to show it."""
    experiment = Experiment(build("cirulla", players=2), (SILENT, "careful"), 1, SEED)
    warnings = 0
    for index in range(3):
        judged = coach_record(hand_record(experiment, index), 40)["coach"]["plays"]
        for play in judged:
            if (play["best"] or {}).get("knock") and play["seat"] == 0:
                warnings += 1
                assert play["loss"] > 1
        assert all("knock" not in (play["best"] or {}) for play in judged if play["play"] % 6 not in (1, 2))
    assert warnings


# ------------------------------------------------------------------------------------------------ forced choices


@pytest.mark.parametrize("timing", ["turn", "deal"])
@pytest.mark.parametrize(
    ("preset", "players"), [("cirulla", 2), ("cirulla-parlett", 4), *((name, 4) for name in LARGE)]
)
def test_greedy_plays_the_same_if_it_decides_at_its_turns(preset: str, players: int, timing: str) -> None:
    """Deciding at one's turn gives the same choices as the kernel's shortcut, which decides at the deal."""
    rules = build(preset, players=players, changes={"knock_timing": timing})
    experiment = Experiment(rules, ("greedy",), 10**6, 82)
    rows, hashes = play_rows(experiment, 0, 400)
    with playing(experiment, 0, 400, in_turn=True) as ready:
        _, in_turn, also = play_batch(rules, ready, 400, 400)
    assert (rows == in_turn).all()
    assert (hashes == also).all()


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-parlett", *LARGE])
def test_forced_choices_are_legal_and_forced(preset: str) -> None:
    rules = build(preset, players=4)
    data = asdict(rules)
    low, high, silent, taking = "with_the_matta_low", "with_the_matta_high", "never_showing_a_set", "always_taking"
    values: dict[str, list[int]] = {low: [], high: []}
    for force in (silent, "showing_every_set", low, high, taking):
        for record in records(rules, f"{FORCED}{force}", 15 if preset == "cirulla" else 6, preset, 83):
            replay(record, data, always_knock=False)
            for shown in knocks_of(record):
                assert force != silent or rules.show_bonus == "at_once"  # where sets must be shown, nobody is silent
                if force in values and shown["matta_as"]:
                    values[force].append(shown["matta_as"])
            for hand, play in plays_of(record, data):
                if force == taking and not play["captured"]:
                    assert legal_choices(data, hand.table, play["as"]) == {frozenset()}
                must = force == "showing_every_set" or rules.show_bonus == "at_once"
                if must and not play["knock"] and hand.may_knock(play["seat"]):
                    held = combinations(hand.holdings[play["seat"]], 3)
                    assert not any(hand_bonuses(data, list(three)) for three in held)
    if preset == "cirulla":
        assert sum(values[low]) < sum(values[high])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("careful+silent", "unknown suffix 'silent' (valid: game)"), ("greedy+game", "cannot aim at the game"),
        ("careful+game+game", "unknown suffix 'game+game'"), ("search:x+game", "is no number of samples"),
    ],
)  # fmt: skip
def test_invalid_suffixes_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        policies.load_policy(name)
    assert message in str(raised.value)


def test_all_sets_that_are_shown_together_must_be() -> None:
    """Who shows one of two sets at Rivarolo, where they are shown at the first turn, keeps the other back."""
    rules, cut = build("cirullone-rivarolo", changes=MUST), 0
    data = asdict(rules)
    for record in records(rules, "greedy", 60):
        knock = next((knock for knock in knocks_of(record) if len(knock["cards"]) == 6), None)
        if knock:
            replay(record, data)
            knock["cards"] = knock["cards"][:3]
            knock["points"], knock["matta_as"] = min(hand_bonuses(data, knock["cards"]))
            cut += 1
            with pytest.raises(RefereeError, match=r"knock: expected \{"):
                replay(record, data, always_knock=False)
    assert cut > 3


# ------------------------------------------------------------------------------------------------ what others know


@njit(_nrt=False, error_model="numpy")
def left_over(r, view, seat, held, scratch):  # type: ignore[no-untyped-def]
    return knock.cards_without_set(r, view, seat, held, scratch), knock.holds_set(r, held, scratch)


@pytest.mark.parametrize(
    "rules", [build("cirullone"), build(players=3, changes=MUST | {"deal_plan": "6,6", "matta_low": "ace"})]
)
def test_plays_tell_when_no_set_was_left(rules: Rules) -> None:
    """As the referee remembers it: the cards that a seat held when it showed none."""
    data, scratch, compared = asdict(rules), np.zeros(250, np.uint64), 0
    r = prepare_play(Experiment(rules, ("greedy",), 1))[0]
    for record in records(rules, "careful", 3):
        without: dict[int, set[str]] = {}  # by seat
        for (hand, play), turn in zip(plays_of(record, data), turns(record), strict=True):
            me, view = play["seat"], turn.hand.seen_by().view[0]
            if rules.deal_plan[int(view["stage"])] == 3:
                continue
            if not int(view["history_size"]):
                without = {}
            for seat in (seat for seat in range(rules.players) if seat != me):
                held = np.uint64(mask(map(parse, hand.holdings[seat])))
                result, _ = left_over(r, view, np.uint64(seat), held, scratch)
                assert int(result) == mask(map(parse, without.get(seat, set())))
                compared += bool(result)
            if hand.may_knock(me) and not play["knock"]:
                without.setdefault(me, set(hand.holdings[me]))
    assert compared > 30
