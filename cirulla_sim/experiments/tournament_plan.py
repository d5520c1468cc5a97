"""A tournament to be played, and what has been played of it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..engine.fingerprint import fingerprint
from ..engine.policies import NAMES as POLICIES
from ..engine.trials import Experiment, asking_words
from ..exact.constrained import deal_words
from ..ruleset.presets import command_words
from ..ruleset.rules_model import Rules
from ..situation.constraints import Known
from .duplicate import Scores
from .sequential import Sequential

SCHEMA = "tournament/2"

SCORES = "cirulla_sim_scores_{}"
"""Where a file keeps the scores of each pairing by deal, about 3 bytes a deal of two sides: games are counted from
hands in their order, so that sums would not do to go on from."""

APART = ("open",)
"""No opponents unless they are named: policies that see hidden cards."""

SIZED = ("search",)
"""Policies that think longer the larger the number after their name, as ``search:64``."""

MIN_HANDS, MAX_HANDS = 1000, 10**7

Pair = tuple[str, str]
Row = dict[str, Any]


def ladder() -> tuple[str, ...]:
    """The policies that compete if none are named: all that play fair, and against anybody."""
    return tuple(name for name in POLICIES if name not in APART)


@dataclass(frozen=True)
class Plan:
    """Which policies meet, over how many deals a pairing, and whether a pairing stops when it is decided.

    With ``luck`` it is told apart from play.

    Raises ``InputError`` for fewer than two policies, one named twice, an unknown one, numbers out of range, and
    ``luck`` with known cards.
    """

    rules: Rules
    policies: tuple[str, ...]
    hands: int = 100_000
    seed: int = 1
    preset: str = "cirulla"
    test: Sequential | None = None
    timed: bool = False
    first: int = 0
    known: Known | None = None
    luck: bool = False

    def __post_init__(self) -> None:
        for number, name in enumerate(self.policies):
            if name in self.policies[:number]:
                raise InputError(f"policy {name!r} is named twice (name each policy once)")
            self.experiment((name,))
        if len(self.policies) < 2:
            named = f"policy {self.policies[0]!r} is" if self.policies else "no policies are"
            raise InputError(f"{named} no tournament (valid: two policies or more, of {', '.join(POLICIES)})")
        if not MIN_HANDS <= self.hands <= MAX_HANDS:
            raise InputError(f"hands '{self.hands}' is not valid (valid: {MIN_HANDS} to {MAX_HANDS:_} deals a pairing)")
        if self.luck and self.known is not None:
            raise InputError("--luck cannot be used with --deal: the cards left are then not all as likely (give one)")

    def experiment(self, policies: tuple[str, ...]) -> Experiment:
        """The hands that some policies play, one for all sides or one a side."""
        return Experiment(self.rules, policies, self.hands, self.seed, self.first, self.known)

    @property
    def kept_as(self) -> str:
        """The type of the scores."""
        return "<i4" if self.luck else "<i2"

    @cached_property
    def fingerprint(self) -> str:
        """What tells whether the hands would still be played the same."""
        return fingerprint(*(self.experiment((policy,)) for policy in self.policies))

    def command(self, output: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it.

        With ``output`` the command that makes that file.
        """
        words = ["cirulla-sim", "tournament", *command_words(self.rules, self.preset)]
        words += deal_words(self.known)
        words += ["--policy", ",".join(self.policies), *asking_words("hands", self.hands, self.first)]
        words += ["--seed", str(self.seed)]
        if self.test is not None:
            words += ["--until-decided", "--delta", f"{self.test.delta:g}"]
        words += ["--luck"] if self.luck else []
        words += ["--timed"] if self.timed else []
        words += ["-o", str(output)] if output is not None else []
        return shlex.join(words)


@dataclass(frozen=True)
class Played:
    """The scores of each pairing (see ``duplicate``), what was decided of it, and why all ended.

    ``stopped`` is ``hands`` (all deals were played), ``decided`` (every pairing was, before that) or ``interrupted``.
    """

    scores: Mapping[Pair, Scores]
    verdicts: Mapping[Pair, str | None]
    stopped: str

    @property
    def hands(self) -> int:
        """The deals of the pairing that has most."""
        return max(map(len, self.scores.values()), default=0)

    @property
    def least(self) -> int:
        """The deals of the pairing that has fewest."""
        return min(map(len, self.scores.values()), default=0)

    @property
    def done(self) -> int:
        """The deals of all pairings."""
        return sum(map(len, self.scores.values()))
