"""Positions in mid-hand: what the person asking knows, by seat where they may sit; the position after a play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple, TypeVar

from ..core import cards
from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..ruleset.rules_model import Rules
from .constraints import Condition, DealConstraints, conditions_of
from .deal_sampler import may_fit
from .hand import NOBODY, HandState, first_table, lies_open, matta_mask
from .notation import AT, NOTHING, Clause, Situation, by_name, written_order
from .people import GROUPS, order_of_play, seat_of, seats_of, seen_from
from .plays import TurnChoice, captured, card_of, cards_shown, points_shown, words_of


def read_sets(rules: Rules, s: Situation, table: int, shown: Sequence[int]) -> tuple[int, list[int]]:
    """What the matta counts, and the points of the sets shown, by side.

    Raises ``InputError`` for a value that it cannot have, and for three cards shown that are worth nothing.
    """
    points, declared = [0] * rules.sides, set[int]()
    single = rules.bonus_cards_first or max(rules.deal_plan) == SET
    for seat, mask in enumerate(shown):
        if mask.bit_count() == SET and single:
            claims = claims_for(rules, mask)
            if not claims:
                raise InputError(
                    "--at: {cards} earn nothing when they are shown (leave 'shown' out)", " ".join(cards.texts(mask))
                )
            points[rules.side(seat)] += next(iter(claims.values()))
            declared |= set(claims) - {0}
    matta = matta_mask(rules)
    if not matta:
        if s.matta is not None:
            raise InputError("--at: matta: there is none under these rules (leave it out)")
        return 0, points
    own = cards.VALUES[matta.bit_length() - 1]
    lies = any(mask & matta for mask in (table, *shown))
    if s.matta is None:
        return min(declared, default=own), points
    name = cards.texts(matta)[0]
    if not lies:
        raise InputError(
            "--at: matta: {name} is neither on the table nor shown (what you may declare is a choice to "
            "come; what you declared goes with 'shown me: ...')",
            name,
        )
    usual = {own} if table & matta else set()
    valid = declared | usual if declared else {own, *(word & 15 for word in _claims(rules)[1] if word & 15)}
    if s.matta not in valid:
        raise InputError("--at: matta: {matta!r} cannot be declared here (valid: {valid})", s.matta, sorted(valid))
    return s.matta, points


SET = 3


@lru_cache(64)
def _claims(rules: Rules) -> tuple[list[int], list[int]]:
    """The digit of each card, and the words of every claim, see ``kernel.game.prices``."""
    from ..kernel.game import prices

    return prices.card_digits(rules), prices.bonuses_of_sets(rules)[1]


def claims_for(rules: Rules, mask: int) -> dict[int, int]:
    """What three cards may be shown for: the points by the value declared for the matta, 0 without it.

    >>> from cirulla_sim.core.cards import mask, parse_many
    >>> from cirulla_sim.ruleset.presets import build
    >>> claims_for(build("cirulla"), mask(parse_many("7h 3c 4d")))
    {1: 3, 2: 3}
    """
    digits, claims = _claims(rules)
    first, second, third = (digits[card] for card in cards.members(mask))
    words = claims[10 * ((first * 11 + second) * 11 + third) :][:10]
    return {word & 15: word >> 48 for word in words if word}


T = TypeVar("T")


class Assumption(NamedTuple):
    """Something that matters and is not given, and what it is assumed to be: data for a sentence.

    ``kind`` is ``seat`` (``values`` are those possible, by name), ``stage`` (its number), ``captured`` (how many
    captured cards are not named), ``gone`` (how many lie in either pile), ``points`` (1 if those of sets shown count),
    ``last capture``; or of the plays of others in this stage, that these say nothing (``plays``) or make some deals
    likelier (``weighed``), as whoever plays on takes them.
    """

    kind: str
    values: tuple[object, ...] = ()


OF_SCORE = ("gone", "points", "last capture")
"""Assumptions that do not matter to the next plays."""


@dataclass(frozen=True, eq=False)
class Position:
    """A position in mid-hand as the person asking knows it.

    Where their seat is not given, there is an information set for each seat that they may have, all equally
    likely. ``assumptions`` are what else is not given and matters.
    """

    rules: Rules
    seats: tuple[HandState, ...]
    assumptions: tuple[Assumption, ...] = ()

    @property
    def first(self) -> HandState:
        """What is known at the first of the seats."""
        return self.seats[0]


def read_position(rules: Rules, s: Situation) -> Position:
    """The position that a situation describes; raises ``InputError`` that begins with ``--at`` for none."""
    own, table = (_whole(s, name) for name in ("me", "table"))
    candidates = range(rules.players) if s.i_am is None else [seat_of(s.i_am, rules, 0, f"{AT}i am: ")]
    possible = _that_can_be((me, partial(_round, rules, s, me, own, table)) for me in candidates)
    stage = min(state.stage for _, state in possible)
    built = _that_can_be(
        (me, partial(_information, rules, s, me, own, table, state)) for me, state in possible if state.stage == stage
    )
    seats = [now for _, now in built]
    return Position(rules, tuple(seats), tuple(assumptions(rules, s, seats)))


def _that_can_be(cases: Iterable[tuple[int, Callable[[], T]]]) -> list[tuple[int, T]]:
    """What is made for each seat where it can be made; raises the first ``InputError`` if it can be made for none."""
    results: list[tuple[int, T]] = []
    refusals: list[InputError] = []
    for me, make in cases:
        try:
            results.append((me, make()))
        except InputError as error:
            refusals.append(error)
    if not results:
        raise refusals[0]
    return results


def only_possible(position: Position, narrow: Callable[[HandState], HandState]) -> Position:
    """The same position where more is known: without the seats where that cannot be; raises as ``read_position``."""
    seats = _that_can_be((now.seat, partial(narrow, now)) for now in position.seats)
    return replace(position, seats=tuple(now for _, now in seats))


def _whole(s: Situation, name: str) -> int:
    """The mask of the cards of a place, every one of which is named; raises ``InputError`` for any other."""
    clause = s.of(name)
    if clause is None:
        what = Message("what you hold") if name == "me" else Message("what lies on the table")
        raise InputError(
            "--at: a position says {what} (add '{name}: ...'; with nothing after the colon for none)", what, name
        )
    if clause.exact is None:
        raise InputError(
            "--at: {name}: {cards!r} leaves cards open (valid in a position: every card, as 7h Kd)", name, clause.text()
        )
    return clause.exact


# ------------------------------------------------------------------------------------------------ the round


@dataclass(frozen=True)
class _Round:
    """How far the hand is: the stage from 0, who is to play, how many cards each seat holds, how many plays have been
    made in the stage, and how many cards lie on the table or are captured."""

    stage: int
    to_play: int
    held: tuple[int, ...]
    plays: int
    accounted: int


def _round(rules: Rules, s: Situation, me: int, own: int, table: int) -> _Round:
    """How far the hand is at least with the person asking at a seat; raises ``InputError`` where it cannot be."""
    to_play = me if s.to_play is None else seat_of(s.to_play, rules, me, f"{AT}to play: ")
    size = own.bit_count()
    most = size + (me < to_play)
    held = tuple(most - (seat < to_play) for seat in range(rules.players))
    if most > max(rules.deal_plan) or min(held) < 0 or (size == 0 and to_play == me):
        raise InputError(
            "--at: me: {size} cards cannot be with {player} to play (valid: what you hold before playing, 1 "
            "to {most} cards; after it, with 'to play: next', up to {most_after})",
            size, s.to_play or "me", max(rules.deal_plan), max(rules.deal_plan) - 1,
        )  # fmt: skip
    for name, count in s.counts:
        seat = seat_of(name, rules, me, f"{AT}cards: ")
        if held[seat] != count:
            raise InputError(
                "--at: cards: {name} {count} cannot be when you hold {size}, sit {seat} and {player} is to play "
                "(valid: {name} {held})",
                name, count, size, order_of_play(rules)[me], s.to_play or "me", held[seat],
            )  # fmt: skip
    named = reduce(or_, (pile for _, pile in s.captured), table | s.gone | _taken(s)).bit_count()
    fits = []
    for stage, whole in enumerate(rules.deal_plan):
        if whole < most or (s.stage is not None and s.stage != stage + 1):
            continue
        plays = rules.players * (sum(rules.deal_plan[:stage]) + whole) - sum(held)
        accounted = rules.table_cards + plays
        gone = accounted - table.bit_count()
        fits.append(accounted)
        if accounted >= named and gone != 1 and gone >= 0 and (plays or gone in (0, rules.table_cards)):
            return _Round(stage, to_play, held, rules.players * whole - sum(held), accounted)
    if not fits:
        allowed = [n + 1 for n, whole in enumerate(rules.deal_plan) if whole >= most]
        raise InputError(
            "--at: stage: {stage!r} cannot be with {size} cards in hand (valid: {allowed})", s.stage, size, allowed
        )
    raise InputError(
        "--at: {table} cards on the table and {captured} captured cannot come from one deal: with you "
        "holding {size}, {fits} cards are on the table or captured",
        table.bit_count(), named - table.bit_count(), size, alternatives(fits),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ what is known


def _information(rules: Rules, s: Situation, me: int, own: int, table: int, state: _Round) -> HandState:
    """What the person asking knows at a seat; raises ``InputError``."""
    piles = _piles(rules, s, me)
    gone = reduce(or_, piles, s.gone)
    _check_once(s, own, table)
    forgotten = state.accounted - (table | gone).bit_count()
    shown = _shown(rules, s, me, own, table | gone, state)
    lying = tuple(mask & ~(table | gone) for mask in shown)
    seen = tuple(_open_cards(rules, s, me, own, seat, state) or mask for seat, mask in enumerate(lying))
    declared, points = read_sets(rules, s, table, shown)
    history, before = _history(rules, s, state, table, declared)
    bonus = _check_dealt_table(rules, s, state, before, piles)
    piles[rules.dealer_side] |= s.gone if bonus and not state.plays else 0
    points[rules.dealer_side] += bonus
    now = HandState(
        rules, state.stage, state.held, seen, table, tuple(piles), _points(rules, s, me, points),
        _last_capture(rules, s, me, piles, forgotten, history, bonus), declared,
        tuple((mask,) if mask else () for mask in shown), history, me,
        unowned=s.gone & ~reduce(or_, piles), forgotten=forgotten,
    )  # fmt: skip
    hidden = sum(h - m.bit_count() for seat, (h, m) in enumerate(zip(state.held, seen, strict=True)) if seat != me)
    if now.unseen.bit_count() < hidden + forgotten:
        raise InputError("--at: too few cards are unseen for what the others hold (check table, me and captured)")
    return constrained(now, s)


def _piles(rules: Rules, s: Situation, me: int) -> list[int]:
    """The masks of the piles by side."""
    piles = [0] * rules.sides
    for name, cards_of in s.captured:
        owners = {rules.side(seat) for seat in seats_of(name, rules, me, f"{AT}captured {name}: ")}
        if len(owners) > 1:
            raise InputError(
                "--at: captured {name}: {number} sides (valid: one, by a player's name; or gone: ...)",
                name, len(owners),
            )  # fmt: skip
        piles[owners.pop()] |= cards_of
    for number, (card, got) in enumerate(s.plays):
        side, taken = rules.side(number % rules.players), got and got | 1 << card
        if any(pile & taken for other, pile in enumerate(piles) if other != side):
            raise InputError("--at: plays: play {number} takes cards that others captured", number + 1)
        piles[side] |= taken
    return piles


def _taken(s: Situation) -> int:
    """The mask of the cards captured in the plays of the stage."""
    return reduce(or_, (1 << card | got for card, got in s.plays if got), 0)


def _shown(rules: Rules, s: Situation, me: int, own: int, out: int, state: _Round) -> tuple[int, ...]:
    """The masks of the cards that each seat has shown in this stage; those that are ``out`` of its hand were played."""
    shown = [0] * rules.players
    for name, cards_of in s.shown:
        seat = seat_of(name, rules, me, f"{AT}shown {name}: ")
        shown[seat] |= cards_of
        lying = shown[seat] & ~out
        if seat == me and lying & ~own:
            held = " ".join(cards.texts(own)) or Message("none")
            raise InputError(
                "--at: shown {name}: you do not hold {card} (valid: {held})", name, cards.texts(lying & ~own)[0], held
            )
        if lying.bit_count() > state.held[seat]:
            raise InputError(
                "--at: shown {name}: {shown} cards, and {name} holds {held}",
                name, lying.bit_count(), state.held[seat],
            )  # fmt: skip
        if not rules.hand_bonuses:
            raise InputError("--at: shown {name}: no sets are shown under these rules (leave it out)", name)
    return tuple(shown)


def _open_cards(rules: Rules, s: Situation, me: int, own: int, seat: int, state: _Round) -> int:
    """The mask of the cards of a seat that lie open to the person asking, 0 where they are not all named."""
    named = [own] if seat == me else []
    for (name, _), clause in s.places:
        if name not in ("me", "table", "stock", *GROUPS) and lies_open(rules, state.stage, seat, me):
            named += [clause.exact or 0] if seat_of(name, rules, me, AT) == seat else []
    return next((held for held in named if held.bit_count() == state.held[seat]), 0)


def _check_once(s: Situation, own: int, table: int) -> None:
    """Raise ``InputError`` for a card in two places; one that was shown may have been played since."""
    seen = {"me": own, "table": table, "gone": s.gone & ~_taken(s)}
    seen |= {f"captured {name}": pile for name, pile in s.captured}
    plays = {"plays": _taken(s)} if _taken(s) & (own | table) else {}
    for place, mask in (seen | plays | {f"shown {name}": mask for name, mask in s.shown}).items():
        for other, others in seen.items():
            is_shown = place.startswith("shown") and (other != "me" or place == "shown me")
            if place != other and mask & others and not is_shown:
                twice = cards.texts(mask & others)[0]
                raise InputError(
                    "--at: {twice} is named twice, in {place!r} and in {other!r}: every card is in the pack once",
                    twice, *sorted((place, other)),
                )  # fmt: skip


def _points(rules: Rules, s: Situation, me: int, earned: Sequence[int]) -> tuple[int, ...]:
    """Sweeps and bonuses by side: what is given, or else what the cards named have earned; raises ``InputError``."""
    if not s.points:
        return tuple(earned)
    text = "-".join(map(str, s.points))
    if len(s.points) != rules.sides:
        raise InputError(
            "--at: points: {points!r} names {number} sides (valid: sweeps and bonuses so far of each of the "
            "{sides}, ours first)",
            text, len(s.points), rules.sides,
        )  # fmt: skip
    points = tuple(s.points[(other - rules.side(me)) % rules.sides] for other in range(rules.sides))
    if any(number < least for number, least in zip(points, earned, strict=True)):
        least = [earned[(rules.side(me) + k) % rules.sides] for k in range(rules.sides)]
        raise InputError(
            "--at: points: {points!r} is less than the sets named bring (valid: {least} or more)",
            text, "-".join(map(str, least)),
        )  # fmt: skip
    return points


# ------------------------------------------------------------------------------------------------ how it came about


def _history(rules: Rules, s: Situation, state: _Round, table: int, matta_value: int) -> tuple[tuple[int, ...], int]:
    """The plays of the stage as words, none where they are not given, and the table before them, a mask.

    Every play must be legal on the table that it found, which follows from the table now. Raises ``InputError``.
    """
    if s.plays and len(s.plays) != state.plays:
        raise InputError(
            "--at: plays: {plays} plays cannot be (valid: the {made} of stage {stage}, in order)",
            len(s.plays), state.plays, state.stage + 1,
        )  # fmt: skip
    words: list[int] = []
    for number, (card, taken) in reversed(list(enumerate(s.plays))):
        left = 0 if taken else 1 << card
        legal: list[int] = []
        if table & left == left and not table & (taken | 1 << card) & ~left:
            table = table & ~left | taken
            usual = cards.VALUES[matta_mask(rules).bit_length() - 1]
            for value in dict.fromkeys((matta_value, usual)):  # a matta may count its own value again since
                before = HandState.at_turn(rules, state.stage, number, 1 << card, table, value)
                legal += [word for word in before.legal_plays() if captured(word) == taken]
        if not legal:
            text = words_of({"card": cards.text(card), "captured": cards.texts(taken)})
            raise InputError("--at: plays: play {number}, {text}, cannot be on that table", number + 1, text)
        words.append(legal[0])
    return tuple(reversed(words)), table


def _check_dealt_table(rules: Rules, s: Situation, state: _Round, table: int, piles: Sequence[int]) -> int:
    """The points that the dealer had for the table as it was dealt, as far as that is known.

    ``table`` is that before the plays of the stage that are given. Raises ``InputError`` for a table with which no hand
    begins: it is dealt again, decides the game, or is the dealer's.
    """
    if state.stage or not rules.table_cards:
        return 0
    if not s.plays and state.plays:
        lies_all = state.accounted == table.bit_count()  # nothing was captured: four of these cards were dealt
        sets = combinations(cards.members(table), rules.table_cards) if lies_all else ()
        if lies_all and ("played", 0) not in (first_table(rules, cards.mask(some)) for some in sets):
            raise InputError(
                "--at: table: nothing was captured, and no {number} of these cards can be the table as it was dealt",
                rules.table_cards,
            )
        return 0
    dealt = table or reduce(or_, piles, s.gone) & ~_taken(s)
    text = " ".join(cards.texts(dealt))
    if dealt.bit_count() != rules.table_cards or (not table and dealt & ~(piles[rules.dealer_side] | s.gone)):
        raise InputError(
            "--at: table: as the first card was played {number} cards lay there, or were the dealer's (valid: "
            "'captured dealer: ...' with all {number})",
            rules.table_cards,
        )
    kind, bonus = first_table(rules, dealt)
    points = points_shown((bonus,))
    if kind == "misdeal":
        raise InputError("--at: table: {cards} as it is dealt is a misdeal: no hand begins with it", text)
    if kind == "won":
        raise InputError("--at: table: {cards} as it is dealt decides the game: no hand begins with it", text)
    if bonus and table:
        raise InputError(
            "--at: table: {cards} earns the dealer {points} as it is dealt (valid: 'table: none; captured dealer: "
            "{cards}')",
            text, points,
        )  # fmt: skip
    if not bonus and not table:
        raise InputError("--at: table: {cards} earns the dealer nothing as it is dealt (valid: 'table: {cards}')", text)
    return points


def _last_capture(
    rules: Rules, s: Situation, me: int, piles: Sequence[int], forgotten: int, history: Sequence[int], bonus: int
) -> int:
    """The seat that captured last, ``NOBODY`` where nobody has or where it is not known; raises ``InputError``."""
    takers = [number % rules.players for number, play in enumerate(history) if captured(play)]
    known = takers[-1:] or ([rules.players - 1] if bonus else [])
    if s.last_capture is None:
        return known[0] if known else NOBODY
    named = seats_of(s.last_capture, rules, me, f"{AT}last capture: ")
    fits = [seat for seat in named if seat in (known or range(rules.players))]
    if not any(piles[rules.side(seat)] or s.gone or forgotten for seat in fits):
        raise InputError(
            "--at: last capture: {name} cannot have captured last (check plays and captured)", s.last_capture
        )
    return fits[0]


# ------------------------------------------------------------------------------------------------ unseen cards


def constrained(now: HandState, s: Situation) -> HandState:
    """The same with what is known of cards that the person asking does not see; raises ``InputError``.

    The places are the cards that the person sees, then by seat what they do not see of the holdings, the cards gone
    that they have forgotten, and the stock: the order in which the kernel deals them.
    """
    rules, me, shown, held = now.rules, now.seat, now.known, now.held
    hidden = [0 if seat == me else held[seat] - shown[seat].bit_count() for seat in range(rules.players)]
    sizes = (40 - now.unseen.bit_count(), *hidden, now.forgotten)
    sizes = (*sizes, 40 - sum(sizes))
    named: list[tuple[str, int, Clause]] = []
    for (name, stage), clause in s.places:
        if stage > 1:
            raise InputError("--at: {name} stage {stage}: a position is of one stage (leave it out)", name, stage)
        if name in ("me", "table"):
            continue
        if name == "somebody":
            raise InputError("--at: somebody: nobody in particular (valid in a position: next, partner, others, ...)")
        if name == "stock":
            places = [1 << 2 + rules.players]
        elif name in ("us", "them"):
            places = [sum(1 << 1 + seat for seat in seats_of(name, rules, me))]
        else:
            others = [seat for seat in seats_of(name, rules, me, f"{AT}{name}: ") if seat != me]
            places = [1 << 1 + seat for seat in others]
            if len(others) == 1:  # cards shown may be named with the others
                lying = [1 << card for card in cards.members(shown[others[0]])]
                clause = replace(clause, cards=tuple(mask for mask in clause.cards if mask not in lying))
        named += [(name, place, clause) for place in places]
    if not named:
        return now
    sure = Condition(1, now.unseen, 0, 0)
    unseen = str(Situation(tuple(item for item in s.places if item[0][0] not in ("me", "table"))))
    constraints = DealConstraints(unseen, (sure, *conditions_of(named, sizes)), sizes)
    if not may_fit(constraints):
        raise InputError("--at: {unseen!r}: the unseen cards cannot lie so (valid: cards that you do not see)", unseen)
    return replace(now, constraints=constraints)


def open_all_cards(position: Position, s: Situation) -> HandState:
    """The hand as everybody knows it where all cards lie open.

    Raises ``InputError`` unless every holding is named, and unless it is certain where the person asking sits.
    """
    if len(position.seats) > 1:
        raise InputError("--at: with --open it must be said where you sit (add 'i am: dealer')")
    [now], rules = position.seats, position.rules
    holdings = list(now.known)
    for (name, _), clause in s.places:
        if name not in ("me", "table", "stock") and clause.exact is not None:
            holdings[seat_of(name, rules, now.seat, AT)] |= clause.exact
    for seat, (holding, held) in enumerate(zip(holdings, now.held, strict=True)):
        if holding.bit_count() != held:
            name = seen_from(rules, now.seat)[seat]
            raise InputError(
                "--at: {name}: {named} cards are named, and {name} holds {held} (valid with --open: all of them, as "
                "'{name}: 7d 2s Kh')", name, holding.bit_count(), held,
            )  # fmt: skip
    return replace(now, known=tuple(holdings), constraints=None)


def assumptions(rules: Rules, s: Situation, seats: Sequence[HandState]) -> Iterator[Assumption]:
    """What a position does not say and matters, and what it is taken to be."""
    now, order = seats[0], order_of_play(rules)
    stage = now.stage
    if len(seats) > 1:
        yield Assumption("seat", tuple(order[other.seat] for other in seats))
    if s.stage is None and stage and any(whole == rules.deal_plan[stage] for whole in rules.deal_plan[stage + 1 :]):
        yield Assumption("stage", (stage + 1,))
    if any(other.forgotten for other in seats):
        yield Assumption("captured", tuple(sorted({other.forgotten for other in seats})))
    if now.unowned:
        yield Assumption("gone", (now.unowned.bit_count(),))
    if not s.points and now.number_of_plays and (stage or now.forgotten or s.captured or s.gone or s.shown):
        yield Assumption("points", (int(any(now.points)),))
    owners = sum(map(bool, now.piles))
    if now.last_capture == NOBODY and (owners > 1 or now.unowned or now.forgotten):
        yield Assumption("last capture")


def situation_of(now: HandState) -> Situation:
    """What a player knows, as a situation."""
    rules, me, stage, table = now.rules, now.seat, now.stage, now.table
    people, order = seen_from(rules, me), order_of_play(rules)
    shown = now.sets_shown
    sides = {side: "us" if side == now.side else "them" for side in range(rules.sides)}
    if rules.sides > 2:
        sides = dict(enumerate(people))
    piles = [(sides[side], pile) for side, pile in enumerate(now.piles) if pile]
    points = [now.points[(now.side + side) % rules.sides] for side in range(rules.sides)]
    history, last = now.stage_plays if now.knows_plays else (), now.last_capture
    holdings = [
        ((people[seat], 1), _named(held))
        for seat, held in enumerate(now.known)
        if seat != me and held and lies_open(rules, stage, seat, me)
    ]
    places = (*holdings, (("me", 1), _named(now.holding)), (("table", 1), _named(table)))
    value = now.matta_value if matta_mask(rules) & reduce(or_, shown, table) else None
    return Situation(
        tuple(sorted(places, key=lambda item: written_order(item[0]))), by_name(piles), now.unowned,
        by_name((people[seat], mask) for seat, mask in enumerate(shown) if mask),
        None if value == read_sets(rules, NOTHING, table, shown)[0] else value, stage + 1,
        people[now.to_play], (), tuple(points), (), None, order[me],
        last_capture=None if last == NOBODY else people[last],
        plays=tuple((card_of(play), captured(play)) for play in history),
    )  # fmt: skip


def _named(mask: int) -> Clause:
    return Clause(tuple(1 << card for card in cards.members(mask)))


def likely_seat(position: Position) -> HandState:
    """What is known at the seat that leaves the fewest captured cards unnamed, of those that the person may have."""
    return min(position.seats, key=lambda now: now.forgotten)


def choices_with(now: HandState, card: int, shown: int = 0) -> list[TurnChoice]:
    """What the player to play may do with a card: another player after showing some cards, a mask, or nothing.

    Raises ``InputError`` where it can do nothing with it.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from cirulla_sim.situation.positions import read_position
    >>> at = Situation.parse("i am: first; me: 7h 2d; table: 3c 5c 4d; to play: next")
    >>> now = likely_seat(read_position(build(players=2), at))
    >>> [now.in_words(choice) for choice in choices_with(now, cards.parse("8s"))]
    ['Js takes 4d 3c', 'Js takes 3c 5c']
    """
    seat, me, own, turn = now.to_play, now.seat, 1 << card | shown, now
    if seat != me:
        known = tuple(own if other == seat else held for other, held in enumerate(now.known))
        turn = replace(now, me=seat, known=known)
    choices = [one for one in turn.legal if card_of(one.play) == card]
    if seat != me:
        must = now.first[seat] or own
        cannot = own & ~(now.unseen | now.known[seat]) or not must >> card & 1
        choices = [] if cannot else [one for one in choices if cards_shown(one.show) == shown]
    if not choices:
        raise InputError(
            "{who} cannot play {card} now{shown} (check whose turn it is, and where that card lies)",
            Message(seen_from(now.rules, me)[seat]), cards.text(card),
            Message(", showing {cards}", " ".join(cards.texts(shown))) if shown else "",
        )  # fmt: skip
    return choices


def after_choice(s: Situation, now: HandState, choice: TurnChoice) -> Situation | None:
    """The situation after a choice of the player to play, None after the last play of the hand.

    Where a stage ends with it, the next cards of the person asking are not known yet: there is no ``me:``.
    ``now`` is what ``s`` means at the seat of the person asking.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from cirulla_sim.situation.positions import read_position
    >>> at = Situation.parse("i am: first; me: 7h 2d; table: 3c 5c 4d; to play: next; score: 3-4")
    >>> now = likely_seat(read_position(build(players=2), at))
    >>> after = after_choice(at, now, choices_with(now, cards.parse("8s"))[1])
    >>> print(str(after).replace("; last", ";\\n  last"))
    i am: first; me: 7h 2d; table: 4d; captured them: 3c 5c Js;
      last capture: next; stage: 1; to play: me; points: 0-0; score: 3-4
    """
    if now.plays_left == 1:
        return None
    rules, seat, then = now.rules, now.to_play, now.play(choice)
    after = situation_of(then.coming)
    places = dict(after.places)
    if not any(then.held):
        del places["me", 1]
    else:  # what is said of cards that are not seen, as far as it is still so
        of_seat = (seen_from(rules, now.seat)[seat], order_of_play(rules)[seat], *GROUPS)
        places |= {at: clause for at, clause in s.places if at not in places and at[0] not in of_seat}
    ordered = tuple(sorted(places.items(), key=lambda item: written_order(item[0])))
    return replace(after, places=ordered, score=s.score, hand=s.hand)
