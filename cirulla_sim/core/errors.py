"""The one error for input that cannot be: one line that says what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_NAMES = 60
"""So many names fit an error."""


class InputError(ValueError):
    """Bad input of a user. The command line prints its message in one line and exits with 2."""


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "") -> InputError:
    """The error for a name that is not in a list: it quotes the name, suggests the nearest and lists all, or many.

    >>> print(unknown("preset", "cirula", ["cirulla", "scopa"]))
    unknown preset 'cirula': did you mean 'cirulla'? (valid: cirulla, scopa)
    """
    names = list(valid)
    near = get_close_matches(name, names, n=1, cutoff=0.5) or get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f": did you mean {near[0]!r}? (valid: " if near else " (valid: "
    shown = names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], f"and {len(names) - MOST_NAMES} more"]
    return InputError(f"{where}unknown {kind} {name!r}{hint}{', '.join(shown)})")
