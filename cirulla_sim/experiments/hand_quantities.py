"""What a run of ``simulate`` shows: every quantity with its interval, from the tally alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from ..engine.engines import Run
from ..exact.families import count_pairs
from ..exact.first_deal import HOLDING_SIZE, TABLE_SIZE, buries, hand_bonus, misdeals, table_bonus, wins
from ..ruleset.bounds import most
from ..ruleset.rules_model import Rules
from ..stats.control_variates import Controls
from ..stats.estimates import Estimate, bounded_mean, clustered, proportion, seen
from ..stats.stratified import scaled
from ..storage.tables import estimate_row as _row
from ..storage.tables import table
from .side_by_side import Beside


@cache
def dealt_points(rules: Rules) -> dict[str, Fraction] | None:
    """Mean points a hand of the best bonuses dealt to the dealer's side and to the others, and of the table's.

    Whether they are shown is the play's business; a hand decided at the deal has none. Every holding of every stage is
    any three of the cards that the table played leaves, so all have the same mean. None where cards are not dealt by
    threes after a table of four, and where misdealt tables are buried, since then they are not.

    >>> from cirulla_sim.ruleset.presets import build
    >>> {name: round(float(mean), 3) for name, mean in dealt_points(build("cirulla", players=2)).items()}
    {'hand_bonus_dealer': 2.309, 'hand_bonus_others': 2.309, 'table_bonus': 0.171}
    """
    threes = all(size == HOLDING_SIZE for size in rules.deal_plan)
    again, won = misdeals(rules), wins(rules)
    if not (threes and rules.table_cards == TABLE_SIZE) or (buries(rules) and again.any()):
        return None
    left = ~again & ~won
    played, repeated = Fraction(int(left.sum()), len(left)), Fraction(int(again.sum()), len(again))
    if rules.misdeals_lose:
        played *= sum(repeated**before for before in range(rules.misdeals_lose))
    else:
        played /= 1 - repeated
    points = hand_bonus(rules)[1].astype(np.int64)
    by_points = count_pairs(left.astype(np.int64), TABLE_SIZE, points, HOLDING_SIZE)[1].tolist()
    holding = Fraction(sum(number * ways for number, ways in enumerate(by_points)), sum(by_points))
    table = Fraction(int(table_bonus(rules)[1][left].sum()), int(left.sum()))
    of_dealer = sum(rules.side(seat) == rules.dealer_side for seat in range(rules.players))
    stages = len(rules.deal_plan)
    return {
        "hand_bonus_dealer": played * stages * of_dealer * holding,
        "hand_bonus_others": played * stages * (rules.players - of_dealer) * holding,
        "table_bonus": played * table,
    }


Row = dict[str, Any]

_KNOCK_NAMES = {"low": "hand_low", "low_no_ace": "hand_low_no_ace", "triple": "hand_triple"}
_TABLE_BONUSES = ("table_15", "table_30", "table_low")
_POINTS = (
    "cards", "diamonds", "settebello", "primiera", "grande", "piccola", "scope", "table_bonus", "hand_bonus",
)  # fmt: skip
_SIDES = {"all": "hand", "dealer": "side", "others": "side"}
"""Sides, and what a quantity of theirs is counted by."""


class _Sums:
    """The tally of a run as Python's whole numbers: sums over hands by column, for the dealer's side, others, all."""

    def __init__(self, run: Run, controls: bool = False, beside: Beside | None = None) -> None:
        from ..kernel.game.scoring import COLUMN
        from ..kernel.game.tallies import DEALER_WON, HANDS, OTHERS_WON, views

        self.rules = run.experiment.rules
        self.tally = views(run.tally)
        self.hands = int(self.tally.hand[HANDS])
        self.played = self.hands - int(self.tally.hand[DEALER_WON]) - int(self.tally.hand[OTHERS_WON])
        self.others = self.rules.sides - 1
        self.most = most(self.rules)
        self._column = COLUMN
        self.controls, self._crossed = _controls(run) if controls else (None, {})
        known = beside is not None and controls and run.done >= FEWEST
        self._beside = _Control(beside) if known and beside is not None else None

    def of(self, name: str, side: str) -> tuple[int, int, int]:
        """Sum, sum of squares and number of sides of a column: for the dealer's side, the others added up, or all."""
        d, o, dd, oo, do = (int(x) for x in self.tally.sums[:, self._column[name]])
        return {
            "dealer": (d, dd, 1),
            "others": (o, oo, self.others),
            "all": (d + o, dd + oo + 2 * do, 1 + self.others),
        }[side]

    def mean(self, name: str, side: str) -> Estimate:
        """Mean a hand; of the others the mean of a side, of all the total."""
        total, squares, sides = self.of(name, side)
        scale = 1 / sides if side == "others" else 1.0
        if corrected := self.corrected(name, side):
            controls, crossed = corrected
            return controls.mean(total, squares, crossed, scale)
        return bounded_mean(total, squares, self.hands, 0, self.most[name], scale)

    def share(self, name: str, side: str) -> Estimate:
        """The proportion of sides, or for ``all`` of hands, of which a column that is 0 or 1 is true.

        For ``all`` the column may be true of one side only.
        """
        total, squares, sides = self.of(name, side)
        trials = sides if side == "others" else 1
        if corrected := self.corrected(name, side):
            controls, crossed = corrected
            return controls.share(total, squares, crossed, trials)
        return self.ratio(total, squares, trials, self.hands)

    def margin(self) -> tuple[int, int]:
        """Sum and sum of squares of the dealer's points times the number of other sides, less theirs."""
        (d, dd, _), (o, oo, others) = self.of("total", "dealer"), self.of("total", "others")
        both = (self.of("total", "all")[1] - dd - oo) // 2
        return others * d - o, others**2 * dd - 2 * others * both + oo

    def corrected(self, name: str, side: str) -> tuple[Controls, Sequence[int]] | None:
        """What a column is corrected by, ``margin`` too, and its products with that; None if it is not."""
        controls, crossed = self.controls, self.crossed(name, side)
        if self._beside is None or name not in CORRECTED:
            return (controls, crossed) if controls is not None and crossed else None
        return self._beside.added(controls or Controls({}, (), (), self.hands), crossed, name, side)

    def crossed(self, name: str, side: str) -> Sequence[int]:
        """The sums of a column's products with the controls, none where there are none."""
        if name == "margin":
            products = zip(self.crossed("total", "dealer"), self.crossed("total", "others"), strict=True)
            return [self.others * of_d - of_o for of_d, of_o in products]
        if side != "all" or (name, "dealer") not in self._crossed:
            return self._crossed.get((name, side), ())
        return [d + o for d, o in zip(self._crossed[name, "dealer"], self._crossed[name, "others"], strict=True)]

    def ratio(self, x: int, xx: int, trials: int, hands: int) -> Estimate:
        """A proportion of a fixed number of trials a hand."""
        return clustered(x, trials * hands, xx, trials * x, trials * trials * hands, hands)


FEWEST = 100
"""Hands without which no controls are fitted."""

CORRECTED = {"total": "points", "margin": "margin", "wins": "wins_hand"}
"""Columns that another line-up's are a control of, and the quantities they are."""


class _Control:
    """A line-up that played the same hands and many more: each of its numbers is a control of another's."""

    def __init__(self, beside: Beside) -> None:
        self._shared, self._whole = _Sums(beside.shared, True), _Sums(beside.whole, True)
        self._products = beside.products

    def added(
        self, controls: Controls, crossed: Sequence[int], name: str, side: str
    ) -> tuple[Controls, Sequence[int]]:  # fmt: skip
        """Controls with this one more, and a number's products with them."""
        if name == "margin":
            (total, squares), known = self._shared.margin(), _margin(self._whole)
            sides = self._whole.others
        else:
            total, squares, several = self._shared.of(name, side)
            known = self._whole.share(name, side) if name == "wins" else self._whole.mean(name, side)
            sides = several if side == "others" else 1
        with_others = self._shared.crossed(name, side) if controls.means else ()
        controls = controls.beside(name, scaled(known, sides), total, squares, with_others)
        return controls, [*crossed, self._products[CORRECTED[name], side]]


def _controls(run: Run) -> tuple[Controls | None, dict[tuple[str, str], list[int]]]:
    """The controls that a run has, None for none, and by column and side the sums of its products with them."""
    from ..kernel.game.tallies import CONTROL_SUMS, CONTROLLED, CONTROLS, views

    means = dealt_points(run.experiment.rules) if run.experiment.constraints is None else None
    if means is None or not any(means.values()) or run.done < FEWEST:
        return None, {}
    sums = [[int(x) for x in row] for row in views(run.tally).hand[CONTROLLED:].reshape(-1, CONTROL_SUMS)]
    some = [i for i, name in enumerate(CONTROLS) if means[name]]
    controls = Controls(
        {CONTROLS[i]: means[CONTROLS[i]] for i in some},
        [sums[i][0] for i in some],
        [[sums[i][1 + j] for j in some] for i in some],
        run.done,
    )
    results = (("total", "dealer"), ("total", "others"), ("wins", "dealer"), ("wins", "others"))
    first = 1 + len(CONTROLS)
    return controls, {result: [sums[i][first + at] for i in some] for at, result in enumerate(results)}


def control_names(run: Run) -> list[str]:
    """What the points and hands won of a run are corrected by, as the metadata names it."""
    controls, _ = _controls(run)
    return [] if controls is None else list(controls.means)


def simulated(run: Run, controls: bool = True, beside: Beside | None = None) -> pl.DataFrame:
    """The table of a run: every quantity of the contract that simulation gives, one row a quantity (see ``tables``).

    With ``controls`` points, the margin and hands won are corrected by the bonuses that were dealt, whose means are
    known exactly (see ``stats.control_variates``), where they are; and by those of a line-up that played the same hands
    and many more (``beside``).
    """
    sums = _Sums(run, controls, beside)
    return table(row for part in (_deal, _knocks, _points, _score, _melds, _primiera) for row in part(sums))


def _deal(sums: _Sums) -> Iterator[Row]:
    from ..kernel.game.tallies import DEALER_WON, HANDS, MISDEALS, MISDEALS_SQUARED, OTHERS_WON, TABLE_KINDS

    hand, rules = sums.tally.hand, sums.rules
    if rules.table_cards:
        m, mm, lost, n = (int(hand[i]) for i in (MISDEALS, MISDEALS_SQUARED, OTHERS_WON, HANDS))
        limit = rules.misdeals_lose
        # Tables dealt in a hand: its misdeals and the one played; after a loss by misdeals there is none to play.
        dealt = m + n - lost
        crossed = mm + m - limit * lost
        squares = mm + 2 * m + n - lost * (2 * limit + 1)
        yield _row("misdeal", "table", "all", "probability", clustered(m, dealt, mm, crossed, squares, n))
        for kind, name in enumerate(_TABLE_BONUSES):
            if getattr(rules, name):
                count = int(hand[TABLE_KINDS + kind])
                yield _row(name, "hand", "dealer", "probability", proportion(count, sums.played))
        if rules.table_four_equal_wins:
            yield _row("table_wins", "hand", "dealer", "probability", proportion(int(hand[DEALER_WON]), n))
        if limit:
            yield _row("misdeals_in_a_row", "hand", "others", "probability", proportion(lost, n))


def _knocks(sums: _Sums) -> Iterator[Row]:
    from ..kernel.game.tallies import ANY, KNOCKS

    rules = sums.rules
    holdings = rules.players * len(rules.deal_plan)
    for number, kind in enumerate(KNOCKS if rules.hand_bonuses else ()):
        name = _KNOCK_NAMES.get(kind, "knock")
        total, squares, _ = sums.of(kind, "all")
        if not rules.big_holdings:
            yield _row(name, "holding", "all", "probability", sums.ratio(total, squares, holdings, sums.played))
        else:
            estimate = bounded_mean(total, squares, sums.played, 0, sums.most[kind], 1 / holdings)
            yield _row(name, "holding", "all", "mean", estimate)
        for stage in range(len(rules.deal_plan)):
            by_number = [int(x) for x in sums.tally.stages[stage, number]]
            any_of_them = proportion(sum(by_number), sums.played)
            total = sum(i * x for i, x in enumerate(by_number))
            squares = sum(i * i * x for i, x in enumerate(by_number))
            yield _row(name, "stage", "all", "probability", any_of_them, stage + 1)
            sets = rules.players * (rules.deal_plan[stage] // 3)
            estimate = bounded_mean(total, squares, sums.played, 0, sets)
            yield _row(name, "stage", "all", "mean", estimate, stage + 1)
        yield _row(name, "hand", "all", "probability", proportion(int(sums.tally.hand[ANY + number]), sums.hands))
        yield _row(name, "hand", "all", "mean", sums.mean(kind, "all"))
        for side in ("dealer", "others"):
            yield _row(name, "side", side, "probability", sums.share(f"any_{kind}", side))
            yield _row(name, "side", side, "mean", sums.mean(kind, side))


def _points(sums: _Sums) -> Iterator[Row]:
    for side in _SIDES:
        yield _row("sweeps", "hand", side, "mean", sums.mean("scope", side))
        yield _row("captures", "hand", side, "mean", sums.mean("captures", side))
        yield _row("points", "hand", side, "mean", sums.mean("total", side))
        for category in _POINTS:
            yield _row(f"points_{category}", "hand", side, "mean", sums.mean(category, side))
    yield _row("margin", "hand", "dealer", "mean", _margin(sums))


def _margin(sums: _Sums) -> Estimate:
    """The dealer's side's points less the mean of the other sides'."""
    total, squares = sums.margin()
    if corrected := sums.corrected("margin", "dealer"):
        controls, crossed = corrected
        return controls.mean(total, squares, crossed, 1 / sums.others)
    widest = sums.others * sums.most["total"]
    return bounded_mean(total, squares, sums.hands, -widest, widest, 1 / sums.others)


def _score(sums: _Sums) -> Iterator[Row]:
    from ..kernel.game.tallies import ALIKE, DEALER, OTHERS

    for side, group, sides in (("dealer", DEALER, 1), ("others", OTHERS, sums.others)):
        counts = [int(x) for x in sums.tally.points[group]]
        last = max(score for score, count in enumerate(counts) if count)
        for score in range(last + 1):
            # A hand with k sides of a score has k * (k - 1) / 2 pairs of them: so the pairs give its square.
            pairs = int(sums.tally.points[ALIKE, score]) if group == OTHERS else 0
            share = sums.ratio(counts[score], counts[score] + 2 * pairs, sides, sums.hands)
            yield _row("points_distribution", "side", side, "share", seen(share), score)
    for side in ("dealer", "others"):
        yield _row("wins_hand", "side", side, "share", sums.share("wins", side))
    yield _row("ties_hand", "hand", "all", "share", _ties(sums))


def _ties(sums: _Sums) -> Estimate:
    """The share of hands that are played and nobody wins: not those won at the deal, by several sides at once too."""
    from ..kernel.game.tallies import OTHERS_WON

    ties = sums.hands - sums.of("wins", "all")[0]
    if sums.others > 1:
        ties -= int(sums.tally.hand[OTHERS_WON])
    if sums.controls is None:
        return proportion(ties, sums.hands)
    # A hand that is not played has no bonuses, so the products with ties are those with 1 less those with wins.
    products = zip(sums.controls.sums, sums.crossed("wins", "all"), strict=True)
    return sums.controls.share(ties, ties, [every - won for every, won in products], 1)


def _melds(sums: _Sums) -> Iterator[Row]:
    from ..kernel.game.tallies import DEALER, OTHERS

    rules = sums.rules
    if rules.grande:
        for side, per in _SIDES.items():
            yield _row("grande", per, side, "probability", sums.share("grande_made", side))
    if rules.piccola_max:
        dealer, others = (sums.tally.piccola[group] for group in (DEALER, OTHERS))
        lengths = range(3, rules.piccola_max + 1)
        for (side, per), by_length in zip(_SIDES.items(), (dealer + others, dealer, others), strict=True):
            # One side at most has the ace of diamonds, so counts of sides are counts of hands.
            trials = sums.others if side == "others" else 1
            counts = {None: int(by_length[3:].sum())} | {length: int(by_length[length]) for length in lengths}
            for length, count in counts.items():
                share = sums.ratio(count, count, trials, sums.hands)
                yield _row("piccola", per, side, "probability", share, length)
    if rules.all_diamonds != "none":
        for side, per in _SIDES.items():
            yield _row("cappotto", per, side, "probability", sums.share("cappotto", side))


def _primiera(sums: _Sums) -> Iterator[Row]:
    from ..kernel.game.tallies import DEALER, OTHERS

    if sums.rules.primiera == "none":
        return
    for side, group in (("dealer", DEALER), ("others", OTHERS)):
        codes = sums.tally.primiera[group]  # by sevens: hands by how many sides held so many, won with them, tied
        held, won, tied = (np.arange(codes.shape[1]) // part % 4 for part in (16, 4, 1))
        outcomes = {"primiera_won": won, "primiera_tied": tied, "primiera_lost": held - won - tied}
        for name in ("primiera_won", "primiera_tied"):
            yield _row(name, "side", side, "share", sums.share(name, side))
        yield _row("primiera_lost", "side", side, "share", _primiera_lost(sums, side))
        for sevens in range(5):
            counts = codes[sevens]
            y, yy = int(counts @ held), int(counts @ held**2)
            for name, times in outcomes.items() if y else ():
                x, xx, xy = (int(counts @ of) for of in (times, times**2, times * held))
                yield _row(name, "side", side, "share", clustered(x, y, xx, xy, yy, sums.hands), sevens)


def _primiera_lost(sums: _Sums, side: str) -> Estimate:
    """The share of sides that neither won nor tied the primiera; in a hand that one side wins no other ties it."""
    (won, won_squared, sides), (tied, tied_squared, _) = (sums.of(f"primiera_{end}", side) for end in ("won", "tied"))
    other = won + tied
    squares = sides**2 * sums.hands - 2 * sides * other + won_squared + tied_squared
    return sums.ratio(sides * sums.hands - other, squares, sides, sums.hands)
