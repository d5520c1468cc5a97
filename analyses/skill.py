"""Which house rules reward skill?

Run: each house rule of Cirulla against the rules without it, on the same deals, with a careful side against a greedy
one, either of them dealing; with four players a few rules also with a search side against a careful one. A rule's
effect on the dealer's margin is compared between the two line-ups. Half of the difference is what the rule adds to
the value of skill; its effect on the dealer cancels.
Tables: the value of skill under the usual rules, and the effect of each rule, with the interactions (parquet).
Figures: the effects, by line-up.

    python analyses/skill.py [--quick] [FOLDER]

Writes into ``results`` or FOLDER, with the same bytes on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import study

import cirulla_sim as cs
from cirulla_sim.reporting.text.findings import (
    Finding,
    Noun,
    count_significant,
    find_sign,
    join_findings,
    rank_rows,
    rule,
    who,
)


@dataclass(frozen=True)
class Match:
    """Two policies that play against each other, the number of players and hands, and the rules, or all house rules."""

    better: str
    worse: str
    players: int
    hands: int
    rules: tuple[str, ...] = ()

    @property
    def line_ups(self) -> tuple[str, str]:
        """The line-ups: first the worse policy deals, then the better."""
        return f"dealer={self.worse}, others={self.better}", f"dealer={self.better}, others={self.worse}"

    def file(self, what: str) -> str:
        """The file of the ``rules``, or of the ``usual`` rules alone."""
        return f"skill_{what}_{self.better}_{self.players}.parquet"


RULES = ("open-last-stage", "open-partners", "optional-capture", "simple-primiera")
"""The rules that a search side plays too."""

FOUR, TWO = Match("careful", "greedy", 4, 100_000), Match("careful", "greedy", 2, 100_000)
SEARCH = Match("search", "careful", 4, 20_000, RULES)
MATCHES = (FOUR, TWO, SEARCH)
SEED = 14
QUESTION = {"en": "Which house rules reward skill?", "it": "Quali regole della casa premiano la bravura?"}
FILES = ((FOUR.file("rules"), "margin"), (TWO.file("rules"), "margin"))
CHART = FOUR.file("rules").replace("parquet", "png")
LOOK = {"figure": "margin"}
METHOD = """Skill is here what one policy makes against another: careful against greedy, which plays as beginners do,
on 100,000 hands under each rule; and search against careful with four players, on 20,000 hands, under the four rules
of the table. Each rule is played on the same deals with either side dealing; half of what differs is what the rule
adds to the value of skill. Significance is corrected for all differences of a file (Holm). Other skills may be
rewarded by other rules."""


def play(folder: Path, sized: study.Sized = study.whole) -> None:
    """Play everything; write the tables."""
    for match in MATCHES:
        options: dict[str, Any] = {
            "players": match.players, "policy": match.line_ups, "hands": sized(match.hands), "seed": SEED,
        }  # fmt: skip
        study.run(cs.simulate, output=folder / match.file("usual"), **options)
        file, rules = folder / match.file("rules"), {"house": match.rules} if match.rules else {"all_houses": True}
        study.run(cs.compare, output=file, **rules, **options)


def worth(folder: Path, match: Match) -> study.Row:
    """The value of skill to a side under the usual rules, in points a hand."""
    result = cs.read(folder / match.file("usual"))
    return study.scaled(study.row_of(result, quantity="margin", side="dealer", kind="difference"), 0.5)


def added(folder: Path, match: Match) -> dict[str, study.Row]:
    """What each rule adds to the value of skill, in points a hand."""
    frame = cs.read(folder / match.file("rules")).frame
    rows = frame.filter(kind="interaction", policy=match.line_ups[1], side="dealer", quantity="margin")
    return {row["rules"]: study.scaled(row, 0.5) for row in rows.iter_rows(named=True)}


def findings(folder: Path) -> list[Finding]:
    """What skill is worth, how many rules change that, which add most to it, and whether search agrees."""
    rows, search, first = added(folder, FOUR), added(folder, SEARCH), RULES[0]
    pairs = {"careful-greedy": rows[first], "search-careful": search[first]}
    return [
        *(
            find_sign("advantage", worth(folder, match), one=who(match.better), other=who(worse))
            for match, worse in ((FOUR, "greedy"), (SEARCH, "careful"))
        ),
        count_significant("skill-changed", list(rows.values())),
        rank_rows("rewarding", {rule(name): row for name, row in rows.items()}),
        join_findings(
            *(find_sign("rewards", row, rule=rule(first), pair=Noun("pair", name)) for name, row in pairs.items())
        ),
    ]


def table(folder: Path) -> str:
    """What each rule adds to the value of skill, largest first."""
    columns = [added(folder, match) for match in (FOUR, SEARCH, TWO)]
    lines = [
        [name, *(study.cell(rows[name]) if name in rows else "" for rows in columns)]
        for name in sorted(columns[0], key=lambda name: -columns[0][name]["estimate"])
    ]
    head = ["points a hand that it adds", "4: `careful` against `greedy`", "4: `search` against `careful`",
            "2: `careful` against `greedy`"]  # fmt: skip
    return study.table(head, lines)


def sources(folder: Path) -> list[str]:
    """The files."""
    return [match.file(what) for match in MATCHES for what in ("usual", "rules")]


if __name__ == "__main__":
    study.carry_out("skill")
