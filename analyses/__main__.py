"""Every study, its files, figures and page, one after the other.

    python analyses [--quick] [FOLDER]

writes into ``results``, or into the folder named, and one page of them all, ``report.html``; the same bytes on any
machine. What is there already, of the same question, seed and code, is not played again. ``--quick`` plays a hundredth
of it in two minutes, into ``out/results``.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter

import click
import study

import cirulla_sim as cs

STUDIES = (
    "dealing",
    "house_rules",
    "holdings",
    "matta",
    "luck_and_skill",
    "comebacks",
    "habits",
    "tournament",
    "best",
    "attack",
    "reading",
    "choices",
    "aim",
    "skill",
    "fairer",
    "players",
    "partners",
    "card_worth",
    "luckiest",
)
"""In the order of their pages in ``results/README.md``."""


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--quick", "quickly", is_flag=True, help="Play a hundredth, into out/results.")
def results(folder: Path | None, quickly: bool) -> None:
    """Carry out every study."""
    where = (folder or (study.QUICK_FOLDER if quickly else study.FOLDER)).resolve()
    os.chdir(study.ROOT)  # players of a study's own are named by their file
    for name in STUDIES:
        began = perf_counter()
        study.produce(import_module(name), name, where, study.quick if quickly else study.whole)
        print(f"{name}: {perf_counter() - began:.0f} s", file=sys.stderr)
    report(where)


def report(folder: Path) -> None:
    """One page of all studies: questions, answers, charts, and house rules to choose from."""
    cs.report(sections(folder), output=folder / "report.html", choose=compared(folder))


def sections(folder: Path) -> list[cs.Section]:
    """Each study's question, its answer and the charts that show it."""
    made = []
    for one in map(import_module, STUDIES):
        answer = {lang: one.answer(folder, lang) for lang in one.QUESTION}
        made.append(cs.Section(one.QUESTION, answer, tuple((folder / file, figure) for file, figure in one.FILES)))
    return made


def compared(folder: Path) -> list[Path]:
    """The files of house rules between players of every strength."""
    rules = import_module("house_rules")
    return [folder / file(players) for players in rules.PLAYERS for file in (rules.quick_file, rules.slow_file)]


if __name__ == "__main__":
    results(prog_name="python analyses")
