"""The data of the package: TOML files beside its modules."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def load_toml(package: str | None, name: str) -> dict[str, Any]:
    """What a TOML file of a package has, read anew."""
    return tomllib.loads(files(str(package)).joinpath(name).read_text("utf-8"))
