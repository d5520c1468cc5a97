"""The points of a hand, from the piles (000, the score; 003 for Scopa; 000, Dossena's list)."""

from __future__ import annotations

from collections.abc import Collection

from .cards import DIAMONDS, PACK, SUITS, prime_value, rank_of, side_count, suit_of

POINT_KEYS = ("cards", "diamonds", "settebello", "primiera", "grande", "piccola", "scope", "table_bonus", "hand_bonus")

Pile = Collection[str]


def score(
    rules: dict,
    piles: list[Pile],
    sweep_points: list[int],
    table_bonus_points: list[int],
    hand_bonus_points: list[int],
) -> tuple[list[dict[str, int]], int | None]:
    """The points of each side, and the side that made cappotto, if any; lists have one entry for each side."""
    most_cards = winner([len(pile) for pile in piles])
    most_diamonds = winner([diamonds_in(pile) for pile in piles])
    best_primiera = primiera_winner(rules, piles)
    points, own = [], dict(further_points(text, piles) for text in rules["scoring"] if not of_sweeps(text))
    for side, pile in enumerate(piles):
        side_points = {
            "cards": rules["cards_point"] if side == most_cards else 0,
            "diamonds": rules["diamonds_point"] if side == most_diamonds else 0,
            "settebello": rules["settebello_point"] if "7d" in pile else 0,
            "primiera": rules["primiera_point"] if side == best_primiera else 0,
            "grande": grande_points(rules, pile),
            "piccola": piccola_points(rules, pile),
            "scope": sweep_points[side],
            "table_bonus": table_bonus_points[side],
            "hand_bonus": hand_bonus_points[side],
        }
        for name, by_side in own.items():  # in place of a usual one of this name, in either language
            side_points.pop(USUAL_NAMES.get(name.lower(), name), None)
            side_points[name] = by_side[side]
        anew = {"settebello", "piccola", "grande"} & own.keys()
        if diamonds_in(pile) == 10 and not anew and rules["all_diamonds"] not in ("wins", "none"):
            side_points |= all_diamonds_points(rules, side_points)
        points.append(side_points)
    for side_points in points:
        side_points["total"] = sum(side_points.values())
    return points, outright_side(rules, piles, [side["total"] for side in points])


USUAL_NAMES = {"carte": "cards", "denari": "diamonds", "coins": "diamonds"}


def winner(counts: list[int | None]) -> int | None:
    """The side with strictly more than every other side, or ``None``. A count of ``None`` cannot win."""
    ranked = sorted((count for count in counts if count is not None), reverse=True)
    if not ranked or ranked.count(ranked[0]) > 1:
        return None
    return counts.index(ranked[0])


def diamonds_in(pile: Pile) -> int:
    """The number of diamonds in a pile."""
    return sum(suit_of(card) == "d" for card in pile)


def primiera_winner(rules: dict, piles: list[Pile]) -> int | None:
    """The side that wins the primiera (000), or has most sevens in its simple form (003)."""
    if rules["primiera"] == "none":
        return None
    if rules["primiera"] == "sevens":
        return winner([sum(rank_of(card) == "7" for card in pile) for pile in piles])
    if rules["primiera"] == "sevens_then_sixes":
        return by_ranks(piles, "76A5")
    values = rules["primiera_values"]
    whole = [primiera_total(pile, values) for pile in piles]
    if rules["primiera_lacking"] == "cannot_win" or any(total is not None for total in whole):
        return winner(whole)
    return winner([sum(best_primes(pile, values).values()) or None for pile in piles])


def by_ranks(piles: list[Pile], ranks: str) -> int | None:
    """The side with most cards of the first rank; in a tie of the next ones (013, 014)."""
    level = list(range(len(piles)))
    for rank in ranks:
        counts = {side: sum(rank_of(card) == rank for card in piles[side]) for side in level}
        level = [side for side in level if counts[side] == max(counts.values())]
    return level[0] if len(level) == 1 else None


def best_primes(pile: Pile, values: str = "usual") -> dict[str, int]:
    """The best prime value in each suit that a pile has."""
    best: dict[str, int] = {}
    for card in pile:
        best[suit_of(card)] = max(best.get(suit_of(card), 0), prime_value(card, values))
    return best


def primiera_total(pile: Pile, values: str = "usual") -> int | None:
    """The sum of the best prime value in each suit; ``None`` for a pile that lacks a suit (000)."""
    best = best_primes(pile, values)
    return sum(best.values()) if len(best) == len(SUITS) else None


def of_sweeps(text: str) -> bool:
    """Whether a category says what a sweep pays, as ``sweeps | scope: each sweep = 2``."""
    return text.partition(": ")[2].startswith("each sweep =")


def sweep_point(rules: dict) -> int:
    """The points of a sweep: one (000), unless the list of what a hand pays says otherwise."""
    return next((int(text.rpartition("=")[2]) for text in rules["scoring"] if of_sweeps(text)), 1)


def further_points(text: str, piles: list[Pile]) -> tuple[str, list[int]]:
    """The English name of a category as ``king of coins | re bello: each Kd = 1``, and the points of each side."""
    names, _, counted = text.partition(": ")
    what, _, points = counted.rpartition(" = ")
    kind = next(word for word in ("most or tied", "most", "each", "all", "run") if what.startswith(word))
    wanted = what.removeprefix(kind).split()
    cards = {card for card in PACK if any(word[0] in ("*", card[0]) and word[1] in ("*", card[1]) for word in wanted)}
    counts = [len(cards & set(pile)) for pile in piles]
    if kind == "all":
        counts = [int(count == len(cards)) for count in counts]
    if kind == "run":
        counts = [run_from(wanted[0], pile) for pile in piles]
    if kind.startswith("most"):
        best = max(counts)
        several = counts.count(best) > 1 and kind == "most"
        counts = [int(count == best > 0 and not several) for count in counts]
    return names.partition(" | ")[0], [int(points) * count for count in counts]


def run_from(first: str, pile: Pile) -> int:
    """The cards of a suit in a row from a card on, if there are three or more."""
    suit = [card for card in PACK if suit_of(card) == suit_of(first)]
    length = 0
    for card in suit[suit.index(first) :]:
        if card not in pile:
            break
        length += 1
    return length if length >= 3 else 0


def grande_points(rules: dict, pile: Pile) -> int:
    """La grande: J Q K of diamonds (000); one more with the 7, another with 7 and 6 (000, Dossena)."""
    if rules["grande"] == 0 or not {"Jd", "Qd", "Kd"} <= set(pile):
        return 0
    points = rules["grande"]
    if rules["grande_extended"] and "7d" in pile:
        points += 1
        if "6d" in pile:
            points += 1
    return points


def piccola_points(rules: dict, pile: Pile) -> int:
    """La piccola: a point for each diamond of the unbroken run from the ace, at least three (000)."""
    run = 0
    for card in DIAMONDS:
        if card not in pile:
            break
        run += 1
    return min(run, rules["piccola_max"]) if run >= 3 else 0


def all_diamonds_points(rules: dict, usual: dict[str, int]) -> dict[str, int]:
    """All ten diamonds for a fixed number of points, shared by settebello, piccola and grande in this order (000)."""
    settebello = min(rules["all_diamonds"], usual["settebello"])
    piccola = min(rules["all_diamonds"] - settebello, usual["piccola"])
    return {"settebello": settebello, "piccola": piccola, "grande": rules["all_diamonds"] - settebello - piccola}


def outright_side(rules: dict, piles: list[Pile], totals: list[int]) -> int | None:
    """The side that took all ten diamonds (000), or won by so many points to nothing (015), if that wins the game."""
    for side, pile in enumerate(piles):
        if rules["all_diamonds"] == "wins" and diamonds_in(pile) == 10:
            return side
        others = totals[:side] + totals[side + 1 :]
        if rules["shutout"] and totals[side] >= rules["shutout"] and not any(others):
            return side
    return None


def no_points(rules: dict) -> list[dict[str, int]]:
    """The points of a hand that ended before a card was played: all zero."""
    empty: list[Pile] = [[] for _ in range(side_count(rules))]
    zeros = [0] * side_count(rules)
    return score(rules, empty, zeros, zeros, zeros)[0]
