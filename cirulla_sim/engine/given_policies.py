"""Functions that are given as policies from Python, where others give names."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import isfunction
from typing import Any

from .policies import named


def with_names(policy: Any) -> Any:
    """A line-up, or several, where functions that are given themselves are replaced by their names."""
    if isinstance(policy, list | tuple):
        return [with_names(given) for given in policy]
    if isinstance(policy, Mapping):
        return {place: with_names(given) for place, given in policy.items()}
    return named(policy) if isfunction(policy) else policy
