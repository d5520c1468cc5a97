"""Tables as text: aligned for the terminal, json, csv, markdown, latex, html."""

from __future__ import annotations

import html
import json
import math
import re
from typing import Any

import polars as pl
import polars.selectors as cs

from ...core.numerals import UNKNOWN


def render(frame: pl.DataFrame, form: str) -> str:
    """A table as it is, with all its digits; on the terminal with six figures and without columns of nulls.

    >>> print(render(pl.DataFrame({"quantity": ["knock"], "estimate": [0.5]}), "csv"))
    quantity,estimate
    knock,0.5
    """
    if form == "json":
        finite = pl.when(cs.float().is_finite()).then(cs.float())  # JSON has no infinity
        frame = frame.with_columns(finite) if any(kind.is_float() for kind in frame.dtypes) else frame
        return json.dumps(frame.to_dicts(), indent=None, separators=(", ", ": "), ensure_ascii=False)
    if form == "csv":
        return frame.write_csv().rstrip("\n")
    if form == "table":
        return _aligned(frame)
    printed = frame.to_pandas().astype(object)
    printed = printed.where(printed.notna(), "").replace([math.inf, -math.inf], UNKNOWN)
    if form == "markdown":
        return printed.to_markdown(index=False)
    text = printed.to_latex(index=False, escape=True) if form == "latex" else printed.to_html(index=False)
    return text.rstrip("\n")


def with_caption(frame: pl.DataFrame, caption: str, form: str, heading: str) -> str:
    """A table of texts in a format, with its caption; in csv the caption is a column, called by the heading."""
    if form == "csv":
        return render(frame.with_columns(pl.lit(caption).alias(heading)), form)
    if form == "table":
        return f"{render(frame, form)}\n\n{caption}".strip()
    shown = frame.to_pandas()
    if form == "markdown":
        return f"{shown.to_markdown(index=False, disable_numparse=True)}\n\n{caption}"
    escape = "latex" if form == "latex" else "html"
    styled = shown.style.hide(axis="index").format(escape=escape).format_index(escape=escape, axis=1)
    if form == "latex":
        escaped = re.sub(r"[&%$#_{}]", lambda sign: f"\\{sign[0]}", caption)
        return styled.set_caption(escaped).to_latex(hrules=True).rstrip("\n")
    return styled.set_caption(html.escape(caption)).to_html(exclude_styles=True).rstrip("\n")


def _aligned(frame: pl.DataFrame) -> str:
    """The cells in aligned columns, numbers to the right; columns of nulls are left out."""
    shown = [name for name in frame.columns if frame[name].null_count() < frame.height]
    columns = [[name, *map(_cell, frame[name])] for name in shown]
    widths = [max(map(len, column)) for column in columns]
    numeric = [frame[name].dtype.is_numeric() for name in shown]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numeric, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else UNKNOWN
    return f"{value:_}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
