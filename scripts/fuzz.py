"""Invalid input for everything that reads: each is read, or refused in one line, and nothing else happens.

python scripts/fuzz.py --number 100_000 --seed 1
"""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import polars as pl

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import read_record, rules_of, turns
from cirulla_sim.core import arguments
from cirulla_sim.core.arguments import FORMATS
from cirulla_sim.core.cards import parse_many
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.policies import check
from cirulla_sim.experiments.win_chance import check_score_of
from cirulla_sim.questions.vocabulary import functions
from cirulla_sim.ruleset.rule_set import choose
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.storage.atomic_files import whole_file
from cirulla_sim.storage.request import Request
from cirulla_sim.storage.tables import write_part

Parser = Callable[[Any], object]

ODD: list[Any] = [
    None, True, -1, 0, 1, 3, 10**30, -(10**30), 10**4000, 1e308, float("nan"), float("inf"), "", "x", "7h", "é\u0000",
    [], [[]], {}, {"x": 1}, ["7h"] * 50, ["7h"] * 20_000, {str(number): number for number in range(5000)},
]  # fmt: skip

PIECES = (
    "", "(", ")", '"', "'", "-", "=", "9", "\n", "\x00", "é", "🂡", " and ", "not ", ",", ":", ";", "]", "[", "{", ".",
    "x", "0.", "7h ", "# ", "\\",
)  # fmt: skip
MOST_REPEATED = 200_000
"""Characters of a text that is repeated, more than a command line can have in one word."""

LENGTHS = (60, 1000, 5000, 70_000)
"""Of what is very long: over the digits of a number that Python reads, a line and a file of rules."""


def long_text(rng: random.Random) -> str:
    """A very long key, value, number or line."""
    return rng.choice(PIECES) * rng.choice(LENGTHS)


def nested(rng: random.Random) -> Any:
    """A list or an object in another, and so on."""
    value: Any = rng.choice(ODD)
    for _ in range(rng.choice((5, 12, 300))):
        value = [value] if rng.random() < 0.5 else {"x": value}
    return value


def spoilt_text(rng: random.Random, text: str) -> str:
    """A text with some letters removed, doubled, exchanged or added; half of them are unchanged and must be read.

    Some of what is added is very long, and some texts are repeated, in lines or in one.
    """
    if rng.random() < 0.5:
        return text
    letters = list(text)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(letters))
        piece = long_text(rng) if rng.random() < 0.1 else rng.choice(PIECES) * rng.choice((1, 1, 1, 30))
        letters[at : at + rng.randint(0, 3)] = list(piece)
    whole = "".join(letters)
    if rng.random() < 0.03:
        many = min(rng.choice((2, 50, 1000)), 1 + MOST_REPEATED // (1 + len(whole)))
        whole = rng.choice(("\n", " ", ";", ",", "")).join([whole] * many)
    return whole


def spoilt_value(rng: random.Random, value: Any) -> Any:
    """A value of JSON types with a part of it replaced by something odd, removed or doubled."""
    if isinstance(value, (dict, list)) and value and rng.random() < 0.85:
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        at = rng.choice(list(copy)) if isinstance(copy, dict) else rng.randrange(len(copy))
        if rng.random() < 0.1:
            del copy[at]
        elif isinstance(copy, list) and rng.random() < 0.1:
            copy += [copy[at]] * rng.choice((1, 1, 3000))
        elif isinstance(copy, dict) and rng.random() < 0.05:
            copy[long_text(rng)] = copy.pop(at)
        else:
            copy[at] = spoilt_value(rng, copy[at])
        return copy
    if isinstance(value, str) and rng.random() < 0.2:
        return spoilt_text(rng, value)
    return rng.choice((rng.choice(ODD), rng.choice(ODD), rng.choice(ODD), long_text(rng), nested(rng)))


def spoilt_frame(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """A table with a column removed, of another type, empty, odd or shuffled, or without rows."""
    name = rng.choice(frame.columns)
    kind = rng.randrange(8)
    if kind == 0:
        return frame.drop(name)
    if kind == 1:
        return frame.head(rng.choice([0, 1, 2]))
    if kind == 2:
        return frame.with_columns(pl.lit(None).cast(frame[name].dtype).alias(name))
    if kind == 3:
        return frame.with_columns(
            pl.lit(rng.choice([None, "x", 1, -1e300, 1e308, [1], True, long_text(rng)])).alias(name)
        )
    if kind == 4:
        return frame.with_columns(pl.col(name).shuffle(seed=rng.randrange(2**32)))
    if kind == 5:
        return frame.filter(pl.Series(rng.choices([True, False], k=frame.height)))
    if kind == 6:
        return frame.rename({name: rng.choice(["x", "", "Estimate", long_text(rng)])})
    return pl.concat([frame, frame])


def read_the_record(folder: Path, record: Any) -> None:
    file = folder / "record.json"
    file.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
    hand = read_record(file)
    rules_of(hand)
    for turn in turns(hand):
        turn.moment.information()


def judge_the_record(folder: Path, record: Any) -> None:
    file = folder / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    cs.hand(record=file, coach=True, samples=4, threads=1)


def read_the_game(folder: Path, lines: Any) -> None:
    file = folder / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) if isinstance(lines, list) else str(lines), "utf-8")
    game = cs.Game.from_records(file)
    game.save(file)
    assert cs.Game.from_records(file) == game


def saved_game(folder: Path) -> list[Any]:
    """The lines of a saved game of a hand and a half."""
    game = cs.Game("cirulla", players=2, policy="careful", seed=3)
    while len(game.records()) == 0 or len(game.history[1]) < 2:
        game.play(1)
    return [json.loads(line) for line in game.save(folder / "game.jsonl").read_text("utf-8").splitlines()]


def read_the_situation(text: str) -> None:
    situation = Situation.parse(text)
    for lang in ("en", "it"):
        assert Situation.parse(situation.text(lang)) == situation


def read_the_request(value: Any) -> None:
    request = Request.from_json(value)
    assert Request.from_json(json.loads(json.dumps(request.as_json()))) == request
    assert "\n" not in request.command()


def parsers(folder: Path, rng: random.Random) -> Iterator[tuple[str, Callable[[], Any], Parser]]:
    """Parsers: the name, a maker of invalid input, and the function that reads it."""
    rules = cs.rules("cirulla", players=2)
    toml = (
        'preset = "cirulla"\nplayers = 2\ntarget = 26\ncapture_by = ["equal", "sum"]\ndeal_plan = [3, 3, 3, 3, 3, 3]\n'
    )
    questions = [
        "low and matta",
        "bonus_points > diamonds + 3",
        "sevens >= 2 or not (total = 15)",
        'cards = "7h Ad 2c"',
    ]
    records = [cs.hand("cirulla", players=2, number=number, policy="greedy").record for number in (1, 2, 5)]
    game = saved_game(folder)
    result = cs.simulate(players=2, policy="greedy", hands=500, progress=False)
    tables = [result, cs.odds(), cs.compare(house="no-matta", policy="greedy", hands=200, progress=False)]
    file = folder / "result.parquet"
    result.save(file)
    whole = file.read_bytes()

    def toml_file(text: str) -> None:
        (folder / "rules.toml").write_text(text, "utf-8")
        choose(folder / "rules.toml")

    def spoilt_bytes() -> bytes:
        data = bytearray(whole)
        if rng.random() < 0.2:
            return bytes(data[: rng.randrange(len(data))])
        for _ in range(rng.randint(0, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)

    def bytes_read(data: bytes) -> None:
        file.write_bytes(data)
        cs.read(file)

    ways = itertools.cycle(itertools.product(FORMATS, ("en", "it")))

    def shown(content: tuple[pl.DataFrame, dict[str, Any]]) -> None:
        """Write a table as if it were one of ours, sealed, read it, and show it in one way after the other."""
        table = folder / "table.parquet"
        with whole_file(table) as part:
            write_part(content[0], part, content[1])
        read_again, (form, lang) = cs.read(table), next(ways)
        read_again.describe(lang)
        read_again.text(form, lang=lang)

    def drawn(content: tuple[pl.DataFrame, dict[str, Any]]) -> None:
        from matplotlib import pyplot

        shown(content)
        try:
            cs.plot(folder / "table.parquet")
        finally:
            pyplot.close("all")

    def spoilt_table() -> tuple[pl.DataFrame, dict[str, Any]]:
        chosen = rng.choice(tables)
        metadata = dict(chosen.metadata)
        if rng.random() < 0.5:
            return chosen.frame, metadata
        return spoilt_frame(rng, chosen.frame), spoilt_value(rng, metadata) if rng.random() < 0.3 else metadata

    def of_texts(*texts: str) -> Callable[[], str]:
        return lambda: spoilt_text(rng, rng.choice(texts))

    yield "rules in TOML", of_texts(toml), toml_file
    yield (
        "a field",
        of_texts("target=26", "deal_plan=3,3,3", "matta=7h"),
        lambda text: choose("cirulla", None, (), text),
    )
    yield "a question", of_texts(*questions), lambda text: cs.odds(text, rules=rules)
    yield (
        "a position",
        of_texts("table: 5h 2c Kd; me: 7d 2s Jh", "table: 7h 4s; me: 7d 2s; to play: next; matta: 2; gone: Kh"),
        lambda text: cs.odds("can_sweep(next)", at=text, rules=rules),
    )
    yield (
        "a situation",
        of_texts(
            "me: 7h K*; partner: no aces, barsega; not table: 2-5h; somebody stage 2: three sevens",
            "tavola: 4c Jd; io: re di coppe; tocca a: prossimo; mostrate compagno: 2h 3c 4d; matta: 2; io sono: mano",
            "captured us: 7d 2s; gone: Kh 3s; cards: me 3, next 2; points: 2-1; score: 38-41; hand: 3 of 8; stage: 2",
        ),
        read_the_situation,
    )
    yield "cards", of_texts("7h Ad 10c", "K♥ 2♦", "7H"), lambda text: parse_many(text)
    yield "a number", of_texts("10M", "1e7", "2.5k", "10_000"), lambda text: arguments.count("--hands", text, 1, 10**12)
    yield "a policy", of_texts("careful", "search:16+game", "mine.py:first", "greedy+silent"), check
    yield (
        "a score",
        of_texts("38-41", "3-4-5"),
        lambda text: check_score_of(rules.fields, Situation.parse(f"score: {text}").score),
    )
    yield (
        "a hand record",
        lambda: spoilt_value(rng, rng.choice(records)),
        lambda record: read_the_record(folder, record),
    )
    yield (
        "a record as text",
        lambda: spoilt_text(rng, json.dumps(rng.choice(records))),
        lambda text: read_the_record(folder, text),
    )
    yield (
        "hands gone through",
        lambda: spoilt_value(rng, rng.choice(records)),
        lambda record: judge_the_record(folder, record),
    )
    yield "a saved game", lambda: spoilt_value(rng, game), lambda lines: read_the_game(folder, lines)
    yield (
        "a saved game as text",
        lambda: spoilt_text(rng, "\n".join(map(json.dumps, game))),
        lambda text: read_the_game(folder, text),
    )
    yield "a request", lambda: spoilt_value(rng, result.metadata["request"]), read_the_request
    yield "a line-up", of_texts("careful", "dealer=search:8, others=careful", "us=greedy, them=open"), LineUp.parse
    yield "a result file", spoilt_bytes, bytes_read
    yield "a sealed table", spoilt_table, shown
    yield "a table to draw", spoilt_table, drawn


class Tried(NamedTuple):
    """How many inputs were read, how many were refused, the errors of others with the input, and the seconds of the
    slowest."""

    number: int
    refused: int
    wrong: list[str]
    slowest: float


def tried(make: Callable[[], Any], read: Parser, number: int, seconds: float = math.inf) -> Tried:
    """What comes of reading so many inputs, or as many as there is time for."""
    done, refused, slowest, wrong = 0, 0, 0.0, dict[str, str]()
    end = time.monotonic() + seconds
    while done < number and time.monotonic() < end:
        done += 1
        value, began = make(), time.perf_counter()
        try:
            read(value)
        except InputError as error:
            refused += 1
            if "\n" in str(error):
                wrong.setdefault("more than a line", f"{error!r} for {value!r}"[:300])
        except (Exception, pl.exceptions.PanicException) as fault:
            wrong.setdefault(f"{type(fault).__name__}: {fault}"[:90], f"{value!r}"[:300])
        slowest = max(slowest, time.perf_counter() - began)
    return Tried(done, refused, [f"{fault} for {value}" for fault, value in wrong.items()], slowest)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory, where there is such a thing: waiting for a disk would take most of the time."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)


def peak() -> float:
    """The largest memory of this process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


@click.command()
@click.option(
    "--number",
    default="1k",
    help="Inputs for each parser.",
)
@click.option("--seed", default=1)
@click.option("--only", default="", help="Parsers whose name holds this text.")
@click.option("--seconds", default=math.inf, help="The most seconds for each parser.", show_default=False)
def main(number: str, seed: int, only: str, seconds: float) -> None:
    many = arguments.count("--number", number, 1, 10**9)
    functions()
    with scratch() as folder:
        for name, make, read in parsers(Path(folder), random.Random(seed)):
            if only in name:
                result = tried(make, read, many, seconds)
                click.echo(
                    f"{name}: {result.number:_} read, {result.refused:_} refused, {len(result.wrong)} went wrong, "
                    f"slowest {result.slowest:.2f} s, memory {peak():.2f} GB"
                )
                for line in result.wrong:
                    click.echo(f"  {line}")


if __name__ == "__main__":
    main()
