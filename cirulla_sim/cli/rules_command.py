"""``cirulla-sim rules``: list, show and diff presets; new and check for files of rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from ..core.arguments import choice
from ..core.errors import InputError, unknown
from ..core.locale import language
from ..core.messages import Message
from ..ruleset.catalogue import catalogue, check, format_value, house_names, preset_names, says, valid_values
from ..ruleset.doubts import Doubt
from ..ruleset.how_to_play import field_sentence
from ..ruleset.presets import assignment, build, is_file, means_something, read_rules
from ..ruleset.rule_set import RuleSet, choose, credit
from ..storage.atomic_files import whole_file
from ..verbs.functions import FORM, LANG
from ..verbs.options import OneOf, Option, options_of
from .commands import ask_player, items, options
from .verbs import VERBS

RULES = [option for option in options_of("simulate") if option.part == "rules"]
PLAYERS = next(option for option in RULES if option.name == "players")
RULES_FORMAT = replace(
    FORM, help="text, toml or json.", read=OneOf("format", ("text", "toml", "json")), default="text"
)  # fmt: skip


@click.group("rules", no_args_is_help=False, epilog=VERBS["rules"].epilog)
def command() -> None:
    """List, show and compare rule sets: presets, house rules, single fields; write and check files of your own."""


@command.command("list")
@options(LANG)
def list_rules(lang: str) -> None:
    """List presets, house rules, and the values of each field that a source gives, with the sources."""
    data, say = catalogue(), language(lang).translate
    click.echo(say("Presets (--rules NAME)"))
    for name, spec in data["preset"].items():
        players = say(Message("{seats} players", spec["seats"]))
        click.echo(f"  {name:<22} {players:<17} {say(spec['title'][0])} [{say(credit(spec['source']))}]")
    click.echo("\n" + say("House rules (--house NAME, on any preset)"))
    for name, spec in data["house"].items():
        click.echo(f"  {name:<22} {say(spec['title'][0])} [{say(credit(spec['source']))}]")
    click.echo("\n" + say("Fields (--rule FIELD=VALUE)"))
    part = ""
    for name, spec in data["field"].items():
        if spec["part"] != part:
            part = spec["part"]
            click.echo(f"  {say(part)}")
        click.echo(f"    {name:<22} {say(valid_values(name))}")
        given = (f"{value} [{say(credit(source))}]" for value, source in spec["source"].items())
        click.echo(f"    {'':<22} " + " · ".join(given))
    click.echo("\n" + say("Sources"))
    for number, title in data["sources"].items():
        click.echo(f"  {number}  {say(title)}")


def _rule_sets(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Presets and house rules, for the shell."""
    return items([*preset_names(), *house_names()], incomplete)


@command.command("show")
@click.argument("name", required=False, shell_complete=_rule_sets)
@options(*RULES, RULES_FORMAT, LANG)
def show_rules(name: str | None, form: str, lang: str, **arguments: Any) -> None:
    """Show a whole rule set in plain words, each line with its source; as toml, a start for a file of your own.

    NAME is a preset, a file ending in .toml, or a house rule (shown on the preset of --rules).
    """
    if name is not None and name in catalogue()["house"]:
        arguments["house"] = (*arguments["house"], name)
    elif name is not None:
        _known(name)
        if arguments["rules"] not in (None, "cirulla", name):
            raise InputError(
                "NAME {name!r} and --rules {rules!r} are two rule sets (give one, or a house as NAME)",
                name, arguments["rules"],
            )  # fmt: skip
        arguments["rules"] = name
    chosen = choose(**arguments)
    if form == "json":
        click.echo(json.dumps(asdict(chosen.fields)))
    else:
        click.echo(chosen.toml() if form == "toml" else chosen.text(lang))


@command.command("diff")
@click.argument("first", shell_complete=_rule_sets)
@click.argument("second", shell_complete=_rule_sets)
@options(PLAYERS, LANG)
def diff_rules(first: str, second: str, players: int | None, lang: str) -> None:
    """Show the fields in which two rule sets differ, with their sources: presets, files, or house rules on cirulla."""
    one, other = _named(first, players), _named(second, players)
    different, say = one.differences(other), language(lang).translate
    if not different:
        click.echo(say(Message("{first} and {second} are the same rules.", first, second)))
        return
    wide = max(len(field) for field in different)
    for field, value in different.items():
        theirs = getattr(other.fields, field)
        click.echo(f"{field:<{wide}}  {first}: {format_value(value)} · {second}: {format_value(theirs)}")
        click.echo(f"{'':<{wide}}    {say(says(field, value, one.fields))} [{say(credit(one.sources[field]))}]")
        click.echo(f"{'':<{wide}}    {say(says(field, theirs, other.fields))} [{say(credit(other.sources[field]))}]")


FORCE = Option("Replace a file that is there.", part="files", name="force", default=False)
GAMES = 300
"""Games that ``check`` simulates."""
LONG_GAME = 15
"""Hands of a game above which it is said to be long; the presets have at most eleven."""
OFTEN_CHANGED = {
    True: ("target", "matta", "table_low", "hand_low", "hand_triple", "ace_blocked", "piccola_max", "all_diamonds"),
    False: ("target", "equal_first", "ace_sweep", "last_card_scopa", "primiera", "piccola_max", "all_diamonds"),
}
"""The rules that ``new`` asks for, in games with sets of cards that earn a bonus, and in the others."""


@command.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@options(*RULES, FORCE, LANG)
@click.pass_context
def new_rules(context: click.Context, /, file: Path, force: bool, lang: str, **arguments: Any) -> None:
    """Write a file of rules to edit, each with a line that says what it does and what else is possible.

    FILE is a name that ends in .toml. Without options you are asked which game is nearest, and for the rules that
    people change most. The file is taken by --rules FILE everywhere; then let check FILE explain it.
    """
    if not is_file(file.name):
        raise InputError("FILE {file!r} is not valid (valid: a name that ends in .toml)", file)
    if file.exists() and not force:
        raise InputError("{path}: there is such a file (valid: another name, or --force to replace it)", file)
    say = language(lang).translate
    given = any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in arguments)
    chosen = choose(**arguments) if given else _chosen_by_questions(say)
    with whole_file(file) as part:
        part.write_text(chosen.commented_toml(file.name, lang), "utf-8")
    click.echo(say(Message("Written: {file}. Check it with: cirulla-sim rules check {file}", file)))


def _chosen_by_questions(say: Callable[[str], str]) -> RuleSet:
    """Rules by questions; Enter keeps what stands in brackets, and so does the end of the input."""
    click.echo(say("Which game is nearest to yours? Enter keeps what stands in brackets."))
    for name, spec in catalogue()["preset"].items():
        click.echo(f"  {name:<22} {say(spec['title'][0])}")
    preset = _answer(say, "game", "cirulla", partial(choice, "game", "preset", names=preset_names()))
    seats = [str(number) for number in catalogue()["preset"][preset]["seats"]]
    players = str(build(preset).players)
    if len(seats) > 1:
        click.echo(say(Message("How many players? {seats}", seats)))
        players = _answer(say, "players", players, partial(choice, "players", "number of players", names=seats))
    changes: dict[str, Any] = {}
    rules = build(preset, int(players))
    for field in OFTEN_CHANGED[rules.hand_bonuses]:
        rules = build(preset, int(players), changes=changes)
        if not means_something(rules, field):
            continue
        now = getattr(rules, field)
        click.echo(f"\n{say(field_sentence(rules, field))}")
        for value in catalogue()["field"][field]["source"]:
            if value != format_value(now):
                click.echo(f"  {value}: {say(says(field, check(field, value), rules))}")
        click.echo(f"  {say(Message('valid: {values}', valid_values(field)))}")
        changes[field] = _answer(say, field, format_value(now), partial(check, field))
    return choose(preset, players, (), changes)


def _answer(say: Callable[[str], str], name: str, now: str, read: Callable[[str], Any]) -> Any:
    """What a person answers, as ``read`` reads it; asked again until it is valid."""
    while True:
        try:
            return read(ask_player(f"{name} [{now}]: ") or now)
        except InputError as error:
            click.echo(say(error.message))


@command.command("check")
@click.argument("name", metavar="FILE", shell_complete=_rule_sets)
@options(PLAYERS, LANG)
def check_rules(name: str, players: int | None, lang: str) -> None:
    """Say how a file of rules is played, from the deal to the end, what differs from its preset, and what is doubtful.

    FILE is a file ending in .toml, a preset, or a house rule (on cirulla). Differences are from the preset that the
    file names, or from cirulla.
    """
    chosen, say = _named(name, players), language(lang).translate
    lines = read_rules(Path(name)).lines if is_file(name) else {}
    click.echo(f"{say(Message('How {name} is played', name))}\n")
    click.echo(chosen.how_to_play(lang))
    other = "cirulla" if name in preset_names() else chosen.preset
    base = build(other, chosen.fields.players)
    every = chosen.fields.differences(base)
    different = {field: value for field, value in every.items() if means_something(chosen.fields, field)}
    click.echo(
        "\n" + say(Message("What differs from {preset}" if different else "Nothing differs from {preset}.", other))
    )
    for field, value in different.items():
        click.echo(f"  {assignment(field, value)}: {say(field_sentence(chosen.fields, field))}")
        click.echo(f"    {other}: {say(field_sentence(base, field))}")
    doubts = [*chosen.doubts, *_played(chosen, say)]
    click.echo("\n" + say("What is doubtful" if doubts else "Nothing is doubtful."))
    for field, text in doubts:
        place = say(Message("line {line}, {field}", lines[field], field)) if field in lines else field
        click.echo(f"  {place}: {say(text)}")


def _played(chosen: RuleSet, say: Callable[[str], str]) -> list[Doubt]:
    """Say how long a game is by simulation; a doubt where it is very long, or cannot be played to its end."""
    from ..verbs.functions import games  # here for the sake of list, show and diff

    try:
        mean = games(rules=chosen, policy="greedy", games=GAMES, progress=False)["hands", "all"].value
    except InputError as error:
        return [Doubt("target", error.message)]
    length = Message("A game takes {hands:.1f} hands on average ({games} games of greedy players).", mean, GAMES)
    click.echo(f"\n{say(length)}")
    return [Doubt("target", Message("A game of {hands:.0f} hands is long.", mean))] if mean > LONG_GAME else []


def _named(name: str, players: int | None) -> RuleSet:
    _known(name)
    return choose(None, players, (name,)) if name in catalogue()["house"] else choose(name, players)


def _known(name: str) -> None:
    names = [*preset_names(), *house_names()]
    if not name.endswith(".toml") and name not in names:
        raise unknown("preset or house rule", name, names)
