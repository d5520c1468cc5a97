"""Chunks of a run, sized by the time that they take."""

from __future__ import annotations

from collections.abc import Iterator

CHUNK = 1 << 16
"""Hands in a chunk at most."""

SECONDS = 0.5
"""Seconds that a chunk should take: the delay of Ctrl-C, and of threads that wait for the last chunk."""

FIRST, FASTER = 8, 8
"""Hands in the first chunks, before their time is measured, and how much larger the next chunk may be."""

FINEST = 32
"""The smallest of the last chunks is this fraction of the usual size: submitting one takes time too."""

CHECKPOINT = 1 << 18
"""Hands between checks of the precision; no chunk has hands on both sides, so any chunk size stops at the same hand."""


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


def chunks(first: int, hands: int, pace: Pace, cut: int = CHECKPOINT) -> Iterator[tuple[int, int]]:
    """Cut the hands ``first`` to ``hands - 1`` into chunks (first hand, number of hands) that end at every checkpoint.

    Checkpoints are the multiples of ``cut``.

    >>> list(chunks(0, 5, Even(2)))
    [(0, 2), (2, 2), (4, 1)]
    """
    while first < hands:
        until = min(first + pace.size(hands - first), hands, (first // cut + 1) * cut)
        yield first, until - first
        first = until
