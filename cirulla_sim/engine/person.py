"""A person at the table: a hand played up to the person's next decision.

Only the choices are stored between two decisions: the hand is played again from its start with those so far. It starts
with the deal, or in the middle, with what the person knows there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..situation.information_set import InformationSet
from . import policies
from .chunks import new_notes, prepared, run, workspace
from .hand_record import Record, record_of
from .rest_of_hand import memory_of
from .trials import Experiment


class Decision(NamedTuple):
    """What a person is to choose now, and the hand so far.

    ``view`` is an array of one ``kernel.players.view.VIEW``, what the seat knows; ``offered`` are plays as words, or
    if it is ``to_show`` sets of cards, 0 for none (see ``kernel.game.bonuses.knock_word``). ``record`` has the plays
    so far, and in the last of its ``stages`` no holding but the person's. ``shown`` is the mask of the cards held that
    the person has shown in this stage.
    """

    view: NDArray[Any]
    offered: tuple[int, ...]
    to_show: bool
    record: Record
    shown: int


def play_with_person(
    experiment: Experiment,
    index: int,
    seat: int,
    choices: Sequence[int],
    preset: str = "cirulla",
    begun: InformationSet | None = None,
) -> Decision | Record:
    """Play hand ``index`` with a person at a seat and some choices; returns the next decision, or the whole record.

    A choice is its place among what was offered; a single legal play is no decision. The policy of the person's side
    plays its other seat. With ``begun`` the hand is played on from what the person knows, and that is all its record
    has.

    Raises ``InputError`` for a choice that was not offered, and for more choices than the hand has decisions.
    """
    from ..kernel.players.view import VIEW

    person, work = _played(experiment, index, seat, choices, begun)
    if person.state == 2 or person.replayed < len(choices):
        wrong = choices[int(person.replayed) - (person.state == 2)]
        raise InputError(f"hand {index}: choice {int(person.replayed) + 1}, '{wrong}', was not offered")
    rules = experiment.rules
    record = record_of(work, experiment, index, preset, begun)
    if not person.state:
        return record
    view = np.array(person.information).view(VIEW)
    plays = (40 - rules.table_cards if begun is None else begun.field("plays_left")) - int(view[0]["plays_left"])
    offered, stage = tuple(int(word) for word in person.offered[: int(person.count)]), int(view[0]["stage"])
    shown = int(view[0]["first"][seat])
    if not shown and not (rules.bonus_cards_first and rules.deal_plan[stage] > 3):
        slots = [size // 3 for size in rules.deal_plan]
        knocks = work.knocks[sum(slots[:stage]) : sum(slots[: stage + 1]), seat]  # those offered now are not shown yet
        sets = [int(word) for word in knocks if not (person.to_show and word in offered)]
        shown = sum(word >> 8 & (1 << 40) - 1 for word in sets) & int(view[0]["holding"])
    return Decision(view, offered, bool(person.to_show), _so_far(record, plays, stage, seat), shown)


def styles_after(
    experiment: Experiment, index: int, seat: int, choices: Sequence[int], begun: InformationSet | None = None
) -> policies.Styles:
    """What policies have inferred of each side when the hand is over, see ``play_with_person``."""
    _, work = _played(experiment, index, seat, choices, begun)
    return tuple(tuple(int(weight) for weight in work.styles[side]) for side in range(experiment.rules.sides))


def _played(
    experiment: Experiment, index: int, seat: int, choices: Sequence[int], begun: InformationSet | None
) -> tuple[Any, Any]:
    """The kernel's ``PERSON`` and ``Work`` after a hand."""
    from ..kernel.game.hand import FORCED
    from ..kernel.game.streams import batch

    flat, codes, work = prepared(experiment, in_turn=begun is not None)
    person, streams = _seated(experiment, seat, choices, codes, work), batch(experiment.seed, index, 1)
    if begun is None:
        run(experiment.rules, (flat, codes, streams, work))
        return person, work
    from ..kernel.entries.rest_entry import run_rest
    from ..kernel.game.hand_notes import Notes

    work.options[experiment.rules.side(seat), FORCED] = 0  # the person is asked which sets to show
    plays = np.uint64(begun.number_of_plays)
    run_rest(flat, codes, streams, memory_of(begun), plays, work, Notes(*new_notes(1, ())))
    return person, work


def _seated(experiment: Experiment, seat: int, choices: Sequence[int], codes: NDArray[np.uint64], work: Any) -> Any:
    """Put a person at a seat, whose partner plays by the policy of their side; returns the kernel's ``PERSON``.

    The caller must hold on to it: the kernel has its address.
    """
    from ..kernel.calls import address_of
    from ..kernel.entries import person_entry as compiled
    from ..kernel.entries import plain_entry as plain
    from ..kernel.game import hand as places
    from ..kernel.players.scripted import MOST_CHOICES, new_person
    from ..kernel.players.workspace import policy_signature

    if len(choices) > MOST_CHOICES:
        raise InputError(f"{len(choices)} choices are more than a hand asks for (valid: {MOST_CHOICES} at most)")
    side = experiment.rules.side(seat)
    policy = policies.ready(experiment.side_policies[side])
    array = new_person()
    person = array[0]
    person.seat, person.given = seat, len(choices)
    person.choices[: len(choices)] = choices
    called = policy.code
    if policy.name in policies.INLINED:
        called = address_of(getattr(plain, policy.name), policy_signature)
    person.play, person.knock = called, policy.knocks or address_of(plain.knock, policy_signature)
    codes[side] = work.options[side, places.KNOCKS] = address_of(compiled.policy, policy_signature)
    if not work.asker:
        workspace().prepare(experiment.rules)
        work.asker, work.workspace = policies.kernel_address("ask"), workspace().address
    workspace().record.fault = 0
    workspace().mind.person = array.ctypes.data
    return person


def _so_far(record: Record, plays: int, stage: int, seat: int) -> Record:
    """A record cut after so many plays, in a stage, as a seat may see it."""
    stages = []
    for number, full in enumerate(record["stages"][: stage + 1]):
        played = full["plays"][:plays]
        plays -= len(played)
        hands = full["hands"] if number < stage else [h if s == seat else [] for s, h in enumerate(full["hands"])]
        stages.append({"hands": hands, "plays": played})
    open_fields = ("rules", "players", "dealer", "seed", "hand", "misdeals", "table", "table_bonus")
    return {name: record[name] for name in open_fields} | {"stages": stages}
