"""One hand shown play by play."""

from __future__ import annotations

from ..advice.coach import SAMPLES, coach_record
from ..advice.decision_points import is_as_dealt, read_record
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.hand_record import hand_record
from ..engine.trials import Experiment
from ..reporting.text.plays import Hand
from .bind import bind, deal_constraints
from .options import Arguments

OF_THE_RECORD = ("rules", "players", "house", "rule", "policy", "at", "me")
"""Arguments that a record replaces."""


def run(given: Arguments) -> Hand:
    """The hand; raises ``InputError`` for arguments that do not go together."""
    arguments = bind(given)
    samples, note = arguments["samples"], None
    if samples is not None and not arguments["coach"]:
        raise InputError("--samples {samples!r} goes with --coach (leave it out, or give --coach)", samples)
    if arguments["record"] is not None:
        arguments.check_unset(OF_THE_RECORD, Message("cannot be combined with --record (leave it out)"))
        played = read_record(arguments["record"], arguments["number"])
        if not is_as_dealt(played):
            text = "These are not the cards of seed {seed}, hand {hand}: some were known, or the record was changed."
            note = Message(text, played["seed"], played["hand"])
    elif arguments.recorded is not None:
        played = arguments.recorded.record
    else:
        chosen = arguments.rules
        policies = arguments.line_ups[0].by_side(chosen.fields)
        constraints = deal_constraints(arguments.situation, chosen.fields)
        experiment = Experiment(chosen.fields, policies, 1, arguments["seed"], constraints=constraints)
        played = hand_record(experiment, arguments["number"], chosen.preset)
    if arguments["coach"]:
        played = coach_record(played, samples or SAMPLES, arguments["seed"], arguments.execution())
    return Hand(played, note)
