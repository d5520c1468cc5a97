"""Line-ups by name: every name means the same sides in every game, and texts parse back to what they are of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.line_up import LineUp, read_line_ups

TWO, THREE, PARTNERS = (build(players=players) for players in (2, 3, 4))
ALONE = build(players=4, changes={"partnership": False})
GAMES = {"two": TWO, "three": THREE, "partners": PARTNERS, "alone": ALONE}

POLICIES = st.sampled_from(["random", "greedy", "careful", "search:8", "search:8:search:4+game", "a b/my.py:best"])


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_the_canonical_text_parses_back_to_the_same_sides(game: str, data: st.DataObject) -> None:
    rules = GAMES[game]
    sides = tuple(data.draw(st.lists(POLICIES, min_size=rules.sides, max_size=rules.sides)))
    us = data.draw(st.none() | st.integers(0, rules.sides - 1))
    line_up = LineUp.of_sides(sides, rules, us)
    assert LineUp.parse(str(line_up)) == line_up == LineUp.from_json(line_up.as_json())
    assert line_up.by_side(rules, us) == sides
    again = LineUp.parse(str(line_up)).by_side(rules, us)
    assert LineUp.of_sides(again, rules, us) == line_up


@pytest.mark.parametrize(
    ("game", "text", "us", "sides"),
    [
        ("two", "dealer=a, others=b", None, "b a"),
        ("two", "us=a, them=b", 1, "b a"),
        ("partners", "dealer=a, others=b", None, "b a"),
        ("partners", "second=a, third=b", None, "b a"),
        ("partners", "partner=a, previous=b", 0, "a b"),
        ("three", "first=a, second=b, dealer=c", None, "a b c"),
        ("three", "us=a, them=b", 1, "b a b"),
        ("three", "me=a, next=b, previous=c", 1, "c a b"),
        ("alone", "me=a, partner=b, others=c", 3, "c b c a"),
    ],
)
def test_names_mean_sides(game: str, text: str, us: int | None, sides: str) -> None:
    assert LineUp.parse(text).by_side(GAMES[game], us) == tuple(sides.split())


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("two", "greedy,careful", "did you mean 'others=greedy, dealer=careful'?"),
        ("two", "delaer=a, others=b", "unknown side or seat 'delaer': did you mean 'dealer'?"),
        ("two", "dealer=a", "leaves out a side (add others=careful)"),
        ("two", "dealer=a, dealer=b", "names 'dealer' twice"),
        ("two", "dealer=a, first=b, others=c", "leaves nobody for 'others'"),
        ("two", "us=a, them=b", "who is 'us'? (add where you sit, as --me dealer"),
        ("partners", "first=a, third=b, others=c", "gives one side two policies"),
        ("three", "partner=a, others=b", "there is no 'partner' among 3"),
    ],
)
def test_what_names_nobody_is_refused_in_one_line(game: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        LineUp.parse(text).by_side(GAMES[game], 0 if "partner" in text else None)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_equal_line_ups_in_other_words_are_one() -> None:
    with pytest.raises(InputError, match="is named twice"):
        read_line_ups(["dealer=a, others=b", "first=b, dealer=a"], TWO)
