"""What ``--at`` names: a situation as text, or a play of a record in a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..core.messages import Message
from ..ruleset.rule_set import RuleSet
from ..situation.notation import RECORDED, Situation
from ..situation.positions import situation_of
from .decision_points import Turn, read_record, rules_of, turns


@dataclass(frozen=True)
class Recorded:
    """A play of a hand record: the file as it was named, the hand's place in it from 0, and the play from 1.

    ``besides`` is the rest of the text, such as the score of the game.
    """

    path: str
    hand: int
    play: int
    besides: Situation | None = None

    @cached_property
    def record(self) -> dict[str, Any]:
        return read_record(Path(self.path), self.hand)

    @property
    def rules(self) -> RuleSet:
        """The rules of the record; raises ``InputError`` if there is none."""
        return rules_of(self.record)

    @cached_property
    def turn(self) -> Turn:
        """The play and the hand before it; raises ``InputError`` for a play that the hand does not have."""
        return turn_of(self.record, self.play, Message("--at {at!r}: play", self))

    @property
    def situation(self) -> Situation:
        """What the player to play knows, as text says it."""
        now = situation_of(self.turn.moment.information())
        extra = self.besides or Situation()
        return replace(now, score=extra.score, hand=extra.hand, places=(*now.places, *extra.places))

    def __str__(self) -> str:
        also = f"; {self.besides}" if self.besides else ""
        return f"{self.path}#{self.hand}.{self.play}{also}"


def turn_of(record: dict[str, Any], play: int, where: str = "--play") -> Turn:
    """A play of a record by its number from 1; raises ``InputError`` for one that the hand does not have."""
    length = 0
    for turn in turns(record):  # later plays are not looked at
        length += 1
        if turn.number == play:
            return turn
    valid = Message("1 to {last}", length) if length else Message("none: the hand was won at the deal")
    raise InputError("{where} {play!r} is out of range (valid: {valid})", where, play, valid)


def read_at(at: str | None, me: str | None = None, nights: bool = False) -> tuple[Situation | None, Recorded | None]:
    """The situation that a text describes, or the play of a record that it names; ``me`` says where the person sits.

    Raises ``InputError`` that names the flag.
    """
    if at is None:
        return (None if me is None else Situation(i_am=me)), None
    if named := RECORDED.match(at):
        rest = at[named.end() :]
        besides = Situation.parse(rest) if rest.strip() else None
        if me is not None:
            raise InputError(
                "--me {me!r} cannot be combined with a record, which says where you sit (leave it out)", me
            )
        own = {name for (name, _), _ in besides.places} & {"me", "table"} if besides is not None else set()
        if own or (besides is not None and not replace(besides, score=()).is_fresh) or (besides and besides.i_am):
            raise InputError(
                "--at {rest!r}: a record says that itself (valid besides: score, next, stock, ...)", rest.strip()
            )
        return None, Recorded(named[1].strip(), int(named[2]), int(named[3]), besides)
    situation = Situation.parse(at)
    if situation.night is not None and not nights:
        raise InputError(
            "--at {situation!r} is a night (valid: odds 'wins_night(pair 1)', compare; or cards)", situation
        )
    if me is not None and situation.night is not None:
        raise InputError("--me {me!r} cannot be combined with a night, in which pairs have names (leave it out)", me)
    if me is not None:
        if situation.i_am not in (None, me):
            raise InputError("--me {me!r} is not 'i am: {i_am}' of --at (give one of them)", me, situation.i_am)
        situation = replace(situation, i_am=me)
    return situation, None
