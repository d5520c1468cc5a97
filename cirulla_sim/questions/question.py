"""Questions as values, and what their words mean to the person asking: terms.

>>> from cirulla_sim.ruleset.presets import build
>>> from .parser import parse_expression
>>> bind_words("sweeps(dealer, stage 2)", parse_expression("sweeps(dealer, stage 2)"), Speaker(build("cirulla"))).terms
(Term(name='sweeps', who=(3,), stages=(1,), turn=None, after=None, cards=0, detail='', by_sweep=False),)
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from ..core.errors import InputError, meant
from ..core.messages import Message
from ..ruleset.categories import FURTHER
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import category_named
from ..situation.notation import Situation
from ..situation.people import ABSOLUTE, PLAYERS, is_relative, order_of_play, seat_of, seats_of, seen_from
from .parser import FUNCTIONS, Node, error_at, parse_expression
from .vocabulary import (
    CATEGORIES,
    EACH,
    EXAMPLES,
    EXTREMES,
    HELD_OR_SHOWN,
    PEOPLE,
    PLACES,
    QUANTIFIERS,
    RANKS,
    STOCK,
    SUITS,
    TABLE,
    WORDS,
    Aggregate,
    Function,
    Term,
    aggregates,
    cards_counted,
    in_italian,
    meaning_of,
    nearest_words,
    number_word,
    person_of,
    with_argument,
)

_CONTESTS = ("cards", "diamonds", "primiera")
"""Categories that a side has more of than the others."""


@dataclass(frozen=True)
class Speaker:
    """The person who asks, at seat ``me``, under some rules.

    ``here`` is the kind of place: fresh, position, game, night or piles. ``pairs`` is the most pairs in a night,
    ``trials`` how many of them are asked about at once, 0 for one.
    """

    rules: Rules
    me: int = 0
    here: str = "fresh"
    pairs: int = 64
    trials: int = 0


@dataclass(frozen=True)
class Expression:
    """An expression as it was written, its tree of terms, and the names of the people that it speaks of.

    ``alone`` is its own text, where it is a part of the one in which characters are counted.
    """

    text: str
    tree: Node
    people: frozenset[str] = frozenset()
    alone: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms in it, each once, in order."""
        return tuple(dict.fromkeys(leaf.value for leaf in self.tree.leaves() if leaf.name == "term"))


def bind_words(text: str, tree: Node, speaker: Speaker, truth: bool = True) -> Expression:
    """An expression with every word turned into terms; raises ``InputError`` that quotes the word.

    Without ``truth`` its value is asked for as a number: a count alone is not read as "at least one".
    """
    binder = _Binder(text, speaker)
    bound_tree = binder.bind(tree, truth=truth)
    expression = Expression(text, bound_tree, frozenset(binder.people))
    if not expression.terms and not expression.people:
        raise InputError("{text!r} is about nothing that happens (valid: as barsega and sevens >= 1)", text)
    return expression


Quantifier = tuple[str, tuple[int, ...]]
"""``everybody``, ``somebody`` or ``nobody``, and the seats or sides that these are."""


@dataclass
class _Binder:
    """Turns the words of one expression into terms.

    ``compared`` are the quantifiers of the comparison that is bound now, None outside of comparisons.
    """

    text: str
    speaker: Speaker
    people: set[str] = field(default_factory=set)
    compared: set[Quantifier] | None = None

    def error(self, at: int, template: str, *values: object) -> InputError:
        """The error for a word that begins at a character."""
        return error_at(self.text, at, template, *values)

    def about(self, node: Node, template: str, *values: object) -> InputError:
        """The error for a word, which the template names first."""
        return self.error(node.at, template, node.value, *values)

    def bind(self, node: Node, number: bool = False, truth: bool = False) -> Node:
        """A tree with its words bound.

        ``number`` says that words for numbers are numbers here, ``truth`` that a count is one of at least one.
        """
        if node.name == "word":
            return self._word(node, number, truth)
        if node.name in aggregates():
            raise self.error(
                node.at, "{name}(...) is an aggregate of a whole expression (valid: {name}(...) alone)", node.name
            )
        outer = self.compared
        if node.name in ("compare", "in"):
            self.compared = set()
            tree = self._quantified(replace(node, parts=self._compared(node)), self.compared)
        else:
            connects = node.name in ("and", "or", "not")
            self.compared = None if connects else outer
            for part in node.parts if not connects and not number else ():
                if (value := self._number_of(part)) is not None and meaning_of(part.value):
                    raise self.about(part, "{value!r} may be a number or a count (valid: {number}, {value}(me))", value)
            tree = replace(node, parts=tuple(self.bind(part, number, connects) for part in node.parts))
        self.compared = outer
        return tree

    def _quantified(self, tree: Node, quantifiers: set[Quantifier]) -> Node:
        """A comparison, or a truth, of each of the people that its quantifier names."""
        if not quantifiers:
            return tree
        if len(quantifiers) > 1:
            raise self.error(
                tree.at, "{names} cannot be in one comparison (valid: comparisons with and, or)",
                sorted({name for name, _ in quantifiers}) if len({who for _, who in quantifiers}) == 1
                else Message("players and sides"),
            )  # fmt: skip
        [(name, who)] = quantifiers
        each = (tree.with_leaves(partial(change_term, of=(EACH,), who=(one,))) for one in who)
        return Node(name, who, tuple(each), tree.at)

    # -------------------------------------------------------------------------------- words for numbers

    def _compared(self, node: Node) -> tuple[Node, ...]:
        """The parts of a comparison: words that may be numbers are, but for those that are compared.

        What is compared comes first, or in the middle of two others: ``sevens = two``, ``1 < sette < 3``. The ends of a
        range are numbers.
        """
        each = [[leaf for leaf in part.leaves() if leaf.name == "word"] for part in node.parts]
        candidates = [place for place, words in enumerate(each) if words]
        subjects = [place for place in candidates if any(self._number_of(word) is None for word in each[place])]
        if not subjects and candidates:
            middle = node.name == "compare" and len(node.parts) == 3
            place = 1 if middle and 1 in candidates else candidates[0]
            if node.name == "in" and place:
                raise self.error(node.parts[0].at, "a number is not compared with numbers (valid: sevens in (1, 2))")
            subjects = [place]
        return tuple(
            self.bind(part, number=place not in subjects or part.name == "range")
            for place, part in enumerate(node.parts)
        )

    @staticmethod
    def _number_of(node: Node) -> int | None:
        """The number that a word is where a number stands; None for other words and other nodes, and for calls."""
        return None if node.name != "word" or node.arguments else number_word(node.value)

    # -------------------------------------------------------------------------------- a word

    def _word(self, node: Node, number: bool, truth: bool) -> Node:
        value, term = self._number_of(node), meaning_of(node.value)
        if value is not None and (number or term is None):
            return Node("number", value, (), node.at)
        if term is None:
            if truth and not node.arguments and (seat := PEOPLE.get(node.value.lower())) in ABSOLUTE:
                self.people |= {"me", seat}
                sits = seat_of(seat, self.speaker.rules, self.speaker.me, Message("{value}: ", node.value))
                return Node("truth", sits == self.speaker.me, (), node.at, (seat,))
            raise self._unknown(node)
        if term.cards and node.arguments:
            raise self.about(node, "{value!r} is a card (valid: holds({person}, {value}))", node.arguments[0])
        person, term = self._arguments(node, term)
        self._check_given(node, term)
        return self._of_whom(node, person, term, truth)

    def _unknown(self, node: Node) -> InputError:
        if two := HELD_OR_SHOWN.get(node.value.lower()):
            inside = f"({', '.join(node.arguments)})" if node.arguments else ""
            return self.about(node, "{value}: held or shown? (valid: {valid})", [f"{name}{inside}" for name in two])
        if (plain := node.value.lower()) in PEOPLE:
            return self.about(node, "{value} says who, not what (valid: in brackets, as sweeps({name}))", PEOPLE[plain])
        if plain in PLACES:
            return self.about(node, "{value} says where, not what (valid: in brackets, as aces({value}))")
        near = [] if " " in node.value else nearest_words(node.value, self.speaker.here)
        near = near or get_close_matches(node.value.lower(), FUNCTIONS, 2, 0.7)
        hint = meant(*(Message("{call}", one) for one in near)) if near else ""
        return self.about(node, "unknown word {name!r}{hint} (valid: the words of odds --list)", hint)

    def _arguments(self, node: Node, term: Term) -> tuple[str | None, Term]:
        """Who is meant, None where nobody is named, and the term with the other arguments."""
        person, function = None, term.function
        for written in node.arguments:
            plain = self._plain(node, written)
            if person is None and function.who and (name := person_of(function, plain)) is not None:
                person = name
                continue
            read = self._category(function, plain, term) or next(
                (found for kind in function.arguments if (found := with_argument(kind, plain, term)) is not None), None
            )
            if read is None:
                raise self._unknown_argument(function, node, written)
            term = read
        last = len(self.speaker.rules.deal_plan)
        for stage in (*term.stages, *(() if term.after is None else (term.after - 1,))):
            if not 0 <= stage < last:
                if last == 1:
                    raise self.about(node, "{value}: there is one stage (leave it out)")
                raise self.about(node, "{value}: there are {last} stages (valid: stage 1 to {last})", last)
        most = max(self.speaker.rules.deal_plan[stage] for stage in term.stages or range(last))
        if term.turn is not None and term.turn >= most:
            raise self.about(node, "{value}: each plays {most} cards in a stage (valid: card 1 to {most})", most)
        return person, term

    def _category(self, function: Function, plain: str, term: Term) -> Term | None:
        """The term of a category that the rules have of their own, None for any other word."""
        named = category_named(self.speaker.rules, plain) if "category" in function.arguments else None
        return None if named is None or named.column not in FURTHER or term.detail else replace(term, detail=named.name)

    def _plain(self, node: Node, written: str) -> str:
        """An argument in small letters, with the card that is the matta in its place."""
        plain, matta = " ".join(written.lower().split()), self.speaker.rules.matta
        if not _MATTA.search(plain):
            return plain
        if matta is None:
            raise self.about(node, "{value}: no card is the matta under these rules (valid: a card, as 7h)")
        return _MATTA.sub(matta.lower(), plain)

    def _unknown_argument(self, function: Function, node: Node, written: str) -> InputError:
        valid = [*self._valid_people(function), *(EXAMPLES[kind] for kind in function.arguments)]
        if not valid:
            return self.about(node, "{value} takes nothing in brackets (valid: {name})", function.name)
        words = [*valid, *(CATEGORIES if "category" in function.arguments else ())]
        words += {*RANKS, *SUITS, "settebello", "matta"} if {"cards", "with"} & {*function.arguments} else ()
        words += PEOPLE if function.who in ("player", "side", "holder", "following", "game") else []
        if written.lower() in words or person_of(function, written.lower()) is not None:
            return self.about(node, "{value}: {written!r} is one too many of its kind (leave it out)", written)
        near = get_close_matches(written.lower(), words, 1, 0.7)
        hint = meant(near[0]) if near else ""
        valid = [*map(Message, valid)]
        return self.about(node, "{value}: unknown {written!r}{hint} (valid: {valid})", written, hint, valid)

    def _valid_people(self, function: Function) -> list[str]:
        rules = self.speaker.rules
        if function.who == "pair":
            return [Message("pair 1 to pair {pairs}", self.speaker.pairs), "best", *QUANTIFIERS]
        each = list(dict.fromkeys((*seen_from(rules, self.speaker.me), *order_of_play(rules))))
        sides = ["us", "them", *(("dealer_side", "first_side") if rules.sides < rules.players else each)]
        words = WORDS["valid_people"].get("" if function.default == "table" else function.who, "").split()
        return [one for word in words for one in {"each": each, "sides": sides}.get(word, [word])]

    def _check_given(self, node: Node, term: Term) -> None:
        """Raise ``InputError`` where an argument is lacking, or does not go with the others."""
        function = term.function
        if function.requires == "cards" and not term.cards:
            person = f"{function.default}, " if function.who else ""
            raise self.about(node, "{value}: of which card? (valid: {name}({person}7d))", function.name, person)
        if function.requires == "suit" and not term.detail:
            raise self.about(node, "{value}: of which suit? (valid: {name}(us, hearts))", function.name)
        if function.one_card and term.cards.bit_count() != 1:
            raise self.about(node, "{value}: of one card (valid: {name}(7d))", function.name)
        if function.contest and term.detail and term.detail not in _CONTESTS:
            raise self.about(
                node,
                "{value}: nobody wins {detail!r} (valid: {contests}; or points(us, {detail}) > points(them, {detail}))",
                term.detail, _CONTESTS,
            )  # fmt: skip
        if term.stages and term.detail and function.name == "points" and term.detail not in ("sweeps", "knocks"):
            raise self.error(node.at, "points for {detail} are of no stage (valid: sweeps, knocks)", term.detail)
        if term.after is not None and term.detail not in ("", "sweeps", "knocks", "table"):
            raise self.error(
                node.at, "points for {detail} are counted at the end (valid: sweeps, knocks, table)", term.detail
            )

    # -------------------------------------------------------------------------------- who

    def _of_whom(self, node: Node, person: str | None, term: Term, truth: bool) -> Node:
        """The tree for a term of somebody: one term, or one for each of several players, put together."""
        function = term.function
        if not function.who:
            return Node("term", term, (), node.at)
        person = person or function.default
        if function.who == "pair" and person in QUANTIFIERS:
            return self._of_each(node, person, term, tuple(range(self.speaker.pairs)), truth)
        if function.who == "pair":
            number = int(person) if person.isdecimal() else 1
            if not 1 <= number <= self.speaker.pairs:
                raise self.about(node, "{value}: there are {pairs} pairs (valid: pair 1, ...)", self.speaker.pairs)
            return _leaf(node, term, person, number - 1)
        if function.who == "holder":
            self._check_place(node, term, person)
        if person in PLACES:
            return _leaf(node, term, person, {"table": TABLE, "stock": STOCK}[person])
        self.people.add(person)
        seats = self._seats(node, function, person)
        of_sides = function.who in ("side", "game")
        who = tuple(sorted({self.speaker.rules.side(seat) for seat in seats})) if of_sides else seats
        if person in QUANTIFIERS:
            return self._of_each(node, person, term, who, truth)
        if person in ("together", *EXTREMES) and function.gives not in ("count", "number"):
            raise self.about(
                node, "{value}({person}): {value} is no number (valid: {value}(somebody), {value}(everybody))", person
            )
        each = [_leaf(node, term, person, one) for one in who]
        if person in EXTREMES:
            return Node(person, who, tuple(each), node.at)
        if len(who) == 1 or function.who == "player" or function.as_one:
            return _leaf(node, term, person, *who)
        if of_sides and person != "together":
            raise self.about(
                node, "{value}({person}): these are {sides} sides (valid: {people})",
                person, len(who), self._valid_people(function),
            )  # fmt: skip
        return self._together(node, person, who, each)

    def _check_place(self, node: Node, term: Term, person: str) -> None:
        """Raise ``InputError`` if the table, the stock or a holding is no place for the function of a term.

        Nor are the cards of a side, which may be held or captured.
        """
        rules, name, on_table = self.speaker.rules, term.name, person == "table"
        if person == "stock" and len(rules.deal_plan) == 1:
            raise self.about(node, "{value}: all cards are dealt at once under these rules (leave it out)")
        if person == "stock" and term.stages:
            raise self.about(
                node, "{value}: the stock is what is left after the first deal, or now (leave the stage out)"
            )
        if person == "stock" and not term.function.in_stock:
            raise self.about(node, "{value}: of cards held (valid: settebello(stock), holds(stock, 7d), sevens(stock))")
        if on_table and not rules.table_cards:
            raise self.about(node, "{value}: no cards are laid on the table under these rules (leave it out)")
        if on_table and term.stages:
            raise self.about(node, "{value}: the table is dealt once (leave the stage out)")
        if on_table and not term.function.on_table:
            raise self.about(node, "{value}: of cards held (valid: {name}(me), four_equal, bonus(table))", name)
        if len(term.stages) > 1:
            raise self.about(node, "{value}: of the cards of one stage (valid: stage {stage})", term.stages[0] + 1)
        if person in SIDES and (name in ("matta", "settebello") or cards_counted(name)):
            typed, *stage = sorted(node.arguments, key=lambda one: PEOPLE.get(" ".join(one.lower().split())) != person)
            valid = f"holds({', '.join([typed, node.value, *stage])})", f"captured({typed}, {node.value})"
            raise self.about(node, "{value}: held or captured? (valid: {valid})", valid)

    def _seats(self, node: Node, function: Function, person: str) -> tuple[int, ...]:
        rules, me = self.speaker.rules, self.speaker.me
        every = range(rules.players)
        if person in (*QUANTIFIERS, *EXTREMES, "together"):
            return tuple(every)
        if person in ("dealer_side", "first_side"):
            of = rules.dealer_side if person == "dealer_side" else rules.side(0)
            return tuple(seat for seat in every if rules.side(seat) == of)
        of_sides = function.who in ("side", "game")
        try:
            seats = seats_of("them" if person == "others" and of_sides else person, rules, me)
        except InputError as error:
            raise self.about(node, "{value}: {error}", error) from None
        if of_sides and person in PLAYERS and rules.sides < rules.players:
            its_side = rules.side(seats[0])
            relative = "us" if its_side == rules.side(me) else "them"
            side = relative if is_relative(person) else "dealer_side" if its_side == rules.dealer_side else "first_side"
            named = map(str if node.value == function.name else in_italian, (person, f"{function.name}({side})"))
            raise self.about(node, "{value} is of sides, and {person} is a player (valid: {valid})", *named)
        return seats

    def _of_each(self, node: Node, person: str, term: Term, who: tuple[int, ...], truth: bool) -> Node:
        """A term of each of some people: a part of the comparison in which it stands, or a truth by itself."""
        leaf, gives = _leaf(node, term, person, EACH), term.function.gives
        if self.compared is not None:
            self.compared.add((person, who))
            return leaf
        if gives == "truth" or (gives == "count" and truth):
            return self._quantified(leaf, {(person, who)})
        text = gives == "text"
        valid = [f"{term.name}({person}) = 'A7K'" if text else f"{term.name}({person}) >= 3"]
        valid += [] if text or term.function.who == "pair" else [f"{term.name}(together)", f"{term.name}(most)"]
        raise self.about(node, "{value}({person}) compares each player with a value (valid: {valid})", person, valid)

    def _together(self, node: Node, person: str, who: tuple[int, ...], each: list[Node]) -> Node:
        """What several people have: a truth of any of them, numbers added up."""
        function = each[0].value.function
        if function.gives == "text" or (not function.adds_up and person != "together"):
            raise self.about(
                node, "{value}({person}): of one player at a time (valid: {name}(me))", person, function.name
            )
        return Node("somebody" if function.gives == "truth" else "together", who, tuple(each), node.at)


_MATTA = re.compile(r"\b(?:matta|poncin)\b")


def _leaf(node: Node, term: Term, person: str, *who: int) -> Node:
    """A term of some people, with the name that means them as its argument."""
    return Node("term", replace(term, who=who), (), node.at, (person,))


def change_term(leaf: Node, of: tuple[int, ...] | None = None, **fields: Any) -> Node:
    """A term, or only one of these people, with other fields; any other leaf as it is."""
    is_meant = leaf.name == "term" and of in (None, leaf.value.who)
    return replace(leaf, value=replace(leaf.value, **fields)) if is_meant else leaf


SIDES = ("us", "them", "others", "dealer_side", "first_side")


# ------------------------------------------------------------------------------------------------ questions


@dataclass(frozen=True)
class Question:
    """An aggregate of one expression (a ``ratio`` of two), in the cases in which all of ``given`` are true.

    ``by`` splits the answer by the values of an expression. Without any ``parts`` it is the chance of each value. With
    ``trials`` a ``run``, ``max`` or ``min`` is the mean of that of so many.
    """

    rules: Rules
    text: str
    aggregate: str
    parts: tuple[Expression, ...] = ()
    given: tuple[Expression, ...] = ()
    by: Expression | None = None
    words: str = ""
    """The question on one line, by its name if it has one."""
    trials: int = 0

    @property
    def asks(self) -> Aggregate:
        """What is asked of its parts."""
        return aggregates()[self.aggregate]

    @property
    def is_of_truth(self) -> bool:
        """Whether its part is true or false, not a number."""
        return self.asks.of == "truth"

    @property
    def is_extreme_of_trials(self) -> bool:
        """Whether it is of the largest or smallest number of several trials."""
        return self.trials > 0 and self.asks.extreme

    @property
    def kind(self) -> str:
        """What kind of number the answer is."""
        return "mean" if self.is_extreme_of_trials else self.asks.kind

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions in it."""
        return *self.parts, *self.given, *(() if self.by is None else (self.by,))

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms in it, each once."""
        return tuple(dict.fromkeys(term for part in self.expressions for term in part.terms))


_NAME = re.compile(r"[^:'\"<>=()]{1,80}")


def split_name(text: str) -> tuple[str | None, str]:
    """The name and the expression of a question: ``"a seven: sevens >= 1"``; most have no name.

    >>> split_name("a seven: sevens >= 1"), split_name("sevens >= 1")
    (('a seven', 'sevens >= 1'), (None, 'sevens >= 1'))
    """
    name, _, question = map(str.strip, text.partition(":"))
    return (name, question) if question and _NAME.fullmatch(name) else (None, text)


def is_expression(text: str) -> bool:
    """Whether a text is meant for an expression: it has signs of one, is one word, or reads as one of known words.

    >>> is_expression("wins(us given"), is_expression("aces and sevens"), is_expression("how often do we win?")
    (True, True, False)
    """
    if re.search(r"[()<>=*/]", text) or re.fullmatch(r"\W*\w*[\s.]*", text):
        return True
    try:
        leaves = [*parse_expression(split_name(text)[1], conditional=True).leaves()]
    except InputError:
        return False
    known = {*PEOPLE, *HELD_OR_SHOWN}
    return all(leaf.value.lower() in known or meaning_of(leaf.value) for leaf in leaves if leaf.name == "word")


def read_question(written: str, speaker: Speaker) -> Question:
    """Parse a question: ``wins(us)``, ``mean(points(us)) given barsega``, ``a name: sevens >= 1``.

    Raises ``InputError`` quoting the words it cannot read.
    """
    name, text = split_name(written)
    tree = parse_expression(text, conditional=True)
    if name is not None:
        _check_title(name, text, tree, speaker)
    value, given = (tree.parts[0], tree.parts[1:]) if tree.name == "given" else (tree, ())
    if value.name == "/" and all(part.name == "mean" for part in value.parts):
        value = Node("ratio", None, tuple(part.parts[0] for part in value.parts), value.at)
    elif value.name != "mean" and (within := _within_means(value)) not in (None, value):
        value = Node("mean", None, (within,), value.at)  # a sum of means is the mean of the sum, of the same trials
    aggregate, parts = (value.name, value.parts) if value.name in aggregates() else ("chance", (value,))
    before, after = tree.value if given else ("", "")
    alone = before if aggregate == "chance" else ""
    question = Question(speaker.rules, text, aggregate, words=name or " ".join(text.split()), trials=speaker.trials)
    if aggregate == "run" and not speaker.trials:
        raise InputError("{text!r} is of several trials, one after the other (add --in 20)", text)
    values = tuple(replace(bind_words(text, node, speaker, question.is_of_truth), alone=alone) for node in parts)
    if not any(value.terms for value in values):
        raise InputError("{text!r} is about nothing that happens (valid: as barsega and sevens >= 1)", text)
    conditions = tuple(replace(bind_words(text, node, speaker), alone=after) for node in given)
    return replace(question, parts=values, given=conditions)


def _check_title(name: str, text: str, tree: Node, speaker: Speaker) -> None:
    """Raise ``InputError`` for a title that is a person or a clause of a situation, with what may be meant."""
    plain, clause = " ".join(name.lower().split()), f"{name}: {text}"
    of_situation = False
    with suppress(InputError):
        of_situation = bool(Situation.parse(clause))
    if plain not in PEOPLE and not of_situation:
        return
    valid: list[object] = []
    words = [leaf for leaf in tree.leaves() if leaf.name == "word"]
    if len(words) == 1 and not words[0].arguments:
        end = words[0].at + len(words[0].value)
        form = f"{text[:end]}({name}){text[end:]}"
        with suppress(InputError):
            read_question(form, speaker)
            valid.append(form)
    terms = [meaning_of(word.value) for word in words]
    if of_situation and all(term is not None and term.function.space == "cards" for term in terms):
        valid.append(f"--at {clause!r}")
    raise InputError("{title!r} is no title (valid: {valid})", f"{name}:", [*valid, Message("another title")])


def _within_means(tree: Node) -> Node | None:
    """What a number or a sum of means and numbers is the mean of; None for anything else."""
    if tree.name in ("mean", "number"):
        return tree.parts[0] if tree.parts else tree
    numbers = [part.name == "number" for part in tree.parts]
    linear = (
        tree.name in ("+", "-", "minus") or (tree.name == "*" and any(numbers)) or (tree.name == "/" and numbers[1])
    )
    parts = [*map(_within_means, tree.parts)] if linear else [None]
    found = tuple(part for part in parts if part is not None)
    return replace(tree, parts=found) if len(found) == len(parts) else None


def read_questions(texts: tuple[str, ...], given: str | None, by: str | None, speaker: Speaker) -> tuple[Question, ...]:
    """Questions about the same cases; raises ``InputError`` as ``read_question`` does."""
    conditions = () if given is None else (bind_words(given, parse_expression(given), speaker),)
    split = (
        None
        if by is None
        else bind_words(by, tree := parse_expression(by), speaker, tree.name == "word" and tree.value in PEOPLE)
    )
    after = f" given {given}" if given else ""
    questions = [read_question(text, speaker) for text in texts]
    return tuple(
        replace(question, given=(*question.given, *conditions), by=split, words=question.words + after)
        for question in questions or [Question(speaker.rules, "", "chance", words=f"by {by}")]
    )
