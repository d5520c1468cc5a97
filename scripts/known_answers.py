"""The twenty questions that players ask most: docs/reference/known_answers.md and results/known_answers.parquet.

python scripts/known_answers.py [--check 20M] [--threads N]

With --check every exact answer is compared with a simulation of this many deals; the differences, in standard errors,
are written to results/known_answers_check.parquet. The same command writes the same bytes, whatever the threads.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import polars as pl

from cirulla_sim import __version__
from cirulla_sim.cli.build import Read
from cirulla_sim.core.numerals import digits, one_in
from cirulla_sim.experiments.runner import Execution
from cirulla_sim.questions.answers import checked
from cirulla_sim.questions.binding import Bound, BoundQuestions
from cirulla_sim.questions.cases import Space
from cirulla_sim.questions.inquiry import simulate
from cirulla_sim.questions.question import Question
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.request import Effort
from cirulla_sim.storage.tables import write
from cirulla_sim.verbs.bind import bind
from cirulla_sim.verbs.odds import inquiry_of, request_of
from cirulla_sim.verbs.options import ODDS, THREADS_OPTION

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "known_answers.md"
ANSWERS, CHECK = (ROOT / "results" / f"known_answers{end}.parquet" for end in ("", "_check"))
CHECK_OPTION = next(option for option in ODDS if option.name == "check")
HANDS, SEED = 20_000_000, 1
"""Sample size of answers that cannot be counted, and the seed of all simulations."""


# ------------------------------------------------------------------------------------------------ ways to ask


@dataclass(frozen=True)
class Game:
    """A rule set as a command names it; ``players`` is None where the number of players changes nothing."""

    title: str
    preset: str
    players: int | None = None
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> Rules:
        return build(self.preset, players=self.players, changes=dict(self.changes))

    @property
    def command_words(self) -> list[str]:
        """The options of a command for these rules, none for the default rules."""
        preset = ["--rules", self.preset] if self.preset != "cirulla" else []
        players = ["--players", str(self.players)] if self.players not in (None, build(self.preset).players) else []
        return [*preset, *players, *(word for name, value in self.changes for word in ("--rule", f"{name}={value}"))]


@dataclass(frozen=True)
class Ask:
    """A question to ``odds``: its text and options."""

    text: str
    options: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def words(self) -> list[str]:
        """The words of the command after ``odds``."""
        return [self.text, *(word for name, value in self.options.items() for word in (f"--{name}", value))]

    def inquiry(self, rules: Rules) -> BoundQuestions:
        """The question ready to be counted and simulated."""
        inquiry = inquiry_of(request_of(bind("odds", {**self.options, "rules": rules}), [self.text]))
        assert isinstance(inquiry, BoundQuestions)
        return inquiry

    def exact(self, rules: Rules) -> pl.DataFrame | None:
        """The exact answer, None where it cannot be counted."""
        [frame] = self.inquiry(rules).exact()
        return frame

    def simulated(self, rules: Rules, hands: int, threads: int | None) -> pl.DataFrame:
        """The answer of simulated deals."""
        inquiry = self.inquiry(rules)
        state = simulate(inquiry, [0], Effort("hands", hands, seed=SEED), Execution(threads=threads))
        return inquiry.estimates([0], state)[0]


def of_twenties(text: str) -> Ask:
    """A question about two piles of twenty cards, any cards as likely as any others."""
    return Ask(text, {"sizes": "20,20"})


def of_play(text: str) -> Ask:
    """A question about the piles as greedy players make them; your own is that of the dealer's side."""
    return Ask(text, {"me": "dealer", "policy": "greedy"})


# ------------------------------------------------------------------------------------------------ the questions

CIRULLA, CIRULLONE = Game("Cirulla", "cirulla"), Game("Cirullone", "cirullone")
TWO, FOUR = Game("Cirulla, 2 players", "cirulla", 2), Game("Cirulla, 4 players", "cirulla", 4)
ANY = Game("Cirulla and Cirullone", "cirulla")


@dataclass(frozen=True)
class KnownQuestion:
    """A question of players, a remark for the reader, and the questions to ``odds`` for each game."""

    sentence: str
    remark: str
    lines: tuple[tuple[Game, str, Ask], ...]  # game, explanation if needed, question


def per_holding(text: str) -> tuple[tuple[Game, str, Ask], ...]:
    """A question about three cards held in Cirulla, and about nine in Cirullone."""
    return (CIRULLA, "three cards", Ask(text)), (CIRULLONE, "nine cards", Ask(text))


def per_game(ask: Ask, words: str = "") -> tuple[tuple[Game, str, Ask], ...]:
    """The same question in all three games."""
    return tuple((game, words, ask) for game in (TWO, FOUR, CIRULLONE))


SEATS = ("first", "second", "third", "dealer")
AFTER_SIX = "table: 3c 5d; me: {}; gone: 6h 4d 5s; i am: first; to play: next"
QUESTIONS = (
    KnownQuestion(
        "Am I dealt a bonus in my first holding?",
        "Any three cards of the pack; in Cirullone any nine, of which at least one set of three earns something.",
        per_holding("bonus"),
    ),
    KnownQuestion(
        "Am I dealt a barsega?",
        "Three cards that total 9 or less, the matta counted at its best, and that are not three equal ones: those "
        "are worth more. In Cirullone one that is shown: cards that serve in a set worth more are not shown again "
        "(`contains_low` is one that the cards contain, shown or not).",
        per_holding("barsega"),
    ),
    KnownQuestion(
        "Am I dealt a barsegon?",
        "Three equal cards, the matta as any card.",
        per_holding("barsegon"),
    ),
    KnownQuestion(
        "Am I dealt a boña di misci?",
        "A barsega without an ace, the matta not taken as one.",
        per_holding("misci"),
    ),
    KnownQuestion(
        "What is the matta worth in a first holding?",
        "Of nine cards the matta need not serve in the set that is shown, so the barsega and the barsegon with the "
        "matta are not asked of Cirullone.",
        (
            (CIRULLA, "a bonus, holding the matta", Ask("bonus given matta")),
            (CIRULLONE, "a bonus, holding the matta", Ask("bonus given matta")),
            (CIRULLA, "a barsega with the matta", Ask("barsega and matta")),
            (CIRULLA, "a barsegon with the matta", Ask("barsegon and matta")),
        ),
    ),
    KnownQuestion(
        "How often do I hold two sevens, or three?",
        "Of the first holding, the matta being a seven.",
        (
            *per_holding("sevens = 2"),
            *per_holding("sevens = 3"),
        ),
    ),
    KnownQuestion(
        "How often does the dealer take a fifteen on the table?",
        "The table that is played: misdeals are dealt again. It is the same table in all three games.",
        ((ANY, "", Ask("fifteen given not misdeal")),),
    ),
    KnownQuestion(
        "And a thirty?",
        "As above.",
        ((ANY, "", Ask("thirty given not misdeal")),),
    ),
    KnownQuestion("How often is a table a misdeal?", "Two aces or more.", ((ANY, "", Ask("misdeal")),)),
    KnownQuestion(
        "How often are there three misdeals in a row?",
        "Before any one hand, all cards being shuffled each time. The base rules make nothing of it; in tournaments "
        "the dealer loses.",
        ((ANY, "", Ask("misdeals >= 3")),),
    ),
    KnownQuestion(
        "How often does nobody knock in a whole hand?",
        "Two players and four are dealt the same twelve holdings of three. In Cirullone somebody always knocks: with "
        "the matta nine cards hold three equal, or else a low three.",
        per_game(Ask("knocks = 0")),
    ),
    KnownQuestion(
        "How often are there several knocks in a hand?",
        "Of all players together.",
        (*per_game(Ask("knocks >= 2"), "two or more"), *per_game(Ask("knocks >= 4"), "four or more")),
    ),
    KnownQuestion("How often does a hand see a barsegon?", "At least one.", per_game(Ask("knocks(barsegon)"))),
    KnownQuestion(
        "How often does a hand see both, a barsega and a barsegon?",
        "From any players.",
        per_game(Ask("knocks(barsega) and knocks(barsegon)")),
    ),
    KnownQuestion(
        "How many points do bonuses bring in a hand?",
        "To all players together, on average; bonuses of the table not counted.",
        per_game(Ask("mean(knock_points)")),
    ),
    KnownQuestion(
        "How often has everybody a bonus at the first deal?",
        "The most improbable deal that people tell of.",
        (
            (TWO, "", Ask("bonus(everybody) given not misdeal")),
            (FOUR, "", Ask("bonus(everybody) given not misdeal")),
            (CIRULLONE, "", Ask(" and ".join(f"knocks({player})" for player in SEATS))),
        ),
    ),
    KnownQuestion(
        "How often has one side all four sevens, a primiera of 84?",
        "Of two piles of twenty cards, any cards as likely as any others; and as two sides that play greedily pile "
        "them up.",
        (
            (ANY, "my pile of 20", of_twenties("captured(us, sevens) = 4")),
            (ANY, "either pile of 20", of_twenties("captured(us, sevens) = 4 or captured(them, sevens) = 4")),
            *per_game(of_play("captured(us, sevens) = 4 or captured(them, sevens) = 4"), "either side, greedy play"),
        ),
    ),
    KnownQuestion(
        "How often is there a cappotto?",
        "One side takes all ten diamonds: of two piles of any twenty cards, and as two sides that play greedily pile "
        "them up.",
        (
            (ANY, "either pile of 20", of_twenties("cappotto(us) or cappotto(them)")),
            *per_game(of_play("cappotto(us) or cappotto(them)"), "either side, greedy play"),
        ),
    ),
    KnownQuestion(
        "Do I win the primiera with two sevens, or with three?",
        "Of the two piles of question 17.",
        (
            (ANY, "two sevens, 20 cards each", of_twenties("wins(us, primiera) given captured(us, sevens) = 2")),
            (ANY, "three sevens, 20 cards each", of_twenties("wins(us, primiera) given captured(us, sevens) = 3")),
            *per_game(
                of_play("wins(us, primiera) given captured(us, sevens) = 2"), "two sevens, dealer's side, greedy play"
            ),
            *per_game(
                of_play("wins(us, primiera) given captured(us, sevens) = 3"), "three sevens, dealer's side, greedy play"
            ),
        ),
    ),
    KnownQuestion(
        "What can the next player do?",
        "At the table: the first player's 6h has taken 4d and 5s and left 3c 5d, and the next player, who has not "
        "played yet, may sweep them; or it has left the settebello and the four of clubs. Then the chance that the "
        "next holding dealt to you earns a bonus.",
        (
            (TWO, "sweeps 3c 5d", Ask("can_sweep(next)", {"at": AFTER_SIX.format("7d Ks")})),
            (FOUR, "sweeps 3c 5d", Ask("can_sweep(next)", {"at": AFTER_SIX.format("7d Ks")})),
            (CIRULLONE, "sweeps 3c 5d", Ask("can_sweep(next)", {"at": AFTER_SIX.format("7d Ks 2h 4c 6s Jc Qd Ad")})),
            (
                TWO,
                "takes the settebello",
                Ask("can_capture(next, 7d)", {"at": "table: 7d 4c; me: Ks 2h; i am: first; to play: next"}),
            ),
            (TWO, "your next holding earns a bonus", Ask("bonus(me, stage 2)", {"at": AFTER_SIX.format("7d Ks")})),
        ),
    ),
)


# ------------------------------------------------------------------------------------------------ answers


@dataclass(frozen=True)
class Answer:
    """A line of the page, with its row of the result table."""

    game: Game
    words: str
    ask: Ask
    frame: pl.DataFrame

    @property
    def row(self) -> dict[str, Any]:
        return self.frame.row(0, named=True)

    @property
    def command(self) -> str:
        hands = [] if self.row["exact"] is not None else ["--hands", f"{HANDS // 10**6}M"]
        return shlex.join(["cirulla-sim", "odds", *self.ask.words, *self.game.command_words, *hands])


def answered(threads: int | None) -> list[list[Answer]]:
    """The answers by question: exact where they can be counted, else simulated."""
    lines = [(game, ask) for question in QUESTIONS for game, _, ask in question.lines]
    exact_frames = [ask.exact(game.rules) for game, ask in lines]
    remaining = [line for line, frame in zip(lines, exact_frames, strict=True) if frame is None]
    estimated = iter(simulated(remaining, HANDS, threads))
    frames = iter([next(estimated) if frame is None else frame for frame in exact_frames])
    return [[Answer(game, words, ask, next(frames)) for game, words, ask in question.lines] for question in QUESTIONS]


def simulated(lines: list[tuple[Game, Ask]], hands: int, threads: int | None) -> list[pl.DataFrame]:
    """The simulated answers; those about the same cards under the same rules from the same deals."""
    frames: dict[int, pl.DataFrame] = {}
    together: dict[tuple[Rules, Space], dict[int, Question]] = {}
    for number, (game, ask) in enumerate(lines):
        inquiry = ask.inquiry(game.rules)
        if inquiry.from_any_seat:
            frames[number] = ask.simulated(game.rules, hands, threads)
        else:
            together.setdefault((game.rules, inquiry.space), {})[number] = inquiry.questions[0]
    for (_, space), numbered in together.items():
        every = range(len(numbered))
        inquiry = BoundQuestions((Bound(tuple(numbered.values()), space),))
        state = simulate(inquiry, every, Effort("hands", hands, seed=SEED), Execution(threads=threads))
        frames |= dict(zip(numbered, inquiry.estimates(every, state), strict=True))
    return [frames[number] for number in range(len(lines))]


def put_together(answers: list[Answer], frames: list[pl.DataFrame]) -> pl.DataFrame:
    """The long table: rules and players in front."""
    return pl.concat(
        frame.select(
            pl.lit(answer.game.preset).alias("rules"),
            pl.lit(answer.game.players, pl.Int64).alias("players"),
            pl.all(),
        )
        for answer, frame in zip(answers, frames, strict=True)
    )


def metadata_of(command: str, hands: int) -> dict[str, Any]:
    """The metadata of a file."""
    return {
        "version": __version__, "command": command, "rules": None, "policies": [], "players": None, "seed": SEED,
        "hands": hands, "stopped": "hands", "schema": "known-answers/2",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ the page

HEAD = """# Known answers

The twenty questions that players ask most, for Cirulla with two and with four players and for Cirullone. Fractions are
exact: every case is counted. Other answers are simulated, {hands} deals each, and shown with its 95% interval
and no fraction. Each line ends with the command that gives it; `cirulla-sim odds --list` explains `barsega` and the
other functions. The answers on Cirullone are the same whether a bonus must be shown at once or players may wait with
it. This page is written by `{script}`.
"""


def page(answers: list[list[Answer]], check: pl.DataFrame | None, hands: int | None) -> str:
    """The page as markdown."""
    parts = [HEAD.format(hands=f"{HANDS // 10**6} million", script=script(None))]
    for number, (question, lines) in enumerate(zip(QUESTIONS, answers, strict=True), 1):
        parts.append(f"## {number}. {question.sentence}\n")
        parts += [f"{textwrap.fill(question.remark, 120)}\n"] if question.remark else []
        head = ("game", "what", "exact", "decimal", "odds", "command")
        parts += [_line(head), _line(["---"] * len(head)), *(_line(_cells(answer)) for answer in lines), ""]
    if check is not None and hands is not None:
        parts += list(_checked(check, hands))
    return "\n".join(parts)


def _cells(answer: Answer) -> Iterator[str]:
    row = answer.row
    exact, p = row["exact"], row["estimate"]
    yield answer.game.title
    yield answer.words
    error = (row["ci_high"] - row["ci_low"]) / 4
    ends = " to ".join(digits(row[name], error) for name in ("ci_low", "ci_high"))
    yield f"`{exact}`" if exact is not None else f"simulated, {ends}"
    yield _decimal(p) if exact is not None else digits(p, row["std_error"])
    yield one_in(p) if row["kind"] == "probability" else "on average"
    yield f"`{answer.command}`"


def _decimal(number: float) -> str:
    """Six decimals, or three figures of what is less than that."""
    return f"{number:.6f}" if abs(number) >= 1e-4 or not number else f"{number:.3g}"


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _checked(check: pl.DataFrame, hands: int) -> Iterator[str]:
    """What the simulation says of the exact answers."""
    differences = check["difference"].abs()
    within = ", ".join(f"{(differences < errors).sum()} within {errors}" for errors in (1, 2, 3))
    yield "## Checked by simulation\n"
    text = (
        f"`{script(hands)}` puts each of the {check.height} exact answers to {hands // 10**6} million simulated deals "
        f"as well. In standard errors: {within}; the largest difference is {differences.max():.2f}. All of them are in "
        "`results/known_answers_check.parquet`."
    )
    yield textwrap.fill(text, 120) + "\n"


def script(check: int | None) -> str:
    """The command of this script."""
    if check is None:
        return "python scripts/known_answers.py"
    return f"{script(None)} --check {check // 10**6}M" if check % 10**6 == 0 else f"{script(None)} --check {check}"


@click.command()
@click.option("--check", type=Read(CHECK_OPTION), help="Put every exact answer to so many simulated deals.")
@click.option("--threads", type=Read(THREADS_OPTION), help=THREADS_OPTION.help)
def main(check: int | None, threads: int | None) -> None:
    """Write the page and the tables."""
    by_question = answered(threads)
    answers = [answer for lines in by_question for answer in lines]
    both = None
    if check is not None:
        counted = [answer for answer in answers if answer.row["exact"] is not None]
        simulations = simulated([(answer.game, answer.ask) for answer in counted], check, threads)
        frames = [checked(answer.frame, frame) for answer, frame in zip(counted, simulations, strict=True)]
        both = put_together(counted, frames)
        write(both, CHECK, metadata_of(script(check), check))
        for answer, row in zip(counted, both.to_dicts(), strict=True):
            print(f"{row['difference']:+6.2f}  {answer.game.title}: {row['quantity']}")
        print(f"{both['difference'].abs().max():6.2f}  the largest, in standard errors")
    write(put_together(answers, [answer.frame for answer in answers]), ANSWERS, metadata_of(script(None), HANDS))
    PAGE.write_text(page(by_question, both, check), "utf-8")


if __name__ == "__main__":
    main()
