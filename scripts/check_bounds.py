"""Hands of every policy under every preset and many house rules, every index into an array checked.

    python scripts/check_bounds.py [--hands 8]

Compiled code does not check its indices; here it is compiled again so that it does (a minute, kept in a folder of its
own), those that search asks are looked at as well, and whatever is out of bounds is told. Run it after a change of what
is compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

if os.environ.get("NUMBA_BOUNDSCHECK") != "1":  # numba reads it once, and its cache does not tell such code apart
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    os.environ["NUMBA_CACHE_DIR"] = os.path.join(os.environ.get("NUMBA_CACHE_DIR", "out"), "bounds_checked")
    os.execv(sys.executable, [sys.executable, *sys.argv])

import click

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import play_chunk, workspace
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

HOUSES = (
    (), ("optional-capture",), ("queen-matta",), ("open-partners",), ("open-last-stage",), ("matta-reverts",),
    ("ace-must-sweep",), ("no-matta",), ("optional-capture", "open-partners"),
)  # fmt: skip
POLICIES = ("random", "greedy", "careful", "careful+silent", "open", "search:4", "search:4+silent", "search:2:search:1")
DEAR = ("open", "search:2:search:1")
"""Of these an eighth of the hands is played."""


def games() -> Iterator[tuple[str, Rules]]:
    """The rules to be played, with a name."""
    for preset in preset_names():
        for players in (2, 3, 4):
            for houses in HOUSES:
                try:
                    rules = build(preset, players=players, houses=houses)
                except InputError:
                    continue  # no game of so many, or a house rule that it has not
                yield " ".join((preset, str(players), *houses)), rules


def faults(rules: Rules) -> Iterator[str]:
    """What those that search asks have answered wrongly."""
    for side in range(rules.sides):
        for turn in ("", ", in their turn"):
            fault = workspace(f"workspace, asked by side {side}{turn}").record.fault
            if fault.is_set:
                yield f"those asked by side {side}{turn} answered {int(fault.answer)} of {int(fault.plays)}"
                fault.is_set = 0


def wrong(rules: Rules, policy: str, hands: int) -> list[str]:
    """What goes wrong in some hands."""
    try:
        play_chunk(Experiment(rules, (policy,), 10**6, 9), 0, hands)
    except Exception as error:  # whatever it is, it is told
        return [str(error)]
    return list(faults(rules))


@click.command()
@click.option("--hands", default=8, show_default=True, help="Hands of each policy under each rules.")
def main(hands: int) -> None:
    """Play, and tell what is out of bounds; the exit code is 1 if anything is."""
    found = 0
    for name, rules in games():
        for policy in POLICIES:
            for what in wrong(rules, policy, max(1, hands // 8) if policy in DEAR else hands):
                found += 1
                click.echo(f"{name}, {policy}: {what}")
    click.echo(f"{found} faults")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
