"""``cirulla-sim rules``: list, show and diff."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..core.errors import InputError, unknown
from ..core.locale import language
from ..core.messages import Message
from ..ruleset.catalogue import catalogue, house_names, plain, preset_names, says, valid_values
from ..ruleset.rule_set import RuleSet, choose
from ..verbs.functions import LANG, options_of
from ..verbs.options import OneOf
from .commands import FORM, epilog, items, options

RULES = [option for option in options_of("simulate") if option.part == "rules"]
PLAYERS = next(option for option in RULES if option.name == "players")
RULES_FORMAT = replace(
    FORM, help="text, toml or json.", read=OneOf("format", ("text", "toml", "json")), default="text"
)  # fmt: skip


@click.group("rules", no_args_is_help=False, epilog=epilog("rules"))
def command() -> None:
    """List, show and compare rule sets: presets, house rules, single fields, files of your own."""


@command.command("list")
@options(LANG)
def list_rules(lang: str) -> None:
    """List presets, house rules, and the values of each field that a source gives, with the sources."""
    data, say = catalogue(), language(lang).translate
    click.echo(say("Presets (--rules NAME)"))
    for name, spec in data["preset"].items():
        click.echo(
            f"  {name:<22} {say(Message('{seats} players', spec['seats'])):<16} {say(spec['title'])} [{spec['source']}]"
        )
    click.echo("\n" + say("House rules (--house NAME, on any preset)"))
    for name, spec in data["house"].items():
        click.echo(f"  {name:<22} {say(spec['title'])} [{spec['source']}]")
    click.echo("\n" + say("Fields (--rule FIELD=VALUE)"))
    part = ""
    for name, spec in data["field"].items():
        if spec["part"] != part:
            part = spec["part"]
            click.echo(f"  {say(part)}")
        click.echo(f"    {name:<22} {valid_values(name)}")
        click.echo(f"    {'':<22} " + " · ".join(f"{value} [{given}]" for value, given in spec["source"].items()))
    click.echo("\n" + say("Sources"))
    for number, title in data["sources"].items():
        click.echo(f"  {number}  {title}")


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
        click.echo(f"{field:<{wide}}  {first}: {plain(value)} · {second}: {plain(theirs)}")
        click.echo(f"{'':<{wide}}    {say(says(field, value, one.fields))} [{one.sources[field]}]")
        click.echo(f"{'':<{wide}}    {say(says(field, theirs, other.fields))} [{other.sources[field]}]")


def _named(name: str, players: int | None) -> RuleSet:
    _known(name)
    return choose(None, players, (name,)) if name in catalogue()["house"] else choose(name, players)


def _known(name: str) -> None:
    names = [*preset_names(), *house_names()]
    if not name.endswith(".toml") and name not in names:
        raise unknown("preset or house rule", name, names)
