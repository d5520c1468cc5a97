"""Options of ``odds`` of version 0.1 that are part of the question now: what was typed, in the new spelling."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from ..core.errors import InputError
from ..questions.grammar import read
from ..questions.meaning import Speaker
from ..questions.question import named, read_questions
from ..questions.vocabulary import meaning_of, modern
from ..ruleset.presets import build
from ..verbs.options import ODDS

AGGREGATES = ("mean", "quantiles", "histogram")
QUESTION_OPTIONS = frozenset({"--of", "--cards", *(f"--{name}" for name in AGGREGATES)})
"""The options of version 0.1 that are gone."""

_WORDS = {
    "table": {name: f"{name}(table)" for name in ("settebello", "low", "total", "cards", "ranks", "suits")}
    | {"has_matta": "matta(table)", "has_settebello": "settebello(table)", "wins": "wins_at_deal"},
    "game": {
        "won_us": "wins_game(us)", "won_them": "wins_game(them)", "hands": "hands_left", "cappotto": "ends_by_cappotto",
        "by_cappotto": "ends_by_cappotto", "by_score": "ends_by_score", "at_deal": "ends_at_deal", "drawn": "ties_game",
        "by_last_capture": "ends_by_last_capture", "points_us": "score(us)", "margin_us": "lead(us)",
    },
    "piles": {"cards": "captured(us)", "primiera_tied": "ties(primiera)"}
    | {f"{name}_won": f"wins(us, {name})" for name in ("cards", "diamonds", "primiera")}
    | {name: f"captured(us, {name})" for name in ("sevens", "diamonds", "settebello")}
    | {f"other_{name}": f"captured(them, {name})" for name in ("sevens", "diamonds", "settebello")}
    | {name: f"{name}(us)" for name in ("cappotto", "grande", "piccola", "primiera")}
    | {f"other_{name}": f"{name}(them)" for name in ("cappotto", "grande", "piccola", "primiera")},
    "position": {
        "sweep": "can_sweep(next)", "scopa": "can_sweep(next)", "capture": "can_capture(next)",
        "settebello": "can_capture(next, settebello)", "knock": "bonus(next, stage 2)", "ace": "holds(next, aces)",
    },
}  # fmt: skip
"""Words that meant something of their own for a subject."""

_WORD = re.compile(r"'[^']*'|(?<![\w(])[^\W\d]\w*(?![\w(])")
_FLAGS = {option.flag: option for option in ODDS}


def modern_expression(text: str, subject: str = "") -> str:
    """An expression of version 0.1 with its words in the new spelling; others stay as they are.

    >>> modern_expression("won_us and me_sevens >= 1"), modern_expression("sevens = 4", "piles")
    ('wins(us) and sevens(me) >= 1', 'captured(us, sevens) = 4')
    """
    words = _WORDS.get(subject, {})

    def respelled(match: re.Match[str]) -> str:
        word = match[0]
        new = words.get(word.lower()) or (None if meaning_of(word) else modern(word))
        return new or word

    return _WORD.sub(respelled, text)


def question_command(words: Sequence[str]) -> str:
    """The command ``odds`` in place of one with options of version 0.1; empty if there is none.

    >>> question_command(["odds", "--mean", "margin_us", "--of", "hand", "--hands", "20k"])
    "odds 'mean(margin(us))' --hands 20k"
    >>> question_command(["odds", "an ace: me_aces >= 1", "--mean=margin_us"])
    "odds 'an ace: mean(margin(us)) given aces(me) >= 1'"
    """
    typed = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    if typed[:1] != ["odds"]:
        return ""
    questions, old, others, rest = [], {}, [], iter(typed[1:])
    for word in rest:
        if word in QUESTION_OPTIONS:
            old[word[2:]] = next(rest, "")
        elif word.startswith("-"):
            option = _FLAGS.get(word)
            others.append((word, None if option is not None and option.switch else next(rest, "")))
        else:
            questions.append(word)
    subject = old.get("of", "")
    conditions = [named(text) for text in questions]
    questions_now = [f"{name}: {modern_expression(text, subject)}" if name else modern_expression(text, subject)
             for name, text in conditions]  # fmt: skip
    for aggregate in AGGREGATES:
        if aggregate in old:
            value = f"{aggregate}({modern_expression(named(old[aggregate])[1], subject)})"
            given = [(name, f"{value} given {modern_expression(text, subject)}") for name, text in conditions]
            questions_now = [f"{name}: {text}" if name else text for name, text in given] or [value]
    parts = ["odds", *questions_now]
    for flag, text in others:
        respelled = modern_expression(text, subject) if flag in ("--given", "--by") and text else text
        parts += [flag] if respelled is None else [flag, respelled]
    return shlex.join(parts) if _is_valid(questions_now, dict(others), subject) else ""


def _is_valid(questions_now: Sequence[str], options: dict[str, str | None], subject: str) -> bool:
    """Whether the questions can be read."""
    given, by = (
        None if (text := options.get(flag)) is None else modern_expression(text, subject)
        for flag in ("--given", "--by")
    )
    try:
        for text in (given, by):
            if text is not None:
                read(text)
        read_questions(tuple(questions_now), given, by, Speaker(build("cirulla")))
    except InputError:
        return False
    return bool(questions_now or by or options.get("--at"))
