"""Experiments on the same deals: hands and games paired, and the differences between them with their intervals."""

from __future__ import annotations

from .games import GAMES_CHUNK, LENGTH, NUMBERS, PARTS, WINS, difference_of, level_of, play_games
from .hands import CHUNK, MARGIN, QUANTITIES, WIDTH, compared, numbers_of, play_pairs, same_play
from .pairing import Pairing, Quantity, difference_row, holm_corrected, level_row, table_schema

__all__ = [
    "CHUNK", "GAMES_CHUNK", "LENGTH", "MARGIN", "NUMBERS", "PARTS", "QUANTITIES", "WIDTH", "WINS", "Pairing",
    "Quantity", "compared", "difference_of", "difference_row", "holm_corrected", "level_of", "level_row", "numbers_of",
    "play_games", "play_pairs", "same_play", "table_schema",
]  # fmt: skip
