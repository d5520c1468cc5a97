"""Questions about played hands and games: exact answers against simulation, aggregates, scores, requests."""

from __future__ import annotations

import json
import shlex
import signal
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import polars as pl
import pytest
from asking import bind, exact, simulated

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.trials import Games
from cirulla_sim.experiments.runner import Execution, carry_out
from cirulla_sim.questions.binding import terms_of
from cirulla_sim.questions.inquiry import State, simulate
from cirulla_sim.questions.played import by_side
from cirulla_sim.questions.spaces import Place
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.repeated import Repeated
from cirulla_sim.stats.sequential import looks
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.verbs.odds import job_of

RANDOM = Place(build("cirulla", players=2), 0, ("random", "random"))


def played_by(rules: Rules, policy: str) -> Place:
    return Place(rules, 0, (policy,) * rules.sides)


def counted_beside_play(rules: Rules, text: str, policy: str) -> str | None:
    """The exact answer to a question that is asked together with one of play."""
    frame = bind(rules, [text, "wins(us)"], played_by(rules, policy)).exact()[0]
    return None if frame is None else frame["exact"].item()


def test_questions_about_the_deal_alone_are_counted() -> None:
    """Beside questions of play too; but careful players may keep a set back, so what they show is not counted."""
    rules = build("cirulla", players=2)
    for text in ("knocks = 0", "knocks(us, barsegon)", "bonus(first, stage 2)"):
        [dealt] = bind(rules, [text]).exact()
        assert dealt is not None
        assert counted_beside_play(rules, text, "greedy") == dealt["exact"].item()
    text = "barsega(first) and fifteen"
    among_played = exact(rules, f"{text} given not misdeal and not wins_at_deal")
    assert among_played is not None
    assert counted_beside_play(rules, text, "careful") == among_played["exact"].item()
    assert counted_beside_play(rules, "knocks = 0", "careful") is None
    assert counted_beside_play(rules, "wins(us)", "greedy") is None


def test_exact_answers_agree_with_played_hands() -> None:
    rules = build("cirulla")
    texts = ["knocks = 0", "barsega(first)", "thirty or matta(dealer)"]
    questions = bind(rules, [*texts, "wins(us)"], played_by(rules, "random"))
    frames = questions.estimates(range(3), simulate(questions, range(3), Effort("hands", 40_000)))
    for counted, dealt in zip(questions.exact(), frames, strict=False):
        assert counted is not None
        p = float(Fraction(counted["exact"].item()))
        assert abs(dealt["estimate"].item() - p) < 4 * (p * (1 - p) / 40_000) ** 0.5


def test_aggregates_are_of_the_same_hands() -> None:
    rules = build("cirulla", players=2)
    texts = [
        "histogram(margin)", "quantiles(margin)", "mean(margin)", "wins(us)", "max(margin)", "min(margin)",
        "ratio(margin, points)", "mean(points)",
    ]  # fmt: skip
    together = bind(rules, texts, played_by(rules, "greedy"))
    every = range(len(texts))
    histogram, quantiles, mean, won, most, least, ratio, points = together.estimates(
        every, simulate(together, every, Effort("hands", 5_000))
    )
    shares = dict(zip(map(int, histogram["value"]), histogram["estimate"], strict=True))
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(margin * share for margin, share in shares.items()) == pytest.approx(mean["estimate"].item())
    assert sum(share for margin, share in shares.items() if margin > 0) == pytest.approx(won["estimate"].item())
    assert (max(shares), min(shares)) == (most["estimate"].item(), least["estimate"].item())
    assert ratio["estimate"].item() == pytest.approx(mean["estimate"].item() / points["estimate"].item())
    middle = quantiles.filter(pl.col("quantity").str.starts_with("50%"))["estimate"].item()
    assert sum(share for margin, share in shares.items() if margin <= middle) >= 0.5
    assert sum(share for margin, share in shares.items() if margin < middle) < 0.5


@pytest.mark.parametrize(("preset", "players", "policy"), [("cirulla", 2, "greedy"), ("cirulla", 3, "random")])
def test_functions_of_games_agree_with_their_tally(preset: str, players: int, policy: str) -> None:
    from cirulla_sim.kernel.game import whole_game as games

    rules = build(preset, players=players)
    texts = ["hands_left", "wins_game(dealer)", "ends_by_cappotto", "lead_changes"]
    questions = bind(rules, texts, played_by(rules, policy))
    terms = terms_of(questions.questions)
    columns = questions.space.sample(terms, 3, 0, 2_000).frame
    hands, won, by_cappotto, leads = (columns[term.key] for term in terms)
    tally = games.views(Games(rules, (policy,), 2_000, 3).play(0, 2_000)[0])
    assert hands.sum() == tally.sums[games.SUM_H]
    assert won.sum() == tally.sums[games.WON_D]
    assert by_cappotto.sum() == tally.ended[games.BY_CAPPOTTO].sum()
    assert leads.value_counts().sort(leads.name)["count"].to_list() == [
        count for count in tally.leads.tolist() if count
    ]


def test_a_game_begins_at_a_score() -> None:
    rules = build("cirulla", players=2)
    near = Place(rules, 0, ("greedy", "greedy"), score=(50, 3))
    won, soon = (
        simulated(bind(rules, [text], near), 2_000)["estimate"].item()
        for text in ("wins_game(us)", "hands_left = 1 and score(us) > 50")
    )
    assert won > 0.97
    assert soon > 0.9
    with pytest.raises(InputError, match="score: '3-4-5' names 3 sides"):
        by_side((3, 4, 5), rules, 0)


def test_piles_of_random_cards_are_ours_first() -> None:
    rules = build("cirulla", players=2)
    text = "captured(us, sevens) = 4 and captured(them) = 18"
    chances = {exact(rules, text, Place(rules, me, (), sizes=(22, 18)))["exact"].item() for me in range(2)}
    assert chances == {str(Fraction(comb(36, 18), comb(40, 22)))}
    with pytest.raises(InputError, match="sweeps is not of two piles alone"):
        exact(rules, "sweeps(us)", Place(rules, 0, (), sizes=(22, 18)))


def test_several_trials_are_those_of_one() -> None:
    single = exact(build("cirulla"), "barsegon")
    assert single is not None
    p = Fraction(single["exact"].item())
    assert Fraction(Repeated(20, None, "holdings").of(single)["exact"].item()) == 1 - (1 - p) ** 20
    assert Repeated(10**6, None, "holdings").of(single)["exact"].item() == f"1 - ({1 - p})^1000000"
    assert Fraction(Repeated(None, 3, "holdings").of(single)["exact"].item()) == p**3
    estimated = simulated(bind(build("cirulla"), ["barsegon"]), 1_000)
    several = Repeated(20, None, "holdings").of(estimated).row(0, named=True)
    for name in ("estimate", "ci_low", "ci_high"):
        assert several[name] == pytest.approx(1 - (1 - estimated[name].item()) ** 20)


def test_an_interrupted_answer_uses_the_hands_played() -> None:
    states: list[State] = []

    def once(state: State) -> None:
        states.append(state)
        if len(states) == 1:
            signal.raise_signal(signal.SIGINT)

    inquiry = bind(build("cirulla", players=2), ["wins(us)"], RANDOM)
    state = simulate(inquiry, [0], Effort("hands", 10**6), Execution(threads=1), on_growth=once)
    assert state.stopped == "interrupted"
    assert inquiry.estimates([0], state)[0]["n"].item() <= state.done < 10**6


def test_a_precision_stops_at_the_first_look_at_which_it_is_reached() -> None:
    inquiry = bind(build("cirulla", players=2), ["wins(us)"], RANDOM)

    def width(hands: int) -> float:
        frame = inquiry.estimates([0], simulate(inquiry, [0], Effort("hands", hands)), any_stop=True)[0]
        return float((frame["ci_high"] - frame["ci_low"]).item()) / 2

    state = simulate(inquiry, [0], Effort("hands", 10**6, precision=0.03))
    before, at = [number for number in looks(10**6) if number <= state.done][-2:]
    assert (state.done, state.stopped) == (at, "precision")
    assert width(at) <= 0.03 < width(before)


def test_a_condition_that_no_hand_has_fulfilled_yet_does_not_end_the_run() -> None:
    ask = partial(cs.odds, "wins(us) given sweeps(us) >= 9", policy="random", players=2, progress=False)
    with pytest.raises(InputError, match="is never true in 500 hands"):
        ask(hands=500)
    result = ask(hands=8000, precision=0.9)
    assert (result.metadata["hands"], result.metadata["stopped"]) == (1000, "precision")


def test_line_ups_and_scores_of_games_are_ours_first() -> None:
    """The same game from a score, asked for by every name of the first dealer's side, which is ours."""
    options: dict[str, Any] = {"me": "dealer", "players": 2, "hands": 400, "progress": False}
    ours, dealers, theirs = (
        cs.odds("wins_game(us)", at="score: 45-30", policy=policy, **options)
        for policy in ("us=greedy, them=random", "dealer=greedy, others=random", "them=greedy, us=random")
    )
    assert ours.frame.equals(dealers.frame)
    assert ours.metadata["policies"] == dealers.metadata["policies"] == ["dealer=greedy, others=random"]
    assert theirs.metadata["policies"] == ["dealer=random, others=greedy"]
    behind = cs.odds("wins_game(us)", at="score: 30-45", policy="us=greedy, them=random", **options)
    assert ours.frame["estimate"][0] > theirs.frame["estimate"][0] > behind.frame["estimate"][0]
    with pytest.raises(InputError, match="did you mean 'others=greedy, dealer=random'"):
        cs.odds("wins_game(us)", policy="greedy,random", **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"at": "me: 7h K*; table: Ad ..", "in_": 20},
        {"question": ["low", "a pair: sevens = 2"], "given": "matta", "at": "me: 7h"},
        {"question": "low", "by": "sevens", "check": 2000, "seed": 3},
        {"question": "mean(low)", "by": "ranks", "top": 5},
        {"question": "barsegon", "rules": "cirullone", "rule": "target=71", "in_a_row": 2, "in_": 9},
        {"question": "cappotto", "sizes": (22, 18)},
        {"question": "wins_game(us)", "at": "score: 38-41", "policy": "us=greedy, them=random", "hands": 100},
        {"question": "wins_game(us)", "at": "score: 38-41", "me": "dealer", "policy": "dealer=greedy, others=random",
         "hands": 100},
        {"question": "mean(points(us))", "in_": 3, "policy": "greedy", "hands": 200},
        {"question": ["max(points(us))", "ratio(sweeps(us), captures(us))"], "policy": "greedy", "hands": 200},
        {"question": "can_sweep", "at": "table: 3c 5d; me: 7d Ks; to play: next; i am: third; shown next: 2h",
         "check": 500},
        {"question": "wins(us)", "at": "table: 3c 5d; me: 7d Ks 2h; i am: second; next: two kings",
         "policy": "us=greedy, them=random", "hands": 100},
    ],
)  # fmt: skip
def test_a_request_has_every_argument(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The job of the request in the metadata gives the same table and the same request; so does its command."""
    result = cs.odds(**options, progress=False)
    job = job_of(Request.from_json(json.loads(json.dumps(result.metadata["request"]))))
    again = carry_out(job, Execution())
    assert again.frame.equals(result.frame)
    assert dict(again.metadata) == dict(result.metadata)
    with pytest.raises(SystemExit):
        main([*shlex.split(result.command)[1:], "--format", "json"])
    assert capsys.readouterr().out.strip() == result.text("json")
