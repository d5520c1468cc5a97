"""Situations: how they are read and written, what follows from the rules, and chances in mid-hand.

Captures are checked against the referee, chances against every way of dealing the unseen cards, and what a seat knows
against hand records.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from referee.bonuses import hand_bonuses
from referee.captures import is_scopa, legal_captures
from referee.cards import PACK, own_value
from referee.held_cards import HELD
from referee.replay import RefereeError, replay

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import check_record, turns
from cirulla_sim.cli import main
from cirulla_sim.core import cards
from cirulla_sim.core.cards import check_suits, mask, mask_of_word, parse_many, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import policies
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import chance_to_score, takers
from cirulla_sim.kernel import types
from cirulla_sim.kernel.entries.rules import flat_rules
from cirulla_sim.kernel.game.flat import flat_type
from cirulla_sim.kernel.players.ask import call_policy, mind_type
from cirulla_sim.kernel.players.view import VIEW, view_type
from cirulla_sim.questions.answers import count_cases
from cirulla_sim.questions.dealt import UnseenCards
from cirulla_sim.questions.known_deals import known_position
from cirulla_sim.questions.question import Speaker, read_question
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import NOBODY, HandState, matta_mask
from cirulla_sim.situation.notation import Clause, Situation, read_clause, written_order
from cirulla_sim.situation.people import PLAYERS, order_of_play, seen_from
from cirulla_sim.situation.plays import card_of
from cirulla_sim.situation.positions import claims_for, read_position, situation_of

CIRULLA, TWO, CIRULLONE = build("cirulla"), build("cirulla", players=2), build("cirullone")
GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}

# ------------------------------------------------------------------------------------------------ the notation

RANK_MASKS = [
    sum(0b1 << rank << 10 * suit for rank in range(low, high + 1) for suit in suits)
    for low in range(10)
    for high in range(low, 10)
    for suits in ((0,), (1,), (2,), (3,), (0, 1, 2, 3))
]


def named_once(sets: list[int]) -> bool:
    """Whether no card is named by itself twice."""
    single = [cards for cards in sets if cards.bit_count() == 1]
    return len(set(single)) == len(single)


sets = st.sampled_from(RANK_MASKS)
limits = st.tuples(sets, st.integers(0, 9), st.booleans()).map(lambda x: (x[0], x[1] if x[2] else 0, x[1]))
words = st.sampled_from(["barsega", "accuso", "not barsega", "sevens >= 2", "total < 12", "low and matta"])
clauses = st.builds(
    lambda cards, some, several: Clause() + Clause(tuple(cards), tuple(some), tuple(several)),
    st.lists(sets, max_size=4).filter(named_once), st.lists(limits, max_size=2), st.lists(words, max_size=2),
).filter(lambda clause: clause != Clause())  # fmt: skip
plain = st.integers(1, (1 << 40) - 1)
scores = st.lists(st.integers(0, 999), min_size=2, max_size=4).map(tuple)
names = ("me", "next", "partner", "previous", "first", "dealer", "everybody", "somebody", "others")


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    places = {
        (name, draw(st.integers(1, 3))): draw(clauses) for name in draw(st.sets(st.sampled_from(names), max_size=3))
    }
    cards_only = clauses.map(lambda clause: Clause(clause.cards, clause.limits))
    for name in draw(st.sets(st.sampled_from(("table", "stock", "us")), max_size=2)):
        clause = draw(cards_only)
        if clause != Clause() or name == "table":
            places[name, 1] = clause
    counts = draw(st.dictionaries(st.sampled_from(PLAYERS), st.integers(0, 10), max_size=3))
    return Situation(
        tuple(sorted(places.items(), key=lambda item: written_order(item[0]))),
        tuple((name, draw(plain)) for name in ("next", "us", "them") if draw(st.booleans())),
        draw(st.just(0) | plain),
        tuple((name, draw(plain)) for name in ("me", "next") if draw(st.booleans())),
        draw(st.none() | st.integers(1, 10)), draw(st.none() | st.integers(1, 6)),
        draw(st.none() | st.sampled_from(PLAYERS)),
        tuple(sorted(counts.items(), key=lambda item: written_order((item[0], 1)))),
        draw(st.just(()) | scores), draw(st.just(()) | scores),
        draw(st.none() | st.integers(1, 20).map(lambda n: (n, n + 3))),
        draw(st.none() | st.sampled_from(("first", "second", "third", "dealer"))),
        last_capture=draw(st.none() | st.sampled_from(("us", "them", *PLAYERS))),
        plays=draw(st.lists(st.tuples(st.integers(0, 39), st.just(0) | plain), max_size=6).map(tuple)),
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(situations(), st.sampled_from(("en", "it")))
def test_reading_undoes_writing(situation: Situation, lang: str) -> None:
    text = situation.text(lang)
    if situation == Situation() or len(text) > 1000:
        return
    assert Situation.parse(text) == situation
    assert Situation.parse("; ".join(reversed(text.split("; ")))) == situation  # clauses may come in any order
    check_suits({"--at: ": text}, lang)  # what is written in Italian is clear there


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (
            "tavola: fante denari, 4c; io: re di coppe Rd re bastoni; tocca a: io",
            "me: Kh Kd Kc; table: Jd 4c; to play: me",
        ),
        ("not me: K* K*", "me: at most 1 kings"),
        ("me: two diamonds; me: 7h", "me: 7h *d *d"),
        ("ME: asso di picche;\n compagno giro 2: senza re", "me: As; partner stage 2: no kings"),
        ("me: sette bello; mazzo: matta", "me: 7d; stock: 7h"),
        ("captured by them: Kd 3h; prese noi: 7d", "captured us: 7d; captured them: 3h Kd"),
        ("smazzata: 3 di 8; punteggio: 38 - 41; sono: mazziere", "i am: dealer; score: 38-41; hand: 3 of 8"),
        ("carte: io 3, prossimo 2; mostrate compagno: 2h 3c 4d", "shown partner: 2h 4d 3c; cards: me 3, next 2"),
        ("ultima presa: loro; giocate: 7d, re di picche prende Kd", "last capture: them; plays: 7d, Ks takes Kd"),
        ("table: none; me: 7h", "me: 7h; table: empty"),
        ("tavola: vuota; me: 7h", "me: 7h; table: empty"),
    ],
)
def test_several_spellings_mean_the_same(written: str, canonical: str) -> None:
    assert str(Situation.parse(written)) == canonical


@pytest.mark.parametrize(("word", "named"), [
    ("re bastoni", "Kc"), ("rc", "Kc"), ("asso di picche", "As"), ("fante denari", "Jd"), ("cs", "Qs"), ("10♦", "Kd"),
    ("7*", "7h 7d 7c 7s"), ("2-3h", "2h 3h"), ("re di *", "Kh Kd Kc Ks"), ("settebello", "7d"),
    *((card, card) for card in PACK),
])  # fmt: skip
def test_cards_have_many_names(word: str, named: str) -> None:
    assert mask_of_word(word.lower()) == mask(parse_many(named))


def test_a_number_before_a_word_for_cards_is_a_number() -> None:
    assert read_clause("", "due denari") == read_clause("", "*d *d")
    assert read_clause("", "at least two kings") == read_clause("", "K* K*")
    assert read_clause("", "exactly 1 king").limits == ((mask_of_word("k*"), 1, 1),)


@pytest.mark.parametrize(("written", "reason"), [
    ("mee: 7h", "did you mean 'me'?"),
    ("me 7h", "has no colon"),
    ("seat0: 7h", "players have names"),
    ("stage: 9", "1 to 6"), ("points: 2", "ours first"), ("hand: 9 of 3", "as 3 of 8"),
    ("to play: nobody", "unknown player"), ("stage: 1; stage: 2", "said twice"), ("table: barsega", "unknown card"),
    ("captured foo: 7d", "unknown player"), ("me: " + "7h " * 500, "too long"),
    ("not me: exactly two aces", "'not' goes with cards"), ("i am: me", "unknown seat"), ("cards: me", "how many"),
    ("me: 2 diamonds", "'2 of diamonds' for the card, 'two diamonds' for so many"),
    ("io: 4 coppe", "'4 di coppe' for the card, 'quattro coppe' for so many"),
    ("plays: 7d 2s", "is not one play"), ("last capture: table", "unknown player"), ("gone: K*", "leaves cards open"),
])  # fmt: skip
def test_texts_that_say_nothing_are_refused_in_one_line(written: str, reason: str) -> None:
    with pytest.raises(InputError, match="--at") as error:
        Situation.parse(written)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------------------------ positions


def position(rules: Rules, text: str) -> list[HandState]:
    return list(read_position(rules, Situation.parse(text)).seats)


def test_every_seat_that_can_be_is_as_likely() -> None:
    seats = position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc")
    assert [now.seat for now in seats] == [1, 2, 3]  # who plays first finds four cards or none
    assert [now.held for now in seats] == [(2, 3, 3, 3), (2, 2, 3, 3), (2, 2, 2, 3)]
    assert len(position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc; i am: third")) == 1
    assert [now.seat for now in position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc; cards: next 2")] == [3]
    first, dealer = position(TWO, "table: 3c 5d; me: 7d Ks; to play: next")  # after one's own play
    assert (first.to_play, first.held[:2]) == (1, (2, 3))
    assert (dealer.to_play, dealer.held[:2]) == (0, (2, 2))


def test_a_shown_set_is_played_first() -> None:
    """Cirullone: a player who has shown a set plays its cards before the others."""
    [now] = position(CIRULLONE, "table: Kd Qs; me: 2h 3c 2d 7c Js Kh; shown me: 2h 3c; i am: first")
    assert {cards.text(card_of(play)) for play in now.legal_plays()} == {"2h", "3c"}


def test_what_the_matta_is_declared() -> None:
    assert claims_for(CIRULLA, mask(parse_many("7h 3c 4d"))) == {1: 3, 2: 3}
    shown = "table: Ad 5c 7s; me: 7h 3c 4d; shown me: 7h 3c 4d; i am: second"
    with pytest.raises(InputError, match=r"'9' cannot be declared here \(valid: 1, 2\)"):
        position(CIRULLA, f"{shown}; matta: 9")
    with pytest.raises(InputError, match="a choice to come"):
        position(CIRULLA, "table: Ad 5c 7s; me: 7h 3c 4d; matta: 2")
    with pytest.raises(InputError, match="earn nothing"):
        position(CIRULLA, "table: Ad 5c 7s; me: 7h 3c Kd; shown me: 7h 3c Kd")
    [now] = position(CIRULLA, f"{shown}; matta: 2")
    assert (now.matta_value, now.points[now.side]) == (2, 3)


FIRST = "i am: first; stage: 1; me: Ad 2c 5c"


@pytest.mark.parametrize(("rules", "text", "reason"), [
    (TWO, "table: Ad", "what you hold"), (TWO, "me: 7d; to play: me", "what lies on the table"),
    (TWO, "me: K*; table: 2c; to play: me", "leaves cards open"), (TWO, "me: 7d; table: 7d", "named twice"),
    (TWO, "me: 7d; table: 2c; captured us: 7d 3c", "named twice"),
    (TWO, "me: 7d; table: 2c; partner: 7h", "'partner' with 2 players (valid: me, next, first, dealer"),
    (CIRULLA, "me: 7d 2c; table: 3c; cards: next 7", "valid: next"),
    (TWO, "me: 2c 3c 4c 5c; table: 3h", "4 cards cannot"),
    (TWO, "me: 7d; table: 2c; next: 7d", "cannot lie so"),
    (TWO, "me: 7d; table: 2c; stage: 5; points: 1-1-1", "3 sides"),
    (TWO, "me: 7d 2c 3c; table: 4c; shown next: 2h 3h 4h 5h", "holds"),
    (TWO, "me stage 2: 7d; me: 2c; table: 3c", "one stage"),
    (TWO, f"{FIRST}; table: 4c 7h 3c 6d", "earns the dealer 1 as it is dealt (valid: 'table: none; captured dealer:"),
    (TWO, f"{FIRST}; table: Ah Ac 3c 6d", "Ah Ac 3c as it is dealt is a misdeal".replace("Ac 3c", "6d Ac 3c")),
    (build("cirulla-tournament"), f"{FIRST}; table: 4c 4d 4s 4h", "decides the game"),
    (TWO, f"{FIRST}; table: none", "'captured dealer: ...' with all 4"),
    (TWO, f"{FIRST}; table: none; captured dealer: 4c 7h 3c Kd", "earns the dealer nothing"),
    (TWO, f"{FIRST}; table: none; captured me: 4c 7h 3c 6d", "were the dealer's"),
    (TWO, f"{FIRST}; table: none; captured dealer: 4c 7h 3c 6d; points: 0-0", "(valid: 0-1 or more)"),
    (TWO, "i am: dealer; me: Ad 2c 5c; table: Ah As Kd Ks Qd; stage: 1", "no 4 of these cards"),
    (TWO, "i am: dealer; me: Ad 2c 5c; table: Kh Jd 2d 7s 4h; plays: 2d, 4h; stage: 1", "2 plays cannot be"),
    (TWO, "i am: dealer; me: Ad 2c 5c; table: Kh Jd 2d; plays: 4h takes 6h 5d; stage: 1; captured next: 4h 6h 5d",
     "are on the table or captured"),
    (TWO, "i am: dealer; me: Ad 2c 5c; table: Kh Jd 2d; plays: 4h takes 4d; captured next: 4h 6s; stage: 1",
     "3 cards on the table and 3 captured"),
    (TWO, "i am: dealer; me: Ad 2c 5c; table: Kh Jd 2d; plays: 4h takes 6s; captured next: 4h 6s; stage: 1",
     "4h takes 6s, cannot be on that table"),
    (TWO, f"{FIRST}; table: Kh Jd 2d 7s; last capture: me", "cannot have captured last"),
    (TWO, "me: 7d; table: 2c; captured us: 3h 3d; stage: 6; last capture: us; plays: 4d, 5d takes 5c", "cannot be"),
])  # fmt: skip
def test_what_cannot_be_is_refused(rules: Rules, text: str, reason: str) -> None:
    with pytest.raises(InputError, match="--at") as error:
        position(rules, text)
    assert reason in str(error.value)


@pytest.mark.parametrize("preset", preset_names())
def test_what_a_player_of_a_record_knows_is_read_back(preset: str) -> None:
    """The text of a position forgets nothing: it gives the information set of the record, to the last field."""
    for players in catalogue()["preset"][preset]["seats"]:
        rules = build(preset, players=players)
        record = json.loads(json.dumps(hand_record(Experiment(rules, ("random",), 1, 12), 0, preset)))
        for turn in turns(record):
            now = turn.hand.seen_by()
            text = str(situation_of(now))
            [again] = position(rules, text)
            told, seen = _fields(again), _fields(now)
            if matta_mask(rules) & sum(now.piles):  # what it was declared as does not matter any more
                told["matta_value"] = seen["matta_value"]
            assert told == seen, text
            assert (again.sets_shown, again.unowned, again.forgotten) == (now.sets_shown, 0, 0)
            assert again.legal == now.legal
            assert str(situation_of(again)) == text
    assert turn.number == 40 - rules.table_cards


@pytest.mark.parametrize("house", ["open-partners", "open-last-stage"])
def test_cards_that_lie_open_are_held_and_not_shown(house: str) -> None:
    rules = build("cirulla", houses=[house])
    for turn in turns(hand_record(Experiment(rules, ("random",), 1, 12), 0)):
        now = turn.hand.seen_by()
        [again] = position(rules, str(situation_of(now)))
        assert _fields(again) == _fields(now)


def test_a_table_with_nobodys_cards_is_a_fresh_deal() -> None:
    assert cs.odds("fifteen", at="table: 4c 7h 3c 6d").fraction == 1
    assert cs.odds("fifteen", at="table: Ad 2c 4s Jh").fraction == 1
    assert cs.odds("holds(me, 7d)", at="table: 4c 7h 3c 6d").fraction == Fraction(3, 36)


def test_what_is_assumed_is_data() -> None:
    at = "table: Jd 4c; me: Kd Kh Kc; captured us: 7d 2s; captured them: 3h 3d; stage: 2"
    assumed = read_position(CIRULLA, Situation.parse(at)).assumptions
    assert [one.kind for one in assumed] == ["seat", "captured", "points", "last capture"]
    assert assumed[0].values == ("first", "second", "third", "dealer")
    said = f"{at}; i am: first; points: 0-0; last capture: us; gone: " + " ".join(texts(now_gone(at)))
    assert [one.kind for one in read_position(CIRULLA, Situation.parse(said)).assumptions] == ["gone"]


def now_gone(at: str) -> int:
    """Other cards, as many as were captured besides those that a text names."""
    now = read_position(CIRULLA, Situation.parse(f"{at}; i am: first")).first
    return mask(cards.members(now.unseen)[: now.forgotten])


def _fields(now: HandState) -> dict[str, object]:
    return {name: now.view[0][name].tolist() for name in VIEW.names or ()}


@pytest.fixture(scope="module")
def choose():
    """What a policy, given by its address, answers to a view and plays."""

    @njit(types.uint64(flat_type, mind_type, types.uint64, view_type[::1], types.uint64[::1]).numba)
    def call(r, mind, policy, views, plays):
        return call_policy(policy, r, views[0], plays, mind)

    def choose(now: HandState, name: str, show: tuple[int, ...]) -> int:
        now = now.show(show)
        workspace = policies.Workspace()
        workspace.prepare(now.rules)
        words = np.array(now.legal_plays(), np.uint64)
        place = call(flat_rules(now.rules), workspace.mind, np.uint64(policies.load_policy(name).code), now.view, words)
        return int(words[int(place)])

    return choose


@pytest.mark.parametrize("preset", preset_names())
def test_a_record_gives_a_seat_the_view_of_the_kernel(preset, choose):
    """``careful`` uses all of a view and no dice: given the views of a record, it plays every card as in the record."""
    for players in catalogue()["preset"][preset]["seats"]:
        rules = build(preset, players=players)
        record = json.loads(json.dumps(hand_record(Experiment(rules, ("careful",), 1, 11), 0, preset)))
        for turn in turns(record):
            chosen = choose(turn.hand.seen_by(), "careful", turn.choice.show)
            assert chosen == turn.play, (players, turn.number)
        end = turn.hand.play(turn.choice)  # replaying the record leads to its end
        piles = list(end.piles)
        if end.last_capture < 4:
            piles[rules.side(end.last_capture)] |= end.table
        assert [texts(pile) for pile in piles] == record["piles"]
        assert list(end.points) == [p["scope"] + p["table_bonus"] + p["hand_bonus"] for p in record["points"]]


def changed_in_one_place(record: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], list[Any]]:
    """A record with another value in one place, drawn at random, and that place; misdeals dealt again are left."""
    changed, free = copy.deepcopy(record), ("rules", "players", "dealer", "seed", "hand", "misdeals")
    part: Any = changed
    where = [rng.choice([name for name in record if name not in free])]
    while isinstance(part[where[-1]], (dict, list)) and part[where[-1]] and rng.random() < 0.9:
        part = part[where[-1]]
        where.append(rng.choice(list(part) if isinstance(part, dict) else range(len(part))))
    old = part[where[-1]]
    others = {
        bool: [not old],
        int: [9, 0, -1],
        str: ["7h", "Ac"],
        list: [[], ["7h"]],
        dict: [None],
        type(None): [0, 1, {}],
    }
    part[where[-1]] = rng.choice([value for value in others[type(old)] if value != old])
    return changed, where


def test_a_record_is_compared_with_the_deal_of_its_seed(tmp_path: Path) -> None:
    played, path = cs.hand(number=3, seed=10), tmp_path / "hand.json"
    told = "These are not the cards of seed"
    for changed, other in (({}, False), ({"seed": 11}, True), ({"seed": 1 << 70}, True), ({"hand": 4}, True),
                           ({"misdeals": [["Ah", "Ad", "2c", "3c"]]}, True)):  # fmt: skip
        path.write_text(json.dumps(played.record | changed), "utf-8")
        shown = cs.hand(record=path)
        assert shown.text().startswith(told) == other
        assert json.loads(shown.json()) == played.record | changed
    path.write_text(json.dumps(played.record | {"misdeals": [["Ah", "Ad", "2c", "3c"]] * 100_000}), "utf-8")
    with pytest.raises(cs.InputError, match=r"misdeals\[64\]: .* in place of null"):
        cs.hand(record=path)


def test_a_record_that_contradicts_its_plays_is_refused() -> None:
    """Of each preset, and of hands won at the deal: points, piles, captures, sets, declarations and all else."""
    rng, refused = random.Random(52), 0
    tournament = Experiment(build("cirulla-tournament"), ("greedy",), 1, 3)
    records = [hand_record(Experiment(build(name), ("greedy",), 1, 3), 5, name) for name in preset_names()]
    dealt = (hand_record(tournament, index, "cirulla-tournament") for index in range(2000))
    records += [record for record in dealt if not record["stages"]]
    assert len(records) > len(preset_names())
    for record in records:
        check_record(record)
        for _ in range(40):
            changed, where = changed_in_one_place(record, rng)
            if where[0] == "table" and not record["stages"]:
                continue  # another table may win at the deal as well
            print("in place", where, "of", record)
            with pytest.raises(InputError, match=r"^hand record: "):
                check_record(changed)
            refused += 1
    assert refused >= 800


def test_what_plays_do_not_show_is_checked() -> None:
    """Who dealt, and what the hand comes from."""
    record = hand_record(Experiment(build("cirulla"), ("greedy",), 1, 3), 5)
    for changed in ({"dealer": 4}, {"seed": "one"}, {"hand": -1}):
        with pytest.raises(InputError, match=rf"^hand record: {next(iter(changed))}: "):
            check_record(record | changed)
    with pytest.raises(InputError, match="the table has 3 cards, not 4"):
        check_record(record | {"misdeals": [["Ah", "Ad", "3d"]]})


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-tournament", "cirulla-parlett"])
def test_only_tables_that_may_have_been_dealt_again_are_accepted(preset: str) -> None:
    """Too many where some lose the hand, and cards held meanwhile where only the table is buried, are refused."""
    rules, rng, verdicts = build(preset), random.Random(52), Counter[bool]()
    record = hand_record(Experiment(rules, ("greedy",), 1, 3), 5, preset)
    check_record(record)
    for _ in range(100):
        low = [*PACK[:2], *PACK[10:12], *PACK[20:22], *PACK[30:32]]
        tables = [rng.sample(low, 4) for _ in range(rng.randint(1, 4))]
        changed, valid = record | {"misdeals": tables}, True
        try:
            replay(changed, asdict(rules))
        except RefereeError:
            valid = False
        verdicts[valid] += 1
        with nullcontext() if valid else pytest.raises(InputError, match=r"^hand record: "):
            check_record(changed)
    assert min(verdicts.values()) >= 5, verdicts


# ------------------------------------------------------------------------------------------------ captures

HOUSES = ("no-matta", "queen-matta", "matta-ace", "no-triple-bonus", "ace-only-when-blocked", "open-partners")


def bits(some: list[str] | set[str]) -> int:
    return mask(map(cards.parse, some))


@pytest.mark.parametrize("name", [*preset_names(), *HOUSES])
def test_takers_agree_with_all_subsets_of_the_table(name: str) -> None:
    rules = build(name) if name in preset_names() else build(houses=[name])
    data = asdict(rules)
    rng = random.Random(name)
    for size in (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9):
        table = rng.sample(PACK, size)
        matta_value = rng.randint(1, 10)
        lying = {c: matta_value if c == rules.matta else own_value(c) for c in table}
        target = frozenset(rng.choice([table, rng.sample(table, min(1, size)), []]))
        result = {card: legal_captures(data, lying, lying.get(card, own_value(card))) for card in PACK}
        if rules.matta is not None:
            result[rules.matta] = legal_captures(data, lying, matta_value)
        value = {card: matta_value if card == rules.matta else own_value(card) for card in PACK}
        able = {c for c in PACK if any(got >= target for got in result[c])}
        scoring = {c for c in able if any(g >= target and is_scopa(data, lying, value[c], g, False) for g in result[c])}
        found = takers(rules, bits(table), bits(set(target)), matta_value)
        assert found == (bits(able), bits(scoring)), (table, target)


@pytest.mark.parametrize(("ace_from", "plays"), [("second_play", 1), ("second_round", 2)])
def test_aces_sweep_from_their_play_on(ace_from: str, plays: int) -> None:
    """Asked and offered at the first plays of a hand: before, an ace captures like any other card."""
    rules = cs.rules("scopa-assi", players=2, ace_from=ace_from)
    lying = ["5c", "6d", "Kh", "2s", "Js", "4h", "3s"]
    for played in range(4):
        table, held, seat = lying[: 4 + played], "Ad 2d 3c" if played < 2 else "Ad 2d", ("first", "dealer")[played % 2]
        at = f"table: {' '.join(table)}; me: {held}; i am: {seat}; to play: me; stage: 1"
        assert cs.odds("can_capture(me, 5c)", at=at, rules=rules).frame["estimate"].item() == (played >= plays)
        now = read_position(rules.fields, Situation.parse(at)).first
        assert any(str(now.in_words(choice)).startswith("Ad takes") for choice in now.legal) == (played >= plays)


# ------------------------------------------------------------------------------------------------ chances


def found_by(rules: Rules, table: list[str], mine: list[str], gone: list[str], held: tuple[int, ...], matta: int = 0,
             shown: list[list[str]] | None = None) -> HandState:  # fmt: skip
    """What the player at seat 0 sees, however many cards each of the others holds."""
    value = matta or (0 if rules.matta is None else own_value(rules.matta))
    nothing, known = (0,) * rules.sides, (bits(mine), *map(bits, shown or [[]] * len(held)))
    return HandState(
        rules, 0, (len(mine), *held), known, bits(table), nothing, nothing, NOBODY, value, ((),) * rules.players,
        me=0, unowned=bits(gone),
    )  # fmt: skip


def chances(position: HandState, question: str, *players: str) -> dict[str, Fraction]:
    """The chance of each following player, and of groups of them; ``P`` stands for the player."""
    space, answers = UnseenCards(position), {}
    for player in players or (*seen_from(position.rules, 0)[1:], "them", "others"):
        parsed = read_question(question.replace("P", player), Speaker(position.rules, 0))
        cases = space.cases(parsed.terms)
        assert cases is not None
        sums = count_cases(parsed, cases)
        answers[player] = Fraction(sums.get(("", "1"), (0, 0))[0], sums.total)
    return answers


def dealings(unseen: list[str], counts: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways of dealing a number of unseen cards to each player."""
    if not counts:
        yield ()
        return
    for first in combinations(unseen, counts[0]):
        for others in dealings([c for c in unseen if c not in first], counts[1:]):
            yield (first, *others)


def can(rules: Rules, lying: dict[str, int], question: str, holding: tuple[str, ...], may_knock: bool) -> bool:
    verb, _, rest = question.rstrip(")").replace("(P", "").partition(", ")
    if verb == "holds":
        return any(card == rest or card[0] + "*" == rest for card in holding)
    data = asdict(rules)
    target = frozenset(lying) if verb != "can_capture" else frozenset([rest] if rest else [])
    values = {own_value(card) for card in holding}
    if may_knock and rules.matta in holding:
        for three in combinations(holding, 3):
            if rules.matta in three:
                values |= {matta_as for _, matta_as in hand_bonuses(data, list(three)) if matta_as}
    return any(
        got >= target and (verb != "can_score" or is_scopa(data, lying, value, got, False))
        for value in values
        for got in legal_captures(data, lying, value)
    )


SWEEP, ACE = "can_sweep(P)", {"matta_low": "ace"}
POSITIONS = [
    # rules, table, matta declared as, unseen, cards held by each, which may knock, cards shown, question
    ("cirulla", {}, "3c 5d", None, "7h Ah 2h 4s 4c Kd Jd Qs", (3, 2, 2), "yes no no", {}, "can_score(P)"),
    ("cirulla", {}, "Ac 5d 7c", None, "7h Ah 2h 3h 2c Ks Jd Qd", (3, 3, 2), "yes yes no", {}, "can_score(P)"),
    ("cirulla", {}, "Ac 5d 7c", None, "7h Ah Ad 3h 3c Ks Kd", (3, 3, 1), "yes yes no", {}, "can_capture(P, 5d)"),
    ("cirulla", {}, "4c 7d 2s", None, "7h Ah 6h Jh 3h Js Jd Kd", (3, 2, 1), "yes no no", {}, "can_capture(P, 7d)"),
    ("cirulla", ACE, "3c 3s", None, "7h 6h 6c Ad 2d 4d Ks Kd", (3, 3, 1), "yes yes no", {}, "can_capture(P)"),
    ("cirulla", {"knock_timing": "deal"}, "3c 3s", None, "7h 6h 6c Ad 2d 4d Ks Kd", (3, 3, 1), "no no no", {}, SWEEP),
    ("cirulla", {}, "7h 6d", 2, "Ah 2h 4c 4d Ks Kd Js 5c", (2, 2, 1), "no no no", {}, SWEEP),
    ("cirulla", {}, "6c 6d", 3, "4h 2h 4c 4d Ks Kd Js 5c", (3, 2, 1), "no no no", {1: "7h 2d 3d"}, SWEEP),
    ("cirulla", {}, "6c", None, "7h 7d 2h 4c 4d Ks 7c", (2, 2, 1), "no no no", {2: "2c"}, "holds(P, 7*)"),
    ("cirulla", {}, "6c", None, "7h 7d 2h 4c 4d Ks 7c", (3, 2, 0), "yes no no", {}, "holds(P, 7h)"),
    ("cirullone-rivarolo", {}, "Ac 5d 7c", None, "7h Ah 3h 4d 2s Ks Kd Qd", (4, 3, 0), "no yes no", {}, SWEEP),
    ("scopa-assi", {}, "6c 7d", None, "Ah Ad 2h 4c 4d Ks 7c", (3,), "no", {}, "can_score(P)"),
    ("cirullone", {}, "Qs 2d", None, "7h Ah Ac 2h 3d 3s Ks Kd", (4, 2, 2), "yes no no", {}, SWEEP),
    ("cirullone", {}, "2c 2d Js", None, "7h Ah Ac 2h 3d Ks Kd", (4, 1, 1), "yes no no", {1: "5h"}, SWEEP),
    ("cirullone-rivarolo", {}, "2c 2d Js", None, "7h Ah Ac 2h 3d Ks Kd", (4, 3, 0), "no yes no", {}, SWEEP),
]  # fmt: skip


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: f"{case[0]} {case[-1]} {case[2]}")
def test_chances_are_counted_over_every_way_of_dealing(case) -> None:
    name, changes, table, matta_as, unseen_text, held, knocks, shown, question = case
    rules = build(name, changes={k: str(v) for k, v in changes.items()})
    unseen = unseen_text.split()
    lying_cards = table.split()
    shown_cards = [shown.get(place + 1, "").split() for place in range(len(held))]
    away = [c for c in PACK if c not in (*unseen, *lying_cards, *(c for its in shown_cards for c in its))]
    position = found_by(rules, lying_cards, away[:1], away[1:], held, matta_as or 0, shown_cards)
    lying = {c: matta_as if c == rules.matta and matta_as else own_value(c) for c in lying_cards}
    may_knock = [word == "yes" for word in knocks.split()]
    plays = not question.startswith("holds")
    counts, ways = dict.fromkeys(chances(position, question), 0), 0
    able_with: dict[tuple[tuple[str, ...], bool], bool] = {}
    for dealt in dealings(unseen, tuple(map(position.hidden, range(1, rules.players)))):
        ways += 1
        able = []
        for its_shown, hidden, knocker in zip(shown_cards, dealt, may_knock, strict=True):
            first = plays and rules.big_holdings and rules.bonus_cards_first and its_shown
            holding = tuple(its_shown) if first else (*its_shown, *hidden)
            if matta_as and rules.matta in its_shown:  # a matta shown is played as declared: as another card
                holding = tuple(PACK[matta_as - 1] if c == rules.matta else c for c in holding)
            if (holding, knocker) not in able_with:
                able_with[holding, knocker] = can(rules, lying, question, holding, knocker)
            able.append(able_with[holding, knocker])
        groups = dict(zip(("next", "partner", "previous"), able, strict=False)) | {"others": any(able)}
        groups["them"] = able[0] or able[-1]
        for player in counts:
            counts[player] += groups[player]
    assert chances(position, question) == {player: Fraction(count, ways) for player, count in counts.items()}
    if question == "can_score(P)":
        assert chance_to_score(position) == Fraction(counts["next"], ways)


@pytest.mark.parametrize(("name", "players"), [("cirulla", 2), ("scopa", 3), ("cirullone-6-3", 4)])
def test_held_and_next_cards_agree_with_played_hands(name: str, players: int) -> None:
    """After every play of some hands: what a seat infers from its own cards agrees with the holdings of the others."""
    rules = build(name, players=players)
    order = order_of_play(rules)
    for index in range(2):
        record = hand_record(Experiment(rules, hands=3, seed=11), index, name)
        gone = set() if record["table_bonus"] is None else set(record["table"])
        table = set(record["table"]) - gone
        for stage, dealt in enumerate(record["stages"]):
            holdings = [list(held) for held in dealt["hands"]]
            for play in dealt["plays"]:
                seat, card, captured = play["seat"], play["card"], set(play["captured"])
                holdings[seat].remove(card)
                gone |= captured | ({card} if captured else set())
                table = (table - captured) | (set() if captured else {card})
                held = tuple(len(holdings[(seat + step) % players]) for step in range(1, players))
                mine = " ".join(holdings[seat])
                text = f"me: {mine}; table: {' '.join(table)}; to play: next; i am: {order[seat]}"
                now = known_position(rules, Situation.parse(text + (f"; gone: {' '.join(gone)}" * bool(gone)))).first
                others = tuple(now.coming.held[(seat + step) % players] for step in range(1, players))
                assert (now.forgotten, now.stage) == (0, stage)
                more = stage + 1 < len(rules.deal_plan)
                assert others == (held if any(held) or not more else (rules.deal_plan[stage + 1],) * len(held))


# ------------------------------------------------------------------------------------------------ questions

AT = "table: 3c 5d; me: 7d Ks; to play: next"


def exact(text: str, **options: Any) -> Fraction:
    return Fraction(cs.odds(text, **options).frame["exact"].item())


def test_the_stock_is_what_is_still_to_be_dealt() -> None:
    """Of fresh deals and in mid-hand, counted by hand, and as it is dealt and played."""
    assert exact("settebello(stock)") == Fraction(24, 40)
    assert exact("holds(mazzo, 7d)", players=2) == Fraction(30, 40)
    assert exact("settebello(stock)", at="me: 7h 7c 7s") == Fraction(24, 37)
    assert exact("sevens(stock) = 2 and sevens(next) = 1") == Fraction(comb(24, 2) * 3 * 13, comb(40, 4))
    assert exact("mean(holds(stock, diamonds))") == 6
    now = "table: 3h 5d; me: 7h Ks; to play: next; stage: 2; i am: first"
    assert exact("settebello(stock)", at=now) == Fraction(12, 36)
    assert exact("sevens(stock) = 1 and sevens(next) = 1", at=now) == Fraction(12 * 3 * 21, comb(36, 3))
    assert exact("settebello(stock)", at=now.replace("stage: 2", "stage: 3")) == 0
    question = ["sevens(stock) = 1 and settebello(next)", "settebello(stock)"]
    for at in (now, "", f"{now}; partner: no aces"):
        for row in cs.odds(question, at=at or None, check=50_000, progress=False).frame.to_dicts():
            assert abs(row["difference"]) < 4
    played = cs.odds("settebello(stock) and captured(us) >= 0", at=now, hands=5_000, progress=False).frame
    assert played["ci_low"].item() < 1 / 3 < played["ci_high"].item()
    later = cs.odds("sevens(stock) = 1 and sevens(next, stage 3) = 1", at=now, hands=50_000, progress=False).frame
    assert later["ci_low"].item() < 3 * comb(24, 2) / comb(36, 3) < later["ci_high"].item()
    for text, options, message in (
        ("barsega(stock)", {}, r"valid: settebello\(stock\)"), ("aces(stock, stage 2)", {}, "leave the stage out"),
        ("aces(stock)", {"rules": "scopone-scientifico"}, "all cards are dealt at once"),
        ("stock = 3", {}, "says where"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            cs.odds(text, **options)


@pytest.mark.parametrize("name", ["cirulla", "cirulla-dossena"])
def test_cards_of_the_next_stage_are_counted_over_every_holding(name: str) -> None:
    """Every function of what may be dealt next, over each of the C(34, 3) holdings of the cards not seen."""
    rules = build(name)
    seen = mask(parse_many("3c 5d 7d Ks 2h Qc"))
    at = f"{AT}; gone: 2h Qc; stage: 1; i am: dealer"
    for function in HELD.keys() - {"holds", "cards", "ranks", "suits"}:
        numbers = oracle.values(rules, function)[oracle.without(3, seen)]
        assert len(numbers) == comb(34, 3)
        assert exact(f"mean({function}(next, stage 2))", at=at, rules=name) == oracle.mean(numbers), function


@pytest.mark.parametrize(
    ("preset", "players", "question", "at"),
    [
        ("cirulla", 4, "can_sweep(P)", "table: 3c 5d; me: 7d Ks 2h"),
        ("cirulla", 2, "can_sweep(P) and not can_capture(P, 5d)", "table: 3c 5d; me: 7d Ks 2h; i am: first"),
        ("cirulla", 3, "can_score(P) or sevens(P) = 2", "table: 3c 5d; me: 7d Ks 2h; i am: second"),
        ("cirulla", 4, "can_capture(P, 5d)", "table: Ac 5d 7c; me: 2s 2d; shown next: 7h Ad; to play: next"),
        ("cirulla", 4, "diamonds(P) >= 2 or can_capture(P)", "table: 3c 5d; me: 7d Ks; to play: next; next: no kings"),
        (
            "cirullone",
            4,
            "can_sweep(P)",
            "table: 2c 2d Js; me: 3h 5h Kd; to play: next; shown next: 7h Ad; i am: third",
        ),
        ("cirullone-6-3", 4, "bonus(next, stage 2)", "table: 6c 6d; me: Ah; to play: next; stage: 1"),
        ("cirulla", 4, "aces(P) = 1 and bonus(next, stage 2)", "table: 6c 6d; me: Ah 2d; to play: next; stage: 1"),
        ("scopone-scientifico", 4, "can_sweep(P) or total(P) > 60", "table: 6c 6d; me: Ah 2d 3c 4s; to play: next"),
    ],
)
def test_chances_agree_with_cards_dealt(preset: str, players: int, question: str, at: str) -> None:
    """Within 4.5 standard errors of 30,000 deals: some 30 comparisons, by chance one fails in 5,000 sets of deals."""
    names = ["next", "them", "others", "previous"] if question.count("can_") == question.count("P") > 0 else ["next"]
    texts = [question.replace("P", name) for name in names[: 3 if players == 2 else 4]]
    both = cs.odds(texts, at=at, rules=preset, players=players, check=30_000, progress=False).frame
    assert both["exact"][0] is not None  # of several players there may be too many cases
    assert both["difference"].drop_nulls().abs().max() < 4.5
    never = f"({texts[0]}) and not ({texts[0]})"
    assert exact(never, at=at, rules=preset, players=players) == 0


def test_the_command_says_which_cards_will_do(capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["odds", "can_sweep(next)", "can_sweep(them)", "--at", f"{AT}; gone: Ah Ad; i am: third"])
    out, err = capsys.readouterr()
    assert stop.value.code == 0
    assert "921/1496" in out
    assert "Assumed: 3 captured cards may be any of the unseen." in out
    assert err == (
        "Cards held: next 3, partner 2, previous 2.\n"  # the partner has played in this round
        "9 of 34 unseen cards will do: 7h Jh Jd Ac 7c Jc As 7s Js.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swep", AT], "unknown word 'swep': did you mean 'sweep'?"),
        (["can_capture(4d)", AT], "4d does not lie on the table"),
        (["can_capture(settebello)", AT], "7d does not lie on the table and cannot be taken"),

        (["bonus(next, stage 1)", f"{AT}; stage: 2"], "this position is of stage 2"),
        (["sweeps(us, stage 1)", f"{AT}; stage: 2"], "stage 1 is over"),
        (["bonus(next, stage 2)", AT, "--rules", "cirullone"], "there is one stage"),
        (["leftovers", AT], "leftovers cannot be asked in mid-hand"),
        (["points(us, after stage 1)", AT], "what stands after a stage cannot be asked in mid-hand"),

        (["can_sweep", "table: 3c 3x; me: 2h"], "--at: table: unknown card '3x': did you mean '3"),
        ([AT], "no question about the position (valid: 'can_sweep(next)',"),
        (["can_sweep", f"{AT}; cards: next 2; i am: first"], "cards: next 2 cannot be when you hold 2, sit first"),

        (["can_sweep", f"{AT}; matta: 3"], "matta: 7h is neither on the table nor shown"),
        (["can_sweep", f"{AT}; shown previous: 2c 2d 2h; i am: second"], "shown previous: 3 cards, and"),
        (["can_sweep", "table: 3c; me: ; to play: me"], "me: 0 cards cannot be with me to play"),
        (
            ["can_sweep", f"{AT}; gone: {' '.join(c for c in PACK if c not in ('3c', '5d', '7d', 'Ks', '2h', '4h'))}"],
            "cannot come from one deal",
        ),
    ],
)  # fmt: skip
def test_questions_that_cannot_be_asked_in_mid_hand(arguments: list[str], message: str, capsys) -> None:
    *question, at = arguments[: 2 if len(arguments) > 1 else 1]
    with pytest.raises(SystemExit) as stop:
        main(["odds", *question, "--at", at, *arguments[2:]])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


# ------------------------------------------------------------------------------------------------ every verb


def test_whose_words_they_are() -> None:
    """Us and them, and the holding that a question is about, are seen from where one sits."""
    options = {"hands": 3000, **GREEDY}
    dealer = cs.odds(["wins(dealer_side)", "wins(first_side)"], **options).frame["estimate"].to_list()
    assert cs.odds(["wins(us)", "wins(them)"], me="dealer", **options).frame["estimate"].to_list() == dealer
    assert cs.odds(["wins(them)", "wins(us)"], me="first", **options).frame["estimate"].to_list() == dealer
    anywhere = cs.odds("wins(us)", **options)
    assert anywhere.frame["estimate"].item() == pytest.approx(sum(dealer) / 2, abs=0.04)
    assert "every seat equally likely" in anywhere.reading
    assert exact("7h", at="me: 7h") == exact("7h", at="dealer: 7h", me="dealer") == 1
    assert exact("7h", at="dealer: 7h") == exact("holds(dealer, 7h)", at="me: 7h") == Fraction(1, 4)
    with pytest.raises(InputError, match="where do you sit"):
        cs.odds("low", at="me: 7h; dealer: 7d")


def test_a_position_is_no_deal() -> None:
    verbs = {cs.simulate: {}, cs.compare: {"house": "no-matta"}, cs.games: {}, cs.tournament: {}, cs.hand: {}}
    for verb, more in verbs.items():
        with pytest.raises(InputError, match="is a position in mid-hand"):
            verb(at="table: Jd 4c; me: 7h; to play: me", **more)
    with pytest.raises(InputError, match="is of a game"):
        cs.simulate(at="score: 12-20")


def test_every_verb_takes_a_play_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(json.dumps(cs.hand(number=n, policy="greedy").record) for n in range(2)), "utf-8")
    place = f"{file}#1.9"
    advice = cs.advise(at=place, samples=64, progress=False)
    assert advice.frame.height > 3
    assert f'--at "{place}"' in advice.command or f"--at {place}" in advice.command
    answer = cs.odds("wins(us)", at=place, hands=200, **GREEDY)
    assert answer.metadata["request"]["situation"]["at"].startswith("i am: ")
    assert cs.hand(at=place).record == cs.hand(number=1, policy="greedy").record


def test_every_seat_is_in_turn() -> None:
    """Advice from any seat is the mean of the advice from each."""
    at = "table: Jd 4c; me: 7d 2s Kh"
    seats = [cs.advise(at=at, me=me, samples=600, **GREEDY) for me in ("second", "third", "dealer")]
    means, variance = Counter[str](), Counter[str]()
    for result in seats:
        for row in result.frame.filter(quantity="margin").iter_rows(named=True):
            means[row["play"]] += row["estimate"] / 3
            variance[row["play"]] += row["std_error"] ** 2 / 9
    together = cs.advise(at=at, samples=1800, seed=2, **GREEDY).frame.filter(quantity="margin")
    for row in together.iter_rows(named=True):
        error = (variance[row["play"]] + row["std_error"] ** 2) ** 0.5
        assert abs(row["estimate"] - means[row["play"]]) < 4 * error


def test_an_empty_table_is_swept_by_nobody() -> None:
    """Not by an ace that takes itself either, which is a capture."""
    rules = cs.rules("scopa-assi", players=2, ace_takes_itself=True)
    questions = ["can_sweep(next)", "can_score(next)", "can_capture(next)"]
    answer = cs.odds(questions, rules=rules, at="table: none; me: 7d 2s; stage: 2; to play: next", progress=False)
    assert answer.frame["exact"].to_list() == ["0", "0", "1039/4218"]
