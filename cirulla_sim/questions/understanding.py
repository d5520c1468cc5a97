"""Plain questions in English or Italian, understood as expressions of the question language, or refused.

The words come from the phrases with which questions are read: each phrase of a function is a frame of words and places.
A sentence is cut into clauses, a clause into parts with one noun each, and the frame is chosen that has a place for
every word. A word without a place refuses the question: no other question is ever answered.

>>> from cirulla_sim.ruleset.presets import build
>>> understand("how often do we win if I have two aces?", build("cirulla")).texts
('wins(us) given aces(me) >= 2',)
>>> understand("chi vince più spesso, noi o loro?", build("cirulla")).texts
('wins(us)', 'wins(them)')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from ..core.cards import mask_of_word
from ..core.errors import InputError
from ..ruleset.catalogue import catalogue
from ..ruleset.presets import build
from ..ruleset.rules_model import Rules
from .lexicon import LIGHT, ClausePart, Item, Lexicon, NoPlaceError, data, lexicon_of, number_of, split_words
from .parser import parse_expression
from .question import SIDES, Speaker, bind_words, read_question
from .vocabulary import aggregates


class Understood(NamedTuple):
    """Questions (two where they are compared) and options of a ``verb``; ``others`` that are as fair.

    ``corrected`` are words that were read as others, and which.
    """

    texts: tuple[str, ...]
    options: Mapping[str, str]
    others: tuple[tuple[str, ...], ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()
    verb: str = "odds"


_ONE = ("a", "an", "un", "una", "uno")
_US = Item("", {"who": frozenset({"us"})})

# ------------------------------------------------------------------------------------------------ clauses

_OTHERS = ("mean", "pile", "joined", "us")
"""What else may be meant: a mean (*quante volte*), cards captured and not held or the reverse, *if*, our side."""


@dataclass(frozen=True)
class _Sentence:
    """Understands the items of one sentence; ``other`` is one of ``_OTHERS``, empty for what is likelier.

    It asks for a ``chance``, for the ``most`` of several players, or for what something is worth to us (``ours``);
    ``about`` is who its conditions are about.
    """

    lexicon: Lexicon
    rules: Rules
    other: str = ""
    chance: bool = False
    most: bool = False
    ours: bool = False
    about: str = ""

    def part(self, items: Sequence[Item], person: str, truth: bool) -> ClausePart:
        """The frame that has a place for all items, with these; raises ``NoPlaceError`` where there is none.

        ``person`` is who is meant where the items name nobody.
        """
        items, placed, lost = _settled(items), list[ClausePart](), list[tuple[int, float, list[str]]]()
        table = any(item.of("who") & {"table"} for item in items)
        size = str(self.rules.table_cards if table else max(self.rules.deal_plan))
        all_held = Item("", {"numbers": frozenset({size}), "signs": frozenset({"="})})
        nexts = pairwise([*items, Item("")])
        alike = {at for at, (item, after) in enumerate(nexts) if item.of("alike") and after.of("cards")}
        every = frozenset[str]().union(*(item.codes for item in items))
        cards = any(item.of("cards") for item in items)
        for frame in self.lexicon.frames:
            is_head = any(codes & every for codes in frame.words) or (not frame.words and frame.verbs & every)
            if is_head or (cards and frame.places & {"card", "suit"}) or ("card" in frame.places and "card" in every):
                part, without = ClausePart(frame, denied=frame.denied), list[str]()
                for at, item in enumerate(items):
                    filled = part.fill(all_held if at in alike and frame.function.group == "held" else item)
                    part = filled or part
                    without += [] if filled else [item.typed]
                lost.append((len(without), part.lacking, without))
                without += self._unclear(part, items, truth)
                known = 2 * len(part.matched) > len(frame.words) or not frame.words
                placed += [] if without or part.lacking > 1.8 or not known else [self._with_who(part, person, truth)]
        for part in sorted(placed, key=lambda part: (part.lacking + self._unlikely(part), -len(part.matched))):
            is_bare = part.frame.function.gives in ("number", "text") and part.value(truth) == part.call()
            with suppress(InputError):
                if part.makes_sense(truth) and not (is_bare and self.chance):
                    bind_words(text := part.value(truth), parse_expression(text), Speaker(self.rules), truth)
                    return part
        nouns = [item.typed for item in items if item.kinds.keys() & {"words", "cards", "numbers"}]
        raise NoPlaceError(*[*min(lost, default=(0, 0.0, nouns))[2], *nouns, *(item.typed for item in items)][:1])

    @staticmethod
    def _unclear(part: ClausePart, items: Sequence[Item], truth: bool) -> list[str]:
        """Words of a part with two meanings: *at least one of us has two*, *all* of several, *we take diamonds*."""
        is_suit = part.frame.function.group in ("play", "pile") and (mask_of_word(part.cards) or 0).bit_count() == 10
        unclear = [part.cards] * (truth and is_suit and not (part.number or part.sign))
        if part.who in SIDES:
            one_of = any(item.of("who") and item.typed.startswith(("at least one", "almeno un")) for item in items)
            unclear += [item.typed for item in items if item.of("alike")] + [part.number] * (
                one_of and part.number > "1"
            )
        return unclear

    def _with_who(self, part: ClausePart, person: str, truth: bool) -> ClausePart:
        """A part with who is meant: ``person`` or anybody where nobody is named, any side for the mean of one side."""
        function = part.frame.function
        if self.most and part.who in ("somebody", "everybody"):
            return replace(part, who="most")
        if part.who == "both_sides" and function.name in data()["either"]:
            return replace(part, who="")
        if part.who == "anybody":
            none = part.denied or part.number == "0"  # "nobody has": not "somebody has not"
            return replace(part, who="nobody", number="", denied=False) if none else replace(part, who="somebody")
        if part.who in data()["meant"]:
            sides, players = data()["meant"][part.who]["truth" if truth else "mean"]
            return replace(part, who=(sides if function.who in ("side", "game") else players) or part.who)
        if part.person or not function.who or function.default == "table":
            return part
        if (self.ours or (self.other == "us" and not person)) and function.default == "together":
            return replace(part, does="us")
        if truth and part.infinitive and function.default == "together":
            return replace(part, does=person or ("me" if function.group == "shown" else "us"))
        if person and not (person == "us" and function.who == "holder"):
            return replace(part, does=person)
        if function.who == "side" and not part.cards and function.group == "pile" and function.gives != "number":
            return replace(part, does="somebody")
        if function.as_one and function.gives == "number":
            return replace(part, does="us" if truth and (part.verb or part.infinitive) else "together")
        return part

    def _unlikely(self, part: ClausePart) -> int:
        """How unlikely a part is meant: more cards held than there are, plays to come, nights."""
        function, size = part.frame.function, self.rules.table_cards
        size = size if part.person == "table" else max(self.rules.deal_plan)
        number = part.number or str((mask_of_word(part.cards) or 0).bit_count() if part.sign == "all" else "")
        is_held = function.group == "held" and function.gives == "count" and number.isdecimal()
        too_many = is_held and part.person not in SIDES and int(number) > (size if part.cards else size // 3)
        together = function.default == "together" and bool(function.requires) and not part.person and not part.arguments
        return 3 * too_many + 2 * (function.space in ("turn", "night")) + together

    def clause(
        self, items: Sequence[Item], before: ClausePart | None = None, truth: bool = True
    ) -> tuple[str, ClausePart]:
        """The expression of a clause, its parts with *and* and *or* between them; and the last of them.

        A comma stands for the word that joins the others; what only a comma joins has to say the same.
        """
        items = _without_commas(items)
        clauses, joins, people, join = list[str](), list[str](), list[str](), ""
        named = {item.one("who") for item in items} - {"", "table", "somebody", "nobody"}
        contents = groupby(items, lambda item: bool(item.kinds.keys() & {"words", "cards"}))
        several = sum(has for has, _ in contents) > 1 and any(item.of("joins") & {"and", "or"} for item in items)
        person = min(named) if len(named) == 1 else self.about or "us" * several
        person = before.person if before is not None else person
        for joined, members in groupby(items, lambda item: min(item.of("joins") & {"and", "or", ","}, default="")):
            group = [*members]
            if joined:
                join = joined
            elif all(item.of("who") or item.of("small") for item in group):
                people += [item.one("who") for item in group if item.of("who")]
            else:
                group = self._with_verb(group, before) if clauses and before is not None else group
                compared = self._compared(group, person)
                before = self.part(group, person, truth) if compared is None else compared[1]
                text, person = before.value(truth) if compared is None else compared[0], before.person or person
                if before.sign == "all" and {before.who, *people} == {"me", "partner"}:  # all of them between them
                    people, text = [], replace(before, who="us").value(truth)
                each = (text, *(replace(before, who=one).value(truth) for one in people))
                new = [one for one in dict.fromkeys(each) if one not in clauses]
                clauses, joins, people, join = [*clauses, *new], [*joins, *[join] * len(new)], [], ""
                if truth and before.is_number(text) and clauses != [text]:
                    raise NoPlaceError(group[-1].typed)
        if len(people) == 1 and clauses and before is not None and not before.who:  # "are made, all together?"
            clauses[-1], people = replace(before, who=people.pop()).value(truth), []
        one_of = [item for item in items if item.of("who") & {"somebody", "one_side", "nobody"}]
        named_ones = [item for item in items if item.kinds.keys() & {"who", "does"}]
        if one_of and len(named_ones) < len(clauses):  # the same player has both
            raise NoPlaceError(one_of[0].typed)
        words = {*joins[1:]} - {","}
        if before is None or not clauses or people or (len(clauses) > 1 and not (words and truth)):
            raise NoPlaceError(*people[:1])
        rest = zip(joins[1:], clauses[1:], strict=True)
        text = clauses[0] + "".join(f" {join if join in words else min(words)} {one}" for join, one in rest)
        return f"({text})" if len(words) > 1 else text, before

    def _with_verb(self, items: list[Item], before: ClausePart) -> list[Item]:
        """What stands after *and*, with the verb before it if it has none: *we make cards and diamonds*."""
        if any(item.of("words") & self.lexicon.verbs for item in items):
            return items
        if before.frame.function.group in ("score", "pile") and self._captured(items) != items:
            return self._captured(items)
        words = (before.frame.verbs, *before.frame.words)
        repeated = [Item("", {"words": codes}) for codes in words if codes and not min(codes).isdecimal()]
        numbers = any(min(codes, default="").isdecimal() for codes in words)
        for again in ([*repeated[:1], *items], *([[*repeated, *items]] if numbers else [])):
            with suppress(NoPlaceError):
                self.part(again, before.person, True)
                return again
        return items

    def _compared(self, items: Sequence[Item], person: str) -> tuple[str, ClausePart] | None:
        """Two numbers compared with each other: *more sweeps than us*; None where there are no two."""
        at = next((at for at, item in enumerate(items) if item.of("signs") - {"=", "all"}), 0)
        if not at or any(item.of("numbers") or item.typed in _ONE for item in items):
            return None
        than = next((n for n in range(at + 2, len(items) - 1) if "than" in items[n].of("joins")), at)
        left, right = [*items[:at], *items[at + 1 : than]], items[than + 1 :]
        if not right:
            return None
        first = self.part(left, person, False)
        who = next((item.one("who") for item in right if item.of("who")), "")
        alone = all(item.of("who") or item.of("small") for item in right)
        second = replace(first, who=who) if alone else self.part(right, first.person, False)
        sign = min(items[at].of("signs") - {"=", "all"})
        if first.value(False) == second.value(False):
            raise NoPlaceError(items[at].typed)
        return f"{first.value(False)} {sign} {second.value(False)}", first

    # -------------------------------------------------------------------------------- whole sentences

    def questions(self, items: Sequence[Item]) -> tuple[tuple[str, ...], dict[str, str]]:
        """The expressions of a sentence, two where it asks which of two things happens more often, and its options."""
        if any(item.of("compares") and not item.of("words") for item in items):
            if any(item.of("compares") & {"better"} for item in items):
                return (self._better(items),), {}
            return self._more_often([item for item in items if not item.of("compares")]), {}
        if items and items[0].of("asks") & {"who"}:
            return self._who_more(_clauses(items, self.lexicon.verbs)[0]), {}
        try:
            text, options = self._question(items)
        except NoPlaceError:  # "is there a grande more than a piccola?"
            if not any(item.of("signs") & {">", "<"} for item in items) or any(item.of("numbers") for item in items):
                raise
            return self._more_often([item for item in items if not item.of("signs")]), {}
        return (text,), options

    def _better(self, items: Sequence[Item]) -> str:
        """What one side gains on another: *is it better to deal or to play first?*"""
        placed = {"who", "small", "joins", "asks", "compares"}
        rest = [item for item in items if item.kinds and not item.kinds.keys() & placed]
        sides = [data()["sides"].get(item.one("who"), item.one("who")) for item in items if item.of("who")]
        if rest or not sides or sides[1:] not in ([], [data()["opposites"].get(sides[0])]):
            raise NoPlaceError(*[item.typed for item in rest[:1]])
        return f"mean(margin({sides[0]}))"

    def _more_often(self, items: Sequence[Item]) -> tuple[str, ...]:
        """The two chances to compare: of two things or people, with a condition or without it, or of two sides."""
        main, conditions = _clauses([item for item in items if not item.of("asks")], self.lexicon.verbs)
        ends = [[at for at, item in enumerate(main) if item.of("joins") & {join}] for join in ("or", "than")]
        for at in (*reversed(ends[0]), *reversed(ends[1])):
            with suppress(NoPlaceError):
                return self._both(main[:at], main[at + 1 :], conditions)
        if items[0].of("asks") & {"who"} and not conditions:
            return self._who_does(main, True)
        named = {item.one("who") for _, clause in conditions for item in clause if item.of("who")}
        text, part = replace(self, about=min(named) if len(named) == 1 else "").clause(
            [item for item in main if not item.of("joins") & {"than"}]
        )
        if part.is_number(text):
            raise NoPlaceError
        if conditions:
            kind, clause = conditions[0]
            clause = [item for item in clause if not item.of("joins") & {"than", "or"}]
            is_and, given = self._condition("with" if kind == "without" else kind, clause, part)
            return tuple(f"{text} {'and' if is_and else 'given'} {one}" for one in (given, _denied(given)))
        other = data()["opposites"].get(data()["sides"].get(part.person, part.person))
        if not other or text != part.value():
            raise NoPlaceError
        return text, replace(part, who=other, does="").value()

    def _both(self, left: list[Item], right: list[Item], conditions: list[Any]) -> tuple[str, ...]:
        """The same of two people, or two things; raises ``NoPlaceError`` where these are not two."""
        left = [item for item in left if not item.of("joins") & {","}]
        people = [item.one("who") for item in right if item.of("who")]
        try:
            text, part = self.clause(left)
        except NoPlaceError:  # "is 15 or 30 more likely on the table?"
            text, part = self.clause([*left, *(item for item in right if not item.kinds.keys() & {"numbers", "cards"})])
        if len(people) == 1 and all(item.of("who") or item.of("small") for item in right):
            if text != part.value():
                raise NoPlaceError
            part, second = _against(part, people[0])
            text, other = part.value(), second.value()
        else:
            other, second = self.clause(self._with_verb(right, part), part)
        if other == text or part.is_number(text):
            raise NoPlaceError
        given = [self._condition(kind, clause, second)[1] for kind, clause in conditions]
        return tuple(" given ".join([one, *given[:1]]) for one in (text, other))

    def _question(self, items: Sequence[Item]) -> tuple[str, dict[str, str]]:
        """The expression of a sentence, and options that it gives."""
        asks = {ask for item in items for ask in item.of("asks")}
        asks -= {"worth"} if "chance" in asks else set()
        asks -= {"chance"} if {"times", "mean"} <= asks else set()
        main, conditions = _clauses(items, self.lexicon.verbs)
        halves = [[*half] for is_part, half in groupby(main, lambda item: bool(item.of("part"))) if not is_part]
        numeric = [name for name, one in aggregates().items()
                   if name in asks - {"chance", "mean"} and one.parts == len(halves)]  # fmt: skip
        means = bool(asks & {"mean", "length"} and not asks & {"chance"}) or (self.other == "mean" and "times" in asks)
        truth = bool(asks & {"until", "worth", "helps"}) or not (numeric or means)
        main = self._captured(main) if "worth" in asks else main
        sentence = replace(self, chance=truth and "chance" in asks, most="max" in numeric, ours="worth" in asks)
        if len(halves) > 1 and numeric:
            return f"{numeric[0]}({', '.join(sentence.clause(half, None, False)[0] for half in halves)})", {}
        conditional = [item for kind, clause in conditions if kind in ("if", "told") for item in clause]
        people = {item.one("who") for item in conditional} - {"", "table", "somebody"}
        people |= {item.one("does") for item in items if item.of("asks") and item.of("does")}
        sentence = replace(sentence, about=min(people) if truth and len(people) == 1 else "")
        text, part, conditions = sentence._main(main, conditions, truth)
        clauses = [sentence._condition(kind, clause, part) for kind, clause in conditions]
        given = [one for is_and, one in clauses if not is_and]
        text = " and ".join([text, *(one for is_and, one in clauses if is_and)])
        is_number = part.is_number(text)
        unasked = is_number and truth and part.who and not asks & {"mean", "length", "times", "worth"}  # "is it mine?"
        if unasked or ("until" in asks and (is_number or part.frame.function.space == "game")):
            raise NoPlaceError
        options = {"by": text} if "worth" in asks else {}
        if "helps" in asks:
            text, given = "wins(us)", [text, *given]
        elif "until" in asks or numeric or is_number or not truth:
            text = f"{'until' if 'until' in asks else [*numeric, 'mean'][0]}({text})"
        return ("mean(margin(us))" if options else text) + " given " * bool(given) + " and ".join(given), options

    def _who_more(self, items: Sequence[Item]) -> tuple[str, ...]:
        """Of two people, how often the first has more of something, or how often each has it."""
        sign = next((item.one("signs") for item in items if item.of("signs") & {">", "<"}), "")
        people = [item.one("who") for item in items if item.of("who")]
        rest = [item for item in items if not item.kinds.keys() & {"signs", "who", "joins", "asks"}]
        if not sign and len(people) == 2:
            return tuple(replace(self.part(rest, "", True), who=one, does="").value() for one in people)
        if not sign or len(people) != 2:
            return self._who_does(items, False)
        with suppress(NoPlaceError):
            part = replace(self.part(rest, "", False), who=people[0], does="")
            first, second = (one.value(False) for one in _against(part, people[1]))
            return (f"{first} {sign} {second}",)
        return self._more_often([item for item in items if not item.of("signs")])

    def _who_does(self, items: Sequence[Item], compared: bool) -> tuple[str, ...]:
        """A chance given what the same side does: *who knocks wins (more often)*."""
        items = [item for item in items if not item.of("asks")]
        for at in range(1, len(items)):
            with suppress(NoPlaceError):
                given, text = (self.clause([_US, *half])[0] for half in (items[:at], items[at:]))
                return tuple(f"{text} given {one}" for one in (given, _denied(given))[: 1 + compared])
        raise NoPlaceError

    def _main(self, items: Sequence[Item], conditions: list[Any], truth: bool) -> tuple[str, ClausePart, list[Any]]:
        """The main clause; a condition *with* something is a part of it where its frame has a place for it."""
        text, part = self.clause(items, None, truth)
        for one in (one for one in conditions if one[0] == "with"):
            with suppress(NoPlaceError):
                longer, whole = self.clause([*items, *one[1]], None, truth)
                more = whole.lacking - part.lacking - 0.1 + 0.6 * (whole.frame.function is not part.frame.function)
                group = whole.frame.function.group
                same = not whole.lacking and group == part.frame.function.group in ("score", "game")
                if same or (more <= 0 and group != "held"):
                    return longer, whole, [other for other in conditions if other is not one]
        return text, part, conditions

    def _captured(self, items: Sequence[Item]) -> list[Item]:
        """Items with a verb, where cards are meant as captured and not as held, or in the other reading the reverse."""
        captured = any(item.of("cards") & data()["captured"].keys() for item in items)
        us = [] if any(item.of("who") for item in items) else [_US]
        taken = [Item("", {"words": frozenset({"take"})}), *us]
        return [*(taken if captured != (self.other == "pile") else []), *items]

    def _condition(self, kind: str, items: Sequence[Item], main: ClausePart) -> tuple[bool, str]:
        """A condition, and whether it is one *and* of two things that are held."""
        if seats := [item.one("seat") for item in items if item.of("seat")]:
            denied = [item for item in items if "not" in item.of("joins")]
            rest = [item for item in items if item.kinds.keys() - {"seat", "small", "joins"} and item not in denied]
            if denied and not rest:
                return False, f"not {seats[0]}"
            return False, " and ".join([*seats, *([self._condition(kind, rest, main)[1]] if rest else [])])
        group = main.frame.function.group
        cards_alone = all(item.of("cards") or (item.of("words") <= LIGHT and not item.of("places")) for item in items)
        of_side = any(item.of("who") & {*SIDES} for item in items)
        plain = cards_alone and (of_side or kind not in ("if", "told"))
        text, part = self.clause(self._captured(items) if plain and group in ("score", "pile") else items, main)
        text = _denied(text) if kind == "without" else text
        is_held = plain and group == part.frame.function.group == "held"
        return is_held and self.other != "joined", text


def _against(part: ClausePart, who: str) -> tuple[ClausePart, ClausePart]:
    """A part and the same of somebody else; *the others* are the other side of a dealer or a first player."""
    side = data()["sides"].get(part.person, part.person)
    if who in ("them", "others") and side.endswith("_side"):
        return replace(part, who=side, does=""), replace(part, who=data()["opposites"][side], does="")
    return part, replace(part, who=who, does="")


def _denied(text: str) -> str:
    return f"not ({text})" if re.search(" (and|or) ", text) else f"not {text}"


def _without_commas(items: Sequence[Item]) -> list[Item]:
    """Items without the commas around what only says where or when: *with nine cards each, how many aces ...*"""
    parts = [[*part] for _, part in groupby(items, lambda item: bool(item.of("joins") & {","}))]
    content = {"words", "cards", "numbers", "who", "joins"}
    small = [not any(item.kinds.keys() & content for item in part) for part in parts]
    beside = [any(small[max(at - 1, 0) : at + 2]) for at in range(len(parts))]
    kept = [part for part, near in zip(parts, beside, strict=True) if not (near and part[0].of("joins") & {","})]
    return [item for part in kept for item in part]


def _settled(items: Iterable[Item]) -> list[Item]:
    """Words that are a number or a rank: a number in front of a noun, or behind one with a sign, else a rank."""
    found, before = list[Item](), Item("")
    for item in items:
        if item.typed in _ONE and before.of("signs") and not before.typed.startswith(("or ", "o ")):
            item = Item(item.typed, {"numbers": frozenset({"1"})})
        before = item
        found += [item] if not item.of("small") or len(item.kinds) > 1 else []
    for at, (item, after) in enumerate(pairwise([*found, Item("")])):
        if item.of("who") and item.kinds.keys() & {"signs", "numbers"}:  # "all four of us", "all four aces"
            kinds = ("signs", "numbers") if not after.of("cards") else ("who",)
            found[at] = Item(item.typed, {kind: values for kind, values in item.kinds.items() if kind not in kinds})
    for at, item in enumerate(found):
        if item.of("numbers") and item.of("cards"):
            before, after = ([Item(""), *found][at], [*found, Item("")][at + 1])
            words = after.of("words") and after.kinds.keys() <= {"words", "small"}
            noun = after.of("cards") or after.of("signs") or words
            compared = before.of("signs") - {"all"} and any(one.of("words") - LIGHT for one in found[: max(at - 1, 0)])
            kind = "cards" if not before.of("numbers") and (noun or compared) else "numbers"
            found[at] = Item(item.typed, {name: values for name, values in item.kinds.items() if name != kind})
    return found


def _clauses(items: Sequence[Item], verbs: Set[str]) -> tuple[list[Item], list[tuple[str, list[Item]]]]:
    """The main clause and the conditions, each with its kind: *if*, *with* or *without*.

    What is said before a question is a condition, too: *I have the matta, how often do I knock?*
    """
    main, conditions, start = list[Item](), list[tuple[str, list[Item]]](), 0
    here = main
    for item, after in pairwise([*items, Item("")]):
        has_verb = any(one.of("words") & verbs for one in main)
        if item.typed == ":":
            if has_verb or any(one.of("seat") for one in main):
                conditions, main = [("told", main), *conditions], []
            here = main
        elif item.of("asks") and not item.of("words") - {"make"}:
            before = [one for one in main if not one.of("small") and not one.of("who")]
            start = len(main) if before and before[-1].typed == "," else start
            here = main
        elif item.of("small") & {"turns"} and not main and here and after.of("who"):
            here = main  # "if I knock do we win?"
        elif item.of("words") and main and main[-1].typed != "," and not (has_verb and item.of("conditions")):
            here.append(item)  # "I am holding"
        elif item.of("conditions") - ({"with"} if conditions and conditions[-1][0] in ("if", "told") else set()):
            here = []
            conditions.append((item.one("conditions"), here))
        elif item.typed == ",":
            here = here if main else main
            here += [Item(",", {"joins": frozenset({","})})] if here else []
        else:
            here.append(item)
    if "told" in dict(conditions[:1]) and not any(item.kinds.keys() & {"words", "cards", "numbers"} for item in main):
        main = [*conditions.pop(0)[1], *main]  # "nobody knocks: how likely is it?"
    little = {*LIGHT, "hand"}
    if [kind for kind, _ in conditions] == ["without"] and all(
        item.of("words") <= little and not item.of("cards") for item in main
    ):
        main, conditions = [Item("", {"joins": frozenset({"not"})}), *conditions[0][1]], []  # "a hand without sweeps"
    statement = [
        item
        for item in main[:start]
        if item.kinds.keys() & {"words", "cards", "seat"} and not item.of("words") & {"game"}
    ]
    if statement and any(item.kinds.keys() & {"words", "cards"} for item in main[start:]):
        conditions, main = [("told", main[:start]), *conditions], main[start:]
    return main, [(kind, one) for kind, one in conditions if not all(item.of("small") for item in one)]


_DROPPED = {"compares", "signs", "small", "conditions", "asks", "joins"}
"""Kinds of words that say no more than that rules are compared."""
_ASKED = {"mean", "length", "chance", "worth", "who", "helps"}
"""What such a sentence may ask."""


def without_rules(items: Sequence[Item]) -> list[Item]:
    """Items without games and house rules, and without what leads to these: *if we play without the matta, how ...*"""
    kept = list[Item]()
    for item in items:
        if item.of("house"):
            start = max((at for at, one in enumerate(kept) if one.of("conditions")), default=len(kept))
            leads = all(one.of("who") or one.of("small") or "play" in one.of("words") for one in kept[start + 1 :])
            kept = kept[:start] if leads else kept
        elif not item.of("rules") and (kept or item.typed != ","):
            kept.append(item)
    return kept


def read_rule_comparison(
    items: Sequence[Item], said: Mapping[str, str], part: Callable[[Sequence[Item], str, bool], ClausePart]
) -> dict[str, str] | None:
    """The options of ``compare`` for a sentence that compares rules (*more*, *what changes*); None for others.

    ``said`` are options that its words gave already, ``part`` is that of a ``_Sentence``. Raises ``NoPlaceError`` for
    words without a place, for other options than players and a rule, and for more than two rule sets.
    """
    houses = {item.one("house") for item in items if item.of("house")}
    games = list(dict.fromkeys(item.one("rules") for item in items if item.of("rules")))
    compares = any(
        item.of("compares") or item.of("changes") - {"little"}
        or ((item.of("signs") & {">", "<"} or item.typed.startswith(("more ", "piu "))) and not after.of("numbers"))
        for item, after in pairwise([*items, Item("")])
    )  # fmt: skip
    targets = {f"target={one['fields'].get('target')}": name for name, one in catalogue()["house"].items()}
    if compares and (house := targets.get(said.get("rule", ""))):
        houses, said = houses | {house}, {name: value for name, value in said.items() if name != "rule"}
    if len(games) < 2 and not (compares and houses):
        return None
    kept = [item for item in without_rules(items) if not item.of("changes")]
    other = [item for item in kept if "not" in item.of("joins") or item.of("asks") - _ASKED]  # as a median
    if other or said.keys() - {"players", "rule"} or len(houses) + max(len(games), 1) != 2:
        raise NoPlaceError([*(item.typed for item in other), *said.values(), *houses, *games][0])
    options = dict([*zip(("rules", "against"), games, strict=False), *(("house", house) for house in houses)])
    options |= {"players": "2"} if not houses and len({build(game).players for game in games}) > 1 else {}
    length = [Item("", {"words": frozenset({word})}) for word in ("last", "game")]
    rest = [item for item in kept if item.kinds.keys() - _DROPPED]
    rest += length if any(item.of("changes") & {"length"} for item in items) else []
    return {**options, **(_measured(rest, part) if rest else {}), **said}


def _measured(items: Sequence[Item], part: Callable[[Sequence[Item], str, bool], ClausePart]) -> dict[str, str]:
    """The option that says which quantity some words are about; of the dealer's side or of all together."""
    if all(item.of("who") for item in items):  # "is it better for the dealer?"
        items = [*items, Item("", {"words": frozenset({"points"})})]
    for truth in (False, True):
        with suppress(NoPlaceError):
            found = part(items, "", truth)
            side = data()["sides"].get(found.person, found.person)
            whole = found.value(truth) == found.call() and not (found.cards or found.arguments or found.frame.detail)
            known = data()["measured"].get(found.frame.function.name + f" {side}" * (side == "dealer_side"), {})
            if known and whole and side in data()["all_sides"]:
                return dict(known)
    raise NoPlaceError(*[item.typed for item in items if item.typed][:1])


# ------------------------------------------------------------------------------------------------ questions


def understand(text: str, rules: Rules, place: int | None = None) -> Understood:
    """What a plain question asks, in the language of ``place``, that of its words if none is given.

    Raises ``InputError`` that names the first word without a place.
    """
    asides = lexicon_of(0).asides | lexicon_of(1).asides
    text_alone = re.sub(r" \([^)]*\)", lambda one: "" if one[0].lower() in asides else f",{one[0][2:-1]},", text)
    plain, options = _options(text_alone)
    words = split_words(plain)
    known = [sum(len(item.typed) for item in lexicon_of(of).items(words) if item.kinds) for of in (0, 1)]
    lexicon = lexicon_of(known.index(max(known)) if place is None else place)
    items, corrected = lexicon.known(words, text)
    last = Item("", {"stage": frozenset({f"stage {len(rules.deal_plan)}"})})
    try:
        changed = read_rule_comparison(items, options, _Sentence(lexicon, rules).part)
    except NoPlaceError as error:
        raise InputError("{word!r} has no place in what I understand", str(error)) from None
    if changed is not None:
        return Understood((), changed | {"hands": "20k"}, (), tuple(corrected), "compare")
    options.update((kind, item.one(kind)) for item in items for kind in ("rules", "house") if item.of(kind))
    size = max((build(options["rules"]) if "rules" in options else rules).deal_plan)
    for item in (item for item in items if item.of("places") and re.search("card|cart", item.typed)):
        if [*filter(None, map(number_of, item.typed.split()))][-1:] not in ([], [str(size)]):
            raise InputError("{word!r} has no place in what I understand", item.typed)
    items = [last if item.of("stage") == {"stage last"} else item for item in without_rules(items)]
    held = {"game"} if "rule" in options else {"game", "hand"}
    if options.keys() & {"at", "rule"} and not any(item.of("words") & held for item in items):
        at = next((at for at, item in enumerate(items) if item.of("words") & {"win", "lose", "last"}), len(items))
        items.insert(at + 1, Item("", {"words": frozenset({"game"})}))
    is_times = any(item.of("asks") & {"times"} for item in items)
    found = dict[tuple[str, ...], dict[str, str]]()
    for other in ("", *_OTHERS):
        try:
            texts, further = _Sentence(lexicon, rules, other).questions(items)
            name = re.split(r"\W", next(iter(found))[0] if found else "")[0]
            if other == "mean" and not texts[0].startswith(f"mean({name}"):
                continue
            for one in texts:
                not_once = is_times or re.search(r"\bnot\b|nobody| = 0|^mean", one)  # --in: that it happens once
                if "in_" in options and not_once:
                    raise NoPlaceError(options["in_"])
                read_question(one, Speaker(rules, trials=int(options.get("in_", 0))))
            found.setdefault(texts, further)
        except (NoPlaceError, InputError) as error:
            if not found:
                word = (str(error) if isinstance(error, NoPlaceError) else "") or text
                raise InputError("{word!r} has no place in what I understand", word) from None
    texts, *others = found
    return Understood(texts, options | found[texts], tuple(others), tuple(corrected))


def _options(text: str) -> tuple[str, dict[str, str]]:
    """A text without the parts that are options, with ranges as one word, and the options."""
    plain, options = text.lower(), dict[str, str]()
    for pattern, instead in data()["rewrites"].items():
        plain = re.sub(pattern, instead, plain)
    for name, pattern in ((name, one) for name, several in data()["options"].items() for one in several):
        pattern = pattern.replace("N", r"(?P<n>\w+)", 1).replace("N", r"(?P<m>\w+)", 1)
        match = re.search(pattern, plain) if name not in options else None
        numbers = [number_of(match[one]) for one in "nm" if one in match.groupdict()] if match else []
        if match and all(numbers):
            options[name] = data()["values"].get(name, "") + "-".join(numbers)
            plain = f"{plain[: match.start()]} {match.groupdict().get('kept') or ''} {plain[match.end() :]}"
    if (than := re.search(data()["compared_players"]["any"], text.lower())) and "players" in options:
        raise InputError("{word!r} has no place in what I understand", than[0])
    return plain, options
