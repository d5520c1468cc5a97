"""What a result file may hold: the metadata and rows of each kind, checked before anything else sees them.

Files may come from strangers, and a digest only says that a file is as somebody wrote it. So nothing here trusts it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import polars as pl

from ..core.errors import InputError, quoted
from ..ruleset.bounds import bounds_of
from ..situation.notation import Situation
from .request import UNITS, Request

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

DEALERS = ("us", "them", "any", "next", "opposite", "previous")
"""Who may deal next in chances to win from a score."""

MOST_ROWS, MOST_OF_A_VERB = 1_000_000, 200_000
"""The most rows of a file, of a study and of any other kind.

A table of chances from every score has as many as there are scores.
"""

LONGEST, MOST_ITEMS, MOST_DEPTH, LARGEST = 20_000, 100_000, 10, 10**100
"""Bounds of the metadata: characters of a text, items of a list, depth, and numbers."""

Columns = Mapping[str, Any]
_TESTED: Columns = {"gain": pl.Float64, "p_holm": pl.Float64}


@dataclass(frozen=True)
class Kind:
    """A kind of file: the verb that writes it and the columns besides those of ``SCHEMA``.

    ``front`` and ``back`` stand before and after those, and each group of ``more`` is there or not. ``nullable`` are
    columns of ``front`` that may be null.
    """

    verb: str
    front: Columns = field(default_factory=dict)
    back: Columns = field(default_factory=dict)
    more: tuple[Columns, ...] = ()
    nullable: tuple[str, ...] = ()


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
    "tournament": Kind(
        "tournament", _all(pl.String, "policy", "opponent"), _all(pl.Float64, "p_holm", "p_tukey"),
        nullable=("opponent",),
    ),
    "advise": Kind("advise", _all(pl.String, "play"), {"p_holm": pl.Float64}, ({"reason": pl.String},)),
}  # fmt: skip
"""Kinds of files of the verbs; any other is a study's, with columns of its own."""

OF_VERSION_1 = ("review",)
"""Kinds of files that version 1.0 wrote, and that this version does not read."""


# ------------------------------------------------------------------------------------------------ metadata


def _count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _objects(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(item, Mapping) for item in value.values())


def _pairs(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(_count, pair)) and pair[0] < pair[1] for pair in value
    )


def _text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _verdicts(value: object) -> bool:
    """Whether a value lists what a test decided of pairs of policies, or that it did not decide yet."""
    return isinstance(value, list) and all(
        isinstance(row, Mapping)
        and all(isinstance(row.get(name), str) for name in ("policy", "opponent", "intervals"))
        and _text(row.get("verdict"))
        and _count(row.get("hands"))
        for row in value
    )


_IS_TEXT: dict[str, Callable[[object], bool]] = dict.fromkeys(
    ("schema", "version", "command", "stopped", "fingerprint", "trial", "trials", "title", "preset", "intervals",
     "deal", "deal_chance"),
    _text,
)  # fmt: skip
_IS_COUNT: dict[str, Callable[[object], bool]] = dict.fromkeys(
    ("players", "seed", "first", "shared", "check", "values", *UNITS), lambda value: value is None or _count(value)
)
_IS_VALID: Mapping[str, Callable[[object], bool]] = {
    **_IS_TEXT, **_IS_COUNT, "policies": _texts, "controls": _texts, "compared": _objects, "seldom": _objects,
    "gaps": _pairs, "verdicts": _verdicts,
    "sources": lambda value: isinstance(value, Mapping) and all(isinstance(item, str) for item in value.values()),
    "test": lambda value: isinstance(value, Mapping) and type(value.get("delta")) in (int, float),
}  # fmt: skip
"""What metadata by these names are; a study may have lists and objects of numbers instead."""

_REQUIRED = ("version", "request", "command", "policies", "players", "seed", "stopped", "fingerprint")


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether a value of JSON types is within the bounds of metadata: depth, sizes, numbers, printable texts."""
    if isinstance(value, str):
        return len(value) <= LONGEST and value.isprintable()
    if isinstance(value, (dict, list)):
        items = (*value, *value.values()) if isinstance(value, dict) else value
        return depth < MOST_DEPTH and len(value) <= MOST_ITEMS and all(is_plain(item, depth + 1) for item in items)
    return value is None or isinstance(value, bool) or (math.isfinite(value) and abs(value) < LARGEST)


def parsed_metadata(text: str) -> dict[str, Any]:
    """The metadata of a file, of bounded size; raises ``ValueError`` for anything else."""
    try:
        metadata = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("schema"), str) or not is_plain(metadata):
        raise ValueError("no metadata of cirulla-sim")
    return metadata


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for metadata whose types are wrong, or that contradict their request."""
    schema = metadata["schema"].partition("/")[0]
    kind = VERB_KINDS.get(schema)
    request = Request.from_json(metadata["request"]) if "request" in metadata else None
    of_verb = kind is not None and (request is None or request.verb == kind.verb)
    for name, is_valid in _IS_VALID.items():
        value = metadata.get(name)
        of_study = not of_verb and name not in _IS_TEXT and isinstance(value, (dict, list))
        if name in metadata and not is_valid(value) and not of_study:
            raise InputError(f"its metadata {name!r} is not valid")
    if kind is None or request is None:
        return
    if request.verb not in (kind.verb, "study"):
        raise InputError(f"its request is of {quoted(request.verb)}, and its table of {schema!r}")
    for line_up in request.line_ups if request.verb not in ("compare", "advise") else ():
        line_up.by_side(request.rules.fields, 0)
    if request.verb == "study":
        return
    for name in _REQUIRED:
        if name not in metadata:
            raise InputError(f"its metadata has no {name!r}")
    stored = {name: metadata[name] for name in ("policies", "players", "seed")}
    requested = {
        "policies": [str(line_up) for line_up in request.line_ups],
        "players": request.rules.fields.players,
        "seed": request.effort.seed,
    }
    for name, value in requested.items():
        if stored[name] != value:
            raise InputError(f"its metadata {name!r} is {quoted(stored[name])}, and its request says {quoted(value)}")
    if schema == "compare-nights":
        nights = request.question.get("against")
        for text in (request.situation.get("at"), *(nights if isinstance(nights, list) else [None])):
            if not isinstance(text, str) or Situation.parse(text).night is None:
                raise InputError("its request does not name the nights that it compares")
    elif schema.startswith("compare") and "compared" not in metadata:
        raise InputError("its metadata has no 'compared'")


# ------------------------------------------------------------------------------------------------ rows

_HIDDEN = r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]"
"""Characters that a terminal could take for commands, or that nobody sees."""

_FRACTION = r"^-?[0-9]{1,9000}(/[1-9][0-9]{0,9000})?$"
_SMALL = 1e-6
"""By how much an estimate may be outside of its bounds, relative to them: numbers are rounded."""


def check_size(rows: int, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for more rows than a file with such metadata can have, before any is read."""
    schema = metadata["schema"].partition("/")[0]
    most = MOST_OF_A_VERB if schema in VERB_KINDS else MOST_ROWS
    if schema == "win-table" and "request" in metadata:
        most = 4 * (Request.from_json(metadata["request"]).rules.fields.target + 1) ** 2
    if rows > most:
        raise InputError(f"its table has {rows:_} rows, and at most {most:_} are possible")


def check_rows(frame: pl.DataFrame, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for rows that no run writes: columns, types, numbers, and what the request does not have."""
    schema = metadata["schema"].partition("/")[0]
    kind = VERB_KINDS.get(schema)
    if kind is None or frame.width == 0:
        wrong = [name for name, dtype in SCHEMA.items() if name in frame.columns and frame.schema[name] != dtype]
        if wrong and set(SCHEMA) <= set(frame.columns):
            raise InputError(f"its column {quoted(wrong[0])} has another type")
        if frame.width == 0 and frame.height:
            raise InputError("its table has no columns")
    else:
        _check_columns(frame, kind)
    _check_texts(frame)
    if set(SCHEMA) <= set(frame.columns):
        _check_values(frame, kind)
    if kind is not None and frame.height:
        _check_names(frame, kind, schema, metadata)
        _check_bounds(frame, metadata)


def _check_columns(frame: pl.DataFrame, kind: Kind) -> None:
    valid = {**kind.front, **SCHEMA, **kind.back}
    for group in kind.more:
        valid |= group if set(group) & set(frame.columns) else {}
    for name, dtype in valid.items():
        if frame.schema.get(name) != dtype:
            raise InputError(f"its table has no column {name!r} of the type {dtype}")
    for name in frame.columns:
        if name not in valid:
            raise InputError(f"its table has a column {quoted(name)}, which no such file has")


def _check_texts(frame: pl.DataFrame) -> None:
    """Raise ``InputError`` for texts that are too long, or that a terminal could take for commands."""
    for name in (name for name, dtype in frame.schema.items() if dtype == pl.String):
        column = frame[name]
        if (column.str.len_bytes().max() or 0) > LONGEST or column.str.contains(_HIDDEN).any():  # type: ignore[operator]
            raise InputError(f"its column {quoted(name)} has texts that are too long or cannot be printed")


def _check_values(frame: pl.DataFrame, kind: Kind | None) -> None:
    """Raise ``InputError`` for a value that is not possible in its column."""
    always = ["quantity", "per", "side", "kind", "estimate"]
    if kind is not None:
        always += [name for name in kind.front if name not in kind.nullable]
        always += [name for name in (*_SPLIT, *_SIMULATED) if name in frame.columns and name != "share_exact"]
    for name in always:
        if frame[name].null_count():
            raise InputError(f"its column {name!r} has no value in some rows")
    estimate, low, high = pl.col("estimate"), pl.col("ci_low"), pl.col("ci_high")
    slack = _SMALL * (1 + estimate.abs())
    whole = [name for name, dtype in frame.schema.items() if dtype == pl.Int64]
    even = pl.lit(kind is not None) & pl.col("kind").is_in(("mean", "difference", "interaction")) & low.is_not_null()
    is_chance = pl.col("kind").is_in(("probability", "share"))
    error = pl.col("std_error")
    is_valid = {
        "kind": pl.col("kind").is_in(KINDS),
        "estimate": estimate.is_finite() & (~is_chance | estimate.is_between(0, 1)),
        "std_error": (error >= 0) & error.is_not_nan() & (~even | error.is_not_null()),
        "ci_low": (low <= estimate + slack)
        & low.is_not_nan()
        & (low.is_null() == high.is_null())
        & (~is_chance | (low >= 0)),
        "ci_high": (high >= estimate - slack) & high.is_not_nan() & (~is_chance | (high <= 1)),
        **{name: pl.col(name) >= 0 for name in whole},
        **{name: pl.col(name).str.contains(_FRACTION) for name in ("exact", "share_exact")},
        **{name: pl.col(name).is_between(0, 1) for name in ("share", "p_holm", "p_tukey")},
        **{name: pl.col(name).is_finite() for name in _SIMULATED if name != "simulated_n"},
        "simulated": ~is_chance | pl.col("simulated").is_between(0, 1),
    }
    for name, test in is_valid.items():
        if name in frame.columns and not frame.select(test.all()).item():
            raise InputError(f"its column {name!r} has a value that is not possible")


def _check_names(frame: pl.DataFrame, kind: Kind, schema: str, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for policies or rules other than those of the metadata, and for a row twice."""
    for name, named in (("policy", metadata.get("policies")), ("rules", metadata.get("compared"))):
        if name in kind.front and named is not None and schema != "compare-nights":
            there = frame[name].unique(maintain_order=True).to_list()
            if there[1 if name == "rules" else 0 :] != list(named):
                raise InputError(f"its column {name!r} does not have the {name} that its metadata have")
    if "opponent" in kind.front and not frame["opponent"].drop_nulls().is_in(metadata.get("policies", ())).all():
        raise InputError("its column 'opponent' has policies that its metadata do not have")
    if "dealer" in kind.front and not frame["dealer"].is_in(DEALERS).all():
        raise InputError(f"its column 'dealer' has other values than {', '.join(DEALERS)}")
    keys = [*kind.front, "quantity", "per", "side", "kind", "value"]
    if schema != "odds" and frame.select(keys).is_duplicated().any():
        raise InputError("its table has a row twice")
    if kind.verb != "advise" and (frame["n"].is_null() & frame["exact"].is_null()).any():
        raise InputError("its table has rows that are neither counted exactly nor of a sample")
    if schema == "tournament":
        _check_ranking(frame, metadata.get("policies", ()))
    if schema == "win-table":
        _check_scores(frame)
    if schema == "simulate":
        _check_alike(frame.filter(pl.col("side") != "all", pl.col("quantity").str.starts_with("points")), "side")
    if schema.endswith("line-ups"):
        of_line_ups = "interaction" if schema.startswith("compare") else "difference"
        _check_alike(frame.filter(pl.col("kind") != of_line_ups), "policy")


def _check_ranking(frame: pl.DataFrame, policies: Sequence[str]) -> None:
    """Raise ``InputError`` unless all policies have a strength and all pairs a gap, the stronger first, or none has."""
    rows = frame.filter(quantity="strength").sort("estimate", descending=True, maintain_order=True)
    order = rows["policy"].to_list()
    gaps = frame.filter(quantity="strength_gap").select("policy", "opponent").rows()
    if (order or gaps) and (sorted(order) != sorted(policies) or sorted(gaps) != sorted(combinations(order, 2))):
        raise InputError("its table does not rank the policies of its metadata")


def _check_alike(frame: pl.DataFrame, name: str) -> None:
    """Raise ``InputError`` unless there are the same rows for every side or policy, distributions aside."""
    keys = [key for key in ("rules", "quantity", "per", "side", "kind") if key in frame.columns and key != name]
    levels = frame.filter(pl.col("value").is_null())
    if levels.height and levels.group_by(keys).len()["len"].n_unique() > 1:
        raise InputError(f"its table does not have the same rows for each {name}")


def _check_scores(frame: pl.DataFrame) -> None:
    """Raise ``InputError`` unless there is a row for every score, from 0 on, and whoever deals."""
    sizes = [frame[name].n_unique() for name in ("us", "them", "dealer")]
    last = [int(frame[name].max()) + 1 for name in ("us", "them")]  # type: ignore[arg-type]
    if frame.height != math.prod(sizes) or last != sizes[:2] or sizes[0] != sizes[1]:
        raise InputError("its table does not have every score")


def _check_bounds(frame: pl.DataFrame, metadata: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for an estimate below or above what the rules allow."""
    if "request" not in metadata or metadata["schema"].startswith(("compare", "odds", "tournament")):
        return  # of several rules, or of numbers without bounds
    rules = Request.from_json(metadata["request"]).rules.fields
    named = ("quantity", "per", "side", "kind")
    ends = frame.group_by(named, maintain_order=True).agg(
        pl.col("estimate").min().alias("least"), pl.col("estimate").max().alias("largest")
    )
    for *names, least, largest in ends.iter_rows():
        low, high = bounds_of(rules, *names)
        slack = _SMALL * (1 + max(abs(end) for end in (low, high, 0.0) if math.isfinite(end)))
        if not low - slack <= least <= largest <= high + slack:
            raise InputError(f"its estimate of {quoted(names[0])} is not possible by its rules")
