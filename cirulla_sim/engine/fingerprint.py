"""What tells whether trials would still be played the same: nothing else may go on with a run."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from .policies import is_own, source_of
from .trials import Trials

FIRST = 8
"""Trials that are looked at: enough to see another policy, rule or version, few enough to cost nothing."""


def fingerprint(*trials: Trials) -> str:
    """Sixteen hexadecimal digits of what the first trials come to, and of the sources of the user's own policies.

    The same on every machine. Two ways of playing that differ only in later trials have the same.
    """
    digest = blake2b(digest_size=8)
    for some in trials:
        tally, _ = some.play(0, FIRST)
        digest.update(tally.astype("<i8").tobytes())
        for name in some.side_policies:
            digest.update(source_of(name))
    return digest.hexdigest()


def policy_sources(names: Iterable[str]) -> dict[str, str]:
    """The digest of the source of each of the user's own policies among some names."""
    return {name: blake2b(source_of(name), digest_size=16).hexdigest() for name in names if is_own(name)}
