"""A game against the policies as a value: how the table was laid, and what the person chose.

All else follows from these: every hand is played again from its choices, and so is the score. So undoing is dropping
the last choice, and what is kept of a game in play is a few small numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..core.errors import InputError
from ..engine.chunks import by_side
from ..engine.hand_record import Record, hand_record
from ..engine.person import Asked, play_with_person
from ..engine.trials import Experiment
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules

_TIES = 4
"""In a knock-out: the game's own end and three more hands."""


@dataclass(frozen=True)
class Setup:
    """Who plays what: rules, the policy of each side of the game, the seed, and the person's seat in the first hand.

    Seats are numbered in the order of play, the dealer last; the deal then passes on. ``policies`` names one for all or
    one a side, the first dealer's last: that of the person's side plays the partner.

    Raises ``InputError`` for policies that cannot be, and for a seat that is none.
    """

    chosen: RuleSet
    policies: tuple[str, ...]
    seed: int
    seat: int = 0

    def __post_init__(self) -> None:
        Experiment(self.rules, self.policies, 1, self.seed)
        for name in self.policies:
            if "+" in name:
                raise InputError(f"--policy {name!r}: a suffix is for studies (valid: {name.partition('+')[0]})")
        if not 0 <= self.seat < self.rules.players:
            raise InputError(f"--seat '{self.seat}' is no seat (valid: 0 to {self.rules.players - 1}, the last deals)")

    @property
    def rules(self) -> Rules:
        return self.chosen.fields

    @property
    def side(self) -> int:
        """The person's side of the game."""
        return self.rules.side(self.seat)

    def experiment(self, passed: int) -> Experiment:
        """The hands in which the deal has been passed on so often: sides sit otherwise than at first."""
        sides, policies = self.rules.sides, by_side(self.rules, self.policies)
        turned = tuple(policies[(side + passed) % sides] for side in range(sides))
        return Experiment(self.rules, turned, 1, self.seed)

    def sits(self, passed: int) -> int:
        """The person's seat when the deal has been passed on so often."""
        return (self.seat - passed) % self.rules.players


@dataclass(frozen=True)
class Over:
    """How a game ended: the sides that won it, none of a draw, and by what."""

    winners: tuple[int, ...]
    how: str


@dataclass(frozen=True)
class Table:
    """A game when so many hands have been played: the score by side, who deals, what is to be chosen, or how it ended.

    ``records`` are the hands played and ``seats`` the person's in each, the one in play too. ``passed`` is how often
    the deal has been passed on.
    """

    score: tuple[int, ...]
    records: tuple[Record, ...]
    seats: tuple[int, ...]
    passed: int
    asked: Asked | None
    over: Over | None


@dataclass(frozen=True)
class Evening:
    """A game: its setup, and what the person chose, by hand; the last may be in play."""

    setup: Setup
    choices: tuple[tuple[int, ...], ...] = ((),)

    def chosen(self, choice: int) -> Evening:
        """The game after one more choice in the hand in play."""
        return replace(self, choices=(*self.choices[:-1], (*self.choices[-1], choice)))

    def undone(self) -> Evening:
        """The game before the last choice of the hand in play; the same where there is none."""
        return replace(self, choices=(*self.choices[:-1], self.choices[-1][:-1]))

    def next_hand(self) -> Evening:
        """The game with one more hand dealt."""
        return replace(self, choices=(*self.choices, ()))

    def table(self) -> Table:
        """Where the game stands.

        Raises ``InputError`` where a choice is none that there was, and for hands after the end.
        """
        rules = self.setup.rules
        score, records, seats, passed, over = [0] * rules.sides, [], [], 0, None
        asked: Asked | None = None
        ties = 0
        for number, choices in enumerate(self.choices):
            if over is not None or asked is not None:
                raise InputError(f"hand {number} comes after {'the end' if over else 'one that is not played out'}")
            if rules.misdeal_dealer == "next":
                dealt = hand_record(self.setup.experiment(passed), number)  # as it is dealt to whoever plays
                passed += len(dealt["misdeals"])
                passed -= bool(dealt["misdeals"]) and not dealt["table"]  # who dealt the last of them has lost by it
            seats.append(self.setup.sits(passed))
            played = play_with_person(
                self.setup.experiment(passed), number, seats[-1], choices, self.setup.chosen.preset
            )
            if isinstance(played, Asked):
                asked = played
                continue
            records.append(played)
            for side, points in enumerate(played["points"]):
                score[(side + passed) % rules.sides] += points["total"]
            ties, over = _ended(rules, score, len(records), ties, played, passed)
            passed += 1
        last = passed if asked is not None else max(passed - 1, 0)
        return Table(tuple(score), tuple(records), tuple(seats), last, asked, over)

    def hands(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The hands by number, and what the person chose in each."""
        return enumerate(self.choices)


def _ended(
    rules: Rules, score: list[int], played: int, ties: int, record: Record, passed: int
) -> tuple[int, Over | None]:
    """Ties so far at the agreed end, and how the game ended with the hand just played, if it did."""
    outright = record["cappotto"]
    if outright is not None:
        winners = outright if isinstance(outright, list) else [outright]
        won = tuple(sorted((side + passed) % rules.sides for side in winners))
        return ties, Over(won, "all ten diamonds" if record["stages"] and _all_diamonds(record) else "at the deal")
    due = played >= rules.hands_per_game if rules.hands_per_game else max(score) >= rules.target
    if not due:
        return ties, None
    best = max(score)
    if score.count(best) == 1:
        return ties, Over((score.index(best),), "by the score")
    if rules.drawn_games:
        return ties, Over((), "a draw")
    ties += 1
    if rules.knockout_tiebreak and ties >= _TIES and record["last_capture_by"] is not None:
        loser = (rules.side(record["last_capture_by"]) + passed) % rules.sides
        return ties, Over(tuple(side for side in range(rules.sides) if side != loser), "by the last capture")
    return ties, None


def _all_diamonds(record: Record) -> bool:
    return any(sum(card.endswith("d") for card in pile) == 10 for pile in record["piles"])
