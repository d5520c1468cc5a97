"""A person at the table: the choices so far are replayed, and the next choice is recorded.

A hand is a function of its number and of the choices of its seats. So a hand in progress is played from the start with
the choices so far. The next choice of the person is recorded; plays after it have no meaning.
"""

from __future__ import annotations

import numpy as np

from .. import types
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
        ("given", WORD),  # the number of choices so far
        ("choices", WORD, MOST_CHOICES),  # each as its place among what there was to choose
        ("replayed", WORD),  # how many of them have been replayed
        ("state", WORD),  # 1 if the next one is recorded below, 2 if one of those given was no choice
        ("to_show", WORD),  # whether it is of sets to show
        ("information", WORD, WORDS),  # of the seat at the next choice, a ``VIEW``
        ("count", WORD),  # how many choices there are
        ("offered", WORD, MOST_KNOCKS),  # plays, or sets
    ],
    align=True,
)
"""The choices of a person, and the next one."""

person_at = record_at(types.Record(PERSON))
words_at = record_at(types.Record(np.dtype([("words", WORD, WORDS)])))
call_policy = by_address(policy_signature)


def new_person() -> np.ndarray:
    """An empty array of one ``PERSON``."""
    return np.zeros(1, np.dtype((np.record, PERSON)))


@inline
def ask_person(r, view, choices, m):
    """The place of the person's choice; a single choice is not recorded."""
    person = person_at(m.person)
    if view.seat != person.seat:
        return call_policy(person.knock if m.to_show else person.play, r, view, choices, m)
    if person.state or choices.size == 1:
        return ZERO
    if person.replayed < person.given:
        chosen = person.choices[person.replayed]
        person.replayed += ONE
        if chosen < np.uint64(choices.size):
            return chosen
        person.state = ONE + ONE
        return ZERO
    person.state = ONE
    person.to_show = ONE if m.to_show else ZERO
    words = words_at(address_of_record(view))
    for i in range(WORDS):
        person.information[i] = words.words[i]
    person.count = np.uint64(choices.size)
    for i in range(choices.size):
        person.offered[i] = choices[i]
    return ZERO
