"""What the seat to play knows, as policies get it: from words (``position_text``) or records (``decision_points``).

A ``InformationSet`` holds a view (``kernel.players.view.VIEW``) and so nothing that the seat cannot know.

>>> from cirulla_sim.situation.position import PositionText
>>> from cirulla_sim.situation.position_text import read_situation
>>> from cirulla_sim.ruleset.presets import build
>>> now, assumed = read_situation(build("cirulla"), PositionText("Ad 5c 7h Kd", "7d 2s Jh"))
>>> [in_words(play) for play in now.plays()][:3]
['Jh takes 7h Ad', 'Jh takes 7h', '7d takes 7h Ad']
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .constraints import DealConstraints
from .position import Position

Words = NDArray[np.uint64]

NOBODY = 255
_KEY = (1 << 40) - 1


# ------------------------------------------------------------------------------------------------ plays


def card_of(play: int) -> int:
    """The index of the card of a play, a word as ``kernel.game.plays.play_word`` makes them."""
    return play >> 40 & 63


def captured(play: int) -> int:
    """The mask of the table cards a play captures, 0 where the card is left."""
    return play & _KEY


def is_sweep(play: int) -> bool:
    """Whether a play scores a scopa."""
    return bool(play >> 50 & 1)


def in_words(play: int) -> str:
    """A play in words: ``7d takes Ad 7h`` or ``leave 2s``."""
    card = cards.text(card_of(play))
    return f"{card} takes {' '.join(cards.texts(captured(play)))}" if captured(play) else f"leave {card}"


# ------------------------------------------------------------------------------------------------ situations


@dataclass(frozen=True, eq=False)
class InformationSet:
    """What a seat knows: the seat to play unless ``position_text`` allows another.

    ``view`` is an array of one ``kernel.players.view.VIEW``; the others are what the seat does not remember:
    ``unowned`` is the mask of cards gone of which it does not know who captured them, ``forgotten`` the number of
    unseen cards that are gone. ``constraints`` are those on the unseen cards, see ``unseen_cards``.
    """

    rules: Rules
    view: NDArray[Any]
    unowned: int = 0
    forgotten: int = 0
    constraints: DealConstraints | None = None

    @cached_property
    def _legal(self) -> Words:
        from ..kernel.entries.playouts_entry import list_legal
        from ..kernel.entries.states_entry import flat_rules
        from ..kernel.game.plays import MOST_PLAYS

        words = np.zeros(MOST_PLAYS, np.uint64)
        return words[: int(list_legal(flat_rules(self.rules), self.view, words))].copy()

    def plays(self) -> list[int]:
        """Every legal play, as words: the lowest card first, then its captures, then leaving it where that is free."""
        return [int(word) for word in self._legal]

    def field(self, name: str) -> int:
        """A number of the view."""
        return int(self.view[0][name])

    def by_seat(self, name: str) -> tuple[int, ...]:
        """Numbers of the view, by seat or side."""
        return tuple(int(number) for number in self.view[0][name])

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
        seen = self.field("holding") | self.field("table") | self.unowned
        for mask in (*self.by_seat("pile"), *self.by_seat("shown")):
            seen |= mask
        return ~seen & _KEY

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

    def next_player(self, play: int) -> Position | None:
        """What is known when a play has been made and the next player finds the table; None after the last play."""
        rules, seat = self.rules, self.field("seat")
        if self.field("plays_left") == 1:
            return None
        own = 1 << card_of(play)
        got = captured(play)
        order = [(seat + k) % rules.players for k in range(1, rules.players)]
        held, shown = self.by_seat("held"), self.by_seat("shown")
        counts = tuple(held[other] for other in order)
        if not any(counts):
            counts = (rules.deal_plan[self.field("stage") + 1],) * len(order)
        gone = self.unowned | (got | own if got else 0)
        for pile in self.by_seat("pile"):
            gone |= pile
        return Position(
            rules,
            table=self.field("table") & ~got if got else self.field("table") | own,
            holding=self.field("holding") & ~own,
            seen=gone,
            held=counts,
            shown=tuple(shown[other] for other in order),
            matta_value=self.field("matta_value"),
        )


def open_holdings(now: InformationSet) -> tuple[int, ...]:
    """All holdings, by seat, of a situation in which everybody's cards are shown.

    Raises ``InputError`` where somebody holds more than is shown.
    """
    held, shown = now.by_seat("held"), now.by_seat("shown")[: now.rules.players]
    for seat, mask in enumerate(shown):
        if mask.bit_count() != held[seat]:
            raise InputError(
                f"--hands has {mask.bit_count()} cards for seat {seat + 1}, who holds {held[seat]} when seat "
                f"{now.field('seat') + 1} is to play (valid: as many as you hold, or one less for who has played)"
            )
    return shown


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


def matta_mask(rules: Rules) -> int:
    """The mask of the matta, 0 where there is none."""
    return 0 if rules.matta is None else 1 << cards.parse(rules.matta)
