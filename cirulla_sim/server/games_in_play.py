"""The games that are played in the page: in memory, each by an address that nobody guesses."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..advice.game import Game

MOST_GAMES, MOST_SECONDS = 50, 24 * 3600.0
"""Games that are entry, the latest; seconds that one is entry after it was last looked at."""


@dataclass(frozen=True)
class State:
    """Where a game stands: ``ended`` hands whose end the person has left behind, and a ``turn`` that only grows.

    Nobody changes the game of a state: a change works on its copy.
    """

    game: Game
    ended: int = 0
    turn: int = 0


@dataclass
class _Entry:
    state: State
    heard: float
    lock: Lock = field(default_factory=Lock)


class Games:
    """The games of a server, the latest ``MOST_GAMES`` of them."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = Lock()

    def add(self, game: Game) -> str:
        """Keep a game; returns its id."""
        id = secrets.token_urlsafe(16)
        with self._lock:
            self._entries[id] = _Entry(State(game), monotonic())
            self._forget()
        return id

    def get(self, id: str) -> State | None:
        """Where a game stands, None if there is no such game."""
        entry = self._find(id)
        return None if entry is None else entry.state

    def change(self, id: str, turn: int, how: Callable[[State], State]) -> None:
        """Change a game, unless it has gone on since ``turn`` or is not there; one change of a game at a time.

        ``how`` returns the state with the same turn, and leaves the one that it gets as it is.
        """
        entry = self._find(id)
        if entry is None:
            return
        with entry.lock:
            if entry.state.turn == turn:
                changed = how(entry.state)
                entry.state = State(changed.game, changed.ended, turn + 1)

    def _find(self, id: str) -> _Entry | None:
        with self._lock:
            self._forget()
            entry = self._entries.get(id)
            if entry is not None:
                entry.heard = monotonic()
                self._entries.move_to_end(id)
            return entry

    def _forget(self) -> None:
        """Forget the games that were not looked at for the longest time."""
        while self._entries:
            id, oldest = next(iter(self._entries.items()))
            if len(self._entries) <= MOST_GAMES and monotonic() - oldest.heard <= MOST_SECONDS:
                return
            del self._entries[id]
