"""What every choice is worth where all cards are known and two sides play their best, by trying everything."""

from __future__ import annotations

from .advice import Choice, Game, Known, Position, as_round_begins, ends, margin, play, positions, totals, turns
from .cards import side_of


def best_margins(known: Known) -> dict[Choice, float]:
    """The margin of the seat's side after each choice, if both sides go on to get the best margin they can.

    All cards must be known. At its turn a seat chooses a set too, or none, and what the matta becomes.
    """
    game = Game(known.rules)
    [position] = positions(known)
    found = {}
    for what, now, card, captured in turns(game, position, known.seat, known.turn):
        after = play(game, now, known.seat, card, captured, known.plays_left == 1)
        found[Choice(what.cards, what.matta_as, card, captured)] = best(game, known, after, 1, -99.0, 99.0)
    return found


def best(game: Game, known: Known, position: Position, done: int, low: float, high: float) -> float:
    """The margin of the seat's side after some plays, as far as it lies between two bounds."""
    if done == known.plays_left:
        [result] = ends(game, {position: 1.0})
        return margin(totals(result), known.side)
    turn, seat = divmod(known.turn * known.rules["players"] + known.seat + done, known.rules["players"])
    if seat == 0:
        position = position._replace(table=as_round_begins(game, position.table))
    ours = side_of(known.rules, seat) == known.side
    for _, now, card, captured in turns(game, position, seat, turn):
        after = play(game, now, seat, card, captured, done == known.plays_left - 1)
        value = best(game, known, after, done + 1, low, high)
        if ours:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if ours else high
