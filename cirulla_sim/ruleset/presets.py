"""The rules of a game as one frozen value: from the presets and house rules of ``rules.toml``, and from files of users.

A file is refused in one line that names it, its line and the key.

>>> build("cirulla", players=2).deal_plan
(3, 3, 3, 3, 3, 3)
>>> build("cirulla", houses=["piccola-seven"], changes={"target": "26"}).differences(build("cirulla"))
{'piccola_max': 7, 'target': 26}
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.arguments import read_text
from ..core.errors import InputError, unknown
from ..core.messages import Message
from .catalogue import catalogue, check, cited, format_value, house_fields, preset_fields, preset_names
from .categories import replaced_by
from .rules_model import FIELDS, Rules

LONGEST_TITLE = 200
"""Characters of the title of a house rule, at most."""
MOST_BYTES, LONGEST_LINE = 1 << 16, 1000
"""The largest file of rules, and its longest line: for a key of many parts tomllib takes memory by their square."""

HOUSE_KEYS = ("title", "fields", "source")
"""What a file of a house rule may have."""

_KEY = re.compile(r"""(?:^|[{,.])\s*["']?([\w-]+)["']?\s*=""")
_TOML_ERROR = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.S)


@dataclass(frozen=True)
class RuleFile:
    """What a file of rules says: its values by key, the line of each key, and the preset that it changes."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    preset: str = "cirulla"

    def fault(self, error: InputError, key: str = "") -> InputError:
        """An error with the file in front, and the line of a key: the one given, or the word that it begins with."""
        named = key or str(error).partition(" ")[0]
        if named not in self.lines:
            return InputError("{path}: {error}", self.path, error)
        return InputError("{path}, line {line}: {error}", self.path, self.lines[named], error)

    def checked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Some fields with their values as rules have them; raises ``InputError`` with the line of each fault.

        Of several unknown fields only the last error lists the valid ones.
        """
        fields, faults = dict[str, Any](), list[tuple[str, InputError]]()
        entries = catalogue()["field"].items()
        words = {text.partition(",")[0].lower(): name for name, of in entries for text in of["says"].get("number", ())}
        last = [name for name in values if name not in FIELDS][-1:]
        for name, value in values.items():
            try:
                if name not in FIELDS:
                    refusal = unknown("field", name, FIELDS, other=words)
                    raise refusal if name in last else InputError(refusal.message.fault)
                fields[name] = check(name, value)
            except InputError as error:
                text = "{fault}; line {line}: {error}"
                every = InputError(text, faults[-1][1], self.lines.get(name, 0), error) if faults else error
                faults.append((name, every))
        if faults:
            raise self.fault(faults[-1][1], faults[0][0])
        return fields


def is_house(text: str) -> bool:
    """Whether a TOML text is a house rule, whose fields stand apart, and no file of rules.

    >>> is_house("title = 'Ours'\\n[fields]\\ntarget = 26"), is_house("target = 26"), is_house("title = 'Ours'")
    (True, False, True)
    """
    return bool(re.search(r"^\s*(?:\[\s*fields\s*\]|(?:title|fields)\s*=)", text, re.M))


def is_file(name: str) -> bool:
    """Whether a name of rules or of a house rule is a file of the user's own."""
    return name.endswith(".toml")


def read_rules(path: Path) -> RuleFile:
    """A file of rules: a ``preset`` (``cirulla`` for none) and the fields that it changes; raises ``InputError``."""
    file = _read(path)
    fields = dict(file.values)
    preset = fields.pop("preset", "cirulla")
    if preset not in preset_names():
        raise file.fault(unknown("preset", str(preset), preset_names()), "preset")
    return RuleFile(path, file.checked(fields), file.lines, preset)


def own_house(name: str) -> dict[str, Any]:
    """A house rule of a user's own from its file: ``title``, ``fields``, and ``source``, which may be absent.

    Raises ``InputError`` that begins with the file's name.
    """
    file = _read(Path(name))
    data = {"source": "your own", **file.values}
    if file.path.stem in (*catalogue()["house"], *preset_names()) or "+" in file.path.stem:
        raise file.fault(
            InputError("{name!r} cannot be the name of a house rule of your own (rename the file)", file.path.stem)
        )
    for key in data:
        if key not in HOUSE_KEYS:
            raise file.fault(unknown("key", key, HOUSE_KEYS), key)
    for key in ("title", "source"):
        text = data.get(key)
        if not (isinstance(text, str) and 0 < len(text) <= LONGEST_TITLE and text.isprintable()):
            raise file.fault(
                InputError("{key} is not valid (valid: a line of up to {longest} characters)", key, LONGEST_TITLE)
            )
    fields = data.get("fields")
    if not isinstance(fields, dict) or not fields:
        raise file.fault(InputError("has no fields (valid: [fields] and then lines as piccola_max = 7)"))
    return {**data, "fields": file.checked(fields)}


def _read(path: Path) -> RuleFile:
    """A user's TOML file of bounded size; every error begins with the file's name."""
    try:
        text = read_text(path, "utf-8-sig", MOST_BYTES)
        if max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
            raise InputError(
                "{path}: has a line of more than {longest:_} characters (valid: shorter lines)", path, LONGEST_LINE
            )
        return RuleFile(path, tomllib.loads(text), _lines(text))
    except OSError as error:
        raise InputError(
            "{path}: cannot be read: {reason} (valid: a preset or a TOML file)", path, Message(str(error.strerror))
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            '{path}: is not text in UTF-8 (valid: a TOML file with preset = "..." and fields)', path
        ) from None
    except tomllib.TOMLDecodeError as error:
        what, line = _TOML_ERROR.findall(str(error))[0]
        raise InputError(
            "{path}, line {line}: is not valid TOML: {error} (valid: lines as target = 51 or matta = \"Qh\")",
            path, line or len(text.splitlines()), what[:1].lower() + what[1:],
        ) from None  # fmt: skip
    except RecursionError:
        raise InputError("{path}: is not valid TOML: nested too deep", path) from None


def _lines(text: str) -> dict[str, int]:
    """The line on which each key of a TOML text stands first.

    >>> _lines("preset = 'scopa'\\n# target = 3\\nfields = { target = 26 }")
    {'preset': 1, 'fields': 3, 'target': 3}
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for key in _KEY.findall(line.partition("#")[0]):
            found.setdefault(key, number)
    return found


def means_something(rules: Rules, name: str) -> bool:
    """Whether a field says anything under these rules: ``ace_choice`` does not where aces sweep nothing.

    Nor does ``cards_point`` where ``scoring`` has a category of cards.
    """
    spec = catalogue()["field"][name]
    needed = spec.get("needs")
    return spec.get("category") not in replaced_by(rules.scoring) and (needed is None or bool(getattr(rules, needed)))


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
    file = read_rules(Path(base)) if is_file(base) else RuleFile(Path(base), preset=base)
    chosen = {**preset_fields(file.preset), **file.values, **fields_of_houses(houses)}
    for name, value in (changes or {}).items():
        if name not in FIELDS:
            raise unknown("field", name, FIELDS)
        chosen[name] = check(name, value)
    if players is not None:
        chosen["players"] = players
    try:
        return _with_deal(chosen, file.preset)
    except InputError as error:
        raise file.fault(error) if is_file(base) else error from None


def _with_deal(chosen: dict[str, Any], preset: str) -> Rules:
    """The rules of some fields, with the deal plan and the partnership that follow from the players."""
    seats = catalogue()["preset"][preset]["seats"]
    count = check("players", chosen.get("players", 4))
    if count not in seats:
        raise InputError(
            "players {count!r} is not valid with preset {name!r} (valid: {seats})", format_value(count), preset, seats
        )
    chosen["players"] = count
    chosen.setdefault("partnership", count == 4)
    each, rest = divmod(40 - check("table_cards", chosen.get("table_cards", 4)), count)
    if "deal_plan" not in chosen and not rest and each % 3 == 0:
        chosen["deal_plan"] = (3,) * (each // 3)
    return Rules(**chosen)


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
    fields = [word for field, value in changed.items() for word in ("--rule", f"{field}={format_value(value)}")]
    return ["--rules", preset, "--players", str(rules.players), *fields]


def assignment(field: str, value: Any) -> str:
    """A field with its value, as a line of TOML.

    >>> assignment("deal_plan", (6, 3)), assignment("matta", None)
    ('deal_plan = [6, 3]', 'matta = "none"')
    """
    items = [
        format_value(item) if isinstance(item, (bool, int)) else json.dumps(format_value(item), ensure_ascii=False)
        for item in (value if isinstance(value, tuple) else (value,))
    ]
    return f"{field} = [{', '.join(items)}]" if isinstance(value, tuple) else f"{field} = {items[0]}"


def fields_of_houses(names: Iterable[str]) -> dict[str, Any]:
    """The fields that house rules set together, some of them files; raises ``InputError``, as ``house_fields``."""
    chosen = tuple(names)
    return house_fields(chosen, {name: own_house(name) for name in chosen if is_file(name)})
