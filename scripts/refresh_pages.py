"""Make again what pages show: what commands print, and what studies say.

    python scripts/refresh_pages.py README.md docs/advise.md

Every block that begins with ``console`` and a line ``$ cirulla-sim ...`` is made again, and every passage between a
line ``<!-- analyses/dealing.py says summary -->`` and one ``<!-- -->``, which is what the function ``summary`` of that
study makes of the files in ``results``. The tests compare both.
"""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(```console\n\$ (.*?)\n)(.*?)(```)", flags=re.S)
PASSAGE = re.compile(r"(<!-- analyses/(\w+)\.py says (\w+) -->\n)(.*?)(<!-- -->)", flags=re.S)
RUN = "from cirulla_sim.cli import main; main()"
COLUMNS = 120


def made_again(block: re.Match[str]) -> str:
    """A block with what its command prints now; a command that fails ends the script."""
    words = shlex.split(block[2])
    done = subprocess.run([sys.executable, "-c", RUN, *words[1:]], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{block[2]}\n{done.stderr}")
    print(block[2], "(as before)" if done.stdout == block[3] else "(changed)", file=sys.stderr)
    return f"{block[1]}{done.stdout}{block[4]}"


def said_again(passage: re.Match[str]) -> str:
    """A passage as its study says it of the files in ``results``, in lines that fit."""
    study = importlib.import_module(passage[2])
    said = getattr(study, passage[3])(ROOT / "results")
    return f"{passage[1]}{filled(said)}\n{passage[5]}"


def filled(text: str) -> str:
    """Text in lines that fit; those of tables as they are, items of lists hanging."""
    return "\n".join(
        line
        if line.startswith("|")
        else textwrap.fill(line, COLUMNS, subsequent_indent="  " * line.startswith("- "), break_on_hyphens=False,
                           break_long_words=False)
        for line in text.split("\n")
    )  # fmt: skip


def main(*pages: str) -> None:
    """Make the pages again."""
    sys.path.insert(0, str(ROOT / "analyses"))
    for page in map(Path, pages):
        said = PASSAGE.sub(said_again, page.read_text("utf-8"))
        page.write_text(BLOCK.sub(made_again, said), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
