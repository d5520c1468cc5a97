"""How a request was understood: plain sentences, derived from the request in a result's metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.notation import NOTHING, RECORDED, Situation
from ...storage.request import Request
from .labels import WORDS, Metadata, capital, who_play
from .sentences import templates


def readings(metadata: Metadata, locale: Language, about: bool = True) -> list[str]:
    """The sentences on how the request of a result was understood; none for one that has no request.

    Without ``about`` not what such results are about, for a chart that says what it shows.
    """
    kind = str(metadata.get("schema") or "").partition("/")[0].removesuffix("-line-ups")
    if "request" not in metadata or kind not in (*WORDS["requests"], "odds"):
        return []
    try:
        request = Request.from_json(metadata["request"])
        if kind == "odds":
            from ...questions import reading  # here since no other verb asks questions

            return reading.readings(request, locale)
        sentences = " ".join(_sentences(kind, request, locale, about))
        return [sentences] if sentences else []
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
            WORDS["requests"][kind],
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
    if at is not None:
        known = NOTHING if RECORDED.match(at) else Situation.parse(at)
        yield locale.say("Known: {situation}.", situation=known.text(locale.name) or at)
        if known.is_position and not parts.get("open"):
            from ...questions import known_deals, reading

            position = known_deals.known_position(rules, known)
            if assumed := reading.assumed_of(position, rules, locale, (), ["weighed"]):
                yield locale.say("Assumed: {each}.", each="; ".join(assumed))


class QuestionLabels(NamedTuple):
    """What several questions have in common, and what each is called by what it has of its own."""

    common: str = ""
    """The question, or its beginning and an ellipsis."""
    after: str = ""
    """The end that they have in common."""
    labels: tuple[str, ...] = ()


LEAST_COMMON = 4
"""Words at the beginning of questions that say what all are about: how often I have …"""

HOW_OFTEN = 2
"""Words that all questions of a chance begin with."""


def questions_read(metadata: Metadata, locale: Language) -> tuple[list[str], str, str]:
    """What each question means, by what the answers are split, and what holds for all."""
    request = metadata.get("request", {})
    question = dict(request.get("question", {}))
    count = len(question.get("expressions", ())) or 1
    by = question.pop("by", None) if "expressions" in question else None
    read = readings(metadata, locale)
    bare = readings({**metadata, "request": {**request, "question": question}}, locale) if by else read
    if not read or len(bare) < count:
        return [], "", ""
    split_by = capital(read[0][len(bare[0]) - 1 :].lstrip(", ")) if by else ""
    return bare[:count], split_by, " ".join(read[count:])


_GIVEN = "(given that|sapendo che)"


def label_questions(
    metadata: Metadata, read: Sequence[str], names: Sequence[str], locale: Language
) -> QuestionLabels:  # fmt: skip
    """What several questions are called: by their people, where they differ in nothing else, by their names, if all
    have one, or by the words between those that all begin and end with.
    """
    people = _label_people(metadata, locale)
    if people.labels:
        return people
    if read and all(sentence.startswith(f"{name}: ") for sentence, name in zip(read, names, strict=True)):
        bare = [sentence.removeprefix(f"{name}: ") for sentence, name in zip(read, names, strict=True)]
        return QuestionLabels(re.sub(rf",? {_GIVEN} …$", "", _label_words(bare, locale).common), labels=tuple(names))
    return _label_words(read, locale)


def _label_people(metadata: Metadata, locale: Language) -> QuestionLabels:
    """The labels of questions that differ only in their people; no labels for others."""
    from ...questions import reading  # here since no other verb asks questions

    try:
        question, people = reading.by_person(Request.from_json(metadata["request"]), locale)
    except (InputError, KeyError):  # what a file of an earlier version says may be refused now
        return QuestionLabels()
    return QuestionLabels(question.removesuffix("."), labels=tuple(map(capital, people)))


def _label_words(read: Sequence[str], locale: Language) -> QuestionLabels:
    """The labels by the words of questions; no labels where they have too few in common."""
    words = [sentence.partition(". ")[0].removesuffix(".").replace(",", " ,").split() for sentence in read]
    if len(words) < 2:
        return QuestionLabels()
    before, begin = len(_common(words)), templates(locale.name)["words.ends-begin"]
    while before and words[0][before - 1] in (*begin, *templates(locale.name)["words.articles"]):
        before -= 1
    before = before if before >= LEAST_COMMON else min(before, HOW_OFTEN)
    rests = [each[before:] for each in words]
    own = [rest for rest in rests if rest]
    ends = _common([rest[::-1] for rest in own]) if len(own) > 1 else []
    after = next((n for n in range(len(ends), 1, -1) if ends[n - 1] in begin), 0)
    after = after if all(len(rest) > after for rest in own) else 0
    labels = [_joined(rest[: len(rest) - after]) for rest in rests]
    if before < HOW_OFTEN or len(set(labels)) < len(labels):
        return QuestionLabels()
    return QuestionLabels(
        f"{_joined(words[0][:before])} …" if before >= LEAST_COMMON else "",
        f"… {_joined(own[0][-after:])}" if after else "",
        tuple(re.sub(rf"^{_GIVEN}(?= )", locale.say("if"), label) or locale.say("in any case") for label in labels),
    )


def _common(lists: Sequence[Sequence[str]]) -> list[str]:
    """The words that all begin with."""
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*lists, strict=False))
    return [word for word, *_ in alike]


def _joined(words: Sequence[str]) -> str:
    return " ".join(words).replace(" ,", ",").strip(", ")
