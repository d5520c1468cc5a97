"""Run every study: result files, figures and pages, and a small site of all studies, ``report/``.

    python analyses [--quick | --page] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine. Result files with the same question, seed and
code are reused. ``--quick`` runs a hundredth of the sample size, in two minutes, into ``out/results``. ``--page`` draws
and writes everything from existing files.
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
    "luck_and_skill",
    "matta",
    "comebacks",
    "house_rules",
    "holdings",
    "habits",
    "tournament",
    "wisdom",
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
"""All studies, in the order of ``results/README.md``."""

DATE = "2026-11-29"
"""The day that the pages name: when the results were last made."""


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--quick", "is_quick", is_flag=True, help="Run a hundredth of the sample size, into out/results.")
@click.option("--page", "only_page", is_flag=True, help="Draw and write everything from existing files.")
def results(folder: Path | None, is_quick: bool, only_page: bool) -> None:
    """Run every study."""
    target = (folder or (study.QUICK_FOLDER if is_quick else study.FOLDER)).resolve()
    os.chdir(study.ROOT)  # the studies name their user policies by relative path
    for name in STUDIES:
        began = perf_counter()
        study.produce(import_module(name), name, target, study.quick if is_quick else study.whole, only_page)
        print(f"{name}: {perf_counter() - began:.0f} s", file=sys.stderr)
    report(target)


def report(folder: Path) -> None:
    """Write the pages of all studies: questions, answers, charts, and a chooser of house rules."""
    cs.report(sections(folder), output=folder / "report", choose=compared(folder), date=DATE)


def sections(folder: Path) -> list[cs.Section]:
    """The question, answer and charts of each study."""
    result = []
    for name, module in ((name, import_module(name)) for name in STUDIES):
        answer = dict.fromkeys(module.QUESTION, module.findings(folder))
        charts = tuple((folder / file, figure) for file, figure in module.FILES)
        result.append(cs.Section(module.QUESTION, answer, charts, name))
    return result


def compared(folder: Path) -> list[Path]:
    """The files of the study of house rules, which the chooser offers."""
    return [folder / file for file in import_module("house_rules").sources(folder)]


if __name__ == "__main__":
    results(prog_name="python analyses")
