"""Advice: what to play in a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from ..advice.advice_job import AdviceJob
from ..advice.judge import SECONDS, Problem
from ..core.arguments import public
from ..core.errors import InputError
from ..experiments.expectancy import check
from ..experiments.runner import carry_out
from ..experiments.win_chance import check_score_of
from ..questions.known_deals import besides_known, known_position
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp
from ..situation.notation import Situation, SituationValue
from ..situation.positions import Position
from ..situation.positions import opened as all_open
from ..storage.request import Effort
from .bind import Bound, RunOptions, bind


@public
def advise(
    *,
    at: SituationValue | None = None,
    me: str | None = None,
    aim: str | None = None,
    open: bool = False,
    ends: bool = False,
    policy: str | LineUp | Sequence[str | LineUp] = "careful",
    samples: int | str | None = None,
    time: float | str = SECONDS,
    seed: int | str = 1,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    **keywords: Unpack[RunOptions],
) -> Result:
    """Judge every choice of your turn: a set to show, the matta's value, a card; the best first.

    Each is judged by points, the chance to win the game, the risk of a sweep next, and why. ``at`` is the position
    before your play: ``"table: Jd 4c; me: Kd Kh 2c; captured us: 7d; score: 38-41"``, or a play of a record,
    ``"FILE#HAND.PLAY"``: only what that player knew is used, or with ``open`` all of it. ``me`` is where you sit; if it
    is not said every seat that is possible is as likely. A score adds the chance to win the game, ``aim`` chooses what
    ranks the choices.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by ``policy``, a line-up as
    ``"us=search, them=careful"``. It ends when the best choice is separated from all others, or after ``time`` seconds,
    or after so many ``samples``; the same samples and ``seed`` give the same advice. ``ends`` shows how often your side
    then makes cards, diamonds, settebello, primiera and grande at the end of the hand. With ``open`` and all holdings
    the line is solved. A file (``output``) of so many ``samples`` is saved every ``save_every`` seconds and resumed, as
    by ``simulate``; ``force`` replaces it.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> advise(at="table: 5c 2h Kd; me: 7d 2s Jh", players=2, samples=64).frame.height > 3
    True
    """
    bound = bind("advise", locals(), asks=True)
    position, holdings = _position(bound)
    fields, line_up = bound.rules.fields, bound.line_ups[0]
    given = bound.situation if bound.recorded is None else bound.recorded.besides
    score = () if given is None else _score(fields, given)
    problem = Problem(position.seats, line_up, bound["seed"], score, bound["aim"] or "", holdings)
    request = bound.request(bound.effort("samples"))
    if problem.holdings is not None:
        request = replace(request, line_ups=(), effort=Effort("samples", seed=None))
    return carry_out(AdviceJob(request, problem, bound["time"], position.notes), bound.execution())


def _position(bound: Bound) -> tuple[Position, tuple[int, ...] | None]:
    """The position of the arguments, and all holdings where they are open."""
    opened, fields = bound["open"], bound.rules.fields
    if bound.recorded is not None:
        moment, besides = bound.recorded.turn.moment, bound.recorded.besides
        if opened:
            return Position(fields, (moment.open_information(),)), moment.holdings
        return besides_known(Position(fields, (moment.information(),)), besides or Situation()), None
    if bound.situation is None or not bound.situation.places:
        raise InputError("--at is missing: advise requires a position (add --at 'table: Jd 4c; me: Kd Kh 2c')")
    if bound.situation.to_play not in (None, "me"):
        raise InputError(f"--at: to play: {bound.situation.to_play}: advice is on your own play (valid: to play: me)")
    position = known_position(fields, bound.situation)
    if not opened:
        return position, None
    now, holdings = all_open(position, bound.situation)
    return replace(position, seats=(now,)), holdings


def _score(rules: Rules, at: Situation) -> tuple[int, ...]:
    """The score of the game, ours first; raises ``InputError`` where games are no chain of scores between two sides."""
    if at.hand is not None:
        raise InputError(
            f"--at: hand: {at.hand[0]} of {at.hand[1]}: chances to win are of games to a target (leave it out)"
        )
    if at.score:
        try:
            check(rules)
        except InputError as error:
            raise InputError(f"--at: score: {error}") from None
        check_score_of(rules, at.score)
    return at.score
