"""A hand in play: what lies where, as far as somebody knows it, what may be done and what comes of it.

A ``HandState`` is of the moment before the seat to play shows a set: a ``TurnChoice`` is of the sets to show, with what
the matta becomes, and of the play after it. With all cards known a hand is played from its deal to its score; a seat
sees a part of it, and plays on with what it knows.

>>> from cirulla_sim.ruleset.presets import build
>>> hand = HandState.begin(build("cirulla", players=2), cards.mask(cards.parse_many("Ad 5c Kh 3s")))
>>> hand = hand.deal(tuple(cards.mask(cards.parse_many(held)) for held in ("7h 3c 4d", "2h 6s Jd")))
>>> [str(hand.in_words(choice)) for choice in hand.legal][:2]
['show nothing: 7h takes 5c 3s', 'show nothing: 4d takes Ad 3s']
>>> after = hand.play(hand.legal[0])
>>> after.to_play, cards.texts(after.piles[0]), cards.texts(after.seen_by(0).known[1])
(1, ['7h', '5c', '3s'], [])
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.cards import VALUES, members, parse
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import scoring_of
from .constraints import DealConstraints
from .plays import (
    TurnChoice,
    captured,
    card_of,
    cards_shown,
    choice_record,
    is_scopa_play,
    matta_shown,
    points_shown,
    words_of,
)

NOBODY = 255

MOST_SHOWS = 300
"""Ways to show sets that ``legal`` lists; only of several sets at once there are more: then those worth most."""


@dataclass(frozen=True)
class HandState:
    """A hand in play, all of it or as one player knows it.

    Masks of cards are by seat or side, seats in the order of play. ``held`` are the numbers of cards that the seats
    hold, ``known`` those of their cards that are known; ``points`` are sweeps and bonuses so far. ``shows`` are the
    sets that each seat has shown in this stage, in order, played or not, and ``stage_plays`` the plays of the stage,
    words, 0 where one is not known; none where nothing is known of them.

    ``me`` is the player who knows this, None where all is known. ``unowned`` and ``forgotten`` are what that player
    does not remember: the mask of cards gone of which it does not know who captured them, and the number of unseen
    cards that are gone. ``constraints`` are those on the unseen cards, see ``positions.constrained``. With ``decided``
    the seat to play shows nothing more at this turn.
    """

    rules: Rules
    stage: int
    held: tuple[int, ...]
    known: tuple[int, ...]
    table: int
    piles: tuple[int, ...]
    points: tuple[int, ...]
    last_capture: int
    matta_value: int
    shows: tuple[tuple[int, ...], ...]
    stage_plays: tuple[int, ...] = ()
    me: int | None = None
    unowned: int = 0
    forgotten: int = 0
    constraints: DealConstraints | None = None
    decided: bool = False

    @classmethod
    def begin(cls, rules: Rules, table: int, bonus: int | None = None) -> HandState:
        """A hand before its first stage is dealt; with a ``bonus`` for the table, in points, it is the dealer's."""
        nothing, seats, dealer = (0,) * rules.sides, (0,) * rules.players, rules.dealer_side
        matta = VALUES[parse(rules.matta)] if rules.matta else 0
        if bonus is None:
            return cls(rules, -1, seats, seats, table, nothing, nothing, NOBODY, matta, ((),) * rules.players)
        piles, points = _changed(nothing, dealer, table), _changed(nothing, dealer, bonus)
        return cls(rules, -1, seats, seats, 0, piles, points, rules.players - 1, matta, ((),) * rules.players)

    @classmethod
    def at_turn(
        cls, rules: Rules, stage: int, plays: int, holding: int, table: int = 0, matta_value: int = 0
    ) -> HandState:
        """A hand after so many plays of a stage, of which the cards of the seat to play and the table are known."""
        size, nothing, seats = rules.deal_plan[stage], (0,) * rules.sides, range(rules.players)
        held = tuple(size - plays // rules.players - (seat < plays % rules.players) for seat in seats)
        known = _changed((0,) * rules.players, plays % rules.players, holding)
        return cls(rules, stage, held, known, table, nothing, nothing, NOBODY, matta_value, ((),) * rules.players)

    # ------------------------------------------------------------------------------------------------ how far it is

    @property
    def made(self) -> int:
        """How many plays have been made in the stage."""
        return self.rules.players * self.rules.deal_plan[self.stage] - sum(self.held)

    @property
    def to_play(self) -> int:
        """The seat whose turn it is."""
        return self.made % self.rules.players

    @property
    def turn(self) -> int:
        """How many rounds of the stage are over."""
        return self.made // self.rules.players

    @property
    def stock(self) -> int:
        """How many cards have not been dealt yet."""
        return self.rules.players * sum(self.rules.deal_plan[self.stage + 1 :])

    @property
    def plays_left(self) -> int:
        """How many plays the hand has left."""
        return sum(self.held) + self.stock

    @property
    def number_of_plays(self) -> int:
        """How many plays have been made in the hand."""
        return 40 - self.rules.table_cards - self.plays_left

    # ------------------------------------------------------------------------------------------------ what is known

    @property
    def seat(self) -> int:
        """The seat that knows this: the one to play where all is known."""
        return self.to_play if self.me is None else self.me

    @property
    def side(self) -> int:
        """The side of the seat that knows this."""
        return self.rules.side(self.seat)

    @property
    def holding(self) -> int:
        """The mask of the cards of the seat that knows this."""
        return self.known[self.seat]

    @property
    def sets_shown(self) -> tuple[int, ...]:
        """The masks of the cards that each seat has shown in this stage, played or not."""
        return tuple(map(sum, self.shows))

    @property
    def shown(self) -> int:
        """The mask of the cards that the seat holds and has shown in this stage."""
        return self.sets_shown[self.seat] & self.holding

    @property
    def first(self) -> tuple[int, ...]:
        """The masks of the cards shown that each seat must play before others."""
        if not self.rules.bonus_cards_first or self.rules.deal_plan[self.stage] <= 3:
            return (0,) * self.rules.players
        lying = ([mask & held for mask in masks] for masks, held in zip(self.shows, self.known, strict=True))
        return tuple(next(filter(None, masks), 0) for masks in lying)

    @property
    def knows_plays(self) -> bool:
        """Whether all plays of the stage are known."""
        return len(self.stage_plays) == self.made and all(self.stage_plays)

    @property
    def read(self) -> int:
        """How many plays of the stage, of others, give evidence of the cards that they still hold."""
        return sum(number % self.rules.players != self.seat for number, play in enumerate(self.stage_plays) if play)

    @property
    def gone(self) -> int:
        """The mask of the cards that are known to be gone."""
        return reduce(or_, self.piles, self.unowned)

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in other holdings or in the stock."""
        return ~reduce(or_, self.known, self.table | self.gone) & cards.ALL

    def all_holdings(self) -> tuple[int, ...] | None:
        """All holdings, by seat, where what is unseen can only be in one of them; else None."""
        if self.stock or self.unowned or self.forgotten:
            return None
        lacking = [held > known.bit_count() for held, known in zip(self.held, self.known, strict=True)]
        if sum(lacking) > 1:
            return None
        return tuple(known | self.unseen if lacks else known for known, lacks in zip(self.known, lacking, strict=True))

    def seen_by(self, seat: int | None = None) -> HandState:
        """The hand as a seat knows it, by default the one to play: its own cards and those that lie open to it."""
        me = self.to_play if seat is None else seat
        known = tuple(
            held if lies_open(self.rules, self.stage, other, me) else held & sum(self.shows[other])
            for other, held in enumerate(self.known)
        )
        return replace(self, me=me, known=known)

    @cached_property
    def view(self) -> NDArray[Any]:
        """What the seat knows as policies get it: an array of one ``kernel.players.view.VIEW``."""
        from ..kernel.players.view import VIEW

        rules, size, first = self.rules, self.rules.deal_plan[self.stage], self.first
        view, players = np.zeros(1, VIEW), range(self.rules.players)
        plays = [self.stage_plays[seat :: rules.players] for seat in players]
        fields: dict[str, int | Sequence[int]] = {
            "players": rules.players, "sides": rules.sides, "seat": self.seat, "side": self.side, "stage": self.stage,
            "turn": self.turn, "plays_left": self.plays_left, "stock": self.stock, "holding": self.holding,
            "allowed": first[self.seat] or self.holding, "table": self.table, "matta_value": self.matta_value,
            "last_capture": self.last_capture, "pile": self.piles, "points": self.points, "held": self.held,
            "shown": self.known, "first": first,
            "played": [cards.mask(card_of(play) for play in of_seat if play) for of_seat in plays],
            "declined": [self._has_declined(seat) for seat in players],
            "history_size": len(self.stage_plays), "history": self.stage_plays,
            "may_show": rules.hand_bonuses and rules.bonus_cards_first and size > 3,
        }  # fmt: skip
        for name, value in fields.items():
            if isinstance(value, int):
                view[0][name] = value
            else:
                view[0][name][: len(value)] = value
        return view

    def _has_declined(self, other: int) -> bool:
        """Whether a seat whose cards are not seen could have shown a set in the stage, and has shown none."""
        rules, size = self.rules, self.rules.deal_plan[self.stage]
        had_its_time = other < self.made or rules.knock_timing != "turn"
        could = rules.hand_bonuses and size >= 3 and had_its_time and not self.shows[other]
        certain = self.knows_plays or self.held[other] == size
        return could and certain and not lies_open(rules, self.stage, other, self.seat)

    # ------------------------------------------------------------------------------------------------ what may be done

    def legal_plays(self) -> tuple[int, ...]:
        """Every legal play without showing a set, as words.

        The lowest card first, then its captures, then leaving it where that is free.
        """
        from ..kernel.entries.choices import list_legal
        from ..kernel.entries.rules import flat_rules
        from ..kernel.game.plays import MOST_PLAYS

        words = np.zeros(MOST_PLAYS, np.uint64)
        return tuple(words[: int(list_legal(flat_rules(self.rules), self.view, words))].tolist())

    @cached_property
    def sets(self) -> tuple[int, ...]:
        """Every set that the seat may show now, with every value of the matta, as words; most points first."""
        if self.decided:
            return ()
        from ..kernel.entries.choices import list_shows
        from ..kernel.entries.rules import flat_rules
        from ..kernel.game.hand import CANDIDATES
        from ..kernel.players.knock import MOST_KNOCKS

        words, scratch = np.zeros(MOST_KNOCKS, np.uint64), np.zeros(CANDIDATES, np.uint64)
        number = list_shows(flat_rules(self.rules), self.view, np.uint64(self.shown), scratch, words)
        return tuple(words[: int(number)].tolist())

    @cached_property
    def legal_shows(self) -> tuple[tuple[int, ...], ...]:
        """All that the seat may show now: nothing, if the rules let it wait, one set, or several where it may.

        Several sets can be shown at once where shown cards need not be played before others.
        """
        together = 1 if self.rules.bonus_cards_first else max(1, self.holding.bit_count() // 3)
        listed = [
            show
            for number in range(1, together + 1)
            for show in combinations(self.sets, number)
            if cards_shown(show).bit_count() == 3 * number  # no card in two of them
        ]
        if self.rules.show_bonus == "at_once" and listed:
            shown = {show: cards_shown(show) for show in listed}
            could_add = (any(not cards_shown((word,)) & shown[show] for word in self.sets) for show in listed)
            return tuple(
                show for show, more in zip(listed, could_add, strict=True) if len(show) == together or not more
            )
        return ((), *listed)

    @cached_property
    def legal(self) -> tuple[TurnChoice, ...]:
        """Every choice of the turn: for all that the seat may show, every play that is legal then."""
        shows = self.legal_shows
        if len(shows) > MOST_SHOWS:
            shows = tuple(sorted(shows, key=points_shown, reverse=True)[:MOST_SHOWS])
        return tuple(TurnChoice(show, play) for show in shows for play in self.show(show).legal_plays())

    def in_words(self, choice: TurnChoice) -> Message:
        """A choice in words: ``knock with 7h 3c 4d, the matta as 2: 3c takes 5c``, or ``leave 2s`` without sets."""
        return words_of(choice_record(choice, bool(self.sets)))

    # ------------------------------------------------------------------------------------------------ what is done

    def deal(self, holdings: tuple[int, ...]) -> HandState:
        """The hand when the cards of the next stage have been dealt, masks of those known."""
        players, stage = self.rules.players, self.stage + 1
        return replace(
            self, stage=stage, held=(self.rules.deal_plan[stage],) * players, known=holdings, stage_plays=(),
            shows=((),) * players, matta_value=self._at_round(), decided=False,
        )  # fmt: skip

    def show(self, show: tuple[int, ...], seat: int | None = None) -> HandState:
        """The hand when the seat to play, or another, has shown some sets, words; what it shows is decided then."""
        seat = self.to_play if seat is None else seat
        side, masks = self.rules.side(seat), tuple(cards_shown((word,)) for word in show)
        return replace(
            self, shows=_changed(self.shows, seat, (*self.shows[seat], *masks)), decided=True,
            known=_changed(self.known, seat, reduce(or_, masks, self.known[seat])),
            points=_changed(self.points, side, self.points[side] + points_shown(show)),
            matta_value=matta_shown(show) or self.matta_value,
        )  # fmt: skip

    def play(self, choice: TurnChoice) -> HandState:
        """The hand after a choice of the seat to play; a stage is over when nobody holds a card."""
        now = self.show(choice.show) if choice.show else self
        own, got, seat, side = (
            1 << card_of(choice.play),
            captured(choice.play),
            now.to_play,
            now.rules.side(now.to_play),
        )
        after = replace(
            now, held=_changed(now.held, seat, now.held[seat] - 1), decided=False,
            known=_changed(now.known, seat, now.known[seat] & ~own),
            table=now.table & ~got if got else now.table | own,
            piles=_changed(now.piles, side, now.piles[side] | got | own) if got else now.piles,
            points=_changed(now.points, side, now.points[side] + is_scopa_play(choice.play) * now.rules.sweep_point),
            last_capture=seat if got else now.last_capture,
            stage_plays=(*now.stage_plays, choice.play) if len(now.stage_plays) == now.made else (),
        )  # fmt: skip
        return replace(after, matta_value=after._at_round()) if not after.to_play else after

    def _at_round(self) -> int:
        """The matta's value at the start of a round."""
        if self.rules.matta_on_table == "reverts" and self.table & matta_mask(self.rules):
            return VALUES[parse(self.rules.matta or "")]
        return self.matta_value

    def score(self, earned: Mapping[str, Sequence[int]] | None = None) -> Score | None:
        """The score of a hand played out, when who captured last has been given the table; None before that.

        ``earned`` are the points of each side by category that piles do not show: if it does not say, those of sweeps.
        """
        from ..kernel.entries.hands import play_on
        from ..kernel.entries.rules import flat_rules
        from ..kernel.game.captures import Table
        from ..kernel.game.hand import LAST_CAPTURE, work_type
        from ..kernel.game.plays import Moment
        from ..kernel.game.scoring import COLUMN

        if self.plays_left:
            return None
        [work], sides = work_type.zeros(), self.rules.sides
        work.deal[LAST_CAPTURE], work.pile[:sides] = self.last_capture, self.piles
        for name, points in ({"scope": self.points} if earned is None else earned).items():
            work.score[:sides, COLUMN[name]] = points
        end = Moment(len(self.rules.deal_plan), 0, 0, 0)
        play_on(flat_rules(self.rules), np.zeros(4, np.uint64), work, Table(self.table, 0, 0, 0), end, 1)
        return score_of(self.rules, work)

    # ------------------------------------------------------------------------------------------------ what comes next

    def hidden(self, seat: int) -> int:
        """The number of unseen cards that a seat holds."""
        return self.held[seat] - self.known[seat].bit_count()

    @property
    def coming(self) -> HandState:
        """The same with the next cards dealt, none of them known, where a stage is over and another follows."""
        is_over = not any(self.held) and self.stage + 1 < len(self.rules.deal_plan)
        return self.deal((0,) * self.rules.players) if is_over else self

    def after(self, choice: TurnChoice) -> HandState | None:
        """What the seat knows after a choice, at the turn of the next player; None after the last play.

        The rules are those of that play, see ``Rules.at_play``.
        """
        if self.plays_left == 1:
            return None
        after = replace(self, me=self.seat).play(choice).coming
        return replace(after, rules=self.rules.at_play(self.number_of_plays + 1))


class Score(NamedTuple):
    """The end of a hand: the masks of the piles, the points by category with their total, who won the game by it."""

    piles: tuple[int, ...]
    points: tuple[dict[str, int], ...]
    cappotto: int | None


def score_of(rules: Rules, work: Any) -> Score:
    """The score of the hand that was just played in the kernel's ``Work``."""
    from ..kernel.game.scoring import COLUMN

    rows = work.score[: rules.sides].tolist()
    columns = {category.key: category.column for category in scoring_of(rules)} | {"total": "total"}
    points = tuple({name: row[COLUMN[column]] for name, column in columns.items()} for row in rows)
    won = won_outright(rules, *(work.score[: rules.sides, COLUMN[name]] for name in ("total", "cappotto")))
    return Score(tuple(map(int, work.pile[: rules.sides])), points, int(won.argmax()) if won.any() else None)


def won_outright(rules: Rules, totals: NDArray[Any], cappotti: NDArray[Any]) -> NDArray[np.bool_]:
    """Which sides win the game by hands of these points and with all ten diamonds or not, bool[sides, ...].

    >>> won_outright(Rules(shutout=7), np.array([[7, 8], [0, 1]]), np.zeros((2, 2))).tolist()
    [[True, False], [False, False]]
    """
    to_nothing = (totals == totals.sum(axis=0)) & (totals >= (rules.shutout or math.inf))
    return np.asarray(to_nothing | (cappotti > 0) & (rules.all_diamonds == "wins"))


def _changed(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def declared_values(after: HandState, good: int) -> set[int]:
    """The values, other than its own, that make an unseen matta a good card when a knock gives it one of them.

    A player who shows it at its first turn of the stage plays it with the value declared (000, Bonuses).
    """
    rules = after.rules
    matta = None if rules.matta is None else parse(rules.matta)
    if matta is None or not after.unseen & ~good & 1 << matta or not rules.hand_bonuses:
        return set()
    return {VALUES[card] for card in members(good) if card != matta and VALUES[card] != VALUES[matta]}


def first_table(rules: Rules, table: int) -> tuple[str, int]:
    """What the rules do with a table as it is dealt, a mask: ``misdeal``, ``won`` or ``played``, and the dealer's set.

    The set is a word, 0 for none.
    """
    from ..kernel.entries.hands import MISDEAL, WON, treat_tables
    from ..kernel.entries.rules import flat_rules

    words = np.zeros(1, np.uint64)
    treat_tables(flat_rules(rules), np.array([table], np.uint64), words)
    kind = {MISDEAL: "misdeal", WON: "won"}.get(words[0], "played")
    return kind, int(words[0]) if kind == "played" else 0


def lies_open(rules: Rules, stage: int, other: int, me: int) -> bool:
    """Whether a seat sees the cards of another: its own, a partner's, or everybody's in the last stage."""
    last = rules.open_last_stage and stage + 1 == len(rules.deal_plan)
    return other == me or last or (rules.open_partners and rules.side(other) == rules.side(me))


def matta_mask(rules: Rules) -> int:
    """The mask of the matta, 0 where there is none."""
    return 0 if rules.matta is None else 1 << parse(rules.matta)
