"""The aggregates of the question language, as ``aggregates.toml`` defines them: chance, mean, quantiles ..."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Aggregate:
    """What is asked of a value over all trials; see ``aggregates.toml`` for what its fields mean."""

    name: str
    italian: tuple[str, ...]
    of: str
    kind: str
    rows: str
    reads: tuple[str, str]
    parts: int = 1
    extreme: bool = False
    trials: str = ""
    own_interval: bool = False
    of_trials: tuple[str, str] = ("", "")


@cache
def aggregates() -> dict[str, Aggregate]:
    """Every aggregate by name."""
    text = files(__package__).joinpath("aggregates.toml").read_text("utf-8")
    every = {}
    for name, row in tomllib.loads(text).items():
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        every[name] = Aggregate(name, **fields)
    return every


def each_call(italian: bool = False) -> str:
    """How every aggregate is written."""
    names = {one: one.italian[0] if italian else name for name, one in aggregates().items()}
    return ", ".join(f"{name}({', '.join('xy'[: one.parts])})" for one, name in names.items())
