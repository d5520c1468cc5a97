"""Standard output and error that are closed, full, or that nobody reads: the right exit code, and a line at most."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main

RANDOM = "--policy random --players 2"
COMMANDS = {
    "rules": "rules list",
    "simulate": f"simulate {RANDOM} --hands 300 -o out.parquet",
    "play": "play -o game.jsonl --seed 1",
    "combine": "combine a.parquet b.parquet",
    "table": "table a.parquet",
    "describe": "describe a.parquet",
}
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@contextmanager
def full() -> Iterator[Any]:
    stream = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115
    yield stream
    stream.write = lambda text: len(text)  # type: ignore[method-assign,assignment]
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    stream.close()


@contextmanager
def closed() -> Iterator[None]:
    yield None  # what Python makes of a stream that is closed when it begins


@contextmanager
def unread() -> Iterator[Any]:
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w")
    yield stream
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    stream.close()


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, first in (("a", 0), ("b", 300)):
        cs.simulate(policy="random", players=2, hands=300, first_hand=first, output=f"{name}.parquet", progress=False)


def code_of(words: str, monkeypatch: pytest.MonkeyPatch, **streams: Any) -> tuple[int, str]:
    """The exit code of a command with other streams, and what it writes to the standard error."""
    errors = StringIO()
    with monkeypatch.context() as patched:
        for name, stream in {"stdin": StringIO(), "stderr": errors, **streams}.items():
            patched.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as end:
            main(shlex.split(words))
    return int(end.value.code or 0), errors.getvalue()


@pytest.mark.parametrize("verb", COMMANDS)
def test_streams_that_cannot_be_written(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(streams: dict[str, Callable[[], Any]]) -> tuple[int, str]:
        for left in ("out.parquet", "game.jsonl"):
            Path(left).unlink(missing_ok=True)
        opened = {name: stream() for name, stream in streams.items()}
        try:
            given = {name: manager.__enter__() for name, manager in opened.items()}
            return code_of(COMMANDS[verb], monkeypatch, **given)
        finally:
            for manager in opened.values():
                manager.__exit__(None, None, None)

    for streams in ({"stdout": closed}, {"stderr": closed}, {"stderr": full}, {"stdout": closed, "stderr": closed}):
        assert ends(streams)[0] == 0, streams
    code, errors = ends({"stdout": unread})
    assert (code, "Traceback" in errors, "Broken" in errors) == (0, False, False)
    code, errors = ends({"stdout": full})
    assert (code, errors.splitlines()[-1]) == (1, "cirulla-sim: No space left on device")


def test_an_output_that_nobody_reads_keeps_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    with unread() as stream:
        assert code_of(f"simulate {RANDOM} --hands 1000 --precision 1e-9", monkeypatch, stdout=stream)[0] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "end", "code"),
    [("table a.parquet", "| true", 0), ("table a.parquet", ">/dev/full", 1), ("--help", ">&-", 0),
     ("odds nonsense", ">&- 2>/dev/full", 2), ("play -o game.jsonl", ">&- 2>&- <&-", 0)],
)  # fmt: skip
def test_a_process_ends_with_the_same_code(words: str, end: str, code: int) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(cs.__file__).parents[1])}
    command = f"set -o pipefail; {shlex.quote(sys.executable)} -m cirulla_sim {words} {end}"
    run = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL
    )
    assert run.returncode == code
    assert run.stderr.count("\n") == (end == ">/dev/full")
