"""Positions in mid-hand: what the person asking knows, for each seat where they may sit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TypeVar

from ..core import cards
from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..ruleset.rules_model import Rules
from .constraints import Condition, DealConstraints, conditions_of
from .deal_sampler import may_fit
from .information_set import NOBODY, InformationSet, make_view, matta_mask
from .notation import AT, Clause, Situation, in_order
from .people import order_of_play, seat_of, seats_of, seen_from


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
    valid = declared or {own, *(word & 15 for word in _claims(rules)[1] if word & 15)}
    if s.matta not in valid:
        raise InputError("--at: matta: {matta!r} cannot be declared here (valid: {valid})", s.matta, sorted(valid))
    return s.matta, points


SET = 3


@lru_cache(64)
def _claims(rules: Rules) -> tuple[list[int], list[int]]:
    """The digit of each card, and the words of every claim, see ``kernel.game.prices``."""
    from ..kernel.game import prices

    return prices.digits(rules), prices.set_words(rules)[1]


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


@dataclass(frozen=True, eq=False)
class Position:
    """A position in mid-hand as the person asking knows it.

    Where it is not said where they sit, there is an information set for each seat that they may have, all equally
    likely. ``assumed`` are sentences on what else is assumed, ``of_score`` those that matter to the score alone.
    """

    rules: Rules
    seats: tuple[InformationSet, ...]
    assumed: tuple[str, ...] = ()
    of_score: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was not said and matters."""
        return *self.notes_of_cards, *self.of_score

    @property
    def notes_of_cards(self) -> tuple[str, ...]:
        """Those that matter where the score does not."""
        if len(self.seats) == 1:
            return self.assumed
        names = [Message(_called(self.rules, now.field("seat"))) for now in self.seats]
        seat = Message("Your seat is not given: {seats} are equally likely ('i am: dealer' gives it).", names)
        return seat, *self.assumed

    @property
    def first(self) -> InformationSet:
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
    return Position(rules, tuple(seats), tuple(_assumptions(rules, s, seats, stage)), tuple(_of_score(s, seats[0])))


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


def only_possible(position: Position, narrow: Callable[[InformationSet], InformationSet]) -> Position:
    """The same position where more is known: without the seats where that cannot be; raises as ``read_position``."""
    seats = _that_can_be((now.field("seat"), partial(narrow, now)) for now in position.seats)
    return replace(position, seats=tuple(now for _, now in seats))


def _whole(s: Situation, name: str) -> int:
    """The mask of the cards of a place, every one of which is named; raises ``InputError`` for any other."""
    clause = s.of(name)
    if clause is None:
        what = Message("what you hold") if name == "me" else Message("what lies on the table")
        raise InputError(
            "--at: a position says {what} (add '{name}: ...'; with nothing after the colon for none)", what, name
        )
    if clause.words:
        raise InputError(
            "--at: {name}: {word!r} is no card (valid in a position: every card, as 7h Kd)", name, clause.words[0]
        )
    if clause.exact is None:
        raise InputError(
            "--at: {name}: {cards!r} leaves cards open (valid in a position: every card, as 7h Kd)", name, clause.text()
        )
    return clause.exact


# ------------------------------------------------------------------------------------------------ the round


@dataclass(frozen=True)
class _Round:
    """How far the hand is: the stage from 0, who is to play, how many cards each seat holds, and how many cards lie on
    the table or are captured."""

    stage: int
    to_play: int
    held: tuple[int, ...]
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
                name, count, size, _called(rules, me), s.to_play or "me", held[seat],
            )  # fmt: skip
    named = (table | s.gone | sum(pile for _, pile in s.captured)).bit_count()
    fits = []
    for stage, whole in enumerate(rules.deal_plan):
        if whole < most or (s.stage is not None and s.stage != stage + 1):
            continue
        plays = rules.players * (sum(rules.deal_plan[:stage]) + whole) - sum(held)
        accounted = rules.table_cards + plays
        gone = accounted - table.bit_count()
        fits.append(accounted)
        if accounted >= named and gone != 1 and gone >= 0 and (plays or gone in (0, rules.table_cards)):
            return _Round(stage, to_play, held, accounted)
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


def _called(rules: Rules, seat: int) -> str:
    return order_of_play(rules)[seat]


# ------------------------------------------------------------------------------------------------ what is known


def _information(rules: Rules, s: Situation, me: int, own: int, table: int, state: _Round) -> InformationSet:
    """What the person asking knows at a seat; raises ``InputError``."""
    side, whole = rules.side(me), rules.deal_plan[state.stage]
    piles = _piles(rules, s, me)
    shown = _shown(rules, s, me, own, state)
    gone = state.accounted - table.bit_count()
    _check_once(s, own, table, dict(zip(order_of_play(rules), shown, strict=True)) | {"me": 0})
    forgotten = gone - (s.gone | sum(piles)).bit_count()
    declared, points = read_sets(rules, s, table, shown)
    if s.points:
        if len(s.points) != rules.sides:
            raise InputError(
                "--at: points: {points!r} names {number} sides (valid: sweeps and bonuses so far of each of the "
                "{sides}, ours first)",
                "-".join(map(str, s.points)), len(s.points), rules.sides,
            )  # fmt: skip
        points = [s.points[(other - side) % rules.sides] for other in range(rules.sides)]
    must_play = whole > 3 and rules.bonus_cards_first
    at_deal = rules.knock_timing != "turn" and rules.hand_bonuses
    turn = whole - max(state.held)
    view = make_view(
        rules,
        {
            "seat": me, "stage": state.stage, "turn": turn, "holding": own, "table": table, "matta_value": declared,
            "last_capture": NOBODY, "pile": tuple(piles), "points": tuple(points), "held": state.held,
            "shown": tuple(own if seat == me else mask for seat, mask in enumerate(shown)),
            "first": tuple(mask if must_play else 0 for mask in shown),
            "plays_left": 40 - state.accounted,
            "declined": tuple(
                int(at_deal and not mask and held == whole) for mask, held in zip(shown, state.held, strict=True)
            ),
        },
    )  # fmt: skip
    now = InformationSet(rules, view, s.gone, forgotten, shown=shown[me])
    if (
        now.unseen.bit_count()
        < sum(h - m.bit_count() for h, m in zip(state.held, shown, strict=True)) - own.bit_count()
    ):
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
    return piles


def _shown(rules: Rules, s: Situation, me: int, own: int, state: _Round) -> list[int]:
    """The masks of the cards that each seat has shown and still holds; raises ``InputError``."""
    shown = [0] * rules.players
    for name, cards_of in s.shown:
        seat = seat_of(name, rules, me, f"{AT}shown {name}: ")
        shown[seat] |= cards_of
        if seat == me and cards_of & ~own:
            held = " ".join(cards.texts(own)) or Message("none")
            raise InputError(
                "--at: shown {name}: you do not hold {card} (valid: {held})",
                name, cards.texts(cards_of & ~own)[0], held,
            )  # fmt: skip
        if shown[seat].bit_count() > state.held[seat]:
            raise InputError(
                "--at: shown {name}: {shown} cards, and {name} holds {held}",
                name, shown[seat].bit_count(), state.held[seat],
            )  # fmt: skip
        if not rules.hand_bonuses:
            raise InputError("--at: shown {name}: no sets are shown under these rules (leave it out)", name)
    return shown


def _check_once(s: Situation, own: int, table: int, shown: dict[str, int]) -> None:
    """Raise ``InputError`` for a card in two places."""
    seen = {"me": own, "table": table, "gone": s.gone}
    seen |= {f"captured {name}": pile for name, pile in s.captured}
    seen |= {f"shown {name}": mask for name, mask in s.shown if mask & own != mask}
    for place, mask in seen.items():
        for other, others in seen.items():
            if place < other and mask & others:
                twice = cards.texts(mask & others)[0]
                raise InputError(
                    "--at: {twice} is named twice, in {place!r} and in {other!r}: every card is in the pack once",
                    twice, place, other,
                )  # fmt: skip


# ------------------------------------------------------------------------------------------------ unseen cards


def constrained(now: InformationSet, s: Situation) -> InformationSet:
    """The same with what is said of cards that the person asking does not see; raises ``InputError``.

    The places are the cards that the person sees, then by seat what they do not see of the holdings, the cards gone
    that they have forgotten, and the stock: the order in which the kernel deals them.
    """
    rules, me = now.rules, now.field("seat")
    shown, held = now.by_seat("shown"), now.by_seat("held")
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
    constraints = DealConstraints(_of_unseen(s), (sure, *conditions_of(named, sizes)), sizes)
    if not may_fit(constraints):
        raise InputError(
            "--at: {unseen!r}: the unseen cards cannot lie so (valid: cards that you do not see)", _of_unseen(s)
        )
    return replace(now, constraints=constraints)


def opened(position: Position, s: Situation) -> tuple[InformationSet, tuple[int, ...]]:
    """What everybody knows where all cards lie open, and all holdings by seat.

    Raises ``InputError`` unless every holding is named, and unless it is certain where the person asking sits.
    """
    if len(position.seats) > 1:
        raise InputError("--at: with --open it must be said where you sit (add 'i am: dealer')")
    [now], rules = position.seats, position.rules
    holdings = list(now.by_seat("shown")[: rules.players])
    for (name, _), clause in s.places:
        if name not in ("me", "table", "stock") and clause.exact is not None:
            holdings[seat_of(name, rules, now.field("seat"), AT)] |= clause.exact
    for seat, (holding, held) in enumerate(zip(holdings, now.by_seat("held"), strict=False)):
        if holding.bit_count() != held:
            name = seen_from(rules, now.field("seat"))[seat]
            raise InputError(
                "--at: {name}: {named} cards are named, and {name} holds {held} (valid with --open: all of them, as "
                "'{name}: 7d 2s Kh')", name, holding.bit_count(), held,
            )  # fmt: skip
    view = now.view.copy()
    view[0]["shown"][: rules.players] = holdings
    return InformationSet(rules, view, now.unowned, now.forgotten), tuple(holdings)


def _of_unseen(s: Situation) -> str:
    """What is said of cards that the person asking does not see."""
    hidden = tuple(item for item in s.places if item[0][0] not in ("me", "table"))
    return str(Situation(hidden))


def _assumptions(
    rules: Rules, s: Situation, seats: Sequence[InformationSet], stage: int
) -> Iterator[str]:  # fmt: skip
    """Sentences on what was not said of the cards."""
    if s.stage is None and stage and any(whole == rules.deal_plan[stage] for whole in rules.deal_plan[stage + 1 :]):
        yield Message(
            "This is taken to be stage {stage}, the earliest that the cards named allow ('stage: ...' says it).",
            stage + 1,
        )
    if any(other.forgotten for other in seats):
        yield Message(
            "{number} captured cards are not named: they may be any of the unseen ('captured us: ...', 'gone: ...').",
            alternatives(sorted({other.forgotten for other in seats})),
        )


def _of_score(s: Situation, now: InformationSet) -> Iterator[str]:
    """Sentences on what was not said of the score of this hand."""
    if s.gone:
        yield Message(
            "{number} cards gone are in either pile, at random ('captured us: ...' says in which).", s.gone.bit_count()
        )
    if not s.points and (now.field("stage") or now.forgotten or s.captured or s.gone or s.shown):
        of_sets = Message(" but those of the sets shown") if any(now.by_seat("points")) else ""
        yield Message(
            "No sweeps or bonuses so far in this hand are counted{of_sets} ('points: 2-1' says them, ours first).",
            of_sets,
        )


def situation_of(now: InformationSet) -> Situation:
    """What a player knows, as a situation: without how the others played in this stage, which a text does not say."""
    rules, me = now.rules, now.field("seat")
    people, order = seen_from(rules, me), order_of_play(rules)
    shown = list(now.by_seat("shown")[: rules.players])
    shown[me] = (now.shown | now.by_seat("first")[me]) & now.field("holding")
    sides = {side: "us" if side == now.side else "them" for side in range(rules.sides)}
    if rules.sides > 2:
        sides = dict(enumerate(people))
    piles = [(sides[side], pile) for side, pile in enumerate(now.by_seat("pile")[: rules.sides]) if pile]
    lies = matta_mask(rules) & (now.field("table") | sum(shown))
    value = now.field("matta_value")
    usual = cards.VALUES[lies.bit_length() - 1] if lies else 0
    points = [now.by_seat("points")[(now.side + side) % rules.sides] for side in range(rules.sides)]

    def named(*places: tuple[str, int]) -> tuple[tuple[tuple[str, int], Clause], ...]:
        return tuple(((name, 1), Clause(tuple(1 << card for card in cards.members(mask)))) for name, mask in places)

    return Situation(
        named(("me", now.field("holding")), ("table", now.field("table"))), _in_order(piles), now.unowned,
        _in_order((people[seat], mask) for seat, mask in enumerate(shown) if mask),
        value if lies and value != usual else None, now.field("stage") + 1,
        people[now.to_play], (), tuple(points), (), None, order[me],
    )  # fmt: skip


def _in_order(named: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Cards by the names of players or sides, in the order in which situations are written."""
    return tuple(sorted(named, key=lambda item: in_order((item[0], 1))))
