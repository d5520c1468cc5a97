"""What a game begins with, and where it stands after some hands and choices: values and pure functions.

All follows from the setup and from what the callers chose: every hand is played again from its choices, and so is the
score. So undoing is dropping the last choice, and a saved game is a few small numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..core.errors import InputError
from ..engine.chunks import deal_hands
from ..engine.hand_in_play import Decision, play_with_callers
from ..engine.hand_record import HandRecord
from ..engine.policies import Styles
from ..engine.trials import Experiment, check_score, game_after, policy_sources
from ..questions.known_deals import known_deal, known_position
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.hand import HandState
from ..situation.line_up import LineUp
from ..situation.notation import NOTHING, Situation
from ..situation.people import order_of_play, seat_of, seen_from
from ..situation.positions import Position
from ..storage.request import Effort, Request

_TIES = 4
"""In a knock-out: the game's own end and three more hands."""

_STAND_IN = "random"
"""Where every seat of a side is a caller's, nobody plays by its policy."""


@dataclass(frozen=True)
class Setup:
    """Who plays what: rules, line-up, seed, and what the game begins with.

    ``at`` says where the person asking sits in the first hand, the first to play unless it is said; the deal then
    passes on. It may say a score and cards of the first deal too, or a position: then the first hand is played on from
    there, with the cards that the person does not see dealt at random. The line-up has policies by the names that sides
    have for that person.

    A caller plays every seat of a side without a policy. Where all sides have one, the caller plays the person's seat,
    and the policy of ``us`` the partner's.

    Raises ``InputError`` for policies that cannot play, and for a situation that a game cannot begin with.
    """

    rule_set: RuleSet
    line_up: LineUp | None
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
        self.experiment(0)

    @classmethod
    def from_request(cls, request: Request) -> Setup:
        """The setup that has this request; raises ``InputError`` if none has it."""
        at, seed = request.situation.get("at"), request.effort.seed
        if len(request.line_ups) <= 1 and (at is None or isinstance(at, str)) and seed is not None:
            situation = NOTHING if at is None else Situation.parse(at)
            setup = cls(request.rules, next(iter(request.line_ups), None), seed, situation)
            if setup.request == request:
                return setup
        raise InputError("its request is not that of a game")

    @property
    def request(self) -> Request:
        """The game as a request; the choices are no part of it."""
        at = {} if self.at == NOTHING else {"at": str(self.at)}
        line_ups = () if self.line_up is None else (self.line_up,)
        return Request("play", self.rule_set, line_ups, at, {}, Effort(seed=self.seed))

    @property
    def seat(self) -> int:
        """The seat of the person asking in the first hand."""
        return self.begun.seat if self.begun else seat_of(self.at.i_am or "first", self.rules, 0, "--at: i am: ")

    @cached_property
    def begun(self) -> HandState | None:
        """What the person knows where the first hand begins in the middle, None where it begins with the deal."""
        return None if self.position is None else self.position.first

    @cached_property
    def position(self) -> Position | None:
        """The position that the first hand begins with, at the first seat that is possible; None for the deal."""
        if not self.at.is_position:
            return None
        position = known_position(self.rules, self.at)
        assumed = tuple(one for one in position.assumptions if one.kind != "seat")
        return replace(position, seats=position.seats[:1], assumptions=assumed)

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
    def policies(self) -> tuple[str | None, ...]:
        """The policy of each side of the game, in the order of their numbers in the first hand; None of a caller's."""
        if self.line_up is None:
            return (None,) * self.rules.sides
        return self.line_up.of_each_side(self.rules, self.side)

    @cached_property
    def callers(self) -> frozenset[int]:
        """The seats that a caller plays, as they are numbered in the first hand."""
        if None not in self.policies:
            return frozenset({self.seat})
        seats = range(self.rules.players)
        return frozenset(seat for seat in seats if self.policies[self.rules.side(seat)] is None)

    @cached_property
    def sources(self) -> dict[str, str]:
        """The digests of the policies of the user's own, as they are when the game is begun or resumed."""
        return policy_sources(() if self.line_up is None else self.line_up.names)

    def experiment(self, passed: int, styles: Styles = (), number: int = 1) -> Experiment:
        """The hands in which the deal has been passed on so often: sides sit otherwise than at first.

        The first, ``number`` 0, has what is known of it. ``styles`` is what policies have inferred of each side of the
        game before.
        """
        sides = self.rules.sides
        turned = tuple(self.policies[(side + passed) % sides] or _STAND_IN for side in range(sides))
        inferred = tuple(styles[(side + passed) % sides] for side in range(sides)) if styles else ()
        known = None if number else self.known
        return Experiment(self.rules, turned, 1, self.seed, constraints=known, styles=inferred)

    def sits(self, passed: int) -> int:
        """The seat of the person asking when the deal has been passed on so often."""
        return (self.seat - passed) % self.rules.players

    def calls(self, passed: int) -> tuple[int, ...]:
        """The seats that a caller plays then."""
        return tuple(sorted((seat - passed) % self.rules.players for seat in self.callers))

    def people(self, passed: int) -> tuple[str, ...]:
        """What the person asking calls everybody then, by seat."""
        return seen_from(self.rules, self.sits(passed))

    @cached_property
    def side_names(self) -> tuple[str, ...]:
        """What the person asking calls the sides of the game, by their numbers."""
        if self.rules.sides == 2:
            return tuple("us" if side == self.side else "them" for side in range(2))
        return seen_from(self.rules, self.seat)


@dataclass(frozen=True)
class Over:
    """How a game ended: the sides that won it, none of a draw, and by what."""

    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class GameState:
    """A game after some hands: the score by side, who deals, the decision to be made, or how the game ended.

    ``records`` are the hands played and ``seats`` those of the person asking in each, in the one in play too.
    ``passed`` is how often the deal has been passed on until the hand in play, or the last one. ``styles`` is what
    policies have inferred of each side before the hand in play, ``ties`` how often the game should have ended and had
    no winner.
    """

    score: tuple[int, ...]
    records: tuple[HandRecord, ...] = ()
    seats: tuple[int, ...] = ()
    passed: int = 0
    decision: Decision | None = None
    over: Over | None = None
    styles: Styles = ()
    ties: int = 0


def after_hand(setup: Setup, before: GameState, choices: Sequence[int]) -> GameState:
    """A game with one more hand dealt, and some choices made in it; ``before`` has no hand in play and is not over.

    Raises ``InputError`` for a choice that was not offered.
    """
    from ..kernel.game.hand import WON_BY_OTHERS

    rules, number = setup.rules, len(before.records)
    begun = None if number else setup.begun
    passed = before.passed + (number > 0)
    if rules.misdeal_dealer == "next" and begun is None:
        dealt = deal_hands(rules, setup.seed, number, 1)  # who deals the last of too many loses by it, and no more
        passed += int(dealt.misdeals[0]) - int(dealt.decided[0] == int(WON_BY_OTHERS))
    seats = (*before.seats, setup.sits(passed))
    experiment = setup.experiment(passed, before.styles, number)
    played = play_with_callers(experiment, number, setup.calls(passed), choices, setup.rule_set.preset, begun)
    if isinstance(played, Decision):
        return replace(before, seats=seats, passed=passed, decision=played)
    score = list(before.score)
    for side, points in enumerate(played.record["points"]):
        score[(side + passed) % rules.sides] += points["total"]
    styles = tuple(played.styles[(side - passed) % rules.sides] for side in range(rules.sides))
    ties, over = _ended(rules, score, number + 1, before.ties, played.record, passed)
    return GameState(tuple(score), (*before.records, played.record), seats, passed, None, over, styles, ties)


def _ended(
    rules: Rules, score: list[int], played: int, ties: int, record: HandRecord, passed: int
) -> tuple[int, Over | None]:
    """Ties so far at the agreed end, and how the game ended with the hand just played, if it did."""
    outright = record["cappotto"]
    if outright is not None:
        winners = outright if isinstance(outright, list) else [outright]
        won = tuple(sorted((side + passed) % rules.sides for side in winners))
        diamonds = max(sum(card.endswith("d") for card in pile) for pile in record["piles"])
        by_play = "all ten diamonds" if diamonds == 10 else "points to nothing"
        return ties, Over(won, by_play if record["stages"] else "at the deal")
    due, leader = game_after(rules, np.array(score), played)
    if not due:
        return ties, None
    if leader >= 0:
        return ties, Over((int(leader),), "by the score")
    if rules.drawn_games:
        return ties, Over((), "a draw")
    ties += 1
    if rules.knockout_tiebreak and ties >= _TIES and record["last_capture_by"] is not None:
        loser = (rules.side(record["last_capture_by"]) + passed) % rules.sides
        return ties, Over(tuple(side for side in range(rules.sides) if side != loser), "by the last capture")
    return ties, None
