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
from .cases import MOST_CASES, Cases, Indices, OfDeals, first_card, indices_of, possible
from .constrained_pairs import card_set, constrained_pairs, crossed
from .perspective import Places, perspective, players

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


def _selectors(rules: Rules, stages: int, me: int) -> dict[str, tuple[str, Places, Places]]:
    """Suffix -> which holdings are meant: in words, their seats and their stages."""
    seats, during = tuple(range(rules.players)), tuple(range(stages))
    chosen = {"": ("in all", seats, during)}
    if stages > 1:
        chosen |= {f"_stage{stage + 1}": (f"in stage {stage + 1}", seats, (stage,)) for stage in during}
    of_whom = perspective(rules, me).seats.items()
    return chosen | {name: (words.strip(), who, during) for name, (words, who) in of_whom if name}


@dataclass(frozen=True)
class _Sum:
    """A feature of a deal: a number for each holding, added up over those of some seats and stages."""

    number: str  # of QUANTITIES or SEAT_FEATURES
    seats: Places
    stages: Places
    truth: bool = False

    def includes(self, stage: int, seat: int) -> bool:
        return stage in self.stages and seat in self.seats


@dataclass(frozen=True)
class Deal(OfDeals):
    """A table and the holdings dealt: of the first stage of any shuffle, or of all stages of a deal that is played."""

    per: str
    called: str
    trial: str
    whole: bool
    constraints: DealConstraints | None = None
    me: int = 0

    def features(self, rules: Rules) -> dict[str, str]:
        sentences = {}
        for name, quantity in QUANTITIES.items():
            for suffix, (words, _, _) in _selectors(rules, self._stages(rules), self.me).items():
                sentences[name + suffix] = f"{quantity.sentence} {words}"
        sentences |= self._table_features(rules)
        for player in players(rules, self.me) if not self.whole and rules.deal_plan[0] == cards.HOLDING_SIZE else ():
            sentences |= {f"{player}_{name}": f"of what {player} holds: {s}" for name, (s, _) in HOLDING.items()}
        return sentences

    def _table_features(self, rules: Rules) -> dict[str, str]:
        if not rules.table_cards:
            return {}
        sentences = {
            f"table_{name}": f"of the table: {s}" for name, (s, _) in TABLE.items() if name not in OF_ANY_TABLE
        }
        return sentences if self.whole else {"misdeal": "whether the table is a misdeal", **sentences, **_WINS}

    def _held(self, rules: Rules, name: str) -> tuple[int, str] | None:
        """``third_low`` is a feature of what a player holds: its seat, and ``low``; None for any other name."""
        for player, seat in players(rules, self.me).items():
            feature = name.removeprefix(f"{player}_")
            if feature != name and feature in HOLDING:
                return seat, feature
        return None

    def is_of_cards(self, rules: Rules, name: str) -> bool:
        """Whether a name is a feature of the table or of what a player holds."""
        return name.startswith("table_") or self._held(rules, name) is not None

    def _stages(self, rules: Rules) -> int:
        return len(rules.deal_plan) if self.whole else 1

    def _sums(self, rules: Rules, names: Iterable[str]) -> dict[str, _Sum]:
        """The names that are sums over holdings counted for all at once."""
        during = tuple(range(self._stages(rules)))
        sums = {
            f"{name}{suffix}": _Sum(name, seats, stages)
            for suffix, (_, seats, stages) in _selectors(rules, len(during), self.me).items()
            for name in QUANTITIES
        }
        for (player, seat), name in itertools.product(players(rules, self.me).items(), SEAT_FEATURES):
            sums[f"{player}_{name}"] = _Sum(name, (seat,), during, truth=name != "bonus_points")
        return {name: sums[name] for name in names if name in sums}

    # -------------------------------------------------------------------------------- counted

    def cases(self, rules: Rules, names: Sequence[str]) -> Cases | None:
        if self.constraints is not None:
            return self._by_deals(rules, names)
        sums = self._sums(rules, names)
        if self.whole and sums and rules.big_holdings:
            return _by_ranks(rules, names, self.me)
        rest = [name for name in names if name not in sums and not _of_table(name)]
        if self._beyond(rules):
            return None
        if rest:
            return self._pairs(rules, names)
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
            return self._pairs(rules, names, self.constraints)
        if self._beyond(rules) or not all(_of_table(name) for name in names):
            return None
        return played(replace(FIRST_DEAL, constraints=self.constraints), rules, names)

    def _all_at_once(self, rules: Rules, table_names: list[str], sums: dict[str, _Sum]) -> Cases | None:
        group, groups = self._table_groups(rules, table_names)
        if groups.height > MOST_TABLES:
            return None
        places = list(itertools.product(range(self._stages(rules)), range(rules.players)))
        numbers = sorted({s.number for s in sums.values()})
        values, holding_class = _classes(rules, tuple(numbers))
        alike = Counter(tuple(s.includes(*place) for s in sums.values()) for place in places)  # to every sum
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
        frame = _columns(rules, names)
        groups = frame.filter(counts).unique(maintain_order=True).with_row_index("group")
        joined = frame.join(groups, on=names, how="left", nulls_equal=True, maintain_order="left")
        return np.where(counts, joined["group"].fill_null(0).to_numpy().astype(np.int64), -1), groups

    def _pairs(
        self, rules: Rules, names: Sequence[str], constraints: DealConstraints | None = None
    ) -> Cases | None:  # fmt: skip
        """The cases of any features of at most two sets of cards: the table and a seat, or two seats."""
        by_set: dict[int, dict[str, str]] = {}
        for name in names:
            held = self._held(rules, name)
            if held is None and not _of_table(name):
                return None
            seat, feature = held or (_TABLE, name.removeprefix("table_"))
            by_set.setdefault(seat, {})[name] = feature
        if len(by_set) > 2:
            return None
        sets = []
        for seat, own in by_set.items():
            of, size = ("table", cards.TABLE_SIZE) if seat == _TABLE else ("holding", cards.HOLDING_SIZE)
            features = columns(of, rules, tuple(dict.fromkeys(own.values())))
            sets.append(card_set(features.select(pl.col(feature).alias(name) for name, feature in own.items()), size))
        if any(each.frame.height > MOST_TABLES for each in sets):
            return None
        if constraints is not None:
            at = [0 if seat == _TABLE else holding_place(rules, 0, seat) for seat in by_set]
            return constrained_pairs(constraints, at, sets)
        if len(sets) == 1:
            return Cases(sets[0].frame, np.arange(sets[0].frame.height), tuple(np.bincount(sets[0].group).tolist()))
        first, second = sets
        weights = count_pairs(first.group, first.size, second.group, second.size).reshape(-1)
        return possible(crossed(first.frame, second.frame), np.arange(len(weights)), weights.tolist())

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
            features |= _columns(rules, table_names)[index].to_dict(as_series=True)
        for name in names:
            if name in sums and sums[name].number in QUANTITIES:
                of_bonus = QUANTITIES[sums[name].number].of_bonus
                features[name] = sum_of_bonuses(rules, dealt.knocks, of_bonus, sums[name].seats, sums[name].stages)
            elif name not in features:
                held = self._held(rules, name)
                assert held is not None
                at = first_card(rules, held[0])
                index = indices_of(dealt.decks[:, at : at + cards.HOLDING_SIZE])
                features[name] = columns("holding", rules, (held[1],))[held[1]][index]
        return pl.DataFrame({name: features[name] for name in names}).filter(counts)


_TABLE = -1  # in place of a seat
OF_ANY_TABLE = ("misdeal", "wins")
_WINS = {"table_wins": "of the table: whether it wins the dealer's side the game"}


def _of_table(name: str) -> bool:
    return name == "misdeal" or name.startswith("table_")


def _columns(rules: Rules, names: Sequence[str]) -> pl.DataFrame:
    """Features of the table over all tables."""
    plain = [name.removeprefix("table_") for name in names]
    return columns("table", rules, tuple(plain)).rename(dict(zip(plain, names, strict=True)))


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


def sum_of_bonuses(
    rules: Rules, knocks: NDArray[np.uint64], of_bonus: Callable[[Any, Any], Any], seats: Places, stages: Places
) -> NDArray[np.int64]:
    """A quantity of the bonuses that the kernel lists, added up over some seats and stages: int64[hands]."""
    stage_of_slot = np.repeat(np.arange(len(rules.deal_plan)), np.array(rules.deal_plan) // 3)
    words = knocks[:, np.flatnonzero(np.isin(stage_of_slot, stages))][:, :, list(seats)]
    kind, points = words >> np.uint64(4) & np.uint64(15), words >> np.uint64(48)
    return np.asarray(np.asarray(of_bonus(kind, points), np.int64).sum(axis=(1, 2)))


def played(first: Deal, rules: Rules, names: Sequence[str]) -> Cases | None:
    """The cases of a first deal with a table that is played: no misdeal, nor one that wins at once."""
    decided = [name for name in ("misdeal", "table_wins") if name not in names] if rules.table_cards else []
    cases = first.cases(rules, [*names, *decided])
    if cases is None or not rules.table_cards:
        return cases
    stays = ~(cases.frame["misdeal"] | cases.frame["table_wins"]).to_numpy()
    return Cases(cases.frame.filter(stays), cases.which[stays], cases.weights)


_MARKS = {"hand_bonus_points": "bonus_points"}
"""Quantities that ``exact.deals`` calls otherwise."""


def _by_ranks(rules: Rules, names: Sequence[str], me: int) -> Cases | None:
    """The cases of one quantity of a deal with larger holdings, in all or by side."""
    ends = {"": ""}
    for end, (_, meant) in perspective(rules, me).sides.items():
        ends[end] = "_dealer" if meant == (rules.dealer_side,) else "_others"
    parts = {(quantity + end): (quantity, side) for quantity in QUANTITIES for end, side in ends.items()}
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
