"""A tournament as a player reads it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from .tournament_plan import Row


def as_text(frame: pl.DataFrame, made: Mapping[str, Any]) -> str:
    """Ranking and matrix of margins for a reader, from the table of a tournament and how it was made."""
    names = frame.filter(pl.col("quantity") == "strength")["policy"].to_list()
    cell = {
        (row["policy"], row["opponent"], row["quantity"]): row
        for row in frame.filter(pl.col("side") == "all").iter_rows(named=True)
    }
    errors = [row["std_error"] for row in cell.values() if row["quantity"] in ("margin", "strength")]
    places = max(1, min(3, 1 - math.floor(math.log10(max(min(errors), 1e-9)))))

    def points(row: Row) -> str:
        return f"{row['estimate']:+.{places}f} ±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}"

    def percent(row: Row) -> str:
        return f"{100 * row['estimate']:.1f}% ±{50 * (row['ci_high'] - row['ci_low']):.1f}"

    def matrix(quantity: str, write: Callable[[Row], str]) -> list[list[str]]:
        head = ["", *(f"over {name}" for name in names)]
        return [head] + [
            [one, *(write(row) if (row := cell.get((one, other, quantity))) else "·" for other in names)]
            for one in names
        ]

    ranking = [["", "strength", "ahead of the next"]]
    for name, below in zip(names, [*names[1:], None], strict=True):
        stays = f"{100 * cell[name, below, 'stays_ahead']['estimate']:.2f}%" if below is not None else ""
        ranking.append([name, points(cell[name, None, "strength"]), stays])
    holds = cell[None, None, "order_holds"]["estimate"]
    two = made["players"] == 2 or made["rules"]["partnership"]
    blocks = [
        [f"Points a hand over the opponent, {'sides exchanged' if two else 'each alone in every place'}"],
        _aligned(matrix("margin", points)),
        *([["The same less luck"], _aligned(matrix("margin_less_luck", points))] if "luck" in made else []),
        [f"Chance of winning a game{'' if two else ', alone against the others'}"],
        _aligned(matrix("wins_game", percent)),
        [f"Strength in points a hand; the whole order holds in {100 * holds:.2f}% of resamples"],
        _aligned(ranking),
    ]
    lines = [line for block in blocks for line in block]
    for row in made.get("verdicts", []):
        lines.append(f"{row['policy']} and {row['opponent']}: {_VERDICTS[row['verdict']]} after {row['hands']:_} deals")
    return "\n".join(lines)


_VERDICTS = {"ahead": "the first is ahead", "behind": "the second is ahead", "level": "level", None: "not decided"}


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]
