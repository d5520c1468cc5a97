"""Flat rules with their tables of captures. Importing this module compiles what computes these, or loads it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...ruleset.rules_model import Rules
from .. import types
from ..game.flat import flat_type, flatten
from ..game.states import RULES, TABLES, fill_states, tables_type
from ..jit import entry


@entry(types.uint64(flat_type, tables_type))
def fill(r, tables):
    """Compute the tables from the rules of capture; returns the number of choices."""
    return fill_states(r, tables)


_COMPUTED: dict[tuple[bool, ...], Any] = {}
"""The tables by the rules that they depend on; compiled code has their addresses."""


def _address_of_tables(flat: Any) -> int:
    """The address of the tables for some flat rules; valid as long as the process."""
    key = tuple(bool(flat[name]) for name in RULES)
    if key not in _COMPUTED:
        tables = np.zeros(1, np.dtype((np.record, TABLES)))
        fill(flat, tables[0])
        _COMPUTED.setdefault(key, tables)  # another thread may have been first
    return int(_COMPUTED[key].ctypes.data)


@cache
def flat_rules(rules: Rules) -> Any:
    """The flat form of rules as compiled code takes it, computed once: a record that cannot be written to."""
    flat = flatten(rules)
    flat["states"] = _address_of_tables(flat[0])
    flat.flags.writeable = False
    return flat[0]
