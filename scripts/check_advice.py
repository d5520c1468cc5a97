"""Compare advice in random positions with the exact values of the tests' referee.

    python scripts/check_advice.py [--positions 20000] [--samples 2000] [--seed 1] [--processes 2]

Positions are of the last stage under every preset, with up to three cards each; `tests/judged_positions.py` says what
is compared. Prints every number of the program that is out by five standard errors or more, or that cannot be, and a
line that sums up. Exit code 1 if one cannot be, or if the largest difference is less likely than one in a thousand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import NormalDist

import click
from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from judged_positions import Difference, differences

NOTABLE = 5.0
CHANCE = 0.001


def compared(number: int, samples: int, seed: int) -> list[Difference]:
    """All differences in a position."""
    return list(differences(number, samples, seed))


def all_differences(positions: int, samples: int, seed: int, processes: int) -> Iterator[list[Difference]]:
    """The differences in every position, in order."""
    compare = partial(compared, samples=samples, seed=seed)
    if processes == 1:
        yield from map(compare, range(positions))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(compare, range(positions), chunksize=20)


@click.command()
@click.option("--positions", default=20_000, show_default=True, help="How many positions.")
@click.option("--samples", default=2_000, show_default=True, help="Deals of the hidden cards in each.")
@click.option("--seed", default=1, show_default=True, help="Of the positions.")
@click.option("--processes", default=1, show_default=True, help="How many processes share the work.")
def main(positions: int, samples: int, seed: int, processes: int) -> None:
    """Compare and report; exit with code 1 if a number is wrong."""
    numbers, uncertain, largest = 0, 0, 0.0
    for found in tqdm(all_differences(positions, samples, seed, processes), total=positions, unit="positions"):
        for difference in found:
            numbers, uncertain = numbers + 1, uncertain + (not difference.is_sure)
            largest = max(largest, abs(difference.z))
            if abs(difference.z) >= NOTABLE:
                click.echo(f"position {difference.position}: {difference.what}: {difference.z:+.2f} standard errors")
    bound = NormalDist().inv_cdf(1 - CHANCE / 2 / max(uncertain, 1))
    click.echo(
        f"{positions:_} positions, {numbers:_} numbers compared, {uncertain:_} of them estimates; the largest "
        f"difference is {largest:.2f} standard errors (one in a thousand such runs exceeds {bound:.2f})"
    )
    sys.exit(largest > bound)


if __name__ == "__main__":
    main()
