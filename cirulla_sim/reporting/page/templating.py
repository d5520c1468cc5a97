"""Templates of HTML pages, as reports and the page in the browser have them."""

from __future__ import annotations

from importlib.resources import files

import jinja2

from ...core.locale import unbroken


def templates_of(*packages: str) -> jinja2.Environment:
    """The templates in the folders ``templates`` of some packages; the first that has one of a name counts."""
    folders = [files(package).joinpath("templates") for package in packages]

    def text_of(name: str) -> str | None:
        found = (folder.joinpath(name) for folder in folders)
        return next((file.read_text("utf-8") for file in found if file.is_file()), None)

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(text_of), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["unbroken"] = unbroken
    return environment
