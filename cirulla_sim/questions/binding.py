"""Questions about dealt cards as expressions: "low and has_matta", of a holding, a table, a deal.

An expression is read by ``grammar`` into words, numbers and operators, nothing else, over the features of a subject.
The same question can be counted over all cases, for a fraction, and put to deals of the kernel, for an estimate.

>>> from cirulla_sim.ruleset.presets import build
>>> exact(build("cirulla"), Question("low and has_matta"))["exact"].item()
'53/2470'
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from ..core.errors import InputError
from ..engine.engines import Folded, fold
from ..ruleset.rules_model import Rules
from ..stats import estimates
from .answers import answered
from .cases import Subject
from .counting import Asked, Counted, Together, counted, plainly, weighing
from .expressions import Expression
from .grammar import read
from .question import Question, named
from .subjects import SUBJECTS
from .vocabulary import meant

# ------------------------------------------------------------------------------------------------ answers


def exact(rules: Rules, question: Question, subject: Subject | None = None) -> pl.DataFrame | None:
    """The exact answer as a result table (see ``answers``); None where there are too many cases to count.

    Raises ``InputError`` that quotes the expression, for unknown names, syntax, types, and a condition never true.
    """
    subject = subject or SUBJECTS[question.of]
    asked = read_question(rules, question, subject)
    cases = subject.cases(rules, _names(rules, [asked], subject))
    if cases is None:
        return None
    return answered(question, subject, counted(asked, cases.frame, weighing(cases)), None)


def is_slow(rules: Rules, question: Question, subject: Subject) -> bool:
    """Whether counting the answer takes a minute or so; raises ``InputError`` as ``exact`` does."""
    return subject.is_slow(rules, _names(rules, [read_question(rules, question, subject)], subject))


def simulated(
    rules: Rules,
    question: Question,
    hands: int,
    seed: int = 1,
    threads: int | None = None,
    subject: Subject | None = None,
) -> pl.DataFrame:
    """The answer as found in ``hands`` deals of a seed, with its 95% interval; the same for any number of threads.

    Raises ``InputError`` as ``exact`` does.
    """
    return simulated_together(rules, [question], hands, seed, threads, subject).frames[0]


@dataclass(frozen=True)
class Simulated:
    """The answers to several questions from the same hands: how many, and why no more (see ``play.Run``)."""

    frames: list[pl.DataFrame]
    done: int
    stopped: str


def simulated_together(
    rules: Rules,
    questions: Sequence[Question],
    hands: int,
    seed: int = 1,
    threads: int | None = None,
    subject: Subject | None = None,
    precision: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulated:
    """The answers to several questions of one subject, each as ``simulated`` gives it, from the same deals.

    See ``tallied``.
    """
    subject = subject or SUBJECTS[questions[0].of]
    found = tallied(rules, questions, hands, seed, subject, precision, threads=threads, progress=progress)
    return Simulated(answers_of(questions, subject, found), found.done, found.stopped)


def answers_of(questions: Sequence[Question], subject: Subject, found: Folded[Together]) -> list[pl.DataFrame]:
    """The answers that hands give."""
    both = zip(questions, found.tally.each, strict=True)
    return [answered(question, subject, sums, found.done) for question, sums in both]


def tallied(
    rules: Rules,
    questions: Sequence[Question],
    hands: int,
    seed: int,
    subject: Subject,
    precision: float | None = None,
    *,
    engine: str = "threads",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    earlier: Folded[Together] | None = None,
    grown: Callable[[Folded[Together]], None] | None = None,
) -> Folded[Together]:
    """What so many deals come to, question by question, those of ``earlier`` among them.

    With a ``precision`` no more are dealt once all intervals are that narrow to each side. The rest is as in
    ``play.fold``.
    """
    asked = [read_question(rules, question, subject) for question in questions]
    names = _names(rules, asked, subject)

    def is_enough(found: Folded[Together]) -> bool:
        return max(map(_half_width, answers_of(questions, subject, found))) <= (precision or 0)

    found = fold(
        partial(_dealt, rules, subject, names, asked, seed),
        earlier or Folded(Together((Counted(),) * len(asked)), 0, "interrupted"),
        hands,
        unit=subject.unit,
        engine=engine,
        threads=threads,
        most=subject.chunk,
        enough=None if precision is None else is_enough,
        progress=progress,
        grown=grown,
    )
    if not found.done:
        raise KeyboardInterrupt
    return found


def _dealt(
    rules: Rules, subject: Subject, names: Sequence[str], asked: Sequence[Asked], seed: int, first: int, hands: int
) -> tuple[Together, None]:
    frame = subject.sample(rules, names, seed, first, hands)
    return Together(tuple(counted(one, frame, plainly) for one in asked)), None


def _half_width(frame: pl.DataFrame) -> float:
    return float(((frame["ci_high"] - frame["ci_low"]) / 2).max())  # type: ignore[arg-type]


def read_question(rules: Rules, question: Question, subject: Subject) -> Asked:
    """The expressions of a question in the words of a subject; raises ``InputError`` that points at what is none."""
    known = subject.features(rules)

    def expression(text: str | None) -> Expression | None:
        return None if text is None else Expression(text, meant(text, read(text), known, subject.called))

    number = None if question.number is None else named(question.number[1])[1]
    text, given, by, of_number = (expression(part) for part in (question.text, question.given, question.by, number))
    return Asked(text, given, by, of_number, distribution=question.number is not None and question.mean is None)


def understood(rules: Rules, text: str, subject: Subject) -> bool:
    """Whether a text is an expression in the words of a subject."""
    try:
        meant(text, read(text), subject.features(rules), subject.called)
    except InputError:
        return False
    return True


def _names(rules: Rules, asked: Sequence[Asked], subject: Subject) -> tuple[str, ...]:
    """The features that questions speak of, or one where there are none: cases are counted even so."""
    parts = [part for one in asked for part in (one.text, one.given, one.by, one.number) if part is not None]
    names = dict.fromkeys(name for part in parts for name in part.tree.words())
    return tuple(names) or (next(iter(subject.features(rules))),)


def checked(exactly: pl.DataFrame, estimated: pl.DataFrame) -> pl.DataFrame:
    """Both answers side by side: the exact table, and in four more columns what was simulated.

    ``simulated`` with its interval ``simulated_low``, ``simulated_high`` and trials ``simulated_n``; ``difference`` is
    how far it is from the exact answer, in standard errors (those of the exact chance for chances). Of a distribution a
    value that never came up is found 0 times; where a chance is split by it nothing is known of it.
    """
    found = {(row["quantity"], row["value"]): row for row in estimated.to_dicts()}
    split = "joint" in exactly.columns and exactly["joint"].to_list() != exactly["estimate"].to_list()
    trials = 0 if split else max(estimated["n"].to_list(), default=0)
    rows = []
    for row in exactly.to_dicts():
        other = found.get((row["quantity"], row["value"]))
        p, chance = row["estimate"], row["kind"] == "probability" and not (split and other is None)
        n = other["n"] if other else trials
        value = other["estimate"] if other else 0.0 if chance else None
        error = math.sqrt(p * (1 - p) / n) if chance and n else other["std_error"] if other else None
        difference = None
        if value is not None and error is not None:
            difference = (value - p) / error if error else 0.0 if abs(value - p) < 1e-12 else math.inf
        low, high = (
            (other["ci_low"], other["ci_high"]) if other else estimates.wilson(0, trials) if chance else (None,) * 2
        )
        rows.append(
            {
                "simulated": value,
                "simulated_low": low,
                "simulated_high": high,
                "simulated_n": n,
                "difference": difference,
            }
        )
    schema = dict.fromkeys(("simulated", "simulated_low", "simulated_high"), pl.Float64)
    return pl.concat(
        [exactly, pl.DataFrame(rows, schema={**schema, "simulated_n": pl.Int64, "difference": pl.Float64})],
        how="horizontal",
    )


_FAMILY = re.compile(
    r"(seat\d_)?(.+?)(_dealer|_others|_seat\d|_us|_them|_me|_next|_second|_third|_partner)?(_stage\d)?"
)
_CARD = re.compile(r"has_[2-7AJQK][hdcs]$")


def describe(found: Mapping[str, str]) -> list[tuple[str, str]]:
    """The features of a subject, each with a sentence; those that differ in whose, when or which card only once."""
    listed: dict[tuple[bool, str], tuple[str, dict[str, None]]] = {}
    for name in found:
        match = _FAMILY.fullmatch(name)
        assert match
        card, kind = _CARD.search(match[2]) is not None, _CARD.sub("has_7d", match[2])
        key, shown = (bool(match[1]), kind), name.replace(match[2], kind)
        first, others = listed.setdefault(key, (shown if shown in found else name, {}))
        also = ["seat1_..."] if match[1] and not first.startswith(match[1]) else []
        also += [part for part in match.groups()[2:] if part and not first.endswith(part)]
        also += ["each card"] if card else []
        others |= dict.fromkeys(also)
    return [(name, found[name] + (f" (also {' '.join(also)})" if also else "")) for name, also in listed.values()]
