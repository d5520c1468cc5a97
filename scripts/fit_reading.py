"""Fit what plays tell of the cards still held: the factors in ``cirulla_sim/kernel/players/reading.py``.

Hands are played by good players with 2, 3 and 4 seats. After every play its player's hidden cards are some of those
that the next player does not see; how likely each is there is taken for proportional to the product of a factor for
every play that its player has made in the stage, by what the play did and what the card could have done instead. The
factors are those that make what was held likeliest (iterative scaling). Nothing is judged on the same seed.

    python scripts/fit_reading.py [--hands 4000] [--policy search]

prints the factors, each row as a share of its largest, to be put into the file.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np

from cirulla_sim.advice import situation
from cirulla_sim.advice.moments import Turn, turns
from cirulla_sim.cards import members
from cirulla_sim.exact.midhand import takers
from cirulla_sim.play import Experiment, hand_record
from cirulla_sim.rulebook import build

SEED = 7_000_001
DEEDS, POWERS = ("left a card", "captured", "swept"), ("nothing", "capture", "sweep")
ROUNDS = 200

Codes = list[int]
"""What a card could have done at each play of its holder in this stage: places in the table of factors."""


def code_masks(turn: Turn) -> dict[int, int]:
    """By place in the table of factors, the cards that belong there at a play."""
    now = turn.moment.situation()
    table, matta_value = now.field("table"), now.field("matta_value")
    if not table:
        return {}
    deed = 2 if situation.is_sweep(turn.made) else 1 if situation.captured(turn.made) else 0
    can_capture, _ = takers(now.rules, table, 0, matta_value)
    can_sweep, _ = takers(now.rules, table, table, matta_value)
    return {3 * deed: ~can_capture, 3 * deed + 1: can_capture & ~can_sweep, 3 * deed + 2: can_sweep}


def seen(players: int, policy: str, hands: int) -> Iterator[tuple[list[Codes], list[bool], int]]:
    """After each play, as the next player sees it: what unseen cards could have done, which are held, how many."""
    experiment = Experiment(build("cirulla", players=players), (policy,), 1, SEED)
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
                if hidden and any(before[seat]):
                    unseen = members(now.unseen)
                    codes = [
                        [k for masks in before[seat] for k, mask in masks.items() if mask >> card & 1]
                        for card in unseen
                    ]
                    yield codes, [bool(hidden >> card & 1) for card in unseen], hidden.bit_count()
            last = turn


def fitted(observed: list[tuple[list[Codes], list[bool], int]]) -> np.ndarray:
    """float64[9]: the factors."""
    rows = [
        (i, codes, held)
        for i, (cards, flags, _) in enumerate(observed)
        for codes, held in zip(cards, flags, strict=True)
    ]
    of = np.array([i for i, _, _ in rows])
    held = np.array([flag for _, _, flag in rows], float)
    count = np.array([[codes.count(k) for k in range(9)] for _, codes, _ in rows], float)
    sizes = np.array([size for _, _, size in observed], float)
    factors, most = np.ones(9), count.sum(axis=1).max()
    for _ in range(ROUNDS):
        weight = np.exp(count @ np.log(factors))
        told = weight / np.bincount(of, weight)[of] * sizes[of]
        factors *= ((held @ count + 0.5) / (told @ count + 0.5)) ** (1 / most)
    return factors


@click.command()
@click.option("--hands", default=4000, help="Hands for each number of players.")
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
    """A table of factors, each row as a share of its largest."""
    table = factors.reshape(3, 3)
    click.echo(title)
    for deed, row in zip(DEEDS, table / table.max(axis=1, keepdims=True), strict=True):
        click.echo(f"  {deed:12} " + "  ".join(f"{power} {x:.3f}" for power, x in zip(POWERS, row, strict=True)))


if __name__ == "__main__":
    main()
