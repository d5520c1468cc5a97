"""Names and sentences are plain English: no private dialect, no typing errors.

What a person reads says what the thing does, in the terms of card games, statistics and Python. The phrases here came
from an earlier style and took two readings; each stands beside what to write.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = [path for folder in ("cirulla_sim", "analyses", "scripts", "tests") for path in (ROOT / folder).rglob("*.py")]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "it"),
    *(ROOT / "results").glob("*.md"),
]

NAMES = {
    "told": "advised, reported, announced",
    "asked": "question, request, arguments",
    "said": "text, answer",
    "made": "metadata, history, result",
    "kept": "stored, remaining",
    "grown": "on_progress, extended",
    "whose": "owner, player",
    "evening": "night, game",
    "reckon": "estimate",
    "reckoned": "estimated",
    "thought": "samples, search",
    "heed": "consider",
    "wont": "usual",
    "door": "public_api",
}
"""Words in identifiers, with better ones."""

PHRASES = {
    r"(?:is|are|was|were) told (?:by|from|with|apart|of)\b": "is determined by, differs from, is given as",
    r"(?:no longer|not) told\b": "not significant, not given",
    r"unless told\b": "unless you say otherwise, by default",
    r"reckon\w*": "estimate, count",
    r"(?:is|are) asked of\b": "is required of, is a question about",
    r"says? nothing of\b": "does not mention, does not apply to",
    r"of one['’]s own\b": "of your own",
    r"go(?:es|ne)? on from\b": "resumes from",
    r"adds? up to the bytes\b": "is merged into the same bytes",
    r"keeps? (?:itself|themselves)\b": "saves a checkpoint",
    r"comes? out the same\b": "is reproducible",
    r"(?:cards|deals) that are known\b": "known cards",
    r"for whom it holds\b": "for which players",
    r"whom (?:it|search|they) (?:take|takes|play|plays)\b": "opponent model",
    r"for what cannot be\b": "if it is not valid",
    r"InputError`* for what\b": "InputError if",
    r"so many (?:hands|deals|games|samples|trials)\b": "a number of hands",
    r"makes? it again\b": "repeat the command, reproduce",
    r"given away to who\b": "exploitable",
    r"turns? with (?:strength|who plays)\b": "depends on",
    r"in (?:the|a) room\b": "in the package, in the module",
    r"words? of the house\b": "option, argument",
}
"""Phrases in prose, docstrings, comments and messages, with better ones."""


@cache
def prose_of(path: Path) -> str:
    """The texts, docstrings and comments of a source; a page without its blocks of code."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        return " ".join(re.sub(r"```.*?```", "", text, flags=re.S).split())
    nodes = ast.walk(ast.parse(text))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return " ".join(" ".join([*texts, *re.findall(r"#.*", text)]).split())


def identifiers_of(path: Path) -> Iterator[tuple[str, int]]:
    """Every name of a source, with its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for attribute in ("id", "arg", "attr", "name"):
            if isinstance(name := getattr(node, attribute, None), str):
                yield name, getattr(node, "lineno", 0)


def test_no_name_is_of_the_dialect() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {name} ({NAMES[word]})"
        for path in SOURCES
        for name, line in identifiers_of(path)
        for word in name.lower().split("_")
        if word in NAMES
    }
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_sentence_is_of_the_dialect(phrase: str) -> None:
    pattern = re.compile(rf"\b{phrase}", re.I)
    here = Path(__file__)
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in chain(SOURCES, PAGES)
        if path != here
        for match in pattern.finditer(prose_of(path))
    ]
    assert not found, f"write {PHRASES[phrase]!r}:\n" + "\n".join(sorted(found))


def test_there_are_no_typing_errors() -> None:
    """codespell as pyproject.toml sets it: English files, without words that are Italian or misspelt on purpose."""
    names = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "docs",
        "cirulla_sim",
        "analyses",
        "scripts",
    ]
    pages = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "results").glob("*.md"))
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", *names, *pages],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
