"""``cirulla-sim report``: one page of many results."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), metavar="FILE.html", help="The page.")
@click.option("--title", help="What it is called (default: Cirulla in numbers).")
def command(files: tuple[Path, ...], output: Path, title: str | None) -> None:
    """Write one page of result files: charts, tables that sort, for whom they hold and how to make them again.

    In English and Italian, light and dark, for narrow and wide windows and for print; it needs nothing but itself.
    House rules that compare measured for several line-ups (--policy repeated) can be chosen from.
    """
    from ..reporting.page.page import report

    click.echo(f"Written: {report(files, output=output, title=title)}", err=True)
