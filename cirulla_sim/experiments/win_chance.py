"""The chance to win a game from a score: by the chain of scores, by playing games out, or both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError, unknown
from ..engine.engines import Folded
from ..engine.fingerprint import fingerprint
from ..engine.trials import Experiment, Games, Trials, check_score
from ..reporting.result import Result
from ..ruleset.rules_model import Rules
from ..stats.estimates import Estimate, Z, proportion
from ..storage.tables import SCHEMA, estimate_row, read, write_part
from .autosave import NOWHERE, Saving
from .expectancy import Brought, brought
from .playing_on import games_from, won
from .runner import gone_on, interruption
from .win_chance_files import hands_in, hands_kept, won_in, won_kept, won_of
from .win_chance_setup import THIS, Machine, Setting, metadata, remarks

ANSWER_SCHEMA, VERB = "win-chance/2", "games --from"

ANSWER = {"score": pl.String, "dealer": pl.String, "method": pl.String} | SCHEMA
"""The columns of an ``answer``; ``method`` is ``chain`` or ``played out``."""


def read_score(rules: Rules, text: str, flag: str = "--from") -> tuple[int, ...]:
    """A score as ``38-41``, ours first and then in order of play.

    Raises ``InputError`` that names the flag.
    """
    if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})+", text):
        shape = "-".join(["38", "41", "20", "7"][: rules.sides])
        raise InputError(f"{flag} {text!r} is no score (valid: points of each side, ours first, as {shape})")
    score = tuple(int(points) for points in text.split("-"))
    try:
        check_score(rules, score)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None
    return score


def read_dealer(rules: Rules, text: str) -> int:
    """Who deals, as a place in the order of play: ``us`` is 0, ``them`` 1; between more sides ``2`` is the second."""
    names = ["us", "them"] if rules.sides == 2 else ["us", *(str(place) for place in range(2, rules.sides + 1))]
    if text not in names:
        raise unknown("dealer", text, names, where="--dealer: ")
    return names.index(text)


def why_no_chain(rules: Rules) -> str:
    """Why there is no chain of scores, so that games are played out; empty where there is one."""
    if rules.sides != 2:
        return "the chain of scores is for two sides"
    return "the chain of scores has no knock-out" if rules.knockout_tiebreak else ""


@dataclass(frozen=True)
class Found:
    """What was played to answer: hands for the chain of scores, and games on from the score, some of which were won."""

    hands: Folded[Brought]
    games: Folded[int]

    @property
    def done(self) -> int:
        """How much it is."""
        return self.hands.done + self.games.done


NOTHING = Found(Folded(Counter(), 0, "interrupted"), Folded(0, 0, "interrupted"))


@dataclass(frozen=True)
class Question:
    """The chance to win from a score, ours first, when ``dealer`` deals next (see ``read_dealer``).

    Where there is a chain of scores it is asked of hands, and of so many games besides as are to ``check`` it;
    elsewhere of the games of the ``setting``. Raises ``InputError`` for a score and a dealer that cannot be.
    """

    setting: Setting
    score: str
    dealer: str
    check: int = 0

    def __post_init__(self) -> None:
        read_score(self.setting.rules, self.score)
        read_dealer(self.setting.rules, self.dealer)

    @property
    def points(self) -> tuple[int, ...]:
        """The score as points."""
        return read_score(self.setting.rules, self.score)

    @property
    def place(self) -> int:
        """Who deals next, as a place in the order of play."""
        return read_dealer(self.setting.rules, self.dealer)

    @cached_property
    def hands(self) -> tuple[Experiment, ...]:
        """The hands to play for the chain; none where there is no chain."""
        return () if why_no_chain(self.setting.rules) else self.setting.dealt()

    @cached_property
    def games(self) -> Games | None:
        """The games to play on from the score; None where the chain is not to be checked."""
        number = self.check if self.hands else self.setting.games
        return games_from(self.setting, self.points, self.place, number) if number else None

    @property
    def trials(self) -> tuple[Trials, ...]:
        """What tells how it is played: the hands of the chain, or else the games."""
        return self.hands or ((self.games,) if self.games is not None else ())

    @cached_property
    def fingerprint(self) -> str:
        """What tells whether the trials would still be played the same."""
        return fingerprint(*self.trials)

    def is_left(self, found: Found) -> bool:
        """Whether something of it has been left unplayed."""
        hands = bool(self.hands) and found.hands.stopped == "interrupted"
        return hands or (self.games is not None and found.games.stopped == "interrupted")

    def made(self, found: Found) -> dict[str, Any]:
        """How its table was made, of what was found so far."""
        asked = ["--from", self.score, "--dealer", self.dealer]
        words = [*asked, *(["--check", str(self.check)] if self.check else [])]
        part: Folded[Any] = found.hands if self.hands else found.games
        said = metadata(self.setting, words, ANSWER_SCHEMA, self.trials[0], part, self.fingerprint) | {"asked": asked}
        said |= {"check": found.games.done} if self.check else {}
        return said | ({"stopped": "interrupted"} if self.is_left(found) else {})

    def kept(self, found: Found) -> dict[str, str]:
        """What its file keeps beside the table."""
        hands = hands_kept(found.hands) if self.hands else {}
        return hands | (won_kept(found.games) if self.games is not None else {})

    def table(self, found: Found) -> pl.DataFrame:
        """A table of ``ANSWER``, of what was found so far; no row where that tells nothing yet.

        Raises ``InputError`` where all there is to play tells nothing.
        """
        rows = [self._row(*row) for row in self._estimates(found)]
        return pl.DataFrame(rows, schema=ANSWER, orient="row")

    def _estimates(self, found: Found) -> Iterator[tuple[str, str, Estimate]]:
        """Methods, kinds and estimates."""
        chances = self.setting.chances(found.hands, self.is_left(found)) if self.hands else None
        chain = None if chances is None else chances.chance(self.points[0], self.points[1], self.place)
        games = proportion(found.games.tally, found.games.done) if found.games.done else None
        if chain is not None:
            yield "chain", "probability", chain
        if games is not None:
            yield "played out", "probability", games
        if chain is not None and games is not None:
            yield "chain less played out", "difference", _difference(chain, games)

    def _row(self, method: str, kind: str, estimate: Estimate) -> dict[str, Any]:
        about = {"score": self.score, "dealer": self.dealer, "method": method}
        return about | estimate_row("wins_game", "game", "us", kind, estimate)


def _difference(chain: Estimate, games: Estimate) -> Estimate:
    """By how much two chances differ.

    Games would scatter so if the chain is right: a few that all end alike are no certainty.
    """
    error = float(np.hypot(chain.std_error, np.sqrt(chain.value * (1 - chain.value) / games.n)))
    apart, half = chain.value - games.value, Z * error
    return Estimate(apart, error, apart - half, apart + half, games.n)


def answer(question: Question, saving: Saving = NOWHERE, machine: Machine = THIS) -> Result:
    """The chance to win from a score: a table of ``ANSWER``, kept on the way and gone on from as ``saving`` says.

    By the chain of scores, with ``check`` by playing games out too, and their difference; where there is no chain by
    playing games out. Raises ``InputError`` for a file that cannot be written, and one to go on from that is of
    something else.
    """

    def write(found: Found, part: Path) -> None:
        write_part(question.table(found), part, question.made(found), question.kept(found))

    earlier = saving.earlier(partial(found_in, question))
    with saving.kept(write) as keeper:  # a file that cannot be is told now
        found = played(question, earlier or NOTHING, machine, keeper.grown)
        frame, made, kept = question.table(found), question.made(found), question.kept(found)
        if frame.is_empty():
            raise KeyboardInterrupt
        keeper.end(lambda part: write_part(frame, part, made, kept))
    said = tuple(_remarks(question, frame, earlier, found, saving.output))
    return Result(frame, made, frame, said, 130 if question.is_left(found) else 0, kept)


def played(question: Question, start: Found, machine: Machine, grown: Callable[[Found], None]) -> Found:
    """What is played of a question after what was there at the ``start``; ``grown`` hears of it on the way."""
    found = start
    if question.hands:
        play = partial(brought, question.hands)
        hands = machine.carry_out(
            question.hands[0], play, start.hands, lambda hands: grown(replace(start, hands=hands))
        )
        found = replace(start, hands=hands)
        if hands.stopped == "interrupted":
            return found
    if question.games is not None:
        games = machine.carry_out(
            question.games, partial(won, question.games, question.place), start.games,
            lambda games: grown(replace(found, games=games)),
        )  # fmt: skip
        found = replace(found, games=games)
    return found


def found_in(question: Question, paths: Sequence[Path], flag: str) -> Found:
    """What files hold of a question, or of one of fewer hands and games.

    Raises ``InputError`` that names what differs.
    """

    def wanted() -> dict[str, Any]:
        return question.made(NOTHING)

    if not question.hands:
        assert question.games is not None
        return replace(NOTHING, games=won_in(question.games, wanted, VERB, paths, flag))
    hands = hands_in(question.hands, wanted, VERB, paths, flag)
    checked = [_checked_in(question, path, flag) for path in paths]
    return Found(hands, checked[0] if len(paths) == 1 else NOTHING.games)


def _checked_in(question: Question, path: Path, flag: str) -> Folded[int]:
    """The games that check the chain in a file; raises ``InputError`` for more than are asked for."""
    number = read(path)[1].get("check", 0)
    if number == 0:
        return NOTHING.games
    held = won_of(path, number, VERB, flag)
    if number > question.check:
        raise InputError(
            f"{flag} {path}: holds {number} games played out, more than --check asks for (valid: --check {number})"
        )
    return Folded(held, number, "interrupted")


def _remarks(
    question: Question, frame: pl.DataFrame, earlier: Found | None, found: Found, output: Path | None
) -> Iterator[str]:
    yield from remarks(question.setting)
    if not question.hands:
        why = why_no_chain(question.setting.rules)
        yield f"{why[0].upper()}{why[1:]}: games were played out."
    for row in frame.filter(pl.col("std_error") > 0, kind="difference").to_dicts():
        yield f"The two are {abs(row['estimate']) / row['std_error']:.2f} standard errors apart."
    if earlier is not None:
        yield _went_on(question, earlier, found)
    if output is not None:
        yield f"Written: {output}"
    if question.is_left(found):
        yield _interruption(question, found)


def _went_on(question: Question, earlier: Found, found: Found) -> str:
    if not question.hands:
        return gone_on(earlier.games.done, found.games.done, "games", found.games.gaps)
    besides = f" and {earlier.games.done:_} games" if earlier.games.done else ""
    there = earlier.hands.done
    return gone_on(there, there + found.done - earlier.done, f"hands{besides}", found.hands.gaps)


def _interruption(question: Question, found: Found) -> str:
    part: Folded[Any] = found.hands if question.hands and found.hands.stopped == "interrupted" else found.games
    trials = question.trials[0] if part is found.hands else question.games
    assert trials is not None
    return interruption(part.done, trials.number, trials.unit)
