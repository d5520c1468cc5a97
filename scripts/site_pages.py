"""Pages of the documentation site that are not files in ``docs``: the hooks that ``mkdocs.yml`` names.

README.md is the home page; the changelog, CONTRIBUTING.md and the pages and charts of ``results`` are part of the site.
Where a page has a comment such as ``<!-- generated: commands -->``, the section that it names is written from the code.
Other files that a page links to are copied. Links are those of the repository, and are rewritten.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import cirulla_sim
from cirulla_sim.cli import app
from cirulla_sim.cli.commands import Grouped
from cirulla_sim.cli.verbs import VERBS
from cirulla_sim.core.locale import language
from cirulla_sim.questions.vocabulary import GROUPS, functions
from cirulla_sim.reporting.text.labels import QUANTITIES
from cirulla_sim.ruleset.catalogue import catalogue, check, format_value, says, valid_values
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

ROOT = Path(__file__).parent.parent
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages outside ``docs`` by their path in the repository, with their path in the site."""
LINK = re.compile(r"(\]\()(?![a-z]+:)([^)#\s]+)((?:#[^)]*)?\))")
FENCE = re.compile(r"(```.*?```)", flags=re.S)
SECTION = re.compile(r"<!-- generated: (\w+) -->")
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
    """Writes the generated sections of a page, rewrites its links, and drops comments."""
    markdown = SECTION.sub(lambda section: GENERATED[section[1]](), markdown)
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
    pages = {name: {title: f"results/{name}"} for name, title in titles.items()}
    assert config.nav is not None
    sections = {title: section for entry in config.nav for title, section in entry.items()}
    gallery = ["results/README.md", *pages.values()]
    config.nav.insert(list(sections).index("In italiano"), {"Results": gallery})
    return config


# --------------------------------------------------------------------------------------------- generated sections


def commands() -> str:
    """Every verb with its arguments and options."""
    parts: list[str] = []
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
    if (verb := VERBS.get(name.removeprefix("cirulla-sim "))) is not None:
        yield from ("Examples:", "", "```", *verb.examples, "```", "")
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            below = command.get_command(context, sub)
            assert below is not None
            yield from command_parts(below, f"{name} {sub}", level + 1)
        return
    for heading, records in option_groups(command, context).items():
        yield from (f"| {heading} | meaning |", "|---|---|")
        yield from (f"| {code(name)} | {cell(text)} |" for name, text in records)
        yield ""


def option_groups(command: click.Command, context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """The options of a command with what help says of them, by heading."""
    if isinstance(command, Grouped):
        return command.option_groups(context)
    options = (one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option))
    return {"Options": [record for record in options if record]}


def paragraphs(help_text: str) -> str:
    """A help text as Markdown."""
    return escaped("\n\n".join(" ".join(part.split()) for part in help_text.replace("\b", "").split("\n\n")))


def escaped(text: str) -> str:
    """Text in which Markdown finds nothing to format."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", text)


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return escaped(" ".join(text.split()))


def code(text: str) -> str:
    """Code for a cell of a table.

    >>> code("--lang en|it")
    '<code>--lang en&#124;it</code>'
    """
    return f"<code>{escape(text, quote=False).replace('|', '&#124;')}</code>"


def table(*rows: Sequence[str]) -> str:
    """A table of rows, the first of which is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])


def python_names() -> str:
    """All public names, which mkdocstrings documents."""
    return "\n".join(f"::: cirulla_sim.{name}\n" for name in cirulla_sim.__all__)


def question_functions(lang: str) -> str:
    """The functions of the question language, by group."""
    italian, parts = lang == "it", []
    head = (
        ("funzione", "esempio", "che cos’è", "inglese") if italian else ("function", "example", "what it is", "Italian")
    )
    for group, titles in GROUPS.items():
        title, _, example = titles[italian].partition(": ")
        parts += [f"## {title}\n", f"`{example}`\n" if example else ""]
        rows = []
        for one in (function for function in functions().values() if function.group == group):
            name, other, about = (one.italian, one.name, one.it) if italian else (one.name, one.italian, one.about)
            rows.append((code(name), code(one.example), cell(about), code(other)))
        parts.append(table(head, *rows))
    return "\n".join(parts)


def rule_fields() -> str:
    """Presets, house rules and each value of a field, with the sources and the rule sets that play so."""
    data = catalogue()
    presets = [
        (code(name), ", ".join(map(str, spec["seats"])), cell(spec["title"][0]), spec["source"])
        for name, spec in data["preset"].items()
    ]
    houses = [
        (code(name), cell(spec["title"][0]),
         " ".join(code(f"{field}={format_value(value)}") for field, value in fields.items()), spec["source"])
        for name, spec in data["house"].items() for fields in (spec["fields"],)
    ]  # fmt: skip
    parts = ["## Presets\n", table(("--rules", "players", "what it is", "sources"), *presets)]
    parts += ["## House rules\n", table(("--house", "what it is", "fields", "sources"), *houses)]
    rules = {preset: build(preset) for preset in data["preset"]}
    for part in dict.fromkeys(spec["part"] for spec in data["field"].values()):
        rows = []
        for name, spec in data["field"].items():
            if spec["part"] == part:
                rows.append((code(name), cell(valid_values(name)), "", ""))
                rows += [value_row(name, value, source, rules) for value, source in spec["source"].items()]
        parts += [f"## {part}\n", table(("--rule", "what it says", "sources", "default, presets, house rules"), *rows)]
    return "\n".join(parts)


def value_row(name: str, value: str, source: str, rules: dict[str, Rules]) -> tuple[str, str, str, str]:
    """A value of a field: its sentence, its sources, and the rule sets that have it, for a usual value ``default``."""
    checked = check(name, value)
    presets = [preset for preset, its in rules.items() if getattr(its, name) == checked]
    users = ["default"] if "cirulla" in presets else [code(preset) for preset in presets]
    houses = {house: spec["fields"] for house, spec in catalogue()["house"].items() if name in spec["fields"]}
    users += [code(f"--house {house}") for house, fields in houses.items() if check(name, fields[name]) == checked]
    return code(f"{name}={value}"), cell(str(says(name, checked, rules["cirulla"]))), source, ", ".join(users)


def quantities() -> str:
    """The names of quantities in result files, with their names in tables for readers."""
    italian = language("it")
    rows = [(code(name), cell(title), cell(italian.say(title))) for name, title in QUANTITIES.items()]
    return table(("quantity", "in English", "in Italian"), *rows)


GENERATED: dict[str, Callable[[], str]] = {
    "commands": commands,
    "python": python_names,
    "functions": partial(question_functions, "en"),
    "funzioni": partial(question_functions, "it"),
    "fields": rule_fields,
    "quantities": quantities,
}
