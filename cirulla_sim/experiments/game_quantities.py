"""What a run of whole games shows: how long they are, who wins, how close they are, with intervals, from the tally."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.engines import Run
from ..ruleset.catalogue import catalogue
from ..ruleset.rules_model import Rules
from ..stats.estimates import Estimate, proportion, seen
from ..storage.tables import empty_row, estimate_row, table
from .tally import ONE, Tally

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

    rules, counts = run.experiment.rules, views(run.tally)
    return table(_rows(rules, _tally(counts), counts))


def _tally(counts: Any) -> Tally:
    """The sums over games; ``o`` are the sides that do not deal first added up."""
    from ..kernel.game import whole_game as places

    names = ("SUM_H", "SUM_HH", "SUM_D", "SUM_O", "SUM_DD", "SUM_OO", "SUM_DO", "WON_D", "WON_O", "WON_OO")
    h, hh, d, o, dd, oo, do, won_d, won_o, won_oo = (int(counts.sums[getattr(places, name)]) for name in names)
    products = {("h", "h"): hh, ("d", "d"): dd, ("o", "o"): oo, ("d", "o"): do, ("won o", "won o"): won_oo}
    sums = {"h": h, "d": d, "o": o, "won d": won_d, "won o": won_o}
    return Tally(int(counts.sums[places.GAMES]), sums, products)


def _rows(rules: Rules, games: Tally, counts: Any) -> Iterator[Row]:
    others, drawn = rules.sides - 1, int(counts.margin[:, 0].sum()) if rules.drawn_games else 0

    def row(name: str, side: str, kind: str, estimate: Estimate) -> Row:
        return estimate_row(name, "game", side, kind, estimate)

    yield row("wins_game", "dealer", "probability", games.share({"won d": 1}))
    # Several other sides depend on each other.
    won = games.share({"won o": 1}) if others == 1 else games.ratio({"won o": 1}, {ONE: others})
    yield row("wins_game", "others", "probability", won)
    if rules.drawn_games:
        yield row("ties_game", "all", "probability", games.counted(drawn))
    yield row("hands", "all", "mean", games.mean({"h": 1}))
    yield from _distribution("hands_distribution", counts.hands)
    yield from _ends(rules, games, counts)
    yield row("lead_changes", "all", "mean", _mean_of(counts.leads))
    yield from _distribution("lead_changes_distribution", counts.leads)
    yield row("comeback", "all", "probability", games.counted(games.trials - int(counts.comeback[0])))
    yield row("comeback", "all", "mean", _mean_of(counts.comeback))
    biggest = {"quantity": "comeback", "per": "game", "side": "all", "kind": "maximum", "n": games.trials}
    yield empty_row() | biggest | {"estimate": float(np.flatnonzero(counts.comeback)[-1])}  # of these: no interval
    yield from _distribution("comeback_distribution", counts.comeback)
    yield row("points", "dealer", "mean", games.mean({"d": 1}))
    yield row("points", "others", "mean", games.mean({"o": 1}, scale=1 / others))
    yield row("margin", "dealer", "mean", games.mean({"d": others, "o": -1}, -math.inf, scale=1 / others))
    by_margin = counts.margin.sum(axis=0)
    by_margin[0] -= drawn
    if by_margin.any():
        yield row("winning_margin", "all", "mean", _mean_of(by_margin))
        yield from _distribution("winning_margin_distribution", by_margin)
    yield from _victory_points(rules, games, counts)
    if rules.best_of > 1:
        yield from _matches(counts)


def _ends(rules: Rules, games: Tally, counts: Any) -> Iterator[Row]:
    possible = (
        rules.all_diamonds == "wins",
        rules.misdeals_lose > 0 or rules.table_four_equal_wins,
        rules.knockout_tiebreak,
    )
    for way, (name, can_be) in enumerate(zip(_ENDS, possible, strict=True), 1):
        if can_be:
            lost, won = counts.ended[way].tolist()
            by_side = {"all": won + lost} | ({"dealer": won, "others": lost} if rules.sides == 2 else {})
            for side, count in by_side.items():
                yield estimate_row(name, "game", side, "probability", games.counted(count))


def _victory_points(rules: Rules, games: Tally, counts: Any) -> Iterator[Row]:
    """The means of match and victory points a game, where source 002 has a table for such games between two sides."""
    lowest = victory_table(rules)
    if lowest is None:
        return
    by_margin = _match_points(lowest, counts)
    margins, times = np.array([*by_margin]), np.array([*by_margin.values()])
    earned = np.array([victory_points(lowest, abs(margin)) for margin in by_margin])
    for side, sign in (("dealer", 1), ("others", -1)):
        points = np.where(sign * margins >= 0, earned, ALL_POINTS - earned)
        tally = Tally.of(counts=times, margin=sign * margins, points=points)
        yield estimate_row("match_points", "game", side, "mean", tally.mean({"margin": 1}, -math.inf))
        yield estimate_row("victory_points", "game", side, "mean", tally.mean({"points": 1}, 0, ALL_POINTS))
        by_points = np.bincount(points, times.astype(float)).astype(int)
        yield from _distribution("victory_points_distribution", by_points, side=side)


def _match_points(lowest: Sequence[int], counts: Any) -> Counter[int]:
    """Games by match points of the first dealer's side: its margin, or outright the least that earns most (002)."""
    from ..kernel.game.whole_game import AT_DEAL, BY_CAPPOTTO

    games: Counter[int] = Counter()
    for won, sign in ((0, -1), (1, 1)):
        for margin in np.flatnonzero(counts.margin[won]).tolist():
            games[sign * margin] += int(counts.margin[won, margin])
        games[sign * lowest[-1]] += int(counts.ended[[BY_CAPPOTTO, AT_DEAL], won].sum())
    return games


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


def _matches(counts: Any) -> Iterator[Row]:
    from ..kernel.game import whole_game as places

    names = ("GAMES", "MATCHES_D", "MATCH_HANDS", "MATCH_HANDS_SQUARED")
    trials, won, hands, squares = (int(counts.sums[getattr(places, name)]) for name in names)
    matches = Tally(trials, {"hands": hands}, {("hands", "hands"): squares})
    yield estimate_row("wins_match", "match", "dealer", "probability", matches.counted(won))
    yield estimate_row("wins_match", "match", "others", "probability", matches.counted(trials - won))
    yield estimate_row("games_match", "match", "all", "mean", _mean_of(counts.match))
    yield from _distribution("games_match_distribution", counts.match, "match")
    yield estimate_row("hands_match", "match", "all", "mean", matches.mean({"hands": 1}))


def _mean_of(counts: NDArray[np.int64]) -> Estimate:
    """The mean of a distribution given as counts of 0, 1, 2, ..."""
    return Tally.of(counts=counts, values=np.arange(len(counts))).mean({"values": 1})


def _distribution(name: str, counts: NDArray[np.int64], per: str = "game", side: str = "all") -> Iterator[Row]:
    n = int(counts.sum())
    for value in np.flatnonzero(counts):
        yield estimate_row(name, per, side, "share", seen(proportion(int(counts[value]), n)), int(value))
