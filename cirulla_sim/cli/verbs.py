"""The verbs as help has them; the options of each are those of its public function."""

from __future__ import annotations

from typing import NamedTuple

from ..core.data import load_toml


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
    for name, verb in load_toml(__package__, "verbs.toml").items()
}
"""The verbs as help lists them, by what they are for."""
