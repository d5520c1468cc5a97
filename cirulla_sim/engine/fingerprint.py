"""A digest of the first trials: a run is resumed only if it is the same."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from .policies import is_own, source_of, source_to_read
from .trials import Trials

FIRST = 8
"""Trials in the digest: enough to notice another policy, rule or version, few enough to cost nothing."""


def fingerprint(*trials: Trials) -> str:
    """Sixteen hexadecimal digits of the tallies of the first trials, and of the sources of the user's own policies.

    The same on every machine. Two ways of playing that differ only in later trials have the same.
    """
    digest = blake2b(digest_size=8)
    for several in trials:
        tally, _ = several.play(0, FIRST)
        digest.update(tally.astype("<i8").tobytes())
        for name in several.side_policies:
            digest.update(source_of(name))
    return digest.hexdigest()


def policy_sources(names: Iterable[str]) -> dict[str, str]:
    """The digest of the source of each of the user's own policies among some names.

    A policy named by its file is not imported for it.
    """
    return {name: blake2b(source_to_read(name), digest_size=16).hexdigest() for name in names if is_own(name)}
