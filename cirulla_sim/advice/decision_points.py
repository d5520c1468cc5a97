"""The decision points of a hand record: what everybody knew before each play."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core import cards
from ..core.arguments import read_text
from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..engine.chunks import deal_hands
from ..engine.hand_record import bonus_of_table, end_of
from ..reporting.text.plays import Hand
from ..ruleset.catalogue import preset_names
from ..ruleset.presets import build
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import most
from ..situation.hand import NOBODY, HandState, Score, first_table
from ..situation.notation import RECORDED, Situation
from ..situation.people import seat_name
from ..situation.plays import (
    TurnChoice,
    captured,
    card_of,
    cards_shown,
    choice_record,
    is_scopa_play,
    knock_of,
    matta_shown,
    points_shown,
    show_words,
    value_in,
    words_of,
)
from ..situation.positions import situation_of

# ------------------------------------------------------------------------------------------------ hand records

_VALID = Message("(valid: what cirulla-sim show --format json prints)")


@dataclass(frozen=True)
class RecordedTurn:
    """A turn of a hand record: its place in the hand from 1, the hand before it, what was shown and played.

    Sets that are shown at the deal were shown before the first turn.
    """

    number: int
    hand: HandState
    choice: TurnChoice

    @property
    def play(self) -> int:
        """The play, a word."""
        return self.choice.play


def read_record(path: Path, number: int = 0) -> dict[str, Any]:
    """The hand record in a file, or where there are several lines that of line ``number`` from 0.

    What a coach said of the hand is left out, since it does not follow from the plays.

    Raises ``InputError`` if there is none, for a hand that is in play, and as ``check_record`` does.
    """
    try:
        lines = read_text(path).strip().splitlines()
    except OSError as error:
        raise InputError(
            "{path}: cannot be read: {reason} (valid: a hand record, see show)", path, Message(str(error.strerror))
        ) from None
    except UnicodeDecodeError:
        lines = [""]
    if not lines[1:] or not all(line.lstrip().startswith("{") for line in lines):
        lines = ["\n".join(lines)]
    if number >= len(lines):
        raise InputError("--hand {number!r} is not in {path} (valid: 0 to {last})", number, path, len(lines) - 1)
    try:
        record = json.loads(lines[number])
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise InputError("{path}: is no hand record {valid}", path, _VALID)
    record.pop("coach", None)
    if record.get("unfinished"):
        raise InputError(
            "{path}: hand {number} is still being played, or began in the middle (valid: a whole one)", path, number
        )
    check_record(record)
    return record


def record_rules(record: Mapping[str, Any]) -> RuleSet:
    """The rules of a record; raises ``InputError`` where they are missing or not valid. No file is opened."""
    rules, players = record.get("rules"), record.get("players")
    if not isinstance(rules, dict) or not isinstance(rules.get("preset"), str) or not isinstance(players, int):
        raise InputError("hand record: 'rules' or 'players' is missing {valid}", _VALID)
    preset, changes = rules["preset"], {name: value for name, value in rules.items() if name != "preset"}
    try:
        if preset not in preset_names():
            raise unknown("preset", preset, preset_names())
        return RuleSet(build(preset, players=players, changes=changes), preset)
    except InputError as error:
        raise InputError("hand record: {error}", error) from None


def turns(record: Mapping[str, Any]) -> Iterator[RecordedTurn]:
    """Every play of a hand record in order, each with the hand before it.

    Raises ``InputError`` where the record cannot be: a field missing, cards that are none or not there, illegal plays.
    """
    rules = record_rules(record).fields
    with _reading():
        yield from _turns(rules, record)


def check_record(record: Mapping[str, Any]) -> None:
    """Raise ``InputError`` where a record is not what its deal and its plays lead to; it names the first difference."""
    rules = record_rules(record).fields
    with _reading():
        for name in ("seed", "hand"):
            if type(record[name]) is not int or record[name] < 0:
                raise InputError("{name}: {given} is no whole number from 0 on", name, json.dumps(record[name]))
        for name, value in _replayed(rules, record):
            _compare(name, value, record[name])
        Hand(dict(record)).text()


def is_as_dealt(record: Mapping[str, Any]) -> bool:
    """Whether a record has the cards of its seed and number, as they are dealt with nothing known of them."""
    if max(record["seed"], record["hand"]) >= 1 << 64:
        return False
    dealt = deal_hands(record_rules(record).fields, record["seed"], record["hand"], 1)
    rest = [cards.PACK[card] for card in dealt.decks[0].tolist()]
    for some in (record["table"], *(held for stage in record["stages"] for held in stage["hands"])):
        if {*some} != {*rest[: len(some)]}:
            return False
        rest = rest[len(some) :]
    return int(dealt.misdeals[0]) == len(record["misdeals"])


def _replayed(rules: Rules, record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parts of a record as its deal and its plays make them, in the order in which they happen."""
    from ..kernel.game.hand import MISDEALS, WON_BY_DEALER, WON_BY_OTHERS

    misdeals, table, bonus = record["misdeals"], record["table"], None
    yield "dealer", rules.players - 1
    again = [table for table in misdeals[:MISDEALS] if first_table(rules, _table(rules, table))[0] == "misdeal"]
    yield "misdeals", again[: rules.misdeals_lose or None]
    lost = 0 < rules.misdeals_lose == len(misdeals)
    treatment = "won" if lost else "played"
    if lost:
        yield "table", []
    elif rules.table_cards:
        treatment, word = first_table(rules, _table(rules, table))
        bonus = bonus_of_table(points_shown((word,)), matta_shown((word,))) if word else None
    if treatment == "misdeal":
        raise InputError("the table {table} is a misdeal, and was played", " ".join(table))
    yield "table_bonus", bonus
    last, scope = NOBODY, [0] * rules.sides
    score: Score | None = Score((0,) * rules.sides, (dict.fromkeys(record["points"][0], 0),) * rules.sides, None)
    if treatment == "won":
        yield "stages", []
    else:
        stages = len(record["stages"])
        if stages != len(rules.deal_plan):
            raise InputError("{stages} stages, not {planned}", stages, len(rules.deal_plan))
        for turn in _turns(rules, record):
            scope[rules.side(turn.hand.seat)] += is_scopa_play(turn.play)
        if rules.misdeal_redeal == "table" and stages > 1:  # what was held stayed so
            held = sum(map(_cards, record["stages"][0]["hands"]))
            yield "misdeals", [table for table in misdeals if not _cards(table) & held]
        hand = turn.hand.play(turn.choice)
        last, at_deal = hand.last_capture, [0] * rules.sides
        at_deal[rules.dealer_side] = bonus["points"] if bonus else 0
        swept = [sweeps * rules.sweep_point for sweeps in scope]
        shown = [points - sweeps - dealt for points, sweeps, dealt in zip(hand.points, swept, at_deal, strict=True)]
        score = hand.score({"scope": swept, "table_bonus": at_deal, "hand_bonus": shown})
    assert score is not None
    end = end_of(rules, score, int(WON_BY_OTHERS if lost else WON_BY_DEALER) if treatment == "won" else 0)
    yield from {"last_capture_by": None if last == NOBODY else last, "scope": scope, **end}.items()


def _table(rules: Rules, table: Sequence[str]) -> int:
    """The mask of a first table."""
    dealt = _cards(table)
    if dealt.bit_count() != rules.table_cards:
        raise InputError("the table has {cards} cards, not {table_cards}", dealt.bit_count(), rules.table_cards)
    return dealt


def _compare(name: str, right: Any, given: Any) -> None:
    """Raise ``InputError`` for the first part of a record that is not ``right``; cards may be in any order."""
    if isinstance(right, dict) and isinstance(given, dict):
        for key in right | given:
            _compare(f"{name}.{key}", right[key], given[key])
        return
    if isinstance(right, list) and isinstance(given, list):
        if not all(isinstance(item, str) for item in right + given):
            for place, (value, other) in enumerate(itertools.zip_longest(right, given)):
                _compare(f"{name}[{place}]", value, other)
            return
        right, given = list(Counter(right) - Counter(given)), list(Counter(given) - Counter(right))
    if right != given or type(right) is not type(given):
        raise InputError(
            "{name}: {given} in place of {right}, which the plays lead to",
            name, json.dumps(given), json.dumps(right),
        )  # fmt: skip


@contextmanager
def _reading() -> Iterator[None]:
    """Turns any error in reading a record into an ``InputError``."""
    try:
        yield
    except InputError as error:
        raise InputError("hand record: {error}", error) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        what = Message("{key} is missing", error) if isinstance(error, KeyError) else error
        raise InputError("hand record: cannot be read: {what} {valid}", what, _VALID) from None


def _turns(rules: Rules, record: Mapping[str, Any]) -> Iterator[RecordedTurn]:
    dealt, bonus, number = _cards(record["table"]), record["table_bonus"], 0
    now = HandState.begin(rules, dealt, _points(rules, bonus["points"]) if bonus else None)
    if record["stages"]:
        _table(rules, record["table"])
    if len(record["stages"]) > len(rules.deal_plan):
        raise InputError(
            "{stages} stages, and there are {planned} (deal_plan)", len(record["stages"]), len(rules.deal_plan)
        )
    for stage, row in enumerate(record["stages"]):
        holdings = _holdings(rules, stage, row["hands"], dealt)
        dealt |= sum(holdings)
        now, plays, size = now.deal(holdings), row["plays"], rules.deal_plan[stage] * rules.players
        if len(plays) != size:
            raise InputError("stage {stage}: {plays} plays, not {size}", stage + 1, len(plays), size)
        at_deal = rules.players if rules.knock_timing != "turn" else 0
        for seat, play in enumerate(plays[:at_deal]):
            alone = HandState.at_turn(replace(rules, knock_timing="turn"), stage, 0, holdings[seat])
            now = now.show(_show(alone, seat, play["knock"]), seat)
        for place, play in enumerate(plays):
            number += 1
            _compare(f"play {number}: seat", now.to_play, play["seat"])
            show = () if place < at_deal else _show(now, now.to_play, play["knock"])
            choice = TurnChoice(show, _play(now.show(show), play, number))
            yield RecordedTurn(number, now, choice)
            now = now.play(choice)


def _holdings(rules: Rules, stage: int, hands: Sequence[Sequence[str]], dealt: int) -> tuple[int, ...]:
    """The holdings of a stage, of cards that were not dealt before."""
    size = rules.deal_plan[stage]
    holdings = tuple(_cards(held) for held in hands)
    if [held.bit_count() for held in holdings] != [size] * rules.players:
        raise InputError("stage {stage}: hands are not {players} of {size} cards", stage + 1, rules.players, size)
    for held in holdings:
        if held & dealt:
            raise InputError("stage {stage}: {card} is dealt twice", stage + 1, cards.texts(held & dealt)[0])
        dealt |= held
    return holdings


def _cards(texts: Sequence[str]) -> int:
    if isinstance(texts, str):
        raise InputError("{texts} is no list of cards", repr(texts))
    indices = [cards.parse(card) for card in texts]
    if len(set(indices)) < len(indices):
        raise InputError("a card is given twice in {cards}", " ".join(texts))
    return cards.mask(indices)


def _show(here: HandState, seat: int, knock: Mapping[str, Any] | None) -> tuple[int, ...]:
    """What a seat shows by a record, sets as words, which must be legal."""
    rules, who = here.rules, Message(seat_name(here.rules.players, seat))
    if not knock:
        if () not in here.legal_shows:
            shown = show_words(knock_of(here.legal_shows[0]))
            raise InputError("the {who} shows no set, and must (valid: {sets}, ...)", who, shown)
        return ()
    held, points, matta = _cards(knock["cards"]), _points(rules, knock["points"]), knock["matta_as"]
    for show in here.legal_shows:
        value = matta_shown(show) or None
        if (cards_shown(show), points_shown(show)) == (held, points) and matta == value and type(matta) is type(value):
            return show
    declared = "" if matta is None else Message(", the matta as {value}", repr(matta))
    shown = Message("{cards} for {points}{value}", " ".join(knock["cards"]), points, declared)
    raise InputError("the {who} knocks with {shown}, which it cannot", who, shown)


def _points(rules: Rules, points: Any) -> int:
    """A number of points as a record has it, which is no more than a hand can bring."""
    top = most(rules)["total"]
    if type(points) is not int or not 0 <= points <= top:
        raise InputError("{points} points cannot be (valid: 0 to {top})", repr(points), top)
    return points


def _play(now: HandState, play: Mapping[str, Any], number: int) -> int:
    """The word of a play of a record, which must be legal."""
    card, capture, plays = cards.parse(play["card"]), _cards(play["captured"]), now.legal_plays()
    for word in plays:
        if card_of(word) == card and captured(word) == capture:
            _compare(f"play {number}: as", value_in(word), play["as"])
            _compare(f"play {number}: scopa", bool(is_scopa_play(word)), play["scopa"])
            return word
    text = words_of({"card": play["card"], "captured": play["captured"]})
    legal = [words_of(choice_record(TurnChoice((), word))) for word in plays]
    raise InputError("play {number}, {text}, is not legal (valid: {legal})", number, text, legal)


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
        return record_rules(self.record)

    @cached_property
    def turn(self) -> RecordedTurn:
        """The play and the hand before it; raises ``InputError`` for a play that the hand does not have."""
        return turn_of(self.record, self.play, Message("--at {at!r}: play", self))

    @property
    def situation(self) -> Situation:
        """What the player to play knows, as text says it."""
        now = situation_of(self.turn.hand.seen_by())
        extra = self.besides or Situation()
        return replace(now, score=extra.score, hand=extra.hand, places=(*now.places, *extra.places))

    def __str__(self) -> str:
        also = f"; {self.besides}" if self.besides else ""
        return f"{self.path}#{self.hand}.{self.play}{also}"


def turn_of(record: dict[str, Any], play: int, where: str = "--play") -> RecordedTurn:
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
        if own or (besides is not None and besides.is_position) or (besides and besides.i_am):
            raise InputError(
                "--at {rest!r}: a record says that itself (valid besides: score, next, stock, ...)", rest.strip()
            )
        return None, Recorded(named[1].strip(), int(named[2]), int(named[3]), besides)
    situation = Situation.parse(at)
    if situation.night is not None and not nights:
        raise InputError(
            '--at {situation!r} is a night (valid: odds "wins_night(pair 1)", compare; or cards)', situation
        )
    if me is not None and situation.night is not None:
        raise InputError("--me {me!r} cannot be combined with a night, in which pairs have names (leave it out)", me)
    if me is not None:
        if situation.i_am not in (None, me):
            raise InputError("--me {me!r} is not 'i am: {i_am}' of --at (give one of them)", me, situation.i_am)
        situation = replace(situation, i_am=me)
    return situation, None
