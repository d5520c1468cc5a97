"""Arguments bound to a request: the one place where what is typed, or given from Python, is read and checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from ..advice.situations import Recorded, read_at
from ..core.arguments import machine, needs, several, switch_of
from ..core.errors import InputError, unknown
from ..engine import policies
from ..engine.policies import with_names
from ..experiments.autosave import saving
from ..experiments.progress import Watch
from ..experiments.runner import NOBODY, Execution
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp, each_line_up, line_ups
from ..situation.notation import Situation
from ..situation.people import seat_of
from ..storage.request import Effort, Request
from .option_model import Option, unread
from .options import VERBS


class RunOptions(TypedDict, total=False):
    """How a request is carried out, which changes nothing in its result: keyword arguments of every verb that runs.

    A long run saves its ``output``, a parquet file of the whole table, every ``save_every`` seconds and whenever it
    ends, and the same call resumes it; ``force`` replaces a file of anything else. ``progress=False`` hides the bar; a
    ``Watch`` in its place follows the run and may stop it.
    """

    output: str | Path | None
    save_every: float | str
    force: bool
    threads: int | str | None
    progress: bool | Watch


class EngineOptions(RunOptions, total=False):
    """The same of verbs that simulate.

    ``engine`` is ``threads``, ``serial`` or ``dask``, with a ``scheduler``'s address or with workers of this machine.
    """

    engine: str
    scheduler: str | None


class ExecutionOptions(EngineOptions, total=False):
    """The same of verbs that can ``resume`` other files than their output."""

    resume: str | Path | Sequence[str | Path] | None


@dataclass(frozen=True)
class Bound:
    """The arguments of a verb, each read and checked, by their names."""

    verb: str
    values: Mapping[str, Any]
    rules: RuleSet
    line_ups: tuple[LineUp, ...]
    situation: Situation | None = None
    recorded: Recorded | None = None

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
        progress = get("progress")
        watch = progress if isinstance(progress, Watch) else NOBODY
        shown = bool(progress) and watch is NOBODY
        return Execution(engine, threads, shown, store, get("records"), get("only") or (), watch=watch)


def read(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a verb by name, each read by its option.

    Raises ``InputError`` that names the flag, or an unknown argument.
    """
    arguments = {**arguments, **(keywords := arguments.get("keywords", {}))}
    for name in keywords:
        if name not in (valid := [*(option.name for option in VERBS[verb] if option.part != "display"), "progress"]):
            raise unknown("argument", name, valid, where=f"{verb}: ")
    progress = arguments.get("progress", True)
    values: dict[str, Any] = {"progress": progress if isinstance(progress, Watch) else switch_of("progress", progress)}
    for option in VERBS[verb]:
        if option.part == "display":
            continue
        given = arguments.get(option.name)
        given = with_names(given) if option.name == "policy" else given
        values[option.name] = option.default if given is None else _read(option, given)
    return values


def _read(option: Option, value: Any) -> Any:
    """An argument as its option reads it; what may be repeated is a tuple, or a mapping as it is given."""
    flag = option.short or option.flag
    if option.switch:
        return switch_of(flag, value)
    if not option.many:
        return option.read(flag, value)
    if isinstance(value, Mapping) and option.read is unread:
        return value
    return tuple(option.read(flag, item) for item in several(value, flag, (str, Path, LineUp)))


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


RULES = ("rules", "players", "house", "rule")
"""Arguments that a record replaces."""


def bind(
    verb: str, arguments: Mapping[str, Any], rules: RuleSet | None = None,
    asks: bool | Callable[[Situation | None], bool] = False, usual_precision: str | None = "points",
) -> Bound:  # fmt: skip
    """The arguments of a public function, read; ``arguments`` are its local variables.

    With ``asks``, which may depend on the situation, a line-up may name players as the person asking sees them wherever
    that person sits. Raises ``InputError`` that names the flag.
    """
    values = read(verb, arguments)
    situation, recorded = read_at(values.get("at"), values.get("me"), nights=verb in ("odds", "compare"))
    if recorded is not None:
        check_unset(verb, values, RULES, "cannot be combined with a record in --at (leave it out)")
        rules = recorded.rules
    if rules is None:
        rules = choose(*(values[name] for name in RULES))
    if "at" in values:
        values["at"] = str(recorded or situation) if recorded or situation else None
        values["me"] = None
    needs("--precision-of", values.get("precision_of"), "--precision", values.get("precision") is not None)
    if values.get("precision") is not None and values.get("precision_of") is None:
        values["precision_of"] = usual_precision
    seated = _line_ups(values.get("policy"), rules.fields, situation, asks(situation) if callable(asks) else asks)
    for name in dict.fromkeys(name for line_up in seated for name in line_up.names):
        try:
            policies.check(name)
        except InputError as error:
            raise InputError(f"--policy: {error}") from None
    if len(seated) > 1 and not next(option for option in VERBS[verb] if option.name == "policy").many:
        raise InputError(f"--policy {str(seated[1])!r}: one line-up is enough here (name one)")
    return Bound(verb, values, rules, seated, situation, recorded)


def _line_ups(policy: Any, rules: Rules, situation: Situation | None, asks: bool) -> tuple[LineUp, ...]:
    """The line-ups given, by who deals; as the person asking sees them where it is not said where they sit."""
    if policy is None:
        return ()
    i_am = None if situation is None else situation.i_am
    if i_am is not None:
        return line_ups(policy, rules, rules.side(seat_of(i_am, rules, 0, "--at: i am: ")))
    read = each_line_up(policy, asks)
    if asks and any(one.is_relative for one in read):
        return line_ups(read, rules, rules.dealer_side, named_us=True)
    return line_ups(read, rules, None)
