"""The entry point that chooses the sets shown of many holdings. Importing this module compiles it, or loads it."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ZERO
from ..game.bonuses import choose_sets
from ..game.flat import flat_type
from ..jit import entry


@entry(types.void(flat_type, types.Array(types.uint64, 1, readonly=True), types.uint64[:, ::1], types.uint64[::1]))
def choose_all(r, holdings, knocks, candidates):
    """Choose the sets of each holding, a mask: into ``knocks``, uint64[3, n] of zeros, see ``bonuses.knock_word``.

    ``candidates`` is a scratch uint64[250].
    """
    for i in range(holdings.shape[0]):
        choose_sets(r, holdings[i], ZERO, np.uint64(i), knocks, candidates)
