"""The entry point that plays hands. Importing this module compiles it, or loads it from the cache folder."""

from __future__ import annotations

from .. import types
from ..game.flat import flat_type
from ..game.hand import play_hand, work_type
from ..game.result_rows import digest, write_row
from ..game.streams import batch_type
from ..game.tallies import fold_hand, tally_type
from ..jit import entry


@entry(
    types.void(flat_type, types.uint64[::1], batch_type, work_type, tally_type, types.int16[:, ::1], types.uint64[::1])
)
def run_hands(r, policies, batch, w, tally, rows, digests):
    """Play hands and add them to a tally.

    ``policies`` is uint64[4], by side. ``rows`` is int16[hands, ROW_HEAD + sides * len(COLUMNS)] to keep a row a
    hand, or has no rows; ``digests`` is uint64[hands] to keep a hash of each hand, or has none. What the
    last hand left in ``w`` stays there.
    """
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        fold_hand(r, w, tally)
        if rows.shape[0]:
            write_row(r, w, rows[i])
        if digests.size:
            digests[i] = digest(r, w)
