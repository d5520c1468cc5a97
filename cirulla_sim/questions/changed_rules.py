"""Plain questions about what a house rule changes, or which of two games has more of something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

from ..ruleset.catalogue import catalogue
from ..ruleset.presets import build
from .lexicon import Item, data
from .part import Part


class NoPlaceError(Exception):
    """Raised for words that no frame has a place for."""


def is_change(items: Sequence[Item]) -> bool:
    """Whether a sentence names a house rule or two games and compares: *more*, *instead*, *what changes*."""
    two_games = sum(bool(item.of("rules")) for item in items) > 1
    more = any(
        item.typed.startswith(("more ", "piu ")) or (item.of("signs") & {">", "<"} and not after.of("numbers"))
        for item, after in pairwise([*items, Item("")])
    )
    compares = more or any(item.of("compares") or item.of("changes") - {"little"} for item in items)
    return two_games or (compares and any(item.of("house") for item in items))


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


def change(items: Sequence[Item], part: Callable[[Sequence[Item], str, bool], Part]) -> dict[str, str]:
    """The options of ``compare`` for a sentence that ``is_change``.

    ``part`` is that of a ``_Sentence``. Raises ``NoPlaceError`` for words without a place and more than two rule sets.
    """
    houses = sorted({item.one("house") for item in items if item.of("house")})
    games = list(dict.fromkeys(item.one("rules") for item in items if item.of("rules")))
    if len(houses) + max(len(games), 1) != 2:
        raise NoPlaceError([*houses, *games][-1])
    options = dict([*zip(("rules", "against"), games, strict=False), *(("house", house) for house in houses)])
    if not houses and len({build(game).players for game in games}) > 1:
        options["players"] = "2"
    placed = {"compares", "signs", "asks", "small", "joins", "conditions"}
    rest = [item for item in without_rules(items) if item.kinds.keys() - placed and not item.of("changes")]
    lasts = any(item.of("changes") & {"length"} for item in items)
    rest += [Item("", {"words": frozenset({word})}) for word in ("last", "game") if lasts]
    return options | (_measured(rest, part) if rest else {})


def with_target(items: Sequence[Item], rule: str) -> list[Item]:
    """Items of a sentence that names the target of a game, with the house rule for it if it compares."""
    name, _, number = rule.partition("=")
    changes = any(item.of("compares") or item.of("changes") - {"little"} for item in items)
    houses = [house for house, one in catalogue()["house"].items() if one["fields"] == {name: int(number or 0)}]
    return [*items, *(Item("", {"house": frozenset({house})}) for house in houses if changes)]


def _measured(items: Sequence[Item], part: Callable[[Sequence[Item], str, bool], Part]) -> dict[str, str]:
    """The option that says which quantity some words are about; of the dealer's side or of all together."""
    if all(item.of("who") for item in items):  # "is it better for the dealer?"
        items = [*items, Item("", {"words": frozenset({"points"})})]
    for truth in (False, True):
        with suppress(NoPlaceError):
            found = part(items, "", truth)
            side = data()["sides"].get(found.person, found.person)
            who = " dealer_side" * (side == "dealer_side")
            known = data()["measured"].get(found.frame.function.name + who, {})
            if known and found.value(truth) == found.call() and (who or side in data()["all_sides"]):
                return dict(known)
    raise NoPlaceError(*[item.typed for item in items if item.typed][:1])
