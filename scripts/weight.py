"""Hold the weight of the package: code lines and functions of each part may fall, and never rise.

`scripts/weight.toml` has the most that each part may have. Without an option the program fails where a part has more,
or where a new part has no number; with `--lower` it writes what the parts have now, if that is less.

    .venv/bin/python scripts/weight.py
    .venv/bin/python scripts/weight.py --lower

A change that makes one part larger moves the allowance from another in the same file, so that the sums do not rise.
Code lines are lines with code: no blanks, comments, docstrings or imports.
"""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ROOT / "scripts" / "weight.toml"
WORDS = {"code": "code lines", "functions": "functions"}
HEAD = "# The most that each part of the package may weigh: see weight.py. The numbers only fall."
Limits = dict[str, dict[str, int]]


def weigh(source: str) -> Counter[str]:
    """The code lines and functions of a module.

    >>> sorted(weigh('\"\"\"One.\"\"\"\\nimport os\\n\\ndef f():\\n    return 1  # two\\n').items())
    [('code', 2), ('functions', 1)]
    """
    tree, lines = ast.parse(source), source.splitlines()
    idle = {number for number, line in enumerate(lines, 1) if not line.strip() or line.lstrip().startswith("#")}
    functions = 0
    for node in ast.walk(tree):
        functions += isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.Import | ast.ImportFrom):
            idle.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            text = node.body[0]
            idle.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return Counter(code=len(lines) - len(idle), functions=functions)


def weigh_parts(root: Path = ROOT) -> dict[str, Counter[str]]:
    """The weight of each folder of the package; modules beside them are the part `cirulla_sim`."""
    package, parts = root / "cirulla_sim", dict[str, Counter[str]]()
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).parts
        name = inside[0] if len(inside) > 1 else "cirulla_sim"
        parts.setdefault(name, Counter()).update(weigh(path.read_text("utf-8")))
    return parts


def sum_limits(limits: Limits, measure: str) -> int:
    """What all parts may have together."""
    return sum(limit[measure] for limit in limits.values())


def earlier_limits() -> list[Limits]:
    """The numbers of every commit of this checkout; none outside one."""
    name = LIMITS.relative_to(ROOT).as_posix()

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    return [tomllib.loads(git("show", f"{commit}:{name}")) for commit in git("log", "--format=%H", "--", name).split()]


def list_faults(parts: dict[str, Counter[str]], limits: Limits, earlier: Sequence[Limits] = ()) -> list[str]:
    """What weighs more than it may, and sums that are higher than in an ``earlier`` version, a line each.

    >>> list_faults({"core": Counter(code=12, functions=2)}, {"core": {"code": 10, "functions": 2}})
    ['core has 12 code lines and may have 10: remove 2, or move the allowance of another part in scripts/weight.toml']
    """
    mend, faults = "move the allowance of another part in scripts/weight.toml", []
    for name, part in parts.items():
        if name not in limits:
            faults.append(f"{name} has no numbers: {mend}")
            continue
        for measure in WORDS:
            have, most = part[measure], limits[name][measure]
            if have > most:
                faults.append(
                    f"{name} has {have:,} {WORDS[measure]} and may have {most:,}: remove {have - most:,}, or {mend}"
                )
    for measure in WORDS:
        now, before = sum_limits(limits, measure), [sum_limits(version, measure) for version in earlier if version]
        if before and now > min(before):
            faults.append(
                f"{measure} in scripts/weight.toml adds up to {now:,} and were {min(before):,}: they only fall"
            )
    return faults


@click.command(help=__doc__.replace("\n\n    .venv", "\n\n\b\n    .venv") if __doc__ else None)
@click.option("--lower", is_flag=True, help="Write the present numbers where they are lower.")
def main(lower: bool) -> None:
    """Check the weight of the package, or lower its limits."""
    parts, limits = weigh_parts(), tomllib.loads(LIMITS.read_text("utf-8"))
    if faults := list_faults(parts, limits, earlier_limits()):
        raise SystemExit("\n".join(faults))
    if lower:
        lines = [
            f"{name} = {{ code = {part['code']}, functions = {part['functions']} }}" for name, part in parts.items()
        ]
        LIMITS.write_text("\n".join([HEAD, "", *lines, ""]), "utf-8")
    code, functions = (sum(part[measure] for part in parts.values()) for measure in WORDS)
    print(f"The package has {code:,} code lines and {functions:,} functions, no part more than it may have.")


if __name__ == "__main__":
    main()
