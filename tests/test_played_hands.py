"""Questions about played hands: against the records of the same hands, and exact answers against simulation."""

from __future__ import annotations

import json
import shlex
import signal
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments.runner import Execution, carry_out
from cirulla_sim.questions.binding import BoundQuestions, exact, simulated
from cirulla_sim.questions.inquiry import State, simulate
from cirulla_sim.questions.played_game import PlayedGame, by_side
from cirulla_sim.questions.played_hand import PlayedHand, words_of
from cirulla_sim.questions.question import Question
from cirulla_sim.questions.repeated import repeated
from cirulla_sim.questions.subjects import SUBJECTS
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.people import order_of_play
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.verbs.odds import job_of

HANDS = 60


def values_of(rules: Rules, record: dict[str, Any]) -> dict[str, Any]:
    """What words say of a hand, worked out from its record alone."""
    dealer = rules.dealer_side
    plays = [(stage, play) for stage, of in enumerate(record["stages"], 1) for play in of["plays"]]
    taking = [number for number, (_, play) in enumerate(plays, 1) if play["captured"]]
    settebello = [n for n in taking if "7d" in (*plays[n - 1][1]["captured"], plays[n - 1][1]["card"])]
    table = [] if record["table_bonus"] else list(record["table"])
    for _, play in plays:
        gone = set(play["captured"])
        table = [card for card in table if card not in gone] if gone else [*table, play["card"]]
    totals = [points["total"] for points in record["points"]]
    others = [total for side, total in enumerate(totals) if side != dealer]
    values = {
        "points": sum(totals),
        "points_dealer": totals[dealer],
        "points_scope_others": sum(points["scope"] for points in record["points"][:dealer]),
        "margin_dealer": totals[dealer] - max(others),
        "won_dealer": totals[dealer] > max(others),
        "tied": totals.count(max(totals)) > 1,
        "first_capture": taking[0] if taking else 0,
        "first_card_sweep": plays[0][1]["scopa"],
        "settebello_play": settebello[0] if settebello else 0,
        "settebello_stage": plays[settebello[0] - 1][0] if settebello else 0,
        "leftovers": len(table),
        "last_capture_first": record["last_capture_by"] == 0,
        "misdeals": len(record["misdeals"]),
        "has_7d_dealer": "7d" in record["piles"][dealer],
        "aces_dealer": sum(card[0] == "A" for card in record["piles"][dealer]),
        "spades_dealer": sum(card[1] == "s" for card in record["piles"][dealer]),
        "cards_dealer": len(record["piles"][dealer]),
    }
    if record["table"]:
        values["table_sevens"] = sum(card[0] == "7" for card in record["table"])
    for seat, player in enumerate(order_of_play(rules)):
        alone = "dealer_alone" if player == "dealer" and rules.partnership else player
        mine = [(number, stage, play) for number, (stage, play) in enumerate(plays, 1) if play["seat"] == seat]
        held = record["stages"][0]["hands"][seat]
        values[f"{player}_has_matta"] = rules.matta in held
        values[f"{player}_diamonds"] = sum(card[1] == "d" for card in held)
        values[f"leftovers_{alone}"] = len(table) if record["last_capture_by"] == seat else 0
        values[f"first_capture_{alone}"] = bool(taking) and taking[0] in [number for number, _, _ in mine]
        values[f"takes_settebello_{alone}"] = bool(settebello) and settebello[0] in [number for number, _, _ in mine]
        values[f"hand_bonus_points_{alone}"] = sum(play["knock"]["points"] for _, _, play in mine if play["knock"])
        for stage in range(1, len(rules.deal_plan) + 1) if len(rules.deal_plan) > 1 else ():
            now = [play for _, at, play in mine if at == stage]
            values[f"sweeps_{alone}_stage{stage}"] = sum(play["scopa"] for play in now)
            values[f"captures_{alone}_stage{stage}"] = sum(bool(play["captured"]) for play in now)
            cards = [len(play["knock"]["cards"]) for play in now if play["knock"]]
            values[f"knocks_{alone}_stage{stage}"] = sum(cards) // 3
    mine = [play for _, play in plays if rules.side(play["seat"]) == dealer]
    return values | {"sweeps": sum(p["scopa"] for _, p in plays), "sweeps_dealer": sum(p["scopa"] for p in mine)}


@pytest.mark.parametrize(
    ("preset", "players", "policy"),
    [
        ("cirulla", 2, "greedy"),
        ("cirulla", 3, "random"),
        ("cirulla", 4, "careful"),
        ("cirullone", 4, "careful"),
        ("cirulla-tournament", 4, "greedy"),
        ("scopone-scientifico", 4, "random"),
    ],
)
def test_features_agree_with_the_records(preset: str, players: int, policy: str) -> None:
    rules = build(preset, players=players)
    experiment = Experiment(rules, (policy,), HANDS, 7)
    records = [hand_record(experiment, index, preset) for index in range(HANDS)]
    expected = pl.DataFrame([values_of(rules, record) for record in records if record["stages"]])
    names = [name for name in expected.columns if name in words_of(rules, 0)]
    assert len(names) >= len(expected.columns) - 2
    counted = PlayedHand((policy,)).sample(rules, names, 7, 0, HANDS)
    for name in names:
        assert counted[name].to_list() == expected[name].to_list(), name


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 3), ("cirullone", 4), ("scopone-scientifico", 4)])
def test_every_feature_of_a_hand_is_answered(preset: str, players: int) -> None:
    rules = build(preset, players=players)
    names = list(words_of(rules, 0))
    frame = PlayedHand(("random",)).sample(rules, names, 1, 0, 20)
    assert frame.columns == names
    assert frame.null_count().sum_horizontal().item() == 0


def test_questions_about_the_deal_alone_are_counted() -> None:
    rules, hand = build("cirulla", players=2), PlayedHand(("greedy",))
    assert exact(rules, Question("won_us", "hand"), hand) is None
    for text in ("knocks = 0", "barsegon_us >= 1", "table_fifteen"):
        counted, of_deal = (
            exact(rules, Question(text, of), subject) for of, subject in (("hand", hand), ("deal", SUBJECTS["deal"]))
        )
        assert counted is not None
        assert of_deal is not None
        assert counted["exact"].to_list() == of_deal["exact"].to_list()
    # Careful players may keep a set back, so what they show is not counted.
    assert exact(rules, Question("knocks = 0", "hand"), PlayedHand(("careful",))) is None
    first = exact(rules, Question("first_low and table_fifteen", "hand"), PlayedHand(("careful",)))
    played = exact(
        rules, Question("first_low and table_fifteen", "first-deal", given="not misdeal and not table_wins"),
        SUBJECTS["first-deal"],
    )  # fmt: skip
    assert first is not None
    assert played is not None
    assert first["exact"].item() == played["exact"].item()


def test_exact_answers_agree_with_played_hands() -> None:
    rules, hand = build("cirulla"), PlayedHand(("random",))
    for text in ("knocks = 0", "first_barsega", "table_thirty or dealer_has_matta"):
        counted = exact(rules, Question(text, "hand"), hand)
        assert counted is not None
        result = simulated(rules, Question(text, "hand"), 40_000, subject=hand)
        p = float(Fraction(counted["exact"].item()))
        assert abs(result["estimate"].item() - p) < 4 * (p * (1 - p) / 40_000) ** 0.5


def test_histograms_quantiles_and_means_are_of_the_same_hands() -> None:
    rules, hand = build("cirulla", players=2), PlayedHand(("greedy",))
    questions = (
        Question(None, "hand", histogram="margin"),
        Question(None, "hand", quantiles="margin"),
        Question(None, "hand", mean="margin"),
        Question("won_us", "hand"),
    )
    together = BoundQuestions(rules, questions, hand)
    histogram, quantiles, mean, won = together.estimates(range(4), simulate(together, range(4), Effort("hands", 5_000)))
    shares = dict(zip(map(int, histogram["value"]), histogram["estimate"], strict=True))
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(margin * share for margin, share in shares.items()) == pytest.approx(mean["estimate"].item())
    assert sum(share for margin, share in shares.items() if margin > 0) == pytest.approx(won["estimate"].item())
    middle = quantiles.filter(pl.col("quantity").str.starts_with("50%"))["estimate"].item()
    assert sum(share for margin, share in shares.items() if margin <= middle) >= 0.5
    assert sum(share for margin, share in shares.items() if margin < middle) < 0.5


@pytest.mark.parametrize(("preset", "players", "policy"), [("cirulla", 2, "greedy"), ("cirulla", 3, "random")])
def test_features_of_games_agree_with_their_tally(preset: str, players: int, policy: str) -> None:
    from cirulla_sim.kernel.game import whole_game as games

    rules = build(preset, players=players)
    words = PlayedGame((policy,)).sample(rules, ["hands", "won_dealer", "by_cappotto", "lead_changes"], 3, 0, 2_000)
    tally = games.views(Games(rules, (policy,), 2_000, 3).play(0, 2_000)[0])
    assert words["hands"].sum() == tally.sums[games.SUM_H]
    assert words["won_dealer"].sum() == tally.sums[games.WON_D]
    assert words["by_cappotto"].sum() == tally.ended[games.BY_CAPPOTTO].sum()
    assert words["lead_changes"].value_counts().sort("lead_changes")["count"].to_list() == [
        count for count in tally.leads.tolist() if count
    ]


def test_a_game_begins_at_a_score() -> None:
    rules = build("cirulla", players=2)
    near = PlayedGame(("greedy",), by_side((50, 3), rules, 0))
    won, soon = (
        simulated(rules, Question(text, "game"), 2_000, subject=near)["estimate"].item()
        for text in ("won_us", "hands = 1 and points_us > 50")
    )
    assert won > 0.97
    assert soon > 0.9
    with pytest.raises(InputError, match="score: '3-4-5' names 3 sides"):
        by_side((3, 4, 5), rules, 0)


@pytest.mark.parametrize("at", ["i am: dealer", "i am: first", "i am: first; me: two sevens", None])
def test_piles_are_those_of_the_person_asking(at: str | None) -> None:
    options: dict[str, Any] = {"at": at, "players": 2, "policy": "greedy", "hands": 4_000, "progress": False}
    piles = cs.odds(["primiera_won", "sevens > other_sevens"], of="piles", **options).frame
    hand = cs.odds(["primiera_won_us", "sevens_us > sevens_them"], of="hand", **options).frame
    assert piles["estimate"].to_list() == hand["estimate"].to_list()


def test_piles_of_random_cards_are_of_no_situation() -> None:
    with pytest.raises(InputError, match="--at 'i am: dealer' requires piles of a hand that is played"):
        cs.odds("sevens = 4", of="piles", me="dealer")


def test_several_trials_are_those_of_one() -> None:
    single = exact(build("cirulla"), Question("barsegon"))
    assert single is not None
    p = Fraction(single["exact"].item())
    assert Fraction(repeated(single, 20, "holdings")["exact"].item()) == 1 - (1 - p) ** 20
    assert repeated(single, 10**6, "holdings")["exact"].item() == f"1 - ({1 - p})^1000000"
    estimated = simulated(build("cirulla"), Question("barsegon"), 1_000)
    several = repeated(estimated, 20, "holdings").row(0, named=True)
    for name in ("estimate", "ci_low", "ci_high"):
        assert several[name] == pytest.approx(1 - (1 - estimated[name].item()) ** 20)


def test_an_interrupted_answer_uses_the_hands_played() -> None:
    rules, hand = build("cirulla", players=2), PlayedHand(("random",))
    states: list[State] = []

    def once(state: State) -> None:
        states.append(state)
        if len(states) == 1:
            signal.raise_signal(signal.SIGINT)

    inquiry = BoundQuestions(rules, (Question("won_us", "hand"),), hand)
    state = simulate(inquiry, [0], Effort("hands", 10**6), Execution(threads=1), on_growth=once)
    assert state.stopped == "interrupted"
    assert inquiry.estimates([0], state)[0]["n"].item() <= state.done < 10**6


def test_a_precision_stops_at_a_checkpoint() -> None:
    rules, hand = build("cirulla", players=2), PlayedHand(("random",))
    inquiry = BoundQuestions(rules, (Question("won_us", "hand"),), hand)
    state = simulate(inquiry, [0], Effort("hands", 10**6, precision=0.002))
    assert (state.done, state.stopped) == (1 << 18, "precision")


def test_line_ups_and_scores_of_games_are_ours_first() -> None:
    """The same game from a score, asked for by every name of the first dealer's side, which is ours."""
    options: dict[str, Any] = {"of": "game", "me": "dealer", "players": 2, "hands": 400, "progress": False}
    ours, dealers, theirs = (
        cs.odds("won_us", at="score: 45-30", policy=policy, **options)
        for policy in ("us=greedy, them=random", "dealer=greedy, others=random", "them=greedy, us=random")
    )
    assert ours.frame.equals(dealers.frame)
    assert ours.metadata["policies"] == dealers.metadata["policies"] == ["dealer=greedy, others=random"]
    assert theirs.metadata["policies"] == ["dealer=random, others=greedy"]
    behind = cs.odds("won_us", at="score: 30-45", policy="us=greedy, them=random", **options)
    assert ours.frame["estimate"][0] > theirs.frame["estimate"][0] > behind.frame["estimate"][0]
    with pytest.raises(InputError, match="did you mean 'others=greedy, dealer=random'"):
        cs.odds("won_us", policy="greedy,random", **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"at": "me: 7h K*; table: Ad ..", "in_": 20},
        {"question": ["low", "a pair: sevens = 2"], "given": "has_matta", "at": "me: 7h"},
        {"question": "low", "by": "sevens", "check": 2000, "seed": 3},
        {"question": "triples >= 1", "cards": 9, "rules": "cirullone", "rule": "target=71"},
        {"question": "cappotto", "of": "piles", "sizes": (22, 18)},
        {"question": "won_us", "of": "game", "at": "score: 38-41", "policy": "us=greedy, them=random", "hands": 100},
        {"question": "won_us", "of": "game", "at": "score: 38-41", "me": "dealer",
         "policy": "dealer=greedy, others=random", "hands": 100},
        {"mean": "points_us", "of": "hand", "in_": 3, "policy": "greedy", "hands": 200},
        {"question": "sweep", "at": "table: 3c 5d; me: 7d Ks; to play: next; i am: third; shown next: 2h",
         "check": 500},
        {"question": "won_us", "at": "table: 3c 5d; me: 7d Ks 2h; i am: second; next: two kings",
         "policy": "us=greedy, them=random", "hands": 100},
    ],
)  # fmt: skip
def test_a_request_says_all_that_was_asked(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The job of the request in the metadata gives the same table and the same request; so does its command."""
    result = cs.odds(**options, progress=False)
    job = job_of(Request.from_json(json.loads(json.dumps(result.metadata["request"]))))
    again = carry_out(job, Execution())
    assert again.frame.equals(result.frame)
    assert dict(again.metadata) == dict(result.metadata)
    with pytest.raises(SystemExit):
        main([*shlex.split(result.command)[1:], "--format", "json"])
    assert capsys.readouterr().out.strip() == result.text("json")
