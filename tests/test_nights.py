"""Nights: their notation, nights played against a referee in plain Python, and formats compared on the same nights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import play_rows, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.nights import Nights, PlayedNights, _draws, match_number, nights_of
from cirulla_sim.reporting.result import Result
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.night import FORMATS, Night, rounds_needed
from cirulla_sim.situation.notation import Situation

ONLINE = build("cirulla-online")

# ------------------------------------------------------------------------------------------------ notation


@st.composite
def nights(draw: st.DrawFn) -> Night:
    """Any night that can be written."""
    groups = st.tuples(st.sampled_from([None, "careful", "search:16", "greedy"]), st.integers(1, 9))
    pairs = tuple(policy for policy, n in draw(st.lists(groups, min_size=1, max_size=6)) for _ in range(n))
    pairs = pairs if len(pairs) > 1 else pairs * 2
    kind = draw(st.sampled_from(FORMATS))
    rounds = rounds_needed(len(pairs), kind) or draw(st.integers(1, 20))
    minutes = draw(st.none() | st.integers(1, 120_000).map(lambda thousandths: Fraction(thousandths, 1000)))
    return Night(pairs, kind, rounds, draw(st.integers(1, 24)), minutes)


@settings(max_examples=60, deadline=None)
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
    ("16 giocatori, a eliminazione diretta, 4 mani", "16 pairs, knock-out, 4 hands a round"),
])  # fmt: skip
def test_several_spellings_mean_the_same(written: str, canonical: str) -> None:
    assert str(Night.parse(written)) == canonical


@pytest.mark.parametrize(("written", "reason"), [
    ("8 pears, 4 rounds of 8 hands, swiss", "'8 pears': did you mean '8 pairs'?"),
    ("8 pairs, 4 rounds of 8 hands", "no format (add one of: swiss, all play all, knock-out)"),
    ("8 pairs, swiss, 21 rounds of 8 hands", "rounds '21' is not valid (valid: 1 to 20)"),
    ("8 pairs, all play all, 4 rounds of 8 hands", "play 7 rounds (leave the number of rounds out)"),
    ("8 pairs, swiss, 4 rounds of 8 hands; me: 7h", "cannot be combined with"),
])  # fmt: skip
def test_refusals_are_one_line(written: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        Situation.parse(f"night: {written}")
    assert str(error.value).startswith("--at: night: ")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------------------------ pairing


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


def check_night(nights: Nights, played: PlayedNights, number: int) -> None:
    night, pairs = nights.night, len(nights.policies)
    each = np.arange(pairs)
    lots = _draws(nights.seed, match_number(number, each, each, np.zeros(1, np.int64))).tolist()
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
            about = (number, *sorted((first, second)), met[frozenset((first, second))])  # the same in every format
            game = int(match_number(*(np.array([part]) for part in about))[0])
            result = replay(nights, (nights.policies[first], nights.policies[second]), game)
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
    played = nights.played(0, 12)
    for number in range(12):
        check_night(nights, played, number)
    assert night.format != "knock-out" or (played.hands > night.hands).any()
    assert not changes or ((played.hands < night.hands) & (played.matches[..., 0] >= 0) & ~played.cappotto).any()
    assert night.format != "all play all" or played.cappotto.any()


# ------------------------------------------------------------------------------------------------ chances


def columns(text: str, number: int, wanted: list[tuple[str, int | None]], rules: Rules = ONLINE, seed: int = 1):  # type: ignore[no-untyped-def]
    night = Night.parse(text)
    return nights_of(rules, night, night.policies("greedy"), seed).columns(0, number, wanted)


@pytest.mark.parametrize("text", ["5 pairs, all play all, 1 hand a round", "6 pairs, knock-out, 1 hand a round"])
def test_equal_pairs_win_as_often(text: str) -> None:
    """With 6 pairs, 4,000 nights reveal a pair that wins a fifth of them with a power of 97% at a level of 1%."""
    wanted = [("wins_night", pair) for pair in range(len(Night.parse(text).pairs))]
    found = columns(text, 4_000, [*wanted, ("ties_night", None)])
    wins = [int(found[key].sum()) for key in wanted]
    assert sum(wins) + found["ties_night", None].sum() == 4_000
    assert chisquare(wins).pvalue > 0.01


def test_what_is_asked_of_several_pairs_is_asked_of_each() -> None:
    options: dict[str, Any] = {
        "at": "night: 4 pairs, 3 rounds of 4 hands, round robin",
        "policy": "greedy",
        "hands": 300,
    }
    each = [f"undefeated(pair {number})" for number in range(1, 5)]
    questions = ["undefeated(somebody)", "undefeated(nobody)", "undefeated(everybody)", "matches_won(qualcuno) >= 3"]
    same = [" or ".join(each), f"not ({' or '.join(each)})", " and ".join(each),
            " or ".join(f"matches_won(pair {number}) >= 3" for number in range(1, 5))]  # fmt: skip
    frame = cs.odds([*questions, *same], progress=False, **options).frame["estimate"].to_list()
    assert frame[:4] == frame[4:]
    assert 0 < frame[0] < 1
    with pytest.raises(InputError, match=r"valid: place\(somebody\) >= 3\)"):
        cs.odds("mean(place(somebody))", **options)


def test_a_night_lasts_as_long_as_the_longest_match_of_each_round() -> None:
    text = "4 pairs, knock-out, 1 hand a round, 4.5 minutes a hand"
    found = columns(text, 200, [("minutes", None), ("hands_played", None), ("tie_breaks", None)])
    quick = found["tie_breaks", None] == 0
    assert set(found["minutes", None][quick]) == {9}
    assert set(found["hands_played", None][quick]) == {3}
    assert found["minutes", None].max() > 9


# ------------------------------------------------------------------------------------------------ formats compared

PAIRS = "1 pair careful, 3 pairs random"
SWISS = f"night: {PAIRS}, 3 rounds of 2 hands, swiss, 4 minutes a hand"
ALL = f"night: {PAIRS}, all play all, 2 hands a round, 4 minutes a hand"
ONE_HAND = f"night: {PAIRS}, all play all, 1 hand a round, 4 minutes a hand"
QUESTIONS = {
    "wins_night": "wins_night(pair 1)", "ties_night": "ties_night", "undefeated": "undefeated(pair 1)",
    "misdeal_run_3": "misdeal_run >= 3", "hands_played": "mean(hands_played)", "minutes": "mean(minutes)",
    "cappotti": "mean(cappotti)",
}  # fmt: skip


def compare(*against: str, at: str = SWISS, **options: Any) -> Result:
    return cs.compare(at=at, against=against or ONE_HAND, progress=False, **{"hands": 400, "players": 2, **options})


def format_of(text: str) -> str:
    return Night.parse(text.removeprefix("night: ")).format_text()


@pytest.fixture(scope="module")
def result() -> Result:
    return compare(ALL, ONE_HAND)


def test_levels_are_the_answers_of_odds(result: Result) -> None:
    answers = cs.odds([*QUESTIONS.values()], at=ONE_HAND, players=2, hands=400, progress=False).frame
    levels = result.frame.filter(pl.col("kind") != "difference", rules=format_of(ONE_HAND))
    assert levels["quantity"].to_list() == [*QUESTIONS]
    for name in ("estimate", "std_error", "ci_low", "ci_high"):
        assert levels[name].to_list() == pytest.approx(answers[name].to_list()), name


def test_differences_are_those_of_single_nights(result: Result) -> None:
    wanted = [("wins_night", 0), ("hands_played", None), ("minutes", None), ("cappotti", None)]
    base, other = (
        nights_of(build(players=2), night, night.policies(), 1).columns(0, 400, wanted)
        for night in (Night.parse(text.removeprefix("night: ")) for text in (SWISS, ONE_HAND))
    )
    for name, pair in wanted:
        apart = other[name, pair].astype(float) - base[name, pair]
        row = result.frame.filter(rules=format_of(ONE_HAND), quantity=name, kind="difference").row(0, named=True)
        assert row["estimate"] == pytest.approx(apart.mean())
        assert row["std_error"] == pytest.approx(apart.std(ddof=1) / np.sqrt(400))
        spread = np.hypot(base[name, pair].std(), other[name, pair].std())
        assert row["gain"] is None or row["gain"] == pytest.approx(spread / apart.std())


def test_formats_with_the_same_matches_do_not_differ(result: Result) -> None:
    """Three rounds of a Swiss of four pairs are every match once; minutes alone change nothing else, exactly."""
    rows = result.frame.filter(rules=format_of(ALL), kind="difference")
    same = rows.filter(pl.col("quantity").is_in(["wins_night", "ties_night", "undefeated", "hands_played"]))
    assert same["estimate"].to_list() == [0, 0, 0, 0]
    assert same["ci_low"].max() < 0 < same["ci_high"].min()  # type: ignore[operator]
    frame = compare(SWISS.replace("4 minutes", "5 minutes"), hands=20).frame.filter(kind="difference")
    others = frame.filter(pl.col("quantity") != "minutes")
    assert (set(others["exact"]), set(others["p_holm"])) == ({"0"}, {None})
    minutes = frame.filter(quantity="minutes").row(0, named=True)
    assert (minutes["estimate"], minutes["exact"]) == (pytest.approx(6), None)


def test_quantities_that_a_format_does_not_have_are_left_out_of_all() -> None:
    knock_out = compare(f"night: {PAIRS}, knock-out, 2 hands a round", hands=5)
    assert set(knock_out.frame["quantity"]) == {*QUESTIONS} - {"ties_night", "minutes"}
    assert any("Minutes are left out" in remark for remark in knock_out.remarks)
    assert set(compare(ALL, rule="all_diamonds=none", hands=5).frame["quantity"]) == {*QUESTIONS} - {"cappotti"}


def test_the_policy_is_that_of_pairs_without_one() -> None:
    named, default = (
        compare(ONE_HAND.replace(pairs, own), at=SWISS.replace(pairs, own), hands=40, policy=policy)
        for pairs, own, policy in (("random", "greedy", "careful"), (" random", "", "greedy"))
    )
    assert named.frame.equals(default.frame)
    assert (named.metadata["policies"], default.metadata["policies"]) == ([], ["greedy"])
    assert "1 pair (careful), 3 pairs (greedy)." in default.text()


@pytest.mark.parametrize(("options", "part"), [
    ({"against": ()}, "nothing to compare with (add: --against 'night: 1 pair careful, 3 pairs random, knock-out, 2"),
    ({"against": "scopa"}, "--against 'scopa' cannot be compared with a night"),
    ({"against": ALL.replace("3 pairs", "4 pairs")}, "its pairs are not those of --at (valid: '1 pair careful"),
    ({"house": "no-matta"}, "--house 'no-matta' cannot be combined with nights"),
    ({"policy": "greedy"}, "--policy 'greedy': every pair of --at has a policy"),
    ({"players": 3}, "a match is between two sides, and there are 3"),
])  # fmt: skip
def test_invalid_comparisons_are_refused_in_one_line(options: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError) as error:
        cs.compare(**{"at": SWISS, "against": ALL, "hands": 5, "players": 2, "progress": False, **options})
    assert part in str(error.value)
    assert "\n" not in str(error.value)
