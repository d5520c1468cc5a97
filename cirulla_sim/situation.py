"""What the seat to play knows, as the policies get it: from words said at the table, or from a play of a hand record.

A ``Situation`` holds a view (``kernel.view.VIEW``) and so nothing that the seat cannot know. A ``Moment`` is a hand in
play with all holdings, as a record or a solver has it; its ``situation`` is what its seat to play knows of it.

>>> from cirulla_sim.rules import build
>>> now, assumed = read(build("cirulla"), table="Ad 5c 7h Kd", holding="7d 2s Jh")
>>> [text(play) for play in now.plays()][:3]
['Jh takes 7h Ad', 'Jh takes 7h', '7d takes 7h']
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cards, position
from .errors import InputError
from .rules import Rules, build

Words = NDArray[np.uint64]

NOBODY = 255
_KEY = (1 << 40) - 1


# ------------------------------------------------------------------------------------------------ plays


def card_of(play: int) -> int:
    """The index of the card of a play, a word as ``kernel.view.play_word`` makes them."""
    return play >> 40 & 63


def captured(play: int) -> int:
    """The mask of the table cards a play captures, 0 where the card is left."""
    return play & _KEY


def is_sweep(play: int) -> bool:
    """Whether a play scores a scopa."""
    return bool(play >> 50 & 1)


def text(play: int) -> str:
    """A play in words: ``7d takes Ad 7h`` or ``leave 2s``."""
    card = cards.text(card_of(play))
    return f"{card} takes {' '.join(cards.texts(captured(play)))}" if captured(play) else f"leave {card}"


# ------------------------------------------------------------------------------------------------ situations


@dataclass(frozen=True, eq=False)
class Situation:
    """What the seat to play knows: a view, an array of one ``kernel.view.VIEW``, and what it does not remember.

    ``unowned`` is the mask of cards gone of which it does not know who captured them, ``forgotten`` the number of
    unseen cards that are gone.
    """

    rules: Rules
    view: NDArray[Any]
    unowned: int = 0
    forgotten: int = 0

    @cached_property
    def _legal(self) -> Words:
        from .experiment import flat_rules
        from .kernel.captures import new_rows
        from .kernel.playouts import list_legal
        from .kernel.view import MOST_PLAYS

        room = np.zeros(MOST_PLAYS, np.uint64)
        return room[: int(list_legal(flat_rules(self.rules), self.view, new_rows(), room))].copy()

    def plays(self) -> list[int]:
        """Every legal play, as words: the lowest card first, then its captures, then leaving it where that is free."""
        return [int(word) for word in self._legal]

    def field(self, name: str) -> int:
        """A number of the view."""
        return int(self.view[0][name])

    def by_seat(self, name: str) -> tuple[int, ...]:
        """Numbers of the view, by seat or side."""
        return tuple(int(number) for number in self.view[0][name])

    @property
    def side(self) -> int:
        """The side of the seat to play."""
        return self.rules.side(self.field("seat"))

    def known_holdings(self) -> tuple[int, ...] | None:
        """All holdings, by seat, where what is unseen can only be in one of them; else None."""
        if self.field("stock") or self.unowned or self.forgotten:
            return None
        seat, held, shown = self.field("seat"), self.by_seat("held"), list(self.by_seat("shown"))
        shown[seat] = self.field("holding")
        hidden = [other for other in range(self.rules.players) if held[other] > shown[other].bit_count()]
        if len(hidden) > 1:
            return None
        for other in hidden:
            shown[other] |= self.unseen
        return tuple(shown[: self.rules.players])

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in other holdings or in the stock."""
        known = self.field("holding") | self.field("table") | self.unowned
        for mask in (*self.by_seat("pile"), *self.by_seat("shown")):
            known |= mask
        return ~known & _KEY

    def next_player(self, play: int) -> position.Position | None:
        """What is known when a play has been made and the next player finds the table; None after the last play."""
        rules, seat = self.rules, self.field("seat")
        if self.field("plays_left") == 1:
            return None
        own = 1 << card_of(play)
        got = captured(play)
        order = [(seat + k) % rules.players for k in range(1, rules.players)]
        held, shown = self.by_seat("held"), self.by_seat("shown")
        counts = tuple(held[other] for other in order)
        if not any(counts):
            counts = (rules.deal_plan[self.field("stage") + 1],) * len(order)
        gone = self.unowned | (got | own if got else 0)
        for pile in self.by_seat("pile"):
            gone |= pile
        return position.Position(
            rules,
            table=self.field("table") & ~got if got else self.field("table") | own,
            holding=self.field("holding") & ~own,
            seen=gone,
            held=counts,
            shown=tuple(shown[other] for other in order),
            matta_value=self.field("matta_value"),
        )


def open_holdings(now: Situation) -> tuple[int, ...]:
    """All holdings, by seat, of a situation in which everybody's cards are shown.

    Raises ``InputError`` where somebody holds more than is shown.
    """
    held, shown = now.by_seat("held"), now.by_seat("shown")[: now.rules.players]
    for seat, mask in enumerate(shown):
        if mask.bit_count() != held[seat]:
            raise InputError(
                f"--hands has {mask.bit_count()} cards for seat {seat + 1}, who holds {held[seat]} when seat "
                f"{now.field('seat') + 1} is to play (valid: as many as you hold, or one less for who has played)"
            )
    return shown


def make_view(rules: Rules, fields: dict[str, Any]) -> NDArray[Any]:
    """An array of one ``VIEW`` with these fields; those that follow from the rules and the others are added."""
    from .kernel.view import new_view

    seat, stage, turn = fields["seat"], fields["stage"], fields["turn"]
    made = rules.players * (sum(rules.deal_plan[:stage]) + turn) + seat
    left = 40 - rules.table_cards - made
    product = 1
    for card in cards.members(fields["table"]):
        product = product * (1 + 16 ** _value(rules, card, fields["matta_value"])) % 2**64
    first = fields.get("first", (0,) * rules.players)
    more = {
        "players": rules.players,
        "sides": rules.sides,
        "side": rules.side(seat),
        "plays_left": left,
        "stock": left - sum(fields["held"]),
        "allowed": first[seat] or fields["holding"],
        "table_product": product,
        "may_show": int(rules.hand_bonuses and rules.bonus_cards_first and rules.deal_plan[stage] > 3),
    }
    view = new_view()
    for name, value in (fields | more).items():
        if isinstance(value, tuple):
            view[0][name][: len(value)] = value
        else:
            view[0][name] = value
    return view


def _value(rules: Rules, card: int, matta_value: int) -> int:
    return matta_value if rules.matta is not None and card == cards.parse(rules.matta) else cards.VALUES[card]


def _matta(rules: Rules) -> int:
    """The mask of the matta, 0 where there is none."""
    return 0 if rules.matta is None else 1 << cards.parse(rules.matta)


# ------------------------------------------------------------------------------------------------ as said at the table


def read(
    rules: Rules,
    table: str,
    holding: str,
    seen: str = "",
    *,
    piles: str | None = None,
    held: Sequence[int] = (),
    seat: int | None = None,
    shown: Sequence[str] = (),
    matta_as: int | None = None,
    stage: int | None = None,
    points: Sequence[int] = (),
) -> tuple[Situation, list[str]]:
    """The situation that some words describe, and lines that say what was taken for granted.

    Cards are as ``cards.parse_many`` reads them, and the words as in ``position.read``, but ``holding`` is what one
    holds before playing. ``piles`` tells who captured what, as ``"mine: 7d 2s; theirs: Kd 3h"`` (with three sides and
    more ``mine``, ``next``, ``second``, ...); ``seen`` are cards gone whose pile does not matter or is not remembered.
    ``shown`` may also name the cards of a set that one has shown oneself and must play first, as ``"me: 2h 3c 4d"``.
    ``seat`` is one's place in the order of play from 1, ``stage`` counts the dealings of cards from 1, and ``points``
    are sweeps and bonuses so far, one's own side's first.

    Raises ``InputError`` that names the flag of the command.
    """
    assumed: list[str] = []
    owners = _read_piles(rules, piles)
    gone = " ".join([seen, *(" ".join(cards.texts(mask)) for mask in owners)])
    size = len(_parsed("--holding", holding))
    if not 1 <= size <= max(rules.deal_plan):
        raise InputError(
            f"--holding has {size} cards (valid: what you hold before playing, 1 to {max(rules.deal_plan)} cards)"
        )
    place = _place(rules, size, held, seat, assumed)
    counts = (size,) * (rules.players - 1 - place) + (size - 1,) * place
    _disjoint_piles(seen, owners)
    own_set, others = _own_set(rules, holding, shown)
    lies_open = _matta(rules) & cards.mask(_parsed("--holding", holding))
    told = None if lies_open else matta_as
    at = position.read(rules, table, holding, gone, held=counts, shown=others, matta_as=told)
    matta_value = _declared(rules, at, size, matta_as, assumed) if lies_open else at.matta_value
    accounted, number = _stage(rules, at, place, stage)
    forgotten = accounted - (at.table | at.seen).bit_count()
    named = at.seen.bit_count()
    if forgotten:
        assumed.append(
            f"Of the {named + forgotten} cards gone by stage {number + 1} you named {named}: the other {forgotten} are "
            "taken to be any of the unseen (name them with --seen or --piles; --stage says how far the hand is)."
        )
    side = rules.side(place)
    unowned = at.seen
    pile = [0] * rules.sides
    for k, mask in enumerate(owners):
        pile[(side + k) % rules.sides] = mask
        unowned &= ~mask
    if unowned:
        assumed.append(
            f"{unowned.bit_count()} cards gone are put in any side's pile by chance (say whose they are with --piles)."
        )
    made = [0] * rules.sides
    if points and len(points) != rules.sides:
        raise InputError(
            f"--points '{'-'.join(map(str, points))}' names {len(points)} sides (valid: sweeps and bonuses so far of "
            f"each of the {rules.sides} sides, your own first)"
        )
    for k, number_of in enumerate(points):
        made[(side + k) % rules.sides] = number_of
    known = [0] * rules.players
    for k, mask in enumerate(at.shown, 1):
        known[(place + k) % rules.players] = mask
    known[place] = at.holding
    full = [size - (other < place) for other in range(rules.players)]
    at_deal = rules.knock_timing != "turn" and rules.hand_bonuses
    whole = rules.deal_plan[number]
    first = [0] * rules.players
    if whole > 3 and rules.bonus_cards_first:
        first = [mask if other != place else own_set for other, mask in enumerate(known)]
    view = make_view(
        rules,
        {
            "seat": place, "stage": number, "turn": whole - size,
            "holding": at.holding, "table": at.table, "matta_value": matta_value, "last_capture": NOBODY,
            "pile": tuple(pile), "points": tuple(made), "held": tuple(full), "shown": tuple(known),
            "first": tuple(first),
            "declined": tuple(
                int(at_deal and not known[other] and full[other] == whole) for other in range(rules.players)
            ),
        },
    )  # fmt: skip
    if view[0]["may_show"] and not own_set and (points_left := _claimable(rules, at.holding)):
        assumed.append(
            f"You hold sets worth {points_left} points, and are taken to show them when you play from them "
            "(one you show now, and so play first, is --shown 'me: ...')."
        )
    return Situation(rules, view, unowned, forgotten), assumed


def _claimable(rules: Rules, holding: int) -> int:
    """The most points that sets of three cards of a holding earn together."""
    from .experiment import flat_rules
    from .kernel.knock import SCRATCH
    from .kernel.prices import POINTS_AT
    from .kernel.sets import choose_all

    knocks = np.zeros((3, 1), np.uint64)
    choose_all(flat_rules(rules), np.array([holding], np.uint64), knocks, np.zeros(SCRATCH, np.uint64))
    return sum(int(word) >> POINTS_AT for word in knocks.ravel())


def _parsed(flag: str, words: str) -> list[int]:
    try:
        return cards.parse_many(words)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def _own_set(rules: Rules, holding: str, shown: Sequence[str]) -> tuple[int, list[str]]:
    """The mask of one's own set that must be played first, and what is said of the others."""
    mine = [words.partition(":")[2] for words in shown if words.partition(":")[0].strip() == "me"]
    others = [words for words in shown if words.partition(":")[0].strip() != "me"]
    own = cards.mask(_parsed("--shown me", " ".join(mine)))
    lacking = own & ~cards.mask(_parsed("--holding", holding))
    if lacking:
        raise InputError(f"--shown me: {cards.texts(lacking)[0]} is not in --holding (valid: cards you hold)")
    if own and not (rules.big_holdings and rules.bonus_cards_first):
        raise InputError("--shown me says nothing here: no cards must be played before others (leave it out)")
    return own, others


def _read_piles(rules: Rules, piles: str | None) -> list[int]:
    """The masks of the piles told, by side from one's own on."""
    names = ["mine", "theirs"] if rules.sides == 2 else ["mine", *position.PLACES[: rules.sides - 1]]
    owners = [0] * rules.sides
    for part in (piles or "").split(";"):
        if not part.strip():
            continue
        name, colon, words = part.partition(":")
        if not colon or name.strip() not in names:
            raise InputError(
                f"--piles {part.strip()!r} names no side "
                f"(valid: {', '.join(names)}, as 'mine: 7d 2s; {names[1]}: Kd 3h')"
            )
        owners[names.index(name.strip())] |= cards.mask(_parsed("--piles", words))
    return owners


def _disjoint_piles(seen: str, owners: Sequence[int]) -> None:
    taken = 0
    for mask in owners:
        if taken & mask:
            raise InputError(
                f"card {cards.texts(taken & mask)[0]!r} is given twice, in two piles: every card is in the pack once"
            )
        taken |= mask
    twice = taken & cards.mask(_parsed("--seen", seen))
    if twice:
        raise InputError(
            f"card {cards.texts(twice)[0]!r} is given twice, in --piles and in --seen: every card is in the pack once"
        )


def _place(rules: Rules, size: int, held: Sequence[int], seat: int | None, assumed: list[str]) -> int:
    """One's place in the order of play, from 0."""
    others = rules.players - 1
    if seat is not None and held:
        raise InputError(f"--held and --seat '{seat}' both say how many cards the others hold (give one of them)")
    if seat is not None:
        if not 1 <= seat <= rules.players:
            raise InputError(f"--seat '{seat}' is out of range (valid: 1 to {rules.players}, the dealer's last)")
        return seat - 1
    if not held:
        assumed.append("You are taken to be the first to play in this round (say otherwise with --seat).")
        return 0
    counts = tuple(held) * others if len(held) == 1 else tuple(held)
    fewer = counts.count(size - 1)
    if counts != (size,) * (others - fewer) + (size - 1,) * fewer:
        raise InputError(
            f"--held '{','.join(map(str, held))}' cannot be when you hold {size} and are to play "
            f"(valid: for each of the {others} others {size}, or {size - 1} if they have played in this round)"
        )
    return fewer


def _declared(rules: Rules, at: position.Position, size: int, matta_as: int | None, assumed: list[str]) -> int:
    """The value of a matta that one holds: as said, or as it is worth most in a knock with one's whole holding."""
    from .experiment import flat_rules
    from .kernel.prices import POINTS_AT

    if matta_as is not None:
        return matta_as
    own = cards.VALUES[cards.parse(rules.matta or "")]
    if size != 3 or size not in rules.deal_plan or not rules.hand_bonuses:
        return own
    flat = flat_rules(rules)
    first, second, third = (int(flat.digits[card]) for card in cards.members(at.holding))
    bonus = int(flat.sets[(first * 11 + second) * 11 + third])
    if not bonus:
        return own
    value = bonus & 15 or own
    assumed.append(f"You knock for {bonus >> POINTS_AT}, the matta as {value} (say otherwise with --matta-as).")
    return value


def _stage(rules: Rules, at: position.Position, place: int, stage: int | None) -> tuple[int, int]:
    """How many cards lie on the table or are gone, and the stage from 0: the earliest that the cards named allow."""
    size, named = at.holding.bit_count(), (at.table | at.seen).bit_count()
    fits = []
    for number, whole in enumerate(rules.deal_plan):
        if whole < size or (stage is not None and stage != number + 1):
            continue
        made = rules.players * (sum(rules.deal_plan[:number]) + whole - size) + place
        accounted = rules.table_cards + made
        gone = accounted - at.table.bit_count()
        fits.append(accounted)
        if accounted >= named and gone != 1 and (made or gone in (0, rules.table_cards)):
            return accounted, number
    if not fits:
        raise InputError(
            f"--stage '{stage}' is out of range: with {size} cards in hand it is one of "
            f"{', '.join(str(n + 1) for n, whole in enumerate(rules.deal_plan) if whole >= size)}"
        )
    raise InputError(
        f"--table and --seen name {named} cards, which cannot come from one deal: holding {size} as seat {place + 1}, "
        f"{' or '.join(map(str, fits))} cards are on the table or gone (check --table, --holding, --seen and --seat)"
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

    @classmethod
    def known(cls, now: Situation, holdings: tuple[int, ...]) -> Moment:
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

    def open_situation(self) -> Situation:
        """What the seat to play would know if all holdings lay open."""
        now = self.situation()
        view = now.view.copy()
        view[0]["shown"][: self.rules.players] = self.holdings
        holder = next((s for s, held in enumerate(self.holdings) if held & _matta(self.rules)), None)
        matta_value = self.matta_value if holder is None else _declared_in(self.shows[holder], self.matta_value)
        fields = {name: now.field(name) for name in ("seat", "stage", "turn", "holding", "table")}
        view[0]["matta_value"] = matta_value
        view[0]["table_product"] = make_view(
            self.rules, fields | {"matta_value": matta_value, "held": now.by_seat("held")}
        )[0]["table_product"]
        return Situation(self.rules, view)

    def situation(self) -> Situation:
        """What the seat to play knows."""
        rules, size = self.rules, self.rules.deal_plan[self.stage]
        last = rules.open_last_stage and self.stage + 1 == len(rules.deal_plan)
        side = rules.side(self.seat)
        points = [a + b for a, b in zip(self.points, self.earlier, strict=True)]
        shown, first, declined, matta_value = [], [], [], self.matta_value
        for other in range(rules.players):
            seen = [show for show in self.shows[other] if self._is_known(show.turn, other)]
            points[rules.side(other)] += sum(show.points for show in seen)
            open_ = other == self.seat or last or (rules.open_partners and rules.side(other) == side)
            if self.holdings[other] & _matta(rules):  # what one's own sets and open ones will declare is known before
                matta_value = _declared_in(self.shows[other] if open_ else seen, matta_value)
            lying = [show.cards & self.holdings[other] for show in seen]
            shown.append(self.holdings[other] if open_ else sum(lying))
            big = rules.bonus_cards_first and size > 3
            first.append(next((mask for mask in lying if mask), 0) if big else 0)
            knocks = rules.hand_bonuses and size >= 3 and not open_
            declined.append(
                int(knocks and self._is_known(0, other) and not any(s.turn == 0 for s in self.shows[other]))
            )
        view = make_view(
            rules,
            {
                "seat": self.seat, "stage": self.stage, "turn": self.turn, "holding": self.holdings[self.seat],
                "table": self.table, "matta_value": matta_value, "last_capture": self.last_capture,
                "pile": self.piles, "points": tuple(points), "shown": tuple(shown), "first": tuple(first),
                "held": tuple(held.bit_count() for held in self.holdings), "played": self.played,
                "declined": tuple(declined),
            },
        )  # fmt: skip
        return Situation(rules, view)

    def _is_known(self, turn: int, other: int) -> bool:
        at_once = self.rules.knock_timing != "turn"
        return self.turn > turn or (self.turn == turn and (other <= self.seat or at_once))

    def after(self, play: int) -> Moment:
        """The hand after a play, a word; the stage is over when nobody holds a card."""
        rules, seat = self.rules, self.seat
        own, got, side = 1 << card_of(play), captured(play), self.rules.side(self.seat)
        matta_value = self.matta_value
        if own & _matta(rules):
            matta_value = _declared_in(self.shows[seat], matta_value)
        table = self.table & ~got if got else self.table | own
        seat, turn = (seat + 1, self.turn) if seat + 1 < rules.players else (0, self.turn + 1)
        if seat == 0:
            matta_value = reverted(rules, table, matta_value)
        return replace(
            self,
            seat=seat,
            turn=turn,
            holdings=_changed(self.holdings, self.seat, self.holdings[self.seat] & ~own),
            table=table,
            piles=_changed(self.piles, side, self.piles[side] | got | own) if got else self.piles,
            points=_changed(self.points, side, self.points[side] + is_sweep(play)),
            last_capture=self.seat if got else self.last_capture,
            matta_value=matta_value,
            played=_changed(self.played, self.seat, self.played[self.seat] | own),
        )


def _declared_in(shows: Sequence[Show], otherwise: int) -> int:
    return next((show.matta_as for show in shows if show.matta_as), otherwise)


def reverted(rules: Rules, table: int, matta_value: int) -> int:
    """The matta's value at the start of a round."""
    if rules.matta_on_table == "reverts" and table & _matta(rules):
        return cards.VALUES[cards.parse(rules.matta or "")]
    return matta_value


def _changed(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*numbers[:at], number, *numbers[at + 1 :])


# ------------------------------------------------------------------------------------------------ hand records


@dataclass(frozen=True)
class Turn:
    """A play of a hand record: its place in the hand from 1, the hand before it, and the play made, a word."""

    number: int
    moment: Moment
    made: int


def read_record(path: Path) -> dict[str, Any]:
    """The hand record in a file, the first one if there are several lines.

    Raises ``InputError`` if there is none.
    """
    try:
        lines = path.read_text("utf-8").strip().splitlines()
        record = json.loads(lines[0] if lines[1:] and lines[1].lstrip().startswith("{") else "\n".join(lines))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror} (valid: a hand record, see show)") from None
    except (ValueError, IndexError):
        raise InputError(f"{path}: is no hand record (valid: what cirulla-sim show --format json prints)") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}: is no hand record (valid: what cirulla-sim show --format json prints)")
    return record


def rules_of(record: dict[str, Any]) -> tuple[Rules, str]:
    """The rules of a record, and the preset they are told from; raises ``InputError`` where it has none."""
    told = record.get("rules")
    if (
        not isinstance(told, dict)
        or not isinstance(told.get("preset"), str)
        or not isinstance(record.get("players"), int)
    ):
        raise InputError(
            "hand record: 'rules' or 'players' is missing (valid: what cirulla-sim show --format json prints)"
        )
    changes = {name: value for name, value in told.items() if name != "preset"}
    try:
        return build(told["preset"], players=record["players"], changes=changes), told["preset"]
    except InputError as error:
        raise InputError(f"hand record: {error}") from None


def turns(record: dict[str, Any]) -> Iterator[Turn]:
    """Every play of a hand record in order, each with the hand before it.

    Raises ``InputError`` where the record cannot be: a field missing, cards that are none or not there, illegal plays.
    """
    rules, _ = rules_of(record)
    try:
        yield from _turns(rules, record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, InputError):
            raise InputError(f"hand record: {error}") from None
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"hand record: cannot be read: {what} (valid: what cirulla-sim show --format json prints)"
        ) from None


def _turns(rules: Rules, record: dict[str, Any]) -> Iterator[Turn]:
    bonus = record["table_bonus"]
    table = _cards(record["table"])
    dealer = rules.dealer_side
    blank = (0,) * rules.sides
    dealt = table
    now = Moment(
        rules, 0, 0, 0, (0,) * rules.players, 0 if bonus else table,
        piles=_changed(blank, dealer, table) if bonus else blank,
        points=_changed(blank, dealer, int(bonus["points"])) if bonus else blank,
        last_capture=rules.players - 1 if bonus else NOBODY,
        matta_value=cards.VALUES[cards.parse(rules.matta)] if rules.matta else 0,
        played=(0,) * rules.players, shows=((),) * rules.players, earlier=blank,
    )  # fmt: skip
    number = 0
    if len(record["stages"]) > len(rules.deal_plan):
        raise InputError(f"{len(record['stages'])} stages, and there are {len(rules.deal_plan)} (deal_plan)")
    for stage, told in enumerate(record["stages"]):
        size = rules.deal_plan[stage]
        holdings = tuple(_cards(held) for held in told["hands"])
        if [held.bit_count() for held in holdings] != [size] * rules.players:
            raise InputError(f"stage {stage + 1}: hands are not {rules.players} of {size} cards")
        for held in holdings:
            if held & dealt:
                raise InputError(f"stage {stage + 1}: {cards.texts(held & dealt)[0]} is dealt twice")
            dealt |= held
        earlier = list(now.earlier)
        for seat, shows in enumerate(now.shows):
            earlier[rules.side(seat)] += sum(show.points for show in shows)
        now = replace(
            now, stage=stage, turn=0, seat=0, holdings=holdings, played=(0,) * rules.players,
            shows=_shows(rules, told["plays"]), earlier=tuple(earlier),
            matta_value=reverted(rules, now.table, now.matta_value),
        )  # fmt: skip
        if len(told["plays"]) != size * rules.players:
            raise InputError(f"stage {stage + 1}: {len(told['plays'])} plays, not {size * rules.players}")
        for play in told["plays"]:
            number += 1
            made = _made(now, play, number)
            yield Turn(number, now, made)
            now = now.after(made)


def _cards(texts: Sequence[str]) -> int:
    if isinstance(texts, str):
        raise InputError(f"{texts!r} is no list of cards")
    indices = [cards.parse(card) for card in texts]
    if len(set(indices)) < len(indices):
        raise InputError(f"a card is given twice in {' '.join(texts)}")
    return cards.mask(indices)


def _shows(rules: Rules, plays: Sequence[dict[str, Any]]) -> tuple[tuple[Show, ...], ...]:
    shows: list[list[Show]] = [[] for _ in range(rules.players)]
    for place, play in enumerate(plays):
        knock = play["knock"]
        if knock:
            show = Show(place // rules.players, _cards(knock["cards"]), int(knock["points"]), knock["matta_as"] or 0)
            shows[place % rules.players].append(show)
    return tuple(tuple(seat) for seat in shows)


def _made(now: Moment, play: dict[str, Any], number: int) -> int:
    """The word of a play of a record, which must be legal."""
    card, got = cards.parse(play["card"]), _cards(play["captured"])
    if play["seat"] != now.seat:
        raise InputError(f"play {number} is of seat {play['seat']!r} where seat {now.seat} is to play")
    for word in now.situation().plays():
        if card_of(word) == card and captured(word) == got:
            return word
    took = f"{play['card']} takes {' '.join(play['captured'])}" if got else f"leave {play['card']}"
    legal = ", ".join(text(word) for word in now.situation().plays())
    raise InputError(f"play {number}, {took}, is not legal (valid: {legal})")
