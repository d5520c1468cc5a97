"""Questions in mid-hand: what can the next players do with the cards that I cannot see?

A position is what one seat knows when it has just played and the next player finds the table. Cards that it neither
holds nor sees nor remembers as gone are unseen, and every way of dealing them is taken to be equally likely: what the
others' plays and knocks (or the lack of them) reveal is not used, except for cards they have shown.

>>> from cirulla_sim.ruleset.presets import build
>>> from cirulla_sim.situation.notation import Situation
>>> from cirulla_sim.situation.positions import followers, read_position
>>> at = Situation.parse("table: 3c 5d; me: 7d Ks; to play: next; i am: first")
>>> answer(followers(read_position(build("cirulla", players=2), at).first), "sweep")["exact"].to_list()
['242/357']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import RANKS, mask, parse, texts
from ..core.errors import InputError, unknown
from ..engine.engines import Folded
from ..engine.rest_of_hand import deal_unseen
from ..engine.trials import shares
from ..exact import midhand
from ..exact.families import index_of
from ..exact.first_deal import HOLDING_SIZE, declarable, hand_bonus
from ..situation.information_set import InformationSet
from ..situation.next_players import NextPlayers, declared_values, next_deal
from ..situation.positions import followers
from ..storage.tables import empty_row, table
from .answers import chance_cells, exact_cells
from .cases import Dealing
from .compound import Compound, compound, is_compound
from .compound import chance as compound_chance
from .counting import Counted, Sums, Together

Dealt = NDArray[np.uint8]
Truth = NDArray[np.bool_]

QUESTIONS = {
    "sweep": "the player can take the whole table with one capture",
    "scopa": "the player can take the whole table and score a scopa (were it not the last card of the hand)",
    "capture": "the player can capture something",
    "settebello": "the player can take the seven of diamonds from the table",
    "takes CARD": "the player can take this card from the table, as 'takes Kd'",
    "ace": "the player holds an ace",
    "holds CARD": "the player holds this card, or one of this rank, as 'holds 7d' or 'holds 7'",
    "knock": "the next holding dealt to the player earns a bonus",
}
"""The questions about a position, each with a sentence."""


def is_question(text: str) -> bool:
    """Whether a text has the form of one of ``QUESTIONS``.

    >>> is_question("takes 7d"), is_question("sweep"), is_question("low"), is_question("ace = 1")
    (True, True, False, False)
    """
    words = text.split()
    forms = [form.split() for form in QUESTIONS]
    return any(words[:1] == form[:1] and len(words) == len(form) for form in forms)


_SAME_AS = {"settebello": "takes 7d", "ace": "holds A"}


def answer(position: NextPlayers, question: str) -> pl.DataFrame:
    """The exact chance for each following player, as a result table (see ``tables``); ``value`` is the player.

    Players are ``next``, ``partner`` or ``opposite``, and ``previous``; where there are several, ``others`` is at
    least one of them and in a partnership ``them`` at least one of the two, all with the table as it is. A knock has an
    answer for each player and for ``me``, since all are dealt new cards.

    Compound questions, with and, or, not, have an answer for each following player only.

    Raises ``InputError`` for a question that is none or makes no sense here.
    """
    question = " ".join(question.split())
    if is_compound(question):
        joined = _compound(position, question)
        answers = {place: _of_player(position, joined, i) for i, place in enumerate(position.names)}
    elif question == "knock":
        chance = midhand.knock(position.rules, position.unseen, next_deal(position))
        answers = dict.fromkeys((*position.names, "me"), chance)
    else:
        good = good_cards(position, question)
        answers = {name: _chance(position, good, who, _plays(question)) for name, who in _groups(position).items()}
    return table(_row(question, player) | exact_cells(chance) for player, chance in answers.items())


@dataclass(frozen=True, eq=False)
class NextPlays:
    """A question about the next plays: counted, and simulated by dealing the unseen cards.

    ``seats`` is what the person asking knows, for each place where they may sit. Where there are constraints on the
    unseen cards nothing is counted. Raises ``InputError`` as ``answer`` does.
    """

    seats: tuple[InformationSet, ...]
    question: str
    notes: tuple[str, ...] = ()

    subject = Dealing("every way of dealing the cards not seen")
    is_slow = False

    @property
    def from_any_seat(self) -> bool:
        return len(self.seats) > 1

    @cached_property
    def _positions(self) -> list[NextPlayers]:
        return [followers(now) for now in self.seats]

    def exact(self) -> list[pl.DataFrame | None]:
        if any(now.constraints is not None for now in self.seats):
            for position in self._positions:
                answer(position, self.question)
            return [None]
        answers = [answer(position, self.question).to_dicts() for position in self._positions]
        chances = {row["value"]: Fraction(0) for row in answers[0]}
        for row in (row for rows in answers for row in rows):
            chances[row["value"]] += Fraction(row["exact"]) / len(answers)
        return [table(_row(self.question, player) | exact_cells(chance) for player, chance in chances.items())]

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        """The number of deals of the unseen cards in which the answer is yes, by player."""
        yes: dict[str, Sums] = {}
        parts = zip(self.seats, self._positions, shares(first, number, len(self.seats)), strict=True)
        for now, position, (begins, deals) in parts:
            if deals:
                dealt = deal_unseen(now, seed, begins, deals)
                for name, where in _where(position, self.question, dealt).items():
                    yes[name] = yes.get(name, Sums()) + Sums(int(where.sum()))
        return Together((Counted(dict.fromkeys(yes, number), yes),)), None

    def estimates(self, which: Sequence[int], state: Folded[Together]) -> list[pl.DataFrame]:
        yes = state.tally.each[0].matching
        return [table(_row(self.question, who) | chance_cells(yes[who].count, state.done, True) for who in yes)]


def _compound(position: NextPlayers, question: str) -> Compound:
    """A compound question, whose parts are all about cards held or all about plays."""
    joined = compound(question)
    for part in joined.parts:
        if part == "knock":
            raise InputError(f"{question!r}: 'knock' is of the next deal and goes with nothing else (ask it alone)")
        good_cards(position, part)
    if len({_plays(part) for part in joined.parts}) > 1:
        raise InputError(
            f"{question!r} mixes what is held with what can be played "
            "(valid: as 'holds 7d and holds A', 'capture and not sweep')"
        )
    return joined


def _of_player(position: NextPlayers, joined: Compound, player: int) -> Fraction:
    """The exact chance that a question put together is true of one player."""

    def none(parts: Sequence[str]) -> Fraction:
        if not parts:
            return Fraction(1)
        good = 0
        for part in parts:
            good |= good_cards(position, part)
        return 1 - _chance(position, good, [player], _plays(parts[0]))

    return compound_chance(joined, none)


def _row(question: str, player: str) -> dict[str, Any]:
    named = {"quantity": question, "per": "position", "side": "all", "kind": "probability", "value": player}
    return empty_row() | named


def _groups(position: NextPlayers) -> dict[str, list[int]]:
    """Each following player, and where there are several the opponents and any of them."""
    players = {name: [i] for i, name in enumerate(position.names)}
    if position.rules.partnership:
        players["them"] = [0, 2]
    if len(position.held) > 1:
        players["others"] = list(range(len(position.held)))
    return players


def _where(position: NextPlayers, question: str, dealt: Dealt) -> dict[str, Truth]:
    """Where the answer is yes, by player, when the unseen cards are dealt in these orders."""
    players, start = position.names, sum(position.hidden)
    if is_compound(question):
        joined = _compound(position, question)
        parts = [_where(position, part, dealt) for part in joined.parts]
        return {
            player: np.asarray(joined.holds({f"part{i}": part[player] for i, part in enumerate(parts)}))
            for player in players
        }
    if question == "knock":
        size, earns = next_deal(position), hand_bonus(position.rules)[1] > 0
        return {
            name: _has_three(dealt[:, start + i * size :][:, :size], earns) for i, name in enumerate((*players, "me"))
        }
    can = []
    for player, size in enumerate(position.hidden):
        start -= size
        can.append(_can(position, question, player, dealt[:, start : start + size]))
    return {name: np.any([can[player] for player in group], axis=0) for name, group in _groups(position).items()}


def _can(position: NextPlayers, question: str, player: int, hidden: Dealt) -> Truth:
    """Where the answer is yes for a following player with these hidden cards."""
    rules, good, plays = position.rules, good_cards(position, question), _plays(question)
    shown = bool(position.shown[player] & good)
    if plays and rules.big_holdings and rules.bonus_cards_first and position.shown[player]:
        return np.full(len(hidden), shown)
    yes = _holds(hidden, good) | shown
    values = declared_values(position, good) if plays else set()
    if values and _may_knock(position, player):
        useful = np.asarray(declarable(rules)[:, [value - 1 for value in sorted(values)]].any(axis=1))
        yes |= _holds(hidden, 1 << parse(rules.matta or "")) & _has_three(hidden, useful)
    return yes


def _holds(holdings: Dealt, cards: int) -> Truth:
    """Which holdings have one of some cards, a 40-bit mask."""
    wanted = np.array([cards >> card & 1 for card in range(40)], np.bool_)
    return np.asarray(wanted[holdings].any(axis=1))


def _has_three(holdings: Dealt, wanted: Truth) -> Truth:
    """Which holdings have three cards of a kind of holding that is wanted, bool[9880]."""
    hits = np.zeros(len(holdings), np.bool_)
    for three in combinations(range(holdings.shape[1]), HOLDING_SIZE):
        hits |= wanted[index_of(np.sort(holdings[:, three], axis=1))]
    return hits


def _plays(question: str) -> bool:
    """Whether a question is about plays, not about cards held."""
    return not _spelled_out(question).startswith("holds")


def _spelled_out(question: str) -> str:
    """A question in the words it is short for."""
    return _SAME_AS.get(question, question)


def good_cards(position: NextPlayers, question: str) -> int:
    """The cards, a 40-bit mask, any of which in a holding makes the answer to a question yes.

    Raises ``InputError`` for a question that is none, and for cards that cannot be taken.
    """
    verb, _, rest = _spelled_out(question).partition(" ")
    if verb == "holds" and rest:
        return _cards_named(question, rest)
    target = {"sweep": position.table, "scopa": position.table, "capture": 0}.get(verb) if not rest else None
    if verb == "takes" and rest:
        target = 1 << _card(question, rest)
        if not target & position.table:
            raise InputError(
                f"{question!r}: {texts(target)[0]} does not lie on the table and cannot be taken "
                f"(valid: a card on the table; 'holds {texts(target)[0]}' asks who holds it)"
            )
    if target is None:
        raise unknown("question in mid-hand", question, QUESTIONS)
    takers, scorers = midhand.takers(position.rules, position.table, target, position.matta_value)
    return scorers if verb == "scopa" else takers


def _card(question: str, written: str) -> int:
    try:
        return parse(written)
    except InputError as error:
        raise InputError(f"{question!r}: {error}") from None


def _cards_named(question: str, written: str) -> int:
    """The mask of one card, or of the four of a rank given by its letter."""
    if len(written) == 1 and written.upper() in RANKS:
        return mask(range(RANKS.index(written.upper()), 40, 10))
    return 1 << _card(question, written)


def _chance(position: NextPlayers, good: int, players: Sequence[int], plays: bool) -> Fraction:
    """Chance that at least one of some following players has a good card, to play now if the question is of a play.

    From a big holding the cards shown must be played before the others (000, 001, 003: ``bonus_cards_first``).
    """
    rules, unseen = position.rules, position.unseen
    if any(position.shown[player] & good for player in players):
        return Fraction(1)
    bound = plays and rules.big_holdings and rules.bonus_cards_first
    free = [player for player in players if not (bound and position.shown[player])]
    hidden = [position.hidden[player] for player in free]
    values = declared_values(position, good) if plays else set()
    if not values:
        return midhand.some_can(unseen, good, hidden)
    matta = 1 << parse(rules.matta or "")
    bad = unseen & ~good & ~matta
    lacking = [
        midhand.useless(rules, bad, own - 1, values)
        if _may_knock(position, player) and 0 < own <= bad.bit_count() + 1
        else Fraction(1)
        for player, own in zip(free, hidden, strict=True)
    ]
    return midhand.some_can(unseen, good, hidden, matta, lacking)


def _may_knock(position: NextPlayers, player: int) -> bool:
    """Whether a following player who has shown nothing may still knock when its turn comes.

    At the first turn of a stage, so with a whole holding; in big holdings with ``bonus_cards_first`` at any later one.
    Where knocks are shown at the deal there are none later.
    """
    rules, held = position.rules, position.held[player]
    if rules.knock_timing == "deal" or position.shown[player] or held < 3:
        return False
    return held in rules.deal_plan or (rules.big_holdings and rules.bonus_cards_first)


def remarks(seats: Sequence[InformationSet], question: str) -> list[str]:
    """What a reader should know besides the answer: how many cards the others hold, and which cards will do."""
    several = [followers(now) for now in seats]
    position, unseen = several[0], several[0].unseen
    counts = [sorted({one.held[place] for one in several}) for place in range(len(position.names))]
    held = ", ".join(f"{name} {' or '.join(map(str, of))}" for name, of in zip(position.names, counts, strict=True))
    lines = [f"Cards held: {held}."]
    if is_compound(question):
        lines.append(f"{unseen.bit_count()} cards are unseen.")
    elif question == "knock":
        lines.append(f"Out of {unseen.bit_count()} unseen cards.")
    else:
        good_mask = good_cards(position, question)
        good = texts(good_mask & unseen)
        lines.append(f"{len(good)} of {unseen.bit_count()} unseen cards will do{': ' if good else ''}{' '.join(good)}.")
        values = declared_values(position, good_mask) if _plays(question) else set()
        if values and any(_may_knock(position, player) for player in range(len(position.held))):
            worth = " or ".join(str(value) for value in sorted(values))
            lines.append(f"So will the matta, {position.rules.matta}, when a knock makes it {worth}.")
    return lines
