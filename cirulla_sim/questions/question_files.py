"""What hands dealt for questions have come to, kept in a file and gone on from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..engine.engines import Folded
from ..storage.checkpoints import check as check_same
from ..storage.tables import read_kept
from .counting import Counted, Together

COUNTED = "cirulla_sim_counted"


def kept_with(found: Folded[Together]) -> dict[str, str]:
    """What a file keeps beside the answers."""
    return {COUNTED: json.dumps([sums.as_rows() for sums in found.tally.each], separators=(",", ":"))}


def tallied_in(
    wanted: Callable[[], Mapping[str, Any]], questions: int, most: int, paths: Sequence[Path], flag: str
) -> Folded[Together]:
    """What a file has of some questions, if its metadata are those ``wanted``, of ``most`` hands or fewer.

    Raises ``InputError`` that names what differs.
    """
    [path] = paths
    made, kept = check_same(path, wanted(), "hands", "odds", flag), read_kept(path)
    if made["hands"] > most:
        raise InputError(f"--hands '{most}' is less than the {made['hands']} hands of {path} (valid: more)")
    try:
        sums = tuple(Counted.from_rows(rows) for rows in json.loads(kept[COUNTED]))
    except (KeyError, TypeError, ValueError):
        sums = ()
    if len(sums) != questions:
        raise InputError(f"{flag} {path}: holds nothing to go on from (valid: a file of cirulla-sim odds)")
    return Folded(Together(sums), made["hands"], made["stopped"])
