"""The dealing of deals in which cards are known, called by address by all that deal.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.hand import dealer_signature
from ..game.known import deal_known
from ..jit import entry


@entry(dealer_signature)
def deal(w):
    """Fill the deal order, see ``deal_known``."""
    deal_known(w)
    return ZERO
