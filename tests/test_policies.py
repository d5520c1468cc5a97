"""Policies: legality, strength, information, reproducibility; user policies; the solver against plain minimax."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from referee import hand_bonuses, legal_choices, replay
from referee.hand import Hand
from test_pages import of_name

import cirulla_sim as cs
from cirulla_sim.advice import solve
from cirulla_sim.advice.decision_points import Moment, Turn, turns
from cirulla_sim.core.cards import PACK, VALUES, mask, parse, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import chunks, policies
from cirulla_sim.engine.chunks import play_chunk, play_rows, row_names
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments.expectancy import aimed
from cirulla_sim.kernel.players.weights import FITTED, kind_of, nearest
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.information_set import captured, card_of

EXAMPLE = Path(__file__).parent.parent / "analyses" / "my_policy.py"
PRESETS = [(name, seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_every_policy_plays_every_preset_by_the_rules(preset: str, players: int) -> None:
    """The referee accepts their plays and the sets they show; which sets they choose is tested in test_knocks.py."""
    rules = build(preset, players=players)
    for policy, hands in (("careful", 8), ("search:2", 1), ("open", 1), ("search:1:search:1", 1)):
        experiment = Experiment(rules, (policy,), 10**6, 61)
        for index in range(hands):
            replay(hand_record(experiment, index, preset), asdict(rules), always_knock=False)


@pytest.mark.parametrize("house", ["open-partners", "open-last-stage", "optional-capture", "matta-reverts"])
def test_policies_play_under_house_rules(house: str) -> None:
    for players in (2, 4) if house != "open-partners" else (4,):
        rules = build(players=players, houses=[house])
        for policy, hands in (("random", 10), ("careful", 10), ("search:2", 10), ("search:1:search:1", 3)):
            for index in range(hands):
                replay(hand_record(Experiment(rules, (policy,), 10**6, 62), index), asdict(rules))


def test_open_limits_its_lookahead_where_four_alone_may_leave_captures() -> None:
    """A lookahead of twelve plays took half a minute a hand, so a missing limit would be noticed."""
    rules = build(houses=["optional-capture"], changes={"partnership": False})
    for index in range(10):
        replay(hand_record(Experiment(rules, ("open",), 10**6, 62), index), asdict(rules), always_knock=False)


def points_of_side(experiment: Experiment, hands: int, side: int) -> np.ndarray:
    """The margin of a side in each hand."""
    names = row_names(experiment.rules)
    _, rows = play_chunk(experiment, 0, hands, rows=True)
    points = [rows[:, names.index(f"side{s}_total")].astype(float) for s in range(experiment.rules.sides)]
    return points[side] - np.mean([points[s] for s in range(len(points)) if s != side], axis=0)


def margin(better: str, worse: str, rules: Rules, hands: int) -> tuple[float, float]:
    """The mean margin of a policy over another on the same deals with sides exchanged, and its standard error."""
    seats = [tuple(better if s == side else worse for s in range(rules.sides)) for side in range(rules.sides)]
    both = np.mean(
        [points_of_side(Experiment(rules, names, 10**6, 63), hands, side) for side, names in enumerate(seats)], axis=0
    )
    return float(both.mean()), float(both.std() / len(both) ** 0.5)


@pytest.mark.parametrize(
    ("better", "worse", "players", "hands", "least"),
    [
        ("greedy", "random", 2, 4000, 5.0),
        ("careful", "greedy", 2, 4000, 2.0),
        ("careful", "greedy", 4, 6000, 1.7),
        ("careful", "greedy", 3, 4000, 0.5),
        (f"{EXAMPLE}:wary", "greedy", 2, 4000, 0.6),
        ("search:16", "careful", 4, 1000, 0.6),
        ("search:16", "careful", 2, 1500, 0.4),
        ("open", "careful", 2, 500, 1.5),
    ],
)
def test_the_ladder(better: str, worse: str, players: int, hands: int, least: float) -> None:
    """Each policy beats the next weaker one by at least this margin, less three standard errors."""
    mean, error = margin(better, worse, build(players=players), hands)
    assert mean > least - 3 * error
    assert mean > 3 * error


def test_every_game_is_played_by_weights_of_its_kind() -> None:
    """A kind that was not fitted takes the nearest weights, never those of another game or holding size."""
    for preset, players in PRESETS:
        kind = kind_of(build(preset, players=players))
        assert nearest(kind)[:2] == kind[:2]


@pytest.mark.parametrize("kind", ["cirulla-3", "cirulla-4"])
def test_what_was_fitted_is_better_than_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal weights give equal results; without the weights for keeping cards, careful loses by more than 0.2."""
    fit = of_name("fit_careful", monkeypatch, "scripts")
    preset, fields = fit.KINDS[kind]
    rules = build(preset, **fields)
    fitted = FITTED[kind_of(rules)]
    without = fitted._replace(keep_single=(0,) * 6, keep_several=(0,) * 6)
    assert not fit.margins(rules, ("careful", fitted), ("careful", fitted), 5, 0, 50).any()
    ahead = fit.margins(rules, ("careful", fitted), ("careful", without), 5, 0, 2000)
    assert ahead.mean() - 4 * ahead.std() / len(ahead) ** 0.5 > 0.2


# ---------------------------------------------------------------- a hand is a pure function of its number

KNOWING = ("search:2:careful", "search:1:search:1")
INFERRING = ("search:2:greedy", "search:4")
SEATED = (
    [
        Experiment(build(preset, players=players), names, 10**6, 71)
        for preset, players in (("cirulla", 2), ("cirulla", 4), ("scopa", 2))
        for names in (("careful", "greedy"), ("search:4", "careful"), ("open", "careful"), KNOWING, INFERRING)
    ]
    + [
        Experiment(build("cirullone"), names, 10**6, 71)
        for names in (("careful", "search:1"), ("search:1:careful", "careful"))
    ]
    + [Experiment(build("cirulla", players=4, houses=["optional-capture"]), ("search:2",), 10**6, 71)]
)  # large tables
SEATED_GAMES = [
    Games(build(players=players, changes={"target": 21}), ("careful", "search:2"), 8, 72, aim=aim)
    for players in (2, 4)
    for aim in ("points", "game")
] + [
    Games(build(players=3, changes={"target": 21}), ("search:1", "careful", "search:1:search:1"), 8, 72),
    Games(build(players=2, changes={"target": 11, "best_of": 3}), ("search:2", "greedy"), 8, 72),
]


def spoil(mind: Any) -> None:
    """Fill the scratch fields of a workspace with values that no computation leaves there."""
    fill(mind, but=("tables", "win", "win_size", "to_show"))


def fill(record: Any, but: tuple[str, ...] = ()) -> None:
    """Fill a record, or an array of records, with NaN or meaningless integers."""
    for name in record.dtype.names:
        part = record[name]
        if name in but:
            continue
        if part.dtype.names:
            fill(part)
        else:
            record[name] = np.nan if part.dtype.kind == "f" else 0xDEAD_BEEF_DEAD_BEEF >> 64 - 8 * part.dtype.itemsize


@pytest.mark.parametrize("spoilt", [False, True])
def test_hands_do_not_depend_on_what_was_played_before(spoilt: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hands one by one in reverse order, with experiments alternating, on two threads, and with spoilt
    workspaces and caches.
    """
    hands = 6
    truth = [play_rows(experiment, 0, hands) for experiment in SEATED]
    if spoilt:
        prepare = policies.Workspace.prepare

        def spoilt(workspace: policies.Workspace, *given: Any) -> None:
            prepare(workspace, *given)
            spoil(workspace.mind)

        monkeypatch.setattr(policies.Workspace, "prepare", spoilt)
    turns = [(number, hand) for hand in reversed(range(hands)) for number in range(len(SEATED))]
    with ThreadPoolExecutor(2) as pool:
        for play in (map, pool.map):
            for (number, hand), result in zip(
                turns, play(lambda turn: play_rows(SEATED[turn[0]], turn[1], 1), turns), strict=True
            ):
                rows, digests = truth[number]
                assert (result[0] == rows[hand]).all()
                assert result[1] == digests[hand]


def test_games_do_not_depend_on_what_was_played_before() -> None:
    """The same games at once and in alternating chunks of one and three, on two threads, with either aim."""
    seated = [aimed(games) for games in SEATED_GAMES]
    truth = [games.play(0, 8, rows=True)[1] for games in seated]
    turns = [(k, first, min(3, 8 - first)) for first in (6, 0, 3) for k in range(len(truth))]
    turns += [(k, first, 1) for first in (5, 7) for k in reversed(range(len(truth)))]
    with ThreadPoolExecutor(2) as pool:
        for play in (map, pool.map):
            results = play(lambda turn: seated[turn[0]].play(turn[1], turn[2], rows=True)[1], turns)
            for (k, first, number), rows in zip(turns, results, strict=True):
                assert (rows == truth[k][first : first + number]).all()


# ---------------------------------------------------------------- information of a seat


def chosen_play(policy: str, players: int, holding: list[int], table: list[int], rest: list[int]) -> int:
    """The play of seat 0 at the start of a hand, with the other cards dealt in this order."""
    from numba import njit

    from cirulla_sim.engine.chunks import prepared
    from cirulla_sim.kernel.game.captures import table_of
    from cirulla_sim.kernel.game.hand import call_ask
    from cirulla_sim.kernel.game.moment import Moment

    @njit(_nrt=False, error_model="numpy")
    def ask(r, w, policy, cards):
        zero = np.uint64(0)
        table = table_of(r, cards, r.matta_value)
        return call_ask(w.asker, r, w, policy, table, Moment(zero, zero, zero, zero, zero))

    play = ASKERS.setdefault("ask", ask)
    r, codes, w = prepared(Experiment(build(players=players), (policy,), 10, 1))
    deck = [*table, *holding, *rest]
    w.deck[:] = deck
    w.states[:] = 67
    for array in (w.pile, w.knocks, w.score, w.deal):
        array[:] = 0
    for seat in range(players):
        w.held[seat] = w.dealt[seat] = mask(deck[4 + 3 * seat : 7 + 3 * seat])
    return int(play(r, w, codes[0], np.uint64(mask(table))))


ASKERS: dict[str, Any] = {}


@pytest.mark.parametrize("players", [2, 4])
def test_hidden_cards_change_no_play_but_the_cheats(players: int) -> None:
    """With the hidden cards dealt anew, every policy but ``open`` makes the same play."""
    rng = random.Random(68)
    changed = dict.fromkeys(("careful", "search:3", "search:1:search:2", "open"), 0)
    for _ in range(20):
        deck = rng.sample(range(40), 40)
        for policy in changed:
            plays = set()
            for _ in range(4):
                rest = rng.sample(deck[7:], 33)
                plays.add(chosen_play(policy, players, deck[:3], deck[3:7], rest))
            changed[policy] += len(plays) > 1
    assert changed.pop("open") > 3
    assert set(changed.values()) == {0}


@pytest.mark.parametrize(("suffix", "seat"), [("sees-next", 1), ("sees-partner", 2)])
def test_a_policy_shown_the_cards_of_one_seat_knows_no_others(suffix: str, seat: int) -> None:
    """New cards for that seat change plays; new cards for the other seats change none."""
    rng = random.Random(69)
    by_seat = by_others = 0
    for _ in range(20):
        deck = rng.sample(range(40), 40)
        own, table, rest = deck[:3], deck[3:7], deck[7:]
        at = 3 * (seat - 1)
        shown = rest[at : at + 3]
        plays: tuple[set[int], set[int]] = (set(), set())
        for _ in range(4):
            anew = rng.sample(rest, 33)
            plays[0].add(chosen_play(f"search:3+{suffix}", 4, own, table, anew))
            others = [card for card in anew if card not in shown]
            plays[1].add(chosen_play(f"search:3+{suffix}", 4, own, table, others[:at] + shown + others[at:]))
        by_seat += len(plays[0]) > 1
        by_others += len(plays[1]) > 1
    assert by_seat > 3
    assert by_others == 0


# ---------------------------------------------------------------- opponent models


def cards_in(cards: int) -> list[int]:
    return [card for card in range(40) if cards >> card & 1]


def search_positions(
    players: int, hand: int, name: str = "search:1", houses: tuple[str, ...] = ()
) -> Iterator[tuple[Any, Any, Any, Turn, NDArray[Any]]]:
    """For each play of a hand of ``careful``: the arguments of a search at that position, the turn, all holdings."""
    from cirulla_sim.engine.chunks import prepared, workspace
    from cirulla_sim.kernel.game.hand import OPPONENT_WORK

    rules = build(players=players, houses=houses)
    record = hand_record(Experiment(rules, ("careful",), 10**6, 79), hand)
    for turn in turns(record):
        r, _, w = prepared(Experiment(rules, (name,), 1))
        view = turn.moment.information().after_show(turn.choice.show).view[0]
        view["opponent_work"] = w.options[rules.side(turn.moment.seat), OPPONENT_WORK]
        yield r, workspace().mind, view, turn, np.array([*turn.moment.holdings, *[0] * (4 - players)], np.uint64)


def test_an_exact_opponent_model_explains_past_plays_and_predicts_future_plays() -> None:
    """With the true cards, the model of the opponents agrees with every play they made and will make."""
    from numba import njit

    from cirulla_sim.kernel.players import lookahead, opponent_query

    @njit(_nrt=False, error_model="numpy")
    def asks(r, m, view, holdings, play, depth, foreseen):
        u = opponent_query.work_at(view.opponent_work)
        for i in range(4):
            m.holdings[i] = holdings[i]
        opponent_query.prepare_queries(r, m, view, u)
        agreed = True
        for seat in range(r.players):
            would, number = opponent_query.agreeing(r, m, view, u, np.uint64(seat))
            agreed = agreed and would == number
        lookahead.play_ahead(r, m, view, u, play, depth)
        for i in range(40):
            foreseen[i] = u.history[i]
        return agreed

    shown = (1 << 46) - 1  # the card and what it captures
    for players in (2, 3, 4):
        for hand in range(3):
            many = [*search_positions(players, hand)]
            plays = [turn.play & shown for *_, turn, _ in many]
            for at, (r, m, view, turn, held) in enumerate(many):
                here, foreseen = int(view["held"].sum()), np.zeros(40, np.uint64)
                assert asks(r, m, view, held, np.uint64(turn.play), np.uint64(here), foreseen)
                assert [int(word) & shown for word in foreseen[at : at + here]] == plays[at : at + here]


@pytest.mark.parametrize("name", ["search:1:careful", "search:1:greedy", "search:1"])
def test_sampled_deals_are_consistent_with_the_opponents_play(name: str) -> None:
    """After its first play, careful and greedy are asked what they play with each possible pair of its other cards.

    A pair has the probability of the styles of play that explain the play with it.
    """
    from numba import njit

    from cirulla_sim.kernel.players import opponent_query, opponents
    from cirulla_sim.kernel.players import unseen_deal as deals

    @njit(_nrt=False, error_model="numpy")
    def draw(r, m, view, holdings):
        u = opponent_query.work_at(view.opponent_work)
        m.reading.informative = False
        opponent_query.prepare_queries(r, m, view, u)
        deals.prepare_deals(r, m, view, u)
        for i in range(holdings.size):
            deals.deal_believed(r, m, view, u)
            holdings[i] = m.holdings[0]

    certain = {"search:1:careful": (1.0, 0.0, 0.0), "search:1:greedy": (0.0, 1.0, 0.0)}
    model, greedy, other = certain.get(name, tuple(opponents.PRIOR / int(opponents.WHOLE)))
    shown = (1 << 46) - 1  # the card and what it captures
    drawn, looked_at = np.zeros(4000, np.uint64), 0
    for hand in range(8):
        positions = list(islice(search_positions(2, hand, name), 2))
        (*_, opened, _), (r, m, view, turn, _) = positions
        first, table = opened.play, opened.moment.table
        if table.bit_count() < 4 or view["shown"][0]:
            continue  # after a dealer's bonus or with a set shown there is nothing to infer
        draw(r, m, view, drawn)
        own, card = int(view["holding"]), card_of(first)
        rest = cards_in(2**40 - 1 & ~(own | table | 1 << card))
        likely = {}
        for pair in combinations(rest, 2):
            cards = [card, *pair]
            if not hand_bonuses(asdict(turn.moment.rules), list(texts(mask(cards)))):
                behind = [c for c in rest if c not in pair]
                deal = (2, cards, cards_in(table), cards_in(own) + behind)
                words = [chosen_play(policy, *deal) & shown for policy in ("careful", "greedy+prompt")]
                fits = [word == first & shown for word in words]
                likely[mask(pair)] = model * fits[0] + greedy * fits[1] + other
        expected = {held: len(drawn) * share / sum(likely.values()) for held, share in likely.items() if share}
        counts = Counter(drawn.tolist())
        assert set(counts) <= set(expected)
        chi = sum((counts[held] - number) ** 2 / number for held, number in expected.items())
        assert abs(chi - len(expected)) < 5 * (2 * len(expected)) ** 0.5
        looked_at += 1
    assert looked_at > 3


def test_partners_who_see_each_other_get_different_cards_in_sampled_deals() -> None:
    """While cards are sampled for the first partner, the other has none of them."""
    from numba import njit

    from cirulla_sim.kernel.players import opponent_query
    from cirulla_sim.kernel.players import unseen_deal as deals

    @njit(_nrt=False, error_model="numpy")
    def draw(r, m, view, holdings):
        u = opponent_query.work_at(view.opponent_work)
        m.reading.informative = False
        opponent_query.prepare_queries(r, m, view, u)
        deals.prepare_deals(r, m, view, u)
        for i in range(holdings.shape[0]):
            deals.deal_holding(r, m, view, u, np.uint64(0), m.deals.unseen)
            holdings[i, 0], holdings[i, 1] = m.holdings[0], m.holdings[2]

    drawn, looked_at = np.zeros((500, 2), np.uint64), 0
    for hand in range(4):
        for r, m, view, _, _ in search_positions(4, hand, houses=("open-partners",)):
            if view["seat"] == 1 and view["history_size"] and view["shown"][0] == 0:
                draw(r, m, view, drawn)
                assert not (drawn[:, 0] & drawn[:, 1]).any()
                looked_at += 1
    assert looked_at > 20


def weights_after(policy: str, hands: int, players: int = 4) -> NDArray[np.float64]:
    """float64[hands, styles]: the posterior of the style of play of the dealer's side after hands of ``policy``."""
    rules, weights = build(players=players), []
    for hand in range(hands):
        work = chunks.play_hand(Experiment(rules, ("search:1", policy), 10**6, 80), hand)
        weights.append(np.array(work.styles[rules.sides - 1], float))
    return np.array(weights) / 2**20


def test_styles_of_play_are_inferred() -> None:
    """The likeliest style after a hand is nearly always the right one; for players who are neither, mostly."""
    right = {"careful": (0, 0.9), "greedy": (1, 0.75), "search:8": (2, 0.4), "random": (2, 0.7)}
    for players in (2, 4):
        for policy, (style, least) in right.items():
            weights = weights_after(policy, 30, players)
            assert np.allclose(weights.sum(axis=1), 1)
            assert (weights.argmax(axis=1) == style).mean() >= least


def test_one_play_moves_the_posterior_towards_the_style_that_predicts_it() -> None:
    """By Bayes' rule; and no style is ever ruled out, so that what one play suggests another can contradict."""
    from numba import njit

    from cirulla_sim.kernel.players import opponents

    update = njit(_nrt=False, error_model="numpy")(lambda styles, play: opponents.update_styles(styles, play))

    def posterior(*plays: Any) -> NDArray[np.float64]:
        styles = np.zeros(3, np.uint64)
        for play in plays:
            update(styles, play)
        assert styles.sum() == opponents.WHOLE
        return styles / float(opponents.WHOLE)

    prior = opponents.PRIOR / float(opponents.WHOLE)
    for play in range(5):
        expected = prior * opponents.LIKELIHOOD[:, play]
        assert np.allclose(posterior(np.uint64(play)), np.maximum(expected / expected.sum(), 2**-9), atol=0.005)
    once = posterior(opponents.AS_GREEDY)
    assert once.argmax() == opponents.GREEDY
    assert posterior(opponents.AS_GREEDY, opponents.AS_MODEL)[0] > once[0]
    assert posterior(*[opponents.UNLIKE_BOTH] * 3).argmax() == opponents.OTHER
    assert posterior(*[opponents.AS_GREEDY] * 50, *[opponents.AS_MODEL] * 4).argmax() == opponents.MODEL


def test_styles_of_play_are_remembered_from_hand_to_hand_of_a_game() -> None:
    """After a game to 51 the style of the other side is as certain as it gets, whoever dealt."""
    for seats, other in ((("search:1", "greedy"), 1), (("greedy", "search:1"), 0)):
        Games(build(players=2, changes={"target": 51}), seats, 1, 81).play(0, 1)
        styles = chunks.gamework().styles[other] / 2**20
        assert styles[1] > 0.995


def test_plays_are_dropped_that_the_rest_of_the_samples_will_hardly_make_the_best() -> None:
    """A difference whose square is 0.75 variances of its sum in the samples to come; not 3% less, but 3% more."""
    from numba import njit

    from cirulla_sim.engine.chunks import workspace
    from cirulla_sim.kernel.players import search

    @njit(_nrt=False, error_model="numpy")
    def drop(m, plays, done, rest):
        return search.drop_worse(m, plays, done, rest)

    m = workspace().mind
    done, rest, spread = 4, 12, 2.0  # two plays that differ from their mean by ``spread`` and a common amount
    for factor in (0.97, 1.03):
        variance = 2 * spread**2 * 2  # of the difference, as ``drop_worse`` estimates it
        behind = factor * (0.75 * variance * rest) ** 0.5
        m.search.prior[:2], m.search.sure[:2] = 0, 0
        for k, total in enumerate((behind / 2, -behind / 2)):
            mean = total / done
            m.search.sums[2 * k : 2 * k + 2] = total, done * (spread**2 + mean**2)
        plays = np.array([5, 6], np.uint64)
        left = drop(m, plays, np.uint64(done), np.uint64(rest))
        assert (left, plays.tolist()) == ((1, [5, 6]) if factor < 1 else (0, [5, 0]))


# ---------------------------------------------------------------- user policies


OWN = """
import numpy as np
from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount

SOME = np.arange(10)

def most(view, plays):
    best, chosen = -1, 0
    for i in range(len(plays)):
        worth = popcount(captured(plays[i])) + 5 * is_sweep(plays[i])
        if worth > best:
            best, chosen = worth, i
    return chosen

def first(view, plays):
    return 0

def wrong(view, plays):
    return len(plays) if view.turn == 1 else 0

def misspelt(view, plays):
    return view.holdng

def text(view, plays):
    return "a" + 1

def half(view, plays):
    return 0.5

def three(view, plays, more):
    return 0

def raises(view, plays):
    if view.turn == 1:
        raise ValueError("no idea")
    return 0

def outside(view, plays):
    return plays[len(plays)] * 0

def beyond(view, plays):
    return view.pile[len(plays) + 3] * 0

@helper
def of_place(place):
    return SOME[place]

def within(view, plays):
    return of_place(len(plays) + 9) * 0

def writes(view, plays):
    plays[0] = plays[-1]
    return 0

@helper
def drawn(n):
    return np.random.randint(0, n)

def draws(view, plays):
    return drawn(len(plays))

def imports(view, plays):
    import math
    return 0

class Chooser:
    pass
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "own_policies.py"
    file.write_text(OWN, "utf-8")
    return str(file)


def test_a_user_policy(own: str) -> None:
    rules = build(players=2)
    for index in range(5):
        replay(hand_record(Experiment(rules, (f"{own}:most", "random"), 10, 64), index), asdict(rules))
    assert margin(f"{own}:most", "random", rules, 500)[0] > 2
    assert margin(f"{own}:first", "random", rules, 500)[0] < 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wrong", "where it had . plays .* in hand 0 of seed 64.* holding"),
        ("misspelt", "unknown field 'holdng': did you mean 'holding'"),
        ("text", "does not compile"),
        ("half", "returns float64"),
        ("three", "takes 3 arguments"),
        ("none", "unknown function 'none'"),
        (
            "raises",
            r"raised ValueError: no idea \(own_policies.py, line \d+\) in hand 0 of seed 64, play \d+: (first|dealer) ",
        ),
        ("outside", r"raised IndexError: index is out of bounds \(own_policies.py, line \d+\) in hand 0"),
        ("beyond", "raised IndexError: index is out of bounds"),
        ("within", "raised IndexError: index is out of bounds"),
        ("writes", r"writes to the plays, which can only be read \(File"),
        ("draws", r"draws random numbers that differ in every run \(valid: roll\(view, n\)"),
        ("imports", "does not compile: Use of unsupported opcode .*IMPORT_NAME"),
        ("Chooser", "is not a function"),
        ("SOME", "is not a function"),
    ],
)
def test_an_invalid_user_policy_is_refused_in_one_line(own: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        play_chunk(Experiment(build(players=2), (f"{own}:{name}",), 10, 64), 0, 5)
    assert "\n" not in str(raised.value)


def test_a_user_policy_is_tried_before_a_run(own: str) -> None:
    """In separate hands, so that a run of hours does not end with the hand in which it fails."""
    with pytest.raises(InputError, match=r"answered '.' where it had . plays .* in hand 0 of seed 1, play"):
        Experiment(build(players=2), (f"{own}:wrong",), 10, 64).check()


@pytest.mark.parametrize(
    "name",
    ["search:0", "search:x", "greedy:3", "serch", "no_such_module:play", ":x", "x:", "search:careful",
     "search:4:search:0", "search:4:careful:2", "search:4:open", "search:4:random"],
)  # fmt: skip
def test_names_that_are_no_policies(name: str) -> None:
    with pytest.raises(InputError, match="policy"):
        policies.ready(name)


# ---------------------------------------------------------------- the solver


def last_stage(rules: Rules, holdings: list[int], table: int, piles: list[int]) -> Moment:
    """A position in the last stage, from masks of cards: seat 0 is to play and has captured last."""
    matta_value = 0 if rules.matta is None else VALUES[parse(rules.matta)]
    nothing = (0,) * rules.sides
    return Moment(
        rules, len(rules.deal_plan) - 1, rules.deal_plan[-1] - holdings[0].bit_count(), 0, tuple(holdings), table,
        tuple(piles), nothing, 0, matta_value, (0,) * rules.players, ((),) * rules.players,
    )  # fmt: skip


def solved(moment: Moment, score: tuple[int, int] | None = None, win: Any = None) -> solve.Solution:
    """The value of every legal play if all cards are visible."""
    return solve.solve(moment.open_information(), moment.holdings, score, win)


def lead(points: list[int], side: int) -> float:
    others = [p for s, p in enumerate(points) if s != side]
    return points[side] - sum(others) / len(others)


def minimax(
    rules: dict, hand: Hand, held: list[set[str]], seat: int, left: int, worth: Callable[..., float] = lead
) -> list[int]:
    """The final points of each side if every side always makes the play that is worth most to it."""
    if left == 0:
        points, _ = deepcopy(hand).finish()
        return [side["total"] for side in points]
    side = seat % 2 if rules["partnership"] else seat
    best: list[int] | None = None
    for card in sorted(held[seat]):
        for got in legal_choices(rules, hand.table, hand.value(card)):
            after = deepcopy(hand)
            after.play(seat, card, got, left == 1)
            holdings = [h - {card} if s == seat else h for s, h in enumerate(held)]
            value = minimax(rules, after, holdings, (seat + 1) % len(held), left - 1, worth)
            if best is None or worth(value, side) > worth(best, side):
                best = value
    assert best is not None
    return best


def played_by_the_referee(moment: Moment) -> tuple[dict, Hand, list[set[str]], int, int]:
    """The arguments of ``minimax`` for a position."""
    data, held = asdict(moment.rules), [set(texts(cards)) for cards in moment.holdings]
    hand = Hand(data, texts(moment.table))
    hand.piles = [set(texts(pile)) for pile in moment.piles]
    hand.last_capture_by = moment.last_capture
    hand.start_stage([sorted(h) for h in held])
    return data, hand, held, moment.seat, sum(map(len, held))


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 2), ("cirulla", 4), ("cirulla", 3), ("scopa-assi", 2)])
def test_the_solver_against_plain_minimax(preset: str, players: int) -> None:
    """In random positions with two cards in each hand, the best play has the same value."""
    rules, rng = build(preset, players=players), random.Random(65)
    for _ in range(8):
        deck = [parse(card) for card in rng.sample(list(PACK), 40)]
        held = [mask(deck[2 * seat : 2 * seat + 2]) for seat in range(players)]
        rest = deck[2 * players :]
        piles = [mask(rest[4 + side :: rules.sides]) for side in range(rules.sides)]
        moment = last_stage(rules, held, mask(rest[:4]), piles)
        truth = minimax(*played_by_the_referee(moment))
        solution = solved(moment)
        assert solution.settled
        best = max(lead(points[: rules.sides], 0) for points in solution.points.tolist())
        assert best == pytest.approx(lead(truth, 0), abs=1e-3)


def test_a_seat_that_did_not_knock_shows_nothing_in_the_opponent_model() -> None:
    """The sampled cards are a set. A seat that declined to knock shows none of it, another seat shows it."""
    from numba import njit

    from cirulla_sim.kernel.players import opponent_query

    @njit(_nrt=False, error_model="numpy")
    def shown(r, view, dealt, seat, number):
        return opponent_query.shown_before(r, view, dealt, seat, number)

    low, seen = np.uint64(mask(map(parse, ("Ah", "2c", "3d")))), set()
    for hand in range(12):
        for r, _, view, _, _ in search_positions(2, hand):
            declined, has_history = bool(view["declined"][0]), bool(view["history_size"])
            if view["seat"] == 1 and has_history:
                assert shown(r, view, low, np.uint64(0), view["history_size"]) == (0 if declined else low)
                seen.add(declined)
    assert seen == {False, True}


def test_playouts_are_exact_where_nobody_has_a_choice() -> None:
    """With one card each and forced replies, each play leads to the margin that the referee counts."""
    from numba import njit

    from cirulla_sim.engine.chunks import prepared, workspace
    from cirulla_sim.kernel.game.hand import OPPONENT_WORK
    from cirulla_sim.kernel.players import careful, lookahead, opponent_query

    @njit(_nrt=False, error_model="numpy")
    def played_on(r, m, view, holdings, play, depth):
        for i in range(4):
            m.holdings[i] = holdings[i]
        careful.prepare(r, m, view)
        lookahead.prepare_ahead(m)
        u = opponent_query.work_at(view.opponent_work)
        opponent_query.prepare_queries(r, m, view, u)
        return lookahead.lead_after(r, m, view, u, play, depth)

    rng, looked_at = random.Random(70), 0
    for players in (2, 3, 4):
        rules = build(players=players)
        r, _, w = prepared(Experiment(rules, ("search:1",), 1))
        m = workspace().mind
        for _ in range(60):
            deck = rng.sample(range(40), 40)
            held, table, gone = deck[:players], deck[players : players + 4], deck[players + 4 :]
            piles = [mask(gone[s :: rules.sides]) for s in range(rules.sides)]
            moment = last_stage(rules, [1 << card for card in held], mask(table), piles)
            now = moment.open_information()
            now.view[0]["opponent_work"] = w.options[rules.side(moment.seat), OPPONENT_WORK]
            for play in now.plays():
                data, hand, holdings, seat, left = played_by_the_referee(moment)
                got, sides = frozenset(texts(captured(play))), rules.sides
                while left:
                    hand.play(seat, next(iter(holdings[seat])), got, left == 1)
                    seat, left = seat + 1, left - 1
                    if left:
                        card = next(iter(holdings[seat]))
                        choices = legal_choices(data, hand.table, hand.value(card))
                        got = next(iter(choices))
                        if len(choices) > 1:
                            break
                else:
                    points, _ = hand.finish()
                    truth = lead([side["total"] for side in points[:sides]], 0)
                    all_holdings = np.array([*moment.holdings, *[0] * (4 - players)], np.uint64)
                    result = played_on(r, m, now.view[0], all_holdings, np.uint64(play), np.uint64(players))
                    assert result == pytest.approx(truth, abs=1e-3)
                    looked_at += 1
    assert looked_at > 150


def test_aiming_at_the_game_maximises_the_probability_of_winning_it() -> None:
    """In the last stage, with a win table that counts a game that goes on as lost, 51 points matter, not the margin."""
    rules = build(players=2, changes={"hand_low": 0, "hand_triple": 0})
    rng, score = random.Random(69), (46, 30)
    win = np.zeros((2, 52, 52))
    win[:, 51, 51] = 0.5

    def wins(points: list[int], side: int) -> float:
        ours, theirs = (min(before + gained, 99) for before, gained in zip(score, points, strict=True))
        chance = (ours > theirs) + (ours == theirs) / 2 if max(ours, theirs) > 50 else 0.0
        return chance if side == 0 else 1 - chance

    differ = 0
    for number in range(100):
        deck = rng.sample(range(40), 40)
        moment = last_stage(
            rules, [mask(deck[:3]), mask(deck[3:6])], mask(deck[6:10]), [mask(deck[10:24]), mask(deck[24:])]
        )
        moment = replace(moment, last_capture=1)
        by_points, by_chance = solved(moment), solved(moment, score, win)
        assert by_chance.wins is not None
        assert set(by_chance.wins.tolist()) <= {0.0, 0.5, 1.0}
        chosen = max(range(len(by_points.points)), key=lambda i: lead(by_points.points[i].tolist()[:2], 0))
        differ += by_chance.wins[chosen] < by_chance.wins.max()
        if number < 20:
            truth = minimax(*played_by_the_referee(moment), wins)
            assert by_chance.wins.max() == wins(truth, 0)
    assert differ > 0


def test_each_side_has_its_own_aim() -> None:
    """The aim is given by a suffix, or for all policies that support it; other sides do not affect it."""
    rules = build(players=2, changes={"target": 21})

    def rows(names: tuple[str, ...], aim: str = "points") -> list[list[int]]:
        result: list[list[int]] = aimed(Games(rules, names, 400, 75, (15, 12), aim)).play(0, 400, rows=True)[1].tolist()
        return result

    assert rows(("careful", "greedy"), "game") == rows(("careful+game", "greedy"))
    assert rows(("careful",), "game") == rows(("careful+game", "careful+game"))
    kinds = [rows((a, b)) for a in ("careful", "careful+game") for b in ("careful", "careful+game")]
    assert all(a != b for a, b in combinations(kinds, 2))
    assert rows(("greedy",), "game") == rows(("greedy",))


def test_points_decide_if_all_win_probabilities_are_equal() -> None:
    """With a constant win table and no cappotto, the games are the same as for points, except for near ties."""
    rules = build(players=2, changes={"target": 21, "all_diamonds": "none"})
    for name, games, least in (("careful", 100, 95), ("open", 40, 36)):
        by_points = Games(rules, (name,), games, 76).play(0, games, rows=True)[1]
        flat = np.full((37, 80, 80), 0.5, np.float32)
        for_the_game = Games(rules, (name,), games, 76, aim="game", win=flat).play(0, games, rows=True)[1]
        assert (by_points == for_the_game).all(axis=1).sum() >= least


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search+gane", "policy 'search+gane': unknown suffix 'gane': did you mean 'game'? (valid: game, prompt"),
        ("greedy+game", "policy 'greedy+game': 'greedy' cannot aim at the game (valid: careful, search, open)"),
        ("search:0+game", "'0' is no number of samples"),
        ("greedy+sees-next", "policy 'greedy+sees-next': 'greedy' plays no better by seeing cards (valid: careful"),
        ("open+sees-all", "plays no better by seeing cards (valid: careful, search)"),
        (
            "search:8:carefull",
            "unknown opponent 'carefull': did you mean 'careful'? (valid: careful, greedy, s",
        ),
        ("search:8:greedi", "policy 'search:8:greedi': unknown opponent 'greedi': did you mean 'greedy'?"),
        ("search:8:greedy:2", "policy 'greedy:2': 'greedy' takes no number (valid: greedy)"),
        ("search:x:greedy", "policy 'search:x:greedy': 'x' is no number of samples"),
    ],
)
def test_invalid_suffixes_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Games(build(), (name,))
    assert message in str(error.value)


def test_a_hand_by_itself_has_no_game_to_aim_at() -> None:
    with pytest.raises(
        InputError, match=r"'search:4\+game' maximises the chance to win the game, and a hand by itself has no score"
    ):
        Experiment(build(), ("search:4+game",))


@pytest.mark.parametrize("policy", ["careful+trail", "search:1+trail"])
def test_hands_with_nearly_the_whole_pack_on_the_table_end(policy: str) -> None:
    """Where nobody captures, a card has ten thousand captures in the end: every search of them is cut off."""
    experiment = Experiment(build("cirulla-parlett", players=2), (policy,), 1, 5)
    rows = play_rows(experiment, 0, 1)[0]
    assert rows[0, row_names(experiment.rules).index("side0_captures")] == 0


PLAIN = """
def compiled(view, plays):
    return len(plays) - 1


def plain(turn):
    return turn.choices[-1]


def by_text(turn):
    return str(turn.choices[-1])


def failing(turn):
    return turn.nothing


def wrong(turn):
    return None
"""


def test_a_plain_policy_plays_the_hands_of_its_compiled_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "twins_in_plain_python.py").write_text(PLAIN, "utf-8")
    import twins_in_plain_python as twins  # type: ignore[import-not-found]

    file = tmp_path / "twins_in_plain_python.py"
    for rules, players in (("cirulla", 2), ("cirullone", 4)):

        def of(policy: Any, rules: str = rules, players: int = players) -> Any:
            return cs.simulate(rules, players=players, policy=policy, hands=200)

        compiled = of(f"{file}:compiled")
        for policy in (f"{file}:plain", f"{file}:by_text", twins.plain):
            result = of(policy)
            assert result.frame.drop("policy", strict=False).equals(compiled.frame.drop("policy", strict=False))
            assert any("plain Python" in remark for remark in result.remarks)
        assert result.metadata["sources"].keys() == {"twins_in_plain_python:plain"}
    with pytest.raises(InputError, match=r"raised AttributeError: .* \(twins_in_plain_python.py, line 15\) in hand 0"):
        cs.simulate(policy=twins.failing, hands=10)
    with pytest.raises(InputError, match="valid: one of the choices"):
        cs.simulate(policy=twins.wrong, hands=10)
    with pytest.raises(InputError, match="has no name"):
        cs.simulate(policy=lambda turn: turn.choices[0], hands=10)
    name = "twins_in_plain_python:plain"
    by_side = cs.simulate(policy={"dealer": twins.plain, "others": "greedy"}, hands=20)
    assert by_side.frame.equals(cs.simulate(policy=f"dealer={name}, others=greedy", hands=20).frame)
    played = cs.tournament(policy=["greedy", twins.plain], players=2, hands="1k")
    assert played.frame.equals(cs.tournament(policy=["greedy", name], players=2, hands="1k").frame)
    assert str(cs.Game(players=2, policy=twins.plain, seed=3)) == str(cs.Game(players=2, policy=name, seed=3))
    with pytest.raises(InputError, match="one line-up is enough"):
        cs.Game(players=2, policy=[twins.plain, "greedy"])
