"""``cirulla-sim rules``: list, show and diff."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from ..core.errors import InputError, unknown
from ..ruleset.catalogue import catalogue, plain, says, valid_values
from ..ruleset.rule_set import RuleSet, choose
from ..verbs.options import PLAYERS, RULES, RULES_FORMAT
from .build import options


@click.group("rules", no_args_is_help=False)
def command() -> None:
    """List, show and compare rule sets: presets, house rules, single fields, files of your own."""


@command.command("list")
def list_rules() -> None:
    """List the presets, the house rules and the fields with the values that have a source, and their sources."""
    data = catalogue()
    click.echo("Presets (--rules NAME)")
    for name, spec in data["preset"].items():
        seats = ", ".join(str(n) for n in spec["seats"])
        click.echo(f"  {name:<22} {seats + ' players':<16} {spec['title']} [{spec['source']}]")
    click.echo("\nHouse rules (--house NAME, on any preset)")
    for name, spec in data["house"].items():
        click.echo(f"  {name:<22} {spec['title']} [{spec['source']}]")
    click.echo("\nFields (--rule FIELD=VALUE)")
    part = ""
    for name, spec in data["field"].items():
        if spec["part"] != part:
            part = spec["part"]
            click.echo(f"  {part}")
        click.echo(f"    {name:<22} {valid_values(name)}")
        click.echo(f"    {'':<22} " + " · ".join(f"{value} [{given}]" for value, given in spec["source"].items()))
    click.echo("\nSources")
    for number, title in data["sources"].items():
        click.echo(f"  {number}  {title}")


@command.command("show")
@click.argument("name", required=False)
@options(*RULES, RULES_FORMAT)
def show_rules(name: str | None, form: str, **arguments: Any) -> None:
    """Show a whole rule set in plain words, each line with its source; as toml, a start for a file of your own.

    NAME is a preset, a file ending in .toml, or a house rule (shown on the preset of --rules).
    """
    if name is not None and name in catalogue()["house"]:
        arguments["house"] = (*arguments["house"], name)
    elif name is not None:
        _known(name)
        if arguments["rules"] not in (None, "cirulla", name):
            raise InputError(
                f"NAME {name!r} and --rules {arguments['rules']!r} are two rule sets (give one, or a house as NAME)"
            )
        arguments["rules"] = name
    chosen = choose(**arguments)
    if form == "json":
        click.echo(json.dumps(asdict(chosen.fields)))
    else:
        click.echo(chosen.toml() if form == "toml" else str(chosen))


@command.command("diff")
@click.argument("first")
@click.argument("second")
@options(PLAYERS)
def diff_rules(first: str, second: str, players: int | None) -> None:
    """Show the fields in which two rule sets differ, with their sources: presets, files, or house rules on cirulla."""
    here, there = _named(first, players), _named(second, players)
    different = here.differences(there)
    if not different:
        click.echo(f"{first} and {second} are the same rules.")
        return
    wide = max(len(field) for field in different)
    for field, value in different.items():
        theirs = getattr(there.fields, field)
        click.echo(f"{field:<{wide}}  {first}: {plain(value)} · {second}: {plain(theirs)}")
        click.echo(f"{'':<{wide}}    {says(field, value)} [{here.sources[field]}]")
        click.echo(f"{'':<{wide}}    {says(field, theirs)} [{there.sources[field]}]")


def _named(name: str, players: int | None) -> RuleSet:
    _known(name)
    return choose(None, players, (name,)) if name in catalogue()["house"] else choose(name, players)


def _known(name: str) -> None:
    names = [*catalogue()["preset"], *catalogue()["house"]]
    if not name.endswith(".toml") and name not in names:
        raise unknown("preset or house rule", name, names)
