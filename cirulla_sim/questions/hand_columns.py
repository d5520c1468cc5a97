"""Terms read from the notes of hands that were dealt, or played: a column for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..exact.features import KINDS, of_piles
from ..exact.sums import ALL, count_of
from ..ruleset.categories import FROM_PLAY
from ..ruleset.rules_model import Rules
from .cases import ON_THE_TABLE, card_place_of, feature_name, feature_values, size_of
from .vocabulary import STOCK, TABLE, Term, score_columns

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes

Column = Any  # an array with one entry a hand: bool, integer or text


def notes_of(term: Term) -> tuple[str, ...]:
    """The parts of ``Notes`` that a term is read from."""
    if card_place_of(term) is not None:
        return ("decks",)
    in_part = term.after is not None or (term.stages and term.function.group == "score")
    return *term.function.notes, *(("plays", "knocks") if in_part else ())


def points_ahead(rules: Rules, points: Sequence[Column], who: Sequence[int]) -> Column:
    """Points of some sides less the mean of the others'; where the fewest win, the points that they have fewer."""
    own = np.sum([points[side] for side in who], axis=0)
    others = [each for side, each in enumerate(points) if side not in who]
    return rules.pays * (own - (others[0] if len(others) == 1 else np.sum(others, axis=0) / len(others)))


class HandColumns:
    """The terms of some hands as columns, read from the notes of how they were played.

    ``seats``, ``stages`` and ``turns`` are the seat of each play, its stage and which of the cards of the seat in that
    stage it is, all from 0: int64[plays].
    """

    def __init__(self, rules: Rules, notes: Notes) -> None:
        self.rules, self.notes, players = rules, notes, rules.players
        self.seats: NDArray[np.int64] = np.arange(40 - rules.table_cards) % players
        self.stages: NDArray[np.int64] = np.repeat(np.arange(len(rules.deal_plan)), np.array(rules.deal_plan) * players)
        turns = [np.arange(size * players) // players for size in rules.deal_plan]
        self.turns: NDArray[np.int64] = np.concatenate(turns)

    @cached_property
    def plays(self) -> NDArray[np.uint64]:
        """Each play as a word of ``kernel.game.plays.word_of``: uint64[hands, plays]."""
        return self.notes.plays[:, : len(self.seats)]

    @cached_property
    def played(self) -> NDArray[np.uint64]:
        """The card of each play, as a mask, 0 for one before a position: uint64[hands, plays]."""
        return np.where(self.plays != 0, np.uint64(1) << (self.plays >> np.uint64(40) & np.uint64(63)), np.uint64(0))

    @cached_property
    def taken(self) -> NDArray[np.uint64]:
        """The cards that each play captures, with its own: masks, uint64[hands, plays]."""
        cards = self.plays & np.uint64(ALL)
        return np.where(cards != 0, cards | self.played, np.uint64(0))

    @cached_property
    def sweeping(self) -> NDArray[np.bool_]:
        """Which plays score a sweep: bool[hands, plays]."""
        return np.asarray((self.plays >> np.uint64(50) & np.uint64(1)) != 0)

    def column(self, term: Term) -> Column:
        """The values of a term: bool, integers or texts, one a hand; a method below gives those of no cards held."""
        if (place := card_place_of(term)) is not None:
            return self._held(term, *place)
        method, _, what = term.function.column.partition(" ")
        return getattr(self, method)(term, *filter(None, [what]))

    def deal(self, term: Term, column: str) -> Column:
        """A number that the kernel notes of each deal, by its name there; of some seats whether it is one of them."""
        from ..kernel.game import hand

        number = self.notes.deals[:, int(getattr(hand, column))].astype(np.int64)
        return np.isin(number, term.who) if term.who else number

    def _held(self, term: Term, stage: int, seat: int) -> Column:
        """A feature of the cards dealt to one place; of a deal order, in which the table comes first."""
        rules, size = self.rules, size_of(self.rules, (stage, seat))
        dealt = rules.table_cards + rules.players * sum(rules.deal_plan[:stage])
        at = 0 if seat == TABLE else dealt + (rules.players if seat == STOCK else seat) * rules.deal_plan[stage]
        cards = self.notes.decks[:, at : at + size]
        return feature_values(rules, feature_name(term), cards, (stage, seat) == ON_THE_TABLE)

    def sets(self, term: Term) -> Column:
        """How many sets are shown, or their points."""
        plan = self.rules.deal_plan
        stage_of_slot = np.repeat(np.arange(len(plan)), np.array(plan) // 3)
        slots = np.flatnonzero(np.isin(stage_of_slot, term.stages or range(len(plan))))
        words = self.notes.knocks[:, slots][:, :, list(term.who)]
        shown = np.isin(words >> np.uint64(4) & np.uint64(15), KINDS[term.detail]).astype(np.int64)
        points = (words >> np.uint64(48)).astype(np.int64) if term.name == "knock_points" else 1
        return (shown * points).sum(axis=(1, 2))

    def _meant(self, term: Term) -> NDArray[np.bool_]:
        """Which plays a term is about: bool[plays]."""
        meant = np.isin(self.seats, term.who) if term.who else np.ones(len(self.seats), np.bool_)
        meant &= np.isin(self.stages, term.stages) if term.stages else True
        return meant & (self.turns == term.turn) if term.turn is not None else meant

    def count(self, term: Term, what: str) -> Column:
        """How many plays are ``sweeping``, or ``capturing``, with the cards of a term if it names some."""
        flags = self.sweeping if what == "sweeping" else self.taken != 0
        flags = flags if not term.cards else flags & (self.played & np.uint64(term.cards) != 0)
        meant = self._meant(term)
        return np.count_nonzero(flags if meant.all() else flags[:, meant], axis=1)

    def cards(self, term: Term, what: str) -> Column:
        """How many of the cards of a term are ``taken``, or ``played``."""
        meant = self._meant(term)
        moved = self.taken if what == "taken" else self.played
        moved = np.where(self.sweeping[:, meant], moved[:, meant], np.uint64(0)) if term.by_sweep else moved[:, meant]
        return count_of(term.cards)(np.bitwise_or.reduce(moved, axis=1))

    def first(self, term: Term, what: str) -> Column:
        """Of the first capture of a card, or of any, its ``play`` or ``stage``, from 1, or whether a ``seat`` makes it.

        0 where there is none.
        """
        captures = self.taken & np.uint64(term.cards or ALL) != 0
        play, some = captures.argmax(axis=1), captures.any(axis=1)
        if what == "seat":
            return some & np.isin(self.seats[play], term.who)
        return np.where(some, (play if what == "play" else self.stages[play]) + 1, 0)

    def opening(self, _: Term) -> Column:
        """Whether the first card sweeps."""
        return self.sweeping[:, 0]

    def pile(self, term: Term) -> Column:
        """A feature of the pile of a side, or whether one of some sides, or nobody, wins a contest."""
        piles = self.notes.piles[:, : self.rules.sides].T
        each = [of_piles(self.rules, feature_name(term), [*piles[side:], *piles[:side]]) for side in term.who or (0,)]
        return each[0] if len(each) == 1 else np.any(each, axis=0)

    @cached_property
    def with_the_deal(self) -> NDArray[np.uint64]:
        """The table as it is dealt where the dealer takes it, else nothing: masks, uint64[hands]."""
        table = ~np.bitwise_or.reduce(self.played, axis=1) & np.uint64(ALL)
        return np.where(self.deal(Term(""), "TABLE_KIND") > 0, table, np.uint64(0))

    def left(self, term: Term) -> Column:
        """How many cards lie on the table after some stages, or at the end."""
        until = self.stages < (len(self.rules.deal_plan) if term.after is None else term.after)
        gone = np.bitwise_or.reduce(self.taken[:, until], axis=1) | self.with_the_deal
        table = ~(gone | np.bitwise_or.reduce(self.played[:, ~until], axis=1))
        return count_of(term.cards or ALL)(table)

    def leftovers(self, term: Term) -> Column:
        """The cards left at the end, of who captures last."""
        return np.where(self.deal(term, "LAST_CAPTURE"), self.left(Term("left")), 0)

    def captured(self, term: Term) -> Column:
        """Cards in a pile, or in it after some stages; what is left on the table is given at the end of the last."""
        if term.after is None or term.after == len(self.rules.deal_plan):
            return self.pile(term)
        seats = [self.rules.side(seat) == term.who[0] for seat in range(self.rules.players)]
        until = (self.stages < term.after) & np.array(seats)[self.seats]
        theirs = np.bitwise_or.reduce(self.taken[:, until], axis=1)
        theirs |= self.with_the_deal if self.rules.dealer_side == term.who[0] else np.uint64(0)
        return count_of(term.cards or ALL)(theirs)

    def decisive(self, _: Term) -> Column:
        """The play after which the winner leads for good; 0 is the deal, and the count of the piles comes last."""
        hands, plan = np.arange(len(self.plays)), np.array(self.rules.deal_plan)
        points = np.zeros((len(hands), len(self.seats) + 2, self.rules.sides), np.int64)
        points[:, 0] = self.score_columns("table_bonus")
        for play, seat in enumerate(self.seats):
            points[:, play + 1, self.rules.side(seat)] += self.sweeping[:, play] * self.rules.sweep_point
        for slot, stage in enumerate(np.repeat(np.arange(len(plan)), plan // 3)):
            for seat in range(self.rules.players):
                [own] = np.nonzero((self.seats == seat) & (self.stages == stage))
                word = self.notes.knocks[:, slot, seat]
                first = (self.played[:, own] & (word >> np.uint64(8))[:, None] != 0).argmax(axis=1)
                turn = first if self.rules.bonus_cards_first else 0 * first
                points[hands, own[turn] + 1, self.rules.side(seat)] += (word >> np.uint64(48)).astype(np.int64)
        standing = points.cumsum(axis=1)
        standing[:, -1] = self.score_columns("total")
        ahead = standing == standing.max(axis=2, keepdims=True)
        leads = ahead & (ahead.sum(axis=2, keepdims=True) == 1)
        won = self.score_columns("wins") > 0
        behind = ~(leads & won[:, None]).any(axis=2)
        return np.where(won.any(axis=1), behind.shape[1] - behind[:, ::-1].argmax(axis=1), 0) * behind.any(axis=1)

    # -------------------------------------------------------------------------------- score

    def score(self, column: str, sides: Sequence[int]) -> Column:
        """A column of the score added up over some sides: int64[hands]."""
        return self.score_columns(column)[:, list(sides)].sum(axis=1)

    def score_columns(self, column: str) -> NDArray[np.int64]:
        """A column of the score of each side: int64[hands, sides]."""
        from ..kernel.game.scoring import COLUMN

        return self.notes.scores[:, : self.rules.sides, COLUMN[column]].astype(np.int64)

    def points(self, term: Term) -> Column:
        columns = score_columns(self.rules, term.detail)
        stages = term.stages if term.after is None else tuple(range(term.after))
        points = np.zeros(len(self.notes.deals), np.int64)
        if not stages or (columns != ("total",) and term.detail not in FROM_PLAY):
            return sum((self.score(column, term.who) for column in columns), points)
        seats = tuple(seat for seat in range(self.rules.players) if self.rules.side(seat) in term.who)
        if term.detail in ("", "sweeps"):
            points += self.count(Term("sweeps", seats, stages), "sweeping") * self.rules.sweep_point
        if term.detail in ("", "knocks"):
            points += self.sets(Term("knock_points", seats, stages))
        if term.detail in ("", "table") and term.after is not None:
            points += self.score("table_bonus", term.who)
        return points

    def margin(self, term: Term) -> Column:
        each = [self.points(replace(term, who=(side,))) for side in range(self.rules.sides)]
        return points_ahead(self.rules, each, term.who)

    def outcome(self, term: Term) -> Column:
        """Whether one of some sides wins the hand, or a contest; about nobody, whether no side does."""
        if term.detail:
            return self.pile(term)
        wins = self.score("wins", term.who or range(self.rules.sides))
        return wins > 0 if term.who else wins == 0
