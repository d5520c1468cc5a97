"""What the seat to play knows, from descriptions and from hand records."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from cirulla_sim.advice.decision_points import Moment, turns
from cirulla_sim.core import cards
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import policies
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel import types
from cirulla_sim.kernel.entries.states_entry import flat_rules
from cirulla_sim.kernel.game.flat import flat_type
from cirulla_sim.kernel.players.ask import call_policy
from cirulla_sim.kernel.players.view import VIEW, view_type
from cirulla_sim.kernel.players.workspace import mind_type
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation import information_set as situation
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.positions import read_position, situation_of

SEED = 11


@pytest.fixture(scope="module")
def choose():
    """What a policy, given by its address, answers to a view and plays."""

    @njit(types.uint64(flat_type, mind_type, types.uint64, view_type[::1], types.uint64[::1]).numba)
    def call(r, mind, policy, views, plays):
        return call_policy(policy, r, views[0], plays, mind)

    def choose(now: situation.InformationSet, name: str, show: tuple[int, ...]) -> int:
        now = now.after_show(show)
        workspace = policies.Workspace()
        workspace.prepare(now.rules)
        words = np.array(now.plays(), np.uint64)
        place = call(flat_rules(now.rules), workspace.mind, np.uint64(policies.ready(name).code), now.view, words)
        return int(words[int(place)])

    return choose


@pytest.mark.parametrize("preset", preset_names())
def test_a_record_gives_a_seat_the_view_of_the_kernel(preset, choose):
    """``careful`` uses all of a view and no dice: given the views of a record, it plays every card as in the record."""
    for players in (2, 3, 4):
        try:
            rules = build(preset, players=players)
        except InputError:
            continue
        experiment = Experiment(rules, ("careful",), 1, SEED)
        for index in range(3):
            record = json.loads(json.dumps(hand_record(experiment, index, preset)))
            for turn in turns(record):
                chosen = choose(turn.moment.information(), "careful", turn.choice.show)
                assert chosen == turn.play, (players, index, turn.number)


@pytest.mark.parametrize("rules", [build("cirulla"), build("cirulla", players=2), build("cirulla", players=3)])
def test_replaying_a_record_leads_to_its_end(rules):
    record = hand_record(Experiment(rules, ("careful",), 1, SEED), 5)
    last = list(turns(record))[-1]
    end = last.moment.after(last.choice)
    piles = list(end.piles)
    piles[rules.side(end.last_capture)] |= end.table
    assert [cards.texts(mask) for mask in piles] == record["piles"]
    assert list(end.points) == [p["scope"] + p["table_bonus"] + p["hand_bonus"] for p in record["points"]]


def _fields(now: situation.InformationSet) -> dict[str, object]:
    return {name: now.view[0][name].tolist() for name in VIEW.names or ()}


def test_described_and_recorded_positions_agree():
    """A complete description of a position gives the same information set as the record."""
    rules = build("cirulla")
    record = hand_record(Experiment(rules, ("random",), 1, SEED), 1)
    turn = list(turns(record))[17]
    moment: Moment = turn.moment
    from_record = moment.information()
    text = str(situation_of(from_record))
    assert "captured us: " in text
    assert "points: " in text
    [now] = read_position(rules, Situation.parse(text)).seats
    from_text, recorded = _fields(now), _fields(from_record)
    unsaid = {"last_capture", "played", "declined", "history_size", "history"}
    assert {name: from_text[name] for name in from_text if name not in unsaid} == {
        name: recorded[name] for name in recorded if name not in unsaid
    }
    assert now.plays() == from_record.plays()


@pytest.mark.parametrize("points", [float("inf"), 10**30, -1])
def test_records_with_impossible_numbers_are_refused(points: float):
    """Of the points of a set shown, read before any play of its stage."""
    record = hand_record(Experiment(build("cirulla"), ("random",), 1, SEED), 0)
    play = next(play for stage in record["stages"] for play in stage["plays"] if play["knock"])
    play["knock"]["points"] = points
    with pytest.raises(InputError, match=r"hand record: .* points cannot be "):
        list(turns(record))


def test_a_shown_set_is_played_first():
    """Cirullone: a player who has shown a set plays its cards before the others."""
    rules = build("cirullone")
    text = "table: Kd Qs; me: 2h 3c 2d 7c Js Kh; shown me: 2h 3c; i am: first"
    now = read_position(rules, Situation.parse(text)).first
    assert {situation.in_words(play).split()[-1] for play in now.plays()} == {"2h", "3c"}


def test_hidden_cards_do_not_change_the_situation():
    """Exchanging cards between another holding and the stock does not change the situation."""
    record = hand_record(Experiment(build("cirulla"), ("greedy",), 1, SEED), 2)
    turn = list(turns(record))[1]
    other = next(seat for seat in (2, 3, 0) if not turn.moment.information().by_seat("shown")[seat])
    changed = replace_hand(turn.moment, other, record["stages"][1]["hands"][0])
    assert turn.moment.holdings != changed.holdings
    assert _fields(turn.moment.information()) == _fields(changed.information())


def replace_hand(moment: Moment, seat: int, texts: list[str]) -> Moment:
    held = list(moment.holdings)
    held[seat] = cards.mask(cards.parse(text) for text in texts)
    return replace(moment, holdings=tuple(held))
