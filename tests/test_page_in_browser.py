"""The page in a browser: every tab in both languages, sizes and themes, with a keyboard alone, and to the file kept."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, faults, opened
from page_server import served

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.server import runs

WIDTHS, THEMES, LANGUAGES = (390, 1400), ("light", "dark"), ("en", "it")
EVERY_PAIR = [
    combination
    for number, combination in enumerate(product(WIDTHS, THEMES, LANGUAGES))
    if number.bit_count() % 2 == 0
]  # fmt: skip
"""Four of the eight combinations, in which all pairs of width, theme and language are."""

PAGES = {
    "an answer": "/ask?question=barsega+and+matta",
    "many rows": "/ask?question=histogram(sweeps(us))&hands=500&policy=greedy",
    "an error": "/ask?question=barsga&players=9&at=x",
    "a comparison": "/house-rules?house=no-matta&house=table-nine&policy=greedy&hands=1k",
    "none chosen": "/house-rules?policy=greedy",
    "results": "/results?words=matta",
    "advice": "/advise?at=table:+Ad+5c%3B+me:+7d+2s+Jh&do=advise&samples=1000",
    "a new game": "/play",
    "an evening": "/evening?pairs=Anna%0ABruno%0ACarla&format=swiss&rounds=2&hands=1&played=1-3+9-4",
    "a forecast": "/evening?pairs=Anna%0ABruno%0ACarla&format=knock-out&hands=1&forecast=yes&nights=100",
    "score sheets": "/evening/sheets?pairs=Anna%0ABruno%0ACarla&format=knock-out&hands=1&played=1-3",
    "no page": "/nothing",
}

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, Any]]:
    with served() as (address, app):
        yield address, app


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as chromium:
        yield chromium


@pytest.fixture
def visit(server: tuple[str, Any], chromium: Any) -> Iterator[Open]:
    """Opens pages in a browser of some width, theme and language, which are closed at the end."""
    with ExitStack() as pages:

        def visit(path: str, *look: Any, **options: Any) -> Any:
            page = pages.enter_context(opened(chromium, server[0], *look, **options))
            page.goto(path)
            return page

        yield visit


def answered(page: Any) -> None:
    """Waits for the answer."""
    page.locator("[data-run][data-ended]").wait_for(timeout=60_000)


def printed(capsys: pytest.CaptureFixture[str], command: str, *words: str) -> str:
    """What a command prints."""
    with pytest.raises(SystemExit):
        main([*shlex.split(command)[1:], *words])
    return capsys.readouterr().out


def download(page: Any, name: str, exact: bool = True) -> bytes:
    """A file that a link of this name gives."""
    with page.expect_download() as saved:
        page.get_by_role("link", name=name, exact=exact).click()
    return Path(saved.value.path()).read_bytes()


@pytest.mark.parametrize(("width", "theme", "lang"), EVERY_PAIR)
def test_everybody_can_use_every_page(visit: Open, width: int, theme: str, lang: str) -> None:
    """axe-core finds nothing, and nothing is wider than the window."""
    page = visit("/", width, theme, lang)
    for name, path in PAGES.items():
        page.goto(path)
        if page.locator("[data-run]").count():
            answered(page)
        page.evaluate("document.querySelectorAll('main details').forEach(part => part.open = true)")
        assert page.locator("html").get_attribute("lang") == lang
        assert faults(page) == [], name


def test_the_keyboard_alone_is_enough(visit: Open, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit("/ask")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "question":
            break
    page.keyboard.type("bars")
    options = page.locator("#question-words:visible [role=option]")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    assert options.first.get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    page.keyboard.type(" and mat")
    options.first.wait_for()
    page.keyboard.press("Escape")
    assert not options.count()
    page.keyboard.type("ta")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    answered(page)
    assert page.url.endswith("/ask?question=barsega+and+matta&rules=cirulla")
    command = "cirulla-sim odds 'barsega and matta'"
    assert page.locator(".first").inner_text().replace("\xa0", " ") in printed(capsys, command)
    link = page.get_by_role("link", name="Table, csv")
    while not link.evaluate("link => link === document.activeElement"):
        page.keyboard.press("Tab")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert Path(saved.value.path()).read_text("utf-8") == printed(capsys, command, "--format", "csv")


def test_house_rules_are_compared_from_the_first_click_to_the_files(
    visit: Open, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In Italian on a phone; every file is that of the command line."""
    page = visit("/", 390, "dark", "it", accept_downloads=True)
    page.get_by_role("link", name="Regole della casa").click()
    page.get_by_label("Non c’è la matta").check()
    page.get_by_label("La piccola arriva fino a sette carte").check()
    page.get_by_label("Chi gioca").select_option("greedy")
    page.get_by_label("Smazzate").fill("100k")
    page.get_by_role("button", name="Confronta").click()
    answered(page)
    files = tmp_path / "kept.parquet"
    command = "cirulla-sim compare --house piccola-seven --house no-matta --policy greedy --hands 100k"
    shown = printed(capsys, command, "--lang", "it", "-o", str(files))
    assert page.locator(".first").inner_text().replace("\xa0", " ") in shown.replace("\xa0", " ")
    assert download(page, "parquet") == files.read_bytes()
    printed(capsys, f"cirulla-sim plot {files} --size column --lang en -o {tmp_path / 'chart.pdf'}")
    assert download(page, "pdf, 90 mm, English") == (tmp_path / "chart.pdf").read_bytes()
    assert page.locator("figure img").evaluate("image => image.naturalWidth") > 0
    page.get_by_role("button", name="Copia il comando").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    printed(capsys, copied, "-o", str(tmp_path / "again.parquet"))
    assert (tmp_path / "again.parquet").read_bytes() == files.read_bytes()
    page.get_by_role("button", name="Copia Tabella").click()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    rows = [line.split("\t") for line in lines]
    assert len(rows) == 4
    assert all(cell.replace("\xa0", " ") in shown.replace("\xa0", " ") for row in rows for cell in row)


def test_a_run_narrows_can_be_stopped_and_ends_when_its_tab_is_closed(
    visit: Open, server: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "SILENCE", 2.0)
    page = visit("/house-rules?house=queen-matta&policy=careful&hands=1M")
    cell = page.locator("[data-answer] tbody td").first
    first = float(cell.inner_text().split("±")[1])
    while float(cell.inner_text().split("±")[1]) >= first:
        page.wait_for_timeout(200)
    page.get_by_role("button", name="Stop").click()
    answered(page)
    assert " --hands 1000000 " not in page.locator(".command").last.inner_text()
    assert "Interrupted after" in page.locator("main").inner_text()
    page.goto("/house-rules?house=no-matta&policy=careful&hands=1M")
    page.locator("[data-answer] table").wait_for(timeout=30_000)
    run = server[1].state.runs.get(page.locator("[data-run]").get_attribute("data-run"))
    page.wait_for_timeout(2500)
    assert not run.ended.is_set(), "the page asks about it"
    page.close()
    assert run.ended.wait(10)
    assert run.result.metadata["stopped"] == "interrupted"


def test_a_question_is_built_from_lists(visit: Open) -> None:
    page = visit("/ask", lang="it")
    page.get_by_text("Componi la domanda da elenchi").click()
    what, which = page.get_by_label("Che cosa", exact=True), page.get_by_label("Quale")
    what.select_option("misdeal")
    assert not which.is_visible()
    what.select_option("points")
    page.get_by_label("Chi", exact=True).select_option(label="noi")
    which.select_option(label="primiera")
    page.get_by_label("Come si misura").select_option("mean")
    page.get_by_role("button", name="Mettila in parole e chiedi").click()
    answered(page)
    assert page.get_by_role("combobox", name="La tua domanda").input_value() == "media(punti(noi, primiera))"
    assert page.locator(".first").inner_text().startswith("media(punti(noi, primiera)): ")


def test_an_address_holds_the_whole_question(visit: Open) -> None:
    """What a friend opens is the same page, in the friend's language."""
    page = visit("/ask?question=barsega&house=no-matta&players=3&at=me: 7h")
    page.get_by_role("button", name="Copy the address").click()
    address = page.evaluate("navigator.clipboard.readText()")
    friend = visit(address, lang="it")
    answered(friend)
    assert friend.get_by_label("Giocatori").input_value() == "3"
    assert friend.get_by_label("Ciò che sai").input_value() == "me: 7h"
    expected = cs.odds("barsega", rules="cirulla", house="no-matta", players=3, at="me: 7h").describe("it")
    assert friend.locator(".first").inner_text().replace("\xa0", " ") in expected.replace("\xa0", " ")


def test_without_scripts_what_is_counted_is_answered(visit: Open) -> None:
    page = visit("/ask", java_script_enabled=False)
    page.get_by_role("textbox", name="Your question").fill("barsega")
    page.get_by_role("button", name="Ask", exact=True).click()
    assert "9.53441%" in page.locator(".first").inner_text()


def test_studies_are_searched_and_opened(visit: Open) -> None:
    page = visit("/results")
    page.get_by_label("Search").fill("matta")
    page.get_by_role("button", name="Search").click()
    page.locator(".studies a").first.click()
    assert "/results/pages/" in page.url
    assert page.locator("figure svg").first.is_visible()
