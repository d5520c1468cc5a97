"""What a result file holds: the columns of each kind of file, and the verb whose request makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ..core.errors import InputError
from .request import Request

SCHEMA = {
    "quantity": pl.String,  # a name of the vocabulary
    "per": pl.String,  # one trial: holding, table, stage, hand, side, play, game
    "side": pl.String,  # all, dealer, others
    "kind": pl.String,  # one of KINDS
    "value": pl.String,  # of a distribution's row: a score, a length, a number of sevens; else null
    "estimate": pl.Float64,
    "std_error": pl.Float64,
    "ci_low": pl.Float64,  # 95%
    "ci_high": pl.Float64,
    "n": pl.Int64,  # trials; null for exact rows
    "exact": pl.String,  # fraction; else null
}
KINDS = (
    "probability", "share", "mean", "ratio", "difference", "probability difference", "interaction", "maximum",
    "minimum", "quantile"
)  # fmt: skip

Columns = Mapping[str, Any]
_TESTED: Columns = {"gain": pl.Float64, "p_holm": pl.Float64}


@dataclass(frozen=True)
class FileKind:
    """A kind of file: the verb that writes it and the columns besides those of ``SCHEMA``.

    ``front`` and ``back`` stand before and after those, and each group of ``more`` is there or not.
    """

    verb: str
    front: Columns = field(default_factory=dict)
    back: Columns = field(default_factory=dict)
    more: tuple[Columns, ...] = ()


def _all(dtype: Any, *names: str) -> Columns:
    return dict.fromkeys(names, dtype)


_SPLIT: Columns = {"by": pl.String, "share": pl.Float64, "share_exact": pl.String}
_SIMULATED: Columns = {
    **_all(pl.Float64, "simulated", "simulated_low", "simulated_high", "difference"), "simulated_n": pl.Int64
}  # fmt: skip
VERB_KINDS = {
    "simulate": FileKind("simulate"),
    "simulate-line-ups": FileKind("simulate", _all(pl.String, "policy"), _TESTED),
    "games": FileKind("games"),
    "games-line-ups": FileKind("games", _all(pl.String, "policy"), _TESTED),
    "win-table": FileKind("games", {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String}),
    "win-chance": FileKind("games", _all(pl.String, "score", "dealer", "method")),
    "compare": FileKind("compare", _all(pl.String, "rules"), _TESTED),
    "compare-line-ups": FileKind("compare", _all(pl.String, "policy", "rules"), _TESTED),
    "compare-nights": FileKind("compare", _all(pl.String, "rules"), _TESTED),
    "odds": FileKind("odds", more=(_SPLIT, _SIMULATED, {"hand": pl.Int64})),
    "tournament": FileKind("tournament", _all(pl.String, "policy", "opponent"), _all(pl.Float64, "p_holm", "p_tukey")),
    "advise": FileKind("advise", _all(pl.String, "play"), {"p_holm": pl.Float64}, ({"reason": pl.String},)),
}  # fmt: skip
"""Kinds of files of the verbs; any other is a study's, with columns of its own."""

OF_VERSION_1 = ("review",)
"""Kinds of files that version 1.0 wrote, and that this version does not read."""


def check_kind(metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for a request that does not make such a file."""
    schema = metadata["schema"].partition("/")[0]
    if "request" not in metadata:
        return
    request, kind = Request.from_json(metadata["request"]), VERB_KINDS.get(schema)
    if kind is not None and request.verb not in (kind.verb, "study"):
        raise InputError("its request is of {verb!r}, and its table of {schema!r}", request.verb, schema)


def check_columns(frame: pl.DataFrame, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for other columns than the kind of file has.

    A study may have more, or none of ``SCHEMA``.
    """
    kind = VERB_KINDS.get(metadata["schema"].partition("/")[0])
    if frame.width == 0 or (kind is None and not set(SCHEMA) <= set(frame.columns)):
        return
    columns: dict[str, Any] = dict(SCHEMA) if kind is None else {**kind.front, **SCHEMA, **kind.back}
    for group in () if kind is None else kind.more:
        columns.update(group if set(group) & set(frame.columns) else {})
    for name, dtype in columns.items():
        if frame.schema.get(name) != dtype:
            raise InputError("its table has no column {name!r} of the type {type}", name, dtype)
    for name in () if kind is None else frame.columns:
        if name not in columns:
            raise InputError("its table has a column {name!r}, which no such file has", name)
