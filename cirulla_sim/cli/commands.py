"""The commands: options built from those of the verbs, what help says, and what each command runs.

The command line has no names, defaults or checks of its own. What a verb runs is imported when it runs, so that
``--help`` is instant.

Examples of each verb, as its help shows them; a test runs them one after another in a folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from ..core.arguments import FORMATS
from ..core.cards import check_suits
from ..core.errors import InputError, NotWritten, meant
from ..core.locale import language, preferred
from ..core.messages import Message
from ..verbs import functions
from ..verbs.functions import LANG, NUMBER, ONLY, options_of
from ..verbs.options import GROUPS, OneOf, Option, whole

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..reporting.result import Result


Callback = Callable[..., Any]

WIDEST = 32
"""Characters of an option with its value beside which help has a sentence; it is below longer ones."""


FORM = Option("table, json, csv, markdown, latex or html; json is the whole table for programs.",
              OneOf("format", FORMATS), "NAME", "display", flag="--format", name="form", default="table")  # fmt: skip
DISPLAY = (
    FORM, LANG, Option("Show every row.", part="display", name="all", default=False),
    Option("The whole table with the names and digits that programs read.", part="display", name="raw", default=False),
)  # fmt: skip
ALT = Option("Print what the chart shows in words, for readers who cannot see it; it is drawn only with -o.",
             part="display", name="alt", default=False)  # fmt: skip
VERBOSE = Option("Also say how the answer was made: control variates, intervals, fallbacks, the compiler.",
                 part="display", short="-v", name="verbose", default=False)  # fmt: skip


class OptionParameter(click.Option):
    """An option of a verb on the command line, None if it is not given: its function has the default.

    A value stays as it is typed if a public function reads it; otherwise (``reads``) the option reads it here.
    """

    def __init__(self, option: Option, *_: Any, reads: bool = True) -> None:
        self.option, self.reads = option, reads
        names = [name for name in (option.short, option.flag, option.name) if name]
        if option.switch:
            kind: dict[str, Any] = {"flag_value": False, "default": True} if option.default else {"is_flag": True}
        else:
            default = preferred if option.name == "lang" else option.default if reads else None
            kind = {"type": str, "required": True} if option.required else {"type": str, "default": default}
        super().__init__(names, metavar=option.metavar, multiple=option.many, **kind)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        given = super().type_cast_value(ctx, value)
        if self.option.switch or given is None:
            return given
        if not self.reads:
            return given
        flag = self.option.short or self.option.flag
        return tuple(self.option.read(flag, text) for text in given) if self.multiple else self.option.read(flag, given)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its sentence with the default, as 60 and not 60.0, which click would put in brackets."""
        option, default = self.option, self.option.shown or self.option.default
        self.help = option.help
        if not (option.switch or option.required or default in (None, ())):
            self.help += f"  [default: {f'{default:g}' if isinstance(default, float) else default}]"
        return super().get_help_record(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that the option takes, or files."""
        found = items(self.option.names(), incomplete)
        takes_files = "FILE" in (self.option.metavar or "")
        return found or (click.Path().shell_complete(ctx, self, incomplete) if takes_files else [])


def items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that begin as what is typed, as the shell completes it."""
    from click.shell_completion import CompletionItem  # here for the sake of every other start

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def option_for(command: click.Command, word: str) -> str:
    """The option of a command that takes a word as its value, with it; empty where none does.

    >>> option_for(command_of("compare"), "no-matta"), option_for(command_of("compare"), "target")
    ('--house no-matta', '--rule target=VALUE')
    """
    for option in [parameter.option for parameter in command.params if isinstance(parameter, OptionParameter)]:
        for name in option.names():
            if name.removesuffix("=") == word:
                return f"{option.flag} {name}" + ("VALUE" if name.endswith("=") else "")
    return ""


class Grouped(click.Command):
    """A command whose help has its options under headings."""

    def option_groups(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """What help says of each option, as ``--hands N`` and a sentence, by heading."""
        found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in GROUPS.values()}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                usual = "question" if parameter.name == "listed" else "display"
                group = parameter.option.group if isinstance(parameter, OptionParameter) else usual
                found[GROUPS[group]].append(record)
        return {heading: records for heading, records in found.items() if records}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:

        self.epilog = epilog(self.name or "")
        super().format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = self.option_groups(ctx)
        width = max(len(name) for records in groups.values() for name, _ in records if len(name) <= WIDEST)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in records], col_max=WIDEST)


def options(*several: Option) -> Callable[[Callback], Callback]:
    """A decorator that gives a command's function these options."""

    def decorate(run: Callback) -> Callback:
        for option in reversed(several):
            parameter: Any = partial(OptionParameter, option)
            run = click.option(cls=parameter)(run)
        return run

    return decorate


def show(result: Result, form: str, **display: Any) -> None:
    """Print a result, then its remarks to stderr, with --verbose the method too, and end with its exit code."""
    from ..reporting.result import as_text  # here for the sake of --help

    try:
        click.echo(as_text(result, form, **display))
    except BrokenPipeError:  # whoever reads it has read enough; what is left goes nowhere
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    verbose = click.get_current_context().params.get("verbose")
    for text in (*(result.method if verbose else ()), *result.remarks):
        remark(text, display["lang"])
    raise click.exceptions.Exit(result.exit_code)


def log_to_stderr() -> None:
    """Show what the package logs, from ``INFO`` on."""
    import logging  # here for the sake of --help

    logger = logging.getLogger("cirulla_sim")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("cirulla-sim: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    click.get_current_context().call_on_close(lambda: logger.removeHandler(handler))


def remark(text: str, lang: str) -> None:
    """Print a remark to the standard error; one that is closed or full does not end the program."""
    with suppress(OSError, ValueError):
        click.echo(language(lang).translate(text), err=True)


# ------------------------------------------------------------------------------------------------ what they run


def run_verb(verb: str, form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    try:
        result = getattr(functions, verb)(**arguments)
    except NotWritten as error:
        from ..reporting.result import Result, as_text

        click.echo(as_text(Result.of(error.result), form, lang=lang, raw=raw, all=all))
        raise
    show(result, form, lang=lang, raw=raw, all=all)


def run_odds(listed: bool, question: tuple[str, ...] = (), **arguments: Any) -> None:
    if listed:
        functions.arguments_of("odds", arguments)  # an option that is not valid is refused here too
        click.echo(listing(" ".join(question), arguments["lang"]))
    else:
        run_verb("odds", question=question, **arguments)


def listing(word: str, lang: str) -> str:
    """The functions in which a word occurs, by group, with an example and a sentence each.

    >>> print(listing("whether nobody wins", "en"))
    A game
    ties_game                           whether nobody wins the game (patta_partita)
    """
    from ..questions.vocabulary import ARGUMENTS, in_italian, listed, nearest

    found = listed(word, italian=lang == "it")
    texts = list(ARGUMENTS.items())[4:] if lang == "it" else list(ARGUMENTS.items())[:4]
    lines = [
        fill(f"{name + ':':<11} {text}", 120, subsequent_indent=" " * 12)
        for name, text in texts if word.lower() in text
    ]  # fmt: skip
    if not found and not lines:
        near = nearest(word)
        hint = meant(near[0]) if near else ""
        raise InputError("--list {word!r}: no function with this word{hint} (valid: odds --list)", word, hint)
    for group, members in found.items():
        lines += ["", group] if lines else [group]
        for function in members:
            about, other = (function.it, function.name) if lang == "it" else (function.about, function.italian)
            example = in_italian(function.example) if lang == "it" else function.example
            lines.append(fill(f"{example:<35} {about} ({other})", 120, subsequent_indent=" " * 36))
    return "\n".join(lines)


def run_games(**arguments: Any) -> None:
    if arguments["win_table"] and "output" not in arguments:
        raise InputError("--win-table requires a file to write to (add -o FILE.parquet)")
    run_verb("games", **arguments)


def run_show(hands: int, form: str, lang: str, play: int | None = None, number: str = "0", **arguments: Any) -> None:
    from ..advice.decision_points import read_at
    from ..verbs.show import situation_before

    first = NUMBER.read(NUMBER.flag, number)
    for index in range(first, first + hands):
        played = functions.hand(number=index, **arguments)
        _, recorded = read_at(arguments.get("at"), arguments.get("me"))
        play = recorded.play if recorded is not None else play
        if play is not None:
            click.echo(situation_before(played, play, lang))
        else:
            click.echo(played.json() if form == "json" else ("\n\n" if index > first else "") + played.text(lang))


def run_play(**arguments: Any) -> None:
    from .terminal import answer, write

    functions.play(write, answer, **arguments)


def run_table(file: str, form: str, only: str | None = None, **display: Any) -> None:
    from ..reporting.result import as_text, read, showing

    result = read(file, only=only)
    with showing(file):
        text = as_text(result, form, **display)
    click.echo(text)


def run_describe(file: str, lang: str) -> None:
    from ..reporting.result import read, showing

    result = read(file)
    with showing(file):
        text = result.describe(lang)
    click.echo(text)


def run_plot(files: tuple[str, ...], lang: str, alt: bool, output: str | None = None, **look: Any) -> None:
    for file in files:
        if Path(file).is_dir():
            raise InputError("{path!r} is a folder (name a result file in it)", file)
    target = Path(files[0]).with_suffix(".png") if output is None and not alt else output
    chart = functions.plot(files, output=target, lang=lang, **look)
    if alt:
        click.echo(chart.alt)
    if target is not None:
        remark(Message("Written: {path}", Path(target)), lang)


def run_report(files: tuple[str, ...], lang: str, **values: Any) -> None:
    remark(Message("Written: {path}", functions.report(files, lang=lang, **values)), lang)


def run_warmup(lang: str) -> None:
    from ..verbs.warmup import warm_up

    seconds, folder = warm_up()
    if folder is None:
        text = Message(
            "Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again.", seconds
        )
    else:
        text = Message("Ready in {seconds:.1f} s; compiled code is kept in {folder}", seconds, folder)
    click.echo(language(lang).translate(text))


# ------------------------------------------------------------------------------------------------ as data

RESULT_FILE = click.Path(readable=False)
"""Completed by the shell; whoever reads the file says what is wrong with it."""


@dataclass(frozen=True)
class Verb:
    """What the help of a verb says, its arguments besides options, what it runs, and the options of the command alone.

    By default it shows the result of its public function. Help has options whose names are in ``last`` in this order.
    """

    help: str
    arguments: tuple[Callable[[Callback], Callback], ...] = ()
    run: Callback | None = None
    options: tuple[Option, ...] = (*DISPLAY, VERBOSE)
    last: tuple[str, ...] = ()


TEXTS = {
    "odds": Verb(
        """Answer questions about cards dealt, hands played and games: exactly where that can be counted.

        A QUESTION is an expression of functions of who, when and with what, in English or Italian: barsega,
        "sevens >= 2", "sweeps(dealer, stage 2) > 0", "mean(points(us, primiera))", "max(points(us))", "wins(us) given
        barsega(me)". --list shows the functions, --list WORD those in which a word occurs. Several questions share the
        same hands. Without a QUESTION: the bonuses of three cards held and of the table, and misdeals.

        What you ask decides what is counted or simulated: cards held, a deal, a hand or a game played by --policy. The
        last line of the answer says which. What is too much to count is simulated, and shown with its interval.

        --at says what you know: cards of a deal, or a position in mid-hand. There you ask what the other players can
        do, as "can_sweep(next)", "holds(next, 7d)", or how the hand ends, as "wins(us)". Players are me, next, partner,
        previous, or first, second, third, dealer; --me says where you sit.
        """,
        (
            click.argument("question", nargs=-1),
            click.option("--list", "listed", is_flag=True,
                         help="List the functions; with a word, those in which it occurs."),
        ),
        run_odds,
    ),
    "advise": Verb(
        """Judge every choice of your turn: a set to show, the matta's value, a card; the best first.

        --at is the position before your play: 'table: Jd 4c; me: Kd Kh 2c; captured us: 7d', or a play of a hand
        record, FILE#HAND.PLAY: only what that player knew is used, or with --open everything.

        The unseen cards are dealt as they may lie, again and again, and everybody plays on by --policy. It ends when
        the best play is separated from all others, or with --time. The same --samples and --seed give the same advice.
        """
    ),
    "simulate": Verb(
        """Simulate many hands: bonuses, knocks, points by category and scores, each with its 95% interval.

        The terminal shows a headline and the first rows; --all shows every row, and the file of -o has them all.
        """
    ),
    "games": Verb(
        """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

        Sides are named by the first dealer. The terminal leaves out distributions; --all shows every row, and the file
        of -o has them all.

        A score, as --at 'score: 38-41', asks for our chance to win from there. It and --win-table solve for the chances
        from the points of simulated hands; --policy names the sides there, as 'us=search, them=careful'. Between more
        than two sides, whose scores come in the order of play, and in knock-outs, --games games are played out from the
        score.
        """,
        run=run_games,
    ),
    "play": Verb(
        """Play against the policies: cards shown, legal plays by number, sets to knock with, undo, hints, the score
        sheet.

        Two players unless --players says otherwise. The game is saved as hand records: show --record reads
        them. Leave at any time; the same command resumes the game. A policy of your own is imported only if this
        command names it.
        """,
        run=run_play, options=(),
    ),
    "show": Verb(
        """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

        The hand is the one that simulate plays under the same rules, line-up and seed. With --coach each play is judged
        by what its player knew: how much it loses against the best, where everybody plays on as careful. With --record
        hands of a file are shown, those of a game played at the terminal too.

        With --play, or --at FILE#HAND.PLAY, it prints what the player knew before that play, to be given to --at.
        """,
        run=run_show,
        options=(
            Option("Show only the situation before this play of the hand, from 1, to be given to --at.", whole(1, 40),
                   "N", "display", "effort", name="play"),
            Option("How many hands.", whole(1, 10**6), "N", "display", "effort", name="hands", default=1),
            replace(FORM, help="text, or json: a record a line.", read=OneOf("format", ("text", "json")),
                    default="text"),
            LANG,
        ),
        last=("seed", "number", "play", "hands", "samples"),
    ),
    "compare": Verb(
        """Measure what house rules or whole rule sets change, each on the same deals with the same random numbers.

        The terminal shows what each rule set changes: points a hand, the dealer's margin, hands that the dealer's side
        wins, with 95% intervals, and the share of hands that change at all. The file of -o holds every quantity;
        differences come with their gain in precision over unpaired runs and with Holm-adjusted p-values. With several
        line-ups, rows of kind interaction show how much more a rule changes for each line-up than for the first.
        """
    ),
    "tournament": Verb(
        """Play every policy against every other on the same deals with sides exchanged, and rank them.

        The table shows points a hand over the opponent, the chance of winning a game, and the ranking, with 95%
        intervals. With three sides or more, each policy in turn is alone against the other in every place.

        --until-decided tests each pairing after 500 deals, 1000 and so on, and stops it when one policy is ahead or
        neither is by 0.1 points a hand; either verdict is wrong in at most 5 of 100 pairings.

        The file of -o stores the scores by deal, so that it can be resumed with more --hands or --until-decided.
        """
    ),
    "table": Verb(
        """Print FILE, a result file, as a table: as when it was made, or in another format or language.

        markdown, latex (booktabs) and html have words, percent, "1 in n" and ± for intervals; csv has plain numbers for
        spreadsheets; --raw has the names and digits of the file.
        """,
        (click.argument("file", metavar="FILE", type=RESULT_FILE),),
        run_table, options=(ONLY, *DISPLAY),
    ),
    "describe": Verb(
        """Say in a few sentences what FILE shows, how precisely, for which players it holds, and what it does not show.

        Every number is the file's own.
        """,
        (click.argument("file", metavar="FILE", type=RESULT_FILE),),
        run_describe, options=(LANG,),
    ),
    "plot": Verb(
        """Draw a chart of FILE, a result file of simulate, odds, compare, games, tournament or a study.

        The title is a finding of the figure, tested. A figure shows eight rows or nine, those with the largest effects,
        and says how many others there are; --all shows every row, --rows those that you name. Several files of
        simulate, of games or of odds stand in one chart, called by what they differ in: policies, rules, players.

        Figures, the first that has something to show unless --figure names another:

        \b
        simulate    points, wins, bonuses, scores, primiera
        odds        odds
        compare     points, categories, margin, wins, spread, games, hands,
                    leads, winners, changed; of nights: wins, ties, undefeated,
                    hands, minutes, misdeals, cappotti
        tournament  strength, pairs
        games       wins, hands, winning_margin, lead_changes, comeback;
                    of --win-table: we-deal, they-deal; of a score: chance
        several --policy
                    of simulate and games: margin, wins, games, points,
                    categories, hands, leads; of compare: points, margin, wins,
                    spread, games, hands, leads

        Type is at least 7 pt, on screens 12 px. The same file gives the same chart, byte for byte.
        """,
        (click.argument("files", metavar="FILE...", type=RESULT_FILE, nargs=-1, required=True),),
        run_plot, options=(ALT,),
    ),
    "report": Verb(
        """Write a folder of pages on result files: findings, charts, tables that sort, a glossary, how to reproduce
        them.

        The pages require no server and no network. They are in English and Italian, light and dark, for screens, phones
        and print. House rules that compare measured can be chosen from.
        """,
        (click.argument("files", metavar="FILE...", type=RESULT_FILE, nargs=-1, required=True),),
        run_report, options=(),
    ),
    "combine": Verb(
        """Merge files of one request that hold different hands: the table of one run over all of them, byte for byte.

        They are files of simulate, games (also --win-table and a score), compare or tournament, each made with another
        --first-hand or --first-game, complete or interrupted. Hands that no file holds are left out, and a remark says
        which. A hand in two files, or a file of another request, is an error.
        """,
        (click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."),),
    ),
    "warmup": Verb(
        """Compile everything ahead of time, so that the first question of the day is answered at once.""",
        run=run_warmup, options=(LANG, VERBOSE),
    ),
}  # fmt: skip


def check_typed_cards(given: Mapping[str, Any]) -> None:
    """Raise ``InputError`` for a card in a situation or question whose suit is not clear in the reader's language."""
    written = {}
    for name in ("at", "question", "given", "by"):
        texts = given.get(name, ())
        text = texts if isinstance(texts, str) else "; ".join(texts)
        file, marked, besides = text.partition("#")  # a play of a record, which may have any name
        written["" if name == "question" else f"--{name}: "] = besides if marked else file
    check_suits(written, given.get("lang", "en"))


def command_of(verb: str) -> click.Command:
    """The command of a verb: the options of its public function, which reads them, and those of the command alone."""
    spec = TEXTS[verb]
    parameters = [OptionParameter(option, reads=False) for option in options_of(verb)]
    parameters += [OptionParameter(option) for option in spec.options]
    if spec.last:
        parameters.sort(key=lambda parameter: spec.last.index(parameter.name) if parameter.name in spec.last else -1)

    def run(**values: Any) -> None:
        if values.pop("verbose", False):
            log_to_stderr()
        given = {name: value for name, value in values.items() if value not in (None, ())}
        check_typed_cards(given)
        (spec.run or partial(run_verb, verb))(**given)

    for argument in reversed(spec.arguments):
        run = argument(run)
    command = click.command(verb, cls=Grouped, help=spec.help)(run)
    command.params += parameters
    return command


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
        "cirulla-sim rules show piccola-seven",
        "cirulla-sim rules diff cirulla cirullone",
        "cirulla-sim rules new my_club.toml --rules scopa --players 4",
        "cirulla-sim rules check my_club.toml",
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
