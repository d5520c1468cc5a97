"""What one seat knows in mid-hand, in words and as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.arguments import numbers
from ..core.cards import VALUES, mask, members, parse, parse_many
from ..core.cards import text as card_text
from ..core.errors import InputError
from ..ruleset.catalogue import plain
from ..ruleset.rules_model import Rules

PLACES = ("next", "second", "third")
"""The following players, in the order in which they play."""


@dataclass(frozen=True)
class Position:
    """What one seat knows when it has just played; the sets of cards are 40-bit masks.

    ``held`` says how many cards each following player holds, the next one first, and ``shown`` which they have shown.
    ``matta_value`` is what the matta counts at present (0 where there is none).
    """

    rules: Rules
    table: int
    holding: int
    seen: int
    held: tuple[int, ...]
    shown: tuple[int, ...]
    matta_value: int

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in any other holding or in the stock."""
        visible = self.table | self.holding | self.seen
        for shown in self.shown:
            visible |= shown
        return ~visible & (1 << 40) - 1

    @property
    def hidden(self) -> tuple[int, ...]:
        """How many cards that were not shown each following player holds."""
        return tuple(held - shown.bit_count() for held, shown in zip(self.held, self.shown, strict=True))


@dataclass(frozen=True)
class PositionText:
    """A position in words, cards as ``cards.parse_many`` reads them.

    ``seen`` are the cards gone: all that were captured. ``held`` is how many cards each following player holds, or one
    number for all; without it see ``usually_held``, where ``seat`` is your own place in the order of play, 1 to the
    number of players, the dealer's last. ``shown`` names cards of a following player that you know, as ``"1: 7h Ad"``
    for the next one; ``matta_as`` is the value declared for a matta on the table or shown.

    The others only matter to a situation. ``piles`` names who captured what, as ``"mine: 7d 2s; theirs: Kd 3h"`` (with
    three sides and more ``mine``, ``next``, ``second``, ...); ``seen`` are then the cards gone whose pile does not
    matter or is not remembered. ``stage`` counts the dealings of cards from 1, and ``points`` are sweeps and bonuses so
    far, your own side's first.
    """

    table: str
    holding: str
    seen: str = ""
    held: tuple[int, ...] = ()
    seat: int | None = None
    shown: Sequence[str] = ()
    matta_as: int | None = None
    piles: str | None = None
    stage: int | None = None
    points: tuple[int, ...] = ()

    @classmethod
    def of_options(cls, values: Mapping[str, Any]) -> PositionText:
        """The position of a verb's arguments; raises ``InputError`` for numbers that cannot be read."""
        held, points = numbers("--held", values["held"]), _points(values.get("points"))
        return cls(**dict(values) | {"held": held, "seen": values["seen"] or "", "points": points})


def read(rules: Rules, words: PositionText) -> Position:
    """The position that words describe.

    Raises ``InputError`` that names the flag of the command for cards that are none, given twice or too many.
    """
    following = rules.players - 1
    open_cards = [0] * following
    given = [("--table", words.table), ("--holding", words.holding), ("--seen", words.seen)]
    for text in words.shown:
        place, colon, its_cards = text.partition(":")
        if not (colon and place.strip() in [str(i + 1) for i in range(following)]):
            valid = f"1 to {following}" if following > 1 else "1"
            raise InputError(f"--shown {text!r} names no player (valid: {valid} for the next ones, as '1: 7h Ad')")
        given.append((f"--shown {place.strip()}", its_cards))
    masks = _disjoint(given)
    for (flag, _), cards in zip(given[3:], masks[3:], strict=True):
        open_cards[int(flag.split()[1]) - 1] |= cards
    size = masks[1].bit_count()
    if size > max(rules.deal_plan):
        raise InputError(f"--holding has {size} cards: nobody is dealt more than {max(rules.deal_plan)} (deal_plan)")
    if words.held and words.seat is not None:
        raise InputError(f"--held and --seat '{words.seat}' both say how many cards the others hold (give one of them)")
    counts = counts_held(rules, words.held) if words.held else usually_held(rules, size, words.seat)
    value = _matta_value(rules, words.matta_as, masks[0] | sum(open_cards))
    position = Position(rules, masks[0], masks[1], masks[2], counts, tuple(open_cards), value)
    for i, hidden in enumerate(position.hidden):
        if hidden < 0:
            raise InputError(
                f"--shown {i + 1} has {open_cards[i].bit_count()} cards, but that player holds {counts[i]} "
                "(say how many with --held)"
            )
    if position.unseen.bit_count() < sum(position.hidden):
        raise InputError(
            f"too few cards: {position.unseen.bit_count()} are unseen and the others hold {sum(position.hidden)} of "
            "them (check --table, --holding and --seen, or say how many they hold with --held)"
        )
    return position


def _matta_value(rules: Rules, declared: int | None, open_cards: int) -> int:
    """What the matta counts, 0 without one; raises ``InputError`` for one declared that does not lie open."""
    if declared is None:
        return 0 if rules.matta is None else VALUES[parse(rules.matta)]
    if rules.matta is None or not open_cards >> parse(rules.matta) & 1:
        where = "there is none" if rules.matta is None else f"{rules.matta} is neither on --table nor --shown"
        raise InputError(f"--matta-as '{declared}' says nothing of the matta: {where} (leave it out)")
    return declared


def _disjoint(given: Sequence[tuple[str, str]]) -> list[int]:
    """The masks of cards given under several flags; raises ``InputError`` for a card given twice."""
    place: dict[int, str] = {}
    masks = []
    for flag, words in given:
        try:
            cards = parse_many(words)
        except InputError as error:
            raise InputError(f"{flag}: {error}") from None
        for card in cards:
            if card in place:
                raise InputError(
                    f"card {card_text(card)!r} is given twice, in {place[card]} and in {flag}: "
                    "every card is in the pack once"
                )
            place[card] = flag
        masks.append(mask(cards))
    return masks


def usually_held(rules: Rules, holding: int, seat: int | None = None) -> tuple[int, ...]:
    """How many cards the following players hold when a seat that has just played holds ``holding``.

    Those after it in the order of play have one card more, those before it, who have played in this round too, as many.
    A full holding means that the seat has not played yet at this stage: those after it have as many and those before it
    one less. Without a ``seat`` it is taken to be the first.

    Raises ``InputError`` where nobody holds a card.

    >>> from cirulla_sim.ruleset.presets import build
    >>> usually_held(build("cirulla"), 2, seat=3), usually_held(build("cirulla"), 3)
    ((3, 2, 2), (3, 3, 3))
    """
    place = 1 if seat is None else seat
    if not 1 <= place <= rules.players:
        raise InputError(f"--seat '{place}' is out of range (valid: 1 to {rules.players}, the dealer's last)")
    later = holding if holding in rules.deal_plan else holding + 1
    counts = (later,) * (rules.players - place) + (later - 1,) * (place - 1)
    if not any(counts):
        raise InputError("the stage is over, nobody holds a card: say what is dealt next (--held, as 3)")
    return counts


def counts_held(rules: Rules, held: Sequence[int]) -> tuple[int, ...]:
    """How many cards each following player holds; raises ``InputError`` for numbers that are not valid."""
    following = rules.players - 1
    counts = tuple(held) * following if len(held) == 1 else tuple(held)
    most = max(rules.deal_plan)
    if len(counts) != following or not all(0 <= count <= most for count in counts):
        valid = f"one number for all or {following} numbers" if following > 1 else "one number"
        raise InputError(f"--held {plain(tuple(held))!r} is not valid (valid: {valid}, each from 0 to {most})")
    return counts


def declared_values(position: Position, good: int) -> set[int]:
    """The values, other than its own, that make an unseen matta a good card when a knock gives it one of them.

    A player who shows it at its first turn of the stage plays it with the value declared (000, Bonuses).
    """
    rules = position.rules
    matta = None if rules.matta is None else parse(rules.matta)
    if matta is None or not position.unseen & ~good & 1 << matta or not rules.hand_bonuses:
        return set()
    return {VALUES[card] for card in members(good) if card != matta and VALUES[card] != VALUES[matta]}


def next_deal(position: Position) -> int:
    """How many cards each player is dealt next: those of the earliest stage that the stock has cards for.

    Raises ``InputError`` where the stock is too small for any.
    """
    rules = position.rules
    stock = position.unseen.bit_count() - sum(position.hidden)
    for stage in range(1, len(rules.deal_plan)):
        if rules.players * sum(rules.deal_plan[stage:]) <= stock:
            return rules.deal_plan[stage]
    raise InputError(
        f"'knock' asks of the next deal, and there is none: {stock} cards are left in the stock "
        f"(deal_plan {plain(rules.deal_plan)}, {rules.players} players)"
    )


def _points(points: str | None) -> tuple[int, ...]:
    """Sweeps and bonuses so far, your own side's first."""
    if points is None:
        return ()
    parts = points.split("-")
    if not all(part.strip().isdecimal() and len(part) < 4 for part in parts):
        raise InputError(f"--points {points!r} is not valid (valid: sweeps and bonuses, your own first, as 2-1)")
    return tuple(int(part) for part in parts)
