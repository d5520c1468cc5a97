"""Chunks of numbered hands: calls of the kernel with checked arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache, partial
from threading import local
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.cards import texts
from ..core.errors import InputError
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from ..situation.people import seat_name
from . import policies
from .policies import INLINED
from .thread_pool import interruptible_call

if TYPE_CHECKING:
    from ..kernel.game.hand_notes import Notes
    from ..situation.constraints import DealConstraints

CHUNK = 1 << 16
"""Hands in a chunk at most."""


class Seated(Protocol):
    """What the kernel needs of an experiment: the rules, the policy of each side, the seed, the known cards."""

    @property
    def rules(self) -> Rules: ...

    @property
    def side_policies(self) -> tuple[str, ...]: ...

    @property
    def seed(self) -> int: ...

    @property
    def constraints(self) -> DealConstraints | None: ...


_thread = local()


def _of_this_thread(name: str, new: Callable[[], Any]) -> Any:
    """This thread's value of a name; a ``new`` one at first."""
    if not hasattr(_thread, name):
        setattr(_thread, name, new())
    return getattr(_thread, name)


def _work(name: str = "work") -> Any:
    """This thread's workspace to play hands in, without the settings of earlier policies.

    There is one of each name: a second is for rollouts from a hand that lies in the first.
    """
    from ..kernel.game.hand import work_type

    work = _of_this_thread(name, work_type.zeros)[0]
    work.options[:], work.styles_before[:] = 0, 0
    work.asker, work.dealer, work.observer, work.goes_on = 0, 0, 0, False
    return work


def workspace(name: str = "workspace") -> policies.Workspace:
    """The workspace of this thread's players; there is one of each name, as of ``_work``."""
    workspace: policies.Workspace = _of_this_thread(name, policies.Workspace)
    return workspace


def gamework() -> Any:
    """This thread's workspace to play games in."""
    from ..kernel.game.whole_game import gamework_type

    return _of_this_thread("gamework", gamework_type.zeros)[0]


def check_playable(experiment: Seated) -> None:
    """Compile what the experiment needs, and try policies of the user's own.

    Raises ``InputError`` if a policy of the user's own cannot be imported or compiled, or fails in its first hands, and
    if no deal has the known cards.
    """
    from ..kernel.entries.rules import flat_rules

    flat_rules(experiment.rules)
    if experiment.constraints is not None:
        from .known_cards import deal_around

        experiment.constraints.check(experiment.rules)
        deal_around(_work(), experiment.constraints, experiment.rules)
    for name in experiment.side_policies:
        policies.load_policy(name)
        if policies.is_own(name):
            try_policy(experiment.rules, name)


TRIED, TRIAL_SECONDS = 100, 0.1
"""Hands that a policy of the user's own plays as a test, at most, and after how many seconds no more are begun."""


class PolicyTest(NamedTuple):
    """A test of a policy of the user's own: the tally of a hand, and the seconds that a hand takes."""

    tally: NDArray[np.int64]
    seconds: float


class Seating(NamedTuple):
    """Who plays under which rules, where it does not matter which hands."""

    rules: Rules
    side_policies: tuple[str, ...]
    seed: int = 1
    constraints: DealConstraints | None = None


@cache
def try_policy(rules: Rules, name: str) -> PolicyTest:
    """Let a policy play one hand by itself, or some if that takes no time; raises ``InputError`` as ``check_answers``.

    Hands of ``random`` before it load the kernel, whose time does not count.
    """
    seating = Seating(rules, (name,) * rules.sides)
    prepare_play(seating)
    play_chunk(Seating(rules, ("random",) * rules.sides), 0, 1)
    began = perf_counter()
    tally, _ = interruptible_call(partial(play_chunk, seating, 0, 1))
    seconds, played = perf_counter() - began, 1
    while played < TRIED and perf_counter() - began < TRIAL_SECONDS:
        interruptible_call(partial(play_chunk, seating, played, min(played, TRIED - played)))
        played *= 2
    return PolicyTest(tally, seconds)


def same_hands(experiment: Seated, rules: Rules) -> bool:
    """Whether every hand of an experiment is the same under other rules: they differ at most in what ends a game.

    Which of several equal bonuses is claimed, and whether one must be, matters only to policies that choose.
    """
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.flat import have_equal_fields

    ignored = ("claims", "must_show") if shows_the_best(experiment) else ()
    return have_equal_fields(flat_rules(experiment.rules), flat_rules(rules), ("shutout", *ignored))


def prepare_play(
    experiment: Seated, win: NDArray[np.float32] | None = None, name: str = "work", in_turn: bool = False
) -> tuple[Any, NDArray[np.uint64], Any]:
    """What the kernel needs to play: flat rules, the codes of the policies by side, and this thread's ``Work``.

    A thread has one of each ``name``. With ``in_turn`` all decide at their turns what they show, so that a hand can be
    played from any of its plays on. With ``win``, see ``policies.Workspace``, policies aim at the game.
    """
    from ..kernel.entries.rules import flat_rules

    flat, work = flat_rules(experiment.rules), _work(name)
    codes, called, infers = np.zeros(4, np.uint64), False, False
    for side, name in enumerate(experiment.side_policies):
        policy = policies.load_deciding(name) if in_turn else policies.load_policy(name)
        codes[side] = policy.code
        _set_options(work, side, policy, experiment.rules, f"opponent of side {side}")
        called = called or policy.code >= len(INLINED)
        infers = infers or (policy.opponent is not None and not policy.certain)
    if called:
        workspace().prepare(experiment.rules, win)
        workspace().record.fault = 0
        work.asker, work.workspace = policies.kernel_address("ask"), workspace().address
    if infers:
        work.observer = policies.kernel_address("observe")
        styles: policies.Styles | None = getattr(experiment, "styles", None)
        work.goes_on = styles is not None
        for side, weights in enumerate(styles or ()):
            work.styles_before[side] = weights
    work.game[:], work.styles[:] = 0, 0
    work.play = policies.kernel_address("play_on")
    if experiment.constraints is not None:
        from .known_cards import deal_around

        deal_around(work, experiment.constraints, experiment.rules)
    return flat, codes, work


def _set_options(work: Any, side: int, policy: policies.Policy, rules: Rules, name: str) -> None:
    """Set the options of a side's policy. Its opponent model decides for every side in a ``Work`` of this name."""
    from ..kernel.game.hand import OPPONENT_WORK

    work.options[side] = 0
    work.options[side, :5] = policy.samples, policy.sees_all, policy.knocks, policy.at_once, policy.aims_at_game
    if policy.opponent is None:
        return
    apart, players = _work(name), workspace(f"workspace, {name}")
    for other in range(rules.sides):
        _set_options(apart, other, policy.opponent, rules, f"{name}, opponents")
    players.prepare(rules)
    apart.asker, apart.opponent, apart.certain = policies.kernel_address("ask"), policy.opponent.code, policy.certain
    apart.workspace = players.address
    work.options[side, OPPONENT_WORK] = apart.__array_interface__["data"][0]


def check_answers(experiment: Seated, work: Any) -> None:
    """Raise ``InputError`` that names the policy, the hand and the position if a policy chose no legal play."""
    if not work.asker:
        return
    fault = workspace().record.fault
    if not fault.is_set:
        return
    rules, view = experiment.rules, workspace().record.information
    seat, name = int(view.seat), experiment.side_policies[rules.side(int(view.seat))]
    answered = Message(
        "answered {answer!r} where it had {plays} plays (valid: 0 to {last})",
        np.int64(fault.answer), int(fault.plays), int(fault.plays) - 1,
    )  # fmt: skip
    raised = _raised(name) if int(fault.answer) == 2**64 - 1 else None
    who, table = Message(seat_name(rules.players, seat)), " ".join(texts(int(view.table))) or Message("empty")
    raise InputError(
        "policy {name!r} {fault} in hand {hand} of seed {seed}, play {play}: {who} holding {cards}, table {table}",
        name, raised or answered, int(fault.hand), experiment.seed, 40 - rules.table_cards - int(view.plays_left), who,
        " ".join(texts(int(view.holding))), table,
    )  # fmt: skip


def _raised(name: str) -> str | None:
    """The message of the exception that a policy raised where its fault is; None if it answered so."""
    from . import user_policies

    if user_policies.is_plain(name):
        return user_policies.raised_by(name)
    function = policies.own_function(name)
    if isinstance(function, user_policies.Variant):
        return None
    return user_policies.error_of(name, function, *workspace().at_fault())


def score_names(rules: Rules) -> tuple[str, ...]:
    """The columns of the score of a side: the usual ones, and one for each category of ``Rules.scoring``."""
    from ..kernel.game.scoring import COLUMNS, USUAL

    return COLUMNS[: USUAL + len(rules.scoring)]


def row_names(rules: Rules) -> list[str]:
    """The names of the columns of ``play_chunk``'s rows."""
    sides = [f"side{side}_" for side in range(rules.sides)]
    return [
        "misdeals",
        "table_bonus_kind",
        "won_at_deal",
        *(side + name for side in sides for name in score_names(rules)),
    ]


def game_row_names(rules: Rules) -> list[str]:
    """The names of the columns of the rows of ``Games.play``: of its first game, then of the match.

    ``winners`` and ``match_winners`` are masks of sides.
    """
    from ..kernel.game.whole_game import OF_CATEGORIES, ROW

    sides = [f"side{side}_" for side in range(rules.sides)]
    categories = [side + category for side in sides for category in OF_CATEGORIES]
    return [*ROW, *(f"{side}points" for side in sides), *categories, "match_winners", "games_played"]


@contextmanager
def playing(
    experiment: Seated, first: int, number: int, win: NDArray[np.float32] | None = None, in_turn: bool = False
) -> Iterator[tuple[Any, NDArray[np.uint64], Any, Any]]:
    """Yields what the kernel plays some trials with: flat rules, policies by side, the random streams, a ``Work``.

    Afterwards the policies' answers are checked, see ``check_answers``; for the other arguments see ``prepare_play``.
    """
    from ..kernel.game.streams import batch

    flat, codes, work = prepare_play(experiment, win, in_turn=in_turn)
    yield flat, codes, batch(experiment.seed, first, number), work
    check_answers(experiment, work)


def play_batch(
    rules: Rules, ready: tuple[Any, NDArray[np.uint64], Any, Any], rows: int = 0, hashes: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.uint64]]:
    """Play hands with what ``playing`` yields; returns their tally, and the rows and hashes of so many."""
    from ..kernel.entries.hands import run_hands
    from ..kernel.game.lockstep import lockstep_type
    from ..kernel.game.tallies import SIZE, views

    tally = np.zeros(SIZE, np.int64)
    row_table, hash_of = np.zeros((rows, len(row_names(rules)) if rows else 0), np.int16), np.zeros(hashes, np.uint64)
    run_hands(*ready, _of_this_thread("lockstep", lockstep_type.zeros)[0], views(tally), row_table, hash_of)
    return tally, row_table, hash_of


def play_chunk(
    experiment: Seated, first: int, hands: int, rows: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Play hands ``first`` to ``first + hands - 1``; returns their tally and, with ``rows``, an int16 row for each.

    The rows have the columns named by ``row_names``; otherwise the array has no rows.
    """
    with playing(experiment, first, hands) as ready:
        return play_batch(experiment.rules, ready, hands if rows else 0)[:2]


def play_rows(experiment: Seated, first: int, hands: int) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """Play hands ``first`` to ``first + hands - 1``; returns the row of each and a hash of all that happened in it."""
    with playing(experiment, first, hands) as ready:
        return play_batch(experiment.rules, ready, hands, hands)[1:]


def play_rare(
    experiment: Seated, tables: NDArray[np.uint64], first: int, hands: int
) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """Play hands ``first`` to ``first + hands - 1`` of those that begin with one of some ``tables``, masks of cards.

    Each table is as likely. They are other hands than those that ``play_rows`` plays, and independent of them. Returns
    the row of each and a hash of all that happened in it.
    """
    from ..kernel.entries.hands import run_rare

    rows = np.zeros((hands, len(row_names(experiment.rules))), np.int16)
    hashes = np.zeros(hands, np.uint64)
    with playing(experiment, first, hands) as (flat, codes, streams, work):
        run_rare(flat, codes, streams, tables, work, rows, hashes)
    return rows, hashes


def new_notes(hands: int, wanted: Collection[str]) -> Notes:
    """Empty notes of ``hands`` hands: of what is ``wanted``, parts of ``Notes`` by name, and the deals."""
    from ..kernel.game.hand_notes import NOTED, Notes

    rows = {name: hands if name in ("deals", *wanted) else 0 for name in NOTED}
    return Notes(*(np.zeros((rows[name], *shape), kind.dtype) for name, (kind, shape) in NOTED.items()))


def play_notes(experiment: Seated, first: int, hands: int, wanted: Collection[str]) -> Notes:
    """Play hands ``first`` to ``first + hands - 1`` and keep of each what is ``wanted``, parts of ``Notes`` by name."""
    from ..kernel.entries.hands import run_notes

    notes = new_notes(hands, wanted)
    with playing(experiment, first, hands) as ready:
        run_notes(*ready, notes)
    return notes


def shows_the_best(experiment: Seated) -> bool:
    """Whether everybody shows the best sets at once: no policy decides about knocks."""
    return not any(policies.load_policy(name).knocks for name in experiment.side_policies)


def play_one_hand(experiment: Seated, index: int) -> Any:
    """Play one hand; returns the kernel's ``Work`` with all that happened, valid until this thread's next hand."""
    play_chunk(experiment, index, 1)
    return _work()


def deal_hands(
    rules: Rules, seed: int, first: int, hands: int, again: bool = True, stages: int = 0,
    constraints: DealConstraints | None = None,
) -> Notes:  # fmt: skip
    """Deal hands ``first`` to ``first + hands - 1`` of a seed without playing them, those that fulfil the constraints.

    ``again`` deals misdeals again, and the constraints are those on the last deal; without, they are those on any
    shuffled pack. ``stages`` says for how many stages the bonuses are looked for.
    """
    from ..kernel.entries.deals import sample_deals
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.streams import batch

    dealt = new_notes(hands, ("decks", "knocks") if stages else ("decks",))
    work = _work()
    if constraints is not None:
        from .known_cards import deal_around

        deal_around(work, constraints, rules)
    sample_deals(flat_rules(rules), batch(seed, first, hands), again, np.uint64(stages), work, dealt)
    return dealt
