"""Names of the policies of the package, and of what may follow them: light, for the sake of the shell and of help."""

from __future__ import annotations

import re

from ..core.errors import unknown

INLINED = ("random", "greedy")
"""Inlined in the playing of hands, in the order of the kernel's numbers for them."""

CALLED = {"careful": 0, "search": 16, "open": 0}
"""Compiled by themselves, each in the kernel's module of its name, with their usual numbers of samples."""

OPPONENTS = ("careful", "greedy", "search")
"""The opponents that ``search`` can assume, as ``search:16:greedy`` or ``search:16:search:4``."""

NAMES = (*INLINED, *CALLED)

FORCES = {
    "prompt": "shows a set as soon as it may",
    "silent": "never shows a set",
    "matta-low": "declares the matta as low as it may",
    "matta-high": "declares the matta as high as it may",
    "capture": "never leaves a card that captures",
    "trail": "never captures where it need not",
}
"""Suffixes that force choices of a policy, as ``careful+silent``, in the order of the kernel's bits for them."""

SIGHTS = {
    "sees-next": "sees the cards of the next player",
    "sees-partner": "sees the cards of its partner",
    "sees-all": "sees the cards of everybody",
}
"""Suffixes that show cards to a policy, as ``search+sees-next``, in the order of the kernel's bits for them."""

SUFFIXES = ("game", *FORCES, *SIGHTS)
"""What may follow a policy's name after a ``+``; ``game``: it maximises the chance to win the game.

The others are for studies, which set them from Python; the command line takes ``game`` alone.
"""


def check_typed(flag: str, text: str) -> None:
    """Raise ``InputError`` for a line-up as typed whose policies have a suffix that only studies use."""
    for suffix in re.findall(r"\+([\w-]+)(?![\w./\\-])", text):
        if suffix in (*FORCES, *SIGHTS):
            raise unknown("suffix", suffix, ["game"], where=f"{flag}: ")
