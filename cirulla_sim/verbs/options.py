"""The options of every verb, as data: the command line is built from them, and arguments from Python are read by them.

An option is called on the command line as its argument is in Python, with dashes. Which part of a request it belongs to
decides where it is stored: nothing of the parts ``execution`` and ``display`` ever is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.arguments import (
    ENGINES,
    FORMATS,
    LANGUAGES,
    SEED,
    THREADS,
    numbers,
    path_of,
    paths_of,
    positive,
    table_file,
    text_of,
    words,
)
from ..engine.policy_names import NAMES
from ..ruleset.catalogue import catalogue, house_names, preset_names
from ..situation.notation import situation_text
from ..situation.people import ABSOLUTE
from .option_model import OneOf, Option, unread, whole

MOST = 10**12
"""The largest number of a hand or game."""


def _changes() -> list[str]:
    """What changes a field, up to its value."""
    return [f"{name}=" for name in catalogue()["field"]]


PLAYERS = Option("players", "Number of players.", "rules", whole(2, 4), "N", shown_default="as usual with the preset")
RULES = (
    Option("rules", "A preset, or a file with a preset and changed fields.", "rules", unread, "PRESET|FILE.toml",
           "cirulla", named=preset_names),
    Option("rule", "One field changed; repeatable.", "rules", unread, "FIELD=VALUE", (), many=True,
           named=_changes),
    Option("house", "A house rule on top, or a file of one; repeatable.", "rules", text_of, "NAME|FILE.toml", (),
           many=True, named=house_names),
    PLAYERS,
)  # fmt: skip
RULES_IF_ANY = (replace(RULES[0], default=None, shown_default="cirulla"), *RULES[1:])
"""The same where it matters whether any rules are given."""
POLICY = Option(
    "policy", "Who plays: random, greedy, careful, search:N, open, FILE.py:FUNCTION; by name: "
    "'dealer=search, others=careful'; repeated: several line-ups on the same deals.",
    "line_ups", unread, "LINE-UP", "careful", many=True, named=lambda: NAMES,
)  # fmt: skip
LINE_UP = replace(
    POLICY, many=False, help=POLICY.help.partition("; repeated")[0] + ".",
)  # fmt: skip
AT = Option(
    "at", "Cards that you know, as 'me: 7h K*; partner: barsega; table: no kings'.", "situation", situation_text,
    "SITUATION",
)  # fmt: skip
ME = Option(
    "me", "Where you sit; the same as 'i am: ...' in --at.", "situation", OneOf("seat", ABSOLUTE),
    "first|second|third|dealer", shown_default="any seat, equally likely",
)  # fmt: skip
SITUATION = (AT, ME)
SEED_OPTION = Option("seed", "Decides what is dealt: same seed, same hands.", "effort", whole(0, SEED), "N", 1)
THREADS_OPTION = Option(
    "threads", "Threads that play.", "execution", whole(1, THREADS), "N", shown_default="one a core"
)
ENGINE = (
    THREADS_OPTION,
    Option("engine", "Where hands are played: threads, serial (one thread) or dask (a cluster).", "execution",
           OneOf("engine", ENGINES), "NAME", "threads"),
    Option("scheduler", "With --engine dask: the scheduler's address.", "execution", metavar="ADDRESS",
           shown_default="workers of this machine"),
)  # fmt: skip
OUTPUT = Option(
    "output", "Write the whole table to a parquet file; resume it if it is there already.", "execution", table_file,
    "FILE", short="-o",
)  # fmt: skip
SAVING = (
    OUTPUT,
    Option("save_every", "Checkpoint interval in seconds.", "execution", positive, "SECONDS", 60.0),
    Option("force", "Replace the file of -o instead of resuming it.", "execution", switch=True, default=False),
)
RESUME = Option("resume", "Resume another file of an earlier run.", "execution", paths_of, "FILE")
ONLY = Option("only", "Show these quantities only, every row of them.", "execution", words, "QUANTITY[,QUANTITY...]")
LANG = Option(
    "lang", "English or Italian, words and numbers.", "display", OneOf("language", LANGUAGES), "en|it", "en",
    shown_default="as LC_ALL, LC_MESSAGES or LANG says",
)  # fmt: skip
VERBOSE = Option(
    "verbose", "Also say how the answer was made: control variates, intervals, fallbacks, the compiler.", "display",
    switch=True, default=False, short="-v",
)  # fmt: skip
DISPLAY = (
    Option("form", "table, json, csv, markdown, latex or html; json is the whole table for programs.", "display",
           OneOf("format", FORMATS), "NAME", "table", flag="--format"),
    LANG,
    Option("all", "Show every row.", "display", switch=True, default=False),
    Option("raw", "The whole table with the names and digits that programs read.", "display", switch=True,
           default=False),
)  # fmt: skip


def hands(number: int, shown: str, most: int = MOST, least: int = 1) -> Option:
    """``--hands``."""
    return Option("hands", "Hands to play, at most.", "effort", whole(least, most), "N", number, shown)


def first(unit: str) -> Option:
    """``--first-hand`` or ``--first-game``."""
    return Option(f"first_{unit}", f"Number of the first {unit}, so that several machines play parts of one question; "
                  "combine adds them up.", "effort", whole(0, MOST), "N", 0)  # fmt: skip


def precision(of: str) -> tuple[Option, Option]:
    """``--precision`` and ``--precision-of``, the quantity ``of`` unless another is named."""
    return (
        Option("precision", "Stop when the 95% half-width is X or less; intervals then hold at any stop, so they are "
               "wider.", "effort", positive, "X"),
        Option("precision_of", "The quantity that --precision is of.", "effort", metavar="QUANTITY", shown_default=of),
    )  # fmt: skip


SIMULATE = (
    *RULES, POLICY, hands(1_000_000, "1M"), first("hand"), *SITUATION, SEED_OPTION, *ENGINE, *precision("points"),
    *SAVING,
    RESUME,
    Option("records", "Write one row a hand to a parquet file.", "execution", table_file, "FILE"),
    ONLY,
    Option("controls", "Disable control variates.", switch=True, default=True),
    Option("control_hands", "Hands that the first of several line-ups plays, many more than --hands, as a control "
           "variate of the others.", read=whole(1, MOST), metavar="N"),
    *DISPLAY, VERBOSE,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ games

GAMES = (
    *RULES, POLICY,
    Option("aim", "What careful, search and open maximise: points, or the chance to win; for one side search+game.",
           read=OneOf("aim", ("points", "game")), metavar="NAME", default="points"),
    Option("games", "Games to play, at most.", "effort", whole(1, MOST), "N", shown_default="100k"),
    first("game"),
    replace(AT, help="What you know: 'score: 38-41; i am: dealer' (your chance to win from there), cards of the deal."),
    ME, SEED_OPTION, *ENGINE, *precision("wins_game"), ONLY,
    Option("check", "With a score: also play this number of games from it.", read=whole(1, 10**9), metavar="N"),
    Option("win_table", "The chance to win from every score; requires -o.", switch=True, default=False),
    Option("hands", "With a score and --win-table: hands to measure points by.", "effort", whole(1, 10**9), "N",
           shown_default="1M"),
    first("hand"), *SAVING, RESUME, *DISPLAY, VERBOSE,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ compare

COMPARE = (
    replace(RULES[0], help="The rules that the others are compared with."),
    Option("house", "Compare with the rules and this house rule on top, or several together as NAME+NAME; "
           "repeatable, each by itself.",
           metavar="NAME|FILE.toml", default=(), many=True, named=house_names),
    Option("all_houses", "Compare with every house rule, each by itself.", switch=True, default=False),
    Option("against", "Compare with this rule set; with a night in --at, with this night of the same pairs, "
           "'night: 8 pairs, all play all, 4 hands a round'; repeatable.",
           metavar="PRESET|FILE.toml|NIGHT", default=(), many=True, named=preset_names),
    Option("rule", "One field changed in all that is compared; repeatable.", read=unread, metavar="FIELD=VALUE",
           default=(), many=True, named=_changes),
    replace(PLAYERS, help="Number of players in all that is compared.", part="question"),
    POLICY,
    Option("hands", "Hands to play under each rule set, or nights in each format, at most.", "effort",
           whole(1, 10**11), "N", shown_default="1M; of nights 20k"),
    first("hand"), *SITUATION, SEED_OPTION, *ENGINE,
    Option("games", "Play N whole games too, after the --hands: how long, and what a rule is worth in games won.",
           read=whole(1, 10**9), metavar="N"),
    Option("unpaired", "Play each on hands of its own; required where the numbers of players differ.", switch=True,
           default=False),
    *precision("points; of nights wins_night"), *SAVING, RESUME, ONLY, *DISPLAY, VERBOSE,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ tournament

TOURNAMENT = (
    *RULES,
    replace(POLICY, help="A policy that competes, two or more; repeatable.", metavar="NAME", default=(),
            shown_default="all that play fair"),
    replace(hands(100_000, "100k", 10**7, 1000), help="Deals a pairing, at most."), first("hand"), *SITUATION,
    SEED_OPTION, *ENGINE,
    Option("until_decided", "Stop a pairing as soon as it is decided.", switch=True, default=False),
    Option("luck", "Add luck-adjusted margins: narrower intervals, longer to play.", switch=True, default=False),
    *SAVING, RESUME, *DISPLAY, VERBOSE,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ odds

MOST_DEALS = 10**10
"""The largest number of deals that answer a question."""


def whole_numbers(flag: str, value: Any) -> str:
    """Some whole numbers, as ``3,3,2``."""
    return ",".join(map(str, numbers(flag, value)))


ODDS: tuple[Option, ...] = (
    Option("given", "Count only cases where this is true.", metavar="EXPRESSION"),
    Option("by", "Split the answer by the values of this.", metavar="EXPRESSION"),
    Option("top", "With --by: the N values with the highest answers.", read=whole(1, 10**6), metavar="N"),
    Option("in_", "At least once in N trials, each dealt anew.", read=whole(1, 10**6), metavar="N"),
    Option("in_a_row", "N times in a row; with --in, at least once in so many.", read=whole(2, 10**4), metavar="N"),
    Option("sizes", "Ask about piles of any cards: how many in ours and in theirs.", read=whole_numbers, metavar="N,N"),
    replace(LINE_UP, default=None, shown_default="careful"),
    Option("check", "Simulate N deals too, and compare.", read=whole(1, MOST_DEALS), metavar="N"),
    Option("hands", "Deals for a question that cannot be counted.", "effort", whole(1, MOST_DEALS), "N",
           shown_default="1M; of play 100k"),
    Option("precision", "Stop when the 95% half-width of every answer is X or less; "
           "intervals then hold at any stop, so they are wider.", "effort", positive, "X"),
    replace(AT, help="What you know: cards of a deal, 'me: 7h K*; table: Ad ..', a position, 'table: Jd 4c; me: Kd Kh "
            "2c; to play: next', a score, 'score: 38-41', or FILE#HAND.PLAY of a record."),
    ME, SEED_OPTION, *ENGINE, *RULES_IF_ANY, *SAVING, *DISPLAY, VERBOSE,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ advise, show, play

COACH_SAMPLES = Option(
    "samples", "For the coach: deals played out for each play.", "effort", whole(4, 1 << 20), "N", shown_default="1000"
)
ADVISE: tuple[Option, ...] = (
    replace(AT, help="The position before your play: 'table: Jd 4c; me: Kd Kh 2c; captured us: 7d; score: 38-41', or a "
            "play of a record, FILE#HAND.PLAY."),
    ME,
    Option("aim", "What ranks the plays: points, or the chance to win the game.",
           read=OneOf("aim", ("points", "game")), metavar="NAME", shown_default="game with a score, otherwise points"),
    Option("open", "All cards are known: find the best line exactly.", switch=True, default=False),
    Option("ends", "How often your side makes cards, diamonds, settebello, primiera and grande after each play.",
           switch=True, default=False),
    replace(LINE_UP, help="Who plays on: random, greedy, careful, search:N, open, FILE.py:FUNCTION; by name: "
            "'us=search, them=careful'."),
    Option("samples", "Number of samples, whatever the time.", "effort", whole(2, 1 << 20), "N"),
    Option("time", "Time limit in seconds.", "execution", positive, "SECONDS", 5.0),
    SEED_OPTION, THREADS_OPTION, *RULES_IF_ANY, *SAVING, *DISPLAY, VERBOSE,
)  # fmt: skip
SHOW: tuple[Option, ...] = (
    *RULES, LINE_UP, *SITUATION, SEED_OPTION,
    Option("record", "Hands that were recorded, as by play or show --format json; --hand is their place in the file.",
           "execution", path_of, "FILE"),
    Option("number", "Number of the first hand.", "effort", whole(0, MOST), "N", 0, flag="--hand"),
    Option("play", "Show only the situation before this play of the hand, from 1, to be given to --at.", "display",
           whole(1, 40), "N"),
    Option("hands", "How many hands.", "display", whole(1, 10**6), "N", 1),
    Option("form", "text, or json: a record a line.", "display", OneOf("format", ("text", "json")), "NAME", "text",
           flag="--format"),
    Option("coach", "Judge every play, and show where points were lost.", "execution", switch=True, default=False),
    COACH_SAMPLES, THREADS_OPTION,
)  # fmt: skip
PLAY: tuple[Option, ...] = (
    *RULES_IF_ANY,
    replace(LINE_UP, default=None, shown_default="careful", help="Who plays against you, and your partner's seat: "
            "careful, search:N, FILE.py:FUNCTION, ...; by name: 'us=careful, them=search'."),
    replace(AT, help="What the game begins with: 'score: 12-20', cards of the first deal, 'me: barsega'."),
    replace(ME, help="Where you sit in the first hand; the deal then passes on.", shown_default="first"),
    replace(SEED_OPTION, default=None, help="Seed of deals and of the others' choices.", shown_default="a new game"),
    COACH_SAMPLES,
    Option("output", "The file of the game, saved after every choice; a game that is there is resumed.", "execution",
           path_of, "FILE.jsonl", shown_default="named after the rules", short="-o"),
    Option("force", "Replace a game that is in the file.", "execution", switch=True, default=False),
    LANG,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ files

COMBINE = (
    Option("policy", "Allow the files to use a policy of your own, whose code is run: FILE.py:FUNCTION; repeatable.",
           "execution", text_of, "POLICY", (), many=True),
    replace(OUTPUT, help="Write the whole table to a parquet file."),
    Option("force", "Replace the file of -o.", "execution", switch=True, default=False),
    *DISPLAY, VERBOSE,
)  # fmt: skip
TABLE = (ONLY, *DISPLAY)
DESCRIBE = (LANG,)
PLOT = (
    Option("output", "The chart, a .png, .svg or .pdf.", "display", metavar="FILE", short="-o",
           shown_default="FILE with the ending .png"),
    Option("figure", "One of its figures, as listed above.", "display", metavar="NAME", shown_default="the first"),
    LANG,
    Option("rows", "Only these rows, in this order; repeatable, or with commas.", "display",
           metavar="NAME", default=(), many=True),
    Option("all", "Show every row, not the eight that tell most.", "display", switch=True, default=False),
    Option("label", "Call a row or a series otherwise; repeatable.", "display", metavar="OLD=NEW",
           default=(), many=True),
    Option("title", "Title of the chart.", "display", metavar="TEXT", shown_default="what the chart shows"),
    Option("subtitle", "Text under the title.", "display", metavar="TEXT",
           shown_default="the quantity and its unit"),
    Option("caption", "Text under the chart.", "display", metavar="TEXT"),
    Option("footer", "Leave out the line on the method.", "display", switch=True, default=True),
    Option("size", "90 mm or 170 mm of print, 1080 or 390 px of a screen.", "display",
           metavar="column|page|screen|phone", shown_default="page"),
    Option("width", "Width, from 90mm on, as 90mm, 3.6in, 7.2 (inches).", "display",
           metavar="WIDTH"),
    Option("theme", "Colours for a light or a dark page, or grey for print.", "display",
           metavar="light|dark|grey", default="light"),
    Option("axis", "Scale of sizes of differences.", "display", metavar="linear|log", default="linear"),
)  # fmt: skip
REPORT = (
    Option("output", "The folder of the pages.", "display", metavar="DIR", short="-o", required=True),
    Option("title", "Title of the pages.", "display", metavar="TEXT", shown_default="Cirulla in numbers"),
    LANG,
    Option("date", "The day that the pages name.", "display", metavar="YYYY-MM-DD", shown_default="none"),
    Option("force", "Write into a folder that has other files, which stay.", "display", switch=True, default=False),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ rules

RULES_FORMAT = Option(
    "form", "text, toml or json.", "display", OneOf("format", ("text", "toml", "json")), "NAME", "text",
    flag="--format",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ by name

VERBS: Mapping[str, tuple[Option, ...]] = {
    "simulate": SIMULATE,
    "games": GAMES,
    "compare": COMPARE,
    "tournament": TOURNAMENT,
    "odds": ODDS,
    "advise": ADVISE,
    "show": SHOW,
    "play": PLAY,
    "combine": COMBINE,
    "table": TABLE,
    "describe": DESCRIBE,
    "plot": PLOT,
    "report": REPORT,
}
"""The options of each verb, in the order of its help."""
