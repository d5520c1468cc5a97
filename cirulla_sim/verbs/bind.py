"""Arguments bound to a request: the rules, line-ups and situation that they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.arguments import check_needs
from ..core.console import is_watched
from ..core.errors import InputError
from ..core.messages import Message
from ..engine import policies
from ..experiments.checkpoints import Saving
from ..experiments.progress import NOBODY, ProgressBar, Watch
from ..experiments.runner import Execution
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp, each_line_up, read_line_ups
from ..situation.notation import RECORDED, Situation, with_matta
from ..situation.people import seat_of
from ..storage.request import Effort, Request
from .options import Arguments

if TYPE_CHECKING:
    from ..advice.decision_points import Recorded
    from ..situation.constraints import DealConstraints


@dataclass(frozen=True)
class Bound(Arguments):
    """The same with the rules, line-ups and situation that they name."""

    rules: RuleSet
    line_ups: tuple[LineUp, ...]
    situation: Situation | None = None
    recorded: Recorded | None = None

    def request(self, effort: Effort, **question: Any) -> Request:
        """The request; ``question`` replaces or adds to the part of this name, None leaves an entry out.

        Its entries are in the order of the options, however they were given, so that equal requests have equal bytes.
        """
        entries = self.part("question") | question
        names = dict.fromkeys(option.name for option in self.options) | dict.fromkeys(entries)
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
        engine, scheduler = get("engine", "threads"), get("scheduler")
        check_needs("--scheduler", scheduler, "--engine dask", engine == "dask")
        engine = f"{engine}@{scheduler}" if scheduler else engine
        saving = Saving(get("output"), get("resume") or (), get("save_every", 60.0), get("force", False))
        progress = self["progress"]
        watch = progress if isinstance(progress, Watch) else ProgressBar() if progress and is_watched() else NOBODY
        return Execution(engine, get("threads"), saving, get("records"), get("only") or (), watch=watch)


RULES = ("rules", "players", "house", "rule")
"""Arguments that a record replaces."""


def bind(
    arguments: Arguments, rules: RuleSet | None = None, asks: bool | Callable[[Situation | None], bool] = False,
    usual_precision: str | None = "points",
) -> Bound:  # fmt: skip
    """Arguments with the rules, line-ups and situation that they name; ``rules`` if these are chosen already.

    With ``asks``, which may depend on the situation, a line-up may name players as the person asking sees them wherever
    that person sits. Raises ``InputError`` that names the flag.
    """
    verb, values = arguments.verb, {**arguments.values}
    at = values.get("at")
    if rules is None and not (at and RECORDED.match(at)):
        rules = choose(*(values[name] for name in RULES))
    situation, recorded = None, None
    if at is not None or values.get("me") is not None:
        from ..advice.decision_points import read_at  # here since most runs are of any deal

        shown = at if at is None or rules is None else with_matta(at, rules.fields.matta)
        situation, recorded = read_at(shown, values.get("me"), nights=verb in ("odds", "compare"))
    if recorded is not None:
        arguments.check_unset(RULES, Message("cannot be combined with a record in --at (leave it out)"))
        rules = recorded.rules
    assert rules is not None
    if "at" in values:
        values["at"] = str(recorded or situation) if recorded or situation else None
        values["me"] = None
    check_needs("--precision-of", values.get("precision_of"), "--precision", values.get("precision") is not None)
    if values.get("precision") is not None and values.get("precision_of") is None:
        values["precision_of"] = usual_precision
    seated = _line_ups(values.get("policy"), rules.fields, situation, asks(situation) if callable(asks) else asks)
    for name in dict.fromkeys(name for line_up in seated for name in line_up.names):
        try:
            policies.check_policy(name)
        except InputError as error:
            raise InputError("--policy: {error}", error) from None
    if len(seated) > 1 and not next(option for option in arguments.options if option.name == "policy").many:
        raise InputError("--policy {policy!r}: one line-up is enough here (name one)", seated[1])
    return Bound(verb, arguments.options, values, rules, seated, situation, recorded)


def _line_ups(policy: Any, rules: Rules, situation: Situation | None, asks: bool) -> tuple[LineUp, ...]:
    """The line-ups given, by who deals; as the person asking sees them where it is not said where they sit."""
    if policy is None:
        return ()
    i_am = None if situation is None else situation.i_am
    if i_am is not None:
        return read_line_ups(policy, rules, rules.side(seat_of(i_am, rules, 0, "--at: i am: ")))
    read = each_line_up(policy, asks)
    if asks and any(one.is_relative for one in read):
        return read_line_ups(read, rules, rules.dealer_side, named_us=True)
    return read_line_ups(read, rules, None)


def deal_constraints(at: str | Situation | None, *rules: Rules) -> DealConstraints | None:
    """What ``questions.known_deals.known_deal`` gives; the counting of cards is imported only where some are known."""
    if at is None:
        return None
    from ..questions import known_deals

    return known_deals.known_deal(at, *rules)
