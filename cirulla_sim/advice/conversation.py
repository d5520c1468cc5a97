"""A game at the terminal, line by line: what is shown, what the person answers, and the file it is saved in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..core import cards
from ..core.errors import InputError
from ..core.locale import Language
from ..core.messages import Message
from ..engine.hand_in_play import Decision
from ..engine.policies import USUAL
from ..experiments.runner import ON_THREADS, carry_out
from ..questions.reading import assumed_of
from ..reporting.result import Result
from ..reporting.text.plays import Hand
from ..situation.line_up import ALL, LineUp
from ..situation.positions import OF_SCORE
from ..storage.request import Effort, Request
from . import screen
from .advice_job import AdviceJob
from .coach import coached
from .game import Game
from .game_setup import GameState
from .judge import Problem

Say = Callable[[str], None]
Hear = Callable[[str], str | None]

HINT_SECONDS = 2.0
"""How long a hint may take."""

CHOOSING = (
    "1, 2, ...   the choice of that number; or its cards: 7d, 7d takes 3s 4c, 7d 3s 4c; of a set 7h 3c 4d, or nothing",
    "h  hint: what each choice is worth, on deals of the cards you do not see",
    "u  undo your last choice",
    "p  piles and points so far",
    "s  score of the game, and the rules that were changed",
    "q  leave; the game is saved, and the same command resumes it",
)

BETWEEN = (
    "Enter  the next hand",
    "r      the hand again, play by play, all cards open",
    "c      the coach: what each play lost, by what its player knew",
    "u      undo your last choice",
    "q      leave; the game is saved, and the same command resumes it",
)


@dataclass
class Conversation:
    """A game and how much of it has been shown.

    Lines to read are given to ``say``, and ``hear`` gets a prompt and returns the answer, None where nobody is there
    any more. The game is written to the file at ``path`` after every choice; the coach uses so many ``samples``.
    """

    game: Game
    path: Path
    samples: int
    say: Say
    hear: Hear
    locale: Language
    ended: int = 0
    """Hands whose end has been shown."""
    shown: int = -1
    """Plays of the hand in play shown so far; -1 before its beginning."""
    stage: int = 0
    """The stage shown last."""

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        setup, table = self.game.setup, self.game.table
        self._lines(screen.title(setup))
        self._lines(*screen.plain_rules(setup))
        if setup.position is not None:
            self._lines(*assumed_of(setup.position, setup.rules, self.locale, OF_SCORE, ()))
        self._lines(Message("Saved in {path} after every choice. ? for help.", self.path))
        self.ended = len(table.records) - bool(table.records and (table.over or not self.game.history[-1]))
        while True:
            self.game.save(self.path)
            if self.ended < len(self.game.table.records):
                goes_on = self._between(self.game.after(self.ended))
            else:
                goes_on = self._choose(self.game.table)
            if not goes_on:
                return

    def _show(self, table: GameState) -> None:
        """Show what has happened in a hand since the last time."""
        record = table.decision.record if table.decision is not None else table.records[-1]
        if self.shown < 0:
            self._lines("", *screen.opening(self.game.setup, table, record))
            self.shown, self.stage = 0, 0
        who = screen.names(self.game.setup, table.passed)
        self._lines(*screen.happened(who, record, self.shown, self.stage))
        self.shown, self.stage = screen.plays_in(record["stages"]), len(record["stages"])

    def _lines(self, *lines: str) -> None:
        for line in lines:
            self.say(cards.with_letters(self.locale.translate(line)))

    def _ask(self, prompt: str) -> str | None:
        return self.hear(self.locale.translate(prompt))

    def _undo(self) -> bool:
        """Undo the last choice, and show its hand from the beginning; whether there was one."""
        if not any(self.game.history):
            self._lines(Message("Nothing to undo: this is your first choice."))
            return False
        self.game.undo()
        self.ended, self.shown = len(self.game.table.records), -1
        return True

    # ------------------------------------------------------------------------------------------------ a choice

    def _choose(self, table: GameState) -> bool:
        """Ask for a choice until there is one; False where the person leaves."""
        setup, decision = self.game.setup, table.decision
        assert decision is not None
        self._show(table)
        stage = Message("  {stage}", screen.stage(setup, decision))
        self._lines(stage, *screen.sight_lines(setup, table.passed, decision, self.locale))
        self._lines(*screen.offers(self.game.choices()))
        while True:
            answer = self._ask("show: " if decision.to_show else "play: ")
            if answer is None or answer.lower() in ("q", "quit", "exit"):
                return self._leave()
            if answer == "u":
                if self._undo():
                    return True
            elif answer in _OTHER_ANSWERS:
                _OTHER_ANSWERS[answer](self, table, decision)
            else:
                try:
                    self.game.play(answer)
                except InputError as error:
                    self.say(self.locale.translate(error.message))
                else:
                    return True

    def _hint(self, table: GameState, decision: Decision) -> None:
        """What each choice is worth, by what the player knows."""
        request = Request("advise", self.game.setup.rule_set, (LineUp(((ALL, USUAL),)),), effort=Effort("samples"))
        job = AdviceJob(request, Problem((self.game.information(),)), HINT_SECONDS)
        given = Result.of(carry_out(job, ON_THREADS))
        self.say(cards.with_letters(given.text(lang=self.locale.name)))
        for remark in given.remarks:
            self.say(self.locale.translate(remark))

    def _piles(self, table: GameState, decision: Decision) -> None:
        self._lines(*screen.pile_lines(self.game.setup, decision))

    def _score(self, table: GameState, decision: Decision) -> None:
        setup = self.game.setup
        self._lines(
            Message("  {score} · {title}", screen.score_line(setup, table), screen.title(setup)),
            *screen.plain_rules(setup),
        )

    def _help(self, table: GameState, decision: Decision) -> None:
        self._lines(*(Message("  {line}", Message(line)) for line in CHOOSING))

    # ------------------------------------------------------------------------------------------------ between hands

    def _between(self, table: GameState) -> bool:
        """The score of a hand played out, and what then; False where the person leaves."""
        self._show(table)
        self._lines(*screen.result(self.game.setup, table, self.locale))
        if table.over is not None:
            self._lines(screen.ending(self.game.setup, table))
        if table.over is None:
            prompt = Message("Enter for the next hand, c coach, r the hand, u undo, q leave: ")
        else:
            prompt = Message("the game is over, c coach, r the hand, u undo, q leave: ")
        while True:
            answer = self._ask(prompt)
            if answer is None or answer.lower() in ("q", "quit", "exit") or (table.over and not answer):
                return self._leave()
            if not answer:
                self.ended, self.shown = self.ended + 1, -1
                return True
            if answer == "u":
                if self._undo():
                    return True
            elif answer == "r":
                self._lines(Hand(table.records[-1]).text(self.locale.name))
            elif answer == "c":
                self._coach(table)
            elif answer == "?":
                self._lines(*(Message("  {line}", Message(line)) for line in BETWEEN))
            else:
                self._lines(Message("{answer!r} is no answer here (valid: Enter, c, r, u, q, ? for help)", answer))

    def _coach(self, table: GameState) -> None:
        """The coach's page: of the hand, or of the whole game at its end."""
        first = 0 if self.game.setup.begun is None else 1
        whole = list(zip(table.records, table.seats, strict=True))[first:]
        if table.over is None:
            whole = whole[len(table.records) - 1 - first :]
        if not whole:
            self._lines(
                Message("This hand began in the middle: the coach judges whole hands (h judges the choices of a turn).")
            )
            return
        judged = [coached(record, self.samples, self.game.setup.seed) for record, _ in whole]
        for record in judged:
            self._lines("", Hand(record).text(self.locale.name))
        if table.over is not None:
            self._lines("", *screen.lost_over_the_game([seat for _, seat in whole], judged))

    def _leave(self) -> bool:
        self._lines(Message("Saved in {path}.", self.path))
        return False


_OTHER_ANSWERS: dict[str, Callable[[Conversation, GameState, Decision], None]] = {
    "h": Conversation._hint, "p": Conversation._piles, "s": Conversation._score, "?": Conversation._help,
}  # fmt: skip
