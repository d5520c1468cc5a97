"""Every command of the README and of some pages of the documentation: what it prints is what they show."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from cirulla_sim.cli import main

README = Path(__file__).parent.parent / "README.md"
PAGES = (
    README,
    *(README.parent / "docs" / f"{name}.md" for name in ("advise", "questions", "situations", "it/README")),
)
BLOCKS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", "".join(page.read_text("utf-8") for page in PAGES), flags=re.S)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_command_of_the_readme(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)
    assert words[0] == "cirulla-sim"
    with pytest.raises(SystemExit) as end:
        main(words[1:])
    assert end.value.code == 0
    assert capsys.readouterr().out == shown


def test_python_of_the_readme() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 7
    assert result.failed == 0
