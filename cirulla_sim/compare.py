"""What rules change: several rule sets on the same deals with the same dice, each effect a paired difference.

Hand number ``i`` of a seed has one deal order whatever the rules, so the numbers that two rule sets make of it are a
pair, and the mean of their differences has a much smaller error than the difference of their means. A chunk of hands
is played under every rule set; what is kept of it are sums of whole numbers over the hands.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import __version__
from .engines import Folded, fold
from .errors import InputError, unknown
from .estimates import Difference, Estimate, Sums, clustered, holm, mean, paired, proportion, spread_difference
from .experiment import Experiment, play_rows, playable, row_names, same_hands
from .resume import TALLY, check, pack, read_packed
from .rules import Rules, house_fields, house_names
from .simulate import progress_bar
from .tables import SCHEMA as COLUMNS
from .tables import empty_row, whole_file, write_part

SCHEMA = "compare/1"

TABLE = {"rules": pl.String, **COLUMNS, "gain": pl.Float64, "p_holm": pl.Float64}
"""Columns of the table: what the rules are called; the contract's; of differences, how many times wider the interval of
unpaired runs would be, and the chance of seeing such a difference if there were none, corrected by Holm's method for
all differences in the table."""

CHUNK = 1 << 13
"""Hands in a chunk, each played under every rule set: few enough for their numbers to stay in the processor's cache."""

Numbers = NDArray[np.float64]


class Quantity(NamedTuple):
    """A number that every hand has, as the result table names it."""

    name: str
    per: str
    side: str
    kind: str


_POINTS = {
    "points": "total",
    "points_cards": "cards",
    "points_diamonds": "diamonds",
    "points_settebello": "settebello",
    "points_primiera": "primiera",
    "points_grande": "grande",
    "points_piccola": "piccola",
    "points_scope": "scope",
    "points_table_bonus": "table_bonus",
    "points_hand_bonus": "hand_bonus",
    "sweeps": "scope",
    "captures": "captures",
}
"""Names of quantities and the columns of ``play_rows`` they come from."""


def _quantities() -> tuple[Quantity, ...]:
    """All of them, in the order of ``numbers_of``; the margin is the last."""
    sides = ("dealer", "others", "all")
    counted = [Quantity(name, "hand", side, "mean") for side in sides for name in _POINTS]
    counted += [Quantity("knock", "hand" if side == "all" else "side", side, "mean") for side in sides]
    counted += [Quantity("cappotto", "hand" if side == "all" else "side", side, "probability") for side in sides]
    counted += [Quantity("wins_hand", "side", side, "share") for side in sides[:2]]
    return (
        *counted,
        Quantity("misdeals", "hand", "all", "mean"),
        Quantity("table_wins", "hand", "dealer", "probability"),
        Quantity("misdeals_in_a_row", "hand", "others", "probability"),
        Quantity("margin", "hand", "dealer", "mean"),
    )


QUANTITIES = _quantities()
MARGIN = len(QUANTITIES) - 1

# Parts of a rule set's tally after the sums of y, y * y and x * y of each quantity, where y is a number of a hand under
# this rule set and x under the first: sums of powers of the margins, and the number of hands that differ.
_Y3, _Y4, _X2Y, _XY2, _X2Y2, _CHANGED = range(3 * len(QUANTITIES), 3 * len(QUANTITIES) + 6)
WIDTH = _CHANGED + 1


@dataclass(frozen=True)
class Comparison:
    """Rule sets compared with the first of them, how they are played, on how many hands, with which seed.

    ``rules`` maps what they are called to the rules. All play the hands 0 to ``hands - 1``; ``unpaired``, the first
    plays those and the others the next ``hands``, so that nothing is shared.

    Raises ``InputError`` if there is nothing to compare, if rules cannot be played or not by these policies, and if the
    number of seats differs and ``unpaired`` is not asked for.
    """

    rules: Mapping[str, Rules]
    policies: tuple[str, ...] = ("random",)
    hands: int = 1_000_000
    seed: int = 1
    unpaired: bool = False

    def __post_init__(self) -> None:
        if len(self.rules) < 2:
            raise InputError("there is nothing to compare with (valid: at least one rule set more)")
        base, *others = self.rules
        seats = self.rules[base].players
        for name in others:
            if self.rules[name].players != seats and not self.unpaired:
                raise InputError(
                    f"{name!r} has {self.rules[name].players} seats and {base!r} {seats}, so their deals cannot be "
                    "shared (valid: the same --players, or --unpaired)"
                )
        for name, rules in self.rules.items():
            try:
                playable(Experiment(rules, self.policies, self.hands, self.seed))
            except InputError as error:
                raise InputError(str(error) if name == base else f"{name}: {error}") from None

    @property
    def experiments(self) -> dict[str, Experiment]:
        """What is played under each rule set."""
        return {name: Experiment(rules, self.policies, self.hands, self.seed) for name, rules in self.rules.items()}


def house_rule(base: Rules, name: str) -> Rules:
    """A house rule on top of some rules; raises ``InputError`` for an unknown name."""
    return replace(base, **house_fields([name]))


def all_house_rules(base: Rules, policies: tuple[str, ...] = ("random",)) -> tuple[dict[str, Rules], dict[str, str]]:
    """Every house rule of the catalogue that these policies can play, on top of some rules, and why not the others.

    Raises ``InputError`` if the rules themselves cannot be played.
    """
    playable(Experiment(base, policies))
    variants, left_out = {}, {}
    for name in house_names():
        variant = house_rule(base, name)
        if variant == base:
            left_out[name] = "the rules have it already"
            continue
        try:
            playable(Experiment(variant, policies))
        except InputError as error:
            left_out[name] = str(error).partition(" (valid")[0]
            continue
        variants[name] = variant
    return variants, left_out


# ------------------------------------------------------------------------------------------------ playing


def numbers_of(rules: Rules, rows: NDArray[np.int16]) -> Numbers:
    """float64[QUANTITIES, hands]: the quantities of each hand as whole numbers, from the rows of ``play_rows``.

    Of several other sides they are added up; the margin is the dealer's side's points times their number, less theirs.
    """
    from .kernel.scoring import COLUMNS as SCORED

    heads = len(row_names(rules)) - rules.sides * len(SCORED)
    wanted = [*_POINTS.values(), "knock", "cappotto", "wins"]
    columns = [SCORED.index(name) for name in wanted]
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(SCORED))[:, :, columns].transpose(2, 1, 0)
    by_side = by_side.astype(np.float64, order="C")
    points, (knock, cappotto, wins) = slice(0, len(_POINTS)), range(len(_POINTS), len(wanted))
    dealer, others = by_side[:, -1], by_side[:, :-1].sum(axis=1)
    every = dealer + others
    won = rows[:, 2]
    return np.vstack([
        dealer[points], others[points], every[points],
        dealer[knock], others[knock], every[knock],
        dealer[cappotto], others[cappotto], every[cappotto],
        dealer[wins], others[wins],
        rows[:, 0], won == 1, won == 2, (rules.sides - 1) * dealer[0] - others[0],
    ])  # fmt: skip


def play_pairs(comparison: Comparison, first: int, hands: int) -> tuple[NDArray[np.int64], None]:
    """Play hands ``first`` to ``first + hands - 1`` under every rule set; returns int64[rule sets * WIDTH], sums.

    The first rule set is paired with itself. Sums of whole numbers below 2**53 are exact as floats, in any order.
    """
    base, *others = comparison.experiments.values()
    rows, digests = play_rows(base, first, hands)
    x = numbers_of(base.rules, rows)
    tally = np.zeros((1 + len(others), WIDTH), np.int64)
    _add(tally[0], x, x, 0)
    for sums, other in zip(tally[1:], others, strict=True):
        if comparison.unpaired:
            rows, _ = play_rows(other, comparison.hands + first, hands)
            _add(sums, x, numbers_of(other.rules, rows), 0)
        elif same_hands(base, other.rules):
            sums[:] = tally[0]
        else:
            rows, theirs = play_rows(other, first, hands)
            _add(sums, x, numbers_of(other.rules, rows), int((digests != theirs).sum()))
    return tally.ravel(), None


def _add(sums: NDArray[np.int64], x: Numbers, y: Numbers, changed: int) -> None:
    many = len(QUANTITIES)
    sums[:many] = y.sum(axis=1)
    sums[many : 2 * many] = np.einsum("qh,qh->q", y, y)
    sums[2 * many : 3 * many] = np.einsum("qh,qh->q", x, y)
    mx, my = x[MARGIN], y[MARGIN]
    xx, yy = mx * mx, my * my
    sums[3 * many :] = [yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, changed]


# ------------------------------------------------------------------------------------------------ the table


def compared(comparison: Comparison, folded: Folded) -> pl.DataFrame:
    """The table of a comparison: for each rule set every quantity, then its difference from the first rule set's.

    ``changed`` is the share of hands that went another way in anything at all.
    """
    tallies = [[int(x) for x in part] for part in folded.tally.reshape(len(comparison.rules), WIDTH)]
    rows: list[dict[str, Any]] = []
    for name, tally in zip(comparison.rules, tallies, strict=True):
        rows += _rows(comparison, name, tallies[0], tally, folded.done)
    return pl.DataFrame(holm_corrected(rows), schema=TABLE, orient="row")


def holm_corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their plain chances in ``p_holm`` replaced by those corrected for all of these rows."""
    tested = [row for row in rows if row["p_holm"] is not None]
    for row, p in zip(tested, holm([row["p_holm"] for row in tested]), strict=True):
        row["p_holm"] = p
    return rows


def _rows(
    comparison: Comparison, name: str, base_tally: list[int], tally: list[int], hands: int
) -> Iterator[dict[str, Any]]:
    """The rows of one rule set: its own numbers, and if it is not the first the differences."""
    first = next(iter(comparison.rules))
    base, rules = comparison.rules[first], comparison.rules[name]
    exact = name != first and not comparison.unpaired and same_hands(comparison.experiments[first], rules)
    many = len(QUANTITIES)
    differences = []
    for i, quantity in enumerate(QUANTITIES):
        y, yy, xy = tally[i], tally[many + i], tally[2 * many + i]
        x, xx = base_tally[i], base_tally[many + i]
        trials, base_trials = _trials(quantity, rules), _trials(quantity, base)
        if quantity.kind == "mean":
            level = mean(y, yy, hands, 1 / trials)
        else:
            level = clustered(y, trials * hands, yy, trials * y, trials**2 * hands, hands)
        yield level_row(name, quantity, level)
        sums = Sums(x, y, xx, yy, xy, hands)
        found = paired(sums, Fraction(1, base_trials), Fraction(1, trials), independent=comparison.unpaired)
        differences.append((quantity, found))
    spread, found = _spread_of_margin(comparison, base_tally, tally, hands, base.sides - 1, rules.sides - 1)
    quantity = Quantity("margin_spread", "hand", "dealer", "mean")
    yield level_row(name, quantity, spread)
    differences.append((quantity, found))
    if name == first:
        return
    if not comparison.unpaired:
        yield level_row(name, Quantity("changed", "hand", "all", "share"), proportion(tally[_CHANGED], hands))
    for quantity, difference in differences:
        shown = Difference(Estimate(0.0, 0.0, 0.0, 0.0, hands), None, None) if exact else difference
        yield difference_row(name, quantity, shown, comparison.unpaired) | {"exact": "0" if exact else None}


def _trials(quantity: Quantity, rules: Rules) -> int:
    """How many numbers of a hand are added up in a quantity; the margin counts each of the others."""
    several = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
    return rules.sides - 1 if several or quantity.name == "margin" else 1


def _spread_of_margin(
    comparison: Comparison, base: list[int], tally: list[int], hands: int, base_others: int, others: int
) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first rule set's."""
    many = len(QUANTITIES)

    def powers(sums: list[int]) -> list[int]:
        return [sums[MARGIN], sums[many + MARGIN], sums[_Y3], sums[_Y4]]

    cross = {
        (1, 1): tally[2 * many + MARGIN],
        (2, 1): tally[_X2Y],
        (1, 2): tally[_XY2],
        (2, 2): tally[_X2Y2],
    }
    scales = Fraction(1, base_others), Fraction(1, others)
    return spread_difference(powers(base), powers(tally), cross, hands, *scales, independent=comparison.unpaired)


def difference_row(rules: str, quantity: Quantity, difference: Difference, unpaired: bool) -> dict[str, Any]:
    """The row of how much more of a quantity a rule set has than the first; the chance is not corrected yet."""
    row = level_row(rules, quantity._replace(kind="difference"), difference.estimate)
    return row | {"gain": None if unpaired else difference.gain, "p_holm": difference.p}


def level_row(rules: str, quantity: Quantity, estimate: Estimate) -> dict[str, Any]:
    """The row of a quantity under a rule set."""
    return (
        {"rules": rules}
        | empty_row()
        | {
            "quantity": quantity.name,
            "per": quantity.per,
            "side": quantity.side,
            "kind": quantity.kind,
            "estimate": estimate.value,
            "std_error": estimate.std_error,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "n": estimate.n,
        }
        | {"gain": None, "p_holm": None}
    )


def for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """The differences as a player reads them: a row a rule set, the biggest change of the points of a hand first.

    ``mostly`` is the category through which most points come or go, if its interval leaves out zero.
    """
    first, *others = frame["rules"].unique(maintain_order=True).to_list()
    cells = {(row["rules"], row["quantity"], row["side"], row["kind"]): row for row in frame.iter_rows(named=True)}
    order = sorted(
        others,
        key=lambda name: (
            -abs(cells[name, "points", "all", "difference"]["estimate"]),
            -abs(cells[name, "margin", "dealer", "difference"]["estimate"]),
        ),
    )
    wins = {"quantity": "wins_hand", "side": "dealer"}
    start = {
        "rules": first,
        "points a hand": f"{cells[first, 'points', 'all', 'mean']['estimate']:.2f}",
        "dealer's margin": f"{cells[first, 'margin', 'dealer', 'mean']['estimate']:.2f}",
        "dealer wins": f"{100 * cells[first, wins['quantity'], wins['side'], 'share']['estimate']:.2f}%",
        "hands changed": "",
        "mostly": "",
    }
    rows = [start]
    for name in order:
        changed = cells.get((name, "changed", "all", "share"))
        rows.append({
            "rules": name,
            "points a hand": effect(cells[name, "points", "all", "difference"]),
            "dealer's margin": effect(cells[name, "margin", "dealer", "difference"]),
            "dealer wins": effect(cells[name, "wins_hand", "dealer", "difference"], 100, "%"),
            "hands changed": "" if changed is None else f"{100 * changed['estimate']:.3g}%",
            "mostly": _mostly(frame, name),
        })  # fmt: skip
    for row in rows if (first, "hands", "all", "mean") in cells else []:
        row |= _games_of(cells, row["rules"], first)
    return pl.DataFrame(rows, schema=dict.fromkeys(rows[0], pl.String))


def _games_of(cells: Mapping[tuple[str, str, str, str], dict[str, Any]], name: str, first: str) -> dict[str, str]:
    """What a rule set does to whole games, as a player reads it."""
    length, won = (name, "hands", "all", "difference"), (name, "wins_game", "dealer", "difference")
    if name == first:
        mean, chance = cells[*length[:3], "mean"], cells[*won[:3], "probability"]
        return {"hands a game": f"{mean['estimate']:.3g}", "dealer wins games": f"{100 * chance['estimate']:.2f}%"}
    return {"hands a game": effect(cells[length]), "dealer wins games": effect(cells[won], 100, "%")}


def effect(row: Mapping[str, Any], scale: float = 1, unit: str = "") -> str:
    """A difference with half its interval, as ``+0.03 ± 0.01``; ``0`` where there can be none, ``none seen``."""
    half = scale * (row["ci_high"] - row["ci_low"]) / 2
    if row["estimate"] == row["std_error"] == 0 < half:
        return "none seen"
    if half == 0:
        return "0" if row["estimate"] == 0 else f"{scale * row['estimate']:+.3g}{unit}"
    if not half < float("inf"):
        return f"{scale * row['estimate']:+.3g}{unit} ± ?"
    places = min(9, max(0, -int(np.floor(np.log10(half * 1.0000001)))))
    return f"{scale * row['estimate']:+.{places}f} ± {half:.{places}f}{unit}"


def _mostly(frame: pl.DataFrame, name: str) -> str:
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), rules=name, side="all", kind="difference").sort(
        pl.col("estimate").abs(), descending=True, maintain_order=True
    )
    top = rows.row(0, named=True)
    if top["ci_low"] <= 0 <= top["ci_high"]:
        return ""
    return f"{top['quantity'].removeprefix('points_').replace('_', ' ')} {top['estimate']:+.2g}"


# ------------------------------------------------------------------------------------------------ carrying it out


@dataclass(frozen=True)
class Plan:
    """A comparison, the words of the command that ask for it, and how sure of which quantity it is to be."""

    comparison: Comparison
    words: tuple[str, ...]
    preset: str = "cirulla"
    precision: float | None = None
    precision_of: str = "points"
    games: int = 0

    def command(self, resumed_from: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it."""
        comparison = self.comparison
        words = ["cirulla-sim", "compare", *self.words, "--policy", ",".join(comparison.policies)]
        words += ["--hands", str(comparison.hands), "--seed", str(comparison.seed)]
        words += ["--unpaired"] if comparison.unpaired else []
        words += ["--games", str(self.games)] if self.games else []
        if self.precision is not None:
            words += ["--precision", f"{self.precision:g}", "--precision-of", self.precision_of]
        if resumed_from is not None:
            words += ["--resume", str(resumed_from), "-o", str(resumed_from)]
        return shlex.join(words)


@dataclass(frozen=True)
class Result:
    """What came out: the table, remarks for the reader, and the exit code that tells how it ended."""

    frame: pl.DataFrame
    hands: int
    stopped: str
    remarks: tuple[str, ...]
    exit_code: int


def asking_words(
    base: str, players: int | None, changes: Iterable[str] = (), houses: Iterable[str] = (), against: Iterable[str] = ()
) -> tuple[str, ...]:
    """The words of a command that ask for rule sets: preset or file, players if not as usual, changed fields, and what
    is compared.

    >>> " ".join(asking_words("cirulla", 2, houses=["no-matta"], against=["scopa"]))
    '--rules cirulla --players 2 --house no-matta --against scopa'
    """
    repeated = {"--rule": changes, "--house": houses, "--against": against}
    return (
        *("--rules", base),
        *(("--players", str(players)) if players is not None else ()),
        *(word for flag, values in repeated.items() for value in values for word in (flag, value)),
    )


def check_quantities(names: Iterable[str], flag: str) -> None:
    """Raise ``InputError``, beginning with the flag, for a name that no row of the table has."""
    known = dict.fromkeys([*(quantity.name for quantity in QUANTITIES), "margin_spread", "changed"])
    for name in names:
        if name not in known:
            raise unknown("quantity", name, known, where=f"{flag}: ")


def carry_out_plan(
    plan: Plan,
    *,
    engine: str = "threads",
    threads: int | None = None,
    chunk: int = CHUNK,
    output: Path | None = None,
    resume: Path | None = None,
    progress: TextIO | None = None,
) -> Result:
    """Carry out a plan, write the file asked for, and return the result; the same for any engine, threads and chunks.

    ``resume`` is the file of an earlier run to go on from: of the same rule sets, and unpaired of as many hands too.

    Raises ``InputError`` for a file that cannot be written, a quantity that is not there and a file to go on from that
    is of something else. The file appears whole or not at all. Ctrl-C ends the run: the table is of the hands done, and
    if it comes while games are played they are left out.
    """
    comparison = plan.comparison
    check_quantities([plan.precision_of], "--precision-of")
    start = Folded(np.zeros(len(comparison.rules) * WIDTH, np.int64), 0, "interrupted")
    start = start if resume is None else _resumed(plan, start, resume)
    with ExitStack() as stack:
        part = stack.enter_context(whole_file(output)) if output is not None else None  # a bad folder is told now
        bar = stack.enter_context(progress_bar(comparison.hands, start.done, progress))
        folded = fold(
            partial(play_pairs, comparison),
            start,
            comparison.hands,
            engine=engine,
            threads=threads,
            chunk=chunk,
            enough=None if plan.precision is None else partial(_precise, plan),
            progress=bar,
        )
        if not folded.done:
            raise KeyboardInterrupt
        frame = compared(comparison, folded)
        if plan.games and folded.stopped != "interrupted":
            from .compare_games import compared_games

            try:
                rows = compared_games(comparison, plan.games, engine=engine, threads=threads)
                frame = pl.concat([frame, pl.DataFrame(rows, schema=TABLE, orient="row")])
            except KeyboardInterrupt:
                folded = replace(folded, stopped="interrupted")
        if part is not None:
            write_part(frame, part, metadata(plan, folded), {TALLY: pack(folded.tally, "<i8")})
    remarks = tuple(_remarks(plan, frame, folded, output))
    return Result(frame, folded.done, folded.stopped, remarks, _exit_code(plan, folded))


def _resumed(plan: Plan, nothing: Folded, path: Path) -> Folded:
    """What a file holds of the plan's hands; raises ``InputError`` that names what differs."""
    made = check(path, metadata(plan, nothing), "hands", plan.comparison.hands, "compare")
    tally = read_packed(path, TALLY, "<i8", nothing.tally.shape, "compare")
    return Folded(tally, made["hands"], made["stopped"])


def metadata(plan: Plan, folded: Folded) -> dict[str, Any]:
    """How a result was made: the contract's object for the file, and in ``compared`` what each rule set changes.

    ``unpaired`` is the number of the first hand of the other rule sets, where they play hands of their own.
    """
    base, *others = plan.comparison.rules
    rules = plan.comparison.rules[base]
    return {
        "version": __version__,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(rules),
        "compared": {name: plan.comparison.rules[name].differences(rules) for name in others},
        "policies": list(plan.comparison.experiments[base].side_policies),
        "players": rules.players,
        "seed": plan.comparison.seed,
        "hands": folded.done,
        "stopped": folded.stopped,
        "schema": SCHEMA,
    } | ({"unpaired": plan.comparison.hands} if plan.comparison.unpaired else {})


def _width(plan: Plan, frame: pl.DataFrame) -> float:
    """The largest half-width of the differences of the quantity that the precision is of."""
    kind = "share" if plan.precision_of == "changed" else "difference"
    rows = frame.filter(quantity=plan.precision_of, kind=kind)
    return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]


def _precise(plan: Plan, folded: Folded) -> bool:
    assert plan.precision is not None
    return _width(plan, compared(plan.comparison, folded)) <= plan.precision


def _remarks(plan: Plan, frame: pl.DataFrame, folded: Folded, output: Path | None) -> Iterator[str]:
    base, *others = plan.comparison.rules
    rules = plan.comparison.rules
    for name in others:
        one, other = rules[base], rules[name]
        if (one.deal_plan, one.table_cards) != (other.deal_plan, other.table_cards) and not plan.comparison.unpaired:
            yield f"{name} deals the same packs otherwise: seats hold other cards, so pairing helps less."
        if one.sides != other.sides:
            yield f"{name} has {other.sides} sides and {base} {one.sides}."
    if folded.stopped == "precision":
        yield f"Stopped after {folded.done:_} hands: the precision asked for is reached."
    elif folded.stopped == "hands" and plan.precision is not None:
        known = f"{plan.precision_of} is known to {_width(plan, frame):.2g}"
        yield f"The precision {plan.precision:g} is not reached in {folded.done:_} hands: {known}."
    if output is not None:
        yield f"Written: {output}"
    if folded.stopped == "interrupted":
        yield f"Interrupted after {folded.done:_} of {plan.comparison.hands:_} hands; the table is of those."
        if output is not None:
            yield f"To go on: {plan.command(resumed_from=output)}"


def _exit_code(plan: Plan, folded: Folded) -> int:
    if folded.stopped == "interrupted":
        return 130
    return 3 if folded.stopped == "hands" and plan.precision is not None else 0
