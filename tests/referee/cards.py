"""Cards as text, their values, and the side of each seat."""

from __future__ import annotations

RANKS = "A234567JQK"
SUITS = "hdcs"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
DIAMONDS = [rank + "d" for rank in RANKS]
CAPTURE_VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "Q": 9, "K": 10}
PRIME_VALUE = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}


def rank_of(card: str) -> str:
    """The rank letter of a card: ``"7h"`` is a ``"7"``."""
    return card[0]


def suit_of(card: str) -> str:
    """The suit letter of a card: ``"h"`` for ``"7h"``."""
    return card[1]


def own_value(card: str) -> int:
    """The capture value of a card by its rank, also for the matta (000, Players and Cards)."""
    return CAPTURE_VALUE[rank_of(card)]


def prime_value(card: str, values: str = "usual") -> int:
    """The prime value of a card (000, the table under Primiera); courts may count 8, 9, 10 (009), or nothing (013)."""
    courts = {"usual": {}, "figures": {"J": 8, "Q": 9}, "no_court_cards": dict.fromkeys("JQK", 0)}[values]
    return courts.get(rank_of(card), PRIME_VALUE[rank_of(card)])


def side_count(rules: dict) -> int:
    """Two in a partnership, otherwise one for each seat."""
    return 2 if rules["partnership"] else rules["players"]


def side_of(rules: dict, seat: int) -> int:
    """The side a seat plays for: partners sit opposite each other (000)."""
    return seat % 2 if rules["partnership"] else seat


def dealer_seat(rules: dict) -> int:
    """The dealer's seat: always the last one of the record."""
    return rules["players"] - 1


def dealer_opponents(rules: dict) -> int | list[int]:
    """The side against the dealer's, or the list of them if there are several."""
    others = [side for side in range(side_count(rules)) if side != side_of(rules, dealer_seat(rules))]
    return others[0] if len(others) == 1 else others
