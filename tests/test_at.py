"""One situation in every verb: the same words mean the same, wherever they are said and whoever asks."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

import cirulla_sim as cs
from cirulla_sim.core.cards import mask, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import deal_hands
from cirulla_sim.questions.known_deals import chance_of_deal, known_deal
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.constraints import holding_place, layout
from cirulla_sim.situation.notation import Situation

CIRULLA = build("cirulla")


def holdings_dealt(at: str, hands: int, seed: int = 1) -> np.ndarray:
    """The first holdings of deals that have what is known, as masks: uint64[hands, players]."""
    decks = deal_hands(CIRULLA, seed, 0, hands, constraints=known_deal(at, CIRULLA)).decks.astype(np.uint64)
    starts = np.cumsum([0, *layout(CIRULLA)])
    places = [starts[holding_place(CIRULLA, 0, seat)] for seat in range(4)]
    return np.stack([(np.uint64(1) << decks[:, at : at + 3]).sum(axis=1) for at in places], axis=1)


def chance(at: str) -> Fraction:
    return chance_of_deal(Situation.parse(at), CIRULLA)


# ------------------------------------------------------------------------------------------------ who is meant


def test_where_one_sits_is_any_seat() -> None:
    """Three sevens, of somebody who may sit anywhere, lie in each holding equally often."""
    sevens = np.uint64(mask(parse_many("7h 7d 7c")))
    held = holdings_dealt("me: 7h 7d 7c", 4000) == sevens
    assert held.sum() == 4000
    counts = held.sum(axis=0)
    assert chi2.sf(float(((counts - 1000) ** 2 / 1000).sum()), 3) > 1e-3
    at_dealer = holdings_dealt("me: 7h 7d 7c; i am: dealer", 200) == sevens
    assert at_dealer[:, 3].all()
    partner = holdings_dealt("partner: 7h 7d 7c; i am: dealer", 200) == sevens
    assert partner[:, 1].all()


def test_somebody_is_at_least_one() -> None:
    """Who holds two kings, given that somebody does: each as often as by the exact chances, two at once too."""
    hands, kings = 20_000, np.uint64(mask(parse_many("Kh Kd Kc Ks")))
    held = np.bitwise_count(holdings_dealt("somebody: K* K*", hands) & kings) >= 2
    assert held.any(axis=1).all()
    some, one = chance("somebody: K* K*"), chance("first: K* K*")
    both = chance("first: K* K*; second: K* K*")
    expected = np.array([float(one / some)] * 4) * hands
    assert (np.abs(held.sum(axis=0) - expected) < 4 * expected**0.5).all()
    pairs = (held.sum(axis=1) == 2).sum()
    assert abs(pairs - float(6 * both / some) * hands) < 4 * (float(6 * both / some) * hands) ** 0.5 + 1


def test_us_and_them_are_seen_from_where_one_sits() -> None:
    options = {"policy": "greedy", "hands": 3000, "progress": False}
    dealer = cs.odds(["wins(dealer)", "wins(first)"], **options).frame["estimate"].to_list()
    assert cs.odds(["wins(us)", "wins(them)"], me="dealer", **options).frame["estimate"].to_list() == dealer
    assert cs.odds(["wins(them)", "wins(us)"], me="first", **options).frame["estimate"].to_list() == dealer
    anywhere = cs.odds("wins(us)", **options)
    assert anywhere.frame["estimate"].item() == pytest.approx(sum(dealer) / 2, abs=0.04)
    assert any("every seat is equally likely" in remark for remark in anywhere.remarks)


def test_a_holding_is_the_asking_players() -> None:
    assert cs.odds("7h", at="me: 7h").frame["exact"].item() == "1"
    assert cs.odds("7h", at="dealer: 7h").frame["exact"].item() == "1/4"
    assert cs.odds("7h", at="dealer: 7h", me="dealer").frame["exact"].item() == "1"
    assert cs.odds("holds(dealer, 7h)", at="me: 7h").frame["exact"].item() == "1/4"
    with pytest.raises(InputError, match="where do you sit"):
        cs.odds("low", at="me: 7h; dealer: 7d")


# ------------------------------------------------------------------------------------------------ what is known


def test_conditions_on_holdings_are_those_of_questions() -> None:
    by_question = cs.odds("barsega and sevens = 0").frame["exact"].item()
    assert chance("me: barsega, no sevens") == Fraction(by_question)
    assert chance("partner: not accuso") == 1 - chance("me: accuso")
    counted = chance("next: sevens >= 2")
    assert counted == Fraction(cs.odds("sevens >= 2").frame["exact"].item())


def test_what_was_too_much_to_count_is_answered() -> None:
    text = "everybody: *d; table: no kings"
    held = holdings_dealt(text, 2000)
    diamonds = np.uint64(mask(range(10, 20)))
    assert (held & diamonds > 0).all()
    exact = float(Fraction(cs.odds(at=text).frame["exact"].item()))
    free = deal_hands(CIRULLA, 5, 0, 100_000, again=False).decks
    table, first = free[:, :4], free[:, 4:16].reshape(-1, 4, 3)
    seen = ((table % 10 != 9).all(axis=1) & (first // 10 == 1).any(axis=2).all(axis=1)).sum()
    assert abs(seen - 1e5 * exact) < 4 * (1e5 * exact) ** 0.5


def test_a_position_is_no_deal() -> None:
    verbs = {cs.simulate: {}, cs.compare: {"house": "no-matta"}, cs.games: {}, cs.tournament: {}, cs.hand: {}}
    for verb, more in verbs.items():
        with pytest.raises(InputError, match="is a position in mid-hand"):
            verb(at="table: Jd 4c; me: 7h; to play: me", **more)
    with pytest.raises(InputError, match="is a position in mid-hand"):
        cs.simulate(at="table: Jd 4c; me: 7h")
    with pytest.raises(InputError, match="is of a game"):
        cs.simulate(at="score: 12-20")


# ------------------------------------------------------------------------------------------------ the turn


def test_points_of_a_set_count_in_every_question() -> None:
    at = "table: Jd 4c; me: Kd Kh Kc"
    assert cs.odds("wins(us)", at=at, policy="greedy", hands=3000, progress=False).frame["estimate"].item() > 0.75
    without = cs.odds("wins(us)", at="table: Jd 4c; me: Kd Qh Kc", policy="greedy", hands=3000, progress=False)
    assert without.frame["estimate"].item() < 0.5
    advice = cs.advise(at=f"{at}; score: 42-45", samples=300, progress=False).frame
    best = advice.filter(quantity="wins_game")["estimate"]
    assert best[0] > 0.65
    assert best[-1] < 0.4
    assert advice["play"][0].startswith("knock with Kh Kd Kc")


def test_declaring_the_matta_is_a_choice() -> None:
    """The example of source 000: declare it a two and take everything."""
    advice = cs.advise(at="table: Ad 5c 7s; me: 7h 3c 4d", policy="greedy", samples=400, progress=False).frame
    assert advice["play"][0] == "knock with 7h 4d 3c, the matta as 2: 7h takes Ad 5c 7s"
    declared = {text.partition(":")[0][-1] for text in advice["play"] if text.startswith("knock")}
    assert declared == {"1", "2"}


def test_the_set_one_plays_from_counts_in_larger_holdings() -> None:
    at = "table: Kc; i am: second; me: Kd Kh Ks 2d 6s 4d 3c Qs Jc"
    frame = cs.advise(at=at, rules="cirullone", samples=60, progress=False).frame.filter(quantity="margin")
    assert frame["play"][0] == "knock with Kh Kd Ks: Kd takes Kc"
    assert frame["estimate"][0] > 5


# ------------------------------------------------------------------------------------------------ records


def test_every_verb_takes_a_play_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(json.dumps(cs.hand(number=n, policy="greedy").record) for n in range(2)), "utf-8")
    place = f"{file}#1.9"
    advice = cs.advise(at=place, samples=64, progress=False)
    assert advice.frame.height > 3
    assert f"--at '{place}'" in advice.command or f"--at {place}" in advice.command
    answer = cs.odds("wins(us)", at=place, policy="greedy", hands=200, progress=False)
    assert answer.metadata["request"]["situation"]["at"].startswith("i am: ")
    assert cs.hand(at=place).record == cs.hand(number=1, policy="greedy").record
    judged = cs.hand(record=file, number=1, coach=True, samples=8).record["coach"]["plays"]
    assert len(judged) == 36
    assert all(Situation.parse(play["situation"]).is_position for play in judged)


def test_every_seat_is_in_turn() -> None:
    """Advice from any seat is the mean of the advice from each."""
    at, options = "table: Jd 4c; me: 7d 2s Kh", {"policy": "greedy", "progress": False}
    seats = [cs.advise(at=at, me=me, samples=1000, **options) for me in ("second", "third", "dealer")]
    means, variance = Counter[str](), Counter[str]()
    for result in seats:
        for row in result.frame.filter(quantity="margin").iter_rows(named=True):
            means[row["play"]] += row["estimate"] / 3
            variance[row["play"]] += row["std_error"] ** 2 / 9
    together = cs.advise(at=at, samples=3000, seed=2, **options).frame.filter(quantity="margin")
    for row in together.iter_rows(named=True):
        error = (variance[row["play"]] + row["std_error"] ** 2) ** 0.5
        assert abs(row["estimate"] - means[row["play"]]) < 4 * error
