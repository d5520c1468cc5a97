"""A chart before it is drawn: what it shows, and its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..kinds import View, result_kind
from ..text import labels
from ..text.cells import Row
from ..text.descriptions import leads
from ..text.facts import Source
from ..text.findings import Finding
from ..text.sentences import chart_title
from .plots import Plot
from .rows import RowChart

Body = RowChart | Plot


@dataclass(frozen=True)
class Graphic:
    """A chart and its words: a finding of its own as the title, what is shown, and how the numbers were made.

    The footer has what the numbers are ``about``, that whiskers are intervals, and notes.
    """

    title: str
    shown: str
    body: Body
    about: str = ""
    notes: str = ""
    whiskers: bool = True
    """Whether the footer explains whiskers."""
    corrected: bool = False
    """Whether whiskers allow for how many differences are compared."""
    tested: int = 0
    """Differences that are tested together, on which the footer says which are significant."""
    command: str = ""
    leads: bool = True
    """Whether the title says what was found, not that nothing was."""


def graphic_of_view(
    view: View, source: Source, body: Body, rows: Sequence[Row] = (), notes: Iterable[str] = (), *,
    shown: str | None = None, tested: int = 0, whiskers: bool = True,
) -> Graphic | None:  # fmt: skip
    """The chart of a view: its finding as the title, how the numbers of its ``rows`` were made, ``notes`` on them.

    What is ``shown`` follows from the view unless given. None where the body has nothing to show.
    """
    if not body.words:
        return None
    metadata, locale = source.metadata, source.locale
    if shown is None:
        shown = locale.say(view.shown, **labels.side_names(metadata, locale, policies=False))
    finding, (first, _, rest) = next(iter(view.findings(rows, source)), None), shown.partition(". ")
    players = ", ".join(filter(None, (labels.rules_title(metadata, locale), labels.play_words(metadata, locale))))
    about = " ".join(f"{labels.capital(text)}." for text in (players, _sample_size(rows, source)) if text)
    return Graphic(
        title=chart_title(finding, locale) if isinstance(finding, Finding) else labels.capital(first.rstrip(".")),
        shown=shown if finding else rest, body=body, about=about,
        notes=" ".join(filter(None, (*notes, labels.changed_words(metadata, locale).strip()))), whiskers=whiskers,
        corrected=view.mark == "changes" and metadata.get("levels") == "holm", tested=tested,
        command=str(metadata.get("command") or ""),
        leads=not result_kind(metadata).compares or (finding is not None and not view.silent and leads(finding)),
    )  # fmt: skip


def _sample_size(rows: Sequence[Row], source: Source) -> str:
    """How many trials stand behind some rows, how they are played where that is not plain, and the seed; nothing of a
    table that is all exact."""
    metadata, locale = source.metadata, source.locale
    if "made" in metadata:  # of several files
        return str(metadata["made"])
    if not source.frame["exact"].null_count():
        return ""
    much = labels.how_much(metadata, locale, rows)
    if labels.schema_of(metadata) in ("games", "win-table", "win-chance"):
        rules = labels.result_rules(metadata).fields
        n, target = rules.hands_per_game, rules.target
        game = locale.say("games of {n} hands", n=n) if n else locale.say("games to {target}", target=target)
        return f"{labels.capital(game)}: {much}"
    return locale.say("The same for all: {much}", much=much) if result_kind(metadata).same_deals else much
