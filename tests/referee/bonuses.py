"""Misdeals, the dealer's bonuses for the table, and the bonuses of three cards in a holding."""

from __future__ import annotations

from itertools import combinations, product

from .cards import own_value, rank_of

Claim = tuple[int, int | None]
"""The points of a bonus and the value the matta takes in it (``None`` without the matta)."""


def is_misdeal(rules: dict, table_cards: list[str]) -> bool:
    """Whether these table cards are dealt again: two aces (000), two kings in Scopa (003), or three equal."""
    count = sum(rank_of(card) == rules["misdeal_rank"] for card in table_cards)
    too_many = rules["misdeal_count"] > 0 and count >= rules["misdeal_count"]
    return too_many or (rules["misdeal_three_equal"] and three_equal(rules, table_cards))


def three_equal(rules: dict, table_cards: list[str]) -> bool:
    """Whether three cards have one rank and the fourth is not the matta (000, Giardini Luzzati).

    The matta is not wild here: it is one of the three only by its own rank.
    """
    return any(
        len({rank_of(card) for card in table_cards if card != fourth}) == 1 and fourth != rules["matta"]
        for fourth in table_cards
    )


def four_equal(rules: dict, table_cards: list[str]) -> bool:
    """Whether these table cards win the dealer's side the game (000, Giardini Luzzati).

    Four of one rank, or three of one rank and the matta, where ``table_four_equal_wins``.
    """
    if not rules["table_four_equal_wins"] or len(table_cards) != 4:
        return False
    return len({rank_of(card) for card in table_cards if card != rules["matta"]}) == 1


def table_status(rules: dict, table_cards: list[str]) -> str:
    """The status of these table cards: ``"win"`` (checked first), ``"misdeal"`` or ``"play"``."""
    if four_equal(rules, table_cards):
        return "win"
    return "misdeal" if is_misdeal(rules, table_cards) else "play"


def valued(rules: dict, cards: list[str]) -> list[tuple[int | None, list[int]]]:
    """The values of some cards for a bonus, for each value the matta may take: 1 to 10 (000, Bonuses).

    Each comes with the matta's value; without the matta there is one entry, with ``None``.
    """
    if rules["matta"] not in cards:
        return [(None, [own_value(card) for card in cards])]
    others = [own_value(card) for card in cards if card != rules["matta"]]
    return [(matta_as, [*others, matta_as]) for matta_as in range(1, 11)]


def meets(comparison: str, total: int) -> bool:
    """Whether a total is as a rule wants it, such as ``= 15`` or ``> 30``."""
    sign, number = comparison.split()
    return {
        "=": total == int(number), "<": total < int(number), "<=": total <= int(number),
        ">": total > int(number), ">=": total >= int(number),
    }[sign]  # fmt: skip


def best_claims(claims: list[Claim]) -> set[Claim]:
    """The claims with the most points, without those of 0 points."""
    most = max((points for points, _ in claims), default=0)
    return {claim for claim in claims if claim[0] == most and most > 0}


def table_bonus(rules: dict, table_cards: list[str]) -> dict | None:
    """The dealer's bonus, ``{"points": 2, "matta_as": {5}}``, or ``None`` (000, Dealer bonuses).

    The best bonus that fits; ``matta_as`` is the set of all values of the matta that give it, or ``{None}``.
    """
    if len(table_cards) != 4:
        return None
    claims = []
    for matta_as, values in valued(rules, table_cards):
        for name in ("table_15", "table_30", "table_low"):
            if meets(rules[f"{name}_total"], sum(values)):
                claims.append((rules[name], matta_as))
    best = best_claims(claims)
    if not best:
        return None
    return {"points": max(points for points, _ in best), "matta_as": {matta_as for _, matta_as in best}}


def hand_bonuses(rules: dict, three_cards: list[str]) -> set[Claim]:
    """The claims allowed for exactly three cards (000, Hand bonuses).

    All values of the matta that give the most points, as ``(points, matta_as)``. Where the fewest points win and nobody
    must show a set, nobody does.
    """
    if rules["lowest_wins"] and rules["show_bonus"] == "may_wait":
        return set()
    claims = [(three_card_points(rules, matta_as, values), matta_as) for matta_as, values in valued(rules, three_cards)]
    return best_claims(claims)


def three_card_points(rules: dict, matta_as: int | None, values: list[int]) -> int:
    """The points of three cards with these values; a matta in a low set may have to be an ace (002, ``matta_low``)."""
    low = sum(values) <= rules["hand_low_most"] and (rules["matta_low"] == "choose" or matta_as in (None, 1))
    triple = len(set(values)) == 1
    if low and triple:
        return both_points(rules)
    if low:
        return rules["hand_low"]
    return rules["hand_triple"] if triple else 0


def both_points(rules: dict) -> int:
    """The points of three equal low cards: the better bonus (000), both (a house rule) or another number."""
    if rules["hand_both"] == "best":
        return max(rules["hand_low"], rules["hand_triple"])
    if rules["hand_both"] == "sum":
        return rules["hand_low"] + rules["hand_triple"]
    return rules["hand_both"]


def claims_for_sets(rules: dict, cards: list[str]) -> set[Claim]:
    """The claims allowed for several sets shown together: ``cards`` three by three, points totalled (000, Rivarolo).

    Empty if one of the sets is no bonus.
    """
    sets = [cards[start : start + 3] for start in range(0, len(cards), 3)]
    totals = set()
    for claims in product(*(hand_bonuses(rules, three) for three in sets)):
        values = [matta_as for _, matta_as in claims if matta_as is not None]
        totals.add((sum(points for points, _ in claims), values[0] if values else None))
    return totals


def best_sets(rules: dict, holding: list[str] | set[str]) -> tuple[int, list[list[str]]]:
    """The highest total of disjoint sets of three in a holding, and these sets."""
    claims = {three: hand_bonuses(rules, list(three)) for three in combinations(sorted(holding), 3)}
    return most_of([(three, max(points for points, _ in allowed)) for three, allowed in claims.items() if allowed])


def most_of(sets: list[tuple[tuple[str, ...], int]]) -> tuple[int, list[list[str]]]:
    """The highest total of some of these sets, with their points, that have no card in common, and these sets."""
    best: tuple[int, list[list[str]]] = (0, [])
    for place, (three, points) in enumerate(sets, 1):
        added, others = most_of([later for later in sets[place:] if not {*three} & {*later[0]}])
        if points + added > best[0]:
            best = (points + added, [list(three), *others])
    return best
