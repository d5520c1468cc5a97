"""Pages of the documentation site that are not files in ``docs``: the hooks that ``mkdocs.yml`` names.

README.md is the home page; the changelog, CONTRIBUTING.md and the pages and charts of ``results`` are part of the site.
The pages on commands, on Python, on the functions of questions and on the fields of the rules are generated from the
code. Other files that a page links to are copied. Links are those of the repository, and are rewritten.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import cirulla_sim
from cirulla_sim.cli import VERBS, app
from cirulla_sim.questions.vocabulary import GROUPS, functions
from cirulla_sim.ruleset.catalogue import catalogue, plain, valid_values

ROOT = Path(__file__).parent.parent
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages outside ``docs`` by their path in the repository, with their path in the site."""
LINK = re.compile(r"(\]\()(?![a-z]+:)([^)#\s]+)((?:#[^)]*)?\))")
FENCE = re.compile(r"(```.*?```)", flags=re.S)
COMMENT = re.compile(r"<!--.*?-->\n?", flags=re.S)


def site_path(path: str) -> str:
    """The path in the site of a file of the repository.

    >>> site_path("docs/reference/rules.md"), site_path("results/dealing.md"), site_path("analyses/my_policy.py")
    ('reference/rules.md', 'results/dealing.md', 'files/analyses/my_policy.py')
    """
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if path.startswith("results/") else f"files/{path}"


def repository_path(path: str) -> str:
    """The path in the repository of a page of the site.

    >>> repository_path("index.md"), repository_path("results/dealing.md"), repository_path("it/README.md")
    ('README.md', 'results/dealing.md', 'docs/it/README.md')
    """
    outside = {site: repository for repository, site in PAGES.items()}
    return outside.get(path) or (path if path.startswith("results/") else f"docs/{path}")


def linked(page: str, link: str) -> str:
    """The path in the repository of what a page links to."""
    return os.path.normpath(Path(page).parent / link)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are not in ``docs``, and the files that pages link to."""
    results = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "results").glob("*.md"))]
    for path in (*PAGES, *results):
        files.append(File.generated(config, site_path(path), abs_src_path=str(ROOT / path)))
    for name, page in GENERATED.items():
        files.append(File.generated(config, name, content=page()))
    for file in list(files.documentation_pages()):
        page = repository_path(file.src_uri)
        for _, link, _ in LINK.findall(FENCE.sub("", file.content_string)):
            target = linked(page, link)
            if site_path(target) not in files.src_uris and (ROOT / target).is_file():
                files.append(File.generated(config, site_path(target), abs_src_path=str(ROOT / target)))
    for path in (ROOT / "results" / "report").rglob("*"):
        if path.is_file() and (name := path.relative_to(ROOT).as_posix()) not in files.src_uris:
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites the links of a page, and drops comments."""
    path, here = repository_path(page.file.src_uri), Path(page.file.src_uri).parent

    def moved(link: re.Match[str]) -> str:
        return f"{link[1]}{Path(os.path.relpath(site_path(linked(path, link[2])), here)).as_posix()}{link[3]}"

    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(moved, COMMENT.sub("", part)) for part in parts[::2]]
    return "".join(parts)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Lists the studies in the navigation, in the order of ``results/README.md``."""
    overview = (ROOT / "results" / "README.md").read_text("utf-8")
    studies = dict.fromkeys(re.findall(r"\]\((\w+\.md)\)", overview))
    titles = {name: (ROOT / "results" / name).read_text("utf-8").split("\n")[0].removeprefix("# ") for name in studies}
    gallery = [f"results/{'README.md'}", *({title: f"results/{name}"} for name, title in titles.items())]
    assert config.nav is not None
    place = next(i for i, entry in enumerate(config.nav) if "In italiano" in entry)
    config.nav.insert(place, {"Results": gallery})
    return config


# ------------------------------------------------------------------------------------------------ generated pages


def commands_page() -> str:
    """Every verb with its arguments and options."""
    parts = ["# Commands", "", "All verbs and their options, as `--help` shows them.", ""]
    for verb in VERBS:
        command = app.get_command(click.Context(app), verb)
        assert command is not None
        parts += command_parts(command, f"cirulla-sim {verb}", 2)
    return "\n".join(parts)


def command_parts(command: click.Command, name: str, level: int) -> Iterator[str]:
    """The section of a command and of its subcommands."""
    context = click.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f"{'#' * level} {name}", "", paragraphs(command.help or ""), "", f"```\n{name} {usage}\n```", "")
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            below = command.get_command(context, sub)
            assert below is not None
            yield from command_parts(below, f"{name} {sub}", level + 1)
        return
    yield from ("| option | meaning |", "|---|---|")
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            yield f"| `{cell(record[0])}` | {cell(escaped(record[1]))} |"
    yield ""


def paragraphs(help_text: str) -> str:
    """A help text as Markdown."""
    return escaped("\n\n".join(" ".join(part.split()) for part in help_text.replace("\b", "").split("\n\n")))


def escaped(text: str) -> str:
    """Text in which Markdown finds nothing to format."""
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text)


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def api_page() -> str:
    """All public names."""
    parts = ["# Python", "", "All public names: `import cirulla_sim as cs`, then `cs.odds(...)`.", ""]
    parts += [f"::: cirulla_sim.{name}\n" for name in cirulla_sim.__all__]
    return "\n".join(parts)


def functions_page(lang: str = "en") -> str:
    """The functions of the question language, by group."""
    italian = lang == "it"
    parts = [FUNCTIONS_IT if italian else FUNCTIONS]
    for group, titles in GROUPS.items():
        title, _, example = titles[italian].partition(": ")
        parts += [f"## {title}", "", f"`{example}`\n" if example else "", HEADS[italian], "|---|---|---|---|"]
        for function in functions().values():
            if function.group != group:
                continue
            names = (function.italian, function.name) if italian else (function.name, function.italian)
            about = function.it if italian else function.about
            texts = (f"`{names[0]}`", f"`{cell(function.example)}`", cell(escaped(about)), f"`{names[1]}`")
            parts.append(f"| {' | '.join(texts)} |")
        parts.append("")
    return "\n".join(parts)


FUNCTIONS = """# Functions of questions

Every function that a question can use, as `cirulla-sim odds --list` prints them. [The question language](../how-to/questions.md)
says how they are joined and what their arguments are. A function of cards held is about you, one of plays about
everybody, one of piles and points about your side, unless you name somebody.
"""
FUNCTIONS_IT = """# Le funzioni delle domande

Tutte le funzioni che si possono usare in una domanda, come le elenca `cirulla-sim odds --list --lang it`. Una funzione
sulle carte in mano riguarda te, una sulle giocate riguarda tutti, una sui mazzetti e sui punti riguarda la tua parte, se
non nomini nessuno.
"""
HEADS = ("| function | example | what it is | Italian |", "| funzione | esempio | che cos’è | inglese |")


def fields_page() -> str:
    """Presets, house rules and the fields of the rules, with their sources."""
    data = catalogue()
    parts = [FIELDS, "## Presets", "", "| `--rules` | players | what it is | sources |", "|---|---|---|---|"]
    for name, spec in data["preset"].items():
        seats = ", ".join(map(str, spec["seats"]))
        parts.append(f"| `{name}` | {seats} | {cell(spec['title'])} | {spec['source']} |")
    parts += ["", "## House rules", "", "| `--house` | what it is | fields | sources |", "|---|---|---|---|"]
    for name, spec in data["house"].items():
        fields = " ".join(f"`{field}={plain(value)}`" for field, value in spec["fields"].items())
        parts.append(f"| `{name}` | {cell(spec['title'])} | {fields} | {spec['source']} |")
    part = ""
    for name, spec in data["field"].items():
        if spec["part"] != part:
            part = spec["part"]
            parts += ["", f"## {part}", "", "| `--rule` | values | sources, by value |", "|---|---|---|"]
        sources = "; ".join(f"`{value}`: {given}" for value, given in spec["source"].items())
        parts.append(f"| `{name}` | {cell(valid_values(name))} | {cell(sources)} |")
    return "\n".join([*parts, ""])


FIELDS = """# Presets, house rules and fields

Every rule set is a preset, with house rules and single fields changed. [Rules and sources](rules.md) says what the
sources give and where they disagree; `cirulla-sim rules show NAME` writes a rule set out in sentences. The numbers are
those of the [sources](rules.md#the-sources).
"""


GENERATED: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/api.md": api_page,
    "reference/functions.md": functions_page,
    "reference/fields.md": fields_page,
    "it/funzioni.md": partial(functions_page, "it"),
}
