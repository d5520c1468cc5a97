"""What a question means, in a plain sentence of either language, made from the tree that is evaluated.

The phrases of the functions stand in ``vocabulary.toml``, the grammar in ``reading.toml``.

>>> from cirulla_sim.core.locale import language
>>> from cirulla_sim.ruleset.presets import build
>>> from .question import Speaker, read_question
>>> question = read_question("aces(everybody) = 1", Speaker(build("cirulla")))
>>> reading_of(question, language("en"))
'How often each player holds exactly one ace among the first three cards.'
>>> reading_of(question, language("it"))
'Quanto spesso ogni giocatore ha esattamente un asso tra le prime tre carte.'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib.resources import files
from typing import Any

from ..core.cards import PACK, texts
from ..core.locale import Language
from ..ruleset.categories import FURTHER
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import category_named
from ..situation.notation import NOTHING, Situation
from ..situation.positions import OF_SCORE, Assumption, Position
from ..storage.request import Request
from .binding import place_at, seat_matters, space_of
from .dealt import FIRST_DEAL
from .known_deals import known_position
from .parser import Node
from .played import PlayedRest
from .question import Question, read_questions
from .vocabulary import EXTREMES, QUANTIFIERS, RANKS, SUITS, TABLE, Term, cards_counted

Person = tuple[str, str]
"""What somebody is called, and how the verb agrees: as with ``I``, ``we``, ``it`` or ``they``."""

_VERBS = {
    "ha": "ho abbiamo hanno", "fa": "faccio facciamo fanno", "prende": "prendo prendiamo prendono",
    "può": "posso possiamo possono", "vince": "vinco vinciamo vincono", "gioca": "gioco giochiamo giocano",
}  # fmt: skip
"""Italian verbs as with io, noi and loro."""

_PLACE, _VERB, _HOW_MANY = re.compile(r"\{(\w+)"), re.compile(r"<(\w+)>"), re.compile(r"\{n:([^}]+)\}")
_BLANKS = re.compile(r" (?=[ ,)]|$)|(?<=\() ")
"""Blanks that places leave where nothing is filled in."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""A sign of a comparison read from right to left."""


_ALONE = {"us": "me", "them": "opponent", "dealer_side": "dealer", "first_side": "first"}
"""Sides where nobody has a partner."""


@cache
def _grammar() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("reading.toml").read_text("utf-8"))


def reading_of(question: Question, language: Language, in_mid_hand: bool = False) -> str:
    """The sentence that says what a question means."""
    return _Reader(language, question.rules, in_mid_hand).question(question)


def _kind(node: Node) -> str:
    """Whether a part of an expression is a truth, a number, a count (a number that alone is a truth) or a text."""
    if node.name == "term":
        return str(node.value.function.gives)
    if node.name in ("compare", "in", "and", "or", "not", "truth", *QUANTIFIERS):
        return "truth"
    return _kind(node.parts[0]) if node.name == "together" else "text" if node.name == "text" else "number"


@dataclass(frozen=True)
class _Reader:
    """Says the parts of questions in a language; ``each`` is what those who are ``named`` so are called, one by one."""

    language: Language
    rules: Rules
    in_mid_hand: bool
    named: str = ""
    each: Person | None = None

    @cached_property
    def _place(self) -> int:
        return 0 if self.language.english else 1

    def _word(self, section: str, key: str) -> str:
        return str(_grammar()[section][key][self._place])

    def _say(self, section: str, key: str, **values: object) -> str:
        return self.language.filler.format(self._word(section, key), **values)

    def _words(self, key: str, **values: object) -> str:
        return self._say("words", key, **values)

    def _person(self, section: str, name: str, **values: object) -> Person:
        entry = _grammar()[section][name]
        return self._say(section, name, **values), entry[2]

    def _number(self, number: float) -> str:
        return self.language.numerals(f"{number:.10g}")

    def _count(self, number: float) -> str:
        """A number in front of a noun."""
        words = self._words("numbers").split()
        return words[int(number)] if number in range(2, len(words)) else self._number(number)

    # -------------------------------------------------------------------------------- questions

    def question(self, question: Question) -> str:
        parts = [part.tree for part in question.parts]
        values = [self.truth(part) if question.is_of_truth else self._part(part) for part in parts]
        if values:
            key = f"{question.aggregate}_of_trials" if question.is_extreme_of_trials else question.aggregate
            named = dict(zip("xy", values, strict=False))
            sentence = self._say("aggregates", key, n=self._number(question.trials), **named)
        else:
            assert question.by is not None
            sentence = self._say("aggregates", "histogram", x=self.number(question.by.tree))
        if question.given:
            conditions = [self.truth(part.tree) for part in question.given]
            sentence = self._say(
                "aggregates", "given", sentence=sentence, x=self._word("aggregates", "and_that").join(conditions)
            )
        if question.by is not None and values:
            split = question.by.tree
            if _kind(split) == "truth" or (split.name == "term" and _is_of_one_card(split.value)):
                sentence = self._say("aggregates", "by_whether", sentence=sentence, x=self.truth(split))
            else:
                sentence = self._say("aggregates", "by", sentence=sentence, x=self.number(split))
        sentence = _BLANKS.sub("", sentence)
        for key in ("mean_of_number", "mean_of_lead"):
            longer, shorter = self._word("aggregates", key).split("|")
            sentence = sentence.replace(longer, shorter, question.aggregate == "mean")
        return f"{sentence[:1].upper()}{sentence[1:]}."

    # -------------------------------------------------------------------------------- truths

    def truth(self, node: Node) -> str:
        """A clause that is true or false; a count alone is at least one."""
        if node.name in ("term", "together"):
            return self._phrase(node, (">=", 1))
        if node.name == "truth" and node.arguments:
            return self._say("truths", "seat", who=self._person("people", node.arguments[0])[0])
        if node.name == "truth":
            return self._word("truths", str(node.value).lower())
        if node.name in QUANTIFIERS:
            return self._quantified(node)
        if node.name == "not":
            return self._say("truths", "not", x=self._grouped(node.parts[0]))
        if node.name in ("and", "or"):
            *others, last = node.parts
            end = self.truth(last) if last.name == "not" else self._grouped(last)
            return self._word("truths", node.name).join([*map(self._grouped, others), end])
        if node.name == "in":
            return self._among(node)
        if node.name != "compare":  # a number, of which there is no chance
            return self.number(node)
        pairs = zip(node.parts, node.value, node.parts[1:], strict=False)
        return self._word("truths", "and").join(self._compared(*pair) for pair in pairs)

    def _grouped(self, node: Node) -> str:
        """A truth that is part of another one."""
        simple = node.name in ("term", "together", "truth") or (node.name in QUANTIFIERS and self._is_plain(node))
        chained = node.name == "compare" and len(node.parts) > 2
        if simple or (node.name in ("compare", "in") and not chained and _kind(node.parts[0]) != "truth"):
            return self.truth(node)
        return f"({self.truth(node)})"

    def _is_plain(self, node: Node) -> bool:
        """Whether the people of a quantifier are the subject of its sentence, and are named nowhere else in it."""
        first, *others = node.parts[0].parts or node.parts
        alone = node.parts[0].name == "term"
        compares = node.parts[0].name in ("compare", "in") and all(map(_is_constant, others))
        return alone or (compares and len(node.parts[0].parts) == 2 and self._is_counted(first))

    def _quantified(self, node: Node) -> str:
        leaves = [leaf for leaf in node.parts[0].leaves() if leaf.arguments]
        leaf = next((leaf for leaf in leaves if leaf.arguments[0] == node.name), leaves[0])  # or of us, of the others
        side = "_side" if self._is_of_pairs(leaf.value) else ""
        named = leaf.arguments[0]
        who = self._person("one_of_several", f"{named}{side}" if named in QUANTIFIERS else named)
        if self._is_plain(node):
            return self._of(named, who).truth(node.parts[0])
        one = self._of(named, self._person("one_of_several", f"that{side}"))
        return self._say("truths", "for_each", who=who[0], x=one.truth(node.parts[0]))

    def _of(self, named: str, who: Person) -> _Reader:
        return replace(self, named=named, each=who)

    def _compared(self, left: Node, sign: str, right: Node) -> str:
        if _is_constant(left) and not _is_constant(right):
            return self._compared(right, _TURNED.get(sign, sign), left)
        kinds = {_kind(left), _kind(right)}
        if "truth" in kinds:
            if right.name == "truth" and not right.arguments:
                same = right.value == (sign == "=")
                return self.truth(left) if same else self._say("truths", "not", x=self._grouped(left))
            parts = {name: self._grouped(part) for name, part in (("x", left), ("y", right))}
            return self._say("truths", "same" if sign == "=" else "differ", **parts)
        if self._is_counted(left) and right.name == "number" and sign != "<>":
            return self._phrase(left, (sign, right.value))
        return self._say("comparisons", sign, x=self._side(left), y=self._side(right))

    def _among(self, node: Node) -> str:
        value, *several = node.parts
        each = [self._range(part) if part.name == "range" else self._part(part) for part in several]
        those = self._word("truths", "or").join(each)
        if self._is_counted(value) and all(map(_is_constant, several)):
            return self._phrase(value, ("", those))
        return self._say("comparisons", "in", x=self._side(value), y=those)

    def _range(self, node: Node) -> str:
        low, high = map(self._part, node.parts)
        return self._say("comparisons", "range", x=low, y=high)

    # -------------------------------------------------------------------------------- numbers

    def number(self, node: Node) -> str:
        """A noun for a number or a text; a truth counts 1."""
        if node.name == "number":
            return self._number(node.value)
        if node.name == "text":
            return f"“{node.value}”"
        if _kind(node) == "truth":
            return self._words("number_if", x=self._grouped(node))
        if node.name in ("term", "together"):
            return self._phrase(node, None)
        if node.name in EXTREMES:
            of_sides = self._is_of_pairs(node.parts[0].value)
            one = self._of(node.name, self._person("one_of_several", "one_side" if of_sides else "one"))
            every = self._word("operations", "sides" if of_sides else "players")
            return self._say("operations", node.name, every=every, x=one.number(node.parts[0]))
        parts = [self._part(part) for part in node.parts]
        named = dict(zip("xy", parts, strict=False))
        return self._say("operations", node.name, each=self._word("truths", "and").join(parts), **named)

    def _side(self, node: Node) -> str:
        """A side of a comparison."""
        return self._part(node) if _kind(node) == "truth" else self.number(node)

    def _part(self, node: Node) -> str:
        """A number that is part of another one."""
        whole = node.name in ("number", "text", "term", "together") and _kind(node) != "truth"
        return self.number(node) if whole else f"({self.number(node)})"

    # -------------------------------------------------------------------------------- terms

    def _is_counted(self, node: Node) -> bool:
        """Whether the phrase of a term says how many."""
        if node.name == "together":
            return self._is_counted(node.parts[0])
        return node.name == "term" and bool(_HOW_MANY.search(self._text(node.value)))

    def _text(self, term: Term) -> str:
        return term.function.reads[self._place]

    def _phrase(self, node: Node, count: tuple[str, Any] | None) -> str:
        """A term: a clause with a count, ``(">=", 1)``, or without one a noun."""
        leaf = node.parts[0] if node.name == "together" else node
        term: Term = leaf.value
        who, form = self._who(node, leaf, alone=count == (">=", 1))
        text = _VERB.sub(lambda verb: self._agreeing(verb[1], who, form), self._text(term))
        if place := _HOW_MANY.search(text):
            before, after = text[: place.start()], text[place.end() :]
            one, several = self._counted_noun(place[1], term)
            if count is None:
                text = self._words("number_of", what=several, rest=before + after)
            else:
                cards = term.cards if place[1] == "card" else 0
                text = f"{before}{self._how_many(*count, one, several, cards)}{after}"
        values = {name: who if name == "who" else self._detail(name, term) for name in _PLACE.findall(text)}
        return self.language.filler.format(text, **values)

    def _detail(self, name: str, term: Term) -> str:
        """The words for a place of a phrase, besides whom it is about."""
        stages = [stage + 1 for stage in term.stages]
        match name:
            case "held":
                return self._held(term)
            case "when" | "within" if stages:
                few = "stage" if len(stages) == 1 else "stages"
                return self._words(few, stage=stages[0], first=stages[0], last=stages[-1])
            case "after" if term.after is not None:
                return self._words("after", stage=term.after)
            case "within" | "after" if not stages:
                return self._words("whole")
            case "end":
                return self._words("end") if term.after is None else self._words("end_of", stage=term.after)
            case "turn" if term.turn is not None:
                return self._words("turn" if stages else "turn_of_any", n=term.turn + 1)
            case "by" if term.by_sweep:
                return self._words("by")
            case "suit":
                return self._words("suit_names").split()[int(term.detail)]
            case "category" if term.detail:
                named = category_named(self.rules, term.detail)
                if named is not None and named.column in FURTHER:
                    return self._words("own", name=(named.name, named.italian)[self._place])
                return self._word("categories", term.detail)
            case "contest":
                return self._word("contests", term.detail or ("fewest" if self.rules.lowest_wins else "any"))
            case "kinds":
                return self._word("kinds", term.detail or "any").split("|")[1]
            case "with" if term.cards:
                return self._words("with", card=self._card(term.cards))
            case "card":
                return self._card(term.cards) if term.cards else self._words("something")
        return ""

    def _agreeing(self, verb: str, who: str, form: str) -> str:
        """A verb, given as with it, as it agrees."""
        if form == "it":
            return verb.replace("holds", "has") if who == self._word("people", "table") else verb
        if self.language.english:
            return "have" if verb == "has" else verb.removesuffix("s")
        return _VERBS[verb].split()[("I", "we", "they").index(form)]

    def _held(self, term: Term) -> str:
        """Which cards of somebody a term is about."""
        rules, stage = self.rules, term.stages[0] if term.stages else 0
        if term.who == (TABLE,) or term.function.default == "table":
            return self._words("on_table", n=self._count(rules.table_cards))
        if self.in_mid_hand and not term.stages:
            return self._words("now")
        which = "only" if len(rules.deal_plan) == 1 else "later" if stage else "first"
        return self._words(which, n=self._count(rules.deal_plan[stage]), stage=stage + 1)

    # -------------------------------------------------------------------------------- people

    def _who(self, node: Node, leaf: Node, alone: bool) -> Person:
        """Whom a term is about, which may stand ``alone``, as at least one; nobody is called nothing."""
        function, who = leaf.value.function, leaf.value.who
        named = leaf.arguments[0] if leaf.arguments else ""
        if self.each is not None and named == self.named:
            return self.each
        if not function.who or not named:
            return "", "it"
        if function.who == "pair":
            return self._person("people", "pair", n=who[0] + 1)
        of_sides = self._is_of_pairs(leaf.value)
        several = len(node.parts) or len(who)
        if several > 1 and not (of_sides and named in ("us", "dealer_side", "first_side")):
            if function.gives == "truth" or (alone and function.who == "holder" and named != "together"):
                return self._person("one_of_several", named)
            if named == "together":
                named = f"{'both' if several == 2 else 'all'}_{'sides' if of_sides else 'players'}"
            return self._person("together", named, n=self._count(several))
        if not self.rules.partnership:
            named = _ALONE.get(named, named)
        return self._person("people", named)

    def _is_of_pairs(self, term: Term) -> bool:
        return self.rules.partnership and term.function.who in ("side", "game")

    # -------------------------------------------------------------------------------- assumptions

    def assumption(self, assumed: Assumption) -> str:
        """What is assumed of a position."""
        kind, values = assumed.kind, assumed.values
        if kind == "seat" and len(values) == self.rules.players:
            kind = "anywhere"
        elif kind == "points" and values[0]:
            kind = "points of sets"
        each = [self._person("people", str(x))[0] if kind == "seat" else str(x) for x in values]
        if kind == "captured" and len(each) > 2:
            each = [self._say("comparisons", "range", x=each[0], y=each[-1])]
        return self._say("assumptions", kind, values=self._word("truths", "or").join(each))

    # -------------------------------------------------------------------------------- cards

    def _how_many(self, sign: str, number: Any, one: str, several: str, cards: int = 0) -> str:
        """So many of something, of ``cards`` if it is one of these."""
        if not sign:
            return f"{number} {several}"
        if number == 1 and sign == ">=" and cards.bit_count() == 1:
            return self._card(cards)
        if number == 0 and sign == "=":
            return self._words("none", what=several)
        return self._say("counts", sign, n=one if number == 1 else f"{self._count(number)} {several}")

    def _counted_noun(self, place: str, term: Term) -> tuple[str, str]:
        """A noun for one and for several."""
        if place == "kind":
            place = self._word("kinds", term.detail or "any")
        elif place == "card":
            place = self._noun(term.cards or cards_counted(term.name))
        one, several = place.split("|")
        return one, several

    def _noun(self, cards: int) -> str:
        """What one and several of some cards are called."""
        ranks, suits = self._words("ranks").split(", "), self._words("suits").split(", ")
        suit_names = self._words("suit_names").split()
        if not cards or cards.bit_count() == len(PACK):
            return self._words("any_card")
        if cards.bit_count() == 1:
            suit, rank = divmod(cards.bit_length() - 1, len(RANKS))
            of = "of" if self.language.english else "di"
            return "|".join(f"{noun} {of} {suit_names[suit]}" for noun in ranks[rank].split("|"))
        alike = [cards_counted(name) for name in (*RANKS, *SUITS)]
        if cards in alike:
            return [*ranks, *suits][alike.index(cards)]
        if cards == sum(alike[rank] for rank in (7, 8, 9)):
            return self._words("figures")
        return self._words("one_of", cards=" ".join(texts(cards)))

    def _card(self, cards: int) -> str:
        """One of some cards, or the only one, with its article."""
        article, _, noun = self._noun(cards).split("|")[0].partition(" ")
        if self.language.english:
            return f"{'the' if cards.bit_count() == 1 else 'an' if noun[0] in 'ae' else 'a'} {noun}"
        definite = "{0:la}" if article == "una" else "{0:il}"
        return self.language.filler.format(definite if cards.bit_count() == 1 else article + " {0}", noun)


def _is_of_one_card(term: Term) -> bool:
    """Whether a term counts a single card, so that it is 0 or 1."""
    return term.function.gives == "count" and "{n:card}" in term.function.reads[0] and term.cards.bit_count() == 1


def _is_constant(node: Node) -> bool:
    return all(leaf.name in ("number", "text", "truth") for leaf in node.leaves())


# ------------------------------------------------------------------------------------------------ requests


def by_person(request: Request, language: Language) -> tuple[str, list[str]]:
    """The question about each, and the names of people, of questions that differ only in their people; else nothing."""
    rules, parts = request.rules.fields, request.question
    at = Situation.parse(request.situation["at"]) if "at" in request.situation else NOTHING
    expressions = tuple(parts.get("expressions", ()))
    if len(expressions) < 2 or at.is_position or at.night is not None or {"given", "in_", "in_a_row"} & set(parts):
        return "", []
    place = place_at(request, at, 0)
    reader = _Reader(language, rules, in_mid_hand=False)
    questions = read_questions(expressions, None, parts.get("by"), place.speaker)
    read, names = set(), []
    for question in questions:
        leaves = [leaf for part in question.expressions for leaf in part.tree.leaves() if leaf.arguments]
        people = {leaf.arguments[0] for leaf in leaves}
        of_sides = {leaf.name == "term" and reader._is_of_pairs(leaf.value) for leaf in leaves}
        alone = all(leaf.name == "term" and len(leaf.value.who) == 1 for leaf in leaves)
        if (
            question.given
            or len(people) != 1
            or not people <= set(_grammar()["people"])
            or not (alone or all(of_sides))
        ):
            return "", []
        [named] = people
        each = reader._person("one_of_several", "everybody_side" if all(of_sides) else "everybody")
        read.add(reader._of(named, each).question(question))
        person = named if rules.partnership else _ALONE.get(named, named)
        names.append(reader._word("names" if person in _grammar()["names"] else "people", person))
    return (read.pop(), names) if len(read) == 1 and len(set(names)) == len(names) else ("", [])


def readings(request: Request, language: Language) -> list[str]:
    """The sentences that say how a request of ``odds`` was understood: one a question, then what holds for all."""
    rules, parts = request.rules.fields, request.question
    at = Situation.parse(request.situation["at"]) if "at" in request.situation else NOTHING
    known = replace(at, i_am=None).text(language.name)
    reader = _Reader(language, rules, at.is_position)
    say = partial(reader._say, "requests")
    if "expressions" not in parts and "by" not in parts:
        return [
            say("deal", known=known) if at.places else say("first_deal"),
            say("trial", trial=language.phrase(FIRST_DEAL.text)),
        ]
    position = known_position(rules, at) if at.is_position else None
    place = place_at(request, at, 0, now=None if position is None else position.first)
    questions = read_questions(tuple(parts.get("expressions", ())), parts.get("given"), parts.get("by"), place.speaker)
    people = {person for question in questions for part in question.expressions for person in part.people}
    seat = at.i_am and reader._say("truths", "seat", who=reader._person("people", at.i_am)[0])
    context = [f"{seat[:1].upper()}{seat[1:]}."] if seat else []
    context += [say("known", known=known)] if known else []
    if position is not None:
        without = () if request.line_ups else OF_SCORE
        spaces = (space_of(question.terms, place) for question in questions)
        of_plays = dict.fromkeys("weighed" if isinstance(space, PlayedRest) else "plays" for space in spaces)
        assumed = assumed_of(position, rules, language, without, of_plays)
    else:
        assumed = [reader.assumption(Assumption("anywhere"))] if seat_matters(request, at, people) else []
    context += [say("assumed", each="; ".join(assumed))] if assumed else []
    sentences = [
        _named(question) + _repeated(reading_of(question, language, at.is_position), question, parts, say)
        for question in questions
    ]
    trials = [say("trial", trial=language.phrase(space_of(question.terms, place).trial.text)) for question in questions]
    if at.night is None and len(set(trials)) == 1:  # what is known of a night says it all
        return [*sentences, " ".join([*context, trials[0]])]
    if at.night is None:
        sentences = [f"{sentence} {trial}" for sentence, trial in zip(sentences, trials, strict=True)]
    return [*sentences, *([" ".join(context)] if context else [])]


def assumed_of(
    position: Position, rules: Rules, language: Language, without: Container[str], of_plays: Iterable[str]
) -> list[str]:  # fmt: skip
    """What is assumed of a position, ``without`` some kinds; ``of_plays`` are those of the plays that can be read."""
    each = [*position.assumptions, *(map(Assumption, of_plays) if position.is_read else ())]
    reader = _Reader(language, rules, True)
    return [reader.assumption(one) for one in each if one.kind not in without]


def _named(question: Question) -> str:
    """The name of a question that has one, in front of its sentence."""
    unnamed = not question.text or question.words.startswith(" ".join(question.text.split()))
    return "" if unnamed else f"{question.words}: "


def _repeated(sentence: str, question: Question, parts: Mapping[str, Any], say: Callable[..., str]) -> str:
    """A sentence about one trial as one about several."""
    number, run = parts.get("in_"), parts.get("in_a_row")
    if question.aggregate not in ("chance", "mean") or (number is None and run is None):
        return sentence
    once = "at_least_once" if question.aggregate == "chance" else "summed"
    how = once if run is None else "run" if number is None else "run_within"
    return f"{sentence.removesuffix('.')}{say(how, n=number, run=run)}."
