"""The rules of a game as one frozen value, read from the catalogue, the presets and the house rules of ``rules.toml``.

>>> build("cirulla", players=2).deal_plan
(3, 3, 3, 3, 3, 3)
>>> build("cirulla", houses=["piccola-seven"], changes={"target": "26"}).differences(build("cirulla"))
{'piccola_max': 7, 'target': 26}
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..core.arguments import read_text
from ..core.errors import InputError, unknown
from .catalogue import catalogue, check, cited, house_fields, plain, preset_fields, preset_names
from .rules_model import FIELDS, Rules

LONGEST_TITLE = 200
"""Characters of the title of a house rule, at most."""
MOST_BYTES, LONGEST_LINE = 1 << 16, 1000
"""The largest file of rules, and its longest line: for a key of many parts tomllib takes memory by their square."""


def means_something(rules: Rules, name: str) -> bool:
    """Whether a field says anything under these rules; ``ace_choice`` does not where aces sweep nothing."""
    needed = catalogue()["field"][name].get("needs")
    return needed is None or bool(getattr(rules, needed))


def build(
    base: str = "cirulla",
    players: int | None = None,
    houses: Iterable[str] = (),
    changes: Mapping[str, Any] | None = None,
) -> Rules:
    """The rules of a preset or of a TOML file, with house rules and then single fields changed on top.

    ``base`` is a preset's name or the path of a file ending in ``.toml`` that names its ``preset`` and the fields it
    changes; ``houses`` are names of house rules and paths of files that ``own_house`` reads. ``players`` must be a
    number the preset allows. Where nothing sets them, the deal plan is all in threes and four players are partners.

    Raises ``InputError`` for unknown names, values that are not valid and rules that cannot be dealt.
    """
    name, own = _read_file(Path(base)) if str(base).endswith(".toml") else (base, {})
    chosen = preset_fields(name) | own | fields_of_houses(houses)
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
            "{file}players {count!r} is not valid with preset {name!r} (valid: {seats})",
            file, plain(count), name, seats,
        )  # fmt: skip
    chosen["players"] = count
    chosen.setdefault("partnership", count == 4)
    each, rest = divmod(40 - check("table_cards", chosen.get("table_cards", 4)), count)
    if "deal_plan" not in chosen and not rest and each % 3 == 0:
        chosen["deal_plan"] = (3,) * (each // 3)
    try:
        return Rules(**chosen)
    except InputError as error:
        raise InputError("{path}: {error}", base, error) if str(base).endswith(".toml") else error from None


def preset_of(base: str) -> str:
    """The preset that rules are described from: the one named, or that of a TOML file; raises ``InputError``."""
    return _read_file(Path(base))[0] if base.endswith(".toml") else base


def sources(rules: Rules, preset: str, houses: Iterable[str] = ()) -> dict[str, str]:
    """Where each field's value comes from: the sources that give it; ``your own`` where no preset or house rule set it.

    >>> sources(build("cirulla-parlett", changes={"target": 75}), "cirulla-parlett")["target"]
    'your own'
    """
    own = rules.differences(build(preset, rules.players, [name for name in houses if not is_file(name)]))
    return {field: "your own" if field in own else cited(field, getattr(rules, field)) for field in FIELDS}


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


def is_file(name: str) -> bool:
    """Whether a name of rules or of a house rule is a file of the user's own."""
    return name.endswith(".toml")


def fields_of_houses(names: Iterable[str]) -> dict[str, Any]:
    """The fields that house rules set together, some of them files; raises ``InputError``, as ``house_fields``."""
    chosen = tuple(names)
    return house_fields(chosen, {name: own_house(name) for name in chosen if is_file(name)})


def own_house(name: str) -> dict[str, Any]:
    """A house rule of a user's own from its file: ``title``, ``fields``, and ``source``, which may be absent.

    Raises ``InputError`` that begins with the file's name.
    """
    path = Path(name)
    data = _read_toml(path)
    try:
        if path.stem in (*catalogue()["house"], *preset_names()) or "+" in path.stem:
            raise InputError("{name!r} cannot be the name of a house rule of your own (rename the file)", path.stem)
        for key in data:
            if key not in ("title", "fields", "source"):
                raise unknown("key", key, ("title", "fields", "source"))
        for key in ("title", "source"):
            text = data.setdefault(key, "your own" if key == "source" else None)
            if not (isinstance(text, str) and 0 < len(text) <= LONGEST_TITLE and text.isprintable()):
                raise InputError("{key} is not valid (valid: a line of up to {longest} characters)", key, LONGEST_TITLE)
        fields = data.get("fields")
        if not isinstance(fields, dict) or not fields:
            raise InputError("has no fields (valid: [fields] and then lines as piccola_max = 7)")
        data["fields"] = _checked(fields)
    except InputError as error:
        raise InputError("{path}: {error}", path, error) from None
    return data


def _read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """The preset's name and the changed fields of a user's TOML file; every error begins with the file's name."""
    data = _read_toml(path)
    try:
        name = data.pop("preset", "cirulla")
        if name not in preset_names():
            raise unknown("preset", str(name), preset_names())
        return name, _checked(data)
    except InputError as error:
        raise InputError("{path}: {error}", path, error) from None


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields with their values as rules have them; raises ``InputError`` for unknown names and invalid values."""
    for field in fields:
        if field not in FIELDS:
            raise unknown("field", field, FIELDS)
    return {field: check(field, value) for field, value in fields.items()}


def _read_toml(path: Path) -> dict[str, Any]:
    """A user's TOML file of bounded size; every error begins with the file's name."""
    try:
        text = read_text(path, "utf-8-sig", MOST_BYTES)
        if max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
            raise InputError(
                "{path}: has a line of more than {longest:_} characters (valid: shorter lines)", path, LONGEST_LINE
            )
        return tomllib.loads(text)
    except OSError as error:
        raise InputError(
            "{path}: cannot be read: {reason} (valid: a preset or a TOML file)", path, error.strerror
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            '{path}: is not text in UTF-8 (valid: a TOML file with preset = "..." and fields)', path
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError("{path}: is not valid TOML: {error}", path, error) from None
    except RecursionError:
        raise InputError("{path}: is not valid TOML: nested too deep", path) from None
