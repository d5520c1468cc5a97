"""What a run of whole games shows: how long they are, who wins, how close they are, with intervals, from the tally."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ..engine.engines import Run
from ..ruleset.catalogue import catalogue
from ..ruleset.rules_model import Rules
from ..stats.estimates import Estimate, bounded_mean, clustered, proportion, seen
from ..storage.tables import empty_row, estimate_row, table

Row = dict[str, Any]

_ENDS = ("cappotto", "won_at_deal", "last_capture_loses")
"""The quantities of the ways a game may end but by the score, in the kernel's order."""

NO_GAME_POINTS = 10
"""The victory points of either side of a drawn match."""

ALL_POINTS = 20
"""The victory points of both sides of a match together."""


def played(run: Run) -> pl.DataFrame:
    """The table of a run of games: one row a quantity (see ``tables``).

    ``dealer`` is the first dealer's side. Of matches everything but ``wins_match``, ``games_match`` and ``hands_match``
    is about the first game. Games are the trials, so the intervals are between games.
    """
    from ..kernel.game.whole_game import views

    rules, tally = run.experiment.rules, views(run.tally)
    rows = [*_wins(rules, tally), *_lengths(tally), *_ends(rules, tally), *_course(tally), *_scores(rules, tally)]
    rows += _victory_points(rules, tally)
    if rules.best_of > 1:
        rows += _matches(tally)
    return table(rows)


def _sums(tally: Any, *places: str) -> list[int]:
    from ..kernel.game import whole_game as games

    return [int(tally.sums[getattr(games, place)]) for place in places]


def _wins(rules: Rules, tally: Any) -> Iterator[Row]:
    games, dealer, others, squares = _sums(tally, "GAMES", "WON_D", "WON_O", "WON_OO")
    each = rules.sides - 1
    yield estimate_row("wins_game", "game", "dealer", "probability", proportion(dealer, games))
    won = proportion(others, games)
    if each > 1:  # the sides of a game depend on each other
        won = clustered(others, each * games, squares, each * others, each * each * games, games)
    yield estimate_row("wins_game", "game", "others", "probability", won)
    if rules.drawn_games:
        yield estimate_row("ties_game", "game", "all", "probability", proportion(_draws(rules, tally), games))


def _draws(rules: Rules, tally: Any) -> int:
    """Games that ended level, which a game that somebody wins by the score cannot."""
    return int(tally.margin[:, 0].sum()) if rules.drawn_games else 0


def _lengths(tally: Any) -> Iterator[Row]:
    games, hands, squares = _sums(tally, "GAMES", "SUM_H", "SUM_HH")
    yield estimate_row("hands", "game", "all", "mean", bounded_mean(hands, squares, games))
    yield from _distribution("hands_distribution", tally.hands)


def _ends(rules: Rules, tally: Any) -> Iterator[Row]:
    (games,) = _sums(tally, "GAMES")
    possible = (
        rules.all_diamonds == "wins",
        rules.misdeals_lose > 0 or rules.table_four_equal_wins,
        rules.knockout_tiebreak,
    )
    for way, (name, can_be) in enumerate(zip(_ENDS, possible, strict=True), 1):
        if can_be:
            lost, won = (int(x) for x in tally.ended[way])
            yield estimate_row(name, "game", "all", "probability", proportion(won + lost, games))
            if rules.sides == 2:
                yield estimate_row(name, "game", "dealer", "probability", proportion(won, games))
                yield estimate_row(name, "game", "others", "probability", proportion(lost, games))


def _course(tally: Any) -> Iterator[Row]:
    (games,) = _sums(tally, "GAMES")
    yield estimate_row("lead_changes", "game", "all", "mean", _mean_of(tally.leads))
    yield from _distribution("lead_changes_distribution", tally.leads)
    behind = games - int(tally.comeback[0])
    yield estimate_row("comeback", "game", "all", "probability", proportion(behind, games))
    yield estimate_row("comeback", "game", "all", "mean", _mean_of(tally.comeback))
    biggest = {"quantity": "comeback", "per": "game", "side": "all", "kind": "maximum", "n": games}
    yield empty_row() | biggest | {"estimate": float(np.flatnonzero(tally.comeback)[-1])}  # of these games: no interval
    yield from _distribution("comeback_distribution", tally.comeback)


def _scores(rules: Rules, tally: Any) -> Iterator[Row]:
    games, d, o, dd, oo, do = _sums(tally, "GAMES", "SUM_D", "SUM_O", "SUM_DD", "SUM_OO", "SUM_DO")
    each = rules.sides - 1
    yield estimate_row("points", "game", "dealer", "mean", bounded_mean(d, dd, games))
    yield estimate_row("points", "game", "others", "mean", bounded_mean(o, oo, games, scale=1 / each))
    margin = bounded_mean(each * d - o, each**2 * dd - 2 * each * do + oo, games, -math.inf, scale=1 / each)
    yield estimate_row("margin", "game", "dealer", "mean", margin)
    by_margin = tally.margin.sum(axis=0)
    by_margin[0] -= _draws(rules, tally)
    if by_margin.any():
        yield estimate_row("winning_margin", "game", "all", "mean", _mean_of(by_margin))
        yield from _distribution("winning_margin_distribution", by_margin)


def _victory_points(rules: Rules, tally: Any) -> Iterator[Row]:
    """The means of match and victory points a game, where source 002 has a table for such games between two sides."""
    lowest = victory_table(rules)
    if lowest is None:
        return
    by_margin = _match_points(lowest, tally)
    games = sum(by_margin.values())
    for side, sign in (("dealer", 1), ("others", -1)):
        counts: Counter[int] = Counter()
        for margin, count in by_margin.items():
            points = victory_points(lowest, abs(margin))
            counts[points if sign * margin >= 0 else ALL_POINTS - points] += count
        mine = {sign * margin: count for margin, count in by_margin.items()}
        yield estimate_row("match_points", "game", side, "mean", _mean_by(mine, games, -math.inf))
        yield estimate_row("victory_points", "game", side, "mean", _mean_by(counts, games, high=ALL_POINTS))
        for points in sorted(+counts):
            share = seen(proportion(counts[points], games))
            yield estimate_row("victory_points_distribution", "game", side, "share", share, points)


def _match_points(lowest: Sequence[int], tally: Any) -> Counter[int]:
    """Games by match points of the first dealer's side: its margin, or outright the least that earns most (002)."""
    from ..kernel.game.whole_game import AT_DEAL, BY_CAPPOTTO

    counts: Counter[int] = Counter()
    for won, sign in ((0, -1), (1, 1)):
        for margin in np.flatnonzero(tally.margin[won]):
            counts[sign * int(margin)] += int(tally.margin[won, margin])
        counts[sign * lowest[-1]] += int(tally.ended[[BY_CAPPOTTO, AT_DEAL], won].sum())
    return counts


def _mean_by(counts: Mapping[int, int], n: int, low: float = 0, high: float = math.inf) -> Estimate:
    """The mean of numbers that come so often, and are within bounds."""
    total, squares = (sum(x**power * c for x, c in counts.items()) for power in (1, 2))
    return bounded_mean(total, squares, n, low, high)


def victory_table(rules: Rules) -> Sequence[int] | None:
    """The lowest margins for 10, 11, ... victory points (002), or None for games that the table does not know."""
    data = catalogue()["victory_points"]
    kinds, mine = (
        (data["targets"], rules.target) if rules.hands_per_game is None else (data["hands"], rules.hands_per_game)
    )
    if rules.sides != 2 or mine not in kinds:
        return None
    lowest: list[int] = data["lowest"][kinds.index(mine)]
    return lowest


def victory_points(lowest: Sequence[int], margin: int) -> int:
    """The victory points of the winner by the margin (002).

    >>> from cirulla_sim.ruleset.presets import build
    >>> [victory_points(victory_table(build(changes={"target": 51})), margin) for margin in (0, 2, 3, 22, 33, 90)]
    [10, 10, 11, 16, 20, 20]
    """
    return NO_GAME_POINTS + bisect_right(lowest, margin) - 1


def _matches(tally: Any) -> Iterator[Row]:
    matches, dealer, hands, squares = _sums(tally, "GAMES", "MATCHES_D", "MATCH_HANDS", "MATCH_HANDS_SQUARED")
    yield estimate_row("wins_match", "match", "dealer", "probability", proportion(dealer, matches))
    yield estimate_row("wins_match", "match", "others", "probability", proportion(matches - dealer, matches))
    yield estimate_row("games_match", "match", "all", "mean", _mean_of(tally.match))
    yield from _distribution("games_match_distribution", tally.match, "match")
    yield estimate_row("hands_match", "match", "all", "mean", bounded_mean(hands, squares, matches))


def _mean_of(counts: Any) -> Estimate:
    """The mean of a distribution given as counts of 0, 1, 2, ..."""
    filled = {int(value): int(counts[value]) for value in np.flatnonzero(counts)}
    return _mean_by(filled, sum(filled.values()))


def _distribution(name: str, counts: Any, per: str = "game") -> Iterator[Row]:
    n = int(counts.sum())
    for value in np.flatnonzero(counts):
        yield estimate_row(name, per, "all", "share", seen(proportion(int(counts[value]), n)), int(value))
