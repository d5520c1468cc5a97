"""Whole games, and the chance to win from a score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..core.arguments import exclude
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.trials import Games
from ..experiments.comparison import Comparison, LineUpsJob
from ..experiments.game_quantities import GameMeasures, games_table
from ..experiments.runner import Job, carry_out
from ..experiments.win_chance import check_score_of, rules_from, why_no_chain, win_chance_job, with_aim
from ..reporting.result import Result
from ..situation.line_up import each_line_up, read_line_ups
from ..situation.notation import Situation
from ..situation.people import seat_of
from ..storage.request import Request
from .bind import Bound, bind, deal_constraints
from .options import Arguments

_OF_GAMES, _OF_CHANCES = ("aim", "games", "first_game", "precision", "precision_of", "only"), ("hands", "first_hand")
"""What only whole games use, and what only the chances from a score do."""


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    win_table = given["win_table"]
    arguments = bind(
        given, asks=lambda at: win_table or (at is not None and bool(at.score)), usual_precision="wins_game"
    )
    situation = arguments.situation or Situation()
    if (score := situation.score) and win_table:
        raise InputError("--win-table cannot be combined with a score in --at (leave one out)")
    fields = arguments.rules.fields
    if situation.hand is not None and not score:
        raise InputError("--at: hand: requires a score (add it, as 'score: 12-20; hand: 3 of 8')")
    if score:
        fields = rules_from(fields, situation)
        check_score_of(fields, score)
    flag = "a score" if score else "--win-table" if win_table else ""
    if not flag:
        arguments.check_unset(_OF_CHANCES, Message("requires a score in --at or --win-table (add it, or leave it out)"))
    else:
        shown = Message("a score in --at") if score else flag
        arguments.check_unset(_OF_GAMES, Message("cannot be combined with {flag} (leave it out)", shown))
        if why := why_no_chain(fields):
            raise InputError('{why} (valid: odds "wins_game(us)", which plays games from a score)', why)
        arguments = _named_by_us(arguments, flag)
    exclude("--first-game", arguments["first_game"], precision=arguments["precision"])
    unit, usual = ("hands", 1_000_000) if flag else ("games", 100_000)
    request = arguments.request(arguments.effort(unit, arguments[unit] or usual))
    return Result.of(carry_out(job_of(request), arguments.execution()))


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
        return replace(arguments, line_ups=read_line_ups(line_up, rules, us, named_us=True))
    if not line_up.is_relative and len(set(line_up.by_side(rules))) > 1:
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
    cards = deal_constraints(request.situation.get("at"), rules)
    arms = {
        str(line_up): with_aim(
            Games(rules, line_up.by_side(rules), effort.number or 1, effort.seed or 0, aim=aim, first=effort.first,
                  constraints=cards)
        )
        for line_up in request.line_ups
    }  # fmt: skip
    first, *others = arms.values()
    return LineUpsJob(request, Comparison(arms, GameMeasures()) if others else first, games_table)
