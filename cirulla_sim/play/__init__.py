"""Hands and games played: experiments as values, policies by name, chunks, engines that fold them, hand records."""

from __future__ import annotations

from .chunks import (
    Notes,
    by_side,
    check_answers,
    deal_hands,
    flat_rules,
    game_row_names,
    play_chunk,
    play_notes,
    play_rare,
    play_rows,
    playable,
    prepared,
    replay_chunk,
    room,
    row_names,
    same_hands,
    shows_the_best,
)
from .engines import Folded, Run, carry_out, ending_raises, executor, fold, in_order, interruptible
from .experiment import AIMS, MAX_HANDS, Experiment, Games, Trials, asking_words, check_score
from .fingerprint import fingerprint
from .pace import CHECKPOINT, CHUNK
from .person import Asked, play_with_person
from .policies import FORCES, NAMES, USUAL, Room, split
from .record import Hand, Record, hand_record, knock_of, left_over, play_text, rules_of_record, symbols

__all__ = [
    "AIMS",
    "CHECKPOINT",
    "CHUNK",
    "FORCES",
    "MAX_HANDS",
    "NAMES",
    "USUAL",
    "Asked",
    "Experiment",
    "Folded",
    "Games",
    "Hand",
    "Notes",
    "Record",
    "Room",
    "Run",
    "Trials",
    "asking_words",
    "by_side",
    "carry_out",
    "check_answers",
    "check_score",
    "deal_hands",
    "ending_raises",
    "executor",
    "fingerprint",
    "flat_rules",
    "fold",
    "game_row_names",
    "hand_record",
    "in_order",
    "interruptible",
    "knock_of",
    "left_over",
    "play_chunk",
    "play_notes",
    "play_rare",
    "play_rows",
    "play_text",
    "play_with_person",
    "playable",
    "prepared",
    "replay_chunk",
    "room",
    "row_names",
    "rules_of_record",
    "same_hands",
    "shows_the_best",
    "split",
    "symbols",
]
