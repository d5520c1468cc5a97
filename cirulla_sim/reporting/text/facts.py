"""What stands behind the numbers that are shown: the request as it was understood, trials, players, tests, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.notation import NOTHING, RECORDED, Situation
from ...storage.request import Request
from . import cells, labels
from .cells import Row
from .findings import Noun, rule, state, who
from .labels import WORDS, Metadata, schema_of, who_play
from .sentences import sentence


class Source(NamedTuple):
    """A result that is shown: its table, how it came about, and the language."""

    frame: pl.DataFrame
    metadata: Metadata
    locale: Language


def dealing_side(metadata: Metadata) -> Noun:
    """The dealer, with the partner where there are pairs."""
    return Noun("side", "dealer" if labels.sides_of(metadata)["dealer"] == "Dealer" else "pair")


def sample_words(metadata: Metadata, locale: Language, rows: Iterable[Row] = ()) -> str:
    """How much was played for some rows, what ± means, and whether intervals hold at any stop."""
    words = locale.say("± is the margin of error (95%), from {much}.", much=labels.how_much(metadata, locale, rows))
    held = locale.say("The intervals hold at any stop, whenever the run ended.")
    return f"{words} {held}" if metadata.get("intervals") == "any stop" else words


def validity(metadata: Metadata, locale: Language) -> str:
    """Under which rules and for which players or pairs a result holds, with the rules that are changed."""
    changed = labels.changed_words(metadata, locale)
    if pairs := labels.pairs_words(metadata, locale):
        return locale.say("It holds for these pairs: {pairs}.", pairs=pairs) + changed
    line_ups = [str(line_up) for line_up in labels.line_ups_of(metadata)]
    rules = labels.result_rules(metadata)
    several = "several" if len(line_ups) > 1 or any("=" in one for one in line_ups) else "one" if line_ups else "nobody"
    n = Noun("count", str(rules.fields.players))
    found = state("holds", several, who=tuple(map(who, line_ups)), rules=rule(rules.preset), n=n)
    return sentence(found, locale, plain=True) + changed


# ------------------------------------------------------------------------------------------------ numbers of sides


def sides_words(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> str:
    """That rules with another number of sides are left out where sides are compared; empty where there are none."""
    if not (names := labels.other_sides(frame, metadata)):
        return ""
    each = ", ".join(locale.say(labels.rules_words(name)) for name in names)
    return locale.say("What a side wins is not compared with {rules}, which other numbers of sides play.", rules=each)


# ------------------------------------------------------------------------------------------------ limits

Limits = Callable[[Source, Sequence[Row]], Iterable[str]]
"""For whom a result holds and what it does not show, with the rows that its findings rest on."""


def usual_limits(words: Sequence[str], source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of what is sampled under the rules and by the players of a file; ``words`` say what is not shown."""
    _, metadata, locale = source
    yield sample_words(metadata, locale, rows)
    yield sides_words(*source)
    yield validity(metadata, locale)
    yield " ".join(map(locale.say, words))


def answer_limits(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of answers: whether they were counted, and who plays."""
    _, metadata, locale = source
    counted = locale.say("Every case was counted, so there is no sampling error.")
    cases = sample_words(metadata, locale) if source.frame["exact"].null_count() else counted
    yield f"{cases} {labels.top_words(metadata, locale)}".strip()
    yield validity(metadata, locale)
    yield locale.say("It does not show how others would play." if metadata.get("policies") else
                     "It does not show what play makes of the cards.")  # fmt: skip


def advice_limits(source: Source, rows: Sequence[Row]) -> Iterable[str]:
    """The limits of advice: for which players, and what it does not use."""
    yield validity(*source[1:])
    if cells.first_row(source.frame, "sweep_next_read", play=source.frame["play"][0]) is None:
        yield source.locale.say("It does not use what the others’ plays tell of their cards.")


def readings(metadata: Metadata, locale: Language, about: bool = True) -> list[str]:
    """The sentences on how the request of a result was understood; none for one that has no request.

    Without ``about`` not what such results are about, for a chart that says what it shows.
    """
    kind = schema_of(metadata).removesuffix("-line-ups")
    if "request" not in metadata or kind not in (*WORDS["requests"], "odds"):
        return []
    try:
        request = Request.from_json(metadata["request"])
        if kind == "odds":
            from ...questions import reading  # here since no other verb asks questions

            return reading.read_back(request, locale)
        return list(filter(None, [" ".join(_sentences(kind, request, locale, about))]))
    except InputError:  # what a file of an earlier version says may be refused now
        return []


def _sentences(kind: str, request: Request, locale: Language, about: bool) -> Iterator[str]:
    rules, parts, at = request.rules.fields, request.question, request.situation.get("at")
    pairs = rules.partnership
    scored = at is not None and not RECORDED.match(at) and bool(Situation.parse(at).score)
    aim = parts.get("aim") or ("game" if scored else "points")
    if about:
        fewest = "fewest" if aim == "points" and rules.lowest_wins else aim
        yield locale.say(
            WORDS["requests"].get(f"{kind}-{fewest}", WORDS["requests"][kind]),
            whose=locale.say(WORDS["whose"]["pairs" if pairs else "two" if rules.players == 2 else "alone"]),
            dealer=locale.say("the dealer’s side" if pairs else "the dealer"),
            deals=locale.say("deals of its own" if parts.get("unpaired") else "the same deals"),
            aim=locale.say(WORDS["aims"][fewest]),
        )
    several = about and len(request.line_ups) > 1
    if several and kind == "compare":
        yield locale.say("All line-ups play the same deals.")
    elif several and kind != "tournament":
        first = who_play(str(request.line_ups[0]), locale)
        yield locale.say("All line-ups play the same deals; differences are from {first}.", first=first)
    if parts.get("open"):
        yield locale.say("All cards are known.")
    if at is not None and kind != "compare-nights":  # which names the first of the formats
        known = NOTHING if RECORDED.match(at) else Situation.parse(at)
        yield locale.say("Known: {situation}.", situation=known.text(locale.name) or at)
        if known.is_position and not parts.get("open"):
            from ...questions import known_deals, reading

            position = known_deals.known_position(rules, known)
            if assumed := reading.assumed_of(position, rules, locale, (), ["weighed"]):
                yield locale.say("Assumed: {each}.", each="; ".join(assumed))
