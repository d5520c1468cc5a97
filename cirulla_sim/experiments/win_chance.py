"""The chance to win a game from a score: by the chain of scores, by playing games out, or both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
import polars as pl

from ..core.arguments import count
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import game_row_names
from ..engine.engines import Folded
from ..engine.trials import Experiment, Games, check_score, fingerprint, shares
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.notation import Situation
from ..situation.people import seat_of, seen_from
from ..stats.estimates import Estimate, Z, proportion
from ..storage.checkpoints import TALLY, Checkpoint, pack
from ..storage.request import Request
from ..storage.tables import SCHEMA, estimate_row
from .expectancy import Expectancy, Outcomes, can_be, either_deals, outcomes, solved_by
from .merge import merged
from .runner import Execution, Job, resumed

CHANCE = {"score": pl.String, "dealer": pl.String, "method": pl.String} | SCHEMA
"""The columns of the chance to win from a score; ``dealer`` is who deals the next hand, ``any`` for each seat equally
likely, and ``method`` is ``chain`` or ``played out``."""

_STORED = {"hands": TALLY, "games": "cirulla_sim_won"}
"""Under which name a file stores the tally of hands, and how many games are won."""


# ------------------------------------------------------------------------------------------------ scores


def rules_from(rules: Rules, at: Situation) -> Rules:
    """The rules of the rest of a game with a fixed number of hands; raises ``InputError`` for a hand after the last."""
    if at.hand is None:
        if at.score and rules.hands_per_game is not None:
            raise InputError(
                "--at: score: which of the {hands} hands is next? (add it, as 'hand: 3 of {hands}')",
                rules.hands_per_game,
            )
        return rules
    number, hands = at.hand
    if rules.hands_per_game not in (None, hands):
        raise InputError(
            "--at: hand: {number} of {hands}, and a game has {hands_per_game} under these rules",
            number, hands, rules.hands_per_game,
        )  # fmt: skip
    return replace(rules, hands_per_game=hands - number + 1)


def check_score_of(rules: Rules, score: tuple[int, ...]) -> None:
    """Raise ``InputError`` for a score, ours first, that is none of an unfinished game."""
    try:
        check_score(rules, score)
    except InputError as error:
        raise InputError("--at: {error}", error) from None


def why_no_chain(rules: Rules) -> str:
    """Why there is no chain of scores, so that games are played out; empty where there is a chain."""
    if rules.sides != 2:
        return Message("the chain of scores is for two sides")
    if rules.hands_per_game is not None:
        return Message("the chain of scores is for a target")
    return Message("the chain of scores has no knock-out") if rules.knockout_tiebreak else ""


# ------------------------------------------------------------------------------------------------ the job


@dataclass(frozen=True)
class Played:
    """What was played, by unit: ``hands`` for the chain of scores, then ``games`` from the score, or one of them."""

    parts: Mapping[str, Folded[Any]]

    @property
    def done(self) -> int:
        return sum(part.done for part in self.parts.values())

    @property
    def stopped(self) -> str:
        ends = [part.stopped for part in self.parts.values()]
        return "interrupted" if "interrupted" in ends else ends[0]

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        return next(iter(self.parts.values())).gaps


@dataclass(frozen=True, eq=False)
class ChancesJob(Job[Played]):
    """Chances to win, from hands for the chain of scores, from games played out, or from both."""

    request: Request
    schema: str
    rows: Callable[[Expectancy | None, Estimate | None], pl.DataFrame]
    """The table, from the chances of the chain and from the share of the games that we win."""
    dealt: tuple[Experiment, ...] = ()
    """The hands for the chain; none where there is no chain."""
    games: tuple[tuple[int, Games], ...] = ()
    """Our side, and the games to play out, for each side that we may be; where there is a chain they check it."""
    free: frozenset[str] = frozenset({"check"})

    @cached_property
    def trials(self) -> Mapping[str, tuple[Experiment | Games, ...]]:
        """What is played, by its unit."""
        games = tuple(games for _, games in self.games)
        return {trials[0].unit: trials for trials in (self.dealt, games) if trials}

    @property
    def unit(self) -> str:  # type: ignore[override]
        return next(iter(self.trials))

    @property
    def size(self) -> int:
        return sum(trials[0].number for trials in self.trials.values())

    @property
    def trials_called(self) -> str:
        return " and ".join(self.trials)

    @property
    def constraints(self) -> DealConstraints | None:
        return self.trials[self.unit][-1].constraints

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(*self.trials[self.unit])

    def check(self) -> None:
        for trials in self.trials.values():
            trials[0].check()

    def advance(self, earlier: Played | None, execution: Execution, on_growth: Callable[[Played], None]) -> Played:
        parts = dict(self._nothing if earlier is None else earlier.parts)
        for unit, trials in self.trials.items():
            play: Any = partial(outcomes, self.dealt) if unit == "hands" else partial(won, self.games)

            def report(part: Folded[Any], unit: str = unit) -> None:
                on_growth(Played(parts | {unit: part}))

            parts[unit] = execution.fold(trials[0], play, parts[unit], report)
            if parts[unit].stopped == "interrupted":
                break
        return Played(parts)

    @property
    def _nothing(self) -> dict[str, Folded[Any]]:
        return {unit: Folded(Counter() if unit == "hands" else 0, 0, "interrupted") for unit in self.trials}

    def table(self, state: Played) -> pl.DataFrame:
        games = state.parts.get("games")
        share = proportion(games.tally, games.done) if games is not None and games.done else None
        return self.rows(self._chain(state), share)

    def _chain(self, state: Played) -> Expectancy | None:
        """The chances of the chain; None where the hands so far decide nothing.

        Raises ``InputError`` where all of them decide nothing.
        """
        hands = state.parts.get("hands")
        if hands is None or not hands.done:
            return None
        try:
            return solved_by(self.dealt, hands)
        except InputError:
            if state.stopped == "interrupted":
                return None
            raise

    def facts(self, state: Played) -> dict[str, Any]:
        if len(state.parts) < 2:
            return {}
        return {"hands": state.parts["hands"].done, "check": state.parts["games"].done}

    def stored(self, state: Played, final: bool) -> dict[str, str]:
        tallies = {unit: part.tally for unit, part in state.parts.items()}
        rows = {unit: sorted(tally.items()) if unit == "hands" else [tally] for unit, tally in tallies.items()}
        return {_STORED[unit]: pack(np.array(numbers, np.int64), "<i8") for unit, numbers in rows.items()}

    def load(self, files: Sequence[Checkpoint]) -> Played:
        main: Folded[Any] = merged(files, self.trials[self.unit][0], self._outcomes_in if self.dealt else _won_in)
        return Played(self._nothing | {self.unit: main} | (self._checked_in(files) if self.dealt else {}))

    def _outcomes_in(self, file: Checkpoint, done: int) -> Outcomes:
        tally: Outcomes = Counter(dict(file.numbers(TALLY, "<i8", (-1, 2)).tolist()))
        if not can_be(self.dealt, Folded(tally, done, "hands")):
            raise file.damaged()
        return tally

    def _checked_in(self, files: Sequence[Checkpoint]) -> dict[str, Folded[Any]]:
        """The games of a file that check the chain; files of parts have none."""
        file, done = files[0], files[0].metadata.get("check", 0) if len(files) == 1 else 0
        if not done:
            return {}
        games = Folded(_won_in(file, done), done, "interrupted")
        if not self.games or done > self.games[0][1].number:
            raise InputError(
                "{flag} {path}: holds {done} games played out, more than --check asks for (valid: --check {done})",
                file.flag, file.path, done,
            )  # fmt: skip
        return {"games": games}

    def resumed(self, earlier: Played, state: Played) -> str:
        (first, done), *others = [(unit, part.done) for unit, part in earlier.parts.items() if part.done]
        also = (Message("{number:,} {unit}", number, Message(unit)) for unit, number in others)
        units = reduce(partial(Message, "{first} and {other}"), also, Message(first))
        return resumed(done, done + state.done - earlier.done, units, state.gaps)

    def notes(self, state: Played) -> Iterator[str]:
        if self.dealt and "games" in state.parts:
            for row in self.table(state).filter(pl.col("std_error") > 0, kind="difference").to_dicts():
                yield Message("The two are {apart:.2f} standard errors apart.", abs(row["estimate"]) / row["std_error"])

    def method_notes(self, state: Played) -> Iterator[str]:
        if not self.dealt:
            yield Message("{why!c}: games were played out.", why_no_chain(self.games[0][1].rules))


def won(games: Sequence[tuple[int, Games]], first: int, number: int) -> tuple[int, None]:
    """The number of games ``first`` to ``first + number - 1`` that our side wins, of those in turn for each seat."""
    wins = 0
    for (us, trials), (begins, share) in zip(games, shares(first, number, len(games)), strict=True):
        rows = trials.play(begins, share, rows=True)[1]
        winners = rows[:, game_row_names(trials.rules).index("winners")]
        wins += int(np.count_nonzero(winners >> us & 1))
    return wins, None


def _won_in(file: Checkpoint, done: int) -> int:
    """The number of won games in a file that holds so many; raises ``InputError`` where that cannot be."""
    wins = int(file.numbers(_STORED["games"], "<i8", (1,))[0])
    if not (isinstance(done, int) and 0 <= wins <= done):
        raise file.damaged()
    return wins


# ------------------------------------------------------------------------------------------------ from one score


Known = tuple[DealConstraints | None, DealConstraints | None]
"""What is known of the next deal if we deal it, and if they do."""


def dealt_for(request: Request, known: Known) -> tuple[Experiment, ...]:
    """The hands that a request needs for the chain of scores; raises ``InputError`` for rules without a chain."""
    rules, effort, [line_up] = request.rules.fields, request.effort, request.line_ups
    return either_deals(rules, line_up.by_side(rules, 0), effort.number or 1, effort.seed or 0, known, effort.first)


def win_chance_job(request: Request, at: Situation, known: Known) -> ChancesJob:
    """The chance to win from a score: by the chain, ``check`` games besides, or by games where there is no chain.

    Where it is not said where we sit every seat is as likely. Raises ``InputError`` for a score and players that cannot
    be.
    """
    rules, question = rules_from(request.rules.fields, at), request.question
    effort, [line_up] = request.effort, request.line_ups
    me = None if at.i_am is None else seat_of(at.i_am, rules, 0, "--at: i am: ")
    ours = tuple(range(rules.sides)) if me is None else (rules.side(me),)
    dealt = () if why_no_chain(rules) else dealt_for(request, known)
    number = count("--check", question.get("check", 0), 0, 10**9) if dealt else effort.number
    games = () if not number else tuple(
        (us, Games(
            replace(rules, best_of=1), line_up.by_side(rules, us), number, effort.seed or 0,
            tuple(at.score[(side - us) % rules.sides] for side in range(rules.sides)), first=effort.first,
            constraints=known[0] if us == rules.dealer_side else known[1],
        ))
        for us in ours
    )  # fmt: skip

    def rows(chances: Expectancy | None, games: Estimate | None) -> pl.DataFrame:
        to_deal = [rules.dealer_side - us for us in ours]
        chain = None if chances is None else chances.chance(at.score[0], at.score[1], to_deal)
        about = {"score": "-".join(map(str, at.score)), "dealer": _dealer(rules, me)}
        lines = [
            about | {"method": method} | estimate_row("wins_game", "game", "us", kind, estimate)
            for method, kind, estimate in _estimates(chain, games)
        ]
        return pl.DataFrame(lines, schema=CHANCE, orient="row")

    return ChancesJob(request, "win-chance/2", rows, dealt, games)


def _dealer(rules: Rules, me: int | None) -> str:
    """Who deals, as the player at a seat calls them."""
    if me is None:
        return "any"
    if rules.side(me) == rules.dealer_side:
        return "us"
    return "them" if rules.sides == 2 else seen_from(rules, me)[rules.players - 1]


def _estimates(chain: Estimate | None, games: Estimate | None) -> Iterator[tuple[str, str, Estimate]]:
    """Methods, kinds and estimates."""
    if chain is not None:
        yield "chain", "probability", chain
    if games is not None:
        yield "played out", "probability", games
    if chain is not None and games is not None:
        yield "chain less played out", "difference", _difference(chain, games)


def _difference(chain: Estimate, games: Estimate) -> Estimate:
    """The difference of two chances.

    Its error is that of games if the chain is right: a few that all end alike do not make a chance certain.
    """
    error = float(np.hypot(chain.std_error, np.sqrt(chain.value * (1 - chain.value) / games.n)))
    difference, half = chain.value - games.value, Z * error
    return Estimate(difference, error, difference - half, difference + half, games.n)


TABLE = {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String} | SCHEMA
"""The columns of ``as_table``."""


def win_table_job(request: Request, known: Known) -> ChancesJob:
    """The chance to win from every score, see ``as_table``; raises ``InputError`` for rules without a chain."""

    def rows(chances: Expectancy | None, games: Estimate | None) -> pl.DataFrame:
        return pl.DataFrame(schema=TABLE) if chances is None else as_table(chances)

    return ChancesJob(request, "win-table/2", rows, dealt_for(request, known))


def as_table(expectancy: Expectancy) -> pl.DataFrame:
    """A row a score and dealer: ``us``, ``them``, ``dealer`` (``us`` or ``them``), then the contract's columns."""
    target = expectancy.rules.target
    inside = np.s_[:, :target, :target]
    dealer, us, them = np.indices(expectancy.chances[inside].shape)
    value, error = expectancy.chances[inside], expectancy.std_errors()[inside]
    low, high = (ends[inside] for ends in expectancy.intervals())
    columns = {
        "us": us.ravel(),
        "them": them.ravel(),
        "dealer": np.array(["us", "them"])[dealer.ravel()],
        "quantity": "wins_game", "per": "game", "side": "us", "kind": "probability", "value": None,
        "estimate": value.ravel(),
        "std_error": error.ravel(),
        "ci_low": low.ravel(),
        "ci_high": high.ravel(),
        "n": expectancy.hands, "exact": None,
    }  # fmt: skip
    return pl.DataFrame({name: column for name, column in columns.items() if isinstance(column, np.ndarray)}).select(
        (pl.col(name) if isinstance(column, np.ndarray) else pl.lit(column)).cast(TABLE[name]).alias(name)
        for name, column in columns.items()
    )
