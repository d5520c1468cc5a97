"""Whole games, and the chance to win from a score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..core.arguments import alone
from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..engine.trials import Games
from ..experiments.comparison import Comparison, LineUpsJob
from ..experiments.game_quantities import GameMeasures, played
from ..experiments.runner import Job, carry_out
from ..experiments.win_chance import aimed, check_score_of, rules_from, why_no_chain, win_chance_job
from ..reporting.result import Result
from ..situation.line_up import each_line_up, line_ups
from ..situation.notation import Situation
from ..situation.people import seat_of
from ..storage.request import Request
from .bind import Bound, bind, known_deal
from .options import Arguments

_OPTIONS = {
    "": ("aim", "games", "first_game", "precision", "precision_of", "only"),
    "a score": ("hands", "first_hand"),
    "a score by games": ("games", "first_game"),
    "--win-table": ("hands", "first_hand"),
}
"""What only some of the questions use, by the option that asks the question."""


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    win_table = given["win_table"]
    arguments = bind(
        given, asks=lambda at: win_table or (at is not None and bool(at.score)), usual_precision="wins_game"
    )
    score = arguments.situation.score if arguments.situation is not None else ()
    if score and win_table:
        raise InputError("--win-table cannot be combined with a score in --at (leave one out)")
    fields = arguments.rules.fields
    if arguments.situation is not None and arguments.situation.hand is not None and not score:
        raise InputError("--at: hand: requires a score (add it, as 'score: 12-20; hand: 3 of 8')")
    if score:
        assert arguments.situation is not None
        fields = rules_from(fields, arguments.situation)
        check_score_of(fields, score)
    flag = "a score" if score else "--win-table" if win_table else ""
    uses = _check_options(arguments, flag, why_no_chain(fields) if score else "")
    if flag:
        arguments = _named_by_us(arguments, flag)
    alone("--first-game", arguments["first_game"], precision=arguments["precision"])
    unit, usual = ("hands", 1_000_000) if "hands" in uses else ("games", 100_000)
    request = arguments.request(arguments.effort(unit, arguments[unit] or usual))
    return Result.of(carry_out(job_of(request), arguments.execution()))


_A_SCORE = Message("a score in --at")


def _check_options(arguments: Bound, flag: str, why: str) -> tuple[str, ...]:
    """The options that the question which ``flag`` asks uses; ``why`` games must be played out to answer it, if so.

    Raises ``InputError`` for others that are given.
    """
    by_games = flag == "a score" and (bool(why) or arguments["games"] is not None)
    uses = _OPTIONS["a score by games" if by_games else flag]
    for option in arguments.options:
        users = [name.removesuffix(" by games") for name, options in _OPTIONS.items() if option.name in options]
        if not users or option.name in uses or arguments[option.name] == option.default:
            continue
        value = arguments[option.name]
        given = Message("{flag} {value!r}", option.flag, ",".join(value) if isinstance(value, tuple) else value)
        if not flag:
            needed = alternatives(_A_SCORE if user == "a score" else user for user in dict.fromkeys(users))
            raise InputError("{given} requires {needed} (add it, or leave {flag} out)", given, needed, option.flag)
        reason = Message(", where games are played out: {why}", why) if why else ""
        shown = "--games" if by_games and not why else _A_SCORE if flag == "a score" else flag
        valid = [other.flag for other in arguments.options if other.name in uses]
        raise InputError("{given} cannot be combined with {flag}{reason} (valid: {valid})", given, shown, reason, valid)
    return uses


def _named_by_us(arguments: Bound, flag: str) -> Bound:
    """The same with a line-up of ``us`` and ``them``, since the deal passes on.

    Raises ``InputError`` for several line-ups, and where either side may deal for the policy of the dealer.
    """
    policy, rules, situation = each_line_up(arguments["policy"], us=True), arguments.rules.fields, arguments.situation
    if len(policy) > 1:
        raise InputError("--policy {policy!r}: one line-up is enough for {flag} (name one)", policy[1], Message(flag))
    [line_up] = arguments.line_ups
    i_am = None if situation is None else situation.i_am
    if flag == "--win-table" and i_am is not None:
        raise InputError(
            "--win-table is of either dealer: 'i am: {i_am}' cannot be combined with it (leave it out)", i_am
        )
    if i_am is not None:
        us = rules.side(seat_of(i_am, rules, 0, "--at: i am: "))
        return replace(arguments, line_ups=line_ups(line_up, rules, us, named_us=True))
    if not line_up.is_relative and not why_no_chain(rules) and len(set(line_up.by_side(rules))) > 1:
        where = Message("in --win-table") if flag == "--win-table" else Message("your seat is not given, and")
        raise InputError("--policy {policy!r}: {where} either side deals (valid: us=..., them=...)", policy[0], where)
    return arguments


def job_of(request: Request) -> Job[Any]:
    """The job of a request; raises ``InputError`` if it cannot be played."""
    at = Situation.parse(request.situation["at"]) if "at" in request.situation else Situation()
    if at.score or request.question.get("win_table"):
        from ..questions.known_deals import next_deals  # here since most runs are of any deal

        known = next_deals(at, request.rules.fields)
        return win_chance_job(request, at, known)
    rules, effort, aim = request.rules.fields, request.effort, str(request.question.get("aim", "points"))
    cards = known_deal(request.situation.get("at"), rules)
    arms = {
        str(line_up): aimed(
            Games(rules, line_up.by_side(rules), effort.number or 1, effort.seed or 0, aim=aim, first=effort.first,
                  constraints=cards)
        )
        for line_up in request.line_ups
    }  # fmt: skip
    first, *others = arms.values()
    return LineUpsJob(request, Comparison(arms, GameMeasures()) if others else first, played)
