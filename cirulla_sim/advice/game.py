"""A game that is played choice by choice, by callers and policies, with undo, and the file that it is saved in.

The file has a hand record a line, with the choices made, from which all of it is played again. Every line holds the
request of the game too. It is data: a policy of the user's own that it names is imported only if this command line
names it as well, and only if its source is the one that the game was played with. The hand in play is a line without
plays, so that nobody reads in it what the others hold, and so is one that began in the middle, which nobody could judge
from its beginning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..core import cards
from ..core.arguments import SEED, choice, count, public, read_text
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.hand_in_play import Decision
from ..engine.hand_record import HandRecord, rules_of_record
from ..engine.policies import is_own, with_names
from ..engine.user_policies import Choice, choices_of, find_choice
from ..reporting.text.plays import Hand
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.hand import HandState
from ..situation.line_up import LineUp, each_line_up
from ..situation.notation import NOTHING, Situation
from ..situation.people import ABSOLUTE, seat_of
from ..situation.plays import captured, card_of
from ..situation.positions import situation_of
from ..storage.atomic_files import whole_file
from ..storage.request import Request
from . import screen
from .decision_points import read_at, record_rules
from .game_setup import GameState, Setup, after_hand


class Outcome(NamedTuple):
    """How a game ended: the sides that won it, none of a draw, and by what: ``by the score``, ``a draw``, ..."""

    winners: tuple[str, ...]
    reason: str


class Game:
    """A game of Cirulla or one of its family, played choice by choice: you choose for some seats, policies for others.

    ``rules``, ``players``, ``house`` and ``rule`` name the rules as everywhere. Without ``policy`` you play all seats.
    ``policy="careful"`` plays all seats but yours, ``"them=search"`` theirs while you play both of ours. ``me`` is
    where you sit in the first hand, the first to play unless you say it; the deal then passes on. ``at`` is what the
    game begins with: a score, cards of the first deal, or a position to be played on. Same ``seed``, same deals.

    Players are called as you see them in all hands: ``me``, ``next``, ``partner`` or ``opposite``, ``previous``; sides
    ``us`` and ``them``, and where there are more by their player.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> import cirulla_sim as cs
    >>> game = cs.Game("cirulla", players=2, policy="careful", seed=3)
    >>> print(game)
    Hand 1 · next (careful) deals · you 0, careful 0 · stage 1 of 6, 30 cards left
      table  3h Jd 6c Jc
      you    Kh 4c 7c
       1  leave Kh
       2  4c takes 3h Jd
       3  4c takes 3h Jc
       4  7c takes Jd
       5  7c takes Jc
    >>> game.play("4c takes 3h Jd").is_scopa
    False
    >>> game.to_play, game.score()
    ('me', {'us': 0, 'them': 0})
    >>> print(str(game.situation("me")).replace("; stage", ";\\n  stage"))
    i am: first; me: Kh 7c; table: Jc; captured us: 3h Jd 4c; captured them: 6c 6s; last capture: next;
      stage: 1; plays: 4c takes 3h Jd, 6s takes 6c; to play: me; points: 0-0
    >>> game.undo()
    """

    @public
    def __init__(
        self,
        rules: str | Path | Rules | RuleSet | None = None,
        *,
        players: int | str | None = None,
        house: str | Sequence[str] = (),
        rule: str | Sequence[str] | Mapping[str, Any] = (),
        policy: str | LineUp | None = None,
        me: str | None = None,
        at: str | Situation | None = None,
        seed: int | str = 1,
    ) -> None:
        given = None if me is None else choice("--me", "seat", me, ABSOLUTE)
        situation, recorded = read_at(None if at is None else str(at), given)
        if recorded is not None:
            if any((rules, players, house, rule)):
                raise InputError(
                    "--at {at!r} has rules of its own (leave out --rules, --players, --house, --rule)", recorded
                )
            chosen, situation = recorded.rules, recorded.situation
        else:
            chosen = choose(rules, players, house, rule)
        number = count("--seed", seed, 0, SEED)
        self._begin(setup_of(chosen, policy, number, NOTHING if situation is None else situation))

    # ------------------------------------------------------------------------------------------------ its hands

    @classmethod
    def of_setup(cls, setup: Setup, choices: Sequence[Sequence[int]] = ((),)) -> Game:
        """The game of a setup after some choices, by hand, each as its place among what was offered.

        Raises ``InputError`` for a choice that was not offered, and for hands after the end.
        """
        game = cls.__new__(cls)
        game._begin(setup, choices)
        return game

    @classmethod
    def from_records(
        cls, records: str | Path | Hand | Sequence[Mapping[str, Any]], policy: str | LineUp | None = None
    ) -> Game:
        """The game that was saved in a file, or in which some hands were played, from its first hand on.

        ``records`` is a file of ``save`` or of ``play``, or hand records: then you play all seats. A policy of your own
        that a file names is imported only if ``policy`` names it too.

        Raises ``InputError`` for anything else, and for hands that the rules and the seed do not deal.

        >>> import cirulla_sim as cs
        >>> hand = cs.hand("cirulla", policy="greedy", seed=8)
        >>> game = cs.Game.from_records([hand.record])
        >>> game.hand, game.records() == [hand.record]
        (1, True)
        """
        if isinstance(records, str | Path):
            lines, what = _read_lines(Path(records)), str(records)
        else:
            lines, what = [records.record] if isinstance(records, Hand) else list(records), "records"
        try:
            if not lines:
                raise InputError("no hand is recorded there")
            if "request" in lines[0]:
                return cls.of_setup(*_saved(lines, () if policy is None else _line_up(policy).names))
            game = cls.of_setup(Setup(record_rules(lines[0]), None, lines[0]["seed"]))
            for number, record in enumerate(lines):
                game._replay(number, record)
            return game
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            why = error if isinstance(error, InputError) else Message("{error} is missing or not valid", repr(error))
            raise InputError("{what}: {why} ({valid})", what, why, _VALID) from None

    def _replay(self, number: int, record: Mapping[str, Any]) -> None:
        """Make the choices of a recorded hand; raises ``InputError`` where it is not the hand in play."""
        where = f"hand {number}"
        if record["hand"] != number or record["seed"] != self._setup.seed or record.get("unfinished"):
            raise InputError("{where}: its records are not of the whole hands of one game, in order", where)
        while len(self._table.records) == number and self._table.decision is not None:
            self.play(1 + recorded_place(self._table.decision, record))
        again = self._table.records[number]
        if any(again[name] != record[name] for name in again):
            raise InputError("{where}: is not the hand that its rules and seed deal", where)

    def save(self, path: str | Path) -> Path:
        """Write the game to a file, whole or not at all: a hand record a line, which ``play`` resumes; returns it.

        The hand in play is a line without cards.
        """
        file = Path(path)
        with whole_file(file) as part:
            part.write_text(_as_lines(self._setup, self._table, self.history), "utf-8", newline="\n")
        return file

    def _begin(self, setup: Setup, choices: Sequence[Sequence[int]] = ((),)) -> None:
        self._setup = setup
        self._before = [GameState(setup.score)]
        """Where the game stood before each hand that was dealt."""
        self._history: list[list[int]] = [list(choices[0])] if choices else [[]]
        """The choices by hand; the last is in play, or the game is over with it."""
        self._settle(choices[1:])

    def _settle(self, later: Sequence[Sequence[int]] = ()) -> None:
        """Play the last hand as far as its choices go, and deal the next ones, each with its choices."""
        waiting = [list(choices) for choices in later]
        while True:
            self._table = after_hand(self._setup, self._before[-1], self._history[-1])
            if self._table.decision is not None or self._table.over is not None:
                if any(waiting) or len(waiting) > 1:
                    why = Message("the end") if self._table.over else Message("one that is not played out")
                    raise InputError("hand {hand} comes after {why}", len(self._history), why)
                return
            self._before.append(self._table)
            self._history.append(waiting.pop(0) if waiting else [])

    @property
    def setup(self) -> Setup:
        """What the game begins with: rules, line-up, seed."""
        return self._setup

    @property
    def table(self) -> GameState:
        """Where the game stands, with what is hidden."""
        return self._table

    @property
    def history(self) -> tuple[tuple[int, ...], ...]:
        """Your choices by hand, each as its place from 0 among what was offered."""
        return tuple(tuple(choices) for choices in self._history)

    def copy(self) -> Game:
        """A game of its own in the same state.

        >>> import cirulla_sim as cs
        >>> game = cs.Game(seed=3)
        >>> again = game.copy()
        >>> _ = again.play(1)
        >>> len(game.history[0]), len(again.history[0])
        (0, 1)
        """
        other = type(self).__new__(type(self))
        other._setup, other._table = self._setup, self._table
        other._before, other._history = list(self._before), [list(choices) for choices in self._history]
        return other

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game) or self._history != other._history:
            return False
        return self._setup == other._setup or self._setup.request.as_json() == other._setup.request.as_json()

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------------------------------------ choosing

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._table.over is not None

    @property
    def outcome(self) -> Outcome | None:
        """Which sides won the game and by what, None while it is played."""
        over = self._table.over
        return None if over is None else Outcome(tuple(self._setup.side_names[s] for s in over.winners), over.reason)

    @property
    def to_play(self) -> str | None:
        """Who is to choose: ``me``, or another player that you play; None when the game is over."""
        decision = self._table.decision
        return None if decision is None else self._people[decision.seat]

    def choices(self) -> tuple[Choice, ...]:
        """What the player may choose now: sets to show, or cards to play; none when the game is over.

        >>> import cirulla_sim as cs
        >>> cs.Game(seed=3, players=2).choices()[1].takes
        ('3h', 'Jd')
        """
        decision = self._table.decision
        return () if decision is None else choices_of(decision.offered, decision.to_show)

    def play(self, choice: Choice | str | int) -> Choice:
        """Make a choice of the player whose turn it is; then policies play until it is your turn again.

        A choice is one of ``choices()``, its text (``"7d takes 7h Ad"``, ``"7d 7h Ad"``, ``"7d"`` where that leaves no
        doubt) or its number from 1. Where the hand ends with it the next one is dealt. Returns the choice.

        Raises ``InputError`` for anything else, and when the game is over.
        """
        choices = self.choices()
        if not choices:
            raise InputError("{choice!r}: the game is over (valid: undo)", choice)
        place = find_choice(choice, choices)
        self._history[-1].append(place)
        try:
            self._settle()
        except BaseException:
            self._history[-1].pop()
            raise
        return choices[place]

    def undo(self) -> None:
        """Take back the last choice made, of whatever player; what policies played after it is undone too.

        Raises ``InputError`` where there is none.
        """
        if not any(self._history):
            raise InputError("undo: no choice has been made (valid: after one)")
        while not self._history[-1]:
            self._history.pop()
            self._before.pop()
        self._history[-1].pop()
        self._settle()

    # ------------------------------------------------------------------------------------------------ what is known

    @property
    def hand(self) -> int:
        """The number of the hand in play, from 0, or of the last one."""
        return len(self._history) - 1

    @property
    def seat(self) -> str:
        """Where you sit in the hand in play: ``first``, ``second``, ``third`` or ``dealer``."""
        players = self._setup.rules.players
        return (*ABSOLUTE[: players - 1], "dealer")[self._setup.sits(self._table.passed)]

    @property
    def _people(self) -> tuple[str, ...]:
        return self._setup.people(self._table.passed)

    def score(self) -> dict[str, int]:
        """The score of the game, by side."""
        return dict(zip(self._setup.side_names, self._table.score, strict=True))

    def situation(self, who: str | None = None, *, score: bool = False) -> Situation:
        """What a player knows now, as ``at=`` and ``--at`` take it: the player whose turn it is, or the one you name.

        A player is named as you see it or by its seat, and must be one that you play. With ``score`` the score of the
        game is part of it.

        Raises ``InputError`` for another player, and when the game is over.

        >>> import cirulla_sim as cs
        >>> cs.Game(seed=3, players=2).situation("next").i_am
        'dealer'
        """
        now = situation_of(self.information(who))
        if not score:
            return now
        sides, own = self._setup.rules.sides, self._setup.rules.side(self._seat_of(who))
        side = (own + self._table.passed) % sides
        return replace(now, score=tuple(self._table.score[(side + other) % sides] for other in range(sides)))

    def information(self, who: str | None = None) -> HandState:
        """What a player knows, who need not be the one whose turn it is."""
        decision = self._table.decision
        if decision is None:
            raise InputError("situation: the game is over (valid: before its end, or after undo)")
        return decision.hand.seen_by(self._seat_of(who))

    def _seat_of(self, who: str | None) -> int:
        """The seat in the hand in play of a player that the caller plays."""
        decision, passed = self._table.decision, self._table.passed
        if who is None:
            return self._setup.sits(passed) if decision is None else decision.seat
        seat = seat_of(str(who), self._setup.rules, self._setup.sits(passed), "situation: ")
        called = self._setup.calls(passed)
        if seat not in called:
            valid = [self._people[seat] for seat in called]
            raise InputError(
                "situation: {who!r} is played by a policy, whose cards you do not see (valid: {valid})", who, valid
            )
        return seat

    # ------------------------------------------------------------------------------------------------ records

    def after(self, hand: int) -> GameState:
        """Where the game stood after a hand that was played out, by its number."""
        return self._before[hand + 1] if hand + 1 < len(self._before) else self._table

    def records(self) -> list[HandRecord]:
        """The records of the hands played out, which ``from_records`` takes."""
        return list(self._table.records)

    @property
    def record(self) -> HandRecord | None:
        """The record of the hand in play so far, with the cards of the players that you play; None after the end."""
        return None if self._table.decision is None else self._table.decision.record

    # ------------------------------------------------------------------------------------------------ display

    def __str__(self) -> str:
        return "\n".join(screen.game_lines(self._setup, self._table, self.choices()))

    def __repr__(self) -> str:
        return f"<Game: {screen.game_title(self._setup)}>\n{self}"


def setup_of(rule_set: RuleSet, policy: str | LineUp | None, seed: int, at: Situation = NOTHING) -> Setup:
    """A setup with its line-up in its canonical form; raises ``InputError`` as ``Setup`` does."""
    line_up = None if policy is None else _line_up(policy)
    setup, rules = Setup(rule_set, None, seed, at), rule_set.fields
    if line_up is None:
        return setup
    policies = line_up.of_each_side(rules, setup.side)
    return replace(setup, line_up=LineUp.of_some(policies, rules, setup.side))


def _line_up(policy: object) -> LineUp:
    found = each_line_up(with_names(policy), us=True)
    if len(found) != 1:
        raise InputError("--policy {policy!r}: one line-up is enough here (name one)", policy)
    return found[0]


# ------------------------------------------------------------------------------------------------ a game in its file

_VALID = Message("valid: a file that play wrote")


_History = tuple[tuple[int, ...], ...]
"""The choices of a game, by hand."""


def _as_lines(setup: Setup, table: GameState, history: _History) -> str:
    """A game as text, a hand a line; the one in play, or that began in the middle, without its cards."""
    lines, players = [], setup.rules.players
    about = {"request": setup.request.as_json(), "sources": setup.sources}
    rules = dict(rules_of_record(setup.rules, setup.rule_set.preset))
    hidden: HandRecord = {"rules": rules, "players": players, "dealer": players - 1, "seed": setup.seed}
    for number, choices in enumerate(history):
        person = {"seat": table.seats[number], "choices": list(choices), "first_seat": setup.seat}
        played = number < len(table.records) and (number > 0 or setup.begun is None)
        record = table.records[number] if played else hidden | {"hand": number, "unfinished": True}
        lines.append(json.dumps(record | {"person": person} | about, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _read_lines(path: Path) -> list[Mapping[str, Any]]:
    """The lines of a file, as far as it is whole: a last line that was cut short is left out.

    Raises ``InputError`` for a file of anything else.
    """
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("{path}: cannot be read: {error} ({valid})", path, error, _VALID) from None
    records: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if number + 1 == len(lines) and records:
                break  # cut short
            record = None
        if not isinstance(record, dict):
            raise InputError("{path}: line {line} is no record of a hand ({valid})", path, number + 1, _VALID)
        records.append(record)
    if not records:
        raise InputError("{path}: is empty ({valid})", path, _VALID)
    return records


def _saved(records: Sequence[Mapping[str, Any]], named: Collection[str]) -> tuple[Setup, _History]:
    """The setup and the choices of a saved game, by its lines.

    ``named`` are the policies that this command line names. Raises ``InputError`` for anything else, and for a policy
    of the user's own that is not named or has changed.
    """
    setup = Setup.from_request(Request.from_json(records[0]["request"]))
    _check_policies(setup, records[0]["sources"], named)
    for number, record in enumerate(records):
        if record["request"] != records[0]["request"] or record["hand"] != number:
            raise InputError("its hands are not those of one game, in order")
    history = tuple(tuple(record["person"]["choices"]) for record in records)
    for value in (value for choices in history for value in choices):
        if type(value) is not int or not 0 <= value < MOST_CHOICES:
            raise ValueError(str(value))
    return setup, history


def _check_policies(setup: Setup, sources: object, named: Collection[str]) -> None:
    """Raise ``InputError`` for policies of the user's own that are not named here, or that have changed."""
    for name in () if setup.line_up is None else setup.line_up.names:
        if is_own(name) and name not in named:
            raise InputError(
                "{name!r} plays, a policy of your own: it is imported only if --policy names it here", name
            )
    if setup.sources != sources:
        raise InputError("the source of its policies has changed since the game began (--force begins another)")


MOST_CHOICES = 1 << 16
"""More than there are choices at any moment."""


def recorded_place(decision: Decision, record: Mapping[str, Any]) -> int:
    """The place of the choice that a recorded hand made at a decision; raises ``InputError`` if it was not offered."""
    plays = record["stages"][decision.hand.stage]["plays"]
    played = len(decision.record["stages"][-1]["plays"])
    if not decision.to_show:
        card, taken = cards.parse(plays[played]["card"]), cards.mask(map(cards.parse, plays[played]["captured"]))
        fits = [n for n, word in enumerate(decision.offered) if card_of(word) == card and captured(word) == taken]
    else:
        players = record["players"]
        knock = plays[played // players * players + decision.seat]["knock"] or {"cards": [], "matta_as": None}
        sets = [cards.mask(map(cards.parse, knock["cards"][n : n + 3])) for n in range(0, len(knock["cards"]), 3)]
        wanted = next((mask for mask in sets if mask & ~decision.hand.seen_by(decision.seat).shown), 0)
        masks = [(n, word >> 8 & (1 << 40) - 1, word & 15) for n, word in enumerate(decision.offered)]
        fits = [n for n, mask, matta in masks if mask == wanted and matta in (0, knock["matta_as"])]
    if not fits:
        raise InputError("play {play} of stage {stage} is none of the choices", played + 1, decision.hand.stage + 1)
    return fits[0]
