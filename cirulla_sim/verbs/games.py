"""Whole games played, and the chance to win from a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..core.arguments import SEED, alone, choice, count, line_ups, machine, needs, positive, public, table_file, words
from ..core.errors import InputError
from ..engine.policies import USUAL
from ..engine.trials import AIMS, MAX_HANDS, Games
from ..exact.constrained import known_deal
from ..experiments.autosave import EVERY, Saving, saving
from ..experiments.expectancy import aimed
from ..experiments.game_quantities import GAMES, played
from ..experiments.paired_games import GAMES_CHUNK, NUMBERS, difference_of_games, game_numbers
from ..experiments.runner import Kind, Plan, carry_out_plan
from ..experiments.side_by_side import Measures, SideBySide, side_by_side
from ..experiments.side_by_side import for_readers as line_ups_for_readers
from ..experiments.win_chance import Question, answer, why_no_chain
from ..experiments.win_chance_setup import Machine, Setting
from ..experiments.win_table import win_table as every_chance
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.constraints import Known

LINE_UPS = Kind("games", "games-line-ups/2", partial(side_by_side, table=played), line_ups_for_readers)
"""Several line-ups that play games with the same deals."""

MEASURES = Measures(tuple(number.quantity for number in NUMBERS), game_numbers, difference_of_games, GAMES_CHUNK)

_FLAGS = {
    "": ("games", "deal", "first_game", "precision", "precision_of", "only"),
    "from": ("games", "deal", "first_game", "dealer", "check", "hands", "first_hand"),
    "win_table": ("deal", "hands", "first_hand"),
}
"""Arguments that only make sense for some of the jobs, by the argument that asks for the job."""


@public
def games(
    rules: str | Path | Rules | RuleSet = "cirulla",
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    deal: str | None = None,
    policy: str | Sequence[str] = USUAL,
    aim: str = "points",
    games: int | str | None = None,
    first_game: int | str = 0,
    first_hand: int | str = 0,
    seed: int | str = 1,
    threads: int | str | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
    precision: float | str | None = None,
    precision_of: str | None = None,
    resume: str | Path | Sequence[str | Path] | None = None,
    only: str | Sequence[str] | None = None,
    from_: str | None = None,
    dealer: str | None = None,
    check: int | str | None = None,
    win_table: bool = False,
    hands: int | str | None = None,
    output: str | Path | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    progress: bool = True,
) -> Result:
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are told by the first dealer; ``deal`` tells cards that are known of the first hand, ``me`` its dealer.
    ``games`` are 100,000 unless told, or fewer with ``precision``; ``aim`` is what policies that look ahead maximise,
    ``points`` or the chance to win the ``game``. The rest is as for ``simulate``.

    ``from_`` asks instead for the chance to win from a score, ours first, as ``"38-41"``, when ``dealer`` (``us`` or
    ``them``) deals next; ``check`` plays so many games on from there too. ``win_table`` asks for the chance from every
    score. Both are solved from the points of so many ``hands`` (a million unless told), from ``first_hand`` on; between
    more than two sides, and in knock-outs, ``from_`` plays ``games`` out.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> games("cirulla", policy="greedy", from_="38-41", hands="20k", progress=False).frame["estimate"].round(2).item()
    0.37
    """
    chosen = choose(rules, players, house, rule)
    seated, target = line_ups(policy), table_file("-o", output)
    given = {
        "games": games, "deal": deal, "first_game": first_game or None, "precision": precision,
        "precision_of": precision_of, "only": only, "dealer": dealer, "check": check, "hands": hands,
        "first_hand": first_hand or None, "from": from_, "win_table": win_table or None,
    }  # fmt: skip
    job = "from" if from_ is not None else "win_table" if win_table else ""
    _check_flags(job, given)
    needs("--precision-of", precision_of, "--precision", precision is not None)
    kind, many = machine(engine, threads, scheduler)
    number, start = count("--games", games or 100_000, 1, MAX_HANDS), count("--seed", seed, 0, SEED)
    if job and len(seated) > 1:
        raise InputError(
            f"--policy {' '.join(','.join(names) for names in seated)!r}: {_dashed(job)} is of one line-up"
        )
    known = known_deal(deal, chosen.fields)
    store = saving(target, resume, save_every, force)
    if job:
        return _chance_or_all(chosen, seated[0], start, known, given, store, Machine(kind, many, progress))
    wanted = choice("--aim", "aim", aim, AIMS)
    first = count("--first-game", first_game, 0, MAX_HANDS - number)
    alone("--first-game", first, precision=precision)
    line_up, *others = (
        aimed(Games(chosen.fields, names, number, start, aim=wanted, first=first, known=known)) for names in seated
    )
    together = {one.line_ups[0]: one for one in (line_up, *others)}
    width = None if precision is None else positive("--precision", precision)
    return carry_out_plan(
        Plan(
            LINE_UPS if others else GAMES,
            SideBySide(together, MEASURES) if others else line_up,
            chosen.preset,
            width,
            precision_of or "wins_game",
        ),
        store,
        engine=kind,
        threads=many,
        only=words(only),
        progress=progress,
    )


def _chance_or_all(
    chosen: RuleSet, policies: tuple[str, ...], seed: int, known: Known | None, given: Mapping[str, Any], store: Saving,
    how: Machine,
) -> Result:  # fmt: skip
    """The chance to win from a score, or from every score."""
    score, why = given["from"], why_no_chain(chosen.fields)
    if score is not None:
        _check_what_is_played(score, why, given)
    checked = None if given["check"] is None else count("--check", given["check"], 1, 10**9)
    hands = count("--hands", given["hands"] or 1_000_000, 1, 10**9)
    games = count("--games", given["games"] or 100_000, 1, MAX_HANDS)
    if score is not None and why:
        first = count("--first-game", given["first_game"] or 0, 0, MAX_HANDS - games)
    else:
        first = count("--first-hand", given["first_hand"] or 0, 0, MAX_HANDS - hands)
    alone("--first-hand", first, check=checked)
    setting = Setting(chosen.fields, chosen.preset, policies, hands, games, seed, known, first)
    if score is None:
        return every_chance(setting, store, how)
    return answer(Question(setting, score, given["dealer"] or "us", checked or 0), store, how)


_OF_HANDS = {"hands": "games", "first_hand": "first_game", "check": "games"}
_OF_GAMES = {"games": "hands", "first_game": "first_hand"}
"""Arguments that say nothing where games are played out, or where there is a chain of scores: what does there."""


def _check_what_is_played(score: str, why: str, given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for an argument that is of hands where games are played out from a score, or of games where
    there is a chain of scores; ``why`` there is none.
    """
    told = f"{why}, and games are played out" if why else f"--from {score} is solved by the chain of scores, from hands"
    for flag, instead in (_OF_HANDS if why else _OF_GAMES).items():
        if given[flag] is not None:
            raise InputError(f"{_dashed(flag)} '{given[flag]}': {told} (valid: {_dashed(instead)})")


def _check_flags(job: str, given: Mapping[str, object]) -> None:
    """Raise ``InputError`` for an argument that says nothing to the job asked for."""
    every = {flag for flags in _FLAGS.values() for flag in flags} | {"from", "win_table"}
    for flag in sorted(every - {job, *_FLAGS[job]}):
        if given[flag] is not None:
            jobs = [_dashed(of) for of, flags in _FLAGS.items() if of and flag in flags]
            wants = f"goes with {' or '.join(jobs)}" if jobs and not job else f"cannot be used with {_dashed(job)}"
            raise InputError(f"{_dashed(flag)} {wants}")


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"
