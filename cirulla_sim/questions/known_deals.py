"""Deals of which some cards are known, or conditions on what somebody holds, read from a situation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..core.cards import mask_of_word
from ..core.errors import InputError
from ..exact.constrained import check_dealt
from ..ruleset.rules_model import Rules
from ..situation.constraints import (
    Condition,
    DealConstraints,
    HoldingCondition,
    clauses_by_places,
    constraints_of,
    layout,
    names_players,
    with_somebody_at,
)
from ..situation.hand import HandState
from ..situation.notation import NOTHING, Situation
from ..situation.people import seat_of, seats_of
from ..situation.positions import Position, only_possible, read_position
from .cases import card_place_of
from .dealt import holdings_where
from .parser import Node, parse_expression
from .question import Speaker, bind_words, change_term
from .vocabulary import TABLE, Term


def known_deal(at: str | Situation | None, *every: Rules) -> DealConstraints | None:
    """The constraints that a situation puts on deals under several rules at once; None where it fixes nothing.

    Where it names players as the person asking sees them, and does not say where that person sits, any seat is as
    likely. Raises ``InputError`` that begins with ``--at``, also where no deal fits, or none whose table stays.
    """
    s = Situation.parse(at) if isinstance(at, str) else at
    if s is not None and (s.score or s.hand):
        text = str(Situation(score=s.score, hand=s.hand))
        raise InputError('--at: {text!r} is of a game (valid: games, advise, odds "wins_game(us)")', text)
    return None if s is None or not s.places else known_from(s, possible_seats(s, every[0]), *every)


def next_deals(s: Situation, rules: Rules) -> tuple[DealConstraints | None, DealConstraints | None]:
    """The same for the next hand of a game, if our side deals it and if it does not; raises as ``known_deal`` does."""
    if not s.places:
        return None, None
    possible = possible_seats(s, rules)
    ours = [me for me in possible if rules.side(me) == rules.dealer_side]
    theirs = [me for me in possible if me not in ours]
    return known_from(s, ours or possible, rules), known_from(s, theirs or possible, rules)


def possible_seats(s: Situation, rules: Rules) -> list[int]:
    """Where the person asking may sit, as far as it matters to a deal."""
    relative, absolute = names_players(s)
    if s.i_am is not None:
        return [seat_of(s.i_am, rules, 0, "--at: i am: ")]
    if relative and absolute:
        raise InputError(
            "--at {s!r} names players by where they sit and as you see them: where do you sit? (add --me, as "
            "--me dealer)",
            s,
        )
    return list(range(rules.players))


def known_from(s: Situation, seats: Sequence[int], *every: Rules) -> DealConstraints:
    """The constraints of a situation from any of some seats; raises as ``known_deal`` does where no deal fits."""
    each = tuple(deal_from(s, every[0], me) for me in (seats if names_players(s)[0] else seats[:1]))
    for constraints in each:
        check_dealt(constraints, *every)
    return each[0] if len(each) == 1 else replace(each[0], any_of=each)


def deal_from(s: Situation, rules: Rules, me: int) -> DealConstraints:
    """The constraints of a situation as the player at seat ``me`` sees it; raises as ``constraints_of`` does."""
    each, others = _each_somebody(s, rules)
    if each:
        some = tuple(deal_from(one, rules, me) for one in each)
        return replace(deal_from(others, rules, me), text=str(replace(s, score=(), hand=None)), some_of=some)
    plain, words = _clauses(s, rules, me)
    holdings = (condition(rules, f"--at: {name}: ", at, text, plain.sizes[at]) for name, at, text in words)
    return replace(plain, holdings=tuple(holdings))


def _each_somebody(s: Situation, rules: Rules) -> tuple[list[Situation], Situation]:
    """What a situation says of somebody, of each player, empty where it says nothing; and all else."""
    somebody = tuple(item for item in s.places if item[0][0] == "somebody")
    some = replace(NOTHING, places=somebody)
    each = [with_somebody_at(some, [seat], rules) for seat in range(rules.players) if somebody]
    return each, replace(s, places=tuple(item for item in s.places if item not in somebody))


def _clauses(s: Situation, rules: Rules, me: int) -> tuple[DealConstraints, list[tuple[str, int, str]]]:
    """The constraints of the cards of a situation, and the words of holdings, by name and place."""
    plain = constraints_of(s, rules, me)
    conditions, of_holdings = list(plain.conditions), []
    for name, places, clause in clauses_by_places(s, rules, me):
        for words in clause.words:
            if (counted := _counted(words, places)) is not None:
                conditions.append(counted)
            else:
                of_holdings.append((name, places.bit_length() - 1, words))
    return replace(plain, conditions=tuple(dict.fromkeys(conditions))), of_holdings


def tree_of(s: Situation, rules: Rules, me: int) -> Node:
    """Whether cards are dealt as a situation says, as the tree of a question; raises as ``deal_from`` does."""
    each, others = _each_somebody(s, rules)
    plain, of_holdings = _clauses(others, rules, me)
    parts = []
    for one in plain.conditions:
        places = (_stage_and_seat(rules, at) for at in range(len(layout(rules))) if one.places >> at & 1)
        terms = [Node("term", Term("holds", (seat,), (stage,), cards=one.cards)) for stage, seat in places]
        total = Node("+", None, tuple(terms)) if len(terms) > 1 else terms[0]
        parts.append(Node("compare", ("<=", "<="), (Node("number", one.low), total, Node("number", one.high))))
    for _, place, words in of_holdings:
        denied, text = words.startswith("not "), words.removeprefix("not ")
        stage, seat = _stage_and_seat(rules, place)
        tree = bind_words(text, parse_expression(text), Speaker(rules, seat)).tree.with_leaves(
            partial(change_term, stages=(stage,))
        )
        parts.append(Node("not", None, (tree,)) if denied else tree)
    if each:
        parts.append(Node("or", None, tuple(tree_of(one, rules, me) for one in each)))
    return Node("and", None, tuple(parts))


def _stage_and_seat(rules: Rules, place: int) -> tuple[int, int]:
    """The stage and the seat of a place of a deal, from 0; the seat ``TABLE`` for the table."""
    holding = place - int(rules.table_cards > 0)
    return divmod(holding, rules.players) if holding >= 0 else (0, TABLE)


_NUMBER = re.compile(r"(\w+) ?(<=|>=|<|>|==?) ?(\d{1,2})")


def _counted(words: str, places: int) -> Condition | None:
    """The condition that so many cards of a kind lie in some places, as ``sevens >= 2``; None for other words."""
    match = _NUMBER.fullmatch(words)
    cards = mask_of_word(match[1]) if match else None
    if match is None or cards is None:
        return None
    number = int(match[3])
    low, high = {
        "<": (0, number - 1), "<=": (0, number), ">": (number + 1, 40), ">=": (number, 40),
    }.get(match[2], (number, number))  # fmt: skip
    return Condition(places, cards, low, high)


SETS = ("barsega", "barsegon", "misci", "bonus", "accuso", "decino", "low", "triple")
"""Words for sets of three cards, which larger holdings may hold too."""


def condition(rules: Rules, where: str, place: int, words: str, size: int = 3) -> HoldingCondition:
    """A condition on the holding in a place, a number, in the words of cards held.

    A larger holding than of three cards can be said to hold a set or none. Raises ``InputError`` that begins with
    ``where``.
    """
    plain = words.removeprefix("not ")
    if size > 3 and plain not in SETS:
        raise InputError(
            "{where}{words!r} is of three cards (valid of {size}: {sets}, sevens >= 2)", where, words, size, SETS
        )
    try:
        expression = bind_words(words, parse_expression(plain), Speaker(rules))
        for term in expression.terms:
            if card_place_of(term) != (0, 0):
                raise InputError(
                    "{words!r}: {name} is not of these cards (valid: barsega, sevens >= 2)", words, term.name
                )
        sets = holdings_where(expression, rules)
    except InputError as error:
        raise InputError("{where}{error}", where, error) from None
    return HoldingCondition(place, sets.tobytes(), some=plain == words)


def known_position(rules: Rules, s: Situation) -> Position:
    """The position that a situation describes, with its conditions on what others hold; raises as ``read_position``."""
    return only_possible(read_position(rules, s), lambda now: _with_conditions(now, s))


def _with_conditions(now: HandState, s: Situation) -> HandState:
    rules, me, holdings = now.rules, now.seat, []
    for (name, _), clause in s.places:
        for seat in seats_of(name, rules, me) if clause.words and name not in ("me", "table") else ():
            if seat != me:
                if now.held[seat] < 3:
                    raise InputError(
                        "--at: {name}: {word!r} is of three cards (valid: cards, as 7h, 'no aces')",
                        name, clause.words[0],
                    )  # fmt: skip
                conditions = (condition(rules, f"--at: {name}: ", 1 + seat, words) for words in clause.words)
                holdings += [replace(one, beside=now.known[seat]) for one in conditions]
    if not holdings or now.constraints is None:
        return now
    return replace(now, constraints=replace(now.constraints, holdings=tuple(holdings)))
