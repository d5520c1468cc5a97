"""Plain questions about what a house rule changes, or which of two games has more of something."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from ..ruleset.catalogue import catalogue
from ..ruleset.presets import build
from .lexicon import Item, data
from .part import NoPlaceError, Part

_DROPPED = {"compares", "signs", "small", "conditions", "asks", "joins"}
"""Kinds of words that say no more than that rules are compared."""
_ASKED = {"mean", "length", "chance", "worth", "who", "helps"}
"""What such a sentence may ask."""


def without_rules(items: Sequence[Item]) -> list[Item]:
    """Items without games and house rules, and without what leads to these: *if we play without the matta, how ...*"""
    kept = list[Item]()
    for item in items:
        if item.of("house"):
            start = max((at for at, one in enumerate(kept) if one.of("conditions")), default=len(kept))
            leads = all(one.of("who") or one.of("small") or "play" in one.of("words") for one in kept[start + 1 :])
            kept = kept[:start] if leads else kept
        elif not item.of("rules") and (kept or item.typed != ","):
            kept.append(item)
    return kept


def change(
    items: Sequence[Item], said: Mapping[str, str], part: Callable[[Sequence[Item], str, bool], Part]
) -> dict[str, str] | None:
    """The options of ``compare`` for a sentence that compares rules (*more*, *what changes*); None for others.

    ``said`` are options that its words gave already, ``part`` is that of a ``_Sentence``. Raises ``NoPlaceError`` for
    words without a place, for other options than players and a rule, and for more than two rule sets.
    """
    houses = {item.one("house") for item in items if item.of("house")}
    games = list(dict.fromkeys(item.one("rules") for item in items if item.of("rules")))
    compares = any(
        item.of("compares") or item.of("changes") - {"little"}
        or ((item.of("signs") & {">", "<"} or item.typed.startswith(("more ", "piu "))) and not after.of("numbers"))
        for item, after in pairwise([*items, Item("")])
    )  # fmt: skip
    targets = {f"target={one['fields'].get('target')}": name for name, one in catalogue()["house"].items()}
    if compares and (house := targets.get(said.get("rule", ""))):
        houses, said = houses | {house}, {name: value for name, value in said.items() if name != "rule"}
    if len(games) < 2 and not (compares and houses):
        return None
    kept = [item for item in without_rules(items) if not item.of("changes")]
    other = [item for item in kept if "not" in item.of("joins") or item.of("asks") - _ASKED]  # as a median
    if other or said.keys() - {"players", "rule"} or len(houses) + max(len(games), 1) != 2:
        raise NoPlaceError([*(item.typed for item in other), *said.values(), *houses, *games][0])
    options = dict([*zip(("rules", "against"), games, strict=False), *(("house", house) for house in houses)])
    options |= {"players": "2"} if not houses and len({build(game).players for game in games}) > 1 else {}
    length = [Item("", {"words": frozenset({word})}) for word in ("last", "game")]
    rest = [item for item in kept if item.kinds.keys() - _DROPPED]
    rest += length if any(item.of("changes") & {"length"} for item in items) else []
    return {**options, **(_measured(rest, part) if rest else {}), **said}


def _measured(items: Sequence[Item], part: Callable[[Sequence[Item], str, bool], Part]) -> dict[str, str]:
    """The option that says which quantity some words are about; of the dealer's side or of all together."""
    if all(item.of("who") for item in items):  # "is it better for the dealer?"
        items = [*items, Item("", {"words": frozenset({"points"})})]
    for truth in (False, True):
        with suppress(NoPlaceError):
            found = part(items, "", truth)
            side = data()["sides"].get(found.person, found.person)
            whole = found.value(truth) == found.call() and not (found.cards or found.arguments or found.frame.detail)
            known = data()["measured"].get(found.frame.function.name + f" {side}" * (side == "dealer_side"), {})
            if known and whole and side in data()["all_sides"]:
                return dict(known)
    raise NoPlaceError(*[item.typed for item in items if item.typed][:1])
