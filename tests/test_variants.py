"""The rules of other tables in the documentation: each is loaded, played by kernel and referee, and checked by hand."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from referee.replay import replay

import cirulla_sim as cs
from cirulla_sim.core.cards import PACK
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import catalogue, house_fields
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import RuleSet, choose

DOCS = Path(__file__).parent.parent / "docs"
PAGE, ITALIAN = DOCS / "how-to" / "house_rules.md", DOCS / "it" / "regole_della_casa.md"
HANDS = 40

ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.M)
COMMAND = re.compile(r"`(--[^`]+)`")


def rows(page: Path) -> dict[int, tuple[str, str]]:
    """The rows of the table of a page: the rule, and how to play it."""
    table = page.read_text("utf-8").partition("<!-- variants -->")[2].partition("<!-- /variants -->")[0]
    return {int(number): (rule, how) for number, rule, how in ROW.findall(table)}


def line_of(command: str) -> tuple[str, dict[str, Any]]:
    """The preset of a command line, and the fields that it names."""
    words = shlex.split(command.replace("\\|", "|"))
    given: dict[str, list[str]] = {"--rules": ["cirulla"], "--house": [], "--rule": []}
    for option, value in zip(words[::2], words[1::2], strict=True):
        given[option].append(value)
    preset, rules = given["--rules"][-1], choose(given["--rules"][-1], None, given["--house"], given["--rule"]).fields
    named = [*house_fields(given["--house"]), *(rule.partition("=")[0] for rule in given["--rule"])]
    return preset, {name: getattr(rules, name) for name in named}


ROWS = rows(PAGE)
LINES = {number: list(map(line_of, COMMAND.findall(how))) for number, (_, how) in ROWS.items()}
PLAYED = [(number, place) for number, lines in LINES.items() for place in range(len(lines))]


def neighbours(preset: str, named: dict[str, Any]) -> Iterator[RuleSet]:
    """The rules of a line with one of its values changed to one beside it; of a preset alone, those that it is like."""
    if not named:
        yield choose(catalogue()["preset"][preset]["like"])
    for name, value in named.items():
        spec, usual = catalogue()["field"][name], getattr(build(preset), name)
        others = [usual, *spec.get("words", []), *((True, False) if spec.get("kind") == "bool" else ())]
        if isinstance(value, int):
            others += [value - 1, value + 1]
        if spec.get("kind") == "comparison":
            sign, number = value.split()
            others += [f"{sign} {int(number) + 1}", f"{sign} {int(number) - 1}", f"= {number}"]
        if name == "scoring":
            entries = [entry.rpartition(" = ") for entry in value]
            more = [f"{counted} = {int(points) + 1}" for counted, _, points in entries]
            others += [(*value[:i], more[i], *value[i + 1 :]) for i in range(len(value))]
        for other in others:
            if other != value:
                with suppress(cs.InputError):
                    rules = choose(preset, None, (), named | {name: other})
                    if name not in [doubt.field for doubt in rules.doubts]:  # there it says nothing
                        yield rules


def records_of(rules: RuleSet) -> list[dict]:
    return [
        hand_record(Experiment(rules.fields, (policy,), 10**6, 49), index, rules.preset)
        for index, policy in zip(range(HANDS), itertools.cycle(["random", "random", "greedy"]), strict=False)
    ]


# ------------------------------------------------------------------------------------------------ by hand


Check = Callable[[RuleSet, list[dict]], None]
"""A calculation by hand, against hands that were played and what questions answer under some rules."""


def value(card: str) -> int:
    return "A234567JQK".index(card[0]) + 1


def plays(record: dict) -> list[tuple[dict, dict[str, int]]]:
    """Each play of a hand with the table before it."""
    table = {} if record["table_bonus"] else {card: value(card) for card in record["table"]}
    found = []
    for play in (play for stage in record["stages"] for play in stage["plays"]):
        found.append((play, dict(table)))
        if play["captured"]:
            table = {card: of for card, of in table.items() if card not in play["captured"]}
        else:
            table[play["card"]] = play["as"]
    return found


def aces(records: list[dict]) -> list[tuple[int, dict, dict[str, int]]]:
    return [
        (number, play, table)
        for record in records
        for number, (play, table) in enumerate(plays(record))
        if play["as"] == 1
    ]


def chance(question: str, rules: RuleSet, **more: str) -> Fraction:
    return Fraction(cs.odds(question, rules=rules, progress=False, **more).frame["exact"].item())


def chooses(*positions: tuple[str, set[str]]) -> Check:
    """A check of the plays that the rules allow in some positions."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        for at, expected in positions:
            judged = cs.advise(at=f"{at}; to play: me", rules=rules, samples=2, progress=False).frame
            assert set(judged["play"]) == expected

    return check


def misdeals_with(expected: Fraction) -> Check:
    """A check of the share of tables that are a misdeal."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        assert chance("misdeal(table)", rules) == expected

    return check


def tables_pay(pays: Callable[[int], int]) -> Check:
    """A check of the mean bonus of all tables that are no misdeal, the matta being worth most to the dealer."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        bonuses = []
        for cards in itertools.combinations(PACK, 4):
            if sum(card[0] == "A" for card in cards) < rules.fields.misdeal_count:
                total = sum(map(value, cards))
                bonuses.append(max(pays(total - 7 + wild) for wild in range(1, 11)) if "7h" in cards else pays(total))
        mean = Fraction(sum(bonuses), len(bonuses))
        assert chance("mean(bonus_points(table))", rules, given="not misdeal(table)") == mean

    return check


def check_always(rules: RuleSet, records: list[dict]) -> None:
    """With A 3 5 K on the table, the next player sweeps with one of three aces among 33 unseen cards."""
    plain = choose("cirulla", None, ("no-matta",), {"ace_blocked": "nothing"})
    sweeps = chance("can_sweep(next)", plain, at="table: Ad 3c 5h Ks; me: 7d 2s Jh; i am: first")
    assert sweeps == 1 - Fraction(comb(30, 3), comb(33, 3))
    swept = [
        play for _, play, table in aces(records) if 1 in table.values() and len(play["captured"]) == len(table) > 1
    ]
    assert swept
    assert sum(play["scopa"] for play in swept) > len(swept) / 2


def sweeps_from(first: int) -> Check:
    """No ace takes more than 15 makes at so many first plays; it does in the round behind them."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        early = [play for number, play, _ in aces(records) if number < first and play["captured"]]
        assert all(sum(map(value, play["captured"])) in (1, 14) or "7h" in play["captured"] for play in early)
        soon = [play for number, play, _ in aces(records) if first <= number < (first + 4) // 4 * 4]
        assert any(sum(map(value, play["captured"])) not in (0, 1, 14) for play in soon)

    return check


def check_itself(rules: RuleSet, records: list[dict]) -> None:
    """Every ace on an empty table goes to a pile, and is no scopa."""
    alone = [play for _, play, table in aces(records) if not table]
    assert alone
    assert all(play["captured"] == [play["card"]] and not play["scopa"] for play in alone)


def check_ace_scopa(rules: RuleSet, records: list[dict]) -> None:
    """A scopa for every play but the last that empties the table, counted here; aces among them."""
    emptied = [
        [play for play, table in plays(r)[:-1] if table and len(play["captured"]) == len(table)] for r in records
    ]
    assert [len(played) for played in emptied] == [sum(record["scope"]) for record in records]
    assert any(play["as"] == 1 and len(play["captured"]) > 1 for played in emptied for play in played)


def check_napola(rules: RuleSet, records: list[dict]) -> None:
    """The run of coins in each pile, from the ace, if it is of three or more."""
    runs = 0
    for record in records:
        for pile, points in zip(record["piles"], record["points"], strict=True):
            run = next((n for n in range(10) if "A234567JQK"[n] + "d" not in pile), 10)
            assert points["piccola"] == (run if run >= 3 else 0)
            runs += run >= 3
    assert runs
    assert wins_by_diamonds(rules)


def pays_in_all(**points: int) -> Check:
    """A check that each of some categories pays so many points in each hand, whoever gets the cards."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        for record in records:
            for name, expected in points.items():
                assert sum(side.get(name.replace("_", " "), 0) for side in record["points"]) == expected
        assert any(any(record["scope"]) for record in records)

    return check


def escoba(all_sevens: int) -> Check:
    """Card and capture make 15; the sevens counted in the piles."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        captures = [play for record in records for play, _ in plays(record) if play["captured"]]
        assert all(value(play["card"]) + sum(map(value, play["captured"])) == 15 for play in captures)
        for record in records:
            sevens = [sum(card[0] == "7" for card in pile) for pile in record["piles"]]
            most = [count == max(sevens) and sevens.count(count) == 1 for count in sevens]
            assert [side["primiera"] for side in record["points"]] == most
            assert [side.get("all sevens", 0) for side in record["points"]] == [
                all_sevens * (count == 4) for count in sevens
            ]

    return check


def check_fewest_points(rules: RuleSet, records: list[dict]) -> None:
    """With all cards but three the side has the most points, and so loses the hand."""
    ours = " ".join(card for card in PACK if card not in ("Ks", "Qs", "Js"))
    at = f"table: Ks; me: Qs; dealer: Js; captured us: {ours}; i am: first; to play: me; last capture: me"
    assert cs.odds("wins(us)", at=at, rules=rules, progress=False).frame["estimate"].item() == 0


def primiera(left: str, *piles: tuple[str, int]) -> Check:
    """A check of our point for the primiera with some cards, all others but three left in play being the opponent's."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        table, mine, last = left.split()
        for ours, points in piles:
            others = " ".join(card for card in PACK if card not in ours.split() and card not in left.split())
            at = f"table: {table}; me: {mine}; dealer: {last}; captured us: {ours}; captured them: {others}"
            at += "; i am: first; to play: me; last capture: dealer"
            frame = cs.odds("mean(points(us, primiera))", at=at, rules=rules, progress=False).frame
            assert frame["estimate"].item() == points, ours

    return check


WITHOUT_SIXES = "7d 7c 7s Jh 6d 6c 6s As Ad Ac"
"""Three sevens and what a jack counts, against 21 + 15 + 15 + 15 = 66."""
NO_SPADES = " ".join(card for card in PACK if card[1] != "s")
WITHOUT_TWOS = " ".join(card for card in PACK if card[1] != "s" and card[0] != "2")


def with_all_diamonds(rules: RuleSet) -> str:
    """A position with a card left each, where our pile has all diamonds and theirs all else."""
    ours = " ".join(card for card in PACK if card[1] == "d")
    theirs = " ".join(card for card in PACK if card[1] != "d" and card not in ("Kc", "Ks", "Qs"))
    seat = "third" if rules.fields.players == 4 else "first"
    return f"table: Ks; me: Qs; dealer: Kc; captured us: {ours}; captured them: {theirs}; i am: {seat}; to play: me"


def wins_by_diamonds(rules: RuleSet) -> bool:
    """Whether all diamonds win the game where the others lack one point, and make it with most cards."""
    at = f"{with_all_diamonds(rules)}; score: 0-{rules.fields.target - 1}"
    judged = cs.advise(at=at, rules=rules, aim="game", samples=2, progress=False).frame
    return bool(judged.filter(quantity="wins_game")["estimate"].item() == 1)


def all_diamonds_pay(points: int) -> Check:
    """So much with the point for most diamonds, or besides all points of them; and nobody wins the game by them."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        at = with_all_diamonds(rules)
        assert cs.odds("mean(points(us))", at=at, rules=rules, progress=False).frame["estimate"].item() == points
        assert not wins_by_diamonds(rules)

    return check


def target(points: int) -> Check:
    """The winner has the target or more and more than the other side, which without cappotto is how games end."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        plain = replace(rules.fields, all_diamonds="none")
        won = f"wins_game(us) = (score(us) >= {points} and score(us) > score(them))"
        below = f"score(us) < {points} and score(them) < {points}"
        asked = [won, below, f"wins_game(us) and score(us) = {points}"]
        always, never, exactly = cs.odds(asked, rules=plain, policy="greedy", hands=200, progress=False).frame[
            "estimate"
        ]
        assert (always, never) == (1, 0)
        assert exactly > 0

    return check


def check_ten_cards(rules: RuleSet, records: list[dict]) -> None:
    """Ten cards each and no table; the first play takes nothing; the seven of coins is any card in sets shown."""
    assert all(record["table"] == [] and not plays(record)[0][0]["captured"] for record in records)
    assert all(len(held) == 10 for record in records for held in record["stages"][0]["hands"])
    shown = [play["knock"] for record in records for play, _ in plays(record) if play["knock"]]
    assert any(knock["matta_as"] for knock in shown)
    assert all("7d" in knock["cards"] for knock in shown if knock["matta_as"])


def check_shutout(rules: RuleSet, records: list[dict]) -> None:
    """Seven points to nothing win the game from far behind; six to nothing, or seven to one, do not."""
    ours = " ".join(card for card in PACK if card not in ("Kh", "Ks", "Qs", "Qh", "Jh"))
    for points, wins in (("3-0", True), ("4-0", True), ("2-0", False), ("3-1", False)):
        at = f"table: Qs; me: Ks; dealer: Kh; captured us: {ours}; captured them: Qh Jh; i am: first; to play: me"
        at += f"; last capture: me; points: {points}; score: 0-10"
        judged = cs.advise(at=at, rules=rules, aim="game", samples=2, progress=False).frame
        assert (judged.filter(quantity="wins_game")["estimate"].item() == 1) == wins
    games = {"rules": replace(rules.fields, target=1000), "policy": "us=careful, them=random", "hands": 300}
    assert cs.odds("ends_by_cappotto", **games).value > 0.9


REST = [card for card in PACK if card not in ("2h", "2d", "2c", "Qd")]
PILES = f"captured us: {' '.join(REST[:14])}; captured them: {' '.join(REST[14:27])}"
TWOS = f"table: Qd; me: 2h 2d 2c; {PILES}; i am: first"

CHECKS: dict[int, tuple[Check, ...]] = {
    1: (check_always,), 2: (sweeps_from(1), sweeps_from(4)), 3: (check_itself,), 4: (check_ace_scopa,),
    5: (chooses(("table: 2c 4h 6s; me: 6d", {"6d takes 6s"}),  # not 2 + 4; nine makes 15 with either
                ("table: 2c 4h 6s; me: Qd", {"Qd takes 6s", "Qd takes 4h 2c"})),),
    6: (chooses(("table: 2c 3c 4h; me: Qd", {"leave Qd"}), ("table: 2c 4c 5h; me: Qd", {"Qd takes 5h 4c"})),),
    7: (misdeals_with(Fraction(4 * 36 + 1, comb(40, 4))),),  # three of four kings and another card, or all four
    9: (check_napola, target(31)),
    10: (pays_in_all(king_of_coins=1),), 11: (pays_in_all(every_coin=10), target(41)),
    12: (pays_in_all(ace=1, two=2, three=3), target(21)), 13: (pays_in_all(aces_and_courts=16, total=16),),
    14: (escoba(0), escoba(1)), 15: (check_fewest_points,),
    16: (primiera("Kd Qd Jd", ("7d 7c 7s Jh 6s As", 0), (WITHOUT_SIXES, 1)),),  # 63 + 8 < 21 + 18 + 18 + 15 = 72
    17: (primiera("Ks Qs Js", (NO_SPADES, 1), (WITHOUT_TWOS, 0)),),
    18: (all_diamonds_pay(13),), 19: (all_diamonds_pay(31), all_diamonds_pay(43)),
    20: (target(81), target(100), target(150)),
    21: (chooses((TWOS, {f"{show}: leave {card}" for show in ("knock with 2h 2d 2c", "show nothing")
                         for card in ("2h", "2d", "2c")})),),
    22: (tables_pay(lambda total: 3 if total <= 9 else {15: 1, 30: 2}.get(total, 0)),),
    23: (tables_pay(lambda total: 1 if total < 9 else 2 * (total > 30)),),
    24: (chooses(("table: Ad 3s 6c 7d; me: Ac", {"Ac takes Ad", "Ac takes Ad 7d 6c"})),),  # A + 6 + 7 is 15 with it
    25: (misdeals_with(1 - Fraction(comb(36, 4) + 4 * comb(36, 3), comb(40, 4))),),
    26: (check_ten_cards,),
    27: (primiera("Kd Qd Jd", ("7d 7c 6h 6d 6c", 1), ("7d 7c 6h 6d Ah Ac As", 1), ("7d 7c 6h 6d Ah Ac 5h 5c", 0)),),
    28: (primiera("Kd Qd Jd", ("7d 7c 7s Jh 6s As", 0), (WITHOUT_SIXES, 0)),),  # 63 for three sevens, not 73
    29: (check_shutout,),
}  # fmt: skip
"""By number: all checks of one line, or one of each line."""


def check_line(number: int, place: int, rules: RuleSet, records: list[dict]) -> None:
    checks = CHECKS[number]
    for check in checks if len(LINES[number]) == 1 else checks[place : place + 1]:
        check(rules, records)


DOUBTED = {3: ["ace_takes_itself"], 11: ["scoring"]}
"""Where ``rules check`` has a doubt, rightly: an ace blocks aces only if it was dealt; the settebello is paid twice."""


def test_every_variant_has_a_line_or_a_reason() -> None:
    """The Italian page names the same variants by their numbers."""
    italian = ITALIAN.read_text("utf-8").partition("<!-- variants -->")[2].partition("<!-- /variants -->")[0]
    assert list(ROWS) == list(range(1, 30)) == [int(number) for number in re.findall(r"^(\d+)\. ", italian, re.M)]
    for number, (_, how) in ROWS.items():
        assert bool(COMMAND.search(how)) == (number in CHECKS), number
        assert number in CHECKS or how.startswith("not possible: ")


@pytest.mark.parametrize(("number", "place"), PLAYED)
def test_kernel_referee_and_a_calculation_by_hand_agree(number: int, place: int) -> None:
    preset, named = LINES[number][place]
    rules = choose(preset, None, (), named)
    records = records_of(rules)
    for record in records:
        replay(record, asdict(rules.fields))
    check_line(number, place, rules, records)
    assert [doubt.field for doubt in rules.doubts] == DOUBTED.get(number, [])


@pytest.mark.slow
@pytest.mark.parametrize(("number", "place"), PLAYED)
def test_no_line_can_be_another(number: int, place: int) -> None:
    """Under the same rules with another value somewhere the check by hand fails."""
    for other in neighbours(*LINES[number][place]):
        records = records_of(other)
        try:
            check_line(number, place, other, records)
        except AssertionError:
            continue
        pytest.fail(f"{other!r} passes as {LINES[number][place]}", pytrace=False)
