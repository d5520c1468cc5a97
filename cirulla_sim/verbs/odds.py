"""Questions answered: counted where they can be, else from simulated deals, hands or games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.arguments import command_text, texts_of
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.policies import USUAL
from ..exact.constrained import chance_of
from ..exact.first_deal import Odds, first_deal_odds
from ..experiments.runner import carry_out
from ..questions.answers import exact_table
from ..questions.binding import (
    BoundQuestions,
    QuestionsAtSeat,
    here_of,
    place_at,
    questions_at,
    seat_matters,
    seats_where_given,
)
from ..questions.cases import TrialKind
from ..questions.common_questions import find_wording, nearest_questions
from ..questions.dealt import FIRST_DEAL, DealtCards
from ..questions.inquiry import OddsJob
from ..questions.known_deals import deal_from, known_from, known_position, possible_seats, tree_of
from ..questions.question import Expression, Question, Speaker, is_expression, read_questions
from ..questions.understanding import Understood, understand
from ..reporting.result import Result
from ..ruleset.rules_model import Rules
from ..situation.line_up import ALL, LineUp
from ..situation.notation import NOTHING, SIDES, Situation
from ..situation.people import seat_of
from ..storage.request import Request
from .bind import Bound, bind
from .options import Arguments, flag_of

_CONFLICTS = (
    ("in_", "by", Message("leave one out")), ("in_a_row", "by", Message("leave one out")),
    ("times", "in_a_row", Message("leave one out")),
    ("in_", "given", Message("put both conditions into the question")),
    ("in_a_row", "given", Message("put both conditions into the question")),
)  # fmt: skip
"""Options that cannot be combined, and what to do about it."""


def run(question: Any, given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    texts, given, notes = read_plain_questions(texts_of("question", question), given)
    arguments = bind(given, asks=True, usual_precision=None)
    job = job_of(request_of(arguments, texts))
    job = replace(job, inquiry=replace(job.inquiry, notes=(*notes, *job.inquiry.notes)))
    job.count(arguments["progress"] is True)
    return Result.of(carry_out(job, arguments.execution()))


def read_plain_questions(texts: Sequence[str], given: Arguments) -> tuple[Sequence[str], Arguments, list[Message]]:
    """Texts and arguments with a question in plain words as an expression and options, and how it was understood.

    Raises ``InputError`` for a question that cannot be understood, or with options that differ from those given.
    """
    if len(texts) != 1 or is_expression(texts[0]):
        return texts, given, []
    found = understand_plain(texts[0], bind(given, asks=True, usual_precision=None).rules.fields)
    if found.verb != given.verb:
        raise InputError("{text!r} is a question to another verb (valid: {command})", texts[0], command_for(found))
    if found.options.keys() & {"rules", "players", "house"}:
        changed = bind(_with_options(given, found.options), asks=True, usual_precision=None)
        found = understand_plain(texts[0], changed.rules.fields)
    notes = [Message("Understood as: {command}", command_for(found))]
    notes += [Message("Read {typed!r} as {word!r}.", *slip) for slip in found.corrected]
    notes += [Message("It may also mean: {command}", command_for(found._replace(texts=one))) for one in found.others]
    return found.texts, _with_options(given, found.options), notes


def understand_plain(text: str, rules: Rules) -> Understood:
    """What a plain question asks; raises ``InputError`` that names the word without a place, and questions like it."""
    if wording := find_wording(text):
        options = wording.arguments
        return Understood(texts_of("question", options.pop("question", ())), options, verb=options.pop("verb"))
    try:
        return understand(text, rules)
    except InputError as error:
        if questions := ", ".join(f"“{one}”" for one in nearest_questions(text)):
            raise InputError("{fault} (near: {questions}; see odds --list)", error.message, questions) from None
        raise InputError("{fault} (see odds --list)", error.message) from None


def command_for(found: Understood) -> str:
    """The command that a plain question was understood as."""
    options = [part for name, value in found.options.items() for part in (flag_of(name), value)]
    return command_text([found.verb, *found.texts, *options])


def _with_options(given: Arguments, said: Mapping[str, str]) -> Arguments:
    """Arguments with the options that a question says; raises ``InputError`` where they are given besides."""
    named = {option: word for option in given.options for name, word in said.items()
             if option.name.rstrip("_") == name.rstrip("_")}  # fmt: skip
    names = [option.name for option in named if option.part != "effort"]
    given.check_unset(names, Message("is what the question says too (leave it out)"))
    values = {one.name: one.value(word) for one, word in named.items() if given[one.name] == one.default}
    return replace(given, values={**given.values, **values})


# ------------------------------------------------------------------------------------------------ the request


def request_of(arguments: Bound, texts: Sequence[str]) -> Request:
    """The request for some expressions; raises ``InputError`` for arguments that do not go together."""
    situation = arguments.situation if arguments.recorded is None else arguments.recorded.situation
    given = {name: x for part in ("question", "situation") for name, x in arguments.part(part).items()}
    given |= {} if arguments["policy"] is None else {"policy": str(arguments.line_ups[0])}
    if not texts and "by" not in given:
        if situation is not None and situation.is_position:
            raise InputError("no question about the position (valid: 'can_sweep(next)', 'wins(us)': odds --list)")
        alone = ("at", "in_", "times", "in_a_row") if situation is not None and situation.places else ()
        for name, value in given.items():
            if name not in alone:
                raise InputError("{flag} {value!r} requires a question (add one, as barsega)", flag_of(name), value)
        return arguments.request(arguments.effort())
    _check_options(given)
    s = situation or NOTHING
    here = here_of(s.is_position, "sizes" in given, s.night is not None, bool(s.score))
    speaker = Speaker(arguments.rules.fields, here=here, trials=given.get("in_", 0))
    questions = read_questions(tuple(texts), given.get("given"), given.get("by"), speaker)
    seated, played_out = arguments.line_ups, {"hand", "game", "night"}
    dealt = [one for one in questions if played_out.isdisjoint(term.function.space for term in one.terms)]
    shown = any(term.is_of_sets_shown for question in dealt for term in question.terms)
    played = "sizes" not in given and (len(dealt) < len(questions) or (bool(seated) and shown))
    if seated and not played:
        raise InputError("--policy {policy!r}: nobody plays for this answer (leave it out)", given["policy"])
    usual = played and not seated
    if usual:
        seated = (LineUp.parse(USUAL),)
    if s.night is not None and seated and seated[0].policies[0][0] != ALL:
        raise InputError(
            '--policy {policy!r}: pairs have policies in the night (valid: --at "night: 1 pair search:4, 7 '
            'pairs careful, ...", or one policy for those without)',
            given["policy"],
        )
    request = arguments.request(arguments.effort(), expressions=list(texts) or None)
    if usual and shown:  # no policy was named: sets that are dealt are shown, whoever plays for other questions
        request = replace(request, question={**request.question, "policy": None})
    return replace(request, line_ups=seated, situation={} if situation is None else {"at": str(situation)})


def _check_options(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for options that cannot be combined with each other."""
    for name, other in (("top", "by"), ("times", "in_")):
        if name in given and other not in given:
            raise InputError("{flag} {value!r} requires {other} (add it)", flag_of(name), given[name], flag_of(other))
    for name, other, hint in _CONFLICTS:
        if name in given and other in given:
            first, second = (Message("{flag} {value!r}", flag_of(part), given[part]) for part in (name, other))
            raise InputError("{first} cannot be combined with {second} ({hint})", first, second, hint)
    for name in ("in_a_row", "times"):
        if given.get("in_", 10**9) < given.get(name, 0):
            length, number = given["in_"], given[name]
            raise InputError(
                "--in {length!r} is less than {flag} {number!r} (valid: more)", length, flag_of(name), number
            )


# ------------------------------------------------------------------------------------------------ the job


def job_of(request: Request) -> OddsJob:
    """The job of a request; raises ``InputError`` if it cannot be read, played or dealt."""
    return OddsJob(request, inquiry_of(request))


def inquiry_of(request: Request) -> BoundQuestions:
    """The questions of a request, ready to be counted and simulated; raises as ``job_of`` does."""
    rules, parts = request.rules.fields, request.question
    at = Situation.parse(request.situation["at"]) if "at" in request.situation else NOTHING
    if "expressions" not in parts and "by" not in parts:
        return _first_deal(rules) if at == NOTHING else _chance_of_deal(rules, at)
    inquiry = _in_mid_hand(request, at) if at.is_position else _fresh(request, at)
    if request.effort.precision is not None and all(one.kind in ("maximum", "minimum") for one in inquiry.questions):
        raise InputError(
            "--precision {precision!r}: the most and the least seen have no interval (valid: mean(x))",
            request.effort.precision,
        )
    for name in ("in_", "in_a_row", "times"):
        for question in inquiry.questions if name in parts else ():
            asks = question.asks
            if not (asks.trials if name == "in_" else asks.trials == "after" and question.is_of_truth):
                raise InputError(
                    "{flag} {value!r} cannot be combined with {text!r} (valid: a chance)",
                    flag_of(name), parts[name], question.text,
                )  # fmt: skip
    return inquiry


def _bound(request: Request, at: Situation, me: int, **known: Any) -> QuestionsAtSeat:
    """The questions of a request as asked from a seat; ``known`` are other fields of a ``Place``."""
    parts = request.question
    return questions_at(
        place_at(request, at, me, **known), parts.get("expressions", ()), parts.get("given"), parts.get("by")
    )


def _in_mid_hand(request: Request, at: Situation) -> BoundQuestions:
    """Questions in mid-hand, from each seat where the person asking may sit."""
    position = known_position(request.rules.fields, at)
    seats = tuple(_bound(request, at, now.seat, now=now) for now in position.seats)
    rules, terms = request.rules.fields, [term for seat in seats for one in seat.questions for term in one.terms]
    for term in terms if at.last_capture in SIDES else ():
        others = {rules.side(seat) for seat in range(rules.players) if seat not in term.who}
        if term.name == "last_capture" and others & {rules.side(seat) for seat in term.who}:  # one of two partners
            raise InputError(
                "last_capture: --at says which side captured last, not which player (valid: 'last capture: next')"
            )
    return BoundQuestions(seats_where_given(seats))


def _fresh(request: Request, at: Situation) -> BoundQuestions:
    """Questions about fresh deals, from each seat where the person asking may sit if that is not given and matters."""
    rules = request.rules.fields

    def from_seat(me: int) -> QuestionsAtSeat:
        return _bound(request, at, me, constraints=known_from(at, [me], rules) if at.places else None)

    if at.i_am is not None:
        return BoundQuestions(seats_where_given([from_seat(seat_of(at.i_am, rules, 0, "--at: i am: "))]))
    possible_seats(at, rules)
    first = from_seat(0)
    anywhere = seat_matters(request, at, first.people)
    return BoundQuestions(seats_where_given([first, *(from_seat(me) for me in range(1, rules.players) if anywhere)]))


def _chance_of_deal(rules: Rules, at: Situation) -> BoundQuestions:
    """How likely a deal is."""
    me, text, space = possible_seats(at, rules)[0], str(at), (DealtCards(FIRST_DEAL, rules),)
    chance = chance_of(deal_from(at, rules, me))
    if chance is None:  # too much to count
        question = Question(rules, text, "chance", (Expression(text, tree_of(at, rules, me)),), words=text)
        return BoundQuestions((QuestionsAtSeat((question,), space),))
    table = exact_table([Odds(text, FIRST_DEAL.per, "probability", chance)])
    return BoundQuestions((QuestionsAtSeat((), space),), table=table)


def _first_deal(rules: Rules) -> BoundQuestions:
    frame = exact_table(first_deal_odds(rules))
    notes = (Message("These are the chances of any three cards of the pack."),) if rules.big_holdings else ()
    if frame.is_empty():
        notes = (Message("Under these rules the first deal brings no bonus and no misdeal."),)
    space = DealtCards(TrialKind("the first deal", "deal"), rules)
    return BoundQuestions((QuestionsAtSeat((), (space,)),), notes, frame)
