"""A game against the policies at the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..advice import screen
from ..advice.coach import SAMPLES
from ..advice.conversation import Conversation, Hear, Say
from ..advice.saved_games import read_game
from ..advice.terminal_game import Setup, TerminalGame, seat_in
from ..core.arguments import LANGUAGES, choice, public, several
from ..core.errors import InputError
from ..core.locale import language
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp, line_ups
from ..storage.atomic_files import sole_writer
from .bind import read
from .situations import read_at

FILE = "cirulla-game.jsonl"
"""The default file of a game."""


@public
def play(
    say: Say,
    hear: Hear,
    *,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    policy: str | LineUp | None = None,
    seed: int | str | None = None,
    at: str | None = None,
    me: str | None = None,
    samples: int | str | None = None,
    output: str | Path | None = None,
    force: bool = False,
    lang: str = "en",
) -> None:
    """Play a game against the policies: ``say`` gets lines to read, ``hear`` gets a prompt and returns the answer.

    ``hear`` returns None where nobody is there any more. The game is written to its file after every choice. A game
    that is there is resumed if the arguments agree with it, or replaced with ``force``; a policy of the user's own is
    imported only if ``policy`` names it. ``me`` is where you sit in the first hand, the first to play unless you say
    it; ``at`` is what the game begins with, a score and cards of the first deal (``"score: 12-20; me: barsega"``), or a
    position or a play of a record, from which its first hand is played on.

    ``lang`` is ``en`` or ``it``.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.
    """
    values, locale = read("play", locals()), language(choice("--lang", "language", lang, LANGUAGES))
    path = Path(FILE if output is None else output)
    if path.suffix != ".jsonl":
        raise InputError(f"-o {str(path)!r} does not end in .jsonl (valid: a file of hand records, as {FILE})")
    chosen = _rules(values)
    with sole_writer(path):
        if path.exists() and not force:
            game = read_game(path, _named(policy))
            _check_same(path, game.setup, values, chosen)
            say(locale.message(f"{path}: resumed.", "hands"))
        else:
            usual = Setup(choose(None, 2), LineUp.parse("careful"), secrets.randbits(32))
            game = TerminalGame(_setup(values, chosen, usual))
        Conversation(game, path, values["samples"] or SAMPLES, say, hear, locale).run()


def _rules(values: Mapping[str, Any]) -> RuleSet | None:
    """The rules that the arguments name, None if they name none; two play Cirulla unless they say how many."""
    rules, players, house, rule = (values[name] for name in ("rules", "players", "house", "rule"))
    if not any((rules, players, house, rule)):
        return None
    counted = isinstance(rule, Mapping) or any(str(text).startswith("players=") for text in several(rule))
    return choose(rules, 2 if rules is None and players is None and not counted else players, house, rule)


def _named(policy: str | LineUp | None) -> tuple[str, ...]:
    """The policies that a line-up names."""
    if policy is None:
        return ()
    return (LineUp.parse(policy, us=True) if isinstance(policy, str) else policy).names


def _setup(values: Mapping[str, Any], chosen: RuleSet | None, otherwise: Setup) -> Setup:
    """The setup of a game by the arguments, the rest as in another one."""
    situation, recorded = read_at(values["at"], values["me"])
    if recorded is not None:
        if chosen is not None and chosen.fields != recorded.rules.fields:
            raise InputError(
                f"--at {str(recorded)!r} has rules of its own (leave out --rules, --players, --house, --rule)"
            )
        chosen, situation = recorded.rules, recorded.situation
    rules = otherwise.rule_set if chosen is None else chosen
    at = otherwise.at if situation is None else situation
    own = rules.fields.side(seat_in(rules.fields, at))
    seed = otherwise.seed if values["seed"] is None else values["seed"]
    line_up = otherwise.line_up
    if values["policy"] is not None:
        [line_up] = line_ups(values["policy"], rules.fields, own, named_us=True)
    return Setup(rules, line_up, seed, at)


def _check_same(path: Path, setup: Setup, values: Mapping[str, Any], chosen: RuleSet | None) -> None:
    """Raise ``InputError`` if the game in a file is not the one that the arguments describe."""
    other: str | None = "rules"
    if chosen is None or chosen.fields == setup.rules:
        wanted = _setup(values, setup.rule_set, setup)
        flags = {"--policy": "policies", "--seed": "seed", "--at": "at"}
        other = next((flag for flag, name in flags.items() if getattr(wanted, name) != getattr(setup, name)), None)
    if other is not None:
        raise InputError(
            f"{path}: is a game with other {other} ({screen.title(setup)}; valid: leave it out to resume that game, -o "
            "for another file, --force to begin again)"
        )
