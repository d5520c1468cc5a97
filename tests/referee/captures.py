"""The legal captures of a card, by trying every set of table cards.

A ``table`` maps each card on it to its current capture value: a matta that was declared in a knock and then trailed
keeps the declared value.
"""

from __future__ import annotations

from collections.abc import Iterator

TRAIL: frozenset[str] = frozenset()
"""The choice of capturing nothing."""

ITSELF = frozenset({"itself"})
"""What an ace takes from an empty table under ``ace_takes_itself`` (008)."""


def rules_after(rules: dict, plays: int) -> dict:
    """The rules after some plays of a hand: before ``ace_from`` an ace captures like any other card (007)."""
    first = {"first_play": 0, "second_play": 1, "second_round": rules["players"]}[rules["ace_from"]]
    return rules if plays >= first else rules | {"ace_sweep": False}


def sets_up_to(table: dict[str, int], limit: int) -> Iterator[tuple[frozenset[str], int]]:
    """Every non-empty set of table cards that totals at most ``limit``, with its total."""
    cards = sorted(table, key=lambda card: table[card])

    def with_more(chosen: frozenset[str], before: int, first: int) -> Iterator[tuple[frozenset[str], int]]:
        for place in range(first, len(cards)):
            total = before + table[cards[place]]
            if total > limit:
                return  # all that follow are as high
            larger = chosen | {cards[place]}
            yield larger, total
            yield from with_more(larger, total, place + 1)

    return with_more(frozenset(), 0, 0)


def ordinary_captures(rules: dict, table: dict[str, int], value: int) -> set[frozenset[str]]:
    """The captures by an equal card, a sum or a fifteen, without the special rules for aces (000, methods 1 to 3).

    ``capture_by`` lists which of the three exist; under ``equal_first`` an equal card excludes sums (003, Scopa), under
    ``fewest_first`` fewer cards exclude more (005), and no capture is of more than ``capture_most`` cards (007).
    """
    equal, sums, fifteens = set(), set(), set()
    for cards, total in sets_up_to(table, max(value, 15 - value)):
        if total == value and len(cards) == 1 and "equal" in rules["capture_by"]:
            equal.add(cards)
        if total == value and len(cards) > 1 and "sum" in rules["capture_by"]:
            sums.add(cards)
        if total + value == 15 and "fifteen" in rules["capture_by"]:
            fifteens.add(cards)
    if rules["equal_first"] and equal:
        sums = set()
    if rules["capture_most"]:
        equal, sums, fifteens = (
            {cards for cards in sets if len(cards) <= rules["capture_most"]} for sets in (equal, sums, fifteens)
        )
    if rules["fewest_first"] and equal | sums:
        fewest = min(len(cards) for cards in equal | sums)
        equal, sums = ({cards for cards in sets if len(cards) == fewest} for sets in (equal, sums))
    return equal | sums | fifteens


def legal_captures(rules: dict, table: dict[str, int], value: int) -> set[frozenset[str]]:
    """All sets that a card played with this value may capture.

    An ace (any card of value 1) has special rules under ``ace_sweep`` (000, method 4; 002 d; 003; 006; 008).
    """
    ordinary = ordinary_captures(rules, table, value)
    if value == 1 and rules["ace_sweep"] and rules["ace_takes_itself"] and not table:
        return {ITSELF}
    if value != 1 or not rules["ace_sweep"] or not table:
        return ordinary
    if 1 in table.values() and rules["ace_blocked"] != "nothing":
        return blocked_ace_captures(rules, table, ordinary)
    whole_table = frozenset(table)
    if rules["ace_choice"] == "sweep":
        return {whole_table}
    return ordinary | {whole_table}


def blocked_ace_captures(rules: dict, table: dict[str, int], ordinary: set[frozenset[str]]) -> set[frozenset[str]]:
    """The captures of an ace when another is on the table: that ace or a fifteen (000), or only it (001, 002, 003)."""
    if rules["ace_blocked"] == "ace_only":
        return {cards for cards in ordinary if [table[card] for card in cards] == [1]}
    return ordinary


def legal_choices(rules: dict, table: dict[str, int], value: int) -> set[frozenset[str]]:
    """The captures, and ``TRAIL`` if there are none or capturing is optional (``capture_optional``: 004)."""
    captures = legal_captures(rules, table, value)
    if not captures or rules["capture_optional"]:
        return captures | {TRAIL}
    return captures


def is_scopa(rules: dict, table: dict[str, int], value: int, captured: frozenset[str], last_play: bool) -> bool:
    """Whether this legal capture is a scopa: it empties the table (000).

    Not with the last card of the hand (000), unless ``last_card_scopa`` (003, scopone scientifico); and not by the
    sweep of an ace alone if ``ace_sweep_scopa`` is false (003, scopa d'assi).
    """
    if not captured or captured != frozenset(table):
        return False
    if last_play and not rules["last_card_scopa"]:
        return False
    by_ace_alone = captured not in ordinary_captures(rules, table, value)
    return rules["ace_sweep_scopa"] or not by_ace_alone
