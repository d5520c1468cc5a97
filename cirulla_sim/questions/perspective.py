"""Endings of words: which player or side, and when, named by who deals or as one seat sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..ruleset.rules_model import Rules
from ..situation.people import order_of_play, seen_from

Column = Any  # an array with one entry a hand: bool, integer or text

Places = tuple[int, ...]
"""Seats, sides or stages."""

Endings = dict[str, tuple[str, Places]]
"""Ending -> in words, and the seats, sides or stages meant."""


@dataclass(frozen=True)
class Perspective:
    """Players (``seats``) and ``sides`` by ending; ``own`` is the side that margins are of, the asking player's."""

    seats: Endings
    sides: Endings
    own: int


def perspective(rules: Rules, me: int) -> Perspective:
    """Players and sides by where they sit (``_first``, ``_dealer``) and as the player at seat ``me`` sees them.

    ``_dealer`` is the dealer's side, ``_dealer_alone`` the dealer without a partner.
    """
    every, own, dealer = range(rules.players), rules.side(me), rules.dealer_side
    each = {f"_{name}": (f" of {name}", (seat,)) for name, seat in players(rules, me).items()}
    alone = {"_dealer_alone": (" of the dealer alone", (rules.players - 1,))} if rules.partnership else {}
    groups = {
        "_us": (" of our side", own, True), "_them": (" of the others than us", own, False),
        "_dealer": (" of the dealer's side", dealer, True),
        "_others": (" of the others than the dealer", dealer, False),
    }  # fmt: skip
    sides: Endings = {
        name: (words, tuple(side for side in range(rules.sides) if (side == of) == inside))
        for name, (words, of, inside) in groups.items()
    }
    seats: Endings = {"": ("", tuple(every))}
    seats |= {
        name: (words, tuple(seat for seat in every if (rules.side(seat) == of) == inside))
        for name, (words, of, inside) in groups.items()
    }
    if rules.sides == rules.players > 2:
        sides = each | sides
    return Perspective(each | seats | alone, sides, own)


def players(rules: Rules, me: int) -> dict[str, int]:
    """The seat of each player by name, where the person asking sits at seat ``me``."""
    names = {name: seat for seat, name in enumerate(order_of_play(rules))}
    return {**names, **{name: seat for seat, name in enumerate(seen_from(rules, me))}}


_RELATIVE = re.compile(r"(?:(?:.*_)?(?:us|them|me|next|partner|opposite|previous)(?:_.*)?|margin)")


def is_relative(name: str) -> bool:
    """Whether a word of a vocabulary depends on who asks.

    >>> is_relative("won_us"), is_relative("me_low"), is_relative("won_dealer"), is_relative("table_sevens")
    (True, True, False, False)
    """
    return _RELATIVE.fullmatch(name) is not None


_ABSOLUTE = re.compile(r"(?:.*_)?(?:first|second|third|dealer|others)(?:_.*)?")


def names_seats(name: str) -> bool:
    """Whether a word of a vocabulary names a player or side by where they sit.

    >>> names_seats("won_us"), names_seats("dealer_low"), names_seats("first_capture")
    (False, True, True)
    """
    return _ABSOLUTE.fullmatch(name) is not None


def stages(rules: Rules, first: int = 0) -> Endings:
    """Endings for the stages from ``first`` on."""
    every = tuple(range(len(rules.deal_plan)))
    when = {f"_stage{stage + 1}": (f" in stage {stage + 1}", (stage,)) for stage in every[first:]}
    return {"": ("", every)} | (when if len(every) > 1 else {})


def seats_and_stages(of_whom: Perspective, when: Endings) -> Iterator[tuple[str, str, Places, Places]]:
    """Every ending for seats and stages together, in words, and the seats and stages meant."""
    for (who, (of, seats)), (time, (during, stages)) in product(of_whom.seats.items(), when.items()):
        yield who + time, of + during, seats, stages
