"""How the files of studies are drawn, printed and described: importing this package adds it to the product's own.

Schemas: ``luck``, ``aim``, ``reading`` and ``known-answers``, the last written by a script.
"""

from __future__ import annotations

from pathlib import Path

from cirulla_sim.core import locale
from cirulla_sim.reporting.charts import draw
from cirulla_sim.reporting.text import descriptions, labels, layouts, sentences
from cirulla_sim.reporting.text.descriptions import FileWords

from . import aim_chart, known_chart, luck_chart, reading_chart, study_text


def _no_more(frame: object, metadata: object, locale: object) -> tuple[str, ...]:
    """The limits of a study are among its findings."""
    return ()


locale.add_catalogue(Path(__file__).parent / "it.toml")
sentences.add_sentences(Path(__file__).parent)
sentences.PHRASES["card"] = study_text.card
labels.QUANTITIES.update(study_text.NAMES)
for _kind, _layout, _words, _figures in (
    ("luck", study_text.luck_cells, study_text.luck, luck_chart.FAMILY),
    ("aim", study_text.aim_cells, study_text.aim, aim_chart.FAMILY),
    ("reading", study_text.reading_cells, study_text.reading, reading_chart.FAMILY),
    ("known-answers", layouts.questions, study_text.known, known_chart.FAMILY),
):
    layouts.LAYOUTS[_kind] = _layout
    descriptions.WORDS[_kind] = FileWords(_words, _no_more)
    draw.FIGURES[f"{_kind}/2"] = _figures
