"""The public functions of the verbs: a signature declares every option of its verb, and ``verb`` runs it.

What a verb runs is imported when it runs, so that help is instant. Help has the options in the order of the arguments.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..core.arguments import (
    ENGINES,
    FORMATS,
    LANGUAGES,
    SEED,
    THREADS,
    path_of,
    paths_of,
    positive,
    read_names,
    table_file,
    text_of,
)
from ..engine.policies import POLICIES
from ..experiments.progress import Watch
from ..ruleset.catalogue import catalogue, house_names, preset_names
from ..ruleset.rule_set import RuleSet
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp
from ..situation.notation import SituationValue, situation_text
from ..situation.people import ABSOLUTE
from .options import OneOf, Option, unread, verb, whole, whole_numbers

if TYPE_CHECKING:
    from ..reporting.charts.sheet import Chart
    from ..reporting.page.section import Section
    from ..reporting.result import Result
    from ..reporting.text.plays import Hand

# ------------------------------------------------------------------------------------------------ of several verbs

MOST = 10**12
"""The largest number of a hand or game."""

Number = int | str

_RULES = Option(
    "A preset, or a file with a preset and changed fields.", unread, "PRESET|FILE.toml", "rules", named=preset_names
)
RulesGiven = Annotated[str | Path | Rules | RuleSet, _RULES]
RulesIfGiven = Annotated[str | Path | Rules | RuleSet | None, replace(_RULES, shown="cirulla")]
"""The same where it matters whether any rules are given."""
Rule = Annotated[str | Sequence[str] | Mapping[str, Any], Option(
    "One field changed; repeatable.", unread, "FIELD=VALUE", "rules", many=True,
    named=lambda: [f"{name}=" for name in catalogue()["field"]])]  # fmt: skip
House = Annotated[str | Sequence[str], Option(
    "A house rule on top, or a file of one; repeatable.", metavar="NAME|FILE.toml", part="rules", many=True,
    named=house_names)]  # fmt: skip
Players = Annotated[Number | None, Option(
    "Number of players.", whole(2, 4), "N", "rules", shown="as usual with the preset")]  # fmt: skip

_POLICY = Option(
    'Who plays: random, greedy, wary, careful, search:N, open, FILE.py:NAME; by name: "dealer=search, others=careful".',
    unread, "LINE-UP", "line_ups", named=lambda: (*POLICIES, *(f"search:{number}" for number in (4, 16, 64))),
)  # fmt: skip
OneLineUp = Annotated[str | LineUp | Sequence[str | LineUp], _POLICY]
LineUps = Annotated[OneLineUp, {
    "help": f"{_POLICY.help[:-1]}; repeated: several line-ups on the same deals.", "many": True}]  # fmt: skip
LineUpIfGiven = Annotated[str | LineUp | None, replace(_POLICY, shown="careful")]

At = Annotated[SituationValue | None, Option(
    'Cards that you know, as "me: 7h K*; partner: barsega; table: no kings".', situation_text, "SITUATION",
    "situation")]  # fmt: skip
Me = Annotated[str | None, Option(
    'Where you sit; the same as "i am: ..." in --at.', OneOf("seat", ABSOLUTE), "first|second|third|dealer",
    "situation", shown="any seat, equally likely")]  # fmt: skip

_FIRST = "Number of the first {}, so that several machines play parts of one question; combine adds them up."
HANDS = Option("Hands to play, at most.", whole(1, MOST), "N", "effort", shown="1M")
FirstHand = Annotated[Number, Option(_FIRST.format("hand"), whole(0, MOST), "N", "effort")]
FirstGame = Annotated[Number, Option(_FIRST.format("game"), whole(0, MOST), "N", "effort")]
SEED_OF_DEALS = Option("Decides what is dealt: same seed, same hands.", whole(0, SEED), "N", "effort")
Seed = Annotated[Number, SEED_OF_DEALS]
Precision = Annotated[float | str | None, Option(
    "Stop when the 95% half-width is X or less; intervals then hold at any stop, so they are wider.",
    positive, "X", "effort")]  # fmt: skip
PrecisionOf = Annotated[str | None, Option(
    "The quantity that --precision is of.", metavar="QUANTITY", part="effort", shown="points")]  # fmt: skip
CoachSamples = Annotated[Number | None, Option(
    "For the coach: deals played out for each play.", whole(4, 1 << 20), "N", "effort", shown="1000")]  # fmt: skip

ThreadCount = Annotated[Number | None, Option(
    "Threads that play.", whole(1, THREADS), "N", "execution", shown="one a core")]  # fmt: skip
EngineName = Annotated[str, Option(
    "Where hands are played: threads, serial (one thread) or dask (a cluster).", OneOf("engine", ENGINES), "NAME",
    "execution")]  # fmt: skip
Scheduler = Annotated[str | None, Option(
    "With --engine dask: the scheduler's address.", metavar="ADDRESS", part="execution",
    shown="workers of this machine")]  # fmt: skip
Output = Annotated[str | Path | None, Option(
    "Write the whole table to a parquet file; resume it if it is there already.", table_file, "FILE", "execution",
    "files", short="-o")]  # fmt: skip
SaveEvery = Annotated[
    float | str,
    Option("Checkpoint interval in seconds; the first come sooner.", positive, "SECONDS", "execution", "files"),
]
Force = Annotated[bool, Option("Replace the file of -o instead of resuming it.", part="execution", group="files")]
Resume = Annotated[str | Path | Sequence[str | Path] | None, Option(
    "Resume another file of an earlier run.", paths_of, "FILE", "execution", "files")]  # fmt: skip
Progress = bool | Watch

ONLY = Option(
    "Show these quantities only, every row of them; repeatable, or with commas.", read_names, "QUANTITY", "execution",
    "display", many=True, name="only", default=(),
)  # fmt: skip
Only = Annotated[str | Sequence[str], ONLY]
LANG = Option(
    "English or Italian, words and numbers.", OneOf("language", LANGUAGES), "en|it", "display",
    shown="as LC_ALL, LC_MESSAGES or LANG says", name="lang", default="en",
)  # fmt: skip
Lang = Annotated[str, LANG]
FORM = Option("table, json, csv, markdown, latex or html; json is the whole table for programs.",
              OneOf("format", FORMATS), "NAME", "display", flag="--format", name="form", default="table")  # fmt: skip
TEXT_FORM = replace(
    FORM, help="text, or json: a record a line.", read=OneOf("format", ("text", "json")), default="text"
)  # fmt: skip
DISPLAY = (
    FORM, LANG, Option("Show every row.", part="display", name="all", default=False),
    Option("The whole table with the names and digits that programs read.", part="display", name="raw", default=False),
)  # fmt: skip
ALT = Option("Print what the chart shows in words, for readers who cannot see it; it is drawn only with -o.",
             part="display", name="alt", default=False)  # fmt: skip
VERBOSE = Option("Also say how the answer was made: control variates, intervals, fallbacks, the compiler.",
                 part="display", short="-v", name="verbose", default=False)  # fmt: skip
LISTED = Option("List the functions; with a word, those in which it occurs.", part="display", group="question",
                flag="--list", name="listed", default=False)  # fmt: skip
PLAY = Option("Show only the situation before this play of the hand, from 1, to be given to --at.", whole(1, 40),
              "N", "display", "effort", name="play")  # fmt: skip
SEVERAL_HANDS = Option("How many hands.", whole(1, 10**6), "N", "display", "effort", name="hands", default=1)
AIM = OneOf("aim", ("points", "game"))
NUMBER = Option("Number of the first hand.", whole(0, MOST), "N", "effort", flag="--hand")
"""Which hand ``show`` shows."""


def look(help_text: str, metavar: str | None = None, shown: str | None = None, **fields: Any) -> Option:
    """An option of what is only to look at; that of a chart is read by ``reporting.charts.look``."""
    return Option(help_text, fields.pop("read", unread), metavar, "display", shown=shown, **fields)


# ------------------------------------------------------------------------------------------------ the functions


@verb("simulate")
def simulate(
    rules: RulesGiven = "cirulla", *,
    rule: Rule = (), house: House = (), players: Players = None,
    policy: LineUps = "careful",
    hands: Annotated[Number, HANDS] = 1_000_000, first_hand: FirstHand = 0,
    at: At = None, me: Me = None, seed: Seed = 1,
    threads: ThreadCount = None, engine: EngineName = "threads", scheduler: Scheduler = None,
    precision: Precision = None, precision_of: PrecisionOf = None,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False, resume: Resume = None,
    records: Annotated[str | Path | None, Option(
        "Write one row a hand to a parquet file.", table_file, "FILE", "execution", "files")] = None,
    only: Only = (),
    controls: Annotated[bool, Option("Disable control variates.", group="effort")] = True,
    control_hands: Annotated[Number | None, Option(
        "Hands that the first of several line-ups plays, many more than --hands, as a control variate of the others.",
        whole(1, MOST), "N", group="effort")] = None,
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Simulate many hands: bonuses, knocks, points by category and scores, each with its 95% confidence interval.

    ``rules`` is a preset, a TOML file, or a rule set of ``cirulla_sim.rules``; ``players``, ``house`` and ``rule``
    change it. ``at`` says what you know, as ``"me: 7h K*; table: Ad .."``: deals are dealt as the rules deal them,
    misdeals too, and those that have what you know are played. ``me`` is where you sit, any seat unless you say it.
    ``policy`` is a line-up: a policy for everybody, or one by the name of each side, as ``"dealer=search,
    others=careful"``. A sequence of line-ups plays the same deals, and the result shows
    their paired differences from the first. The run ends after ``hands``, or earlier if the 95% half-width of
    ``precision_of`` (a quantity, ``points`` by default) is ``precision``; all intervals hold at any stop then, so they
    are wider. The same ``seed`` gives the same hands.
    ``first_hand`` is the number of the first hand, so that several machines can play parts of one question.

    ``records`` writes a row a hand as parquet, ``only`` names the quantities to show.

    A long run saves its ``output``, a parquet file of the whole table, every ``save_every`` seconds and whenever it
    ends, and the same call resumes it; ``force`` replaces a file of anything else, ``resume`` names other files to
    resume. ``engine`` is ``threads``, ``serial`` or ``dask``, with a ``scheduler``'s address or with workers of this
    machine. ``progress=False`` hides the bar; a ``Watch`` in its place follows the run and may stop it.

    From 100 hands on, and without ``at``, control variates make the intervals of points, margin and hands won
    narrower: the bonuses dealt, whose means are known exactly; ``controls=False`` disables them. Of several line-ups
    the first can play ``control_hands`` in all and serve as a control variate of the others.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> result = simulate("cirulla", players=2, policy="greedy", hands="20k", progress=False)
    >>> print(result.command)
    cirulla-sim simulate --rules cirulla --players 2 --policy greedy --hands 20000 --seed 1
    >>> round(result["sweeps", "all"].value, 1)
    8.1
    """


@verb("games")
def games(
    rules: RulesGiven = "cirulla", *,
    rule: Rule = (), house: House = (), players: Players = None,
    policy: LineUps = "careful",
    aim: Annotated[str, Option(
        "What careful, search and open maximise: points, or the chance to win; for one side search+game.",
        AIM, "NAME")] = "points",
    games: Annotated[Number | None, Option(
        "Games to play, at most.", whole(1, MOST), "N",
        "effort", shown="100k")] = None,
    first_game: FirstGame = 0,
    at: Annotated[At, {"help":
        'What you know: "score: 38-41; i am: dealer" (your chance to win from there), cards of the deal.'}] = None,
    me: Me = None, seed: Seed = 1,
    threads: ThreadCount = None, engine: EngineName = "threads", scheduler: Scheduler = None,
    precision: Precision = None, precision_of: Annotated[PrecisionOf, {"shown": "wins_game"}] = None,
    only: Only = (),
    win_table: Annotated[bool, Option("The chance to win from every score; requires -o.")] = False,
    hands: Annotated[Number | None, HANDS, {
        "help": "With a score and --win-table: hands to measure points by.", "read": whole(1, 10**9)}] = None,
    first_hand: FirstHand = 0,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False, resume: Resume = None,
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are named by the first dealer; ``at`` says what you know of the first deal. ``games`` are 100,000 by default,
    or fewer with ``precision``. ``aim`` is what policies that look ahead maximise: ``points``, or the chance to win the
    ``game``. The other arguments are those of ``simulate``.

    With a score in ``at``, ours first (``"score: 38-41"``), the result is our chance to win from there; ``me`` is where
    you sit in the next hand, any seat unless you say it, and a line-up may name ``us`` and ``them``. ``win_table``
    gives the chance from every score. Both are solved from the points of ``hands`` hands (a million by default), for
    two sides and a target; ``odds("wins_game(us)", at=...)`` plays games from a score under any rules.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> result = games("cirulla", policy="greedy", at="score: 38-41", me="dealer", hands="20k", progress=False)
    >>> result.frame["estimate"].round(2).item()
    0.37
    """


@verb("compare")
def compare(
    rules: Annotated[RulesGiven, {"help": "The rules that the others are compared with."}] = "cirulla", *,
    house: Annotated[str | Sequence[str], Option(
        "Compare with the rules and this house rule on top, or several together as NAME+NAME; repeatable, each by "
        "itself.", metavar="NAME|FILE.toml", group="rules", many=True, named=house_names)] = (),
    all_houses: Annotated[bool, Option("Compare with every house rule, each by itself.", group="rules")] = False,
    against: Annotated[str | Sequence[str], Option(
        "Compare with this rule set; with a night in --at, with this night of the same pairs, "
        '"night: 8 pairs, all play all, 4 hands a round"; repeatable.',
        metavar="PRESET|FILE.toml|NIGHT", group="rules", many=True, named=preset_names)] = (),
    rule: Annotated[Rule, {"help": "One field changed in all that is compared; repeatable.", "part": "question"}] = (),
    players: Annotated[Players, {
        "help": "Number of players in all that is compared.", "part": "question"}] = None,
    policy: LineUps = "careful",
    hands: Annotated[Number | None, HANDS, {
        "help": "Hands to play under each rule set, or nights in each format, at most.",
        "read": whole(1, 10**11), "shown": "1M; of nights 20k"}] = None,
    first_hand: FirstHand = 0,
    at: At = None, me: Me = None, seed: Seed = 1,
    threads: ThreadCount = None, engine: EngineName = "threads", scheduler: Scheduler = None,
    games: Annotated[Number | None, Option(
        "Play N whole games too, after the --hands: how long, and what a rule is worth in games won.",
        whole(1, 10**9), "N", group="effort")] = None,
    unpaired: Annotated[bool, Option(
        "Play each on hands of its own; required where the numbers of players differ.", group="effort")] = False,
    precision: Precision = None,
    precision_of: Annotated[PrecisionOf, {"shown": "points; of nights wins_night"}] = None,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False, resume: Resume = None,
    only: Only = (),
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Measure what house rules or whole rule sets change, each on the same deals with the same random numbers.

    The ``rules`` are compared with themselves and each ``house`` rule on top, ``"a+b"`` being two together
    (``all_houses``: every house rule), and with the presets or files of ``against``. ``rule`` and ``players``
    change all that is compared. ``at`` fixes cards that you know: of every hand, and of the first hand of every
    game. Each rule set plays ``hands`` (1M), and with ``games`` so many whole games too: for the games alone, lower
    ``hands``, which take most of the time. ``unpaired`` gives each hands of its own, which rules for other numbers
    of players require. With several line-ups as ``policy``, rows of kind ``interaction`` show how much more a rule
    changes for each line-up than for the first. Unless ``unpaired``, ``winner_changed`` is the share of hands that
    another side wins, ``wins_gained`` and ``wins_lost`` say which side, and ``points_moved`` and ``margin_moved``
    are mean absolute changes of a hand; of games ``game_winner_changed``, ``games_gained``, ``games_lost``,
    ``hands_moved``. The run ends after ``hands``, or earlier if the 95% half-widths of all differences of
    ``precision_of`` (``points`` by default) are ``precision`` or less. The rest is as in ``simulate``.

    With a night of matches as ``at``, the values of ``against`` are nights of the same pairs in other formats, and
    ``hands`` is the number of nights (20k): who wins how often, how long it takes. Two pairs that meet get the same
    cards in every format. ``policy`` is that of the pairs that have none.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> result = compare("cirulla", house="no-matta", policy="greedy", hands="20k", progress=False)
    >>> result.frame.filter(quantity="points", side="all", kind="difference")["estimate"].round(1).item()
    -1.6
    """


@verb("tournament")
def tournament(
    rules: RulesGiven = "cirulla", *,
    rule: Rule = (), house: House = (), players: Players = None,
    policy: Annotated[LineUps, {
        "help": "A policy that competes, two or more; repeatable.",
        "metavar": "NAME", "shown": "all that play fair"}] = (),
    hands: Annotated[Number, HANDS, {
        "help": "Deals a pairing, at most.", "read": whole(20, 10**7), "shown": "100k"}] = 100_000,
    first_hand: FirstHand = 0,
    at: At = None, me: Me = None, seed: Seed = 1,
    threads: ThreadCount = None, engine: EngineName = "threads", scheduler: Scheduler = None,
    until_decided: Annotated[bool, Option("Stop a pairing as soon as it is decided.")] = False,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False, resume: Resume = None,
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Play every policy against every other on the same deals with sides exchanged, and rank them.

    ``policy`` names two or more policies, each by itself since a tournament seats them on every side; all that play
    fair by default. ``at`` says what you know of every deal. Each pairing plays ``hands`` deals, or
    with ``until_decided`` until one policy is ahead or neither is by 0.1 points a hand. The rest is as in ``simulate``.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> result = tournament(players=2, policy=["random", "greedy"], hands=1000, progress=False)
    >>> result.frame.filter(quantity="margin", policy="greedy", side="all")["estimate"].item() > 4
    True
    """


@verb("odds")
def odds(
    question: str | Sequence[str] | None = None, *,
    given: Annotated[str | None, Option("Count only cases where this is true.", metavar="EXPRESSION")] = None,
    by: Annotated[str | None, Option("Split the answer by the values of this.", metavar="EXPRESSION")] = None,
    top: Annotated[Number | None, Option(
        "With --by: the N highest values, chosen by half of the trials.", whole(1, 10**6), "N")] = None,
    in_: Annotated[Number | None, Option("At least once in N trials, each dealt anew.", whole(1, 10**6), "N")] = None,
    times: Annotated[Number | None, Option("With --in: at least N times, not once.", whole(1, 10**6), "N")] = None,
    in_a_row: Annotated[Number | None, Option(
        "N times in a row; with --in, at least once in so many.", whole(2, 10**4), "N")] = None,
    sizes: Annotated[str | Sequence[int] | None, Option(
        "Ask about piles of any cards: how many in ours, and in theirs.",
        whole_numbers, "N,N")] = None,
    policy: LineUpIfGiven = None,
    check: Annotated[Number | None, Option(
        "Simulate N deals too, and compare.", whole(1, 10**10), "N", group="effort")] = None,
    hands: Annotated[Number | None, HANDS, {
        "help": "Deals for a question that cannot be counted.",
        "read": whole(1, 10**10), "shown": "1M; of play 100k"}] = None,
    precision: Annotated[Precision, {"help":
        "Stop when the 95% half-width of every answer is X or less; intervals then hold at any stop, so they are "
        "wider."}] = None,
    at: Annotated[At, {"help":
        'What you know: cards of a deal, "me: 7h K*; table: Ad ..", a position, "table: Jd 4c; me: Kd Kh 2c; to play: '
        'next", a score, "score: 38-41", or FILE#HAND.PLAY of a record.'}] = None,
    me: Me = None, seed: Seed = 1,
    threads: ThreadCount = None, engine: EngineName = "threads", scheduler: Scheduler = None,
    rules: RulesIfGiven = None,
    rule: Rule = (), house: House = (), players: Players = None,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False,
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Answers to questions: exact fractions where they can be counted, else estimates from simulated trials.

    A ``question`` is an expression of functions of who, when and with what: ``barsega and matta``,
    ``sweeps(dealer, stage 2) >= 2``, ``mean(points(us, primiera))``, ``wins(us) given barsega(me)``. ``odds --list``
    shows the functions. Several questions share the same hands, and may have a name in front: ``"a seven: sevens
    >= 1"``. Without one: the bonuses of three cards held and of the table, and misdeals. What is asked decides what is
    counted or simulated: cards held, a deal, a hand played by the line-up ``policy``, a game. ``given`` restricts the
    trials of all questions, ``by`` splits the answers, ``top`` keeps the values with the highest ones.

    ``at`` is the situation: cards of a deal (``"me: 7h K*; partner: no aces"``), a position in mid-hand (``"table: 3c
    5d; me: 7d Ks; to play: next"``), a score (``"score: 38-41"``), or a play of a record (``"FILE#HAND.PLAY"``). ``me``
    is where you sit; where it matters and is not given, every seat is equally likely.

    Where there are too many cases to count, the answer is estimated from ``hands`` trials, or until the 95% half-width
    of every answer is ``precision``; intervals hold at any stop then, so they are wider. ``check`` is a number of deals
    to simulate for an exact answer too. ``in_`` is the number of trials, each dealt anew, in which it happens at least
    once, or ``times`` or more; ``in_a_row`` how often in a row it happens. ``sizes`` are those of two piles of any
    cards (``"22,18"``).

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> odds("barsega and matta").frame["exact"].item()
    '47/2470'
    >>> position = "table: 3c 5d; me: 7d Ks; to play: next; i am: first"
    >>> odds("can_sweep(next)", at=position, players=2).frame["exact"].item()
    '242/357'
    """


@verb("advise")
def advise(
    *,
    at: Annotated[At, {"help":
        'The position before your play: "table: Jd 4c; me: Kd Kh 2c; captured us: 7d; score: 38-41", or a play of a '
        "record, FILE#HAND.PLAY."}] = None,
    me: Me = None,
    aim: Annotated[str | None, Option(
        "What ranks the plays: points, or the chance to win the game.",
        AIM, "NAME", shown="game with a score, otherwise points")] = None,
    open: Annotated[bool, Option("All cards are known: find the best line exactly.")] = False,
    ends: Annotated[bool, Option(
        "How often your side makes cards, diamonds, settebello, primiera and grande after each play.")] = False,
    policy: Annotated[LineUpIfGiven, {"help":
        "Who plays on: random, greedy, wary, careful, search:N, open, FILE.py:FUNCTION; by name: "
        '"us=search, them=careful".', "shown": "careful; where all cards are known, best play"}] = None,
    samples: Annotated[Number | None, Option(
        "Number of samples, whatever the time.", whole(2, 1 << 20), "N", "effort")] = None,
    time: Annotated[float | str, Option(
        "Time limit in seconds.", positive, "SECONDS", "execution", "effort")] = 5.0,
    seed: Seed = 1, threads: ThreadCount = None,
    rules: RulesIfGiven = None,
    rule: Rule = (), house: House = (), players: Players = None,
    output: Output = None, save_every: SaveEvery = 60.0, force: Force = False,
    progress: Progress = True,
) -> "Result":  # fmt: skip
    """Judge every choice of your turn: a set to show, the matta's value, a card; the best first.

    Each is judged by points, the chance to win the game, the risk of a sweep next, and why. ``at`` is the position
    before your play: ``"table: Jd 4c; me: Kd Kh 2c; captured us: 7d; score: 38-41"``, or a play of a record,
    ``"FILE#HAND.PLAY"``: only what that player knew is used, or with ``open`` all of it. ``me`` is where you sit; if it
    is not said every seat that is possible is as likely. A score adds the chance to win the game, ``aim`` chooses what
    ranks the choices.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by ``policy``, a line-up as
    ``"us=search, them=careful"``. It ends when the best choice is separated from all others, or after ``time`` seconds,
    or after so many ``samples``; the same samples and ``seed`` give the same advice. ``ends`` shows how often your side
    then makes cards, diamonds, settebello, primiera and grande at the end of the hand. Where all cards are known the
    line is solved, unless you name a ``policy``; ``open`` says that they are. A file (``output``) of so many
    ``samples`` is saved every ``save_every`` seconds and resumed, as by ``simulate``; ``force`` replaces it.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> advise(at="table: 5c 2h Kd; me: 7d 2s Jh", players=2, samples=64).frame.height > 3
    True
    """


@verb("show")
def hand(
    rules: RulesGiven = "cirulla", number: Annotated[Number, NUMBER] = 0, *,
    rule: Rule = (), house: House = (), players: Players = None,
    policy: OneLineUp = "careful",
    at: At = None, me: Me = None, seed: Seed = 1,
    record: Annotated[str | Path | None, Option(
        "Hands that were recorded, as by play or show --format json; --hand is their place in the file.",
        path_of, "FILE", "execution", "question")] = None,
    coach: Annotated[bool, Option(
        "Judge every play, and show where points were lost.", part="execution", group="question")] = False,
    samples: CoachSamples = None, threads: ThreadCount = None,
) -> "Hand":  # fmt: skip
    """Play one hand by its number: the one that ``simulate`` plays under the same rules, line-up and seed.

    With the situation of a run (``at``) it is that run's hand; ``at="FILE#HAND.PLAY"`` is a hand of a file. The value
    shows it play by play; its ``record`` is the hand as data. With ``coach`` each play is judged by what its player
    knew, on so many ``samples`` (1,000 by default). With the file of a ``record`` nothing is played: ``number`` is the
    place of a hand in the file.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.

    >>> hand("cirulla", 3, policy="greedy")
    <hand 3 of seed 1: cirulla, 4 players, 20 to 10>
    """


@verb("play")
def play(
    say: Callable[[str], None], hear: Callable[[str], str | None], *,
    rules: RulesIfGiven = None,
    rule: Rule = (), house: House = (), players: Players = None,
    policy: Annotated[LineUpIfGiven, {"help":
        "Who plays against you, and your partner's seat: careful, search:N, FILE.py:FUNCTION, ...; by name: "
        '"us=careful, them=search".'}] = None,
    at: Annotated[At, {"help":
        'What the game begins with: "score: 12-20", cards of the first deal, "me: barsega".'}] = None,
    me: Annotated[Me, {"help": "Where you sit in the first hand; the deal then passes on.", "shown": "first"}] = None,
    seed: Annotated[Number | None, SEED_OF_DEALS, {
        "help": "Seed of deals and of the others' choices.", "shown": "a new game"}] = None,
    samples: CoachSamples = None,
    output: Annotated[Output, {
        "help": "The file of the game, saved after every choice; a game that is there is resumed.",
        "read": path_of, "metavar": "FILE.jsonl", "shown": "named after the rules"}] = None,
    force: Annotated[Force, {"help": "Replace a game that is in the file."}] = False,
    lang: Lang = "en",
) -> None:  # fmt: skip
    """Play a game against the policies: ``say`` gets lines to read, ``hear`` gets a prompt and returns the answer.

    ``hear`` returns None where nobody is there any more. The game is written to its file after every choice. A game
    that is there is resumed if the arguments agree with it, or replaced with ``force``; a policy of the user's own is
    imported only if ``policy`` names it. Without ``output`` the file is called as the rules are, so that games with
    different rules have files of their own. ``me`` is where you sit in the first hand, the first to play unless you say
    it; ``at`` is what the game begins with, a score and cards of the first deal (``"score: 12-20; me: barsega"``), or a
    position or a play of a record, from which its first hand is played on.

    ``lang`` is ``en`` or ``it``.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.
    """


@verb("combine")
def combine(
    files: Sequence[str | Path], *,
    policy: Annotated[str | Sequence[str], Option(
        "Allow the files to use a policy of your own, whose code is run: FILE.py:FUNCTION; repeatable.",
        metavar="POLICY", part="execution", group="line_ups", many=True)] = (),
    output: Annotated[Output, {"help": "Write the whole table to a parquet file."}] = None,
    force: Annotated[Force, {"help": "Replace the file of -o."}] = False,
) -> "Result":  # fmt: skip
    """Merge files of one request that hold different hands or games: the result of one run over all of them.

    They are files of ``simulate``, ``games``, ``compare`` or ``tournament``, each made with another ``first_hand`` or
    ``first_game``, complete or interrupted, in any order. Hands between others that no file holds are left out; the
    metadata (``gaps``) and a remark say which. ``output`` writes the table, byte for byte that of one run.

    No code that a file names is run: where the files are of a policy of your own, name it with ``policy``, as
    ``"my_players.py:best"``. Its source must be the one that made the files.

    Raises ``InputError`` for hands that are in two files, files of different requests, code or versions, a policy of
    your own that ``policy`` does not name, and an ``output`` that exists already, unless ``force`` replaces it.
    """


@verb("plot")
def plot(
    result: "Result | str | Path | Sequence[Result | str | Path]", *,
    output: Annotated[str | Path | None, look(
        "The chart, a .png, .svg or .pdf.", "FILE", "FILE with the ending .png", short="-o")] = None,
    figure: Annotated[str | None, look("One of its figures, as listed above.", "NAME", "the first")] = None,
    lang: Lang = "en",
    rows: Annotated[str | Sequence[str], look(
        "Only these rows, in this order; repeatable, or with commas.", "NAME", many=True)] = (),
    all: Annotated[bool, look("Show every row, not the eight that tell most.")] = False,
    sort: Annotated[str, look("The largest row first, or by name; none: as it is.", "size|name|none")] = "none",
    highlight: Annotated[str | Sequence[str], look(
        "Let this row stand out among the others; repeatable, or with commas.", "NAME", many=True)] = (),
    reference: Annotated[float | str | None, look("A line at a number of the axis.", "VALUE[=NAME]")] = None,
    label: Annotated[str | Sequence[str], look(
        "Call a row or a series otherwise; repeatable.", "OLD=NEW", many=True)] = (),
    title: Annotated[str | None, look("Title of the chart.", "TEXT", "what the chart shows")] = None,
    subtitle: Annotated[str | None, look("Text under the title.", "TEXT", "the quantity and its unit")] = None,
    caption: Annotated[str | None, look("Text under the chart.", "TEXT")] = None,
    footer: Annotated[bool, look("Leave out the line on the method.")] = True,
    size: Annotated[str | None, look(
        "90 mm or 170 mm of print, 1080 or 390 px of a screen.", "column|page|screen|phone", "page")] = None,
    width: Annotated[float | str | None, look("Width, from 90mm on, as 90mm, 3.6in, 7.2 (inches).", "WIDTH")] = None,
    theme: Annotated[str, look("Colours for a light or a dark page, or grey for print.", "light|dark|grey")] = "light",
    font: Annotated[str, look("An installed font.", "NAME")] = "DejaVu Sans",
) -> "Chart":  # fmt: skip
    """A chart of a result or of its file, as a matplotlib figure; the same result gives the same chart.

    Several results of ``simulate``, ``games`` or ``odds`` stand in one chart, a row or a group of rows each, called by
    what differs.

    ``output`` writes it as png, svg or pdf, by its ending, the same bytes every time. ``figure`` names one of the
    result's figures; a wrong name lists them. ``lang`` is ``en`` or ``it``.
    ``title`` and ``subtitle`` replace what the chart says of itself, ``caption`` stands under it, and ``footer=False``
    leaves out the line on the method. ``rows`` names the rows to show, ``all=True`` shows every row, and
    ``label="OLD=NEW"``, or several, calls a row or a series otherwise. ``width`` is in inches, or a text as ``90mm`` or
    ``3.75in``. ``size`` is ``column``, ``page`` (the usual), ``screen`` or ``phone``, with type to match; ``theme`` is
    ``light``, ``dark`` or ``grey``. ``font`` is one that is installed here; letters that it lacks are those of the
    usual font.

    ``sort`` is ``size``, the largest first, ``name``, or ``none``, the figure's own order. ``highlight`` names rows
    that stand out, while the others are grey. ``reference`` draws a line at a number as the axis has it, ``33.3`` for
    33.3%, or at ``"33.3=a fair share"`` with a name. The figure's ``alt`` says in words what it shows.

    Raises ``InputError`` if an argument is invalid, in one line that names it as the command line does.
    """


@verb("report")
def report(
    sections: "Section | str | Path | Sequence[Section | str | Path]", *,
    output: Annotated[str | Path, look("The folder of the pages.", "DIR", short="-o", read=path_of)],
    choose: str | Path | Sequence[str | Path] = (),
    title: Annotated[str | None, look("Title of the pages.", "TEXT", "Cirulla in numbers", read=text_of)] = None,
    lang: Lang = "en",
    date: Annotated[str | None, look("The day that the pages name.", "YYYY-MM-DD", "none", read=unread)] = None,
    force: Annotated[bool, look("Write into a folder that has other files, which stay.")] = False,
) -> Path:  # fmt: skip
    """Write a folder of static pages on results: findings, a page a file with its charts and table, a glossary.

    ``sections`` are result files, or pages put together of several, with a question and its answer. The first pages are
    in ``lang``; the other language has a folder in it. Readers can choose from the house rules that were compared in
    the sections' files or in those of ``choose``. The pages require no server and no network. The same files, ``title``
    and ``date`` (``YYYY-MM-DD``; none is named unless given) give the same bytes. The folder appears whole or not at
    all; one that has other files is written into with ``force`` only, and they stay.

    Returns the front page. Raises ``InputError`` if an argument is invalid, in one line that names it as the command
    line does.
    """
