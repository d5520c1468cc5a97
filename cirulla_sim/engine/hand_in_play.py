"""A hand played up to the next decision of a caller, who plays one seat or several, or on from what a player knows.

Only the choices are stored between two decisions: the hand is played again from its start with those so far. It starts
with the deal, or in the middle, with what a player knows there. The cards that a player does not see are dealt at
random.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..situation.hand import HandState
from .chunks import deal_hands, new_notes, playing
from .trials import Experiment

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes

from collections.abc import Sequence
from typing import NamedTuple

from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from ..situation.plays import cards_shown
from . import policies
from .chunks import play_batch, prepare_play, workspace
from .hand_record import HandRecord, record_of
from .policies import INLINED
from .user_policies import CalledBack, PolicyCall


class Decision(NamedTuple):
    """What the caller at a seat is to choose now, and the hand so far, with all that is hidden.

    ``offered`` are plays as words, or if it is ``to_show`` sets of cards, 0 for none (see
    ``kernel.game.bonuses.knock_word``). ``record`` has the plays so far, and in the last of its ``stages`` the holdings
    of callers only.
    """

    hand: HandState
    seat: int
    offered: tuple[int, ...]
    to_show: bool
    record: HandRecord


class FinishedHand(NamedTuple):
    """A hand played out: its record, and what policies have inferred of the style of each side."""

    record: HandRecord
    styles: policies.Styles


class _Callers:
    """The seats that a caller plays: the choices so far are repeated, and the next decision is noted."""

    def __init__(
        self,
        experiment: Experiment,
        seats: Collection[int],
        choices: Sequence[int],
        codes: NDArray[np.uint64],
        work: Any,
    ) -> None:
        from ..kernel.game.hand import AT_ONCE, KNOCKS

        rules = experiment.rules
        self._seats, self._choices, self._codes, self._work, self._rules = seats, choices, codes, work, rules
        sides = {rules.side(seat) for seat in seats}
        self._partners = {side: policies.load_deciding(experiment.side_policies[side]) for side in sides}
        """What plays the other seats of their sides."""
        self.called = CalledBack(self.choose)
        """What the kernel asks, for the plays of their sides and for what is shown; it has its address."""
        for side in sides:
            codes[side] = work.options[side, KNOCKS] = self.called.address
            work.options[side, AT_ONCE] = 0
        self.repeated = 0
        self.call: tuple[NDArray[Any], tuple[int, ...], bool] | None = None
        """The next decision: the view, what is offered, whether it is of sets."""
        self.then: Any = None
        """The kernel's ``Work`` at the next decision, a copy."""

    def choose(self, call: PolicyCall) -> int:
        """The place of a choice; after the next decision, and where there is only one, the first."""
        seat = call.seat
        if self.call is not None or call.size == 1:
            return 0
        if seat not in self._seats:
            partner = self._partners[self._rules.side(seat)]
            return call.answer_of(partner.knocks if call.to_show else partner.code)
        if self.repeated < len(self._choices):
            chosen = self._choices[self.repeated]
            if not 0 <= chosen < call.size:
                raise InputError("choice {number}, {chosen!r}, was not offered", self.repeated + 1, chosen)
            self.repeated += 1
            return chosen
        self.call, self.then = (call.view, call.words, call.to_show), self._work.copy()
        self._codes[:] = INLINED.index("random")  # what is played after it has no meaning
        return 0


def play_with_callers(
    experiment: Experiment,
    index: int,
    seats: Collection[int],
    choices: Sequence[int],
    preset: str = "cirulla",
    begun: HandState | None = None,
) -> Decision | FinishedHand:
    """Play hand ``index`` with a caller at some seats and some choices; returns the next decision, or the whole hand.

    A choice is its place among what was offered; a single legal play is no decision. The policy of a caller's side
    plays its other seats. With ``begun`` the hand is played on from what a player knows, and that is all its record
    has.

    Raises ``InputError`` for a choice that was not offered, and for more choices than the hand has decisions.
    """
    from ..kernel.game.streams import batch

    rules = experiment.rules
    flat, codes, work = prepare_play(experiment, in_turn=begun is not None)
    callers, streams = _Callers(experiment, seats, choices, codes, work), batch(experiment.seed, index, 1)
    if not work.asker:
        workspace().prepare(rules)
        work.asker, work.workspace = policies.kernel_address("ask"), workspace().address
    workspace().record.fault = 0
    if begun is None:
        play_batch(rules, (flat, codes, streams, work))
    else:
        from ..kernel.entries.values import run_rest

        plays = np.uint64(begun.number_of_plays)
        run_rest(flat, codes, streams, memory_of(begun, reads=False), plays, work, new_notes(1, ()))
    if isinstance(callers.called.raised, InputError):
        raise InputError("hand {index}: {error}", index, callers.called.raised)
    if callers.called.raised is not None:
        raise callers.called.raised
    if callers.call is None and callers.repeated < len(choices):
        raise InputError(
            "hand {index}: choice {number}, {choice!r}, was not offered",
            index, callers.repeated + 1, choices[callers.repeated],
        )  # fmt: skip
    record = record_of(work, experiment, index, preset, begun)
    if callers.call is None:
        styles = tuple(tuple(int(weight) for weight in work.styles[side]) for side in range(rules.sides))
        return FinishedHand(record, styles)
    view, offered, to_show = callers.call
    begins = 40 - rules.table_cards if begun is None else begun.plays_left
    so_far = _so_far(record, begins - int(view[0]["plays_left"]), int(view[0]["stage"]), seats)
    return Decision(_hand_at(rules, callers.then, view[0], to_show), int(view[0]["seat"]), offered, to_show, so_far)


def _hand_at(rules: Rules, work: Any, view: Any, to_show: bool) -> HandState:
    """The hand at a decision, by the kernel's ``Work`` and what the seat that decides knows then."""

    def numbers(of: Any, number: int) -> tuple[int, ...]:
        return tuple(of[:number].tolist())

    return HandState(
        rules, int(view["stage"]), numbers(view["held"], rules.players), numbers(work.held, rules.players),
        int(view["table"]), numbers(view["pile"], rules.sides), numbers(view["points"], rules.sides),
        int(view["last_capture"]), int(view["matta_value"]), _sets(rules, work, view, to_show),
        numbers(view["history"], int(view["history_size"])), decided=not to_show,
    )  # fmt: skip


def _sets(rules: Rules, work: Any, view: Any, to_show: bool) -> tuple[tuple[int, ...], ...]:
    """The masks of the sets that each seat has shown in this stage, in order, at a decision."""
    from ..kernel.game.hand import KNOCKS

    stage, turn, seat = (int(view[name]) for name in ("stage", "turn", "seat"))
    size, slot = rules.deal_plan[stage], sum(size // 3 for size in rules.deal_plan[:stage])
    at_deal = to_show and rules.knock_timing != "turn"

    def is_open(other: int, number: int) -> bool:
        if work.options[rules.side(other), KNOCKS]:
            return True  # a side that decides what it shows has shown it when it is noted
        when = 3 * number if rules.bonus_cards_first else 0
        return turn > when or (turn == when and (other < seat or rules.knock_timing != "turn")) or at_deal

    return tuple(
        tuple(
            cards_shown((word,))
            for number in range(size // 3)
            if (word := int(work.knocks[slot + number, other])) and is_open(other, number)
        )
        for other in range(rules.players)
    )


def _so_far(record: HandRecord, plays: int, stage: int, seats: Collection[int]) -> HandRecord:
    """A record cut after so many plays, in a stage, as the players at some seats may see it."""
    stages = []
    for number, full in enumerate(record["stages"][: stage + 1]):
        played = full["plays"][:plays]
        plays -= len(played)
        hands = full["hands"] if number < stage else [h if s in seats else [] for s, h in enumerate(full["hands"])]
        stages.append({"hands": hands, "plays": played})
    open_fields = ("rules", "players", "dealer", "seed", "hand", "misdeals", "table", "table_bonus")
    return {name: record[name] for name in open_fields} | {"stages": stages}


def play_rest(now: HandState, experiment: Experiment, first: int, hands: int, wanted: Collection[str]) -> Notes:
    """The notes ``wanted`` of a hand played on ``hands`` times, on the deals of an experiment from number ``first`` on.

    Deals are as likely as the plays of the stage make them. Plays made already are 0 in the notes, and sweeps and
    bonuses so far are points for sweeps.
    """
    from ..kernel.entries.values import run_rest

    notes, plays = new_notes(hands, wanted), np.uint64(now.number_of_plays)
    with playing(experiment, first, hands, in_turn=True) as (flat, codes, streams, work):
        run_rest(flat, codes, streams, memory_of(now), plays, work, notes)
    return notes


def deal_unseen(now: HandState, seed: int, first: int, deals: int) -> NDArray[np.uint8]:
    """The unseen cards dealt so often, from deal number ``first`` of a seed on: uint8[deals, cards].

    First come the hidden cards of the next player, then of the one after, and so on; then the stock. They fulfil the
    constraints, if there are any; all such deals are equally likely.
    """
    decks = deal_hands(now.rules, seed, first, deals, again=False, constraints=now.constraints).decks
    if now.constraints is None:
        unseen = np.array([now.unseen >> card & 1 for card in range(40)], np.bool_)
        return decks[unseen[decks]].reshape(deals, -1)  # the unseen cards of a shuffled pack are shuffled too
    starts = np.cumsum([0, *now.constraints.sizes])  # of the places: cards seen, holdings by seat, forgotten, stock
    players, me = now.rules.players, now.seat
    order = [*(1 + (me + k) % players for k in range(1, players)), players + 2, players + 1]
    return np.concatenate([decks[:, starts[place] : starts[place + 1]] for place in order], axis=1)


def memory_of(now: HandState, reads: bool = True) -> Any:
    """What the kernel deals the unseen cards of a hand by; if it ``reads``, as likely as the plays of the stage say."""
    from ..kernel.players.opponents import READING
    from ..kernel.players.unseen_deal import STREAMS, Memory

    view = now.view.copy()
    view["history_size"] *= reads
    masks = (np.uint64(number) for number in (now.unowned, now.forgotten, now.shown))
    return Memory(view, np.zeros(1, READING), np.zeros(STREAMS, np.uint64), *masks)
