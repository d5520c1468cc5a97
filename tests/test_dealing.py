"""Deals with known cards against rejection sampling: ordinary hands are dealt, and those whose last deal fits are kept.

All seeds are fixed. Each comparison is a two-sample chi-square test over the cells of a joint table, at 1 in 1,000.
With the numbers of hands here, a chance of misdeals that is wrong by a ninth (0.36 instead of 0.32) fails it with a
power above 0.95.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from asking import bind, simulated
from numpy.typing import NDArray
from referee import replay
from scipy.stats import chi2
from test_known import fits, read

import cirulla_sim as cs
from cirulla_sim.core.cards import RANKS, mask, parse, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import deal_hands, play_notes
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.known_cards import most_misdeals, redeals_of
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact import first_deal as cards
from cirulla_sim.exact.constrained import chance_of, chance_of_dealt, check_dealt
from cirulla_sim.exact.first_deal import HandBonus, hand_bonus
from cirulla_sim.kernel.game.hand import MISDEALT, WON_AT_DEAL
from cirulla_sim.questions.known_deals import known_deal
from cirulla_sim.questions.spaces import Place
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.constraints import Condition, DealConstraints, HoldingCondition, holding_place, layout
from cirulla_sim.situation.deal_sampler import sampler_of


def rules_of(preset: str, players: int, **changes: Any) -> cs.Rules:
    return build(preset, players=players, changes={name: str(value) for name, value in changes.items()})


CIRULLA, CIRULLONE = build("cirulla"), build("cirullone")
ONE_ACE = {"misdeal_count": 1}  # a third of the tables are misdeals
BURY = ONE_ACE | {"misdeal_redeal": "table"}
RULES = {
    "two aces": CIRULLA,
    "one ace": rules_of("cirulla", 4, **ONE_ACE),
    "three equal": rules_of("cirulla", 4, misdeal_three_equal="yes", **ONE_ACE),
    "three lose, four equal win": rules_of("cirulla-tournament", 4, **ONE_ACE),
    "scopa, one king": rules_of("scopa", 2, **ONE_ACE),
    "bury, 2": rules_of("cirulla", 2, **BURY),
    "bury, 3": rules_of("cirulla", 3, **BURY),
    "bury, 4": rules_of("cirulla", 4, **BURY),
    "bury, three lose, four equal win": rules_of("cirulla-tournament", 4, **BURY),
    "bury from a small stock": rules_of("cirullone-6-3", 4, **BURY),
}


def dealt(
    rules: cs.Rules, constraints: DealConstraints | None, seed: int, hands: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Deal orders of hands, the number of misdeals of each, and who won at the deal."""
    notes = play_notes(
        Experiment(rules, ("random",) * rules.sides, hands, seed, constraints=constraints), 0, hands, ("decks",)
    )
    return notes.decks, *(notes.deals[:, int(place)].astype(np.int64) for place in (MISDEALT, WON_AT_DEAL))


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


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("clauses", ["dealer: *d; table: no kings", "table: *d; stock: at least 1 ace"])
def test_known_cards_condition_the_whole_process(name: str, clauses: str) -> None:
    rules = RULES[name]
    constraints = known_deal(clauses.replace("table: *d", "table: *c") if "scopa" in name else clauses, rules)
    assert constraints is not None
    decks, *process = dealt(rules, None, 1, 100_000)
    fitting = fits(constraints, decks)
    ordinary = cells(rules, decks, *process)[fitting]
    assert len(ordinary) > 18_000
    assert p_value(cells(rules, *dealt(rules, constraints, 2, 30_000)), ordinary) > 1e-3
    expected = chance_of_dealt(constraints, rules)
    assert (expected is None) == cards.buries(rules)
    if expected is not None:
        chance = float(expected)
        assert abs(fitting.sum() - chance * len(fitting)) < 4 * (chance * (1 - chance) * len(fitting)) ** 0.5


@pytest.mark.parametrize("name", ["three lose, four equal win", "bury, three lose, four equal win"])
def test_a_table_that_seldom_stays_wins_or_loses_as_often_as_it_should(name: str) -> None:
    """Nearly all hands with an ace on the table are lost; the others win at once."""
    rules = RULES[name]
    constraints = read("table: A* *s", rules)
    decks, *process = dealt(rules, None, 3, 300_000)
    fitting = fits(constraints, decks)
    ordinary = cells(rules, decks, *process)[fitting]
    assert 0.9 < (process[1][fitting] == 2).mean() < 1
    assert p_value(cells(rules, *dealt(rules, constraints, 4, 3_000)), ordinary) > 1e-3


@pytest.mark.parametrize("house", ["", "three-equal-misdeal"])
def test_misdeals_are_as_frequent_as_without_known_cards(house: str) -> None:
    rules = build("cirulla", houses=[house] if house else [])
    again = float(cards.misdeals(rules).mean())
    _, misdeals, _ = dealt(rules, read("me: ..", rules), 5, 100_000)
    assert abs((misdeals > 0).mean() - again) < 4 * (again * (1 - again) / 100_000) ** 0.5


def test_known_cards_that_say_nothing_change_nothing_where_tables_are_buried() -> None:
    """Burying a table changes no holding: 12 of 40 cards hold 1.2 aces. They would hold 1.22 in any pack that stays."""
    rules = build("cirulla", houses=["bury-table"])
    for constraints in (None, read("me: ..", rules)):
        decks, *_ = dealt(rules, constraints, 6, 200_000)
        assert abs((decks[:, 4:16] % 10 == 0).sum(axis=1).mean() - 1.2) < 0.008  # four standard errors


@pytest.mark.parametrize("name", [name for name in RULES if "scopa" not in name])
def test_records_of_hands_with_known_cards_are_replayed(name: str) -> None:
    """By the referee; and where tables are buried, each table is dealt from a stock without the one before."""
    rules = RULES[name]
    preset = "cirullone-6-3" if "small" in name else "cirulla"
    experiment = Experiment(
        rules, ("random",) * rules.sides, 60, 7, constraints=read("me: *d; stock: at least 1 ace", rules)
    )
    longest = 0
    for number in range(60):
        record = hand_record(experiment, number, preset)
        replay(record, asdict(rules))
        tables = [*record["misdeals"], *([record["table"]] if record["table"] else [])]
        longest = max(longest, len(tables))
        if cards.buries(rules):
            assert all(not set(a) & set(b) for a, b in pairwise(tables))
    assert longest > (2 if name != "two aces" else 1)


@pytest.mark.parametrize("name", [name for name in RULES if name.startswith("bury")])
def test_no_stock_has_more_misdeals_than_the_bound(name: str) -> None:
    rules = RULES[name]
    record = redeals_of(rules)[0]
    stock = 36 - rules.players * rules.deal_plan[0]
    aces, others = [0, 10, 20, 30], [card for card in range(40) if card % 10]
    sets = np.array(list(combinations(range(40), 4)), np.uint64)
    masks = (np.uint64(1) << sets).sum(axis=1, dtype=np.uint64)
    assert record.most == most_misdeals(rules, stock, sets, masks) < record.sets
    tables = record.tables[: record.misdeals]
    rng = np.random.default_rng(8)
    for _ in range(100):
        ranks = rng.permutation(np.array(others).reshape(4, 9).T).ravel()  # rank by rank, as most are equal so
        some = [*aces[: rng.integers(5)], *ranks][:stock]
        assert (tables & ~np.uint64(sum(1 << int(card) for card in some)) == 0).sum() <= record.most


def test_nothing_is_counted_of_known_cards_where_tables_are_buried() -> None:
    constraints = read("me: 7h", RULES["bury, 4"])
    for rules, counted in ((CIRULLA, True), (RULES["bury, 4"], False)):
        place = Place(rules, 0, ("greedy",) * rules.sides, constraints=constraints)
        for text in ("sevens(first)", "sevens(table) = 2 or sevens(me, stage 2)"):
            assert (bind(rules, [text, "wins(us)"], place).exact()[0] is not None) == counted


@pytest.mark.parametrize(
    ("clauses", "changes"),
    [
        ("table: A* A*", {}),
        ("table: A* A*", {"misdeals_lose": 3}),
        ("table: A* A* A* A*", {"misdeal_redeal": "table"}),
        ("table: A* A* A* A*", {"table_four_equal_wins": "yes"}),
    ],
)
def test_deals_that_are_never_played_are_refused(clauses: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"--at .*: every such table is a misdeal or wins at once"):
        known_deal(clauses, rules_of("cirulla", 4, **changes))


# ------------------------------------------------------------------------------------------------ too much to count


def test_what_is_too_much_to_count_is_sampled() -> None:
    """Some conditions are met by the way of dealing, the others by throwing deals away."""
    constraints = known_deal("everybody: *d; table: no kings", CIRULLA)
    assert constraints is not None
    sampler = sampler_of(constraints)
    assert 0 < sampler.record[0].checks < len(constraints.conditions)
    decks, *process = dealt(CIRULLA, None, 9, 300_000)
    fitting = fits(constraints, decks)
    drawn, *drawn_process = dealt(CIRULLA, constraints, 10, 50_000)
    assert fits(constraints, drawn).all()
    assert p_value(cells(CIRULLA, drawn, *drawn_process), cells(CIRULLA, decks, *process)[fitting]) > 1e-3
    counted = chance_of(constraints)
    assert counted is not None
    assert sampler.chance == pytest.approx(float(counted), rel=0.05)


def test_conditions_on_many_places_are_sampled() -> None:
    clauses = "everybody: 2-5*, *d; everybody stage 2: 3-7* *h; everybody stage 3: *c"
    constraints = known_deal(clauses, CIRULLA)
    assert constraints is not None
    assert chance_of(constraints) is None
    assert fits(constraints, deal_hands(CIRULLA, 1, 0, 500, constraints=constraints).decks).all()


def test_what_is_too_rare_to_be_sampled_is_refused() -> None:
    every = np.arange(9880) == 0
    two = [HoldingCondition(holding_place(CIRULLONE, 0, seat), every.tobytes()) for seat in (0, 1)]
    with pytest.raises(InputError, match="--at 'x'"):
        sampler_of(DealConstraints("x", (), layout(CIRULLONE), tuple(two)))


# ------------------------------------------------------------------------------------------------ holdings

BONUS, _ = hand_bonus(CIRULLA)
LOW = (BONUS == HandBonus.LOW) | (BONUS == HandBonus.LOW_NO_ACE)
TRIPLE = BONUS == HandBonus.TRIPLE
NONE = BONUS == HandBonus.NONE


def with_holdings(clauses: str, rules: cs.Rules, *held: tuple[int, NDArray[np.bool_], bool]) -> DealConstraints:
    """The clauses, and of the first holdings of some seats that some three of the cards, or none, are in a list."""
    holdings = [HoldingCondition(holding_place(rules, 0, seat), sets.tobytes(), some) for seat, sets, some in held]
    return replace(read(clauses, rules), holdings=tuple(holdings))


def has(rules: cs.Rules, constraints: DealConstraints, decks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which deal orders have holdings as is known, set by set."""
    good, starts = fits(constraints, decks), np.cumsum([0, *constraints.sizes])
    listed = {
        holding: {tuple(row) for row in cards.holdings()[np.frombuffer(holding.sets, np.bool_)].tolist()}
        for holding in constraints.holdings
    }
    for number in np.flatnonzero(good).tolist():
        for holding, sets in listed.items():
            at = starts[holding.place]
            held = set(decks[number, at : at + constraints.sizes[holding.place]].tolist())
            held = sorted(held | {card for card in range(40) if holding.beside >> card & 1})
            good[number] &= any(three in sets for three in combinations(held, 3)) == holding.some
    return good


HELD: dict[str, tuple[cs.Rules, DealConstraints]] = {
    "a low holding": (CIRULLA, with_holdings("table: no kings; partner: *d", CIRULLA, (3, LOW, True))),
    "two holdings": (CIRULLA, with_holdings("me: *d", CIRULLA, (3, NONE, False), (0, LOW, True))),
    "of nine cards": (CIRULLONE, with_holdings("table: no kings", CIRULLONE, (3, LOW, False), (0, TRIPLE, True))),
    "misdeals": (
        RULES["bury, 4"],
        with_holdings("table: no kings", RULES["bury, 4"], (3, ~LOW, True), (1, NONE, True)),
    ),
}
HELD["with cards beside"] = (
    CIRULLA,
    replace(
        read("me: *d", CIRULLA), holdings=(HoldingCondition(4, TRIPLE.tobytes(), beside=mask(parse_many("7h 2s"))),)
    ),
)
COUNTED = ("a low holding", "two holdings", "misdeals")


@pytest.mark.parametrize("name", HELD)
def test_holdings_are_as_is_known_and_all_else_as_by_rejection(name: str) -> None:
    rules, constraints = HELD[name]
    check_dealt(constraints, rules)
    drawn, *process = dealt(rules, constraints, 11, 20_000)
    assert has(rules, constraints, drawn[:2_000]).all()
    decks, *ordinary = dealt(rules, None, 12, 150_000)
    fitting = has(rules, constraints, decks)
    assert fitting.sum() > 500
    assert p_value(cells(rules, drawn, *process), cells(rules, decks, *ordinary)[fitting]) > 1e-3


def test_holdings_drawn_from_lists_are_drawn_evenly() -> None:
    """Everybody holds three equal: 1 in 130 million deals, of which as many by symmetry for every rank and seat."""
    constraints = with_holdings("", CIRULLA, *((seat, TRIPLE, True) for seat in range(4)))
    check_dealt(constraints, CIRULLA)
    assert chance_of(constraints) is None
    decks, *_ = deal_hands(CIRULLA, 13, 0, 20_000, again=False, constraints=constraints)
    held = decks[:, 4:16].reshape(-1, 4, 3)
    assert has(CIRULLA, constraints, decks[:1_000]).all()
    counts = np.array([np.bincount(held[:, :, at].ravel(), minlength=40) for at in range(3)])  # in each place alike
    expected = counts.mean(axis=0)
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), 2 * 40) > 1e-3
    rest = np.concatenate([decks[:, :4], decks[:, 16:]], axis=1)
    kings = (rest % 10 == 9).sum(axis=1)
    alike = (rest % 10 == 8).sum(axis=1)
    assert abs(kings.mean() - alike.mean()) < 4 * (kings.var() * 2 / len(kings)) ** 0.5


@pytest.mark.parametrize("name", HELD)
def test_chances_of_holdings_are_counted(name: str) -> None:
    """Against the deals thrown away, which is another way to know them."""
    _, constraints = HELD[name]
    counted = chance_of(constraints)
    assert (counted is not None) == (name in COUNTED)
    if counted is not None:
        assert sampler_of(constraints).chance == pytest.approx(float(counted), rel=0.1)


def test_chances_of_holdings_by_hand() -> None:
    assert chance_of(with_holdings("", CIRULLA, (3, TRIPLE, True))) == Fraction(int(TRIPLE.sum()), 9880)
    settebello = read("me: 7d", CIRULLA).conditions
    barsegon = with_holdings("", CIRULLA, (3, TRIPLE, True))
    with_seven = mask(parse_many("7d"))
    sevens = [TRIPLE[i] and 16 in row for i, row in enumerate(cards.holdings().tolist())]
    assert with_seven == 1 << 16
    assert chance_of(replace(barsegon, conditions=settebello)) == Fraction(sum(sevens), 9880)
    assert chance_of(replace(barsegon, conditions=(Condition(1 << barsegon.holdings[0].place, 1, 2, 3),))) == 0


@pytest.mark.parametrize("text", ["barsegon", "quindici", "fifteen and matta(first)", "sevens(table) = 1"])
def test_questions_about_known_holdings_are_counted(text: str) -> None:
    constraints = with_holdings("table: *d", CIRULLA, (0, LOW, True))
    questions = bind(CIRULLA, [text], Place(CIRULLA, 0, (), constraints=constraints))
    [counted] = questions.exact()
    assert counted is not None
    result = simulated(questions, 20_000, 14)
    error = max(float(result["std_error"].item()), 1e-9)
    assert abs(result["estimate"].item() - counted["estimate"].item()) < 4 * error
