"""Replay a hand record by the rules alone, and raise the first disagreement."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from .bonuses import Claim, best_sets, claims_for_sets, hand_bonuses, table_bonus, table_status
from .captures import ITSELF, legal_choices
from .cards import PACK, dealer_opponents, dealer_seat, side_count, side_of
from .hand import Hand
from .scoring import no_points

RECORD_KEYS = {
    "rules", "players", "dealer", "seed", "hand", "misdeals", "table", "table_bonus", "stages", "last_capture_by",
    "piles", "scope", "points", "cappotto",
}  # fmt: skip
PLAY_KEYS = {"seat", "card", "as", "knock", "captured", "scopa"}
KNOCK_KEYS = {"points", "cards", "matta_as"}
TABLE_BONUS_KEYS = {"points", "matta_as", "captured"}


class RefereeError(Exception):
    """A record breaks the rules: one line with the place, the quantity, the expected value and the recorded one."""

    def __init__(self, where: str, what: str, expected: Any, got: Any) -> None:
        super().__init__(f"{where}: {what}: expected {text_of(expected)}, got {text_of(got)}")


def text_of(value: Any) -> str:
    """A value for an error message, with sets in a fixed order."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(text_of(item) for item in value)) + "}"
    return value if isinstance(value, str) else repr(value)


def expect(where: str, what: str, expected: Any, got: Any) -> None:
    """Raise unless the record has exactly the expected value; 1 does not equal true here."""
    if expected != got or isinstance(expected, bool) != isinstance(got, bool):
        raise RefereeError(where, what, expected, got)


def expect_in(where: str, what: str, allowed: Any, got: Any) -> None:
    """Raise unless the record has one of the allowed values."""
    if got not in allowed:
        raise RefereeError(where, what, f"one of {text_of(allowed)}" if allowed else "nothing", got)


def expect_keys(where: str, keys: set[str], got: dict) -> None:
    """Raise if a part of the record lacks some of its fields."""
    expect(where, "missing fields", set(), keys - got.keys())


def replay(record: dict, rules: dict, always_knock: bool = True) -> None:
    """Replay a hand record by these rules; raise ``RefereeError`` at the first disagreement.

    With ``always_knock`` every possible bonus must be claimed, in the sets that are worth most. Without it bonuses must
    be claimed where the rules say so, in whatever sets.
    """
    expect_keys("record", RECORD_KEYS, record)
    expect("record", "players", rules["players"], record["players"])
    expect("record", "dealer", dealer_seat(rules), record["dealer"])
    check_misdeals(record, rules)
    lost_by_misdeals = rules["misdeals_lose"] > 0 and len(record["misdeals"]) == rules["misdeals_lose"]
    if lost_by_misdeals:
        check_ended(record, rules, [], dealer_opponents(rules))
        return
    check_table(record["table"], rules)
    if table_status(rules, record["table"]) == "win":
        check_ended(record, rules, record["table"], side_of(rules, dealer_seat(rules)))
        return
    check_cards(record, rules)
    hand = Hand(rules, record["table"])
    check_table_bonus(record, hand)
    for number in range(len(rules["deal_plan"])):
        replay_stage(record["stages"], number, hand, always_knock)
    check_end(record, hand)


def check_misdeals(record: dict, rules: dict) -> None:
    """Every table listed as a misdeal is one, and there are not too many for the hand (000, Giardini Luzzati)."""
    for number, cards in enumerate(record["misdeals"]):
        where = f"misdeals[{number}]"
        expect(where, "distinct cards", 4, len(set(cards) & set(PACK)))
        expect(where, "number of cards", 4, len(cards))
        expect(where, f"table {' '.join(cards)}", "misdeal", table_status(rules, cards))
    if rules["misdeals_lose"] and len(record["misdeals"]) > rules["misdeals_lose"]:
        raise RefereeError("misdeals", "number", f"at most {rules['misdeals_lose']}", len(record["misdeals"]))
    if rules["table_cards"] == 0:
        expect("misdeals", "without table cards", [], record["misdeals"])


def check_table(cards: list[str], rules: dict) -> None:
    """The table has the right number of cards and is no misdeal."""
    expect("table", "number of cards", rules["table_cards"], len(cards))
    expect("table", "distinct cards", rules["table_cards"], len(set(cards) & set(PACK)))
    if table_status(rules, cards) == "misdeal":
        raise RefereeError("table", "status", "no misdeal", " ".join(cards))


def check_ended(record: dict, rules: dict, table: list[str], cappotto: int | list[int]) -> None:
    """A hand that the table cards or the misdeals ended has no plays and no points (000)."""
    expect("table", "cards", table, record["table"])
    expect("table_bonus", "in a hand that was not played", None, record["table_bonus"])
    expect("stages", "in a hand that was not played", [], record["stages"])
    expect("last_capture_by", "seat", None, record["last_capture_by"])
    expect("piles", "cards", [[] for _ in range(side_count(rules))], record["piles"])
    expect("scope", "by side", [0] * side_count(rules), record["scope"])
    expect("points", "by side", no_points(rules), record["points"])
    expect("cappotto", "side", cappotto, record["cappotto"])


def check_cards(record: dict, rules: dict) -> None:
    """Forty distinct cards are dealt, as many a stage as ``deal_plan`` says."""
    expect("stages", "number", len(rules["deal_plan"]), len(record["stages"]))
    for number, size in enumerate(rules["deal_plan"]):
        sizes = [len(cards) for cards in record["stages"][number]["hands"]]
        expect(f"stages[{number}].hands", "cards by seat", [size] * rules["players"], sizes)
    dealt = record["table"] + [card for stage in record["stages"] for cards in stage["hands"] for card in cards]
    expect("record", "cards dealt", sorted(PACK), sorted(dealt))
    check_buried(record, rules)


def check_buried(record: dict, rules: dict) -> None:
    """If only the table is dealt again (004), no misdeal contains a card held since the first deal."""
    if rules["misdeal_redeal"] == "table" and len(rules["deal_plan"]) > 1:
        held = {card for cards in record["stages"][0]["hands"] for card in cards}
        for number, cards in enumerate(record["misdeals"]):
            expect(f"misdeals[{number}]", "cards held in the first stage", set(), set(cards) & held)


def check_table_bonus(record: dict, hand: Hand) -> None:
    """The record has the dealer's bonus that the table cards give; it is never declined."""
    bonus, got = table_bonus(hand.rules, record["table"]), record["table_bonus"]
    if bonus is None or got is None:
        expect("table_bonus", f"table {' '.join(record['table'])}", bonus, got)
        return
    expect_keys("table_bonus", TABLE_BONUS_KEYS, got)
    expect("table_bonus", "points", bonus["points"], got["points"])
    expect_in("table_bonus", "matta_as", bonus["matta_as"], got["matta_as"])
    expect("table_bonus", "captured", True, got["captured"])
    hand.take_table_bonus(bonus["points"])


def replay_stage(stages: list[dict], number: int, hand: Hand, always_knock: bool) -> None:
    """Replay one stage: a round for each card dealt to a seat, starting with seat 0."""
    players, size = hand.rules["players"], hand.rules["deal_plan"][number]
    plays = stages[number]["plays"]
    expect(f"stages[{number}].plays", "number", players * size, len(plays))
    hand.start_stage(stages[number]["hands"])
    for index, play in enumerate(plays):
        where = f"stages[{number}].plays[{index}]"
        seat = index % players
        if seat == 0:
            hand.start_round()
        last_play = number == len(stages) - 1 and index == len(plays) - 1
        expect_keys(where, PLAY_KEYS, play)
        expect(where, "seat", seat, play["seat"])
        replay_knock(where, play["knock"], seat, hand, always_knock)
        replay_play(where, play, hand, last_play)


def replay_knock(where: str, knock: dict | None, seat: int, hand: Hand, always_knock: bool) -> None:
    """Check and enter the knock before a play, or check that none is missing.

    Where a bonus must be shown (001), no set is left that could be shown at this turn.
    """
    if knock is not None:
        enter_knock(where, knock, seat, hand, always_knock)
    if (always_knock or hand.rules["show_bonus"] == "at_once") and hand.may_knock(seat):
        expect(where, "knock", claimable(hand, seat), set())


def enter_knock(where: str, knock: dict, seat: int, hand: Hand, always_knock: bool) -> None:
    """Check a knock and enter it."""
    if not hand.may_knock(seat):
        raise RefereeError(where, "knock", "none at this turn", knock)
    expect_keys(where, KNOCK_KEYS, knock)
    claim = (knock["points"], knock["matta_as"])
    expect_in(where, f"knock with {' '.join(knock['cards'])}", legal_claims(where, knock["cards"], seat, hand), claim)
    if always_knock:
        check_most(where, knock, seat, hand)
    hand.knock(seat, knock["cards"], *claim)


def claimable(hand: Hand, seat: int) -> set[tuple[str, ...]]:
    """The sets of three among the cards that a seat has not shown that are worth a bonus."""
    cards = sorted(hand.holdings[seat] - hand.shown[seat])
    return {three for three in combinations(cards, 3) if hand_bonuses(hand.rules, list(three))}


def legal_claims(where: str, cards: list[str], seat: int, hand: Hand) -> set[Claim]:
    """The claims allowed for the cards shown, which must be distinct, held and in sets of three.

    One set per knock if shown cards are played first (000: "exposes three cards and claims one bonus").
    """
    expect(where, "cards shown that are not held", set(), set(cards) - hand.holdings[seat])
    expect(where, "distinct cards shown", len(cards), len(set(cards)))
    if hand.rules["bonus_cards_first"]:
        expect(where, "number of cards shown", 3, len(cards))
    if not cards or len(cards) % 3:
        raise RefereeError(where, "number of cards shown", "sets of three", len(cards))
    return claims_for_sets(hand.rules, cards)


def check_most(where: str, knock: dict, seat: int, hand: Hand) -> None:
    """The sets shown, and those that can still be shown in this stage, are worth the most possible points."""
    most, _ = best_sets(hand.rules, hand.holdings[seat])
    later = 0
    if hand.rules["bonus_cards_first"]:
        later, _ = best_sets(hand.rules, hand.holdings[seat] - set(knock["cards"]))
    expect(where, "points of all sets", most, knock["points"] + later)


def replay_play(where: str, play: dict, hand: Hand, last_play: bool) -> None:
    """Check one play (card, value, capture and scopa) and enter it."""
    seat, card, captured = play["seat"], play["card"], frozenset(play["captured"])
    expect_in(where, "card", hand.playable(seat), card)
    expect(where, f"value of {card}", hand.value(card), play["as"])
    expect(where, "distinct cards captured", len(captured), len(play["captured"]))
    captured = ITSELF if captured == {card} else captured
    expect_in(where, f"captured by {card}", legal_choices(hand.rules_now, hand.table, hand.value(card)), captured)
    expect(where, "scopa", hand.play(seat, card, captured, last_play), play["scopa"])


def check_end(record: dict, hand: Hand) -> None:
    """Check the end of the hand: the last capture, the piles, the scope, the points and the cappotto."""
    expect("last_capture_by", "seat", hand.last_capture_by, record["last_capture_by"])
    points, cappotto = hand.finish()
    expect("piles", "by side", [sorted(pile) for pile in hand.piles], [sorted(pile) for pile in record["piles"]])
    expect("scope", "by side", hand.scope, record["scope"])
    expect("points", "number of sides", len(points), len(record["points"]))
    for side, side_points in enumerate(points):
        expect(f"points[{side}]", "by kind", side_points, record["points"][side])
    expect("cappotto", "side", cappotto, record["cappotto"])
