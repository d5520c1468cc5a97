"""A hint: what each choice of the player whose turn it is in a game is worth."""

from __future__ import annotations

from dataclasses import replace

from ..engine.policies import USUAL
from ..experiments.progress import Watch
from ..experiments.runner import NOBODY, ON_THREADS, carry_out
from ..reporting.result import Result
from ..situation.line_up import ALL, LineUp
from ..storage.request import Effort, Request
from .advice_job import AdviceJob
from .game import Game
from .judge import Problem

HINT_SECONDS = 2.0


def hint(game: Game, watch: Watch = NOBODY) -> Result:
    """Advice on the choice to be made, by what the player knows, within ``HINT_SECONDS``.

    Raises ``InputError`` when the game is over.
    """
    request = Request("advise", game.setup.rule_set, (LineUp(((ALL, USUAL),)),), effort=Effort("samples"))
    job = AdviceJob(request, Problem((game.information(),)), HINT_SECONDS)
    return carry_out(job, replace(ON_THREADS, watch=watch))
