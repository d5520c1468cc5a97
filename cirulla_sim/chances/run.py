"""Questions about dealt cards answered: counted where they can be, else from simulated deals."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ..arguments import SEED, THREADS, choice, count, door, numbers, several, table_file, words
from ..errors import InputError
from ..kept import write
from ..rulebook import Rules, RuleSet, choose
from ..runs import Result
from . import midhand, questions, readers
from .cases import Subject
from .first_deal import first_deal, metadata, question_words
from .played_piles import PlayedPiles, RandomPiles
from .position import read
from .questions import Question
from .subjects import SUBJECTS, LargeHolding

OF = ("holding", "table", "first-deal", "deal", "piles", "position")
"""What can be asked of."""

MOST_DEALS = 10**10


@door
def odds(
    question: str | None = None,
    *,
    of: str | None = None,
    given: str | None = None,
    by: str | None = None,
    mean: str | None = None,
    cards: int | str = 3,
    sizes: str | Sequence[int] | None = None,
    policy: str | Sequence[str] | None = None,
    check: int | str | None = None,
    hands: int | str = 1_000_000,
    seed: int | str = 1,
    threads: int | str | None = None,
    table: str | None = None,
    holding: str | None = None,
    seen: str | None = None,
    held: str | Sequence[int] | None = None,
    seat: int | str | None = None,
    shown: str | Sequence[str] = (),
    matta_as: int | str | None = None,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    output: str | Path | None = None,
) -> Result:
    """Exact chances of dealt cards: fractions where they can be counted, else estimates from so many ``hands`` dealt.

    Without a ``question``: the bonuses of three cards held and of the table, and misdeals. A question is an expression
    over the features of what it is ``of`` (``holding``, ``table``, ``first-deal``, ``deal``, ``piles``), as ``low and
    has_matta`` or ``sevens >= 2``; ``given`` restricts it, ``by`` splits it, ``mean`` asks for a mean. ``cards`` is the
    size of a holding, ``sizes`` of two piles (``"22,18"``), ``policy`` who plays for them; ``check`` puts the question
    to so many simulated deals too. With ``table`` and ``holding`` it is asked in mid-hand of what one seat knows:
    ``seen``, ``held``, ``seat``, ``shown`` and ``matta_as`` tell more.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> odds("low and has_matta").frame["exact"].item()
    '53/2470'
    >>> odds("sweep", table="3c 5d", holding="7d Ks 2h", players=2).frame["exact"].item()
    '411/595'
    """
    chosen = choose(rules, players, house, rule)
    target, start = table_file("-o", output), count("--seed", seed, 0, SEED)
    many = None if threads is None else count("--threads", threads, 1, THREADS)
    checked = None if check is None else count("--check", check, 1, MOST_DEALS)
    size = count("--cards", cards, 3, 10)
    about = None if of is None else choice("--of", "subject", of, OF)
    told = {
        "table": table, "holding": holding, "seen": seen, "held": held, "seat": seat, "shown": several(shown),
        "matta_as": matta_as,
    }  # fmt: skip
    how: dict[str, Any] = {
        "cards": None if size == 3 else size,
        "sizes": None if sizes is None else ",".join(map(str, numbers("--sizes", sizes))),
        "policy": None if policy is None else ",".join(words(policy)),
    }
    if about == "position" or any(value not in (None, ()) for value in told.values()):
        asked = {"given": given, "by": by, "mean": mean} | how
        return _in_mid_hand(chosen, question, about, asked, told, (checked, start, many), target)
    fields = chosen.fields
    remarks: list[str] = []
    subject, more = subject_of(fields, about or "holding", size, how["sizes"], how["policy"])
    said: list[str] = []
    dealt: int | None = None
    if question is None and by is None and mean is None:
        for flag, value in ({"given": given, "check": checked} | how | {"of": about}).items():
            if value is not None:
                raise InputError(f"--{flag} '{value}' needs a question (valid: odds QUESTION --{flag} {value})")
        frame = first_deal(fields)
        printed = readers.for_readers(frame)
    else:
        if question is not None and midhand.is_question(question) and question not in subject.features(fields):
            raise InputError(f"{question!r} is asked in mid-hand: say what lies on the table and what you hold "
                             f"(valid: odds {shlex.quote(question)} --table '3c 5d' --holding '7d Ks 2h')")  # fmt: skip
        full = Question(question, about or "holding", given, by, mean)
        frame, dealt, way = _answer(
            fields, full, subject, checked, count("--hands", hands, 1, MOST_DEALS), start, many, remarks
        )
        said = question_words(full, [*more, *way])
        printed = readers.answers_for_readers(frame)
    made = metadata(fields, chosen.preset, said, dealt, start if dealt else None)
    if target is not None:
        write(frame, target, made)
        remarks.append(f"Written: {target}")
    if frame.is_empty():
        remarks.append("Under these rules the first deal brings no bonus and no misdeal.")
    elif fields.big_holdings and about in (None, "holding") and size == 3:
        remarks.append("These are the chances of any three cards of the pack (larger holdings: --cards 9).")
    return Result(frame, made, printed, tuple(remarks))


def vocabulary(
    of: str = "holding",
    *,
    cards: int = 3,
    sizes: str | None = None,
    policy: str | None = None,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
) -> list[tuple[str, str]]:
    """What can be asked of a subject: names and what they mean, in a sentence each.

    Raises ``InputError`` as ``odds`` does.
    """
    chosen = choose(rules, players, house, rule)
    if choice("--of", "subject", of, OF) == "position":
        return list(midhand.QUESTIONS.items())
    return questions.describe(chosen.fields, subject_of(chosen.fields, of, cards, sizes, policy)[0])


def subject_of(rules: Rules, of: str, cards: int, sizes: str | None, policy: str | None) -> tuple[Subject, list[str]]:
    """What is asked of, and the words of the command that say so beside ``--of``."""
    if of == "table" and not rules.table_cards:
        raise InputError("--of 'table': no cards are laid on the table under these rules (valid: with table_cards 4)")
    if sizes is not None and of != "piles":
        raise InputError(f"--sizes {sizes!r} says nothing of a {of} (valid: with --of piles)")
    if policy is not None and of != "piles":
        raise InputError(f"--policy {policy!r} says nothing of a {of} (valid: with --of piles)")
    if cards != 3 and of != "holding":
        raise InputError(f"--cards '{cards}' says nothing of a {of} (valid: with --of holding)")
    if policy is not None:
        if sizes is not None:
            raise InputError(f"--sizes {sizes!r} and --policy {policy!r} clash: play decides the sizes (give one)")
        return PlayedPiles(tuple(policy.split(","))), ["--policy", policy]
    if sizes is not None:
        parts = numbers("--sizes", sizes)
        if len(parts) != 2 or sum(parts) > 40:
            raise InputError(f"--sizes {sizes!r} is not valid (valid: two numbers that add up to 40 or less, as 22,18)")
        return RandomPiles((parts[0], parts[1])), ["--sizes", sizes]
    if cards != 3:
        return LargeHolding(cards), ["--cards", str(cards)]
    return SUBJECTS[of], []


def _answer(
    rules: Rules, question: Question, subject: Subject, check: int | None, hands: int, seed: int, threads: int | None,
    remarks: list[str],
) -> tuple[pl.DataFrame, int | None, list[str]]:  # fmt: skip
    """The answer, how many deals were simulated for it, and the words of the command that say so."""
    exact = questions.exact(rules, question, subject)
    if exact is not None and check is None:
        return exact, None, []
    dealt = check or hands
    simulated = questions.simulated(rules, question, dealt, seed, threads, subject)
    if exact is not None:
        return questions.checked(exact, simulated), dealt, ["--check", str(dealt), "--seed", str(seed)]
    remarks.append(f"Not counted: an estimate from {dealt:_} simulated deals.")
    return simulated, dealt, ["--hands", str(dealt), "--seed", str(seed)]


def _in_mid_hand(
    chosen: RuleSet,
    question: str | None,
    of: str | None,
    asked: Mapping[str, Any],
    told: Mapping[str, Any],
    simulate: tuple[int | None, int, int | None],
    target: Path | None,
) -> Result:
    """Answer a question about a position; ``simulate`` is how many deals check it, their seed and the threads."""
    for name, text in asked.items():
        if text is not None:
            raise InputError(
                f"--{name} {str(text)!r} says nothing of a position (valid: with --of holding or --of table)"
            )
    if of not in (None, "position"):
        raise InputError(f"--of {of!r} and a position clash (valid: --of position, or no --table, --holding, --seen)")
    for flag in ("table", "holding"):
        if told[flag] is None:
            raise InputError(f"--{flag} is missing: a position needs --table and --holding (valid: cards, '' for none)")
    if question is None:
        raise InputError(f"no question about the position (valid: {', '.join(midhand.QUESTIONS)})")
    said = [question, *position_words(told)]
    at = read(chosen.fields, **position_arguments(told))
    frame = midhand.answer(at, question)
    check, seed, threads = simulate
    if check is not None:
        frame = questions.checked(frame, midhand.simulated(at, question, check, seed, threads))
        said += ["--check", str(check), "--seed", str(seed)]
    made = metadata(chosen.fields, chosen.preset, said, check, seed if check else None)
    remarks = midhand.remarks(at, question, assumed=told["held"] is None and told["seat"] is None)
    if target is not None:
        write(frame, target, made)
        remarks = [f"Written: {target}", *remarks]
    return Result(frame, made, midhand.for_readers(frame, at), tuple(remarks))


def position_arguments(told: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of a position, as ``position.read`` takes it."""
    seat, matta_as = told["seat"], told["matta_as"]
    return dict(told) | {
        "held": numbers("--held", told["held"]),
        "seen": told["seen"] or "",
        "seat": None if seat is None else count("--seat", seat, 1, 4),
        "matta_as": None if matta_as is None else count("--matta-as", matta_as, 1, 10),
    }


def position_words(told: Mapping[str, Any]) -> list[str]:
    """The words of a command that tell a position; numbers in a row are one word."""
    said = []
    for flag, value in told.items():
        if flag == "held" and value is not None and not isinstance(value, str):
            value = ",".join(map(str, value))
        for item in value if isinstance(value, (tuple, list)) else () if value is None else (value,):
            said += [f"--{flag.replace('_', '-')}", str(item)]
    return said
