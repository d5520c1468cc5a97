"""How bash, zsh and fish ask for completions: click's scripts, where these lose nothing of what is typed."""

from __future__ import annotations

import os
import re
import shlex

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' completion value
    for completion in $(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
            %(complete_var)s=bash_complete "$1"); do
        value="${completion#*,}"
        case "${completion%%%%,*}" in
            dir) COMPREPLY=(); compopt -o dirnames ;;
            file) COMPREPLY=(); compopt -o default ;;
            plain) COMPREPLY+=("$value"); [[ $value == *[=:+] ]] && compopt -o nospace ;;
        esac
    done
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(BashComplete):
    """Bash, which breaks words at ``:`` and ``=``: the line is read as a shell reads it, and answered by its parts."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        incomplete = words.pop() if words and (_is_open(line) or not line[-1:].isspace()) else ""
        self._begun = _begun(line, incomplete)
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        value = str(item.value)
        return f"{item.type},{value.removeprefix(self._begun) if item.type == 'plain' else value}"


def _is_open(line: str) -> bool:
    """Whether a line ends within quotes.

    >>> _is_open("odds 'sweeps = "), _is_open("odds 'sweeps' ")
    (True, False)
    """
    try:
        shlex.split(line)
    except ValueError:
        return True
    return False


def _begun(line: str, incomplete: str) -> str:
    """What bash takes for words before the one that it completes, of a value that is typed without quotes.

    >>> _begun("games --policy search:6", "search:6"), _begun("games --policy='dealer=se", "--policy=dealer=se")
    ('search:', '')
    """
    typed = incomplete.partition("=")[2] if incomplete.startswith("--") else incomplete
    breaks = set(os.environ.get("COMP_WORDBREAKS", ":=")) & set(":=")
    if _is_open(line) or not breaks:
        return ""
    return re.sub(f"[^{''.join(breaks)}]*$", "", typed)


def _option(incomplete: str) -> str:
    """The option that a word begins with, as ``--policy=``; empty if there is none.

    >>> _option("--policy=search:6"), _option("dealer=se")
    ('--policy=', '')
    """
    name, equals, _ = incomplete.partition("=")
    return name + equals if name.startswith("--") and equals else ""


class _Whole(ShellComplete):
    """A shell that has ``--policy=search`` as one word and replaces it as a whole."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, incomplete = super().get_completion_args()
        self._option = _option(incomplete)
        return words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        if item.type == "plain":
            item = CompletionItem(self._option + str(item.value), help=item.help)
        return super().format_completion(item)


class Zsh(_Whole, ZshComplete):
    """Zsh, as click has it but for options with ``=``."""


class Fish(_Whole, FishComplete):
    """Fish, whose answers may have commas."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


SHELLS: dict[str, type[ShellComplete]] = {"bash": Bash, "zsh": Zsh, "fish": Fish}


def register() -> None:
    """Have click answer these shells."""
    for shell in SHELLS.values():
        add_completion_class(shell)
