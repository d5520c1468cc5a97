"""The words of plain questions: what each may mean, and the phrases of all functions as frames with places to fill.

They come from the phrases with which questions are read (``vocabulary.toml``, ``aggregates.toml``, ``reading.toml``)
and from ``understanding.toml``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from typing import Any
from unicodedata import normalize

from ..core.cards import CARD_WORDS, mask_of_word, texts
from ..core.data import load_toml
from ..core.errors import InputError
from ..ruleset.catalogue import catalogue, preset_names
from .question import SIDES
from .reading import grammar
from .vocabulary import PEOPLE, WORDS, Function, Term, aggregates, functions, number_word, with_argument


@dataclass(frozen=True)
class Item:
    """Some words as they were typed, and what they may mean: by kind, which."""

    typed: str
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, kind: str) -> frozenset[str]:
        """What the words may mean of a kind."""
        return self.kinds.get(kind, frozenset())

    @cached_property
    def codes(self) -> frozenset[str]:
        """The words, numbers and people that they may be in the phrases of functions."""
        return self.of("words") | self.of("numbers") | {f"who {who}" for who in self.of("who")}

    def one(self, kind: str) -> str:
        """The same where it is one thing at most; empty for none."""
        return min(self.of(kind), default="")


@dataclass(frozen=True)
class Frame:
    """A phrase of a function: its words, first the ``nouns`` that are counted, its verbs, the names of its places.

    ``detail`` is the category or kind of set that it names, ``compare`` a comparison that it means; ``opposite`` says
    that it is about the other side, ``denied`` that it has a *not*.
    """

    function: Function
    words: tuple[frozenset[str], ...]
    nouns: int
    verbs: frozenset[str]
    places: frozenset[str]
    detail: str
    compare: str
    opposite: bool
    denied: bool


@cache
def data() -> Mapping[str, Mapping[str, Any]]:
    """What ``understanding.toml`` says of words: by kind, by meaning."""
    return load_toml(__package__, "understanding.toml")


def split_words(text: str) -> list[str]:
    """The words of a text, small and without accents, commas for stops, and colons; the Italian *è* is *eh*."""
    plain = text.lower().translate(str.maketrans("’♥♦♣♠", "'hdcs"))
    plain = re.sub(r"n't\b", " not", re.sub(r"\bè\b", "eh", plain))
    plain = re.sub(r"[;.!?…]+(?=\s+\S)|\s[-–—]+\s", ",", plain)
    return re.findall(r"[a-z0-9_]+|[,:]", normalize("NFKD", plain).encode("ascii", "ignore").decode())


# ------------------------------------------------------------------------------------------------ the lexicon


class Lexicon:
    """What the words of a language mean, and the frames of all functions; ``place`` is 0 for English, 1 for Italian."""

    def __init__(self, place: int) -> None:
        self.place, self.meanings, self.frames = place, defaultdict[str, set[tuple[str, str]]](set), list[Frame]()
        shared = grammar()
        for kind, words in data().items():
            for value, phrases in words.items():
                if isinstance(phrases, list) and kind not in ("options", "patterns", "before_games", "rewrites"):
                    self.add(phrases[place], kind, value)
        for name, house in catalogue()["house"].items():
            self.add(house["phrases"][place], "house", name)
        ordinals = " ".join(WORDS["ordinals"].values()).split()  # "the first sweep" is nobody's
        for word, name in PEOPLE.items():
            if ("small", "words") not in self.meanings[word] and word not in ordinals:
                self.add(word, "small" if name == "together" else "who", name)  # alone it says no more than "and"
        known = {*PEOPLE.values(), "table"} - {"most", "fewest"}
        for section in ("people", "one_of_several", "none_of"):
            for name, phrases in shared[section].items():
                who = next((one for one in (name, name.removesuffix("_side")) if one in known), "")
                who = {"everybody_side": "each_side", "somebody_side": "one_side"}.get(name, who)
                if who and phrases[place]:
                    self.add(phrases[place], "who", who if section != "none_of" else "nobody")
        for name, one in aggregates().items():
            pieces = [part.replace(",", " ") for part in re.split(r" ?\{[xyn](?::\w+)?\} ?", one.reads[place]) if part]
            for at, part in enumerate(pieces if name not in ("chance", "mean") else []):
                self.add(part, "asks" if at == 0 else "part" if one.parts > 1 else "small", name)
        keys = [(key.partition(" "), phrases[place]) for key, phrases in shared["meanings"].items()]
        meanings = [(key, phrase) for key, phrase in keys if key[2][0] in ">=" and key[2] != "= 0"]
        seen, self.verbs = set(), set[str]()
        self.asides = {aside for texts in shared["words"].values() for aside in re.findall(r" \([^)]*\)", texts[place])}
        for function in functions().values():
            texts = [function.reads[place], *function.says[place]]
            texts += [f"{phrase} {compare}" for (name, _, compare), phrase in meanings if name == function.name]
            for text in texts if function.reads not in seen else ():
                for detail, variant in _variants(text, place):
                    self._add_frame(function, variant, detail)
            seen.add(function.reads)

    def add(self, phrases: str, kind: str, value: str) -> None:
        """Phrases between commas that mean something.

        ``phrase:me`` says who does it, ``stem+are`` is all forms of a verb with these endings.
        """
        for phrase in phrases.split(","):
            stem, _, rest = phrase.partition("+")
            ending, _, tail = rest.partition(" ")
            for form in data()["endings"][ending].split() if ending else [""]:
                text, _, who = f"{stem}{form.strip('-')}".partition(":")
                if words := " ".join(split_words(f"{text} {tail}")):
                    self.meanings[words] |= {(kind, value), *([("does", who)] if who else [])}

    def _add_frame(self, function: Function, text: str, detail: str) -> None:
        self.asides |= {*re.findall(r" \([^)]*\)", text.lower())}
        if named := re.search(r" \[(\w+)\]$", text):
            text, detail = text[: named.start()], named[1]
        compare, opposite = re.search(r" (>?=( \d+)?)$", text), text.endswith(" !")
        text = re.sub(r" \([^)]*\)| >?=.*$| !$", "", text)
        places = {*re.findall(r"\{(\w+)", text), *re.findall(r"\{n:(card)\}", text)}
        verbs = {verb: frozenset[str]().union(*self._codes(verb)) for verb in re.findall(r"<([^>]+)>", text)}
        for verb, codes in verbs.items():
            forms = WORDS["verbs"].get(verb, "").split() if self.place else [verb.removesuffix("s")]
            for (form, who), code in product(zip(forms, (":me", ":us", ""), strict=False), codes):
                self.add(form + who * self.place, "words", code)
        words = list[frozenset[str]]()
        for noun in re.findall(r"\{n:([^}]*\|[^}]*)\}", text):
            one, several = re.sub(r"^(one|una|un) ", "", noun).split("|")
            words += [a | b if len(b) == 1 else a for a, b in zip(self._codes(one), self._codes(several), strict=False)]
        nouns = len(words)
        words += self._codes(re.sub(r"\{[^}]*\}|<[^>]*>", " ", text))
        doing = frozenset[str]().union(*verbs.values())
        self.verbs |= doing
        self.frames.append(Frame(function, tuple(words), nouns, doing, frozenset(places),
                                 detail, compare[1] if compare else "", opposite, " non " in f" {text}"))  # fmt: skip

    def _codes(self, text: str) -> list[frozenset[str]]:
        """What the words of a phrase of a function mean; one that has no meaning yet means itself."""
        found, words = [], split_words(text)
        while words:
            size = next((n for n in range(len(words), 0, -1) if self._codes_of(words[:n])), 1)
            codes = self._codes_of(words[:size])
            codes = codes & {words[0], words[0].removesuffix("s")} or codes
            kinds = {kind for kind, _ in self.meanings.get(words[0], ())}
            codes = codes or frozenset(f"who {who}" for kind, who in self.meanings.get(words[0], ()) if kind == "who")
            if not codes and not kinds & {"small", "joins", "conditions"}:
                self.add(words[0], "words", words[0])
                codes = frozenset(words[:1])
            found += [codes] if codes else []
            words = words[size:]
        return found

    def _codes_of(self, words: Sequence[str]) -> frozenset[str]:
        return frozenset(value for kind, value in self.meanings.get(" ".join(words), ()) if kind == "words")

    # -------------------------------------------------------------------------------- texts

    def items(self, words: Sequence[str]) -> list[Item]:
        """The longest phrases with a meaning, one after the other; any other word is an item without kinds."""
        found, at = list[Item](), 0
        while at < len(words):
            each = (Item(" ".join(words[at:end]), self.kinds(" ".join(words[at:end])))
                    for end in range(min(len(words), at + 12), at, -1))  # fmt: skip
            found.append(item := next(one for one in each if one.kinds or " " not in one.typed))
            at += len(item.typed.split())
        return found

    @cache  # noqa: B019 there are two lexicons
    def kinds(self, typed: str) -> dict[str, frozenset[str]]:
        """What some words may mean, by kind."""
        codes = set(self.meanings.get(typed, ()))
        number, cards = number_of(typed), mask_of_word(typed) or 0
        if number and typed not in ("uno", "una"):
            codes.add(("numbers", number))
        alone = typed in CARD_WORDS and typed not in ("one", "uno", "una")
        if cards.bit_count() % 40 and (alone or " " in typed or not codes):
            codes.add(("cards", _called(cards)))
        for kind in (
            ("after", "stage", "turn", "by") if " " in typed and not typed.startswith(("my ", "la mia ")) else ()
        ):
            if (term := with_argument(kind, typed, Term(""))) is not None:
                stages = [str(one + 1) for one in term.stages]
                several = f"s {stages[0]}-{stages[-1]}" if len(stages) > 1 else f" {stages[0]}" if stages else ""
                codes.add((kind, {"after": f"after stage {term.after}", "stage": f"stage{several}", "by": "by scopa",
                                  "turn": f"card {(term.turn or 0) + 1}"}[kind]))  # fmt: skip
        for name, pattern in data()["patterns"].items():
            if match := re.fullmatch(pattern, typed):
                kind, _, value = name.partition(" ")
                codes.add((kind, value + "".join(filter(None, match.groups()))))
        if re.search("ing$" if not self.place else "[aei]re$", typed) and any(
            value in self.verbs for kind, value in codes if kind == "words"
        ):
            codes.add(("infinitive", "us"))
        before, _, name = typed.partition(" ")
        name = name if before in data()["before_games"]["words"][self.place].split(", ") else "" if codes else typed
        if (game := name.replace(" ", "-")) in preset_names():
            codes.add(("rules", game))
        return {kind: frozenset(value for one, value in codes if one == kind) for kind in {kind for kind, _ in codes}}

    def known(self, words: Sequence[str], text: str) -> tuple[list[Item], list[tuple[str, str]]]:
        """The items of a text, slips of a letter corrected, and which; *he* and *it* are who and what was named last.

        Raises ``InputError`` for a word that is not known, as it stands in the ``text``.
        """
        found, named, here = list[Item](), dict[str, frozenset[str]](), False
        corrected = [(word, near) for word in words if (near := self._nearest(word)) != word]
        words = [dict(corrected).get(word, word) for word in words]
        for item in self.items(words):
            if not item.kinds and item.typed not in (",", ":"):
                typed = next((word for word, near in corrected if near == item.typed), item.typed)
                typed = next((word for word in re.findall(r"\w+", text) if split_words(word) == [typed]), typed)
                raise InputError("I know nothing of {word!r}", typed)
            again = item.one("again")
            if (last := named.get(again, frozenset())) and not (again == "cards" and here):
                found.append(Item(item.typed, {"cards" if again == "cards" else "who": last}))
            if not last or item.kinds.keys() - {"again"}:
                found.append(item)
            who, cards = item.of("who") - {"me", "us", "nobody", "table"}, item.of("cards")
            named |= {"who": who, "side": frozenset(data()["sides"].get(one, one) for one in who)} if who else {}
            named |= {"cards": cards} if cards else {}
            here = bool(cards or (here and not item.kinds.keys() & {"asks", "conditions"} and item.kinds))
        return found, corrected

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that stand in a phrase or in the name of a game."""
        return frozenset(" ".join([*self.meanings, *preset_names()]).replace("-", " ").split())

    def _nearest(self, word: str) -> str:
        """A word, or the known one that it is with a slip; itself where that may be two that mean something else."""
        if word in self.words or len(word) < 4 or self.kinds(word):
            return word
        near = sorted(one for one in self.words if _is_slip(word, one))
        return near[0] if near and all(self.kinds(one) == self.kinds(near[0]) for one in near) else word


def _is_slip(word: str, other: str) -> bool:
    """Whether words differ by one letter that is wrong, lacking or too many, or by two the other way round.

    >>> [other for other in ("settebello", "sette") if _is_slip("settebelo", other)], _is_slip("mtata", "matta")
    (['settebello'], True)
    """
    shorter = min(len(word), len(other))
    same = next((at for at in range(shorter) if word[at] != other[at]), shorter)
    one, two = word[same:], other[same:]
    return one[1:] == two[1:] or one[1:] == two or one == two[1:] or (one[:2] == two[1::-1] and one[2:] == two[2:])


lexicon_of = cache(Lexicon)
"""The words of English (0) or of Italian (1)."""


def number_of(word: str) -> str:
    """A number, or a range of numbers, as it is written in expressions; empty for other words."""
    if match := re.fullmatch(r"(?:between|tra|fra) (\w+) (?:and|e) (\w+)", word):
        low, high = map(number_of, match.groups())
        return f"between {low} and {high}" if low and high else ""
    number = int(word) if word.isdecimal() else number_word(word)
    return "" if number is None else str(number)


def _called(cards: int) -> str:
    """The word of the language for some cards."""
    named = {mask_of_word(name): name for name in ("figure", *functions(), "matta", "settebello")}
    return named.get(cards) or texts(cards)[0]


def _variants(text: str, place: int) -> Iterator[tuple[str, str]]:
    """A phrase for each kind of set or category that may stand in it."""
    holes = {"{n:kind}": "kinds", "{kinds}": "kinds", "{contest}": "contests", "{category}": "categories"}
    for hole, section in holes.items():
        for name, phrases in grammar()[section].items() if hole in text else ():
            phrase = f"{{n:{phrases[place]}}}" if section == "kinds" else phrases[place]
            yield "" if name == "any" else name, text.replace(hole, phrase)
            if section == "categories" and not place:  # "we win cards"
                yield name, text.replace(hole, f" {name}")
    if not any(hole in text for hole in [*holes][:3]):
        yield "", text.replace("{category}", "")


LIGHT = frozenset({"have", "get", "make"})
"""Verbs that stand for others: *we have the primiera*, *we get a sweep*."""


class NoPlaceError(Exception):
    """Raised for words that no frame has a place for."""


@dataclass(frozen=True)
class ClausePart:
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

    def fill(self, item: Item) -> ClausePart | None:
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
