"""A game in its file: a hand record a line, with the person's choices, from which all of it is played again.

The hand in play is a line without plays, so that nobody reads in it what the others hold.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..engine.hand_record import Record, rules_of_record
from ..ruleset.presets import build
from ..ruleset.rule_set import RuleSet
from ..storage.atomic_files import whole_file
from .terminal_game import Evening, Setup, Table

_VALID = "valid: a file that play wrote"


def as_lines(evening: Evening, table: Table) -> str:
    """The game as text, a hand a line."""
    setup = evening.setup
    lines = []
    for number, choices in evening.hands():
        person = {
            "seat": table.seats[number], "choices": list(choices),
            "first_seat": setup.seat, "policies": list(setup.policies),
        }  # fmt: skip
        played = number < len(table.records)
        record: Record = table.records[number] if played else _begun(setup, number)
        lines.append(json.dumps(record | {"person": person}, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _begun(setup: Setup, number: int) -> Record:
    rules = setup.rules
    return {
        "rules": rules_of_record(rules, setup.chosen.preset), "players": rules.players, "dealer": rules.players - 1,
        "seed": setup.seed, "hand": number, "unfinished": True,
    }  # fmt: skip


def write_evening(path: Path, evening: Evening, table: Table) -> None:
    """Write a game to its file, whole or not at all."""
    with whole_file(path) as part:
        part.write_text(as_lines(evening, table), "utf-8")


def read_evening(path: Path) -> Evening:
    """The game in a file, as far as it is whole: a last line that was cut short is left out.

    Raises ``InputError`` for a file that is none, and where the choices do not fit the hands.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error} ({_VALID})") from None
    told: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if number + 1 == len(lines) and told:
                break  # cut short
            raise InputError(f"{path}: line {number + 1} is no record of a hand ({_VALID})") from None
        told.append(record)
    if not told:
        raise InputError(f"{path}: is empty ({_VALID})")
    try:
        evening = Evening(_setup(told[0]), tuple(tuple(_numbers(record["person"]["choices"])) for record in told))
        for number, record in enumerate(told):
            if _setup(record) != evening.setup or record["hand"] != number:
                raise InputError("its hands are not those of one game, in order")
        evening.table()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = error if isinstance(error, InputError) else f"{error!r} is missing or wrong"
        raise InputError(f"{path}: {what} ({_VALID})") from None
    return evening


def _setup(record: dict[str, Any]) -> Setup:
    rules, person = dict(record["rules"]), record["person"]
    preset = rules.pop("preset")
    fields = build(preset, players=record["players"], changes=rules)
    (seed, seat), policies = _numbers([record["seed"], person["first_seat"]]), person["policies"]
    if not all(isinstance(name, str) for name in policies):
        raise TypeError("policies")
    return Setup(RuleSet(fields, preset), tuple(policies), seed, seat)


def _numbers(values: Sequence[Any]) -> list[int]:
    for value in values:
        if type(value) is not int or value < 0:
            raise ValueError(str(value))
    return list(values)
