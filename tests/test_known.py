"""Deal constraints: parsed, counted as by brute force, and sampled as by rejection sampling."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from asking import bind, simulated
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import cirulla_sim as cs
from cirulla_sim.core.cards import mask, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import deal_hands, game_row_names, play_chunk, play_notes, row_names
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.exact.constrained import chance_of, sets_in, share_not_redealt
from cirulla_sim.exact.families import count_pairs
from cirulla_sim.exact.first_deal import holdings, misdeals, tables
from cirulla_sim.kernel.game.constrained_deal import CONSTRAINTS
from cirulla_sim.questions.known_deals import chance_of_deal, deal_from, known_deal
from cirulla_sim.questions.spaces import Place
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.constraints import DealConstraints
from cirulla_sim.situation.deal_counts import Ways
from cirulla_sim.situation.deal_sampler import sampler_of
from cirulla_sim.situation.notation import Situation

CIRULLA, TWO, CIRULLONE = build("cirulla"), build("cirulla", players=2), build("cirullone")

PATTERNS = {
    "7h": "7h", "K*": "Kh Kd Kc Ks", "*d": "Ad 2d 3d 4d 5d 6d 7d Jd Qd Kd", "Kd": "Kd", "2-3h": "2h 3h",
    "7*": "7h 7d 7c 7s", "re di *": "Kh Kd Kc Ks", "settebello": "7d", "?c": "Ac 2c 3c 4c 5c 6c 7c Jc Qc Kc",
}  # fmt: skip
MEANINGS = {name: mask(parse_many(cards)) for name, cards in PATTERNS.items()} | {"..": (1 << 40) - 1}

SINGLE = ("7h", "Kd", "settebello")


def read(text: str, rules: cs.Rules) -> DealConstraints:
    """The constraints that a text, or none, puts on deals as the dealer sees them."""
    return deal_from(Situation.parse(text) if text else Situation(), rules, rules.players - 1)


def fits(constraints: DealConstraints, decks: np.ndarray) -> np.ndarray:
    """Which deal orders, uint8[n, 40], have what is known, condition by condition."""
    good = np.ones(len(decks), np.bool_)
    place_of = np.repeat(np.arange(len(constraints.sizes)), constraints.sizes)
    for c in constraints.conditions:
        there = np.array([c.places >> place & 1 for place in place_of.tolist()], np.bool_)
        wanted = np.array([c.cards >> card & 1 for card in range(40)], np.bool_)
        number = wanted[decks[:, there]].sum(axis=1)
        good &= (number >= c.low) & (number <= c.high)
    return good


def has_one_of_each(sets: list[int], cards: list[int]) -> bool:
    """Whether some of the cards are one of each set, by trying all orders."""
    return any(
        all(wanted >> card & 1 for wanted, card in zip(sets, some, strict=True))
        for some in permutations(cards, len(sets))
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(list(MEANINGS)), min_size=1, max_size=3), st.integers(0, 10**6))
def test_named_cards_are_distinct(names: list[str], number: int) -> None:
    assume(all(names.count(name) < 2 for name in SINGLE))
    constraints = read(f"me: {', '.join(names)}", CIRULLA)
    held = holdings()[number % 9880]
    others = np.array([card for card in range(40) if card not in held])
    deck = np.concatenate((others[:13], held, others[13:]))  # the dealer's holding is the last of the first stage
    assert fits(constraints, deck[None])[0] == has_one_of_each([MEANINGS[name] for name in names], held.tolist())


@settings(max_examples=12, deadline=None)
@given(*(st.lists(st.sampled_from(list(MEANINGS)), min_size=1, max_size=3) for _ in range(2)), st.booleans())
def test_counted_as_by_going_through_all_holdings(mine: list[str], theirs: list[str], unlike: bool) -> None:
    clauses = f"me: {', '.join(mine)}; {'not ' * unlike}first: {', '.join(theirs)}"
    assume(all([*mine, *theirs].count(name) < 2 for name in SINGLE))
    constraints = read(clauses, CIRULLA)
    every = holdings().tolist()
    good = np.array([has_one_of_each([MEANINGS[name] for name in mine], held) for held in every])
    if unlike:
        wanted = [MEANINGS[name] for name in theirs]
        lacking = [(cards, wanted.count(cards)) for cards in wanted]
        also = [all((mask(held) & cards).bit_count() < n for cards, n in lacking) for held in every]
    else:
        also = [has_one_of_each([MEANINGS[name] for name in theirs], held) for held in every]
    pairs = count_pairs(good.astype(np.int64), 3, np.array(also, np.int64), 3)
    both = int(pairs[1, 1]) if pairs.shape == (2, 2) else int(pairs[-1, -1]) if good.any() and any(also) else 0
    assert chance_of(constraints) == Fraction(both, 9880 * 7770)


@pytest.mark.parametrize(
    ("clauses", "rules", "expected"),
    [
        ("me: matta", CIRULLA, Fraction(3, 40)),
        ("me stage 2: matta", CIRULLA, Fraction(3, 40)),
        ("stock: settebello", CIRULLA, Fraction(24, 40)),
        ("io: tre denari", CIRULLA, Fraction(120, 9880)),
        ("table: exactly two aces", CIRULLA, Fraction(6 * 630, 91390)),
        ("tavola: no kings", CIRULLA, Fraction(58905, 91390)),
        ("not table: K*", CIRULLA, Fraction(58905, 91390)),
        ("table: at most 1 seven", CIRULLA, Fraction(58905 + 4 * 7140, 91390)),
        ("table: no sevens; stock: no sevens", CIRULLA, Fraction(12 * 11 * 10 * 9, 40 * 39 * 38 * 37)),
        ("first: 9 cards", CIRULLONE, Fraction(1)),
        ("me: 4 sevens", CIRULLONE, Fraction(9 * 8 * 7 * 6, 40 * 39 * 38 * 37)),
        ("us: 7h; them: 7d", CIRULLONE, Fraction(18 * 18, 40 * 39)),
    ],
)
def test_known_chances(clauses: str, rules: cs.Rules, expected: Fraction) -> None:
    assert chance_of(read(clauses, rules)) == expected


@pytest.mark.parametrize(
    ("clauses", "rules", "expected"),
    [
        ("somebody: three sevens", CIRULLA, Fraction(4 * 4, 9880)),
        ("qualcuno: matta; table: settebello ..", CIRULLA, Fraction(12 * 4, 40 * 39)),
        ("someone stage 2: 7h", TWO, Fraction(6, 40)),
        ("somebody: at least 1 king", CIRULLA, 1 - Fraction(28 * 27 * 26 * 25, 40 * 39 * 38 * 37)),
    ],
)
def test_somebody_is_any_of_the_seats(clauses: str, rules: cs.Rules, expected: Fraction) -> None:
    assert chance_of_deal(Situation.parse(clauses), rules) == expected
    assert cs.odds(at=clauses, rules=rules).frame["exact"].item() == str(expected)


def test_the_share_of_tables_that_stay() -> None:
    assert share_not_redealt(read("me: K*", CIRULLA), CIRULLA) < 1
    constraints = read("table: 2* 3*", CIRULLA)
    which, times = sets_in(constraints, 0, 4)
    weights = np.array(times, object)[which]
    wanted = [mask(parse_many(f"{r}h {r}d {r}c {r}s")) for r in "23"]
    held = [has_one_of_each(wanted, table) for table in tables().tolist()]
    assert ((weights > 0) == held).all()
    assert len({weight for weight in weights.tolist() if weight}) == 1  # any cards of the others complete it alike
    stays = np.array(held) & ~misdeals(CIRULLA)
    assert share_not_redealt(constraints, CIRULLA) == Fraction(int(stays.sum()), sum(held))


CLAUSES = (
    "me: 7h K* K*; partner: *d; table: 4d 5? ..; not first: A*",
    "everybody: 7*, *d",
    "us: 7d three diamonds; first stage 3: no figures; stock: exactly 1 ace",
    "table: 2* 3* 2-5d; them: at most two sevens",
)


@pytest.mark.parametrize("clauses", CLAUSES)
def test_deals_drawn_have_what_is_known(clauses: str) -> None:
    constraints = read(clauses, CIRULLA)
    decks = deal_hands(CIRULLA, 3, 0, 400, constraints=constraints).decks
    assert fits(constraints, decks).all()
    assert (np.sort(decks, axis=1) == np.arange(40)).all()
    notes = play_notes(Experiment(CIRULLA, ("greedy",), 50, 3, constraints=constraints), 0, 50, ("decks",))
    assert (notes.decks == decks[:50]).all()


def test_deals_are_drawn_as_evenly_as_by_throwing_away() -> None:
    """Where each card lies: of deals drawn, and of ordinary ones that happen to fit."""
    constraints = read("me: *d; not table: 7*; us: at most one ace", CIRULLA)
    every = deal_hands(CIRULLA, 1, 0, 30_000).decks
    thrown = every[fits(constraints, every)]
    expected = float(chance_of(constraints) * share_not_redealt(constraints, CIRULLA) / (1 - Fraction(785, 18278)))
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


def test_each_way_for_the_named_cards_to_lie_is_drawn_as_often_as_it_should() -> None:
    constraints = read("us: exactly two aces; table: *d", CIRULLA)
    ways, decks = Ways(constraints), deal_hands(CIRULLA, 5, 0, 20_000, again=False, constraints=constraints).decks
    aces = (decks[:, 7:10] % 10 == 0).sum(axis=1)  # of the second, the partner, who has none, one or both of two
    weight = [weight_of(constraints, n) for n in range(3)]
    expected = np.array(weight) / sum(weight) * len(decks)
    statistic = float(((np.bincount(aces, minlength=3) - expected) ** 2 / expected).sum())
    assert ways.fitting()
    assert chi2.sf(statistic, 2) > 1e-3


def weight_of(constraints: DealConstraints, number: int) -> int:
    """What the deals weigh in which the second has so many aces."""
    chance = chance_of(read(f"{constraints.text}; second: exactly {number} aces", CIRULLA))
    assert chance is not None
    return int(chance * 10**15)


def test_constraints_have_the_record_size_of_the_kernel() -> None:
    assert sampler_of(read("", CIRULLA)).record.dtype.itemsize == CONSTRAINTS.itemsize


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("barsegon", "me: 7h; table: 7d 7c .."),
        ("quindici", "me: 5* 5*"),
        ("fifteen and matta(first)", "me: 7d; stock: 7s"),
        ("sevens(first) > sevens(second)", "everybody: 7*"),
        ("mean(total(third))", "table: K* K*"),
        ("mean(sevens(dealer, stage 2))", "me: 7h 7d"),
        ("bonus(next) and not misdeal", "me: 7h 7d"),
    ],
)
def test_what_is_counted_is_what_is_drawn(text: str, clauses: str) -> None:
    questions = bind(CIRULLA, [text], Place(CIRULLA, 0, (), constraints=read(clauses, CIRULLA)))
    [counted] = questions.exact()
    assert counted is not None
    result = simulated(questions, 20_000, 7)
    error = max(float(result["std_error"].item()), 1e-9)
    assert abs(result["estimate"].item() - counted["estimate"].item()) < 4 * error


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        ("mee: 7h", "did you mean 'me'?"),
        ("me: 7x", "unknown card '7x'"),
        ("table: barsega", "unknown card 'barsega'"),
        ("me 7h", "valid: PLACE: CARDS"),
        ("me: 7h; table: 7h ..", "7h is named twice"),
        ("everybody: matta", "7h is named twice"),
        ("me: 2h 3h 4h 5h", "4 cards where 3 lie"),
        ("me: 5* 5* 5*; table: 5* 5*", "fits no deal"),
        ("table: A* A*", "every such table is a misdeal"),
        ("me: no", "unknown word 'no'"),
        (" ; ", "says nothing"),
        ("table: 7h", "a position in mid-hand"),
        ("not me: exactly two aces", "'not' goes with cards"),
        ("partner: 7h", "nobody is 'partner' with 3 players"),
        ("stock: " + "A* *d 2* 2-4* *c *h 5-7* 6-J* *s 3-9* 4-6* 2-Q*", "too many"),
        ("me: 7h" * 500, "too long"),
    ],
)
def test_refusals_are_one_line(clauses: str, words: str) -> None:
    rules = build("cirulla", players=3) if clauses.startswith("partner") else CIRULLA
    with pytest.raises(InputError, match=r"^--at") as error:
        known_deal(clauses, rules)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_clauses_may_be_on_separate_lines() -> None:
    assert read("me: 7h\n table:  Ad .. ;", CIRULLA) == read("me: 7h; table: Ad ..", CIRULLA)


def test_a_deal_of_other_rules_is_refused() -> None:
    with pytest.raises(InputError, match="is of other rules"):
        known_deal("me: 7h", CIRULLA, CIRULLONE)


def test_constrained_runs_are_the_same_for_any_threads_and_are_resumed(tmp_path: Path) -> None:
    at = "me: K* K*; table: 2-5d"
    first, second = (
        cs.simulate(players=2, policy="greedy", hands=4_000, at=at, threads=n, progress=False) for n in (1, 3)
    )
    assert first.frame.equals(second.frame)
    assert first.metadata["deal"] == at
    assert "controls" not in first.metadata
    assert f"--at '{at}'" in first.command
    file = tmp_path / "known.parquet"
    cs.simulate(players=2, policy="greedy", hands=1_000, at=at, output=file, progress=False)
    resumed = cs.simulate(players=2, policy="greedy", hands=4_000, at=at, output=file, progress=False)
    assert resumed.frame.equals(first.frame)
    with pytest.raises(InputError, match="at is"):
        cs.simulate(players=2, policy="greedy", hands=5_000, at="me: K*", output=file, progress=False)


def test_rules_are_compared_on_deals_that_have_what_is_known() -> None:
    result = cs.compare(house="table-nine", at="dealer: 7h 7d 7c", policy="greedy", hands=2_000, progress=False)
    assert "seldom" not in result.metadata
    own = cs.simulate(at="dealer: 7h 7d 7c", policy="greedy", hands=2_000, progress=False).frame
    level = result.frame.filter(rules="cirulla", quantity="points", side="all")["estimate"].item()
    assert level == pytest.approx(own.filter(quantity="points", side="all")["estimate"].item())
    assert own.filter(quantity="misdeal")["estimate"].item() > 0


def test_a_hand_of_a_constrained_run_is_shown_by_its_number() -> None:
    shown = cs.hand(number=7, players=2, policy="greedy", at="dealer: 7h 7d 7c").record
    assert set(shown["stages"][0]["hands"][1]) == {"7h", "7d", "7c"}
    _, rows = play_chunk(
        Experiment(TWO, ("greedy",), 8, 1, constraints=known_deal("dealer: 7h 7d 7c", TWO)), 7, 1, rows=True
    )
    assert rows[0][row_names(TWO).index("side1_total")] == shown["points"][1]["total"]


def test_only_the_first_hand_of_a_game_is_constrained() -> None:
    rules = build("cirulla", players=2, changes={"hands_per_game": "2"})
    constraints = known_deal("dealer: 7h 7d 7c", rules)
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
    """Played out the games begin with such hands; whoever deals has the kings."""
    options = {"players": 2, "policy": "us=greedy, them=random", "hands": "20k", "me": me, "progress": False}
    result = cs.games(at=f"score: 38-41; {KINGS}", check="20k", **options)
    chain, played, apart = result.frame["estimate"]
    assert abs(apart) < 4 * result.frame["std_error"][2]
    gain = chain - cs.games(at="score: 38-41", **options).frame["estimate"].item()
    assert min(gain, played - chain + gain) > 0.05 if me == "dealer" else max(gain, played - chain + gain) < -0.05


def test_a_table_of_chances_and_games_compared_begin_with_what_is_known(tmp_path: Path) -> None:
    options = {"players": 2, "policy": "greedy", "hands": "20k", "progress": False}
    table = cs.games(win_table=True, at=KINGS, output=tmp_path / "x.parquet", **options).frame
    for dealer, me in (("us", "dealer"), ("them", "first")):
        first = cs.games(at=f"{KINGS}; score: 38-41", me=me, **options).frame
        at = table.filter(us=38, them=41, dealer=dealer)
        assert at.select("estimate", "ci_low", "ci_high").equals(first.select("estimate", "ci_low", "ci_high"))
    begun = table.filter(us=0, them=0, dealer="us")["estimate"].item()
    games = cs.compare(house="no-matta", games="500", at=KINGS, **options).frame
    assert games.filter(rules="cirulla", quantity="wins_game")["estimate"].item() == begun
