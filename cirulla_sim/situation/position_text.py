"""A position in words: what lies on the table, what one holds, what is gone, read as a situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..core import cards
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .information_set import NOBODY, InformationSet, make_view, matta_mask
from .position import PLACES, Position, PositionText, counts_held, read, usually_held


def read_situation(rules: Rules, words: PositionText, to_play: bool = True) -> tuple[InformationSet, list[str]]:
    """The situation that words describe, and lines that say what was assumed.

    Unlike in ``read`` the holding is what one holds before playing; unless one is certainly ``to_play``, it is the one
    after playing, unless nobody could hold so many cards then: see ``_turn``. ``shown`` may also name the cards of a
    set that one has shown oneself and must play first, as ``"me: 2h 3c 4d"``.

    Raises ``InputError`` that names the flag of the command.
    """
    assumed: list[str] = []
    owners = _read_piles(rules, words.piles)
    own_cards = _parsed("--holding", words.holding)
    holding, size = cards.mask(own_cards), len(own_cards)
    if not int(to_play) <= size <= max(rules.deal_plan):
        raise InputError(
            f"--holding has {size} cards (valid: what you hold before playing, 1 to {max(rules.deal_plan)} cards)"
        )
    place, counts, to_play = _round(rules, size, words, to_play, assumed)
    whole_before = size if to_play else size + 1
    gone = _all_gone(words.seen, owners)
    own_set, others = _own_set(rules, holding, words.shown)
    lies_open = bool(matta_mask(rules) & holding)
    at = read(rules, replace(
        words, seen=gone, held=counts, seat=None, shown=others, matta_as=None if lies_open else words.matta_as
    ))  # fmt: skip
    matta_value = _declared(rules, at, size, words.matta_as, assumed) if lies_open else at.matta_value
    accounted, number = _stage(rules, at, whole_before, words.stage)
    forgotten, unowned = _forgotten(at, owners, accounted, number, assumed)
    points_so_far = _points_of_all(rules, words.points)
    side, whole = rules.side(place), rules.deal_plan[number]
    shown_by, full = (_order_from(place, row) for row in ((at.holding, *at.shown), (size, *counts)))
    must_play = whole > 3 and rules.bonus_cards_first
    first = [(own_set if seat == place else mask) if must_play else 0 for seat, mask in enumerate(shown_by)]
    at_deal = rules.knock_timing != "turn" and rules.hand_bonuses
    declined = [int(at_deal and not mask and held == whole) for mask, held in zip(shown_by, full, strict=True)]
    view = make_view(
        rules,
        {
            "seat": place, "stage": number, "turn": whole - whole_before, "holding": at.holding, "table": at.table,
            "matta_value": matta_value, "last_capture": NOBODY, "pile": tuple(_order_from(side, owners)),
            "points": tuple(_order_from(side, points_so_far)), "held": tuple(full), "shown": tuple(shown_by),
            "first": tuple(first), "plays_left": 40 - accounted, "declined": tuple(declined),
        },
    )  # fmt: skip
    if view[0]["may_show"] and not own_set and (points_left := _claimable(rules, at.holding)):
        assumed.append(
            f"You hold sets worth {points_left} points, and are taken to show them when you play from them "
            "(one you show now, and so play first, is --shown 'me: ...')."
        )
    return InformationSet(rules, view, unowned, forgotten), assumed


def _order_from(start: int, values: Sequence[int]) -> list[int]:
    """Values in the order of seats or sides that are given in the order of play from number ``start`` on."""
    return [values[(number - start) % len(values)] for number in range(len(values))]


def _points_of_all(rules: Rules, points: Sequence[int]) -> Sequence[int]:
    """Sweeps and bonuses so far by side, your own first; raises ``InputError`` for another number of sides."""
    if points and len(points) != rules.sides:
        raise InputError(
            f"--points '{'-'.join(map(str, points))}' names {len(points)} sides (valid: sweeps and bonuses so far of "
            f"each of the {rules.sides} sides, your own first)"
        )
    return points or (0,) * rules.sides


def _round(
    rules: Rules, size: int, words: PositionText, to_play: bool, assumed: list[str]
) -> tuple[int, tuple[int, ...], bool]:
    """One's place in the order of play from 0, how many cards the following hold, and whether one is to play."""
    if to_play:
        place = _place(rules, size, words.held, words.seat, assumed)
        return place, (size,) * (rules.players - 1 - place) + (size - 1,) * place, True
    counts = counts_held(rules, words.held) if words.held else usually_held(rules, size, words.seat)
    if not size and set(counts) <= set(rules.deal_plan):
        counts = (0,) * len(counts)  # the stage is over, and this is dealt next
    place, to_play = _turn(rules, size, counts)
    if words.seat is None and not words.held:
        assumed.append("You are taken to be the first to play in this round (say otherwise with --seat or --held).")
    return place, counts, to_play


def _forgotten(
    at: Position, owners: Sequence[int], accounted: int, stage: int, assumed: list[str]
) -> tuple[int, int]:  # fmt: skip
    """How many cards gone are not named, and the mask of those named without a pile."""
    named = at.seen.bit_count()
    forgotten = accounted - (at.table | at.seen).bit_count()
    if forgotten:
        assumed.append(
            f"Of the {named + forgotten} cards gone by stage {stage + 1} you named {named}: the other {forgotten} are "
            "taken to be any of the unseen (name them with --seen or --piles; --stage says how far the hand is)."
        )
    unowned = at.seen
    for mask in owners:
        unowned &= ~mask
    if unowned:
        assumed.append(
            f"{unowned.bit_count()} cards gone are put in any side's pile by chance (say whose they are with --piles)."
        )
    return forgotten, unowned


def _claimable(rules: Rules, holding: int) -> int:
    """The most points that sets of three cards of a holding earn together."""
    from ..kernel.entries.sets_entry import choose_all
    from ..kernel.entries.states_entry import flat_rules
    from ..kernel.game.hand import CANDIDATES
    from ..kernel.game.prices import POINTS_AT

    knocks = np.zeros((3, 1), np.uint64)
    choose_all(flat_rules(rules), np.array([holding], np.uint64), knocks, np.zeros(CANDIDATES, np.uint64))
    return sum(int(word) >> POINTS_AT for word in knocks.ravel())


def _parsed(flag: str, words: str) -> list[int]:
    try:
        return cards.parse_many(words)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def _own_set(rules: Rules, holding: int, shown: Sequence[str]) -> tuple[int, list[str]]:
    """The mask of your own set that must be played first, and the words on the others."""
    mine = [words.partition(":")[2] for words in shown if words.partition(":")[0].strip() == "me"]
    others = [words for words in shown if words.partition(":")[0].strip() != "me"]
    own = cards.mask(_parsed("--shown me", " ".join(mine)))
    lacking = own & ~holding
    if lacking:
        raise InputError(f"--shown me: {cards.texts(lacking)[0]} is not in --holding (valid: cards you hold)")
    if own and not (rules.big_holdings and rules.bonus_cards_first):
        raise InputError("--shown me says nothing here: no cards must be played before others (leave it out)")
    return own, others


def _read_piles(rules: Rules, piles: str | None) -> list[int]:
    """The masks of the piles, by side from your own on."""
    names = ["mine", "theirs"] if rules.sides == 2 else ["mine", *PLACES[: rules.sides - 1]]
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


def read_position(rules: Rules, words: PositionText) -> Position:
    """The position that words describe, from the piles only which cards are gone; raises ``InputError``."""
    return read(rules, replace(words, seen=_all_gone(words.seen, _read_piles(rules, words.piles))))


def _all_gone(seen: str, owners: Sequence[int]) -> str:
    """The cards seen and those of the piles; raises ``InputError`` for a card given twice."""
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
    return " ".join([seen, *cards.texts(taken)])


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


def _turn(rules: Rules, size: int, counts: Sequence[int]) -> tuple[int, bool]:
    """One's place in the order of play, from 0, and whether one is to play: else the next player is.

    With a whole holding one is to play, if those before have one card less than it; else one has played if those who
    have not have one more.
    """
    others = rules.players - 1
    for to_play in (True, False) if size in rules.deal_plan else (False, True):
        most = size if to_play else size + 1
        before = counts.count(most - 1)
        if tuple(counts) == (most,) * (others - before) + (most - 1,) * before:
            return before, to_play
    raise InputError(
        f"--held '{','.join(map(str, counts))}' cannot be when you hold {size} (valid: for each of the others as many, "
        "or one more or less where they have not played or have played in this round)"
    )


def _declared(rules: Rules, at: Position, size: int, matta_as: int | None, assumed: list[str]) -> int:
    """The value of a matta that one holds: as declared, or as it is worth most in a knock with the whole holding."""
    from ..kernel.entries.states_entry import flat_rules
    from ..kernel.game.prices import POINTS_AT

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


def _stage(rules: Rules, at: Position, before: int, stage: int | None) -> tuple[int, int]:
    """How many cards lie on the table or are gone, and the stage from 0: the earliest that the cards named allow.

    ``before`` is how many cards one held before playing last, or holds where one is to play.
    """
    size, named = at.holding.bit_count(), (at.table | at.seen).bit_count()
    fits = []
    for number, whole in enumerate(rules.deal_plan):
        if whole < before or (stage is not None and stage != number + 1):
            continue
        plays = rules.players * (sum(rules.deal_plan[:number]) + whole) - size - sum(at.held)
        accounted = rules.table_cards + plays
        gone = accounted - at.table.bit_count()
        fits.append(accounted)
        if accounted >= named and gone != 1 and (plays or gone in (0, rules.table_cards)):
            return accounted, number
    if not fits:
        raise InputError(
            f"--stage '{stage}' is out of range: with {size} cards in hand it is one of "
            f"{', '.join(str(n + 1) for n, whole in enumerate(rules.deal_plan) if whole >= before)}"
        )
    raise InputError(
        f"--table and --seen name {named} cards, which cannot come from one deal: you holding {size}, "
        f"{' or '.join(map(str, fits))} cards are on the table or gone (check --table, --holding, --seen and --seat)"
    )
