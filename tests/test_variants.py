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
from referee import replay

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
    """Hands of random and greedy players."""
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
    """Plays of an ace, with their place in the hand and the table before."""
    return [
        (number, play, table)
        for record in records
        for number, (play, table) in enumerate(plays(record))
        if play["as"] == 1
    ]


def choices(rules: RuleSet, at: str) -> set[str]:
    return set(cs.advise(at=at, rules=rules, samples=2, progress=False).frame["play"])


def chance(question: str, rules: RuleSet, **more: str) -> Fraction:
    return Fraction(cs.odds(question, rules=rules, progress=False, **more).frame["exact"].item())


def tables(rules: RuleSet) -> list[tuple[int, list[int]]]:
    """Each table that is no misdeal, as its total, or the totals that the matta gives it."""
    aces_allowed = rules.fields.misdeal_count - 1
    found = []
    for cards in itertools.combinations(PACK, 4):
        if sum(card[0] == "A" for card in cards) <= aces_allowed:
            total = sum(map(value, cards))
            found.append([total - 7 + wild for wild in range(1, 11)] if "7h" in cards else [total])
    return found


def mean_table_bonus(rules: RuleSet, pays: Callable[[int], int]) -> Fraction:
    every = tables(rules)
    return Fraction(sum(max(map(pays, totals)) for totals in every), len(every))


def check_always(rules: RuleSet, records: list[dict]) -> None:
    """1: with A 3 5 K on the table, the next player sweeps with one of three aces among 33 unseen cards."""
    plain = choose("cirulla", None, ("no-matta",), {"ace_blocked": "nothing"})
    sweeps = chance("can_sweep(next)", plain, at="table: Ad 3c 5h Ks; me: 7d 2s Jh; i am: first")
    assert sweeps == 1 - Fraction(comb(30, 3), comb(33, 3))
    swept = [
        play for _, play, table in aces(records) if 1 in table.values() and len(play["captured"]) == len(table) > 1
    ]
    assert swept
    assert sum(play["scopa"] for play in swept) > len(swept) / 2


def sweeps_from(first: int) -> Check:
    """2: no ace takes more than 15 makes at so many first plays; it does in the round behind them."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        early = [play for number, play, _ in aces(records) if number < first and play["captured"]]
        assert all(sum(map(value, play["captured"])) in (1, 14) or "7h" in play["captured"] for play in early)
        soon = [play for number, play, _ in aces(records) if first <= number < (first + 4) // 4 * 4]
        assert any(sum(map(value, play["captured"])) not in (0, 1, 14) for play in soon)

    return check


def check_itself(rules: RuleSet, records: list[dict]) -> None:
    """3: every ace on an empty table goes to a pile, and is no scopa."""
    alone = [play for _, play, table in aces(records) if not table]
    assert alone
    assert all(play["captured"] == [play["card"]] and not play["scopa"] for play in alone)


def check_ace_scopa(rules: RuleSet, records: list[dict]) -> None:
    """4: a scopa for every play but the last that empties the table, counted here; aces among them."""
    emptied = [
        [play for play, table in plays(r)[:-1] if table and len(play["captured"]) == len(table)] for r in records
    ]
    assert [len(played) for played in emptied] == [sum(record["scope"]) for record in records]
    assert any(play["as"] == 1 and len(play["captured"]) > 1 for played in emptied for play in played)


def check_fewest(rules: RuleSet, records: list[dict]) -> None:
    """5: of a six and 2 + 4 the six takes the six only, and nine makes 15 with either."""
    assert choices(rules, "table: 2c 4h 6s; me: 6d; to play: me") == {"6d takes 6s"}
    assert len(choices(rules, "table: 2c 4h 6s; me: Qd; to play: me")) == 2


def check_two_cards(rules: RuleSet, records: list[dict]) -> None:
    """6: a queen takes 4 + 5 and not 2 + 3 + 4; no capture is of three cards."""
    assert choices(rules, "table: 2c 3c 4h; me: Qd; to play: me") == {"leave Qd"}
    assert choices(rules, "table: 2c 4c 5h; me: Qd; to play: me") == {"Qd takes 5h 4c"}
    assert max(len(play["captured"]) for record in records for play, _ in plays(record)) == 2


def check_three_kings(rules: RuleSet, records: list[dict]) -> None:
    """7: three of four kings and one of 36 other cards, or all four, of C(40, 4) tables."""
    assert chance("misdeal(table)", rules) == Fraction(4 * 36 + 1, comb(40, 4)) == Fraction(29, 18278)


def check_napola(rules: RuleSet, records: list[dict]) -> None:
    """9: the run of coins in each pile, from the ace, if it is of three or more."""
    runs = 0
    for record in records:
        for pile, points in zip(record["piles"], record["points"], strict=True):
            run = next((n for n in range(10) if "A234567JQK"[n] + "d" not in pile), 10)
            assert points["piccola"] == (run if run >= 3 else 0)
            runs += run >= 3
    assert runs
    assert wins_by_diamonds(rules)
    check_target(31)(rules, records)


def pays_in_all(points: int, *names: str, target: int | None = None) -> Check:
    """A check that each of some categories pays so many points in each hand, whoever gets the cards."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        for record in records:
            for name in names:
                assert sum(side.get(name, 0) for side in record["points"]) == points
        if target is not None:
            check_target(target)(rules, records)

    return check


def check_trente(rules: RuleSet, records: list[dict]) -> None:
    """12: ace, two, three of coins are 1, 2 and 3 points, in each hand."""
    for number, name in enumerate(("ace", "two", "three"), 1):
        pays_in_all(number, name)(rules, records)
    check_target(21)(rules, records)


def check_frac(rules: RuleSet, records: list[dict]) -> None:
    """13: four aces and twelve court cards are 16 points in each hand, and nothing else is one, sweeps included."""
    pays_in_all(16, "aces and courts", "total")(rules, records)
    assert any(any(record["scope"]) for record in records)


def escoba(all_sevens: int) -> Check:
    """14: card and capture make 15; the sevens counted in the piles."""

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
    """15: with all cards but three the side has the most points, and so loses the hand."""
    ours = " ".join(card for card in PACK if card not in ("Ks", "Qs", "Js"))
    at = f"table: Ks; me: Qs; dealer: Js; captured us: {ours}; i am: first; to play: me; last capture: me"
    for played, won in ((rules, 0), (choose("scopa"), 1)):
        assert cs.odds("wins(us)", at=at, rules=played, progress=False).frame["estimate"].item() == won


FIGURES = dict(zip("A234567JQK", (16, 12, 13, 14, 15, 18, 21, 8, 9, 10), strict=True))
USUAL = FIGURES | {"J": 10, "Q": 10}
WITHOUT_SIXES = "7d 7c 7s Jh 6d 6c 6s As Ad Ac"
"""Three sevens and what a jack counts, against 21 + 15 + 15 + 15 = 66."""


def best_primes(pile: list[str], values: dict[str, int]) -> list[int]:
    return [max((values[card[0]] for card in pile if card[1] == suit), default=0) for suit in "hdcs"]


def primiera_at_the_end(rules: RuleSet, ours: str, left: str) -> float:
    """Our point for the primiera with some cards, where the opponent has all others and the last three on the table."""
    others = [card for card in PACK if card not in ours.split() and card not in left.split()]
    table, mine, last = left.split()
    at = f"table: {table}; me: {mine}; dealer: {last}; captured us: {ours}; captured them: {' '.join(others)}"
    at += "; i am: first; to play: me; last capture: dealer"
    frame = cs.odds("mean(points(us, primiera))", at=at, rules=rules, progress=False).frame
    return float(frame["estimate"].item())


def check_figures(rules: RuleSet, records: list[dict]) -> None:
    """16: three sevens and a jack are 63 + 8, less than 21 + 18 + 18 + 15 = 72; a jack of 10 makes 73."""
    for record in records:
        primes = [best_primes(pile, FIGURES) for pile in record["piles"]]
        totals = [sum(best) if all(best) else 0 for best in primes]
        won = [total == max(totals) > 0 and totals.count(total) == 1 for total in totals]
        assert [side["primiera"] for side in record["points"]] == won
    assert primiera_at_the_end(rules, "7d 7c 7s Jh 6s As", "Kd Qd Jd") == 0
    assert primiera_at_the_end(choose("scopa"), "7d 7c 7s Jh 6s As", "Kd Qd Jd") == 1
    assert primiera_at_the_end(rules, WITHOUT_SIXES, "Kd Qd Jd") == 1


def check_lacking(rules: RuleSet, records: list[dict]) -> None:
    """17: with no spades we win the primiera only if the other side lacks a suit too: here it has spades only."""
    for record in records:
        primes = [best_primes(pile, USUAL) for pile in record["piles"]]
        whole = [sum(best) if all(best) else 0 for best in primes]
        totals = whole if any(whole) else [sum(best) for best in primes]
        won = [total == max(totals) > 0 and totals.count(total) == 1 for total in totals]
        assert [side["primiera"] for side in record["points"]] == won
    ours = [card for card in PACK if card[1] != "s"]
    assert primiera_at_the_end(rules, " ".join(ours), "Ks Qs Js") == 1
    assert primiera_at_the_end(choose("scopa"), " ".join(ours), "Ks Qs Js") == 0
    one_each = " ".join(card for card in ours if card not in ("2h", "2d", "2c"))
    assert primiera_at_the_end(rules, one_each, "Ks Qs Js") == 0


def with_all_diamonds(rules: RuleSet) -> str:
    """A position with a card left each, where our pile has all diamonds and theirs all else."""
    ours = " ".join(card for card in PACK if card[1] == "d")
    theirs = " ".join(card for card in PACK if card[1] != "d" and card not in ("Kc", "Ks", "Qs"))
    seat = "third" if rules.fields.players == 4 else "first"
    at = f"table: Ks; me: Qs; dealer: Kc; captured us: {ours}; captured them: {theirs}; i am: {seat}; to play: me"
    return f"{at}; score: 0-{rules.fields.target - 1}"


def points_of_all_diamonds(rules: RuleSet) -> float:
    at = with_all_diamonds(rules).rpartition("; score")[0]
    return float(cs.odds("mean(points(us))", at=at, rules=rules, progress=False).frame["estimate"].item())


def wins_by_diamonds(rules: RuleSet) -> bool:
    """Whether all diamonds win the game where the others lack one point, and make it with most cards."""
    judged = cs.advise(at=with_all_diamonds(rules), rules=rules, aim="game", samples=2, progress=False).frame
    return bool(judged.filter(quantity="wins_game")["estimate"].item() == 1)


def check_no_cappotto(rules: RuleSet, records: list[dict]) -> None:
    """18: nobody wins the game by diamonds, and all ten are worth 1 + 1 + 5 + 6 points."""
    assert not wins_by_diamonds(rules)
    assert points_of_all_diamonds(rules) == 13


def all_diamonds_pay(points: int) -> Check:
    """19: 30 and the point for most diamonds, or 30 besides all of them; and nobody wins the game by them."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        assert points_of_all_diamonds(rules) == points
        assert not wins_by_diamonds(rules)

    return check


def check_target(target: int) -> Check:
    """20: the winner has the target or more and more than the other side, which without cappotto is how games end."""

    def check(rules: RuleSet, records: list[dict]) -> None:
        plain = replace(rules.fields, all_diamonds="none")
        for question, always in (
            (f"wins_game(us) = (score(us) >= {target} and score(us) > score(them))", 1),
            (f"score(us) < {target} and score(them) < {target}", 0),
        ):
            frame = cs.odds(question, rules=plain, policy="greedy", hands=200, progress=False).frame
            assert frame["estimate"].item() == always
        exactly = cs.odds(
            f"wins_game(us) and score(us) = {target}", rules=plain, policy="greedy", hands=200, progress=False
        )
        assert exactly.frame["estimate"].item() > 0

    return check


def check_may_wait(rules: RuleSet, records: list[dict]) -> None:
    """21: with three twos left one may show them or nothing, and play any; where one must, one shows them."""
    rest = [card for card in PACK if card not in ("2h", "2d", "2c", "Qd")]
    piles = f"captured us: {' '.join(rest[:14])}; captured them: {' '.join(rest[14:27])}"
    at = f"table: Qd; me: 2h 2d 2c; {piles}; i am: first; to play: me"
    shown = {f"knock with 2h 2d 2c: leave {card}" for card in ("2h", "2d", "2c")}
    assert choices(rules, at) == shown | {f"show nothing: leave {card}" for card in ("2h", "2d", "2c")}
    assert choices(choose("cirullone", None, (), {"show_bonus": "at_once"}), at) == shown


def check_table_nine(rules: RuleSet, records: list[dict]) -> None:
    """22: 1, 2 or 3 points for a table of 15, 30, or 9 and less, over all tables that are no misdeal."""
    by_hand = mean_table_bonus(rules, lambda total: 3 if total <= 9 else {15: 1, 30: 2}.get(total, 0))
    assert chance("mean(bonus_points(table))", rules, given="not misdeal(table)") == by_hand


def check_above_thirty(rules: RuleSet, records: list[dict]) -> None:
    """23: 1 point below 9 and 2 above 30, over all tables that are no misdeal."""
    by_hand = mean_table_bonus(rules, lambda total: 1 if total < 9 else 2 * (total > 30))
    assert chance("mean(bonus_points(table))", rules, given="not misdeal(table)") == by_hand


def check_ace_or_fifteen(rules: RuleSet, records: list[dict]) -> None:
    """24: with A 3 6 7 on the table an ace takes the ace, or A + 6 + 7, which is 15 with it."""
    assert choices(rules, "table: Ad 3s 6c 7d; me: Ac; to play: me") == {"Ac takes Ad", "Ac takes Ad 7d 6c"}


def check_two_aces(rules: RuleSet, records: list[dict]) -> None:
    """25: no ace or one ace among four cards is no misdeal."""
    assert chance("misdeal(table)", rules) == 1 - Fraction(comb(36, 4) + 4 * comb(36, 3), comb(40, 4))


def check_ten_cards(rules: RuleSet, records: list[dict]) -> None:
    """26: ten cards each and no table; the first play takes nothing; the seven of coins is any card in sets shown."""
    assert all(record["table"] == [] and not plays(record)[0][0]["captured"] for record in records)
    assert all(len(held) == 10 for record in records for held in record["stages"][0]["hands"])
    shown = [play["knock"] for record in records for play, _ in plays(record) if play["knock"]]
    assert any(knock["matta_as"] for knock in shown)
    assert all("7d" in knock["cards"] for knock in shown if knock["matta_as"])


def check_sixes(rules: RuleSet, records: list[dict]) -> None:
    """27: with two sevens each the third six decides; with as many sixes too, the aces."""
    for record in records:
        counts = [[sum(card[0] == rank for card in pile) for rank in "76A5"] for pile in record["piles"]]
        won = [mine == max(counts) and counts.count(mine) == 1 for mine in counts]
        assert [side["primiera"] for side in record["points"]] == won
    assert primiera_at_the_end(rules, "7d 7c 6h 6d 6c", "Kd Qd Jd") == 1
    assert primiera_at_the_end(rules, "7d 7c 6h 6d Ah Ac As", "Kd Qd Jd") == 1
    assert primiera_at_the_end(rules, "7d 7c 6h 6d Ah Ac 5h 5c", "Kd Qd Jd") == 0
    assert primiera_at_the_end(choose("scopa", None, (), {"primiera": "sevens"}), "7d 7c 6h 6d 6c", "Kd Qd Jd") == 0


def check_no_court_cards(rules: RuleSet, records: list[dict]) -> None:
    """28: two sevens, an ace and a jack are 58, less than two sevens, a five and a six."""
    for record in records:
        primes = [best_primes(pile, USUAL | dict.fromkeys("JQK", 0)) for pile in record["piles"]]
        whole = [all(any(card[1] == suit for card in pile) for suit in "hdcs") for pile in record["piles"]]
        totals = [sum(best) if complete else -1 for best, complete in zip(primes, whole, strict=True)]
        won = [total == max(totals) > 0 and totals.count(total) == 1 for total in totals]
        assert [side["primiera"] for side in record["points"]] == won
    ours = "7d 7c 7s Jh"  # 63, or 73; theirs are 21 + 18 + 18 + 15
    assert primiera_at_the_end(rules, ours + " 6s As", "Kd Qd Jd") == 0
    assert primiera_at_the_end(choose("scopa"), ours + " 6s As", "Kd Qd Jd") == 1
    assert primiera_at_the_end(rules, WITHOUT_SIXES, "Kd Qd Jd") == 0


def check_shutout(rules: RuleSet, records: list[dict]) -> None:
    """29: seven points to nothing win the game from far behind; six to nothing, or seven to one, do not."""
    ours = " ".join(card for card in PACK if card not in ("Kh", "Ks", "Qs", "Qh", "Jh"))
    for points, wins in (("3-0", True), ("4-0", True), ("2-0", False), ("3-1", False)):
        at = f"table: Qs; me: Ks; dealer: Kh; captured us: {ours}; captured them: Qh Jh; i am: first; to play: me"
        at += f"; last capture: me; points: {points}; score: 0-10"
        judged = cs.advise(at=at, rules=rules, aim="game", samples=2, progress=False).frame
        assert (judged.filter(quantity="wins_game")["estimate"].item() == 1) == wins
    games = {"rules": replace(rules.fields, target=1000), "policy": "us=careful, them=random", "hands": 300}
    assert cs.odds("ends_by_cappotto", **games).value > 0.9


CHECKS: dict[int, Check | tuple[Check, ...]] = {
    1: check_always, 2: (sweeps_from(1), sweeps_from(4)), 3: check_itself, 4: check_ace_scopa, 5: check_fewest,
    6: check_two_cards, 7: check_three_kings, 9: check_napola, 10: pays_in_all(1, "king of coins"),
    11: pays_in_all(10, "every coin", target=41), 12: check_trente, 13: check_frac, 14: (escoba(0), escoba(1)),
    15: check_fewest_points, 16: check_figures, 17: check_lacking, 18: check_no_cappotto,
    19: (all_diamonds_pay(31), all_diamonds_pay(43)),
    20: (check_target(81), check_target(100), check_target(150)),
    21: check_may_wait, 22: check_table_nine, 23: check_above_thirty, 24: check_ace_or_fifteen, 25: check_two_aces,
    26: check_ten_cards, 27: check_sixes, 28: check_no_court_cards, 29: check_shutout,
}  # fmt: skip
"""By number; several where lines are checked one by one."""


def check_of(number: int, place: int) -> Check:
    checks = CHECKS[number]
    return checks[place] if isinstance(checks, tuple) else checks


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
    check_of(number, place)(rules, records)
    assert [doubt.field for doubt in rules.doubts] == DOUBTED.get(number, [])


@pytest.mark.slow
@pytest.mark.parametrize(("number", "place"), PLAYED)
def test_no_line_can_be_another(number: int, place: int) -> None:
    """Under the same rules with another value somewhere the check by hand fails."""
    for other in neighbours(*LINES[number][place]):
        records = records_of(other)
        try:
            check_of(number, place)(other, records)
        except AssertionError:
            continue
        pytest.fail(f"{other!r} passes as {LINES[number][place]}", pytrace=False)
