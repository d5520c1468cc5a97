"""How often 95% intervals cover the truth, for every verb and kind of quantity: coverage.parquet and coverage.md.

python scripts/check_coverage.py [FOLDER] [--quick] [--processes N]

Each line of ``CASES`` plays many small runs of 5, 20, 200 and 2,000 trials and counts the intervals that cover the
truth: the exact number where the program counts it, else the estimate of one long run of another seed. Greedy and
careful players have up to 200 runs of a size, search fewer, since it is slow. FOLDER is ``results`` by default. Quick,
there are few runs and nothing is written. The same command writes the same bytes, whatever the number of processes.
The test suite makes a small version of it (``tests/test_coverage.py``).
"""

from __future__ import annotations

import math
import multiprocessing
import textwrap
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import polars as pl

import cirulla_sim as cs
from cirulla_sim import __version__
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import duplicate
from cirulla_sim.experiments.tournament_plan import MIN_HANDS, Plan, Played
from cirulla_sim.experiments.tournament_table import table as tournament_table
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import write

RESULTS = Path(__file__).parent.parent / "results"
COMMAND = "python scripts/check_coverage.py"

SIZES = (5, 20, 200, 2000)
POLICIES = ("greedy", "careful", "search")
OPPONENTS = {"greedy": "random", "careful": "greedy", "search": "careful"}
SEED, OTHER_SEED = 1, 2

RUNS, FEWEST_RUNS = 200, 20
"""The most small runs of a size, and the fewest: a size with fewer is left out."""

TRIALS = {"greedy": 200_000, "careful": 200_000, "search": 40_000}
"""Hands of all small runs of a size together, which limit their number."""

LONG = {"greedy": 1_000_000, "careful": 400_000, "search": 60_000}
"""Hands of the long run that gives the truth, which has 20 times the trials of the largest small runs at least."""

TIMES = 20

LOW, HIGH = 0.93, 0.97

Row = dict[str, Any]
Key = tuple[Any, ...]
Filter = Mapping[str, Any]

NAMES = ("rules", "policy", "opponent", "play", "quantity", "per", "side", "kind", "by", "value")
"""Columns that together identify a row."""


@dataclass(frozen=True)
class Case:
    """What a verb shows in small runs.

    ``play(policy, trials, seed, first)`` gives the rows of a run that begins at trial number ``first``. ``kinds`` are
    the rows looked at, by the kind of their quantity. ``hands`` is how many hands a trial takes, so that cases take
    about as long; ``least`` the fewest trials that the verb accepts. ``truth`` gives the true values by key, None for
    those of a long run.
    """

    verb: str
    play: Callable[[str, int, int, int], list[Row]]
    kinds: Mapping[str, Filter]
    hands: float = 1
    sizes: tuple[int, ...] = SIZES
    policies: tuple[str, ...] = POLICIES
    truth: Callable[[str], dict[Key, float]] | None = None
    conservative: str = ""

    def runs(self, policy: str, share: float) -> dict[int, int]:
        """How many small runs there are, by their size."""
        affordable = {size: int(TRIALS[policy] / self.hands) // size for size in self.sizes}
        return {size: max(4, round(share * min(RUNS, n))) for size, n in affordable.items() if n >= FEWEST_RUNS}

    def long(self, policy: str, share: float) -> int:
        """How many trials give the truth."""
        return max(round(share * LONG[policy] / self.hands), TIMES * max(self.runs(policy, share)))


# ------------------------------------------------------------------------------------------------ verbs


def verb(name: str, count: str, numbered: str | None = "first_hand", **arguments: Any) -> Any:
    """A ``play`` that calls a public function; without a ``numbered`` argument each run has a seed of its own."""

    def play(policy: str, trials: int, seed: int, first: int) -> list[Row]:
        begins = {numbered: first, "seed": seed} if numbered else {"seed": 1_000_000 * seed + first}
        keywords: dict[str, Any] = {"players": 2, "progress": False, "threads": 1} | arguments
        try:
            return list(getattr(cs, name)(policy=policy, **{count: trials}, **begins, **keywords).frame.to_dicts())
        except cs.InputError:  # nothing is given in so few trials, or they are too few for a quantile
            return []

    return play


def stopped(policy: str, trials: int, seed: int, first: int) -> list[Row]:
    """A run that stops when the points, of which a hand has a standard deviation of 4, are as precise as wanted.

    Trials are then how many hands that takes about; it may take ten times as many.
    """
    half = 1.96 * 4 / math.sqrt(trials)
    keywords: dict[str, Any] = {"players": 2, "progress": False, "threads": 1}
    begins = {"seed": 1_000_000 * seed + first, "precision": half}
    return list(cs.simulate(policy=policy, hands=10 * trials, **begins, **keywords).frame.to_dicts())


@cache
def scores(policy: str, seed: int, deals: int, luck: bool) -> Played:
    """A long pairing, from which small tournaments are cut."""
    rules, pair = build(players=2), (policy, OPPONENTS[policy])
    seats = duplicate.arrangements(2, *pair)
    parts = [duplicate.play(Experiment(rules, names, deals, seed), 0, deals, luck) for names in seats]
    return Played({pair: np.stack(parts, axis=1)}, {}, "hands")


def tournament(policy: str, trials: int, seed: int, first: int, luck: bool = False) -> list[Row]:
    """The table of a tournament of two, cut from a long one; games are counted where the verb accepts so few deals."""
    deals = LONG[policy] // 4 if seed == OTHER_SEED else LUCK_DEALS if luck else TRIALS[policy] // PAIRED
    pair, whole = next(iter(scores(policy, seed, deals, luck).scores.items()))
    plan = Plan(build(players=2), pair, MIN_HANDS, luck=luck)
    part = Played({pair: whole[first : first + trials]}, {}, "hands")
    games = trials >= MIN_HANDS and not luck and seed != OTHER_SEED
    return [row for row in tournament_table(plan, part, games).to_dicts() if row["policy"] == policy]


PAIRED = 4
"""Hands of a deal, about: two arrangements, and games counted."""

LUCK_DEALS = 4_000
"""Deals of all small runs with luck-adjusted margins, which take long."""


def exact_of_the_table(policy: str) -> dict[Key, float]:
    """What is counted exactly of the table dealt."""
    rows = cs.odds(players=2, progress=False).frame.filter(pl.col("quantity").is_in(("misdeal", "table_15"))).to_dicts()
    sides = {"misdeal": "all", "table_15": "dealer"}
    return {key(row | {"side": sides[row["quantity"]]}): row["estimate"] for row in rows}


def margins_by_luck(policy: str) -> dict[Key, float]:
    """Luck-adjusted margins have the same mean as margins."""
    rows = tournament(policy, LONG[policy] // 4, OTHER_SEED, 0)
    return {
        key(row | {"quantity": "margin_less_luck"}): row["estimate"]
        for row in rows
        if row["quantity"] == "margin" and row["side"] == "all"
    }


def games_of_pairs(policy: str) -> dict[Key, float]:
    """Margins and hands won of many deals; games won of many games played out, either dealing first."""
    chances = {key(row): row["estimate"] for row in tournament(policy, LONG[policy] // 4, OTHER_SEED, 0)}
    opponent, rows = OPPONENTS[policy], []
    for dealer in ("dealer", "others"):
        other = {"dealer": "others", "others": "dealer"}[dealer]
        line_up = f"{dealer}={policy}, {other}={opponent}"
        frame = cs.games(
            players=2, policy=line_up, games=LONG[policy] // 20, seed=SEED, progress=False, threads=1
        ).frame
        rows.append(frame.filter(quantity="wins_game", side=dealer)["estimate"][0])
    won = {"policy": policy, "opponent": opponent, "quantity": "wins_game", "per": "game", "side": "all"}
    return chances | {key(won | {"kind": "probability"}): float(np.mean(rows))}


def advice(policy: str, trials: int, seed: int, first: int) -> list[Row]:
    """Advice on a choice that is not obvious, with the play named best as ``by`` of what is behind it."""
    at = "table: Jd; me: Qc 2h Ks"
    rows = verb("advise", "samples", None, at=at)(policy, trials, seed, first)
    best = rows[0]["play"]
    of_best = [row | {"kind": "of the best"} for row in rows if row["play"] == best and row["quantity"] == "margin"]
    behind = [row | {"by": best} for row in rows if row["quantity"] == "behind" and row["play"] != best]
    return [*rows, *of_best, *behind]


def margins_of_plays(policy: str) -> dict[Key, float]:
    """The margins of all plays and how far each is behind each other, from many samples."""
    rows = advice(policy, TIMES * max(SIZES), OTHER_SEED, 0)
    truths = {key(row): row["estimate"] for row in rows if "by" not in row}
    margins = [row for row in rows if row["quantity"] == "margin" and row["kind"] == "mean"]
    behind = next(row for row in rows if row["quantity"] == "behind")
    for best in margins:  # any of them may be named so
        truths[key(best | {"kind": "of the best"})] = best["estimate"]
        for other in margins:
            named = behind | {"play": other["play"], "by": best["play"]}
            truths[key(named)] = best["estimate"] - other["estimate"]
    return truths


# ------------------------------------------------------------------------------------------------ the table of cases

SEEN_SELDOM = "events that many runs see never or once, and few counts are possible, so that the interval cannot fit"
MANY_AT_ONCE = "one interval allows for every choice that may be the best"
ANY_STOP = "the interval holds at any stop"

GIVEN = " given settebello(dealer)"

CASES = (
    Case(
        "simulate", verb("simulate", "hands"), {
            "share": {"quantity": ("wins_hand", "primiera_won"), "kind": "share", "value": None},
            "share, exact truth": {"quantity": ("misdeal", "table_15")},
            "share of holdings": {"quantity": ("knock", "hand_low"), "per": "holding"},
            "mean": {"quantity": ("points", "margin", "sweeps", "captures"), "kind": "mean"},
            "mean near its bound": {"quantity": ("points_primiera", "points_cards", "points_diamonds"), "kind": "mean"},
            "mean of rare points": {"quantity": ("points_grande", "points_piccola", "points_table_bonus")},
            "rare event": {"quantity": ("grande", "cappotto", "hand_triple"), "kind": "probability"},
            "distribution": {"quantity": "points_distribution"},
        }, truth=exact_of_the_table, conservative=SEEN_SELDOM,
    ),
    Case(
        "simulate, no control variates", verb("simulate", "hands", controls=False), {
            "share": {"quantity": "wins_hand"},
            "mean": {"quantity": ("points", "margin"), "kind": "mean"},
        }, sizes=(200, 2000),
    ),
    Case(
        "simulate, every tournament point", verb("simulate", "hands", rules="cirulla-tournament"), {
            "mean at its bound": {"quantity": ("points_settebello", "points_primiera", "points_cards"), "kind": "mean"},
        }, policies=("greedy", "careful"), conservative=SEEN_SELDOM,
    ),
    Case(
        "simulate --precision", stopped, {
            "mean": {"quantity": ("points", "margin"), "kind": "mean"}, "share": {"quantity": "wins_hand"},
        }, hands=10, policies=("greedy", "careful"), conservative=ANY_STOP,
    ),
    Case(
        "compare", verb("compare", "hands", house=["no-matta", "piccola-seven"]), {
            "level": {"rules": "no-matta", "quantity": ("points", "margin"), "kind": "mean"},
            "spread": {"quantity": "margin_spread", "kind": "mean"},
            "difference": {"rules": "no-matta", "quantity": ("points", "margin", "wins_hand"), "kind": "difference"},
            "difference of spread": {"rules": "no-matta", "quantity": "margin_spread", "kind": "difference"},
            "rare difference": {"rules": "piccola-seven", "quantity": ("points", "margin", "wins_hand"),
                                "kind": "difference"},
            "hands changed": {"quantity": ("changed", "winner_changed")},
        }, hands=3, conservative=SEEN_SELDOM,
    ),
    Case(
        "compare, stratified", verb("compare", "hands", house="table-nine"), {
            "difference": {"rules": "table-nine", "quantity": ("points", "margin", "wins_hand"), "kind": "difference"},
            "difference of spread": {"rules": "table-nine", "quantity": "margin_spread", "kind": "difference"},
            "hands changed": {"quantity": ("changed", "winner_changed")},
        }, hands=3, conservative=SEEN_SELDOM,
    ),
    Case(
        "games", verb("games", "games", "first_game"), {
            "share": {"quantity": ("wins_game", "comeback"), "kind": "probability"},
            "mean": {"quantity": ("hands", "margin", "points", "lead_changes"), "kind": "mean"},
            "distribution": {"quantity": ("hands_distribution", "winning_margin_distribution")},
        }, hands=9,
    ),
    Case(
        "games, win chance", verb("games", "hands", None, at="score: 38-41", me="dealer"), {
            "share": {"quantity": "wins_game"},
        }, sizes=(200, 2000), hands=10,
    ),
    Case(
        "tournament", tournament, {
            "margin": {"quantity": ("margin", "dealer_advantage")}, "strength": {"quantity": "strength"},
            "share": {"quantity": "wins_hand"}, "games won": {"quantity": "wins_game"},
        }, hands=PAIRED, truth=games_of_pairs,
    ),
    Case(
        "tournament --luck", partial(tournament, luck=True), {"margin": {"quantity": "margin_less_luck"}},
        hands=TRIALS["greedy"] / LUCK_DEALS, sizes=(5, 20, 200), policies=("greedy", "careful"),
        truth=margins_by_luck,
    ),
    Case(
        "odds", verb("odds", "hands", None, given=GIVEN.removeprefix(" given "), question=[
            "wins(dealer)", "points(dealer) >= 9", "mean(points(dealer))", "ratio(points(dealer), points)",
            "histogram(sweeps)",
        ]), {
            "share": {"quantity": (f"wins(dealer){GIVEN}", f"points(dealer) >= 9{GIVEN}")},
            "mean": {"quantity": f"mean(points(dealer)){GIVEN}"},
            "ratio": {"quantity": f"ratio(points(dealer), points){GIVEN}"},
            "distribution": {"by": f"sweeps{GIVEN}"},
        }, hands=5,
    ),
    Case(
        "odds, quantiles and --by", verb("odds", "hands", None, by="sevens(dealer, stage 1)", question=[
            "wins(dealer)", "mean(points(dealer))", "quantiles(points(dealer))",
        ]), {
            "share": {"quantity": "wins(dealer)"}, "mean": {"quantity": "mean(points(dealer))"},
            "quantile": {"kind": "quantile"},
        }, hands=5, conservative="of whole numbers, many are equal to a quantile",
    ),
    Case(
        "advise", advice, {
            "margin of a play": {"quantity": "margin", "kind": "mean"},
            "margin of the best": {"kind": "of the best"},
            "behind the best": {"quantity": "behind", "by": ...},
        }, hands=2, truth=margins_of_plays, conservative=MANY_AT_ONCE,
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ counting


def key(row: Row) -> Key:
    """What identifies a row."""
    return tuple(row.get(name) for name in NAMES)


def fits(row: Row, wanted: Filter) -> bool:
    """Whether a row is one of a kind; ``...`` is any value."""
    return all(
        row.get(name) is not None
        if value is ...
        else row.get(name) in (value if isinstance(value, tuple) else (value,))
        for name, value in wanted.items()
    )


def truths(case: Case, policy: str, share: float) -> dict[Key, float]:
    """The true values of a case by key."""
    counted = {} if case.truth is None else case.truth(policy)
    if case.truth is not None and case.truth is not exact_of_the_table:
        return counted
    rows = case.play(policy, case.long(policy, share), OTHER_SEED, 0)
    return {key(row): row["estimate"] for row in rows} | counted


def cells(number: int, policy: str, share: float) -> list[Row]:
    """The coverage of every kind of a case, by the size of the runs."""
    case = CASES[number]
    true = truths(case, policy, share)
    found = []
    for size, runs in case.runs(policy, share).items():
        shown = [
            (kind, row, true.get(key(row), 0.0))  # what the long run has never seen
            for run in range(runs)
            for row in case.play(policy, size, SEED, run * size)
            for kind, wanted in case.kinds.items()
            if fits(row, wanted) and row["ci_low"] is not None and math.isfinite(row["estimate"])
        ]
        for kind in case.kinds:
            rows = [(row, truth) for name, row, truth in shown if name == kind]
            if rows:
                found.append(
                    {"verb": case.verb, "kind": kind, "policy": policy, "n": size, "runs": runs} | counts(rows)
                )
    return found


def counts(rows: list[tuple[Row, float]]) -> Row:
    """How many of some intervals cover their truths, how wide they are, and how many have no width."""
    ends = np.array([(row["ci_low"], row["ci_high"], truth) for row, truth in rows], float)
    low, high, truth = ends.T
    slack = 1e-9 * np.maximum(1, np.abs(truth))
    covered = (low <= truth + slack) & (truth <= high + slack)
    finite = (high - low)[np.isfinite(high - low)]
    return {
        "intervals": len(rows), "covered": float(covered.mean()), "no_width": int((high <= low).sum()),
        "half_width": float(finite.mean() / 2) if len(finite) else None,
    }  # fmt: skip


SCHEMA = {
    "verb": pl.String, "kind": pl.String, "policy": pl.String, "n": pl.Int64, "runs": pl.Int64,
    "intervals": pl.Int64, "covered": pl.Float64, "half_width": pl.Float64, "no_width": pl.Int64,
}  # fmt: skip


def coverage(share: float = 1.0, processes: int = 1) -> pl.DataFrame:
    """A row a kind of quantity, policy and size (see ``SCHEMA``), of this ``share`` of the runs."""
    # A case whose trials take long may have no size that is affordable.
    parts = [
        (number, policy) for number, case in enumerate(CASES) for policy in case.policies if case.runs(policy, share)
    ]
    slow_first = sorted(parts, key=lambda part: (-POLICIES.index(part[1]), part[0]))
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as executor:
        tasks = {part: executor.submit(cells, *part, share) for part in slow_first}
        rows = [row for part in parts for row in tasks[part].result()]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


# ------------------------------------------------------------------------------------------------ the page


def scatter(runs: int) -> float:
    """The standard error of a coverage of 95%."""
    return math.sqrt(0.95 * 0.05 / runs)


def verdict(cell: Row) -> str:
    """``low``, ``high`` or nothing: outside the limits, and by more than two standard errors from 95%."""
    apart = cell["covered"] - 0.95
    if abs(apart) < 2 * scatter(cell["runs"]) or LOW <= cell["covered"] <= HIGH:
        return ""
    return "low" if apart < 0 else "high"


def page(frame: pl.DataFrame) -> str:
    """The page, from the table alone."""
    columns = [(n, policy) for n in SIZES for policy in POLICIES]
    rows = {(row["verb"], row["kind"]): {} for row in frame.to_dicts()}
    for row in frame.to_dicts():
        rows[row["verb"], row["kind"]][row["n"], row["policy"]] = row
    lines = [[f"{name}: {kind}", *(percent(found.get(column)) for column in columns)]
             for (name, kind), found in rows.items()]  # fmt: skip
    head = ["", *(f"{policy} {n:,}" for n, policy in columns)]
    table = [head, ["---", *("---:" for _ in columns)], *lines]
    most = {policy: frame.filter(policy=policy, n=2000)["runs"].max() for policy in POLICIES}
    intro = (
        f"How many of 100 intervals of small runs cover the truth: by what a verb shows (two players), the number of "
        f"trials in a run, and who plays. There are up to {frame['runs'].max()} runs a cell; of 2,000 trials "
        f"{most['greedy']} for greedy and careful players and {most['search']} for search, whose hands take longer. "
        "A coverage of 95 has a standard error of "
        f"{100 * scatter(frame['runs'].max()):.1f}, in {most['search']} runs of {100 * scatter(most['search']):.1f}. "
        "The truth is the exact number where there is one, otherwise the estimate of a run of another seed, with "
        f"{TIMES} times the trials at least, whose error lowers a coverage of 95 by {100 * _lost():.1f} at most. A "
        "dash: nothing is shown at this size, or it takes too long to play."
    )
    cells = frame.to_dicts()
    inside = sum(not verdict(cell) for cell in cells)
    summary = (
        f"Of {len(cells)} cells {inside} are from {100 * LOW:.0f} to {100 * HIGH:.0f} or within two standard errors of "
        f"95; {frame['no_width'].sum()} of {frame['intervals'].sum():,} intervals have no width."
    )
    parts = [
        "# How often intervals cover the truth", textwrap.fill(intro, 120),
        "\n".join(f"| {' | '.join(line)} |" for line in table), textwrap.fill(summary, 120),
        "## Too low", listed(cells, "low") or "None.",
        "## Conservative", listed(cells, "high") or "None.",
        f"Written by `{COMMAND}`; all numbers are in `results/coverage.parquet`.",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _lost() -> float:
    """What a coverage of 95% loses where the truth is from a run of ``TIMES`` as many trials."""
    return 0.95 - math.erf(1.96 / math.sqrt(2 * (1 + 1 / TIMES)))


def listed(cells: list[Row], which: str) -> str:
    """The kinds that are too low or too high, with their coverage and the reason for what is too high."""
    reasons = {case.verb: case.conservative for case in CASES}
    found: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        if verdict(cell) == which:
            text = f"{cell['policy']} {cell['n']:,}: {100 * cell['covered']:.1f}"
            found.setdefault((cell["verb"], cell["kind"]), []).append(text)
    lines = []
    for (name, kind), texts in found.items():
        because = f" ({reasons[name]})" if which == "high" and reasons[name] else ""
        line = f"- {name}, {kind}{because}: {', '.join(texts)}."
        lines.append(textwrap.fill(line, 120, subsequent_indent="  "))
    return "\n".join(lines)


def percent(cell: Row | None) -> str:
    """Coverage in percent: in bold if it is too low, in italics if it is too high."""
    if cell is None:
        return "–"
    mark = {"low": "**", "high": "*", "": ""}[verdict(cell)]
    return f"{mark}{100 * cell['covered']:.1f}{mark}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=RESULTS)
@click.option("--quick", is_flag=True, help="A tenth of the runs, printed and not written.")
@click.option("--processes", type=int, default=2, show_default=True)
def main(folder: Path, quick: bool, processes: int) -> None:
    """Play, and write the table and the page."""
    frame = coverage(0.1 if quick else 1.0, processes)
    if quick:
        print(page(frame))
        return
    folder.mkdir(parents=True, exist_ok=True)
    metadata = {
        "version": __version__,
        "command": COMMAND,
        "policies": [*POLICIES],
        "seed": SEED,
        "schema": "coverage/3",
    }
    write(frame, folder / "coverage.parquet", metadata)
    (folder / "coverage.md").write_text(page(pl.read_parquet(folder / "coverage.parquet")), "utf-8")


if __name__ == "__main__":
    main()
