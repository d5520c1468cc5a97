"""A result of every kind of file, for tests of what readers are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cirulla_sim as cs
from cirulla_sim.reporting.result import Result

RESULTS = Path(__file__).parent.parent / "results"
KEPT = {
    "luck": "luck_and_skill", "aim": "aim", "reading": "reading_4", "known": "known_answers_check",
    "habits": "habits_thumb_2", "curve": "curve",
}  # fmt: skip
"""Kinds of files that take long to make, of which the project keeps one."""

asked: dict[str, Any] = {"progress": False}


def results_of_every_kind() -> dict[str, Result]:
    """A result of every kind that is drawn, with 2, 3 and 4 players, one row and many, and counts of 0."""
    greedy = {**asked, "policy": "greedy"}
    both = {**asked, "policy": ["random", "greedy"]}
    made: dict[str, Result] = {
        "two": cs.simulate(players=2, hands=300, **greedy),
        "three": cs.simulate(players=3, hands=300, policy="random,random,greedy", **asked),
        "cirullone": cs.simulate("cirullone", hands=300, **greedy),
        "changed": cs.simulate(players=4, rule=["partnership=false", "primiera=none"], hands=300, **greedy),
        "line-ups": cs.simulate(players=3, hands=300, **both),
        "odds": cs.odds(),
        "rare": cs.odds("sevens > 3"),
        "by": cs.odds("low", by="sevens"),
        "many": cs.odds(of="table", by="total"),
        "several": cs.odds(["won_us", "scope_us > 3"], of="hand", hands=300, **greedy),
        "histogram": cs.odds(of="hand", histogram="points_us", hands=300, **greedy),
        "quantiles": cs.odds(of="game", quantiles="hands", hands=50, **greedy),
        "rules": cs.compare(house=["no-matta", "table-nine", "short-game"], hands=300, **greedy),
        "one rule": cs.compare(players=3, house="no-matta", hands=300, **greedy),
        "rules of games": cs.compare(house="short-game", games=50, hands=300, **greedy),
        "rules by line-up": cs.compare(players=2, house=["no-matta", "piccola-seven"], hands=300, **both),
        "tournament": cs.tournament(players=2, policy="random,greedy", hands=1000, **asked),
        "games": cs.games(players=3, games=100, **greedy),
        "games by line-up": cs.games(players=2, games=50, **both),
        "map": cs.games("scopa", win_table=True, hands=1500, **greedy),
        "score": cs.games(players=2, from_="30-40", hands=300, **greedy),
        "advice": cs.advise(table="Ad 5c 7h Kd", holding="7d 2s Jh", samples=16),
        "review": cs.advise(record=cs.hand(number=1, players=2, policy="random"), samples=16, progress=False),
    }
    return made | {name: cs.read(RESULTS / f"{file}.parquet") for name, file in KEPT.items()}


DRAWN = (
    "two", "three", "cirullone", "changed", "line-ups", "odds", "rare", "by", "many", "several", "histogram",
    "quantiles", "rules", "one rule", "rules of games", "rules by line-up", "tournament", "games", "games by line-up",
    "map", "score", *KEPT,
)  # fmt: skip
KINDS = (*DRAWN, "advice", "review")
QUESTIONS = ("known", "rare", "by", "many", "several", "histogram", "quantiles")
"""Kinds that quote questions as they were asked."""

ENGLISH = {
    "the", "of", "and", "hand", "hands", "points", "dealer", "player", "players", "whiskers", "intervals", "games",
    "by", "is", "are", "all", "table", "none", "seen", "mean", "play", "against", "each", "other", "side", "won",
    "changed", "change", "rules", "deals", "seed", "average", "holdings", "more", "less", "true", "false",
}  # fmt: skip
"""Words that Italian has no use for."""
