"""The page in a browser: every tab in both languages, sizes and themes, with a keyboard alone, and to the file kept."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import polars as pl
import pytest
from browsing import browser, faults, opened, served

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.server import run_pages
from cirulla_sim.situation.notation import Situation

pytestmark = pytest.mark.slow

LOOKS = ((390, "light", "en"), (390, "dark", "it"), (1400, "light", "it"), (1400, "dark", "en"))
"""Widths, themes and languages of which every pair is looked at."""

PAGES = (
    "/ask?question=barsega+and+matta", "/ask?question=histogram(sweeps(us))&hands=500&policy=greedy",
    "/ask?question=barsga&players=9&at=x", "/house-rules?house=no-matta&house=table-nine&policy=greedy&hands=1k",
    "/results?words=matta", "/advise?at=table:+Ad+5c%3B+me:+7d+2s+Jh&do=advise&samples=1000", "/nothing",
)  # fmt: skip

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


def first_line(page: Any) -> str:
    """The first sentence of the answer, when it is complete."""
    page.locator("[data-run][data-ended]").wait_for(timeout=60_000)
    return str(page.locator(".first").inner_text()).replace("\xa0", " ")


@pytest.mark.parametrize(("width", "theme", "lang"), LOOKS)
def test_everybody_can_use_every_page(visit: Open, width: int, theme: str, lang: str) -> None:
    """axe-core finds nothing, and nothing is wider than the window."""
    page = visit("/", width, theme, lang)
    for path in PAGES:
        page.goto(path)
        if page.locator("[data-run]").count():
            first_line(page)
        page.evaluate("document.querySelectorAll('main details').forEach(part => part.open = true)")
        assert page.locator("html").get_attribute("lang") == lang
        assert faults(page) == [], path


def test_the_keyboard_alone_is_enough(visit: Open) -> None:
    page = visit("/ask")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "question":
            break
    page.keyboard.type("bars")
    options = page.locator("#question-words:visible [role=option]")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type(" and matta")
    page.keyboard.press("Escape")
    assert not options.count()
    page.keyboard.press("Enter")
    assert first_line(page) in cs.odds("barsega and matta").describe()
    assert page.url.endswith("/ask?question=barsega+and+matta&rules=cirulla")


def test_house_rules_are_compared_on_a_phone_and_copied(visit: Open, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit("/", 390, "dark", "it")
    page.get_by_role("link", name="Regole della casa").click()
    page.get_by_label("Non c’è la matta").check()
    page.get_by_label("Chi gioca").select_option("greedy")
    page.get_by_label("Smazzate").fill("20k")
    page.get_by_role("button", name="Confronta").click()
    first = first_line(page)
    assert page.locator("figure img").evaluate("image => image.naturalWidth") > 0
    page.get_by_role("button", name="Copia il comando").click()
    with pytest.raises(SystemExit):
        main([*shlex.split(page.evaluate("navigator.clipboard.readText()"))[1:], "--lang", "it"])
    shown = capsys.readouterr().out.replace("\xa0", " ")
    assert first in shown
    page.get_by_role("button", name="Copia Tabella").click()
    rows = [line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").splitlines()]
    assert len(rows) == 3
    assert all(cell.replace("\xa0", " ") in shown for row in rows for cell in row)


def test_a_run_can_be_stopped_and_ends_when_its_tab_is_closed(
    visit: Open, server: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_pages, "SILENCE", 5.0)
    page = visit("/house-rules?house=queen-matta&policy=careful&hands=1M")
    page.get_by_role("button", name="Stop").click()
    first_line(page)
    assert "Interrupted after" in page.locator("main").inner_text()
    page.goto("/house-rules?house=no-matta&policy=careful&hands=1M")
    run = server[1].state.runs.get(page.locator("[data-run]").get_attribute("data-run"))
    page.wait_for_timeout(5500)
    assert not run.ended.is_set(), "the page asks about it"
    page.close()
    assert run.ended.wait(10)


def test_without_scripts_what_is_counted_is_answered(visit: Open) -> None:
    page = visit("/ask", java_script_enabled=False)
    page.get_by_role("textbox", name="Your question").fill("barsega")
    page.get_by_role("button", name="Ask", exact=True).click()
    assert "9.53441%" in page.locator(".first").inner_text()


def test_cards_are_put_on_the_table_without_a_mouse(visit: Open) -> None:
    """From an empty table to the file of the answer by keyboard alone."""
    page = visit("/advise", 390, "dark", "it")
    for place, cards in (("table", ("Ad", "5c", "7h", "Kd")), ("me", ("7d", "2s", "Jh"))):
        page.locator(f'input[name="place"][value="{place}"]').focus()
        page.keyboard.press("Space")
        for card in cards:
            page.locator(f'#pack button[value="{card}"]').focus()
            page.keyboard.press("Enter")
            page.wait_for_selector(f'#pack button[value="{card}"][aria-pressed="true"]:focus')
    text = page.locator("#at").input_value()
    assert text == Situation.parse("me: Jh 7d 2s; table: 7h Ad Kd 5c").text("it")
    page.locator("#at").fill(text.replace("5♣", "6♣"))
    page.keyboard.press("Tab")
    page.wait_for_selector('#pack button[value="6c"][aria-pressed="true"]')
    assert page.locator('#pack button[value="5c"]').get_attribute("aria-pressed") == "false"
    page.locator("#at").press("Enter")
    expected = cs.advise(at="me: Jh 7d 2s; table: 7h Ad Kd 6c", samples=4000, progress=False)
    assert first_line(page) == expected.describe("it").splitlines()[0].replace("\xa0", " ")
    with page.expect_download() as download:
        page.locator('a[href$="result.parquet"]').click()
    assert pl.read_parquet(download.value.path()).equals(expected.frame)
