"""Sitting down to a game: the conversation, line by line, and what is kept of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core import cards
from ..core.arguments import SEED, count, words
from ..core.errors import InputError
from ..engine.hand_record import Hand
from ..engine.person import Asked
from ..engine.policies import USUAL
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules
from ..situation.information_set import Situation, captured, card_of
from ..storage.atomic_files import sole_writer
from ..reporting.text.formats import render
from . import screen
from .advice_readers import for_readers
from .coach import SAMPLES, coached
from .judge import judge_plays
from .saved_games import read_evening, write_evening
from .terminal_game import Evening, Setup, Table

FILE = "cirulla-game.jsonl"
"""Where a game is kept that nobody names."""

HINT_SECONDS = 2.0

Say = Callable[[str], None]
Hear = Callable[[str], str | None]

CHOOSING = """\
  1, 2, ...   the choice of that number; or a card, 7d, with what it takes where that is open: 7d 3s 4c
  h  hint: what each play is worth, on deals of the cards you do not see
  u  undo your last choice in this hand
  p  piles and points so far
  s  score of the game, and the rules that were changed
  q  leave; the game is kept, and the same command goes on with it"""

BETWEEN = """\
  Enter  the next hand
  r      the hand again, play by play, all cards open
  c      the coach: what each play lost, by what its player knew
  u      undo your last choice in the hand
  q      leave; the game is kept, and the same command goes on with it"""


def sit_down(
    say: Say,
    hear: Hear,
    *,
    rules: str | Path | Rules | RuleSet | None = None,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    policy: str | Sequence[str] | None = None,
    seed: int | str | None = None,
    seat: int | str | None = None,
    samples: int | str | None = None,
    output: str | Path | None = None,
    force: bool = False,
) -> None:
    """Play a game against the policies: lines to read are given to ``say``, and ``hear`` a prompt, to be answered.

    ``hear`` answers None where nobody is there any more. The game is written to its file after every choice; where it
    is there already it is gone on with, if what is asked for is what it is of, or with ``force`` replaced.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.
    """
    path = Path(FILE if output is None else output)
    if path.suffix != ".jsonl":
        raise InputError(f"-o {str(path)!r} does not end in .jsonl (valid: a file of hand records, as {FILE})")
    asked: dict[str, Any] = {
        "chosen": _rules(rules, players, house, rule),
        "policies": None if policy is None else words(policy),
        "seed": None if seed is None else count("--seed", seed, 0, SEED),
        "seat": None if seat is None else count("--seat", seat, 0, 3),
    }
    many = SAMPLES if samples is None else count("--samples", samples, 4, 1 << 20)
    told = {name: value for name, value in asked.items() if value is not None}
    with sole_writer(path):
        if path.exists() and not force:
            evening = _same(path, read_evening(path), told)
            say(f"{path}: goes on.")
        else:
            usual: dict[str, Any] = {"chosen": choose(None, 2), "policies": (USUAL,), "seed": secrets.randbits(32)}
            evening = Evening(Setup(**(usual | told)))
        _Sitting(evening, path, many, say, hear).go_on()


def _rules(rules: Any, players: Any, house: Any, rule: Any) -> RuleSet | None:
    """The rules that are asked for, None where nothing is; of Cirulla two play where nobody says how many."""
    if not any((rules, players, house, rule)):
        return None
    several = isinstance(rule, Mapping) or any(str(text).startswith("players=") for text in rule)
    return choose(rules, 2 if rules is None and players is None and not several else players, house, rule)


def _same(path: Path, evening: Evening, told: dict[str, Any]) -> Evening:
    """The game in a file, if it is of what is asked for."""
    other = _other(evening.setup, told)
    if other is not None:
        raise InputError(
            f"{path}: is a game with other {other} ({screen.title(evening.setup)}; valid: leave it out to go on with "
            "that game, -o for another file, --force to begin again)"
        )
    return evening


def _other(setup: Setup, told: dict[str, Any]) -> str | None:
    """In what a game differs from what is asked for; under its own rules what cannot be at all is refused."""
    if told.get("chosen", setup.chosen).fields != setup.rules:
        return "rules"
    wanted, flags = replace(setup, **told), {"policies": "--policy", "seed": "--seed", "seat": "--seat"}
    return next((flag for name, flag in flags.items() if getattr(wanted, name) != getattr(setup, name)), None)


@dataclass
class _Sitting:
    """The conversation: the game, and how much of the hand in play has been told."""

    evening: Evening
    path: Path
    samples: int
    say: Say
    hear: Hear
    told: int = -1
    """Plays of the hand in play told so far; -1 before its beginning."""
    stage: int = 0
    """The stage told last."""

    def go_on(self) -> None:
        """Until the game is over or the person leaves."""
        setup = self.evening.setup
        self.say(screen.title(setup))
        for line in screen.plain_rules(setup):
            self.say(line)
        self.say(f"Kept in {self.path} after every choice. ? for help.")
        while True:
            table = self.evening.table()
            write_evening(self.path, self.evening, table)
            if not (self._choose(table, table.asked) if table.asked is not None else self._between(table)):
                return

    def _tell(self, table: Table) -> None:
        """What has happened in the hand since it was told last."""
        record = table.asked.record if table.asked is not None else table.records[-1]
        if self.told < 0:
            self._lines("", *screen.opening(self.evening.setup, table, record))
            self.told, self.stage = 0, 0
        who = screen.names(self.evening.setup, table.passed)
        self._lines(*screen.happened(who, record, self.told, self.stage))
        self.told, self.stage = screen.plays_in(record), len(record["stages"])

    def _lines(self, *lines: str) -> None:
        for line in lines:
            self.say(line)

    def _do(self, evening: Evening, anew: bool = False) -> bool:
        """Go on with a game, telling its hand from the beginning where it is another or was undone."""
        self.evening = evening
        self.told = -1 if anew else self.told
        return True

    # ------------------------------------------------------------------------------------------------ a choice

    def _choose(self, table: Table, asked: Asked) -> bool:
        """Ask for a choice until there is one; False where the person leaves."""
        setup = self.evening.setup
        self._tell(table)
        self._lines(*screen.sight(setup, screen.names(setup, table.passed), asked), *screen.offers(asked))
        while True:
            answer = self.hear("show: " if asked.to_show else "play: ")
            if answer is None or answer.lower() in ("q", "quit", "exit"):
                return self._leave()
            if answer == "u":
                if self.evening.choices[-1]:
                    return self._do(self.evening.undone(), anew=True)
                self.say("Nothing to undo: this is your first choice in the hand.")
            elif answer in _MORE:
                _MORE[answer](self, table, asked)
            else:
                try:
                    return self._do(self.evening.chosen(place_of(answer, asked)))
                except InputError as error:
                    self.say(str(error))

    def _hint(self, table: Table, asked: Asked) -> None:
        if asked.to_show:
            self.say("No hint on sets: their points stand beside them, and the others will know what you hold.")
            return
        found = judge_plays(Situation(self.evening.setup.rules, asked.view), seconds=HINT_SECONDS)
        deals = f"{found.samples:_} deals of the cards you do not see, everybody playing on as careful."
        self._lines(render(for_readers(found), "table"), deals if found.samples else "Exact: all cards are known.")

    def _piles(self, table: Table, asked: Asked) -> None:
        self._lines(*screen.piles(self.evening.setup, asked))

    def _score(self, table: Table, asked: Asked) -> None:
        setup = self.evening.setup
        self._lines(f"  {screen.score_line(setup, table)} · {screen.title(setup)}", *screen.plain_rules(setup))

    def _help(self, table: Table, asked: Asked) -> None:
        self.say(CHOOSING)

    # ------------------------------------------------------------------------------------------------ between hands

    def _between(self, table: Table) -> bool:
        """The score of a hand played out, and what then; False where the person leaves."""
        self._tell(table)
        self._lines(*screen.result(self.evening.setup, table))
        if table.over is not None:
            self.say(screen.ending(self.evening.setup, table))
        wanted = "Enter for the next hand" if table.over is None else "the game is over"
        while True:
            answer = self.hear(f"{wanted}, c coach, r the hand, u undo, q leave: ")
            if answer is None or answer.lower() in ("q", "quit", "exit") or (table.over and not answer):
                return self._leave()
            if not answer:
                return self._do(self.evening.next_hand(), anew=True)
            if answer == "u" and self.evening.choices[-1]:
                return self._do(self.evening.undone(), anew=True)
            if answer == "r":
                self.say(Hand(table.records[-1]).text())
            elif answer == "c":
                self._coach(table)
            elif answer == "?":
                self.say(BETWEEN)
            else:
                self.say(f"{answer!r} is no answer here (valid: Enter, c, r, u, q, ? for help)")

    def _coach(self, table: Table) -> None:
        """The coach's page: of the hand, or of the whole game at its end."""
        wanted = table.records if table.over is not None else table.records[-1:]
        judged = [coached(record, self.samples, self.evening.setup.seed) for record in wanted]
        for record in judged:
            self._lines("", Hand(record).text())
        if table.over is not None:
            self._lines("", *screen.game_page(self.evening.setup, table, judged))

    def _leave(self) -> bool:
        self.say(f"Kept in {self.path}.")
        return False


_MORE: dict[str, Callable[[_Sitting, Table, Asked], None]] = {
    "h": _Sitting._hint, "p": _Sitting._piles, "s": _Sitting._score, "?": _Sitting._help,
}  # fmt: skip


def place_of(answer: str, asked: Asked) -> int:
    """The place of the choice that an answer names: its number from 1, or a card with what it takes.

    Raises ``InputError`` that says what would be one.
    """
    offered = asked.offered
    valid = f"valid: 1 to {len(offered)}{'' if asked.to_show else ', a card as ' + _a_card(offered)}, ? for help"
    if answer.isdecimal():
        if not 1 <= int(answer[:9]) <= len(offered):
            raise InputError(f"{answer!r} is no choice ({valid})")
        return int(answer) - 1
    if asked.to_show or not answer.strip():
        raise InputError(f"{answer!r} is no choice ({valid})")
    try:
        first, *rest = cards.parse_many(answer.replace("takes", " "))
    except InputError:
        raise InputError(f"{answer!r} is no choice ({valid})") from None
    fits = [place for place, word in enumerate(offered) if card_of(word) == first]
    exact = [place for place in fits if captured(offered[place]) == cards.mask(rest)]
    if len(exact if rest else fits) == 1:
        return (exact if rest else fits)[0]
    if rest or not fits:
        raise InputError(f"{answer!r} is none of the plays ({valid})")
    numbers = ", ".join(str(place + 1) for place in fits)
    raise InputError(f"{answer!r} can be played in {len(fits)} ways (valid: {numbers}, or what it takes behind it)")


def _a_card(offered: Sequence[int]) -> str:
    return cards.text(card_of(offered[0]))
