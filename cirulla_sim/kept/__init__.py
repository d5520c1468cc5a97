"""What comes out of a run and is kept: estimates, tables, files, how they were made, and going on from them."""

from __future__ import annotations

from .controls import Controls
from .disk import sole_writer, whole_file
from .estimates import (
    Difference,
    Estimate,
    Sums,
    Z,
    amount,
    apart,
    clustered,
    holm,
    mean,
    paired,
    proportion,
    spread_difference,
    stretched,
    student,
    two_sided,
    weights,
    wilson,
)
from .numerals import decimal, digits, effect, interval, level, one_in, percent
from .progress import progress_bar, waiting
from .resume import TALLY, pack, read_packed
from .resume import check as check_same
from .strata import moved, scaled, stratum_difference, stratum_spread
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
    write,
    write_part,
)
from .tails import mid_p

__all__ = [
    "METADATA",
    "SCHEMA",
    "TALLY",
    "UNKNOWN",
    "Controls",
    "Difference",
    "Estimate",
    "Sums",
    "Z",
    "amount",
    "apart",
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
    "mid_p",
    "moved",
    "one_in",
    "pack",
    "paired",
    "percent",
    "progress_bar",
    "proportion",
    "read",
    "read_kept",
    "read_packed",
    "render",
    "scaled",
    "sole_writer",
    "spread_difference",
    "stratum_difference",
    "stratum_spread",
    "stretched",
    "student",
    "table",
    "two_sided",
    "waiting",
    "weights",
    "whole_file",
    "wilson",
    "write",
    "write_part",
]
