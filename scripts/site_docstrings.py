"""Docstrings as the documentation site shows them: doctest examples become blocks of code."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import griffe

BLOCK = re.compile(r"(?m)^>>> (?:.+\n?)+")


def fenced(text: str) -> str:
    """A docstring whose examples are blocks of code.

    >>> print(fenced("One.\\n\\n>>> 1 + 1\\n2"))
    One.
    <BLANKLINE>
    ```python
    >>> 1 + 1
    2
    ```
    """
    return BLOCK.sub(lambda found: f"```python\n{found[0].rstrip()}\n```\n", text).rstrip()


class Examples(griffe.Extension):
    """Turns the doctest examples of every docstring into blocks of code, and shows options by their types."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each object when its members are known."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Called for each function: the type of an option stands for its name in the source."""
        if func.path.startswith("cirulla_sim.verbs.functions."):
            types = inspect.signature(getattr(import_module(func.module.path), func.name)).parameters
            for parameter in func.parameters:
                text = inspect.formatannotation(types[parameter.name].annotation).strip("'")
                parameter.annotation = re.sub(r"(\w+\.)+(?=\w)", "", text)
