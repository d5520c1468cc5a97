"""Experiments on the same deals: hands and games paired, and the differences between them with their intervals."""

from __future__ import annotations

from .effects import compared, difference_of_effects, difference_of_hands
from .games import (
    GAMES_CHUNK,
    LENGTH,
    NUMBERS,
    PARTS,
    WINS,
    difference_of,
    difference_of_games,
    game_numbers,
    level_of,
    play_games,
)
from .hands import CHUNK, MARGIN, QUANTITIES, WIDTH, effect_numbers, numbers_of, play_pairs, same_play, several_of
from .pairing import Pairing, Quantity, difference_row, holm_corrected, level_row, table_schema
from .side_by_side import Beside, Measures, SideBySide, alone_of, differences_of, first_of, side_by_side
from .side_by_side import for_readers as line_ups_for_readers
from .strata import Stratum, stratum

__all__ = [
    "CHUNK",
    "GAMES_CHUNK",
    "LENGTH",
    "MARGIN",
    "NUMBERS",
    "PARTS",
    "QUANTITIES",
    "WIDTH",
    "WINS",
    "Beside",
    "Measures",
    "Pairing",
    "Quantity",
    "SideBySide",
    "Stratum",
    "alone_of",
    "compared",
    "difference_of",
    "difference_of_effects",
    "difference_of_games",
    "difference_of_hands",
    "difference_row",
    "differences_of",
    "effect_numbers",
    "first_of",
    "game_numbers",
    "holm_corrected",
    "level_of",
    "level_row",
    "line_ups_for_readers",
    "numbers_of",
    "play_games",
    "play_pairs",
    "same_play",
    "several_of",
    "side_by_side",
    "stratum",
    "table_schema",
]  # fmt: skip
