"""Rule sets to be compared with the first of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import InputError
from ..play import USUAL, Experiment, playable
from ..rulebook import Rules, house_fields, house_names


@dataclass(frozen=True)
class Comparison:
    """Rule sets compared with the first of them, how they are played, on how many hands, with which seed.

    ``rules`` maps what they are called to the rules. All play the hands 0 to ``hands - 1``; ``unpaired``, the first
    plays those and the others the next ``hands``, so that nothing is shared.

    Raises ``InputError`` if there is nothing to compare, if rules cannot be played or not by these policies, and if the
    number of seats differs and ``unpaired`` is not asked for.
    """

    rules: Mapping[str, Rules]
    policies: tuple[str, ...] = (USUAL,)
    hands: int = 1_000_000
    seed: int = 1
    unpaired: bool = False

    def __post_init__(self) -> None:
        if len(self.rules) < 2:
            raise InputError("there is nothing to compare with (valid: at least one rule set more)")
        base, *others = self.rules
        seats = self.rules[base].players
        for name in others:
            if self.rules[name].players != seats and not self.unpaired:
                raise InputError(
                    f"{name!r} has {self.rules[name].players} seats and {base!r} {seats}, so their deals cannot be "
                    "shared (valid: the same --players, or --unpaired)"
                )
        for name, rules in self.rules.items():
            try:
                playable(Experiment(rules, self.policies, self.hands, self.seed))
            except InputError as error:
                raise InputError(str(error) if name == base else f"{name}: {error}") from None

    @property
    def label(self) -> str:
        """The column that names the rule sets."""
        return "rules"

    @property
    def experiments(self) -> dict[str, Experiment]:
        """What is played under each rule set."""
        return {name: Experiment(rules, self.policies, self.hands, self.seed) for name, rules in self.rules.items()}


def house_rule(base: Rules, name: str) -> Rules:
    """A house rule on top of some rules; raises ``InputError`` for an unknown name."""
    return replace(base, **house_fields([name]))


def all_house_rules(base: Rules, policies: tuple[str, ...] = (USUAL,)) -> tuple[dict[str, Rules], dict[str, str]]:
    """Every house rule of the catalogue that these policies can play, on top of some rules, and why not the others.

    Raises ``InputError`` if the rules themselves cannot be played.
    """
    playable(Experiment(base, policies))
    variants, left_out = {}, {}
    for name in house_names():
        variant = house_rule(base, name)
        if variant == base:
            left_out[name] = "the rules have it already"
            continue
        try:
            playable(Experiment(variant, policies))
        except InputError as error:
            left_out[name] = str(error).partition(" (valid")[0]
            continue
        variants[name] = variant
    return variants, left_out
