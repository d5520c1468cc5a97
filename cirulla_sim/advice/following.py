"""A hand followed play by play: what the player to play may do with a card, and the position after it."""

from __future__ import annotations

from dataclasses import replace

from ..core import cards
from ..core.errors import InputError
from ..core.messages import Message
from ..situation.hand import HandState
from ..situation.notation import Situation, in_order
from ..situation.people import GROUPS, order_of_play, seen_from
from ..situation.plays import TurnChoice, card_of, cards_shown
from ..situation.positions import Position, situation_of


def seated(position: Position) -> HandState:
    """What is known at the seat that leaves the fewest captured cards unnamed, of those that the person may have."""
    return min(position.seats, key=lambda now: now.forgotten)


def choices_with(now: HandState, card: int, shown: int = 0) -> list[TurnChoice]:
    """What the player to play may do with a card: another player after showing some cards, a mask, or nothing.

    Raises ``InputError`` where it can do nothing with it.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from cirulla_sim.situation.positions import read_position
    >>> at = Situation.parse("i am: first; me: 7h 2d; table: 3c 5c 4d; to play: next")
    >>> now = seated(read_position(build(players=2), at))
    >>> [now.in_words(choice) for choice in choices_with(now, cards.parse("8s"))]
    ['Js takes 4d 3c', 'Js takes 3c 5c']
    """
    seat, me, own, turn = now.to_play, now.seat, 1 << card | shown, now
    if seat != me:
        known = tuple(own if other == seat else held for other, held in enumerate(now.known))
        turn = replace(now, me=seat, known=known)
    choices = [one for one in turn.legal() if card_of(one.play) == card]
    if seat != me:
        must = now.first[seat] or own
        cannot = own & ~(now.unseen | now.known[seat]) or not must >> card & 1
        choices = [] if cannot else [one for one in choices if cards_shown(one.show) == shown]
    if not choices:
        raise InputError(
            "{who} cannot play {card} now{shown} (check whose turn it is, and where that card lies)",
            Message(seen_from(now.rules, me)[seat]), cards.text(card),
            Message(", showing {cards}", " ".join(cards.texts(shown))) if shown else "",
        )  # fmt: skip
    return choices


def after_choice(s: Situation, now: HandState, choice: TurnChoice) -> Situation | None:
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
    if now.plays_left == 1:
        return None
    rules, seat, then = now.rules, now.to_play, now.play(choice)
    after = situation_of(then.coming)
    places = dict(after.places)
    if not any(then.held):
        del places["me", 1]
    else:  # what is said of cards that are not seen, as far as it is still so
        of_seat = (seen_from(rules, now.seat)[seat], order_of_play(rules)[seat], *GROUPS)
        places |= {at: clause for at, clause in s.places if at not in places and at[0] not in of_seat}
    ordered = tuple(sorted(places.items(), key=lambda item: in_order(item[0])))
    return replace(after, places=ordered, score=s.score, hand=s.hand)
