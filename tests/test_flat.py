"""The flat form of the rules: every rule reaches compiled code, in one way."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from typing import Any

import cirulla_sim as cs
from cirulla_sim.kernel.game import flat
from cirulla_sim.ruleset.catalogue import preset_names
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
    read = read_by(flat.flat_values)
    assert {*FIELDS} == {field.name for field in fields(Rules)} == read | {*flat.OF_GAMES}
    assert {*flat.PLAIN} <= read
    assert not read & {*flat.OF_GAMES}


def test_every_rule_of_hands_is_flattened_and_every_field_read_by_compiled_code() -> None:
    assert set(flat.OF_GAMES) <= read_by(flat.flatten_game)
    read = {
        node.attr
        for path in KERNEL.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "r"
    }
    assert set(flat.FLAT.names or ()) <= read
