"""How a request was understood: plain sentences, derived from the request in a result's metadata."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.errors import InputError
from ...core.locale import Language
from ...situation.notation import NOTHING, RECORDED, Situation
from ...storage.request import Request
from .labels import Metadata, who_play

_ABOUT = {
    "simulate": "What one hand brings, misdeals dealt again; {whose}.",
    "games": "How whole games go, the first hand dealt by the dealer; {whose}.",
    "win-chance": "How often our side wins the game from this score.",
    "win-table": "How often our side wins the game, by the score of both sides.",
    "compare": "What each rule set changes, all on {deals}; points and shares of changed hands are of all together, "
    "the margin, hands won and games won of {dealer}.",
    "compare-nights": "How the same pairs do in each format of the night.",
    "tournament": "How many points a hand each policy makes more than its opponents, every two of them on the same "
    "deals with seats exchanged; the strength is that against all others on average.",
    "advise": "What each play is worth to our side: {aim}.",
}
"""What the results of a kind of file are about; the same for one line-up and for several."""

_WHOSE = {
    "pairs": "the dealer’s side is the dealer and the partner",
    "2": "the dealer and the opponent each play alone",
    "alone": "the others’ numbers are those of each other player on average",
}


def readings(metadata: Metadata, locale: Language, about: bool = True) -> list[str]:
    """The sentences on how the request of a result was understood; none for one that has no request.

    Without ``about`` not what such results are about, for a chart that says what it shows.
    """
    kind = str(metadata.get("schema") or "").partition("/")[0].removesuffix("-line-ups")
    if "request" not in metadata or kind not in (*_ABOUT, "odds"):
        return []
    try:
        request = Request.from_json(metadata["request"])
        if kind == "odds":
            from ...questions import reading  # here since no other verb asks questions

            return reading.readings(request, locale)
        sentences = list(_sentences(kind, request, locale))
        return [" ".join(part) for part in [sentences if about else sentences[1:]] if part]
    except InputError:  # what a file of an earlier version says may be refused now
        return []


_AIMS = {
    ("points", False): "points more than the others in this hand",
    ("points", True): "points fewer than the others in this hand",
    ("game", False): "chances to win the game",
    ("game", True): "chances to win the game",
}
"""What plays are ranked by, and whether the fewest points win."""


def _sentences(kind: str, request: Request, locale: Language) -> Iterator[str]:
    rules, parts, at = request.rules.fields, request.question, request.situation.get("at")
    pairs = rules.partnership
    scored = at is not None and not RECORDED.match(at) and bool(Situation.parse(at).score)
    aim = parts.get("aim") or ("game" if scored else "points")
    yield locale.say(
        _ABOUT[kind],
        whose=locale.say(_WHOSE["pairs" if pairs else "2" if rules.players == 2 else "alone"]),
        dealer=locale.say("the dealer’s side" if pairs else "the dealer"),
        deals=locale.say("deals of its own" if parts.get("unpaired") else "the same deals"),
        aim=locale.say(_AIMS[aim, rules.lowest_wins]),
    )
    if len(request.line_ups) > 1 and kind == "compare":
        yield locale.say("All line-ups play the same deals.")
    elif len(request.line_ups) > 1 and kind != "tournament":
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
