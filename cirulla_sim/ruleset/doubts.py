"""What is doubtful about rules: what contradicts itself, pays twice or never, or says nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from ..core import cards
from ..core.messages import Message
from .catalogue import catalogue, meets
from .categories import EACH, RUN, categories_of, replaced_by
from .presets import means_something
from .rules_model import Rules
from .scoring import most, scoring_of


class Doubt(NamedTuple):
    """A doubt: the field that it is about, and a sentence."""

    field: str
    text: Message


TABLE_BONUSES = ("table_15", "table_30", "table_low")

HALF_OF_ALL = 17
"""The lowest total that more than half of all sets of three cards have, or less."""

DOUBTS: tuple[tuple[str, Callable[[Rules], Any], str], ...] = (
    ("misdeal_count", lambda r: r.misdeal_count and not r.table_cards,
     "No cards are laid on the table, so there is no misdeal."),
    ("misdeal_count", lambda r: r.misdeal_count == 1 and r.table_cards and (r.misdeal_rank,),
     "One {rank} on the table is a misdeal: more than one deal in three is dealt again."),
    ("misdeals_lose", lambda r: r.misdeals_lose and not r.misdeals,
     "No table is a misdeal, so nobody loses by misdeals in a row."),
    ("matta", lambda r: r.matta and not r.hand_bonuses and not any(getattr(r, each) for each in TABLE_BONUSES)
     and (r.matta,),
     "No bonus is paid, so {matta} is a card like the others: the matta is wild in bonuses only."),
    ("matta_low", lambda r: r.matta and r.matta_low == "ace" and not r.hand_low,
     "A low set earns nothing, so the matta is never used in one."),
    ("hand_low_most", lambda r: r.hand_low and r.hand_low_most >= HALF_OF_ALL and (r.hand_low_most,),
     "More than half of all sets of three cards total {most} or less."),
    ("hand_both", lambda r: r.both_points < max(r.hand_low, r.hand_triple)
     and (r.both_points, max(r.hand_low, r.hand_triple)),
     "Three equal cards that are also low earn {both}, less than the {points} of one of the two alone."),
    ("open_last_stage", lambda r: r.open_last_stage and len(r.deal_plan) == 1,
     "All cards are dealt at once, so the whole hand is played open."),
    ("equal_first", lambda r: r.equal_first and r.fewest_first,
     "fewest_first includes equal_first: an equal card is the fewest cards that can be captured."),
    ("fewest_first", lambda r: r.fewest_first and {*r.capture_by} == {"fifteen"},
     "Cards capture by fifteens only, and of these any number of cards may be captured."),
    ("capture_most", lambda r: r.capture_most == 1 and "sum" in r.capture_by,
     "A sum is of two cards or more, so with one card at most there are no sums."),
    ("ace_blocked", lambda r: r.ace_sweep and r.ace_blocked == "ace_only" and "equal" not in r.capture_by,
     "With an ace on the table an ace captures nothing, since no card captures an equal one."),
    ("ace_takes_itself", lambda r: r.ace_sweep and r.ace_takes_itself and r.ace_blocked != "nothing",
     "An ace that is played never stays on an empty table, so only an ace that was dealt to the table blocks another."),
    ("all_diamonds", lambda r: r.all_diamonds_points is not None and r.all_diamonds_points < _replaced(r)
     and (r.all_diamonds_points, _replaced(r)),
     "All ten diamonds are worth {points}, less than the {most} of settebello, piccola and grande that it replaces."),
    ("all_diamonds", lambda r: isinstance(r.all_diamonds, int) and r.all_diamonds_points is None and (r.all_diamonds,),
     "All ten diamonds are not worth {points}: scoring says anew what settebello, piccola or grande pay."),
    ("all_diamonds", lambda r: r.lowest_wins and r.all_diamonds == "wins",
     "The fewest points win, and yet all ten diamonds win the game."),
    ("shutout", lambda r: r.lowest_wins and r.shutout,
     "The fewest points win, and yet a hand won to nothing wins the game."),
    ("capture_optional", lambda r: r.capture_optional and r.ace_sweep and r.ace_choice == "sweep",
     "An ace must take all the cards of the table, and yet any card that could capture may be left there."),
    ("last_card_scopa", lambda r: r.last_card_scopa and not r.sweep_point,
     "A sweep earns nothing, and so does one with the last card."),
    ("target", lambda r: r.hands_per_game is None and not most(r)["total"] and (r.target,),
     "Nothing earns a point, so nobody ever has {target}."),
    ("hands_per_game", lambda r: r.hands_per_game and r.knockout_tiebreak is False and r.best_of > 1 and r.drawn_games,
     "A match needs a winner of each game, and a game may end in a draw."),
    ("best_of", lambda r: r.best_of > 1 and r.sides > 2, "A match is between two sides."),
    ("knockout_tiebreak", lambda r: r.knockout_tiebreak and r.sides > 2, "A knock-out is between two sides."),
)  # fmt: skip
"""A field, when there is a doubt about it (false, or the values of the sentence), and the sentence."""


def doubts_of(rules: Rules, changes: Mapping[str, Any]) -> list[Doubt]:
    """The doubts about rules, of which ``changes`` differ from the preset that they are described from.

    >>> [doubt.field for doubt in doubts_of(Rules(), {})]
    []
    >>> print(doubts_of(Rules(all_diamonds=10), {"all_diamonds": 10})[0].text)
    All ten diamonds are worth 10, less than the 12 of settebello, piccola and grande that it replaces.
    """
    found = [*_says_nothing(rules, changes), *_never_paid(rules), *_paid_twice(rules)]
    for field, test, text in DOUBTS:
        values = test(rules)
        if values:
            found.append(Doubt(field, Message(text, *(values if isinstance(values, tuple) else ()))))
    return found


def _replaced(rules: Rules) -> int:
    return rules.settebello_point + rules.piccola_max + rules.grande + 2 * (rules.grande_extended and rules.grande > 0)


def _says_nothing(rules: Rules, changes: Mapping[str, Any]) -> Iterator[Doubt]:
    for field in changes:
        if not means_something(rules, field):
            spec = catalogue()["field"][field]
            by_scoring = spec.get("category") in replaced_by(rules.scoring)
            reason = Message("scoring says anew what it pays" if by_scoring else catalogue()["needs"][spec["needs"]])
            yield Doubt(field, Message("{field} says nothing here: {reason}.", field, reason))


def _never_paid(rules: Rules) -> Iterator[Doubt]:
    paid, of_all = set(), set(TABLE_BONUSES)
    for bonuses in _bonuses_of_tables(rules):
        best = max(bonuses.values(), default=0)
        paid |= {field for field, points in bonuses.items() if points == best}
        of_all &= bonuses.keys()
    for field in sorted(of_all & paid):
        comparison = getattr(rules, f"{field}_total")
        yield Doubt(field, Message("Every table has a total {comparison}: the dealer always takes it.", comparison))
    for field in TABLE_BONUSES:
        if getattr(rules, field) and field not in paid:
            comparison = getattr(rules, f"{field}_total")
            reason = "No table that is played earns it alone or best: {field} is never paid for a total {comparison}."
            yield Doubt(field, Message(reason, field, comparison))
    for category in categories_of(rules.scoring):
        if not category.points:
            yield Doubt("scoring", Message("{name} pays nothing.", category.name))
        if category.kind == RUN and (category.cards.bit_length() - 1) % 10 > 7:
            text = (
                "{name}: a run is of three cards or more, and there are not so many from {card} on: it is never paid."
            )
            yield Doubt("scoring", Message(text, category.name, *cards.texts(category.cards)))


def _bonuses_of_tables(rules: Rules) -> Iterator[dict[str, int]]:
    """The bonuses of each kind of table that is played, ranks and the matta alone telling kinds apart."""
    if not rules.table_cards:
        return
    wild = None if rules.matta is None else cards.parse(rules.matta) % 10
    misdeal = cards.RANKS.index(rules.misdeal_rank)
    for with_matta in (False, True) if wild is not None else (False,):
        for ranks in combinations_with_replacement(range(10), 4 - with_matta):
            counts = {rank: ranks.count(rank) for rank in ranks}
            if any(count > (3 if rank == wild else 4) for rank, count in counts.items()):
                continue
            if 0 < rules.misdeal_count <= counts.get(misdeal, 0) + (with_matta and wild == misdeal):
                continue
            total = sum(ranks) + len(ranks)
            totals = [total + value for value in (range(1, 11) if with_matta else (0,))]
            yield {
                field: getattr(rules, field)
                for field in TABLE_BONUSES
                if getattr(rules, field) and any(meets(getattr(rules, f"{field}_total"), each) for each in totals)
            }


def _paid_twice(rules: Rules) -> Iterator[Doubt]:
    paid = [category for category in scoring_of(rules) if category.points and category.cards]
    for one, other in combinations(paid, 2):
        if (one.kind, one.cards) == (other.kind, other.cards):
            yield Doubt("scoring", Message("{first} and {second} pay for the same.", one.name, other.name))
        elif one.kind == other.kind == EACH and one.cards & other.cards:
            both = cards.texts(one.cards & other.cards)
            yield Doubt(
                "scoring", Message("Paid twice, by {first} and by {second}: {cards}.", one.name, other.name, both)
            )
