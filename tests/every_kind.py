"""A result of every kind of file, for tests of what readers are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.version import SAME_HANDS
from cirulla_sim.reporting.result import Result
from cirulla_sim.storage.tables import FORMAT, METADATA

RESULTS = Path(__file__).parent.parent / "results"
STUDIES = {
    "luck": "luck_and_skill",
    "aim": "aim",
    "reading": "reading_4",
    "known": "known_answers_check",
    "curve": "curve",
}
"""Kinds of files of studies: they take long to compute, and the project has one of each."""


STUDIED = ("luck", "aim", "reading", "known-answers", "curve")
"""Their schemas."""


def without_version(text: str) -> str:
    """A text without the versions that made a file."""
    for version in (*SAME_HANDS, "0.1.0"):
        text = text.replace(version, "")
    return text


def of_study(name: str) -> Result:
    """A study's table, in whatever format its file is."""
    file = RESULTS / f"{name}.parquet"
    metadata = json.loads(pl.read_parquet_metadata(file)[METADATA])
    kind = metadata["schema"].partition("/")[0]
    return Result(pl.read_parquet(file), {**metadata, "schema": f"{kind}/{FORMAT}"})


def results_of_every_kind() -> dict[str, Result]:
    """A result of every kind, with 2, 3 and 4 players, one row and many, and counts of 0."""
    quiet: dict[str, Any] = {"progress": False}
    greedy = {**quiet, "policy": "greedy"}
    both = {**quiet, "policy": ["random", "greedy"]}
    named = {**quiet, "policy": ["dealer=greedy, others=random", "dealer=random, others=greedy"]}
    results: dict[str, Result] = {
        "two": cs.simulate(players=2, hands=300, **greedy),
        "three": cs.simulate(players=3, hands=300, policy="dealer=greedy, others=random", **quiet),
        "cirullone": cs.simulate("cirullone", hands=300, **greedy),
        "changed": cs.simulate(players=4, rule=["partnership=false", "primiera=none"], hands=300, **greedy),
        "line-ups": cs.simulate(players=3, hands=300, **both),
        "line-ups by side": cs.simulate(players=2, hands=300, **named),
        "odds": cs.odds(),
        "rare": cs.odds("sevens > 3"),
        "by": cs.odds("low", by="sevens"),
        "many": cs.odds(by="total(table)"),
        "several": cs.odds(["wins(us)", "sweeps(us) > 3"], me="dealer", hands=300, **greedy),
        "histogram": cs.odds("histogram(points(us))", hands=300, **greedy),
        "quantiles": cs.odds("quantiles(hands_left)", hands=50, **greedy),
        "checked": cs.odds("low", check=2000, progress=False),
        "rules": cs.compare(house=["no-matta", "table-nine", "short-game"], hands=300, **greedy),
        "one rule": cs.compare(players=3, house="no-matta", hands=300, **greedy),
        "rules of games": cs.compare(house="short-game", games=50, hands=300, **greedy),
        "rules by line-up": cs.compare(players=2, house=["no-matta", "piccola-seven"], hands=300, **both),
        "tournament": cs.tournament(players=2, policy=["random", "greedy"], hands=1000, **quiet),
        "games": cs.games(players=3, games=100, **greedy),
        "games by line-up": cs.games(players=2, games=50, **named),
        "map": cs.games("scopa", win_table=True, hands=1500, policy="us=greedy, them=random", **quiet),
        "nights": cs.compare(
            at="night: 4 pairs, swiss, 2 rounds of 2 hands",
            against="night: 4 pairs, knock-out, 2 hands a round",
            hands=200,
            **quiet,
        ),
        "score": cs.games(
            players=2, at="score: 30-40", me="dealer", hands=300, policy="us=greedy, them=random", **quiet
        ),
        "advice": cs.advise(at="table: Ad 5c 7h Kd; me: 7d 2s Jh", samples=16, **quiet),
    }
    return results | {name: of_study(file) for name, file in STUDIES.items()}


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
