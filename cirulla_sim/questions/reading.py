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
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, reduce
from operator import or_
from typing import Any

from ..core.cards import PACK, texts
from ..core.data import load_toml
from ..core.locale import Language
from ..ruleset.categories import FURTHER, USUAL
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import category_named
from ..situation.notation import NOTHING, Situation
from ..situation.positions import OF_SCORE, Assumption, Position
from ..storage.request import Request
from .binding import Place, place_at, seat_matters, space_of
from .dealt import FIRST_DEAL
from .known_deals import known_position
from .parser import Node
from .played import PlayedRest
from .question import Question, read_questions
from .vocabulary import EXTREMES, QUANTIFIERS, RANKS, STOCK, SUITS, TABLE, WORDS, Term, cards_counted

Person = tuple[str, str]
"""What somebody is called, and how the verb agrees: as with ``I``, ``we``, ``it`` or ``they``."""

_PLACE, _VERB, _HOW_MANY = re.compile(r"\{(\w+)"), re.compile(r"<(\w+)>"), re.compile(r"\{n:([^}]+)\}")
_BLANKS = re.compile(r" (?=[ ,)]|$)|(?<=\() ")
"""Blanks that places leave where nothing is filled in."""
_SUBJECT, _END = re.compile(r"^\{who\} <\w+>"), "\u2063"
"""With what a clause about somebody begins, and the mark behind it in brief clauses, by which they are joined."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""A sign of a comparison read from right to left."""
_DENIED = {"and": "or", "or": "and", "somebody": "nobody", "nobody": "somebody"}
"""What is true where several truths are not all true, or where it is not true of somebody."""
_SAME = {("<", 1): ("=", 0), ("<=", 0): ("=", 0), (">", 0): (">=", 1)}
"""Counts in simpler words."""
_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

_AT_ENDS = {">=": "most", ">": "most", "<=": "fewest", "<": "fewest"}
"""Which of several numbers is compared if one of them does so: the most is at least three if some player's is."""
_OWNER = re.compile(r" (?:che )?\{who\} <\w+>")
"""Whose cards they are, behind a noun."""

_THERE, _SINGULAR = re.compile(r"((?:in tavola|nel mazzo)(?: non)?) ha\b"), re.compile(r"\b(?:un|una|uno|ness\w+)\b")
# An Italian verb of what lies somewhere, and when it says that of one
_REMARK = re.compile(r" \([^)]*\)")
"""What a brief clause leaves to the reading."""
_AS_ONE = ("us", "dealer_side", "first_side")
"""Sides that do together what one of their players does."""
SETTEBELLO = cards_counted("sevens") & cards_counted("diamonds")


_ALONE = {"us": "me", "them": "opponent", "dealer_side": "dealer", "first_side": "first"}
"""Sides where nobody has a partner."""


@cache
def grammar() -> Mapping[str, Mapping[str, Any]]:
    """``reading.toml`` with what categories of points are called."""
    grammar: dict[str, dict[str, Any]] = load_toml(__package__, "reading.toml")
    for section, key in (("categories", "for"), ("contests", "contest")):
        grammar[section] |= {name: entry[key] for name, entry in USUAL.items() if key in entry}
    return grammar


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
    brief: bool = False
    """Whether the first cards of the hand, the whole hand and "at least one" go without saying."""

    @cached_property
    def _place(self) -> int:
        return 0 if self.language.english else 1

    def _word(self, section: str, key: str) -> str:
        return str(grammar()[section][key][self._place])

    def _say(self, section: str, key: str, **values: object) -> str:
        return self.language.filler.format(self._word(section, key), **values)

    def _words(self, key: str, **values: object) -> str:
        return self._say("words", key, **values)

    def _person(self, section: str, name: str, **values: object) -> Person:
        return self._say(section, name, **values), grammar()[section][name][2]

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
            sentence = self.aggregate(question, values)
        else:
            assert question.by is not None
            sentence = self.aggregate(replace(question, aggregate="histogram"), [self.number(question.by.tree)])
        if question.given:
            conditions = [self.truth(part.tree) for part in question.given]
            sentence = self._say(
                "aggregates", "given", sentence=sentence, x=self._word("aggregates", "and_that").join(conditions)
            )
        if question.by is not None and values:
            split = question.by.tree
            if _is_of_truth(split):
                sentence = self._say("aggregates", "by_whether", sentence=sentence, x=self.truth(split))
            else:
                sentence = self._say("aggregates", "by", sentence=sentence, x=self.number(split))
        sentence = _BLANKS.sub("", sentence)
        for key in ("mean_of_number", "mean_of_lead"):
            longer, shorter = self._word("aggregates", key).split("|")
            sentence = sentence.replace(longer, shorter, question.aggregate == "mean")
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def aggregate(self, question: Question, parts: Sequence[str]) -> str:
        """What is asked of the parts of a question, which are given in words."""
        phrase = question.asks.of_trials if question.is_extreme_of_trials else question.asks.reads
        named = dict(zip("xy", parts, strict=False))
        return self.language.filler.format(phrase[self._place], n=self._number(question.trials), **named)

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
            return self._denied(node.parts[0])
        if node.name in ("and", "or"):
            *others, last = node.parts
            denied = last.name == "not" and last.parts[0].name not in ("and", "or")
            parts = [*map(self._grouped, others), self.truth(last) if denied else self._grouped(last)]
            subjects = {part.rpartition(_END)[0] for part in parts}
            if len(subjects) == 1 and (subject := subjects.pop()):  # who does several things is named once
                parts = [parts[0], *(part.removeprefix(f"{subject}{_END} ") for part in parts[1:])]
            return self._word("truths", node.name).join(parts)
        if node.name == "in":
            return self._among(node)
        if node.name != "compare":  # a number, of which there is no chance
            return self.number(node)
        pairs = zip(node.parts, node.value, node.parts[1:], strict=False)
        return self._word("truths", "and").join(self._compared(*pair) for pair in pairs)

    def _denied(self, node: Node) -> str:
        """That something is not true."""
        if node.name == "truth" and node.arguments:
            return self._say("truths", "not_seat", who=self._person("people", node.arguments[0])[0])
        if node.name == "compare" and len(node.parts) == 2 and "truth" not in map(_kind, node.parts):
            return self._compared(node.parts[0], _OPPOSITE[node.value[0]], node.parts[1])
        if node.name in ("term", "together") and self.each is None:
            if _kind(node) == "count" or self._meaning(node.value, ("=", 0)):
                return self._phrase(node, ("=", 0))
            as_one = len(node.value.who) < 2 or node.arguments[0] in _AS_ONE
            if as_one and _VERB.search(self._text(node.value)):
                return self._phrase(node, None, denied=True)
        if node.name in _DENIED:
            if node.name in ("and", "or"):
                parts = tuple(Node("not", None, (part,)) for part in node.parts)
                return self.truth(Node(_DENIED[node.name], None, parts))
            if self._named_by(node).arguments[0] == node.name:
                return self._quantified(replace(node, name=_DENIED[node.name]))
        return self._say("truths", "not", x=self._grouped(node))

    def _grouped(self, node: Node) -> str:
        """A truth that is part of another one."""
        clause, of = self.truth(node), node.parts[0] if node.name == "not" else node
        simple = of.name in ("term", "together", "truth") or (of.name in QUANTIFIERS and self._is_plain(of))
        chained = of.name == "compare" and len(of.parts) > 2
        simple |= of.name in ("compare", "in") and not chained and _kind(of.parts[0]) != "truth"
        denied = clause.startswith(self._word("truths", "not").partition("{")[0])
        return clause if simple and not denied else f"({clause.removeprefix(', ')})"

    def _is_plain(self, node: Node) -> bool:
        """Whether the people of a quantifier are the subject of its sentence, and are named nowhere else in it."""
        first, *others = node.parts[0].parts or node.parts
        alone = node.parts[0].name == "term"
        compares = node.parts[0].name in ("compare", "in") and all(map(_is_constant, others))
        is_named = self._is_counted(first) or (first.name == "term" and node.name != "nobody")
        return alone or (compares and len(node.parts[0].parts) == 2 and is_named)

    def _quantified(self, node: Node) -> str:
        leaf = self._named_by(node)
        side = "_pair" if leaf.value.function.who == "pair" else "_side" if self._is_of_pairs(leaf.value) else ""
        named = leaf.arguments[0]
        brief = self.brief and node.name == named == "somebody" and not side
        key = "together" if brief else f"{node.name}{side}" if named in QUANTIFIERS else named
        who = self._person("one_of_several", key)
        if self._is_plain(node):
            return self._of(named, who).truth(node.parts[0])
        one = self._of(named, self._person("one_of_several", f"that{side}"))
        return self._say("truths", "for_each", who=who[0], x=one.truth(node.parts[0]))

    @staticmethod
    def _named_by(node: Node) -> Node:
        """The term in which the people of a quantifier are named, or of us or of the others."""
        leaves = [leaf for leaf in node.parts[0].leaves() if leaf.arguments]
        return min(leaves, key=lambda one: (one.arguments[0] != node.name, one.arguments[0] not in QUANTIFIERS))

    def _of(self, named: str, who: Person) -> _Reader:
        return replace(self, named=named, each=who)

    def _compared(self, left: Node, sign: str, right: Node) -> str:
        if _is_constant(left) and not _is_constant(right):
            return self._compared(right, _TURNED.get(sign, sign), left)
        kinds = {_kind(left), _kind(right)}
        if "truth" in kinds:
            if right.name == "truth" and not right.arguments:
                same = right.value == (sign == "=")
                return self.truth(left) if same else self._denied(left)
            parts = {name: self._grouped(part) for name, part in (("x", left), ("y", right))}
            return self._say("truths", "same" if sign == "=" else "differ", **parts)
        if left.name == "+" and (alike := _one_count(left)):
            left = alike
        if self._is_counted(left) and right.name == "number" and sign != "<>":
            return self._phrase(left, _SAME.get((sign, right.value), (sign, right.value)))
        ends = "fewest" if (sign, right.value) == ("=", 0) else _AT_ENDS.get(sign)
        if left.name == ends and self._is_counted(left.parts[0]) and right.name == "number":
            one = self._of(left.name, self._person("one_of_several", left.name))
            return one.truth(replace(left, name="compare", value=(sign,), parts=(left.parts[0], right)))
        if left.name == "term" and self._meaning(left.value, (sign, right.value)):
            return self._phrase(left, (sign, right.value))
        texts = "text" in kinds and sign in ("=", "<>")
        return self._say("comparisons", f"{sign} text" if texts else sign, x=self._side(left), y=self._side(right))

    def _among(self, node: Node) -> str:
        value, *several = node.parts
        each = [self._range(part) if part.name == "range" else self._part(part) for part in several]
        those = self._word("truths", "or").join(each)
        if self._is_counted(value) and all(map(_is_constant, several)):
            return self._phrase(value, ("", those))
        return self._say("comparisons", "= text" if _kind(value) == "text" else "in", x=self._side(value), y=those)

    def _range(self, node: Node) -> str:
        low, high = map(self._part, node.parts)
        return self._say("comparisons", "range", x=low, y=high)

    # -------------------------------------------------------------------------------- numbers

    def number(self, node: Node) -> str:
        """A noun for a number or a text; a truth counts 1."""
        if node.name == "number":
            return self._number(node.value)
        if node.name == "text":
            return _spaced(node.value)
        if _kind(node) == "truth":
            return self._words("number_if", x=self._grouped(node))
        if node.name in ("term", "together"):
            return self._phrase(node, None)
        if node.name in EXTREMES:
            of_sides = self._is_of_pairs(node.parts[0].value)
            one = self._of(node.name, self._person("one_of_several", "one_side" if of_sides else "one"))
            every = self._word("operations", "sides" if of_sides else "players")
            return self._say("operations", node.name, every=every, x=one.number(node.parts[0]))
        if node.name == "+" and (alike := _one_count(node)):
            return self._phrase(alike, None)
        if node.name == "abs" and self.rules.sides == 2 and node.parts[0].name == "term":
            term = node.parts[0].value
            if (lead := f"abs {term.name}") in grammar()["operations"]:
                return self._say("operations", lead, after=self._detail("after", node.parts[0]))
        parts = [self._part(part) for part in node.parts]
        named = dict(zip("xy", parts, strict=False))
        return self._say("operations", node.name, each=self._word("truths", "and").join(parts), **named)

    def _side(self, node: Node) -> str:
        """A side of a comparison."""
        return self._part(node) if _kind(node) == "truth" else self.number(node)

    def _part(self, node: Node) -> str:
        """A number that is part of another one."""
        whole = node.name in ("number", "text", "term", "together") and _kind(node) != "truth"
        whole |= node.name == "+" and _one_count(node) is not None
        return self.number(node) if whole else f"({self.number(node)})"

    def with_number(self, node: Node, number: str) -> str:
        """A clause with a number that is given as text: *we score 8.9 points*."""
        if node.name == "+" and (alike := _one_count(node)):
            node = alike
        if self._is_counted(node):
            return self._phrase(node, ("", number))
        return self._say("comparisons", "in", x=self.number(node), y=number)

    # -------------------------------------------------------------------------------- terms

    def _is_counted(self, node: Node) -> bool:
        """Whether the phrase of a term says how many."""
        if node.name == "together":
            return self._is_counted(node.parts[0])
        return node.name == "term" and bool(_HOW_MANY.search(self._text(node.value)))

    def _text(self, term: Term) -> str:
        return term.function.reads[self._place]

    def _meaning(self, term: Term, count: tuple[str, Any] | None) -> str:
        """The phrase for a term with a count of which there is a simpler one than how many."""
        sign, number = count or ("", "")
        number = "" if sign in ("more", "less") else number
        several = grammar()["meanings"].get(f"{term.name} {'>=' if sign == 'a' else sign} {number}".strip())
        return str(several[self._place]) if several else ""

    def _phrase(self, node: Node, count: tuple[str, Any] | None, denied: bool = False) -> str:
        """A term: a clause with a count, ``(">=", 1)``, or without one a noun; a clause may be ``denied``."""
        leaf = node.parts[0] if node.name == "together" else node
        term: Term = leaf.value
        (who, form), count = self._who(node, leaf, count)
        if count == ("=", 0):
            known = self._meaning(term, (">=", 1))
            denied, count = bool(known or self._place or term.cards.bit_count() == 1), (">=", 1) if known else count
        text = self._meaning(term, count) or self._text(term)
        text = _REMARK.sub("", text) if self.brief else text
        text = _OWNER.sub("", text) if term.who == (TABLE,) else text
        # In front of a denied clause the mark joins nothing
        mark = _END if self.brief else ""
        text = _SUBJECT.sub(rf"{mark}\g<0>" if denied else rf"\g<0>{mark}", text)
        text = _VERB.sub(lambda verb: self._agreeing(verb[1], who, form, denied), text)
        there = r"\1 c’è"
        if place := _HOW_MANY.search(text):
            before, after = text[: place.start()], text[place.end() :]
            kind = self._word("kinds", term.detail or "any") if place[1] == "kind" else place[1]
            noun = self._noun(term.cards or cards_counted(term.name)) if kind == "card" else kind
            one, several = noun.split("|")
            if count is None:
                there = r"ci sono \1"
                text = self._words("number_of", what=several, rest=before + after)
            else:
                how_many = self._how_many(count[0], count[1], one, several, term.cards if place[1] == "card" else 0)
                there = there if _SINGULAR.search(how_many) else r"\1 ci sono"
                text = f"{before}{how_many}{after}"
        values = {str(name): who if name == "who" else self._detail(name, leaf) for name in _PLACE.findall(text)}
        values["size"] = str(count[1]) if count else ""
        return _THERE.sub(there, self.language.filler.format(text, **values))

    def _detail(self, name: str, leaf: Node) -> str:
        """The words for a place of a phrase, besides whom it is about."""
        term: Term = leaf.value
        stages = [stage + 1 for stage in term.stages]
        match name:
            case "held_among" if term.who == (STOCK,):
                return "" if self.brief or self.in_mid_hand else self._words("after_deal")
            case "held_among" if not self.brief and term.who == (TABLE,):
                return self._words("among_dealt", n=self._count(self.rules.table_cards))
            case "held_among" if not self.brief:
                return self._words("among", held=self._held(term))
            case "rest":
                theirs = leaf.arguments[0] == "them"
                sides = "pairs" if self.rules.partnership else "two" if self.rules.players == 2 else "alone"
                return self._words(f"{'rest_us' if theirs else 'rest'}_{sides}")
            case "held":
                return self._held(term)
            case "when" | "within" | "held_among" if stages:
                few = "stage" if len(stages) == 1 else "stages"
                return self._words(few, stage=stages[0], first=stages[0], last=stages[-1])
            case "after" if term.after is not None:
                return self._words("after", stage=term.after)
            case "within" | "after" if not stages and not self.brief:
                return self._words("whole")
            case "end" if term.after is not None or not self.brief:
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

    def _agreeing(self, verb: str, who: str, form: str, denied: bool) -> str:
        """A verb, given as with it, as it agrees."""
        its = (self._word("people", place) for place in ("table", "stock"))
        verb = verb.replace("holds", "has") if who in its else verb
        if not self.language.english:
            agreeing = verb if form == "it" else WORDS["verbs"][verb].split()[("I", "we", "they").index(form)]
            return f"non {agreeing}" if denied else agreeing
        if denied and verb in ("is", "can"):
            return f"{verb} not".replace("can not", "cannot")
        several = "have" if verb == "has" else verb.removesuffix("s")
        if denied:
            return f"{'does' if form == 'it' else 'do'} not {several}"
        return verb if form == "it" or verb in ("is", "can") else several

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

    def _who(self, node: Node, leaf: Node, count: tuple[str, Any] | None) -> tuple[Person, tuple[str, Any] | None]:
        """Whom a term is about, and how many of something: of several together at least one is one of somebody."""
        function, who = leaf.value.function, leaf.value.who
        named = leaf.arguments[0] if leaf.arguments else ""
        if self.each is not None and named == self.named:
            return self.each, count
        if not function.who or not named:
            return ("", "it"), count
        if function.who == "pair":
            return self._person("people", "pair", n=who[0] + 1), count
        of_sides = function.who in ("side", "game")
        several = len(node.parts) or len(who)
        if several > 1 and named not in _AS_ONE:
            if function.gives == "truth":
                as_one = named == "them" and self.rules.partnership
                return self._person("people" if as_one else "one_of_several", named), count
            if count == (">=", 1) and not of_sides:
                return self._person("one_of_several", named), ("a", 1)
            if count == ("=", 0):
                return self._person("none_of", f"{named}_side" if of_sides else named), ("a", 1)
            if named == "together":
                named = f"{'both' if several == 2 else 'all'}_{'sides' if self._is_of_pairs(leaf.value) else 'players'}"
            return self._person("together", named, n=self._count(several)), count
        if not self.rules.partnership:
            named = _ALONE.get(named, named)
        return self._person("people", named), count

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
            return one if number == "1" else f"{number} {several}"
        if number == 1 and sign == ">=" and self.brief:
            sign = "a"
        if cards.bit_count() == 1 and (sign, number) in ((">=", 1), ("a", 1), ("=", 0)):
            return self._card(cards)
        if sign == "a":
            return self._with_article(one)
        if number == 0 and sign == "=":
            each = several.split(self._word("truths", "or"))
            none = "none_of" if len(each) > 1 else "none"
            return self._words(none, what=self._word("truths", "nor").join(each), one=one)
        return self._say("counts", sign, n=one if number == 1 else f"{self._count(number)} {several}")

    def _noun(self, cards: int) -> str:
        """What one and several of some cards are called."""
        ranks, suits = self._words("ranks").split(", "), self._words("suits").split(", ")
        suit_names = self._words("suit_names").split()
        if cards == SETTEBELLO:
            return self._words("settebello")
        if not cards or cards.bit_count() == len(PACK):
            return self._words("any_card")
        if cards.bit_count() == 1:
            suit, rank = divmod(cards.bit_length() - 1, len(RANKS))
            return "|".join(f"{noun} {self._words('of')} {suit_names[suit]}" for noun in ranks[rank].split("|"))
        alike = [cards_counted(name) for name in (*RANKS, *SUITS)]
        if cards in alike:
            return [*ranks, *suits][alike.index(cards)]
        if cards == sum(alike[rank] for rank in (7, 8, 9)):
            return self._words("figures")
        whole = [name for name, of in zip(ranks, alike, strict=False) if cards & of == of]
        if sum(of for of in alike[: len(ranks)] if cards & of == of) == cards:
            each = zip(*(name.split("|") for name in whole), strict=True)
            return "|".join(self._word("truths", "or").join(names) for names in each)
        return self._words("one_of", cards=" ".join(texts(cards)))

    def _card(self, cards: int) -> str:
        """One of some cards, or the only one, with its article."""
        return self._with_article(self._noun(cards).split("|")[0], definite=cards.bit_count() == 1)

    def _with_article(self, one: str, definite: bool = False) -> str:
        """A noun, given as ``one ace``, with its article."""
        article, _, noun = one.partition(" ")
        if self.language.english:
            return f"{'the' if definite else 'an' if noun[0] in 'ae' else 'a'} {noun}"
        of = "{0:la}" if article == "una" else "{0:il}"
        return self.language.filler.format(of if definite else article + " {0}", noun)


def _is_of_truth(node: Node) -> bool:
    """Whether it is true or false, or counts a single card, so that it is 0 or 1."""
    kind = _kind(node)
    of_one = kind == "count" and node.name == "term" and node.value.cards.bit_count() == 1
    return kind == "truth" or (of_one and "{n:card}" in node.value.function.reads[0])


def _spaced(text: str) -> str:
    """Ranks, suits or cards apart from each other."""
    return text if " " in text else " ".join(text)


def _one_count(node: Node) -> Node | None:
    """A sum of counts of different cards as one count of all of them; None for another sum."""
    parts = [one for part in node.parts for one in (part.parts if part.name == "+" else (part,))]
    if len(parts) > len(node.parts):
        return _one_count(replace(node, parts=tuple(parts)))
    terms = [part.value for part in parts if part.name == "term"]
    every = [term.cards or cards_counted(term.name) for term in terms]
    if len(terms) < len(parts) or not all(every) or "{n:card}" not in terms[0].function.reads[0]:
        return None
    alike = {(*term.function.reads, replace(term, name="", cards=0)) for term in terms}
    if len(alike) > 1 or sum(every) != reduce(or_, every):
        return None
    return replace(parts[0], value=replace(terms[0], cards=sum(every)))


def _is_constant(node: Node) -> bool:
    return all(leaf.name in ("number", "text", "truth") for leaf in node.leaves())


# ------------------------------------------------------------------------------------------------ requests


@dataclass(frozen=True)
class Wording:
    """A question in the clauses of a sentence that answers it: *I hold a barsega*, *when I hold the matta*.

    ``name`` is what the user calls the question, if anything.
    """

    reader: _Reader
    question: Question
    name: str = ""
    seat: str = ""
    """Where the person asking sits, as a clause, if that is known."""

    def clause(self, number: str = "", less: bool = False) -> str:
        """What may be true; of a number that it is so much, of a lead so much more, or ``less``."""
        return _plain(self._clause(number, less))

    @property
    def is_lead(self) -> bool:
        """Whether it is of how far a side is ahead."""
        tree = self.question.parts[0].tree if self.question.parts else Node("number")
        return tree.name == "term" and f"{tree.value.name} more" in grammar()["meanings"]

    def subject(self) -> tuple[str, str]:
        """Who does something, with the verb, and what; ``("", clause)`` where nobody does."""
        subject, mark, rest = self._clause("", less=False).partition(_END)
        return (_plain(subject), _plain(rest)) if mark and _END not in rest else ("", self.clause())

    def _clause(self, number: str, less: bool) -> str:
        reader, question = self.reader, self.question
        trees = [part.tree for part in question.parts]
        if not trees:
            return self.split
        if question.is_of_truth:
            return reader.truth(trees[0])
        if question.aggregate == "mean":
            if self.is_lead and number:
                fewer = less != (reader.rules.lowest_wins and trees[0].value.name == "margin")  # a lead is ahead
                return reader._phrase(trees[0], ("less" if fewer else "more", number))
            return reader.with_number(trees[0], number)
        noun = reader.aggregate(question, [*map(reader.number, trees)])
        return reader._say("comparisons", "in", x=noun, y=number) if number else noun

    def number(self, number: str, tree: Node | None = None) -> str:
        """A clause: the number of the question, or of a tree, equals ``number``."""
        return _plain(self.reader.with_number(tree or self.question.parts[0].tree, number))

    def noun(self) -> str:
        """What the answer is a number of."""
        return _plain(self.reader.number(self.question.parts[0].tree))

    @property
    def when(self) -> str:
        """The conditions, as a clause; empty where there are none."""
        given = [self.reader.truth(part.tree) for part in self.question.given]
        return _plain(self.reader._word("truths", "and").join(filter(None, [self.seat, *given])))

    @property
    def is_by_truth(self) -> bool:
        """Whether the answer is split by what is true or not."""
        return self.question.by is not None and _is_of_truth(self.question.by.tree)

    @property
    def split(self) -> str:
        """By what the answer is split: a noun, or a clause that is true or not; of a distribution what it is of."""
        by = self.question.by
        tree = self.question.parts[0].tree if by is None else by.tree
        return _plain(self.reader.truth(tree) if self.is_by_truth else self.reader.number(tree))

    def case(self, value: str, sign: str = "=", split: bool = True) -> str:
        """That what it is ``split`` by, or the number that is asked for, has a value; with a sign is at most so."""
        by = self.question.by if split else None
        tree = self.question.parts[0].tree if by is None else by.tree
        if _kind(tree) == "truth" or (self.is_by_truth and by is not None):
            return _plain(self.reader.truth(tree) if value in ("true", "1") else self.reader._denied(tree))
        reader = self.reader
        if _kind(tree) == "text":
            return _plain(reader._say("comparisons", "= text", x=reader.number(tree), y=_spaced(value)))
        number, counted = Node("number", float(value)), reader._is_counted(tree)
        if sign == "=" and (number.value or not counted):
            return self.number(reader._count(number.value) if counted else reader.number(number), tree)
        return _plain(reader._compared(tree, sign, number))

    @property
    def person(self) -> str:
        """The player or side that the question is about, if it is about one; empty otherwise."""
        trees = [part.tree for part in self.question.parts]
        leaves = [leaf for tree in trees for leaf in tree.leaves() if leaf.arguments]
        people = {leaf.arguments[0] for leaf in leaves}
        one = len(people) == 1 and people <= set(grammar()["people"])
        alone = all(leaf.name == "term" and (len(leaf.value.who) == 1 or self.reader._is_of_pairs(leaf.value))
                    for leaf in leaves)  # fmt: skip
        if not (one and alone) or self.question.given or self.seat:
            return ""
        person = people.pop()
        person = person if self.reader.rules.partnership else _ALONE.get(person, person)
        return self.reader._word("names" if person in grammar()["names"] else "people", person)

    def of_each(self) -> Wording:
        """The question about each player or side, where it is about a ``person``."""
        leaf = next(leaf for part in self.question.parts for leaf in part.tree.leaves() if leaf.arguments)
        side = "_side" if self.reader._is_of_pairs(leaf.value) else ""
        each = self.reader._person("one_of_several", f"everybody{side}")
        return replace(self, reader=self.reader._of(leaf.arguments[0], each))


def _plain(clause: str) -> str:
    """A brief clause as readers see it."""
    return re.sub(" +", " ", _BLANKS.sub("", clause.replace(_END, ""))).strip(" ,")


def wordings(request: Request, language: Language) -> list[Wording]:
    """The questions of a request as clauses; raises ``InputError`` for one that cannot be read."""
    if "expressions" not in request.question and "by" not in request.question:
        return []
    at, _, place, questions = _asked(request)
    reader = _Reader(language, place.rules, at.is_position, brief=True)
    return [Wording(reader, question, _named(question), _seat(at, reader)) for question in questions]


def _asked(request: Request) -> tuple[Situation, Position | None, Place, tuple[Question, ...]]:
    """The situation of a request, the position if it is one, the place and the questions."""
    at, parts = _situation(request), request.question
    position = known_position(request.rules.fields, at) if at.is_position else None
    place = place_at(request, at, 0, now=None if position is None else position.first)
    expressions = tuple(parts.get("expressions", ()))
    return at, position, place, read_questions(expressions, parts.get("given"), parts.get("by"), place.speaker)


def _situation(request: Request) -> Situation:
    return Situation.parse(request.situation["at"]) if "at" in request.situation else NOTHING


def _seat(at: Situation, reader: _Reader) -> str:
    """Where the person asking sits, if that is known."""
    return reader._say("truths", "seat", who=reader._person("people", at.i_am)[0]) if at.i_am else ""


def read_back(request: Request, language: Language) -> list[str]:
    """The sentences that say how a request of ``odds`` was understood: one a question, then what holds for all."""
    rules, parts, at = request.rules.fields, request.question, _situation(request)
    known = replace(at, i_am=None).text(language.name)
    reader = _Reader(language, rules, at.is_position)
    say = partial(reader._say, "requests")
    if "expressions" not in parts and "by" not in parts:
        return [
            say("deal", known=known) if at.places else say("first_deal"),
            say("trial", trial=language.phrase(FIRST_DEAL.text)),
        ]
    _, position, place, questions = _asked(request)
    people = {person for question in questions for part in question.expressions for person in part.people}
    seat = _seat(at, reader)
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
        f"{name}: {read}" if (name := _named(question)) else read
        for question in questions
        for read in [_repeated(reading_of(question, language, at.is_position), question, parts, say)]
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
    is_read = any(now.read and not now.all_holdings() for now in position.seats)  # some deals are likelier than others
    each = [*position.assumptions, *(map(Assumption, of_plays) if is_read else ())]
    reader = _Reader(language, rules, True)
    return [reader.assumption(one) for one in each if one.kind not in without]


def _named(question: Question) -> str:
    """The name of a question that has one."""
    unnamed = not question.text or question.words.startswith(" ".join(question.text.split()))
    return "" if unnamed else question.words


def _repeated(sentence: str, question: Question, parts: Mapping[str, Any], say: Callable[..., str]) -> str:
    """A sentence about one trial as one about several."""
    number, run, times = parts.get("in_"), parts.get("in_a_row"), parts.get("times", 1)
    if question.asks.trials != "after" or (number is None and run is None):
        return sentence
    once = "summed" if not question.is_of_truth else "at_least_once" if times == 1 else "at_least"
    how = once if run is None else "run" if number is None else "run_within"
    return f"{sentence.removesuffix('.')}{say(how, n=number, run=run, times=times)}."
