"""The flat form of the rules that compiled code reads: numbers, truth values and lookup tables."""

from __future__ import annotations

from typing import NamedTuple, get_type_hints

import numpy as np
from numba import types

from ...cards import PRIME_VALUES, VALUES, parse
from ...errors import InputError
from ...rulebook import Rules, plain
from . import prices

NO_CARD = 63
"""The matta's index where there is none: no mask of cards has this bit."""

NEVER = 1 << 62


class FlatRules(NamedTuple):
    """Rules as the kernel reads them; all fields are uint64 but the truth values and the arrays."""

    players: int
    sides: int
    stages: int
    table_cards: int
    misdeal_mask: int  # 40-bit mask of the cards that count for a misdeal
    misdeal_count: int  # NEVER where nothing is a misdeal
    misdeals_lose: int  # NEVER where misdeals in a row cost nothing
    matta: int  # card, or NO_CARD
    matta_value: int  # its own capture value
    cards_point: int
    diamonds_point: int
    settebello_point: int
    primiera_point: int
    grande: int
    all_diamonds: int  # points in place of settebello, piccola and grande where `all_diamonds_points`
    bury_table: bool
    misdeal_three_equal: bool
    table_four_equal_wins: bool
    matta_reverts: bool
    knocks: bool  # whether any hand bonus is worth a point
    shown_first: bool
    shown_at_deal: bool  # bonuses are shown before anybody plays
    open_partners: bool
    open_last_stage: bool
    plain_capture: bool  # equal cards, sums and fifteens, freely chosen
    capture_equal: bool
    capture_sum: bool
    capture_fifteen: bool
    equal_first: bool
    capture_optional: bool
    ace_sweep: bool
    ace_must_sweep: bool
    ace_takes_ace_only: bool
    ace_sweep_scopa: bool
    last_card_scopa: bool
    primiera_full: bool
    primiera_sevens: bool
    all_diamonds_points: bool
    all_diamonds_wins: bool
    plan: np.ndarray  # uint64[stages]: cards dealt to each seat, stage by stage
    digits: np.ndarray  # uint64[40]: of each card, see prices.py
    sets: np.ndarray  # uint64[prices.SETS]: the bonus of three cards held, by the number of their digits
    claims: np.ndarray  # uint64[10 * prices.SETS]: every bonus they may be shown for, see prices.py
    tables: np.ndarray  # uint64[prices.TABLES]: the dealer's bonus for a table, by its number
    piccola: np.ndarray  # uint64[1024]: points of la piccola for a pile with these diamonds (bit 0 the ace)
    grandes: np.ndarray  # uint64[1024]: points of la grande likewise


_KINDS = get_type_hints(FlatRules)
_BOOLEANS = [name for name, kind in _KINDS.items() if kind is bool]
_ARRAYS = [name for name, kind in _KINDS.items() if kind is np.ndarray]

flat_type = types.NamedTuple(
    tuple(
        types.Array(types.uint64, 1, "C", readonly=True)
        if name in _ARRAYS
        else types.boolean
        if name in _BOOLEANS
        else types.uint64
        for name in FlatRules._fields
    ),
    FlatRules,
)

VALUE = np.array(VALUES, np.uint64)
"""Capture value of each card."""


def _best_prime() -> np.ndarray:
    """uint64[1024]: the best prime value among the cards of one suit, given as ten bits; 0 for none."""
    prime = PRIME_VALUES[:10]
    return np.array([max([prime[i] for i in range(10) if x >> i & 1], default=0) for x in range(1024)], np.uint64)


BEST_PRIME = _best_prime()


def run_length(diamonds: int) -> int:
    """Length of the run of diamonds from the ace upwards, in a set given as ten bits."""
    return next((i for i in range(10) if not diamonds >> i & 1), 10)


def _piccola(rules: Rules) -> list[int]:
    runs = [min(run_length(x), rules.piccola_max) for x in range(1024)]
    return [run if run >= 3 else 0 for run in runs]


def _grande(rules: Rules) -> list[int]:
    def points(x: int) -> int:
        if x >> 7 != 0b111:
            return 0
        more = (x >> 6 & 1) * (1 + (x >> 5 & 1)) if rules.grande_extended else 0
        return rules.grande + more

    return [points(x) if rules.grande else 0 for x in range(1024)]


def _frozen(numbers: list[int]) -> np.ndarray:
    array = np.array(numbers, np.uint64)
    array.flags.writeable = False
    return array


def flatten(rules: Rules) -> FlatRules:
    """The flat form of rules."""
    matta = NO_CARD if rules.matta is None else parse(rules.matta)
    rank = "A234567JQK".index(rules.misdeal_rank)
    first_deal = rules.table_cards + rules.players * rules.deal_plan[0]
    capture = set(rules.capture_by)
    numbers = {
        "players": rules.players,
        "sides": rules.sides,
        "stages": len(rules.deal_plan),
        "table_cards": rules.table_cards,
        "misdeal_mask": sum(1 << (10 * suit + rank) for suit in range(4)),
        "misdeal_count": rules.misdeal_count or NEVER,
        "misdeals_lose": rules.misdeals_lose or NEVER,
        "matta": matta,
        "matta_value": 0 if rules.matta is None else VALUES[matta],
        "cards_point": rules.cards_point,
        "diamonds_point": rules.diamonds_point,
        "settebello_point": rules.settebello_point,
        "primiera_point": 0 if rules.primiera == "none" else rules.primiera_point,
        "grande": rules.grande,
        "all_diamonds": rules.all_diamonds if isinstance(rules.all_diamonds, int) else 0,
        # Where the stock has no other cards to replace the table with, again and again, everything is dealt again.
        "bury_table": rules.misdeal_redeal == "table" and 40 - first_deal > rules.table_cards,
        "misdeal_three_equal": rules.misdeal_three_equal,
        "table_four_equal_wins": rules.table_four_equal_wins,
        "matta_reverts": rules.matta_on_table == "reverts",
        "knocks": rules.hand_bonuses,
        "shown_first": rules.bonus_cards_first,
        # What may be shown any time before one's first turn, plays already made to be taken back, nobody gains by
        # showing late: every play that counts is made knowing it.
        "shown_at_deal": rules.knock_timing != "turn",
        "open_partners": rules.open_partners,
        "open_last_stage": rules.open_last_stage,
        "plain_capture": capture == {"equal", "sum", "fifteen"} and not rules.equal_first,
        "capture_equal": "equal" in capture,
        "capture_sum": "sum" in capture,
        "capture_fifteen": "fifteen" in capture,
        "equal_first": rules.equal_first,
        "capture_optional": rules.capture_optional,
        "ace_sweep": rules.ace_sweep,
        "ace_must_sweep": rules.ace_choice == "sweep",
        "ace_takes_ace_only": rules.ace_blocked == "ace_only",
        "ace_sweep_scopa": rules.ace_sweep_scopa,
        "last_card_scopa": rules.last_card_scopa,
        "primiera_full": rules.primiera == "full",
        "primiera_sevens": rules.primiera == "sevens",
        "all_diamonds_points": isinstance(rules.all_diamonds, int),
        "all_diamonds_wins": rules.all_diamonds == "wins",
        "plan": _frozen(list(rules.deal_plan)),
        "digits": _frozen(prices.digits(rules)),
        "sets": _frozen(prices.sets(rules)),
        "claims": _frozen(prices.claims(rules)),
        "tables": _frozen(prices.tables(rules)),
        "piccola": _frozen(_piccola(rules)),
        "grandes": _frozen(_grande(rules)),
    }
    return FlatRules(
        **{
            name: value if name in _ARRAYS else bool(value) if name in _BOOLEANS else np.uint64(value)
            for name, value in numbers.items()
        }
    )


def alike(one: FlatRules, other: FlatRules, but: tuple[str, ...] = ()) -> bool:
    """Whether two rule sets are the same to the kernel, but for some fields: every hand goes the same way."""
    fields = [name for name in FlatRules._fields if name not in but]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in fields)


class FlatGame(NamedTuple):
    """The rules of games and matches as the kernel reads them; all fields are uint64 but the truth values."""

    target: int
    hands: int  # of a game of so many hands, whatever the score; 0 where the target decides
    best_of: int
    knockout: bool
    draws: bool  # a tie after so many hands stands
    deal_passes: bool  # after a misdeal the next player deals


game_type = types.NamedTuple((*(types.uint64,) * 3, *(types.boolean,) * 3), FlatGame)


def flatten_game(rules: Rules) -> FlatGame:
    """The flat form of what rules say of games.

    Raises ``InputError`` where more than two sides cannot play so, a match and a knock-out being between two, and for a
    match whose games may be drawn.
    """
    if rules.best_of > 1 and rules.drawn_games:
        raise InputError(
            f"hands_tie {plain(rules.hands_tie)!r}: a match of up to {rules.best_of} games needs a winner of each "
            "(valid: another)"
        )
    for name, usual in (("best_of", 1), ("knockout_tiebreak", False)):
        value = getattr(rules, name)
        if rules.sides > 2 and value != usual:
            raise InputError(
                f"{name} {plain(value)!r} is for two sides, and there are {rules.sides} (valid: {plain(usual)})"
            )
    return FlatGame(
        np.uint64(rules.target),
        np.uint64(rules.hands_per_game or 0),
        np.uint64(rules.best_of),
        rules.knockout_tiebreak,
        rules.drawn_games,
        rules.misdeal_dealer == "next",
    )
