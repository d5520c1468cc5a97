"""What the studies have in common: files first, then a page made of the files alone.

A study is a module with a ``QUESTION`` in English and Italian; a function ``play``, which writes result files and
charts into a folder; ``FILES``, the files, and the figures of them, that show its answer best; and two functions of the
files alone: ``answer``, a few sentences in either language, and ``page``, its page in Markdown. So every number of a
page is in a file, and a page is written again without playing anything.

    python analyses/dealing.py [FOLDER]          plays, draws and writes the page into ``results`` or the folder named
    python analyses/dealing.py --page [FOLDER]   writes the page again from the files that are there
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import cirulla_sim as cs
from cirulla_sim.words import language, name_of

FOLDER = Path(__file__).parent.parent / "results"

Row = Mapping[str, Any]


def carry_out(name: str, play: Callable[[Path], None], page: Callable[[Path], str]) -> None:
    """The command line of a study: play it and write ``NAME.md``, or write the page alone."""

    @click.command(help=sys.modules["__main__"].__doc__)
    @click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
    @click.option("--page", "only_page", is_flag=True, help="Write the page again from the files that are there.")
    def command(folder: Path, only_page: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if not only_page:
            play(folder)
        (folder / f"{name}.md").write_text(page(folder), "utf-8")

    command(prog_name=f"analyses/{name}.py")


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


def one(result: cs.Result, **where: Any) -> Row:
    """The one row of a result with these values."""
    return result.frame.filter(**where).row(0, named=True)


def half(row: Row) -> float:
    """Half of an interval."""
    return float(row["ci_high"] - row["ci_low"]) / 2


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
