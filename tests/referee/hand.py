"""The state of a hand in progress: the cards, the sets shown and the points.

Legality is not checked here: ``replay`` checks a play before it is entered, ``selfplay`` chooses a legal one.
"""

from __future__ import annotations

from collections.abc import Iterator

from .captures import ITSELF, is_scopa, rules_after
from .cards import dealer_seat, own_value, side_count, side_of
from .scoring import score, sweep_point


class Hand:
    """A hand from the first stage on; cards are texts, lists have one entry for each seat or side."""

    def __init__(self, rules: dict, table_cards: list[str]) -> None:
        self.rules = rules
        self.table = {card: own_value(card) for card in table_cards}
        self.declared: dict[str, int] = {}  # the matta's value, once a knock has declared it
        self.dealt: list[set[str]] = []  # what each seat was dealt in this stage
        self.holdings: list[set[str]] = []  # what each seat still holds
        self.shown: list[set[str]] = []  # the cards shown that each seat still holds
        self.piles: list[set[str]] = [set() for _ in range(side_count(rules))]
        self.scope = [0] * side_count(rules)
        self.table_bonus_points = [0] * side_count(rules)
        self.hand_bonus_points = [0] * side_count(rules)
        self.last_capture_by: int | None = None
        self.plays = 0

    def take_table_bonus(self, points: int) -> None:
        """The dealer captures the whole table and scores (000, Dealer bonuses)."""
        self._capture(dealer_seat(self.rules), set(self.table))
        self.table_bonus_points[side_of(self.rules, dealer_seat(self.rules))] += points

    def start_stage(self, holdings: list[list[str]]) -> None:
        """Give every seat its cards of a stage."""
        self.dealt = [set(cards) for cards in holdings]
        self.holdings = [set(cards) for cards in holdings]
        self.shown = [set() for _ in holdings]

    def start_round(self) -> None:
        """A matta on the table has its own value again if it ``reverts`` (002); in a hand it keeps the declared one."""
        matta = self.rules["matta"]
        if self.rules["matta_on_table"] == "reverts" and matta in self.table:
            self.table[matta] = own_value(matta)

    def may_knock(self, seat: int) -> bool:
        """Whether the seat to play may show a bonus now (000; 001 and 003 for Cirullone).

        At its first turn of the stage. In larger holdings where shown cards are played first, at any turn when none
        of these is left.
        """
        if len(self.dealt[seat]) > 3 and self.rules["bonus_cards_first"]:
            return not self.shown[seat]
        return self.holdings[seat] == self.dealt[seat]

    def knock(self, seat: int, cards: list[str], points: int, matta_as: int | None) -> None:
        """Show the cards of a bonus, score it and give the matta the declared value."""
        self.shown[seat] |= set(cards)
        self.hand_bonus_points[side_of(self.rules, seat)] += points
        if matta_as is not None:
            self.declared[self.rules["matta"]] = matta_as

    def value(self, card: str) -> int:
        """The value of a held card when it is played: the declared value, else its own (000)."""
        return self.declared.get(card, own_value(card))

    def playable(self, seat: int) -> set[str]:
        """The cards a seat may play: shown cards first under ``bonus_cards_first`` (000, Cirullone)."""
        if self.rules["bonus_cards_first"] and self.shown[seat]:
            return self.shown[seat]
        return self.holdings[seat]

    @property
    def rules_now(self) -> dict:
        """The rules of capture at this play."""
        return rules_after(self.rules, self.plays)

    def play(self, seat: int, card: str, captured: frozenset[str], last_play: bool) -> bool:
        """Play a card, capturing or trailing; returns whether it was a scopa."""
        scopa = is_scopa(self.rules_now, self.table, self.value(card), captured, last_play)
        self.plays += 1
        self.holdings[seat] = self.holdings[seat] - {card}
        self.shown[seat] = self.shown[seat] - {card}
        self.scope[side_of(self.rules, seat)] += scopa
        if captured:
            self._capture(seat, {card} if captured == ITSELF else captured | {card})
        else:
            self.table[card] = self.value(card)
        return scopa

    @property
    def sweep_points(self) -> list[int]:
        """The points of each side for its sweeps so far."""
        return [sweeps * sweep_point(self.rules) for sweeps in self.scope]

    def finish(self) -> tuple[list[dict[str, int]], int | None]:
        """Give the last table cards to the side that captured last, if any; return the points and the cappotto."""
        if self.last_capture_by is not None:
            self._capture(self.last_capture_by, set(self.table))
        return score(self.rules, self.piles, self.sweep_points, self.table_bonus_points, self.hand_bonus_points)

    def _capture(self, seat: int, cards: set[str] | frozenset[str]) -> None:
        self.piles[side_of(self.rules, seat)] |= cards
        self.table = {card: value for card, value in self.table.items() if card not in cards}
        self.last_capture_by = seat


def plays_of(record: dict, rules: dict) -> Iterator[tuple[Hand, dict]]:
    """Each play of a record, with the state of the hand before the play and its knock."""
    hand = Hand(rules, record["table"])
    if record["table_bonus"]:
        hand.take_table_bonus(record["table_bonus"]["points"])
    for stage in record["stages"]:
        hand.start_stage(stage["hands"])
        for play in stage["plays"]:
            if play["seat"] == 0:
                hand.start_round()
            yield hand, play
            if play["knock"]:
                hand.knock(play["seat"], play["knock"]["cards"], play["knock"]["points"], play["knock"]["matta_as"])
            hand.play(play["seat"], play["card"], frozenset(play["captured"]), False)
