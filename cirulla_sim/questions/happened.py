"""The vocabulary of a hand played: words, each with a sentence and the function that reads it from a hand's notes.

A word is a quantity, a player or side, and a stage: ``sweeps``, ``sweeps_dealer``, ``sweeps_first_stage2``. Help and
errors take the words from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.cards import PACK, SETTEBELLO
from ..engine.chunks import Notes
from ..exact import first_deal as cards
from ..exact.features import HOLDING, TABLE, columns
from ..exact.patterns import ANY_SET, PATTERN, RANK_NAMES, SUIT_NAMES, has_card, masks_of
from ..exact.piles import CONTESTS, PILE, of_piles
from ..ruleset.rules_model import Rules
from .cases import first_card, indices_of
from .perspective import Column, Endings, Perspective, Places, perspective, players, seats_and_stages, stages
from .whole_deal import OF_ANY_TABLE, QUANTITIES, sum_of_bonuses

Read = Callable[["Happened"], Column]

_BITS = np.array([byte.bit_count() for byte in range(256)], np.int64)


def bits(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits are set in each word: int64 of the same shape."""
    return np.asarray(_BITS[np.ascontiguousarray(words)[..., None].view(np.uint8)].sum(axis=-1))


@dataclass(frozen=True)
class Word:
    """What a word means, what it is read from (parts of ``play.Notes``) and how."""

    sentence: str
    needs: tuple[str, ...]
    read: Read


@dataclass(frozen=True)
class Happened:
    """The notes of some hands, and columns that several words share."""

    rules: Rules
    notes: Notes

    @cached_property
    def seats(self) -> NDArray[np.int64]:
        """The seat of each play: int64[plays]."""
        return np.arange(40 - self.rules.table_cards) % self.rules.players

    @cached_property
    def stages(self) -> NDArray[np.int64]:
        """The stage of each play, from 0: int64[plays]."""
        return np.repeat(np.arange(len(self.rules.deal_plan)), np.array(self.rules.deal_plan) * self.rules.players)

    @cached_property
    def sweeping(self) -> NDArray[np.bool_]:
        """Which plays score a sweep: bool[hands, plays]."""
        flags = self.notes.plays.view(np.uint8).reshape(-1, 40, 8)[:, : len(self.seats), 6]
        return np.asarray((flags & 4) != 0)

    @cached_property
    def capturing(self) -> NDArray[np.bool_]:
        """Which plays capture: bool[hands, plays]."""
        return np.asarray((self.notes.plays[:, : len(self.seats)] << np.uint64(24)) != 0)

    @cached_property
    def first_capture(self) -> NDArray[np.int64]:
        """Which play is the first to capture, from 1, 0 for none: int64[hands]."""
        return np.where(self.capturing.any(axis=1), self.capturing.argmax(axis=1) + 1, 0)

    @cached_property
    def settebello(self) -> NDArray[np.int64]:
        """Which play captures the seven of diamonds, from the table or as the card played; from 1, 0 for none."""
        plays = self.notes.plays[:, : len(self.seats)]
        with_it = (plays >> np.uint64(SETTEBELLO) & np.uint64(1) == 1) | (
            self.capturing & (plays >> np.uint64(40) & np.uint64(63) == SETTEBELLO)
        )
        return np.where(with_it.any(axis=1), with_it.argmax(axis=1) + 1, 0)

    @cached_property
    def last_capture(self) -> NDArray[np.int64]:
        """The seat that captured last, 255 for nobody: int64[hands]."""
        from ..kernel.game.hand import LAST_CAPTURE

        return self.notes.deals[:, int(LAST_CAPTURE)].astype(np.int64)

    @cached_property
    def leftovers(self) -> NDArray[np.int64]:
        """How many cards lie on the table when all are played, captured by nobody: int64[hands]."""
        from ..kernel.game.hand import TABLE_KIND

        plays = self.notes.plays[:, : len(self.seats)]
        played = np.uint64(1) << (plays >> np.uint64(40) & np.uint64(63))
        taken = np.bitwise_or.reduce(np.where(self.capturing, plays & np.uint64((1 << 40) - 1) | played, 0), axis=1)
        with_the_deal = np.where(self.notes.deals[:, int(TABLE_KIND)] > 0, self.rules.table_cards, 0)
        return np.asarray(40 - bits(taken) - with_the_deal)

    @cached_property
    def misdeals(self) -> NDArray[np.int64]:
        """How many tables were misdeals before the one that is played: int64[hands]."""
        from ..kernel.game.hand import MISDEALT

        return self.notes.deals[:, int(MISDEALT)].astype(np.int64)

    def score(self, column: str, sides: Places) -> Column:
        """A column of the score added up over some sides: int64[hands]."""
        from ..kernel.game.scoring import COLUMN

        return self.notes.scores[:, list(sides), COLUMN[column]].sum(axis=1, dtype=np.int64)

    def margin(self, own: int) -> Column:
        """Points of a side less the most of another: int64[hands]."""
        others = [self.score("total", (side,)) for side in range(self.rules.sides) if side != own]
        return self.score("total", (own,)) - np.max(others, axis=0)

    def is_at_seat(self, play: NDArray[np.int64], seats: Places) -> NDArray[np.bool_]:
        """Where a play, numbered from 1, is one of some seats."""
        return (play > 0) & np.isin(self.seats[np.maximum(play, 1) - 1], seats)

    def won(self, sides: Places) -> Column:
        """Whether one of some sides has the most points: bool[hands]."""
        return self.score("wins", sides) > 0

    def sweeps(self, seats: Places, during: Places) -> Column:
        """How many plays of some seats in some stages score a sweep: int64[hands]."""
        return self._number_of(self.sweeping, seats, during)

    def captures(self, seats: Places, during: Places) -> Column:
        """How many plays of some seats in some stages capture: int64[hands]."""
        return self._number_of(self.capturing, seats, during)

    def _number_of(self, flags: NDArray[np.bool_], seats: Places, during: Places) -> Column:
        meant = np.isin(self.seats, seats) & np.isin(self.stages, during)
        return np.count_nonzero(flags if meant.all() else flags[:, meant], axis=1)

    def bonuses(self, of_bonus: Callable[[Any, Any], Any], seats: Places, during: Places) -> Column:
        """A quantity of the bonuses shown, added up over some seats and stages: int64[hands]."""
        return sum_of_bonuses(self.rules, self.notes.knocks, of_bonus, seats, during)

    def table(self, name: str) -> Column:
        """A feature of the table dealt."""
        return columns("table", self.rules, (name,))[name][indices_of(self.notes.decks[:, : cards.TABLE_SIZE])]

    def holding(self, name: str, seat: int) -> Column:
        """A feature of what a seat is dealt first."""
        at, size = first_card(self.rules, seat), self.rules.deal_plan[0]
        held = self.notes.decks[:, at : at + size]
        if size == cards.HOLDING_SIZE:
            return columns("holding", self.rules, (name,))[name][indices_of(held)]
        return PATTERN[name].column(self.rules, masks_of(held))


# ------------------------------------------------------------------------------------------------ the words


def _by_play(of_whom: Perspective, when: Endings) -> Iterator[tuple[str, Word]]:
    """What is counted play by play, by whom and when."""
    needs = ("plays",)
    for ending, of, seats, during in seats_and_stages(of_whom, when):
        sweeps, captures = (partial(read, seats=seats, during=during) for read in (Happened.sweeps, Happened.captures))
        yield f"sweeps{ending}", Word(f"how many sweeps (scope){of}", needs, sweeps)
        yield f"captures{ending}", Word(f"how many plays that capture{of}", needs, captures)


def _knocks(of_whom: Perspective, when: Endings) -> Iterator[tuple[str, Word]]:
    """What is counted set by set, by whom and when."""
    for ending, of, seats, during in seats_and_stages(of_whom, when):
        for name, quantity in QUANTITIES.items():
            read = partial(Happened.bonuses, of_bonus=quantity.of_bonus, seats=seats, during=during)
            yield f"{name}{ending}", Word(f"{quantity.sentence}{of}", ("knocks",), read)


_POINTS = {
    "points": ("points", "total"),
    "points_cards": ("points for cards", "cards"),
    "points_diamonds": ("points for diamonds", "diamonds"),
    "points_settebello": ("points for the settebello", "settebello"),
    "points_primiera": ("points for the primiera", "primiera"),
    "points_grande": ("points for la grande", "grande"),
    "points_piccola": ("points for la piccola", "piccola"),
}
_POINTS_BEFORE_THE_END = {
    "points_scope": ("points for sweeps", "scope"),
    "points_table_bonus": ("points for the table's bonus", "table_bonus"),
    "points_hand_bonus": ("points for knocks", "hand_bonus"),
}
"""What is scored before the piles are counted."""


def _points(rules: Rules, of_whom: Perspective, scored: dict[str, tuple[str, str]]) -> Iterator[tuple[str, Word]]:
    every = tuple(range(rules.sides))
    needs = ("scores",)
    for who, (of, sides) in ({"": (" of all sides", every)} | of_whom.sides).items():
        for name, (sentence, column) in scored.items():
            yield f"{name}{who}", Word(f"{sentence}{of}", needs, partial(Happened.score, column=column, sides=sides))
    for who, (of, sides) in of_whom.sides.items():
        yield f"won{who}", Word(f"whether the hand is won: most points{of}", needs, partial(Happened.won, sides=sides))
    yield "tied", Word("whether nobody has the most points", needs, lambda h: ~h.won(every))
    less = "the others', less the most of them" if rules.sides > 2 else "the others'"
    for who, own in (("", of_whom.own), ("_us", of_whom.own), ("_dealer", rules.dealer_side)):
        whose = "the dealer's side" if who == "_dealer" else "our side"
        yield f"margin{who}", Word(f"points of {whose} less {less}", needs, partial(Happened.margin, own=own))


def _piles(rules: Rules, of_whom: Perspective) -> Iterator[tuple[str, Word]]:
    """What lies in the piles: of one side, or of two compared."""
    features = {name: feature.sentence for name, feature in PILE.items()}
    features |= {name: contest.sentence for name, contest in CONTESTS.items()} if rules.sides == 2 else {}
    counts = {name: f"how many {name}" for name in (*RANK_NAMES, *SUIT_NAMES)}
    counts |= {f"has_{card}": f"whether {card} is in it" for card in PACK}
    for who, (of, sides) in of_whom.sides.items():
        if len(sides) > 1:
            continue
        for name, sentence in (features | {name: counts[name] for name in counts if name not in features}).items():
            read = partial(_of_pile if name in features else _in_pile, name, sides[0])
            yield f"{name}{who}", Word(f"of the pile{of}: {sentence}", ("piles",), read)


def _of_pile(name: str, side: int, happened: Happened) -> Column:
    piles = happened.notes.piles
    return of_piles(happened.rules, name, piles[:, side], piles[:, 1 - side if happened.rules.sides == 2 else side])


def _in_pile(name: str, side: int, happened: Happened) -> Column:
    pile = happened.notes.piles[:, side]
    if name in ANY_SET:
        return ANY_SET[name].column(happened.rules, pile)
    return has_card(pile, PACK.index(name.removeprefix("has_")))


_COURSE = {
    "first_capture": Word("which play is the first to capture, 0 for none", ("plays",), lambda h: h.first_capture),
    "first_card_sweep": Word("whether the first card played is a sweep", ("plays",), lambda h: h.sweeping[:, 0]),
    "settebello_play": Word(
        "which play captures the seven of diamonds, 0 where it comes with the table or is left over",
        ("plays",),
        lambda h: h.settebello,
    ),
    "settebello_stage": Word(
        "the stage in which it is captured, 0 likewise",
        ("plays",),
        lambda h: np.where(h.settebello > 0, h.stages[np.maximum(h.settebello, 1) - 1] + 1, 0),
    ),
    "leftovers": Word("how many cards are left on the table at the end", ("plays",), lambda h: h.leftovers),
    "misdeals": Word("misdeals before the table that is played", (), lambda h: h.misdeals),
}
"""When things happen."""

Players = dict[str, tuple[str, tuple[str, ...], Callable[..., Column]]]
"""Name -> sentence, needs, and how it is read of some seats."""

_FIRST: Players = {
    "first_capture": (
        "whether the first capture is one {player}", ("plays",), lambda h, seats: h.is_at_seat(h.first_capture, seats),
    ),
    "leftovers": (
        "how many cards left on the table go to the side {player}", ("plays",),
        lambda h, seats: np.where(np.isin(h.last_capture, seats), h.leftovers, 0),
    ),
}  # fmt: skip
"""The first capture, and the cards left over."""

_TAKERS: Players = {
    "takes_settebello": (
        "whether a play {player} captures the seven of diamonds", ("plays",),
        lambda h, seats: h.is_at_seat(h.settebello, seats),
    ),
    "last_capture": ("whether the last capture is one {player}", (), lambda h, seats: np.isin(h.last_capture, seats)),
}  # fmt: skip
"""Who takes the settebello, and who captures last."""


def _of_players(of_whom: Perspective, words: Players) -> Iterator[tuple[str, Word]]:
    """Words about players or sides, not about all together."""
    for who, (of, seats) in of_whom.seats.items():
        if who:
            for name, (sentence, needs, read) in words.items():
                meaning = sentence.format(player=of.strip())
                yield f"{name}{who}", Word(meaning, needs, partial(read, seats=seats))


def _dealt(rules: Rules, me: int) -> Iterator[tuple[str, Word]]:
    """The table that is played, and what each seat is dealt first."""
    for name, (sentence, _) in TABLE.items() if rules.table_cards else ():
        if name not in OF_ANY_TABLE:
            read = partial(Happened.table, name=name)
            yield f"table_{name}", Word(f"of the table dealt: {sentence}", ("decks",), read)
    sentences = {name: sentence for name, (sentence, _) in HOLDING.items()}
    if rules.deal_plan[0] != cards.HOLDING_SIZE:
        sentences = {name: feature.sentence for name, feature in PATTERN.items()}
    for player, seat in players(rules, me).items():
        for name, sentence in sentences.items():
            meaning = f"of the first holding of {player}: {sentence}"
            yield f"{player}_{name}", Word(meaning, ("decks",), partial(Happened.holding, name=name, seat=seat))


def vocabulary(rules: Rules, me: int) -> dict[str, Word]:
    """All words of a hand under some rules, as the player at seat ``me`` asks."""
    of_whom, when = perspective(rules, me), stages(rules)
    return dict(chain(
        _points(rules, of_whom, _POINTS | _POINTS_BEFORE_THE_END), _by_play(of_whom, when),
        _knocks(of_whom, when), _piles(rules, of_whom), _COURSE.items(), _of_players(of_whom, _FIRST),
        _of_players(of_whom, _TAKERS), _dealt(rules, me),
    ))  # fmt: skip


def vocabulary_of_rest(rules: Rules, me: int, stage: int) -> dict[str, Word]:
    """The words of what remains of a hand as a seat sees it in a stage, from 0: plays from here on, and the end."""
    of_whom = perspective(rules, me)
    words = dict(chain(_points(rules, of_whom, _POINTS), _piles(rules, of_whom)))
    for name, word in chain(_by_play(of_whom, stages(rules, stage)), _of_players(of_whom, _TAKERS)):
        words[name] = replace(word, sentence=f"{word.sentence}, from here on")
    return words
