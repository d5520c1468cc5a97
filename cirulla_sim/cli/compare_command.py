"""``cirulla-sim compare``."""

from __future__ import annotations

from typing import Any

from .build import show, verb_command


def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.compare import compare

    show(compare(**arguments), form, lang, raw, all)


command = verb_command(
    "compare",
    run,
    """Measure what house rules or whole rule sets change, each on the same deals with the same random numbers.

    The terminal shows what each rule set changes: points a hand, the dealer's margin, hands that the dealer's side
    wins, with 95% intervals, and the share of hands that change at all. The file of -o holds every quantity;
    differences come with their gain in precision over unpaired runs and with Holm-adjusted p-values. With several
    line-ups, rows of kind interaction show how much more a rule changes for each line-up than for the first.
    """,
)
