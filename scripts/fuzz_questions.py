"""Fuzz the questions of ``odds``: each must be answered correctly, or refused in one line, within seconds.

python scripts/fuzz_questions.py [--questions N] [--seed S]

Expressions are generated as a text and as a Python function of a hand record at once: the answer must be what Python
computes from the records of the same hands. A third of them are damaged first. Other questions are those of
docs/how-to/questions.md with words, signs, numbers and letters changed, removed, doubled or added, and with options
added. Damaged texts and changed questions must be answered or refused (``InputError``, one line) within ``SLOWEST``
seconds. Failures are printed, and the exit code is 1.
"""

from __future__ import annotations

import random
import re
import shlex
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import click
import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.questions.binding import bind
from cirulla_sim.questions.expressions import UNIT, numbers_of, truth_of
from cirulla_sim.questions.played import PlayedHand
from cirulla_sim.questions.question import Question
from cirulla_sim.questions.spaces import Place
from cirulla_sim.questions.vocabulary import functions
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]

from question_calls import Call, calls  # noqa: E402
from random_expressions import Generator, broken  # noqa: E402

SLOWEST = 10.0
"""Processor seconds within which a question must be answered or refused."""
SHARES = (0.4, 0.2, 0.4)
"""The shares of expressions checked against Python, of damaged expressions, and of changed questions of the page."""

RULES = (
    ("cirulla", 2), ("cirulla", 3), ("cirulla", 4), ("cirulla-dossena", 4), ("cirullone-3-6", 4), ("scopa", 2),
    ("scopone-scientifico", 4),
)  # fmt: skip
EVALUATED, SEED, POLICY = 40, 3, "random"
"""How many hands each expression is evaluated on, of which seed, and who plays them."""

MAX_FINDINGS = 50
"""Failures after which the script stops."""

LARGE = ("cirullone", "cirullone-3-6")
"""Rules whose whole deals take half a minute to count: left out."""

HANDS = 200
"""The trials of a changed question."""
AGGREGATES = ("mean", "max", "min", "quantiles", "histogram", "ratio", "chance")
SIGNS = [*"=<>+-*/%(),", "<>", "<=", "//", "and", "or", "not", "in", "between", "given", "e", "o", "non"]
ODD = ["", "'", '"', "\\", ";", "--", "\x00", "𝟙", "é", "matta_", "__import__", "x1", "null", "true", "0", "-1", "1e9",
       "10**9", "99999999999", ".5", "7d", "10♦", "re di coppe", "select", "(" * 40, "not " * 30,
       "%s", "{0}", "\n"]  # fmt: skip
ARGUMENTS = ["us", "them", "me", "table", "somebody", "everybody", "stage 2", "stage 9", "after stage 1", "with ace",
             "by scopa", "7d", "primiera", "barsega", "(us)", "(me, stage 2)", "(us, primiera)", "best", "pair 2",
             "pair 99"]  # fmt: skip
PLACES = ["me", "partner", "table", "first", "second stage 2", "us", "them", "everybody", "stock", "not me", "nobody",
          "somebody", "dealer", "shown next", "captured us", "gone", "to play", "i am"]  # fmt: skip
CARDS = ["7h", "K*", "*d", "..", "2-5h", "three diamonds", "no aces", "exactly 1 king", "matta", "7", "at most", "8x",
         ", barsega,", ", sevens >= 2,", "dealer"]  # fmt: skip


# ------------------------------------------------------------------------------------------------ mutated


@cache
def questions_of_the_page() -> tuple[dict[str, Any], ...]:
    """The questions of docs/how-to/questions.md as arguments of ``odds``, including those about positions."""
    page, questions = (ROOT / "docs" / "how-to" / "questions.md").read_text("utf-8"), []
    parts = ("given", "by", "top", "in", "in-a-row", "sizes", "rules", "players", "at", "me")
    names = {f"--{name}" for name in parts}
    for line in re.findall(r"`cirulla-sim odds (.*?)` \|", page):
        words, arguments = shlex.split(line), {"question": []}
        while words:
            word = words.pop(0)
            if word in names:
                arguments["in_" if word == "--in" else word[2:].replace("-", "_")] = words.pop(0)
            elif word.startswith("--"):
                words.pop(0)
            else:
                arguments["question"].append(word)
        if arguments["question"] or len(arguments) > 1:
            questions.append(arguments)
    return tuple(questions)


@cache
def words() -> tuple[str, ...]:
    """Calls, names, people and arguments."""
    calls = [function.example for function in functions().values()]
    spellings = [word for function in functions().values() for word in function.spellings]
    return (*calls, *spellings, *AGGREGATES, *ARGUMENTS)


def mutated(text: str, dice: random.Random) -> str:
    """A text with random changes."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        parts = re.findall(r"\w+|\s+|[^\w\s]+", text) or [""]
        at = dice.randrange(len(parts))
        new = dice.choice((*words(), *SIGNS, *ODD, str(dice.randrange(60))))
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
    for name, value in list(arguments.items()):
        if dice.random() < 0.5:
            continue
        if name == "question":
            arguments[name] = [mutated(text, dice) for text in value]
        elif name in ("given", "by", "at"):
            arguments[name] = mutated(value, dice)
    if dice.random() < 0.2:
        aggregate = dice.choice(AGGREGATES)
        arguments["question"] = [f"{aggregate}({text})" for text in arguments["question"]]
    if dice.random() < 0.3:
        name = dice.choice(("given", "by", "top", "in_", "in_a_row", "sizes", "players", "rules", "at", "me"))
        situation = (
            f"{dice.choice(PLACES)}: {' '.join(dice.choices(CARDS, k=dice.randrange(4)))}"
            for _ in range(dice.randrange(1, 4))
        )
        arguments[name] = {
            "in_": str(dice.choice((0, 1, 20, 10**7, "x"))), "in_a_row": str(dice.choice((1, 3, 10**5))),
            "top": str(dice.choice((0, 1, 5, "x"))), "sizes": dice.choice(("20,20", "22,18", "5", "30,30")),
            "players": str(dice.randrange(1, 6)),
            "rules": dice.choice(("cirulla-dossena", "scopa", "scopone-scientifico", "x")),
            "me": dice.choice(("first", "second", "dealer", "next")), "at": "; ".join(situation),
        }.get(name) or mutated(dice.choice(words()), dice)  # fmt: skip
    if arguments.get("rules") in LARGE:
        del arguments["rules"]
    arguments["question"] = tuple(arguments["question"]) or None
    return arguments | {"hands": HANDS, "progress": False, "threads": 1}


# ------------------------------------------------------------------------------------------------ generated


@dataclass(frozen=True)
class Hands:
    """The hands that expressions are evaluated on: the rules, the seat of the person asking, and the records."""

    rules: Rules
    me: int
    records: list[dict[str, Any]]
    calls: list[Call]

    @cached_property
    def data(self) -> dict[str, Any]:
        return asdict(self.rules)


@cache
def hands_of(preset: str, players: int, me: int) -> Hands:
    """Hands 0 to ``EVALUATED - 1`` of ``SEED``, without those decided at the deal."""
    rules = build(preset, players=players)
    experiment = Experiment(rules, (POLICY,), EVALUATED, SEED)
    records = [hand_record(experiment, number, preset) for number in range(EVALUATED)]
    every_call = list(calls(asdict(rules), me, every_combination=True))
    return Hands(rules, me, [record for record in records if record["stages"]], every_call)


def question_of_package(text: str, rules: Rules, me: int) -> Question:
    """An expression as the package reads it; raises ``InputError`` for one that is refused."""
    (question,) = bind(Place(rules, me, (POLICY,) * rules.sides), [text]).questions
    return question


def answers_of_package(
    texts: Sequence[str], rules: Rules, me: int, hands: int, truth: bool = True
) -> list[Sequence[Any]]:
    """The values of some expressions on hands 0 to ``hands - 1`` of ``SEED``, played by ``POLICY``: one array a text.

    ``me`` is the seat of the person asking; each expression is a ``truth`` or a number. Hands decided at the deal are
    left out. Raises ``InputError`` for a text that is refused.
    """
    questions = [question_of_package(text, rules, me) for text in texts]
    terms = tuple(dict.fromkeys(term for question in questions for term in question.terms))
    frame, numbers = PlayedHand(rules, (POLICY,) * rules.sides).sample(terms, SEED, 0, hands)
    if not terms:
        frame = pl.DataFrame({"": numbers})
    values = []
    for question in questions:
        for expression in (*question.parts, *question.given):
            values.append(truth_of(frame, expression) if truth else numbers_of(frame, expression) / UNIT)
    return values


def checked(dice: random.Random) -> str | None:
    """Compare a random expression's values with those of the records: a description of the error, or None."""
    preset, players = dice.choice(RULES)
    hands = hands_of(preset, players, dice.randrange(players))
    generator = Generator(hands.calls, hands.data, hands.records, dice)
    truth = dice.random() < 0.7
    expression = generator.truth() if truth else generator.number()
    where = f"{expression.text!r} ({preset}, {players} players, me at seat {hands.me})"
    try:
        expected = [expression.value(record) for record in hands.records]
    except ZeroDivisionError:
        expected = None
    try:
        (answered,) = answers_of_package([expression.text], hands.rules, hands.me, EVALUATED, truth)
    except InputError as error:
        right = _is_refused(expected, str(error))
        return None if right else f"{where}: refused: {error}"
    if expected is None:
        return f"{where}: answered, but it divides by zero"
    if len(answered) != len(expected):
        return f"{where}: {len(answered)} values of {len(expected)} hands"
    for number, (got, wanted) in enumerate(zip(answered, expected, strict=True)):
        if abs(float(got) - float(wanted)) > 1e-9:
            return f"{where}: {got} is not {wanted} in hand {hands.records[number]['hand']}"
    return None


def _is_refused(expected: Sequence[Any] | None, error: str) -> bool:
    """Whether values are refused as they should be.

    These are a division by zero, without ``expected`` values; constants; numbers that are too large to be added up, or
    with other decimals than sixths.
    """
    if "a number is not compared with numbers" in error:
        return True
    if expected is None:
        return "divides by zero" in error or "about nothing that happens" in error
    if "about nothing that happens" in error:
        return len(set(expected)) == 1
    if "too large" in error:
        return any(abs(value) > 10**6 for value in expected)
    return "a half or a third" in error and any(abs(value * UNIT - round(value * UNIT)) > 1e-6 for value in expected)


def damaged(dice: random.Random) -> str | None:
    """Evaluate a damaged expression, which must be answered or refused in a line; a description of the error, or None.

    Raises what else the package raises.
    """
    preset, players = dice.choice(RULES)
    hands = hands_of(preset, players, dice.randrange(players))
    generator = Generator(hands.calls, hands.data, hands.records, dice)
    truth = dice.random() < 0.7
    text = broken((generator.truth() if truth else generator.number()).text, dice)
    try:
        answers_of_package([text], hands.rules, hands.me, EVALUATED, truth)
    except InputError as error:
        return f"{text!r}: more than a line: {error}" if "\n" in str(error) else None
    except Exception:
        return f"{text!r}: {traceback.format_exc()}"
    return None


# ------------------------------------------------------------------------------------------------ both


def findings(
    questions: int,
    seed: int,
    counts: Counter[str] | None = None,
    slowest: float = SLOWEST,
    shares: tuple[float, float, float] = SHARES,
) -> Iterator[str]:
    """The failures among a number of questions of a seed, each as a line or with its traceback."""
    dice, counts = random.Random(seed), Counter() if counts is None else counts
    cs.odds("wins(us)", hands=10, progress=False)  # compile and cache first
    cs.odds("wins_game(us)", hands=1, progress=False)
    cs.odds("knocks = 0", check=10, progress=False)
    for _ in range(questions):
        kind = dice.choices(("checked", "damaged", "mutated"), shares)[0]
        if kind != "mutated":
            counts[kind] += 1
            began, wrong = process_time(), checked(dice) if kind == "checked" else damaged(dice)
            if wrong is not None:
                yield wrong
            if (took := process_time() - began) > slowest:
                yield f"a {kind} expression took {took:.1f} s"
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
