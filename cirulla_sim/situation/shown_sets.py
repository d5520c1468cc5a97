"""Sets shown before the next play: what they earned, and what the matta was declared as."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..core import cards
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .information_set import matta_mask
from .notation import AT, Situation


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
                    f"{AT}{' '.join(cards.texts(mask))} earn nothing when they are shown (leave 'shown' out)"
                )
            points[rules.side(seat)] += next(iter(claims.values()))
            declared |= set(claims) - {0}
    matta = matta_mask(rules)
    if not matta:
        if s.matta is not None:
            raise InputError(f"{AT}matta: there is none under these rules (leave it out)")
        return 0, points
    own = cards.VALUES[matta.bit_length() - 1]
    lies = any(mask & matta for mask in (table, *shown))
    if s.matta is None:
        return min(declared, default=own), points
    name = cards.texts(matta)[0]
    if not lies:
        raise InputError(
            f"{AT}matta: {name} is neither on the table nor shown (what you may declare is a choice to come; what you "
            "declared goes with 'shown me: ...')"
        )
    valid = declared or {own, *possible_values(rules)}
    if s.matta not in valid:
        raise InputError(
            f"{AT}matta: '{s.matta}' cannot be declared here (valid: {', '.join(map(str, sorted(valid)))})"
        )
    return s.matta, points


SET = 3


@lru_cache(64)
def _claims(rules: Rules) -> tuple[list[int], list[int]]:
    """The digit of each card, and the words of every claim, see ``kernel.game.prices``."""
    from ..kernel.game import prices

    return prices.digits(rules), prices.claims(rules)


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


@lru_cache(64)
def possible_values(rules: Rules) -> frozenset[int]:
    """The values that the matta may be declared as, in any set of three cards."""
    return frozenset(word & 15 for word in _claims(rules)[1] if word & 15)
