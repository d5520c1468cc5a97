"""The spaces of cards: what is dealt of a fresh deal, without any play, and in mid-hand what nobody has shown.

In mid-hand, cards that the person asking neither holds nor sees nor remembers as gone are unseen, and every way of
dealing them is equally likely: what the others' plays and knocks (or the lack of them) reveal is not used, except for
cards shown. Cards that every term treats alike count as one class; what is counted is how many of each class a player
holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core import cards as pack
from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..engine.chunks import deal_hands
from ..engine.hand_in_play import deal_unseen
from ..exact import first_deal, midhand
from ..exact.constrained import fitting
from ..exact.features import (
    HOLDINGS,
    PATTERN,
    TEXTS,
    SumFeature,
    cards_named,
    columns,
    count_feature,
    patterns,
    sum_of_set,
)
from ..exact.first_deal import HOLDING_SIZE
from ..exact.sums import (
    ALL,
    MOST_LISTED,
    Classes,
    Groups,
    Placed,
    Sum,
    TooManyCasesError,
    all_sets,
    classes_of,
    count_of,
    count_sums,
    group_name,
    make_up,
    sets_of,
)
from ..exact.whole_deals import MARKS, OF_LOW_CARDS, HoldingSum, deal_cases, sums_of_deals
from ..ruleset.rules_model import Rules
from ..situation.constraints import Condition, DealConstraints, holding_place, layout
from ..situation.hand import HandState, declared_values, matta_mask
from ..situation.people import seen_from
from .cases import (
    ON_THE_TABLE,
    CardPlace,
    Cases,
    Space,
    TrialKind,
    card_place_of,
    feature_name,
    feature_values,
    size_of,
)
from .expressions import truth_of
from .hand_columns import HandColumns
from .parser import Node
from .question import Expression, Question
from .vocabulary import STOCK, TABLE, Term

MOST_SETS = 3_000
"""Groups of tables or holdings that deals are counted for, one by one."""

MOST_MISDEALS = 31
"""Misdeals in a row that are distinguished where they are counted."""

Indices = NDArray[np.int64]


# ------------------------------------------------------------------------------------------------ terms


def holdings_where(expression: Expression, rules: Rules) -> NDArray[np.bool_]:
    """Of which holdings of three cards an expression is true whose terms are about one: bool[9880]."""
    names = {term.key: feature_name(term) for term in expression.terms}
    features = columns("holding", rules, tuple(dict.fromkeys(names.values())))
    return truth_of(features.select(pl.col(name).alias(key) for key, name in names.items()), expression)


def with_holdings(question: Question) -> Question:
    """A question where each truth about one holding of three cards is whether this is one of some."""

    def replaced(expression: Expression) -> Expression:
        node = expression.tree
        places = {card_place_of(term) for term in expression.terms}
        place = places.pop() if len(places) == 1 else None
        if place in (None, ON_THE_TABLE) or node.name not in ("compare", "in", "and", "or", "not"):
            parts = tuple(replaced(replace(expression, tree=part)).tree for part in node.parts)
            return replace(expression, tree=replace(node, parts=parts))
        chosen = HOLDINGS + np.packbits(holdings_where(expression, question.rules)).tobytes().hex()
        return replace(expression, tree=Node("term", Term("holds", (place[1],), (place[0],), detail=chosen)))

    return replace(question, parts=tuple(map(replaced, question.parts)), given=tuple(map(replaced, question.given)))


# ------------------------------------------------------------------------------------------------ deals


@dataclass(frozen=True)
class DealtCards(Space):
    """What is dealt: of the first stage of any shuffle or, of a ``whole`` deal, of all stages once a table stays."""

    dealt: TrialKind
    rules: Rules
    whole: bool = False
    constraints: DealConstraints | None = None

    @property
    def trial(self) -> TrialKind:
        return self.dealt

    # -------------------------------------------------------------------------------- counted

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        if any(term.name == "misdeals" for term in terms):
            return self._misdeals(terms)
        if self.whole and first_deal.buries(self.rules) and bool(first_deal.misdeals(self.rules).any()):
            return None
        all_at_once = self._by_ranks if self.rules.big_holdings else self._all_at_once
        for counted in (self._by_places, all_at_once) if self.constraints is None else (self._by_places,):
            with suppress(TooManyCasesError):
                return counted(terms)
        return None

    def mean_cases(self, term: Term) -> Cases | None:
        if term.name != "misdeals" or self.rules.misdeals_lose or self._misdeals((term,)) is None:
            return self.cases((term,))
        misdealt = first_deal.misdeals(self.rules)
        again, stays = int(misdealt.sum()), int((~misdealt).sum())
        # Any number may come before a table that stays: the mean of all is again / stays.
        return Cases.weighted(pl.DataFrame({term.key: [0, again]}), [stays - 1, 1]) if stays else None

    def _misdeals(self, terms: Sequence[Term]) -> Cases | None:
        """How many misdeals come before a table that stays; the last case stands for ``MOST_MISDEALS`` and more."""
        rules, misdealt = self.rules, first_deal.misdeals(self.rules)
        if len(terms) > 1 or self.constraints is not None or (first_deal.buries(rules) and misdealt.any()):
            return None
        again, every, most = int(misdealt.sum()), len(misdealt), rules.misdeals_lose or MOST_MISDEALS
        weights = [again**n * (every - again) * every ** (most - 1 - n) for n in range(most)] + [again**most]
        frame = pl.DataFrame({terms[0].key: np.arange(most + 1)})
        return Cases.possible(frame, np.arange(most + 1), weights)

    def _by_places(self, terms: Sequence[Term]) -> Cases:
        """The cases of sums in any places, and of what is no sum in two at most; or ``TooManyCasesError``."""
        rules = self.rules
        by_place: dict[CardPlace, dict[str, str]] = {}
        features, grouped = dict[str, SumFeature](), dict[CardPlace, dict[str, str]]()
        placed = dict[str, Placed]()
        for term in terms:
            place, stages = card_place_of(term), term.stages or range(len(rules.deal_plan))
            if term.name == "plays":
                places = tuple(at for place in itertools.product(stages, term.who) for at in self._at(place))
                features[term.key] = count_feature(term.cards)
                placed[term.key] = Placed(features[term.key].sum(rules), places)
            elif place is None and (len(stages) > 1 or len(term.who) > 1):
                raise TooManyCasesError
            else:
                by_place.setdefault(place or (stages[0], term.who[0]), {})[term.key] = feature_name(term)
        if self.whole and rules.table_cards:
            by_place.setdefault(ON_THE_TABLE, {}).update({_MISDEAL: "misdeal", _WON: "wins_at_deal"})
        for place, names in by_place.items():
            own = {key: sum_of_set(rules, name) for key, name in names.items()}
            summed = {key: feature for key, feature in own.items() if feature is not None}
            if len(summed) < len(names) and size_of(rules, place) <= MOST_LISTED:
                summed = {}
            features |= summed
            placed |= {key: Placed(one.sum(rules), self._at(place)) for key, one in summed.items()}
            if left := {key: name for key, name in names.items() if key not in summed}:
                grouped[place] = left
        sets = {place: self._grouped(place, names, placed) for place, names in grouped.items()}
        constraints = self.constraints or DealConstraints("", (), layout(rules))
        counted = fitting(constraints, placed, [groups for _, groups in sets.values()])
        columns: dict[str, Any] = {
            key: feature.meaning(counted.frame[key].to_numpy()) for key, feature in features.items()
        }
        for number, (rows, _) in enumerate(sets.values()):
            columns |= rows[counted.frame[group_name(number)]].to_dict()
        cases = Cases.weighted(pl.DataFrame(columns), counted.ways)
        if _MISDEAL not in columns:
            return cases
        return cases.filter(~(cases.frame[_MISDEAL] | cases.frame[_WON]).to_numpy())

    def _at(self, place: CardPlace) -> tuple[int, ...]:
        """The number of a place in a deal; those of the stock, which is what all holdings of later stages are."""
        if place[1] == STOCK:
            return tuple(range(holding_place(self.rules, place[0] + 1, 0), len(layout(self.rules))))
        return (0 if place == ON_THE_TABLE else holding_place(self.rules, *place),)

    def _grouped(
        self, place: CardPlace, names: Mapping[str, str], placed: Mapping[str, Placed]
    ) -> tuple[pl.DataFrame, Groups]:
        """The distinct values of some features of a place, and the sets of cards that have them."""
        size, [at] = size_of(self.rules, place), self._at(place)
        if size <= MOST_LISTED:
            sets = all_sets(at, size)
        elif known := [cards for cards in self._known_cards(at) if cards.bit_count() == size]:
            sets = Groups(at, size, np.zeros(1, np.int64), np.array(known[:1], np.uint64), np.ones(1, np.int64))
        elif self.constraints is not None or any(name not in PATTERN for name in names.values()):
            raise TooManyCasesError
        else:
            masks, ways = patterns(self.rules, size, classes_of(ALL, [one.sum for one in placed.values()]))
            sets = Groups(at, size, np.zeros(len(masks), np.int64), masks, ways)
        cards, on_table = sets_of(sets.masks, size), place == ON_THE_TABLE
        columns = {key: feature_values(self.rules, name, cards, on_table) for key, name in names.items()}
        rows, which = _distinct(pl.DataFrame(columns))
        return rows, sets._replace(group=which)

    def _known_cards(self, place: int) -> tuple[int, int]:
        """Masks of the cards seen in a place, and of all that are not seen in another."""
        conditions = self.constraints.conditions if self.constraints else ()
        whole = [one for one in conditions if one.low == one.cards.bit_count() and one.places.bit_count() == 1]
        own, others = (
            reduce(or_, (one.cards for one in whole if (one.places == 1 << place) is here), 0) for here in (True, False)
        )
        return own, ALL & ~others

    def _all_at_once(self, terms: Sequence[Term]) -> Cases | None:
        """The cases of numbers added up over holdings of three cards, and of the table."""
        table_terms, added = [term for term in terms if card_place_of(term) == ON_THE_TABLE], dict[str, HoldingSum]()
        for term in terms:
            place, stages = card_place_of(term), term.stages or range(len(self.rules.deal_plan))
            if place is not None and place != ON_THE_TABLE and (term.name in OF_LOW_CARDS or term.detail):
                is_truth = term.function.gives == "truth"
                added[term.key] = HoldingSum(feature_name(term), frozenset([place]), is_truth)
            elif term.is_of_sets_shown:
                added[term.key] = HoldingSum(feature_name(term), frozenset(itertools.product(stages, term.who)))
        tables, table_group = self._tables(table_terms)
        groups = tables.height
        if len(added) + len(table_terms) < len(terms) or groups > MOST_SETS:
            return None
        counted = sums_of_deals(self.rules, added, table_group, len(self.rules.deal_plan) if self.whole else 1)
        if counted is None:
            return None
        frame, which, weights = counted
        height = len(which) // groups
        table_rows = tables[np.repeat(np.arange(groups), height)]
        rows = frame[np.tile(np.arange(height), groups)] if added else frame
        return Cases.possible(pl.concat([table_rows, rows], how="horizontal"), which, weights)

    def _tables(self, terms: Sequence[Term]) -> tuple[pl.DataFrame, Indices]:
        """The tables that are played, of a whole deal, or all; by the values of some terms."""
        rules, features = self.rules, [feature_name(term) for term in terms]
        every = len(first_deal.tables()) if rules.table_cards else 1
        frame = pl.DataFrame({_ALIKE: np.zeros(every, np.int8)})
        for term, feature in zip(terms, features, strict=True):
            frame = frame.with_columns(columns("table", rules, (feature,))[feature].alias(term.key))
        is_out = first_deal.misdeals(rules) | first_deal.wins(rules) if self.whole else np.zeros(every, np.bool_)
        return _distinct(frame, ~is_out if rules.table_cards else None)

    def _by_ranks(self, terms: Sequence[Term]) -> Cases | None:
        """The cases of one number of a whole deal with larger holdings, in all or by side."""
        rules, [mark, *others] = self.rules, {feature_name(term) for term in terms}
        if not self.whole or others or any(term.stages or not term.is_of_sets_shown for term in terms):
            return None
        sides = {term.key: {rules.side(seat) for seat in term.who} for term in terms}
        for term in terms:
            theirs = [seat for seat in range(rules.players) if rules.side(seat) in sides[term.key]]
            if len(theirs) > len(term.who) or (rules.sides > 2 and len(theirs) < rules.players):
                return None
        if mark not in MARKS or (counted := deal_cases(rules, mark)) is None:
            return None
        frame, weights = counted
        numbers = [frame[f"{mark}_{side}"] for side in range(2)] if rules.sides == 2 else [frame[mark]]
        added = {key: sum(numbers[side] for side in own if side < len(numbers)) for key, own in sides.items()}
        return Cases.weighted(pl.DataFrame(added), weights)

    # -------------------------------------------------------------------------------- dealt

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        rules = self.rules
        stages = len(rules.deal_plan) if any(term.is_of_sets_shown for term in terms) else 0
        dealt = deal_hands(rules, seed, first, number, again=self.whole, stages=stages, constraints=self.constraints)
        columns = HandColumns(rules, dealt)
        every = Cases.simulated({term.key: columns.column(term) for term in terms}, first, number)
        if {term.name for term in terms} == {"misdeals"}:
            return every  # deals that are lost by misdeals too
        return every.filter(dealt.decided == 0)


_MISDEAL, _WON, _GROUP, _ALIKE = "misdeal", "won", "group", "alike"
"""Columns besides those of terms: for tables that are not played, the number of a row, and nothing."""


def _distinct(frame: pl.DataFrame, kept: NDArray[np.bool_] | None = None) -> tuple[pl.DataFrame, Indices]:
    """The distinct rows of features of sets of cards, and which each has; -1 for those that are not ``kept``."""
    rows = (frame if kept is None else frame.filter(kept)).unique(maintain_order=True).with_row_index(_GROUP)
    joined = frame.join(rows, on=frame.columns, how="left", nulls_equal=True, maintain_order="left")
    which = joined[_GROUP].fill_null(0).to_numpy().astype(np.int64)
    return rows, which if kept is None else np.where(kept, which, -1)


def fresh_deal(
    rules: Rules, terms: Sequence[Term], constraints: DealConstraints | None = None, played: bool = False
) -> DealtCards:
    """The smallest space of what is dealt in which some terms have a meaning; or of deals that are ``played``."""
    places = {card_place_of(term) for term in terms}
    if played or None in places or any(place and place[0] for place in places):
        misdeals = {term.name for term in terms} == {"misdeals"}
        text = "the dealing of a hand" if misdeals else "a deal that is played, misdeals dealt again"
        return DealtCards(TrialKind(text, "hand"), rules, True, constraints)
    trial = FIRST_DEAL
    if places == {ON_THE_TABLE}:
        trial = TrialKind("the table dealt, misdeals too", "table")
    elif len(places) == 1 and places != {(0, STOCK)}:
        trial = TrialKind(f"{'three' if rules.deal_plan[0] == 3 else rules.deal_plan[0]} cards held", "holding")
    return DealtCards(trial, rules, constraints=constraints)


FIRST_DEAL = TrialKind("the first deal, misdeals too", "first-deal")


# ------------------------------------------------------------------------------------------------ mid-hand


Sets = NDArray[np.uint8]


class Holding(NamedTuple):
    """A mask of the cards seen in a place, the number of unseen ones, and where these begin in a deal."""

    seen: int
    hidden: int
    begins: int = 0


@dataclass(frozen=True)
class UnseenCards(Space):
    """Every way of dealing the cards that the person asking does not see."""

    now: HandState
    trial = TrialKind("every way of dealing the cards not seen", "position")

    @property
    def _in_turn(self) -> list[int]:
        """The seats after that of the person asking, and this last."""
        players = self.now.rules.players
        return [(self.now.seat + 1 + turn) % players for turn in range(players)]

    @cached_property
    def holdings(self) -> dict[CardPlace, Holding]:
        """What lies in every place: on the table, in the holdings of this stage and of later ones, and in the stock."""
        now, coming, plan = self.now, self.now.coming, self.now.rules.deal_plan
        each, begins = {(coming.stage, TABLE): Holding(now.table, 0)}, 0
        for stage in range(coming.stage, len(plan)):
            for seat in self._in_turn:
                is_now = stage == coming.stage
                seen, hidden = (coming.known[seat], coming.hidden(seat)) if is_now else (0, plan[stage])
                each[stage, seat] = Holding(seen, hidden, begins)
                begins += hidden
        held = sum(one.hidden for (stage, _), one in each.items() if stage == now.stage)
        return each | {(now.stage, STOCK): Holding(0, now.stock, held)}

    def place(self, term: Term) -> CardPlace:
        """The place of cards that a term is about; raises ``InputError`` for one of another stage."""
        seat = term.who[0]
        stage = self.now.stage if seat == STOCK else term.stages[0] if term.stages else self.now.coming.stage
        if (stage, seat) not in self.holdings:
            now = self.now.coming.stage + 1
            raise InputError("{name}: this position is of stage {stage} (valid: that stage, or later)", term.name, now)
        return stage, seat

    # -------------------------------------------------------------------------------- terms

    def column(self, term: Term, hidden: Sets) -> Any:
        """The values of a term for some hidden cards of its place, uint8[n, size]."""
        if term.function.space == "turn":
            # Where a player with these hidden cards can make a capture that a term asks for
            return midhand.can_take(self.now.coming, self._good(term), term.who[0], hidden)
        rules, known = self.now.rules, self.holdings[self.place(term)].seen
        seen = np.array([card for card in range(40) if known >> card & 1], np.uint8)
        held = np.concatenate([hidden, np.broadcast_to(seen, (len(hidden), len(seen)))], axis=1)
        name = feature_name(term)
        if not (name in PATTERN or cards_named(name) or (held.shape[1] == HOLDING_SIZE and name in TEXTS)):
            raise InputError(
                "{name} is of three cards, and {number} are held (valid: sevens, holds, total)",
                term.name,
                held.shape[1],
            )
        if held.shape[1] < HOLDING_SIZE and name in OF_LOW_CARDS:
            following = self.now.coming.stage + 2
            later = f"{name}(me, stage {following})" if following <= len(rules.deal_plan) else "sevens(next)"
            raise InputError(
                "{name} is of three cards or more, and {number} are held (valid: {later})", name, held.shape[1], later
            )
        return feature_values(rules, name, held)

    def example(self, term: Term) -> Any:
        size = self.holdings[self.place(term)].hidden
        hidden = np.flatnonzero([self.now.unseen >> card & 1 for card in range(40)])[None, :size]
        return self.column(term, hidden.astype(np.uint8))[0]

    def _good(self, term: Term) -> int:
        position = self.now.coming
        target = position.table if term.name in ("can_sweep", "can_score") else term.cards
        if target & ~position.table:
            raise InputError(
                "can_capture: {name} does not lie on the table and cannot be taken (valid: a card on the table; "
                "'holds(next, {name})' asks who holds it)",
                pack.texts(target & ~position.table)[0],
            )
        later = (term.who[0] - self.now.to_play) % self.now.rules.players
        rules = self.now.rules.at_play(self.now.number_of_plays + later)
        takers, scorers = midhand.takers(rules, position.table, target, position.matta_value)
        able = scorers if term.name == "can_score" else takers
        return able if target or term.name == "can_capture" else 0  # an empty table cannot be swept

    def _declared(self, term: Term) -> set[int]:
        """The values that a knock may give an unseen matta so that it can do what a term asks for."""
        coming = self.now.coming
        return declared_values(coming, self._good(term)) if midhand.could_knock(coming, term.who[0]) else set()

    # -------------------------------------------------------------------------------- counted

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        places = {term: self.place(term) for term in terms}
        hidden = {term: place for term, place in places.items() if self.holdings[place].hidden}
        constraints, players = self.now.constraints, range(self.now.rules.players)
        known = [one for one in constraints.conditions if one.places & ~1] if constraints else []
        others = sum(1 << 1 + seat for seat in players)
        if constraints and (constraints.holdings or any(one.places & ~others for one in known)):
            return None  # conditions on other places than holdings of now, or on what no count says
        conditions = [(tuple(seat for seat in players if one.places >> 1 + seat & 1), one) for one in known]
        constrained = [(self.now.coming.stage, seat) for seats, _ in conditions for seat in seats]
        order = list(dict.fromkeys([*hidden.values(), *constrained]))
        if any(seat == STOCK for _, seat in order) and any(stage > self.now.stage for stage, _ in order):
            return None  # of which the stock consists
        sizes = [self.holdings[place].hidden for place in order]
        classes = self._classes(list(hidden), [condition for _, condition in conditions])
        try:
            sums = {f"make-up {at}": Placed(make_up(classes, size), (at,)) for at, size in enumerate(sizes)}
            for number, (seats, one) in enumerate(conditions):
                theirs = tuple(order.index((self.now.coming.stage, seat)) for seat in seats)
                sums[f"condition {number}"] = Placed(Sum(count_of(one.cards)), theirs)
            frame, ways = count_sums(self.now.unseen, sizes, sums, range(len(order)))
        except TooManyCasesError:
            return None
        columns = {}
        for term in terms:
            if term in hidden:
                at = order.index(hidden[term])
                masks, row = np.unique(frame[f"held {at}"].to_numpy(), return_inverse=True)
                columns[term.key] = pl.Series(self.column(term, sets_of(masks, sizes[at])))[row]
            else:
                constant = pl.Series(self.column(term, np.zeros((1, 0), np.uint8)))
                columns[term.key] = constant[np.zeros(len(ways), np.int64)]
        good = np.ones(len(ways), np.bool_)
        for number, (_, one) in enumerate(conditions):
            good &= frame[f"condition {number}"].is_between(one.low, one.high).to_numpy()
        return Cases.weighted(pl.DataFrame(columns), ways).filter(good)

    def _classes(self, terms: Sequence[Term], conditions: Sequence[Condition]) -> Classes:
        """The unseen cards in classes that all terms and conditions treat alike."""
        rules, masks, sums = self.now.rules, [one.cards for one in conditions], list[Sum]()
        ranks = every = False
        for term in terms:
            if term.function.space == "turn":
                masks.append(self._good(term))
                ranks |= bool(self._declared(term))
            elif (feature := sum_of_set(rules, feature_name(term))) is not None:
                sums.append(feature.sum(rules))
            else:
                every |= term.name in ("cards", "suits")
                ranks = True
        masks += [matta_mask(rules)] if ranks else []

        def apart(card: int) -> tuple[int, ...]:
            return (card % 10 if ranks else 0, card if every else 0, *(mask >> card & 1 for mask in masks))

        return classes_of(self.now.unseen, sums, apart)

    # -------------------------------------------------------------------------------- dealt

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        dealt = deal_unseen(self.now, seed, first, number)
        each = {term: self.holdings[self.place(term)] for term in terms}
        columns = {
            term.key: self.column(term, dealt[:, one.begins : one.begins + one.hidden]) for term, one in each.items()
        }
        return Cases.simulated(columns, first, number)

    # -------------------------------------------------------------------------------- remarks

    def remarks(self, terms: Sequence[Term]) -> list[Message]:
        """What a reader should know besides the answer: how many cards the others hold, and which cards will do."""
        names, held = seen_from(self.now.rules, self.now.seat), self.now.coming.held
        each = [Message("{who} {number}", Message(names[seat]), held[seat]) for seat in self._in_turn[:-1]]
        lines, unseen = [Message("Cards held: {held}.", each)], self.now.unseen.bit_count()
        if len({(term.name, term.cards) for term in terms}) != 1 or terms[0].function.space != "turn":
            return [*lines, Message("{unseen} cards are unseen.", unseen)]
        good = pack.texts(self._good(terms[0]) & self.now.unseen)
        named = f": {' '.join(good)}" if good else ""
        lines.append(Message("{number} of {unseen} unseen cards will do{named}.", len(good), unseen, named))
        values = set().union(*map(self._declared, terms))
        if values:
            worth = alternatives(sorted(values))
            lines.append(
                Message("So will the matta, {matta}, when a knock makes it {worth}.", self.now.rules.matta, worth)
            )
        return lines
