"""What comes out of a run and is kept: estimates, tables, files, how they were made, and going on from them."""

from __future__ import annotations

from .estimates import (
    Difference,
    Estimate,
    Sums,
    Z,
    clustered,
    holm,
    mean,
    paired,
    proportion,
    spread_difference,
    student,
    two_sided,
    wilson,
)
from .numerals import decimal, digits, effect, interval, level, one_in
from .progress import progress_bar
from .resume import TALLY, pack, read_packed
from .resume import check as check_same
from .tables import (
    METADATA,
    SCHEMA,
    UNKNOWN,
    empty_row,
    estimate_row,
    legible,
    read,
    read_kept,
    render,
    table,
    whole_file,
    write,
    write_part,
)

__all__ = [
    "METADATA",
    "SCHEMA",
    "TALLY",
    "UNKNOWN",
    "Difference",
    "Estimate",
    "Sums",
    "Z",
    "check_same",
    "clustered",
    "decimal",
    "digits",
    "effect",
    "empty_row",
    "estimate_row",
    "holm",
    "interval",
    "legible",
    "level",
    "mean",
    "one_in",
    "pack",
    "paired",
    "progress_bar",
    "proportion",
    "read",
    "read_kept",
    "read_packed",
    "render",
    "spread_difference",
    "student",
    "table",
    "two_sided",
    "whole_file",
    "wilson",
    "write",
    "write_part",
]
