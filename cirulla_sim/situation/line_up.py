"""Who plays: a policy for everybody, or one by the name of each side or seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.arguments import several
from ..core.errors import InputError, unknown
from ..ruleset.rules_model import Rules
from .people import ABSOLUTE as SEATS
from .people import RELATIVE, order_of_play, seats_of

ALL = "all"
SIDES = ("us", "them", "dealer", "others")
PLACES = tuple(dict.fromkeys((*SIDES, *SEATS, *RELATIVE)))
"""Every name of a side or a seat. ``us`` and the relative ones require somebody who asks."""


@dataclass(frozen=True)
class LineUp:
    """Who plays: pairs of a side's or seat's name and a policy, or the single name ``all``.

    >>> str(LineUp.parse("dealer=search:8, others=careful"))
    'dealer=search:8, others=careful'
    >>> LineUp.parse("careful").policies
    (('all', 'careful'),)
    """

    policies: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str, us: bool = False, flag: str = "--policy") -> LineUp:
        """Read ``careful`` or ``dealer=search, others=careful``.

        ``us`` tells which spelling to suggest for policies without names. Raises ``InputError`` that names the flag.
        """
        parts = [part.strip() for part in text.split(",")]
        named = [_named(part, flag) for part in parts]
        if len(parts) == 1 and not named[0][0]:
            return cls(((ALL, parts[0]),))
        if not all(place for place, _ in named):
            right = ", ".join(f"{place}={policy}" for place, policy in _suggestion([p for _, p in named], us))
            raise InputError("{flag} {text!r} does not name who plays what: did you mean {right!r}?", flag, text, right)
        for number, (place, policy) in enumerate(named):
            if place in (other for other, _ in named[:number]):
                raise InputError(
                    "{flag} {text!r} names {place!r} twice (valid: each side or seat once)", flag, text, place
                )
            if not policy:
                raise InputError(
                    "{flag} {text!r} has no policy for {place!r} (valid: {place}=careful)", flag, text, place
                )
        return cls(tuple(named))

    @classmethod
    def from_json(cls, value: object) -> LineUp:
        """The line-up that ``as_json`` gave; raises ``InputError`` for anything else."""
        places = (*PLACES, ALL)
        items = tuple(value.items()) if isinstance(value, Mapping) else ()
        named = all(place in places and isinstance(policy, str) for place, policy in items)
        if items and named and (len(items) == 1 or all(place != ALL for place, _ in items)):
            return cls(items)
        raise InputError("{value!r} is no line-up (valid: a policy by the name of each side or seat)", value)

    @classmethod
    def of_sides(cls, policies: Sequence[str], rules: Rules, us: int | None = None) -> LineUp:
        """The line-up of one policy a side, in the order of their numbers, by the shortest names.

        With ``us``, the number of the asking side, sides are named as it sees them, otherwise by who deals.
        """
        if len(set(policies)) == 1:
            return cls(((ALL, policies[0]),))
        own = rules.dealer_side if us is None else us
        others = [policy for side, policy in enumerate(policies) if side != own]
        if len(set(others)) == 1:
            names = ("dealer", "others") if us is None else ("us", "them")
            return cls(tuple(zip(names, (policies[own], others[0]), strict=True)))
        if us is None:
            return cls(tuple(zip((*SEATS[: rules.sides - 1], "dealer"), policies, strict=True)))
        seen = enumerate(_seen_from_a_side(rules))
        return cls(tuple((name, policies[(us + place) % rules.sides]) for place, name in seen))

    @classmethod
    def of_some(cls, policies: Sequence[str | None], rules: Rules, us: int) -> LineUp | None:
        """The line-up of some sides, in the order of their numbers, as the side ``us`` sees them; None of no side."""
        given = [policy for policy in policies if policy is not None]
        if len(given) == len(policies):
            return cls.of_sides(given, rules, us)
        named = tuple(
            (name, policy)
            for place, name in enumerate(_seen_from_a_side(rules))
            if (policy := policies[(us + place) % rules.sides]) is not None
        )
        return cls(named) if named else None

    def by_side(self, rules: Rules, us: int | None = None, flag: str = "--policy") -> tuple[str, ...]:
        """The policy of each side, in the order of their numbers; ``us`` is the number of the asking side.

        Raises ``InputError`` for a name that means nobody in this game, and unless every side has one policy.
        """
        policies = self.of_each_side(rules, us, flag)
        named = tuple(policy for policy in policies if policy is not None)
        if len(named) < len(policies):
            raise InputError("{flag} {self!r} leaves out a side (add others=careful)", flag, self)
        return named

    def of_each_side(self, rules: Rules, us: int | None = None, flag: str = "--policy") -> tuple[str | None, ...]:
        """The same where sides may be left out: None for those."""
        policy_of: dict[int, str] = {}
        rest: str | None = None
        for place, policy in self.policies:
            if place == "others":
                rest = policy
                continue
            for side in self._sides_of(place, rules, us, flag):
                if policy_of.setdefault(side, policy) != policy:
                    raise InputError("{flag} {self!r} gives one side two policies (valid: one a side)", flag, self)
        if rest is not None and len(policy_of) == rules.sides:
            raise InputError("{flag} {self!r} leaves nobody for 'others' (leave it out)", flag, self)
        return tuple(policy_of.get(side, rest) for side in range(rules.sides))

    def _sides_of(self, place: str, rules: Rules, us: int | None, flag: str) -> Iterable[int]:
        seats = order_of_play(rules)
        if place == ALL:
            return range(rules.sides)
        if place in SEATS and place not in seats:
            raise InputError(
                "{flag} {self!r}: nobody is {place!r} (valid: {names})", flag, self, place, (*seats, *SIDES)
            )
        if us is None and place not in SEATS:
            raise InputError(
                "{flag} {self!r}: who is {place!r}? (add where you sit, as --me dealer; or name dealer, others)",
                flag, self, place,
            )  # fmt: skip
        if place == "partner" and rules.players != 4:
            raise InputError(
                "{flag} {self!r}: there is no 'partner' among {players} (valid: us, them)", flag, self, rules.players
            )
        name = "opposite" if place == "partner" and not rules.partnership else place
        return (rules.side(seat) for seat in seats_of(name, rules, us or 0))

    @property
    def is_relative(self) -> bool:
        """Whether it names players or sides as the person asking sees them."""
        return any(place in (*RELATIVE, "us", "them") for place, _ in self.policies)

    def as_json(self) -> dict[str, str]:
        """The policies by name."""
        return dict(self.policies)

    @property
    def names(self) -> tuple[str, ...]:
        """The policies, each once."""
        return tuple(dict.fromkeys(policy for _, policy in self.policies))

    def __str__(self) -> str:
        return ", ".join(policy if place == ALL else f"{place}={policy}" for place, policy in self.policies)


def _seen_from_a_side(rules: Rules) -> tuple[str, ...]:
    """The names of the sides as one of them sees them, itself first and then in the order of play."""
    if rules.sides == 2:
        return SIDES[:2]
    return ("me", "next", *(("partner",) if rules.sides == 4 else ()), "previous")


def _named(part: str, flag: str) -> tuple[str, str]:
    """A part's name, empty where it has none, and its policy."""
    place, equals, policy = part.partition("=")
    place = place.strip().lower()
    if not equals:
        return "", part
    if place not in PLACES:
        raise unknown("side or seat", place, PLACES, where=f"{flag}: ")
    return place, policy.strip()


def _suggestion(policies: Sequence[str], us: bool) -> Iterator[tuple[str, str]]:
    """Names for policies that are listed without any: in the order of play, the dealer last, or ours first."""
    if us:
        names: tuple[str, ...] = ("us", "them") if len(policies) == 2 else RELATIVE
        names = names if len(policies) != 3 else ("me", "next", "previous")
    else:
        names = ("others", "dealer") if len(policies) == 2 else (*SEATS[: len(policies) - 1], "dealer")
    yield from zip(names, policies, strict=False)


LineUpValue = str | LineUp | Mapping[str, str]
"""A line-up as public functions take it: text, a value, or policies by the names of sides or seats."""


def each_line_up(value: object, us: bool = False, flag: str = "--policy") -> list[LineUp]:
    """Line-ups given from Python, one or several; ``us`` is that of ``LineUp.parse``.

    Raises ``InputError`` that names the flag for values of other types, and as ``LineUp.parse`` does.

    >>> [str(line_up) for line_up in each_line_up(["careful", {"dealer": "search", "others": "careful"}])]
    ['careful', 'dealer=search, others=careful']
    """
    found: list[LineUp] = []
    for one in several(value, flag, (str, LineUp, Mapping)):
        if isinstance(one, Mapping) and one and all(isinstance(x, str) for pair in one.items() for x in pair):
            one = ", ".join(f"{place}={policy}" for place, policy in one.items())
        if not isinstance(one, str | LineUp):
            raise InputError("{flag} {value!r} is no line-up (valid: text as 'careful', or a mapping)", flag, one)
        found.append(LineUp.parse(one, us, flag) if isinstance(one, str) else one)
    return found


def read_line_ups(
    value: LineUpValue | Sequence[LineUpValue], rules: Rules, us: int | None = None, named_us: bool = False
) -> tuple[LineUp, ...]:
    """Line-ups as typed or given from Python, one or several, each in its canonical form for some rules.

    ``us`` is the number of the asking side; with ``named_us`` the canonical names are ``us`` and ``them``. Raises
    ``InputError`` for none, for one given twice, and as ``parse`` and ``by_side`` do.
    """
    given = each_line_up(value, named_us)
    if not given:
        raise InputError("--policy names nobody (valid: a policy, as careful)")
    canonical: list[LineUp] = []
    for line_up in given:
        line_up = LineUp.of_sides(line_up.by_side(rules, us), rules, us if named_us else None)
        if line_up in canonical:
            raise InputError("--policy {line_up!r} is named twice (name each line-up once)", line_up)
        canonical.append(line_up)
    return tuple(canonical)
