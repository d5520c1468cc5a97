"""What a run of whole games shows: how long they are, who wins, how close they are, with intervals, from the tally.

Game ``g`` has the same deals in every experiment, so games are paired as hands are. Where the points of a game form a
Markov chain (see ``win_chance``), the chance to win is solved from hands, which is more precise than counting games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine.chunks import game_row_names
from ..engine.engines import Run
from ..engine.trials import Games, Trials
from ..ruleset.catalogue import ALL_POINTS, catalogue, victory_points
from ..ruleset.rules_model import Rules
from ..stats.distributions import mid_p
from ..stats.estimates import (
    Difference,
    Estimate,
    PairedSums,
    listed_share,
    mean_and_deviation,
    mean_change,
    proportion,
    student,
    two_sided,
)
from ..storage.tables import empty_row, estimate_row, make_frame
from .comparison import Chunk, Comparison, TrialMeasures
from .runner import Execution
from .tally import ONE, Product, Quantity, Row, Tally, TrialNumbers, difference_row, level_row, winners_changed
from .win_chance import WE, Expectancy, measure_chances, why_no_chain

_ENDS = ("cappotto", "won_at_deal", "last_capture_loses")
"""The quantities of the ways a game may end but by the score, in the kernel's order."""


def games_table(run: Run) -> pl.DataFrame:
    """The table of a run of games: one row a quantity (see ``tables``).

    ``dealer`` is the first dealer's side. Of matches everything but ``wins_match``, ``games_match`` and ``hands_match``
    is about the first game. Games are the trials, so the intervals are between games.
    """
    from ..kernel.game.whole_game import views

    rules, counts = run.experiment.rules, views(run.tally)
    return make_frame(_rows(rules, _tally(counts), counts))


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
    margin = {"d": rules.pays * others, "o": -rules.pays}
    yield row("margin", "dealer", "mean", games.mean(margin, -math.inf, scale=1 / others))
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
        rules.all_diamonds == "wins" or rules.shutout > 0,
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
    from ..kernel.game.whole_game import AT_DEAL, BY_CAPPOTTO

    lowest = victory_table(rules)
    if lowest is None:
        return
    by_margin: Counter[int] = (
        Counter()
    )  # games by match points: the margin, or outright the least that earns most (002)
    for won, sign in ((0, -1), (1, 1)):
        for margin in np.flatnonzero(counts.margin[won]).tolist():
            by_margin[sign * margin] += int(counts.margin[won, margin])
        by_margin[sign * lowest[-1]] += int(counts.ended[[BY_CAPPOTTO, AT_DEAL], won].sum())
    margins, times = np.array([*by_margin]), np.array([*by_margin.values()])
    earned = np.array([victory_points(lowest, abs(margin)) for margin in by_margin])
    for side, sign in (("dealer", 1), ("others", -1)):
        points = np.where(sign * margins >= 0, earned, ALL_POINTS - earned)
        tally = Tally.of(counts=times, margin=sign * margins, points=points)
        yield estimate_row("match_points", "game", side, "mean", tally.mean({"margin": 1}, -math.inf))
        yield estimate_row("victory_points", "game", side, "mean", tally.mean({"points": 1}, 0, ALL_POINTS))
        by_points = np.bincount(points, times.astype(float)).astype(int)
        yield from _distribution("victory_points_distribution", by_points, side=side)


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
        yield estimate_row(name, per, side, "share", listed_share(proportion(int(counts[value]), n)), int(value))


@dataclass(frozen=True)
class GameMeasures(TrialMeasures):
    """What is compared of games; by rules, these are added up too: games with another winner, and how many of the other
    sides win a game that they do not win in the first experiment, or the other way round."""

    quantities: tuple[Quantity, ...] = (
        Quantity("wins_game", "game", "dealer", "probability"),
        Quantity("hands", "game", "all", "mean"),
        Quantity("lead_changes", "game", "all", "mean"),
        Quantity("comeback", "game", "all", "mean"),
        Quantity("cappotto", "game", "all", "probability"),
    )
    chunk: int = 1 << 12

    @cached_property
    def names(self) -> tuple[Product, ...]:
        more: tuple[Product, ...] = (
            ("winner changed",), ("gained",), ("lost",), ("gained", "gained"), ("lost", "lost")
        )  # fmt: skip
        return (*super().names, *(more if self.by_rules else ()))

    def numbers(self, rules: Rules, rows: NDArray[Any]) -> TrialNumbers:
        from ..kernel.game.whole_game import BY_CAPPOTTO

        row = dict(zip(game_row_names(rules), rows.T.astype(np.int64), strict=True))
        won = _winners(rules, rows)[rules.dealer_side]
        numbers = (won, row["hands"], row["lead_changes"], row["comeback"], row["ended"] == BY_CAPPOTTO)
        return np.array(numbers, np.float64)

    def sums(self, x: Chunk, y: Chunk, base: Rules, rules: Rules) -> tuple[NDArray[np.int64], TrialNumbers]:
        pairs, more = super().sums(x, y, base, rules)
        if not self.by_rules:
            return pairs, more
        changed, gained, lost = winners_changed(_winners(base, x.rows), _winners(rules, y.rows))
        return np.concatenate([pairs, [changed, gained.sum(), lost.sum(), gained @ gained, lost @ lost]]), more


def _winners(rules: Rules, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """bool[sides, games]: whether each side wins, the first dealer's last; more than one can, and none."""
    winners = rows[:, game_row_names(rules).index("winners")]  # a mask of sides
    return np.asarray(winners >> np.arange(rules.sides)[:, None] & 1, np.bool_)


WINS, LENGTH = GameMeasures().quantities[:2]
CHANGES = (
    Quantity("game_winner_changed", "game", "all", "share"),
    Quantity("games_gained", "game", "dealer", "share"),
    Quantity("games_gained", "game", "others", "share"),
    Quantity("games_lost", "game", "dealer", "share"),
    Quantity("games_lost", "game", "others", "share"),
    Quantity("hands_moved", "game", "all", "mean"),
)
"""What changes game by game, in either direction, where all play the same games: see ``compared_hands.CHANGES``.

``dealer`` is the side that deals first.
"""


def game_rows(hands: Comparison, number: int, execution: Execution) -> list[dict[str, Any]]:
    """The rows that games add to the table of a comparison of hands; their p-values are not corrected yet.

    Raises ``InputError`` for games that cannot be played, ``KeyboardInterrupt`` on Ctrl-C.
    """
    games = Comparison({
        name: Games(arm.rules, arm.side_policies, number, arm.seed, constraints=arm.constraints)
        for name, arm in hands.arms.items()
    }, GameMeasures(by_rules=True), hands.unpaired)  # fmt: skip
    nothing = Run(games, np.zeros(games.tally_size(), np.int64), 0, "interrupted")
    played = execution.fold(games, games.play, nothing)
    if played.stopped == "interrupted":
        raise KeyboardInterrupt
    chances = {name: _chances(arm, execution) for name, arm in hands.arms.items()}
    usual, rows = next(iter(chances.values())), []
    for place, part in enumerate(games.parts(played)):
        named, chance, (base, rules) = {"rules": part.name}, chances[part.name], part.sets
        length = part.pair(LENGTH.key)
        for quantity in games.measures.quantities:
            if quantity == WINS and usual is not None and chance is not None:
                level = chance.chance(0, 0, [WE])
                difference = _chance_difference(usual, chance, games.unpaired, max(length.x, length.y) / number)
            else:
                level, difference = part.level(quantity), part.difference(quantity)
            rows.append(level_row(named, quantity, level))
            if place:
                rows.append(difference_row(named, quantity, difference, games.unpaired))
        if place and not games.unpaired:
            # Only a length that has not been seen to change needs a bound; no game has a longest length.
            moves = length.excess or length.x != length.y
            moved = mean_change(length, math.inf if moves else part.largest(LENGTH, length))
            others = rules.sides - 1 if rules.sides == base.sides else 1  # else all others count as one side
            changes = [*_changes(part.sums, part.pair(WINS.key), others), moved]
            rows += [level_row(named, *row) for row in zip(CHANGES, changes, strict=True)]
    return rows


def _changes(games: Tally, wins: PairedSums, others: int) -> list[Estimate]:
    """The estimates of ``CHANGES`` but the last; several of so many ``others`` can win or lose the same game."""
    return [
        games.counted(games.sums["winner changed"]),
        games.counted(wins.excess),
        games.ratio({"gained": 1}, {ONE: others}),
        games.counted(wins.excess - (wins.y - wins.x)),
        games.ratio({"lost": 1}, {ONE: others}),
    ]


# ------------------------------------------------------------------------------------------------ the chain


def _chances(hands: Trials, execution: Execution) -> Expectancy | None:
    """The chances of the first dealer's side and the others', None where games are no chain of points."""
    rules = hands.rules
    if why_no_chain(rules):
        return None
    dealer, others = hands.side_policies[rules.dealer_side], hands.side_policies[1 - rules.dealer_side]
    return measure_chances(
        rules, (dealer,) if dealer == others else (dealer, others), hands.number, hands.seed,
        known=(hands.constraints, hands.constraints), engine=execution.engine, threads=execution.threads,
    )  # fmt: skip


def _chance_difference(base: Expectancy, other: Expectancy, unpaired: bool, length: float) -> Difference:
    """How much likelier the first dealer's side is to win; both tables are of the same hands, batch by batch.

    Where no hand of any batch makes a difference, one of the ``length`` hands that a game has on average might still,
    and then decides the game at most.
    """
    x, y = (chances.batches[:, WE, 0, 0] for chances in (base, other))
    value = float(other.chances[WE, 0, 0] - base.chances[WE, 0, 0])
    count = min(len(x), len(y))
    if count < 2 or unpaired or len(x) != len(y):
        error = math.hypot(*(chances.chance(0, 0, [WE]).std_error for chances in (base, other)))
        gain = None
    else:
        both, *each = (mean_and_deviation(numbers.tolist())[1] for numbers in (y - x, x, y))
        error, apart = both / math.sqrt(count), math.hypot(*each) / math.sqrt(count)
        gain = apart / error if error else None
    freedom = max(count - 1, 1)
    if value == error == 0:
        half = min(1.0, length * mid_p(0, other.hands)[1])
        return Difference(Estimate(0.0, 0.0, -half, half, other.hands), 1.0, None)
    half = student(freedom) * error if error else 0.0
    return Difference(Estimate(value, error, value - half, value + half, other.hands), two_sided(value, error, freedom),
                      gain)  # fmt: skip
