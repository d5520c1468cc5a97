"""A game in its file: a hand record a line, with the choices made, from which all of it is played again.

Every line holds the request of the game too. It is data: a policy of the user's own that it names is imported only if
this command line names it as well, and only if its source is the one that the game was played with. The hand in play is
a line without plays, so that nobody reads in it what the others hold, and so is one that began in the middle, which
nobody could judge from its beginning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..core.text_files import read_text
from ..engine.hand_record import Record, rules_of_record
from ..engine.policies import is_own
from ..storage.atomic_files import whole_file
from ..storage.request import Request
from .game import Game
from .game_setup import Setup

_VALID = "valid: a file that play wrote"


def as_records(game: Game) -> list[Record]:
    """The game as its file has it, a record a hand."""
    setup, table, records = game.setup, game.table, []
    about = {"request": setup.request.as_json(), "sources": setup.sources}
    for number, choices in enumerate(game.made):
        person = {"seat": table.seats[number], "choices": list(choices), "first_seat": setup.seat}
        played = number < len(table.records) and (number > 0 or setup.begun is None)
        record: Record = table.records[number] if played else _begun(setup, number)
        records.append(record | {"person": person} | about)
    return records


def as_lines(game: Game) -> str:
    """The game as text, a hand a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in as_records(game))


def _begun(setup: Setup, number: int) -> Record:
    rules, players = dict(rules_of_record(setup.rules, setup.rule_set.preset)), setup.rules.players
    return {
        "rules": rules, "players": players, "dealer": players - 1, "seed": setup.seed, "hand": number,
        "unfinished": True,
    }  # fmt: skip


def write_game(path: Path, game: Game) -> None:
    """Write a game to its file, whole or not at all."""
    with whole_file(path) as part:
        part.write_text(as_lines(game), "utf-8")


def read_game(path: Path, named: Collection[str]) -> Game:
    """The game in a file, as far as it is whole: a last line that was cut short is left out.

    ``named`` are the policies that this command line names. Raises ``InputError`` for a file of anything else, for
    choices that do not fit the hands, and for a policy of the user's own that is not named or has changed.
    """
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error} ({_VALID})") from None
    return game_of_text(text, named, str(path))


def game_of_text(text: str, named: Collection[str], where: str, most_hands: int | None = None) -> Game:
    """The game in the text of a file, as ``read_game`` reads it; ``where`` begins what is wrong with it.

    With ``most_hands`` a file with more is refused, since all that is in it is played again.
    """
    records = _records(text, where)
    try:
        if most_hands is not None and len(records) > most_hands:
            raise InputError(f"has {len(records)} hands, more than {most_hands}")
        if "request" not in records[0] and "person" in records[0]:
            raise InputError("is a game of cirulla-sim 0.1, and only that version can resume it")
        setup = Setup.from_request(Request.from_json(records[0]["request"]))
        _check_policies(setup, records[0]["sources"], named)
        for number, record in enumerate(records):
            if record["request"] != records[0]["request"] or record["hand"] != number:
                raise InputError("its hands are not those of one game, in order")
        return Game.of_setup(setup, [_choices(record["person"]["choices"]) for record in records])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = error if isinstance(error, InputError) else f"{error!r} is missing or not valid"
        raise InputError(f"{where}: {what} ({_VALID})") from None


def _records(text: str, where: str) -> list[Mapping[str, Any]]:
    lines = text.splitlines()
    records: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if number + 1 == len(lines) and records:
                break  # cut short
            record = None
        if not isinstance(record, dict):
            raise InputError(f"{where}: line {number + 1} is no record of a hand ({_VALID})")
        records.append(record)
    if not records:
        raise InputError(f"{where}: is empty ({_VALID})")
    return records


def _check_policies(setup: Setup, sources: object, named: Collection[str]) -> None:
    """Raise ``InputError`` for policies of the user's own that are not named here, or that have changed."""
    for name in () if setup.line_up is None else setup.line_up.names:
        if is_own(name) and name not in named:
            raise InputError(f"{name!r} plays, a policy of your own: it is imported only if --policy names it here")
    if setup.sources != sources:
        raise InputError("the source of its policies has changed since the game began (--force begins another)")


def _choices(values: Sequence[Any]) -> tuple[int, ...]:
    for value in values:
        if type(value) is not int or value < 0:
            raise ValueError(str(value))
    return tuple(values)
