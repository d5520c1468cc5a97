"""Policies by name: those of the package, and the user's own as ``my_module:my_policy`` or ``FILE.py:my_policy``.

A policy that is not inlined in the playing of hands is a compiled function that the kernel calls by its address, so a
user's own policy plays as fast as one of the package. See ``docs/reference/policies.md``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from inspect import isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.data import load_toml
from ..core.errors import InputError, unknown
from ..core.locale import add_names
from ..core.messages import Message
from ..ruleset.rules_model import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POLICIES = load_toml(__package__, "policies.toml")
"""The policies of the package, from the weakest to the strongest, each with what its entry says."""

INLINED, OPPONENTS, AIMING = ([x for x, of in POLICIES.items() if key in of] for key in ("kernel", "model", "aims"))
"""Those inlined in the playing of hands, in the order of the kernel's numbers for them; the opponents that ``search``
can assume, as in ``search:16:search:4``; and those that can maximise the chance to win the game."""

add_names("it", (texts for name, entry in POLICIES.items() for texts in ((name, entry["italian"]), entry["about"])))

AIM = "game"
"""What may follow a policy's name after a ``+``: it maximises the chance to win the game."""

USUAL = "careful"
"""The default policy: a good player, since points depend on who plays."""

MAX_SAMPLES = 1_000_000

MOST_MODELS = 4
"""Opponent models of opponent models, at most."""

Styles = tuple[tuple[int, ...], ...]
"""What has been inferred of the styles of play of each side: weights, see ``kernel.players.opponents``."""


@dataclass(frozen=True)
class Policy:
    """A policy ready to play: the kernel's code for it, its number of samples, and whether it sees all cards.

    ``knocks`` is the code that decides which sets it shows, 0 where the kernel shows the best at once, and ``at_once``
    says whether that code does too. ``opponent`` is its
    opponent model, if it has one; ``certain`` is 1 + the style of play of the others (``kernel.players.opponents``) if
    that was named, 0 if it is inferred.
    """

    name: str
    code: int
    samples: int = 0
    sees_all: bool = False
    knocks: int = 0
    at_once: bool = False
    aims_at_game: bool = False
    opponent: Policy | None = None
    certain: int = 0


class PolicyName(NamedTuple):
    """The parts of a policy's name; empty where it has none.

    ``bare`` is without ``AIM``; ``number`` is what follows the ``kind``, of ``search`` before its ``opponent``.
    """

    bare: str
    kind: str
    number: str
    opponent: str
    suffix: str

    @property
    def aims(self) -> bool:
        """Whether it maximises the chance to win the game."""
        return self.suffix == AIM


@lru_cache(2**10)
def parse_policy(name: str) -> PolicyName:
    """The parts of a policy's name, which need not be one: files of earlier versions have other suffixes.

    >>> parse_policy("search:16:search:4+game")
    PolicyName(bare='search:16:search:4', kind='search', number='16', opponent='search:4', suffix='game')
    """
    module, colon, rest = name.rpartition(":")
    last, _, suffix = rest.partition("+")
    bare = f"{module}{colon}{last}"
    kind, _, rest = bare.partition(":")
    samples, _, opponent = rest.partition(":") if kind == "search" else (rest, "", "")
    return PolicyName(bare, kind, samples, opponent, suffix)


def check_policy(name: str, depth: int = 0) -> None:
    """Raise ``InputError`` if this cannot be the name of a policy; modules of the user's own are not imported.

    ``depth`` is how many policies have it as an opponent model, one within the other.
    """
    if depth > MOST_MODELS:
        raise InputError(
            "policy {name!r}: too many opponents within opponents (valid: up to {most})", name, MOST_MODELS
        )
    bare, kind, number, opponent, suffix = parse_policy(name)
    if name.endswith("+") or suffix not in ("", AIM):
        raise unknown("suffix", suffix, [AIM], where=Message("policy {name!r}: ", name))
    if suffix and kind not in AIMING:
        raise InputError("policy {name!r}: {bare!r} cannot aim at the game (valid: {called})", name, bare, AIMING)
    base, colon, rest = bare.rpartition(":")
    if not colon:
        if bare not in POLICIES:
            raise unknown("policy", bare, [*POLICIES, Message("FILE.py:NAME")])
    elif "samples" in POLICIES.get(kind, ()):
        if not (number.isdecimal() and len(number) < 10 and 1 <= int(number) <= MAX_SAMPLES):
            raise InputError(
                "policy {name!r}: {number!r} is no number of samples (valid: 1 to {most})", name, number, MAX_SAMPLES
            )
        if opponent and opponent.partition(":")[0] not in OPPONENTS:
            raise unknown("opponent", opponent, [*OPPONENTS, "search:N"], where=Message("policy {name!r}: ", name))
        if opponent:
            check_policy(opponent, depth + 1)
    elif kind in POLICIES:
        raise InputError("policy {name!r}: {kind!r} takes no number (valid: {kind})", name, kind)
    elif not rest.isidentifier() or not base:
        raise InputError("policy {name!r} is not valid (valid: {names}, FILE.py:NAME)", name, POLICIES)


@cache
def load_policy(name: str) -> Policy:
    """The policy of a name, compiled.

    Raises ``InputError`` if a module or function is not there, has another signature or does not compile.
    """
    check_policy(name)
    bare, kind, number, opponent, suffix = parse_policy(name)
    if bare in INLINED:
        return Policy(name, INLINED.index(bare))
    if entry := POLICIES.get(kind):
        from ..kernel.players.opponents import GREEDY, MODEL

        count = int(number) if number else entry.get("samples", 0)
        code = kernel_address(f"{kind}_policy")  # also decides what it shows
        model = load_policy(USUAL if opponent in ("", "greedy") else opponent) if kind == "search" else None
        style = GREEDY if opponent == "greedy" else MODEL
        certain = 1 + int(style) if opponent else 0
        return Policy(name, code, count, "sees_all" in entry, code, False, suffix == AIM, model, certain)
    from .user_policies import Variant, address, address_of_variant

    function = own_function(name)
    if not isinstance(function, Variant):
        return Policy(name, address(name, function))
    called = [name for name in POLICIES if name not in INLINED]
    if parse_policy(function.base).kind not in called:
        raise unknown("policy", function.base, called, where=Message("policy {name!r}: ", name))
    base = load_policy(function.base)
    code = address_of_variant(base.code, function.change)
    return replace(base, name=name, code=code, sees_all=True, knocks=code)


def load_deciding(name: str) -> Policy:
    """The policy of a name as one that decides at its turn what it shows: the best sets at once if it has no choice."""
    policy = load_policy(name)
    if policy.knocks:
        return policy
    code = kernel_address(name) if name in INLINED else policy.code
    # Of sets, ``wary`` shows the best at once.
    return replace(policy, code=code, knocks=kernel_address("wary_policy"), at_once=True)


_MODULE_OF = {"play_on": "hands", "deal": "deals"}
"""The modules of the entry points that are not called to choose."""


@cache
def kernel_address(name: str) -> int:
    """The address of a function of ``kernel.entries``: ``play_on`` a hand, ``deal`` with constraints, ``ask`` a policy,
    ``observe`` styles of play, or a policy."""
    module = importlib.import_module(f"..kernel.entries.{_MODULE_OF.get(name, 'choices')}", __package__)
    return int(getattr(module, name).address)


@cache
def _tables(rules: Rules) -> Any:
    from ..kernel.players.worth import worth_tables

    return worth_tables(rules)


class Workspace:
    """The kernel's workspace of one thread's players, and the rules that its tables are computed from."""

    def __init__(self) -> None:
        from ..kernel.players.ask import workspace_type

        self._array = workspace_type.zeros()
        self.record: Any = self._array[0]
        self._rules: Rules | None = None
        self._tables: Any = None  # the kernel has its address
        self._win: NDArray[np.float32] | None = None  # the kernel has its address

    @property
    def address(self) -> int:
        """The address of the record; valid as long as the workspace."""
        return int(self._array.ctypes.data)

    @property
    def mind(self) -> Any:
        """What policies may use, a record of ``kernel.players.ask.MIND``."""
        return self.record.mind

    def at_fault(self) -> tuple[Any, NDArray[np.int64]]:
        """The view and the plays of the policy that answered wrong, in signed numbers as user policies have them."""
        import numpy as np

        from ..kernel.players.view import own_view_type

        [view], fault = self._array["information"].copy().view(own_view_type.dtype), self.record.fault
        view["dice"] = np.uint64(fault.dice).astype(np.int64)
        plays = self.record.plays[: int(fault.plays)].view(np.int64)
        plays.flags.writeable = False
        return view, plays

    def prepare(self, rules: Rules, win: NDArray[np.float32] | None = None) -> None:
        """Set what policies may use under some rules.

        With ``win``, float32[plays + 1, S, S] as ``expectancy.aiming_table`` gives it, policies that aim at the game
        maximise the chance of winning it: entry (n, a, b) is that of side 0 with n plays of the hand left and a points
        against b, counting what the piles will be worth. Points from S - 1 on count alike. Without, points are the aim.
        """
        import numpy as np

        from ..kernel.players.weights import build_weights

        mind = self.mind
        if rules != self._rules:
            self._rules, self._tables = rules, _tables(rules)  # threads may each have computed their own
            mind.tables, mind.weights = self._tables.ctypes.data, build_weights(rules)
        self._win = None if win is None else np.ascontiguousarray(win, np.float32)
        mind.win = 0 if self._win is None else self._win.ctypes.data
        mind.win_size = 0 if self._win is None else self._win.shape[1]
        mind.to_show = False


def is_own(name: str) -> bool:
    """Whether a name is that of a policy of the user's own."""
    return ":" in parse_policy(name).bare and parse_policy(name).kind not in POLICIES


def _module(name: str) -> str:
    """The module, or the file, of a policy of the user's own."""
    return parse_policy(name).bare.rpartition(":")[0]


def own_function(name: str) -> Any:
    """The Python function of a policy of the user's own."""
    from .user_policies import find

    return find(name, _module(name), parse_policy(name).bare.rpartition(":")[2])


def in_file(name: str) -> bool:
    """Whether a name is that of a policy of the user's own in a file, ``FILE.py:FUNCTION``."""
    return is_own(name) and _module(name).endswith(".py")


def policy_source(name: str) -> bytes:
    """The source file of a policy of the user's own, which is not imported for it; nothing for those of the package.

    Raises ``InputError`` for a file that cannot be read.
    """
    if not is_own(name):
        return b""
    if not in_file(name):
        from .user_policies import source

        return source(own_function(name))
    path = Path(_module(name))
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("policy {name!r}: {path!r}: {reason}", name, path, Message(str(error.strerror))) from None


def with_names(policy: Any) -> Any:
    """A line-up, or several, where functions that are given themselves are replaced by their names."""
    if isinstance(policy, list | tuple):
        return [with_names(given) for given in policy]
    if isinstance(policy, Mapping):
        return {place: with_names(given) for place, given in policy.items()}
    if not isfunction(policy):
        return policy
    from .user_policies import register_function

    name, is_new = register_function(policy)
    if is_new:
        load_policy.cache_clear()
    return name
