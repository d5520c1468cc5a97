"""The questions about cards held: what one seat is dealt in a stage, or the table that is played.

Every function takes a hand record, its rules and ``seats``: one seat, or ``TABLE`` for the table. ``stages`` is the
stage of the deal, from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from itertools import combinations

from .bonuses import both_points, hand_bonuses, is_misdeal, table_bonus, table_status, valued
from .cards import PACK, RANKS, SUITS, own_value, rank_of, suit_of

Seats = tuple[int, ...]
Stages = tuple[int, ...]
Cards = frozenset[str]
Kind = tuple[str, bool]
SetShown = tuple[str, bool, int]
"""The kind of a set, ``low`` or ``triple``; whether it is a low set without an ace; its points."""

TABLE: Seats = ()
"""In place of a seat: the cards on the table."""

RANK_NAMES = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
SUIT_NAMES = ("hearts", "diamonds", "clubs", "spades")
SETTEBELLO = "7d"
BONUS_FIELDS = (
    "lowest_wins", "show_bonus", "matta", "matta_low", "hand_low", "hand_low_most", "hand_triple", "hand_both",
)  # fmt: skip
"""The rules that decide what three cards earn."""


def dealt_cards(record: dict, seats: Seats, stages: Stages) -> list[str]:
    """The cards that one seat is dealt in one stage, or the table, in the order of the pack."""
    if seats == TABLE:
        return sorted(record["table"], key=PACK.index)
    (seat,), (stage,) = seats, stages
    return sorted(record["stages"][stage]["hands"][seat], key=PACK.index)


def set_kind(rules: dict, values: list[int]) -> str:
    """What three cards with these values are shown as: three equal cards are low only if equal cards earn nothing."""
    if len(set(values)) > 1:
        return "low"
    only_low = (
        sum(values) <= rules["hand_low_most"] and rules["hand_triple"] == 0 and both_points(rules) == rules["hand_low"]
    )
    return "low" if only_low else "triple"


def set_shown(rules: dict, three: list[str], matta_as: int | None) -> SetShown:
    """A set with the value that the matta is declared, which is no misci if that is an ace."""
    values = [matta_as if card == rules["matta"] and matta_as else own_value(card) for card in three]
    kind = set_kind(rules, values)
    points = max((points for points, _ in hand_bonuses(rules, three)), default=0)
    return kind, kind == "low" and 1 not in values, points


def set_held(rules: dict, three: list[str]) -> SetShown | None:
    """The best set that three cards make, ``None`` for none; the matta of a low set is taken as an ace."""
    claims = hand_bonuses(rules, three)
    if not claims:
        return None
    values_by_matta = dict(valued(rules, three))
    kinds = {set_kind(rules, values_by_matta[matta_as]) for _, matta_as in claims}
    kind = "triple" if "triple" in kinds else "low"
    no_ace = rules["matta"] not in three and all(own_value(card) > 1 for card in three)
    return kind, kind == "low" and no_ace, max(points for points, _ in claims)


def sets_in(rules: dict, cards: list[str]) -> list[SetShown]:
    """The disjoint sets worth most in a holding; of those worth the same, the dearest first, then the lowest ranks."""
    return _sets_in(tuple(rules[field] for field in BONUS_FIELDS), tuple(cards))


@lru_cache(10_000)
def _sets_in(field_values: tuple, cards: tuple[str, ...]) -> list[SetShown]:
    rules = dict(zip(BONUS_FIELDS, field_values, strict=True))
    candidates = [(three, held) for three in combinations(cards, 3) if (held := set_held(rules, list(three)))]
    candidates.sort(key=lambda candidate: (-candidate[1][2], _rank_order(rules, candidate[0])))
    best: list[SetShown] = []
    for chosen in _disjoint([(set(three), held) for three, held in candidates]):
        if sum(points for *_, points in chosen) > sum(points for *_, points in best):
            best = chosen
    return best


def _rank_order(rules: dict, three: tuple[str, ...]) -> list[int]:
    """The ranks of three cards from the lowest, with the matta in third place before any other card."""
    others = sorted(own_value(card) for card in three if card != rules["matta"])
    return others if len(others) == 3 else [*others, 0]


def _disjoint(candidates: list[tuple[set[str], SetShown]]) -> Iterator[list[SetShown]]:
    """Every choice of disjoint sets, the first candidates first."""
    yield []
    for place, (three, held) in enumerate(candidates):
        for others in _disjoint([later for later in candidates[place + 1 :] if not later[0] & three]):
            yield [held, *others]


def _sets_of_kind(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,), kinds: Collection[Kind]) -> int:
    return sum((kind, no_ace) in kinds for kind, no_ace, _ in sets_in(rules, dealt_cards(record, seats, stages)))


def bonus(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> int:
    if seats == TABLE:
        return int(bonus_points(record, rules, seats=seats) > 0)
    return len(sets_in(rules, dealt_cards(record, seats, stages)))


def bonus_points(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> int:
    if seats == TABLE:
        table = table_bonus(rules, record["table"])
        return table["points"] if table else 0
    return sum(points for *_, points in sets_in(rules, dealt_cards(record, seats, stages)))


def _is_one_rank(rules: dict, cards: list[str] | tuple[str, ...]) -> bool:
    """Whether all cards are of one rank, the matta of any."""
    return len({rank_of(card) for card in cards if card != rules["matta"]}) == 1


def _threes(record: dict, seats: Seats, stages: Stages) -> Iterator[tuple[str, ...]]:
    return combinations(dealt_cards(record, seats, stages), 3)


def low(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> bool:
    if seats == TABLE:
        return best_total(record, rules, seats=seats) <= 9
    values = ([1 if card == rules["matta"] else own_value(card) for card in three]
              for three in _threes(record, seats, stages))  # fmt: skip
    return any(sum(three) <= 9 for three in values)


def triple(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> bool:
    return any(_is_one_rank(rules, three) for three in _threes(record, seats, stages))


def matta(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> bool:
    return rules["matta"] in dealt_cards(record, seats, stages)


def settebello(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> bool:
    return SETTEBELLO in dealt_cards(record, seats, stages)


def holds(record: dict, rules: dict, *, seats: Seats, cards: Cards, stages: Stages = (0,)) -> int:
    return len(cards & set(dealt_cards(record, seats, stages)))


def total(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> int:
    return sum(own_value(card) for card in dealt_cards(record, seats, stages))


def best_total(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> int:
    return sum(1 if card == rules["matta"] else own_value(card) for card in dealt_cards(record, seats, stages))


def most_equal(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> int:
    return max(Counter(map(rank_of, dealt_cards(record, seats, stages))).values(), default=0)


def cards_text(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> str:
    return " ".join(dealt_cards(record, seats, stages))


def ranks_text(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> str:
    return "".join(sorted(map(rank_of, dealt_cards(record, seats, stages)), key=RANKS.index))


def suits_text(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,)) -> str:
    return "".join(map(suit_of, dealt_cards(record, seats, stages)))


def _count(record: dict, rules: dict, *, seats: Seats, stages: Stages = (0,), letter: str) -> int:
    return sum(letter in card for card in dealt_cards(record, seats, stages))


def _table_may_total(record: dict, rules: dict, *, number: int) -> bool:
    """Whether the table totals a number with some value of the matta."""
    return any(sum(values) == number for _, values in valued(rules, record["table"]))


def four_equal(record: dict, rules: dict) -> bool:
    return len(record["table"]) == 4 and _is_one_rank(rules, record["table"])


def first_table(record: dict) -> list[str]:
    """The first table dealt, before any misdeal is dealt again."""
    return record["misdeals"][0] if record["misdeals"] else record["table"]


def misdeal(record: dict, rules: dict) -> bool:
    table = first_table(record)
    return table_status(rules, table) == "misdeal" and is_misdeal(rules, table)


def wins_at_deal(record: dict, rules: dict) -> bool:
    return table_status(rules, first_table(record)) == "win"


HELD: dict[str, Callable] = {
    "barsega": partial(_sets_of_kind, kinds=(("low", False), ("low", True))),
    "barsegon": partial(_sets_of_kind, kinds=(("triple", False),)),
    "misci": partial(_sets_of_kind, kinds=(("low", True),)), "bonus": bonus, "bonus_points": bonus_points,
    "low": low, "triple": triple, "matta": matta,
    "settebello": settebello, "holds": holds, "total": total, "best_total": best_total, "most_equal": most_equal,
    "cards": cards_text, "ranks": ranks_text, "suits": suits_text,
    **{name: partial(_count, letter=letter) for name, letter in zip(RANK_NAMES, RANKS, strict=True)},
    **{name: partial(_count, letter=letter) for name, letter in zip(SUIT_NAMES, SUITS, strict=True)},
}  # fmt: skip
"""Name -> function of cards held."""

OF_THE_TABLE: dict[str, Callable] = {
    "fifteen": partial(_table_may_total, number=15), "thirty": partial(_table_may_total, number=30),
    "four_equal": four_equal, "misdeal": misdeal, "wins_at_deal": wins_at_deal,
}  # fmt: skip
"""Name -> function of the table alone."""
