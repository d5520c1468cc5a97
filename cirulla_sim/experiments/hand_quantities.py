"""What hands show: quantities with intervals, from the tally alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import polars as pl

from ..engine.engines import Run
from ..engine.first_tables import mean_bonus_points
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import most, paid, scoring_of, sweeps_column
from ..stats.estimates import Estimate, listed_share, scale_estimate
from ..stats.variance_reduction import Controls
from ..storage.tables import estimate_row as _row
from ..storage.tables import make_frame
from .tally import ONE, Formula, Row, Tally

FEWEST = 100
"""Hands without which no controls are fitted."""

CORRECTED = {"total": "points", "margin": "margin", "wins": "wins_hand"}
"""Columns that control variates correct, and the quantities they are."""

_KNOCK_NAMES = {"low": "hand_low", "low_no_ace": "hand_low_no_ace", "triple": "hand_triple"}
_TABLE_BONUSES = ("table_15", "table_30", "table_low")
_SIDES = {"all": "hand", "dealer": "side", "others": "side"}
"""Sides, and what a quantity of theirs is counted by."""


def points_of(rules: Rules) -> dict[str, str]:
    """Quantities that are means a hand, and the columns of ``play_rows`` they come from."""
    categories = {f"points_{category.key}": category.column for category in scoring_of(rules)}
    return {"points": "total", **categories, "sweeps": sweeps_column(rules), "captures": "captures"}


class Beside(NamedTuple):
    """What a line-up's control played: the trials that it shares with the line-up, and these and all after them.

    ``together`` are the sums of both, by the names of ``paired_names``.
    """

    shared: Run
    whole: Run
    together: Tally


class _Hands:
    """The tally of a run by columns: those of the kernel for the dealer's side and for the others, and what is dealt.

    With ``controls`` some estimates are corrected by what is dealt, and by those of a line-up ``beside``.
    """

    def __init__(self, run: Run, controls: bool = False, beside: Beside | None = None) -> None:
        from ..kernel.game.tallies import DEALER_WON, OTHERS_WON, views

        self.rules, self.views = run.experiment.rules, views(run.tally)
        self.others, self.most = self.rules.sides - 1, most(self.rules)
        self.tally = _tally(run)
        won_at_deal = int(self.views.hand[[DEALER_WON, OTHERS_WON]].sum())
        self.played = replace(self.tally, trials=self.tally.trials - won_at_deal)
        self.controls = self._beside = None
        if controls and (dealt := control_means(run)):
            columns: list[Formula] = [{name: 1} for name in dealt]
            products = [[self.tally.product(x, y) for y in columns] for x in columns]
            self.controls = Controls(dealt, list(map(self.tally.sum, columns)), products, self.tally.trials)
        if controls and beside is not None and run.done >= FEWEST:
            self._beside = _Hands(beside.shared, True), _Hands(beside.whole, True), beside.together

    def column(self, name: str, side: str) -> tuple[Formula, int]:
        """A column of the dealer's side, of the others or of all, and how many sides it adds up that are shown as one.

        The ``margin`` counts each of the others.
        """
        if name == "margin":
            pays = self.rules.pays  # where the fewest win, a margin is of points fewer
            return {"total dealer": pays * self.others, "total others": -pays}, self.others
        of_sides = ("dealer", "others") if side == "all" else (side,)
        return {f"{name} {of}": 1 for of in of_sides}, self.others if side == "others" else 1

    def mean(self, name: str, side: str) -> Estimate:
        """Mean a hand; of the others the mean of a side, of all the total."""
        x, sides = self.column(name, side)
        if corrected := self._corrected(name, side):
            controls, sums = corrected
            return controls.mean(*sums, 1 / sides)
        if name == "margin":
            widest = self.others * self.most["total"]
            return self.tally.mean(x, -widest, widest, 1 / sides)
        return self.tally.mean(x, 0, self.most.get(name, 40), 1 / sides)  # what counts cards or plays is 40 at most

    def share(self, name: str, side: str) -> Estimate:
        """The proportion of sides, or for ``all`` of hands, of which a column that is 0 or 1 is true.

        For ``all`` the column may be true of one side only.
        """
        x, sides = self.column(name, side)
        if corrected := self._corrected(name, side):
            controls, sums = corrected
            return controls.share(*sums, sides)
        return self.tally.ratio(x, {ONE: sides})

    def crossed(self, controls: Controls, x: Formula) -> list[int]:
        """The sums of a column's products with the controls."""
        return [self.tally.product({control: 1}, x) for control in controls.means]

    def _corrected(self, name: str, side: str) -> tuple[Controls, tuple[int, int, list[int]]] | None:
        """What a column is corrected by, and the sums of it, its squares and its products with that; or None."""
        if name not in CORRECTED or (self.controls is None and self._beside is None):
            return None
        (x, sides), controls = self.column(name, side), self.controls or Controls({}, (), (), self.tally.trials)
        crossed = self.crossed(controls, x)
        if self._beside is not None:
            shared, whole, together = self._beside
            known = scale_estimate(whole.share(name, side) if name == "wins" else whole.mean(name, side), sides)
            sums = shared.tally.sum(x), shared.tally.product(x, x), shared.crossed(controls, x)
            key = f"{CORRECTED[name]} {side}"
            controls, crossed = controls.beside(name, known, *sums), [*crossed, together.products[f"first {key}", key]]
        return controls, (self.tally.sum(x), self.tally.product(x, x), crossed)


def _tally(run: Run) -> Tally:
    """The sums of a run, of what is dealt too: ``CONTROLS``, misdeals, and hands lost by misdeals."""
    from ..kernel.game import tallies as places
    from ..kernel.game.scoring import COLUMNS

    views = places.views(run.tally)
    sums: dict[str, int] = {}
    products: dict[tuple[str, str], int] = {}
    for name, (d, o, dd, oo, do) in zip(COLUMNS, views.sums.T.tolist(), strict=True):
        ours, theirs = f"{name} dealer", f"{name} others"
        sums |= {ours: d, theirs: o}
        products |= {(ours, ours): dd, (theirs, theirs): oo, (ours, theirs): do}
    # In a hand that one side wins the primiera no other ties it.
    products |= {(f"primiera_won {side}", f"primiera_tied {side}"): 0 for side in ("dealer", "others")}
    hand = views.hand.tolist()
    misdeals, squares, lost = (hand[i] for i in (places.MISDEALS, places.MISDEALS_SQUARED, places.OTHERS_WON))
    limit = run.experiment.rules.misdeals_lose
    sums |= {"misdeals": misdeals, "lost": lost, "won by several": lost if run.experiment.rules.sides > 2 else 0}
    products |= {("misdeals", "misdeals"): squares, ("misdeals", "lost"): limit * lost, ("lost", "lost"): lost}
    with_controls = *places.CONTROLS, "total dealer", "total others", "wins dealer", "wins others"
    controls = np.array(hand[places.CONTROLLED :]).reshape(-1, places.CONTROL_SUMS).tolist()
    for name, (total, *crossed) in zip(places.CONTROLS, controls, strict=True):
        sums[name] = total
        products |= {(name, other): both for other, both in zip(with_controls, crossed, strict=True)}
        products[name, "won by several"] = 0  # a hand that is not played has no bonuses
    return Tally(hand[places.HANDS], sums, products)


def control_means(run: Run) -> dict[str, Fraction]:
    """The bonuses dealt whose means are known and that are control variates of a run, with their means."""
    means = mean_bonus_points(run.experiment.rules) if run.experiment.constraints is None else None
    return {name: mean for name, mean in (means or {}).items() if mean and run.done >= FEWEST}


def simulated(run: Run, controls: bool = True, beside: Beside | None = None) -> pl.DataFrame:
    """The table of a run: every quantity of the contract that simulation gives, one row a quantity (see ``tables``).

    With ``controls`` points, the margin and hands won are corrected by the bonuses that were dealt, whose means are
    known exactly (see ``stats.variance_reduction``), where they are; and by those of a line-up that played the same
    hands and many more (``beside``).
    """
    hands = _Hands(run, controls, beside)
    return make_frame(row for part in (_deal, _knocks, _points, _score, _melds, _primiera) for row in part(hands))


def _deal(hands: _Hands) -> Iterator[Row]:
    from ..kernel.game.tallies import DEALER_WON, TABLE_KINDS

    rules, tally, counts = hands.rules, hands.tally, hands.views.hand
    if not rules.table_cards:
        return
    # Tables dealt in a hand: its misdeals and the one played; after a loss by misdeals there is none to play.
    misdeals, dealt = {"misdeals": 1}, {"misdeals": 1, ONE: 1, "lost": -1}
    yield _row("misdeal", "table", "all", "probability", tally.ratio(misdeals, dealt))
    for place, name in enumerate(_TABLE_BONUSES, TABLE_KINDS):
        if getattr(rules, name):
            yield _row(name, "hand", "dealer", "probability", hands.played.counted(counts[place]))
    if rules.table_four_equal_wins:
        yield _row("table_wins", "hand", "dealer", "probability", tally.counted(counts[DEALER_WON]))
    if rules.misdeals_lose:
        yield _row("misdeals_in_a_row", "hand", "others", "probability", tally.share({"lost": 1}))


def _knocks(hands: _Hands) -> Iterator[Row]:
    from ..kernel.game.tallies import ANY, KNOCKS

    rules, played = hands.rules, hands.played
    holdings = rules.players * len(rules.deal_plan)
    for number, kind in enumerate(KNOCKS if rules.hand_bonuses else ()):
        name, every = _KNOCK_NAMES.get(kind, "knock"), hands.column(kind, "all")[0]
        if not rules.big_holdings:
            yield _row(name, "holding", "all", "probability", played.ratio(every, {ONE: holdings}))
        else:
            yield _row(name, "holding", "all", "mean", played.mean(every, 0, hands.most[kind], 1 / holdings))
        for stage, size in enumerate(rules.deal_plan):
            by_number = hands.views.stages[stage, number]
            yield _row(name, "stage", "all", "probability", played.counted(by_number.sum()), stage + 1)
            knocks = Tally.of(counts=by_number, trials=played.trials, knocks=np.arange(len(by_number)))
            most_knocks = rules.players * (size // 3)
            yield _row(name, "stage", "all", "mean", knocks.mean({"knocks": 1}, 0, most_knocks), stage + 1)
        yield _row(name, "hand", "all", "probability", hands.tally.counted(hands.views.hand[ANY + number]))
        yield _row(name, "hand", "all", "mean", hands.mean(kind, "all"))
        for side in ("dealer", "others"):
            yield _row(name, "side", side, "probability", hands.share(f"any_{kind}", side))
            yield _row(name, "side", side, "mean", hands.mean(kind, side))


def _points(hands: _Hands) -> Iterator[Row]:
    points = points_of(hands.rules)
    for side in _SIDES:
        for name in dict.fromkeys(("sweeps", "captures", *points)):
            yield _row(name, "hand", side, "mean", hands.mean(points[name], side))
    yield _row("margin", "hand", "dealer", "mean", hands.mean("margin", "dealer"))


def _score(hands: _Hands) -> Iterator[Row]:
    from ..kernel.game.tallies import ALIKE, DEALER, OTHERS

    for side, group, sides in (("dealer", DEALER, 1), ("others", OTHERS, hands.others)):
        counts, pairs = hands.views.points[group].tolist(), hands.views.points[ALIKE].tolist()
        last = max(score for score, count in enumerate(counts) if count)
        for score, count in enumerate(counts[: last + 1]):
            # A hand with k sides of a score has k * (k - 1) / 2 pairs of them: so the pairs give its square.
            squares = count + 2 * pairs[score] if group == OTHERS else count
            tally = Tally(hands.tally.trials, {"sides": count}, {("sides", "sides"): squares})
            share = tally.ratio({"sides": 1}, {ONE: sides})
            yield _row("points_distribution", "side", side, "share", listed_share(share), score)
    for side in ("dealer", "others"):
        yield _row("wins_hand", "side", side, "share", hands.share("wins", side))
    # Hands played that nobody wins: not those won at the deal, by several sides at once too.
    ties: Formula = {ONE: 1, "wins dealer": -1, "wins others": -1, "won by several": -1}
    share, total = hands.tally.share(ties), hands.tally.sum(ties)
    if hands.controls is not None:
        share = hands.controls.share(total, total, hands.crossed(hands.controls, ties), 1)
    yield _row("ties_hand", "hand", "all", "share", share)


def _melds(hands: _Hands) -> Iterator[Row]:
    rules = hands.rules
    if paid(rules, "grande"):
        for side, per in _SIDES.items():
            yield _row("grande", per, side, "probability", hands.share("grande_made", side))
    if paid(rules, "piccola"):
        dealer, others = hands.views.piccola
        lengths = range(3, rules.piccola_max + 1)
        for (side, per), by_length in zip(_SIDES.items(), (dealer + others, dealer, others), strict=True):
            # One side at most has the ace of diamonds, so counts of sides are counts of hands.
            sides = hands.others if side == "others" else 1
            counts = {None: int(by_length[3:].sum())} | {length: int(by_length[length]) for length in lengths}
            for length, count in counts.items():
                tally = Tally(hands.tally.trials, {"made": count}, {("made", "made"): count})
                yield _row("piccola", per, side, "probability", tally.ratio({"made": 1}, {ONE: sides}), length)
    if rules.all_diamonds != "none":
        for side, per in _SIDES.items():
            yield _row("cappotto", per, side, "probability", hands.share("cappotto", side))


def _primiera(hands: _Hands) -> Iterator[Row]:
    if hands.rules.primiera == "none":
        return
    for side, codes, sides in zip(("dealer", "others"), hands.views.primiera, (1, hands.others), strict=True):
        # By sevens: hands by how many sides held so many, won with them, tied.
        held, won, tied = (np.arange(codes.shape[1]) // part % 4 for part in (16, 4, 1))
        names = {"primiera_won": won, "primiera_tied": tied, "primiera_lost": held - won - tied}
        every = {f"primiera_won {side}": -1, f"primiera_tied {side}": -1, ONE: sides}
        for name in ("primiera_won", "primiera_tied"):
            yield _row(name, "side", side, "share", hands.share(name, side))
        yield _row("primiera_lost", "side", side, "share", hands.tally.ratio(every, {ONE: sides}))
        for sevens in range(5):
            tally = Tally.of(counts=codes[sevens], trials=hands.tally.trials, held=held, **names)
            for name in names if tally.sums["held"] else ():
                yield _row(name, "side", side, "share", tally.ratio({name: 1}, {"held": 1}), sevens)
