"""Nights: their notation, and nights played against a referee in plain Python that replays every hand by itself."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, ncx2

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import play_rows, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.night_draws import draw_lots, match_number
from cirulla_sim.experiments.night_quantities import OF_NIGHT, OF_PAIR, night_columns
from cirulla_sim.experiments.night_rounds import all_rounds, swiss_round
from cirulla_sim.experiments.night_standings import victory_scale
from cirulla_sim.experiments.nights import Nights, PlayedNights
from cirulla_sim.questions import played_night
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.night import FORMATS, Night, rounds_needed
from cirulla_sim.situation.notation import Situation

ONLINE = build("cirulla-online")

# ------------------------------------------------------------------------------------------------ notation


@st.composite
def nights(draw: st.DrawFn) -> Night:
    """Any night that can be written."""
    groups = st.tuples(st.sampled_from([None, "careful", "search:16", "greedy+silent"]), st.integers(1, 9))
    pairs = tuple(
        policy for policy, n in draw(st.lists(groups, min_size=1, max_size=6)) for _ in range(n)
    )  # fmt: skip
    pairs = pairs if len(pairs) > 1 else pairs * 2
    kind = draw(st.sampled_from(FORMATS))
    rounds = rounds_needed(len(pairs), kind) or draw(st.integers(1, 20))
    minutes = draw(st.none() | st.integers(1, 120_000).map(lambda thousandths: Fraction(thousandths, 1000)))
    return Night(pairs, kind, rounds, draw(st.integers(1, 24)), minutes)


@settings(max_examples=150, deadline=None)
@given(nights(), st.sampled_from(("en", "it")))
def test_reading_undoes_writing(night: Night, lang: str) -> None:
    text = night.text(lang)
    assert Night.parse(text) == night
    assert Night.parse(text).text(lang) == text
    situation = Situation(night=night)
    assert Situation.parse(situation.text(lang)) == situation


@pytest.mark.parametrize(("written", "canonical"), [
    ("swiss,8 pairs,4 rounds of 8 hands", "8 pairs, 4 rounds of 8 hands, swiss"),
    ("One pair search:16,7 pairs careful,swiss,1 round,4 hands per round",
     "1 pair search:16, 7 pairs careful, 1 round of 4 hands, swiss"),
    ("8 coppie, tutti contro tutti, 2 smazzate a turno, 4,5 minuti a smazzata",
     "8 pairs, all play all, 2 hands a round, 4.5 minutes a hand"),
    ("16 giocatori, a eliminazione diretta, 4 mani", "16 pairs, knock-out, 4 hands a round"),
    ("5 pairs, 5 rounds of 1 hand, round robin, 1 minute a hand",
     "5 pairs, all play all, 1 hand a round, 1 minute a hand"),
    ("2 pairs, 1 player a.py:f, 1 pair, svizzero, 20 turni di 24 smazzate",
     "2 pairs, 1 pair a.py:f, 1 pair, 20 rounds of 24 hands, swiss"),
])  # fmt: skip
def test_several_spellings_mean_the_same(written: str, canonical: str) -> None:
    assert str(Night.parse(written)) == canonical


@pytest.mark.parametrize(("written", "reason"), [
    ("8 pears, 4 rounds of 8 hands, swiss", "'8 pears': did you mean '8 pairs'?"),
    ("8 pairs, 4 rounds of 8 hands, swis", "'swis': did you mean 'swiss'?"),
    ("8 pairs, swiss, 4 round of 8 handss", "did you mean '4 round of 8 hands'?"),
    ("8 pairs, swiss, on Fridays", "'on Fridays': is no part of a night (valid: 8 pairs, "),
    ("8 pairs, 4 rounds of 8 hands", "no format (add one of: swiss, all play all, knock-out)"),
    ("8 pairs, 4 rounds, swiss", "no number of hands"), ("8 pairs, 4 hands a round, swiss", "no number of rounds"),
    ("8 pairs, knock-out", "no number of hands"), ("swiss, 4 rounds of 8 hands", "no pairs"),
    ("1 pair, swiss, 4 rounds of 8 hands", "1 pairs are not valid (valid: 2 to 64)"),
    ("40 pairs, 40 pairs greedy, swiss, 4 rounds of 8 hands", "80 pairs are not valid"),
    ("8 pairs, swiss, 21 rounds of 8 hands", "rounds '21' is not valid (valid: 1 to 20)"),
    ("8 pairs, swiss, 0 rounds of 8 hands", "rounds '0' is not valid"),
    ("8 pairs, swiss, 4 rounds of 25 hands", "hands '25' is not valid (valid: 1 to 24)"),
    ("8 pairs, swiss, 4 rounds of 8 hands, 0 minutes a hand", "minutes '0'"),
    ("8 pairs, all play all, 4 rounds of 8 hands", "play 7 rounds (leave the number of rounds out)"),
    ("8 pairs, swiss, knock-out, 4 hands", "format is given twice"), ("8 pairs,,swiss, 4 hands", "''"),
])  # fmt: skip
def test_refusals_are_one_line(written: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        Night.parse(written)
    assert str(error.value).startswith("--at: night: ")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("clause", ["me: 7h", "score: 3-2", "table: Jd 4c; me: Kd", "to play: me", "i am: dealer"])
def test_an_night_stands_alone(clause: str) -> None:
    with pytest.raises(InputError, match="--at: night: cannot be combined with"):
        Situation.parse(f"serata: 8 coppie, svizzero, 4 turni di 8 smazzate; {clause}")


# ------------------------------------------------------------------------------------------------ pairing


@pytest.mark.parametrize("pairs", [2, 3, 6, 7, 64])
def test_everybody_meets_everybody_once(pairs: int) -> None:
    rounds = all_rounds(pairs)
    assert len(rounds) == rounds_needed(pairs, "all play all")
    assert all(len(set(tables.ravel())) == tables.size for tables in rounds)
    assert sorted(tuple(sorted(table)) for table in rounds.reshape(-1, 2).tolist()) == [*combinations(range(pairs), 2)]


def first_pairing(order: list[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]] | None:
    """The first pairing from the top without a rematch, by trying all."""
    if not order:
        return []
    for other in order[1:]:
        if frozenset((order[0], other)) not in met:
            rest = first_pairing([pair for pair in order[1:] if pair != other], met)
            if rest is not None:
                return [(order[0], other), *rest]
    return None


def test_rematches_come_only_where_there_is_no_other_way() -> None:
    rng = np.random.default_rng(5)
    found = Counter[bool]()
    for _ in range(300):
        met = rng.random((6, 6)) < 0.55
        met = (met | met.T) & ~np.eye(6, dtype=bool)
        order = rng.permutation(6)
        [tables] = swiss_round(order[None], met[None], np.zeros((1, 6), int)).tolist()
        expected = first_pairing(order.tolist(), {frozenset(pair) for pair in np.argwhere(met).tolist()})
        found[expected is None] += 1
        assert sorted(pair for table in tables for pair in table) == list(range(6))
        assert expected is None or [tuple(table) for table in tables] == expected
    assert min(found.values()) > 20


# ------------------------------------------------------------------------------------------------ the referee

# Of source 002: the lowest match points for 10, 11, 12, ... victory points in matches of 1 to 6 hands.
LOWEST = {1: (0, 1, 2, 3, 4, 5, 7, 9), 2: (0, 1, 3, 5, 7, 9, 11, 13, 15), 4: (0, 2, 4, 7, 10, 13, 16, 19, 22, 24, 27),
          6: (0, 3, 6, 9, 12, 16, 19, 23, 26, 29, 33)}  # fmt: skip


def replay(nights: Nights, policies: tuple[str, str], game: int) -> dict[str, int]:
    """A match hand by hand; policies and match points are first those of who deals first."""
    points, played, run = [0, 0], 0, 0
    hands, knock_out = nights.night.hands, nights.night.format == "knock-out"
    while True:
        dealer = played % 2
        hand = Experiment(nights.rules, (policies[1 - dealer], policies[dealer]), seed=nights.seed)
        row = dict(zip(row_names(nights.rules), play_rows(hand, (game << 16) + played, 1)[0][0].tolist(), strict=True))
        run, played = max(run, row["misdeals"]), played + 1
        of_side = {dealer: "side1_", 1 - dealer: "side0_"}
        for mine in (0, 1):
            if row[of_side[mine] + "cappotto"] or (row["won_at_deal"] and row[of_side[mine] + "wins"]):
                sign = 1 - 2 * mine
                cappotto = bool(row[of_side[mine] + "cappotto"])
                most = LOWEST[min(hands, 6)][-1]
                return {"hands": played, "misdeals": run, "won": sign, "points": sign * most, "cappotto": cappotto}
            points[mine] += row[of_side[mine] + "total"]
        margin = points[0] - points[1]
        if played >= hands and (margin or not knock_out):
            assert played <= hands + 3
            return {"hands": played, "misdeals": run, "won": int(np.sign(margin)), "points": margin, "cappotto": False}


def game_of(night: int, first: int, second: int, meeting: int) -> int:
    """The number of the game that two pairs play."""
    ends = sorted((first, second))
    return int(match_number(*(np.array([x]) for x in (night, *ends, meeting)))[0])


def check_night(nights: Nights, played: PlayedNights, number: int) -> None:
    """Follow one night in plain Python."""
    night, pairs = nights.night, len(nights.policies)
    lots = draw_lots(nights.seed, number, 1, pairs)[0].tolist()
    victory, points, byes = [0] * pairs, [0] * pairs, [0] * pairs
    met = Counter[frozenset[int]]()
    left = sorted(range(pairs), key=lambda pair: lots[pair])
    places = [1] * pairs
    for at, matches in enumerate(played.matches[number].tolist()):
        tables = [match for match in matches if match[0] >= 0]
        seated = [pair for match in tables for pair in match]
        assert len(set(seated)) == len(seated)
        absent = set(range(pairs)) - set(seated)
        if night.format == "knock-out":
            missing = (1 << (len(left) - 1).bit_length()) - len(left)
            playing = left[missing:]
            expected = {frozenset((playing[i], playing[-1 - i])) for i in range(len(playing) // 2)}
            assert {frozenset(match) for match in tables} == expected
        else:
            assert len(absent) == pairs % 2
            order = sorted(range(pairs), key=lambda pair: (-victory[pair], -points[pair], lots[pair]))
            for pair in absent:
                byes[pair] += 1
                assert max(byes) - min(byes) <= 1
                victory[pair] += 10
            if night.format == "swiss":
                expected_tables = first_pairing([pair for pair in order if pair not in absent], met)
                if expected_tables is not None:
                    assert {frozenset(match) for match in tables} == {frozenset(pair) for pair in expected_tables}
        winner_of = {}
        for table, (first, second) in enumerate(tables):
            game = game_of(number, first, second, met[frozenset((first, second))])
            names = (nights.policies[first], nights.policies[second])
            result = replay(nights, names, game)
            place = (number, at, table)
            assert result == {
                "hands": played.hands[place], "misdeals": played.misdeals[place], "won": played.won[place],
                "points": played.match_points[place], "cappotto": played.cappotto[place],
            }  # fmt: skip
            earned = 9 + sum(low <= abs(result["points"]) for low in LOWEST[min(night.hands, 6)])
            mine = earned if result["points"] >= 0 else 20 - earned
            assert played.victory_points[place].tolist() == [mine, 20 - mine]
            victory[first], victory[second] = victory[first] + mine, victory[second] + 20 - mine
            points[first], points[second] = points[first] + result["points"], points[second] - result["points"]
            winner_of[frozenset((first, second))] = first if result["won"] > 0 else second
            assert night.format != "all play all" or frozenset((first, second)) not in met
            met[frozenset((first, second))] += 1
        if night.format == "knock-out":
            half = len(playing) // 2
            after = left[:missing] + [winner_of[frozenset((playing[i], playing[-1 - i]))] for i in range(half)]
            for pair in set(left) - set(after):
                places[pair] = len(after) + 1
            left = after
    if night.format != "knock-out":
        standings = list(zip(victory, points, strict=True))
        places = [1 + sum(other > mine for other in standings) for mine in standings]
        assert played.total_victory_points[number].tolist() == victory
    assert played.total_match_points[number].tolist() == points
    assert played.place[number].tolist() == places


@pytest.mark.parametrize(("text", "changes"), [
    ("6 pairs careful, 4 rounds of 4 hands, swiss", {}),
    ("2 pairs careful, 5 pairs greedy, 5 rounds of 2 hands, swiss", {"misdeals_lose": 3, "misdeal_count": 1}),
    ("1 pair careful, 4 pairs random, all play all, 7 hands a round", {}),
    ("5 pairs greedy, 6 pairs careful, knock-out, 1 hand a round", {}),
])  # fmt: skip
def test_the_referee_agrees(text: str, changes: dict[str, int]) -> None:
    night = Night.parse(text)
    nights = Nights(build("cirulla-online", changes=changes), night, night.policies(), seed=3)
    played = nights.play(0, 12)
    for number in range(12):
        check_night(nights, played, number)
    assert night.format != "knock-out" or (played.hands > night.hands).any()
    assert not changes or ((played.hands < night.hands) & (played.matches[..., 0] >= 0) & ~played.cappotto).any()
    assert night.format != "all play all" or played.cappotto.any()


@pytest.mark.parametrize(("hands", "points", "earned"), [
    (1, 0, 10), (1, 6, 15), (1, 9, 17), (2, 15, 18), (3, 21, 19), (4, 1, 10), (4, 2, 11), (4, 26, 19), (4, 27, 20),
    (5, 30, 20), (6, 2, 10), (6, 3, 11), (6, 32, 19), (6, 33, 20), (8, 33, 20), (24, 15, 14),
])  # fmt: skip
def test_victory_points_are_those_of_the_table(hands: int, points: int, earned: int) -> None:
    assert victory_scale(hands)[points] == earned


# ------------------------------------------------------------------------------------------------ chances


def columns(text: str, number: int, wanted: list[tuple[str, int | None]], rules: Rules = ONLINE, seed: int = 1):  # type: ignore[no-untyped-def]
    night = Night.parse(text)
    return night_columns(rules, night, night.policies("greedy"), seed, 0, number, wanted)


@pytest.mark.parametrize("text", [
    "6 pairs, 3 rounds of 1 hand, swiss", "5 pairs, all play all, 1 hand a round", "6 pairs, knock-out, 1 hand a round",
])  # fmt: skip
def test_equal_pairs_win_as_often(text: str) -> None:
    """With 6 pairs, 4,000 nights reveal a pair that wins a fifth of them with a power of 97% at a level of 1%."""
    number, pairs = 4_000, len(Night.parse(text).pairs)
    rest = (1 - 0.2) / 5
    noncentrality = number * ((0.2 - 1 / 6) ** 2 + 5 * (rest - 1 / 6) ** 2) * 6
    assert ncx2.sf(15.09, 5, noncentrality) > 0.97
    wanted = [("wins_night", pair) for pair in range(pairs)]
    found = columns(text, number, [*wanted, ("ties_night", None)])
    wins = [int(found[key].sum()) for key in wanted]
    assert sum(wins) + found["ties_night", None].sum() == number
    assert chisquare(wins).pvalue > 0.01


@pytest.mark.parametrize("text", ["1 pair careful, 3 pairs random, 3 rounds of 2 hands, swiss",
                                  "1 pair careful, 3 pairs random, knock-out, 2 hands a round"])  # fmt: skip
def test_the_stronger_pair_wins_more(text: str) -> None:
    found = columns(text, 400, [(name, pair) for name in ("wins_night", "place") for pair in range(4)])
    assert found["wins_night", 0].mean() > 0.6
    assert max(found["wins_night", pair].mean() for pair in (1, 2, 3)) < 0.3
    assert found["place", 0].mean() < 1.8


@pytest.mark.parametrize("text", [
    "1 pair careful, 6 pairs greedy, 3 rounds of 2 hands, swiss", "2 pairs careful, 2 pairs, all play all, 3 hands",
    "1 pair careful, 5 pairs, knock-out, 1 hand",
])  # fmt: skip
def test_chunks_do_not_matter(text: str) -> None:
    night = Night.parse(text)
    nights = Nights(ONLINE, night, night.policies("greedy"), 7)
    whole = nights.play(5, 40)
    parts = [nights.play(5, 1), nights.play(6, 12), nights.play(18, 27)]
    for name, array in whole._asdict().items():
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert (array.dtype, array.tobytes()) == (joined.dtype, joined.tobytes())


def test_formats_play_the_same_match_with_the_same_cards() -> None:
    texts = ("6 pairs greedy, 4 rounds of 2 hands, swiss", "6 pairs greedy, all play all, 2 hands")
    results: list[dict[tuple[int, ...], tuple[int, ...]]] = []
    for night in map(Night.parse, texts):
        played = Nights(ONLINE, night, night.policies(), 2).play(0, 5)
        at = [(int(number), *played.matches[number, *rest].tolist()) for number, *rest in np.ndindex(played.won.shape)]
        points = zip(played.match_points.ravel().tolist(), played.hands.ravel().tolist(), strict=True)
        results.append(dict(zip(at, points, strict=True)))
    swiss, all_matches = results
    assert len(swiss) == 5 * 4 * 3
    assert all(all_matches[key] == result for key, result in swiss.items())


def test_misdeals_in_a_row_are_as_frequent_as_they_must_be() -> None:
    rules = build("cirulla-online", changes={"all_diamonds": "none"})  # so that every match has all its hands
    number, hands = 4_000, 3 * 2 * 3
    misdeal = 1 - (comb(36, 4) + 4 * comb(36, 3)) / comb(40, 4)
    text = "4 pairs random, all play all, 3 hands a round"
    found = columns(text, number, [("misdeal_run", None), ("hands_played", None)], rules)
    assert set(found["hands_played", None]) == {hands}
    for length in (1, 2, 3):
        chance = 1 - (1 - misdeal**length) ** hands
        share = (found["misdeal_run", None] >= length).mean()
        assert abs(share - chance) < 3.3 * np.sqrt(chance * (1 - chance) / number), length


def test_an_night_lasts_as_long_as_the_longest_match_of_each_round() -> None:
    text = "4 pairs, knock-out, 1 hand a round, 4.5 minutes a hand"
    found = columns(text, 200, [("minutes", None), ("hands_played", None), ("tie_breaks", None)])
    quick = found["tie_breaks", None] == 0
    assert set(found["minutes", None][quick]) == {9}
    assert set(found["hands_played", None][quick]) == {3}
    assert quick.any()
    assert found["minutes", None].max() > 9


# ------------------------------------------------------------------------------------------------ functions


def test_the_vocabulary_has_the_functions() -> None:
    vocabulary = tomllib.loads((Path(played_night.__file__).parent / "vocabulary.toml").read_text("utf-8"))
    about = {name: entry.get("who") for name, entry in vocabulary.items() if entry["space"] == "night"}
    assert about == {
        **dict.fromkeys(OF_PAIR, "pair"), **dict.fromkeys(OF_NIGHT, None)
    }  # fmt: skip
    text = "3 pairs random, all play all, 1 hand a round, 5 minutes a hand"
    wanted = [(name, 0 if who else None) for name, who in about.items()]
    for (name, _), column in columns(text, 3, wanted).items():
        assert column.shape == (3,)
        assert column.dtype == (bool if vocabulary[name]["gives"] == "truth" else np.int64)


@pytest.mark.parametrize(("name", "pair", "text", "reason"), [
    ("win_night", 0, "4 pairs, knock-out, 1 hand", "did you mean 'wins_night'?"),
    ("place", 4, "4 pairs, knock-out, 1 hand", "pair '5' is not valid (valid: pair 1 to pair 4)"),
    ("place", None, "4 pairs, knock-out, 1 hand", "no pair"),
    ("minutes", None, "4 pairs, knock-out, 1 hand", "add: 5 minutes a hand"),
    ("victory_points", 0, "4 pairs, knock-out, 1 hand", "not decided by victory points"),
    ("hands_played", 0, "4 pairs, knock-out, 1 hand", "about no pair"),
    ("place", 0, "1 pair serch:16, 1 pair, knock-out, 1 hand", "--at: night: policy 'serch:16'"),
    ("place", 0, "2 pairs search+game, knock-out, 1 hand", "valid: search"),
])  # fmt: skip
def test_impossible_questions_are_refused(name: str, pair: int | None, text: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        columns(text, 1, [(name, pair)])
    assert reason in str(error.value)


def test_more_than_two_sides_are_refused() -> None:
    with pytest.raises(InputError, match="--at: night: a match is between two sides, and there are 3"):
        columns("4 pairs, knock-out, 1 hand", 1, [("place", 0)], build("cirulla", players=3))


def test_what_the_source_does_not_say_is_remarked() -> None:
    def remarks(text: str) -> str:
        night = Night.parse(text)
        return " ".join(Nights(ONLINE, night, night.policies()).remarks())

    assert remarks("8 pairs, 4 rounds of 6 hands, swiss") == ""
    assert "8 hands a round are those of 6 hands" in remarks("8 pairs, 4 rounds of 8 hands, swiss")
    assert "10 victory points" in remarks("7 pairs, all play all, 2 hands")
    assert "5 pairs, by lot, have a bye" in remarks("11 pairs, knock-out, 2 hands")
    assert "rematches" in remarks("4 pairs, 4 rounds of 2 hands, swiss")
