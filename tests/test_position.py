"""Questions in mid-hand: captures against the referee, chances against every way of dealing the unseen cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import hand_bonuses, is_scopa, legal_captures
from referee.cards import PACK, own_value
from referee.held_cards import HELD

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core import cards
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.questions.counting import counted, weighing
from cirulla_sim.questions.known_deals import known_position
from cirulla_sim.questions.meaning import Speaker
from cirulla_sim.questions.question import read_question
from cirulla_sim.questions.unseen import UnseenCards
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.next_players import NextPlayers, next_deal
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import order_of_play
from cirulla_sim.situation.positions import followers

HOUSES = ("no-matta", "queen-matta", "matta-ace", "no-triple-bonus", "ace-only-when-blocked", "open-partners")


def bits(texts: list[str] | set[str]) -> int:
    return cards.mask(map(cards.parse, texts))


def found_by(rules: Rules, table: list[str], mine: list[str], gone: list[str], held: tuple[int, ...], matta: int = 0,
             shown: list[list[str]] | None = None) -> NextPlayers:  # fmt: skip
    """What the other players find, however many cards each of them holds."""
    value = matta or (0 if rules.matta is None else own_value(rules.matta))
    return NextPlayers(
        rules, bits(table), bits(mine), bits(gone), held, tuple(map(bits, shown or [[]] * len(held))), value
    )


class Seen:
    """What the player at seat 0 sees, however many cards the others hold: as much of a position as is counted."""

    constraints = None

    def __init__(self, position: NextPlayers) -> None:
        self.rules, self.unseen = position.rules, position.unseen
        self.fields = {"seat": 0, "stage": 0, "holding": position.holding, "table": position.table}
        self.held = (1, *position.held)

    def field(self, name: str) -> int:
        return self.fields[name]

    def by_seat(self, name: str) -> tuple[int, ...]:
        assert name == "held"
        return self.held


def chances(position: NextPlayers, question: str, *players: str) -> dict[str, Fraction]:
    """The chance of each following player, and of groups of them; ``P`` stands for the player."""
    space = UnseenCards(Seen(position))  # type: ignore[arg-type]
    space.__dict__["_next"] = position
    answers = {}
    for player in players or (*position.names, "them", "others"):
        parsed = read_question(question.replace("P", player), Speaker(position.rules, 0))
        cases = space.cases(parsed.terms)
        assert cases is not None
        sums = counted(parsed, cases.frame, weighing(cases))
        answers[player] = Fraction(sums.matching[""].count, sums.given[""])
    return answers


# ------------------------------------------------------------------------------------------------ captures


@pytest.mark.parametrize("name", [*preset_names(), *HOUSES])
def test_takers_agree_with_all_subsets_of_the_table(name: str) -> None:
    rules = build(name) if name in preset_names() else build(houses=[name])
    data = asdict(rules)
    rng = random.Random(name)
    for size in (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9):
        table = rng.sample(PACK, size)
        matta_value = rng.randint(1, 10)
        lying = {c: matta_value if c == rules.matta else own_value(c) for c in table}
        target = frozenset(rng.choice([table, rng.sample(table, min(1, size)), []]))
        result = {card: legal_captures(data, lying, lying.get(card, own_value(card))) for card in PACK}
        if rules.matta is not None:
            result[rules.matta] = legal_captures(data, lying, matta_value)
        value = {card: matta_value if card == rules.matta else own_value(card) for card in PACK}
        able = {c for c in PACK if any(got >= target for got in result[c])}
        scoring = {c for c in able if any(g >= target and is_scopa(data, lying, value[c], g, False) for g in result[c])}
        assert takers(rules, bits(table), bits(set(target)), matta_value) == (bits(able), bits(scoring)), (
            table,
            target,
        )


# ------------------------------------------------------------------------------------------------ chances


def dealings(unseen: list[str], counts: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways of dealing a number of unseen cards to each player."""
    if not counts:
        yield ()
        return
    for first in combinations(unseen, counts[0]):
        for others in dealings([c for c in unseen if c not in first], counts[1:]):
            yield (first, *others)


def can(rules: Rules, lying: dict[str, int], question: str, holding: tuple[str, ...], may_knock: bool) -> bool:
    """Whether a player with this holding can do what is asked, by the referee."""
    verb, _, rest = question.rstrip(")").replace("(P", "").partition(", ")
    if verb == "holds":
        return any(card == rest or card[0] + "*" == rest for card in holding)
    data = asdict(rules)
    target = frozenset(lying) if verb != "can_capture" else frozenset([rest] if rest else [])
    values = {own_value(card) for card in holding}
    if may_knock and rules.matta in holding:
        for three in combinations(holding, 3):
            if rules.matta in three:
                values |= {matta_as for _, matta_as in hand_bonuses(data, list(three)) if matta_as}
    return any(
        got >= target and (verb != "can_score" or is_scopa(data, lying, value, got, False))
        for value in values
        for got in legal_captures(data, lying, value)
    )


SWEEP, ACE = "can_sweep(P)", {"matta_low": "ace"}
POSITIONS = [
    # rules, table, matta declared as, unseen, cards held by each, which may knock, cards shown, question
    ("cirulla", {}, "3c 5d", None, "7h Ah 2h 4s 4c Kd Jd Qs", (3, 2, 2), "yes no no", {}, SWEEP),
    ("cirulla", {}, "Ac 5d 7c", None, "7h Ah 2h 3h 2c Ks Jd Qd 5c", (3, 3, 2), "yes yes no", {}, SWEEP),
    ("cirulla", {}, "Ac 5d 7c", None, "7h Ah Ad 3h 3c Ks Kd Qd", (3, 3, 2), "yes yes no", {}, "can_capture(P, 5d)"),
    ("cirulla", {}, "4c 7d 2s", None, "7h Ah 6h Jh 3h Js Jd Kd Qd", (3, 2, 1), "yes no no", {}, "can_capture(P, 7d)"),
    ("cirulla", ACE, "3c 3s", None, "7h 6h 6c Ad 2d 4d Ks Kd", (3, 3, 1), "yes yes no", {}, "can_capture(P)"),
    ("cirulla", {"knock_timing": "deal"}, "3c 3s", None, "7h 6h 6c Ad 2d 4d Ks Kd", (3, 3, 1), "no no no", {}, SWEEP),
    ("cirulla", {}, "7h 6d", 2, "Ah 2h 4c 4d Ks Kd Js 5c", (2, 2, 1), "no no no", {}, SWEEP),
    ("cirulla", {}, "6c 6d", None, "Ah 2h 4c 4d Ks Kd Js 5c", (3, 2, 1), "no no no", {1: "7h 2d 3d"}, SWEEP),
    ("cirulla", {}, "6c 6d", 3, "4h 2h 4c 4d Ks Kd Js 5c", (3, 2, 1), "no no no", {1: "7h 2d 3d"}, SWEEP),
    ("cirulla", {}, "6c", None, "7h 7d 2h 4c 4d Ks 7c", (2, 2, 1), "no no no", {2: "2c"}, "holds(P, 7*)"),
    ("cirulla", {}, "6c", None, "7h 7d 2h 4c 4d Ks 7c", (3, 2, 0), "yes no no", {}, "holds(P, 7h)"),
    ("cirulla", ACE, "Ac 5d 7c", None, "7h Ah 3h 3d 2s Ks Kd Qd", (3, 2, 1), "yes no no", {}, SWEEP),
    ("cirullone-rivarolo", {}, "Ac 5d 7c", None, "7h Ah 3h 4d 2s Ks Kd Qd", (4, 3, 0), "no yes no", {}, SWEEP),
    ("scopa-assi", {}, "6c 7d", None, "Ah Ad 2h 4c 4d Ks 7c", (3,), "no", {}, "can_score(P)"),
    ("scopa-assi", {}, "6c 7d", None, "Ah Ad 2h 4c 4d Ks 7c", (3,), "no", {}, SWEEP),
    ("cirullone", {}, "Qs 2d", None, "7h Ah Ac 2h 3d 3s Ks Kd", (4, 2, 2), "yes no no", {}, SWEEP),
    ("cirullone", {}, "2c 2d Js", None, "7h Ah Ac 2h 3d Ks Kd", (4, 1, 1), "yes no no", {1: "5h"}, SWEEP),
    ("cirullone-rivarolo", {}, "2c 2d Js", None, "7h Ah Ac 2h 3d Ks Kd", (4, 3, 0), "no yes no", {}, SWEEP),
]  # fmt: skip


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: f"{case[0]} {case[-1]} {case[2]}")
def test_chances_are_counted_over_every_way_of_dealing(case) -> None:
    name, changes, table, matta_as, unseen_text, held, knocks, shown, question = case
    rules = build(name, changes={k: str(v) for k, v in changes.items()})
    unseen = unseen_text.split()
    lying_cards = table.split()
    shown_cards = [shown.get(place + 1, "").split() for place in range(len(held))]
    away = [c for c in PACK if c not in (*unseen, *lying_cards, *(c for its in shown_cards for c in its))]
    position = found_by(rules, lying_cards, away[:1], away[1:], held, matta_as or 0, shown_cards)
    lying = {c: matta_as if c == rules.matta and matta_as else own_value(c) for c in lying_cards}
    may_knock = [word == "yes" for word in knocks.split()]
    plays = not question.startswith("holds")
    counts, ways = dict.fromkeys(chances(position, question), 0), 0
    for dealt in dealings(unseen, position.hidden):
        ways += 1
        able = []
        for its_shown, hidden, knocker in zip(shown_cards, dealt, may_knock, strict=True):
            first = plays and rules.big_holdings and rules.bonus_cards_first and its_shown
            holding = tuple(its_shown) if first else (*its_shown, *hidden)
            values = dict.fromkeys([rules.matta], matta_as) if matta_as and rules.matta in its_shown else {}
            if values:  # a matta shown is played as declared: as another card of that value
                holding = tuple(PACK[matta_as - 1] if c == rules.matta else c for c in holding)
            able.append(can(rules, lying, question, holding, knocker))
        groups = dict(zip(("next", "partner", "previous"), able, strict=False)) | {"others": any(able)}
        groups["them"] = able[0] or able[-1]
        for player in counts:
            counts[player] += groups[player]
    assert chances(position, question) == {player: Fraction(count, ways) for player, count in counts.items()}


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.data())
def test_chances_depend_on_the_unseen_cards_alone(data) -> None:
    """Players with as many cards hold a card with equal chance; removing a useless card never lowers a chance."""
    order = data.draw(st.permutations(PACK))
    table, holding, seen = order[:3], order[3:5], order[5 : 5 + data.draw(st.integers(0, 20))]
    rules = build(data.draw(st.sampled_from(["cirulla", "cirulla-online", "scopa-team"])))
    held = (3, 2, 3)
    position = found_by(rules, table, holding, seen, held)
    unseen = position.unseen.bit_count()
    hidden = order[5 + len(seen)]
    assert [chances(position, f"holds(P, {hidden})")[p] for p in ("next", "partner", "previous", "others")] == [
        Fraction(n, unseen) for n in (*held, sum(held))
    ]
    before = chances(position, "can_sweep(P)", "next", "previous", "them")
    assert before["next"] == before["previous"] <= before["them"]
    able, _ = takers(rules, position.table, position.table, position.matta_value)
    if not able >> cards.parse(hidden) & 1 and hidden != rules.matta:
        more_seen, fewer_seen = (found_by(rules, table, holding, gone, (2, 2, 2)) for gone in ([*seen, hidden], seen))
        assert chances(more_seen, "can_sweep(P)", "next")["next"] >= chances(fewer_seen, "can_sweep(P)", "next")["next"]


# ------------------------------------------------------------------------------------------------ what is held


@pytest.mark.parametrize(
    ("name", "players"),
    [("cirulla", 2), ("cirulla", 3), ("cirulla", 4), ("scopa", 3), ("cirullone", 4), ("cirullone-6-3", 4),
     ("scopone-scientifico", 4)],
)  # fmt: skip
def test_held_and_next_cards_agree_with_played_hands(name: str, players: int) -> None:
    """After every play of some hands: what a seat infers from its own cards agrees with the holdings of the others."""
    rules = build(name, players=players)
    order = order_of_play(rules)
    for index in range(3):
        record = hand_record(Experiment(rules, hands=3, seed=11), index, name)
        gone = set() if record["table_bonus"] is None else set(record["table"])
        table = set(record["table"]) - gone
        for stage, dealt in enumerate(record["stages"]):
            holdings = [list(held) for held in dealt["hands"]]
            for play in dealt["plays"]:
                seat, card, captured = play["seat"], play["card"], set(play["captured"])
                holdings[seat].remove(card)
                gone |= captured | ({card} if captured else set())
                table = (table - captured) | (set() if captured else {card})
                held = tuple(len(holdings[(seat + step) % players]) for step in range(1, players))
                mine = " ".join(holdings[seat])
                text = f"me: {mine}; table: {' '.join(table)}; to play: next; i am: {order[seat]}"
                now = known_position(rules, Situation.parse(text + (f"; gone: {' '.join(gone)}" * bool(gone)))).first
                position = followers(now)
                assert (now.forgotten, now.field("stage")) == (0, stage)
                more = stage + 1 < len(rules.deal_plan)
                assert position.held == (held if any(held) or not more else (rules.deal_plan[stage + 1],) * len(held))
                if more and any(held):
                    assert next_deal(position) == rules.deal_plan[stage + 1]
                elif not more:
                    with pytest.raises(InputError, match="there is none: 0 cards"):
                        next_deal(position)


# ------------------------------------------------------------------------------------------------ the command

AT = "table: 3c 5d; me: 7d Ks; to play: next"


@pytest.mark.parametrize("kind", ["barsega", "barsegon", "misci", "bonus", "bonus_points"])
@pytest.mark.parametrize("name", ["cirulla", "cirulla-dossena", "cirulla-online"])
def test_sets_of_the_next_stage_are_counted_over_every_holding(kind: str, name: str) -> None:
    """The records' own count of the sets of each of the C(34, 3) holdings that may be dealt next."""
    rules = build(name)
    visible = ["3c", "5d", "7d", "Ks", "2h", "Qc"]
    record, total = {"table": [], "stages": [{"hands": [[]]}]}, 0
    for holding in combinations([card for card in PACK if card not in visible], 3):
        record["stages"][0]["hands"][0] = list(holding)
        total += HELD[kind](record, asdict(rules), seats=(0,))
    answer = (
        cs.odds(f"mean({kind}(next, stage 2))", at=f"{AT}; gone: 2h Qc; stage: 1; i am: dealer", rules=name)
        .frame["exact"]
        .item()
    )
    assert Fraction(answer) == Fraction(total, comb(34, 3))


@pytest.mark.parametrize(
    ("preset", "players", "question", "at"),
    [
        ("cirulla", 4, "can_sweep(P)", "table: 3c 5d; me: 7d Ks 2h"),
        ("cirulla", 2, "can_sweep(P) and not can_capture(P, 5d)", "table: 3c 5d; me: 7d Ks 2h; i am: first"),
        ("cirulla", 3, "can_score(P) or sevens(P) = 2", "table: 3c 5d; me: 7d Ks 2h; i am: second"),
        ("cirulla", 4, "can_sweep(P)", "table: 6c 6d; me: ; to play: next; i am: dealer"),  # a matta known as an ace
        ("cirulla", 4, "can_capture(P, 5d)", "table: Ac 5d 7c; me: 2s 2d; shown next: 7h Ad; to play: next"),
        ("cirulla", 4, "diamonds(P) >= 2 or can_capture(P)", "table: 3c 5d; me: 7d Ks; to play: next; next: no kings"),
        (
            "cirullone",
            4,
            "can_sweep(P)",
            "table: 2c 2d Js; me: 3h 5h Kd; to play: next; shown next: 7h Ad; i am: third",
        ),
        ("cirullone-rivarolo", 4, "can_sweep(P)", "table: 2c 2d Js; me: 3h 5h Kd Kc Ks; to play: next; i am: third"),
        ("cirullone-6-3", 4, "bonus(next, stage 2)", "table: 6c 6d; me: Ah; to play: next; stage: 1"),
        ("cirulla", 4, "aces(P) = 1 and bonus(next, stage 2)", "table: 6c 6d; me: Ah 2d; to play: next; stage: 1"),
        ("scopone-scientifico", 4, "can_sweep(P) or total(P) > 60", "table: 6c 6d; me: Ah 2d 3c 4s; to play: next"),
    ],
)
def test_chances_agree_with_cards_dealt(preset: str, players: int, question: str, at: str) -> None:
    """Within 4.5 standard errors of 60,000 deals: some 30 comparisons, by chance one fails in 5,000 sets of deals."""
    names = ["next", "them", "others", "previous"] if question.count("can_") == question.count("P") > 0 else ["next"]
    texts = [question.replace("P", name) for name in names[: 3 if players == 2 else 4]]
    both = cs.odds(texts, at=at, rules=preset, players=players, check=60_000, progress=False).frame
    assert both["exact"][0] is not None  # of several players there may be too many cases
    assert both["difference"].drop_nulls().abs().max() < 4.5
    never = f"({texts[0]}) and not ({texts[0]})"
    assert cs.odds(never, at=at, rules=preset, players=players).frame["exact"].item() == "0"


def test_positions_with_very_many_deals_are_counted() -> None:
    """Six holdings of 33 unseen cards: more ways than 64 bits hold."""
    text = " or ".join(f"holds(next, 4d, stage {stage})" for stage in range(1, 7))
    answer = cs.odds(text, at="table: 3c 5d 6h Kh; me: 7d Ks 2h; i am: first", players=2)
    assert answer.frame["exact"].item() == "6/11"


def test_the_command_says_which_cards_will_do(capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["odds", "can_sweep(next)", "can_sweep(them)", "--at", f"{AT}; gone: Ah Ad; i am: third"])
    out, err = capsys.readouterr()
    assert stop.value.code == 0
    assert "921/1496" in out
    assert err == (
        "3 captured cards are not named: they may be any of the unseen ('captured us: ...', 'gone: ...').\n"
        "Cards held: next 3, partner 2, previous 2.\n"  # the partner has played in this round
        "9 of 34 unseen cards will do: 7h Jh Jd Ac 7c Jc As 7s Js.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swep", AT], "unknown word 'swep': did you mean 'sweep' or 'can_sweep'?"),
        (["can_capture(4d)", AT], "4d does not lie on the table"),
        (["can_capture(settebello)", AT], "7d does not lie on the table and cannot be taken"),
        (["holds(next)", AT], "of which card?"),
        (["low(next)", AT], "low is of three cards, and 2 are held"),
        (["bonus(next, stage 1)", f"{AT}; stage: 2"], "this position is of stage 2"),
        (["sweeps(us, stage 1)", f"{AT}; stage: 2"], "stage 1 is over"),
        (["bonus(next, stage 2)", AT, "--rules", "cirullone"], "there is one stage"),
        (["wins_game", AT], "wins_game cannot be asked in mid-hand"),
        (["leftovers", AT], "leftovers cannot be asked in mid-hand"),
        (["points(us, after stage 1)", AT], "the score after a stage cannot be asked in mid-hand"),
        (["can_sweep", f"{AT}; gone: 2c 2c"], "--at: gone: card '2c' is given twice"),
        (["can_sweep", f"{AT}; gone: 2c ks"], "Ks is named twice, in 'gone' and in 'me'"),
        (["can_sweep", "table: 3c 3x; me: 2h"], "--at: table: unknown card '3x': did you mean '3"),
        (["can_sweep", "table: 3c; me: 2h 3h 4h 5h"], "--at: me: 4 cards cannot be with me to play"),
        (["can_sweep", "table: 3c"], "a position says what you hold (add 'me: ...'"),
        (["can_sweep", "me: 3c; to play: next"], "a position says what lies on the table (add 'table: ...'"),
        (["can_sweep", "table: K* 3c; me: 2h; to play: next"], "'3c K*' leaves cards open (valid in a position"),
        ([AT], "no question about the position (valid: 'can_sweep(next)',"),
        (["can_sweep", f"{AT}; cards: next 2; i am: first"], "cards: next 2 cannot be when you hold 2, sit first"),
        (["can_sweep", f"{AT}; cards: x"], "cards: 'x' is not valid (valid: how many each holds, as"),
        (["can_sweep", f"{AT}; i am: third", "--players", "2"], "nobody is 'third' with 2 players"),
        (["can_sweep", f"{AT}; matta: 3"], "matta: 7h is neither on the table nor shown"),
        (["can_sweep", f"{AT}; shown 4: 2c"], "--at: shown 4: unknown player '4' (valid: "),
        (["can_sweep", f"{AT}; shown previous: 2c 2d 2h; i am: second"], "shown previous: 3 cards, and"),
        (["can_sweep", "table: 3c; me: ; to play: me"], "me: 0 cards cannot be with me to play"),
        (
            ["can_sweep", f"{AT}; gone: {' '.join(c for c in PACK if c not in ('3c', '5d', '7d', 'Ks', '2h', '4h'))}"],
            "cannot come from one deal",
        ),
    ],
)  # fmt: skip
def test_positions_that_cannot_be(arguments: list[str], message: str, capsys) -> None:
    *question, at = arguments[: 2 if len(arguments) > 1 else 1]
    with pytest.raises(SystemExit) as stop:
        main(["odds", *question, "--at", at, *arguments[2:]])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
