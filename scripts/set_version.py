"""Set the version of the package, of CITATION.cff, and of the command output that pages and the notebook show.

    python scripts/set_version.py 1.0.0

The earlier version joins ``SAME_HANDS``, so that its files are resumed, merged and not repeated: do not use this after
a change of what any hand comes to. Outputs differ by the version alone, which the tests check; ``results`` stay as they
are.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION_FILE = ROOT / "cirulla_sim" / "core" / "version.py"


def main(new: str) -> None:
    """Replace the version everywhere but in ``results`` and the changelog."""
    source = VERSION_FILE.read_text("utf-8")
    found = re.search(r'^VERSION = "(.+)"$', source, flags=re.M)
    assert found is not None
    old = found[1]
    source = source.replace(f'VERSION = "{old}"', f'VERSION = "{new}"')
    source = source.replace("SAME_HANDS = (VERSION,", f'SAME_HANDS = (VERSION, "{old}",', 1).replace(",)", ")")
    VERSION_FILE.write_text(source, "utf-8")
    for page in (
        ROOT / "README.md", ROOT / "CITATION.cff", *(ROOT / "docs").rglob("*.md"), *(ROOT / "analyses").glob("*.ipynb"),
    ):  # fmt: skip
        text = page.read_text("utf-8")
        if old in text:
            page.write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
