"""What the formats of a comparison of nights are called, and the pairs that play."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from ...core.locale import Language
from ...engine.policies import USUAL
from ...situation.night import Night
from ...situation.notation import Situation
from . import labels
from .cells import Row
from .labels import Metadata


def compared_nights_of(metadata: Metadata) -> list[Night]:
    """The nights that a comparison is of, every pair with its policy; none for another result."""
    if labels.schema_of(metadata) != "compare-nights":
        return []
    request, line_ups = metadata["request"], labels.line_ups_of(metadata)
    usual = line_ups[0].names[0] if line_ups else USUAL
    texts = (request["situation"]["at"], *request["question"]["against"])
    nights = (Situation.parse(text).night for text in texts)
    return [replace(night, pairs=night.policies(usual)) for night in nights if night is not None]


def format_names(metadata: Metadata, locale: Language) -> dict[str, str]:
    """The formats as the table names them, and what readers call them: without minutes that are the same in all."""
    nights = compared_nights_of(metadata)
    alike = len({night.minutes for night in nights}) == 1
    shown = (replace(night, minutes=None) if alike else night for night in nights)
    return {one.format_text(): short.format_text(locale.name) for one, short in zip(nights, shown, strict=True)}


def pairs_words(metadata: Metadata, locale: Language) -> str:
    """The pairs of the nights that a comparison is of, empty for another result."""
    nights = compared_nights_of(metadata)
    groups = [(policy, len(list(same))) for policy, same in groupby(nights[0].pairs if nights else ())]
    return ", ".join(
        locale.say("{n} pairs ({policy})" if n > 1 else "1 pair ({policy})", n=n,
                   policy=labels.player(policy or USUAL, locale, labels.PLAY)) for policy, n in groups
    )  # fmt: skip


def label(row: Row, metadata: Metadata, locale: Language) -> str:
    """What a number is of, with the pair and its policy where it is about one."""
    name = labels.quantity_name(row["quantity"], locale)
    return name if row["side"] == "all" else f"{name}, {pair_one(metadata, locale)}"


def pair_one(metadata: Metadata, locale: Language) -> str:
    """What the first pair is called, with its policy."""
    policies = [labels.player(night.pairs[0] or USUAL, locale, labels.PLAY) for night in compared_nights_of(metadata)]
    return locale.say("pair 1 ({policy})", policy=policies[0]) if policies else locale.say("pair 1")
