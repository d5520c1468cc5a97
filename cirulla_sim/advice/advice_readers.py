"""Advice as a table, a file, and as a player reads it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..core.version import VERSION
from ..engine.chunks import by_side
from ..situation.information_set import in_words
from ..stats.estimates import Estimate
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import empty_row, estimate_row
from .judge import Advice
from .solve import Solution

SCHEMA = "advise/2"


# ------------------------------------------------------------------------------------------------ tables


def as_table(found: Advice) -> pl.DataFrame:
    """A row a play and quantity: ``play``, the contract's columns, ``reason``.

    Quantities are ``margin``, ``wins_game`` (with a score), ``behind`` (what is lost against the best play),
    ``sweep_next`` (all deals equally likely), ``sweep_next_read`` (as likely as the plays of the stage make them, where
    there is something to read), and where hands were played out ``makes_cards``, ``makes_diamonds`` and so on: one's
    own side at the end of the hand.
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
        told += [estimate_row(f"makes_{name}", "hand", "own", "probability", one) for name, one in option.ends.items()]
        if option.sweep is not None:
            chance = float(option.sweep)
            told.append(
                empty_row()
                | {"quantity": "sweep_next", "per": "play", "side": "others", "kind": "probability"}
                | {"estimate": chance, "std_error": 0.0, "ci_low": chance, "ci_high": chance}
                | {"exact": str(option.sweep)}
            )
        if option.read is not None:
            told.append(estimate_row("sweep_next_read", "play", "others", "probability", option.read))
        both = {"play": in_words(option.play), "reason": option.reason}
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
        "version": VERSION,
        "command": shlex.join(words),
        "preset": preset,
        "rules": asdict(rules),
        "policies": [] if exact else list(by_side(rules, policies)),
        "players": rules.players,
        "seed": None if exact else seed,
        "hands": None if exact else found.samples,
        "stopped": _STOPPED.get(found.stopped, found.stopped),
        "schema": SCHEMA,
        **({} if found.now.known is None else {"deal": str(found.now.known)}),
    }


_STOPPED = {"separated": "precision", "forced": "precision", "samples": "hands", "exact": None}
"""What result files call the ends of advice; ``time`` and ``interrupted`` are called so."""


def ends_for_readers(found: Advice) -> pl.DataFrame:
    """What one's own side makes at the end of the hand, in percent, a row a play, the best first.

    Raises ``InputError`` where everything is known: nothing was played out then.
    """
    if not found.options[0].ends:
        raise InputError("--ends: all cards are known and the hand is solved, not played out (leave it out)")
    return pl.DataFrame(
        [
            {"play": in_words(option.play)}
            | {name: _with_half(one, 1, percent=True) for name, one in option.ends.items()}
            for option in found.options
        ]
    )


def for_readers(found: Advice) -> pl.DataFrame:
    """The advice as a player reads it, a row a play, the best first."""
    rows = []
    for option in found.options:
        row = {"play": in_words(option.play), "margin": _with_half(option.margin, 2, signed=True)}
        if option.wins is not None:
            row["wins game"] = _with_half(option.wins, 1, percent=True)
        percent = found.aim == "game"
        row["behind"] = "" if option is found.options[0] else _with_half(option.behind, 2 - percent, percent=percent)
        if option.sweep is not None:
            row["sweep next"] = f"{100 * float(option.sweep):.1f}%" if option.sweep else "0"
        if option.read is not None:
            row["as read"] = _with_half(option.read, 1, percent=True) if option.sweep != 0 else "0"
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
    known = found.now.known
    lines = [] if known is None else [f"Known besides: {known}; the chance of a sweep next is not counted then."]
    lines.append(f"{found.samples:_} samples to the end of the hand; {why}.")
    if any(option.read for option in found.options):
        lines.append(
            f"Cards not seen were dealt as what the others played in this stage ({found.now.read}) makes likely: who "
            "leaves a card seldom holds one that captures, and hardly one that sweeps. 'sweep next' takes all deals "
            "for equally likely, 'as read' does not."
        )
    return lines


def _said_of(solution: Solution, aim: str) -> list[str]:
    end = "of the hand" if solution.settled else f"of the stage, {solution.ahead} plays on"
    told = "exact" if solution.settled else "exact so far; what the piles are expected to be worth then is from tables"
    line = ", ".join(f"seat {seat} {in_words(play)}" for seat, play in solution.line)
    played_for = "points" if aim == "points" else "the game"
    both = f" Margins are for points, chances for the game; the line is played for {played_for}."
    aims = "" if solution.wins is None else both
    return [f"All cards are known, everybody plays their best to the end {end}: {told}.{aims}", f"Best line: {line}."]
