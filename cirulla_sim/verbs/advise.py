"""Advice: what to play in a position, or what was lost in the hands of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from ..advice.advice_job import AdviceJob
from ..advice.coach import SAMPLES
from ..advice.decision_points import read_record, read_records, rules_of, turns
from ..advice.judge import SECONDS, Problem, read_score
from ..advice.review import ReviewJob, rules_of_all
from ..core.arguments import count, public, several
from ..core.cards import parse_many
from ..core.errors import InputError
from ..engine.hand_record import Hand, Record
from ..experiments.runner import carry_out
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.information_set import InformationSet, open_holdings
from ..situation.line_up import LineUp
from ..situation.position import PositionText
from ..situation.position_text import read_situation
from ..situation.unseen_cards import with_constraints
from ..storage.request import Effort
from .bind import PositionOptions, RunOptions, bind, check_unset, read
from .options import POSITION

Source = str | Path | Mapping[str, Any] | Hand
"""A hand record: a file, a hand, or the record itself."""

OF_THE_RECORD = (*(option.name for option in POSITION), "hands", "rules", "players", "house", "rule")
"""Arguments that a record replaces."""

OF_A_PLAY = ("deal", "score", "aim", "open", "ends", "policy", "time")
"""Arguments for a position or one play of a record."""


class Case(NamedTuple):
    """A position to be judged: its rules, what the seat knows, all holdings where they are open, what is assumed."""

    rules: RuleSet
    now: InformationSet
    holdings: tuple[int, ...] | None
    assumed: list[str]


class AdviseOptions(RunOptions, PositionOptions, total=False):
    """Keyword arguments of ``advise``: the position before your play, output, threads and progress."""


@public
def advise(
    *,
    deal: str | None = None,
    score: str | None = None,
    aim: str | None = None,
    record: Source | None = None,
    hand: int | str | None = None,
    play: int | str | None = None,
    open: bool = False,
    ends: bool = False,
    hands: str | None = None,
    policy: str | LineUp | Sequence[str | LineUp] = "careful",
    samples: int | str | None = None,
    time: float | str = SECONDS,
    seed: int | str = 1,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    **keywords: Unpack[AdviseOptions],
) -> Result:
    """Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Describe what you see: ``table``, ``holding`` (before you play), and ``seen`` or ``piles`` (``"mine: 7d; theirs:
    Kd"``), the cards gone; ``held``, ``seat``, ``shown``, ``matta_as``, ``stage`` and ``points`` (``"2-1"``) describe
    it further. Or name a ``play`` of a hand ``record`` (a file, or a hand): only what that player knew is used, or with
    ``open`` all of it. Without ``play`` every play of the record is judged: what each play lost, and what each side's
    margin is made of, in every hand of the file or the one at place ``hand``, from so many ``samples`` a play (1,000 by
    default). ``deal`` fixes unseen cards that you know (``"partner: 7d; next: no aces"``). ``score`` (``"38-41"``) adds
    the chance to win the game, ``aim`` chooses what ranks the plays.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by ``policy``, a line-up as
    ``"us=search, them=careful"``. It ends when the best play is separated from all others, or after ``time`` seconds,
    or after so many ``samples``; the same samples and ``seed`` give the same advice. ``ends`` shows how often your side
    then makes cards, diamonds, settebello, primiera and grande at the end of the hand. With ``open`` and all ``hands``
    the line is solved. A file (``output``) of so many ``samples`` is saved every ``save_every`` seconds and resumed, as
    by ``simulate``; ``force`` replaces it.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> advise(table="5c 2h Kd", holding="7d 2s Jh", players=2, samples=64).frame.height > 3
    True
    """
    arguments = locals()
    values = read("advise", arguments)
    if deal is not None and open:
        raise InputError(f"--deal {deal!r} cannot be combined with --open: all cards are known (leave it out)")
    if record is not None:
        check_unset("advise", values, OF_THE_RECORD, "cannot be combined with --record (leave it out)")
    if record is not None and play is None:
        return _review(arguments, values)
    case = _of_words(values) if record is None else _of_record(values)
    bound = bind("advise", arguments, case.rules, case.now.side, named_us=True)
    ours = None if score is None else read_score(case.now.rules, score)
    if ours is not None and record is None and bound["points"] is None and case.now.field("stage"):
        case.assumed.append("No sweeps or bonuses so far in this hand are counted (say otherwise with --points).")
    policies = bound.line_ups[0].by_side(case.now.rules, case.now.side)
    now = with_constraints(case.now, deal)
    problem = Problem(now, policies, bound["seed"], ours, bound["aim"] or "", case.holdings)
    request = bound.request(bound.effort("samples"), record=_name(record))
    if problem.holdings is not None:
        request = replace(request, line_ups=(), effort=Effort("samples", seed=None))
    return carry_out(AdviceJob(request, problem, bound["time"], case.assumed), bound.execution())


def _review(arguments: Mapping[str, Any], values: Mapping[str, Any]) -> Result:
    """Every play of a record judged."""
    check_unset("advise", values, OF_A_PLAY, "requires one play of the record (add --play)")
    records = _records(values["record"], values["hand"])
    bound = bind("advise", arguments, rules_of_all(records))
    samples = SAMPLES if bound["samples"] is None else count("--samples", bound["samples"], 4, 1 << 20)
    request = bound.request(bound.effort("samples", samples), record=_name(values["record"]))
    return carry_out(ReviewJob(replace(request, line_ups=()), records), bound.execution())


def _name(source: Source | None) -> str | None:
    """What a record is called in a request, for display only: nothing opens it because a file names it."""
    return str(source) if isinstance(source, (str, Path)) else None


def _records(source: Source, place: int | None) -> dict[int, Record]:
    """The hands of a record by their places in the file, or the one at a place.

    Raises ``InputError`` for what is no record, a place where there is no file, and as ``read_record`` does.
    """
    if isinstance(source, (str, Path)):
        return read_records(Path(source)) if place is None else {place: read_record(Path(source), place)}
    if place:
        raise InputError(f"--hand '{place}' is a place in a file, and one hand is given (leave it out)")
    record = source.record if isinstance(source, Hand) else source
    if not isinstance(record, Mapping):
        raise InputError(f"--record {str(record)!r} is no hand record (valid: a file, a hand, or its record)")
    return {0: dict(record)}


def _of_record(values: Mapping[str, Any]) -> Case:
    """What the seat to play knew at a play of a record, or with ``open`` everything."""
    number, length, moment = values["play"], 0, None
    [record] = _records(values["record"], values["hand"] or 0).values()
    for turn in turns(record):  # later plays are not looked at
        length += 1
        if turn.number == number:
            moment = turn.moment
            break
    if moment is None:
        valid = f"1 to {length}" if length else "none: the hand was won at the deal"
        raise InputError(f"--play '{number}' is out of range (valid: {valid})")
    opened = values["open"]
    now = moment.open_information() if opened else moment.information()
    return Case(rules_of(record), now, moment.holdings if opened else None, [])


def _of_words(values: Mapping[str, Any]) -> Case:
    """The position that the arguments describe."""
    for flag in ("play", "hand"):
        if values[flag] is not None:
            raise InputError(f"--{flag} '{values[flag]}' is of a hand record (give --record FILE)")
    rules = choose(values["rules"], values["players"], values["house"], values["rule"])
    position = {
        option.name: several(values[option.name]) if option.many else values[option.name] for option in POSITION
    }
    position |= _open_hands(rules.fields, values["open"], values["hands"], position)
    for flag in ("table", "holding"):
        if position[flag] is None:
            raise InputError(f"--{flag} is missing: advise needs --table and --holding (valid: cards, '' for none)")
    now, assumed = read_situation(rules.fields, PositionText.of_options(position))
    return Case(rules, now, open_holdings(now) if values["open"] else None, assumed)


def _open_hands(rules: Rules, opened: bool, hands: str | None, position: Mapping[str, Any]) -> dict[str, Any]:
    """What ``--hands`` means as arguments of ``read_situation``: your own holding, and what the others show."""
    if opened != (hands is not None):
        raise InputError(
            "--open needs all cards: --hands, or --record and --play"
            if opened
            else f"--hands {hands!r} is all cards (valid: with --open)"
        )
    if hands is None:
        return {}
    for flag in ("holding", "shown", "held"):
        if position[flag]:
            raise InputError(f"--{flag} cannot be combined with --hands, which names all cards (leave --{flag} out)")
    holdings = [part.strip() for part in hands.split("/")]
    if len(holdings) != rules.players:
        raise InputError(f"--hands {hands!r} has {len(holdings)} hands (valid: {rules.players}, apart by '/')")
    counts = tuple(len(_cards(part)) for part in holdings[1:])
    shown = tuple(f"{place}: {part}" for place, part in enumerate(holdings[1:], 1))
    return {"holding": holdings[0], "shown": shown, **({} if position["seat"] is not None else {"held": counts})}


def _cards(text: str) -> list[int]:
    try:
        return parse_many(text)
    except InputError as error:
        raise InputError(f"--hands: {error}") from None
