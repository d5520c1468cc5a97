"""A game at the terminal, line by line: what is shown, what the person answers, and the file it is saved in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..core import cards
from ..core.errors import InputError
from ..core.locale import Language
from ..engine.hand_record import Hand
from ..engine.person import Decision
from ..engine.policies import USUAL
from ..experiments.runner import ON_THREADS, carry_out
from ..situation.information_set import InformationSet, captured, card_of
from ..situation.line_up import ALL, LineUp
from ..storage.request import Effort, Request
from . import screen
from .advice_job import AdviceJob
from .coach import coached
from .judge import Problem
from .saved_games import write_game
from .terminal_game import Table, TerminalGame

HINT_SECONDS = 2.0

Say = Callable[[str], None]
Hear = Callable[[str], str | None]

CHOOSING = """\
  1, 2, ...   the choice of that number; or a card, 7d, with what it takes if that is open: 7d 3s 4c
  h  hint: what each choice is worth, on deals of the cards you do not see
  u  undo your last choice in this hand
  p  piles and points so far
  s  score of the game, and the rules that were changed
  q  leave; the game is saved, and the same command resumes it"""

BETWEEN = """\
  Enter  the next hand
  r      the hand again, play by play, all cards open
  c      the coach: what each play lost, by what its player knew
  u      undo your last choice in the hand
  q      leave; the game is saved, and the same command resumes it"""


@dataclass
class Conversation:
    """A game and how much of the hand in play has been shown.

    Lines to read are given to ``say``, and ``hear`` gets a prompt and returns the answer, None where nobody is there
    any more. The game is written to the file at ``path`` after every choice; the coach uses so many ``samples``.
    """

    game: TerminalGame
    path: Path
    samples: int
    say: Say
    hear: Hear
    locale: Language
    shown: int = -1
    """Plays of the hand in play shown so far; -1 before its beginning."""
    stage: int = 0
    """The stage shown last."""

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        setup = self.game.setup
        self._lines(screen.title(setup))
        self._lines(*screen.plain_rules(setup), *(setup.position.assumed if setup.position is not None else ()))
        self._lines(f"Saved in {self.path} after every choice. ? for help.")
        while True:
            table = self.game.table()
            write_game(self.path, self.game, table)
            if not (self._choose(table, table.decision) if table.decision is not None else self._between(table)):
                return

    def _show(self, table: Table) -> None:
        """Show what has happened in the hand since the last time."""
        record = table.decision.record if table.decision is not None else table.records[-1]
        if self.shown < 0:
            self._lines("", *screen.opening(self.game.setup, table, record))
            self.shown, self.stage = 0, 0
        who = screen.names(self.game.setup, table.passed)
        self._lines(*screen.happened(who, record, self.shown, self.stage))
        self.shown, self.stage = screen.plays_in(record), len(record["stages"])

    def _lines(self, *lines: str) -> None:
        for line in lines:
            self.say(self.locale.message(line, "hands"))

    def _ask(self, prompt: str) -> str | None:
        return self.hear(self.locale.message(prompt, "hands"))

    def _do(self, game: TerminalGame, anew: bool = False) -> bool:
        """Continue with a game, showing its hand from the beginning if it is another or was undone."""
        self.game = game
        self.shown = -1 if anew else self.shown
        return True

    # ------------------------------------------------------------------------------------------------ a choice

    def _choose(self, table: Table, decision: Decision) -> bool:
        """Ask for a choice until there is one; False where the person leaves."""
        setup = self.game.setup
        self._show(table)
        self._lines(*screen.sight(setup, screen.names(setup, table.passed), decision), *screen.offers(decision))
        while True:
            answer = self._ask("show: " if decision.to_show else "play: ")
            if answer is None or answer.lower() in ("q", "quit", "exit"):
                return self._leave()
            if answer == "u":
                if self.game.choices[-1]:
                    return self._do(self.game.undone(), anew=True)
                self._lines("Nothing to undo: this is your first choice in the hand.")
            elif answer in _OTHER_ANSWERS:
                _OTHER_ANSWERS[answer](self, table, decision)
            else:
                try:
                    return self._do(self.game.with_choice(place_of(answer, decision)))
                except InputError as error:
                    self.say(self.locale.message(str(error)))

    def _hint(self, table: Table, decision: Decision) -> None:
        request = Request("advise", self.game.setup.rule_set, (LineUp(((ALL, USUAL),)),), effort=Effort("samples"))
        now = InformationSet(self.game.setup.rules, decision.view, shown=decision.shown, decided=not decision.to_show)
        problem = Problem((now,))
        hint = carry_out(AdviceJob(request, problem, HINT_SECONDS), ON_THREADS)
        self.say(hint.text(lang=self.locale.name))
        for remark in hint.remarks:
            self.say(self.locale.message(remark))

    def _piles(self, table: Table, decision: Decision) -> None:
        self._lines(*screen.piles(self.game.setup, decision))

    def _score(self, table: Table, decision: Decision) -> None:
        setup = self.game.setup
        self._lines(f"  {screen.score_line(setup, table)} · {screen.title(setup)}", *screen.plain_rules(setup))

    def _help(self, table: Table, decision: Decision) -> None:
        self._lines(CHOOSING)

    # ------------------------------------------------------------------------------------------------ between hands

    def _between(self, table: Table) -> bool:
        """The score of a hand played out, and what then; False where the person leaves."""
        self._show(table)
        self._lines(*screen.result(self.game.setup, table, self.locale))
        if table.over is not None:
            self._lines(screen.ending(self.game.setup, table))
        wanted = "Enter for the next hand" if table.over is None else "the game is over"
        while True:
            answer = self._ask(f"{wanted}, c coach, r the hand, u undo, q leave: ")
            if answer is None or answer.lower() in ("q", "quit", "exit") or (table.over and not answer):
                return self._leave()
            if not answer:
                return self._do(self.game.next_hand(), anew=True)
            if answer == "u" and self.game.choices[-1]:
                return self._do(self.game.undone(), anew=True)
            if answer == "r":
                self._lines(Hand(table.records[-1]).text(self.locale.name))
            elif answer == "c":
                self._coach(table)
            elif answer == "?":
                self._lines(BETWEEN)
            else:
                self._lines(f"{answer!r} is no answer here (valid: Enter, c, r, u, q, ? for help)")

    def _coach(self, table: Table) -> None:
        """The coach's page: of the hand, or of the whole game at its end."""
        first = 0 if self.game.setup.begun is None else 1
        whole = list(zip(table.records, table.seats, strict=True))[first:]
        if table.over is None:
            whole = whole[len(table.records) - 1 - first :]
        if not whole:
            self._lines("This hand began in the middle: the coach judges whole hands (h judges the choices of a turn).")
            return
        judged = [coached(record, self.samples, self.game.setup.seed) for record, _ in whole]
        for record in judged:
            self._lines("", Hand(record).text(self.locale.name))
        if table.over is not None:
            self._lines("", *screen.game_page(self.game.setup, [seat for _, seat in whole], judged, self.locale))

    def _leave(self) -> bool:
        self._lines(f"Saved in {self.path}.")
        return False


_OTHER_ANSWERS: dict[str, Callable[[Conversation, Table, Decision], None]] = {
    "h": Conversation._hint, "p": Conversation._piles, "s": Conversation._score, "?": Conversation._help,
}  # fmt: skip


def place_of(answer: str, decision: Decision) -> int:
    """The place of the choice that an answer names: its number from 1, or a card with what it takes.

    Raises ``InputError`` that says what would be one.
    """
    offered = decision.offered
    a_card = "" if decision.to_show else f", a card as {cards.text(card_of(offered[0]))}"
    valid = f"valid: 1 to {len(offered)}{a_card}, ? for help"
    if answer.isdecimal() and 1 <= int(answer[:9]) <= len(offered):
        return int(answer) - 1
    try:
        first, *rest = [] if decision.to_show or answer.isdecimal() else cards.parse_many(answer.replace("takes", " "))
    except ValueError:
        raise InputError(f"{answer!r} is no choice ({valid})") from None
    fits = [place for place, word in enumerate(offered) if card_of(word) == first]
    if rest:
        fits = [place for place in fits if captured(offered[place]) == cards.mask(rest)]
    if len(fits) == 1:
        return fits[0]
    if rest or not fits:
        raise InputError(f"{answer!r} is none of the plays ({valid})")
    numbers = ", ".join(str(place + 1) for place in fits)
    raise InputError(f"{answer!r} can be played in {len(fits)} ways (valid: {numbers}, or what it takes behind it)")
