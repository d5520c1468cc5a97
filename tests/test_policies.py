"""Policies: legality, strength, information, reproducibility; user policies; the solver against plain minimax."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from referee.captures import ITSELF, legal_choices
from referee.hand import Hand
from referee.replay import replay
from rule_values import odd_rules

import cirulla_sim as cs
from cirulla_sim.advice import judge
from cirulla_sim.core.cards import PACK, VALUES, mask, parse, texts
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine import chunks, policies
from cirulla_sim.engine.chunks import play_chunk, play_rows, row_names
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games, fingerprint
from cirulla_sim.experiments import runner, tournament
from cirulla_sim.experiments.progress import Watch
from cirulla_sim.kernel import types
from cirulla_sim.kernel.entries.rules import flat_rules
from cirulla_sim.kernel.game.flat import flat_type
from cirulla_sim.kernel.game.scoring import COLUMN, COLUMNS, score_hand
from cirulla_sim.kernel.players.ask import mind_type
from cirulla_sim.kernel.players.worth import side_worth
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import choose
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.hand import HandState
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.plays import captured, card_of
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.verbs.tournament import job_of

EXAMPLE = Path(__file__).parent.parent / "analyses" / "my_policy.py"
SILENT = f"{EXAMPLE.parent}/forced.py:careful_never_showing_a_set"
MUST = {"show_bonus": "at_once"}
RULES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, seats, {}) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]),
    ("cirulla", 4, {"open_partners": True}), ("cirulla", 4, {"open_last_stage": True}),
    ("cirulla", 4, {"capture_optional": True}), ("cirulla", 4, {"matta_on_table": "reverts"}),
    ("cirullone-6-3", 4, MUST), ("cirullone-rivarolo", 4, MUST), ("cirullone-9", 4, MUST | {"knock_timing": "deal"}),
    ("cirulla", 2, MUST | {"deal_plan": "9,9"}), ("cirulla", 3, MUST | {"deal_plan": "6,6", "matta_low": "ace"}),
    ("cirulla", 2, MUST), ("cirulla", 3, MUST | {"hand_both": "sum"}),
    ("cirulla", 4, MUST | {"capture_optional": True}),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "players", "changes"), RULES)
def test_every_policy_plays_by_the_rules(preset: str, players: int, changes: dict[str, Any]) -> None:
    """The referee accepts their plays and the sets they show; where sets must be shown, nobody waits."""
    rules = build(preset, players=players, changes=changes)
    policies = [("random", 1), ("wary", 2), ("careful", 4), ("search:2", 1), ("open", 1), ("search:1:search:1", 1)]
    for policy, hands in policies + [(SILENT, 8)] * ("show_bonus" in changes):
        for index in range(hands):
            record = hand_record(Experiment(rules, (policy,), 10**6, 61), index, preset)
            replay(record, asdict(rules), always_knock=False)


def margin(better: str, worse: str, rules: Rules, hands: int) -> tuple[float, float]:
    seated = tournament.arrangements(rules.sides, better, worse)
    rows = [tournament.play_deals(Experiment(rules, names, 10**6, 63), 0, hands) for names in seated]
    mean = tournament.mean_of(*tournament.deal_margins(np.stack(rows, axis=1)))
    return mean.value, mean.std_error


@pytest.mark.parametrize(
    ("better", "worse", "players", "hands", "least"),
    [
        ("greedy", "random", 2, 1000, 5.0),
        ("careful", "greedy", 2, 1000, 2.0),
        ("careful", "greedy", 3, 4000, 0.5),
        ("wary", "greedy", 2, 2000, 0.6),
        ("careful", "wary", 2, 1000, 1.5),
        pytest.param("search:16", "careful", 4, 1000, 0.6, marks=pytest.mark.slow),
        ("open", "careful", 2, 200, 1.5),
    ],
)
def test_the_ladder(better: str, worse: str, players: int, hands: int, least: float) -> None:
    """Each policy beats the next weaker one by at least this margin, less three standard errors."""
    mean, error = margin(better, worse, build(players=players), hands)
    assert mean > least - 3 * error
    assert mean > 3 * error


def test_wary_plays_as_its_example_in_python() -> None:
    """The user policy of ``analyses`` is written apart, without the kernel's tables; it knows no declared matta."""
    for rules in (build(players=2, houses=["no-matta"]), build(players=4, houses=["no-matta"])):
        rows = [play_rows(Experiment(rules, (name,), 10**6, 64), 0, 500)[0] for name in ("wary", f"{EXAMPLE}:wary")]
        assert np.array_equal(*rows)


# ---------------------------------------------------------------- a hand is a pure function of its number

SEATED = [
    *(
        Experiment(build(players=players), names, 10**6, 71)
        for players in (2, 4)
        for names in (("careful", "greedy"), ("search:4", "open"), ("search:2:careful", "search:1:search:1"))
    ),
    Experiment(build("scopa", players=2), ("search:4", "careful"), 10**6, 71),
    Experiment(build("cirullone"), ("search:1:careful", "careful"), 10**6, 71),
    Experiment(build(players=4, houses=["optional-capture"]), ("search:2",), 10**6, 71),  # large tables
]


def fill(record: Any, but: tuple[str, ...] = ()) -> None:
    """Fill a record, or an array of records, with NaN or meaningless integers."""
    for name in record.dtype.names:
        part = record[name]
        if name in but:
            continue
        if part.dtype.names:
            fill(part)
        else:
            bits = 8 * part.dtype.itemsize - (part.dtype.kind == "i")
            record[name] = np.nan if part.dtype.kind == "f" else 0xDEAD_BEEF_DEAD_BEEF >> 64 - bits


def test_hands_do_not_depend_on_what_was_played_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hands one by one in reverse order, experiments alternating, on two threads with spoilt workspaces."""
    hands, prepare = 4, policies.Workspace.prepare
    truth = [play_rows(experiment, 0, hands) for experiment in SEATED]

    def spoilt(workspace: policies.Workspace, *given: Any) -> None:
        prepare(workspace, *given)
        fill(workspace.mind, but=("tables", "weights", "win", "win_size", "to_show"))

    monkeypatch.setattr(policies.Workspace, "prepare", spoilt)
    turns = [(number, hand) for hand in reversed(range(hands)) for number in range(len(SEATED))]
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda turn: play_rows(SEATED[turn[0]], turn[1], 1), turns)
        for (number, hand), result in zip(turns, results, strict=True):
            rows, digests = truth[number]
            assert (result[0] == rows[hand]).all()
            assert result[1] == digests[hand]


def test_games_do_not_depend_on_what_was_played_before() -> None:
    """The same games at once, and one by one in reverse order, with another game between them."""
    seats = ("search:1", "careful", "search:1:search:1")
    games, other = (
        Games(build(players=len(names), changes={"target": 11}), names, 4, 72)
        for names in (seats, ("careful", "search:2"))
    )
    truth = games.play(0, 4, rows=True)[1]
    for number in reversed(range(4)):
        other.play(0, 1)
        assert (games.play(number, 1, rows=True)[1][0] == truth[number]).all()


# ---------------------------------------------------------------- information of a seat


def chosen_play(policy: str, players: int, holding: list[int], table: list[int], rest: list[int]) -> int:
    """The play of seat 0 at the start of a hand, with the other cards dealt in this order."""
    from numba import njit

    from cirulla_sim.engine.chunks import prepare_play
    from cirulla_sim.kernel.game.captures import make_table
    from cirulla_sim.kernel.game.hand import call_ask
    from cirulla_sim.kernel.game.plays import Moment

    @njit(_nrt=False, error_model="numpy")
    def ask(r, w, policy, cards):
        zero = np.uint64(0)
        table = make_table(r, cards, r.matta_value)
        return call_ask(w.asker, r, w, policy, table, Moment(zero, zero, zero, zero))

    play = ASKERS.setdefault("ask", ask)
    r, codes, w = prepare_play(Experiment(build(players=players), (policy,), 10, 1))
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
    for _ in range(12):
        deck = rng.sample(range(40), 40)
        for policy in changed:
            plays = set()
            for _ in range(4):
                rest = rng.sample(deck[7:], 33)
                plays.add(chosen_play(policy, players, deck[:3], deck[3:7], rest))
            changed[policy] += len(plays) > 1
    assert changed.pop("open") > 1
    assert set(changed.values()) == {0}


@pytest.mark.parametrize(("name", "seat"), [("next_player", 1), ("partner", 2)])
def test_a_policy_shown_the_cards_of_one_seat_knows_no_others(name: str, seat: int) -> None:
    """New cards for that seat change plays; new cards for the other seats change none."""
    policy = f"{Path(__file__).parents[1]}/analyses/forced.py:thinking_ahead_seeing_the_{name}"
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
            plays[0].add(chosen_play(policy, 4, own, table, anew))
            others = [card for card in anew if card not in shown]
            plays[1].add(chosen_play(policy, 4, own, table, others[:at] + shown + others[at:]))
        by_seat += len(plays[0]) > 1
        by_others += len(plays[1]) > 1
    assert by_seat > 3
    assert by_others == 0


def weights_after(policy: str, hands: int, players: int = 4) -> NDArray[np.float64]:
    """float64[hands, styles]: the posterior of the style of play of the dealer's side after hands of ``policy``."""
    rules, weights = build(players=players), []
    for hand in range(hands):
        work = chunks.play_one_hand(Experiment(rules, ("search:1", policy), 10**6, 80), hand)
        weights.append(np.array(work.styles[rules.sides - 1], float))
    return np.array(weights) / 2**20


def test_styles_of_play_are_inferred() -> None:
    """The likeliest style after a hand is nearly always the right one; for players who are neither, mostly."""
    right = {"careful": (0, 0.9), "greedy": (1, 0.75), "search:8": (2, 0.4), "random": (2, 0.7)}
    for players in (2, 4):
        for policy, (style, least) in right.items():
            weights = weights_after(policy, 20, players)
            assert np.allclose(weights.sum(axis=1), 1)
            assert (weights.argmax(axis=1) == style).mean() >= least


# ---------------------------------------------------------------- user policies


OWN = """
import numpy as np
from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount

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

def raises(view, plays):
    if view.turn == 1:
        raise ValueError("no idea")
    return 0

@helper
def drawn(n):
    return np.random.randint(0, n)

def draws(view, plays):
    return drawn(len(plays))
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
        (
            "raises",
            r"raised ValueError: no idea \(own_policies.py, line \d+\) in hand 0 of seed 64, play \d+: (first|dealer) ",
        ),
        ("draws", r"draws random numbers that differ in every run \(valid: roll\(view, n\)"),
    ],
)
def test_an_invalid_user_policy_is_refused_in_one_line(own: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        play_chunk(Experiment(build(players=2), (f"{own}:{name}",), 10, 64), 0, 5)
    assert "\n" not in str(raised.value)


# ---------------------------------------------------------------- the solver


def last_stage(rules: Rules, holdings: list[int], table: int, piles: list[int]) -> HandState:
    """A position in the last stage, from masks of cards: seat 0 is to play and has captured last."""
    matta_value = 0 if rules.matta is None else VALUES[parse(rules.matta)]
    nothing = (0,) * rules.sides
    return HandState(
        rules, len(rules.deal_plan) - 1, tuple(held.bit_count() for held in holdings), tuple(holdings), table,
        tuple(piles), nothing, 0, matta_value, ((),) * rules.players,
    )  # fmt: skip


def solved(moment: HandState, score: tuple[int, int] | None = None, win: Any = None) -> judge.Solution:
    return judge.solve_turn(moment, moment.known, score, win)


def lead(points: list[int], side: int) -> float:
    others = [p for s, p in enumerate(points) if s != side]
    return points[side] - sum(others) / len(others)


def for_points(rules: Rules) -> Callable[..., float]:
    """What a side maximises: its lead, or where the fewest points win what it is behind."""
    return lambda points, side: rules.pays * lead(points, side)


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


def played_by_the_referee(moment: HandState) -> tuple[dict, Hand, list[set[str]], int, int]:
    """The arguments of ``minimax`` for a position."""
    data, held = asdict(moment.rules), [set(texts(cards)) for cards in moment.known]
    hand = Hand(data, texts(moment.table))
    hand.piles = [set(texts(pile)) for pile in moment.piles]
    hand.last_capture_by = moment.last_capture
    hand.plays = 40 - moment.rules.table_cards - sum(map(len, held))
    hand.start_stage([sorted(h) for h in held])
    return data, hand, held, moment.seat, sum(map(len, held))


def test_the_solver_of_three_players_against_plain_minimax() -> None:
    """In random positions with two cards in each hand, the best play has the same value."""
    players, rules, rng = 3, build(players=3), random.Random(65)
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


def near_the_end(rules: Rules, rng: random.Random) -> HandState:
    """A position before the last play, or the last two of two sides, where sides have most cards of a suit or few."""
    left = 2 if rules.sides == 2 else 1
    deck = rng.sample(range(40), 40)
    held = [0] * (rules.players - left) + [1 << card for card in deck[:left]]
    table, piles = deck[left : left + rng.choice([1, 4])], [0] * rules.sides
    most = [rng.randrange(rules.sides) for _ in range(4)]
    for card in deck[left + len(table) :]:
        piles[most[card // 10] if rng.random() < 0.95 else rng.randrange(rules.sides)] |= 1 << card
    return last_stage(rules, held, sum(1 << card for card in table), piles)


def test_the_solver_scores_a_hand_as_the_referee_does() -> None:
    """For every choice of the last plays, under rules drawn at random: no category is left out."""
    rng, paid = random.Random(66), set()
    for _ in range(150):
        rules = odd_rules(rng)
        for _ in range(4):
            moment = near_the_end(rules, rng)
            solution = solved(moment)
            for choice, points in zip(solution.choices, solution.points.tolist(), strict=True):
                data, hand, held, seat, left = played_by_the_referee(moment)
                card, got = card_of(choice.play), captured(choice.play)
                taken = ITSELF if got == 1 << card else frozenset(texts(got))
                hand.play(seat, texts(1 << card)[0], taken, left == 1)
                held[seat].clear()
                truth = minimax(data, hand, held, (seat + 1) % rules.players, left - 1, for_points(rules))
                assert lead(points[: rules.sides], 0) == lead(truth, 0), (rules, moment, choice)
                paid |= {name for side in deepcopy(hand).finish()[0] for name, number in side.items() if number}
    assert paid >= {"cards", "diamonds", "settebello", "primiera", "grande", "piccola", "scope"}


@njit(
    types.void(
        flat_type, mind_type, types.uint64[::1], types.int32[:, ::1], types.uint64[::1], types.float32[::1]
    ).numba
)
def score_and_value(r, mind, piles, score, scratch, worths):
    for side in range(2):
        worths[side] = side_worth(r, mind, piles[side], piles[1 - side])
    score_hand(r, piles, score, scratch)


def test_whole_piles_are_worth_what_they_score() -> None:
    """Of two sides that share all cards; where the primiera is tied, or nobody's, each is worth half of its points."""
    rng, compared = random.Random(67), 0
    for _ in range(100):
        rules = odd_rules(rng)
        if rules.sides > 2:
            continue
        workspace = policies.Workspace()
        workspace.prepare(rules)
        for share in (0.5, 0.5, 0.2, 0.02):
            piles, worths = np.zeros(4, np.uint64), np.zeros(2, np.float32)
            mine = mask([card for card in range(40) if rng.random() < (share if card // 10 == 1 else 0.5)])
            piles[:2] = mine, mine ^ mask(range(40))
            score = np.zeros((4, len(COLUMNS)), np.int32)
            score_and_value(flat_rules(rules), workspace.mind, piles, score, np.zeros(4, np.uint64), worths)
            if score[:2, COLUMN["primiera_won"]].any() or not rules.primiera_point:
                assert worths.tolist() == pytest.approx(rules.pays * score[:2, COLUMN["total"]], abs=1e-3), rules
                compared += 1
    assert compared > 100


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
    for number in range(50):
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
        if number < 10:
            truth = minimax(*played_by_the_referee(moment), wins)
            assert by_chance.wins.max() == wins(truth, 0)
    assert differ > 0


TRAILING = """
from cirulla_sim.engine.policy_api import Variant, captured, helper

@helper
def trail(rules, view, choices, mind):
    left = 0
    for i in range(choices.size):
        if mind.to_show or captured(choices[i]) == 0:
            choices[left] = choices[i]
            left += 1
    return left

@helper
def beyond(rules, view, choices, mind):
    return choices[choices.size]

one, none, wrong = Variant("search:1", trail), Variant("greedy", trail), Variant("careful", beyond)
"""


def test_a_hand_with_nearly_the_whole_pack_on_the_table_ends(tmp_path: Path) -> None:
    """Where nobody captures, a card has ten thousand captures in the end: every search of them is cut off."""
    file = tmp_path / "trailing.py"
    file.write_text(TRAILING, "utf-8")
    rules = build("cirulla-parlett", players=2)
    experiment = Experiment(rules, (f"{file}:one",), 1, 5)
    rows = play_rows(experiment, 0, 1)[0]
    with pytest.raises(InputError, match="unknown policy 'greedy'"):
        policies.load_policy(f"{file}:none")
    with pytest.raises(InputError, match="wrong' answered '-1' where it had"):
        play_rows(Experiment(rules, (f"{file}:wrong",), 1, 5), 0, 1)
    assert rows[0, row_names(experiment.rules).index("side0_captures")] == 0


PLAIN = """
def compiled(view, plays):
    return len(plays) - 1


def plain(turn):
    return turn.choices[-1]


def failing(turn):
    return turn.nothing


def wrong(turn):
    return None
"""


def test_a_plain_policy_plays_the_hands_of_its_compiled_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "twins_in_plain_python.py"
    file.write_text(PLAIN, "utf-8")
    import twins_in_plain_python as twins  # type: ignore[import-not-found]

    for rules, players in (("cirulla", 2), ("cirullone", 4)):
        compiled, named, passed = (
            cs.simulate(rules, players=players, policy=policy, hands=50)
            for policy in (f"{file}:compiled", f"{file}:plain", twins.plain)
        )
        for result in (named, passed):
            assert result.frame.equals(compiled.frame)
            assert any("plain Python" in remark for remark in result.remarks)
        assert passed.metadata["sources"].keys() == {"twins_in_plain_python:plain"}
    compiled, plain = (cs.compare("scopa", house="simple-primiera", policy=policy, hands=20)
                       for policy in (f"{file}:compiled", f"{file}:plain"))  # fmt: skip
    assert plain.frame.equals(compiled.frame)
    compiled, plain = (cs.games(policy=["random", policy], games=4).frame.drop("policy")
                       for policy in (f"{file}:compiled", f"{file}:plain"))  # fmt: skip
    assert plain.equals(compiled)
    with pytest.raises(InputError, match=r"raised AttributeError: .* \(twins_in_plain_python.py, line 11\) in hand 0"):
        cs.simulate(policy=twins.failing, hands=10)
    with pytest.raises(InputError, match="valid: one of the choices"):
        cs.simulate(policy=twins.wrong, hands=10)


SLOW = """
asked = 0

def slow(turn):
    global asked
    asked += 1
    return turn.choices[0]
"""


class Foreseeing(Watch):
    """Notes what is foretold of a run, and ends it."""

    def __init__(self) -> None:
        self.foretold: list[tuple[str, float, float]] = []

    def expected(self, policy: str, seconds: float, whole: float) -> None:
        self.foretold.append((policy, seconds, whole))
        raise KeyboardInterrupt


def test_a_slow_policy_plays_one_hand_before_a_run_whose_time_is_foretold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slow_policies.py").write_text(SLOW, "utf-8")
    import slow_policies  # type: ignore[import-not-found]

    rules, name = build(players=2), "slow_policies:slow"
    monkeypatch.setattr(chunks, "TRIAL_SECONDS", 0.0)  # every hand takes too long to play a second one
    for _ in range(2):
        tournament = job_of(Request("tournament", choose(rules), tuple(map(LineUp.parse, (name, "greedy"))),
                                    effort=Effort(number=40, seed=5)))  # fmt: skip
        tournament.check()
        assert tournament.costs[name] > 0
        assert len({tournament.fingerprint, fingerprint(Games(rules, ("greedy", name)))}) == 2
    in_checks = slow_policies.asked
    chunks.play_chunk(chunks.Seating(rules, (name, name)), 0, 1)
    assert slow_policies.asked == 2 * in_checks > 0
    monkeypatch.setattr(runner, "try_policy", lambda rules, name: chunks.PolicyTest(np.zeros(0, np.int64), 3.0))
    watch = Foreseeing()
    for verb in (cs.tournament, cs.simulate):
        with pytest.raises(KeyboardInterrupt):
            verb(players=2, policy=[name, "greedy"], hands=40, progress=watch)
    assert watch.foretold == [(name, 3.0, 40 * 2 * 1.5), (name, 3.0, 40 * 3.0)]


def test_random_may_leave_a_card_on_a_large_table() -> None:
    """Where no card must capture, also on the tables of seven cards and more that are looked through one by one."""
    experiment, left = Experiment(build(houses=["optional-capture"]), ("random",), 1000, 3), 0
    for number in range(200):
        record = hand_record(experiment, number)
        table = set() if record["table_bonus"] else set(record["table"])
        for play in (play for stage in record["stages"] for play in stage["plays"]):
            could_take = any(card[0] == play["card"][0] for card in table)
            left += len(table) >= 7 and could_take and not play["captured"]
            table = table - set(play["captured"]) if play["captured"] else table | {play["card"]}
    assert left > 2
