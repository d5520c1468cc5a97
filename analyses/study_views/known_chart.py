"""The figure of the files of ``scripts/known_answers.py``: chances that players ask for."""

from __future__ import annotations

import polars as pl

from cirulla_sim.reporting.charts.figure_parts import Family, command_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.rows import ChartRow, chance, chances
from cirulla_sim.reporting.charts.sheet import Graphic
from cirulla_sim.reporting.text.findings import stated
from cirulla_sim.reporting.text.labels import DEALT, Metadata, name_of, version
from cirulla_sim.reporting.text.sentences import title


def known(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Chances that were asked elsewhere; where they were dealt too, whiskers are the simulated intervals."""
    answers = frame.filter(kind="probability")
    if answers.is_empty():
        return None
    groups = [
        (look.say(DEALT.get(per, per)), [_row(row, look) for row in answers.filter(per=per).iter_rows(named=True)])
        for per in answers["per"].unique(maintain_order=True)
    ]
    sentence = look.say("Dots are exact; whiskers are 95% intervals of the same cards dealt."
                        if "simulated" in frame.columns
                        else "Counted over every case, with no sampling error.")  # fmt: skip
    about = " ".join([sentence, *(f"{text}." for text in version(metadata))])
    return Graphic(
        title(stated("study", "known"), look.language),
        look.say("Chance, and odds."),
        chances(groups, look),
        about,
        command_of(metadata),
    )


def _row(row: dict[str, object], look: Look) -> ChartRow:
    players = f", {row['players']}" if row["players"] else ""
    value = f" {row['value']}" if row["value"] is not None else ""
    return chance(f"{look.say(name_of(str(row['rules'])))}{players}: {row['quantity']}{value}", row, look)


FAMILY = Family({"answers": known}, "a file of known answers")
