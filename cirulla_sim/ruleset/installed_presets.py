"""Presets that other packages bring, by entry points of the group ``cirulla_sim.presets``.

A preset is a rule file, ``PACKAGE:FILE.toml``, read and checked as one that is named by its path. Names are read from
the metadata of installed packages, and no package is imported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

GROUP = "cirulla_sim.presets"


@cache
def installed() -> Mapping[str, str]:
    """Where the rule file of each preset is, ``PACKAGE:FILE.toml``, by its name."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    valid = re.compile(r"\w+(\.\w+)*:\w+\.toml")
    return {
        entry.name: entry.value
        for entry in found
        if re.fullmatch(r"[\w-]+", entry.name) and valid.fullmatch(entry.value)
    }


def file_of(name: str) -> str:
    """The path of the rule file of an installed preset."""
    package, _, file = installed()[name].partition(":")
    top, *folders = package.split(".")
    spec = find_spec(top)
    inside = list(spec.submodule_search_locations or ()) if spec is not None else []
    return str(Path(inside[0] if inside else top, *folders, file))
