"""Two piles of given sizes: the features against the referee, the counts against all pairs of piles and random ones."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from math import comb

import numpy as np
import polars as pl
import pytest
from referee import primiera_total, score
from referee.cards import PACK
from referee.questions import FUNCTIONS

from cirulla_sim.core.cards import mask, parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.exact.first_deal import combinations
from cirulla_sim.exact.piles import ALL, CAPTURED, CONTESTS, compared, contest, of_pile, pile_cases
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

CIRULLA = build("cirulla")
SEVENS, DIAMONDS, SETTEBELLO = (
    f"{CAPTURED}{mask}" for mask in (sum(1 << card for card in range(6, 40, 10)), 1023 << 10, 1 << 16)
)
CARDS = f"{CAPTURED}{ALL}"
PILE = (
    CARDS, SEVENS, DIAMONDS, SETTEBELLO, "grande", "piccola", "napola", "cappotto", "primiera",
    *(f"prime:{suit}" for suit in range(4)),
)  # fmt: skip
EVERY = [
    (name, side)
    for name in (*PILE, *(f"{kind}:{category}" for kind in ("wins", "ties") for category in CONTESTS))
    for side in (0, 1)
]
WHOLE = np.uint64((1 << 40) - 1)
RULES = {
    "cirulla": CIRULLA,
    "sevens": build("scopa-team", houses=["simple-primiera"]),
    "no primiera": build(changes={"primiera": "none", "piccola_max": 10}),
    "dossena": build("cirulla-dossena"),
    "ten points": build(houses=["cappotto-ten-points"]),
    "four points": build(changes={"all_diamonds": "4", "grande": 0}),
}


def masks(rows: np.ndarray) -> np.ndarray:
    return (np.uint64(1) << rows.astype(np.uint64)).sum(axis=1, dtype=np.uint64)


def random_piles(sizes: tuple[int, int], count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rows = np.random.default_rng(seed).permuted(np.tile(np.arange(40, dtype=np.uint8), (count, 1)), axis=1)
    return masks(rows[:, : sizes[0]]), masks(rows[:, sizes[0] : sum(sizes)])


def of_piles(rules: Rules, name: str, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A feature of one pile, or of it against the other."""
    kind, _, category = name.partition(":")
    if kind not in ("wins", "ties"):
        return of_pile(rules, name, own)
    feature = compared(rules, category)
    if feature is None:
        return np.zeros(len(own), np.bool_)
    return contest([of_pile(rules, feature, pile) for pile in (own, other)], kind == "ties")


def counted(rules: Rules, piles: tuple[np.ndarray, np.ndarray], names: list[tuple[str, int]]) -> pl.DataFrame:
    """The features of pairs of piles, computed one by one; equal cases are counted."""
    columns = {f"{name}_{side}": of_piles(rules, name, piles[side], piles[1 - side]) for name, side in names}
    frame = pl.DataFrame(columns)
    return frame.group_by(frame.columns).agg(weight=pl.len().cast(pl.Int64)).sort(frame.columns)


def cases(rules: Rules, sizes: tuple[int, int], names: list[tuple[str, int]]) -> pl.DataFrame:
    frame, weights = pile_cases(rules, sizes, names)
    assert int(weights.sum()) == comb(40, sizes[0]) * comb(40 - sizes[0], sizes[1])
    return frame.with_columns(weight=weights).sort(frame.columns)


def chance(rules: Rules, sizes: tuple[int, int], name: str, **given: int) -> Fraction:
    wanted = [(name, 0), *((feature, 0) for feature in given)]
    frame = cases(rules, sizes, wanted).filter(*(pl.col(f"{feature}_0") == value for feature, value in given.items()))
    return Fraction(frame.filter(pl.col(f"{name}_0") > 0)["weight"].sum(), frame["weight"].sum())


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in RULES.items()])
def test_features_agree_with_the_referee(rules: Rules) -> None:
    for seed, sizes in enumerate([(22, 18), (9, 8), (33, 7), (40, 0), (4, 12)]):
        own, other = random_piles(sizes, 150, seed)
        # Piles full of diamonds, and equal ones (which no pack gives), to see melds, cappotto and ties.
        own = np.concatenate([own, own | np.uint64(0x3FF << 10), own])
        other = np.concatenate([other, other & ~np.uint64(0x3FF << 10), own[: len(other)]])
        result = {name: of_piles(rules, name, own, other) for name, side in EVERY if not side}
        for i, (mine, theirs) in enumerate(zip(own.tolist(), other.tolist(), strict=True)):
            piles = [[card for k, card in enumerate(PACK) if pile >> k & 1] for pile in (mine, theirs)]
            pile = piles[0]
            points = score(asdict(rules), piles, [0, 0], [0, 0], [0, 0])[0][0]
            row = {name: column[i] for name, column in result.items()}
            assert row[CARDS] == len(pile)
            assert row[DIAMONDS] == sum(card[1] == "d" for card in pile)
            assert row[SEVENS] == sum(card[0] == "7" for card in pile)
            assert row[SETTEBELLO] == ("7d" in pile)
            for name in ("grande", "piccola", "napola", "cappotto"):
                if name != "cappotto" or rules.all_diamonds not in ("none", 0):
                    assert row[name] == FUNCTIONS[name]({"piles": piles}, asdict(rules), sides=(0,)), name
            assert row["primiera"] == (primiera_total(pile) or 0)
            prime = [row[f"prime:{suit}"] for suit in range(4)]
            assert row["primiera"] == (sum(prime) if min(prime) else 0)
            assert row["wins:cards"] == (points["cards"] > 0)
            assert row["wins:diamonds"] == (points["diamonds"] > 0)
            assert row["wins:primiera"] == (points["primiera"] > 0)
            if rules.primiera == "full":
                assert row["ties:primiera"] == (row["primiera"] == (primiera_total(piles[1]) or 0) > 0)
            if rules.primiera == "sevens":
                assert row["ties:primiera"] == (row[SEVENS] == sum(card[0] == "7" for card in piles[1]) > 0)


def test_the_primiera_of_the_example() -> None:
    """7-7-6-Q is 70 and beats 7-7-5-2, 69 (source 000, by its table)."""
    better, worse = (np.array([mask(parse_many(cards))], np.uint64) for cards in ("7h 7c 6s Qd", "7d 7s 5h 2c"))
    assert [of_piles(CIRULLA, "primiera", pile, better)[0] for pile in (better, worse)] == [70, 69]
    assert of_piles(CIRULLA, "wins:primiera", better, worse)[0]
    assert not of_piles(CIRULLA, "wins:primiera", worse, better)[0]


@pytest.mark.parametrize("name", ["cirulla", "sevens", "ten points"])
def test_counts_agree_with_all_pairs_of_piles(name: str) -> None:
    """All features of both piles together: of three cards and one, of 36 and four."""
    three = np.repeat(masks(combinations(3)), 40)
    single = np.tile(np.uint64(1) << np.arange(40, dtype=np.uint64), comb(40, 3))
    apart = three & single == 0
    four = masks(combinations(4))
    everything = [
        (three[apart], single[apart]),
        (WHOLE ^ four, four),
    ]
    for piles, sizes in zip(everything, [(3, 1), (36, 4)], strict=True):
        assert cases(RULES[name], sizes, EVERY).equals(counted(RULES[name], piles, EVERY))


@pytest.mark.parametrize("sizes", [(20, 20), (23, 17), (9, 8)])
def test_counts_agree_with_random_piles(sizes: tuple[int, int]) -> None:
    """Within 4.5 standard errors; an error of half a percentage point in a chance of a third has power 0.9.

    With piles of 9 and 8 cards the rest belongs to nobody.
    """
    names = [("wins:primiera", 0), ("ties:primiera", 0), (SEVENS, 0), ("wins:diamonds", 1), (SETTEBELLO, 0)]
    exact = cases(CIRULLA, sizes, names)
    result = counted(CIRULLA, random_piles(sizes, 300_000, 11), names)
    questions = [
        pl.col("wins:primiera_0"),
        pl.col("ties:primiera_0"),
        pl.col("wins:primiera_0") & (pl.col(f"{SEVENS}_0") == 2),
        pl.col("wins:diamonds_1"),
        (pl.col(f"{SETTEBELLO}_0") > 0) & pl.col("wins:diamonds_1"),
    ]
    for question in questions:
        p, q = (float(frame.filter(question)["weight"].sum() / frame["weight"].sum()) for frame in (exact, result))
        assert abs(p - q) < 4.5 * (p * (1 - p) / 300_000) ** 0.5


def test_cards_in_neither_pile() -> None:
    """A card in neither pile, beside piles of 37 and two: the melds and the primiera of the large pile."""
    two = np.repeat(masks(combinations(2)), 40)
    left = np.tile(np.uint64(1) << np.arange(40, dtype=np.uint64), comb(40, 2))
    two, left = two[two & left == 0], left[two & left == 0]
    names = [("primiera", 1), ("grande", 1), ("piccola", 1), ("wins:diamonds", 0), ("prime:0", 0)]
    assert cases(CIRULLA, (2, 37), names).equals(counted(CIRULLA, (two, WHOLE ^ two ^ left), names))


def test_the_two_sides_are_symmetric() -> None:
    names = [("wins:primiera", 0), ("ties:primiera", 1), (SEVENS, 1), ("grande", 0)]
    swapped = [(name, 1 - side) for name, side in names]
    mine = cases(CIRULLA, (16, 21), names)
    theirs = cases(CIRULLA, (21, 16), swapped)
    assert np.array_equal(mine.to_numpy(), theirs.to_numpy())
    won, tied = chance(CIRULLA, (20, 20), "wins:primiera"), chance(CIRULLA, (20, 20), "ties:primiera")
    lacking = cases(CIRULLA, (20, 20), [("primiera", 0), ("primiera", 1)]).filter(
        (pl.col("primiera_0") == 0) & (pl.col("primiera_1") == 0)
    )
    assert 2 * won + tied + Fraction(lacking["weight"].sum(), comb(40, 20)) == 1


def test_chances_by_hand() -> None:
    assert chance(CIRULLA, (18, 22), "cappotto") == Fraction(comb(30, 8), comb(40, 18))
    assert chance(CIRULLA, (21, 19), SETTEBELLO) == Fraction(21, 40)
    assert chance(CIRULLA, (22, 18), "wins:primiera", **{SEVENS: 4}) == 1
    assert chance(CIRULLA, (22, 18), "wins:primiera", **{SEVENS: 0}) == 0
    assert chance(CIRULLA, (0, 40), "wins:primiera") == 0
    assert chance(CIRULLA, (4, 0), "wins:primiera") == Fraction(10**4, comb(40, 4))
    scopa = RULES["sevens"]
    assert chance(scopa, (22, 18), "wins:primiera", **{SEVENS: 3}) == 1
    assert chance(scopa, (22, 18), "ties:primiera", **{SEVENS: 2}) == 1
    assert chance(CIRULLA, (21, 19), "wins:cards") == 1
    assert chance(CIRULLA, (20, 20), "wins:cards") == 0


@pytest.mark.parametrize("sizes", [(-1, 3), (21, 20)])
def test_impossible_sizes_are_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="pack of 40"):
        pile_cases(CIRULLA, sizes, [(CARDS, 0)])


def test_too_many_cases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cirulla_sim.exact.piles._MOST", 1000)
    with pytest.raises(InputError, match="this question about two piles has more than 1,000 different cases"):
        pile_cases(CIRULLA, (22, 18), EVERY)
