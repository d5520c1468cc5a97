"""Why a choice is good: what it shows, takes and leaves, and how likely the next player sweeps."""

from __future__ import annotations

from fractions import Fraction

from ..core import cards
from ..exact import midhand
from ..situation.information_set import (
    Choice,
    InformationSet,
    captured,
    card_of,
    is_sweep,
    matta_shown,
    points_shown,
)

# ------------------------------------------------------------------------------------------------ in words


def sweep_next(now: InformationSet, choice: Choice) -> Fraction:
    """The exact chance that the next player can score a scopa on the table a choice leaves.

    Every way of dealing the cards not seen is equally likely, as in ``position``.
    """
    following = now.next_player(choice)
    last = now.field("plays_left") == 2 and not now.rules.last_card_scopa
    if following is None or last or not following.table:
        return Fraction(0)
    return midhand.chance_to_score(following)


def reason(now: InformationSet, choice: Choice) -> str:
    """One line in plain words: what a choice shows, what it takes and what it leaves."""
    parts = (_showing(now, choice), _taking(now, choice.play), _leaving(now, choice))
    return "; ".join(part for part in parts if part)


def _showing(now: InformationSet, choice: Choice) -> str:
    if not choice.show:
        return ""
    value = matta_shown(choice.show)
    declared = f" with the matta as {value}" if value else ""
    return f"{_count(points_shown(choice.show), 'point')} for the set{'s' if len(choice.show) > 1 else ''}{declared}"


_DIAMONDS = 0b1111111111 << 10
_SETTEBELLO = 1 << cards.SETTEBELLO
_SEVENS = cards.mask(range(6, 40, 10))


def _taking(now: InformationSet, play: int) -> str:
    got = captured(play)
    if not got:
        return "takes nothing"
    got |= 1 << card_of(play)
    parts = ["scopa"] if is_sweep(play) else []
    parts += ["the settebello"] if got & _SETTEBELLO else []
    parts += _melds(now, got)
    diamonds = (got & _DIAMONDS & ~_SETTEBELLO).bit_count()
    sevens = (got & _SEVENS & ~_SETTEBELLO).bit_count()
    others = got.bit_count() - diamonds - sevens - (got & _SETTEBELLO).bit_count()
    counted = [_count(diamonds, "diamond"), _count(sevens, "seven"), _count(others, "other card")]
    parts += [words for words in counted if words]
    if others == got.bit_count():
        parts[-1] = _count(others, "card")
    if is_sweep(play):
        return f"{parts[0]}, taking {', '.join(parts[1:])}"
    return "takes " + ", ".join(parts)


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}" if number else ""


def _melds(now: InformationSet, got: int) -> list[str]:
    """La piccola or la grande, where a capture makes it or makes it longer."""
    from ..kernel.entries.states_entry import flat_rules

    flat = flat_rules(now.rules)
    mine = now.by_seat("pile")[now.side]
    before, after = ((mask & _DIAMONDS) >> 10 for mask in (mine, mine | got))
    melds = [("la piccola", flat.piccola), ("la grande", flat.grandes)]
    return [
        f"{name} (+{int(points[after] - points[before])})" for name, points in melds if points[after] > points[before]
    ]


def _leaving(now: InformationSet, choice: Choice) -> str:
    following = now.next_player(choice)
    if following is None:
        return "the last play of the hand"
    if not following.table:
        return "leaves an empty table"
    matta = now.rules.matta
    total = sum(
        following.matta_value if matta is not None and card == cards.parse(matta) else cards.VALUES[card]
        for card in cards.members(following.table)
    )
    diamonds = (following.table & _DIAMONDS & ~_SETTEBELLO).bit_count()
    dear = [*(["the settebello"] if following.table & _SETTEBELLO else []), _count(diamonds, "diamond")]
    what = f"leaves {total}" + (f" with {' and '.join(filter(None, dear))}" if any(dear) else "")
    sweepers = midhand.sweepers(following) & (following.unseen | following.shown[0])
    ranks = [rank for k, rank in enumerate(cards.RANKS) if any(sweepers >> (10 * suit + k) & 1 for suit in range(4))]
    return what + (f", swept by {' or '.join(ranks)}" if ranks else ", which no card can sweep")
