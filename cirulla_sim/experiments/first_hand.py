"""The chance to win from any score where cards of the next hand are known: that hand, then the chain of scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def before(
    after: NDArray[np.float64], points: NDArray[np.float64], outright: NDArray[np.float64], target: int
) -> NDArray[np.float64]:
    """float64[2, target, target]: the chances before one of some hands, from those after it, float64[2, S, S].

    ``points`` and ``outright`` are numbers of hands by what they bring, as in ``expectancy.Hands``.
    """
    reach = target + points.shape[-1]
    after = _extended(after, target, max(reach, after.shape[-1]))
    chances = np.zeros((2, target, target))
    for to_deal in range(2):
        for again, ours, theirs in np.argwhere(points[to_deal]).tolist():
            then = after[to_deal if again else 1 - to_deal, ours : ours + target, theirs : theirs + target]
            chances[to_deal] += points[to_deal, again, ours, theirs] * then
        chances[to_deal] += outright[to_deal, 0]
        chances[to_deal] /= points[to_deal].sum() + outright[to_deal].sum()
    return chances


def _extended(table: NDArray[np.float64], target: int, size: int) -> NDArray[np.float64]:
    """The same table up to higher scores, where who has more has won; a tie is that of any score beyond the target."""
    scores = np.arange(size)
    wide = np.broadcast_to(np.greater.outer(scores, scores).astype(float), (2, size, size)).copy()
    wide[:, scores, scores] = table[:, target, target][:, None]
    wide[:, : table.shape[1], : table.shape[2]] = table
    return wide
