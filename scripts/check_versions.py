"""Install the package with its dependencies at their lowest and newest versions, and compare the numbers of results.

    python scripts/check_versions.py out/versions --python 3.11 --python 3.13

Each Python gets two environments in the folder, made by uv: direct dependencies at the lowest versions that
pyproject.toml allows and that Python has, and everything at its newest. In each the same commands run, and every number
must be that of the first. Exits with 1 where a number or an exit code differs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from same_numbers import compare_folders, run_commands

ROOT = Path(__file__).parent.parent

COMMANDS = """
simulate --policy greedy --hands 300 -o simulate.parquet
simulate --policy careful --policy random --players 3 --hands 2k -o line_ups.parquet
odds "barsega given matta" "mean(bonus_points)" "sd(total)" -o exact.parquet
odds "correlation(points(us), sweeps(us))" "quantiles(margin(us))" --policy greedy --hands 2k -o odds.parquet
compare --house no-matta --house three-equal-misdeal --players 2 --hands 2k -o compare.parquet
compare --house short-game --policy greedy --games 500 --hands 5k -o compare_games.parquet
games --games 300 --policy careful --players 2 -o games.parquet
games --at "score: 38-41; i am: dealer" --hands 5k --policy greedy -o score.parquet
tournament --policy random --policy greedy --policy search:2 --hands 100 -o tournament.parquet
advise --at "table: Ad 5c 7h Kd; me: 7d 2s Jh" --samples 200 -o advise.parquet
plot simulate.parquet -o simulate.png
""".strip().splitlines()
"""Ten results, by counting, simulation, chains of scores and search, and a chart."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--python", "pythons", multiple=True, default=[sys.executable], help="A Python; repeatable.")
def main(folder: Path, pythons: Sequence[str]) -> None:
    """Compare the numbers of results under several versions."""
    first, differ = None, 0
    for python in pythons:
        for resolution in ("lowest-direct", "highest"):
            place = folder.absolute() / f"{Path(python).name}-{resolution}"
            _install(place / "venv", python, resolution)
            run_commands(place / "results", str(place / "venv" / "bin" / "python"), COMMANDS)
            first = first or place
            differences, alone = compare_folders(first / "results", place / "results")
            for line in [*differences.numbers, *alone]:
                click.echo(f"NUMBER {line}")
            differ += len(differences.numbers) + len(alone)
            click.echo(f"{place.name}: {len(differences.numbers)} numbers differ from {first.name}\n")
    sys.exit(bool(differ))


def _install(environment: Path, python: str, resolution: str) -> None:
    """Make an environment with the package and its dependencies, from wheels alone, and list their versions."""
    subprocess.run(["uv", "venv", "--quiet", "--clear", "--python", python, environment], check=True)
    pip, of = ["uv", "pip"], ["--quiet", "--python", environment]
    wheels = ["--only-binary", ":all:", "--no-binary", "cirulla-sim"]
    subprocess.run([*pip, "install", *of, "--resolution", resolution, *wheels, ROOT], check=True)
    listed = subprocess.run([*pip, "list", *of, "--format", "freeze"], check=True, capture_output=True, text=True)
    click.echo(" ".join(listed.stdout.split()))


if __name__ == "__main__":
    main()
