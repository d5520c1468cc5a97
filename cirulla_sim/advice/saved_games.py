"""A game in its file: a hand record a line, with the choices made, from which all of it is played again.

Every line holds the request of the game too. It is data: a policy of the user's own that it names is imported only if
this command line names it as well, and only if its source is the one that the game was played with. The hand in play is
a line without plays, so that nobody reads in it what the others hold, and so is one that began in the middle, which
nobody could judge from its beginning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core import cards
from ..core.errors import InputError
from ..core.text_files import read_text
from ..engine.hand_in_play import Decision
from ..engine.hand_record import Record, rules_of_record
from ..engine.policies import is_own
from ..situation.information_set import captured, card_of
from ..storage.atomic_files import whole_file
from ..storage.request import Request
from .game_setup import Setup, Table

_VALID = "valid: a file that play wrote"


History = tuple[tuple[int, ...], ...]
"""The choices of a game, by hand."""


def as_lines(setup: Setup, table: Table, history: History) -> str:
    """A game as text, a hand a line."""
    lines = []
    about = {"request": setup.request.as_json(), "sources": setup.sources}
    for number, choices in enumerate(history):
        person = {"seat": table.seats[number], "choices": list(choices), "first_seat": setup.seat}
        played = number < len(table.records) and (number > 0 or setup.begun is None)
        record: Record = table.records[number] if played else _begun(setup, number)
        lines.append(json.dumps(record | {"person": person} | about, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _begun(setup: Setup, number: int) -> Record:
    rules, players = dict(rules_of_record(setup.rules, setup.rule_set.preset)), setup.rules.players
    return {
        "rules": rules, "players": players, "dealer": players - 1, "seed": setup.seed, "hand": number,
        "unfinished": True,
    }  # fmt: skip


def write_lines(path: Path, text: str) -> None:
    """Write a game to its file, whole or not at all."""
    with whole_file(path) as part:
        part.write_text(text, "utf-8", newline="\n")


def read_lines(path: Path) -> list[Mapping[str, Any]]:
    """The lines of a file, as far as it is whole: a last line that was cut short is left out.

    Raises ``InputError`` for a file of anything else.
    """
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error} ({_VALID})") from None
    records: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if number + 1 == len(lines) and records:
                break  # cut short
            record = None
        if not isinstance(record, dict):
            raise InputError(f"{path}: line {number + 1} is no record of a hand ({_VALID})")
        records.append(record)
    if not records:
        raise InputError(f"{path}: is empty ({_VALID})")
    return records


def saved(records: Sequence[Mapping[str, Any]], named: Collection[str]) -> tuple[Setup, History]:
    """The setup and the choices of a saved game, by its lines.

    ``named`` are the policies that this command line names. Raises ``InputError`` for anything else, and for a policy
    of the user's own that is not named or has changed.
    """
    setup = Setup.from_request(Request.from_json(records[0]["request"]))
    _check_policies(setup, records[0]["sources"], named)
    for number, record in enumerate(records):
        if record["request"] != records[0]["request"] or record["hand"] != number:
            raise InputError("its hands are not those of one game, in order")
    return setup, tuple(_choices(record["person"]["choices"]) for record in records)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turns any error in reading a game into an ``InputError`` that names what is read."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        why = error if isinstance(error, InputError) else f"{error!r} is missing or not valid"
        raise InputError(f"{what}: {why} ({_VALID})") from None


def _check_policies(setup: Setup, sources: object, named: Collection[str]) -> None:
    """Raise ``InputError`` for policies of the user's own that are not named here, or that have changed."""
    for name in () if setup.line_up is None else setup.line_up.names:
        if is_own(name) and name not in named:
            raise InputError(f"{name!r} plays, a policy of your own: it is imported only if --policy names it here")
    if setup.sources != sources:
        raise InputError("the source of its policies has changed since the game began (--force begins another)")


MOST_CHOICES = 1 << 16
"""More than there are choices at any moment."""


def _choices(values: Sequence[Any]) -> tuple[int, ...]:
    for value in values:
        if type(value) is not int or not 0 <= value < MOST_CHOICES:
            raise ValueError(str(value))
    return tuple(values)


def recorded_place(decision: Decision, record: Mapping[str, Any]) -> int:
    """The place of the choice that a recorded hand made at a decision; raises ``InputError`` if it was not offered."""
    plays = record["stages"][int(decision.view[0]["stage"])]["plays"]
    played = len(decision.record["stages"][-1]["plays"])
    if not decision.to_show:
        card, taken = cards.parse(plays[played]["card"]), cards.mask(map(cards.parse, plays[played]["captured"]))
        fits = [n for n, word in enumerate(decision.offered) if card_of(word) == card and captured(word) == taken]
    else:
        players = record["players"]
        knock = plays[played // players * players + decision.seat]["knock"] or {"cards": [], "matta_as": None}
        sets = [cards.mask(map(cards.parse, knock["cards"][n : n + 3])) for n in range(0, len(knock["cards"]), 3)]
        wanted = next((mask for mask in sets if mask & ~decision.shown), 0)
        masks = [(n, word >> 8 & (1 << 40) - 1, word & 15) for n, word in enumerate(decision.offered)]
        fits = [n for n, mask, matta in masks if mask == wanted and matta in (0, knock["matta_as"])]
    if not fits:
        raise InputError(f"play {played + 1} of stage {int(decision.view[0]['stage']) + 1} is none of the choices")
    return fits[0]
