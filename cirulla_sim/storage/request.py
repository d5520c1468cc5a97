"""Requests: everything that the user asked for, as a value that is stored in every file.

A request is data. Reading one imports nothing, opens nothing and connects to nothing, whatever it names.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.arguments import command_text
from ..core.errors import InputError
from ..ruleset.catalogue import format_value, preset_names
from ..ruleset.presets import command_words
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import FIELDS, Rules
from ..situation.line_up import LineUp
from ..situation.notation import RECORDED, Situation

UNITS = ("hands", "games", "samples", "deals")

FLAGS = {"in_": "in"}
"""Arguments that Python cannot call as the command line does."""


_IS_VALID: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys((*UNITS, "first", "seed"), lambda x: type(x) is int and 0 <= x < 2**64),
    "precision": lambda x: x is None or (type(x) in (int, float) and 0 < x < math.inf),
    "precision_of": lambda x: x is None or isinstance(x, str),
}
"""What an effort may hold, as JSON."""


@dataclass(frozen=True)
class Effort:
    """How much is simulated: the number of hands, games or samples, from number ``first`` on, with a seed.

    ``number`` is None where nothing is simulated. With ``precision`` the run stops when the 95% half-width of
    ``precision_of`` is that small.
    """

    unit: str = "hands"
    number: int | None = None
    first: int = 0
    seed: int | None = 1
    precision: float | None = None
    precision_of: str | None = None

    def as_json(self) -> dict[str, Any]:
        """What is not the default, the number under the name of its unit."""
        value = {} if self.number is None else {self.unit: self.number}
        usual = asdict(Effort(self.unit, self.number, seed=None))
        return value | {name: x for name, x in asdict(self).items() if x != usual[name]}

    @classmethod
    def from_json(cls, value: object) -> Effort:
        """The effort that ``as_json`` gave; raises ``InputError`` for anything else."""
        given = value if isinstance(value, Mapping) else {"": None}
        units = [name for name in given if name in UNITS] or ["hands"]
        if len(units) > 1 or not all(name in _IS_VALID and _IS_VALID[name](x) for name, x in given.items()):
            raise InputError("its effort is not valid")
        rest = {name: x for name, x in given.items() if name != units[0]}
        return cls(units[0], given.get(units[0]), **{"seed": None} | rest)

    def words(self) -> list[str]:
        """The words of a command that ask for it."""
        options: dict[str, Any] = {self.unit: self.number, f"first-{self.unit[:-1]}": self.first or None}
        options |= {"seed": self.seed, "precision": self.precision, "precision-of": self.precision_of}
        return [word for name, x in options.items() if x is not None for word in (f"--{name}", _text(x))]


@dataclass(frozen=True)
class Request:
    """A verb and its arguments, by their names and of JSON types.

    ``situation`` are those that fix cards, ``question`` all others but the rules, line-ups and effort; where its
    ``policy`` is None, the line-up is the usual one, which nobody named. Arguments that only change speed, and the
    names of files, are not part of a request.
    """

    verb: str
    rules: RuleSet
    line_ups: tuple[LineUp, ...] = ()
    situation: Mapping[str, Any] = field(default_factory=dict)
    question: Mapping[str, Any] = field(default_factory=dict)
    effort: Effort = Effort(seed=None)

    def as_json(self) -> dict[str, Any]:
        """The request as JSON has it; ``from_json`` gives it back."""
        return {
            "verb": self.verb,
            "rules": rules_as_json(self.rules),
            "line_ups": [line_up.as_json() for line_up in self.line_ups],
            "situation": dict(self.situation),
            "question": dict(self.question),
            "effort": self.effort.as_json(),
        }

    @classmethod
    def from_json(cls, value: object) -> Request:
        """The request that ``as_json`` gave; raises ``InputError`` for anything else."""
        parts = ("verb", "rules", "line_ups", "situation", "question", "effort")
        if not isinstance(value, Mapping) or set(value) != set(parts) or not isinstance(value["verb"], str):
            raise InputError("its request is not valid")
        line_ups, situation, question = value["line_ups"], value["situation"], value["question"]
        if not (isinstance(line_ups, list) and isinstance(situation, Mapping) and isinstance(question, Mapping)):
            raise InputError("its request is not valid")
        if not all(isinstance(question.get(name, []), list) for name in ("expressions", "against")):
            raise InputError("its request is not valid")
        return cls(
            value["verb"],
            rules_from_json(value["rules"]),
            tuple(map(LineUp.from_json, line_ups)),
            dict(situation),
            dict(question),
            Effort.from_json(value["effort"]),
        )

    def identity(self, free: Collection[str] = ()) -> dict[str, Any]:
        """What must be the same where files are merged or a run is resumed: all but how much is simulated.

        ``free`` are the parts of the question that may differ.
        """
        effort = replace(self.effort, number=None, first=0, precision=None, precision_of=None, unit="hands")
        question = {name: x for name, x in self.question.items() if name not in free}
        same: dict[str, Any] = json.loads(json.dumps(replace(self, question=question, effort=effort).as_json()))
        return same

    def resized(self, number: int, first: int) -> Request:
        """The same with another number of trials, from another first one on, and without a precision."""
        effort = replace(self.effort, number=number, first=first, precision=None, precision_of=None)
        return replace(self, effort=effort)

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies that it names, each once: those of the line-ups, and those of the pairs of nights."""
        named = [name for line_up in self.line_ups for name in line_up.names]
        for text in (self.situation.get("at"), *self.question.get("against", ())):
            named += _policies_of_pairs(text) if isinstance(text, str) else ()
        return tuple(dict.fromkeys(named))

    def command(self, **files: Path | None) -> str:
        """The command that carries the request out, for a reader; ``files`` are paths by the names of their options."""
        question = dict(self.question)
        words = ["cirulla-sim", self.verb, *question.pop("expressions", ())]
        words += _rules_words(self, question)
        named = () if "policy" in question else self.line_ups
        words += [word for line_up in named for word in ("--policy", str(line_up))]
        words += _words(self.situation) + self.effort.words() + _words(question)
        for name, path in files.items():
            words += [] if path is None else ["-o" if name == "output" else f"--{name}", str(path)]
        return command_text(words)


def rules_as_json(rules: RuleSet) -> dict[str, Any]:
    """A rule set as JSON has it: its preset, all fields, and its name where it is another."""
    name = {} if rules.name == rules.preset else {"name": rules.name}
    fields = {
        name: value for name, value in asdict(rules.fields).items() if name in _ALWAYS_WRITTEN or value != USUAL[name]
    }
    return {"preset": rules.preset, "fields": json.loads(json.dumps(fields)), **name}


def _policies_of_pairs(text: str) -> list[str]:
    """The policies that a situation names for the pairs of a night; none of any other text."""
    try:
        night = Situation.parse(text).night
    except InputError:
        return []
    return [] if night is None else [name for name in night.pairs if name is not None]


_ALWAYS_WRITTEN = (
    "players", "partnership", "deal_plan", "table_cards", "misdeal_rank", "misdeal_count", "misdeal_redeal",
    "misdeal_dealer", "misdeal_three_equal", "misdeals_lose", "table_four_equal_wins", "matta", "matta_low",
    "matta_on_table", "table_15", "table_30", "table_low", "hand_low", "hand_triple", "hand_both", "show_bonus",
    "knock_timing", "open_partners", "open_last_stage", "bonus_cards_first", "capture_by", "equal_first",
    "capture_optional", "ace_sweep", "ace_choice", "ace_blocked", "ace_sweep_scopa", "last_card_scopa", "cards_point",
    "diamonds_point", "settebello_point", "primiera", "primiera_point", "grande", "grande_extended", "piccola_max",
    "all_diamonds", "target", "hands_per_game", "hands_tie", "best_of", "knockout_tiebreak",
)  # fmt: skip
"""Fields that every file has. Later ones are written where they are not as they always were before they existed."""

USUAL = asdict(Rules())
NOT_WRITTEN = {name: value for name, value in USUAL.items() if name == "show_bonus" or name not in _ALWAYS_WRITTEN}
"""Fields that files may lack, with the only value that hands were played by then."""


def rules_from_json(value: object) -> RuleSet:
    """The rule set that ``rules_as_json`` gave; raises ``InputError`` for anything else."""
    if not isinstance(value, Mapping) or not isinstance(value.get("fields"), Mapping):
        raise InputError("its rules are not valid")
    preset, given = value.get("preset"), NOT_WRITTEN | value["fields"]
    if preset not in preset_names() or set(given) != set(FIELDS):
        raise InputError("its rules are not those of this version")
    name = value.get("name")
    base = f"{Path(name).name}.toml" if isinstance(name, str) else str(preset)
    return RuleSet(Rules(**given), base, own_preset=str(preset))


def _rules_words(request: Request, question: dict[str, Any]) -> list[str]:
    """The words that ask for the rules: a record has its own; a comparison changes single fields of all rules."""
    if RECORDED.match(str(request.situation.get("at", ""))):
        return []
    if request.verb != "compare":
        return command_words(request.rules.fields, request.rules.preset)
    words = ["--rules", request.rules.base, *_words({name: question.pop(name, None) for name in ("players", "rule")})]
    against = [word for other in question.pop("against", ()) for word in _rival_words(other)]
    words += _words({"house": question.pop("house", None)})
    return words + against


def _rival_words(other: Any) -> list[str]:
    """What is compared with, as a command names it: a night, single fields, a preset, a file, or house rules from
    files."""
    if isinstance(other, str):
        return ["--against", other]
    if "rule" in other:
        return _words({"rule": other["rule"]})
    if "house" in other:
        return ["--house", str(other["house"])]
    name = other.get("name", other.get("preset"))
    return ["--against", name if name in preset_names() else f"{name}.toml"]


def _words(options: Mapping[str, Any]) -> list[str]:
    """The words for options by the names of their arguments."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{FLAGS.get(name, name).replace('_', '-')}"
        if value is None:
            continue
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{name}")
        else:
            words += [word for item in (value if isinstance(value, list) else [value]) for word in (flag, _text(item))]
    return words


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else format_value(value)
