"""Fuzz the questions of ``odds``: each must be answered correctly, or refused in one line, within seconds.

python scripts/fuzz_questions.py [--questions N] [--seed S]

Some questions are mutated: questions of docs/questions.md with words, signs, numbers and letters changed, removed,
doubled or added, and with options added. They must be answered or refused (``InputError``, one line) within
``SLOWEST`` seconds. The others are generated from a grammar as two texts at once, one for ``odds`` and one for Python's
own operators: the answer must be what Python computes row by row. Failures are printed, and the exit code is 1.
"""

from __future__ import annotations

import random
import re
import shlex
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import click
import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.questions.binding import exact, simulated
from cirulla_sim.questions.question import Question
from cirulla_sim.questions.subjects import SUBJECTS
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.verbs.odds import vocabulary

ROOT = Path(__file__).parent.parent
SLOWEST = 5.0
"""Processor seconds within which a question must be answered or refused."""
CHECKED = 0.3
"""The share of questions that are checked against Python."""

MAX_FINDINGS = 50
"""Failures after which the script stops."""

LARGE = ("cirullone",)
"""Rules whose whole deals take half a minute to count: left out of questions about deals."""

USED = ("holding", "table", "first-deal", "deal", "hand", "game", "piles")
HANDS = {"hand": 200, "game": 5, "piles": 2_000, "deal": 2_000}
SIGNS = [*"=<>+-*/%(),", "<>", "<=", "//", "and", "or", "not", "in", "between", "e", "o", "non"]
ODD = ["", "'", '"', "\\", ";", "--", "\x00", "𝟙", "é", "matta_", "__import__", "x1", "null", "true", "0", "-1", "1e9",
       "10**9", "99999999999", ".5", "7d", "10♦", "re di coppe", "select", "(" * 40, "not " * 30,
       "%s", "{0}", "\n"]  # fmt: skip
PLACES = ["me", "partner", "table", "first", "second stage 2", "us", "them", "everybody", "stock", "not me", "nobody",
          "somebody", "dealer", "shown next", "captured us", "gone", "to play", "i am"]  # fmt: skip
CARDS = ["7h", "K*", "*d", "..", "2-5h", "three diamonds", "no aces", "exactly 1 king", "matta", "7", "at most", "8x",
         ", barsega,", ", sevens >= 2,", "dealer"]  # fmt: skip


# ------------------------------------------------------------------------------------------------ mutated


@cache
def questions_of_the_page() -> tuple[dict[str, Any], ...]:
    """The questions of docs/questions.md as arguments of ``odds``, including those about positions."""
    page, questions = (ROOT / "docs" / "questions.md").read_text("utf-8"), []
    parts = ("of", "given", "by", "mean", "quantiles", "histogram", "in", "rules", "players", "cards", "at", "me")
    names = {f"--{name}" for name in parts}
    for line in re.findall(r"^\$ cirulla-sim odds (.*)$", page, re.MULTILINE):
        words, arguments = shlex.split(line), {"question": []}
        while words:
            word = words.pop(0)
            if word in names:
                arguments["in_" if word == "--in" else word[2:]] = words.pop(0)
            elif word.startswith("--"):
                words.pop(0)
            else:
                arguments["question"].append(word)
        if arguments["question"] or len(arguments) > 1:
            questions.append(arguments)
    return tuple(questions)


@cache
def words_of(of: str) -> tuple[str, ...]:
    return tuple(name for name, _ in vocabulary(of))


def mutated(text: str, of: str, dice: random.Random) -> str:
    """A text with random changes."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        parts = re.findall(r"\w+|\s+|[^\w\s]+", text) or [""]
        at = dice.randrange(len(parts))
        new = dice.choice((*words_of(of), *SIGNS, *ODD, str(dice.randrange(60))))
        match dice.randrange(6):
            case 0:
                parts[at] = new
            case 1:
                parts.insert(at, f" {new} ")
            case 2:
                del parts[at]
            case 3:
                parts += dice.choice((" and ", " or ", "+", " ")), *parts
            case 4:
                parts[at] = parts[at][:-1] + dice.choice("aeiou_1")
            case _:
                other = dice.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
        text = "".join(parts)[:6_000]
    return text


def mutated_question(dice: random.Random) -> dict[str, Any]:
    """Arguments of ``odds``, some of them mutated."""
    arguments = dict(dice.choice(questions_of_the_page()))
    of = arguments.get("of", "holding")
    if dice.random() < 0.15:
        arguments["of"] = of = dice.choice(USED)
    for name, value in list(arguments.items()):
        if name in ("question", "given", "by", "mean", "quantiles", "histogram") and dice.random() < 0.5:
            subject = of if of in USED else "holding"
            arguments[name] = (
                [mutated(text, subject, dice) for text in value]
                if name == "question"
                else mutated(value, subject, dice)
            )
        elif name == "at" and dice.random() < 0.5:
            arguments[name] = mutated(value, "holding", dice)
    if dice.random() < 0.3:
        name = dice.choice(
            ("given", "by", "mean", "quantiles", "histogram", "in_", "players", "cards", "rules", "at", "me")
        )
        arguments[name] = {
            "in_": str(dice.choice((0, 1, 20, 10**7, "x"))), "players": str(dice.randrange(1, 6)),
            "cards": str(dice.choice((3, 9, 10, 11))),
            "rules": dice.choice(("cirullone", "scopa", "scopone-scientifico", "x")),
            "me": dice.choice(("first", "second", "dealer", "next")),
            "at": "; ".join(f"{dice.choice(PLACES)}: {' '.join(dice.choices(CARDS, k=dice.randrange(4)))}"
                              for _ in range(dice.randrange(1, 4))),
        }.get(name) or mutated(dice.choice(words_of(of if of in USED else "holding")), "holding", dice)  # fmt: skip
    if arguments.get("of") in ("deal", "hand") and arguments.get("rules") in LARGE:
        del arguments["rules"]
    arguments["question"] = tuple(arguments["question"]) or None
    return arguments | {
        "hands": 200 if "at" in arguments else HANDS.get(arguments.get("of", ""), 2_000),
        "progress": False,
        "threads": 1,
    }


# ------------------------------------------------------------------------------------------------ generated


class Expression(NamedTuple):
    """The same expression in two languages: for ``odds`` and for Python."""

    text: str
    python: str


class Grammar:
    """Generates random expressions over the numbers, booleans and texts of a vocabulary."""

    def __init__(self, frame: pl.DataFrame, dice: random.Random) -> None:
        kinds = {name: frame[name].dtype for name in frame.columns}
        self.booleans = [name for name, kind in kinds.items() if kind == pl.Boolean]
        self.texts = [name for name, kind in kinds.items() if kind == pl.String]
        self.numbers = [name for name in kinds if name not in {*self.booleans, *self.texts}]
        self.frame, self.dice = frame, dice

    def number(self, depth: int = 0) -> Expression:
        dice = self.dice
        if depth > 2 or dice.random() < 0.5:
            if self.numbers and dice.random() < 0.75:
                return self.word(dice.choice(self.numbers))
            return Expression(*[str(dice.randrange(30))] * 2)
        left, right = self.number(depth + 1), self.number(depth + 1)
        match dice.randrange(8):
            case 0:
                return Expression(f"abs({left.text})", f"abs({left.python})")
            case 1:
                name, python = dice.choice((("least", "min"), ("greatest", "max")))
                return Expression(f"{name}({left.text}, {right.text})", f"{python}({left.python}, {right.python})")
            case 2:
                return Expression(f"({left.text})", f"({left.python})")
            case 3:
                sign, by = dice.choice(("//", "%")), dice.randrange(5)
                return Expression(f"({left.text}) {sign} {by}", f"({left.python}) {sign} {by}")
            case 4:
                return Expression(f"-{left.text}", f"-{left.python}")
        sign = dice.choice("+-*")
        return Expression(f"{left.text} {sign} {right.text}", f"{left.python} {sign} {right.python}")

    def boolean(self, depth: int = 0) -> Expression:
        dice = self.dice
        if depth < 3 and dice.random() < 0.6:
            left, right = self.boolean(depth + 1), self.boolean(depth + 1)
            match dice.randrange(4):
                case 0:
                    return Expression(f"not {left.text}", f"not {left.python}")
                case 1:
                    return Expression(f"({left.text})", f"({left.python})")
            word, python = dice.choice((("and", "and"), ("or", "or"), ("e", "and"), ("OR", "or")))
            return Expression(f"{left.text} {word} {right.text}", f"{left.python} {python} {right.python}")
        if self.booleans and dice.random() < 0.3:
            return self.word(dice.choice(self.booleans))
        if self.texts and dice.random() < 0.15:
            name = dice.choice(self.texts)
            value = dice.choice(self.frame[name].to_list())
            sign, python = dice.choice((("=", "=="), ("<>", "!=")))
            return Expression(f"{name} {sign} '{value}'", f"row[{name!r}] {python} {value!r}")
        left, right, third = self.number(1), self.number(1), self.number(2)
        match dice.randrange(4):
            case 0:
                return Expression(
                    f"{left.text} between {right.text} and {third.text}",
                    f"({right.python}) <= ({left.python}) <= ({third.python})",
                )
            case 1:
                some = sorted(dice.sample(range(20), 3))
                return Expression(f"{left.text} in ({', '.join(map(str, some))})", f"({left.python}) in {some}")
            case 2:
                return Expression(
                    f"{left.text} < {right.text} <= {third.text}", f"{left.python} < {right.python} <= {third.python}"
                )
        sign, python = dice.choice((("=", "=="), ("<>", "!="), ("<", "<"), ("≥", ">="), (">", ">"), ("<=", "<=")))
        return Expression(f"{left.text} {sign} {right.text}", f"{left.python} {python} {right.python}")

    def word(self, name: str) -> Expression:
        text = name.upper() if self.dice.random() < 0.05 else name
        return Expression(text, f"row[{name!r}]")


@cache
def cases(of: str) -> tuple[pl.DataFrame, list[dict[str, Any]]]:
    """All cases of a subject that is counted, or some hands of one that is simulated, with some of its features."""
    rules = build("cirulla", players=2)
    if of == "hand":
        names = [name for name in words_of_hand(rules) if not name.startswith("has_")][::5]
        frame = SUBJECTS["hand"].sample(rules, names, 1, 0, 300)
    else:
        subject = SUBJECTS[of]
        names = [name for name in subject.features(rules) if not name.startswith("has_") or name == "has_7d"]
        counted = subject.cases(rules, names)
        assert counted is not None
        frame = counted.frame
    return frame, frame.to_dicts()


def words_of_hand(rules: Rules) -> list[str]:
    """Features that only played hands have, so that no question about them can be counted."""
    deal_features = {*SUBJECTS["deal"].features(rules), *SUBJECTS["first-deal"].features(rules)}
    return [name for name in SUBJECTS["hand"].features(rules) if name not in deal_features]


def checked(dice: random.Random) -> str | None:
    """Compare the answers of ``odds`` and of Python to a random question: a description of the error, or None."""
    of = dice.choice(("holding", "holding", "hand"))
    frame, rows = cases(of)
    expression, condition = (
        Grammar(frame, dice).boolean(),
        Grammar(frame, dice).boolean(2) if dice.random() < 0.3 else None,
    )
    number = Grammar(frame, dice).number() if dice.random() < 0.3 else None
    question = Question(expression.text, of, condition and condition.text, mean=number and number.text)
    try:
        expected = by_rows(rows, expression, condition, number)
    except ZeroDivisionError:
        expected = "division"
    rules = build("cirulla", players=2)
    try:
        answer = simulated(rules, question, 300, 1, 1) if of == "hand" else exact(rules, question)
    except InputError as error:
        message = str(error)
        if "never true" in message:
            return None if expected is None else f"{question}: {message}, but Python finds {expected}"
        right = expected == "division" if "divides by zero" in message else "too large" in message
        return None if right else f"{question}: refused: {message}"
    if isinstance(expected, str) or answer is None:
        return f"{question}: answered, but Python has a {expected}"
    estimate = answer["estimate"].item()
    return (
        None
        if expected is not None and abs(estimate - float(expected)) < 1e-9
        else f"{question}: {estimate} is not {expected}"
    )


def by_rows(
    rows: list[dict[str, Any]], expression: Expression, condition: Expression | None, number: Expression | None
) -> Fraction | str | None:
    """The answer of Python's own operators, row by row; None if no row meets the condition, or there is no mean."""

    def value(term: Expression, row: dict[str, Any]) -> Any:
        return eval(compiled(term.python), {"row": row, "abs": abs, "min": min, "max": max, "__builtins__": {}})

    selected = [row for row in rows if condition is None or value(condition, row)]
    true = [row for row in selected if value(expression, row)]
    numbers = [value(number, row) for row in true] if number else []
    for row in rows:  # a division by zero in any row is refused
        for term in filter(None, (expression, condition, number)):
            for part in re.findall(r"(?:%|//) (\d+)", term.python):
                if part == "0":
                    raise ZeroDivisionError(row)
    if not selected:
        return None
    if number is not None:
        return Fraction(sum(numbers), len(numbers)) if numbers else None
    return Fraction(len(true), len(selected))


@cache
def compiled(source: str) -> Any:
    return compile(source, "<made up>", "eval")


# ------------------------------------------------------------------------------------------------ both


def findings(questions: int, seed: int, counts: Counter[str] | None = None, slowest: float = SLOWEST) -> Iterator[str]:
    """The failures among a number of questions of a seed, each as a line or with its traceback."""
    dice, counts = random.Random(seed), Counter() if counts is None else counts
    cs.odds("won_us", of="hand", hands=10, progress=False)  # compile and cache first
    cs.odds("won_us", of="game", hands=1, progress=False)
    cs.odds("knocks = 0", of="deal", check=10, progress=False)
    for _ in range(questions):
        if dice.random() < CHECKED:
            counts["checked"] += 1
            if (wrong := checked(dice)) is not None:
                yield wrong
            continue
        arguments, began = mutated_question(dice), process_time()
        try:
            cs.odds(**arguments)
            counts["answered"] += 1
        except InputError as error:
            counts["refused"] += 1
            if "\n" in str(error):
                yield f"{arguments}: more than a line: {error}"
        except Exception:
            yield f"{arguments}: {traceback.format_exc()}"
        if (took := process_time() - began) > slowest:
            yield f"{arguments}: took {took:.1f} s"


@click.command(help=__doc__)
@click.option("--questions", default=100_000, show_default=True, help="How many.")
@click.option("--seed", default=1, show_default=True, help="Same seed, same questions.")
def main(questions: int, seed: int) -> None:
    counts: Counter[str] = Counter()
    for wrong in islice(findings(questions, seed, counts), MAX_FINDINGS):
        counts["wrong"] += 1
        click.echo(wrong, err=True)
    click.echo(f"{questions:,} questions of seed {seed}: {', '.join(f'{n:,} {name}' for name, n in counts.items())}.")
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
