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
from .numerals import decimal, effect, one_in
from .progress import progress_bar
from .resume import TALLY, check, pack, read_packed
from .runs import Kind
from .tables import (
    METADATA,
    SCHEMA,
    UNKNOWN,
    empty_row,
    estimate_row,
    read,
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
    "Kind",
    "Sums",
    "Z",
    "check",
    "clustered",
    "decimal",
    "effect",
    "empty_row",
    "estimate_row",
    "holm",
    "mean",
    "one_in",
    "pack",
    "paired",
    "progress_bar",
    "proportion",
    "read",
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
