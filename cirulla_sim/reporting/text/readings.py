"""How a request was understood: plain sentences, derived from the request in a result's metadata."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.notation import NOTHING, RECORDED, Situation
from ...storage.request import Request
from .labels import WORDS, Metadata, schema_of, who_play


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

            return reading.readings(request, locale)
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
    if at is not None:
        known = NOTHING if RECORDED.match(at) else Situation.parse(at)
        yield locale.say("Known: {situation}.", situation=known.text(locale.name) or at)
        if known.is_position and not parts.get("open"):
            from ...questions import known_deals, reading

            position = known_deals.known_position(rules, known)
            if assumed := reading.assumed_of(position, rules, locale, (), ["weighed"]):
                yield locale.say("Assumed: {each}.", each="; ".join(assumed))
