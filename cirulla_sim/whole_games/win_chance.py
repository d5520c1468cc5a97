"""The chance to win a game: from one score or from every score, by the chain of scores or by playing games out."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .. import __version__
from ..errors import InputError, unknown
from ..exact import deal_metadata, deal_remarks, deal_words
from ..kept import (
    SCHEMA,
    TALLY,
    Estimate,
    Z,
    check_same,
    estimate_row,
    pack,
    progress_bar,
    proportion,
    read_packed,
    whole_file,
    write_part,
)
from ..known import Known
from ..play import USUAL, Experiment, Folded, Games, by_side, carry_out, check_score, fingerprint, fold, game_row_names
from ..rulebook import Rules, command_words
from ..runs import NOWHERE, Result, Saving, gone_on, interruption, players_line
from .expectancy import Brought, Expectancy, brought, can_be, either_deals, measure, solved_by

FILE_SCHEMA, ANSWER_SCHEMA = "win-table/1", "win-chance/1"

TABLE = {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String} | SCHEMA
"""The columns of ``as_table``."""

ANSWER = {"score": pl.String, "dealer": pl.String, "method": pl.String} | SCHEMA
"""The columns of an ``answer``; ``method`` is ``chain`` or ``played out``."""

MOST_KEPT = 1 << 22
"""Kinds of hands that a file may hold to go on from: those of some millions of hands are tens of thousands."""


@dataclass(frozen=True)
class Setting:
    """Who plays by which rules, and how much is simulated: hands to measure points by, or games to play out.

    The next hand has the cards ``known``; the dealer of it is called ``me`` there.

    ``policies`` is one for all or one a side, ours first. Raises ``InputError`` as ``Experiment`` does.
    """

    rules: Rules
    preset: str = "cirulla"
    policies: tuple[str, ...] = (USUAL,)
    hands: int = 1_000_000
    games: int = 100_000
    seed: int = 1
    known: Known | None = None

    def __post_init__(self) -> None:
        Experiment(self.rules, self.policies, self.hands, self.seed, known=self.known)


@dataclass(frozen=True)
class Machine:
    """How it is carried out, which changes nothing in the result."""

    engine: str = "threads"
    threads: int | None = None
    progress: bool = False


def read_score(rules: Rules, text: str, flag: str = "--from") -> tuple[int, ...]:
    """A score as ``38-41``, ours first and then in order of play.

    Raises ``InputError`` that names the flag.
    """
    if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})+", text):
        shape = "-".join(["38", "41", "20", "7"][: rules.sides])
        raise InputError(f"{flag} {text!r} is no score (valid: points of each side, ours first, as {shape})")
    score = tuple(int(points) for points in text.split("-"))
    try:
        check_score(rules, score)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None
    return score


def read_dealer(rules: Rules, text: str) -> int:
    """Who deals, as a place in the order of play: ``us`` is 0, ``them`` 1; between more sides ``2`` is the second."""
    names = ["us", "them"] if rules.sides == 2 else ["us", *(str(place) for place in range(2, rules.sides + 1))]
    if text not in names:
        raise unknown("dealer", text, names, where="--dealer: ")
    return names.index(text)


def answer(
    setting: Setting, score: str, dealer: str, check_games: int | None = None, path: Path | None = None,
    machine: Machine = Machine(),
) -> Result:  # fmt: skip
    """The chance to win from a score: a table of ``ANSWER``, written to a parquet file if one is named.

    By the chain of scores, and with ``check_games`` by playing games out too, and their difference; where there is no
    chain by playing out ``setting.games`` games. Raises ``InputError``.
    """
    at = read_score(setting.rules, score), read_dealer(setting.rules, dealer)
    with nullcontext() if path is None else whole_file(path) as part:  # a bad folder is told now
        result = _chance(setting, score, dealer, at, check_games, machine)
        if part is not None:
            write_part(result.frame, part, dict(result.made))
    return result if path is None else replace(result, remarks=(*result.remarks, f"Written: {path}"))


def _chance(
    setting: Setting, score: str, dealer: str, at: tuple[tuple[int, ...], int], check_games: int | None,
    machine: Machine,
) -> Result:  # fmt: skip
    rules, (points, place) = setting.rules, at
    asked = ["--from", score, "--dealer", dealer, *(["--check", str(check_games)] if check_games else [])]

    def row(method: str, kind: str, estimate: Estimate) -> dict[str, Any]:
        return {"score": score, "dealer": dealer, "method": method} | estimate_row(
            "wins_game", "game", "us", kind, estimate
        )

    if rules.sides != 2 or rules.knockout_tiebreak:
        won = played_out(setting, points, place, check_games or setting.games, machine)
        why = "The chain of scores is for two sides" if rules.sides != 2 else "The chain of scores has no knock-out"
        return _answered(setting, asked, [row("played out", "probability", won)], f"{why}: games were played out.")
    found = _measured(setting, machine).chance(points[0], points[1], place)
    rows, remark = [row("chain", "probability", found)], ""
    if check_games is not None:
        won = played_out(setting, points, place, check_games, machine)
        # What games played out would scatter by if the chain is right: a few that all end alike are no certainty.
        error = float(np.hypot(found.std_error, np.sqrt(found.value * (1 - found.value) / check_games)))
        apart, half = found.value - won.value, Z * error
        rows += [
            row("played out", "probability", won),
            row("chain less played out", "difference", Estimate(apart, error, apart - half, apart + half, won.n)),
        ]
        remark = f"The two are {abs(apart) / error:.2f} standard errors apart." if error else ""
    return _answered(setting, asked, rows, remark)


def _answered(setting: Setting, asked: list[str], rows: list[dict[str, Any]], remark: str) -> Result:
    frame = pl.DataFrame(rows, schema=ANSWER, orient="row")
    remarks = (*_remarks(setting), *((remark,) if remark else ()))
    return Result(frame, metadata(setting, asked, ANSWER_SCHEMA), frame, remarks)


def _remarks(setting: Setting) -> list[str]:
    return [players_line([",".join(setting.policies)]), *deal_remarks(setting.known, setting.rules)]


def win_table(setting: Setting, saving: Saving = NOWHERE, machine: Machine = Machine()) -> Result:
    """The chance to win from every score (see ``as_table``), kept on the way and gone on from as ``saving`` says.

    Raises ``InputError`` for rules without a chain, a file that cannot be written, and one to go on from that is of
    something else.
    """
    dealt = either_deals(setting.rules, setting.policies, setting.hands, setting.seed, setting.known)
    mark = fingerprint(*dealt)

    def table(found: Folded[Brought]) -> pl.DataFrame:
        try:
            return as_table(solved_by(setting.rules, setting.policies, setting.seed, found, setting.known is not None))
        except InputError:
            if found.stopped != "interrupted":
                raise
            return pl.DataFrame(schema=TABLE)  # nothing can be told yet

    def made(found: Folded[Brought]) -> dict[str, Any]:
        said = metadata(setting, ["--win-table"], FILE_SCHEMA)
        return said | {"hands": found.done, "stopped": found.stopped, "fingerprint": mark}

    def kept(found: Folded[Brought]) -> dict[str, str]:
        return {TALLY: pack(np.array(sorted(found.tally.items()), np.int64), "<i8")}

    def write(found: Folded[Brought], part: Path) -> None:
        write_part(table(found), part, made(found), kept(found))

    nothing: Folded[Brought] = Folded(Counter(), 0, "interrupted")
    earlier = saving.earlier(partial(_brought_in, setting, len(dealt), made(nothing)))
    with (
        saving.kept(write) as keeper,
        progress_bar(setting.hands, earlier.done if earlier else 0, machine.progress) as bar,
    ):
        found = fold(
            partial(brought, dealt), earlier or nothing, setting.hands,
            engine=machine.engine, threads=machine.threads, progress=bar, grown=keeper.grown,
        )  # fmt: skip
        frame = table(found)
        if frame.is_empty():
            raise KeyboardInterrupt
        keeper.end(lambda part: write_part(frame, part, made(found), kept(found)))
    remarks = _remarks(setting)
    remarks += [] if earlier is None else [gone_on(earlier.done, found.done, "hands")]
    remarks += [] if saving.output is None else [f"Written: {saving.output}"]
    interrupted = found.stopped == "interrupted"
    remarks += [interruption(found.done, setting.hands, "hands")] if interrupted else []
    return Result(frame, made(found), every_tenth(frame), tuple(remarks), 130 if interrupted else 0, kept(found))


def _brought_in(
    setting: Setting, dealt: int, wanted: Mapping[str, Any], paths: Sequence[Path], flag: str
) -> Folded[Brought]:
    """What the hands of a file bring, if its metadata are those ``wanted``, of as many hands as are asked for or fewer.

    Raises ``InputError`` that names what differs.
    """
    [path] = paths
    made = check_same(path, wanted, "hands", "games --win-table", flag)
    rows = read_packed(path, TALLY, "<i8", (-1, 2), "games --win-table", flag, MOST_KEPT)
    found: Folded[Brought] = Folded(Counter(dict(rows.tolist())), made["hands"], made["stopped"])
    if not can_be(setting.rules, dealt, found):
        raise InputError(f"{flag} {path}: what it holds to go on from is damaged (valid: a file as it was written)")
    if found.done > setting.hands:
        raise InputError(f"--hands '{setting.hands}' is less than the {found.done} hands of {path} (valid: more)")
    return found


def metadata(setting: Setting, asked: Sequence[str], schema: str) -> dict[str, Any]:
    """How a table of chances was made: the contract's object for the file; ``asked`` are the words that ask for it."""
    words = ["cirulla-sim", "games", *command_words(setting.rules, setting.preset), "--policy"]
    words += [",".join(setting.policies), *asked, *deal_words(setting.known)]
    words += ["--hands", str(setting.hands), "--seed", str(setting.seed)]
    return {
        "version": __version__,
        "command": shlex.join(words),
        "preset": setting.preset,
        "rules": asdict(setting.rules),
        "policies": list(by_side(setting.rules, setting.policies)),
        "players": setting.rules.players,
        "seed": setting.seed,
        "hands": setting.hands,
        "stopped": "hands",
        "schema": schema,
        **deal_metadata(setting.known, setting.rules),
    }


def every_tenth(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table of chances whose scores are both multiples of ten."""
    return frame.filter(pl.col("us") % 10 == 0, pl.col("them") % 10 == 0)


def _measured(setting: Setting, machine: Machine) -> Expectancy:
    with progress_bar(setting.hands, 0, machine.progress) as bar:
        return measure(
            setting.rules, setting.policies, setting.hands, setting.seed, known=setting.known,
            engine=machine.engine, threads=machine.threads, progress=bar,
        )  # fmt: skip


def as_table(found: Expectancy) -> pl.DataFrame:
    """A row a score and dealer: ``us``, ``them``, ``dealer`` (``us`` or ``them``), then the contract's columns."""
    target = found.rules.target
    inside = np.s_[:, :target, :target]
    dealer, us, them = np.indices(found.chances[inside].shape)
    value, error = found.chances[inside], found.std_errors()[inside]
    low, high = (ends[inside] for ends in found.intervals())
    columns = {
        "us": us.ravel(),
        "them": them.ravel(),
        "dealer": np.array(["us", "them"])[dealer.ravel()],
        "quantity": "wins_game", "per": "game", "side": "us", "kind": "probability", "value": None,
        "estimate": value.ravel(),
        "std_error": error.ravel(),
        "ci_low": low.ravel(),
        "ci_high": high.ravel(),
        "n": found.hands, "exact": None,
    }  # fmt: skip
    return pl.DataFrame({name: column for name, column in columns.items() if isinstance(column, np.ndarray)}).select(
        (pl.col(name) if isinstance(column, np.ndarray) else pl.lit(column)).cast(TABLE[name]).alias(name)
        for name, column in columns.items()
    )


def played_out(
    setting: Setting, score: tuple[int, ...], dealer: int, games: int, machine: Machine = Machine()
) -> Estimate:
    """The chance that we win from a score, by playing so many games on from there.

    ``score`` is ours, then the others' in order of play; ``dealer`` is the place in that order of the side that deals
    next. Raises ``InputError`` as ``Games`` does.
    """
    rules = setting.rules
    check_score(rules, score)
    order = [(dealer + 1 + side) % rules.sides for side in range(rules.sides)]  # places by side; the dealer's is last
    ours = order.index(0)
    everyone = by_side(rules, setting.policies)
    from_there = Games(
        replace(rules, best_of=1),
        tuple(everyone[place] for place in order),
        games,
        setting.seed,
        tuple(score[place] for place in order),
        known=setting.known,
    )
    winners = game_row_names(rules).index("winners")
    won = 0

    def count(rows: NDArray[Any]) -> None:
        nonlocal won
        won += int(np.count_nonzero(rows[:, winners] >> ours & 1))

    with progress_bar(from_there.number, 0, machine.progress, from_there.unit) as bar:
        run = carry_out(from_there, engine=machine.engine, threads=machine.threads, keep_rows=count, progress=bar)
    if run.stopped == "interrupted":
        raise KeyboardInterrupt
    return proportion(won, run.done)
