"""The tab of advice: the same numbers as the command, cards and text in step, refusals beside their fields."""

from __future__ import annotations

import re
import shlex
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import polars as pl
import pytest
from browsing import LOOKS, browser_page, client, faults
from page_server import served

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.cards import PACK
from cirulla_sim.core.locale import language
from cirulla_sim.server.advise_tab import PLACE_NAMES, RANK_NAMES, SUIT_NAMES
from cirulla_sim.situation.card_places import PLACES, card_places, with_card_moved
from cirulla_sim.situation.notation import NOTHING, Situation
from cirulla_sim.situation.people import ABSOLUTE

POSITION = "table: Ad 5c 7h Kd; me: 7d 2s Jh; i am: first"

# ------------------------------------------------------------------------------------------------ moving cards


def test_a_card_is_where_it_was_put_last() -> None:
    """Random moves against a plain account of them; the text says the same at every step."""
    rng = np.random.default_rng(4)
    for _ in range(30):
        situation = Situation.parse("partner: no aces; score: 3-4")
        lies = dict[int, str]()
        for _ in range(25):
            card, place = int(rng.integers(12)), str(rng.choice(PLACES))
            situation = with_card_moved(situation, card, place)
            if lies.get(card) == place:
                del lies[card]
            else:
                lies[card] = place
            assert card_places(situation) == lies
            assert Situation.parse(str(situation)) == situation
            assert Situation.parse(situation.text("it")) == situation
            assert "table:" in str(situation)
        assert "partner: no aces" in str(situation)
        assert situation.score == (3, 4)


def test_other_words_of_a_place_stay() -> None:
    assert str(with_card_moved(Situation.parse("me: 7h K*; table: .. Ad"), 6, "me")) == "me: K*; table: Ad .."
    assert str(with_card_moved(NOTHING, 6, "me")) == "me: 7h; table:"


# ------------------------------------------------------------------------------------------------ the tab


def advised(lang: str = "en", **fields: str) -> tuple[int, str]:
    """The status and the HTML of the page for some fields."""
    response = client().get(f"/advise?{urlencode({'do': 'advise', 'samples': '1000', 'lang': lang} | fields)}")
    return response.status_code, response.text


def error_of(html: str, field: str) -> str:
    match = re.search(rf'id="{field}-error" role="alert">(.*?)<', html)
    return match[1].replace("&#39;", "'") if match else ""


@pytest.mark.parametrize("fields", [
    {"at": POSITION}, {"at": POSITION, "score": "38-41", "them": "greedy"},
    {"at": "table: Ad 5c 4d; me: 7d 2s Jh; shown next: 2h 3c", "players": "2", "me": "dealer", "house": "table-nine"},
    {"at": "table: Ad 5c 7h Kd; me: 7d 2s Jh", "rules": "cirulla-online", "us": "greedy"},
])  # fmt: skip
def test_the_numbers_are_those_of_the_command(fields: dict[str, str], tmp_path: object) -> None:
    """Every number of the parquet file, which is that of the command beside the answer too."""
    page = client()
    html = page.get(f"/advise?{urlencode({'do': 'advise', 'samples': '1000'} | fields)}").text
    run = re.search(r'data-run="([^"]+)"', html)
    assert run is not None
    while not page.get(f"/runs/{run[1]}").json()["ended"]:
        pass
    answer = page.get(f"/runs/{run[1]}?version=").json()["answer"]
    found = pl.read_parquet(page.get(f"/runs/{run[1]}/result.parquet").content)
    at = fields["at"] + (f"; score: {fields['score']}" if "score" in fields else "")
    us, them = fields.get("us", "careful"), fields.get("them", "careful")
    expected = cs.advise(
        at=at, me=fields.get("me"), rules=fields.get("rules", "cirulla"), players=fields.get("players"),
        house=fields.get("house", ()), policy=f"us={us}, them={them}", samples=1000, progress=False,
    )  # fmt: skip
    assert found.equals(expected.frame)
    [command] = re.findall(r'<pre class="command">(cirulla-sim advise .*?)</pre>', answer)
    words = shlex.split(command.replace("&#39;", "'"))[1:]
    with pytest.raises(SystemExit):
        main([*words, "-o", f"{tmp_path}/same.parquet", "--format", "json"])
    assert pl.read_parquet(f"{tmp_path}/same.parquet").equals(expected.frame)
    best = expected.frame["play"][0]
    assert f'<th scope="row">{best}' in answer.replace("\u00a0", " ")


@pytest.mark.parametrize(("fields", "field", "reason"), [
    ({"at": ""}, "at", "--at is missing: advise requires a position"),
    ({"at": "tabel: Ad"}, "at", "unknown place 'tabel': did you mean 'table'?"),
    ({"at": "table: Ad; me: Xd"}, "at", "'xd' is no card"),
    ({"at": "game.jsonl#0.3"}, "at", "a file cannot be named here"),
    ({"at": POSITION, "score": "many"}, "score", "--at: score: 'many' is not valid"),
    ({"at": POSITION, "score": "3-4-5"}, "score", "score"),
    ({"at": POSITION, "rules": "/etc/passwd"}, "rules", "unknown preset '/etc/passwd'"),
    ({"at": POSITION, "them": "a.py:play"}, "them", "unknown policy 'a.py:play'"),
    ({"at": POSITION, "us": "search:4096"}, "us", "unknown policy 'search:4096'"),
    ({"at": POSITION, "samples": "1000000"}, "samples", "unknown number of samples"),
    ({"at": POSITION, "me": "second"}, "me", "--me 'second' is not 'i am: first' of --at"),
    ({"at": POSITION, "players": "5"}, "players", "--players '5' is out of range"),
])  # fmt: skip
def test_what_is_wrong_stands_beside_its_field(fields: dict[str, str], field: str, reason: str) -> None:
    for lang in ("en", "it"):
        status, html = advised(lang, **fields)
        error = error_of(html, field)
        assert status == 400
        assert error
        assert "\n" not in error
        assert 'data-run="' not in html
        if lang == "en":
            assert reason in error
        else:
            assert not re.search(r"\b(valid:|unknown|did you mean)\b", error), error


def test_a_click_puts_a_card_into_the_address() -> None:
    page = client()
    at = ""
    for card, place in (("7d", "me"), ("2s", "me"), ("Ad", "table"), ("Kh", "gone"), ("2s", "table")):
        fields = {"at": at, "card": card, "place": place, "rules": "scopa", "do": "advise"}
        answer = page.get(f"/advise/put?{urlencode(fields)}")
        assert answer.status_code == 303
        query = parse_qs(urlsplit(answer.headers["location"]).query)
        at = query.pop("at")[0]
        assert query == {"place": [place], "rules": ["scopa"]}
    assert at == "me: 7d; table: Ad 2s; gone: Kh"
    html = page.get(f"/advise?{urlencode({'at': at})}").text
    pressed = dict(re.findall(r'value="(\w+)" formaction="/advise/put" aria-pressed="true" data-place="(\w+)"', html))
    assert pressed == {"7d": "me", "Ad": "table", "2s": "table", "Kh": "gone"}
    assert html.count('aria-pressed="false"') == len(PACK) - 4
    assert 'aria-label="seven of diamonds, in my hand"' in html


def test_a_text_that_is_wrong_stays_and_is_refused() -> None:
    page = client()
    answer = page.get(f"/advise/put?{urlencode({'at': 'tabel: Ad', 'card': '7d'})}")
    html = page.get(answer.headers["location"]).text
    assert 'value="tabel: Ad"' in html
    assert error_of(html, "at").startswith("--at: unknown place 'tabel'")


def test_every_place_and_rank_has_a_name() -> None:
    assert tuple(PLACE_NAMES) == PLACES
    assert len(RANK_NAMES) == 10
    texts = {*RANK_NAMES, *SUIT_NAMES.values(), *ABSOLUTE, *(name for names in PLACE_NAMES.values() for name in names)}
    assert texts - set(language("it").texts) == set()


# ------------------------------------------------------------------------------------------------ in a browser


@pytest.mark.parametrize(("width", "scheme", "lang"), LOOKS)
def test_cards_are_put_on_the_table_without_a_mouse(width: int, scheme: str, lang: str) -> None:
    """From an empty table to the answer by keyboard alone."""
    with served() as (address, _), browser_page(address, width, scheme, lang) as page:
        page.goto("/advise")
        assert faults(page) == []
        for place, cards in (("table", ("Ad", "5c", "7h", "Kd")), ("me", ("7d", "2s", "Jh"))):
            page.locator(f'input[name="place"][value="{place}"]').focus()
            page.keyboard.press("Space")
            for card in cards:
                button = page.locator(f'#pack button[value="{card}"]')
                button.focus()
                page.keyboard.press("Enter")
                page.wait_for_selector(f'#pack button[value="{card}"][aria-pressed="true"]:focus')
        text = page.locator("#at").input_value()
        assert text == Situation.parse("me: Jh 7d 2s; table: 7h Ad Kd 5c").text(lang)
        page.locator("#at").fill(text.replace("5c", "6c"))
        page.keyboard.press("Tab")
        page.wait_for_selector('#pack button[value="6c"][aria-pressed="true"]')
        assert page.locator('#pack button[value="5c"]').get_attribute("aria-pressed") == "false"
        assert "6c" in page.url
        page.locator("#at").press("Enter")
        page.wait_for_selector(".answer")
        assert faults(page) == []
        expected = cs.advise(at="me: Jh 7d 2s; table: 7h Ad Kd 6c", samples=4000, progress=False)
        page.wait_for_selector("[data-ended]")
        first = page.locator(".answer .first").inner_text().replace("\u00a0", " ")
        assert first == expected.describe(lang).splitlines()[0].replace("\u00a0", " ")
        with page.expect_download() as download:
            page.locator('a[href$="result.parquet"]').click()
        assert pl.read_parquet(download.value.path()).equals(expected.frame)
