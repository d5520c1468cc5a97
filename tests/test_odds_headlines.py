"""The headlines of ``odds``: questions of all kinds in both languages, as the prompt answers them.

``python tests/test_odds_headlines.py`` writes the headlines anew below their commands; a reader of the language goes
through them.
"""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from cirulla_sim.cli import main

GOLDEN = Path(__file__).parent / "golden" / "odds_headlines.txt"
COMMANDS = re.findall(r"^\$ cirulla-sim (.*)$", GOLDEN.read_text("utf-8"), re.M)


def headline(command: str) -> str:
    out = StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit) as ended:
        main([*shlex.split(command), "--threads", "1"])
    assert not ended.value.code, command
    return out.getvalue().splitlines()[0].replace("\u00a0", " ")


def rendered() -> str:
    return "\n\n".join(f"$ cirulla-sim {command}\n{headline(command)}" for command in COMMANDS) + "\n"


def test_headlines_of_all_kinds() -> None:
    """A change shows here as a difference; a reader of the language judges it in the file."""
    assert rendered() == GOLDEN.read_text("utf-8")


def test_no_headline_has_an_expression() -> None:
    for line in GOLDEN.read_text("utf-8").splitlines():
        if line and not line.startswith("$"):
            assert line[0].isupper() or line[0].isdigit()
            assert line.endswith(".")
            assert not re.search(r"[<>=“”_|]|\w\(|  | ,|\{", line), line


if __name__ == "__main__":
    GOLDEN.write_text(rendered(), "utf-8")
