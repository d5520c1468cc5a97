"""The rules of a game: one frozen value, made from the catalogue, presets and house rules of ``rules.toml``."""

from __future__ import annotations

from .bounds import most
from .catalogue import catalogue, check, cited, house_fields, house_names, plain, preset_names, says, valid_values
from .chosen import RuleSet, choose, nearest_preset, rules
from .model import FIELDS, Rules
from .presets import as_toml, build, command_words, means_something, preset_of, sources

__all__ = [
    "FIELDS",
    "RuleSet",
    "Rules",
    "as_toml",
    "build",
    "catalogue",
    "check",
    "choose",
    "cited",
    "command_words",
    "house_fields",
    "house_names",
    "means_something",
    "most",
    "nearest_preset",
    "plain",
    "preset_names",
    "preset_of",
    "rules",
    "says",
    "sources",
    "valid_values",
]
