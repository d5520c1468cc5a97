"""What is wrong or misleading if the question language is not careful: numbers, names, aggregates and suggestions."""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import polars as pl
import pytest
from question_calls import calls
from referee.bonuses import best_sets
from referee.cards import PACK

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.questions.counting import Counted
from cirulla_sim.questions.vocabulary import functions, meaning_of
from cirulla_sim.ruleset.presets import build
from cirulla_sim.stats.repeated import Repeated

GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}


def exact(question: str, **options: Any) -> Fraction:
    return Fraction(cs.odds(question, **options).frame["exact"].item())


def estimate(question: str, **options: Any) -> float:
    return float(cs.odds(question, **options).frame["estimate"].item())


# ------------------------------------------------------------------------------------------------ numbers and names


@pytest.mark.parametrize(
    "written",
    ["sette = due", "sevens = two", "sette(io) = 2", "2 = sevens", "sevens in (two, 4)", "due <= sette <= due"],
)
def test_words_for_numbers_are_numbers_where_one_is_compared_with(written: str) -> None:
    assert exact(written) == Fraction(comb(4, 2) * 36, comb(40, 3)) == Fraction(27, 1235)


def test_two_kings_are_two_kings() -> None:
    assert exact("re = due") == exact("kings = 2") == exact("ranks = 'KKA'") * 9
    assert exact("due(io) = due") == exact("twos = 2")


# ------------------------------------------------------------------------------------------------ one definition a name

HAND = {  # quantity of simulate, its side -> the question
    ("points", "dealer"): "mean(points(dealer))", ("points", "all"): "mean(points)",
    ("margin", "dealer"): "mean(margin(dealer))",
    ("wins_hand", "dealer"): "wins(dealer)", ("ties_hand", "all"): "ties",
    ("points_cards", "dealer"): "mean(points(dealer, cards))",
    ("points_diamonds", "dealer"): "mean(points(dealer, diamonds))",
    ("points_settebello", "dealer"): "mean(points(dealer, settebello))",
    ("points_primiera", "dealer"): "mean(points(dealer, primiera))",
    ("points_grande", "dealer"): "mean(points(dealer, grande))",
    ("points_piccola", "dealer"): "mean(points(dealer, piccola))",
    ("points_scope", "dealer"): "mean(points(dealer, sweeps))",
    ("points_hand_bonus", "dealer"): "mean(points(dealer, knocks))",
    ("points_table_bonus", "dealer"): "mean(points(dealer, table))",
    ("grande", "dealer"): "grande(dealer)", ("piccola", "dealer"): "piccola(dealer)",
    ("cappotto", "dealer"): "cappotto(dealer)",
    ("scope", "dealer"): "mean(sweeps(dealer_side))", ("scope", "all"): "mean(sweeps)",
    ("sweeps", "dealer"): "mean(sweeps(dealer_side))", ("sweeps", "all"): "mean(sweeps)",
    ("knock", "dealer"): "mean(knocks(dealer_side))", ("knock", "all"): "mean(knocks)",
    ("hand_low", "all"): "mean(knocks(barsega))",
    ("hand_low_no_ace", "all"): "mean(knocks(misci))", ("hand_triple", "all"): "mean(knocks(barsegon))",
    ("hand_low", "dealer"): "mean(knocks(dealer_side, barsega))",
    ("primiera_won", "dealer"): "wins(dealer, primiera)", ("primiera_tied", "dealer"): "ties(primiera)",
    ("misdeals", "all"): "mean(misdeals)",
}  # fmt: skip


@pytest.mark.parametrize(("players", "rules"), [(2, "cirulla"), (3, "cirulla"), (4, "cirulla"), (4, "cirullone")])
def test_quantities_of_simulate_are_those_of_the_language(players: int, rules: str) -> None:
    """The same numbers on the same 2,000 hands."""
    options = {"players": players, "rules": rules, "seed": 1, **GREEDY}
    frame = cs.simulate(controls=False, hands=2_000, **options).frame
    answers = cs.odds([*HAND.values()], check=2_000, **options).frame.to_dicts()
    differ = {}
    for (quantity, side), row in zip(HAND, answers, strict=True):
        number = row["estimate"] if row["exact"] is None else row["simulated"]
        rows = frame.filter(quantity=quantity, side=side, n=2_000).filter(pl.col("per").is_in(["hand", "side"]))
        rows = rows.filter((pl.col("kind") == "mean") == (row["kind"] == "mean"))
        if quantity == "primiera_tied" and players == 3:
            continue  # of a side: whether it is among those that tie
        if rows.height and rows["estimate"][0] != pytest.approx(number, abs=1e-12):
            differ[quantity, side] = (rows["estimate"][0], number)
    assert not differ
    compared = {key for key in HAND if frame.filter(quantity=key[0], side=key[1]).height}
    assert len(compared) >= 17


GAME = {
    ("hands", "all"): "mean(hands_left)", ("wins_game", "dealer"): "wins_game(dealer)",
    ("lead_changes", "all"): "mean(lead_changes)", ("comeback", "all"): "mean(comeback)",
    ("ties_game", "all"): "ties_game", ("ended_by_cappotto", "all"): "ends_by_cappotto",
    ("drawn_game", "all"): "ties_game", ("margin", "dealer"): "mean(lead(dealer))",
}  # fmt: skip


@pytest.mark.parametrize("players", [2, 3])
def test_quantities_of_games_are_those_of_the_language(players: int) -> None:
    frame = cs.games(games=2_000, players=players, **GREEDY).frame
    compared = set()
    for (quantity, side), question in GAME.items():
        rows = frame.filter(quantity=quantity, side=side)
        rows = rows.filter(kind="mean" if question.startswith("mean") else "probability") if rows.height > 1 else rows
        if rows.height == 1:
            compared.add(quantity)
            answer = estimate(question, hands=2_000, players=players, **GREEDY)
            assert answer == pytest.approx(rows["estimate"].item(), abs=1e-12), quantity
    assert compared >= {"hands", "wins_game"}


def test_a_match_is_won_as_games_says() -> None:
    options = {"players": 2, "rule": "best_of=3", **GREEDY}
    frame = cs.games(games=300, **options).frame
    won = frame.filter(quantity="wins_match", side="dealer")["estimate"].item()
    assert estimate("wins_match(dealer)", hands=300, **options) == pytest.approx(won, abs=1e-12)
    assert estimate("wins_match(dealer) or wins_match(first)", hands=300, **options) == 1
    assert 2 <= estimate("mean(games_played)", hands=300, **options) <= 3


# ------------------------------------------------------------------------------------------------ aggregates


def test_several_aggregates_are_of_the_same_hands_as_alone() -> None:
    texts = ["mean(points(us))", "wins(us)", "max(points(us))", "ratio(sweeps(us), captures(us))", "quantiles(margin)"]
    options = {"hands": 3_000, "me": "dealer", **GREEDY}
    together = cs.odds(texts, **options).frame
    for text in texts:
        alone = cs.odds(text, **options).frame
        rows = together.filter(together["quantity"].is_in(alone["quantity"].to_list()))
        assert rows["estimate"].to_list() == alone["estimate"].to_list()


@pytest.mark.parametrize("aggregate", ["max", "min"])
def test_the_hand_of_an_extreme_is_the_hand_that_is_shown(aggregate: str) -> None:
    row = cs.odds(f"{aggregate}(points(us))", players=2, me="dealer", hands=2_000, seed=4, **GREEDY).frame.row(
        0, named=True
    )
    record = cs.hand(number=row["hand"], players=2, policy="greedy", seed=4).record
    assert record["points"][1]["total"] == row["estimate"]


def test_of_equal_extremes_the_first_hand_is_named() -> None:
    """Also across the batches that are counted apart, in whatever order they are added."""
    first, second = (Counted(extremes={"": ((0, hand), (9, hand + 1))}) for hand in (3, 70))
    assert (first + second).extremes == (second + first).extremes == first.extremes


def test_a_ratio_is_that_of_the_means() -> None:
    assert exact("ratio(sevens * aces, total)") == exact("mean(sevens * aces)") / exact("mean(total)")
    options = {"hands": 4_000, "me": "dealer", **GREEDY}
    above, below = (estimate(f"mean({name}(us))", **options) for name in ("sweeps", "captures"))
    assert estimate("ratio(sweeps(us), captures(us))", **options) == pytest.approx(above / below)


def test_trials_in_a_row_by_brute_force() -> None:
    """Every way that a few independent trials may go."""
    p = exact("barsega")
    for run, trials in ((2, None), (3, 3), (2, 6), (3, 7)):
        expected = Fraction(0)
        for went in product((False, True), repeat=trials or run):
            if "1" * run in "".join("01"[hit] for hit in went):
                expected += p ** sum(went) * (1 - p) ** (len(went) - sum(went))
        assert Repeated(trials, run, "holdings").chance(p) == expected
        assert exact("barsega", in_a_row=run, **({} if trials is None else {"in_": trials})) == expected
    assert exact("mean(barsega)", in_=7) == 7 * p


def test_answers_split_by_texts_are_ranked_and_numbers_stay_in_order() -> None:
    whole = cs.odds("barsega", by="ranks").frame
    assert whole["estimate"].to_list() == sorted(whole["estimate"], reverse=True)
    top = cs.odds("barsega", by="ranks", top=7).frame
    assert top.equals(whole.head(7))
    described = cs.odds("mean(total)", by="ranks", top=3).describe().splitlines()  # QKK is six times as frequent
    assert described[:2] == ["mean(total), ranks = KKK: 30.", "mean(total), ranks = QKK: 29."]
    by_number = cs.odds("barsega", by="total").frame["value"].to_list()
    assert by_number == sorted(by_number, key=int)
    best = cs.odds("barsega", by="total", top=3).frame
    assert set(best["estimate"]) == set(sorted(cs.odds("barsega", by="total").frame["estimate"])[-3:])
    both = cs.odds(["barsega", "mean(sevens)"], by="ranks", top=4).frame
    assert both["value"].to_list() == [*whole["value"].head(4)] * 2


def test_misdeals_in_a_row_agree_with_deals() -> None:
    options = {"players": 4, "rules": "cirulla-tournament"}
    for number in (1, 2):
        both = cs.odds(f"misdeals >= {number}", check=100_000, progress=False, **options).frame
        assert both["exact"].item() is not None
        assert abs(both["difference"].item()) < 4.5
    assert exact("misdeals >= 1") == exact("misdeal")
    assert exact("misdeals >= 2") == exact("misdeal") ** 2


# ------------------------------------------------------------------------------------------------ known cards


@pytest.mark.parametrize("mine", ["5h Jc Ks", "7h 2d 2c", "Ah Ad 3c"])
def test_what_the_next_player_holds_is_counted_over_the_cards_that_are_left(mine: str) -> None:
    rules = asdict(build("cirulla"))
    left = [list(holding) for holding in combinations([card for card in PACK if card not in mine.split()], 3)]
    assert len(left) == 7770
    for function, wanted in (("bonus", lambda cards: best_sets(rules, cards)[0] > 0),):
        expected = Fraction(sum(wanted(cards) for cards in left), len(left))
        assert exact(f"{function}(next)", at=f"me: {mine}; i am: first") == expected
        assert exact(f"{function}(next) given {function}(me) >= 0", at=f"me: {mine}") == expected
    played = exact("bonus(next) given not misdeal and not wins_at_deal", at=f"me: {mine}")
    both = cs.odds("bonus(next) given not misdeal and not wins_at_deal", at=f"me: {mine}", check=50_000, progress=False)
    assert Fraction(both.frame["exact"].item()) == played
    assert abs(both.frame["difference"].item()) < 4.5


# ------------------------------------------------------------------------------------------------ suggestions


TOKEN = r"(?:'[^']*'|\"[^\"]*\"|[\w=-]+)+"
"""A word as ``shlex`` quotes it."""


def wrong_questions(number: int) -> Iterator[list[str]]:
    """Calls with a letter changed, and functions where they have no meaning, as arguments of ``odds``."""
    dice = random.Random(5)
    every = [call.text() for call in calls(asdict(build("cirulla")), 0)]
    places: list[list[str]] = [
        [], ["--at", "table: 3c 5d; me: 7d Ks; to play: next"], ["--at", "score: 38-41"], ["--sizes", "22,18"],
        ["--at", "night: 8 pairs, 4 rounds of 8 hands, swiss, 4 minutes a hand"],
    ]  # fmt: skip
    for function in functions().values():
        for place in places:
            yield [function.example, *place]
    for _ in range(number):
        text = dice.choice(every)
        at = dice.randrange(len(text))
        yield [text[:at] + dice.choice(["", "x", "e", text[at] * 2]) + text[at + 1 :]]


def test_every_suggestion_is_valid() -> None:
    """Of a few hundred errors: the words and the commands that they name are run in turn."""
    suggested: dict[tuple[str, ...], str] = {}
    errors = 0
    for arguments in wrong_questions(150):
        message = refusal(arguments)
        if message is None:
            continue
        errors += 1
        assert "\n" not in message, message
        for command in re.findall(rf"odds ({TOKEN}(?: --at {TOKEN})?)", message):
            if "..." not in command and not command.startswith("--"):
                suggested.setdefault(tuple(shlex.split(command)), message)
        hint = re.search(r"unknown word ('[^']+'): did you mean (.*?)\?", message)
        for word in re.findall(r"'([^']+)'", hint[2]) if hint else []:
            meaning = meaning_of(word)
            example = word if meaning is None else meaning.function.example  # a call may be suggested, too
            suggested.setdefault((example, *arguments[1:]), message)
    assert errors > 150
    assert len(suggested) > 30
    failures = {words: (reason, message) for words, message in suggested.items() if (reason := refusal(list(words)))}
    for words, (reason, message) in failures.items():
        print(words, "|", reason, "|", message)
    assert not failures


def refusal(arguments: list[str]) -> str | None:
    """The error of ``odds`` for these arguments, None for an answer."""
    try:
        job_request(arguments)
    except InputError as error:
        return str(error)
    return None


def job_request(arguments: list[str]) -> None:
    names = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    options = {name.removeprefix("--"): value for name, value in names.items()}
    cs.odds(arguments[0], hands=8, progress=False, **options)
