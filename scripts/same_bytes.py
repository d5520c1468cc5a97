"""Does a change leave every output as it was? A fixed list of commands, run before and after, compared byte by byte.

Run it with the Python of each version, in a folder of its own, then compare the two:

    .venv/bin/python scripts/same_bytes.py run out/before
    .venv/bin/python scripts/same_bytes.py run out/after
    .venv/bin/python scripts/same_bytes.py compare out/before out/after

A command's standard output, its remarks, its exit code and its files are kept. What a run says about the time it took,
or about compiling, is no part of it.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import click

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
simulate --hands 400 --policy careful+silent --rules cirullone --records silent.parquet
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
tournament --policy greedy,careful --hands 4k --until-decided --delta 0.3 --players 2
tournament --policy careful,careful+prompt --rules cirullone --hands 1k --format csv --raw
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
"""A command a line, run in this order in one folder, so that a later one may read what an earlier one wrote."""


def _remarks(text: str) -> str:
    """What a command says beside its data, without what it says of compiling and of time."""
    return "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith(("Compiling", "Cost in microseconds"))
    )


@click.group()
def main() -> None:
    """Run the list of commands, or compare what two versions made of it."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--python", default=sys.executable, help="The Python whose cirulla_sim is run.")
def run(folder: Path, python: str) -> None:
    """Run every command in FOLDER, and keep what each prints in FOLDER/said."""
    python = str(Path(python).absolute())
    (folder / "said").mkdir(parents=True)
    for number, words in enumerate(COMMANDS.strip().splitlines()):
        done = subprocess.run(
            [python, "-c", "from cirulla_sim.cli import main; main()", *shlex.split(words)],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = f"{words}\nexit {done.returncode}\n{_remarks(done.stderr)}\n{done.stdout}"
        (folder / "said" / f"{number:03}.txt").write_text(said)
        click.echo(f"{done.returncode:3} {words}")


@main.command()
@click.argument("one", type=click.Path(path_type=Path, exists=True))
@click.argument("other", type=click.Path(path_type=Path, exists=True))
def compare(one: Path, other: Path) -> None:
    """List the commands and files that differ between two folders; exits with 1 where any does."""
    names = sorted({str(path.relative_to(root)) for root in (one, other) for path in root.rglob("*") if path.is_file()})
    different = [name for name in names if not _same(one / name, other / name)]
    for name in different:
        command = (one / name).read_text().splitlines()[0] if name.startswith("said") else ""
        click.echo(f"{name}  {command}")
    click.echo(f"{len(names) - len(different)} of {len(names)} files are the same")
    sys.exit(bool(different))


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()


if __name__ == "__main__":
    main()
