"""The page in a browser: every tab in both languages, sizes and themes, with a keyboard alone, and to the file kept."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlsplit

import polars as pl
import pytest
from browsing import browser, faults, opened, served

import cirulla_sim as cs
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.cli import main
from cirulla_sim.core.cards import PACK, text, texts
from cirulla_sim.ruleset.presets import build
from cirulla_sim.server import run_pages
from cirulla_sim.server.rendering import readable
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.plays import card_of, cards_shown
from cirulla_sim.situation.positions import after_choice, likely_seat, read_position, situation_of

pytestmark = pytest.mark.slow

LOOKS = ((390, "light", "en"), (390, "dark", "it"), (1400, "light", "it"), (1400, "dark", "en"))
"""Widths, themes and languages of which every pair is looked at."""

PAGES = (
    "/ask?question=barsega+and+matta", "/ask?question=histogram(sweeps(us))&hands=500&policy=greedy",
    "/ask?question=barsga&players=9&at=x", "/house-rules?house=no-matta&house=table-nine&policy=greedy&hands=1k",
    "/ask?question=how+often+does+the+dealer+win%3F", "/house-rules?house=short-game&policy=greedy&hands=500",
    f"/house-rules?own=title='{'W' * 40}'%0Afields={{piccola_max=7}}&policy=greedy&hands=500", "/glossary",
    "/results/pages/rules.html", "/results?words=matta",
    "/advise?at=table:+Ad+5c%3B+me:+7d+2s+Jh&do=advise&samples=1000", "/nothing",
)  # fmt: skip

SMALL = """[...document.querySelectorAll("main :is(a, button, select, input, textarea, summary)")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  return width && (width < 24 || height < 24) && !each.closest("p, label, .hidden");
}).map((each) => each.outerHTML)"""
"""What is too small to be touched, but for links within sentences and boxes with labels."""

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
        assert not path.startswith(("/ask", "/house")) or page.evaluate(SMALL) == [], path


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
    assert first_line(page) == cs.odds("barsega and matta").text().splitlines()[0]
    assert page.url.endswith("/ask?question=barsega+and+matta&rules=cirulla")


def test_completing_words_is_never_in_the_way(visit: Open) -> None:
    """The list closes at a whole word and at Escape, even if it has not come yet; a click where Ask stands asks."""
    page = visit("/ask", 390)
    box, words = page.locator("#question"), page.locator("#question-words")
    ask = page.get_by_role("button", name="Ask", exact=True)
    fetched: list[str] = []
    page.on("request", lambda sent: fetched.append(sent.url) if sent.url.endswith("/ask/words") else None)
    page.route("**/ask/words", lambda route: (time.sleep(0.5), route.continue_()))
    box.press_sequentially("bars")
    box.press("Escape")
    page.wait_for_timeout(1000)
    assert not words.is_visible(), "Escape was pressed before the list came"
    box.press_sequentially("e")
    words.wait_for()
    place, listed = ask.bounding_box(), words.bounding_box()
    assert place["y"] + place["height"] <= listed["y"], "the list lies below the button"
    box.press_sequentially("ga")
    words.wait_for(state="hidden")
    box.press_sequentially(" and mat")
    words.wait_for()
    box.press_sequentially("ta")
    assert len(fetched) == 1, "an earlier letter's answer must not close the list of a later one"
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert first_line(page).startswith("In one hand of 53 I hold a barsega and the matta: 1.90%")
    box.fill("")
    box.press_sequentially("how often are sevens di")
    page.wait_for_timeout(300)
    assert not words.is_visible(), "no words are offered within a sentence"


@pytest.mark.parametrize(("lang", "text"), [("en", "how likely is a barsega?"), ("it", "probabilità di una barsega")])
def test_a_plain_question_is_answered_by_touch_within_the_first_screen(visit: Open, lang: str, text: str) -> None:
    page = visit("/ask", 390, "light", lang, has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#question").fill(text)
    page.locator("button.go").first.tap()
    assert re.search("9[.,]53%", first_line(page))
    page.wait_for_load_state()  # what stands where is decided by the style sheet
    assert page.evaluate("scrollY") == 0
    assert page.locator(".answer .reading").bounding_box()["y"] < page.locator(".first").bounding_box()["y"] < 600


def test_own_rules_and_own_results_are_opened_and_tables_sort(visit: Open, tmp_path: Path) -> None:
    rules = tmp_path / "ours.toml"
    rules.write_text("title = 'A piccola up to ten'\nfields = { piccola_max = 10 }", "utf-8")
    page = visit("/house-rules", 390)
    page.get_by_label("A file of rules").set_input_files(rules)
    page.get_by_label("No card is wild").check()
    page.get_by_label("Hands", exact=True).fill("500")
    page.get_by_role("button", name="Compare").click()
    assert "piccola" in first_line(page) + page.locator("table").inner_text()
    names = page.locator("table tbody th").all_inner_texts()
    page.get_by_role("button", name="Rules").click(click_count=2)
    assert page.locator("table tbody th").all_inner_texts() != names
    with page.expect_download() as download:
        page.get_by_label("To keep").select_option("table.parquet")
        page.get_by_role("button", name="Download").click()
    page.goto("/results")
    page.get_by_label("Open a result file").set_input_files(download.value.path())
    page.wait_for_url("**/results/file/*")
    assert "piccola" in first_line(page) + page.locator("table").inner_text()
    page.get_by_label("Open a result file").set_input_files(rules)
    page.get_by_text("ours.toml: no result of cirulla-sim").wait_for()


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
    page.get_by_role("button", name="Copia la tabella").click()
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
    assert "9.53%" in page.locator(".first").inner_text()


# ------------------------------------------------------------------------------------------------ advice by tapping


def tapped(page: Any, situation: Situation, players: int) -> int:
    """Enters a position by tapping alone; returns the number of taps, two for a choice from a list."""
    taps = 0

    def zone(name: str) -> None:
        nonlocal taps
        if page.locator('[name="zone"]:checked').get_attribute("value") != name:
            if not page.locator(f'[data-zone="{name}"]').is_visible():
                page.locator(".side summary").click()
                taps += 1
            page.locator(f'[data-zone="{name}"] label').click()
            taps += 1

    def put(name: str, cards: int) -> None:
        nonlocal taps
        for card in texts(cards):
            zone(name)
            page.locator(f'.cell[data-face="{card}"]').click()
            taps += 1

    if players != 4:
        page.locator(".seats label").nth(players - 2).click()
        taps += 1
    for name in ("me", "table"):
        put(name, situation.of(name).exact)  # type: ignore[union-attr, arg-type]
    for kind, named in (("captured", situation.captured), ("shown", situation.shown)):
        for who, cards in named:
            put(f"{kind} {who}", cards)
    put("gone", situation.gone)
    for name, value in (("i am", situation.i_am), ("last capture", situation.last_capture), ("matta", situation.matta)):
        if value:
            control = page.locator(f'[data-clause="{name}"]')
            if not control.is_visible():
                page.locator(".side summary").click()
                taps += 1
            control.select_option(str(value))
            taps += 2
    return taps


POSITIONS = {
    "me: 7d 2s Jh; table: 7h Ad Kd 5c": (4, 7), "me: 7h Kd 3c; table:": (4, 3),
    "me: 7d Ah 5c; table:; captured us: 7c 7s Kd Jd 2c; captured them: 4d 4h 6s 6c As; i am: first": (2, 20),
    "me: 7h 3c 4d; table: Ad 5c 7s Kd": (2, 8), "me: 5d 6c; table: 2s 3h; gone: Kh Ks": (4, 8),
    "me: 7d Jh Kc; table: Ad 5c 2h; shown next: 2h 3c 4d; i am: dealer": (4, 15),
    "me: Kd Kh 2c; table: Jd 4c 7h; shown next: 7h 3s 4s; matta: 2; last capture: them; captured them: 3s Ks": (4, 20),
    "me: Ah; table: 5d 6d 7d; i am: second": (3, 9), "me: As 2d 3d; table: 6s; captured me: 5c 5d": (3, 11),
    "me: 7s 6s 5s; table: 4h 4c; captured us: Ad 2d 3d; i am: dealer": (2, 16),
}  # fmt: skip
"""Positions, with how many players, and the taps that they take at most."""


def test_positions_are_tapped_without_a_word_to_the_server(visit: Open) -> None:
    """The text, the address and what lies where agree; a reload keeps all of it; nothing is left when it is cleared."""
    page, asked = visit("/advise", 390), list[str]()
    page.on("request", lambda request: asked.append(request.url) if re.search(r"/advise[/?]", request.url) else None)
    for written, (players, most) in POSITIONS.items():
        situation = Situation.parse(written)
        assert read_position(build(players=players), situation).seats
        assert tapped(page, situation, players) <= most, written
        assert asked == []
        for again in (False, True):
            shown = page.locator("#at").input_value()
            assert Situation.parse(shown) == situation
            assert f"at={quote_plus(shown)}" in page.url
            assert page.locator('[name="players"]:checked').get_attribute("value") == str(players)
            put = set(PACK) & set(written.replace(";", "").split())
            assert page.locator('.cell[aria-pressed="true"]').count() == len(put)
            if not again:
                page.reload()
        page.get_by_role("link", name="Clear the table").click()
        page.wait_for_url(lambda url: not re.search(r"[?&]at=[^&]", url))  # the new page writes players into it at once
        asked.clear()


def test_cards_are_put_on_the_table_without_a_mouse(visit: Open) -> None:
    """From an empty table to the file of the answer by keyboard alone; the answer goes when a card does."""
    page = visit("/advise", 390, "dark", "it")
    page.locator('[name="zone"]:checked').focus()
    page.keyboard.press("Tab")
    at, order = 0, [rank + suit for suit in "hdcs" for rank in "A234567JQK"]
    for card in ("7d", "2s", "Jh", "Ad", "5c", "7h", "Kd"):
        down, right = (place - here for place, here in zip(divmod(order.index(card), 10), divmod(at, 10), strict=True))
        for key, steps in (("Down" if down > 0 else "Up", abs(down)), ("Right" if right > 0 else "Left", abs(right))):
            for _ in range(steps):
                page.keyboard.press(f"Arrow{key}")
        page.keyboard.press("Enter")
        at = order.index(card)
    text = page.locator("#at").input_value()
    assert Situation.parse(text) == Situation.parse("me: Jh 7d 2s; table: 7h Ad Kd 5c")
    page.locator("[data-text] > summary").press("Enter")
    page.locator("#at").fill(text.replace("5♣", "6♣"))
    page.keyboard.press("Tab")
    page.wait_for_selector('.cell[data-face="6c"][aria-pressed="true"]')
    assert page.locator('.cell[data-face="5c"]').get_attribute("aria-pressed") == "false"
    page.locator("#at").press("Enter")
    expected = cs.advise(at="me: Jh 7d 2s; table: 7h Ad Kd 6c", samples=4000, progress=False)
    page.locator("[data-run][data-ended] .choice.best").wait_for()
    page.locator("[data-advice] summary").first.press("Enter")
    assert readable(expected.describe("it").splitlines()[0]).replace("\xa0", " ") in first_line(page)
    with page.expect_download() as download:
        page.get_by_label("Da conservare").select_option("table.parquet")
        page.get_by_role("button", name="Scarica").click()
    assert pl.read_parquet(download.value.path()).equals(expected.frame)
    page.reload()
    page.locator("[data-run][data-ended] .choice.best").wait_for()
    page.locator('.cell[data-face="Kd"]').press("Enter")
    assert not page.locator("[data-run]").count()
    assert "do=" not in page.url


def test_a_whole_hand_is_followed_by_tapping(visit: Open) -> None:
    """Own plays are chosen among those judged, the other's are tapped, sets first; some are taken back."""
    hand = list(turns(cs.hand(players=2, policy="random", seed=6).record))
    assert any(turn.choice.show for turn in hand if turn.hand.to_play)
    page, s = visit("/advise?players=2&samples=1000", 390), Situation()

    def cell(card: str) -> Any:
        return page.locator(f'.cell[data-face="{card}"]')

    def is_at(expected: Situation | None) -> None:
        text = "" if expected is None else str(expected)
        page.wait_for_function("text => document.getElementById('at').value === text", arg=text)
        assert dict(parse_qsl(urlsplit(page.url).query)).get("at", "") == text

    for number, (moment, choice) in enumerate((turn.hand, turn.choice) for turn in hand):
        if moment.turn == moment.seat == 0:
            s = situation_of(moment.seen_by(0))
            for card in (*texts(moment.known[0]), *(texts(moment.table) if not number else ())):
                cell(card).click()
            if not number:
                page.get_by_role("button", name="Advise").click()
        now = likely_seat(read_position(moment.rules, s))
        after = after_choice(s, now, choice)
        wanted = page.locator(f'[data-after="{after or ""}"]')
        for again in (False, True)[: 1 + (number in (2, 5))]:
            if again:
                page.get_by_role("button", name="Take back").click()
                is_at(s)
            if moment.seat == 0:
                wanted.and_(page.locator("[data-ended] *")).first.click()
            else:
                if shown := texts(cards_shown(choice.show)):
                    page.get_by_label("A set is shown first").check()
                    for card in shown:
                        cell(card).click()
                cell(text(card_of(choice.play))).click()
                page.wait_for_function(
                    "n => document.querySelectorAll('.log li').length > n || document.querySelector('.felt .choice')",
                    arg=number,
                )
                if page.locator(".log li").count() == number:
                    wanted.click()
            is_at(after)
        s = after or s
    assert page.locator("[data-prompt]").inner_text() == "The hand is over."
    lines = page.locator(".log li").all_inner_texts()
    assert len(lines) == 36
    assert all(("best" in line or "behind" in line or "good" in line) == line.startswith("me") for line in lines)


COPIED = """navigator.clipboard.read().then(async ([item]) =>
  [item.types, await (await item.getType("text/plain")).text()])"""


def test_an_answer_is_sent_in_one_click_and_what_was_asked_is_kept_until_it_is_cleared(visit: Open) -> None:
    page = visit("/ask?question=barsega+and+matta", 390)
    page.click("[data-send-to]", timeout=60_000)
    page.wait_for_selector("[data-send-to].copied-now")
    types, text = page.evaluate(COPIED)
    assert types == ["text/plain"]
    assert text.startswith(
        "In one hand of 53 I hold a barsega and the matta: 1.90%, exactly 47/2470.\n\ncirulla-sim odds "
    )
    page.goto("/ask?question=histogram(sweeps(us))&hands=500&policy=greedy")
    page.click("[data-send-to]", timeout=60_000)
    page.wait_for_selector("[data-send-to].copied-now", timeout=20_000)
    assert page.evaluate(COPIED)[0] == ["text/plain", "image/png"]
    page.goto("/ask")
    assert page.locator("[data-kept] a").all_text_contents() == ["histogram(sweeps(us))", "barsega and matta"]
    page.click("[data-kept] summary")
    assert faults(page) == []
    page.click("[data-kept] button")
    page.goto("/ask")
    assert not page.is_visible("[data-kept]")
