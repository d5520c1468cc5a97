"""The rules of a game as one frozen value, and the most that a hand can bring under them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ..core.errors import InputError
from .catalogue import check, format_value
from .categories import replaced_by, sweep_point


@dataclass(frozen=True)
class Rules:
    """All rules of a game, one row of the catalogue a field; the defaults are those of the preset ``cirulla`` (000).

    What each field means, its values and their sources stand in ``rules.toml`` under the field's name. A card is its
    canonical text (``"7h"``), a rank one letter of ``A234567JQK``, ``None`` stands for ``none`` in text.

    Raises ``InputError`` for a value outside the catalogue and for a combination that cannot be dealt.
    """

    players: int = 4
    partnership: bool = True
    deal_plan: tuple[int, ...] = (3, 3, 3)
    table_cards: int = 4
    misdeal_rank: str = "A"
    misdeal_count: int = 2
    misdeal_redeal: str = "all"
    misdeal_dealer: str = "same"
    misdeal_three_equal: bool = False
    misdeals_lose: int = 0
    table_four_equal_wins: bool = False
    matta: str | None = "7h"
    matta_low: str = "choose"
    matta_on_table: str = "keeps"
    table_15: int = 1
    table_15_total: str = "= 15"
    table_30: int = 2
    table_30_total: str = "= 30"
    table_low: int = 0
    table_low_total: str = "<= 9"
    hand_low: int = 3
    hand_low_most: int = 9
    hand_triple: int = 10
    hand_both: str | int = "best"
    show_bonus: str = "may_wait"
    knock_timing: str = "turn"
    open_partners: bool = False
    open_last_stage: bool = False
    bonus_cards_first: bool = True
    capture_by: tuple[str, ...] = ("equal", "sum", "fifteen")
    equal_first: bool = False
    fewest_first: bool = False
    capture_most: int = 0
    capture_optional: bool = False
    ace_sweep: bool = True
    ace_choice: str = "free"
    ace_blocked: str = "ace_or_fifteen"
    ace_from: str = "first_play"
    ace_takes_itself: bool = False
    ace_sweep_scopa: bool = True
    last_card_scopa: bool = False
    cards_point: int = 1
    diamonds_point: int = 1
    settebello_point: int = 1
    primiera: str = "full"
    primiera_point: int = 1
    primiera_values: str = "usual"
    primiera_lacking: str = "cannot_win"
    grande: int = 5
    grande_extended: bool = False
    piccola_max: int = 6
    all_diamonds: str | int = "wins"
    scoring: tuple[str, ...] = ()
    lowest_wins: bool = False
    target: int = 51
    hands_per_game: int | None = None
    hands_tie: str = "another"
    shutout: int = 0
    best_of: int = 1
    knockout_tiebreak: bool = False

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            object.__setattr__(self, name, check(name, value))
        dealt = self.players * sum(self.deal_plan) + self.table_cards
        if dealt != 40:
            raise InputError(
                "deal_plan {deal_plan!r} with {players} players and {table_cards} table cards needs {dealt} "
                "cards: the pack has 40 (each player gets {each:g})",
                format_value(self.deal_plan), self.players, self.table_cards, dealt,
                (40 - self.table_cards) / self.players,
            )  # fmt: skip
        if self.partnership and self.players != 4:
            raise InputError(
                "partnership 'true' needs players 4, not {players} (valid with {players}: false)", self.players
            )

    @property
    def sides(self) -> int:
        """Number of sides: 2 in a partnership, else one a player."""
        return 2 if self.partnership else self.players

    def side(self, seat: int) -> int:
        """The side of a seat: seat mod 2 in a partnership, else the seat itself."""
        return seat % 2 if self.partnership else seat

    @property
    def dealer_side(self) -> int:
        """The side of the dealer, who sits last: always the last side."""
        return self.sides - 1

    @property
    def hand_bonuses(self) -> bool:
        """Whether any set of three cards held earns a bonus; where points cost, sets are shown only as a duty."""
        earned = self.hand_low > 0 or self.hand_triple > 0 or self.hand_both not in ("best", "sum", 0)
        return earned and (self.show_bonus == "at_once" or not self.lowest_wins)

    @property
    def pays(self) -> int:
        """What a point is worth to the side that makes it: 1, or -1 where the fewest points win."""
        return -1 if self.lowest_wins else 1

    @property
    def sweep_point(self) -> int:
        """Points of a sweep: 1, unless ``scoring`` says what it pays."""
        return sweep_point(self.scoring)

    def at_play(self, number: int) -> Rules:
        """The rules of capture after so many plays of the hand: before ``ace_from`` aces do not sweep."""
        if self.ace_from == "first_play":
            return self
        early = number < {"second_play": 1, "second_round": self.players}[self.ace_from]
        return replace(self, ace_from="first_play", ace_sweep=self.ace_sweep and not early)

    @property
    def both_points(self) -> int:
        """Points of three equal cards that are also low: the better bonus, both, or points of their own."""
        if self.hand_both == "best":
            return max(self.hand_low, self.hand_triple)
        return self.hand_low + self.hand_triple if self.hand_both == "sum" else int(self.hand_both)

    @property
    def all_diamonds_points(self) -> int | None:
        """What all ten diamonds are worth in place of settebello, piccola and grande, if ``scoring`` names none of them
        anew."""
        anew = replaced_by(self.scoring) & {"settebello", "piccola", "grande"}
        return self.all_diamonds if isinstance(self.all_diamonds, int) and not anew else None

    @property
    def big_holdings(self) -> bool:
        """Whether any stage deals more than three cards to a player."""
        return max(self.deal_plan) > 3

    @property
    def big_sets(self) -> bool:
        """Whether sets of three cards can be shown out of larger holdings."""
        return self.big_holdings and self.hand_bonuses

    @property
    def misdeals(self) -> bool:
        """Whether any table is a misdeal."""
        return self.table_cards > 0 and (self.misdeal_count > 0 or self.misdeal_three_equal)

    @property
    def open_ended(self) -> bool:
        """Whether a game goes on until a side has enough points."""
        return self.hands_per_game is None

    @property
    def hands_may_tie(self) -> bool:
        """Whether a game may be level at an end that no knock-out decides: after a number of hands agreed on."""
        return self.hands_per_game is not None and not self.knockout_tiebreak

    @property
    def drawn_games(self) -> bool:
        """Whether a game may end with no winner."""
        return self.hands_may_tie and self.hands_tie == "draw"

    @property
    def full_primiera(self) -> bool:
        """Whether the primiera is decided by prime values."""
        return self.primiera == "full"

    @property
    def four_players(self) -> bool:
        """Whether partnership is possible at all."""
        return self.players == 4

    @property
    def sums_and_equals(self) -> bool:
        """Whether cards capture both by an equal card and by a sum."""
        return "equal" in self.capture_by and "sum" in self.capture_by

    def differences(self, other: Rules) -> dict[str, Any]:
        """The fields in which these rules differ from others, with the values they have here."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(other, f.name)}


FIELDS = tuple(f.name for f in fields(Rules))
