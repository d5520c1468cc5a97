"""Chances counted, not estimated: first deals, holdings, whole deals, piles and mid-hand, as fractions."""

from __future__ import annotations

from .deals import deal_cases
from .expected import dealt_points
from .families import count_deals, count_pairs, index_of, multinomial
from .features import HOLDING, TABLE, columns
from .first_deal import HOLDING_SIZE, HandBonus, declarable, first_deal_odds, hand_bonus, tables
from .known import chance_of, chance_of_deal, deal_metadata, deal_remarks, deal_words, known_deal, sets_in, share_kept
from .patterns import PATTERN, holding_cases
from .piles import CONTESTS, PILE, of_piles, pile_cases

__all__ = [
    "CONTESTS",
    "HOLDING",
    "HOLDING_SIZE",
    "PATTERN",
    "PILE",
    "TABLE",
    "HandBonus",
    "chance_of",
    "chance_of_deal",
    "columns",
    "count_deals",
    "count_pairs",
    "deal_cases",
    "deal_metadata",
    "deal_remarks",
    "deal_words",
    "dealt_points",
    "declarable",
    "first_deal_odds",
    "hand_bonus",
    "holding_cases",
    "index_of",
    "known_deal",
    "multinomial",
    "of_piles",
    "pile_cases",
    "sets_in",
    "share_kept",
    "tables",
]
