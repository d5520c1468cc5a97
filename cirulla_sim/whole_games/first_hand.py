"""The chance to win from any score where cards of the next hand are known: that hand, then the chain of scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..known import Known
from .expectancy import Expectancy, Hands, by_who_is_to_deal, played_points, together


def with_known(
    found: Expectancy, known: Known | None, *, engine: str = "threads", threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Expectancy:  # fmt: skip
    """The chances when the next hand has the cards known, whoever deals it; tables are float64[2, target, target].

    As many such hands are played as the chain is made of, in as many batches, so errors are told as those of the chain.
    """
    if known is None:
        return found
    runs = played_points(
        found.rules, found.policies, found.hands, found.seed, known, engine=engine, threads=threads, progress=progress
    )
    parts, target = by_who_is_to_deal(runs), found.rules.target
    batches = [_before(table, part, target) for table, part in zip(found.batches, parts, strict=False)]
    return replace(found, chances=_before(found.chances, together(parts), target), batches=np.array(batches))


def _before(after: NDArray[np.float64], hands: Hands, target: int) -> NDArray[np.float64]:
    """float64[2, target, target]: the chances before one of some hands, from those after it, float64[2, S, S]."""
    reach = target + hands.points.shape[-1]
    after = _extended(after, target, max(reach, after.shape[-1]))
    before = np.zeros((2, target, target))
    for to_deal in range(2):
        for again, ours, theirs in np.argwhere(hands.points[to_deal]).tolist():
            then = after[to_deal if again else 1 - to_deal, ours : ours + target, theirs : theirs + target]
            before[to_deal] += hands.points[to_deal, again, ours, theirs] * then
        before[to_deal] += hands.outright[to_deal, 0]
        before[to_deal] /= hands.points[to_deal].sum() + hands.outright[to_deal].sum()
    return before


def _extended(table: NDArray[np.float64], target: int, size: int) -> NDArray[np.float64]:
    """The same table up to higher scores, where who has more has won; a tie is that of any score beyond the target."""
    scores = np.arange(size)
    wide = np.broadcast_to(np.greater.outer(scores, scores).astype(float), (2, size, size)).copy()
    wide[:, scores, scores] = table[:, target, target][:, None]
    wide[:, : table.shape[1], : table.shape[2]] = table
    return wide
