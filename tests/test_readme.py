"""Every command and example of the README and of the documentation: what it prints is what they show."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cirulla_sim.cli import main
from cirulla_sim.questions.common_questions import common_questions

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
QUICK = (README, *(ROOT / "docs" / "tutorials" / f"first_{what}.md" for what in ("question", "notebook")))
"""Pages that every run of the tests checks; the commands of the others take longer."""
REFRESH = runpy.run_path(str(ROOT / "scripts" / "refresh_pages.py"))


def of_page(page: Path, *values: object, id: str) -> Any:
    """A case of a page, marked as slow unless the page is quick."""
    return pytest.param(*values, id=id, marks=() if page in QUICK else pytest.mark.slow)


def cases(pattern: re.Pattern[str], command: int, shown: int) -> list[Any]:
    """Every match of a pattern in the pages: its command with what the page shows of its output."""
    matches = [(page, match) for page in PAGES for match in pattern.finditer(page.read_text("utf-8"))]
    return [of_page(page, match[command], match[shown], id=match[command]) for page, match in matches]


def output_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(command)
    assert words[0] == "cirulla-sim"
    with pytest.raises(SystemExit) as end:
        main(words[1:])
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("command", "shown"), cases(REFRESH["BLOCK"], 2, 3))
def test_block_shows_the_output_of_its_command(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(command, capsys) == shown


@pytest.mark.parametrize(("command", "shown"), cases(REFRESH["ROW"], 2, 3))
def test_answer_in_a_table_of_questions_is_that_of_its_command(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output = output_of(command, capsys)
    assert not shown.strip() or REFRESH["answer_of"](output) == shown


@pytest.mark.slow
@pytest.mark.parametrize("command", [question.command for question in common_questions() if question.answered is None])
def test_a_common_question_that_no_page_lists_is_answered(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(f"cirulla-sim {command}", capsys)


@pytest.mark.parametrize(
    "page",
    [of_page(page, page, id=page.stem) for page in PAGES if ">>> " in page.read_text("utf-8")],
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
        ("reference/policies.md", ("docs/tutorials/cautious.py",)),
    ],
)
def test_files_that_pages_show_are_as_shown(page: str, shown_files: tuple[str, ...]) -> None:
    shown = re.findall(r"```(?:toml|python)\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), flags=re.S)
    blocks = [block for block in shown if ">>> " not in block]
    text = "".join((ROOT / file).read_text("utf-8") for file in shown_files)
    assert blocks
    assert all(block in text for block in blocks)


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


CONTRIBUTORS = (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "contributing").glob("*.md")))
"""Pages that send readers to the code."""
CODE_FOLDERS = ("cirulla_sim", "analyses", "scripts", "tests", "docs", "results", ".ci", ".github")
PATH = re.compile(r"[\w.*/-]+/[\w.*/-]*|[\w*-]+\.(?:py|toml|json|md|tsv|txt|html|yml)")
IDENTIFIER = re.compile(r"@?([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?")
LIES_IN = re.compile(r"`(\w+)`(?: and `(\w+)`)?(?:, | \()\s*`([\w/]+\.py)`")
"""A name, or two, with the file that it is said to be in."""


@cache
def code() -> dict[Path, str]:
    """The text of all files of code and of data about it, without docstrings and comments."""
    files = [path for folder in CODE_FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".toml")]
    prose = re.compile(r'""".*?"""|#[^\n]*', flags=re.S)
    return {
        path: prose.sub("", path.read_text("utf-8")) for path in (*files, ROOT / "pyproject.toml", ROOT / "Makefile")
    }


def in_backticks(page: Path) -> list[str]:
    """What stands in backticks in the text of a page; names with a part left open, as ``NAME``, are left out."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    return [name for name in re.findall(r"`([^`\n]+)`", text) if not re.search(r"NAME|VERSION", name)]


@pytest.mark.parametrize("page", CONTRIBUTORS, ids=lambda page: page.stem)
def test_files_that_contributors_are_sent_to_exist(page: Path) -> None:
    paths = [path for folder in CODE_FOLDERS for path in (ROOT / folder, *(ROOT / folder).rglob("*"))]
    known = ["/" + path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.*"), *paths)]
    missing = []
    for name in filter(PATH.fullmatch, in_backticks(page)):
        end = re.compile(".*/" + re.escape(name.strip("/")).replace(r"\*", "[^/]*"))
        missing += [name] if not any(map(end.fullmatch, known)) else []
    assert not missing, f"{page.name}: no file or folder ends so: {missing}. Write the new path, or take the name out."


@pytest.mark.parametrize("page", CONTRIBUTORS, ids=lambda page: page.stem)
def test_names_that_contributors_are_sent_to_occur_in_the_code(page: Path) -> None:
    """Those of functions, classes, constants and tests; one that is said to be in a file, in that file."""
    text = code()
    words = {word for each in text.values() for word in re.findall(r"\w+", each)}
    names = [match[1] for match in map(IDENTIFIER.fullmatch, in_backticks(page)) if match]
    missing = [name for name in names if not PATH.fullmatch(name) and not words.issuperset(name.split("."))]
    assert not missing, f"{page.name}: not in the code: {missing}. Write the new name, or take it out."
    for *pair, file in LIES_IN.findall(page.read_text("utf-8")):
        [found] = [each for path, each in text.items() if path.as_posix().endswith(f"cirulla_sim/{file}")] or [""]
        gone = [name for name in filter(None, pair) if not re.search(rf"\b{name}\b", found)]
        assert not gone, f"{page.name}: {gone} not in {file}. Write where it is now, or its new name."
