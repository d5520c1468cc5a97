"""What to play here, and how sure is that: every legal play of a situation played out on the same deals.

The cards not seen are dealt out again and again as they may lie, and after each play everybody plays on by a policy to
the end of the hand. So a play is worth the mean margin of its side over those deals; plays are compared deal by deal,
which cancels most of the luck. Where all cards are known the stage is solved instead.

>>> from cirulla_sim.rules import build
>>> from cirulla_sim.situation import read
>>> now, _ = read(build("cirulla", players=2), table="5c 2h Kd", holding="7d 2s Jh")
>>> found = advise(now, samples=64)
>>> found.samples, len(found.options)
(64, 3)
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import __version__, cards, position, situation
from .engines import Folded, fold
from .errors import InputError, unknown
from .estimates import Estimate, student
from .expectancy import aiming_at_the_end, between_hands
from .experiment import AIMS, Experiment, by_side, check_answers, prepared
from .rules import Rules
from .situation import Moment, Situation
from .tables import SCHEMA as COLUMNS
from .tables import empty_row, estimate_row

SCHEMA = "advise/1"

Points = NDArray[np.int16]
"""int16[samples, plays, 5]: points of each side at the end of the hand; who won the game outright, 1 + side, or 0."""

Win = NDArray[np.float64]
"""float64[2, S, S]: see ``expectancy.Expectancy.chances``."""

FIRST, MOST = 256, 1 << 20
"""Samples before the first look, and the most there can be."""

CHUNK = 64
LOOKS = 20
"""More looks than there will ever be: the error of 5% is shared out among them, and among the plays."""

ALPHA = 0.05
SOLVED = 12
"""Plays left from which on a situation in which all is known is solved."""

AHEAD = 12
"""Plays that the solver looks ahead where the stage goes on for longer than ``DEEPEST``."""
DEEPEST = 20


@dataclass(frozen=True)
class Option:
    """A legal play and what it is worth.

    ``margin`` is one's own side's points at the end of the hand less the mean of the others', ``wins`` the chance to
    win the game, None where no score was given, and ``behind`` how much is lost against the best play, in the same
    deals: points, or chances to win where the game is aimed at. ``sweep`` is the exact chance that the next player can
    score a scopa.
    """

    play: int
    margin: Estimate
    wins: Estimate | None
    behind: Estimate
    sweep: Fraction
    reason: str


@dataclass(frozen=True)
class Advice:
    """Every legal play of a situation, best first.

    ``samples`` deals were played out, 0 where all is known and ``options`` are exact; ``stopped`` is why no more:
    ``separated`` (the best play is told from all others with 95% confidence), ``time``, ``samples``, ``exact``,
    ``forced`` (there is one play) or ``interrupted``.
    """

    now: Situation
    options: tuple[Option, ...]
    samples: int
    stopped: str
    aim: str = "points"
    """By what plays are ranked: ``points``, or the chance to win the ``game``."""
    solution: Solution | None = None


@dataclass(frozen=True)
class Solution:
    """What each play leads to with all cards known, and the line of best play for what is aimed at.

    ``points`` is float64[plays, 4], by side, everybody playing for points; ``wins``, float64[plays], is the chance to
    win the game, both playing for that, where a score was given and the hand is played to its end. ``ahead`` plays were
    looked ahead; unless the hand is ``settled`` then, the points are what the piles are expected to be worth (see
    ``kernel.worth``).
    """

    points: NDArray[np.float64]
    wins: NDArray[np.float64] | None
    line: tuple[tuple[int, int], ...]
    """Seat and play, a word, of each play in turn."""
    ahead: int
    settled: bool


# ------------------------------------------------------------------------------------------------ playing out


def playouts(now: Situation, policies: tuple[str, ...], seed: int, first: int, samples: int) -> Points:
    """The points that every legal play of a situation leads to on the deals from number ``first`` of a seed on.

    ``policies`` is one for all sides or one a side, the dealer's last. Raises ``InputError`` as ``Experiment`` does.
    """
    from .kernel.playouts import POINTS, run_playouts

    experiment = Experiment(now.rules, policies, 1, seed)
    plays = np.array(now.plays(), np.uint64)
    points = np.zeros((samples, len(plays), POINTS), np.int16)
    flat, codes, work = prepared(experiment)
    run_playouts(
        flat, codes, np.uint64(seed), np.uint64(first), now.view, np.uint64(now.unowned), np.uint64(now.forgotten),
        plays, work, points,
    )  # fmt: skip
    check_answers(experiment, work)
    return points


def play_on(
    now: Situation, policies: tuple[str, ...], seed: int, points: Points, samples: int,
    engine: str = "threads", threads: int | None = None, progress: Callable[[int], None] | None = None,
) -> tuple[Points, str]:  # fmt: skip
    """Go on from the first ``points`` to so many samples; returns them all, and ``samples`` or ``interrupted``."""
    kept = [points]
    folded = fold(
        partial(_chunk, now, policies, seed),
        Folded(np.zeros(0, np.int64), len(points), "interrupted"),
        samples, unit="samples", engine=engine, threads=threads, chunk=CHUNK, keep=kept.append, progress=progress,
    )  # fmt: skip
    return np.concatenate(kept), folded.stopped


def _chunk(
    now: Situation, policies: tuple[str, ...], seed: int, first: int, samples: int
) -> tuple[NDArray[np.int64], Points]:
    return np.zeros(0, np.int64), playouts(now, policies, seed, first, samples)


def none_yet(now: Situation) -> Points:
    """The points of no samples."""
    return np.zeros((0, len(now.plays()), 5), np.int16)


def margins(now: Situation, points: NDArray[Any]) -> NDArray[np.float64]:
    """float64[samples, plays]: the points of one's own side less the mean of the others'."""
    sides = now.rules.sides
    mine = points[:, :, now.side].astype(np.float64)
    return np.asarray((mine * sides - points[:, :, :sides].sum(axis=2)) / (sides - 1))


def chances(now: Situation, points: NDArray[Any], score: tuple[int, int], table: Win) -> NDArray[np.float64]:
    """float64[samples, plays]: the chance to win the game from where a hand leaves it, ours first in ``score``.

    The first player of this hand deals the next.
    """
    us, most = now.side, table.shape[1] - 1
    ours = np.minimum(score[0] + points[:, :, us].astype(int), most)
    theirs = np.minimum(score[1] + points[:, :, 1 - us].astype(int), most)
    chance = table[0 if us == 0 else 1, ours, theirs]
    outright = points[:, :, 4]
    return np.asarray(np.where(outright > 0, outright == us + 1, chance))


def estimate(values: NDArray[np.float64], low: float = -np.inf, high: float = np.inf) -> Estimate:
    """The mean of independent numbers with Student's interval, kept within bounds; a single number is exact."""
    n = len(values)
    if n == 1:
        return Estimate(float(values[0]), 0.0, float(values[0]), float(values[0]), 0)
    value, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(n))
    half = student(n - 1) * error
    return Estimate(value, error, max(low, value - half), min(high, value + half), n)


def is_separated(values: NDArray[np.float64]) -> bool:
    """Whether the best column is told from all others, by 95% whatever the number of looks and columns."""
    n, plays = values.shape
    best = int(values.mean(axis=0).argmax())
    behind = np.delete(values[:, [best]] - values, best, axis=1)
    if not behind.shape[1]:
        return True
    z = NormalDist().inv_cdf(1 - ALPHA / (LOOKS * (plays - 1)))
    return bool((behind.mean(axis=0) > z * behind.std(axis=0, ddof=1) / np.sqrt(n)).all())


def advise(
    now: Situation,
    policies: tuple[str, ...] = ("careful",),
    *,
    samples: int | None = None,
    seconds: float = 5.0,
    score: tuple[int, int] | None = None,
    aim: str | None = None,
    holdings: tuple[int, ...] | None = None,
    seed: int = 1,
    engine: str = "threads",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Advice:
    """Judge every legal play of a situation: exactly if all is known, else by so many samples, or as long as it takes.

    Without ``samples`` deals are played out until the best play is told from all others or ``seconds`` are over. With
    ``score``, one's own first, the chance to win the game is told. Plays are ranked by the ``aim``, ``points`` or
    ``game``; without one by the chance where there is a score. With ``holdings``, masks by seat, all is known, whatever
    the seat knows. The result depends on the number of samples and the seed alone.

    Raises ``InputError`` for policies that cannot play, a score where there is no chain of scores, and an aim at a game
    without a score.
    """
    aim = _aim(aim, score)
    table = None if score is None else between_hands(now.rules, engine, threads)
    holdings = holdings or solvable(now)
    if holdings is not None:
        return _of_solution(now, solve(now, holdings, score, table, aim), aim)
    points = none_yet(now)
    began, todo = time.monotonic(), samples or FIRST
    while True:
        points, stopped = play_on(now, policies, seed, points, todo, engine, threads, progress)
        if samples is None and stopped != "interrupted":
            wins = None if table is None else chances(now, points, score or (0, 0), table)
            values = margins(now, points) if aim == "points" or wins is None else wins
            todo = _until(len(points), time.monotonic() - began, seconds)
            stopped = "separated" if is_separated(values) else "time" if todo == len(points) else ""
        if len(points) < 2:
            raise KeyboardInterrupt  # before there was anything to tell
        if stopped:
            wins = None if table is None else chances(now, points, score or (0, 0), table)
            told = _options(now, margins(now, points), wins, aim)
            return Advice(now, told, len(points), "forced" if points.shape[1] == 1 else stopped, aim)


def _aim(aim: str | None, score: tuple[int, int] | None) -> str:
    """The aim, or what it is where none is named."""
    if aim is None:
        return "points" if score is None else "game"
    if aim not in AIMS:
        raise unknown("aim", aim, AIMS)
    if aim == "game" and score is None:
        raise InputError("aim 'game' needs the score of the game (give --score, as 38-41)")
    return aim


def _until(done: int, elapsed: float, seconds: float) -> int:
    """How many samples to go on to: as many again, or as many as the time left is likely to do."""
    left = int(done / max(elapsed, 1e-6) * (seconds - elapsed)) // CHUNK * CHUNK
    return min(2 * done, done + max(0, left), MOST)


def read_score(rules: Rules, text: str) -> tuple[int, int]:
    """A score as ``38-41``, ours first.

    Raises ``InputError`` where games are no chain of scores between two sides, and for a score that is none.
    """
    from .expectancy import check
    from .win_chance import read_score

    try:
        check(rules)
    except InputError as error:
        raise InputError(f"--score {text!r}: {error}") from None
    ours, theirs = read_score(rules, text, "--score")
    return ours, theirs


def _options(now: Situation, margin: NDArray[Any], wins: NDArray[Any] | None, aim: str) -> tuple[Option, ...]:
    """The legal plays, best first, by their margins or chances, float64[samples, plays]."""
    values = margin if wins is None or aim == "points" else wins
    order = sorted(range(margin.shape[1]), key=lambda k: (-values[:, k].mean(), -margin[:, k].mean()))
    plays = now.plays()
    return tuple(
        Option(
            plays[k],
            estimate(margin[:, k]),
            None if wins is None else estimate(wins[:, k], 0.0, 1.0),
            estimate(values[:, order[0]] - values[:, k]),
            sweep_next(now, plays[k]),
            reason(now, plays[k]),
        )
        for k in order
    )


def _of_solution(now: Situation, solution: Solution, aim: str) -> Advice:
    margin = margins(now, solution.points[None])
    wins = None if solution.wins is None else solution.wins[None]
    aim = "points" if wins is None else aim
    return Advice(now, _options(now, margin, wins, aim), 0, "exact", aim, solution)


# ------------------------------------------------------------------------------------------------ all cards known


def solvable(now: Situation) -> tuple[int, ...] | None:
    """All holdings of a situation that can be solved to the end of the hand, None where it cannot."""
    return now.known_holdings() if now.field("plays_left") <= SOLVED else None


def solve(
    now: Situation,
    holdings: tuple[int, ...],
    score: tuple[int, int] | None = None,
    table: Win | None = None,
    aim: str = "game",
) -> Solution:
    """Every legal play with all holdings known, masks by seat, everybody playing their best to the end of the stage.

    With more than two sides each maximises its points less the mean of the others'. ``score`` is that of the game, ours
    first, and ``table`` the chances to win from every score; the line is played for the ``aim``.
    """
    left = sum(held.bit_count() for held in holdings)
    ahead = left if left <= DEEPEST else AHEAD
    settled = ahead == now.field("plays_left")
    game = None
    if score is not None and table is not None and settled:
        game = (score if now.side == 0 else score[::-1], aiming_at_the_end(now.rules, table))
    points = _values(now, holdings, ahead) + np.array(now.by_seat("points"), np.float64)
    wins = None if game is None else _values(now, holdings, ahead, game)
    game = game if aim == "game" else None
    best = [_best(now, points if wins is None or game is None else wins)]
    moment = Moment.known(now, holdings)
    while len(best) < ahead:
        moment = moment.after(best[-1])
        here = moment.situation()
        best.append(_best(here, _values(here, moment.holdings, ahead - len(best), game)))
    seats = [(now.field("seat") + k) % now.rules.players for k in range(ahead)]
    line = tuple(zip(seats, best, strict=True))
    return Solution(points, None if wins is None else wins[:, now.side], line, ahead, settled)


def _values(
    now: Situation,
    holdings: tuple[int, ...],
    ahead: int,
    game: tuple[tuple[int, ...], NDArray[np.float32]] | None = None,
) -> NDArray[np.float64]:
    """float64[plays, 4]: by side, the points made from here on and those of the piles that the legal plays lead to.

    With ``game``, its score by side and the chances to win as ``policies.mind`` has them, it is chances.
    """
    from .experiment import flat_rules
    from .kernel.solve import solve_plays
    from .kernel.view import new_mind
    from .policies import mind

    plays = np.array(now.plays(), np.uint64)
    values, given, view = np.zeros((len(plays), 4), np.float32), np.zeros(4, np.uint64), now.view.copy()
    given[: len(holdings)] = holdings
    if game is not None:
        view[0]["score"][:2], view[0]["aims_at_game"] = game[0], 1
    room = mind(now.rules, new_mind(), None if game is None else game[1])
    solve_plays(flat_rules(now.rules), room, view[0], given, np.uint64(ahead), plays, values)
    return values.astype(np.float64)


def _best(now: Situation, values: NDArray[np.float64]) -> int:
    margin = margins(now, values[None])[0]
    return now.plays()[int(margin.argmax())]


# ------------------------------------------------------------------------------------------------ in words


def sweep_next(now: Situation, play: int) -> Fraction:
    """The exact chance that the next player can score a scopa on the table a play leaves.

    Every way of dealing the cards not seen is equally likely, as in ``position``.
    """
    following = now.next_player(play)
    last = now.field("plays_left") == 2 and not now.rules.last_card_scopa
    if following is None or last or not following.table:
        return Fraction(0)
    rows = position.answer(following, "scopa").to_dicts()
    return Fraction(next(row["exact"] for row in rows if row["value"] == "next"))


def reason(now: Situation, play: int) -> str:
    """One line in plain words: what a play takes and what it leaves."""
    return "; ".join(part for part in (_taking(now, play), _leaving(now, play)) if part)


_DIAMONDS = 0b1111111111 << 10
_SETTEBELLO = 1 << cards.SETTEBELLO
_SEVENS = cards.mask(range(6, 40, 10))


def _taking(now: Situation, play: int) -> str:
    got = situation.captured(play)
    if not got:
        return "takes nothing"
    got |= 1 << situation.card_of(play)
    said = ["scopa"] if situation.is_sweep(play) else []
    said += ["the settebello"] if got & _SETTEBELLO else []
    said += _melds(now, got)
    diamonds = (got & _DIAMONDS & ~_SETTEBELLO).bit_count()
    sevens = (got & _SEVENS & ~_SETTEBELLO).bit_count()
    others = got.bit_count() - diamonds - sevens - (got & _SETTEBELLO).bit_count()
    counted = [_count(diamonds, "diamond"), _count(sevens, "seven"), _count(others, "other card")]
    said += [words for words in counted if words]
    if others == got.bit_count():
        said[-1] = _count(others, "card")
    if situation.is_sweep(play):
        return f"{said[0]}, taking {', '.join(said[1:])}"
    return "takes " + ", ".join(said)


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}" if number else ""


def _melds(now: Situation, got: int) -> list[str]:
    """La piccola or la grande, where a capture makes it or makes it longer."""
    from .experiment import flat_rules

    flat = flat_rules(now.rules)
    mine = now.by_seat("pile")[now.side]
    before, after = ((mask & _DIAMONDS) >> 10 for mask in (mine, mine | got))
    found = [("la piccola", flat.piccola), ("la grande", flat.grandes)]
    return [
        f"{name} (+{int(points[after] - points[before])})" for name, points in found if points[after] > points[before]
    ]


def _leaving(now: Situation, play: int) -> str:
    following = now.next_player(play)
    if following is None:
        return "the last play of the hand"
    if not following.table:
        return "leaves an empty table"
    matta = now.rules.matta
    total = sum(
        following.matta_value if matta is not None and card == cards.parse(matta) else cards.VALUES[card]
        for card in cards.members(following.table)
    )
    dear = [name for bit, name in ((_SETTEBELLO, "the settebello"),) if following.table & bit]
    diamonds = (following.table & _DIAMONDS & ~_SETTEBELLO).bit_count()
    dear += [_count(diamonds, "diamond")] if diamonds else []
    what = f"leaves {total}" + (f" with {' and '.join(dear)}" if dear else "")
    sweepers = position.good_cards(following, "scopa") & following.unseen
    for known in following.shown[:1]:
        sweepers |= position.good_cards(following, "scopa") & known
    ranks = [rank for k, rank in enumerate(cards.RANKS) if any(sweepers >> (10 * suit + k) & 1 for suit in range(4))]
    return what + (f", swept by {' or '.join(ranks)}" if ranks else ", which no card can sweep")


# ------------------------------------------------------------------------------------------------ tables


def as_table(found: Advice) -> pl.DataFrame:
    """A row a play and quantity: ``play``, the contract's columns, ``reason``.

    Quantities are ``margin``, ``wins_game`` (with a score), ``behind`` (what is lost against the best play) and
    ``sweep_next``.
    """
    exact = found.samples == 0
    rows: list[dict[str, Any]] = []
    for option in found.options:
        named: Sequence[tuple[str, str, str, Estimate | None]] = (
            ("margin", "hand", "mean", option.margin),
            ("wins_game", "game", "probability", option.wins),
            ("behind", "hand" if found.aim == "points" else "game", "difference", option.behind),
        )
        told = [estimate_row(name, per, "own", kind, value) for name, per, kind, value in named if value is not None]
        chance = float(option.sweep)
        told.append(
            empty_row()
            | {"quantity": "sweep_next", "per": "play", "side": "others", "kind": "probability"}
            | {"estimate": chance, "std_error": 0.0, "ci_low": chance, "ci_high": chance, "exact": str(option.sweep)}
        )
        both = {"play": situation.text(option.play), "reason": option.reason}
        rows += [{**both, **row, "n": None if exact else row["n"]} for row in told]
    return pl.DataFrame(rows, schema={"play": pl.String} | COLUMNS | {"reason": pl.String}, orient="row")


def metadata(
    found: Advice, preset: str, asked: Sequence[str], policies: tuple[str, ...] = ("careful",), seed: int = 1
) -> dict[str, Any]:
    """How advice was come by: the contract's object for the file.

    ``asked`` are the words of the command that tell the situation. The command asks for as many samples as there were,
    and so gives the same table on any machine. ``hands`` are those deals; null, as ``stopped``, where all is known.
    """
    rules, exact = found.now.rules, found.solution is not None
    words = ["cirulla-sim", "advise", *asked]
    if not exact:
        words += ["--policy", ",".join(policies), "--samples", str(found.samples), "--seed", str(seed)]
    return {
        "version": __version__,
        "command": shlex.join(words),
        "preset": preset,
        "rules": asdict(rules),
        "policies": [] if exact else list(by_side(rules, policies)),
        "players": rules.players,
        "seed": None if exact else seed,
        "hands": None if exact else found.samples,
        "stopped": _STOPPED.get(found.stopped, found.stopped),
        "schema": SCHEMA,
    }


_STOPPED = {"separated": "precision", "forced": "precision", "samples": "hands", "exact": None}
"""What result files call the ends of advice; ``time`` and ``interrupted`` are called so."""


def for_readers(found: Advice) -> pl.DataFrame:
    """The advice as a player reads it, a row a play, the best first."""
    rows = []
    for option in found.options:
        row = {"play": situation.text(option.play), "margin": _with_half(option.margin, 2, signed=True)}
        if option.wins is not None:
            row["wins game"] = _with_half(option.wins, 1, percent=True)
        percent = found.aim == "game"
        row["behind"] = "" if option is found.options[0] else _with_half(option.behind, 2 - percent, percent=percent)
        row["sweep next"] = f"{100 * float(option.sweep):.1f}%" if option.sweep else "0"
        row["why"] = option.reason
        rows.append(row)
    return pl.DataFrame(rows)


def _with_half(found: Estimate, decimals: int, signed: bool = False, percent: bool = False) -> str:
    factor = 100 if percent else 1
    half = (found.high - found.low) / 2 * factor
    sign = "+" if signed else ""
    error = f" ±{half:.{decimals}f}" if half else ""
    return f"{found.value * factor:{sign}.{decimals}f}{'%' if percent else ''}{error}"


def remarks(found: Advice) -> list[str]:
    """What a reader should know beside the table."""
    if found.solution is not None:
        return _said_of(found.solution, found.aim)
    why = {
        "separated": "the best play is told from all others (95%)",
        "time": "time was up, and the best play is not told from all others (95%): --time gives more",
        "samples": "as many as asked for",
        "forced": "there is one legal play",
        "interrupted": "interrupted",
    }[found.stopped]
    return [f"{found.samples:_} samples to the end of the hand; {why}."]


def _said_of(solution: Solution, aim: str) -> list[str]:
    end = "of the hand" if solution.settled else f"of the stage, {solution.ahead} plays on"
    told = "exact" if solution.settled else "exact so far; what the piles are expected to be worth then is from tables"
    line = ", ".join(f"seat {seat} {situation.text(play)}" for seat, play in solution.line)
    played_for = "points" if aim == "points" else "the game"
    both = f" Margins are for points, chances for the game; the line is played for {played_for}."
    aims = "" if solution.wins is None else both
    return [f"All cards are known, everybody plays their best to the end {end}: {told}.{aims}", f"Best line: {line}."]
