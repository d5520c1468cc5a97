"""A game against the policies at the terminal."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..advice import screen
from ..advice.coach import SAMPLES
from ..advice.conversation import Conversation, Hear, Say
from ..advice.decision_points import read_at
from ..advice.game import Game, setup_of
from ..advice.game_setup import Setup
from ..core.arguments import several
from ..core.errors import InputError
from ..core.locale import language
from ..core.messages import Message
from ..ruleset.catalogue import format_value
from ..ruleset.presets import build
from ..ruleset.rule_set import RuleSet, choose
from ..situation.line_up import LineUp
from ..situation.notation import with_matta
from ..storage.atomic_files import sole_writer
from .options import Arguments

LONGEST_NAME = 80
"""Characters of the name of a game's default file, at most."""


def default_file(rules: RuleSet) -> Path:
    """The file of a game under some rules where none is named: two games with different rules have two files.

    >>> from cirulla_sim.ruleset.rule_set import choose
    >>> str(default_file(choose("cirulla", 2))), str(default_file(choose("scopa", 4, "simple-primiera", "target=21")))
    ('cirulla-2.jsonl', 'scopa-4+simple-primiera+target=21.jsonl')
    """
    named = build(rules.base, players=rules.fields.players, houses=rules.houses)
    changed = [f"{field}={format_value(value)}" for field, value in rules.fields.differences(named).items()]
    name = "+".join((f"{rules.name}-{rules.fields.players}", *rules.houses, *changed))
    name = re.sub(r"[^\w.=+-]", "_", name)
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 9]}-{sha256(name.encode()).hexdigest()[:8]}"
    return Path(f"{name}.jsonl")


def run(say: Say, hear: Hear, given: Arguments) -> None:
    """Play the game; raises ``InputError`` for arguments that do not go together."""
    values, locale = given.values, language(given["lang"])
    chosen = _rules(values)
    path = _file(values, chosen)
    with sole_writer(path):
        if path.exists() and not values["force"]:
            game = Game.from_records(path, values["policy"])
            _check_same(path, game.setup, values, chosen)
            say(locale.translate(Message("{path}: resumed.", path)))
        else:
            usual = Setup(choose(None, 2), LineUp.parse("careful"), secrets.randbits(32))
            game = Game.of_setup(_setup(values, chosen, usual))
        Conversation(game, path, values["samples"] or SAMPLES, say, hear, locale).run()


def _file(values: Mapping[str, Any], chosen: RuleSet | None) -> Path:
    """The file of the game; raises ``InputError`` for a name that promises something else."""
    path: Path | None = values["output"]
    if path is None:
        recorded = read_at(values["at"], values["me"])[1]
        return default_file((choose(None, 2) if recorded is None else recorded.rules) if chosen is None else chosen)
    if path.suffix != ".jsonl":
        raise InputError("-o {path!r} does not end in .jsonl (valid: a file of hand records, as game.jsonl)", path)
    return path


def _rules(values: Mapping[str, Any]) -> RuleSet | None:
    """The rules that the arguments name, None if they name none; two play Cirulla unless they say how many."""
    rules, players, house, rule = (values[name] for name in ("rules", "players", "house", "rule"))
    if not any((rules, players, house, rule)):
        return None
    counted = isinstance(rule, Mapping) or any(str(text).startswith("players=") for text in several(rule))
    return choose(rules, 2 if rules is None and players is None and not counted else players, house, rule)


def _setup(values: Mapping[str, Any], chosen: RuleSet | None, otherwise: Setup) -> Setup:
    """The setup of a game by the arguments, the rest as in another one."""
    matta = (otherwise.rule_set if chosen is None else chosen).fields.matta
    situation, recorded = read_at(values["at"] and with_matta(values["at"], matta), values["me"])
    if recorded is not None:
        if chosen is not None and chosen.fields != recorded.rules.fields:
            raise InputError(
                "--at {at!r} has rules of its own (leave out --rules, --players, --house, --rule)", recorded
            )
        chosen, situation = recorded.rules, recorded.situation
    rules = otherwise.rule_set if chosen is None else chosen
    at = otherwise.at if situation is None else situation
    seed = otherwise.seed if values["seed"] is None else values["seed"]
    policy = otherwise.line_up if values["policy"] is None else values["policy"]
    return setup_of(rules, policy, seed, at)


def _check_same(path: Path, setup: Setup, values: Mapping[str, Any], chosen: RuleSet | None) -> None:
    """Raise ``InputError`` if the game in a file is not the one that the arguments describe."""
    other: str | None = "rules"
    if chosen is None or chosen.fields == setup.rules:
        wanted = _setup(values, setup.rule_set, setup)
        flags = {"--policy": "policies", "--seed": "seed", "--at": "at"}
        other = next((flag for flag, name in flags.items() if getattr(wanted, name) != getattr(setup, name)), None)
    if other is not None:
        raise InputError(
            "{path}: is a game with other {other} ({title}; valid: leave it out to resume that game, -o for "
            "another file, --force to begin again)",
            path, other, screen.game_title(setup),
        )  # fmt: skip
