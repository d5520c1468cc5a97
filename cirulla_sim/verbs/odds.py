"""Questions about dealt cards answered: counted where they can be, else from simulated deals."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack, cast

from ..core.arguments import choice, public, several
from ..core.errors import InputError
from ..engine.policies import USUAL
from ..experiments.runner import carry_out
from ..experiments.win_chance import rules_from
from ..questions import midhand_questions as midhand
from ..questions.answers import FIRST_DEAL, exactly, first_deal
from ..questions.any_seat import AnySeat
from ..questions.binding import BoundQuestions, describe
from ..questions.cases import Dealing, Subject
from ..questions.inquiry import CountedTable, Inquiry, OddsJob
from ..questions.known_deals import chance_of_deal, known_at, known_position, possible_seats
from ..questions.played_game import PlayedGame, by_side
from ..questions.played_hand import PlayedHand
from ..questions.played_piles import PlayedPiles, RandomPiles
from ..questions.played_rest import PlayedRest, is_about_the_rest, words_of_rest
from ..questions.question import Question, named
from ..questions.subjects import SUBJECTS, LargeHolding, SetOfCards
from ..questions.vocabulary import is_expression
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.deals import names_players
from ..situation.line_up import LineUp
from ..situation.notation import Situation
from ..situation.people import seat_of
from ..situation.positions import Position
from ..storage.request import Request
from . import options
from .bind import Bound, EngineOptions, bind
from .options import flag_of

NUMBERS = ("mean", "quantiles", "histogram")
PARTS = ("given", "by", *NUMBERS)
REST = "the rest of a hand"

_FITS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(PARTS, (*options.SUBJECTS[:-1], REST)),
    "in_": options.SUBJECTS[:-1], "cards": ("holding",), "sizes": ("piles",),
    "policy": ("piles", "hand", "game", REST),
    "at": (*options.SUBJECTS, REST),
}  # fmt: skip
"""What an option can be combined with: subjects."""

_CONFLICTS = (
    ("mean", "quantiles", "leave one out"), ("mean", "histogram", "leave one out"),
    ("quantiles", "histogram", "leave one out"), ("histogram", "by", "leave one out"),
    ("sizes", "policy", "play decides the sizes: leave one out"),
    ("in_", "by", "leave one out"), ("in_", "quantiles", "leave one out"), ("in_", "histogram", "leave one out"),
    ("in_", "given", "put both conditions into the question"),
)  # fmt: skip
"""Options that cannot be combined, and what to do about it."""

LARGER = "These are the chances of any three cards of the pack (larger holdings: --cards 9)."


class OddsOptions(EngineOptions, total=False):
    """What a question supposes, and how it is answered: keyword arguments of ``odds``.

    ``cards`` is the size of a holding, ``sizes`` of two piles (``"22,18"``).
    """

    cards: int | str
    sizes: str | Sequence[int] | None


@public
def odds(
    question: str | Sequence[str] | None = None,
    *,
    at: str | None = None,
    me: str | None = None,
    of: str | None = None,
    given: str | None = None,
    by: str | None = None,
    mean: str | None = None,
    quantiles: str | None = None,
    histogram: str | None = None,
    in_: int | str | None = None,
    policy: str | LineUp | None = None,
    check: int | str | None = None,
    hands: int | str | None = None,
    precision: float | str | None = None,
    seed: int | str = 1,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    **keywords: Unpack[OddsOptions],
) -> Result:
    """Chances of dealt cards, of hands and of games: exact fractions where they can be counted, else estimates.

    Without a ``question``: the bonuses of three cards held and of the table, and misdeals. A question is an expression
    over the features of what it is ``of``: ``holding``, ``table``, ``first-deal``, ``deal``, ``piles``; ``hand`` and
    ``game`` are played, by the line-up ``policy``. So ``low and has_matta``, or ``barsegon``. Several questions share
    the same hands, and may have a name in front: ``"a seven: sevens >= 1"``. ``given`` restricts the trials, ``by``
    splits the answer; ``mean``, ``quantiles`` and ``histogram`` are of a number. ``in_`` is the number of trials, each
    dealt anew, in which it happens at least once.

    ``at`` is the situation: cards of a deal (``"me: 7h K*; partner: no aces"``), a position in mid-hand (``"table: 3c
    5d; me: 7d Ks; to play: next"``), a score (``"score: 38-41"``), or a play of a record (``"FILE#HAND.PLAY"``). ``me``
    is where you sit; where it matters and is not given, every seat is equally likely.

    What cannot be counted is estimated from so many ``hands``, or until the 95% half-width of every answer is
    ``precision``. ``check`` simulates so many deals for an exact answer too.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> odds("low and has_matta").frame["exact"].item()
    '53/2470'
    >>> odds("sweep", at="table: 3c 5d; me: 7d Ks; to play: next; i am: first", players=2).frame["exact"].item()
    '242/357'
    """
    arguments = bind("odds", locals(), asks=True, usual_precision=None)
    job = job_of(request_of(arguments, () if question is None else several(question)))
    job.count(bool(arguments["progress"]))
    return carry_out(job, arguments.execution())


# ------------------------------------------------------------------------------------------------ the request


def request_of(arguments: Bound, texts: Sequence[str]) -> Request:
    """The request for some expressions; raises ``InputError`` for arguments that do not go together."""
    situation = _situation(arguments)
    given = {name: x for part in ("question", "situation") for name, x in arguments.part(part).items()}
    given |= {} if arguments["policy"] is None else {"policy": str(arguments.line_ups[0])}
    rules, effort = arguments.rules.fields, arguments.effort()
    in_mid_hand = situation is not None and situation.is_position
    if not _has_question(texts, given) and not in_mid_hand:
        _check_no_question(given)
        of = given.get("of", "first-deal") if "at" in given else None
        return arguments.request(effort, of=of)
    of = _subject_name(rules, given, texts, in_mid_hand)
    _check_options(rules, of, given, texts)
    seated = arguments.line_ups
    if of in ("hand", "game", REST) and not seated:
        seated = (LineUp.parse(USUAL),)
    request = arguments.request(effort, expressions=list(texts) or None, of="hand" if of == REST else of)
    at = {} if situation is None else {"at": str(situation)}
    return replace(request, line_ups=seated, situation=at)


def _situation(arguments: Bound) -> Situation | None:
    """The situation of the arguments, that of a record as text says it."""
    return arguments.situation if arguments.recorded is None else arguments.recorded.situation


def _has_question(texts: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether there is a question: an expression, or a number to describe."""
    return bool(texts) or any(name in given for name in ("by", *NUMBERS))


def _subject_name(rules: Rules, given: Mapping[str, Any], texts: Sequence[str], in_mid_hand: bool) -> str:
    """What a question is of; raises ``InputError`` for a position and another subject."""
    of = given.get("of")
    if not in_mid_hand:
        if of == "position":
            raise InputError("--of 'position' requires a position (add --at 'table: 3c 5d; me: 7d Ks; to play: next')")
        return of or "holding"
    if of is None:
        parts = any(name in given for name in PARTS)
        return REST if is_about_the_rest(rules, texts, parts) else "position"
    if of not in ("hand", "position"):
        raise InputError(f"--of {of!r} cannot be combined with a position (valid: --of position, --of hand)")
    return REST if of == "hand" else of


def _check_no_question(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for an option that requires a question; a deal alone is one about its chance."""
    alone = ("at", "of", "in_") if "at" in given and given.get("of") in (None, "first-deal", "deal") else ()
    for name, value in given.items():
        if name not in alone:
            raise InputError(f"{flag_of(name)} {str(value)!r} requires a question (add one, as low)")


def _check_options(rules: Rules, of: str, given: Mapping[str, Any], texts: Sequence[str]) -> None:
    """Raise ``InputError`` for options and questions that cannot be combined with what the question is of."""
    for name, value in given.items():
        if of not in (fits := _FITS.get(name, (of,))):
            valid = ", ".join("hand" if subject == REST else subject for subject in fits)
            called = {"position": "a position's next plays", REST: "a position"}.get(of, f"--of {of}")
            raise InputError(
                f"{flag_of(name)} {str(value)!r} cannot be combined with {called} (valid: with --of {valid})"
            )
    _check_conflicts(given)
    if of == "piles" and "at" in given and "policy" not in given:
        raise InputError(f"--at {str(given['at'])!r} requires piles of a hand that is played (add --policy careful)")
    if of == "position" and len(texts) != 1:
        raise InputError(
            f"{texts[1]!r}: one question at a time about a position (valid: {texts[0]!r} alone)" if texts
            else f"no question about the position (valid: {', '.join(midhand.QUESTIONS)})"
        )  # fmt: skip
    if of == REST and not _has_question(texts, given):
        raise InputError(
            "no question about the rest of the hand (valid: won_us, primiera_won_us, ...: odds --list --of hand)"
        )
    if of == "table" and not rules.table_cards:
        raise InputError("--of 'table': no cards are laid on the table under these rules (valid: with table_cards 4)")


def _check_conflicts(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for options that cannot be combined with each other."""
    for name, other, hint in _CONFLICTS:
        if name in given and other in given:
            first, second = (f"{flag_of(part)} {str(given[part])!r}" for part in (name, other))
            raise InputError(f"{first} cannot be combined with {second} ({hint})")


# ------------------------------------------------------------------------------------------------ the job


def job_of(request: Request) -> OddsJob:
    """The job of a request; raises ``InputError`` for what cannot be read, played or dealt."""
    return OddsJob(request, inquiry_of(request))


def inquiry_of(request: Request) -> Inquiry:
    """The questions of a request, ready to be counted and simulated; raises as ``job_of`` does."""
    rules, parts = request.rules.fields, request.question
    at = None if "at" not in request.situation else Situation.parse(request.situation["at"])
    texts, of = parts.get("expressions", ()), parts.get("of", "holding")
    position = known_position(rules, at) if at is not None and at.is_position else None
    if not _has_question(texts, parts):
        return _first_deal(rules) if at is None else _chance_of_deal(rules, at, of)
    if of == "position":
        assert position is not None
        question = " ".join(texts[0].split())
        notes = (*position.notes_of_cards, *midhand.remarks(position.seats, question))
        return midhand.NextPlays(position.seats, question, notes)
    questions = tuple(
        Question(text, of, name=name, **{part: parts.get(part) for part in PARTS})
        for name, text in (map(named, texts) if texts else ((None, None),))
    )
    if position is not None:
        return _rest(request, position, questions)
    for text in texts:
        _check_next_plays(rules, text, SUBJECTS[of])
    notes = (LARGER,) if rules.big_holdings and of == "holding" and "cards" not in parts and at is None else ()
    return _from_seats(request, at, of, questions, notes)


def _rest(request: Request, position: Position, questions: tuple[Question, ...]) -> Inquiry:
    """Questions about what remains of a hand, from each seat where the person asking may sit."""
    rules, [line_up] = request.rules.fields, request.line_ups
    parts = tuple(
        BoundQuestions(rules, questions, PlayedRest(now, line_up.by_side(rules, now.side))) for now in position.seats
    )
    return AnySeat(parts, position.notes)


def _from_seats(
    request: Request, at: Situation | None, of: str, questions: tuple[Question, ...], notes: tuple[str, ...]
) -> Inquiry:  # fmt: skip
    """Questions about fresh deals, from each seat where the person asking may sit if that is not said and matters."""
    rules, played = request.rules.fields, of in ("hand", "game", "piles") and bool(request.line_ups)
    i_am = None if at is None or at.i_am is None else seat_of(at.i_am, rules, 0, "--at: i am: ")

    if at is not None and of == "game":
        rules = rules_from(rules, at)

    def from_seat(me: int) -> BoundQuestions:
        return BoundQuestions(rules, questions, _subject(request, at, of, me), notes)

    relative, absolute = (False, False) if at is None else names_players(at)
    relative = relative or bool(at is not None and at.score) or any(one.is_relative for one in request.line_ups)
    relative = relative or of == "piles"  # the pile of the person asking
    if i_am is not None:
        return from_seat(i_am)
    if at is not None:
        possible_seats(at, rules)
    first = from_seat(0)
    relative = relative or first.is_relative or (of == "holding" and absolute)
    if not relative or not (absolute or played or first.names_seats):
        return first
    every = "Your seat is not given: every seat is equally likely (--me dealer says it)."
    return AnySeat(tuple(from_seat(me) for me in range(rules.players)), (*notes, every))


def _subject(request: Request, at: Situation | None, of: str, me: int) -> Subject:
    """What expressions are about, asked from a seat."""
    rules, parts = request.rules.fields, request.question
    policies = request.line_ups[0].by_side(rules, rules.side(me)) if request.line_ups else ()
    subject: Any = SUBJECTS[of]
    if of == "game":
        score = at.score if at is not None else ()
        subject = PlayedGame(policies, by_side(score, rules, rules.side(me)), score=score)
    elif of == "hand":
        subject = PlayedHand(policies)
    elif policies:
        subject = PlayedPiles(policies)
    elif "sizes" in parts:
        subject = RandomPiles(_sizes(parts["sizes"]))
    elif "cards" in parts:
        subject = LargeHolding(parts["cards"])
    if at is not None and (at.score or at.hand) and of != "game":
        raise InputError(f"--at: {str(Situation(score=at.score, hand=at.hand))!r} is of a game (add --of game)")
    if not isinstance(subject, RandomPiles):
        subject = replace(subject, me=me)
    if at is None or not at.places:
        return cast(Subject, subject)
    if isinstance(subject, (SetOfCards, LargeHolding)) and subject.per == "holding":
        _check_size(subject.size, at, rules)
    return cast(Subject, replace(subject, constraints=known_at(at, me, rules)))


def _sizes(text: str) -> tuple[int, int]:
    parts = tuple(map(int, text.split(",")))
    if len(parts) != 2 or sum(parts) > 40:
        raise InputError(f"--sizes {text!r} is not valid (valid: two numbers that add up to 40 or less, as 22,18)")
    return parts[0], parts[1]


def _check_size(size: int, at: Situation, rules: Rules) -> None:
    """Raise ``InputError`` for a holding of another size than is dealt."""
    if size != rules.deal_plan[0]:
        raise InputError(
            f"--at {str(at)!r}: {rules.deal_plan[0]} cards are dealt at first (valid: --cards {rules.deal_plan[0]})"
        )


def _check_next_plays(rules: Rules, text: str, subject: Subject) -> None:
    """Raise ``InputError`` for a question about the next plays where there is no position."""
    if not midhand.is_question(text) or is_expression(text, subject.features(rules)):
        return
    plain = " ".join(text.split())
    raise InputError(
        f"{plain!r} is asked in mid-hand: say what lies on the table and what you hold "
        f"(valid: odds {shlex.quote(plain)} --at 'table: 3c 5d; me: 7d Ks; to play: next')"
    )


def _chance_of_deal(rules: Rules, at: Situation, of: str) -> CountedTable:
    """How likely a deal is: counted."""
    subject = SUBJECTS[of]
    chance = chance_of_deal(at, rules, played=of == "deal")
    return CountedTable(exactly(Question(str(at), of), subject, chance), subject)


def _first_deal(rules: Rules) -> CountedTable:
    frame, notes = first_deal(rules), (LARGER,) if rules.big_holdings else ()
    if frame.is_empty():
        notes = ("Under these rules the first deal brings no bonus and no misdeal.",)
    return CountedTable(frame, Dealing(FIRST_DEAL), notes)


def vocabulary(
    of: str = "holding",
    *,
    cards: int = 3,
    in_mid_hand: bool = False,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
) -> list[tuple[str, str]]:
    """The words for questions about a subject, in a sentence each; about a hand ``in_mid_hand`` those for its rest.

    Raises ``InputError`` as ``odds`` does.
    """
    fields = choose(rules, players, house, rule).fields
    if choice("--of", "subject", of, options.SUBJECTS) == "position":
        return list(midhand.QUESTIONS.items())
    if in_mid_hand and of == "hand":
        return describe(words_of_rest(fields))
    return describe((SUBJECTS[of] if cards == 3 or of != "holding" else LargeHolding(cards)).features(fields))
