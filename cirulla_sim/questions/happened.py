"""The vocabulary of a hand played: words, each with a sentence and the function that reads it from a hand's notes.

A word is a quantity, a player or side, and a stage: ``sweeps``, ``sweeps_dealer``, ``sweeps_seat0_stage2``. Help and
errors take the words from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from ..exact.patterns import PATTERN
from ..exact.piles import CONTESTS, PILE, of_piles
from ..ruleset.rules_model import Rules
from .cases import indices_of, masks
from .perspective import Column, Endings, Perspective, by_deal, by_seat, stages
from .whole_deal import QUANTITIES

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

    def score(self, column: str, sides: Sequence[int]) -> Column:
        """A column of the score added up over some sides: int64[hands]."""
        from ..kernel.game.scoring import COLUMN

        return self.notes.scores[:, list(sides), COLUMN[column]].sum(axis=1, dtype=np.int64)

    def at_seat(self, play: NDArray[np.int64], seats: Sequence[int]) -> NDArray[np.bool_]:
        """Where a play, numbered from 1, is one of some seats."""
        return (play > 0) & np.isin(self.seats[np.maximum(play, 1) - 1], list(seats))


# ------------------------------------------------------------------------------------------------ the words


def _plays(perspective: Perspective, when: Endings) -> Iterator[tuple[str, Word]]:
    """What is counted play by play, by whom and when."""
    counted = {
        "sweeps": ("sweeps (scope)", lambda happened: happened.sweeping),
        "captures": ("plays that capture", lambda happened: happened.capturing),
    }
    for who, (of, seats) in perspective.seats.items():
        for ending, (time, meant) in when.items():
            for name, (sentence, column) in counted.items():
                yield (
                    f"{name}{who}{ending}",
                    Word(f"how many {sentence}{of}{time}", ("plays",), _of_plays(column, seats, meant)),
                )


def _knocks(perspective: Perspective, when: Endings) -> Iterator[tuple[str, Word]]:
    """What is counted set by set, by whom and when."""
    for who, (of, seats) in perspective.seats.items():
        for ending, (time, meant) in when.items():
            for name, quantity in QUANTITIES.items():
                yield (
                    f"{name}{who}{ending}",
                    Word(f"{quantity.sentence}{of}{time}", ("knocks",), _of_knocks(quantity.of_bonus, seats, meant)),
                )


def _of_plays(column: Read, seats: Sequence[int], stages: Sequence[int]) -> Read:
    def read(happened: Happened) -> Column:
        meant = np.isin(happened.seats, list(seats)) & np.isin(happened.stages, list(stages))
        flags = column(happened)
        return np.count_nonzero(flags if meant.all() else flags[:, meant], axis=1)

    return read


def _of_knocks(of_bonus: Callable[[Any, Any], Any], seats: Sequence[int], stages: Sequence[int]) -> Read:
    def read(happened: Happened) -> Column:
        slots = np.repeat(np.arange(len(happened.rules.deal_plan)), np.array(happened.rules.deal_plan) // 3)
        held = np.flatnonzero(np.isin(slots, list(stages)))
        words = happened.notes.knocks[:, held][:, :, list(seats)]
        kind, points = words >> np.uint64(4) & np.uint64(15), words >> np.uint64(48)
        return np.asarray(of_bonus(kind, points)).astype(np.int64).sum(axis=(1, 2))

    return read


_POINTS = {
    "points": ("points", "total"),
    "points_cards": ("points for cards", "cards"),
    "points_diamonds": ("points for diamonds", "diamonds"),
    "points_settebello": ("points for the settebello", "settebello"),
    "points_primiera": ("points for the primiera", "primiera"),
    "points_grande": ("points for la grande", "grande"),
    "points_piccola": ("points for la piccola", "piccola"),
}
_SHOWN = {
    "points_scope": ("points for sweeps", "scope"),
    "points_table_bonus": ("points for the table's bonus", "table_bonus"),
    "points_hand_bonus": ("points for knocks", "hand_bonus"),
}
"""What is scored before the piles are counted."""


def _points(rules: Rules, perspective: Perspective, scored: dict[str, tuple[str, str]]) -> Iterator[tuple[str, Word]]:
    every = tuple(range(rules.sides))
    for who, (of, sides) in ({"": (" of all sides", every)} | perspective.sides).items():
        for name, (sentence, column) in scored.items():
            yield (
                f"{name}{who}",
                Word(
                    f"{sentence}{of}",
                    ("scores",),
                    lambda h, c=column, s=sides: h.score(c, s),  # type: ignore[misc]
                ),
            )
    for who, (of, sides) in perspective.sides.items():
        yield f"won{who}", Word(
            f"whether the hand is won: most points{of}", ("scores",),
            lambda h, s=sides: h.score("wins", s) > 0,  # type: ignore[misc]
        )  # fmt: skip
    yield "tied", Word("whether nobody has the most points", ("scores",), lambda h: h.score("wins", every) == 0)
    yield (
        "margin",
        Word(
            f"points of {perspective.owner} less the others'" + (", less the most of them" if rules.sides > 2 else ""),
            ("scores",),
            partial(_margin, perspective.own),
        ),
    )


def _margin(own: int, happened: Happened) -> Column:
    others = [happened.score("total", (side,)) for side in range(happened.rules.sides) if side != own]
    return happened.score("total", (own,)) - np.max(others, axis=0)


def _piles(rules: Rules, perspective: Perspective) -> Iterator[tuple[str, Word]]:
    """What lies in the piles: of one side, or of two compared."""
    for who, (of, sides) in perspective.sides.items():
        if len(sides) > 1:
            continue
        side, two = sides[0], rules.sides == 2
        features = PILE | (CONTESTS if two else {})
        for name, feature in features.items():
            yield (
                f"{name}{who}",
                Word(
                    f"of the pile{of}: {feature.sentence}",
                    ("piles",),
                    _of_pile(name, side, 1 - side if two else side),
                ),
            )
        for name in (*_NUMBERS, *(f"has_{card}" for card in PACK)):
            if name not in features:
                yield (
                    f"{name}{who}",
                    Word(f"of the pile{of}: {_pile_sentence(name)}", ("piles",), _counted_in_pile(name, side)),
                )


_RANKS = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
_SUITS = ("hearts", "diamonds", "clubs", "spades")
_NUMBERS = {name: sum(1 << 10 * suit + rank for suit in range(4)) for rank, name in enumerate(_RANKS)}
_NUMBERS |= {name: 0x3FF << 10 * suit for suit, name in enumerate(_SUITS)}


def _pile_sentence(name: str) -> str:
    return f"how many {name}" if name in _NUMBERS else f"whether {name.removeprefix('has_')} is in it"


def _counted_in_pile(name: str, side: int) -> Read:
    if name in _NUMBERS:
        mask = np.uint64(_NUMBERS[name])
        return lambda happened: bits(happened.notes.piles[:, side] & mask)
    card = np.uint64(PACK.index(name.removeprefix("has_")))
    return lambda happened: (happened.notes.piles[:, side] >> card & np.uint64(1)) == 1


def _of_pile(name: str, side: int, other: int) -> Read:
    return lambda happened: of_piles(
        happened.rules, name, happened.notes.piles[:, side], happened.notes.piles[:, other]
    )


def _course() -> Iterator[tuple[str, Word]]:
    """When things happen."""
    yield "first_capture", Word("which play is the first to capture, 0 for none", ("plays",), lambda h: h.first_capture)
    yield "first_card_sweep", Word(
        "whether the first card played is a sweep", ("plays",), lambda h: h.sweeping[:, 0]
    )  # fmt: skip
    yield (
        "settebello_play",
        Word(
            "which play captures the seven of diamonds, 0 where it comes with the table or is left over",
            ("plays",),
            lambda h: h.settebello,
        ),
    )
    yield "settebello_stage", Word(
        "the stage in which it is captured, 0 likewise", ("plays",),
        lambda h: np.where(h.settebello > 0, h.stages[np.maximum(h.settebello, 1) - 1] + 1, 0),
    )  # fmt: skip
    yield "leftovers", Word("how many cards are left on the table at the end", ("plays",), lambda h: h.leftovers)
    yield "misdeals", Word("misdeals before the table that is played", (), _misdeals)


Players = dict[str, tuple[str, tuple[str, ...], Callable[[Happened, tuple[int, ...]], Column]]]
"""Name -> sentence, needs, and how it is read of some seats."""

_FIRST: Players = {
    "captures_first": (
        "whether {player} captures first", ("plays",), lambda h, seats: h.at_seat(h.first_capture, seats),
    ),
    "leftovers": (
        "how many cards left on the table go to {player}", ("plays",),
        lambda h, seats: np.where(np.isin(h.last_capture, seats), h.leftovers, 0),
    ),
}  # fmt: skip
"""The first capture, and the cards left over."""

_TAKERS: Players = {
    "takes_settebello": (
        "whether a play of {player} captures the seven of diamonds", ("plays",),
        lambda h, seats: h.at_seat(h.settebello, seats),
    ),
    "captures_last": ("whether {player} captures last", (), lambda h, seats: np.isin(h.last_capture, seats)),
}  # fmt: skip
"""Who takes the settebello, and who captures last."""


def _of_players(perspective: Perspective, words: Players) -> Iterator[tuple[str, Word]]:
    """Words about players or sides, not about all together."""
    for who, (of, seats) in perspective.seats.items():
        if who:
            for name, (sentence, needs, read) in words.items():
                meaning = sentence.format(player=of.removeprefix(" of "))
                yield f"{name}{who}", Word(meaning, needs, partial(_of_seats, read, seats))


def _of_seats(read: Callable[[Happened, tuple[int, ...]], Column], seats: tuple[int, ...], h: Happened) -> Column:
    return read(h, seats)


def _misdeals(happened: Happened) -> Column:
    from ..kernel.game.hand import MISDEALT

    return happened.notes.deals[:, int(MISDEALT)].astype(np.int64)


_DECIDED = ("misdeal", "wins")


def _dealt(rules: Rules) -> Iterator[tuple[str, Word]]:
    """The table that is played, and what each seat is dealt first."""
    if rules.table_cards:
        for name, (sentence, _) in TABLE.items():
            if name not in _DECIDED:
                yield f"table_{name}", Word(f"of the table dealt: {sentence}", ("decks",), _of_table(name))
    small = rules.deal_plan[0] == cards.HOLDING_SIZE
    for seat in range(rules.players):
        sentences = (
            {name: sentence for name, (sentence, _) in HOLDING.items()}
            if small
            else {name: feature.sentence for name, feature in PATTERN.items()}
        )
        for name, sentence in sentences.items():
            yield (
                f"seat{seat}_{name}",
                Word(f"of what seat {seat} is dealt first: {sentence}", ("decks",), _of_holding(name, seat, small)),
            )


def _of_table(name: str) -> Read:
    def read(happened: Happened) -> Column:
        index = indices_of(happened.notes.decks[:, : cards.TABLE_SIZE])
        return columns("table", happened.rules, (name,))[name][index]

    return read


def _of_holding(name: str, seat: int, small: bool) -> Read:
    def read(happened: Happened) -> Column:
        size = happened.rules.deal_plan[0]
        at = happened.rules.table_cards + seat * size
        held = happened.notes.decks[:, at : at + size]
        if small:
            return columns("holding", happened.rules, (name,))[name][indices_of(held)]
        return PATTERN[name].column(happened.rules, masks(held))

    return read


def vocabulary(rules: Rules) -> dict[str, Word]:
    """All words of a hand under some rules."""
    perspective, when = by_deal(rules), stages(rules)
    return dict(chain(
        _points(rules, perspective, _POINTS | _SHOWN), _plays(perspective, when), _knocks(perspective, when),
        _piles(rules, perspective), _course(), _of_players(perspective, _FIRST), _of_players(perspective, _TAKERS),
        _dealt(rules),
    ))  # fmt: skip


def vocabulary_of_rest(rules: Rules, me: int, stage: int) -> dict[str, Word]:
    """The words of what remains of a hand as a seat sees it in a stage, from 0: plays from here on, and the end."""
    perspective = by_seat(rules, me)
    words = dict(chain(_points(rules, perspective, _POINTS), _piles(rules, perspective)))
    for name, word in chain(_plays(perspective, stages(rules, stage)), _of_players(perspective, _TAKERS)):
        words[name] = replace(word, sentence=f"{word.sentence}, from here on")
    return words
