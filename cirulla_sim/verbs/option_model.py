"""An option of a verb, as data: how it is typed, read and explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..core.arguments import choice, count, text_of


def unread(flag: str, value: Any) -> Any:
    """A value as it is; whoever uses it reads it."""
    return value


def whole(low: int, high: int) -> Callable[[str, Any], int]:
    """Reads a whole number within bounds."""
    return lambda flag, value: count(flag, value, low, high)


@dataclass(frozen=True)
class OneOf:
    """Reads one of a few names."""

    kind: str
    names: tuple[str, ...]

    def __call__(self, flag: str, value: Any) -> str:
        return choice(flag, self.kind, value, self.names)


def flag_of(name: str) -> str:
    """The flag of an argument.

    >>> flag_of("save_every"), flag_of("in_")
    ('--save-every', '--in')
    """
    return f"--{name.strip('_').replace('_', '-')}"


GROUPS = {
    "question": "The question", "rules": "Rules", "line_ups": "Players", "situation": "What you know",
    "effort": "Hands and precision", "display": "Output", "files": "Files", "execution": "Machine",
}  # fmt: skip
"""The headings of options in help texts, in their order: by part, and ``files`` of those that keep a run."""

_FILES = ("output", "save_every", "force", "resume", "records")

_BESIDES = {
    **dict.fromkeys(("house", "all_houses", "against", "rule", "players"), "rules"),
    **dict.fromkeys(("controls", "control_hands", "unpaired", "check"), "effort"),
    **dict.fromkeys(("games", "hands", "number", "play", "time"), "effort"),
    "policy": "line_ups", "only": "display", "record": "question", "coach": "question",
}  # fmt: skip
"""Options that readers look for under another heading than that of their part."""


@dataclass(frozen=True)
class Option:
    """An option of a verb: ``read`` checks and converts what is typed, and raises ``InputError`` that names the flag.

    ``part`` is ``rules``, ``line_ups``, ``situation``, ``question``, ``effort``, ``execution`` or ``display``. A
    ``switch`` takes no value; one whose default is True is called ``--no-NAME``. ``many`` may be repeated. ``named``
    lists the names that it takes besides files or numbers.
    """

    name: str
    help: str
    part: str = "question"
    read: Callable[[str, Any], Any] = text_of
    metavar: str | None = None
    default: Any = None
    shown_default: str | None = None
    switch: bool = False
    many: bool = False
    named: Callable[[], Iterable[str]] = tuple
    flag: str = ""
    short: str | None = None
    required: bool = False

    def __post_init__(self) -> None:
        if not self.flag:
            object.__setattr__(self, "flag", flag_of(f"no_{self.name}" if self.default is True else self.name))

    def names(self) -> tuple[str, ...]:
        """The names that it takes: for the shell, and for hints in errors."""
        return self.read.names if isinstance(self.read, OneOf) else tuple(self.named())

    @property
    def group(self) -> str:
        """The heading under which help texts have it."""
        if self.name in _FILES:
            return GROUPS["files" if self.part == "execution" else "display"]
        return GROUPS[_BESIDES.get(self.name, self.part)]
