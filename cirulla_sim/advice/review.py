"""Hands of a record gone through with the coach: what each play lost, and what margins are made of, in all too.

In a game the deal passes on, and with it everybody's seat. So players and sides are called by where they sat at first,
as the record of a game tells; of hands that are no game, and of one hand alone, by where they sit.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..core.version import VERSION
from ..engine.engines import ending_raises
from ..engine.hand_record import Record, coach_lines
from ..experiments.progress import progress_bar
from ..reporting.result import Result
from ..ruleset.rules_model import Rules
from ..stats.estimates import Z
from ..storage.atomic_files import whole_file
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import empty_row, write_part
from .balance import PARTS, added_up
from .coach import coached, of_seat
from .decision_points import check_record, rules_of

SCHEMA = "review/2"

QUANTITIES = {part: f"luck_{part}" if part in ("cards", "knocks") else part for part in ("margin", *PARTS)}
"""What a table calls the parts of a margin."""

DEALT = ("start", "cards", "knocks")
"""Those that are known with one error."""


@dataclass(frozen=True, eq=False)
class Played:
    """A hand to be gone through: its place in the file, its record, and how often the deal had passed on before it."""

    place: int
    record: Record
    passed: int = 0


def review(
    records: Mapping[int, Record], said: Sequence[str], samples: int, seed: int, *,
    threads: int | None = None, output: Path | None = None, progress: bool = True,
) -> Result:  # fmt: skip
    """The result of judging hands, by their places in a file; ``said`` are the words of the command that name them.

    Raises ``InputError`` for a record that cannot be, hands of several rules, and where nothing was played.
    """
    for record in records.values():
        check_record(record)
    rules, preset = _rules_of_all(records)
    played = [hand for hand in _seated(records, rules) if hand.record["stages"]]
    if not played:
        raise InputError("--record: decided at the deal, there is no play to judge (valid: hands that were played)")
    plays = sum(len(stage["plays"]) for hand in played for stage in hand.record["stages"])
    with (
        ending_raises(),
        nullcontext() if output is None else whole_file(output) as part,
        progress_bar(plays, 0, progress, "plays") as bar,
    ):
        judged = {
            hand: turned(rules, hand, coached(hand.record, samples, seed, threads=threads, progress=bar)["coach"])
            for hand in played
        }
        total = in_all(rules, judged) if len(judged) > 1 else None
        frame = as_table(judged, total)
        made = _metadata(rules, preset, said, len(judged), samples, seed)
        if part is not None:
            write_part(frame, part, made)
    lines = _remarks(records, played, samples) + ([f"Written: {output}"] if output is not None else [])
    shown = coach_lines(total or next(iter(judged.values())))
    return Result(frame, made, "\n".join(shown), tuple(lines))


def _rules_of_all(records: Mapping[int, Record]) -> tuple[Rules, str]:
    first, *others = records
    found = rules_of(records[first])
    for place in others:
        if rules_of(records[place])[0] != found[0]:
            raise InputError(
                f"--record: hand {place} is of other rules than hand {first} (valid: hands of one game, or --hand)"
            )
    return found


def _seated(records: Mapping[int, Record], rules: Rules) -> list[Played]:
    """The hands with how often the deal had passed on before each, where several are of a game and tell it."""
    passed = [_passed(record, rules) for record in records.values()]
    followed = len(passed) > 1 and None not in passed
    return [
        Played(place, record, (often or 0) if followed else 0)
        for (place, record), often in zip(records.items(), passed, strict=True)
    ]


def _passed(record: Record, rules: Rules) -> int | None:
    """How often the deal has passed on by where the person sits in a game, but for whole rounds; None of no game."""
    person = record.get("person")
    if not isinstance(person, dict) or any(type(person.get(name)) is not int for name in ("seat", "first_seat")):
        return None
    return int(person["first_seat"] - person["seat"]) % rules.players


def turned(rules: Rules, hand: Played, coach: Record) -> Record:
    """What the coach says of a hand, seats and sides called by where they sat before the deal had passed on."""

    def called(told: Mapping[str, Any], name: str, of: int) -> Record:
        return {**told, name: (told[name] + hand.passed) % of}

    seats = [called(seat, "seat", rules.players) for seat in coach["seats"]]
    balance = [called(side, "side", rules.sides) for side in coach["balance"]]
    return coach | {
        "plays": [called(play, "seat", rules.players) for play in coach["plays"]],
        "seats": sorted(seats, key=lambda seat: seat["seat"]),
        "balance": sorted(balance, key=lambda side: side["side"]),
    }


def in_all(rules: Rules, judged: Mapping[Played, Record]) -> Record:
    """What the coach says of several hands ``turned``, as of one: events of a balance are the hands, plays tell it."""
    samples = next(iter(judged.values()))["samples"]
    plays = [play | {"hand": hand.place} for hand, coach in judged.items() for play in coach["plays"]]
    balance = []
    for side in range(rules.sides):
        found = {hand.place: coach["balance"][side] for hand, coach in judged.items()}
        sat = [(side - hand.passed) % rules.sides for hand in judged]
        balance.append({"side": side, **added_up(rules, found, sat)})
    seats = [of_seat(seat, plays, samples) for seat in range(rules.players)]
    return {"samples": samples, "plays": plays, "seats": seats, "balance": balance}


# ------------------------------------------------------------------------------------------------ the table


def as_table(judged: Mapping[Played, Record], total: Record | None) -> pl.DataFrame:
    """A row a number: ``hand``, ``stage`` and ``play``, null for all of them, the contract's columns, and ``remark``.

    Of each side (``side0``...) ``margin``, its parts (``QUANTITIES``, see ``balance``) and ``dealt``, start, cards and
    knocks together with the error of these; of each stage, 0 the table, the parts but the start. Of each seat
    (``seat0``...) ``lost``, and where it had two choices ``lost_a_choice``, with the grade for a remark; of each play
    that was a choice ``lost``, with the better play where one is certain.
    """
    rows = [row for hand, coach in judged.items() for row in _rows(coach, hand.place)]
    rows += [] if total is None else _rows(total | {"plays": []}, None)
    front = {"hand": pl.Int64, "stage": pl.Int64, "play": pl.Int64}
    return pl.DataFrame(rows, schema=front | COLUMNS | {"remark": pl.String}, orient="row")


def _rows(coach: Record, hand: int | None) -> list[dict[str, Any]]:
    rows = []
    for side in coach["balance"]:
        who = f"side{side['side']}"
        rows += [_part(hand, None, who, QUANTITIES[name], side[name]) for name in QUANTITIES]
        dealt = round(sum(side[name] for name in DEALT), 2)
        rows.append(_part(hand, None, who, "dealt", dealt) | _error(dealt, side["luck_error"]))
        rows += [
            _part(hand, event["stage"], who, QUANTITIES[name], event[name])
            for event in side["events"] if "stage" in event for name in PARTS[1:]
        ]  # fmt: skip
    for play in coach["plays"]:
        if play["choices"] > 1:
            row = _lost(hand, f"seat{play['seat']}", "lost", "play", play, coach["samples"])
            better = _better(play["best"]) if play["clear"] else None
            rows.append(row | {"stage": play["stage"], "play": play["play"], "remark": better})
    for seat in coach["seats"]:
        who = f"seat{seat['seat']}"
        rows.append(_lost(hand, who, "lost", "hand", seat, coach["samples"]))
        if seat["rate"]:
            row = _lost(hand, who, "lost_a_choice", "choice", seat["rate"], seat["choices"])
            rows.append(row | {"remark": seat["grade"]})
    return rows


def _part(hand: int | None, stage: int | None, who: str, name: str, value: float) -> dict[str, Any]:
    told = {"quantity": name, "per": "hand" if stage is None else "stage", "side": who, "kind": "part"}
    return {"hand": hand, "stage": stage, "play": None, **empty_row(), **told, "estimate": value, "remark": None}


def _error(value: float, half: float) -> dict[str, Any]:
    return {"std_error": half / Z, "ci_low": value - half, "ci_high": value + half}


def _lost(
    hand: int | None, who: str, name: str, per: str, found: Mapping[str, float], number: int
) -> dict[str, Any]:  # fmt: skip
    error = (found["ci_high"] - found["ci_low"]) / 2
    told = {"per": per, "kind": "difference" if per == "play" else "mean", "n": number if error else None}
    return _part(hand, None, who, name, found["loss"]) | told | _error(found["loss"], error)


def _better(best: Mapping[str, Any]) -> str:
    """A play of the coach as ``positions.in_words`` has it."""
    got = " ".join(best["captured"])
    return f"{best['card']} takes {got}" if got else f"leave {best['card']}"


def _metadata(
    rules: Rules, preset: str, said: Sequence[str], hands: int, samples: int, seed: int
) -> dict[str, Any]:  # fmt: skip
    return {
        "version": VERSION,
        "command": shlex.join(
            ["cirulla-sim", "advise", *said, "--samples", str(samples), "--seed", str(seed)]
        ),
        "preset": preset,
        "rules": asdict(rules),
        "policies": [],
        "players": rules.players,
        "seed": seed,
        "hands": hands,
        "samples": samples,
        "stopped": "hands",
        "schema": SCHEMA,
    }  # fmt: skip


def _remarks(records: Mapping[int, Record], played: Sequence[Played], samples: int) -> list[str]:
    """What a reader should know beside the tables."""
    lines = [f"Each play judged on {samples:_} deals of the cards its player did not see, all playing on as careful."]
    decided = [str(place) for place in records if place not in {hand.place for hand in played}]
    if decided:
        lines.append(f"Decided at the deal, nothing to judge: hand {', '.join(decided)}.")
    if any(hand.passed for hand in played):
        person = next(iter(records.values()))["person"]
        lines.append(f"Seats and sides are called as they were at first; yours was seat {person['first_seat']}.")
    return lines
