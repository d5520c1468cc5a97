"""Rules chosen by name: a preset or a file, with house rules and changed fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ..core.arguments import count, texts_of
from ..core.errors import InputError, unknown
from ..core.locale import language
from ..core.messages import Message
from .catalogue import catalogue, format_value, house_names, preset_names, says
from .doubts import Doubt, doubts_of
from .how_to_play import commented_toml, how_to_play
from .presets import assignment, build, is_file, means_something, own_house, read_rules, sources
from .rules_model import FIELDS, Rules


@dataclass(frozen=True, repr=False)
class RuleSet:
    """Rules and what they are called: ``base`` is a preset or a file, ``houses`` the house rules on top.

    ``fields`` are the rules themselves: ``rules("scopa").fields.target``.
    """

    fields: Rules
    base: str = "cirulla"
    houses: tuple[str, ...] = ()
    own_preset: str | None = None
    """The preset that the rules are described from, where ``base`` is a file that need not exist any more."""

    @property
    def preset(self) -> str:
        """The preset that the rules are described from."""
        if self.own_preset or not is_file(self.base):
            return self.own_preset or self.base
        return read_rules(Path(self.base)).preset

    @property
    def name(self) -> str:
        """What the rule set is called in a table: the preset's name, or the file's without its ending."""
        return Path(self.base).stem if self.base.endswith(".toml") else self.base

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that differ from those of the preset for as many players, with the values they have here."""
        return self.fields.differences(build(self.preset, players=self.fields.players))

    def differences(self, other: RuleSet) -> dict[str, Any]:
        """The fields in which these rules differ from others, with the values they have here."""
        return self.fields.differences(other.fields)

    @property
    def sources(self) -> dict[str, str]:
        """Where the value of each field comes from."""
        return sources(self.fields, self.preset, self.houses)

    def toml(self) -> str:
        """The rules as a file for ``--rules``: the preset, then the fields that differ from it.

        >>> print(rules("cirulla", house=["short-game", "no-matta"]).toml())
        preset = "cirulla"
        matta = "none"
        target = 26
        """
        changed = self.fields.differences(build(self.preset))
        return "\n".join(assignment(field, value) for field, value in {"preset": self.preset, **changed}.items())

    def commented_toml(self, file: str = "my_club.toml", lang: str = "en") -> str:
        """The rules as a TOML file with every field, each with a line on what it does and what else it may be."""
        return commented_toml(self.fields, self.preset, file, lang)

    def how_to_play(self, lang: str = "en") -> str:
        """The whole game in plain words, in its order: the deal, captures, bonuses, scoring, the end."""
        say = language(lang).translate
        parts = how_to_play(self.fields).items()
        return "\n".join(
            line
            for part, sentences in parts
            for line in (say(Message(part)), *(f"  {say(each)}" for each in sentences))
        )

    @property
    def doubts(self) -> list[Doubt]:
        """What is doubtful: fields that say nothing, contradict each other, pay twice or never, with a sentence."""
        return doubts_of(self.fields, self.changes)

    def sections(self) -> list[tuple[Message, list[Message]]]:
        """The rules in plain words: parts of the game, each with a line a rule and its source."""
        where = self.sources
        parts: dict[Message, list[Message]] = {}
        for field in FIELDS:
            if means_something(self.fields, field):
                line = Message(
                    "{rule} [{source}]", says(field, getattr(self.fields, field), self.fields), credit(where[field])
                )
                parts.setdefault(Message(catalogue()["field"][field]["part"]), []).append(line)
        return list(parts.items())

    @property
    def heading(self) -> Message:
        """The preset, what it is, and its source."""
        spec = catalogue()["preset"][self.preset]
        return Message("{preset}: {title} [{source}]", self.preset, Message(spec["title"][0]), credit(spec["source"]))

    def text(self, lang: str = "en") -> str:
        """The rules in plain words, in ``en`` or ``it``."""
        lines = [self.heading]
        if self.houses:
            lines.append(Message("with {houses}", map(_described, self.houses)))
        for part, rules in self.sections():
            lines += [Message(""), part, *(Message("  {rule}", rule) for rule in rules)]
        return "\n".join(map(language(lang).translate, lines))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        changed = [f"{field}={format_value(value)}" for field, value in self.changes.items()]
        parts = [f"{self.fields.players} players", *changed]
        line = f"<rules {self.name}, {', '.join(parts)}>"
        return line if len(line) <= 100 else f"{line[:96]}...>"

    def _repr_html_(self) -> str:
        houses = f"<p>with {escape(', '.join(map(_described, self.houses)))}</p>" if self.houses else ""
        parts = [
            f"<h4>{escape(part)}</h4><ul>{''.join(f'<li>{escape(rule)}</li>' for rule in rules)}</ul>"
            for part, rules in self.sections()
        ]
        return f"<h3>{escape(self.heading)}</h3>{houses}{''.join(parts)}"


def credit(text: str) -> Message:
    """A source whose notes in brackets each language says.

    >>> language("it").translate(credit("000 (some groups), 001"))
    '000 (alcuni gruppi), 001'
    """
    notes = re.findall(r"\(([^()]*)\)", text)
    places = (f"({{note{place}}})" for place in range(len(notes)))
    return Message(re.sub(r"\([^()]*\)", lambda _: next(places), text), *map(Message, notes))


def _described(house: str) -> str:
    """A house rule by its name; one of the user's own by what its file says, too."""
    if not is_file(house):
        return house
    spec = own_house(house)
    return f"{Path(house).stem} ({spec['title']} [{spec['source']}])"


def choose(
    rules: str | Path | Rules | RuleSet | None = None,
    players: object = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
) -> RuleSet:
    """A rule set by name: a preset (``cirulla`` for none), a file ending in ``.toml``, or one chosen before.

    ``house`` names house rules or files of them, ``rule`` single fields, as ``target=26`` or as a mapping.

    Raises ``InputError`` that names the flag.
    """
    if not isinstance(rules, (str, Path, Rules, RuleSet)) and rules is not None:
        raise InputError(
            "--rules {rules!r} is not valid (valid: a preset, a file, or rules of cirulla_sim.rules)", rules
        )
    if isinstance(rules, (RuleSet, Rules)):
        for flag, value in (("--players", players), ("--house", house), ("--rule", rule)):
            if value not in (None, (), [], {}):
                raise InputError("{flag} {value!r} comes after the rules (valid: in cirulla_sim.rules)", flag, value)
        return rules if isinstance(rules, RuleSet) else RuleSet(rules, nearest_preset(rules))
    base, houses, fields = "cirulla" if rules is None else str(rules), texts_of("--house", house), _fields(rule)
    seats = None if players is None else count("--players", players, 2, 4)
    if not base.endswith(".toml") and base not in preset_names():
        raise unknown("preset", base, preset_names(), where="--rules: ")
    for name in houses:
        if not is_file(name) and name not in house_names():
            raise unknown("house rule", name, house_names(), where="--house: ")
    if seats is not None and format_value(fields.setdefault("players", str(seats))) != str(seats):
        raise InputError(
            "--players {seats!r} and --rule players={players!r} clash (give one of them)",
            seats, fields["players"],
        )  # fmt: skip
    return RuleSet(build(base, players=seats, houses=houses, changes=fields), base, houses)


def _fields(rule: str | Sequence[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Single fields, from a mapping or from texts as ``target=26``."""
    fields: dict[str, Any] = {}
    for change in rule.items() if isinstance(rule, Mapping) else texts_of("--rule", rule):
        name, equals, value = change.partition("=") if isinstance(change, str) else (change[0], "=", change[1])
        if not equals:
            raise InputError("--rule {change!r} has no value (valid: FIELD=VALUE, as target=26)", change)
        if name not in FIELDS:
            raise unknown("field", str(name), FIELDS, where="--rule: ")
        if name in fields and fields[name] != value:
            raise InputError(
                "--rule {name} is given twice, as {first!r} and as {second!r} (give it once)",
                name, fields[name], value,
            )  # fmt: skip
        fields[name] = value
    return fields


def nearest_preset(rules: Rules) -> str:
    """The preset with the fewest differences from some rules; of equal ones the first of the catalogue."""

    def distance(preset: str) -> int:
        if rules.players not in catalogue()["preset"][preset]["seats"]:
            return len(FIELDS)
        return len(rules.differences(build(preset, players=rules.players)))

    return min(preset_names(), key=distance)


def rules(
    base: str | Path = "cirulla",
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    **fields: Any,
) -> RuleSet:
    """A rule set: a preset or a TOML file, with house rules and single fields on top.

    ``base`` is a preset (``cirulla-sim rules list``) or the path of a file ending in ``.toml``. ``house`` is the name
    of a house rule or the file of one of your own, or several; single fields are set by ``rule`` (``"target=26"``, or a
    mapping) or as arguments of their own names. The value shows itself in plain words, each line with its source.

    Raises ``InputError`` for unknown names, values that are not valid and rules that cannot be dealt.

    >>> rules("cirulla", players=2, house="piccola-seven", target=26)
    <rules cirulla, 2 players, piccola_max=7, target=26>
    >>> rules("cirulla", piccola_mx=7)
    Traceback (most recent call last):
    cirulla_sim.core.errors.InputError: --rule: unknown field 'piccola_mx': did you mean 'piccola_max'? (valid: ...
    """
    return choose(base, players, house, _fields(rule) | _fields(fields))
