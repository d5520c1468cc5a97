"""The decision points of a hand record: what everybody knew before each play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core import cards
from ..core.errors import InputError, unknown
from ..engine.hand_record import Hand, capture_text
from ..ruleset.bounds import most
from ..ruleset.catalogue import preset_names
from ..ruleset.presets import build
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.information_set import (
    NOBODY,
    InformationSet,
    captured,
    card_of,
    in_words,
    is_sweep,
    make_view,
    matta_mask,
)

# ------------------------------------------------------------------------------------------------ hands in play


@dataclass(frozen=True)
class Show:
    """A set shown: at which turn of the stage, its cards, its points, and what it declares the matta as, or 0."""

    turn: int
    cards: int
    points: int
    matta_as: int


@dataclass(frozen=True)
class Moment:
    """A hand in play with all that is hidden; masks of cards by seat or side, seats in the order of play.

    ``points`` are sweeps and the table bonus so far; those of the sets shown are added as they become known.
    """

    rules: Rules
    stage: int
    turn: int
    seat: int
    holdings: tuple[int, ...]
    table: int
    piles: tuple[int, ...]
    points: tuple[int, ...]
    last_capture: int
    matta_value: int
    played: tuple[int, ...]
    shows: tuple[tuple[Show, ...], ...]
    """By seat, of this stage."""
    earlier: tuple[int, ...]
    """Points by side for sets shown in the stages before."""
    stage_plays: tuple[int, ...] = ()
    """The plays of this stage in order, words, where they are known."""

    @classmethod
    def of_open_cards(cls, now: InformationSet, holdings: tuple[int, ...]) -> Moment:
        """The hand that a situation is of, where all holdings are known."""
        rules, turn = now.rules, now.field("turn")
        first = now.by_seat("first")[: rules.players]
        return cls(
            rules, now.field("stage"), turn, now.field("seat"), holdings, now.field("table"),
            now.by_seat("pile")[: rules.sides], now.by_seat("points")[: rules.sides], now.field("last_capture"),
            now.field("matta_value"), now.by_seat("played")[: rules.players],
            shows=tuple((Show(turn // 3 * 3, mask, 0, 0),) if mask else () for mask in first),
            earlier=(0,) * rules.sides,
        )  # fmt: skip

    def open_information(self) -> InformationSet:
        """What the seat to play would know if all holdings lay open."""
        now = self.information()
        view = now.view.copy()
        view[0]["shown"][: self.rules.players] = self.holdings
        holder = next((s for s, held in enumerate(self.holdings) if held & matta_mask(self.rules)), None)
        matta_value = self.matta_value if holder is None else _declared_in(self.shows[holder], self.matta_value)
        view[0]["matta_value"] = matta_value
        return InformationSet(self.rules, view)

    def information(self) -> InformationSet:
        """What the seat to play knows."""
        rules = self.rules
        points = [a + b for a, b in zip(self.points, self.earlier, strict=True)]
        shown, first, declined, matta_value = [], [], [], self.matta_value
        shown_first = (
            rules.bonus_cards_first and rules.deal_plan[self.stage] > 3
        )  # cards shown are played before others
        for other in range(rules.players):
            seen = [show for show in self.shows[other] if self._is_known(show.turn, other)]
            points[rules.side(other)] += sum(show.points for show in seen)
            is_open = self._lies_open(other)
            if self.holdings[other] & matta_mask(rules):  # what open sets will declare is known before
                matta_value = _declared_in(self.shows[other] if is_open else seen, matta_value)
            lying = [show.cards & self.holdings[other] for show in seen]
            shown.append(self.holdings[other] if is_open else sum(lying))
            first.append(next((mask for mask in lying if mask), 0) if shown_first else 0)
            declined.append(int(not is_open and self._has_declined(other)))
        view = make_view(
            rules,
            {
                "seat": self.seat, "stage": self.stage, "turn": self.turn, "holding": self.holdings[self.seat],
                "table": self.table, "matta_value": matta_value, "last_capture": self.last_capture,
                "pile": self.piles, "points": tuple(points), "shown": tuple(shown), "first": tuple(first),
                "held": tuple(held.bit_count() for held in self.holdings), "played": self.played,
                "declined": tuple(declined), "history_size": len(self.stage_plays), "history": self.stage_plays,
            },
        )  # fmt: skip
        return InformationSet(rules, view)

    def _lies_open(self, other: int) -> bool:
        """Whether the seat to play sees the cards of a seat: its own, a partner's, or everybody's in the last stage."""
        rules = self.rules
        last = rules.open_last_stage and self.stage + 1 == len(rules.deal_plan)
        partners = rules.open_partners and rules.side(other) == rules.side(self.seat)
        return other == self.seat or last or partners

    def _has_declined(self, other: int) -> bool:
        """Whether a seat could have shown a set when the stage was dealt, and did not."""
        could = self.rules.hand_bonuses and self.rules.deal_plan[self.stage] >= 3 and self._is_known(0, other)
        return bool(could and not any(show.turn == 0 for show in self.shows[other]))

    def _is_known(self, turn: int, other: int) -> bool:
        at_once = self.rules.knock_timing != "turn"
        return self.turn > turn or (self.turn == turn and (other <= self.seat or at_once))

    def after(self, play: int) -> Moment:
        """The hand after a play, a word; the stage is over when nobody holds a card."""
        rules, seat = self.rules, self.seat
        own, got, side = 1 << card_of(play), captured(play), self.rules.side(self.seat)
        matta_value = self.matta_value
        if own & matta_mask(rules):
            matta_value = _declared_in(self.shows[seat], matta_value)
        table = self.table & ~got if got else self.table | own
        seat, turn = (seat + 1, self.turn) if seat + 1 < rules.players else (0, self.turn + 1)
        if seat == 0:
            matta_value = reverted(rules, table, matta_value)
        return replace(
            self, seat=seat, turn=turn, table=table, matta_value=matta_value, stage_plays=(*self.stage_plays, play),
            holdings=_changed(self.holdings, self.seat, self.holdings[self.seat] & ~own),
            piles=_changed(self.piles, side, self.piles[side] | got | own) if got else self.piles,
            points=_changed(self.points, side, self.points[side] + is_sweep(play)),
            last_capture=self.seat if got else self.last_capture,
            played=_changed(self.played, self.seat, self.played[self.seat] | own),
        )  # fmt: skip


def _declared_in(shows: Sequence[Show], otherwise: int) -> int:
    return next((show.matta_as for show in shows if show.matta_as), otherwise)


def reverted(rules: Rules, table: int, matta_value: int) -> int:
    """The matta's value at the start of a round."""
    if rules.matta_on_table == "reverts" and table & matta_mask(rules):
        return cards.VALUES[cards.parse(rules.matta or "")]
    return matta_value


def _changed(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*numbers[:at], number, *numbers[at + 1 :])


# ------------------------------------------------------------------------------------------------ hand records

_VALID = "(valid: what cirulla-sim show --format json prints)"


@dataclass(frozen=True)
class Turn:
    """A play of a hand record: its place in the hand from 1, the hand before it, and the play, a word."""

    number: int
    moment: Moment
    play: int


def read_record(path: Path, number: int = 0) -> dict[str, Any]:
    """The hand record in a file, or where there are several lines that of line ``number`` from 0.

    Raises ``InputError`` if there is none, and for a hand that is in play.
    """
    lines = _lines(path)
    if number >= len(lines):
        raise InputError(f"--hand '{number}' is not in {path} (valid: 0 to {len(lines) - 1})")
    record = _read(lines[number], path)
    if record.get("unfinished"):
        raise InputError(f"{path}: hand {number} is still being played (valid: one that is played out)")
    return record


def read_records(path: Path) -> dict[int, dict[str, Any]]:
    """The hand records in a file by their lines, from 0, without one that is in play.

    Raises ``InputError`` if there is none.
    """
    records = {number: _read(line, path) for number, line in enumerate(_lines(path))}
    complete = {number: record for number, record in records.items() if not record.get("unfinished")}
    if not complete:
        raise InputError(f"{path}: its hand is still being played (valid: hands that are played out)")
    return complete


def _lines(path: Path) -> list[str]:
    """The texts of the records in a file."""
    try:
        lines = path.read_text("utf-8").strip().splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror} (valid: a hand record, see show)") from None
    except ValueError:
        raise InputError(f"{path}: is no hand record {_VALID}") from None
    several = lines[1:] and all(line.lstrip().startswith("{") for line in lines)
    return lines if several else ["\n".join(lines)]


def _read(text: str, path: Path) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise InputError(f"{path}: is no hand record {_VALID}")
    return record


def rules_of(record: Mapping[str, Any]) -> RuleSet:
    """The rules of a record; raises ``InputError`` where they are missing or not valid. No file is opened."""
    rules, players = record.get("rules"), record.get("players")
    if not isinstance(rules, dict) or not isinstance(rules.get("preset"), str) or not isinstance(players, int):
        raise InputError(f"hand record: 'rules' or 'players' is missing {_VALID}")
    preset, changes = rules["preset"], {name: value for name, value in rules.items() if name != "preset"}
    try:
        if preset not in preset_names():
            raise unknown("preset", preset, preset_names())
        return RuleSet(build(preset, players=players, changes=changes), preset)
    except InputError as error:
        raise InputError(f"hand record: {error}") from None


def turns(record: Mapping[str, Any]) -> Iterator[Turn]:
    """Every play of a hand record in order, each with the hand before it.

    Raises ``InputError`` where the record cannot be: a field missing, cards that are none or not there, illegal plays.
    """
    rules = rules_of(record).fields
    with _reading():
        yield from _turns(rules, record)


def check_record(record: Mapping[str, Any]) -> None:
    """Raise ``InputError`` where a record cannot be: plays that are not legal, parts that are missing."""
    rules = rules_of(record).fields
    for _ in turns(record):
        pass
    with _reading():
        if len(record["points"]) != rules.sides:
            raise InputError(f"points of {len(record['points'])} sides, not {rules.sides}")
        for side in record["points"]:
            _points(rules, side["total"])
        if len(record["stages"]) not in (0, len(rules.deal_plan)):
            raise InputError(f"{len(record['stages'])} stages, not {len(rules.deal_plan)}")
        Hand(dict(record)).text()


@contextmanager
def _reading() -> Iterator[None]:
    """Turns any error in reading a record into an ``InputError``."""
    try:
        yield
    except InputError as error:
        raise InputError(f"hand record: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"hand record: cannot be read: {what} {_VALID}") from None


def _turns(rules: Rules, record: Mapping[str, Any]) -> Iterator[Turn]:
    dealt, number = _cards(record["table"]), 0
    now = _before_the_first_stage(rules, record, dealt)
    if record["stages"] and dealt.bit_count() != rules.table_cards:
        raise InputError(f"the table has {dealt.bit_count()} cards, not {rules.table_cards}")
    if len(record["stages"]) > len(rules.deal_plan):
        raise InputError(f"{len(record['stages'])} stages, and there are {len(rules.deal_plan)} (deal_plan)")
    for stage, row in enumerate(record["stages"]):
        holdings = _holdings(rules, stage, row["hands"], dealt)
        dealt |= sum(holdings)
        earlier = list(now.earlier)
        for seat, shows in enumerate(now.shows):
            earlier[rules.side(seat)] += sum(show.points for show in shows)
        now = replace(
            now, stage=stage, turn=0, seat=0, holdings=holdings, played=(0,) * rules.players,
            shows=_shows(rules, holdings, row["plays"]), earlier=tuple(earlier), stage_plays=(),
            matta_value=reverted(rules, now.table, now.matta_value),
        )  # fmt: skip
        if len(row["plays"]) != rules.deal_plan[stage] * rules.players:
            raise InputError(
                f"stage {stage + 1}: {len(row['plays'])} plays, not {rules.deal_plan[stage] * rules.players}"
            )
        for play in row["plays"]:
            number += 1
            word = _play(now, play, number)
            yield Turn(number, now, word)
            now = now.after(word)


def _before_the_first_stage(rules: Rules, record: Mapping[str, Any], table: int) -> Moment:
    bonus, blank, dealer = record["table_bonus"], (0,) * rules.sides, rules.dealer_side
    return Moment(
        rules, 0, 0, 0, (0,) * rules.players, 0 if bonus else table,
        piles=_changed(blank, dealer, table) if bonus else blank,
        points=_changed(blank, dealer, _points(rules, bonus["points"])) if bonus else blank,
        last_capture=rules.players - 1 if bonus else NOBODY,
        matta_value=cards.VALUES[cards.parse(rules.matta)] if rules.matta else 0,
        played=(0,) * rules.players, shows=((),) * rules.players, earlier=blank,
    )  # fmt: skip


def _holdings(rules: Rules, stage: int, hands: Sequence[Sequence[str]], dealt: int) -> tuple[int, ...]:
    """The holdings of a stage, of cards that were not dealt before."""
    size = rules.deal_plan[stage]
    holdings = tuple(_cards(held) for held in hands)
    if [held.bit_count() for held in holdings] != [size] * rules.players:
        raise InputError(f"stage {stage + 1}: hands are not {rules.players} of {size} cards")
    for held in holdings:
        if held & dealt:
            raise InputError(f"stage {stage + 1}: {cards.texts(held & dealt)[0]} is dealt twice")
        dealt |= held
    return holdings


def _cards(texts: Sequence[str]) -> int:
    if isinstance(texts, str):
        raise InputError(f"{texts!r} is no list of cards")
    indices = [cards.parse(card) for card in texts]
    if len(set(indices)) < len(indices):
        raise InputError(f"a card is given twice in {' '.join(texts)}")
    return cards.mask(indices)


def _shows(rules: Rules, holdings: Sequence[int], plays: Sequence[dict[str, Any]]) -> tuple[tuple[Show, ...], ...]:
    """The sets shown in a stage, by seat; these must be of cards that it was dealt, and as many as there can be."""
    shows: list[list[Show]] = [[] for _ in range(rules.players)]
    for place, play in enumerate(plays):
        knock = play["knock"]
        if knock:
            (turn, seat), held, matta = divmod(place, rules.players), _cards(knock["cards"]), knock["matta_as"]
            if held & ~holdings[seat] or len(shows[seat]) == holdings[seat].bit_count() // 3:
                raise InputError(f"seat {seat} knocks with {' '.join(knock['cards'])}, which it cannot")
            if matta is not None and (type(matta) is not int or matta not in cards.VALUES):
                raise InputError(f"matta_as {matta!r} is no value (valid: 1 to 10, null)")
            shows[seat].append(Show(turn, held, _points(rules, knock["points"]), matta or 0))
    return tuple(tuple(seat) for seat in shows)


def _points(rules: Rules, points: Any) -> int:
    """A number of points as a record has it, which is no more than a hand can bring."""
    top = most(rules)["total"]
    if type(points) is not int or not 0 <= points <= top:
        raise InputError(f"{points!r} points cannot be (valid: 0 to {top})")
    return points


def _play(now: Moment, play: dict[str, Any], number: int) -> int:
    """The word of a play of a record, which must be legal."""
    card, capture = cards.parse(play["card"]), _cards(play["captured"])
    if play["seat"] != now.seat:
        raise InputError(f"play {number} is of seat {play['seat']!r} where seat {now.seat} is to play")
    for word in now.information().plays():
        if card_of(word) == card and captured(word) == capture:
            return word
    text = capture_text(play["card"], " ".join(play["captured"]))
    legal = ", ".join(in_words(word) for word in now.information().plays())
    raise InputError(f"play {number}, {text}, is not legal (valid: {legal})")
