"""A person at the table: the choices made so far are made again, and the hand is looked at where they end.

A hand is a function of its number and of what its seats choose. So a hand in play is a hand played from the start with
the choices made until now; what the person is asked next is written down, and what is played behind is worth nothing.
"""

from __future__ import annotations

import numba
import numpy as np

from ..calls import address_of_record, by_address, record_at
from ..game.bits import ONE, ZERO
from ..game.flat import WORD
from ..jit import inline
from .knock import MOST_KNOCKS
from .view import VIEW
from .workspace import policy_signature

MOST_CHOICES = 64
"""More than a person has in a hand: twenty plays at most, and the sets before them."""

WORDS = VIEW.itemsize // 8
"""A view is words from end to end."""

PERSON = np.dtype(
    [
        ("seat", WORD),  # where the person sits in this hand
        ("play", WORD),  # address of the policy that plays the other seats of the side
        ("knock", WORD),  # and of what decides there which sets are shown
        ("given", WORD),  # choices made so far
        ("choices", WORD, MOST_CHOICES),  # each as its place among what there was to choose
        ("made", WORD),  # how many of them have been made again
        ("asked", WORD),  # 1 where the next one is written down below, 2 where one of those given was no choice
        ("to_show", WORD),  # whether it is of sets to show
        ("known", WORD, WORDS),  # what the seat knows then, a ``VIEW``
        ("count", WORD),  # how many choices there are
        ("offered", WORD, MOST_KNOCKS),  # plays, or sets
    ],
    align=True,
)
"""What a person chose, and is asked next."""

person_at = record_at(numba.from_dtype(PERSON))
words_at = record_at(numba.from_dtype(np.dtype([("words", WORD, WORDS)])))
call_policy = by_address(policy_signature)


def new_person() -> np.ndarray:
    """Room for a person, an array of one ``PERSON``."""
    return np.zeros(1, np.dtype((np.record, PERSON)))


@inline
def ask_person(r, view, choices, m):
    """The place of the person's choice; where there is one choice only, nobody is asked."""
    person = person_at(m.person)
    if view.seat != person.seat:
        return call_policy(person.knock if m.to_show else person.play, r, view, choices, m)
    if person.asked or choices.size == 1:
        return ZERO
    if person.made < person.given:
        chosen = person.choices[person.made]
        person.made += ONE
        if chosen < np.uint64(choices.size):
            return chosen
        person.asked = ONE + ONE
        return ZERO
    person.asked = ONE
    person.to_show = ONE if m.to_show else ZERO
    seen = words_at(address_of_record(view))
    for i in range(WORDS):
        person.known[i] = seen.words[i]
    person.count = np.uint64(choices.size)
    for i in range(choices.size):
        person.offered[i] = choices[i]
    return ZERO
