"""What the studies have in common: files first, then a page made of the files alone.

A study is a module with a ``QUESTION`` in English and Italian; a function ``play``, which writes result files and
charts into a folder; ``FILES``, the files, and the figures of them, that show its answer best; and two functions of the
files alone: ``answer``, a few sentences in either language, and ``page``, its page in Markdown. So every number of a
page is in a file, and a page is written again without playing anything.

    python analyses/dealing.py [--quick] [FOLDER]    plays, draws, writes the page into ``results`` or the folder named
    python analyses/dealing.py --page [FOLDER]       writes the page again from the files that are there
    python analyses [--quick] [FOLDER]               every study, one after the other

What a file holds already, of the same question, seed and code, is not played again. ``--quick`` plays a hundredth, into
``out/results``.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import polars as pl
import study_views  # noqa: F401

import cirulla_sim as cs
from cirulla_sim.engine.fingerprint import fingerprint
from cirulla_sim.engine.trials import Trials
from cirulla_sim.reporting.text.labels import name_of
from cirulla_sim.reporting.text.locale import language
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.storage.tables import write

ROOT = Path(__file__).parent.parent
FOLDER, QUICK_FOLDER = ROOT / "results", ROOT / "out" / "results"
QUICKER, LEAST = 100, 200
"""A quick study plays this much less, and of anything not fewer."""

Row = Mapping[str, Any]
Sized = Callable[..., int]
"""What makes of a study's number of hands the number to play, which is not below a second one."""

DEALS = 1_000
"""The least that a tournament plays."""


def whole(number: int, least: int = LEAST) -> int:
    """As many as a study says."""
    return max(number, least)


def quick(number: int, least: int = LEAST) -> int:
    """Enough to see the study at work.

    >>> quick(80_000), quick(5_000), quick(5_000, DEALS)
    (800, 200, 1000)
    """
    return max(number // QUICKER, least)


def carry_out(name: str) -> None:
    """The command line of a study, which is the program that runs: play it and write ``NAME.md``, or its page alone."""
    study = sys.modules["__main__"]

    @click.command(help=study.__doc__)
    @click.argument("folder", type=click.Path(path_type=Path), required=False)
    @click.option("--quick", "quickly", is_flag=True, help="Play a hundredth, into out/results.")
    @click.option("--page", "only_page", is_flag=True, help="Write the page again from the files that are there.")
    def command(folder: Path | None, quickly: bool, only_page: bool) -> None:
        produce(study, name, folder or (QUICK_FOLDER if quickly else FOLDER), quick if quickly else whole, only_page)

    command(prog_name=f"analyses/{name}.py")


def produce(study: ModuleType, name: str, folder: Path, sized: Sized, only_page: bool = False) -> None:
    """Play a study and write its page into a folder, or its page alone."""
    folder.mkdir(parents=True, exist_ok=True)
    if not only_page:
        study.play(folder, sized)
    (folder / f"{name}.md").write_text(study.page(folder), "utf-8")


def played(verb: Callable[..., cs.Result], *arguments: Any, **asked: Any) -> cs.Result:
    """A result that is whole. What its file holds of it already is not played again, and replaced if it is of another
    question or of other play; a study that was interrupted ends here, and goes on when it is started again.
    """
    try:
        result = verb(*arguments, **asked)
    except cs.InputError as error:
        if "--force" not in str(error):
            raise
        result = verb(*arguments, **asked, force=True)
    if result.exit_code:
        sys.exit(result.exit_code)
    print(f"{result!r}: done", file=sys.stderr)
    return result


def kept(
    file: Path,
    asked: Mapping[str, Any],
    trials: Sequence[Trials],
    make: Callable[[], tuple[pl.DataFrame, Mapping[str, Any]]],
) -> None:
    """Write a table, and how it was made, that no verb goes on with by itself.

    Nothing is made if the file is there and was, by the same version, for the same question, and from code that plays
    the first ``trials`` the same.
    """
    key = {"version": cs.__version__, "asked": asked, "code": [fingerprint(some) for some in trials]}
    key = json.loads(json.dumps(key))
    if file.is_file():
        try:
            made = cs.read(file).metadata
        except cs.InputError:
            made = {}
        if all(made.get(name) == value for name, value in key.items()):
            print(f"{file.name}: done", file=sys.stderr)
            return
    frame, made = make()
    write(frame, file, {**made, **key})
    print(f"{file.name}: done", file=sys.stderr)


def about(rules: cs.RuleSet, policies: Sequence[str], seed: int) -> dict[str, Any]:
    """What the metadata of a study's own table says of rules, players and seed, as a verb's does."""
    line_ups = tuple(map(LineUp.parse, policies))
    request = Request("study", rules, line_ups, effort=Effort(seed=seed))
    return {
        "request": request.as_json(), "policies": list(policies), "players": rules.fields.players, "seed": seed,
    }  # fmt: skip


def one(result: cs.Result, **where: Any) -> Row:
    """The one row of a result with these values."""
    return result.frame.filter(**where).row(0, named=True)


def half(row: Row) -> float:
    """Half of an interval."""
    return float(row["ci_high"] - row["ci_low"]) / 2


def scaled(row: Row, scale: float) -> Row:
    """A row in other units.

    >>> scaled({"estimate": 1.0, "std_error": 0.1, "ci_low": 0.8, "ci_high": 1.2}, 0.5)["ci_low"]
    0.4
    """
    return {**row, **{name: scale * row[name] for name in ("estimate", "std_error", "ci_low", "ci_high")}}


def moved(row: Row, by: float) -> Row:
    """A row from another zero."""
    return {**row, **{name: row[name] + by for name in ("estimate", "ci_low", "ci_high")}}


def mean_of(one: Row, other: Row) -> Row:
    """The mean of two estimates as if they were independent, its interval symmetric."""
    value = (one["estimate"] + other["estimate"]) / 2
    apart = (half(one) ** 2 + half(other) ** 2) ** 0.5 / 2
    error = (one["std_error"] ** 2 + other["std_error"] ** 2) ** 0.5 / 2
    return {**one, "estimate": value, "std_error": error, "ci_low": value - apart, "ci_high": value + apart}


def level(row: Row) -> str:
    """An estimate and half its interval, as many digits as that allows.

    >>> level({"estimate": 5.4518, "ci_low": 5.4, "ci_high": 5.5})
    '5.45 ± 0.05'
    """
    places = min(4, max(0, -math.floor(math.log10(half(row) or 1))))
    return f"{row['estimate']:.{places}f} ± {half(row):.{places}f}"


def spread(row: Row, digits: int = 3) -> str:
    """An estimate and half its interval, signed.

    >>> spread({"estimate": 0.5, "ci_low": 0.25, "ci_high": 0.75}, 2)
    '+0.50 ± 0.25'
    """
    return f"{row['estimate']:+.{digits}f} ± {half(row):.{digits}f}"


def percents(row: Row, digits: int = 1) -> str:
    """A chance and half its interval, in percent.

    >>> percents({"estimate": 0.5, "ci_low": 0.25, "ci_high": 0.75})
    '50.0% ± 25.0'
    """
    return f"{100 * row['estimate']:.{digits}f}% ± {100 * half(row):.{digits}f}"


def by_sign(row: Row, above: str, below: str, neither: str, zero: float = 0) -> str:
    """The words for an interval that lies above a number, below it, or holds it.

    >>> by_sign({"ci_low": 0.1, "ci_high": 0.3}, "gains", "loses", "is not told")
    'gains'
    """
    return above if row["ci_low"] > zero else below if row["ci_high"] < zero else neither


def said(lang: str, en: str, it: str) -> str:
    """The text in a language, its numbers written as there.

    >>> said("it", "of 1,000 hands 2.5%.", "di 1,000 mani il 2.5%.")
    'di 1.000 mani il 2,5%.'
    """
    text = {"en": en, "it": it}[lang]
    return re.sub(r"\d[\d.,]*\d", lambda number: language(lang).numerals(number[0]), text)


def rule_name(rules: str, lang: str = "en") -> str:
    """What a preset or a house rule is called.

    >>> rule_name("no-matta"), rule_name("no-matta", "it")
    ('No matta', 'Senza matta')
    """
    return language(lang).say(name_of(rules))


def listed(items: Sequence[str], lang: str = "en") -> str:
    """A list in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"], "it")
    ('a, b and c', 'a')
    """
    *most, last = items
    return f"{', '.join(most)} {'e' if lang == 'it' else 'and'} {last}" if most else last


def opening(question: Mapping[str, str], answer: Callable[[Path, str], str], folder: Path) -> str:
    """What a page begins with: the question and its answer, in English and in Italian."""
    return joined(
        [f"# {question['en']}", answer(folder, "en"), f"**{question['it']}** {answer(folder, 'it')}"]
    ).rstrip()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def commands(*results: tuple[cs.Result, str]) -> str:
    """How each file is made by the command line."""
    lines = [f"{result.command} -o {file}" for result, file in results]
    return "\n".join(["```", *lines, "```"])


def joined(parts: Sequence[str]) -> str:
    """A page of its parts, those that say nothing left out."""
    return "\n\n".join(part for part in parts if part) + "\n"
