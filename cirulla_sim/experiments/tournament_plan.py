"""A tournament to be played, and what has been played of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..core.errors import InputError
from ..engine.policies import NAMES
from ..engine.trials import Experiment, fingerprint
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..stats.sequential import Sequential
from .duplicate import Scores

APART = ("open",)
"""No opponents unless they are named: policies that see hidden cards."""

MIN_HANDS, MAX_HANDS = 1000, 10**7

Pair = tuple[str, str]


def ladder() -> tuple[str, ...]:
    """The policies that compete if none are named: all that play fair, and against anybody."""
    return tuple(name for name in NAMES if name not in APART)


@dataclass(frozen=True)
class Plan:
    """Which policies meet, on how many deals a pairing, and the ``test`` that ends a pairing when it is decided.

    With ``luck`` there are luck-adjusted margins too.

    Raises ``InputError`` for fewer than two policies, an unknown one, numbers out of range, and ``luck`` with known
    cards.
    """

    rules: Rules
    policies: tuple[str, ...]
    hands: int = 100_000
    seed: int = 1
    first: int = 0
    constraints: DealConstraints | None = None
    luck: bool = False
    test: Sequential | None = None

    def __post_init__(self) -> None:
        for name in self.policies:
            self.experiment((name,))
        if len(self.policies) < 2:
            named = " ".join(map(repr, self.policies))
            raise InputError(f"--policy {named}: a tournament requires at least two policies (of {', '.join(NAMES)})")
        if not MIN_HANDS <= self.hands <= MAX_HANDS:
            raise InputError(f"hands '{self.hands}' is not valid (valid: {MIN_HANDS} to {MAX_HANDS:_} deals a pairing)")
        if self.luck and self.constraints is not None:
            raise InputError(
                "--luck cannot be combined with known cards in --at: the other cards are then not all equally likely"
            )

    def experiment(self, policies: tuple[str, ...]) -> Experiment:
        """The hands that some policies play, one for all sides or one a side."""
        return Experiment(self.rules, policies, self.hands, self.seed, self.first, self.constraints)

    @property
    def score_type(self) -> str:
        """The type of the scores."""
        return "<i4" if self.luck else "<i2"

    @cached_property
    def fingerprint(self) -> str:
        """What tells whether the hands would still be played the same."""
        return fingerprint(*(self.experiment((policy,)) for policy in self.policies))


@dataclass(frozen=True)
class Played:
    """The scores of each pairing (see ``duplicate``), its verdict if it is decided, and why all ended.

    ``stopped`` is ``hands`` (all deals were played), ``decided`` (every pairing was, before that) or ``interrupted``.
    """

    scores: Mapping[Pair, Scores]
    verdicts: Mapping[Pair, str | None]
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()
    """None: games are counted from deals in their order."""

    @property
    def done(self) -> int:
        """The deals of the pairing that has most."""
        return max(map(len, self.scores.values()), default=0)

    @property
    def least(self) -> int:
        """The deals of the pairing that has fewest."""
        return min(map(len, self.scores.values()), default=0)
