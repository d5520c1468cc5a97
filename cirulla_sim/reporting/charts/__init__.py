"""Charts of result tables. They read the table and its metadata only."""

import os

from ...core.errors import InputError

try:
    import matplotlib  # noqa: F401
except ValueError:
    raise InputError(
        "MPLBACKEND {backend!r} is no backend of matplotlib (valid: leave it out, or agg)", os.environ.get("MPLBACKEND")
    ) from None
