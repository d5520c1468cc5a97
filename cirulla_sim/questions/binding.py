"""Questions bound to rules, a seat and a situation: counted where they can be, else evaluated on simulated trials.

>>> from cirulla_sim.ruleset.presets import build
>>> rules = build("cirulla")
>>> BoundQuestions((questions_at(Place(rules, 0, ()), ["barsega and matta"]),)).exact()[0]["exact"].item()
'47/2470'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import inf, lcm
from operator import add
from typing import Any, NamedTuple

import polars as pl

from ..core.arguments import command_text
from ..core.errors import InputError
from ..core.messages import Message, alternatives
from ..engine.engines import Folded
from ..engine.trials import allot
from ..exact.first_deal import HOLDING_SIZE
from ..experiments.nights import check_function
from ..experiments.win_chance import rules_from
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints, names_players
from ..situation.hand import HandState
from ..situation.night import Night
from ..situation.notation import Situation
from ..situation.people import ABSOLUTE, is_relative, order_of_play
from ..storage.request import Request
from .answers import Counted, Together, answer_table, check_question, count_cases
from .cases import Space
from .dealt import MOST_MISDEALS, DealtCards, UnseenCards, fresh_deal, with_holdings
from .expressions import decide_truth
from .parser import Node
from .played import PlayedGame, PlayedHand, PlayedNight, PlayedRest, RandomPiles, score_by_side
from .question import Expression, Question, Speaker, read_questions
from .vocabulary import Term, makes_sense

POSITION = "table: 3h 5d; me: 7d Ks; to play: next"
"""A position for examples."""

NIGHT = "night: 8 pairs, 4 rounds of 8 hands, swiss, 4 minutes a hand"
"""A night for examples."""

_CALLED = {
    "cards": Message("what is dealt"), "table": Message("any first table"),
    "deal": Message("a deal that is played"), "hand": Message("a hand as it is played"),
    "turn": Message("the next plays in mid-hand"), "game": Message("a game"), "night": Message("a night"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Place:
    """The situation of a question: a seat, and a fresh deal, a position (``now``), a score, piles or a night.

    ``policies`` are who plays, by side; they ``decide`` about sets shown too, unless they are those of other questions.
    ``score`` is ours first. ``trials`` is how many are asked about at once, 0 for one.
    """

    rules: Rules
    me: int
    policies: tuple[str, ...]
    constraints: DealConstraints | None = None
    now: HandState | None = None
    decide: bool = True
    score: tuple[int, ...] = ()
    sizes: tuple[int, ...] | None = None
    night: Night | None = None
    trials: int = 0

    @property
    def speaker(self) -> Speaker:
        """Whose words are asked here."""
        here = here_of(self.now is not None, self.sizes is not None, self.night is not None, bool(self.score))
        return Speaker(self.rules, self.me, here, len(self.night.pairs) if self.night else 64, self.trials)


def place_at(request: Request, at: Situation, me: int, **known: Any) -> Place:
    """The place that a request asks about from a seat; ``known`` are other fields of it.

    Raises ``InputError`` for sizes of piles that cannot be.
    """
    rules = request.rules.fields
    if at.score or at.hand:
        rules = rules_from(rules, at)
    sizes = tuple(map(int, request.question["sizes"].split(","))) if "sizes" in request.question else None
    if sizes is not None and (len(sizes) > 2 or sum(sizes) > 40):
        valid = "--sizes {text!r} is not valid (valid: one or two numbers that add up to 40 or less, as 22,18)"
        raise InputError(valid, request.question["sizes"])
    policies = request.line_ups[0].by_side(rules, rules.side(me)) if request.line_ups else ()
    decide = "policy" not in request.question
    trials = request.question.get("in_") or 0
    return Place(
        rules, me, policies, decide=decide, score=at.score, sizes=sizes, night=at.night, trials=trials, **known
    )


def seat_matters(request: Request, at: Situation, people: Collection[str]) -> bool:
    """Whether answers about fresh deals and ``people`` depend on where the person asking sits, which is not said."""
    if at.i_am is not None or "sizes" in request.question:
        return False
    known_relative, known_absolute = names_players(at)
    relative = known_relative or bool(at.score) or any(map(is_relative, people))
    relative |= any(one.is_relative for one in request.line_ups)
    return relative and (
        known_absolute or bool(request.line_ups) or not {*ABSOLUTE, "dealer_side", "first_side"}.isdisjoint(people)
    )


def here_of(position: bool, piles: bool, night: bool, score: bool) -> str:
    """The kind of place, see ``vocabulary.makes_sense``."""
    kinds = {"position": position, "piles": piles, "night": night, "game": score, "fresh": True}
    return next(kind for kind, is_so in kinds.items() if is_so)


def space_of(terms: Sequence[Term], place: Place) -> Space:
    """The smallest space in which some terms have a meaning; raises ``InputError`` where there is none."""
    rules, first = place.rules, {term.function.space: term for term in reversed(terms)}
    for term in terms:
        _check_here(term, place)
    if place.now is not None:
        return PlayedRest(place.now, place.policies) if "hand" in first else UnseenCards(place.now)
    if place.sizes is not None:
        if rules.sides != 2:
            raise InputError("--sizes: {sides} sides are too many, two piles are compared (valid: two)", rules.sides)
        own = rules.side(place.me)
        for term in terms if len(place.sizes) == 1 else ():
            if term.who != (own,) or term.function.contest:
                raise InputError("--sizes: {name} is of both piles (valid: two numbers, as 22,18)", term.name)
        return RandomPiles(rules, place.sizes, own)
    if place.night is not None:
        return PlayedNight(rules, place.night, place.night.policies(place.policies[0]))
    if "game" in first:
        if len(first) > 1:
            raise _mixed(first["game"], next(other for other in terms if other.function.space != "game"))
        points = score_by_side(place.score, rules, rules.side(place.me))
        match = rules.best_of > 1 and any(term.function.per == "match" for term in terms)
        return PlayedGame(rules, place.policies, points, place.constraints, place.score, match)
    if "table" in first and (other := first.get("deal") or first.get("hand")):
        raise _mixed(first["table"], other)
    if "hand" in first or (place.policies and place.decide and any(term.is_of_sets_shown for term in terms)):
        return PlayedHand(rules, place.policies, place.constraints)
    return fresh_deal(rules, terms, place.constraints)


_WHY_NOT = {
    "position": Message("cannot be asked in mid-hand"), "piles": Message("is not of two piles alone"),
    "night": Message("is not of a night"), "fresh": Message("is asked of a night, or in mid-hand"),
}  # fmt: skip
"""Why a function makes no sense in a kind of place."""


def _check_here(term: Term, place: Place) -> None:
    """Raise ``InputError`` for a term that makes no sense in a place."""
    function, here, now = term.function, place.speaker.here, place.now
    fits = makes_sense(function, here) or (here == "piles" and function.contest and bool(term.detail))
    if now is not None:
        fits = function.space in ("cards", "turn", "hand") and function.mid_hand
    if not fits and place.score:
        score = f"score: {'-'.join(map(str, place.score))}"
        raise InputError('--at: {score!r} is of a game, {name} is not (valid: odds "wins_game(us)")', score, term.name)
    if not fits:
        raise InputError("{name} {reason} (valid: {command})", term.name, _WHY_NOT[here], _command(term))
    if place.night is not None:
        check_function(place.night, term.name, term.who[0] if term.who else None)
    if now is not None and (term.after is not None or (function.group == "score" and term.stages)):
        raise InputError("{name}: what stands after a stage cannot be asked in mid-hand (leave it out)", term.name)
    if now is not None and function.space == "hand" and term.stages and min(term.stages) < now.stage:
        over = "{name}: stage {stage} is over (valid: stage {now})"
        raise InputError(over, term.name, min(term.stages) + 1, now.stage + 1)


def _mixed(term: Term, other: Term) -> InputError:
    """The error for terms that no space has together."""
    if term.function.of_a_hand:
        return InputError(
            "{name} is of any first table, and {other} of a hand (valid: {same} in place of {name})",
            term.name, other.name, term.function.of_a_hand,
        )  # fmt: skip
    commands = alternatives(_command(one) for one in (term, other))
    return InputError(
        "{name} is of {space}, and {other} of {other_space} (valid: one at a time, {commands})",
        term.name, _CALLED[term.function.space], other.name, _CALLED[other.function.space], commands,
    )  # fmt: skip


_WHERE = {"turn": ("--at", POSITION), "night": ("--at", NIGHT)}


def _command(term: Term) -> str:
    """A command that asks of a function by its example."""
    return command_text(["odds", term.function.example, *_WHERE.get(term.function.space, ())])


# ------------------------------------------------------------------------------------------------ questions


QuestionState = Folded[Together]


class QuestionsAtSeat(NamedTuple):
    """Some questions as they are asked from one seat, and for each the smallest space in which it has a meaning."""

    questions: tuple[Question, ...]
    spaces: tuple[Space, ...]
    seat_name: str = ""

    @property
    def people(self) -> frozenset[str]:
        """The names of the people that the questions speak of."""
        return frozenset().union(*(part.people for one in self.questions for part in one.expressions))

    def by_space(self, which: Sequence[int]) -> Mapping[Space, tuple[Term, ...]]:
        """The terms of the questions of these numbers, by space: these share their trials."""
        by_space: dict[Space, dict[Term, None]] = {}
        for number in which:
            by_space.setdefault(self.spaces[number], {}).update(dict.fromkeys(self.questions[number].terms))
        return {space: tuple(terms) for space, terms in by_space.items()}


def seats_where_given(seats: Sequence[QuestionsAtSeat]) -> tuple[QuestionsAtSeat, ...]:
    """The seats where some question's conditions on the seat are true; raises ``InputError`` if there is none."""

    def false(one: Question) -> list[Expression]:
        return [part for part in one.given if part.tree.name == "truth" and not part.tree.value]

    possible = tuple(seat for seat in seats if not (seat.questions and all(map(false, seat.questions))))
    if not possible:
        never = next(part for seat in seats for one in seat.questions for part in false(one))
        raise InputError("{text!r} is never true where you sit (leave it out)", never.alone or never.text)
    return possible


@dataclass(frozen=True, eq=False)
class BoundQuestions:
    """The same questions from each seat where the person asking may sit, all as likely."""

    seats: tuple[QuestionsAtSeat, ...]
    notes: tuple[str, ...] = ()
    table: pl.DataFrame | None = None
    """The answer where there is no question: it is always counted."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, as asked from the first seat."""
        return self.seats[0].questions

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The space of each question, as asked from the first seat; where there is no question, that of the table."""
        return self.seats[0].spaces

    def remarks(self) -> Iterator[str]:
        """What a reader should know besides the answer, for each seat if that matters."""
        each = []
        for seat in self.seats:
            by_space = seat.by_space(range(len(seat.questions))).items()
            each.append(tuple(dict.fromkeys(line for space, terms in by_space for line in space.remarks(terms))))
        if len(set(each)) == 1:
            yield from each[0]
            return
        for seat, lines in zip(self.seats, each, strict=True):
            yield from (Message("If you are {seat}: {line!l}", Message(seat.seat_name), line) for line in lines)

    def exact(self) -> list[pl.DataFrame | None]:
        """The exact answer to each question, None where there are too many cases to count."""
        return [self._exact(number) for number in range(len(self.questions))] if self.table is None else [self.table]

    def _exact(self, number: int) -> pl.DataFrame | None:
        if not self.questions[number].terms:
            return None
        counts = []
        for seat in self.seats:
            if (one := _counted(seat.questions[number], seat.spaces[number])) is None:
                return None
            counts.append(one)
        every = lcm(*(total for _, total in counts))
        together = reduce(add, (sums.times(every // total) for sums, total in counts))
        return answer_table(self.questions[number], self.spaces[number], together, None)

    def play(
        self, which: Sequence[int], seed: int, halved: bool, first: int, number: int
    ) -> tuple[Together, None]:  # fmt: skip
        """What trials from number ``first`` of a seed on come to, for the questions of these numbers.

        ``halved``, every other trial of each seat is one by which values are chosen.
        """
        tally = empty_sums(len(which), halved)
        for seat, (begins, trials) in zip(self.seats, allot(first, number, len(self.seats)), strict=True):
            if trials:
                by_space = seat.by_space(which)
                cases = {space: space.sample(terms, seed, begins, trials) for space, terms in by_space.items()}
                each = [(seat.questions[number], cases[seat.spaces[number]]) for number in which]
                halves = zip(*(of.halves() if halved else (of,) for _, of in each), strict=True)
                tally += Together(*(
                    tuple(count_cases(question, half) for (question, _), half in zip(each, several, strict=True))
                    for several in halves
                ))  # fmt: skip
        return tally, None

    def estimates(self, which: Sequence[int], state: QuestionState, any_stop: bool = False) -> list[pl.DataFrame]:
        """The answers to the questions of these numbers from simulated trials, with intervals for ``any_stop``."""
        each = zip(which, state.tally.each, strict=True)
        return [
            answer_table(self.questions[number], self.spaces[number], sums, state.done, any_stop)
            for number, sums in each
        ]


def empty_sums(questions: int, halved: bool) -> Together:
    """The sums of so many questions over no trials."""
    return Together((Counted(),) * questions, (Counted(),) * questions * halved)


def _counted(question: Question, space: Space) -> tuple[Counted, int] | None:
    """What a question comes to in all cases, and how many there are; None where they are too many to count.

    A mean is that of each addend, added up: most are of fewer places than all together. What the rules decide alone is
    one case.
    """
    is_so = (
        decide_truth(question.parts[0].tree, question.rules)
        if question.aggregate == "chance" and question.parts
        else None
    )
    if is_so is not None and question.expressions == question.parts:
        return Counted({("", str(int(is_so))): (1, 0)}), 1
    parts = addends(question.parts[0].tree, question.rules) if question.aggregate == "mean" else []
    each = Counter[Expression]()
    alone = question.expressions == question.parts and space.constraints is None
    for factor, tree in parts:
        each[replace(question.parts[0], tree=_first_alike(tree, question.rules) if alone else tree)] += factor
    if len(parts) < 2 or not all(expression.terms for expression in each):
        return _counted_at_once(question, space)
    means: dict[str, tuple[Fraction, int]] = {}
    for expression, factor in each.items():
        if (one := _counted_at_once(replace(question, parts=(expression,)), space)) is None:
            return _counted_at_once(question, space)
        for value, numbers in one[0].by_value().items():
            cases = sum(n for n, _ in numbers.values())
            mean = Fraction(factor * sum(int(number) * n for number, (n, _) in numbers.items()), cases)
            share = means.get(value, (Fraction(0), 0))[0]
            means[value] = share + mean, cases
        every = one[1]
    return Counted({(value, str(mean)): (n, 0) for value, (mean, n) in means.items()}), every


def _counted_at_once(question: Question, space: Space) -> tuple[Counted, int] | None:
    terms = question.terms
    if (
        question.aggregate == "mean"
        and question.expressions == question.parts
        and question.parts[0].tree.name == "term"
    ):
        cases = space.mean_cases(terms[0])
    elif question.rules.misdeals_lose or _tells_few_misdeals_apart(question):
        cases = space.cases(terms)
        if cases is None and isinstance(space, DealtCards) and {*space.rules.deal_plan} == {HOLDING_SIZE}:
            question = with_holdings(question)
            cases = space.cases(question.terms)
    else:
        return None
    return None if cases is None else (count_cases(question, cases), cases.total)


def _first_alike(node: Node, rules: Rules) -> Node:
    """The sets shown of one holding as those of the first that is as large: all of a size have one chance."""
    if node.name != "term" or not node.value.is_of_sets_shown:
        return node
    plan, [stage] = rules.deal_plan, node.value.stages
    return replace(node, value=replace(node.value, who=(0,), stages=(plan.index(plan[stage]),)))


def addends(node: Node, rules: Rules) -> list[tuple[int, Node]]:
    """What is added up in a number, each with a whole factor; sets shown by each player in each of the stages."""
    if node.name == "term" and node.value.is_of_sets_shown:
        each = product(node.value.who, node.value.stages or range(len(rules.deal_plan)))
        return [(1, replace(node, value=replace(node.value, who=(seat,), stages=(stage,)))) for seat, stage in each]
    if node.name in ("+", "together"):
        return [one for part in node.parts for one in addends(part, rules)]
    if node.name in ("-", "minus"):
        *first, last = node.parts
        less = [(-factor, one) for factor, one in addends(last, rules)]
        return [one for part in first for one in addends(part, rules)] + less
    if node.name == "*":
        for number, other in (node.parts, node.parts[::-1]):
            if number.name == "number" and number.value == int(number.value):
                return [(int(number.value) * factor, one) for factor, one in addends(other, rules)]
    return [(1, node)]


def _tells_few_misdeals_apart(question: Question) -> bool:
    """Whether the answer is the same for all large numbers of misdeals, which are counted together."""
    many = Node("range", None, (Node("number", MOST_MISDEALS), Node("number", inf)))

    def large(leaf: Node) -> Node:
        return many if leaf.name == "term" and leaf.value.name == "misdeals" else leaf

    if all(term.name != "misdeals" for term in question.terms):
        return True
    trees = [part.tree.with_leaves(large) for part in question.expressions]
    return question.aggregate == "chance" and all(decide_truth(tree, question.rules) is not None for tree in trees)


def questions_at(
    place: Place, texts: Sequence[str], given: str | None = None, by: str | None = None
) -> QuestionsAtSeat:
    """Parse questions and bind them to a place; raises ``InputError`` quoting the words it cannot read."""
    questions = read_questions(tuple(texts), given, by, place.speaker)
    spaces = tuple(space_of(question.terms, place) for question in questions)
    for question, space in zip(questions, spaces, strict=True):
        check_question(question, space)
    return QuestionsAtSeat(questions, spaces, order_of_play(place.rules)[place.me])
