"""Plain questions in English or Italian, understood as expressions of the question language, or refused.

The words come from the phrases that questions are read with: each phrase of a function is a frame, its words and places.
A sentence is cut into clauses, a clause into parts with one noun each, and the frame is chosen that has a place for
every word. A word that finds no place refuses the question: no other question is ever answered.

>>> from cirulla_sim.ruleset.presets import build
>>> understand("how often do we win if I have two aces?", build("cirulla")).text
'wins(us) given aces(me) >= 2'
>>> understand("quante scope si fanno in media?", build("cirulla")).text
'mean(sweeps)'
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple
from unicodedata import normalize

from ..core.cards import CARD_WORDS, RANK_OF, SUIT_OF, described
from ..core.errors import InputError
from ..ruleset.catalogue import preset_names
from ..ruleset.rules_model import Rules
from .aggregates import aggregates
from .parser import read
from .question import Speaker, bound, read_question
from .reading import VERBS, grammar
from .vocabulary import PEOPLE, Function, functions, number_word

Code = tuple[str, str]
"""A kind of thing that words may mean, and which."""


@dataclass(frozen=True)
class Item:
    """Some words as they were typed, and what they may mean: by kind, which."""

    typed: str
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, kind: str) -> frozenset[str]:
        """What the words may mean of a kind."""
        return self.kinds.get(kind, frozenset())

    def one(self, kind: str) -> str:
        """The same where it is one thing at most; empty for none."""
        return min(self.of(kind), default="")

    @classmethod
    def meaning(cls, typed: str, codes: Iterable[Code]) -> Item:
        """Words with their codes."""
        kinds: dict[str, set[str]] = defaultdict(set)
        for kind, value in codes:
            kinds[kind].add(value)
        return cls(typed, {kind: frozenset(values) for kind, values in kinds.items()})


class Frame(NamedTuple):
    """A phrase of a function: its words, first the ``nouns`` that are counted, its verbs, the names of its places."""

    function: Function
    words: tuple[frozenset[str], ...]
    nouns: int
    verbs: frozenset[str]
    places: frozenset[str]
    detail: str
    compare: str


class Understood(NamedTuple):
    """A question and options of ``odds``; ``others`` are other fair readings, ``corrected`` words with what was read."""

    text: str
    options: Mapping[str, str]
    others: tuple[str, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()


# ------------------------------------------------------------------------------------------------ the lexicon


@cache
def _data() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("understanding.toml").read_text("utf-8"))


def _words(text: str) -> list[str]:
    """The words of a text, commas and colons, small and without accents."""
    plain = re.sub(r"\bè\b", "eh", text.lower().replace("’", "'"))
    for signs, letter in (("♥♡", "h"), ("♦♢", "d"), ("♣♧", "c"), ("♠♤", "s")):
        plain = re.sub(f"[{signs}]", letter, plain)
    plain = normalize("NFKD", re.sub(r"n't\b", " not", plain)).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9_]+|[,:]", plain)


@dataclass
class _Lexicon:
    """What the words of a language mean, and the frames of all functions; ``place`` is 0 for English, 1 for Italian."""

    place: int
    meanings: dict[tuple[str, ...], set[Code]] = field(default_factory=lambda: defaultdict(set))
    frames: list[Frame] = field(default_factory=list)

    def add(self, phrases: str, kind: str, value: str) -> None:
        """Phrases between commas that mean something; ``phrase:me`` says who does it."""
        for phrase in phrases.split(","):
            text, _, who = phrase.partition(":")
            if words := tuple(_words(text)):
                self.meanings[words] |= {(kind, value), *([("does", who)] if who else [])}

    def items(self, words: Sequence[str]) -> Iterator[Item]:
        """The longest phrases that are known, one after the other; a word that is not has no meaning."""
        at, longest = 0, max(map(len, self.meanings))
        while at < len(words):
            for size in range(min(longest, len(words) - at), 0, -1):
                if (part := tuple(words[at : at + size])) in self.meanings or size == 1:
                    yield Item.meaning(" ".join(part), self.meanings.get(part, ()))
                    at += size
                    break

    def codes(self, text: str) -> list[frozenset[str]]:
        """What the words of a phrase of a function mean; one that has no meaning yet means itself."""
        found = []
        for word in _words(text):
            codes = {value for kind, value in self.meanings.get((word,), ()) if kind == "words"}
            idle = {
                ("small", "words"),
                *(("joins", name) for name in _data()["joins"]),
                *(("conditions", name) for name in _data()["conditions"]),
            }
            if not codes and not idle & {*self.meanings.get((word,), ())}:
                codes = {word}
                self.add(word, "words", word)
            found += [frozenset(codes)] if codes else []
        return found

    def phrase(self, text: str) -> list[frozenset[str]]:
        """The same, phrases of several words first."""
        found, words = [], _words(text)
        while words:
            size = next((n for n in range(len(words), 1, -1)
                         if any(kind == "words" for kind, _ in self.meanings.get(tuple(words[:n]), ()))), 1)  # fmt: skip
            several = {value for kind, value in self.meanings.get(tuple(words[:size]), ()) if kind == "words"}
            found += [frozenset(several)] if size > 1 else self.codes(words[0])
            words = words[size:]
        return found

    def add_frame(self, function: Function, text: str, detail: str) -> None:
        """A phrase of a function as a frame."""
        compare = re.search(r" (>=|=)( \d+)?$", text)
        text = re.sub(r" \([^)]*\)| >?=.*$", "", text)
        places, verbs, words = {*re.findall(r"\{(\w+)", text)}, set[str](), list[frozenset[str]]()
        for verb in re.findall(r"<([^>]+)>", text):
            verbs |= set().union(*self.phrase(verb))
            forms = zip(
                (":me", ":us", ""), VERBS.get(verb, verb.removesuffix("s") * (1 - self.place)).split(), strict=False
            )
            for (who, form), code in product(forms, set().union(*self.phrase(verb))):
                self.add(form + who * self.place, "words", code)
        for noun in re.findall(r"\{n:([^}]*\|[^}]*)\}", text):
            one, several = (_words(part) for part in re.sub(r"^(one|una|un) ", "", noun).split("|"))
            words += self.phrase(" ".join(one))
            for single, plural in zip(one, several, strict=False) if tuple(one) not in self.meanings else ():
                for codes in self.codes(single):
                    self.add(plural, "words", min(codes)) if (plural,) not in self.meanings else None
        places |= {"card"} if "{n:card}" in text else set()
        nouns = len(words)
        words += self.phrase(re.sub(r"\{[^}]*\}|<[^>]*>", " ", text))
        self.frames.append(Frame(function, tuple(words), nouns, frozenset(verbs), frozenset(places), detail,
                                 compare[0].strip() if compare else ""))  # fmt: skip


@cache
def _lexicon(place: int) -> _Lexicon:
    lexicon, data, shared = _Lexicon(place), _data(), grammar()
    for kind in ("words", "places", "who", "signs", "numbers", "asks", "joins", "conditions", "small"):
        for value, phrases in data[kind].items():
            lexicon.add(phrases[place], kind, "words" if kind == "small" else value)
    for word, name in PEOPLE.items():
        lexicon.add(word, "who", name)
    aliases = {"all_players": "together", "both_players": "together", "both_sides": "together", "opponent": "them"}
    for section in ("people", "together", "one_of_several", "none_of"):
        for name, phrases in shared[section].items():
            if phrases[place] and "{" not in phrases[place] and not name.startswith(("most", "fewest", "that", "one")):
                of = "nobody" if section == "none_of" else name.removesuffix("_side") if name != "dealer_side" else name
                of = name if name in ("dealer_side", "first_side") else of
                lexicon.add(
                    phrases[place],
                    "who",
                    aliases.get(of, "somebody" if section == "one_of_several" and of == "together" else of),
                )
    for sign, phrases in shared["counts"].items():
        lexicon.add(
            re.sub(r"\{n(:\w+)?\}", lambda match: match[1][1:] if match[1] else "", phrases[place]), "signs", sign
        )
    for number in range(1, 13):
        lexicon.add(shared["people"]["pair"][place].format(n=number), "pair", f"pair {number}")
    for key in ("number_of", "only", "first", "on_table", "now"):
        lexicon.add(re.sub(r"\{what\}.*", "", shared["words"][key][place]).replace("{n}", ""), "small", "words")
    for number in range(2, 11):
        spelt = shared["words"]["numbers"][place].split()[number]
        for key in ("only", "first", "on_table"):
            phrase = shared["words"][key][place].format(n=spelt).removeprefix("le ")
            for before in (("", "among "), ("le ", "tra le ", "delle ", "nelle "))[place]:
                lexicon.add(f"{before}{phrase}", "small", "words")
    of = ("of", "di")[place]
    for rank, suit in product(RANK_OF, SUIT_OF):
        if len(suit) > 1 and (cards := described(f"{rank} {of} {suit}")):
            lexicon.add(f"{rank} {of} {suit}", "cards", _card(cards))
            lexicon.add(f"{rank}{suit[0]}", "cards", _card(cards)) if len(rank) < 3 else None
    for word, mask in CARD_WORDS.items():
        if mask.bit_count() < 40:
            lexicon.add(word, "cards", word if word in ("matta", "settebello") else _named(mask) or word)
    for word, number in _numbers():
        lexicon.add(word, "numbers", str(number))
    for name, phrases in shared["contests"].items():
        lexicon.add(phrases[place], "words", f"most {name}")
        lexicon.add(phrases[place].removesuffix(" di tutti").removeprefix("the "), "words", f"most {name}")
    _add_times(lexicon, shared)
    for name in preset_names():
        for before in (("in", "at", "of", "playing"), ("in", "a", "di", "nello", "nella", "nel", "giocando a"))[place]:
            lexicon.add(f"{before} {name.replace('-', ' ')}", "rules", name)
    for name, one in aggregates().items():
        first, *others = [part.replace(",", " ") for part in re.split(r" ?\{[xyn](?::\w+)?\} ?", one.reads[place])]
        if first and name not in ("chance", "mean"):
            lexicon.add(first, "asks", name)
        elif others and name not in ("chance", "mean"):
            lexicon.add(others[0], "asks", name)
        for part in others if first else others[1:]:
            lexicon.add(part, "part" if one.parts > 1 and part == others[0] else "small", "words")
    seen = set()
    for function in functions().values():
        texts = [function.reads[place], *function.says[place]] if function.reads not in seen else []
        for key, phrases in shared["meanings"].items():
            name, _, compare = key.partition(" ")
            texts += [f"{phrases[place]} {compare}"] if name == function.name and compare[0] in ">=" else []
        for text in texts:
            for detail, variant in _variants(text, shared, place):
                lexicon.add_frame(function, variant, detail)
        seen.add(function.reads)
    return lexicon


def _variants(text: str, shared: Mapping[str, Any], place: int) -> Iterator[tuple[str, str]]:
    """A phrase for each kind of set or category that may stand in it."""
    for hole, section in (
        ("{n:kind}", "kinds"),
        ("{kinds}", "kinds"),
        ("{contest}", "contests"),
        ("{category}", "categories"),
    ):
        if hole in text:
            for name, phrases in shared[section].items():
                said = phrases[place] if section != "kinds" else f"{{n:{phrases[place]}}}"
                if name != "fewest":
                    yield "" if name == "any" else name, text.replace(hole, said)
            if section != "categories":
                return
            text = text.replace(hole, "")
    yield "", text


def _named(mask: int) -> str:
    return next((name for name in functions() if described(name) == mask), "")


def _card(mask: int) -> str:
    from ..core.cards import texts

    return "settebello" if mask == described("settebello") else texts(mask)[0]


def _numbers() -> Iterator[tuple[str, int]]:
    from .vocabulary import _NUMBERS

    yield from ((word, number) for word, number in _NUMBERS.items() if word not in ("uno", "una"))
    yield from ((str(number), number) for number in range(100))


_NTH = (("first", "second", "third", "fourth", "fifth"), ("primo", "secondo", "terzo", "quarto", "quinto"))


def _add_times(lexicon: _Lexicon, shared: Mapping[str, Any]) -> None:
    """Stages, and the first or second card of each stage."""
    place, say = lexicon.place, shared["words"]
    stage, the, card = (("stage", "the ", "card"), ("giro", "il ", "carta"))[place]
    for number in range(1, 13):
        nth = _NTH[place][number - 1 : number]
        for called in (
            f"{stage} {number}",
            *(f"{the}{one} {stage}" for one in nth),
            *(f"{one} {stage}" for one in nth),
        ):
            for before in ("", "in ", "within ") if place == 0 else ("", "nel ", "del ", "in "):
                lexicon.add(
                    before + called.removeprefix("il " if before in ("nel ", "del ") else "\0"),
                    "stage",
                    f"stage {number}",
                )
            for before in (
                ("after ", "by the end of ", "at the end of ", "until "),
                ("dopo ", "entro la fine del ", "alla fine del "),
            )[place]:
                lexicon.add(
                    before + called.removeprefix("il " if before.endswith("del ") else "\0"),
                    "after",
                    f"after stage {number}",
                )
        for key in ("turn", "turn_of_any"):
            lexicon.add(say[key][place].format(n=number), "turn", f"card {number}")
        for one in (("first", "second", "third", "fourth"), ("prima", "seconda", "terza", "quarta"))[place][
            number - 1 : number
        ]:
            for before in (("my", "with my", "as the", "with the", "the"), ("con la", "come", "con la mia", "la"))[
                place
            ]:
                lexicon.add(f"{before} {one} {card}", "turn", f"card {number}")
        for last in range(number + 1, 13):
            lexicon.add(say["stages"][place].format(first=number, last=last), "stage", f"stages {number}-{last}")
    lexicon.add(("in the last stage, last stage", "nell ultimo giro, ultimo giro, all ultimo giro, nell ultima distribuzione")[place],
                "stage", "stage last")  # fmt: skip
    lexicon.add(
        f"{say['by'][place]}, {('with a sweep, with a scopa', 'con una scopa, facendo scopa')[place]}", "by", "by scopa"
    )


# ------------------------------------------------------------------------------------------------ one part of a clause

_OF_SIDES = {"me": "us", "partner": "us", "next": "them", "previous": "them", "opposite": "them", "others": "them",
             "dealer": "dealer_side", "first": "first_side", "all": "everybody"}  # fmt: skip
_SIDES = ("us", "them", "dealer_side", "first_side", "others")
_LIGHT = {"have", "get", "make"}
"""Verbs that stand for others: *we have the primiera*, *we get a sweep*."""


@dataclass(frozen=True)
class _Part:
    """A frame with its places filled: who, which cards, how many, when; ``penalty`` is what it lacks."""

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

    def fill(self, item: Item) -> _Part | None:
        """The same with the words of an item in their place; None where they have none."""
        frame, function, words = self.frame, self.frame.function, item.of("words")
        said = words | item.of("numbers")
        fitting = [at for at, codes in enumerate(frame.words) if codes & said]
        if self.who and item.one("does") not in ("", self.who, "somebody"):
            return None
        if new := [at for at in fitting if at not in self.matched]:
            return replace(self, matched=self.matched | {new[0]}, does=item.one("does") or self.does)
        if words & frame.verbs:
            return replace(self, verb=True, does=item.one("does") or self.does)
        takes_cards = frame.places & {"card", "suit"} or ("with" in frame.places and "with" in function.arguments)
        if takes_cards and not self.cards and item.one("cards"):
            return replace(self, cards=item.one("cards"))
        if (who := item.one("who")) and function.who and not (who == "table" and function.who != "holder"):
            if self.who in ("", who) and self.does in ("", who, "somebody"):
                return replace(self, who=who)
            if "rest" in frame.places:
                return self
        if "card" in frame.places and "card" in words and not self.cards:
            return replace(self, any_card=True)
        counts = bool(frame.places & {"n", "card"}) or function.gives in ("number", "count")
        if item.of("numbers") and not self.number and counts and not frame.compare.endswith(tuple("0123456789")):
            return replace(self, number=item.one("numbers"))
        if item.of("signs") and not self.sign and counts:
            return replace(self, sign=item.one("signs"))
        for kind in ("stage", "after", "turn", "by", "pair"):
            if item.of(kind) and kind in (*function.arguments, function.who):
                return replace(self, arguments=(*self.arguments, item.one(kind)))
        if "not" in item.of("joins"):
            return replace(self, denied=not self.denied)
        if item.of("places") and function.group != "held":
            return None
        if (
            fitting
            or item.of("places")
            or item.of("small")
            or {"with", "is"} & (item.of("conditions") | item.of("joins"))
        ):
            return self
        if words & _LIGHT:
            return replace(self, light=self.light + 1, does=item.one("does") or self.does)
        return None

    @property
    def lacking(self) -> float:
        """How much of the phrase was not said, or was said in other words; infinite where it cannot be meant."""
        frame, function = self.frame, self.frame.function
        needs_cards = bool(frame.places & {"card", "suit"}) and not self.cards
        if (
            not self.matched >= {*range(frame.nouns)}
            or (needs_cards and (function.requires or not self.any_card))
            or (
                not self.matched
                and not self.cards
                and not self.any_card
                and (frame.words or not self.verb or frame.verbs & _LIGHT)
            )
        ):
            return float("inf")
        lacking = (
            len(frame.words)
            - len(self.matched)
            + 0.6 * self.light
            + (0.2 if frame.verbs & _LIGHT else 0.5) * (bool(frame.verbs) and not self.verb)
        )
        if function.who in ("side", "game"):
            lacking += 0.35 * (self.person in ("me", "next", "previous", "partner"))
        elif function.who:
            lacking += 0.25 * (self.person in _SIDES)
        return lacking + 0.1 * ("end" in frame.places and not self.arguments)

    @property
    def person(self) -> str:
        return self.who or self.does

    def call(self) -> str:
        """The function with its arguments."""
        function, person = self.frame.function, self.person
        if function.who in ("side", "game"):
            person = _OF_SIDES.get(person, person)
        if not function.who or (person == function.default and function.default != "me"):
            person = ""
        name, cards = function.name, self.cards
        if "card" in self.frame.places and function.group == "held":
            alone = cards in functions() and person not in _SIDES
            name, cards = (cards, "") if alone else (name, cards)
        cards = f"with {cards}" if cards and "with" in function.arguments else cards
        arguments = [*filter(None, (person, cards, self.frame.detail, *self.arguments))]
        return f"{name}({', '.join(arguments)})" if arguments else name

    def value(self, truth: bool) -> str:
        """What it says, as an expression: a truth with its count, or a number."""
        function, sign, number = self.frame.function, self.sign, self.number
        compare = self.frame.compare
        if compare and number:
            compare = f"{compare} {number}"
        elif sign == "all" and not number and self.cards:
            compare = f"= {(described(self.cards) or 0).bit_count()}"
        elif number.startswith("between"):
            compare = number
        elif number:
            usual = "=" if number == "0" or function.gives == "number" else ">="
            compare = f"{sign.replace('all', '=') or usual} {number}"
        if not truth or (compare == ">= 1" and function.gives == "count"):
            compare = ""
        text = f"{self.call()} {compare}".strip()
        return f"not {text}" if self.denied and number != "0" else text


# ------------------------------------------------------------------------------------------------ sentences


class _NoPlaceError(Exception):
    """Raised for an item that no frame has a place for."""


@dataclass
class _Sentence:
    """Understands the items of one sentence; ``other`` takes the other fair reading where there are two."""

    lexicon: _Lexicon
    rules: Rules
    other: bool = False
    most: bool = False

    def part(self, items: Sequence[Item], before: _Part | None, truth: bool) -> _Part:
        """The frame that has a place for all items, with these; raises ``_NoPlaceError`` where there is none."""
        items, placed, best = _settled(items), [], (len(items) + 1, "")
        said = frozenset[str]().union(*(item.of("words") | item.of("numbers") for item in items))
        cards = any(item.of("cards") for item in items)
        for frame in self.lexicon.frames:
            heads = any(codes & said for codes in frame.words) or (not frame.words and frame.verbs & said)
            if (
                not heads
                and not (cards and frame.places & {"card", "suit"})
                and not ("card" in frame.places and "card" in said)
            ):
                continue
            part, lost = _Part(frame), []
            for item in items:
                filled = part.fill(item)
                part = filled or part
                lost += [] if filled else [item.typed]
            if lost or (not part.matched | {-1 * part.verb} and not part.cards):
                best = (
                    min(best, (len(lost), lost[0] if lost else items[0].typed), key=lambda one: one[0])
                    if lost
                    else best
                )
            else:
                placed.append(self._with_who(part, before))
        placed = [part for part in placed if part.lacking < 1.8]
        for part in sorted(
            placed,
            key=lambda part: (
                part.lacking + 3 * self._is_impossible(part) + 2 * (part.frame.function.space in ("turn", "night")),
                -len(part.matched),
            ),
        ):
            text = part.value(truth)
            if part.sign and not part.number and (part.sign != "all" or not part.cards):
                continue
            if not truth and (part.number or part.sign or part.denied or part.frame.function.gives == "truth"):
                continue
            try:
                bound(text, read(text), Speaker(self.rules), truth)
            except InputError:
                continue
            return part
        raise _NoPlaceError(best[1] or next((item.typed for item in items if not item.of("small")), ""))

    def _with_who(self, part: _Part, before: _Part | None) -> _Part:
        function = part.frame.function
        if self.most and part.who in ("somebody", "everybody"):
            return replace(part, who="most")
        if part.person or not function.who:
            return part
        if before is not None and before.person and not (before.person == "us" and function.who == "holder"):
            return replace(part, does=before.person)
        if function.who == "side" and not part.cards and function.group == "pile" and function.gives != "number":
            return replace(part, does="somebody")
        return replace(part, does="together") if function.as_one and function.gives == "number" else part

    def _is_impossible(self, part: _Part) -> bool:
        """Whether more cards are held than there are in a holding."""
        if part.frame.function.group != "held" or not part.number.isdecimal() or part.frame.function.gives != "count":
            return False
        size = max(self.rules.deal_plan) if part.person != "table" else self.rules.table_cards
        return int(part.number) > (size if part.cards else size // 3) and part.person not in _SIDES

    def clause(self, items: Sequence[Item], before: _Part | None = None, truth: bool = True) -> tuple[str, _Part]:
        """The expression of a clause: its parts with *and* and *or* between them; and the last of them."""
        texts: list[str] = []
        people: list[str] = []
        for group, join in _groups(items):
            if all(item.of("who") or item.of("small") for item in group):
                people += [item.one("who") for item in group if item.of("who")]
                continue
            text, before = self._compared(group, before) or self._plain(group, before, truth)
            if people and before is not None:
                text = " and ".join([*(replace(before, who=one).value(truth) for one in people), text])
                people = []
            texts += ([f" {join} "] * bool(texts) + [text]) if text not in texts else []
        if before is None or not texts or people:
            raise _NoPlaceError(next((item.typed for item in items if not item.of("small")), ""))
        mixed = len({*texts[1::2]}) > 1
        return f"({''.join(texts)})" if mixed else "".join(texts), before

    def _plain(self, items: Sequence[Item], before: _Part | None, truth: bool) -> tuple[str, _Part]:
        part = self.part(items, before, truth)
        return part.value(truth), part

    def _compared(self, items: Sequence[Item], before: _Part | None) -> tuple[str, _Part] | None:
        """Two numbers compared with each other: *more sweeps than us*; None where there are no two."""
        sign = next((at for at, item in enumerate(items) if item.of("signs") - {"=", "all"}), None)
        if sign is None or any(item.of("numbers") or item.typed in _ONE for item in items):
            return None
        than = next((at for at in range(sign + 1, len(items)) if "than" in items[at].of("joins")
                     and any(one.of("who") or one.of("cards") or one.of("words") for one in items[at + 1 :])), None)  # fmt: skip
        left, right = (items[:sign], items[sign + 1 :]) if than is None else (
            [*items[:sign], *items[sign + 1 : than]], items[than + 1 :]
        )  # fmt: skip
        if not left or not right:
            return None
        first = self.part(left, before, False)
        if all(item.of("who") or item.of("small") for item in right):
            second = replace(first, who=next((item.one("who") for item in right if item.of("who")), ""))
        else:
            second = self.part(right, first, False)
        return f"{first.value(False)} {min(items[sign].of('signs') - {'=', 'all'})} {second.value(False)}", first

    # -------------------------------------------------------------------------------- whole sentences

    def question(self, items: Sequence[Item]) -> tuple[str, dict[str, str]]:
        """The expression of a sentence, and options that it gives."""
        asks = {ask for item in items for ask in item.of("asks")}
        main, conditions = _clauses(items)
        options: dict[str, str] = {}
        if "length" in asks and not {"until"} & asks:
            asks |= {"mean"}
        halves = _halves(main)
        numeric = [
            name
            for name, one in aggregates().items()
            if name in asks and name not in ("chance", "mean") and one.parts == len(halves)
        ]
        truth = not numeric and not (asks & {"mean"} and not asks & {"chance", "times"})
        self.most = "max" in numeric
        if self.other and "times" in asks:
            truth = False
        if "share" in asks:
            raise _NoPlaceError("share")
        if "until" in asks:
            truth, numeric = True, ["until"]
        if asks & {"worth", "helps"}:
            truth, numeric, main = True, [], self._captured(main) if "worth" in asks else main
        if "who" in asks:
            main = _of_first(main)
        if len(halves) > 1:
            texts = [self.clause(half, None, False)[0] for half in halves]
            text, part = ", ".join(texts), None
        else:
            text, part, conditions = self._main(main, conditions, truth)
        given = []
        for kind, clause in conditions:
            said, _ = self._condition(kind, clause, part)
            given.append(said)
        if numeric:
            text = f"{numeric[0]}({text})"
        elif "worth" in asks:
            options["by"], text = text, "mean(margin(us))"
        elif "helps" in asks:
            given, text = [text, *given], "wins(us)"
        elif part is not None and (
            not truth or (part.frame.function.gives == "number" and part.value(True) == part.call())
        ):
            text = f"mean({text})"
        joined = [one for one in given if not one.startswith("and ")]
        text = "".join([text, *(f" {one}" for one in given if one.startswith("and "))])
        return text + (f" given {' and '.join(joined)}" if joined else ""), options

    def _main(self, items: Sequence[Item], conditions: list[Any], truth: bool) -> tuple[str, _Part, list[Any]]:
        """The main clause; a condition *with* something is a part of it where its frame has a place for it."""
        left = list(conditions)
        for one in conditions:
            if one[0] == "with":
                try:
                    text, part = self.clause([*items, *one[1]], None, truth)
                    alone = self.clause(items, None, truth)[1]
                except _NoPlaceError:
                    continue
                if part.lacking <= alone.lacking + 0.1 and part.frame.function.group != "held":
                    items = [*items, *one[1]]
                    left.remove(one)
        text, part = self.clause(items, None, truth)
        return text, part, left

    def _captured(self, items: Sequence[Item]) -> list[Item]:
        """Items with a verb, where cards are meant as captured and not as held, or in the other reading the reverse."""
        captured = any(item.of("cards") & {*_data()["cards"]["captured"].split()} for item in items)
        us = [] if any(item.of("who") for item in items) else [Item.meaning("", [("who", "us")])]
        return [*items, Item.meaning("", [("words", "take")]), *us] if captured != self.other else [*items]

    def _condition(self, kind: str, items: Sequence[Item], main: _Part | None) -> tuple[str, _Part]:
        """A condition as it stands behind *given*; of two things held together it is an *and*."""
        plain = not any((item.of("words") and not item.of("cards")) or item.of("places") for item in items)
        of_score = main is not None and main.frame.function.group in ("score", "pile")
        if plain and of_score and kind != "if":
            items = self._captured(items)
        text, part = self.clause(items, main)
        held = main is not None and {main.frame.function.group, part.frame.function.group} == {"held"}
        if kind == "without":
            text = f"not {text}" if " " not in text else f"not ({text})"
        is_and = kind != "if" and plain and held and self.other == (kind == "without")
        return f"and {text}" if is_and else text, part


_ONE = ("a", "an", "un", "una", "uno")


def _settled(items: Iterable[Item]) -> list[Item]:
    """Words that are a number or a rank: a number in front of a noun, or behind one, else a rank."""
    ones = [after if after.typed not in _ONE or not before.of("signs") or before.typed.startswith(("or ", "o "))
            else Item.meaning(after.typed, [("numbers", "1")])
            for before, after in zip([Item(""), *items], items, strict=False)]  # fmt: skip
    found = [item for item in ones if not item.of("small") or len(item.kinds) > 1 or item.typed in _ONE]
    for at, item in enumerate(found):
        if item.of("numbers") and item.of("cards"):
            after = found[at + 1] if at + 1 < len(found) else Item("")
            before = found[at - 1] if at else Item("")
            noun = (
                after.of("cards")
                or after.of("signs")
                or (after.of("words") and after.kinds.keys() <= {"words", "small"})
            )
            compared = before.of("signs") - {"all"} and any(one.of("words") - _LIGHT for one in found[: at - 1])
            number = not before.of("numbers") and (noun or (compared and not after.of("after")))
            kind = "cards" if number else "numbers"
            found[at] = Item(item.typed, {name: values for name, values in item.kinds.items() if name != kind})
    return found


def _groups(items: Sequence[Item]) -> Iterator[tuple[list[Item], str]]:
    """The parts of a clause between *and* and *or*, each with the word in front of it."""
    group, join, words = list[Item](), "and", {"and", "or"}
    for item in items:
        if item.of("joins") & words and not item.of("small") - {"words"} and not item.of("words"):
            if group:
                yield group, join
            group, join = [], item.one("joins") if item.of("joins") <= words else "and"
        else:
            group.append(item)
    if group:
        yield group, join


def _clauses(items: Sequence[Item]) -> tuple[list[Item], list[tuple[str, list[Item]]]]:
    """The main clause and the conditions, each with its kind: *if*, *with* or *without*."""
    main: list[Item] = []
    conditions: list[tuple[str, list[Item]]] = []
    here = main
    for item in items:
        if item.typed == ":":
            conditions, main = [("if", main), *conditions], []
            here = main
        elif item.of("asks") and not item.of("words") - {"make"}:
            here = main
        elif item.of("conditions") and (len(conditions) == 0 or here or item.one("conditions") != "with"):
            here = []
            conditions.append((item.one("conditions"), here))
        elif item.typed == ",":
            here = main if here is not main and not main else here
            here.append(Item.meaning(",", [("joins", "and")])) if here else None
        else:
            here.append(item)
    return main, [(kind, one) for kind, one in conditions if one]


def _of_first(items: Sequence[Item]) -> list[Item]:
    """A clause about several people as one about the first of them: *the dealer or the others*."""
    people = [item for item in items if item.of("who")]
    return [item for item in items if item not in people[1:] and not item.of("joins")]


def _halves(items: Sequence[Item]) -> list[list[Item]]:
    halves: list[list[Item]] = [[]]
    for item in items:
        halves[-1].append(item) if not item.of("part") else halves.append([])
    return [half for half in halves if half]


# ------------------------------------------------------------------------------------------------ questions


def understand(text: str, rules: Rules, place: int | None = None) -> Understood:
    """What a plain question asks; raises ``InputError`` that names the first word without a place."""
    plain, options = _options(re.sub(r" \([^)]*\)", "", text))
    words = _words(plain)
    if place is None:
        known = [sum(len(item.typed) for item in _lexicon(of).items(words) if item.kinds) for of in (0, 1)]
        place = known.index(max(known))
    lexicon = _lexicon(place)
    items, corrected = _known(lexicon, _with_ranges(list(lexicon.items(words))))
    last = ("stage", f"stage {len(rules.deal_plan)}")
    items = [Item.meaning(item.typed, [last]) if item.of("stage") == {"stage last"} else item for item in items]
    named = [item.one("rules") for item in items if item.of("rules") and not item.of("words")]
    options |= {"rules": named[0]} if named else {}
    items = [item for item in items if not (item.of("rules") and not item.of("words"))]
    found: list[tuple[str, dict[str, str]]] = []
    for other in (False, True):
        try:
            asked, further = _Sentence(lexicon, rules, other).question(items)
            read_question(asked, Speaker(rules, trials=int(options.get("in_", 0))))
            found.append((asked, further))
        except _NoPlaceError as error:
            if not other:
                raise InputError(
                    "{word!r} has no place in what I understand of this question (see odds --list)", str(error)
                ) from None
        except InputError:
            if not other:
                raise InputError("I do not understand this question (see odds --list)") from None
    asked, further = found[0]
    return Understood(asked, options | further, tuple(one for one, _ in found[1:] if one != asked), tuple(corrected))


def _options(text: str) -> tuple[str, dict[str, str]]:
    """A text without the parts that are options, and these."""
    numbers = "|".join(sorted((word for word, _ in _numbers()), key=len, reverse=True))
    plain, options = re.sub(r"\b(?:sia|both|either) (.+?) (che|and|or) ", _paired, text.lower()), {}
    for name, pattern in _data()["options"].items():
        if match := re.search(pattern.replace("N", f"({numbers})"), plain):
            said = next(one for one in match.groups() if one and one != match.groupdict().get("kept"))
            options[name] = (
                f"score: {said}" if name == "at" else str(number_word(said) if number_word(said) is not None else said)
            )
            plain = f"{plain[: match.start()]} {match.groupdict().get('kept') or ''} {plain[match.end() :]}"
    return plain, options


def _paired(match: re.Match[str]) -> str:
    return f"{match[1]} {'e' if match[2] == 'che' else match[2]} "


def _with_ranges(items: list[Item]) -> list[Item]:
    """Two numbers that are the ends of a range as one item."""
    for at in range(len(items) - 3):
        low, high = items[at + 1].one("numbers"), items[at + 3].one("numbers")
        if items[at].typed in ("between", "tra", "fra") and low and high:
            both = Item.meaning(between := f"between {low} and {high}", [("numbers", between)])
            return _with_ranges([*items[:at], both, *items[at + 4 :]])
    return items


def _known(lexicon: _Lexicon, items: Sequence[Item]) -> tuple[list[Item], list[tuple[str, str]]]:
    """Items with slips of one letter corrected, and which; a card that *it* stands for has its meaning."""
    found, corrected, cards = list[Item](), list[tuple[str, str]](), frozenset[str]()
    singles = [words[0] for words in lexicon.meanings if len(words) == 1]
    for item in items:
        if not item.kinds and item.typed not in (",", ":"):
            near = get_close_matches(item.typed, singles, 3, 0.75) if len(item.typed) > 4 else []
            near = [word for word in near if _is_slip(item.typed, word)]
            if len({frozenset(lexicon.meanings[(word,)]) for word in near}) != 1:
                raise InputError("I know nothing of {word!r} (see odds --list)", item.typed)
            corrected.append((item.typed, near[0]))
            item = Item.meaning(item.typed, lexicon.meanings[(near[0],)])
        if item.typed in ("it", "ce l ha", "c l ha") and cards:
            found.append(Item(item.typed, {"cards": cards}))
        cards = item.of("cards") or cards
        found.append(item)
    return found, corrected


def _is_slip(typed: str, word: str) -> bool:
    """Whether one letter more, less or other makes one word of another."""
    short, long = sorted((typed, word), key=len)
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    ends = (short[same:], long[same:])
    return len(long) - len(short) < 2 and ends[0][len(short) == len(long) :] == ends[1][1:]
