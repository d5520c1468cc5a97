"""Advice: what to play in a position."""

from __future__ import annotations

from dataclasses import replace

from ..advice.advice_job import AdviceJob
from ..advice.judge import USUALLY, Problem
from ..core.errors import InputError
from ..experiments.runner import carry_out
from ..experiments.win_chance import check_score_of, check_win_table
from ..questions.known_deals import known_position
from ..reporting.result import Result
from ..ruleset.rules_model import Rules
from ..situation.notation import Situation
from ..situation.positions import Position
from ..situation.positions import open_all_cards as all_open
from ..storage.request import Effort
from .bind import Bound, bind
from .options import Arguments


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    bound = bind(given, asks=True)
    if bound["open"] and bound.line_ups:
        raise InputError(
            "--policy {policy!r} cannot be combined with --open: everybody plays their best (leave one out)",
            bound.line_ups[0],
        )
    position, holdings = _position(bound)
    fields, line_up = bound.rules.fields, next(iter(bound.line_ups), USUALLY)
    score = _score(fields, _situation(bound))
    problem = Problem(
        position.seats, line_up, bound["seed"], score, bound["aim"] or "", holdings, solves=not bound.line_ups
    )
    request = replace(bound.request(bound.effort("samples")), line_ups=(line_up,))
    if problem.holdings is not None:
        request = replace(request, line_ups=(), effort=Effort("samples", seed=None))
    return Result.of(carry_out(AdviceJob(request, problem, bound["time"]), bound.execution()))


def _position(bound: Bound) -> tuple[Position, tuple[int, ...] | None]:
    """The position of the arguments, and all holdings where they are open."""
    opened, fields = bound["open"], bound.rules.fields
    if bound.recorded is not None and opened:
        hand = bound.recorded.turn.hand
        return Position(fields, (hand,)), hand.known
    at = _situation(bound)
    if at.to_play not in (None, "me"):
        raise InputError("--at: to play: {to_play}: advice is on your own play (valid: to play: me)", at.to_play)
    position = known_position(fields, at)
    if not opened:
        return position, None
    now = all_open(position, at)
    return replace(position, seats=(now,)), now.known


def _situation(bound: Bound) -> Situation:
    """The situation of the arguments; raises ``InputError`` where there is none."""
    at = bound.situation if bound.recorded is None else bound.recorded.situation
    if at is None or not at.places:
        raise InputError('--at is missing: advice requires a position (add --at "table: Jd 4c; me: Kd Kh 2c")')
    return at


def _score(rules: Rules, at: Situation) -> tuple[int, ...]:
    """The score of the game, ours first; raises ``InputError`` where games are no chain of scores between two sides."""
    if at.hand is not None:
        raise InputError(
            "--at: hand: {number} of {hands}: chances to win are of games to a target (leave it out)",
            at.hand[0], at.hand[1],
        )  # fmt: skip
    if at.score:
        try:
            check_win_table(rules)
        except InputError as error:
            raise InputError("--at: score: {error}", error) from None
        check_score_of(rules, at.score)
    return at.score
