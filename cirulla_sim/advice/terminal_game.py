"""A game against the policies as a value: who plays under which rules, and what the person chose.

All else follows from these: every hand is played again from its choices, and so is the score. So undoing is dropping
the last choice, and a saved game is a few small numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ..core.errors import InputError
from ..engine.fingerprint import policy_sources
from ..engine.hand_record import Record, hand_record
from ..engine.person import Decision, play_with_person, styles_after
from ..engine.policies import Styles
from ..engine.trials import Experiment, check_score
from ..questions.known_deals import known_deal, known_position
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.information_set import InformationSet
from ..situation.line_up import LineUp
from ..situation.notation import NOTHING, Situation
from ..situation.people import order_of_play, seat_of
from ..situation.positions import Position
from ..storage.request import Effort, Request

_TIES = 4
"""In a knock-out: the game's own end and three more hands."""


@dataclass(frozen=True)
class Setup:
    """Who plays what: rules, line-up, seed, and what the game begins with.

    ``at`` says where the person sits in the first hand, the first to play unless it is said; the deal then passes on.
    It may say a score and cards of the first deal too. The line-up has a policy for each side of the game by the
    person's names: that of ``us`` plays the partner. It may be a position too: then the first hand is played on from
    there, with the cards that the person does not see dealt at random.

    Raises ``InputError`` for policies that cannot play, and for a situation that a game cannot begin with.
    """

    rule_set: RuleSet
    line_up: LineUp
    seed: int
    at: Situation = NOTHING

    def __post_init__(self) -> None:
        if self.at.hand is not None:
            raise InputError("--at: hand: a game begins with its first hand (leave it out)")
        if self.at.score:
            check_score(self.rules, self.at.score)
        if self.at.places and self.begun is None and self.rules.misdeal_dealer == "next":
            raise InputError(
                "--at: cards of the first deal: under these rules a misdeal passes the deal on (leave them out)"
            )
        _ = self.known, self.begun
        Experiment(self.rules, self.policies, 1, self.seed)
        for name in self.policies:
            if "+" in name:
                raise InputError(f"--policy {name!r}: a suffix is for studies (valid: {name.partition('+')[0]})")

    @classmethod
    def from_request(cls, request: Request) -> Setup:
        """The setup that has this request; raises ``InputError`` if none has it."""
        at, seed = request.situation.get("at"), request.effort.seed
        if len(request.line_ups) == 1 and (at is None or isinstance(at, str)) and seed is not None:
            situation = NOTHING if at is None else Situation.parse(at)
            setup = cls(request.rules, request.line_ups[0], seed, situation)
            if setup.request == request:
                return setup
        raise InputError("its request is not that of a game")

    @property
    def request(self) -> Request:
        """The game as a request; the person's choices are no part of it."""
        at = {} if self.at == NOTHING else {"at": str(self.at)}
        return Request("play", self.rule_set, (self.line_up,), at, {}, Effort(seed=self.seed))

    @property
    def seat(self) -> int:
        """The person's seat in the first hand."""
        return seat_in(self.rules, self.at)

    @cached_property
    def begun(self) -> InformationSet | None:
        """What the person knows where the first hand begins in the middle, None where it begins with the deal."""
        return None if self.position is None else self.position.first

    @cached_property
    def position(self) -> Position | None:
        """The position that the first hand begins with, None where it begins with the deal."""
        return _position(self.rules, self.at)

    @cached_property
    def known(self) -> DealConstraints | None:
        """What is known of the first deal, or of the cards not seen where it begins in the middle."""
        if self.begun is not None:
            return self.begun.constraints
        seen_there = replace(self.at, i_am=order_of_play(self.rules)[self.seat], score=())
        return known_deal(seen_there, self.rules)

    @cached_property
    def score(self) -> tuple[int, ...]:
        """The score that the game begins with, by side."""
        sides, given = self.rules.sides, self.at.score or (0,) * self.rules.sides
        return tuple(given[(side - self.side) % sides] for side in range(sides))

    @property
    def rules(self) -> Rules:
        return self.rule_set.fields

    @property
    def side(self) -> int:
        """The person's side of the game."""
        return self.rules.side(self.seat)

    @cached_property
    def policies(self) -> tuple[str, ...]:
        """The policy of each side of the game, in the order of their numbers in the first hand."""
        return self.line_up.by_side(self.rules, self.side)

    @cached_property
    def sources(self) -> dict[str, str]:
        """The digests of the policies of the user's own, as they are when the game is begun or resumed."""
        return policy_sources(self.line_up.names)

    def experiment(self, passed: int, styles: Styles = (), number: int = 1) -> Experiment:
        """The hands in which the deal has been passed on so often: sides sit otherwise than at first.

        The first, ``number`` 0, has what is known of it. ``styles`` is what policies have inferred of each side of the
        game before.
        """
        sides = self.rules.sides
        turned = tuple(self.policies[(side + passed) % sides] for side in range(sides))
        inferred = tuple(styles[(side + passed) % sides] for side in range(sides)) if styles else ()
        known = None if number else self.known
        return Experiment(self.rules, turned, 1, self.seed, constraints=known, styles=inferred)

    def sits(self, passed: int) -> int:
        """The person's seat when the deal has been passed on so often."""
        return (self.seat - passed) % self.rules.players


def seat_in(rules: Rules, at: Situation) -> int:
    """The person's seat in the first hand of a game that begins so; raises ``InputError`` for one that cannot be."""
    position = _position(rules, at)
    return seat_of(at.i_am or "first", rules, 0, "--at: i am: ") if position is None else position.first.field("seat")


def _position(rules: Rules, at: Situation) -> Position | None:
    """The position that a situation describes; the person sits at the first of the seats that are possible."""
    return known_position(rules, at) if at.is_position or not at.is_fresh else None


@dataclass(frozen=True)
class Over:
    """How a game ended: the sides that won it, none of a draw, and by what."""

    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Table:
    """A game after some hands: the score by side, who deals, the decision to be made, or how the game ended.

    ``records`` are the hands played and ``seats`` the person's in each, the one in play too. ``passed`` is how often
    the deal has been passed on, ``styles`` what policies have inferred of each side before the hand in play.
    """

    score: tuple[int, ...]
    records: tuple[Record, ...]
    seats: tuple[int, ...]
    passed: int
    decision: Decision | None
    over: Over | None
    styles: Styles = ()


@dataclass(frozen=True)
class TerminalGame:
    """A game: its setup, and what the person chose, by hand; the last may be in play."""

    setup: Setup
    choices: tuple[tuple[int, ...], ...] = ((),)

    def with_choice(self, choice: int) -> TerminalGame:
        """The game after one more choice in the hand in play."""
        return replace(self, choices=(*self.choices[:-1], (*self.choices[-1], choice)))

    def undone(self) -> TerminalGame:
        """The game before the last choice of the hand in play; the same where there is none."""
        return replace(self, choices=(*self.choices[:-1], self.choices[-1][:-1]))

    def next_hand(self) -> TerminalGame:
        """The game with one more hand dealt."""
        return replace(self, choices=(*self.choices, ()))

    def table(self) -> Table:
        """Where the game stands.

        Raises ``InputError`` for a choice that was not offered, and for hands after the end.
        """
        setup, rules = self.setup, self.setup.rules
        score, records, seats, passed, over = list(setup.score), [], [], 0, None
        decision: Decision | None = None
        styles: Styles = ()
        ties = 0
        for number, choices in enumerate(self.choices):
            if over is not None or decision is not None:
                raise InputError(f"hand {number} comes after {'the end' if over else 'one that is not played out'}")
            begun = None if number else setup.begun
            if rules.misdeal_dealer == "next" and begun is None:
                dealt = hand_record(setup.experiment(passed), number)  # as it is dealt to whoever plays
                passed += len(dealt["misdeals"])
                passed -= bool(dealt["misdeals"]) and not dealt["table"]  # who dealt the last of them has lost by it
            seats.append(setup.sits(passed))
            experiment = setup.experiment(passed, styles, number)
            played = play_with_person(experiment, number, seats[-1], choices, setup.rule_set.preset, begun)
            if isinstance(played, Decision):
                decision = played
                continue
            records.append(played)
            for side, points in enumerate(played["points"]):
                score[(side + passed) % rules.sides] += points["total"]
            after = styles_after(experiment, number, seats[-1], choices, begun)
            styles = tuple(after[(side - passed) % rules.sides] for side in range(rules.sides))
            ties, over = _ended(rules, score, len(records), ties, played, passed)
            passed += 1
        last = passed if decision is not None else max(passed - 1, 0)
        return Table(tuple(score), tuple(records), tuple(seats), last, decision, over, styles)


def _ended(
    rules: Rules, score: list[int], played: int, ties: int, record: Record, passed: int
) -> tuple[int, Over | None]:
    """Ties so far at the agreed end, and how the game ended with the hand just played, if it did."""
    outright = record["cappotto"]
    if outright is not None:
        winners = outright if isinstance(outright, list) else [outright]
        won = tuple(sorted((side + passed) % rules.sides for side in winners))
        diamonds = max(sum(card.endswith("d") for card in pile) for pile in record["piles"])
        return ties, Over(won, "all ten diamonds" if record["stages"] and diamonds == 10 else "at the deal")
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
