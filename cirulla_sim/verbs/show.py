"""One hand shown play by play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..advice.coach import SAMPLES, coached
from ..advice.decision_points import check_record, read_record
from ..advice.situations import turn_of
from ..core.arguments import public
from ..core.errors import InputError
from ..engine.hand_record import Hand, hand_record
from ..engine.trials import Experiment
from ..questions.known_deals import known_deal
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp
from ..situation.notation import SituationValue
from ..situation.positions import situation_of
from .bind import bind, check_unset

OF_THE_RECORD = ("rules", "players", "house", "rule", "policy", "at", "me")
"""Arguments that a record replaces."""


@public
def hand(
    rules: str | Path | Rules | RuleSet = "cirulla",
    number: int | str = 0,
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    at: SituationValue | None = None,
    me: str | None = None,
    policy: str | LineUp | Sequence[str | LineUp] = "careful",
    seed: int | str = 1,
    coach: bool = False,
    samples: int | str | None = None,
    threads: int | str | None = None,
    record: str | Path | None = None,
) -> Hand:
    """Play one hand by its number: the one that ``simulate`` plays under the same rules, line-up and seed.

    With the situation of a run (``at``) it is that run's hand; ``at="FILE#HAND.PLAY"`` is a hand of a file. The value
    shows it play by play; its ``record`` is the hand as data. With ``coach`` each play is judged by what its player
    knew, on so many ``samples`` (1,000 by default). With the file of a ``record`` nothing is played: ``number`` is the
    place of a hand in the file.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> hand("cirulla", 3, policy="greedy")
    <hand 3 of seed 1: cirulla, 4 players, 20 to 10>
    """
    arguments = bind("show", locals())
    if samples is not None and not coach:
        raise InputError(f"--samples '{samples}' goes with --coach (leave it out, or give --coach)")
    if record is not None:
        check_unset("show", arguments.values, OF_THE_RECORD, "cannot be combined with --record (leave it out)")
        played = read_record(Path(record), arguments["number"])
        check_record(played)
    elif arguments.recorded is not None:
        played = arguments.recorded.record
        check_record(played)
    else:
        chosen = arguments.rules
        policies = arguments.line_ups[0].by_side(chosen.fields)
        constraints = known_deal(arguments.situation, chosen.fields)
        experiment = Experiment(chosen.fields, policies, 1, arguments["seed"], constraints=constraints)
        played = hand_record(experiment, arguments["number"], chosen.preset)
    return Hand(coached(played, arguments["samples"] or SAMPLES, arguments["seed"], arguments.execution()) if coach
                else played)  # fmt: skip


def situation_before(played: Hand, play: int) -> str:
    """What the player to play knew before a play of a hand, from 1, as ``--at`` reads it; raises ``InputError``."""
    return str(situation_of(turn_of(played.record, play, "--play").moment.information()))
