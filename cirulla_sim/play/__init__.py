"""Hands and games played: experiments as values, policies by name, chunks, engines that fold them, hand records."""

from __future__ import annotations

from .chunks import (
    CHECKPOINT,
    CHUNK,
    by_side,
    check_answers,
    deal_hands,
    flat_rules,
    game_row_names,
    play_chunk,
    play_piles,
    play_rows,
    playable,
    prepared,
    replay_chunk,
    room,
    row_names,
    same_hands,
)
from .engines import Folded, Run, carry_out, executor, fold, in_chunks, in_order, interruptible
from .experiment import AIMS, MAX_HANDS, Experiment, Games, Trials, check_score
from .policies import FORCES, NAMES, USUAL, Room, split
from .record import Hand, Record, hand_record

__all__ = [
    "AIMS",
    "CHECKPOINT",
    "CHUNK",
    "FORCES",
    "MAX_HANDS",
    "NAMES",
    "USUAL",
    "Experiment",
    "Folded",
    "Games",
    "Hand",
    "Record",
    "Room",
    "Run",
    "Trials",
    "by_side",
    "carry_out",
    "check_answers",
    "check_score",
    "deal_hands",
    "executor",
    "flat_rules",
    "fold",
    "game_row_names",
    "hand_record",
    "in_chunks",
    "in_order",
    "interruptible",
    "play_chunk",
    "play_piles",
    "play_rows",
    "playable",
    "prepared",
    "replay_chunk",
    "room",
    "row_names",
    "same_hands",
    "split",
]
