"""What a seat may think of a position: every legal play with its worth, how sure that is, and the risk of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cards
from .errors import InputError
from .rules import Rules

Array = NDArray[Any]


@dataclass(frozen=True)
class Position:
    """All that a seat knows when it is to play; cards are masks, see ``cirulla_sim.cards``.

    ``piles`` are the cards captured, by side. ``held`` is the number of cards each seat holds; without it, as many as
    the turn leaves. ``shown`` are cards known to be in other holdings, ``played`` those played in this stage, by seat;
    ``silent`` are seats that could have knocked in this stage and did not. ``points`` are sweeps and bonuses so far by
    side, ``score`` that of the game before the hand. ``stage`` counts from 0.

    Raises ``InputError`` for cards given twice and numbers that cannot be.
    """

    rules: Rules
    holding: int
    table: int = 0
    piles: tuple[int, ...] = ()
    seat: int = 0
    stage: int = 0
    shown: Mapping[int, int] = field(default_factory=dict)
    played: Mapping[int, int] = field(default_factory=dict)
    silent: tuple[int, ...] = ()
    matta_value: int | None = None
    last_capture: int | None = None
    points: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    seed: int = 1  # below 2**63

    def __post_init__(self) -> None:
        rules = self.rules
        if not 0 <= self.seat < rules.players:
            raise InputError(f"seat '{self.seat}' is not valid (valid: 0 to {rules.players - 1})")
        if not 0 <= self.stage < len(rules.deal_plan):
            raise InputError(f"stage '{self.stage}' is not valid (valid: 0 to {len(rules.deal_plan) - 1})")
        size = rules.deal_plan[self.stage]
        if not 1 <= self.holding.bit_count() <= size:
            raise InputError(f"holding of {self.holding.bit_count()} cards is not valid (valid: 1 to {size})")
        places = [self.holding, self.table, *self.piles, *self.shown.values()]
        seen = 0
        for mask in places:
            if seen & mask:
                raise InputError(f"cards given twice: {' '.join(cards.texts(seen & mask))} (each lies in one place)")
            seen |= mask
        gone = (self.table | self.gone).bit_count()
        made = self.plays_made
        if gone != made + rules.table_cards:
            raise InputError(
                f"{gone} cards on the table and captured cannot be after {made} plays "
                f"(valid: {made + rules.table_cards})"
            )

    @property
    def gone(self) -> int:
        """The mask of all cards captured."""
        gone = 0
        for pile in self.piles:
            gone |= pile
        return gone

    @property
    def turn(self) -> int:
        """Plays the seat has made in this stage."""
        return self.rules.deal_plan[self.stage] - self.holding.bit_count()

    @property
    def plays_made(self) -> int:
        """Plays made in the hand before this one."""
        before = self.rules.players * sum(self.rules.deal_plan[: self.stage])
        return before + self.turn * self.rules.players + self.seat

    @property
    def held(self) -> tuple[int, ...]:
        """The number of cards each seat holds."""
        size = self.holding.bit_count()
        return tuple(size if seat >= self.seat else size - 1 for seat in range(self.rules.players))

    def view(self) -> Array:
        """The position as the kernel reads it: an array of one ``kernel.view.VIEW``."""
        from .kernel.flat import VALUE
        from .kernel.view import new_view

        rules, view = self.rules, new_view()
        matta = None if rules.matta is None else cards.parse(rules.matta)
        value = self.matta_value or (0 if matta is None else cards.VALUES[matta])
        product = 1
        for card in range(40):
            if self.table >> card & 1:
                worth = value if card == matta else int(VALUE[card])
                product = product * (1 + 16**worth) % 2**64
        left = 40 - rules.table_cards - self.plays_made
        fill = {
            "players": rules.players, "sides": rules.sides, "seat": self.seat, "side": rules.side(self.seat),
            "stage": self.stage, "turn": self.turn, "plays_left": left, "stock": left - sum(self.held),
            "holding": self.holding, "allowed": self.holding, "table": self.table, "table_product": product,
            "matta_value": value, "last_capture": 255 if self.last_capture is None else self.last_capture,
            "dice": self.seed,
        }  # fmt: skip
        for name, number in fill.items():
            view[0][name] = number
        for name, numbers in (
            ("pile", self.piles),
            ("points", self.points),
            ("score", self.score),
            ("held", self.held),
        ):
            view[0][name][: len(numbers)] = numbers
        for seat, mask in self.shown.items():
            view[0]["shown"][seat] = mask
        view[0]["shown"][self.seat] = self.holding
        for seat, mask in self.played.items():
            view[0]["played"][seat] = mask
        for seat in self.silent:
            view[0]["declined"][seat] = 1
        return view


@dataclass(frozen=True)
class Play:
    """A legal play: the card, the table cards it captures (a mask) and whether it is a sweep."""

    card: int
    captured: int
    sweep: bool

    def __str__(self) -> str:
        took = " ".join(cards.texts(self.captured))
        name = cards.text(self.card)
        return f"{name} takes {took}" if took else f"{name} is left"


@dataclass(frozen=True)
class Estimate:
    """What a play is worth: the margin of points (see ``worth``) that it is expected to change, and how sure that is.

    ``value`` counts from the position: points of one's side less the mean of the others' at the end of the hand, sweeps
    and bonuses made before left out. ``sweep_risk`` is the share of the deals in which the next player can sweep.
    """

    play: Play
    value: float
    std_error: float
    samples: int
    sweep_risk: float


def _plays(words: Array) -> list[Play]:
    return [Play(int(word) >> 40 & 63, int(word) & (1 << 40) - 1, bool(int(word) >> 50 & 1)) for word in words]


def _tools(rules: Rules, win: Array | None) -> tuple[Any, Any]:
    from .experiment import flat_rules
    from .kernel.view import new_mind
    from .policies import mind

    return flat_rules(rules), mind(rules, new_mind(), win)


class Thought:
    """Thinking about a position in increments; the same increments give the same estimates.

    With ``win`` (see ``policies.mind``) the estimates are twice the chance of winning the game, less one.

    >>> from cirulla_sim.rules import build
    >>> from cirulla_sim.cards import mask, parse_many
    >>> hold, table = mask(parse_many("7d 2s Jh")), mask(parse_many("Ad 5c 2h Kd"))
    >>> thought = Thought(Position(build(players=2), holding=hold, table=table))
    >>> thought.more(20)
    >>> [estimate.samples for estimate in thought.estimates()][:2]
    [20, 20]
    """

    def __init__(self, position: Position, win: Array | None = None) -> None:
        from .kernel.think import list_view

        self.position = position
        self._rules, self._mind = _tools(position.rules, win)
        self._view, self._sweep_view = position.view(), position.view()
        self._view[0]["aims_at_game"] = win is not None
        self._sweep_view[0]["dice"] = position.seed + 2**63  # dice of its own, so that increments change nothing
        words = np.zeros(1 << 16, np.uint64)
        self._words = words[: int(list_view(self._rules, self._mind, self._view[0], words))].copy()
        self.plays = _plays(self._words)
        self.samples = 0
        self._sums = np.zeros((len(self.plays), 2))
        self._sweeps = np.zeros(len(self.plays), np.uint64)

    def more(self, samples: int) -> None:
        """Look at so many more deals of the unseen cards."""
        from .kernel.think import count_sweeps, think_more

        sums = np.zeros(2 * len(self.plays), np.float32)
        view, count = self._view[0], np.uint64(samples)
        think_more(self._rules, self._mind, view, self._words, count, sums)
        count_sweeps(self._rules, self._mind, self._sweep_view[0], self._words, count, self._sweeps)
        self._sums += sums.reshape(-1, 2)
        self.samples += samples

    def estimates(self) -> Sequence[Estimate]:
        """What is thought of every legal play so far, best first."""
        n = max(self.samples, 1)
        mean = self._sums[:, 0] / n
        variance = np.maximum(self._sums[:, 1] / n - mean**2, 0)
        error = np.sqrt(variance / max(n - 1, 1))
        found = [
            Estimate(play, float(mean[i]), float(error[i]), self.samples, float(self._sweeps[i]) / n)
            for i, play in enumerate(self.plays)
        ]
        return sorted(found, key=lambda estimate: -estimate.value)


def solve(
    position: Position, holdings: Sequence[int], depth: int | None = None, win: Array | None = None
) -> list[tuple[Play, tuple[float, ...]]]:
    """Exact play with all holdings known (masks by seat): every legal play with the points of each side it leads to.

    The points are those made from here on, and those of the piles at the end of the hand; where stages follow, piles
    are worth what is expected of them. With more than two sides each maximises its points less the others' mean.
    ``depth`` limits the plays looked ahead. With ``win`` (see ``policies.mind``) and two sides the values are
    chances of winning the game.

    Raises ``InputError`` if the holdings do not fit the position.
    """
    from .kernel.solve import solve_plays

    rules = position.rules
    if len(holdings) != rules.players or holdings[position.seat] != position.holding:
        raise InputError(f"holdings of {len(holdings)} seats do not fit the position (valid: {rules.players})")
    if tuple(held.bit_count() for held in holdings) != position.held:
        raise InputError(f"holdings must have {', '.join(map(str, position.held))} cards")
    together = position.table | position.gone
    for held in holdings:
        if together & held:
            raise InputError(f"cards given twice: {' '.join(cards.texts(together & held))} (each lies in one place)")
        together |= held
    flat, mind = _tools(rules, win)
    words, values = np.zeros(1 << 16, np.uint64), np.zeros((4096, 4), np.float32)
    given = np.zeros(4, np.uint64)
    given[: len(holdings)] = holdings
    view = position.view()
    view[0]["aims_at_game"] = win is not None
    ahead = np.uint64(min(depth or 40, sum(position.held)))
    count = int(solve_plays(flat, mind, view[0], given, ahead, words, values))
    return [
        (play, tuple(float(value) for value in values[i, : rules.sides]))
        for i, play in enumerate(_plays(words[:count]))
    ]
