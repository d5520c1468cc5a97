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
from itertools import zip_longest
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
rules diff cirullone piccola-seven --players 2
show --policy random --hand 3
show --policy greedy,careful --hand 5 --hands 3 --format json
show --rules cirullone --policy careful --hand 7
show --rules cirullone --policy greedy --hands 2 --format json
show --rules scopone-scientifico --policy careful --hand 2
show --policy search:8 --players 3 --hand 11 --format json
show --policy greedy --hand 4 --coach --samples 16
show --policy greedy --hand 4 --coach --samples 16 --format json
simulate --policy random --hands 20k
simulate --policy random --hands 20k --format json
simulate --hands 20k --format csv --raw --policy greedy --players 2
simulate --hands 5k --format markdown --raw --policy random,greedy --players 3
simulate --policy random --hands 2k --format latex --rules scopa
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
odds "low and has_matta" -o question.parquet
odds "fifteen or thirty" --of table --given "not misdeal"
odds --by sevens --format csv --raw
odds --mean total --given low --format markdown
odds "triple" --cards 9 --rules cirullone
odds --list
odds --list --of deal
odds --list --of position
odds "knocks = 4" --of first-deal --given "not misdeal"
odds --by knocks_dealer --of deal --given "knocks = 3" -o by.parquet
odds "knocks = 0" --of deal --check 20k
odds "primiera_won" --of piles --given "sevens = 2" --sizes 22,18
odds "sevens = 3" --of piles --policy greedy --hands 20k
odds sweep --table "3c 5d" --holding "7d Ks" --seen "2h 2s 4c 6d" --players 2
odds "holds 7d" --table "3c 5d" --holding "7s Ks" --check 5k --format json
compare --house piccola-seven --house no-matta --hands 20k --policy greedy
compare --all-houses --hands 2k --policy greedy -o compare.parquet
compare --policy random --against scopa --players 2 --hands 5k --format json
compare --policy random --house short-game --games 2k --hands 5k -o compare_games.parquet
compare --policy random --against cirulla-dossena --hands 5k --unpaired --only points,margin
compare --house optional-capture --house table-nine --hands 1k --policy careful --resume-not-there x
compare --house optional-capture --house table-nine --hands 1k --policy careful
games --policy random --games 2k
games --games 2k --policy greedy --format json
games --games 300 --policy careful --aim game --players 2 -o games.parquet
games --games 600 --policy careful --aim game --players 2 --resume games.parquet -o games2.parquet
games --games 1k --rules cirulla-tournament --policy greedy --format csv --raw
games --games 100 --policy careful+game,greedy --players 2
games --from 38-41 --dealer us --hands 20k --policy greedy --check 500
games --from 10-20-30 --players 3 --games 500 --policy greedy
games --policy random --win-table --hands 20k -o win_table.parquet
tournament --policy random,greedy --hands 2k --players 2 -o tournament.parquet
tournament --policy random,greedy --hands 4k --players 2 --resume tournament.parquet -o tournament2.parquet
tournament --policy random,greedy,careful --hands 1k --format json
tournament --policy greedy,careful --hands 4k --until-decided --players 2
tournament --policy careful,search:2 --rules cirullone-9 --hands 1k --format csv --raw
tournament --policy greedy,random --players 3 --hands 1k
advise --table "Ad 5c 7h Kd" --holding "7d 2s Jh" --samples 200
advise --table "Ad 5c 7h Kd" --holding "7d 2s Jh" --samples 100 --format json -o advise.parquet
advise --table "3c 5d" --holding "7d Ks" --seen "2h 2s 4c 6d" --players 2 --samples 64 --score 38-41
advise --open --hands "7d 2s Jh/3c 3d Qs" --table "Ad 5c" --players 2 --seen "2h 2s 4c 6d" --stage 6
advise --rules cirullone --table "Ad 5c 7h Kd" --holding "7d 2s Jh 3c 4c 5s 6s Qc Kc" --samples 8
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
simulate --policy greedy,greedy,greedy
simulate --policy careful+game
simulate -o nowhere/x.parquet
simulate --resume tournament.parquet
simulate --hnds 3
games --from 38 --players 2
games --win-table
odds "lowe"
odds "low" --of tabel
compare
compare --house nothing
tournament --policy greedy
tournament --hands 10
advise --table "Ad"
advise --table "Xx" --holding "7d"
plot missing.parquet
plot simulate.parquet --figure nothing
plot simulate.parquet -o simulate.parquet
rules show nothing
show --samples 5
sho
"""
"""A command a line, run in this order in a folder, so that a later one may read what an earlier one wrote."""

BY_NAME = {
    "--policy greedy,careful --hand 5": "--policy 'others=greedy, dealer=careful' --hand 5",
    "--policy random,greedy --players 3": "--policy 'first=random, dealer=greedy' --players 3",
    "--policy careful+game,greedy": "--policy 'others=careful+game, dealer=greedy'",
    "tournament --policy random,greedy,careful": "tournament --policy random --policy greedy --policy careful",
    "tournament --policy random,greedy": "tournament --policy random --policy greedy",
    "tournament --policy greedy,careful": "tournament --policy greedy --policy careful",
    "tournament --policy greedy,random": "tournament --policy greedy --policy random",
    "tournament --policy careful,search:2": "tournament --policy careful --policy search:2",
    'odds "low and has_matta"': 'odds "low and matta"',
    'odds "fifteen or thirty" --of table': 'odds "fifteen or thirty"',
    "odds --mean total": 'odds "mean(total)"',
    'odds "triple" --cards 9 --rules cirullone': 'odds "contains_triple" --rules cirullone',
    "odds --list --of deal": "odds --list knocks",
    "odds --list --of position": "odds --list next",
    'odds "knocks = 4" --of first-deal': 'odds "bonus(everybody)"',
    "odds --by knocks_dealer --of deal": 'odds --by "knocks(dealer_side)"',
    'odds "knocks = 0" --of deal': 'odds "knocks = 0"',
    'odds "primiera_won" --of piles --given "sevens = 2"':
        'odds "wins(us, primiera)" --given "captured(us, sevens) = 2"',
    'odds "sevens = 3" --of piles': 'odds "captured(us, sevens) = 3" --me dealer',
    'odds "holds 7d"': 'odds "holds(next, 7d)"',
    'odds "low" --of tabel': 'odds "low(tabel)"',
    'odds sweep --table "3c 5d" --holding "7d Ks" --seen "2h 2s 4c 6d"':
        'odds sweep --at "table: 3c 5d; me: 7d Ks; gone: 2h 2s 4c 6d; to play: next; i am: first"',
    '--table "3c 5d" --holding "7s Ks"': '--at "table: 3c 5d; me: 7s Ks; to play: next; i am: first"',
    "--from 38-41 --dealer us": '--at "score: 38-41; i am: dealer"',
    "--from 10-20-30": '--at "score: 10-20-30; i am: dealer"',
    "--from 38": '--at "score: 38"',
    '--table "Ad 5c 7h Kd" --holding "7d 2s Jh"': '--at "table: Ad 5c 7h Kd; me: 7d 2s Jh"',
    '--table "Ad 5c 7h Kd" --holding "7d 2s Jh 3c 4c 5s 6s Qc Kc"':
        '--at "table: Ad 5c 7h Kd; me: 7d 2s Jh 3c 4c 5s 6s Qc Kc"',
    '--table "3c 5d" --holding "7d Ks" --seen "2h 2s 4c 6d" --players 2 --samples 64 --score 38-41':
        '--at "table: 3c 5d; me: 7d Ks; gone: 2h 2s 4c 6d; score: 38-41" --players 2 --samples 64',
    '--hands "7d 2s Jh/3c 3d Qs" --table "Ad 5c" --players 2 --seen "2h 2s 4c 6d" --stage 6':
        '--at "table: Ad 5c; me: 7d 2s Jh; next: 3c 3d Qs; gone: 2h 2s 4c 6d; stage: 6" --players 2',
    '--table "Xx" --holding "7d"': '--at "table: Xx; me: 7d"',
    'advise --table "Ad"': 'advise --at "table: Ad"',
}  # fmt: skip
"""Parts of commands as version 0.1 takes them, and the same by name; the first that a command has is replaced."""

PRINTED = ("printed", "said")
"""The folder of what commands print; version 0.1 of this script called it by the second name."""


def respelled(command: str, by_name: bool) -> str:
    """A command as a version takes it, of line-ups by position or by name, and of situations."""
    for old, new in BY_NAME.items():
        if by_name and old in command:
            return command.replace(old, new)
    return command


# ------------------------------------------------------------------------------------------------ compared


@dataclass
class Differences:
    """What differs between two folders: numbers, each with its place, and the kinds of other differences, counted."""

    numbers: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)

    def compare(self, where: str, kind: str, old: Any, new: Any) -> None:
        """Compare two cells: numbers, and texts that are numbers, must be the same; other texts are labels."""
        if _same(old, new):
            return
        if old is None and isinstance(new, str) and _number(new) is None:
            self.labels[f"{kind}: added"] += 1
        elif new is None and isinstance(old, str) and _number(old) is None:
            self.labels[f"{kind}: removed"] += 1
        elif isinstance(old, str) and isinstance(new, str) and _number(old) is None and _number(new) is None:
            self.labels[f"{kind}: {_short(old)} -> {_short(new)}"] += 1
        else:
            self.numbers.append(f"{where}: {kind} is {_short(old)} before and {_short(new)} after")

    def one_sided(self, where: str, kind: str, value: Any, change: str) -> None:
        """Note a cell that only one version has."""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.numbers.append(f"{where}: {kind} is {change}: {_short(value)}")
        else:
            self.labels[f"{kind}: {change}"] += 1


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, float) and isinstance(new, float) and math.isnan(old) and math.isnan(new):
        return True
    return type(old) is type(new) and bool(old == new)


def _number(text: str) -> Fraction | None:
    """The number that a text is, if it is one."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def compare_rows(
    differences: Differences, where: str, before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]
) -> None:
    """Compare the rows of two tables, cell by cell."""
    if len(before) != len(after):
        differences.numbers.append(f"{where}: {len(before)} rows before and {len(after)} after")
        return
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        for name in dict.fromkeys((*old, *new)):
            place, kind = f"{where} row {number}", f"column {name}"
            if name in old and name in new:
                differences.compare(place, kind, old[name], new[name])
            else:
                differences.one_sided(place, kind, old.get(name, new.get(name)), "removed" if name in old else "added")


def compare_data(differences: Differences, where: str, kind: str, old: Any, new: Any) -> None:
    """Compare two values of JSON types."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            if name in old and name in new:
                compare_data(differences, where, f"{kind}.{name}", old[name], new[name])
            else:
                change = "removed" if name in old else "added"
                differences.one_sided(where, f"{kind}.{name}", old.get(name, new.get(name)), change)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            differences.numbers.append(f"{where}: {kind} has {len(old)} items before and {len(new)} after")
        for item, item_after in zip_longest(old, new) if len(old) == len(new) else ():
            compare_data(differences, where, kind, item, item_after)
    else:
        differences.compare(where, kind, old, new)


def compare_tables(differences: Differences, where: str, before: Path, after: Path) -> None:
    """Compare two parquet files; of their metadata differences are counted by key."""
    frames = [pl.read_parquet(path) for path in (before, after)]
    numeric = [{name for name, kind in frame.schema.items() if kind.is_numeric()} for frame in frames]
    for name in sorted(numeric[0] ^ numeric[1]):
        differences.numbers.append(
            f"{where}: column {name} is of numbers {'before' if name in numeric[0] else 'after'} only"
        )
    if frames[0].height > 1000 and frames[0].equals(frames[1], null_equal=True):
        pass  # as the rows of hands
    else:
        compare_rows(differences, where, frames[0].to_dicts(), frames[1].to_dicts())
    texts = [pl.read_parquet_metadata(path) for path in (before, after)]
    about = [json.loads(text.pop("cirulla_sim", "{}")) for text in texts]
    for name in dict.fromkeys((*about[0], *about[1])):
        if name not in about[0] or name not in about[1]:
            differences.labels[f"metadata {name}: {'removed' if name in about[0] else 'added'}"] += 1
        elif about[0][name] != about[1][name]:
            differences.labels[f"metadata {name}: changed"] += 1
    for name in dict.fromkeys((*texts[0], *texts[1])):
        if (
            name.startswith("cirulla_sim_")
            and name != "cirulla_sim_digest"
            and texts[0].get(name) != texts[1].get(name)
        ):
            differences.labels[f"stored {name}: changed"] += 1


def printed(folder: Path) -> dict[int, list[str]]:
    """What each command printed, by its number: the command, its exit code, its remarks and its output, as lines."""
    [place] = [folder / name for name in PRINTED if (folder / name).is_dir()]
    return {int(path.stem): path.read_text("utf-8").splitlines() for path in sorted(place.glob("*.txt"))}


def data_in(lines: Sequence[str]) -> Iterator[Any]:
    """The JSON values that a command printed, or the rows of its raw CSV."""
    words, output = shlex.split(lines[0]), lines[2:]
    form = words[words.index("--format") + 1] if "--format" in words else ""
    if form == "json":
        start = next((at for at, line in enumerate(output) if line.startswith(("[", "{"))), len(output))
        decoder, text, at = json.JSONDecoder(), "\n".join(output[start:]), 0
        while at < len(text.rstrip()):
            value, at = decoder.raw_decode(text, at)
            yield value
            at += len(text[at:]) - len(text[at:].lstrip())
    elif form == "csv" and "--raw" in words:
        heads = [at for at, line in enumerate(output) if line.startswith("quantity,") or ",quantity," in line]
        yield from csv.DictReader(io.StringIO("\n".join(output[heads[0] :]))) if heads else ()


def compare_folders(before: Path, after: Path) -> tuple[Differences, list[str]]:
    """What differs between two folders, and the commands and files that only one of them has."""
    differences, alone = Differences(), []
    outputs = printed(before), printed(after)
    for number in sorted(outputs[0].keys() | outputs[1].keys()):
        if number not in outputs[0] or number not in outputs[1]:
            [lines] = [output[number] for output in outputs if number in output]
            alone.append(lines[0])
            continue
        old, new = outputs[0][number], outputs[1][number]
        if old[1] != new[1]:
            differences.numbers.append(f"{old[0]}: {old[1]} before and {new[1]} after")
            continue
        values = [list(data_in(lines)) for lines in (old, new)]
        compare_data(differences, old[0], "printed", *values)
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
@click.option(
    "--by-position", is_flag=True, help="Name policies by position, and situations by options, as version 0.1."
)
def run(folder: Path, python: str, only: str, by_position: bool) -> None:
    """Run every command in FOLDER, and store what each prints in FOLDER/printed."""
    python = str(Path(python).absolute())
    (folder / PRINTED[0]).mkdir(parents=True)
    for number, line in enumerate(COMMANDS.strip().splitlines()):
        if not line.startswith(only):
            continue
        words = respelled(line, not by_position)
        done = subprocess.run(
            [python, "-c", "from cirulla_sim.cli import main; main()", *shlex.split(words)],
            cwd=folder, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        text = f"{words}\nexit {done.returncode}\n{done.stderr}\n{done.stdout}"
        (folder / PRINTED[0] / f"{number:03}.txt").write_text(text, "utf-8")
        click.echo(f"{done.returncode:3} {words}")


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
