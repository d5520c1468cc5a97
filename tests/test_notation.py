"""The notation of situations: read and written, in two languages; positions and what follows from the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cirulla_sim as cs
from cirulla_sim.core.cards import mask, parse_many, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.card_terms import Clause, described, read_clause
from cirulla_sim.situation.information_set import InformationSet
from cirulla_sim.situation.notation import Situation, in_order
from cirulla_sim.situation.people import ITALIAN, PLAYERS, order_of_play, seat_of, seen_from
from cirulla_sim.situation.positions import read_position, situation_of
from cirulla_sim.situation.shown_sets import claims_for

CIRULLA, TWO, CIRULLONE = build("cirulla"), build("cirulla", players=2), build("cirullone")

# ------------------------------------------------------------------------------------------------ round trip

RANK_MASKS = [
    sum(0b1 << rank << 10 * suit for rank in range(low, high + 1) for suit in suits)
    for low in range(10)
    for high in range(low, 10)
    for suits in ((0,), (1,), (2,), (3,), (0, 1, 2, 3))
]


def named_once(cards: list[int]) -> bool:
    """Whether no card is named by itself twice."""
    single = [mask for mask in cards if mask.bit_count() == 1]
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
    """Any situation that can be written."""
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
        tuple(sorted(places.items(), key=lambda item: in_order(item[0]))),
        tuple((name, draw(plain)) for name in ("next", "us", "them") if draw(st.booleans())),
        draw(st.just(0) | plain),
        tuple((name, draw(plain)) for name in ("me", "next") if draw(st.booleans())),
        draw(st.none() | st.integers(1, 10)), draw(st.none() | st.integers(1, 6)),
        draw(st.none() | st.sampled_from(PLAYERS)),
        tuple(sorted(counts.items(), key=lambda item: in_order((item[0], 1)))),
        draw(st.just(()) | scores), draw(st.just(()) | scores),
        draw(st.none() | st.integers(1, 20).map(lambda n: (n, n + 3))),
        draw(st.none() | st.sampled_from(("first", "second", "third", "dealer"))),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(situations(), st.sampled_from(("en", "it")))
def test_reading_undoes_writing(situation: Situation, lang: str) -> None:
    text = situation.text(lang)
    if situation == Situation() or len(text) > 1000:
        return
    assert Situation.parse(text) == situation
    parts = text.split("; ")
    assert Situation.parse("; ".join(reversed(parts))) == situation  # the order of clauses does not matter


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
    ],
)
def test_several_spellings_mean_the_same(written: str, canonical: str) -> None:
    assert str(Situation.parse(written)) == canonical


@pytest.mark.parametrize(("word", "cards"), [
    ("re bastoni", "Kc"), ("rc", "Kc"), ("asso di picche", "As"), ("fante denari", "Jd"), ("cs", "Qs"), ("10♦", "Kd"),
    ("7*", "7h 7d 7c 7s"), ("2-3h", "2h 3h"), ("re di *", "Kh Kd Kc Ks"), ("settebello", "7d"),
])  # fmt: skip
def test_cards_have_many_names(word: str, cards: str) -> None:
    assert described(word) == mask(parse_many(cards))


def test_a_number_before_a_word_for_cards_is_a_number() -> None:
    assert read_clause("", "due denari") == read_clause("", "*d *d")
    assert read_clause("", "4 sevens") == read_clause("", "7* 7* 7* 7*")
    assert read_clause("", "at least two kings") == read_clause("", "K* K*")
    assert read_clause("", "exactly 1 king").limits == ((described("K*".lower()), 1, 1),)


@pytest.mark.parametrize(("written", "reason"), [
    ("mee: 7h", "did you mean 'me'?"),
    ("me 7h", "has no colon"), (" ; ", "says nothing"), ("me: 7x", "unknown card '7x'"),
    ("seat0: 7h", "players have names"),
    ("stage: 9", "1 to 6"), ("points: 2", "ours first"), ("hand: 9 of 3", "as 3 of 8"),
    ("to play: nobody", "unknown player"), ("stage: 1; stage: 2", "said twice"), ("table: barsega", "unknown card"),
    ("captured foo: 7d", "unknown player"), ("next:", "says nothing"), ("me: " + "7h " * 500, "too long"),
    ("not me: exactly two aces", "'not' goes with cards"), ("i am: me", "unknown seat"), ("cards: me", "how many"),
])  # fmt: skip
def test_refusals_are_one_line(written: str, reason: str) -> None:
    with pytest.raises(InputError, match="--at") as error:
        Situation.parse(written)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------------------------ people


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_have_one_name_each_from_every_seat(players: int) -> None:
    rules = build("cirulla", players=players)
    assert len(set(order_of_play(rules))) == players
    for me in range(players):
        assert [seat_of(name, rules, me) for name in seen_from(rules, me)] == list(range(players))
        assert [seat_of(name, rules, me) for name in order_of_play(rules)] == list(range(players))
    assert set(order_of_play(rules)) | set(seen_from(rules, 0)) <= set(ITALIAN)


def test_who_is_not_there_is_refused_with_who_is() -> None:
    with pytest.raises(InputError, match=r"'partner' with 2 players \(valid: me, next, first, dealer\)"):
        seat_of("partner", TWO, 0)


# ------------------------------------------------------------------------------------------------ positions


def position(rules: cs.Rules, text: str) -> list[InformationSet]:
    return list(read_position(rules, Situation.parse(text)).seats)


def test_every_seat_that_can_be_is_as_likely() -> None:
    seats = position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc")
    assert [now.field("seat") for now in seats] == [1, 2, 3]  # who plays first finds four cards or none
    assert [now.by_seat("held") for now in seats] == [(2, 3, 3, 3), (2, 2, 3, 3), (2, 2, 2, 3)]
    assert len(position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc; i am: third")) == 1
    assert [now.field("seat") for now in position(CIRULLA, "table: Jd 4c; me: Kd Kh Kc; cards: next 2")] == [3]


def test_to_play_next_is_after_your_play() -> None:
    first, dealer = position(TWO, "table: 3c 5d; me: 7d Ks; to play: next")
    assert (first.to_play, first.by_seat("held")[:2]) == (1, (2, 3))
    assert (dealer.to_play, dealer.by_seat("held")[:2]) == (0, (2, 2))


def test_impossible_declarations_are_refused() -> None:
    assert claims_for(CIRULLA, mask(parse_many("7h 3c 4d"))) == {1: 3, 2: 3}
    shown = "table: Ad 5c 7s; me: 7h 3c 4d; shown me: 7h 3c 4d; i am: second"
    with pytest.raises(InputError, match=r"'9' cannot be declared here \(valid: 1, 2\)"):
        position(CIRULLA, f"{shown}; matta: 9")
    with pytest.raises(InputError, match="a choice to come"):
        position(CIRULLA, "table: Ad 5c 7s; me: 7h 3c 4d; matta: 2")
    with pytest.raises(InputError, match="earn nothing"):
        position(CIRULLA, "table: Ad 5c 7s; me: 7h 3c Kd; shown me: 7h 3c Kd")
    [now] = position(CIRULLA, f"{shown}; matta: 2")
    assert (now.field("matta_value"), now.by_seat("points")[now.side]) == (2, 3)


@pytest.mark.parametrize(("rules", "text", "reason"), [
    (TWO, "table: Ad", "what you hold"), (TWO, "me: 7d; to play: me", "what lies on the table"),
    (TWO, "me: K*; table: 2c; to play: me", "leaves cards open"), (TWO, "me: 7d; table: 7d", "named twice"),
    (TWO, "me: 7d; table: 2c; captured us: 7d 3c", "named twice"),
    (TWO, "me: 7d; table: 2c; partner: 7h", "'partner'"),
    (CIRULLA, "me: 7d 2c; table: 3c; cards: next 7", "valid: next"),
    (TWO, "me: 2c 3c 4c 5c; table: 3h", "4 cards cannot"),
    (TWO, "me: 7d; table: 2c; next: 7d", "cannot lie so"),
    (TWO, "me: 7d; table: 2c; stage: 5; points: 1-1-1", "3 sides"),
    (TWO, "me: 7d 2c 3c; table: 4c; shown next: 2h 3h 4h 5h", "holds"),
    (TWO, "me stage 2: 7d; me: 2c; table: 3c", "one stage"),
])  # fmt: skip
def test_what_cannot_be_is_refused(rules: cs.Rules, text: str, reason: str) -> None:
    with pytest.raises(InputError, match="--at") as error:
        position(rules, text)
    assert reason in str(error.value)


@pytest.mark.parametrize("preset", ["cirulla", "cirullone", "cirulla-online", "scopa-team", "cirullone-rivarolo"])
def test_what_a_player_of_a_record_knows_is_read_back(preset: str, tmp_path: Path) -> None:
    file, compared = tmp_path / "hands.jsonl", 0
    records = [cs.hand(preset, number, policy="random").record for number in range(3)]
    file.write_text("\n".join(map(json.dumps, records)), "utf-8")
    from cirulla_sim.advice.situations import read_at

    for hand, record in enumerate(records):
        plays = sum(len(stage["plays"]) for stage in record["stages"])
        for play in range(1, plays + 1, 5):
            _, recorded = read_at(f"{file}#{hand}.{play}")
            assert recorded is not None
            now, text = recorded.turn.moment.information(), str(recorded.situation)
            [again] = position(now.rules, text)
            for name in ("seat", "stage", "turn", "holding", "table", "plays_left", "stock", "side", "allowed"):
                assert again.field(name) == now.field(name), (name, text)
            for name in ("held", "pile", "points", "first"):
                assert again.by_seat(name) == now.by_seat(name), (name, text)
            assert str(situation_of(again)) == text
            compared += 1
    assert compared > 20


def test_a_masked_card_is_written_as_it_is_read() -> None:
    for card in range(40):
        assert read_clause("", texts(1 << card)[0]).exact == 1 << card
