"""What comes out of every question: a table, how it was made, a readers' table, a chart, a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.arguments import FORMATS, LANGUAGES, choice, print_size, public
from ..core.arguments import path as as_path
from ..core.locale import language
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..storage.atomic_files import whole_file
from ..storage.request import Request, rules_from_json
from ..storage.tables import write_part
from .text.cells import explanation
from .text.descriptions import describe, headline
from .text.formats import render, with_caption
from .text.layouts import brief_table, caption, readers_table, schema_of
from .text.spreadsheets import spreadsheet_table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

LINE = 110
"""Characters that fit a line."""


@dataclass(frozen=True, repr=False)
class Result:
    """A result: the whole table, one row a quantity, and how it came about.

    ``frame`` has the columns of ``storage.tables.SCHEMA`` and perhaps more in front; ``metadata`` is what its file says
    of it: the request, version, command, policies, seed, hands, how it ended. ``remarks`` are what a reader should know
    besides. In a notebook it shows the readers' table.
    """

    frame: pl.DataFrame
    metadata: Mapping[str, Any]
    remarks: tuple[str, ...] = ()
    exit_code: int = 0
    """0, or 3 where a precision was not reached, 130 where it was interrupted."""
    stored: Mapping[str, str] = field(default_factory=dict)
    """What its file stores beside the table to be resumed from, by name."""
    only: tuple[str, ...] = ()
    """The quantities to be shown, none for all."""

    @property
    def command(self) -> str:
        """The command that makes the result again."""
        return str(self.metadata["command"])

    @property
    def same_numbers(self) -> str:
        """The command that gives the same numbers: that of an interrupted run simulates as many trials as it did."""
        if self.metadata["stopped"] != "interrupted":
            return self.command
        request = Request.from_json(self.metadata["request"])
        done = self.metadata[request.effort.unit]
        return replace(request, effort=replace(request.effort, number=done)).command()

    def selected(self) -> pl.DataFrame:
        """The rows of the quantities to be shown; the whole table where none are named."""
        return self.frame.filter(pl.col("quantity").is_in(self.only)) if self.only else self.frame

    def to_pandas(self) -> pd.DataFrame:
        """The whole table as a pandas data frame."""
        return self.frame.to_pandas()

    @public
    def text(
        self, form: str = "table", *, lang: str = "en", raw: bool = False, all: bool = False, size: str | None = None
    ) -> str:
        """The result as text.

        ``table`` is for the terminal: the finding, then the lines that readers want most. ``csv``, ``markdown``,
        ``latex`` and ``html`` are for pages and have all lines but those of distributions; ``all`` shows these too, in
        every format. All four are in ``en`` or ``it``, with ± for half a 95% interval; ``csv`` is for spreadsheets,
        with plain numbers and the ends of intervals in columns of their own. ``latex`` fits a ``size``, ``column``
        (90 mm) or ``page`` (170 mm, the default). ``json`` is the whole table for programs, with rules, players and
        seed in every row; ``raw`` gives that in any format.

        Raises ``InputError`` for an unknown format, language or size, and for a size of another format.
        """
        choice("--format", "format", form, FORMATS)
        size = print_size(form, size)
        if raw or form == "json":
            constant = {name: x for name, x in row_constants(self.metadata).items() if name not in self.frame.columns}
            raw_table = self.selected().with_columns(pl.lit(x).alias(name) for name, x in constant.items())
            return render(raw_table, form, size, schema_of(self.metadata))
        locale = language(choice("--lang", "language", lang, LANGUAGES))
        frame, whole, below = self.selected(), all or bool(self.only), caption(self.metadata, locale)
        if form != "table" or whole:
            if form == "csv":
                return with_caption(spreadsheet_table(frame, self.metadata, locale, whole), below, form, locale)
            table = readers_table(frame, self.metadata, locale, whole)
            below = f"{below} {explanation(table, frame.columns, locale)}".strip()
            return with_caption(table, below, form, locale, size, schema_of(self.metadata))
        table, hidden = brief_table(frame, self.metadata, locale)
        marks = explanation(table, frame.columns, locale)
        more = locale.say("{n} more lines: --all shows them.", n=locale.numerals(f"{hidden:,}")) if hidden else ""
        finding = headline(frame, self.metadata, locale)
        below = " ".join(part for part in (below, marks, more) if part)
        return f"{finding}\n\n{with_caption(table, below, form, locale)}".strip()

    @public
    def describe(self, lang: str = "en") -> str:
        """Three to six sentences, a line each: what it shows, how precisely, for whom, and what it does not show.

        Raises ``InputError`` for an unknown language.
        """
        return describe(self.frame, self.metadata, language(choice("--lang", "language", lang, LANGUAGES)))

    def plot(self, figure: str | None = None, **options: Any) -> Figure:
        """A chart; ``figure`` names one of several, the rest are arguments of ``cirulla_sim.plot``: width, lang...

        Raises ``InputError`` for a name it does not have, and where there is nothing to draw.
        """
        from .charts.draw import draw
        from .charts.look import chosen

        return draw(self.frame, dict(self.metadata), figure, chosen(**options))

    def save(self, path: str | Path) -> Path:
        """Write the whole table to a parquet file, whole or not at all; the same result gives the same bytes.

        Raises ``InputError`` where it cannot be written.
        """
        file = as_path(path)
        assert file is not None
        with whole_file(file) as part:
            write_part(self.frame, part, dict(self.metadata), self.stored)
        return file

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        line = f"<{self.command}>"
        return line if len(line) <= LINE else f"{line[: LINE - 4]}...>"

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(remark)}</p>" for remark in self.remarks)
        return f"{self.text('html')}{lines}<p><small><code>{escape(self.command)}</code></small></p>"


def row_constants(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in every row of the formats for programs: the rules, players, policies and seed."""
    if "request" not in metadata:
        return {}
    rules = rules_from_json(metadata["request"]["rules"])
    changed = rules.fields.differences(build(rules.preset, players=rules.fields.players))
    named = " ".join([rules.preset, *(f"{name}={plain(value)}" for name, value in changed.items())])
    about = {"rules": named, "players": metadata["players"], "policy": "; ".join(metadata["policies"]) or None}
    given = {name: metadata[name] for name in ("trial", "deal") if metadata.get(name)}
    return about | {"seed": metadata["seed"]} | given
