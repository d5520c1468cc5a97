"""The error for invalid input: one line that says what is wrong and what is valid."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_NAMES = 60
"""The most names in an error."""


class InputError(ValueError):
    """Invalid input of a user. The command line prints its message in one line and exits with 2."""


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "") -> InputError:
    """The error for a name that is not in a list: it quotes the name, suggests the nearest and lists the valid ones.

    >>> print(unknown("preset", "cirula", ["cirulla", "scopa"]))
    unknown preset 'cirula': did you mean 'cirulla'? (valid: cirulla, scopa)
    """
    names = list(valid)
    near = get_close_matches(name, names, n=1, cutoff=0.5) or get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f": did you mean {near[0]!r}? (valid: " if near else " (valid: "
    shown = names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], f"and {len(names) - MOST_NAMES} more"]
    return InputError(f"{where}unknown {kind} {name!r}{hint}{', '.join(shown)})")
