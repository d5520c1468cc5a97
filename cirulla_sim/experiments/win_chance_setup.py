"""What chances to win are asked of: who plays by which rules, how much is played, and what a file says of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from ..core.errors import InputError
from ..core.version import VERSION
from ..engine.chunks import by_side
from ..engine.engines import Folded, fold
from ..engine.policies import USUAL
from ..engine.trials import Experiment, Trials
from ..exact.constrained import deal_metadata, deal_remarks, deal_words
from ..ruleset.presets import command_words
from ..ruleset.rules_model import Rules
from ..situation.constraints import Known
from .expectancy import Brought, Expectancy, either_deals, solved_by
from .progress import progress_bar
from .runner import players_line, which

A = TypeVar("A", bound=Any)
"""What adds up."""


@dataclass(frozen=True)
class Setting:
    """Who plays by which rules, and how much is simulated: hands to measure points by, or games to play out.

    The next hand has the cards ``known``; the dealer of it is called ``me`` there. ``first`` is the number of the first
    hand, or game.

    ``policies`` is one for all or one a side, ours first. Raises ``InputError`` as ``Experiment`` does.
    """

    rules: Rules
    preset: str = "cirulla"
    policies: tuple[str, ...] = (USUAL,)
    hands: int = 1_000_000
    games: int = 100_000
    seed: int = 1
    known: Known | None = None
    first: int = 0

    def __post_init__(self) -> None:
        Experiment(self.rules, self.policies, self.hands, self.seed, known=self.known)

    def dealt(self) -> tuple[Experiment, ...]:
        """The hands to measure points by; raises ``InputError`` for rules without a chain of scores."""
        return either_deals(self.rules, self.policies, self.hands, self.seed, self.known, self.first)

    def chances(self, found: Folded[Brought], so_far: bool) -> Expectancy | None:
        """The chances that hands played make; None where those played ``so_far`` tell nothing yet.

        Raises ``InputError`` where all of them tell nothing.
        """
        if not found.done:
            return None
        try:
            return solved_by(self.rules, self.policies, self.seed, found, self.known is not None)
        except InputError:
            if not so_far:
                raise
            return None


@dataclass(frozen=True)
class Machine:
    """How it is carried out, which changes nothing in the result."""

    engine: str = "threads"
    threads: int | None = None
    progress: bool = False

    def carry_out(
        self, trials: Trials, play: Callable[[int, int], tuple[A, Any]], start: Folded[A],
        grown: Callable[[Folded[A]], None] | None = None,
    ) -> Folded[A]:  # fmt: skip
        """What ``play`` makes of some trials, after those of ``start``; ``grown`` hears of it on the way."""
        with progress_bar(trials.number, start.done, self.progress, trials.unit) as bar:
            return fold(
                play, start, trials.number, first=trials.first, unit=trials.unit, engine=self.engine,
                threads=self.threads, most=trials.chunk, progress=bar, grown=grown,
            )  # fmt: skip


THIS = Machine()
"""This one, on all its threads."""


def metadata(
    setting: Setting, asked: Sequence[str], schema: str, trials: Trials, found: Folded[Any], mark: str
) -> dict[str, Any]:
    """How a table of chances was made: the contract's object for the file.

    ``asked`` are the words that ask for it, ``found`` what came of the ``trials`` so far, and ``mark`` their
    fingerprint.
    """
    words = ["cirulla-sim", "games", *command_words(setting.rules, setting.preset), "--policy"]
    words += [",".join(setting.policies), *asked, *deal_words(setting.known)]
    words += [*trials.asked_for, "--seed", str(setting.seed)]
    return {
        "version": VERSION,
        "command": shlex.join(words),
        "preset": setting.preset,
        "rules": asdict(setting.rules),
        "policies": list(by_side(setting.rules, setting.policies)),
        "players": setting.rules.players,
        "seed": setting.seed,
        trials.unit: found.done,
        **which(trials.first, found.gaps),
        "stopped": found.stopped,
        "schema": schema,
        "fingerprint": mark,
        **deal_metadata(setting.known, setting.rules),
    }


def remarks(setting: Setting) -> list[str]:
    """For whom chances hold, and what is known of the next hand."""
    return [players_line([",".join(setting.policies)]), *deal_remarks(setting.known, setting.rules)]
