"""Examples of each verb, as its help shows them; a test runs them one after another in a folder."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "simulate": (
        "cirulla-sim simulate --players 2 --hands 100k",
        "cirulla-sim simulate --policy careful --policy greedy --hands 100k",
        "cirulla-sim simulate --house piccola-seven --hands 100k -o seven.parquet",
    ),
    "games": (
        "cirulla-sim games --players 2 --games 10k -o games.parquet",
        "cirulla-sim games --at 'score: 38-41; i am: dealer' --hands 100k",
    ),
    "compare": (
        "cirulla-sim compare --house no-matta --house piccola-seven --hands 100k",
        "cirulla-sim compare --house table-nine --players 2 --hands 100k -o nine.parquet",
        "cirulla-sim compare --against cirullone --hands 100k",
    ),
    "tournament": (
        "cirulla-sim tournament --policy greedy --policy careful --hands 10k",
        "cirulla-sim tournament --policy careful --policy search:8 --until-decided --hands 10k",
    ),
    "odds": (
        "cirulla-sim odds",
        "cirulla-sim odds 'barsega and matta'",
        "cirulla-sim odds 'wins(us) given barsega(me)' --hands 100k",
        "cirulla-sim odds --list sweep",
    ),
    "advise": (
        "cirulla-sim advise --at 'table: Ad 5c 7h Kd; me: 7d 2s Jh; i am: first' --samples 1000",
        "cirulla-sim advise --at 'table: Jd 4c; me: Kd Kh 2c; score: 38-41' --players 2 --time 2",
    ),
    "show": (
        "cirulla-sim show --hand 3",
        "cirulla-sim show --hand 3 --coach --samples 200",
        "cirulla-sim show --hand 3 --format json > hand.jsonl",
    ),
    "play": (
        "cirulla-sim play",
        "cirulla-sim play --rules scopa --policy search --seed 7 -o game.jsonl",
    ),
    "combine": (
        "cirulla-sim simulate --hands 50k -o first.parquet",
        "cirulla-sim simulate --hands 50k --first-hand 50k -o second.parquet",
        "cirulla-sim combine first.parquet second.parquet -o both.parquet",
    ),
    "table": (
        "cirulla-sim table both.parquet --all",
        "cirulla-sim table both.parquet --format markdown --lang it",
    ),
    "describe": (
        "cirulla-sim describe both.parquet",
        "cirulla-sim describe nine.parquet --lang it",
    ),
    "plot": (
        "cirulla-sim plot both.parquet",
        "cirulla-sim plot nine.parquet --figure categories --size column --lang it -o nine.pdf",
    ),
    "report": (
        "cirulla-sim report both.parquet nine.parquet -o pages",
        "cirulla-sim report both.parquet --title 'Our club' --lang it -o pagine",
    ),
    "rules": (
        "cirulla-sim rules list",
        "cirulla-sim rules show piccola-seven",
        "cirulla-sim rules diff cirulla cirullone",
    ),
    "warmup": ("cirulla-sim warmup",),
    "open": (
        "cirulla-sim open",
        "cirulla-sim open --port 8050 --no-browser",
    ),
}  # fmt: skip
"""By verb, two or three commands: what is asked most, and what a reader may not find alone.

Those that read files read what examples before them wrote.
"""


def epilog(verb: str) -> str:
    """The examples of a verb as a paragraph of its help."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in EXAMPLES.get(verb, ()))])
