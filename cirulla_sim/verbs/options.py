"""Options: what the signature of a public function says of an argument besides its type and its default.

An argument is declared once, as ``hands: Annotated[int | str, Option("Hands to play.", whole(1, 10**6), "N")] = 1000``.
The command line is built from this, and a value is read by it, whether it is typed or given from Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce, wraps
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ..core.arguments import choice, count, numbers, public, several, switch_of, text_of
from ..core.errors import InputError
from ..core.messages import Message
from ..experiments.progress import Watch
from ..situation.line_up import LineUp

P = ParamSpec("P")
T = TypeVar("T")

GROUPS = {
    "question": "The question", "rules": "Rules", "line_ups": "Players", "situation": "What you know",
    "effort": "Hands and precision", "display": "Output", "files": "Files", "execution": "Machine",
}  # fmt: skip
"""The headings of options in help texts, in their order."""


def unread(flag: str, value: Any) -> Any:
    """A value as it is; whoever uses it reads it."""
    return value


def whole(low: int, high: int) -> Callable[[str, Any], int]:
    """Reads a whole number within bounds."""
    return partial(count, low=low, high=high)


def whole_numbers(flag: str, value: Any) -> str:
    """Some whole numbers, as ``3,3,2``."""
    return ",".join(map(str, numbers(flag, value)))


@dataclass(frozen=True)
class OneOf:
    """Reads one of a few names."""

    kind: str
    names: tuple[str, ...]

    def __call__(self, flag: str, value: Any) -> str:
        return choice(flag, self.kind, value, self.names)


def flag_of(name: str) -> str:
    """The flag of an argument.

    >>> flag_of("save_every"), flag_of("in_")
    ('--save-every', '--in')
    """
    return f"--{name.strip('_').replace('_', '-')}"


@dataclass(frozen=True)
class Option:
    """An argument as the command line has it: ``read`` checks and converts a value, or raises ``InputError``.

    ``part`` is the part of a request that the value belongs to: ``rules``, ``line_ups``, ``situation``, ``question`` or
    ``effort``; nothing of ``execution`` and ``display`` is stored. Help has it under the heading of its ``group``, the
    same unless given. ``shown`` is the default as help says it. ``many`` may be repeated, and what ``read`` gives as
    tuples is taken one after the other. ``named`` lists the names that it takes besides files or numbers. Name and
    default are those of the argument.
    """

    help: str
    read: Callable[[str, Any], Any] = text_of
    metavar: str | None = None
    part: str = "question"
    group: str = ""
    shown: str | None = None
    many: bool = False
    named: Callable[[], Iterable[str]] = tuple
    flag: str = ""
    short: str | None = None
    name: str = ""
    default: Any = None

    def __post_init__(self) -> None:
        if not self.group:
            object.__setattr__(self, "group", self.part)
        if self.name and not self.flag:
            object.__setattr__(self, "flag", flag_of(f"no_{self.name}" if self.default is True else self.name))

    @property
    def switch(self) -> bool:
        """Whether it takes no value; one whose default is True is called ``--no-NAME``."""
        return isinstance(self.default, bool)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty

    def names(self) -> tuple[str, ...]:
        """The names that it takes: for the shell, and for hints in errors."""
        return self.read.names if isinstance(self.read, OneOf) else tuple(self.named())

    def value(self, given: Any) -> Any:
        """A given value as ``read`` reads it, None as the default; several as a tuple, or as the mapping they are."""
        flag = self.short or self.flag
        if self.name == "policy" and not isinstance(given, str):
            from ..engine.policies import with_names  # here for the sake of help

            given = with_names(given)
        if given is None and not self.required:
            return self.default
        if self.switch:
            return switch_of(flag, given)
        if not self.many:
            return self.read(flag, given)
        if isinstance(given, Mapping) and self.read is unread:
            return given
        items = (self.read(flag, item) for item in several(given, flag, (str, Path, LineUp)))
        return tuple(one for item in items for one in (item if isinstance(item, tuple) else (item,)))


@dataclass(frozen=True)
class Arguments:
    """The arguments of a verb by their names, each read by its option."""

    verb: str
    options: tuple[Option, ...]
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def part(self, part: str) -> dict[str, Any]:
        """Those of a part of the request that are not the default; what may be repeated is a list."""
        found = {}
        for option in self.options:
            value = self.values[option.name]
            if option.part == part and value != option.default:
                found[option.name] = value if not option.many else [value] if isinstance(value, str) else list(value)
        return found

    def check_unset(self, names: Collection[str], reason: Message) -> None:
        """Raise ``InputError`` that names flag, value and reason for one of some that is not the default."""
        for option in self.options:
            value = self.values[option.name]
            if option.name in names and value not in (option.default, None, (), [], {}):
                first = value[0] if isinstance(value, tuple | list) else value
                given = "" if value is True else Message(" {value!r}", first)
                raise InputError("{flag}{given} {reason}", option.flag, given, reason)


SIGNATURES: dict[str, inspect.Signature] = {}
"""The signature of each verb that has a public function."""


def options_of(verb: str) -> tuple[Option, ...]:
    """The options of a verb, in the order of the arguments of its public function; none of a verb without one.

    An option is the ``Option`` in an annotation; a mapping after it replaces fields of it.
    """
    options = []
    for parameter in SIGNATURES[verb].parameters.values() if verb in SIGNATURES else ():
        option, *changes = getattr(parameter.annotation, "__metadata__", (None,))
        if option is not None:
            own = reduce(or_, changes, {"name": parameter.name, "default": parameter.default})
            options.append(replace(option, **own))
    return tuple(options)


def verb(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator of a public function that declares a verb and has no body: it runs ``run`` of the module ``name``.

    That gets the arguments that are no options, and the ``Arguments``.
    """

    def declare(function: Callable[P, T]) -> Callable[P, T]:
        signature = SIGNATURES[name] = inspect.signature(function)

        @wraps(function)
        def called(*args: P.args, **keywords: P.kwargs) -> T:
            given = signature.bind(*args, **keywords)
            given.apply_defaults()
            arguments = arguments_of(name, given.arguments)
            others = [value for each, value in given.arguments.items() if each not in arguments.values]
            result: T = import_module(f".{name}", __package__).run(*others, arguments)
            return result

        return public(called)

    return declare


def arguments_of(verb: str, given: Mapping[str, Any]) -> Arguments:
    """The arguments of a verb, each of those ``given`` read by its option.

    Raises ``InputError`` that names the flag.
    """
    progress, options = given.get("progress", True), options_of(verb)
    values = {option.name: option.value(given.get(option.name)) for option in options}
    values["progress"] = progress if isinstance(progress, Watch) else switch_of("progress", progress)
    return Arguments(verb, options, values)
