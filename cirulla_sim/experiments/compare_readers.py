"""A comparison as a player reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ..core.numerals import effect, level
from .compared_line_ups import INTERACTION

ASPECTS = (
    ("points", "all", "points a hand", 1, ""),
    ("margin", "dealer", "dealer's margin", 1, ""),
    ("wins_hand", "dealer", "dealer wins", 100, "%"),
    ("changed", "all", "hands changed", 100, "%"),
    ("hands", "all", "hands a game", 1, ""),
    ("wins_game", "dealer", "dealer wins games", 100, "%"),
)
"""What readers of several line-ups see first: quantity, side, in words, scale and unit."""

_LEVELS = ("difference", "mean", "share", "probability")
"""Of a rule set its difference from the first is shown; of the first, and of what has none, the level."""


def for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """The differences as a player reads them: a row a rule set, the biggest change of the points of a hand first.

    ``mostly`` is the category through which most points come or go, if its interval leaves out zero.
    """
    first, *others = frame["rules"].unique(maintain_order=True).to_list()
    cells = {(row["rules"], row["quantity"], row["side"], row["kind"]): row for row in frame.iter_rows(named=True)}
    order = sorted(
        others,
        key=lambda name: (
            -abs(cells[name, "points", "all", "difference"]["estimate"]),
            -abs(cells[name, "margin", "dealer", "difference"]["estimate"]),
        ),
    )
    wins = {"quantity": "wins_hand", "side": "dealer"}
    start = {
        "rules": first,
        "points a hand": f"{cells[first, 'points', 'all', 'mean']['estimate']:.2f}",
        "dealer's margin": f"{cells[first, 'margin', 'dealer', 'mean']['estimate']:.2f}",
        "dealer wins": f"{100 * cells[first, wins['quantity'], wins['side'], 'share']['estimate']:.2f}%",
        "hands changed": "",
        "mostly": "",
    }
    rows = [start]
    for name in order:
        changed = cells.get((name, "changed", "all", "share"))
        rows.append({
            "rules": name,
            "points a hand": effect(cells[name, "points", "all", "difference"]),
            "dealer's margin": effect(cells[name, "margin", "dealer", "difference"]),
            "dealer wins": effect(cells[name, "wins_hand", "dealer", "difference"], 100, "%"),
            "hands changed": "" if changed is None else f"{100 * changed['estimate']:.3g}%",
            "mostly": _mostly(frame, name),
        })  # fmt: skip
    for row in rows if (first, "hands", "all", "mean") in cells else []:
        row |= _games_of(cells, row["rules"], first)
    return pl.DataFrame(rows, schema=dict.fromkeys(rows[0], pl.String))


def _games_of(cells: Mapping[tuple[str, str, str, str], dict[str, Any]], name: str, first: str) -> dict[str, str]:
    """What a rule set does to whole games, as a player reads it."""
    length, won = (name, "hands", "all", "difference"), (name, "wins_game", "dealer", "difference")
    if name == first:
        mean, chance = cells[*length[:3], "mean"], cells[*won[:3], "probability"]
        return {"hands a game": f"{mean['estimate']:.3g}", "dealer wins games": f"{100 * chance['estimate']:.2f}%"}
    return {"hands a game": effect(cells[length]), "dealer wins games": effect(cells[won], 100, "%")}


def _mostly(frame: pl.DataFrame, name: str) -> str:
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), rules=name, side="all", kind="difference").sort(
        pl.col("estimate").abs(), descending=True, maintain_order=True
    )
    top = rows.row(0, named=True)
    if top["ci_low"] <= 0 <= top["ci_high"]:
        return ""
    return f"{top['quantity'].removeprefix('points_').replace('_', ' ')} {top['estimate']:+.2g}"


def line_ups_for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """Quantity by quantity what each rule set changes for each line-up, the biggest change of points first.

    A column a line-up, then a column for how much more a rule changes for each than for the first.
    """
    first, *names = frame["rules"].unique(maintain_order=True).to_list()
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    cells = {
        (row["quantity"], row["side"], row["rules"], row["policy"], row["kind"]): row
        for row in frame.iter_rows(named=True)
    }

    def biggest(name: str) -> float:
        return max(abs(float(cells["points", "all", name, one, "difference"]["estimate"])) for one in line_ups)

    rows = []
    for quantity, side, said, scale, unit in ASPECTS:
        for name in (first, *sorted(names, key=biggest, reverse=True)):
            row = {"what": said, "rules": name}
            for line_up in line_ups:
                found = {kind: cells.get((quantity, side, name, line_up, kind)) for kind in _LEVELS}
                shown = next((found[kind] for kind in _LEVELS if found[kind] is not None), None)
                if shown is None:
                    continue
                told = effect(shown, scale, unit) if shown["kind"] == "difference" else level(shown, scale, unit)
                row[line_up] = told
                more = cells.get((quantity, side, name, line_up, INTERACTION))
                row |= {} if more is None else {f"{line_up} − {line_ups[0]}": effect(more, scale, unit)}
            rows += [row] if len(row) > 2 else []
    columns = ["what", "rules", *line_ups, *(f"{name} − {line_ups[0]}" for name in line_ups[1:])]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
