"""What the files of studies say of themselves; importing this package adds its sentences to the product's."""

from __future__ import annotations

from pathlib import Path

from cirulla_sim.core import locale
from cirulla_sim.reporting.text import sentences

locale.add_catalogue(Path(__file__).parent / "it.toml")
sentences.add_sentences(Path(__file__).parent / "words")

from . import study_text, views  # noqa: E402, F401

sentences.PHRASES["card"] = study_text.card
