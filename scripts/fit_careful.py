"""Fit the weights of careful: the numbers in ``cirulla_sim/kernel/players/weights.py``.

Search by chance (cross-entropy), for each kind of game. In a round, players whose weights are drawn around the present
ones play against the player with which the search began, all on the same deals and in every seat in turn; the weights
move most of the way to the mean of the best. All weights change together: of those for Cirulla in pairs no single one
gained anything, and together they gained 0.12 points a hand. Every round uses new deals; the final evaluation uses
another seed.

    python scripts/fit_careful.py [KIND]... [--hands 8k] [--rounds 8]

Starts from the current weights. Prints the fitted weights, to be copied into the file, and their margins over the
current weights and over greedy.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np
from numpy.typing import NDArray

from cirulla_sim.core import arguments
from cirulla_sim.engine.chunks import prepare_play, row_names, workspace
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel.entries.hands import run_hands
from cirulla_sim.kernel.game.lockstep import lockstep_type
from cirulla_sim.kernel.game.streams import batch
from cirulla_sim.kernel.game.tallies import SIZE, views
from cirulla_sim.kernel.players.weights import (
    FITTED,
    GROUPS,
    OF_RANKS,
    Weights,
    build_weights,
    game_kind,
    nearest_kind,
    weights_record,
)
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

SEED, JUDGED = 8_000_001, 8_000_002
KINDS: dict[str, tuple[Rules, ...]] = {
    "cirulla-2": (build("cirulla", players=2),),
    "cirulla-3": (build("cirulla", players=3),),
    "cirulla-4": (build("cirulla", players=4),),
    "cirulla-4-alone": (build("cirulla", changes={"partnership": False}),),
    "cirullone": (build("cirullone"), build("cirullone-6-3"), build("cirullone-3-6")),
    "scopa-2": (build("scopa", players=2),),
    "scopa-3": (build("scopa", players=3),),
    "scopa-4-alone": (build("scopa", players=4),),
    "scopa-team": (build("scopa-team"),),
    "scopone": (build("scopone"), build("scopone-scientifico")),
}
"""The rule sets of which a kind is fitted, each on as many hands."""
SPREADS = {"own_likely": 0.03, "other_likely": 0.05, "keep_single.0": 0.2, "keep_several.0": 0.2}
SPREAD = 0.1
"""The standard deviations of the weights drawn; these are of how much it is worth to keep an ace."""
POPULATION, BEST, STEP = 16, 5, 0.7
"""Players of a round, those that the weights move to, and how much of the way."""

Player = tuple[str, Weights]


def points(rules: Rules, players: list[Player], seed: int, first: int, hands: int) -> NDArray[np.float64]:
    """float64[hands, sides]: the points of each side, each a policy with weights."""
    experiment = Experiment(rules, tuple(name for name, _ in players), hands, seed)
    flat, codes, work = prepare_play(experiment)
    mind = workspace().record.mind
    for side, (_, own) in enumerate(players):
        mind.weights[side] = weights_record(own, rules)[0]
    names = row_names(rules)
    rows = np.zeros((hands, len(names)), np.int16)
    run_hands(
        flat, codes, batch(seed, first, hands), work, lockstep_type.zeros()[0], views(np.zeros(SIZE, np.int64)), rows,
        np.zeros(0, np.uint64),
    )  # fmt: skip
    mind.weights[:] = build_weights(rules)
    return rows[:, [names.index(f"side{side}_total") for side in range(rules.sides)]].astype(np.float64)


def margins(rules: Rules, player: Player, opponent: Player, seed: int, first: int, hands: int) -> NDArray[np.float64]:
    """float64[hands]: by deal, the margin of a player against opponents on the other sides, averaged over its sides."""
    ahead = np.zeros(hands)
    for place in range(rules.sides):
        seated = [player if side == place else opponent for side in range(rules.sides)]
        scores = points(rules, seated, seed, first, hands)
        ahead += scores[:, place] - (scores.sum(axis=1) - scores[:, place]) / (rules.sides - 1)
    return ahead / rules.sides


def all_margins(
    rule_sets: tuple[Rules, ...], player: Player, opponent: Player, seed: int, first: int, hands: int
) -> NDArray[np.float64]:
    """float64[about hands]: the ``margins`` under each of some rule sets in turn, as many hands under each."""
    each = hands // len(rule_sets)
    return np.concatenate([margins(rules, player, opponent, seed, first, each) for rules in rule_sets])


def moved(own: Weights, name: str, by: float) -> Weights:
    """The weights with one, for example ``reply`` or ``keep_single.3``, changed by an amount."""
    field, _, place = name.partition(".")
    if not place:
        least = 0.0 if field.endswith("likely") else -np.inf
        return own._replace(**{field: round(max(least, getattr(own, field) + by), 4)})
    values = list(getattr(own, field))
    values[int(place)] = round(values[int(place)] + by, 4)
    return own._replace(**{field: tuple(values)})


def names_of(rules: Rules) -> Iterator[str]:
    """The names of the weights that have an effect under some rules."""
    skipped = () if rules.players == 2 else ("own_next", "own_likely")
    skipped += () if game_kind(rules).large else OF_RANKS
    for field in Weights._fields:
        if not field.startswith("keep"):
            yield from () if field in skipped else (field,)
            continue
        for place in range(len(GROUPS) + (rules.matta is not None)):
            yield f"{field}.{place}"


def value_of(own: Weights, name: str) -> float:
    """The weight of a name, for example ``reply`` or ``keep_single.3``."""
    field, _, place = name.partition(".")
    value = getattr(own, field)
    return float(value[int(place)] if place else value)


def fitted(rule_sets: tuple[Rules, ...], own: Weights, hands: int, rounds: int) -> Weights:
    """The weights after a number of rounds of the search."""
    before, draws = own, np.random.default_rng(SEED)
    spread = {name: SPREADS.get(name, SPREAD) for name in names_of(rule_sets[0])}
    for number in range(rounds):
        players = [own]
        for _ in range(POPULATION - 1):
            player = own
            for name, size in spread.items():
                player = moved(player, name, size * float(draws.standard_normal()))
            players.append(player)
        ahead = [
            all_margins(rule_sets, ("careful", player), ("careful", before), SEED, number * hands, hands).mean()
            for player in players
        ]
        best = [players[i] for i in np.argsort(ahead)[-BEST:]]
        for name in spread:
            target = sum(value_of(player, name) for player in best) / BEST
            own = moved(own, name, STEP * (target - value_of(own, name)))
        click.echo(f"  round {number + 1}: {ahead[0]:+.3f}", err=True)
    return own


@click.command()
@click.argument("kinds", nargs=-1, type=click.Choice(list(KINDS)))
@click.option("--hands", default="8k", show_default=True, help="Hands of a comparison, in each seat.")
@click.option("--rounds", default=8, show_default=True, help="Rounds of the search.")
def main(kinds: tuple[str, ...], hands: str, rounds: int) -> None:
    """Fit and print the weights of some kinds of game, by default all."""
    number = arguments.count("--hands", hands, 1, 10**9)
    for name in kinds or KINDS:
        rule_sets = KINDS[name]
        kind = game_kind(rule_sets[0])
        before = FITTED[nearest_kind(kind)]
        after = fitted(rule_sets, before, number, rounds)
        click.echo(f"    {kind}: {after},")
        for rules in rule_sets:
            for policy, own in (("careful", before), ("greedy", after)):
                margin = mean_of(margins(rules, ("careful", after), (policy, own), JUDGED, 0, 4 * number))
                click.echo(f"    # over {policy}{' before' if own is before else ''}: {margin}")


def mean_of(values: NDArray[np.float64]) -> str:
    """A mean with its 95% interval."""
    return f"{values.mean():+.3f} ± {1.96 * values.std(ddof=1) / np.sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
