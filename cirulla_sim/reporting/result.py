"""What comes out of every question, or is read from its file: a table, how it was made, a readers' table, a chart."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.arguments import FORMATS, LANGUAGES, choice, path_of, public, read_names, switch_of, text_of
from ..core.errors import LONGEST_QUOTE, InputError, unknown
from ..core.locale import Language, language
from ..ruleset.catalogue import format_value
from ..storage.request import Request, rules_from_json
from ..storage.tables import SCHEMA, ResultTable, write_table
from ..storage.tables import read_table as read_table
from .text.descriptions import headline, sentences_of
from .text.facts import readings
from .text.formats import render, spreadsheet_table, with_caption
from .text.sentences import sentence
from .text.tables import caption, readers_table

if TYPE_CHECKING:
    import pandas as pd

    from .charts.sheet import Chart


LINE = 110
"""Characters that fit a line."""

AT_TERMINAL = "{n} more lines: --all shows them."
IN_PYTHON = "{n} more lines: result.text(all=True) shows them, result.frame is the whole table."
"""How to see the lines that a table leaves out."""

NO_NAMES = ("exact", "reason", "share_exact")
"""Columns of text that do not name rows."""


@dataclass(frozen=True, repr=False)
class Result(ResultTable):
    """A result: the whole table, one row a quantity, and how it came about.

    ``frame`` has the columns of ``storage.tables.SCHEMA`` and perhaps more in front; ``metadata`` is what its file says
    of it: the request, version, command, policies, seed, hands, how it ended. ``remarks`` are what a reader should know
    besides, and ``method`` says how it was made: control variates, how intervals were made, fallbacks. At a
    prompt it shows its finding and the readers' table, in a notebook its chart too.

    ``result["points"]`` is the result with the rows of this quantity only, ``result["points", "dealer"]`` with those of
    this side; any name in the table will do. A result of one answer has a ``value``. Iteration yields its rows.
    """

    @classmethod
    def of(cls, table: ResultTable) -> Result:
        """A result table for readers."""
        return cls(**vars(table))

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

    @property
    def reading(self) -> str:
        """How the request was understood, in plain English: a line a question, then what is known and assumed.

        It is derived from the request; ``text`` and ``describe`` have it in either language.

        >>> from cirulla_sim import odds
        >>> print(odds("settebello(partner)").reading)
        How often my partner holds the settebello among the first three cards.
        One trial: three cards held.
        """
        return "\n".join(readings(self.metadata, language("en")))

    def selected(self) -> pl.DataFrame:
        """The rows of the quantities to be shown; the whole table where none are named."""
        return self.frame.filter(pl.col("quantity").is_in(self.only)) if self.only else self.frame

    def __getitem__(self, names: str | int | tuple[str | int, ...]) -> Result:
        """The rows that names stand in: a quantity, and then a side, rules, policy, kind or value.

        Raises ``InputError`` with the nearest name for one that no row has, and for names that no row has together.

        >>> from cirulla_sim import odds
        >>> result = odds(["barsega", "matta"])
        >>> result["matta"].fraction
        Fraction(3, 40)
        """
        frame = self.selected()
        columns = [name for name, kind in frame.schema.items() if kind == pl.String and name not in NO_NAMES]
        for name in names if isinstance(names, tuple) else (names,):
            if not isinstance(name, (str, int)) or isinstance(name, bool):
                raise InputError("result[{name!r}]: is no name (valid: a name in the table, as 'points')", name)
            matching = frame.filter(pl.any_horizontal(pl.col(columns) == str(name)))
            if matching.is_empty():
                valid = dict.fromkeys(x for column in columns for x in frame[column].drop_nulls())
                raise unknown("name", str(name), valid, where="result: ")
            frame = matching
        quantities = tuple(frame["quantity"].unique(maintain_order=True))
        return replace(self, frame=frame, stored={}, only=quantities)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows to be shown, each as a dictionary by the names of the columns."""
        return self.selected().iter_rows(named=True)

    def __len__(self) -> int:
        """The number of rows to be shown."""
        return self.selected().height

    def __eq__(self, other: object) -> bool:
        """Whether another result answers the same request with the same rows to be shown."""
        if not isinstance(other, Result):
            return NotImplemented
        same = self.metadata.get("request") == other.metadata.get("request")
        return same and self.selected().equals(other.selected())

    def __float__(self) -> float:
        """The ``value``."""
        return self.value

    @property
    def value(self) -> float:
        """The estimate of a result with one answer, or the exact value.

        Raises ``InputError`` if there are several answers.

        >>> from cirulla_sim import odds
        >>> round(odds("barsega").value, 4)
        0.0953
        """
        return float(self._answer()["estimate"])

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95% confidence interval of a result with one answer; equal where it is exact.

        Raises ``InputError`` if there are several answers.
        """
        row = self._answer()
        return float(row["ci_low"]), float(row["ci_high"])

    @property
    def fraction(self) -> Fraction | None:
        """The exact value of a result with one answer, ``None`` for an estimate and for a root.

        Raises ``InputError`` if there are several answers.
        """
        exact = self._answer()["exact"]
        return None if exact is None or "sqrt" in exact else Fraction(exact)

    def _answer(self) -> dict[str, Any]:
        """The only row."""
        rows = list(self)
        if len(rows) == 1:
            return rows[0]
        if not rows:
            raise InputError("the result has no answer, so it has no value (valid: a result of one answer)")
        named = [column for column in self.frame.columns if column not in NO_NAMES and isinstance(rows[0][column], str)]
        differ = [column for column in named if any(row[column] != rows[0][column] for row in rows)] or named[:1]
        chosen = ", ".join(repr(rows[0][column]) for column in differ)
        raise InputError(
            "the result has {number} answers, which differ in {differ} (valid: one, as result[{chosen}].value)",
            len(rows), differ, chosen,
        )  # fmt: skip

    def to_pandas(self) -> pd.DataFrame:
        """The whole table as a pandas data frame."""
        return self.frame.to_pandas()

    @public
    def text(self, form: str = "table", *, lang: str = "en", raw: bool = False, all: bool = False) -> str:
        """The result as text.

        ``table`` is for the terminal: the finding, then the lines that readers want most. ``csv``, ``markdown``,
        ``latex`` and ``html`` are for pages and have all lines but those of distributions; ``all`` shows these too, in
        every format. All four are in ``en`` or ``it``, with ± for half a 95% interval; ``csv`` is for spreadsheets,
        with plain numbers and the ends of intervals in columns of their own. ``json`` is the whole table for programs,
        with rules, players and seed in every row; ``raw`` gives that in any format.

        Raises ``InputError`` for an unknown format or language.
        """
        return as_text(self, form, lang=lang, raw=raw, all=all, more=IN_PYTHON)

    def _shown(self, form: str, locale: Language, whole: bool, brief: bool, more: str) -> tuple[str, str]:
        """The finding of a ``brief`` table, of the lines that readers want most, and a table with what stands below."""
        frame, metadata = self.selected(), self.metadata
        read = readings(metadata, locale) if brief else []
        about = caption(metadata, locale, trial=not read, frame=frame)
        if form == "csv":
            return "", with_caption(spreadsheet_table(frame, metadata, locale, whole), about, form, locale)
        table = readers_table(frame, metadata, locale, whole, brief)
        left_out = locale.say(more, n=locale.numerals(f"{table.hidden:,}")) if table.hidden else ""
        below = " ".join(filter(None, (about, table.marks, left_out)))
        finding = [headline(frame, metadata, locale), *read] if brief else []
        return "\n".join(filter(None, finding)), with_caption(table.texts, below, form, locale)

    @public
    def describe(self, lang: str = "en") -> str:
        """Some sentences, a line each: what it shows, how precisely, for whom, what it does not show; then its command.

        Raises ``InputError`` for an unknown language.
        """
        locale = language(choice("--lang", "language", lang, LANGUAGES))
        sentences = (sentence(one, locale) for one in sentences_of(self.frame, self.metadata, locale))
        return "\n".join([*sentences, self.same_numbers])

    def plot(self, figure: str | None = None, **options: Any) -> Chart:
        """A chart; ``figure`` names one of several, the rest are arguments of ``cirulla_sim.plot``: width, lang...

        Raises ``InputError`` for a name it does not have, and where there is nothing to draw.
        """
        from .charts.draw import draw_all
        from .charts.look import read_look

        named = None if figure is None else text_of("--figure", figure)
        return draw_all([(self.frame, dict(self.metadata))], named, read_look(**options))

    def save(self, path: str | Path) -> Path:
        """Write the whole table to a parquet file, whole or not at all; the same result gives the same bytes.

        Raises ``InputError`` where it cannot be written.
        """
        file = path_of("path", path)
        write_table(self.frame, file, self.metadata, self.stored)
        return file

    def __repr__(self) -> str:
        return self.text()

    @property
    def label(self) -> str:
        """The result in one line: the command that makes it, cut where it is long."""
        line = f"<{self.command}>"
        return line if len(line) <= LINE else f"{line[: LINE - 4]}...>"

    def _repr_html_(self) -> str:
        """What a notebook shows: finding, chart, table, remarks and command."""
        finding, table = self._shown("html", language("en"), bool(self.only), not self.only, IN_PYTHON)
        picture = ""
        if not self.only and len(self) > 1:
            with suppress(InputError):  # a result that has no chart
                data = b64encode(self.plot(width=6.7)._repr_png_()).decode("ascii")
                picture = f'<img alt="{escape(finding)}" src="data:image/png;base64,{data}">'
        lines = "".join(f"<p>{escape(remark)}</p>" for remark in self.remarks)
        above = "".join(f"<p>{escape(line)}</p>" for line in finding.splitlines())
        return f"{above}{picture}{table}{lines}<p><small><code>{escape(self.command)}</code></small></p>"


def as_text(
    result: Result, form: str = "table", *, lang: str = "en", raw: bool = False, all: bool = False,
    more: str = AT_TERMINAL,
) -> str:  # fmt: skip
    """A result as ``Result.text`` has it; ``more`` says how to see the lines that are left out."""
    choice("--format", "format", form, FORMATS)
    raw, all = switch_of("--raw", raw), switch_of("--all", all)
    if raw or form == "json":
        frame, constant = result.selected(), row_constants(result.metadata).items()
        return render(
            frame.with_columns(pl.lit(x).alias(name) for name, x in constant if name not in frame.columns), form
        )
    locale = language(choice("--lang", "language", lang, LANGUAGES))
    whole = all or bool(result.only)
    return "\n\n".join(filter(None, result._shown(form, locale, whole, form == "table" and not whole, more)))


def row_constants(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in every row of the formats for programs: the rules, players, policies and seed."""
    if "request" not in metadata:
        return {}
    rules = rules_from_json(metadata["request"]["rules"])
    named = " ".join([rules.preset, *(f"{name}={format_value(value)}" for name, value in rules.changes.items())])
    about = {"rules": named, "players": metadata["players"], "policy": "; ".join(metadata["policies"]) or None}
    given = {name: metadata[name] for name in ("trial", "deal") if metadata.get(name)}
    return about | {"seed": metadata["seed"]} | given


@public
def read(path: str | Path, *, only: str | Sequence[str] | None = None) -> Result:
    """A result from its file, to be shown, drawn and combined with others.

    ``only`` names the quantities to show. Raises ``InputError`` if there is no such file, it is not one of ours, or has
    no such quantity.
    """
    file = path_of("path", path)
    frame, metadata, stored = read_table(file)
    if frame.width and not set(SCHEMA) <= set(frame.columns):
        raise InputError("{file}: holds no quantities (valid: a result file, which has a row a quantity)", file)
    names = read_names("--only", only)
    present = frame["quantity"].unique(maintain_order=True).to_list() if names else []
    for name in names:
        if name not in present:
            raise unknown("quantity", name, present, where="--only: ")
    return Result(frame, metadata, stored=stored, only=names)


@contextmanager
def showing(named: str) -> Iterator[None]:
    """Raises ``InputError`` in place of any other error: what is read may still lack rows that are to be shown."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as fault:
        kind, text = type(fault).__name__, " ".join(str(fault).split())[:LONGEST_QUOTE]
        raise InputError(
            "{named}: its table cannot be shown: {kind}, {text} (valid: a table as it was written)", named, kind, text
        ) from None
