"""A referee for Cirulla and its family, written from the rules text alone.

It shares no code with ``cirulla_sim``, which is checked against it: slow, literal Python over card texts such as
``"7h"``. Rules are a plain dict, as ``dataclasses.asdict`` returns for a ``Rules``. Sources are cited by their number
in the rules catalogue: 000 Cirulla and Cirullone, 001 Cirullone, 002 the online rules, 003 Scopa and its family, 004
Parlett. Where they are silent or disagree, the catalogue decides.
"""

from .bonuses import best_sets, claims_for_sets, four_equal, hand_bonuses, is_misdeal, table_bonus, table_status
from .captures import is_scopa, legal_captures, legal_choices, ordinary_captures
from .game import play_match
from .replay import RefereeError, replay
from .scoring import primiera_total, score
from .selfplay import lines_of_play, random_hand

__all__ = [
    "RefereeError",
    "best_sets",
    "claims_for_sets",
    "four_equal",
    "hand_bonuses",
    "is_misdeal",
    "is_scopa",
    "legal_captures",
    "legal_choices",
    "lines_of_play",
    "ordinary_captures",
    "play_match",
    "primiera_total",
    "random_hand",
    "replay",
    "score",
    "table_bonus",
    "table_status",
]
