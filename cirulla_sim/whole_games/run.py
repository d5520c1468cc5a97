"""Whole games played, and the chance to win from a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..arguments import SEED, alone, choice, count, door, line_ups, machine, needs, positive, table_file, words
from ..errors import InputError
from ..exact import known_deal
from ..paired import (
    GAMES_CHUNK,
    NUMBERS,
    Measures,
    SideBySide,
    difference_of_games,
    game_numbers,
    line_ups_for_readers,
    side_by_side,
)
from ..play import AIMS, MAX_HANDS, USUAL, Games
from ..rulebook import Rules, RuleSet, choose
from ..runs import EVERY, Kind, Plan, Result, carry_out_plan, saving
from . import win_chance
from .expectancy import aimed
from .quantities import GAMES, played

LINE_UPS = Kind("games", "games-line-ups/1", partial(side_by_side, table=played), line_ups_for_readers)
"""Several line-ups that play games with the same deals."""

MEASURES = Measures(tuple(number.quantity for number in NUMBERS), game_numbers, difference_of_games, GAMES_CHUNK)

_FLAGS = {
    "": ("games", "deal", "first_game", "precision", "precision_of", "resume", "only"),
    "from": ("games", "deal", "dealer", "check", "hands"),
    "win_table": ("deal", "hands"),
}
"""Arguments that only make sense for some of the jobs, by the argument that asks for the job."""


@door
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
    score. Both are solved from the points of so many ``hands`` (a million unless told).

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> games("cirulla", policy="greedy", from_="38-41", hands="20k", progress=False).frame["estimate"].round(2).item()
    0.37
    """
    chosen = choose(rules, players, house, rule)
    seated, target = line_ups(policy), table_file("-o", output)
    given = {
        "games": games, "deal": deal, "first_game": first_game or None, "precision": precision,
        "precision_of": precision_of, "resume": resume, "only": only,
        "dealer": dealer, "check": check, "hands": hands, "from": from_, "win_table": win_table or None,
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
    if job:
        measured = count("--hands", hands or 1_000_000, 1, 10**9)
        setting = win_chance.Setting(chosen.fields, chosen.preset, seated[0], measured, number, start, known)
        how = win_chance.Machine(kind, many, progress)
        if from_ is None:
            return win_chance.win_table(setting, saving(target, None, save_every, force), how)
        checked = None if check is None else count("--check", check, 1, 10**9)
        return win_chance.answer(setting, from_, dealer or "us", checked, target, how)
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
        saving(target, resume, save_every, force),
        engine=kind,
        threads=many,
        only=words(only),
        progress=progress,
    )


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
