"""Who is meant: players by where they sit in the order of play, or as one of them sees the others."""

from __future__ import annotations

from ..core.errors import InputError, unknown
from ..core.locale import add_names
from ..core.messages import Message
from ..ruleset.rules_model import Rules

ABSOLUTE = ("first", "second", "third", "dealer")
"""Players in the order of play, the dealer last."""

RELATIVE = ("me", "next", "partner", "opposite", "previous")
"""Players as one of them sees the others: the next plays after me, the previous before me; who sits opposite is the
partner if there are partners."""

PLAYERS = (*RELATIVE, *ABSOLUTE)
GROUPS = ("us", "them", "others", "everybody", "somebody")

ITALIAN = {
    "me": "io", "next": "prossimo", "partner": "compagno", "opposite": "dirimpetto", "previous": "precedente",
    "first": "primo", "second": "secondo", "third": "terzo", "dealer": "mazziere", "us": "noi", "them": "loro",
    "others": "altri",
    "everybody": "tutti", "somebody": "qualcuno",
}  # fmt: skip
"""The Italian name of each; the first that is written, of several that are read."""
add_names("parole", ITALIAN.items())

_ALSO = {
    "next": "seguente successivo", "partner": "socio", "first": "mano", "dealer": "cartaro cartaio",
    "everybody": "everyone ognuno players giocatori", "somebody": "someone anybody anyone", "us": "nostre nostri",
    "me": "mie miei",
}  # fmt: skip

NAME_OF = {
    word: name
    for name, italian in ITALIAN.items()
    for word in (name, italian, *_ALSO.get(name, "").split())
}  # fmt: skip
"""What a person or a group may be called, in either language -> its name."""


def seat_name(players: int, seat: int) -> str:
    """What a seat is called: ``first``, ``second``, ``third``, ``dealer``."""
    return (*ABSOLUTE[: players - 1], "dealer")[seat]


def order_of_play(rules: Rules) -> tuple[str, ...]:
    """The names of the seats, in the order of their numbers.

    >>> from cirulla_sim.ruleset.presets import build
    >>> order_of_play(build("cirulla", players=3))
    ('first', 'second', 'dealer')
    """
    return tuple(seat_name(rules.players, seat) for seat in range(rules.players))


def seen_from(rules: Rules, seat: int) -> tuple[str, ...]:
    """What the player at a seat calls everybody, by seat.

    >>> from cirulla_sim.ruleset.presets import build
    >>> seen_from(build("cirulla"), 3)
    ('next', 'partner', 'previous', 'me')
    """
    names = {2: ("me", "next"), 3: ("me", "next", "previous"), 4: ("me", "next", "partner", "previous")}[rules.players]
    if rules.players == 4 and not rules.partnership:
        names = ("me", "next", "opposite", "previous")
    return tuple(names[(other - seat) % rules.players] for other in range(rules.players))


def seat_of(name: str, rules: Rules, me: int, where: str = "") -> int:
    """The seat of a player by name, where ``me`` is the seat of the person asking.

    Raises ``InputError`` that begins with ``where`` for nobody at this table.
    """
    absolute = order_of_play(rules)
    seats = {"previous": (me - 1) % rules.players}  # of two players too, though they say next
    seats |= {called: seat for names in (seen_from(rules, me), absolute) for seat, called in enumerate(names)}
    if name in seats:
        return seats[name]
    valid = [*map(Message, dict.fromkeys((*seen_from(rules, 0), *absolute)))]
    raise InputError(
        "{where}nobody is {name!r} with {players} players (valid: {valid})", where, Message(name), rules.players, valid
    )


def seats_of(name: str, rules: Rules, me: int, where: str = "") -> tuple[int, ...]:
    """The seats of a player or a group by name; raises ``InputError`` as ``seat_of`` does."""
    seats = range(rules.players)
    if name in ("everybody", "somebody"):
        return tuple(seats)
    if name == "others":
        return tuple(seat for seat in seats if seat != me)
    if name in ("us", "them"):
        return tuple(seat for seat in seats if (rules.side(seat) == rules.side(me)) == (name == "us"))
    return (seat_of(name, rules, me, where),)


def is_relative(name: str) -> bool:
    """Whether a name depends on who asks."""
    return name in RELATIVE or name in ("us", "them", "others")


def read_name(word: str, where: str, valid: tuple[str, ...] = PLAYERS, kind: str = "player") -> str:
    """The name of a player or group, in either language; raises ``InputError`` that begins with ``where``."""
    name = NAME_OF.get(" ".join(word.lower().split()))
    if name not in valid:
        raise unknown(kind, word.strip(), map(Message, valid), where, {ITALIAN[one]: Message(one) for one in valid})
    return name
