"""The spaces of play: a hand from the deal to the score, what remains of one, piles of any cards, a game, a night.

The terms of a hand are read from the notes of hands as they were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import deal_hands, game_row_names, play_notes, shows_the_best
from ..engine.trials import Games
from ..engine.unseen_cards import play_rest
from ..exact.piles import of_piles, pile_cases
from ..exact.sums import ALL, TooManyCasesError, count_of, masks_of
from ..experiments.nights import nights_of
from ..ruleset.categories import FROM_PLAY
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.hand import HandState
from ..situation.night import Night
from ..situation.people import seen_from
from .cases import Cases, Space, Trial, experiment, feature_name, place_of
from .dealt import UnseenCards, fresh_deal, of_deals, sum_of_sets
from .vocabulary import STOCK, Term, score_columns

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes

# ------------------------------------------------------------------------------------------------ what happened


Column = Any  # an array with one entry a hand: bool, integer or text


def notes_of(term: Term) -> tuple[str, ...]:
    """The parts of ``Notes`` that a term is read from."""
    if place_of(term) is not None:
        return ("decks",)
    in_part = term.after is not None or (term.stages and term.function.group == "score")
    return *term.function.notes, *(("plays", "knocks") if in_part else ())


def lead(rules: Rules, points: Sequence[Column], who: Sequence[int]) -> Column:
    """Points of some sides less the mean of the others'; where the fewest win, the points that they have fewer."""
    own = np.sum([points[side] for side in who], axis=0)
    others = [each for side, each in enumerate(points) if side not in who]
    return rules.pays * (own - (others[0] if len(others) == 1 else np.sum(others, axis=0) / len(others)))


class HandColumns:
    """The terms of some hands as columns, read from the notes of how they were played.

    ``seats``, ``stages`` and ``turns`` are the seat of each play, its stage and which of the cards of the seat in that
    stage it is, all from 0: int64[plays].
    """

    def __init__(self, rules: Rules, notes: Notes) -> None:
        self.rules, self.notes, players = rules, notes, rules.players
        self.seats: NDArray[np.int64] = np.arange(40 - rules.table_cards) % players
        self.stages: NDArray[np.int64] = np.repeat(np.arange(len(rules.deal_plan)), np.array(rules.deal_plan) * players)
        turns = [np.arange(size * players) // players for size in rules.deal_plan]
        self.turns: NDArray[np.int64] = np.concatenate(turns)

    @cached_property
    def plays(self) -> NDArray[np.uint64]:
        """Each play as a word of ``kernel.game.plays.word_of``: uint64[hands, plays]."""
        return self.notes.plays[:, : len(self.seats)]

    @cached_property
    def played(self) -> NDArray[np.uint64]:
        """The card of each play, as a mask, 0 for one before a position: uint64[hands, plays]."""
        return np.where(self.plays != 0, np.uint64(1) << (self.plays >> np.uint64(40) & np.uint64(63)), np.uint64(0))

    @cached_property
    def taken(self) -> NDArray[np.uint64]:
        """The cards that each play captures, with its own: masks, uint64[hands, plays]."""
        cards = self.plays & np.uint64(ALL)
        return np.where(cards != 0, cards | self.played, np.uint64(0))

    @cached_property
    def sweeping(self) -> NDArray[np.bool_]:
        """Which plays score a sweep: bool[hands, plays]."""
        return np.asarray((self.plays >> np.uint64(50) & np.uint64(1)) != 0)

    def column(self, term: Term) -> Column:
        """The values of a term: bool, integers or texts, one a hand; a method below gives those of no cards held."""
        if (place := place_of(term)) is not None:
            return of_deals(self.rules, term, place, self.notes.decks)
        method, _, what = term.function.column.partition(" ")
        return getattr(self, method)(term, *filter(None, [what]))

    def deal(self, term: Term, column: str) -> Column:
        """A number that the kernel notes of each deal, by its name there; of some seats whether it is one of them."""
        from ..kernel.game import hand

        number = self.notes.deals[:, int(getattr(hand, column))].astype(np.int64)
        return np.isin(number, term.who) if term.who else number

    def sets(self, term: Term) -> Column:
        return sum_of_sets(self.rules, self.notes.knocks, term)

    def _meant(self, term: Term) -> NDArray[np.bool_]:
        """Which plays a term is about: bool[plays]."""
        meant = np.isin(self.seats, term.who) if term.who else np.ones(len(self.seats), np.bool_)
        meant &= np.isin(self.stages, term.stages) if term.stages else True
        return meant & (self.turns == term.turn) if term.turn is not None else meant

    def count(self, term: Term, what: str) -> Column:
        """How many plays are ``sweeping``, or ``capturing``, with the cards of a term if it names some."""
        flags = self.sweeping if what == "sweeping" else self.taken != 0
        flags = flags if not term.cards else flags & (self.played & np.uint64(term.cards) != 0)
        meant = self._meant(term)
        return np.count_nonzero(flags if meant.all() else flags[:, meant], axis=1)

    def cards(self, term: Term, what: str) -> Column:
        """How many of the cards of a term are ``taken``, or ``played``."""
        meant = self._meant(term)
        moved = self.taken if what == "taken" else self.played
        moved = np.where(self.sweeping[:, meant], moved[:, meant], np.uint64(0)) if term.by_sweep else moved[:, meant]
        return count_of(term.cards)(np.bitwise_or.reduce(moved, axis=1))

    def first(self, term: Term, what: str) -> Column:
        """Of the first capture of a card, or of any, its ``play`` or ``stage``, from 1, or whether a ``seat`` makes it.

        0 where there is none.
        """
        captures = self.taken & np.uint64(term.cards or ALL) != 0
        play, some = captures.argmax(axis=1), captures.any(axis=1)
        if what == "seat":
            return some & np.isin(self.seats[play], term.who)
        return np.where(some, (play if what == "play" else self.stages[play]) + 1, 0)

    def opening(self, _: Term) -> Column:
        """Whether the first card sweeps."""
        return self.sweeping[:, 0]

    def pile(self, term: Term) -> Column:
        """A feature of the pile of a side, or whether one of some sides, or nobody, wins a contest."""
        piles = self.notes.piles[:, : self.rules.sides].T
        each = [of_piles(self.rules, feature_name(term), [*piles[side:], *piles[:side]]) for side in term.who or (0,)]
        return each[0] if len(each) == 1 else np.any(each, axis=0)

    @cached_property
    def with_the_deal(self) -> NDArray[np.uint64]:
        """The table as it is dealt where the dealer takes it, else nothing: masks, uint64[hands]."""
        table = ~np.bitwise_or.reduce(self.played, axis=1) & np.uint64(ALL)
        return np.where(self.deal(Term(""), "TABLE_KIND") > 0, table, np.uint64(0))

    def left(self, term: Term) -> Column:
        """How many cards lie on the table after so many stages, or at the end."""
        until = self.stages < (len(self.rules.deal_plan) if term.after is None else term.after)
        gone = np.bitwise_or.reduce(self.taken[:, until], axis=1) | self.with_the_deal
        table = ~(gone | np.bitwise_or.reduce(self.played[:, ~until], axis=1))
        return count_of(term.cards or ALL)(table)

    def leftovers(self, term: Term) -> Column:
        """The cards left at the end, of who captures last."""
        return np.where(self.deal(term, "LAST_CAPTURE"), self.left(Term("left")), 0)

    def captured(self, term: Term) -> Column:
        """Cards in a pile, or in it after some stages; what is left on the table is given at the end of the last."""
        if term.after is None or term.after == len(self.rules.deal_plan):
            return self.pile(term)
        seats = [self.rules.side(seat) == term.who[0] for seat in range(self.rules.players)]
        until = (self.stages < term.after) & np.array(seats)[self.seats]
        theirs = np.bitwise_or.reduce(self.taken[:, until], axis=1)
        theirs |= self.with_the_deal if self.rules.dealer_side == term.who[0] else np.uint64(0)
        return count_of(term.cards or ALL)(theirs)

    def decisive(self, _: Term) -> Column:
        """The play after which the winner leads for good; 0 is the deal, and the count of the piles comes last."""
        hands, plan = np.arange(len(self.plays)), np.array(self.rules.deal_plan)
        points = np.zeros((len(hands), len(self.seats) + 2, self.rules.sides), np.int64)
        points[:, 0] = self.score_columns("table_bonus")
        for play, seat in enumerate(self.seats):
            points[:, play + 1, self.rules.side(seat)] += self.sweeping[:, play] * self.rules.sweep_point
        for slot, stage in enumerate(np.repeat(np.arange(len(plan)), plan // 3)):
            for seat in range(self.rules.players):
                [own] = np.nonzero((self.seats == seat) & (self.stages == stage))
                word = self.notes.knocks[:, slot, seat]
                first = (self.played[:, own] & (word >> np.uint64(8))[:, None] != 0).argmax(axis=1)
                turn = first if self.rules.bonus_cards_first else 0 * first
                points[hands, own[turn] + 1, self.rules.side(seat)] += (word >> np.uint64(48)).astype(np.int64)
        standing = points.cumsum(axis=1)
        standing[:, -1] = self.score_columns("total")
        ahead = standing == standing.max(axis=2, keepdims=True)
        leads = ahead & (ahead.sum(axis=2, keepdims=True) == 1)
        won = self.score_columns("wins") > 0
        behind = ~(leads & won[:, None]).any(axis=2)
        return np.where(won.any(axis=1), behind.shape[1] - behind[:, ::-1].argmax(axis=1), 0) * behind.any(axis=1)

    # -------------------------------------------------------------------------------- score

    def score(self, column: str, sides: Sequence[int]) -> Column:
        """A column of the score added up over some sides: int64[hands]."""
        return self.score_columns(column)[:, list(sides)].sum(axis=1)

    def score_columns(self, column: str) -> NDArray[np.int64]:
        """A column of the score of each side: int64[hands, sides]."""
        from ..kernel.game.scoring import COLUMN

        return self.notes.scores[:, : self.rules.sides, COLUMN[column]].astype(np.int64)

    def points(self, term: Term) -> Column:
        columns = score_columns(self.rules, term.detail)
        stages = term.stages if term.after is None else tuple(range(term.after))
        points = np.zeros(len(self.notes.deals), np.int64)
        if not stages or (columns != ("total",) and term.detail not in FROM_PLAY):
            return sum((self.score(column, term.who) for column in columns), points)
        seats = tuple(seat for seat in range(self.rules.players) if self.rules.side(seat) in term.who)
        if term.detail in ("", "sweeps"):
            points += self.count(Term("sweeps", seats, stages), "sweeping") * self.rules.sweep_point
        if term.detail in ("", "knocks"):
            points += self.sets(Term("knock_points", seats, stages))
        if term.detail in ("", "table") and term.after is not None:
            points += self.score("table_bonus", term.who)
        return points

    def margin(self, term: Term) -> Column:
        each = [self.points(replace(term, who=(side,))) for side in range(self.rules.sides)]
        return lead(self.rules, each, term.who)

    def outcome(self, term: Term) -> Column:
        """Whether one of some sides wins the hand, or a contest; about nobody, whether no side does."""
        if term.detail:
            return self.pile(term)
        wins = self.score("wins", term.who or range(self.rules.sides))
        return wins > 0 if term.who else wins == 0


# ------------------------------------------------------------------------------------------------ hands


@dataclass(frozen=True)
class PlayedHand(Space):
    """A hand as some policies play it, by side; hands decided at the deal are left out.

    Raises ``InputError`` for an unknown policy.
    """

    rules: Rules
    policies: tuple[str, ...]
    constraints: DealConstraints | None = None

    trial = Trial("a hand played", "hand", "hands", 100_000, 1 << 14)

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
    def trial(self) -> Trial:
        to_play = seen_from(self.now.rules, self.now.seat)[self.now.to_play]
        besides = "" if self.now.constraints is None else f"; {self.now.constraints}"
        return Trial(f"this hand played on ({to_play} to play{besides})", "position", "hands", 20_000, 1 << 10)

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
    def trial(self) -> Trial:
        text = "piles of {} cards and {}, any cards as likely as any others" if self.sizes[1:] else "any {} cards"
        return Trial(text.format(*self.sizes), "piles")

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
    def trial(self) -> Trial:
        first = "a match" if self.match else "the first game of a match"
        one = "a game" if self.rules.best_of == 1 else f"{first}, best of {self.rules.best_of}"
        text = f"{one} from {'-'.join(map(str, self.score))}, ours first" if self.score else one
        per, unit = ("match", "matches") if self.match else ("game", "games")
        return Trial(text, per, unit, 20_000, 1 << 12)

    def remarks(self, terms: Sequence[Term]) -> Sequence[str]:
        if self.rules.drawn_games or all(term.name != "ties_game" for term in terms):
            return ()
        hands = self.rules.hands_per_game
        how = Message(": a tie is played on (hands_left > {hands} says how often)", hands) if hands else ""
        return (Message("No game is drawn under these rules{how}.", how),)

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Cases:
        games = _games(self.rules, self.policies, seed, self.points, self.constraints)
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
        points = [rows[f"side{side}_points"] for side in range(self.rules.sides)]
        return lead(self.rules, points, term.who) if name == "lead" else np.sum([points[side] for side in term.who], 0)


@lru_cache(16)
def _games(
    rules: Rules, policies: tuple[str, ...], seed: int, points: tuple[int, ...], constraints: DealConstraints | None
) -> Games:
    """The games that some policies play, built and checked once."""
    games = Games(rules, policies, 1, seed, points, constraints=constraints)
    games.check()
    return games


def by_side(score: Sequence[int], rules: Rules, own: int) -> tuple[int, ...]:
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
    def trial(self) -> Trial:
        return Trial(f"a night, {self.night}", "night", "nights", 20_000, 256)

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
