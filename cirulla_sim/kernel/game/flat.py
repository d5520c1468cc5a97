"""The flat form of the rules that compiled code reads: numbers, truth values and lookup tables.

Every field of ``Rules`` reaches compiled code: by ``flat_values``, as the number or truth value that it is (``PLAIN``)
or as what follows from it, or with the rules of whole games (``OF_GAMES``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.cards import RANKS, VALUES, parse
from ...core.errors import InputError
from ...ruleset.catalogue import catalogue, format_value
from ...ruleset.categories import MOST_FURTHER, USUAL, categories_of
from ...ruleset.rules_model import Rules
from ...ruleset.scoring import scoring_of
from .. import types
from . import prices

NO_CARD = 63
"""The matta's index where there is none: no mask of cards has this bit."""

NEVER = 1 << 62

MOST_STAGES = 6
"""No rules have more stages: two players with three cards."""

WORD = np.uint64

VALUE = np.array(VALUES, WORD)
"""Capture value of each card."""

_CARDS_OF_SUIT = np.arange(1024)[:, None] >> np.arange(10) & 1
"""int[1024, 10]: which cards are in each set of cards of one suit, given as ten bits, the ace the lowest."""

_RUN = _CARDS_OF_SUIT.cumprod(axis=1).sum(axis=1)
"""The length of the run from the ace upwards in each of these sets."""

OF_GAMES = ("misdeal_dealer", "target", "hands_per_game", "hands_tie", "best_of", "knockout_tiebreak")
"""The rules of whole games, see ``flatten_game``; no hand depends on them."""

PLAIN = (
    "players", "table_cards", "misdeal_three_equal", "table_four_equal_wins", "hand_low_most", "open_last_stage",
    "equal_first", "fewest_first", "capture_optional", "ace_sweep", "ace_sweep_scopa", "last_card_scopa", "shutout",
)  # fmt: skip
"""The rules that compiled code reads as they are: numbers and truth values."""


def flat_values(rules: Rules) -> dict[str, Any]:
    """The rules as compiled code reads them: numbers, truth values, lists of words, and points as bytes, by name."""
    matta = None if rules.matta is None else parse(rules.matta)
    rank = RANKS.index(rules.misdeal_rank)
    stock = 40 - rules.table_cards - rules.players * rules.deal_plan[0]
    points = rules.all_diamonds_points
    sets, claims = prices.bonuses_of_sets(rules)
    paid = {category.column: category.points for category in scoring_of(rules)}
    fields = {entry["points"]: paid.get(entry["column"], 0) for entry in USUAL.values() if "points" in entry}
    counts = catalogue()["primes"][rules.primiera_values if rules.full_primiera else rules.primiera]
    primes = (_CARDS_OF_SUIT * counts).max(axis=1) if rules.full_primiera else _CARDS_OF_SUIT @ counts
    runs = np.minimum(_RUN, rules.piccola_max * paid.get("piccola", 0))
    piccola = np.where(runs >= 3, runs, 0)
    extended = _CARDS_OF_SUIT[:, 6] * (1 + _CARDS_OF_SUIT[:, 5]) if rules.grande_extended else 0
    grande = paid.get("grande", 0)
    grande = np.where(_CARDS_OF_SUIT[:, 7:].all(axis=1) & (grande > 0), grande + extended, 0)
    further = categories_of(rules.scoring)
    slots = [0] * (MOST_FURTHER - len(further))
    plan = [*rules.deal_plan, *[0] * (MOST_STAGES - len(rules.deal_plan))]  # cards dealt to each seat, by stage
    begins = [rules.players * sum(plan[:stage]) for stage in range(MOST_STAGES)]  # plays of the hand before it
    first_slots = [sum(size // 3 for size in plan[:stage]) for stage in range(MOST_STAGES)]  # the first of its knocks
    settebello = fields["settebello_point"]
    majority = fields["diamonds_point"] * (_CARDS_OF_SUIT.sum(axis=1) > 5)
    return {name: getattr(rules, name) for name in PLAIN} | {
        "sides": rules.sides,
        "seat_bits": 1 if rules.sides == 2 else 3,  # those of a seat that make its side
        "stages": len(rules.deal_plan),
        "plays": 40 - rules.table_cards,  # of a hand
        "misdeal_mask": 0x40100401 << rank,  # of the cards that count for a misdeal
        "misdeal_count": rules.misdeal_count or NEVER,
        "misdeals_lose": rules.misdeals_lose or NEVER,
        # Whether the stock has other cards to replace the table with, again and again; else everything is dealt again.
        "bury_table": rules.misdeal_redeal == "table" and stock > rules.table_cards,
        "matta": NO_CARD if matta is None else matta,
        "matta_value": 0 if matta is None else VALUES[matta],  # its own
        "matta_reverts": rules.matta_on_table == "reverts",
        "knocks": rules.hand_bonuses,
        "shown_first": rules.bonus_cards_first,
        "must_show": rules.show_bonus == "at_once",  # no seat waits with its sets
        # If plays are taken back for a set shown at any time before one's first turn, showing it late gains nothing:
        # every play that counts is made with it shown.
        "shown_at_deal": rules.knock_timing != "turn",
        "open_partners": rules.open_partners and rules.sides < rules.players,
        "capture_equal": "equal" in rules.capture_by,
        "capture_sum": "sum" in rules.capture_by,
        "capture_fifteen": "fifteen" in rules.capture_by,
        "ace_must_sweep": rules.ace_choice == "sweep",
        "ace_takes_ace_only": rules.ace_blocked == "ace_only",
        "ace_takes_itself": rules.ace_sweep and rules.ace_takes_itself,
        "ace_over_aces": rules.ace_blocked == "nothing",
        # How many plays of a hand come before an ace may take the table.
        "ace_from": {"first_play": 0, "second_play": 1, "second_round": rules.players}[rules.ace_from]
        * rules.ace_sweep,
        "capture_most": rules.capture_most or 40,
        **fields,  # what categories pay of which one field says it
        "primiera_point": paid.get("primiera", 0),
        "sweep_point": rules.sweep_point,
        # Whether a side without a suit cannot win the primiera, or loses it to one that has all.
        "primiera_whole": rules.full_primiera and rules.primiera_lacking == "cannot_win",
        "primiera_whole_first": rules.full_primiera and rules.primiera_lacking == "loses_to_whole",
        "primes": primes.astype(np.uint8),  # what each set of cards of a suit counts
        # The categories of ``scoring``: how many, and of each what it counts, of which cards, for how many points.
        "further": len(further),
        # Whether greedy lists every play: its lookup knows neither these categories nor that points may cost.
        "greedy_lists": bool(further) or rules.lowest_wins or (rules.ace_sweep and rules.ace_takes_itself),
        "further_kind": [*(category.kind for category in further), *slots],
        "further_cards": [*(category.cards for category in further), *slots],
        "further_points": np.array([*(category.points for category in further), *slots], np.int32),
        # All ten diamonds win the game, or earn points in place of settebello, piccola and grande.
        "all_diamonds_wins": rules.all_diamonds == "wins",
        "all_diamonds_points": points is not None,
        "all_diamonds": points or 0,
        "pays": np.int32(rules.pays),  # what a point is worth to who makes it, 1 or -1
        "states": 0,  # address of the tables of captures, see captures.py
        "early": 0,  # addresses of these rules before ``ace_from``, and from then on
        "late": 0,
        "plan": plan,
        "begins": begins,
        "slots": first_slots,
        "digits": prices.card_digits(rules),  # of each card, see prices.py
        "sets": sets,  # the bonus of three cards held, by the number of their digits
        "claims": claims,  # every bonus they may be shown for
        "tables": prices.table_words(rules),  # the dealer's bonus, by number
        # Points by the diamonds of a pile, as bytes, of which more stay near the processor: those of la piccola, of la
        # grande, and all that these diamonds earn whatever else is captured.
        "piccola": piccola.astype(np.uint8),
        "grandes": grande.astype(np.uint8),
        "diamonds": (majority + settebello * _CARDS_OF_SUIT[:, 6] + piccola + grande).astype(np.uint8),
    }


_USUAL = {name: np.asarray(value) for name, value in flat_values(Rules()).items()}

FLAT = np.dtype(
    [
        (name, WORD if value.dtype == np.int64 else value.dtype, value.shape)
        for name, value in sorted(_USUAL.items(), key=lambda item: (item[1].shape, item[1].dtype.kind == "b"))
    ],
    align=True,
)
"""Rules as the kernel reads them: one record, passed by its address. Numbers are words of 64 bits.

Numbers first, then truth values, then tables: what is read most shares a few cache lines."""

flat_type = types.Record(FLAT)


def flatten(rules: Rules) -> Any:
    """The flat form of rules without their tables of captures, an array of one ``FLAT``.

    Compiled code takes ``entries.rules.flat_rules``, which has these tables too.
    """
    flat = flat_type.zeros()
    for name, value in flat_values(rules).items():
        flat[name] = value
    return flat


def have_equal_fields(first: Any, second: Any, ignored: tuple[str, ...] = ()) -> bool:
    """Whether two flat rule sets agree in all fields but those ignored: then every hand goes the same way."""
    return all(np.array_equal(first[name], second[name]) for name in FLAT.names or () if name not in ignored)


class FlatGame(NamedTuple):
    """The rules of games and matches as the kernel reads them; all fields are uint64 but the truth values."""

    target: int
    hands: int  # of a game with a fixed number of hands; 0 if the target decides
    best_of: int
    knockout: bool
    draws: bool  # a tie after these hands stands
    deal_passes: bool  # after a misdeal the next player deals


game_type = types.Tuple((*(types.uint64,) * 3, *(types.boolean,) * 3), FlatGame)


def flatten_game(rules: Rules) -> FlatGame:
    """The flat form of what rules say of games.

    Raises ``InputError`` where more than two sides cannot play so, a match and a knock-out being between two, and for a
    match whose games may be drawn.
    """
    if rules.best_of > 1 and rules.drawn_games:
        raise InputError(
            "hands_tie {hands_tie!r}: a match of up to {best_of} games needs a winner of each (valid: another)",
            format_value(rules.hands_tie), rules.best_of,
        )  # fmt: skip
    for name, usual in (("best_of", 1), ("knockout_tiebreak", False)):
        value = getattr(rules, name)
        if rules.sides > 2 and value != usual:
            raise InputError(
                "{name} {value!r} is for two sides, and there are {sides} (valid: {usual})",
                name, format_value(value), rules.sides, format_value(usual),
            )  # fmt: skip
    return FlatGame(
        np.uint64(rules.target),
        np.uint64(rules.hands_per_game or 0),
        np.uint64(rules.best_of),
        rules.knockout_tiebreak,
        rules.drawn_games,
        rules.misdeal_dealer == "next",
    )
