"""Arguments bound to a request: the one place where what is typed, or given from Python, is read and checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from ..core.arguments import machine, needs, words
from ..core.errors import InputError, unknown
from ..engine import policies
from ..experiments.autosave import saving
from ..experiments.runner import Execution
from ..ruleset.rule_set import RuleSet, choose
from ..situation.deal_text import tidy
from ..situation.line_up import LineUp, line_ups
from ..storage.request import Effort, Request
from .options import VERBS, Option


class RunOptions(TypedDict, total=False):
    """How a request is carried out, which changes nothing in its result: keyword arguments of every verb that runs.

    A long run saves its ``output``, a parquet file of the whole table, every ``save_every`` seconds and whenever it
    ends, and the same call resumes it; ``force`` replaces a file of anything else. ``progress=False`` hides the bar.
    """

    output: str | Path | None
    save_every: float | str
    force: bool
    threads: int | str | None
    progress: bool


class EngineOptions(RunOptions, total=False):
    """The same of verbs that simulate.

    ``engine`` is ``threads``, ``serial`` or ``dask``, with a ``scheduler``'s address or with workers of this machine.
    """

    engine: str
    scheduler: str | None


class ExecutionOptions(EngineOptions, total=False):
    """The same of verbs that can ``resume`` other files than their output."""

    resume: str | Path | Sequence[str | Path] | None


class PositionOptions(TypedDict, total=False):
    """A position in mid-hand, as a seat knows it: keyword arguments of ``odds`` and ``advise``.

    ``table`` and ``holding`` are the cards that lie open and your own; ``seen`` are cards gone, ``held`` how many cards
    the others hold, ``seat`` your place in the order of play, ``shown`` cards of the others that you know, ``matta_as``
    the value of a matta that lies open. What remains of the hand also depends on ``piles`` (``"mine: 7d; theirs:
    Kd"``), ``stage`` (which dealing of cards this is) and ``points``, sweeps and bonuses so far (``"2-1"``).
    """

    table: str | None
    holding: str | None
    seen: str | None
    held: str | Sequence[int] | None
    seat: int | str | None
    shown: str | Sequence[str]
    matta_as: int | str | None
    piles: str | None
    stage: int | str | None
    points: str | None


@dataclass(frozen=True)
class Bound:
    """The arguments of a verb, each read and checked, by their names."""

    verb: str
    values: Mapping[str, Any]
    rules: RuleSet
    line_ups: tuple[LineUp, ...]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def part(self, part: str) -> dict[str, Any]:
        """The arguments of a part of the request that are not the default."""
        return {
            option.name: _as_data(option, self.values[option.name])
            for option in VERBS[self.verb]
            if option.part == part and self.values[option.name] != option.default
        }

    def request(self, effort: Effort, **question: Any) -> Request:
        """The request; ``question`` replaces or adds to the part of this name, None leaves an entry out.

        Its entries are in the order of the options, however they were given, so that equal requests have equal bytes.
        """
        entries = self.part("question") | question
        names = dict.fromkeys(option.name for option in VERBS[self.verb]) | dict.fromkeys(entries)
        question = {name: entries[name] for name in names if entries.get(name) is not None}
        return Request(self.verb, self.rules, self.line_ups, self.part("situation"), question, effort)

    def effort(self, unit: str = "hands", number: int | None = None) -> Effort:
        """The number of trials, seed and precision, as far as the verb has these options."""
        get = self.values.get
        return Effort(
            unit, get(unit) if number is None else number, get(f"first_{unit[:-1]}") or 0, get("seed"),
            get("precision"), get("precision_of"),
        )  # fmt: skip

    def execution(self) -> Execution:
        """Engine, files and progress."""
        get = self.values.get
        engine, threads = machine(get("engine") or "threads", get("threads"), get("scheduler"))
        store = saving(get("output"), get("resume"), get("save_every") or 60.0, bool(get("force")))
        return Execution(engine, threads, bool(get("progress")), store, get("records"), words(get("only")))


def read(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a verb by name, each read by its option.

    Raises ``InputError`` that names the flag, or an unknown argument.
    """
    arguments = {**arguments, **(keywords := arguments.get("keywords", {}))}
    for name in keywords:
        if name not in (valid := [*(option.name for option in VERBS[verb] if option.part != "display"), "progress"]):
            raise unknown("argument", name, valid, where=f"{verb}: ")
    values: dict[str, Any] = {"progress": arguments.get("progress", True)}
    for option in VERBS[verb]:
        if option.part == "display":
            continue
        value = arguments.get(option.name, option.default)
        values[option.name] = value if _is_unset(option, value) else option.read(option.short or option.flag, value)
    return values


def check_unset(verb: str, values: Mapping[str, Any], names: Collection[str], reason: str) -> None:
    """Raise ``InputError`` that names the flag and the reason for an argument, of some, that is not the default."""
    for option in VERBS[verb]:
        if option.name in names and values[option.name] not in (option.default, None, (), [], {}):
            raise InputError(f"{option.flag} {reason}")


def _as_data(option: Option, value: Any) -> Any:
    """A value as a request has it: what may be repeated is a list."""
    if not option.many:
        return value
    return [value] if isinstance(value, str) else list(value)


def _is_unset(option: Option, value: Any) -> bool:
    return value is None or option.switch or option.many


def bind(
    verb: str, arguments: Mapping[str, Any], rules: RuleSet | None = None, us: int | None = None,
    named_us: bool = False, usual_precision: str | None = "points",
) -> Bound:  # fmt: skip
    """The arguments of a public function, read; ``arguments`` are its local variables.

    ``us`` is our side, by default the dealer's; with ``named_us`` line-ups are stored as ``us`` and ``them``. Raises
    ``InputError`` that names the flag.
    """
    values = read(verb, arguments)
    if rules is None:
        rules = choose(values["rules"], values["players"], values["house"], values["rule"])
    needs("--precision-of", values.get("precision_of"), "--precision", values.get("precision") is not None)
    if values.get("precision") is not None and values.get("precision_of") is None:
        values["precision_of"] = usual_precision
    if values.get("deal") is not None:
        values["deal"] = tidy(values["deal"])
    side = rules.fields.dealer_side if us is None else us
    policy = values.get("policy")
    seated = () if policy is None else line_ups(policy, rules.fields, side, named_us)
    for name in dict.fromkeys(name for line_up in seated for name in line_up.names):
        try:
            policies.check(name)
        except InputError as error:
            raise InputError(f"--policy: {error}") from None
    if len(seated) > 1 and not next(option for option in VERBS[verb] if option.name == "policy").many:
        raise InputError(f"--policy {str(seated[1])!r}: one line-up is enough here (name one)")
    return Bound(verb, values, rules, seated)
