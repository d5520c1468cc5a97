"""Whole games from the records of their hands: the dealer, the end of a game and its winner (000, End of Game; 002).

In a game, seats and sides keep their numbers and the last seat deals first. In a hand's record, the dealer is last.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .cards import side_count, side_of


def play_match(rules: dict, hand_dealt_by: Callable[[int, int], dict]) -> list[dict]:
    """The games of a match, until one side has won most of them; the deal passes on from game to game."""
    games: list[dict] = []
    while True:
        hands = sum(game["hands"] for game in games)
        dealer = games[-1]["next_dealer"] if games else rules["players"] - 1
        games.append(play_game(rules, lambda number, seat, h=hands: hand_dealt_by(h + number, seat), dealer))
        for side in range(side_count(rules)):
            if 2 * sum(side in game["winners"] for game in games) > rules["best_of"]:
                return games


def play_game(rules: dict, hand_dealt_by: Callable[[int, int], dict], dealer: int) -> dict:
    """A game; ``hand_dealt_by(number, seat)`` returns the record of a hand in which that seat of the game deals."""
    scores = [[0] * side_count(rules)]
    categories: list[dict[str, int]] = [{} for _ in range(side_count(rules))]
    while True:
        number = len(scores) - 1
        record = hand_dealt_by(number, dealer)
        if rules["misdeal_dealer"] == "next" and record["misdeals"]:
            dealer = (dealer + times_passed(rules, record)) % rules["players"]
            record = hand_dealt_by(number, dealer)
        scores.append(added(rules, scores[-1], record, dealer))
        for side, points in enumerate(record["points"]):
            of_game = categories[game_side(rules, side, dealer)]
            of_game.update({name: of_game.get(name, 0) + paid for name, paid in points.items() if name != "total"})
        winners, ended_by = verdict(rules, scores, record, dealer)
        if ended_by:
            found = account(rules, scores, winners, ended_by) | {"categories": categories}
            return found | {"next_dealer": (dealer + 1) % rules["players"]}
        dealer = (dealer + 1) % rules["players"]


def times_passed(rules: dict, record: dict) -> int:
    """How often the deal passed on within a hand: after every misdeal, except one that ended the game."""
    lost = rules["misdeals_lose"] and len(record["misdeals"]) == rules["misdeals_lose"]
    return len(record["misdeals"]) - bool(lost)


def game_side(rules: dict, seat: int, dealer: int) -> int:
    """The game's side of a seat of the hand when ``dealer`` deals: the hand's first seat sits after the dealer."""
    return side_of(rules, (dealer + 1 + seat) % rules["players"])


def added(rules: dict, before: list[int], record: dict, dealer: int) -> list[int]:
    """The score after a hand."""
    after = list(before)
    for side, points in enumerate(record["points"]):  # the side's first seat has the same number
        after[game_side(rules, side, dealer)] += points["total"]
    return after


def verdict(rules: dict, scores: list[list[int]], record: dict, dealer: int) -> tuple[set[int], str]:
    """The winners after this hand and what ended the game: empty while the game goes on, no winners in a draw (002)."""
    if record["cappotto"] is not None:
        at_once = record["cappotto"] if isinstance(record["cappotto"], list) else [record["cappotto"]]
        return {game_side(rules, side, dealer) for side in at_once}, "deal" if not record["stages"] else "cappotto"
    if not at_the_end(rules, scores):
        return set(), ""
    ahead = leaders(rules, scores[-1])
    if len(ahead) == 1:
        return ahead, "score"
    if rules["hands_per_game"] is not None and not rules["knockout_tiebreak"] and rules["hands_tie"] == "draw":
        return set(), "score"
    ties = sum(at_the_end(rules, scores[: n + 1]) for n in range(1, len(scores)))
    if rules["knockout_tiebreak"] and ties > 3 and record["last_capture_by"] is not None:
        loser = game_side(rules, record["last_capture_by"], dealer)
        return set(range(side_count(rules))) - {loser}, "last capture"
    return set(), ""


def at_the_end(rules: dict, scores: list[list[int]]) -> bool:
    """Whether the fixed number of hands is played, or a side has reached the target."""
    if rules["hands_per_game"] is not None:
        return len(scores) - 1 >= rules["hands_per_game"]
    return max(scores[-1]) >= rules["target"]


def leaders(rules: dict, score: list[int]) -> set[int]:
    """The sides with the highest score, or with the lowest where the fewest points win."""
    best = min(score) if rules["lowest_wins"] else max(score)
    return {side for side, points in enumerate(score) if points == best}


def towards(rules: dict, points: int) -> int:
    """Points as they count towards winning: fewer are better where the fewest win."""
    return -points if rules["lowest_wins"] else points


def account(rules: dict, scores: list[list[int]], winners: set[int], ended_by: str) -> dict:
    """The record of a finished game."""
    counted = scores if ended_by in ("score", "last capture") else scores[:-1]
    alone = [min(ahead) for score in counted if len(ahead := leaders(rules, score)) == 1]
    behind = [
        max(towards(rules, points) for other, points in enumerate(score) if other != side) - towards(rules, score[side])
        for score in scores[:-1]
        for side in winners
    ]
    last = sorted(towards(rules, points) for points in scores[-1])
    return {
        "hands": len(scores) - 1,
        "ended_by": ended_by,
        "winners": winners,
        "lead_changes": sum(before != after for before, after in pairwise(alone)),
        "comeback": max([0, *behind]),
        "margin": last[-1] - last[-2] if ended_by == "score" else 0,
        "points": scores[-1],
    }
