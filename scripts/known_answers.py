"""The twenty questions that players ask most: docs/reference/known_answers.md and results/known_answers.parquet.

python scripts/known_answers.py [--check 20M] [--threads N]

With --check every exact answer is compared with a simulation of this many deals; the differences, in standard errors,
are written to results/known_answers_check.parquet. The same command writes the same bytes, whatever the threads.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click
import polars as pl

import cirulla_sim as cs
from cirulla_sim.core.arguments import count
from cirulla_sim.core.numerals import digits, one_in
from cirulla_sim.questions.binding import BoundQuestions
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.tables import write
from cirulla_sim.verbs.bind import bind
from cirulla_sim.verbs.odds import inquiry_of, request_of

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "known_answers.md"
ANSWERS, CHECK = (ROOT / "results" / f"known_answers{end}.parquet" for end in ("", "_check"))
SCRIPT = "python scripts/known_answers.py"
HANDS, SEED = 20_000_000, 1
"""Sample size of answers that cannot be counted, and the seed of all simulations."""


@dataclass(frozen=True)
class Game:
    """A rule set as a command names it; ``players`` is None where the number of players changes nothing."""

    title: str
    preset: str
    players: int | None = None

    @property
    def rules(self) -> Rules:
        return build(self.preset, players=self.players)

    @property
    def words(self) -> list[str]:
        """The options of a command for these rules, none for the default rules."""
        preset = ["--rules", self.preset] if self.preset != "cirulla" else []
        return preset + (["--players", str(self.players)] if self.players not in (None, build().players) else [])


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
        """The question ready to be counted."""
        inquiry = inquiry_of(request_of(bind("odds", {**self.options, "rules": rules}), [self.text]))
        assert isinstance(inquiry, BoundQuestions)
        return inquiry

    def exact(self, rules: Rules) -> pl.DataFrame | None:
        """The exact answer, None where it cannot be counted."""
        [frame] = self.inquiry(rules).exact()
        return frame


Line = tuple[Game, str, Ask]
"""The game, an explanation if needed, and the question."""


class KnownQuestion(NamedTuple):
    """A question of players, a remark for the reader, and the questions to ``odds`` for each game."""

    sentence: str
    remark: str
    lines: tuple[Line, ...]


TWENTIES = {"sizes": "20,20"}
"""Two piles of twenty cards, any cards as likely as any others."""

GREEDILY = {"me": "dealer", "policy": "greedy"}
"""The piles as greedy players make them; your own is that of the dealer's side."""

CIRULLA, CIRULLONE = Game("Cirulla", "cirulla"), Game("Cirullone", "cirullone")
TWO, FOUR = Game("Cirulla, 2 players", "cirulla", 2), Game("Cirulla, 4 players", "cirulla", 4)
ANY = Game("Cirulla and Cirullone", "cirulla")


def per_holding(text: str) -> tuple[Line, ...]:
    """A question about three cards held in Cirulla, and about nine in Cirullone."""
    return (CIRULLA, "three cards", Ask(text)), (CIRULLONE, "nine cards", Ask(text))


def per_game(ask: Ask, words: str = "") -> tuple[Line, ...]:
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
            (ANY, "my pile of 20", Ask("captured(us, sevens) = 4", TWENTIES)),
            (ANY, "either pile of 20", Ask("captured(us, sevens) = 4 or captured(them, sevens) = 4", TWENTIES)),
            *per_game(
                Ask("captured(us, sevens) = 4 or captured(them, sevens) = 4", GREEDILY), "either side, greedy play"
            ),
        ),
    ),
    KnownQuestion(
        "How often is there a cappotto?",
        "One side takes all ten diamonds: of two piles of any twenty cards, and as two sides that play greedily pile "
        "them up.",
        (
            (ANY, "either pile of 20", Ask("cappotto(us) or cappotto(them)", TWENTIES)),
            *per_game(Ask("cappotto(us) or cappotto(them)", GREEDILY), "either side, greedy play"),
        ),
    ),
    KnownQuestion(
        "Do I win the primiera with two sevens, or with three?",
        "Of the two piles of question 17.",
        (
            (ANY, "two sevens, 20 cards each", Ask("wins(us, primiera) given captured(us, sevens) = 2", TWENTIES)),
            (ANY, "three sevens, 20 cards each", Ask("wins(us, primiera) given captured(us, sevens) = 3", TWENTIES)),
            *per_game(
                Ask("wins(us, primiera) given captured(us, sevens) = 2", GREEDILY),
                "two sevens, dealer's side, greedy play",
            ),
            *per_game(
                Ask("wins(us, primiera) given captured(us, sevens) = 3", GREEDILY),
                "three sevens, dealer's side, greedy play",
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

LINES = [line for question in QUESTIONS for line in question.lines]


def answers(threads: int | None) -> pl.DataFrame:
    """The answers in order: exact where they can be counted, else simulated."""
    return table([(line, asked(line, hands=HANDS, threads=threads)) for line in LINES])


def checked(exact: pl.DataFrame, check: int, threads: int | None) -> pl.DataFrame:
    """The exact answers again, each with the answer of so many simulated deals."""
    lines = [line for line, row in zip(LINES, exact.to_dicts(), strict=True) if row["exact"] is not None]
    return table([(line, asked(line, check=check, threads=threads)) for line in lines])


def asked(line: Line, **effort: Any) -> pl.DataFrame:
    game, _, ask = line
    rules = {"rules": game.preset, "players": game.players, "seed": SEED, "progress": False}
    return cs.odds(ask.text, **ask.options, **rules, **effort).frame


def table(answered: Sequence[tuple[Line, pl.DataFrame]]) -> pl.DataFrame:
    """The answers one below the other, with rules and players in front."""
    return pl.concat(
        frame.select(pl.lit(game.preset).alias("rules"), pl.lit(game.players, pl.Int64).alias("players"), pl.all())
        for (game, _, _), frame in answered
    )


def metadata_of(command: str, hands: int) -> dict[str, Any]:
    return {
        "version": cs.__version__, "command": command, "rules": None, "policies": [], "players": None, "seed": SEED,
        "hands": hands, "stopped": "hands", "schema": "known-answers/2",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ the page

HEAD = """# Known answers

The twenty questions that players ask most, for Cirulla with two and with four players and for Cirullone. Fractions are
exact: every case is counted. Other answers are simulated, 20 million deals each, and shown with its 95% interval
and no fraction. Each line ends with the command that gives it; `cirulla-sim odds --list` explains `barsega` and the
other functions. The answers on Cirullone are the same whether a bonus must be shown at once or players may wait with
it. This page is written by `python scripts/known_answers.py`.
"""
COLUMNS = ("game", "what", "exact", "decimal", "odds", "command")


def page(frame: pl.DataFrame, check: pl.DataFrame | None, hands: int | None) -> str:
    """The page as markdown."""
    parts, rows = [HEAD], iter(frame.to_dicts())
    for number, question in enumerate(QUESTIONS, 1):
        lines = [COLUMNS, ["---"] * len(COLUMNS), *(cells(line, next(rows)) for line in question.lines)]
        parts += [f"## {number}. {question.sentence}\n", f"{textwrap.fill(question.remark, 120)}\n"]
        parts += [*(f"| {' | '.join(line)} |" for line in lines), ""]
    if check is not None and hands is not None:
        errors = check["difference"].abs()
        within = ", ".join(f"{(errors < most).sum()} within {most}" for most in (1, 2, 3))
        text = (
            f"`{SCRIPT} --check {hands // 10**6}M` puts each of the {check.height} exact answers to {hands // 10**6} "
            f"million simulated deals as well. In standard errors: {within}; the largest difference is "
            f"{errors.max():.2f}. All of them are in `results/known_answers_check.parquet`."
        )
        parts += ["## Checked by simulation\n", f"{textwrap.fill(text, 120)}\n"]
    return "\n".join(parts)


def cells(line: Line, row: dict[str, Any]) -> Iterator[str]:
    (game, words, ask), exact, p = line, row["exact"], row["estimate"]
    half = (row["ci_high"] - row["ci_low"]) / 4
    ends = " to ".join(digits(row[name], half) for name in ("ci_low", "ci_high"))
    hands = [] if exact is not None else ["--hands", f"{HANDS // 10**6}M"]
    yield game.title
    yield words
    yield f"`{exact}`" if exact is not None else f"simulated, {ends}"
    yield digits(p, row["std_error"]) if exact is None else f"{p:.6f}" if abs(p) >= 1e-4 or not p else f"{p:.3g}"
    yield one_in(p) if row["kind"] == "probability" else "on average"
    yield f"`{shlex.join(['cirulla-sim', 'odds', *ask.words, *game.words, *hands])}`"


@click.command()
@click.option("--check", help="Put every exact answer to so many simulated deals.")
@click.option("--threads", type=int, help="How many threads simulate.")
def main(check: str | None, threads: int | None) -> None:
    """Write the page and the tables."""
    hands = None if check is None else count("--check", check, 10**6, 10**10)
    frame = answers(threads)
    both = None if hands is None else checked(frame, hands, threads)
    if both is not None and hands is not None:
        write(both, CHECK, metadata_of(f"{SCRIPT} --check {hands // 10**6}M", hands))
    write(frame, ANSWERS, metadata_of(SCRIPT, HANDS))
    PAGE.write_text(page(frame, both, hands), "utf-8")


if __name__ == "__main__":
    main()
