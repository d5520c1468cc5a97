"""The functions of the question language, worked out from a hand record and its rules alone.

``FUNCTIONS`` has one function a name. Each takes the record, the rules as a dict and keyword arguments: ``seats`` and
``sides`` (tuples of numbers), ``stages`` (a tuple of numbers from 0; ``None`` is the whole hand), ``after`` (how many
stages are over), ``cards`` (a set of card texts), ``kind``, ``category``, ``suit`` and ``by_sweep``. ``people`` gives
the seats that a name means. Functions of cards held stand in ``held_cards``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from .cards import DIAMONDS, PACK, SUITS, dealer_seat, prime_value, side_count, side_of, suit_of
from .held_cards import HELD, OF_THE_TABLE, SUIT_NAMES, TABLE, Cards, Seats, SetShown, Stages, set_shown
from .scoring import diamonds_in, primiera_total, primiera_winner, sweep_point, winner

Sides = tuple[int, ...]
Play = tuple[int, int, dict]
"""The number of a play from 1, its stage from 0, and the play."""

CATEGORY_KEYS = {
    "cards": "cards", "diamonds": "diamonds", "settebello": "settebello", "primiera": "primiera", "grande": "grande",
    "piccola": "piccola", "sweeps": "scope", "knocks": "hand_bonus", "table": "table_bonus",
}  # fmt: skip
"""The category of points -> its name in a record."""

BY_STAGE = ("sweeps", "knocks")
"""The categories scored by a play of a known stage."""


def people(rules: dict, me: int) -> dict[str, Seats]:
    """The seats of everybody who has a name at this table, as the player at seat ``me`` sees it."""
    players, dealer = rules["players"], dealer_seat(rules)
    seats = range(players)

    def side_mates(seat: int) -> Seats:
        return tuple(other for other in seats if side_of(rules, other) == side_of(rules, seat))

    names = {"me": (me,), "next": ((me + 1) % players,)}
    if players > 2:
        names["previous"] = ((me - 1) % players,)
    if players == 4:
        names["partner" if rules["partnership"] else "opposite"] = ((me + 2) % players,)
    names |= {name: (seat,) for seat, name in enumerate(("first", "second", "third")[:dealer])}
    names |= {"dealer": (dealer,), "dealer_side": side_mates(dealer), "first_side": side_mates(0)}
    names |= {"us": side_mates(me), "them": tuple(seat for seat in seats if seat not in side_mates(me))}
    names |= {"others": tuple(seat for seat in seats if seat != me), "everybody": tuple(seats)}
    return names


def sides_of(rules: dict, seats: Seats) -> Sides:
    """The sides that some seats play for."""
    return tuple(sorted({side_of(rules, seat) for seat in seats}))


def all_plays(record: dict) -> Iterator[Play]:
    """Every play of a hand."""
    number = 0
    for stage, of_stage in enumerate(record["stages"]):
        for play in of_stage["plays"]:
            number += 1
            yield number, stage, play


def plays_of_seats(record: dict, seats: Seats, stages: Stages | None, turn: int | None = None) -> list[dict]:
    """The plays of some seats in some stages; of a turn, only that of each seat, from 0."""
    chosen = []
    for number, of_stage in enumerate(record["stages"]):
        for seat in seats:
            own = [play for play in of_stage["plays"] if play["seat"] == seat]
            if stages is None or number in stages:
                chosen += own if turn is None else own[turn : turn + 1]
    return chosen


def cards_taken(play: dict) -> set[str]:
    """The cards that a play brings to a pile: those captured and the one played."""
    return {*play["captured"], play["card"]} if play["captured"] else set()


def shown_sets(record: dict, rules: dict, seats: Seats, stages: Stages | None) -> list[SetShown]:
    """The sets that some seats show in some stages; a knock may show several."""
    knocks = [play["knock"] for play in plays_of_seats(record, seats, stages) if play["knock"]]
    return [
        set_shown(rules, knock["cards"][start : start + 3], knock["matta_as"])
        for knock in knocks
        for start in range(0, len(knock["cards"]), 3)
    ]


def is_of_kind(shown: SetShown, kind: str | None) -> bool:
    """Whether a set is a ``barsega``, a ``barsegon`` or a ``misci``; any set if there is no kind."""
    of_set, no_ace, _ = shown
    return {None: True, "barsega": of_set == "low", "barsegon": of_set == "triple", "misci": no_ace}[kind]


def misdeals(record: dict, rules: dict) -> int:
    return len(record["misdeals"])


def knocks(record: dict, rules: dict, *, seats: Seats, kind: str | None = None, stages: Stages | None = None) -> int:
    return sum(is_of_kind(shown, kind) for shown in shown_sets(record, rules, seats, stages))


def knock_points(
    record: dict, rules: dict, *, seats: Seats, kind: str | None = None, stages: Stages | None = None
) -> int:
    return sum(shown[2] for shown in shown_sets(record, rules, seats, stages) if is_of_kind(shown, kind))


def played(of: Callable[[dict, Cards, bool], int]) -> Callable[..., int]:
    """The function that adds up a number of each play of some seats: ``of`` the play, cards and whether by a sweep."""

    def total(
        record: dict, rules: dict, *, seats: Seats, stages: Stages | None = None, turn: int | None = None,
        cards: Cards = frozenset(PACK), by_sweep: bool = False,
    ) -> int:  # fmt: skip
        return sum(of(play, cards, by_sweep) for play in plays_of_seats(record, seats, stages, turn))

    return total


sweeps = played(lambda play, cards, by_sweep: play["scopa"] and play["card"] in cards)
captures = played(lambda play, cards, by_sweep: bool(play["captured"]) and play["card"] in cards)
takes = played(lambda play, cards, by_sweep: len(cards & cards_taken(play)) if play["scopa"] or not by_sweep else 0)
plays = played(lambda play, cards, by_sweep: play["card"] in cards)


def when_taken(record: dict, rules: dict, *, cards: Cards) -> int:
    return next((number for number, _, play in all_plays(record) if cards & cards_taken(play)), 0)


def stage_taken(record: dict, rules: dict, *, cards: Cards) -> int:
    return next((stage + 1 for _, stage, play in all_plays(record) if cards & cards_taken(play)), 0)


def first_capture_play(record: dict, rules: dict) -> int:
    return next((number for number, _, play in all_plays(record) if play["captured"]), 0)


def first_capture(record: dict, rules: dict, *, seats: Seats) -> bool:
    return next((play["seat"] in seats for _, _, play in all_plays(record) if play["captured"]), False)


def last_capture(record: dict, rules: dict, *, seats: Seats) -> bool:
    return record["last_capture_by"] in seats


def first_card_sweeps(record: dict, rules: dict) -> bool:
    return next((play["scopa"] for _, _, play in all_plays(record)), False)


def table_after(record: dict, stages: int | None) -> set[str]:
    """The cards on the table after so many stages, or at the end of the hand before they are given away."""
    table = set() if record["table_bonus"] else set(record["table"])
    for _, stage, play in all_plays(record):
        if stages is None or stage < stages:
            table = table - set(play["captured"]) if play["captured"] else table | {play["card"]}
    return table


def left(record: dict, rules: dict, *, cards: Cards | None = None, after: int | None = None) -> int:
    table = table_after(record, after)
    return len(table if cards is None else table & cards)


def leftovers(record: dict, rules: dict, *, seats: Seats) -> int:
    return left(record, rules) if record["last_capture_by"] in seats else 0


def decisive_play(record: dict, rules: dict) -> int:
    """The first moment from which on the winner is ahead: 0 the deal, then the plays, then the count of the piles."""
    best = winning_side(record, rules, None)
    if best is None:
        return 0
    sides = range(side_count(rules))
    so_far, course = [0 for _ in sides], []
    if record["table_bonus"]:
        so_far[side_of(rules, dealer_seat(rules))] += record["table_bonus"]["points"]
    course.append(winner(so_far))
    for _, _, play in all_plays(record):
        side = side_of(rules, play["seat"])
        so_far[side] += play["scopa"] * sweep_point(rules) + (play["knock"]["points"] if play["knock"] else 0)
        course.append(winner(so_far))
    course.append(best)
    return next(moment for moment in range(len(course)) if set(course[moment:]) == {best})


def piles_of(record: dict, sides: Sides) -> list[set[str]]:
    """The piles of some sides at the end of the hand."""
    return [set(record["piles"][side]) for side in sides]


def captured(record: dict, rules: dict, *, sides: Sides, cards: Cards | None = None, after: int | None = None) -> int:
    if after is None or after >= len(record["stages"]):
        pile = set().union(*piles_of(record, sides))
    else:
        by_dealer = record["table_bonus"] and side_of(rules, dealer_seat(rules)) in sides
        pile = set(record["table"] if by_dealer else ())
        for _, stage, play in all_plays(record):
            if stage < after and side_of(rules, play["seat"]) in sides:
                pile |= cards_taken(play)
    return len(pile if cards is None else pile & cards)


def primiera(record: dict, rules: dict, *, sides: Sides) -> int:
    (pile,) = piles_of(record, sides)
    return primiera_total(pile) or 0


def prime(record: dict, rules: dict, *, sides: Sides, suit: str) -> int:
    (pile,) = piles_of(record, sides)
    letter = SUITS[SUIT_NAMES.index(suit)]
    return max((prime_value(card) for card in pile if suit_of(card) == letter), default=0)


def grande(record: dict, rules: dict, *, sides: Sides) -> bool:
    return rules["grande"] > 0 and any({"Jd", "Qd", "Kd"} <= pile for pile in piles_of(record, sides))


def napola(record: dict, rules: dict, *, sides: Sides) -> int:
    (pile,) = piles_of(record, sides)
    length = next((number for number, card in enumerate(DIAMONDS) if card not in pile), 10)
    return length if length >= 3 else 0


def piccola(record: dict, rules: dict, *, sides: Sides) -> int:
    return min(napola(record, rules, sides=sides), rules["piccola_max"])


def cappotto(record: dict, rules: dict, *, sides: Sides) -> bool:
    return any(set(DIAMONDS) <= pile for pile in piles_of(record, sides))


def stage_points(record: dict, rules: dict, sides: Sides, category: str, stages: Stages | None) -> int:
    """Points of sweeps or knocks, added up play by play."""
    seats = tuple(seat for seat in range(rules["players"]) if side_of(rules, seat) in sides)
    if category == "sweeps":
        return sweeps(record, rules, seats=seats, stages=stages) * sweep_point(rules)
    return sum(play["knock"]["points"] for play in plays_of_seats(record, seats, stages) if play["knock"])


def points(
    record: dict, rules: dict, *, sides: Sides, category: str | None = None, after: int | None = None,
    stages: Stages | None = None,
) -> int:  # fmt: skip
    """Points of the hand; with ``after`` or ``stages`` only those for sweeps and bonuses until then, or in these."""
    if after is None and stages is None:
        key = "total" if category is None else CATEGORY_KEYS[category]
        return sum(record["points"][side][key] for side in sides)
    scored = 0
    if after is not None and category in (None, "table") and record["table_bonus"]:
        dealt_by = side_of(rules, dealer_seat(rules))
        scored += record["table_bonus"]["points"] if dealt_by in sides else 0
    counted = tuple(range(after)) if after is not None else stages
    for each in BY_STAGE:
        if category in (None, each):
            scored += stage_points(record, rules, sides, each, counted)
    return scored


def margin(record: dict, rules: dict, *, sides: Sides, after: int | None = None) -> Fraction:
    (own,) = sides
    of_sides = [points(record, rules, sides=(side,), after=after) for side in range(side_count(rules))]
    lead = of_sides[own] - Fraction(sum(of_sides) - of_sides[own], len(of_sides) - 1)
    return -lead if rules["lowest_wins"] else lead


def winning_side(record: dict, rules: dict, category: str | None) -> int | None:
    """The side with the most points, cards or diamonds or the best primiera; ``None`` if no side has more than all."""
    piles = record["piles"]
    if category is None:
        return winner([of_side["total"] for of_side in record["points"]])
    if category == "cards":
        return winner([len(pile) for pile in piles])
    if category == "diamonds":
        return winner([diamonds_in(pile) for pile in piles])
    assert category == "primiera", category
    return primiera_winner(rules, piles)


def wins(record: dict, rules: dict, *, sides: Sides, category: str | None = None) -> bool:
    return winning_side(record, rules, category) in sides


def ties(record: dict, rules: dict, *, category: str | None = None) -> bool:
    if category == "primiera" and rules["primiera"] != "sevens":
        somebody_has_one = any(map(primiera_total, record["piles"]))
        if rules["primiera"] == "none" or not somebody_has_one:
            return False
    return winning_side(record, rules, category) is None


FUNCTIONS: dict[str, Callable] = {
    **HELD, **OF_THE_TABLE,
    "misdeals": misdeals, "knocks": knocks, "knock_points": knock_points, "sweeps": sweeps, "captures": captures,
    "takes": takes, "when_taken": when_taken, "stage_taken": stage_taken, "first_capture": first_capture,
    "last_capture": last_capture, "first_capture_play": first_capture_play, "plays": plays, "left": left,
    "decisive_play": decisive_play, "first_card_sweeps": first_card_sweeps,
    "leftovers": leftovers, "captured": captured, "primiera": primiera, "prime": prime, "grande": grande,
    "piccola": piccola, "napola": napola, "cappotto": cappotto, "points": points, "margin": margin, "wins": wins,
    "ties": ties,
}  # fmt: skip
"""Name of the vocabulary -> function of (record, rules, ...)."""

__all__ = ["FUNCTIONS", "TABLE", "people", "sides_of"]
