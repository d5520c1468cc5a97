"""The chance to win a game from every score, by the chain of scores."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ..engine.engines import Folded
from ..engine.fingerprint import fingerprint
from ..reporting.result import Result
from ..storage.tables import SCHEMA, write_part
from .autosave import NOWHERE, Saving
from .expectancy import Brought, Expectancy, brought
from .runner import gone_on, interruption
from .win_chance_files import hands_in, hands_kept
from .win_chance_setup import THIS, Machine, Setting, metadata, remarks

FILE_SCHEMA, VERB = "win-table/2", "games --win-table"

TABLE = {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String} | SCHEMA
"""The columns of ``as_table``."""


def win_table(setting: Setting, saving: Saving = NOWHERE, machine: Machine = THIS) -> Result:
    """The chance to win from every score (see ``as_table``), kept on the way and gone on from as ``saving`` says.

    Raises ``InputError`` for rules without a chain, a file that cannot be written, and one to go on from that is of
    something else.
    """
    dealt = setting.dealt()
    mark = fingerprint(*dealt)

    def table(found: Folded[Brought]) -> pl.DataFrame:
        chances = setting.chances(found, found.stopped == "interrupted")
        return pl.DataFrame(schema=TABLE) if chances is None else as_table(chances)

    def made(found: Folded[Brought]) -> dict[str, Any]:
        return metadata(setting, ["--win-table"], FILE_SCHEMA, dealt[0], found, mark)

    def write(found: Folded[Brought], part: Path) -> None:
        write_part(table(found), part, made(found), hands_kept(found))

    nothing: Folded[Brought] = Folded(Counter(), 0, "interrupted")
    earlier = saving.earlier(partial(hands_in, dealt, lambda: made(nothing), VERB))
    with saving.kept(write) as keeper:
        found = machine.carry_out(dealt[0], partial(brought, dealt), earlier or nothing, keeper.grown)
        frame = table(found)
        if frame.is_empty():
            raise KeyboardInterrupt
        keeper.end(lambda part: write_part(frame, part, made(found), hands_kept(found)))
    said = remarks(setting)
    said += [] if earlier is None else [gone_on(earlier.done, found.done, "hands", found.gaps)]
    said += [] if saving.output is None else [f"Written: {saving.output}"]
    interrupted = found.stopped == "interrupted"
    said += [interruption(found.done, setting.hands, "hands")] if interrupted else []
    return Result(frame, made(found), every_tenth(frame), tuple(said), 130 if interrupted else 0, hands_kept(found))


def every_tenth(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table of chances whose scores are both multiples of ten."""
    return frame.filter(pl.col("us") % 10 == 0, pl.col("them") % 10 == 0)


def as_table(found: Expectancy) -> pl.DataFrame:
    """A row a score and dealer: ``us``, ``them``, ``dealer`` (``us`` or ``them``), then the contract's columns."""
    target = found.rules.target
    inside = np.s_[:, :target, :target]
    dealer, us, them = np.indices(found.chances[inside].shape)
    value, error = found.chances[inside], found.std_errors()[inside]
    low, high = (ends[inside] for ends in found.intervals())
    columns = {
        "us": us.ravel(),
        "them": them.ravel(),
        "dealer": np.array(["us", "them"])[dealer.ravel()],
        "quantity": "wins_game", "per": "game", "side": "us", "kind": "probability", "value": None,
        "estimate": value.ravel(),
        "std_error": error.ravel(),
        "ci_low": low.ravel(),
        "ci_high": high.ravel(),
        "n": found.hands, "exact": None,
    }  # fmt: skip
    return pl.DataFrame({name: column for name, column in columns.items() if isinstance(column, np.ndarray)}).select(
        (pl.col(name) if isinstance(column, np.ndarray) else pl.lit(column)).cast(TABLE[name]).alias(name)
        for name, column in columns.items()
    )
