"""Update the command output and the results of studies in pages.

    python scripts/refresh_pages.py README.md docs/how-to/advise.md

Reruns the command of every ``console`` block whose first line is ``$ cirulla-sim ...``, and of every row of a table of
questions that has an answer: ``| question | `cirulla-sim odds ...` | answer |``. Makes the table behind
``<!-- common questions -->`` of ``questions/common_questions.toml``. Rewrites every passage between
``<!-- analyses/dealing.py says table -->`` and ``<!-- -->`` with the text that the function ``table`` of that study
returns for the files in ``results``; ``answer`` is the findings of the study, ``finding`` the first of them, and
``trovato`` the first in Italian. The tests compare both.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

from cirulla_sim.core.locale import language
from cirulla_sim.questions.common_questions import common_questions, sections
from cirulla_sim.reporting.text.sentences import sentence

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(```console\n\$ (.*?)\n)(.*?)(```)", flags=re.S)
ROW = re.compile(r"^(\| [^|]+ \| `(cirulla-sim [^|]+)` \| )([^|]*?)( ?\|)$", flags=re.M)
QUESTIONS = re.compile(r"(<!-- common questions -->\n).*?(<!-- -->)", flags=re.S)
PASSAGE = re.compile(r"(<!-- analyses/(\w+)\.py says (\w+) -->\n)(.*?)(<!-- -->)", flags=re.S)
RUN = "from cirulla_sim.cli import main; main()"
COLUMNS = 120


def rerun(block: re.Match[str]) -> str:
    """A block with the current output of its command."""
    shown = output_of(block[2])
    print(block[2], "(as before)" if shown == block[3] else "(changed)", file=sys.stderr)
    return f"{block[1]}{shown}{block[4]}"


def answered(row: re.Match[str]) -> str:
    """A row of a table of questions with the current answer, if it has one."""
    if not row[3]:
        return row[0]
    shown = answer_of(output_of(row[2]))
    print(row[2], "(as before)" if shown == row[3] else "(changed)", file=sys.stderr)
    return f"{row[1]}{shown}{row[4]}"


def with_questions(text: str) -> str:
    """A page with the table of common questions, in which the answers stay that it has."""
    return QUESTIONS.sub(lambda passage: f"{passage[1]}{table_of_questions(passage[0])}{passage[2]}", text)


def table_of_questions(before: str) -> str:
    """The common questions that the documentation lists, with their commands, and where it shows them with answers."""
    answers = {command: answer for _, command, answer, _ in ROW.findall(before)}
    lines, section = ["| question | command | answer |", "|---|---|---|"], ""
    for one in (question for question in common_questions() if question.answered is not None):
        if one.section != section:
            section = one.section
            lines.append(f"| **{sections()[section][0]}** | | |")
        command = f"cirulla-sim {one.command}"
        answer = answers.get(command) or answer_of(output_of(command)) if one.answered else ""
        lines.append(f"| {one.en[0]} | `{command}` | {answer} |".replace("  |", " |"))
    return "\n".join(lines) + "\n"


def answer_of(output: str) -> str:
    """The answer in the first line of an output.

    >>> answer_of("I hold a barsega in 9.53% of the hands, exactly 471/4940.\\n\\nWhat ...")
    'I hold a barsega in 9.53% of the hands, exactly 471/4940'
    """
    return output.split("\n")[0].rstrip(".")


def output_of(line: str) -> str:
    """What a command prints; one that fails ends the script."""
    command = [sys.executable, "-c", RUN, *shlex.split(line)[1:]]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    if done.returncode:
        sys.exit(f"{line}\n{done.stderr}")
    return done.stdout


def rewritten(passage: re.Match[str]) -> str:
    """A passage with the current text of its study, wrapped."""
    module, folder = importlib.import_module(passage[2]), ROOT / "results"
    if passage[3] == "answer":
        text = importlib.import_module("study").answer(module, folder)
    elif passage[3] in ("finding", "trovato"):
        locale = language("it" if passage[3] == "trovato" else "en")
        text = sentence(module.findings(folder)[0], locale, plain=True)
    else:
        text = getattr(module, passage[3])(folder)
    return f"{passage[1]}{filled(text)}\n{passage[5]}"


def filled(text: str) -> str:
    """Wrapped text: rows of tables stay as they are, list items get a hanging indent."""
    return "\n".join(
        line
        if line.startswith("|")
        else textwrap.fill(line, COLUMNS, subsequent_indent="  " * line.startswith("- "), break_on_hyphens=False,
                           break_long_words=False)
        for line in text.split("\n")
    )  # fmt: skip


def main(*pages: str) -> None:
    """Update the pages."""
    sys.path.insert(0, str(ROOT / "analyses"))
    for page in map(Path, pages):
        text = with_questions(PASSAGE.sub(rewritten, page.read_text("utf-8")))
        page.write_text(ROW.sub(answered, BLOCK.sub(rerun, text)), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
