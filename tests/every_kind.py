"""A result of every kind of file, for tests of what readers are shown."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from filelock import FileLock

import cirulla_sim as cs
from cirulla_sim.reporting.result import Result

RESULTS = Path(__file__).parent.parent / "results"
STUDIES = {
    "luck": "luck_and_skill",
    "aim": "aim",
    "reading": "reading_4",
    "known": "known_answers_check",
}
"""Files of studies: they take long to compute, and the project has one of each."""


def without_version(text: str) -> str:
    """A text without the versions that made a file."""
    return re.sub(r"\b\d\.\d\.\d(\.dev\d)?\b", "", text)


def of_study(name: str) -> Result:
    """A study's table, which says itself how it is shown."""
    return cs.read(RESULTS / f"{name}.parquet")


QUIET: dict[str, Any] = {"progress": False}
GREEDY: dict[str, Any] = {**QUIET, "policy": "greedy"}
BOTH: dict[str, Any] = {**QUIET, "policy": ["random", "greedy"]}
NAMED: dict[str, Any] = {**QUIET, "policy": ["dealer=greedy, others=random", "dealer=random, others=greedy"]}
ONE_SIDED: dict[str, Any] = {**QUIET, "policy": "us=greedy, them=random"}
NIGHT = {"at": "night: 4 pairs, swiss, 2 rounds of 2 hands", "against": "night: 4 pairs, knock-out, 2 hands a round"}

MAKERS: dict[str, Callable[[], Result]] = {
    "two": lambda: cs.simulate(players=2, hands=300, **GREEDY),
    "three": lambda: cs.simulate(players=3, hands=300, policy="dealer=greedy, others=random", **QUIET),
    "cirullone": lambda: cs.simulate("cirullone", hands=300, **GREEDY),
    "changed": lambda: cs.simulate(players=4, rule=["partnership=false", "primiera=none"], hands=300, **GREEDY),
    "line-ups": lambda: cs.simulate(players=3, hands=300, **BOTH),
    "line-ups by side": lambda: cs.simulate(players=2, hands=300, **NAMED),
    "odds": lambda: cs.odds(),
    "rare": lambda: cs.odds("sevens > 3"),
    "by": lambda: cs.odds("low", by="sevens"),
    "many": lambda: cs.odds(by="total(table)"),
    "several": lambda: cs.odds(["wins(us)", "sweeps(us) > 3"], me="dealer", hands=300, **GREEDY),
    "histogram": lambda: cs.odds("histogram(points(us))", hands=300, **GREEDY),
    "quantiles": lambda: cs.odds("quantiles(hands_left)", hands=50, **GREEDY),
    "checked": lambda: cs.odds("low", check=2000, progress=False),
    "rules": lambda: cs.compare(house=["no-matta", "table-nine", "short-game"], hands=300, **GREEDY),
    "one rule": lambda: cs.compare(players=3, house="no-matta", hands=300, **GREEDY),
    "rules of games": lambda: cs.compare(house="short-game", games=50, hands=300, **GREEDY),
    "rules by line-up": lambda: cs.compare(players=2, house=["no-matta", "piccola-seven"], hands=300, **BOTH),
    "tournament": lambda: cs.tournament(players=2, policy=["random", "greedy"], hands=1000, **QUIET),
    "games": lambda: cs.games(players=3, games=100, **GREEDY),
    "games by line-up": lambda: cs.games(players=2, games=50, **NAMED),
    "map": lambda: cs.games("scopa", win_table=True, hands=1500, **ONE_SIDED),
    "nights": lambda: cs.compare(**NIGHT, hands=200, **QUIET),
    "score": lambda: cs.games(players=2, at="score: 30-40", me="dealer", hands=300, **ONE_SIDED),
    **{name: partial(of_study, file) for name, file in STUDIES.items()},
    "advice": lambda: cs.advise(at="table: Ad 5c 7h Kd; me: 7d 2s Jh", samples=16, progress=False),
}
"""How a result of each kind is made: with 2, 3 and 4 players, one row and many, and counts of 0."""


class Results(Mapping[str, Result]):
    """Results of every kind by name, each made when first asked for, once for all processes that share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._results: dict[str, Result] = {}

    def __getitem__(self, name: str) -> Result:
        if name not in self._results:
            file = self._folder / f"{name}.pickle"
            with FileLock(f"{file}.lock"):
                if not file.exists():
                    file.write_bytes(pickle.dumps(MAKERS[name]()))
            self._results[name] = pickle.loads(file.read_bytes())
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MAKERS)

    def __len__(self) -> int:
        return len(MAKERS)


DRAWN = (
    "two", "three", "cirullone", "changed", "line-ups", "line-ups by side", "odds", "rare", "by", "many", "several",
    "histogram", "quantiles", "checked", "rules", "one rule", "rules of games", "rules by line-up", "tournament",
    "games", "games by line-up", "map", "score", "nights", *STUDIES,
)  # fmt: skip
KINDS = (*DRAWN, "advice")
QUESTIONS = ("known", "rare", "by", "many", "several", "histogram", "quantiles", "checked")
"""Kinds that quote questions."""

ENGLISH = {
    "the", "of", "and", "hand", "hands", "points", "dealer", "player", "players", "whiskers", "intervals", "games",
    "by", "is", "are", "all", "table", "none", "seen", "mean", "play", "against", "each", "other", "side", "won",
    "changed", "change", "rules", "deals", "seed", "average", "holdings", "more", "less", "true", "false",
    "others",
}  # fmt: skip
"""Words that Italian has no use for."""
