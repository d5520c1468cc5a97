"""What a hand pays is a list: records, tables, comparisons and questions take its names; the fewest points may win."""

from __future__ import annotations

import pytest

import cirulla_sim as cs
from cirulla_sim.core.cards import PACK
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.categories import EACH, USUAL, Category, usual_category
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.ruleset.scoring import category_named

RE_BELLO = "king of coins | re bello: each Kd = 1"


def points(rules: Rules, number: int) -> list[dict[str, int]]:
    """The points of each side in a hand of random players."""
    record = hand_record(Experiment(rules, ("random",), 10**6, 71), number)
    return [dict(side) for side in record["points"]]


def test_a_category_stands_in_the_place_of_a_usual_one() -> None:
    """The same points as by its field, hand for hand; a name that piles do not show is refused."""
    anew = build("cirulla", changes={"scoring": ["settebello: each 7d = 2", "cards: most *h *d *c *s = 3"]})
    by_field = build("cirulla", changes={"settebello_point": 2, "cards_point": 3})
    assert [points(anew, n) for n in range(50)] == [points(by_field, n) for n in range(50)]
    assert category_named(anew, "carte") == category_named(anew, "cards")
    for text in ("scope: each Ad = 1", "total: each Ad = 1", "grande: all Jd Qd Kd = 51"):
        with pytest.raises(cs.InputError, match="scoring"):
            build("cirulla", changes={"scoring": [text]})


def test_tables_comparisons_and_questions_take_the_names() -> None:
    rules, hands = cs.rules("cirulla", players=2, scoring=[RE_BELLO]), 400
    simulated = cs.simulate(rules, policy="random", hands=hands, seed=71, progress=False).frame
    mean = sum(points(rules.fields, n)[1]["king of coins"] for n in range(hands)) / hands
    of_table = simulated.filter(quantity="points_king of coins", side="dealer")["estimate"].item()
    compared = cs.compare(
        "cirulla", players=2, rule={"scoring": RE_BELLO}, policy="random", hands=hands, seed=71, progress=False
    )
    levels = compared.frame.filter(quantity="points_king of coins", side="dealer", kind="mean")["estimate"].to_list()
    assert (of_table, levels) == (pytest.approx(mean), [0, pytest.approx(mean)])
    asked = {"policy": "random", "hands": hands, "seed": 71, "progress": False, "me": "dealer"}
    for name in ("king of coins", "re bello", "further"):
        found = cs.odds(f"mean(points(us, {name}))", rules=rules, **asked)
        assert found.frame["estimate"].item() == pytest.approx(mean, abs=1e-9)
    answer = cs.odds("mean(points(us, king of coins))", rules=rules, **asked)
    assert "re bello nella smazzata" in answer.text(lang="it")
    assert "re bello porta un punto in più" in compared.text(lang="it")
    with pytest.raises(cs.InputError, match="unknown 'king of coins'"):
        cs.odds("points(us, king of coins)", players=2)


SWEEPS = "sweeps: each sweep = {}"


@pytest.mark.parametrize("worth", [0, 1, 3])
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_a_sweep_pays_what_the_list_says(worth: int, policy: str) -> None:
    """In records, in tables and by questions; the usual point needs no entry."""
    rules, hands = cs.rules("cirulla", players=2, scoring=[RE_BELLO, SWEEPS.format(worth)]), 200
    assert rules.fields.scoring == (RE_BELLO, f"sweeps | scope: each sweep = {worth}")[: 1 + (worth != 1)]
    records = [hand_record(Experiment(rules.fields, (policy,), 10**6, 71), n) for n in range(hands)]
    for record in records:
        assert [side["scope"] for side in record["points"]] == [worth * sweeps for sweeps in record["scope"]]
    number = sum(record["scope"][1] for record in records) / hands
    asked = {"rules": rules, "policy": policy, "hands": hands, "seed": 71, "progress": False}
    table = cs.simulate(**asked).frame.filter(side="dealer", kind="mean")
    assert table.filter(quantity="sweeps")["estimate"].item() == pytest.approx(number)
    assert table.filter(quantity="points_scope")["estimate"].item() == pytest.approx(worth * number)
    for question, mean in (
        ("sweeps(dealer)", number), ("points(dealer_side, sweeps)", worth * number),
        (" + ".join(f"points(dealer_side, scope, stage {stage})" for stage in range(1, 7)), worth * number),
        ("points(dealer_side, further)", sum(record["points"][1]["king of coins"] for record in records) / hands),
    ):  # fmt: skip
        found = cs.odds(f"mean({question})", **asked).frame["estimate"].item()
        assert found == pytest.approx(mean, abs=1e-9), question


@pytest.mark.parametrize("policy", ["careful", "open"])
def test_players_make_more_sweeps_than_they_allow_the_more_these_pay(policy: str) -> None:
    """Against random players, which play alike; four standard errors and more."""
    ahead = []
    for worth in (0, 3):
        rules = cs.rules("scopa", players=2, scoring=[SWEEPS.format(worth)])
        frame = cs.simulate(
            rules, policy=f"dealer={policy}, others=random", hands=1500, seed=3, progress=False
        ).frame.filter(quantity="sweeps", kind="mean")
        ours, theirs = (frame.filter(side=side)["estimate"].item() for side in ("dealer", "others"))
        ahead.append(ours - theirs)
    assert ahead[1] > ahead[0] + 0.12


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("scopa", 2), ("scopa", 3)])
def test_where_the_fewest_points_win_better_players_make_fewer(preset: str, players: int) -> None:
    """Twelve standard errors and more; players who make the most would come out the other way round."""
    rules = cs.rules(preset, players=players, lowest_wins=True)
    found = cs.tournament(rules, policy=["careful", "greedy", "random"], hands=1000, seed=3, progress=False)
    order = found.frame.filter(quantity="strength").sort("estimate", descending=True)["policy"].to_list()
    assert order == ["careful", "greedy", "random"]
    of_hands = cs.simulate(rules, policy=["careful", "random"], hands=1000, seed=3, progress=False).frame
    made = {name: of_hands.filter(quantity="points", side="all", kind="mean", policy=name)["estimate"].item()
            for name in ("careful", "random")}  # fmt: skip
    assert made["careful"] < made["random"]


def test_where_the_fewest_points_win_the_advice_is_to_make_few() -> None:
    at = "table: 5c 2h Kd; me: 7d 2s Jh; i am: first"
    usual, fewest = (
        cs.advise(rules=cs.rules("scopa", players=2, lowest_wins=lowest), at=at, samples=512, progress=False)
        for lowest in (False, True)
    )
    first, last = (result.frame["play"].unique(maintain_order=True).to_list() for result in (usual, fewest))
    assert first[0] == last[-1]
    assert "points fewer than the others" in fewest.describe()
    assert "i punti in meno degli altri" in fewest.text(lang="it")


def test_where_the_fewest_points_win_a_margin_has_one_sign() -> None:
    """Positive for who is ahead, in every verb; where all is known advice and odds say the same number."""
    rules = cs.rules("scopa", players=2, lowest_wins=True)
    dealing = {"rules": rules, "policy": "dealer=careful,others=random", "progress": False}
    ours = {"rules": rules, "policy": "us=careful,them=random", "hands": 200, "progress": False}
    assert cs.simulate(hands=500, **dealing)["margin", "dealer"].value > 1
    assert cs.games(games=100, **dealing)["margin", "dealer"].value > 1
    assert cs.compare(house=["re-bello"], hands=500, **dealing).frame.filter(quantity="margin")["estimate"][0] > 1
    assert cs.odds("mean(margin(us))", **ours).value > 1
    assert cs.odds("mean(lead(us))", **ours).value > 1
    contest = cs.tournament(rules, policy=["careful", "random"], hands=200, progress=False)
    assert contest.frame.filter(quantity="margin", policy="careful", side="all")["estimate"].item() > 1
    assert contest.text().startswith("Careful play beats")
    others = {"Qs", "Ks", "Kh", "Qh", "Jh"}
    mine = [card for card in PACK if card not in others and card[1] != "s"]
    theirs = ["Qh", "Jh", *(card for card in PACK if card not in others and card[1] == "s")]
    at = f"table: Qs; me: Ks; dealer: Kh; captured us: {' '.join(mine)}; captured them: {' '.join(theirs)}"
    at += "; i am: first; to play: me; last capture: me"
    judged = cs.advise(rules=rules, at=at, progress=False).frame.filter(quantity="margin")["estimate"].item()
    asked = cs.odds("mean(margin(us))", rules=rules, at=at, hands=50, progress=False)
    assert judged == asked.value == -3
    assert "3 points more than" in asked.text()


def test_a_usual_category_pays_at_most_for_each_of_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USUAL, "kings", {"names": ["kings", "re"], "counts": "each K*", "column": "kings"})
    assert usual_category("kings", 2)._replace(cards=0) == Category("kings", "re", EACH, 0, 2, "kings", 8)
    assert [usual_category(name, 3).most for name in ("settebello", "cards")] == [3, 3]
