"""Every kind of result, declared once in ``kinds.toml``: how its table is laid out, and its views.

A view is one thing that a result shows: which rows of its table, the finding that they make, and the mark that draws
them. The terminal's table, the headline, ``describe``, charts, alternative texts, pages and reports are renderings of
these views. A new kind, or a new thing to show of one, is a row there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from ..core.data import load_toml
from ..experiments.tally import MEASURES
from .text import facts, headlines, lines
from .text.cells import DIFFERENCES, Row
from .text.facts import Source
from .text.findings import Sentence
from .text.headlines import Finder
from .text.labels import Metadata, schema_of


@dataclass(frozen=True)
class View:
    """One thing that a result shows: its ``rows``, the finding that they make, and how they are drawn."""

    rows: pl.Expr
    find: Finder | None = None
    name: str = ""
    mark: str = ""
    shown: str = ""
    row: str = ""
    reference: str = ""
    table: bool = True
    silent: bool = False

    def select(self, frame: pl.DataFrame) -> list[Row]:
        """The rows of a table that the view shows."""
        return list(frame.filter(self.rows).to_dicts()) if frame.height else []

    def findings(self, rows: Sequence[Row], source: Source) -> list[Sentence]:
        """What some rows show, or say of themselves."""
        found = self.find(rows, source) if self.find else None
        return [one for one in (found if isinstance(found, list) else [found]) if one]


@dataclass(frozen=True)
class ResultKind:
    """A kind of result: its views, the shape of its table, and the limits of what it shows.

    The terminal's table has at ``most`` so many lines; other formats have all but those ``without``. Where
    ``only_views`` have rows to show, all others are details. So many findings are the ``headline``, ``plain`` ones
    without intervals. Of a kind that ``compares``, those that are not significant are left out where others are.
    Several files of some kinds are drawn ``together``; of some, every row has the ``same_deals``.
    """

    views: tuple[View, ...]
    lines: lines.Lines
    limits: facts.Limits | None
    most: int = 12
    headline: int = 1
    plain: bool = True
    without: str = ""
    only_views: bool = False
    compares: bool = False
    together: bool = False
    same_deals: bool = False


def _rows(given: Mapping[str, Any]) -> pl.Expr:
    """The rows of some quantities: whole ones, or of distributions with ``split``.

    Of a measure of a comparison, its levels by the first rules and what the others change.
    """
    quantity, split = pl.col("quantity"), given.get("split", False)
    named = given["quantity"]
    rows = quantity.is_in(named)
    for start in (name.removesuffix("*") for name in named if name.endswith("*")):
        rows |= quantity.str.starts_with(start) & (~quantity.str.ends_with("_distribution") | pl.lit(split))
    if named != ["*"]:
        rows &= pl.col("value").is_not_null() if split else pl.col("value").is_null()
    if given.get("find") == "change":
        rows &= (pl.col("rules") == pl.col("rules").first()) != pl.col("kind").is_in(DIFFERENCES)
    for column in ("per", "side", "kind", "dealer"):
        rows &= pl.col(column) == given[column] if column in given else pl.lit(True)
    return rows & pl.col("side").is_in(given["sides"]) if "sides" in given else rows


def _view(given: Mapping[str, Any]) -> View:
    if measure := next((one for one in MEASURES if one.name == given.get("measure")), None):
        given = {**measure._asdict(), "quantity": [measure.quantity], **given}
    find: Any = getattr(headlines, given.get("find", ""), None)
    find = partial(find, given["says"]) if "says" in given else find
    own = {name: given[name] for name in View.__dataclass_fields__ if name in given}
    return View(**{"table": not given.get("split"), **own, "rows": _rows(given), "find": find})


def _kind(given: Mapping[str, Any]) -> ResultKind:
    given = {**DATA[given["like"]], **given} if "like" in given else given
    limits = partial(facts.usual_limits, given["limits"]) if "limits" in given else None
    limits = getattr(facts, given.get("limits_of", ""), limits)
    views = [_view(one) for one in given["views"] if one.get("name") not in given.get("without_views", ())]
    own = {name: given[name] for name in ResultKind.__dataclass_fields__ if name in given}
    return ResultKind(**{**own, "views": tuple(views), "lines": getattr(lines, given["lines"]), "limits": limits})


DATA: dict[str, Any] = load_toml(__package__, "kinds.toml")
KINDS = {name: _kind(given) for name, given in DATA.items()}
"""The kinds of result files by name, without the format."""

OTHER = ResultKind((), lines.by_side, None, without="distributions")
"""Any other file."""


def result_kind(metadata: Metadata) -> ResultKind:
    """The kind of a result; advice on the ends of hands has one of its own."""
    ends = "-ends" if metadata.get("request", {}).get("question", {}).get("ends") else ""
    return KINDS.get(f"{schema_of(metadata)}{ends}", OTHER)
