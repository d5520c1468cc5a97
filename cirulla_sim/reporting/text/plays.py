"""A hand for readers: the deal, play by play, the score by category, and what the coach says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from ...core import cards
from ...core.locale import Language, language
from ...core.messages import Message, alternatives
from ...ruleset.catalogue import format_value
from ...ruleset.categories import BY_COLUMN, sweep_point
from ...situation.people import seat_name
from ...situation.plays import read_choice, words_of

HandRecord = dict[str, Any]

_RECORD_NAMES = {column: entry["record"][0] for column, entry in BY_COLUMN.items()}


@dataclass(frozen=True, repr=False)
class Hand:
    """A hand played: its ``record`` is all that happened; it shows itself play by play."""

    record: HandRecord
    note: Message | None = None
    """What a reader should know before it."""

    def text(self, lang: str = "en") -> str:
        """The hand for a reader, in ``en`` or ``it``: the deal, play by play, the score by category."""
        note = () if self.note is None else (self.note, "")
        return "\n".join(map(language(lang).translate, (*note, *_lines(self.record))))

    def json(self) -> str:
        """The record as a line of JSON."""
        return json.dumps(self.record, ensure_ascii=False)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        record = self.record
        score = " to ".join(str(points["total"]) for points in record["points"])
        named = f"{record['rules']['preset']}, {record['players']} players"
        return f"<hand {record['hand']} of seed {record['seed']}: {named}, {score}>"

    def _repr_html_(self) -> str:
        text = escape(self.text())
        for suit in ("♥", "♦"):
            text = re.sub(rf"([A-Z0-9]+{suit})", r'<span style="color:#c0392b">\1</span>', text)
        return f"<pre>{text}</pre>"


def choice_text(text: str, locale: Language) -> str:
    """A choice as advice names it in its table: sets that are shown, then what takes what, or a card that is left.

    >>> [choice_text(text, language("it")) for text in ("show nothing: 7d takes 7h", "knock with Ah 2d 3c: Ah")]
    ['non accusare: 7d prende 7h', 'accusare con Ah 2d 3♣: scartare Ah']
    """
    return cards.in_language(locale.translate(words_of(read_choice(text))), locale.name)


def card_symbol(card: str) -> str:
    """A card with its suit symbol."""
    return cards.card_symbol(cards.PACK.index(card))


def symbols(texts: list[str]) -> str:
    """Cards with suit symbols, apart by spaces."""
    return " ".join(map(card_symbol, texts))


ENGLISH = language("en")


def _lines(record: HandRecord) -> Iterator[str]:
    """A hand for a reader: the deal, play by play with suit symbols, the score by category, the coach's verdict."""
    players, bonus, sweep = record["players"], record["table_bonus"], sweep_text(record)
    seats = [Message(seat_name(players, seat)) for seat in range(players)]
    paired = players == 4 and len(record["piles"]) == 2
    sides = [Message("the other side"), Message("the dealer’s side")] if paired else seats
    judged = {play["play"]: play for play in record.get("coach", {"plays": []})["plays"]}
    changed = (f"{name} {format_value(value)}" for name, value in record["rules"].items() if name != "preset")
    rules = " · ".join([record["rules"]["preset"], *changed])
    yield Message("Hand {hand} of seed {seed} · {rules}", record["hand"], record["seed"], rules)
    together, alone = "{players} players, first and third against second and dealer", "{players} players, each alone"
    yield Message(together if paired else alone, players)
    for misdealt in record["misdeals"]:
        yield Message("Misdeal: {cards}", symbols(misdealt))
    if record["table"]:
        yield Message("Table: {cards}", symbols(record["table"]))
    if bonus:
        matta = Message(" with the matta as {value}", bonus["matta_as"]) if bonus["matta_as"] else ""
        yield Message("The dealer captures the table{matta}: +{points}", matta, bonus["points"])
    table, number = [] if bonus else list(record["table"]), 0
    for place, stage in enumerate(record["stages"], 1):
        if not stage["plays"]:
            continue  # before a hand that was begun in the middle
        yield from ("", Message("Stage {stage}", place))
        for seat, held in zip(seats, stage["hands"], strict=True):
            yield Message("  {who} holds {cards}", seat, symbols(held))
        for turn, play in enumerate(stage["plays"]):
            if turn % players == 0:
                yield Message("  table {cards}", symbols(table) or Message("empty"))
            number += 1
            played, verdict = words_of(play, seats[play["seat"]], sweep, card_symbol), judged.get(number)
            if verdict and verdict["clear"]:
                played = Message("{played}  [play {number}, −{loss:.2f}]", played, number, verdict["loss"])
            yield Message("    {played}", played)
            captured = play["captured"]
            table = [card for card in table if card not in captured] if captured else [*table, play["card"]]
    yield ""
    left, last = cards_left(record), record["last_capture_by"]
    if left and last is not None:
        yield Message("Left on the table, to {who}, who captured last: {cards}", seats[last], symbols(left))
    for side, pile, points in zip(sides, record["piles"], record["points"], strict=True):
        named = {_RECORD_NAMES.get(name, name): number for name, number in points.items() if name != "total"}
        earned = [Message("{name} {points}", Message(name), number) for name, number in named.items() if number]
        yield Message(
            "{who!c}: {points} points ({earned}) from {cards} cards",
            side, points["total"], earned or Message("nothing"), len(pile),
        )  # fmt: skip
    if record["cappotto"] is not None:
        winners = record["cappotto"] if isinstance(record["cappotto"], list) else [record["cappotto"]]
        yield Message("The game is won outright by {sides}", alternatives(sides[side] for side in winners))
    if judged:
        yield from ("", *coach_lines(record))


def sweep_text(record: HandRecord) -> str:
    """What a record says behind a play that is a sweep: that it is one, with its points if it has any."""
    points = sweep_point(tuple(record["rules"].get("scoring", ())))
    return f" · scopa! +{points}" if points else " · scopa!"


def cards_left(record: HandRecord) -> list[str]:
    """The cards that nobody captured, in the order of the pack: they go to who captured last, if anybody did."""
    left = set() if record["table_bonus"] or not record["stages"] else set(record["table"])
    for play in (play for stage in record["stages"] for play in stage["plays"]):
        left = left - set(play["captured"]) if play["captured"] else left | {play["card"]}
    return sorted(left, key=cards.PACK.index)


def _with_half(numbers: HandRecord) -> Message:
    loss, half = numbers["loss"], (numbers["ci_high"] - numbers["ci_low"]) / 2
    return Message("{loss:.2f} ± {half:.2f}", loss, half) if half else Message("{loss:.2f}", loss)


def grade_text(grade: str) -> Message:
    """A grade, one policy or ``careful to random``, for readers."""
    low, to, high = grade.partition(" to ")
    kind, _, number = low.partition(":")
    if to:
        return Message("{policy} to {other}", *map(grade_text, (low, high)))
    return Message("{policy}:{n}", Message(kind), number) if number.isdecimal() else Message("{players}", Message(low))


def coach_lines(record: HandRecord) -> Iterator[Message]:
    """What the coach says of a hand: points thrown away, the most first, and what each seat lost."""
    coach, players = record["coach"], record["players"]
    yield Message(
        "Thrown away, in points of the margin at the end of the hand ({samples:_} samples a play)", coach["samples"]
    )
    for play in sorted((play for play in coach["plays"] if play["clear"]), key=lambda play: -play["loss"]):
        yield Message(
            "  {loss} by {who} in stage {stage}, play {play}: better {better}",
            _with_half(play), Message(seat_name(players, play["seat"])), play["stage"], play["play"],
            words_of(play["best"], name=card_symbol),
        )  # fmt: skip
    rest = [play for play in coach["plays"] if not play["clear"]]
    forced = sum(play["choices"] == 1 for play in rest)
    yield Message("  nothing for certain in the other {plays} plays, {forced} of them forced", len(rest), forced)
    for seat in coach["seats"]:
        who, graded = Message(seat_name(players, seat["seat"])), ""
        if rate := seat["rate"]:
            like = grade_text(seat["grade"])
            graded = Message(", {loss} a choice ({choices}), like {policy}", _with_half(rate), seat["choices"], like)
        yield Message("{who!c}: {loss} in {plays} plays{graded}", who, _with_half(seat), seat["plays"], graded)
