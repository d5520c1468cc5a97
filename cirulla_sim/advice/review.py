"""Hands of a record judged by the coach: what each play lost, and what margins are made of, in total too.

In a game the deal passes on, and with it everybody's seat. Players and sides are named by where they sat at first, if
the record is of a game; in hands that are no game, and in one hand alone, by where they sit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, ClassVar

import polars as pl

from ..core.errors import InputError
from ..engine.hand_record import Record, choice_text
from ..experiments.runner import Execution, Job
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.people import seat_name, side_name
from ..stats.estimates import Z
from ..storage.request import Request
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import empty_row
from .balance import PARTS, total_balance
from .coach import coached, of_seat
from .decision_points import check_record, rules_of

QUANTITIES = {part: f"luck_{part}" if part in ("cards", "knocks") else part for part in ("margin", *PARTS)}
"""What a table calls the parts of a margin."""

DEALT = ("start", "cards", "knocks")
"""Parts that have one standard error together."""


@dataclass(frozen=True, eq=False)
class Played:
    """A hand to be judged: its place in the file, its record, and how often the deal had passed on before it."""

    place: int
    record: Record
    passed: int = 0


@dataclass(frozen=True)
class Review:
    """Hands judged by the coach."""

    judged: Mapping[Played, Record]
    stopped: ClassVar[str] = "hands"
    gaps: ClassVar[tuple[tuple[int, int], ...]] = ()

    @property
    def done(self) -> int:
        return len(self.judged)


@dataclass(frozen=True, eq=False)
class ReviewJob(Job[Review]):
    """A review of hand records, by their places in a file; the request says on how many samples a play."""

    request: Request
    records: Mapping[int, Record]

    schema = "review/2"
    resumable = False

    @property
    def samples(self) -> int:
        return self.request.effort.number or 0

    @property
    def size(self) -> int:
        return len(self.played)

    @cached_property
    def played(self) -> list[Played]:
        """The hands that were not decided at the deal."""
        return [hand for hand in _seated(self.records, self.request.rules.fields) if hand.record["stages"]]

    @cached_property
    def fingerprint(self) -> str:
        return blake2b(json.dumps(list(self.records.items())).encode(), digest_size=8).hexdigest()

    def check(self) -> None:
        if not self.played:
            raise InputError("--record: decided at the deal, there is no play to judge (valid: hands that were played)")

    def advance(self, earlier: Review | None, execution: Execution, on_growth: Callable[[Review], None]) -> Review:
        rules, seed = self.request.rules.fields, self.request.effort.seed or 0
        plays = sum(len(stage["plays"]) for hand in self.played for stage in hand.record["stages"])
        quiet = replace(execution, progress=False)
        with execution.progress_bar(plays, 0, "plays") as bar:
            return Review(
                {
                    hand: turned(rules, hand, coached(hand.record, self.samples, seed, quiet, bar)["coach"])
                    for hand in self.played
                }
            )

    def table(self, state: Review) -> pl.DataFrame:
        total = in_all(self.request.rules.fields, state.judged) if state.done > 1 else None
        return as_table(self.request.rules.fields, state.judged, total)

    def facts(self, state: Review) -> dict[str, Any]:
        return {"samples": self.samples}

    def method_notes(self, state: Review) -> Iterator[str]:
        yield (
            f"Each play judged on {self.samples:_} deals of the cards its player did not see, all playing on as "
            "careful."
        )

    def notes(self, state: Review) -> Iterator[str]:
        for hand, coach in state.judged.items():
            for play in coach["plays"]:
                if play["clear"]:
                    yield f"Hand {hand.place}, play {play['play']}: --at '{play['situation']}'"
        decided = [str(place) for place in self.records if place not in {hand.place for hand in self.played}]
        if decided:
            yield f"Decided at the deal, nothing to judge: hand {', '.join(decided)}."
        if any(hand.passed for hand in self.played):
            person = next(iter(self.records.values()))["person"]
            yours = seat_name(self.request.rules.fields.players, person["first_seat"])
            yield f"Seats and sides are named as they were at first; you were {yours}."


def rules_of_all(records: Mapping[int, Record]) -> RuleSet:
    """The rules that all hands have in common; raises ``InputError`` for a damaged record, and for several rules."""
    first, *others = records
    rules = rules_of(records[first])
    for place in others:
        if rules_of(records[place]).fields != rules.fields:
            raise InputError(
                f"--record: hand {place} is of other rules than hand {first} (valid: hands of one game, or --hand)"
            )
    for record in records.values():
        check_record(record)
    return rules


def _seated(records: Mapping[int, Record], rules: Rules) -> list[Played]:
    """The hands with how often the deal had passed on before each, where several are of one game that says so."""
    passed = [_passed(record, rules) for record in records.values()]
    followed = len(passed) > 1 and None not in passed
    return [
        Played(place, record, (times or 0) if followed else 0)
        for (place, record), times in zip(records.items(), passed, strict=True)
    ]


def _passed(record: Record, rules: Rules) -> int | None:
    """How often the deal has passed on by where the person sits in a game, without whole rounds; None of no game."""
    person = record.get("person")
    if not isinstance(person, dict) or any(type(person.get(name)) is not int for name in ("seat", "first_seat")):
        return None
    return int(person["first_seat"] - person["seat"]) % rules.players


def turned(rules: Rules, hand: Played, coach: Record) -> Record:
    """What the coach says of a hand, seats and sides named by where they sat before the deal had passed on."""

    def named(row: Mapping[str, Any], name: str, number: int) -> Record:
        return {**row, name: (row[name] + hand.passed) % number}

    seats = [named(seat, "seat", rules.players) for seat in coach["seats"]]
    balance = [named(side, "side", rules.sides) for side in coach["balance"]]
    return coach | {
        "plays": [named(play, "seat", rules.players) for play in coach["plays"]],
        "seats": sorted(seats, key=lambda seat: seat["seat"]),
        "balance": sorted(balance, key=lambda side: side["side"]),
    }


def in_all(rules: Rules, judged: Mapping[Played, Record]) -> Record:
    """What the coach says of several hands ``turned``, as of one; there are no events of single stages."""
    samples = next(iter(judged.values()))["samples"]
    plays = [play for coach in judged.values() for play in coach["plays"]]
    balance = []
    for side in range(rules.sides):
        balances = [coach["balance"][side] for coach in judged.values()]
        sat = [(side - hand.passed) % rules.sides for hand in judged]
        balance.append({"side": side, "events": [], **total_balance(rules, balances, sat)})
    seats = [of_seat(seat, plays, samples) for seat in range(rules.players)]
    return {"samples": samples, "plays": [], "seats": seats, "balance": balance}


# ------------------------------------------------------------------------------------------------ the table


def as_table(rules: Rules, judged: Mapping[Played, Record], total: Record | None) -> pl.DataFrame:
    """A row a number: ``hand``, ``stage`` and ``play``, null for all of them, the contract's columns, ``remark`` and
    ``situation``, of a play that was a choice what its player knew as ``--at`` reads it.

    Of each side (``first``... ``dealer``, or ``others`` and ``dealer``) ``margin``, its parts (``QUANTITIES``, see
    ``balance``) and ``dealt``, start, cards and knocks together with the error of these; of each stage, 0 the table,
    the parts but the start. Of each seat (``first``... ``dealer``) ``lost``, and where it had two choices
    ``lost_a_choice``, with the grade for a remark; of each turn that was a choice ``lost``, with the better choice
    where one is certain.
    """
    rows = [row for hand, coach in judged.items() for row in _rows(rules, coach, hand.place)]
    rows += [] if total is None else _rows(rules, total, None)
    front = {"hand": pl.Int64, "stage": pl.Int64, "play": pl.Int64}
    return pl.DataFrame(rows, schema=front | COLUMNS | {"remark": pl.String, "situation": pl.String}, orient="row")


def _rows(rules: Rules, coach: Record, hand: int | None) -> list[dict[str, Any]]:
    rows = []
    for side in coach["balance"]:
        who = side_name(rules.players, rules.sides, side["side"])
        rows += [_part(hand, None, who, QUANTITIES[name], side[name]) for name in QUANTITIES]
        dealt = round(sum(side[name] for name in DEALT), 2)
        rows.append(_part(hand, None, who, "dealt", dealt) | _error(dealt, side["luck_error"]))
        rows += [
            _part(hand, event["stage"], who, QUANTITIES[name], event[name])
            for event in side["events"] for name in PARTS[1:]
        ]  # fmt: skip
    for play in coach["plays"]:
        if play["choices"] > 1:
            row = _lost(hand, seat_name(rules.players, play["seat"]), "lost", "play", play, coach["samples"])
            better = choice_text(play["best"]) if play["clear"] else None
            of_play = {"stage": play["stage"], "play": play["play"], "remark": better}
            rows.append(row | of_play | {"situation": play["situation"]})
    for seat in coach["seats"]:
        who = seat_name(rules.players, seat["seat"])
        rows.append(_lost(hand, who, "lost", "hand", seat, coach["samples"]))
        if seat["rate"]:
            row = _lost(hand, who, "lost_a_choice", "choice", seat["rate"], seat["choices"])
            rows.append(row | {"remark": seat["grade"]})
    return rows


def _part(hand: int | None, stage: int | None, who: str, name: str, value: float) -> dict[str, Any]:
    of_what = {"quantity": name, "per": "hand" if stage is None else "stage", "side": who, "kind": "part"}
    where = {"hand": hand, "stage": stage, "play": None, "remark": None, "situation": None}
    return empty_row() | where | of_what | {"estimate": value}


def _error(value: float, half: float) -> dict[str, Any]:
    return {"std_error": half / Z, "ci_low": value - half, "ci_high": value + half}


def _lost(
    hand: int | None, who: str, name: str, per: str, loss: Mapping[str, float], number: int
) -> dict[str, Any]:  # fmt: skip
    error = (loss["ci_high"] - loss["ci_low"]) / 2
    of_what = {"per": per, "kind": "difference" if per == "play" else "mean", "n": number if error else None}
    return _part(hand, None, who, name, loss["loss"]) | of_what | _error(loss["loss"], error)
