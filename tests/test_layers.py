"""The package structure: imports go from a package to those below it, and there are no cycles."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import cirulla_sim as cs

PACKAGE = Path(cs.__file__).parent

LAYERS = (
    "core", "stats", "ruleset", "kernel", "situation", "storage", "engine", "exact", "experiments", "questions",
    "reporting", "advice", "verbs", "cirulla_sim", "server", "cli", "__main__",
)  # fmt: skip
"""Lowest first: each imports only from those before it."""

KERNEL = ("types", "machine_code", "compiler", "jit", "vectors", "game", "players", "entries")
"""The same within the kernel; a game does not import players."""


def modules() -> dict[str, Path]:
    """All modules by their dotted names without the package's own; the package itself is ``""``."""
    named = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


MODULES = modules()


@cache
def imports(name: str) -> tuple[str, ...]:
    """The modules of the package that a module imports, when it is loaded or later."""
    return tuple(sources(name))


def sources(name: str) -> Iterator[str]:
    path = MODULES[name]
    home = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            start = home[: len(home) - node.level + 1]
            source = ".".join([*filter(None, start), *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{source}.{alias.name}".strip(".")
                yield inner if inner in MODULES else source


def layer(name: str) -> tuple[int, ...]:
    """The place of a package among all, then that of a part of the kernel within it."""
    package, *parts = name.split(".")
    inner = [KERNEL.index(part) for part in parts[:1]] if package == "kernel" else []
    return LAYERS.index(package or "cirulla_sim"), *inner


def test_imports_go_to_lower_layers() -> None:
    upward = [
        f"{name} imports {source}"
        for name in MODULES
        for source in imports(name)
        if layer(name) < layer(source) or (layer(name) == layer(source) and name.split(".")[0] != source.split(".")[0])
    ]
    assert upward == []


def test_there_are_no_cycles() -> None:
    left = {name: set(imports(name)) - {name, ""} for name in MODULES}
    while left:
        free = [name for name, needed in left.items() if not needed & set(left)]
        assert free, f"modules import each other: {sorted(left)}"
        for name in free:
            del left[name]


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import cirulla_sim", "numba polars pandas matplotlib numpy click"),
        ("import cirulla_sim as cs; cs.rules('cirulla')", "numba polars pandas matplotlib"),
        ("import cirulla_sim as cs; cs.odds('low')", "numba llvmlite scipy matplotlib"),
        (
            "import cirulla_sim as cs; cs.simulate(hands=10, progress=False)",
            "cirulla_sim.advice cirulla_sim.questions cirulla_sim.reporting.charts cirulla_sim.server scipy matplotlib",
        ),
        ("import cirulla_sim.cli", "numba polars pandas matplotlib numpy"),
        ("import cirulla_sim.reporting.charts.draw", "numba matplotlib.pyplot"),
        ("import cirulla_sim.kernel.players.ask", "numba llvmlite.binding"),
    ],
)
def test_unneeded_modules_are_not_imported(code: str, heavy: str) -> None:
    cs.simulate(hands=10, progress=False)  # compiled here, if it is not yet: the compiler imports scipy
    check = f"{code}; import sys; print([name for name in {heavy.split()} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
