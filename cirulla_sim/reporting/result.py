"""What comes out of every question: a table, how it was made, a readers' table, a chart, a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.arguments import FORMATS, LANGUAGES, choice, door
from ..core.arguments import path as as_path
from ..ruleset.catalogue import plain
from ..ruleset.presets import build
from ..storage.atomic_files import whole_file
from ..storage.tables import legible, render, write_part
from .text.descriptions import describe
from .text.layouts import caption, for_print, printed
from .text.locale import language

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

LINE = 110
"""Characters that fit a line."""


@dataclass(frozen=True, repr=False)
class Result:
    """A result: the whole table, one row a quantity, and how it was made.

    ``frame`` has the columns of ``kept.SCHEMA`` and perhaps more in front; ``made`` is what its file says of it:
    version, command, rules, policies, seed, hands, how it ended. ``remarks`` are what a reader should know besides. In
    a notebook it shows the readers' table.
    """

    frame: pl.DataFrame
    made: Mapping[str, Any]
    shown: pl.DataFrame | str
    """For readers: a table of few columns, or a text."""
    remarks: tuple[str, ...] = ()
    exit_code: int = 0
    """0, or 3 where a precision was not reached, 130 where it was interrupted."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """What its file keeps beside the table to go on from, by name."""
    only: tuple[str, ...] = ()
    """The quantities that were asked for, none for all."""
    caption: str = ""
    """A line below the readers' table."""

    @property
    def command(self) -> str:
        """The command that makes the result again."""
        return str(self.made["command"])

    def selected(self) -> pl.DataFrame:
        """The rows of the quantities that were asked for; the whole table where none were named."""
        return self.frame.filter(pl.col("quantity").is_in(self.only)) if self.only else self.frame

    def to_pandas(self) -> pd.DataFrame:
        """The whole table as a pandas data frame."""
        return self.frame.to_pandas()

    @door
    def text(self, form: str = "table", *, lang: str | None = None, raw: bool = False) -> str:
        """The result as text.

        ``table`` is for the terminal, ``json`` the whole table for programs, with rules, players and seed in every row,
        which in ``csv`` stand in the last column; ``csv``, ``markdown``, ``latex`` and
        ``html`` are for readers, in words and with ± for intervals, as is ``table`` where a ``lang`` is named,
        ``en`` or ``it``. ``raw`` gives the whole table in any of them.

        Raises ``InputError`` for a format or a language that there is not.
        """
        choice("--format", "format", form, FORMATS)
        if raw or form == "json":
            told = {name: x for name, x in beside(self.made).items() if name not in self.frame.columns}
            return render(self.selected().with_columns(pl.lit(x).alias(name) for name, x in told.items()), form)
        if form != "table" or lang is not None:
            into = language(choice("--lang", "language", lang or "en", LANGUAGES))
            shown = for_print(self.selected(), self.made, into, whole=bool(self.only))
            return printed(shown, caption(self.made, into), form, into)
        text = self.shown if isinstance(self.shown, str) else render(self.shown, "table")
        return f"{text}\n{self.caption}" if self.caption else text

    @door
    def describe(self, lang: str = "en") -> str:
        """Three to six sentences, a line each: what it shows, how surely, for whom it holds, what it does not show.

        Raises ``InputError`` for a language that there is not.
        """
        return describe(self.frame, self.made, language(choice("--lang", "language", lang, LANGUAGES)))

    def plot(self, figure: str | None = None, **asked: Any) -> Figure:
        """A chart; ``figure`` names one of several, the rest are arguments of ``cirulla_sim.plot``: width, lang...

        Raises ``InputError`` for a name it does not have, and where there is nothing to draw.
        """
        from .charts.draw import draw
        from .charts.look import chosen

        return draw(self.frame, dict(self.made), figure, chosen(**asked))

    def save(self, path: str | Path) -> Path:
        """Write the whole table to a parquet file, whole or not at all; the same result gives the same bytes.

        Raises ``InputError`` where it cannot be written.
        """
        file = as_path(path)
        assert file is not None
        with whole_file(file) as part:
            write_part(self.frame, part, dict(self.made), self.kept)
        return file

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        line = f"<{self.command}>"
        return line if len(line) <= LINE else f"{line[: LINE - 4]}...>"

    def _repr_html_(self) -> str:
        if isinstance(self.shown, str):
            table = f"<pre>{escape(self.shown)}</pre>"
        else:
            table = legible(self.shown).to_pandas().to_html(index=False)
        said = "".join(f"<p>{escape(remark)}</p>" for remark in (self.caption, *self.remarks) if remark)
        return f"{table}{said}<p><small><code>{escape(self.command)}</code></small></p>"


def beside(made: Mapping[str, Any]) -> dict[str, Any]:
    """What is told beside every row in the formats for programs, from how a result was made: for whom it holds."""
    if not made.get("preset") or not made.get("rules"):
        return {}
    usual = asdict(build(made["preset"], players=made["players"]))
    changed = {name: value for name, value in made["rules"].items() if json.dumps(value) != json.dumps(usual[name])}
    named = " ".join([made["preset"], *(f"{name}={plain(value)}" for name, value in changed.items())])
    said = {"rules": named, "players": made["players"], "policy": ",".join(made["policies"]) or None}
    more = {name: made[name] for name in ("trial", "deal") if made.get(name)}
    return said | {"seed": made["seed"]} | more
