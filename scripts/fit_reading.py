"""Fit what plays tell of the cards still held: the factors in ``cirulla_sim/kernel/players/reading.py``.

Hands are played by good players with 2, 3 and 4 seats. After every play its player's hidden cards are some of those
that the next player does not see. How likely each is there is taken for proportional to what it is where all deals
that agree with cards shown and knocks not made are equally likely, and to a factor for every play that its player has
made in the stage, by what the play did and what the card could have done instead, and to another by what the card can
do to the table left. The factors are those that make what was held likeliest (iterative scaling). Nothing is judged on
the same seed.

    python scripts/fit_reading.py [--hands 500] [--policy search]

prints the factors, each row as a share of its largest, to be put into the file.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np

from cirulla_sim.advice.decision_points import Turn, turns
from cirulla_sim.core.cards import mask, members
from cirulla_sim.engine.chunks import prepared
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.kernel.entries.playouts_entry import deal_behind
from cirulla_sim.kernel.players.reading import READING
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation import information_set as situation
from cirulla_sim.situation.information_set import Situation

SEED = 7_000_001
DEALS = 200
"""Deals from which it is told how likely cards are before plays are read."""
DEEDS, POWERS, KINDS = ("left a card", "captured", "swept"), ("nothing", "capture", "sweep"), ("card", "ace")
DONE, BEHIND = len(DEEDS) * len(POWERS) * len(KINDS), len(POWERS) * len(KINDS)
SIZE = DONE + BEHIND
ACES = mask(range(0, 40, 10))
ROUNDS = 200

Card = tuple[list[int], float, bool]
"""Of an unseen card: what it could have done at each play of the player in this stage, as places in the table of
factors; its share of the deals in which it lies there; whether it does."""


def by_power(now: Situation) -> list[int]:
    """The cards that can do nothing to a table, capture and sweep, those that are no aces first: ``BEHIND`` masks.

    None of any, where the table is empty.
    """
    table, matta_value = now.field("table"), now.field("matta_value")
    if not table:
        return [0] * BEHIND
    can_capture, _ = takers(now.rules, table, 0, matta_value)
    can_sweep, _ = takers(now.rules, table, table, matta_value)
    return [cards & of for cards in (~can_capture, can_capture & ~can_sweep, can_sweep) for of in (~ACES, ACES)]


def code_masks(turn: Turn, left: Situation) -> dict[int, int]:
    """By place in the table of factors, the cards that belong there at a play that left a table."""
    deed = 2 if situation.is_sweep(turn.metadata) else 1 if situation.captured(turn.metadata) else 0
    instead = by_power(turn.moment.situation())
    return {BEHIND * deed + k: cards for k, cards in enumerate(instead)} | {
        DONE + k: cards for k, cards in enumerate(by_power(left))
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
                now = turn.moment.situation()
                before.setdefault(seat, []).append(code_masks(last, now))
                hidden = turn.moment.holdings[seat] & now.unseen
                if hidden and now.known_holdings() is None:
                    deal_behind(flat, np.uint64(SEED), np.uint64(0), now.unread().view, work, reading, dealt)
                    shares = (dealt[:, seat, None] >> np.arange(40, dtype=np.uint64) & np.uint64(1)).mean(axis=0)
                    yield [
                        ([k for masks in before[seat] for k, cards in masks.items() if cards >> card & 1], shares[card],
                         bool(hidden >> card & 1))
                        for card in members(now.unseen)
                    ]  # fmt: skip
            last = turn


def fitted(observed: list[list[Card]]) -> np.ndarray:
    """float64[SIZE]: the factors."""
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
    """A table of factors, those of a deed, and of the table left, as shares of the largest, a card and an ace."""
    table = factors.reshape(-1, 3, 2)
    click.echo(title)
    for deed, rows in zip((*DEEDS, "the table"), table / table.max(axis=(1, 2), keepdims=True), strict=True):
        told = [f"{power} [{card:.3f}, {ace:.3f}]" for power, (card, ace) in zip(POWERS, rows, strict=True)]
        click.echo(f"  {deed:12} " + "  ".join(told))


if __name__ == "__main__":
    main()
