"""House rules and other rule sets compared on the same deals; formats of a night, on the same nights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from ..core.arguments import exclude
from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..core.numerals import one_in
from ..engine.engines import Run
from ..engine.policies import USUAL
from ..experiments.compared_hands import (
    CHANGES,
    LABEL,
    all_house_rules,
    compare_rule_sets,
    hands_table,
    house_rule,
    interactions,
    join_comparisons,
)
from ..experiments.comparison import Comparison, side_by_side
from ..experiments.game_quantities import game_rows
from ..experiments.nights import compare_formats, format_remarks, nights_table
from ..experiments.runner import Execution, TrialsJob, carry_out
from ..experiments.tally import table_schema
from ..reporting.result import Result
from ..reporting.text.labels import rules_words
from ..ruleset.catalogue import catalogue, format_value, house_names, preset_names
from ..ruleset.presets import fields_of_houses, is_file, own_house
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.line_up import ALL
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, Night, is_night
from ..situation.notation import Situation
from ..storage.request import Request, rules_as_json, rules_from_json
from .bind import Bound, bind, deal_constraints
from .options import Arguments

USUAL_HANDS, USUAL_GAMES, USUAL_NIGHTS = 1_000_000, 10_000, 20_000
"""Hands or nights to play unless ``hands`` says how many, and games where nothing else differs."""

Change = str | Sequence[str] | Mapping[str, Any]
Named = tuple[str, str, RuleSet]
"""Rules with the option and the value that name them."""


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    rules, players, rule, against = (given[name] for name in ("rules", "players", "rule", "against"))
    nights = is_night(given["at"])
    for text in () if nights else filter(is_night, against):
        raise InputError(
            '--against {text!r} requires --at with a night of the same pairs (add: --at "night: ...")', text
        )
    fields = None if nights or against or given["house"] or given["all_houses"] else rule or None
    if fields is not None:  # nothing else to compare with
        rule = ()
    base = choose(rules, players, (), rule)
    arguments = bind(given, base, usual_precision="wins_night" if nights else "points")
    exclude("--first-hand", given["first_hand"], **{name: given[name] for name in ("precision", "games", "unpaired")})
    if isinstance(rules, (Rules, RuleSet)):
        players, rule = base.fields.players, base.changes
    if isinstance(rule, Mapping):
        rule = [f"{name}={format_value(value)}" for name, value in rule.items()]
    question = {"players": players, "rule": list(rule) or None}
    if nights:
        return Result.of(carry_out(job_of(_request_of_nights(arguments, against, question)), arguments.execution()))
    variants, left_out = all_house_rules(base.fields, *arguments.line_ups) if given["all_houses"] else ({}, {})
    houses = list(dict.fromkeys([*variants, *arguments["house"]]))
    for name in (part for house in houses for part in house.split("+")):
        if not is_file(name) and name not in house_names():
            raise unknown("house rule", name, house_names(), where="--house: ")
    own = [house for house in houses if any(map(is_file, house.split("+")))]
    houses = [house for house in houses if house not in own]
    rivals: dict[str, RuleSet] = {}
    for flag, name, rival in _rivals(given, base, own, fields):
        if rival.name in (base.name, *houses, *rivals):
            raise InputError("{flag} {name!r}: {other!r} is compared already (name another)", flag, name, rival.name)
        rivals[rival.name] = rival
    if not (houses or rivals):
        raise InputError(
            "nothing to compare with (valid: --house NAME, --all-houses, --rule FIELD=VALUE, --against PRESET)"
        )

    def job_with(games: int | None) -> TrialsJob:
        return job_of(arguments.request(
            arguments.effort(number=arguments["hands"] or USUAL_HANDS), **question, all_houses=None,
            house=houses or None, against=[_as_json(rival, base) for rival in rivals.values()] or None, games=games,
        ))  # fmt: skip

    job, remarks = job_with(arguments["games"]), [Message("Left out: {name} ({reason})", *x) for x in left_out.items()]
    if isinstance(job, CompareJob) and job.only_games_differ and not (arguments["games"] or arguments["first_hand"]):
        job = job_with(USUAL_GAMES)
        remarks.append(Message("Only whole games differ, so {games:,} are played too (--games N).", USUAL_GAMES))
    result = Result.of(carry_out(job, arguments.execution()))
    return replace(result, remarks=(*remarks, *result.remarks))


def _rivals(given: Arguments, base: RuleSet, own: Sequence[str], single: Change | None) -> Iterator[Named]:
    """The rules to compare with besides house rules of the catalogue: a user's ``own``, ``single`` fields, other sets.

    Raises ``InputError`` for those that cannot be, and that differ in nothing.
    """
    rules, players, rule = given["rules"], given["players"], given["rule"]
    for house in own:  # called a+mine for "a+mine.toml"
        name = "+".join(Path(part).name.removesuffix(".toml") for part in house.split("+"))
        changed = replace(base.fields, **fields_of_houses(house.split("+")))
        yield "--house", house, RuleSet(changed, f"{name}.toml", (house,), base.preset)
    if single is not None:  # called hand_triple=5
        changed = choose(rules, players, (), single).fields
        if not (differences := changed.differences(base.fields)):
            raise InputError("--rule: the rules have it already (valid: another value)")
        name = ", ".join(f"{field}={format_value(value)}" for field, value in differences.items())
        yield "--rule", "", RuleSet(changed, f"{name}.toml", own_preset=base.preset)
    for name in given["against"]:
        if not name.endswith(".toml") and name not in preset_names():
            raise unknown("preset", name, preset_names(), where="--against: ")
        seats = catalogue()["preset"].get(name, {"seats": [players]})["seats"]
        apart = given["unpaired"] and players not in seats  # then these rules have players of their own number
        yield "--against", name, choose(name, None if apart else players, (), rule)


def _as_json(rival: RuleSet, base: RuleSet) -> dict[str, Any]:
    """Rules that are compared, all their fields, so that no file is read again; how a command names them, and a title
    where a file of house rules gives one."""
    written = rules_as_json(rival)
    if rival.houses:
        parts = rival.houses[0].split("+")
        titles = (own_house(part)["title"] if is_file(part) else rules_words(part) for part in parts)
        return written | {"house": "+".join(Path(part).name for part in parts), "title": " + ".join(titles)}
    if "=" in rival.name:
        changed = rival.fields.differences(base.fields)
        return written | {"rule": [f"{field}={format_value(value)}" for field, value in changed.items()]}
    return written


@dataclass(frozen=True)
class RunWithGames(Run):
    """A run of hands, and the rows of the games that were played after it."""

    games: pl.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class CompareJob(TrialsJob):
    """Hands under every rule set, and then the games that the request names, which no file of a run holds."""

    comparisons: Mapping[str, Comparison]
    """Those of the rule sets by line-up."""
    free = frozenset({"games", "players", "rule"})

    @property
    def schema(self) -> str:  # type: ignore[override]
        return "compare/2" if len(self.comparisons) == 1 else "compare-line-ups/2"

    @property
    def first(self) -> Comparison:
        """What the first line-up plays."""
        return next(iter(self.comparisons.values()))

    @property
    def sets(self) -> dict[str, Rules]:
        """The rule sets by name."""
        return {name: arm.rules for name, arm in self.first.arms.items()}

    @property
    def only_games_differ(self) -> bool:
        """Whether every hand goes the same way under all rule sets, whoever plays, and games end otherwise."""
        (_, rules), *others = self.sets.items()
        ends = {field for field, about in catalogue()["field"].items() if about["part"] == "Game"}
        same = all(name in comparison.same for name, _ in others for comparison in self.comparisons.values())
        return same and all(ends & other.differences(rules).keys() for _, other in others)

    def rows(self, run: Run) -> pl.DataFrame:
        if len(self.comparisons) == 1:
            return hands_table(run)
        return side_by_side(run, hands_table, partial(interactions, self.comparisons), LABEL)

    def precise(self, frame: pl.DataFrame, quantity: str) -> pl.DataFrame:
        return frame.filter(quantity=quantity, kind=_CHANGES.get(quantity, "difference"))

    def same(self) -> dict[str, Any]:
        return {"unpaired": self.first.number} if self.first.unpaired else {}

    def advance(self, earlier: Run | None, execution: Execution, on_growth: Callable[[Run], None]) -> Run:
        run = super().advance(earlier, execution, on_growth)
        games = self.request.question.get("games")
        if games is None or run.stopped == "interrupted":
            return run
        try:
            rows = [
                {"policy": line_up, **row}
                for line_up, comparison in self.comparisons.items()
                for row in game_rows(comparison, games, execution)
            ]
        except KeyboardInterrupt:
            return replace(run, stopped="interrupted")
        frame = pl.DataFrame(rows, schema=table_schema("policy", LABEL), orient="row")
        return RunWithGames(run.experiment, run.tally, run.done, run.stopped, run.gaps, frame)

    def rules_of(self, row: Mapping[str, Any]) -> Rules:
        return self.first.arms[str(row[LABEL])].rules

    def uncorrected(self, state: Run) -> pl.DataFrame:
        frame = super().uncorrected(state)
        games = state.games if isinstance(state, RunWithGames) else None
        return frame if games is None else pl.concat([frame, games.select(frame.columns)])

    def facts(self, state: Run) -> dict[str, Any]:
        """``hands_table``, the fields that each rule set changes, and ``seldom``, of those that played only deals which
        they may change the number of first tables and the chance of such a deal; unpaired, how many hands each has."""
        (_, rules), *others = self.sets.items()
        strata = self.first.strata.items()
        seldom = {name: {"tables": len(deals.tables), "chance": str(deals.chance)} for name, deals in strata}
        compared = {name: other.differences(rules) for name, other in others}
        about = {"compared": compared} | ({"seldom": seldom} if seldom else {})
        return super().facts(state) | about

    def notes(self, state: Run) -> Iterator[str]:
        (base, rules), *others = self.sets.items()
        for name, other in others:
            if rules.sides != other.sides:
                yield Message("{name} has {sides} sides and {base} {others}.", name, other.sides, base, rules.sides)
        yield from super().notes(state)

    def method_notes(self, state: Run) -> Iterator[str]:
        (_, rules), *others = self.sets.items()
        for name, other in others:
            dealt_alike = (rules.deal_plan, rules.table_cards) == (other.deal_plan, other.table_cards)
            if not dealt_alike and not self.first.unpaired:
                yield Message(
                    "{name} deals the cards in another order: players hold other cards, so pairing helps less.", name
                )
            if (deals := self.first.strata.get(name)) is not None:
                yield Message(
                    "{name}: only first tables that it may affect were dealt, exactly {odds}.",
                    name, one_in(deals.chance),
                )  # fmt: skip


def job_of(request: Request) -> TrialsJob:
    """The job of a request; raises ``InputError`` for rules or nights that cannot be compared or played."""
    if is_night(request.situation.get("at")):
        return _job_of_nights(request)
    base, question, effort = request.rules, request.question, request.effort
    rivals = [rules_from_json(value) for value in question.get("against", ())]
    sets = {base.name: base.fields}
    sets |= {name: house_rule(base.fields, name) for name in question.get("house", ())}
    sets |= {rival.name: rival.fields for rival in rivals}
    constraints = deal_constraints(request.situation.get("at"), *sets.values())
    unpaired = question.get("unpaired", False)
    comparisons = {
        str(line_up): compare_rule_sets(
            sets, line_up, effort.number or 1, effort.seed or 0, unpaired, effort.first, constraints
        )
        for line_up in request.line_ups
    }
    trials = join_comparisons(comparisons) if len(comparisons) > 1 else next(iter(comparisons.values()))
    return CompareJob(request, trials, comparisons)


_CHANGES = {quantity.name: quantity.kind for quantity in CHANGES}
"""The quantities of paired hands that are changes themselves, and their kinds."""


# ------------------------------------------------------------------------------------------------ nights


def _request_of_nights(arguments: Bound, against: Sequence[object], changes: Mapping[str, Any]) -> Request:
    """The request to compare nights, with the ``changes`` of the rules.

    Raises ``InputError`` for arguments that do not go together.
    """
    arguments.check_unset(
        ("house", "all_houses", "games", "unpaired"),
        Message("cannot be combined with nights (leave it out; valid: --rules, --rule, --players)"),
    )
    assert arguments.situation is not None
    assert arguments.situation.night is not None
    first, (line_up, *others) = arguments.situation.night, arguments.line_ups
    if not against:
        raise InputError(
            "--at {at!r}: nothing to compare with (add: --against {example})", arguments["at"], _example(first)
        )
    if others:
        raise InputError("--policy {policy!r}: pairs have policies in the night (valid: one policy)", others[0])
    (place, policy), *_ = line_up.policies
    if place != ALL:
        raise InputError(
            "--policy {first!r}: pairs have policies in the night (valid: one policy, as careful)", line_up
        )
    if policy != USUAL and None not in first.pairs:
        raise InputError("--policy {policy!r}: every pair of --at has a policy (leave one of them out)", policy)
    formats = {first.format_text(): first}
    for text in against:
        night = _rival_night(text, first, policy)
        if (name := night.format_text()) in formats:
            raise InputError("--against {text!r}: {name!r} is compared already (name another format)", text, name)
        formats[name] = night
    effort = arguments.effort(number=arguments["hands"] or USUAL_NIGHTS)
    rivals = [str(Situation(night=night)) for night in list(formats.values())[1:]]
    request = arguments.request(effort, **changes, against=rivals)
    return replace(request, line_ups=request.line_ups if None in first.pairs else ())


def _rival_night(text: object, first: Night, default: str) -> Night:
    """A night of ``--against``; ``default`` is the policy of the pairs that have none."""
    if not is_night(text):
        raise InputError(
            "--against {text!r} cannot be compared with a night (valid: the same pairs in another format, as "
            "{example})",
            text, _example(first),
        )  # fmt: skip
    night = Night.parse(str(text).partition(":")[2].strip("; "), "--against")
    if night.policies(default) != first.policies(default):
        raise InputError(
            "--against {text!r}: its pairs are not those of --at (valid: {pairs!r}, in another format)",
            text, first.pairs_text(),
        )  # fmt: skip
    return night


def _example(first: Night) -> str:
    """The same pairs in another format, as the words of an option."""
    other = KNOCK_OUT if first.format != KNOCK_OUT else ALL_PLAY_ALL
    return f"'night: {first.pairs_text()}, {other}, {first.hands} hand{'s' * (first.hands > 1)} a round'"


class NightsJob(TrialsJob):
    """Nights played in every format."""

    trials: Comparison
    schema, free, trials_called = "compare-nights/2", frozenset({"players", "rule"}), "nights"

    def rows(self, run: Run) -> pl.DataFrame:
        return nights_table(run)

    def precise(self, frame: pl.DataFrame, quantity: str) -> pl.DataFrame:
        return frame.filter(quantity=quantity, kind="difference")

    def facts(self, state: Run) -> dict[str, Any]:
        return super().facts(state) | {"trials": "nights"}

    def notes(self, state: Run) -> Iterator[str]:
        yield from format_remarks(self.trials)
        yield from super().notes(state)


def _job_of_nights(request: Request) -> NightsJob:
    """The job of a request; raises ``InputError`` for nights that cannot be compared or played."""
    default, effort = request.line_ups[0].policies[0][1] if request.line_ups else USUAL, request.effort
    first = Situation.parse(request.situation["at"]).night
    assert first is not None
    nights = (first, *(_rival_night(text, first, default) for text in request.question.get("against", ())))
    trials = compare_formats(
        request.rules.fields, {night.format_text(): night for night in nights}, first.policies(default),
        effort.number or 1, effort.seed or 0, effort.first,
    )  # fmt: skip
    return NightsJob(request, trials)
