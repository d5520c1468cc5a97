"""Random hands by the rules alone."""

from __future__ import annotations

import random

from .bonuses import best_sets, hand_bonuses, table_bonus, table_status
from .captures import ITSELF, legal_choices
from .cards import PACK, dealer_opponents, dealer_seat, side_count, side_of
from .hand import Hand
from .scoring import no_points


def random_hand(rules: dict, rng: random.Random) -> dict:
    """A full record of one hand of the policy ``random``.

    The card is uniform over the legal cards, then the choice uniform over those of that card. Every bonus is claimed,
    in the sets worth most, with a low matta as an ace.
    """
    misdeals, table, holdings = deal(rules, rng)
    if not table and misdeals:
        return ended_record(rules, misdeals, [], dealer_opponents(rules))
    if table_status(rules, table) == "win":
        return ended_record(rules, misdeals, table, side_of(rules, dealer_seat(rules)))
    hand = Hand(rules, table)
    bonus = take_table_bonus(hand, table)
    stages = [play_stage(hand, holdings, number, rng) for number in range(len(rules["deal_plan"]))]
    last_capture_by = hand.last_capture_by
    points, cappotto = hand.finish()
    return opening_record(rules, misdeals, table) | {
        "table_bonus": bonus,
        "stages": stages,
        "last_capture_by": last_capture_by,
        "piles": [sorted(pile) for pile in hand.piles],
        "scope": hand.scope,
        "points": points,
        "cappotto": cappotto,
    }


def opening_record(rules: dict, misdeals: list[list[str]], table: list[str]) -> dict:
    """The first fields of a record."""
    return {
        "rules": {"preset": "cirulla"},
        "players": rules["players"],
        "dealer": dealer_seat(rules),
        "seed": 0,
        "hand": 0,
        "misdeals": misdeals,
        "table": table,
    }


def ended_record(rules: dict, misdeals: list[list[str]], table: list[str], cappotto: int | list[int]) -> dict:
    """The record of a hand that the table cards or the misdeals ended before a card was played."""
    return opening_record(rules, misdeals, table) | {
        "table_bonus": None,
        "stages": [],
        "last_capture_by": None,
        "piles": [[] for _ in range(side_count(rules))],
        "scope": [0] * side_count(rules),
        "points": no_points(rules),
        "cappotto": cappotto,
    }


def deal(rules: dict, rng: random.Random) -> tuple[list[list[str]], list[str], list[list[list[str]]]]:
    """Deal until the table is no misdeal: the misdeals, the table, and the holdings by stage and seat.

    Table and holdings are empty if the misdeals lost the game.
    """
    pack = list(PACK)
    rng.shuffle(pack)
    misdeals: list[list[str]] = []
    first = rules["players"] * rules["deal_plan"][0]  # the pack from the top: first stage, table, stock
    stock = first + rules["table_cards"]
    while table_status(rules, pack[first:stock]) == "misdeal":
        misdeals.append(pack[first:stock])
        if len(misdeals) == rules["misdeals_lose"]:
            return misdeals, [], []
        pack = dealt_again(rules, pack, first, stock, rng)
    table = pack[first:stock]
    return misdeals, table, holdings_by_stage(rules, pack[:first] + pack[stock:])


def dealt_again(rules: dict, pack: list[str], first: int, stock: int, rng: random.Random) -> list[str]:
    """The pack after a misdeal: all shuffled (000), or the table buried in the stock and replaced from it (004).

    The buried cards cannot come back at once. If the stock has no more cards than the table, the whole pack is
    shuffled, since the deal might otherwise never end.
    """
    on_table = stock - first
    if rules["misdeal_redeal"] == "all" or len(pack) - stock <= on_table:
        rng.shuffle(pack)
        return pack
    table, buried = pack[stock : stock + on_table], pack[first:stock] + pack[stock + on_table :]
    rng.shuffle(buried)
    return pack[:first] + table + buried


def holdings_by_stage(rules: dict, cards: list[str]) -> list[list[list[str]]]:
    """Divide the cards that are not on the table into holdings, by stage and seat."""
    stages = []
    for size in rules["deal_plan"]:
        stages.append([cards[seat * size : (seat + 1) * size] for seat in range(rules["players"])])
        cards = cards[rules["players"] * size :]
    return stages


def take_table_bonus(hand: Hand, table: list[str]) -> dict | None:
    """Enter the dealer's bonus in the hand; return it as in the record."""
    bonus = table_bonus(hand.rules, table)
    if bonus is None:
        return None
    hand.take_table_bonus(bonus["points"])
    return {"points": bonus["points"], "matta_as": min(bonus["matta_as"]), "captured": True}


def play_stage(hand: Hand, holdings: list[list[list[str]]], number: int, rng: random.Random) -> dict:
    """Play one stage at random."""
    players, size = hand.rules["players"], hand.rules["deal_plan"][number]
    hand.start_stage(holdings[number])
    plays = []
    for turn in range(players * size):
        if turn % players == 0:
            hand.start_round()
        last_play = number == len(holdings) - 1 and turn == players * size - 1
        plays.append(play_at_random(hand, turn % players, last_play, rng))
    return {"hands": holdings[number], "plays": plays}


def play_at_random(hand: Hand, seat: int, last_play: bool, rng: random.Random) -> dict:
    """Knock if possible, then one play of the policy ``random``."""
    knock = knock_if_possible(hand, seat)
    card = rng.choice(sorted(hand.playable(seat)))
    value = hand.value(card)
    captured = rng.choice(sorted(legal_choices(hand.rules_now, hand.table, value), key=sorted))
    scopa = hand.play(seat, card, captured, last_play)
    taken = [card] if captured == ITSELF else sorted(captured)
    return {"seat": seat, "card": card, "as": value, "knock": knock, "captured": taken, "scopa": scopa}


def knock_if_possible(hand: Hand, seat: int) -> dict | None:
    """Show the sets worth most: only the first if they are shown one by one, else all together."""
    if not hand.may_knock(seat):
        return None
    _, sets = best_sets(hand.rules, hand.holdings[seat])
    if not sets:
        return None
    if hand.rules["bonus_cards_first"]:
        sets = sets[:1]
    claims = [lowest_claim(hand.rules, three) for three in sets]
    knock = {
        "points": sum(points for points, _ in claims),
        "cards": [card for three in sets for card in three],
        "matta_as": next((matta_as for _, matta_as in claims if matta_as is not None), None),
    }
    hand.knock(seat, knock["cards"], knock["points"], knock["matta_as"])
    return knock


def lowest_claim(rules: dict, three: list[str]) -> tuple[int, int | None]:
    """The claim for a set with the lowest value for the matta: an ace whenever that is valid."""
    return min(hand_bonuses(rules, three))
