"""What the players after one find when they come to play, as far as that one knows."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.cards import VALUES, members, parse
from ..core.errors import InputError
from ..ruleset.catalogue import plain
from ..ruleset.rules_model import Rules


@dataclass(frozen=True)
class NextPlayers:
    """The following players as a seat knows them; the sets of cards are 40-bit masks.

    ``seen`` are the cards gone. ``held`` says how many cards each of the following players holds, the next one first,
    and ``shown`` which they have shown. ``matta_value`` is what the matta counts at present, 0 where there is none.
    """

    rules: Rules
    table: int
    holding: int
    seen: int
    held: tuple[int, ...]
    shown: tuple[int, ...]
    matta_value: int

    @property
    def names(self) -> tuple[str, ...]:
        """What the seat calls the following players, the next one first."""
        opposite = "partner" if self.rules.partnership else "opposite"
        return {1: ("next",), 2: ("next", "previous"), 3: ("next", opposite, "previous")}[len(self.held)]

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in any other holding or in the stock."""
        visible = self.table | self.holding | self.seen
        for shown in self.shown:
            visible |= shown
        return ~visible & (1 << 40) - 1

    @property
    def hidden(self) -> tuple[int, ...]:
        """How many cards that were not shown each following player holds."""
        return tuple(held - shown.bit_count() for held, shown in zip(self.held, self.shown, strict=True))


def declared_values(after: NextPlayers, good: int) -> set[int]:
    """The values, other than its own, that make an unseen matta a good card when a knock gives it one of them.

    A player who shows it at its first turn of the stage plays it with the value declared (000, Bonuses).
    """
    rules = after.rules
    matta = None if rules.matta is None else parse(rules.matta)
    if matta is None or not after.unseen & ~good & 1 << matta or not rules.hand_bonuses:
        return set()
    return {VALUES[card] for card in members(good) if card != matta and VALUES[card] != VALUES[matta]}


def next_deal(after: NextPlayers) -> int:
    """How many cards each player is dealt next: those of the earliest stage that the stock has cards for.

    Raises ``InputError`` where the stock is too small for any.
    """
    rules = after.rules
    stock = after.unseen.bit_count() - sum(after.hidden)
    for stage in range(1, len(rules.deal_plan)):
        if rules.players * sum(rules.deal_plan[stage:]) <= stock:
            return rules.deal_plan[stage]
    raise InputError(
        f"'knock' asks of the next deal, and there is none: {stock} cards are left in the stock "
        f"(deal_plan {plain(rules.deal_plan)}, {rules.players} players)"
    )
