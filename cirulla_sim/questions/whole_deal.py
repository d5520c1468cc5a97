"""Questions about a whole deal: the table, every holding of every stage, knocks and points."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import compress
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.chunks import deal_hands
from ..exact import first_deal as cards
from ..exact.families import count_deals, count_pairs, multinomial
from ..exact.features import HOLDING, TABLE, columns
from ..exact.first_deal import HandBonus
from ..exact.whole_deals import deal_cases
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints, holding_place
from ..situation.deal_counts import Ways
from .cases import MOST_CASES, Cases, Indices, OfDeals, indices_of, possible
from .constrained_pairs import constrained_pairs

MOST_TABLES = 3_000
"""Groups of tables that a whole deal is counted for, one by one."""


# ------------------------------------------------------------------------------------------------ deals


@dataclass(frozen=True)
class Quantity:
    """What is counted or added up over holdings."""

    sentence: str
    of_bonus: Callable[[Any, Any], Any]  # kind and points of each bonus -> int


QUANTITIES = {
    "knocks": Quantity("bonuses shown", lambda kind, points: kind != HandBonus.NONE),
    "lows": Quantity(
        "low bonuses (barseghe) shown", lambda kind, points: (kind == HandBonus.LOW) | (kind == HandBonus.LOW_NO_ACE)
    ),
    "lows_no_ace": Quantity("low bonuses without an ace shown", lambda kind, points: kind == HandBonus.LOW_NO_ACE),
    "triples": Quantity("three equal (barsegon) shown", lambda kind, points: kind == HandBonus.TRIPLE),
    "hand_bonus_points": Quantity("points for bonuses shown", lambda kind, points: points),
}
"""The quantities of a deal, in all, by stage, by seat and by side."""

SEAT_FEATURES = ("low", "low_no_ace", "triple", "bonus_points")
"""Features of a seat's holding that are counted for all seats at once."""

Place = tuple[int, int]  # stage and seat, from 0


def _selectors(rules: Rules, stages: int) -> dict[str, tuple[str, Callable[[Place], bool]]]:
    """Suffix -> which holdings are meant, in words and as a test of their place."""
    chosen: dict[str, tuple[str, Callable[[Place], bool]]] = {"": ("in all", lambda place: True)}
    if stages > 1:
        for stage in range(stages):
            chosen[f"_stage{stage + 1}"] = (f"in stage {stage + 1}", lambda place, s=stage: place[0] == s)  # type: ignore[misc]
    for seat in range(rules.players):
        chosen[f"_seat{seat}"] = (f"by seat {seat}", lambda place, s=seat: place[1] == s)  # type: ignore[misc]
    dealer = rules.dealer_side
    chosen["_dealer"] = ("by the dealer's side", lambda place: rules.side(place[1]) == dealer)
    chosen["_others"] = ("by the other sides", lambda place: rules.side(place[1]) != dealer)
    return chosen


@dataclass(frozen=True)
class _Sum:
    """A feature of a deal: a number for each holding, added up over some of them."""

    number: str  # of QUANTITIES or SEAT_FEATURES
    chosen: Callable[[Place], bool]
    truth: bool = False


@dataclass(frozen=True)
class Deal(OfDeals):
    """A table and the holdings dealt: of the first stage of any shuffle, or of all stages of a deal that is played."""

    per: str
    called: str
    trial: str
    whole: bool
    constraints: DealConstraints | None = None

    def features(self, rules: Rules) -> dict[str, str]:
        sentences = {}
        for name, quantity in QUANTITIES.items():
            for suffix, (words, _) in _selectors(rules, self._stages(rules)).items():
                sentences[name + suffix] = f"{quantity.sentence} {words}"
        sentences |= self._table_features(rules)
        for seat in range(rules.players) if not self.whole and rules.deal_plan[0] == cards.HOLDING_SIZE else ():
            sentences |= {f"seat{seat}_{name}": f"of what seat {seat} holds: {s}" for name, (s, _) in HOLDING.items()}
        return sentences

    def _table_features(self, rules: Rules) -> dict[str, str]:
        if not rules.table_cards:
            return {}
        sentences = {
            f"table_{name}": f"of the table: {s}" for name, (s, _) in TABLE.items() if name not in OF_ANY_TABLE
        }
        return sentences if self.whole else {"misdeal": "whether the table is a misdeal", **sentences, **_WINS}

    def _stages(self, rules: Rules) -> int:
        return len(rules.deal_plan) if self.whole else 1

    def _sums(self, rules: Rules, names: Iterable[str]) -> dict[str, _Sum]:
        """The names that are sums over holdings counted for all at once."""
        sums = {}
        selectors = _selectors(rules, self._stages(rules))
        for name in names:
            number, suffix = next(
                ((n, name.removeprefix(n)) for n in sorted(QUANTITIES, key=len, reverse=True) if name.startswith(n)),
                ("", ""),
            )
            if number and suffix in selectors:
                sums[name] = _Sum(number, selectors[suffix][1])
            elif name.startswith("seat") and (seat_name := _seat_name(name))[1] in SEAT_FEATURES:
                seat, number = seat_name
                sums[name] = _Sum(number, lambda place, s=seat: place[1] == s, number != "bonus_points")  # type: ignore[misc]
        return sums

    # -------------------------------------------------------------------------------- counted

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        if self.constraints is not None:
            return self._by_deals(rules, names)
        sums = self._sums(rules, names)
        if self.whole and sums and rules.big_holdings:
            return _by_ranks(rules, names)
        rest = [name for name in names if name not in sums and not _of_table(name)]
        if self._beyond(rules):
            return None
        if rest:
            return _pairs(rules, names)
        if sums and any(size != cards.HOLDING_SIZE for size in rules.deal_plan[: self._stages(rules)]):
            return None
        return self._all_at_once(rules, [name for name in names if _of_table(name)], sums)

    def is_slow(self, rules: Rules, names: Sequence[str]) -> bool:
        return self.whole and self.constraints is None and rules.big_holdings and bool(self._sums(rules, names))

    def _beyond(self, rules: Rules) -> bool:
        """Whether the holdings depend on the table played beyond the cards it takes: see ``first_deal.buries``."""
        return self.whole and cards.buries(rules) and bool(cards.misdeals(rules).any())

    def _by_deals(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        """The cases of two sets of cards in deals that have known ones; of a whole deal of the table alone."""
        if not self.whole:
            return _pairs(rules, names, self.constraints)
        if not all(_of_table(name) for name in names):
            return None
        return played(replace(FIRST_DEAL, constraints=self.constraints), rules, names)

    def _all_at_once(self, rules: Rules, table_names: list[str], sums: dict[str, _Sum]) -> Cases | None:
        group, groups = self._table_groups(rules, table_names)
        if groups.height > MOST_TABLES:
            return None
        places = list(itertools.product(range(self._stages(rules)), range(rules.players)))
        numbers = sorted({s.number for s in sums.values()})
        values, holding_class = _classes(rules, tuple(numbers))
        alike = Counter(tuple(s.chosen(place) for s in sums.values()) for place in places)  # to every sum
        parts = [_compositions(size, len(values) - 1) for size in alike.values()]
        height = prod(map(len, parts))
        if height * groups.height > MOST_CASES:
            return None
        degree, ways = np.zeros((height, len(values) - 1), np.int64), np.ones(height, np.int64)
        total = {name: np.zeros(height, np.int64) for name in sums}
        inner = height
        for (chosen, size), part in zip(alike.items(), parts, strict=True):
            inner //= len(part)
            row = (np.arange(height) // inner) % len(part)
            degree += part[row]
            ways *= np.array([multinomial(size, tuple(d)) for d in part.tolist()], np.int64)[row]
            for name in compress(sums, chosen):
                number = numbers.index(sums[name].number)
                total[name] += (part @ np.array([value[number] for value in values[1:]], np.int64))[row]
        # count_deals is called once; equal numbers of holdings and ways weigh the same.
        keys, which = np.unique(np.column_stack((degree, ways)), axis=0, return_inverse=True)
        deals = count_deals(rules, holding_class, group, len(places))
        weights = tuple(by_class.get(tuple(key[:-1]), 0) * key[-1] for by_class in deals for key in keys.tolist())
        which = np.concatenate([which.reshape(-1) + g * len(keys) for g in range(groups.height)])
        sums_frame = pl.DataFrame({name: column > 0 if sums[name].truth else column for name, column in total.items()})
        table_rows = groups[np.repeat(np.arange(groups.height), height)]
        sums_rows = sums_frame[np.tile(np.arange(height), groups.height)] if sums else sums_frame
        return possible(pl.concat([table_rows, sums_rows], how="horizontal").drop("group"), which, weights)

    def _table_groups(self, rules: Rules, names: list[str]) -> tuple[Indices, pl.DataFrame]:
        """The group of each table, -1 for those left out, and the features of each group."""
        if not rules.table_cards:
            return np.zeros(1, np.int64), pl.DataFrame({"group": [0]})
        every = np.ones(len(cards.tables()), np.bool_)
        counts = ~(cards.misdeals(rules) | cards.wins(rules)) if self.whole else every
        if not names:
            return np.where(counts, 0, -1), pl.DataFrame({"group": [0]})
        frame = _table_columns(rules, names)
        groups = frame.filter(counts).unique(maintain_order=True).with_row_index("group")
        joined = frame.join(groups, on=names, how="left", nulls_equal=True, maintain_order="left")
        return np.where(counts, joined["group"].fill_null(0).to_numpy().astype(np.int64), -1), groups

    # -------------------------------------------------------------------------------- dealt

    def sample(self, rules: Rules, names: Sequence[str], seed: int, first: int, hands: int) -> pl.DataFrame:
        sums = self._sums(rules, names)
        bonuses = any(s.number in QUANTITIES for s in sums.values())
        stages = self._stages(rules) if bonuses else 0
        dealt = deal_hands(rules, seed, first, hands, again=self.whole, stages=stages, constraints=self.constraints)
        counts = dealt.decided == 0
        features: dict[str, Any] = {}
        table_names = [name for name in names if _of_table(name)]
        if table_names:
            index = indices_of(dealt.decks[:, : cards.TABLE_SIZE])
            features |= _table_columns(rules, table_names)[index].to_dict(as_series=True)
        for name in names:
            if name in sums and sums[name].number in QUANTITIES:
                features[name] = _summed(rules, dealt.knocks, sums[name])
            elif name not in features:
                seat, feature = _seat_name(name)
                at = rules.table_cards + seat * cards.HOLDING_SIZE
                index = indices_of(dealt.decks[:, at : at + cards.HOLDING_SIZE])
                features[name] = columns("holding", rules, (feature,))[feature][index]
        return pl.DataFrame({name: features[name] for name in names}).filter(counts)


OF_ANY_TABLE = ("misdeal", "wins")
_WINS = {"table_wins": "of the table: whether it wins the dealer's side the game"}


def _of_table(name: str) -> bool:
    return name == "misdeal" or name.startswith("table_")


def _table_columns(rules: Rules, names: Sequence[str]) -> pl.DataFrame:
    plain = tuple(name.removeprefix("table_") for name in names)
    return columns("table", rules, plain).select(pl.col(p).alias(name) for p, name in zip(plain, names, strict=True))


def _seat_name(name: str) -> tuple[int, str]:
    """``seat2_low`` is (2, "low")."""
    seat, _, feature = name.partition("_")
    return int(seat.removeprefix("seat")), feature


@cache
def _holding_numbers(rules: Rules, number: str) -> NDArray[np.int64]:
    """A quantity or a feature of every holding: int64[9880]."""
    if number in QUANTITIES:
        return np.asarray(QUANTITIES[number].of_bonus(*cards.hand_bonus(rules)), np.int64)
    return columns("holding", rules, (number,))[number].to_numpy().astype(np.int64)


@lru_cache(64)
def _classes(rules: Rules, numbers: tuple[str, ...]) -> tuple[list[tuple[int, ...]], NDArray[np.int64]]:
    """The distinct rows of some numbers of a holding, all zeros first, and which of them each holding has."""
    size = len(cards.holdings())
    table = np.column_stack([np.zeros(size, np.int64), *(_holding_numbers(rules, number) for number in numbers)])
    rows, which = np.unique(table, axis=0, return_inverse=True)  # no number is negative: zeros come first
    values = [tuple(row[1:]) for row in rows.tolist()]
    which = which.reshape(-1)
    if any(values[0]):
        return [(0,) * len(numbers), *values], which + 1
    return values, which


def _compositions(size: int, classes: int) -> NDArray[np.int64]:
    """The number of holdings in each class, of ``size`` holdings: a row for each possibility."""
    every = itertools.product(range(size + 1), repeat=classes)
    return np.array([row for row in every if sum(row) <= size], np.int64)


def _summed(rules: Rules, knocks: NDArray[np.uint64], s: _Sum) -> NDArray[np.int64]:
    """A sum over the bonuses that the kernel lists: int64[hands]."""
    numbers = np.zeros(len(knocks), np.int64)
    slot = 0
    for stage, size in enumerate(rules.deal_plan):
        for _ in range(size // 3):
            for seat in range(rules.players):
                if s.chosen((stage, seat)):
                    word = knocks[:, slot, seat]
                    kind, points = (word >> np.uint64(4)) & np.uint64(15), word >> np.uint64(48)
                    numbers += np.asarray(QUANTITIES[s.number].of_bonus(kind, points)).astype(np.int64)
            slot += 1
    return numbers


def played(first: Deal, rules: Rules, names: Sequence[str]) -> Cases | None:
    """The cases of a first deal with a table that is played: no misdeal, nor one that wins at once."""
    decided = [name for name in ("misdeal", "table_wins") if name not in names] if rules.table_cards else []
    cases = first.cases(rules, [*names, *decided])
    if cases is None or not rules.table_cards:
        return cases
    stays = ~(cases.frame["misdeal"] | cases.frame["table_wins"]).to_numpy()
    return Cases(cases.frame.filter(stays), cases.which[stays], cases.weights)


def _pairs(rules: Rules, names: Sequence[str], constraints: DealConstraints | None = None) -> Cases | None:
    """The cases of any features of at most two sets of cards: the table and a seat, or two seats."""
    by_set: dict[str, list[str]] = {}
    for name in names:
        if name in QUANTITIES or not (_of_table(name) or _is_seat(name)):
            return None
        by_set.setdefault("table" if _of_table(name) else name.partition("_")[0], []).append(name)
    if len(by_set) > 2:
        return None
    frames, groups, sizes = [], [], []
    for place, own in by_set.items():
        if place == "table":
            frame = _table_columns(rules, own)
        else:
            plain = tuple(_seat_name(name)[1] for name in own)
            frame = columns("holding", rules, plain).select(
                pl.col(p).alias(name) for p, name in zip(plain, own, strict=True)
            )
        rows = frame.unique(maintain_order=True).with_row_index("group")
        if rows.height > MOST_TABLES:
            return None
        joined = frame.join(rows, on=own, how="left", nulls_equal=True, maintain_order="left")
        frames.append(rows.drop("group"))
        groups.append(joined["group"].to_numpy().astype(np.int64))
        sizes.append(cards.TABLE_SIZE if place == "table" else cards.HOLDING_SIZE)
    if constraints is not None:
        at = [0 if place == "table" else holding_place(rules, 0, _seat_name(place)[0]) for place in by_set]
        return constrained_pairs(Ways(constraints, at), frames, groups, sizes)
    if len(frames) == 1:
        weights = np.bincount(groups[0])
        return Cases(frames[0], np.arange(frames[0].height), tuple(weights.tolist()))
    weights = count_pairs(groups[0], sizes[0], groups[1], sizes[1]).reshape(-1)
    a, b = (frame.height for frame in frames)
    both = pl.concat([frames[0][np.repeat(np.arange(a), b)], frames[1][np.tile(np.arange(b), a)]], how="horizontal")
    return possible(both, np.arange(a * b), weights.tolist())


def _is_seat(name: str) -> bool:
    seat = name.partition("_")[0]
    return seat.startswith("seat") and seat.removeprefix("seat").isdigit()


_MARKS = {"hand_bonus_points": "bonus_points"}
"""Quantities that ``exact.deals`` calls otherwise."""


def _by_ranks(rules: Rules, names: Sequence[str]) -> Cases | None:
    """The cases of one quantity of a deal with larger holdings, in all or by side."""
    parts = {(quantity + end): (quantity, end) for quantity in QUANTITIES for end in ("", "_dealer", "_others")}
    wanted = {name: parts.get(name, ("", "")) for name in names}
    quantity = next(iter(wanted.values()))[0]
    if not quantity or any(other != quantity for other, _ in wanted.values()):
        return None
    mark = _MARKS.get(quantity, quantity)
    counted = deal_cases(rules, mark)
    if counted is None or (rules.sides > 2 and set(names) != {quantity}):
        return None
    frame, weights = counted
    sides = [frame[f"{mark}_{side}"] for side in range(2)] if rules.sides == 2 else [frame[mark]]
    numbers = {"": sum(sides[1:], sides[0]), "_others": sides[0], "_dealer": sides[-1]}
    return Cases(
        pl.DataFrame({name: numbers[end] for name, (_, end) in wanted.items()}), np.arange(len(weights)), tuple(weights)
    )


FIRST_DEAL = Deal("first-deal", "a first deal", "the first deal, misdeals too", whole=False)
DEALT = Deal("hand", "a deal", "a deal that is played, misdeals dealt again", whole=True)
