"""What deals played out have come to, kept in a file and gone on from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import InputError
from ..engine.fingerprint import fingerprint
from ..engine.trials import Experiment
from ..situation.information_set import Situation
from ..storage.checkpoints import check as check_same
from ..storage.checkpoints import pack, read_packed
from .rollouts import Points, none_yet

POINTS = "cirulla_sim_points"

MOST_SAMPLES = 1 << 20


def kept_with(points: Points) -> dict[str, str]:
    """What a file keeps beside the advice."""
    return {POINTS: pack(points, "<i2", quick=True)}


def identity(now: Situation, policies: tuple[str, ...], asked: Sequence[str]) -> dict[str, Any]:
    """What must be the same to go on: the question, what the seat knows, and how all play on."""
    known = now.view.tobytes() + np.array([now.unowned, now.forgotten], "<u8").tobytes()
    played = fingerprint(Experiment(now.rules, policies))
    return {"asked": list(asked), "fingerprint": played + blake2b(known, digest_size=8).hexdigest()}


def points_in(
    now: Situation, wanted: Callable[[], Mapping[str, Any]], samples: int, paths: Sequence[Path], flag: str
) -> Points:
    """The samples that a file has, if its metadata are those ``wanted``, and they are so many or fewer.

    Raises ``InputError`` that names what differs.
    """
    [path] = paths
    made = check_same(path, wanted(), "hands", "advise", flag)
    points = read_packed(path, POINTS, "<i2", (-1, *none_yet(now).shape[1:]), "advise", flag, MOST_SAMPLES)
    if len(points) != made["hands"]:
        raise InputError(f"{flag} {path}: what it holds to go on from is damaged (valid: a file as it was written)")
    if len(points) > samples:
        raise InputError(f"--samples '{samples}' is less than the {len(points)} of {path} (valid: more)")
    return points
