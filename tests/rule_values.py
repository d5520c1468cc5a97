"""What each field of the rules may be, from its entry in the catalogue: for tests that draw rules at random."""

from __future__ import annotations

import itertools
import random
from typing import Any

from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

CARDS = [rank + suit for suit in "hdcs" for rank in "A234567JQK"]
PLANS = {
    2: [(3,) * 6, (9, 9), (10, 8)],
    3: [(3,) * 4, (3, 9), (6, 6)],
    4: [(3, 3, 3), (9,), (6, 3), (3, 6), (4, 5), (1, 8)],
}
"""Some ways to deal 36 cards, by the number of players."""

CATEGORIES = (
    "king of coins | re bello: each Kd = 1", "piccola: run Ad = 2", "low clubs: run 3c = 2",
    "all sevens | tutti i sette: all 7* = 4", "most hearts: most or tied *h = 3",
    "sweeps | scope: each sweep = 2",
)  # fmt: skip

OF_THE_DEAL = ("players", "partnership", "deal_plan", "table_cards")
"""Fields that must fit each other."""


def values_of(field: str) -> list[Any]:
    """Every value of a field; of a range of more than fifty both ends and some between them."""
    spec = catalogue()["field"][field]
    match spec.get("kind"):
        case "bool":
            return [False, True]
        case "rank":
            return list("A234567JQK")
        case "card":
            return [*CARDS, None]
        case "plan":
            return PLANS[4]
        case "comparison":
            return [f"{sign} {number}" for sign in ("=", "<", "<=", ">", ">=") for number in (5, 9, 15, 30)]
        case "categories":
            return [chosen for n in range(5) for chosen in itertools.combinations(CATEGORIES, n)]
        case "kinds":
            words = spec["words"]
            return [chosen for n in range(len(words)) for chosen in itertools.combinations(words, n + 1)]
    least, most = spec.get("range", (0, -1))
    numbers = range(least, most + 1) if most <= 50 else (least, 7, 11, 21, 41, 51, most)
    none = [None] if spec.get("kind") == "optional" else []
    return [*spec.get("words", []), *spec.get("numbers", []), *numbers, *none]


def odd_category(rng: random.Random, name: str) -> str:
    """A category of points that counts any cards in any way."""
    kind = rng.choice(["each", "all", "run", "most", "most or tied"])
    groups = [f"{rank}*" for rank in "A234567JQK"] + [f"*{suit}" for suit in "hdcs"] + CARDS
    words = rng.sample(groups, rng.randint(1, 3)) if kind != "run" else [rng.choice(CARDS)]
    return f"{name}: {kind} {' '.join(words)} = {rng.randint(0, 20)}"


def odd_rules(rng: random.Random) -> Rules:
    """A rule set with each field drawn at random half of the time."""
    changes = {
        name: rng.choice(values_of(name))
        for name in catalogue()["field"]
        if name not in OF_THE_DEAL and rng.random() < 0.5
    }
    if rng.random() < 0.5:
        names = rng.sample(
            ["cards", "settebello", "primiera", "grande", "piccola", "aces", "low", "court"], rng.randint(0, 4)
        )
        changes["scoring"] = tuple(odd_category(rng, name) for name in names)
        if len(names) < 4 and rng.random() < 0.5:
            changes["scoring"] += (f"sweeps: each sweep = {rng.randint(0, 3)}",)
    players = rng.choice([2, 3, 4, 4])
    changes |= {"deal_plan": rng.choice(PLANS[players]), "partnership": players == 4 and rng.random() < 0.7}
    return build(players=players, changes=changes)
