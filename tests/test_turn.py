"""The turn: which sets to show, what the matta becomes, and the play, as one list of choices with all their points."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import asdict
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from referee import legal_choices
from referee.bonuses import hand_bonuses
from referee.hand import Hand, plays_of

from cirulla_sim.advice import rollouts, solve
from cirulla_sim.advice.coach import coached
from cirulla_sim.advice.decision_points import Moment, turns
from cirulla_sim.advice.judge import Problem
from cirulla_sim.advice.rollouts import Rollouts
from cirulla_sim.core.cards import mask, parse, parse_many, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.rest_of_hand import play_rest
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel.game.scoring import COLUMN
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.information_set import (
    NOBODY,
    Choice,
    InformationSet,
    captured,
    card_of,
    make_view,
    matta_shown,
    points_shown,
)
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import seen_from
from cirulla_sim.situation.positions import constrained

SEED = 17

Named = tuple[tuple[str, ...], int, int, str, frozenset[str]]
"""A choice: the cards shown, their points, the value of the matta or 0, the card played, what it captures."""


def first_turn(rules: Rules, table: str, holding: str, seat: int = 0) -> InformationSet:
    """What a seat knows at its first turn of a hand of which nothing else is known; those before it left a card."""
    held, cards = rules.deal_plan[0], mask(parse_many(table))
    view = make_view(rules, {
        "seat": seat, "stage": 0, "turn": 0, "holding": mask(parse_many(holding)), "table": cards, "matta_value": 7,
        "last_capture": NOBODY, "held": tuple(held - (other < seat) for other in range(rules.players)),
    })  # fmt: skip
    gone = rules.table_cards + seat - cards.bit_count()
    return InformationSet(rules, view, forgotten=gone)


def named(choice: Choice) -> Named:
    cards = sorted(card for word in choice.show for card in texts(word >> 8 & (1 << 40) - 1))
    shown = (tuple(cards), points_shown(choice.show), matta_shown(choice.show))
    return (*shown, texts(1 << card_of(choice.play))[0], frozenset(texts(captured(choice.play))))


# ---------------------------------------------------------------- the list


def by_the_referee(rules: dict[str, Any], hand: Hand, seat: int) -> set[Named]:
    """Every choice of a seat, from the rules alone."""
    result = set()
    for points, value, cards in shows_by_the_referee(rules, hand, seat):
        after = deepcopy(hand)
        if cards:
            after.knock(seat, list(cards), points, value or None)
        for card in after.playable(seat):
            for got in legal_choices(rules, after.table, after.value(card)):
                result.add((tuple(sorted(cards)), points, value, card, frozenset(got)))
    return result


def shows_by_the_referee(rules: dict[str, Any], hand: Hand, seat: int) -> list[tuple[int, int, tuple[str, ...]]]:
    """All that a seat may show: points, the value of the matta, cards."""
    if not hand.may_knock(seat):
        return [(0, 0, ())]
    sets = [three for three in combinations(sorted(hand.holdings[seat]), 3) if hand_bonuses(rules, list(three))]
    most = 1 if rules["bonus_cards_first"] else 3
    groups = [some for number in range(1, most + 1) for some in combinations(sets, number)]
    groups = [some for some in groups if len({card for three in some for card in three}) == 3 * len(some)]
    if rules["show_bonus"] == "at_once" and groups:
        held = [set().union(*some) for some in groups]
        groups = [some for some, own in zip(groups, held, strict=True) if not any(own < other for other in held)]
    else:
        groups.append(())
    return [
        (sum(points for points, _ in claims), sum(value or 0 for _, value in claims), tuple(c for s in some for c in s))
        for some in groups
        for claims in product(*(hand_bonuses(rules, list(three)) for three in some))
    ]


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("cirulla", {}),
        ("cirulla", {"show_bonus": "at_once"}),
        ("cirulla", {"hand_both": "sum", "matta_low": "ace"}),
        ("cirullone", {}),
        ("cirullone", {"show_bonus": "may_wait"}),
        ("cirullone-6-3", {}),
        ("cirullone-rivarolo", {}),
        ("cirullone-rivarolo", {"show_bonus": "at_once"}),
    ],
)
def test_the_choices_are_those_of_the_rules(preset: str, changes: dict[str, str]) -> None:
    rules = build(preset, players=4, changes=changes)
    data, shown = asdict(rules), 0
    for index in range(12 if rules.deal_plan[0] == 3 else 4):
        record = hand_record(Experiment(rules, ("careful",), 1, SEED), index, preset)
        for turn, (hand, play) in zip(turns(record), plays_of(record, data), strict=True):
            now = turn.moment.information()
            choices = [named(choice) for choice in now.choices()]
            assert len(set(choices)) == len(choices)
            assert set(choices) == by_the_referee(data, hand, play["seat"])
            assert named(turn.choice) in choices
            shown += any(cards for cards, *_ in choices)
    assert shown > 4


def test_sets_shown_at_the_deal_are_no_choice_of_the_turn() -> None:
    rules = build("cirulla", players=2, changes={"knock_timing": "deal"})
    knocked = 0
    for index in range(20):
        record = hand_record(Experiment(rules, ("careful",), 1, SEED), index)
        for turn in turns(record):
            assert not turn.moment.information().sets
            knocked += bool(turn.moment.shows[1]) and turn.moment.turn == turn.moment.seat == 0
    assert knocked


def test_declarations_that_the_rules_do_not_allow_are_errors() -> None:
    """A matta that makes the total 16, a set kept back that must be shown, and more points than a set has."""
    rules, record = build("cirulla", players=2), None
    for index in range(60):
        record = hand_record(Experiment(rules, ("careful",), 1, SEED), index)
        play = next((p for s in record["stages"] for p in s["plays"] if p["knock"] and p["knock"]["matta_as"]), None)
        if play is not None:
            break
    for wrong in ({"matta_as": 9}, {"points": play["knock"]["points"] + 1}, {"matta_as": None}):
        knock, play["knock"] = play["knock"], play["knock"] | wrong
        with pytest.raises(InputError, match=r"knocks with .*, which it cannot"):
            list(turns(record))
        play["knock"] = knock
    play["knock"] = None
    with pytest.raises(InputError, match="shows no set, and must"):
        list(turns(record | {"rules": {"preset": "cirulla", "show_bonus": "at_once"}}))


# ---------------------------------------------------------------- the points


LINE_UPS = [("careful", "greedy"), ("greedy", "careful"), ("careful", "careful+silent")]


@pytest.mark.parametrize("policies", LINE_UPS)
@pytest.mark.parametrize(
    ("preset", "players", "changes"),
    [
        ("cirulla", 2, {}),
        ("cirulla", 4, {"open_partners": True}),
        ("cirulla", 4, {"matta_on_table": "reverts"}),
        ("cirulla", 2, {"knock_timing": "deal"}),
        ("cirulla", 3, {"open_last_stage": True}),
        ("cirulla-dossena", 4, {}),
        ("cirullone", 4, {}),
        ("cirullone-9", 4, {}),
        ("cirullone-9", 4, {"knock_timing": "deal"}),
        ("cirullone-9", 4, {"open_partners": True}),
        ("cirullone-rivarolo", 4, {}),
    ],
)
def test_a_hand_played_on_ends_as_in_its_record(
    preset: str, players: int, changes: dict[str, Any], policies: tuple[str, ...]
) -> None:
    """With the unseen cards as they were, the choice of the record leads to its score: no set counts twice or never."""
    rules, compared = build(preset, players=players, changes=changes), 0
    policies = (*policies, "careful")[: rules.sides]
    if "knock_timing" in changes and rules.big_holdings:  # greedy shows its second set at the beginning of a round
        policies = tuple(name.replace("greedy", "careful") for name in policies)
    for index in range(5 if preset == "cirulla" else 2):
        experiment = Experiment(rules, policies, 1, SEED)
        record = hand_record(experiment, index, preset)
        totals = [points["total"] for points in record["points"]]
        last = [turn for turn in turns(record) if turn.moment.stage + 1 == len(rules.deal_plan)]
        for turn in last[:: 1 if preset == "cirulla" else 3]:
            now = known(turn.moment)
            deals = Rollouts(now, policies, chosen=turn.choice)
            points = deals.play(0, 1)[0, deals.choices.index(turn.choice), : rules.sides]
            assert points.tolist() == totals, (index, turn.number)
            scores = play_rest(
                now, Experiment(rules, policies, 1, constraints=now.constraints), 0, 1, ("scores",)
            ).scores
            assert scores[0, : rules.sides, COLUMN["total"]].tolist() == totals, (index, turn.number)
            compared += 1
    assert compared


def known(moment: Moment) -> InformationSet:
    """What the seat to play knows, and where the hidden cards are besides."""
    now, seat = moment.information(), moment.seat
    hidden = {
        name: texts(moment.holdings[other] & now.unseen)
        for other, name in enumerate(seen_from(moment.rules, seat))
        if other != seat
    }
    text = "; ".join(f"{name}: {' '.join(cards)}" for name, cards in hidden.items() if cards)
    return constrained(now, Situation.parse(text)) if text else now


# ---------------------------------------------------------------- advice


def best_of(now: InformationSet, samples: int) -> tuple[str, float]:
    option = Problem((now,)).judge(samples).options[0]
    return now.in_words(option.choice), option.margin.value


def test_a_barsegon_in_hand_counts() -> None:
    """Ten points more than with three cards that are no set."""
    rules = build("cirulla")
    words, margin = best_of(first_turn(rules, "Jd 4c", "Kd Kh Kc"), 400)
    assert words.startswith("knock with Kh Kd Kc: leave K")
    assert margin > best_of(first_turn(rules, "Jd 4c", "Kd Qh Kc"), 400)[1] + 8


def test_the_set_from_which_one_plays_counts() -> None:
    """The capture with the barsegon is the best choice, and keeping it for later is no better."""
    now = first_turn(build("cirullone"), "Kc", "Kd Kh Ks 2d 6s 4d 3c Qs Jc", seat=1)
    words, margin = best_of(now, 100)
    assert words == "knock with Kh Kd Ks: Kd takes Kc"
    assert margin > 6


def test_what_to_declare_the_matta_is_advised() -> None:
    """As a 2 the matta takes everything; it earns the same points as an ace."""
    now = first_turn(build("cirulla"), "Ad 5c 7s", "7h 3c 4d")
    assert best_of(now, 400)[0] == "knock with 7h 4d 3c, the matta as 2: 7h takes Ad 5c 7s"
    values = {matta_shown(choice.show) for choice in now.choices()}
    assert values == {0, 1, 2}  # above 2 the total is more than 9; 0 is to show nothing


def test_the_solver_lets_others_show_their_sets() -> None:
    """The last stage of two: the points of the other's set, and the matta as it is best for its holder, by trying."""
    rules = build("cirulla", players=2)
    rng, declared = np.random.default_rng(5), 0
    for number in range(40):
        deck = rng.permutation([card for card in range(40) if card != parse("7h")]).tolist()
        small = sorted(deck[:12], key=lambda card: card % 10)
        mine, theirs = mask([*small[:1], *deck[12:14]]), mask([*small[1:3], parse("7h")])
        rest = [card for card in range(40) if not (mine | theirs) >> card & 1]
        table, piles = mask(rest[:4]), (mask(rest[4:20]), mask(rest[20:]))
        moment = Moment(
            rules, 5, 0, 0, (mine, theirs), table, piles, (0, 0), 0, 7, (0, 0), ((), ()),
        )  # fmt: skip
        now = moment.information()
        assert solve.solvable(now) == moment.holdings
        solution = solve.solve(now, moment.holdings)
        truth = {choice: minimax(moment.after(choice)) for choice in now.choices()}
        margins = rollouts.margins(now, solution.points[None])[0]
        assert dict(zip(solution.choices, margins, strict=True)) == pytest.approx(truth, abs=1e-4), number
        declared += solution.shows == "all"
    assert declared > 30


def minimax(moment: Moment) -> float:
    """The margin of the first of two if both play perfectly with all cards known."""
    from test_advise import final_points

    if not any(moment.holdings):
        points = final_points(moment.rules, moment)
        return float(points[0] - points[1])
    results = [minimax(moment.after(choice)) for choice in moment.open_information().choices()]
    return max(results) if moment.seat == 0 else min(results)


def test_the_coach_judges_what_was_shown() -> None:
    """Whoever keeps a set of three cards back loses its points, and is warned to show it."""
    experiment = Experiment(build("cirulla", players=2), ("careful+silent", "careful"), 1, SEED)
    warnings = 0
    for index in range(8):
        judged = coached(hand_record(experiment, index), 60)["coach"]["plays"]
        for play in judged:
            if (play["best"] or {}).get("knock") and play["seat"] == 0:
                warnings += 1
                assert play["loss"] > 1
        assert all("knock" not in (play["best"] or {}) for play in judged if play["play"] % 6 not in (1, 2))
    assert warnings


def test_many_choices_are_narrowed_by_the_seed_alone() -> None:
    now = first_turn(build("cirullone-rivarolo", changes={"deal_plan": [6, 3]}), "Kc 4d Js", "7h Ah 2d 2s 3c 4s")
    assert len(now.choices()) > rollouts.MANY
    some, others = Rollouts(now), Rollouts(now)
    assert some.choices == others.choices
    assert len(some.choices) == rollouts.JUDGED
    chosen = next(choice for choice in now.choices() if choice not in some.choices)
    assert chosen in Rollouts(now, chosen=chosen).choices
    assert len(Problem((now,)).judge(10).options) == rollouts.JUDGED
