"""Every command and example of the README and of the documentation: what it prints is what they show."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from cirulla_sim.cli import main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
BLOCKS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", "".join(page.read_text("utf-8") for page in PAGES), flags=re.S)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_command_of_the_readme(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)
    assert words[0] == "cirulla-sim"
    with pytest.raises(SystemExit) as end:
        main(words[1:])
    assert end.value.code == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>> " in page.read_text("utf-8")], ids=lambda page: page.stem
)
def test_python_of_a_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 4
    assert result.failed == 0


@pytest.mark.parametrize(
    ("page", "shown_files"),
    [
        ("how-to/house_rules.md", ("docs/how-to/our_club.toml", "docs/how-to/our_house.toml")),
        ("tutorials/first_policy.md", ("docs/tutorials/my_first.py",)),
        ("reference/policies.md", ("analyses/my_policy.py", "docs/tutorials/cautious.py")),
    ],
)
def test_files_that_pages_show_are_as_shown(page: str, shown_files: tuple[str, ...]) -> None:
    shown = re.findall(r"```(?:toml|python)\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), flags=re.S)
    blocks = [block for block in shown if ">>> " not in block]
    text = "".join((ROOT / file).read_text("utf-8") for file in shown_files)
    assert blocks
    assert all(block in text for block in blocks)


def test_the_readme_is_short() -> None:
    assert README.read_text("utf-8").count("\n") <= 150


def test_links_lead_to_files_and_headings() -> None:
    pages = [*PAGES, *ROOT.glob("results/*.md"), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
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
