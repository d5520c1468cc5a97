"""What a result file holds: the columns of each kind of file, and the values that readers compute with.

Reading a file only ever reads data, so nothing here looks for malice: a file that is not as cirulla-sim writes it is
refused in one line, where a reader would go wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    "probability", "share", "mean", "ratio", "difference", "interaction", "maximum", "minimum", "quantile"
)  # fmt: skip

_SMALL = 1e-6
"""By how much an estimate may be outside of its interval, relative to it: numbers are rounded."""

Columns = Mapping[str, Any]
_TESTED: Columns = {"gain": pl.Float64, "p_holm": pl.Float64}


@dataclass(frozen=True)
class Kind:
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
    "simulate": Kind("simulate"),
    "simulate-line-ups": Kind("simulate", _all(pl.String, "policy"), _TESTED),
    "games": Kind("games"),
    "games-line-ups": Kind("games", _all(pl.String, "policy"), _TESTED),
    "win-table": Kind("games", {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String}),
    "win-chance": Kind("games", _all(pl.String, "score", "dealer", "method")),
    "compare": Kind("compare", _all(pl.String, "rules"), _TESTED),
    "compare-line-ups": Kind("compare", _all(pl.String, "policy", "rules"), _TESTED),
    "compare-nights": Kind("compare", _all(pl.String, "rules"), _TESTED),
    "odds": Kind("odds", more=(_SPLIT, _SIMULATED, {"hand": pl.Int64})),
    "tournament": Kind("tournament", _all(pl.String, "policy", "opponent"), _all(pl.Float64, "p_holm", "p_tukey")),
    "advise": Kind("advise", _all(pl.String, "play"), {"p_holm": pl.Float64}, ({"reason": pl.String},)),
}  # fmt: skip
"""Kinds of files of the verbs; any other is a study's, with columns of its own."""

OF_VERSION_1 = ("review",)
"""Kinds of files that version 1.0 wrote, and that this version does not read."""


_IS_VALID: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("version", "command", "fingerprint"), lambda value: isinstance(value, str)),
    "stopped": lambda value: value is None or isinstance(value, str),
    **dict.fromkeys(("players", "seed"), lambda value: value is None or (type(value) is int and value >= 0)),
    "policies": lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
}
"""What metadata of every file of a verb are."""


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for metadata of other types, or of a request that does not make such a file."""
    schema = metadata["schema"].partition("/")[0]
    if "request" not in metadata:
        return
    request, kind = Request.from_json(metadata["request"]), VERB_KINDS.get(schema)
    if kind is None or request.verb == "study":
        return
    if request.verb != kind.verb:
        raise InputError("its request is of {verb!r}, and its table of {schema!r}", request.verb, schema)
    for name, is_valid in _IS_VALID.items():
        if name not in metadata or not is_valid(metadata[name]):
            raise InputError("its metadata {name!r} is not valid", name)


def check_rows(frame: pl.DataFrame, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for other columns than the kind of file has, for a row twice and for impossible values.

    A study may have more columns, or none of ``SCHEMA``.
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
    if kind is not None:
        for name in frame.columns:
            if name not in columns:
                raise InputError("its table has a column {name!r}, which no such file has", name)
        keys = [*kind.front, "quantity", "per", "side", "kind", "value"]
        if kind.verb != "odds" and frame.select(keys).is_duplicated().any():
            raise InputError("its table has a row twice")
    _check_values(frame, of_verb=kind is not None)


def _check_values(frame: pl.DataFrame, of_verb: bool) -> None:
    """Raise ``InputError`` for missing values, and for numbers that are not finite, negative or not in order.

    Means of studies may have an interval without a standard error.
    """
    for name in ("quantity", "per", "side", "kind", "estimate"):
        if frame[name].null_count():
            raise InputError("its column {name!r} has no value in some rows", name)
    estimate, low, high, error = (pl.col(name) for name in ("estimate", "ci_low", "ci_high", "std_error"))
    slack = _SMALL * (1 + estimate.abs())
    is_share = pl.col("kind").is_in(("probability", "share"))
    has_error = pl.lit(of_verb) & pl.col("kind").is_in(("mean", "difference", "interaction"))
    is_valid = {
        "kind": pl.col("kind").is_in(KINDS),
        "estimate": estimate.is_finite() & (~is_share | estimate.is_between(0, 1)),
        "std_error": (error >= 0) & error.is_not_nan() & (~has_error | low.is_null() | error.is_not_null()),
        "ci_low": (low <= estimate + slack) & (low.is_null() == high.is_null()) & (~is_share | (low >= 0)),
        "ci_high": (high >= estimate - slack) & high.is_not_nan() & (~is_share | (high <= 1)),
    }
    for name, dtype in frame.schema.items():
        if name not in is_valid and dtype in (pl.Int64, pl.Float64):
            is_valid[name] = pl.col(name) >= 0 if dtype == pl.Int64 else pl.col(name).is_finite()
    for name, test in is_valid.items():
        if not frame.select(test.all()).item():
            raise InputError("its column {name!r} has a value that is not possible", name)
