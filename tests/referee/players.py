"""The policies ``random`` and ``greedy`` as docs/reference/policies.md describes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .bonuses import Claim, hand_bonuses
from .captures import is_scopa, legal_choices, ordinary_captures
from .cards import PACK, own_value, rank_of
from .scoring import diamonds_in, grande_points, piccola_points, sweep_point

Table = frozenset[tuple[str, int]]
"""The cards on the table, each with its value at present."""

Play = tuple[str, frozenset[str], int]
"""A card, what it captures, and n where the play is chosen once in n times."""


class Game:
    """The rules of a game, with what is looked up again and again."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.choices = cache(self._choices)
        self.scores = cache(self._scores)
        self.claims = cache(self._claims)
        self.certain_points = cache(self._certain_points)

    def value(self, card: str, matta_as: int | None) -> int:
        """The value with which a card of a holding is played; ``matta_as`` is what a knock has declared, if any."""
        return matta_as if matta_as is not None and card == self.rules["matta"] else own_value(card)

    def _choices(self, table: Table, value: int) -> list[frozenset[str]]:
        """What a card of a value may capture, in the order in which ``greedy`` looks at it."""
        found = legal_choices(self.rules, dict(table), value)
        return sorted(found, key=lambda taken: self._order(dict(table), value, taken))

    def _order(self, table: dict[str, int], value: int, taken: frozenset[str]) -> tuple[Any, ...]:
        """Captures in the order of a dictionary whose letters are cards by rising value, then by suit.

        Among cards of its value the matta comes last. Behind these captures comes an ace's sweep that is no other
        capture, and then leaving the card.
        """
        by_ace = bool(taken) and taken not in ordinary_captures(self.rules, table, value)
        letters = sorted((table[card], card == self.rules["matta"], PACK.index(card)) for card in taken)
        return not taken, by_ace, letters

    def _scores(self, table: Table, value: int, taken: frozenset[str], last_play: bool) -> bool:
        """Whether a play is a scopa."""
        return is_scopa(self.rules, dict(table), value, taken, last_play)

    def _claims(self, three_cards: frozenset[str]) -> list[Claim]:
        """The claims for which three cards may be shown, the lowest value of the matta first."""
        return sorted(hand_bonuses(self.rules, sorted(three_cards)), key=lambda claim: claim[1] or 0)

    def _certain_points(self, diamonds: frozenset[str], has_most_cards: bool) -> int:
        """The points of a pile that nobody can take away, by its diamonds and whether it has over half of the pack."""
        points = self.rules["settebello_point"] if "7d" in diamonds else 0
        points += self.rules["diamonds_point"] if len(diamonds) > 5 else 0
        points += self.rules["cards_point"] if has_most_cards else 0
        return points + grande_points(self.rules, diamonds) + piccola_points(self.rules, diamonds)


Policy = Callable[[Game, Table, frozenset[str], frozenset[str], "int | None", bool], list[Play]]
"""From the game, the table, the cards that may be played, the pile of the side, the declared value of the matta and
whether it is the last play of the hand, to the plays that may be chosen."""


def random(
    game: Game, table: Table, playable: frozenset[str], pile: frozenset[str], matta_as: int | None, last_play: bool
) -> list[Play]:
    """A card at random, then one of its captures at random."""
    plays = []
    for card in playable:
        choices = game.choices(table, game.value(card, matta_as))
        plays += [(card, taken, len(playable) * len(choices)) for taken in choices]
    return plays


def greedy(
    game: Game, table: Table, playable: frozenset[str], pile: frozenset[str], matta_as: int | None, last_play: bool
) -> list[Play]:
    """The play that takes most: points, then the settebello, diamonds, sevens, number of cards.

    A card left on the table counts as much against the play as it would be worth in a pile; one that can capture is
    not left. Of equal plays the first: hearts before diamonds, clubs and spades, from the ace up, the captures of a
    card in their order.
    """
    best: tuple[int, ...] = ()
    for card in sorted(playable, key=PACK.index):
        value = game.value(card, matta_as)
        choices = game.choices(table, value)
        for taken in choices:
            if not taken and len(choices) > 1:
                continue
            if taken:
                scopa = game.scores(table, value, taken, last_play)
                worth = (gain(game, pile, taken | {card}) + scopa * sweep_point(game.rules), *worth_of(taken | {card}))
            else:
                worth = (0, *(-number for number in worth_of({card})))
            if not best or worth > best:
                best, chosen = worth, (card, taken, 1)
    return [chosen]


def gain(game: Game, pile: frozenset[str], cards: frozenset[str]) -> int:
    """The certain points that cards add to a pile."""
    return points_of(game, pile | cards) - points_of(game, pile)


def points_of(game: Game, pile: frozenset[str]) -> int:
    """The points of a pile that nobody can take away."""
    return game.certain_points(frozenset(card for card in pile if card[1] == "d"), len(pile) > 20)


def worth_of(cards: frozenset[str] | set[str]) -> tuple[int, ...]:
    """What cards are worth beside points: settebello, diamonds, sevens, number."""
    return "7d" in cards, diamonds_in(cards), sum(rank_of(card) == "7" for card in cards), len(cards)


POLICIES: dict[str, Policy] = {"random": random, "greedy": greedy}
