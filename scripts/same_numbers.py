"""Check that a change leaves every number as it was: run a fixed list of commands before and after, and compare.

Run it with the Python of each version, in a folder of its own, then compare the two:

    .venv/bin/python scripts/same_numbers.py run out/before
    .venv/bin/python scripts/same_numbers.py run out/after
    .venv/bin/python scripts/same_numbers.py compare out/before out/after

Every number of every table must be the same: in parquet files, and in what commands print as JSON or raw CSV. What
differs in labels and metadata is counted by kind. Of texts for readers only the exit codes of the commands are
compared.
"""

from __future__ import annotations

import csv
import io
import json
import math
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import polars as pl

COMMANDS = """
rules list
rules show cirulla
rules show cirullone --players 4
rules show matta-ace --format toml
rules show scopa --format json --players 2
rules diff cirulla cirulla-catsatcards
show --policy random --hand 3
show --policy 'others=greedy, dealer=careful' --hand 5 --hands 3 --format json
show --rules cirullone --policy careful --hand 7
show --rules cirullone --policy greedy --hands 2 --format json
show --rules scopone-scientifico --policy careful --hand 2
show --policy search:8 --players 3 --hand 11 --format json
show --policy greedy --hand 4 --coach --samples 16
show --policy greedy --hand 4 --coach --samples 16 --format json
simulate --policy random --hands 20k
simulate --policy random --hands 20k --format json
simulate --hands 20k --format csv --raw --policy greedy --players 2
simulate --hands 5k --format markdown --raw --policy 'first=random, others=greedy' --players 3
simulate --hands 2k --format html --rules cirullone --policy greedy
simulate --hands 70k --policy greedy -o simulate.parquet --records records.parquet
simulate --hands 140k --policy greedy --resume simulate.parquet -o simulate2.parquet
simulate --hands 3k --policy careful --players 2 --house piccola-seven --seed 9 -o careful.parquet
simulate --hands 60 --policy search:8 --players 4 -o search.parquet
simulate --hands 40 --policy open --rules cirullone
simulate --hands 400 --policy careful --rules cirullone-9 --records cirullone.parquet
simulate --hands 1M --policy greedy --precision 0.03 --precision-of margin
simulate --policy random --hands 10k --precision 0.001
simulate --policy random --hands 1 --only points,margin
simulate --hands 3k --engine serial --policy careful --rules scopone-scientifico --only points,wins_hand
odds
odds --rules cirullone --format json
odds "low and matta" -o question.parquet
odds "fifteen or thirty" --given "not misdeal"
odds --by sevens --format csv --raw
odds "mean(total)" --given low --format markdown
odds "triple" --rules cirullone
odds --list
odds --list knocks
odds --list next
odds "bonus(everybody)" --given "not misdeal"
odds --by "knocks(dealer_side)" --given "knocks = 3" -o by.parquet
odds "knocks = 0" --check 20k
odds "wins(us, primiera)" --given "captured(us, sevens) = 2" --sizes 22,18
odds "captured(us, sevens) = 3" --me dealer --policy greedy --hands 20k
odds sweep --at "table: 3c 5d; me: 7d Ks; gone: 2h 2s 4c 6d; to play: next; i am: first" --players 2
odds "holds(next, 7d)" --at "table: 3c 5d; me: 7s Ks; to play: next; i am: first" --check 5k --format json
compare --house piccola-seven --house no-matta --hands 20k --policy greedy
compare --all-houses --hands 2k --policy greedy -o compare.parquet
compare --policy random --against scopa --players 2 --hands 5k --format json
compare --policy random --house short-game --games 2k --hands 5k -o compare_games.parquet
compare --policy random --against cirulla-dossena --hands 5k --unpaired --only points,margin
compare --house optional-capture --house table-nine --hands 1k --policy careful
games --policy random --games 2k
games --games 2k --policy greedy --format json
games --games 300 --policy careful --aim game --players 2 -o games.parquet
games --games 600 --policy careful --aim game --players 2 --resume games.parquet -o games2.parquet
games --games 1k --rules cirulla-tournament --policy greedy --format csv --raw
games --games 100 --policy 'others=careful+game, dealer=greedy' --players 2
games --at "score: 38-41; i am: dealer" --hands 20k --policy greedy
games --at "score: 38-41; i am: dealer" --games 500 --policy greedy
games --at "score: 10-20-30; i am: dealer" --players 3 --games 500 --policy greedy
games --policy random --win-table --hands 20k -o win_table.parquet
tournament --policy random --policy greedy --hands 2k --players 2 -o tournament.parquet
tournament --policy random --policy greedy --hands 4k --players 2 --resume tournament.parquet -o tournament2.parquet
tournament --policy random --policy greedy --policy careful --hands 1k --format json
tournament --policy greedy --policy careful --hands 4k --until-decided --players 2
tournament --policy careful --policy search:2 --rules cirullone-9 --hands 1k --format csv --raw
tournament --policy greedy --policy random --players 3 --hands 1k
advise --at "table: Ad 5c 7h Kd; me: 7d 2s Jh" --samples 200
advise --at "table: Ad 5c 7h Kd; me: 7d 2s Jh" --samples 100 --format json -o advise.parquet
advise --at "table: 3c 5d; me: 7d Ks; gone: 2h 2s 4c 6d; score: 38-41" --players 2 --samples 64
advise --open --at "table: Ad 5c; me: 7d 2s Jh; next: 3c 3d Qs; gone: 2h Qd 4c 6d; stage: 6" --players 2
advise --rules cirullone --at "table: Ad 5c 7h Kd; me: 7d 2s Jh 3c 4c 5s 6s Qc Kc" --samples 8
plot simulate.parquet -o simulate.png
plot simulate.parquet -o bonuses.svg --figure bonuses
plot simulate.parquet -o scores.pdf --figure scores --width 5
plot simulate.parquet -o primiera.png --figure primiera
plot careful.parquet -o points.png --figure points
plot question.parquet -o question.png
plot by.parquet -o by.png
plot compare.parquet -o compare.png
plot compare.parquet -o categories.png --figure categories
plot games.parquet -o games.png
plot win_table.parquet -o win_table.png
plot tournament.parquet -o tournament.png
plot advise.parquet
plot records.parquet
simulate --policy gredy
simulate --rules cirula
simulate --hands ten
simulate --rule target
simulate --house picola-seven
simulate --precision-of margin
simulate --only point
simulate --policy careful+game
simulate -o nowhere/x.parquet
simulate --resume tournament.parquet
simulate --hnds 3
games --at "score: 38" --players 2
games --win-table
odds "lowe"
odds "low(tabel)"
compare
compare --house nothing
tournament --policy greedy
tournament --hands 10
advise --at "table: Ad"
advise --at "table: Xx; me: 7d"
plot missing.parquet
plot simulate.parquet --figure nothing
plot simulate.parquet -o simulate.parquet
rules show nothing
show --samples 5
sho
"""
"""A command a line, run in this order in a folder, so that a later one may read what an earlier one wrote."""

PRINTED = "printed"
"""The folder of what commands print."""

Place = tuple[str | int, ...]


# ------------------------------------------------------------------------------------------------ compared


def leaves(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The texts and numbers in a value of JSON types, each with its place; of lists also how long they are."""
    if isinstance(value, list):
        yield (*at, "items"), len(value)
    for name, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(part, (*at, name))
    if not isinstance(value, (dict, list)):
        yield at, value


def is_number(value: Any) -> bool:
    """Whether a value is a number, or a text that is one, as a fraction."""
    try:
        Fraction(value) if isinstance(value, str) else None
    except (ValueError, ZeroDivisionError):
        return False
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def same(old: Any, new: Any) -> bool:
    if isinstance(old, float) and isinstance(new, float) and math.isnan(old) and math.isnan(new):
        return True
    return type(old) is type(new) and bool(old == new)


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass
class Differences:
    """What differs between two folders: numbers, each with its place, and the kinds of other differences, counted."""

    numbers: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)

    def compare(self, where: str, kind: str, before: Any, after: Any) -> None:
        """Compare two values of JSON types: numbers, and texts that are numbers, must be the same."""
        old, new = dict(leaves(before)), dict(leaves(after))
        for place in old | new:
            name = f"{kind} {'.'.join(part for part in place if isinstance(part, str))}"
            a, b = old.get(place), new.get(place)
            if place in old and place in new and same(a, b):
                continue
            change = "added" if a is None else "removed" if b is None else f"{shown(a)} -> {shown(b)}"
            if is_number(a) or is_number(b) or not isinstance(b if a is None else a, (str, bool, type(None))):
                self.numbers.append(f"{where} {place}: {name}: {change if a is not None else shown(b)}")
            else:
                self.labels[f"{name}: {change}"] += 1


def compare_tables(differences: Differences, where: str, before: Path, after: Path) -> None:
    """Compare two parquet files; of their metadata differences are counted by key."""
    frames = [pl.read_parquet(path) for path in (before, after)]
    if frames[0].height != frames[1].height:
        differences.numbers.append(f"{where}: {frames[0].height} rows before and {frames[1].height} after")
    elif frames[0].schema != frames[1].schema or not frames[0].equals(frames[1], null_equal=True):
        differences.compare(where, "column", *(frame.to_dicts() for frame in frames))
    texts = [pl.read_parquet_metadata(path) for path in (before, after)]
    old, new = (json.loads(text.pop("cirulla_sim", "{}")) for text in texts)
    for name in old | new:
        if not same(old.get(name), new.get(name)):
            change = "added" if name not in old else "removed" if name not in new else "changed"
            differences.labels[f"metadata {name}: {change}"] += 1
    for name in texts[0] | texts[1]:
        of_package = name.startswith("cirulla_sim_") and name != "cirulla_sim_digest"
        if of_package and texts[0].get(name) != texts[1].get(name):
            differences.labels[f"stored {name}: changed"] += 1


def data_in(lines: Sequence[str]) -> Iterator[Any]:
    """The JSON values that a command printed, or the rows of its raw CSV."""
    words, output = shlex.split(lines[0]), lines[2:]
    form = words[words.index("--format") + 1] if "--format" in words else ""
    if form == "json":
        start = next((at for at, line in enumerate(output) if line.startswith(("[", "{"))), len(output))
        decoder, text = json.JSONDecoder(), "\n".join(output[start:]).strip()
        while text:
            value, end = decoder.raw_decode(text)
            yield value
            text = text[end:].strip()
    elif form == "csv" and "--raw" in words:
        heads = [at for at, line in enumerate(output) if line.startswith("quantity,") or ",quantity," in line]
        yield from csv.DictReader(io.StringIO("\n".join(output[heads[0] :]))) if heads else ()


def compare_folders(before: Path, after: Path) -> tuple[Differences, list[str]]:
    """What differs between two folders, and the commands and files that only one of them has."""
    differences = Differences()
    outputs = [
        {
            lines[0]: lines
            for path in (folder / PRINTED).glob("*.txt")
            if (lines := path.read_text("utf-8").splitlines())
        }
        for folder in (before, after)
    ]
    alone = sorted(outputs[0].keys() ^ outputs[1].keys())
    for command in sorted(outputs[0].keys() & outputs[1].keys()):
        old, new = (output[command] for output in outputs)
        if old[1] != new[1]:
            differences.numbers.append(f"{command}: {old[1]} before and {new[1]} after")
        else:
            differences.compare(command, "printed", *(list(data_in(lines)) for lines in (old, new)))
    names = [{path.name for path in folder.glob("*.parquet")} for folder in (before, after)]
    alone += sorted(names[0] ^ names[1])
    for name in sorted(names[0] & names[1]):
        compare_tables(differences, name, before / name, after / name)
    return differences, alone


# ------------------------------------------------------------------------------------------------ the commands


@click.group()
def main() -> None:
    """Run the list of commands, or compare the numbers of two versions."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--python", default=sys.executable, help="The Python whose cirulla_sim is run.")
@click.option("--only", default="", help="Run only commands that begin with this text.")
def run(folder: Path, python: str, only: str) -> None:
    """Run every command in FOLDER, and store what each prints in FOLDER/printed."""
    run_commands(folder, python, [line for line in COMMANDS.strip().splitlines() if line.startswith(only)])


def run_commands(folder: Path, python: str, lines: Sequence[str]) -> None:
    """Run commands with a Python in a folder, and store what each prints."""
    python = str(Path(python).absolute())
    (folder / PRINTED).mkdir(parents=True)
    for number, line in enumerate(lines):
        done = subprocess.run(
            [python, "-c", "from cirulla_sim.cli import main; main()", *shlex.split(line)],
            cwd=folder, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        text = f"{line}\nexit {done.returncode}\n{done.stderr}\n{done.stdout}"
        (folder / PRINTED / f"{number:03}.txt").write_text(text, "utf-8")
        click.echo(f"{done.returncode:3} {line}")


@main.command()
@click.argument("before", type=click.Path(path_type=Path, exists=True))
@click.argument("after", type=click.Path(path_type=Path, exists=True))
def compare(before: Path, after: Path) -> None:
    """List the numbers and exit codes that differ between two folders, and count other differences by kind.

    Exits with 1 where a number or an exit code differs.
    """
    differences, alone = compare_folders(before, after)
    for kind, count in sorted(differences.labels.items()):
        click.echo(f"label  {count:7_}  {kind}")
    for line in alone:
        click.echo(f"in one folder only: {line}")
    for line in differences.numbers:
        click.echo(f"NUMBER {line}")
    labels = sum(differences.labels.values())
    click.echo(f"{len(differences.numbers):_} numbers and exit codes differ, {labels:_} labels and keys")
    sys.exit(bool(differences.numbers))


if __name__ == "__main__":
    main()
