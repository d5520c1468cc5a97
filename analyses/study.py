"""The framework of the studies: simulate first, then write a page from the result files alone.

A study is a module that defines:

- ``QUESTION``: its question in English and Italian;
- ``play``: writes result files into a folder;
- ``FILES``: the files, each with a figure, that show the answer best, and ``CHART``, the picture of one of them on its
  page, drawn with the options of ``cs.plot`` in ``LOOK``, if there are any;
- ``findings``: its answer, about three findings. A test of the rows chooses the words of each, from the sentences of
  ``cirulla_sim/reporting/text/words`` and ``study_views/words``, so no study says "more" or "best" by itself;
- ``table``: one table in Markdown, ``METHOD``: what was simulated, and ``sources``: the result files with a command;
- ``VIEW``, if a table is the study's own: what its file says of itself, for ``cirulla-sim plot``;
- ``extra``, if there is something to show below the table that is no table, such as a hand card by card.

Findings and tables read only the files, so every number on a page is in a file and a page can be rewritten without a
simulation.

    python analyses/dealing.py [--quick] [FOLDER]    simulates, draws and writes the page (default folder: ``results``)
    python analyses/dealing.py --page [FOLDER]       draws and writes the page from existing files
    python analyses [--quick | --page] [FOLDER]      the same for every study

A result file with the same question, seed and code is reused. ``--quick`` runs a hundredth of the sample size and
writes into ``out/results``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import polars as pl
from study_views.views import SCHEMA, View, refresh

import cirulla_sim as cs
from cirulla_sim.core.locale import language
from cirulla_sim.core.version import SAME_HANDS
from cirulla_sim.engine.trials import Trials, fingerprint
from cirulla_sim.reporting.text.cells import DIFFERENCES, number
from cirulla_sim.reporting.text.labels import rules_words
from cirulla_sim.reporting.text.sentences import sentence
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.decisions import verdict
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.storage.tables import write_table

ROOT = Path(__file__).parent.parent
ENGLISH = language("en")
FOLDER, QUICK_FOLDER = ROOT / "results", ROOT / "out" / "results"
QUICK_DIVISOR, MIN_TRIALS = 100, 200
"""A quick study divides its sample sizes by the first number, down to the second."""

Row = Mapping[str, Any]
Sized = Callable[..., int]
"""Turns a study's sample size, and a minimum, into the number to simulate: ``whole`` or ``quick``."""

MIN_DEALS = 1_000
"""The fewest deals that a tournament accepts."""


def whole(number: int, least: int = MIN_TRIALS) -> int:
    """The full sample size."""
    return max(number, least)


def quick(number: int, least: int = MIN_TRIALS) -> int:
    """A sample size that is large enough to test the study.

    >>> quick(80_000), quick(5_000), quick(5_000, MIN_DEALS)
    (800, 200, 1000)
    """
    return max(number // QUICK_DIVISOR, least)


def carry_out(name: str) -> None:
    """The command line of a study that is run as the main program: simulate and write ``NAME.md``, or only the page."""
    study = sys.modules["__main__"]

    @click.command(help=study.__doc__)
    @click.argument("folder", type=click.Path(path_type=Path), required=False)
    @click.option("--quick", "is_quick", is_flag=True, help="Run a hundredth of the sample size, into out/results.")
    @click.option("--page", "only_page", is_flag=True, help="Draw and write the page from existing files.")
    def command(folder: Path | None, is_quick: bool, only_page: bool) -> None:
        produce(study, name, folder or (QUICK_FOLDER if is_quick else FOLDER), quick if is_quick else whole, only_page)

    command(prog_name=f"analyses/{name}.py")


def produce(study: ModuleType, name: str, folder: Path, sized: Sized, only_page: bool = False) -> None:
    """Run a study, draw it and write its page into a folder, or do so from existing files."""
    folder.mkdir(parents=True, exist_ok=True)
    if not only_page:
        study.play(folder, sized)
    elif hasattr(study, "VIEW"):
        for file in study.sources(folder):
            refresh(folder / file, study.VIEW)
    picture = folder / study.CHART
    if picture.with_suffix(".parquet").is_file():  # a quick run leaves out what would not be quick
        cs.plot(picture.with_suffix(".parquet"), output=picture, **getattr(study, "LOOK", {}))
    (folder / f"{name}.md").write_text(page(study, folder), "utf-8")


def run(verb: Callable[..., cs.Result], *arguments: Any, **options: Any) -> cs.Result:
    """A complete result, resumed from its file if the file has the same question and code, else computed anew.

    Exits if the run was interrupted; the next start resumes it.
    """
    try:
        result = verb(*arguments, **options)
    except cs.InputError as error:
        if "--force" not in str(error):
            raise
        result = verb(*arguments, **options, force=True)
    if result.exit_code:
        sys.exit(result.exit_code)
    print(f"{result.label}: done", file=sys.stderr)
    return result


def store(
    file: Path,
    arguments: Mapping[str, Any],
    trials: Sequence[Trials],
    create: Callable[[], tuple[pl.DataFrame, Mapping[str, Any]]],
    view: View | None = None,
) -> None:
    """Write a table of a study's own, with its metadata and what it says of itself.

    Computes nothing if the file has the same arguments and code (the first results of ``trials`` are compared), and is
    of this version or of one with the same hands.
    """
    key = {"asked": arguments, "code": [fingerprint(trial) for trial in trials]}
    key = json.loads(json.dumps(key))
    if file.is_file():
        try:
            metadata = cs.read(file).metadata
        except cs.InputError:
            metadata = {}
        if metadata.get("version") in SAME_HANDS and all(metadata.get(name) == value for name, value in key.items()):
            print(f"{file.name}: done", file=sys.stderr)
            refresh(file, view)
            return
    frame, metadata = create()
    write_table(frame, file, {"schema": SCHEMA, **metadata, "version": cs.__version__, **key})
    refresh(file, view)
    print(f"{file.name}: done", file=sys.stderr)


def base_metadata(rules: cs.RuleSet, policies: Sequence[str], seed: int) -> dict[str, Any]:
    """The metadata on rules, players and seed that every result has, for a study's own table."""
    line_ups = tuple(map(LineUp.parse, policies))
    request = Request("study", rules, line_ups, effort=Effort(seed=seed))
    return {
        "request": request.as_json(), "policies": list(policies), "players": rules.fields.players, "seed": seed,
    }  # fmt: skip


def row_of(result: cs.Result, **values: Any) -> Row:
    """The row of a result with these values."""
    return result.frame.filter(**values).row(0, named=True)


def scaled(row: Row, scale: float) -> Row:
    """A row with its estimate and interval multiplied.

    >>> scaled({"estimate": 1.0, "std_error": 0.1, "ci_low": 0.8, "ci_high": 1.2}, 0.5)["ci_low"]
    0.4
    """
    return {**row, **{name: scale * row[name] for name in ("estimate", "std_error", "ci_low", "ci_high")}}


def cell(row: Row) -> str:
    """A number with its interval in a table; a difference that is not significant is in parentheses."""
    is_margin = row.get("quantity") == "margin"
    text = number({**row, "kind": "difference"} if is_margin else row, ENGLISH)
    is_tested = row["kind"] in DIFFERENCES or row.get("p_holm") is not None
    return f"({text})" if is_tested and verdict(row) == "open" else text


def rule_name(rules: str, lang: str = "en") -> str:
    """The display name of a preset or house rule.

    >>> rule_name("no-matta"), rule_name("no-matta", "it")
    ('No matta', 'Senza matta')
    """
    return language(lang).say(rules_words(rules))


def reading(rules: Rules) -> str:
    """Whether players may wait with a bonus, where that matters most: with more than three cards; else nothing.

    >>> reading(cs.rules("cirullone").fields), reading(cs.rules("cirulla").fields)
    ('Bonuses are shown at once, as by source 001.', '')
    """
    if not rules.big_sets:
        return ""
    if rules.show_bonus == "at_once":
        return "Bonuses are shown at once, as by source 001."
    return "Players may wait with a bonus, as by source 000."


def answer(study: ModuleType, folder: Path, lang: str = "en") -> str:
    """The answer of a study: its findings, one after the other."""
    return " ".join(sentence(finding, language(lang), plain=True) for finding in study.findings(folder))


def page(study: ModuleType, folder: Path) -> str:
    """The page of a study: the question, the answer in both languages, a chart, a table, the method, the commands.

    A study with something ``extra`` has it below its table.
    """
    question = study.QUESTION
    results = [cs.read(folder / file) for file in study.sources(folder)]
    return joined(
        [
            f"# {question['en']}",
            answer(study, folder),
            f"**{question['it']}** {answer(study, folder, 'it')}",
            f"![{question['en']}]({study.CHART})",
            study.table(folder),
            study.extra(folder) if hasattr(study, "extra") else "",
            f"## Method\n\n{study.METHOD}",
            "± and the ranges are 95% confidence intervals. Differences in parentheses are not significant.",
            commands(*zip(results, study.sources(folder), strict=True)),
        ]
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def commands(*results: tuple[cs.Result, str]) -> str:
    """The commands that produce the files, as a code block; a study's own table names its study."""
    lines = [f"{r.command} -o {file}" if r.command.startswith("cirulla-sim ") else r.command for r, file in results]
    return "\n".join(["```", *dict.fromkeys(lines), "```"])


def joined(parts: Sequence[str]) -> str:
    """A page from its parts, without the empty ones."""
    return "\n\n".join(part for part in parts if part) + "\n"
