"""What every choice of the seat to play is worth, by trying everything: a referee of advice for small positions.

A choice is a set to show or none, the value that it declares the matta as, a card and what it captures. The cards that
the seat does not see are dealt in every way that agrees with what it knows, all equally likely; then everybody plays on
by one policy, its own side too, and shows a set as soon as the rules let it, with the matta as low as they let it.
Holdings have at most three cards and the stock is empty, so that a holding has one set at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

from .cards import PACK, own_value, side_count, side_of
from .players import Game, Policy, Table
from .scoring import score, sweep_point

Cards = frozenset[str]
NO_CARDS: Cards = frozenset()

Result = tuple[tuple[int, ...], ...]
"""How a hand ends: by side the points of each kind in the order of ``scoring.POINT_KEYS``, with the total behind them,
and 1 for cappotto. Sweeps and bonuses made before the position count as points for sweeps."""


class Choice(NamedTuple):
    """What a seat does at its turn."""

    shown: Cards
    """A set of three cards, or none."""
    matta_as: int | None
    card: str
    captured: Cards


class Show(NamedTuple):
    """A set that may be shown, and its points; without cards none is shown."""

    cards: Cards
    points: int
    matta_as: int | None


SHOWS_NOTHING = Show(NO_CARDS, 0, None)


@dataclass(frozen=True)
class Known:
    """What a seat knows before it shows a set or plays, in the last stage. Lists are by seat, or by side."""

    rules: dict[str, Any]
    seat: int
    turn: int
    """Plays of the seat in this stage."""
    table: dict[str, int]
    """The cards on the table with their values."""
    held: tuple[int, ...]
    """How many cards each seat holds."""
    holdings: tuple[Cards, ...]
    """The known cards of each seat: all of its own."""
    shown: tuple[Cards, ...]
    """Cards of sets shown in this stage that the seats still hold."""
    silent: tuple[Cards | None, ...]
    """For a seat that could have shown a set and did not, the cards that it is known to have played since."""
    piles: tuple[Cards, ...]
    """By side."""
    points: tuple[int, ...]
    """Sweeps and bonuses so far, by side."""
    last_capture: int | None = None
    """The seat that captured last; None where that is not known, or nobody did."""
    matta_as: int | None = None
    """What a knock has declared the matta as that is in a holding."""
    unowned: Cards = NO_CARDS
    """Captured cards whose pile is not known."""
    forgotten: int = 0
    """How many captured cards are not known at all."""

    @property
    def side(self) -> int:
        """The side of the seat."""
        return side_of(self.rules, self.seat)

    @property
    def unseen(self) -> list[str]:
        """The cards that the seat does not see, in the order of the pack."""
        seen = {card for cards in (*self.holdings, *self.piles, self.unowned, self.table) for card in cards}
        return [card for card in PACK if card not in seen]

    @property
    def plays_left(self) -> int:
        """The plays left in the hand."""
        return sum(self.held)


class Position(NamedTuple):
    """A hand in play with all cards known; lists are by seat, or by side."""

    table: Table
    holdings: tuple[Cards, ...]
    shown: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    sweep_points: tuple[int, ...]
    bonuses: tuple[int, ...]
    last_capture: int | None
    matta_as: int | None


Chances = dict[Position, float]


def deals(known: Known) -> Iterator[tuple[Cards, ...]]:
    """Every way in which the unseen cards can lie, equally likely: the holdings by seat, and the cards forgotten."""
    lacking = [number - len(cards) for number, cards in zip(known.held, known.holdings, strict=True)]
    game = Game(known.rules)
    for parts in divide(known.unseen, [*lacking, known.forgotten]):
        holdings = [cards | part for cards, part in zip(known.holdings, parts[:-1], strict=True)]
        withheld = [
            played | (holding - shown)
            for played, holding, shown in zip(known.silent, holdings, known.shown, strict=True)
            if played is not None
        ]
        if not any(game.claims(frozenset(three)) for cards in withheld for three in combinations(cards, 3)):
            yield (*holdings, parts[-1])


def divide(cards: list[str], sizes: list[int]) -> Iterator[list[Cards]]:
    """Every way to divide cards into parts of these sizes."""
    if not sizes:
        yield []
        return
    for part in combinations(cards, sizes[0]):
        for others in divide([card for card in cards if card not in part], sizes[1:]):
            yield [frozenset(part), *others]


def positions(known: Known) -> Chances:
    """The positions that the seat may be in, with their chances.

    A captured card of which it does not know who took it lies in any side's pile, and any seat may have captured last.
    """
    found: Chances = defaultdict(float)
    dealt = list(deals(known))
    sides = range(side_count(known.rules))
    for *holdings, forgotten in dealt:
        loose = sorted(known.unowned | forgotten)
        takers = list(product(sides, repeat=len(loose)))
        for sides_of_loose in takers:
            piles = tuple(
                known.piles[side] | {card for card, taker in zip(loose, sides_of_loose, strict=True) if taker == side}
                for side in sides
            )
            last = [known.last_capture]
            if known.last_capture is None and any(piles):
                last = [seat for seat in range(known.rules["players"]) if piles[side_of(known.rules, seat)]]
            for seat in last:
                position = Position(
                    frozenset(known.table.items()), tuple(holdings), known.shown, piles, known.points,
                    (0,) * len(sides), seat, known.matta_as,
                )  # fmt: skip
                found[position] += 1 / (len(dealt) * len(takers) * len(last))
    return found


def shows(game: Game, position: Position, seat: int, turn: int) -> list[Show]:
    """The sets that a seat may show now; see ``Hand.may_knock``."""
    rules, holding = game.rules, position.holdings[seat]
    later = rules["deal_plan"][-1] > 3 and rules["bonus_cards_first"]
    may_knock = not position.shown[seat] if later else turn == 0
    if not may_knock or len(holding) != 3:
        return []
    return [Show(holding, points, matta_as) for points, matta_as in game.claims(holding)]


def show(game: Game, position: Position, seat: int, what: Show) -> Position:
    """The position after a set has been shown."""
    side = side_of(game.rules, seat)
    return position._replace(
        shown=changed(position.shown, seat, position.shown[seat] | what.cards),
        bonuses=changed(position.bonuses, side, position.bonuses[side] + what.points),
        matta_as=position.matta_as if what.matta_as is None else what.matta_as,
    )


def play(game: Game, position: Position, seat: int, card: str, captured: Cards, last_play: bool) -> Position:
    """The position after a play."""
    table, holdings, shown, piles, sweep_points, bonuses, last_capture, matta_as = position
    value, side = game.value(card, matta_as), side_of(game.rules, seat)
    if game.scores(table, value, captured, last_play):
        sweep_points = changed(sweep_points, side, sweep_points[side] + sweep_point(game.rules))
    if captured:
        table = frozenset((other, worth) for other, worth in table if other not in captured)
        piles = changed(piles, side, piles[side] | captured | {card})
        last_capture = seat
    else:
        table = table | {(card, value)}
    holdings = changed(holdings, seat, holdings[seat] - {card})
    if card in shown[seat]:
        shown = changed(shown, seat, shown[seat] - {card})
    return Position(table, holdings, shown, piles, sweep_points, bonuses, last_capture, matta_as)


def playable(game: Game, position: Position, seat: int) -> Cards:
    """The cards that a seat may play: in larger holdings those that it has shown first, unless the rules say no."""
    if game.rules["bonus_cards_first"] and position.shown[seat]:
        return position.shown[seat]
    return position.holdings[seat]


def changed(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """A tuple with another value at a place."""
    return (*values[:at], value, *values[at + 1 :])


def as_round_begins(game: Game, table: Table) -> Table:
    """The table when the first seat is to play; see ``Hand.start_round``."""
    if game.rules["matta_on_table"] != "reverts":
        return table
    matta = game.rules["matta"]
    return frozenset((card, own_value(card) if card == matta else value) for card, value in table)


def turns(game: Game, position: Position, seat: int, turn: int) -> Iterator[tuple[Show, Position, str, Cards]]:
    """What a seat may do: a set, the position after it is shown, a card, what it captures.

    To show nothing is possible unless ``show_bonus`` is ``at_once``.
    """
    allowed = shows(game, position, seat, turn)
    if not allowed or game.rules["show_bonus"] == "may_wait":
        allowed = [*allowed, SHOWS_NOTHING]
    for what in allowed:
        now = show(game, position, seat, what)
        for card in sorted(playable(game, now, seat)):
            for captured in game.choices(now.table, game.value(card, now.matta_as)):
                yield what, now, card, captured


def results(known: Known, policy: Policy) -> dict[Choice, dict[Result, float]]:
    """The chances of every end of the hand after each choice."""
    game = Game(known.rules)
    after: dict[Choice, Chances] = defaultdict(lambda: defaultdict(float))
    for position, chance in positions(known).items():
        for what, now, card, captured in turns(game, position, known.seat, known.turn):
            choice = Choice(what.cards, what.matta_as, card, captured)
            after[choice][play(game, now, known.seat, card, captured, known.plays_left == 1)] += chance
    return {choice: ends(game, play_on(game, policy, chances, known, 1)) for choice, chances in after.items()}


def rest(known: Known, policy: Policy) -> dict[Result, float]:
    """The chances of every end of the hand if the seat to play goes on by the policy too."""
    game = Game(known.rules)
    return ends(game, play_on(game, policy, positions(known), known, 0))


def play_on(game: Game, policy: Policy, chances: Chances, known: Known, done: int) -> Chances:
    """The positions at the end of the hand, from those after some plays have been made in a position."""
    players, first = known.rules["players"], known.turn * known.rules["players"] + known.seat
    for number in range(done, known.plays_left):
        turn, seat = divmod(first + number, players)
        after: Chances = defaultdict(float)
        for position, chance in chances.items():
            if seat == 0:
                position = position._replace(table=as_round_begins(game, position.table))
            for what in shows(game, position, seat, turn)[:1]:
                position = show(game, position, seat, what)
            pile, last_play = position.piles[side_of(known.rules, seat)], number == known.plays_left - 1
            allowed = playable(game, position, seat)
            for card, captured, parts in policy(game, position.table, allowed, pile, position.matta_as, last_play):
                after[play(game, position, seat, card, captured, last_play)] += chance / parts
        chances = after
    return chances


def ends(game: Game, chances: Chances) -> dict[Result, float]:
    """The chances of the scores of positions in which all cards have been played."""
    rules = game.rules
    found: dict[Result, float] = defaultdict(float)
    for position, chance in chances.items():
        piles = position.piles
        if position.last_capture is not None:
            side = side_of(rules, position.last_capture)
            piles = changed(position.piles, side, position.piles[side] | {card for card, _ in position.table})
        nothing = [0] * len(position.piles)
        points, cappotto = score(rules, list(piles), list(position.sweep_points), nothing, list(position.bonuses))
        found[tuple((*side.values(), int(number == cappotto)) for number, side in enumerate(points))] += chance
    return found


def totals(result: Result) -> tuple[int, ...]:
    """The points of each side."""
    return tuple(points[-2] for points in result)


def margin(points: Sequence[float], side: int) -> float:
    """The points of a side less the mean of the others'."""
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)
