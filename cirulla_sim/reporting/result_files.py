"""Results read from their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..core.arguments import public, words
from ..core.errors import unknown
from ..storage.tables import read as read_table
from ..storage.tables import read_stored
from .result import Result


@public
def read(path: str | Path, *, only: str | Sequence[str] | None = None) -> Result:
    """A result from its file, to be shown, drawn and combined with others.

    ``only`` names the quantities to show. Raises ``InputError`` if there is no such file, it is not one of ours, or has
    no such quantity.
    """
    file = Path(path)
    frame, metadata = read_table(file)
    names = words(only)
    present = frame["quantity"].unique(maintain_order=True).to_list() if names else []
    for name in names:
        if name not in present:
            raise unknown("quantity", name, present, where="--only: ")
    stored = {name: text for name, text in read_stored(file).items() if name.startswith("cirulla_sim_")}
    return Result(frame, metadata, stored=stored, only=names)
