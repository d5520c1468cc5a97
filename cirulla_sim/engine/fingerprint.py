"""What tells whether trials would still be played the same: nothing else may go on with a run."""

from __future__ import annotations

from hashlib import blake2b

from .policies import source_of
from .trials import Trials

FIRST = 8
"""Trials that are looked at: enough to see another policy, rule or version, few enough to cost nothing."""


def fingerprint(*asked: Trials) -> str:
    """Sixteen hexadecimal digits of what the first trials come to, and of the files of policies of one's own.

    The same on every machine. Two ways of playing that differ only in later trials have the same.
    """
    made = blake2b(digest_size=8)
    for trials in asked:
        tally, _ = trials.play(0, FIRST)
        made.update(tally.astype("<i8").tobytes())
        for line_up in trials.side_policies:
            for name in line_up.split(","):
                made.update(source_of(name))
    return made.hexdigest()
