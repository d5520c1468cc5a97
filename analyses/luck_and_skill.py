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
from variance_parts import PARTS, games_until_ahead, replayed, shares, total_variance

import cirulla_sim as cs
from cirulla_sim.engine.trials import Experiment
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
FILES = (("luck_and_skill.parquet", "luck"), ("luck_and_skill.parquet", "games"))
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
    """Play all deals and games; write the table and the figure."""
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
            "schema": "luck/2",
            "seed": SEED,
            "deals": {game.preset: game.deals for game in games},
            "games": {game.preset: game.games for game in games},
            "policies": list(LADDER),
            "stopped": "hands",
        }
        return pl.DataFrame(rows, schema=COLUMNS, orient="row"), metadata

    study.store(folder / FILE, arguments, trials, table)
    cs.plot(folder / FILE, output=folder / "luck_and_skill.png")


def percent(row: study.Row) -> str:
    """A share ± half its interval, in percent, without decimals unless the interval is narrow."""
    return study.percent(row, 0 if study.half_width(row) > 0.005 else 1)


def parts(result: cs.Result, preset: str) -> str:
    """A table of the variance components of a game by population."""
    rows = []
    for name in POPULATIONS:
        quantities = {row["quantity"]: row for row in result.frame.filter(rules=preset, policy=name).to_dicts()}
        deviation = quantities["margin_variance"]["estimate"] ** 0.5
        components = (quantities.get(f"variance_{part}") for part in PARTS)
        rows.append([name, *("" if row is None else percent(row) for row in components), f"{deviation:.1f}"])
    head = ["who sits down", "the deal", "who plays", "how the deal suits a style", "dice", "points"]
    return study.table(head, rows)


def ahead(result: cs.Result) -> str:
    """A table of the games until the better of two is ahead."""
    rows = []
    for game in GAMES:
        for pair in pairwise(LADDER[1:]):
            keys = {"rules": game.preset, "policy": " and ".join(pair)}
            chance, games = (study.row_of(result, quantity=name, **keys) for name in ("wins_game", "games_until_ahead"))
            number = f"{games['estimate']:,.0f} ({games['ci_low']:,.0f} to {games['ci_high']:,.0f})"
            rows.append([_title(game.preset), f"`{pair[1]}` over `{pair[0]}`", study.percent(chance), number])
    return study.table(["game", "", "wins a game", "games until ahead with a chance of 95%"], rows)


def answer(folder: Path, lang: str = "en") -> str:
    """The share of the deal among good players and among anybody, and when the better player is ahead, by game."""
    result = cs.read(folder / FILE)
    good, anybody = list(POPULATIONS)[1], list(POPULATIONS)[3]
    shares = study.listed(
        [f"{_title(g.preset)} {_deal(result, g.preset, good)} ({_deal(result, g.preset, anybody)})" for g in GAMES],
        lang,
    )
    ahead = [
        study.row_of(result, rules=game.preset, policy="careful and search", quantity="games_until_ahead")["estimate"]
        for game in GAMES
    ]
    games = study.listed([f"{number:,.0f}" for number in ahead], lang)
    return study.localized(
        lang,
        f"Among good players the deal makes this much of a hand's margin, and in brackets if players who lay cards at "
        f"random sit down too: {shares}. A player who looks ahead (search) is ahead of a careful one with a chance of "
        f"95% after {games} games of the three. In Cirullone bonuses are shown at once.",
        "Tra buoni giocatori le carte date fanno questa parte dello scarto di una smazzata, e tra parentesi se siede "
        f"al tavolo anche chi gioca a caso: {shares}. Chi guarda avanti (ricerca) è in vantaggio su un giocatore "
        f"accorto, con probabilità del 95%, dopo {games} partite dei tre giochi. "
        "Nel Cirullone si accusa appena si può.",
    )


def _deal(result: cs.Result, preset: str, policy: str) -> str:
    row = study.row_of(result, rules=preset, policy=policy, quantity="variance_deal")
    return f"{100 * row['estimate']:.0f}%"


def _title(preset: str) -> str:
    return preset.replace("-", " ").capitalize()


def section(result: cs.Result, preset: str) -> str:
    """The section of one game."""
    deals = f"{result.metadata['deals'][preset]:,} deals. {study.reading(cs.rules(preset).fields)}"
    return f"## {_title(preset)}\n\n{parts(result, preset)}\n\n{deals}".strip()


def page(folder: Path) -> str:
    """The page, from the file."""
    result = cs.read(folder / FILE)
    return study.joined(
        [
            study.opening(QUESTION, answer, folder),
            "Made by `python analyses/luck_and_skill.py`. It depends on who sits down. Every deal was played by every "
            "line-up of the population, again with fresh dice; so the variance of the margin of a hand comes apart "
            "into the deal, who plays (skill: the better side makes more on every deal), how the deal suits a style "
            "(on this deal the weaker way of playing does better than on others), and the dice of those who throw "
            "them: `random` for its plays, `search` for the deals it imagines. Four players, two against two. "
            "`points` is the standard deviation of the margin; ± are 95% intervals.",
            *(section(result, game.preset) for game in GAMES),
            "Between equals everything but dice is the deal: skill shows only where it differs. The weaker the weakest "
            "who may sit down, the less is luck. So no game has one number of luck; what can be compared is the same "
            "population in several games.",
            "## How soon the better one is ahead",
            "Whole games, the first deal by lot. The last column is the least odd number of games after which the "
            "better one has won more of them with a chance of 95%; in brackets its 95% interval.",
            ahead(result),
            "![What the margin of a hand comes from](luck_and_skill.png)",
            "A hand of any number is played by `cirulla-sim show`; games by `cirulla-sim games --policy "
            "'dealer=search, others=careful'`.",
        ]
    )


if __name__ == "__main__":
    study.carry_out("luck_and_skill")
