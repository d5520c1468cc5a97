"""How much of it is luck? The components of variance of a hand's margin, by population of players.

How much of the variance of the margin is due to the deal, how much to the players, and how much to deals that suit one
style better than another? And after how many games is the better of two players ahead with a probability of 95%?
Cirulla is called a kind of anti-Scopone (000): noisy and unpredictable where Scopone is calculation.

Run: every deal is played by every line-up of random, greedy, careful and search, twice with fresh dice (see
``analyses/variance_parts.py``); whole games between neighbours of the ladder, either side dealing first.
Tables: the components of the variance by population, and who wins games, with 95% intervals (parquet). Figure: the
components.

    python analyses/luck_and_skill.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import polars as pl
import study
from study_views import views
from variance_parts import PARTS, games_until_ahead, replayed, shares, total_variance

import cirulla_sim as cs
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.reporting.text.cells import number
from cirulla_sim.reporting.text.findings import Finding, Noun, state
from cirulla_sim.stats.estimates import Estimate, Z, proportion
from cirulla_sim.storage.tables import SCHEMA, estimate_row


@dataclass(frozen=True)
class Game:
    """A game, the deals of each line-up, and the games of each pair for either side dealing first."""

    preset: str
    deals: int
    games: int


GAMES = (
    Game("cirulla", 8_000, 4_000),
    Game("cirullone", 2_000, 1_000),
    Game("scopone-scientifico", 2_000, 1_000),
)
LADDER = ("random", "greedy", "careful", "search")
POPULATIONS = {
    "equals: search against search": LADDER[3:],
    "good players: careful or search": LADDER[2:],
    "players: greedy, careful or search": LADDER[1:],
    "anybody: random too": LADDER,
}
QUESTION = {"en": "How much of it is luck?", "it": "Quanto è fortuna?"}
FILES = (("luck_and_skill.parquet", "shares"), ("luck_and_skill.parquet", "games"))
CHART = "luck_and_skill.png"
LOOK = {"all": True}
VIEW = views.LUCK
METHOD = """Two against two. Every deal was played by every line-up of the population, twice with fresh dice: 8,000
deals of Cirulla, 2,000 of the others. So the variance of the margin of a hand comes apart into the deal, who plays (one
side makes more on every deal), how the deal suits a style, and the dice of `random` (its plays) and `search` (the deals
it imagines). `points` is the standard deviation of the margin. Who is ahead: whole games, 8,000 of Cirulla and 2,000 of
the others, the first dealer by lot; after the least odd number of games given the first player named has won more of
them with a probability of 95%. Cirullone: bonuses are shown at once (source 001)."""
REPLAYS = 2
SEED = 1
FILE = "luck_and_skill.parquet"
COLUMNS = {"rules": pl.String, "policy": pl.String} | SCHEMA


def hand_rows(game: Game) -> Iterator[dict[str, Any]]:
    """The components of the variance by population. Line-ups that several populations share are played once."""
    rules = cs.rules(game.preset).fields
    line_ups = [*product(LADDER, repeat=rules.sides)]
    margins = replayed(rules, line_ups, game.deals, REPLAYS, SEED)
    for name, members in POPULATIONS.items():
        subset = margins[:, [i for i, line_up in enumerate(line_ups) if set(line_up) <= set(members)]]
        result = shares(subset)
        for part in (*PARTS, "play") if len(members) > 1 else ("deal", "dice"):
            yield {"policy": name} | estimate_row(f"variance_{part}", "hand", "dealer", "share", result[part])
        yield {"policy": name} | estimate_row("margin_variance", "hand", "dealer", "mean", total_variance(subset))


def game_rows(game: Game, pair: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """How often the better of two policies wins a game, and when it is ahead; the first dealer is drawn by lot."""
    tables = [
        study.run(
            cs.games, game.preset, policy=f"dealer={dealer}, others={other}", games=game.games, seed=SEED + number
        )
        for number, (other, dealer) in enumerate((pair, pair[::-1]))
    ]
    as_dealer, as_other = (
        study.row_of(result, quantity="wins_game", side=side)["estimate"]
        for result, side in zip(tables, ("dealer", "others"), strict=True)
    )
    better = proportion(round(game.games * (as_dealer + as_other)), 2 * game.games)
    length = _mean([study.row_of(result, quantity="hands", kind="mean") for result in tables])
    ahead = games_until_ahead(better)
    yield estimate_row("wins_game", "game", "better", "probability", better)
    yield estimate_row("hands", "game", "all", "mean", length)
    for quantity, scale in (("games_until_ahead", 1.0), ("hands_until_ahead", length.value)):
        low, value, high = (scale * number for number in (ahead.low, ahead.games, ahead.high))
        row = estimate_row(quantity, "game", "better", "mean", Estimate(value, 0.0, low, high, 2 * game.games))
        yield row | {"std_error": None}  # skewed, so only the interval is meaningful


def _mean(rows: list[study.Row]) -> Estimate:
    """The mean of two independent estimates from equally many trials."""
    value = sum(row["estimate"] for row in rows) / 2
    error = sum(row["std_error"] ** 2 for row in rows) ** 0.5 / 2
    return Estimate(value, error, value - Z * error, value + Z * error, sum(row["n"] for row in rows))


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play all deals and games; write the table."""
    games = [replace(game, deals=sized(game.deals), games=sized(game.games)) for game in GAMES]
    arguments = {"games": [asdict(game) for game in games], "ladder": LADDER, "replays": REPLAYS, "seed": SEED}
    trials = [Experiment(cs.rules(game.preset).fields, (name,), seed=SEED) for game in games for name in LADDER]

    def table() -> tuple[pl.DataFrame, dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for game in games:
            rows += [{"rules": game.preset} | row for row in hand_rows(game)]
            for pair in pairwise(LADDER[1:]):
                keys = {"rules": game.preset, "policy": " and ".join(pair)}
                rows += [keys | row for row in game_rows(game, pair)]
        metadata = {
            "command": "python analyses/luck_and_skill.py",
            "seed": SEED,
            "deals": {game.preset: game.deals for game in games},
            "games": {game.preset: game.games for game in games},
            "policies": list(LADDER),
            "stopped": "hands",
        }
        return pl.DataFrame(rows, schema=COLUMNS, orient="row"), metadata

    study.store(folder / FILE, arguments, trials, table, VIEW)


def share_rows(folder: Path, population: str, quantity: str = "variance_deal") -> dict[str, study.Row]:
    """What the deal adds to the variance of a hand's margin in a population, or another part, by game."""
    result = cs.read(folder / FILE)
    return {
        game.preset: study.row_of(result, rules=game.preset, policy=population, quantity=quantity) for game in GAMES
    }


def findings(folder: Path) -> list[Finding]:
    """The share of the deal among equals and with beginners, by game, and when search is ahead of careful."""
    equals, *_, anybody = POPULATIONS
    ahead = share_rows(folder, "careful and search", "games_until_ahead")
    return [
        state("study", "lucks", _places(share_rows(folder, equals)), who=Noun("population", equals)),
        state("study", "lucks", _places(share_rows(folder, anybody)), who=Noun("population", anybody)),
        state("study", "ahead", _places(ahead)),
    ]


def _places(rows: dict[str, study.Row]) -> dict[str, study.Row]:
    """Rows by the places of a sentence."""
    return {preset.partition("-")[0]: row for preset, row in rows.items()}


def table(folder: Path) -> str:
    """The components of the variance by game and population, and the standard deviation of the margin."""
    result, lines = cs.read(folder / FILE), []
    for game in GAMES:
        for population in POPULATIONS:
            rows = result.frame.filter(rules=game.preset, policy=population).to_dicts()
            by_quantity = {row["quantity"]: row for row in rows}
            components = (by_quantity.get(f"variance_{part}") for part in PARTS)
            deviation = by_quantity["margin_variance"]["estimate"] ** 0.5
            shares = ("" if row is None else number(row, study.ENGLISH) for row in components)
            lines.append([study.rule_name(game.preset), population, *shares, f"{deviation:.1f}"])
    head = ["game", "population", "the deal", "who plays", "how the deal suits a style", "dice", "points"]
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The file."""
    return [FILE]


if __name__ == "__main__":
    study.carry_out("luck_and_skill")
