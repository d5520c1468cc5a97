"""Deal constraints as text: ``"me: 7h K* K*; partner: two diamonds; table: Ad 5?; not dealer: aces"``.

Clauses stand between semicolons: a place, a colon, the cards. A card may be left open, its rank or its suit or
both; a word for cards that are alike is one of them. A clause that begins with ``not`` says that none is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from ..core.cards import NICKNAMES, PACK, RANK_OF, SUIT_OF, texts
from ..core.errors import InputError, unknown
from ..ruleset.rules_model import Rules
from .constraints import Condition, DealConstraints, holding_place, layout

ALL = (1 << 40) - 1
LONGEST = 1_000
"""Characters of a text at most."""

MOST_SHARING = 10
"""Different sets that share cards, in one place, at most."""

_VALID = "7h, K*, *d, 2-5h, 'two diamonds', 'no aces', 'exactly 1 king', .. for any"
_PLURALS = (
    "aces assi", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks fanti", "queens cavalli donne regine",
    "kings",
)  # fmt: skip
_NUMBERS = (
    "one a an un uno una", "two due", "three tre", "four quattro", "five cinque", "six sei", "seven sette",
    "eight otto", "nine nove", "ten dieci",
)  # fmt: skip
_NUMBER_OF = {word: number for number, words in enumerate(_NUMBERS, 1) for word in words.split()}
_LIMITS = {
    "at least": "low", "almeno": "low", "at most": "high", "al massimo": "high", "exactly": "both",
    "esattamente": "both",
}  # fmt: skip
_NONE = ("no", "nessun", "nessuno", "nessuna", "none", "without", "senza", "zero", "0")
_WILD = "*?."
_EVERYBODY = ("everybody", "everyone", "tutti", "ognuno")
STOCK = ("stock", "mazzo", "tallone")
"""What the cards not dealt yet are called."""
_SOMEBODY = re.compile(r"\s*(?:somebody|someone|anybody|anyone|qualcuno|uno)\b", re.IGNORECASE)


class Places(NamedTuple):
    """Where cards may lie: name -> the places meant together, as a mask, several where it is true of each of them; how
    many cards lie in each place; and the conditions that hold anyway."""

    named: dict[str, list[int]]
    sizes: tuple[int, ...]
    sure: tuple[Condition, ...] = ()


class _Clause(NamedTuple):
    """The cards in some places together: each a set of which it is one, and limits on sets."""

    cards: list[int]
    limits: list[tuple[int, int, int]]  # mask, at least, at most


# ------------------------------------------------------------------------------------------------ sets of cards


def _ranks(word: str) -> int | None:
    """The mask of ranks, of 10 bits, that a word for one, a range or a wildcard means."""
    if word in _WILD:
        return (1 << 10) - 1
    first, dash, last = word.partition("-")
    if first not in RANK_OF or (dash and last not in RANK_OF):
        return None
    low, high = RANK_OF[first], RANK_OF[last] if dash else RANK_OF[first]
    return sum(1 << rank for rank in range(low, high + 1)) if low <= high else None


def _alike(ranks: int, suits: Sequence[int]) -> int:
    return sum(ranks << 10 * suit for suit in suits)


_EVERY_RANK, _EVERY_SUIT = (1 << 10) - 1, range(4)
_GROUPS = {word: _alike(1 << rank, _EVERY_SUIT) for word, rank in RANK_OF.items() if not word.isdecimal()}
_GROUPS |= {word: _alike(1 << rank, _EVERY_SUIT) for rank, words in enumerate(_PLURALS) for word in words.split()}
_GROUPS |= {word: _alike(_EVERY_RANK, [suit]) for word, suit in SUIT_OF.items()}
_GROUPS |= dict.fromkeys(("figure", "figures", "figura"), _alike(0b111 << 7, _EVERY_SUIT))
_GROUPS |= dict.fromkeys(("card", "cards", "carta", "carte"), ALL)
_GROUPS |= {name: 1 << card for name, card in NICKNAMES.items()}


def _cards(word: str) -> int | None:
    """The mask of the cards of which a word means one, None for a word that means none."""
    if word in _GROUPS and len(word) > 1:
        return _GROUPS[word]
    if word in ("*", "**", "??", "..", "?", ".", "*?", "?*"):
        return ALL
    named = re.fullmatch(r"(\S+) (?:of|di) (\S+)", word) or re.fullmatch(r"(.+?)([hdcs♥♡♦♢♣♧♠♤*?.])", word)
    if named is None:
        return None
    ranks = _ranks(named[1])
    suits = _EVERY_SUIT if named[2] in _WILD else [SUIT_OF[named[2]]] if named[2] in SUIT_OF else None
    return None if ranks is None or suits is None else _alike(ranks, list(suits))


# ------------------------------------------------------------------------------------------------ clauses


def _words(text: str) -> list[str]:
    """The words of a clause; a card of several words, as ``re di coppe``, is one word."""
    plain = text.replace("\ufe0f", "").lower().replace("sette bello", "settebello")
    plain = re.sub(r"\s*-\s*", "-", plain)
    return re.findall(r"[^\s,]+\s+(?:of|di)\s+[^\s,]+|at least|at most|al massimo|[^\s,]+", plain)


def _read_clause(where: str, text: str) -> _Clause:
    words, clause = [re.sub(r"\s+", " ", word) for word in _words(text)], _Clause([], [])
    while words:
        limit, number = ("high", 0) if words[0] in _NONE else (_LIMITS.get(words[0], ""), None)
        words = words[1:] if limit else words
        if number is None and (number := _number_before(words)) is not None:
            words = words[1:]
        cards = _cards(words[0]) if words else None
        if cards is None:
            raise _unknown(where, words[0] if words else text.strip())
        number = 1 if number is None else number
        if limit in ("", "low"):
            clause.cards.extend([cards] * number)
        else:
            clause.limits.append((cards, number if limit == "both" else 0, number))
        words = words[1:]
    return clause


def _number_before(words: Sequence[str]) -> int | None:
    """The number that comes first, before a word for cards that are alike."""
    if len(words) < 2 or words[1] not in _GROUPS or _cards(words[1]) is None:
        return None
    return int(words[0]) if re.fullmatch(r"\d{1,2}", words[0]) else _NUMBER_OF.get(words[0])


def _unknown(where: str, word: str) -> InputError:
    near = get_close_matches(word, [*_GROUPS, *(card.lower() for card in PACK)], 1, 0.5)
    hint = f": did you mean {near[0]!r}?" if near else ""
    return InputError(f"--deal: {where}: unknown card {word!r}{hint} (valid: {_VALID})")


def _groups(rules: Rules) -> dict[str, list[int]]:
    """The seats whose holdings a name means together."""
    seats, dealer = range(rules.players), rules.players - 1
    partner = {"partner compagno socio": [dealer - 2]} if rules.partnership else {}
    groups = {
        **{f"seat{seat}": [seat] for seat in seats},
        "me io dealer mazziere": [dealer],
        "first primo": [0],
        **partner,
        "us noi": [seat for seat in seats if rules.side(seat) == rules.dealer_side],
        "them loro others altri": [seat for seat in seats if rules.side(seat) != rules.dealer_side],
        "players giocatori": [*seats],
    }
    return {name: group for names, group in groups.items() for name in names.split()}


def _places(rules: Rules) -> Places:
    """Those of a deal."""

    def holdings(seats: Sequence[int], stage: int) -> int:
        return sum(1 << holding_place(rules, stage, seat) for seat in seats)

    seats, stages = range(rules.players), range(len(rules.deal_plan))
    named: dict[str, list[int]] = {}
    for stage in stages:
        here = {name: [holdings(group, stage)] for name, group in _groups(rules).items()}
        here |= {name: [holdings([seat], stage) for seat in seats] for name in _EVERYBODY}
        named |= {name if not stage else f"{name} stage {stage + 1}": places for name, places in here.items()}
    if rules.table_cards:
        named |= {name: [1] for name in ("table", "tavola", "tavolo", "terra")}
    if len(stages) > 1:
        named |= {name: [sum(holdings(seats, stage) for stage in stages[1:])] for name in STOCK}
    return Places(named, layout(rules))


def each_of(text: str, rules: Rules) -> list[str]:
    """The texts in which ``somebody`` is each of the seats, in their order; ``text`` itself where nobody is called so.

    Raises ``InputError`` for two such clauses.
    """
    clauses = re.split(r"[;\n]", text)
    some = [at for at, clause in enumerate(clauses) if _SOMEBODY.match(clause)]
    if len(some) > 1:
        raise InputError(f"--deal {text!r}: somebody is told twice (valid: once)")
    if not some:
        return [text]
    (at,) = some
    return [
        ";".join([*clauses[:at], _SOMEBODY.sub(f"seat{seat}", clauses[at], count=1), *clauses[at + 1 :]])
        for seat in range(rules.players)
    ]


def read(text: str, rules: Rules, once: bool = True, where: Places | None = None) -> DealConstraints:
    """The constraints that a text puts on deals under some rules, or on the places of cards in mid-hand.

    Seats have their numbers in the order of play, ``seat0`` first; ``me`` is the dealer, who plays last: ``us`` is the
    dealer's side.

    Raises ``InputError`` that begins with ``--deal`` for what cannot be read, and for what can never be so; without
    ``once`` a card may be named twice, which no deal has.
    """
    if len(text) > LONGEST:
        raise InputError(f"--deal of {len(text):_} characters is too long (valid: {LONGEST:_})")
    named, sizes, sure = where or _places(rules)
    by_place: dict[int, _Clause] = {}
    conditions = list(sure)
    for name, negated, clause in _clauses(text, named):
        for places in named[name]:
            if negated:
                conditions += _lacking(places, clause)
            else:
                own = by_place.setdefault(places, _Clause([], []))
                own.cards.extend(clause.cards)
                own.limits.extend(clause.limits)
    if once:
        _each_once(by_place)
    for places, clause in by_place.items():
        room = sum(size for at, size in enumerate(sizes) if places >> at & 1)
        if len(clause.cards) > room:
            name = next(name for name, several in named.items() if places in several)
            raise InputError(f"--deal: {name}: {len(clause.cards)} cards where {room} lie (valid: {room} or fewer)")
        conditions += [Condition(places, *limit) for limit in clause.limits]
        conditions += _containing(places, clause.cards)
    return DealConstraints(tidy(text), tuple(dict.fromkeys(conditions)), sizes)


def _clauses(text: str, named: Mapping[str, list[int]]) -> Iterator[tuple[str, bool, _Clause]]:
    """The name of the place of each clause, whether it begins with ``not``, and its cards."""
    for part in filter(str.strip, re.split(r"[;\n]", text)):
        place, colon, cards = part.partition(":")
        negated = re.match(r"\s*(?:not|non)\s+", place, re.IGNORECASE)
        name = _place_name(place[negated.end() if negated else 0 :])
        if not colon:
            raise InputError(f"--deal: {part.strip()!r} names no place (valid: PLACE: CARDS, as 'me: 7h K*')")
        if _SOMEBODY.match(name):
            raise InputError(f"--deal: {part.strip()!r} is nobody in particular: its chance can be asked for "
                             "(valid: odds --deal without a question, or seat0, me, everybody)")  # fmt: skip
        if name not in named:
            valid = [place for place in named if " stage " not in place]
            raise unknown("place", name, [*valid, *(["me stage 2"] if "me stage 2" in named else [])], "--deal: ")
        yield name, bool(negated), _read_clause(place.strip(), cards)


def tidy(text: str) -> str:
    """A text on one line.

    >>> tidy("me: 7h  K*;\\n table: Ad;")
    'me: 7h K*; table: Ad'
    """
    return "; ".join(" ".join(part.split()) for part in re.split(r"[;\n]", text) if part.strip())


def _place_name(text: str) -> str:
    """A place as ``_places`` names it: ``Seat 2, stage2`` is ``seat2 stage 2``; the first stage goes without saying."""
    plain = re.sub(r"[\s_,]*(?:stage|giro)[\s_]*(\d+)", r" stage \1", " ".join(text.lower().split()))
    return re.sub(r"^seat (\d)", r"seat\1", plain).removesuffix(" stage 1")


def _lacking(places: int, clause: _Clause) -> Iterator[Condition]:
    """The conditions that the cards do not lie there: of several alike, fewer."""
    if clause.limits:
        raise InputError("--deal: 'not' goes with cards, not with limits (valid: 'not me: aces' or 'me: no aces')")
    for cards in dict.fromkeys(clause.cards):
        yield Condition(places, cards, 0, clause.cards.count(cards) - 1)


def _each_once(by_place: dict[int, _Clause]) -> None:
    """Raise ``InputError`` for a card that is named in two places, or twice in one."""
    single = [cards for clause in by_place.values() for cards in clause.cards if cards.bit_count() == 1]
    for cards in single:
        if single.count(cards) > 1:
            raise InputError(f"--deal: {texts(cards)[0]} is named twice: every card is in the pack once")


def _containing(places: int, cards: list[int]) -> Iterator[Condition]:
    """The conditions that different cards lie there, one of each set: by Hall's theorem, enough of any sets together.

    Sets that share no card with others need not be looked at together with them.
    """
    distinct = list(dict.fromkeys(cards))
    sharing = [a for a in distinct if any(a & b for b in distinct if b != a)]
    yield from (Condition(places, a, cards.count(a), 40) for a in distinct if a not in sharing and a != ALL)
    if len(sharing) > MOST_SHARING:
        raise InputError(f"--deal: {len(sharing)} sets of cards that overlap are too many (valid: {MOST_SHARING})")
    for number in range(1, len(sharing) + 1):
        for several in combinations(sharing, number):
            union = reduce(or_, several)
            if union != ALL and _are_connected(several):
                yield Condition(places, union, sum(map(cards.count, several)), 40)


def _are_connected(sets: Sequence[int]) -> bool:
    """Whether every set is reached from the first through sets that share cards."""
    reached, left = sets[0], list(sets[1:])
    while near := [cards for cards in left if cards & reached]:
        reached = reduce(or_, near, reached)
        left = [cards for cards in left if cards not in near]
    return not left
