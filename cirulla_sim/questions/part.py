"""One part of a clause: the phrase of a function with the words of a question in its places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ..core.cards import mask_of_word
from .lexicon import Frame, Item, data
from .question import SIDES
from .vocabulary import functions

LIGHT = frozenset({"have", "get", "make"})
"""Verbs that stand for others: *we have the primiera*, *we get a sweep*."""


class NoPlaceError(Exception):
    """Raised for words that no frame has a place for."""


@dataclass(frozen=True)
class Part:
    """A frame with its places filled: who, which cards, how many, when."""

    frame: Frame
    who: str = ""
    does: str = ""
    cards: str = ""
    number: str = ""
    sign: str = ""
    arguments: tuple[str, ...] = ()
    denied: bool = False
    matched: frozenset[int] = frozenset()
    verb: bool = False
    light: int = 0
    any_card: bool = False
    infinitive: bool = False

    @property
    def person(self) -> str:
        """Who it is about, as it was said or as the verb says."""
        return self.who or self.does

    def fill(self, item: Item) -> Part | None:
        """The same with the words of an item in their place; None where they have none."""
        frame, function = self.frame, self.frame.function
        words, does, signs = item.of("words"), item.one("does"), item.of("signs")
        fitting = [at for at, codes in enumerate(frame.words) if codes & item.codes]
        new = [at for at in fitting if at not in self.matched][:1]
        counts = bool(frame.places & {"n", "card"}) or function.gives in ("number", "count")
        who = item.one("who") if function.who else ""
        arguments = [item.one(kind) for kind in ("stage", "after", "turn", "by", "pair")
                     if item.of(kind) and kind in (*function.arguments, function.who)]  # fmt: skip
        takes_cards = frame.places & {"card", "suit"} or ("with" in frame.places and "with" in function.arguments)
        if self.who and does not in ("", self.who, "somebody") and not (does == "us" and self.who in ("me", "partner")):
            return None
        if new or words & frame.verbs:
            part = replace(self, infinitive=self.infinitive or bool(item.of("infinitive")))
            return replace(part, matched=self.matched | {*new}, verb=self.verb or not new, does=does or self.does)
        if takes_cards and not self.cards and item.of("cards"):
            return replace(self, cards=item.one("cards"))
        if who and (who != "table" or function.who == "holder"):
            if self.who in ("", who) and self.does in ("", who, "somebody"):
                return replace(self, who=who)
            if "rest" in frame.places:
                return self
        if "card" in frame.places and "card" in words and not self.cards:
            return replace(self, any_card=True)
        if item.of("numbers") and not self.number and counts and not frame.compare[-1:].isdecimal():
            return replace(self, number=item.one("numbers"), sign=item.one("signs") or self.sign)
        if not counts and item.of("numbers") <= {"1"} and signs <= {">="} and item.of("numbers") | signs:
            return self  # "at least one grande"
        if signs and not self.sign and counts:
            return replace(self, sign=item.one("signs"))
        if "=" in signs and any(min(codes).isdecimal() for codes in frame.words):  # "exactly 15" where 15 is a word
            return self
        if function.group in item.of("places") and not (function.group == "play" and "card" in frame.places):
            return self
        if arguments:
            return replace(self, arguments=(*self.arguments, *arguments))
        if "not" in item.of("joins"):
            return replace(self, denied=not self.denied)
        if item.of("places"):
            return None
        if fitting or item.of("small") or "with" in item.of("conditions") or "is" in item.of("joins"):
            return self
        takes = function.group in ("play", "pile", "score") and not takes_cards
        is_light = words & LIGHT or (takes and "take" in words)
        infinitive = self.infinitive or bool(item.of("infinitive"))
        return replace(self, light=self.light + 1, does=does or self.does, infinitive=infinitive) if is_light else None

    @cached_property
    def lacking(self) -> float:
        """The cost of this frame: words of its phrase that are missing or replaced; infinite if it cannot be meant."""
        frame, function = self.frame, self.frame.function
        cards = self.cards or (self.any_card and not function.requires)
        verb_alone = self.verb and not frame.words and not frame.verbs & LIGHT
        fits = self.matched or self.cards or (cards and self.verb) or verb_alone
        no_words = not (self.matched or self.verb)
        if no_words and (
            not function.who
            or (function.group in ("play", "pile") and self.cards and not self.light and self.who not in SIDES)
        ):
            return float("inf")
        if not fits or not self.matched >= {*range(frame.nouns)} or (frame.places & {"card", "suit"} and not cards):
            return float("inf")
        lacking = len(frame.words) - len(self.matched) + 0.6 * self.light
        lacking += (0.2 if frame.verbs & LIGHT else 0.5) * bool(frame.verbs and not self.verb)
        if function.who in ("side", "game"):
            lacking += 0.35 * (self.person in ("me", "next", "previous", "partner"))
        elif function.who:
            lacking += (0.25 if self.verb else 0.6) * (self.person in SIDES)
        lacking += 0.3 * (function.group == "held" and bool(frame.verbs) and not frame.verbs & LIGHT)
        return lacking + 0.1 * ("end" in frame.places and not self.arguments)

    def makes_sense(self, truth: bool) -> bool:
        """Whether everything in it shows in its value: a number has no count, and a sign stands before a number."""
        plain = not (self.number or self.sign or self.denied) and self.frame.function.gives != "truth"
        return (truth or plain) and bool(not self.sign or self.number or (self.sign == "all" and self.cards))

    def call(self) -> str:
        """The function with its arguments."""
        function, person = self.frame.function, self.person
        if function.who in ("side", "game"):
            person = data()["sides"].get(person, person)
            person = data()["opposites"].get(person or "us", person) if self.frame.opposite else person
        if not function.who or person == function.default in ("together", "table"):
            person = ""
        name, cards = function.name, self.cards
        if "card" in self.frame.places and function.group == "held" and cards in functions() and person not in SIDES:
            name, cards = cards, ""
        cards = f"with {cards}" if cards and "with" in function.arguments else cards
        arguments = ", ".join(filter(None, (person, cards, self.frame.detail, *self.arguments)))
        text = f"{name}({arguments})" if arguments else name
        return f"abs({text})" if name in data()["either"] and not person else text

    def is_number(self, text: str) -> bool:
        """Whether an expression is the number of a part alone, with nothing to compare it with."""
        return text == self.call() and self.frame.function.gives == "number"

    def value(self, truth: bool = True) -> str:
        """What it says, as an expression: a truth with its count, or a number."""
        compare, sign, number = self.frame.compare, self.sign, self.number
        if sign == "all":
            sign, number = "=", number or str((mask_of_word(self.cards) or 0).bit_count())
        if number.startswith("between") or (compare and number):
            compare = f"{compare} {number}".strip()
        elif number:
            usual = "=" if number == "0" or self.frame.function.gives == "number" else ">="
            compare = f"{sign or usual} {number}"
        if not truth or (compare == ">= 1" and self.frame.function.gives == "count"):
            compare = ""
        denied = self.denied and number != "0" and self.person != "nobody"
        return f"{'not ' * denied}{self.call()} {compare}".strip()
