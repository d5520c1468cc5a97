"""The sample space of a question: the smallest in which all its words have a meaning, given the situation.

Without play: cards held, the table, the first deal, a deal that is played. With play: a hand, what remains of one, a
game, a night. In mid-hand also the next plays, over every way of dealing the cards that are not seen.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..experiments.nights import check_function
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.information_set import InformationSet
from ..situation.night import Night
from .cases import Space
from .dealt import fresh_deal
from .meaning import Speaker
from .played import NOT_FROM_HERE, OF_MATCHES, PlayedGame, PlayedHand, PlayedNight, PlayedRest, RandomPiles, by_side
from .terms import Term
from .unseen import UnseenCards

POSITION = "table: 3c 5d; me: 7d Ks; to play: next"
"""A position for examples."""

NIGHT = "night: 8 pairs, 4 rounds of 8 hands, swiss, 4 minutes a hand"
"""A night for examples."""

_CALLED = {
    "cards": Message("what is dealt"), "table": Message("the first table, misdeals too"),
    "deal": Message("a deal that is played"), "hand": Message("a hand as it is played"),
    "turn": Message("the next plays in mid-hand"), "game": Message("a game"), "night": Message("a night"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Place:
    """The situation of a question: a seat, and a fresh deal, a position (``now``), a score, piles or a night.

    ``policies`` are who plays, by side; ``score`` is ours first.
    """

    rules: Rules
    me: int
    policies: tuple[str, ...]
    constraints: DealConstraints | None = None
    now: InformationSet | None = None
    score: tuple[int, ...] = ()
    sizes: tuple[int, int] | None = None
    night: Night | None = None

    @property
    def speaker(self) -> Speaker:
        """Whose words are asked here."""
        here = here_of(self.now is not None, self.sizes is not None, self.night is not None, bool(self.score))
        return Speaker(self.rules, self.me, here, len(self.night.pairs) if self.night else 64)


def here_of(position: bool, piles: bool, night: bool, score: bool) -> str:
    """The kind of place, see ``vocabulary.HERE``."""
    kinds = {"position": position, "piles": piles, "night": night, "game": score, "fresh": True}
    return next(kind for kind, is_so in kinds.items() if is_so)


def space_of(terms: Sequence[Term], place: Place) -> Space:
    """The smallest space in which some terms have a meaning; raises ``InputError`` where there is none."""
    if place.now is not None:
        return _of_position(terms, place.now, place)
    if place.sizes is not None:
        return _of_piles(terms, place, place.sizes)
    if place.night is not None:
        return _of_night(terms, place, place.night)
    spaces = {term.function.space for term in terms}
    if "night" in spaces:
        raise InputError(
            "{name} is about a night (valid: {command})", (term := _first(terms, "night")).name, _command(term)
        )
    if "turn" in spaces:
        raise InputError(
            "{name} is asked in mid-hand (valid: {command})", (term := _first(terms, "turn")).name, _command(term)
        )
    if "game" in spaces:
        if spaces != {"game"}:
            raise _mixed(_first(terms, "game"), next(term for term in terms if term.function.space != "game"))
        points = by_side(place.score, place.rules, place.rules.side(place.me))
        match = place.rules.best_of > 1 and any(term.name in OF_MATCHES for term in terms)
        return PlayedGame(place.rules, place.policies, points, place.constraints, place.score, match)
    if place.score:
        score = f"score: {'-'.join(map(str, place.score))}"
        raise InputError(
            "--at: {score!r} is of a game, and {name} is not (valid: {command})",
            score,
            terms[0].name if terms else Message("the question"),
            shlex.join(["odds", "wins_game(us)", "--at", score]),
        )
    if "table" in spaces and (mixed := [one for one in ("deal", "hand") if one in spaces]):
        raise _mixed(_first(terms, "table"), _first(terms, mixed[0]))
    if "hand" in spaces or (place.policies and any(map(is_of_sets_shown, terms))):
        return PlayedHand(place.rules, place.policies, place.constraints)
    return fresh_deal(place.rules, terms, place.constraints)


def is_played(terms: Sequence[Term]) -> bool:
    """Whether somebody has to play for the answer."""
    return any(term.function.space in ("hand", "game", "night") for term in terms)


def is_of_sets_shown(term: Term) -> bool:
    """Whether a term is about sets that players show, which policies may decide."""
    return term.function.group == "shown"


def _first(terms: Sequence[Term], space: str) -> Term:
    return next(term for term in terms if term.function.space == space)


def _mixed(term: Term, other: Term) -> InputError:
    """The error for terms that no space has together."""
    commands = alternatives(_command(one) for one in (term, other))
    return InputError(
        "{name} is of {space}, and {other} of {other_space} (valid: one at a time, {commands})",
        term.name, _CALLED[term.function.space], other.name, _CALLED[other.function.space], commands,
    )  # fmt: skip


_WHERE = {"turn": ("--at", POSITION), "night": ("--at", NIGHT)}


def _command(term: Term) -> str:
    """A command that asks of a function by its example."""
    return shlex.join(["odds", term.function.example, *_WHERE.get(term.function.space, ())])


def _of_night(terms: Sequence[Term], place: Place, night: Night) -> Space:
    for term in terms:
        if term.function.space != "night":
            raise InputError(
                "{name} is not of a night (valid: wins_night(pair 1), misdeal_run; or {command})",
                term.name, _command(term),
            )  # fmt: skip
        check_function(night, term.name, term.who[0] if term.who else None)
    return PlayedNight(place.rules, night, night.policies(place.policies[0]))


def _of_position(terms: Sequence[Term], now: InformationSet, place: Place) -> Space:
    spaces = {term.function.space for term in terms}
    for term in terms:
        if term.function.space in ("table", "game", "night", "deal") or term.name in NOT_FROM_HERE:
            hint = "odds 'wins(us)'" if term.function.space != "game" else "advise --aim game"
            raise InputError("{name} cannot be asked in mid-hand (valid: {hint} --at ...)", term.name, hint)
        if term.after is not None or (term.name == "points" and term.stages):
            raise InputError(
                "{name}: the score after a stage cannot be asked in mid-hand (valid: points(us))", term.name
            )
        if term.function.space == "hand" and term.stages and min(term.stages) < now.field("stage"):
            raise InputError(
                "{name}: stage {stage} is over (valid: stage {now})",
                term.name, min(term.stages) + 1, now.field("stage") + 1,
            )  # fmt: skip
    return PlayedRest(now, place.policies) if "hand" in spaces else UnseenCards(now)


_OF_PILES = ("wins", "ties")


def _of_piles(terms: Sequence[Term], place: Place, sizes: tuple[int, int]) -> Space:
    for term in terms:
        if term.function.group != "pile" and not (term.name in _OF_PILES and term.detail):
            raise InputError(
                "{name} is not of two piles alone (valid with --sizes: captured(us, sevens), wins(us, primiera), "
                "primiera(us); without it: {command})",
                term.name, _command(term),
            )  # fmt: skip
    if place.rules.sides != 2:
        raise InputError("--sizes: {sides} sides are too many, two piles are compared (valid: two)", place.rules.sides)
    return RandomPiles(place.rules, sizes, place.rules.side(place.me))
