"""The spaces of what is dealt: the table, holdings, and the sets that are shown of them, without any play."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine.chunks import Dealt, deal_hands
from ..exact import first_deal as cards
from ..exact.constrained import CardGroups, fitting_by_group
from ..exact.families import count_pairs, index_of
from ..exact.features import HOLDS, KINDS, TEXTS, columns, feature_of, holding_cases, masks_of
from ..exact.whole_deals import MARKS, OF_LOW_CARDS, HoldingSum, deal_cases, sums_of_deals
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints, holding_place
from .cases import Cases, OfDeals, Sample, equal_once, possible
from .terms import TABLE, Term

MOST_SETS = 3_000
"""Groups of tables or holdings that deals are counted for, one by one."""

MOST_MISDEALS = 31
"""Misdeals in a row that are distinguished where they are counted."""

Place = tuple[int, int]
"""A stage and a seat, from 0, or ``TABLE``."""

ON_THE_TABLE: Place = (0, TABLE)

Indices = NDArray[np.int64]


# ------------------------------------------------------------------------------------------------ terms


def place_of(term: Term) -> Place | None:
    """Whose cards a term is about; None for terms about no one holding."""
    if term.function.who != "holder":
        return None
    return term.stages[0] if term.stages else 0, term.who[0]


def feature_name(term: Term) -> str:
    """What a term about cards is called in ``exact.features``."""
    return f"{HOLDS}{term.cards}" if term.name == "holds" else term.name


def size_of(rules: Rules, place: Place) -> int:
    """How many cards lie in a place."""
    return rules.table_cards if place == ON_THE_TABLE else rules.deal_plan[place[0]]


def first_card(rules: Rules, place: Place) -> int:
    """Where in a deal order the cards of a place begin."""
    stage, seat = place
    if seat == TABLE:
        return 0
    return rules.table_cards + rules.players * sum(rules.deal_plan[:stage]) + seat * rules.deal_plan[stage]


def of_cards(rules: Rules, name: str, sets: NDArray[np.uint8], on_table: bool = False) -> Any:
    """A feature of some sets of cards, uint8[n, size]: an array, or a series of texts."""
    if on_table or sets.shape[1] == cards.HOLDING_SIZE:
        of = "table" if on_table else "holding"
        return columns(of, rules, (name,))[name][index_of(np.sort(sets, axis=1))]
    if name in TEXTS:
        return pl.Series(TEXTS[name](rules, np.sort(sets, axis=1)))
    return feature_of(name).column(rules, masks_of(sets))


def sum_of_sets(rules: Rules, knocks: NDArray[np.uint64], term: Term) -> Indices:
    """``knocks`` or ``knock_points`` of the sets that the kernel lists: int64[hands]."""
    stages = term.stages or range(len(rules.deal_plan))
    stage_of_slot = np.repeat(np.arange(len(rules.deal_plan)), np.array(rules.deal_plan) // 3)
    words = knocks[:, np.flatnonzero(np.isin(stage_of_slot, stages))][:, :, list(term.who)]
    shown = np.isin(words >> np.uint64(4) & np.uint64(15), KINDS[term.detail]).astype(np.int64)
    points = (words >> np.uint64(48)).astype(np.int64) if term.name == "knock_points" else 1
    return np.asarray((shown * points).sum(axis=(1, 2)))


# ------------------------------------------------------------------------------------------------ deals


@dataclass(frozen=True)
class DealtCards(OfDeals):
    """What is dealt: of the first stage of any shuffle or, of a ``whole`` deal, of all stages once a table stays."""

    rules: Rules
    whole: bool
    per: str
    trial: str
    constraints: DealConstraints | None = None

    def is_slow(self, terms: Sequence[Term]) -> bool:
        return self.whole and self.constraints is None and self.rules.big_holdings and any(map(_is_sum, terms))

    # -------------------------------------------------------------------------------- counted

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        if any(term.name == "misdeals" for term in terms):
            return self._misdeals(terms)
        if self.whole and cards.buries(self.rules) and bool(cards.misdeals(self.rules).any()):
            return None
        if not any(map(_is_sum, terms)):
            counted = self._by_places(terms)
            if counted is not None:
                return counted
        if self.constraints is not None:
            return None
        if self.rules.big_holdings:
            return self._by_ranks(terms)
        return self._all_at_once(terms)

    def _misdeals(self, terms: Sequence[Term]) -> Cases | None:
        """How many misdeals come before a table that stays; the last case stands for ``MOST_MISDEALS`` and more."""
        rules, misdealt = self.rules, cards.misdeals(self.rules)
        if len(terms) > 1 or self.constraints is not None or (cards.buries(rules) and misdealt.any()):
            return None
        again, every, most = int(misdealt.sum()), len(misdealt), rules.misdeals_lose or MOST_MISDEALS
        weights = [again**n * (every - again) * every ** (most - 1 - n) for n in range(most)] + [again**most]
        frame = pl.DataFrame({terms[0].key: np.arange(most + 1)})
        return possible(frame, np.arange(most + 1), weights)

    def _by_places(self, terms: Sequence[Term]) -> Cases | None:
        """The cases of the table and a holding, or of two of these; of one larger holding by patterns."""
        rules, by_place = self.rules, dict[Place, dict[str, str]]()
        for term in terms:
            place = place_of(term)
            assert place is not None
            by_place.setdefault(place, {})[term.key] = feature_name(term)
        decided = {_MISDEAL: "misdeal", _WON: "wins_at_deal"} if self.whole and rules.table_cards else {}
        if decided:
            by_place.setdefault(ON_THE_TABLE, {}).update(decided)
        if len(by_place) > 2:
            return None
        if any(size_of(rules, place) > cards.TABLE_SIZE for place in by_place):
            return self._by_pattern(by_place)
        sets = [self._set_in(place, own) for place, own in by_place.items()]
        if any(each.frame.height > MOST_SETS for each in sets) and (len(sets) > 1 or self.constraints is not None):
            return None
        counted = self._paired(list(by_place), sets)
        if counted is None or not decided:
            return counted
        stays = ~(counted.frame[_MISDEAL] | counted.frame[_WON]).to_numpy()
        return Cases(counted.frame.filter(stays).drop(_MISDEAL, _WON), counted.which[stays], counted.weights)

    def _by_pattern(self, by_place: dict[Place, dict[str, str]]) -> Cases | None:
        if len(by_place) > 1 or self.constraints is not None:
            return None
        [(place, own)] = by_place.items()
        names = list(dict.fromkeys(own.values()))
        if not TEXTS.keys().isdisjoint(names):
            return None
        try:
            frame, weights = holding_cases(self.rules, size_of(self.rules, place), names)
        except InputError:  # too many patterns
            return None
        return equal_once(frame.select(pl.col(name).alias(key) for key, name in own.items()), weights)

    def _set_in(self, place: Place, own: dict[str, str]) -> CardSet:
        of, size = ("table", cards.TABLE_SIZE) if place == ON_THE_TABLE else ("holding", cards.HOLDING_SIZE)
        features = columns(of, self.rules, tuple(dict.fromkeys(own.values())))
        # The distinct rows of the terms of every set of ``size`` cards
        frame = features.select(pl.col(name).alias(key) for key, name in own.items())
        rows = frame.unique(maintain_order=True).with_row_index("group")
        joined = frame.join(rows, on=frame.columns, how="left", nulls_equal=True, maintain_order="left")
        return CardSet(rows.drop("group"), joined["group"].to_numpy().astype(np.int64), size)

    def _paired(self, places: Sequence[Place], sets: Sequence[CardSet]) -> Cases | None:
        """The cases of one or two sets of cards, each weighed by the deals that complete it."""
        frame = sets[0].frame if len(sets) == 1 else sets[0].frame.join(sets[1].frame, how="cross")
        weights: Sequence[int] | None
        if self.constraints is not None:
            at = [0 if seat == TABLE else holding_place(self.rules, stage, seat) for stage, seat in places]
            groups = [CardGroups(*each) for each in zip(
                at, (one.size for one in sets), (one.group for one in sets), (one.frame.height for one in sets),
                strict=True,
            )]  # fmt: skip
            weights = fitting_by_group(self.constraints, groups)
        elif len(sets) == 1:
            weights = np.bincount(sets[0].group).tolist()
        else:
            weights = count_pairs(sets[0].group, sets[0].size, sets[1].group, sets[1].size).reshape(-1).tolist()
        return None if weights is None else possible(frame, np.arange(len(weights)), weights)

    def _all_at_once(self, terms: Sequence[Term]) -> Cases | None:
        """The cases of numbers added up over holdings of three cards, and of the table."""
        table_terms = [term for term in terms if place_of(term) == ON_THE_TABLE]
        sums = {term.key: _sum_of(term, self.rules) for term in terms if term not in table_terms}
        added = {key: one for key, one in sums.items() if one is not None}
        group, groups = self._table_groups(table_terms)
        if len(added) < len(sums) or groups.height > MOST_SETS:
            return None
        counted = sums_of_deals(self.rules, added, group, len(self.rules.deal_plan) if self.whole else 1)
        if counted is None:
            return None
        frame, which, weights = counted
        height = len(which) // groups.height
        table_rows = groups[np.repeat(np.arange(groups.height), height)]
        rows = frame[np.tile(np.arange(height), groups.height)] if added else frame
        return possible(pl.concat([table_rows, rows], how="horizontal").drop("group"), which, weights)

    def _table_groups(self, terms: Sequence[Term]) -> tuple[Indices, pl.DataFrame]:
        """The group of each table, -1 for those left out, and the terms of each group."""
        rules = self.rules
        if not rules.table_cards:
            return np.zeros(1, np.int64), pl.DataFrame({"group": [0]})
        every = np.ones(len(cards.tables()), np.bool_)
        counts = ~(cards.misdeals(rules) | cards.wins(rules)) if self.whole else every
        if not terms:
            return np.where(counts, 0, -1), pl.DataFrame({"group": [0]})
        features = columns("table", rules, tuple(dict.fromkeys(map(feature_name, terms))))
        frame = features.select(pl.col(feature_name(term)).alias(term.key) for term in terms)
        groups = frame.filter(counts).unique(maintain_order=True).with_row_index("group")
        joined = frame.join(groups, on=frame.columns, how="left", nulls_equal=True, maintain_order="left")
        return np.where(counts, joined["group"].fill_null(0).to_numpy().astype(np.int64), -1), groups

    def _by_ranks(self, terms: Sequence[Term]) -> Cases | None:
        """The cases of one number of a whole deal with larger holdings, in all or by side."""
        rules = self.rules
        marks = {_number_of(term) for term in terms if _is_sum(term)}
        sides = {frozenset(seat for seat in range(rules.players) if rules.side(seat) == side): side
                 for side in range(rules.sides)}  # fmt: skip
        every = frozenset(range(rules.players))
        if not self.whole or len(marks) != 1 or any(term.stages or not _is_sum(term) for term in terms):
            return None
        wanted = {term.key: every if set(term.who) == every else frozenset(term.who) for term in terms}
        if any(who != every and (who not in sides or rules.sides > 2) for who in wanted.values()):
            return None
        if (mark := marks.pop()) not in MARKS or (counted := deal_cases(rules, mark)) is None:
            return None
        frame, weights = counted
        by_side = [frame[f"{mark}_{side}"] for side in range(2)] if rules.sides == 2 else [frame[mark]]
        numbers = {key: sum(by_side[1:], by_side[0]) if who == every else by_side[sides[who]]
                   for key, who in wanted.items()}  # fmt: skip
        return Cases(pl.DataFrame(numbers), np.arange(len(weights)), tuple(weights))

    # -------------------------------------------------------------------------------- dealt

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        rules = self.rules
        shown = any(term.function.group == "shown" for term in terms)
        stages = len(rules.deal_plan) if shown else 0
        dealt = deal_hands(rules, seed, first, number, again=self.whole, stages=stages, constraints=self.constraints)
        numbers = np.arange(first, first + number)
        frame = pl.DataFrame({term.key: self._column(term, dealt) for term in terms})
        if {term.name for term in terms} == {"misdeals"}:
            return Sample(frame, numbers)  # deals that are lost by misdeals too
        played = dealt.decided == 0
        return Sample(frame.filter(played), numbers[played])

    def _column(self, term: Term, dealt: Dealt) -> Any:
        if term.name == "misdeals":
            return dealt.misdeals.astype(np.int64)
        if (place := place_of(term)) is None:
            return sum_of_sets(self.rules, dealt.knocks, term)
        at = first_card(self.rules, place)
        held = dealt.decks[:, at : at + size_of(self.rules, place)]
        return of_cards(self.rules, feature_name(term), held, place == ON_THE_TABLE)


_MISDEAL, _WON = "misdeal", "won"
"""Columns for tables that are not played."""


def _is_sum(term: Term) -> bool:
    return term.function.group == "shown"


def _number_of(term: Term) -> str:
    """The feature of a holding that is added up: ``bonus_points barsega`` are the points of one kind of set."""
    return (term.detail or "bonus") if term.name == "knocks" else f"bonus_points {term.detail}".strip()


def _sum_of(term: Term, rules: Rules) -> HoldingSum | None:
    """A term as a sum over holdings that are counted for all at once; None for any other."""
    place = place_of(term)
    if place is None:
        stages = term.stages or range(len(rules.deal_plan))
        return HoldingSum(_number_of(term), frozenset(itertools.product(stages, term.who)))
    if term.name not in OF_LOW_CARDS:
        return None
    return HoldingSum(term.name, frozenset([place]), term.function.gives == "truth")


# ------------------------------------------------------------------------------------------------ sets of cards


class CardSet(NamedTuple):
    """The table or a holding: the distinct rows of its terms, which of them each set of ``size`` cards has."""

    frame: pl.DataFrame
    group: Indices
    size: int


def fresh_deal(
    rules: Rules, terms: Sequence[Term], constraints: DealConstraints | None = None, played: bool = False
) -> DealtCards:
    """The smallest space of what is dealt in which some terms have a meaning; or of deals that are ``played``."""
    places = {place_of(term) for term in terms}
    if played or None in places or any(place and place[0] for place in places):
        misdeals = {term.name for term in terms} == {"misdeals"}
        trial = "the dealing of a hand" if misdeals else "a deal that is played, misdeals dealt again"
        return DealtCards(rules, True, "hand", trial, constraints)
    if places == {ON_THE_TABLE}:
        return DealtCards(rules, False, "table", "the table dealt, misdeals too", constraints)
    if len(places) == 1:
        number = {3: "three"}.get(rules.deal_plan[0], str(rules.deal_plan[0]))
        return DealtCards(rules, False, "holding", f"{number} cards held", constraints)
    return DealtCards(rules, False, "first-deal", "the first deal, misdeals too", constraints)
