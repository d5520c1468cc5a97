"""Count the lines of play of every position in tests/data/lines_of_play.toml with the referee; write the counts there.

python scripts/count_lines.py
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from referee import lines_of_play  # noqa: E402

from cirulla_sim.ruleset.presets import build  # noqa: E402

PATH = ROOT / "tests" / "data" / "lines_of_play.toml"


def main() -> None:
    """Write the counts into the data file, in place."""
    text = re.sub(r"^lines = .*\n", "", PATH.read_text("utf-8"), flags=re.M)
    for position in tomllib.loads(text)["position"]:
        rules = asdict(build(position["preset"], players=position["players"]))
        count = lines_of_play(rules, [held.split() for held in position["holdings"]], position["table"].split())
        named = f'name = "{position["name"]}"\n'
        text = text.replace(named, f"{named}lines = {count}\n")
        print(f"{count:>10,}  {position['name']}")
    PATH.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
