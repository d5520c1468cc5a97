"""Constraints on the cards that a seat does not see in mid-hand: "partner: settebello; next: no aces"."""

from __future__ import annotations

from dataclasses import replace

from ..core.errors import InputError
from .constraints import Condition
from .deal_counts import Ways
from .deal_text import STOCK, Places
from .deal_text import read as read_constraints
from .information_set import InformationSet
from .position import PLACES


def with_constraints(now: InformationSet, text: str | None) -> InformationSet:
    """The same with constraints on the cards that the seat does not see, beside those shown.

    The places are the cards that it sees, then by seat what it does not see of the holdings, the cards gone that it
    has forgotten, and the stock: the order in which the kernel deals them.

    Raises ``InputError`` that begins with ``--deal`` for what cannot be read, and for what cannot be here.
    """
    if text is None:
        return now
    constraints = read_constraints(text, now.rules, where=_places(now))
    if not constraints.text:
        raise InputError(f"--deal {text!r} tells nothing (valid: PLACE: CARDS, as 'next: 7d; stock: Ad')")
    if not Ways(constraints).fitting():
        raise InputError(
            f"--deal {constraints.text!r}: the unseen cards cannot lie so (valid: cards that you do not see)"
        )
    return replace(now, constraints=constraints)


def _places(now: InformationSet) -> Places:
    rules, me = now.rules, now.field("seat")
    shown, held = now.by_seat("shown"), now.by_seat("held")
    hidden = [0 if seat == me else held[seat] - shown[seat].bit_count() for seat in range(rules.players)]
    sizes = (40 - now.unseen.bit_count(), *hidden, now.forgotten)
    sizes = (*sizes, 40 - sum(sizes))
    order = {name: (me + k) % rules.players for k, name in enumerate(PLACES[: rules.players - 1], 1)}
    others = [seat for seat in range(rules.players) if rules.side(seat) != now.side]
    named = {name: [1 << 1 + seat] for name, seat in order.items()}
    named |= {f"seat{seat}": [1 << 1 + seat] for seat in order.values()}
    if rules.players > rules.sides:
        named |= dict.fromkeys(("partner", "compagno", "socio"), named["second"])
    named |= {name: [sum(1 << 1 + seat for seat in others)] for name in ("them", "loro", "others", "altri")}
    named |= {name: [1 << 2 + rules.players] for name in STOCK}
    return Places(named, sizes, (Condition(1, now.unseen, 0, 0),))
