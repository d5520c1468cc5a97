"""Rule sets to be compared with the first of them, as one experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import play_rare, play_rows, playable, same_hands
from ..engine.trials import Experiment
from ..ruleset.catalogue import house_fields, house_names
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.line_up import LineUp
from .paired_hands import CHANGED, CHUNK, QUANTITIES, WIDTH, changes, numbers_of, sums_of
from .strata import Stratum, stratum

CAREFUL = LineUp.parse("careful")


@dataclass(frozen=True)
class Comparison:
    """Rule sets compared with the first of them, who plays, how many hands, and the seed.

    ``sets`` maps names to rules. All play ``hands`` from number ``first`` on; ``unpaired``, the first plays those and
    the others the next ``hands``, so that nothing is shared. A rule set that differs from the first only in rare deals
    (``strata``) plays as many of those deals, and so does the first beside it; not with ``constraints`` on every deal.

    Raises ``InputError`` if there is nothing to compare, if the line-up cannot play some rules, and if the number of
    seats differs in a paired comparison.
    """

    sets: Mapping[str, Rules]
    line_up: LineUp = CAREFUL
    hands: int = 1_000_000
    seed: int = 1
    unpaired: bool = False
    first: int = 0
    constraints: DealConstraints | None = None

    unit: ClassVar[str] = "hands"
    chunk: ClassVar[int] = CHUNK
    label: ClassVar[str] = "rules"
    """The column that names the rule sets."""

    def __post_init__(self) -> None:
        if len(self.sets) < 2:
            raise InputError("nothing to compare with (valid: two rule sets or more)")
        base, *others = self.sets
        seats = self.rules.players
        for name in others:
            if self.sets[name].players != seats and not self.unpaired:
                raise InputError(
                    "{name!r} has {seats} seats and {base!r} {other_seats}, so their deals cannot be shared (valid: "
                    "the same --players, or --unpaired)",
                    name, self.sets[name].players, base, seats,
                )  # fmt: skip
        for name in self.sets:
            try:
                playable(self.experiment(name))
            except InputError as error:
                raise error if name == base else InputError("{name}: {error}", name, error) from None

    @property
    def rules(self) -> Rules:
        """The rules that the others are compared with."""
        return next(iter(self.sets.values()))

    def experiment(self, name: str) -> Experiment:
        """What is played under a rule set."""
        rules = self.sets[name]
        return Experiment(rules, self.line_up.by_side(rules), self.hands, self.seed, self.first, self.constraints)

    @property
    def experiments(self) -> dict[str, Experiment]:
        """What is played under each rule set."""
        return {name: self.experiment(name) for name in self.sets}

    @property
    def strata(self) -> dict[str, Stratum]:
        """Of the rule sets that seldom change a deal, and only so, the deals that they may change."""
        if self.unpaired or self.constraints is not None:
            return {}
        every = {name: stratum(self.rules, rules) for name, rules in self.sets.items()}
        return {name: deals for name, deals in every.items() if deals is not None}

    @property
    def side_policies(self) -> tuple[str, ...]:
        return self.line_up.by_side(self.rules)

    @property
    def number(self) -> int:
        return self.hands

    def of_number(self, number: int, first: int | None = None) -> Comparison:
        return replace(self, hands=number, first=self.first if first is None else first)

    def check(self) -> None:
        """Whether it can be played was checked when it was built."""

    def tally_size(self) -> int:
        return (len(self.sets) + len(self.strata)) * WIDTH

    def same_as_first(self, name: str) -> bool:
        """Whether every hand under a rule set certainly goes the same way as under the first."""
        first, other = self.experiment(next(iter(self.sets))), self.experiment(name)
        same = first.side_policies == other.side_policies
        return same and not self.unpaired and same_hands(first, other.rules)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play hands ``first`` to ``first + number - 1`` of every experiment; returns int64[parts * WIDTH], sums.

        There is a part for each experiment, the first paired with itself; those that have a stratum play its hands, and
        a part after theirs is what the first does with these. With ``rows`` the second array is the effects,
        float64[(sets - 1) * QUANTITIES, hands]: how much more of each quantity each of the others has in each hand than
        the first, as ``sums_of`` counts it.
        """
        (_, base), *others = self.experiments.items()
        usual = play_rows(base, first, number)
        x = numbers_of(base.rules, usual[0])
        parts = [sums_of(x, x, base.rules, base.rules)[0]]
        effects = np.zeros((len(others) if rows else 0, len(QUANTITIES), number))
        for place, (name, other) in enumerate(others):
            if self.same_as_first(name):
                parts.append(parts[0])
                continue
            stratum = self.strata.get(name)
            if stratum is None:
                mine, theirs = usual, play_rows(other, self.hands * self.unpaired + first, number)
            else:
                mine, theirs = (play_rare(of, stratum.tables, first, number) for of in (base, other))
            numbers = x if stratum is None else numbers_of(base.rules, mine[0])
            sums, effect = sums_of(numbers, numbers_of(other.rules, theirs[0]), base.rules, other.rules)
            if not self.unpaired:
                differ = int((mine[1] != theirs[1]).sum())
                sums[CHANGED:] = differ, *changes(base.rules, other.rules, mine[0], theirs[0])
            parts += [sums] if stratum is None else [sums, sums_of(numbers, numbers, base.rules, base.rules)[0]]
            if rows:
                effects[place] = effect
        return np.concatenate(parts), effects.reshape(-1, number)


def house_rule(base: Rules, name: str) -> Rules:
    """A house rule on top of some rules, or several together, as ``no-matta+piccola-seven``.

    Raises ``InputError`` for an unknown name and for house rules that clash.
    """
    return replace(base, **house_fields(name.split("+")))


def all_house_rules(base: Rules, *line_ups: LineUp) -> tuple[dict[str, Rules], dict[str, Message]]:
    """Every house rule of the catalogue that these line-ups can play, on top of some rules, and why not the others.

    Raises ``InputError`` if the rules themselves cannot be played.
    """

    def check(rules: Rules) -> None:
        for line_up in line_ups or (CAREFUL,):
            playable(_experiment(rules, line_up))

    check(base)
    variants, left_out = {}, {}
    for name in house_names():
        variant = house_rule(base, name)
        if variant == base:
            left_out[name] = Message("the rules have it already")
            continue
        try:
            check(variant)
        except InputError as error:
            left_out[name] = error.message.fault
            continue
        variants[name] = variant
    return variants, left_out


def _experiment(rules: Rules, line_up: LineUp, *numbers: Any) -> Experiment:
    return Experiment(rules, line_up.by_side(rules), *numbers)
