"""Every command of the README and of some pages of the documentation: what it prints is what they show."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from cirulla_sim.cli import main

README = Path(__file__).parent.parent / "README.md"
PAGES = (README, *sorted((README.parent / "docs").rglob("*.md")))
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


def test_links_lead_to_files_and_headings() -> None:
    root = README.parent
    pages = [README, *root.glob("docs/**/*.md"), *root.glob("results/*.md"), root / "CONTRIBUTING.md"]
    links = [
        (page, path, heading)
        for page in pages
        for path, _, heading in re.findall(
            r"\]\((?!https?:)([^)#]*)(#([^)]*))?\)", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
        )
    ]
    assert len(links) > 100
    for page, path, heading in links:
        target = page.parent / path if path else page
        assert target.exists(), (page.name, path)
        if heading:
            heads = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), flags=re.M)
            slugs = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
            assert heading in slugs, (page.name, path, heading)
