"""The rules of a game as one frozen value, read from the catalogue, the presets and the house rules of ``rules.toml``.

>>> build("cirulla", players=2).deal_plan
(3, 3, 3, 3, 3, 3)
>>> build("cirulla", houses=["piccola-seven"], changes={"target": "26"}).differences(build("cirulla"))
{'piccola_max': 7, 'target': 26}
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from . import cards
from .errors import InputError, unknown


@dataclass(frozen=True)
class Rules:
    """All rules of a game, one row of the catalogue a field; the defaults are those of the preset ``cirulla`` (000).

    What each field means, its values and its source stand in ``rules.toml`` under the field's name. A card is its
    canonical text (``"7h"``), a rank one letter of ``A234567JQK``, ``None`` stands for ``none`` in text.

    Raises ``InputError`` for a value outside the catalogue and for a combination that cannot be dealt.
    """

    players: int = 4
    partnership: bool = True
    deal_plan: tuple[int, ...] = (3, 3, 3)
    table_cards: int = 4
    misdeal_rank: str = "A"
    misdeal_count: int = 2
    misdeal_redeal: str = "all"
    misdeal_dealer: str = "same"
    misdeal_three_equal: bool = False
    misdeals_lose: int = 0
    table_four_equal_wins: bool = False
    matta: str | None = "7h"
    matta_low: str = "choose"
    matta_on_table: str = "keeps"
    table_15: int = 1
    table_30: int = 2
    table_low: int = 0
    hand_low: int = 3
    hand_triple: int = 10
    hand_both: str | int = "best"
    knock_timing: str = "turn"
    open_partners: bool = False
    open_last_stage: bool = False
    bonus_cards_first: bool = True
    capture_by: tuple[str, ...] = ("equal", "sum", "fifteen")
    equal_first: bool = False
    capture_optional: bool = False
    ace_sweep: bool = True
    ace_choice: str = "free"
    ace_blocked: str = "ace_or_fifteen"
    ace_sweep_scopa: bool = True
    last_card_scopa: bool = False
    cards_point: int = 1
    diamonds_point: int = 1
    settebello_point: int = 1
    primiera: str = "full"
    primiera_point: int = 1
    grande: int = 5
    grande_extended: bool = False
    piccola_max: int = 6
    all_diamonds: str | int = "wins"
    target: int = 51
    hands_per_game: int | None = None
    best_of: int = 1
    knockout_tiebreak: bool = False

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            object.__setattr__(self, name, check(name, value))
        dealt = self.players * sum(self.deal_plan) + self.table_cards
        if dealt != 40:
            raise InputError(
                f"deal_plan {plain(self.deal_plan)!r} with {self.players} players and {self.table_cards} table cards "
                f"needs {dealt} cards: the pack has 40 (each player gets {(40 - self.table_cards) / self.players:g})"
            )
        if self.partnership and self.players != 4:
            raise InputError(
                f"partnership 'true' needs players 4, not {self.players} (valid with {self.players}: false)"
            )

    @property
    def sides(self) -> int:
        """Number of sides: 2 in a partnership, else one a player."""
        return 2 if self.partnership else self.players

    def side(self, seat: int) -> int:
        """The side of a seat: seat mod 2 in a partnership, else the seat itself."""
        return seat % 2 if self.partnership else seat

    @property
    def dealer_side(self) -> int:
        """The side of the dealer, who sits last: always the last side."""
        return self.sides - 1

    @property
    def hand_bonuses(self) -> bool:
        """Whether any set of three cards held earns a bonus."""
        return self.hand_low > 0 or self.hand_triple > 0 or self.hand_both not in ("best", "sum", 0)

    @property
    def big_holdings(self) -> bool:
        """Whether any stage deals more than three cards to a player."""
        return max(self.deal_plan) > 3

    @property
    def big_sets(self) -> bool:
        """Whether sets of three cards can be shown out of larger holdings."""
        return self.big_holdings and self.hand_bonuses

    @property
    def misdeals(self) -> bool:
        """Whether any table is a misdeal."""
        return self.table_cards > 0 and (self.misdeal_count > 0 or self.misdeal_three_equal)

    @property
    def four_players(self) -> bool:
        """Whether partnership is possible at all."""
        return self.players == 4

    @property
    def sums_and_equals(self) -> bool:
        """Whether cards capture both by an equal card and by a sum."""
        return "equal" in self.capture_by and "sum" in self.capture_by

    def differences(self, other: Rules) -> dict[str, Any]:
        """The fields in which these rules differ from others, with the values they have here."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(other, f.name)}


FIELDS = tuple(f.name for f in fields(Rules))


@cache
def catalogue() -> dict[str, Any]:
    """The whole of ``rules.toml``: ``field``, ``preset``, ``house`` and ``sources``, each a mapping by name."""
    return tomllib.loads(files(__package__).joinpath("rules.toml").read_text("utf-8"))


def plain(value: Any) -> str:
    """A field's value as one writes it on the command line: ``(3, 3)`` is ``3,3``, ``None`` is ``none``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ",".join(str(item) for item in value)
    return "none" if value is None else str(value)


def valid_values(name: str) -> str:
    """What a field may be, in words for an error or a list."""
    spec = catalogue()["field"][name]
    said = {
        "bool": ["true", "false"],
        "rank": ["one of " + " ".join(cards.RANKS)],
        "card": ["a card as 7h", "none"],
        "plan": ["up to 6 stages of 1 to 10 cards, as 3,3,3"],
        "kinds": ["one or more of " + ",".join(spec.get("words", []))],
    }.get(spec.get("kind", ""), [])
    if not said:
        said = [*spec.get("words", []), *(str(n) for n in spec.get("numbers", []))]
        if "range" in spec:
            said.append("{} to {}".format(*spec["range"]))
        if spec.get("kind") == "optional":
            said.append("none")
    return ", ".join(said)


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
            return _boolean(value)
        if kind == "rank":
            return _rank(value)
        if kind == "card":
            return None if value is None or value == "none" else cards.text(cards.parse(value))
        if kind in ("plan", "kinds"):
            items = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)
            return _plan(items) if kind == "plan" else _kinds(items, spec["words"])
        return _word_or_number(value, spec)
    except (InputError, TypeError, ValueError, AttributeError, KeyError):
        raise InputError(f"{name} {plain(value)!r} is not valid (valid: {valid_values(name)})") from None


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}[value.lower()]


def _rank(value: Any) -> str:
    rank: str = value.upper()
    if len(rank) != 1 or rank not in cards.RANKS:
        raise ValueError
    return rank


def _plan(items: list[Any]) -> tuple[int, ...]:
    if any(isinstance(item, (bool, float)) for item in items):
        raise ValueError
    sizes = tuple(int(item) for item in items)
    if not 1 <= len(sizes) <= 6 or min(sizes) < 1 or max(sizes) > 10:
        raise ValueError
    return sizes


def _kinds(items: list[Any], words: list[str]) -> tuple[str, ...]:
    if not items or any(item not in words for item in items) or len(set(items)) < len(items):
        raise ValueError
    return tuple(word for word in words if word in items)


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


def means_something(rules: Rules, name: str) -> bool:
    """Whether a field says anything under these rules; ``ace_choice`` does not where aces sweep nothing."""
    needed = catalogue()["field"][name].get("needs")
    return needed is None or bool(getattr(rules, needed))


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


def house_fields(names: Iterable[str]) -> dict[str, Any]:
    """The fields that some house rules set together.

    Raises ``InputError`` for an unknown name and for two house rules that set one field differently.
    """
    houses = catalogue()["house"]
    merged: dict[str, Any] = {}
    setter: dict[str, str] = {}
    for name in names:
        if name not in houses:
            raise unknown("house rule", name, houses)
        for field, value in houses[name]["fields"].items():
            if field in merged and merged[field] != value:
                raise InputError(
                    f"house rules {setter[field]!r} and {name!r} clash: they set {field} to "
                    f"{plain(merged[field])!r} and to {plain(value)!r} (choose one)"
                )
            merged[field], setter[field] = value, name
    return merged


def build(
    base: str = "cirulla",
    players: int | None = None,
    houses: Iterable[str] = (),
    changes: Mapping[str, Any] | None = None,
) -> Rules:
    """The rules of a preset or of a TOML file, with house rules and then single fields changed on top.

    ``base`` is a preset's name or the path of a file ending in ``.toml`` that names its ``preset`` and the fields it
    changes. ``players`` must be a number the preset allows. Where nothing sets them, the deal plan is all in threes and
    four players are partners.

    Raises ``InputError`` for unknown names, values that are not valid and rules that cannot be dealt.
    """
    name, own = _read_file(Path(base)) if str(base).endswith(".toml") else (base, {})
    chosen = preset_fields(name) | own | house_fields(houses)
    for field, value in (changes or {}).items():
        if field not in FIELDS:
            raise unknown("field", field, FIELDS)
        chosen[field] = check(field, value)
    if players is not None:
        chosen["players"] = players
    seats = catalogue()["preset"][name]["seats"]
    count = check("players", chosen.get("players", 4))
    if count not in seats:
        file = f"{base}: " if str(base).endswith(".toml") else ""
        raise InputError(
            f"{file}players {plain(count)!r} is not valid with preset {name!r} "
            f"(valid: {', '.join(str(n) for n in seats)})"
        )
    chosen["players"] = count
    chosen.setdefault("partnership", count == 4)
    each, rest = divmod(40 - check("table_cards", chosen.get("table_cards", 4)), count)
    if "deal_plan" not in chosen and not rest and each % 3 == 0:
        chosen["deal_plan"] = (3,) * (each // 3)
    try:
        return Rules(**chosen)
    except InputError as error:
        raise InputError(f"{base}: {error}" if str(base).endswith(".toml") else str(error)) from None


def preset_of(base: str) -> str:
    """The preset that rules are told from: the one named, or the one a TOML file names; raises ``InputError``."""
    return _read_file(Path(base))[0] if base.endswith(".toml") else base


def sources(base: str, houses: Iterable[str] = (), changes: Iterable[str] = ()) -> dict[str, str]:
    """Where each field's value comes from: a source of the catalogue, the preset's, a house rule's, or ``your own``."""
    name, own = _read_file(Path(base)) if base.endswith(".toml") else (base, {})
    found = {field: spec["source"] for field, spec in catalogue()["field"].items()}
    found |= dict.fromkeys(preset_fields(name), catalogue()["preset"][name]["source"])
    found |= dict.fromkeys(own, "your own")
    for house in houses:
        found |= dict.fromkeys(catalogue()["house"][house]["fields"], catalogue()["house"][house]["source"])
    return found | dict.fromkeys(changes, "your own")


def command_words(rules: Rules, preset: str) -> list[str]:
    """The words of a command that ask for these rules: the preset, the players, and every field that differs from it.

    >>> " ".join(command_words(build("scopa", players=3, houses=["simple-primiera"]), "scopa"))
    '--rules scopa --players 3 --rule primiera=sevens'
    """
    changed = rules.differences(build(preset, players=rules.players))
    fields = [word for field, value in changed.items() for word in ("--rule", f"{field}={plain(value)}")]
    return ["--rules", preset, "--players", str(rules.players), *fields]


def as_toml(rules: Rules, preset: str) -> str:
    """Rules as a file for ``--rules``: the preset, then the fields that differ from it.

    >>> print(as_toml(build("cirulla", houses=["short-game", "no-matta"]), "cirulla"))
    preset = "cirulla"
    matta = "none"
    target = 26
    """
    changed = rules.differences(build(preset))
    lines = [f'preset = "{preset}"']
    for field, value in changed.items():
        if isinstance(value, tuple):
            written = "[" + ", ".join(_toml_item(item) for item in value) + "]"
        else:
            written = _toml_item(value)
        lines.append(f"{field} = {written}")
    return "\n".join(lines)


def _toml_item(value: Any) -> str:
    return plain(value) if isinstance(value, (bool, int)) else f'"{plain(value)}"'


def _read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """The preset's name and the changed fields of a user's TOML file; every error begins with the file's name."""
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror} (valid: a preset or a TOML file)") from None
    except UnicodeDecodeError:
        raise InputError(f'{path}: is not text in UTF-8 (valid: a TOML file with preset = "..." and fields)') from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: is not valid TOML: {error}") from None
    try:
        name = data.pop("preset", "cirulla")
        if name not in preset_names():
            raise unknown("preset", str(name), preset_names())
        for field, value in data.items():
            if field not in FIELDS:
                raise unknown("field", field, FIELDS)
            data[field] = check(field, value)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return name, data


def says(name: str, value: Any) -> str:
    """One sentence for a field's value, as a player would read it."""
    sentences = catalogue()["field"][name]["says"]
    key = plain(value)
    if key not in sentences:
        key = "list" if isinstance(value, tuple) else "number" if isinstance(value, int) else "text"
    written = {"fifteen": "a total of fifteen", "sum": "a sum", "equal": "an equal card"}
    shown = ", ".join(str(written.get(item, item)) for item in value) if isinstance(value, tuple) else plain(value)
    return str(sentences[key].format(value=shown))
