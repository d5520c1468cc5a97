"""Policies that other packages bring, by entry points of the group ``cirulla_sim.policies``.

Their names are read from the metadata of installed packages. Nothing of a package is imported until its policy plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

GROUP = "cirulla_sim.policies"


@cache
def installed() -> Mapping[str, str]:
    """Where each policy is, ``MODULE:FUNCTION``, by its name."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: entry.value for entry in found if ":" in entry.value and not set(entry.name) & set(":+,= ")}
