"""A night that people play: its draws and standings against simulated nights, its results against source 002."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments.club_match import Match, score
from cirulla_sim.experiments.club_night import ClubNight, at_text, forecast_questions
from cirulla_sim.experiments.night_standings import victory_scale
from cirulla_sim.experiments.nights import Nights
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.night import Night
from cirulla_sim.situation.notation import Situation

NAMES = [f"Pair {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def club(pairs: int = 4, kind: str = "swiss", **given: object) -> ClubNight:
    return ClubNight.of(NAMES[:pairs], kind, **{"hands": 4, "rounds": 3} | given)  # type: ignore[arg-type]


def at_round(night: ClubNight, number: int, *results: str) -> ClubNight:
    """The night with results at the first tables of a round."""
    for table, result in enumerate(results, 1):
        night = night.with_result(number, table, result)
    return night


# ------------------------------------------------------------------------------------------------ simulated nights


@pytest.mark.parametrize(("text", "changes"), [
    ("6 pairs, 4 rounds of 4 hands, swiss", {}), ("7 pairs, 5 rounds of 2 hands, swiss", {}),
    ("5 pairs, all play all, 7 hands a round", {}), ("4 pairs, all play all, 1 hand a round", {"misdeal_count": 1}),
    ("11 pairs, knock-out, 1 hand a round", {}), ("8 pairs, knock-out, 2 hands a round", {}),
])  # fmt: skip
def test_people_get_the_draws_and_standings_of_a_simulated_night(text: str, changes: dict[str, int]) -> None:
    """Night number 0 of each seed, its results typed in match by match."""
    simulated = Night.parse(text)
    ties = 0
    for seed in range(1, 13):
        nights = Nights(build("cirulla-online", changes=changes), simulated, simulated.policies("greedy"), seed)
        played = nights.play(0, 1)
        night = ClubNight(simulated, tuple(NAMES[: len(simulated.pairs)]), seed)
        for number in range(simulated.rounds):
            night = night.drawn()
            tables = [table for table in played.matches[0, number].tolist() if table[0] >= 0]
            assert [list(match.pairs) for match in night.rounds[number]] == tables
            for table, pairs in enumerate(tables):
                place = (0, number, table)
                margin, won = int(played.match_points[place]), int(played.won[place])
                winner = pairs[0] + 1 if won > 0 else pairs[1] + 1
                result = f"{20 + margin}-20" if margin > -20 else f"0-{-margin}"
                if played.cappotto[place]:
                    result = f"cappotto {winner}"
                elif margin == 0 and simulated.format == "knock-out":
                    result, ties = f"20-20 tie-break {winner}", ties + 1
                night = night.with_result(number + 1, table + 1, result)
                earned = night.score(night.rounds[number][table])
                assert earned.victory_points == tuple(played.victory_points[place].tolist())
                assert earned.match_points == (margin, -margin)
                assert earned.winner == {1: 0, 0: None, -1: 1}[won]
        assert night.over
        by_pair = sorted(night.standings(), key=lambda line: line.pair)
        assert [line.place for line in by_pair] == played.place[0].tolist()
        assert [line.victory_points for line in by_pair] == played.total_victory_points[0].tolist()
        assert [line.match_points for line in by_pair] == played.total_match_points[0].tolist()
        assert ClubNight.from_text(night.to_text()) == night


def test_the_third_hand_of_a_tie_break_may_be_won_by_the_last_capture() -> None:
    """002, "Parità": level after three hands more, and yet somebody goes on."""
    night = club(4, "knock-out").drawn()
    (winner, loser), (third, _) = (match.pairs for match in night.rounds[0])
    night = at_round(night, 1, f"20-20 tie-break {winner + 1}", "3-2")
    assert set(night.drawn().rounds[1][0].pairs) == {winner, third}
    assert {line.pair: line.place for line in night.standings()}[loser] == 3


# ------------------------------------------------------------------------------------------------ source 002


@pytest.mark.parametrize(("hands", "result", "points", "victory"), [
    (1, (7, 7), (0, 0), (10, 10)), (1, (14, 8), (6, -6), (15, 5)), (1, (20, 3), (17, -17), (17, 3)),
    (2, (18, 3), (15, -15), (18, 2)), (3, (10, 31), (-21, 21), (1, 19)), (4, (21, 20), (1, -1), (10, 10)),
    (4, (40, 13), (27, -27), (20, 0)), (5, (30, 1), (29, -29), (19, 1)), (6, (0, 33), (-33, 33), (0, 20)),
])  # fmt: skip
def test_victory_points_are_those_of_the_table(
    hands: int, result: tuple[int, int], points: tuple[int, int], victory: tuple[int, int]
) -> None:
    """002, "Tabella dei Victory Points", the columns of smazzate."""
    assert score(Match((3, 5), result), victory_scale(hands).tolist())[:2] == (points, victory)


@pytest.mark.parametrize(("hands", "points", "victory"), [(1, 9, 17), (2, 15, 18), (3, 21, 19), (4, 27, 20)])
def test_a_cappotto_is_worth_the_most_victory_points_and_the_least_match_points_for_them(
    hands: int, points: int, victory: int
) -> None:
    """002, "Conclusione per Cappotto", whatever the points until then."""
    for by, sign in ((3, 1), (5, -1)):
        earned = score(Match((3, 5), (4, 20), "cappotto", by), victory_scale(hands).tolist())
        assert earned.match_points == (sign * points, -sign * points)
        assert earned.victory_points == ((victory, 20 - victory) if sign > 0 else (20 - victory, victory))
        assert earned.winner == (0 if sign > 0 else 1)


@pytest.mark.parametrize(("result", "points", "victory"), [
    (None, (-27, 10), (0, 14)), ((30, 5), (-27, 10), (0, 14)), ((5, 15), (-27, 10), (0, 14)),
    ((5, 18), (-27, 13), (0, 15)), ((5, 40), (-27, 27), (0, 20)),
])  # fmt: skip
def test_who_leaves_gets_nothing_and_the_others_at_least_fourteen(
    result: tuple[int, int] | None, points: tuple[int, int], victory: tuple[int, int]
) -> None:
    """002, "Calcolo dei VP e MP in caso di Timeout o abbandono", four hands; 14 to 6 begins at 10 match points."""
    scale = victory_scale(4).tolist()
    assert score(Match((3, 5), result, "left", 3), scale) == (points, victory, 1)
    swapped = None if result is None else result[::-1]
    assert score(Match((5, 3), swapped, "left", 3), scale) == (points[::-1], victory[::-1], 0)


def test_a_night_typed_in_by_hand() -> None:
    """Three pairs, each with a bye of 10 victory points, added up with pencil and paper."""
    night = club(3, "all play all")
    for number, result in ((1, "28-15"), (2, "20-20"), (3, "cappotto {0}")):
        night = night.drawn()
        [match] = night.rounds[-1]
        [bye] = night.byes(number)
        assert {*match.pairs, bye} == {0, 1, 2}
        night = night.with_result(number, 1, result.format(match.pairs[0] + 1))
    (a, b), (c, d), (e, f) = (matches[0].pairs for matches in night.rounds)
    victory, points = [10, 10, 10], [0, 0, 0]
    for pair, earned, margin in ((a, 15, 13), (b, 5, -13), (c, 10, 0), (d, 10, 0), (e, 20, 27), (f, 0, -27)):
        victory[pair], points[pair] = victory[pair] + earned, points[pair] + margin
    lines = night.standings()
    assert [(line.victory_points, line.match_points) for line in lines] == sorted(
        zip(victory, points, strict=True), reverse=True
    )
    assert {line.pair: (line.victory_points, line.byes, line.played) for line in lines} == {
        pair: (victory[pair], 1, 2) for pair in range(3)
    }
    assert sum(line.won for line in lines) == sum(line.lost for line in lines) == 2
    assert sum(line.drawn for line in lines) == 2


def test_level_pairs_are_placed_by_match_points_and_share_a_place() -> None:
    night = at_round(club(4).drawn(), 1, "21-20", "20-20")  # all 10 victory points
    winner, loser = night.rounds[0][0].pairs
    places = {line.pair: line.place for line in night.standings()}
    assert places[winner] == 1
    assert places[loser] == 4
    assert sorted(places.values()) == [1, 2, 2, 4]


# ------------------------------------------------------------------------------------------------ corrections, text


def test_a_corrected_result_keeps_the_draw_of_a_swiss_and_not_that_of_a_knock_out() -> None:
    swiss = at_round(club(4).drawn(), 1, "30-10", "30-10").drawn()
    corrected = swiss.with_result(1, 1, "10-30")
    assert corrected.rounds[1] == swiss.rounds[1]
    assert corrected.standings() != swiss.standings()
    knock_out = at_round(club(4, "knock-out").drawn(), 1, "30-10", "30-10").drawn()
    assert knock_out.with_result(1, 1, "29-10").rounds[1] == knock_out.rounds[1]
    with pytest.raises(InputError, match="round 2: its tables are not those drawn"):
        knock_out.with_result(1, 1, "10-30")
    again = knock_out.undrawn().with_result(1, 1, "10-30").drawn()
    assert set(again.rounds[1][0].pairs) != set(knock_out.rounds[1][0].pairs)


@st.composite
def club_nights(draw: st.DrawFn) -> ClubNight:
    """Any night, played for a while."""
    pairs, kind = draw(st.integers(2, 9)), draw(st.sampled_from(["swiss", "all play all", "knock-out"]))
    night = club(pairs, kind, seed=draw(st.integers(0, 2**64 - 1)), minutes=draw(st.sampled_from(["", "4.5", "0.125"])))
    for number in range(draw(st.integers(0, night.night.rounds))):
        night = night.drawn()
        if number + 1 == night.night.rounds and draw(st.booleans()):
            break
        for table, match in enumerate(night.rounds[-1], 1):
            first, second = draw(st.integers(0, 60)), draw(st.integers(0, 60))
            by = draw(st.sampled_from(match.pairs)) + 1
            if first == second and kind == "knock-out":
                ways = [f"tie-break {by}", f"left {by}"]
            else:
                ways = ["", f"cappotto {by}", f"left {by}"]
            night = night.with_result(number + 1, table, f"{first}-{second} {draw(st.sampled_from(ways))}")
    return night


@settings(max_examples=60, deadline=None)
@given(club_nights())
def test_reading_undoes_writing(night: ClubNight) -> None:
    assert ClubNight.from_text(night.to_text()) == night
    assert ClubNight.of(**night.arguments()) == night
    lines = night.standings()
    assert sorted(line.pair for line in lines) == list(range(len(night.names)))
    for line in lines:
        assert line.played == line.won + line.drawn + line.lost


@pytest.mark.parametrize(("given", "reason"), [
    ({"pairs": "Anna"}, "--pairs: 1 names are not valid (valid: 2 to 64"),
    ({"pairs": "\n".join(map(str, range(65)))}, "--pairs: 65 names"),
    ({"pairs": "Anna\nBruno\nanna"}, "--pairs 'anna' is named twice"),
    ({"pairs": "Anna\n" + "x" * 41}, "--pairs 'xxx"), ({"pairs": "Anna\nBru\x1bno"}, "--pairs 'Bru"),
    ({"pairs": "Anna\nBruno = carefull"}, "--pairs: unknown strength 'carefull': did you mean 'careful'?"),
    ({"pairs": "Anna\nBruno = policy.py:play"}, "unknown strength 'policy.py:play'"),
    ({"format": "swis"}, "--format: unknown format of a night 'swis': did you mean 'swiss'?"),
    ({"hands": "25"}, "--hands '25' is out of range"), ({"hands": ""}, "--hands '' is not a number"),
    ({"rounds": "21"}, "--rounds '21' is out of range"), ({"rounds": None}, "--rounds '' is not a number"),
    ({"minutes": "soon"}, "--minutes 'soon' is not valid (valid: up to 120, as 4.5)"), 
    ({"minutes": "0"}, "--minutes '0'"), ({"seed": "-1"}, "--seed '-1'"),
    ({"played": ["1-2 3"]}, "--played: round 1: '1-2 3' is not valid (valid: as 28-15"),
    ({"played": ["1-2 30-20; 1-3 20-10"]}, "round 1: a pair is at two tables"),
    ({"played": ["1-2 30-20; 3-9 20-10"]}, "round 1: '3-9 20-10' is no table (valid: two of the pairs 1 to 4)"),
    ({"played": ["1-2 30-20; 3-4 20-10 cappotto 1"]}, "pair 1 is not at the table (valid: 3 or 4)"),
    ({"played": ["1-2 30-20"]}, "round 1: 1 tables are not valid (valid: 2)"),
    ({"played": ["1-2 30-501; 3-4"]}, "points up to 500"),
    ({"played": ["1-2 30-20; 3-4", "1-4; 2-3"]}, "round 1: a result is missing"),
    ({"played": ["1-2 20-20 tie-break 1; 3-4"]}, "a tie-break is of a drawn match of a knock-out"),
    ({"played": ["1-2; 3-4"] * 4}, "round 4: there are 3 rounds"),
    ({"format": "all play all", "played": ["1-2; 3-4"]}, "round 1: its tables are not those drawn"),
])  # fmt: skip
def test_refusals_are_one_line(given: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError) as error:
        ClubNight.of(**{"pairs": NAMES[:4], "format": "swiss", "rounds": 3, "hands": 4} | given)  # type: ignore[arg-type]
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_a_drawn_match_of_a_knock_out_needs_a_winner() -> None:
    with pytest.raises(InputError, match="is drawn"):
        club(2, "knock-out").drawn().with_result(1, 1, "20-20")


def test_rounds_are_drawn_in_turn() -> None:
    night = club(4).drawn()
    with pytest.raises(InputError, match="round 2: round 1 has no result at some table"):
        night.drawn()
    for number in (1, 2, 3):
        night = at_round(night, number, "9-3", "3-9")
        night = night if number == 3 else night.drawn()
    assert night.over
    with pytest.raises(InputError, match="there are 3 rounds"):
        night.drawn()


def damaged(text: str) -> Iterator[str]:
    """Texts of files that are no nights."""
    good = json.loads(text)
    yield from ("", "[]", "null", "{}", "[" * 50_000, "x" * 200_000, text[:-5], '"night"')
    yield from (json.dumps({name: x for name, x in good.items() if name != left_out}) for left_out in good)
    for name in good:
        for value in (None, 3, 1e400, True, {}, [["x"]], [3], "x" * 1000, {"file": "../../etc/passwd"}):
            if value != good[name]:
                yield json.dumps(good | {name: value})
    yield json.dumps(good | {"more": 1})


def test_files_of_strangers_are_refused_in_one_line() -> None:
    text = at_round(club(4).drawn(), 1, "9-3").to_text()
    assert ClubNight.from_text(text).to_text() == text
    harmless = {"seed", "hands", "rounds"}  # of which 3 is valid
    harmless = {"seed", "hands", "rounds"}  # of which 3 is valid
    refused = 0
    for bad in damaged(text):
        message = refusal(bad)
        if message is None:
            assert {name for name, x in json.loads(bad).items() if json.loads(text)[name] != x} <= harmless
        else:
            refused += 1
            assert "\n" not in message
            assert len(message) < 400
    assert refused > 80


def refusal(text: str) -> str | None:
    """Why a text is no night, None if it is one."""
    try:
        ClubNight.from_text(text)
    except InputError as error:
        return str(error)
    return None


# ------------------------------------------------------------------------------------------------ the forecast


@pytest.mark.parametrize(("kind", "minutes"), [("swiss", "5"), ("knock-out", "5"), ("all play all", "")])
def test_every_question_of_a_forecast_is_valid(kind: str, minutes: str) -> None:
    night = ClubNight.of(
        "Anna = random\nBruno = greedy\nCarla = greedy", kind, rounds=3, hands=1, minutes=minutes
    ).night
    questions = forecast_questions(night)
    assert Situation.parse(at_text(night)).night == night
    found = cs.odds(questions, at=at_text(night), hands=50, progress=False).frame
    assert set(found["quantity"]) == set(questions)
    assert questions[:2] == ("wins_night(pair 1)", "wins_night(pair 2)")
    assert not any("pair 3" in question for question in questions)
    assert ("ties_night" in questions) == (kind != "knock-out")
    assert ("mean(minutes)" in questions) == bool(minutes)
