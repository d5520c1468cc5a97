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
"""Games that are kept, the latest; seconds that one is kept after it was last looked at."""


@dataclass(frozen=True)
class State:
    """Where a game stands: ``ended`` hands whose end the person has left behind, and a ``turn`` that only grows.

    Nobody changes the game of a state: a change works on its copy.
    """

    game: Game
    ended: int = 0
    turn: int = 0


@dataclass
class _Kept:
    state: State
    heard: float
    lock: Lock = field(default_factory=Lock)


class Games:
    """The games of a server, the latest ``MOST_GAMES`` of them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def add(self, game: Game) -> str:
        """Keep a game; returns its id."""
        id = secrets.token_urlsafe(16)
        with self._lock:
            self._kept[id] = _Kept(State(game), monotonic())
            self._forget()
        return id

    def get(self, id: str) -> State | None:
        """Where a game stands, None if it is not kept."""
        kept = self._find(id)
        return None if kept is None else kept.state

    def change(self, id: str, turn: int, how: Callable[[State], State]) -> None:
        """Change a game, unless it has gone on since ``turn`` or is not kept; one change of a game at a time.

        ``how`` returns the state with the same turn, and leaves the one that it gets as it is.
        """
        kept = self._find(id)
        if kept is None:
            return
        with kept.lock:
            if kept.state.turn == turn:
                changed = how(kept.state)
                kept.state = State(changed.game, changed.ended, turn + 1)

    def _find(self, id: str) -> _Kept | None:
        with self._lock:
            self._forget()
            kept = self._kept.get(id)
            if kept is not None:
                kept.heard = monotonic()
                self._kept.move_to_end(id)
            return kept

    def _forget(self) -> None:
        """Forget the games that were not looked at for the longest time."""
        while self._kept:
            id, oldest = next(iter(self._kept.items()))
            if len(self._kept) <= MOST_GAMES and monotonic() - oldest.heard <= MOST_SECONDS:
                return
            del self._kept[id]
