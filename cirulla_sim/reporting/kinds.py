"""Every kind of result, declared once: how its table is laid out, and its views, what matters most first.

A view is one thing that a result shows: which rows of its table, the finding that they make, and the mark that draws
them. The terminal's table, the headline, ``describe``, charts, alternative texts, pages and reports are renderings of
these views. A new kind, or a new thing to show of one, is a row here.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ..experiments.tally import MEASURES, Measure
from .text import facts, lines, odds_findings, studies
from .text import headlines as find
from .text.cells import Row
from .text.headlines import Finder
from .text.labels import Metadata, schema_of


def of(*quantities: str, per: str | None = None, side: str | None = None, kind: str | None = None) -> pl.Expr:
    """The rows of some quantities that are no part of a distribution; a name that ends in ``*`` stands for several."""
    named = [name for name in quantities if not name.endswith("*")]
    rows = pl.col("value").is_null() & pl.col("quantity").is_in(named)
    for name in quantities:
        if name.endswith("*"):
            several = pl.col("quantity").str.starts_with(name[:-1]) & ~pl.col("quantity").str.ends_with("_distribution")
            rows = rows | (several & pl.col("value").is_null())
    for column, value in (("per", per), ("side", side), ("kind", kind)):
        rows = rows if value is None else rows & (pl.col(column) == value)
    return rows


@dataclass(frozen=True)
class View:
    """One thing that a result shows: its ``rows`` and the finding that they make.

    A view with a ``mark`` is a figure called ``name``; ``shown`` is the sentence below its title. Rows of marks are
    called by their columns ``row``, stand under the ``heading`` and have a mark for each of the ``series``; the
    ``reference`` is a line at 0, called so. Rows of a view that is in the ``table`` stand in the terminal's, where
    other formats have all. A ``silent`` view's finding is a title only.
    """

    rows: pl.Expr
    find: Finder | None = None
    name: str = ""
    mark: str = ""
    shown: str = ""
    row: str = ""
    series: str = ""
    heading: str = ""
    reference: str = ""
    table: bool = True
    silent: bool = False

    def select(self, frame: pl.DataFrame) -> list[Row]:
        """The rows of a table that the view shows."""
        return list(frame.filter(self.rows).to_dicts()) if frame.height else []


@dataclass(frozen=True)
class Kind:
    """A kind of result: its views, the shape of its table, and the limits of what it shows.

    The terminal's table has at most so many ``lines``; the others ``without`` rows that few want. Where ``only_views``
    have rows to show, all others are details. ``headline`` findings stand above the table, ``plain`` ones without
    intervals. Of a comparison findings that are not significant are left out where others are.
    """

    views: tuple[View, ...]
    lines: lines.Lines
    limits: facts.Limits = lambda source, rows: ()
    most: int = 12
    headline: int = 1
    plain: bool = True
    without: str = ""
    only_views: bool = False
    compares: bool = False


# ------------------------------------------------------------------------------------------------ hands and games

_CATEGORIES = of("points_*", per="hand", kind="mean")
_OUTCOMES = {"hand": of("wins_hand", "ties_hand"), "game": of("wins_game", "ties_game")}
_WON = {"hand": "Hands won and tied.", "game": "Games won and drawn."}


def _distribution(quantity: str, shown: str, kind: str = "mean") -> View:
    rows = pl.col("quantity") == f"{quantity}_distribution"
    if quantity == "comeback":
        rows &= pl.col("value").cast(pl.Float64, strict=False) > 0
    return View(rows, find.values(quantity, kind), quantity, "values", shown, table=False)


_HANDS = (
    View(of("points", per="hand"), find.first("hand_points")),
    View(of("margin", per="hand", side="dealer", kind="mean"), find.dealing),
    View(_CATEGORIES, find.source_of_points, "points", "categories", "Mean points a hand, by category and side."),
    View(_OUTCOMES["hand"], find.hands_won, "wins", "outcomes", _WON["hand"]),
    View(of("knock", per="hand", kind="mean")),
    View(of("knock", per="holding", kind="probability"), find.first("knock"), "bonuses", "bonuses", table=False),
    View(
        pl.col("quantity") == "points_distribution",
        find.scores,
        "scores",
        "scores",
        "Share of hands by score; means dotted.",
        table=False,
        silent=True,
    ),
    View(
        pl.col("quantity").is_in(["primiera_won", "primiera_tied", "primiera_lost"]) & pl.col("value").is_not_null(),
        find.two_sevens,
        "primiera",
        "primiera",
        "What so many sevens in the pile brought.",
        table=False,
    ),
)
_GAMES = (
    View(_OUTCOMES["game"], find.games_won, "wins", "outcomes", _WON["game"]),
    View(of("hands", "lead_changes", "comeback", "winning_margin", "margin", per="game")),
    _distribution("hands", "hands in a game"),
    _distribution("comeback", "the most points the winner was behind", "probability"),
    _distribution("winning_margin", "points ahead at the end"),
    _distribution("lead_changes", "lead changes in a game"),
)

# ------------------------------------------------------------------------------------------------ compared

LEVELS = {
    "points": "Points a hand, all sides together.",
    "margin": "How many points a hand the dealer’s side makes more than the others.",
    "hands": "Hands in a game, on average.",
    "leads": "Lead changes in a game, on average.",
}
CHANGES = {
    "points": "Change of the mean points a hand.",
    "margin": "{dealer}: change of the lead over the others, in points a hand.",
    "wins": "{dealer}: change of the hands won, in percentage points.",
    "spread": "Change of the standard deviation of the margin, in points.",
    "games": "Change of the games won by who deals first, in percentage points.",
    "hands": "Change of the mean hands in a game.",
    "leads": "Change of the mean lead changes in a game.",
}
"""What is shown of the ``MEASURES``: levels of line-ups and files, and changes by rules."""

_BY_NAME = {measure.name: measure for measure in MEASURES}
_DETAILS = ("spread", "leads")
"""Measures that the terminal's table and the sentences leave to charts and other formats."""


def _level(measure: Measure) -> View:
    rows = of(measure.quantity, per=measure.per, side=measure.side)
    about = {"row": "policy", "heading": "heading", "reference": "as the others" if measure.name == "margin" else ""}
    return View(rows, find.line_ups, measure.name, "levels", LEVELS[measure.name], **about)  # type: ignore[arg-type]


def _won(name: str, unit: str) -> View:
    rows = _OUTCOMES[unit] & ((pl.col("side") == "dealer") | (pl.col("quantity") == f"ties_{unit}"))
    return View(
        rows,
        lambda rows, source: find.line_ups([row for row in rows if row["quantity"] == f"wins_{unit}"], source),
        name,
        "outcomes",
        _WON[unit],
    )


_LINE_UPS = (
    _level(_BY_NAME["margin"]),
    _won("wins", "hand"),
    _won("games", "game"),
    _level(_BY_NAME["points"]),
    View(
        of("points_*", per="hand", side="all"),
        None,
        "categories",
        "categories",
        "Mean points a hand by category, all sides together.",
    ),
    _level(_BY_NAME["hands"]),
    _level(_BY_NAME["leads"]),
    View(of("comeback", "winning_margin", per="game")),
)


def _change(measure: Measure) -> View:
    """A measure under the first rules, and what the others change of it."""
    base = pl.col("rules") == pl.col("rules").first()
    rows = of(measure.quantity, per=measure.per, side=measure.side) & (
        base != (pl.col("kind").is_in(["difference", "interaction"]))
    )
    return View(
        rows,
        find.change,
        measure.name,
        "changes",
        CHANGES[measure.name],
        "rules",
        "policy",
        table=measure.name not in _DETAILS,
        silent=measure.name in _DETAILS,
    )


def _changed(name: str, quantity: str, shown: str = "") -> View:
    return View(
        of(quantity) & (pl.col("rules") != pl.col("rules").first()),
        find.changed,
        name,
        "chances" if shown else "",
        shown,
        "rules",
        silent=name == "changed",
    )  # that every hand differs where a point is added says nothing


_CHANGES = tuple(map(_change, MEASURES))
_THROUGH = View(
    of("points_*", per="hand", side="all", kind="difference"),
    find.categories,
    "categories",
    "changes",
    "Change of the mean points a hand by category, all sides together.",
    "rules+quantity",
    table=False,
)
_CHANGED = (
    _changed("changed", "changed", "Hands that differ in a card, a capture, a knock or a point."),
    _changed("winners", "winner_changed", "Hands with another winner than on the same deal without the rule."),
    _changed("", "game_winner_changed"),
)

_NIGHTS = {
    "wins": "wins_night",
    "ties": "ties_night",
    "undefeated": "undefeated",
    "hands": "hands_played",
    "minutes": "minutes",
    "misdeals": "misdeal_run_3",
    "cappotti": "cappotti",
}

# ------------------------------------------------------------------------------------------------ all kinds

_SCORES = pl.col("quantity") == "wins_game"
_HERE = pl.col("kind") == "probability"
_ALL = pl.lit(True)
_MATCHES = of("margin", "wins_game", side="all")

KINDS: dict[str, Kind] = {
    "simulate": Kind(
        _HANDS,
        lines.by_side,
        facts.usual("It does not show whole games, nor how others would score with the same cards."),
        most=14,
        headline=2,
        without="distributions",
    ),
    "games": Kind(
        _GAMES,
        lines.by_side,
        facts.usual("It does not show the chance to win from a given score, nor how others would play."),
        headline=2,
        without="distributions",
    ),
    "simulate-line-ups": Kind(
        _LINE_UPS,
        lines.by_line_up,
        facts.usual("It does not show how others would play."),
        most=14,
        without="distributions",
        compares=True,
    ),
    "games-line-ups": Kind(
        _LINE_UPS,
        lines.by_line_up,
        facts.usual("It does not show how others would play."),
        without="distributions",
        compares=True,
    ),
    "compare": Kind(
        (*_CHANGES[:1], _THROUGH, *_CHANGES[1:], *_CHANGED),
        lines.by_rules,
        facts.usual("Other players may be affected differently."),
        only_views=True,
        compares=True,
    ),
    "compare-line-ups": Kind(
        (*_CHANGES, *_CHANGED),
        lines.by_line_up,
        facts.usual("It does not show how others would play."),
        most=24,
        only_views=True,
        compares=True,
    ),
    "compare-nights": Kind(
        tuple(
            View(of(quantity), find.night_wins if name == "wins" else find.formats, name, "formats", row="rules")
            for name, quantity in _NIGHTS.items()
        ),
        lines.by_format,
        facts.of_nights,
        most=40,
        headline=2,
    ),
    "odds": Kind(
        (View(_ALL, odds_findings.found, "odds", "odds"),), lines.questions, facts.of_answers, most=200, plain=False
    ),
    "win-table": Kind(
        (
            View(_SCORES & (pl.col("dealer") == "us"), find.behind, "we-deal", "map"),
            View(_SCORES & (pl.col("dealer") == "them"), find.behind, "they-deal", "map"),
            View(_SCORES, find.at_start),
        ),
        lines.by_score,
        facts.usual("It does not show the chances of players who play to the score."),
        without="scores between",
    ),
    "win-chance": Kind(
        (View(_HERE, find.chances, "chance", "chances", "Of games.", "method"),),
        lines.chance,
        facts.usual("It does not show the chances of players who play to the score."),
    ),
    "tournament": Kind(
        (
            View(
                of("strength", "strength_gap"),
                find.strongest,
                "strength",
                "ranking",
                "Strength in points a hand, the mean of all being 0.",
                "policy",
                reference="mean of all",
            ),
            View(_MATCHES, find.widest),
            View(
                _MATCHES,
                find.pairings,
                "pairs",
                "pairs",
                "Margin in points a hand, and the games won.",
                "opponent",
                heading="policy",
                reference="even",
                silent=True,
            ),
            View(_ALL),
        ),
        lines.by_player,
        facts.usual("It does not show how people play, nor how each would do against others."),
        most=60,
        headline=2,
    ),
    "advise": Kind(
        (
            View(~pl.col("quantity").str.starts_with("makes_"), find.best_play),
            View(_ALL, find.next_play, table=False),
            View(_ALL, find.sweep_after("sweep_next", "sweep"), table=False),
            View(_ALL, find.sweep_after("sweep_next_read", "read"), table=False),
        ),
        lines.advice,
        facts.of_advice,
        most=40,
        headline=2,
        plain=False,
    ),
    "study": Kind((), studies.table),
}
"""The kinds of result files by name, without the format."""

OTHER = Kind((), lines.by_side, without="distributions")
"""Any other file."""


def kind_of(metadata: Metadata) -> Kind:
    """The kind of a result."""
    return KINDS.get(schema_of(metadata), OTHER)
