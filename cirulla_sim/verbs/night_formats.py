"""``compare`` of nights: formats of a tournament night side by side, the same pairs in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.engines import Run
from ..engine.policies import USUAL
from ..experiments.comparison import Comparison
from ..experiments.nights import compared_nights, format_remarks, formats_compared
from ..experiments.runner import TrialsJob
from ..situation.line_up import ALL
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, Night, is_night
from ..situation.notation import Situation
from ..storage.request import Request
from .bind import Bound

USUAL_NUMBER = 20_000
"""Nights to play unless ``--hands`` says how many."""

PRECISION_OF = "wins_night"
"""What a precision is of by default."""

_ELSEWHERE = ("house", "all_houses", "games", "unpaired")
"""Arguments of ``compare`` that are about rule sets."""


def are_nights(at: object, against: Sequence[object]) -> bool:
    """Whether nights are compared; raises ``InputError`` for one that ``--at`` does not go with."""
    if is_night(at):
        return True
    for text in filter(is_night, against):
        raise InputError(
            '--against {text!r} requires --at with a night of the same pairs (add: --at "night: ...")', text
        )
    return False


def formats_request(arguments: Bound, against: Sequence[object], **rules: Any) -> Request:
    """The request to compare nights; ``rules`` are the parts of the question about these.

    Raises ``InputError`` for arguments that do not go together.
    """
    arguments.check_unset(
        _ELSEWHERE, Message("cannot be combined with nights (leave it out; valid: --rules, --rule, --players)")
    )
    first = _night(arguments)
    if not against:
        raise InputError(
            "--at {at!r}: nothing to compare with (add: --against {example})", arguments["at"], _example(first)
        )
    default = _default(arguments)
    formats = {first.format_text(): first}
    for text in against:
        night = _rival(text, first, default)
        if (name := night.format_text()) in formats:
            raise InputError("--against {text!r}: {name!r} is compared already (name another format)", text, name)
        formats[name] = night
    _, *others = formats.values()
    request = arguments.request(
        arguments.effort(number=arguments["hands"] or USUAL_NUMBER), **rules,
        against=[str(Situation(night=night)) for night in others],
    )  # fmt: skip
    return replace(request, line_ups=request.line_ups if None in first.pairs else ())


def _night(arguments: Bound) -> Night:
    """The night of ``--at``."""
    assert arguments.situation is not None
    assert arguments.situation.night is not None
    return arguments.situation.night


def _default(arguments: Bound) -> str:
    """The policy of the pairs that have none."""
    first, *others = arguments.line_ups
    if others:
        raise InputError("--policy {policy!r}: pairs have policies in the night (valid: one policy)", others[0])
    (place, policy), *_ = first.policies
    if place != ALL:
        raise InputError("--policy {first!r}: pairs have policies in the night (valid: one policy, as careful)", first)
    if policy != USUAL and None not in _night(arguments).pairs:
        raise InputError("--policy {policy!r}: every pair of --at has a policy (leave one of them out)", policy)
    return policy


def _rival(text: object, first: Night, default: str) -> Night:
    """A night of ``--against``."""
    if not is_night(text):
        raise InputError(
            "--against {text!r} cannot be compared with a night (valid: the same pairs in another format, as "
            "{example})",
            text, _example(first),
        )  # fmt: skip
    night = Night.parse(str(text).partition(":")[2].strip("; "), "--against")
    if night.policies(default) != first.policies(default):
        raise InputError(
            "--against {text!r}: its pairs are not those of --at (valid: {pairs!r}, in another format)",
            text, first.pairs_text(),
        )  # fmt: skip
    return night


def _example(first: Night) -> str:
    """The same pairs in another format, as the words of an option."""
    other = KNOCK_OUT if first.format != KNOCK_OUT else ALL_PLAY_ALL
    return f"'night: {first.pairs_text()}, {other}, {first.hands} hand{'s' * (first.hands > 1)} a round'"


# ------------------------------------------------------------------------------------------------ the job


class NightsJob(TrialsJob):
    """Nights played in every format."""

    trials: Comparison
    schema, free, trials_called = "compare-nights/2", frozenset({"players", "rule"}), "nights"

    def rows(self, run: Run) -> pl.DataFrame:
        return compared_nights(run)

    def precise(self, frame: pl.DataFrame, quantity: str) -> pl.DataFrame:
        return frame.filter(quantity=quantity, kind="difference")

    def quantities(self, distributions: bool) -> Sequence[str]:
        return [quantity.name for quantity in self.trials.measures.quantities]

    def facts(self, state: Run) -> dict[str, Any]:
        return super().facts(state) | {"trials": "nights"}

    def notes(self, state: Run) -> Iterator[str]:
        yield from format_remarks(self.trials)
        yield from super().notes(state)


def formats_job(request: Request) -> NightsJob:
    """The job of a request; raises ``InputError`` for nights that cannot be compared or played."""
    default = request.line_ups[0].policies[0][1] if request.line_ups else USUAL
    first = Situation.parse(request.situation["at"]).night
    assert first is not None
    nights = (first, *(_rival(text, first, default) for text in request.question.get("against", ())))
    formats = {night.format_text(): night for night in nights}
    effort = request.effort
    trials = formats_compared(
        request.rules.fields, formats, first.policies(default), effort.number or 1, effort.seed or 0, effort.first
    )
    return NightsJob(request, trials)
