"""The flat form of the rules that compiled code reads: numbers, truth values and lookup tables."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from ...core.cards import PRIME_VALUES, VALUES, parse
from ...core.errors import InputError
from ...ruleset.catalogue import plain
from ...ruleset.rules_model import Rules
from . import prices

NO_CARD = 63
"""The matta's index where there is none: no mask of cards has this bit."""

NEVER = 1 << 62

MOST_STAGES = 6
"""More stages no rules have: two players with three cards."""

WORD = np.uint64


FLAT = np.dtype(
    [
        ("players", WORD),
        ("sides", WORD),
        ("stages", WORD),
        ("table_cards", WORD),
        ("misdeal_mask", WORD),  # 40-bit mask of the cards that count for a misdeal
        ("misdeal_count", WORD),  # NEVER where nothing is a misdeal
        ("misdeals_lose", WORD),  # NEVER where misdeals in a row cost nothing
        ("matta", WORD),  # card, or NO_CARD
        ("matta_value", WORD),  # its own capture value
        ("cards_point", WORD),
        ("diamonds_point", WORD),
        ("settebello_point", WORD),
        ("primiera_point", WORD),
        ("grande", WORD),
        ("all_diamonds", WORD),  # points in place of settebello, piccola and grande where `all_diamonds_points`
        ("bury_table", np.bool_),
        ("misdeal_three_equal", np.bool_),
        ("table_four_equal_wins", np.bool_),
        ("matta_reverts", np.bool_),
        ("knocks", np.bool_),  # whether any hand bonus is worth a point
        ("shown_first", np.bool_),
        ("shown_at_deal", np.bool_),  # bonuses are shown before anybody plays
        ("open_partners", np.bool_),
        ("open_last_stage", np.bool_),
        ("plain_capture", np.bool_),  # equal cards, sums and fifteens, freely chosen
        ("capture_equal", np.bool_),
        ("capture_sum", np.bool_),
        ("capture_fifteen", np.bool_),
        ("equal_first", np.bool_),
        ("capture_optional", np.bool_),
        ("ace_sweep", np.bool_),
        ("ace_must_sweep", np.bool_),
        ("ace_takes_ace_only", np.bool_),
        ("ace_sweep_scopa", np.bool_),
        ("last_card_scopa", np.bool_),
        ("primiera_full", np.bool_),
        ("primiera_sevens", np.bool_),
        ("all_diamonds_points", np.bool_),
        ("all_diamonds_wins", np.bool_),
        ("plan", WORD, MOST_STAGES),  # cards dealt to each seat, stage by stage
        ("digits", WORD, 40),  # of each card, see prices.py
        ("sets", WORD, prices.SETS),  # the bonus of three cards held, by the number of their digits
        ("claims", WORD, 10 * prices.SETS),  # every bonus they may be shown for, see prices.py
        ("tables", WORD, prices.TABLES),  # the dealer's bonus for a table, by its number
        ("piccola", WORD, 1024),  # points of la piccola for a pile with these diamonds (bit 0 the ace)
        ("grandes", WORD, 1024),  # points of la grande likewise
        ("diamonds", WORD, 1024),  # all points that these diamonds are good for, whatever else comes
    ],
    align=True,
)
"""Rules as the kernel reads them: one record, passed by its address. Numbers and tables are words of 64 bits."""

flat_type = numba.from_dtype(FLAT)

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


def _diamonds(rules: Rules) -> list[int]:
    """The points of piles by their diamonds: melds, settebello, the majority."""
    most = [rules.diamonds_point if x.bit_count() > 5 else 0 for x in range(1024)]
    sevens = [rules.settebello_point * (x >> 6 & 1) for x in range(1024)]
    return [sum(points) for points in zip(most, sevens, _piccola(rules), _grande(rules), strict=True)]


def flatten(rules: Rules) -> Any:
    """The flat form of rules, a record of ``FLAT`` that cannot be written to."""
    matta = NO_CARD if rules.matta is None else parse(rules.matta)
    rank = "A234567JQK".index(rules.misdeal_rank)
    first_deal = rules.table_cards + rules.players * rules.deal_plan[0]
    capture = set(rules.capture_by)
    fields: dict[str, Any] = {
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
        "open_partners": rules.open_partners and rules.sides < rules.players,
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
        "plan": list(rules.deal_plan) + [0] * (MOST_STAGES - len(rules.deal_plan)),
        "digits": prices.digits(rules),
        "sets": prices.sets(rules),
        "claims": prices.claims(rules),
        "tables": prices.tables(rules),
        "piccola": _piccola(rules),
        "grandes": _grande(rules),
        "diamonds": _diamonds(rules),
    }
    flat = np.zeros(1, np.dtype((np.record, FLAT)))
    for name, value in fields.items():
        flat[name] = value
    flat.flags.writeable = False
    return flat[0]


def alike(one: Any, other: Any, but: tuple[str, ...] = ()) -> bool:
    """Whether two rule sets are the same to the kernel, but for some fields: every hand goes the same way."""
    return all(np.array_equal(one[name], other[name]) for name in FLAT.names or () if name not in but)


@cache
def flat_rules(rules: Rules) -> Any:
    """The flat form of rules, made once."""
    return flatten(rules)


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
