"""What the seat to play knows, as policies get it, and what it may choose.

An ``InformationSet`` holds a view (``kernel.players.view.VIEW``) and so nothing that the seat cannot know. It is of the
moment before the seat shows a set: a ``TurnChoice`` is of the sets to show, with what the matta becomes, and of the
play after it.

>>> from cirulla_sim.ruleset.presets import build
>>> from cirulla_sim.situation.notation import Situation
>>> from cirulla_sim.situation.positions import read_position
>>> now = read_position(build("cirulla"), Situation.parse("table: Ad 5c; me: 7h 3c 4d; i am: third")).first
>>> [now.in_words(choice) for choice in now.choices()][:2]
['show nothing: leave 7h', 'show nothing: leave 4d']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.cards import VALUES, members, parse
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from .constraints import DealConstraints
from .plays import TurnChoice, captured, card_of, cards_shown, described, matta_shown, points_shown, words_of

NOBODY = 255
_KEY = (1 << 40) - 1

MOST_SHOWS = 300
"""Ways to show sets that ``choices`` lists; only of several sets at once there are more: then those worth most."""


@dataclass(frozen=True)
class NextPlayers:
    """The following players as a seat knows them; the sets of cards are 40-bit masks.

    ``seen`` are the cards gone. ``held`` says how many cards each of the following players holds, the next one first,
    and ``shown`` which they have shown. ``matta_value`` is what the matta counts at present, 0 where there is none.
    """

    rules: Rules
    table: int
    holding: int
    seen: int
    held: tuple[int, ...]
    shown: tuple[int, ...]
    matta_value: int

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in any other holding or in the stock."""
        return ~reduce(or_, self.shown, self.table | self.holding | self.seen) & (1 << 40) - 1

    @property
    def hidden(self) -> tuple[int, ...]:
        """How many cards that were not shown each following player holds."""
        return tuple(held - shown.bit_count() for held, shown in zip(self.held, self.shown, strict=True))


def declared_values(after: NextPlayers, good: int) -> set[int]:
    """The values, other than its own, that make an unseen matta a good card when a knock gives it one of them.

    A player who shows it at its first turn of the stage plays it with the value declared (000, Bonuses).
    """
    rules = after.rules
    matta = None if rules.matta is None else parse(rules.matta)
    if matta is None or not after.unseen & ~good & 1 << matta or not rules.hand_bonuses:
        return set()
    return {VALUES[card] for card in members(good) if card != matta and VALUES[card] != VALUES[matta]}


# ------------------------------------------------------------------------------------------------ situations


@dataclass(frozen=True, eq=False)
class InformationSet:
    """What a seat knows before it shows anything at its turn: the seat to play unless a position says otherwise.

    ``view`` is an array of one ``kernel.players.view.VIEW``; its points are without sets not shown yet. ``unowned`` and
    ``forgotten`` are what the seat does not remember: the mask of cards gone of which it does not know who captured
    them, and the number of unseen cards that are gone. ``constraints`` are those on the unseen cards, see
    ``positions.constrained``. ``sets_shown`` are the masks, by seat, of the cards that each has shown in this stage,
    played or not. With ``decided`` the seat shows nothing more at this turn.
    """

    rules: Rules
    view: NDArray[Any]
    unowned: int = 0
    forgotten: int = 0
    constraints: DealConstraints | None = None
    sets_shown: tuple[int, ...] = ()
    decided: bool = False

    def plays(self) -> tuple[int, ...]:
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
        shown = np.uint64(self.shown | self.by_seat("first")[self.field("seat")])
        return tuple(words[: int(list_shows(flat_rules(self.rules), self.view, shown, scratch, words))].tolist())

    @cached_property
    def shows(self) -> tuple[tuple[int, ...], ...]:
        """All that the seat may show now: nothing, if the rules let it wait, one set, or several where it may.

        Several sets can be shown at once where shown cards need not be played before others.
        """
        together = 1 if self.rules.bonus_cards_first else max(1, self.field("holding").bit_count() // 3)
        listed = [show for number in range(1, together + 1) for show in _disjoint(self.sets, number)]
        if self.rules.show_bonus == "at_once" and listed:
            return tuple(show for show in listed if len(show) == together or not self._could_add(show))
        return ((), *listed)

    def _could_add(self, show: tuple[int, ...]) -> bool:
        return any(not word >> 8 & _KEY & cards_shown(show) for word in self.sets)

    @cached_property
    def _choices(self) -> tuple[TurnChoice, ...]:
        shows = self.shows
        if len(shows) > MOST_SHOWS:
            shows = tuple(sorted(shows, key=points_shown, reverse=True)[:MOST_SHOWS])
        return tuple(TurnChoice(show, play) for show in shows for play in self.after_show(show).plays())

    def choices(self) -> tuple[TurnChoice, ...]:
        """Every choice of the turn: for all that the seat may show, every play that is legal then."""
        return self._choices

    def after_show(self, show: tuple[int, ...]) -> InformationSet:
        """The same when the seat has shown some sets and has only its play to choose."""
        view = self.view.copy()
        row, mask, seat = view[0], cards_shown(show), self.field("seat")
        sets = list(self.sets_shown or (0,) * self.rules.players)
        sets[seat] |= mask
        row["points"][self.side] += points_shown(show)
        if matta_shown(show):
            row["matta_value"] = matta_shown(show)
        if mask and self.rules.bonus_cards_first and self.rules.deal_plan[self.field("stage")] > 3:
            row["first"][seat] = row["allowed"] = mask
        return replace(self, view=view, sets_shown=tuple(sets), decided=True)

    def in_words(self, choice: TurnChoice) -> Message:
        """A choice in words: ``knock with 7h 3c 4d, the matta as 2: 3c takes 5c``, or ``leave 2s`` without sets."""
        return words_of(described(choice, bool(self.sets)))

    def field(self, name: str) -> int:
        """A number of the view."""
        return int(self.view[0][name])

    def by_seat(self, name: str) -> tuple[int, ...]:
        """Numbers of the view, by seat or side."""
        return tuple(int(number) for number in self.view[0][name])

    @property
    def shown(self) -> int:
        """The mask of the cards that the seat holds and has shown in this stage."""
        return self.sets_shown[self.field("seat")] & self.field("holding") if self.sets_shown else 0

    @property
    def number_of_plays(self) -> int:
        """How many plays have been made in the hand."""
        return 40 - self.rules.table_cards - self.field("plays_left")

    @property
    def to_play(self) -> int:
        """The seat whose turn it is: the one that knows this, unless it has just played."""
        return self.number_of_plays % self.rules.players

    @property
    def side(self) -> int:
        """The side of the seat that knows this."""
        return self.rules.side(self.field("seat"))

    def all_holdings(self) -> tuple[int, ...] | None:
        """All holdings, by seat, where what is unseen can only be in one of them; else None."""
        if self.field("stock") or self.unowned or self.forgotten:
            return None
        seat, held, shown = self.field("seat"), self.by_seat("held"), list(self.by_seat("shown"))
        shown[seat] = self.field("holding")
        hidden = [other for other in range(self.rules.players) if held[other] > shown[other].bit_count()]
        if len(hidden) > 1:
            return None
        for other in hidden:
            shown[other] |= self.unseen
        return tuple(shown[: self.rules.players])

    @property
    def unseen(self) -> int:
        """The mask of the cards that may be in other holdings or in the stock."""
        seen = self.field("holding") | self.field("table") | self._gone
        return ~reduce(or_, self.by_seat("shown"), seen) & _KEY

    @property
    def read(self) -> int:
        """How many plays of the stage, of others, give evidence of the cards that they still hold."""
        plays = self.by_seat("history")[: self.field("history_size")]
        return sum(seat % self.rules.players != self.field("seat") for seat, play in enumerate(plays) if play)

    def unread(self) -> InformationSet:
        """The same without the plays of the stage: every deal of the unseen cards is equally likely."""
        view = self.view.copy()
        view["history_size"] = 0
        return replace(self, view=view)

    def next_player(self, choice: TurnChoice) -> NextPlayers | None:
        """What is known when a choice has been made and the next player finds the table; None after the last play."""
        if self.field("plays_left") == 1:
            return None
        own, got, table = 1 << card_of(choice.play), captured(choice.play), self.field("table")
        return replace(
            self.followers(),
            rules=self.rules.at_play(self.number_of_plays + 1),
            table=table & ~got if got else table | own,
            holding=self.field("holding") & ~own,
            seen=self._gone | (got | own if got else 0),
            matta_value=matta_shown(choice.show) or self.field("matta_value"),
        )

    def followers(self) -> NextPlayers:
        """What the other players find, with the table as it is; after the end of a stage, with the next cards dealt."""
        rules, me = self.rules, self.field("seat")
        order = [(me + k) % rules.players for k in range(1, rules.players)]
        held, shown = self.by_seat("held"), self.by_seat("shown")
        counts = tuple(held[seat] for seat in order)
        if not any(counts) and self.field("stage") + 1 < len(rules.deal_plan):
            counts = (rules.deal_plan[self.field("stage") + 1],) * len(order)
        return NextPlayers(
            rules, self.field("table"), self.field("holding"), self._gone, counts,
            tuple(shown[seat] for seat in order), self.field("matta_value"),
        )  # fmt: skip

    @property
    def _gone(self) -> int:
        """The mask of the cards that are known to be gone."""
        return reduce(or_, self.by_seat("pile"), self.unowned)


def _disjoint(sets: tuple[int, ...], number: int) -> Iterator[tuple[int, ...]]:
    """So many of some sets, in their order, no card in two of them."""
    for some in combinations(sets, number):
        if cards_shown(some).bit_count() == 3 * number:
            yield some


def make_view(rules: Rules, fields: dict[str, Any]) -> NDArray[Any]:
    """An array of one ``VIEW`` with these fields; those that follow from the rules and the others are added."""
    from ..kernel.players.view import new_view

    seat, stage, turn = fields["seat"], fields["stage"], fields["turn"]
    plays = rules.players * (sum(rules.deal_plan[:stage]) + turn) + seat
    left = fields.get("plays_left", 40 - rules.table_cards - plays)
    first = fields.get("first", (0,) * rules.players)
    derived = {
        "players": rules.players,
        "sides": rules.sides,
        "side": rules.side(seat),
        "plays_left": left,
        "stock": left - sum(fields["held"]),
        "allowed": first[seat] or fields["holding"],
        "may_show": int(rules.hand_bonuses and rules.bonus_cards_first and rules.deal_plan[stage] > 3),
    }
    view = new_view()
    for name, value in (fields | derived).items():
        if isinstance(value, tuple):
            view[0][name][: len(value)] = value
        else:
            view[0][name] = value
    return view


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


def could_have_shown(rules: Rules, stage: int, plays: int, other: int) -> bool:
    """Whether a seat that has shown no set could have shown one, after so many plays of a stage."""
    had_its_time = other < plays or rules.knock_timing != "turn"
    return rules.hand_bonuses and rules.deal_plan[stage] >= 3 and had_its_time


def matta_mask(rules: Rules) -> int:
    """The mask of the matta, 0 where there is none."""
    return 0 if rules.matta is None else 1 << cards.parse(rules.matta)
