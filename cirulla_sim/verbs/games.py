"""Whole games, and the chance to win from a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from ..core.arguments import alone, public, several
from ..core.errors import InputError
from ..engine.trials import Games
from ..exact.constrained import deal_constraints
from ..experiments.expectancy import aimed
from ..experiments.game_quantities import played
from ..experiments.paired_games import GAMES_CHUNK, QUANTITIES, difference_of_games, game_numbers
from ..experiments.runner import Job, carry_out
from ..experiments.side_by_side import Measures, SideBySide, side_by_side
from ..experiments.trials_job import TrialsJob
from ..experiments.win_chance import our_side, read_score, why_no_chain, win_chance_job
from ..experiments.win_table import win_table_job
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp, line_ups
from ..storage.request import Request
from .bind import Bound, ExecutionOptions, bind
from .options import VERBS

MEASURES = Measures(QUANTITIES, game_numbers, difference_of_games, GAMES_CHUNK)

_OPTIONS = {
    "": ("aim", "games", "first_game", "precision", "precision_of", "only"),
    "--from": ("dealer", "check", "hands", "first_hand"),
    "--from by games": ("dealer", "games", "first_game"),
    "--win-table": ("hands", "first_hand"),
}
"""What only some of the questions use, by the option that asks the question."""


@public
def games(
    rules: str | Path | Rules | RuleSet = "cirulla",
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    deal: str | None = None,
    policy: str | LineUp | Sequence[str | LineUp] = "careful",
    aim: str = "points",
    games: int | str | None = None,
    first_game: int | str = 0,
    first_hand: int | str = 0,
    seed: int | str = 1,
    precision: float | str | None = None,
    precision_of: str | None = None,
    only: str | Sequence[str] | None = None,
    from_: str | None = None,
    dealer: str | None = None,
    check: int | str | None = None,
    win_table: bool = False,
    hands: int | str | None = None,
    **keywords: Unpack[ExecutionOptions],
) -> Result:
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are named by the first dealer; ``deal`` fixes cards of the first hand, ``me`` is its dealer. ``games`` are
    100,000 by default, or fewer with ``precision``. ``aim`` is what policies that look ahead maximise: ``points``, or
    the chance to win the ``game``. The other arguments are those of ``simulate``.

    ``from_`` is a score, ours first, as ``"38-41"``: the result is our chance to win from there when ``dealer``
    (``us`` or ``them``) deals next, and a line-up names the sides ``us`` and ``them``. ``win_table`` gives the chance
    from every score. Both are solved from the points of ``hands`` hands (a million by default), and ``check`` plays
    so many games from the score too. Between more than two sides, and in knock-outs, ``from_`` plays ``games`` out.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> games("cirulla", policy="greedy", from_="38-41", hands="20k", progress=False).frame["estimate"].round(2).item()
    0.37
    """
    given, chosen, us = locals(), choose(rules, players, house, rule), None
    if from_ is not None and win_table:
        raise InputError("--win-table cannot be combined with --from (leave one out)")
    flag = "--from" if from_ is not None else "--win-table" if win_table else ""
    if from_ is not None:
        score = read_score(chosen.fields, str(from_))
        given |= {"from_": "-".join(map(str, score)), "dealer": dealer or "us"}
        us = our_side(chosen.fields, given["dealer"])
    arguments = bind("games", given, chosen, us, bool(flag), "wins_game")
    uses = _check_options(arguments, flag, why_no_chain(chosen.fields) if from_ is not None else "")
    if flag:
        _check_line_up(arguments, flag)
    alone("--first-game", arguments["first_game"], precision=precision)
    alone("--first-hand", arguments["first_hand"], check=check)
    unit, usual = ("hands", 1_000_000) if "hands" in uses else ("games", 100_000)
    request = arguments.request(arguments.effort(unit, arguments[unit] or usual))
    return carry_out(job_of(request), arguments.execution())


def _check_options(arguments: Bound, flag: str, why: str) -> tuple[str, ...]:
    """The options that the question which ``flag`` asks uses; ``why`` games are played out to answer it, if they are.

    Raises ``InputError`` for others that are given.
    """
    uses = _OPTIONS["--from by games" if why else flag]
    for option in VERBS["games"]:
        users = [name.removesuffix(" by games") for name, options in _OPTIONS.items() if option.name in options]
        if not users or option.name in uses or arguments[option.name] == option.default:
            continue
        given = f"{option.flag} {str(arguments[option.name])!r}"
        if not flag:
            needed = " or ".join(dict.fromkeys(users))
            raise InputError(f"{given} requires {needed} (add it, or leave {option.flag} out)")
        reason = f", where games are played out: {why}" if why else ""
        valid = ", ".join(other.flag for other in VERBS["games"] if other.name in uses)
        raise InputError(f"{given} cannot be combined with {flag}{reason} (valid: {valid})")
    return uses


def _check_line_up(arguments: Bound, flag: str) -> None:
    """Raise ``InputError`` for several line-ups, and where either side may deal for the policy of the dealer."""
    policy, rules = several(arguments["policy"]), arguments.rules.fields
    if len(policy) > 1:
        raise InputError(f"--policy {str(policy[1])!r}: one line-up is enough for {flag} (name one)")
    if flag == "--win-table" and line_ups(policy, rules, 0, True) != arguments.line_ups:
        raise InputError(f"--policy {str(policy[0])!r}: in --win-table either side deals (valid: us=..., them=...)")


def job_of(request: Request) -> Job[Any]:
    """The job of a request; raises ``InputError`` for what cannot be played."""
    if "from_" in request.question:
        return win_chance_job(request)
    if request.question.get("win_table"):
        return win_table_job(request)
    rules, effort, aim = request.rules.fields, request.effort, str(request.question.get("aim", "points"))
    cards = deal_constraints(request.situation.get("deal"), rules)
    together = {
        str(line_up): aimed(
            Games(rules, line_up.by_side(rules), effort.number or 1, effort.seed or 0, aim=aim, first=effort.first,
                  constraints=cards)
        )
        for line_up in request.line_ups
    }  # fmt: skip
    if len(together) == 1:
        return TrialsJob(request, next(iter(together.values())), "games/2", played)
    table = partial(side_by_side, table=played)
    return TrialsJob(request, SideBySide(together, MEASURES), "games-line-ups/2", table)
