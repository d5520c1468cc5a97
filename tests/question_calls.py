"""Every call of a function of the question language about one hand: its text, and its value on a hand record.

``calls`` combines every function of ``vocabulary.toml`` with every person and stage, and with cards, kinds and
categories. The tests of the functions and of the questions take their calls from here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, NamedTuple

from referee.cards import PACK
from referee.held_cards import RANK_NAMES, SUIT_NAMES
from referee.questions import BY_STAGE, CATEGORY_KEYS, FUNCTIONS, TABLE, people, sides_of

VOCABULARY = Path(__file__).parent.parent / "cirulla_sim" / "questions" / "vocabulary.toml"
SPACES = ("cards", "table", "deal", "hand")
BEFORE_REDEALS = ("misdeal", "wins_at_deal")
"""Functions of the first table dealt: they have no meaning in a hand that is played."""

ITALIAN_PEOPLE = {
    "me": "io", "next": "prossimo", "partner": "compagno", "opposite": "dirimpetto", "previous": "precedente",
    "first": "primo", "second": "secondo", "third": "terzo", "dealer": "mazziere", "us": "noi", "them": "loro",
    "others": "altri", "together": "insieme", "table": "tavola",
}  # fmt: skip
ITALIAN_CATEGORIES = {
    "cards": "carte", "diamonds": "denari", "sweeps": "scope", "knocks": "bussate", "table": "tavola",
}  # fmt: skip
ITALIAN_SUITS = dict(zip(SUIT_NAMES, ("cuori", "denari", "fiori", "picche"), strict=True))
CONTESTED = ("cards", "diamonds", "primiera")
KINDS = ("barsega", "barsegon", "misci")

SEVERAL_SIDES = ("points", "wins")
"""Functions of sides that may name more than one of them."""

NOT_OF_A_TABLE = ("barsega", "barsegon", "misci", "triple")


def _cards(letters: str) -> frozenset[str]:
    """All cards with one of these ranks or suits."""
    return frozenset(card for card in PACK if set(card) & set(letters))


class Argument(NamedTuple):
    """An argument: how it may be written, English first, and the keyword arguments of the plain function."""

    spellings: tuple[str, ...] = ()
    keywords: dict[str, Any] = {}  # noqa: RUF012 (never changed)


CARDS = [
    Argument(("7d", "7♦"), {"cards": frozenset({"7d"})}),
    Argument(("settebello",), {"cards": frozenset({"7d"})}),
    Argument(("aces", "assi"), {"cards": _cards("A")}),
    Argument(("diamonds", "denari"), {"cards": _cards("d")}),
    Argument(("K*",), {"cards": _cards("K")}),
]
PLAYED_CARDS = [
    Argument(("with ace", "con asso"), {"cards": _cards("A")}),
    Argument(("with 7d", "con 7♦"), {"cards": frozenset({"7d"})}),
    Argument(("with K*", "con K*"), {"cards": _cards("K")}),
]
BY_SWEEP = Argument(("by scopa", "con scopa"), {"by_sweep": True})
NOTHING = Argument()


def choose_first(spellings: Sequence[str]) -> str:
    return spellings[0]


@dataclass(frozen=True)
class Call:
    """A call of a function: how it may be written, what it gives, and its value on a record."""

    name: str
    names: tuple[str, ...]  # how the function may be written, the English name first
    arguments: tuple[tuple[str, ...], ...]
    gives: str
    keywords: dict[str, Any]

    def text(self, choose: Callable[[Sequence[str]], str] = choose_first) -> str:
        """The call as it is written; ``choose`` picks one of several spellings."""
        arguments = ", ".join(choose(spellings) for spellings in self.arguments)
        if arguments:
            return f"{choose(self.names)}({arguments})"
        return self.names[0] if self.name in RANK_NAMES else choose(self.names)  # "sette" alone is the number

    def value(self, record: dict, rules: dict) -> Any:
        """The value on a hand record: a bool, a number (a fraction for margins) or a text."""
        return FUNCTIONS[self.name](record, rules, **self.keywords)

    def of_each(self, record: dict, rules: dict) -> list[Any]:
        """The value of each player, or of each side, one after the other."""
        key = "seats" if "seats" in self.keywords else "sides"
        number = 2 if key == "sides" and rules["partnership"] else rules["players"]
        return [FUNCTIONS[self.name](record, rules, **self.keywords | {key: (one,)}) for one in range(number)]


@cache
def functions() -> dict[str, dict[str, Any]]:
    """The functions about one hand, by English name; ranks and suits have an entry each."""
    entries: dict[str, dict[str, Any]] = {}
    for name, entry in tomllib.loads(VOCABULARY.read_text("utf-8")).items():
        if entry["space"] not in SPACES:
            continue
        if name in ("rank", "suit"):
            for english, italian in zip(entry["names"], entry["italian"].split(", "), strict=True):
                entries[english] = entry | {"names": [english], "italian": italian}
        else:
            entries[name] = entry
    return entries


def calls(rules: dict, me: int, every_combination: bool = False) -> Iterator[Call]:
    """The calls that have a meaning in a hand under these rules, as the player at seat ``me`` asks.

    Every function is combined with every person and stage. Cards, kinds and categories take turns in these, or come in
    every combination.
    """
    for name, entry in functions().items():
        if name in BEFORE_REDEALS or (entry["group"] == "table" and name != "misdeals" and not rules["table_cards"]):
            continue
        people_and_stages = [
            (person, stage)
            for person in _people(name, entry, rules, me)
            for stage in _stages(name, entry, rules, person.keywords.get("seats"))
        ]
        others = _other_arguments(name, entry, rules)
        if every_combination:
            combined = list(product(people_and_stages, others))
        else:
            number = max(len(people_and_stages), len(others))
            combined = list(islice(zip(cycle(people_and_stages), cycle(others), strict=False), number))
        for (person, stage), other in combined:
            arguments = [person, *other, stage]
            keywords = {key: value for argument in arguments for key, value in argument.keywords.items()}
            if "after" in keywords and "stages" in keywords:
                continue
            if "stages" in keywords and keywords.get("category") not in (None, *BY_STAGE):
                continue
            spellings = tuple(argument.spellings for argument in arguments if argument.spellings)
            names = (*entry["names"], *entry["italian"].split(", "), *entry.get("also", ()))
            yield Call(name, tuple(dict.fromkeys(names)), spellings, entry["gives"], keywords)


def _people(name: str, entry: dict, rules: dict, me: int) -> list[Argument]:
    """Who may be named, and nobody: the default."""
    if entry.get("who") is None or entry["group"] == "table":
        return [NOTHING]
    seats_of = people(rules, me)
    seats_of["together"] = seats_of.pop("everybody")
    default = seats_of[entry["default"]]
    if entry["gives"] == "truth":
        del seats_of["together"]
    if entry["who"] == "holder":
        seats_of = {person: seats for person, seats in seats_of.items() if person in ITALIAN_PEOPLE and len(seats) == 1}
        for group in ("us", "them", "others"):
            seats_of.pop(group, None)
        if rules["table_cards"] and name not in NOT_OF_A_TABLE:
            seats_of["table"] = TABLE
    if entry["who"] == "side":
        whole = {who: seats for who, seats in seats_of.items() if _are_whole_sides(rules, seats)}
        several = name in SEVERAL_SIDES
        seats_of = {who: seats for who, seats in whole.items() if several or len(sides_of(rules, seats)) == 1}
    key, resolve = ("sides", sides_of) if entry["who"] == "side" else ("seats", lambda rules, seats: seats)
    named = [Argument(_names_of(who), {key: resolve(rules, seats)}) for who, seats in seats_of.items()]
    return [Argument((), {key: resolve(rules, default)}), *named]


def _names_of(person: str) -> tuple[str, ...]:
    return (person, ITALIAN_PEOPLE[person]) if person in ITALIAN_PEOPLE else (person,)


def _are_whole_sides(rules: dict, seats: tuple[int, ...]) -> bool:
    return len(seats) == len(sides_of(rules, seats)) * (2 if rules["partnership"] else 1)


def _stages(name: str, entry: dict, rules: dict, seats: tuple[int, ...] | None) -> list[Argument]:
    plan = rules["deal_plan"]
    held = entry.get("who") == "holder"
    if "stage" not in entry.get("arguments", ()) or (held and seats == TABLE):
        return [NOTHING]
    named = [Argument((f"stage {stage + 1}", f"giro {stage + 1}"), {"stages": (stage,)}) for stage in range(len(plan))]
    return [NOTHING, *(named if len(plan) > 1 else [])]


def _other_arguments(name: str, entry: dict, rules: dict) -> list[tuple[Argument, ...]]:
    takes = entry.get("arguments", [])
    choices: list[list[Argument]] = []
    if "category" in takes:
        categories = CATEGORY_KEYS if name == "points" else CONTESTED
        choices.append([NOTHING, *(_category(category) for category in categories)])
    if "kind" in takes:
        choices.append([NOTHING, *(Argument((kind,), {"kind": kind}) for kind in KINDS)])
    if "suit" in takes:
        choices.append([Argument((suit, ITALIAN_SUITS[suit]), {"suit": suit}) for suit in SUIT_NAMES])
    if "cards" in takes:
        choices.append(_some_cards(name) if entry.get("requires") else [NOTHING, *CARDS])
    if "with" in takes:
        choices.append([NOTHING, *PLAYED_CARDS])
    if "by" in takes:
        choices.append([NOTHING, BY_SWEEP])
    if "turn" in takes:
        choices.append(
            [NOTHING, Argument(("card 1", "prima carta"), {"turn": 0}), Argument(("card 3", "carta 3"), {"turn": 2})]
        )
    if "after" in takes:
        stages = range(1, len(rules["deal_plan"]) + 1)
        choices.append([NOTHING, *(Argument(_after(stage), {"after": stage}) for stage in stages)])
    return [chosen for chosen in product(*choices) if _go_together(chosen)]


def _some_cards(name: str) -> list[Argument]:
    """The cards that a function may be asked about: one alone of when it is taken."""
    one_alone = name in ("when_taken", "stage_taken")
    return [one for one in CARDS if not one_alone or len(one.keywords["cards"]) == 1]


def _category(category: str) -> Argument:
    return Argument((category, ITALIAN_CATEGORIES.get(category, category)), {"category": category})


def _after(stage: int) -> tuple[str, str]:
    return f"after stage {stage}", f"dopo giro {stage}"


def _go_together(arguments: tuple[Argument, ...]) -> bool:
    """Whether points of a category can be counted after a stage: piles are counted at the end."""
    keywords = {key: value for argument in arguments for key, value in argument.keywords.items()}
    return "after" not in keywords or keywords.get("category") in (None, "table", *BY_STAGE)


assert set(RANK_NAMES) <= functions().keys() - set(BEFORE_REDEALS) <= FUNCTIONS.keys()
