"""Deals with known cards: counted as by going through all deals, and dealt as by rejection sampling.

Ordinary hands are dealt, and those whose last deal fits are kept. All seeds are fixed. Comparisons are two-sample
chi-square tests over the cells of a joint table, at 1 in 1,000. With the numbers of hands here, a chance of misdeals
that is wrong by a ninth (0.36 instead of 0.32) fails them with a power above 0.95.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import oracle
import pytest
from asking import bind, simulated
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from referee.replay import replay
from scipy.stats import chi2

import cirulla_sim as cs
from cirulla_sim.core.cards import RANKS, mask, parse, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import deal_hands, game_row_names, play_chunk, play_notes, row_names
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.exact import first_deal as cards
from cirulla_sim.exact.constrained import chance_of, chance_of_dealt, check_dealt
from cirulla_sim.exact.sums import count_pairs
from cirulla_sim.questions.binding import Place
from cirulla_sim.questions.known_deals import deal_from, known_deal, possible_seats
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.constraints import Condition, DealConstraints, HoldingCondition, holding_place, layout
from cirulla_sim.situation.deal_sampler import sampler_of
from cirulla_sim.situation.notation import Situation

CIRULLA, TWO, CIRULLONE = build("cirulla"), build("cirulla", players=2), build("cirullone")
GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}


def read(text: str, rules: cs.Rules) -> DealConstraints:
    """The constraints that a text, or none, puts on deals as the dealer sees them."""
    return deal_from(Situation.parse(text) if text else Situation(), rules, rules.players - 1)


def chance(at: str, rules: cs.Rules = CIRULLA) -> Fraction:
    s = Situation.parse(at)
    return chance_of(deal_from(s, rules, possible_seats(s, rules)[0]))


def fits(constraints: DealConstraints, decks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which deal orders, uint8[n, 40], have what is known, condition by condition."""
    good = np.ones(len(decks), np.bool_)
    place_of = np.repeat(np.arange(len(constraints.sizes)), constraints.sizes)
    for c in constraints.conditions:
        there = np.array([c.places >> place & 1 for place in place_of.tolist()], np.bool_)
        wanted = np.array([c.cards >> card & 1 for card in range(40)], np.bool_)
        number = wanted[decks[:, there]].sum(axis=1)
        good &= (number >= c.low) & (number <= c.high)
    return good


PATTERNS = {
    "7h": "7h", "K*": "Kh Kd Kc Ks", "*d": "Ad 2d 3d 4d 5d 6d 7d Jd Qd Kd", "Kd": "Kd", "2-3h": "2h 3h",
    "7*": "7h 7d 7c 7s", "re di *": "Kh Kd Kc Ks", "settebello": "7d", "?c": "Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc",
}  # fmt: skip
MEANINGS = {name: mask(parse_many(cards)) for name, cards in PATTERNS.items()} | {"..": (1 << 40) - 1}
SINGLE = ("7h", "Kd", "settebello")


def has_one_of_each(sets: list[int], held: list[int]) -> bool:
    """Whether some of the cards are one of each set, by trying all orders."""
    return any(
        all(wanted >> card & 1 for wanted, card in zip(sets, some, strict=True))
        for some in permutations(held, len(sets))
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(list(MEANINGS)), min_size=1, max_size=3), st.integers(0, 9879))
def test_named_cards_are_distinct(names: list[str], number: int) -> None:
    assume(all(names.count(name) < 2 for name in SINGLE))
    constraints = read(f"me: {', '.join(names)}", CIRULLA)
    held = oracle.sets_of(3)[number]
    others = np.array([card for card in range(40) if card not in held])
    deck = np.concatenate((others[:13], held, others[13:]))  # the dealer's holding is the last of the first stage
    assert fits(constraints, deck[None])[0] == has_one_of_each([MEANINGS[name] for name in names], held.tolist())


@settings(max_examples=10, deadline=None)
@given(*(st.lists(st.sampled_from(list(MEANINGS)), min_size=1, max_size=3) for _ in range(2)), st.booleans())
def test_counted_as_by_going_through_all_holdings(mine: list[str], theirs: list[str], unlike: bool) -> None:
    assume(all([*mine, *theirs].count(name) < 2 for name in SINGLE))
    constraints = read(f"me: {', '.join(mine)}; {'not ' * unlike}first: {', '.join(theirs)}", CIRULLA)
    every, wanted = oracle.sets_of(3).tolist(), [MEANINGS[name] for name in theirs]
    good = np.array([has_one_of_each([MEANINGS[name] for name in mine], held) for held in every])
    if unlike:
        also = [all((mask(held) & some).bit_count() < wanted.count(some) for some in wanted) for held in every]
    else:
        also = [has_one_of_each(wanted, held) for held in every]
    pairs = count_pairs(good.astype(np.int64), 3, np.array(also, np.int64), 3)
    both = int(pairs[1, 1]) if pairs.shape == (2, 2) else int(pairs[-1, -1]) if good.any() and any(also) else 0
    assert chance_of(constraints) == Fraction(both, 9880 * 7770)


@pytest.mark.parametrize(
    ("clauses", "rules", "expected"),
    [
        ("me stage 2: matta", CIRULLA, Fraction(3, 40)),
        ("stock: settebello", CIRULLA, Fraction(24, 40)),
        ("table: exactly two aces", CIRULLA, Fraction(6 * 630, 91390)),
        ("not table: K*", CIRULLA, Fraction(58905, 91390)),
        ("table: at most 1 seven", CIRULLA, Fraction(58905 + 4 * 7140, 91390)),
        ("table: no sevens; stock: no sevens", CIRULLA, Fraction(12 * 11 * 10 * 9, 40 * 39 * 38 * 37)),
        ("us: 7h; them: 7d", CIRULLONE, Fraction(18 * 18, 40 * 39)),
        ("somebody: three sevens", CIRULLA, Fraction(4 * 4, 9880)),
        ("someone stage 2: 7h", TWO, Fraction(6, 40)),
        ("somebody: at least 1 king", CIRULLA, 1 - Fraction(28 * 27 * 26 * 25, 40 * 39 * 38 * 37)),
    ],
)
def test_known_chances(clauses: str, rules: cs.Rules, expected: Fraction) -> None:
    assert chance(clauses, rules) == expected


def test_the_matta_is_the_card_of_the_rules() -> None:
    for house, card in (("queen-matta", "Qh"), ((), "7h")):
        assert cs.odds(f"holds({card})", at="me: matta", house=house).frame["estimate"].item() == 1
    with pytest.raises(cs.InputError, match="no card is the matta under these rules"):
        cs.odds("aces", rules="scopa", at="me: matta")


def test_conditions_on_holdings_are_those_of_questions() -> None:
    barsega, sevens = oracle.values(CIRULLA, "barsega") > 0, oracle.values(CIRULLA, "sevens")
    assert chance("me: barsega, no sevens") == oracle.mean(barsega & (sevens == 0))
    assert chance("partner: not accuso") == oracle.mean(oracle.values(CIRULLA, "bonus") == 0)
    compared = {">=": sevens >= 2, ">": sevens > 2, "<=": sevens <= 2, "<": sevens < 2, "=": sevens == 2}
    for sign, holds in compared.items():
        assert chance(f"next: sevens {sign} 2") == chance(f"next: total < 99, sevens {sign} 2") == oracle.mean(holds)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("barsegon", "me: 7h; table: 7d 7c .."),
        ("fifteen and matta(first)", "me: 7d; stock: 7s"),
        ("sevens(first) > sevens(second)", "everybody: 7*"),
        ("bonus(next) and not misdeal", "me: 7h 7*; table: no kings"),
        ("sevens(table) = 1", "table: *d; me: barsega"),
    ],
)
def test_what_is_counted_is_what_is_drawn(text: str, clauses: str) -> None:
    """Of conditions that leave cards open, for which there is no short enumeration: 4 standard errors."""
    questions = bind(CIRULLA, [text], Place(CIRULLA, 0, (), constraints=read(clauses, CIRULLA)))
    [counted] = questions.exact()
    assert counted is not None
    result = simulated(questions, 20_000, 7)
    error = max(float(result["std_error"].item()), 1e-9)
    assert abs(result["estimate"].item() - counted["estimate"].item()) < 4 * error


NEVER = "every such table is a misdeal"


@pytest.mark.parametrize(
    ("clauses", "words", "changes"),
    [
        ("me: 7h; table: 7h ..", "7h is named twice", {}),
        ("everybody: matta", "7h is named twice", {}),
        ("me: 2h 3h 4h 5h", "4 cards where 3 lie", {}),
        ("me: 5* 5* 5*; table: 5* 5*", "fits no deal", {}),
        ("table: A* A*", NEVER, {}),
        ("table: A* A* A* A*", NEVER, {"misdeal_redeal": "table"}),
        ("table: A* A* A* A*", f"{NEVER} or wins at once", {"table_four_equal_wins": "yes"}),
        ("table: 7h", "no table as it is dealt", {}),
        ("partner: 7h", "nobody is 'partner' with 3 players", {"players": 3, "partnership": False}),
        ("stock: " + "A* *d 2* 2-4* *c *h 5-7* 6-J* *s 3-9* 4-6* 2-Q*", "too many", {}),
    ],
)
def test_refusals_are_one_line(clauses: str, words: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^--at") as error:
        known_deal(clauses, build("cirulla", changes=changes))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def rules_of(preset: str, players: int, **changes: Any) -> cs.Rules:
    return build(preset, players=players, changes={name: str(value) for name, value in changes.items()})


ONE_ACE = {"misdeal_count": 1}  # a third of the tables are misdeals
BURY = ONE_ACE | {"misdeal_redeal": "table"}
RULES = {
    "two aces": CIRULLA,
    "one ace": rules_of("cirulla", 4, **ONE_ACE),
    "three equal": rules_of("cirulla", 4, misdeal_three_equal="yes", **ONE_ACE),
    "three lose, four equal win": rules_of("cirulla-tournament", 4, **ONE_ACE),
    "scopa, one king": rules_of("scopa", 2, **ONE_ACE),
    "bury, 2": rules_of("cirulla", 2, **BURY),
    "bury, 4": rules_of("cirulla", 4, **BURY),
    "bury, three lose, four equal win": rules_of("cirulla-tournament", 4, **BURY),
    "bury from a small stock": rules_of("cirullone-6-3", 4, **BURY),
}
Dealt = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
"""Deal orders of hands, the number of misdeals of each, and who won at the deal."""


@cache
def dealt(rules: cs.Rules, constraints: DealConstraints | None, seed: int, hands: int) -> Dealt:
    hands_dealt = deal_hands(rules, seed, 0, hands, constraints=constraints)
    return hands_dealt.decks, *(np.asarray(each, np.int64) for each in (hands_dealt.misdeals, hands_dealt.decided))


def cells(
    rules: cs.Rules, decks: NDArray[np.uint8], misdeals: NDArray[np.int64], won: NDArray[np.int64]
) -> NDArray[np.int64]:
    """A number for each hand: misdeals, who won, where cards of the misdeal rank lie, and where the settebello lies."""
    ranked = decks % 10 == RANKS.index(rules.misdeal_rank)
    held = 4 + rules.players * rules.deal_plan[0]
    settebello = (decks == parse("7d")).argmax(axis=1)
    digits = [np.minimum(misdeals, 4), won, ranked[:, :4].sum(axis=1), ranked[:, 4:held].sum(axis=1),
              np.searchsorted([4, held], settebello, side="right")]  # fmt: skip
    return np.asarray(np.array(digits).T @ 5 ** np.arange(5))


def p_value(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Of the hypothesis that two samples of cells have one distribution; cells expected fewer than 5 times are one."""
    counts = np.array([np.bincount(cells, minlength=5**5) for cells in (first, second)], float)
    expected = counts.sum(axis=0) * min(len(first), len(second)) / (len(first) + len(second))
    few = expected < 5
    counts = np.column_stack([counts[:, ~few], counts[:, few].sum(axis=1)])
    counts = counts[:, counts.any(axis=0)]
    ratio = (len(second) / len(first)) ** 0.5
    statistic = ((counts[0] * ratio - counts[1] / ratio) ** 2 / counts.sum(axis=0)).sum()
    return float(chi2.sf(statistic, counts.shape[1] - 1))


PROCESSES = ("dealer: *d; table: no kings", "table: *d; stock: at least 1 ace")
SELDOM = "table: A* *s"
"""A table that seldom stays: nearly all hands with an ace on the table are lost, the others win at once."""


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        *((name, PROCESSES[number % 2]) for number, name in enumerate(RULES)),
        *(pytest.param(name, PROCESSES[1 - number % 2], marks=pytest.mark.slow) for number, name in enumerate(RULES)),
        *((name, SELDOM) for name in RULES if "four equal win" in name),
    ],
)
def test_known_cards_condition_the_whole_process(name: str, clauses: str) -> None:
    rules, seldom = RULES[name], clauses == SELDOM
    constraints = read(clauses.replace("table: *d", "table: *c") if "scopa" in name else clauses, rules)
    decks, *process = dealt(rules, None, 1, 300_000 if seldom else 100_000)
    fitting = fits(constraints, decks)
    ordinary = cells(rules, decks, *process)[fitting]
    assert len(ordinary) > (1_000 if seldom else 18_000)
    number = 3_000 if seldom else 10_000 if "small" in name else 30_000
    assert p_value(cells(rules, *dealt(rules, constraints, 2, number)), ordinary) > 1e-3
    expected = chance_of_dealt(constraints, rules)
    assert (expected is None) == cards.buries(rules)
    if expected is not None:
        chance = float(expected)
        assert abs(fitting.sum() - chance * len(fitting)) < 4 * (chance * (1 - chance) * len(fitting)) ** 0.5


@pytest.mark.parametrize("name", [name for name in RULES if "scopa" not in name])
def test_records_of_hands_with_known_cards_are_replayed(name: str) -> None:
    """By the referee; and where tables are buried, each table is dealt from a stock without the one before."""
    rules = RULES[name]
    preset = "cirullone-6-3" if "small" in name else "cirulla"
    constraints = read("me: *d; stock: at least 1 ace", rules)
    experiment, longest = Experiment(rules, ("random",) * rules.sides, 30, 7, constraints=constraints), 0
    for number in range(30):
        record = hand_record(experiment, number, preset)
        replay(record, asdict(rules))
        tables = [*record["misdeals"], *([record["table"]] if record["table"] else [])]
        longest = max(longest, len(tables))
        assert not cards.buries(rules) or all(not set(a) & set(b) for a, b in pairwise(tables))
    assert longest > 2 or name == "two aces"


CLAUSES = (
    "me: 7h K* K*; partner: *d; table: 4d 5? ..; not first: A*",
    "everybody: 7*, *d",
    "us: 7d three diamonds; first stage 3: no figures; stock: exactly 1 ace",
    "table: 2* 3* 2-5d; them: at most two sevens",
    "everybody: 2-5*, *d; everybody stage 2: 3-7* *h; everybody stage 3: *c",  # too much to count
)


@pytest.mark.parametrize("clauses", [*CLAUSES[:-1], pytest.param(CLAUSES[-1], marks=pytest.mark.slow)])
def test_deals_drawn_have_what_is_known(clauses: str) -> None:
    constraints = read(clauses, CIRULLA)
    decks = deal_hands(CIRULLA, 3, 0, 400, constraints=constraints).decks
    assert fits(constraints, decks).all()
    assert (np.sort(decks, axis=1) == np.arange(40)).all()
    notes = play_notes(Experiment(CIRULLA, ("greedy",), 50, 3, constraints=constraints), 0, 50, ("decks",))
    assert (notes.decks == decks[:50]).all()
    assert (chance_of(constraints) is None) == (clauses == CLAUSES[-1])


def test_deals_are_drawn_as_evenly_as_by_throwing_away() -> None:
    """Where each card lies: of deals drawn, and of ordinary ones that happen to fit."""
    constraints = read("me: *d; not table: 7*; us: at most one ace", CIRULLA)
    every = deal_hands(CIRULLA, 1, 0, 30_000).decks
    thrown = every[fits(constraints, every)]
    expected = float(chance_of_dealt(constraints, CIRULLA))
    assert abs(len(thrown) - expected * 30_000) < 4 * (30_000 * expected) ** 0.5
    drawn = deal_hands(CIRULLA, 2, 0, len(thrown), constraints=constraints).decks
    ends = np.searchsorted(np.cumsum(constraints.sizes), np.arange(40), side="right")  # the place of each card dealt
    for where in (ends, np.arange(40) % 3):  # in which place, and where in it
        many = where.max() + 1
        counts = [np.bincount((decks * many + where).ravel(), minlength=40 * many) for decks in (drawn, thrown)]
        a, b = (count.reshape(40, many).astype(float) for count in counts)
        seen = a + b > 0
        statistic = float(((a - b)[seen] ** 2 / (a + b)[seen]).sum())
        assert chi2.sf(statistic, int(seen.sum()) - 40) > 1e-3


LOW, TRIPLE = oracle.values(CIRULLA, "barsega") > 0, oracle.values(CIRULLA, "barsegon") > 0
NONE, SEVENS_HELD = ~(LOW | TRIPLE), oracle.values(CIRULLA, "sevens") > 0


def with_holdings(clauses: str, rules: cs.Rules, *held: tuple[int, NDArray[np.bool_], bool]) -> DealConstraints:
    """The clauses, and of the first holdings of some seats that some three of the cards, or none, are in a list."""
    holdings = [HoldingCondition(holding_place(rules, 0, seat), sets.tobytes(), some) for seat, sets, some in held]
    return replace(read(clauses, rules), holdings=tuple(holdings))


def has(constraints: DealConstraints, decks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which deal orders have holdings as is known, set by set."""
    good, starts = fits(constraints, decks), np.cumsum([0, *constraints.sizes])
    listed = {
        holding: {tuple(row) for row in oracle.sets_of(3)[np.frombuffer(holding.sets, np.bool_)].tolist()}
        for holding in constraints.holdings
    }
    for number in np.flatnonzero(good).tolist():
        for holding, sets in listed.items():
            at = starts[holding.place]
            held = set(decks[number, at : at + constraints.sizes[holding.place]].tolist())
            held = sorted(held | {card for card in range(40) if holding.beside >> card & 1})
            good[number] &= any(three in sets for three in combinations(held, 3)) == holding.some
    return good


BURY_FOUR = RULES["bury, 4"]
HELD: dict[str, tuple[cs.Rules, DealConstraints]] = {
    "a low holding": (CIRULLA, with_holdings("table: no kings; partner: *d", CIRULLA, (3, LOW, True))),
    "two holdings": (CIRULLA, with_holdings("me: *d", CIRULLA, (3, NONE, False), (0, LOW, True))),
    "two lists of a holding": (CIRULLA, with_holdings("table: *d", CIRULLA, (3, LOW, True), (3, SEVENS_HELD, False))),
    "of nine cards": (CIRULLONE, with_holdings("table: no kings", CIRULLONE, (3, LOW, False), (0, TRIPLE, True))),
    "misdeals": (BURY_FOUR, with_holdings("table: no kings", BURY_FOUR, (3, ~LOW, True), (1, NONE, True))),
}
BESIDE = HoldingCondition(4, TRIPLE.tobytes(), beside=mask(parse_many("7h 2s")))
HELD["with cards beside"] = (CIRULLA, replace(read("me: *d", CIRULLA), holdings=(BESIDE,)))


@pytest.mark.parametrize("name", HELD)
def test_holdings_are_as_is_known_and_all_else_as_by_rejection(name: str) -> None:
    """And their chance, where it is counted, agrees with the share of deals thrown away."""
    rules, constraints = HELD[name]
    check_dealt(constraints, rules)
    drawn, *process = dealt(rules, constraints, 11, 10_000)
    assert has(constraints, drawn[:1_000]).all()
    decks, *ordinary = dealt(rules, None, 1, 60_000)
    fitting = has(constraints, decks)
    assert fitting.sum() > 200
    assert p_value(cells(rules, drawn, *process), cells(rules, decks, *ordinary)[fitting]) > 1e-3
    counted = chance_of(constraints)
    assert (counted is not None) == (name not in ("of nine cards", "with cards beside"))
    if counted is not None:
        assert sampler_of(constraints).chance == pytest.approx(float(counted), rel=0.1)


def test_holdings_drawn_from_lists_are_drawn_evenly() -> None:
    """Everybody holds three equal: 1 in 130 million deals, of which as many by symmetry for every rank and seat."""
    constraints = with_holdings("", CIRULLA, *((seat, TRIPLE, True) for seat in range(4)))
    check_dealt(constraints, CIRULLA)
    assert chance_of(constraints) is None
    decks = deal_hands(CIRULLA, 13, 0, 20_000, again=False, constraints=constraints).decks
    held = decks[:, 4:16].reshape(-1, 4, 3)
    assert has(constraints, decks[:1_000]).all()
    counts = np.array([np.bincount(held[:, :, at].ravel(), minlength=40) for at in range(3)])  # in each place alike
    expected = counts.mean(axis=0)
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), 2 * 40) > 1e-3


def test_chances_of_holdings_by_hand() -> None:
    barsegon = with_holdings("", CIRULLA, (3, TRIPLE, True))
    assert chance_of(barsegon) == Fraction(int(TRIPLE.sum()), 9880)
    settebello = read("me: 7d", CIRULLA).conditions
    sevens = TRIPLE & oracle.values(CIRULLA, "settebello")
    assert chance_of(replace(barsegon, conditions=settebello)) == Fraction(int(sevens.sum()), 9880)
    assert chance_of(replace(barsegon, conditions=(Condition(1 << barsegon.holdings[0].place, 1, 2, 3),))) == 0


def holdings_dealt(at: str, hands: int) -> NDArray[np.uint64]:
    """The first holdings of deals that have what is known, as masks: uint64[hands, players]."""
    decks = deal_hands(CIRULLA, 1, 0, hands, constraints=known_deal(at, CIRULLA)).decks
    starts = np.cumsum([0, *layout(CIRULLA)])
    places = [starts[holding_place(CIRULLA, 0, seat)] for seat in range(4)]
    return np.stack([oracle.bits(decks[:, at : at + 3]) for at in places], axis=1)


def test_where_one_sits_is_any_seat() -> None:
    """Three sevens, of somebody who may sit anywhere, lie in each holding equally often."""
    sevens = np.uint64(mask(parse_many("7h 7d 7c")))
    held = holdings_dealt("me: 7h 7d 7c", 4000) == sevens
    assert held.sum() == 4000
    counts = held.sum(axis=0)
    assert chi2.sf(float(((counts - 1000) ** 2 / 1000).sum()), 3) > 1e-3
    assert (holdings_dealt("me: 7h 7d 7c; i am: dealer", 200) == sevens)[:, 3].all()
    assert (holdings_dealt("partner: 7h 7d 7c; i am: dealer", 200) == sevens)[:, 1].all()


def test_somebody_is_at_least_one() -> None:
    """Who holds two kings, given that somebody does: each as often as by the exact chances, two at once too."""
    hands, kings = 20_000, np.uint64(mask(parse_many("Kh Kd Kc Ks")))
    held = np.bitwise_count(holdings_dealt("somebody: K* K*", hands) & kings) >= 2
    assert held.any(axis=1).all()
    some, one = chance("somebody: K* K*"), chance("first: K* K*")
    both = chance("first: K* K*; second: K* K*")
    expected = np.array([float(one / some)] * 4) * hands
    assert (np.abs(held.sum(axis=0) - expected) < 4 * expected**0.5).all()
    pairs = (held.sum(axis=1) == 2).sum()
    assert abs(pairs - float(6 * both / some) * hands) < 4 * (float(6 * both / some) * hands) ** 0.5 + 1


SEVENS = "dealer: 7h 7d 7c"


def test_rules_are_compared_on_deals_that_have_what_is_known() -> None:
    result = cs.compare(house="table-nine", at=SEVENS, hands=2_000, **GREEDY)
    assert "seldom" not in result.metadata
    own = cs.simulate(at=SEVENS, hands=2_000, **GREEDY).frame
    level = result.frame.filter(rules="cirulla", quantity="points", side="all")["estimate"].item()
    assert level == pytest.approx(own.filter(quantity="points", side="all")["estimate"].item())
    assert own.filter(quantity="misdeal")["estimate"].item() > 0


def test_a_hand_of_a_constrained_run_is_shown_by_its_number() -> None:
    shown = cs.hand(number=7, players=2, policy="greedy", at=SEVENS).record
    assert set(shown["stages"][0]["hands"][1]) == {"7h", "7d", "7c"}
    experiment = Experiment(TWO, ("greedy",), 8, 1, constraints=known_deal(SEVENS, TWO))
    _, rows = play_chunk(experiment, 7, 1, rows=True)
    assert rows[0][row_names(TWO).index("side1_total")] == shown["points"][1]["total"]


def test_only_the_first_hand_of_a_game_is_constrained() -> None:
    rules = build("cirulla", players=2, changes={"hands_per_game": "2"})
    constraints = known_deal(SEVENS, rules)
    _, games = Games(rules, ("greedy",), 20, 1, constraints=constraints).play(0, 20, rows=True)
    total = row_names(rules).index("side0_total"), row_names(rules).index("side1_total")
    checked = 0
    for number, row in enumerate(games):
        if row[0] != 2:  # hands, see kernel.game.games.ROW
            continue
        first, second = (
            play_chunk(Experiment(rules, ("greedy",), 1, 1, constraints=first), (number << 16) + at, 1, rows=True)[1][0]
            for at, first in enumerate((constraints, None))
        )
        points = row[[game_row_names(rules).index(f"side{side}_points") for side in range(2)]]
        assert points.sum() == sum(int(hand[at]) for hand in (first, second) for at in total)
        checked += 1
    assert checked


KINGS = "dealer: three kings; table: 2c 3c 4d 6s"


@pytest.mark.parametrize("me", ["dealer", "first"])
def test_the_chain_of_scores_begins_with_what_is_known(me: str) -> None:
    """As games do that are played from there; whoever deals has the kings."""
    options: dict[str, Any] = {"players": 2, "policy": "us=greedy, them=random", "me": me, "progress": False}
    at = f"score: 38-41; {KINGS}"
    frames = cs.games(at=at, hands="4k", **options).frame, cs.odds("wins_game(us)", at=at, hands="4k", **options).frame
    chain, played = (frame["estimate"].item() for frame in frames)
    assert abs(chain - played) < 4 * np.hypot(*(frame["std_error"].item() for frame in frames))
    gain = chain - cs.games(at="score: 38-41", hands="4k", **options).frame["estimate"].item()
    assert min(gain, played - chain + gain) > 0.05 if me == "dealer" else max(gain, played - chain + gain) < -0.05
