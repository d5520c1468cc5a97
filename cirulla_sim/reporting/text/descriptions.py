"""What a result shows in a few sentences: its numbers and intervals, for which players it holds, what it does not show.

Every number comes from the table. Of each kind of file there are findings, what matters most first, and limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...experiments.tally import is_main
from ...stats.decisions import verdict
from . import cells, labels, layouts, studies
from . import findings as found
from .answers import findings_of
from .cells import Row
from .findings import Finding, Noun, rule, stated, text, who
from .labels import Metadata
from .readings import readings
from .sentences import headline as plainly
from .sentences import phrase, sentence

Sentence = str | Finding
Sentences = Callable[[pl.DataFrame, Metadata, Language], Iterable[Sentence]]


class FileWords(NamedTuple):
    """The sentences on a kind of file; the first ``headline`` findings stand above its table, with plain numbers."""

    findings: Sentences
    limits: Sentences
    headline: int = 1
    plain: bool = True


def describe(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """Three to ten sentences on a result, a line each.

    Raises ``InputError`` for a kind of file that has none.
    """
    return "\n".join(written(one, locale) for one in sentences_of(frame, metadata, locale))


def written(one: Sentence, locale: Language, plain: bool = False) -> str:
    """A sentence in a language; a finding with its intervals or with ``plain`` numbers."""
    if isinstance(one, str):
        return one
    return (plainly if plain else sentence)(one, locale)


def sentences_of(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> list[Sentence]:
    """The sentences of ``describe``; raises ``InputError`` as it does."""
    kind = layouts.schema_of(metadata)
    if kind not in WORDS:
        schema = metadata.get("schema", "")
        raise InputError("{schema!r} is not described (valid: a result file of {words})", schema, WORDS)
    if frame.is_empty():  # too few trials for an estimate
        return [sampled(metadata, locale)]
    frame, words = labels.titled(frame, metadata), WORDS[kind]
    findings = [one for one in words.findings(frame, metadata, locale) if one]
    first, others = findings[: words.headline], findings[words.headline :]
    sentences = [*first, " ".join(readings(metadata, locale)), *others, *words.limits(frame, metadata, locale)]
    return [one for one in sentences if one]


def headline(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """The finding of a result, in a sentence or two; empty where there is none."""
    words = WORDS.get(layouts.schema_of(metadata))
    if words is None or frame.is_empty():
        return ""
    findings = [one for one in words.findings(labels.titled(frame, metadata), metadata, locale) if one]
    return " ".join(written(one, locale, words.plain) for one in findings[: words.headline])


# ------------------------------------------------------------------------------------------------ limits


def sampled(metadata: Metadata, locale: Language) -> str:
    """How much was played, what ± means, and whether intervals hold at any stop."""
    words = locale.say("± is the margin of error (95%), from {much}.", much=labels.how_much(metadata, locale))
    if metadata.get("intervals") != "any stop":
        return words
    return f"{words} {locale.say('The intervals hold at any stop, whenever the run ended.')}"


def holds(metadata: Metadata, players: bool = True) -> Finding:
    """Under which rules and for which ``players`` a result holds."""
    line_ups = [str(line_up) for line_up in labels.line_ups_of(metadata)] if players else []
    rules, n = labels.rules_of(metadata), Noun("count", str(labels.players_of(metadata)))
    several = "several" if len(line_ups) > 1 or any("=" in one for one in line_ups) else "one" if line_ups else "nobody"
    preset = rule("cirulla" if rules is None else rules.preset)
    return stated("holds", several, who=tuple(map(who, line_ups)), rules=preset, n=n)


def _limits(words: str, frame: pl.DataFrame, metadata: Metadata, locale: Language, players: bool = True) -> list[str]:
    """The limits of what is sampled under the rules and by the players of a file; ``words`` say what not."""
    return [sampled(metadata, locale), _held(metadata, locale, players), locale.say(words)]


def _held(metadata: Metadata, locale: Language, players: bool = True) -> str:
    """For whom a result holds, with the rules that are changed."""
    return f"{plainly(holds(metadata, players), locale)}{labels.changed_words(metadata, locale)}"


def _nights_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[str]:
    yield sampled(metadata, locale)
    pairs = locale.say("It holds for these pairs: {pairs}.", pairs=layouts.pairs_words(metadata, locale))
    yield f"{pairs}{labels.changed_words(metadata, locale)}"
    cards = locale.say("Two pairs that meet get the same cards in every format.")
    yield f"{cards} {locale.say('It does not show how other pairs would do.')}"


# ------------------------------------------------------------------------------------------------ findings


CHANGES = {"points": "all", "margin": "dealer", "wins_game": "dealer", "hands": "all", "wins_hand": "dealer"}
"""Quantities whose changes are described, what matters most first, and their sides."""

MOST_CHANGES = 2
"""Changes of a comparison that are described."""


def _simulate(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    """What a hand brings, what dealing is worth, how often three cards bring a bonus."""
    if points := cells.first_row(frame, "points", side="all"):
        yield stated("hand_points", "", {"size": points})
    if dealing := found.margin_of(frame, metadata):
        yield dealing
    if knock := cells.first_row(frame, "knock", per="holding", kind="probability"):
        yield stated("knock", "", {"size": knock})


def _games(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    """Who wins games, how long they are, how often the winner had been behind."""
    if wins := cells.first_row(frame, "wins_game", side="dealer", kind="probability"):
        yield found.won("wins_game", {"size": wins}, found.line_up_of(metadata))
    for name, kind in (("hands", "mean"), ("comeback", "probability")):
        if row := cells.first_row(frame, name, kind=kind):
            yield stated("game", name, {"size": row})


def _rules(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """The largest significant effects, what matters most first; how many hands have another winner."""
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    described: list[str] = []
    for quantity, of in CHANGES.items():
        tested = differences.filter(quantity=quantity, side=of)
        for row in tested.sort(pl.col("estimate").abs(), descending=True, maintain_order=True).iter_rows(named=True):
            if len(described) < MOST_CHANGES and row["rules"] not in described and verdict(row) != "open":
                yield found.effect(quantity, [row], metadata)
                described.append(row["rules"])
    for quantity in ("wins_game", "wins_hand"):
        if wins := differences.filter(quantity=quantity, side="dealer").to_dicts():
            yield found.effect(quantity, wins, metadata)
            break
    for quantity in ("winner_changed", "game_winner_changed"):
        winners = frame.filter(pl.col("estimate") > 0, quantity=quantity)
        for row in winners.sort("estimate", descending=True, maintain_order=True).head(1).to_dicts():
            yield stated("changed", quantity, {"size": row}, rule=rule(row["rules"]))
    if main := [row for row in differences.to_dicts() if is_main(row)]:
        yield _p_values(main, locale)
        base = locale.say(labels.name_of(frame["rules"][0]))
        yield _tested("{k} of {n} differences from {base} are significant (Holm, 5%).", main, locale, base=base)


def _rules_by_line_up(frame: pl.DataFrame) -> Iterator[Finding]:
    """The effects on points, the largest first, for each line-up, and how many hands have another winner."""
    changes = frame.filter(quantity="points", side="all", kind="difference")
    size = pl.col("estimate").abs().max().over("rules")
    names = changes.sort(size, descending=True, maintain_order=True)["rules"].unique(maintain_order=True)
    for name in names[:MOST_CHANGES]:
        each = {row["policy"]: row for row in changes.filter(rules=name).to_dicts()}
        yield found.among("effect.points", each, rule=rule(name))
        winners = frame.filter(pl.col("estimate") > 0, quantity="winner_changed", rules=name).to_dicts()
        if winners:
            yield found.followed(*(
                stated("changed", "winner_changed", {"size": row}, rule=rule(name),
                       between=Noun("between", row["policy"])) for row in winners
            ))  # fmt: skip


def _between_line_ups(frame: pl.DataFrame) -> Iterator[Finding]:
    """What each line-up makes, and what the second changes against the first."""
    for quantity in ("margin", "points", "wins_game", "hands"):
        if rows := found.levels(frame, quantity):
            yield found.compared(quantity, {Noun("place", f"between:{row['policy']}"): row for row in rows})
    if "p_holm" not in frame.columns:  # of games, each line-up by itself
        return
    first, *others = frame["policy"].unique(maintain_order=True).to_list()
    if found.opposed(first) or found.opposed(others[0]):
        return
    differences = frame.filter(pl.col("p_holm").is_not_null(), kind="difference")
    for quantity in ("points", "wins_game", "hands"):
        row = cells.first_row(differences, quantity, side=found.COMPARED[quantity][1], policy=others[0])
        if row is not None:
            yield found.signed(f"line_ups.{quantity}", row, who=who(others[0]), other=who(first))
            return


def _line_ups(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    yield from (_rules_by_line_up if "rules" in frame.columns else _between_line_ups)(frame)
    if "p_holm" in frame.columns and (rows := frame.filter(pl.col("p_holm").is_not_null()).to_dicts()):
        yield _tested("{k} of {n} differences are significant (Holm, 5%).", rows, locale)


def _tested(words: str, rows: Sequence[Row], locale: Language, **names: str) -> str:
    """How many of some differences are significant."""
    k = sum(verdict(row) != "open" for row in rows)
    return locale.say(words, k=k, n=locale.numerals(f"{len(rows):,}"), **names)


def _p_values(rows: Sequence[Row], locale: Language) -> str:
    """The adjusted p-values of what the rules change that change most."""
    first = min(rows, key=lambda row: row["p_holm"])["rules"]
    named = {labels.lower(cells.what(row, locale)): row["p_holm"] for row in rows if row["rules"] == first}
    texts = {what: "< 0.001" if p < 0.001 else f"= {p:.2g}" for what, p in named.items()}
    each = [f"{what} p {locale.numerals(text)}" for what, text in texts.items()]
    return locale.say("{rules}, p-values after Holm’s correction: {each}.", rules=locale.say(labels.name_of(first)),
                      each="; ".join(each))  # fmt: skip


def _nights(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """The largest difference in how often the best pair wins, in which format it wins most, how long a night is."""
    names = layouts.format_names(metadata, locale)
    rows = frame.filter(quantity="wins_night", kind="difference")
    if rows.height:
        row, base = max(rows.to_dicts(), key=lambda row: abs(row["estimate"])), frame["rules"][0]
        one, other = (text(names.get(rules, rules)) for rules in (row["rules"], base))
        yield found.signed("night.wins", row, pair=text(layouts.pair_one(metadata, locale)), format=one, base=other)
    for quantity in ("wins_night", "minutes", "hands_played"):
        levels = frame.filter(pl.col("kind") != "difference", quantity=quantity).to_dicts()
        if levels and not (quantity == "hands_played" and "minutes" in frame["quantity"]):
            yield found.nights(quantity, levels, layouts.label(levels[0], metadata, locale), names)


def _tournament(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    """Who is best, if somebody is; who is not distinguishable; how far the last is behind the first."""
    order, gaps = layouts.strongest_first(frame), layouts.gaps_of(frame)
    if not gaps:
        return
    yield found.strongest(order, gaps)
    if len(order) < 3:
        return
    yield _groups_words(frame, locale)
    for margin in frame.filter(quantity="margin", side="all", policy=order[0], opponent=order[-1]).to_dicts():
        if cells.is_significant(margin):
            row = cells.turned(margin) if labels.fields_of(metadata).lowest_wins else margin
            yield found.signed("advantage", row, one=who(order[0]), other=who(order[-1]))


def _groups_words(frame: pl.DataFrame, locale: Language) -> str:
    """Which of the other policies are not distinguishable, by all gaps at once."""
    order, gaps, groups = layouts.strongest_first(frame), layouts.gaps_of(frame), layouts.groups_of(frame)
    if len(groups) == len(order):
        return locale.say("All {n} differ in strength (Tukey–Kramer, 5%).", n=len(order))
    if len(groups) == 1:
        return locale.say("No two of all {n} differ significantly in strength (Tukey–Kramer, 5%).", n=len(order))
    named = [order[0], *(other for other in order[1:] if not cells.is_significant(gaps[order[0], other]))]
    groups = [group for group in groups if len(group) > 1 and group != named]
    if not groups:
        return locale.say("All other gaps are significant (Tukey–Kramer, 5%).")
    each = "; ".join(phrase(tuple(map(who, group)), locale) for group in groups)
    return locale.say("Not distinguishable: {groups}; all other gaps are significant (Tukey–Kramer, 5%).", groups=each)


# ------------------------------------------------------------------------------------------------ chances


def _odds_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    counted = locale.say("Every case was counted, so there is no sampling error.")
    cases = sampled(metadata, locale) if frame["exact"].null_count() else counted
    yield f"{cases} {layouts.highest(metadata, locale)}".strip()
    yield _held(metadata, locale)
    if metadata.get("policies"):
        yield locale.say("It does not show how others would play.")
    else:
        yield locale.say("It does not show what play makes of the cards.")


def _win_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    size = int(frame["us"].max() or 0)  # type: ignore[arg-type]
    for us, them in ((0, 0), (size // 2, size // 2), (size // 2, size)):
        for row in frame.filter(us=us, them=them, dealer="us").iter_rows(named=True):
            yield found.from_score(row, f"{us}–{them}", found.line_up_of(metadata))


def _win_chance(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    for row in frame.filter(kind="probability").iter_rows(named=True):
        finding = found.from_score(row, row["score"], found.line_up_of(metadata))
        method = {"method": Noun("message", row["method"])}
        yield Finding("win", "by", method, rows=finding.rows, then=(finding,))


# ------------------------------------------------------------------------------------------------ advice


def _advise(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Finding]:
    plays = [Noun("plays", play) for play in frame["play"].unique(maintain_order=True)]
    best = frame.filter(play=plays[0].name)
    behind = cells.first_row(frame.filter(play=plays[1].name), "behind") if len(plays) > 1 else None
    is_open = behind is not None and behind.get("p_holm") is not None and not cells.is_significant(behind)
    if margin := cells.first_row(best, "margin"):
        fewest = "-fewest" if labels.fields_of(metadata).lowest_wins else ""
        kind = f"advise.{'shared' if is_open else 'first'}{fewest}"
        yield found.signed(kind, margin, all=len(plays), play=plays[0])
    if behind is not None:
        unit = "next" if behind["per"] == "hand" else "next-game"
        about = {"play": plays[1], "first": plays[0]}
        yield Finding("advise", "level" if is_open else unit, about, {"size": behind}, (behind,))
    for quantity, direction in (("sweep_next", "sweep"), ("sweep_next_read", "read")):
        if row := cells.first_row(best, quantity):
            yield stated("advise", direction, {"size": row})


def _advise_limits(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Sentence]:
    yield _held(metadata, locale, players=False)
    if cells.first_row(frame, "sweep_next_read", play=frame["play"][0]) is None:
        yield locale.say("It does not use what the others’ plays tell of their cards.")


_NOT_GAMES = "It does not show the chance to win from a given score, nor how others would play."
_NOT_HANDS = "It does not show whole games, nor how others would score with the same cards."
_NOT_RULES = "Other players may be affected differently."
_NOT_AIMED = "It does not show the chances of players who play to the score."
_NOT_PEOPLE = "It does not show how people play, nor how each would do against others."

WORDS: dict[str, FileWords] = {
    "simulate": FileWords(_simulate, partial(_limits, _NOT_HANDS), 2),
    "games": FileWords(_games, partial(_limits, _NOT_GAMES), 2),
    "simulate-line-ups": FileWords(_line_ups, partial(_limits, "")),
    "games-line-ups": FileWords(_line_ups, partial(_limits, "")),
    "compare": FileWords(_rules, partial(_limits, _NOT_RULES)),
    "compare-line-ups": FileWords(_line_ups, partial(_limits, "")),
    "compare-nights": FileWords(_nights, _nights_limits, 2),
    "odds": FileWords(findings_of, _odds_limits),
    "win-table": FileWords(_win_table, partial(_limits, _NOT_AIMED)),
    "win-chance": FileWords(_win_chance, partial(_limits, _NOT_AIMED), plain=False),
    "tournament": FileWords(_tournament, partial(_limits, _NOT_PEOPLE, players=False), 2),
    "advise": FileWords(_advise, _advise_limits, 2, plain=False),
    "study": FileWords(studies.findings, lambda *_: ()),
}
"""The sentences of the kinds of files. Studies add theirs."""
