"""A game at the terminal, line by line: what is shown, what the person answers, and the file it is saved in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..core import cards
from ..core.errors import InputError
from ..core.locale import Language
from ..core.messages import Message
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
from .coach import coach_record
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
    shown: int = 0
    """Lines of the hand in play shown so far."""

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        setup, table = self.game.setup, self.game.table
        self._lines(screen.game_title(setup))
        self._lines(*screen.plain_rules(setup))
        if setup.position is not None:
            self._lines(*assumed_of(setup.position, setup.rules, self.locale, OF_SCORE, ()))
        self._lines(Message("Saved in {path} after every choice. ? for help.", self.path))
        self.ended = len(table.records) - bool(table.records and (table.over or not self.game.history[-1]))
        goes_on = True
        while goes_on:
            self.game.save(self.path)
            is_over = self.ended < len(self.game.table.records)
            goes_on = self._between(self.game.after(self.ended)) if is_over else self._choose(self.game.table)
        self._lines(Message("Saved in {path}.", self.path))

    def _lines(self, *lines: str) -> None:
        for line in lines:
            self.say(cards.in_language(cards.with_letters(self.locale.translate(line)), self.locale.name))

    def _show(self, table: GameState) -> None:
        """Show what has happened in a hand since the last time."""
        lines = screen.so_far(self.game.setup, table)
        self._lines(*([] if self.shown else [""]), *lines[self.shown :])
        self.shown = len(lines)

    def _answer(self, prompt: str) -> str:
        """What the person answers; ``q`` where nobody is there any more."""
        answer = self.hear(self.locale.translate(prompt))
        return "q" if answer is None or answer.lower() in ("q", "quit", "exit") else answer

    def _undo(self) -> bool:
        """Undo the last choice, and show its hand from the beginning; whether there was one."""
        if not any(self.game.history):
            self._lines(Message("Nothing to undo: this is your first choice."))
            return False
        self.game.undo()
        self.ended, self.shown = len(self.game.table.records), 0
        return True

    def _choose(self, table: GameState) -> bool:
        """Ask for a choice until there is one; False where the person leaves."""
        setup, decision = self.game.setup, table.decision
        assert decision is not None
        self._show(table)
        stage = Message("  {stage}", screen.stage(setup, decision))
        self._lines(stage, *screen.sight_lines(setup, table.passed, decision, self.locale))
        self._lines(*screen.offers(self.game.choices()))
        while True:
            match self._answer("show: " if decision.to_show else "play: "):
                case "q":
                    return False
                case "u":
                    if self._undo():
                        return True
                case "h":
                    self._hint()
                case "p":
                    self._lines(*screen.pile_lines(setup, decision))
                case "s":
                    score = Message("  {score} · {title}", screen.score_line(setup, table), screen.game_title(setup))
                    self._lines(score, *screen.plain_rules(setup))
                case "?":
                    self._lines(*(Message("  {line}", Message(line)) for line in CHOOSING))
                case answer:
                    try:
                        self.game.play(answer)
                    except InputError as error:
                        self.say(self.locale.translate(error.message))
                    else:
                        return True

    def _hint(self) -> None:
        """What each choice is worth, by what the player knows."""
        request = Request("advise", self.game.setup.rule_set, (LineUp(((ALL, USUAL),)),), effort=Effort("samples"))
        job = AdviceJob(request, Problem((self.game.information(),)), HINT_SECONDS)
        given = Result.of(carry_out(job, ON_THREADS))
        self.say(given.text(lang=self.locale.name))
        for remark in given.remarks:
            self.say(self.locale.translate(remark))

    def _between(self, table: GameState) -> bool:
        """The score of a hand played out, and what then; False where the person leaves."""
        self._show(table)
        self._lines(*screen.result(self.game.setup, table, self.locale))
        prompt = Message("Enter for the next hand, c coach, r the hand, u undo, q leave: ")
        if table.over is not None:
            self._lines(screen.ending(self.game.setup, table))
            prompt = Message("the game is over, c coach, r the hand, u undo, q leave: ")
        while True:
            match self._answer(prompt):
                case "q":
                    return False
                case "":
                    self.ended, self.shown = self.ended + 1, 0
                    return table.over is None
                case "u":
                    if self._undo():
                        return True
                case "r":
                    self._lines(Hand(table.records[-1]).text(self.locale.name))
                case "c":
                    self._coach(table)
                case "?":
                    self._lines(*(Message("  {line}", Message(line)) for line in BETWEEN))
                case answer:
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
        judged = [coach_record(record, self.samples, self.game.setup.seed) for record, _ in whole]
        for record in judged:
            self._lines("", Hand(record).text(self.locale.name))
        if table.over is not None:
            self._lines("", *screen.lost_over_the_game([seat for _, seat in whole], judged))
