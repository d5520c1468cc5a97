"""Fit the weights of careful: the numbers in ``cirulla_sim/kernel/players/weights.py``.

Coordinate search, for each kind of game. Each weight in turn is moved up or down; the change is accepted if the player
with it wins by two standard errors on the same deals, in every seat in turn. If neither direction helps, the step is
halved. Every comparison uses new deals; the final evaluation uses another seed.

    python scripts/fit_careful.py [KIND]... [--hands 20k] [--rounds 4]

Starts from the current weights. Prints the fitted weights, to be copied into the file, and their margins over the
current weights and over greedy.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np
from numpy.typing import NDArray

from cirulla_sim.core import arguments
from cirulla_sim.engine.chunks import prepared, row_names, workspace
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.kernel.entries.hands import run_hands
from cirulla_sim.kernel.game.lockstep import new_lockstep
from cirulla_sim.kernel.game.streams import batch
from cirulla_sim.kernel.game.tallies import SIZE, views
from cirulla_sim.kernel.players.weights import (
    FITTED,
    GROUPS,
    OF_RANKS,
    Weights,
    kind_of,
    nearest,
    weights,
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
STEPS = {"own_likely": 0.04, "other_likely": 0.1}
STEP = 0.2
CLEAR = 2.0
"""Standard errors by which a weight must be better to be accepted."""

Player = tuple[str, Weights]


def points(rules: Rules, players: list[Player], seed: int, first: int, hands: int) -> NDArray[np.float64]:
    """float64[hands, sides]: the points of each side, each a policy with weights."""
    experiment = Experiment(rules, tuple(name for name, _ in players), hands, seed)
    flat, codes, work = prepared(experiment)
    mind = workspace().record.mind
    for side, (_, own) in enumerate(players):
        mind.weights[side] = weights_record(own, rules)[0]
    names = row_names(rules)
    rows = np.zeros((hands, len(names)), np.int16)
    run_hands(
        flat, codes, batch(seed, first, hands), work, new_lockstep(), views(np.zeros(SIZE, np.int64)), rows,
        np.zeros(0, np.uint64),
    )  # fmt: skip
    mind.weights[:] = weights(rules)
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
    skipped += () if kind_of(rules).large else OF_RANKS
    for field in Weights._fields:
        if not field.startswith("keep"):
            yield from () if field in skipped else (field,)
            continue
        for place in range(len(GROUPS) + (rules.matta is not None)):
            yield f"{field}.{place}"


def fitted(rule_sets: tuple[Rules, ...], own: Weights, hands: int, rounds: int) -> Weights:
    """The weights after a number of rounds of the search."""
    steps = {name: STEPS.get(name, STEP) for name in names_of(rule_sets[0])}
    first = 0
    for number in range(rounds):
        gained = 0.0
        for name in steps:
            for by in (steps[name], -steps[name]):
                changed = moved(own, name, by)
                ahead = all_margins(rule_sets, ("careful", changed), ("careful", own), SEED, first, hands)
                if ahead.mean() > CLEAR * ahead.std() / np.sqrt(len(ahead)):
                    own, gained = changed, gained + ahead.mean()
                    steps[name] = by
                    break
            else:
                steps[name] /= 2
            first += hands
        click.echo(f"  round {number + 1}: {gained:+.3f}", err=True)
    return own


@click.command()
@click.argument("kinds", nargs=-1, type=click.Choice(list(KINDS)))
@click.option("--hands", default="20k", show_default=True, help="Hands of a comparison, in each seat.")
@click.option("--rounds", default=4, show_default=True, help="Rounds over all weights.")
def main(kinds: tuple[str, ...], hands: str, rounds: int) -> None:
    """Fit and print the weights of some kinds of game, by default all."""
    number = arguments.count("--hands", hands, 1, 10**9)
    for name in kinds or KINDS:
        rule_sets = KINDS[name]
        kind = kind_of(rule_sets[0])
        before = FITTED[nearest(kind)]
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
