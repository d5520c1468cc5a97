"""Charts of results: the views of a kind, a function for each mark.

A mark makes the body of a chart from the rows of a view; the title is the finding of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, pairwise
from typing import Any

import polars as pl

from ...core.data import load_toml
from ...core.errors import InputError, unknown
from ...core.locale import Language
from ...core.messages import Message, alternatives
from ...core.numerals import column_places, points
from ...experiments.tally import is_main
from ...storage.tables import SCHEMA
from ..kinds import KINDS, View, result_kind
from ..text import facts, labels, rankings, studies
from ..text.answers import TOO_FEW, answer_name, answers_of, has_few
from ..text.cells import DIFFERENCES, Row, first_row, marked, number
from ..text.facts import Source, readings
from ..text.findings import opponents_in, rule
from ..text.headlines import levels_of
from ..text.labels import Metadata, lower, quantity_name, result_rules, rules_words, side_names
from ..text.sentences import phrase, players_name, row_name
from .chart_rows import NONE, bar, chance_chart, chance_words, interval, row_chart, signed_number
from .graphic import Body, Graphic, graphic_of_view
from .plots import Curve, distribution, map_of_scores, scatter
from .rows import RowChart

Make = Callable[[Source], Graphic | None]


def figures_of(metadata: Metadata) -> dict[str, Make]:
    """The figures of a file by name; raises ``InputError`` if there are none."""
    if labels.schema_of(metadata) == "study":
        return {name: partial(_study, figure) for name, figure in metadata["view"]["figures"].items()}
    views = [view for view in result_kind(metadata).views if view.mark]
    if not views:
        drawn = [name for name, kind in KINDS.items() if name == "study" or any(view.mark for view in kind.views)]
        verbs, schema = alternatives(drawn), str(metadata.get("schema") or None)
        raise InputError(
            "there is no figure of a file of kind {schema!r} (valid: a result file of {verbs})", schema, verbs
        )
    return {view.name: partial(_of_view, view) for view in views}


def graphic_of(frame: pl.DataFrame, metadata: Metadata, name: str | None, locale: Language) -> Graphic:
    """A figure before it is drawn: unless it is named the first that shows something, of a comparison a difference.

    Raises ``InputError`` for a name that has no figure, and where there is nothing to show.
    """
    return first_graphic(figures_of(metadata), name, chart_source(frame, metadata, locale))


def chart_source(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Source:
    """A result with numbers for values where all are numbers, and without intervals that one trial does not give.

    Raises ``InputError`` for a table that is none of ours.
    """
    if missing := [column for column in SCHEMA if column not in frame.columns]:
        raise InputError("the table has no column {column!r} (valid: a table written by cirulla-sim)", missing[0])
    numbers = frame["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == frame["value"].null_count():
        frame = frame.with_columns(numbers)
    single = pl.col("std_error").is_infinite().fill_null(False)
    ends = (pl.when(single).then("estimate").otherwise(end).alias(end) for end in ("ci_low", "ci_high"))
    return Source(labels.with_titles(frame, metadata).with_columns(ends), metadata, locale)


def first_graphic(makers: Mapping[str, Make], name: str | None, source: Source) -> Graphic:
    """The figure of a name, or the first that ``leads``, or shows something; raises as ``graphic_of`` does."""
    if name is not None and name not in makers:
        raise unknown("figure", name, list(makers))
    wanted = [makers[name]] if name else makers.values()
    if made := list(filter(None, (make(source) for make in wanted))):
        return next((one for one in made if one.leads), made[0])
    present = [other for other, make in makers.items() if make(source) is not None]
    valid = present or Message("another file")
    raise InputError("figure {figure!r} has nothing to show (valid: {valid})", name or next(iter(makers)), valid)


def _of_view(view: View, source: Source) -> Graphic | None:
    """A view as a chart; None where it has nothing to show."""
    rows = view.select(source.frame)
    return MARKS[view.mark](view, rows, source) if rows else None


# ------------------------------------------------------------------------------------------------ rows of marks


def _name(row: Row, column: str, locale: Language) -> str:
    """What a row is called by one of its columns, or by two with ``+`` between them."""
    if "+" in column:
        first, second = (_name(row, part, locale) for part in column.split("+"))
        return f"{first}: {lower(second)}"
    if column == "policy":
        return row_name(row, locale)
    if column == "opponent":
        return players_name(row["opponent"], locale)
    return quantity_name(row["quantity"], locale) if column == "quantity" else locale.say(rules_words(row[column]))


def _named(rows: Iterable[Row], column: str, locale: Language) -> list[dict[str, Any]]:
    """Rows of a table with their labels and keys by a column; line-ups are series if they are not the labels."""
    return [
        {**row, "label": _name(row, column, locale), "key": str(row[column.partition("+")[0]]),
         "series": "" if column in ("policy", "opponent") else row_name(row, locale)}
        for row in rows
    ]  # fmt: skip


def _levels(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """A row for each line-up, of each file where there are several."""
    locale, shown = source.locale, levels_of(rows)
    line = (0.0, locale.say(view.reference)) if view.reference else None
    body = row_chart(_named(shown, "policy", locale), locale, reference=line, tested=line is not None)
    return graphic_of_view(view, source, body, shown, tested=len(shown) if line and len(shown) > 1 else 0)


def _changes(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Differences from the first rules, a row a rule set; the biggest first, a mark for each line-up."""
    frame, metadata, locale = source
    rows = [row for row in rows if row["kind"] in DIFFERENCES]
    rows = rows if view.name != "categories" else [row for row in rows if row.get("p_holm") is not None]
    differences = (row for row in rows if row["kind"] == "difference")
    changed = [row for row in differences if row["estimate"] or row["ci_low"] or row["ci_high"]]
    if not changed:
        return None
    several = "policy" in frame.columns and frame["policy"].n_unique() > 1
    column = "quantity" if view.row == "rules+quantity" and len({row["rules"] for row in rows}) == 1 else view.row
    base = locale.say(rules_words(frame["rules"][0]))
    line = (0.0, locale.say("as {base}", base=phrase(rule(frame["rules"][0]), locale)))
    body = row_chart(_named(changed, column, locale), locale, directed=not several, largest_first=True, reference=line)
    same = "Each rule set on the same deals, less {base}." if "changed" in frame["quantity"] else (
        "Each rule set on hands of its own, less {base}.")  # fmt: skip
    together = metadata.get("levels") == "holm"  # main quantities are corrected together, and all others together
    every = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    tested = sum(not together or is_main(row) == is_main(rows[0]) for row in every)
    moved = {row["rules"] for row in changed}
    still = dict.fromkeys(_name(row, "rules", locale) for row in rows if row["rules"] not in moved)
    notes = (
        locale.say("Without any change: {rules}.", rules=", ".join(still)) if still else "",
        locale.say(same, base=base),
        facts.sides_words(*source) if rows[0]["side"] == "dealer" else "",
    )
    return graphic_of_view(view, source, body, rows, notes, tested=tested)


def _chances(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Shares from 0 on, the largest first, by rules or by method."""
    locale = source.locale
    seen = sorted((row for row in rows if row["estimate"] > 0), key=lambda row: -row["estimate"])
    if not seen or "policy" in seen[0]:
        return None
    named = _named(seen, view.row, locale)
    if view.row == "method" and len(seen) == 1:
        named[0]["label"] = locale.say("We win")
    return graphic_of_view(view, source, chance_chart(named, locale), seen)


def _categories(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Mean points by category, most first: one mark for all sides, or one a line-up."""
    locale = source.locale
    shown = [row for row in rows if row["side"] == "all" and row["kind"] == "mean" and row["estimate"]]
    if "heading" in source.frame.columns:
        return None
    named = [{**row, "texts": (locale.numerals(points(row["estimate"])),)} for row in _named(shown, "quantity", locale)]
    return graphic_of_view(view, source, row_chart(named, locale, largest_first=True, from_zero=True), rows)


def _bonuses(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Chances of bonuses that were seen, under what one trial is."""
    locale, cards = source.locale, result_rules(source.metadata).fields.deal_plan[0]
    shown: list[dict[str, Any]] = []
    for group in FIGURES["bonus"]:
        seen = [first_row(source.frame, name, per=group["per"], kind="probability") for name in group["names"]]
        own, heading = [row for row in seen if row and row["estimate"] > 0], locale.say(group["heading"], n=cards)
        shown += [{**row, "heading": heading} for row in _named(own, "quantity", locale)]
    body = chance_chart(shown, locale)
    return graphic_of_view(view, source, body, [*rows, *shown], shown=chance_words(shown, locale))


def _formats(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """A row a format: its number, and how much more that is than in the first."""
    frame, metadata, locale = source
    levels = [row for row in rows if row["kind"] != "difference"]
    changes = {row["rules"]: marked(row, locale) for row in rows if row["kind"] == "difference"}
    names, base = labels.format_names(metadata, locale), frame["rules"][0]
    named = [{**row, "label": str(names.get(row["rules"], row["rules"])), "key": row["rules"],
              "texts": (signed_number(row, locale), changes.get(row["rules"], ""))} for row in levels]  # fmt: skip
    body = row_chart(named, locale, heads=("", locale.say("difference")), optional=1)
    tested = locale.say(
        "Differences from {base}, in parentheses if not significant ({n} tested; Holm, 5%).",
        base=names.get(base, base), n=locale.numerals(f"{frame.filter(pl.col('p_holm').is_not_null()).height:,}"),
    )  # fmt: skip
    shown = f"{labels.night_label(levels[0], metadata, locale)}."
    return graphic_of_view(view, source, body, rows, (tested,), shown=shown)


def _ranking(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Each player's strength, the players who are not distinguishable, and the match with the next."""
    frame, locale = source.frame, source.locale
    order, letters, matches = rankings.strongest_first(frame), rankings.letters_of(frame), rankings.matches_of(frame)
    strengths = {row["policy"]: row for row in rows if row["quantity"] == "strength"}
    if not strengths or not matches:
        return None
    next_ones = {first: matches[first, second] for first, second in pairwise(order)}
    columns = column_places(list(strengths.values())), column_places(list(next_ones.values()))
    over = {policy: marked(row, locale, columns[1]) for policy, row in next_ones.items()}
    tied = any(len(own) > 1 for own in letters.values()) or len(set(letters.values())) < len(letters)
    named = _named((strengths[policy] for policy in order), "policy", locale)
    for row in named:
        policy, strength = row["policy"], signed_number(row, locale, columns[0])
        row["texts"] = (strength, over.get(policy, ""), letters[policy])[: 2 + tied]
    body = row_chart(
        named, locale, reference=(0.0, locale.say(view.reference)), optional=1 + tied,
        heads=("", locale.say("over the next, head to head"), locale.say("group"))[: 2 + tied],
    )  # fmt: skip
    groups = locale.say("Players of one group are not distinguishable in strength (Tukey–Kramer, 5%)." if tied else
                        "All differ in strength (Tukey–Kramer, 5%).")  # fmt: skip
    return graphic_of_view(view, source, body, rows, (groups,))


def _pairs(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """How far every player is ahead of every weaker one, strongest first, and how many games it wins."""
    locale = source.locale
    order, matches = rankings.strongest_first(source.frame), rankings.matches_of(source.frame)
    shown = [matches[pair] for pair in combinations(order, 2) if pair in matches]
    games = {(row["policy"], row["opponent"]): locale.say("{p} won", p=locale.numerals(f"{row['estimate']:.1%}"))
             for row in rows if row["quantity"] == "wins_game"}  # fmt: skip
    named = [
        {**row, "heading": locale.say("{policy} against", policy=players_name(row["policy"], locale)),
         "key": f"{row['policy']} {row['opponent']}",
         "texts": (marked(row, locale), games.get((row["policy"], row["opponent"]), ""))}
        for row in _named(shown, "opponent", locale)
    ]  # fmt: skip
    body = row_chart(named, locale, optional=1, reference=(0.0, locale.say(view.reference)))
    return graphic_of_view(view, source, body, shown, tested=len(shown))


# ------------------------------------------------------------------------------------------------ bars


def _outcomes(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """A bar for each line-up: the hands or games that the dealer's side wins, that are tied, and that others win.

    A table without a row of ties is of a game that goes on until somebody is ahead.
    """
    metadata, locale = source.metadata, source.locale
    rows = [row for row in rows if row["kind"] != "difference"]
    unit = "hand" if any(row["quantity"].endswith("_hand") for row in rows) else "game"
    tables: dict[tuple[Any, Any], dict[str, Row]] = {}
    for row in rows:
        named = row["side"] if row["quantity"] == f"wins_{unit}" else "ties"
        tables.setdefault((row.get("heading"), row.get("policy")), {})[named] = row
    bars: list[list[Row]] = []
    for table in tables.values():
        if won := table.get("dealer"):
            ties, others = table.get("ties", NONE), table.get("others", NONE)
            rest = 1 - won["estimate"] - ties["estimate"]
            if abs(others["estimate"] - rest) > 1e-9:  # of several others the table has the mean
                others = dict.fromkeys(NONE, rest)
            bars.append([won, ties, others])
    sides = result_rules(metadata).fields.sides
    of_sides = {row.get("sides") or sides for row in rows}  # of several files each has its own
    several = {"dealer": "Dealer", "others": "The others" if of_sides == {2} else "Others together"}
    names = side_names(metadata, locale) if sides == 2 and "made" not in metadata else several
    heads = [locale.say(name) for name in (names["dealer"], {"hand": "tied", "game": "drawn"}[unit], names["others"])]
    shown = None
    if not any(ties["ci_high"] for _, ties, _ in bars):
        bars, heads = [parts[::2] for parts in bars], heads[::2]
        shown = locale.say("Hands won." if unit == "hand" else "Games won.")
    line_up = labels.line_up_of(metadata)
    equal = not any(opponents_in(row.get("line_up", row.get("policy") or line_up)) for row in rows)
    fair = (1 / min(of_sides), locale.say("a fair share")) if unit == "game" and len(of_sides) == 1 and equal else None
    each = (
        bar(row_name(won, locale), [won, *parts], locale, 1, heading=won.get("heading") or "") for won, *parts in bars
    )
    body = RowChart(tuple(each), series=tuple(heads), stacked=True, reference=fair)
    return graphic_of_view(view, source, body, rows, shown=shown)


RESULTS = ("won", "tied", "lost")


def _primiera(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Bars of shares won, tied and lost, for each number of sevens and each side."""
    metadata, locale = source.metadata, source.locale
    names = {side: lower(name.partition(" (")[0]) for side, name in side_names(metadata, locale).items()}
    by_sevens: dict[tuple[float, str], dict[str, Row]] = {}
    for row in rows:
        if row["side"] != "all":
            by_sevens.setdefault((-row["value"], row["side"]), {})[row["quantity"].removeprefix("primiera_")] = row
    bars = []
    for (sevens, side), results in sorted(by_sevens.items()):
        if len(results) == len(RESULTS):
            label = locale.say("{n} seven" if sevens == -1 else "{n} sevens", n=int(-sevens))
            parts = [results[one] for one in RESULTS]
            bars.append(bar(f"{label}, {names[side]}", parts, locale, key=f"{-sevens:.0f} {side}"))
    heads = tuple(map(locale.say, RESULTS))
    body = RowChart(tuple(bars), series=heads, heads=heads, stacked=True)
    return graphic_of_view(view, source, body, rows, whiskers=False)


# ------------------------------------------------------------------------------------------------ distributions

TAIL = 0.001
"""The share of what lies beyond the last value that is shown."""


def _distribution(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """How often each number of something comes in a game, or of points in a hand for each side."""
    frame, metadata, locale = source
    means = {row["side"]: row["estimate"] for row in frame.filter(quantity="points", kind="mean").iter_rows(named=True)}
    names, curves = side_names(metadata, locale), []
    for side in ("all",) if view.mark == "values" else ("dealer", "others"):
        table = frame.filter(view.rows).filter(side=side).sort("value")
        mean = means.get(side)
        mean_words = "" if mean is None else f", {locale.say('mean {n}', n=locale.numerals(points(mean)))}"
        curves.append(Curve(table, f"{names[side]}{mean_words}", side, mean))
    if any(curve.rows.is_empty() for curve in curves):
        return None
    seen = (rows.filter(rows["estimate"].cum_sum(reverse=True) > TAIL)["value"].to_list() for rows, *_ in curves)
    last = max(chain.from_iterable(seen), default=0.0)
    shown = [curve._replace(rows=curve.rows.filter(pl.col("value") <= last)) for curve in curves]
    axis = locale.say(view.row)
    words = [locale.say(view.shown, axis=axis), locale.say("Means dotted.") if means and len(curves) > 1 else ""]
    if sum(curve.rows.height for curve in shown) < sum(curve.rows.height for curve in curves):
        words.append(locale.say("Above {n}: {p} at most in all, not shown.", n=f"{last:.0f}", p=locale.percent(TAIL)))
    body, alone = distribution(shown, axis, locale), len(curves) == 1
    bands = "" if alone else locale.say("Bands: 95% intervals.")
    return graphic_of_view(view, source, body, rows, (bands,), shown=" ".join(filter(None, words)), whiskers=alone)


def _map(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """The chance to win by our score and theirs."""
    locale, widest = source.locale, max(row["ci_high"] - row["ci_low"] for row in rows)
    half = locale.numerals(f"{100 * widest / 2:.2g}")
    intervals = locale.say("95% intervals are ±{half} percentage points or less.", half=half)
    frame = source.frame.filter(view.rows)
    body = map_of_scores(frame, locale.say("our score"), locale.say("their score"), locale)
    return graphic_of_view(view, source, body, rows, (intervals,), whiskers=False)


FIGURES = load_toml(__package__, "figures.toml")
"""What chances are of, by what one trial is."""

MOST_ROWS, FEWEST_BARS = 8, 2
"""Exact values of a distribution that have a row each, with their numbers, and estimated ones; more are drawn along an
axis."""

MOST_TEXTS = 40
"""Values that are no numbers, and so have a row each in any case; of more the likeliest are drawn."""


def odds_graphic(view: View, rows: Sequence[Row], source: Source) -> Graphic | None:
    """Every chance as a dot with percentage, odds and fraction, or the values of a distribution along an axis.

    Of chances and numbers in one table the chances are drawn, which have the same axis. Where exact answers were
    checked by simulation, the dots are exact and the whiskers the simulated intervals.
    """
    frame, metadata, locale = source
    answers, read = answers_of(*source), readings(metadata, locale)
    first_deal = {*frame["quantity"]} <= {*labels.WORDS["names"]}
    every = [row for answer in answers for row in answer.levels]
    shown = [row for row in every if row["kind"] == "probability"] or every
    if not shown:
        return None
    wording = answers[0].wording
    alone = len(answers) == 1 and wording is not None and not first_deal
    split = "" if wording is None or "by" not in frame.columns else labels.capital(wording.split)
    by_trial = first_deal or (len(answers) > 1 and not split and {row["per"] for row in shown} <= {"holding", "table"})
    named = [
        {**row, "label": (label := answer_name(row, answers, locale)), "key": label if split else row["quantity"],
         "heading": locale.say(FIGURES["first_deal"].get(row["per"], row["per"])) if by_trial else split}
        for row in shown
    ]  # fmt: skip
    meaning = "" if first_deal else answers[0].common or (read[0].removesuffix(".") if alone and read else "")
    usual = chance_words(shown, locale) if shown[0]["kind"] == "probability" else locale.say("Mean values.")
    words = [meaning or usual.removesuffix(".")]
    whole = sum(row["value"] is None and row.get("by") is not None for row in every)
    if (left_out := len(every) - len(shown) - whole) and not first_deal:
        words += [locale.say("{n} {n:answer|answers} in the table {n:is|are} no chance", n=left_out)]
    if few := sum(map(has_few, rows)):
        words += [locale.say("{n} {n:value|values} with fewer than {least} cases: in the table", n=few, least=TOO_FEW)]
    notes = [] if first_deal else [labels.top_words(metadata, locale), " ".join(read[len(answers) :])]
    exact, sentences = not frame["exact"].null_count(), ". ".join(words)
    return graphic_of_view(
        view, source, _body(named, split, alone, locale, whole=not split and not first_deal),
        notes=[*_exactness(source), *notes] if exact else notes,
        shown=sentences if sentences.endswith("…") else f"{sentences}.", whiskers=not exact,
    )  # fmt: skip


def _exactness(source: Source) -> list[str]:
    """That answers were counted, and how far a simulation is from them if there was one."""
    frame, metadata, locale = source
    if "simulated" not in frame.columns:
        counted = locale.say("Counted over every case, with no sampling error.")
        return [counted, *(f"{made}." for made in labels.version(metadata))]
    much = labels.how_much(metadata, locale)
    checked = locale.say("Dots: exact. Whiskers: 95% intervals of a simulation, {much}.", much=much)
    largest = frame["difference"].abs().max()
    if not isinstance(largest, float):
        return [checked]
    return [checked, locale.say("The largest difference is {n} standard errors.", n=locale.numerals(f"{largest:.2f}"))]


def _body(rows: Sequence[dict[str, Any]], split: str, alone: bool, locale: Language, whole: bool) -> Body:
    """Answers that are all chances, or all numbers."""
    means = rows[0]["kind"] != "probability"
    numbers = pl.Series([row["value"] for row in rows], dtype=pl.String).cast(pl.Float64, strict=False)
    exact = all(row["exact"] is not None for row in rows)
    if alone and not numbers.null_count() and len(rows) > (MOST_ROWS if exact else FEWEST_BARS):
        ends = pl.DataFrame(list(map(interval, rows)), schema=("ci_low", "estimate", "ci_high"), orient="row")
        return distribution([Curve(ends.with_columns(value=numbers))], split, locale, "" if means else "share")
    if len(rows) > MOST_TEXTS:
        rows = sorted(rows, key=lambda row: -row["estimate"])
    if not means:
        return chance_chart(rows, locale, whole=whole)
    places = column_places(rows)
    for row in rows:
        row["texts"] = (number(row, locale, None if row["kind"] == "quantile" else places),)
    return row_chart(rows, locale, from_zero=True, whole=whole)


MARKS: dict[str, Callable[[View, Sequence[Row], Source], Graphic | None]] = {
    "levels": _levels, "changes": _changes, "chances": _chances, "categories": _categories, "bonuses": _bonuses,
    "formats": _formats, "ranking": _ranking, "pairs": _pairs, "outcomes": _outcomes, "primiera": _primiera,
    "scores": _distribution, "values": _distribution, "map": _map, "odds": odds_graphic,
}  # fmt: skip
"""How views are drawn."""


# ------------------------------------------------------------------------------------------------ studies


def _study(figure: Mapping[str, Any], source: Source) -> Graphic | None:
    """A figure of a study, which says itself what is a row, a group, a series or a part of a bar."""
    frame, metadata, locale = source
    view, rows = studies.StudyView(metadata, locale), studies.where(frame, figure["where"])
    if rows.is_empty():
        return None
    of = {"label": "row", "heading": "group", "series": "parts" if "parts" in figure else "series"}
    named = [
        {**row, "key": view.name(row, figure.get("row", ())), "texts": None,
         **{name: view.name(row, figure.get(columns, ())) for name, columns in of.items()}}
        for row in rows.to_dicts()
    ]  # fmt: skip
    split = figure.get(of["series"], ())
    order = {value: place for name in split for place, value in enumerate(figure["where"].get(name, ()))}
    in_order = sorted(named, key=lambda row: order.get(row[split[0]], 0) if split else 0)
    series = list(dict.fromkeys(row["series"] for row in in_order)) if split else []
    body: Body
    if across := figure.get("across"):
        tables = [rows.filter(pl.Series([row["series"] == name for row in named])) for name in series]
        body = scatter(tables, across, [*map(view.say, figure["axes"])], series, locale)
    elif "parts" in figure:
        bars: dict[tuple[str, str], dict[str, Row]] = {}
        for row in named:
            bars.setdefault((row["heading"], row["label"]), {})[row["series"]] = row
        chart_rows = (bar(name, [own.get(part, NONE) for part in series], locale, heading=heading)
                 for (heading, name), own in bars.items())  # fmt: skip
        body = RowChart(tuple(chart_rows), series=tuple(series), stacked=True)
    elif figure.get("unit") == "share":
        body = chance_chart(named, locale)
    else:
        line = (0.0, view.say(figure["reference"])) if "reference" in figure else None
        body = row_chart(named, locale, reference=line, tested=line is not None)
    heading, shown, about = (view.say(figure[name]) for name in ("title", "shown", "about"))
    return Graphic(heading, shown, body, about, command=str(metadata.get("command") or ""))
