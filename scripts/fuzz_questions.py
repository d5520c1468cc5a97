"""Questions gone wrong: each must end in an answer or in one line that says what is wrong, soon, and none in a lie.

python scripts/fuzz_questions.py [--questions N] [--seed S]

Some questions are mutated: those of docs/questions.md and others with words, signs, numbers and letters changed, left
out, doubled or put in, and options added. They must be answered or refused (``InputError``, one line) within
``SLOWEST`` seconds. The others are made up from a grammar as two texts at once, one for ``odds`` and one for Python's
own operators, and the answer must be what Python finds row by row. What fails is printed, and the exit code is 1.
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
"""Seconds of a processor in which something must be said."""
CHECKED = 0.3
"""The share of questions that are checked against Python."""

MOST = 50
"""Findings after which it stops."""

LARGE = ("cirullone",)
"""Rules whose whole deals are counted in half a minute, which is said first: they are not asked about."""

POSITION = ("table", "holding", "seen", "piles", "stage")
"""Arguments that tell a position in mid-hand."""

USED = ("holding", "table", "first-deal", "deal", "hand", "game", "piles")
HANDS = {"hand": 200, "game": 5, "piles": 2_000, "deal": 2_000}
SIGNS = [*"=<>+-*/%(),", "<>", "<=", "//", "and", "or", "not", "in", "between", "e", "o", "non"]
ODD = ["", "'", '"', "\\", ";", "--", "\x00", "𝟙", "é", "matta_", "__import__", "x1", "null", "true", "0", "-1", "1e9",
       "10**9", "99999999999", ".5", "7d", "10♦", "re di coppe", "select", "(" * 40, "not " * 30,
       "%s", "{0}", "\n"]  # fmt: skip
PLACES = ["me", "partner", "table", "seat0", "seat1 stage 2", "us", "them", "everybody", "stock", "not me", "nobody"]
CARDS = ["7h", "K*", "*d", "..", "2-5h", "three diamonds", "no aces", "exactly 1 king", "matta", "7", "at most", "8x"]


# ------------------------------------------------------------------------------------------------ mutated


@cache
def asked_in_the_page() -> tuple[dict[str, Any], ...]:
    """The questions of docs/questions.md as arguments of ``odds``, those of positions too."""
    page, found = (ROOT / "docs" / "questions.md").read_text("utf-8"), []
    parts = ("of", "given", "by", "mean", "quantiles", "histogram", "in", "from", "rules", "players", "cards", "deal")
    names = {f"--{name}" for name in (*parts, *POSITION)}
    for line in re.findall(r"^\$ cirulla-sim odds (.*)$", page, re.MULTILINE):
        words, asked = shlex.split(line), {"question": []}
        while words:
            word = words.pop(0)
            if word in names:
                asked[{"--in": "in_", "--from": "from_"}.get(word, word[2:])] = words.pop(0)
            elif word.startswith("--"):
                words.pop(0)
            else:
                asked["question"].append(word)
        if asked["question"] or len(asked) > 1:
            found.append(asked)
    return tuple(found)


@cache
def words_of(of: str) -> tuple[str, ...]:
    return tuple(name for name, _ in vocabulary(of))


def mutated(text: str, of: str, dice: random.Random) -> str:
    """A text with some of it changed."""
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


def a_mutated_question(dice: random.Random) -> dict[str, Any]:
    """Arguments of ``odds`` that may say anything."""
    asked = dict(dice.choice(asked_in_the_page()))
    of = asked.get("of", "holding")
    if dice.random() < 0.15:
        asked["of"] = of = dice.choice(USED)
    for name, value in list(asked.items()):
        if name in ("question", "given", "by", "mean", "quantiles", "histogram") and dice.random() < 0.5:
            known = of if of in USED else "holding"
            asked[name] = (
                [mutated(text, known, dice) for text in value] if name == "question" else mutated(value, known, dice)
            )
        elif name in POSITION and dice.random() < 0.15:
            asked[name] = mutated(value, "holding", dice)
    if dice.random() < 0.3:
        name = dice.choice(
            ("given", "by", "mean", "quantiles", "histogram", "in_", "players", "cards", "rules", "deal")
        )
        asked[name] = {
            "in_": str(dice.choice((0, 1, 20, 10**7, "x"))), "players": str(dice.randrange(1, 6)),
            "cards": str(dice.choice((3, 9, 10, 11))),
            "rules": dice.choice(("cirullone", "scopa", "scopone-scientifico", "x")),
            "deal": "; ".join(f"{dice.choice(PLACES)}: {' '.join(dice.choices(CARDS, k=dice.randrange(4)))}"
                              for _ in range(dice.randrange(1, 4))),
        }.get(name) or mutated(dice.choice(words_of(of if of in USED else "holding")), "holding", dice)  # fmt: skip
    if asked.get("of") in ("deal", "hand") and asked.get("rules") in LARGE:
        del asked["rules"]
    asked["question"] = tuple(asked["question"]) or None
    return asked | {
        "hands": 200 if "table" in asked else HANDS.get(asked.get("of", ""), 2_000),
        "progress": False,
        "threads": 1,
    }


# ------------------------------------------------------------------------------------------------ made up


class Made(NamedTuple):
    """The same twice: for ``odds`` and for Python."""

    asked: str
    python: str


class Grammar:
    """Makes up expressions over a vocabulary: its numbers, its truths and its texts."""

    def __init__(self, frame: pl.DataFrame, dice: random.Random) -> None:
        kinds = {name: frame[name].dtype for name in frame.columns}
        self.truths = [name for name, kind in kinds.items() if kind == pl.Boolean]
        self.texts = [name for name, kind in kinds.items() if kind == pl.String]
        self.numbers = [name for name in kinds if name not in {*self.truths, *self.texts}]
        self.frame, self.dice = frame, dice

    def number(self, deep: int = 0) -> Made:
        dice = self.dice
        if deep > 2 or dice.random() < 0.5:
            if self.numbers and dice.random() < 0.75:
                return self.word(dice.choice(self.numbers))
            return Made(*[str(dice.randrange(30))] * 2)
        one, other = self.number(deep + 1), self.number(deep + 1)
        match dice.randrange(8):
            case 0:
                return Made(f"abs({one.asked})", f"abs({one.python})")
            case 1:
                name, python = dice.choice((("least", "min"), ("greatest", "max")))
                return Made(f"{name}({one.asked}, {other.asked})", f"{python}({one.python}, {other.python})")
            case 2:
                return Made(f"({one.asked})", f"({one.python})")
            case 3:
                sign, by = dice.choice(("//", "%")), dice.randrange(5)
                return Made(f"({one.asked}) {sign} {by}", f"({one.python}) {sign} {by}")
            case 4:
                return Made(f"-{one.asked}", f"-{one.python}")
        sign = dice.choice("+-*")
        return Made(f"{one.asked} {sign} {other.asked}", f"{one.python} {sign} {other.python}")

    def truth(self, deep: int = 0) -> Made:
        dice = self.dice
        if deep < 3 and dice.random() < 0.6:
            one, other = self.truth(deep + 1), self.truth(deep + 1)
            match dice.randrange(4):
                case 0:
                    return Made(f"not {one.asked}", f"not {one.python}")
                case 1:
                    return Made(f"({one.asked})", f"({one.python})")
            word, python = dice.choice((("and", "and"), ("or", "or"), ("e", "and"), ("OR", "or")))
            return Made(f"{one.asked} {word} {other.asked}", f"{one.python} {python} {other.python}")
        if self.truths and dice.random() < 0.3:
            return self.word(dice.choice(self.truths))
        if self.texts and dice.random() < 0.15:
            name = dice.choice(self.texts)
            value = dice.choice(self.frame[name].to_list())
            sign, python = dice.choice((("=", "=="), ("<>", "!=")))
            return Made(f"{name} {sign} '{value}'", f"row[{name!r}] {python} {value!r}")
        one, other, third = self.number(1), self.number(1), self.number(2)
        match dice.randrange(4):
            case 0:
                return Made(
                    f"{one.asked} between {other.asked} and {third.asked}",
                    f"({other.python}) <= ({one.python}) <= ({third.python})",
                )
            case 1:
                some = sorted(dice.sample(range(20), 3))
                return Made(f"{one.asked} in ({', '.join(map(str, some))})", f"({one.python}) in {some}")
            case 2:
                return Made(
                    f"{one.asked} < {other.asked} <= {third.asked}", f"{one.python} < {other.python} <= {third.python}"
                )
        sign, python = dice.choice((("=", "=="), ("<>", "!="), ("<", "<"), ("≥", ">="), (">", ">"), ("<=", "<=")))
        return Made(f"{one.asked} {sign} {other.asked}", f"{one.python} {python} {other.python}")

    def word(self, name: str) -> Made:
        asked = name.upper() if self.dice.random() < 0.05 else name
        return Made(asked, f"row[{name!r}]")


@cache
def cases(of: str) -> tuple[pl.DataFrame, list[dict[str, Any]]]:
    """Every case of a subject that is counted, or some hands of one that is played, with some of its words."""
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
    """Words that only hands that are played have, so that no question is counted."""
    dealt = {*SUBJECTS["deal"].features(rules), *SUBJECTS["first-deal"].features(rules)}
    return [name for name in SUBJECTS["hand"].features(rules) if name not in dealt]


def checked(dice: random.Random) -> str | None:
    """Put a made-up question to both; what is wrong about it, None for nothing."""
    of = dice.choice(("holding", "holding", "hand"))
    frame, rows = cases(of)
    made, given = Grammar(frame, dice).truth(), Grammar(frame, dice).truth(2) if dice.random() < 0.3 else None
    number = Grammar(frame, dice).number() if dice.random() < 0.3 else None
    question = Question(made.asked, of, given and given.asked, mean=number and number.asked)
    try:
        expected = by_rows(rows, made, given, number)
    except ZeroDivisionError:
        expected = "division"
    rules = build("cirulla", players=2)
    try:
        answer = simulated(rules, question, 300, 1, 1) if of == "hand" else exact(rules, question)
    except InputError as error:
        said = str(error)
        if "never true" in said:
            return None if expected is None else f"{question}: {said}, but Python finds {expected}"
        right = expected == "division" if "divides by zero" in said else "too large" in said
        return None if right else f"{question}: refused: {said}"
    if isinstance(expected, str) or answer is None:
        return f"{question}: answered, but Python has a {expected}"
    found = answer["estimate"].item()
    return (
        None
        if expected is not None and abs(found - float(expected)) < 1e-9
        else f"{question}: {found} is not {expected}"
    )


def by_rows(rows: list[dict[str, Any]], made: Made, given: Made | None, number: Made | None) -> Fraction | str | None:
    """The answer by Python's own operators, row by row; None where nothing is given, or there is no mean."""

    def worth(one: Made, row: dict[str, Any]) -> Any:
        return eval(compiled(one.python), {"row": row, "abs": abs, "min": min, "max": max, "__builtins__": {}})

    kept = [row for row in rows if given is None or worth(given, row)]
    true = [row for row in kept if worth(made, row)]
    numbers = [worth(number, row) for row in true] if number else []
    for row in rows:  # what divides by zero anywhere is refused
        for one in filter(None, (made, given, number)):
            for part in re.findall(r"(?:%|//) (\d+)", one.python):
                if part == "0":
                    raise ZeroDivisionError(row)
    if not kept:
        return None
    if number is not None:
        return Fraction(sum(numbers), len(numbers)) if numbers else None
    return Fraction(len(true), len(kept))


@cache
def compiled(source: str) -> Any:
    return compile(source, "<made up>", "eval")


# ------------------------------------------------------------------------------------------------ both


def findings(questions: int, seed: int, told: Counter[str] | None = None, slowest: float = SLOWEST) -> Iterator[str]:
    """What is wrong about so many questions of a seed, each in a line or with its traceback."""
    dice, told = random.Random(seed), Counter() if told is None else told
    cs.odds("won_us", of="hand", hands=10, progress=False)  # what is compiled or made once
    cs.odds("won_us", of="game", hands=1, progress=False)
    cs.odds("knocks = 0", of="deal", check=10, progress=False)
    for _ in range(questions):
        if dice.random() < CHECKED:
            told["checked"] += 1
            if (wrong := checked(dice)) is not None:
                yield wrong
            continue
        asked, began = a_mutated_question(dice), process_time()
        try:
            cs.odds(**asked)
            told["answered"] += 1
        except InputError as error:
            told["refused"] += 1
            if "\n" in str(error):
                yield f"{asked}: more than a line: {error}"
        except Exception:
            yield f"{asked}: {traceback.format_exc()}"
        if (took := process_time() - began) > slowest:
            yield f"{asked}: took {took:.1f} s"


@click.command(help=__doc__)
@click.option("--questions", default=100_000, show_default=True, help="How many.")
@click.option("--seed", default=1, show_default=True, help="Same seed, same questions.")
def main(questions: int, seed: int) -> None:
    told: Counter[str] = Counter()
    for wrong in islice(findings(questions, seed, told), MOST):
        told["wrong"] += 1
        click.echo(wrong, err=True)
    click.echo(f"{questions:,} questions of seed {seed}: {', '.join(f'{n:,} {name}' for name, n in told.items())}.")
    sys.exit(1 if told["wrong"] else 0)


if __name__ == "__main__":
    main()
