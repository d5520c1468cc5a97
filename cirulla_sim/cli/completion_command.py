"""``cirulla-sim completion``: the script by which a shell completes verbs, options and names."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..core.arguments import choice
from ..verbs.options import LANG
from . import COMPLETE
from .build import options
from .shells import SHELLS


@click.command("completion")
@click.argument(
    "shell", metavar="bash|zsh|fish",
    shell_complete=lambda *given: [CompletionItem(name) for name in SHELLS if name.startswith(given[2])],
)  # fmt: skip
@options(LANG)
def command(shell: str, lang: str) -> None:
    """Print the script by which bash, zsh or fish completes verbs, options, files and names.

    Read it when a shell starts, for example by a line of ~/.bashrc, of ~/.zshrc or of ~/.config/fish/config.fish:

    \b
    eval "$(cirulla-sim completion bash)"
    eval "$(cirulla-sim completion zsh)"
    cirulla-sim completion fish | source
    """
    kind = SHELLS[choice("SHELL", "shell", shell, tuple(SHELLS))]
    script = kind.source_template % kind(click.Command(""), {}, "cirulla-sim", COMPLETE).source_vars()
    click.echo(script.strip())
