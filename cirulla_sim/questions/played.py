"""The spaces of play: a hand from the deal to the score, what remains of one, piles of any cards, a game, a night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import deal_hands, game_row_names, play_notes, shows_the_best
from ..engine.hand_in_play import play_rest
from ..exact.features import of_piles, pile_cases
from ..exact.sums import TooManyCasesError, masks_of
from ..experiments.nights import checked_games, nights_of
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.hand import HandState
from ..situation.night import Night
from ..situation.people import seen_from
from .cases import Cases, Space, TrialKind, experiment, feature_name
from .dealt import UnseenCards, fresh_deal
from .hand_columns import HandColumns, notes_of, points_ahead
from .vocabulary import STOCK, Term, score_columns

# ------------------------------------------------------------------------------------------------ hands


@dataclass(frozen=True)
class PlayedHand(Space):
    """A hand as some policies play it, by side; hands decided at the deal are left out.

    Raises ``InputError`` for an unknown policy.
    """

    rules: Rules
    policies: tuple[str, ...]
    constraints: DealConstraints | None = None

    trial = TrialKind("a hand played", "hand", "hands", 100_000, 1 << 14)

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        """What is dealt alone, counted: cards, and sets shown where nobody decides about them."""
        for term in terms:  # all cards of a stage are played in it
            is_dealt = term.function.space in ("cards", "deal") or (term.name == "plays" and term.turn is None)
            if not is_dealt or term.name == "misdeals":
                return None
        shown = any(term.is_of_sets_shown for term in terms)
        if shown and not shows_the_best(experiment(self.rules, self.policies, 1, self.constraints)):
            return None
        return fresh_deal(self.rules, terms, self.constraints, played=True).cases(terms)

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        wanted = {part for term in terms for part in notes_of(term)}
        notes = play_notes(experiment(self.rules, self.policies, seed, self.constraints), first, number, wanted)
        hands = HandColumns(self.rules, notes)
        return Cases.simulated({term.key: hands.column(term) for term in terms}, first, number).filter(notes.played)


def _is_held(term: Term) -> bool:
    return term.function.space in ("cards", "turn")


@dataclass(frozen=True)
class PlayedRest(Space):
    """What remains of a hand as a player knows it, as some policies play it on.

    Raises ``InputError`` for an unknown policy.
    """

    now: HandState
    policies: tuple[str, ...]

    @property
    def trial(self) -> TrialKind:
        to_play = seen_from(self.now.rules, self.now.seat)[self.now.to_play]
        besides = "" if self.now.constraints is None else f"; {self.now.constraints}"
        return TrialKind(f"this hand played on ({to_play} to play{besides})", "position", "hands", 20_000, 1 << 10)

    def example(self, term: Term) -> Any:
        return UnseenCards(self.now).example(term) if _is_held(term) else super().example(term)

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        wanted = {part for term in terms for part in (("plays",) if _is_held(term) else notes_of(term))}
        one = experiment(self.now.rules, self.policies, seed, self.now.constraints)
        hands = HandColumns(self.now.rules, play_rest(self.now, one, first, number, wanted))
        columns = {term.key: self._held(term, hands) if _is_held(term) else hands.column(term) for term in terms}
        return Cases.simulated(columns, first, number)

    def _held(self, term: Term, hands: HandColumns) -> Any:
        """A term about cards held now or later: those that the player then plays in that stage."""
        unseen = UnseenCards(self.now)
        stage, seat = unseen.place(term)
        known = unseen.holdings[stage, seat].seen
        meant = hands.stages > stage if seat == STOCK else (hands.seats == seat) & (hands.stages == stage)
        meant &= np.arange(len(meant)) >= self.now.number_of_plays
        cards = (hands.plays[:, meant] >> np.uint64(40) & np.uint64(63)).astype(np.uint8)
        hidden = np.array([known >> card & 1 == 0 for card in range(40)], np.bool_)[cards]
        return unseen.column(term, cards[hidden].reshape(len(cards), -1))


@dataclass(frozen=True)
class RandomPiles(Space):
    """Two piles of given sizes, or only ours, which comes first: any cards are as likely. ``own`` is our side."""

    rules: Rules
    sizes: tuple[int, ...]
    own: int

    @property
    def trial(self) -> TrialKind:
        text = "piles of {} cards and {}, any cards as likely as any others" if self.sizes[1:] else "any {} cards"
        return TrialKind(text.format(*self.sizes), "piles")

    def _side(self, term: Term) -> int:
        """Whose pile a term is about: 0 for ours."""
        return int(bool(term.who) and term.who[0] != self.own)

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        parts = {term.key: (feature_name(term), self._side(term)) for term in terms}
        try:
            frame, weights = pile_cases(self.rules, (*self.sizes, 0)[:2], list(dict.fromkeys(parts.values())))
        except TooManyCasesError:
            return None
        return Cases.weighted(
            frame.select(pl.col(f"{name}_{side}").alias(key) for key, (name, side) in parts.items()), weights
        )

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        decks, (a, b) = deal_hands(self.rules, seed, first, number, again=False).decks, (*self.sizes, 0)[:2]
        piles = masks_of(decks[:, :a]), masks_of(decks[:, a : a + b])

        columns = {
            term.key: of_piles(self.rules, feature_name(term), piles[:: -1 if self._side(term) else 1])
            for term in terms
        }
        return Cases.simulated(columns, first, number)


# ------------------------------------------------------------------------------------------------ games


@dataclass(frozen=True)
class PlayedGame(Space):
    """A game, or a match, as some policies play it, perhaps from a score on.

    ``points`` is the score by side, ``score`` the same, ours first; ``match`` says that the match is asked about.

    Raises ``InputError`` for an unknown policy and a score at which the game is over.
    """

    rules: Rules
    policies: tuple[str, ...]
    points: tuple[int, ...] = ()
    constraints: DealConstraints | None = None
    score: tuple[int, ...] = ()
    match: bool = False

    @property
    def trial(self) -> TrialKind:
        first = "a match" if self.match else "the first game of a match"
        one = "a game" if self.rules.best_of == 1 else f"{first}, best of {self.rules.best_of}"
        text = f"{one} from {'-'.join(map(str, self.score))}, ours first" if self.score else one
        per, unit = ("match", "matches") if self.match else ("game", "games")
        return TrialKind(text, per, unit, 20_000, 1 << 12)

    def remarks(self, terms: Sequence[Term]) -> Sequence[str]:
        if self.rules.drawn_games or all(term.name != "ties_game" for term in terms):
            return ()
        hands = self.rules.hands_per_game
        how = Message(": a tie is played on (hands_left > {hands} says how often)", hands) if hands else ""
        return (Message("No game is drawn under these rules{how}.", how),)

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        games = checked_games(self.rules, self.policies, seed, self.points, self.constraints)
        numbers = games.play(first, number, rows=True)[1].astype(np.int64)
        rows = dict(zip(game_row_names(self.rules), numbers.T, strict=True))
        return Cases.simulated({term.key: self._column(term, rows) for term in terms}, first, number)

    def _column(self, term: Term, rows: dict[str, Any]) -> Any:
        name, _, value = (term.function.column or term.name).partition(" ")
        if value:
            return rows[name] == int(value)
        if term.function.gives == "truth":
            return rows[name] & sum(1 << side for side in term.who) > 0 if term.who else rows[name] == 0
        if name not in ("points", "lead"):
            return rows[name]
        columns = score_columns(self.rules, term.detail) if term.detail else ("points",)
        points = [np.sum([rows[f"side{side}_{column}"] for column in columns], 0) for side in range(self.rules.sides)]
        return (
            points_ahead(self.rules, points, term.who)
            if name == "lead"
            else np.sum([points[side] for side in term.who], 0)
        )


def score_by_side(score: Sequence[int], rules: Rules, own: int) -> tuple[int, ...]:
    """A score that is given from our side on, in the order of the sides' numbers; raises ``InputError``."""
    if score and len(score) != rules.sides:
        text = "-".join(map(str, score))
        raise InputError(
            "--at: score: {text!r} names {scores} sides (valid: each of {sides}, ours first)",
            text, len(score), rules.sides,
        )  # fmt: skip
    return tuple(score[(side - own) % rules.sides] for side in range(rules.sides)) if score else ()


@dataclass(frozen=True)
class PlayedNight(Space):
    """A night of matches; ``policies`` has one for each pair, the best pair first."""

    rules: Rules
    night: Night
    policies: tuple[str, ...]

    @property
    def trial(self) -> TrialKind:
        return TrialKind(f"a night, {self.night}", "night", "nights", 20_000, 256)

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        return tuple((name,) for name in dict.fromkeys(self.policies))

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        wanted = {term.key: (term.name, term.who[0] if term.who else None) for term in terms}
        nights = nights_of(self.rules, self.night, self.policies, seed)
        columns = nights.columns(first, number, list(dict.fromkeys(wanted.values())))
        return Cases.simulated({key: columns[name] for key, name in wanted.items()}, first, number)

    def remarks(self, terms: Sequence[Term]) -> tuple[str, ...]:
        """How the night is read where the source says nothing."""
        return tuple(nights_of(self.rules, self.night, self.policies, 1).remarks())
