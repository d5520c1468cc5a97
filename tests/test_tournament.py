"""Tournaments: duplicate deals cancel, numbers agree with simulate, intervals cover the truth, files are resumed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import play_trials
from referee.game import play_game
from scipy import stats

from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments import tournament
from cirulla_sim.experiments.checkpoints import Saving
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.experiments.runner import Execution, carry_out
from cirulla_sim.experiments.tournament import (
    COLUMNS,
    Plan,
    PlayedPairings,
    arrangements,
    deal_margins,
    game_chance,
    gaps,
    lone_scores,
    mean_of,
    play_deals,
    rank,
    result_table,
    share_of_hands,
)
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.rankings import letters_of, level_groups
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import choose
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.decisions import holm
from cirulla_sim.stats.estimates import Estimate
from cirulla_sim.stats.sequential import Sequential, at_any_stop, looks
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.storage.tables import SCHEMA, estimate_row
from cirulla_sim.verbs.tournament import TournamentJob, job_of

ALONE = build(changes={"partnership": False})
GAMES = {
    "two": build(players=2),
    "three": build(players=3),
    "team": build(),
    "alone": ALONE,
    "scopa": build("scopa", players=3),
}


def scores_of(rules: Rules, pair: tuple[str, str], deals: int, seed: int = 1) -> tournament.Scores:
    rows = [play_deals(Experiment(rules, seats, 1, seed), 0, deals) for seats in arrangements(rules.sides, *pair)]
    return np.stack(rows, axis=1)


def rows_of(frame: pl.DataFrame, **columns: str) -> list[dict[str, Any]]:
    return frame.filter(*(pl.col(name) == value for name, value in columns.items())).to_dicts()


def job(rules: Rules, *policies: str, test: Sequential | None = None, **settings: Any) -> TournamentJob:
    effort = Effort(number=settings.pop("hands", 100_000), seed=settings.pop("seed", 1), **settings)
    line_ups = tuple(map(LineUp.parse, policies))
    usual = job_of(Request("tournament", choose(rules), line_ups, effort=effort))
    return replace(usual, plan=replace(usual.plan, test=test))


def play_job(tournament: TournamentJob, saving: Saving, **ways: Any) -> Result:
    return Result.of(carry_out(tournament, Execution(saving=saving, **ways)))


def run(rules: Rules, *policies: str, **settings: Any) -> Result:
    return Result.of(carry_out(job(rules, *policies, **settings), Execution(threads=2)))


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure costs in a moment: they change no result."""
    monkeypatch.setattr(tournament, "_MEASURED_SECONDS", 0.002)


# ------------------------------------------------------------------------------------------------ duplicate deals


@pytest.mark.parametrize("name", GAMES)
def test_margins_change_sign_when_the_policies_are_swapped(name: str) -> None:
    rules = GAMES[name]
    usual, swapped = run(rules, "random", "greedy", hands=1000), run(rules, "greedy", "random", hands=1000)
    for quantity in ("margin", "wins_hand", "wins_game"):
        for policy in ("random", "greedy"):
            mine = rows_of(usual.frame, quantity=quantity, policy=policy)
            assert mine == rows_of(swapped.frame, quantity=quantity, policy=policy)
    for side, opposite in (("all", "all"), ("dealer", "others"), ("others", "dealer")):
        [a] = rows_of(usual.frame, quantity="margin", policy="greedy", side=side)
        [b] = rows_of(usual.frame, quantity="margin", policy="random", side=opposite)
        assert (a["estimate"], a["ci_low"], a["ci_high"]) == (-b["estimate"], -b["ci_high"], -b["ci_low"])
    strengths = rows_of(usual.frame, quantity="strength")
    assert [row["policy"] for row in strengths] == ["greedy", "random"]
    assert strengths == rows_of(swapped.frame, quantity="strength")
    if rules.sides == 2:
        chances = [row["estimate"] for row in rows_of(usual.frame, quantity="wins_game")]
        assert sum(chances) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_the_margin_of_a_policy_over_itself_is_zero(name: str) -> None:
    """With random policies too: dice belong to the seat and the hand, not to the policy."""
    rules = GAMES[name]
    scores = scores_of(rules, ("random", "random"), 300)
    assert not deal_margins(scores)[0].any()
    assert game_chance(lone_scores(scores), rules).value == pytest.approx(1 / rules.sides, abs=1e-12)


def test_numbers_agree_with_simulate() -> None:
    frame = run(GAMES["team"], "greedy", "random", hands=5000, seed=3).frame

    def simulate(*policies: str) -> pl.DataFrame:
        return simulated(play_trials(Experiment(GAMES["team"], policies, 5000, 3)), controls=False)

    dealing, leading = simulate("random", "greedy"), simulate("greedy", "random")
    [theirs], [other] = (rows_of(frame, quantity="margin") for frame in (dealing, leading))
    [ours] = rows_of(frame, quantity="margin", policy="greedy", side="dealer")
    alike = [key for key in SCHEMA if key not in ("kind", "ci_low", "ci_high")]
    assert [ours[key] for key in alike] == [theirs[key] for key in alike]
    assert theirs["ci_low"] < ours["ci_low"]  # duplicate deals are not skewed
    assert theirs["ci_low"] == pytest.approx(ours["ci_low"], rel=1e-3)
    [dealt] = rows_of(dealing, quantity="wins_hand", side="dealer")
    [led] = rows_of(leading, quantity="wins_hand", side="others")
    [won] = rows_of(frame, quantity="wins_hand", policy="greedy")
    assert won["estimate"] == pytest.approx((dealt["estimate"] + led["estimate"]) / 2)
    [both] = rows_of(frame, quantity="margin", policy="greedy", side="all")
    assert both["estimate"] == pytest.approx((theirs["estimate"] - other["estimate"]) / 2)
    assert both["estimate"] > 5
    [advantage] = rows_of(frame, quantity="dealer_advantage")
    assert advantage["estimate"] == pytest.approx((theirs["estimate"] + other["estimate"]) / 2)


def test_with_three_sides_each_policy_is_alone_in_every_place() -> None:
    assert len(set(arrangements(3, "a", "b"))) == 6
    assert len(set(arrangements(4, "a", "b"))) == 8
    scores = np.zeros((1, 6, 5), np.int16)
    scores[0, 0, :3] = 4, 1, 2  # a alone in front: 4 less 1.5
    scores[0, 5, :3] = 3, 5, 0  # b alone as dealer: 4 less 0
    numbers, unit = deal_margins(scores)
    assert numbers * unit == pytest.approx([(2.5 + 4) / 6])
    numbers, unit = deal_margins(scores, dealer=False)
    assert numbers * unit == pytest.approx([(2.5 + 4) / 3])
    assert share_of_hands(lone_scores(scores)).value == pytest.approx(1 / 3)
    assert share_of_hands(lone_scores(scores, second=True)).value == 0


# ------------------------------------------------------------------------------------------------ games


DRAWN = {"hands_per_game": 1, "hands_tie": "draw"}


def games_by_hand(own: tournament.Scores, rules: Rules) -> tuple[float, int]:
    """Games won and played, one after the other by the referee; ``game_chance`` counts all blocks at once."""
    deals, sides = len(own), own.shape[1]
    won, played = 0.0, 0
    size = max(tournament.BLOCK, -(-deals // tournament.BLOCKS))
    for start, first in itertools.product(range(0, deals, size), range(sides)):
        dealer = (sides - 1 - first) % sides  # seat of the first dealer, seat 0 being the one that is alone
        deal, last = start, min(start + size, deals) - tournament.GAP
        while deal < last:

            def dealt(number: int, seat: int, at: int = deal) -> dict[str, Any]:
                *points, winners, misdeals = own[(at + number) % deals, (-seat - 1) % sides].tolist()
                at_once = [side for side in range(sides) if winners >> side & 1]
                totals = [{"total": total} for total in points]
                return {"points": totals, "misdeals": ["x"] * misdeals, "cappotto": at_once or None, "stages": ["x"]}

            game = play_game(asdict(rules), dealt, dealer)
            deal, dealer = deal + game["hands"], game["next_dealer"]
            played += 1
            won += (0 in game["winners"]) / max(1, len(game["winners"]))
    return won, played


@pytest.mark.parametrize("changes", [{}, {"hands_per_game": 4}, DRAWN, {"misdeal_dealer": "next"}, {"target": 11}])
@pytest.mark.parametrize(("name", "blocks"), [("two", 256), ("three", 3), ("alone", 256)])
def test_games_agree_with_playing_them_one_by_one(
    name: str, blocks: int, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = replace(GAMES[name], **changes)
    sides = rules.sides
    rng, deals = np.random.default_rng(5), 300
    monkeypatch.setattr(tournament, "BLOCKS", blocks)
    own = rng.integers(0, 12, (deals, sides, sides + 2)).astype(np.int16)
    own[:, :, sides] = rng.integers(1, 1 << sides, (deals, sides)) * (rng.random((deals, sides)) < 0.02)
    own[:, :, sides + 1] = (rng.random(deals) < 0.2)[:, None] * rng.integers(1, 3, deals)[:, None]
    won, played = games_by_hand(own, rules)
    chance = game_chance(own, rules)
    assert (chance.n, chance.value) == (played, pytest.approx(won / played, abs=1e-12))


@pytest.mark.parametrize("players", [3, 4])
def test_hands_that_win_the_game_outright_are_marked(players: int) -> None:
    rules = build("cirulla-tournament", players=players)
    experiment = Experiment(rules, ("greedy",), 1, 2)
    scores = play_deals(experiment, 0, 6000)
    flagged = np.flatnonzero(scores[:, rules.sides])
    assert len(flagged) >= 2
    for index in [*flagged.tolist()[:8], *range(5)]:
        winners = hand_record(experiment, index)["cappotto"]
        bits = [] if winners is None else winners if isinstance(winners, list) else [winners]
        assert scores[index, rules.sides] == sum(1 << side for side in bits)


# ------------------------------------------------------------------------------------------------ intervals


@pytest.mark.parametrize(("name", "deals", "runs", "least", "most"), [
    ("two", 1000, 250, 0.91, 0.99), pytest.param("three", 1000, 250, 0.91, 0.99, marks=pytest.mark.slow),
    ("two", 40, 180, 0.9, 1),  # intervals of so few games are wide
])  # fmt: skip
def test_intervals_cover_the_truth(name: str, deals: int, runs: int, least: float, most: float) -> None:
    """The truth is the mean of all runs; coverage of 95% has a standard error of 1.4%, in fewer runs of 1.6%."""
    rules = GAMES[name]
    parts = np.split(scores_of(rules, ("greedy", "random"), runs * deals, seed=8), runs)
    for intervals in (
        [mean_of(*deal_margins(part)) for part in parts],
        [share_of_hands(lone_scores(part)) for part in parts],
        [game_chance(lone_scores(part), rules) for part in parts],
    ):
        truth = sum(interval.value * interval.n for interval in intervals) / sum(interval.n for interval in intervals)
        covered = sum(interval.low <= truth <= interval.high for interval in intervals)
        assert least <= covered / len(intervals) <= most
        assert all(interval.low < interval.high for interval in intervals)


def test_too_few_deals_are_refused() -> None:
    assert run(GAMES["two"], "greedy", "random", hands=20).frame["ci_low"].is_finite().all()
    with pytest.raises(InputError, match=r"^--until-decided requires 500 deals or more"):
        run(GAMES["two"], "greedy", "random", hands=40, test=Sequential(0.1))
    with pytest.raises(InputError, match="20 to"):
        run(GAMES["two"], "greedy", "random", hands=19)


def random_scores(rng: np.random.Generator, strengths: list[float], deals: list[int]) -> PlayedPairings:
    """Random scores of policies of known strength, with luck shared by the pairings of a deal."""
    names = [f"p{number}" for number in range(len(strengths))]
    luck = rng.normal(0, 2, (len(strengths), max(deals)))  # how well a deal suits a policy, whomever it meets
    scores = {}
    for (first, second), n in zip(itertools.combinations(range(len(names)), 2), deals, strict=True):
        part = np.zeros((n, 2, 4), np.int16)
        gap = 20 + strengths[first] - strengths[second] + luck[first, :n] - luck[second, :n] + rng.normal(0, 1, n)
        part[:, 0, 0] = np.floor(gap + rng.random(n))  # a whole number of the same mean
        part[:, 1, 0] = 20
        scores[names[first], names[second]] = part
    return PlayedPairings(scores, dict.fromkeys(scores), "hands")


def test_strengths_and_their_errors() -> None:
    """Errors include that pairings share deals; in 600 runs coverage of 95% has a standard error of 0.9%."""
    deals = [400, 150, 300, 250, 400, 200]
    rng = np.random.default_rng(11)
    strengths = [0.3, 0.0, -0.1, -0.2]
    names = ["p0", "p1", "p2", "p3"]
    rankings = [rank(names, random_scores(rng, strengths, deals)) for _ in range(600)]
    estimated = np.array([ranking.strengths for ranking in rankings])
    errors = np.sqrt([np.diag(ranking.covariance) for ranking in rankings])
    true = np.array(strengths) / 2  # a margin is the mean of two arrangements, of which one was made up
    within = np.abs(estimated - true) <= 1.96 * errors
    assert (within.mean(axis=0) > 0.92).all()
    assert (within.mean(axis=0) < 0.98).all()
    gaps = estimated[:, 0] - estimated[:, 1]
    stated = [np.sqrt(r.covariance[0, 0] + r.covariance[1, 1] - 2 * r.covariance[0, 1]) for r in rankings]
    assert np.mean(stated) == pytest.approx(gaps.std(), rel=0.1)
    assert estimated.sum(axis=1) == pytest.approx(np.zeros(600), abs=1e-9)


@pytest.mark.slow
def test_equal_policies_seldom_differ() -> None:
    """Of 400 tournaments of equal players 5% claim some difference, with a standard error of 1.1%.

    Intervals of each gap by itself would claim one in 12%, which is seen with probability 0.999.
    """
    rng, names, some_significant = np.random.default_rng(1), ["p0", "p1", "p2"], 0
    for _ in range(400):
        every = list(gaps(rank(names, random_scores(rng, [0.0] * 3, [150] * 3)), 150))
        significant = [gap.p <= 0.05 for gap in every]
        assert significant == [gap.estimate.low > 0 for gap in every]
        some_significant += any(significant)
    assert some_significant / 400 <= 0.083


# ------------------------------------------------------------------------------------------------ the sequential test

LONG = list(looks(200_000))


def stopped(test: Sequential, truth: float, runs: int, seed: int) -> list[tuple[str | None, int, float, float]]:
    """Verdict, trials, mean and standard error of runs of normal margins of standard deviation 7."""
    rng = np.random.default_rng(seed)
    ended = []
    for _ in range(runs):
        n, total, squares, verdict = 0, 0.0, 0.0, None
        for until in LONG:
            step = until - n
            mean = rng.normal(truth, 7 / np.sqrt(step))
            total += step * mean
            squares += 49 * rng.chisquare(step - 1) + step * mean**2
            n = until
            verdict = test.verdict(n, total / n, squares / n)
            if verdict is not None:
                break
        ended.append((verdict, n, total / n, float(np.sqrt((squares / n - (total / n) ** 2) / (n - 1)))))
    return ended


@pytest.mark.parametrize(("truth", "right"), [(0.0, "level"), (0.25, "ahead"), (-0.75, "behind")])
def test_wrong_verdicts_are_as_rare_as_stated(truth: float, right: str) -> None:
    """At most 5%: if it were exactly 5%, 6.5% of 1500 runs would be seen with probability 1 in 200.

    Twice that error rate would be missed once in 100,000 times.
    """
    ended = stopped(Sequential(0.25), truth, 1500, seed=17)
    verdicts, trials = [verdict for verdict, *_ in ended], np.mean([n for _, n, *_ in ended])
    assert None not in verdicts
    assert sum(verdict != right for verdict in verdicts) / len(verdicts) <= 0.065
    fixed = 49 * (1.96 + 1.645) ** 2 / 0.25**2  # trials that a test of fixed length with these errors needs
    assert trials < (1 if truth == 0 else 0.75) * fixed


def test_a_pairing_stops_when_it_is_decided_and_the_deals_are_the_first_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    short = run(GAMES["two"], "greedy", "random", hands=50_000, test=Sequential(0.1))
    [verdict] = short.metadata["verdicts"]
    assert (verdict["policy"], verdict["opponent"], verdict["verdict"]) == ("greedy", "random", "ahead")
    assert (verdict["hands"], verdict["intervals"]) == (500, "any stop")
    assert (short.exit_code, short.metadata["stopped"], short.metadata["hands"]) == (0, "decided", 500)
    [row] = rows_of(short.frame, quantity="margin", policy="greedy", side="all")
    expected = mean_of(*deal_margins(scores_of(GAMES["two"], ("greedy", "random"), 500)))
    assert row["estimate"] == expected.value
    assert (row["ci_high"] - expected.value) / expected.std_error == pytest.approx(at_any_stop(500), rel=4e-3)
    assert any("hold at any stop" in sentence for sentence in short.method)
    monkeypatch.setattr(Sequential, "verdict", lambda *_: None)
    undecided = run(GAMES["two"], "greedy", "random", hands=1000, test=Sequential(0.1))
    assert (undecided.exit_code, undecided.metadata["stopped"]) == (3, "hands")
    assert "Not decided in 1,000 deals: greedy and random." in undecided.remarks


# ------------------------------------------------------------------------------------------------ runs, files, words


@dataclass(frozen=True)
class Slow(Sequential):
    """Decides close pairings first, and some of them only after thousands of deals."""

    def verdict(self, n: int, mean: float, mean_square: float) -> str | None:
        return "ahead" if n >= 400 * abs(mean) else None


def test_a_resumed_tournament_equals_an_uninterrupted_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted; extended; from deals without a test; in parts of another size."""

    def contest(hands: int = 3300, test: Sequential | None = Slow(0.1)) -> TournamentJob:
        return job(GAMES["two"], "random", "greedy", "careful", hands=hands, seed=5, test=test)

    @contextmanager
    def interrupted() -> Iterator[Callable[[], bool]]:
        checks = itertools.count()
        yield lambda: next(checks) == 12

    whole, other = tmp_path / "whole.parquet", tmp_path / "other.parquet"
    ended = play_job(contest(), Saving(whole))
    assert len({verdict["hands"] for verdict in ended.metadata["verdicts"]}) > 1
    with monkeypatch.context() as patched:
        patched.setattr("cirulla_sim.verbs.tournament.seconds_a_hand", lambda *_: 1.0)
        patched.setattr(tournament, "PART_SECONDS", 70.0)
        patched.setattr(tournament, "note_signals", interrupted)
        result = play_job(contest(), Saving(other))
    assert result.exit_code == 130
    assert result.remarks[-1] == f"To resume, give the same command again: {result.command} -o {other}"
    play_job(contest(), Saving(other), engine="serial")
    assert other.read_bytes() == whole.read_bytes()
    for before in (contest(hands=1234, test=None), contest(test=Sequential(2.0))):
        play_job(before, Saving(other, force=True))
        play_job(contest(), Saving(other))
        assert other.read_bytes() == whole.read_bytes()
    remarks = play_job(contest(), Saving(other)).remarks
    assert f"All {ended.metadata['hands']:,} hands were there: nothing was played." in remarks


def gap_rows(order: str, *level: str) -> pl.DataFrame:
    """A table of strengths and gaps, each a point for each place, of which some pairs are not significant."""
    strengths = [{"policy": policy, "opponent": None, **estimate_row("strength", "hand", "all", "mean", Estimate(
        -float(place), 0.1, -place - 0.2, -place + 0.2, 1000))} for place, policy in enumerate(order)]  # fmt: skip
    gaps = [
        {"policy": one, "opponent": other, "p_tukey": 0.2 if one + other in level else 0.01, **estimate_row(
            "strength_gap", "hand", "all", "difference", Estimate(gap := float(order.index(other) - order.index(one)),
            0.5, gap - 1.5, gap + 1.5, 1000))} for one, other in itertools.combinations(order, 2)]  # fmt: skip
    return pl.DataFrame([*strengths, *gaps], schema=COLUMNS, orient="row", strict=False)


@hypothesis.settings(max_examples=30, deadline=None, derandomize=True)
@given(st.sets(st.sampled_from(list(itertools.combinations("pqrstu", 2)))))
def test_groups_are_the_largest_sets_without_a_significant_gap(level: set[tuple[str, str]]) -> None:
    """Against all subsets."""
    fine = [
        set(some) for size in range(1, 7) for some in itertools.combinations("pqrstu", size)
        if all(pair in level for pair in itertools.combinations(some, 2))
    ]  # fmt: skip
    largest = [some for some in fine if not any(some < other for other in fine)]
    frame = gap_rows("pqrstu", *map("".join, level))
    assert sorted(map(sorted, level_groups(frame))) == sorted(map(sorted, largest))
    letters = letters_of(frame)
    assert all(bool(set(letters[a]) & set(letters[b])) == ((a, b) in level)
               for a, b in itertools.combinations("pqrstu", 2))  # fmt: skip


# ------------------------------------------------------------------------------------------------ the table


def test_margins_are_corrected_for_all_pairings() -> None:
    """Each pairing is one test, whoever is named first; Student's test of the margins by scipy."""
    played = random_scores(np.random.default_rng(6), [0.5, 0.0, 0.0], [300] * 3)
    plan = Plan(build(players=2), ("random", "greedy", "careful"), 1000)
    named = dict(zip(("p0", "p1", "p2"), plan.policies, strict=True))
    scores = {(named[a], named[b]): part for (a, b), part in played.scores.items()}
    frame = result_table(plan, PlayedPairings(scores, dict.fromkeys(scores), "hands"), games=False)
    plain = {pair: float(stats.ttest_1samp(deal_margins(part)[0], 0).pvalue) for pair, part in scores.items()}
    corrected = dict(zip(plain, holm(list(plain.values())), strict=True))
    for row in rows_of(frame, quantity="margin", side="all"):
        pair = (row["policy"], row["opponent"])
        assert row["p_holm"] == pytest.approx(corrected[pair if pair in plain else pair[::-1]], rel=1e-6)
    assert len(rows_of(frame, quantity="margin", side="all")) == frame["p_holm"].drop_nulls().len() == 6


def test_gaps_hold_at_any_stop_where_a_pairing_was_decided() -> None:
    fixed = random_scores(np.random.default_rng(7), [0.4, 0.0, -0.4], [500] * 3)
    plan = Plan(build(players=2), ("random", "greedy", "careful"), 1000)
    scores = dict(zip(itertools.combinations(plan.policies, 2), fixed.scores.values(), strict=True))
    open_, decided = (
        result_table(plan, PlayedPairings(scores, dict.fromkeys(scores, verdict), "hands"), games=False).filter(
            quantity="strength_gap"
        )
        for verdict in (None, "ahead")
    )
    widths = (decided["ci_high"] - decided["ci_low"]) / (open_["ci_high"] - open_["ci_low"])
    assert widths.to_list() == pytest.approx([at_any_stop(500) / 1.96] * 3, rel=1e-4)
    for row in (*open_.to_dicts(), *decided.to_dicts()):
        assert (row["p_tukey"] <= 0.05) == (row["ci_low"] > 0)
    assert (decided["p_tukey"] > open_["p_tukey"]).all()
