"""The spaces of play: a hand from the deal to the score, what remains of one, piles of any cards, a game, a night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..engine.chunks import deal_hands, game_row_names, play_notes, shows_the_best
from ..engine.hand_in_play import play_rest
from ..engine.trials import Games
from ..exact.features import masks_of
from ..exact.piles import compared, contest, of_pile, pile_cases
from ..experiments.nights import night_columns, nights_of
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.information_set import InformationSet
from ..situation.night import Night
from ..situation.people import seen_from
from .cases import Cases, OfDeals, OfPlay, Sample, equal_once, experiment
from .dealt import fresh_deal, place_of
from .happened import Happened, needs, pile_feature_name
from .terms import TABLE, Term
from .unseen import UnseenCards


@dataclass(frozen=True)
class PlayedHand(OfPlay):
    """A hand as some policies play it, by side; hands decided at the deal are left out.

    Raises ``InputError`` for an unknown policy.
    """

    rules: Rules
    policies: tuple[str, ...]
    constraints: DealConstraints | None = None

    per = "hand"
    trial = "a hand played (none decided at the deal)"
    unit = "hands"
    usual = 100_000
    chunk = 1 << 14

    def is_slow(self, terms: Sequence[Term]) -> bool:
        return _is_dealt(terms) and fresh_deal(self.rules, terms, self.constraints).is_slow(terms)

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        """What is dealt alone, counted: cards, and sets shown where nobody decides about them."""
        if not _is_dealt(terms) or any(term.name == "misdeals" for term in terms):
            return None
        shown = any(place_of(term) is None for term in terms)
        if shown and not shows_the_best(experiment(self.rules, self.policies, 1, self.constraints)):
            return None
        return fresh_deal(self.rules, terms, self.constraints, played=True).cases(terms)

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        wanted = {part for term in terms for part in needs(term)}
        notes = play_notes(experiment(self.rules, self.policies, seed, self.constraints), first, number, wanted)
        hands = Happened(self.rules, notes)
        frame = pl.DataFrame({term.key: hands.column(term) for term in terms})
        return Sample(frame.filter(notes.played), np.arange(first, first + number)[notes.played])


def _is_dealt(terms: Sequence[Term]) -> bool:
    return all(term.function.space in ("cards", "deal") for term in terms)


def _is_held(term: Term) -> bool:
    return term.function.space in ("cards", "turn")


NOT_FROM_HERE = ("first_capture", "first_capture_play", "first_card_sweeps", "leftovers", "when_taken", "stage_taken")
"""Functions of a hand that make no sense of what remains of one."""


@dataclass(frozen=True, eq=False)
class PlayedRest(OfPlay):
    """What remains of a hand as a player knows it, as some policies play it on.

    Raises ``InputError`` for an unknown policy.
    """

    now: InformationSet
    policies: tuple[str, ...]

    constraints = None  # of every deal
    per = "position"
    unit = "hands"
    usual = 20_000
    chunk = 1 << 10

    @property
    def trial(self) -> str:
        to_play = seen_from(self.now.rules, self.now.field("seat"))[self.now.to_play]
        besides = "" if self.now.constraints is None else f"; {self.now.constraints}"
        return f"this hand played on ({to_play} to play{besides})"

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        rules, wanted = (
            self.now.rules,
            {part for term in terms for part in (("plays",) if _is_held(term) else needs(term))},
        )
        notes = play_rest(self.now, experiment(rules, self.policies, seed, self.now.constraints), first, number, wanted)
        hands = Happened(rules, notes)
        columns = {term.key: self._held(term, hands) if _is_held(term) else hands.column(term) for term in terms}
        return Sample(pl.DataFrame(columns), np.arange(first, first + number))

    def _held(self, term: Term, hands: Happened) -> Any:
        """A term about cards held now or later: those that the player then plays in that stage."""
        unseen = UnseenCards(self.now)
        if term.who[0] == TABLE:
            return unseen.column(term, np.zeros((len(hands.plays), 0), np.uint8))
        stage, seat = unseen.place(term)
        known = unseen.known((stage, seat))
        meant = (hands.seats == seat) & (hands.stages == stage)
        meant &= np.arange(len(meant)) >= self.now.number_of_plays
        cards = (hands.plays[:, meant] >> np.uint64(40) & np.uint64(63)).astype(np.uint8)
        hidden = np.array([known >> card & 1 == 0 for card in range(40)], np.bool_)[cards]
        return unseen.column(term, cards[hidden].reshape(len(cards), -1))


@dataclass(frozen=True)
class RandomPiles(OfDeals):
    """Two piles of given sizes, ours first, any cards of the pack as likely as any others; ``own`` is our side."""

    rules: Rules
    sizes: tuple[int, int]
    own: int
    per = "piles"

    @property
    def trial(self) -> str:
        return "piles of {} cards and {}, any cards as likely as any others".format(*self.sizes)

    def _part(self, term: Term) -> tuple[str, int]:
        """What a term is called in ``exact.piles``, and whose pile it is about: 0 for ours."""
        name = pile_feature_name(term) or f"{term.name}:{term.detail}"
        return name, int(bool(term.who) and term.who[0] != self.own)

    def cases(self, terms: Sequence[Term]) -> Cases | None:
        parts = {term.key: self._part(term) for term in terms}
        try:
            frame, weights = pile_cases(self.rules, self.sizes, list(dict.fromkeys(parts.values())))
        except InputError:  # too much at once
            return None
        return equal_once(
            frame.select(pl.col(f"{name}_{side}").alias(key) for key, (name, side) in parts.items()), weights
        )

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        decks, (a, b) = deal_hands(self.rules, seed, first, number, again=False).decks, self.sizes
        piles = masks_of(decks[:, :a]), masks_of(decks[:, a : a + b])

        def column(name: str, side: int) -> Any:
            kind, _, category = name.partition(":")
            if kind not in ("wins", "ties"):
                return of_pile(self.rules, name, piles[side])
            feature = compared(self.rules, category)
            if feature is None:
                return np.zeros(number, np.bool_)
            return contest([column(feature, side), column(feature, 1 - side)], kind == "ties")

        frame = pl.DataFrame({term.key: column(*self._part(term)) for term in terms})
        return Sample(frame, np.arange(first, first + number))


# ------------------------------------------------------------------------------------------------ games


OF_MATCHES = ("wins_match", "games_played")
"""Functions of a match."""

_ENDS = ("ends_by_score", "ends_by_cappotto", "ends_at_deal", "ends_by_last_capture")
"""How a game may end, in the kernel's order."""


@dataclass(frozen=True)
class PlayedGame(OfPlay):
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

    usual = 20_000
    chunk = 1 << 12

    @property
    def per(self) -> str:
        return "match" if self.match else "game"

    @property
    def unit(self) -> str:
        return "matches" if self.match else "games"

    @property
    def trial(self) -> str:
        first = "a match" if self.match else "the first game of a match"
        one = "a game" if self.rules.best_of == 1 else f"{first}, best of {self.rules.best_of}"
        return f"{one} from {'-'.join(map(str, self.score))}, ours first" if self.score else one

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        games = _games(self.rules, self.policies, seed, self.points, self.constraints)
        numbers = games.play(first, number, rows=True)[1].astype(np.int64)
        rows = dict(zip(game_row_names(self.rules), numbers.T, strict=True))
        return Sample(
            pl.DataFrame({term.key: self._column(term, rows) for term in terms}), np.arange(first, first + number)
        )

    def _column(self, term: Term, rows: dict[str, Any]) -> Any:
        if term.name in _ENDS:
            return rows["ended"] == _ENDS.index(term.name)
        if term.name in ("wins_game", "wins_match"):
            winners = rows["winners" if term.name == "wins_game" else "match_winners"]
            return winners & sum(1 << side for side in term.who) > 0
        if term.name == "ties_game":
            return rows["winners"] == 0
        if term.name in ("score", "lead"):
            own = np.sum([rows[f"side{side}_points"] for side in term.who], axis=0)
            others = [rows[f"side{side}_points"] for side in range(self.rules.sides) if side not in term.who]
            if term.name == "score" or len(others) > 1:
                return own if term.name == "score" else own - np.sum(others, axis=0) / len(others)
            return own - others[0]
        return rows[{"hands_left": "hands"}.get(term.name, term.name)]


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
        raise InputError(f"--at: score: {text!r} names {len(score)} sides (valid: each of {rules.sides}, ours first)")
    return tuple(score[(side - own) % rules.sides] for side in range(rules.sides)) if score else ()


@dataclass(frozen=True)
class PlayedNight(OfPlay):
    """A night of matches; ``policies`` has one for each pair, the best pair first."""

    rules: Rules
    night: Night
    policies: tuple[str, ...]

    per = "night"
    unit = "nights"
    usual = 20_000
    chunk = 256

    @property
    def trial(self) -> str:
        return f"a night, {self.night}"

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        return tuple((name,) for name in dict.fromkeys(self.policies))

    def sample(self, terms: Sequence[Term], seed: int, first: int, number: int) -> Sample:
        wanted = {term.key: (term.name, term.who[0] if term.who else None) for term in terms}
        columns = night_columns(
            self.rules, self.night, self.policies, seed, first, number, list(dict.fromkeys(wanted.values()))
        )
        frame = pl.DataFrame({key: columns[name] for key, name in wanted.items()})
        return Sample(frame, np.arange(first, first + number))

    def remarks(self, terms: Sequence[Term]) -> tuple[str, ...]:
        """How the night is read where the source says nothing."""
        return tuple(nights_of(self.rules, self.night, self.policies, 1).remarks())
