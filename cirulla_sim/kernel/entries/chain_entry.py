"""The entry point that solves for the chances to win from all scores. Importing this module compiles or loads it."""

from __future__ import annotations

from .. import types
from ..jit import entry


@entry(types.void(types.float64[:, :, :, ::1], types.float64[::1], types.int64, types.float64[:, :, ::1]))
def solve(hand, outright, target, table):
    """Fill the chances to win at scores below the target, from the highest down.

    Index 0 of the first axis is our deal, 1 theirs. ``hand`` is float64[2, 2, X, X]: the chance of a hand by who deals,
    whether the deal passes to the other side (0) or not (1), our points and theirs. ``outright`` is float64[2]: the
    chance that it wins us the game at once. ``table`` is float64[2, S, S] with S at least target + X - 1, by who deals,
    our score and theirs, with the entries filled in which a side has reached the target.

    A hand without points leads from the score back to itself, so both entries of a score are solved for together.
    """
    reach = hand.shape[2]
    first, last = 2, 0  # of the ways in which the deal passes, those with a chance above 0
    for stays in range(2):
        for x in range(reach):
            for y in range(reach):
                if hand[0, stays, x, y] > 0.0 or hand[1, stays, x, y] > 0.0:
                    first, last = min(first, stays), stays + 1
    for us in range(target - 1, -1, -1):
        for them in range(target - 1, -1, -1):
            constant_0, constant_1 = outright[0], outright[1]
            for stays in range(first, last):
                total_0, total_1 = 0.0, 0.0
                for x in range(reach):
                    for y in range(reach):
                        ours, theirs = hand[0, stays, x, y], hand[1, stays, x, y]
                        if x + y > 0 and (ours > 0.0 or theirs > 0.0):  # few hands bring few of these
                            total_0 += ours * table[1 - stays, us + x, them + y]
                            total_1 += theirs * table[stays, us + x, them + y]
                constant_0 += total_0
                constant_1 += total_1
            # chance_0 = constant_0 + stay_0 * chance_0 + cross_0 * chance_1, and the other way round
            stay_0, cross_0 = 1.0 - hand[0, 1, 0, 0], hand[0, 0, 0, 0]
            stay_1, cross_1 = 1.0 - hand[1, 1, 0, 0], hand[1, 0, 0, 0]
            both = stay_0 * stay_1 - cross_0 * cross_1
            table[0, us, them] = (constant_0 * stay_1 + cross_0 * constant_1) / both
            table[1, us, them] = (constant_1 * stay_0 + cross_1 * constant_0) / both
