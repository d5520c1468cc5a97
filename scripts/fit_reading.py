"""Fit what plays tell of the cards still held: the factors in ``cirulla_sim/kernel/players/reading.py``.

Hands are played by good players with 2, 3 and 4 seats. After every play its player's hidden cards are some of those
that the next player does not see. How likely each is there is taken for proportional to what it is where all deals
that agree with cards shown and knocks not made are equally likely, and to a factor for every play that its player has
made in the stage, by what the play did and what the card could have done instead. The factors are those that make what
was held likeliest (iterative scaling). Nothing is judged on the same seed.

    python scripts/fit_reading.py [--hands 500] [--policy search]

prints the factors, each row as a share of its largest, to be put into the file.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np

from cirulla_sim.advice.moments import Turn, turns
from cirulla_sim.cards import mask, members
from cirulla_sim.exact.midhand import takers
from cirulla_sim.kernel.entries.playouts import deal_behind
from cirulla_sim.kernel.players.reading import READING
from cirulla_sim.play import Experiment, hand_record, prepared
from cirulla_sim.positions import situation
from cirulla_sim.rulebook import build

SEED = 7_000_001
DEALS = 200
"""Deals from which it is told how likely cards are before plays are read."""
DEEDS, POWERS, KINDS = ("left a card", "captured", "swept"), ("nothing", "capture", "sweep"), ("card", "ace")
SIZE = len(DEEDS) * len(POWERS) * len(KINDS)
ACES = mask(range(0, 40, 10))
ROUNDS = 200

Card = tuple[list[int], float, bool]
"""Of an unseen card: what it could have done at each play of the player in this stage, as places in the table of
factors; its share of the deals in which it lies there; whether it does."""


def code_masks(turn: Turn) -> dict[int, int]:
    """By place in the table of factors, the cards that belong there at a play."""
    now = turn.moment.situation()
    table, matta_value = now.field("table"), now.field("matta_value")
    if not table:
        return {}
    deed = 2 if situation.is_sweep(turn.made) else 1 if situation.captured(turn.made) else 0
    can_capture, _ = takers(now.rules, table, 0, matta_value)
    can_sweep, _ = takers(now.rules, table, table, matta_value)
    by_power = (~can_capture, can_capture & ~can_sweep, can_sweep)
    return {
        (3 * deed + power) * 2 + kind: cards & of
        for power, cards in enumerate(by_power)
        for kind, of in enumerate((~ACES, ACES))
    }


def seen(players: int, policy: str, hands: int) -> Iterator[list[Card]]:
    """After each play, as the next player sees it, the unseen cards."""
    dealt, reading = np.zeros((DEALS, 4), np.uint64), np.zeros(1, READING)
    experiment = Experiment(build("cirulla", players=players), (policy,), 1, SEED)
    flat, _, work = prepared(experiment)
    for number in range(hands):
        record = hand_record(experiment, number)
        before: dict[int, list[dict[int, int]]] = {}
        last: Turn | None = None
        for turn in turns(record):
            if last is None or turn.moment.stage != last.moment.stage:
                before, last = {}, None
            if last is not None:
                seat = last.moment.seat
                before.setdefault(seat, []).append(code_masks(last))
                now = turn.moment.situation()
                hidden = turn.moment.holdings[seat] & now.unseen
                if hidden and any(before[seat]) and now.known_holdings() is None:
                    deal_behind(flat, np.uint64(SEED), np.uint64(0), now.unread().view, work, reading, dealt)
                    shares = (dealt[:, seat, None] >> np.arange(40, dtype=np.uint64) & np.uint64(1)).mean(axis=0)
                    yield [
                        ([k for masks in before[seat] for k, cards in masks.items() if cards >> card & 1], shares[card],
                         bool(hidden >> card & 1))
                        for card in members(now.unseen)
                    ]  # fmt: skip
            last = turn


def fitted(observed: list[list[Card]]) -> np.ndarray:
    """float64[18]: the factors."""
    rows = [(i, *card) for i, cards in enumerate(observed) for card in cards]
    of = np.array([i for i, _, _, _ in rows])
    count = np.array([[codes.count(k) for k in range(SIZE)] for _, codes, _, _ in rows], float)
    before = np.array([share for _, _, share, _ in rows])
    held = np.array([flag for _, _, _, flag in rows], float)
    sizes = np.bincount(of, held)
    factors, most = np.ones(SIZE), count.sum(axis=1).max()
    for _ in range(ROUNDS):
        weight = before * np.exp(count @ np.log(factors))
        told = weight / np.bincount(of, weight)[of] * sizes[of]
        factors *= ((held @ count + 0.5) / (told @ count + 0.5)) ** (1 / most)
    return factors


@click.command()
@click.option("--hands", default=500, help="Hands for each number of players.")
@click.option("--policy", default="search", help="Who plays them.")
def main(hands: int, policy: str) -> None:
    """Print the factors, for each number of players and for all."""
    everything = []
    for players in (2, 3, 4):
        observed = list(seen(players, policy, hands))
        everything += observed
        show(f"{players} players, {len(observed)} plays", fitted(observed))
    show("all", fitted(everything))


def show(title: str, factors: np.ndarray) -> None:
    """A table of factors, those of a deed as shares of the largest, a card and an ace."""
    table = factors.reshape(3, 3, 2)
    click.echo(title)
    for deed, rows in zip(DEEDS, table / table.max(axis=(1, 2), keepdims=True), strict=True):
        told = [f"{power} [{card:.3f}, {ace:.3f}]" for power, (card, ace) in zip(POWERS, rows, strict=True)]
        click.echo(f"  {deed:12} " + "  ".join(told))


if __name__ == "__main__":
    main()
