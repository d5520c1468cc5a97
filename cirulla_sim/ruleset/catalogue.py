"""The catalogue of rules, presets and house rules (``rules.toml``): what a field may be, and what its values say."""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from ..core import cards
from ..core.data import load_toml
from ..core.errors import InputError, unknown
from ..core.locale import add_names
from ..core.messages import Message, names_of
from .categories import IN_PLAY, MOST_FURTHER, read_category


@cache
def catalogue() -> dict[str, Any]:
    """The whole of ``rules.toml``: ``field``, ``preset``, ``house`` and ``sources``, each a mapping by name.

    ``named`` are presets and house rules together, with title, ``short`` name and phrase in English and in Italian.
    """
    data = load_toml(__package__, "rules.toml")
    data["named"] = data["preset"] | data["house"]
    texts = [entry[text] for entry in data["named"].values() for text in ("title", "short")]
    for name, field in data["field"].items():
        called = {f"{name}={word}": text for word, text in field.get("called", {}).items()}
        texts += [*field["says"].values(), (name, field["italian"]), *called.items()]
    scored = (text for entry in data["named"].values() for text in entry.get("fields", {}).get("scoring", ()))
    texts += [(category.name, category.italian) for category in map(read_category, scored)]
    add_names("it", texts)
    return data


def format_value(value: Any) -> str:
    """A field's value as on the command line: ``(3, 3)`` is ``3,3``, ``None`` is ``none``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        written = [str(item) for item in value]
        return ("; " if any(":" in item for item in written) else ",").join(written)
    return "none" if value is None else str(value)


_COMPARISON = re.compile(r"^\s*(<=|>=|<|>|=)\s*([0-9]|[1-3][0-9]|40)\s*$")


_SIGNS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq}


def meets(comparison: str, total: Any) -> Any:
    """Whether a total, or each of an array of them, is as a rule wants it.

    >>> meets("<= 9", 9), meets("> 30", 30)
    (True, False)
    """
    sign, number = comparison.split()
    return _SIGNS[sign](total, int(number))


def valid_values(name: str) -> Message:
    """What a field may be, in words for an error or a list."""
    spec = catalogue()["field"][name]
    by_kind: dict[str, list[str]] = {
        "bool": ["true", "false"],
        "rank": [Message("one of {ranks}", " ".join(cards.RANKS))],
        "card": [Message("a card as 7h"), "none"],
        "plan": [Message("up to 6 stages of 1 to 10 cards, as 3,3,3")],
        "kinds": [Message("one or more of {words}", ",".join(spec.get("words", [])))],
        "comparison": [Message("a comparison with a number up to 40, as '<= 9'")],
        "categories": [Message("up to 4 categories, as 'king of coins: each Kd = 1; aces: each A* = 1'")],
    }
    accepted = by_kind.get(spec.get("kind", ""), [])
    if not accepted:
        accepted = [*spec.get("words", []), *(str(n) for n in spec.get("numbers", []))]
        if "range" in spec:
            accepted.append(Message("{low} to {high}", *spec["range"]))
        if spec.get("kind") == "optional":
            accepted.append("none")
    return Message("{values}", accepted)


def check(name: str, value: Any) -> Any:
    """The canonical value of a field, from a Python or TOML value or from text as typed on the command line.

    Raises ``InputError`` that names the field, quotes the value and lists what is valid.

    >>> check("matta", "7 di cuori"), check("capture_optional", "yes"), check("deal_plan", "6,3")
    ('7h', True, (6, 3))
    """
    spec = catalogue()["field"][name]
    kind = spec.get("kind")
    try:
        if kind == "bool":
            if isinstance(value, bool):
                return value
            return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}[value.lower()]
        if kind == "rank":
            return cards.RANKS[[*cards.RANKS].index(value.upper())]
        if kind == "card":
            return None if value is None or value == "none" else cards.text(cards.parse(value))
        if kind == "comparison":
            sign, number = _COMPARISON.findall(value)[0]
            return f"{sign} {int(number)}"
        if kind == "categories":
            items = value.split(";") if isinstance(value, str) else list(value)
            return _categories([item for item in items if str(item).strip()])
        if kind in ("plan", "kinds"):
            items = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)
            if kind == "plan":
                return _plan(items)
            if not items or not {*items} <= {*spec["words"]} or len({*items}) < len(items):
                raise ValueError
            return tuple(word for word in spec["words"] if word in items)
        return _word_or_number(value, spec)
    except (InputError, TypeError, ValueError, AttributeError, KeyError, IndexError):
        raise InputError(
            "{name} {value!r} is not valid (valid: {valid})", name, format_value(value), valid_values(name)
        ) from None


def _categories(items: list[str]) -> tuple[str, ...]:
    categories = [read_category(item) for item in items]
    if len({category.name for category in categories}) < len(categories) or len(categories) > MOST_FURTHER:
        raise ValueError
    return tuple(str(category) for category in categories if (category.kind, category.points) != (IN_PLAY, 1))


def _plan(items: list[Any]) -> tuple[int, ...]:
    if {bool, float} & {*map(type, items)}:
        raise ValueError
    sizes = tuple(map(int, items))
    if not 1 <= len(sizes) <= 6 or min(sizes) < 1 or max(sizes) > 10:
        raise ValueError
    return sizes


def _word_or_number(value: Any, spec: Mapping[str, Any]) -> str | int | None:
    if spec.get("kind") == "optional" and value in (None, "none"):
        return None
    if isinstance(value, str) and value in spec.get("words", []):
        return value
    if isinstance(value, (bool, float)):
        raise ValueError
    number = int(value)
    low, high = spec.get("range", (1, 0))
    if number not in spec.get("numbers", []) and not low <= number <= high:
        raise ValueError
    return number


def preset_names() -> list[str]:
    """The names of all presets, in the order of the catalogue."""
    return list(catalogue()["preset"])


def house_names() -> list[str]:
    """The names of all house rules, in the order of the catalogue."""
    return list(catalogue()["house"])


def preset_fields(name: str) -> dict[str, Any]:
    """The fields a preset sets, with those of the preset it is ``like``; raises ``InputError`` for an unknown name."""
    presets = catalogue()["preset"]
    if name not in presets:
        raise unknown("preset", name, presets)
    spec = presets[name]
    base = preset_fields(spec["like"]) if "like" in spec else {}
    return {**base, **spec.get("fields", {})}


def house_fields(names: Iterable[str], own: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The fields that some house rules set together, those of the catalogue and a user's ``own``, by name.

    Raises ``InputError`` for an unknown name and for two house rules that set one field differently.
    """
    houses = {**catalogue()["house"], **own}
    merged: dict[str, Any] = {}
    setter: dict[str, str] = {}
    for name in names:
        if name not in houses:
            raise unknown("house rule", name, houses)
        for field, value in houses[name]["fields"].items():
            if field in merged and merged[field] != value:
                raise InputError(
                    "house rules {other!r} and {name!r} clash: they set {field} to {merged!r} and to {value!r} "
                    "(choose one)",
                    setter[field], name, field, format_value(merged[field]), format_value(value),
                )  # fmt: skip
            merged[field], setter[field] = value, name
    return merged


def says(name: str, value: Any, rules: object) -> Message:
    """One sentence for a field's value, as a player would read it; other fields in it are those of ``rules``."""
    sentences = catalogue()["field"][name]["says"]
    key = format_value(value)
    if key not in sentences:
        key = "list" if isinstance(value, tuple) else "number" if isinstance(value, int) else "text"
    english = sentences[key][0]
    values = (value if place == "value" else getattr(rules, place) for place in names_of(english))
    return Message(english, *map(_in_words, values))


def _in_words(value: Any) -> object:
    if isinstance(value, tuple):
        return [_WAYS.get(item, item) for item in value]
    compared = _COMPARISON.fullmatch(value) if isinstance(value, str) else None
    return format_value(value) if compared is None else Message(_COMPARED[compared[1]], compared[2])


_COMPARED = {
    "=": "exactly {number}", "<=": "{number} or less", "<": "less than {number}", ">": "more than {number}",
    ">=": "{number} or more",
}  # fmt: skip


_WAYS = {"fifteen": Message("a total of fifteen"), "sum": Message("a sum"), "equal": Message("an equal card")}
"""Ways to capture."""


def cited(name: str, value: Any) -> str:
    """The sources that give a field this value, ``no source`` for what none of them plays.

    >>> cited("ace_choice", "sweep"), cited("target", 75), cited("target", 76)
    ('001, 002', '000 (Cirullone)', 'no source')
    """
    return str(catalogue()["field"][name]["source"].get(format_value(value), "no source"))


NO_GAME_POINTS, ALL_POINTS = 10, 20
"""The victory points of either side of a drawn match, and of both sides of a match together."""


def victory_points(lowest: Sequence[int], margin: int) -> int:
    """The victory points of the winner by the margin, of which ``lowest`` are the least that earn 10, 11, ... (002).

    >>> data = catalogue()["victory_points"]
    >>> lowest = data["lowest"][data["targets"].index(51)]
    >>> [victory_points(lowest, margin) for margin in (0, 2, 3, 22, 33, 90)]
    [10, 10, 11, 16, 20, 20]
    """
    return NO_GAME_POINTS + bisect_right(lowest, margin) - 1
