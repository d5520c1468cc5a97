"""The flat form of the rules that compiled code reads: numbers, truth values and lookup tables.

Every field of ``Rules`` reaches compiled code in exactly one way: by default as a number or truth value of the same
name, else by what ``DERIVED`` makes of it, or with the rules of whole games (``OF_GAMES``). ``flat_fields`` raises when
this module is imported if a field has no way or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ...core.cards import PRIME_VALUES, VALUES, parse
from ...core.errors import InputError
from ...ruleset.catalogue import catalogue, plain
from ...ruleset.rules_model import FIELDS, Rules
from .. import types
from . import prices

NO_CARD = 63
"""The matta's index where there is none: no mask of cards has this bit."""

NEVER = 1 << 62

MOST_STAGES = 6
"""No rules have more stages: two players with three cards."""

WORD = np.uint64

VALUE = np.array(VALUES, np.uint64)
"""Capture value of each card."""


def _best_prime() -> np.ndarray:
    """uint8[1024]: the best prime value among the cards of one suit, given as ten bits; 0 for none."""
    prime = PRIME_VALUES[:10]
    return np.array([max([prime[i] for i in range(10) if x >> i & 1], default=0) for x in range(1024)], np.uint8)


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
        extra = (x >> 6 & 1) * (1 + (x >> 5 & 1)) if rules.grande_extended else 0
        return rules.grande + extra

    return [points(x) if rules.grande else 0 for x in range(1024)]


def _diamonds(rules: Rules) -> list[int]:
    """The points of piles by their diamonds: melds, settebello, the majority."""
    most = [rules.diamonds_point if x.bit_count() > 5 else 0 for x in range(1024)]
    sevens = [rules.settebello_point * (x >> 6 & 1) for x in range(1024)]
    return [sum(points) for points in zip(most, sevens, _piccola(rules), _grande(rules), strict=True)]


class Field(NamedTuple):
    """A field of ``FLAT``: its numpy type and shape, its value under some rules, and the rules that it stands for."""

    kind: type[np.generic]
    rules: tuple[str, ...]
    value: Callable[[Rules], Any]
    shape: tuple[int, ...] = ()


def _words(rules: str, value: Callable[[Rules], Any], *shape: int) -> Field:
    return Field(WORD, tuple(rules.split()), value, shape)


def _points(rules: str, value: Callable[[Rules], list[int]]) -> Field:
    """Points by the diamonds of a pile, bit 0 the ace; as bytes, of which more stay near the processor."""
    return Field(np.uint8, tuple(rules.split()), value, (1024,))


def _truth(rules: str, value: Callable[[Rules], Any]) -> Field:
    return Field(np.bool_, tuple(rules.split()), value)


def _misdeal_mask(rules: Rules) -> int:
    rank = "A234567JQK".index(rules.misdeal_rank)
    return sum(1 << (10 * suit + rank) for suit in range(4))


def _can_bury(rules: Rules) -> bool:
    """Whether the stock has other cards to replace the table with, again and again; else everything is dealt again."""
    stock = 40 - rules.table_cards - rules.players * rules.deal_plan[0]
    return rules.misdeal_redeal == "table" and stock > rules.table_cards


_HAND = "hand_low hand_triple hand_both matta_low"

DERIVED: dict[str, Field] = {
    "sides": _words("partnership", lambda rules: rules.sides),
    "seat_bits": _words("", lambda rules: 1 if rules.sides == 2 else 3),  # those of a seat that make its side
    "stages": _words("deal_plan", lambda rules: len(rules.deal_plan)),
    "misdeal_mask": _words("misdeal_rank", _misdeal_mask),  # of the cards that count for a misdeal
    "misdeal_count": _words("misdeal_count", lambda rules: rules.misdeal_count or NEVER),
    "misdeals_lose": _words("misdeals_lose", lambda rules: rules.misdeals_lose or NEVER),
    "bury_table": _truth("misdeal_redeal", _can_bury),
    "matta": _words("matta", lambda rules: NO_CARD if rules.matta is None else parse(rules.matta)),
    "matta_value": _words("matta", lambda rules: 0 if rules.matta is None else VALUES[parse(rules.matta)]),  # its own
    "matta_reverts": _truth("matta_on_table", lambda rules: rules.matta_on_table == "reverts"),
    "knocks": _truth("hand_low hand_triple hand_both", lambda rules: rules.hand_bonuses),
    "shown_first": _truth("bonus_cards_first", lambda rules: rules.bonus_cards_first),
    "must_show": _truth("show_bonus", lambda rules: rules.show_bonus == "at_once"),  # no seat waits with its sets
    # If plays are taken back for a set shown at any time before one's first turn, showing it late gains nothing:
    # every play that counts is made with it shown.
    "shown_at_deal": _truth("knock_timing", lambda rules: rules.knock_timing != "turn"),
    "open_partners": _truth("open_partners", lambda rules: rules.open_partners and rules.sides < rules.players),
    "capture_equal": _truth("capture_by", lambda rules: "equal" in rules.capture_by),
    "capture_sum": _truth("capture_by", lambda rules: "sum" in rules.capture_by),
    "capture_fifteen": _truth("capture_by", lambda rules: "fifteen" in rules.capture_by),
    "ace_must_sweep": _truth("ace_choice", lambda rules: rules.ace_choice == "sweep"),
    "ace_takes_ace_only": _truth("ace_blocked", lambda rules: rules.ace_blocked == "ace_only"),
    "primiera_point": _words("primiera_point", lambda rules: 0 if rules.primiera == "none" else rules.primiera_point),
    "primiera_full": _truth("primiera", lambda rules: rules.primiera == "full"),
    "primiera_sevens": _truth("primiera", lambda rules: rules.primiera == "sevens"),
    # All ten diamonds win the game, or earn points in place of settebello, piccola and grande.
    "all_diamonds_wins": _truth("all_diamonds", lambda rules: rules.all_diamonds == "wins"),
    "all_diamonds_points": _truth("all_diamonds", lambda rules: isinstance(rules.all_diamonds, int)),
    "all_diamonds": _words(
        "all_diamonds", lambda rules: rules.all_diamonds if isinstance(rules.all_diamonds, int) else 0
    ),
    "states": _words("", lambda rules: 0),  # address of the tables of captures, see states.py
    "plan": _words(  # cards dealt to each seat, by stage
        "deal_plan", lambda rules: [*rules.deal_plan, *[0] * (MOST_STAGES - len(rules.deal_plan))], MOST_STAGES
    ),
    "digits": _words("matta", prices.digits, 40),  # of each card, see prices.py
    "sets": _words(_HAND, prices.sets, prices.SETS),  # the bonus of three cards held, by the number of their digits
    "claims": _words(_HAND, prices.claims, 10 * prices.SETS),  # every bonus they may be shown for, see prices.py
    "tables": _words("table_15 table_30 table_low", prices.tables, prices.TABLES),  # the dealer's bonus, by number
    "piccola": _points("piccola_max", _piccola),  # of la piccola
    "grandes": _points("grande grande_extended", _grande),  # of la grande
    "diamonds": _points("", _diamonds),  # all that these diamonds earn whatever else is captured
}
"""The fields of ``FLAT`` that are not a rule as it is."""

OF_GAMES = ("misdeal_dealer", "target", "hands_per_game", "hands_tie", "best_of", "knockout_tiebreak")
"""The rules of whole games, see ``flatten_game``; no hand depends on them."""


def _plain_field(rule: str) -> Field:
    """The field of a rule that is read as it is."""
    spec = catalogue()["field"][rule]
    if spec.get("kind") == "bool":
        return Field(np.bool_, (rule,), attrgetter(rule))
    if "kind" in spec or "words" in spec:
        raise TypeError(f"rule {rule!r} is not a plain number or truth value: add it to DERIVED or OF_GAMES")
    return Field(WORD, (rule,), attrgetter(rule))


def flat_fields(
    rules: Iterable[str] = FIELDS, derived: Mapping[str, Field] = DERIVED, of_games: Iterable[str] = OF_GAMES
) -> dict[str, Field]:
    """The fields of ``FLAT``, plain ones first.

    Raises ``TypeError`` for a rule that does not reach compiled code, or does so in two ways, and for unknown rules.
    """
    rules, of_games = list(rules), set(of_games)
    of_hands = {rule for field in derived.values() for rule in field.rules}
    if wrong := (of_hands & of_games) | ((of_hands | of_games) - set(rules)):
        raise TypeError(f"rules {sorted(wrong)} are unknown, or in DERIVED as well as in OF_GAMES")
    fields = {rule: _plain_field(rule) for rule in rules if rule not in of_hands | of_games}
    if wrong := fields.keys() & derived.keys():
        raise TypeError(f"rules {sorted(wrong)} are read as they are, but DERIVED has fields of their names")
    return fields | dict(derived)


FLAT_FIELDS = dict(sorted(flat_fields().items(), key=lambda item: (item[1].shape, item[1].kind is np.bool_)))
"""Numbers first, then truth values, then tables: what is read most shares a few cache lines."""

FLAT = np.dtype([(name, field.kind, field.shape) for name, field in FLAT_FIELDS.items()], align=True)
"""Rules as the kernel reads them: one record, passed by its address. Numbers are words of 64 bits."""

flat_type = types.Record(FLAT)


def flatten(rules: Rules) -> Any:
    """The flat form of rules without their tables of captures, an array of one ``FLAT``.

    Compiled code takes ``entries.rules.flat_rules``, which has these tables too.
    """
    flat = np.zeros(1, np.dtype((np.record, FLAT)))
    for name, field in FLAT_FIELDS.items():
        flat[name] = field.value(rules)
    return flat


def alike(first: Any, second: Any, ignored: tuple[str, ...] = ()) -> bool:
    """Whether two flat rule sets agree in all fields but those ignored: then every hand goes the same way."""
    return all(np.array_equal(first[name], second[name]) for name in FLAT_FIELDS if name not in ignored)


class FlatGame(NamedTuple):
    """The rules of games and matches as the kernel reads them; all fields are uint64 but the truth values."""

    target: int
    hands: int  # of a game with a fixed number of hands; 0 if the target decides
    best_of: int
    knockout: bool
    draws: bool  # a tie after these hands stands
    deal_passes: bool  # after a misdeal the next player deals


game_type = types.NamedTuple((*(types.uint64,) * 3, *(types.boolean,) * 3), FlatGame)


def flatten_game(rules: Rules) -> FlatGame:
    """The flat form of what rules say of games.

    Raises ``InputError`` where more than two sides cannot play so, a match and a knock-out being between two, and for a
    match whose games may be drawn.
    """
    if rules.best_of > 1 and rules.drawn_games:
        raise InputError(
            "hands_tie {hands_tie!r}: a match of up to {best_of} games needs a winner of each (valid: another)",
            plain(rules.hands_tie), rules.best_of,
        )  # fmt: skip
    for name, usual in (("best_of", 1), ("knockout_tiebreak", False)):
        value = getattr(rules, name)
        if rules.sides > 2 and value != usual:
            raise InputError(
                "{name} {value!r} is for two sides, and there are {sides} (valid: {usual})",
                name, plain(value), rules.sides, plain(usual),
            )  # fmt: skip
    return FlatGame(
        np.uint64(rules.target),
        np.uint64(rules.hands_per_game or 0),
        np.uint64(rules.best_of),
        rules.knockout_tiebreak,
        rules.drawn_games,
        rules.misdeal_dealer == "next",
    )
