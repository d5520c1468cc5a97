"""The terms of a hand read from the notes of hands as they were played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..exact.piles import ALL, CAPTURED, compared, contest, of_pile
from ..ruleset.rules_model import Rules
from .dealt import ON_THE_TABLE, feature_name, first_card, of_cards, place_of, size_of, sum_of_sets
from .terms import Term

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes

Column = Any  # an array with one entry a hand: bool, integer or text
Plays = NDArray[np.int64]
"""The number of a play of each hand, from 1, 0 for none: int64[hands]."""

_BITS = np.array([byte.bit_count() for byte in range(256)], np.int64)
_COLUMNS = {
    "": "total", "sweeps": "scope", "knocks": "hand_bonus", "table": "table_bonus",
    **{name: name for name in ("cards", "diamonds", "settebello", "primiera", "grande", "piccola")},
}  # fmt: skip
"""What the score calls the categories of points."""


def bits(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits are set in each word: int64 of the same shape."""
    return np.asarray(_BITS[np.ascontiguousarray(words)[..., None].view(np.uint8)].sum(axis=-1))


@dataclass(frozen=True)
class Happened:
    """The notes of some hands, and columns that several terms share."""

    rules: Rules
    notes: Notes

    # -------------------------------------------------------------------------------- plays

    @cached_property
    def seats(self) -> NDArray[np.int64]:
        """The seat of each play: int64[plays]."""
        return np.arange(40 - self.rules.table_cards) % self.rules.players

    @cached_property
    def stages(self) -> NDArray[np.int64]:
        """The stage of each play, from 0: int64[plays]."""
        return np.repeat(np.arange(len(self.rules.deal_plan)), np.array(self.rules.deal_plan) * self.rules.players)

    @cached_property
    def plays(self) -> NDArray[np.uint64]:
        """Each play as a word of ``kernel.plays.play_word``: uint64[hands, plays]."""
        return self.notes.plays[:, : len(self.seats)]

    @cached_property
    def played(self) -> NDArray[np.uint64]:
        """The card of each play, as a mask: uint64[hands, plays]."""
        return np.uint64(1) << (self.plays >> np.uint64(40) & np.uint64(63))

    @cached_property
    def taken(self) -> NDArray[np.uint64]:
        """The cards that each play captures, with its own: masks, uint64[hands, plays]."""
        cards = self.plays & np.uint64(ALL)
        return np.where(cards != 0, cards | self.played, np.uint64(0))

    @cached_property
    def sweeping(self) -> NDArray[np.bool_]:
        """Which plays score a sweep: bool[hands, plays]."""
        return np.asarray((self.plays >> np.uint64(50) & np.uint64(1)) != 0)

    @cached_property
    def capturing(self) -> NDArray[np.bool_]:
        """Which plays capture: bool[hands, plays]."""
        return np.asarray((self.plays << np.uint64(24)) != 0)

    @cached_property
    def last_capture(self) -> NDArray[np.int64]:
        """The seat that captured last, 255 for nobody: int64[hands]."""
        from ..kernel.game.hand import LAST_CAPTURE

        return self.notes.deals[:, int(LAST_CAPTURE)].astype(np.int64)

    def _meant(self, term: Term) -> NDArray[np.bool_]:
        """Which plays a term is about: bool[plays]."""
        seats = np.isin(self.seats, term.who) if term.who else np.ones(len(self.seats), np.bool_)
        return seats & np.isin(self.stages, term.stages) if term.stages else seats

    def _first(self, flags: NDArray[np.bool_]) -> Plays:
        return np.where(flags.any(axis=1), flags.argmax(axis=1) + 1, 0)

    def _taken_at(self, term: Term) -> Plays:
        return self._first(self.taken & np.uint64(term.cards) != 0)

    def _count(self, flags: NDArray[np.bool_], term: Term) -> Column:
        flags = flags if not term.cards else flags & (self.played & np.uint64(term.cards) != 0)
        meant = self._meant(term)
        return np.count_nonzero(flags if meant.all() else flags[:, meant], axis=1)

    def _takes(self, term: Term) -> Column:
        meant = self._meant(term)
        cards = self.taken[:, meant] & np.uint64(term.cards)
        if term.by_sweep:
            cards = np.where(self.sweeping[:, meant], cards, np.uint64(0))
        return bits(np.bitwise_or.reduce(cards, axis=1))

    def _leftovers(self, term: Term) -> Column:
        from ..kernel.game.hand import TABLE_KIND

        with_the_deal = np.where(self.notes.deals[:, int(TABLE_KIND)] > 0, self.rules.table_cards, 0)
        left = np.asarray(40 - bits(np.bitwise_or.reduce(self.taken, axis=1)) - with_the_deal)
        if len(term.who) == self.rules.players:
            return left
        return np.where(np.isin(self.last_capture, term.who), left, 0)

    def _first_capture(self, term: Term) -> Column:
        play = self._first(self.capturing)
        return (play > 0) & np.isin(self.seats[np.maximum(play, 1) - 1], term.who)

    # -------------------------------------------------------------------------------- score

    def score(self, column: str, sides: Sequence[int]) -> Column:
        """A column of the score added up over some sides: int64[hands]."""
        from ..kernel.game.scoring import COLUMN

        return self.notes.scores[:, list(sides), COLUMN[column]].sum(axis=1, dtype=np.int64)

    def _points(self, term: Term) -> Column:
        if term.after is None and not term.stages:
            return self.score(_COLUMNS[term.detail], term.who)
        stages = tuple(range(term.after)) if term.after is not None else term.stages
        seats = tuple(seat for seat in range(self.rules.players) if self.rules.side(seat) in term.who)
        points = np.zeros(len(self.notes.deals), np.int64)
        if term.detail in ("", "sweeps"):
            points += self._count(self.sweeping, Term("sweeps", seats, stages))
        if term.detail in ("", "knocks"):
            points += sum_of_sets(self.rules, self.notes.knocks, Term("knock_points", seats, stages))
        if term.detail in ("", "table") and term.after is not None:
            points += self.score("table_bonus", term.who)
        return points

    def _margin(self, term: Term) -> Column:
        """Points of a side less the mean of the others'."""
        own, each = self._points(Term("points", term.who, after=term.after)), self.rules.sides - 1
        others = tuple(side for side in range(self.rules.sides) if side not in term.who)
        theirs = self._points(Term("points", others, after=term.after))
        return own - theirs if each == 1 else own - theirs / each

    def _wins(self, term: Term) -> Column:
        if not term.detail:
            return self.score("wins", term.who) > 0
        return np.any([self._contest(term.detail, side, ties=False) for side in term.who], axis=0)

    def _ties(self, term: Term) -> Column:
        if not term.detail:
            return self.score("wins", range(self.rules.sides)) == 0
        return self._contest(term.detail, 0, ties=True)

    def _contest(self, category: str, side: int, ties: bool) -> Column:
        feature = compared(self.rules, category)
        if feature is None:
            return np.zeros(len(self.notes.piles), np.bool_)
        order = [side, *(other for other in range(self.rules.sides) if other != side)]
        return contest([of_pile(self.rules, feature, self.notes.piles[:, other]) for other in order], ties)

    # -------------------------------------------------------------------------------- all terms

    def column(self, term: Term) -> Column:
        """The values of a term: bool, integers or texts, one a hand."""
        place = place_of(term)
        if place is not None:
            at = first_card(self.rules, place)
            held = self.notes.decks[:, at : at + size_of(self.rules, place)]
            return of_cards(self.rules, feature_name(term), held, place == ON_THE_TABLE)
        if (feature := pile_feature_name(term)) is not None:
            return of_pile(self.rules, feature, self.notes.piles[:, term.who[0]])
        return _READ[term.name](self, term)

    def _misdeals(self, _: Term) -> Column:
        from ..kernel.game.hand import MISDEALT

        return self.notes.deals[:, int(MISDEALT)].astype(np.int64)

    def _stage_taken(self, term: Term) -> Column:
        play = self._taken_at(term)
        return np.where(play > 0, self.stages[np.maximum(play, 1) - 1] + 1, 0)


def pile_feature_name(term: Term) -> str | None:
    """What a term about one pile is called in ``exact.piles``; None for any other."""
    if term.name == "captured":
        return f"{CAPTURED}{term.cards or ALL}"
    return {"prime": f"prime:{term.detail}"}.get(term.name, term.name) if term.function.group == "pile" else None


def needs(term: Term) -> tuple[str, ...]:
    """The parts of ``Notes`` that a term is read from."""
    if place_of(term) is not None:
        return ("decks",)
    if term.name in ("points", "margin"):
        return ("plays", "knocks", "scores") if term.stages or term.after is not None else ("scores",)
    if term.name in ("wins", "ties"):
        return ("piles",) if term.detail else ("scores",)
    return {"play": ("plays",), "pile": ("piles",), "shown": ("knocks",)}.get(term.function.group, ())


_READ: dict[str, Callable[[Happened, Term], Column]] = {
    "misdeals": Happened._misdeals,
    "knocks": lambda hands, term: sum_of_sets(hands.rules, hands.notes.knocks, term),
    "knock_points": lambda hands, term: sum_of_sets(hands.rules, hands.notes.knocks, term),
    "sweeps": lambda hands, term: hands._count(hands.sweeping, term),
    "captures": lambda hands, term: hands._count(hands.capturing, term),
    "takes": Happened._takes,
    "when_taken": Happened._taken_at,
    "stage_taken": Happened._stage_taken,
    "first_capture": Happened._first_capture,
    "last_capture": lambda hands, term: np.isin(hands.last_capture, term.who),
    "first_capture_play": lambda hands, term: hands._first(hands.capturing),
    "first_card_sweeps": lambda hands, term: hands.sweeping[:, 0],
    "leftovers": Happened._leftovers,
    "points": Happened._points,
    "margin": Happened._margin,
    "wins": Happened._wins,
    "ties": Happened._ties,
}
