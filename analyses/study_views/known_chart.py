"""The figure of the files of ``scripts/known_answers.py``: chances that players ask for."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.figure import Figure

from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts.dots import Chance, draw_chances, height
from cirulla_sim.reporting.charts.figure_parts import head
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.odds_chart import LONGEST_LABEL
from cirulla_sim.reporting.charts.page_layout import Panel, page
from cirulla_sim.reporting.text.labels import Metadata, name_of, version
from cirulla_sim.reporting.text.quantity_names import DEALT


def known(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Chances that were asked elsewhere; where they were dealt too, whiskers are the simulated intervals."""
    chances = frame.filter(pl.col("kind") == "probability")
    if chances.is_empty():
        raise InputError("figure 'answers' has nothing to show (valid: a file of known answers)")
    groups = [
        (look.say(DEALT.get(per, per)), [_chance(row, look) for row in chances.filter(per=per).iter_rows(named=True)])
        for per in chances["per"].unique(maintain_order=True)
    ]
    checked = "simulated" in frame.columns
    sentence = look.say("Dots are exact; whiskers are 95% intervals of the same cards dealt." if checked
                        else "Counted over every case, with no sampling error.")  # fmt: skip
    draw = partial(draw_chances, groups=groups, gid="answers", look=look)
    panel = Panel(look.say("How likely it is"), "", height(groups, look), draw)
    about = (sentence, *(f"{text}." for text in version(metadata)))
    return page(head(metadata, look, look.say("Known answers"), *about, what=""), [panel], look)


def _chance(row: dict[str, object], look: Look) -> Chance:
    players = f", {row['players']}" if row["players"] else ""
    value = f" {row['value']}" if row["value"] is not None else ""
    label = f"{look.say(name_of(str(row['rules'])))}{players}: {row['quantity']}{value}"
    label = label if len(label) <= LONGEST_LABEL else f"{label[:LONGEST_LABEL]}…"
    low, high = row.get("simulated_low"), row.get("simulated_high")
    if low is None or high is None:
        low, high = row["ci_low"], row["ci_high"]
    exact = None if row["exact"] is None else str(row["exact"])
    return Chance(label, float(row["estimate"]), float(low), float(high), exact)  # type: ignore[arg-type]


FIGURES = {"answers": (known, 9.0)}
