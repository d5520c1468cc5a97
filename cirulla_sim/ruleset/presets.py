"""The rules of a game as one frozen value, read from the catalogue, the presets and the house rules of ``rules.toml``.

>>> build("cirulla", players=2).deal_plan
(3, 3, 3, 3, 3, 3)
>>> build("cirulla", houses=["piccola-seven"], changes={"target": "26"}).differences(build("cirulla"))
{'piccola_max': 7, 'target': 26}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..core.errors import InputError, unknown
from .catalogue import catalogue, check, cited, house_fields, plain, preset_fields
from .categories import replaced_by
from .rule_files import RuleFile, is_file, own_house, read_rules
from .rules_model import FIELDS, Rules


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
    for field, value in (changes or {}).items():
        if field not in FIELDS:
            raise unknown("field", field, FIELDS)
        chosen[field] = check(field, value)
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
            "players {count!r} is not valid with preset {name!r} (valid: {seats})", plain(count), preset, seats
        )
    chosen["players"] = count
    chosen.setdefault("partnership", count == 4)
    each, rest = divmod(40 - check("table_cards", chosen.get("table_cards", 4)), count)
    if "deal_plan" not in chosen and not rest and each % 3 == 0:
        chosen["deal_plan"] = (3,) * (each // 3)
    return Rules(**chosen)


def preset_of(base: str) -> str:
    """The preset that rules are described from: the one named, or that of a TOML file; raises ``InputError``."""
    return read_rules(Path(base)).preset if is_file(base) else base


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
    return "\n".join([f'preset = "{preset}"', *(assignment(field, value) for field, value in changed.items())])


def assignment(field: str, value: Any) -> str:
    """A field with its value, as a line of TOML.

    >>> assignment("deal_plan", (6, 3)), assignment("matta", None)
    ('deal_plan = [6, 3]', 'matta = "none"')
    """
    items = [
        plain(item) if isinstance(item, (bool, int)) else json.dumps(plain(item), ensure_ascii=False)
        for item in (value if isinstance(value, tuple) else (value,))
    ]
    return f"{field} = [{', '.join(items)}]" if isinstance(value, tuple) else f"{field} = {items[0]}"


def fields_of_houses(names: Iterable[str]) -> dict[str, Any]:
    """The fields that house rules set together, some of them files; raises ``InputError``, as ``house_fields``."""
    chosen = tuple(names)
    return house_fields(chosen, {name: own_house(name) for name in chosen if is_file(name)})
