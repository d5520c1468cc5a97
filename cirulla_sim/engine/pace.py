"""Chunks of a run, sized by the time that they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

CHUNK = 1 << 16
"""Hands in a chunk at most."""

SECONDS = 0.5
"""Seconds that a chunk should take: the delay of Ctrl-C, and of threads that wait for the last chunk."""

FIRST, FASTER = 8, 8
"""Hands in the first chunks, before their time is measured, and how much larger the next chunk may be."""

FINEST = 32
"""The smallest of the last chunks is this fraction of the usual size: submitting one takes time too."""


class Pace:
    """The size of the next chunk: the hands that take ``seconds`` at the speed so far, ``most`` at most.

    ``under_way`` chunks are played at a time, and towards the end they share the remaining hands.
    """

    def __init__(self, most: int = CHUNK, under_way: int = 1, seconds: float = SECONDS) -> None:
        self._most, self._under_way, self._seconds = most, under_way, seconds
        self._size = float(min(most, FIRST))

    def size(self, left: int) -> int:
        """The size of the next chunk when ``left`` hands are left."""
        whole = min(int(self._size), self._most)
        return max(1, min(whole, left // self._under_way), min(whole // FINEST, left))

    def measured(self, hands: int, seconds: float) -> None:
        """Take note that ``hands`` hands took ``seconds``."""
        self._size = min(FASTER * max(self._size, 1.0), self._most, hands * self._seconds / max(seconds, 1e-9))


class Even(Pace):
    """Chunks of one size."""

    def size(self, left: int) -> int:
        return self._most


def chunks(first: int, hands: int, pace: Pace, ends: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """Cut the hands ``first`` to ``hands - 1`` into chunks (first hand, number of hands).

    No chunk has hands before and after one of the ``ends``, which rise.

    >>> list(chunks(0, 5, Even(2), [3]))
    [(0, 2), (2, 1), (3, 2)]
    """
    for end in (*ends, hands):
        while first < min(end, hands):
            until = min(first + pace.size(hands - first), hands, end)
            yield first, until - first
            first = until
