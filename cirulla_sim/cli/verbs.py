"""The verbs as help has them; the options of each are those of its public function."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple


class Verb(NamedTuple):
    """What help says of a verb: what it is for, in a line, what it does, and its examples."""

    group: str
    line: str
    help: str = ""
    examples: tuple[str, ...] = ()

    @property
    def epilog(self) -> str:
        """The examples as a paragraph of help."""
        return "\n".join(["\b", "Examples:", *(f"  {command}" for command in self.examples)])


VERBS = {
    name: Verb(**{**verb, "examples": tuple(verb["examples"])})
    for name, verb in tomllib.loads(Path(__file__).with_name("verbs.toml").read_text("utf-8")).items()
}
"""The verbs as help lists them, by what they are for."""
