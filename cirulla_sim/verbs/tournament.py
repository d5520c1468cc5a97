"""Policies against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from ..core.arguments import exclude, several, text_of
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import check_playable
from ..engine.trials import fingerprint
from ..experiments.checkpoints import Checkpoint, gap_texts, gaps_between, pack
from ..experiments.runner import Execution, Job, carry_out, resume_remark
from ..experiments.tournament import (
    Plan,
    PlayedPairings,
    all_pairs,
    arrangements,
    ladder,
    play_all,
    result_table,
    seconds_a_hand,
)
from ..reporting.result import Result
from ..reporting.text.plays import grade_text
from ..situation.constraints import DealConstraints
from ..situation.line_up import LineUp
from ..stats.sequential import FIRST_LOOK, Sequential
from ..storage.request import Request
from .bind import bind, deal_constraints
from .options import Arguments

DELTA = 0.1
"""Points a hand that matter, where a pairing stops when it is decided; files of version 1 may name others."""

SCORE_TYPE = "<i2"
SCORES = "cirulla_sim_scores_{}"
"""Where a file stores the scores of each pairing by deal, about 3 bytes a deal of two sides: games are counted from
deals in their order, so that sums are not enough to resume from."""


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    policies = _policies(given["policy"]) or ladder()
    arguments = bind(replace(given, values={**given.values, "policy": policies}))
    exclude("--first-hand", arguments["first_hand"], until_decided=arguments["until_decided"])
    return Result.of(carry_out(job_of(arguments.request(arguments.effort())), arguments.execution()))


def _policies(given: Any) -> list[str]:
    """The names of some policies; raises ``InputError`` for a line-up by side, and for several names in one text."""
    values = several(given, "--policy")
    names = [str(value) if isinstance(value, LineUp) else text_of("--policy", value) for value in values]
    for name in names:
        if "=" in name:
            raise InputError("--policy {name!r}: a tournament seats each policy on every side (valid: as greedy)", name)
        if "," in name:
            right = " ".join(f"--policy {part.strip()}" for part in name.split(","))
            raise InputError("--policy {name!r} names several policies: did you mean {right!r}?", name, right)
    return names


def job_of(request: Request) -> TournamentJob:
    """The job of a request; raises ``InputError`` for fewer than two policies and for those that cannot play.

    And for the request of a file of version 2.0 whose scores are luck-adjusted too, which are no longer read.
    """
    if request.question.get("luck"):
        raise InputError(
            "files with luck-adjusted margins cannot be merged by this version (valid: the version that wrote them)"
        )
    rules, effort, question = request.rules.fields, request.effort, request.question
    names = tuple(name for line_up in request.line_ups for name in line_up.names)
    constraints = deal_constraints(request.situation.get("at"), rules)
    test = Sequential(question.get("delta", DELTA)) if question.get("until_decided") else None
    plan = Plan(rules, names, effort.number or 0, effort.seed or 0, effort.first, constraints, test)
    return TournamentJob(request, plan)


@dataclass(frozen=True, eq=False)
class TournamentJob(Job[PlayedPairings]):
    """A tournament to be carried out."""

    request: Request
    plan: Plan

    schema = "tournament/2"
    free = frozenset({"until_decided", "delta"})

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(*(self.plan.experiment((policy,)) for policy in self.plan.policies))

    @property
    def constraints(self) -> DealConstraints | None:  # type: ignore[override]
        return self.plan.constraints

    @cached_property
    def costs(self) -> dict[str, float]:
        """Seconds a hand by policy, measured."""
        return {policy: seconds_a_hand(self.plan.rules, policy) for policy in self.plan.policies}

    def seconds_at(self, seconds: Mapping[str, float]) -> float:
        sides, pairs = self.plan.rules.sides, all_pairs(self.plan.policies)
        hands = {pair: self.plan.hands * len(arrangements(sides, *pair)) for pair in pairs}
        return sum(number * sum(seconds.get(name, 0) for name in pair) / 2 for pair, number in hands.items())

    def check(self) -> None:
        if self.plan.test is not None and self.plan.hands < FIRST_LOOK:
            raise InputError(
                "--until-decided requires {least} deals or more (valid: --hands {least} or more)", FIRST_LOOK
            )
        for policy in self.plan.policies:
            check_playable(self.plan.experiment((policy,)))

    def load(self, files: Sequence[Checkpoint]) -> PlayedPairings:
        """The scores of the first deals of each pairing that files hold, one after another.

        Raises ``InputError`` that names what differs from the plan, and for deals that are held twice or missing
        between.
        """
        plan, unit = self.plan, self.unit
        held = [(span, file) for file in files for span in file.spans(unit)]
        held.sort(key=lambda pair: pair[0])
        if gaps := gaps_between([span for span, _ in held], unit, plan.first, plan.hands):
            raise InputError(
                "hands {gaps} are in no file, and games are counted from hands in their order (play them "
                "with --first-hand {first})",
                gap_texts(gaps), gaps[0][0],
            )  # fmt: skip
        scores, sides = {}, plan.rules.sides
        for number, pair in enumerate(all_pairs(plan.policies)):
            shape, name = (len(arrangements(sides, *pair)), sides + 2, -1), SCORES.format(number)
            lengths = [span.end - span.start for span, _ in held]
            parts = [file.numbers(name, SCORE_TYPE, shape) for _, file in held]
            if len(files) > 1 and [part.shape[-1] for part in parts] != lengths:
                raise InputError(
                    "pairings of these files have played other deals (valid: files whose pairings played all)"
                )
            scores[pair] = np.concatenate(parts, axis=-1).transpose(2, 0, 1)
        return PlayedPairings(scores, dict.fromkeys(scores), "interrupted")

    def advance(
        self, earlier: PlayedPairings | None, execution: Execution, on_growth: Callable[[PlayedPairings], None]
    ) -> PlayedPairings:
        played = play_all(self.plan, self.costs, execution, None if earlier is None else earlier.scores, on_growth)
        on_growth(replace(played, stopped="interrupted"))
        return played

    def table(self, state: PlayedPairings) -> pl.DataFrame:
        return result_table(self.plan, state)

    def draft(self, state: PlayedPairings) -> pl.DataFrame:
        return result_table(self.plan, state, games=False)

    def stored(self, state: PlayedPairings, final: bool) -> dict[str, str]:
        """The scores of each pairing, with the deals last, which packs best."""
        packed = (pack(scores.transpose(1, 2, 0), SCORE_TYPE, not final) for scores in state.scores.values())
        return {SCORES.format(number): text for number, text in enumerate(packed)}

    def facts(self, state: PlayedPairings) -> dict[str, Any]:
        """What the sequential test decided of each pairing."""
        if self.plan.test is None:
            return {}
        verdicts = [
            {
                "policy": policy,
                "opponent": opponent,
                "verdict": (verdict := state.verdicts[policy, opponent]),
                "hands": len(scores),
                "intervals": "any stop" if verdict else "fixed",
            }
            for (policy, opponent), scores in state.scores.items()
        ]
        return {"test": asdict(self.plan.test), "verdicts": verdicts}

    def missed(self, state: PlayedPairings) -> bool:
        """Whether a pairing is not decided."""
        return self.plan.test is not None and state.stopped == self.unit

    def resumed(self, earlier: PlayedPairings, state: PlayedPairings) -> str:
        played = any(len(scores) > len(earlier.scores[pair]) for pair, scores in state.scores.items())
        return resume_remark(earlier.least if played else state.done, state.done, self.unit)

    def method_notes(self, state: PlayedPairings) -> Iterator[str]:
        costs = ((name, 1e6 * seconds / self.plan.rules.sides) for name, seconds in self.costs.items())
        each = [
            Message("{name} {cost:.0f}", name, cost) if cost >= 10 else Message("{name} {cost:.2g}", name, cost)
            for name, cost in costs
        ]
        yield Message("Cost in microseconds a hand and side: {each} (measured now, on this machine).", each)
        if any(state.verdicts.values()):
            yield Message("Intervals of decided pairings, of strengths and of the gaps between them hold at any stop.")

    def notes(self, state: PlayedPairings) -> Iterator[str]:
        if self.missed(state):
            undecided = [pair for pair, verdict in state.verdicts.items() if verdict is None]
            pairs = [Message("{first} and {other}", *map(grade_text, pair)) for pair in undecided]
            yield Message("Not decided in {deals:,} deals: {pairs}.", self.size, pairs)
