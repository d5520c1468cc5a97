"""Questions put together: counted where they can be, the others put to the same hands, and what is told of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from ..engine.engines import Folded
from ..engine.fingerprint import fingerprint
from ..engine.policies import split
from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules
from .binding import answers_of, checked, exact, tallied
from .cases import Subject
from .counting import Together
from .question import Question


@dataclass(frozen=True)
class Answer:
    """The answers to some questions: the rows, how many hands were simulated, and what the command says of them."""

    frame: pl.DataFrame
    done: int | None = None
    stopped: str = "hands"
    words: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    exit_code: int = 0


@dataclass(frozen=True)
class Asking:
    """Questions of a subject: counted where they can be; the others are put to the same hands, all with ``check``."""

    rules: Rules
    asked: Sequence[Question]
    subject: Subject
    check: int | None
    most: int
    precision: float | None
    seed: int

    @property
    def hands(self) -> int:
        return self.check or self.most

    @cached_property
    def counted(self) -> list[pl.DataFrame | None]:
        return [exact(self.rules, question, self.subject) for question in self.asked]

    def count(self) -> None:
        """Count what can be counted, which may take long."""
        _ = self.counted

    @cached_property
    def left(self) -> list[Question]:
        """Those that are simulated."""
        both = zip(self.asked, self.counted, strict=True)
        return [question for question, found in both if found is None or self.check is not None]

    def identity(self, about_it: Sequence[str]) -> dict[str, Any]:
        """What must be the same to go on: the question, and how its players play."""
        players = tuple(split(name)[0] for name in self.subject.policies)
        how = {"fingerprint": fingerprint(Experiment(self.rules, players))} if players else {}
        return {"asked": list(about_it), **how}

    def tallied(
        self, engine: str, threads: int | None, progress: Callable[[int], None], earlier: Folded[Together] | None,
        grown: Callable[[Folded[Together]], None],
    ) -> Folded[Together]:  # fmt: skip
        return tallied(
            self.rules,
            self.left,
            self.hands,
            self.seed,
            self.subject,
            self.precision,
            engine=engine,
            threads=threads,
            progress=progress,
            earlier=earlier,
            grown=grown,
        )

    def answer(self, found: Folded[Together] | None) -> Answer:
        """The answers, by what was dealt of those that are left."""
        if found is None:
            return Answer(pl.concat([frame for frame in self.counted if frame is not None] or [pl.DataFrame()]))
        unit, estimated = self.subject.unit, iter(answers_of(self.left, self.subject, found))
        frames = []
        for fractions in self.counted:
            if fractions is None or self.check is not None:
                one = next(estimated)
                frames.append(one if fractions is None else checked(fractions, one))
            else:
                frames.append(fractions)
        words = ["--check" if self.check else "--hands", str(self.hands), "--seed", str(self.seed)]
        words += [] if self.precision is None else ["--precision", f"{self.precision:g}"]
        remarks, code = [], 0
        if any(frame is None for frame in self.counted):
            remarks.append(f"Not counted: estimates from {found.done:_} simulated {unit}.")
        if found.stopped == "interrupted":
            code = 130
            remarks.append(f"Interrupted after {found.done:_} of {self.hands:_} {unit}; the answer is of those.")
        elif self.precision is not None and found.stopped != "precision":
            code = 3
            remarks.append(f"The precision {self.precision:g} is not reached in {found.done:_} {unit}.")
        frame = pl.concat(frames, how="diagonal")
        return Answer(frame, found.done, found.stopped, tuple(words), tuple(remarks), code)
