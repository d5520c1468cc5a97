"""Fit how plays change the probability of the cards still held: ``cirulla_sim/kernel/players/opponents.py``.

The data are hands of good players with 2, 3 and 4 seats. After every play, the model gives each card that the next
player does not see a weight, proportional to the probability that the last player holds it:

- its probability if all deals that fit the cards shown and the knocks not made were equally likely,
- times a factor for each play of that player in the stage, by what the play did and what the card could have done,
- times a factor by what the card can do to the table left.

The factors maximise the likelihood of the cards held (iterative scaling). Evaluate them on another seed.

    python scripts/fit_reading.py [--hands 500] [--policy search]

Prints the factors, each row as shares of its largest, to be copied into the file.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np

from cirulla_sim.advice.decision_points import RecordedTurn, turns
from cirulla_sim.core.cards import mask, members
from cirulla_sim.engine.chunks import prepare_play
from cirulla_sim.engine.hand_in_play import memory_of
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.kernel.entries.values import deal_behind
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation import plays as situation
from cirulla_sim.situation.hand import HandState

SEED = 7_000_001
DEALS = 200
"""Sampled deals that estimate the probability of cards before plays are taken into account."""
DEEDS, POWERS, KINDS = ("left a card", "captured", "swept"), ("nothing", "capture", "sweep"), ("card", "ace")
DONE, BEHIND = len(DEEDS) * len(POWERS) * len(KINDS), len(POWERS) * len(KINDS)
SIZE = DONE + BEHIND
ACES = mask(range(0, 40, 10))
ROUNDS = 200

Card = tuple[list[int], float, bool]
"""An unseen card: the indices of its factors, its probability before plays are taken into account, and whether it is
held."""


def by_power(now: HandState) -> list[int]:
    """``BEHIND`` masks: the cards that can do nothing to the table, capture, or sweep, each without and with aces.

    All masks are empty if the table is.
    """
    table, matta_value = now.table, now.matta_value
    if not table:
        return [0] * BEHIND
    can_capture, _ = takers(now.rules, table, 0, matta_value)
    can_sweep, _ = takers(now.rules, table, table, matta_value)
    return [cards & of for cards in (~can_capture, can_capture & ~can_sweep, can_sweep) for of in (~ACES, ACES)]


def code_masks(turn: RecordedTurn, left: HandState) -> dict[int, int]:
    """By index of a factor, the cards to which it applies after a play that left a table."""
    deed = 2 if situation.is_scopa_play(turn.play) else 1 if situation.captured(turn.play) else 0
    instead = by_power(turn.hand.seen_by())
    return {BEHIND * deed + k: cards for k, cards in enumerate(instead)} | {
        DONE + k: cards for k, cards in enumerate(by_power(left))
    }


def seen(players: int, policy: str, hands: int) -> Iterator[list[Card]]:
    """The unseen cards after each play, from the next player's view."""
    dealt = np.zeros((DEALS, 4), np.uint64)
    experiment = Experiment(build("cirulla", players=players), (policy,), 1, SEED)
    flat, _, work = prepare_play(experiment)
    for number in range(hands):
        record = hand_record(experiment, number)
        before: dict[int, list[dict[int, int]]] = {}
        last: RecordedTurn | None = None
        for turn in turns(record):
            if last is None or turn.hand.stage != last.hand.stage:
                before, last = {}, None
            if last is not None:
                seat = last.hand.to_play
                now = turn.hand.seen_by()
                before.setdefault(seat, []).append(code_masks(last, now))
                hidden = turn.hand.known[seat] & now.unseen
                if hidden and now.all_holdings() is None:
                    deal_behind(flat, np.uint64(SEED), np.uint64(0), memory_of(now, reads=False), work, dealt)
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
        expected = weight / np.bincount(of, weight)[of] * sizes[of]
        factors *= ((held @ count + 0.5) / (expected @ count + 0.5)) ** (1 / most)
    return factors


@click.command()
@click.option("--hands", default=500, help="Hands for each number of players.")
@click.option("--policy", default="search", help="The policy of all players.")
def main(hands: int, policy: str) -> None:
    """Print the factors for each number of players and for all."""
    everything = []
    for players in (2, 3, 4):
        observed = list(seen(players, policy, hands))
        everything += observed
        show(f"{players} players, {len(observed)} plays", fitted(observed))
    show("all", fitted(everything))


def show(title: str, factors: np.ndarray) -> None:
    """Print a table of factors: a row for each kind of play and one for the table left, as [card, ace]."""
    table = factors.reshape(-1, 3, 2)
    click.echo(title)
    for deed, rows in zip((*DEEDS, "the table"), table / table.max(axis=(1, 2), keepdims=True), strict=True):
        cells = [f"{power} [{card:.3f}, {ace:.3f}]" for power, (card, ace) in zip(POWERS, rows, strict=True)]
        click.echo(f"  {deed:12} " + "  ".join(cells))


if __name__ == "__main__":
    main()
