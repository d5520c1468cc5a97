"""Choices as cards on a table: those of advice, best first and judged, and what a player may do with a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core import cards
from ..core.locale import Language
from ..situation.hand import HandState
from ..situation.notation import Situation
from ..situation.plays import TurnChoice, captured, card_of, cards_shown, choice_record, words_of
from ..situation.positions import after_choice, likely_seat, read_position

if TYPE_CHECKING:
    from ..reporting.result import Result

RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king")
SUIT_NAMES = ("of hearts", "of diamonds", "of clubs", "of spades")


@dataclass(frozen=True)
class ShownChoice:
    """A choice in cards and in ``words``, also as they are read out; ``after`` is the situation after it.

    ``verdict`` and ``reason`` are what advice says of it, ``is_best`` where no other was found to be better.
    """

    shown: Sequence[str]
    card: str
    taken: Sequence[str]
    words: str
    spoken: str
    after: str
    verdict: str = ""
    reason: str = ""
    is_best: bool = False


def card_name(card: int, locale: Language) -> str:
    """What a card is called, in words."""
    return f"{locale.say(RANK_NAMES[card % 10])} {locale.say(SUIT_NAMES[card // 10])}"


def in_cards(s: Situation, now: HandState, choice: TurnChoice, locale: Language, **judged: str | bool) -> ShownChoice:
    """A choice of the player to play in cards; ``judged`` is what is said of it."""
    play, after = choice_record(choice, bool(now.sets)), after_choice(s, now, choice)
    words = locale.translate(words_of(play, name=lambda card: cards.card_symbol(cards.parse(card))))
    spoken = locale.translate(words_of(play, name=lambda card: card_name(cards.parse(card), locale)))
    return ShownChoice(
        cards.texts(cards_shown(choice.show)), cards.text(card_of(choice.play)), cards.texts(captured(choice.play)),
        words, spoken, "" if after is None else after.text(locale.name), **judged,  # type: ignore[arg-type]
    )  # fmt: skip


def judged_choices(result: Result, locale: Language) -> list[ShownChoice]:
    """The choices that advice has judged, best first, each with how far it is behind and why.

    Those that do not differ significantly from the first are all called perhaps the best.
    """
    from ..reporting.text.cells import is_significant, number, reason_text
    from ..storage.request import Request

    request = Request.from_json(result.metadata["request"])
    s = Situation.parse(request.situation["at"])
    now = likely_seat(read_position(request.rules.fields, s))
    by_words = {now.in_words(choice): choice for choice in now.legal}
    found: list[ShownChoice] = []
    rows = [row for row in result.frame.to_dicts() if row["quantity"] == "behind" and row["play"] in by_words]
    is_open = any(row["estimate"] and not is_significant(row) for row in rows)
    for row in rows:
        behind = number(row, locale).lstrip("+").split()[0]  # the interval stands below
        words = "{n} fewer wins in 100 games" if row["per"] == "game" else "{n} points behind"
        if is_best := not is_significant(row):
            words = "perhaps the best" if is_open else "just as good" if found else "best"
        found.append(in_cards(
            s, now, by_words[row["play"]], locale, verdict=locale.say(words, n=behind), is_best=is_best,
            reason=reason_text(row["reason"], locale),
        ))  # fmt: skip
    return found
