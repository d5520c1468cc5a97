"""A hand followed play by play: what the player to play may do with a card, and the position after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..core import cards
from ..core.errors import InputError
from ..core.messages import Message
from ..situation.information_set import InformationSet, make_view
from ..situation.notation import Situation, in_order
from ..situation.people import GROUPS, order_of_play, seen_from
from ..situation.plays import TurnChoice, captured, card_of, cards_shown, is_sweep, matta_shown, points_shown
from ..situation.positions import Position, situation_of
from .decision_points import reverted


def seated(position: Position) -> InformationSet:
    """What is known at the seat that leaves the fewest captured cards unnamed, of those that the person may have."""
    return min(position.seats, key=lambda now: now.forgotten)


def choices_with(now: InformationSet, card: int, shown: int = 0) -> list[TurnChoice]:
    """What the player to play may do with a card: another player after showing some cards, a mask, or nothing.

    Raises ``InputError`` where it can do nothing with it.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from cirulla_sim.situation.positions import read_position
    >>> at = Situation.parse("i am: first; me: 7h 2d; table: 3c 5c 4d; to play: next")
    >>> now = seated(read_position(build(players=2), at))
    >>> [now.in_words(choice) for choice in choices_with(now, cards.parse("8s"))]
    ['Js takes 4d 3c', 'Js takes 3c 5c']
    """
    rules, seat, me = now.rules, now.to_play, now.field("seat")
    own, turn = 1 << card | shown, now
    if seat == me:
        choices = [choice for choice in now.choices() if card_of(choice.play) == card]
    elif own & ~(now.unseen | now.by_seat("shown")[seat]):
        choices = []
    else:
        names = ("stage", "turn", "table", "matta_value", "plays_left")
        fields: dict[str, Any] = {name: now.field(name) for name in names} | {"seat": seat, "holding": own}
        fields |= {name: now.by_seat(name)[: rules.players] for name in ("held", "first")}
        turn = replace(now, view=make_view(rules, fields), sets_shown=(0,) * rules.players)
        choices = [x for x in turn.choices() if card_of(x.play) == card and cards_shown(x.show) == shown]
    if not choices:
        raise InputError(
            "{who} cannot play {card} now{shown} (check whose turn it is, and where that card lies)",
            Message(seen_from(rules, me)[seat]), cards.text(card),
            Message(", showing {cards}", " ".join(cards.texts(shown))) if shown else "",
        )  # fmt: skip
    return choices


def after_choice(s: Situation, now: InformationSet, choice: TurnChoice) -> Situation | None:
    """The situation after a choice of the player to play, None after the last play of the hand.

    Where a stage ends with it, the next cards of the person asking are not known yet: there is no ``me:``.
    ``now`` is what ``s`` means at the seat of the person asking.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from cirulla_sim.situation.positions import read_position
    >>> at = Situation.parse("i am: first; me: 7h 2d; table: 3c 5c 4d; to play: next; score: 3-4")
    >>> now = seated(read_position(build(players=2), at))
    >>> after = after_choice(at, now, choices_with(now, cards.parse("8s"))[1])
    >>> print(str(after).replace("; last", ";\\n  last"))
    i am: first; me: 7h 2d; table: 4d; captured them: 3c 5c Js;
      last capture: next; stage: 1; to play: me; points: 0-0; score: 3-4
    """
    rules, me, seat = now.rules, now.field("seat"), now.to_play
    if now.field("plays_left") == 1:
        return None
    own, got, stage = 1 << card_of(choice.play), captured(choice.play), now.field("stage")
    taken, rest = np.uint64(got and got | own), np.uint64(cards.ALL & ~own)
    view, sets = now.view.copy(), list(now.sets_shown or (0,) * rules.players)
    row, side = view[0], rules.side(seat)
    row["plays_left"] -= 1
    row["held"][seat] -= 1
    row["shown"][seat] &= rest
    row["holding"] &= rest
    row["table"] = now.field("table") & ~got if got else now.field("table") | own
    row["pile"][side] |= taken
    row["points"][side] += points_shown(choice.show) + is_sweep(choice.play) * rules.sweep_point
    row["matta_value"] = matta_shown(choice.show) or now.field("matta_value")
    row["last_capture"] = seat if got else now.field("last_capture")
    sets[seat] |= cards_shown(choice.show)
    if now.field("history_size") == now.number_of_plays - rules.players * sum(rules.deal_plan[:stage]):
        row["history"][now.field("history_size")] = choice.play
        row["history_size"] += 1
    if seat + 1 == rules.players:
        row["matta_value"] = reverted(rules, int(row["table"]), int(row["matta_value"]))
    ends = not row["held"].any()
    if ends:
        row["stage"] += 1
        row["history_size"] = 0
        row["shown"] = 0
        sets = [0] * rules.players
    after = situation_of(replace(now, view=view, sets_shown=tuple(sets)))
    places = dict(after.places)
    if ends:
        del places["me", 1]
    else:  # what is said of cards that are not seen, as far as it is still so
        of_seat = (seen_from(rules, me)[seat], order_of_play(rules)[seat], *GROUPS)
        places |= {at: clause for at, clause in s.places if at not in places and at[0] not in of_seat}
    ordered = tuple(sorted(places.items(), key=lambda item: in_order(item[0])))
    return replace(after, places=ordered, score=s.score, hand=s.hand)
