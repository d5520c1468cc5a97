"""Questions about dealt cards answered: counted where they can be, else from simulated deals."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from ..core.arguments import choice, public, several
from ..core.errors import InputError
from ..engine.policies import USUAL
from ..exact.constrained import chance_of_deal, deal_constraints
from ..experiments.runner import carry_out
from ..questions import midhand_questions as midhand
from ..questions.answers import FIRST_DEAL, exactly, first_deal
from ..questions.binding import BoundQuestions, describe
from ..questions.cases import Dealing, Subject
from ..questions.inquiry import CountedTable, Inquiry, OddsJob
from ..questions.played_game import PlayedGame, score_of
from ..questions.played_hand import PlayedHand
from ..questions.played_piles import PlayedPiles, RandomPiles
from ..questions.played_rest import PlayedRest, is_about_the_rest, read_next_plays, read_rest, words_of_rest
from ..questions.question import Question, named
from ..questions.subjects import SUBJECTS, LargeHolding, SetOfCards
from ..questions.vocabulary import is_expression
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp, line_ups
from ..storage.request import Request
from . import options
from .bind import Bound, EngineOptions, PositionOptions, bind
from .options import flag_of

NUMBERS = ("mean", "quantiles", "histogram")
PARTS = ("given", "by", *NUMBERS)
POSITION = tuple(option.name for option in options.POSITION)
REST = "the rest of a hand"

_FITS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(PARTS, (*options.SUBJECTS[:-1], REST)),
    "in_": options.SUBJECTS[:-1], "cards": ("holding",), "sizes": ("piles",), "from_": ("game",),
    "policy": ("piles", "hand", "game", REST), "stage": (REST,), "points": (REST,),
    "deal": ("holding", "table", "first-deal", "deal", "hand", "game", REST),
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


class OddsOptions(EngineOptions, PositionOptions, total=False):
    """What a question supposes of the cards and of the game, and how it is answered: keyword arguments of ``odds``.

    ``deal`` fixes cards that you know (``"me: 7h K*; table: Ad"``; in mid-hand unseen ones, ``"partner: 7d"``).
    ``cards`` is the size of a holding, ``sizes`` of two piles (``"22,18"``), ``from_`` the score that a game starts
    from, ours first. With ``table`` and ``holding`` the question is asked in mid-hand, of what a seat knows that has
    just played, see ``PositionOptions``.
    """

    deal: str | None
    from_: str | None
    cards: int | str
    sizes: str | Sequence[int] | None


@public
def odds(
    question: str | Sequence[str] | None = None,
    *,
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
    dealt anew, in which it happens at least once. The cards, the score and the position in mid-hand that a question
    supposes are keyword arguments too, see ``OddsOptions``.

    What cannot be counted is estimated from so many ``hands``, or until the 95% half-width of every answer is
    ``precision``. ``check`` simulates so many deals for an exact answer too.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> odds("low and has_matta").frame["exact"].item()
    '53/2470'
    >>> odds("sweep", table="3c 5d", holding="7d Ks 2h", players=2).frame["exact"].item()
    '411/595'
    """
    arguments = bind("odds", locals(), usual_precision=None)
    job = job_of(request_of(arguments, () if question is None else several(question)))
    job.count(bool(arguments["progress"]))
    return carry_out(job, arguments.execution())


# ------------------------------------------------------------------------------------------------ the request


def request_of(arguments: Bound, texts: Sequence[str]) -> Request:
    """The request for some expressions; raises ``InputError`` for arguments that do not go together."""
    given = {name: x for part in ("question", "situation") for name, x in arguments.part(part).items()}
    given |= {} if arguments["policy"] is None else {"policy": str(arguments.line_ups[0])}
    rules, effort = arguments.rules.fields, arguments.effort()
    if not _has_question(texts, given) and not any(name in given for name in POSITION):
        _check_no_question(given)
        of = given.get("of", "first-deal") if "deal" in given else None
        return arguments.request(effort, of=of)
    of = _subject_name(rules, given, texts)
    _check_options(rules, of, given, texts)
    seated = arguments.line_ups
    if of in ("hand", "game") and not seated:
        seated = (LineUp.parse(USUAL),)
    if of == REST:
        now, _ = read_rest(rules, _position(given), given.get("deal"))
        seated = line_ups(arguments["policy"] or USUAL, rules, now.side, named_us=True)
    request = arguments.request(effort, expressions=list(texts) or None, of="hand" if of == REST else of)
    return replace(request, line_ups=seated)


def _has_question(texts: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether there is a question: an expression, or a number to describe."""
    return bool(texts) or any(name in given for name in ("by", *NUMBERS))


def _subject_name(rules: Rules, given: Mapping[str, Any], texts: Sequence[str]) -> str:
    """What a question is of; raises ``InputError`` for a position and another subject."""
    of = given.get("of")
    if of != "position" and not any(name in given for name in POSITION):
        return of or "holding"
    if of is None:
        parts = any(name in given for name in PARTS)
        return REST if is_about_the_rest(rules, texts, parts) else "position"
    if of not in ("hand", "position"):
        raise InputError(f"--of {of!r} cannot be combined with a position (valid: --of position, --of hand)")
    return REST if of == "hand" else of


def _check_no_question(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for an option that requires a question; a deal alone is one about its chance."""
    alone = ("deal", "of", "in_") if "deal" in given and given.get("of") in (None, "first-deal", "deal") else ()
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
    rules, parts, deal = request.rules.fields, request.question, request.situation.get("deal")
    texts, of = parts.get("expressions", ()), parts.get("of", "holding")
    if not _has_question(texts, parts):
        return _first_deal(rules) if deal is None else _chance_of_deal(rules, deal, of)
    if of == "position":
        position = _position(request.situation)
        assumed = position["held"] is None and position["seat"] is None
        return midhand.NextPlays(read_next_plays(rules, position), " ".join(texts[0].split()), assumed)
    subject, notes = _subject(request, of)
    for text in texts:
        _check_next_plays(rules, text, subject)
    if rules.big_holdings and subject is SUBJECTS["holding"]:
        notes = [LARGER]
    questions = (Question(text, of, name=name, **{part: parts.get(part) for part in PARTS})
             for name, text in (map(named, texts) if texts else ((None, None),)))  # fmt: skip
    return BoundQuestions(rules, tuple(questions), subject, tuple(notes))


def _subject(request: Request, of: str) -> tuple[Subject, list[str]]:
    """What expressions are about, and what was assumed of it."""
    rules, parts, deal = request.rules.fields, request.question, request.situation.get("deal")
    if any(name in request.situation for name in POSITION):
        now, assumed = read_rest(rules, _position(request.situation), deal)
        return PlayedRest(now, request.line_ups[0].by_side(rules, now.side)), assumed
    policies = request.line_ups[0].by_side(rules, rules.dealer_side) if request.line_ups else ()
    subject = SUBJECTS[of]
    if of == "game":
        subject = PlayedGame(policies, score_of(parts["from_"], rules) if "from_" in parts else ())
    elif of == "hand":
        subject = PlayedHand(policies)
    elif policies:
        subject = PlayedPiles(policies)
    elif "sizes" in parts:
        subject = RandomPiles(_sizes(parts["sizes"]))
    elif "cards" in parts:
        subject = LargeHolding(parts["cards"])
    return (subject if deal is None else _with_deal(subject, deal, rules)), []


def _sizes(text: str) -> tuple[int, int]:
    parts = tuple(map(int, text.split(",")))
    if len(parts) != 2 or sum(parts) > 40:
        raise InputError(f"--sizes {text!r} is not valid (valid: two numbers that add up to 40 or less, as 22,18)")
    return parts[0], parts[1]


def _with_deal(subject: Subject, deal: str, rules: Rules) -> Subject:
    """A subject of deals that have known cards; raises ``InputError`` for a holding of another size than is dealt."""
    if (
        isinstance(subject, (SetOfCards, LargeHolding))
        and subject.per == "holding"
        and subject.size != rules.deal_plan[0]
    ):
        raise InputError(f"--deal {deal!r}: {rules.deal_plan[0]} cards are dealt at first (valid: --cards "
                         f"{rules.deal_plan[0]})")  # fmt: skip
    return replace(subject, constraints=deal_constraints(deal, rules))  # type: ignore[type-var]


def _position(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a position, None for those that are not given."""
    return {name: given.get(name, () if name == "shown" else None) for name in POSITION}


def _check_next_plays(rules: Rules, text: str, subject: Subject) -> None:
    """Raise ``InputError`` for a question about the next plays where there is no position."""
    if isinstance(subject, PlayedRest) or not midhand.is_question(text) or is_expression(text, subject.features(rules)):
        return
    plain = " ".join(text.split())
    raise InputError(
        f"{plain!r} is asked in mid-hand: say what lies on the table and what you hold "
        f"(valid: odds {shlex.quote(plain)} --table '3c 5d' --holding '7d Ks 2h')"
    )


def _chance_of_deal(rules: Rules, deal: str, of: str) -> CountedTable:
    """How likely a deal is: counted."""
    subject = SUBJECTS[of]
    return CountedTable(exactly(Question(deal, of), subject, chance_of_deal(deal, rules, played=of == "deal")), subject)


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
