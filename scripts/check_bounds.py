"""Play hands of every policy, and games, under every preset and many house rules with array bounds checked.

    python scripts/check_bounds.py [--hands 8]

Compiled code does not check its indices. This script compiles it again with checks (a minute, with a cache of its own)
and reports every index out of bounds, also in the opponent models of search. Run it after every change of the kernel.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace

if os.environ.get("NUMBA_BOUNDSCHECK") != "1":  # read once by numba, whose cache ignores it
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    os.environ["NUMBA_CACHE_DIR"] = os.path.join(os.environ.get("NUMBA_CACHE_DIR", "out"), "bounds_checked")
    os.execv(sys.executable, [sys.executable, *sys.argv])

import click

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import play_chunk, workspace
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

HOUSES = (
    (), ("optional-capture",), ("queen-matta",), ("open-partners",), ("open-last-stage",), ("matta-reverts",),
    ("ace-must-sweep",), ("no-matta",), ("optional-capture", "open-partners"),
)  # fmt: skip
POLICIES = ("random", "greedy", "careful", "open", "search:4", "search:2:search:1")
DEAR = ("open", "search:2:search:1")
"""Slow policies, which play an eighth of the hands."""


def games() -> Iterator[tuple[str, Rules]]:
    """The rules to check, each with a name."""
    for preset in preset_names():
        for players in (2, 3, 4):
            for houses in HOUSES:
                try:
                    rules = build(preset, players=players, houses=houses)
                except InputError:
                    continue  # the preset does not allow this number of players or this house rule
                yield " ".join((preset, str(players), *houses)), rules


def faults(rules: Rules) -> Iterator[str]:
    """The wrong answers of policies that search asks."""
    for side in range(rules.sides):
        for turn in ("", ", in their turn"):
            fault = workspace(f"workspace, asked by side {side}{turn}").record.fault
            if fault.is_set:
                yield f"those asked by side {side}{turn} answered {int(fault.answer)} of {int(fault.plays)}"
                fault.is_set = 0


def errors_of(rules: Rules, policy: str, hands: int) -> list[str]:
    """The errors in some hands."""
    try:
        play_chunk(Experiment(rules, (policy,), 10**6, 9), 0, hands)
    except Exception as error:  # reported, whatever it is
        return [str(error)]
    return list(faults(rules))


OF_GAMES = (
    {}, {"best_of": 3}, {"hands_per_game": 1, "hands_tie": "draw"}, {"hands_per_game": 2, "knockout_tiebreak": True},
)  # fmt: skip
"""Fields of the rules of whole games."""


def errors_of_games(rules: Rules, number: int) -> Iterator[str]:
    """The errors in some games of greedy players, as the rules have them, in matches, drawn and in knock-outs."""
    for changes in OF_GAMES:
        try:
            games = Games(replace(rules, **changes), ("greedy",), number, 9)
            games.check()
        except InputError:
            continue  # these sides do not play so
        try:
            games.play(0, number, rows=True)
        except Exception as error:  # reported, whatever it is
            yield f"{changes}: {error}"


@click.command()
@click.option("--hands", default=8, show_default=True, help="Hands of each policy under each rules.")
def main(hands: int) -> None:
    """Play and report every index out of bounds; exit with code 1 if there is any."""
    total = 0
    for name, rules in games():
        for message in errors_of_games(rules, 100 * hands):
            total += 1
            click.echo(f"{name}, games: {message}")
        for policy in POLICIES:
            for message in errors_of(rules, policy, max(1, hands // 8) if policy in DEAR else hands):
                total += 1
                click.echo(f"{name}, {policy}: {message}")
    click.echo(f"{total} faults")
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
