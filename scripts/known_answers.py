"""The twenty questions that players ask most: docs/reference/known_answers.md and results/known_answers.parquet.

python scripts/known_answers.py [--check 20M] [--threads N]

With --check every exact answer is compared with a simulation of this many deals; the differences, in standard errors,
are written to results/known_answers_check.parquet. The same command writes the same bytes, whatever the threads.
"""

from __future__ import annotations

import math
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.arguments import command_text, count
from cirulla_sim.core.numerals import one_in
from cirulla_sim.storage.tables import write_table

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "analyses"))
from study_views.views import KNOWN, SCHEMA, refresh  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "known_answers.md"
ANSWERS, CHECK = (ROOT / "results" / f"known_answers{end}.parquet" for end in ("", "_check"))
SCRIPT = "python scripts/known_answers.py"
HANDS, SEED = 20_000_000, 1
"""Sample size of answers that cannot be counted, and the seed of all simulations."""


@dataclass(frozen=True)
class Line:
    """One row of the page: a question of ``odds`` with its options, under the rules of a game."""

    title: str
    case: str
    question: str
    options: dict[str, Any]

    @property
    def command(self) -> str:
        """The command that gives the answer, without the options that choose the game."""
        options = {name: value for name, value in self.options.items() if name not in ("rules", "players")}
        given = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        return command_text(["cirulla-sim", "odds", self.question, *given])

    def answer(self, **effort: Any) -> pl.DataFrame:
        return cs.odds(self.question, **self.options, **effort, seed=SEED, progress=False).frame


def format_number(number: float, error: float | None) -> str:
    """A number with two figures of its error."""
    if not error or not math.isfinite(error):
        return f"{number:.6f}"
    return f"{number:.{min(9, max(0, 1 - math.floor(math.log10(error))))}f}"


def lines_of(question: dict[str, Any]) -> list[Line]:
    """The rows of one question of the page."""
    return [
        Line(
            game["title"],
            line.get("of", ""),
            line["odds"],
            line.get("options", {}) | {name: game[name] for name in ("rules", "players") if name in game},
        )
        for line in question["lines"]
        for game in (PAGES["games"][name] for name in line["games"])
    ]


PAGES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LINES = [line for question in PAGES["question"] for line in lines_of(question)]

# ------------------------------------------------------------------------------------------------ answers


def answers(threads: int | None) -> pl.DataFrame:
    """The answers in order: exact where they can be counted, else simulated."""
    return table([(line, line.answer(hands=HANDS, threads=threads)) for line in LINES])


def checked(exact: pl.DataFrame, check: int, threads: int | None) -> pl.DataFrame:
    """The exact answers again, each with the answer of so many simulated deals."""
    counted = [line for line, fraction in zip(LINES, exact["exact"], strict=True) if fraction is not None]
    return table([(line, line.answer(check=check, threads=threads)) for line in counted])


def table(answered: Sequence[tuple[Line, pl.DataFrame]]) -> pl.DataFrame:
    """The answers one below the other, with rules and players in front."""
    return pl.concat(
        frame.select(
            pl.lit(line.options["rules"]).alias("rules"),
            pl.lit(line.options.get("players"), pl.Int64).alias("players"),
            pl.all(),
        )
        for line, frame in answered
    )


def metadata_of(command: str, hands: int) -> dict[str, Any]:
    return {
        "version": cs.__version__, "command": command, "rules": None, "policies": [], "players": None, "seed": SEED,
        "hands": hands, "stopped": "hands", "schema": SCHEMA,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ the page

HEAD = """# Known answers

The twenty questions that players ask most, for Cirulla with two and with four players and for Cirullone. Fractions are
exact: every case is counted. Other answers are simulated, 20 million deals each, and have a 95% interval. The command
above some answers plays Cirulla with four players: add `--players 2` for two, `--rules cirullone` for
Cirullone, and `--hands 20M` where the answer is simulated. The answers on Cirullone are the same whether a bonus must
be shown at once or players may wait with it.
"""


def page(frame: pl.DataFrame, check: pl.DataFrame | None, hands: int | None) -> str:
    """The page as markdown."""
    parts, rows = [HEAD], iter(frame.to_dicts())
    for number, question in enumerate(PAGES["question"], 1):
        parts += [f"## {number}. {question['title']}\n", f"{textwrap.fill(question['remark'], 120)}\n"]
        answered = [(line, next(rows)) for line in lines_of(question)]
        for command, same in groupby(answered, lambda each: each[0].command):
            parts += [*items(command, list(same)), ""]
    if check is not None and hands is not None:
        errors = check["difference"].abs()
        within = ", ".join(f"{(errors < most).sum()} within {most}" for most in (1, 2, 3))
        text = (
            f"`{SCRIPT} --check {hands // 10**6}M` puts each of the {check.height} exact answers to {hands // 10**6} "
            f"million simulated deals as well. In standard errors: {within}; the largest difference is "
            f"{errors.max():.2f} (`results/known_answers_check.parquet`)."
        )
        parts += ["## Checked by simulation\n", f"{textwrap.fill(text, 120)}\n"]
    return "\n".join(parts)


def items(command: str, answered: Sequence[tuple[Line, dict[str, Any]]]) -> Iterator[str]:
    """A command with its answers by game; what all are of is named once, and games with one answer share a line."""
    cases = {line.case for line, _ in answered}
    common = cases.pop() if len(cases) == 1 else ""
    yield f"{common[:1].upper()}{common[1:]}{common and ': '}`{command}`\n"
    for (case, answer), same in groupby(answered, lambda each: (each[0].case, answer_of(each[1]))):
        games = " and ".join(line.title for line, _ in same).replace(" players and Cirulla,", " or")
        yield f"- {games}{'' if case == common else f', {case}'}: {answer}"


def answer_of(row: dict[str, Any]) -> str:
    """An answer as a decimal, as odds, and as a fraction, or with its interval if it is simulated."""
    exact, p = row["exact"], row["estimate"]
    odds = " on average" if row["kind"] != "probability" else "" if 0.5 < p < 1 else f" ({one_in(p)})"
    if exact is not None:
        return f"{f'{p:.6f}' if abs(p) >= 1e-4 or not p else f'{p:.3g}'}{odds}, exactly `{exact}`"
    half = (row["ci_high"] - row["ci_low"]) / 4
    ends = "–".join(format_number(row[name], half) for name in ("ci_low", "ci_high"))
    return f"{format_number(p, row['std_error'])}{odds}, simulated, {ends}"


@click.command()
@click.option("--check", help="Put every exact answer to so many simulated deals.")
@click.option("--threads", type=int, help="How many threads simulate.")
def main(check: str | None, threads: int | None) -> None:
    """Write the page and the tables."""
    hands = None if check is None else count("--check", check, 10**6, 10**10)
    frame = answers(threads)
    both = None if hands is None else checked(frame, hands, threads)
    if both is not None and hands is not None:
        write_table(both, CHECK, metadata_of(f"{SCRIPT} --check {hands // 10**6}M", hands))
        refresh(CHECK, KNOWN)
    write_table(frame, ANSWERS, metadata_of(SCRIPT, HANDS))
    refresh(ANSWERS, KNOWN)
    PAGE.write_text(page(frame, both, hands), "utf-8")


if __name__ == "__main__":
    main()
