"""The commands that a table of options is enough for: what each says of itself, what it runs, and its arguments.

The module of a verb is imported when its command runs, so that ``--help`` is instant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from .build import Run, show, verb_command

HELP = {
    "simulate": """
    Simulate many hands: bonuses, knocks, points by category and scores, each with its 95% interval.

    The terminal shows a headline and the first rows; --all shows every row, and the file of -o has them all.
    """,
    "games": """
    Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are named by the first dealer. The terminal leaves out distributions; --all shows every row, and the file of
    -o has them all.

    --from answers one question: our chance to win from a score. It and --win-table solve for the chances from the
    points of simulated hands; --policy names the sides there, as 'us=search, them=careful'. Between more than two
    sides, whose scores come in the order of play, and in knock-outs, --from plays --games games out.
    """,
    "tournament": """
    Play every policy against every other on the same deals with sides exchanged, and rank them.

    The table shows points a hand over the opponent, the chance of winning a game, and the ranking, with 95% intervals.
    With three sides or more, each policy in turn is alone against the other in every place.

    --until-decided tests each pairing after 500 deals, 1000 and so on, and stops it when one policy is ahead or neither
    is by --delta points a hand; either verdict is wrong in at most 5 of 100 pairings.

    The file of -o stores the scores by deal, so that it can be resumed with more --hands or --until-decided.
    """,
    "advise": """
    Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Describe what you see: --table, --holding (before you play), and --seen or --piles, the cards gone. Or name a play
    of a hand record (--record, --play): only what that player knew is used, or with --open everything. Without --play
    every play of the record is judged: what was lost, and what each side's margin is made of, luck and errors.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by --policy. It ends when the
    best play is separated from all others, or with --time. The same --samples and --seed give the same advice.
    """,
    "play": """
    Play against the policies: cards shown, legal plays by number, sets to knock with, undo, hints, the score sheet.

    Two players unless --players says otherwise. The game is saved as hand records: show --record and advise --record
    read them. Leave at any time; the same command resumes the game. A policy of your own is imported only if this
    command names it.
    """,
    "odds": """
    Chances of dealt cards, of hands and of games as they are played.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the words of --of, English or Italian: barsega, "sevens >= 2", "low and 10d"; of a deal "knocks = 0", of a hand
    "won_us" or "scope_us > 3" (us: the dealer's side). Several share the same hands. What is too much to count is
    simulated, and shown with its interval.

    In mid-hand, with --table and --holding: what the following players can do, as sweep, 'holds 7d' or 'capture and not
    sweep' (--list --of position), exactly; or how the hand ends, played on by --policy: won_us, "primiera_won_us and
    settebello_us" (us: your side). Every way of dealing the cards you have not seen is equally likely.
    """,
    "compare": """
    Measure what house rules or whole rule sets change, each on the same deals with the same random numbers.

    The terminal shows what each rule set changes: points a hand, the dealer's margin, hands that the dealer's side
    wins, with 95% intervals, and the share of hands that change at all. The file of -o holds every quantity;
    differences come with their gain in precision over unpaired runs and with Holm-adjusted p-values. With several
    line-ups, rows of kind interaction show how much more a rule changes for each line-up than for the first.
    """,
    "combine": """
    Merge files of one request that hold different hands: the table of one run over all of them, byte for byte.

    They are files of simulate, games (also --win-table and --from), compare or tournament, each made with another
    --first-hand or --first-game, complete or interrupted. Hands that no file holds are left out, and a remark says
    which. A hand in two files, or a file of another request, is an error.
    """,
    "plot": """
    Draw a chart of FILE, a result file of simulate, odds, compare, games or tournament.

    Several files of simulate, of games or of odds stand in one chart, a row each, called by what they differ in:
    policies, rules, players. Their figures are those of several --policy.

    Figures, the first of each unless --figure names another:

    \b
    simulate    overview, bonuses, points, scores, primiera
    odds        odds
    compare     overview, points, categories, margin, wins, spread, games,
                hands, leads, changed
    tournament  tournament, matrix, strength
    games       course, hands, winning_margin, lead_changes, comeback;
                of --win-table: chances; of --from: chance
    several --policy
                of simulate and games: strength, categories, margin, wins,
                points, games, hands, leads; of compare: overview, points,
                margin, wins, spread, games, hands, leads

    Type is at least 7 pt, on screens 12 px. The same file gives the same chart, byte for byte.
    """,
    "table": """
    Print FILE, a result file, as a table: as when it was made, or in another format or language.

    markdown, latex (booktabs), html and csv have words, percent, "1 in n" and ± for intervals; --raw has the names and
    digits of the file.
    """,
    "describe": """
    Say in a few sentences what FILE shows, how precisely, for which players it holds, and what it does not show.

    Every number is the file's own.
    """,
    "report": """
    Write one page of result files: charts, tables that sort, for whom they hold and how to make them again.

    In English and Italian, light and dark, for narrow and wide windows and for print; it requires no other file.
    House rules that compare measured for several line-ups (--policy repeated) can be chosen from.
    """,
    "show": """
    Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, line-up and seed. With --coach each play is judged by
    what its player knew: how much it loses against the best, where everybody plays on as careful. With --record hands
    of a file are shown, those of a game played at the terminal too.
    """,
}

FILE = click.argument("file", metavar="FILE")
FILES = click.argument("files", metavar="FILE...", nargs=-1, required=True)
PATHS = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))

ARGUMENTS: Mapping[str, tuple[Callable[[Run], Run], ...]] = {
    "odds": (
        click.argument("question", nargs=-1),
        click.option("--list", "listed", is_flag=True, help="List the words for questions about --of."),
    ),
    "combine": (PATHS,),
    "plot": (FILES,),
    "table": (FILE,),
    "describe": (FILE,),
    "report": (FILES,),
}
"""What commands take besides the options of their verbs."""


def command(verb: str) -> click.Command:
    """The command of a verb; unless it is in ``RUNS``, it prints the result of the verb's public function."""

    def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
        show(getattr(import_module(f"..verbs.{verb}", __package__), verb)(**arguments), form, lang, raw, all)

    return verb_command(verb, RUNS.get(verb, run), HELP[verb], *ARGUMENTS.get(verb, ()))


def _games(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.games import games

    if arguments["win_table"] and arguments["output"] is None and arguments["from_"] is None:
        raise InputError("--win-table requires a file to write to (add -o FILE.parquet)")
    show(games(**arguments), form, lang, raw, all)


def _odds(listed: bool, form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.odds import odds, vocabulary

    if not listed:
        show(odds(**arguments), form, lang, raw, all)
    chosen = {name: arguments[name] for name in ("rules", "players", "house", "rule", "cards")}
    in_mid_hand = arguments["table"] is not None or arguments["holding"] is not None
    of = arguments["of"] or ("position" if in_mid_hand else "holding")
    words = vocabulary(of, in_mid_hand=in_mid_hand, **chosen)
    width = max(len(name) for name, _ in words) + 1
    for name, sentence in words:
        click.echo(f"{name:<{width}} {sentence}")


def _play(**arguments: Any) -> None:
    from ..verbs.play import play

    play(click.echo, _answer, **arguments)


def _answer(prompt: str) -> str | None:
    """What a person answers to a prompt; None at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None


def _plot(files: tuple[str, ...], output: str | None, **look: Any) -> None:
    from ..verbs.plot import plot

    first = Path(files[0])
    chart = Path(output) if output is not None else first if first.is_dir() else first.with_suffix(".png")
    plot(files, output=chart, **look)
    click.echo(f"Written: {chart}", err=True)


def _table(file: str, only: str | None, **display: Any) -> None:
    from ..reporting.result_files import read

    show(read(file, only=only), **display)


def _describe(file: str, lang: str) -> None:
    from ..reporting.result_files import read

    click.echo(read(file).describe(lang))


def _report(files: tuple[str, ...], output: str, title: str | None) -> None:
    from ..verbs.report import report

    click.echo(f"Written: {report(files, output=output, title=title)}", err=True)


def _show(number: int, hands: int, form: str, **arguments: Any) -> None:
    from ..verbs.show import hand

    for index in range(number, number + hands):
        played = hand(number=index, **arguments)
        click.echo(played.json() if form == "json" else ("\n\n" if index > number else "") + played.text())


RUNS: Mapping[str, Run] = {
    "games": _games, "odds": _odds, "play": _play, "plot": _plot, "table": _table, "describe": _describe,
    "report": _report, "show": _show,
}  # fmt: skip
"""What commands run that do more, or other things, than to print a result."""
