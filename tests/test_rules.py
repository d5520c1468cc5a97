"""Rules: the catalogue, written down here independently, against the data of the package."""

from __future__ import annotations

import itertools
import re
from dataclasses import FrozenInstanceError, asdict, fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rule_values import OF_THE_DEAL, PLANS, values_of

from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.catalogue import (
    catalogue,
    check,
    cited,
    format_value,
    house_fields,
    preset_names,
    says,
    valid_values,
)
from cirulla_sim.ruleset.presets import build, command_words, sources
from cirulla_sim.ruleset.rule_set import RuleSet, choose
from cirulla_sim.ruleset.rules_model import Rules

NEVER = ["", "maybe", "5\n1", "nan", -1, 1001, 1.5, (), (0, 9), ("sum", "sum"), {}]
"""What no field may be."""

FIELDS = [field.name for field in fields(Rules)]

SCOPA = {
    "players": 2, "partnership": False, "deal_plan": (3,) * 6, "matta": None, "table_15": 0, "table_30": 0,
    "hand_low": 0, "hand_triple": 0, "ace_sweep": False, "misdeal_rank": "K", "misdeal_dealer": "next",
    "capture_by": ("equal", "sum"), "equal_first": True, "grande": 0, "piccola_max": 0, "all_diamonds": "none",
    "target": 11,
}  # fmt: skip
TEAM = {name: value for name, value in SCOPA.items() if name not in ("players", "partnership", "deal_plan")}
ACES = {"ace_choice": "sweep", "ace_blocked": "ace_only"}

# preset: (seats it allows, source, fields in which it differs from Rules())
PRESETS = {
    "cirulla": ([2, 3, 4], "000", {}),
    "cirulla-tournament": (
        [2, 3, 4], "000", {"misdeal_three_equal": True, "misdeals_lose": 3, "table_four_equal_wins": True}),
    "cirulla-online": (
        [2, 3, 4], "002", {"matta_low": "ace", "matta_on_table": "reverts", "hands_tie": "draw", **ACES}),
    "cirulla-parlett": ([2, 3, 4], "004", {"misdeal_redeal": "table", "capture_optional": True, "piccola_max": 10}),
    "cirulla-catsatcards": ([2, 3, 4], "003", {"ace_blocked": "ace_only"}),
    "cirulla-dossena": (
        [2, 3, 4], "000",
        {"table_15": 0, "table_low": 1, "hand_low": 1, "hand_triple": 2, "hand_both": 3, "piccola_max": 5,
         "grande_extended": True}),
    "cirulla-fantini": ([2, 3, 4], "000", {"table_low": 3}),
    "cirullone": ([4], "001", {"deal_plan": (9,), "show_bonus": "at_once", **ACES}),
    "cirullone-9": ([4], "000", {"deal_plan": (9,), "target": 101}),
    "cirullone-6-3": ([4], "000", {"deal_plan": (6, 3), "target": 101}),
    "cirullone-3-6": ([4], "000", {"deal_plan": (3, 6), "target": 101}),
    "cirullone-rivarolo": ([4], "000", {"deal_plan": (3, 6), "target": 101, "bonus_cards_first": False}),
    "cirullone-catsatcards": ([4], "003", {"deal_plan": (9,), "ace_blocked": "ace_only", "target": 101}),
    "scopa": ([2, 3, 4], "003", SCOPA),
    "scopa-team": ([4], "003", TEAM),
    "scopa-assi": ([2, 3, 4], "003",
                   {**{k: v for k, v in SCOPA.items() if k != "ace_sweep"}, "ace_blocked": "ace_only",
                    "ace_sweep_scopa": False}),
    "scopa-quindici": ([2, 3, 4], "003", {**SCOPA, "capture_by": ("fifteen",)}),
    "escoba": (
        [2, 3, 4], "012",
        {**SCOPA, "capture_by": ("fifteen",), "misdeal_count": 0, "capture_optional": True, "primiera": "sevens",
         "target": 21}),
    "scopone": ([4], "003", {**TEAM, "deal_plan": (9,)}),
    "scopone-scientifico": (
        [4], "003", {**TEAM, "deal_plan": (10,), "table_cards": 0, "misdeal_count": 0, "last_card_scopa": True}),
}  # fmt: skip

HOUSES = {name: {field: check(field, value) for field, value in spec["fields"].items()}
          for name, spec in catalogue()["house"].items()}  # fmt: skip


def valid_fields(players: int = 4) -> st.SearchStrategy[dict]:
    """Random changes of any fields, with a deal that is possible for this number of players."""
    free = {name: st.sampled_from(values_of(name)) for name in FIELDS if name not in OF_THE_DEAL}
    deal = {
        "deal_plan": st.sampled_from(PLANS[players]),
        "partnership": st.booleans() if players == 4 else st.just(False),
    }
    return st.fixed_dictionaries({}, optional=free | deal)


def test_dataclass_and_data_file_have_the_same_fields():
    assert set(FIELDS) == set(catalogue()["field"])
    assert build() == build("cirulla") == Rules()


# Source: fields and values that it must not be cited for, since it has them another way.
NOT_BY = {
    "001": {"deal_plan": (3, 3, 3), "ace_choice": "free", "ace_blocked": "ace_or_fifteen", "target": 101},
    "002": {"matta_low": "choose", "matta_on_table": "keeps", "ace_choice": "free", "ace_blocked": "ace_or_fifteen",
            "knockout_tiebreak": False},
    "003": {"ace_blocked": "ace_or_fifteen", "capture_optional": True},
    "004": {"misdeal_redeal": "all", "capture_optional": False, "piccola_max": 6, "ace_blocked": "ace_only"},
}  # fmt: skip


def numbers_in(source: str) -> set[str]:
    return set(re.findall(r"\b\d{3}\b", source))


def test_every_value_has_existing_sources():
    known_sources = set(catalogue()["sources"])
    for field, spec in catalogue()["field"].items():
        for value, source in spec["source"].items():
            assert format_value(check(field, value)) == value, (field, value)
            unknown = numbers_in(source) - known_sources or not numbers_in(source)
            assert not unknown, (
                f"ruleset/rules.toml: [field.{field}] source.{value} is in no entry of [sources]: {source!r}"
            )
    played = [build(name, players=n) for name, (seats, _, _) in PRESETS.items() for n in seats]
    for rules in [*played, *(build(houses=[name]) for name in HOUSES)]:
        for field, value in asdict(rules).items():
            lacks = f"ruleset/rules.toml: [field.{field}] lacks source.{format_value(value)}, which a preset plays"
            assert cited(field, value) != "no source", lacks
    assert cited("target", 76) == "no source"


def test_no_source_is_cited_for_two_values_of_a_field():
    for source, values in NOT_BY.items():
        for field, value in values.items():
            assert source not in numbers_in(cited(field, value)), (source, field)


def test_presets_and_house_rules_are_taken_from_sources_that_have_their_values():
    data = catalogue()
    for kind in ("preset", "house"):
        for name, spec in data[kind].items():
            fields = house_fields([name]) if kind == "house" else spec.get("fields", {})
            for field, value in fields.items():
                citing = numbers_in(cited(field, check(field, value)))
                assert numbers_in(spec["source"]) & citing, (name, field)


def test_presets_agree_with_the_catalogue_in_changes_and_seats():
    assert preset_names() == list(PRESETS)
    for name, (seats, source, changes) in PRESETS.items():
        spec = catalogue()["preset"][name]
        assert build(name).differences(Rules()) == changes, name
        assert spec["seats"] == seats, name
        assert spec["source"].startswith(source), name
        for count in (2, 3, 4):
            if count in seats:
                assert build(name, players=count).players == count
            else:
                with pytest.raises(InputError, match=rf"players '{count}' .*'{name}' \(valid: 4\)"):
                    build(name, players=count)


@pytest.mark.parametrize(("players", "plan", "sides"), [(2, (3,) * 6, 2), (3, (3,) * 4, 3), (4, (3, 3, 3), 2)])
def test_the_deal_follows_the_players(players, plan, sides):
    rules = build("cirulla", players=players)
    assert (rules.deal_plan, rules.partnership, rules.sides) == (plan, players == 4, sides)
    assert [rules.side(seat) for seat in range(players)] == [seat % sides for seat in range(players)]
    assert rules.dealer_side == rules.side(players - 1)
    assert build("scopa", players=players).partnership is False


def test_house_rules_change_their_fields_and_nothing_else():
    for preset, (name, changes) in itertools.product(PRESETS, HOUSES.items()):
        base, changed = build(preset), build(preset, houses=[name])
        assert {f: getattr(changed, f) for f in changes} == changes
        assert set(changed.differences(base)) <= set(changes)


def test_house_rules_conflict_only_if_they_set_a_field_differently():
    for first, second in itertools.permutations(HOUSES, 2):
        common = {f for f in HOUSES[first] if f in HOUSES[second] and HOUSES[first][f] != HOUSES[second][f]}
        if not common:
            assert build(houses=[first, second]) == build(houses=[second, first])
            continue
        with pytest.raises(InputError, match="clash") as error:
            build(houses=[first, second])
        assert all(f"{word!r}" in str(error.value) for word in (first, second))
        assert common.pop() in str(error.value)


@pytest.mark.parametrize("name", FIELDS)
def test_every_valid_value_is_accepted_as_value_and_text_and_has_a_sentence(name):
    valid = values_of(name)
    sentences = {}
    for value in valid:
        assert check(name, value) == value
        assert type(check(name, value)) is type(value)
        assert check(name, format_value(value)) == value
        sentence = says(name, value, Rules())
        assert "{" not in sentence
        assert "None" not in sentence
        assert sentence.endswith(".")
        assert sentence[:1].isupper() or sentence[:1].isdigit()
        sentences[value] = sentence
    assert len(set(sentences.values())) == len(valid), "different values read differently"


@pytest.mark.parametrize("name", FIELDS)
def test_every_other_value_is_refused_in_one_line_that_names_quotes_and_lists(name):
    spec = catalogue()["field"][name]
    numbers = spec.get("numbers", [0])
    between = [n for n in range(min(numbers), max(numbers)) if n not in numbers]
    never = [value for value in NEVER if name != "scoring" or value]
    for value in [*never, *between, 1 if spec.get("kind") == "bool" else True]:
        with pytest.raises(InputError) as error:
            check(name, value)
        message = str(error.value)
        assert message.startswith(f"{name} {format_value(value)!r} is not valid (valid: ")
        assert valid_values(name) in message
        assert len(valid_values(name)) > 2
        assert "\n" not in message


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"deal_plan": (3, 3)}, ["deal_plan '3,3'", "28 cards", "40", "each player gets 9"]),
        ({"deal_plan": (10,)}, ["deal_plan '10'", "44 cards"]),
        ({"deal_plan": (10**30,)}, ["deal_plan", "up to 6 stages of 1 to 10 cards"]),
        ({"table_cards": 0}, ["deal_plan '3,3,3'", "each player gets 10"]),
        ({"players": 3, "partnership": True}, ["partnership 'true'", "players 4, not 3", "valid with 3: false"]),
        ({"players": 3, "deal_plan": (3, 3, 3)}, ["deal_plan '3,3,3'", "3 players", "each player gets 12"]),
        ({"taget": 26}, ["unknown field 'taget'", "did you mean 'target'?"]),
    ],
)
def test_rules_that_cannot_be_dealt_are_refused(changes, fragments):
    with pytest.raises(InputError) as error:
        build(changes=changes)
    for fragment in fragments:
        assert fragment in str(error.value)


def test_rules_are_frozen_hashable_values():
    with pytest.raises(FrozenInstanceError):
        Rules().target = 26  # type: ignore[misc]
    assert len({build(name) for name in PRESETS}) == len(PRESETS)
    assert Rules(deal_plan=[3, 3, 3], capture_by=["fifteen", "equal", "sum"]) == Rules()  # type: ignore[arg-type]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(data=st.data())
def test_rules_round_trip_through_files_and_command_lines(data, tmp_path):
    preset = data.draw(st.sampled_from(list(PRESETS)))
    players = data.draw(st.sampled_from(PRESETS[preset][0]))
    changes = data.draw(valid_fields(players))
    if preset == "scopone-scientifico":
        changes.pop("deal_plan", None)
    if preset in ("scopa-team", "scopone"):
        changes.setdefault("partnership", True)
    rules = build(preset, players=players, changes=changes)
    assert all(getattr(rules, name) == value for name, value in changes.items())
    file = tmp_path / "mine.toml"
    file.write_text(RuleSet(rules, preset).toml(), "utf-8")
    assert build(str(file)) == rules
    words = command_words(rules, preset)
    assignments = [value for flag, value in itertools.pairwise(words) if flag == "--rule"]
    assert words[:4] == ["--rules", preset, "--players", str(players)]
    assert choose(preset, players, (), tuple(assignments)).fields == rules
    where = sources(rules, preset)
    changed = set(rules.differences(build(preset, players=players)))
    assert {name for name, source in where.items() if source == "your own"} == changed
    assert set(where) == set(FIELDS)
    assert all(where.values())
