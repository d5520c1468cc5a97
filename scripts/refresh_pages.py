"""Run the commands that pages show, and write what they print in the place of what stood there.

    python scripts/refresh_pages.py README.md docs/advise.md

Every block that begins with ``console`` and a line ``$ cirulla-sim ...`` is made again; the tests compare them.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(```console\n\$ (.*?)\n)(.*?)(```)", flags=re.S)
RUN = "from cirulla_sim.cli import main; main()"


def made_again(block: re.Match[str]) -> str:
    """A block with what its command prints now; a command that fails ends the script."""
    words = shlex.split(block[2])
    done = subprocess.run([sys.executable, "-c", RUN, *words[1:]], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{block[2]}\n{done.stderr}")
    print(block[2], "(as before)" if done.stdout == block[3] else "(changed)", file=sys.stderr)
    return f"{block[1]}{done.stdout}{block[4]}"


def main(*pages: str) -> None:
    """Make the pages again."""
    for page in map(Path, pages):
        page.write_text(BLOCK.sub(made_again, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
