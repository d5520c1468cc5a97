"""What the files of studies say of themselves, and its Italian, which importing this package adds to the product's."""

from __future__ import annotations

from pathlib import Path

from cirulla_sim.core import locale

locale.add_catalogue(Path(__file__).parent / "it.toml")

from . import study_text, views  # noqa: E402, F401
