"""Names that a version keeps are still there: of functions, options, the question language, rules and files.

The names stand in ``tests/data/public_names.json``: see docs/reference/stable.md. A name that is there and no longer in
the package fails. Run this file as a program when names are added, at each release.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import get_args, get_type_hints

import click

import cirulla_sim
from cirulla_sim.cli import app
from cirulla_sim.cli.verbs import VERBS
from cirulla_sim.core.version import VERSION
from cirulla_sim.engine.policies import POLICIES
from cirulla_sim.questions.vocabulary import functions
from cirulla_sim.reporting.text.labels import QUANTITIES
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.situation.notation import VALID_KEYS
from cirulla_sim.storage.tables import KINDS, SCHEMA, VERB_KINDS

FILE = Path(__file__).parent / "data" / "public_names.json"


def public_names() -> dict[str, list[str]]:
    """Every public name of the package, by kind."""
    return {
        "functions": list(cirulla_sim.__all__),
        "arguments": sorted(f"{name}.{one}" for name in cirulla_sim.__all__ for one in arguments(name)),
        "attributes": sorted(f"{name}.{one}" for name in cirulla_sim.__all__ for one in attributes(name)),
        "options": [option for verb in VERBS for option in options(app.get_command(click.Context(app), verb), verb)],
        "questions": sorted({word for function in functions().values() for word in function.spellings}),
        "clauses": list(VALID_KEYS),
        "presets": list(catalogue()["preset"]),
        "house rules": list(catalogue()["house"]),
        "fields": list(catalogue()["field"]),
        "policies": list(POLICIES),
        "columns": list(SCHEMA),
        "kinds": list(KINDS),
        "quantities": list(QUANTITIES),
        "files": list(VERB_KINDS),
    }


def arguments(name: str) -> list[str]:
    """The arguments of a public function, those of its keyword options too."""
    value = getattr(cirulla_sim, name)
    if not inspect.isfunction(value):
        return []
    names = []
    for parameter in inspect.signature(value).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            unpacked = get_args(get_type_hints(inspect.unwrap(value))[parameter.name])
            names += list(get_type_hints(unpacked[0])) if unpacked else []
        else:
            names.append(parameter.name)
    return names


def attributes(name: str) -> list[str]:
    """The public attributes of a public class."""
    value = getattr(cirulla_sim, name)
    fields = getattr(value, "__dataclass_fields__", {})
    return sorted({one for one in (*vars(value), *fields) if not one.startswith("_")} if inspect.isclass(value) else ())


def options(command: click.Command | None, path: str) -> list[str]:
    """The options of a command and of those below it, each after the name of its command."""
    if isinstance(command, click.Group):
        below = {name: command.get_command(click.Context(command), name) for name in command.list_commands(None)}  # type: ignore[arg-type]
        return [option for name, one in below.items() for option in options(one, f"{path} {name}")]
    assert command is not None
    return [
        f"{path} {flag}"
        for parameter in command.params
        for flag in ([*parameter.opts, *parameter.secondary_opts] if isinstance(parameter, click.Option) else ())
    ]


def test_no_public_name_is_gone() -> None:
    listed, present = json.loads(FILE.read_text("utf-8")), public_names()
    gone = {kind: sorted(set(names) - set(present[kind])) for kind, names in listed.items()}
    assert {kind: names for kind, names in gone.items() if names} == {}, "docs/reference/stable.md says how a name goes"
    if "dev" not in VERSION:
        added = {kind: sorted(set(names) - set(listed[kind])) for kind, names in present.items()}
        del added["quantities"]  # studies that other tests import add their own
        assert not any(added.values()), "run tests/test_public_names.py, so that the names of this release are kept"


if __name__ == "__main__":
    FILE.write_text(json.dumps(public_names(), indent=1, ensure_ascii=False) + "\n", "utf-8")
