"""The house: imports go one way, from a room to those before it, through their doors; no circles, no endless files."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cirulla_sim as cs

PACKAGE = Path(cs.__file__).parent

ROOMS = (
    "errors", "cards", "arguments", "rulebook", "kernel", "known", "play", "kept", "exact", "words", "figures", "runs",
    "paired", "hands", "positions", "chances", "whole_games", "comparison", "contest", "advice", "evening", "machine",
    "files", "pages", "cirulla_sim", "cli", "__main__",
)  # fmt: skip
"""In the order in which they may import: each from those before it only."""

KERNEL = ("whole", "jit", "calls", "game", "players", "entries")
"""The same within the kernel."""

ONE_THING = {"exact/first_deal.py"}
"""Modules of more than ``MOST_LINES`` lines that are one thing."""

MOST_LINES = 400


def modules() -> dict[str, Path]:
    """All modules of the package by their dotted names without the package's; ``""`` is the front door."""
    named = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


MODULES = modules()


def imports(name: str) -> Iterator[tuple[str, str]]:
    """What a module imports of the package, when it is read or later: modules, and the names that come from them."""
    path = MODULES[name]
    home = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            start = home[: len(home) - node.level + 1]
            source = ".".join([*filter(None, start), *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{source}.{alias.name}".strip(".")
                yield (inner, "") if inner in MODULES else (source, alias.name)


def room(name: str) -> str:
    return name.split(".")[0] or "cirulla_sim"


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_go_one_way_and_through_the_doors(name: str) -> None:
    for source, taken in imports(name):
        if source == "" and taken == "__version__":
            continue
        here, there = room(name), room(source)
        if here == there:
            continue
        assert ROOMS.index(there) < ROOMS.index(here), f"{name} imports {source}"
        if there != "kernel" and "." in source:
            assert not taken, f"{name} imports {taken} from {source}, not from {there}"


@pytest.mark.parametrize("name", sorted(name for name in MODULES if name.startswith("kernel.")))
def test_the_game_knows_no_players(name: str) -> None:
    for source, _ in imports(name):
        if source.startswith("kernel.") and name.count("."):
            here, there = name.split(".")[1], source.split(".")[1]
            assert KERNEL.index(there) <= KERNEL.index(here), f"{name} imports {source}"


def test_there_are_no_circles() -> None:
    known = {name: {source for source, _ in imports(name)} - {name, ""} for name in MODULES}
    left = dict(known)
    while left:
        free = [name for name, sources in left.items() if not sources & set(left)]
        assert free, f"modules import each other: {sorted(left)}"
        for name in free:
            del left[name]


def test_no_module_is_endless() -> None:
    long = {
        str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines())
        for path in MODULES.values()
        if len(path.read_text("utf-8").splitlines()) > MOST_LINES
    }
    assert set(long) <= ONE_THING, long


@pytest.mark.parametrize("name", [name for name in ROOMS if MODULES.get(name, PACKAGE).name == "__init__.py"])
def test_every_room_says_what_it_is_for_and_hands_on_what_is_there(name: str) -> None:
    found = importlib.import_module(f"cirulla_sim.{name}")
    assert found.__doc__
    assert name in ("kernel", "cli") or found.__all__
    assert all(hasattr(found, handed) for handed in getattr(found, "__all__", ()))


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import cirulla_sim", "numba polars pandas matplotlib numpy click"),
        ("import cirulla_sim as cs; cs.rules('cirulla')", "numba polars pandas matplotlib"),
        ("import cirulla_sim as cs; cs.odds('low')", "numba matplotlib"),
        ("import cirulla_sim.cli", "numba polars pandas matplotlib numpy"),
        ("import cirulla_sim.figures", "numba matplotlib.pyplot"),
    ],
)
def test_what_a_question_does_not_need_is_not_imported(code: str, heavy: str) -> None:
    check = f"{code}; import sys; print([name for name in {heavy.split()} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
