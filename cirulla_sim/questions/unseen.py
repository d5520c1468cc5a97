"""The space of the next plays in mid-hand: what other players hold or are dealt of the cards that I cannot see.

Cards that the person asking neither holds nor sees nor remembers as gone are unseen, and every way of dealing them is
equally likely: what the others' plays and knocks (or the lack of them) reveal is not used, except for cards shown.
Cards that every term treats alike count as one class; what is counted is how many of each class a player holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core import cards as pack
from ..core.errors import InputError
from ..engine.hand_in_play import deal_unseen
from ..exact import midhand
from ..exact.features import HOLDING, HOLDS, PATTERN, RANK_NAMES, SUIT_NAMES
from ..exact.first_deal import HOLDING_SIZE
from ..exact.midhand import hidden_cards
from ..situation.constraints import Condition
from ..situation.information_set import InformationSet, NextPlayers, declared_values
from ..situation.people import seen_from
from .cases import Cases, OfDeals, Sample, equal_once
from .dealt import feature_name, of_cards
from .terms import TABLE, Term
from .vocabulary import cards_counted

Sets = NDArray[np.uint8]
Place = tuple[int, int]
"""A stage and a seat, from 0."""

_OF_RANKS = (
    "barsega", "barsegon", "misci", "bonus", "bonus_points", "low", "triple", "contains_low", "contains_triple",
    "total", "best_total", "most_equal", "ranks",
)  # fmt: skip
"""Functions of cards that depend on all ranks."""


@dataclass(frozen=True, eq=False)
class UnseenCards(OfDeals):
    """Every way of dealing the cards that the person asking does not see."""

    now: InformationSet
    per = "position"
    trial = "every way of dealing the cards not seen"

    @cached_property
    def _next(self) -> NextPlayers:
        return self.now.followers()

    @cached_property
    def _me(self) -> int:
        return self.now.field("seat")

    @cached_property
    def _stage(self) -> int:
        """The stage whose cards are held now, or dealt next where nobody holds any."""
        stage = self.now.field("stage")
        return stage if any(self.now.by_seat("held")) else stage + 1

    def place(self, term: Term) -> Place:
        """The holding that a term is about; raises ``InputError`` for one of another stage."""
        stage = term.stages[0] if term.stages else self._stage
        if not self._stage <= stage < len(self.now.rules.deal_plan):
            raise InputError(f"{term.name}: this position is of stage {self._stage + 1} (valid: that stage, or later)")
        return stage, term.who[0]

    def _size(self, place: Place) -> int:
        """How many unseen cards lie in a place."""
        stage, seat = place
        if stage > self._stage or (seat == self._me and not any(self.now.by_seat("held"))):
            return self.now.rules.deal_plan[stage]
        return 0 if seat == self._me else self._next.hidden[self._turn(seat)]

    def _turn(self, seat: int) -> int:
        """Whose turn a seat has after the person asking, from 0 for the next."""
        return (seat - self._me - 1) % self.now.rules.players

    def known(self, place: Place) -> int:
        """The mask of the cards in a place that are seen."""
        stage, seat = place
        if stage > self._stage:
            return 0
        return self.now.field("holding") if seat == self._me else self._next.shown[self._turn(seat)]

    # -------------------------------------------------------------------------------- terms

    def column(self, term: Term, hidden: Sets) -> Any:
        """The values of a term for some hidden cards of its place, uint8[n, size]."""
        if term.function.space == "turn":
            # Where a player with these hidden cards can make a capture that a term asks for
            seat = term.who[0]
            player = None if seat == self._me else self._turn(seat)
            return midhand.can_take(self._next, self._good(term), player, self.known((self._stage, seat)), hidden)
        rules, on_table = self.now.rules, term.who[0] == TABLE
        known = self.now.field("table") if on_table else self.known(self.place(term))
        seen = np.array([card for card in range(40) if known >> card & 1], np.uint8)
        held = np.concatenate([hidden, np.broadcast_to(seen, (len(hidden), len(seen)))], axis=1)
        name = feature_name(term)
        if not (name in HOLDING or name.startswith(HOLDS)) or (
            held.shape[1] != HOLDING_SIZE and name not in PATTERN and not name.startswith("holds:")
        ):
            raise InputError(
                f"{term.name} is of three cards, and {held.shape[1]} are held (valid: sevens, holds, total)"
            )
        if held.shape[1] < HOLDING_SIZE and name in ("barsega", "barsegon", "misci", "bonus", "bonus_points"):
            later = f"{name}(me, stage {self._stage + 2})" if self._stage + 1 < len(rules.deal_plan) else "sevens(next)"
            raise InputError(f"{name} is of three cards or more, and {held.shape[1]} are held (valid: {later})")
        return of_cards(rules, name, held)

    def _good(self, term: Term) -> int:
        position = self._next
        target = position.table if term.name in ("can_sweep", "can_score") else term.cards
        if target & ~position.table:
            name = pack.texts(target & ~position.table)[0]
            raise InputError(
                f"can_capture: {name} does not lie on the table and cannot be taken (valid: a card on the table; "
                f"'holds(next, {name})' asks who holds it)"
            )
        takers, scorers = midhand.takers(position.rules, position.table, target, position.matta_value)
        return scorers if term.name == "can_score" else takers

    def _declared(self, term: Term) -> set[int]:
        """The values that a knock may give an unseen matta so that it can do what a term asks for."""
        seat = term.who[0]
        if seat == self._me or not midhand.may_knock(self._next, self._turn(seat)):
            return set()
        return declared_values(self._next, self._good(term))

    # -------------------------------------------------------------------------------- counted

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        places = {term: None if term.who[0] == TABLE else self.place(term) for term in terms}
        hidden = {term: place for term, place in places.items() if place is not None and self._size(place)}
        conditions = self._conditions()
        if conditions is None:
            return None
        constrained = [(self._stage, seat) for seats, _ in conditions for seat in seats]
        order = list(dict.fromkeys([*hidden.values(), *constrained]))
        classes = self._classes(list(hidden), [condition for _, condition in conditions])
        by_number = [(tuple(order.index((self._stage, seat)) for seat in seats), one) for seats, one in conditions]
        cases = hidden_cards(classes, {i: self._size(place) for i, place in enumerate(order)}, by_number)
        if cases is None:
            return None
        columns = {}
        for term in terms:
            if term in hidden:
                player = order.index(hidden[term])
                columns[term.key] = pl.Series(self.column(term, cases.holdings[player]))[cases.rows[player]]
            else:
                constant = pl.Series(self.column(term, np.zeros((1, 0), np.uint8)))
                columns[term.key] = constant[np.zeros(len(cases.weights), np.int64)]
        return equal_once(pl.DataFrame(columns), cases.weights)

    def _conditions(self) -> list[tuple[tuple[int, ...], Condition]] | None:
        """The conditions on the unseen cards, with the seats that they are about; None where they are of others."""
        constraints, players = self.now.constraints, self.now.rules.players
        if constraints is None:
            return []
        conditions = [one for one in constraints.conditions if one.places & ~1]
        seats = [tuple(seat for seat in range(players) if one.places >> 1 + seat & 1) for one in conditions]
        others = sum(1 << 1 + seat for seat in range(players))
        if constraints.holdings or any(one.places & ~others for one in conditions):
            return None
        return list(zip(seats, conditions, strict=True))

    def _classes(self, terms: Sequence[Term], conditions: Sequence[Condition]) -> list[list[int]]:
        """The unseen cards in classes that all terms and conditions treat alike."""
        rules, masks, suits = self.now.rules, [one.cards for one in conditions], False
        ranks = every = False
        for term in terms:
            ranks |= term.name in _OF_RANKS or (term.function.space == "turn" and bool(self._declared(term)))
            every |= term.name in ("cards", "suits")
            suits |= term.name in SUIT_NAMES
            masks.append(self._good(term) if term.function.space == "turn" else term.cards)
            masks += [1 << pack.SETTEBELLO] if term.name == "settebello" else []
            masks += [cards_counted(term.name)] if term.name in RANK_NAMES else []
        matta = 1 << pack.parse(rules.matta) if rules.matta is not None else 0
        masks += [matta] if ranks or any(term.name == "matta" for term in terms) else []
        by_key: dict[tuple[Any, ...], list[int]] = {}
        for card in (card for card in range(40) if self.now.unseen >> card & 1):
            alike = (card % 10 if ranks else 0, card // 10 if suits else 0, card if every else 0)
            by_key.setdefault((alike, tuple(mask >> card & 1 for mask in masks)), []).append(card)
        return list(by_key.values())

    # -------------------------------------------------------------------------------- dealt

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        dealt = deal_unseen(self.now, seed, first, number)
        at = dict(self._slices())
        none = np.zeros((number, 0), np.uint8)
        columns = {}
        for term in terms:
            place = None if term.who[0] == TABLE else self.place(term)
            begins = 0 if place is None else at.get(place, 0)
            hidden = none if place is None else dealt[:, begins : begins + self._size(place)]
            columns[term.key] = self.column(term, hidden)
        return Sample(pl.DataFrame(columns), np.arange(first, first + number))

    def _slices(self) -> Iterator[tuple[Place, int]]:
        """Where in the unseen cards, dealt in turn, each holding begins: hidden cards first, then later stages."""
        begins, players = 0, self.now.rules.players
        for stage in range(self._stage, len(self.now.rules.deal_plan)):
            for turn in range(players):
                place = stage, (self._me + 1 + turn) % players
                yield place, begins
                begins += self._size(place)

    # -------------------------------------------------------------------------------- remarks

    def remarks(self, terms: Sequence[Term]) -> list[str]:
        """What a reader should know besides the answer: how many cards the others hold, and which cards will do."""
        names = seen_from(self.now.rules, self._me)
        held = ", ".join(
            f"{names[(self._me + 1 + turn) % self.now.rules.players]} {number}"
            for turn, number in enumerate(self._next.held)
        )
        lines = [f"Cards held: {held}."]
        if len({(term.name, term.cards) for term in terms}) != 1 or terms[0].function.space != "turn":
            return [*lines, f"{self.now.unseen.bit_count()} cards are unseen."]
        good = pack.texts(self._good(terms[0]) & self.now.unseen)
        lines.append(f"{len(good)} of {self.now.unseen.bit_count()} unseen cards will do{': ' if good else ''}"
                     f"{' '.join(good)}.")  # fmt: skip
        values = set().union(*map(self._declared, terms))
        if values:
            worth = " or ".join(str(value) for value in sorted(values))
            lines.append(f"So will the matta, {self.now.rules.matta}, when a knock makes it {worth}.")
        return lines
