"""The flat form of the rules: every rule reaches compiled code, in one way."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.kernel.game import flat
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.rules_model import FIELDS, Rules

KERNEL = Path(flat.__file__).parents[1]
RULE_SETS = [*(cs.rules(name).fields for name in preset_names()), Rules(hands_per_game=4)]


class Recorder:
    """Rules that record which fields are read."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.read = rules, set[str]()

    def __getattr__(self, name: str) -> Any:
        derived = getattr(Rules, name, None)
        if isinstance(derived, property):
            return derived.fget(self)
        self.read.add(name)
        return getattr(self.rules, name)


def read_by(function: Any) -> set[str]:
    """The fields that a function reads under any rule set."""
    recorders = [Recorder(rules) for rules in RULE_SETS]
    for recorder in recorders:
        function(recorder)
    return set().union(*(recorder.read for recorder in recorders))


def test_every_rule_is_flattened_once_or_belongs_to_games() -> None:
    of_hands = {rule for field in flat.FLAT_FIELDS.values() for rule in field.rules}
    assert of_hands.isdisjoint(flat.OF_GAMES)
    assert of_hands | set(flat.OF_GAMES) == set(FIELDS) == {field.name for field in fields(Rules)}


@pytest.mark.parametrize("name", flat.FLAT_FIELDS)
def test_a_field_is_computed_from_the_rules_that_it_represents(name: str) -> None:
    field = flat.FLAT_FIELDS[name]
    assert set(field.rules) <= read_by(field.value)


def test_rules_of_games_are_read_where_games_are_flattened() -> None:
    assert set(flat.OF_GAMES) <= read_by(flat.flatten_game)


def test_compiled_code_reads_every_field() -> None:
    read = {
        node.attr
        for path in KERNEL.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "r"
    }
    assert set(flat.FLAT_FIELDS) <= read


@pytest.mark.parametrize("rule", ["matta", "capture_by", "ace_choice", "hands_per_game", "hands_tie"])
def test_a_forgotten_rule_is_refused(rule: str) -> None:
    derived = {name: field for name, field in flat.DERIVED.items() if rule not in field.rules}
    of_games = [name for name in flat.OF_GAMES if name != rule]
    with pytest.raises(TypeError, match=f"rule '{rule}' is not a plain number or truth value"):
        flat.flat_fields(derived=derived, of_games=of_games)


def test_a_forgotten_number_is_passed_to_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue()["field"], "settebello_bonus", {"range": [0, 20]})
    assert flat.flat_fields((*FIELDS, "settebello_bonus"))["settebello_bonus"].kind is flat.WORD


def test_a_rule_flattened_twice_and_unknown_rules_are_refused() -> None:
    for rules, of_games in (
        (FIELDS, (*flat.OF_GAMES, "matta")),
        (FIELDS, (*flat.OF_GAMES, "tempo")),
        (FIELDS[2:], flat.OF_GAMES),
    ):
        with pytest.raises(TypeError, match="are unknown, or in DERIVED as well as in OF_GAMES"):
            flat.flat_fields(rules, of_games=of_games)
