"""Output on consoles of other encodings than UTF-8, as on Windows: plain characters instead of a failure."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cirulla_sim.core.console import plain

COMMANDS = {
    "odds": ["odds", "barsega", "--lang", "it"],
    "show": ["show", "--policy", "greedy"],
    "rules": ["rules", "list", "--lang", "it"],
    "simulate": ["simulate", "--policy", "greedy", "--hands", "200"],
    "error": ["odds", "\u2665"],
    "html": ["simulate", "--policy", "greedy", "--hands", "200", "--format", "html"],
}


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp437"])
@pytest.mark.parametrize("command", COMMANDS)
def test_output_is_replaced_where_a_character_is_missing(command: str, encoding: str) -> None:
    words = [sys.executable, "-m", "cirulla_sim", *COMMANDS[command]]
    run = {name: text(words, name) for name in (encoding, "utf-8")}
    assert run[encoding][0] == run["utf-8"][0] == (2 if command == "error" else 0)
    for there, here in zip(run[encoding][1:], run["utf-8"][1:], strict=True):
        assert plain(there) == plain(here)


def text(words: list[str], encoding: str) -> tuple[int, str, str]:
    done = subprocess.run(words, capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding}, check=False)
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)
