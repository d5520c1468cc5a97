"""Figures of results: the views of a kind drawn, a function for each mark.

A mark makes the body of a chart from the rows of a view; the title is the finding of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import polars as pl

from ...core.errors import InputError, unknown
from ...core.locale import Language
from ...core.messages import Message, alternatives
from ...experiments.tally import is_main
from ..kinds import KINDS, Kind, View
from ..text import facts, labels, rankings, studies
from ..text.cells import Row, is_share, marked, number
from ..text.facts import Source
from ..text.findings import opposed
from ..text.headlines import levels_of
from ..text.labels import Metadata, capital, fields_of, how_much, line_up_of, lower, name_of, quantity_name, side_names
from ..text.sentences import players_name, row_name
from . import odds_chart
from .figure_parts import NONE, TABLES, Body, Graphic, bar, category_name, chance_words, chances, drawn, row_chart
from .plots import Curve, distribution, map_of_scores, scatter
from .rows import RowChart


class Picture(NamedTuple):
    """The body of a chart, the rows that it shows, and what the footer says of them besides."""

    body: Body
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()
    shown: str | None = None
    much: str | None = None
    tested: int = 0
    whiskers: bool = True


Mark = Callable[[View, Sequence[Row], Source], Picture | None]
Make = Callable[[Source], Graphic | None]

STUDY = "study"


def chart_names(metadata: Metadata) -> list[str]:
    """The names of the figures of a file; raises ``InputError`` if there are none."""
    kind = labels.schema_of(metadata)
    if kind == STUDY:
        return list(metadata["view"]["figures"])
    names = [view.name for view in KINDS[kind].views if view.mark] if kind in KINDS else []
    if not names:
        drawn_kinds = [name for name, kind in KINDS.items() if name == STUDY or any(view.mark for view in kind.views)]
        verbs = alternatives(drawn_kinds)
        schema = str(metadata.get("schema") or None)
        raise InputError(
            "there is no figure of a file of kind {schema!r} (valid: a result file of {verbs})", schema, verbs
        )
    return names


def graphic_of(frame: pl.DataFrame, metadata: Metadata, name: str | None, locale: Language) -> Graphic:
    """A figure before it is drawn: the first that has something to show unless it is named.

    Raises ``InputError`` for a name that has no figure, and where there is nothing to show.
    """
    names = chart_names(metadata)
    if labels.schema_of(metadata) == STUDY:
        makers: dict[str, Make] = {one: partial(_of_study, metadata["view"]["figures"][one]) for one in names}
    else:
        makers = figures_of(KINDS[labels.schema_of(metadata)])
    return first_graphic(makers, name, Source(frame, metadata, locale))


def figures_of(kind: Kind) -> dict[str, Make]:
    """The figures of a kind by name."""
    return {view.name: partial(graphic, view) for view in kind.views if view.mark}


def first_graphic(makers: Mapping[str, Make], name: str | None, source: Source) -> Graphic:
    """The figure of a name, or the first that has something to show; raises ``InputError`` as ``graphic_of`` does."""
    if name is not None and name not in makers:
        raise unknown("figure", name, list(makers))
    for make in [makers[name]] if name else makers.values():
        if (found := make(source)) is not None:
            return found
    present = [other for other, make in makers.items() if make(source) is not None]
    valid = present or Message("another file")
    raise InputError("figure {figure!r} has nothing to show (valid: {valid})", name or next(iter(makers)), valid)


def graphic(view: View, source: Source) -> Graphic | None:
    """A view as a chart; None where it has nothing to show."""
    frame, metadata, locale = source
    rows = view.select(frame)
    if view.mark == "odds":
        return odds_chart.odds(frame, metadata, locale)
    picture = MARKS[view.mark](view, rows, source) if rows else None
    if picture is None:
        return None
    found = view.find(picture.rows, source) if view.find else None
    found = found[0] if isinstance(found, list) else found
    shown = (
        locale.say(view.shown, **side_names(metadata, locale, policies=False))
        if picture.shown is None
        else picture.shown
    )
    return drawn(
        found or capital(shown.rstrip(".")), shown, picture.body, metadata, locale, *picture.notes, rows=picture.rows,
        tested=picture.tested, much=picture.much, whiskers=picture.whiskers,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ rows of marks


def _named(field: str, locale: Language) -> Callable[[Row], str]:
    """What rows are called by one of their columns."""
    name = NAMES[field]
    return lambda row: name(row, locale)


NAMES: dict[str, Callable[[Row, Language], str]] = {
    "": lambda row, locale: "",
    "rules": lambda row, locale: locale.say(name_of(row["rules"])),
    "policy": lambda row, locale: row_name(row, locale),
    "opponent": lambda row, locale: players_name(row["opponent"], locale),
    "quantity": lambda row, locale: category_name(row["quantity"], locale),
    "rules+quantity": lambda row, locale: (
        f"{locale.say(name_of(row['rules']))}: {lower(category_name(row['quantity'], locale))}"
    ),
    "heading": lambda row, locale: str(row.get("heading") or ""),
    "method": lambda row, locale: locale.say(row["method"]),
}
"""What a row is called by a column."""


def _keyed(field: str) -> Callable[[Row], str]:
    return lambda row: str(row[field.partition("+")[0]])


def _levels(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """A row for each line-up, of each file where there are several."""
    locale = source.locale
    shown = levels_of(rows)
    if not shown:
        return None
    body = row_chart(
        shown, locale, _named("policy", locale), key=_keyed("policy"), heading=_named("heading", locale),
        reference=(0.0, locale.say(view.reference)) if view.reference else None, tested=bool(view.reference),
    )  # fmt: skip
    tested = len(shown) if view.reference else 0
    return Picture(body, shown, much=_same_for_all(source, shown), tested=tested if tested > 1 else 0)


def _same_for_all(source: Source, rows: Sequence[Row]) -> str:
    """How many trials each of what stands side by side has, or what several files have in common."""
    metadata, locale = source.metadata, source.locale
    much = how_much(metadata, locale, rows)
    return (
        str(metadata["made"]) if "made" in metadata else locale.say("{much}, the same for all.", much=much).rstrip(".")
    )


def _changes(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Differences from the first rules, a row a rule set; the biggest first, a mark for each line-up."""
    frame, metadata, locale = source
    left_out = facts.other_sides(rows, metadata) if rows[0]["side"] == "dealer" else []
    rows = [row for row in rows if row["kind"] == "difference" and row["rules"] not in left_out]
    rows = rows if view.name != "categories" else [row for row in rows if row.get("p_holm") is not None]
    changed = [row for row in rows if row["estimate"] or row["ci_low"] or row["ci_high"]]
    if not changed:
        return None
    several = "policy" in frame.columns and frame["policy"].n_unique() > 1
    field = "quantity" if view.row == "rules+quantity" and len({row["rules"] for row in rows}) == 1 else view.row
    base = locale.say(name_of(frame["rules"][0]))
    body = row_chart(
        changed, locale, _named(field, locale), key=_keyed(view.row), directed=not several,
        series=_named("policy", locale) if several else None, reference=(0.0, locale.say("as in {base}", base=base)),
    )  # fmt: skip
    body = replace(body, rows=tuple(sorted(body.rows, key=lambda row: -row.size)))
    paired = "changed" in frame["quantity"]
    same = "Each rule set on the same deals, less {base}." if paired else (
        "Each rule set on hands of its own, less {base}.")  # fmt: skip
    together = metadata.get("levels") == "holm"  # main quantities are corrected together, and all others together
    every = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    tested = sum(not together or is_main(row) == is_main(rows[0]) for row in every)
    moved = {row["rules"] for row in changed}
    still = dict.fromkeys(_named("rules", locale)(row) for row in rows if row["rules"] not in moved)
    notes = (
        locale.say("Without any change: {rules}.", rules=", ".join(still)) if still else "",
        locale.say(same, base=base),
        facts.sides_words(left_out, locale),
    )
    return Picture(body, rows, notes, tested=tested)


def _chances(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Shares from 0 on, the largest first, by rules or by method."""
    locale = source.locale
    seen = sorted((row for row in rows if row["estimate"] > 0), key=lambda row: -row["estimate"])
    if not seen or "policy" in seen[0]:
        return None
    label = _named(view.row, locale)
    if view.row == "method" and len(seen) == 1:
        label = lambda row: locale.say("We win")  # noqa: E731
    return Picture(chances(seen, locale, label, key=_keyed(view.row)), seen)


def _categories(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Mean points by category, most first: one mark for all sides, or one a line-up."""
    frame, _, locale = source
    line_ups = "policy" in frame.columns
    own = [row for row in rows if row["side"] == "all" and row["kind"] == "mean" and row["estimate"]]
    every = sorted(own, key=lambda row: -row["estimate"])
    if not every or "heading" in frame.columns:
        return None
    order = list(dict.fromkeys(row["quantity"] for row in every))
    body = row_chart(
        sorted(own, key=lambda row: order.index(row["quantity"])), locale, _named("quantity", locale),
        key=_keyed("quantity"), series=_named("policy", locale) if line_ups else None,
        texts=lambda row: (locale.points(row["estimate"]),), from_zero=True,
    )  # fmt: skip
    return Picture(body, rows, much=_same_for_all(source, every) if line_ups else None)


def _bonuses(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Chances of bonuses that were seen, under what one trial is."""
    locale, cards = source.locale, fields_of(source.metadata).deal_plan[0]
    shown = []
    for group in TABLES["bonus"]:
        own = source.frame.filter(pl.col("value").is_null(), per=group["per"], kind="probability")
        by_name = {row["quantity"]: row for row in own.iter_rows(named=True)}
        heading = locale.say(group["heading"], n=cards)
        shown += [{**by_name[name], "heading": heading} for name in group["names"]
                  if name in by_name and by_name[name]["estimate"] > 0]  # fmt: skip
    if not shown:
        return None
    body = chances(shown, locale, lambda row: quantity_name(row["quantity"], locale), key=_keyed("quantity"),
                   heading=_named("heading", locale))  # fmt: skip
    return Picture(body, [*rows, *shown], shown=chance_words(shown, locale))


def _formats(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """A row a format: its number, and how much more that is than in the first."""
    frame, metadata, locale = source
    levels = [row for row in rows if row["kind"] != "difference"]
    differences = {row["rules"]: row for row in rows if row["kind"] == "difference"}
    names = labels.format_names(metadata, locale)

    def texts(row: Row) -> tuple[str, str]:
        change = differences.get(row["rules"])
        return number(row, locale), "" if change is None else marked(change, locale)

    what, base = labels.night_label(levels[0], metadata, locale), frame["rules"][0]
    body = row_chart(
        levels, locale, lambda row: str(names.get(row["rules"], row["rules"])), key=_keyed("rules"), texts=texts,
        heads=("", locale.say("difference")), optional=1, unit="%" if is_share(levels[0]) else "",
    )  # fmt: skip
    tested = locale.say(
        "Differences from {base}, in parentheses if not significant ({n} tested; Holm, 5%).",
        base=names.get(base, base), n=locale.numerals(f"{frame.filter(pl.col('p_holm').is_not_null()).height:,}"),
    )  # fmt: skip
    notes = (f"{labels.pairs_words(metadata, locale)}.", tested)
    return Picture(body, rows, notes, f"{what}.", _same_for_all(source, levels))


def _ranking(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Each player's strength, the players who are not distinguishable, and the match with the next."""
    frame, locale = source.frame, source.locale
    order, letters, matches = rankings.strongest_first(frame), rankings.letters_of(frame), rankings.matches_of(frame)
    strengths = {row["policy"]: row for row in rows if row["quantity"] == "strength"}
    if not strengths or not matches:
        return None
    over = {first: marked(matches[first, second], locale) for first, second in pairwise(order)}
    tied = any(len(own) > 1 for own in letters.values()) or len(set(letters.values())) < len(letters)

    def texts(row: Row) -> tuple[str, ...]:
        sign, group = "+" if row["estimate"] > 0 else "", [letters[row["policy"]]] if tied else []
        return sign + number(row, locale), over.get(row["policy"], ""), *group

    body = row_chart(
        [strengths[policy] for policy in order], locale, _named("policy", locale), key=_keyed("policy"), texts=texts,
        reference=(0.0, locale.say(view.reference)), optional=1 + tied,
        heads=("", locale.say("over the next"), *([locale.say("group")] if tied else [])),
    )  # fmt: skip
    groups = locale.say("Players of one group are not distinguishable in strength (Tukey–Kramer, 5%)." if tied else
                        "All differ in strength (Tukey–Kramer, 5%).")  # fmt: skip
    return Picture(body, rows, (groups,))


def _pairs(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """How far every player is ahead of every weaker one, strongest first, and how many games it wins."""
    locale = source.locale
    order, matches = rankings.strongest_first(source.frame), rankings.matches_of(source.frame)
    games = {(row["policy"], row["opponent"]): row for row in rows if row["quantity"] == "wins_game"}
    shown = [
        matches[one, other] for at, one in enumerate(order) for other in order[at + 1 :] if (one, other) in matches
    ]
    if not shown:
        return None

    def texts(row: Row) -> tuple[str, str]:
        game = games.get((row["policy"], row["opponent"]))
        won = locale.say("{share} won", share=locale.percent(game["estimate"])) if game else ""
        return marked(row, locale), won

    body = row_chart(
        shown, locale, _named("opponent", locale), key=lambda row: f"{row['policy']} {row['opponent']}",
        heading=lambda row: locale.say("{policy} against", policy=players_name(row["policy"], locale)), texts=texts,
        optional=1, reference=(0.0, locale.say(view.reference)),
    )  # fmt: skip
    return Picture(body, shown, tested=len(shown))


# ------------------------------------------------------------------------------------------------ bars


def _outcomes(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """A bar for each line-up: the hands or games that the dealer's side wins, that are tied, and that others win."""
    metadata, locale = source.metadata, source.locale
    unit = "hand" if any(row["quantity"].endswith("_hand") for row in rows) else "game"
    tables: dict[tuple[Any, Any], list[Row]] = {}
    for row in rows:
        if row["kind"] != "difference":
            tables.setdefault((row.get("heading"), row.get("policy")), []).append(row)
    bars = [(table[0], parts) for table in tables.values() if (parts := _parts(unit, table))]
    if not bars:
        return None
    alone, sides = "policy" not in rows[0], fields_of(metadata).sides
    names = side_names(metadata, locale) if alone and sides == 2 else {"dealer": "Dealer", "others": "Others"}
    heads = [locale.say(name) for name in (names["dealer"], {"hand": "tied", "game": "drawn"}[unit], names["others"])]
    if not any(ties["ci_high"] for _, (_, ties, _) in bars):
        bars, heads = [(row, own[::2]) for row, own in bars], heads[::2]
    of_sides = {row.get("sides") or sides for row in rows}  # of several files each has its own
    equal = not any(
        opposed(row["line_up"] if "line_up" in row else row.get("policy") or line_up_of(metadata)) for row in rows
    )
    fair = (1 / min(of_sides), locale.say("a fair share")) if unit == "game" and len(of_sides) == 1 and equal else None
    body = RowChart(
        tuple(bar(row_name(row, locale), own, locale, places=1, heading=str(row.get("heading") or ""))
              for row, own in bars),
        series=tuple(heads), stacked=True, reference=fair,
    )  # fmt: skip
    much = (None if unit == "hand" else _games(source)) if alone else _same_for_all(source, rows)
    won = None if len(heads) == 3 else locale.say("Hands won." if unit == "hand" else "Games won.")
    return Picture(body, [row for row in rows if row["kind"] != "difference"], shown=won, much=much)


def _parts(unit: str, rows: Sequence[Row]) -> Sequence[Row]:
    """The shares of trials won by the dealer's side, tied, and won by others; none where the table does not say.

    A table without a row of ties is of a game that goes on until somebody is ahead.
    """
    by_name = {(row["quantity"], row["side"]): row for row in rows}
    won = by_name.get((f"wins_{unit}", "dealer"))
    if won is None:
        return ()
    ties = next((row for row in rows if row["quantity"] == f"ties_{unit}"), NONE)
    rest, other = 1 - won["estimate"] - ties["estimate"], by_name.get((f"wins_{unit}", "others"))
    if other is None or abs(other["estimate"] - rest) > 1e-9:  # of several others the table has the mean
        other = dict.fromkeys(NONE, rest)
    return won, ties, other


_RESULTS = ("won", "tied", "lost")


def _primiera(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    metadata, locale = source.metadata, source.locale
    names = {side: lower(name.partition(" (")[0]) for side, name in side_names(metadata, locale).items()}
    by_sevens: dict[tuple[float, str], dict[str, Row]] = {}
    for row in rows:
        if row["side"] != "all":
            by_sevens.setdefault((-row["value"], row["side"]), {})[row["quantity"].removeprefix("primiera_")] = row
    bars = []
    for (sevens, side), results in sorted(by_sevens.items()):
        if len(results) == len(_RESULTS):
            label = locale.say("{n} seven" if sevens == -1 else "{n} sevens", n=int(-sevens))
            shares = [results[result] for result in _RESULTS]
            bars.append(bar(f"{label}, {names[side]}", shares, locale, key=f"{-sevens:.0f} {side}"))
    heads = tuple(map(locale.say, _RESULTS))
    return Picture(RowChart(tuple(bars), series=heads, heads=heads, stacked=True), rows) if bars else None


# ------------------------------------------------------------------------------------------------ distributions

TAIL = 0.001
"""The share of what lies beyond the last value that is shown."""


def _without_tail(tables: Sequence[pl.DataFrame], locale: Language) -> tuple[list[pl.DataFrame], str]:
    """Distributions in order up to the last value that is worth showing, and what is said of the others."""
    rows = [table.sort("value") for table in tables]
    seen = [table.filter(table["estimate"].cum_sum(reverse=True) > TAIL)["value"] for table in rows]
    last = max((values[-1] for values in seen if len(values)), default=0.0)
    shown = [table.filter(pl.col("value") <= last) for table in rows]
    if sum(table.height for table in shown) == sum(table.height for table in rows):
        return shown, ""
    tail = locale.say("Above {n}: {p} at most in all, not shown.", n=f"{last:.0f}", p=locale.percent(TAIL))
    return shown, f" {tail}"


def _scores(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """The distribution of the points a side makes in a hand."""
    frame, metadata, locale = source
    of_view = frame.filter(view.rows)
    tables = [of_view.filter(side=side) for side in ("dealer", "others")]
    if any(table.is_empty() for table in tables):
        return None
    tables, tail = _without_tail(tables, locale)
    names, curves, series = side_names(metadata, locale), [], []
    means = {row["side"]: row["estimate"] for row in frame.filter(quantity="points", kind="mean").iter_rows(named=True)}
    for side, table in zip(("dealer", "others"), tables, strict=True):
        words = [locale.say("mean {n}", n=locale.points(means[side]))] if side in means else []
        series.append(", ".join([names[side], *words]))
        curves.append(Curve(table, side, means.get(side)))
    body = distribution(curves, locale.say("points of a side in a hand"), series=series)
    return Picture(body, rows, (locale.say("Bands: 95% intervals."),), locale.say(view.shown) + tail)


def _values(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """How often each number of something comes in a game."""
    locale = source.locale
    [table], tail = _without_tail([source.frame.filter(view.rows)], locale)
    axis = locale.say(view.shown)
    shown = f"{locale.say('Share of games')}: {axis}.{tail}"
    return Picture(distribution([Curve(table)], axis), rows, (), shown, _games(source))


def _games(source: Source) -> str:
    """What a game is, and how many were played."""
    rules, locale = fields_of(source.metadata), source.locale
    to = locale.say("games to {target}", target=rules.target)
    if rules.hands_per_game:
        to = locale.say("games of {n} hands", n=rules.hands_per_game)
    return f"{capital(to)}: {how_much(source.metadata, locale)}"


def _map(view: View, rows: Sequence[Row], source: Source) -> Picture | None:
    """The chance to win by our score and theirs."""
    frame, locale = source.frame.filter(view.rows), source.locale
    shown = locale.say("{who}: the chance that we win, from every score; thick line: even.",
                       who=locale.say(TABLES["dealing"][rows[0]["dealer"]]))  # fmt: skip
    widest = float((frame["ci_high"] - frame["ci_low"]).max()) / 2  # type: ignore[arg-type]
    intervals = locale.say("95% intervals are ±{half} percentage points or less.",
                           half=locale.numerals(f"{100 * widest:.2g}"))  # fmt: skip
    body = map_of_scores(frame, locale.say("our score"), locale.say("their score"))
    return Picture(body, rows, (intervals,), shown, whiskers=False)


MARKS: dict[str, Mark] = {
    "levels": _levels, "changes": _changes, "chances": _chances, "categories": _categories, "bonuses": _bonuses,
    "formats": _formats, "ranking": _ranking, "pairs": _pairs, "outcomes": _outcomes, "primiera": _primiera,
    "scores": _scores, "values": _values, "map": _map,
}  # fmt: skip
"""How views are drawn."""


# ------------------------------------------------------------------------------------------------ studies


def _of_study(figure: Mapping[str, Any], source: Source) -> Graphic | None:
    """A figure of a study, which says itself what is a row, a group, a series or a part of a bar."""
    frame, metadata, locale = source
    view, rows = studies.View(metadata, locale), studies.where(frame, figure["where"])
    if rows.is_empty():
        return None
    title, shown, about = (view.say(figure[name]) for name in ("title", "shown", "about"))
    return Graphic(
        title, shown, _study_body(figure, rows, view, locale), about, command=str(metadata.get("command") or "")
    )


def _study_body(figure: Mapping[str, Any], rows: pl.DataFrame, view: studies.View, locale: Language) -> Body:
    columns = figure.get("row", ()), figure.get("group", ()), figure.get("series") or figure.get("parts") or ()
    label, heading, one = (partial(view.name, columns=names) for names in columns)
    [*split] = columns[2]
    order = {value: place for name in split for place, value in enumerate(figure["where"].get(name, ()))}
    named = sorted(rows.to_dicts(), key=lambda row: order.get(row[split[0]], 0) if split else 0)
    series = list(dict.fromkeys(map(one, named))) if split else []
    if across := figure.get("across"):
        tables = [rows.filter(pl.Series([one(row) == name for row in rows.to_dicts()])) for name in series]
        return scatter(tables, across, view.say(figure["axes"][0]), view.say(figure["axes"][1]), series)
    if "parts" in figure:
        bars: dict[tuple[str, str], dict[str, Row]] = {}
        for row in rows.to_dicts():
            bars.setdefault((heading(row), label(row)), {})[one(row)] = row
        chart_rows = (
            bar(name, [own.get(part, NONE) for part in series], locale, heading=head)
            for (head, name), own in bars.items()
        )
        return RowChart(tuple(chart_rows), series=tuple(series), stacked=True)
    if figure.get("unit") == "share":
        return chances(rows.to_dicts(), locale, label, heading=heading)
    line = (0.0, view.say(figure["reference"])) if "reference" in figure else None
    return row_chart(rows.to_dicts(), locale, label, heading=heading, series=one if series else None, reference=line,
                     tested=line is not None)  # fmt: skip
